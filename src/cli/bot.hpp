// SPDX-License-Identifier: MIT
// The computer as a user of a server: `pbmplay bot`, an ordinary client that takes challenges
// and plays. Leaves thinking to engine/, manners to boards/computer_player.hpp, and the connection
// to boards/remote_boards.hpp.
#pragma once

#include "cli/arguments.hpp"

namespace pbm {

// Plays until it is ended, or the server lets it in no more; the exit status.
int run_bot(const Arguments& arguments);

}  // namespace pbm
