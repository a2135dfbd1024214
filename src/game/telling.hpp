// SPDX-License-Identifier: MIT
// What was done on a match, in a sentence each: for whoever did not see it
// done. Leaves to whom and where it is told to its callers.
#pragma once

#include "game/match.hpp"

namespace pbm {

// The seats that have yet to answer the open offer; none where nothing is offered.
std::vector<Seat> answering(const Match& match);

// The ply whose player has no choice, as it touches nothing and there is no other ("pass"); else
// "".
std::string only_ply(const Position& position);

// What the last entry of `match` did: "wilma (OTTO) asks to take CO back.",
// "fred (TOOT) accepts: CO is taken back."; "" for a note, or where nothing was done.
std::string told_of_last(const Match& match);

// What was done on `after` since it was `before`, the oldest first and notes
// left out; nothing at all when `after` does not go on from there.
struct Told {
  Action entry;
  std::string said;
};
std::optional<std::vector<Told>> told_since(const Match& before, const Match& after);

// The same as one text: plies with what was typed before them, or that it was
// queued where `queued` had done so; of many only the last.
std::string as_text(const std::vector<Told>& told, std::optional<Seat> queued = {});

}  // namespace pbm
