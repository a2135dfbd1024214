// SPDX-License-Identifier: MIT
#include "server/notifier.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/match_description.hpp"
#include "protocol/events.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxListedBoards = 100;  // boards in one notification
constexpr std::size_t kMaxDrawnBoards = 5;     // boards drawn
constexpr std::size_t kMaxShownPlies = 6;      // the last plies of each
constexpr std::size_t kMaxLetters = 20;        // the latest letters
constexpr std::size_t kMaxDrawing = 60'000;    // bytes; a variable has at most 128 KB
// A digest counts as a day after the one before, although that one may have gone out a little late.
constexpr std::chrono::hours kDigestTolerance{2};

// True if the user wants to know of more than challenges.
bool wants_turns(NotificationChoice::Kind of) {
  return of == NotificationChoice::Kind::turns || of == NotificationChoice::Kind::digest;
}

}  // namespace

// Returns a summary like "2 boards wait for you and 1 message", or "" if nothing is new. A new
// round of a tournament says the same and more.
std::string Notifier::summarize(const Content& news, const std::vector<Event>& events) {
  using enum Event::Kind;
  for (auto event = events.rbegin(); event != events.rend(); ++event)
    if (event->kind == tournament || event->kind == ladder)
      return event->text.substr(0, event->text.find_last_not_of('.') + 1);
  const auto of = [&](std::initializer_list<Event::Kind> kinds) {
    return index(std::ranges::count_if(
        events, [&](const Event& e) { return std::ranges::find(kinds, e.kind) != kinds.end(); }));
  };
  std::vector<std::string> out;
  const auto say = [&](std::size_t n, const char* one, const char* many) {
    if (n > 0) out.push_back(format_count(n, one, many));
  };
  say(news.waiting_count, "board waits for you", "boards wait for you");
  say(news.begun_count, "new game", "new games");
  say(news.watched_count, "board you watch has changed", "boards you watch have changed");
  say(news.unreadable_count, "board cannot be read", "boards cannot be read");
  say(of({game_over}), "game is over", "games are over");
  say(of({board_gone}), "board is gone", "boards are gone");
  say(of({message, chat, announce}), "message", "messages");
  if (out.empty() && !events.empty()) return "news from your boards";
  return join_with_and(out);
}

// Describes the moves since the user's own last one, and whose turn it is.
std::string Notifier::tell_story(const Match& match, const BoardSummary& board,
                                 const std::string& userid) {
  const auto seat = board.find_seat(userid);
  const bool turn = seat && match.to_move() == *seat;
  const auto& plies = match.plies();
  std::string out;
  if (board.headline(userid).find(" challenges you") != std::string::npos)
    out = display_name(board.challenger) + " challenges you to " + board.title() + ". " +
          (turn ? "" : "You need not do anything yet. We write when it is your turn. ");
  else if (!board.contest.empty()) out = board.contest + ". ";
  std::size_t from = plies.size();
  const std::size_t most = seat ? kMaxShownPlies : 1;
  while (from > 0 && plies.size() - from < most && !(seat && plies[from - 1].seat == *seat)) --from;
  for (; from < plies.size(); ++from)
    out +=
        display_name(board.names[index(plies[from].seat)]) + " played " + plies[from].text + ". ";
  if (turn)
    out += "Your turn " + match.player_label(*seat).substr(display_name(userid).size() + 1) + ". ";
  const std::string time = turn ? board.clock.short_text(board.to_move, server_.time()) : "";
  if (time.ends_with(" left")) out += "You have " + time + ".";
  return join(wrap(trim(out), 76), "\n");
}

