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

constexpr SpotId spot(Square s) { return s + kFieldSize; }

// Returns the direction for a whole word such as "southeast", or for swapped letters such as "es".
// Returns -1 for other texts.
int find_direction_alias(std::string_view said) {
  for (int way = 0; way < kDirectionCount; ++way) {
    const std::string name(kCompass[way].name);
    std::string word(kCompass[way].long_name), one_word = word;
    std::erase(one_word, '-');
    if (equals_ignoring_case(said, word) || equals_ignoring_case(said, one_word)) return way;
    if (name.size() == 2 && equals_ignoring_case(said, std::string(name.rbegin(), name.rend())))
      return way;
  }
  return -1;
}

constexpr char action_letter(Action a) {
  return a == Action::run ? 'r' : a == Action::dribble ? 'd' : 'k';
}
constexpr std::string_view action_verb(Action a) {
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
    for (int man = 0; man < kMenPerSide; ++man) {
      man_squares_[0][man] = static_cast<std::int8_t>(7 * kFieldSize + 6 - man);
      man_squares_[1][man] = static_cast<std::int8_t>(6 - man);
    }
    for (Seat seat : {0, 1})
      for (const Square s : man_squares_[seat]) side_squares_[seat] |= square_bit(s);
  }

  static Result<Soccolot> start(const Options&, int) { return Soccolot(); }

  int seats() const { return 2; }
  Seat to_move() const { return mover_; }
  bool is_over() const { return end_ != End::playing; }
  std::optional<Outcome> outcome() const;

  template <class F>
  void each_move(F f) const {
    if (is_over()) return;
    const SquareSet men = side_squares_[0] | side_squares_[1];
    const SquareSet empty = ~(men | square_bit(ball_));
    for (std::uint8_t man = 0; man < kMenPerSide; ++man) {
      const auto give = [&](Action action, Square to) {
        f(Move{action, man, static_cast<std::int8_t>(to)});
      };
      const Square from = man_squares_[mover_][man];
      each_square(kFieldTables.neighbours[from] & empty, [&](Square to) { give(Action::run, to); });
      if (!(kFieldTables.neighbours[from] & square_bit(ball_))) continue;
      each_square(dribble_squares(from, ball_, men), [&](Square to) { give(Action::dribble, to); });
      const KickTargets kick = kick_targets(from, ball_, men);
      each_square(kick.squares, [&](Square to) { give(Action::kick, to); });
      if (kick.goal != kNowhere) give(Action::kick, kick.goal);
    }
  }

  void play(Move m);
  void skip_turn() { mover_ ^= 1U; }

  std::string text(Move m) const;
  // "Writing a move": the colour may stand before the number; the direction may be a word.
  template <class F>
  void spellings(Move m, F f) const {
    f(text(m));
    f(lower(colour_letter(mover_)) + text(m));
    if (m.action == Action::kick) return;
    const std::string in_words =
        text(m).substr(0, 2) +
        std::string(kCompass[direction_between(man_squares_[mover_][m.man], m.to)].long_name);
    f(in_words);
    f(lower(colour_letter(mover_)) + in_words);
  }
  std::vector<SpotId> selected_spots(Move m) const;
  std::vector<SpotId> changed_spots(Move m) const;
  Result<Move> parse(std::string_view typed) const;
  std::string describe(Move m) const;
  std::string warning(Move m) const;
  Reason purpose(Move m) const;
  std::string side_name(Seat seat) const { return seat == 0 ? "Black" : "White"; }
  std::string holdings(Seat) const { return ""; }
  Drawing draw(const View&) const;
  std::vector<std::string> description_lines() const;

  // For the engine; see soccolot_knowledge.hpp.
  template <class F>
  auto with_board(F f) const {
    return f(Board(side_squares_[0], side_squares_[1], ball_, mover_));
  }
  Move state_move(const Board&, Board::Move m) const {
    const auto man = std::ranges::find(man_squares_[mover_], m.from);
    return {m.action, static_cast<std::uint8_t>(man - man_squares_[mover_].begin()), m.to};
  }

  friend bool operator==(const Soccolot&, const Soccolot&) = default;

 private:
  enum class End : std::uint8_t { playing, goal, stuck };

  // The reach of a kick, and what ends it.
  struct KickReach {
    // Distances from 1 to the maximum are legal. If the kick scores, the maximum reaches the goal.
    int direction = 0, max_distance = 0;
    Square end_square = kNowhere;   // in a goal, or of the man in the way; kNowhere past the edge
    Square last_square = kNowhere;  // the last square of the field that the ball crosses
  };

  bool has_move() const {
    bool any = false;
    each_move([&](Move) { any = true; });
    return any;
  }

  Square ball_square_after(Move m) const {
    return m.action == Action::run    ? ball_
           : m.action == Action::kick ? m.to
                                      : ball_ + m.to - man_squares_[mover_][m.man];
  }

  bool can_step(Action action, int man, int way) const;
  KickReach kick_reach(int man) const;

  static std::string colour_letter(Seat seat) { return seat == 0 ? "B" : "W"; }
  static std::string man_name(Seat seat, int man) {
    return colour_letter(seat) + std::to_string(man + 1);
  }
  std::string man_name_at(Square s) const;
  std::vector<std::string> possible_directions(Action action, int man) const;
  std::string choices_text(Action action, int man) const;
  static std::string distances_text(const KickReach& shot);
  std::string example_move() const;

  Refusal refuse_missing_action(int man, std::size_t at) const;
  Result<Move> parse_step(Action action, int man, std::string_view typed, std::size_t at) const;
  Result<Move> parse_kick(int man, std::string_view typed, std::size_t at) const;
  Refusal refuse_distant_man(Action action, int man, std::size_t at) const;
  std::string explain_step(Action action, int man, int way) const;
  std::string explain_kick(int man, const KickReach& shot) const;

  std::array<std::array<std::int8_t, kMenPerSide>, 2>
      man_squares_{};                        // [seat][jersey number less one]
  std::array<SquareSet, 2> side_squares_{};  // the squares of a seat's men
  std::int8_t ball_ = 3 * kFieldSize + 4;
  std::uint8_t mover_ = 0;
  End end_ = End::playing;
};

