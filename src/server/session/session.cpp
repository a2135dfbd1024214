// SPDX-License-Identifier: MIT
#include "server/session/session.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxProved = 4;  // passwords that a connection need not prove again

}  // namespace

Session::Session(Service& service, PeerInfo trust, Sink sink)
    : service_(service), sink_(std::move(sink)), peer_(std::move(trust)) {
  number_ = service_.connections.add(*this);
}

Session::~Session() {
  set_user("", false);
  service_.remove_connection(number_);
}

// Saves the state, which a failed commit restores.
void Session::save_state() {
  if (committed_state_) return;
  committed_state_ = state_;
  service_.connections.add_waiting(number_);
}

void Session::set_user(std::string userid, bool watching) {
  if (state_.is_watching) service_.connections.remove_watcher(state_.userid, number_);
  const std::string before = std::exchange(state_.userid, std::move(userid));
  if (before != state_.userid && !before.empty())
    service_.notifier.disconnected(before, state_.is_watching);
  state_.is_watching = watching;
  if (state_.is_watching) service_.connections.add_watcher(state_.userid, number_, *this);
}

bool Session::is_busy() const { return waiting_command_ || delayed_reply_ || !backlog_.empty(); }
bool Session::is_over() const { return state_.is_quitting && held_text_.empty(); }

// --- input lines -----------------------------------------------------------

void Session::take_line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (is_busy()) {
    backlog_.emplace_back(text);
    return;
  }
  handle_line(text);
  handle_backlog();
}

void Session::handle_backlog() {
  while (!waiting_command_ && !delayed_reply_ && !backlog_.empty()) {
    const std::string next = std::move(backlog_.front());
    backlog_.pop_front();
    handle_line(next);
  }
}

void Session::handle_line(std::string_view text) {
  if (state_.is_quitting) return;
  save_state();
  if (!std::exchange(was_put_back_, false)) mark_mail_read();
  ++line_count_;
  if (script_) return handle_script_line(text);
  auto line = read_command_line(text);
  if (line) run_guarded([&] { start_command(std::move(*line)); });
  else send_reply(line.refusal());
}

void Session::mark_mail_read() {
  const std::size_t last = std::exchange(state_.shown_mail, 0);
  if (last == 0) return;
  try {
    service_.mail.delete_read(state_.userid, last);
  } catch (const Error&) {
    // It stays unread and is sent again another time.
  }
}

// A command in a script runs when the next line shows that it is complete.
void Session::handle_script_line(std::string_view text) {
  if (!text.empty() && (text.front() == ' ' || text.front() == '\t') && script_->command) {
    auto more = read_text_line(text);
    script_->bytes += text.size();
    if (!more) script_->refusal = more.refusal();
    else if (script_->bytes > kMaxTextBytes)
      script_->refusal = Refusal{"That text is too long. A text has at most " +
                                 std::to_string(kMaxTextBytes) + " bytes."};
    else script_->text.emplace_back(trim(*more));
    return;
  }
  if (script_->command) {
    backlog_.emplace_front(text);
    was_put_back_ = true;
    run_held_command();
    return;
  }
  if (trim(text) == ".") {
    const auto script = std::move(script_);
    const std::string refused = script->refusal_count == 0
                                    ? "none refused"
                                    : std::to_string(script->refusal_count) + " refused";
    send_reply(Reply("The script is done. " +
                     format_count(script->command_count, "command", "commands") + ", " + refused +
                     "."));
    return;
  }
  script_->command = text;
}

void Session::run_held_command() {
  save_state();
  Script& s = *script_;
  ++s.command_count;
  s.bytes = 0;
  const std::vector<std::string> more = std::exchange(s.text, {});
  const auto refused = std::exchange(s.refusal, std::nullopt);
  auto line = read_command_line(*std::exchange(s.command, std::nullopt));
  if (!line || refused) return send_reply(line ? *refused : line.refusal());
  line->text.insert(line->text.end(), more.begin(), more.end());
  run_guarded([&] { start_command(std::move(*line)); });
}

// --- from a line to a command that may be run --------------------------------

Request Session::read_request(CommandLine line) {
  Request r = value_or_throw(
      pbm::read_request(std::move(line), state_.userid, is_owner(), service_.accounts));
  r.service = &service_;
  r.session = this;
  if (!r.row->parsed_syntax.userid_index) return r;
  if (r.userid.empty())
    throw login_refusal("Sign in with login userid password, or write: " + command_syntax(*r.row));
  if (r.userid != state_.userid) r.userid = value_or_throw(check_userid(r.userid));
  return r;
}

void Session::start_command(CommandLine line) {
  Request request = read_request(std::move(line));
  const Proof proof = request.proof;
  const bool proves = proof == Proof::password || proof == Proof::repeated_password;
  const auto account =
      proves || proof == Proof::connection ? service_.accounts.find(request.userid) : std::nullopt;
  value_or_throw(service_.check_ban(account));
  if (proves) return prove_password(std::move(request), account);
  if (proof == Proof::connection && !account)
    throw login_refusal("Sign in first with login userid password.");
  if (proof == Proof::owner && !state_.userid.empty())
    throw Refusal{
        "Only the owner of the server may do that, on the Unix socket, before login or as."};
  hash_or_run(std::move(request));
}

