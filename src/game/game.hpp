// SPDX-License-Identifier: MIT
// The interface of a game. A game is a value type, called State below; one row in
// games/registry.cpp makes it known to the program, which uses it through Position and never by
// name. Leaves players and history to match.hpp, and files to save/.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/text.hpp"

namespace pbm {

using Seat = int;  // 0 for player1; seats are in turn order
// Returns a seat, an enumerator or another number that is not negative as an index.
constexpr std::size_t index(auto n) { return static_cast<std::size_t>(n); }
using SpotId = int;  // a game's number for a square; it stays the same during a game

// The content of a spot, for colours. Colour never shows anything that the text does not show.
enum class SpotRole : std::uint8_t {
  board,
  empty,
  opening,
  piece1,
  piece2,
  piece3,
  piece4,
  king1,
  king2,
  ball
};

// A square in a drawing: its place in the rows and its name in moves.
struct Spot {
  SpotId id = 0;
  std::string name;     // in the move syntax: "E6"; "" if moves never name it
  std::string content;  // the piece on it in words: "X Flooper"; "" if it is empty
  int row = 0;          // index into Drawing::rows
  int column = 0;       // byte in that row; drawings are ASCII
  int width = 1;        // characters
  SpotRole role = SpotRole::empty;
};

// A word of letters or digits in a drawing that names a column, a row or a side.
// Viewers may show labels in another style than the board.
struct Label {
  int row = 0, column = 0, width = 1;  // as in Spot
  friend bool operator==(const Label&, const Label&) = default;
};

// A text that stays readable when the drawing is turned or enlarged. It fills blanks in a row, or
// stands after the end of the row if `is_after_row` is set.
struct Caption {
  std::string text;
  int row = 0, column = 0, width = 0;  // as in Spot
  bool is_after_row = false;
};

inline constexpr int kMaxScale = 4;  // of drawings

// A position as players see it. Rows are ASCII without trailing blanks.
struct Drawing {
  std::vector<std::string> rows;
  std::vector<Spot> spots;
  std::vector<Caption> captions = {};  // Position::draw() writes them into the rows
  std::vector<Label> labels = {};      // by row, then column; Position::draw() finds them
  int scale = 1;                       // 1 to kMaxScale times the size that the game drew
};

// A viewer's choices. They never change the game. Games heed only `drawing_style` and
// `is_finished`; Position::draw() does the rest.
struct View {
  char drawing_style = 'a';  // the drawing style, one of GameType::drawing_styles
  bool is_finished = false;  // the game ended by resignation, agreement or time
  int scale = 1;             // 1 to kMaxScale times the usual size
  bool is_turned = false;    // as seen from the opposite side
  bool is_text = false;      // the rows are to_words(), without a drawing
  friend bool operator==(const View&, const View&) = default;
};

// The result of a game that ended by its rules.
struct Outcome {
  std::optional<Seat> winner;  // nothing: a tie
  std::string reason;          // a sentence without its stop: "TOOT stands in column A"
  std::vector<SpotId> spots;   // the squares that show it: the line, the goal
};

// The game options of one board, as read_options() reads them: only those that differ from the
// default, in the order of the game's table.
struct Options {
  struct Item {
    std::string name;   // "size"
    std::string value;  // canonical: "7x9"; "" for a plain switch
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;

  bool has(std::string_view name) const;
  // Returns the value of `name`, or `otherwise` if it is not set.
  std::string value(std::string_view name, std::string_view otherwise) const;
  // Returns the options as a player types them: {"-size=7x9", "-tootris"}.
  std::vector<std::string> to_words() const;

  friend bool operator==(const Options&, const Options&) = default;
};

// The functions that a State must have. All are const except play() and eliminate(). Copies are
// independent. No function uses a file, a clock or a screen.
//
//   using Move = ...;                          trivially copyable, ==; the searches use it
//   static Result<S> start(const Options&, int seats);
//        refuses combinations of options and seats that the options table cannot express
//   int seats() const;
//   Seat to_move() const;                      unspecified if is_over()
//   bool is_over() const;                      cheap; same as outcome().has_value()
//   std::optional<Outcome> outcome() const;
//   void each_move(F f) const;
//                                            calls f(Move) once for every legal move, in any order;
//                                              there is none if and only if is_over()
//   void play(Move);                           pre: legal
//   std::string text(Move) const;              the canonical spelling
//   void spellings(Move, F f) const;           calls f(std::string) for every accepted spelling,
//                                              canonical first
//   std::vector<SpotId> selected_spots(Move) const;
//                                              the squares a player selects to make it, in order
//   std::vector<SpotId> changed_spots(Move) const; the squares that change: moved, placed, flipped
//   Result<Move> parse(std::string_view) const;
//        reads a move in any letter case, or refuses: which rule forbids it, at which square, and
//        what is legal. The caller has removed blanks at both ends. Never throws.
//   std::string describe(Move) const;          after the player's name: "drops a T down column B"
//   std::string warning(Move) const;           a warning if it looks like a slip, or ""
//   std::string side_name(Seat) const;         what the seat plays: "TOOT", "o", "Black"
//   std::string holdings(Seat) const;          what the seat has left, short: "6 T, 5 O"; or ""
//   Drawing draw(const View&) const;           always in the usual size, from the usual side
//   std::vector<std::string> description_lines() const;
//        the position for a person who cannot see the drawing
//   bool operator==(const S&) const;
//
// The functions that a State may have:
//
//   void eliminate(Seat);                      for more than two seats: the seat leaves the game;
//                                              pre: two others stay
//   void skip_turn();
//                                             passes the turn of the seat to move; then each_move()
//                                              may find no move; pre: !is_over()
template <class S>
concept GameState =
    std::copyable<S> && std::equality_comparable<S> && std::equality_comparable<typename S::Move> &&
    requires(const S s, S& m, typename S::Move move, std::string_view text, View view, Options o) {
      { S::start(o, 2) } -> std::same_as<Result<S>>;
      { s.seats() } -> std::same_as<int>;
      { s.to_move() } -> std::same_as<Seat>;
      { s.is_over() } -> std::same_as<bool>;
      { s.outcome() } -> std::same_as<std::optional<Outcome>>;
      s.each_move([](typename S::Move) {});
      m.play(move);
      { s.text(move) } -> std::same_as<std::string>;
      s.spellings(move, [](std::string) {});
      { s.selected_spots(move) } -> std::same_as<std::vector<SpotId>>;
      { s.changed_spots(move) } -> std::same_as<std::vector<SpotId>>;
      { s.parse(text) } -> std::same_as<Result<typename S::Move>>;
      { s.describe(move) } -> std::same_as<std::string>;
      { s.warning(move) } -> std::same_as<std::string>;
      { s.side_name(0) } -> std::same_as<std::string>;
      { s.holdings(0) } -> std::same_as<std::string>;
      { s.draw(view) } -> std::same_as<Drawing>;
      { s.description_lines() } -> std::same_as<std::vector<std::string>>;
    };

}  // namespace pbm
