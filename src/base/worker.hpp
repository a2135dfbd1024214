// SPDX-License-Identifier: MIT
// Threads beside the one that has the terminal or the sockets: work that would hold up the loop it
// was asked for in. Leaves what comes of it to who asked.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/wait_set.hpp"

namespace pbm {

// Runs `work` on a thread that no signal comes to: those are for the thread that started it. Throws
// std::system_error when there is none to be had.
std::thread quiet_thread(std::function<void()> work);

// Does one piece of work at a time on a thread of its own.
class Worker {
 public:
  // `bell` rings each time that something is done.
  explicit Worker(const EventFd& bell) : bell_(bell) {}
  // Waits for what is out.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Has `work`, which does not throw, done. Pre: nothing is out. Throws std::system_error when
  // there is no thread to be had.
  void begin(std::function<void()> work);
  // Whether something was begun, and take_done() has not said that it is done.
  bool out() const { return out_; }
  // Whether that is done: nothing is out then.
  bool take_done();
  // Waits until it is. Pre: something is out.
  void wait();

 private:
  void run();

  const EventFd& bell_;
  std::thread thread_;  // begun with the first work
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool out_ = false;                  // the owner's
  bool done_ = false, ends_ = false;  // of the mutex, as work_ is
};

}  // namespace pbm
