// SPDX-License-Identifier: MIT
// Commands about finished games, the ratings that follow from them, and their players.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "protocol/contest_pages.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

std::string rating_line(const std::string& userid, const Rating& x) {
  std::string out =
      pad_left(std::to_string(std::lround(x.value)), 6) + (x.is_provisional() ? "?" : " ");
  for (const std::size_t count : {x.game_count(), x.won, x.lost, x.tied})
    out += pad_left(std::to_string(count), 6);
  return out + "  " + userid;
}

Reply rating_table(const Request& r, const std::vector<std::pair<std::string, Rating>>& rows) {
  if (rows.empty())
    return Reply("There are no ratings for " + std::string(r.game->title) + " yet.");
  return Reply(format_count(rows.size(), "rating", "ratings") + " for " +
                   std::string(r.game->title) + ": rating (? below " +
                   std::to_string(kProvisionalGames) + " games), games, won, lost, tied.",
               make_lines(rows, kMaxLines,
                          [](const auto& row) { return rating_line(row.first, row.second); }));
}

bool has_lost(const FinishedGame& f, Seat seat) {
  return f.winner ? *f.winner != seat : std::ranges::count(f.resigned, seat) > 0;
}

std::string result_text(const FinishedGame& f) {
  if (f.winner) return display_name(f.seats[index(*f.winner)]) + " won";
  if (f.resigned.empty()) return "a tie";
  std::vector<std::string> names;
  for (Seat seat = 0; seat < std::ssize(f.seats); ++seat)
    if (!has_lost(f, seat)) names.push_back(display_name(f.seats[index(seat)]));
  return "a tie of " + join_with_and(names);
}

std::string history_line(const FinishedGame& f) {
  return pad_left(std::to_string(f.board_number), 6) + pad_left(std::to_string(f.plies), 6) + "  " +
         iso_time(f.ended_at) + "  " + pad(joined_names(f.seats), 36) + "  " + result_text(f) +
         (f.is_rated() ? "" : " (unrated: " + f.unrated_reason + ")") +
         bracketed_options(f.options);
}

Reply run_standings(Request& r) {
  if (!r.game) {
    Lines lines;
    for (const GameType& game : all_games()) {
      r.game = &game;
      const Reply one = run_standings(r);
      if (one.lines.empty()) continue;
      lines.push_back(one.summary);
      lines.insert(lines.end(), one.lines.begin(), one.lines.end());
    }
    return Reply(lines.empty() ? "There are no ratings yet." : "The ratings of each game.", lines);
  }
  auto rows = r.service->history.ratings(r.game->name);
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) {
    if (a.second.is_provisional() != b.second.is_provisional()) return b.second.is_provisional();
    return a.second.value > b.second.value;
  });
  return rating_table(r, rows);
}

Reply run_ratings(Request& r) {
  need_users(r, r.words);
  History& history = r.service->history;
  if (r.words.empty()) return rating_table(r, history.ratings(r.game->name));
  std::vector<std::pair<std::string, Rating>> rows;
  std::set<std::string> userids;
  for (const std::string& word : r.words) userids.insert(lower(word));
  for (const std::string& userid : userids)
    if (const auto found = history.rating(r.game->name, userid)) rows.emplace_back(userid, *found);
  return rating_table(r, rows);
}

Reply run_history(Request& r) {
  std::size_t skipped = 0;
  if (!r.words.empty() && r.words.back().front() == '#') {
    const auto number = read_skip_count(r.words.back());
    if (!number)
      return Refusal{"'" + fit(r.words.back(), 20) + "' is not a number. Write #" +
                     std::to_string(kMaxHistory) + " for the games before the latest " +
                     std::to_string(kMaxHistory) + "."};
    skipped = *number;
    r.words.pop_back();
  }
  need_users(r, r.words);
  History& history = r.service->history;
  std::vector<std::int64_t> games;
  for (const GameType& game : all_games())
    if (!r.game || r.game == &game)
      for (const std::int64_t number : history.find_games(game.name, r.words))
        games.push_back(number);
  std::ranges::sort(games, std::greater<>());
  const std::string of = r.game ? " of " + std::string(r.game->title) : "";
  if (games.empty())
    return Reply("No finished games" + of + (r.words.empty() ? "" : " with these players") +
                 " yet.");
  const std::string said = format_count(games.size(), "finished game", "finished games") + of +
                           ": " + (r.game ? "" : "game, ") + "number, moves, end, players, result.";
  games.erase(games.begin(),
              games.begin() + static_cast<std::ptrdiff_t>(std::min(skipped, games.size())));
  Lines lines = make_lines(games, kMaxHistory, [&](std::int64_t number) {
    const FinishedGame game = history.read_game(number);
    return (r.game ? "" : pad(game.game, 10)) + history_line(game);
  });
  if (games.size() > kMaxHistory)
    lines.back() = "(" + std::to_string(games.size() - kMaxHistory) +
                   " more: " + (r.game ? std::string(r.game->name) + " " : "") + "history" +
                   (r.words.empty() ? "" : " " + join(r.words)) + " #" +
                   std::to_string(skipped + kMaxHistory) + ")";
  return Reply(said, std::move(lines));
}

