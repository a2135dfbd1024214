// SPDX-License-Identifier: MIT
// Continues tournaments and ladders after results and on dates: pairs the next round, moves places,
// begins games, and informs players. Every change belongs to the transaction of its cause.
// Leaves players who go to contest_players.hpp, commands to commands/, and rules to tournaments/.
#pragma once

#include "server/service.hpp"

namespace pbm {

// Starts an open tournament: seeds the entries by rating, pairs the first round and begins its
// games. Refuses too few entries.
Result<Success> start_tournament(Service& service, Tournament tournament);

// Decides the games of players who have withdrawn, pairs the next round if the present one is over,
// and begins what can begin. After the last round, ends the tournament.
void continue_tournament(Service& service, const std::string& name);

// Sends an event to the players who have not withdrawn.
void inform_players(Service& service, const std::string& name, const std::string& text);

// Ends an open or running tournament without a winner. Its running games go on.
void cancel_tournament(Service& service, Tournament tournament);

// True if the last game with the ladder and the players of `game` ended less than a day ago.
bool has_just_challenged(Service& service, const LadderGame& game);

// Begins the game of a challenge; the challenged player has the first seat. Refuses somebody out of
// reach, a second challenge of either player, and the same challenge again within a day.
Result<BoardPtr> challenge_on_ladder(Service& service, const std::string& ladder,
                                     const std::string& challenger, const std::string& challenged);

// Records that the game of a board is over, or annulled if `match` is null, for the tournament or
// ladder that it belongs to. Pairs the next round if that was the last game of a round.
void record_contest_result(Service& service, const BoardKey& key, const Match* match);

// Annuls games whose saves were deleted while no server ran.
void annul_lost_games(Service& service);

// Does what is due: starts tournaments at their dates, begins games that could not begin before,
// and moves idle players down their ladders.
void run_contest_clocks(Service& service);

}  // namespace pbm
