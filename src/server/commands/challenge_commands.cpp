// SPDX-License-Identifier: MIT
// Commands that begin boards: challenges, open challenges, rematches, and blocks.
#include <algorithm>

#include "base/text.hpp"
#include "protocol/new_board.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

// Refuses a userid that cannot be challenged.
void need_challengeable(Service& service, const GameType& game, const std::string& userid,
                        std::size_t boards) {
  const auto account = service.accounts.find_any(userid);
  if (!account)
    throw Refusal{"There is no userid " + fit(userid, 20) +
                  " here yet. Its owner must sign in first."};
  if (account->is_closed) throw Refusal{userid + " " + account->closed_reason() + "."};
  value_or_throw(service.check_ban(account));
  std::size_t all = boards, of_game = boards;  // the new boards and those the user plays on
  for (const BoardSummary& board : service.store.find_running(userid)) {
    all += board.is_active_for(userid);
    of_game += board.is_active_for(userid) && board.game == &game;
  }
  if (const auto limit = service.accounts.board_limit(userid, game.name)) {
    if (*limit == 0)
      throw Refusal{userid + " takes no new boards of " + std::string(game.title) + "."};
    if (of_game > *limit)
      throw Refusal{userid + " takes at most " + format_count(*limit, "board", "boards") + " of " +
                    std::string(game.title) + " and would have " + std::to_string(of_game) + "."};
  }
  if (all > service.options.boards_a_user)
    throw Refusal{userid + " may have at most " + std::to_string(service.options.boards_a_user) +
                  " boards and would have " + std::to_string(all) + "."};
}

// Refuses if the user may not begin that many boards with `names`. A board counts for its players
// only after all have played, so unplayed boards have limits of their own.
void need_unplayed_limit(const Request& r, const std::vector<std::string>& names,
                         std::size_t boards) {
  const ServiceOptions& bounds = r.service->options;
  std::size_t begun = boards;
  std::map<std::string, std::size_t> between;  // unplayed boards with each other user
  for (const BoardSummary& board : r.service->store.find_running(r.userid)) {
    if (board.seats.unplayed.empty() || !r.service->describe_contest(board.id).empty()) continue;
    const bool own = equals_ignoring_case(board.challenger, r.userid);
    begun += own;
    // With three or four seats, boards begun by others must not use up the limit of these two.
    for (const std::string& name : names)
      between[name] += board.has_player(name) && (board.names.size() == 2 || own ||
                                                  equals_ignoring_case(board.challenger, name));
  }
  const std::string unplayed = " where a player has not moved yet, and would have ";
  for (const std::string& name : names)
    if (name != r.userid && between[name] + boards > bounds.unplayed_between_two)
      throw Refusal{r.userid + " and " + name + " may have at most " +
                    format_count(bounds.unplayed_between_two, "board", "boards") + unplayed +
                    std::to_string(between[name] + boards) + ". Play or refuse those first."};
  if (begun > bounds.unplayed_begun)
    throw Refusal{r.userid + " may have started at most " +
                  format_count(bounds.unplayed_begun, "board", "boards") + unplayed +
                  std::to_string(begun) + ". Wait for an answer."};
}

// Returns the matches to begin. Refuses everything that can be refused; changes nothing.
std::vector<Match> prepare_matches(const Request& r, const GameType& game,
                                   const BoardRequest& terms) {
  Service& service = *r.service;
  const auto& names = terms.names;
  const auto said = value_or_throw(read_board_terms(game, terms.options));
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) throw Refusal{names[i] + " cannot have two seats."};
  if (said.is_pair && names.size() > 2)
    throw Refusal{"-pair is for two players. They swap seats on the second board."};
  std::vector<Match> out;
  for (std::size_t i = 0; i < (said.is_pair ? 2U : 1U); ++i) {
    const auto seats = i == 0 ? names : std::vector{names[1], names[0]};
    out.push_back(value_or_throw(Match::start(game, said.options, seats, service.time())));
    out.back().set_limits(said.limits);
  }
  for (const std::string& name : names) need_challengeable(service, game, name, out.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      value_or_throw(service.accounts.check_blocks(names[j], names[i]));
  need_unplayed_limit(r, names, out.size());
  value_or_throw(check_text(r));
  value_or_throw(service.minute_limits.challenges.check(r.userid, service.moment()));
  return out;
}

