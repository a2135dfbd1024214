// SPDX-License-Identifier: MIT
// The description of a game: one row of the table in games/registry.cpp. Also reads the game
// options that players type, such as -size=7x9 -tootris, and checks them against that row.
// Leaves the rules, and the meaning of options, to the State that start() makes.
#pragma once

#include <span>

#include "game/position.hpp"
#include "game/thinker.hpp"

namespace pbm {

// One option of a game: its spelling and its values.
struct OptionSpec {
  std::string_view name;                       // "size": typed -size=...
  std::vector<std::string_view> aliases = {};  // other names for the option; output uses `name`
  std::string_view value_syntax = {};          // "WxH"; "" for a switch without a value
  std::string_view default_value = {};         // the default value: "6x4"
  std::string_view summary;                    // its limits and effect, a short phrase
  // Returns the canonical value, or refuses with the syntax. Null for a switch without a value.
  Result<std::string> (*check_value)(std::string_view) = nullptr;
  std::string_view example = {};  // a value for messages: "7x9"; every option with a value has one
  bool is_game_name = false;      // its name alone means this game with the option: "tootris"
};

// An endgame table: one byte of knowledge for each late position. It takes a while to compute.
struct EndgameTable {
  std::string_view name;  // of its file
  std::size_t size;       // in bytes
  std::uint64_t
      checksum;  // checksum (base/file_cache.hpp); it differs for a table of another version
  // Computes the table. Calls go_on() every few milliseconds with the progress in per cent, and
  // returns no bytes if go_on() returns false.
  std::vector<std::uint8_t> (*compute)(const std::function<bool(int percent)>& go_on);

  std::string file_name() const { return std::string(name) + ".table"; }
};

// A reason for a ply: words, and the squares that show it.
struct Reason {
  std::string text;
  std::vector<SpotId> spots = {};
};

// One row of the table of games.
struct GameType {
  std::string_view name;         // the command word: "toot"
  std::string_view title;        // "Toot"
  std::string_view summary;      // one line for lists
  std::string_view move_syntax;  // one line for hints: "a column and T or O, such as BT"
  std::string_view introduction =
      {};  // a few sentences that explain the board before the first ply
  int min_seats = 2;
  int max_seats = 2;
  std::vector<OptionSpec> options = {};
  std::string_view drawing_styles =
      {};  // the letters of the drawing styles: "abc"; "" for one style
  // The signs of pieces that belong to no seat, as SpotRole::piece1 and so on: "TO". If "", each
  // piece belongs to a seat and has its colour.
  std::string_view common_pieces = {};
  bool can_turn = false;  // true if players may view the board from the opposite side
  std::vector<std::string_view> variants = {};  // options with tests of their own: "", "-tootris"

  // Returns the start position. Refuses options that do not fit the number of seats.
  Result<Position> (*start)(const Options&, int seats) = nullptr;
  // Returns how many sequences of `depth` legal plies begin at the start. Pre: start() accepts.
  std::uint64_t (*perft)(const Options&, int seats, int depth) = nullptr;
  // Analyses a position of this game.
  SearchResult (*think)(const Position&, const SearchRequest&) = nullptr;
  // Returns the endgame table that helps with a position, or null.
  const EndgameTable* (*endgame_table)(const Position&) = nullptr;
  std::span<const EndgameTable> endgame_tables = {};  // all of them
  // Returns what a legal ply does for its player if it neither wins nor captures, in the game's
  // words after the ply: "brings the ball 2 rows nearer to the south goal". Null: no such words.
  Reason (*purpose)(const Position&, std::string_view ply) = nullptr;
  // Returns "capture" if captures are a gain, else "". Null: captures are no gain.
  std::string_view (*capture_verb)(const Position&) = nullptr;
  // Returns what a beginner should know before choosing this, or "".
  std::string (*newcomer_note)(const Options&, int seats) = nullptr;
};

// The table of all games, in the order of lists. games/registry.cpp defines it.
std::span<const GameType> all_games();

// Returns the game called `name` in any letter case, or null.
const GameType* find_game(std::string_view name);
// The same, but `name` may also be an option that names a game: then adds it to `options`.
const GameType* find_game(std::string_view name, std::vector<std::string>& options);
// The same, without the option.
inline const GameType* find_game_or_variant(std::string_view name) {
  std::vector<std::string> options;
  return find_game(name, options);
}

// Returns "toot, flooprail, plotto, chaos or soccolot".
std::string list_game_names();

// Reads the options in `words` (each with its dash), in any order and letter case. Refuses unknown,
// repeated and malformed options; the refusal shows the syntax.
Result<Options> read_options(const GameType& game, const std::vector<std::string>& words);

// Returns the option with that name or alias in any letter case, or null.
const OptionSpec* find_option(const GameType& game, std::string_view name);

// Returns "-size=WxH -tootris", or "" if the game has no options.
std::string option_syntax(const GameType& game);
// Returns "-size=WxH", or with aliases "-reverse|-misere|-losing".
std::string option_syntax(const OptionSpec& option);

// Returns "Toot -size=7x9": the title and the options that differ from the default.
std::string title_with_options(const GameType& game, const Options& options);

}  // namespace pbm