// Returns "fred, a computer, since 2026-11-21, signed in: 12 finished games, 2 running."
std::string describe_player(Service& service, const std::string& userid, std::size_t games) {
  const auto account = service.accounts.find_any(userid);
  std::string said = userid;
  if (account && account->is_closed) said += " " + account->closed_reason();
  else if (account)
    said += std::string(account->is_computer ? ", a computer" : "") + ", since " +
            iso_time(account->created).substr(0, 10) +
            (service.connections.is_connected(userid) ? ", signed in" : "");
  return said + ": " + format_count(games, "finished game", "finished games") + ", " +
         std::to_string(service.store.rows().find_boards(userid).size()) + " running.";
}

constexpr std::size_t kMaxOpponents = 50, kMaxCurve = 100;  // in a profile

// Adds a player's results at a game, and the curve of their rating.
void add_game_profile(Service& service, const GameType& game, const std::string& userid,
                      std::vector<ProfileLine>& out) {
  History& history = service.history;
  const Results results = history.results(game.name, userid);
  if (results.game_count() == 0) return;
  ProfileLine all{"results", std::string(game.name)};
  all.won = results.won, all.lost = results.lost, all.tied = results.tied;
  if (const auto rating = history.rating(game.name, userid)) {
    all.rating = std::lround(rating->value);
    all.is_provisional = rating->is_provisional();
  }
  out.push_back(all);
  for (const auto& [name, with] : history.opponents(game.name, userid, kMaxOpponents))
    out.push_back({"results", std::string(game.name), name, with.won, with.lost, with.tied});
  ProfileLine curve{"curve", std::string(game.name)};
  for (const auto& [at, value] : history.rating_curve(game.name, userid, kMaxCurve)) {
    curve.ratings.push_back(std::to_string(std::lround(value)));
    curve.days.push_back(iso_time(at).substr(0, 10));
  }
  if (!curve.ratings.empty()) out.push_back(std::move(curve));
}

Reply run_profile(Request& r) {
  Service& service = *r.service;
  const std::string userid = r.words.empty() ? r.userid : lower(r.words[0]);
  if (userid.empty()) return Refusal{"Sign in first, or write: " + command_syntax(*r.row)};
  need_user(r, userid);
  std::vector<ProfileLine> all{{"profile", userid}};
  for (const GameType& game : all_games()) add_game_profile(service, game, userid, all);
  for (const std::string& name : service.ladders.find_ladders(userid)) {
    const Ladder ladder = service.ladders.find(name, userid);
    ProfileLine standing{"standing", name};
    standing.place = ladder.own_place;
    standing.players = ladder.player_count;
    all.push_back(std::move(standing));
  }
  ProfileLine& head = all.front();
  std::size_t games = 0;
  for (const ProfileLine& line : all)
    if (line.kind == "results" && line.opponent.empty()) games += line.won + line.lost + line.tied;
  if (const auto account = service.accounts.find(userid)) {
    head.since = account->created;
    head.is_computer = account->is_computer;
    head.is_online = service.connections.is_connected(userid);
  }
  head.running = service.store.rows().find_boards(userid).size();
  const std::string said = describe_player(service, userid, games);
  return Reply(said, r.wants_data
                         ? make_lines(all, kMaxLines, [](const auto& line) { return encode(line); })
                         : to_lines(make_profile_page(all, 0, false)));
}

// --- for programs: the people in their lists -----------------------------------------

// Returns the mean rating of the players of a game.
long mean_rating(Service& service, const GameType& game, const std::vector<std::string>& names) {
  long sum = 0;
  for (const std::string& name : names)
    sum += service.history.rounded_rating(game.name, lower(name));
  return sum / static_cast<long>(names.size());
}

