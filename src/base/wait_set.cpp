// SPDX-License-Identifier: MIT
#include "base/wait_set.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <ctime>

#include "base/result.hpp"

namespace pbm {
namespace {
void require_open(const UniqueFd& fd) {
  if (!fd.is_open()) throw Error("This system has too many open files.");
}
}  // namespace

Waiter make_waiter(int end) {
  return [end](int fd, short events, int milliseconds) -> std::optional<int> {
    std::array<pollfd, 2> waits{{{fd, events, 0}, {end, POLLIN, 0}}};
    const int n = ::poll(waits.data(), waits.size(), milliseconds);
    return n > 0 && waits[1].revents != 0 ? std::nullopt : std::optional(n);
  };
}

WaitSet::WaitSet() : fd_(::epoll_create1(EPOLL_CLOEXEC)) { require_open(fd_); }

void WaitSet::add(int fd) const {
  epoll_event wanted{EPOLLIN, {}};
  if (fd >= 0) ::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &wanted);
}

void WaitSet::add(int fd, std::uint64_t name, std::uint32_t events) const {
  epoll_event wanted{events, {.u64 = name}};
  if (::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &wanted) != 0)
    throw Error("This system cannot watch more connections.");
}

void WaitSet::change(int fd, std::uint64_t name, std::uint32_t events) const {
  epoll_event wanted{events, {.u64 = name}};
  ::epoll_ctl(fd_.get(), EPOLL_CTL_MOD, fd, &wanted);
}

void WaitSet::remove(int fd) const { ::epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr); }

std::span<const epoll_event> WaitSet::wait_for_events(std::span<epoll_event> room, int wait) const {
  const int n = ::epoll_wait(fd_.get(), room.data(), static_cast<int>(room.size()), wait);
  return room.first(n > 0 ? static_cast<std::size_t>(n) : 0);
}

TimerFd::TimerFd() : fd_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  require_open(fd_);
}

void TimerFd::set(std::chrono::milliseconds wait) const {
  itimerspec when{};
  when.it_value.tv_sec = static_cast<std::time_t>(wait.count() / 1000);
  when.it_value.tv_nsec =
      static_cast<long>(wait.count() % 1000) * 1'000'000 + 1;  // 0 would disarm the timer
  ::timerfd_settime(fd_.get(), 0, &when, nullptr);
}

bool TimerFd::clear() const {
  std::uint64_t times = 0;
  return ::read(fd_.get(), &times, sizeof times) > 0;
}

EventFd::EventFd() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) { require_open(fd_); }

void EventFd::notify() const { static_cast<void>(::eventfd_write(fd_.get(), 1)); }

bool EventFd::clear() const {
  eventfd_t count = 0;
  return ::eventfd_read(fd_.get(), &count) == 0;
}

}  // namespace pbm