void Soccolot::play(Move m) {
  const Square ball = ball_square_after(m);
  if (m.action != Action::kick) {
    std::int8_t& man = man_squares_[mover_][m.man];
    side_squares_[mover_] ^= square_bit(man) | square_bit(m.to);
    man = m.to;
  }
  ball_ = static_cast<std::int8_t>(ball);
  mover_ ^= 1U;
  // "How it ends": the goal decides, whoever moved the ball; a player without a move makes a tie.
  if (!is_on_field(ball)) end_ = End::goal;
  else if (!has_move()) end_ = End::stuck;
}

constexpr std::string_view goal_name(Square ball) {
  return ball < 0 ? "the south goal" : "the north goal";  // by compass: the drawing may be turned
}

std::optional<Outcome> Soccolot::outcome() const {
  if (!is_over()) return std::nullopt;
  if (end_ == End::stuck) {
    Outcome out{std::nullopt, side_name(mover_) + " has no legal move", {}};
    for (const Square s : man_squares_[mover_]) out.spots.push_back(spot(s));
    return out;
  }
  const Seat winner = ball_ < 0 ? 0 : 1;
  const std::string goal = winner == mover_ ? " scored an own goal in " : " scored in ";
  return Outcome{
      winner, side_name(1 - mover_) + goal + std::string(goal_name(ball_)), {spot(ball_)}};
}

bool Soccolot::can_step(Action action, int man, int way) const {
  const Square from = man_squares_[mover_][man], to = neighbour(from, way);
  if (!is_on_field(to)) return false;
  const SquareSet men = side_squares_[0] | side_squares_[1];
  const SquareSet free =
      action == Action::run ? ~(men | square_bit(ball_)) : dribble_squares(from, ball_, men);
  return free & square_bit(to);
}

