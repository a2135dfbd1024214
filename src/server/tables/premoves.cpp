// SPDX-License-Identifier: MIT
#include "server/tables/premoves.hpp"

#include <algorithm>

namespace pbm {

std::optional<Queued> Premoves::find(const Place& place) {
  const auto make = [](const Database::Rows& row) {
    return Queued{row.text(0), row.maybe<std::size_t>(1), row.size(2), row.number(3) != 0};
  };
  return queued_.get(place.board + ' ' + place.user, [&] {
    return database_.first(
        make, "SELECT move, ply, entries, tree FROM queued WHERE board = ? AND userid = ?",
        place.board, place.user);
  });
}

void Premoves::put(const Place& place, const Queued& q) {
  database_.run("REPLACE INTO queued VALUES (?, ?, ?, ?, ?, ?)", place.board, place.user, q.move,
                q.ply, q.entries, q.tree);
}

void Premoves::drop(const Place& place) {
  database_.run("DELETE FROM queued WHERE board = ? AND userid = ?", place.board, place.user);
}

std::vector<std::string> Premoves::boards() {
  return database_.texts("SELECT DISTINCT board FROM queued");
}

void Premoves::mark_auto(const std::string& board, std::size_t ply, Time at) {
  database_.run("INSERT OR IGNORE INTO automatic VALUES (?, ?, ?)", board, ply, at);
}

bool Premoves::is_auto(const std::string& board, std::size_t ply, Time at) {
  return database_.number("SELECT 1 FROM automatic WHERE board = ? AND ply = ? AND at = ?", board,
                          ply, at) != 0;
}

void Premoves::submit(const Place& place, const Queued& queued) {
  std::erase_if(submitted_, [&](const auto& s) { return s.first == place; });
  const auto mine = [&](const auto& s) { return s.first.user == place.user; };
  if (std::ranges::count_if(submitted_, mine) >= static_cast<std::ptrdiff_t>(kMaxSubmitted))
    submitted_.erase(std::ranges::find_if(submitted_, mine));
  submitted_.emplace_back(place, queued);
}

const Queued* Premoves::submitted(const Place& place) const {
  const auto found =
      std::ranges::find_if(submitted_, [&](const auto& s) { return s.first == place; });
  return found == submitted_.end() ? nullptr : &found->second;
}

}  // namespace pbm
