// SPDX-License-Identifier: MIT
// Screens of a terminal as SVG: one as it stands, or several one after the other
// as a picture that moves. Knows no test framework.
#pragma once

#include <string>
#include <vector>

#include "../terminal.hpp"

namespace pbm::test {

// What a terminal shows at one moment, a piece of SVG for each row.
using Frame = std::vector<std::string>;
Frame frame_of(const TerminalRun& run);

struct Shot {
  Frame frame;
  double seconds = 0;  // how long it is to be seen
};

// A window of `columns` with these screens, which have as many rows each. Whoever
// wants no motion, or reads it with what knows none, sees the last one only.
// What is seen for longer than one screen is in it once.
std::string svg_of(const std::vector<Shot>& shots, int columns, const std::string& title);

// A picture of the program: what is typed, and how it is looked at.
struct Key {
  std::string text;
  double seconds = 0.35;   // that the screen after it is to be seen
  std::string until = "";  // what is waited for, where it takes a while
};
struct Picture {
  std::string name;
  std::string title;  // for whoever cannot see it
  std::vector<std::string> arguments;
  std::vector<Key> keys;  // typed one after the other
  int rows, columns;
  bool moving = false;  // the screen after each of the keys, not only after the last
};
const std::vector<Picture>& pictures();

// Runs the program for it, with the examples as somebody's own boards.
std::string drawn(const Picture& picture);

}  // namespace pbm::test
