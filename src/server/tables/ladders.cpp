// SPDX-License-Identifier: MIT
#include "server/tables/ladders.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

LadderGame read_ladder_game(const Database::Rows& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3)};
}

}  // namespace

std::vector<std::string> Ladders::names() {
  std::vector<std::string> out;
  for (const GameType& game : all_games()) {
    out.emplace_back(game.name);
    for (std::string& name : database_.query_texts("SELECT name FROM ladder ORDER BY name"))
      if (find_game(split_words(name).front()) == &game) out.push_back(std::move(name));
  }
  return out;
}

bool Ladders::has(const std::string& name) {
  const std::vector<std::string> all = names();
  return std::ranges::find(all, name) != all.end();
}

Ladder Ladders::find(const std::string& name, const std::string& userid) {
  Ladder out{name, nullptr, split_words(name)};
  out.game = find_game(out.options.front());
  out.options.erase(out.options.begin());
  const auto all = players(name);
  out.player_count = all.size();
  if (!all.empty()) {
    out.leader = all.front().userid;
    out.leads_since = since(name).front();
  }
  const auto own = std::ranges::find(all, userid, &LadderPlayer::userid);
  if (own != all.end()) out.own_place = static_cast<std::size_t>(own - all.begin()) + 1;
  return out;
}

std::vector<LadderPlayer> Ladders::players(const std::string& name) {
  const auto make = [](const Database::Rows& row) {
    return LadderPlayer{row.text(0), row.time(1), row.size(2), row.number(3) != 0};
  };
  return database_.query_all(
      make,
      "SELECT userid, played, drops, userid IN "
      "(SELECT challenger FROM ladder_game WHERE ended IS NULL AND ladder = ? "
      "UNION SELECT challenged FROM ladder_game WHERE ended IS NULL AND ladder = ?) "
      "FROM rung WHERE ladder = ? ORDER BY place",
      name, name, name);
}

std::vector<Time> Ladders::since(const std::string& name) {
  return database_.query_all([](const Database::Rows& row) { return row.time(0); },
                             "SELECT since FROM rung WHERE ladder = ? ORDER BY place", name);
}

std::vector<std::string> Ladders::find_ladders(const std::string& userid) {
  return database_.query_texts("SELECT ladder FROM rung WHERE userid = ? ORDER BY ladder", userid);
}

std::vector<LadderGame> Ladders::running_games(const std::string& name) {
  return database_.query_all(read_ladder_game,
                             "SELECT * FROM ladder_game WHERE ended IS NULL AND ladder = ?", name);
}

std::optional<LadderGame> Ladders::find_running_game(const std::string& board) {
  return database_.query_first(
      read_ladder_game, "SELECT * FROM ladder_game WHERE ended IS NULL AND board = ?", board);
}

std::optional<Time> Ladders::last_challenge_end(const LadderGame& game) {
  auto row = database_.query(
      "SELECT max(ended) FROM ladder_game WHERE ladder = ? AND challenger = ? AND challenged = ?",
      game.ladder, game.challenger, game.challenged);
  return row.next() ? row.get_optional<Time>(0) : std::nullopt;
}

std::vector<std::string> Ladders::find_lost_boards() {
  return database_.query_texts(
      "SELECT board FROM ladder_game WHERE ended IS NULL AND NOT EXISTS (SELECT 1 FROM board WHERE "
      "board.board = ladder_game.board)");
}

const std::string& Ladders::describe_board(const std::string& board) {
  return boards_.get(board, [&]() -> std::string {
    auto row = database_.query("SELECT ladder FROM ladder_game WHERE board = ?", board);
    if (!row.next()) return "";
    std::vector<std::string> words = split_words(row.text(0));
    if (const GameType* game = find_game(words.front())) words.front() = game->title;
    return "Ladder of " + join(words);
  });
}

void Ladders::open(const std::string& name) {
  database_.run("INSERT INTO ladder VALUES (?)", name);
}

void Ladders::set_players(const std::string& name, const std::vector<LadderPlayer>& players,
                          Time now) {
  const std::vector<LadderPlayer> old = this->players(name);
  for (const LadderPlayer& player : old)
    if (std::ranges::find(players, player.userid, &LadderPlayer::userid) == players.end())
      database_.run("DELETE FROM rung WHERE ladder = ? AND userid = ?", name, player.userid);
  for (std::size_t i = 0; i < players.size(); ++i) {
    const LadderPlayer& player = players[i];
    if (i < old.size() && old[i].userid == player.userid && old[i].last_game == player.last_game &&
        old[i].drop_count == player.drop_count)
      continue;
    database_.run(
        "INSERT INTO rung VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (ladder, userid) DO UPDATE SET "
        "since = iif(place = excluded.place, since, excluded.since), place = excluded.place, "
        "played = excluded.played, drops = excluded.drops",
        name, player.userid, i + 1, now, player.last_game, player.drop_count);
  }
}

void Ladders::add_game(const LadderGame& game) {
  database_.run("INSERT INTO ladder_game VALUES (?, ?, ?, ?, NULL)", game.board, game.ladder,
                game.challenger, game.challenged);
}

void Ladders::end_game(const std::string& board, Time now) {
  database_.run("UPDATE ladder_game SET ended = ? WHERE board = ?", now, board);
}

void Ladders::forget_game(const std::string& board) {
  database_.run("DELETE FROM ladder_game WHERE board = ?", board);
}

}  // namespace pbm
