// SPDX-License-Identifier: MIT
#include "server/session/session.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxProved = 4;  // passwords that a connection need not prove again

}  // namespace

Session::Session(Service& service, PeerAuth trust, Sink sink)
    : service_(service), sink_(std::move(sink)), peer_(std::move(trust)) {
  number_ = service_.connections.enter(*this);
}

Session::~Session() {
  become("", false);
  service_.leave(number_);
}

// Saves the state, which a failed commit restores.
void Session::remember() {
  if (was_) return;
  was_ = is_;
  service_.connections.waits(number_);
}

void Session::become(std::string userid, bool watching) {
  if (is_.watching) service_.connections.unwatch(is_.userid, number_);
  const std::string before = std::exchange(is_.userid, std::move(userid));
  if (before != is_.userid && !is_.userid.empty()) service_.messenger.came(is_.userid);
  if (before != is_.userid && !before.empty()) service_.messenger.left(before, is_.watching);
  is_.watching = watching;
  if (is_.watching) service_.connections.watch(is_.userid, number_, *this);
}

bool Session::busy() const { return asked_ || late_ || !backlog_.empty(); }
bool Session::over() const { return is_.quitting && held_.empty(); }

// --- input lines -----------------------------------------------------------

void Session::line(std::string_view text) {
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (busy()) {
    backlog_.emplace_back(text);
    return;
  }
  take(text);
  take_backlog();
}

void Session::take_backlog() {
  while (!asked_ && !late_ && !backlog_.empty()) {
    const std::string next = std::move(backlog_.front());
    backlog_.pop_front();
    take(next);
  }
}

void Session::take(std::string_view text) {
  if (is_.quitting) return;
  remember();
  if (!std::exchange(taken_before_, false)) mail_is_read();
  ++lines_;
  if (script_) return take_script(text);
  auto line = read_command_line(text);
  if (line) guard([&] { start(std::move(*line)); });
  else reply(line.refusal());
}

void Session::mail_is_read() {
  const std::size_t last = std::exchange(is_.mail_shown, 0);
  if (last == 0) return;
  try {
    service_.mail.read(is_.userid, last);
  } catch (const Error&) {
    // It stays unread and is sent again another time.
  }
}

// A command in a script runs when the next line shows that it is complete.
void Session::take_script(std::string_view text) {
  if (!text.empty() && (text.front() == ' ' || text.front() == '\t') && script_->command) {
    auto more = read_text_line(text);
    script_->bytes += text.size();
    if (!more) script_->refused = more.refusal();
    else if (script_->bytes > kMaxText)
      script_->refused =
          Refusal{"That text is too long: it has at most " + std::to_string(kMaxText) + " bytes."};
    else script_->text.emplace_back(trim(*more));
    return;
  }
  if (script_->command) {
    backlog_.emplace_front(text);
    taken_before_ = true;
    run_held();
    return;
  }
  if (trim(text) == ".") {
    const auto script = std::move(script_);
    const std::string refused =
        script->refusals == 0 ? "none refused" : std::to_string(script->refusals) + " refused";
    reply(Reply("The script is done: " + count_of(script->commands, "command", "commands") + ", " +
                refused + "."));
    return;
  }
  script_->command = text;
}

void Session::run_held() {
  remember();
  Script& s = *script_;
  ++s.commands;
  s.bytes = 0;
  const std::vector<std::string> more = std::exchange(s.text, {});
  const auto refused = std::exchange(s.refused, std::nullopt);
  auto line = read_command_line(*std::exchange(s.command, std::nullopt));
  if (!line || refused) return reply(line ? *refused : line.refusal());
  line->text.insert(line->text.end(), more.begin(), more.end());
  guard([&] { start(std::move(*line)); });
}

// --- from a line to a command that may be run --------------------------------

Request Session::read_request(CommandLine line) {
  Request r = need(pbm::read_request(std::move(line), is_.userid, owner(), service_.accounts));
  r.service = &service_;
  r.session = this;
  if (!r.row->takes.userid_at) return r;
  if (r.user.empty())
    throw not_logged_in("Say login userid password first, or write both: " +
                        command_syntax(*r.row));
  if (r.user != is_.userid) r.user = need(check_userid(r.user));
  return r;
}

