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

#include "base/child_process.hpp"
#include "boards/remote_boards.hpp"
#include "cli/paths.hpp"
#include "cli/command.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxQueuedEvents = 100;  // events that wait for the program

std::string_view event_name(Notification::Kind kind) {
  static constexpr std::string_view kNames[] = {"talk",  "ply",        "offer", "turn",
                                                "board", "connection", "board", "board"};
  return kNames[static_cast<std::size_t>(kind)];
}

// Runs a program for each event, one after the other, without a shell. It kills a program that does
// not end. If events come too fast, it drops the oldest.
class EventProgram {
 public:
  EventProgram(std::string path, std::string user)
      : path_(std::move(path)), userid_(std::move(user)) {}
  // Adds an event, a `record` of write_records().
  void add_event(std::string_view record) {
    if (queued_events_.size() == kMaxQueuedEvents) {
      queued_events_.pop_front();
      print_error(kExitSuccess, path_ + " is too slow. An event was skipped.");
    }
    std::vector<std::string>& told = queued_events_.emplace_back();
    for (const std::string_view name : {"EVENT", "BOARD", "WAITING", "TEXT"}) {
      const std::size_t end = std::min(record.find(name == "TEXT" ? '\n' : '\t'), record.size());
      told.push_back("PBMPLAY_" + std::string(name) + "=" + safe_text(record.substr(0, end)));
      record.remove_prefix(std::min(end + 1, record.size()));
    }
    told.push_back("PBMPLAY_USER=" + userid_);
    start_next();
  }

  // Returns a descriptor for poll(2), readable when a run ends, or -1 if none runs.
  int exit_descriptor() const {
    return running_program_ ? running_program_->exit_descriptor() : -1;
  }
  // Returns the milliseconds until check_program() must be called, or -1 for never.
  int remaining_ms() const { return running_program_ ? running_program_->remaining_ms() : -1; }
  void check_program() {
    if (!running_program_) return;
    const auto outcome = running_program_->check_result();
    if (!outcome) return;
    if (!outcome->empty()) print_error(kExitSuccess, *outcome);
    running_program_.reset();
    start_next();
  }

 private:
  void start_next() {
    while (!running_program_ && !queued_events_.empty()) {
      auto started = ChildProcess::start(path_, std::move(queued_events_.front()));
      queued_events_.pop_front();
      if (started) running_program_ = std::move(*started);
      else print_error(kExitSuccess, started.refusal().reason);
    }
  }

  const std::string path_, userid_;
  std::deque<std::vector<std::string>> queued_events_;
  std::unique_ptr<ChildProcess> running_program_;
};

// Returns the boards that wait for `name`, as in the list of boards.
std::vector<BoardSummary> waiting_boards(std::vector<BoardSummary> boards,
                                         const std::string& name) {
  LobbyModel lobby(name, LobbyModel::Order::time);
  lobby.set_boards(boards);
  std::erase_if(boards, [&](const BoardSummary& board) { return !lobby.is_waiting(board); });
  return boards;
}

int print_waiting(std::vector<BoardSummary> boards, const std::string& name, bool count) {
  const auto waiting = waiting_boards(std::move(boards), name);
  if (count) std::cout << waiting.size() << '\n';
  else
    for (const BoardSummary& board : waiting) std::cout << safe_text(board.describe(now())) << '\n';
  return waiting.empty() ? kExitRefused : kExitSuccess;
}

// Calls `tell` for each event of the server, until the reader of `out` is gone.
int watch_events(const ServerTarget& there, int out,
                 const std::function<void(const Notification&, RemoteBoards&)>& tell) {
  RemoteBoards::Setup setup{connector_to(there.address), there.address.to_string(), {}};
  setup.key = there.key;
  RemoteBoards server(std::move(setup));
  if (const auto connected = server.connect_as(there.userid); !connected) {
    if (!server.entry_refusal().empty()) return print_error(kExitRefused, server.entry_refusal());
    server.connect_later(connected.refusal().reason);
  }
  for (;;) {
    server.take_changes();
    for (const Notification& news : server.notifications().take())
      if (!news.is_own) tell(news, server);
    if (!server.entry_refusal().empty()) return print_error(kExitRefused, server.entry_refusal());
    pollfd of[] = {{server.change_descriptor(), POLLIN, 0}, {out, 0, 0}};
    ::poll(of, std::size(of), -1);
    if (!std::cout || (of[1].revents & (POLLERR | POLLHUP))) return kExitSuccess;
  }
}