Notifier::BoardText Notifier::draw_board(const std::string& userid, const BoardKey& key) {
  BoardText out{key.id()};
  const auto board = server_.boards.open(key);
  if (!board) return out;
  const Match& match = (*board)->match;
  const auto& plies = match.plies();
  out.next_ply = std::to_string(plies.size() + 1) + "-" + std::to_string(match.log().size());
  for (std::size_t i = plies.size() - std::min(plies.size(), kMaxShownPlies); i < plies.size(); ++i)
    out.plies += (out.plies.empty() ? "" : ", ") + std::to_string(i + 1) + " " +
                 display_name(match.names()[index(plies[i].seat)]) + " " + plies[i].text;
  View view;
  view.drawing_style =
      server_.accounts.chosen_field(userid, *key.game)
          .value_or(key.game->drawing_styles.empty() ? view.drawing_style
                                                     : key.game->drawing_styles.front());
  for (const std::string& line : position_text(match, view)) out.drawing += line + "\n";
  const BoardSummary summary = server_.complete_summary((*board)->summary);
  out.info = encode(summary);
  if (const auto legal = match.position().legal_plies(); match.to_move() && !legal.empty())
    out.move = legal.front();
  out.headline = summary.headline(userid);
  out.story = tell_story(match, summary, userid);
  if (!reply_socket_.empty() && match.to_move())
    out.reply_command =
        "pbmplay --socket " + reply_socket_ + " --user " + userid + " open " + key.id();
  return out;
}

// Makes a job for `userid`, "" for nobody in particular, counted for `to`. Adds the prefix PBMPLAY_
// to the variables.
std::unique_ptr<NotificationJob> Notifier::make_job(MailKind kind, const std::string& userid,
                                                    const std::string& to,
                                                    std::vector<std::string> variables,
                                                    const std::string& text) const {
  for (std::string& variable : variables) variable.insert(0, "PBMPLAY_");
  return std::make_unique<NotificationJob>(
      NotificationJob{program_, userid, to, kind, std::move(variables), text, stop_event_.get()});
}

// Returns the job that sends a confirmation code to its address, or nullptr if it may not be sent.
std::unique_ptr<NotificationJob> Notifier::make_code_mail(const std::string& userid) {
  const auto wanted = addresses_.find_pending(userid);
  if (program_.empty() || !wanted || wanted->sent_at ||
      !addresses_.check_send(MailKind::code, wanted->address, server_.time()))
    return nullptr;
  addresses_.set_sent(userid, server_.time());
  // A code for an address that is confirmed already is for a new key.
  const auto account = server_.accounts.find(userid);
  if (account && equals_ignoring_case(account->address, wanted->address))
    return make_job(MailKind::code, userid, wanted->address,
                    {"USER=" + userid, "ADDRESS=" + wanted->address, "SOCKET=" + reply_socket_,
                     "TEXT=A new SSH key for " + userid},
                    "Somebody, probably you, wants to sign in as " + userid +
                        " with a new SSH key.\nThe code to type there is " + wanted->code +
                        "\nIf it was not you, ignore this. Without the code, nothing changes.\n");
  return make_job(MailKind::code, userid, wanted->address,
                  {"USER=" + userid, "ADDRESS=" + wanted->address, "SOCKET=" + reply_socket_,
                   "CODE=" + wanted->code, "TEXT=the code for " + userid + " is " + wanted->code},
                  "Somebody, probably you, gave this address for the account " + userid +
                      ".\nTo confirm it, sign in and type: confirm address " + wanted->code +
                      "\nIf it was not you, ignore this. We will not write again.\n");
}

// Returns the job that sends an address the userids that confirmed it; nullptr without any.
std::unique_ptr<NotificationJob> Notifier::make_userids_mail(const std::string& address) {
  const auto userids = server_.accounts.find_by_address(address);
  if (program_.empty() || userids.empty() ||
      !addresses_.check_send(MailKind::userids, address, server_.time()))
    return nullptr;
  const std::string said =
      (userids.size() == 1 ? "your userid is " : "your userids are ") + join_with_and(userids);
  return make_job(
      MailKind::userids, "", address,
      {"USER=" + join(userids), "ADDRESS=" + address, "SOCKET=" + reply_socket_, "TEXT=" + said},
      "Somebody, probably you, asked for the userid of this address: " + said + ".\n");
}

