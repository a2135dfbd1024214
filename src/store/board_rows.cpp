// SPDX-License-Identifier: MIT
// The summaries of boards in the database, which spare the server the reading of all saves when it
// starts. What one says of a save that has changed while no server ran does not count.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "store/board_store.hpp"

namespace pbm {

namespace {

std::optional<Seat> seat_in(const Database::Rows& row, int column, std::size_t seats) {
  const std::int64_t seat = row.number(column);
  if (row.null(column) || seat < 0 || seat >= static_cast<std::int64_t>(seats)) return std::nullopt;
  return static_cast<Seat>(seat);
}

std::optional<int> days_in(const Database::Rows& row, int column) {
  return row.null(column) ? std::nullopt : std::optional(static_cast<int>(row.number(column)));
}

}  // namespace

void BoardStore::read_rows() {
  auto seats = database_.ask("SELECT board, name, answers FROM seat ORDER BY board, seat");
  bool more = seats.next();
  for (auto row = database_.ask(
           "SELECT board, inode, size, stamp, plies, entries, changed, challenger, options, "
           "to_move, winner, offer, offered_by, since, used, nag, forfeit, total FROM board "
           "ORDER BY board");
       row.next();) {
    StoredBoard info;
    std::vector<std::string> names;
    std::vector<Seat> answering;
    const std::string id = row.text(0);
    for (; more && seats.text(0) <= id; more = seats.next()) {
      if (seats.number(2) != 0) answering.push_back(static_cast<Seat>(names.size()));
      names.push_back(seats.text(1));
    }
    const auto key = read_board_id(id);
    if (!key || names.size() < 2) continue;
    info.id = id;
    info.game = key->game;
    info.key = *key;
    info.stamp = {static_cast<std::uint64_t>(row.number(1)),
                  static_cast<std::uint64_t>(row.number(2)), row.number(3)};
    info.plies = row.size(4);
    info.entries = row.size(5);
    info.changed = row.time(6);
    info.challenger = row.text(7);
    info.options = words(row.text(8));
    info.to_move = seat_in(row, 9, names.size());
    info.winner = seat_in(row, 10, names.size());
    if (const auto by = seat_in(row, 12, names.size()))
      info.offer = BoardSummary::Offer{row.text(11) == "draw", *by, answering};
    if (!row.null(13))
      info.running = std::make_shared<const RunningClock>(
          RunningClock{{days_in(row, 15), days_in(row, 16), days_in(row, 17)},
                       row.time(13),
                       std::chrono::seconds(row.number(14))});
    info.names = std::move(names);
    table_.put(std::move(info));
  }
}

namespace {

bool answers(const StoredBoard& info, std::size_t seat) {
  return info.offer && std::count(info.offer->answering.begin(), info.offer->answering.end(),
                                  static_cast<Seat>(seat)) > 0;
}

}  // namespace

void BoardStore::save_row(const StoredBoard& info) {
  const TimeLimits limits = info.running ? info.running->limits : TimeLimits{};
  const std::string id = info.key.id();
  database_.run(
      "REPLACE INTO board (board, inode, size, stamp, plies, entries, changed, challenger, "
      "options, "
      "nag, forfeit, total) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id, info.stamp.inode, info.stamp.size, info.stamp.changed, info.plies, info.entries,
      info.changed, info.challenger.get(), joined(info.options, 0, info.options.size()), limits.nag,
      limits.forfeit, limits.total);
  for (std::size_t seat = 0; seat < info.names.size(); ++seat)
    database_.run("REPLACE INTO seat VALUES (?, ?, ?, ?)", id, seat, info.names[seat],
                  answers(info, seat));
  update_row(info, false);
}

// What a ply or an offer changes.
void BoardStore::update_row(const StoredBoard& info, bool with_seats) {
  const auto of = [](const auto* from, auto value) {
    return from ? std::optional(value(*from)) : std::nullopt;
  };
  const auto* offer = info.offer ? &*info.offer : nullptr;
  const RunningClock* clock = info.running.get();
  const std::string id = info.key.id();
  database_.run(
      "UPDATE board SET plies = ?, entries = ?, changed = ?, to_move = ?, winner = ?, offer = ?, "
      "offered_by = ?, since = ?, used = ? WHERE board = ?",
      info.plies, info.entries, info.changed, info.to_move, info.winner,
      of(offer, [](const auto& o) { return std::string_view(o.draw ? "draw" : "undo"); }),
      of(offer, [](const auto& o) { return o.by; }),
      of(clock, [](const auto& c) { return c.since; }),
      of(clock, [](const auto& c) { return c.used.count(); }), id);
  if (!with_seats) return;
  for (std::size_t seat = 0; seat < info.names.size(); ++seat)
    database_.run("UPDATE seat SET answers = ? WHERE board = ? AND seat = ?", answers(info, seat),
                  id, seat);
}

}  // namespace pbm
