// SPDX-License-Identifier: MIT
// Toot and Tootris (rules/toot.md): players drop letters down columns, and four in a line spell a
// name.
#include <algorithm>
#include <array>

#include "games/registry.hpp"
#include "games/toot_book.hpp"

namespace pbm {
namespace {

constexpr int kMaxColumns = 14;
constexpr int kMaxRows = 20;
constexpr int kNameLength = 4;  // letters in a name
constexpr int kPadding =
    kNameLength - 1;  // empty columns and rows around the board, for windows beyond it

enum Letter : std::uint8_t { kT, kO };
constexpr char letter_character(Letter l) { return l == kT ? 'T' : 'O'; }

struct BoardSize {
  int width = 6, height = 4;
};

// The four directions of a name, as the step from one letter to the next.
struct NameDirection {
  int column, row;
};
constexpr std::array<NameDirection, 4> kNameDirections{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};

class Toot {
 public:
  struct Move {
    std::uint8_t column;
    Letter letter;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Toot(BoardSize size, bool tootris)
      : width_(static_cast<std::uint8_t>(size.width)),
        height_(static_cast<std::uint8_t>(size.height)),
        is_tootris_(tootris),
        open_columns_(width_),
        empty_columns_(width_) {
    // Stock (rules/toot.md, "Letters"): of each letter a quarter of the cells, rounded up.
    for (auto& stock : stock_)
      stock.fill(static_cast<std::uint8_t>((size.width * size.height + 3) / 4));
  }

  static Result<Toot> start(const Options& options, int seats);

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool is_over() const { return end_ != End::playing; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (is_over()) return;
    for (std::uint8_t c = 0; c < width_; ++c) {
      if (column_heights_[c] == height_) continue;
      for (Letter l : {kO, kT})
        if (has_letter(mover_, l)) f(Move{c, l});
    }
  }

  void play(Move m);
  void skip_turn() { mover_ ^= 1U; }

  std::string text(Move m) const {
    return {static_cast<char>('A' + m.column), letter_character(m.letter)};
  }
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
    f({letter_character(m.letter),
       static_cast<char>('A' + m.column)});  // no board has columns O and T
  }
  std::vector<SpotId> selected_spots(Move m) const {
    return {spot(m.column, column_heights_[m.column])};
  }
  std::vector<SpotId> changed_spots(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string warning(Move m) const;
  Reason purpose(Move m) const;
  std::string side_name(Seat seat) const { return seat == 0 ? "TOOT" : "OTTO"; }
  std::string holdings(Seat seat) const;
  Drawing draw(const View&) const;
  std::vector<std::string> description_lines() const;

  // For the engine; see toot_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    if (toot::Board<std::uint64_t, false>::can_hold(width_, height_))
      return is_tootris_ ? f(make_board<std::uint64_t, true>())
                         : f(make_board<std::uint64_t, false>());
    if (toot::Board<toot::Word128, false>::can_hold(width_, height_))
      return is_tootris_ ? f(make_board<toot::Word128, true>())
                         : f(make_board<toot::Word128, false>());
    return f(*this);
  }
  static std::optional<int> known_outcome(const toot::BookBoard& board) {
    return toot::find_in_book(board);
  }
  // For boards that are too large for toot::Board.
  static constexpr engine::LevelRungs kRungs{0, 15, 18, 20, 39, 51, 64, 78, 90};
  const engine::LevelRungs& level_rungs() const { return kRungs; }
  template <class Word, bool kTootris>
  Move state_move(const toot::Board<Word, kTootris>& board,
                  typename toot::Board<Word, kTootris>::Move m) const {
    return {static_cast<std::uint8_t>(board.move_column(m)), m.letter == toot::kT ? kT : kO};
  }

  friend bool operator==(const Toot&, const Toot&) = default;

 private:
  enum class End : std::uint8_t { playing, toot, otto, full };
  static constexpr unsigned kTootBit = 1, kOttoBit = 2;  // bits of spelled_names()

  static SpotId spot(int column, int row) { return row * kMaxColumns + column; }
  bool has_letter(Seat seat, Letter l) const { return is_tootris_ || stock_[seat][l] > 0; }
  bool has_letter_at(int column, int row, Letter l) const {
    return (cells_[l][column + kPadding] >> (row + kPadding)) & 1U;
  }
  char character_at(int column, int row) const {
    return has_letter_at(column, row, kT) ? 'T' : has_letter_at(column, row, kO) ? 'O' : '.';
  }

