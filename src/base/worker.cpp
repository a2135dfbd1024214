// SPDX-License-Identifier: MIT
#include "base/worker.hpp"

#include <csignal>
#include <utility>

namespace pbm {

std::thread quiet_thread(std::function<void()> work) {
  // A thread begins with the mask of the one that starts it.
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
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Worker::begin(std::function<void()> work) {
  if (!thread_.joinable()) thread_ = quiet_thread([this] { run(); });
  {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    done_ = false;
  }
  out_ = true;
  changed_.notify_all();
}

bool Worker::take_done() {
  const std::lock_guard lock(mutex_);
  if (!out_ || !done_) return false;
  out_ = false;
  return true;
}

void Worker::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
}

void Worker::run() {
  for (std::unique_lock lock(mutex_);;) {
    changed_.wait(lock, [this] { return work_ || ends_; });
    if (!work_) return;
    const auto work = std::exchange(work_, nullptr);
    lock.unlock();
    work();
    lock.lock();
    done_ = true;
    changed_.notify_all();
    bell_.ring();
  }
}

}  // namespace pbm
