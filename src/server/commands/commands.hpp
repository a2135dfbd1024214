// SPDX-License-Identifier: MIT
// The commands: one table that says how each is written, what it needs and what does it. Help and
// the manual are made of it. Leaves lines to command_line.hpp and passwords to session.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game_type.hpp"
#include "protocol/framing.hpp"
#include "server/session/command_line.hpp"
#include "server/password.hpp"

namespace pbm {

class Service;
class Session;

struct CommandRow;

// A command to be run: what was typed, and by whom.
struct Request {
  Service* service = nullptr;
  Session* session = nullptr;
  const CommandRow* row = nullptr;
  const GameType* game = nullptr;  // of a command that begins with a game's name
  std::string user;                // who was proved, or speaks on this connection; "" for nobody
  std::vector<std::string> words;  // behind the command's name, without userid and password
  std::vector<std::string> options;
  std::vector<std::string> text;
  Secret password;   // as typed, until it is proved
  Secret wanted;     // a new one, until it is hashed
  std::string hash;  // of the new one
};

// What a command has to know of whoever sent it.
enum class Proof : std::uint8_t {
  none,        // anybody may
  password,    // `userid password` among its words
  again,       // the same, and a connection that has proved it has to once more
  connection,  // a connection that has said login
  fresh,       // `userid password` of a userid to be
  owner,       // a connection of the login the server runs as, or of root, that speaks for nobody
};

struct CommandRow {
  std::string_view name;      // "move"; "change password"
  bool of_game = false;       // a game's name stands before it
  std::string_view syntax{};  // what follows the name: "board userid password move[#ply]"
  std::string_view about;     // a short phrase
  Proof proof = Proof::none;
  std::size_t userid_at = 0;  // which of the words is the userid
  std::size_t min_words = 0;  // besides userid and password
  std::size_t max_words = 0;
  bool options = false;                    // whether it takes "-name=value"
  bool text = false;                       // whether it takes lines of text
  bool may_omit = false;                   // after login its userid and password may be left out
  std::optional<std::size_t> wanted_at{};  // which of those words is a new password
  Result<Done> (*before)(const Request&) = nullptr;  // refuses before a new password is hashed
  Reply (*run)(Request&);
};

// Every command, in the order help shows them.
std::span<const CommandRow> command_rows();

// "GAME move board userid password move[#ply]".
std::string command_syntax(const CommandRow& row);

// The row a line asks for, and the game before it; `words` loses what it took. Refuses what is no
// command, with what would do.
struct Found {
  const CommandRow* row;
  const GameType* game;
};
Result<Found> find_command(std::vector<std::string>& words);

}  // namespace pbm
