// SPDX-License-Identifier: MIT
// What a person can choose, and what he chose once and wants to find again: settings.yaml, one
// `key: value` a line. Leaves what the values mean to who uses them.
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

// Milliseconds that a ply takes at least where computers play each other.
inline constexpr std::array kPaces{100, 200, 500, 1000, 2000, 4000, 8000};

// Seconds, as a person writes them: "0.5".
std::string pace_text(int pace);
// The next longer one, or with -1 the next shorter one; the same where there is none.
int next_pace(int pace, int step);

// A drawing of a game that has several, as a person writes it: "a", or for 0 "auto".
std::string field_text(char field);
// The size of boards: "1", or for 0 "auto".
std::string size_text(int size);

// What can be chosen, and how it is until somebody does.
struct Preferences {
  std::string theme = "default";  // a name or a file
  char field = '\0';              // the drawing, where a game has several; 0: as there is room
  int size = 0;                   // of boards, 1 or 2; 0: as there is room
  std::optional<bool> mouse;      // clicks come as keys from the start; nothing: where Shift marks
  bool words = false;             // boards are told, not drawn, where there is no screen
  bool bell = true;               // rings when somebody else has played on the board looked at
  bool confirm = false;           // a ply is shown before it is played and wants a second Enter
  bool tutor = false;             // against the computer a ply that gives much away is asked about
  bool frames = true;             // lines between the parts of a screen
  bool motion = true;             // a ply is seen being played
  int pace = 1000;                // of kPaces
  bool ahead = false;             // the computer's level 10 thinks while a person does
  std::string name;               // who one is; "" for nobody in particular
  std::vector<std::string> turned = {};  // boards that are seen from the other side
  friend bool operator==(const Preferences&, const Preferences&) = default;
};

// What can be chosen: a line of the file, and a row of the form. Those without `about` have none
// there, and come last.
struct Setting {
  std::string_view key, about;
  std::string_view form;  // what a value should be; "" for one of `values`
  // What there is to choose from, beside these themes; null where a text is typed.
  std::vector<std::string> (*values)(const std::vector<std::string>& themes);
  std::string (*text)(const Preferences&);
  bool (*take)(Preferences&, const std::string& text);  // false where it is no value
};
// In the order they are listed.
const std::vector<Setting>& all_settings();

// What begins the name by which it is remembered that a board is turned: what its file is called,
// whatever it is reached by.
std::string turned_as(const std::string& board);

// Refuses what nobody at this keyboard can be called: no player's name, or one that means the
// computer.
Result<Done> check_own_name(const std::string& name);

class Settings {
 public:
  // Reads `file`; one that is not there means nothing was chosen yet.
  explicit Settings(std::filesystem::path file);

  // As things are now; whoever holds on to it sees every change.
  const Preferences& chosen() const { return chosen_; }

  // Why the file, or a value in it, could not be used, or "". A value that
  // could not is the usual one; a file that could not is left alone.
  const std::string& warning() const { return warning_; }

  // Things are so for this run, and nothing is remembered: the command line's word.
  void use(const Preferences& wanted) { chosen_ = wanted; }

  // Has that chosen from now on, here and in the file as it is by then: what another program has
  // chosen stays, comments and other keys stay. A refusal says why it holds for this run only.
  // Throws Error, with nothing changed. Pre: values that the file may hold.
  Result<Done> set(const std::function<void(Preferences& wanted)>& choose);

 private:
  std::filesystem::path file_;
  Preferences chosen_;
  std::string warning_;
  bool readable_ = true;
};

}  // namespace pbm
