// SPDX-License-Identifier: MIT
#include "boards/inquiry.hpp"

#include <algorithm>

namespace pbm {
namespace {

// Positions looked at for the proofs of all plies together, and at least for each.
constexpr std::uint64_t kWork = 1'000'000, kLeast = 20'000;

}  // namespace

OpeningProofs::OpeningProofs(Openings& openings) : openings_(openings) {
  const Position& here = openings.here();
  if (here.seats() > 2) return;
  openings.try_proofs();
  for (const Openings::Row& row : openings.rows()) {
    Position then = here;
    then.play(row.ply);
    if (const auto end = then.outcome())
      openings.prove(row.ply, Verdict::of_last_ply(end->winner, here.to_move()));
    else judged_.push_back({row.ply, std::move(then)});
  }
  std::ranges::reverse(judged_);
  waiting_ = judged_.size();
}

std::optional<std::size_t> OpeningProofs::next() const {
  return waiting_ == 0 ? std::nullopt : std::optional(waiting_ - 1);
}

Question OpeningProofs::question() const {
  Question out;
  out.limits.nodes = std::max(kLeast, kWork / judged_.size());
  return out;
}

void OpeningProofs::take(Thought thought) {
  const auto& [ply, position] = judged_[--waiting_];
  const Verdict found = thought.lines.front().verdict.ply_before();
  const bool same = position.to_move() == openings_.here().to_move();
  if (found.proved()) openings_.prove(ply, same ? found : found.turned());
}

}  // namespace pbm
