// SPDX-License-Identifier: MIT
// FloopRail (rules/flooprail.md): Floopers on the 32 spaces of a diamond of rails. They move one
// space or capture by Fleaps, until a player cannot move.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "games/flooprail_knowledge.hpp"
#include "games/registry.hpp"

namespace pbm {
namespace {

using namespace flooprail;

constexpr std::array<std::string_view, 4> kDirectionNames{"right", "down", "left", "up"};

std::string space_name(int bit) {
  const Place p = place_of_bit(bit);
  return {static_cast<char>('A' + p.column), static_cast<char>('0' + p.row)};
}

std::vector<std::string> space_names(SpaceSet b) {
  std::vector<std::string> out;
  each_bit(b, [&](int bit) { out.push_back(space_name(bit)); });
  std::ranges::sort(out);
  return out;
}

// Returns join_with_or() with at most six items.
std::string list_some(std::vector<std::string> items) { return join_with_or(std::move(items), 6); }

// Returns the rows of a column, for example "rows 3 to 5".
std::string row_range(int column) {
  const int reach = std::min(column, kColumnCount - 1 - column);
  if (reach == 0) return "only row 4";
  return "rows " + std::to_string(4 - reach) + " to " + std::to_string(4 + reach);
}

// Returns for example "a Flooper" or "2 Floopers".
std::string count_phrase(int n, const std::string& what) {
  return n == 1 ? "a " + what : std::to_string(n) + " " + what + "s";
}

class FloopRail : public Floopers {
 public:
  explicit FloopRail(bool reverse) : is_reverse_(reverse) {}
  static Result<FloopRail> start(const Options& options, int) {
    return FloopRail(options.has("reverse"));
  }

  bool is_over() const { return movable_floopers() == 0; }
  std::optional<Outcome> outcome() const;

  // For the engine; see flooprail_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(EngineBoard(*this, is_reverse_));
  }
  Move state_move(const EngineBoard&, Move m) const { return m; }
  int count_floopers() const { return std::popcount(floopers_[0] | floopers_[1]); }
  bool is_reverse() const { return is_reverse_; }

