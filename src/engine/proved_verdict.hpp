// SPDX-License-Identifier: MIT
// Makes certain verdicts. Only searches and tables that prove results may include this header;
// t/layers.cpp checks that. Leaves the contents of a verdict to game/thinker.hpp.
#pragma once

#include "game/thinker.hpp"

namespace pbm::engine {

class ProvedVerdict {
 public:
  // The seat to move wins or loses after `plies` plies with best play of both; 0 if unknown.
  static Verdict win(int plies) { return {Verdict::Kind::win, plies, 100}; }
  static Verdict loss(int plies) { return {Verdict::Kind::loss, plies, 0}; }
  static Verdict tie() { return {Verdict::Kind::tie, 0, 50}; }
  static Verdict endless() { return {Verdict::Kind::endless, 0, 50}; }
};

}  // namespace pbm::engine
