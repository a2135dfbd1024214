// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "support.hpp"

namespace pbm::test {
namespace {

constexpr auto kMaxRunTime = std::chrono::seconds(60);

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() { REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0); }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close(std::size_t end) {
    if (ends[end] >= 0) ::close(ends[end]);
    ends[end] = -1;
  }
};

std::vector<char*> to_pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& w : words) out.push_back(w.data());
  out.push_back(nullptr);
  return out;
}

// Replaces the child process by the program. Must not return, not even after an error.
[[noreturn]] void exec_program(const std::filesystem::path& file, char* const* words,
                               char* const* variables, const RunOptions& s, int in, int out,
                               int err) {
  if (!s.directory.empty() && ::chdir(s.directory.c_str()) != 0) ::_exit(125);
  if (!s.output.empty()) out = ::open(s.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (::dup2(in, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err, 2) < 0) ::_exit(125);
  ::signal(SIGPIPE, SIG_DFL);
  if (s.max_file_size > 0) {
    const rlimit limit{s.max_file_size, s.max_file_size};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(125);
  }
  ::execve(file.c_str(), words, variables);
  ::_exit(126);
}

// Writes `input` and reads both outputs until the program closes them.
void exchange(Pipe& in, Pipe& out, Pipe& err, std::string_view input, RunResult& ran, pid_t child) {
  const auto give_up = std::chrono::steady_clock::now() + kMaxRunTime;
  ::signal(SIGPIPE, SIG_IGN);
  ::fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  if (input.empty()) in.close(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 3> waits{
        {{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}}};
    ::poll(waits.data(), waits.size(), 100);
    const auto take = [](Pipe& pipe, std::string& to, short events) {
      if (events == 0) return;
      std::array<char, 65536> bytes{};
      const ssize_t n = ::read(pipe.ends[0], bytes.data(), bytes.size());
      if (n > 0) to.append(bytes.data(), static_cast<std::size_t>(n));
      else if (n == 0 || errno != EINTR) pipe.close(0);
    };
    take(out, ran.out, waits[0].revents);
    take(err, ran.err, waits[1].revents);
    if (waits[2].revents != 0) {
      const ssize_t n = ::write(in.ends[1], input.data(), input.size());
      if (n > 0) input.remove_prefix(static_cast<std::size_t>(n));
      if (input.empty() || (n < 0 && errno != EAGAIN && errno != EINTR)) in.close(1);
    }
    if (std::chrono::steady_clock::now() > give_up) {
      ::kill(child, SIGKILL);
      FAIL("the program did not end");
    }
  }
}

}  // namespace

std::filesystem::path require_program() {
  const char* named = std::getenv("PBM_PROGRAM");
  const std::filesystem::path file =
      named && *named ? std::filesystem::path(named) : source_root() / "build" / "pbmplay";
  INFO("the program under test, " << file);
  REQUIRE(::access(file.c_str(), X_OK) == 0);
  return std::filesystem::absolute(file);
}

RunResult run_program(const std::vector<std::string>& words, const RunOptions& surroundings) {
  RunOptions here = surroundings;
  here.variables.insert(here.variables.begin(), "PBMPLAY_DATA=" + source_root().string());
  return run_file(require_program(), words, here);
}

RunResult run_shell(const std::string& line, const RunOptions& surroundings) {
  return run_file("/bin/sh", {"-c", line}, surroundings);
}

RunResult run_file(const std::filesystem::path& file, const std::vector<std::string>& words,
                   const RunOptions& surroundings) {
  std::vector<std::string> given{file.filename().string()};
  given.insert(given.end(), words.begin(), words.end());
  const std::string home = surroundings.home.empty() ? "/nonexistent" : surroundings.home.string();
  // Each name once: for a repeated name, a shell uses the last value, the C library the first.
  std::vector<std::string> environment = surroundings.variables;
  const auto name_of = [](const std::string& variable) {
    return variable.substr(0, variable.find('='));
  };
  for (const std::string& usual :
       {std::string("PATH=/usr/bin:/bin"), "HOME=" + home, std::string("LC_ALL=C.UTF-8"),
        std::string("TZ=UTC"), std::string("TERM=dumb")})
    if (std::none_of(environment.begin(), environment.end(),
                     [&](const std::string& v) { return name_of(v) == name_of(usual); }))
      environment.push_back(usual);
  const auto word_pointers = to_pointers(given), variable_pointers = to_pointers(environment);
  RunResult ran;
  Pipe in, out, err;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0)
    exec_program(file, word_pointers.data(), variable_pointers.data(), surroundings, in.ends[0],
                 out.ends[1], err.ends[1]);
  in.close(0);
  out.close(1);
  err.close(1);
  exchange(in, out, err, surroundings.input, ran, child);
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  ran.peak_memory = static_cast<std::size_t>(used.ru_maxrss) * 1024;
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace pbm::test
