// SPDX-License-Identifier: MIT
// Describes a match in sentences: new actions for players who did not see them, and the whole
// record for mail or a file. Leaves sending and showing them to its callers.
#pragma once

#include "game/match.hpp"

namespace pbm {

// Returns the ply if it is the only legal one and touches nothing ("pass"), else "".
std::string find_forced_pass(const Position& position);

// Describes the last action of `match`: "wilma (OTTO) asks to take back CO.",
// "fred (TOOT) accepts. CO is taken back." Returns "" for a note or without an action. Calls the
// seat `own`, if any, "you", as all sentences here do.
std::string describe_last_action(const Match& match, std::optional<Seat> own = {});

// Says who plays the seat: "The computer plays OTTO at level 4."
std::string describe_seat(const Match& match, Seat seat);

// Describes the variant: " -reverse: the first player without a move wins.", or "".
std::string describe_variant(const Match& match);

// Returns the message that playing on an example has made the board `id`.
std::string example_copy_message(const std::string& id);

// Returns the sentence to add to a ply that ended an open offer.
std::string describe_offer_end(const Match::Offer& offer, Seat by);

// An action and its description. describe_new_actions() returns those of `after` that `before`
// lacks, oldest first and without notes. Returns nothing if `after` does not continue `before`.
struct ActionDescription {
  LogEntry action;
  std::string text;
};
std::optional<std::vector<ActionDescription>> describe_new_actions(const Match& before,
                                                                   const Match& after,
                                                                   std::optional<Seat> own = {});

// Joins descriptions to one text, of many only the last ones. Each ply begins with its text, and if
// it is of the seat `queued`, with a remark that it was queued.
std::string join_descriptions(const std::vector<ActionDescription>& told,
                              std::optional<Seat> queued = {});

// Formats the whole record in ASCII, except for the players' names, which become harmless.
std::string record_text(const Match& match, const View& view);

// Returns the terms besides the game's options, a sentence each: computer players and time limits.
std::vector<std::string> terms_text(const Match& match);

// Returns the drawing, the pieces that are left, the turn or result, and the open offer.
std::vector<std::string> position_text(const Match& match, const View& view);

// Returns the plies, notes and plies taken back, a line each.
std::vector<std::string> describe_plies(const Match& match, std::optional<Seat> own);

}  // namespace pbm
