// SPDX-License-Identifier: MIT
#include "server/commands/commands.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "game/match.hpp"
#include "server/commands/handlers.hpp"

namespace pbm {
namespace {

constexpr std::size_t kAny = 1000;  // words: more than a line has

}  // namespace

std::span<const CommandRow> command_rows() {
  using enum Proof;
  static const std::vector<CommandRow> rows{
      {.name = "help",
       .syntax = "[subject...]",
       .about = "the commands; a command, a game or its moves",
       .max_words = kAny,
       .run = run_help},
      {.name = "list",
       .syntax = "[game...]",
       .about = "who has a userid, and who of them is here; who plays a game",
       .max_words = kAny,
       .run = run_list},
      {.name = "standings",
       .of_game = true,
       .about = "ratings, the best first",
       .run = run_standings},
      {.name = "ratings",
       .of_game = true,
       .syntax = "[userid...]",
       .about = "ratings by name",
       .max_words = kAny,
       .run = run_ratings},
      {.name = "history",
       .of_game = true,
       .syntax = "[userid...] [#number]",
       .about = "the games that have ended, the latest first; those behind so many",
       .max_words = kAny,
       .run = run_history},
      {.name = "openings",
       .of_game = true,
       .syntax = "[seats] [-options] [move...]",
       .about = "what was played next in the games that have ended",
       .max_words = kAny,
       .options = true,
       .run = run_openings},
      {.name = "player",
       .syntax = "userid",
       .about = "somebody's ratings, results by seat and opening, and latest games",
       .min_words = 1,
       .max_words = 1,
       .run = run_player},
      {.name = "games",
       .of_game = true,
       .syntax = "[userid...] [all|active|inactive|next]",
       .about = "boards, one a line",
       .max_words = kAny,
       .run = run_games},
      {.name = "all show",
       .syntax = "userid [next|active]",
       .about = "somebody's boards of every game",
       .min_words = 1,
       .max_words = 2,
       .run = run_all_show},
      {.name = "show",
       .of_game = true,
       .syntax = "board[#ply]... | userid... [all|active|inactive|next]",
       .about = "boards with their moves, drawn",
       .min_words = 1,
       .max_words = kAny,
       .run = run_show},
      {.name = "showas",
       .of_game = true,
       .syntax = "userid board[#ply]...",
       .about = "the same as somebody else sees them, in his field",
       .min_words = 2,
       .max_words = kAny,
       .run = run_showas},
      {.name = "preview",
       .of_game = true,
       .syntax = "board[#ply] move... | new [seats] [-options] move...",
       .about = "what moves would make of a board; nothing is kept",
       .min_words = 1,
       .max_words = kAny,
       .options = true,
       .run = run_preview},
      {.name = "boards",
       .syntax = "userid|all [#number]",
       .about = "the boards somebody plays or watches, or all that run, for programs: a YAML map a "
                "line",
       .min_words = 1,
       .max_words = 2,
       .run = run_boards},
      {.name = "lobby",
       .about = "for programs: the open challenges and who is here, as such lines",
       .run = run_lobby},
      {.name = "people",
       .about = "for programs: who has a userid, with ratings, as such lines",
       .run = run_people},
      {.name = "info",
       .of_game = true,
       .syntax = "board",
       .about = "one board as such a line",
       .min_words = 1,
       .max_words = 1,
       .run = run_info},
      {.name = "chats",
       .of_game = true,
       .syntax = "board [#number]",
       .about = "what was said on a board; behind that line",
       .min_words = 1,
       .max_words = 2,
       .run = run_chats},
      {.name = "save",
       .of_game = true,
       .syntax = "board",
       .about = "the board's save file",
       .min_words = 1,
       .max_words = 1,
       .run = run_save},

      {.name = "signup",
       .syntax = "userid password [address...]",
       .about = "take a userid",
       .proof = fresh,
       .max_words = kAny,
       .before = before_signup,
       .run = run_signup},
      {.name = "change password",
       .syntax = "userid old new",
       .about = "choose another password",
       .proof = again,
       .min_words = 1,
       .max_words = 1,
       .wanted_at = 0,
       .before = before_change_password,
       .run = run_change_password},
      {.name = "change address",
       .syntax = "userid password address...",
       .about = "choose another address",
       .proof = password,
       .min_words = 1,
       .max_words = kAny,
       .run = run_change_address},
      {.name = "signoff",
       .syntax = "userid password",
       .about = "leave: the boards still running are resigned",
       .proof = again,
       .run = run_signoff},
      {.name = "login",
       .syntax = "userid password",
       .about = "speak for a userid: from now on * stands for its password",
       .proof = password,
       .run = run_login},
      {.name = "as",
       .syntax = "userid",
       .about = "first of all, on a Unix socket: speak for a userid you are trusted with, without "
                "its password",
       .min_words = 1,
       .max_words = 1,
       .run = run_as},

      {.name = "challenge",
       .of_game = true,
       .syntax = "userid1 userid2 [userid3 [userid4]] [-options] [-pair]",
       .about = "begin a board; after login, as one of them; -pair: two, with the seats swapped",
       .proof = connection,
       .min_words = 2,
       .max_words = 4,
       .options = true,
       .text = true,
       .run = run_challenge},
      {.name = "rematch",
       .of_game = true,
       .syntax = "board userid password",
       .about = "the same board once more, with the seats swapped",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .run = run_rematch},
      {.name = "seek",
       .of_game = true,
       .syntax = "userid password [-options] [-pair] [low-high]",
       .about = "an open challenge, for whoever takes it; low-high: of such a rating",
       .proof = password,
       .max_words = 1,
       .options = true,
       .run = run_seek},
      {.name = "sought",
       .syntax = "[game]",
       .about = "the open challenges",
       .max_words = 1,
       .run = run_sought},
      {.name = "take",
       .syntax = "number [userid password]",
       .about = "take an open challenge; userid and password may be left out after login",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .may_omit = true,
       .run = run_take},
      {.name = "unseek",
       .syntax = "number [userid password]",
       .about = "take your own back",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .may_omit = true,
       .run = run_unseek},
      {.name = "move",
       .of_game = true,
       .syntax = "board userid password move[#ply]",
       .about = "play; or say propose, undo, accept, reject, resign",
       .proof = password,
       .userid_at = 1,
       .min_words = 2,
       .max_words = kAny,
       .text = true,
       .run = run_move},
      {.name = "board",
       .of_game = true,
       .syntax = "board userid password move[#ply]",
       .about = "the same as move",
       .proof = password,
       .userid_at = 1,
       .min_words = 2,
       .max_words = kAny,
       .text = true,
       .run = run_move},
      {.name = "queue",
       .of_game = true,
       .syntax = "board userid password [move[#ply] | ply:answer[.ply:answer...]... | none]",
       .about = "play when it is your turn, or as an answer; none forgets what is queued",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = kAny,
       .run = run_queue},
      {.name = "submit",
       .of_game = true,
       .syntax = "board userid password move",
       .about = "see what a move would do, before you confirm it",
       .proof = password,
       .userid_at = 1,
       .min_words = 2,
       .max_words = kAny,
       .run = run_submit},
      {.name = "confirm",
       .of_game = true,
       .syntax = "board userid password",
       .about = "play what was submitted",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .text = true,
       .run = run_confirm},
      {.name = "resign",
       .of_game = true,
       .syntax = "board userid password",
       .about = "give up; before everybody has played once, refuse the challenge",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .text = true,
       .run = run_resign},

      {.name = "chat",
       .of_game = true,
       .syntax = "board userid password : text",
       .about = "say something to all on a board",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .text = true,
       .run = run_chat},
      {.name = "message",
       .syntax = "userid password userid... : text",
       .about = "say something to some",
       .proof = password,
       .min_words = 1,
       .max_words = kAny,
       .text = true,
       .run = run_message},
      {.name = "broadcast",
       .syntax = "userid password : text",
       .about = "say something to all who are watching",
       .proof = password,
       .text = true,
       .run = run_broadcast},
      {.name = "subscribe",
       .of_game = true,
       .syntax = "board|all userid password",
       .about = "watch a board without playing",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .run = run_subscribe},
      {.name = "unsubscribe",
       .of_game = true,
       .syntax = "board|all userid password",
       .about = "watch it no more",
       .proof = password,
       .userid_at = 1,
       .min_words = 1,
       .max_words = 1,
       .run = run_unsubscribe},
      {.name = "set computer",
       .syntax = "userid password yes|no",
       .about = "say that a program plays for a userid",
       .proof = password,
       .min_words = 1,
       .max_words = 1,
       .run = run_set_computer},
      {.name = "set notices",
       .syntax = "userid password never|challenges|turns|digest HH:MM",
       .about = "choose of what you are told while you are not here",
       .proof = password,
       .min_words = 1,
       .max_words = 2,
       .run = run_set_notices},
      {.name = "block",
       .syntax = "userid password [userid...]",
       .about = "have nothing to do with somebody; or see with whom",
       .proof = password,
       .max_words = kAny,
       .run = run_block},
      {.name = "unblock",
       .syntax = "userid password userid...",
       .about = "take that back",
       .proof = password,
       .min_words = 1,
       .max_words = kAny,
       .run = run_unblock},
      {.name = "vacation",
       .syntax = "userid password [days|off]",
       .about = "stop all your clocks for so many days; how many of the year are left",
       .proof = password,
       .max_words = 1,
       .run = run_vacation},
      {.name = "limit",
       .of_game = true,
       .syntax = "userid password n|all|none",
       .about = "how many boards you take",
       .proof = password,
       .min_words = 1,
       .max_words = 1,
       .run = run_limit},
      {.name = "accept",
       .of_game = true,
       .syntax = "userid password",
       .about = "take all challenges",
       .proof = password,
       .run = run_accept},
      {.name = "reject",
       .of_game = true,
       .syntax = "userid password",
       .about = "take no challenge",
       .proof = password,
       .run = run_reject},
      {.name = "set",
       .of_game = true,
       .syntax = "userid password a|b|c",
       .about = "the field you see, where a game has several",
       .proof = password,
       .max_words = 1,
       .run = run_set},

      {.name = "admin who",
       .about = "for the owner of the server: every connection",
       .proof = owner,
       .run = run_admin_who},
      {.name = "admin kick",
       .syntax = "userid|#number [: text]",
       .about = "end the connections of a userid, or one",
       .proof = owner,
       .min_words = 1,
       .max_words = 1,
       .text = true,
       .run = run_admin_kick},
      {.name = "admin ban",
       .syntax = "userid [days] [: text]",
       .about = "let a userid in no more",
       .proof = owner,
       .min_words = 1,
       .max_words = 2,
       .text = true,
       .run = run_admin_ban},
      {.name = "admin unban",
       .syntax = "userid",
       .about = "let it in again",
       .proof = owner,
       .min_words = 1,
       .max_words = 1,
       .run = run_admin_unban},
      {.name = "admin mute",
       .syntax = "userid",
       .about = "let a userid say nothing",
       .proof = owner,
       .min_words = 1,
       .max_words = 1,
       .run = run_admin_mute},
      {.name = "admin unmute",
       .syntax = "userid",
       .about = "let it speak again",
       .proof = owner,
       .min_words = 1,
       .max_words = 1,
       .run = run_admin_unmute},
      {.name = "admin rename",
       .syntax = "userid new",
       .about = "give somebody another userid",
       .proof = owner,
       .min_words = 2,
       .max_words = 2,
       .run = run_admin_rename},
      {.name = "admin password",
       .syntax = "userid new",
       .about = "give somebody another password",
       .proof = owner,
       .min_words = 2,
       .max_words = 2,
       .wanted_at = 1,
       .before = before_admin_password,
       .run = run_admin_password},
      {.name = "admin close signups",
       .about = "let nobody take a userid",
       .proof = owner,
       .run = run_admin_close_signups},
      {.name = "admin open signups",
       .about = "let people take userids again",
       .proof = owner,
       .run = run_admin_open_signups},
      {.name = "admin forfeit",
       .syntax = "game board userid",
       .about = "resign a board for somebody",
       .proof = owner,
       .min_words = 3,
       .max_words = 3,
       .run = run_admin_forfeit},
      {.name = "admin annul",
       .syntax = "game board",
       .about = "have a game count for no rating; one that runs is removed",
       .proof = owner,
       .min_words = 2,
       .max_words = 2,
       .run = run_admin_annul},
      {.name = "admin announce",
       .syntax = ": text",
       .about = "say something to all who are watching",
       .proof = owner,
       .text = true,
       .run = run_admin_announce},
      {.name = "admin stats",
       .about = "numbers, as Prometheus reads them",
       .proof = owner,
       .run = run_admin_stats},
      {.name = "admin drain",
       .about = "begin no game any more, and end when the last has left",
       .proof = owner,
       .run = run_admin_drain},

      {.name = "watch",
       .about = "send events from now on, and what came while you were away",
       .proof = connection,
       .run = run_watch},
      {.name = "hello",
       .syntax = "[version]",
       .about = "for programs: what this server can; lines for programs in place of drawings",
       .max_words = 1,
       .run = run_hello},
      {.name = "multiple",
       .about = "commands follow, to a line with a single '.'",
       .run = run_multiple},
      {.name = "quit", .about = "leave", .run = run_quit},
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
std::size_t matches(const CommandRow& row, const std::vector<std::string>& words,
                    std::size_t from) {
  std::size_t n = 0;
  for (std::string_view rest = row.name; !rest.empty(); ++n) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (from + n >= words.size() || !same_ignoring_case(word, words[from + n])) return 0;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return n;
}

Refusal no_such_command(const GameType* game, const std::vector<std::string>& words) {
  if (same_ignoring_case(words[game && words.size() > 1 ? 1 : 0], "hint"))
    return Refusal{"There are no hints on a server: people play against each other here."};
  if (!game)
    return Refusal{"There is no command '" + fit(words.front(), 30) + "': help lists them."};
  std::vector<std::string> names;
  for (const CommandRow& row : command_rows())
    if (row.of_game) names.emplace_back(row.name);
  const std::string title(game->title);
  const std::string said = words.size() < 2
                               ? "What about " + title + "?"
                               : title + " has no command '" + fit(words[1], 30) + "'.";
  return Refusal{said + " There is " + all_of(names) + "."};
}

bool is_number(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

// What people who knew the old server write, as what it is called here. "GAME accept userid
// password" is about challenges, and has a word less than what is said on a board.
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
    const bool on_challenges =
        same_ignoring_case(verb, "accept") || same_ignoring_case(verb, "reject");
    if (!on_board && !on_challenges)
      return Refusal{"Write: GAME " + lower(verb) + " board userid password"};
    if (!on_board) return Done{};
    words.push_back(verb);
    words[1] = "move";
  }
  return Done{};
}

}  // namespace

Result<Found> find_command(std::vector<std::string>& words) {
  if (words.empty()) return Refusal{"There is no command in that line: help lists them."};
  if (const auto now = modernize(words, find_game(words.front()) != nullptr); !now)
    return now.refusal();
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
