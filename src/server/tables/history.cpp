// SPDX-License-Identifier: MIT
#include "server/tables/history.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace pbm {
namespace {

// Returns the won, lost and tied games of a row with won, lost and all from that column on.
Results read_results(const Database::Rows& row, int first) {
  Results out{row.size(first), row.size(first + 1)};
  out.tied = row.size(first + 2) - out.won - out.lost;
  return out;
}

Rating read_rating(const Database::Rows& row) {
  return {row.real(0), row.size(1), row.size(2), row.size(3), row.real(4)};
}

constexpr double kRatingFactor = 32;

double score_sign(Score score) { return score == Score::won ? 1 : score == Score::lost ? -1 : 0; }

// Returns a provisional rating: the average value of the games, drawn towards 1720.
double provisional_value(double sum, std::size_t games) {
  const double average = sum / static_cast<double>(games);
  return average + (1720 - average) / 5;
}

// A provisional opponent counts for less, the fewer games they have played.
double established_value(const Rating& player, const Rating& opponent, Score score) {
  const double k = opponent.is_provisional()
                       ? kRatingFactor * static_cast<double>(opponent.game_count()) /
                             static_cast<double>(kProvisionalGames)
                       : kRatingFactor;
  const double expected = 1 / (1 + std::pow(10, (opponent.value - player.value) / 400));
  return player.value + k * ((score_sign(score) + 1) / 2 - expected);
}

}  // namespace

Rating updated_rating(const Rating& player, const Rating& opponent, Score score) {
  Rating next = player;
  ++(score == Score::won ? next.won : score == Score::lost ? next.lost : next.tied);
  if (!player.is_provisional()) {
    next.value = established_value(player, opponent, score);
    return next;
  }
  next.provisional_sum += opponent.is_provisional()
                              ? (player.value + opponent.value) / 2 + 200 * score_sign(score)
                              : opponent.value + 400 * score_sign(score);
  next.value = provisional_value(next.provisional_sum, next.game_count());
  return next;
}

bool History::has_game(std::string_view game, int board) {
  return database_.query_number("SELECT 1 FROM finished WHERE game = ? AND board = ?", game,
                                board) != 0;
}

void History::add(FinishedGame game) {
  if (game.is_rated() && has_daily_maximum(game))
    game.unrated_reason =
        "the players had " + std::to_string(kMaxRatedADay) + " rated games within a day";
  database_.run(
      "INSERT INTO finished (game, board, at, plies, options, seats, winner, unrated) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      game.game, game.board_number, game.ended_at, game.plies, join(game.options),
      game.seats.size(), game.winner, game.unrated_reason);
  const std::int64_t number = database_.last_inserted_row();
  for (std::size_t seat = 0; seat < game.seats.size(); ++seat)
    database_.run("INSERT INTO finished_seat VALUES (?, ?, ?, ?, ?)", number, seat,
                  game.seats[seat], lower(game.seats[seat]),
                  std::ranges::count(game.resigned, static_cast<Seat>(seat)));
  update_ratings(number, game);
}

void History::update_ratings(std::int64_t number, const FinishedGame& game) {
  if (!game.is_rated() || game.seats.size() != 2) return;
  const std::string first = lower(game.seats[0]), second = lower(game.seats[1]);
  const Rating a = rating(game.game, first).value_or(Rating{}),
               b = rating(game.game, second).value_or(Rating{});
  const auto score = [&](Seat seat) {
    return !game.winner ? Score::tied : *game.winner == seat ? Score::won : Score::lost;
  };
  for (const auto& [userid, now] : {std::pair(first, updated_rating(a, b, score(0))),
                                    std::pair(second, updated_rating(b, a, score(1)))}) {
    put_rating(game.game, userid, now);
    database_.run("INSERT INTO rating_point VALUES (?, ?, ?)", userid, number, now.value);
  }
}

void History::put_rating(std::string_view game, const std::string& userid, const Rating& r) {
  database_.run("REPLACE INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)", game, userid, r.value, r.won,
                r.lost, r.tied, r.provisional_sum);
}

bool History::make_unrated(std::string_view game, int board) {
  if (database_.query_number("SELECT 1 FROM finished WHERE game = ? AND board = ? AND unrated = ''",
                             game, board) == 0)
    return false;
  database_.run("UPDATE finished SET unrated = ? WHERE game = ? AND board = ?",
                "annulled by the owner", game, board);
  recalculate(game);
  return true;
}

// Each rating depends on the games before, so all are calculated again.
void History::recalculate(std::string_view game) {
  database_.run("DELETE FROM rating WHERE game = ?", game);
  database_.run(
      "DELETE FROM rating_point WHERE number IN (SELECT number FROM finished WHERE game = ?)",
      game);
  for (auto row = database_.query(
           "SELECT number FROM finished WHERE game = ? AND unrated = '' ORDER BY number", game);
       row.next();)
    update_ratings(row.number(0), read_game(row.number(0)));
}

long History::rounded_rating(std::string_view game, std::string_view userid) {
  return std::lround(rating(game, userid).value_or(Rating{}).value);
}

void History::complete_curves() {
  if (database_.query_number("SELECT 1 FROM rating_point LIMIT 1") != 0) return;
  for (const std::string& game : database_.query_texts("SELECT DISTINCT game FROM rating"))
    recalculate(game);
}

