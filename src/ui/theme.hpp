// SPDX-License-Identifier: MIT
// The looks of styles and marks, read from NAME.yaml in a themes directory.
// Leaves the abilities of a terminal to curses.cpp.
#pragma once

#include <filesystem>
#include <span>

#include "ui/widgets/canvas.hpp"

namespace pbm {

// A colour, as the numbers of a terminal's palette: 0 to 7 are the basic colours, 8 to 15 their
// bright ones, 16 to 255 the colour cube and the greys.
struct Colour {
  std::vector<int> choices;  // the first available one counts; none: the terminal's own colour
};

// Returns the number to use on a terminal with that many colours, or -1 for its own colour.
int pick_colour(const Colour& colour, int colours);

// The look of a style or a mark.
struct Look {
  Colour ink, paper;
  bool bold = false, dim = false, underline = false, reverse = false;
};

// The looks of all styles and marks.
struct Theme {
  std::string name;
  std::string description;
  std::array<Look, kStyleCount> styles;       // with colours
  std::array<Look, kStyleCount> mono_styles;  // without colours, for other terminals
  // The tiles of pieces and of the last move's pieces, on terminals with colours. Without one, a
  // piece looks like its style.
  std::array<std::optional<Look>, kStyleCount> tiles, last_tiles;
  std::array<Look, kMarkCount> marks;  // added to the style
  std::array<Look, kMarkCount> mono_marks;

  // Returns the look of a cell on a terminal with or without colours.
  Look find_look(Style style, Mark mark, bool is_tile, bool has_colours) const;
};

// Returns the theme that needs no file: the terminal's own colours, with attributes.
Theme plain_theme();

// Reads the theme in `text`. A refusal has the file, the line and the key.
Result<Theme> read_theme(std::string_view text, const std::string& file);

// Reads the theme `name` from the first of `directories` that has it. If `name` has a slash or ends
// in .yaml, reads that file.
Result<Theme> find_theme(const std::string& name,
                         const std::vector<std::filesystem::path>& directories);

// Lists all themes that find_theme() finds in `directories`, in alphabetical order. For a broken
// file, `theme` is the refusal.
struct ListedTheme {
  std::string name;
  Result<Theme> theme;
};
std::vector<ListedTheme> list_themes(const std::vector<std::filesystem::path>& directories);

// A style or mark as a key of a theme file, and a few words that describe it.
struct ThemeKey {
  std::string_view name, description;
};
std::span<const ThemeKey> style_keys();
std::span<const ThemeKey> mark_keys();

}  // namespace pbm
