// SPDX-License-Identifier: MIT
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/child_process.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "server/net/server_loop.hpp"
#include "server/backup.hpp"

namespace pbm {
namespace {

// Logs an event on one line. If the reader of the log is too slow, lines get lost, because players
// must not wait for it.
void log_event(const std::string& event) {
  std::string line = iso_time(now()) + " " + event;
  if (line.size() > 2000) line.resize(2000);
  line += '\n';
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  }
}

// Returns the sockets that the starter of this program passed on, as systemd does. LISTEN_PID says
// if they are for this process; child processes do not inherit the variables.
std::vector<int> take_passed_sockets() {
  constexpr int kFirst = 3, kMost = 16;
  const char* const pid = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  std::vector<int> out;
  if (pid && count && read_whole_number<pid_t>(pid) == ::getpid())
    for (int i = 0; i < std::min(read_whole_number<int>(count).value_or(0), kMost); ++i)
      out.push_back(kFirst + i);
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  return out;
}

// Returns the name of this machine with its domain, if the machine knows it.
std::string full_host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_flags = AI_CANONNAME;
  std::string out = name.data();
  if (::getaddrinfo(name.data(), nullptr, &wanted, &found) != 0) return out;
  if (found->ai_canonname) out = found->ai_canonname;
  ::freeaddrinfo(found);
  return out;
}

}  // namespace

int run_serve(const Arguments& arguments) {
  if (arguments.has("check-data")) {
    if (arguments.options.size() > 1) throw Refusal{"'--check-data' goes with no other option."};
    return check_server_data(arguments);
  }
  if (arguments.has("check")) return check_server(arguments);
  if (arguments.has("backup"))
    throw Refusal{"'--backup' is for --check. To copy a server's directory, type pbmplay backup."};
  ListenOptions options;
  options.passed_sockets = take_passed_sockets();
  ServerAddress socket;
  socket.socket_path = arguments.option_text("socket");
  if (!arguments.has("socket") && !arguments.has("listen") && options.passed_sockets.empty()) {
    socket.socket_path = default_sockets().front();
    make_directory(socket.socket_path.parent_path());
  }
  if (!socket.socket_path.empty()) options.addresses.push_back(socket);
  if (arguments.has("listen"))
    options.addresses.push_back(
        value_or_throw(read_server_address(arguments.option_text("listen"))));
  ServiceOptions& service = options.service;
  service.connections_a_user = arguments.option_number("per-user", service.connections_a_user);
  service.directory = arguments.option_text("dir");
  if (arguments.has("signup")) {
    const auto* const mode = std::ranges::find(kSignupModes, arguments.option_text("signup"));
    if (mode == std::end(kSignupModes))
      throw Refusal{"'--signup=" + fit(arguments.option_text("signup"), 20) +
                    "': write open, invited or closed."};
    service.signup = static_cast<Signup>(mode - std::begin(kSignupModes));
  }
  if (arguments.has("tournaments")) {
    const std::string makers = arguments.option_text("tournaments");
    if (makers != "members" && makers != "owner")
      throw Refusal{"'--tournaments=" + fit(makers, 20) + "': write members or owner."};
    service.members_make_tournaments = makers == "members";
  }
  if (const passwd* own = ::getpwuid(::geteuid())) service.server_login = own->pw_name;
  service.host = arguments.has("host") ? arguments.option_text("host") : full_host_name();
  if (service.host.empty() || service.host.find(' ') != std::string::npos ||
      !is_text_line(service.host)) {
    if (arguments.has("host"))
      throw Refusal{"'--host=" + fit(service.host, 40) +
                    "': write a name without blanks, such as example.org."};
    service.host = "localhost";
  }
  service.rate_computers = arguments.has("rate-computers");
  service.notify_program = arguments.option_text("notify");
  if (!service.notify_program.empty())
    value_or_throw(check_program(service.notify_program, "--notify"));
  service.read_rules = help_text;
  service.log = log_event;
  options.handles_signals = true;
  std::signal(SIGPIPE, SIG_IGN);
  ServerLoop listener(std::move(options));
  std::vector<std::string> places;
  for (const ServerAddress& address : listener.addresses()) places.push_back(address.to_string());
  std::cout << "listening on " << join_with_and(places) << std::endl;
  std::cout.clear();  // a server needs no standard output
  return listener.run() ? kExitSuccess : kExitFailure;
}

int run_backup(const Arguments& arguments) {
  std::cout << need(back_up(arguments.option_text("dir"), arguments.words[1]), kExitRefused)
            << std::endl;
  return kExitSuccess;
}

}  // namespace pbm
