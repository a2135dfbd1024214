// SPDX-License-Identifier: MIT
#include "store/board_table.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

namespace {

// Each name once.
std::set<std::string> players_of(const StoredBoard& board) {
  std::set<std::string> out;
  for (const std::string& name : board.names) out.insert(lower(name));
  return out;
}

bool earlier(const StoredBoard* a, const StoredBoard* b) {
  return std::pair(a->changed, a->key) < std::pair(b->changed, b->key);
}

// Whether both stand in the same places of the table.
bool same_places(const StoredBoard& a, const StoredBoard& b) {
  return a.open() == b.open() && (a.open() || a.changed == b.changed) && a.names == b.names;
}

}  // namespace

Result<Seat> StoredBoard::seat_of(std::string_view name) const {
  std::optional<Seat> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_ignoring_case(names[i], names[j]))
        return Refusal{"Two seats of " + key.to_string() + " are called " + shown_name(names[i]) +
                       ": such a board can be looked at, not played here."};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (same_ignoring_case(names[i], name)) found = static_cast<Seat>(i);
  if (found) return *found;
  std::vector<std::string> players;
  for (const std::string& n : names) players.push_back(shown_name(n));
  return Refusal{std::string(name) + " does not play on " + key.to_string() + ": " +
                 all_of(players) + " do."};
}

BoardTable::BoardTable() {
  for (const GameType& game : all_games()) {
    boards_[&game];
    open_[&game];
  }
}

const StoredBoard* BoardTable::find(const BoardKey& key) const {
  const ByNumber& boards = boards_.at(key.game);
  const auto found = boards.find(key.number);
  return found == boards.end() ? nullptr : &found->second;
}

void BoardTable::put(StoredBoard board) {
  StoredBoard& there = boards_[board.key.game][board.key.number];
  const bool known = there.key.game != nullptr;
  if (known && same_places(there, board)) {
    there = std::move(board);
    return;
  }
  if (known) leave(there);
  there = std::move(board);
  enter(there);
}

void BoardTable::erase(const BoardKey& key) {
  ByNumber& boards = boards_[key.game];
  const auto found = boards.find(key.number);
  if (found == boards.end()) return;
  leave(found->second);
  boards.erase(found);
}

void BoardTable::set_stamp(const BoardKey& key, const FileVersion& stamp) {
  boards_[key.game].at(key.number).stamp = stamp;
}

void BoardTable::enter(const StoredBoard& board) {
  if (board.open()) open_[board.key.game].insert(&board);
  for (const std::string& name : players_of(board)) {
    Player& player = players_[name];
    if (board.open()) {
      player.open.insert(&board);
      continue;
    }
    player.in_order =
        player.closed.empty() || (player.in_order && earlier(player.closed.back(), &board));
    player.closed.push_back(&board);
  }
}

void BoardTable::leave(const StoredBoard& board) {
  open_[board.key.game].erase(&board);
  for (const std::string& name : players_of(board)) {
    const auto player = players_.find(name);
    player->second.open.erase(&board);
    std::erase(player->second.closed, &board);
    if (player->second.open.empty() && player->second.closed.empty()) players_.erase(player);
  }
}

const BoardTable::Boards& BoardTable::open_of(std::string_view name) const {
  static const Boards none;
  const auto player = players_.find(lower(name));
  return player == players_.end() ? none : player->second.open;
}

std::span<const StoredBoard* const> BoardTable::closed_of(std::string_view name) const {
  const auto player = players_.find(lower(name));
  if (player == players_.end()) return {};
  const Player& p = player->second;
  if (!p.in_order) std::sort(p.closed.begin(), p.closed.end(), earlier);
  p.in_order = true;
  return p.closed;
}

bool BoardTable::knows(std::string_view name) const { return players_.count(lower(name)) > 0; }

}  // namespace pbm
