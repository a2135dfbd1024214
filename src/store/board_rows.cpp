// SPDX-License-Identifier: MIT
#include "store/board_rows.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

std::optional<Seat> read_seat(const Database::Rows& row, int column, std::size_t seats) {
  const std::int64_t seat = row.number(column);
  if (row.is_null(column) || seat < 0 || seat >= static_cast<std::int64_t>(seats))
    return std::nullopt;
  return static_cast<Seat>(seat);
}

bool contains_seat(const std::vector<Seat>& seats, std::size_t seat) {
  return std::ranges::count(seats, static_cast<Seat>(seat)) > 0;
}

bool must_answer(const BoardSummary& board, std::size_t seat) {
  return board.offer && contains_seat(board.offer->pending_seats, seat);
}

// Returns when the game ended, or nothing while it runs.
std::optional<Time> end_time(const BoardSummary& board) {
  return board.to_move ? std::nullopt : std::optional(board.last_change);
}

}  // namespace

std::optional<BoardSummary> BoardRows::find(const BoardKey& key) {
  BoardSummary out;
  out.id = key.id();
  auto row = database_.query(
      "SELECT broken, plies, entries, changed, challenger, options, to_move, winner, offer, "
      "offered_by, since, used, nag, forfeit, total FROM board WHERE board = ?",
      out.id);
  if (!row.next()) return std::nullopt;
  out.game = key.game;
  out.number = key.number;
  out.load_error = row.text(0);
  out.entry_count = row.size(2);
  if (!out.load_error.empty()) return out;
  std::vector<Seat> answering;
  for (auto seat =
           database_.query("SELECT name, answers, unplayed, resigned FROM seat WHERE board = ? "
                           "ORDER BY seat",
                           out.id);
       seat.next();) {
    int column = 0;
    for (auto* some : {&answering, &out.seats.unplayed, &out.seats.resigned})
      if (seat.number(++column) != 0) some->push_back(static_cast<Seat>(out.names.size()));
    out.names.push_back(seat.text(0));
  }
  const std::size_t seats = out.names.size();
  out.ply_count = row.size(1);
  out.last_change = row.time(3);
  out.challenger = row.text(4);
  out.options = split_words(row.text(5));
  out.to_move = read_seat(row, 6, seats);
  out.winner = read_seat(row, 7, seats);
  if (const auto by = read_seat(row, 9, seats))
    out.offer = BoardSummary::Offer{row.text(8) == "draw", *by, std::move(answering)};
  if (!row.is_null(10))
    out.running_clock = RunningClock{
        {row.get_optional<int>(12), row.get_optional<int>(13), row.get_optional<int>(14)},
        row.time(10),
        std::chrono::seconds(row.number(11))};
  return out;
}

void BoardRows::insert(const BoardSummary& board, const FileVersion& version) {
  const TimeLimits limits = board.running_clock ? board.running_clock->limits : TimeLimits{};
  database_.run(
      "REPLACE INTO board (board, game, number, inode, size, stamp, challenger, options, nag, "
      "forfeit, total, broken, over, plies, entries, changed) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)",
      board.id, board.game->name, board.number, version.inode, version.size, version.modified_ns,
      board.challenger, join(board.options), limits.reminder_days, limits.forfeit_days,
      limits.total_days, board.load_error, end_time(board));
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    database_.run("REPLACE INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)", board.id, seat,
                  board.names[seat], must_answer(board, seat),
                  contains_seat(board.seats.unplayed, seat),
                  contains_seat(board.seats.resigned, seat), end_time(board));
  write_state(board, version);
}

void BoardRows::write_state(const BoardSummary& board, const std::optional<FileVersion>& version) {
  const auto of = [](const auto& from, auto value) {
    return from ? std::optional(value(*from)) : std::nullopt;
  };
  database_.run(
      "UPDATE board SET plies = ?, entries = ?, changed = ?, to_move = ?, winner = ?, offer = ?, "
      "offered_by = ?, since = ?, used = ?, over = ?, inode = ifnull(?, inode), "
      "size = ifnull(?, size), stamp = ifnull(?, stamp) WHERE board = ?",
      board.ply_count, board.entry_count, board.last_change, board.to_move, board.winner,
      of(board.offer, [](const auto& o) { return std::string_view(o.is_draw ? "draw" : "undo"); }),
      of(board.offer, [](const auto& o) { return o.seat; }),
      of(board.running_clock, [](const auto& c) { return c.turn_start; }),
      of(board.running_clock, [](const auto& c) { return c.used_time.count(); }), end_time(board),
      of(version, [](const auto& v) { return v.inode; }),
      of(version, [](const auto& v) { return v.size; }),
      of(version, [](const auto& v) { return v.modified_ns; }), board.id);
}

bool BoardRows::update(const BoardSummary& before, const BoardSummary& board) {
  if (before.offer == board.offer && end_time(before) == end_time(board) &&
      before.seats.unplayed == board.seats.unplayed &&
      before.seats.resigned == board.seats.resigned)
    return false;
  write_state(board, std::nullopt);
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    database_.run(
        "UPDATE seat SET answers = ?, unplayed = ?, resigned = ?, over = ? "
        "WHERE board = ? AND seat = ?",
        must_answer(board, seat), contains_seat(board.seats.unplayed, seat),
        contains_seat(board.seats.resigned, seat), end_time(board), board.id, seat);
  return true;
}

void BoardRows::reserve_number(const BoardKey& key) {
  database_.run(
      "INSERT INTO setting VALUES ('last ' || ?, ?) "
      "ON CONFLICT DO UPDATE SET value = max(value, excluded.value)",
      key.game->name, key.number);
}

