// SPDX-License-Identifier: MIT
#include "ui/advice.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::size_t kLine = 6;   // plies of the expected line
constexpr std::size_t kTerms = 3;  // the most important changes

}  // namespace

std::optional<SpotId> Hint::spot_of_ply() const {
  const auto trail = match_.position().trail(advice_.line.ply);
  return trail.empty() ? std::nullopt : std::optional(trail.front());
}

// Returns the square in words: "at E3 (X Flooper)".
std::string Hint::where() const {
  const Drawing drawing = match_.position().draw(View{});
  const auto found = std::ranges::find_if(
      drawing.spots, [at = spot_of_ply()](const Spot& s) { return s.id == at; });
  if (found == drawing.spots.end() || (found->name.empty() && found->what.empty()))
    return "on the square that is marked";
  if (found->name.empty()) return "with " + found->what;
  return "at " + found->name + (found->what.empty() ? "" : " (" + found->what + ")");
}

std::string Hint::why() const {
  const auto& [ply, verdict, variation, shares] = advice_.line;
  const auto name = [&](Seat seat) {
    return shown_name(match_.names()[static_cast<std::size_t>(seat)]);
  };
  std::string out;
  const auto plies = static_cast<std::size_t>(verdict.plies());
  const std::string moves =
      count_of(plies, "move", "moves") + (plies > 1 ? ", counting both sides'" : "");
  switch (verdict.kind()) {
    case Verdict::Kind::win:
      out = verdict.plies() == 1   ? "It wins at once."
            : verdict.plies() == 0 ? "It wins; in how many moves is not known."
                                   : "It wins in " + moves + ".";
      break;
    case Verdict::Kind::loss:
      out = verdict.plies() == 0 ? "Every move loses."
                                 : "It loses in " + moves + "; no move is better.";
      break;
    case Verdict::Kind::tie: out = "With best play it is a tie."; break;
    case Verdict::Kind::endless: out = "With best play nobody can win."; break;
    case Verdict::Kind::estimate:
      out = "Chance to win: " + name(match_.position().to_move()) + " " +
            std::to_string(verdict.share()) + " %";
      // With more than two seats, each seat has a chance.
      for (std::size_t s = 0; s < shares.size(); ++s)
        if (static_cast<Seat>(s) != match_.position().to_move())
          out += ", " + name(static_cast<Seat>(s)) + " " + std::to_string(shares[s]) + " %";
      out += ".";
  }
  if (variation.size() > 1)
    out += " Expected then: " + joined(variation, 1, kLine) +
           (variation.size() > kLine + 1 ? " ..." : ".");
  std::string good, bad;  // the most important changes
  for (std::size_t i = 0; i < std::min(kTerms, advice_.changes.size()); ++i) {
    std::string& side = advice_.changes[i].value > 0 ? good : bad;
    side += (side.empty() ? "" : ", ") + advice_.changes[i].name;
  }
  if (!good.empty())
    out += " In its favour: " + good + (bad.empty() ? "." : "; against it: " + bad + ".");
  else if (!bad.empty()) out += " Against it: " + bad + ".";
  return out;
}

Hint::Step Hint::next() {
  const std::string& ply = advice_.line.ply;
  told_ = spot_of_ply() ? std::min(told_ + 1, 2) : 2;  // a ply may have no square
  if (match_.position().legal().size() == 1)
    return {"Hint: " + ply + ". There is no other move.", ply};
  if (told_ == 1) return {"Hint: look " + where() + ". Ask again for the move.", ""};
  return {
      "Hint: " + ply + " " + match_.position().describe(ply) + "." + (reasons_ ? " " + why() : ""),
      ply};
}

std::vector<Term> changes_by(const Match& match, const Thought& thought) {
  const Position& now = match.position();
  Position then = now;
  for (const std::string& ply : thought.lines.front().variation) then.play(ply);
  if (now.seats() != 2 || then.outcome()) return {};
  Question glance;
  glance.limits.nodes = 1;
  const int sign = then.to_move() == now.to_move() ? 1 : -1;
  std::map<std::string, int> sums;
  for (const Term& term : match.game().think(then, glance).terms)
    sums[term.name] += sign * term.value;
  for (const Term& term : thought.terms) sums[term.name] -= term.value;
  std::vector<Term> out;
  for (const auto& [name, value] : sums)
    if (value != 0) out.push_back({name, value});
  std::ranges::stable_sort(
      out, [](const Term& a, const Term& b) { return std::abs(a.value) > std::abs(b.value); });
  return out;
}

