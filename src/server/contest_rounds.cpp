// SPDX-License-Identifier: MIT
#include "server/contest_rounds.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "protocol/new_board.hpp"
#include "server/tournaments/pairing.hpp"
#include "server/tournaments/standings.hpp"

namespace pbm {
namespace {

using Names = std::vector<std::string>;

// Three days to a reminder, and seven to the loss: a challenge that nobody accepts costs the place.
constexpr TimeLimits kLadderLimits{3, 7, std::nullopt};
// From the end of a challenge to the next one of the same player.
constexpr auto kSameChallengeTime = std::chrono::hours(24);

void send_contest_event(Service& service, Event::Kind kind, const std::string& name,
                        const Names& users, const std::string& text) {
  Event event{kind};
  event.move = name;
  event.text = text;
  service.send_event(users, event, true);
}

// Makes a board and informs its players. Refuses if the game has no number left.
Result<BoardPtr> begin_game(Service& service, const GameType& game, Names options,
                            const Names& seats) {
  const auto limits = take_time_limits(options);
  if (!limits) return limits.refusal();
  const auto read = read_options(game, options);
  if (!read) return read.refusal();
  auto match = Match::start(game, *read, seats, service.time());
  if (!match) return match.refusal();
  match->set_limits(*limits);
  return service.store.create(*match, "");
}

// Sends the state of a new board and the first turn. Pre: its contest is stored.
void announce_board(Service& service, const BoardPtr& board) {
  service.chats.clear(board->key.id());
  const Names users = service.audience(board->summary);
  service.send_board_state(users, board->summary, {});
  service.send_event({board->match.names().front()}, {Event::Kind::turn, board->key, "", 1}, false);
}

const TournamentEntry& entry_of(const std::vector<TournamentEntry>& entries, std::size_t number) {
  return *std::ranges::find(entries, number, &TournamentEntry::number);
}

// The rounds and opponents that begin for a player.
struct NewGames {
  Names rounds;
  Names opponents;  // each once; none: a bye
};

void send_new_games(Service& service, const std::string& name,
                    const std::map<std::string, NewGames>& news) {
  for (const auto& [user, games] : news) {
    send_contest_event(service, Event::Kind::tournament, name, {user},
                       (games.rounds.size() == 1 ? "Round " : "Rounds ") +
                           join_with_and(games.rounds) + " of " + name + ": you " +
                           (games.opponents.empty() ? "have a bye, which counts as a win"
                                                    : "play " + join_with_and(games.opponents)) +
                           ".");
  }
}

// Begins the games that can begin: in a round robin nobody plays more than kMaxAtOnce at once. A
// game that cannot begin now begins in the next minute.
void begin_games(Service& service, const Tournament& t, const std::vector<TournamentGame>& byes) {
  const auto entries = service.tournaments.entries(t.name);
  auto games = service.tournaments.games(t.name);
  std::map<std::size_t, std::size_t> running;
  for (const TournamentGame& game : games)
    if (!is_over(game) && !game.board.empty()) ++running[game.first], ++running[game.second];
  std::map<std::string, NewGames> news;
  const auto add_news = [&](std::size_t player, std::size_t round, std::size_t opponent) {
    NewGames& own = news[entry_of(entries, player).userid];
    if (std::string one = std::to_string(round); own.rounds.empty() || own.rounds.back() != one)
      own.rounds.push_back(std::move(one));
    if (opponent == 0) return;
    const std::string& name = entry_of(entries, opponent).userid;
    if (std::ranges::find(own.opponents, name) == own.opponents.end())
      own.opponents.push_back(name);
  };
  for (const TournamentGame& game : byes)
    if (game.second == 0) add_news(game.first, game.round, 0);
  for (std::size_t i = 0; i < games.size(); ++i) {
    TournamentGame& game = games[i];
    if (is_over(game) || !game.board.empty()) continue;
    if (t.form == Tournament::Form::round_robin &&
        std::max(running[game.first], running[game.second]) >= Tournaments::kMaxAtOnce)
      continue;
    const auto board =
        begin_game(service, *t.game, t.options,
                   {entry_of(entries, game.first).userid, entry_of(entries, game.second).userid});
    if (!board) continue;
    ++running[game.first], ++running[game.second];
    game.board = (*board)->key.id();
    service.tournaments.set_game({t.name, i}, game);
    // The reply to the move that ended the round says nothing of the next one.
    service.notifier.set_actor("");
    announce_board(service, *board);
    add_news(game.first, game.round, game.second);
    add_news(game.second, game.round, game.first);
  }
  send_new_games(service, t.name, news);
}

// Decides games that never begin because a player has withdrawn.
void decide_walkovers(Service& service, const std::string& name) {
  const auto entries = service.tournaments.entries(name);
  const auto games = service.tournaments.games(name);
  for (std::size_t i = 0; i < games.size(); ++i) {
    TournamentGame game = games[i];
    if (is_over(game) || !game.board.empty()) continue;
    const bool first = entry_of(entries, game.first).has_withdrawn,
               second = entry_of(entries, game.second).has_withdrawn;
    if (!first && !second) continue;
    game.result = first && second ? GameResult::annulled
                  : first         ? GameResult::second
                                  : GameResult::first;
    service.tournaments.set_game({name, i}, game);
  }
}

std::string describe_winners(const Tournament& t, const std::vector<TournamentEntry>& ranked) {
  if (ranked.front().has_withdrawn) return t.name + " is over. All players have withdrawn.";
  Names winners;
  for (const TournamentEntry& entry : ranked)
    if (entry.place == 1) winners.push_back(entry.userid);
  const std::string points = format_points(ranked.front().half_points);
  return t.name + " is over. " +
         (winners.size() == 1 ? winners.front() + " wins"
                              : join_with_and(winners) + " share first place") +
         (t.form == Tournament::Form::knockout
              ? "."
              : ", with " + points + (points == "1" ? " point." : " points."));
}

void finish_tournament(Service& service, Tournament t) {
  t.state = Tournament::State::over;
  t.ended_at = service.time();
  t.rounds = t.round;
  service.tournaments.put(t);
  auto entries = service.tournaments.entries(t.name);
  rank_entries(entries, t.form, service.tournaments.games(t.name));
  inform_players(service, t.name, describe_winners(t, entries));
}

// Returns the games of the next round, or none after the last.
std::vector<TournamentGame> pair_next_round(Service& service, const Tournament& t,
                                            const std::vector<TournamentGame>& games) {
  if (t.form == Tournament::Form::knockout)
    return games.empty() ? pair_knockout(t.entry_count) : pair_next_knockout_round(games);
  if (t.form == Tournament::Form::round_robin)
    return games.empty() ? pair_round_robin(t.entry_count, t.is_double)
                         : std::vector<TournamentGame>{};
  if (t.round == t.rounds) return {};
  auto entries = service.tournaments.entries(t.name);
  rank_entries(entries, t.form, games);
  std::vector<SwissPlayer> players;
  for (const TournamentEntry& entry : entries)
    if (!entry.has_withdrawn) players.push_back({entry.number, entry.half_points});
  return pair_swiss(players, games);
}

// True if a game shows that the player takes part in the ladder: with a move of theirs, or if they
// challenged and the opponent never moved.
bool is_active_in(const Match& match, const LadderGame& game, const std::string& userid) {
  const auto has_moved = [&](const std::string& who) {
    return std::ranges::any_of(match.plies(), [&](const Match::Ply& ply) {
      return equals_ignoring_case(match.names()[index(ply.seat)], who);
    });
  };
  const auto winner = match.ending()->winner;
  return has_moved(userid) || (userid == game.challenger && winner && !has_moved(game.challenged) &&
                               equals_ignoring_case(match.names()[index(*winner)], userid));
}

void record_ladder_result(Service& service, const LadderGame& game, const Match* match) {
  const Time now = service.time();
  if (match) service.ladders.end_game(game.board, now);
  else service.ladders.forget_game(game.board);
  auto players = service.ladders.players(game.ladder);
  const auto place_of = [&](const std::string& userid) {
    return std::ranges::find(players, userid, &LadderPlayer::userid);
  };
  for (const std::string& userid : {game.challenger, game.challenged})
    if (const auto player = place_of(userid);
        player != players.end() && (!match || is_active_in(*match, game, userid))) {
      player->last_game = now;
      player->drop_count = 0;
    }
  if (!match) return service.ladders.set_players(game.ladder, players, now);
  const auto winner = match->ending()->winner;
  const std::string title = service.ladders.describe_board(game.board).substr(10);
  std::string text = "The ladder game of " + game.challenger + " and " + game.challenged + " at " +
                     title + " is a tie. Both keep their places.";
  if (winner) {
    const std::string won = lower(match->names()[index(*winner)]),
                      lost = won == game.challenger ? game.challenged : game.challenger;
    const auto before = place_of(won) - players.begin();
    apply_win(players, won, lost);
    const auto after = place_of(won) - players.begin();
    text = won + " beats " + lost + " and " +
           (after == before ? "keeps the place" : "takes place " + std::to_string(after + 1)) +
           " on the ladder of " + title + ".";
  }
  service.ladders.set_players(game.ladder, players, now);
  send_contest_event(service, Event::Kind::ladder, game.ladder, {game.challenger, game.challenged},
                     text);
}

// Moves idle players down and informs those who lost places.
void drop_idle(Service& service, const std::string& ladder) {
  const auto before = service.ladders.players(ladder);
  auto after = before;
  drop_idle_players(after, service.time());
  service.ladders.set_players(ladder, after, service.time());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto old = std::ranges::find(before, after[i].userid, &LadderPlayer::userid);
    if (static_cast<std::size_t>(old - before.begin()) < i && old->drop_count < after[i].drop_count)
      send_contest_event(service, Event::Kind::ladder, ladder, {after[i].userid},
                         "You have played no ladder game for long and are now at place " +
                             std::to_string(i + 1) + " of " + ladder +
                             ". Each week without one costs a place.");
  }
}

}  // namespace

