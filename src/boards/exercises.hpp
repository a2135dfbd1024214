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
  bool is_puzzle;
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
  Result<std::string> daily_puzzle(std::int64_t day, const GameType* game = nullptr) const;
  // Describes each puzzle of a game in a few words: "wins in 3, grade 1, solved". A null game means
  // the puzzles from the player's own games.
  std::vector<std::string> puzzle_descriptions(const GameType* game) const;
  // Returns rows for the list of boards: the lessons not done yet (with `all`, every lesson), the
  // puzzles begun but not finished, and the puzzle of today.
  std::vector<BoardSummary> list(bool all) const;

  // Opens "lesson:toot" or "puzzle:toot-12". "puzzle:", "puzzle:toot" and "puzzle:toot-2026-11-22"
  // mean the puzzle of today or of that day. "puzzle:mine" means the first unsolved mistake of the
  // player. An exercise that was open before continues where the player left it.
  Result<Board> open(const std::string& id);

  // Turns the costly mistakes of the seats that are `mine` into puzzles, each only once. Returns
  // the number of new puzzles.
  std::size_t add_mistakes(const Analysis& analysis, const std::function<bool(Seat)>& mine);

  // Returns the id of the next exercise. A puzzle follows the lesson; "", a game with the computer,
  // follows the first solved puzzle; then come puzzles that suit the player's skill.
  std::string next_id(const ExerciseKey& key) const;
  void mark_done(const ExerciseKey& key) {
    if (!is_done(key)) update_progress([&](Progress& now) { now.done_ids.insert(key.id()); });
  }
  // saved_place() returns the saved place, save_place() saves it. The place is the step of a
  // lesson, from 0, or the number of the puzzle that the player has begun, 0 for none.
  std::size_t saved_place(const ExerciseKey& of) const;
  void save_place(const ExerciseKey& of, std::size_t at);
  // Returns the skill in the puzzles of a game, a rating as for players; it starts at 700.
  int skill(const GameType& game) const;
  // Rates the attempt at a puzzle of that grade; `score` is in per cent. Returns the new skill.
  int rate(const GameType& game, int grade, int score);
  // The level that suits the player in games of that kind: it begins at 1, goes up after a win, and
  // down after two losses in a row.
  int suitable_level(const GameType& game, const Options& options) const;
  // Gives the match's computers that level, and remembers it as an adaptive one if it can be saved.
  void adapt_computer(Match& match);
  // True if adapt_computer() made the level that its computers have.
  bool is_adaptive(const Match& match) const;
  // Counts the end of an adaptive match of one person who has moved, once. Call reload() before.
  // Returns a sentence if the level changed, or "".
  std::string count_result(const Match& match);
  // Reads the progress again, as another program may have changed it.
  void reload();
  // Runs `changes`, which may call the functions above and count_solved(), and saves all of them
  // with one write. Throws Error, with nothing changed.
  void update_at_once(const std::function<void()>& changes);
  // Counts a puzzle solved today. Returns true if it is the first of the day.
  bool count_solved();
  // Returns on how many days in a row, up to today or yesterday, the player solved a puzzle.
  int streak() const;

 private:
  Result<ExerciseKey> find_key(const std::string& id) const;
  Result<ExerciseKey> daily_key(std::int64_t day, const GameType* game) const;
  bool is_done(const ExerciseKey& key) const { return progress_.done_ids.contains(key.id()); }
  std::filesystem::path exercise_file(bool puzzle, const GameType* game) const;
  // Returns the documents of the exercise file, or nothing if there is no file.
  std::vector<std::string> documents(bool puzzle, const GameType* game) const;
  // The player's progress, as kept in `memory`.
  struct Progress {
    std::set<std::string> done_ids;  // ids
    // "lesson:toot" and "puzzle:toot": the saved places. "skill:toot": the skill. "morning:toot"
    // and "day:toot": the skill before the first puzzle of that day, and the day. "streak" and
    // "solved": the days in a row with a solved puzzle, and the last of them. "level:toot-tootris"
    // and "losses:toot-tootris": the suitable level, and the losses in a row. "match:1764373520":
    // the level of the adaptive match that began then, plus 100 if its end is counted.
    std::map<std::string, int> numbers;
    static Progress parse(std::string_view text);
    std::string text() const;
    int number(std::string_view what, std::string_view game, int otherwise) const;
  };
  // Applies `change` to the progress as it is in the file now, and saves it. Throws Error, with
  // nothing changed.
  void update_progress(const std::function<void(Progress& now)>& change);

  std::filesystem::path directory_, progress_file_;
  Progress progress_;
  bool is_updating_ = false;  // update_at_once() runs and saves the changes of `progress_`
  std::map<std::string, std::shared_ptr<ExerciseSession>> sessions_;  // by id
};

