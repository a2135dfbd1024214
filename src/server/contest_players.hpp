// SPDX-License-Identifier: MIT
// Players who leave tournaments and ladders or take the place of others. Leaves what follows from
// the lost games to contest_rounds.hpp.
#pragma once

#include "server/service.hpp"

namespace pbm {

// Withdraws a player from a running tournament: resigns their running games and gives the others
// to the opponents. Refuses somebody who does not play there or has withdrawn.
Result<Success> withdraw_from_tournament(Service& service, const Tournament& tournament,
                                         const std::string& userid);

// Gives the entry of a player to another one, with the running games. Refuses if the new player
// cannot take part, or a save cannot be changed.
Result<Success> replace_entry(Service& service, const Tournament& tournament,
                              const std::string& userid, const std::string& other);

// Removes a player from a ladder and resigns their game there.
void leave_ladder(Service& service, const std::string& ladder, const std::string& userid);

// Takes a player out of all tournaments and off all ladders, as for a ban or a closed account.
void leave_contests(Service& service, const std::string& userid);

}  // namespace pbm