std::unique_ptr<NotificationJob> Notifier::make_owner_mail(const PendingMail& notice) {
  const auto account = server_.accounts.find(notice.userid);
  if (!account) return nullptr;
  const std::string& text = notice.text;
  return make_job(MailKind::owner_notice, notice.userid, mail_receiver(*account),
                  {"USER=" + notice.userid, "ADDRESS=" + account->address,
                   "SOCKET=" + reply_socket_, "NEWS=" + text + "\n",
                   "TEXT=" + std::string(trim(text.substr(0, text.find_first_of(".("))))},
                  join(wrap(text, 76), "\n") + "\n");
}

Notifier::Content Notifier::collect_boards(const Account& account) {
  const std::string& userid = account.userid;
  Content out;
  for (const BoardSummary& board : server_.boards.find_running(userid)) {
    const NotificationChoice::Kind wish =
        server_.accounts.notification_choice(account, board.id).kind;
    const bool waits = is_waiting_for(board, userid),
               fresh =
                   !board.seats.unplayed.empty() && !equals_ignoring_case(board.challenger, userid);
    if (wish == NotificationChoice::Kind::never || !(fresh || (waits && wants_turns(wish))))
      continue;
    ++(waits ? out.waiting_count : out.begun_count);
    out.boards.push_back(board.key());
    if (out.boards.size() <= kMaxListedBoards) out.lines[board.id] = board_line(board);
  }
  // Watched boards do not wait for the player, so they are listed apart. Unreadable boards are
  // also apart, because their players are unknown.
  for (const std::string& id : notifications_.current_boards()) {
    const auto key = read_board_id(id);
    const auto board = key ? server_.boards.find_summary(*key) : std::nullopt;
    if (!board) continue;
    out.changed_boards.push_back(board->key());
    if (server_.complete_summary(*board).has_player(userid)) continue;
    ++(board->load_error.empty() ? out.watched_count : out.unreadable_count);
    out.lines[board->id] = board_line(*board);
  }
  return out;
}

std::vector<Event> Notifier::wanted_events(const std::vector<Mail::Letter>& letters,
                                           const Account& account) {
  std::vector<Event> out;
  for (const Mail::Letter& letter : letters)
    // collect_boards() lists the board of a challenge.
    if (auto event = decode_event(letter.event_line);
        event && event->kind != Event::Kind::challenge &&
        wants_turns(
            server_.accounts.notification_choice(account, event->board ? event->board->id() : "")
                .kind))
      out.push_back(std::move(*event));
  return out;
}

// Adds drawings of some boards to the text, first those with news. Returns the first board drawn,
// and in `about` those with news, each with its next ply.
Notifier::BoardText Notifier::draw_boards(const std::string& userid, Content& news,
                                          std::string& about) {
  const auto is_new = [&](const BoardKey& key) {
    return std::ranges::find(news.changed_boards, key) != news.changed_boards.end();
  };
  std::vector<BoardKey> boards = news.changed_boards;
  std::ranges::remove_copy_if(news.boards, std::back_inserter(boards), is_new);
  boards.resize(std::min(boards.size(), kMaxDrawnBoards));
  BoardText first;
  for (const BoardKey& key : boards) {
    const BoardText drawn = draw_board(userid, key);
    if (drawn.drawing.empty()) continue;
    const std::string head = news.is_single ? drawn.story : drawn.headline + "\n" + drawn.story;
    news.text += (news.text.empty() ? "" : "\n") + std::string(trim(head)) +
                 (head.empty() ? "" : "\n\n") + drawn.drawing;
    if (first.drawing.empty()) first = drawn;
    if (is_new(key)) about += (about.empty() ? "" : " ") + drawn.id + "#" + drawn.next_ply;
  }
  return first;
}

// Returns how many mails a user may still get today.
std::size_t Notifier::mails_left(const Account& account) {
  const auto tolerance =
      notifications_.is_current_digest() ? kDigestTolerance : std::chrono::hours(0);
  return addresses_.mails_left(mail_receiver(account), server_.time() + tolerance);
}

