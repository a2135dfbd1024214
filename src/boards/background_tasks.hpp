// SPDX-License-Identifier: MIT
// Runs slow tasks in the screen's own thread, one after the other, on a fiber. A task that has to
// wait suspends the fiber, and the screen goes on. Tasks therefore need no lock, and are written as
// if they blocked. Leaves the work to its callers, and the screen to the caller of take().
#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>

#include "base/fiber.hpp"
#include "base/wait_set.hpp"

namespace pbm {

// Held by the caller that waits for an answer. If the caller drops it, no callback runs.
using Handle = std::shared_ptr<const void>;

// A `picture` task is skipped if its caller is gone; the screen shows older data until it is done.
enum class Priority : std::uint8_t { person, picture };

// A task may wait. It returns the function to call with its result, or an empty one.
using Callback = std::function<void()>;
using Task = std::function<Callback()>;

class BackgroundTasks {
 public:
  // While there is no task, calls `look` whenever `idle` becomes readable. `look` returns true if
  // there is something new to see. Both `look` and tasks may call wait().
  BackgroundTasks(int idle, std::function<bool()> look);
  // Drops unfinished tasks and stops for good. Call it while all that the tasks use still exists.
  void end() {
    ending_ = giving_up_ = true;
    while (!fiber_.ended()) resume();
  }

  // Queues a task. A task that ends within 2 ms runs its callback before ask() returns; ask()
  // returns null then. Otherwise take() runs the callback later, if the handle is still held.
  Handle ask(Task task, Priority priority);
  // asking() is true if a person waits for a task. give_up() makes all queued tasks give up: wait()
  // refuses to wait in them. Their callbacks still run, from take().
  bool asking() const;
  void give_up();

  // Returns a descriptor that is readable when take() has work.
  int changes() const { return waits_.get(); }
  // Resumes waiting tasks and runs the callbacks of finished ones. Returns false if nothing is new.
  // Throws what a task or `look` threw.
  bool take();
  // Makes the next take() return true.
  void renew() { new_ = true; }

  // True if the caller runs inside a task or `look`.
  bool within() const { return fiber_.running(); }
  std::optional<int> wait(int fd, short events, int milliseconds);

 private:
  struct Entry {
    Task task;
    Priority priority;
    std::weak_ptr<const void> wanted;  // expired if no caller waits for the result
    Callback callback = {};
    bool done = false;
  };
  void run();
  void run_task();
  void resume() {
    resumed_ = std::chrono::steady_clock::now();
    fiber_.resume();
  }

  const int idle_;
  const std::function<bool()> look_;
  std::deque<std::shared_ptr<Entry>> tasks_, done_;  // the first of `tasks_` is running
  std::exception_ptr failed_;                        // thrown by `look`
  std::chrono::steady_clock::time_point resumed_;
  bool new_ = false, giving_up_ = false, ending_ = false;
  EventFd bell_;
  TimerFd timer_;
  WaitSet waits_;
  Fiber fiber_;
};

}  // namespace pbm
