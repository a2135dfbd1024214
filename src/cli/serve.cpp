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
#include "cli/cli.hpp"
#include "cli/paths.hpp"
#include "cli/server_commands.hpp"
#include "cli/shared.hpp"
#include "server/net/listener.hpp"
#include "server/backup.hpp"

namespace pbm {
namespace {

// One event a line. Whoever reads the log and does not keep up loses lines: the
// players are not to wait for that.
void log_event(const std::string& event) {
  std::string line = iso_time(now()) + " " + event;
  if (line.size() > 2000) line.resize(2000);
  line += '\n';
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line.data(), line.size());
  }
}

// Descriptors of sockets that whoever started this program passed on, as systemd does: they are
// this process's when LISTEN_PID says so, and go to no other.
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
  socket.socket = arguments.socket;
  if (arguments.socket.empty() && arguments.listen.empty() && options.passed.empty()) {
    socket.socket = own_sockets().front();
    make_directory(socket.socket.parent_path());
  }
  if (!socket.socket.empty()) options.addresses.push_back(socket);
  if (!arguments.listen.empty()) {
    const auto port = read_server_address(arguments.listen);
    if (!port) return complain(kUsage, port.refusal().why);
    options.addresses.push_back(*port);
  }
  if (const auto n = arguments.login_seconds) {
    if (*n < 1 || *n > 3600) return complain(kUsage, "--login-seconds is a number from 1 to 3600.");
    options.limits.nobody = std::chrono::seconds(*n);
  }
  if (const auto n = arguments.per_user) {
    if (*n < 1 || static_cast<std::size_t>(*n) > options.connections)
      return complain(
          kUsage, "--per-user is a number from 1 to " + std::to_string(options.connections) + ".");
    options.service.connections_a_user = static_cast<std::size_t>(*n);
  }
  options.service.directory = arguments.dir;
  options.service.signup = !arguments.no_signup;
  if (const passwd* own = ::getpwuid(::geteuid())) options.service.login = own->pw_name;
  options.service.rate_computers = arguments.rate_computers;
  if (!arguments.notify.empty()) {
    if (const auto ok = check_program(arguments.notify, "--notify"); !ok)
      return complain(kUsage, ok.refusal().why);
    options.service.notify = arguments.notify;
  }
  options.service.rules = help_text;
  options.log = log_event;
  options.signals = true;
  std::signal(SIGPIPE, SIG_IGN);
  Listener listener(std::move(options));
  std::vector<std::string> places;
  for (const ServerAddress& address : listener.addresses()) places.push_back(address.to_string());
  std::cout << "listening on " << all_of(places) << std::endl;
  return listener.run() ? kDone : kFailed;
}

int run_backup(const Arguments& arguments) {
  const auto done = back_up(arguments.dir, arguments.words[1]);
  if (!done) return complain(kRefused, done.refusal().why);
  std::cout << count_of(done->files, "file", "files") << ", " << done->copied << " of them copied, "
            << "and the database." << std::endl;
  return kDone;
}

}  // namespace pbm