  template <class Word, bool kTootris>
  toot::Board<Word, kTootris> make_board() const {
    toot::Board<Word, kTootris> out(width_, height_, mover_);
    for (int c = 0; c < width_; ++c)
      for (int r = 0; r < column_heights_[c]; ++r)
        out.put_letter(c, r, has_letter_at(c, r, kT) ? toot::kT : toot::kO);
    for (Seat seat : {0, 1})
      for (const Letter l : {kT, kO})
        out.set_stock(seat, l == kT ? toot::kT : toot::kO, stock_[seat][l]);
    out.finish_setup();
    return out;
  }

  // The lines on which a name still fits, by the letters alone: other places are empty.
  struct OpenLines {
    int count = 0;
    std::vector<SpotId> almost_full = {};  // one through `through` with one letter to come
    std::string missing = {};              // that letter, not to be dropped yet: "O in column C"
  };
  OpenLines open_lines(Seat seat, std::optional<SpotId> through = {}) const;
  unsigned spelled_names(Move m) const;
  void drop_bottom_row();
  std::string letters_left_text(Seat seat) const;
  std::string columns_text() const;
  std::string open_columns_text() const;
  std::string letter_first_hint(std::string_view typed) const;

  // One bit for each cell, by letter and column. Columns and rows start after the padding; row 0 is
  // at the bottom.
  std::array<std::array<std::uint32_t, kMaxColumns + 2 * kPadding>, 2> cells_{};
  std::array<std::uint8_t, kMaxColumns> column_heights_{};  // pieces in a column
  std::array<std::array<std::uint8_t, 2>, 2> stock_{};      // [seat][letter], unused in Tootris
  std::uint8_t width_, height_;
  bool is_tootris_;
  std::uint8_t open_columns_, empty_columns_;  // columns not full, columns without a piece
  std::uint8_t mover_ = 0;
  End end_ = End::playing;
  std::uint8_t last_column_ = 0, last_row_ = 0,
               last_names_ = 0;  // set when a name ended the game
};

// Returns the names that the piece of `m` completes. Both words are palindromes, so one test reads
// them in both directions. Windows of seven cells around the piece hold every line of four through
// it.
unsigned Toot::spelled_names(Move m) const {
  const int row = column_heights_[m.column];
  const auto windows = [&](Letter l) {
    const std::uint32_t* column = &cells_[l][m.column];  // the first column of the windows
    std::uint32_t across = 0, rising = 0, falling = 0;
    for (int i = 0; i < 2 * kPadding + 1; ++i) {
      across |= ((column[i] >> (row + kPadding)) & 1U) << i;
      rising |= ((column[i] >> (row + i)) & 1U) << i;
      falling |= ((column[i] >> (row + 2 * kPadding - i)) & 1U) << i;
    }
    const std::uint32_t down = (column[kPadding] >> row) & 0x7FU;
    std::uint32_t packed = across | rising << 8 | falling << 16 | down << 24;
    if (l == m.letter) packed |= 0x08080808U;  // the piece itself, in the middle of each window
    return packed;
  };
  const std::uint32_t t = windows(kT), o = windows(kO);
  constexpr std::uint32_t starts = 0x0F0F0F0FU;
  const std::uint32_t toot = t & (o >> 1) & (o >> 2) & (t >> 3) & starts;
  const std::uint32_t otto = o & (t >> 1) & (t >> 2) & (o >> 3) & starts;
  return (toot ? kTootBit : 0) | (otto ? kOttoBit : 0);
}

void Toot::play(Move m) {
  const unsigned spelled = spelled_names(m);
  const int row = column_heights_[m.column]++;
  cells_[m.letter][m.column + kPadding] |= 1U << (row + kPadding);
  if (row == 0) --empty_columns_;
  if (row + 1 == height_) --open_columns_;
  if (!is_tootris_) --stock_[mover_][m.letter];
  if (spelled != 0) {
    // "Winning": the player's own name counts first, even if the opponent's stands there too.
    const unsigned own = mover_ == 0 ? kTootBit : kOttoBit;
    const bool toot = (spelled & own) ? mover_ == 0 : mover_ != 0;
    end_ = toot ? End::toot : End::otto;
    last_column_ = m.column;
    last_row_ = static_cast<std::uint8_t>(row);
    last_names_ = static_cast<std::uint8_t>(spelled);
  } else if (is_tootris_) {
    if (empty_columns_ == 0) drop_bottom_row();
  } else if (open_columns_ == 0) {
    end_ = End::full;
  }
  mover_ ^= 1U;
}

void Toot::drop_bottom_row() {
  constexpr std::uint32_t board_rows = ~((1U << kPadding) - 1U);
  for (auto& letter : cells_)
    for (std::uint32_t& column : letter) column = (column >> 1) & board_rows;
  open_columns_ = width_;
  empty_columns_ = 0;
  for (int c = 0; c < width_; ++c)
    if (--column_heights_[c] == 0) ++empty_columns_;
}

std::optional<Outcome> Toot::outcome() const {
  if (!is_over()) return std::nullopt;
  if (end_ == End::full) return Outcome{std::nullopt, "The board is full and has no name", {}};
  const Seat winner = end_ == End::toot ? 0 : 1;
  const std::array<Letter, 2> outer_inner = winner == 0 ? std::array{kT, kO} : std::array{kO, kT};
  Outcome out{winner, "", {}};
  for (const NameDirection d : kNameDirections)
    for (int back = 0; back < kNameLength; ++back) {
      const int c = last_column_ - back * d.column, r = last_row_ - back * d.row;
      bool here = true;
      for (int i = 0; i < kNameLength && here; ++i) {
        const int cc = c + i * d.column, rr = r + i * d.row;
        here = cc >= 0 && cc < width_ && rr >= 0 && rr < height_ &&
               has_letter_at(cc, rr, outer_inner[i == 1 || i == 2]);
      }
      if (!here) continue;
      if (out.reason.empty()) {
        const std::string from(1, static_cast<char>('A' + c)),
            to(1, static_cast<char>('A' + c + 3));
        out.reason = side_name(winner) + " stands ";
        if (d.column == 0) out.reason += "in column " + from;
        else if (d.row == 0)
          out.reason +=
              (r == 0 ? "in the bottom row" : "in row " + std::to_string(r + 1) + " from below") +
              ", " + from + " to " + to;
        else
          out.reason += std::string("on the ") + (d.row > 0 ? "rising" : "falling") +
                        " diagonal from " + from + " to " + to;
      }
      for (int i = 0; i < kNameLength; ++i)
        out.spots.push_back(spot(c + i * d.column, r + i * d.row));
    }
  if (last_names_ == (kTootBit | kOttoBit))
    out.reason += ". The last letter made both names, so its player wins";
  std::ranges::sort(out.spots);
  out.spots.erase(std::unique(out.spots.begin(), out.spots.end()), out.spots.end());
  return out;
}

std::vector<SpotId> Toot::changed_spots(Move m) const {
  const int row = column_heights_[m.column];
  Toot next = *this;
  next.play(m);
  // In Tootris the piece may have dropped by a row, or disappeared with the bottom row.
  const int fell = !next.is_over() && next.column_heights_[m.column] == row ? 1 : 0;
  if (row < fell) return {};
  return {spot(m.column, row - fell)};
}

std::string Toot::columns_text() const {
  if (width_ == 1) return "The only column is A";
  return std::string("The columns are A to ") + static_cast<char>('A' + width_ - 1);
}

std::string Toot::open_columns_text() const {
  std::vector<std::string> names;
  for (int c = 0; c < width_; ++c)
    if (column_heights_[c] < height_) names.emplace_back(1, static_cast<char>('A' + c));
  const bool one_block = names.size() > 2 && names.back()[0] - names[0][0] + 1 == std::ssize(names);
  return one_block ? names.front() + " to " + names.back() : join_with_and(names);
}

std::string Toot::letters_left_text(Seat seat) const {
  if (!has_letter(seat, kT)) return "O";
  return has_letter(seat, kO) ? "T or O" : "T";
}

// Returns a hint for a letter before its column, as in TB, or "". No board has columns O and T.
std::string Toot::letter_first_hint(std::string_view typed) const {
  const char l = upper(typed[0]), column = typed.size() == 2 ? upper(typed[1]) : ' ';
  const bool turned = (l == 'T' || l == 'O') && column >= 'A' && column < 'A' + width_;
  return turned ? std::string(" Write the column first: ") + column + l + "." : "";
}

Result<Toot::Move> Toot::parse(std::string_view typed) const {
  if (typed.empty()) return Refusal{"Type a column and a letter. BT drops a T down column B.", 0};
  const int column = lower(typed[0]) - 'a';
  if (!is_letter(typed[0]))
    return Refusal{quote_character_at(typed, 0) + " is not a column. " + columns_text() + ".", 0};
  if (column >= width_)
    return Refusal{std::string("There is no column ") + upper(typed[0]) + ". " + columns_text() +
                       "." + letter_first_hint(typed),
                   0};
  const std::string name(1, upper(typed[0]));
  const std::string choices = letters_left_text(mover_);
  if (column_heights_[column] == height_)
    return Refusal{"Column " + name + " is full. Open columns: " + open_columns_text() + ".", 0};
  if (typed.size() == 1)
    return Refusal{"Which letter goes down column " + name + "? Add " + choices + ".", 1};
  const char l = lower(typed[1]);
  if (l != 't' && l != 'o')
    return Refusal{"You cannot drop " + quote_character_at(typed, 1) + ". Drop " + choices + ".",
                   1};
  const Letter letter = l == 't' ? kT : kO;
  if (!has_letter(mover_, letter))
    return Refusal{
        side_name(mover_) + " has no " + letter_character(letter) + " left. Drop " + choices + ".",
        1};
  if (typed.size() > 2)
    return Refusal{"Too long. A move is one column and one letter, for example " + name +
                       letter_character(letter) + ".",
                   2};
  return Move{static_cast<std::uint8_t>(column), letter};
}

std::string Toot::describe(Move m) const {
  const std::string what = std::string(m.letter == kT ? "drops a T" : "drops an O") +
                           " down column " + static_cast<char>('A' + m.column);
  const bool clears =
      is_tootris_ && spelled_names(m) == 0 && empty_columns_ == 1 && column_heights_[m.column] == 0;
  return clears ? what + " and the bottom row disappears" : what;
}

std::string Toot::warning(Move m) const {
  const unsigned spelled = spelled_names(m);
  const unsigned own = mover_ == 0 ? kTootBit : kOttoBit;
  if (spelled != 0 && !(spelled & own))
    return "This spells " + side_name(1 - mover_) + ", so your opponent wins.";
  const bool fills =
      open_columns_ == 1 && column_heights_[m.column] + 1 == height_;  // then the game is a tie
  if (spelled == 0 && !is_tootris_ && !fills && stock_[mover_][m.letter] == 1)
    return std::string("This is your last ") + letter_character(m.letter) + ".";
  return "";
}

Toot::OpenLines Toot::open_lines(Seat seat, std::optional<SpotId> through) const {
  OpenLines out;
  for (const NameDirection d : kNameDirections)
    for (int c = 0; c < width_; ++c)
      for (int r = 0; r < height_; ++r) {
        std::vector<SpotId> line;
        std::string missing;
        int empty = 0;
        for (int i = 0; i < kNameLength; ++i) {
          const int cc = c + i * d.column, rr = r + i * d.row;
          const Letter wanted = (i == 0 || i == kNameLength - 1) == (seat == 0) ? kT : kO;
          if (cc >= width_ || rr < 0 || rr >= height_ ||
              has_letter_at(cc, rr, wanted == kT ? kO : kT))
            break;
          line.push_back(spot(cc, rr));
          if (has_letter_at(cc, rr, wanted)) continue;
          ++empty;
          if (rr > column_heights_[cc])
            missing = std::string(1, letter_character(wanted)) + " in column " +
                      static_cast<char>('A' + cc) + ", row " + std::to_string(rr + 1) +
                      " from below";
        }
        if (line.size() < index(kNameLength)) continue;
        ++out.count;
        if (empty != 1 || missing.empty() || !through || !std::ranges::count(line, *through))
          continue;
        out.almost_full = line;
        out.missing = missing;
      }
  return out;
}

Reason Toot::purpose(Move m) const {
  Toot next = *this;
  next.play(m);
  const auto placed = changed_spots(m);
  if (next.is_over()) return {};
  if (placed.size() > 1) return {"fills a row, which drops out", placed};
  const OpenLines mine = next.open_lines(
                      mover_, placed.empty() ? std::nullopt : std::optional(placed.front())),
                  theirs = next.open_lines(1 - mover_);
  const std::string own = side_name(mover_), other = side_name(1 - mover_);
  if (!mine.missing.empty())
    return {"makes a line where " + own + " lacks only the " + mine.missing, mine.almost_full};
  const int spoiled = open_lines(1 - mover_).count - theirs.count;
  return {(spoiled > 0 ? "takes " + format_count(index(spoiled), "line", "lines") + " from " +
                             other + ": " + own + " still fits on "
                       : "is a quiet move: " + own + " still fits on ") +
              format_count(index(mine.count), "line", "lines") + " and " + other + " on " +
              std::to_string(theirs.count),
          {}};
}

std::string Toot::holdings(Seat seat) const {
  if (is_tootris_) return "";
  return std::to_string(stock_[seat][kT]) + " T " + std::to_string(stock_[seat][kO]) + " O";
}

Drawing Toot::draw(const View&) const {
  Drawing out;
  std::string header;
  for (int c = 0; c < width_; ++c) {
    if (c > 0) header += ' ';
    header += static_cast<char>('A' + c);
  }
  out.rows.push_back(header);
  for (int r = height_ - 1; r >= 0; --r) {
    std::string line;
    for (int c = 0; c < width_; ++c) {
      const char here = character_at(c, r);
      if (c > 0) line += ' ';
      Spot s;
      s.id = spot(c, r);
      s.name = std::string(1, static_cast<char>('A' + c));
      s.content = here == '.' ? "" : std::string(1, here);
      s.row = static_cast<int>(out.rows.size());
      s.column = static_cast<int>(line.size());
      // Both seats drop both letters, so the letters have colours that belong to no seat.
      s.role = here == 'T' ? SpotRole::piece1 : here == 'O' ? SpotRole::piece2 : SpotRole::empty;
      out.spots.push_back(std::move(s));
      line += here;
    }
    out.rows.push_back(line);
  }
  return out;
}

std::vector<std::string> Toot::description_lines() const {
  std::vector<std::string> out, empty;
  for (int c = 0; c < width_; ++c) {
    const std::string name(1, static_cast<char>('A' + c));
    if (column_heights_[c] == 0) {
      empty.push_back(name);
      continue;
    }
    std::string line = "Column " + name + " from the bottom:";
    for (int r = 0; r < column_heights_[c]; ++r) line += std::string(" ") + character_at(c, r);
    out.push_back(line + (column_heights_[c] == height_ ? ", full." : "."));
  }
  if (out.empty()) out.emplace_back("The board is empty.");
  else if (!empty.empty()) out.push_back("Empty: " + join_with_and(empty) + ".");
  out.insert(out.begin(), columns_text() + ", " + format_count(height_, "row", "rows") + " high.");
  return out;
}

constexpr std::string_view kSizeSyntax =
    "Write -size=WxH with W from 1 to 14 and H from 1 to 20, for example -size=7x9.";

// Reads one side of a size: digits only, without sign, spaces or leading zeros.
std::optional<int> read_dimension(std::string_view digits, int most) {
  const auto n = read_whole_number<int>(digits);
  return n && digits.front() != '0' && *n <= most ? n : std::nullopt;
}

std::optional<BoardSize> read_size(std::string_view value) {
  const std::size_t x = value.find_first_of("xX");
  if (x == std::string_view::npos) return std::nullopt;
  const auto width = read_dimension(value.substr(0, x), kMaxColumns),
             height = read_dimension(value.substr(x + 1), kMaxRows);
  if (!width || !height) return std::nullopt;
  return BoardSize{*width, *height};
}

Result<std::string> check_size(std::string_view value) {
  const auto size = read_size(value);
  if (!size) return Refusal{std::string(kSizeSyntax)};
  return std::to_string(size->width) + "x" + std::to_string(size->height);
}

Result<Toot> Toot::start(const Options& options, int) {
  const auto size = read_size(options.value("size", "6x4"));
  check(size.has_value(), "a Toot board was started with an unchecked size");
  return Toot(*size, options.has("tootris"));
}

std::string newcomer_note(const Options& options, int) {
  const auto size = read_size(options.value("size", "6x4"));
  if (!size || size->width >= kNameLength || size->height >= kNameLength) return "";
  return options.has("tootris")
             ? "This board is too small for a name. The game never ends by itself."
             : "This board is too small for a name. The game always ends in a tie.";
}

}  // namespace

GameType toot_row() {
  return game_row<Toot>({
      .name = "toot",
      .title = "Toot",
      .summary = "drop letters down columns; line up TOOT or OTTO",
      .move_syntax = "a column and T or O, such as BT",
      .introduction = "Both players drop Ts and Os. TOOT in a line wins for the player TOOT, OTTO "
                      "for the player "
                      "OTTO. Lines may be diagonal.",
      .options = {{.name = "size",
                   .value_syntax = "WxH",
                   .default_value = "6x4",
                   .summary = "W columns from 1 to 14, H rows from 1 to 20",
                   .check_value = check_size,
                   .example = "7x9"},
                  {.name = "tootris",
                   .summary = "unlimited letters; a full bottom row disappears",
                   .is_game_name = true}},
      .common_pieces = "TO",
      .variants = {"", "-tootris", "-size=3x3", "-size=1x1", "-size=14x20", "-size=5x5 -tootris",
                   "-size=14x20 -tootris", "-size=1x6 -tootris", "-size=4x1", "-size=3x3 -tootris",
                   "-size=7x9"},
      .newcomer_note = newcomer_note,
  });
}

}  // namespace pbm