void BoardRows::erase(const BoardKey& key) {
  const std::string id = key.id();
  if (database_.query_number("SELECT EXISTS (SELECT 1 FROM queued WHERE board = ?1) OR "
                             "EXISTS (SELECT 1 FROM subscription WHERE board = ?1)",
                             id) != 0)
    reserve_number(key);
  database_.run("DELETE FROM board WHERE board = ?", id);
  database_.run("DELETE FROM queued WHERE board = ?", id);
  database_.run("DELETE FROM automatic WHERE board = ?", id);
  database_.run("DELETE FROM subscription WHERE board = ?", id);
}

int BoardRows::highest_number(const GameType& game) {
  return static_cast<int>(database_.query_number(
      "SELECT max((SELECT ifnull(max(value), 0) FROM setting WHERE name = 'last ' || ?1), "
      "(SELECT ifnull(max(board), 0) FROM finished WHERE game = ?1))",
      game.name));
}

std::map<BoardKey, FileVersion> BoardRows::file_versions() {
  std::map<BoardKey, FileVersion> out;
  for (auto row = database_.query("SELECT board, inode * (broken = ''), size, stamp FROM board");
       row.next();)
    if (const auto key = read_board_id(row.text(0)))
      out[*key] = {static_cast<std::uint64_t>(row.number(1)),
                   static_cast<std::uint64_t>(row.number(2)), row.number(3)};
  return out;
}

std::vector<BoardKey> BoardRows::read_keys(Database::Rows rows) {
  std::vector<BoardKey> out;
  while (rows.next())
    if (const auto key = read_board_id(rows.text(0))) out.push_back(*key);
  return out;
}

// Asks for finished and for running boards separately, so that each query uses an index.
std::vector<BoardKey> BoardRows::find_by_state(BoardState which, const char* over,
                                               const char* running, std::string_view of) {
  std::vector<BoardKey> out;
  if (which != BoardState::running) out = read_keys(database_.query(over, of));
  if (which != BoardState::finished)
    for (const BoardKey& key : read_keys(database_.query(running, of))) out.push_back(key);
  std::ranges::sort(out);
  return out;
}

std::vector<BoardKey> BoardRows::find_boards(const GameType& game, BoardState which) {
  return find_by_state(which, "SELECT board FROM board WHERE game = ? AND over IS NOT NULL",
                       "SELECT board FROM board WHERE game = ? AND over IS NULL", game.name);
}

std::vector<BoardKey> BoardRows::find_boards(std::string_view name, BoardState which) {
  return find_by_state(which,
                       "SELECT DISTINCT board FROM seat WHERE over IS NOT NULL AND name IN (SELECT "
                       "?1 UNION ALL SELECT userid FROM account WHERE renamed = lower(?1))",
                       "SELECT DISTINCT board FROM seat WHERE name = ? AND over IS NULL", name);
}

std::vector<BoardKey> BoardRows::find_finished(const std::string& userid, std::size_t skip,
                                               std::size_t most) {
  return read_keys(database_.query(
      "SELECT board, over FROM seat WHERE over IS NOT NULL AND name IN (SELECT ?1 UNION ALL "
      "SELECT userid FROM account WHERE renamed = ?1) UNION "
      "SELECT board, over FROM board JOIN subscription USING (board) "
      "WHERE userid = ?1 AND over IS NOT NULL ORDER BY over DESC, board LIMIT ?2 OFFSET ?3",
      userid, most, skip));
}

std::size_t BoardRows::count_finished(const std::string& userid) {
  return database_.query_count(
      "SELECT count(*) FROM (SELECT board FROM seat WHERE over IS NOT NULL AND name IN (SELECT ?1 "
      "UNION ALL SELECT userid FROM account WHERE renamed = ?1) UNION "
      "SELECT board FROM board JOIN subscription USING (board) "
      "WHERE userid = ?1 AND over IS NOT NULL)",
      userid);
}

std::vector<BoardKey> BoardRows::find_running(std::size_t skip, std::size_t most) {
  return read_keys(database_.query(
      "SELECT board FROM board WHERE over IS NULL ORDER BY changed DESC, board LIMIT ? OFFSET ?",
      most, skip));
}

std::vector<BoardKey> BoardRows::find_timed() {
  return read_keys(
      database_.query("SELECT board FROM board WHERE over IS NULL AND since IS NOT NULL"));
}

std::size_t BoardRows::count(BoardState which) {
  return which == BoardState::running
             ? database_.query_count("SELECT count(*) FROM board WHERE over IS NULL")
         : which == BoardState::finished
             ? database_.query_count("SELECT count(*) FROM board WHERE over IS NOT NULL")
             : database_.query_count("SELECT count(*) FROM board");
}

std::map<std::string, std::size_t> BoardRows::count_running_by_name() {
  std::map<std::string, std::size_t> out;
  for (auto row =
           database_.query("SELECT name, count(*) FROM seat WHERE over IS NULL GROUP BY name");
       row.next();)
    out[row.text(0)] = row.size(1);
  return out;
}

bool BoardRows::has_player(std::string_view name) {
  return database_.query_number(
             "SELECT EXISTS (SELECT 1 FROM seat WHERE name = ?1 AND over IS NULL) OR "
             "EXISTS (SELECT 1 FROM seat WHERE name = ?1 AND over IS NOT NULL)",
             name) != 0;
}

std::vector<std::string> BoardRows::load_errors() {
  return database_.query_texts("SELECT broken FROM board WHERE broken <> '' ORDER BY game, number");
}

}  // namespace pbm
