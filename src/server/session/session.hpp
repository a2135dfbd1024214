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
struct PeerAuth {
  std::string guesser = {};  // counts wrong passwords under this name: a login or an address
  // Checks if the first line may be `as userid`, without a password; null: never.
  std::function<Result<Done>(const std::string& userid)> may_speak_for = nullptr;
  pid_t program = 0;   // the process at the other end, or 0 if unknown
  bool owner = false;  // it runs as the server's own login or as root
};

class Session final : public Client {
 public:
  // Takes text to send, with its line ends. Called only from line() and from functions of Service.
  // It must not call or destroy the session or the service.
  using Sink = std::function<void(std::string_view)>;

  Session(Service& service, PeerAuth trust, Sink sink);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Takes one line, without its line feed; removes a CR before it. While busy(), lines wait here in
  // order. A line longer than kMaxLine is refused; the caller may cut it to kMaxLine + 2 bytes
  // (one may be the CR) and must skip the rest.
  void line(std::string_view text);

  // holds_command() is true if a command of a script waits for more lines. run_held() runs it after
  // the last line. Pre: holds_command() and !busy().
  bool holds_command() const { return script_ && script_->command; }
  void run_held();

  // True while a password is checked, a reply is delayed, or lines wait. The caller must not read
  // more then, as lines of a fast sender would fill the memory.
  bool busy() const;
  // True if a reply is delayed after a wrong password, or because too many passwords wait.
  bool keeps_back() const { return late_.has_value(); }
  // True if `quit` and all before it are answered: the caller closes the connection.
  bool over() const;
  // Returns the bytes that wait for the commit. The caller stops passing lines before they become
  // too many.
  std::size_t held_bytes() const { return held_.size(); }

  // --- for the service ---
  std::uint64_t number() const { return number_; }
  const std::string& userid() const override { return is_.userid; }
  bool watching() const override { return is_.watching; }
  void event(std::string_view what) override;
  // Sends an event after the reply to the current command.
  void event_after_reply(std::string what) { after_reply_.push_back(std::move(what)); }
  void finished(const HashJob& job) override;
  void put_off() override;
  void answer_late() override;
  void end_turn(const std::string& lost) override;
  // Signs this connection in as `userid`.
  void log_in(const std::string& userid) { become(userid, is_.watching); }
  void sign_out(const std::string& why) override;
  void end(const std::string& why) override;
  const std::string& peer() const override { return peer_.guesser; }
  // Returns the source for limits, which is the same for all userids of a login. Connections
  // trusted by `as` each count as their own userid.
  std::string asker() const { return trusted().empty() ? peer_.guesser : "as " + trusted(); }
  void watch() { become(is_.userid, true); }
  // Notes that the mail of `userid()` was sent up to that number. It counts as read when the next
  // line comes: if the connection breaks before, the user may not have seen it.
  void mail_shown(std::size_t number) { is_.mail_shown = number; }
  void begin_script() { script_follows_ = true; }
  bool in_script() const { return script_ != nullptr; }
  void quit() { is_.quitting = true; }
  // Notes that a program said hello: it draws boards itself and gets lines for programs.
  void begin_program() { is_.program = true; }
  bool is_program() const override { return is_.program; }
  const std::string& trusted() const override { return is_.trusted; }
  // True if the owner of the server is at the other end, and has not signed in with `as`.
  bool owner() const { return peer_.owner && trusted().empty(); }
  // Checks if this is the first line and its peer may speak for `userid`.
  Result<Done> may_speak_for(const std::string& userid) const;
  // Signs this connection in as `userid`, without its password.
  void trust(const std::string& userid) {
    is_.trusted = userid;
    become(userid, is_.watching);
  }

 private:
  // The state that a line can change, and that a failed commit restores.
  struct Standing {
    std::string userid, trusted;
    std::string signed_out;      // why the user was signed out
    std::size_t mail_shown = 0;  // mail up to that number was sent and is not yet read
    bool watching = false, quitting = false, program = false;
  };
  // A command that waits until its password is checked or its new password is hashed.
  struct Asked {
    Request request;
    bool proving;
    std::string digest;
    std::optional<std::string> hash;  // of the account at the start; it may change meanwhile
  };
  // A script: its current command, which may get more lines, and the counts of those before.
  struct Script {
    std::optional<std::string> command;
    std::vector<std::string> text;
    std::size_t bytes = 0;           // size of text
    std::optional<Refusal> refused;  // of a wrong line below the command
    std::size_t commands = 0, refusals = 0;
    bool begun = false;  // the reply to its first line was sent
  };

  void remember();
  void become(std::string userid, bool watching);
  void take(std::string_view text);
  void take_backlog();
  void mail_is_read();
  void take_script(std::string_view text);
  void guard(const std::function<void()>& work);
  void start(CommandLine line);
  Request read_request(CommandLine line);
  void prove(Request request, const std::optional<Account>& account);
  void hash_or_run(Request request);
  void run(Request request);
  void go_on(const HashJob& job);
  void ask(Request request, bool proving, std::string digest);
  void wrong_password(const std::string& userid);
  Refusal not_logged_in(const std::string& otherwise) const;
  std::string signed_out(const std::string& why) const;
  void keep_back(Reply refusal, std::chrono::seconds wait);
  void reply(const Reply& reply);
  void say(std::string_view text);

  Service& service_;
  Sink sink_;
  PeerAuth peer_;
  Standing is_;
  std::optional<Standing> was_;  // before the changes that are not committed yet
  std::size_t lines_ = 0;        // received so far
  std::uint64_t number_ = 0;
  bool taken_before_ = false;  // the next line was put back, so it has not seen the last replies
  bool script_follows_ = false;
  std::string held_;              // text to send after the commit
  std::size_t held_replies_ = 0;  // replies in `held_`
  std::vector<std::string> after_reply_;
  std::deque<std::string> backlog_;
  std::unique_ptr<Asked> asked_;
  std::unique_ptr<Script> script_;
  std::vector<std::string> proved_;  // digests of the passwords proved on this connection
  std::size_t wrong_ = 0;            // wrong passwords in a row
  std::optional<Reply> late_;        // delayed, so that guessing passwords is slow
};

}  // namespace pbm
