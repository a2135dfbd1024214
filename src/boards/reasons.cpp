// SPDX-License-Identifier: MIT
#include "boards/reasons.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

std::vector<Spot> captured_spots(const Position& position, const std::string& ply) {
  std::vector<SpotId> changed = position.changed_spots(ply);
  const std::vector<SpotId> way = position.selected_spots(ply);
  std::erase_if(changed, [&](SpotId id) { return std::ranges::count(way, id) > 0; });
  if (changed.empty()) return {};
  std::vector<Spot> out = position.draw(View{}).spots;
  std::erase_if(out, [&](const Spot& spot) {
    return spot.content.empty() || std::ranges::count(changed, spot.id) == 0;
  });
  return out;
}

Position position_after_forced(const Position& before, const std::string& ply) {
  Position out = before;
  out.play(ply);
  for (auto legal = out.legal_plies();
       !out.outcome() && legal.size() == 1 && out.changed_spots(legal.front()).empty();
       legal = out.legal_plies())
    out.play(legal.front());
  return out;
}

namespace {

constexpr std::size_t kNamedWins = 3;  // plies that a sentence names
constexpr std::string_view kWinsNext = "; after every answer, the next move wins";
constexpr std::size_t kMaxTrials = 4'000;  // plies to try for a claim about all of them

// A ply that wins at once.
struct Win {
  std::string ply;
  std::vector<SpotId> spots;  // that the ply selects: names of openings change, squares do not
  Outcome end;
  bool operator==(const Win& other) const {
    return spots == other.spots && end.reason == other.end.reason;
  }
};
using Wins = std::vector<Win>;

// Returns the plies by which the seat to move wins at once, at most `most`.
Wins find_wins(const Position& position, std::size_t most = SIZE_MAX) {
  Wins out;
  for (const std::string& ply : position.legal_plies()) {
    auto end = position_after_forced(position, ply).outcome();
    if (!end || end->winner != position.to_move()) continue;
    out.push_back({ply, position.selected_spots(ply), std::move(*end)});
    if (out.size() == most) break;
  }
  return out;
}

Position play(Position position, const std::string& ply) {
  position.play(ply);
  return position;
}

// Returns the position if all seats but `seat` pass, or nothing if that is not possible.
std::optional<Position> turn_of(Seat seat, Position position) {
  for (int i = 0; i < position.seats() && !position.outcome(); ++i) {
    if (position.to_move() == seat) return position;
    auto next = position.after_skip();
    if (!next) break;
    position = std::move(*next);
  }
  return std::nullopt;
}

// The wins of a seat that the next seat leaves if it does not stop them.
struct OpenWins {
  Wins wins;
  std::vector<std::string> stops = {};  // the answers that leave none
  bool is_counted = false;              // `stops` is complete
};
OpenWins find_open_wins(Seat seat, const Position& position) {
  const auto turn = turn_of(seat, position);
  OpenWins out{turn ? find_wins(*turn) : Wins{}};
  if (out.wins.empty() || position.seats() > 2) return out;
  Wins possible;
  std::size_t trials = 0;
  for (const std::string& answer : position.legal_plies()) {
    const Position then = position_after_forced(position, answer);
    const auto end = then.outcome();
    if (!end && (trials += then.legal_plies().size()) > kMaxTrials) return out;
    const Wins left = end ? Wins{} : find_wins(then);
    if (left.empty() && !(end && end->winner == seat)) out.stops.push_back(answer);
    for (const Win& win : left)
      if (std::ranges::count(out.wins, win) > 0 && std::ranges::count(possible, win) == 0)
        possible.push_back(win);
  }
  return {possible, out.stops, true};
}

// True if openings among the squares have the same names on both boards. If not, a ply has no name
// to tell.
bool have_same_names(const Position& a, const Position& b, const std::vector<SpotId>& spots) {
  const auto names = [&](const Position& position) {
    std::vector<std::string> out;
    for (const Spot& spot : position.draw(View{}).spots)
      if (spot.role == SpotRole::opening && std::ranges::count(spots, spot.id) > 0)
        out.push_back(spot.name);
    return out;
  };
  return names(a) == names(b);
}

// The largest capture of the seat to move.
struct Capture {
  std::string ply;
  std::vector<Spot> spots;
};
Capture largest_capture(const Position& position) {
  Capture out;
  for (const std::string& ply : position.legal_plies())
    if (auto spots = captured_spots(position, ply); spots.size() > out.spots.size())
      out = {ply, std::move(spots)};
  return out;
}

std::string spot_names(const std::vector<Spot>& spots) {
  std::vector<std::string> names;
  for (const Spot& spot : spots) names.push_back(spot.name);
  return join_with_and(names);
}

std::vector<SpotId> spot_ids(const std::vector<Spot>& spots) {
  std::vector<SpotId> out;
  for (const Spot& spot : spots) out.push_back(spot.id);
  return out;
}

// Collects the facts about one ply.
class Explainer {
 public:
  Explainer(const Reader& reader, const Position& before, const std::string& ply)
      : reader_(reader), before_(before), ply_(ply), after_(position_after_forced(before, ply)) {}