void inform_players(Service& service, const std::string& name, const std::string& text) {
  Names users;
  for (const TournamentEntry& entry : service.tournaments.entries(name))
    if (!entry.has_withdrawn) users.push_back(entry.userid);
  send_contest_event(service, Event::Kind::tournament, name, users, text);
}

void continue_tournament(Service& service, const std::string& name) {
  std::vector<TournamentGame> added;
  for (;;) {
    decide_walkovers(service, name);
    const Tournament t = *service.tournaments.find(name);
    if (t.state != Tournament::State::running) return;
    const auto games = service.tournaments.games(name);
    if (!std::ranges::all_of(games, is_over)) return begin_games(service, t, added);
    added = pair_next_round(service, t, games);
    if (added.empty()) return finish_tournament(service, t);
    service.tournaments.add_games(name, added);
  }
}

Result<Success> start_tournament(Service& service, Tournament t) {
  auto entries = service.tournaments.entries(t.name);
  if (entries.size() < Tournaments::kMinEntries)
    return Refusal{t.name + " needs at least " + std::to_string(Tournaments::kMinEntries) +
                   " players and has " + std::to_string(entries.size()) + "."};
  for (TournamentEntry& entry : entries)
    entry.rating = service.history.rounded_rating(t.game->name, entry.userid);
  std::ranges::stable_sort(entries, std::greater<>(), &TournamentEntry::rating);
  service.tournaments.set_entries(t.name, entries);
  const std::size_t n = entries.size();
  if (t.form == Tournament::Form::swiss)
    t.rounds = t.rounds == 0 ? default_swiss_rounds(n) : std::min(t.rounds, max_swiss_rounds(n));
  else if (t.form == Tournament::Form::knockout) t.rounds = knockout_rounds(n);
  else t.rounds = (n - 1 + n % 2) * (t.is_double ? 2 : 1);
  t.state = Tournament::State::running;
  t.started_at = service.time();
  service.tournaments.put(t);
  continue_tournament(service, t.name);
  return Success{};
}

