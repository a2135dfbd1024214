// SPDX-License-Identifier: MIT
// A match told: what was done, in a sentence each, for whoever did not see it done; and all of it
// as a text to mail or keep. Leaves to whom and where it is told to its callers.
#pragma once

#include "game/match.hpp"

namespace pbm {

// The ply whose player has no choice, as it touches nothing and there is no other ("pass"); else
// "".
std::string only_ply(const Position& position);

// What the last entry of `match` did: "wilma (OTTO) asks to take CO back.",
// "fred (TOOT) accepts: CO is taken back."; "" for a note, or where nothing was done.
std::string told_of_last(const Match& match);

// What is otherwise in the variant that is played: " -reverse: the first player without a move
// wins."; or "".
std::string variant_in_words(const Match& match);

// Where something was done on an example, which made that board.
std::string told_of_copy(const std::string& id);

// What is said behind a ply with which somebody goes on though an offer was open.
std::string after_offer(const Match::Offer& offer, Seat by);

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

// Lines of ASCII but for the players' names, which come out harmless.
std::string record_text(const Match& match, const View& view);

// What was agreed beside the game's options, a sentence each: which seats are the computer's, and
// the limits of time.
std::vector<std::string> terms_text(const Match& match);

// The drawing, what is left to place, whose turn it is or how the game ended, and what is offered.
std::vector<std::string> position_text(const Match& match, const View& view);

// What was played, noted and taken back, a line each.
std::vector<std::string> plies_in_words(const Match& match);

}  // namespace pbm
