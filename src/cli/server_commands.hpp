// SPDX-License-Identifier: MIT
// The commands about a server: being one (serve.cpp), talking to one (send.cpp), being told of what
// happens there (watch.cpp) and letting somebody in by SSH (door.cpp). Leaves what the server does
// to server/.
#pragma once

#include "cli/arguments.hpp"

namespace pbm {

// Serves until it is told to end; the exit status.
int run_serve(const Arguments& arguments);

// Copies its directory, whether it runs or not.
int run_backup(const Arguments& arguments);

// One command from the words, or a script from standard input. The exit status
// says whether all were answered +OK (kDone), some -ERR (kRefused), or not all
// were answered (kFailed).
int run_send(const Arguments& arguments);

// Prints the boards that wait for whoever asks, a line each, or with --count how many; kRefused
// when there is none.
int run_waiting(const Arguments& arguments);

// Prints what happens on a server as it happens, or runs a program for each event with that in its
// environment. Ends when nobody reads it any more, or the server turns it away.
int run_watch(const Arguments& arguments);

// What a login whose key stands for a userid asked for behind `ssh HOST`: the same arguments, with
// that command in them. Refuses all that is not one of a few.
Result<Arguments> asked_by_ssh(const Arguments& arguments, std::string_view command);

// Prints the line of authorized_keys that lets the owner of the public key on
// standard input play as --user and do nothing else. Refuses what is not exactly
// one such key.
int run_door(const Arguments& arguments);

}  // namespace pbm
