// SPDX-License-Identifier: MIT
// Commands that begin boards: challenges, open ones, and who wants nothing to do with whom.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "game/options.hpp"
#include "protocol/new_board.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

// Why a userid cannot be challenged, or nothing.
std::optional<Refusal> unwilling(Service& service, const GameType& game, const std::string& userid,
                                 std::size_t boards) {
  const auto account = service.accounts().find(userid);
  if (!account)
    return Refusal{service.accounts().ever(userid)
                       ? userid + " has signed off."
                       : "There is no userid " + fit(userid, 20) +
                             " here yet: its owner has to come in first."};
  if (const auto may = service.may_use(account); !may) return may.refusal();
  if (const auto limit = service.accounts().limit(userid, game.name)) {
    if (*limit == 0)
      return Refusal{userid + " takes no new boards of " + std::string(game.title) + "."};
    if (service.store().running(userid, &game) + boards > *limit)
      return Refusal{userid + " takes " + count_of(*limit, "board", "boards") + " of " +
                     std::string(game.title) + " at most, and has as many."};
  }
  if (service.store().running(userid, nullptr) + boards > service.options().boards_a_user)
    return Refusal{userid + " has " + std::to_string(service.options().boards_a_user) +
                   " boards, the most anybody may have."};
  return std::nullopt;
}

// Why the request's user cannot begin so many boards with `names`, or nothing. What not everybody
// has played on is nobody's board yet, but has its own bounds.
std::optional<Refusal> too_many_begun(const Request& r, const std::vector<std::string>& names,
                                      std::size_t boards) {
  const ServiceOptions& bounds = r.service->options();
  for (const std::string& name : names)
    if (name != r.user &&
        r.service->store().unplayed(r.user, name) + boards > bounds.unplayed_between_two)
      return Refusal{r.user + " and " + name + " have " +
                     count_of(bounds.unplayed_between_two, "board", "boards") +
                     " on which not everybody has played yet, the most there may be between two: "
                     "play or refuse those first."};
  if (r.service->store().begun(r.user) + boards > bounds.unplayed_begun)
    return Refusal{
        r.user + " has begun " + count_of(bounds.unplayed_begun, "board", "boards") +
        " on which not everybody has played yet, the most anybody may: wait for an answer."};
  return std::nullopt;
}

// What is asked for, in the words of a command: between whom, in the order of the seats.
struct Terms {
  std::vector<std::string> names, options;
};

// The boards that would be begun. Refuses whatever can be refused, with nothing changed.
Result<std::vector<Match>> judge(const Request& r, const GameType& game, const Terms& terms) {
  Service& service = *r.service;
  const auto& names = terms.names;
  if (const auto may = service.may_begin(); !may) return may.refusal();
  const auto said = read_terms(game, terms.options);
  if (!said) return said.refusal();
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return Refusal{names[i] + " cannot have two seats."};
  if (said->pair && names.size() > 2)
    return Refusal{"-pair is for two: on the second board they swap their seats."};
  std::vector<Match> out;
  for (std::size_t i = 0; i < (said->pair ? 2U : 1U); ++i) {
    auto match = Match::start(game, said->options, i == 0 ? names : std::vector{names[1], names[0]},
                              service.time());
    if (!match) return match.refusal();
    match->set_limits(said->limits);
    out.push_back(*match);
  }
  for (const std::string& name : names)
    if (const auto why = unwilling(service, game, name, out.size())) return *why;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const auto may = service.accounts().may_meet(names[j], names[i]); !may)
        return may.refusal();
  if (const auto why = too_many_begun(r, names, out.size())) return *why;
  if (const auto may = may_say(r); !may) return may.refusal();
  if (const auto may = service.in_a_minute().challenges.may(r.user, service.moment()); !may)
    return may.refusal();
  return out;
}

using Boards = std::vector<BoardPtr>;

Result<Boards> create(const Request& r, const std::vector<Match>& matches) {
  Boards out;
  for (const Match& match : matches) {
    auto board = r.service->store().create(match, r.user);
    if (!board) return board.refusal();
    out.push_back(std::move(*board));
  }
  return out;
}

