// SPDX-License-Identifier: MIT
// Draws terminal screens as SVG: one screen, or several as an animation. Depends on no test
// framework.
#pragma once

#include <string>
#include <vector>

#include "../terminal.hpp"

namespace pbm::test {

// The screen of a terminal at one moment, a piece of SVG for each row.
using Frame = std::vector<std::string>;
Frame capture_frame(const TerminalRun& run);

struct TimedFrame {
  Frame frame;
  double seconds = 0;  // the time for which it is shown
};

// Draws a window of `columns` with these screens, which have the same number of rows. If the reader
// wants no motion, or the viewer knows none, only the last screen is visible. Parts that several
// screens share are written once.
std::string make_svg(const std::vector<TimedFrame>& shots, int columns, const std::string& title);

// A picture of the program and the keys that make it.
struct KeyStep {
  std::string text;
  double seconds = 0.35;           // the time for which the next screen is shown
  std::string wait_for_text = "";  // a text to wait for after the key, or ""
};
struct Picture {
  std::string name;
  std::string title;  // for readers who cannot see it
  std::vector<std::string> arguments;
  std::vector<KeyStep> keys;  // typed in this order
  int rows, columns;
  bool is_animated = false;  // shows the screen after each key, not only the last
};
const std::vector<Picture>& pictures();

// Runs the program for a picture, with the examples as boards of a user, and draws it.
std::string draw_picture(const Picture& picture);

}  // namespace pbm::test
