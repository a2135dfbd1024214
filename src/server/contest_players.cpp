// SPDX-License-Identifier: MIT
#include "server/contest_players.hpp"

#include <algorithm>

#include "server/board_actions.hpp"
#include "server/contest_rounds.hpp"
#include "server/tournaments/standings.hpp"

namespace pbm {
namespace {

// Resigns the game on a board for a player. Pre: it runs.
void resign_board(Service& service, const std::string& id, const std::string& userid) {
  const auto key = read_board_id(id);
  const auto board = key ? service.store.open(*key) : Refusal{""};
  if (!board) return;
  if (const auto seat = (*board)->summary.find_seat(userid); seat && !(*board)->match.ending())
    value_or_throw(forfeit(service, *board, *seat, ForfeitReason::none));
}

// Annuls the player's finished games in a match of a knockout that is not over, so that nobody goes
// on after a withdrawal.
void annul_match(Service& service, const std::string& name,
                 const std::vector<TournamentGame>& games, std::size_t entry) {
  const auto of_match = [](const TournamentGame& a, const TournamentGame& b) {
    return a.round == b.round && a.first + a.second == b.first + b.second;
  };
  for (std::size_t i = 0; i < games.size(); ++i) {
    TournamentGame game = games[i];
    if (!is_over(game) || (game.first != entry && game.second != entry) ||
        std::ranges::all_of(games, [&](const auto& other) {
          return is_over(other) || !of_match(game, other) ||
                 (other.first != entry && other.second != entry);
        }))
      continue;
    game.result = GameResult::annulled;
    service.tournaments.set_game({name, i}, game);
  }
}

}  // namespace

Result<Success> withdraw_from_tournament(Service& service, const Tournament& t,
                                         const std::string& userid) {
  const auto entries = service.tournaments.entries(t.name);
  const auto found = std::ranges::find(entries, userid, &TournamentEntry::userid);
  if (found == entries.end()) return Refusal{userid + " does not play in " + t.name + "."};
  if (found->has_withdrawn) return Refusal{userid + " has already withdrawn from " + t.name + "."};
  TournamentEntry entry = *found;
  const auto games = service.tournaments.games(t.name);
  entry.has_withdrawn = true;
  entry.is_struck =
      t.form == Tournament::Form::round_robin && is_struck_by_withdrawal(games, entry.number);
  service.tournaments.set_entry(t.name, entry);
  inform_players(service, t.name,
                 userid + " has withdrawn from " + t.name + "." +
                     (entry.is_struck ? " Their games do not count." : ""));
  if (t.form == Tournament::Form::knockout) annul_match(service, t.name, games, entry.number);
  for (const TournamentGame& game : games)
    if (!is_over(game) && !game.board.empty() &&
        (game.first == entry.number || game.second == entry.number))
      resign_board(service, game.board, userid);
  continue_tournament(service, t.name);
  return Success{};
}

Result<Success> replace_entry(Service& service, const Tournament& t, const std::string& userid,
                              const std::string& other) {
  auto entries = service.tournaments.entries(t.name);
  const auto found = std::ranges::find(entries, userid, &TournamentEntry::userid);
  if (found == entries.end() || found->has_withdrawn)
    return Refusal{userid + " does not play in " + t.name + "."};
  if (std::ranges::find(entries, other, &TournamentEntry::userid) != entries.end())
    return Refusal{other + " already plays in " + t.name + "."};
  if (const auto may = service.check_ban(service.accounts.find(other)); !may) return may.refusal();
  found->userid = other;
  service.tournaments.set_entry(t.name, *found);
  for (const TournamentGame& game : service.tournaments.games(t.name)) {
    const auto key = is_over(game) ? std::nullopt : read_board_id(game.board);
    if (!key || (game.first != found->number && game.second != found->number)) continue;
    service.queued_plies.drop({key->id(), userid});
    if (const auto done = rename_on_board(service, *key, userid, other); !done) return done;
  }
  inform_players(service, t.name,
                 other + " plays in " + t.name + " in the place of " + userid + ".");
  return Success{};
}

void leave_ladder(Service& service, const std::string& ladder, const std::string& userid) {
  for (const LadderGame& game : service.ladders.running_games(ladder))
    if (game.challenger == userid || game.challenged == userid)
      resign_board(service, game.board, userid);
  auto players = service.ladders.players(ladder);
  std::erase_if(players, [&](const LadderPlayer& player) { return player.userid == userid; });
  service.ladders.set_players(ladder, players, service.time());
}

void leave_contests(Service& service, const std::string& userid) {
  for (const Tournament& t : service.tournaments.find_unfinished())
    if (t.state == Tournament::State::open && t.creator == userid) cancel_tournament(service, t);
  for (const Tournament& t : service.tournaments.find_unfinished(userid)) {
    if (t.state == Tournament::State::running) {
      value_or_throw(withdraw_from_tournament(service, t, userid));
      continue;
    }
    auto entries = service.tournaments.entries(t.name);
    std::erase_if(entries, [&](const TournamentEntry& e) { return e.userid == userid; });
    service.tournaments.set_entries(t.name, entries);
  }
  for (const std::string& ladder : service.ladders.find_ladders(userid))
    leave_ladder(service, ladder, userid);
}

}  // namespace pbm