// They are there: has everybody told, and answers.
Reply begun(Request& r, const Boards& boards) {
  Service& service = *r.service;
  const Match& first = boards.front()->match;
  const std::vector<std::string> names = first.names();
  const std::string title = title_with_options(first.game(), first.options());
  service.in_a_minute().challenges.add(r.user, service.moment());
  Lines lines;
  std::vector<std::string> numbers;
  for (const auto& board : boards) {
    const BoardKey key = board->key;
    numbers.push_back(std::to_string(key.number));
    service.chats().begin(key.id());
    auto users = service.audience(board->summary);
    std::erase(users, r.user);
    Event told{Event::Kind::challenge, key};
    told.text = all_of(board->match.names()) + ", " + title;
    if (first.limits() != kUsualLimits)
      told.text += ", " + (first.limits().any() ? first.limits().in_words() : "without a clock");
    const std::uint64_t from = r.session->number();
    service.tell_now({r.user}, board->summary, {}, from);
    service.tell_now(users, board->summary, {}, from);
    service.tell({r.user}, told, false, from);
    service.tell(users, told, true, from);
    service.tell({board->match.names().front()}, {Event::Kind::turn, told.board, "", 1}, false);
    // To people both look the same.
    if (r.session->is_program() || board == boards.front())
      for (std::string& line : board_in_reply(r, *board, 0)) lines.push_back(std::move(line));
  }
  say_on_board(r, boards.front()->summary);
  std::string computers;
  for (const std::string& name : names)
    if (service.accounts().find(name)->computer) computers += " " + name + " is a computer.";
  return Reply((boards.size() > 1 ? "Boards " : "Board ") + all_of(numbers) + " of " + title +
                   ": " + all_of(names) +
                   (boards.size() > 1 ? ", and with the seats swapped." : ".") + computers,
               std::move(lines));
}

Reply begin(Request& r, const GameType& game, const Terms& terms) {
  const auto matches = judge(r, game, terms);
  if (!matches) return matches.refusal();
  const auto boards = create(r, *matches);
  return boards ? begun(r, *boards) : Reply(boards.refusal());
}

// The open seek that the first word names.
Result<Seek> seek_named(const Request& r) {
  const auto number = read_whole_number<std::size_t>(r.words[0]);
  if (!number) return Refusal{"'" + fit(r.words[0], 20) + "' is no seek: they have numbers."};
  if (auto seek = r.service->seeks().find(*number, r.service->time())) return std::move(*seek);
  return Refusal{"There is no seek " + r.words[0] + " any more: sought lists them."};
}

// Refuses whoever is not meant by it.
Result<Done> may_take(Service& service, const Seek& seek, const std::string& userid) {
  if (const auto may = service.accounts().may_meet(userid, seek.userid); !may || !seek.range)
    return may;
  const long rating =
      std::lround(service.history().rating(seek.game->name, userid).value_or(Rating{}).value);
  if (rating >= seek.range->low && rating <= seek.range->high) return Done{};
  return Refusal{"Seek " + std::to_string(seek.number) + " is for ratings from " +
                 std::to_string(seek.range->low) + " to " + std::to_string(seek.range->high) +
                 ", and that of " + userid + " is " + std::to_string(rating) + "."};
}

// Whether it is listed to `userid`, "" for nobody.
bool concerns(Service& service, const Seek& seek, const std::string& userid) {
  return userid.empty() || userid == seek.userid || may_take(service, seek, userid);
}

// Tells everybody who may take it, but the connection `from`.
void tell_of_seek(Service& service, const Event& event, const Seek& seek, std::uint64_t from) {
  auto users = service.connections().watchers();
  std::erase_if(users, [&](const std::string& user) { return !concerns(service, seek, user); });
  service.tell(users, event, false, from);
}

void tell_gone(Service& service, const Seek& seek, std::uint64_t from) {
  tell_of_seek(service, {Event::Kind::unseek, {}, "", seek.number}, seek, from);
}

std::string seek_line(Service& service, const Seek& seek) {
  const auto account = service.accounts().find(seek.userid);
  return right(std::to_string(seek.number), 6) + "  " +
         pad(seek.userid + (account && account->computer ? " (computer)" : ""), 16) + "  " +
         seek.in_words();
}

