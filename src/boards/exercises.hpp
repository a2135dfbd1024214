// SPDX-License-Identifier: MIT
// Lessons and puzzles: which there are, which were done, how well, and a session at one of them, in
// which plies are to be found. Leaves what they are to save/exercise.hpp, and what may be typed
// there to whoever runs the board.
#pragma once

#include <filesystem>
#include <map>
#include <set>

#include "boards/repository.hpp"
#include "boards/analysis.hpp"
#include "save/exercise.hpp"

namespace pbm {

// What an id means: "lesson:toot", "puzzle:toot-12", or "puzzle:mine-3".
struct ExerciseKey {
  bool puzzle;
  const GameType* game;  // null: puzzles out of games of one's own
  std::size_t number;    // of a puzzle, from 1
  std::string id() const;
};

class Exercises {
 public:
  // `directory` has lessons/GAME.yaml and puzzles/GAME.yaml; what was done is kept in `memory`,
  // and puzzles of one's own in `memory`-mine.yaml: neither need exist.
  Exercises(std::filesystem::path directory, std::filesystem::path memory);

  // The puzzle of that day, days counted from 1970: "puzzle:toot-12"; of all games without one: as
  // hard as suits one's skill, or a grade easier. Refuses where there is none.
  Result<std::string> puzzle_of(std::int64_t day, const GameType* game = nullptr) const;
  // Of each of a game's puzzles a few words: "wins in 3, grade 1, solved"; without one of those out
  // of games of one's own.
  std::vector<std::string> puzzles_of(const GameType* game) const;
  // For the list of boards: a line for each lesson that was not done yet, or `all`, for each puzzle
  // that was begun and left, and one for that of today.
  std::vector<BoardSummary> list(bool all) const;

  // "lesson:toot" and "puzzle:toot-12"; "puzzle:", "puzzle:toot" and "puzzle:toot-2026-11-22" are
  // the puzzle of today or of that day, of all games or of one; "puzzle:mine" is the first mistake
  // of one's own that was not mended yet. Opened again it is as it was left.
  Result<Board> open(const std::string& id);

  // Of the plies of the seats that are `mine` those that gave much away become puzzles, each once.
  // Returns how many did.
  std::size_t keep_mistakes(const Analysis& analysis, const std::function<bool(Seat)>& mine);

  // What comes behind that one: a first puzzle of the game behind a lesson, behind the first that
  // was solved a game with the computer, "", then puzzles as hard as suits.
  std::string next(const ExerciseKey& key) const;
  void remember(const ExerciseKey& key) {
    if (!done(key)) keep([&](Known& now) { now.done.insert(key.id()); });
  }
  // The step one is at in that lesson, from 0; or the number of the game's puzzle that is to be
  // gone on with, 0 for none. It is kept.
  std::size_t begun(const ExerciseKey& of) const;
  void begin(const ExerciseKey& of, std::size_t at);
  // How well puzzles of a game are solved, as players are rated: 700 at first.
  int skill(const GameType& game) const;
  // One of that grade was solved, `score` of 100 of it. Returns what the skill is now.
  int rate(const GameType& game, int grade, int score);

 private:
  Result<ExerciseKey> key_of(const std::string& id) const;
  Result<ExerciseKey> key_of_day(std::int64_t day, const GameType* game) const;
  bool done(const ExerciseKey& key) const { return known_.done.contains(key.id()); }
  std::filesystem::path file_of(bool puzzle, const GameType* game) const;
  // What its file has, a save each; nothing where there is none.
  std::vector<std::string> documents(bool puzzle, const GameType* game) const;
  // What was done.
  struct Known {
    std::set<std::string> done;  // ids
    // "lesson:toot" and "puzzle:toot" are where one is; "skill:toot", and what it was before
    // anything was solved on the last day: "morning:toot", "day:toot".
    std::map<std::string, int> numbers;
    static Known read(std::string_view text);
    std::string text() const;
    int number(std::string_view what, std::string_view game, int otherwise) const;
  };
  // Keeps what `change` makes of it as it is by then: what another program has kept stays. Throws
  // Error, with nothing changed.
  void keep(const std::function<void(Known& now)>& change);

  std::filesystem::path directory_, memory_;
  Known known_;
  std::map<std::string, std::shared_ptr<ExerciseSession>> opened_;  // by id
};

// One that somebody has opened.
class ExerciseSession {
 public:
  static constexpr int kTries = 3;  // at a puzzle

  // Pre: `all` outlives this. A puzzle has one step, and is played to its end: the other side
  // answers.
  ExerciseSession(Exercises& all, const ExerciseKey& key, std::vector<Exercise> steps);

  const Match& match() const { return *match_; }
  // What is to be found, or what is said when that was done.
  std::string task() const;
  // What it is, in a few words: "puzzle 3: you are TOOT, win in 2 moves".
  std::string title() const;
  // Whether it was: then the ply stands on the board, and go_on() leads on from there.
  bool done() const { return done_; }
  // A ply that was wrong in this position, and what answers it.
  const std::vector<std::string>& refuted() const { return refuted_; }

  // Judges a ply; where it is done whoever likes plays on.
  Result<Done> play(const std::vector<MoveRequest>& turns);
  // A ply that is right here. Whoever asked for it is not rated for finding it.
  std::string hint() {
    helped_ = true;
    return expected();
  }
  // To the next step of a lesson. False at its end.
  bool go_on();
  // What follows: a puzzle's id, or "" for a game with the computer.
  std::string next() const { return all_.next(key_); }
  // From its beginning.
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
  std::string said_;  // when it was done, or the other side has answered
  std::vector<std::string> refuted_;
  std::set<std::string> tried_;  // the wrong plies of this position
  std::optional<Match> match_;
};

// Whether a legal ply comes to about as much there as the best that a short look finds: no more
// than 5 of 100 less. Of more than two seats nobody says whose loss it would be: then only a win.
bool is_about_best(const Position& position, const GameType& game, const std::string& ply);

// Whether an id is one of these.
bool is_exercise(std::string_view id);

// The id of the puzzle that words mean: a game, a day or a number, or nothing for today's. Refuses
// words that can mean none.
Result<std::string> puzzle_named(const std::vector<std::string>& words);

// The id of the lesson of a game: "lesson:toot".
std::string lesson_of(std::string_view game);

// Days since 1970 in the person's own time.
std::int64_t today();

}  // namespace pbm
