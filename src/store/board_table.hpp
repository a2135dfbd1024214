// SPDX-License-Identifier: MIT
// What is known of each board of a server without opening it, by number and by who plays. What is
// asked of a player costs as much as he has boards, whatever is over or others'. Leaves files to
// board_store.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>

#include "protocol/board_summary.hpp"

namespace pbm {

// Which file a summary was made of.
struct FileVersion {
  std::uint64_t inode = 0, size = 0;
  std::int64_t changed = 0;  // nanoseconds
  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};

// A board as lists show it, and what else is known of it without opening it.
struct StoredBoard : BoardState {
  BoardKey key;
  Interned<std::string> challenger;  // who began it here, if that is known
  FileVersion stamp;
  std::shared_ptr<const RunningClock> running;  // while it runs, with a limit: most do not

  // Whether a ply or an answer is waited for.
  bool open() const { return to_move || offer; }
  // Whether it runs, and not everybody has played on it yet.
  bool unplayed() const { return to_move && plies < names.size(); }
  // The seat of that name in any case. Refuses nobody and, as it would be anybody's guess who is
  // meant, a name that several seats have.
  Result<Seat> seat_of(std::string_view name) const;
};

class BoardTable {
 public:
  using ByNumber = std::map<int, StoredBoard>;
  struct ByKey {
    bool operator()(const StoredBoard* a, const StoredBoard* b) const { return a->key < b->key; }
  };
  using Boards = std::set<const StoredBoard*, ByKey>;

  BoardTable();

  const ByNumber& of(const GameType& game) const { return boards_.at(&game); }
  const StoredBoard* find(const BoardKey& key) const;
  // Puts a board in, or in the place of what it was.
  void put(StoredBoard board);
  void erase(const BoardKey& key);
  // Says that its file is another version now, which says the same. Pre: it is there.
  void set_stamp(const BoardKey& key, const FileVersion& stamp);

  // What follows is good until the next put() or erase().

  // Those open() of a game, or of somebody, whose name is in any case.
  const Boards& open_of(const GameType& game) const { return open_.at(&game); }
  const Boards& open_of(std::string_view name) const;
  // The others of somebody, those that changed last at the end.
  std::span<const StoredBoard* const> closed_of(std::string_view name) const;
  // Whether a seat of any board has that name.
  bool knows(std::string_view name) const;

 private:
  struct Player {
    Boards open;
    // By when they changed: put in order when somebody asks, as a start puts them in by number.
    mutable std::vector<const StoredBoard*> closed;
    mutable bool in_order = true;
  };
  void enter(const StoredBoard& board);
  void leave(const StoredBoard& board);

  std::map<const GameType*, ByNumber> boards_;
  std::map<const GameType*, Boards> open_;
  std::map<std::string, Player, std::less<>> players_;  // by names in small letters
};

}  // namespace pbm
