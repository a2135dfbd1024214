// SPDX-License-Identifier: MIT
// What a person can choose, as the screens look at it. Leaves remembering it to settings.hpp.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace pbm
