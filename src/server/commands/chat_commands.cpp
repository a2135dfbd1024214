// SPDX-License-Identifier: MIT
// Commands to talk, and to watch games of others.
#include <algorithm>

#include "base/text.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

// Returns the lines of the text that are not blank. Each becomes an event, which is one line.
std::vector<std::string> text_lines(const Request& r) {
  std::vector<std::string> out;
  std::ranges::copy_if(r.text, std::back_inserter(out),
                       [](const std::string& line) { return !trim(line).empty(); });
  return out;
}

void need_text(const Request& r) {
  if (text_lines(r).empty()) throw Refusal{"There is no text. Write: " + command_syntax(*r.row)};
  value_or_throw(check_text(r));
}

Event user_event(Event::Kind kind, const Request& r, std::optional<BoardKey> board = {}) {
  Event out{kind, board};
  out.userid = r.userid;
  return out;
}

void send_text(Request& r, const std::vector<std::string>& users, Event event, bool mail) {
  const std::vector<std::string> lines = text_lines(r);
  r.service->minute_limits.texts.add(r.userid, r.service->moment(), lines.size());
  for (const std::string& line : lines) {
    event.text = line;
    r.service->send_event(users, event, mail);
  }
}

Reply run_subscribe(Request& r) {
  const bool on = r.row->verb() == "subscribe";
  Service& service = *r.service;
  const bool all = equals_ignoring_case(r.words[0], "all");
  std::string what = std::string(r.game->name) + "-all",
              said = "all games of " + std::string(r.game->title);
  const BoardPtr board = all ? nullptr : need_board(r, r.words[0]);
  if (board) {
    const BoardSummary& info = board->summary;
    what = board->key.id();
    said = board->key.to_string();
    std::vector<std::string> players = service.players(info);
    const std::size_t count = players.size();
    if (on && service.is_player(info, r.userid))
      return Refusal{"You play on " + said + ". You need not watch it, too."};
    service.accounts.remove_blockers(players, r.userid);
    if (on && players.size() < count) return Refusal{"A player of " + said + " has blocked you."};
  }
  const auto now = service.accounts.subscriptions(r.userid);
  if (on == (now.count(what) > 0))
    return Refusal{(on ? "You already watch " : "You do not watch ") + said + "."};
  if (on && now.size() >= kMaxSubscriptions)
    return Refusal{"You watch " + std::to_string(kMaxSubscriptions) +
                   " boards, the most a player may watch. Unsubscribe from one first."};
  // The change of watchers is sent to everybody on the board, so it counts as a message.
  if (board) value_or_throw(service.minute_limits.texts.check_and_add(r.userid, service.moment()));
  service.accounts.set_subscription(r.userid, what, on);
  if (board)
    service.send_board_state(service.audience(board->summary), board->summary, {},
                             r.session->number());
  return Reply((on ? "You watch " : "You no longer watch ") + said + ".");
}

// True if the players of the board may read the user's chat only after the game.
bool is_aside(const Request& r, const BoardSummary& board) {
  return board.to_move && !board.has_player(r.userid);
}

Reply run_chat(Request& r) {
  const BoardPtr board = need_board(r, r.words[0]);
  need_text(r);
  const BoardSummary& info = board->summary;
  const std::string name = board->key.to_string();
  const auto users = r.service->audience(info);
  if (std::ranges::find(users, r.userid) == users.end())
    return Refusal{"You do not play or watch " + name + ". Subscribe to it first."};
  send_chat(r, info);
  return Reply("Sent to " + (is_aside(r, info) ? "the watchers of " + name +
                                                     ". The players see it after the game."
                                               : name + "."));
}

// Shows the chat of a board and marks it as read.
Reply run_chats(Request& r) {
  const BoardPtr board = need_board(r, r.words[0]);
  const auto behind = r.words.size() > 1 ? read_skip_count(r.words[1]) : std::size_t{0};
  if (!behind) return Refusal{"Write: " + command_syntax(*r.row)};
  Service& service = *r.service;
  const BoardSummary& info = board->summary;
  const bool over = info.is_over(), plays = service.is_player(info, r.userid);
  const Lines users = over || plays ? Lines{} : service.audience(info);
  const bool overhears = over || std::ranges::find(users, r.userid) != users.end();
  std::size_t unread = service.chats.unread_count(r.userid, info.id),
              later = service.chats.unread_count(r.userid, info.id, over) - unread, fresh = 0;
  Lines lines;
  const std::vector<ChatLine> said = service.chats.lines(info.id, *behind);
  for (auto line = said.rbegin(); line != said.rend(); ++line) {
    if (service.accounts.has_blocked(r.userid, line->userid)) continue;
    if (line->is_for_watchers && !overhears) continue;
    ChatLine next = *line;
    std::size_t& left = line->is_for_watchers && plays ? later : unread;
    next.is_new = left > 0 && next.userid != r.userid;
    left -= next.is_new;
    fresh += next.is_new;
    lines.push_back(r.session->is_program()
                        ? encode(next)
                        : pad_left(std::to_string(next.number), 4) + "  " + iso_time(next.time) +
                              "  " + next.userid + ": " + next.text);
  }
  std::ranges::reverse(lines);
  if (service.chats.unread_count(r.userid, info.id, over) > 0) try {
      service.chats.mark_read(r.userid, info.id, over);
      service.send_board_state({r.userid}, info, {}, r.session->number());
    } catch (const Error&) {
      // It stays unread until the database can save this.
    }
  std::string told = lines.empty() ? (*behind > 0 ? "No more chat" : "No chat")
                                   : format_count(lines.size(), "line", "lines");
  told += " on " + board->key.to_string();
  if (fresh > 0) told += ", " + std::to_string(fresh) + " of them new";
  return Reply(told + ".", std::move(lines));
}