using Boards = std::vector<BoardPtr>;

Boards create_boards(const Request& r, const std::vector<Match>& matches) {
  Boards out;
  for (const Match& match : matches)
    out.push_back(value_or_throw(r.service->store.create(match, r.userid)));
  return out;
}

// Informs everybody about new boards and returns the reply. The events say, for example, "fred" +
// `verb` + "you" + `to` + "Toot.".
Reply announce_boards(Request& r, const Boards& boards, const std::string& verb,
                      const std::string& to) {
  Service& service = *r.service;
  const Match& first = boards.front()->match;
  const std::vector<std::string> names = first.names();
  const std::string title = title_with_options(first.game(), first.options()),
                    time = first.limits().non_default_text();
  service.minute_limits.challenges.add(r.userid, service.moment());
  Lines lines;
  std::vector<std::string> numbers;
  for (const auto& board : boards) {
    const BoardKey key = board->key;
    numbers.push_back(std::to_string(key.number));
    service.chats.clear(key.id());
    const std::uint64_t from = r.session->number();
    service.send_board_state(service.audience(board->summary), board->summary, {}, from);
    for (const std::string& user : service.audience(board->summary)) {
      std::vector<std::string> others = names;
      std::erase_if(others, [&](const std::string& n) { return n == user || n == r.userid; });
      const bool asked = user != r.userid && board->summary.has_player(user);
      Event event{Event::Kind::challenge, key};
      event.text = r.userid + verb + (asked ? "you" : join_with_and(others)) + to + title +
                   (asked && !others.empty() ? " with " + join_with_and(others) : "") +
                   (time.empty() ? "" : ", " + time) + ".";
      service.send_event({user}, event, user != r.userid, from);
    }
    service.send_event({board->match.names().front()}, {Event::Kind::turn, key, "", 1}, false);
    // People see one drawing: the two boards of a pair look the same.
    if (r.session->is_program() || board == boards.front())
      for (std::string& line : board_reply_lines(r, *board, 0)) lines.push_back(std::move(line));
  }
  send_chat(r, boards.front()->summary);
  std::string computers;
  for (const std::string& name : names)
    if (service.accounts.find(name)->is_computer) computers += " " + name + " is a computer.";
  return Reply((boards.size() > 1 ? "Boards " : "Board ") + join_with_and(numbers) + " of " +
                   title + ": " + join_with_and(names) +
                   (boards.size() > 1 ? ", and with the seats swapped." : ".") + computers,
               std::move(lines));
}

// Returns the open challenge that the first word numbers.
Seek need_seek(const Request& r) {
  const auto number = read_whole_number<std::size_t>(r.words[0]);
  if (!number)
    throw Refusal{"'" + fit(r.words[0], 20) + "' is not the number of an open challenge."};
  if (auto seek = r.service->seeks.find(*number, r.service->time())) return std::move(*seek);
  throw Refusal{"There is no open challenge " + r.words[0] + ". Type sought for the list."};
}

// True if the open challenge is listed for `userid`, "" for nobody.
bool is_listed_for(Service& service, const Seek& seek, const std::string& userid) {
  return userid.empty() || userid == seek.userid ||
         service.accounts.check_blocks(userid, seek.userid);
}

// Informs every watching user who may take the challenge, but not connection `from`.
void send_seek_event(Service& service, const Event& event, const Seek& seek, std::uint64_t from) {
  auto users = service.connections.watching_userids();
  std::erase_if(users,
                [&](const std::string& user) { return !is_listed_for(service, seek, user); });
  service.send_event(users, event, false, from);
}

void send_unseek_event(Service& service, const Seek& seek, std::uint64_t from) {
  send_seek_event(service, {Event::Kind::unseek, {}, "", seek.number}, seek, from);
}

std::string seek_line(Service& service, const Seek& seek) {
  const auto account = service.accounts.find(seek.userid);
  return pad_left(std::to_string(seek.number), 6) + "  " +
         pad(seek.userid + (account && account->is_computer ? " (computer)" : ""), 16) + "  " +
         seek.describe();
}

