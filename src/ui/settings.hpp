// SPDX-License-Identifier: MIT
// The player's settings and other remembered choices, in settings.yaml: a `key: value` on each
// line. Leaves the meaning of the values to their users.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>
#include <array>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace pbm {

// The least milliseconds that a ply takes while computers play each other.
inline constexpr std::array kPaces{100, 200, 500, 1000, 2000, 4000, 8000};

// Returns the seconds as players write them: "0.5".
std::string pace_text(int pace);
// Returns the next pace up (1) or down (-1), or the same at the end.
int next_pace(int pace, int step);

// Returns the name of a drawing, for games that have several: "a", or for 0 "auto".
std::string field_text(char field);
// Returns the name of a board size: "1", or for 0 "auto".
std::string size_text(int size);

// The settings, with their default values.
struct Preferences {
  std::string theme = "default";     // a name or a file
  char field = '\0';                 // the drawing, if a game has several; 0: the largest that fits
  int board_size = 0;                // of boards, 1 to kMaxScale; 0: the largest that fits
  std::optional<bool> mouse_choice;  // clicks work; nothing: only if Shift can select text
  bool words_mode = false;           // line mode describes boards instead of drawing them
  bool has_bell = true;              // rings when another player plays on the shown board
  bool should_confirm = false;       // Enter first shows a ply, and a second Enter plays it
  bool has_tutor = false;            // against the computer, asks before a blunder
  bool was_tutor_offered = false;    // after a lost game, only once
  bool has_motion = true;            // animates each ply
  int pace_ms = 1000;                // of kPaces
  std::string player_name;           // the player's name, or ""
  std::vector<std::string> turned_boards = {};  // boards shown from the other side
  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// A setting: a line of the file, and a row of the form. Settings without `description` have no row
// and come last.
struct Setting {
  std::string_view key, description;
  std::string_view value_form;  // the form of a value, in words; "": one of `list_values`
  // Returns the values to choose from, for these themes; null for free text.
  std::vector<std::string> (*list_values)(const std::vector<std::string>& themes);
  std::string (*value_text)(const Preferences&);
  bool (*set_value)(Preferences&, const std::string& text);  // false if the value is wrong
};
// Returns all settings in the order of the form.
const std::vector<Setting>& all_settings();

// Returns the beginning of a board's entry in Preferences::turned: the name of its file and "@".
// The start time follows.
std::string turned_prefix(const std::string& board);

// Refuses an invalid player's name, and a name of the computer.
Result<Success> check_local_name(const std::string& name);

// The settings file and the settings in use.
class Settings {
 public:
  // Reads `file`; a missing file means default settings.
  explicit Settings(std::filesystem::path file);

  // Returns the current settings; the reference shows later changes.
  const Preferences& preferences() const { return preferences_; }

  // Returns why the file or one of its values is unusable, or "". A wrong value counts as the
  // default. change() leaves an unreadable file alone.
  const std::string& warning() const { return warning_; }

  // Uses these settings for this run without saving them, as for options of the command line.
  void set_for_run(const Preferences& wanted) { preferences_ = wanted; }

  // Applies a change here, and to the file as it is now; other lines and comments stay. If the file
  // cannot take it, applies it for this run only and refuses with the reason. Throws Error, with
  // nothing changed. Pre: the new values are valid in the file.
  Result<Success> change(const std::function<void(Preferences& wanted)>& choose);

 private:
  std::filesystem::path file_;
  Preferences preferences_;
  std::string warning_;
  bool is_readable_ = true;
};

}  // namespace pbm
