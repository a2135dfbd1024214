// SPDX-License-Identifier: MIT
// Commands to talk, and to watch games of others.
#include <algorithm>

#include "base/text.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

// Returns the lines of the text that are not blank. Each becomes an event, which is one line.
std::vector<std::string> said_lines(const Request& r) {
  std::vector<std::string> out;
  std::ranges::copy_if(r.text, std::back_inserter(out),
                       [](const std::string& line) { return !trim(line).empty(); });
  return out;
}

void need_text(const Request& r) {
  if (said_lines(r).empty()) throw Refusal{"Say something. Write: " + command_syntax(*r.row)};
  need(may_say(r));
}

Event event_by(Event::Kind kind, const Request& r, std::optional<BoardKey> board = {}) {
  Event out{kind, board};
  out.userid = r.user;
  return out;
}

void say(Request& r, const std::vector<std::string>& users, Event event, bool mail) {
  const std::vector<std::string> lines = said_lines(r);
  r.service->in_a_minute.texts.add(r.user, r.service->moment(), lines.size());
  for (const std::string& line : lines) {
    event.text = line;
    r.service->tell(users, event, mail);
  }
}

Reply run_subscribe(Request& r) {
  const bool on = r.row->verb() == "subscribe";
  Service& service = *r.service;
  const bool all = same_ignoring_case(r.words[0], "all");
  std::string what = std::string(r.game->name) + "-all",
              said = "all boards of " + std::string(r.game->title);
  const BoardPtr board = all ? nullptr : board_named(r, r.words[0]);
  if (board) {
    const BoardSummary& info = board->summary;
    what = board->key.id();
    said = board->key.to_string();
    if (on && info.plays(r.user))
      return Refusal{r.user + " plays on " + said + ", and hears of it anyway."};
    std::vector<std::string> players;
    for (const std::string& name : info.names) players.push_back(lower(name));
    service.accounts.leave_out_blocking(players, r.user);
    if (on && players.size() < info.names.size())
      return Refusal{"A player of " + said + " has blocked " + r.user + "."};
  }
  const auto now = service.accounts.subscriptions(r.user);
  if (on == (now.count(what) > 0))
    return Refusal{r.user +
                   (on ? " watches " + said + " already." : " does not watch " + said + ".")};
  if (on && now.size() >= kMaxSubscriptions)
    return Refusal{"That is enough to watch: " + std::to_string(kMaxSubscriptions) +
                   " subscriptions."};
  // The change of watchers is sent to everybody on the board, so it counts as a message.
  if (board) need(service.in_a_minute.texts.take(r.user, service.moment()));
  service.accounts.subscribe(r.user, what, on);
  if (board)
    service.tell_now(service.audience(board->summary), board->summary, {}, r.session->number());
  return Reply(r.user + (on ? " watches " : " watches no more ") + said + ".");
}

// True if the players of the board may read the user's chat only after the game.
bool says_aside(const Request& r, const BoardSummary& board) {
  return board.to_move && !board.plays(r.user);
}

Reply run_chat(Request& r) {
  const BoardPtr board = board_named(r, r.words[0]);
  need_text(r);
  const BoardSummary& info = board->summary;
  const std::string name = board->key.to_string();
  const auto users = r.service->audience(info);
  if (std::ranges::find(users, r.user) == users.end())
    return Refusal{r.user + " neither plays nor watches " + name + ": subscribe to it first."};
  say_on_board(r, info);
  return Reply(says_aside(r, info) ? "Said to those who watch " + name +
                                         ": the players read it when the game is over."
                                   : "Said on " + name + ".");
}

// Shows the chat of a board and marks it as read.
Reply run_chats(Request& r) {
  const BoardPtr board = board_named(r, r.words[0]);
  const auto behind = r.words.size() > 1 ? read_skipped(r.words[1]) : std::size_t{0};
  if (!behind) return Refusal{"Write: " + command_syntax(*r.row)};
  Service& service = *r.service;
  const BoardSummary& info = board->summary;
  const bool over = info.over(), plays = info.plays(r.user);
  const Lines users = over || plays ? Lines{} : service.audience(info);
  const bool overhears = over || std::ranges::find(users, r.user) != users.end();
  std::size_t unread = service.chats.unread(r.user, info.id),
              later = service.chats.unread(r.user, info.id, over) - unread, fresh = 0;
  Lines lines;
  const std::vector<ChatLine> said = service.chats.lines(info.id, *behind);
  for (auto line = said.rbegin(); line != said.rend(); ++line) {
    if (service.accounts.has_blocked(r.user, line->userid)) continue;
    if (line->aside && !overhears) continue;
    ChatLine next = *line;
    std::size_t& left = line->aside && plays ? later : unread;
    next.fresh = left > 0 && next.userid != r.user;
    left -= next.fresh;
    fresh += next.fresh;
    lines.push_back(r.session->is_program()
                        ? encode(next)
                        : pad_left(std::to_string(next.number), 4) + "  " + iso_time(next.at) +
                              "  " + next.userid + ": " + next.text);
  }
  std::ranges::reverse(lines);
  if (service.chats.unread(r.user, info.id, over) > 0) try {
      service.chats.read(r.user, info.id, over);
      service.tell_now({r.user}, info, {}, r.session->number());
    } catch (const Error&) {
      // It stays unread until the database can save this.
    }
  std::string told = lines.empty() ? (*behind > 0 ? "Nothing more was said" : "Nothing was said")
                                   : count_of(lines.size(), "line", "lines");
  told += " on " + board->key.to_string();
  if (fresh > 0) told += ", " + std::to_string(fresh) + " of them new";
  return Reply(told + ".", std::move(lines));
}

