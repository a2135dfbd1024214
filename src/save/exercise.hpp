// SPDX-License-Identifier: MIT
// Exercises: positions in which the player must find a ply, the steps of a lesson or puzzles. Each
// is a save with one more key in its head (pbmplay-save in the manual, "Lessons and puzzles"); a
// file has several. Leaves asking and judging to boards/exercises.hpp.
#pragma once

#include "game/match.hpp"

namespace pbm {

struct Exercise {
  explicit Exercise(Match match) : start(std::move(match)) {}
  Match start;                         // the player has the seat to move
  std::vector<std::string> solutions;  // the right plies; if empty, every legal one is right
  // For a step of a lesson:
  std::string prompt, right_reply,
      wrong_reply;  // shown before it, after a right ply, after another ply
  // For a puzzle, where `find` has one ply:
  bool is_puzzle = false;
  bool is_defence = false;   // true: the only ply that does not lose; false: that wins
  std::string original_ply;  // the player's ply in the game that the puzzle is from, or ""
  int ply_count = 0;         // plies to the goal, including the player's first
  int grade = 0;             // 1 (easiest) to 5
  std::vector<std::string> solution_line;  // the expected plies, beginning with the right one
};

// Returns the documents of a file, which lines "---" separate.
std::vector<std::string_view> split_documents(std::string_view file);

// Reads the exercise in one document. Refuses a document that is no save, has no key for an
// exercise, or has an exercise that cannot be solved.
Result<Exercise> read_exercise(std::string_view document, std::string_view name);

// Returns the grade of the puzzle in a document without replaying its game; 0 if there is none.
int read_puzzle_grade(std::string_view document);

// Formats a puzzle: the position of `match` after `plies` plies. `words` are its attributes,
// "kind: win, plies: 3, grade: 1"; the key `line` follows them.
std::string puzzle_text(const Match& match, std::size_t plies, const std::string& words,
                        const std::vector<std::string>& line);

}  // namespace pbm
