// SPDX-License-Identifier: MIT
#include "boards/analyst.hpp"

#include "base/error.hpp"

namespace pbm {

Ticket Analyst::analyse(std::shared_ptr<Inquiry> inquiry, Computers::Analysed then) {
  inquiry_ = std::move(inquiry);
  then_ = std::move(then);
  thinker_.drop();
  stop_ = std::make_shared<std::stop_source>();
  go_on();
  // Let go of, it is not thought on.
  Ticket ticket(static_cast<const void*>(this),
                [stop = stop_](const void*) { stop->request_stop(); });
  wanted_ = ticket;
  return ticket;
}

void Analyst::go_on() {
  const auto n = inquiry_->next();
  if (!n) return;
  thinker_.begin([this, &game = inquiry_->game(), position = inquiry_->position(*n)](
                     const Question& question,
                     const std::stop_token&) { return tables_.think(game, position, question); },
                 inquiry_->question());
  *stop_ = thinker_.stopper();
}

void Analyst::take_changes() {
  Result<Done> done = Done{};
  std::optional<Thought> thought;
  try {
    thought = thinker_.take();
    if (!thought) return;
  } catch (const Error& error) {
    done = Refusal{std::string("No analysis: ") + error.what()};
  }
  const Ticket wanted = wanted_.lock();
  if (!wanted) return;
  if (done) {
    inquiry_->take(std::move(*thought));
    go_on();
  }
  // It may let go of the ticket, or begin another.
  const auto then = then_;
  then(done);
}

}  // namespace pbm
