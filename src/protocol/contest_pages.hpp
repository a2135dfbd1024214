// SPDX-License-Identifier: MIT
// Tournaments, ladders and profiles as tables: for the replies of a server and for the pages of a
// screen. Leaves their lines on the wire to contests.hpp.
#pragma once

#include <string>
#include <vector>

#include "protocol/contests.hpp"

namespace pbm {

// A row of a table.
struct ContestRow {
  enum class Kind : std::uint8_t { plain, heading, past };
  std::string text;
  Kind kind = Kind::plain;
  bool is_own = false;          // about the reader
  std::string id = {};          // what the row is about: a userid, a board or a name, or ""
  std::string command = {};     // the command whose page the row opens, or ""
  std::string board = {};       // the board that the row opens, or ""
  std::string challenged = {};  // the player of a ladder whom the reader may challenge, or ""
};
using ContestRows = std::vector<ContestRow>;

ContestRows make_tournament_list(const std::vector<Tournament>& all);
ContestRows make_ladder_list(const std::vector<Ladder>& all);

// Returns the standings, with the table of results or the bracket, and the games of each round, the
// latest one first: all of them, or only those that run. Leaves out what the columns do not hold.
// Pre: a tournament that has begun has ranked entries.
ContestRows make_tournament_page(const Tournament& tournament,
                                 const std::vector<TournamentEntry>& entries,
                                 const std::vector<TournamentGame>& games,
                                 const std::string& reader, int columns, bool has_all_games);

ContestRows make_ladder_page(const std::vector<LadderPlace>& places, const std::string& reader);

// Returns results, ratings and places on ladders. Ratings are a curve of `columns`, with the eight
// lower blocks of Unicode, or the latest eight numbers.
ContestRows make_profile_page(const std::vector<ProfileLine>& lines, int columns, bool has_blocks);

// Returns the text of the rows, with a `>` before the reader's own.
std::vector<std::string> to_lines(const ContestRows& rows);

}  // namespace pbm
