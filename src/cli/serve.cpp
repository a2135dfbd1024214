// SPDX-License-Identifier: MIT
#include <poll.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "server/net/listener.hpp"
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
std::vector<int> passed_sockets() {
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

}  // namespace

int run_serve(const Arguments& arguments) {
  ListenOptions options;
  options.passed = passed_sockets();
  ServerAddress socket;
  socket.socket = arguments.text("socket");
  if (!arguments.has("socket") && !arguments.has("listen") && options.passed.empty()) {
    socket.socket = own_sockets().front();
    make_directory(socket.socket.parent_path());
  }
  if (!socket.socket.empty()) options.addresses.push_back(socket);
  if (arguments.has("listen"))
    options.addresses.push_back(need(read_server_address(arguments.text("listen"))));
  options.limits.nobody =
      std::chrono::seconds(arguments.number("login-seconds", options.limits.nobody.count()));
  ServiceOptions& service = options.service;
  service.connections_a_user = arguments.number("per-user", service.connections_a_user);
  service.directory = arguments.text("dir");
  service.signup = !arguments.has("no-signup");
  if (const passwd* own = ::getpwuid(::geteuid())) service.login = own->pw_name;
  service.rate_computers = arguments.has("rate-computers");
  service.notify = arguments.text("notify");
  if (!service.notify.empty()) need(check_program(service.notify, "--notify"));
  service.rules = help_text;
  service.log = log_event;
  options.signals = true;
  std::signal(SIGPIPE, SIG_IGN);
  Listener listener(std::move(options));
  std::vector<std::string> places;
  for (const ServerAddress& address : listener.addresses()) places.push_back(address.to_string());
  std::cout << "listening on " << all_of(places) << std::endl;
  std::cout.clear();  // a server needs no standard output
  return listener.run() ? kDone : kFailed;
}

int run_backup(const Arguments& arguments) {
  std::cout << need(back_up(arguments.text("dir"), arguments.words[1]), kRefused) << std::endl;
  return kDone;
}

}  // namespace pbm
