// SPDX-License-Identifier: MIT
#include "boards/computer_player.hpp"

#include "game/courtesy.hpp"

namespace pbm {

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
  constexpr std::size_t kBetweenOffers = 20;  // plies
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
