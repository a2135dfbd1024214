// SPDX-License-Identifier: MIT
#include "server/tables/queued_plies.hpp"

#include <algorithm>

namespace pbm {

std::optional<QueuedPly> QueuedPlies::find(const QueueKey& place) {
  const auto make = [](const Database::Rows& row) {
    return QueuedPly{row.text(0), row.get_optional<std::size_t>(1), row.size(2),
                     row.number(3) != 0};
  };
  return queued_.get(place.board + ' ' + place.user, [&] {
    return database_.query_first(
        make, "SELECT move, ply, entries, tree FROM queued WHERE board = ? AND userid = ?",
        place.board, place.user);
  });
}

void QueuedPlies::put(const QueueKey& place, const QueuedPly& q) {
  database_.run("REPLACE INTO queued VALUES (?, ?, ?, ?, ?, ?)", place.board, place.user, q.move,
                q.ply, q.entry_count, q.is_tree);
}

void QueuedPlies::drop(const QueueKey& place) {
  database_.run("DELETE FROM queued WHERE board = ? AND userid = ?", place.board, place.user);
}

std::vector<std::string> QueuedPlies::queued_boards() {
  return database_.query_texts("SELECT DISTINCT board FROM queued");
}

void QueuedPlies::mark_automatic(const std::string& board, std::size_t ply, Time at) {
  database_.run("INSERT OR IGNORE INTO automatic VALUES (?, ?, ?)", board, ply, at);
}

bool QueuedPlies::is_automatic(const std::string& board, std::size_t ply, Time at) {
  return database_.query_number("SELECT 1 FROM automatic WHERE board = ? AND ply = ? AND at = ?",
                                board, ply, at) != 0;
}

void QueuedPlies::submit(const QueueKey& place, const QueuedPly& queued) {
  std::erase_if(submitted_, [&](const auto& s) { return s.first == place; });
  const auto mine = [&](const auto& s) { return s.first.user == place.user; };
  if (std::ranges::count_if(submitted_, mine) >= static_cast<std::ptrdiff_t>(kMaxSubmitted))
    submitted_.erase(std::ranges::find_if(submitted_, mine));
  submitted_.emplace_back(place, queued);
}

const QueuedPly* QueuedPlies::find_submitted(const QueueKey& place) const {
  const auto found =
      std::ranges::find_if(submitted_, [&](const auto& s) { return s.first == place; });
  return found == submitted_.end() ? nullptr : &found->second;
}

}  // namespace pbm