  // Returns all facts, the most important first.
  std::vector<Reason> facts(const AnalysisLine& line) const;
  const Position& after() const { return after_; }
  Reason win() const;
  Reason purpose() const;
  Reason line_captures(const AnalysisLine& line) const;
  Reason exchange(const AnalysisLine& line) const;
  // Says how long a lost game can last.
  Reason delay(const Verdict& verdict) const;
  // Returns how the next player wins at once, or how the ply itself loses.
  Reason allowed_win() const;
  std::string verb() const {
    const auto word = reader_.match.game().capture_verb;
    return word ? std::string(word(before_)) : "";
  }

 private:
  std::string name(Seat seat) const { return seat_name(reader_.match, seat, reader_.own); }
  std::string describe_end(const Outcome& end) const;
  std::string describe_wins(const Wins& wins, const Position& shown, const Position& at) const;
  std::string next_name() const {
    const Seat seat = after_.to_move();
    return name(seat) + (seat == reader_.own ? "" : " (" + before_.side_name(seat) + ")");
  }
  Reason stopped_win() const;
  Reason threat(const AnalysisLine& line) const;
  Reason capture() const;
  Reason saved_pieces() const;
  // Returns "leaves wilma (X) only E5-C5, which captures D5; then C3-C5 captures C5", or "".
  std::string forced_answer() const;
  Reason end_of_line(const AnalysisLine& line) const;