Reply run_block(Request& r) {
  const bool on = r.row->verb() == "block";
  Accounts& accounts = r.service->accounts;
  const std::vector<std::string> blocked = accounts.blocked_userids(r.userid);
  if (r.words.empty())
    return Reply(r.userid + " has blocked " +
                 (blocked.empty() ? "nobody" : join_with_and(blocked)) + ".");
  std::vector<std::string> others;
  for (const std::string& word : r.words) {
    const std::string other = lower(word);
    if (on) need_account(r, word);
    if (on && other == r.userid) return Refusal{"You cannot block yourself."};
    if (!on && !accounts.has_blocked(r.userid, other))
      return Refusal{r.userid + " has not blocked " + fit(word, 20) + "."};
    others.push_back(other);
  }
  if (on && blocked.size() + others.size() > kMaxBlocked)
    return Refusal{"You may block at most " + std::to_string(kMaxBlocked) + " userids."};
  for (const std::string& other : others) accounts.set_block(r.userid, other, on);
  return Reply(r.userid + (on ? " blocks " : " no longer blocks ") + join_with_and(others) + ".");
}

// Returns the reply for a rematch of `over` that another player began first, unless the asking user
// has already done something on it.
std::optional<Reply> find_existing_rematch(const Request& r, const OpenBoard& over,
                                           const BoardRequest& terms) {
  BoardStore& store = r.service->store;
  for (const BoardSummary& board : store.find_running(r.userid)) {
    std::vector<std::string> names;
    for (const std::string& name : board.names) names.push_back(lower(name));
    if (board.game != r.game || board.last_change < over.summary.last_change ||
        names != terms.names || board.options != over.summary.options ||
        equals_ignoring_case(board.challenger, r.userid) ||
        !r.service->describe_contest(board.id).empty())
      continue;
    const std::string by = board.challenger;
    const auto there = store.open(board.key());
    if (!there) continue;
    const Match& match = (*there)->match;
    const auto own = board.find_seat(r.userid);
    if (!own || match.limits() != over.match.limits() ||
        std::ranges::any_of(match.log(), [&](const LogEntry& e) { return e.seat == *own; }))
      continue;
    return Reply("Board " + std::to_string((*there)->key.number) + " of " +
                     title_with_options(match.game(), match.options()) + ": " +
                     join_with_and(match.names()) + "." +
                     (by.empty() ? "" : " " + by + " started it."),
                 board_reply_lines(r, **there, 0));
  }
  return std::nullopt;
}

Reply run_challenge(Request& r) {
  BoardRequest terms;
  for (const std::string& word : r.words) terms.names.push_back(lower(word));
  if (terms.names.size() == 1) terms.names.insert(terms.names.begin(), r.userid);
  if (std::ranges::find(terms.names, r.userid) == terms.names.end())
    return Refusal{"You are signed in as " + r.userid + " and must be one of the players."};
  terms.options = r.options;
  return announce_boards(r, create_boards(r, prepare_matches(r, *r.game, terms)), " challenges ",
                         " to ");
}

Reply run_rematch(Request& r) {
  const BoardPtr before = need_board(r, r.words[0]);
  const BoardSummary& info = before->summary;
  const std::string name = before->key.to_string();
  if (!r.service->is_player(info, r.userid))
    return Refusal{r.userid + " did not play on " + name + "."};
  if (!info.is_over()) return Refusal{name + " is not over yet. A rematch comes after the game."};
  BoardRequest terms{info.options, {}};
  for (std::string& word : before->match.limits().option_words())
    terms.options.push_back(std::move(word));
  for (const std::string& player : info.names)
    terms.names.push_back(r.service->accounts.current_userid(player));
  // The second player of the last game begins.
  std::rotate(terms.names.begin(), terms.names.begin() + 1, terms.names.end());
  if (auto there = find_existing_rematch(r, *before, terms)) return std::move(*there);
  return announce_boards(r, create_boards(r, prepare_matches(r, *r.game, terms)), " challenges ",
                         " to a rematch of ");
}

