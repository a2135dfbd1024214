// SPDX-License-Identifier: MIT
// What stands between Enter and the game: a ply that came meanwhile, a question that another Enter
// answers, the computer's warning. Leaves doing what is typed to board_screen.hpp.
#pragma once

#include "ui/screens/board_model.hpp"

namespace pbm {

class EnterCheck {
 public:
  using Warn = std::function<void(const std::string&)>;
  // `warn` hears what the tutor says of a ply that Enter has not played for it.
  EnterCheck(BoardModel& model, Warn warn) : model_(model), warn_(std::move(warn)) {}

  // What is said in place of doing what is typed, while the position `seen` is shown; nothing where
  // it is to be done. An empty one: the board shows what it would do, or the tutor looks at it.
  std::optional<Notice> stops(const TypedLine& typed, const Position& seen);
  // Has the board show what a ply would do; else says why it cannot.
  Notice preview();
  // What the tutor has nothing against, once.
  std::optional<TypedLine> take_approved() { return std::exchange(approved_, std::nullopt); }
  // Somebody else has just played here.
  void overtake() { overtaken_ = Overtaken{std::chrono::steady_clock::now()}; }
  // Another key than Enter: it shows that the ply somebody else made was seen, when it is pressed a
  // while after that came, or after the refusal that speaks of it.
  void answer();

 private:
  using Said = std::optional<Notice>;
  Said holds_back(const TypedLine& typed);
  Said asks_where(const TypedLine& typed, const Position& seen);
  Said asks_first(const TypedLine& typed);
  Said tutors(const TypedLine& typed);

  BoardModel& model_;
  Warn warn_;
  // When somebody else last played here, and whether a ply was held back for that.
  struct Overtaken {
    Moment at;
    bool told = false;
  };
  std::optional<Overtaken> overtaken_;
  // The ply that the tutor has looked at, with how many came before it.
  std::pair<std::size_t, std::string> looked_at_;
  std::optional<TypedLine> approved_;
};

}  // namespace pbm