Reply run_block(Request& r) {
  const bool on = r.row->verb() == "block";
  Accounts& accounts = r.service->accounts();
  const std::vector<std::string> blocked = accounts.blocked(r.user);
  if (r.words.empty())
    return Reply(r.user + " has blocked " + (blocked.empty() ? "nobody" : all_of(blocked)) + ".");
  std::vector<std::string> others;
  for (const std::string& word : r.words) {
    const std::string other = lower(word);
    if (on && !accounts.find(other))
      return Refusal{"There is no userid " + fit(word, 20) + " here."};
    if (on && other == r.user) return Refusal{"Nobody can block himself."};
    if (!on && !accounts.has_blocked(r.user, other))
      return Refusal{r.user + " has not blocked " + fit(word, 20) + "."};
    others.push_back(other);
  }
  if (on && blocked.size() + others.size() > kMaxBlocked)
    return Refusal{"One may block " + std::to_string(kMaxBlocked) + " userids at most."};
  for (const std::string& other : others) accounts.block(r.user, other, on);
  return Reply(all_of(others) + (others.size() == 1 ? " is" : " are") +
               (on ? " blocked by " : " no longer blocked by ") + r.user + ".");
}

// The rematch of `over` that another of its players was quicker to begin, if nothing was done
// there.
std::optional<Reply> begun_by_other(const Request& r, const BoardSummary& over,
                                    const Terms& terms) {
  BoardStore& store = r.service->store();
  for (const BoardSummary& board : store.running_of(r.user)) {
    std::vector<std::string> names;
    for (const std::string& name : board.names) names.push_back(lower(name));
    if (board.game != r.game || board.entries > 0 || board.changed < over.changed ||
        names != terms.names || board.options != over.options ||
        same_ignoring_case(board.challenger, r.user))
      continue;
    const std::string by = board.challenger;
    const auto there = store.open(board.key());
    if (!there) continue;
    const Match& match = (*there)->match;
    return Reply("Board " + std::to_string((*there)->key.number) + " of " +
                     title_with_options(match.game(), match.options()) + ": " +
                     all_of(match.names()) + "." + (by.empty() ? "" : " " + by + " has begun it."),
                 board_in_reply(r, **there, 0));
  }
  return std::nullopt;
}

}  // namespace

void drop_seeks(Service& service, const std::string& userid) {
  for (const Seek& seek : service.seeks().open(service.time())) {
    if (seek.userid != userid) continue;
    service.seeks().drop(seek.number);
    tell_gone(service, seek, 0);
  }
}

std::vector<Seek> seeks_for(Service& service, const std::string& userid) {
  auto out = service.seeks().open(service.time());
  std::erase_if(out, [&](const Seek& seek) { return !concerns(service, seek, userid); });
  return out;
}