Reply run_seek(Request& r) {
  Service& service = *r.service;
  Seek seek;
  seek.userid = r.userid;
  seek.game = r.game;
  const auto terms = value_or_throw(read_board_terms(*r.game, r.options));
  seek.is_pair = terms.is_pair;
  seek.options = terms.words();
  value_or_throw(Match::start(*r.game, terms.options, {r.userid, "player2"}, service.time()));
  seek.created_at = service.time();
  const auto all = service.seeks.find_open(service.time());
  if (index(std::ranges::count(all, r.userid, &Seek::userid)) >= Seeks::kMaxPerUser)
    return Refusal{r.userid + " has " + std::to_string(Seeks::kMaxPerUser) +
                   " open challenges, the limit. Type unseek to take one back."};
  if (service.seeks.count_by_source(r.session->limit_source(), service.time()) >=
      Seeks::kMaxPerSource)
    return Refusal{"There are " + std::to_string(Seeks::kMaxPerSource) +
                   " open challenges from your address, the limit. Take one of those."};
  if (all.size() >= Seeks::kMaxTotal)
    return Refusal{"The server has room for no more open challenges. Take one of those."};
  // Everybody is informed, so it counts as a message to all.
  value_or_throw(service.minute_limits.texts.check_and_add(r.userid, service.moment()));
  seek.number = service.seeks.add(seek, r.session->limit_source());
  Event told{Event::Kind::seek, {}, r.userid, seek.number};
  told.text = seek.describe();
  send_seek_event(service, told, seek, r.session->number());
  return Reply("Open challenge " + std::to_string(seek.number) + " by " + r.userid + ": " +
               seek.describe() + ".");
}

Reply run_sought(Request& r) {
  const GameType* game = r.words.empty() ? nullptr : need_game(r.words[0]);
  auto seeks = visible_seeks(*r.service, r.userid);
  if (game) std::erase_if(seeks, [&](const Seek& seek) { return seek.game != game; });
  if (seeks.empty())
    return Reply("There is no open challenge" + (game ? " of " + std::string(game->title) : "") +
                 ".");
  return Reply(
      format_count(seeks.size(), "open challenge", "open challenges") +
          ": number, player, game. Type take and a number to accept one.",
      make_lines(seeks, kMaxLines, [&](const Seek& seek) { return seek_line(*r.service, seek); }));
}

// The user who takes the challenge is connected, so they get the first seat.
Reply run_take(Request& r) {
  Service& service = *r.service;
  const auto seek = need_seek(r);
  if (seek.userid == r.userid)
    return Refusal{"Open challenge " + r.words[0] + " is your own. Type unseek to take it back."};
  value_or_throw(service.accounts.check_blocks(r.userid, seek.userid));
  BoardRequest terms{seek.options, {r.userid, seek.userid}};
  if (seek.is_pair) terms.options.push_back("-pair");
  const auto matches = prepare_matches(r, *seek.game, terms);
  service.seeks.drop(seek.number);
  const auto boards = create_boards(r, matches);
  send_unseek_event(service, seek, r.session->number());
  return announce_boards(r, boards, " accepts the open challenge and plays ", " at ");
}

Reply run_unseek(Request& r) {
  const auto seek = need_seek(r);
  if (seek.userid != r.userid)
    return Refusal{"Open challenge " + r.words[0] + " is " + seek.userid +
                   "'s. Type take to accept it."};
  r.service->seeks.drop(seek.number);
  send_unseek_event(*r.service, seek, r.session->number());
  return Reply("Open challenge " + r.words[0] + " is taken back.");
}

}  // namespace

void drop_seeks(Service& service, const std::string& userid) {
  for (const Seek& seek : service.seeks.find_open(service.time())) {
    if (seek.userid != userid) continue;
    service.seeks.drop(seek.number);
    send_unseek_event(service, seek, 0);
  }
}

std::vector<Seek> visible_seeks(Service& service, const std::string& userid) {
  auto out = service.seeks.find_open(service.time());
  std::erase_if(out, [&](const Seek& seek) { return !is_listed_for(service, seek, userid); });
  return out;
}

std::span<const CommandRow> challenge_rows() {
  static const CommandRow rows[] = {
      {"GAME challenge", "userid1 [userid2 [userid3 [userid4]]] [-options] [-pair] [: text]",
       "challenge players; -pair: two games with swapped seats", run_challenge, Proof::connection},
      {"GAME rematch", "board [userid password]", "ask for a rematch with swapped seats",
       run_rematch},
      {"GAME seek", "[userid password] [-options] [-pair]", "make an open challenge", run_seek},
      {"sought", "[game]", "list the open challenges", run_sought},
      {"take", "number [userid password]", "accept an open challenge", run_take},
      {"unseek", "number [userid password]", "take back your open challenge", run_unseek},
      {"block", "[userid password] [userid...]",
       "block a player; without userid, list those you block", run_block},
      {"unblock", "[userid password] userid...", "unblock a player", run_block},
  };
  return rows;
}

}  // namespace pbm
