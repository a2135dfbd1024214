// SPDX-License-Identifier: MIT
// Commands that begin boards.
#include <algorithm>

#include "base/text.hpp"
#include "game/options.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

// Why a userid cannot be challenged, or nothing.
std::optional<Refusal> unwilling(Service& service, const GameType& game,
                                 const std::string& userid) {
  const Account* account = service.accounts().find(userid);
  if (!account)
    return Refusal{service.accounts().ever(userid)
                       ? userid + " has signed off."
                       : "There is no userid " + fit(userid, 20) +
                             " here yet: its owner has to come in first."};
  const auto limit = account->limits.find(std::string(game.name));
  if (limit != account->limits.end()) {
    if (limit->second == 0)
      return Refusal{userid + " takes no new boards of " + std::string(game.title) + "."};
    if (service.store().running(userid, &game) >= limit->second)
      return Refusal{userid + " takes " + count_of(limit->second, "board", "boards") + " of " +
                     std::string(game.title) + " at most, and has as many."};
  }
  if (service.store().running(userid, nullptr) >= service.options().boards_a_user)
    return Refusal{userid + " has " + std::to_string(service.options().boards_a_user) +
                   " boards, the most anybody may have."};
  return std::nullopt;
}

// Why the request's user cannot begin a board with `names`, or nothing. What not everybody has
// played on is nobody's board yet, but has its own bounds.
std::optional<Refusal> too_many_begun(const Request& r, const std::vector<std::string>& names) {
  const ServiceOptions& bounds = r.service->options();
  for (const std::string& name : names)
    if (name != r.user && r.service->store().unplayed(r.user, name) >= bounds.unplayed_between_two)
      return Refusal{r.user + " and " + name + " have " +
                     count_of(bounds.unplayed_between_two, "board", "boards") +
                     " on which not everybody has played yet, the most there may be between two: "
                     "play or refuse those first."};
  if (r.service->store().begun(r.user) >= bounds.unplayed_begun)
    return Refusal{
        r.user + " has begun " + count_of(bounds.unplayed_begun, "board", "boards") +
        " on which not everybody has played yet, the most anybody may: wait for an answer."};
  return std::nullopt;
}

}  // namespace

Reply run_challenge(Request& r) {
  Service& service = *r.service;
  std::vector<std::string> names;
  for (const std::string& word : r.words) names.push_back(lower(word));
  if (std::find(names.begin(), names.end(), r.user) == names.end())
    return Refusal{"This connection speaks for " + r.user + ", who must be one of the players."};
  const auto options = read_options(*r.game, r.options);
  if (!options) return options.refusal();
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return Refusal{names[i] + " cannot have two seats."};
  const auto match = Match::start(*r.game, *options, names, service.time());
  if (!match) return match.refusal();
  for (const std::string& name : names)
    if (const auto why = unwilling(service, *r.game, name)) return *why;
  if (const auto why = too_many_begun(r, names)) return *why;
  if (const auto may = may_say(r); !may) return may.refusal();
  if (const auto may = service.may_challenge(r.user); !may) return may.refusal();
  const auto board = service.store().create(*match, r.user);
  if (!board) return board.refusal();
  service.count_challenge(r.user);
  const BoardKey key = (*board)->key;
  const auto users = service.audience(*service.store().info(key));
  Event told{Event::Kind::challenge, key};
  told.text = all_of(names) + ", " + title_with_options(*r.game, *options);
  service.store().after(key,
                        [&service, users, told, first = names.front(), from = r.session->number()] {
                          if (const StoredBoard* info = service.store().info(*told.board))
                            service.tell_now(users, *info, {}, from);
                          service.tell(users, told, true, from);
                          service.tell({first}, {Event::Kind::turn, told.board, "", 1}, false);
                        });
  say_on_board(r, *service.store().info(key));
  std::string computers;
  for (const std::string& name : names)
    if (service.accounts().find(name)->computer) computers += " " + name + " is a computer.";
  return Reply("Board " + std::to_string(key.number) + " of " +
                   title_with_options(*r.game, *options) + ": " + all_of(names) + "." + computers,
               board_in_reply(r, **board, 0));
}

}  // namespace pbm