Soccolot::KickReach Soccolot::kick_reach(int man) const {
  KickReach out;
  out.direction = direction_between(man_squares_[mover_][man], ball_);
  out.last_square = ball_;
  for (out.end_square = neighbour(ball_, out.direction); is_on_field(out.end_square);
       out.end_square = neighbour(out.end_square, out.direction), ++out.max_distance) {
    if ((side_squares_[0] | side_squares_[1]) & square_bit(out.end_square)) return out;
    out.last_square = out.end_square;
  }
  if (out.end_square != kNowhere) ++out.max_distance;
  return out;
}

int steps_between(Square a, Square b) {
  return std::max(std::abs(row_of(a) - row_of(b)), std::abs(column_of(a) - column_of(b)));
}

std::string Soccolot::text(Move m) const {
  std::string out{static_cast<char>('1' + m.man), action_letter(m.action)};
  if (m.action != Action::kick)
    return out + std::string(kCompass[direction_between(man_squares_[mover_][m.man], m.to)].name);
  return out + std::to_string(steps_between(m.to, ball_));
}

// A run: the man, the man's new square. A dribble: the man, the ball, the man's new square, which
// is the ball's own if the man follows it straight on. A kick: the man, the ball, the square where
// it stops. A kick stops at least two squares from the man, and a dribble moves the man by one.
// This keeps all trails different, and no trail begins another.
std::vector<SpotId> Soccolot::selected_spots(Move m) const {
  if (m.action == Action::run) return {spot(man_squares_[mover_][m.man]), spot(m.to)};
  return {spot(man_squares_[mover_][m.man]), spot(ball_), spot(m.to)};
}

std::vector<SpotId> Soccolot::changed_spots(Move m) const {
  std::vector<SpotId> out;
  const auto add = [&](Square s) {
    if (std::ranges::find(out, spot(s)) == out.end()) out.push_back(spot(s));
  };
  if (m.action != Action::kick) {
    add(man_squares_[mover_][m.man]);
    add(m.to);
  }
  if (m.action != Action::run) {
    add(ball_);
    add(ball_square_after(m));
  }
  return out;
}

std::string Soccolot::man_name_at(Square s) const {
  for (Seat seat : {0, 1})
    for (int man = 0; man < kMenPerSide; ++man)
      if (man_squares_[seat][man] == s) return man_name(seat, man);
  return "";
}

std::vector<std::string> Soccolot::possible_directions(Action action, int man) const {
  std::vector<std::string> out;
  for (int way = 0; way < kDirectionCount; ++way)
    if (can_step(action, man, way)) out.emplace_back(kCompass[way].name);
  return out;
}

// Returns a sentence such as "B5 can run n or ne.", for the end of a refusal.
std::string Soccolot::choices_text(Action action, int man) const {
  const auto ways = possible_directions(action, man);
  const std::string who = man_name(mover_, man) + (ways.empty() ? " cannot " : " can ");
  return who + std::string(action_verb(action)) +
         (ways.empty() ? " now." : " " + join_with_or(ways) + ".");
}

std::string Soccolot::distances_text(const KickReach& shot) {
  const std::string most = std::to_string(shot.max_distance);
  const std::string span =
      shot.max_distance == 1 ? "1" : (shot.max_distance == 2 ? "1 or " : "1 to ") + most;
  if (shot.end_square == kNowhere || is_on_field(shot.end_square)) return span + ".";
  return span + (shot.max_distance == 1 ? " (" : " (" + most + " is ") +
         std::string(goal_name(shot.end_square)) + ").";
}

// Returns a legal move as an example.
std::string Soccolot::example_move() const {
  std::string out;
  each_move([&](Move m) {
    if (out.empty()) out = text(m);
  });
  return out;
}

// Returns for example " (north is usually down). ".
std::string compass_reminder(int way) {
  return " (" + std::string(kCompass[way].long_name) + " is usually " +
         std::string(kCompass[way].drawing_name) + "). ";
}

