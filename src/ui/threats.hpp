// SPDX-License-Identifier: MIT
// What whoever comes next would win or take, if the seat to move did nothing.
// Leaves thinking ahead to game/thinker.hpp, and how it is shown to the front ends.
#pragma once

#include "game/match.hpp"
#include "game/thinker.hpp"

namespace pbm {

// The spots of what a legal ply takes away or turns over: they change by it, something stands
// there, and it does not go by them.
std::vector<Spot> taken(const Position& position, const std::string& ply);

struct Threats {
  Position about;             // where the seat to move should beware
  std::string told;           // a sentence, or two
  std::vector<SpotId> spots;  // where the threats are; empty when there are none
  Seat by = 0;                // whose they are
};

// The position that stands in `match` with the turn passed over. Nothing where the game is over, or
// says nothing of that (game.hpp).
std::optional<Position> passed_over(const Match& match);

// Pre: passed_over(match) is something; `ahead` is what the computer thinks of it, {} where no ply
// is legal. Tries every legal ply there once; that a win takes several plies, only `ahead` tells.
// What no ply of the seat to move leaves possible, as it has to capture first, is no threat.
Threats threats_in(const Match& match, const Thought& ahead);

}  // namespace pbm
