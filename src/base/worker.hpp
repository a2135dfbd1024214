// SPDX-License-Identifier: MIT
// Runs slow work on a second thread, so that the event loop goes on. Leaves the result of the work
// to the caller.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "base/wait_set.hpp"

namespace pbm {

// Runs `work` on a thread that blocks all signals, so that the calling thread receives them. Throws
// std::system_error if no thread can be made.
std::thread quiet_thread(std::function<void()> work);

// Does one piece of work at a time, each on a new thread.
class Worker {
 public:
  // `bell` rings whenever work is done.
  explicit Worker(const EventFd& bell) : bell_(bell) {}
  // Waits for the running work.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts `work`, which must not throw. Runs it in this thread if no other can be made.
  // Pre: out() is false.
  void begin(const std::function<void()>& work);
  // True from begin() until take_done() returns true.
  bool out() const { return out_; }
  // Returns true if the work is done. Then out() is false.
  bool take_done();
  // Waits until the work is done. Pre: out() is true.
  void wait() const { done_.wait(false); }

 private:
  const EventFd& bell_;
  std::thread thread_;
  std::atomic<bool> done_ = false;
  bool out_ = false;
};

}  // namespace pbm
