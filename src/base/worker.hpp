// SPDX-License-Identifier: MIT
// Threads beside the one that has the terminal or the sockets: work that would hold up the loop it
// was asked for in. Leaves what comes of it to who asked.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "base/wait_set.hpp"

namespace pbm {

// Runs `work` on a thread that no signal comes to: those are for the thread that started it. Throws
// std::system_error when there is none to be had.
std::thread quiet_thread(std::function<void()> work);

// Does one piece of work at a time on a thread of its own, which begins and ends with it.
class Worker {
 public:
  // `bell` rings each time that something is done.
  explicit Worker(const EventFd& bell) : bell_(bell) {}
  // Waits for what is out.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Has `work`, which does not throw, done; here, where there is no thread to be had. Pre: nothing
  // is out.
  void begin(const std::function<void()>& work);
  // Whether something was begun, and take_done() has not said that it is done.
  bool out() const { return out_; }
  // Whether that is done: nothing is out then.
  bool take_done();
  // Waits until it is. Pre: something is out.
  void wait() const { done_.wait(false); }

 private:
  const EventFd& bell_;
  std::thread thread_;
  std::atomic<bool> done_ = false;
  bool out_ = false;
};

}  // namespace pbm
