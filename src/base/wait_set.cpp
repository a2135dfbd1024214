// SPDX-License-Identifier: MIT
#include "base/wait_set.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/error.hpp"

namespace pbm {

namespace {
void need(const UniqueFd& fd) {
  if (!fd.open()) throw Error("This system has no descriptors left to wait with.");
}
}  // namespace

WaitSet::WaitSet() : fd_(::epoll_create1(EPOLL_CLOEXEC)) { need(fd_); }

void WaitSet::add(int fd) const {
  epoll_event wanted{EPOLLIN, {}};
  if (fd >= 0) ::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &wanted);
}

TimerFd::TimerFd() : fd_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  need(fd_);
}

void TimerFd::set(std::chrono::milliseconds wait) const {
  itimerspec when{};
  when.it_value.tv_sec = wait.count() / 1000;
  when.it_value.tv_nsec = wait.count() % 1000 * 1'000'000 + 1;  // 0 would be never
  ::timerfd_settime(fd_.get(), 0, &when, nullptr);
}

bool TimerFd::clear() const {
  std::uint64_t times = 0;
  return ::read(fd_.get(), &times, sizeof times) > 0;
}

}  // namespace pbm
