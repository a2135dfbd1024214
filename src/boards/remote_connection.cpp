// SPDX-License-Identifier: MIT
// RemoteBoards: its connection to the server, the user on it, recovery after a loss, and events.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "boards/notifications.hpp"
#include "boards/remote_boards.hpp"
#include "protocol/telling.hpp"
#include "protocol/framing.hpp"
#include "protocol/userid.hpp"

namespace pbm {

namespace {

using std::chrono::milliseconds;

constexpr auto kMaxWait = milliseconds(30'000);
constexpr std::size_t kHeardSurely = 1000;  // events handled in any case, even if a caller gives up
constexpr std::string_view kAgain = " It is tried again by itself; what is typed stays.";

// Keeps one command from becoming two lines.
Result<Done> check_line(std::string_view line) {
  if (line.size() > kMaxLine) return Refusal{"That is too long for one line."};
  if (std::ranges::any_of(line,
                          [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }))
    return Refusal{"That has a character which cannot be sent."};
  return Done{};
}

}  // namespace

struct RemoteBoards::Waits {
  Waits() {
    for (const int fd : {again.get(), bell.get()}) all.add(fd);
  }
  WaitSet all;
  TimerFd again;
  EventFd bell;
};

int RemoteBoards::changes() { return tasks_ ? tasks_->changes() : waits_->all.get(); }

void RemoteBoards::ring() const {
  if (waits_) waits_->bell.ring();
}

RemoteBoards::RemoteBoards(Setup setup)
    : setup_(std::move(setup)), waits_(setup_.dial ? std::make_unique<Waits>() : nullptr) {
  if (!setup_.screen) return;
  tasks_ = std::make_unique<BackgroundTasks>(waits_->all.get(), [this] {
    const bool any = look();
    if (any) static_cast<void>(list());
    return any;
  });
  setup_.wait = [this](int fd, short events, int milliseconds) {
    return tasks_->wait(fd, events, milliseconds);
  };
}

RemoteBoards::~RemoteBoards() {
  if (tasks_) tasks_->end();
  ::explicit_bzero(password_.data(), password_.size());
}

// --- the connection ------------------------------------------------------------

Result<Done> RemoteBoards::connect_as(const std::string& user) {
  user_ = lower(user);
  trusted_ = true;
  return connect();
}

void RemoteBoards::connect_later(const std::string& why) {
  if (!user_.empty() && locked_out_.empty() && turned_away_.empty()) return disconnect(why);
  news_.add_of_line(why);
  ring();
}

Result<Done> RemoteBoards::connect_within(milliseconds patience, const std::string& user) {
  user_ = lower(user);
  trusted_ = !user.empty();
  struct Came {
    std::optional<Result<Done>> answer;
    bool late = false;
  };
  const auto came = std::make_shared<Came>();
  connecting_ = tasks_->ask(
      [this, came]() -> Callback {
        came->answer = connect();
        if (came->late && !*came->answer) connect_later(came->answer->refusal().why);
        return {};
      },
      Priority::person);
  const auto until = std::chrono::steady_clock::now() + patience;
  for (milliseconds left = patience; !came->answer && left.count() > 0;
       left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now())) {
    pollfd wanted{changes(), POLLIN, 0};
    if (::poll(&wanted, 1, static_cast<int>(left.count())) > 0) tasks_->take();
  }
  came->late = !came->answer;
  return came->late ? Result<Done>(Done{}) : *came->answer;
}

Handle RemoteBoards::ask(Task task, Priority priority) {
  if (!tasks_) {
    if (const Callback done = task()) done();
    return nullptr;
  }
  return tasks_->ask(
      [this, task = std::move(task)] {
        const std::string user = user_;
        Callback done = task();
        // A user who has just signed in sees their boards at once.
        if (user_ != user) static_cast<void>(list());
        if (!news_.empty()) tasks_->renew();
        return done;
      },
      priority);
}

Refusal RemoteBoards::no_line() const {
  if (!takes_commands()) return Refusal{"These boards are on no server."};
  if (!locked_out_.empty()) return Refusal{"You are signed out: " + locked_out_};
  return Refusal{"There is no connection to the server now: it is tried again by itself."};
}

Result<Done> RemoteBoards::dial() {
  if (!takes_commands()) return no_line();
  auto line = setup_.dial(setup_.wait);
  if (!line) return line.refusal();
  if (const auto known = (*line)->known(); !known) {
    if (!user_.empty() && stranger_ != known.refusal().why) news_.add_of_line(known.refusal().why);
    stranger_ = known.refusal().why;
    return known.refusal();
  }
  stranger_.clear();
  line_ = std::move(*line);
  waits_->all.add(line_->descriptor());
  return Done{};
}

// Signs in again as the user of the connection before.
Result<Done> RemoteBoards::connect() {
  if (const auto dialled = dial(); !dialled || user_.empty()) return dialled;
  if (!trusted_ && (password_.empty() || !line_->tells_who())) {
    sign_out(
        "the connection broke, and who answers there now cannot be seen. Type the password only if "
        "that is the server.");
    return no_line();
  }
  const auto entered = enter();
  if (!entered) line_.reset();
  return entered;
}

Result<Done> RemoteBoards::enter() {
  std::vector<std::string> lines{trusted_ ? "as " + user_ : "login " + user_ + " " + password_,
                                 "hello " + std::to_string(kProtocol)};
  // Without `watch` the server keeps notifications; with it they count as read.
  if (setup_.hears) lines.emplace_back("watch");
  const auto said = line_->ask_all(lines);
  if (!said) return said.refusal();
  const Reply& in = said->front();
  if (!in.ok && !in.busy && !trusted_) sign_out(sanitize(in.summary));
  if (!in.ok && !in.busy && trusted_ && !was_in_) turned_away_ = in.refusal().why;
  for (const Reply& reply : *said)
    if (!reply.ok) return reply.refusal();
  for (const std::string& line : in.lines) news_.add_of_line(sanitize(line));
  begin();
  return Done{};
}

void RemoteBoards::begin() {
  failures_ = 0;
  list_is_old_ = lobby_is_old_ = was_in_ = true;
  followed_.forget_matches();
  hear_events();
  ring();
}

void RemoteBoards::sign_out(const std::string& why) {
  locked_out_ = why;
  asks_person_ = true;
  ::explicit_bzero(password_.data(), password_.size());
  password_.clear();
  line_.reset();
  followed_.forget_matches();
  list_is_old_ = true;
  ring();
}

void RemoteBoards::disconnect(const std::string& why, bool tell) {
  hear_events();
  line_.reset();
  followed_.forget_matches();
  list_is_old_ = true;
  if (!locked_out_.empty()) return ring();
  if (tell) news_.add_of_line(why + std::string(kAgain));
  retry_later();
  ring();
}

void RemoteBoards::retry_later() {
  if (user_.empty() || !locked_out_.empty() || !turned_away_.empty()) return;
  const milliseconds wait = std::min(setup_.first_wait * (1U << std::min(failures_, 5U)), kMaxWait);
  ++failures_;
  waits_->again.set(wait);
}

void RemoteBoards::need_line() {
  asks_person_ = asks_person_ || !locked_out_.empty();
  if (line_ || !locked_out_.empty() || !connect() || user_.empty()) return;
  news_.add_of_line("The connection to the server is back.");
  ring();
}

Result<Reply> RemoteBoards::request(const std::string& line, bool tell) {
  if (!line_) return no_line();
  auto reply = line_->ask(line);
  if (!reply) {
    const bool given = gives_up(setup_.wait);
    disconnect(reply.refusal().why, tell && !given);
    if (given) return Refusal{"Given up: the server has not answered."};
    return Refusal{sanitize(reply.refusal().why) + std::string(kAgain)};
  }
  for (const std::string& text : reply->ok ? reply->lines : std::vector<std::string>{})
    if (auto update = decode_update(text, user_)) {
      followed_.take(std::move(*update), user_);
      ring();
    } else {
      break;
    }
  hear_events();
  return reply;
}

Result<Reply> RemoteBoards::order(const std::string& line) {
  if (const auto fine = check_line(line); !fine) return fine.refusal();
  need_line();
  return accepted(request(line, false));
}

bool RemoteBoards::look() {
  bool any = waits_->bell.clear();
  const bool due = waits_->again.clear();
  if (line_) {
    const auto taken = line_->take_in();
    any = hear_events() || any;
    if (!taken && line_) {
      // The server closes connections that do not sign in: the next sign-in makes a new one.
      disconnect(taken.refusal().why, !user_.empty());
      any = true;
    }
  } else if (due) {
    any = true;
    if (!connect()) retry_later();
    // The notification about the pending ply also says that the connection is back.
    else if (pending_.empty()) news_.add_of_line("The connection to the server is back.");
  }
  if (line_ && !pending_.empty()) {
    send_pending();
    any = true;
  }
  // The events that rang the bell were handled above.
  waits_->bell.clear();
  return any;
}

// --- events ------------------------------------------------------------------------

bool RemoteBoards::hear_events() {
  if (!line_) return false;
  const auto events = line_->take_events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    // If the user wants to leave during a flood of events, the rest is dropped.
    if (i >= kHeardSurely && gives_up(setup_.wait)) {
      list_is_old_ = true;
      break;
    }
    handle_event(events[i]);
  }
  keep_talk();
  if (!events.empty()) ring();
  return !events.empty();
}

