// SPDX-License-Identifier: MIT
#include "server/state/history.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "protocol/board_id.hpp"

namespace pbm {

namespace {
std::pair<std::string, std::string> pair_of(const FinishedGame& game) {
  return std::minmax(lower(game.seats[0]), lower(game.seats[1]));
}
}  // namespace

History::History(CommitLog& log)
    : journal_(log, "history.yaml", "The games that have ended, in order. Ratings follow from it.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) {
                  for (const FinishedGame& game : games_) keep(record_of(game));
                }}) {}

History::OfGame& History::of(std::string_view game) {
  const auto found = by_game_.find(game);
  return found == by_game_.end() ? by_game_[std::string(game)] : found->second;
}

bool History::has(std::string_view game, int board) const {
  const auto found = by_game_.find(game);
  const auto at = static_cast<std::size_t>(board);
  return found != by_game_.end() && at < found->second.known.size() && found->second.known[at];
}

Record History::record_of(const FinishedGame& game) {
  Record r;
  r.put("game", game.game)
      .put("board", static_cast<std::size_t>(game.board))
      .put("at", iso_time(game.at))
      .put("plies", game.plies);
  if (!game.opening.empty()) r.put("opening", game.opening);
  r.put_list("option", game.options).put_list("seat", game.seats);
  if (game.winner) r.put("winner", static_cast<std::size_t>(*game.winner) + 1);
  if (!game.rated()) r.put("unrated", game.unrated);
  return r;
}

FinishedGame* History::find(std::string_view game, int board) {
  const auto found = std::find_if(games_.begin(), games_.end(), [&](const FinishedGame& f) {
    return f.game.get() == game && f.board == board;
  });
  return found == games_.end() ? nullptr : &*found;
}

void History::count_anew() {
  const auto games = std::exchange(games_, {});
  by_game_.clear();
  rated_.clear();
  for (const FinishedGame& game : games) count(game);
}

bool History::annul(std::string_view game, int board) {
  const FinishedGame* found = find(game, board);
  if (!found || !found->rated()) return false;
  const Record record = Record().put("annul", game).put("board", static_cast<std::size_t>(board));
  journal_.add(record);
  take(record);
  return true;
}

void History::rename(const std::string& userid, const std::string& now) {
  const Record record = Record().put("rename", userid).put("to", now);
  journal_.add(record);
  take(record);
}

void History::take(const Record& r) {
  if (r.has("annul")) {
    FinishedGame* found = find(r.get("annul"), static_cast<int>(r.number("board")));
    if (found) found->unrated = std::string("annulled by the owner");
    return count_anew();
  }
  if (r.has("rename")) {
    for (FinishedGame& game : games_) {
      std::vector<std::string> seats = game.seats;
      for (std::string& seat : seats)
        if (same_ignoring_case(seat, r.get("rename"))) seat = r.get("to");
      game.seats = std::move(seats);
    }
    return count_anew();
  }
  FinishedGame game;
  game.game = r.get("game");
  game.board = static_cast<int>(std::min<std::size_t>(r.number("board"), kLastNumber + 1));
  game.at = read_iso_time(r.get("at")).value_or(Time{});
  game.plies = r.number("plies");
  game.opening = r.get("opening");
  game.options = r.list("option");
  game.seats = r.list("seat");
  if (const std::size_t winner = r.number("winner"); winner > 0 && winner <= game.seats.size())
    game.winner = static_cast<Seat>(winner - 1);
  game.unrated = r.get("unrated");
  if (r.has("unrated") && game.rated()) game.unrated = std::string("yes");
  if (!has(game.game, game.board)) count(game);
}

void History::count(const FinishedGame& game) {
  const FinishedGame& kept = games_.emplace_back(game);
  OfGame& all = of(game.game);
  all.games.push_back(&kept);
  std::set<std::string> players;
  for (const std::string& seat : game.seats) players.insert(lower(seat));
  for (const std::string& player : players) all.by_player[player].push_back(&kept);
  const auto at = static_cast<std::size_t>(game.board);
  if (all.known.size() <= at) all.known.resize(at + 1);
  all.known[at] = true;
  if (!game.rated() || game.seats.size() != 2) return;
  auto& times = rated_[pair_of(game)];
  times.push_back(game.at);
  if (times.size() > kMaxRatedADay) times.pop_front();
  auto& ratings = all.ratings;
  const Rating first = ratings[lower(game.seats[0])], second = ratings[lower(game.seats[1])];
  const Score score = !game.winner ? Score::tied : *game.winner == 0 ? Score::won : Score::lost;
  const Score other = !game.winner ? Score::tied : *game.winner == 1 ? Score::won : Score::lost;
  ratings[lower(game.seats[0])] = after_game(first, second, score);
  ratings[lower(game.seats[1])] = after_game(second, first, other);
}

bool History::enough_today(const FinishedGame& game) const {
  const auto found = game.seats.size() == 2 ? rated_.find(pair_of(game)) : rated_.end();
  if (found == rated_.end() || found->second.size() < kMaxRatedADay) return false;
  // Somebody's clock may go backwards.
  const auto since = game.at - found->second.front();
  return since < std::chrono::hours(24) && since > -std::chrono::hours(24);
}

void History::add(FinishedGame game) {
  if (game.rated() && enough_today(game))
    game.unrated = "these two had " + std::to_string(kMaxRatedADay) + " rated games within a day";
  journal_.add(record_of(game));
  count(game);
}

const History::Games& History::games(std::string_view game) {
  journal_.touch();
  return of(game).games;
}

const History::Games& History::games(std::string_view game, std::string_view name) {
  static const Games none;
  journal_.touch();
  const auto& players = of(game).by_player;
  const auto found = players.find(lower(name));
  return found == players.end() ? none : found->second;
}

const std::map<std::string, Rating>& History::ratings(std::string_view game) {
  journal_.touch();
  return of(game).ratings;
}

}  // namespace pbm
