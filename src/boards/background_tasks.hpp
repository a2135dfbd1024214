// SPDX-License-Identifier: MIT
// What takes its time done beside a screen, in the screen's own thread: one task after another, on
// a fiber that lets the screen go on wherever it would have to wait. So a task is written line by
// line, as for somebody who waits, and shares no lock with anybody. Leaves what is done to its
// callers, and the screen to whoever calls take().
#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <functional>
#include <memory>

#include "base/fiber.hpp"
#include "base/wait_set.hpp"

namespace pbm {

// Held by whoever waits for an answer. Once it is let go of, nobody is told the answer.
using Handle = std::shared_ptr<const void>;

// Who waits for an answer: a person, or only a picture that shows an older one meanwhile.
enum class Priority : std::uint8_t { person, picture };

// Something that may wait; it returns what is to be called with its outcome, or nothing.
using Callback = std::function<void()>;
using Task = std::function<Callback()>;

class BackgroundTasks {
 public:
  // Where there is no task `look` is called whenever `idle` becomes readable; it says whether there
  // is something new to see. Both may wait().
  BackgroundTasks(int idle, std::function<bool()> look);
  // Gives up what is not done, and does nothing more. To be called while all that the tasks use is
  // there still.
  void end() {
    ending_ = giving_up_ = true;
    while (!fiber_.ended()) resume();
  }

  // Does it in its turn. Its callback is called before this returns, which returns null then, or
  // else by take(), if the handle is still held. What is done within a moment that nobody notices
  // is done when this returns.
  Handle ask(Task task, Priority priority);
  // Whether a person waits for a task; and has all that are asked for give up: whatever they would
  // have to wait for is refused. What they come to is told by take().
  bool asking() const;
  void give_up();

  // Readable when take() has something to do.
  int changes() const { return waits_.get(); }
  // Goes on with what waited, and calls what is to be called then. False when nothing is new.
  // Throws what a task or `look` threw.
  bool take();
  // take() is to say that something is new.
  void renew() { new_ = true; }

  // Whether the caller is within a task, or within `look`.
  bool within() const { return fiber_.running(); }
  std::optional<int> wait(int fd, short events, int milliseconds);

 private:
  struct Entry {
    Task task;
    Priority priority;
    std::weak_ptr<const void> wanted;  // by whom nobody waits for its end
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
  std::deque<std::shared_ptr<Entry>> tasks_, done_;  // the first of tasks_ is being done
  std::exception_ptr failed_;                        // what `look` threw
  std::chrono::steady_clock::time_point resumed_;
  bool new_ = false, giving_up_ = false, ending_ = false;
  EventFd bell_;
  TimerFd timer_;
  WaitSet waits_;
  Fiber fiber_;
};

}  // namespace pbm
