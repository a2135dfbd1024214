// SPDX-License-Identifier: MIT
#include "child.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace pbm::test {

BackgroundProcess::BackgroundProcess(const std::vector<std::string>& words,
                                     std::filesystem::path log)
    : log_(std::move(log)) {
  std::vector<std::string> kept = words;
  std::vector<char*> argv;
  for (std::string& word : kept) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int out = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = ::fork();
  if (pid_ == 0) {
    // A killed run of the tests leaves no server behind.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(out);
  ::close(in);
  if (pid_ < 0) throw std::runtime_error("no process for " + words[0]);
}

BackgroundProcess::~BackgroundProcess() {
  if (pid_ > 0) stop(SIGKILL);
}

std::string BackgroundProcess::output() const {
  std::ifstream in(log_, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void BackgroundProcess::send_signal(int number) const { ::kill(pid_, number); }

bool BackgroundProcess::is_running() {
  if (pid_ > 0 && ::waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
  return pid_ > 0;
}

void BackgroundProcess::wait_for(const std::string& text, std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    // Check for the end first: the last output may arrive just before it.
    const bool last = !is_running() || std::chrono::steady_clock::now() > end;
    if (output().find(text) != std::string::npos) return;
    if (last)
      throw std::runtime_error("'" + text + "' did not come; the program said:\n" + output());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void BackgroundProcess::stop(int signal) {
  if (pid_ <= 0) return;
  ::kill(pid_, signal);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

int find_free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof name;
  ::bind(fd, reinterpret_cast<const sockaddr*>(&name), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &size);
  ::close(fd);
  return ntohs(name.sin_port);
}

}  // namespace pbm::test