void RemoteBoards::handle_event(const std::string& what) {
  const auto event = decode_event(what);
  if (!event) {
    list_is_old_ = true;  // a newer server's unknown event may change the list
    return;
  }
  if (event->kind == Event::Kind::signout) {
    const std::string why =
        event->text.empty() ? "The server says no more." : sanitize(event->text);
    // Without a password this program cannot sign in again.
    if (trusted_) turned_away_ = why;
    return sign_out(why);
  }
  const std::string id = event->board ? event->board->id() : "";
  if (event->kind == Event::Kind::now) {
    if (auto update = decode_update(event->text, user_)) followed_.take(std::move(*update), user_);
    else list_is_old_ = true;
  }
  if (event->kind == Event::Kind::gone) {
    BoardSummary gone;
    gone.id = id;
    gone.gone = true;
    followed_.take(std::move(gone), user_);
  }
  // For the other kinds of event, the event `now` has updated the match.
  if (event->kind == Event::Kind::changed) {
    followed_.forget_match(id);
    list_is_old_ = true;
  }
  if (event->kind == Event::Kind::seek || event->kind == Event::Kind::unseek) lobby_is_old_ = true;
  const auto news = notification_of(*event);
  if (!news) return;
  news_.add(news->kind, news->board, news->text);
  if (news->kind == Notification::Kind::talk) said_.push_back({news->board, news->text, now()});
}