Reply run_message(Request& r) {
  std::vector<std::string> users;
  for (const std::string& word : r.words) {
    const std::string userid = need_account(r, word, " Nothing was sent.").userid;
    if (const auto may = r.service->accounts.check_blocks(r.userid, userid); !may)
      return Refusal{may.refusal().reason + " Nothing was sent."};
    if (std::ranges::find(users, userid) == users.end()) users.push_back(userid);
  }
  if (users.size() > kMaxReceivers)
    return Refusal{"A message can go to at most " + std::to_string(kMaxReceivers) + " userids."};
  need_text(r);
  send_text(r, users, user_event(Event::Kind::message, r), true);
  return Reply("Sent to " + join_with_and(users) + ".");
}

Reply run_broadcast(Request& r) {
  need_text(r);
  std::vector<std::string> users = r.service->connections.watching_userids();
  std::erase(users, r.userid);
  r.service->accounts.remove_blockers(users, r.userid);
  send_text(r, users, user_event(Event::Kind::broadcast, r), false);
  return Reply("Sent to everybody who is watching.");
}

Reply run_watch(Request& r) {
  for (const Mail::Letter& letter : r.service->mail.letters(r.userid)) {
    r.session->queue_event(encode_delayed(letter.event_line, letter.sent_at));
    r.session->mark_mail_shown(letter.number);
  }
  r.session->start_watching();
  return Reply("You see events from now on.");
}

Reply run_multiple(Request& r) {
  if (r.session->is_in_script()) return Refusal{"A script cannot contain another script."};
  r.session->begin_script();
  return Reply("Write one command a line. A line with a single '.' ends the script.");
}

Reply run_quit(Request& r) {
  r.session->quit();
  return Reply("Good-bye.");
}

}  // namespace

Result<Success> check_mute(const Request& r) {
  const auto account = r.service->accounts.find(r.userid);
  if (account && account->is_muted) return Refusal{"The owner of this server muted you."};
  return Success{};
}

Result<Success> check_text(const Request& r) {
  const std::size_t lines = text_lines(r).size();
  if (lines == 0) return Success{};
  if (const auto allowed = check_mute(r); !allowed) return allowed;
  std::size_t bytes = 0;
  for (const std::string& line : r.text) bytes += line.size() + 1;
  if (bytes > kMaxTextBytes)
    return Refusal{"That text is too long. A text has at most " + std::to_string(kMaxTextBytes) +
                   " bytes."};
  if (lines > kMaxTextLines)
    return Refusal{"That text is too long. A text has at most " + std::to_string(kMaxTextLines) +
                   " lines."};
  return r.service->minute_limits.texts.check(r.userid, r.service->moment(), lines);
}

void send_chat(Request& r, const BoardSummary& board) {
  const Lines lines = text_lines(r);
  if (lines.empty()) return;
  Lines users = r.service->audience(board);
  std::erase(users, r.userid);
  r.service->accounts.remove_blockers(users, r.userid);
  const auto there = r.service->store.find_summary(board.key());
  const bool aside = is_aside(r, board);
  if (there) r.service->chats.add_lines(board.id, r.userid, lines, aside, r.service->time());
  for (const std::string& user : there ? users : Lines{})
    if (r.service->accounts.find(user))
      r.service->chats.add_unread(user, board.id, lines.size(), aside && board.has_player(user));
  if (aside) std::erase_if(users, [&](const std::string& user) { return board.has_player(user); });
  r.service->minute_limits.texts.add(r.userid, r.service->moment(), lines.size());
  const std::uint64_t from = r.session->number();
  if (there) r.service->send_board_state(users, *there, {}, from);
  Event event = user_event(Event::Kind::chat, r, board.key());
  for (const std::string& line : lines) {
    event.text = line;
    r.service->send_event(users, event, true, from);
  }
}

std::span<const CommandRow> chat_rows() {
  static const CommandRow rows[] = {
      {"GAME chat", "board [userid password] : text", "send chat to all on a board", run_chat},
      {"GAME chats", "board [#number]", "show the chat of a board, after that line", run_chats},
      {"message", "[userid password] userid... : text", "send a message to players", run_message},
      {"tell", "userid text...", "send a message to one player", run_message, Proof::connection},
      {"broadcast", "[userid password] : text", "send a message to everybody", run_broadcast},
      {"GAME subscribe", "board|all [userid password]", "watch a board without playing",
       run_subscribe},
      {"GAME unsubscribe", "board|all [userid password]", "stop watching it", run_subscribe},
      {"watch", "", "show events, also those you missed", run_watch, Proof::connection},
      {"multiple", "", "run the lines up to a single '.' as commands", run_multiple},
      {"quit", "", "close the connection", run_quit},
  };
  return rows;
}

}  // namespace pbm
