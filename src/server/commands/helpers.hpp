// SPDX-License-Identifier: MIT
// The functions that several families of commands need. Leaves the commands to their .cpp files,
// and the table of all commands to commands.cpp.
#pragma once

#include "server/board_actions.hpp"
#include "server/session/commands.hpp"
#include "server/service.hpp"
#include "server/session/session.hpp"

namespace pbm {

// Limits that the manual states.
inline constexpr std::size_t kMaxLines = 10'000;   // of a table, or of help
inline constexpr std::size_t kMaxShown = 50;       // boards drawn at once
inline constexpr std::size_t kMaxPreviewed = 100;  // moves
inline constexpr std::size_t kMaxHistory = 200;    // games
inline constexpr std::size_t kMaxListed = 100;     // finished boards of one user at once
inline constexpr std::size_t kMaxAddress = 200;    // bytes
inline constexpr std::size_t kMaxLimit = 1000;     // boards, the highest limit a user may set
inline constexpr std::size_t kMaxAsked = 20;       // userids, or subjects of help
inline constexpr std::size_t kMaxReceivers = 20;   // of a message
inline constexpr std::size_t kMaxSubscriptions = 200;
inline constexpr std::size_t kMaxBlocked = 200;

// --- helpers.cpp: for several families ---

using Lines = std::vector<std::string>;

// Returns a line for each item, at most `most`, and a last line with the number left out.
template <class Items, class Line>
Lines make_lines(const Items& items, std::size_t most, const Line& line) {
  Lines out;
  for (const auto& item : items) {
    if (out.size() == most) {
      out.push_back("(" + std::to_string(items.size() - most) + " more)");
      break;
    }
    out.push_back(line(item));
  }
  return out;
}
// Returns a board's options in brackets to follow other text, "  (-size=7x9 -tootris)", or "".
std::string bracketed_options(const std::vector<std::string>& options);

// Returns the names of players, separated by commas.
std::string joined_names(const std::vector<std::string>& names);

// Reads "#200", the number of lines of a list to skip; returns nothing if there is no number.
std::optional<std::size_t> read_skip_count(std::string_view word);

// Parses a board after the name of its game, "101" or "toot-101". Returns nothing for another word,
// and does not refuse a board of another game.
std::optional<BoardKey> read_board_word(const Request& request, std::string_view word);

// All of these end the command by throwing a Refusal, as need() does.
//
// Returns the game that a word names.
const GameType* need_game(std::string_view word);
// Splits "101#7" or "BT#7-12". Refuses if anything but one or two numbers follows the last '#'.
NumberedWord read_numbered_word(std::string_view word);
// Returns the board with that number of the request's game.
BoardPtr need_board(const Request& request, std::string_view word);
// Returns the account of that userid. Refuses a closed one with the reason, and adds `more`.
Account need_account(const Request& request, const std::string& word, const std::string& more = "");
// Refuses a word that is neither a userid nor a player's name in any save.
void need_user(const Request& request, const std::string& word);
// Checks each of the words, and refuses more than kMaxAsked.
void need_users(const Request& request, const std::vector<std::string>& words);
// Returns how the request's user sees the boards of `game`.
View view_for(const Request& request, const GameType& game);
// Returns the drawing, and whose turn it is or how the game ended.
Lines draw_match(const Request& request, const Match& match);
// Returns a board after an action as lines of a reply: a drawing, or for a program one line that
// has the entries after the first `before`.
Lines board_reply_lines(const Request& request, const OpenBoard& board, std::size_t before);

// --- accounts_commands.cpp and key_commands.cpp: signing in ---

// Refuses a new account called `userid`, or counts it for the limits of sign-ups. `is_counted` is
// true after count_try().
Reply check_new_account(const Request& request, const std::string& userid, bool is_counted = false);
// Counts a sign-up, or another try of a stranger, for its source; refuses too many.
Reply count_try(const Request& request);
// Gives the new key of this connection to `userid` and signs in.
Reply sign_in_new_key(Request& request, const std::string& userid);
// Returns the name of the larger network of a source of sign-ups, if it has one. Providers give an
// IPv6 customer up to 65,536 networks, a /48.
std::string network_of_source(const std::string& source);
// Returns the fingerprint of the key with that number in the list of a userid, or throws a refusal.
std::string need_key(const Request& request, const std::string& userid, const std::string& number);
// Removes a key and closes the other connections that signed in with it.
void drop_key(const Request& request, const std::string& fingerprint);
// Lists the keys of an account and its other ways in.
Reply reply_with_keys(const Request& request, const Account& account);
// Returns "Hello, fred." with the boards and messages that wait for the user.
Reply greet(Request& request);

// --- challenge_commands.cpp ---

// Returns the open challenges that `userid`, "" for nobody, can see.
std::vector<Seek> visible_seeks(Service& service, const std::string& userid);
// Takes back all open challenges of `userid`.
void drop_seeks(Service& service, const std::string& userid);

// --- tournament_commands.cpp and ladder_commands.cpp ---

// Returns the tournament that a word names, or throws a refusal.
Tournament need_tournament(const Request& request, const std::string& word);
// Reads the date at which a tournament starts by itself, or throws a refusal.
Time need_start_time(const Service& service, const std::string& word);
// Returns the name of the ladder of the game and the options of a request: "toot -size=7x9".
std::string read_ladder_name(const Request& request);

// --- chat_commands.cpp: free text after a command ---

// Refuses what a muted user sends to others.
Result<Success> check_mute(const Request& request);
// Refuses a text that is too long, too much for one minute, or of a muted user.
Result<Success> check_text(const Request& request);
// Sends the text as chat to everybody on a board but its author, and stores it if the board still
// exists. Pre: check_text().
void send_chat(Request& request, const BoardSummary& board);

}  // namespace pbm
