// SPDX-License-Identifier: MIT
// One conversation with the server: lines in, text out. Knows no socket. Reads lines as
// commands.hpp does, proves passwords, runs its commands, and hands out replies in the order of the
// lines, at the end of the turn in which something was changed; events between replies, never
// inside one. Leaves what they are sent through to net/.
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

// What is known of whoever connects before the first line.
struct PeerAuth {
  std::string guesser = {};  // whose wrong passwords its own are counted with: a login, an address
  // Whether the first line may be `as userid`, without a password; null: never.
  std::function<Result<Done>(const std::string& userid)> may_speak_for = nullptr;
  pid_t program = 0;   // which of that login's programs it is; 0 where that is not known
  bool owner = false;  // the login that the server runs as, or root
};

class Session final : public Client {
 public:
  // Takes text ready for the wire, line ends included. Called from inside line() and what Service
  // does only. It must not call back into the session, the service, or destroy either.
  using Sink = std::function<void(std::string_view)>;

  Session(Service& service, PeerAuth trust, Sink sink);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // One line, without its line feed; a CR before that is left out. While busy() lines wait here in
  // order. Of a line longer than kMaxLine its first kMaxLine + 2 bytes do, of which one may be that
  // CR: it is refused, and whoever reads the wire skips the rest.
  void line(std::string_view text);

  // Whether a command of a script waits for the line that shows that it is whole; and runs it, as
  // no line comes any more. Pre: it does, and !busy().
  bool holds_command() const { return script_ && script_->command; }
  void run_held();

  // A password is being proved, or lines wait: read no more from the wire until it is false again,
  // or one who sends much would fill the memory.
  bool busy() const;
  // An answer is kept back, as a wrong password was guessed or too many wait.
  bool keeps_back() const { return late_.has_value(); }
  // `quit` was answered, and everything before it: close the connection.
  bool over() const;
  // Bytes that wait for the end of the turn, so that whoever reads the wire can stop before they
  // are many.
  std::size_t held_bytes() const { return held_.size(); }

  // --- for the service ---
  std::uint64_t number() const { return number_; }
  const std::string& userid() const override { return is_.userid; }
  bool watching() const override { return is_.watching; }
  void event(std::string_view what) override;
  // An event behind the reply to the command at hand.
  void event_after_reply(std::string what) { after_reply_.push_back(std::move(what)); }
  void finished(const HashJob& job) override;
  void put_off() override;
  void answer_late() override;
  void end_turn(const std::string& lost) override;
  // For commands: this connection speaks for `userid` from now on.
  void log_in(const std::string& userid) { become(userid, is_.watching); }
  void sign_out(const std::string& why) override;
  void end(const std::string& why) override;
  const std::string& peer() const override { return peer_.guesser; }
  // Who asks, whatever userids he takes: with others of a login, but for whoever came by a door,
  // where each has a name of his own.
  std::string asker() const { return trusted().empty() ? peer_.guesser : "as " + trusted(); }
  void watch() { become(is_.userid, true); }
  // The mail of `userid()` up to that number was sent. It counts as read when the next line comes:
  // whoever is gone by then may never have seen it.
  void mail_shown(std::size_t number) { is_.mail_shown = number; }
  void begin_script() { script_follows_ = true; }
  bool in_script() const { return script_ != nullptr; }
  void quit() { is_.quitting = true; }
  // It is a program that has said hello: it draws for itself, and is told in lines for programs.
  void begin_program() { is_.program = true; }
  bool is_program() const override { return is_.program; }
  const std::string& trusted() const override { return is_.trusted; }
  // Whether the owner of the server is at the other end: whoever comes in by a door of that login
  // speaks for somebody.
  bool owner() const { return peer_.owner && trusted().empty(); }
  // Whether this is the first line and may be believed to come from `userid`.
  Result<Done> may_speak_for(const std::string& userid) const;
  // This connection speaks for `userid` from now on, whatever its password is.
  void trust(const std::string& userid) {
    is_.trusted = userid;
    become(userid, is_.watching);
  }

 private:
  // What a line can make of a connection.
  struct Standing {
    std::string userid, trusted;
    std::string signed_out;      // why
    std::size_t mail_shown = 0;  // up to that number, and not yet read
    bool watching = false, quitting = false, program = false;
  };
  // A command whose password is being proved, or whose new one is being hashed.
  struct Asked {
    Request request;
    bool proving;
    std::string digest;
    std::optional<std::string> hash;  // of the account; it may be another when the answer comes
  };
  // A script: the command that may still be lengthened, and what came of those before it.
  struct Script {
    std::optional<std::string> command;
    std::vector<std::string> text;
    std::size_t bytes = 0;           // of text
    std::optional<Refusal> refused;  // a line below the command that cannot be
    std::size_t commands = 0, refusals = 0;
    bool begun = false;  // that it begins was told
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
  std::optional<Standing> was_;  // before what was not said yet
  std::size_t lines_ = 0;        // so far
  std::uint64_t number_ = 0;
  bool taken_before_ = false;  // the next line: it came before what it brought about
  bool script_follows_ = false;
  std::string held_;              // until the turn ends
  std::size_t held_replies_ = 0;  // in it
  std::vector<std::string> after_reply_;
  std::deque<std::string> backlog_;
  std::unique_ptr<Asked> asked_;
  std::unique_ptr<Script> script_;
  std::vector<std::string> proved_;  // digests of passwords this connection has proved
  std::size_t wrong_ = 0;            // passwords in a row
  std::optional<Reply> late_;        // is kept back: nobody learns quickly that he guessed wrong
};

}  // namespace pbm
