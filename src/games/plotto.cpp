// SPDX-License-Identifier: MIT
// Plotto (rules/plotto.md): players lay numbered hexes side by side. Four in a line with your
// number at both ends win.
#include <climits>

#include "games/plotto_field.hpp"
#include "games/plotto_knowledge.hpp"
#include "games/registry.hpp"

namespace pbm {
namespace {

using plotto::Field;
using plotto::Hex;
using plotto::HexState;
using plotto::kAxisCount;
using plotto::kNeighbours;
using plotto::kNumberBits;
using plotto::kPieceNumberBit;
using plotto::Neighbour;
using plotto::number_bit;
using plotto::step_along;

constexpr int kMaxSeats = 4;
constexpr int kMaxNumber = 4;
constexpr int kLineLength = 4;                 // pieces in a line
constexpr int kColumnWidth = 3;                // characters from one column of hexes to the next
constexpr int kFirstColumn = 3;                // text column of the leftmost digit or letter
constexpr std::size_t kMaxListedOpenings = 6;  // openings that a sentence lists

class Plotto {
 public:
  struct Move {
    Hex hex;
    std::uint8_t number;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Plotto(int seats, bool tournament)
      : seat_count_(static_cast<std::uint8_t>(seats)),
        playing_seats_(static_cast<std::uint8_t>((1U << seats) - 1)),
        is_tournament_(tournament) {}

  static Result<Plotto> start(const Options& options, int seats);

  int seats() const { return seat_count_; }
  Seat to_move() const { return mover_; }
  bool is_over() const { return end_ != End::playing; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (is_over()) return;
    field_.each_opening([&](Hex at, HexState cell) {
      for (int number = 1; number <= kMaxNumber; ++number)
        if (!(cell & number_bit(number))) f(Move{at, static_cast<std::uint8_t>(number)});
    });
  }

  void play(Move m);
  void skip_turn() { next_seat(); }
  void eliminate(Seat seat);

  std::string text(Move m) const { return opening_name_at(m.hex) + digit_text(m.number); }
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
    f(digit_text(m.number) + opening_name_at(m.hex));
  }
  std::vector<SpotId> selected_spots(Move m) const { return {spot(m.hex)}; }
  std::vector<SpotId> changed_spots(Move m) const { return {spot(m.hex)}; }
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string warning(Move m) const;
  Reason purpose(Move m) const;
  std::string side_name(Seat seat) const {
    return digit_text(seat + 1) + (is_tournament_ ? "-" + digit_text(end_partner(seat + 1)) : "");
  }
  std::string holdings(Seat) const { return ""; }
  Drawing draw(const View& view) const;
  std::vector<std::string> description_lines() const;

  // For the engine; see plotto_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    plotto::Board board(seat_count_, playing_seats_, is_tournament_);
    for (const Hex at : field_.sorted_pieces()) board.add_piece(at, number_at(at));
    board.set_mover(mover_);
    return board.has_room() ? f(board) : f(*this);
  }
  Move state_move(const plotto::Board& board, plotto::Board::Move m) const {
    return {board.move_hex(m), m.number};
  }

  friend bool operator==(const Plotto&, const Plotto&) = default;

 private:
  enum class End : std::uint8_t { playing, won, full };

  static SpotId spot(Hex at) { return (at.column + (1 << 14)) << 15 | (at.row + (1 << 14)); }
  static std::string digit_text(int n) { return std::string(1, static_cast<char>('0' + n)); }
  static std::string opening_name(std::size_t index);

  int number_at(Hex at) const {
    return std::countr_zero(unsigned{kPieceNumberBit[field_.state(at)]}) + 1;
  }
  // Returns the number at the other end of a line that begins with `number`.
  int end_partner(int number) const {
    return is_tournament_ ? (number + 1) % kMaxNumber + 1 : number;
  }