std::vector<std::pair<Time, double>> History::rating_curve(std::string_view game,
                                                           const std::string& userid,
                                                           std::size_t most) {
  auto out = database_.query_all(
      [](const Database::Rows& row) { return std::pair(row.time(0), row.real(1)); },
      "SELECT at, value FROM rating_point JOIN finished USING (number) WHERE userid = ? AND "
      "game = ? ORDER BY number DESC LIMIT ?",
      userid, game, most);
  std::ranges::reverse(out);
  return out;
}

void History::rename(const std::string& userid, const std::string& now) {
  database_.run("UPDATE finished_seat SET name = ?, userid = ? WHERE userid = ?", now, now, userid);
  database_.run("UPDATE OR REPLACE rating SET userid = ? WHERE userid = ?", now, userid);
  database_.run("UPDATE OR REPLACE rating_point SET userid = ? WHERE userid = ?", now, userid);
}

// A difference below zero counts too, as the server's clock may go backwards.
bool History::has_daily_maximum(const FinishedGame& game) {
  if (game.seats.size() != 2) return false;
  auto row = database_.query(
      "SELECT at FROM finished WHERE unrated = '' AND seats = 2 AND number IN (SELECT a.number "
      "FROM "
      "finished_seat AS a JOIN finished_seat AS b ON a.number = b.number AND a.seat <> b.seat "
      "WHERE a.userid = ? AND b.userid = ?) ORDER BY number DESC LIMIT 1 OFFSET ?",
      lower(game.seats[0]), lower(game.seats[1]), kMaxRatedADay - 1);
  if (!row.next()) return false;
  const auto since = game.ended_at - row.time(0);
  return since < std::chrono::hours(24) && since > -std::chrono::hours(24);
}

std::vector<std::int64_t> History::find_games(std::string_view game,
                                              const std::vector<std::string>& names, int most) {
  const auto number = [](const Database::Rows& row) { return row.number(0); };
  if (names.empty())
    return database_.query_all(
        number, "SELECT number FROM finished WHERE game = ? ORDER BY number DESC LIMIT ?", game,
        most);
  std::vector<std::int64_t> out;
  for (const std::string& name : names)
    for (const std::int64_t one : database_.query_all(
             // "+game" makes SQLite use the index of the userid, not that of the game.
             number,
             "SELECT number FROM finished WHERE +game = ? AND number IN "
             "(SELECT number FROM finished_seat WHERE userid = ?)",
             game, lower(name)))
      out.push_back(one);
  std::ranges::sort(out, std::greater<>());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

FinishedGame History::read_game(std::int64_t number) {
  FinishedGame out;
  auto row = database_.query(
      "SELECT game, board, at, options, winner, plies, unrated FROM finished WHERE number = ?",
      number);
  if (!row.next()) return out;
  out.game = row.text(0);
  out.board_number = static_cast<int>(row.number(1));
  out.ended_at = row.time(2);
  out.options = split_words(row.text(3));
  out.winner = row.get_optional<Seat>(4);
  out.plies = row.size(5);
  out.unrated_reason = row.text(6);
  for (auto seat = database_.query(
           "SELECT name, resigned FROM finished_seat WHERE number = ? ORDER BY seat", number);
       seat.next();) {
    if (seat.number(1) != 0) out.resigned.push_back(static_cast<Seat>(out.seats.size()));
    out.seats.push_back(seat.text(0));
  }
  return out;
}

Results History::results(std::string_view game, const std::string& userid) {
  return *database_.query_first(
      [](const Database::Rows& row) { return read_results(row, 0); },
      "SELECT total(winner = seat), total(iif(winner IS NULL, resigned, winner <> seat)), count(*) "
      "FROM finished_seat JOIN finished USING (number) WHERE userid = ? AND +game = ?",
      userid, game);
}

std::vector<std::pair<std::string, Results>> History::opponents(std::string_view game,
                                                                const std::string& userid,
                                                                std::size_t most) {
  return database_.query_all(
      [](const Database::Rows& row) { return std::pair(row.text(0), read_results(row, 1)); },
      "SELECT other.userid, total(winner = own.seat), "
      "total(iif(winner IS NULL, own.resigned, winner <> own.seat)), count(*) "
      "FROM finished_seat AS own JOIN finished USING (number) "
      "JOIN finished_seat AS other ON other.number = own.number AND other.seat <> own.seat "
      "WHERE own.userid = ? AND +game = ? "
      "GROUP BY other.userid ORDER BY count(*) DESC, other.userid LIMIT ?",
      userid, game, most);
}

std::size_t History::game_count(std::string_view game) {
  return database_.query_count("SELECT count(*) FROM finished WHERE game = ?", game);
}

std::vector<std::pair<std::string, Rating>> History::ratings(std::string_view game) {
  const auto of = [](const Database::Rows& row) {
    return std::pair(row.text(5), read_rating(row));
  };
  return database_.query_all(
      of, "SELECT value, won, lost, tied, sum, userid FROM rating WHERE game = ? ORDER BY userid",
      game);
}

std::optional<Rating> History::rating(std::string_view game, std::string_view userid) {
  return database_.query_first(
      read_rating, "SELECT value, won, lost, tied, sum FROM rating WHERE game = ? AND userid = ?",
      game, userid);
}

}  // namespace pbm