namespace {

Reply run_challenge(Request& r) {
  Terms terms;
  for (const std::string& word : r.words) terms.names.push_back(lower(word));
  if (terms.names.size() == 1) terms.names.insert(terms.names.begin(), r.user);
  if (std::ranges::find(terms.names, r.user) == terms.names.end())
    return Refusal{"This connection speaks for " + r.user + ", who must be one of the players."};
  terms.options = r.options;
  return begin(r, *r.game, terms);
}

Reply run_rematch(Request& r) {
  const auto key = board_named(r, r.words[0]);
  if (!key) return key.refusal();
  const BoardSummary info = *r.service->store().info(*key);
  if (!info.plays(r.user)) return Refusal{r.user + " did not play on " + key->to_string() + "."};
  if (!info.over()) return Refusal{key->to_string() + " is not over: a rematch comes after it."};
  const auto before = r.service->store().open(*key);
  if (!before) return before.refusal();
  Terms terms{{}, info.options};
  for (std::string& word : (*before)->match.limits().words())
    terms.options.push_back(std::move(word));
  for (const std::string& name : info.names) terms.names.push_back(lower(name));
  // Whoever was second begins.
  std::rotate(terms.names.begin(), terms.names.begin() + 1, terms.names.end());
  if (auto there = begun_by_other(r, info, terms)) return std::move(*there);
  return begin(r, *r.game, terms);
}

Reply run_seek(Request& r) {
  Service& service = *r.service;
  if (const auto may = service.may_begin(); !may) return may.refusal();
  Seek seek;
  seek.userid = r.user;
  seek.game = r.game;
  const auto terms = read_terms(*r.game, r.options);
  if (!terms) return terms.refusal();
  seek.pair = terms->pair;
  seek.options = terms->words();
  if (const auto match = Match::start(*r.game, terms->options, {r.user, "player2"}, service.time());
      !match)
    return match.refusal();
  if (!r.words.empty()) {
    const auto range = read_rating_range(r.words[0]);
    if (!range) return range.refusal();
    seek.range = *range;
  }
  seek.since = service.time();
  if (service.seeks().count(r.user, service.time()) >= Seeks::kMaxOfOne)
    return Refusal{r.user + " has " + std::to_string(Seeks::kMaxOfOne) +
                   " seeks, the most one may have: unseek takes one back."};
  if (service.seeks().count_from(r.session->asker(), service.time()) >= Seeks::kMaxOfAsker)
    return Refusal{"There are " + std::to_string(Seeks::kMaxOfAsker) +
                   " seeks from where you are, the most there may be: take one of those."};
  if (service.seeks().open(service.time()).size() >= Seeks::kMaxOfAll)
    return Refusal{"There are as many seeks as the server holds: take one of those."};
  // Everybody is told, as of what is said to all.
  if (const auto may = service.in_a_minute().texts.take(r.user, service.moment()); !may)
    return may.refusal();
  seek.number = service.seeks().add(seek, r.session->asker());
  Event told{Event::Kind::seek, {}, r.user, seek.number};
  told.text = seek.in_words();
  tell_of_seek(service, told, seek, r.session->number());
  return Reply("Seek " + std::to_string(seek.number) + ": " + r.user + " seeks a player of " +
               seek.in_words() + ".");
}

Reply run_sought(Request& r) {
  const auto game = r.words.empty() ? Result<const GameType*>(nullptr) : game_named(r.words[0]);
  if (!game) return game.refusal();
  auto seeks = seeks_for(*r.service, r.user);
  if (*game) std::erase_if(seeks, [&](const Seek& seek) { return seek.game != *game; });
  if (seeks.empty())
    return Reply("Nobody seeks a player" + (*game ? " of " + std::string((*game)->title) : "") +
                 ".");
  return Reply(
      count_of(seeks.size(), "seek", "seeks") +
          ": number, who, what; take and the number "
          "begins it.",
      lines_of(seeks, kMaxLines, [&](const Seek& seek) { return seek_line(*r.service, seek); }));
}

// Whoever takes it is here, and so begins.
Reply run_take(Request& r) {
  Service& service = *r.service;
  const auto seek = seek_named(r);
  if (!seek) return seek.refusal();
  if (seek->userid == r.user)
    return Refusal{"Seek " + r.words[0] + " is your own: unseek takes it back."};
  if (const auto may = may_take(service, *seek, r.user); !may) return may.refusal();
  Terms terms{{r.user, seek->userid}, seek->options};
  if (seek->pair) terms.options.push_back("-pair");
  const auto matches = judge(r, *seek->game, terms);
  if (!matches) return matches.refusal();
  service.seeks().drop(seek->number);
  const auto boards = create(r, *matches);
  if (!boards) return boards.refusal();
  tell_gone(service, *seek, r.session->number());
  return begun(r, *boards);
}

Reply run_unseek(Request& r) {
  const auto seek = seek_named(r);
  if (!seek) return seek.refusal();
  if (seek->userid != r.user)
    return Refusal{"Seek " + r.words[0] + " is " + seek->userid + "'s: take accepts it."};
  r.service->seeks().drop(seek->number);
  tell_gone(*r.service, *seek, r.session->number());
  return Reply("Seek " + r.words[0] + " is taken back.");
}

}  // namespace

std::span<const CommandRow> begin_rows() {
  static const CommandRow rows[] = {
      {"GAME challenge", "userid1 [userid2 [userid3 [userid4]]] [-options] [-pair] [: text]",
       "begin a board, as one of them or against one; -pair: two, with the seats swapped",
       run_challenge, Proof::connection},
      {"GAME rematch", "board [userid password]",
       "the same board once more, with the seats swapped", run_rematch},
      {"GAME seek", "[userid password] [-options] [-pair] [low-high]",
       "an open challenge, for whoever takes it; low-high: of such a rating", run_seek},
      {"sought", "[game]", "the open challenges", run_sought},
      {"take", "number [userid password]", "take an open challenge", run_take},
      {"unseek", "number [userid password]", "take your own back", run_unseek},
      {"block", "[userid password] [userid...]",
       "have nothing to do with somebody; or see with whom", run_block},
      {"unblock", "[userid password] userid...", "take that back", run_block},
  };
  return rows;
}

}  // namespace pbm
