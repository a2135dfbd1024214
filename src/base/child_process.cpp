// SPDX-License-Identifier: MIT
#include "base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm {
namespace {

bool is_executable(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

// Returns the program and its arguments. Pre: `program` is not blank.
std::vector<std::string> split_command(const std::string& program) {
  return is_executable(program) ? std::vector<std::string>{program} : split_words(program);
}

}  // namespace

UniqueFd make_memory_file(const std::string& text) {
  UniqueFd file(::memfd_create("text", MFD_CLOEXEC));
  return file.is_open() && write_all_at(file.get(), text, 0) == 0 ? std::move(file) : UniqueFd();
}

int start_program(pid_t& child, std::vector<std::string> words, int in, int out,
                  char** environment) {
  if (words.empty()) return ENOENT;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  if (out >= 0) {
    ::posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none, all;
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error =
      ::posix_spawnp(&child, arguments.front(), &files, &attributes, arguments.data(), environment);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

GroupGuard::GroupGuard(pid_t leader) {
  std::array<int, 2> ends;
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  const UniqueFd end(ends[0]);
  alarm_ = UniqueFd(ends[1]);
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  watcher_ = ::fork();
  if (watcher_ == 0) {
    // Only what is safe after a fork of a program with threads. It holds no lock of this program.
    ::dup2(end.get(), STDIN_FILENO);
    ::close(alarm_.get());
    ::close_range(STDIN_FILENO + 1, ~0U, 0);
    char none;
    while (::read(STDIN_FILENO, &none, 1) < 0 && errno == EINTR) {
    }
    ::kill(-leader, SIGKILL);
    ::_exit(0);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

GroupGuard::~GroupGuard() {
  if (watcher_ <= 0) return;
  ::kill(watcher_, SIGKILL);
  ::waitpid(watcher_, nullptr, 0);
}

Result<Success> check_program(const std::string& program, std::string_view option) {
  const std::string name = trim(program).empty() ? "" : split_command(program).front();
  if (name.find('/') != std::string::npos && is_executable(name)) return Success{};
  const char* const path = std::getenv("PATH");
  std::istringstream places(path ? path : "");
  for (std::string place; !name.empty() && std::getline(places, place, ':');)
    if (name.find('/') == std::string::npos && is_executable(place + "/" + name)) return Success{};
  return Refusal{"'" + fit(name, 60) + "' is not a program that can be run. " +
                 std::string(option) + " takes a path or name, and then its arguments."};
}

std::string run_child(const std::string& program, std::vector<std::string> variables,
                      const std::string& input, int stop, bool unseen) {
  constexpr std::chrono::minutes kMostTime{1};
  const std::vector<std::string> words = split_command(program);
  const std::string& path = words.front();
  const auto cannot = [&](int error) {
    return path + " cannot be run: " + std::strerror(error) + ".";
  };
  const UniqueFd file = make_memory_file(input);
  if (!file.is_open()) return cannot(errno);
  std::vector<char*> environment;  // if a name occurs twice, the first value counts
  for (std::string& variable : variables) environment.push_back(variable.data());
  for (char** variable = environ; *variable; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);
  pid_t child = 0;
  const UniqueFd nowhere(unseen ? ::open("/dev/null", O_WRONLY | O_CLOEXEC) : -1);
  if (const int error = start_program(child, words, file.get(), nowhere.get(), environment.data()))
    return cannot(error);
  const UniqueFd end(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  auto deadline = std::chrono::steady_clock::now() + kMostTime;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      return path + " did not end and was killed.";
    }
    pollfd events[] = {{end.get(), POLLIN, 0}, {stop, POLLIN, 0}};
    ::poll(events, 2, static_cast<int>(left.count()));
    if (events[1].revents != 0) deadline = {};
  }
  if (!WIFEXITED(status)) return path + " was killed.";
  return WEXITSTATUS(status) == 0
             ? ""
             : path + " ended with status " + std::to_string(WEXITSTATUS(status)) + ".";
}

}  // namespace pbm