// Says where a step from `s` in direction `way` leaves the field.
std::string field_edge_text(Square s, int way) {
  const int row = row_of(s) + kCompass[way].row_step,
            column = column_of(s) + kCompass[way].column_step;
  const std::string_view end = row < 0 ? "top" : row >= kFieldSize ? "bottom" : "";
  const std::string_view side = column < 0 ? "left" : column >= kFieldSize ? "right" : "";
  if (end.empty() || side.empty()) return "at the " + std::string(end) + std::string(side);
  return "at the " + std::string(end) + " " + std::string(side) + " corner";
}

// "Writing a move": reads and checks the man, the action, and the direction or distance in turn.
Result<Soccolot::Move> Soccolot::parse(std::string_view typed) const {
  const std::string side = side_name(mover_);
  std::size_t at = 0;
  const char colour = typed.empty() ? ' ' : lower(typed[0]);
  if (colour == 'b' || colour == 'w') {
    if (colour != lower(colour_letter(mover_)[0]))
      return Refusal{"It is " + side + "'s turn, and " + colour + " means " +
                         side_name(1 - mover_) + ". Leave out the " + colour + ".",
                     0};
    ++at;
  }
  if (at == typed.size()) {
    if (at > 0) return Refusal{"Which of " + side + "'s men? Add a jersey number, 1 to 6.", at};
    return Refusal{"Type a man's number, r, d or k, and a direction or a distance, for example " +
                       example_move() + ".",
                   0};
  }
  if (!is_digit(typed[at]))
    return Refusal{
        quote_character_at(typed, at) + " is not a jersey number. " + side + "'s men are 1 to 6.",
        at};
  const int man = typed[at] - '1';
  if (man < 0 || man >= kMenPerSide)
    return Refusal{side + " has no man " + typed[at] + ". The jersey numbers are 1 to 6.", at};
  ++at;
  if (at == typed.size()) return refuse_missing_action(man, at);
  const bool near_ball = kFieldTables.neighbours[man_squares_[mover_][man]] & square_bit(ball_);
  for (const Action action : {Action::run, Action::dribble, Action::kick}) {
    if (lower(typed[at]) != action_letter(action)) continue;
    if (action == Action::run) return parse_step(action, man, typed, at + 1);
    if (!near_ball) return refuse_distant_man(action, man, at);
    return action == Action::kick ? parse_kick(man, typed, at + 1)
                                  : parse_step(action, man, typed, at + 1);
  }
  return Refusal{quote_character_at(typed, at) +
                     " is not an action. Type r to run, d to dribble or k to kick.",
                 at};
}

// Refuses a move that stops at `at`, after the man. Offers only the actions that the man can do.
Refusal Soccolot::refuse_missing_action(int man, std::size_t at) const {
  const std::string who = man_name(mover_, man);
  const bool near_ball = kFieldTables.neighbours[man_squares_[mover_][man]] & square_bit(ball_);
  const bool run = !possible_directions(Action::run, man).empty();
  const bool dribble = near_ball && !possible_directions(Action::dribble, man).empty();
  const bool kick = near_ball && kick_reach(man).max_distance > 0;
  std::vector<std::string> can, cannot;
  (run ? can : cannot).emplace_back(run ? "r and a direction to run" : "no run");
  (dribble ? can : cannot).emplace_back(dribble ? "d to dribble" : "no dribble");
  (kick ? can : cannot).emplace_back(kick ? "k to kick" : "no kick");
  if (can.empty()) {
    if (near_ball) return {who + " has no move now. It cannot run, dribble or kick.", at - 1};
    return {who + " has no move now. It has no empty square and no ball next to it.", at - 1};
  }
  const std::string ask = "What does " + who + " do? Add ";
  if (!near_ball) return {ask + join_with_or(can) + ". The ball is not next to " + who + ".", at};
  // The comma separates "a direction to run" from "or d".
  const std::string choice = run && can.size() == 2 ? can[0] + ", or " + can[1] : join_with_or(can);
  return {ask + choice +
              (cannot.empty() ? "." : ". " + who + " has " + join_with_and(cannot) + " now."),
          at};
}

