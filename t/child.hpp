// SPDX-License-Identifier: MIT
// A program in the background of a test, for example a server. It reports errors by exceptions and
// knows no test framework.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace pbm::test {

class BackgroundProcess {
 public:
  // Runs words[0] with the other words; both outputs go to `log`.
  BackgroundProcess(const std::vector<std::string>& words, std::filesystem::path log);
  ~BackgroundProcess();  // kills the program if it still runs
  BackgroundProcess(const BackgroundProcess&) = delete;
  BackgroundProcess& operator=(const BackgroundProcess&) = delete;

  // Waits until the output contains `text`. If that takes too long, throws with the output.
  void wait_for(const std::string& text,
                std::chrono::milliseconds patience = std::chrono::milliseconds(60'000));
  std::string output() const;
  // Sends a signal and waits for the end of the program.
  void stop(int signal);
  bool is_running();
  pid_t pid() const { return pid_; }
  void send_signal(int number) const;

 private:
  pid_t pid_;
  std::filesystem::path log_;
};

// Returns a free port of this machine.
int find_free_port();

}  // namespace pbm::test