Reply run_message(Request& r) {
  std::vector<std::string> users;
  for (const std::string& word : r.words) {
    const auto account = r.service->accounts.find(word);
    if (!account)
      return Refusal{"There is no userid " + fit(word, 20) + " here: nothing was sent."};
    if (const auto may = r.service->accounts.may_meet(r.user, account->userid); !may)
      return Refusal{may.refusal().why + " Nothing was sent."};
    if (std::ranges::find(users, account->userid) == users.end()) users.push_back(account->userid);
  }
  if (users.size() > kMaxReceivers)
    return Refusal{"A message goes to at most " + std::to_string(kMaxReceivers) + " userids."};
  need_text(r);
  say(r, users, event_by(Event::Kind::message, r), true);
  return Reply("Sent to " + all_of(users) + ".");
}

Reply run_broadcast(Request& r) {
  need_text(r);
  std::vector<std::string> users = r.service->connections.watchers();
  std::erase(users, r.user);
  r.service->accounts.leave_out_blocking(users, r.user);
  say(r, users, event_by(Event::Kind::broadcast, r), false);
  return Reply("Said to all who are watching.");
}

Reply run_watch(Request& r) {
  for (const Mail::Letter& letter : r.service->mail.letters(r.user)) {
    r.session->event_after_reply(encode_late(letter.what, letter.at));
    r.session->mail_shown(letter.number);
  }
  r.session->watch();
  return Reply("What happens is told from now on.");
}

Reply run_multiple(Request& r) {
  if (r.session->in_script()) return Refusal{"A script cannot hold another."};
  r.session->begin_script();
  return Reply("Commands follow, and a line with a single '.' ends them.");
}

Reply run_quit(Request& r) {
  r.session->quit();
  return Reply("Good-bye.");
}

}  // namespace

Result<Done> may_say(const Request& r) {
  const std::size_t lines = said_lines(r).size();
  if (lines == 0) return Done{};
  if (const auto account = r.service->accounts.find(r.user); account && account->muted)
    return Refusal{"The owner of this server lets " + r.user + " say nothing."};
  std::size_t bytes = 0;
  for (const std::string& line : r.text) bytes += line.size() + 1;
  if (bytes > kMaxText)
    return Refusal{"That text is too long: it has at most " + std::to_string(kMaxText) + " bytes."};
  if (lines > kMaxTextLines)
    return Refusal{"That text is too long: it has at most " + std::to_string(kMaxTextLines) +
                   " lines."};
  return r.service->in_a_minute.texts.may(r.user, r.service->moment(), lines);
}

void say_on_board(Request& r, const BoardSummary& board) {
  const Lines lines = said_lines(r);
  if (lines.empty()) return;
  Lines users = r.service->audience(board);
  std::erase(users, r.user);
  r.service->accounts.leave_out_blocking(users, r.user);
  const auto there = r.service->store.info(board.key());
  const bool aside = says_aside(r, board);
  if (there) r.service->chats.keep(board.id, r.user, lines, aside, r.service->time());
  for (const std::string& user : there ? users : Lines{})
    if (r.service->accounts.find(user))
      r.service->chats.add_unread(user, board.id, lines.size(), aside && board.plays(user));
  if (aside) std::erase_if(users, [&](const std::string& user) { return board.plays(user); });
  r.service->in_a_minute.texts.add(r.user, r.service->moment(), lines.size());
  const std::uint64_t from = r.session->number();
  if (there) r.service->tell_now(users, *there, {}, from);
  Event event = event_by(Event::Kind::chat, r, board.key());
  for (const std::string& line : lines) {
    event.text = line;
    r.service->tell(users, event, true, from);
  }
}

std::span<const CommandRow> chat_rows() {
  static const CommandRow rows[] = {
      {"GAME chat", "board [userid password] : text", "say something to all on a board", run_chat},
      {"GAME chats", "board [#number]", "what was said on a board; behind that line", run_chats},
      {"message", "[userid password] userid... : text", "say something to some", run_message},
      {"tell", "userid text...", "say something to one", run_message, Proof::connection},
      {"broadcast", "[userid password] : text", "say something to all who watch", run_broadcast},
      {"GAME subscribe", "board|all [userid password]", "watch a board without playing",
       run_subscribe},
      {"GAME unsubscribe", "board|all [userid password]", "watch it no more", run_subscribe},
      {"watch", "", "send events, and what came while you were away", run_watch, Proof::connection},
      {"multiple", "", "commands follow, to a line with a single '.'", run_multiple},
      {"quit", "", "leave", run_quit},
  };
  return rows;
}

}  // namespace pbm
