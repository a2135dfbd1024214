// SPDX-License-Identifier: MIT
// One conversation with the server: lines in, text out, without a socket. It parses lines with
// commands.hpp, checks passwords and runs commands. Replies go out in the order of the lines; after
// changes, they wait for the commit. Events go out between replies, never inside one. Leaves the
// sending to net/.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/service.hpp"
#include "server/session/commands.hpp"
#include "server/password.hpp"

namespace pbm {

// The facts about a peer that are known before its first line.
struct PeerInfo {
  std::string password_source =
      {};  // counts wrong passwords under this name: a login or an address
  // Checks if the first line may sign in a userid or a key without a password; null: never.
  std::function<Result<Success>(const std::string& who)> check_trust = nullptr;
  pid_t process_id = 0;   // the process at the other end, or 0 if unknown
  bool is_owner = false;  // it runs as the server's own login or as root
};

class Session final : public Client {
 public:
  // Takes text to send, with its line ends. Called only from take_line() and from functions of
  // Service. It must not call or destroy the session or the service.
  using Sink = std::function<void(std::string_view)>;

  Session(Service& service, PeerInfo trust, Sink sink);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes one line, without its line feed; removes a CR before it. While is_busy(), lines wait here
  // in order. A line longer than kMaxLine is refused; the caller may cut it to kMaxLine + 2 bytes
  // (one may be the CR) and must skip the rest.
  void take_line(std::string_view text);

  // has_held_command() is true if a command of a script waits for more lines. run_held_command()
  // runs it after the last line. Pre: has_held_command() and !is_busy().
  bool has_held_command() const { return script_ && script_->command; }
  void run_held_command();

  // True while a password is checked, a reply is delayed, or lines wait. The caller must not read
  // more then, as lines of a fast sender would fill the memory.
  bool is_busy() const;
  // True if a reply is delayed after a wrong password, or because too many passwords wait.
  bool is_reply_delayed() const { return delayed_reply_.has_value(); }
  // True if `quit` and all before it are answered: the caller closes the connection.
  bool is_over() const;
  // Returns the bytes that wait for the commit. The caller stops passing lines before they become
  // too many.
  std::size_t held_bytes() const { return held_text_.size(); }

  // --- for the service ---
  std::uint64_t number() const { return number_; }
  const std::string& userid() const override { return state_.userid; }
  bool is_watching() const override { return state_.is_watching; }
  void send_event(std::string_view what) override;
  // Sends an event after the reply to the current command.
  void queue_event(std::string what) { queued_events_.push_back(std::move(what)); }
  void resume(const HashJob& job) override;
  void refuse_busy() override;
  void send_late_reply() override;
  void end_transaction(const std::string& lost) override;
  // Signs this connection in as `userid`.
  void log_in(const std::string& userid) { set_user(userid, state_.is_watching); }
  void sign_out(const std::string& why) override;
  void disconnect(const std::string& why) override;
  const std::string& peer() const override { return peer_.password_source; }
  // Returns the source for limits, which is the same for all userids of a login. Connections
  // trusted by `as` each count as their own userid.
  std::string limit_source() const {
    return !trusted_userid().empty() ? "as " + trusted_userid()
           : !state_.source.empty()  ? state_.source
                                     : peer_.password_source;
  }
  void start_watching() { set_user(state_.userid, true); }
  // Notes that the mail of `userid()` was sent up to that number. It counts as read when the next
  // line comes: if the connection breaks before, the user may not have seen it.
  void mark_mail_shown(std::size_t number) { state_.shown_mail = number; }
  void begin_script() { script_follows_ = true; }
  bool is_in_script() const { return script_ != nullptr; }
  void quit() { state_.is_quitting = true; }
  // Notes that a program said hello: it draws boards itself and gets lines for programs.
  void set_program() { state_.is_program = true; }
  bool is_program() const override { return state_.is_program; }
  const std::string& trusted_userid() const override { return state_.trusted_userid; }
  // The fingerprint of the key that came in here, or "". While nobody is signed in, the key is new.
  const std::string& key() const override { return state_.key; }
  // True if the owner of the server is at the other end, and has not used `as` or `key`.
  bool is_owner() const { return peer_.is_owner && trusted_userid().empty() && key().empty(); }
  // Checks if this is the first line and its peer may sign in as `who`, a userid or a key.
  Result<Success> check_trust(const std::string& who) const;
  // Notes the key of this connection, and the address that it came from, for limits.
  void set_key(const std::string& fingerprint, const std::string& source) {
    state_.key = fingerprint;
    state_.source = source;
  }
  // Signs this connection in as `userid`, without its password.
  void sign_in_trusted(const std::string& userid) {
    state_.trusted_userid = userid;
    set_user(userid, state_.is_watching);
  }

 private:
  // The state that a line can change, and that a failed commit restores.
  struct State {
    std::string userid, trusted_userid, key, source;
    std::string sign_out_reason;  // why the user was signed out
    std::size_t shown_mail = 0;   // mail up to that number was sent and is not yet read
    bool is_watching = false, is_quitting = false, is_program = false;
  };
  // A command that waits until its password is checked or its new password is hashed.
  struct WaitingCommand {
    Request request;
    bool is_proof;
    std::string digest;
    std::optional<std::string>
        account_hash;  // of the account at the start; it may change meanwhile
  };
  // A script: its current command, which may get more lines, and the counts of those before.
  struct Script {
    std::optional<std::string> command;
    std::vector<std::string> text;
    std::size_t bytes = 0;           // size of text
    std::optional<Refusal> refusal;  // of a wrong line below the command
    std::size_t command_count = 0, refusal_count = 0;
    bool is_begun = false;  // the reply to its first line was sent
  };

  void save_state();
  void set_user(std::string userid, bool watching);
  void handle_line(std::string_view text);
  void handle_backlog();
  void mark_mail_read();
  void handle_script_line(std::string_view text);
  void run_guarded(const std::function<void()>& work);
  void start_command(CommandLine line);
  Request read_request(CommandLine line);
  void prove_password(Request request, const std::optional<Account>& account);
  void hash_or_run(Request request);
  void run_command(Request request);
  void record_action(const Request& request);
  void continue_command(const HashJob& job);
  void queue_hash(Request request, bool proving, std::string digest);
  void handle_wrong_password(const std::string& userid);
  Refusal login_refusal(const std::string& otherwise) const;
  std::string sign_out_event(const std::string& why) const;
  void delay_reply(Reply refusal, std::chrono::seconds wait);
  void send_reply(const Reply& reply);
  void send_text(std::string_view text);

  Service& service_;
  Sink sink_;
  PeerInfo peer_;
  State state_;
  std::optional<State> committed_state_;  // before the changes that are not committed yet
  std::size_t line_count_ = 0;            // received so far
  std::uint64_t number_ = 0;
  bool was_put_back_ = false;  // the next line was put back, so it has not seen the last replies
  bool script_follows_ = false;
  std::string held_text_;         // text to send after the commit
  std::size_t held_replies_ = 0;  // replies in `held_text_`
  std::vector<std::string> queued_events_;
  std::deque<std::string> backlog_;
  std::unique_ptr<WaitingCommand> waiting_command_;
  std::unique_ptr<Script> script_;
  std::vector<std::string> proved_digests_;  // digests of the passwords proved on this connection
  std::size_t wrong_passwords_ = 0;          // wrong passwords in a row
  std::optional<Reply> delayed_reply_;       // delayed, so that guessing passwords is slow
};

}  // namespace pbm
