// SPDX-License-Identifier: MIT
// Notifications outside the screen: `waiting` for prompts and timers, `watch` for each event, and
// the commands that a login by SSH may run.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/timerfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <deque>
#include <functional>
#include <iostream>

#include "base/program.hpp"
#include "boards/remote_boards.hpp"
#include "cli/paths.hpp"
#include "cli/command.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxQueued = 100;  // events that wait for the program

std::string_view name_of(Notification::Kind kind) {
  static constexpr std::string_view kNames[] = {"talk",  "ply",        "offer", "turn",
                                                "board", "connection", "board"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Runs a program for each event, one after the other, without a shell. It kills a program that does
// not end. If events come too fast, it drops the oldest.
class EventProgram {
 public:
  EventProgram(std::string path, std::string user)
      : path_(std::move(path)), user_(std::move(user)) {}
  // Adds an event, a `record` of tell_records().
  void tell(std::string_view record) {
    if (queued_.size() == kMaxQueued) {
      queued_.pop_front();
      complain(kDone, path_ + " is behind: an event was left out.");
    }
    std::vector<std::string>& told = queued_.emplace_back();
    for (const std::string_view name : {"EVENT", "BOARD", "WAITING", "TEXT"}) {
      const std::size_t end = std::min(record.find(name == "TEXT" ? '\n' : '\t'), record.size());
      told.push_back("PBMPLAY_" + std::string(name) + "=" + safe_text(record.substr(0, end)));
      record.remove_prefix(std::min(end + 1, record.size()));
    }
    told.push_back("PBMPLAY_USER=" + user_);
    go_on();
  }

  // Returns a descriptor for poll(2), readable when a run ends, or -1 if none runs.
  int ended() const { return run_ ? run_->ended() : -1; }
  // Returns the milliseconds until look() must be called, or -1 for never.
  int patience() const { return run_ ? run_->patience() : -1; }
  void look() {
    if (!run_) return;
    const auto outcome = run_->outcome();
    if (!outcome) return;
    if (!outcome->empty()) complain(kDone, *outcome);
    run_.reset();
    go_on();
  }

 private:
  void go_on() {
    while (!run_ && !queued_.empty()) {
      auto started = RunningProgram::start(path_, std::move(queued_.front()));
      queued_.pop_front();
      if (started) run_ = std::move(*started);
      else complain(kDone, started.refusal().why);
    }
  }

  const std::string path_, user_;
  std::deque<std::vector<std::string>> queued_;
  std::unique_ptr<RunningProgram> run_;
};

// Returns the boards that wait for `name`, as in the list of boards.
std::vector<BoardSummary> waiting_of(std::vector<BoardSummary> boards, const std::string& name) {
  LobbyModel lobby(name, LobbyModel::Order::turn);
  lobby.set(boards);
  std::erase_if(boards, [&](const BoardSummary& board) { return !lobby.waits(board); });
  return boards;
}

int tell_waiting(std::vector<BoardSummary> boards, const std::string& name, bool count) {
  const auto waiting = waiting_of(std::move(boards), name);
  if (count) std::cout << waiting.size() << '\n';
  else
    for (const BoardSummary& board : waiting) std::cout << safe_text(board.in_words(now())) << '\n';
  return waiting.empty() ? kRefused : kDone;
}

// Calls `tell` for each event of the server, until the reader of `out` is gone.
int tell_events(const There& there, int out,
                const std::function<void(const Notification&, RemoteBoards&)>& tell) {
  RemoteBoards server({dial_to(there.address), there.address.to_string(), {}});
  if (const auto connected = server.connect_as(there.user); !connected) {
    if (!server.turned_away().empty()) return complain(kRefused, server.turned_away());
    server.connect_later(connected.refusal().why);
  }
  for (;;) {
    server.take_changes();
    for (const Notification& news : server.news().take())
      if (!news.own) tell(news, server);
    if (!server.turned_away().empty()) return complain(kRefused, server.turned_away());
    pollfd of[] = {{server.changes(), POLLIN, 0}, {out, 0, 0}};
    ::poll(of, std::size(of), -1);
    if (!std::cout || (of[1].revents & (POLLERR | POLLHUP))) return kDone;
  }
}

// Writes each event as a line for the process that runs the program.
int tell_records(const There& there, int out) {
  return tell_events(there, out, [&](const Notification& news, RemoteBoards& server) {
    if (news.kind == Notification::Kind::connection) {
      complain(kDone, news.text);
      return;
    }
    const std::size_t waiting = waiting_of(server.list(), there.user).size();
    const std::string record = std::string(name_of(news.kind)) + "\t" + news.board + "\t" +
                               std::to_string(waiting) + "\t" + safe_text(news.text) + "\n";
    // write() writes all of a record this short. If the reader is gone, SIGPIPE ends this process.
    [[maybe_unused]] const ssize_t n = ::write(out, record.data(), record.size());
  });
}

// Runs the program for each record from the process `child`, until that ends. Returns its status.
int run_for_records(EventProgram program, int in, pid_t child) {
  std::string came;
  for (std::array<char, 4096> bytes;;) {
    pollfd of[] = {{in, POLLIN, 0}, {program.ended(), POLLIN, 0}};
    ::poll(of, std::size(of), program.patience());
    program.look();
    if (of[0].revents == 0) continue;
    const ssize_t n = ::read(in, bytes.data(), bytes.size());
    if (n == 0) break;
    if (n > 0) came.append(bytes.data(), static_cast<std::size_t>(n));
    for (std::size_t end; (end = came.find('\n')) != std::string::npos; came.erase(0, end + 1))
      program.tell(std::string_view(came).substr(0, end));
    if (came.size() > PIPE_BUF) ::kill(child, SIGKILL);  // no record is so long
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kFailed;
}

// Uses two processes. The one that talks with the server is confined and may run nothing. The other
// reads its records and runs the program.
int watch_for_program(const Arguments& arguments, const There& there) {
  const std::string path = arguments.text("exec");
  need(check_program(path, "--exec"));
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("This system has no descriptors left.");
  const UniqueFd in(ends[0]);
  UniqueFd out(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw Error("This system can run no other process.");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // the reader may be killed
    confine_to_user(arguments, there);
    return tell_records(there, out.get());
  }
  out = UniqueFd();
  return run_for_records(EventProgram(path, there.user), in.get(), child);
}

}  // namespace

int run_waiting(const Arguments& arguments) {
  const bool count = arguments.has("count");
  if (!arguments.names_server())
    return tell_waiting(own_boards(arguments).list(), Settings(paths_of().settings).chosen().name,
                        count);
  if (!arguments.has("user")) return wrong_use(arguments);
  const There there = there_of(arguments);
  confine_to_user(arguments, there);
  // A shell prompt waits for this command.
  constexpr itimerspec kPatience{{0, 0}, {0, 900'000'000}};
  const UniqueFd late(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  ::timerfd_settime(late.get(), 0, &kPatience, nullptr);
  RemoteBoards::Setup setup{dial_to(there.address), there.address.to_string(), {}};
  setup.hears = false;
  setup.wait = wait_until(late.get());
  RemoteBoards server(std::move(setup));
  need(server.connect_as(there.user), kFailed);
  const auto boards = server.list();
  if (!server.trouble().empty())
    return complain(kFailed, "The server at " + there.address.to_string() + " does not answer.");
  return tell_waiting(boards, there.user, count);
}

int run_watch(const Arguments& arguments) {
  const There there = there_of(arguments);
  if (arguments.has("exec")) return watch_for_program(arguments, there);
  confine_to_user(arguments, there);
  return tell_events(there, STDOUT_FILENO, [](const Notification& news, RemoteBoards&) {
    std::cout << safe_text((news.board.empty() ? "" : news.board + ": ") + news.text) << std::endl;
  });
}

Result<Arguments> asked_by_ssh(const Arguments& arguments, std::string_view command) {
  Arguments out = arguments;
  const std::vector<std::string> said = words(command);
  const std::string_view line = trim(command);
  if (said.size() == 1 && said[0] == "--line") {
    out.options["line"];
  } else if (said.size() == 1 && (said[0] == "waiting" || said[0] == "watch")) {
    out.words = {said[0]};
  } else if (said.size() == 2 && said[0] == "waiting" && said[1] == "--count") {
    out.words = {said[0]};
    out.options["count"];
  } else if (said.size() > 1 && said[0] == "send") {
    out.words = {said[0], std::string(trim(line.substr(said[0].size())))};
  } else if (!said.empty()) {
    return Refusal{"'" + fit(std::string(line), 40) +
                   "' is nothing that can be asked for here: there is waiting, waiting --count, "
                   "watch, --line and send COMMAND."};
  }
  return out;
}

}  // namespace pbm
