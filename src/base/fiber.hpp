// SPDX-License-Identifier: MIT
// A second stack in the same thread, by Boost.Context. Deeply nested code can wait there for input
// as if it blocked, and no data is shared between threads. Leaves the waiting to its callers.
#pragma once

#include <functional>
#include <memory>

namespace pbm {

class Fiber {
 public:
  // Starts nothing yet: the first resume() calls `run`. That resume() throws std::bad_alloc if no
  // stack can be allocated. `run` must not throw.
  explicit Fiber(std::function<void()> run);
  // Pre: `run` has returned or was never called.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the fiber until it suspends itself or ends. Pre: the caller is not on it, and it has not
  // ended.
  void resume();
  // Returns control to the caller of resume(). Pre: called on this fiber.
  void suspend();
  // True if the caller is on this fiber.
  bool is_running() const;
  bool has_ended() const;

 private:
  struct Stacks;
  std::unique_ptr<Stacks> stacks_;
};

}  // namespace pbm
