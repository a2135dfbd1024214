// SPDX-License-Identifier: MIT
// Soccolot (rules/soccolot.md): six men on each side run, dribble and kick one ball into a goal.
// The drawing of the field has south at the top and east at the left.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "games/registry.hpp"
#include "games/soccolot_knowledge.hpp"

namespace pbm {
namespace {

using namespace soccolot;

constexpr SpotId spot(Square s) { return s + kSide; }

// Returns the direction for a whole word such as "southeast", or for swapped letters such as "es".
// Returns -1 for other texts.
int way_otherwise_said(std::string_view said) {
  for (int way = 0; way < kWays; ++way) {
    const std::string name(kCompass[way].name);
    std::string word(kCompass[way].word), one_word = word;
    std::erase(one_word, '-');
    if (same_ignoring_case(said, word) || same_ignoring_case(said, one_word)) return way;
    if (name.size() == 2 && same_ignoring_case(said, std::string(name.rbegin(), name.rend())))
      return way;
  }
  return -1;
}

constexpr char letter(Action a) {
  return a == Action::run ? 'r' : a == Action::dribble ? 'd' : 'k';
}
constexpr std::string_view verb(Action a) {
  return a == Action::run ? "run" : a == Action::dribble ? "dribble" : "kick";
}

class Soccolot {
 public:
  struct Move {
    Action action;
    std::uint8_t man;  // jersey number less one
    std::int8_t to;    // where the man arrives; in a kick, where the ball stops
    friend bool operator==(const Move&, const Move&) = default;
  };

  Soccolot() {
    for (int man = 0; man < kMen; ++man) {
      man_[0][man] = static_cast<std::int8_t>(7 * kSide + 6 - man);
      man_[1][man] = static_cast<std::int8_t>(6 - man);
    }
    for (Seat seat : {0, 1}) {
      for (const Square s : man_[seat]) side_[seat] |= bit(s);
      count_near(seat);
    }
  }

  static Result<Soccolot> start(const Options&, int) { return Soccolot(); }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool over() const { return end_ != End::playing; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (over()) return;
    const Bits men = side_[0] | side_[1];
    const Bits empty = ~(men | bit(ball_));
    for (std::uint8_t man = 0; man < kMen; ++man) {
      const auto give = [&](Action action, Square to) {
        f(Move{action, man, static_cast<std::int8_t>(to)});
      };
      const Square from = man_[mover_][man];
      each_square(kTables.near[from] & empty, [&](Square to) { give(Action::run, to); });
      if (!(kTables.near[from] & bit(ball_))) continue;
      each_square(dribbles(from, ball_, men), [&](Square to) { give(Action::dribble, to); });
      const Kick kick = kicks(from, ball_, men);
      each_square(kick.squares, [&](Square to) { give(Action::kick, to); });
      if (kick.goal != kNowhere) give(Action::kick, kick.goal);
    }
  }

  std::uint64_t count_moves() const {
    return over() ? 0 : count_moves(mover_, side_[0] | side_[1], ball_);
  }

  // count_moves() of the position after `m`, without playing it.
  std::uint64_t count_after(Move m) const {
    const Square ball = ball_after(m);
    if (!on_field(ball)) return 0;
    Bits men = side_[0] | side_[1];
    if (m.action != Action::kick) men ^= bit(man_[mover_][m.man]) | bit(m.to);
    return count_moves(mover_ ^ 1, men, ball);
  }

  void play(Move m);
  void skip() { mover_ ^= 1U; }