Refusal Soccolot::refuse_distant_man(Action action, int man, std::size_t at) const {
  std::vector<std::string> who;
  for (int other = 0; other < kMenPerSide; ++other)
    if (kFieldTables.neighbours[man_squares_[mover_][other]] & square_bit(ball_))
      who.push_back(man_name(mover_, other));
  return {man_name(mover_, man) + " is not next to the ball and cannot " +
              std::string(action_verb(action)) + " it. " +
              (who.empty() ? "No man of " + side_name(mover_) + " is next to the ball."
                           : "Next to the ball: " + join_with_and(who) + "."),
          at};
}

Result<Soccolot::Move> Soccolot::parse_step(Action action, int man, std::string_view typed,
                                            std::size_t at) const {
  const std::string who = man_name(mover_, man);
  if (at == typed.size()) {
    const auto ways = possible_directions(action, man);
    if (!ways.empty())
      return Refusal{"Which way does " + who + " " + std::string(action_verb(action)) + "? Add " +
                         join_with_or(ways) + ".",
                     at};
    if (action == Action::run)
      return Refusal{who + " cannot run. No square beside " + who + " is empty.", at};
    return Refusal{who + " cannot dribble. " + who + " and the ball have no free way together.",
                   at};
  }
  int way = find_direction_alias(typed.substr(at));
  if (way >= 0 && can_step(action, man, way))
    return Move{action, static_cast<std::uint8_t>(man),
                static_cast<std::int8_t>(neighbour(man_squares_[mover_][man], way))};
  way = -1;
  for (int i = 0; i < kDirectionCount; ++i)  // the two-letter names come last and win
    if (starts_with_ignoring_case(typed.substr(at), kCompass[i].name)) way = i;
  if (way < 0 && is_digit(typed[at]))
    return Refusal{"A " + std::string(action_verb(action)) +
                       " takes a direction, not a distance. " + choices_text(action, man),
                   at};
  if (way < 0)
    return Refusal{quote_character_at(typed, at) +
                       " is not a direction. Write n, s, e, w, ne, nw, se or sw. " +
                       choices_text(action, man),
                   at};
  const std::string direction(kCompass[way].name);
  const std::size_t end = at + direction.size();
  if (end < typed.size()) {
    const char more = lower(typed[end]);
    if (direction.size() == 1 && (more == 'n' || more == 's') &&
        (direction == "e" || direction == "w"))
      return Refusal{std::string("Write ") + more + direction + ", not " + direction + more +
                         ". North and south come first.",
                     at};
    return Refusal{std::string("Too long. Nothing follows the direction in ") + char('1' + man) +
                       action_letter(action) + direction + ".",
                   end};
  }
  if (!can_step(action, man, way)) return Refusal{explain_step(action, man, way), at};
  const Square to = neighbour(man_squares_[mover_][man], way);
  return Move{action, static_cast<std::uint8_t>(man), static_cast<std::int8_t>(to)};
}

// "Run" and "Dribble": explains why a man of the side to move cannot take a step.
std::string Soccolot::explain_step(Action action, int man, int way) const {
  const Square from = man_squares_[mover_][man], to = neighbour(from, way);
  const std::string who = man_name(mover_, man), reminder = compass_reminder(way);
  const std::string rest = reminder + choices_text(action, man);
  if (to == kNowhere) return who + " would leave the field " + field_edge_text(from, way) + rest;
  if (!is_on_field(to)) return "Only the ball may enter " + std::string(goal_name(to)) + rest;
  if (action == Action::run && to == ball_) {
    const std::string dribble =
        std::string(1, static_cast<char>('1' + man)) + "d" + std::string(kCompass[way].name);
    const bool can = can_step(Action::dribble, man, way);
    return "The ball is there" +
           (can ? reminder + "To take it along, type " + dribble + "." : rest);
  }
  const std::string there = man_name_at(to);
  if (!there.empty() && action == Action::run) return there + " stands there" + rest;
  if (!there.empty()) return there + " stands where " + who + " would go" + rest;
  const Square ball = neighbour(ball_, way);
  if (ball == kNowhere)
    return "The ball would leave the field " + field_edge_text(ball_, way) + rest;
  return man_name_at(ball) + " stands where the ball would go" + rest;
}

