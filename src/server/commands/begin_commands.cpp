// SPDX-License-Identifier: MIT
// Commands that begin boards: challenges, open challenges, rematches, and blocks.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "protocol/new_board.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

// Refuses a userid that cannot be challenged.
void need_willing(Service& service, const GameType& game, const std::string& userid,
                  std::size_t boards) {
  const auto account = service.accounts.ever(userid);
  if (!account)
    throw Refusal{"There is no userid " + fit(userid, 20) +
                  " here yet: its owner has to come in first."};
  if (account->closed) throw Refusal{userid + " " + account->why_closed() + "."};
  need(service.may_use(account));
  std::size_t all = boards, of_game = boards;  // the new boards and those the user plays on
  for (const BoardSummary& board : service.store.running_of(userid)) {
    all += board.engages(userid);
    of_game += board.engages(userid) && board.game == &game;
  }
  if (const auto limit = service.accounts.limit(userid, game.name)) {
    if (*limit == 0)
      throw Refusal{userid + " takes no new boards of " + std::string(game.title) + "."};
    if (of_game > *limit)
      throw Refusal{userid + " takes " + count_of(*limit, "board", "boards") + " of " +
                    std::string(game.title) + " at most, and would have " +
                    std::to_string(of_game) + "."};
  }
  if (all > service.options.boards_a_user)
    throw Refusal{userid + " may have " + std::to_string(service.options.boards_a_user) +
                  " boards at most, and would have " + std::to_string(all) + "."};
}

// Refuses if the user may not begin that many boards with `names`. A board counts for its players
// only after all have played, so unplayed boards have limits of their own.
void need_few_begun(const Request& r, const std::vector<std::string>& names, std::size_t boards) {
  const ServiceOptions& bounds = r.service->options;
  std::size_t begun = boards;
  std::map<std::string, std::size_t> between;  // unplayed boards with each other user
  for (const BoardSummary& board : r.service->store.running_of(r.user)) {
    if (board.seats.unplayed.empty()) continue;
    const bool own = same_ignoring_case(board.challenger, r.user);
    begun += own;
    // With three or four seats, boards begun by others must not use up the limit of these two.
    for (const std::string& name : names)
      between[name] += board.plays(name) && (board.names.size() == 2 || own ||
                                             same_ignoring_case(board.challenger, name));
  }
  const std::string unplayed = " at most on which not everybody has played yet, and would have ";
  for (const std::string& name : names)
    if (name != r.user && between[name] + boards > bounds.unplayed_between_two)
      throw Refusal{r.user + " and " + name + " may have " +
                    count_of(bounds.unplayed_between_two, "board", "boards") + unplayed +
                    std::to_string(between[name] + boards) + ": play or refuse those first."};
  if (begun > bounds.unplayed_begun)
    throw Refusal{r.user + " may have begun " + count_of(bounds.unplayed_begun, "board", "boards") +
                  unplayed + std::to_string(begun) + ": wait for an answer."};
}

// Returns the matches to begin. Refuses everything that can be refused; changes nothing.
std::vector<Match> judge(const Request& r, const GameType& game, const BoardWords& terms) {
  Service& service = *r.service;
  const auto& names = terms.names;
  need(service.may_begin());
  const auto said = need(read_terms(game, terms.options));
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) throw Refusal{names[i] + " cannot have two seats."};
  if (said.pair && names.size() > 2)
    throw Refusal{"-pair is for two: on the second board they swap their seats."};
  std::vector<Match> out;
  for (std::size_t i = 0; i < (said.pair ? 2U : 1U); ++i) {
    const auto seats = i == 0 ? names : std::vector{names[1], names[0]};
    out.push_back(need(Match::start(game, said.options, seats, service.time())));
    out.back().set_limits(said.limits);
  }
  for (const std::string& name : names) need_willing(service, game, name, out.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) need(service.accounts.may_meet(names[j], names[i]));
  need_few_begun(r, names, out.size());
  need(may_say(r));
  need(service.in_a_minute.challenges.may(r.user, service.moment()));
  return out;
}

using Boards = std::vector<BoardPtr>;

Boards create(const Request& r, const std::vector<Match>& matches) {
  Boards out;
  for (const Match& match : matches) out.push_back(need(r.service->store.create(match, r.user)));
  return out;
}

