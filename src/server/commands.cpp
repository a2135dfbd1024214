// SPDX-License-Identifier: MIT
#include "server/commands.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "game/match.hpp"
#include "server/handlers.hpp"

namespace pbm {
namespace {

constexpr std::size_t kAny = 1000;  // words: more than a line has

}  // namespace

std::span<const CommandRow> command_rows() {
  using enum Proof;
  static const std::vector<CommandRow> rows{
      // name, of a game, syntax, about, proof, userid at, words, options, text, new password at, before, run
      {"help", false, "[subject...]", "the commands; a command, a game or its moves",
       none, 0, 0, kAny, false, false, {}, nullptr, run_help},
      {"list", false, "[game...]", "who has a userid, and who of them is here; who plays a game",
       none, 0, 0, kAny, false, false, {}, nullptr, run_list},
      {"standings", true, "", "ratings, the best first",
       none, 0, 0, 0, false, false, {}, nullptr, run_standings},
      {"ratings", true, "[userid...]", "ratings by name",
       none, 0, 0, kAny, false, false, {}, nullptr, run_ratings},
      {"history", true, "[userid...]", "the games that have ended, the latest first",
       none, 0, 0, kAny, false, false, {}, nullptr, run_history},
      {"games", true, "[userid...] [all|active|inactive|next]", "boards, one a line",
       none, 0, 0, kAny, false, false, {}, nullptr, run_games},
      {"all show", false, "userid [next|active]", "somebody's boards of every game",
       none, 0, 1, 2, false, false, {}, nullptr, run_all_show},
      {"show", true, "board[#ply]... | userid... [all|active|inactive|next]", "boards with their moves, drawn",
       none, 0, 1, kAny, false, false, {}, nullptr, run_show},
      {"showas", true, "userid board[#ply]...", "the same as somebody else sees them, in his field",
       none, 0, 2, kAny, false, false, {}, nullptr, run_showas},
      {"preview", true, "board[#ply] move... | new [seats] [-options] move...", "what moves would make of a board; nothing is kept",
       none, 0, 1, kAny, true, false, {}, nullptr, run_preview},
      {"boards", false, "userid", "the boards somebody plays or watches, for programs: a YAML map a line",
       none, 0, 1, 1, false, false, {}, nullptr, run_boards},
      {"info", true, "board", "one board as such a line",
       none, 0, 1, 1, false, false, {}, nullptr, run_info},
      {"save", true, "board", "the board's save file",
       none, 0, 1, 1, false, false, {}, nullptr, run_save},

      {"signup", false, "userid password [address...]", "take a userid",
       fresh, 0, 0, kAny, false, false, {}, before_signup, run_signup},
      {"change password", false, "userid old new", "choose another password",
       again, 0, 1, 1, false, false, 0, before_change_password, run_change_password},
      {"change address", false, "userid password address...", "choose another address",
       password, 0, 1, kAny, false, false, {}, nullptr, run_change_address},
      {"signoff", false, "userid password", "leave: the boards still running are resigned",
       password, 0, 0, 0, false, false, {}, nullptr, run_signoff},
      {"login", false, "userid password", "speak for a userid: from now on * stands for its password",
       password, 0, 0, 0, false, false, {}, nullptr, run_login},
      {"as", false, "userid", "first of all, on a Unix socket: speak for a userid you are trusted with, without its password",
       none, 0, 1, 1, false, false, {}, nullptr, run_as},

      {"challenge", true, "userid1 userid2 [userid3 [userid4]] [-options]", "begin a board; after login, as one of them",
       connection, 0, 2, 4, true, true, {}, nullptr, run_challenge},
      {"move", true, "board userid password move[#ply]", "play; or say propose, undo, accept, reject, resign",
       password, 1, 2, kAny, false, true, {}, nullptr, run_move},
      {"board", true, "board userid password move[#ply]", "the same as move",
       password, 1, 2, kAny, false, true, {}, nullptr, run_move},
      {"queue", true, "board userid password [move[#ply] | none]", "play when it is your turn; none forgets what is queued",
       password, 1, 1, kAny, false, false, {}, nullptr, run_queue},
      {"submit", true, "board userid password move", "see what a move would do, before you confirm it",
       password, 1, 2, kAny, false, false, {}, nullptr, run_submit},
      {"confirm", true, "board userid password", "play what was submitted",
       password, 1, 1, 1, false, true, {}, nullptr, run_confirm},
      {"resign", true, "board userid password", "give up; before everybody has played once, refuse the challenge",
       password, 1, 1, 1, false, true, {}, nullptr, run_resign},

      {"chat", true, "board userid password : text", "say something to all on a board",
       password, 1, 1, 1, false, true, {}, nullptr, run_chat},
      {"message", false, "userid password userid... : text", "say something to some",
       password, 0, 1, kAny, false, true, {}, nullptr, run_message},
      {"broadcast", false, "userid password : text", "say something to all who are watching",
       password, 0, 0, 0, false, true, {}, nullptr, run_broadcast},
      {"subscribe", true, "board|all userid password", "watch a board without playing",
       password, 1, 1, 1, false, false, {}, nullptr, run_subscribe},
      {"unsubscribe", true, "board|all userid password", "watch it no more",
       password, 1, 1, 1, false, false, {}, nullptr, run_unsubscribe},
      {"limit", true, "userid password n|all|none", "how many boards you take",
       password, 0, 1, 1, false, false, {}, nullptr, run_limit},
      {"accept", true, "userid password", "take all challenges",
       password, 0, 0, 0, false, false, {}, nullptr, run_accept},
      {"reject", true, "userid password", "take no challenge",
       password, 0, 0, 0, false, false, {}, nullptr, run_reject},
      {"set", true, "userid password a|b|c", "the field you see, where a game has several",
       password, 0, 0, 1, false, false, {}, nullptr, run_set},

      {"watch", false, "", "send events from now on, and what came while you were away",
       connection, 0, 0, 0, false, false, {}, nullptr, run_watch},
      {"multiple", false, "", "commands follow, to a line with a single '.'",
       none, 0, 0, 0, false, false, {}, nullptr, run_multiple},
      {"quit", false, "", "leave",
       none, 0, 0, 0, false, false, {}, nullptr, run_quit},
  };
  return rows;
}

std::string command_syntax(const CommandRow& row) {
  std::string out = row.of_game ? "GAME " : "";
  out += row.name;
  if (!row.syntax.empty()) out += " " + std::string(row.syntax);
  return out;
}

namespace {

// How many of `words` spell the row's name; 0: they do not.
std::size_t matches(const CommandRow& row, const std::vector<std::string>& words, std::size_t from) {
  const std::vector<std::string> name = pbm::words(row.name);
  if (words.size() < from + name.size()) return 0;
  for (std::size_t i = 0; i < name.size(); ++i)
    if (!same_ignoring_case(name[i], words[from + i])) return 0;
  return name.size();
}

Refusal no_such_command(const GameType* game, const std::vector<std::string>& words) {
  if (!game) return Refusal{"There is no command '" + fit(words.front(), 30) + "': help lists them."};
  std::vector<std::string> names;
  for (const CommandRow& row : command_rows())
    if (row.of_game) names.emplace_back(row.name);
  const std::string title(game->title);
  const std::string said = words.size() < 2 ? "What about " + title + "?" : title + " has no command '" + fit(words[1], 30) + "'.";
  return Refusal{said + " There is " + all_of(names) + "."};
}

bool is_number(const std::string& word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

// What people who knew the old server write, as what it is called here. "GAME
// accept userid password" is about challenges, and has a word less than what is
// said on a board.
Result<Done> modernize(std::vector<std::string>& words, bool of_game) {
  if (!of_game) {
    if (same_ignoring_case(words[0], "add")) words[0] = "signup";
    else if (same_ignoring_case(words[0], "delete")) words[0] = "signoff";
    return Done{};
  }
  if (words.size() < 2) return Done{};
  std::string& verb = words[1];
  if (same_ignoring_case(verb, "help")) {
    std::swap(words[0], verb);
  } else if (same_ignoring_case(verb, "chall")) {
    verb = "challenge";
  } else if (same_ignoring_case(verb, "mvoe")) {
    verb = "move";
  } else if (is_number(verb)) {
    words.insert(words.begin() + 1, "move");  // the number says enough
  } else if (is_match_word(verb) && !same_ignoring_case(verb, "resign")) {
    const bool on_board = words.size() == 5 && is_number(words[2]);
    const bool on_challenges = same_ignoring_case(verb, "accept") || same_ignoring_case(verb, "reject");
    if (!on_board && !on_challenges) return Refusal{"Write: GAME " + lower(verb) + " board userid password"};
    if (!on_board) return Done{};
    words.push_back(verb);
    words[1] = "move";
  }
  return Done{};
}

}  // namespace

Result<Found> find_command(std::vector<std::string>& words) {
  if (words.empty()) return Refusal{"There is no command in that line: help lists them."};
  if (const auto now = modernize(words, find_game(words.front()) != nullptr); !now) return now.refusal();
  const GameType* game = find_game(words.front());
  for (const CommandRow& row : command_rows()) {
    if (row.of_game != (game != nullptr)) continue;
    const std::size_t from = game ? 1 : 0;
    const std::size_t n = matches(row, words, from);
    if (n == 0) continue;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(from + n));
    return Found{&row, game};
  }
  return no_such_command(game, words);
}

}  // namespace pbm
