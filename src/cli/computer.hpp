// SPDX-License-Identifier: MIT
// The commands in which the computer plays and advises: hint, analyse, openings and duel. Leaves
// thinking to GameType::think.
#pragma once

#include "cli/arguments.hpp"
#include "game/analysis.hpp"
#include "game/openings.hpp"

namespace pbm {

// Prints what the computer thinks of the plies there are, a line each, best first.
int print_hint(const Match& match, const Arguments& arguments);

// All plies of the game judged, with how far that is on a terminal's standard error.
Result<Analysis> analysed(const Match& match, const Arguments& arguments);

// Prints what was played next in other games, with what the computer has proved of that.
void print_openings(Openings openings);

// Games of one player of the computer's against another. Pre: `options` and
// `seats` are such as the game takes.
int run_matches(const GameType& game, const Options& options, int seats, const std::string& a,
                const std::string& b, const Arguments& arguments);

}  // namespace pbm