// Informs everybody about new boards and returns the reply.
Reply begun(Request& r, const Boards& boards) {
  Service& service = *r.service;
  const Match& first = boards.front()->match;
  const std::vector<std::string> names = first.names();
  const std::string title = title_with_options(first.game(), first.options());
  service.in_a_minute.challenges.add(r.user, service.moment());
  Lines lines;
  std::vector<std::string> numbers;
  for (const auto& board : boards) {
    const BoardKey key = board->key;
    numbers.push_back(std::to_string(key.number));
    service.chats.begin(key.id());
    auto users = service.audience(board->summary);
    std::erase(users, r.user);
    Event told{Event::Kind::challenge, key};
    told.text = all_of(board->match.names()) + ", " + title;
    if (const std::string time = first.limits().unusual_in_words(); !time.empty())
      told.text += ", " + time;
    const std::uint64_t from = r.session->number();
    service.tell_now({r.user}, board->summary, {}, from);
    service.tell_now(users, board->summary, {}, from);
    service.tell({r.user}, told, false, from);
    service.tell(users, told, true, from);
    service.tell({board->match.names().front()}, {Event::Kind::turn, told.board, "", 1}, false);
    // People see one drawing: the two boards of a pair look the same.
    if (r.session->is_program() || board == boards.front())
      for (std::string& line : board_in_reply(r, *board, 0)) lines.push_back(std::move(line));
  }
  say_on_board(r, boards.front()->summary);
  std::string computers;
  for (const std::string& name : names)
    if (service.accounts.find(name)->computer) computers += " " + name + " is a computer.";
  return Reply((boards.size() > 1 ? "Boards " : "Board ") + all_of(numbers) + " of " + title +
                   ": " + all_of(names) +
                   (boards.size() > 1 ? ", and with the seats swapped." : ".") + computers,
               std::move(lines));
}

Reply begin(Request& r, const GameType& game, const BoardWords& terms) {
  return begun(r, create(r, judge(r, game, terms)));
}

// Returns the open challenge that the first word numbers.
Seek seek_named(const Request& r) {
  const auto number = read_whole_number<std::size_t>(r.words[0]);
  if (!number) throw Refusal{"'" + fit(r.words[0], 20) + "' is no seek: they have numbers."};
  if (auto seek = r.service->seeks.find(*number, r.service->time())) return std::move(*seek);
  throw Refusal{"There is no seek " + r.words[0] + " any more: sought lists them."};
}

// Refuses a user with a block, or with a rating outside the range.
Result<Done> may_take(Service& service, const Seek& seek, const std::string& userid) {
  if (const auto may = service.accounts.may_meet(userid, seek.userid); !may || !seek.range)
    return may;
  const long rating =
      std::lround(service.history.rating(seek.game->name, userid).value_or(Rating{}).value);
  if (rating >= seek.range->low && rating <= seek.range->high) return Done{};
  return Refusal{"Seek " + std::to_string(seek.number) + " is for ratings from " +
                 std::to_string(seek.range->low) + " to " + std::to_string(seek.range->high) +
                 ", and that of " + userid + " is " + std::to_string(rating) + "."};
}

// True if the open challenge is listed for `userid`, "" for nobody.
bool concerns(Service& service, const Seek& seek, const std::string& userid) {
  return userid.empty() || userid == seek.userid || may_take(service, seek, userid);
}

// Informs every watching user who may take the challenge, but not connection `from`.
void tell_of_seek(Service& service, const Event& event, const Seek& seek, std::uint64_t from) {
  auto users = service.connections.watchers();
  std::erase_if(users, [&](const std::string& user) { return !concerns(service, seek, user); });
  service.tell(users, event, false, from);
}

void tell_gone(Service& service, const Seek& seek, std::uint64_t from) {
  tell_of_seek(service, {Event::Kind::unseek, {}, "", seek.number}, seek, from);
}

std::string seek_line(Service& service, const Seek& seek) {
  const auto account = service.accounts.find(seek.userid);
  return pad_left(std::to_string(seek.number), 6) + "  " +
         pad(seek.userid + (account && account->computer ? " (computer)" : ""), 16) + "  " +
         seek.in_words();
}

