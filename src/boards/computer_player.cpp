// SPDX-License-Identifier: MIT
#include "boards/computer_player.hpp"

#include <algorithm>

namespace pbm {

namespace {

constexpr std::size_t kMinDrawPlies = 60;        // plies before the first draw offer
constexpr std::size_t kEvenOwnPlies = 12;        // own plies without a gain
constexpr std::size_t kQuietPlies = 40;          // quiet plies
constexpr std::size_t kVeryLongPlies = 200;      // plies after which the game need not be quiet
constexpr int kEvenMargin = 8;                   // per cent above or below 50
constexpr int kMinResignLevel = 8;               // level
constexpr std::size_t kHopelessOwnPlies = 4;     // own plies without a chance
constexpr int kNoChance = 2;                     // per cent
constexpr std::size_t kPliesBetweenOffers = 20;  // plies
constexpr int kRelaxAfterPlies = 120;  // plies; each quiet one after them adds one per cent,
                                       // as does each ply of the game after twice as many

bool is_certain_tie(const Verdict& v) {
  return v.kind() == Verdict::Kind::tie || v.kind() == Verdict::Kind::endless;
}

// Returns the pieces on the board, without their places, and the row of the ball, if there is one.
std::pair<std::vector<std::string>, int> pieces(const Position& position) {
  std::pair<std::vector<std::string>, int> out;
  for (const Spot& spot : position.draw({}).spots)
    if (spot.role == SpotRole::ball) out.second = spot.row;
    else if (!spot.content.empty()) out.first.push_back(spot.content);
  std::ranges::sort(out.first);
  return out;
}

// Returns the greatest chance, in per cent, at which the computer still agrees to a draw.
int max_draw_chance(const GameProgress& course) {
  const int quiet = static_cast<int>(course.quiet_plies),
            plies = static_cast<int>(course.ply_count);
  return std::clamp(50 + std::max(quiet - kRelaxAfterPlies, plies - 2 * kRelaxAfterPlies),
                    50 + kEvenMargin, 99);
}

// True if the last `n` verdicts all have a share from `least` to `most`.
bool all_shares_within(std::span<const Verdict> said, std::size_t n, int least, int most) {
  return said.size() >= n &&
         std::all_of(
             said.end() - static_cast<std::ptrdiff_t>(n), said.end(),
             [&](const Verdict& v) { return v.win_percent() >= least && v.win_percent() <= most; });
}

}  // namespace

std::vector<Position> positions_before(const Match& match, std::size_t most) {
  std::vector<Position> out;
  const std::size_t plies = match.plies().size();
  std::size_t n = plies - std::min(plies, most);
  for (Position then = match.position_after(n); n < plies; ++n) {
    out.push_back(then);
    // After a resignation the plies alone do not give the position.
    if (match.seats() > 2) then = match.position_after(n + 1);
    else then.play(match.plies()[n].text);
  }
  return out;
}

SearchRequest make_question(const Match& match, int level) {
  SearchRequest out;
  out.level = level;
  out.seed = static_cast<std::uint64_t>(match.start_time().time_since_epoch().count());
  for (const std::string& name : match.names())
    for (const char c : name) out.seed = out.seed * 31 + static_cast<unsigned char>(c);
  constexpr std::size_t kRemembered = 60;  // positions in the history, to avoid repetitions
  out.history = positions_before(match, kRemembered);
  return out;
}

GameProgress game_progress(const Match& match) {
  GameProgress out{match.plies().size()};
  std::vector<Position> all = positions_before(match, out.ply_count);
  all.push_back(match.position());
  const auto there = pieces(all.back()).first;
  std::vector<int> rows;  // of the ball, latest first, while the pieces stay the same
  bool same = true;
  const auto came_nearer = [&](std::size_t ago) {
    while (same && rows.size() < all.size() && rows.size() <= ago + kQuietPlies) {
      const auto [then, row] = pieces(all[out.ply_count - rows.size()]);
      same = then == there;
      if (same) rows.push_back(row);
    }
    const auto before =
        std::span(rows).subspan(ago + 1, std::min(kQuietPlies, rows.size() - ago - 1));
    if (before.empty()) return true;
    const auto [least, most] = std::ranges::minmax(before);
    return rows[ago] < least || rows[ago] > most;
  };
  while (!came_nearer(out.quiet_plies)) ++out.quiet_plies;
  const auto stands = [&](const Position& p) { return std::ranges::count(all, p) > 2; };
  out.is_repeated = out.ply_count > 0 && (stands(all.back()) || stands(all[out.ply_count - 1]));
  return out;
}

bool should_offer_draw(std::span<const Verdict> said, const GameProgress& course) {
  if (said.empty()) return false;
  if (course.is_repeated && said.back().win_percent() <= 50 + kEvenMargin) return true;
  if (course.ply_count < kMinDrawPlies) return false;
  if (is_certain_tie(said.back())) return true;
  const int most = max_draw_chance(course);
  return (course.quiet_plies >= kQuietPlies || course.ply_count >= kVeryLongPlies) &&
         all_shares_within(said, kEvenOwnPlies, most > 50 + kEvenMargin ? 0 : 50 - kEvenMargin,
                           most);
}

bool should_accept_draw(std::span<const Verdict> said, const GameProgress& course) {
  if (said.empty()) return false;
  if (is_certain_tie(said.back()) || should_offer_draw(said, course)) return true;
  return course.ply_count >= kMinDrawPlies &&
         all_shares_within(said, std::min(kEvenOwnPlies / 2, said.size()), 0,
                           max_draw_chance(course));
}

bool should_resign(std::span<const Verdict> said, int level) {
  return level >= kMinResignLevel && all_shares_within(said, kHopelessOwnPlies, 0, kNoChance);
}

Thinker::Handle ComputerPlayer::think(Thinker& thinker, const Match& match, SearchRequest question,
                                      Thinker::Callback callback, Thinker::Rank rank) const {
  if (!engine_)
    return thinker.ask(rank, match.game(), match.position(), std::move(question),
                       std::move(callback));
  return thinker.ask(
      rank,
      [engine = engine_, match](const SearchRequest& asked, const std::stop_token& dropped) {
        return engine->think(match, asked, dropped);
      },
      std::move(question), std::move(callback));
}

std::vector<std::string> ComputerPlayer::choose_actions(const Match& match,
                                                        const SearchResult& thought, int level) {
  const AnalysisLine& best = thought.lines.front();
  std::vector<std::string> out{best.ply};
  if (engine_) return out;
  std::vector<Verdict> said = own_verdicts(match);
  said.push_back(best.verdict);
  verdicts_.emplace(match.plies().size(), best.verdict);
  if (should_resign(said, level)) return {std::string(to_string(MatchWord::resign))};
  const std::size_t plies = match.plies().size() + 1;
  if (last_offer_ply_ > 0 && plies < last_offer_ply_ + kPliesBetweenOffers) return out;
  Match then = match;
  then.add({best.ply, *match.to_move(), {}, {}});
  if (then.ending() || !should_offer_draw(said, game_progress(then))) return out;
  last_offer_ply_ = plies;
  out.emplace_back(to_string(MatchWord::propose));
  return out;
}

// Forgets the verdicts on plies that were taken back.
std::vector<Verdict> ComputerPlayer::own_verdicts(const Match& match) {
  verdicts_.erase(verdicts_.lower_bound(match.plies().size()), verdicts_.end());
  std::vector<Verdict> said;
  for (const auto& [plies, verdict] : verdicts_) said.push_back(verdict);
  return said;
}

std::string ComputerPlayer::answer_offer(const Match& match, Seat seat,
                                         const SearchResult* thought) {
  std::vector<Verdict> said = own_verdicts(match);
  if (thought) said.push_back(verdict_for(thought->lines.front(), match.position(), seat));
  const bool takes = !match.offer()->is_draw || should_accept_draw(said, game_progress(match));
  return std::string(to_string(takes ? MatchWord::accept : MatchWord::reject));
}

bool ComputerPlayer::needs_thought(const Match& match) {
  return match.offer()->is_draw && !engine_ && own_verdicts(match).empty();
}

}  // namespace pbm
