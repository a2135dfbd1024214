// SPDX-License-Identifier: MIT
// Summaries of all boards of a server, readable without opening saves: the database tables `board`
// and `seat`, and the queries of lists. A query about a player takes time for that player's boards
// only. Leaves files to board_store.hpp.
#pragma once

#include <cstdint>
#include <map>

#include "protocol/board_summary.hpp"
#include "store/database.hpp"

namespace pbm {

// Identifies the content of a file from which a row was made.
struct FileVersion {
  std::uint64_t inode = 0, size = 0;
  std::int64_t modified_ns = 0;  // time of the last change, in nanoseconds
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

class BoardRows {
 public:
  // Pre: the database has the tables `board` and `seat`.
  explicit BoardRows(Database& database) : database_(database) {}

  std::optional<BoardSummary> find(const BoardKey& key);
  bool has(const BoardKey& key) {
    return database_.query_number("SELECT 1 FROM board WHERE board = ?", key.id()) != 0;
  }
  // Adds or replaces a board.
  void insert(const BoardSummary& board, const FileVersion& version);
  // Writes what a ply or an offer changes from `before` to `board`. Returns false, and writes
  // nothing, if that is no more than the turn and the numbers that write_state() writes. Pre: the
  // board has a row.
  bool update(const BoardSummary& before, const BoardSummary& board);
  // Writes the state of a board, without its seats, and the version of its file, if it is known.
  void write_state(const BoardSummary& board, const std::optional<FileVersion>& version);
  // Removes a board. If a player subscribed to it or queued a ply there, reserves its number.
  // Settings for notifications stay, since players are still notified that it is gone.
  void erase(const BoardKey& key);
  // Reserves the number for this board for ever.
  void reserve_number(const BoardKey& key);
  // Returns the highest reserved number or number of a finished game; 0 if there is none.
  int highest_number(const GameType& game);
  // Returns the file version of each board. The version of an unreadable save matches no file,
  // since another version of this program may be able to read it.
  std::map<BoardKey, FileVersion> file_versions();

  enum class BoardState : std::uint8_t { running, finished, all };
  // Return boards by number: those of a game, or those with a seat of this name, in any case.
  // The saves of finished boards keep the earlier names of a player who was renamed.
  std::vector<BoardKey> find_boards(const GameType& game, BoardState which = BoardState::running);
  std::vector<BoardKey> find_boards(std::string_view name, BoardState which = BoardState::running);
  // Returns finished boards on which `userid` has a seat or to which they subscribed, the latest
  // first: at most `most`, after the first `skip`. count_finished() returns the number of all.
  std::vector<BoardKey> find_finished(const std::string& userid, std::size_t skip,
                                      std::size_t most);
  std::size_t count_finished(const std::string& userid);
  // Returns running boards, the latest change first.
  std::vector<BoardKey> find_running(std::size_t skip, std::size_t most);
  // Returns running boards that have a time limit.
  std::vector<BoardKey> find_timed();
  std::size_t count(BoardState which);
  // Returns the number of running boards of each player, by their names in the saves.
  std::map<std::string, std::size_t> count_running_by_name();
  // True if a seat of any board has that name.
  bool has_player(std::string_view name);
  // Returns a sentence for each unreadable board.
  std::vector<std::string> load_errors();

 private:
  std::vector<BoardKey> read_keys(Database::Rows rows);
  std::vector<BoardKey> find_by_state(BoardState which, const char* over, const char* running,
                                      std::string_view of);

  Database& database_;
};

}  // namespace pbm
