// SPDX-License-Identifier: MIT
#include "boards/computer_player.hpp"

#include <algorithm>

namespace pbm {

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

Thinker::Handle ComputerPlayer::think(Thinker& thinker, const Match& match, Question question,
                                      Thinker::Then then, Thinker::Rank rank) const {
  if (!engine_)
    return thinker.ask(rank, match.game(), match.position(), std::move(question), std::move(then));
  return thinker.ask(
      rank,
      [engine = engine_, match](const Question& asked, const std::stop_token& dropped) {
        return engine->think(match, asked, dropped);
      },
      std::move(question), std::move(then));
}

std::vector<std::string> ComputerPlayer::deeds(const Match& match, const Thought& thought,
                                               int level) {
  const Line& best = thought.lines.front();
  std::vector<std::string> out{best.ply};
  if (engine_) return out;
  said_.push_back(best.verdict);
  if (resigns(said_, level)) return {std::string(to_string(MatchWord::resign))};
  const std::size_t plies = match.plies().size() + 1;
  if (!offers_draw(said_, plies) || plies < offered_at_ + kBetweenOffers) return out;
  Position then = match.position();
  then.play(best.ply);
  if (then.outcome()) return out;
  offered_at_ = plies;
  out.emplace_back(to_string(MatchWord::propose));
  return out;
}

std::string ComputerPlayer::reply(const Match& match) const {
  const bool takes = !match.offer()->draw || accepts_draw(said_, match.plies().size());
  return std::string(to_string(takes ? MatchWord::accept : MatchWord::reject));
}

}  // namespace pbm
