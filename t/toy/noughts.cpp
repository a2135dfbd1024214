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
  Seat to_move() const { return played_ % 2; }
  bool over() const { return line() != nullptr || played_ == kSquares; }
  std::optional<Outcome> outcome() const {
    if (!over()) return std::nullopt;
    Outcome out;
    if (const auto* three = line()) {
      const Seat last = 1 - to_move();
      out.winner = misere_ ? 1 - last : last;
      out.why = misere_ ? sign(last) + " has three in a line" : "three stand in a line";
      out.spots.assign(three->begin(), three->end());
    } else {
      out.why = "the squares are full";
    }
    return out;
  }

  template <class F>
  void each_move(F f) const {
    if (over()) return;
    for (Move m = 0; m < kSquares; ++m)
      if (at(m) == ' ') f(m);
  }
  void play(Move m) {
    squares_[static_cast<std::size_t>(m)] = sign(to_move())[0];
    ++played_;
  }

  std::string text(Move m) const {
    return {static_cast<char>('A' + m % kSide), static_cast<char>('1' + m / kSide)};
  }
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }
  std::vector<SpotId> trail(Move m) const { return {m}; }
  std::vector<SpotId> touched(Move m) const { return {m}; }

  Result<Move> parse(std::string_view typed) const {
    if (typed.empty()) return Refusal{"Type a square, as in B2.", 0};
    const int column = lower(typed[0]) - 'a';
    if (column < 0 || column >= kSide)
      return Refusal{"'" + safe_text(typed.substr(0, decode_utf8(typed).bytes)) +
                         "' is no column: the columns are A to C.",
                     0};
    if (typed.size() != 2 || typed[1] < '1' || typed[1] > '3')
      return Refusal{"A square is a column and a row from 1 to 3, as in B2.", 1};
    const Move m = (typed[1] - '1') * kSide + column;
    if (at(m) != ' ') return Refusal{text(m) + " is taken: choose another square.", 0};
    return m;
  }

  std::string describe(Move m) const {
    return "writes " + std::string(to_move() == 0 ? "a cross" : "a nought") + " into " + text(m);
  }
  std::string caution(Move) const { return ""; }
  std::string sign(Seat seat) const { return seat == 0 ? "X" : "O"; }
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
        if (at(m) != ' ') spot.what = std::string(1, at(m));
        spot.role = at(m) == 'X' ? Role::piece1 : at(m) == 'O' ? Role::piece2 : Role::empty;
        out.spots.push_back(std::move(spot));
        line += at(m) == ' ' ? '.' : at(m);
      }
      out.rows.push_back(line);
    }
    return out;
  }
  std::vector<std::string> in_words() const {
    std::vector<std::string> out;
    for (Move m = 0; m < kSquares; ++m)
      if (at(m) != ' ') out.push_back(std::string(1, at(m)) + " stands on " + text(m) + ".");
    if (out.empty()) out.push_back("The squares are empty.");
    return out;
  }

  bool operator==(const Noughts&) const = default;

 private:
  char at(Move m) const { return squares_[static_cast<std::size_t>(m)]; }
  // Returns the line that ended the game, or null.
  const std::array<int, kSide>* line() const {
    for (const auto& three : kLines)
      if (at(three[0]) != ' ' && at(three[0]) == at(three[1]) && at(three[1]) == at(three[2]))
        return &three;
    return nullptr;
  }

  std::array<char, kSquares> squares_{};
  int played_ = 0;
  bool misere_;
};

}  // namespace

GameType noughts_row() {
  return game_row<Noughts>({
      .name = "noughts",
      .title = "Noughts",
      .about = "three in a line",
      .move_syntax = "a square, as B2",
      .options = {{.name = "misere", .about = "three in a line lose"}},
      .variants = {"", "-misere"},
  });
}

}  // namespace pbm
