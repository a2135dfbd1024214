// SPDX-License-Identifier: MIT
// RemoteBoards: its connection to the server, the user on it, recovery after a loss, and events.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "boards/notifications.hpp"
#include "boards/remote_boards.hpp"
#include "protocol/match_description.hpp"
#include "protocol/framing.hpp"
#include "protocol/userid.hpp"

namespace pbm {
namespace {

using std::chrono::milliseconds;

constexpr auto kMaxRetryDelay = milliseconds(30'000);
constexpr std::size_t kMinEventsHandled =
    1000;  // events handled in any case, even if a caller gives up
constexpr std::string_view kRetryNote = " The program tries again; your text stays.";

// Keeps one command from becoming two lines.
Result<Success> check_line(std::string_view line) {
  if (line.size() > kMaxLine)
    return Refusal{"That is too long. A line has at most " + std::to_string(kMaxLine) + " bytes."};
  if (std::ranges::any_of(line,
                          [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }))
    return Refusal{"The text has a character that cannot be sent."};
  return Success{};
}

}  // namespace

struct RemoteBoards::WaitSources {
  WaitSources() {
    for (const int fd : {retry_timer.get(), bell.get()}) wait_set.add(fd);
  }
  WaitSet wait_set;
  TimerFd retry_timer;
  EventFd bell;
};

int RemoteBoards::change_descriptor() {
  return tasks_ ? tasks_->change_descriptor() : wait_sources_->wait_set.get();
}

void RemoteBoards::wake() const {
  if (wait_sources_) wait_sources_->bell.notify();
}

RemoteBoards::RemoteBoards(Setup setup)
    : setup_(std::move(setup)),
      wait_sources_(setup_.connector ? std::make_unique<WaitSources>() : nullptr) {
  if (!setup_.is_screen) return;
  tasks_ = std::make_unique<BackgroundTasks>(wait_sources_->wait_set.get(), [this] {
    const bool any = handle_changes();
    if (any) static_cast<void>(list());
    return any;
  });
  setup_.waiter = [this](int fd, short events, int milliseconds) {
    return tasks_->wait(fd, events, milliseconds);
  };
}

RemoteBoards::~RemoteBoards() {
  if (tasks_) tasks_->stop();
  ::explicit_bzero(password_.data(), password_.size());
}

// --- the connection ------------------------------------------------------------

Result<Success> RemoteBoards::connect_as(const std::string& user) {
  userid_ = lower(user);
  is_trusted_ = true;
  return connect();
}

void RemoteBoards::connect_later(const std::string& why) {
  if (!userid_.empty() && sign_out_reason_.empty() && entry_refusal_.empty())
    return disconnect(why);
  notifications_.add_connection(why);
  wake();
}

Result<Success> RemoteBoards::connect_within(milliseconds patience, const std::string& user) {
  userid_ = lower(user);
  is_trusted_ = !user.empty();
  struct ConnectResult {
    std::optional<Result<Success>> answer;
    bool is_late = false;
  };
  const auto came = std::make_shared<ConnectResult>();
  connect_task_ = tasks_->start_task(
      [this, came]() -> Callback {
        came->answer = connect();
        if (came->is_late && !*came->answer) connect_later(came->answer->refusal().reason);
        return {};
      },
      Priority::person);
  const auto until = std::chrono::steady_clock::now() + patience;
  for (milliseconds left = patience; !came->answer && left.count() > 0;
       left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now())) {
    pollfd wanted{change_descriptor(), POLLIN, 0};
    if (::poll(&wanted, 1, static_cast<int>(left.count())) > 0) tasks_->take_changes();
  }
  came->is_late = !came->answer;
  return came->is_late ? Result<Success>(Success{}) : *came->answer;
}

TaskHandle RemoteBoards::start_task(Task task, Priority priority) {
  if (!tasks_) {
    if (const Callback done = task()) done();
    return nullptr;
  }
  return tasks_->start_task(
      [this, task = std::move(task)] {
        const std::string user = userid_;
        Callback done = task();
        // A user who has just signed in sees their boards at once.
        if (userid_ != user) static_cast<void>(list());
        if (!notifications_.empty()) tasks_->set_changed();
        return done;
      },
      priority);
}

Refusal RemoteBoards::no_connection() const {
  if (!has_server()) return Refusal{"These games are not on a server."};
  if (!sign_out_reason_.empty()) return Refusal{"You are signed out: " + sign_out_reason_};
  if (!entry_refusal_.empty()) return Refusal{entry_refusal_};
  return Refusal{"There is no connection to the server. The program tries again."};
}

Result<Success> RemoteBoards::open_connection() {
  if (!has_server()) return no_connection();
  auto line = setup_.connector(setup_.waiter);
  if (!line) return line.refusal();
  // A trusted user sends no password, so the server may move to another machine or to systemd's
  // socket.
  if (const auto known = is_trusted_ ? Success{} : (*line)->check_login(); !known) {
    if (!userid_.empty() && reported_login_refusal_ != known.refusal().reason)
      notifications_.add_connection(known.refusal().reason);
    reported_login_refusal_ = known.refusal().reason;
    return known.refusal();
  }
  reported_login_refusal_.clear();
  connection_ = std::move(*line);
  wait_sources_->wait_set.add(connection_->descriptor());
  return Success{};
}

// Signs in again as the user of the connection before.
Result<Success> RemoteBoards::connect() {
  if (const auto dialled = open_connection(); !dialled || (userid_.empty() && !new_key()))
    return dialled;
  if (!is_trusted_ && !new_key() && (password_.empty() || !connection_->can_check_login())) {
    sign_out(
        "the connection broke, and the program cannot identify the server now. Type the password "
        "only if you trust it.");
    return no_connection();
  }
  const auto entered = log_in();
  if (!entered) connection_.reset();
  return entered;
}

Result<Success> RemoteBoards::log_in() {
  std::vector<std::string> lines{!setup_.key.empty() ? "key " + setup_.key
                                 : is_trusted_       ? "as " + userid_
                                                     : "login " + userid_ + " " + password_,
                                 "hello " + std::to_string(kProtocolVersion)};
  // Without `watch` the server keeps notifications; with it they count as read.
  if (setup_.receives_events && !new_key()) lines.emplace_back("watch");
  const auto said = connection_->ask_all(lines);
  if (!said) return said.refusal();
  const Reply& in = said->front();
  if (!in.ok && !in.is_busy && !is_trusted_) sign_out(sanitize(in.summary));
  if (!in.ok && !in.is_busy && is_trusted_ && !was_signed_in_) entry_refusal_ = in.refusal().reason;
  for (const Reply& reply : *said)
    if (!reply.ok) return reply.refusal();
  note_welcome((*said)[1]);
  if (!setup_.key.empty()) {
    if (const auto known = check_key(in); !known || new_key()) return known;
  } else {
    for (const std::string& line : in.lines) notifications_.add_connection(sanitize(line));
  }
  begin_session();
  return Success{};
}

Result<Success> RemoteBoards::check_key(const Reply& reply) {
  const std::string known = reply.lines.empty() ? "" : reply.lines.front();
  is_key_known_ = known.starts_with("userid ");
  if (new_key() || known == "userid " + userid_) return Success{};
  entry_refusal_ = "This key can no longer sign in as " + userid_ + ". Connect again.";
  return Refusal{entry_refusal_};
}

void RemoteBoards::note_welcome(const Reply& hello) {
  if (welcome_) return;
  welcome_.emplace();
  for (std::size_t i = 1; i < hello.lines.size(); ++i) *welcome_ += sanitize(hello.lines[i]) + "\n";
}

Result<std::string> RemoteBoards::ask_about_key(const std::string& line) {
  // `key` is only the first line of a connection. Without a screen nothing notices that the server
  // has closed a silent one.
  if (line.empty() || !tasks_) connection_.reset();
  connect_if_needed();
  if (is_key_known_) return std::string();
  if (!connection_) return no_connection();
  if (line.empty()) return Refusal{"The code was not typed yet. Type it on your other machine."};
  const auto reply = send_command(line);
  if (!reply) return reply.refusal();
  static_cast<void>(check_key(*reply));
  return is_key_known_ ? std::string() : sanitize(reply->summary);
}

void RemoteBoards::begin_session() {
  failure_count_ = 0;
  list_is_old_ = lobby_is_old_ = was_signed_in_ = true;
  followed_boards_.forget_matches();
  handle_events();
  wake();
}

void RemoteBoards::sign_out(const std::string& why) {
  sign_out_reason_ = why;
  sign_out_is_new_ = true;
  ::explicit_bzero(password_.data(), password_.size());
  password_.clear();
  connection_.reset();
  followed_boards_.forget_matches();
  list_is_old_ = true;
  wake();
}

void RemoteBoards::disconnect(const std::string& why, bool tell) {
  handle_events();
  connection_.reset();
  followed_boards_.forget_matches();
  list_is_old_ = true;
  if (!sign_out_reason_.empty()) return wake();
  if (tell) notifications_.add_connection(why + std::string(kRetryNote));
  schedule_retry();
  wake();
}

void RemoteBoards::schedule_retry() {
  if (userid_.empty() || !sign_out_reason_.empty() || !entry_refusal_.empty()) return;
  const milliseconds wait =
      std::min(setup_.first_retry_delay * (1U << std::min(failure_count_, 5U)), kMaxRetryDelay);
  ++failure_count_;
  wait_sources_->retry_timer.set(wait);
}

void RemoteBoards::connect_if_needed() {
  sign_out_is_new_ = sign_out_is_new_ || !sign_out_reason_.empty();
  if (connection_ || !sign_out_reason_.empty() || !connect() || userid_.empty()) return;
  notifications_.add_connection("The connection to the server is back.");
  wake();
}

Result<Reply> RemoteBoards::request(const std::string& line, bool tell) {
  if (!connection_) return no_connection();
  auto reply = connection_->ask(line);
  if (!reply) {
    const bool given = is_cancelled(setup_.waiter);
    disconnect(reply.refusal().reason, tell && !given);
    if (given) return Refusal{"Given up. The server has not answered."};
    return Refusal{sanitize(reply.refusal().reason) + std::string(kRetryNote)};
  }
  for (const std::string& text : reply->ok ? reply->lines : std::vector<std::string>{})
    if (auto update = decode_update(text, userid_)) {
      followed_boards_.apply(std::move(*update), userid_);
      wake();
    } else {
      break;
    }
  handle_events();
  return reply;
}

Result<Reply> RemoteBoards::send_command(const std::string& line) {
  if (const auto fine = check_line(line); !fine) return fine.refusal();
  connect_if_needed();
  return require_ok(request(line, false));
}

bool RemoteBoards::handle_changes() {
  bool any = wait_sources_->bell.clear();
  const bool due = wait_sources_->retry_timer.clear();
  if (connection_) {
    const auto taken = connection_->receive();
    any = handle_events() || any;
    if (!taken && connection_) {
      // The server closes connections that do not sign in: the next sign-in makes a new one.
      disconnect(taken.refusal().reason, !userid_.empty());
      any = true;
    }
  } else if (due) {
    any = true;
    if (!connect()) schedule_retry();
    // The notification about the pending ply also says that the connection is back.
    else if (pending_.empty())
      notifications_.add_connection("The connection to the server is back.");
  }
  if (connection_ && !pending_.empty()) {
    resend_pending();
    any = true;
  }
  // The events that rang the bell were handled above.
  wait_sources_->bell.clear();
  return any;
}

// --- events ------------------------------------------------------------------------

bool RemoteBoards::handle_events() {
  if (!connection_) return false;
  const auto events = connection_->take_events();
  for (std::size_t i = 0; i < events.size(); ++i) {
    // If the user wants to leave during a flood of events, the rest is dropped.
    if (i >= kMinEventsHandled && is_cancelled(setup_.waiter)) {
      list_is_old_ = true;
      break;
    }
    handle_event(events[i]);
  }
  save_chat();
  if (!events.empty()) wake();
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
        event->text.empty() ? "The server gave no reason." : sanitize(event->text);
    // Without a password this program cannot sign in again.
    if (is_trusted_) entry_refusal_ = why;
    return sign_out(why);
  }
  const std::string id = event->board ? event->board->id() : "";
  if (event->kind == Event::Kind::board_update) {
    if (auto update = decode_update(event->text, userid_))
      followed_boards_.apply(std::move(*update), userid_);
    else list_is_old_ = true;
  }
  if (event->kind == Event::Kind::board_gone) {
    BoardSummary gone;
    gone.id = id;
    gone.is_deleted = true;
    followed_boards_.apply(std::move(gone), userid_);
  }
  // For the other kinds of event, the event `now` has updated the match.
  if (event->kind == Event::Kind::board_changed) {
    followed_boards_.forget_match(id);
    list_is_old_ = true;
  }
  if (event->kind == Event::Kind::seek || event->kind == Event::Kind::unseek ||
      event->kind == Event::Kind::tournament)
    lobby_is_old_ = true;
  const auto news = to_notification(*event);
  if (!news) return;
  notifications_.add(news->kind, news->board, news->text);
  if (news->kind == Notification::Kind::message)
    unsaved_chat_.push_back({news->board, news->text, now()});
}

