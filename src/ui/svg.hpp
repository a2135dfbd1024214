// SPDX-License-Identifier: MIT
// Draws screens of characters as SVG: one screen, or several as an animation. The text needs no
// script, no certain font and no other file. Leaves the content of a screen to its callers.
#pragma once

#include "ui/theme.hpp"

namespace pbm {

// A place on a screen. A colour is a number of the terminal's palette, 0x1000000 and more for red,
// green and blue, or -1 for the colour of the window.
struct SvgCell {
  std::string glyph = "";  // UTF-8; "" for the right half of a wide one
  int ink = -1, paper = -1;
  bool bold = false, dim = false, underline = false, reverse = false;
};

// A screen at one moment, a piece of SVG for each row.
using SvgFrame = std::vector<std::string>;
struct TimedFrame {
  SvgFrame frame;
  double seconds = 0;  // the time for which it is shown
};

// Writes screens for a window with these colours.
class SvgWriter {
 public:
  SvgWriter() = default;
  // Takes the colours of ordinary text in that theme.
  explicit SvgWriter(const Theme& theme);

  std::string draw_row(const std::vector<SvgCell>& cells, int row) const;
  SvgFrame draw_canvas(const Canvas& canvas, const Theme& theme) const;
  // Draws a window of `columns` with these screens, which have the same number of rows. If the
  // reader wants no motion, or the viewer knows none, only the last screen is visible. Parts that
  // several screens share are written once.
  std::string draw_window(const std::vector<TimedFrame>& shots, int columns,
                          const std::string& title) const;

 private:
  std::string ink_ = "#d4d7dc", paper_ = "#15191f";
};

}  // namespace pbm
