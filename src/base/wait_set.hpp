// SPDX-License-Identifier: MIT
// Waits for several descriptors at a time, among them a timer and an event of another thread.
// Leaves the reaction to its users.
#pragma once

#include <sys/epoll.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/unique_fd.hpp"

namespace pbm {

// A function that waits until descriptor `fd` (-1: none) has one of `events`, at most so many
// milliseconds (-1: no limit). Returns the result of poll(2), or nothing if the wait is cancelled.
using Waiter = std::function<std::optional<int>(int fd, short events, int milliseconds)>;

// True if waits with `wait` are cancelled.
inline bool is_cancelled(const Waiter& wait) { return !wait(-1, 0, 0); }

// Makes a Waiter that cancels its wait when `end` becomes readable; -1: never.
Waiter make_waiter(int end = -1);

// An epoll(7) descriptor: readable while any of its descriptors is.
class WaitSet {
 public:
  // Throws Error if the system has no free descriptor.
  WaitSet();
  // Returns a descriptor for poll(2).
  int get() const { return fd_.get(); }
  // Adds a descriptor, unless it is -1. A closed descriptor is removed automatically.
  void add(int fd) const;
  // Adds a descriptor with a `name` for the results of wait_for_events(). change() sets its events.
  // add() throws Error if that fails.
  void add(int fd, std::uint64_t name, std::uint32_t events) const;
  void change(int fd, std::uint64_t name, std::uint32_t events) const;
  void remove(int fd) const;
  // Returns the events of the next `wait` milliseconds (-1: no limit), as many as fit in `room`.
  std::span<const epoll_event> wait_for_events(std::span<epoll_event> room, int wait = 0) const;

 private:
  UniqueFd fd_;
};

// A timer, made by timerfd_create(2).
class TimerFd {
 public:
  // Throws Error if the system has no free descriptor.
  TimerFd();
  // Returns a descriptor for poll(2), readable from the set time until clear().
  int get() const { return fd_.get(); }
  // Sets the time to now plus `wait`, and drops the earlier time.
  void set(std::chrono::milliseconds wait) const;
  // Returns true if the time had come.
  bool clear() const;

 private:
  UniqueFd fd_;
};

// An event, made by eventfd(2): readable from the first notify() until clear(). Any thread may call
// both.
class EventFd {
 public:
  // Throws Error if the system has no free descriptor.
  EventFd();
  // Returns a descriptor for poll(2).
  int get() const { return fd_.get(); }
  void notify() const;
  // Returns true if notify() was called.
  bool clear() const;

 private:
  UniqueFd fd_;
};

}  // namespace pbm
