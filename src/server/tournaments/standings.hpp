// SPDX-License-Identifier: MIT
// Ranks the players of a tournament by their results. Every function depends only on its
// arguments. Leaves pairing to pairing.hpp.
#pragma once

#include <vector>

#include "protocol/contests.hpp"

namespace pbm {

inline bool is_over(const TournamentGame& game) { return game.result != GameResult::pending; }

// True if a player who withdraws from a round robin now is struck from it: fewer than half of their
// games are over (FIDE General Regulations for Competitions, on withdrawals). Pre: `games` are all
// of the tournament.
bool is_struck_by_withdrawal(const std::vector<TournamentGame>& games, std::size_t entry);

// Returns the winners of the matches of a round of a knockout, in the order of the bracket. With
// equal points the better seed, the lower number, wins. Pre: the games of the round are over.
std::vector<std::size_t> knockout_winners(const std::vector<TournamentGame>& games,
                                          std::size_t round);

// Fills in half points, tie-breaks and places, and sorts the entries by place. Games of struck
// players do not count. Players who have withdrawn come last, so that nobody wins by withdrawing.
// In a round robin or a Swiss tournament these decide, one after the other:
// - the score;
// - the points in the games among all players with that score, if all of them have met (direct
//   encounter, FIDE Handbook C.07);
// - in a round robin the sum of the scores of the opponents they beat and of half the scores of
//   those they tied with (W. Sonneborn and J. Berger, 1886);
// - in a Swiss tournament the sum of the scores of all opponents (B. Buchholz, 1932). A bye counts
//   as a game with an opponent of the same score (as the dummy of FIDE Handbook C.07);
// - the number of games won, without byes.
// In a knockout the number of rounds that they won decides.
// Players who are equal in all of them share a place.
void rank_entries(std::vector<TournamentEntry>& entries, Tournament::Form form,
                  const std::vector<TournamentGame>& games);

}  // namespace pbm
