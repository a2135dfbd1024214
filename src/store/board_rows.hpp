// SPDX-License-Identifier: MIT
// What is known of each board of a server without opening it: the tables `board` and `seat` of its
// database, and what lists ask of them. What is asked of a player costs as much as he has boards,
// whatever is others'. Leaves files to board_store.hpp.
#pragma once

#include <cstdint>
#include <map>

#include "protocol/board_summary.hpp"
#include "store/database.hpp"

namespace pbm {

// Which file a row was made of.
struct FileVersion {
  std::uint64_t inode = 0, size = 0;
  std::int64_t changed = 0;  // nanoseconds
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

class BoardRows {
 public:
  // Pre: the database has the tables.
  explicit BoardRows(Database& database) : database_(database) {}

  std::optional<BoardSummary> find(const BoardKey& key);
  bool has(const BoardKey& key);
  // Puts a board in, or in the place of what it was.
  void put(const BoardSummary& board, const FileVersion& version);
  // What a ply or an offer has changed, from `before` on. Pre: it is there.
  void update(const BoardSummary& before, const BoardSummary& board);
  // Its number is remembered where somebody watched it or has queued a ply. What somebody wants to
  // be told of it stays: he is still to hear, or not, that it is gone.
  void erase(const BoardKey& key);
  // No other board gets that number, whatever becomes of this one.
  void give_out(const BoardKey& key);
  // The highest number that is remembered, or has a game that ended; 0 for none.
  int last_number(const GameType& game);
  // Says that its file is another version now, which says the same.
  void set_version(const BoardKey& key, const FileVersion& version);
  // None of a save that could not be read: another version of this program may read it.
  std::map<BoardKey, FileVersion> versions();

  enum class Of : std::uint8_t { running, over, all };
  // The boards of a game, or those on which somebody has a seat, his name in any case; by number.
  std::vector<BoardKey> of(const GameType& game, Of which = Of::running);
  std::vector<BoardKey> of(std::string_view name, Of which = Of::running);
  // Of those that are over on which `userid` has a seat or to which he has subscribed, the latest
  // first: all but `skip`, as many as `most`. And how many they are.
  std::vector<BoardKey> over_for(const std::string& userid, std::size_t skip, std::size_t most);
  std::size_t count_over_for(const std::string& userid);
  // Of all that run, the latest first.
  std::vector<BoardKey> latest_running(std::size_t skip, std::size_t most);
  // Those that run with a limit of time.
  std::vector<BoardKey> with_clock();
  std::size_t count(Of which);
  // How many that run somebody has, by names as they are in the saves.
  std::map<std::string, std::size_t> running_by_name();
  // Whether a seat of any board has that name.
  bool knows(std::string_view name);
  // Why those cannot be read that cannot, a sentence each.
  std::vector<std::string> broken();

 private:
  std::vector<BoardKey> keys(Database::Rows rows);
  std::vector<BoardKey> both(Of which, const char* over, const char* running, std::string_view of);

  Database& database_;
};

}  // namespace pbm
