// SPDX-License-Identifier: MIT
#include "ui/hint.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::size_t kLine = 6;   // plies of what is expected
constexpr std::size_t kTerms = 3;  // the weightiest

}  // namespace

std::optional<SpotId> Hint::spot() const {
  const auto trail = match_.position().trail(advice_.line.ply);
  return told_ == 1 && !trail.empty() ? std::optional(trail.front()) : std::nullopt;
}

// "E3 (X Flooper)".
std::string Hint::where() const {
  const Drawing drawing = match_.position().draw(View{});
  const auto found = std::find_if(drawing.spots.begin(), drawing.spots.end(),
                                  [at = spot()](const Spot& s) { return s.id == at; });
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
  switch (verdict.kind()) {
    case Verdict::Kind::win:
      out = verdict.plies() == 1 ? ply + " wins at once."
            : verdict.plies() == 0
                ? ply + " wins, however long it takes."
                : ply + " wins, in " + std::to_string(verdict.plies()) + " plies.";
      break;
    case Verdict::Kind::loss:
      out = ply + " loses";
      if (verdict.plies() > 0)
        out += " in " + count_of(static_cast<std::size_t>(verdict.plies()), "ply", "plies");
      out += ", and nothing is better.";
      break;
    case Verdict::Kind::tie: out = ply + " holds a tie, which is proved."; break;
    case Verdict::Kind::endless: out = ply + " holds: the game need never end."; break;
    case Verdict::Kind::estimate:
      out = "With " + ply + " " + name(match_.position().to_move()) + " has a chance to win of " +
            std::to_string(verdict.share()) + " %";
      // Of more than two each has a share.
      for (std::size_t s = 0; s < shares.size(); ++s)
        if (static_cast<Seat>(s) != match_.position().to_move())
          out += ", " + name(static_cast<Seat>(s)) + " " + std::to_string(shares[s]) + " %";
      out += ".";
  }
  if (variation.size() > 1)
    out += " It expects " + joined(variation, 0, kLine) + (variation.size() > kLine ? " ..." : ".");
  std::string good, bad;  // what matters most of what it changes
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
  told_ = std::min(told_ + 1, steps_);
  if (told_ == 1 && !spot()) ++told_;  // it has no place
  switch (told_) {
    case 1: return {"Hint: look " + where() + ". Again for the move.", ""};
    case 2:
      return {"Hint: " + ply + " " + match_.position().describe(ply) +
                  (steps_ > 2 ? ". Again for why." : "."),
              ply};
    default: return {why(), ply};
  }
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
  std::stable_sort(out.begin(), out.end(), [](const Term& a, const Term& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  return out;
}

}  // namespace pbm