  Reader reader_;
  const Position& before_;
  std::string ply_;
  Position after_;
};

// Returns the reason of the end. The reader's own side is "you", but a name that stands on the
// board stays: "you have no Floopers left", "TOOT stands in column C".
std::string Explainer::describe_end(const Outcome& end) const {
  const std::string side = reader_.own ? before_.side_name(*reader_.own) : "";
  if (side.empty() || !end.reason.starts_with(side)) return end.reason;
  const std::string rest = end.reason.substr(side.size());
  if (rest.starts_with("'s ")) return "your" + rest.substr(2);
  if (rest.starts_with(" has ")) return "you have " + rest.substr(5);
  return rest.starts_with(" had ") || rest.starts_with(" scored ") ? "you" + rest : end.reason;
}

// Returns " with CO (result: OTTO stands in column C)". `shown` is the board that the reader sees,
// `at` the one of the plies.
std::string Explainer::describe_wins(const Wins& wins, const Position& shown,
                                     const Position& at) const {
  std::vector<std::string> plies;
  for (const Win& win : wins)
    if (have_same_names(shown, at, win.spots)) plies.push_back(win.ply);
  const bool few = plies.size() == wins.size();
  return (few ? " with " + join_with_or(plies, kNamedWins) : "") + " (" +
         (few && plies.size() > 1 ? "result of " + plies.front() : "result") + ": " +
         describe_end(wins.front().end) + ")";
}

Reason Explainer::win() const {
  const auto end = after_.outcome();
  if (!end || (end->winner && end->winner != before_.to_move())) return {};
  return {ply_ + (end->winner ? " wins at once" : " ends the game without a winner") +
              " (result: " + describe_end(*end) + ")",
          end->spots};
}

// Says which win of the next player the ply prevents.
Reason Explainer::stopped_win() const {
  const auto passed = before_.after_skip();
  if (after_.outcome() || !passed || passed->to_move() != after_.to_move() ||
      can_win_at_once(after_))
    return {};
  const Wins wins = find_wins(*passed);
  Wins possible;
  std::size_t losing = 0, trials = 0, others = 0;
  for (const std::string& other : before_.legal_plies()) {
    if (other == ply_) continue;
    ++others;
    const Position then = position_after_forced(before_, other);
    if (then.outcome() || trials > kMaxTrials) continue;
    trials += then.legal_plies().size();
    const Wins found = find_wins(then);
    if (found.empty()) continue;
    ++losing;
    for (const Win& win : wins)
      if (std::ranges::count(found, win) > 0 && std::ranges::count(possible, win) == 0)
        possible.push_back(win);
  }
  const bool all = losing > 0 && losing == others && trials <= kMaxTrials;
  if (!possible.empty())
    return {ply_ + " stops " + possessive(name(after_.to_move())) + " win" +
                describe_wins(possible, before_, before_) +
                (all ? "; all other moves lose at once" : ""),
            possible.front().end.spots};
  return {all ? ply_ + " is the only move that does not let " + next_name() + " win at once" : "",
          {}};
}

// Says which win the ply prepares, and what stops it.
Reason Explainer::threat(const AnalysisLine& line) const {
  const Seat seat = before_.to_move();
  if (after_.outcome() || can_win_at_once(after_)) return {};
  const OpenWins open = find_open_wins(seat, after_);
  if (open.wins.empty()) return {};
  if (open.is_counted && open.stops.empty())
    return {ply_ + " threatens to win" + describe_wins(open.wins, before_, after_) +
                std::string(kWinsNext),
            open.wins.front().end.spots};
  // A ladder: each ply of the line threatens to win, so the opponent has to answer each.
  std::size_t rungs = 0;
  Position at = before_;
  bool is_ladder = line.verdict.kind() == Verdict::Kind::win && before_.seats() == 2;
  for (std::size_t i = 0; is_ladder && i < line.variation.size() && !at.outcome(); ++i) {
    const bool own = at.to_move() == seat;
    at = position_after_forced(at, line.variation[i]);
    if (!own || at.outcome()) continue;
    ++rungs;
    is_ladder = !find_open_wins(seat, at).wins.empty() && find_wins(at, 1).empty();
  }
  const auto end = at.outcome();
  if (is_ladder && rungs > 1 && end && end->winner == seat)
    return {ply_ + " begins a ladder of " + std::to_string(rungs) + " threats: " + next_name() +
                " must answer each one. The result is then: " + describe_end(*end),
            end->spots};
  std::string out = ply_ + " threatens to win" + describe_wins(open.wins, before_, after_);
  if (open.is_counted && open.stops.size() == 1 &&
      have_same_names(before_, after_, after_.selected_spots(open.stops.front())))
    out += "; " + next_name() + " can stop that only with " + open.stops.front();
  return {out, open.wins.front().end.spots};
}

Reason Explainer::capture() const {
  const auto taken = captured_spots(before_, ply_);
  if (taken.empty() || verb().empty() || after_.outcome()) return {};
  std::string out = ply_ + " " + verb() + "s " + spot_names(taken);
  if (const std::string only = forced_answer(); !only.empty())
    return {out + " and " + only, spot_ids(taken)};
  const Capture back = largest_capture(after_);
  out += ", and " + next_name() + " can ";
  out += back.spots.empty() ? verb() + " nothing in return"
                            : "then " + verb() + " " + spot_names(back.spots) + " with " + back.ply;
  return {out, spot_ids(taken)};
}

// Says which pieces another ply would lose.
Reason Explainer::saved_pieces() const {
  const auto passed = before_.after_skip();
  if (verb().empty() || !passed || after_.outcome()) return {};
  const Capture risk = largest_capture(*passed);
  if (risk.spots.empty() || !largest_capture(after_).spots.empty()) return {};
  for (const std::string& other : before_.legal_plies()) {
    const Position then = play(before_, other);
    if (other == ply_ || then.outcome()) continue;
    const auto legal = then.legal_plies();
    if (std::ranges::count(legal, risk.ply) > 0 &&
        spot_ids(captured_spots(then, risk.ply)) == spot_ids(risk.spots))
      return {ply_ + " saves " + spot_names(risk.spots) + ": after " + other + ", for example, " +
                  next_name() + " can " + verb() + " with " + risk.ply,
              spot_ids(risk.spots)};
  }
  return {};
}

std::string Explainer::forced_answer() const {
  const auto answers = after_.legal_plies();
  if (answers.size() != 1 || before_.seats() != 2 ||
      !have_same_names(before_, after_, after_.selected_spots(answers.front())))
    return "";
  std::string out = "leaves " + next_name() + " only " + answers.front();
  const Position then = play(after_, answers.front());
  const auto lost = captured_spots(after_, answers.front());
  // A player who must lose pieces gains only by a forced capture.
  if (verb().empty() && reader_.match.game().capture_verb)
    return lost.empty() ? "" : out + ", which takes " + spot_names(lost);
  if (verb().empty()) return out;
  if (!lost.empty()) out += ", which " + verb() + "s " + spot_names(lost);
  if (const Capture gain = largest_capture(then); !gain.spots.empty())
    out += "; then " + gain.ply + " " + verb() + "s " + spot_names(gain.spots);
  return out;
}

// Says that the expected answer captures, and what the next ply captures then.
Reason Explainer::exchange(const AnalysisLine& line) const {
  if (verb().empty() || before_.seats() != 2 || line.variation.size() < 3 || after_.outcome())
    return {};
  const std::string &answer = line.variation[1], &next = line.variation[2];
  const Position then = play(after_, answer);
  if (then.outcome() || then.to_move() != before_.to_move()) return {};
  const auto lost = captured_spots(after_, answer), gained = captured_spots(then, next);
  if (lost.empty() || lost.size() != gained.size()) return {};
  return {ply_ + " offers an exchange: " + answer + " " + verb() + "s " + spot_names(lost) +
              ", then " + next + " " + verb() + "s " + spot_names(gained),
          spot_ids(lost)};
}

// Compares the captures of the expected line, if a seat gains by them.
Reason Explainer::line_captures(const AnalysisLine& line) const {
  std::array<std::size_t, 2> counts{};
  Position at = before_;
  for (const std::string& ply : line.variation) {
    if (verb().empty() || at.seats() != 2 || at.outcome()) return {};
    counts[index(at.to_move())] += captured_spots(at, ply).size();
    at.play(ply);
  }
  if (counts[0] == counts[1] || line.variation.size() < 2) return {};
  const Seat more = counts[0] > counts[1] ? 0 : 1;
  const auto count = [&](Seat seat) { return std::to_string(counts[index(seat)]); };
  return {"In the expected " + std::to_string(line.variation.size()) + " moves from " + ply_ +
              " on, " + name(more) + " " + verb() + (more == reader_.own ? " " : "s ") +
              count(more) + " and " + name(1 - more) + " " + count(1 - more),
          {}};
}

// Says how a won or lost line ends.
Reason Explainer::end_of_line(const AnalysisLine& line) const {
  Position at = before_;
  for (const std::string& ply : line.variation)
    if (!at.outcome()) at = position_after_forced(at, ply);
  const auto end = at.outcome();
  const Verdict::Kind kind = line.verdict.kind();
  if (!end || !end->winner || (kind != Verdict::Kind::win && kind != Verdict::Kind::loss) ||
      (kind == Verdict::Kind::win) != (*end->winner == before_.to_move()))
    return {};
  return {ply_ +
              (kind == Verdict::Kind::win ? " wins against every answer"
                                          : " loses against the best answers") +
              "; the expected " + format_count(line.variation.size(), "move", "moves") +
              " end with this: " + describe_end(*end),
          end->spots};
}

Reason Explainer::delay(const Verdict& verdict) const {
  const int wins = verdict.plies() / 2;  // plies of the opponent, the last of which wins
  if (verdict.kind() != Verdict::Kind::loss || before_.seats() > 2 || wins < 2) return {};
  return {ply_ + " holds out longest: " + next_name() + " still " +
              (after_.to_move() == reader_.own ? "need " : "needs ") + std::to_string(wins) +
              " good moves to win",
          {}};
}

Reason Explainer::purpose() const {
  const auto purpose = reader_.match.game().purpose;
  Reason out = purpose ? purpose(before_, ply_) : Reason{};
  if (!out.text.empty()) out.text = ply_ + " " + out.text;
  return out;
}

Reason Explainer::allowed_win() const {
  if (const auto end = after_.outcome())
    return end->winner && *end->winner != before_.to_move()
               ? Reason{ply_ + " loses at once (result: " + describe_end(*end) + ")", end->spots}
               : Reason{};
  const Wins wins = find_wins(after_);
  if (wins.empty()) return {};
  return {ply_ + " lets " + next_name() + " win at once" + describe_wins(wins, after_, after_),
          wins.front().end.spots};
}

std::vector<Reason> Explainer::facts(const AnalysisLine& line) const {
  std::vector<Reason> out;
  const auto add = [&](Reason fact) {
    if (!fact.text.empty()) out.push_back(std::move(fact));
  };
  add(win());
  add(allowed_win());
  if (after_.outcome()) return out;
  add(stopped_win());
  const Reason menace = threat(line);
  add(menace);
  add(capture());
  if (const std::string only = forced_answer(); !only.empty() && (out.empty() || verb().empty()))
    add({ply_ + " " + only, after_.changed_spots(after_.legal_plies().front())});
  add(saved_pieces());
  if (out.size() < 2 && !menace.text.ends_with(kWinsNext)) add(end_of_line(line));
  if (out.size() < 2) add(line_captures(line));
  if (out.empty()) add(exchange(line));
  return out;
}

// Joins the first facts to sentences; the first one with squares gives the squares.
Reason join_facts(const std::vector<Reason>& facts, std::size_t most) {
  Reason out;
  for (const Reason& fact : facts) {
    if (fact.text.empty() || most-- == 0) continue;
    out.text += (out.text.empty() ? "" : " ") + fact.text + ".";
    if (out.spots.empty()) out.spots = fact.spots;
  }
  return out;
}

}  // namespace

