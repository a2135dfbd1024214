// SPDX-License-Identifier: MIT
#include "server/tables/seeks.hpp"

#include "base/text.hpp"

namespace pbm {
namespace {

// The challenge has no game if this program does not know it.
Seek read_seek(const Database::Rows& row) {
  Seek seek{row.size(0), row.text(1), find_game(row.text(2)), split_words(row.text(4))};
  seek.created_at = row.time(3);
  seek.is_pair = row.number(5) != 0;
  return seek;
}

}  // namespace

std::vector<Seek> Seeks::find_open(Time now) {
  auto out = database_.query_all(
      read_seek,
      "SELECT number, userid, game, at, options, pair FROM seek WHERE at > ? ORDER BY number",
      now - kLifetime);
  std::erase_if(out, [](const Seek& seek) { return !seek.game; });
  return out;
}

std::optional<Seek> Seeks::find(std::size_t number, Time now) {
  for (Seek& seek : find_open(now))
    if (seek.number == number) return std::move(seek);
  return std::nullopt;
}

std::size_t Seeks::count_by_source(const std::string& asker, Time now) {
  return database_.query_count("SELECT count(*) FROM seek WHERE asker = ? AND at > ?", asker,
                               now - kLifetime);
}

std::size_t Seeks::add(const Seek& seek, const std::string& asker) {
  database_.run("DELETE FROM seek WHERE at <= ?", seek.created_at - kLifetime);
  database_.run(
      "INSERT INTO seek (userid, game, at, options, pair, asker) VALUES (?, ?, ?, ?, ?, ?)",
      seek.userid, seek.game->name, seek.created_at, join(seek.options), seek.is_pair, asker);
  return static_cast<std::size_t>(database_.last_inserted_row());
}

void Seeks::drop(std::size_t number) { database_.run("DELETE FROM seek WHERE number = ?", number); }

}  // namespace pbm
