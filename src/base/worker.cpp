// SPDX-License-Identifier: MIT
#include "base/worker.hpp"

#include <csignal>
#include <system_error>

namespace pbm {

std::thread quiet_thread(std::function<void()> work) {
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

void Worker::begin(const std::function<void()>& work) {
  out_ = true;
  const auto run = [this, work] {
    work();
    done_ = true;
    done_.notify_all();
    bell_.ring();
  };
  try {
    thread_ = quiet_thread(run);
  } catch (const std::system_error&) {
    run();
  }
}

bool Worker::take_done() {
  if (!done_.exchange(false)) return false;
  if (thread_.joinable()) thread_.join();
  out_ = false;
  return true;
}

}  // namespace pbm