Reply run_block(Request& r) {
  const bool on = r.row->verb() == "block";
  Accounts& accounts = r.service->accounts;
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

// Returns the reply for a rematch of `over` that another player began first, unless the asking user
// has already done something on it.
std::optional<Reply> begun_by_other(const Request& r, const OpenBoard& over,
                                    const BoardWords& terms) {
  BoardStore& store = r.service->store;
  for (const BoardSummary& board : store.running_of(r.user)) {
    std::vector<std::string> names;
    for (const std::string& name : board.names) names.push_back(lower(name));
    if (board.game != r.game || board.changed < over.summary.changed || names != terms.names ||
        board.options != over.summary.options || same_ignoring_case(board.challenger, r.user))
      continue;
    const std::string by = board.challenger;
    const auto there = store.open(board.key());
    if (!there) continue;
    const Match& match = (*there)->match;
    const auto own = board.seat_of(r.user);
    if (!own || match.limits() != over.match.limits() ||
        std::ranges::any_of(match.log(), [&](const Action& e) { return e.seat == *own; }))
      continue;
    return Reply("Board " + std::to_string((*there)->key.number) + " of " +
                     title_with_options(match.game(), match.options()) + ": " +
                     all_of(match.names()) + "." + (by.empty() ? "" : " " + by + " has begun it."),
                 board_in_reply(r, **there, 0));
  }
  return std::nullopt;
}

Reply run_challenge(Request& r) {
  BoardWords terms;
  for (const std::string& word : r.words) terms.names.push_back(lower(word));
  if (terms.names.size() == 1) terms.names.insert(terms.names.begin(), r.user);
  if (std::ranges::find(terms.names, r.user) == terms.names.end())
    return Refusal{"This connection speaks for " + r.user + ", who must be one of the players."};
  terms.options = r.options;
  return begin(r, *r.game, terms);
}

Reply run_rematch(Request& r) {
  const BoardPtr before = board_named(r, r.words[0]);
  const BoardSummary& info = before->summary;
  const std::string name = before->key.to_string();
  if (!info.plays(r.user)) return Refusal{r.user + " did not play on " + name + "."};
  if (!info.over()) return Refusal{name + " is not over: a rematch comes after it."};
  BoardWords terms{info.options, {}};
  for (std::string& word : before->match.limits().words()) terms.options.push_back(std::move(word));
  for (const std::string& player : info.names) terms.names.push_back(lower(player));
  // The second player of the last game begins.
  std::rotate(terms.names.begin(), terms.names.begin() + 1, terms.names.end());
  if (auto there = begun_by_other(r, *before, terms)) return std::move(*there);
  return begin(r, *r.game, terms);
}

Reply run_seek(Request& r) {
  Service& service = *r.service;
  need(service.may_begin());
  Seek seek;
  seek.userid = r.user;
  seek.game = r.game;
  const auto terms = need(read_terms(*r.game, r.options));
  seek.pair = terms.pair;
  seek.options = terms.words();
  need(Match::start(*r.game, terms.options, {r.user, "player2"}, service.time()));
  if (!r.words.empty()) seek.range = need(read_rating_range(r.words[0]));
  seek.since = service.time();
  const auto all = service.seeks.open(service.time());
  if (static_cast<std::size_t>(std::ranges::count(all, r.user, &Seek::userid)) >= Seeks::kMaxOfOne)
    return Refusal{r.user + " has " + std::to_string(Seeks::kMaxOfOne) +
                   " seeks, the most one may have: unseek takes one back."};
  if (service.seeks.count_from(r.session->asker(), service.time()) >= Seeks::kMaxOfAsker)
    return Refusal{"There are " + std::to_string(Seeks::kMaxOfAsker) +
                   " seeks from where you are, the most there may be: take one of those."};
  if (all.size() >= Seeks::kMaxOfAll)
    return Refusal{"There are as many seeks as the server holds: take one of those."};
  // Everybody is informed, so it counts as a message to all.
  need(service.in_a_minute.texts.take(r.user, service.moment()));
  seek.number = service.seeks.add(seek, r.session->asker());
  Event told{Event::Kind::seek, {}, r.user, seek.number};
  told.text = seek.in_words();
  tell_of_seek(service, told, seek, r.session->number());
  return Reply("Seek " + std::to_string(seek.number) + ": " + r.user + " seeks a player of " +
               seek.in_words() + ".");
}

Reply run_sought(Request& r) {
  const GameType* game = r.words.empty() ? nullptr : game_named(r.words[0]);
  auto seeks = seeks_for(*r.service, r.user);
  if (game) std::erase_if(seeks, [&](const Seek& seek) { return seek.game != game; });
  if (seeks.empty())
    return Reply("Nobody seeks a player" + (game ? " of " + std::string(game->title) : "") + ".");
  return Reply(
      count_of(seeks.size(), "seek", "seeks") +
          ": number, who, what; take and the number "
          "begins it.",
      lines_of(seeks, kMaxLines, [&](const Seek& seek) { return seek_line(*r.service, seek); }));
}

// The user who takes the challenge is connected, so they get the first seat.
Reply run_take(Request& r) {
  Service& service = *r.service;
  const auto seek = seek_named(r);
  if (seek.userid == r.user)
    return Refusal{"Seek " + r.words[0] + " is your own: unseek takes it back."};
  need(may_take(service, seek, r.user));
  BoardWords terms{seek.options, {r.user, seek.userid}};
  if (seek.pair) terms.options.push_back("-pair");
  const auto matches = judge(r, *seek.game, terms);
  service.seeks.drop(seek.number);
  const auto boards = create(r, matches);
  tell_gone(service, seek, r.session->number());
  return begun(r, boards);
}

Reply run_unseek(Request& r) {
  const auto seek = seek_named(r);
  if (seek.userid != r.user)
    return Refusal{"Seek " + r.words[0] + " is " + seek.userid + "'s: take accepts it."};
  r.service->seeks.drop(seek.number);
  tell_gone(*r.service, seek, r.session->number());
  return Reply("Seek " + r.words[0] + " is taken back.");
}

}  // namespace

void drop_seeks(Service& service, const std::string& userid) {
  for (const Seek& seek : service.seeks.open(service.time())) {
    if (seek.userid != userid) continue;
    service.seeks.drop(seek.number);
    tell_gone(service, seek, 0);
  }
}

std::vector<Seek> seeks_for(Service& service, const std::string& userid) {
  auto out = service.seeks.open(service.time());
  std::erase_if(out, [&](const Seek& seek) { return !concerns(service, seek, userid); });
  return out;
}

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