// Reports a failure to write the file, but does not try those lines again.
void RemoteBoards::keep_talk() {
  try {
    notebook().keep_talk(said_);
  } catch (const Error& e) {
    news_.add_of_line(e.what());
  }
  said_.clear();
}

// --- accounts and commands -----------------------------------------------------------

Result<std::string> RemoteBoards::sign_in(const std::string& user, const std::string& password) {
  const auto userid = check_userid(user);
  if (!userid) return userid.refusal();
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  if (!user_.empty() && user_ != *userid)
    return Refusal{"You are " + user_ + " here: start pbmplay anew to be somebody else."};
  if (!line_)
    if (const auto dialled = dial(); !dialled) return dialled.refusal();
  const std::string login = "login " + *userid + " " + password;
  if (const auto fine = check_line(login); !fine) return fine.refusal();
  const auto reply = request(login, false);
  if (!reply) return reply.refusal();
  if (!reply->ok) {
    if (!user_.empty()) line_.reset();  // no user is signed in on it
    return reply->refusal();
  }
  user_ = *userid;
  if (line_->tells_who()) password_ = password;
  locked_out_.clear();
  asks_person_ = false;
  const auto said = line_->ask_all({"hello " + std::to_string(kProtocol), "watch"});
  if (!said) disconnect(said.refusal().why);
  else if (!said->back().ok) disconnect(said->back().refusal().why);
  else begin();
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::sign_up(const std::string& user, const std::string& password) {
  const auto userid = check_userid(user);
  if (!userid) return userid.refusal();
  // The server would take the second of two words for an address.
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  const auto reply = order("signup " + *userid + " " + password);
  if (!reply) return reply.refusal();
  return sign_in(user, password);
}

Result<CommandAnswer> RemoteBoards::command(std::string_view typed) {
  std::vector<std::string> w = words(typed);
  std::erase(w, "**");  // the server ignores it, too
  if (w.empty()) return Refusal{"Type a command: help lists them."};
  const auto is = [&](std::string_view word) { return same_ignoring_case(w[0], word); };
  if (is("multiple")) return Refusal{"Scripts are for pbmplay send: type the commands one by one."};
  if (is("quit")) return Refusal{"To leave press q or type quit."};
  // On older servers `delete` meant signoff; it never deleted a board.
  if (is("delete"))
    return Refusal{
        "Boards of a server are kept: resign ends one. To give your userid up write signoff and "
        "your password."};
  if (is("login") || is("as"))
    return Refusal{"You are " + user_ + " here: start pbmplay anew to be somebody else."};
  const auto reply = order(std::string(trim(typed)));
  // A board in the reply is all that changed, except that `take` also removes an open challenge.
  const auto update = reply ? decode_update_in(*reply, user_) : std::nullopt;
  lobby_is_old_ = lobby_is_old_ || !update || is("take");
  changed_here(update.has_value());
  if (!reply) return reply.refusal();
  if (is("change") && w.size() > 3 && same_ignoring_case(w[1], "password") &&
      (w.size() == 4 || same_ignoring_case(w[2], user_)))
    password_ = w.back();
  CommandAnswer out{sanitize(reply->summary), {}};
  if (update) {
    if (!update->gone) out.board = update->id;
    // Draws the board for the person, unless they only queued a move.
    if (update->gone || (update->done->empty() && update->entries > 0)) return out;
    const auto board = open(update->id);
    if (!board) return out;
    View view;
    view.field = board->remote->field.value_or(view.field);
    out.lines = position_text(board->match, view);
    return out;
  }
  for (const std::string& line : reply->lines) {
    const auto said = decode_chat(line);
    out.lines.push_back(said ? said->in_words() : safe_text(line));
  }
  return out;
}

}  // namespace pbm