Result<Soccolot::Move> Soccolot::parse_kick(int man, std::string_view typed, std::size_t at) const {
  const std::string who = man_name(mover_, man);
  const KickReach s = kick_reach(man);
  const std::string can =
      s.max_distance == 0 ? who + " cannot kick now." : who + " can kick " + distances_text(s);
  if (at == typed.size()) {
    if (s.max_distance == 0) return Refusal{explain_kick(man, s), at};
    return Refusal{"How far does " + who + " kick the ball " +
                       std::string(kCompass[s.direction].long_name) + "? Add " + distances_text(s),
                   at};
  }
  if (!is_digit(typed[at])) {
    const std::string_view letters = "nsew";
    if (letters.find(lower(typed[at])) != std::string_view::npos)
      return Refusal{"A kick takes a distance, not a direction. Here the ball goes " +
                         std::string(kCompass[s.direction].long_name) + ". " + can,
                     at};
    return Refusal{
        quote_character_at(typed, at) + " is not a distance. A kick goes 1 to 8 squares. " + can,
        at};
  }
  if (at + 1 < typed.size())
    return Refusal{"Too long. The distance is one digit, 1 to 8, and ends the move.", at + 1};
  const int distance = typed[at] - '0';
  if (distance == 0 || distance == 9) return Refusal{"A kick goes 1 to 8 squares. " + can, at};
  const bool scores = s.end_square != kNowhere && !is_on_field(s.end_square);
  if (distance > s.max_distance && !scores) return Refusal{explain_kick(man, s), at};
  // "Kick": a ball that reaches a goal stops there, even if the distance is longer.
  const Square to = scores && distance >= s.max_distance
                        ? s.end_square
                        : ball_ + distance * kCompass[s.direction].square_step();
  return Move{Action::kick, static_cast<std::uint8_t>(man), static_cast<std::int8_t>(to)};
}

// "Kick": explains what stops a kick that is longer than the shot. Pre: the shot reaches no goal.
std::string Soccolot::explain_kick(int man, const KickReach& s) const {
  const std::string who = man_name(mover_, man), far = std::to_string(s.max_distance + 1);
  const std::string rest =
      compass_reminder(s.direction) + who +
      (s.max_distance == 0 ? " cannot kick now." : " can kick " + distances_text(s));
  if (s.end_square == kNowhere)
    return "Distance " + far + " is off the field " + field_edge_text(s.last_square, s.direction) +
           rest;
  return man_name_at(s.end_square) + " is in the way at distance " + far + rest;
}

std::string Soccolot::describe(Move m) const {
  const std::string who = man_name(mover_, m.man);
  const Square ball = ball_square_after(m);
  const std::string into = is_on_field(ball) ? "" : ", into " + std::string(goal_name(ball));
  if (m.action == Action::kick) {
    const std::string way(
        kCompass[direction_between(man_squares_[mover_][m.man], ball_)].long_name);
    const auto distance = index(text(m)[2] - '0');
    return "kicks the ball " + format_count(distance, "square", "squares") + " " + way + " with " +
           who + into;
  }
  const std::string way(kCompass[direction_between(man_squares_[mover_][m.man], m.to)].long_name);
  return (m.action == Action::run ? "runs " + who : "dribbles the ball with " + who) + " " + way +
         into;
}

std::string Soccolot::warning(Move m) const {
  Soccolot next = *this;
  next.play(m);
  const std::string other = side_name(1 - mover_);
  if (const auto end = next.outcome()) {
    if (!end->winner) return "This leaves " + other + " without a move. The game would be a tie.";
    return *end->winner == mover_ ? "" : "This scores for " + other + ".";
  }
  std::string answer;  // a goal that this ply allows the opponent
  next.each_move([&](Move reply) {
    const Square ball = next.ball_square_after(reply);
    if (!is_on_field(ball) && (ball < 0) == (next.mover_ == 0) && answer.empty())
      answer = next.text(reply);
  });
  return answer.empty() ? "" : other + " can then score at once with " + answer + ".";
}

