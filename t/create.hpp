// SPDX-License-Identifier: MIT
// Creates boards for tests, local ones and on a server.
#pragma once

#include "boards/remote_boards.hpp"

namespace pbm::test {

// Creates a board in `boards`. "computer:3" is a computer's seat.
inline Result<Board> create_board(Repository& boards, const GameType& game, const Options& options,
                                  const std::vector<std::string>& names) {
  const auto seats = read_seating(names);
  const auto match = seats ? Match::start(game, options, *seats, now()) : seats.refusal();
  return match ? boards.save_new(*match) : match.refusal();
}

// Creates a challenge between `names` on the server.
inline Result<Board> create_challenge(RemoteBoards& there, const GameType& game,
                                      const Options& options,
                                      const std::vector<std::string>& names) {
  std::string line = std::string(game.name) + " challenge";
  for (const auto& list : {names, options.to_words()})
    for (const std::string& word : list) line += " " + word;
  const auto answer = there.run_command(line);
  return answer ? there.open(answer->board_id) : answer.refusal();
}

}  // namespace pbm::test
