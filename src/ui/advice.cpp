// SPDX-License-Identifier: MIT
#include "ui/advice.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"
#include "boards/analysis.hpp"

namespace pbm {

namespace {

constexpr std::size_t kExpectedPlies = 6;  // plies of the expected line
constexpr std::size_t kShownTerms = 3;     // the most important changes

}  // namespace

std::optional<SpotId> Hint::ply_spot() const {
  const auto trail = match_.position().selected_spots(advice_.line.ply);
  return trail.empty() ? std::nullopt : std::optional(trail.front());
}

// Returns the square in words: "at E3 (X Flooper)".
std::string Hint::describe_place() const {
  const Drawing drawing = match_.position().draw(View{});
  const auto found =
      std::ranges::find_if(drawing.spots, [at = ply_spot()](const Spot& s) { return s.id == at; });
  if (found == drawing.spots.end() || (found->name.empty() && found->content.empty()))
    return "at the marked square";
  if (found->name.empty()) return "with " + found->content;
  return "at " + found->name + (found->content.empty() ? "" : " (" + found->content + ")");
}

std::string Hint::describe_reasons() const {
  const auto& [ply, verdict, variation, shares] = advice_.line;
  const auto name = [&](Seat seat) { return seat_name(match_, seat, own_seat_); };
  std::string out;
  const auto plies = static_cast<std::size_t>(verdict.plies());
  const std::string moves =
      format_count(plies, "move", "moves") + (plies > 1 ? ", counting both players'" : "");
  switch (verdict.kind()) {
    case Verdict::Kind::win:
      out = verdict.plies() == 1   ? "It wins at once."
            : verdict.plies() == 0 ? "This move wins, but the number of moves is not known."
                                   : "It wins in " + moves + ".";
      break;
    case Verdict::Kind::loss:
      out = verdict.plies() == 0 ? "It is not known which move holds out longest."
                                 : "The game can last " + moves + ". No move holds out longer.";
      break;
    case Verdict::Kind::tie: out = "With best play the game is a tie."; break;
    case Verdict::Kind::endless: out = "With best play nobody can win."; break;
    case Verdict::Kind::estimate:
      out = start_text() + "Chance to win: " + name(match_.position().to_move()) + " " +
            std::to_string(verdict.win_percent()) + " %";
      // With more than two seats, each seat has a chance.
      for (std::size_t s = 0; s < shares.size(); ++s)
        if (static_cast<Seat>(s) != match_.position().to_move())
          out += ", " + name(static_cast<Seat>(s)) + " " + std::to_string(shares[s]) + " %";
      out += " against best play.";
  }
  if (variation.size() > 1)
    out += " Expected then: " + join_words(variation, 1, kExpectedPlies) +
           (variation.size() > kExpectedPlies + 1 ? " ..." : ".");
  return out;
}

// Says what each seat gains by the most important changes, without a full stop; or returns "".
std::string Hint::describe_balance() const {
  if (advice_.line.verdict.kind() == Verdict::Kind::loss) return "";
  const Seat mover = match_.position().to_move();
  const auto describe_gains = [&](Seat seat) {
    std::vector<std::string> gains;
    for (std::size_t i = 0; i < std::min(kShownTerms, advice_.changes.size()); ++i)
      if (const auto& [gain, points] = advice_.changes[i]; (points > 0) == (seat == mover))
        gains.push_back(seat == own_seat_ ? second_person(gain) : gain);
    return gains.empty() ? "" : seat_name(match_, seat, own_seat_) + " " + join_with_and(gains);
  };
  const std::string good = describe_gains(mover), bad = describe_gains(1 - mover);
  if (good.empty() && bad.empty()) return "";
  return "After the expected moves, " + good + (good.empty() || bad.empty() ? "" : ", but ") + bad +
         (good.empty() ? ", but all other moves look worse" : "");
}

// Returns a sentence and a blank if the first move decides much, else "".
std::string Hint::start_text() const {
  const std::string out = start_advantage(match_, match_.plies().size(), advice_.line.verdict);
  return out + (out.empty() ? "" : " ");
}

Hint::Step Hint::next_step() {
  const std::string& ply = advice_.line.ply;
  steps_shown_ = steps_shown_ == 0 && !ply_spot()  // a ply may have no square
                     ? 2
                     : std::min(steps_shown_ + 1, last_step());
  if (steps_shown_ == 3) {
    const Reason why =
        explain_line({match_, own_seat_}, match_.position(), advice_.line, describe_balance());
    reason_spots_ = why.spots;
    return {"Why? " + why.text, ""};
  }
  if (match_.position().legal_plies().size() == 1)
    return {"Hint: " + ply + ". There is no other move.", ply};
  const bool lost = advice_.line.verdict.kind() == Verdict::Kind::loss;
  const std::string bad = lost ? "Every move loses against best play. " + start_text() : "";
  if (steps_shown_ == 1)
    return {"Hint: " + bad + (lost ? "Look " : "look ") + describe_place() +
                ". Press F6 or type hint again for the move.",
            ""};
  return {"Hint: " + ply + " " + match_.position().describe(ply) + "." +
              (has_reasons_
                   ? " " + bad + describe_reasons() + " Press F6 or type hint again to see why."
                   : ""),
          ply};
}

std::vector<EvaluationTerm> line_changes(const Match& match, const SearchResult& thought) {
  const Position& now = match.position();
  Position then = now;
  for (const std::string& ply : thought.lines.front().variation) then.play(ply);
  if (now.seats() != 2 || then.outcome()) return {};
  SearchRequest glance;
  glance.limits.nodes = 1;
  const int sign = then.to_move() == now.to_move() ? 1 : -1;
  std::map<std::string, int> sums;
  for (const EvaluationTerm& term : match.game().think(then, glance).terms)
    sums[term.name] += sign * term.points;
  for (const EvaluationTerm& term : thought.terms) sums[term.name] -= term.points;
  std::vector<EvaluationTerm> out;
  for (const auto& [name, value] : sums)
    if (value != 0 && !name.empty()) out.push_back({name, value});
  std::ranges::stable_sort(out, [](const EvaluationTerm& a, const EvaluationTerm& b) {
    return std::abs(a.points) > std::abs(b.points);
  });
  return out;
}

namespace {

constexpr std::size_t kNamedWins = 4;      // plies named that win at once
constexpr std::size_t kNamedCaptures = 3;  // captures named, the largest first
constexpr std::size_t kShownPlies = 6;     // plies shown of a longer win

// A ply and its captures.
struct Capture {
  std::string ply;
  std::vector<SpotId> spots;
  std::vector<std::string> spot_names;
};

Capture make_capture(const Position& position, const std::string& ply) {
  Capture out{ply, {}, {}};
  for (const Spot& spot : captured_spots(position, ply)) {
    out.spots.push_back(spot.id);
    out.spot_names.push_back(spot.name);
  }
  return out;
}

void append_spots(std::vector<SpotId>& to, const std::vector<SpotId>& spots) {
  to.insert(to.end(), spots.begin(), spots.end());
}

// Returns the captures in words, the largest first, and adds their squares to `marked`.
std::string describe_captures(std::vector<Capture> takes, std::vector<SpotId>& marked) {
  std::ranges::stable_sort(
      takes, [](const Capture& a, const Capture& b) { return a.spots.size() > b.spots.size(); });
  takes.resize(std::min(takes.size(), kNamedCaptures));
  std::string all;
  for (const Capture& take : takes) {
    all += (all.empty() ? "" : "; ") + join_with_and(take.spot_names) + " with " + take.ply;
    append_spots(marked, take.spots);
  }
  return all;
}

// Returns the plies that are legal after at least one ply of the seat to move.
std::set<std::string> plies_after_any(const Position& position) {
  std::set<std::string> out;
  for (const std::string& ply : position.legal_plies()) {
    Position after = position;
    after.play(ply);
    for (std::string& answer : after.legal_plies()) out.insert(std::move(answer));
  }
  return out;
}

}  // namespace

std::optional<Position> position_after_pass(const Match& match) {
  return match.ending() ? std::nullopt : match.position().after_skip();
}

Threats find_threats(const Match& match, const SearchResult& ahead, std::optional<Seat> own) {
  const Position next = *position_after_pass(match);
  const auto verb = match.game().capture_verb;
  const bool wants_captures = !verb || !verb(next).empty();
  Threats out{match.position(), "", {}, next.to_move()};
  const std::set<std::string> possible = plies_after_any(match.position());
  std::vector<std::string> wins;
  std::string why;
  std::vector<Capture> takes;
  std::set<std::vector<SpotId>> known;
  for (const std::string& ply : next.legal_plies()) {
    if (possible.count(ply) == 0) continue;
    const Position after = position_after_forced(next, ply);
    if (const auto end = after.outcome(); end && end->winner == next.to_move()) {
      // All wins must have the same reason to name it.
      if (wins.empty()) why = end->reason;
      else if (why != end->reason) why.clear();
      wins.push_back(ply);
      append_spots(out.spots, next.selected_spots(ply));
    } else if (Capture take = make_capture(next, ply);
               wants_captures && !take.spots.empty() && known.insert(take.spots).second) {
      takes.push_back(std::move(take));
    }
  }
  const std::string name = seat_name(match, next.to_move(), own),
                    who = capitalize(name) + (next.to_move() == own ? " threaten " : " threatens ");
  const bool wins_later = !ahead.lines.empty() &&
                          ahead.lines.front().verdict.kind() == Verdict::Kind::win &&
                          possible.count(ahead.lines.front().ply) > 0;
  // The game may count a win as certain before it ends the match.
  if (wins.empty() && wins_later && ahead.lines.front().verdict.plies() == 1) {
    wins.push_back(ahead.lines.front().ply);
    append_spots(out.spots, next.selected_spots(wins.front()));
  }
  if (!wins.empty()) {
    out.text = who + "to win at once with " + join_with_or(wins, kNamedWins) +
               (why.empty() ? "." : ": " + why + ".");
    return out;
  }
  if (wins_later) {
    const AnalysisLine& line = ahead.lines.front();
    out.text = who + "a " + verdict_text(line.verdict) + ": " +
               join_words(line.variation, 0, kShownPlies) +
               (line.variation.size() > kShownPlies ? " ..." : ".");
    append_spots(out.spots, next.selected_spots(line.ply));
  }
  if (const std::string all = describe_captures(std::move(takes), out.spots); !all.empty())
    out.text += (out.text.empty() ? "" : " ") + who + all + ".";
  if (out.text.empty()) out.text = "No threats from " + name + ".";
  return out;
}

}  // namespace pbm