  std::string text(Move m) const;
  // "Writing a move": the colour may stand before the number; the direction may be a word.
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
    f(lower(colour_letter(mover_)) + text(m));
    if (m.action == Action::kick) return;
    const std::string in_words =
        text(m).substr(0, 2) + std::string(kCompass[way_between(man_[mover_][m.man], m.to)].word);
    f(in_words);
    f(lower(colour_letter(mover_)) + in_words);
  }
  std::vector<SpotId> trail(Move m) const;
  std::vector<SpotId> touched(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string caution(Move m) const;
  std::string sign(Seat seat) const { return seat == 0 ? "Black" : "White"; }
  std::string holdings(Seat) const { return ""; }
  Drawing draw(const View&) const;
  std::vector<std::string> in_words() const;

  // For the engine; see soccolot_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(Board(side_[0], side_[1], ball_, mover_));
  }
  Move meant(const Board&, Board::Move m) const {
    const auto man = std::ranges::find(man_[mover_], m.from);
    return {m.action, static_cast<std::uint8_t>(man - man_[mover_].begin()), m.to};
  }

  friend bool operator==(const Soccolot&, const Soccolot&) = default;

 private:
  enum class End : std::uint8_t { playing, goal, stuck };

  // The reach of a kick, and what ends it.
  struct Shot {
    // Distances from 1 to the maximum are legal. If the kick scores, the maximum reaches the goal.
    int way = 0, most = 0;
    Square end = kNowhere;   // in a goal, or of the man in the way; kNowhere past the edge
    Square last = kNowhere;  // the last square of the field that the ball crosses
  };

  std::uint64_t count_moves(Seat seat, Bits men, Square ball) const {
    std::uint64_t n = sum(near_[seat], ~(men | bit(ball)));
    each_square(kTables.near[ball] & side_[seat], [&](Square from) {
      const Kick kick = kicks(from, ball, men);
      n += count(dribbles(from, ball, men)) + count(kick.squares) + (kick.goal != kNowhere);
    });
    return n;
  }

  Square ball_after(Move m) const {
    return m.action == Action::run    ? ball_
           : m.action == Action::kick ? m.to
                                      : ball_ + m.to - man_[mover_][m.man];
  }

  void count_near(Seat seat);
  bool can_step(Action action, int man, int way) const;
  Shot shot(int man) const;

  static std::string colour_letter(Seat seat) { return seat == 0 ? "B" : "W"; }
  static std::string name(Seat seat, int man) {
    return colour_letter(seat) + std::to_string(man + 1);
  }
  std::string stands_on(Square s) const;
  std::vector<std::string> ways_of(Action action, int man) const;
  std::string choices(Action action, int man) const;
  static std::string distances(const Shot& shot);
  std::string example() const;

  Refusal ask_what(int man, std::size_t at) const;
  Result<Move> parse_step(Action action, int man, std::string_view typed, std::size_t at) const;
  Result<Move> parse_kick(int man, std::string_view typed, std::size_t at) const;
  Refusal too_far(Action action, int man, std::size_t at) const;
  std::string why_no_step(Action action, int man, int way) const;
  std::string why_no_kick(int man, const Shot& shot) const;