// Returns a notification with everything since the last one, or nullptr if there is nothing.
std::unique_ptr<NotificationJob> Notifier::make_notification(const Account& account) {
  Content news = collect_boards(account);
  const std::vector<Mail::Letter> letters = server_.mail.letters(account.userid, true);
  const std::vector<Event> events = wanted_events(letters, account);
  std::string said = summarize(news, events);
  if (said.empty()) return nullptr;
  // A notification about one board says what happened there; others list the boards.
  const auto is_news = [&](const BoardKey& key) { return key == news.changed_boards[0]; };
  const bool waits = !news.changed_boards.empty() && std::ranges::any_of(news.boards, is_news);
  news.is_single =
      news.changed_boards.size() == 1 && server_.boards.open(news.changed_boards[0]) &&
      (waits || news.watched_count > 0 || !events.empty()) &&
      std::ranges::all_of(events, [&](const Event& e) { return e.board && is_news(*e.board); });
  std::string words, about;
  for (std::size_t i = events.size() - std::min(events.size(), kMaxLetters); i < events.size();
       ++i) {
    const Event& event = events[i];
    words +=
        safe_text((event.board ? event.board->id() + ": " : "") + event_sentence(event)) + "\n";
    if (event.kind == Event::Kind::game_over) news.boards.push_back(*event.board);
  }
  std::string list;
  for (const auto& [id, line] : news.lines)
    if (!news.is_single || id != news.changed_boards[0].id()) list += line;
  if (news.is_single) news.boards.clear();
  else news.text = list;
  if (!words.empty()) news.text += (news.text.empty() ? "" : "\n") + words;
  const BoardText first = draw_boards(account.userid, news, about);
  if (news.is_single && !first.headline.empty()) {
    if (!list.empty()) news.text += "\nThese boards wait for you, too:\n" + list;
    said = first.headline;
    if (!waits && !first.move.empty())
      said.replace(said.find(": ") + 2, std::string::npos,
                   fit(events.empty() ? first.story : event_sentence(events.back()), 50));
    while (said.ends_with('.')) said.pop_back();
  }
  if (mails_left(account) == 1)
    news.text += "\nThis is the last mail for a day, because nobody answered " +
                 std::to_string(Addresses::kMaxMailsPerDay) +
                 ". Reply to one of them, or\nsign in, and you get mails at once again.\n";
  auto out = make_job(
      MailKind::notification, account.userid, mail_receiver(account),
      {"USER=" + account.userid, "ADDRESS=" + account.address, "SOCKET=" + reply_socket_,
       "WAITING=" + std::to_string(news.waiting_count), "BOARDS=" + about, "BOARD=" + first.id,
       "PLIES=" + first.plies,
       "DRAWING=" + (first.drawing.size() > kMaxDrawing ? "" : first.drawing), "INFO=" + first.info,
       "MOVE=" + first.move, "ANSWER=" + first.reply_command, "NEWS=" + words, "TEXT=" + said},
      news.text);
  if (!letters.empty()) out->last_letter = letters.back().number;
  return out;
}

// A user who was never notified gets no news older than a day. Without this, the first run with
// --notify would notify everybody of old news.
void Notifier::recover() {
  if (program_.empty()) return;
  for (const std::string& userid : addresses_.unsent_userids()) send_code(userid);
  for (const Account& account : server_.accounts.all()) {
    const std::string& userid = account.userid;
    const auto told = notifications_.last_sent_at(userid);
    const Time since = told.value_or(server_.time() - std::chrono::hours(24));
    if (told && !addresses_.has_unanswered(mail_receiver(account), *told))
      notifications_.record_action(userid, server_.time());
    for (const BoardSummary& board : server_.boards.find_running(userid))
      // With >=: a notification in that same second may not have had it.
      if (board.last_change >= since && is_waiting_for(board, userid))
        schedule(account, board.key(), !board.seats.unplayed.empty());
    for (const Mail::Letter& letter : server_.mail.letters(userid, true))
      if (const auto event = decode_event(letter.event_line);
          event && (told || letter.sent_at > since))
        schedule(account, event->board, event->kind == Event::Kind::challenge);
  }
}

