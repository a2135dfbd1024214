// SPDX-License-Identifier: MIT
#include "server/tables/tournaments.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

Tournament read_tournament(const Database::Rows& row) {
  Tournament out;
  out.name = row.text(0);
  out.creator = row.text(1);
  out.game = find_game(row.text(2));
  out.options = split_words(row.text(3));
  out.form = static_cast<Tournament::Form>(row.number(4));
  out.state = static_cast<Tournament::State>(row.number(5));
  out.rounds = row.size(6);
  out.max_entries = row.size(7);
  out.is_double = row.number(8) != 0;
  out.is_unrated = row.number(9) != 0;
  out.start_time = row.get_optional<Time>(10);
  out.started_at = row.get_optional<Time>(11);
  out.ended_at = row.get_optional<Time>(12);
  out.entry_count = row.size(13);
  out.round = row.size(14);
  return out;
}

// Leaves out tournaments of games that this program does not know.
std::vector<Tournament> without_unknown(std::vector<Tournament> all) {
  std::erase_if(all, [](const Tournament& t) { return !t.game; });
  return all;
}

}  // namespace

std::optional<Tournament> Tournaments::find(std::string_view name) {
  auto out = database_.query_first(read_tournament,
                                   "SELECT * FROM listed_tournament WHERE name = ?", lower(name));
  return out && out->game ? out : std::nullopt;
}

std::vector<Tournament> Tournaments::find_listed() {
  auto out = find_unfinished();
  std::ranges::stable_sort(out, [](const Tournament& a, const Tournament& b) {
    return a.state == Tournament::State::running && b.state == Tournament::State::open;
  });
  for (Tournament& t : without_unknown(database_.query_all(
           read_tournament,
           "SELECT * FROM listed_tournament WHERE state > 1 ORDER BY ended DESC LIMIT ?",
           kMaxListedOver)))
    out.push_back(std::move(t));
  return out;
}

std::vector<Tournament> Tournaments::find_unfinished() {
  return without_unknown(database_.query_all(
      read_tournament, "SELECT * FROM listed_tournament WHERE state < 2 ORDER BY name"));
}

std::vector<Tournament> Tournaments::find_unfinished(const std::string& userid) {
  return without_unknown(
      database_.query_all(read_tournament,
                          "SELECT * FROM listed_tournament WHERE state < 2 AND name IN (SELECT "
                          "tournament FROM entry WHERE userid = ? "
                          "AND withdrawn = 0) ORDER BY name",
                          userid));
}

std::vector<TournamentEntry> Tournaments::entries(const std::string& name) {
  const auto make = [](const Database::Rows& row) {
    return TournamentEntry{row.size(0), row.text(1), static_cast<long>(row.number(2)),
                           row.number(3) > 0, row.number(3) > 1};
  };
  return database_.query_all(
      make,
      "SELECT number, userid, rating, withdrawn FROM entry WHERE tournament = ? ORDER BY number",
      name);
}

std::vector<TournamentGame> Tournaments::games(const std::string& name) {
  const auto make = [](const Database::Rows& row) {
    return TournamentGame{row.size(0), row.size(1), row.size(2), row.text(3),
                          static_cast<GameResult>(row.number(4))};
  };
  return database_.query_all(make,
                             "SELECT round, first, second, board, result FROM pairing WHERE "
                             "tournament = ? ORDER BY number",
                             name);
}

const std::string& Tournaments::describe_board(const std::string& board) {
  return boards_.get(board, [&]() -> std::string {
    auto row = database_.query(
        "SELECT round, tournament FROM pairing WHERE board <> '' AND board = ?", board);
    return row.next() ? "Round " + row.text(0) + " of " + row.text(1) : "";
  });
}

std::optional<Tournaments::GamePlace> Tournaments::find_game(const std::string& board) {
  const auto make = [](const Database::Rows& row) { return GamePlace{row.text(0), row.size(1)}; };
  return database_.query_first(
      make, "SELECT tournament, number FROM pairing WHERE board <> '' AND board = ?", board);
}

std::vector<std::string> Tournaments::find_lost_boards() {
  return database_.query_texts(
      "SELECT board FROM pairing WHERE board <> '' AND result = 0 AND NOT EXISTS (SELECT 1 FROM "
      "board WHERE board.board = pairing.board)");
}

void Tournaments::put(const Tournament& t) {
  database_.run(
      "INSERT INTO tournament VALUES (?, nullif(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON "
      "CONFLICT (name) DO UPDATE SET state = excluded.state, rounds = excluded.rounds, "
      "until = excluded.until, begun = excluded.begun, ended = excluded.ended",
      t.name, t.creator, t.game->name, join(t.options), static_cast<int>(t.form),
      static_cast<int>(t.state), t.rounds, t.max_entries, t.is_double, t.is_unrated, t.start_time,
      t.started_at, t.ended_at);
}

void Tournaments::erase(const std::string& name) {
  database_.run("DELETE FROM tournament WHERE name = ?", name);
}

void Tournaments::set_entries(const std::string& name,
                              const std::vector<TournamentEntry>& entries) {
  database_.run("DELETE FROM entry WHERE tournament = ?", name);
  for (std::size_t i = 0; i < entries.size(); ++i)
    database_.run("INSERT INTO entry VALUES (?, ?, ?, ?, 0)", name, i + 1, entries[i].userid,
                  entries[i].rating);
}

void Tournaments::set_entry(const std::string& name, const TournamentEntry& entry) {
  database_.run("UPDATE entry SET userid = ?, withdrawn = ? WHERE tournament = ? AND number = ?",
                entry.userid, int{entry.has_withdrawn} + int{entry.is_struck}, name, entry.number);
}

void Tournaments::add_games(const std::string& name, const std::vector<TournamentGame>& games) {
  std::size_t next =
      database_.query_count("SELECT count(*) FROM pairing WHERE tournament = ?", name);
  for (const TournamentGame& game : games)
    database_.run("INSERT INTO pairing VALUES (?, ?, ?, ?, ?, ?, ?)", name, next++, game.round,
                  game.first, game.second, game.board, static_cast<int>(game.result));
}

void Tournaments::set_game(const GamePlace& place, const TournamentGame& game) {
  database_.run("UPDATE pairing SET board = ?, result = ? WHERE tournament = ? AND number = ?",
                game.board, static_cast<int>(game.result), place.tournament, place.index);
}

}  // namespace pbm
