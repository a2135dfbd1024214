// SPDX-License-Identifier: MIT
// A line somebody sent, told apart into words, options and free text; and the commands: one table
// that says how each is written, what it needs and what does it. Help and the manual are made of
// it. Leaves passwords to session.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "game/game_type.hpp"
#include "protocol/framing.hpp"
#include "server/password.hpp"

namespace pbm {

class Accounts;
class Service;
class Session;

inline constexpr std::size_t kMaxText = 4096;  // bytes of free text with its continuation lines
inline constexpr std::size_t kMaxTextLines =
    20;  // of those that say something, as each is an event for everybody it goes to

struct CommandLine {
  std::vector<std::string> words;    // what is no option, in order
  std::vector<std::string> options;  // each with its dash
  std::vector<std::string>
      text;  // free text, line by line; what stands behind " : " first, or behind "tell userid"
};

// Refuses a line that is too long, is no UTF-8 or has a control character, in one sentence each. A
// tab is a blank.
Result<CommandLine> read_command_line(std::string_view line);

// The same for one line of free text, as it stands below its command in a script.
Result<std::string> read_text_line(std::string_view line);

// What a command takes, as its syntax says: words in brackets may be left out, a bar parts
// alternatives, dots say that more may follow, "-options" are options and ": text" is text.
struct Syntax {
  explicit Syntax(std::string_view written);

  std::size_t least = 0, most = 0;  // words, beside userid and password
  bool options = false, text = false;
  std::optional<std::size_t> userid_at{};  // before which of them userid and password stand
  std::size_t may_omit = 0;                // of these two after login: both, or the userid
  bool userids = false;                    // what follows them is a list of userids
  std::string_view after_password{};       // "userid [password] [...]": the words in these brackets
  std::optional<std::size_t> wanted_at{};  // which of the words is a "new-password"
};

// What a command has to know of whoever sent it.
enum class Proof : std::uint8_t {
  none,        // anybody may
  password,    // userid and password among its words, or a connection that has said login
  again,       // the same, and a connection that has proved it has to once more
  connection,  // a connection that has said login
  fresh,       // a userid to be and its password
  owner,       // a connection of the login the server runs as, or of root, that speaks for nobody
};

struct Request;

struct CommandRow {
  std::string_view name;    // "GAME move"; "change password"
  std::string_view syntax;  // what follows: "board [userid password] move...[#number] [: text]"
  std::string_view about;   // a short phrase
  // A refusal that is thrown, as by need(), is answered as one that is returned.
  Reply (*run)(Request&);
  Proof proof = Proof::none;  // command_rows() has what the syntax says in its place
  Reply (*before)(const Request&) = nullptr;  // refuses before a new password is hashed
  Syntax takes{syntax};

  bool of_game() const { return name.starts_with("GAME "); }
  bool known_to(bool owner) const { return owner || proof != Proof::owner; }
  // "move" of "GAME move".
  std::string_view verb() const { return name.substr(of_game() ? 5 : 0); }
};

// A command to be run: what was typed, and by whom.
struct Request {
  Service* service = nullptr;
  Session* session = nullptr;
  const CommandRow* row = nullptr;
  const GameType* game = nullptr;  // of a command that begins with a game's name
  Proof proof = Proof::none;       // the row's, or none if an optional password is missing
  std::string user;                // who was proved, or speaks on this connection; "" for nobody
  std::vector<std::string> words;  // behind the command's name, without userid and password
  std::vector<std::string> options;
  std::vector<std::string> text;
  Secret password;   // as typed, until it is proved; "*" for that of whoever speaks here
  Secret wanted;     // a new one, until it is hashed
  std::string hash;  // of the new one
};

// The commands of each family, a file of server/commands each.
std::span<const CommandRow> help_rows();
std::span<const CommandRow> view_rows();
std::span<const CommandRow> ratings_rows();
std::span<const CommandRow> accounts_rows();
std::span<const CommandRow> begin_rows();
std::span<const CommandRow> play_rows();
std::span<const CommandRow> chat_rows();
std::span<const CommandRow> admin_rows();
// Every command, in the order help shows them.
std::span<const CommandRow> command_rows();

// "GAME move board [userid password] move...[#number] [: text]".
std::string command_syntax(const CommandRow& row);

// What a line asks for, by a connection that speaks for `speaker`, "" for nobody. Refuses what is
// no command, with what would do, and what its syntax does not allow. Leaves proving to
// session.hpp.
Result<Request> read_request(CommandLine line, const std::string& speaker, bool owner,
                             Accounts& accounts);

}  // namespace pbm