void cancel_tournament(Service& service, Tournament t) {
  const auto games = service.tournaments.games(t.name);
  for (std::size_t i = 0; i < games.size(); ++i)
    if (!is_over(games[i])) {
      TournamentGame game = games[i];
      game.result = GameResult::annulled;
      service.tournaments.set_game({t.name, i}, game);
    }
  inform_players(service, t.name,
                 t.name + " is cancelled." +
                     (t.started_at ? " Its running games go on and decide nothing more." : ""));
  // The name of one that never began is free again.
  if (!t.started_at) return service.tournaments.erase(t.name);
  t.state = Tournament::State::cancelled;
  t.ended_at = service.time();
  service.tournaments.put(t);
}

bool has_just_challenged(Service& service, const LadderGame& game) {
  const auto ended = service.ladders.last_challenge_end(game);
  return ended && service.time() < *ended + kSameChallengeTime;
}

Result<BoardPtr> challenge_on_ladder(Service& service, const std::string& ladder,
                                     const std::string& challenger, const std::string& challenged) {
  const auto players = service.ladders.players(ladder);
  const auto place_of = [&](const std::string& userid) {
    return index(std::ranges::find(players, userid, &LadderPlayer::userid) - players.begin()) + 1;
  };
  for (const std::string& userid : {challenger, challenged})
    if (place_of(userid) > players.size())
      return Refusal{fit(userid, 20) + " has no place on this ladder."};
  if (!is_in_reach(place_of(challenger), place_of(challenged), players.size()))
    return Refusal{"You may challenge a player at most " + std::to_string(kLadderReach) +
                   " places above you" +
                   (players.size() >= kLongLadder ? ", or in the upper fifth" : "") + ". " +
                   challenged + " has place " + std::to_string(place_of(challenged)) +
                   ", and you have " + std::to_string(place_of(challenger)) + "."};
  for (const LadderGame& game : service.ladders.running_games(ladder)) {
    if (game.challenger == challenger)
      return Refusal{"You have already challenged " + game.challenged +
                     ". Finish that game first."};
    if (game.challenged == challenged)
      return Refusal{game.challenger + " has already challenged " + challenged +
                     ". Wait for the end of that game."};
  }
  if (has_just_challenged(service, {"", ladder, challenger, challenged}))
    return Refusal{"Your challenge of " + challenged +
                   " ended less than a day ago. Challenge somebody else, or wait."};
  const Ladder info = service.ladders.find(ladder, "");
  Names options = info.options;
  for (std::string& word : kLadderLimits.option_words()) options.push_back(std::move(word));
  auto board = begin_game(service, *info.game, options, {challenged, challenger});
  if (!board) return board;
  service.ladders.add_game({(*board)->key.id(), ladder, challenger, challenged});
  announce_board(service, *board);
  send_contest_event(service, Event::Kind::ladder, ladder, {challenged},
                     challenger + " challenges you on the ladder of " + info.title() +
                         ". Your first move is due in " +
                         std::to_string(*kLadderLimits.forfeit_days) +
                         " days, or you lose the game.");
  return board;
}