// Reports a failure to write the file, but does not try those lines again.
void RemoteBoards::save_chat() {
  try {
    local_notes().add_chat(unsaved_chat_);
  } catch (const Error& e) {
    notifications_.add_connection(e.what());
  }
  unsaved_chat_.clear();
}

// --- accounts and commands -----------------------------------------------------------

Result<std::string> RemoteBoards::sign_in(const std::string& user, const std::string& password) {
  const auto userid = check_userid(user);
  if (!userid) return userid.refusal();
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  if (!userid_.empty() && userid_ != *userid)
    return Refusal{"You are signed in as " + userid_ + ". Restart pbmplay to change that."};
  if (!connection_)
    if (const auto dialled = open_connection(); !dialled) return dialled.refusal();
  const std::string login = "login " + *userid + " " + password;
  if (const auto fine = check_line(login); !fine) return fine.refusal();
  const auto reply = request(login, false);
  if (!reply) return reply.refusal();
  if (!reply->ok) {
    if (!userid_.empty()) connection_.reset();  // no user is signed in on it
    return reply->refusal();
  }
  userid_ = *userid;
  if (connection_->can_check_login()) password_ = password;
  sign_out_reason_.clear();
  sign_out_is_new_ = false;
  const auto said = connection_->ask_all({"hello " + std::to_string(kProtocolVersion), "watch"});
  if (said) note_welcome(said->front());
  if (!said) disconnect(said.refusal().reason);
  else if (!said->back().ok) disconnect(said->back().refusal().reason);
  else begin_session();
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::sign_up(const std::string& user, const std::string& password) {
  const auto userid = check_new_userid(user);
  if (!userid) return userid.refusal();
  // The server would take the second of two words for an address.
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  const auto reply = send_command("signup " + *userid + " " + password);
  if (!reply) return reply.refusal();
  return sign_in(user, password);
}

Result<CommandAnswer> RemoteBoards::run_command(std::string_view typed) {
  std::vector<std::string> w = split_words(typed);
  std::erase(w, "**");  // the server ignores it, too
  if (w.empty()) return Refusal{"Type a command. help lists them."};
  const auto is = [&](std::string_view word) { return equals_ignoring_case(w[0], word); };
  if (is("multiple")) return Refusal{"Only pbmplay send runs scripts. Type single commands."};
  if (is("quit") || is("exit")) return Refusal{"To leave, press q or type quit."};
  if (is("hello"))
    return Refusal{
        "hello is for programs. To chat on a board, type a colon, a blank and the text."};
  // On older servers `delete` meant signoff; it never deleted a board.
  if (is("delete"))
    return Refusal{
        "Games on a server cannot be deleted; resign ends one. To close your account, type signoff "
        "and your password."};
  if (is("login") || is("as"))
    return Refusal{"You are signed in as " + userid_ + ". Restart pbmplay to change that."};
  const auto reply = send_command(std::string(trim(typed)));
  // A board in the reply is all that changed, except that `take` also removes an open challenge.
  const auto update = reply ? decode_reply_update(*reply, userid_) : std::nullopt;
  const bool asks_only = is("data") || is("tv");
  lobby_is_old_ = lobby_is_old_ || (!asks_only && !update) || is("take");
  note_change(asks_only || update.has_value());
  if (!reply) return reply.refusal();
  if (is("change") && w.size() > 3 && equals_ignoring_case(w[1], "password") &&
      (w.size() == 4 || equals_ignoring_case(w[2], userid_)))
    password_ = w.back();
  CommandAnswer out{sanitize(reply->summary), {}};
  if (update) {
    const auto starts = [&](std::string_view word) {
      return is(word) || lower(w[w.size() > 1]) == word;
    };
    if (starts("take") || starts("challenge") || starts("rematch") || is("tv"))
      out.board_id = update->id;
    // Draws the board for the person, unless they only queued a move.
    if (update->is_deleted || (update->latest_actions->empty() && update->entry_count > 0))
      return out;
    const auto board = open(update->id);
    if (!board) return out;
    View view;
    view.drawing_style = board->remote->field.value_or(view.drawing_style);
    out.lines = position_text(board->match, view);
    return out;
  }
  for (const std::string& line : reply->lines) {
    const auto said = decode_chat(line);
    out.lines.push_back(said ? said->format() : safe_text(line));
  }
  return out;
}

}  // namespace pbm
