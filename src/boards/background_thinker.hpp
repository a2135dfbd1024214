// SPDX-License-Identifier: MIT
// A thread that thinks about a position while the screen goes on. Leaves how that is done, and what
// is made of it, to its callers.
#pragma once

#include <future>
#include <optional>
#include <thread>

#include "base/event_fd.hpp"
#include "game/game_type.hpp"

namespace pbm {

// One thought at a time. All calls are for one thread.
class BackgroundThinker {
 public:
  BackgroundThinker() = default;
  // Stops thinking at once.
  ~BackgroundThinker() { drop(); }
  BackgroundThinker(const BackgroundThinker&) = delete;
  BackgroundThinker& operator=(const BackgroundThinker&) = delete;

  // Begins to think; what was thought of before is dropped. `think` runs on the thread. It has to
  // end soon with what it knows on the question's `stop`, and at once on `dropped`.
  using Think = std::function<Thought(const Question&, const std::stop_token& dropped)>;
  void begin(Think think, Question question);
  bool thinking() const { return thread_.joinable(); }
  // Has it say what it knows so far; take() has that a moment later.
  void hurry() { stop_.request_stop(); }
  // Does the same from wherever it is kept, to what was begun last.
  std::stop_source stopper() const { return stop_; }
  // Stops it. take() has nothing.
  void drop();

  // Readable when there is something for take().
  int bell() const { return bell_.get(); }
  // What came of it, once: it thinks of nothing then. Throws what the thread threw.
  std::optional<Thought> take();

 private:
  EventFd bell_;
  std::stop_source stop_, dropped_;
  std::thread thread_;
  std::future<Thought> thought_;  // there when the bell rings
};

}  // namespace pbm
