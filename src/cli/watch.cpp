// SPDX-License-Identifier: MIT
// Being told outside the screen: `waiting` for prompts and timers, `watch` for
// whoever is to hear of each event, and what a login by SSH may ask for.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>

#include "base/program.hpp"
#include "boards/local_boards.hpp"
#include "boards/remote_boards.hpp"
#include "cli/cli.hpp"
#include "cli/paths.hpp"
#include "cli/command.hpp"
#include "cli/server_commands.hpp"
#include "cli/shared.hpp"
#include "protocol/userid.hpp"
#include "ui/settings.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxQueued = 100;  // events that wait for it

std::string_view name_of(Notification::Kind kind) {
  static constexpr std::string_view kNames[] = {"talk", "ply",   "offer",
                                                "turn", "board", "connection"};
  return kNames[static_cast<std::size_t>(kind)];
}

// A program that is run once for each event: one after the other, and no shell between. One that
// does not end is killed, and of a flood of events the oldest are left out.
class EventProgram {
 public:
  EventProgram(std::string path, std::string user)
      : path_(std::move(path)), user_(std::move(user)) {}
  void tell(const Notification& news, std::size_t waiting) {
    if (queued_.size() == kMaxQueued) {
      queued_.pop_front();
      complain(kDone, path_ + " is behind: an event was left out.");
    }
    queued_.push_back({"PBMPLAY_EVENT=" + std::string(name_of(news.kind)),
                       "PBMPLAY_BOARD=" + news.board, "PBMPLAY_TEXT=" + safe_text(news.text),
                       "PBMPLAY_USER=" + user_, "PBMPLAY_WAITING=" + std::to_string(waiting)});
    go_on();
  }

  // For poll(2): readable when a run has ended; -1 while none goes on.
  int ended() const { return run_ ? run_->ended() : -1; }
  // Milliseconds until look() is to be called at the latest; -1: not at all.
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
  std::optional<RunningProgram> run_;
};

std::size_t count_waiting(const std::vector<BoardSummary>& boards, const std::string& name) {
  return static_cast<std::size_t>(
      std::count_if(boards.begin(), boards.end(),
                    [&](const BoardSummary& board) { return waits_for(board, name); }));
}

int tell_waiting(const std::vector<BoardSummary>& boards, const std::string& name, bool count) {
  const std::size_t waiting = count_waiting(boards, name);
  if (count) std::cout << waiting << '\n';
  else
    for (const BoardSummary& board : boards)
      if (waits_for(board, name)) std::cout << safe_text(board.in_words(now())) << '\n';
  return waiting > 0 ? kDone : kRefused;
}

// Connects to the server that is meant as who is meant.
struct There {
  std::string user;
  ServerAddress address;
};
Result<There> there_of(const Arguments& arguments) {
  const auto userid = check_userid(arguments.user);
  if (!userid) return userid.refusal();
  const auto named = server_named(arguments);
  if (!named) return named.refusal();
  return There{*userid, whole_address(*named)};
}

}  // namespace

int run_waiting(const Arguments& arguments) {
  const bool elsewhere = arguments.names_server();
  if (elsewhere && arguments.user.empty()) return wrong_use(arguments);
  if (!elsewhere) {
    LocalBoards own(
        arguments.saves.empty() ? paths_of().saves : std::filesystem::path(arguments.saves),
        program_data() / "saves", LocalBoards::Scope::anywhere);
    return tell_waiting(own.list(), Settings(paths_of().settings).chosen().name, arguments.count);
  }
  const auto there = there_of(arguments);
  if (!there) return complain(kUsage, there.refusal().why);
  RemoteBoards::Setup setup{dial_to(there->address), there->address.to_string(), {}};
  setup.hears = false;
  RemoteBoards server(std::move(setup));
  if (const auto connected = server.connect_as(there->user); !connected)
    return complain(kFailed, connected.refusal().why);
  return tell_waiting(server.list(), there->user, arguments.count);
}

int run_watch(const Arguments& arguments) {
  const auto there = there_of(arguments);
  if (!there) return complain(kUsage, there.refusal().why);
  std::optional<EventProgram> program;
  if (!arguments.exec.empty()) {
    if (const auto ok = check_program(arguments.exec, "--exec"); !ok)
      return complain(kUsage, ok.refusal().why);
    program.emplace(arguments.exec, there->user);
  }
  RemoteBoards server({dial_to(there->address), there->address.to_string(), {}});
  if (const auto connected = server.connect_as(there->user); !connected) {
    if (!server.turned_away().empty()) return complain(kFailed, server.turned_away());
    server.connect_later(connected.refusal().why);
  }
  for (;;) {
    server.take_changes();
    for (const Notification& news : server.take_news()) {
      if (news.own) continue;
      if (news.kind == Notification::Kind::connection && program) complain(kDone, news.text);
      else if (program) program->tell(news, count_waiting(server.list(), there->user));
      else
        std::cout << safe_text((news.board.empty() ? "" : news.board + ": ") + news.text)
                  << std::endl;
    }
    if (!server.turned_away().empty()) return complain(kFailed, server.turned_away());
    if (program) program->look();
    // Whoever reads this has gone.
    pollfd of[] = {{server.changes(), POLLIN, 0},
                   {program ? program->ended() : -1, POLLIN, 0},
                   {program ? -1 : STDOUT_FILENO, 0, 0}};
    ::poll(of, std::size(of), program ? program->patience() : -1);
    if (!std::cout || (of[2].revents & (POLLERR | POLLHUP))) return kDone;
  }
}

Result<Arguments> asked_by_ssh(const Arguments& arguments, std::string_view command) {
  Arguments out = arguments;
  const std::vector<std::string> said = words(command);
  const std::string_view line = trim(command);
  if (said.size() == 1 && said[0] == "--line") {
    out.line = true;
  } else if (said.size() == 1 && (said[0] == "waiting" || said[0] == "watch")) {
    out.words = {said[0]};
  } else if (said.size() == 2 && said[0] == "waiting" && said[1] == "--count") {
    out.words = {said[0]};
    out.count = true;
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
