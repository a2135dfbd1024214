// SPDX-License-Identifier: MIT
// Several things to wait for as one, among them a moment, and a bell that another thread or another
// line of the program rings. Leaves what is done then to its users.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/unique_fd.hpp"

namespace pbm {

// Waits until a descriptor (-1: none) has one of `events`, for at most so many milliseconds, -1 for
// ever: what poll(2) returns, or nothing once it is to be waited for no longer.
using Waiter = std::function<std::optional<int>(int fd, short events, int milliseconds)>;

// Whether nothing is to be waited for any longer.
inline bool gives_up(const Waiter& wait) { return !wait(-1, 0, 0); }

// One that waits for nothing else, or no longer than until `end` is readable.
Waiter wait_until(int end = -1);

// An epoll(7): readable while any of its descriptors is.
class WaitSet {
 public:
  // Throws Error when the system has no descriptor left.
  WaitSet();
  // For poll(2).
  int get() const { return fd_.get(); }
  // Nothing for -1. One that is closed leaves by itself.
  void add(int fd) const;
  // The same for what take() tells apart by `name`; and which events of it count from now on.
  void add(int fd, std::uint64_t name, std::uint32_t events) const;
  void change(int fd, std::uint64_t name, std::uint32_t events) const;
  void remove(int fd) const;
  // What has come within so many milliseconds, -1 for ever; as much as there is room for.
  std::span<const epoll_event> take(std::span<epoll_event> room, int wait = 0) const;

 private:
  UniqueFd fd_;
};

// A timerfd_create(2).
class TimerFd {
 public:
  // Throws Error when the system has no descriptor left.
  TimerFd();
  // For poll(2): readable once the time has come, until clear().
  int get() const { return fd_.get(); }
  // In so long a time from now, and not when it was set to before.
  void set(std::chrono::milliseconds wait) const;
  // Whether the time had come.
  bool clear() const;

 private:
  UniqueFd fd_;
};

// An eventfd(2): readable from the first ring() on until clear(). Any thread may do both.
class EventFd {
 public:
  // Throws Error when the system has no descriptor left.
  EventFd();
  // For poll(2): readable while it rings.
  int get() const { return fd_.get(); }
  void ring() const;
  // Whether it rang.
  bool clear() const;

 private:
  UniqueFd fd_;
};

}  // namespace pbm
