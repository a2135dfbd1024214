// SPDX-License-Identifier: MIT
#include "boards/background_thinker.hpp"

#include "base/thread.hpp"

namespace pbm {

void BackgroundThinker::begin(Think think, Question question) {
  drop();
  stop_ = std::stop_source();
  dropped_ = std::stop_source();
  question.stop = stop_.get_token();
  question.progress = [this](const Thought& known) {
    const std::lock_guard lock(mutex_);
    so_far_ = known;
    bell_.ring();
  };
  thread_ = quiet_thread([this, think = std::move(think), question = std::move(question),
                          dropped = dropped_.get_token()] {
    Thought thought;
    std::exception_ptr failed;
    try {
      thought = think(question, dropped);
    } catch (...) {
      failed = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    so_far_ = std::move(thought);
    failed_ = failed;
    done_ = true;
    bell_.ring();
  });
}

void BackgroundThinker::drop() {
  if (!thread_.joinable()) return;
  dropped_.request_stop();
  stop_.request_stop();
  thread_.join();
  so_far_ = {};
  done_ = false;
  failed_ = nullptr;
  bell_.clear();
}

Thought BackgroundThinker::so_far() const {
  const std::lock_guard lock(mutex_);
  return so_far_;
}

std::optional<Thought> BackgroundThinker::take() {
  {
    const std::lock_guard lock(mutex_);
    bell_.clear();
    if (!done_) return std::nullopt;
  }
  const std::exception_ptr failed = failed_;
  Thought thought = std::move(so_far_);
  drop();
  if (failed) std::rethrow_exception(failed);
  return thought;
}

}  // namespace pbm