// Says only what serves the mover, as the advice of a hint.
Reason Soccolot::purpose(Move m) const {
  Soccolot next = *this;
  next.play(m);
  if (next.is_over()) return {};
  const Seat opponent = 1 - mover_;
  const auto goal_of = [](Seat seat) { return seat == 0 ? -1 : kFieldSize * kFieldSize; };
  const auto rows_left = [&](const Soccolot& field) {
    return std::abs(row_of(field.ball_) - row_of(goal_of(mover_)));
  };
  const auto has_man_beside = [](const Soccolot& field, Seat seat) {
    return (kFieldTables.neighbours[field.ball_] & field.side_squares_[seat]) != 0;
  };
  // Counts the straight ways from the ball to the goal that no man blocks.
  const auto free_ways = [&](const Soccolot& field, Seat seat) {
    int out = 0;
    for (int way = 0; way < kDirectionCount; ++way) {
      const Square end = kFieldTables.goals[way][field.ball_];
      out += end != kNowhere && (end < 0) == (goal_of(seat) < 0) &&
             (kFieldTables.rays[way][field.ball_] &
              (field.side_squares_[0] | field.side_squares_[1])) == 0;
    }
    return out;
  };
  const auto name_goal = [&](Seat seat) {
    return std::string(goal_name(goal_of(seat))) + ", where " + side_name(seat) + " scores";
  };
  const auto change_ways = [&](const std::string& verb, Seat seat) {
    return verb + " the free straight ways of the ball to " + name_goal(seat) + ", from " +
           std::to_string(free_ways(*this, seat)) + " to " + std::to_string(free_ways(next, seat));
  };
  const bool moves_ball = m.action != Action::run, is_theirs = has_man_beside(next, opponent),
             is_mine = has_man_beside(next, mover_) && !is_theirs;
  const int now = steps_between(m.to, ball_), gained = rows_left(*this) - rows_left(next);
  std::string out;
  constexpr int kNear = 2;  // further away, most runs come nearer
  if (!moves_ball && now <= kNear && now < steps_between(man_squares_[mover_][m.man], ball_))
    out = "brings " + man_name(mover_, m.man) +
          (now == 1 ? " next to"
                    : " within " + format_count(index(now), "square", "squares") + " of") +
          " the ball";
  else if (gained > 0)
    out = "brings the ball " + format_count(index(gained), "row", "rows") + " nearer to " +
          name_goal(mover_);
  else if (free_ways(next, opponent) < free_ways(*this, opponent))
    out = change_ways("reduces", opponent);
  else if (free_ways(next, mover_) > free_ways(*this, mover_))
    out = change_ways("increases", mover_);
  else if (moves_ball && !is_theirs)
    out = is_mine ? "keeps the ball" : "takes the ball away from all men";
  else return {};
  out += is_theirs ? ", but " + side_name(opponent) + " has a man beside the ball"
         : is_mine ? ", and only " + side_name(mover_) + " has a man beside the ball"
                   : ", and nobody stands beside the ball";
  return {out, {spot(m.to), spot(next.ball_)}};
}

// A drawing of the field without men and ball. Squares are two characters wide and three apart.
// Those of a goal lie above or below the field, over the word GOAL.
struct FieldDrawing {
  std::vector<std::string_view> rows;
  int top_goal, first_row, row_spacing, bottom_goal, first_column;
  int drawing_row(Square s) const {
    return s < 0 ? top_goal : is_on_field(s) ? first_row + row_spacing * row_of(s) : bottom_goal;
  }
};

