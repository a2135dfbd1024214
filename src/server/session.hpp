// SPDX-License-Identifier: MIT
// One conversation with the server: lines in, text out. Knows no socket. Reads
// lines as command_line.hpp does, proves passwords, runs the commands of
// commands.hpp, and hands out replies in the order of the lines, each only
// when what it tells of is on disk; events between replies, never inside one.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/commands.hpp"
#include "server/disk.hpp"
#include "server/password.hpp"

namespace pbm {

class Service;

// What is known of whoever connects before the first line.
struct Trust {
  std::string userid;  // proved by other means (a Unix socket of the same owner); "" when nobody is
};

class Session {
 public:
  // Takes text ready for the wire, line ends included. Called from inside
  // line(), too_long() and Service's finish() and take_changes() only. It must
  // not call back into the session, the service, or destroy either.
  using Sink = std::function<void(std::string_view)>;

  Session(Service& service, const Trust& trust, Sink sink);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // One line, without its end. While busy() lines wait here in order.
  void line(std::string_view text);
  // In place of a line that was longer than kLongestLine and was skipped.
  void too_long();

  // A password is being proved or lines wait: read no more from the wire until
  // it is false again, or one who sends much would fill the memory.
  bool busy() const;
  // `quit` was answered, and everything before it: close the connection.
  bool over() const;

  // --- for the service ---
  std::uint64_t number() const { return number_; }
  // The userid this connection speaks for without a password; "" for nobody.
  const std::string& userid() const { return userid_; }
  bool watching() const { return watching_; }
  // Sends "* what" between replies.
  void event(std::string_view what);
  // The same, but after the reply to the command at hand.
  void event_after_reply(std::string what) { after_reply_.push_back(std::move(what)); }
  void finished(const HashJob& job);
  void finished(const Disk::Finished& batch);
  // For commands: this connection speaks for `userid` from now on.
  void log_in(const std::string& userid) { userid_ = userid; }
  void watch() { watching_ = true; }
  void begin_script();
  void quit() { quitting_ = true; }
  const std::string& trusted() const { return trusted_; }

 private:
  // Something to be sent; waits for what it tells of.
  struct Item {
    std::string text;
    Touched waits;
    bool event;
    bool failed = false;
  };
  // A command whose password is being proved.
  struct Asked {
    Request request;
    enum class Stage : std::uint8_t { prove, hash } stage;
    std::string digest;
    std::size_t wrong_before;  // wrong passwords for that userid when this one was asked about
  };

  void take(std::string_view text);
  void take_script(std::string_view text);
  void finish_script();
  void start(CommandLine line);
  void prove(Request request);
  void hash_or_run(Request request);
  void run(Request& request);
  void reply(const Reply& reply);
  void send_ready();
  void take_backlog();
  Reply wrong_password(const std::string& userid);

  Service& service_;
  std::uint64_t number_;
  Sink sink_;
  std::string trusted_;
  std::string userid_;
  bool watching_ = false, quitting_ = false;
  std::deque<Item> out_;
  std::vector<std::string> after_reply_;
  std::deque<std::string> backlog_;
  std::unique_ptr<Asked> asked_;
  std::vector<std::string> proved_;  // digests of userid and password
  std::size_t wrong_ = 0;
  Time not_before_{};
  // A script: the command that may still be lengthened, and what it came to.
  struct Script {
    bool any = false;
    std::string command;
    std::vector<std::string> text;
    bool refused = false;
    std::size_t commands = 0, wrong = 0;
  };
  std::unique_ptr<Script> script_;
};

}  // namespace pbm
