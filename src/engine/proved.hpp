// SPDX-License-Identifier: MIT
// Makes verdicts that are certain. Included by what proves them and by nothing else, as
// t/layers.cpp sees to: searches that have looked at everything that counts, and tables of games.
// Leaves what a verdict says to game/thinker.hpp.
#pragma once

#include "game/thinker.hpp"

namespace pbm::engine {

class Proved {
 public:
  // The seat to move wins or loses in so many plies with best play of both; 0 where that is not
  // known.
  static Verdict win(int plies) { return {Verdict::Kind::win, plies, 100}; }
  static Verdict loss(int plies) { return {Verdict::Kind::loss, plies, 0}; }
  static Verdict tie() { return {Verdict::Kind::tie, 0, 50}; }
  static Verdict endless() { return {Verdict::Kind::endless, 0, 50}; }
};

}  // namespace pbm::engine