const FieldDrawing& field_drawing(char field) {
  static const FieldDrawing a{{"                    S",
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
  static const FieldDrawing b{
      {"       +---------- S ----------+",   "       |                       |",
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
  static const FieldDrawing c{
      {"                   S", "        -------         -------", "        .. .. .. .. .. .. .. ..",
       "     S  .. .. .. .. .. .. .. ..", "     |  .. .. .. .. .. .. .. ..",
       "        .. .. .. .. .. .. .. ..", "     E  .. .. .. .. .. .. .. ..  W",
       "        .. .. .. .. .. .. .. ..", "     |  .. .. .. .. .. .. .. ..",
       "     N  .. .. .. .. .. .. .. ..", "        -------         -------",
       "                   N"},
      1,
      2,
      1,
      10,
      8};
  return field == 'b' ? b : field == 'c' ? c : a;
}

Drawing Soccolot::draw(const View& view) const {
  const FieldDrawing& field = field_drawing(view.drawing_style);
  Drawing out;
  for (const std::string_view row : field.rows) out.rows.emplace_back(row);
  for (Square s = -kFieldSize; s < kFieldSize * (kFieldSize + 1); ++s) {
    Spot here;
    here.id = spot(s);
    here.row = field.drawing_row(s);
    here.column = field.first_column + 3 * column_of(s);
    here.width = 2;
    here.role = is_on_field(s) ? SpotRole::empty : SpotRole::board;
    std::string sign_here;
    if (s == ball_) {
      here.content = "the ball";
      here.role = SpotRole::ball;
      sign_here = "SB";
    } else if (sign_here = man_name_at(s); !sign_here.empty()) {
      const Seat seat = sign_here[0] == 'B' ? 0 : 1;
      here.name = sign_here;
      here.content = side_name(seat) + " man " + sign_here[1];
      here.role = seat == 0 ? SpotRole::piece1 : SpotRole::piece2;
    }
    if (!sign_here.empty()) out.rows[index(here.row)].replace(index(here.column), 2, sign_here);
    out.spots.push_back(std::move(here));
  }
  constexpr std::string_view kGoal = "G O A L";
  constexpr int kWidth = static_cast<int>(kGoal.size());
  const int middle = field.first_column + 3 * kFieldSize / 2 - 1;
  for (const auto& [row, seat] : {std::pair(field.top_goal, 0), std::pair(field.bottom_goal, 1)}) {
    out.captions.push_back({std::string(kGoal), row, middle - kWidth / 2, kWidth});
    out.captions.push_back(
        {"player" + std::to_string(seat + 1) + " : " + side_name(seat), row, 0, 0, true});
  }
  return out;
}

std::vector<std::string> Soccolot::description_lines() const {
  const auto place = [](Square s) {
    const std::string column = "column " + std::to_string(column_of(s) + 1);
    if (!is_on_field(s)) return "in " + std::string(goal_name(s)) + ", " + column;
    return "row " + std::to_string(row_of(s) + 1) + " " + column;
  };
  std::vector<std::string> out{
      "In the usual drawing, row 1 is at the top (south) and column 1 at the left (east)."};
  std::string beside_ball;
  std::vector<std::string> men;
  for (Seat seat : {0, 1}) {
    std::string line = side_name(seat) + " scores at the " + (seat == 0 ? "top" : "bottom") + ":";
    for (int man = 0; man < kMenPerSide; ++man) {
      const Square s = man_squares_[seat][man];
      line += (man > 0 ? ", " : " ") + man_name(seat, man) + " " + place(s);
      if (is_on_field(ball_) && (kFieldTables.neighbours[s] & square_bit(ball_)))
        beside_ball += (beside_ball.empty() ? " " : ", ") + man_name(seat, man);
    }
    men.push_back(line + ".");
  }
  const std::string lies = is_on_field(ball_) ? "The ball lies in " : "The ball is ";
  out.push_back(lies + place(ball_) +
                (beside_ball.empty() ? "." : ". Next to it:" + beside_ball + "."));
  out.insert(out.end(), men.begin(), men.end());
  return out;
}

}  // namespace

GameType soccolot_row() {
  return game_row<Soccolot>({
      .name = "soccolot",
      .title = "Soccolot",
      .summary = "kick the ball into the goal; six men a side",
      .move_syntax = "a man, r, d or k, and where, such as 5rs or 3k5",
      .introduction =
          "SB is the ball. B1 to B6 are Black's men, W1 to W6 White's. Black scores at the "
          "top, White at the bottom. S is up, N is down, E is left. A man runs, dribbles the "
          "ball, or kicks it straight away.",
      .drawing_styles = "abc",
      .can_turn = true,
      .variants = {""},
  });
}

}  // namespace pbm