void Notifier::schedule(const Account& account, const std::optional<BoardKey>& board,
                        bool challenge) {
  if (program_.empty() || account.userid == actor_) return;
  const std::string id = board ? board->id() : "";
  notifications_.schedule(account.userid, server_.accounts.notification_choice(account, id), id,
                          challenge, server_.is_connected(account.userid), server_.time());
}

void Notifier::record_action(const std::string& userid) {
  const auto account = program_.empty() ? std::nullopt : server_.accounts.find(userid);
  if (!account) return;
  notifications_.record_action(userid, server_.time());
  addresses_.mark_answered(mail_receiver(*account));
}

void Notifier::disconnected(const std::string& userid, bool informed) {
  if (informed || !server_.is_connected(userid)) notifications_.disconnected(userid, informed);
}

void Notifier::rename(const std::string& userid, const std::string& now) {
  notifications_.rename(userid, now);
  notifications_.disconnected(now, false);
  for (auto& [at, code] : pending_mails_)
    if (code.userid == userid) code.userid = now;
  if (current_mail_.userid == userid) current_mail_.userid = now;
}

void Notifier::send_userids(const std::string& address) {
  if (addresses_.check_send(MailKind::userids, address, server_.time()) &&
      !server_.accounts.find_by_address(address).empty() &&
      std::ranges::none_of(pending_mails_,
                           [&](const auto& code) { return code.second.address == address; }))
    pending_mails_.emplace(server_.time(), PendingMail{"", address});
}

std::unique_ptr<NotificationJob> Notifier::take_due() {
  if (!next_due()) return nullptr;
  const Time now = server_.time();
  while (!pending_mails_.empty() && pending_mails_.begin()->first <= now) {
    current_mail_ = std::move(pending_mails_.extract(pending_mails_.begin()).mapped());
    if (auto job = !current_mail_.text.empty()    ? make_owner_mail(current_mail_)
                   : current_mail_.userid.empty() ? make_userids_mail(current_mail_.address)
                                                  : make_code_mail(current_mail_.userid))
      return job;
  }
  for (std::string userid;
       !(userid = notifications_.take_due(now, server_.is_connected)).empty();) {
    const auto account = server_.accounts.find(userid);
    if (!account || (account->banned_until && *account->banned_until > now)) continue;
    if (mails_left(*account) == 0) notifications_.postpone(now);
    else if (auto job = make_notification(*account)) return job;
  }
  return nullptr;
}

std::string Notifier::finish(const NotificationJob& job) {
  const Time now = server_.time();
  const bool done = job.error.empty(), news = job.kind == MailKind::notification;
  const bool is_counted = job.kind != MailKind::owner_notice;  // it must not write to a full disk
  if (done) {
    if (is_counted) addresses_.count_mail(job.receiver, job.kind, now);
    if (news) notifications_.record_success(job.last_letter);
    return "";
  }
  const std::string who = job.userid.empty() ? "somebody" : job.userid;
  auto again = news ? notifications_.record_failure(now) : next_retry(current_mail_.failures, now);
  if (!news) {
    if (is_counted) addresses_.set_sent(current_mail_.userid, std::nullopt);
    const bool is_outdated =
        !is_counted && std::ranges::any_of(pending_mails_, [](const auto& mail) {
          return !mail.second.text.empty();
        });
    if (is_outdated) again.reset();
    if (again) pending_mails_.emplace(*again, current_mail_);
  }
  return (news ? who + " was not notified: " : "no mail went to the address of " + who + ": ") +
         job.error +
         (again ? " The next try is at " + iso_time(*again) + "." : " That was the last try.");
}

std::optional<Time> Notifier::next_due() const {
  const auto news = notifications_.next_due();
  if (pending_mails_.empty()) return news;
  return news ? std::min(*news, pending_mails_.begin()->first) : pending_mails_.begin()->first;
}

}  // namespace pbm
