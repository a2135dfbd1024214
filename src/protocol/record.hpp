// SPDX-License-Identifier: MIT
// Reads the record of a game, as record_text() writes it, back into a match. Leaves files and
// standard input to the caller.
#pragma once

#include "game/match.hpp"

namespace pbm {

// Reads the first record in `text`, which may be a mail that quotes it: behind "> ", with long
// lines broken, between other text. All actions get the time of the start. A record does not have
// clocks, open offers, moves that were taken back, and who offered a draw. Refuses with
// "NAME, line 7: ..." a text without a record, or a game that could not be played like that.
Result<Match> read_record(std::string_view text, const std::string& name);

}  // namespace pbm