  std::string text(Move m) const;
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
  }
  std::vector<SpotId> selected_spots(Move m) const;
  std::vector<SpotId> changed_spots(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string warning(Move m) const;
  Reason purpose(Move m) const;
  std::string_view capture_verb() const { return is_reverse_ ? "" : "capture"; }
  std::string side_name(Seat seat) const { return seat == 0 ? "O" : "X"; }
  std::string holdings(Seat seat) const;
  Drawing draw(const View&) const;
  std::vector<std::string> description_lines() const;

  friend bool operator==(const FloopRail&, const FloopRail&) = default;

 private:
  // An unfinished move, for parse() and its sentences: no piece has moved yet, and `to` is the
  // space that the Flooper has reached.
  Move begin_move(int from) const;
  Move extend_move(Move m, unsigned d, bool fleap) const;
  bool can_go(const Move& m, unsigned d) const { return m.is_sooper || is_forward(mover_, d); }
  SpaceSet floop_targets(const Move& m) const;
  SpaceSet fleap_targets(const Move& m) const;
  SpaceSet find_movers(bool fleap) const;
  SpaceSet movable_floopers() const;
  bool has_fleap() const { return find_movers(true) != 0; }

  std::string kind_name(int bit) const {
    return (soopers_ & space_at_bit(bit)) != 0 ? "SooperFlooper" : "Flooper";
  }
  std::string piece_name(int bit) const;
  std::string fleaps_text() const;
  std::string choices_text(const Move& m) const;
  std::string choices_ending(const Move& m) const;
  Result<int> read_space(std::string_view typed, std::size_t at) const;
  std::optional<Refusal> refuse_start(int from) const;
  Refusal refuse_missing_step(int from, std::size_t at) const;
  Refusal refuse_last_dash(const Move& m, std::size_t dash) const;
  std::optional<Refusal> refuse_floop(const Move& m, unsigned d, std::size_t at) const;
  std::optional<Refusal> refuse_fleap(const Move& m, unsigned d, std::size_t at) const;
  Result<Move> read_step(const Move& m, int to, std::size_t at) const;

  bool is_reverse_;
};

// --- One move, step by step -------------------------------------------------

FloopRail::Move FloopRail::begin_move(int from) const {
  Move m;
  m.from = m.to = static_cast<std::uint8_t>(from);
  m.is_sooper = (soopers_ & space_at_bit(from)) != 0;
  return m;
}

FloopRail::Move FloopRail::extend_move(Move m, unsigned d, bool fleap) const {
  SpaceSet to = shift_spaces(space_at_bit(m.to), d);
  if (fleap) {
    m.captured |= to;
    to = shift_spaces(to, d);
  }
  m.path |= d << (2 * m.step_count++);
  m.to = static_cast<std::uint8_t>(lowest_bit(to));
  // "Goal spaces": a Flooper becomes a SooperFlooper when it lands there.
  m.is_sooper = m.is_sooper || (to & kGoalSpaces[mover_]) != 0;
  return m;
}

SpaceSet FloopRail::floop_targets(const Move& m) const {
  SpaceSet out = 0;
  if (m.step_count > 0) return out;
  for (unsigned d = 0; d < 4; ++d)
    if (can_go(m, d)) out |= shift_spaces(space_at_bit(m.to), d) & empty_spaces();
  return out;
}

SpaceSet FloopRail::fleap_targets(const Move& m) const {
  SpaceSet out = 0;
  const SpaceSet prey = opponent_floopers() & ~m.captured,
                 free = empty_spaces() | space_at_bit(m.from);
  for (unsigned d = 0; d < 4; ++d)
    if (can_go(m, d)) out |= fleap_landings(space_at_bit(m.to), prey, free, d);
  return out;
}

// Returns the mover's Floopers that can Fleap or, if `fleap` is false, that can Floop.
SpaceSet FloopRail::find_movers(bool fleap) const {
  SpaceSet out = 0;
  for (unsigned d = 0; d < 4; ++d) {
    const SpaceSet who = is_forward(mover_, d) ? own_floopers() : own_floopers() & soopers_;
    const unsigned back = d ^ 2U;
    out |= who & shift_spaces(fleap ? shift_spaces(empty_spaces(), back) & opponent_floopers()
                                    : empty_spaces(),
                              back);
  }
  return out;
}

SpaceSet FloopRail::movable_floopers() const {
  const SpaceSet fleaping = find_movers(true);
  return fleaping != 0 ? fleaping : find_movers(false);
}

std::string FloopRail::text(Move m) const {
  std::string out;
  for (const SpotId id : selected_spots(m)) out += (out.empty() ? "" : "-") + space_name(id);
  return out;
}

std::vector<SpotId> FloopRail::selected_spots(Move m) const {
  std::vector<SpotId> out{m.from};
  SpaceSet at = space_at_bit(m.from);
  for (unsigned i = 0; i < m.step_count; ++i) {
    const unsigned d = (m.path >> (2 * i)) & 3U;
    at = shift_spaces(at, d);
    if (m.captured != 0) at = shift_spaces(at, d);
    out.push_back(lowest_bit(at));
  }
  return out;
}

std::vector<SpotId> FloopRail::changed_spots(Move m) const {
  std::vector<SpotId> out = selected_spots(m);
  each_bit(m.captured, [&](int bit) { out.push_back(bit); });
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// --- Reading a move -----------------------------------------------------------

// Returns for example "X SooperFlooper".
std::string FloopRail::piece_name(int bit) const {
  const Seat seat = (floopers_[0] & space_at_bit(bit)) != 0 ? 0 : 1;
  return side_name(seat) + " " + kind_name(bit);
}

// Lists the Fleaps as whole moves.
std::string FloopRail::fleaps_text() const {
  std::vector<std::string> out;
  each_move([&](Move m) { out.push_back(text(m)); });
  std::ranges::sort(out);
  return list_some(std::move(out));
}

// Returns "E6 can Floop to D6 or E5", "From C6 it can Fleap to C4", or "".
std::string FloopRail::choices_text(const Move& m) const {
  const SpaceSet fleaps = fleap_targets(m), floops = has_fleap() ? 0 : floop_targets(m);
  if ((fleaps | floops) == 0) return "";
  const std::string who =
      m.step_count == 0 ? space_name(m.to) + " can" : "From " + space_name(m.to) + " it can";
  return who + (fleaps != 0 ? " Fleap to " : " Floop to ") +
         list_some(space_names(fleaps != 0 ? fleaps : floops));
}

// Returns the end of a refusal: ". E6 can Floop to D6 or E5.", or "." without choices. Names the
// captures that must be played instead.
std::string FloopRail::choices_ending(const Move& m) const {
  const std::string can = choices_text(m);
  if (can.empty() && m.step_count == 0 && has_fleap())
    return ". You must capture with a Fleap. Play " + fleaps_text() + ".";
  return can.empty() ? "." : ". " + can + ".";
}

// Reads the space at typed[at] and typed[at + 1] ("The board").
Result<int> FloopRail::read_space(std::string_view typed, std::size_t at) const {
  if (!is_letter(typed[at]))
    return Refusal{
        quote_character_at(typed, at) +
            " is not a column. Write a letter from A to H and a row from 1 to 7, for example D3.",
        at};
  const std::string name(1, upper(typed[at]));
  const int column = lower(typed[at]) - 'a';
  if (column >= kColumnCount)
    return Refusal{"There is no column " + name + ". The columns are A to H.", at};
  if (at + 1 == typed.size())
    return Refusal{"Which row of column " + name + "? It has " + row_range(column) + ".", at + 1};
  if (!is_digit(typed[at + 1]))
    return Refusal{quote_character_at(typed, at + 1) + " is not a row. Column " + name + " has " +
                       row_range(column) + ".",
                   at + 1};
  const int row = typed[at + 1] - '0';
  if (!is_space(column, row))
    return Refusal{"There is no space " + name + std::to_string(row) + ". Column " + name +
                       " has " + row_range(column) + ".",
                   at};
  return space_bit(column, row);
}

// Explains why no move can begin on `from`, or returns nothing.
std::optional<Refusal> FloopRail::refuse_start(int from) const {
  const SpaceSet at = space_at_bit(from);
  if ((own_floopers() & at) != 0) return std::nullopt;
  const std::string can =
      side_name(mover_) + " can move " + list_some(space_names(movable_floopers())) + ".";
  if ((opponent_floopers() & at) != 0)
    return Refusal{space_name(from) + " holds an " + piece_name(from) + ", and it is " +
                       side_name(mover_) + "'s turn. " + can,
                   0};
  return Refusal{"There is no Flooper on " + space_name(from) + ". " + can, 0};
}

// Refuses a move that has only its first space.
Refusal FloopRail::refuse_missing_step(int from, std::size_t at) const {
  const Move m = begin_move(from);
  const std::string name = space_name(from), can = choices_text(m);
  if (!can.empty()) return {"Where does " + name + " go? It" + can.substr(name.size()) + ".", at};
  if (has_fleap())
    return {"You must capture with a Fleap, and " + name + " cannot. Play " + fleaps_text() + ".",
            0};
  return {name + " cannot Floop or Fleap. " + side_name(mover_) + " can move " +
              list_some(space_names(movable_floopers())) + ".",
          0};
}

// Refuses a Fleap that ends with a dash.
Refusal FloopRail::refuse_last_dash(const Move& m, std::size_t dash) const {
  const SpaceSet on = fleap_targets(m);
  if (on == 0)
    return {"Leave out the last '-'. From " + space_name(m.to) + " there is no further Fleap.",
            dash};
  return {"Where does " + space_name(m.from) + " go on to? From " + space_name(m.to) +
              " it can Fleap to " + list_some(space_names(on)) + ".",
          dash + 1};
}

// Explains why the mover may not go one space in direction `d`. Pre: the space exists.
std::optional<Refusal> FloopRail::refuse_floop(const Move& m, unsigned d, std::size_t at) const {
  const int to = lowest_bit(shift_spaces(space_at_bit(m.to), d));
  if (m.step_count > 0) {
    const bool more = fleap_targets(m) != 0;
    const std::string instead =
        (more ? choices_text(m) : "The move ends on " + space_name(m.to)) + ".";
    if ((empty_spaces() & space_at_bit(to)) != 0)
      return Refusal{space_name(m.to) + "-" + space_name(to) +
                         " is a Floop and cannot follow a Fleap. " + instead,
                     at};
    return Refusal{"Only another Fleap can follow a Fleap. " + instead, at};
  }
  const std::string can = choices_ending(m);
  if ((own_floopers() & space_at_bit(to)) != 0)
    return Refusal{space_name(to) + " already has an " + piece_name(to) + can, at};
  if ((opponent_floopers() & space_at_bit(to)) != 0) {
    const std::string there = space_name(to) + " has an " + piece_name(to);
    const SpaceSet beyond = shift_spaces(space_at_bit(to), d) & kAllSpaces;
    if ((beyond & empty_spaces()) != 0)
      return Refusal{
          there + ". To capture it, Fleap over it to " + space_name(lowest_bit(beyond)) + ".", at};
    const std::string why = beyond != 0 ? space_name(lowest_bit(beyond)) + " behind it is not empty"
                                        : "there is no space behind it";
    return Refusal{there + ", and " + why + can, at};
  }
  // "Fleaps": a player who can Fleap must. The error is the Flooper unless it can Fleap itself.
  if (has_fleap())
    return Refusal{"You must capture with a Fleap. Play " + fleaps_text() + ".",
                   fleap_targets(m) != 0 ? at : 0};
  return std::nullopt;
}

// Explains why the mover may not go two spaces in direction `d`. Pre: both spaces exist.
std::optional<Refusal> FloopRail::refuse_fleap(const Move& m, unsigned d, std::size_t at) const {
  const SpaceSet over = shift_spaces(space_at_bit(m.to), d), land = shift_spaces(over, d);
  const std::string middle = space_name(lowest_bit(over)), to = space_name(lowest_bit(land)),
                    step = space_name(m.to) + "-" + to, can = choices_ending(m);
  // The space that the Flooper left counts as empty. A Fleap never lands on a captured Flooper:
  // landings stay an even number of spaces from the start in each direction.
  if ((land & (empty_spaces() | space_at_bit(m.from))) == 0)
    return Refusal{to + " already has an " + piece_name(lowest_bit(land)) + can, at};
  if ((over & m.captured) != 0)
    return Refusal{"You already captured the " + kind_name(lowest_bit(over)) + " on " + middle +
                       " in this move" + can,
                   at};
  if ((over & own_floopers()) != 0)
    return Refusal{step + " goes over " + side_name(mover_) + "'s own " +
                       kind_name(lowest_bit(over)) + " on " + middle + ". Fleap only over " +
                       side_name(1 - mover_) + "'s.",
                   at};
  if ((over & opponent_floopers()) != 0) return std::nullopt;
  return Refusal{"There is nothing to Fleap over on " + middle + can, at};
}

// Returns `m` with the step to the space `to`, typed at `at`, or the reason against it.
Result<FloopRail::Move> FloopRail::read_step(const Move& m, int to, std::size_t at) const {
  const Place a = place_of_bit(m.to), b = place_of_bit(to);
  const int across = b.column - a.column, down = b.row - a.row;
  const std::string here = space_name(m.to), there = space_name(to), can = choices_text(m);
  if (to == m.to)
    return Refusal{here + "-" + there + " goes nowhere. A Floop goes one space, a Fleap two.", at};
  if (across != 0 && down != 0) {
    const std::string rule = "Rails join neighbours in a row or a column";
    return Refusal{
        "No rail runs from " + here + " to " + there + ". " + (can.empty() ? rule : can) + ".", at};
  }
  const int far = std::abs(across + down);
  if (far > 2)
    return Refusal{there + " is " + std::to_string(far) + " spaces from " + here +
                       ". A Floop goes one space, a Fleap two" + choices_ending(m),
                   at};
  const unsigned d = across > 0 ? kRight : across < 0 ? kLeft : down > 0 ? kDown : kUp;
  // "Moves": O goes down and right, X up and left, a SooperFlooper in all directions.
  if (!can_go(m, d))
    return Refusal{here + "-" + there + " goes " + std::string(kDirectionNames[d]) +
                       ", as only a SooperFlooper may. " + side_name(mover_) + "'s Floopers go " +
                       (mover_ == 0 ? "down or right." : "up or left."),
                   at};
  const auto wrong = far == 1 ? refuse_floop(m, d, at) : refuse_fleap(m, d, at);
  if (wrong) return *wrong;
  return extend_move(m, d, far == 2);
}

Result<FloopRail::Move> FloopRail::parse(std::string_view typed) const {
  if (typed.empty()) {
    std::vector<std::string> moves;
    each_move([&](Move m) { moves.push_back(text(m)); });
    return Refusal{"Type the Flooper's space, a dash and the next space, for example " +
                       *std::ranges::min_element(moves) + ".",
                   0};
  }
  const auto from = read_space(typed, 0);
  if (!from) return from.refusal();
  if (const auto wrong = refuse_start(*from)) return *wrong;
  Move m = begin_move(*from);
  std::size_t at = 2;
  for (; at < typed.size(); at += 3) {
    if (typed[at] != '-') {
      return Refusal{"After " + space_name(m.to) +
                         " only a dash and another space can follow, not " +
                         quote_character_at(typed, at) + ".",
                     at};
    }
    if (m.step_count > 0 && m.captured == 0)
      return Refusal{"A Floop ends the move. Nothing can follow " + text(m) + ".", at};
    if (at + 1 == typed.size())
      return m.step_count == 0 ? refuse_missing_step(*from, at + 1) : refuse_last_dash(m, at);
    const auto to = read_space(typed, at + 1);
    if (!to) return to.refusal();
    const auto step = read_step(m, *to, at + 1);
    if (!step) return step.refusal();
    m = *step;
  }
  if (m.step_count == 0) return refuse_missing_step(*from, at);
  if (m.captured != 0 && fleap_targets(m) != 0)
    return Refusal{space_name(m.from) + " must Fleap on. From " + space_name(m.to) +
                       " it can Fleap to " + list_some(space_names(fleap_targets(m))) + ".",
                   at};
  return m;
}

// --- Descriptions and the drawing ---------------------------------------------

std::optional<Outcome> FloopRail::outcome() const {
  if (!is_over()) return std::nullopt;
  // "The end": a player who cannot move loses, or wins the reverse game.
  const std::string stuck = side_name(mover_);
  const std::string kind = (own_floopers() & ~soopers_) == 0 ? "SooperFlooper" : "Flooper";
  const std::size_t left = space_names(own_floopers()).size();
  Outcome out{is_reverse_ ? mover_ : 1 - mover_, "", {}};
  if (left == 0) out.reason = stuck + " has no Floopers left";
  else if (left == 1) out.reason = stuck + "'s last " + kind + " is blocked";
  else out.reason = stuck + "'s " + std::to_string(left) + " " + kind + "s are all blocked";
  if (is_reverse_) out.reason += ". This wins the reverse game";
  each_bit(own_floopers(), [&](int bit) { out.spots.push_back(bit); });
  return out;
}

std::string FloopRail::describe(Move m) const {
  std::string out = m.captured == 0 ? "Floops " : "Fleaps ";
  bool first = true;
  for (const SpotId id : selected_spots(m)) {
    out += (first ? "" : " to ") + space_name(id);
    first = false;
  }
  const int soopers = std::popcount(m.captured & soopers_),
            men = std::popcount(m.captured) - soopers;
  if (m.captured != 0) out += ", capturing ";
  if (men > 0) out += count_phrase(men, "Flooper") + (soopers > 0 ? " and " : "");
  if (soopers > 0) out += count_phrase(soopers, "SooperFlooper");
  if (m.is_sooper && (soopers_ & space_at_bit(m.from)) == 0)
    out += m.captured != 0 ? ", and makes a SooperFlooper" : " and makes a SooperFlooper";
  return out;
}

std::string FloopRail::warning(Move m) const {
  FloopRail next = *this;
  next.play(m);
  const std::string opponent = side_name(1 - mover_);
  if (next.is_over())
    return is_reverse_ ? "This leaves " + opponent + " without a move. In the reverse game " +
                             opponent + " wins."
                       : "";
  if (is_reverse_) return "";
  std::string answer;
  next.each_move([&](Move reply) {
    FloopRail then = next;
    then.play(reply);
    if (then.is_over() && (answer.empty() || next.text(reply) < answer)) answer = next.text(reply);
  });
  return answer.empty() ? ""
                        : opponent + " can answer " + answer + " and win. " + side_name(mover_) +
                              " would have no move left.";
}

Reason FloopRail::purpose(Move m) const {
  FloopRail next = *this;
  next.play(m);
  const std::string other = side_name(1 - mover_);
  if (next.is_over()) return {};
  const bool crowns = m.is_sooper && (soopers_ & space_at_bit(m.from)) == 0;
  if (is_reverse_) {
    // "Options": the first player without a move wins, so a player gains by losing Floopers.
    if (next.has_fleap())
      return {"gives a Flooper away: " + other + " must Fleap, because a Fleap is compulsory",
              selected_spots(m)};
    if (crowns) return {"makes a SooperFlooper, which can go all four ways to be captured", {m.to}};
    return {};
  }
  std::string out = crowns ? "makes a SooperFlooper, which goes all four ways" : "";
  const Place to = place_of_bit(m.to);
  const int steps = mover_ == 0 ? 11 - to.column - to.row : to.column + to.row - 4;
  constexpr int kNear = 3;  // further away, most moves bring a Flooper nearer
  if (!m.is_sooper && steps <= kNear)
    out = "brings a Flooper within " + format_count(index(steps), "space", "spaces") +
          " of its goal, where it becomes a SooperFlooper";
  if (next.has_fleap())
    return {out.empty() ? "offers a Fleap, which " + other + " must take"
                        : out + "; then " + other + " must Fleap, because a Fleap is compulsory",
            selected_spots(m)};
  out += out.empty() ? "" : "; ";
  return {out + (out.empty() ? "is a quiet move: " : "") + other + " has no Fleap then",
          {m.from, m.to}};
}

std::string FloopRail::holdings(Seat seat) const {
  const SpaceSet all = floopers_[static_cast<std::size_t>(seat)];
  const int soopers = std::popcount(all & soopers_), men = std::popcount(all) - soopers;
  if (all == 0) return "no Floopers";
  if (soopers == 0) return format_count(static_cast<std::size_t>(men), "Flooper", "Floopers");
  return (men > 0 ? std::to_string(men) + " + " : "") + std::to_string(soopers) + " Sooper";
}

Drawing FloopRail::draw(const View&) const {
  Drawing out;
  std::string header = "  ";
  for (int c = 0; c < kColumnCount; ++c)
    header += std::string(c == 0 ? " " : "  ") + static_cast<char>('A' + c);
  out.rows.push_back(header);
  for (int r = 1; r <= kRowCount; ++r) {
    std::string line(1, static_cast<char>('0' + r)), rails;
    for (int c = 0; c < kColumnCount; ++c) {
      if (!is_space(c, r)) continue;
      const auto column = static_cast<std::size_t>(3 + 3 * c);
      const SpaceSet at = space_set(c, r);
      const int seat = (floopers_[0] & at) != 0 ? 0 : (floopers_[1] & at) != 0 ? 1 : -1;
      const bool sooper = (soopers_ & at) != 0;
      line.resize(column, is_space(c - 1, r) ? '-' : ' ');
      line += seat < 0 ? '.' : seat == 0 ? (sooper ? '@' : 'O') : (sooper ? '#' : 'X');
      Spot s;
      s.id = space_bit(c, r);
      s.name = space_name(s.id);
      s.content = seat < 0 ? "" : side_name(seat) + (sooper ? " SooperFlooper" : " Flooper");
      s.row = static_cast<int>(out.rows.size());
      s.column = static_cast<int>(column);
      s.role = seat < 0    ? SpotRole::empty
               : seat == 0 ? (sooper ? SpotRole::king1 : SpotRole::piece1)
                           : (sooper ? SpotRole::king2 : SpotRole::piece2);
      out.spots.push_back(std::move(s));
      if (!is_space(c, r + 1)) continue;
      rails.resize(column, ' ');
      rails += '|';
    }
    out.rows.push_back(line);
    if (r < kRowCount) out.rows.push_back(rails);
  }
  return out;
}

std::vector<std::string> FloopRail::description_lines() const {
  std::vector<std::string> out;
  for (const Seat seat : {0, 1}) {
    const SpaceSet all = floopers_[static_cast<std::size_t>(seat)];
    if (all == 0) out.push_back(side_name(seat) + " has no Floopers left.");
    for (const bool sooper : {false, true}) {
      const std::vector<std::string> names = space_names(sooper ? all & soopers_ : all & ~soopers_);
      if (names.empty()) continue;
      const std::string what =
          count_phrase(static_cast<int>(names.size()), sooper ? "SooperFlooper" : "Flooper");
      out.push_back(side_name(seat) + " has " + what + " on " + join_with_and(names) + ".");
    }
  }
  return out;
}

template <bool kReverse>
std::vector<std::uint8_t> compute_endings(const std::function<bool(int percent)>& go_on) {
  return EndingTable::compute<EngineBoard>(kReverse, go_on);
}
// Without and with -reverse.
constexpr std::array<EndgameTable, 2> kEndgameTables{
    {{"flooprail-4", 9'659'392, 0xC7596FCF74F90CC1U, compute_endings<false>},
     {"flooprail-reverse-4", 9'659'392, 0x4BFA67A850DE18EEU, compute_endings<true>}}};

// Returns the table if few enough Floopers are left for a search to reach its positions.
const EndgameTable* endgame_table_for(const Position& position) {
  constexpr int kNear = 8;
  const auto* state = position.state_as<FloopRail>();
  if (!state || state->count_floopers() > kNear) return nullptr;
  return &kEndgameTables[state->is_reverse() ? 1 : 0];
}

}  // namespace

GameType flooprail_row() {
  return game_row<FloopRail>({
      .name = "flooprail",
      .title = "FloopRail",
      .summary = "capture along the rails; block your opponent",
      .move_syntax = "the spaces in order with dashes, such as E6-D6",
      .introduction =
          "Lines are rails, points are empty spaces. A Floop is a step: O goes right or "
          "down, X left or up. A Fleap jumps over an enemy and captures it. If you can "
          "Fleap, you must. On the far edge O becomes @ and X becomes #. They go all "
          "four ways.",
      .options = {{.name = "reverse",
                   .aliases = {"misere", "losing"},
                   .summary = "the first player without a move wins"}},
      .can_turn = true,
      .variants = {"", "-reverse"},
      .endgame_table = endgame_table_for,
      .endgame_tables = kEndgameTables,
  });
}

}  // namespace pbm
