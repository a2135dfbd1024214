// SPDX-License-Identifier: MIT
// Lessons and puzzles: the list of them, the player's progress and skill, and a session in which
// the player finds plies. Leaves the format of exercises to save/exercise.hpp, and other commands
// to the program that runs the board.
#pragma once

#include <filesystem>
#include <map>
#include <set>

#include "boards/repository.hpp"
#include "boards/analysis.hpp"
#include "save/exercise.hpp"

namespace pbm {

// The meaning of an id: "lesson:toot", "puzzle:toot-12", or "puzzle:mine-3".
struct ExerciseKey {
  bool puzzle;
  const GameType* game;  // null: puzzles from the player's own games
  std::size_t number;    // of a puzzle, from 1; 0 for a lesson
  std::string id() const;
};

class Exercises {
 public:
  // `directory` has lessons/GAME.yaml and puzzles/GAME.yaml. The file `memory` keeps the progress,
  // and `memory`-mine.yaml the puzzles from the player's own games. None of them need exist.
  Exercises(std::filesystem::path directory, std::filesystem::path memory);

  // Returns the puzzle of a day (in days since 1970), "puzzle:toot-12"; without `game`, from any
  // game. Its grade suits the player's skill or is one easier. Refuses if there is no puzzle.
  Result<std::string> puzzle_of(std::int64_t day, const GameType* game = nullptr) const;
  // Describes each puzzle of a game in a few words: "wins in 3, grade 1, solved". A null game means
  // the puzzles from the player's own games.
  std::vector<std::string> puzzles_of(const GameType* game) const;
  // Returns rows for the list of boards: the lessons not done yet (with `all`, every lesson), the
  // puzzles begun but not finished, and the puzzle of today.
  std::vector<BoardSummary> list(bool all) const;

  // Opens "lesson:toot" or "puzzle:toot-12". "puzzle:", "puzzle:toot" and "puzzle:toot-2026-11-22"
  // mean the puzzle of today or of that day. "puzzle:mine" means the first unsolved mistake of the
  // player. An exercise that was open before continues where the player left it.
  Result<Board> open(const std::string& id);

  // Turns the costly mistakes of the seats that are `mine` into puzzles, each only once. Returns
  // the number of new puzzles.
  std::size_t keep_mistakes(const Analysis& analysis, const std::function<bool(Seat)>& mine);

  // Returns the id of the next exercise. A puzzle follows the lesson; "", a game with the computer,
  // follows the first solved puzzle; then come puzzles that suit the player's skill.
  std::string next(const ExerciseKey& key) const;
  void remember(const ExerciseKey& key) {
    if (!done(key)) keep([&](Known& now) { now.done.insert(key.id()); });
  }
  // begun() returns the saved place, begin() saves it. The place is the step of a lesson, from 0,
  // or the number of the puzzle that the player has begun, 0 for none.
  std::size_t begun(const ExerciseKey& of) const;
  void begin(const ExerciseKey& of, std::size_t at);
  // Returns the skill in the puzzles of a game, a rating as for players; it starts at 700.
  int skill(const GameType& game) const;
  // Rates the attempt at a puzzle of that grade; `score` is in per cent. Returns the new skill.
  int rate(const GameType& game, int grade, int score);

 private:
  Result<ExerciseKey> key_of(const std::string& id) const;
  Result<ExerciseKey> key_of_day(std::int64_t day, const GameType* game) const;
  bool done(const ExerciseKey& key) const { return known_.done.contains(key.id()); }
  std::filesystem::path file_of(bool puzzle, const GameType* game) const;
  // Returns the documents of the exercise file, or nothing if there is no file.
  std::vector<std::string> documents(bool puzzle, const GameType* game) const;
  // The player's progress, as kept in `memory`.
  struct Known {
    std::set<std::string> done;  // ids
    // "lesson:toot" and "puzzle:toot": the saved places. "skill:toot": the skill. "morning:toot"
    // and "day:toot": the skill before the first puzzle of that day, and the day.
    std::map<std::string, int> numbers;
    static Known read(std::string_view text);
    std::string text() const;
    int number(std::string_view what, std::string_view game, int otherwise) const;
  };
  // Reads the progress again, as another program may have changed it, applies `change`, and saves
  // it. Throws Error, with nothing changed.
  void keep(const std::function<void(Known& now)>& change);

  std::filesystem::path directory_, memory_;
  Known known_;
  std::map<std::string, std::shared_ptr<ExerciseSession>> opened_;  // by id
};

// An open exercise.
class ExerciseSession {
 public:
  static constexpr int kTries = 3;  // at a puzzle

  // Pre: `all` outlives this object. A puzzle has one step; the player plays it to its end, and
  // the session plays the opponent's answers.
  ExerciseSession(Exercises& all, const ExerciseKey& key, std::vector<Exercise> steps);

  const Match& match() const { return *match_; }
  // Returns the task, or the final sentence if it is done.
  std::string task() const;
  // Returns a few words: "puzzle 3: you are TOOT, win in 2 moves".
  std::string title() const;
  // True if the task is done. The ply then stands on the board, and go_on() leads to the next step.
  bool done() const { return done_; }
  // Returns the wrong ply played in this position and the plies that refute it.
  const std::vector<std::string>& refuted() const { return refuted_; }

  // Judges a ply. If the task is done, plays on without judging.
  Result<Done> play(const std::vector<MoveRequest>& turns);
  // Returns a right ply. The player's skill is then not rated for this puzzle.
  std::string hint() {
    helped_ = true;
    return expected();
  }
  // Goes to the next step of a lesson. Returns false at its end.
  bool go_on();
  // Returns the id of the next exercise, or "" for a game with the computer.
  std::string next() const { return all_.next(key_); }
  // Begins the exercise again from its first step.
  void restart() {
    if (!key_.puzzle) all_.begin(key_, 0);
    begin_step(0);
  }

 private:
  void begin_step(std::size_t step);
  const Exercise& exercise() const { return steps_[step_]; }
  Result<Done> judge_step(const std::string& ply);
  Result<Done> judge_puzzle(const std::string& ply);
  Result<Done> refute(const std::string& ply);
  bool is_right(const std::string& ply) const;
  std::string expected() const;
  std::size_t found() const { return match_->plies().size() - exercise().start.plies().size(); }
  void play_on(const std::string& ply) {
    match_->add(*match_->validate(match_->to_move().value_or(0), ply, now()));
    refuted_.clear();
    tried_.clear();
  }
  void finish(const std::string& said);

  Exercises& all_;
  const ExerciseKey key_;
  const std::vector<Exercise> steps_;
  std::size_t step_ = 0;
  int tries_ = 0;
  bool helped_ = false;
  bool done_ = false;
  std::string said_;  // the sentence after the task is done or the opponent has answered
  std::vector<std::string> refuted_;
  std::set<std::string> tried_;  // the wrong plies tried in this position
  std::optional<Match> match_;
};

// True if a legal ply is at most 5 % worse than the best ply that a short search finds. With more
// than two seats, true only if the ply wins, because nobody knows who gains what a ply gives away.
bool is_about_best(const Position& position, const GameType& game, const std::string& ply);

// True if the id is that of a lesson or a puzzle.
bool is_exercise(std::string_view id);

// Returns the id of the puzzle that the words name: a game, a day or a number; none for today's.
// Refuses words that cannot mean a puzzle.
Result<std::string> puzzle_named(const std::vector<std::string>& words);

// Returns the id of the lesson of a game: "lesson:toot".
std::string lesson_of(std::string_view game);

// Returns the days since 1970 in local time.
std::int64_t today();

}  // namespace pbm
