// SPDX-License-Identifier: MIT
// What is done on boards and what follows from it: queued plies, events to players and watchers,
// the record of a finished game. Leaves reading commands to commands.hpp and files to store.hpp.
#pragma once

#include "server/service.hpp"

namespace pbm {

// "BT#7-12" told apart: a move or a board, the number of a ply behind it, and how many entries the
// board had when that was said.
struct Numbered {
  std::string word;
  std::optional<std::size_t> number = {}, entries = {};
};

// What came of a move.
struct PlayResult {
  std::string summary;   // "Ply 7: fred (TOOT) drops a T down column B."
  bool again = false;    // it had been done before: nothing was changed
  bool removed = false;  // the board is gone: the challenge was refused
};

// Plays a move for a seat, as that ply if it has a number, then what is queued behind it, and tells
// everybody but the connection `from`.
Result<PlayResult> play(Service& service, const BoardPtr& board, Seat seat, const Numbered& typed,
                        std::uint64_t from);

// Resigns for a seat whose player has not said so; by the owner a challenge is refused.
Result<PlayResult> forfeit(Service& service, const BoardPtr& board, Seat seat, Forfeit why);

// Puts a board away that shall not count; everybody is told.
void annul(Service& service, const BoardPtr& board);

// Has `userid` called otherwise on the boards that are not over; everybody else there is told.
// Refuses where one of them cannot be changed.
Result<Done> rename(Service& service, const std::string& userid, const std::string& other);

// Puts the boards of `userid` away on which not everybody has played, and has everybody told why;
// how many.
std::size_t drop_challenges(Service& service, const std::string& userid, const std::string& why);

// Plays what is queued on a board for the seat to move, as long as there is any.
void play_queued(Service& service, const BoardKey& key);

// Something is due on a board by its clock: whoever is to move is reminded, or his game is lost; a
// challenge is over then.
// What cannot be done now is left undone.
void run_out(Service& service, const BoardKey& key);

// Puts a board that is over among the finished games, if it is not there yet.
void record_end(Service& service, const BoardKey& key);

}  // namespace pbm
