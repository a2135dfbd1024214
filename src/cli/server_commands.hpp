// SPDX-License-Identifier: MIT
// The commands about a server: being one (serve.cpp) and talking to one
// (send.cpp). Leaves what the server does to server/.
#pragma once

#include "cli/arguments.hpp"

namespace pbm {

// Serves until it is told to end; the exit status.
int run_serve(const Arguments& arguments);

// One command from the words, or a script from standard input. The exit status
// says whether all were answered +OK (kDone), some -ERR (kRefused), or not all
// were answered (kFailed).
int run_send(const Arguments& arguments);

}  // namespace pbm
