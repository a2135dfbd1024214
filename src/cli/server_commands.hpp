// SPDX-License-Identifier: MIT
// The commands about a server: being one (serve.cpp), talking to one (send.cpp)
// and letting somebody in by SSH (door.cpp). Leaves what the server does to server/.
#pragma once

#include "cli/arguments.hpp"

namespace pbm {

// Serves until it is told to end; the exit status.
int run_serve(const Arguments& arguments);

// One command from the words, or a script from standard input. The exit status
// says whether all were answered +OK (kDone), some -ERR (kRefused), or not all
// were answered (kFailed).
int run_send(const Arguments& arguments);

// Prints the line of authorized_keys that lets the owner of the public key on
// standard input play as --user and do nothing else. Refuses what is not exactly
// one such key.
int run_door(const Arguments& arguments);

}  // namespace pbm
