// SPDX-License-Identifier: MIT
// pbmplay-mail: answers mails, and mails a server's notifications.
#include <pwd.h>
#include <sys/resource.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "base/files.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "mail/gateway.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {
namespace {

constexpr const char* kUsage =
    "usage: pbmplay-mail [tell] [--address ADDRESS] [--state DIR] [--socket PATH]\n"
    "                    [--sendmail PROGRAM] [--passwords]\n"
    "Answers the mail on standard input; with tell, mails a notification of a server.\n"
    "See pbmplay-mail(8).\n";

void log_line(const std::string& line) {
  ::syslog(LOG_INFO, "%s", safe_text(line).c_str());
  std::cerr << "pbmplay-mail: " << safe_text(line) << std::endl;
}

std::string read_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

// Returns the mail address of the Unix login that runs this: "pbm@example.org".
std::string own_address() {
  const passwd* const own = ::getpwuid(::geteuid());
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  const auto mailname = read_file("/etc/mailname", 256);
  return std::string(own ? own->pw_name : "pbm") + "@" +
         (mailname ? std::string(trim(*mailname)) : std::string(host.data()));
}

// Reads all of standard input, because the writer waits for that, but keeps only kMaxMail bytes.
std::string read_input() {
  std::string out;
  std::array<char, 65536> bytes;
  for (ssize_t n; (n = ::read(STDIN_FILENO, bytes.data(), bytes.size())) > 0;)
    if (out.size() < kMaxMail)
      out.append(bytes.data(), std::min(static_cast<std::size_t>(n), kMaxMail - out.size()));
  return out;
}

// Raises the stack limit for GMime, which parses nested parts recursively: two bytes of a mail can
// open a group of addresses, which takes some 200 bytes of stack.
void raise_stack_limit() {
  constexpr rlim_t kStack = kMaxMail / 2 * 800;
  rlimit room{};
  ::getrlimit(RLIMIT_STACK, &room);
  room.rlim_cur = std::min(std::max(room.rlim_cur, kStack), room.rlim_max);
  ::setrlimit(RLIMIT_STACK, &room);
}

int print_usage_error(const std::string& why) {
  std::cerr << "pbmplay-mail: " << why << "\n" << kUsage;
  return kUsageError;
}

int run(const std::vector<std::string>& words) {
  GatewayOptions setup;
  setup.address = own_address();
  setup.state_directory = "/var/lib/pbmplay-mail";
  setup.server.socket_path = read_variable("PBMPLAY_SOCKET");
  if (setup.server.socket_path.empty()) setup.server.socket_path = "/run/pbmplay/socket";
  setup.log = log_line;
  bool telling = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "tell") telling = true;
    else if (word == "--passwords") setup.accepts_passwords = true;
    else if (word == "--help" || word == "--version") {
      std::cout << (word == "--help" ? kUsage : "pbmplay-mail " + version_text() + "\n");
      return kDone;
    } else if (i + 1 == words.size()) {
      return print_usage_error("There is no option '" + fit(word, 30) +
                               "', or its value is missing.");
    } else if (word == "--address") setup.address = words[++i];
    else if (word == "--state") setup.state_directory = words[++i];
    else if (word == "--socket") setup.server.socket_path = words[++i];
    else if (word == "--sendmail") setup.sendmail = words[++i];
    else return print_usage_error("There is no option '" + fit(word, 30) + "'.");
  }
  if (!is_mail_address(setup.address))
    return print_usage_error("--address needs a mail address; '" + fit(setup.address, 60) +
                             "' is none.");
  make_directory(setup.state_directory);
  raise_stack_limit();
  if (telling) return send_notification(setup, read_input(), read_variable);
  return answer_mail(setup, read_input());
}

}  // namespace
}  // namespace pbm::mail

int main(int argc, char** argv) {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  std::signal(SIGPIPE, SIG_IGN);
  ::openlog("pbmplay-mail", LOG_PID, LOG_MAIL);
  try {
    return pbm::mail::run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    pbm::mail::log_line(e.what());
  }
  return pbm::mail::kTryAgain;
}