  // "Winning" (rules/plotto.md): returns as bits the seats that get a line by the piece of `m`.
  unsigned line_seats(Move m) const {
    const unsigned bit = number_bit(m.number);
    if (!is_tournament_)
      return field_.completed_line_ends(m.hex, bit, [](unsigned b) { return b; }) & playing_seats_;
    // 1 goes with 3 and 2 with 4, in either order: bits 0 and 2 are player 1's, bits 1 and 3 player
    // 2's.
    const unsigned ends = field_.completed_line_ends(
        m.hex, bit, [](unsigned b) { return (b << 2 | b >> 2) & kNumberBits; });
    return (ends | ends >> 2) & playing_seats_;
  }
  // "Winning": returns the winner if `seats` have lines. If they are several, only the mover wins.
  std::optional<Seat> winner(unsigned seats) const {
    if (seats & (1U << mover_)) return mover_;
    if (std::has_single_bit(seats)) return std::countr_zero(seats);
    return std::nullopt;
  }
  void next_seat();

  std::vector<Hex> shown_openings(const View& view) const;
  std::string opening_name_at(Hex at) const {
    return opening_name(field_.count_openings_before(at));
  }
  std::string openings_text() const;
  std::string longer_openings_hint(std::string_view typed) const;
  std::string free_numbers_text(Hex at) const;
  std::string openings_text_for(int number) const;
  std::string line_pattern(Seat seat) const {
    return digit_text(seat + 1) + "xx" + digit_text(end_partner(seat + 1));
  }
  std::string neighbours_text(Hex at) const;  // "1 above and 2 lower right"
  bool is_line(Hex from, int axis, Seat seat) const;
  // Returns the empty hexes where the seat's number would end a line after pieces in the gaps
  // between. Other pieces may spoil a gap later.
  std::vector<SpotId> line_ends(Seat seat) const;

  struct Opening {
    Hex hex;
    std::size_t end_offset;  // offset after its letters
  };
  Result<Opening> read_opening(std::string_view typed, std::size_t from) const;
  Result<Move> read_number(std::string_view typed, Opening opening) const;
  Refusal refuse_equal_neighbour(Hex at, int number, std::size_t offset,
                                 const std::string& hint = "") const;

