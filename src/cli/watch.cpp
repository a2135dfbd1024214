// SPDX-License-Identifier: MIT
// Notifications outside the screen: `waiting` for prompts and timers, `watch` for each event, and
// the commands that a login by SSH may run.
#include <poll.h>
#include <sys/timerfd.h>

#include <iostream>

#include "boards/remote_boards.hpp"
#include "cli/paths.hpp"
#include "cli/command.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {
namespace {

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
  confine_to_user(arguments, there);
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
      if (!news.is_own)
        std::cout << safe_text((news.board.empty() ? "" : news.board + ": ") + news.text)
                  << std::endl;
    if (!server.entry_refusal().empty()) return print_error(kExitRefused, server.entry_refusal());
    pollfd of[] = {{server.change_descriptor(), POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    ::poll(of, std::size(of), -1);
    // The reader of the output is gone.
    if (!std::cout || (of[1].revents & (POLLERR | POLLHUP))) return kExitSuccess;
  }
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
