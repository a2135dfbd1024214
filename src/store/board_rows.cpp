// SPDX-License-Identifier: MIT
#include "store/board_rows.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

namespace {

std::optional<Seat> seat_in(const Database::Rows& row, int column, std::size_t seats) {
  const std::int64_t seat = row.number(column);
  if (row.null(column) || seat < 0 || seat >= static_cast<std::int64_t>(seats)) return std::nullopt;
  return static_cast<Seat>(seat);
}

bool among(const std::vector<Seat>& seats, std::size_t seat) {
  return std::ranges::count(seats, static_cast<Seat>(seat)) > 0;
}

bool answers(const BoardSummary& board, std::size_t seat) {
  return board.offer && among(board.offer->answering, seat);
}

// Returns when the game ended, or nothing while it runs.
std::optional<Time> ended(const BoardSummary& board) {
  return board.to_move ? std::nullopt : std::optional(board.changed);
}

}  // namespace

std::optional<BoardSummary> BoardRows::find(const BoardKey& key) {
  BoardSummary out;
  out.id = key.id();
  auto row = database_.ask(
      "SELECT broken, plies, entries, changed, challenger, options, to_move, winner, offer, "
      "offered_by, since, used, nag, forfeit, total FROM board WHERE board = ?",
      out.id);
  if (!row.next()) return std::nullopt;
  out.game = key.game;
  out.number = key.number;
  out.broken = row.text(0);
  out.entries = row.size(2);
  if (!out.broken.empty()) return out;
  std::vector<Seat> answering;
  for (auto seat =
           database_.ask("SELECT name, answers, unplayed, resigned FROM seat WHERE board = ? "
                         "ORDER BY seat",
                         out.id);
       seat.next();) {
    int column = 0;
    for (auto* some : {&answering, &out.seats.unplayed, &out.seats.resigned})
      if (seat.number(++column) != 0) some->push_back(static_cast<Seat>(out.names.size()));
    out.names.push_back(seat.text(0));
  }
  const std::size_t seats = out.names.size();
  out.plies = row.size(1);
  out.changed = row.time(3);
  out.challenger = row.text(4);
  out.options = words(row.text(5));
  out.to_move = seat_in(row, 6, seats);
  out.winner = seat_in(row, 7, seats);
  if (const auto by = seat_in(row, 9, seats))
    out.offer = BoardSummary::Offer{row.text(8) == "draw", *by, std::move(answering)};
  if (!row.null(10))
    out.running = RunningClock{{row.maybe<int>(12), row.maybe<int>(13), row.maybe<int>(14)},
                               row.time(10),
                               std::chrono::seconds(row.number(11))};
  return out;
}

bool BoardRows::has(const BoardKey& key) {
  return database_.number("SELECT 1 FROM board WHERE board = ?", key.id()) != 0;
}

void BoardRows::put(const BoardSummary& board, const FileVersion& version) {
  const TimeLimits limits = board.running ? board.running->limits : TimeLimits{};
  database_.run(
      "REPLACE INTO board (board, game, number, inode, size, stamp, challenger, options, nag, "
      "forfeit, total, broken, over, plies, entries, changed) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)",
      board.id, board.game->name, board.number, version.inode, version.size, version.changed,
      board.challenger, joined(board.options, 0, board.options.size()), limits.nag, limits.forfeit,
      limits.total, board.broken, ended(board));
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    database_.run("REPLACE INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)", board.id, seat,
                  board.names[seat], answers(board, seat), among(board.seats.unplayed, seat),
                  among(board.seats.resigned, seat), ended(board));
  update(board, board);
}

void BoardRows::update(const BoardSummary& before, const BoardSummary& board) {
  const auto of = [](const auto& from, auto value) {
    return from ? std::optional(value(*from)) : std::nullopt;
  };
  database_.run(
      "UPDATE board SET plies = ?, entries = ?, changed = ?, to_move = ?, winner = ?, offer = ?, "
      "offered_by = ?, since = ?, used = ? WHERE board = ?",
      board.plies, board.entries, board.changed, board.to_move, board.winner,
      of(board.offer, [](const auto& o) { return std::string_view(o.draw ? "draw" : "undo"); }),
      of(board.offer, [](const auto& o) { return o.by; }),
      of(board.running, [](const auto& c) { return c.since; }),
      of(board.running, [](const auto& c) { return c.used.count(); }), board.id);
  if (before.offer == board.offer && ended(before) == ended(board) &&
      before.seats.unplayed == board.seats.unplayed &&
      before.seats.resigned == board.seats.resigned)
    return;
  database_.run("UPDATE board SET over = ? WHERE board = ?", ended(board), board.id);
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    database_.run(
        "UPDATE seat SET answers = ?, unplayed = ?, resigned = ?, over = ? "
        "WHERE board = ? AND seat = ?",
        answers(board, seat), among(board.seats.unplayed, seat), among(board.seats.resigned, seat),
        ended(board), board.id, seat);
}

void BoardRows::give_out(const BoardKey& key) {
  database_.run(
      "INSERT INTO setting VALUES ('last ' || ?, ?) "
      "ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
      key.game->name, key.number);
}