  Field field_;
  Hex last_piece_;  // the piece that ended the game
  std::uint8_t seat_count_;
  std::uint8_t playing_seats_;  // the bits of the seats still playing
  bool is_tournament_;
  End end_ = End::playing;
  std::uint8_t mover_ = 0;
  std::uint8_t winner_ = 0;
  bool has_several_lines_ = false;  // the last piece made lines for other seats too
};

void Plotto::next_seat() {
  do mover_ = static_cast<std::uint8_t>((mover_ + 1) % seat_count_);
  while (!(playing_seats_ & (1U << mover_)));
}

void Plotto::play(Move m) {
  const unsigned lines = line_seats(m);
  field_.lay_piece(m.hex, m.number);
  if (const auto won = winner(lines)) {
    end_ = End::won;
    winner_ = static_cast<std::uint8_t>(*won);
    has_several_lines_ = !std::has_single_bit(lines);
    last_piece_ = m.hex;
  } else if (field_.choice_count() == 0) {
    end_ = End::full;
  }
  next_seat();
}

// "Giving up": skips the turns of the seat from now on, and its lines count for no player.
void Plotto::eliminate(Seat seat) {
  playing_seats_ &= static_cast<std::uint8_t>(~(1U << seat));
  check(playing_seats_ != 0, "every seat of a Plotto game was dropped");
  if (mover_ == seat) next_seat();
}

bool Plotto::is_line(Hex from, int axis, Seat seat) const {
  for (int i = 0; i < kLineLength; ++i)
    if (!kPieceNumberBit[field_.state(step_along(from, axis, i))]) return false;
  const int first = number_at(from), last = number_at(step_along(from, axis, kLineLength - 1));
  const int own = seat + 1;
  return (first == own && last == end_partner(own)) || (first == end_partner(own) && last == own);
}

std::optional<Outcome> Plotto::outcome() const {
  if (!is_over()) return std::nullopt;
  if (end_ == End::full) return Outcome{std::nullopt, "No number fits anywhere", {}};
  Outcome out{Seat{winner_}, "", {}};
  constexpr std::array<const char*, kAxisCount> ways{"runs straight down", "falls to the right",
                                                     "rises to the right"};
  for (int axis = 0; axis < kAxisCount; ++axis)
    for (int back = kLineLength - 1; back >= 0; --back) {
      const Hex from = step_along(last_piece_, axis, -back);
      if (!is_line(from, axis, winner_)) continue;
      std::string numbers;
      for (int i = 0; i < kLineLength; ++i) {
        const Hex at = step_along(from, axis, i);
        numbers += digit_text(number_at(at)) + " ";
        out.spots.push_back(spot(at));
      }
      out.reason +=
          (out.reason.empty() ? "" : ", ") + numbers + ways[static_cast<std::size_t>(axis)];
    }
  if (has_several_lines_)
    out.reason += ". Several players have a line, so the player who placed the piece wins";
  std::ranges::sort(out.spots);
  out.spots.erase(std::unique(out.spots.begin(), out.spots.end()), out.spots.end());
  return out;
}

// "Openings": a to z, then aa, ab, ... zz, then three letters.
std::string Plotto::opening_name(std::size_t index) {
  std::string out;
  for (++index; index > 0; index = (index - 1) / 26)
    out.insert(out.begin(), static_cast<char>('a' + (index - 1) % 26));
  return out;
}

std::string Plotto::openings_text() const {
  const std::size_t n = field_.opening_count();
  return n == 1 ? "The only opening is a" : "Openings: a to " + opening_name(n - 1);
}

// Returns " (or type on: aa to ac)" if `typed` begins the letters of other openings too, or "".
std::string Plotto::longer_openings_hint(std::string_view typed) const {
  const std::size_t n = field_.opening_count();
  const std::string first = lower(typed) + "a";
  std::size_t index = 0;
  for (const char c : first) index = index * 26 + static_cast<std::size_t>(c - 'a') + 1;
  if (index > n) return "";
  const std::size_t last = std::min(index + 24, n - 1);
  const std::string_view join = last == index ? " or " : " to ";
  return " (or type on: " + first +
         (last == index - 1 ? "" : std::string(join) + opening_name(last)) + ")";
}

std::string Plotto::free_numbers_text(Hex at) const {
  std::vector<std::string> numbers;
  for (int n = 1; n <= kMaxNumber; ++n)
    if (!(field_.state(at) & number_bit(n))) numbers.push_back(digit_text(n));
  return join_with_or(numbers);
}

// Returns the openings that take `number`, for example "b, c or e", or "".
std::string Plotto::openings_text_for(int number) const {
  std::vector<std::string> names;
  std::size_t index = 0;
  for (const Hex at : field_.sorted_openings()) {
    if (!(field_.state(at) & number_bit(number))) names.push_back(opening_name(index));
    ++index;
  }
  if (names.size() > kMaxListedOpenings) {
    names.resize(kMaxListedOpenings - 1);
    names.emplace_back("another");
  }
  return join_with_or(names);
}

// Reads the letters of an opening. "Openings": players can play only on lettered hexes.
Result<Plotto::Opening> Plotto::read_opening(std::string_view typed, std::size_t from) const {
  if (!is_letter(typed[from]))
    return Refusal{quote_character_at(typed, from) + " is not an opening. " + openings_text() + ".",
                   from};
  const std::size_t n = field_.opening_count();
  // `good` is the offset after the longest beginning that names an opening.
  std::size_t end = from, good = from, count = 0;
  for (; end < typed.size() && is_letter(typed[end]); ++end) {
    if (count > n) continue;
    count = count * 26 + static_cast<std::size_t>(lower(typed[end]) - 'a') + 1;
    if (count <= n) good = end + 1;
  }
  if (good == end) return Opening{field_.sorted_openings()[count - 1], end};
  const std::string name = fit(lower(typed.substr(from, end - from)), 12);
  return Refusal{"There is no opening " + name + ". " + openings_text() + ".", good};
}

// "Numbers": a piece may not touch a piece of its own number.
Refusal Plotto::refuse_equal_neighbour(Hex at, int number, std::size_t offset,
                                       const std::string& hint) const {
  std::vector<std::string> sides;
  bool named = false;  // true if a side, such as "above it", names the hex; these come first
  for (const Neighbour& side : kNeighbours) {
    if (!(kPieceNumberBit[field_.state(step_along(at, side.axis, side.steps))] &
          number_bit(number)))
      continue;
    sides.push_back(side.axis == 0 ? std::string(side.name) + " it"
                                   : "to the " + std::string(side.name));
    named = named || side.axis == 0;
  }
  const std::string name = opening_name_at(at),
                    where = join_with_and(sides) + (named ? "" : " of it");
  return Refusal{"A " + digit_text(number) + " at " + name + " may not touch the " +
                     digit_text(number) + (sides.size() > 1 ? "s " : " ") + where + ". " + name +
                     " takes " + free_numbers_text(at) + hint + ".",
                 offset};
}

// Reads the number in a move that began with an opening.
Result<Plotto::Move> Plotto::read_number(std::string_view typed, Opening opening) const {
  const std::string name = opening_name_at(opening.hex), choices = free_numbers_text(opening.hex);
  const std::size_t at = opening.end_offset;
  if (at == typed.size())
    return Refusal{
        "Which number goes at " + name + "? Add " + choices + longer_openings_hint(name) + ".", at};
  if (!is_digit(typed[at]))
    return Refusal{
        quote_character_at(typed, at) + " is not a number. " + name + " takes " + choices + ".",
        at};
  const int number = typed[at] - '0';
  if (number < 1 || number > kMaxNumber)
    return Refusal{
        "There is no number " + digit_text(number) + ". " + name + " takes " + choices + ".", at};
  if (field_.state(opening.hex) & number_bit(number))
    return refuse_equal_neighbour(opening.hex, number, at);
  return Move{opening.hex, static_cast<std::uint8_t>(number)};
}

Result<Plotto::Move> Plotto::parse(std::string_view typed) const {
  if (typed.empty()) {
    const Hex first = field_.sorted_openings().front();
    const std::string number = free_numbers_text(first).substr(0, 1);
    return Refusal{
        "Type an opening and a number. a" + number + " puts a " + number + " at opening a.", 0};
  }
  const auto too_long = [&](Move m, std::size_t at) {
    return Refusal{"Too long. A move is one opening and one number, for example " + text(m) + ".",
                   at};
  };
  if (!is_digit(typed[0])) {
    if (!is_letter(typed[0]))
      return Refusal{quote_character_at(typed, 0) + " is not an opening or a number. " +
                         openings_text() + ". Numbers: 1 to 4.",
                     0};
    const auto opening = read_opening(typed, 0);
    if (!opening) return opening.refusal();
    const auto move = read_number(typed, *opening);
    if (move && opening->end_offset + 1 < typed.size())
      return too_long(*move, opening->end_offset + 1);
    return move;
  }
  const int number = typed[0] - '0';
  if (number < 1 || number > kMaxNumber)
    return Refusal{"There is no number " + digit_text(number) + ". Numbers: 1 to 4.", 0};
  if (typed.size() == 1) {
    const std::string openings = openings_text_for(number);
    if (openings.empty())
      return Refusal{"No opening takes a " + digit_text(number) + ". Each touches a " +
                         digit_text(number) + ", so place another number.",
                     0};
    return Refusal{"Where does the " + digit_text(number) + " go? Add " + openings + ".", 1};
  }
  const auto opening = read_opening(typed, 1);
  if (!opening) return opening.refusal();
  if (field_.state(opening->hex) & number_bit(number))
    return refuse_equal_neighbour(
        opening->hex, number, 1,
        opening->end_offset == typed.size() ? longer_openings_hint(typed.substr(1)) : "");
  const Move move{opening->hex, static_cast<std::uint8_t>(number)};
  if (opening->end_offset < typed.size()) return too_long(move, opening->end_offset);
  return move;
}

std::string Plotto::warning(Move m) const {
  const unsigned lines = line_seats(m);
  const auto won = winner(lines);
  if (won == mover_) return "";
  if (won)
    return "This makes a line " + line_pattern(*won) + ". Player " + digit_text(*won + 1) +
           " wins.";
  return lines ? "This makes lines for several other players, so none of them counts." : "";
}

std::vector<SpotId> Plotto::line_ends(Seat seat) const {
  std::vector<SpotId> out;
  for (const Hex from : field_.sorted_pieces())
    for (const int number : {seat + 1, end_partner(seat + 1)})
      for (const Neighbour& side : kNeighbours) {
        const int wanted = end_partner(number);
        const Hex to = step_along(from, side.axis, side.steps * (kLineLength - 1));
        bool fits = number_at(from) == number &&
                    !(field_.state(to) & (plotto::kPieceBit | number_bit(wanted)));
        for (int i = 1; i < kLineLength - 1; ++i) {
          const HexState gap = field_.state(step_along(from, side.axis, side.steps * i));
          fits = fits && ((gap & plotto::kPieceBit) || (gap & kNumberBits) != kNumberBits);
        }
        if (fits) out.push_back(spot(to));
      }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Reason Plotto::purpose(Move m) const {
  Plotto next = *this;
  next.play(m);
  if (next.is_over()) return {};
  const auto count = [](const Plotto& field, Seat s) {
    return static_cast<int>(field.line_ends(s).size());
  };
  const auto change = [&](Seat s) { return count(next, s) - count(*this, s); };
  std::vector<std::string> left, changed;
  // Compared with each opponent.
  bool is_ahead = change(mover_) >= 0, gains = true;
  for (Seat s = 0; s < seat_count_; ++s) {
    if (!(playing_seats_ & (1U << s))) continue;
    const std::string whose = " for player " + digit_text(s + 1);
    const auto now = index(count(next, s));
    left.push_back(
        (left.empty() ? format_count(now, "place", "places") + " where a line of four may still end"
                      : std::to_string(now)) +
        whose);
    changed.push_back(
        (change(s) == 0 ? "still " : "from " + std::to_string(count(*this, s)) + " to ") +
        std::to_string(now) + whose);
    if (s == mover_) continue;
    is_ahead = is_ahead && count(next, mover_) > count(next, s);
    gains = gains && change(mover_) > change(s);
  }
  if (!is_ahead && !gains) return {};
  return {is_ahead
              ? "leaves " + join_with_and(left)
              : "changes the places where a line of four may still end: " + join_with_and(changed),
          next.line_ends(mover_)};
}

// "Decided here": a finished game shows no letters.
std::vector<Hex> Plotto::shown_openings(const View& view) const {
  return is_over() || view.is_finished ? std::vector<Hex>{} : field_.sorted_openings();
}

// Writes `mark` into `row` at `column`.
void write_mark(std::string& row, int column, std::string_view mark) {
  const auto at = static_cast<std::size_t>(column);
  if (row.size() < at + mark.size()) row.resize(at + mark.size(), ' ');
  row.replace(at, mark.size(), mark);
}

Drawing Plotto::draw(const View& view) const {
  const std::vector<Hex> pieces = field_.sorted_pieces(), openings = shown_openings(view);
  Drawing out;
  if (pieces.empty() && openings.empty()) {  // given up before the first piece
    out.rows.emplace_back();
    return out;
  }
  // "The board": the drawing shows only the pieces with their borders and the openings.
  int left = INT16_MAX, top = INT_MAX, bottom = INT_MIN;
  const auto make_room = [&](Hex at, int border) {
    left = std::min<int>(left, at.column);
    top = std::min(top, at.drawing_line() - border);
    bottom = std::max(bottom, at.drawing_line() + border);
  };
  for (const Hex at : pieces) make_room(at, 1);
  for (const Hex at : openings) make_room(at, 0);
  out.rows.resize(static_cast<std::size_t>(bottom - top + 1));
  const auto place = [&](Hex at, std::string name, std::string what, int width, SpotRole role) {
    Spot s;
    s.id = spot(at);
    s.name = std::move(name);
    s.content = std::move(what);
    s.row = at.drawing_line() - top;
    s.column = kFirstColumn + kColumnWidth * (at.column - left);
    s.width = width;
    s.role = role;
    out.spots.push_back(std::move(s));
    return out.spots.back();
  };
  constexpr std::array<SpotRole, kMaxNumber> roles{SpotRole::piece1, SpotRole::piece2,
                                                   SpotRole::piece3, SpotRole::piece4};
  for (const Hex at : pieces) {
    const int number = number_at(at);
    const Spot s = place(at, "", "piece " + digit_text(number), 2,
                         roles[static_cast<std::size_t>(number - 1)]);
    std::string* row = &out.rows[static_cast<std::size_t>(s.row)];
    write_mark(row[-1], s.column, "__");
    write_mark(row[0], s.column - 1, "/" + digit_text(number) + " \\");
    write_mark(row[1], s.column - 1, "\\__/");
  }
  // Openings come last, because three letters (beyond zz) cover a border.
  for (std::size_t i = 0; i < openings.size(); ++i) {
    const Spot s = place(openings[i], opening_name(i), "",
                         std::max(2, static_cast<int>(opening_name(i).size())), SpotRole::opening);
    write_mark(out.rows[static_cast<std::size_t>(s.row)], s.column, s.name);
  }
  return out;
}

std::string Plotto::neighbours_text(Hex at) const {
  std::vector<std::string> out;
  for (const Neighbour& side : kNeighbours)
    if (const Hex next = step_along(at, side.axis, side.steps); kPieceNumberBit[field_.state(next)])
      out.push_back(digit_text(number_at(next)) + " " + side.name);
  return join_with_and(out);
}

// Names the neighbours and not the letter, because letters change after the ply.
std::string Plotto::describe(Move m) const {
  const std::string beside = neighbours_text(m.hex);
  return "places a " + digit_text(m.number) +
         (beside.empty() ? ", the first" : " beside the " + beside);
}

std::vector<std::string> Plotto::description_lines() const {
  if (field_.piece_count() == 0)
    return {"There are no pieces yet. The only opening is a, for any number."};
  const std::vector<Hex> openings = shown_openings({});
  std::vector<Hex> all = field_.sorted_pieces();
  const std::size_t pieces = all.size();
  all.insert(all.end(), openings.begin(), openings.end());
  std::ranges::sort(all);
  const int lowest = std::ranges::max_element(all, [](Hex a, Hex b) {
                       return a.drawing_line() < b.drawing_line();
                     })->drawing_line();
  const int columns = all.back().column - all.front().column + 1;
  std::vector<std::string> out{"There " + std::string(pieces == 1 ? "is " : "are ") +
                                   format_count(pieces, "piece", "pieces") + " and " +
                                   format_count(openings.size(), "opening", "openings") + " in " +
                                   std::to_string(columns) + " columns.",
                               "Heights count half hexes from the bottom. Neighbours are 2 apart "
                               "in a column, 1 apart in the next column."};
  if (is_over())
    out[0] = "The game is over, with " + format_count(pieces, "piece", "pieces") + " in " +
             std::to_string(columns) + " columns.";
  for (std::size_t i = 0; i < all.size();) {
    const int column = all[i].column;
    std::string line =
        "Column " + std::to_string(column - all.front().column + 1) + " from the left, downwards:";
    for (const char* comma = " "; i < all.size() && all[i].column == column; ++i, comma = ", ") {
      const bool piece = kPieceNumberBit[field_.state(all[i])] != 0;
      line +=
          comma + (piece ? digit_text(number_at(all[i])) : "opening " + opening_name_at(all[i]));
      line += " at height " + std::to_string(lowest - all[i].drawing_line() + 1);
    }
    out.push_back(line + ".");
  }
  for (const Hex at : openings)
    out.push_back("Opening " + opening_name_at(at) + " touches " + neighbours_text(at) +
                  ". It takes " + free_numbers_text(at) + ".");
  return out;
}

Result<Plotto> Plotto::start(const Options& options, int seats) {
  if (seats < 2 || seats > kMaxSeats) return Refusal{"Plotto is for two, three or four players."};
  const bool tournament = options.has("tournament");
  if (tournament && seats > 2)
    return Refusal{"Only two players can play with -tournament. Leave it out for three or four."};
  return Plotto(seats, tournament);
}

}  // namespace

GameType plotto_row() {
  return game_row<Plotto>({
      .name = "plotto",
      .title = "Plotto",
      .summary = "place numbers; get yours at both ends of a line of four",
      .move_syntax = "an opening and a number, such as e1",
      .introduction =
          "Letters mark openings for the next piece. Place any number, but not beside an "
          "equal one. Four in a line with your number at both ends win. Your number stands "
          "before your name.",
      .min_seats = 2,
      .max_seats = kMaxSeats,
      .options = {{.name = "tournament", .summary = "for two players; lines 1xx3 and 2xx4 win"}},
      .variants = {"", "-tournament"},
  });
}

}  // namespace pbm