void Session::prove_password(Request request, const std::optional<Account>& account) {
  const std::string& user = request.userid;
  if (!account) {
    const auto closed = service_.accounts.find_any(user);
    throw Refusal{closed ? user + " " + closed->closed_reason() + "."
                         : "There is no userid " + user + ". Sign up to create it."};
  }
  // If the password is needed again, only a login trusted with `as` may omit it.
  const bool again = request.row->proof == Proof::repeated_password;
  if (request.password.text() == "*") {
    if (state_.userid != user)
      throw login_refusal("You are not signed in as " + user + ". Write the password, not '*'.");
    if (again && state_.trusted_userid != user)
      throw Refusal{"Write the " +
                    std::string(request.row->parsed_syntax.new_password_index ? "old " : "") +
                    "password itself, not '*'."};
    return hash_or_run(std::move(request));
  }
  std::string digest =
      make_digest(user + "\n" + account->password_hash + "\n" + request.password.text());
  if (!again && std::ranges::find(proved_digests_, digest) != proved_digests_.end())
    return hash_or_run(std::move(request));
  if (account->password_hash.empty()) return handle_wrong_password(user);
  queue_hash(std::move(request), true, std::move(digest));
}

void Session::hash_or_run(Request request) {
  if (request.row->precheck)
    if (const Reply may = request.row->precheck(request); !may.ok) return send_reply(may);
  if (!request.new_password.text().empty()) queue_hash(std::move(request), false, "");
  else run_command(std::move(request));
}

void Session::queue_hash(Request request, bool proving, std::string digest) {
  const auto account = service_.accounts.find(request.userid);
  const Secret secret = proving ? request.password : request.new_password;
  const std::string hash = account && proving ? account->password_hash : "";
  waiting_command_ = std::make_unique<WaitingCommand>(
      WaitingCommand{std::move(request), proving, std::move(digest), std::nullopt});
  if (account) waiting_command_->account_hash = account->password_hash;
  const bool fresh = wrong_passwords_ == 0 &&
                     !service_.password_queue.is_guesser(limit_source(), peer_.process_id);
  auto job =
      std::make_unique<HashJob>(HashJob{number_, secret, hash, service_.options.password_cost});
  if (const std::uint64_t out = service_.password_queue.add(limit_source(), fresh, std::move(job)))
    service_.connections.find(out)->refuse_busy();
}

void Session::handle_wrong_password(const std::string& userid) {
  service_.password_queue.add_wrong_guess(limit_source(), service_.moment(), peer_.process_id);
  ++service_.counts.wrong_passwords;
  delay_reply(Refusal{"That is not the password of " + userid + "."},
              delay_after(++wrong_passwords_));
}

void Session::delay_reply(Reply refusal, std::chrono::seconds wait) {
  delayed_reply_ = std::move(refusal);
  service_.connections.schedule_late_reply(number_, service_.moment() + wait);
}

void Session::send_late_reply() {
  send_reply(*std::exchange(delayed_reply_, std::nullopt));
  handle_backlog();
}

void Session::refuse_busy() {
  waiting_command_.reset();
  delay_reply(
      make_busy_reply(Refusal{"The server has many passwords to check. Try again in a moment."}),
      delay_after(1));
}

void Session::resume(const HashJob& job) {
  if (!waiting_command_) return;
  save_state();
  run_guarded([&] { continue_command(job); });
  handle_backlog();
}

void Session::continue_command(const HashJob& job) {
  const auto asked = std::move(waiting_command_);
  Request& request = asked->request;
  const auto account = service_.accounts.find(request.userid);
  if (asked->account_hash && !account)
    throw Refusal{"There is no userid " + request.userid + " any more."};
  if (asked->account_hash && account->password_hash != *asked->account_hash)
    throw Refusal{"The password of " + request.userid +
                  " was changed just now. Write the new one."};
  value_or_throw(service_.check_ban(account));
  if (!asked->is_proof) {
    request.new_hash = job.hash;
    if (job.is_right) return run_command(std::move(request));
    return send_reply(make_busy_reply(Refusal{"The server is out of memory. Try again later."}));
  }
  if (!job.is_right) return handle_wrong_password(request.userid);
  wrong_passwords_ = 0;
  if (proved_digests_.size() == kMaxProved) proved_digests_.erase(proved_digests_.begin());
  proved_digests_.push_back(asked->digest);
  hash_or_run(std::move(request));
}

Refusal Session::login_refusal(const std::string& otherwise) const {
  return Refusal{state_.sign_out_reason.empty() || !state_.userid.empty() ? otherwise
                                                                          : state_.sign_out_reason};
}

