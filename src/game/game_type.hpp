// SPDX-License-Identifier: MIT
// What the program knows of a game before it is played: one row of the table
// in games/registry.cpp; and its options as players type them, -size=7x9 -tootris, checked against
// that. Leaves the rules, and what options mean, to the State behind start().
#pragma once

#include <span>

#include "game/position.hpp"
#include "game/thinker.hpp"

namespace pbm {

// One option of a game: how it is typed and what it takes.
struct OptionSpec {
  std::string_view name;                       // "size": typed -size=...
  std::vector<std::string_view> aliases = {};  // other names for the same; printed as `name`
  std::string_view value = {};                 // "WxH"; "" for a plain switch
  std::string_view standard = {};              // what an unset value means: "6x4"
  std::string_view about;                      // its limits and effect, a short phrase
  // The canonical value, or the reason with the syntax. Null for a plain switch.
  Result<std::string> (*check_value)(std::string_view) = nullptr;
  std::string_view example = {};  // a value to show: "7x9"; of every option that takes one
  bool names_a_game = false;      // its name alone means the game with it: "tootris"
};

// What is known of a game's last plies, a byte for each position. It takes a while to make.
struct EndTable {
  std::string_view name;  // of the file that keeps it
  std::size_t size;
  std::uint64_t sum;  // of its bytes (base/cache.hpp), by which those of another version are known
  // Calls go_on() every few milliseconds with how much of 100 is made, and makes nothing where that
  // says false.
  std::vector<std::uint8_t> (*make)(const std::function<bool(int percent)>& go_on);
};

// One row of the table.
struct GameType {
  std::string_view name;             // the command word: "toot"
  std::string_view title;            // "Toot"
  std::string_view about;            // one line for lists
  std::string_view move_syntax;      // one line for hints: "column and letter, as BT"
  std::string_view first_look = {};  // a few sentences on what one sees before the first ply
  int min_seats = 2;
  int max_seats = 2;
  std::vector<OptionSpec> options = {};
  std::string_view fields = {};  // Soccolot's "abc"; "" when there is one drawing
  bool turns = false;            // whether the board may be seen from the opposite side
  std::vector<std::string_view> variants =
      {};  // option words worth their own tests: "", "-tootris", ...

  // The start position; refuses what read_options() cannot know (options against seats).
  Result<Position> (*start)(const Options&, int seats) = nullptr;
  // Legal ply sequences of `depth` plies from the start. Pre: start() accepts.
  std::uint64_t (*perft)(const Options&, int seats, int depth) = nullptr;
  // What the computer thinks of a position of this game.
  Thought (*think)(const Position&, const Question&) = nullptr;
  // The table that helps with a position; null for none.
  const EndTable* (*table)(const Position&) = nullptr;
  // What a newcomer should know before choosing this, or "".
  std::string (*remark)(const Options&, int seats) = nullptr;
};

// The table, defined in games/registry.cpp: every game, in the order lists show them.
std::span<const GameType> all_games();

// The game called `name` in any case, or null.
const GameType* find_game(std::string_view name);
// The same, or the game with an option that names a game of its own: then that is put into
// `options`.
const GameType* find_game(std::string_view name, std::vector<std::string>& options);
// The same for who does not ask for the option.
inline const GameType* game_meant(std::string_view name) {
  std::vector<std::string> options;
  return find_game(name, options);
}

// "toot, flooprail, plotto, chaos or soccolot".
std::string game_names();

// The options in `words` (each with its dash), in any order and case. Refuses
// unknown, doubled and malformed ones, with the syntax in the sentence.
Result<Options> read_options(const GameType& game, const std::vector<std::string>& words);

// The option called that, or by another name for it, in any case; or null.
const OptionSpec* find_option(const GameType& game, std::string_view name);

// "-size=WxH -tootris", or "" when the game has none.
std::string option_syntax(const GameType& game);
// Of one: "-size=WxH", "-reverse|-misere|-losing".
std::string option_syntax(const OptionSpec& option);

// "Toot -size=7x9": the title and what differs from the standard.
std::string title_with_options(const GameType& game, const Options& options);

}  // namespace pbm
