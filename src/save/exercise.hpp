// SPDX-License-Identifier: MIT
// Positions in which a ply is to be found: the steps of a lesson, and puzzles. Each is a save with
// one key more in its head (pbmplay-save in the manual, "Lessons and puzzles"), several in a file.
// Leaves asking and judging to boards/exercises.hpp.
#pragma once

#include "game/match.hpp"

namespace pbm {

struct Exercise {
  explicit Exercise(Match match) : start(std::move(match)) {}
  Match start;                    // the seat to move is the pupil's
  std::vector<std::string> find;  // the plies that are right; none: every legal one
  // Of a step of a lesson:
  std::string say, right, wrong;  // before it, after a right ply, after another
  // Of a puzzle, where `find` is one ply:
  bool puzzle = false;
  bool holds = false;             // the only ply that does not lose; else the only one that wins
  std::string instead;            // what the pupil played there in a game of his own, or ""
  int plies = 0;                  // in so many, the pupil's first counted
  int grade = 0;                  // 1, the easiest, to 5
  std::vector<std::string> line;  // as it is expected to go on, the right ply first
};

// The documents of a file, parted by lines "---".
std::vector<std::string_view> documents_of(std::string_view file);

// The exercise in one of them. Refuses what is no save, what has no key for an exercise, and one
// that cannot be done.
Result<Exercise> read_exercise(std::string_view document, std::string_view name);

// The grade of the puzzle in one of them, read without its game: 0 where there is none.
int grade_of(std::string_view document);

// The document of a puzzle: the position of `match` after `plies` plies, and behind the words of
// its head, "kind: win, plies: 3, grade: 1", the line.
std::string puzzle_text(const Match& match, std::size_t plies, const std::string& words,
                        const std::vector<std::string>& line);

}  // namespace pbm