std::string Session::sign_out_event(const std::string& why) const {
  Event out{Event::Kind::signout, {}, state_.userid};
  out.text = why;
  return encode(out);
}

void Session::sign_out(const std::string& why) {
  save_state();
  state_.sign_out_reason.clear();
  if (!why.empty()) {
    state_.sign_out_reason = "You are signed out. " + why;
    if (service_.accounts.find(state_.userid))
      state_.sign_out_reason += " Type login " + state_.userid + " and the new password.";
    if (state_.is_watching) send_event(sign_out_event(why));
  }
  set_user("", false);
}

void Session::disconnect(const std::string& why) {
  save_state();
  // A client that expects no events gets the sentence as a reply.
  if (state_.is_watching) send_event(sign_out_event(why));
  else send_text(frame_reply(Refusal{why}));
  set_user("", false);
  state_.trusted_userid.clear();
  state_.is_quitting = true;
}

Result<Success> Session::check_trust(const std::string& who) const {
  if (!peer_.check_trust)
    return Refusal{"This works only on a Unix socket. Sign in with login userid password."};
  if (line_count_ != 1)
    return Refusal{"This works only as the first line. Sign in with login userid password."};
  return peer_.check_trust(who);
}

// --- run commands and reply --------------------------------------------------

void Session::run_command(Request request) {
  struct ActorReset {
    ~ActorReset() { notifier.set_actor(""); }
    Notifier& notifier;
  } const speaking{service_.notifier};
  service_.notifier.set_actor(request.userid);
  const Service::Savepoint mark = service_.savepoint();
  // A refused command must leave no changes.
  const auto tried = [&] {
    Database::Savepoint attempt(service_.database);
    Reply out = request.row->run(request);
    if (out.ok) attempt.keep();
    return out;
  };
  try {
    const Reply said = tried();
    if (said.ok) record_action(request);
    else service_.undo_to(mark);
    send_reply(said);
  } catch (...) {
    service_.undo_to(mark);
    throw;
  }
}

// Records a successful command as an action of the player that it proves. With an address, `as` is
// the sign-in of a mail, which may come from an automatic reply: only a command after it counts.
void Session::record_action(const Request& request) {
  const bool has_password =
      request.proof == Proof::password || request.proof == Proof::repeated_password;
  const std::string& userid = has_password ? request.userid : state_.userid;
  if (userid.empty() || (request.row->name == "as" && request.words.size() > 1)) return;
  try {
    service_.notifier.record_action(userid);
  } catch (const Error&) {
    // The command is done. Its mails count as answered after the next one.
  }
}

// Answers every error of a command with a refusal, so that it ends nothing else.
void Session::run_guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& refusal) {
    send_reply(refusal);
  } catch (const Bug& bug) {
    send_reply(
        Refusal{"A bug in the server stopped this command: " + std::string(bug.what()) + "."});
  } catch (const Error& error) {
    const Refusal refusal = service_.report_write_error(error.what(), error.reason());
    send_reply(is_owner() ? Refusal{error.what()} : refusal);
  } catch (const std::bad_alloc&) {
    send_reply(make_busy_reply(Refusal{"The server is out of memory. Try again later."}));
  }
}

void Session::send_reply(const Reply& reply) {
  if (script_ && !reply.ok) ++script_->refusal_count;
  ++service_.counts.replies;
  if (!reply.ok) ++service_.counts.refusals;
  ++held_replies_;
  send_text(frame_reply(reply));
  for (const std::string& what : std::exchange(queued_events_, {}))
    if (reply.ok) send_event(what);
  if (std::exchange(script_follows_, false)) {
    script_ = std::make_unique<Script>();
    script_->is_begun = held_text_.empty();
  }
  service_.connections.send_events();
}

void Session::send_event(std::string_view what) { send_text(frame_event(what)); }

// Sends at once if this transaction has no changes; otherwise the text waits for the commit.
void Session::send_text(std::string_view text) {
  if (held_text_.empty() && !service_.has_changes()) {
    held_replies_ = 0;
    committed_state_.reset();
    return sink_(text);
  }
  if (held_text_.empty()) service_.connections.add_waiting(number_);
  held_text_ += text;
}

void Session::end_transaction(const std::string& lost) {
  std::size_t replies = std::exchange(held_replies_, 0);
  std::string text = std::exchange(held_text_, "");
  const auto was = std::exchange(committed_state_, std::nullopt);
  if (!lost.empty()) {
    if (was) {
      set_user(was->userid, was->is_watching);
      state_ = *was;
    }
    // If the reply that begins a script is lost, its first line counts as an ordinary line.
    if (script_ && !script_->is_begun) {
      replies += script_->command.has_value();
      script_.reset();
    }
    text.clear();
    for (std::size_t i = 0; i < replies; ++i) text += frame_reply(Refusal{lost});
  } else if (script_) {
    script_->is_begun = true;
  }
  if (!text.empty()) sink_(text);
}

}  // namespace pbm
