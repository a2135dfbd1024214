// SPDX-License-Identifier: MIT
// Commands about ladders: one for each game, and more for options that the owner opened.
#include <algorithm>

#include "base/text.hpp"
#include "protocol/contest_pages.hpp"
#include "protocol/new_board.hpp"
#include "server/commands/helpers.hpp"
#include "server/contest_players.hpp"
#include "server/contest_rounds.hpp"

namespace pbm {
namespace {

Reply list_ladders(Request& r) {
  std::vector<Ladder> all;
  for (const std::string& name : r.service->ladders.names())
    all.push_back(r.service->ladders.find(name, r.userid));
  return Reply(format_count(all.size(), "ladder", "ladders") + ": name, players, leader.",
               r.wants_data
                   ? make_lines(all, kMaxLines, [](const Ladder& ladder) { return encode(ladder); })
                   : to_lines(make_ladder_list(all)));
}

Reply show_ladder(const Request& r, const std::string& name) {
  Service& service = *r.service;
  const Ladder ladder = service.ladders.find(name, r.userid);
  const auto players = service.ladders.players(name);
  const auto since = service.ladders.since(name);
  const auto games = service.ladders.running_games(name);
  const bool is_busy = std::ranges::count(games, r.userid, &LadderGame::challenger) > 0;
  std::vector<LadderPlace> places;
  for (std::size_t i = 0; i < players.size(); ++i) {
    LadderPlace place{i + 1, players[i].userid};
    place.rating = service.history.rounded_rating(ladder.game->name, place.userid);
    place.since = since[i];
    const auto game = std::ranges::find(games, place.userid, &LadderGame::challenged);
    if (game != games.end()) place.board = game->board, place.challenger = game->challenger;
    place.may_challenge = game == games.end() && !is_busy && ladder.own_place > 0 &&
                          is_in_reach(ladder.own_place, place.place, players.size()) &&
                          !has_just_challenged(service, {"", name, r.userid, place.userid});
    places.push_back(std::move(place));
  }
  Lines lines;
  if (r.wants_data) {
    lines.push_back(encode(ladder));
    for (const LadderPlace& place : places) lines.push_back(encode(place));
  } else {
    lines = to_lines(make_ladder_page(places, r.userid));
  }
  return Reply("Ladder of " + ladder.title() + ", " +
                   format_count(players.size(), "player", "players") + ": place, player, rating.",
               std::move(lines));
}

Reply join_ladder(const Request& r, const std::string& name) {
  Service& service = *r.service;
  auto players = service.ladders.players(name);
  if (std::ranges::find(players, r.userid, &LadderPlayer::userid) != players.end())
    return Refusal{"You already have a place on this ladder."};
  if (players.size() >= Ladders::kMaxPlayers)
    return Refusal{"The ladder has " + std::to_string(players.size()) + " players, the limit."};
  players.push_back({r.userid, service.time()});
  service.ladders.set_players(name, players, service.time());
  return Reply("You have place " + std::to_string(players.size()) + " on this ladder.");
}

Reply challenge_above(const Request& r, const std::string& name) {
  Service& service = *r.service;
  const std::string other = lower(r.words[2]);
  value_or_throw(service.check_ban(service.accounts.find(other)));
  value_or_throw(service.minute_limits.challenges.check_and_add(r.userid, service.moment()));
  const auto board = value_or_throw(challenge_on_ladder(service, name, r.userid, other));
  return Reply("Board " + std::to_string(board->key.number) + ": you challenge " + other +
                   ", who moves first.",
               board_reply_lines(r, *board, 0));
}

Reply run_ladder(Request& r) {
  Service& service = *r.service;
  if (r.words.empty()) return list_ladders(r);
  const std::string name = read_ladder_name(r);
  if (!service.ladders.has(name))
    return Refusal{"There is no ladder " + name + ". Type ladders for the list."};
  if (r.words.size() == 1) return show_ladder(r, name);
  if (r.userid.empty()) return Refusal{"Sign in first with login userid password."};
  const auto is = [&](std::string_view word, std::size_t words) {
    return equals_ignoring_case(r.words[1], word) && r.words.size() == words;
  };
  if (is("join", 2)) return join_ladder(r, name);
  if (is("challenge", 3)) return challenge_above(r, name);
  if (!is("leave", 2)) return Refusal{"Write: " + command_syntax(*r.row)};
  if (service.ladders.find(name, r.userid).own_place == 0)
    return Refusal{"You have no place on this ladder."};
  leave_ladder(service, name, r.userid);
  return Reply("You have left the ladder of " + name + ".");
}

}  // namespace

std::string read_ladder_name(const Request& r) {
  Lines options = r.options;
  const GameType* game = find_game(r.words[0], options);
  if (!game) game = need_game(r.words[0]);
  const auto words = value_or_throw(read_options(*game, options)).to_words();
  return std::string(game->name) + (words.empty() ? "" : " " + join(words));
}

std::span<const CommandRow> ladder_rows() {
  static const CommandRow rows[] = {
      {"ladders", "", "list the ladders with their leaders", list_ladders},
      {"ladder", "[game [join|leave|challenge userid]] [-options]",
       "show a ladder, join or leave it, or challenge a player above you", run_ladder},
  };
  return rows;
}

}  // namespace pbm
