// SPDX-License-Identifier: MIT
// The functions of the commands, for the table in commands.cpp. Each returns the exit status or
// throws CommandExit. Leaves the checks of words and options to the table.
#pragma once

#include <optional>

#include "cli/arguments.hpp"
#include "game/game_type.hpp"

namespace pbm {

// Play on the screen or line by line (play.cpp).
int run_lobby(const Arguments& arguments);
int run_game(const Arguments& arguments);
int run_open(const Arguments& arguments);
int run_lesson(const Arguments& arguments);
int run_puzzle(const Arguments& arguments);

// Read and write saves, and print (files.cpp).
int run_new(const Arguments& arguments);
int run_show(const Arguments& arguments);
int run_picture(const Arguments& arguments);
int run_move(const Arguments& arguments);
int run_legal(const Arguments& arguments);

// Let the computer play and advise (computer.cpp).
int run_hint(const Arguments& arguments);
int run_analyse(const Arguments& arguments);
int run_duel(const Arguments& arguments);
int run_perft(const Arguments& arguments);
int run_engine(const Arguments& arguments);
// Runs the engine on standard input and output, until another program ends it (ugi.cpp).
void run_ugi(const GameType& game, const Options& options, int seats);

// Serves until it receives a signal; copies the directory of a server that may run (serve.cpp).
int run_serve(const Arguments& arguments);
int run_backup(const Arguments& arguments);

// Sends one command, or a script from standard input. The exit status says if all replies were
// +OK (0), some were -ERR (1), or some did not come (3).
int run_send(const Arguments& arguments);

// Prints the boards that wait for the user, one on a line, or with --count their number. The exit
// status is 1 if there are none.
int run_waiting(const Arguments& arguments);

// Prints the events of a server as they happen, or runs a program for each, with the event in its
// environment. Ends if the reader is gone or the server turns it away.
int run_watch(const Arguments& arguments);

// Returns `arguments` with the command that a user gave to `ssh HOST`, for a login whose key stands
// for a userid. Refuses all but a few commands.
Result<Arguments> parse_ssh_command(const Arguments& arguments, std::string_view command);

// Prints what is missing or unsafe in the set-up of a server. The exit status is 1 if anything is.
int check_server(const Arguments& arguments);
// Prints where the database and the saves of a server differ. The exit status is 1 if they do.
int check_server_data(const Arguments& arguments);

// Finds the userid of the key of --key, and sets it as --user. The owner of a new key first takes a
// name in a form. Returns an exit status if the command cannot run.
std::optional<int> sign_in_with_key(Arguments& arguments);

// Prints a line for authorized_keys. It lets the owner of the public key on standard input play as
// --user and do nothing else; with --any-key, the owner of the given key. Refuses what is not
// exactly one such key.
int run_door(const Arguments& arguments);

// Plays as the computer on a server, one board after the other, until a signal ends it or the
// server turns it away. It restores a lost connection.
int run_bot(const Arguments& arguments);

}  // namespace pbm
