// SPDX-License-Identifier: MIT
// What the computer advises a person to play and to beware of, found out on a thread of its own
// beside the computer's own plies. Leaves who may ask, and how it is told, to the front ends.
#pragma once

#include "boards/background_thinker.hpp"
#include "boards/boards.hpp"
#include "boards/tables.hpp"

namespace pbm {

class Adviser {
 public:
  explicit Adviser(std::filesystem::path tables) : tables_(std::move(tables)) {}

  // As Computers::advise().
  Ticket advise(const Match& match, Computers::Advised then);
  // As Computers::warn().
  Ticket warn(const Match& match, Computers::Warned then);

  // Readable when take_changes() has something to tell.
  int bell() const { return thinker_.bell(); }
  void take_changes();

 private:
  using Then = std::function<void(const Result<Thought>&)>;
  Ticket begin(BackgroundThinker::Think think, Question question, Then then);

  Tables tables_;  // the thinker's, while it thinks
  BackgroundThinker thinker_;
  std::weak_ptr<const void> wanted_;
  Then then_;
};

}  // namespace pbm
