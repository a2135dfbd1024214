// SPDX-License-Identifier: MIT
// Parses a line from a client into words, options and free text. One table has all commands: their
// syntax, what they need, and the function that runs them. Help and the manual use the same table.
// Leaves passwords to session.hpp.
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

inline constexpr std::size_t kMaxTextBytes =
    4096;  // bytes of free text with its continuation lines
inline constexpr std::size_t kMaxTextLines =
    20;  // lines that are not empty; each is an event for every reader

struct CommandLine {
  std::vector<std::string> words;    // all that are not options, in order
  std::vector<std::string> options;  // each with its dash
  std::vector<std::string>
      text;  // free text, line by line; begins after " : ", or after "tell userid"
};

// Refuses a line that is too long, is not UTF-8, or has a control character, each with a sentence.
// Replaces a tab by a blank.
Result<CommandLine> read_command_line(std::string_view line);

// The same for one line of free text below a command in a script.
Result<std::string> read_text_line(std::string_view line);

// The arguments of a command, parsed from its syntax text. Brackets enclose optional words, a bar
// separates alternatives, dots mean that more may follow. "-options" stands for options, ": text"
// for text.
struct Syntax {
  explicit Syntax(std::string_view written);

  std::size_t min_words = 0, max_words = 0;  // number of words, without userid and password
  bool has_options = false, has_text = false;
  std::optional<std::size_t> userid_index{};  // the index at which userid and password stand
  std::size_t omittable_words = 0;            // after login: 2 for both, 1 for the userid
  bool has_userid_list = false;               // a list of userids follows the password
  std::string_view after_password{};  // "userid [password] [...]": the words in these brackets
  std::optional<std::size_t> new_password_index{};  // the index of the word "new-password"
};

// The proof of identity that a command needs.
enum class Proof : std::uint8_t {
  none,               // none: anybody may use it
  password,           // userid and password among the words, or a connection that has said login
  repeated_password,  // the same, but a connection that has said login gives the password once more
  connection,         // a connection that has said login
  new_account,        // a new userid and its password
  owner,              // a connection of the server's own login or of root, without a userid
};

struct Request;

struct CommandRow {
  std::string_view name;    // "GAME move"; "change password"
  std::string_view syntax;  // the arguments: "board [userid password] move...[#number] [: text]"
  std::string_view description;  // a short phrase
  // Runs the command. A thrown Refusal, as by need(), is answered as if it were returned.
  Reply (*run)(Request&);
  Proof proof = Proof::none;                    // if none, command_rows() sets it from the syntax
  Reply (*precheck)(const Request&) = nullptr;  // may refuse before a new password is hashed
  Syntax parsed_syntax{syntax};

  bool is_game_command() const { return name.starts_with("GAME "); }
  bool is_available(bool owner) const { return owner || proof != Proof::owner; }
  // Returns the name without "GAME ": "move" for "GAME move".
  std::string_view verb() const { return name.substr(is_game_command() ? 5 : 0); }
};

// A parsed command and the user who sent it.
struct Request {
  Service* service = nullptr;
  Session* session = nullptr;
  const CommandRow* row = nullptr;
  const GameType* game = nullptr;  // if the command begins with the name of a game
  Proof proof = Proof::none;       // the row's, or none if an optional password is missing
  std::string userid;              // the userid that proved itself or signed in here, or ""
  std::vector<std::string> words;  // after the command's name, without userid and password
  std::vector<std::string> options;
  std::vector<std::string> text;
  bool wants_data = false;  // the word "data" stood before the command: answer for a program
  Secret password;          // as typed, not proved yet; "*" means that of the signed-in user
  Secret new_password;      // a new password, not hashed yet
  std::string new_hash;     // of the new password
};

// The commands of each file in server/commands.
std::span<const CommandRow> help_rows();
std::span<const CommandRow> view_rows();
std::span<const CommandRow> ratings_rows();
std::span<const CommandRow> accounts_rows();
std::span<const CommandRow> key_rows();
std::span<const CommandRow> challenge_rows();
std::span<const CommandRow> tournament_rows();
std::span<const CommandRow> ladder_rows();
std::span<const CommandRow> play_rows();
std::span<const CommandRow> chat_rows();
std::span<const CommandRow> admin_rows();
// Returns every command, in the order of help.
std::span<const CommandRow> command_rows();

// Returns "GAME move board [userid password] move...[#number] [: text]".
std::string command_syntax(const CommandRow& row);

// Parses a line from a connection that is signed in as `speaker`, or "". Refuses an unknown command
// with suggestions, and arguments that the syntax does not allow. Leaves the proof of passwords to
// session.hpp.
Result<Request> read_request(CommandLine line, const std::string& speaker, bool owner,
                             Accounts& accounts);

}  // namespace pbm
