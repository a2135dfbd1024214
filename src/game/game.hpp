// SPDX-License-Identifier: MIT
// The contract every game keeps. A game is a plain value type, State; one row
// in games/registry.cpp puts it before the rest of the program, which holds it as
// a Position and knows no game by name. Leaves who plays, what was played
// before and where it is kept to match.hpp and save/.
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

using Seat = int;  // 0 for player1, in turn order
inline std::size_t index(Seat seat) { return static_cast<std::size_t>(seat); }
using SpotId = int;  // a game's own number for a square; the same square keeps it all game long

// What a spot shows, for themes: never the only carrier of a meaning.
enum class Role : std::uint8_t {
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

// A square in a drawing: where it is in the rows and what the moves call it.
struct Spot {
  SpotId id = 0;
  std::string name;  // in the move syntax: "E6"; "" when no move names it
  std::string what;  // what stands there, in words: "X Flooper"; "" when nothing does
  int row = 0;       // index into Drawing::rows
  int column = 0;    // byte (drawings are ASCII) in that row
  int width = 1;     // characters
  Role role = Role::empty;
};

// A word of letters or digits that names what it stands beside: a column, a
// row, a side. A viewer may show it otherwise than the board.
struct Label {
  int row = 0, column = 0, width = 1;  // as of a spot
  friend bool operator==(const Label&, const Label&) = default;
};

// Words that stand as they are, however the drawing is turned or enlarged: where the rows have
// blanks, or, where `behind` is set, behind the end of one.
struct Caption {
  std::string text;
  int row = 0, column = 0, width = 0;  // as of a spot
  bool behind = false;
};

// A position as players know it. Rows are ASCII without trailing blanks.
struct Drawing {
  std::vector<std::string> rows;
  std::vector<Spot> spots;
  std::vector<Caption> captions = {};  // Position::draw() writes them
  std::vector<Label> labels = {};      // from the top, from the left; Position::draw() finds them
  int scale = 1;                       // 2 where it is twice as large as the game drew it
};

// The viewer's choices; they never change the game.
struct View {
  char field = 'a';       // which of GameType::fields
  bool finished = false;  // the game ended otherwise than on the board (resigned, agreed)
  int scale = 1;          // 2 for twice as large: Position::draw() does it for every game
  bool turned = false;    // seen from the opposite side; so does it that
  bool words = false;     // told instead of drawn: it gives in_words() as rows
  friend bool operator==(const View&, const View&) = default;
};

// How a game ended on the board.
struct Outcome {
  std::optional<Seat> winner;  // nobody: a tie
  std::string why;             // a clause after the winner's name: "TOOT stands in row 2"
  std::vector<SpotId> spots;   // where it can be seen: the line, the goal
};

// The game options of one board, read by read_options(): only those that differ
// from the default, in the order of the game's table.
struct Options {
  struct Item {
    std::string name;   // "size"
    std::string value;  // canonical: "7x9"; "" for a plain switch
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;

  bool has(std::string_view name) const;
  // The value of `name`, or `otherwise` when it is not set.
  std::string value(std::string_view name, std::string_view otherwise) const;
  // As typed: {"-size=7x9", "-tootris"}.
  std::vector<std::string> words() const;

  friend bool operator==(const Options&, const Options&) = default;
};

// What a State must offer. Everything is const but play() and eliminate(); copies
// are independent; nothing touches a file, a clock or a screen.
//
//   using Move = ...;                     trivially copyable, ==, the hot loops' currency
//   static Result<S> start(const Options&, int seats);
//        refuses what the table cannot: seats with options
//   int seats() const;
//   Seat to_move() const;                 unspecified once over()
//   bool over() const;                    cheap; same as outcome().has_value()
//   std::optional<Outcome> outcome() const;
//   void each_move(F f) const;            f(Move) for every legal move once, any order;
//                                         none iff over()
//   void play(Move);                      pre: legal
//   std::string text(Move) const;         canonical spelling
//   void spellings(Move, F f) const;      f(std::string) for every accepted spelling,
//                                         canonical first
//   std::vector<SpotId> trail(Move) const;     the spots a player touches to make it, in order
//   std::vector<SpotId> touched(Move) const;   spots that show it once it is played: moved,
//                                              placed, flipped
//   Result<Move> parse(std::string_view) const;
//        the move, in any letter case; else which rule forbids it, at which square, what would do.
//        Blanks around the text are gone already. Never throws, whatever the bytes.
//   std::string describe(Move) const;     after the player's name: "drops a T down column B"
//   std::string caution(Move) const;      a slip worth a quiet word before it is played, or ""
//   std::string sign(Seat) const;         what the seat plays: "TOOT", "o", "Black"
//   std::string holdings(Seat) const;     what the seat has, short: "6 T, 5 O"; or ""
//   Drawing draw(const View&) const;      the usual size and side, whatever the view
//   std::vector<std::string> in_words() const;
//        the position for someone who cannot see the drawing
//   bool operator==(const S&) const;
//
// What it may offer:
//
//   void eliminate(Seat);                 games for more than two: the seat plays no more;
//                                         pre: two others do
//   void skip();                          the turn passes over the seat to move, and does nothing;
//                                         each_move() may give nothing then; pre: !over()
//   std::uint64_t count_moves() const;    how many each_move() would give, and
//   std::uint64_t count_after(Move) const;
//        the same after that move, where it is faster so: perft() in
//        engine/game_row.hpp counts by them
template <class S>
concept GameState =
    std::copyable<S> && std::equality_comparable<S> && std::equality_comparable<typename S::Move> &&
    requires(const S s, S& m, typename S::Move move, std::string_view text, View view, Options o) {
      { S::start(o, 2) } -> std::same_as<Result<S>>;
      { s.seats() } -> std::same_as<int>;
      { s.to_move() } -> std::same_as<Seat>;
      { s.over() } -> std::same_as<bool>;
      { s.outcome() } -> std::same_as<std::optional<Outcome>>;
      s.each_move([](typename S::Move) {});
      m.play(move);
      { s.text(move) } -> std::same_as<std::string>;
      s.spellings(move, [](std::string) {});
      { s.trail(move) } -> std::same_as<std::vector<SpotId>>;
      { s.touched(move) } -> std::same_as<std::vector<SpotId>>;
      { s.parse(text) } -> std::same_as<Result<typename S::Move>>;
      { s.describe(move) } -> std::same_as<std::string>;
      { s.caution(move) } -> std::same_as<std::string>;
      { s.sign(0) } -> std::same_as<std::string>;
      { s.holdings(0) } -> std::same_as<std::string>;
      { s.draw(view) } -> std::same_as<Drawing>;
      { s.in_words() } -> std::same_as<std::vector<std::string>>;
    };

}  // namespace pbm
