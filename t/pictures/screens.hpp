// SPDX-License-Identifier: MIT
// The pictures of the README: games, and screens of the real program. Depends on no test framework.
#pragma once

#include "../terminal.hpp"
#include "ui/svg.hpp"

namespace pbm::test {

// A picture and the keys or moves that make it.
struct KeyStep {
  std::string text;
  double seconds = 0.35;           // the time for which the next screen is shown
  std::string wait_for_text = "";  // a text to wait for after the key, or ""
};
struct Picture {
  std::string name;
  std::string title;  // for readers who cannot see it
  std::vector<std::string> arguments = {};
  std::vector<KeyStep> keys = {};  // typed in this order
  int rows = 0, columns = 0;
  bool is_animated = false;  // shows the screen after each key, not only the last
  std::string plies = "";    // if not "", a game of Toot instead of screens
};
const std::vector<Picture>& pictures();

// Draws the game, or runs the program with the examples as boards of a user and draws its screens.
std::string draw_picture(const Picture& picture);

}  // namespace pbm::test
