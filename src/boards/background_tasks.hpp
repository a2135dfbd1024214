// SPDX-License-Identifier: MIT
// What takes its time done beside a screen, in the screen's own thread: one task after another, on
// a fiber that lets the screen go on wherever it would have to wait. So a task is written line by
// line, as for somebody who waits, and shares no lock with anybody. Leaves what is done to its
// callers, and the screen to whoever calls take().
#pragma once

#include <chrono>
#include <deque>
#include <exception>

#include "base/event_fd.hpp"
#include "base/fiber.hpp"
#include "base/wait_set.hpp"
#include "boards/boards.hpp"

namespace pbm {

class BackgroundTasks {
 public:
  using Then = Boards::Then;
  using Work = std::function<Then()>;

  // Where there is no task `look` is called whenever `idle` becomes readable; it says whether there
  // is something new to see. Both may wait().
  BackgroundTasks(int idle, std::function<bool()> look);
  // Gives up what is not done, and does nothing more. To be called while all that the tasks use is
  // there still.
  void end();

  // As Boards::ask(). What is done within a moment that nobody notices is done when this returns.
  Ticket ask(Work work, Haste haste);
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
  // As a Waiter (base/wait_set.hpp): meanwhile the screen goes on. Pre: within().
  std::optional<int> wait(int fd, short events, int milliseconds);

 private:
  struct Task {
    Work work;
    Haste haste;
    std::weak_ptr<const void> wanted;  // by whom nobody waits for its end
    Then then = {};
    bool done = false;
  };
  void run();
  void run_task();
  void resume();

  const int idle_;
  const std::function<bool()> look_;
  std::deque<std::shared_ptr<Task>> tasks_, done_;  // the first of tasks_ is being done
  std::exception_ptr failed_;                       // what `look` threw
  std::chrono::steady_clock::time_point resumed_;
  bool new_ = false, giving_up_ = false, ending_ = false;
  EventFd bell_;
  TimerFd timer_;
  WaitSet waits_;
  Fiber fiber_;
};

}  // namespace pbm