namespace {

constexpr std::size_t kWins = 4;        // plies named that win at once
constexpr std::size_t kTakes = 3;       // captures named, the largest first
constexpr std::size_t kShownPlies = 6;  // plies shown of a longer win

// A ply and its captures.
struct Take {
  std::string ply;
  std::vector<SpotId> spots;
  std::vector<std::string> names;
};

Take take_of(const Position& position, const std::string& ply) {
  Take out{ply, {}, {}};
  for (const Spot& spot : taken(position, ply)) {
    out.spots.push_back(spot.id);
    out.names.push_back(spot.name);
  }
  return out;
}

void add(std::vector<SpotId>& to, const std::vector<SpotId>& spots) {
  to.insert(to.end(), spots.begin(), spots.end());
}

// Returns the position after a ply and after forced plies that change nothing, as a pass in Chaos.
Position settled_after(const Position& before, const std::string& ply) {
  Position out = before;
  out.play(ply);
  for (auto legal = out.legal();
       !out.outcome() && legal.size() == 1 && out.touched(legal.front()).empty();
       legal = out.legal())
    out.play(legal.front());
  return out;
}

// Returns the captures in words, the largest first, and adds their squares to `marked`.
std::string told_takes(std::vector<Take> takes, std::vector<SpotId>& marked) {
  std::ranges::stable_sort(
      takes, [](const Take& a, const Take& b) { return a.spots.size() > b.spots.size(); });
  takes.resize(std::min(takes.size(), kTakes));
  std::string all;
  for (const Take& take : takes) {
    all += (all.empty() ? "" : "; ") + all_of(take.names) + " with " + take.ply;
    add(marked, take.spots);
  }
  return all;
}

// Returns the plies that are legal after at least one ply of the seat to move.
std::set<std::string> possible_after(const Position& position) {
  std::set<std::string> out;
  for (const std::string& ply : position.legal()) {
    Position after = position;
    after.play(ply);
    for (std::string& answer : after.legal()) out.insert(std::move(answer));
  }
  return out;
}

}  // namespace

std::vector<Spot> taken(const Position& position, const std::string& ply) {
  std::vector<SpotId> changed = position.touched(ply);
  const std::vector<SpotId> way = position.trail(ply);
  std::erase_if(changed, [&](SpotId id) { return std::ranges::count(way, id) > 0; });
  if (changed.empty()) return {};
  std::vector<Spot> out = position.draw(View{}).spots;
  std::erase_if(out, [&](const Spot& spot) {
    return spot.what.empty() || std::ranges::count(changed, spot.id) == 0;
  });
  return out;
}

std::optional<Position> passed_over(const Match& match) {
  return match.ending() ? std::nullopt : match.position().skipped();
}

Threats threats_in(const Match& match, const Thought& ahead) {
  const Position next = *passed_over(match);
  Threats out{match.position(), "", {}, next.to_move()};
  const std::set<std::string> possible = possible_after(match.position());
  std::vector<std::string> wins;
  std::string why;
  std::vector<Take> takes;
  std::set<std::vector<SpotId>> known;
  for (const std::string& ply : next.legal()) {
    if (possible.count(ply) == 0) continue;
    const Position after = settled_after(next, ply);
    if (const auto end = after.outcome(); end && end->winner == next.to_move()) {
      // All wins must have the same reason to name it.
      if (wins.empty()) why = end->why;
      else if (why != end->why) why.clear();
      wins.push_back(ply);
      add(out.spots, next.trail(ply));
    } else if (Take take = take_of(next, ply);
               !take.spots.empty() && known.insert(take.spots).second) {
      takes.push_back(std::move(take));
    }
  }
  const std::string who = shown_name(match.names()[static_cast<std::size_t>(next.to_move())]);
  const bool wins_later = !ahead.lines.empty() &&
                          ahead.lines.front().verdict.kind() == Verdict::Kind::win &&
                          possible.count(ahead.lines.front().ply) > 0;
  // The game may count a win as certain before it ends the match.
  if (wins.empty() && wins_later && ahead.lines.front().verdict.plies() == 1) {
    wins.push_back(ahead.lines.front().ply);
    add(out.spots, next.trail(wins.front()));
  }
  if (!wins.empty()) {
    out.told = who + " threatens to win at once with " + one_of(wins, kWins) +
               (why.empty() ? "." : ": " + why + ".");
    return out;
  }
  if (wins_later) {
    const Line& line = ahead.lines.front();
    out.told = who + " threatens a " + in_words(line.verdict) + ": " +
               joined(line.variation, 0, kShownPlies) +
               (line.variation.size() > kShownPlies ? " ..." : ".");
    add(out.spots, next.trail(line.ply));
  }
  if (const std::string all = told_takes(std::move(takes), out.spots); !all.empty())
    out.told += (out.told.empty() ? "" : " ") + who + " threatens " + all + ".";
  if (out.told.empty()) out.told = who + " threatens nothing that can be seen.";
  return out;
}

}  // namespace pbm
