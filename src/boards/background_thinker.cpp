// SPDX-License-Identifier: MIT
#include "boards/background_thinker.hpp"

#include <memory>

#include "base/thread.hpp"

namespace pbm {

void BackgroundThinker::begin(Think think, Question question) {
  drop();
  stop_ = std::stop_source();
  dropped_ = std::stop_source();
  question.stop = stop_.get_token();
  const auto task = std::make_shared<std::packaged_task<Thought()>>(
      [think = std::move(think), question = std::move(question), dropped = dropped_.get_token()] {
        return think(question, dropped);
      });
  thought_ = task->get_future();
  thread_ = quiet_thread([this, task] {
    (*task)();
    bell_.ring();
  });
}

void BackgroundThinker::drop() {
  if (!thread_.joinable()) return;
  dropped_.request_stop();
  stop_.request_stop();
  thread_.join();
  bell_.clear();
}

std::optional<Thought> BackgroundThinker::take() {
  if (!bell_.clear()) return std::nullopt;
  thread_.join();
  return thought_.get();
}

}  // namespace pbm