void record_contest_result(Service& service, const BoardKey& key, const Match* match) {
  if (const auto game = service.ladders.find_running_game(key.id()))
    return record_ladder_result(service, *game, match);
  const auto place = service.tournaments.find_game(key.id());
  if (!place) return;
  TournamentGame game = service.tournaments.games(place->tournament)[place->index];
  const Tournament t = *service.tournaments.find(place->tournament);
  // The winners of a knockout's earlier round play on.
  if (is_over(game) && (match || (t.form == Tournament::Form::knockout && game.round < t.round)))
    return;
  const auto winner = match ? match->ending()->winner : std::nullopt;
  game.result = !match         ? GameResult::annulled
                : !winner      ? GameResult::tie
                : *winner == 0 ? GameResult::first
                               : GameResult::second;
  // The game names no board that is gone.
  if (!service.store.rows().has(key)) game.board.clear();
  service.tournaments.set_game(*place, game);
  continue_tournament(service, place->tournament);
}

void annul_lost_games(Service& service) {
  for (const auto& lost :
       {service.tournaments.find_lost_boards(), service.ladders.find_lost_boards()})
    for (const std::string& id : lost)
      if (const auto key = read_board_id(id)) record_contest_result(service, *key, nullptr);
}

void run_contest_clocks(Service& service) {
  annul_lost_games(service);
  for (const Tournament& t : service.tournaments.find_unfinished()) {
    if (t.state == Tournament::State::running) begin_games(service, t, {});
    else if (t.start_time && *t.start_time <= service.time() && !start_tournament(service, t))
      cancel_tournament(service, t);
  }
  for (const std::string& ladder : service.ladders.names()) drop_idle(service, ladder);
}

}  // namespace pbm
