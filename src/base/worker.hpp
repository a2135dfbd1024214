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
std::thread start_masked_thread(std::function<void()> work);

// Does one piece of work at a time, each on a new thread.
class Worker {
 public:
  // `bell` rings whenever work is done.
  explicit Worker(const EventFd& bell) : done_event_(bell) {}
  // Waits for the running work.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts `work`, which must not throw. Runs it in this thread if no other can be made.
  // Pre: is_busy() is false.
  void start(const std::function<void()>& work);
  // True from start() until collect_if_done() returns true.
  bool is_busy() const { return is_busy_; }
  // Returns true if the work is done. Then is_busy() is false.
  bool collect_if_done();
  // Waits until the work is done. Pre: is_busy() is true.
  void wait() const { is_done_.wait(false); }

 private:
  const EventFd& done_event_;
  std::thread thread_;
  std::atomic<bool> is_done_ = false;
  bool is_busy_ = false;
};

}  // namespace pbm
