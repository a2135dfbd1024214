// SPDX-License-Identifier: MIT
// Runs slow tasks in the screen's own thread, one after the other, on a fiber. A task that has to
// wait suspends the fiber, and the screen goes on. Tasks therefore need no lock, and are written as
// if they blocked. Leaves the work to its callers, and the screen to the caller of take_changes().
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
using TaskHandle = std::shared_ptr<const void>;

// A `display` task is skipped if its caller is gone; the screen shows older data until it is done.
enum class Priority : std::uint8_t { person, display };

// A task may wait. It returns the function to call with its result, or an empty one.
using Callback = std::function<void()>;
using Task = std::function<Callback()>;

class BackgroundTasks {
 public:
  // While there is no task, calls `look` whenever `idle` becomes readable. `look` returns true if
  // there is something new to see. Both `look` and tasks may call wait().
  BackgroundTasks(int idle, std::function<bool()> look);
  // Drops unfinished tasks and stops for good. Call it while all that the tasks use still exists.
  void stop() {
    is_stopping_ = is_cancelling_ = true;
    while (!fiber_.has_ended()) resume();
  }

  // Queues a task. A task that ends within 2 ms runs its callback before start_task() returns;
  // start_task() returns null then. Otherwise take_changes() runs the callback later, if the handle
  // is still held.
  TaskHandle start_task(Task task, Priority priority);
  // has_person_task() is true if a person waits for a task. cancel_tasks() makes all queued tasks
  // give up: wait() refuses to wait in them. Their callbacks still run, from take_changes().
  bool has_person_task() const;
  void cancel_tasks();

  // Returns a descriptor that is readable when take_changes() has work.
  int change_descriptor() const { return wait_set_.get(); }
  // Resumes waiting tasks and runs the callbacks of finished ones. Returns false if nothing is new.
  // Throws what a task or `look` threw.
  bool take_changes();
  // Makes the next take_changes() return true.
  void set_changed() { has_changes_ = true; }

  // True if the caller runs inside a task or `look`.
  bool is_inside_task() const { return fiber_.is_running(); }
  std::optional<int> wait(int fd, short events, int milliseconds);

 private:
  struct Entry {
    Task task;
    Priority priority;
    std::weak_ptr<const void> handle;  // expired if no caller waits for the result
    Callback callback = {};
    bool is_done = false;
  };
  void run();
  void run_task();
  void resume() {
    resume_time_ = std::chrono::steady_clock::now();
    fiber_.resume();
  }

  const int idle_descriptor_;
  const std::function<bool()> on_idle_;
  std::deque<std::shared_ptr<Entry>> tasks_, finished_;  // the first of `tasks_` is running
  std::exception_ptr error_;                             // thrown by `look`
  std::chrono::steady_clock::time_point resume_time_;
  bool has_changes_ = false, is_cancelling_ = false, is_stopping_ = false;
  EventFd bell_;
  TimerFd timer_;
  WaitSet wait_set_;
  Fiber fiber_;
};

}  // namespace pbm
