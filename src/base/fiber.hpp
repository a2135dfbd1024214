// SPDX-License-Identifier: MIT
// A second course of a program in the same thread: it runs until it waits, and goes on when it is
// told to. So what has to wait in many places is written as if it could, and nothing is shared
// between threads. Boost.Context switches the stacks. Leaves what is waited for to its callers.
#pragma once

#include <functional>
#include <memory>

namespace pbm {

class Fiber {
 public:
  // `run` begins with the first resume(), which throws std::bad_alloc where there is no room for a
  // stack. Nothing may be thrown out of it.
  explicit Fiber(std::function<void()> run);
  // Pre: it has ended, or has not begun.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Goes on with it until it is suspended or ends. Pre: not called on it, and it has not ended.
  void resume();
  // Back to whoever has resumed it. Pre: called on it.
  void suspend();
  // Whether the caller is on it, and whether it has come to its end.
  bool running() const;
  bool ended() const;

 private:
  struct Stacks;
  std::unique_ptr<Stacks> stacks_;
};

}  // namespace pbm
