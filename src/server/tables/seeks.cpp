// SPDX-License-Identifier: MIT
#include "server/tables/seeks.hpp"

#include "base/text.hpp"

namespace pbm {

namespace {

// The challenge has no game if this program does not know it.
Seek seek_in(const Database::Rows& row) {
  Seek seek{row.size(0), row.text(1), find_game(row.text(2)), words(row.text(4)), std::nullopt};
  seek.since = row.time(3);
  if (!row.null(5)) seek.range = {static_cast<int>(row.number(5)), static_cast<int>(row.number(6))};
  seek.pair = row.number(7) != 0;
  return seek;
}

}  // namespace

std::vector<Seek> Seeks::open(Time now) {
  auto out = database_.all(seek_in, "SELECT * FROM seek WHERE at > ? ORDER BY number", now - kKept);
  std::erase_if(out, [](const Seek& seek) { return !seek.game; });
  return out;
}

std::optional<Seek> Seeks::find(std::size_t number, Time now) {
  for (Seek& seek : open(now))
    if (seek.number == number) return std::move(seek);
  return std::nullopt;
}

std::size_t Seeks::count_from(const std::string& asker, Time now) {
  return database_.count("SELECT count(*) FROM seek WHERE asker = ? AND at > ?", asker,
                         now - kKept);
}

std::size_t Seeks::add(const Seek& seek, const std::string& asker) {
  database_.run("DELETE FROM seek WHERE at <= ?", seek.since - kKept);
  const auto rating = [&](int RatingRange::*which) {
    return seek.range ? std::optional((*seek.range).*which) : std::nullopt;
  };
  database_.run(
      "INSERT INTO seek (userid, game, at, options, low, high, pair, asker) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      seek.userid, seek.game->name, seek.since, joined(seek.options, 0, seek.options.size()),
      rating(&RatingRange::low), rating(&RatingRange::high), seek.pair, asker);
  return static_cast<std::size_t>(database_.last_row());
}

void Seeks::drop(std::size_t number) { database_.run("DELETE FROM seek WHERE number = ?", number); }

}  // namespace pbm