// An open exercise.
class ExerciseSession {
 public:
  static constexpr int kMaxTries = 3;  // at a puzzle

  // Pre: `all` outlives this object. A puzzle has one step; the player plays it to its end, and
  // the session plays the opponent's answers.
  ExerciseSession(Exercises& all, const ExerciseKey& key, std::vector<Exercise> steps);

  const Match& match() const { return *match_; }
  // Returns the task, or the final sentence if it is done.
  std::string task() const;
  // Returns a few words: "puzzle 3: you are TOOT, win in 2 moves".
  std::string title() const;
  // Returns the seat of the player.
  Seat own_seat() const { return exercise().start.position().to_move(); }
  // True if the task is done. The ply then stands on the board, and next_step() leads to the next
  // step.
  bool is_done() const { return is_done_; }
  // Returns the wrong ply played in this position and the plies that refute it.
  const std::vector<std::string>& refutation() const { return refutation_; }

  // Judges a ply. If the task is done, plays on without judging.
  Result<Success> play(const std::vector<MoveRequest>& turns);
  // Returns a right ply. The player's skill is then not rated for this puzzle.
  std::string hint() {
    used_hint_ = true;
    return expected_ply();
  }
  // Goes to the next step of a lesson. Returns false at its end.
  bool next_step();
  // Returns the id of the next exercise, or "" for a game with the computer.
  std::string next_id() const { return exercises_.next_id(key_); }
  // Begins the exercise again from its first step.
  void restart() {
    if (!key_.is_puzzle) exercises_.save_place(key_, 0);
    begin_step(0);
  }

 private:
  void begin_step(std::size_t step);
  const Exercise& exercise() const { return steps_[step_]; }
  Result<Success> judge_step(const std::string& ply);
  Result<Success> judge_puzzle(const std::string& ply);
  std::string record_answer(const std::string& ply, const std::string& found_one);
  Result<Success> refute(const std::string& ply);
  enum class PuzzleAnswer : std::uint8_t { right, slow, wrong };  // slow: it wins, but later
  PuzzleAnswer judge_answer(const std::string& ply) const;
  std::string expected_ply() const;
  std::size_t found_count() const {
    return match_->plies().size() - exercise().start.plies().size();
  }
  // Returns the plies to the goal of a puzzle from here on.
  int plies_left() const { return exercise().ply_count - static_cast<int>(found_count()); }
  void add_ply(const std::string& ply) {
    match_->add(*match_->validate(match_->to_move().value_or(0), ply, now()));
    refutation_.clear();
    wrong_plies_.clear();
  }
  void finish(const std::string& said);

  Exercises& exercises_;
  const ExerciseKey key_;
  const std::vector<Exercise> steps_;
  std::size_t step_ = 0;
  int wrong_tries_ = 0;
  bool used_hint_ = false;
  bool is_done_ = false;
  std::string message_;  // the sentence after the task is done or the opponent has answered
  std::vector<std::string> refutation_;
  std::set<std::string> wrong_plies_;  // the wrong plies tried in this position
  std::optional<Match> match_;
};

// True if a legal ply is at most 5 % worse than the best ply that a short search finds. With more
// than two seats, true only if the ply wins, because nobody knows who gains what a ply gives away.
bool is_near_best(const Position& position, const GameType& game, const std::string& ply);

// True if the id is that of a lesson or a puzzle.
bool is_exercise(std::string_view id);

// Returns the id of the puzzle that the words name: a game, a day or a number; none for today's.
// Refuses words that cannot mean a puzzle.
Result<std::string> puzzle_id(const std::vector<std::string>& words);

// Returns the id of the lesson of a game: "lesson:toot".
std::string lesson_id(std::string_view game);

// Returns the days since 1970 in local time.
std::int64_t today();

}  // namespace pbm
