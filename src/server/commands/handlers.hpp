// SPDX-License-Identifier: MIT
// The families of commands, which commands.cpp joins to one table, and what several of them need.
// Leaves what they do to their files.
#pragma once

#include "server/board_actions.hpp"
#include "server/session/commands.hpp"
#include "server/service.hpp"
#include "server/session/session.hpp"

namespace pbm {

// What the manual tells of in numbers.
inline constexpr std::size_t kMaxLines = 10'000;   // of a table, or of help
inline constexpr std::size_t kMaxShown = 50;       // boards drawn at once
inline constexpr std::size_t kMaxPreviewed = 100;  // moves
inline constexpr std::size_t kMaxHistory = 200;    // games
inline constexpr std::size_t kMaxListed = 100;     // boards of one user that are over, at once
inline constexpr std::size_t kMaxAddress = 200;    // bytes
inline constexpr std::size_t kMaxLimit = 1000;     // boards somebody may say to take
inline constexpr std::size_t kMaxAsked = 20;       // userids, or subjects of help
inline constexpr std::size_t kMaxReceivers = 20;   // of a message
inline constexpr std::size_t kMaxSubscriptions = 200;
inline constexpr std::size_t kMaxBlocked = 200;

// --- handlers.cpp: what several need ---

using Lines = std::vector<std::string>;

// A line of each, at most so many, and a last one that says how many were left out.
template <class Items, class Line>
Lines lines_of(const Items& items, std::size_t most, const Line& line) {
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
// A board's options behind what is said of it, "  (-size=7x9 -tootris)", or "".
std::string in_brackets(const std::vector<std::string>& options);

// Who has or had the seats, with commas.
std::string shown_names(const std::vector<std::string>& names);

// How many lines of a list "#200" leaves out; nothing when it says no number.
std::optional<std::size_t> read_skipped(std::string_view word);

// All of these end the command where they refuse, as need() does.
//
// The game that a word names.
const GameType* game_named(std::string_view word);
// "101" and 7 of "101#7". Refuses what stands behind the last '#' and is no number, or two.
Numbered read_numbered(std::string_view word);
// The board that a word names among those of the request's game.
BoardPtr board_named(const Request& request, std::string_view word);
// A board that nobody keeps, of the request's options, for as many as the word at `at` says if that
// is a number; it is taken out of the words then.
Match new_board(Request& request, std::size_t at);
// Plays the words from `first` on. Refuses more than kMaxPreviewed, and what may not be played.
void play_words(const Request& request, Match& match, std::size_t first);
// A userid, or a name that a save has given a seat; refuses anything else.
void need_user(const Request& request, const std::string& word);
// The same of each, and of at most kMaxAsked.
void need_users(const Request& request, const std::vector<std::string>& words);
// The field the request's user sees `game` on.
View view_for(const Request& request, const GameType& game);
// The drawing, and whose turn it is or how the game ended.
Lines drawing_of(const Request& request, const Match& match);
// The same of a board behind what was done to it, which had so many entries before; for a program a
// line in place of the drawing.
Lines board_in_reply(const Request& request, const OpenBoard& board, std::size_t before);

// --- begin_commands.cpp ---

// The seeks that `userid`, "" for nobody, can see.
std::vector<Seek> seeks_for(Service& service, const std::string& userid);
// Takes back whatever `userid` seeks.
void drop_seeks(Service& service, const std::string& userid);

// --- chat_commands.cpp: free text behind a command ---

// Refuses too much of it.
Result<Done> may_say(const Request& request);
// Says it as chat to everybody on a board but its author, and keeps it with the board if that is
// still there. Pre: may_say().
void say_on_board(Request& request, const BoardSummary& board);

}  // namespace pbm
