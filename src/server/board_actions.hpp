// SPDX-License-Identifier: MIT
// Actions on boards and their consequences: queued plies, events for players and watchers, the
// record of a finished game. Leaves reading commands to commands.hpp, and files to store/.
#pragma once

#include "server/service.hpp"

namespace pbm {

// "BT#7-12", split: a move or a board, the number of a ply, and how many entries the board had when
// the player typed this.
struct NumberedWord {
  std::string word;
  std::optional<std::size_t> number = {}, entry_count = {};
};

// The result of a move.
struct PlayResult {
  std::string summary;         // "Move 7: fred (TOOT) drops a T down column B."
  bool already_done = false;   // the same move was made before: this one changed nothing
  bool board_removed = false;  // the challenge was refused and its board removed
};

// Plays a move for a seat, then the queued plies that follow it. If the move has a number, it must
// be that of the next ply. Informs everybody except connection `from`.
Result<PlayResult> play(Service& service, const BoardPtr& board, Seat seat,
                        const NumberedWord& typed, std::uint64_t from);

// Resigns for a seat, on time, by the owner, or as the player leaves a tournament. If the owner
// forfeits a challenge, it is refused.
Result<PlayResult> forfeit(Service& service, const BoardPtr& board, Seat seat, ForfeitReason why);

// Removes a running board so that it does not count, and informs everybody on it.
void annul_game(Service& service, const BoardPtr& board);

// Changes the userid `userid` to `other` on a board or on all running boards, and informs everybody
// there. Refuses if a save cannot be changed.
Result<Success> rename_on_board(Service& service, const BoardKey& key, const std::string& userid,
                                const std::string& other);
Result<Success> rename_on_boards(Service& service, const std::string& userid,
                                 const std::string& other);

// Removes the boards of `userid` on which a seat has not played yet, and informs their players of
// the reason `why`. Returns how many.
std::size_t drop_challenges(Service& service, const std::string& userid, const std::string& why);

// Plays the queued plies of a board until a seat to move has none.
void play_queued(Service& service, const BoardKey& key);

// Acts on the clock of a board: reminds the player to move, or forfeits their game. If not every
// seat has played, a challenge ends instead. Does nothing where that is not possible now.
void enforce_clock(Service& service, const BoardKey& key);

// Adds a board's game to the finished games if it is over and not among them yet.
void record_finished_game(Service& service, const BoardKey& key);

}  // namespace pbm
