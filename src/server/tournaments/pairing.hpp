// SPDX-License-Identifier: MIT
// Pairs the players of a tournament: round robin, Swiss system and knockout. Every function depends
// only on its arguments. Entries have numbers from 1, the best rating first. Leaves results and
// places to standings.hpp.
#pragma once

#include <vector>

#include "protocol/contests.hpp"

namespace pbm {

// Returns all games of a round robin by the Berger tables (FIDE Handbook C.05, Annex 1; Johann
// Berger, Schach-Jahrbuch 1893), round by round. With an odd number of entries one player is free
// in each round, without a bye. `is_double` adds the same rounds with the seats swapped.
std::vector<TournamentGame> pair_round_robin(std::size_t entries, bool is_double);

// Return the number of rounds of a Swiss tournament that names none, and the most that it may have.
// If all players stay, there are always pairings for so many rounds without a second meeting,
// because each player still has at least half of the others left (Dirac's theorem on graphs).
std::size_t default_swiss_rounds(std::size_t entries);
std::size_t max_swiss_rounds(std::size_t entries);

// A player who takes part in the next round of a Swiss tournament.
struct SwissPlayer {
  std::size_t number = 0;
  std::size_t half_points = 0;
};
// Pairs the next round. `players` have not withdrawn, `games` are all so far.
// Two players meet once at most, and a player gets one bye at most. If possible, each player has
// both seats equally often, or differs by two at most, and no pair is more than one score group
// apart; else no more than it must be. Within a score group the upper half meets the lower half
// (the Dutch system, FIDE Handbook C.04.3). The last player who can be spared gets the bye.
// Returns no games if every pairing would need a second meeting.
std::vector<TournamentGame> pair_swiss(const std::vector<SwissPlayer>& players,
                                       const std::vector<TournamentGame>& games);

// Returns the number of rounds of a knockout.
std::size_t knockout_rounds(std::size_t entries);
// Pairs the first round of a knockout, in the order of the bracket: the best seed meets the last,
// the two best can meet only in the final, and the best get the byes. A match is two games, one
// with each seating.
std::vector<TournamentGame> pair_knockout(std::size_t entries);
// Pairs the winners of neighbouring matches of the last round. Returns no games after the final.
// Pre: all games of that round are over.
std::vector<TournamentGame> pair_next_knockout_round(const std::vector<TournamentGame>& games);

}  // namespace pbm
