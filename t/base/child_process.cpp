// SPDX-License-Identifier: MIT
// Tests programs that this one starts.
#include "base/child_process.hpp"

#include <sys/wait.h>

#include <array>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include "catch.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;

namespace {

bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");  // none: it has ended
  const std::string status{std::istreambuf_iterator<char>(file), {}};
  return status.find("State:") != std::string::npos &&
         status.find("State:\tZ") == std::string::npos;
}

}  // namespace

TEST_CASE("a program of a guarded group ends with the one that started it", "[base]") {
  for (const bool is_guarded : {true, false}) {
    std::array<int, 2> ends;
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t starter = ::fork();
    if (starter == 0) {
      pid_t started = 0;
      if (start_program(started, {"sleep", "600"}, ends[0], -1) != 0) ::_exit(1);
      const GroupGuard guard = is_guarded ? GroupGuard(started) : GroupGuard();
      if (::write(ends[1], &started, sizeof started) != sizeof started) ::_exit(1);
      for (;;) ::pause();
    }
    ::close(ends[1]);
    pid_t started = 0;
    REQUIRE(::read(ends[0], &started, sizeof started) == sizeof started);
    CHECK(runs(started));
    ::kill(starter, SIGKILL);
    ::waitpid(starter, nullptr, 0);
    for (int i = 0; i < 2000 && is_guarded && runs(started); ++i) std::this_thread::sleep_for(10ms);
    CHECK(runs(started) == !is_guarded);
    if (!is_guarded) ::kill(started, SIGKILL);
    ::close(ends[0]);
  }
}
