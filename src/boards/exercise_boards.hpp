// SPDX-License-Identifier: MIT
// Lessons and puzzles as boards among others: whoever plays there the ply that is asked for comes
// to the next. Leaves what they are to save/exercise.hpp, and all other boards to those around
// which this stands.
#pragma once

#include <filesystem>
#include <map>
#include <set>

#include "boards/forwarding_boards.hpp"
#include "save/exercise.hpp"

namespace pbm {

class ExerciseBoards final : public ForwardingBoards {
 public:
  static constexpr int kTries = 3;  // at a puzzle

  // Pre: `boards` outlives this. `directory` has lessons/GAME.yaml and puzzles/GAME.yaml; what was
  // done is kept in `memory`, which need not exist.
  ExerciseBoards(Boards& boards, std::filesystem::path directory, std::filesystem::path memory);

  // The puzzle of that day, days counted from 1970: "puzzle:toot-12"; of all games without one.
  // Refuses where there is none.
  Result<std::string> puzzle_of(std::int64_t day, const GameType* game = nullptr) const;

  // Of each of a game's puzzles a few words: "wins in 3, grade 1, solved".
  std::vector<std::string> puzzles_of(const GameType& game) const;

  // With a line for each lesson that was not done yet, or all while there is no board of one's
  // own, and one for the puzzle of today.
  std::vector<BoardSummary> list() override;
  // Beside other boards "lesson:toot" and "puzzle:toot-12"; "puzzle:", "puzzle:toot" and
  // "puzzle:toot-2026-11-22" are the puzzle of today or of that day, of all games or of one: an
  // easy one for who has solved few yet.
  Result<Board> open(const std::string& id) override;
  // There: a ply is judged. An empty one goes on behind an exercise that is done.
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;

  Result<Done> set_computer(Board& board, Seat seat, int level) override;

 private:
  // What an id means: "lesson:toot", or "puzzle:toot-12".
  struct Key {
    bool puzzle;
    const GameType* game;
    std::size_t number;  // of a puzzle, from 1
    std::string to_string() const;
  };
  // One that somebody has opened.
  struct Session {
    Key key;
    std::vector<Exercise> steps;  // a puzzle is one
    std::size_t step = 0;
    int tries = 0;
    bool done = false;                   // with this step: the ply stands on the board
    std::string told{};                  // what is said then
    std::vector<std::string> refuted{};  // the ply that was tried last, and what answers it
    std::optional<Match> match{};
  };

  Result<Key> key_of(const std::string& id) const;
  Result<Key> key_of_day(std::int64_t day, const GameType* game) const;
  std::filesystem::path file_of(bool puzzle, const GameType& game) const;
  // How many exercises its file has; 0 where there is none.
  std::size_t count(bool puzzle, const GameType& game) const;
  Result<Session> session_of(const Key& key) const;
  Board board_of(const Session& session) const;
  Result<Done> judge(Session& session, const std::string& ply);
  Result<Done> go_on(Session& session, Board& board);
  void solve(Session& session, const std::string& ply, const std::string& told);
  void remember(const Key& key);

  std::filesystem::path directory_, memory_;
  std::set<std::string> done_;               // the ids of what was done
  std::map<std::string, Session> sessions_;  // by id
};

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
