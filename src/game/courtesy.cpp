// SPDX-License-Identifier: MIT
#include "game/courtesy.hpp"

#include <algorithm>

namespace pbm {

Question question_about(const Match& match, int level) {
  Question out;
  out.level = level;
  out.seed = static_cast<std::uint64_t>(match.started().time_since_epoch().count());
  for (const std::string& name : match.names())
    for (const char c : name) out.seed = out.seed * 31 + static_cast<unsigned char>(c);
  const std::size_t plies = match.plies().size();
  for (std::size_t n = plies - std::min(plies, kRemembered); n < plies; ++n)
    out.history.push_back(match.position_after(n));
  return out;
}
namespace {

constexpr std::size_t kEarliest = 60;       // plies before there is any talk of a draw
constexpr std::size_t kLong = 12;           // own plies in which nothing happened
constexpr int kEven = 8;                    // of 100, either way
constexpr int kLowestResigning = 8;         // level
constexpr std::size_t kHopeless = 4;        // own plies without a chance
constexpr int kNoChance = 2;                // of 100
constexpr std::size_t kBetweenOffers = 20;  // plies

bool surely_even(const Verdict& v) {
  return v.kind == Verdict::Kind::tie || v.kind == Verdict::Kind::endless;
}

// Whether all of the last `n` have a share from `least` to `most`.
bool stayed(std::span<const Verdict> said, std::size_t n, int least, int most) {
  return said.size() >= n &&
         std::all_of(said.end() - static_cast<std::ptrdiff_t>(n), said.end(),
                     [&](const Verdict& v) { return v.share >= least && v.share <= most; });
}

}  // namespace

bool offers_draw(std::span<const Verdict> said, std::size_t plies) {
  if (said.empty() || plies < kEarliest) return false;
  return surely_even(said.back()) || stayed(said, kLong, 50 - kEven, 50 + kEven);
}

bool accepts_draw(std::span<const Verdict> said, std::size_t plies) {
  if (said.empty()) return false;
  if (surely_even(said.back())) return true;
  return plies >= kEarliest && stayed(said, kLong / 2, 0, 50 + kEven);
}

bool resigns(std::span<const Verdict> said, int level) {
  return level >= kLowestResigning && stayed(said, kHopeless, 0, kNoChance);
}

std::vector<std::string> Manners::deeds(const Match& match, const Line& best, int level) {
  said_.push_back(best.verdict);
  if (resigns(said_, level)) return {std::string(to_string(MatchWord::resign))};
  std::vector<std::string> out{best.ply};
  const std::size_t plies = match.plies().size() + 1;
  if (!offers_draw(said_, plies) || plies < offered_at_ + kBetweenOffers) return out;
  Position then = match.position();
  then.play(best.ply);
  if (then.outcome()) return out;
  offered_at_ = plies;
  out.emplace_back(to_string(MatchWord::propose));
  return out;
}

std::string Manners::reply(const Match& match) const {
  const bool takes = !match.offer()->draw || accepts_draw(said_, match.plies().size());
  return std::string(to_string(takes ? MatchWord::accept : MatchWord::reject));
}

}  // namespace pbm
