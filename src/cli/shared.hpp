// SPDX-License-Identifier: MIT
// What the commands of more than one file need. Leaves what one alone needs to its own file.
#pragma once

#include <string>

#include "protocol/address.hpp"
#include "cli/arguments.hpp"

namespace pbm {

// Says a sentence on standard error, harmless to any terminal; returns `status`.
int complain(int status, const std::string& sentence);

// Prints a text to read: through a pager where somebody sits at a terminal, in place of this
// program then. The exit status.
int page(const std::string& text);

// The text of a topic of help, the rules of a game among them. Refuses what is
// no topic and a text that cannot be read.
Result<std::string> help_text(const std::string& topic);

// The level of the computer that --level names, or the usual one.
Result<int> level_of(const Arguments& arguments, int usual);

// The server that --socket or --connect names, else the one of whoever runs this.
Result<ServerAddress> server_named(const Arguments& arguments);
// With the whole path of its socket, by which it is known from everywhere.
ServerAddress whole_address(ServerAddress address);

// With --user: gives up every right to files but to what belongs to that user,
// and to read what everybody may. Whoever came in by a door that is shared and
// gets the better of this program has got no further into the login.
void confine_to_user(const Arguments& arguments, const ServerAddress& address,
                     const std::vector<std::filesystem::path>& written = {});

}  // namespace pbm
