// SPDX-License-Identifier: MIT
// What results, dates and people who leave change in tournaments and on ladders: the next round,
// new places, the games that begin and the events about them. Every change belongs to the
// transaction of its cause. Leaves commands to commands/, and rules to tournaments/.
#pragma once

#include "server/service.hpp"

namespace pbm {

// Starts an open tournament: seeds the entries by rating, pairs the first round and begins its
// games. Refuses too few entries.
Result<Success> start_tournament(Service& service, Tournament tournament);

// Ends an open or running tournament without a winner. Its running games become ordinary boards.
void cancel_tournament(Service& service, Tournament tournament);

// Withdraws a player from a running tournament: resigns their running games and gives the others
// to the opponents. Does nothing if they have withdrawn already. Refuses somebody who does not
// play there.
Result<Success> withdraw_from_tournament(Service& service, const Tournament& tournament,
                                         const std::string& userid);

// Gives the entry of a player to another one, with the running games. Refuses if the new player
// cannot take part, or a save cannot be changed.
Result<Success> replace_entry(Service& service, const Tournament& tournament,
                              const std::string& userid, const std::string& other);

// Begins the game of a challenge; the challenged player has the first seat. Refuses somebody out of
// reach, and a second challenge of either player.
Result<BoardPtr> challenge_on_ladder(Service& service, const std::string& ladder,
                                     const std::string& challenger, const std::string& challenged);

// Removes a player from a ladder and resigns their game there.
void leave_ladder(Service& service, const std::string& ladder, const std::string& userid);

// Takes a player out of all tournaments and off all ladders, as for a ban or a closed account.
void leave_contests(Service& service, const std::string& userid);

// Records that the game of a board is over, or annulled if `match` is null, for the tournament or
// ladder that it belongs to. Pairs the next round if that was the last game of a round.
void record_contest_result(Service& service, const BoardKey& key, const Match* match);

// Annuls games whose saves were deleted while no server ran.
void annul_lost_games(Service& service);

// Does what is due: starts tournaments at their dates, begins games that could not begin before,
// and moves idle players down their ladders.
void run_contest_clocks(Service& service);

}  // namespace pbm
