// SPDX-License-Identifier: MIT
// A program that runs in the background while a test goes on: a server. Knows
// no test framework: what goes wrong is thrown.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace pbm::test {

class Child {
 public:
  // Runs words[0] with the others; both outputs go to `log`.
  Child(const std::vector<std::string>& words, std::filesystem::path log);
  ~Child();  // killed if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until its output has `text`; throws with the output when it does not come.
  void wait_for(const std::string& text,
                std::chrono::milliseconds patience = std::chrono::milliseconds(10000));
  std::string output() const;
  // Sends a signal and waits for the end.
  void end(int signal);
  bool running();
  pid_t pid() const { return pid_; }
  void signal(int number) const;

 private:
  pid_t pid_;
  std::filesystem::path log_;
};

// A port of this machine that nobody has just now.
int free_port();

}  // namespace pbm::test
