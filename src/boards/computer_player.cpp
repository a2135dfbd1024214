// SPDX-License-Identifier: MIT
#include "boards/computer_player.hpp"

#include <algorithm>

namespace pbm {

namespace {

constexpr std::size_t kEarliest = 60;       // plies before the first draw offer
constexpr std::size_t kLong = 12;           // own plies without a gain
constexpr std::size_t kStanding = 40;       // quiet plies
constexpr std::size_t kEndless = 200;       // plies after which the game need not be quiet
constexpr int kEven = 8;                    // per cent above or below 50
constexpr int kLowestResigning = 8;         // level
constexpr std::size_t kHopeless = 4;        // own plies without a chance
constexpr int kNoChance = 2;                // per cent
constexpr std::size_t kBetweenOffers = 20;  // plies
constexpr int kQuiet = 120;                 // plies; each quiet one after them adds one per cent,
                                            // as does each ply of the game after twice as many

bool surely_even(const Verdict& v) {
  return v.kind() == Verdict::Kind::tie || v.kind() == Verdict::Kind::endless;
}

// Returns the pieces on the board, without their places, and the row of the ball, if there is one.
std::pair<std::vector<std::string>, int> pieces(const Position& position) {
  std::pair<std::vector<std::string>, int> out;
  for (const Spot& spot : position.draw({}).spots)
    if (spot.role == Role::ball) out.second = spot.row;
    else if (!spot.what.empty()) out.first.push_back(spot.what);
  std::ranges::sort(out.first);
  return out;
}

// Returns the greatest chance, in per cent, at which the computer still agrees to a draw.
int most_even(const Course& course) {
  const int quiet = static_cast<int>(course.quiet), plies = static_cast<int>(course.plies);
  return std::clamp(50 + std::max(quiet - kQuiet, plies - 2 * kQuiet), 50 + kEven, 99);
}

// True if the last `n` verdicts all have a share from `least` to `most`.
bool stayed(std::span<const Verdict> said, std::size_t n, int least, int most) {
  return said.size() >= n &&
         std::all_of(said.end() - static_cast<std::ptrdiff_t>(n), said.end(),
                     [&](const Verdict& v) { return v.share() >= least && v.share() <= most; });
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

Question question_about(const Match& match, int level) {
  Question out;
  out.level = level;
  out.seed = static_cast<std::uint64_t>(match.started().time_since_epoch().count());
  for (const std::string& name : match.names())
    for (const char c : name) out.seed = out.seed * 31 + static_cast<unsigned char>(c);
  constexpr std::size_t kRemembered = 60;  // positions in the history, to avoid repetitions
  out.history = positions_before(match, kRemembered);
  return out;
}

Course course_of(const Match& match) {
  Course out{match.plies().size()};
  std::vector<Position> all = positions_before(match, out.plies);
  all.push_back(match.position());
  const auto there = pieces(all.back()).first;
  std::vector<int> rows;  // of the ball, latest first, while the pieces stay the same
  bool same = true;
  const auto came_nearer = [&](std::size_t ago) {
    while (same && rows.size() < all.size() && rows.size() <= ago + kStanding) {
      const auto [then, row] = pieces(all[out.plies - rows.size()]);
      same = then == there;
      if (same) rows.push_back(row);
    }
    const auto before =
        std::span(rows).subspan(ago + 1, std::min(kStanding, rows.size() - ago - 1));
    if (before.empty()) return true;
    const auto [least, most] = std::ranges::minmax(before);
    return rows[ago] < least || rows[ago] > most;
  };
  while (!came_nearer(out.quiet)) ++out.quiet;
  const auto stands = [&](const Position& p) { return std::ranges::count(all, p) > 2; };
  out.repeated = out.plies > 0 && (stands(all.back()) || stands(all[out.plies - 1]));
  return out;
}

bool offers_draw(std::span<const Verdict> said, const Course& course) {
  if (said.empty()) return false;
  if (course.repeated && said.back().share() <= 50 + kEven) return true;
  if (course.plies < kEarliest) return false;
  if (surely_even(said.back())) return true;
  const int most = most_even(course);
  return (course.quiet >= kStanding || course.plies >= kEndless) &&
         stayed(said, kLong, most > 50 + kEven ? 0 : 50 - kEven, most);
}

bool accepts_draw(std::span<const Verdict> said, const Course& course) {
  if (said.empty()) return false;
  if (surely_even(said.back()) || offers_draw(said, course)) return true;
  return course.plies >= kEarliest &&
         stayed(said, std::min(kLong / 2, said.size()), 0, most_even(course));
}

bool resigns(std::span<const Verdict> said, int level) {
  return level >= kLowestResigning && stayed(said, kHopeless, 0, kNoChance);
}

Thinker::Handle ComputerPlayer::think(Thinker& thinker, const Match& match, Question question,
                                      Thinker::Callback callback, Thinker::Rank rank) const {
  if (!engine_)
    return thinker.ask(rank, match.game(), match.position(), std::move(question),
                       std::move(callback));
  return thinker.ask(
      rank,
      [engine = engine_, match](const Question& asked, const std::stop_token& dropped) {
        return engine->think(match, asked, dropped);
      },
      std::move(question), std::move(callback));
}

std::vector<std::string> ComputerPlayer::deeds(const Match& match, const Thought& thought,
                                               int level) {
  const Line& best = thought.lines.front();
  std::vector<std::string> out{best.ply};
  if (engine_) return out;
  std::vector<Verdict> said = said_before(match);
  said.push_back(best.verdict);
  said_.emplace(match.plies().size(), best.verdict);
  if (resigns(said, level)) return {std::string(to_string(MatchWord::resign))};
  const std::size_t plies = match.plies().size() + 1;
  if (offered_at_ > 0 && plies < offered_at_ + kBetweenOffers) return out;
  Match then = match;
  then.add({best.ply, *match.to_move(), {}, {}});
  if (then.ending() || !offers_draw(said, course_of(then))) return out;
  offered_at_ = plies;
  out.emplace_back(to_string(MatchWord::propose));
  return out;
}

// Forgets the verdicts on plies that were taken back.
std::vector<Verdict> ComputerPlayer::said_before(const Match& match) {
  said_.erase(said_.lower_bound(match.plies().size()), said_.end());
  std::vector<Verdict> said;
  for (const auto& [plies, verdict] : said_) said.push_back(verdict);
  return said;
}

std::string ComputerPlayer::reply(const Match& match, Seat seat, const Thought* thought) {
  std::vector<Verdict> said = said_before(match);
  if (thought) said.push_back(worth(thought->lines.front(), match.position(), seat));
  const bool takes = !match.offer()->draw || accepts_draw(said, course_of(match));
  return std::string(to_string(takes ? MatchWord::accept : MatchWord::reject));
}

bool ComputerPlayer::asks_first(const Match& match) {
  return match.offer()->draw && !engine_ && said_before(match).empty();
}

}  // namespace pbm