void BoardRows::erase(const BoardKey& key) {
  const std::string id = key.id();
  if (database_.number("SELECT EXISTS (SELECT 1 FROM queued WHERE board = ?1) OR "
                       "EXISTS (SELECT 1 FROM subscription WHERE board = ?1)",
                       id) != 0)
    give_out(key);
  database_.run("DELETE FROM board WHERE board = ?", id);
  database_.run("DELETE FROM queued WHERE board = ?", id);
  database_.run("DELETE FROM automatic WHERE board = ?", id);
  database_.run("DELETE FROM subscription WHERE board = ?", id);
}

int BoardRows::last_number(const GameType& game) {
  return static_cast<int>(database_.number(
      "SELECT max((SELECT ifnull(max(value), 0) FROM setting WHERE name = 'last ' || ?1), "
      "(SELECT ifnull(max(board), 0) FROM finished WHERE game = ?1))",
      game.name));
}

void BoardRows::set_version(const BoardKey& key, const FileVersion& version) {
  database_.run("UPDATE board SET inode = ?, size = ?, stamp = ? WHERE board = ?", version.inode,
                version.size, version.changed, key.id());
}

std::map<BoardKey, FileVersion> BoardRows::versions() {
  std::map<BoardKey, FileVersion> out;
  for (auto row = database_.ask("SELECT board, inode * (broken = ''), size, stamp FROM board");
       row.next();)
    if (const auto key = read_board_id(row.text(0)))
      out[*key] = {static_cast<std::uint64_t>(row.number(1)),
                   static_cast<std::uint64_t>(row.number(2)), row.number(3)};
  return out;
}

std::vector<BoardKey> BoardRows::keys(Database::Rows rows) {
  std::vector<BoardKey> out;
  while (rows.next())
    if (const auto key = read_board_id(rows.text(0))) out.push_back(*key);
  return out;
}

// Asks for finished and for running boards separately, so that each query uses an index.
std::vector<BoardKey> BoardRows::both(Of which, const char* over, const char* running,
                                      std::string_view of) {
  std::vector<BoardKey> out;
  if (which != Of::running) out = keys(database_.ask(over, of));
  if (which != Of::over)
    for (const BoardKey& key : keys(database_.ask(running, of))) out.push_back(key);
  std::ranges::sort(out);
  return out;
}

std::vector<BoardKey> BoardRows::of(const GameType& game, Of which) {
  return both(which, "SELECT board FROM board WHERE game = ? AND over IS NOT NULL",
              "SELECT board FROM board WHERE game = ? AND over IS NULL", game.name);
}

std::vector<BoardKey> BoardRows::of(std::string_view name, Of which) {
  return both(which, "SELECT DISTINCT board FROM seat WHERE name = ? AND over IS NOT NULL",
              "SELECT DISTINCT board FROM seat WHERE name = ? AND over IS NULL", name);
}

std::vector<BoardKey> BoardRows::over_for(const std::string& userid, std::size_t skip,
                                          std::size_t most) {
  return keys(database_.ask(
      "SELECT board, over FROM seat WHERE name = ?1 AND over IS NOT NULL UNION "
      "SELECT board, over FROM board JOIN subscription USING (board) "
      "WHERE userid = ?1 AND over IS NOT NULL ORDER BY over DESC, board LIMIT ?2 OFFSET ?3",
      userid, most, skip));
}

std::size_t BoardRows::count_over_for(const std::string& userid) {
  return database_.count(
      "SELECT count(*) FROM (SELECT board FROM seat WHERE name = ?1 AND over IS NOT NULL UNION "
      "SELECT board FROM board JOIN subscription USING (board) "
      "WHERE userid = ?1 AND over IS NOT NULL)",
      userid);
}

std::vector<BoardKey> BoardRows::latest_running(std::size_t skip, std::size_t most) {
  return keys(database_.ask(
      "SELECT board FROM board WHERE over IS NULL ORDER BY changed DESC, board LIMIT ? OFFSET ?",
      most, skip));
}

std::vector<BoardKey> BoardRows::with_clock() {
  return keys(database_.ask("SELECT board FROM board WHERE over IS NULL AND since IS NOT NULL"));
}

std::size_t BoardRows::count(Of which) {
  return which == Of::running ? database_.count("SELECT count(*) FROM board WHERE over IS NULL")
         : which == Of::over  ? database_.count("SELECT count(*) FROM board WHERE over IS NOT NULL")
                              : database_.count("SELECT count(*) FROM board");
}

std::map<std::string, std::size_t> BoardRows::running_by_name() {
  std::map<std::string, std::size_t> out;
  for (auto row = database_.ask("SELECT name, count(*) FROM seat WHERE over IS NULL GROUP BY name");
       row.next();)
    out[row.text(0)] = row.size(1);
  return out;
}

bool BoardRows::knows(std::string_view name) {
  return database_.number(
             "SELECT EXISTS (SELECT 1 FROM seat WHERE name = ?1 AND over IS NULL) OR "
             "EXISTS (SELECT 1 FROM seat WHERE name = ?1 AND over IS NOT NULL)",
             name) != 0;
}

std::vector<std::string> BoardRows::broken() {
  return database_.texts("SELECT broken FROM board WHERE broken <> '' ORDER BY game, number");
}

}  // namespace pbm