  std::array<std::array<std::int8_t, kMen>, 2> man_{};  // [seat][jersey number less one]
  std::array<Bits, 2> side_{};                          // the squares of a seat's men
  std::array<Planes, 2> near_{};  // the number of a seat's men next to each square
  std::int8_t ball_ = 3 * kSide + 4;
  std::uint8_t mover_ = 0;
  End end_ = End::playing;
};

void Soccolot::count_near(Seat seat) {
  Planes n;
  for (const Square s : man_[seat]) {
    const Bits add = kTables.near[s], carry = n.one & add;
    n.one ^= add;
    n.four |= n.two & carry;
    n.two ^= carry;
  }
  near_[seat] = n;
}

void Soccolot::play(Move m) {
  const Square ball = ball_after(m);
  if (m.action != Action::kick) {
    std::int8_t& man = man_[mover_][m.man];
    side_[mover_] ^= bit(man) | bit(m.to);
    man = m.to;
    count_near(mover_);
  }
  ball_ = static_cast<std::int8_t>(ball);
  mover_ ^= 1U;
  // "How it ends": the goal decides, whoever moved the ball; a player without a move makes a tie.
  if (!on_field(ball)) end_ = End::goal;
  else if (count_moves(mover_, side_[0] | side_[1], ball) == 0) end_ = End::stuck;
}

constexpr std::string_view goal_at(Square ball) {
  return ball < 0 ? "the south goal" : "the north goal";  // by compass: the drawing may be turned
}

std::optional<Outcome> Soccolot::outcome() const {
  if (!over()) return std::nullopt;
  if (end_ == End::stuck) {
    Outcome out{std::nullopt, sign(mover_) + " has no legal move", {}};
    for (const Square s : man_[mover_]) out.spots.push_back(spot(s));
    return out;
  }
  const Seat winner = ball_ < 0 ? 0 : 1;
  std::string why = "the ball is in " + std::string(goal_at(ball_));
  if (winner == mover_) why += ", an own goal of " + sign(1 - mover_);  // the loser moved last
  return Outcome{winner, why, {spot(ball_)}};
}

bool Soccolot::can_step(Action action, int man, int way) const {
  const Square from = man_[mover_][man], to = beside(from, way);
  if (!on_field(to)) return false;
  const Bits men = side_[0] | side_[1];
  const Bits free = action == Action::run ? ~(men | bit(ball_)) : dribbles(from, ball_, men);
  return free & bit(to);
}

Soccolot::Shot Soccolot::shot(int man) const {
  Shot out;
  out.way = way_between(man_[mover_][man], ball_);
  out.last = ball_;
  for (out.end = beside(ball_, out.way); on_field(out.end);
       out.end = beside(out.end, out.way), ++out.most) {
    if ((side_[0] | side_[1]) & bit(out.end)) return out;
    out.last = out.end;
  }
  if (out.end != kNowhere) ++out.most;
  return out;
}

std::string Soccolot::text(Move m) const {
  std::string out{static_cast<char>('1' + m.man), letter(m.action)};
  if (m.action != Action::kick)
    return out + std::string(kCompass[way_between(man_[mover_][m.man], m.to)].name);
  const int rows = std::abs(row_of(m.to) - row_of(ball_)),
            columns = std::abs(column_of(m.to) - column_of(ball_));
  return out + std::to_string(std::max(rows, columns));
}

// A run: the man, the man's new square. A dribble: the man, the ball, the man's new square, which
// is the ball's own if the man follows it straight on. A kick: the man, the ball, the square where
// it stops. A kick stops at least two squares from the man, and a dribble moves the man by one.
// This keeps all trails different, and no trail begins another.
std::vector<SpotId> Soccolot::trail(Move m) const {
  if (m.action == Action::run) return {spot(man_[mover_][m.man]), spot(m.to)};
  return {spot(man_[mover_][m.man]), spot(ball_), spot(m.to)};
}

std::vector<SpotId> Soccolot::touched(Move m) const {
  std::vector<SpotId> out;
  const auto add = [&](Square s) {
    if (std::ranges::find(out, spot(s)) == out.end()) out.push_back(spot(s));
  };
  if (m.action != Action::kick) {
    add(man_[mover_][m.man]);
    add(m.to);
  }
  if (m.action != Action::run) {
    add(ball_);
    add(ball_after(m));
  }
  return out;
}

std::string Soccolot::stands_on(Square s) const {
  for (Seat seat : {0, 1})
    for (int man = 0; man < kMen; ++man)
      if (man_[seat][man] == s) return name(seat, man);
  return "";
}

std::vector<std::string> Soccolot::ways_of(Action action, int man) const {
  std::vector<std::string> out;
  for (int way = 0; way < kWays; ++way)
    if (can_step(action, man, way)) out.emplace_back(kCompass[way].name);
  return out;
}

// Returns a sentence such as "B5 can run n or ne.", for the end of a refusal.
std::string Soccolot::choices(Action action, int man) const {
  const auto ways = ways_of(action, man);
  const std::string who = name(mover_, man) + (ways.empty() ? " has no " : " can ");
  return who + std::string(verb(action)) + (ways.empty() ? " now." : " " + one_of(ways) + ".");
}

std::string Soccolot::distances(const Shot& shot) {
  const std::string most = std::to_string(shot.most);
  const std::string span = shot.most == 1 ? "1" : (shot.most == 2 ? "1 or " : "1 to ") + most;
  if (shot.end == kNowhere || on_field(shot.end)) return span + ".";
  return span + (shot.most == 1 ? ": that is " : ": " + most + " is ") +
         std::string(goal_at(shot.end)) + ".";
}

// Returns a legal move as an example.
std::string Soccolot::example() const {
  std::string out;
  each_move([&](Move m) {
    if (out.empty()) out = text(m);
  });
  return out;
}

// Returns for example "North is down as the field is usually drawn".
std::string reminder(int way) {
  std::string out(kCompass[way].word);
  out[0] = upper(out[0]);
  return out + " is " + std::string(kCompass[way].drawn) + " as the field is usually drawn";
}

// Says where a step from `s` in direction `way` leaves the field.
std::string edge(Square s, int way) {
  const int row = row_of(s) + kCompass[way].row, column = column_of(s) + kCompass[way].column;
  const std::string_view end = row < 0 ? "top" : row >= kSide ? "bottom" : "";
  const std::string_view side = column < 0 ? "left" : column >= kSide ? "right" : "";
  if (end.empty() || side.empty()) return "at the " + std::string(end) + std::string(side);
  return "at the " + std::string(end) + " " + std::string(side) + " corner";
}

// "Writing a move": reads and checks the man, the action, and the direction or distance in turn.
Result<Soccolot::Move> Soccolot::parse(std::string_view typed) const {
  const std::string side = sign(mover_);
  std::size_t at = 0;
  const char colour = typed.empty() ? ' ' : lower(typed[0]);
  if (colour == 'b' || colour == 'w') {
    if (colour != lower(colour_letter(mover_)[0]))
      return Refusal{"It is " + side + "'s turn, and " + colour + " names a man of " +
                         sign(1 - mover_) + "'s.",
                     0};
    ++at;
  }
  if (at == typed.size()) {
    if (at > 0) return Refusal{"Which man of " + side + "'s? Add his jersey number, 1 to 6.", at};
    return Refusal{
        "Type a man's number, r, d or k, and a direction or a distance, as in " + example() + ".",
        0};
  }
  if (!is_digit(typed[at]))
    return Refusal{quoted_at(typed, at) + " is not a jersey number: " + side + "'s men are 1 to 6.",
                   at};
  const int man = typed[at] - '1';
  if (man < 0 || man >= kMen)
    return Refusal{side + " has no man " + typed[at] + ": the jersey numbers are 1 to 6.", at};
  ++at;
  if (at == typed.size()) return ask_what(man, at);
  const bool near_ball = kTables.near[man_[mover_][man]] & bit(ball_);
  for (const Action action : {Action::run, Action::dribble, Action::kick}) {
    if (lower(typed[at]) != letter(action)) continue;
    if (action == Action::run) return parse_step(action, man, typed, at + 1);
    if (!near_ball) return too_far(action, man, at);
    return action == Action::kick ? parse_kick(man, typed, at + 1)
                                  : parse_step(action, man, typed, at + 1);
  }
  return Refusal{
      quoted_at(typed, at) + " is nothing a man can do: r is for run, d for dribble, k for kick.",
      at};
}

// Refuses a move that stops at `at`, after the man. Offers only the actions that the man can do.
Refusal Soccolot::ask_what(int man, std::size_t at) const {
  const std::string who = name(mover_, man);
  const bool near_ball = kTables.near[man_[mover_][man]] & bit(ball_);
  const bool run = !ways_of(Action::run, man).empty();
  const bool dribble = near_ball && !ways_of(Action::dribble, man).empty();
  const bool kick = near_ball && shot(man).most > 0;
  std::vector<std::string> can, cannot;
  (run ? can : cannot).emplace_back(run ? "r and a direction to run" : "no run");
  (dribble ? can : cannot).emplace_back(dribble ? "d to dribble" : "no dribble");
  (kick ? can : cannot).emplace_back(kick ? "k to kick" : "no kick");
  if (can.empty()) {
    const std::string why = near_ball
                                ? "he can neither run, dribble nor kick."
                                : "no square beside him is empty and the ball is not next to him.";
    return {who + " has no move now: " + why, at - 1};
  }
  const std::string ask = "What does " + who + " do? Add ";
  if (!near_ball) return {ask + one_of(can) + ": the ball is not next to " + who + ".", at};
  // The comma separates "a direction to run" from "or d".
  const std::string choice = run && can.size() == 2 ? can[0] + ", or " + can[1] : one_of(can);
  return {ask + choice + (cannot.empty() ? "." : ": " + who + " has " + all_of(cannot) + " now."),
          at};
}

Refusal Soccolot::too_far(Action action, int man, std::size_t at) const {
  std::vector<std::string> who;
  for (int other = 0; other < kMen; ++other)
    if (kTables.near[man_[mover_][other]] & bit(ball_)) who.push_back(name(mover_, other));
  return {name(mover_, man) + " is not next to the ball, and only a man who is can " +
              std::string(verb(action)) +
              " it: " + (who.empty() ? "none of " + sign(mover_) + "'s is." : one_of(who) + "."),
          at};
}

Result<Soccolot::Move> Soccolot::parse_step(Action action, int man, std::string_view typed,
                                            std::size_t at) const {
  const std::string who = name(mover_, man);
  if (at == typed.size()) {
    const auto ways = ways_of(action, man);
    if (!ways.empty())
      return Refusal{
          "Which way does " + who + " " + std::string(verb(action)) + "? Add " + one_of(ways) + ".",
          at};
    if (action == Action::run)
      return Refusal{who + " cannot run: no square beside " + who + " is empty.", at};
    return Refusal{
        who + " cannot dribble: there is no way free for " + who + " and the ball together.", at};
  }
  int way = way_otherwise_said(typed.substr(at));
  if (way >= 0 && can_step(action, man, way))
    return Move{action, static_cast<std::uint8_t>(man),
                static_cast<std::int8_t>(beside(man_[mover_][man], way))};
  way = -1;
  for (int i = 0; i < kWays; ++i)  // the two-letter names come last and win
    if (starts_ignoring_case(typed.substr(at), kCompass[i].name)) way = i;
  if (way < 0 && is_digit(typed[at]))
    return Refusal{"A " + std::string(verb(action)) + " takes a direction, not a distance. " +
                       choices(action, man),
                   at};
  if (way < 0)
    return Refusal{quoted_at(typed, at) +
                       " is not a direction: write n, s, e, w, ne, nw, se or sw. " +
                       choices(action, man),
                   at};
  const std::string direction(kCompass[way].name);
  const std::size_t end = at + direction.size();
  if (end < typed.size()) {
    const char more = lower(typed[end]);
    if (direction.size() == 1 && (more == 'n' || more == 's') &&
        (direction == "e" || direction == "w"))
      return Refusal{std::string("Write ") + more + direction + ", not " + direction + more +
                         ": north and south come first.",
                     at};
    return Refusal{std::string("Too long: nothing follows the direction in ") + char('1' + man) +
                       letter(action) + direction + ".",
                   end};
  }
  if (!can_step(action, man, way)) return Refusal{why_no_step(action, man, way), at};
  const Square to = beside(man_[mover_][man], way);
  return Move{action, static_cast<std::uint8_t>(man), static_cast<std::int8_t>(to)};
}

// "Run" and "Dribble": explains why a man of the side to move cannot take a step.
std::string Soccolot::why_no_step(Action action, int man, int way) const {
  const Square from = man_[mover_][man], to = beside(from, way);
  const std::string who = name(mover_, man), start = reminder(way) + ": ";
  const std::string rest = " " + choices(action, man);
  if (to == kNowhere) return start + who + " would leave the field " + edge(from, way) + "." + rest;
  if (!on_field(to))
    return start + "that is " + std::string(goal_at(to)) + ", for the ball only." + rest;
  if (action == Action::run && to == ball_) {
    const std::string dribble =
        std::string(1, static_cast<char>('1' + man)) + "d" + std::string(kCompass[way].name);
    const bool can = can_step(Action::dribble, man, way);
    return start + "the ball lies there, and no man runs onto it." +
           (can ? " To take it along type " + dribble + "." : rest);
  }
  const std::string there = stands_on(to);
  if (!there.empty() && action == Action::run)
    return start + there + " stands there, and a run ends on an empty square." + rest;
  if (!there.empty()) return start + there + " stands where " + who + " would go." + rest;
  const Square ball = beside(ball_, way);
  if (ball == kNowhere)
    return start + "the ball would leave the field " + edge(ball_, way) + "." + rest;
  return start + stands_on(ball) + " stands where the ball would go." + rest;
}

Result<Soccolot::Move> Soccolot::parse_kick(int man, std::string_view typed, std::size_t at) const {
  const std::string who = name(mover_, man);
  const Shot s = shot(man);
  const std::string can =
      s.most == 0 ? who + " has no kick now." : who + " can kick " + distances(s);
  if (at == typed.size()) {
    if (s.most == 0) return Refusal{why_no_kick(man, s), at};
    return Refusal{"How far does " + who + " kick the ball " + std::string(kCompass[s.way].word) +
                       "? Add " + distances(s),
                   at};
  }
  if (!is_digit(typed[at])) {
    const std::string_view letters = "nsew";
    if (letters.find(lower(typed[at])) != std::string_view::npos)
      return Refusal{"A kick takes a distance: the ball goes straight away from the man, here " +
                         std::string(kCompass[s.way].word) + ". " + can,
                     at};
    return Refusal{quoted_at(typed, at) + " is not a distance: a kick goes 1 to 8 squares. " + can,
                   at};
  }
  if (at + 1 < typed.size())
    return Refusal{"Too long: the distance is one digit, 1 to 8, and ends the move.", at + 1};
  const int distance = typed[at] - '0';
  if (distance == 0 || distance == 9) return Refusal{"A kick goes 1 to 8 squares. " + can, at};
  const bool scores = s.end != kNowhere && !on_field(s.end);
  if (distance > s.most && !scores) return Refusal{why_no_kick(man, s), at};
  // "Kick": a ball that reaches a goal stops there, even if the distance is longer.
  const Square to =
      scores && distance >= s.most ? s.end : ball_ + distance * kCompass[s.way].step();
  return Move{Action::kick, static_cast<std::uint8_t>(man), static_cast<std::int8_t>(to)};
}

// "Kick": explains what stops a kick that is longer than the shot. Pre: the shot reaches no goal.
std::string Soccolot::why_no_kick(int man, const Shot& s) const {
  const std::string who = name(mover_, man), far = "distance " + std::to_string(s.most + 1);
  const std::string start = reminder(s.way) + ": ";
  const std::string rest =
      s.most == 0 ? who + " has no kick now." : who + " can kick " + distances(s);
  if (s.end == kNowhere)
    return start + far + " is off the field " + edge(s.last, s.way) + ". " + rest;
  return start + stands_on(s.end) + " is in the way at " + far + ". " + rest;
}

std::string Soccolot::describe(Move m) const {
  const std::string who = name(mover_, m.man);
  const Square ball = ball_after(m);
  const std::string into = on_field(ball) ? "" : ", into " + std::string(goal_at(ball));
  if (m.action == Action::kick) {
    const std::string way(kCompass[way_between(man_[mover_][m.man], ball_)].word);
    const auto distance = static_cast<std::size_t>(text(m)[2] - '0');
    return "kicks the ball " + count_of(distance, "square", "squares") + " " + way + " with " +
           who + into;
  }
  const std::string way(kCompass[way_between(man_[mover_][m.man], m.to)].word);
  return (m.action == Action::run ? "runs " + who : "dribbles the ball with " + who) + " " + way +
         into;
}

std::string Soccolot::caution(Move m) const {
  Soccolot next = *this;
  next.play(m);
  const std::string other = sign(1 - mover_);
  if (const auto end = next.outcome()) {
    if (!end->winner) return "This leaves " + other + " without a move: the game would be a tie.";
    return *end->winner == mover_ ? "" : "This scores for " + other + ".";
  }
  std::string answer;  // a goal that this ply allows the opponent
  next.each_move([&](Move reply) {
    const Square ball = next.ball_after(reply);
    if (!on_field(ball) && (ball < 0) == (next.mover_ == 0) && answer.empty())
      answer = next.text(reply);
  });
  return answer.empty() ? "" : other + " could then score at once, by " + answer + ".";
}

// A drawing of the field without men and ball. Squares are two characters wide and three apart.
// Those of a goal lie above or below the field, over the word GOAL.
struct Field {
  std::vector<std::string_view> rows;
  int top_goal, first_row, apart, bottom_goal, first_column;
  int row(Square s) const {
    return s < 0 ? top_goal : on_field(s) ? first_row + apart * row_of(s) : bottom_goal;
  }
};

const Field& field_named(char field) {
  static const Field a{{"                    S",
                        "     -------------------------------",
                        "     |                             |",
                        "     -------------------------------",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "       |-------------------------|",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "       |-------------------------|",
                        "     S ||  |  |  |  |  |  |  |  ||",
                        "     | |-------------------------|",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "     E |-------------------------| W",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "     | |-------------------------|",
                        "     N ||  |  |  |  |  |  |  |  ||",
                        "       |-------------------------|",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "       |-------------------------|",
                        "       ||  |  |  |  |  |  |  |  ||",
                        "     -------------------------------",
                        "     |                             |",
                        "     -------------------------------",
                        "                    N"},
                       2,
                       4,
                       2,
                       20,
                       9};
  static const Field b{{"       +---------- S ----------+",   "       |                       |",
                        "       +--+--+--+--+--+--+--+--+",   "       |  |  |  |  |  |  |  |  |",
                        "       +--+--+--+--+--+--+--+--+",   "       |  |  |  |  |  |  |  |  |",
                        "       +--+--+--+--+--+--+--+--+",   "     S |  |  |  |  |  |  |  |  |",
                        "     | +--+--+--+--+--+--+--+--+",   "       |  |  |  |  |  |  |  |  |",
                        "     E +--+--+--+--+--+--+--+--+ W", "       |  |  |  |  |  |  |  |  |",
                        "     | +--+--+--+--+--+--+--+--+",   "     N |  |  |  |  |  |  |  |  |",
                        "       +--+--+--+--+--+--+--+--+",   "       |  |  |  |  |  |  |  |  |",
                        "       +--+--+--+--+--+--+--+--+",   "       |  |  |  |  |  |  |  |  |",
                        "       +--+--+--+--+--+--+--+--+",   "       |                       |",
                        "       +---------- N ----------+"},
                       1,
                       3,
                       2,
                       19,
                       8};
  static const Field c{{"                   S", "        -------         -------",
                        "        .. .. .. .. .. .. .. ..", "     S  .. .. .. .. .. .. .. ..",
                        "     |  .. .. .. .. .. .. .. ..", "        .. .. .. .. .. .. .. ..",
                        "     E  .. .. .. .. .. .. .. ..  W", "        .. .. .. .. .. .. .. ..",
                        "     |  .. .. .. .. .. .. .. ..", "     N  .. .. .. .. .. .. .. ..",
                        "        -------         -------", "                   N"},
                       1,
                       2,
                       1,
                       10,
                       8};
  return field == 'b' ? b : field == 'c' ? c : a;
}

Drawing Soccolot::draw(const View& view) const {
  const Field& field = field_named(view.field);
  Drawing out;
  for (const std::string_view row : field.rows) out.rows.emplace_back(row);
  for (Square s = -kSide; s < kSide * (kSide + 1); ++s) {
    Spot here;
    here.id = spot(s);
    here.row = field.row(s);
    here.column = field.first_column + 3 * column_of(s);
    here.width = 2;
    here.role = on_field(s) ? Role::empty : Role::board;
    std::string sign_here;
    if (s == ball_) {
      here.what = "the ball";
      here.role = Role::ball;
      sign_here = "SB";
    } else if (sign_here = stands_on(s); !sign_here.empty()) {
      const Seat seat = sign_here[0] == 'B' ? 0 : 1;
      here.name = sign_here;
      here.what = sign(seat) + " man " + sign_here[1];
      here.role = seat == 0 ? Role::piece1 : Role::piece2;
    }
    if (!sign_here.empty())
      out.rows[static_cast<std::size_t>(here.row)].replace(static_cast<std::size_t>(here.column), 2,
                                                           sign_here);
    out.spots.push_back(std::move(here));
  }
  constexpr std::string_view kGoal = "G O A L";
  constexpr int kWidth = static_cast<int>(kGoal.size());
  const int middle = field.first_column + 3 * kSide / 2 - 1;
  for (const auto& [row, seat] : {std::pair(field.top_goal, 0), std::pair(field.bottom_goal, 1)}) {
    out.captions.push_back({std::string(kGoal), row, middle - kWidth / 2, kWidth});
    out.captions.push_back(
        {"player" + std::to_string(seat + 1) + " : " + sign(seat), row, 0, 0, true});
  }
  return out;
}

std::vector<std::string> Soccolot::in_words() const {
  const auto place = [](Square s) {
    const std::string column = "column " + std::to_string(column_of(s) + 1);
    if (!on_field(s)) return "in " + std::string(goal_at(s)) + ", " + column;
    return "row " + std::to_string(row_of(s) + 1) + " " + column;
  };
  std::vector<std::string> out{
      "As it is usually drawn, rows count from the top, which is south; columns from the left, "
      "which "
      "is east."};
  std::string beside_ball;
  std::vector<std::string> men;
  for (Seat seat : {0, 1}) {
    std::string line = sign(seat) + " scores at the " + (seat == 0 ? "top" : "bottom") + ":";
    for (int man = 0; man < kMen; ++man) {
      const Square s = man_[seat][man];
      line += (man > 0 ? ", " : " ") + name(seat, man) + " " + place(s);
      if (on_field(ball_) && (kTables.near[s] & bit(ball_)))
        beside_ball += (beside_ball.empty() ? " " : ", ") + name(seat, man);
    }
    men.push_back(line + ".");
  }
  const std::string lies = on_field(ball_) ? "The ball lies in " : "The ball is ";
  out.push_back(lies + place(ball_) +
                (beside_ball.empty() ? "." : "; next to it:" + beside_ball + "."));
  out.insert(out.end(), men.begin(), men.end());
  return out;
}

}  // namespace

GameType soccolot_row() {
  return game_row<Soccolot>({
      .name = "soccolot",
      .title = "Soccolot",
      .about = "six men a side run, dribble and kick a ball into the goal",
      .move_syntax = "a man, r, d or k, and where, as 5rs or 3k5",
      .first_look =
          "SB is the ball, B1 to B6 are the men of Black, W1 to W6 of White. Black scores "
          "at the top, White below; S is up, N is down, E is left. A man runs, dribbles "
          "the ball, or kicks it away from himself.",
      .fields = "abc",
      .turns = true,
      .variants = {""},
  });
}

}  // namespace pbm
