// SPDX-License-Identifier: MIT
#include "base/worker.hpp"

#include <csignal>
#include <system_error>

namespace pbm {

std::thread start_masked_thread(std::function<void()> work) {
  // A new thread inherits the signal mask of the thread that makes it.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& mask;
    ~Restore() { ::pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } restore{before};
  return std::thread(std::move(work));
}

Worker::~Worker() {
  if (thread_.joinable()) thread_.join();
}

void Worker::start(const std::function<void()>& work) {
  is_busy_ = true;
  const auto run = [this, work] {
    work();
    is_done_ = true;
    is_done_.notify_all();
    done_event_.notify();
  };
  try {
    thread_ = start_masked_thread(run);
  } catch (const std::system_error&) {
    run();
  }
}

bool Worker::collect_if_done() {
  if (!is_done_.exchange(false)) return false;
  if (thread_.joinable()) thread_.join();
  is_busy_ = false;
  return true;
}

}  // namespace pbm
