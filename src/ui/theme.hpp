// SPDX-License-Identifier: MIT
// How styles look: read from a YAML file, NAME.yaml in a themes directory.
// Leaves which terminal can show what to curses.cpp.
#pragma once

#include <filesystem>
#include <span>

#include "ui/widgets/canvas.hpp"

namespace pbm {

// Colours are what terminals number: 0 to 7 the basic ones, 8 to 15 their
// bright ones, 16 to 255 the cube and the greys.
struct Colour {
  std::vector<int> wishes;  // the first one the terminal has is taken; none: the terminal's own
};

// The colour meant on a terminal of so many colours; -1 for its own.
int colour_of(const Colour& colour, int colours);

struct Look {
  Colour ink, paper;
  bool bold = false, dim = false, underline = false, reverse = false;
};

struct Theme {
  std::string name;
  std::string about;
  std::array<Look, kStyles> styles;       // with colours
  std::array<Look, kStyles> mono_styles;  // attributes only, for terminals without
  std::array<Look, kMarks> marks;         // added to the style
  std::array<Look, kMarks> mono_marks;
};

// The one that needs no file: the terminal's own colour, with attributes.
Theme plain_theme();

// The theme in `text`. Refuses with file, line and key what is no theme.
Result<Theme> read_theme(std::string_view text, const std::string& file);

// The theme called `name`, the first found in `directories`; or, when `name`
// has a slash or ends in .yaml, that file.
Result<Theme> find_theme(const std::string& name,
                         const std::vector<std::filesystem::path>& directories);

// Every theme in `directories` by its name, each as find_theme() finds it, in
// alphabetical order; what is no theme has the reason.
struct ListedTheme {
  std::string name;
  Result<Theme> theme;
};
std::vector<ListedTheme> list_themes(const std::vector<std::filesystem::path>& directories);

// Keys of a theme file, the styles and marks in their order, and what each is for in a word.
struct ThemeKey {
  std::string_view name, about;
};
std::span<const ThemeKey> style_keys();
std::span<const ThemeKey> mark_keys();

}  // namespace pbm
