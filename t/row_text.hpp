// SPDX-License-Identifier: MIT
// Reads the text of a picture for tests.
#pragma once

#include "ui/widgets/canvas.hpp"

namespace pbm::test {

// Returns the glyphs of a row without trailing blanks.
inline std::string row_text(const Canvas& canvas, int row) {
  std::string out;
  for (int c = 0; c < canvas.size().columns; ++c) {
    const Cell& cell = canvas.cell(row, c);
    if (cell.is_tail) continue;
    append_utf8(out, cell.glyph);
    for (const char32_t accent : cell.accents)
      if (accent) append_utf8(out, accent);
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Returns all rows, each with a line feed.
inline std::string canvas_text(const Canvas& canvas) {
  std::string out;
  for (int row = 0; row < canvas.size().rows; ++row) out += row_text(canvas, row) + "\n";
  return out;
}

}  // namespace pbm::test