// Writes each event as a line for the process that runs the program.
int write_records(const ServerTarget& there, int out) {
  return watch_events(there, out, [&](const Notification& news, RemoteBoards& server) {
    if (news.kind == Notification::Kind::connection) {
      print_error(kExitSuccess, news.text);
      return;
    }
    const std::size_t waiting = waiting_boards(server.list(), there.userid).size();
    const std::string record = std::string(event_name(news.kind)) + "\t" + news.board + "\t" +
                               std::to_string(waiting) + "\t" + safe_text(news.text) + "\n";
    // write() writes all of a record this short. If the reader is gone, SIGPIPE ends this process.
    [[maybe_unused]] const ssize_t n = ::write(out, record.data(), record.size());
  });
}

// Runs the program for each record from the process `child`, until that ends. Returns its status.
int run_program_for_records(EventProgram program, int in, pid_t child) {
  std::string came;
  for (std::array<char, 4096> bytes;;) {
    pollfd of[] = {{in, POLLIN, 0}, {program.exit_descriptor(), POLLIN, 0}};
    ::poll(of, std::size(of), program.remaining_ms());
    program.check_program();
    if (of[0].revents == 0) continue;
    const ssize_t n = ::read(in, bytes.data(), bytes.size());
    if (n == 0) break;
    if (n > 0) came.append(bytes.data(), static_cast<std::size_t>(n));
    for (std::size_t end; (end = came.find('\n')) != std::string::npos; came.erase(0, end + 1))
      program.add_event(std::string_view(came).substr(0, end));
    if (came.size() > PIPE_BUF) ::kill(child, SIGKILL);  // no record is so long
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitFailure;
}

// Uses two processes. The one that talks with the server is confined and may run nothing. The other
// reads its records and runs the program.
int watch_with_program(const Arguments& arguments, const ServerTarget& there) {
  const std::string path = arguments.option_text("exec");
  value_or_throw(check_program(path, "--exec"));
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("This system has too many open files.");
  const UniqueFd in(ends[0]);
  UniqueFd out(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) throw Error("This system cannot start another process.");
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // the reader may be killed
    confine_to_user(arguments, there);
    return write_records(there, out.get());
  }
  out = UniqueFd();
  return run_program_for_records(EventProgram(path, there.userid), in.get(), child);
}

}  // namespace

int run_waiting(const Arguments& arguments) {
  const bool count = arguments.has("count");
  if (!arguments.has_server())
    return print_waiting(open_own_boards(arguments).list(),
                         Settings(user_paths().settings).preferences().player_name, count);
  if (!arguments.has("user")) return report_wrong_use(arguments);
  const ServerTarget there = server_target(arguments);
  confine_to_user(arguments, there);
  // A shell prompt waits for this command.
  constexpr itimerspec kPatience{{0, 0}, {0, 900'000'000}};
  const UniqueFd late(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  ::timerfd_settime(late.get(), 0, &kPatience, nullptr);
  RemoteBoards::Setup setup{connector_to(there.address), there.address.to_string(), {}};
  setup.key = there.key;
  setup.receives_events = false;
  setup.waiter = make_waiter(late.get());
  RemoteBoards server(std::move(setup));
  need(server.connect_as(there.userid), kExitFailure);
  const auto boards = server.list();
  if (!server.connection_problem().empty())
    return print_error(kExitFailure,
                       "The server at " + there.address.to_string() + " does not answer.");
  return print_waiting(boards, there.userid, count);
}

int run_watch(const Arguments& arguments) {
  const ServerTarget there = server_target(arguments);
  if (arguments.has("exec")) return watch_with_program(arguments, there);
  confine_to_user(arguments, there);
  return watch_events(there, STDOUT_FILENO, [](const Notification& news, RemoteBoards&) {
    std::cout << safe_text((news.board.empty() ? "" : news.board + ": ") + news.text) << std::endl;
  });
}

Result<Arguments> parse_ssh_command(const Arguments& arguments, std::string_view command) {
  Arguments out = arguments;
  const std::vector<std::string> said = split_words(command);
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
                   "' cannot be run here. Allowed: waiting, waiting --count, watch, --line and "
                   "send COMMAND."};
  }
  return out;
}

}  // namespace pbm
