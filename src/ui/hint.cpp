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

std::optional<SpotId> Hint::spot_of_ply() const {
  const auto trail = match_.position().trail(advice_.line.ply);
  return trail.empty() ? std::nullopt : std::optional(trail.front());
}

// "E3 (X Flooper)".
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
      // Of more than two each has a share.
      for (std::size_t s = 0; s < shares.size(); ++s)
        if (static_cast<Seat>(s) != match_.position().to_move())
          out += ", " + name(static_cast<Seat>(s)) + " " + std::to_string(shares[s]) + " %";
      out += ".";
  }
  if (variation.size() > 1)
    out += " Expected then: " + joined(variation, 1, kLine) +
           (variation.size() > kLine + 1 ? " ..." : ".");
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
  told_ = spot_of_ply() ? std::min(told_ + 1, 2) : 2;  // it may have no place
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

}  // namespace pbm