void Session::start(CommandLine line) {
  Request request = read_request(std::move(line));
  const Proof proof = request.proof;
  const bool proves = proof == Proof::password || proof == Proof::again;
  const auto account =
      proves || proof == Proof::connection ? service_.accounts.find(request.user) : std::nullopt;
  need(service_.may_use(account));
  if (proves) return prove(std::move(request), account);
  if (proof == Proof::connection && !account)
    throw not_logged_in("This is for a userid's own connection: say login userid password first.");
  if (proof == Proof::owner && !is_.userid.empty())
    throw Refusal{
        "This is for the owner of the server: for its login, on the Unix socket, before login or "
        "as."};
  hash_or_run(std::move(request));
}

void Session::prove(Request request, const std::optional<Account>& account) {
  const std::string& user = request.user;
  if (!account) {
    const auto closed = service_.accounts.ever(user);
    throw Refusal{closed ? user + " " + closed->why_closed() + "."
                         : "There is no userid " + user + " here: signup makes one."};
  }
  // If the password is needed again, only a login trusted with `as` may omit it.
  const bool again = request.row->proof == Proof::again;
  if (request.password.text() == "*") {
    if (is_.userid != user)
      throw not_logged_in("'*' stands for the password on a connection that has said login " +
                          user + " and the password.");
    if (again && is_.trusted != user)
      throw Refusal{std::string(request.row->takes.wanted_at ? "The old" : "The") +
                    " password itself is wanted here, in place of '*'."};
    return hash_or_run(std::move(request));
  }
  std::string digest = digest_of(user + "\n" + account->hash + "\n" + request.password.text());
  if (!again && std::ranges::find(proved_, digest) != proved_.end())
    return hash_or_run(std::move(request));
  if (account->hash.empty()) return wrong_password(user);
  ask(std::move(request), true, std::move(digest));
}

void Session::hash_or_run(Request request) {
  if (request.row->before)
    if (const Reply may = request.row->before(request); !may.ok) return reply(may);
  if (!request.wanted.text().empty()) ask(std::move(request), false, "");
  else run(std::move(request));
}

void Session::ask(Request request, bool proving, std::string digest) {
  const auto account = service_.accounts.find(request.user);
  const Secret secret = proving ? request.password : request.wanted;
  const std::string hash = account && proving ? account->hash : "";
  asked_ =
      std::make_unique<Asked>(Asked{std::move(request), proving, std::move(digest), std::nullopt});
  if (account) asked_->hash = account->hash;
  const bool fresh = wrong_ == 0 && !service_.passwords.guesses(asker(), peer_.program);
  auto job = std::make_unique<HashJob>(HashJob{number_, secret, hash, service_.options.cost});
  if (const std::uint64_t out = service_.passwords.add(asker(), fresh, std::move(job)))
    service_.connections.find(out)->put_off();
}

void Session::wrong_password(const std::string& userid) {
  service_.passwords.wrong(asker(), service_.moment(), peer_.program);
  ++service_.counts.wrong_passwords;
  keep_back(Refusal{"That is not the password of " + userid + "."}, wait_after(++wrong_));
}

void Session::keep_back(Reply refusal, std::chrono::seconds wait) {
  late_ = std::move(refusal);
  service_.connections.answer_late(number_, service_.moment() + wait);
}

void Session::answer_late() {
  reply(*std::exchange(late_, std::nullopt));
  take_backlog();
}

void Session::put_off() {
  asked_.reset();
  keep_back(for_now(Refusal{"Many passwords wait to be looked at: wait a little and try again."}),
            wait_after(1));
}

void Session::finished(const HashJob& job) {
  if (!asked_) return;
  remember();
  guard([&] { go_on(job); });
  take_backlog();
}

void Session::go_on(const HashJob& job) {
  const auto asked = std::move(asked_);
  Request& request = asked->request;
  const auto account = service_.accounts.find(request.user);
  if (asked->hash && !account)
    throw Refusal{"There is no userid " + request.user + " here any more."};
  if (asked->hash && account->hash != *asked->hash)
    throw Refusal{"The password of " + request.user +
                  " was changed just now: the new one is wanted."};
  need(service_.may_use(account));
  if (!asked->proving) {
    request.hash = job.hash;
    if (job.right) return run(std::move(request));
    return reply(for_now(Refusal{"The server has no memory for that password now: try again."}));
  }
  if (!job.right) return wrong_password(request.user);
  wrong_ = 0;
  if (proved_.size() == kMaxProved) proved_.erase(proved_.begin());
  proved_.push_back(asked->digest);
  hash_or_run(std::move(request));
}

