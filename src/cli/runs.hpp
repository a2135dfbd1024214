// SPDX-License-Identifier: MIT
// What each command does: functions for the table of commands.cpp. Each returns the exit status, or
// ends by an Ended. Leaves to the table which words and options there may be.
#pragma once

#include "cli/arguments.hpp"
#include "game/game_type.hpp"

namespace pbm {

// On the screen or line by line (play.cpp).
int run_lobby(const Arguments& arguments);
int run_game(const Arguments& arguments);
int run_open(const Arguments& arguments);
int run_lesson(const Arguments& arguments);
int run_puzzle(const Arguments& arguments);

// With a save, printed (files.cpp).
int run_new(const Arguments& arguments);
int run_show(const Arguments& arguments);
int run_move(const Arguments& arguments);
int run_legal(const Arguments& arguments);

// In which the computer plays and advises (computer.cpp).
int run_hint(const Arguments& arguments);
int run_analyse(const Arguments& arguments);
int run_openings(const Arguments& arguments);
int run_duel(const Arguments& arguments);
int run_perft(const Arguments& arguments);
int run_engine(const Arguments& arguments);
// The last, on standard input and output, until another program ends it (ugi.cpp).
void run_ugi(const GameType& game, const Options& options, int seats);

// Serves until it is told to end; copies a server's directory, whether it runs or not (serve.cpp).
int run_serve(const Arguments& arguments);
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

// The computer as a player on a server, one board after the other, until somebody ends the
// program or the server turns it away. A lost connection comes back.
int run_bot(const Arguments& arguments);

}  // namespace pbm