// Finds the running game with the best players, or else the best one that ended in the last week.
// Looks at the latest kLookedAt games of each kind. The reader's own games do not count.
Reply run_tv(Request& r) {
  constexpr int kLookedAt = 100;
  constexpr auto kWeek = std::chrono::hours(24 * 7);
  Service& service = *r.service;
  std::optional<BoardSummary> best;
  long best_rating = 0;
  const auto consider = [&](const BoardKey& key) {
    auto board = service.store.find_summary(key);
    if (!board || !board->load_error.empty() || board->ply_count == 0) return;
    service.update_names(*board);
    if (board->has_player(r.userid)) return;
    const long rating = mean_rating(service, *board->game, board->names);
    if (best && rating <= best_rating) return;
    best = std::move(board);
    best_rating = rating;
  };
  for (const BoardKey& key : service.store.rows().find_running(0, kLookedAt))
    if (const auto board = service.store.find_summary(key); board && board->seats.unplayed.empty())
      consider(key);
  const bool runs = best.has_value();
  for (const GameType& game : all_games()) {
    if (runs) break;
    for (const std::int64_t number : service.history.find_games(game.name, {}, kLookedAt)) {
      const FinishedGame finished = service.history.read_game(number);
      if (finished.ended_at < service.time() - kWeek) break;
      consider({&game, finished.board_number});
    }
  }
  if (!best)
    return Refusal{
        "No game of others runs in which all have moved, and none with moves ended in the last "
        "week."};
  const BoardPtr board = value_or_throw(service.store.open(best->key()));
  return Reply(std::string(runs ? "The best game that runs: " : "The best game of the week: ") +
                   join_with_and(best->names) + ", mean rating " + std::to_string(best_rating) +
                   ".",
               board_reply_lines(r, *board, board->match.log().size()));
}

// Lists what changes often, as programs ask for it often. The cost depends on the number of
// connections, not of accounts.
Reply run_lobby(Request& r) {
  Service& service = *r.service;
  Lines lines;
  const auto seeks = visible_seeks(service, r.userid);
  for (const Seek& seek : seeks) lines.push_back(encode(seek));
  const auto own = service.tournaments.find_unfinished(r.userid);
  for (Tournament& t : service.tournaments.find_unfinished()) {
    t.has_joined = std::ranges::find(own, t.name, &Tournament::name) != own.end();
    lines.push_back(encode(t));
  }
  const std::set<std::string> here = service.connections.userids();
  for (const std::string& userid : here) {
    const auto account = service.accounts.find(userid);
    if (!account || lines.size() == kMaxLines) continue;
    Person person{userid, true, account->is_computer};
    lines.push_back(encode(person));
  }
  return Reply(format_count(seeks.size(), "open challenge", "open challenges") + ", " +
                   format_count(here.size(), "userid", "userids") + " signed in.",
               std::move(lines));
}

Reply run_people(Request& r) {
  Service& service = *r.service;
  std::map<std::string, Person> people;
  const std::set<std::string> here = service.connections.userids();
  for (const Account& account : service.accounts.all())
    if (people.size() < kMaxLines)
      people[account.userid] = {account.userid, here.count(account.userid) > 0,
                                account.is_computer};
  for (const auto& [name, boards] : service.store.rows().count_running_by_name())
    if (const auto found = people.find(lower(name)); found != people.end())
      found->second.board_count += boards;
  for (const GameType& game : all_games())
    for (const auto& [userid, rating] : service.history.ratings(game.name))
      if (const auto found = people.find(userid); found != people.end())
        found->second.ratings[std::string(game.name)] = {std::lround(rating.value),
                                                         rating.is_provisional(), rating.won,
                                                         rating.lost, rating.tied};
  Lines lines;
  for (const auto& [userid, person] : people) lines.push_back(encode(person));
  const std::string said = format_count(lines.size(), "userid", "userids") + ".";
  return Reply(said, std::move(lines));
}

Reply run_hello(Request& r) {
  if (!r.words.empty()) {
    const auto version = read_whole_number<unsigned>(r.words[0]);
    if (!version || *version == 0)
      return Refusal{"'" + fit(r.words[0], 20) + "' is not a version number."};
    if (*version >= kProtocolVersion) r.session->set_program();
  }
  std::string commands;
  for (const CommandRow& row : command_rows())
    if (row.is_available(r.session->is_owner()))
      commands += (commands.empty() ? "" : ", ") + std::string(row.verb());
  const std::string version = std::to_string(kProtocolVersion);
  Lines lines{"{protocol: " + version + ", commands: [" + commands + "]}"};
  for (std::string& line : r.service->welcome()) lines.push_back(std::move(line));
  return Reply("This server has protocol version " + version + ".", std::move(lines));
}

}  // namespace

std::span<const CommandRow> ratings_rows() {
  static const CommandRow rows[] = {
      {"GAME standings", "", "list ratings, best first", run_standings},
      {"standings", "", "list the ratings of all games, best first", run_standings},
      {"GAME ratings", "[userid...]", "list ratings by name", run_ratings},
      {"GAME history", "[userid...] [#number]",
       "list finished games, latest first; #number skips as many", run_history},
      {"history", "[userid...] [#number]", "list all finished games, latest first", run_history},
      {"profile", "[userid]", "show results by opponent, the curve of ratings, places on ladders",
       run_profile},
      {"tv", "", "show the best game that runs, or the best one that ended in the last week",
       run_tv},
      {"lobby", "", "for programs: open challenges and signed-in userids", run_lobby},
      {"people", "", "for programs: all userids with their ratings", run_people},
      {"hello", "[version]", "for programs: show the commands; get YAML, not drawings", run_hello},
  };
  return rows;
}

}  // namespace pbm