bool can_win_at_once(const Position& position) { return !find_wins(position, 1).empty(); }

Reason explain_line(const Reader& reader, const Position& before, const AnalysisLine& line,
                    const std::string& balance) {
  if (before.legal_plies().size() == 1) return {"There is no other move.", {}};
  const Explainer about(reader, before, line.ply);
  auto facts = about.facts(line);
  if (facts.empty()) facts.push_back(about.delay(line.verdict));
  if (facts.front().text.empty()) facts = {about.purpose(), {balance, {}}};
  if (facts.front().text.empty())
    facts.front().text = line.ply + (line.verdict.kind() == Verdict::Kind::win
                                         ? " wins in the end, whatever the answers"
                                         : " wins or loses nothing at once");
  return join_facts(facts, 2);
}

Reason explain_mistake(const Reader& reader, const Position& before, const std::string& played,
                       const AnalysisLine& better, const AnalysisLine* answer) {
  const Explainer bad(reader, before, played), good(reader, before, better.ply);
  const auto gains = good.facts(better);
  Reason gain = gains.empty() ? good.purpose() : gains.front();
  if (good.after().outcome()) return join_facts({gain}, 1);
  if (!gain.text.empty()) gain.text.insert(0, "Better: ");
  if (Reason lost = bad.allowed_win(); !lost.text.empty()) {
    if (lost.spots == gain.spots && !can_win_at_once(good.after()))
      gain.text = "Better: " + better.ply + " stops that";
    return join_facts({lost, gain}, 2);
  }
  if (const auto legal = bad.after().legal_plies();
      answer && before.seats() == 2 && std::ranges::count(legal, answer->ply) > 0) {
    const Explainer reply(reader, bad.after(), answer->ply);
    const auto theirs = reply.facts(*answer);
    const bool loses_more = !bad.verb().empty() && captured_spots(bad.after(), answer->ply).size() >
                                                       largest_capture(good.after()).spots.size();
    Reason first = answer->verdict.kind() == Verdict::Kind::win || loses_more
                       ? (theirs.empty() ? Reason{} : theirs.front())
                       : reply.line_captures(*answer);
    if (first.text.starts_with(answer->ply)) first.text.insert(0, "Then ");
    if (!first.text.empty()) return join_facts({first, gain}, 2);
  }
  Reason out = join_facts({gain}, 1);
  if (out.text.empty())
    out.text = better.ply + " was better, but it wins or loses nothing at once.";
  return out;
}

}  // namespace pbm