Refusal Session::not_logged_in(const std::string& otherwise) const {
  return Refusal{is_.signed_out.empty() || !is_.userid.empty() ? otherwise : is_.signed_out};
}

std::string Session::signed_out(const std::string& why) const {
  Event out{Event::Kind::signout, {}, is_.userid};
  out.text = why;
  return encode(out);
}

void Session::sign_out(const std::string& why) {
  remember();
  is_.signed_out = "You are signed out. " + why + " Say login " + is_.userid + " and the new one.";
  if (is_.watching) event(signed_out(why));
  become("", false);
}

void Session::end(const std::string& why) {
  remember();
  // A client that expects no events gets the sentence as a reply.
  if (is_.watching) event(signed_out(why));
  else say(framed(Refusal{why}));
  become("", false);
  is_.trusted.clear();
  is_.quitting = true;
}

Result<Done> Session::may_speak_for(const std::string& userid) const {
  if (!peer_.may_speak_for)
    return Refusal{
        "That is for a Unix socket, where it is seen who connects: say login userid password."};
  if (lines_ != 1)
    return Refusal{"That is for the first line of a connection: say login userid password."};
  return peer_.may_speak_for(userid);
}

// --- run commands and reply --------------------------------------------------

void Session::run(Request request) {
  struct Speaking {
    ~Speaking() { messenger.speaks(""); }
    Messenger& messenger;
  } const speaking{service_.messenger};
  service_.messenger.speaks(request.user);
  const Service::Mark mark = service_.mark();
  // A refused command must leave no changes.
  const auto tried = [&] {
    Database::Attempt attempt(service_.database);
    Reply out = request.row->run(request);
    if (out.ok) attempt.keep();
    return out;
  };
  try {
    const Reply said = tried();
    if (!said.ok) service_.undo_to(mark);
    reply(said);
  } catch (...) {
    service_.undo_to(mark);
    throw;
  }
}

// Answers every error of a command with a refusal, so that it ends nothing else.
void Session::guard(const std::function<void()>& work) {
  try {
    work();
  } catch (const Refusal& refusal) {
    reply(refusal);
  } catch (const Bug& bug) {
    reply(Refusal{"The server made a mistake there, and only there: " + std::string(bug.what()) +
                  "."});
  } catch (const Error& error) {
    service_.not_written(error.what());
    reply(owner() ? Refusal{error.what()} : not_saved(error.reason()));
  } catch (const std::bad_alloc&) {
    reply(for_now(Refusal{"The server has no memory for that now: try again."}));
  }
}

void Session::reply(const Reply& reply) {
  if (script_ && !reply.ok) ++script_->refusals;
  ++service_.counts.replies;
  if (!reply.ok) ++service_.counts.refusals;
  ++held_replies_;
  say(framed(reply));
  for (const std::string& what : std::exchange(after_reply_, {}))
    if (reply.ok) event(what);
  if (std::exchange(script_follows_, false)) {
    script_ = std::make_unique<Script>();
    script_->begun = held_.empty();
  }
  service_.connections.send_events();
}

void Session::event(std::string_view what) { say(framed_event(what)); }

// Sends at once if this transaction has no changes; otherwise the text waits for the commit.
void Session::say(std::string_view text) {
  if (held_.empty() && !service_.database.changed()) {
    held_replies_ = 0;
    was_.reset();
    return sink_(text);
  }
  if (held_.empty()) service_.connections.waits(number_);
  held_ += text;
}

void Session::end_turn(const std::string& lost) {
  std::size_t replies = std::exchange(held_replies_, 0);
  std::string text = std::exchange(held_, "");
  const auto was = std::exchange(was_, std::nullopt);
  if (!lost.empty()) {
    if (was) {
      become(was->userid, was->watching);
      is_ = *was;
    }
    // If the reply that begins a script is lost, its first line counts as an ordinary line.
    if (script_ && !script_->begun) {
      replies += script_->command.has_value();
      script_.reset();
    }
    text.clear();
    for (std::size_t i = 0; i < replies; ++i) text += framed(Refusal{lost});
  } else if (script_) {
    script_->begun = true;
  }
  if (!text.empty()) sink_(text);
}

}  // namespace pbm
