// SPDX-License-Identifier: MIT
// Noughts and crosses, written like the games in src/games. It is the sixth game in the tests of
// this folder.
#include <array>

#include "toy.hpp"

namespace pbm {
namespace {

constexpr int kSide = 3;
constexpr int kSquares = kSide * kSide;  // the numbers begin at A1 and go right, then up
constexpr std::array<std::array<int, kSide>, 8> kLines{
    {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}};

class Noughts {
 public:
  using Move = int;  // a square

  explicit Noughts(bool misere) : misere_(misere) { squares_.fill(' '); }
  static Result<Noughts> start(const Options& options, int) {
    return Noughts(options.has("misere"));
  }

  int seats() const { return 2; }
  Seat to_move() const { return ply_count_ % 2; }
  bool is_over() const { return winning_line() != nullptr || ply_count_ == kSquares; }
  std::optional<Outcome> outcome() const {
    if (!is_over()) return std::nullopt;
    Outcome out;
    if (const auto* three = winning_line()) {
      const Seat last = 1 - to_move();
      out.winner = misere_ ? 1 - last : last;
      out.reason = misere_ ? side_name(last) + " has three in a line" : "Three stand in a line";
      out.spots.assign(three->begin(), three->end());
    } else {
      out.reason = "The squares are full";
    }
    return out;
  }

  template <class F>
  void each_move(F f) const {
    if (is_over()) return;
    for (Move m = 0; m < kSquares; ++m)
      if (square(m) == ' ') f(m);
  }
  void play(Move m) {
    squares_[static_cast<std::size_t>(m)] = side_name(to_move())[0];
    ++ply_count_;
  }

  std::string text(Move m) const {
    return {static_cast<char>('A' + m % kSide), static_cast<char>('1' + m / kSide)};
  }
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }
  std::vector<SpotId> selected_spots(Move m) const { return {m}; }
  std::vector<SpotId> changed_spots(Move m) const { return {m}; }

  Result<Move> parse(std::string_view typed) const {
    if (typed.empty()) return Refusal{"Type a square, for example B2.", 0};
    const int column = lower(typed[0]) - 'a';
    if (column < 0 || column >= kSide)
      return Refusal{"'" + safe_text(typed.substr(0, decode_utf8(typed).size)) +
                         "' is not a column. The columns are A to C.",
                     0};
    if (typed.size() != 2 || typed[1] < '1' || typed[1] > '3')
      return Refusal{"A square is a column and a row from 1 to 3, for example B2.", 1};
    const Move m = (typed[1] - '1') * kSide + column;
    if (square(m) != ' ') return Refusal{text(m) + " is taken. Choose another square.", 0};
    return m;
  }

  std::string describe(Move m) const {
    return "writes " + std::string(to_move() == 0 ? "a cross" : "a nought") + " into " + text(m);
  }
  std::string warning(Move) const { return ""; }
  std::string side_name(Seat seat) const { return seat == 0 ? "X" : "O"; }
  std::string holdings(Seat) const { return ""; }

  Drawing draw(const View&) const {
    Drawing out;
    out.rows.push_back("  A B C");
    for (int row = kSide - 1; row >= 0; --row) {
      std::string line(1, static_cast<char>('1' + row));
      for (int column = 0; column < kSide; ++column) {
        const Move m = row * kSide + column;
        line += ' ';
        Spot spot;
        spot.id = m;
        spot.name = text(m);
        spot.row = static_cast<int>(out.rows.size());
        spot.column = static_cast<int>(line.size());
        if (square(m) != ' ') spot.content = std::string(1, square(m));
        spot.role = square(m) == 'X'   ? SpotRole::piece1
                    : square(m) == 'O' ? SpotRole::piece2
                                       : SpotRole::empty;
        out.spots.push_back(std::move(spot));
        line += square(m) == ' ' ? '.' : square(m);
      }
      out.rows.push_back(line);
    }
    return out;
  }
  std::vector<std::string> description_lines() const {
    std::vector<std::string> out;
    for (Move m = 0; m < kSquares; ++m)
      if (square(m) != ' ')
        out.push_back(std::string(1, square(m)) + " stands on " + text(m) + ".");
    if (out.empty()) out.push_back("The squares are empty.");
    return out;
  }

  bool operator==(const Noughts&) const = default;

 private:
  char square(Move m) const { return squares_[static_cast<std::size_t>(m)]; }
  // Returns the line that ended the game, or null.
  const std::array<int, kSide>* winning_line() const {
    for (const auto& three : kLines)
      if (square(three[0]) != ' ' && square(three[0]) == square(three[1]) &&
          square(three[1]) == square(three[2]))
        return &three;
    return nullptr;
  }

  std::array<char, kSquares> squares_{};
  int ply_count_ = 0;
  bool misere_;
};

}  // namespace

GameType noughts_row() {
  return game_row<Noughts>({
      .name = "noughts",
      .title = "Noughts",
      .summary = "three in a line",
      .move_syntax = "a square, such as B2",
      .options = {{.name = "misere", .summary = "three in a line lose"}},
      .variants = {"", "-misere"},
  });
}

}  // namespace pbm
