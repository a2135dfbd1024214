// SPDX-License-Identifier: MIT
// Says why a ply is good or bad, in the words of its game. The rules confirm each sentence: it
// tells of wins, captures and answers that are possible on the board, never of estimates. Leaves
// the words of a game to GameType.
#pragma once

#include "game/match.hpp"
#include "game/thinker.hpp"

namespace pbm {

// Returns the occupied squares that a legal ply captures or flips: they change, and the ply does
// not move over them.
std::vector<Spot> captured_spots(const Position& position, const std::string& ply);

// Returns the position after a ply and after forced plies that change nothing, as a pass in Chaos.
Position position_after_forced(const Position& before, const std::string& ply);

// True if a ply of the seat to move wins, alone or with the forced plies after it.
bool can_win_at_once(const Position& position);

// Players for the sentences: `match` names them, and the seat `own` is "you".
struct Reader {
  const Match& match;
  std::optional<Seat> own = {};
};

// Returns what the first ply of `line` wins, stops, gains or gives up. If that is nothing, returns
// its purpose and then `balance`, a sentence without a full stop. Pre: the line is about `before`,
// a position of the game that is not over.
Reason explain_line(const Reader& reader, const Position& before, const AnalysisLine& line,
                    const std::string& balance = "");

// Returns what the legal ply `played` allows or misses, and what `better` does. `answer` is the
// best line after `played`, or null.
Reason explain_mistake(const Reader& reader, const Position& before, const std::string& played,
                       const AnalysisLine& better, const AnalysisLine* answer);

}  // namespace pbm
