// SPDX-License-Identifier: MIT
// Commands about finished games, and the ratings that come of them.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "game/openings.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

std::string shown(const Rating& rating) {
  return right(std::to_string(std::lround(rating.value)), 6) + (rating.provisional() ? "?" : " ");
}

std::string rating_line(const std::string& userid, const Rating& x) {
  return shown(x) + right(std::to_string(x.games()), 6) + right(std::to_string(x.won), 6) +
         right(std::to_string(x.lost), 6) + right(std::to_string(x.tied), 6) + "  " + userid;
}

Reply rating_table(const Request& r, const std::vector<std::pair<std::string, Rating>>& rows) {
  if (rows.empty()) return Reply("Nobody has a rating at " + std::string(r.game->title) + " yet.");
  return Reply(count_of(rows.size(), "rating", "ratings") + " at " + std::string(r.game->title) +
                   ": rating (? under " + std::to_string(kProvisional) +
                   " games), games, won, lost, tied.",
               lines_of(rows, kMaxLines,
                        [](const auto& row) { return rating_line(row.first, row.second); }));
}

std::string history_line(const FinishedGame& f) {
  std::string players;
  for (const std::string& s : f.seats) players += (players.empty() ? "" : ", ") + shown_name(s);
  return right(std::to_string(f.board), 6) + right(std::to_string(f.plies), 6) + "  " +
         iso_time(f.at) + "  " + pad(players, 36) + "  " +
         (f.winner ? shown_name(f.seats[static_cast<std::size_t>(*f.winner)]) + " won" : "a tie") +
         (f.rated()            ? ""
          : f.unrated == "yes" ? " (unrated)"
                               : " (unrated: " + f.unrated + ")") +
         in_brackets(f.options);
}

std::set<std::string> userids_in(const std::vector<std::string>& words) {
  std::set<std::string> out;
  for (const std::string& word : words) out.insert(lower(word));
  return out;
}

}  // namespace

Reply run_standings(Request& r) {
  const auto& all = r.service->history().ratings(r.game->name);
  std::vector<std::pair<std::string, Rating>> rows(all.begin(), all.end());
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    if (a.second.provisional() != b.second.provisional()) return b.second.provisional();
    return a.second.value > b.second.value;
  });
  return rating_table(r, rows);
}

Reply run_ratings(Request& r) {
  if (const auto ok = need_users(r, r.words); !ok) return ok.refusal();
  const auto& all = r.service->history().ratings(r.game->name);
  if (r.words.empty()) return rating_table(r, {all.begin(), all.end()});
  std::vector<std::pair<std::string, Rating>> rows;
  for (const std::string& userid : userids_in(r.words))
    if (const auto found = all.find(userid); found != all.end()) rows.push_back(*found);
  return rating_table(r, rows);
}

Reply run_history(Request& r) {
  if (const auto ok = need_users(r, r.words); !ok) return ok.refusal();
  auto games = r.service->history().games(r.game->name);
  const auto wanted = userids_in(r.words);
  if (!wanted.empty())
    std::erase_if(games, [&](const FinishedGame* game) {
      return std::none_of(game->seats.begin(), game->seats.end(),
                          [&](const std::string& seat) { return wanted.count(lower(seat)) > 0; });
    });
  if (games.empty())
    return Reply("No game of " + std::string(r.game->title) + " has ended" +
                 (r.words.empty() ? "" : " for them") + " yet.");
  std::reverse(games.begin(), games.end());
  return Reply(
      count_of(games.size(), "finished game", "finished games") + " of " +
          std::string(r.game->title) + ": number, plies, end, seats, result.",
      lines_of(games, kMaxHistory, [](const FinishedGame* game) { return history_line(*game); }));
}

// Out of the history, which has the first plies of each game in memory, some hundred bytes: no save
// is read here. What a server wrote before it kept them is said not to count.
Reply run_openings(Request& r) {
  auto match = new_board(r, 0);
  if (!match) return match.refusal();
  if (const auto played = play_words(r, *match, 0); !played) return played.refusal();
  const std::size_t n = match->plies().size();
  if (match->log().size() > n) return Refusal{"An opening is made of moves alone."};
  if (n >= kOpeningPlies)
    return Refusal{"Only the first " + std::to_string(kOpeningPlies) +
                   " plies of a game are kept for this."};
  auto openings = Openings::after(*match, n);
  if (!openings) return openings.refusal();
  auto games = r.service->history().games(r.game->name);
  std::erase_if(games, [&](const FinishedGame* game) {
    return game->plies <= n || !openings->of(*r.game, game->options, game->seats.size());
  });
  std::reverse(games.begin(), games.end());
  const std::size_t all = games.size();
  games.resize(std::min(all, kOpeningGames));
  std::size_t unknown = 0;
  for (const FinishedGame* game : games)
    if (game->opening.empty()) ++unknown;
    else openings->add(words(game->opening), game->winner);
  if (all > games.size())
    openings->remark("The server counts the latest " + std::to_string(games.size()) + " of " +
                     std::to_string(all) + " games.");
  if (unknown > 0)
    openings->remark(count_of(unknown, "older game", "older games") +
                     " of the server not counted: no plies were kept.");
  return Reply(count_of(openings->games(), "finished game", "finished games") + " of " +
                   std::string(r.game->title) + " came here: ply, games, won by each seat, tied.",
               openings->answer());
}

}  // namespace pbm
