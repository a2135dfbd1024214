// SPDX-License-Identifier: MIT
// Thinks about one position of an inquiry after the other, on a thread of its own. Leaves what is
// made of it to that, and how it is told to the front ends.
#pragma once

#include "boards/background_thinker.hpp"
#include "boards/boards.hpp"
#include "boards/tables.hpp"

namespace pbm {

class Analyst {
 public:
  explicit Analyst(std::filesystem::path tables) : tables_(std::move(tables)) {}

  // As Computers::analyse().
  Ticket analyse(std::shared_ptr<Inquiry> inquiry, Computers::Analysed then);

  // Readable when take_changes() has something to tell.
  int bell() const { return thinker_.bell(); }
  void take_changes();

 private:
  void go_on();

  Tables tables_;  // the thinker's, while it thinks
  BackgroundThinker thinker_;
  std::weak_ptr<const void> wanted_;
  std::shared_ptr<std::stop_source> stop_;  // of what is thought about now
  std::shared_ptr<Inquiry> inquiry_;
  Computers::Analysed then_;
};

}  // namespace pbm
