// SPDX-License-Identifier: MIT
#include "boards/analysis.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "boards/computer_player.hpp"
#include "protocol/telling.hpp"

namespace pbm {

namespace {

constexpr std::uint64_t kCheck = 3;      // multiplies the work to check a likely mistake
constexpr std::size_t kNotedPlies = 6;   // plies of the better line in a note
constexpr std::string_view kNote = "[";  // begins the computer's part of a note
constexpr std::string_view kNobodyWins = "leaves a game that nobody can win";

using Kind = Verdict::Kind;

bool even(const Verdict& v) { return v.kind() == Kind::tie || v.kind() == Kind::endless; }

// No ply is better than a proved best ply, so an estimate above that is lowered.
Verdict at_most(const Verdict& played, const Verdict& best) {
  if (!best.proved() || played.share() < best.share() || played.proved()) return played;
  return best.kind() == Kind::loss ? best.of_any_length() : Verdict::estimate(best.share());
}

std::string in_plies(const Verdict& v) {
  const auto n = static_cast<std::size_t>(v.plies());
  return n > 0 ? " in " + count_of(n, "move", "moves") : "";
}

// Returns how often a seat has each mark: "1 blunder, 2 slips".
std::string told(const std::array<std::size_t, 4>& marks) {
  std::string out;
  for (const Nag nag : {Nag::blunder, Nag::mistake, Nag::dubious}) {
    const std::string name(name_of(nag));
    if (const std::size_t n = marks[static_cast<std::size_t>(nag)]; n > 0)
      out += (out.empty() ? "" : ", ") + count_of(n, name, name + "s");
  }
  return out.empty() ? "no mistakes found" : out;
}

}  // namespace

std::string_view to_string(Nag nag) {
  constexpr std::array<std::string_view, 4> kSigns{"", "?!", "?", "??"};
  return kSigns[static_cast<std::size_t>(nag)];
}

std::string_view name_of(Nag nag) {
  constexpr std::array<std::string_view, 4> kNames{"", "slip", "mistake", "blunder"};
  return kNames[static_cast<std::size_t>(nag)];
}

// The question has no history: by the rules a repeated position is as good as before.
Analysis::Analysis(const Match& match, const Limits& limits, int level, std::size_t from)
    : match_(match),
      question_(question_about(match.prefix(0), level)),
      positions_(positions_before(match, match.plies().size())) {
  question_.limits = limits;
  // A resignation after the last ply does not change what that ply was worth.
  positions_.push_back(match.plies().empty() ? match.position() : behind(match.plies().size()));
  for (std::size_t n = from; n < positions_.size(); ++n)
    if (!positions_[n].outcome()) waiting_.push_back(n);
  all_ = waiting_.size();
  thoughts_.resize(positions_.size());
  checked_.resize(positions_.size());
}

// Returns the position directly after a ply, before any resignation.
Position Analysis::behind(std::size_t ply) const {
  Position out = positions_[ply - 1];
  out.play(match_.plies()[ply - 1].text);
  return out;
}

// False if a seat resigned directly after the ply: the position then does not show its value.
bool Analysis::known(std::size_t ply) const {
  return (thoughts_[ply] || positions_[ply].outcome()) &&
         (ply == 0 || match_.seats() == 2 || behind(ply) == positions_[ply]);
}

bool Analysis::fits(const Match& match) const {
  const auto& mine = match_.plies();
  const auto& theirs = match.plies();
  return mine.size() == theirs.size() && match_.position() == match.position() &&
         std::equal(mine.begin(), mine.end(), theirs.begin(),
                    [](const Match::Ply& a, const Match::Ply& b) { return a.text == b.text; });
}

std::optional<std::size_t> Analysis::next() const {
  const auto& all = doubts_.empty() ? waiting_ : doubts_;
  return all.empty() ? std::nullopt : std::optional(all.back());
}

Question Analysis::question() const {
  Question out = question_;
  if (!doubts_.empty()) {
    out.limits.nodes *= kCheck;
    out.limits.time *= kCheck;
  }
  return out;
}

void Analysis::take(Thought thought) {
  auto& all = doubts_.empty() ? waiting_ : doubts_;
  const std::size_t n = all.back();
  all.pop_back();
  thoughts_[n] = std::move(thought);
  if (proves_more(n)) {
    // The played ply is better than all that the search found without looking behind it.
    Line& line = thoughts_[n]->lines.front();
    line.verdict = played(n + 1);
    // Another ply may still be better than a tie, or win sooner.
    if (line.verdict.kind() != Kind::win) line.verdict = Verdict::estimate(line.verdict.share());
    else if (line.verdict.plies() > 1) line.verdict = line.verdict.of_any_length();
    line.ply = match_.plies()[n].text;
    line.variation = {line.ply};
    if (known(n + 1) && thoughts_[n + 1]) {
      const auto& then = thoughts_[n + 1]->lines.front().variation;
      line.variation.insert(line.variation.end(), then.begin(), then.end());
    }
  }
  look_for_doubts(n);
  look_for_doubts(n + 1);
}

// True if the ply played after `n` plies is better than the best that the search found there.
bool Analysis::proves_more(std::size_t n) const {
  if (n == match_.plies().size() || !known(n + 1)) return false;
  const Verdict best = thoughts_[n]->lines.front().verdict, other = played(n + 1);
  if (best.proved())
    return best.kind() == Kind::win && other.kind() == Kind::win && other.plies() > 0 &&
           other.plies() < best.plies();
  return other.share() > best.share();
}

// Checks both positions of a marked ply again, unless they are proved.
void Analysis::look_for_doubts(std::size_t ply) {
  const auto found = of(ply);
  if (nag(ply) == Nag::none || (found->best.proved() && found->played.proved())) return;
  for (const std::size_t n : {ply - 1, ply})
    if (!checked_[n] && thoughts_[n] && !thoughts_[n]->lines.front().verdict.proved()) {
      doubts_.push_back(n);
      checked_[n] = true;
    }
}

int Analysis::percent() const {
  const std::size_t left = waiting_.size() + (doubts_.empty() ? 0 : 1);
  return all_ == 0 ? 100 : static_cast<int>((all_ - left) * 100 / all_);
}

// Returns what earlier positions prove about the position after `n` plies, for its seat to move. A
// proved loss holds after any ply, other results only if the best ply was played.
std::optional<Verdict> Analysis::handed_down(std::size_t n) const {
  if (n == 0 || !thoughts_[n - 1] || positions_[n].seats() > 2) return std::nullopt;
  const Line& line = thoughts_[n - 1]->lines.front();
  const bool own = line.verdict.proved();
  const auto before = own ? std::optional(line.verdict) : handed_down(n - 1);
  if (!before || (before->kind() != Kind::loss && !(own && line.ply == match_.plies()[n - 1].text)))
    return std::nullopt;
  const bool same = positions_[n].to_move() == positions_[n - 1].to_move();
  return (same ? *before : before->turned()).of_any_length();
}

// Returns the verdict on the position after `n` plies, for `seat`. Pre: it is known.
Verdict Analysis::worth(std::size_t n, Seat seat) const {
  if (const auto end = positions_[n].outcome()) return Verdict::of_last_ply(end->winner, seat);
  Line line = thoughts_[n]->lines.front();
  if (!line.verdict.proved()) line.verdict = handed_down(n).value_or(line.verdict);
  return pbm::worth(line, positions_[n], seat);
}

// Returns the verdict on a ply for the seat that played it. Pre: known(ply).
Verdict Analysis::played(std::size_t ply) const {
  const Verdict out = worth(ply, match_.plies()[ply - 1].seat);
  // If only passes are left, the game is over: a pass counts as no ply.
  return positions_[ply].outcome() || !only_ply(positions_[ply]).empty() ? out : out.ply_before();
}

std::optional<std::pair<Verdict, Verdict>> Analysis::judged(std::size_t ply) const {
  if (ply == 0 || ply >= positions_.size() || !thoughts_[ply - 1]) return std::nullopt;
  const Line& line = thoughts_[ply - 1]->lines.front();
  // A player cannot give away a game that is lost already.
  const auto before = line.verdict.proved() ? std::nullopt : handed_down(ply - 1);
  const Verdict best = before && before->kind() == Kind::loss ? *before : line.verdict;
  if (line.ply == match_.plies()[ply - 1].text) return std::pair(best, best);
  if (!known(ply)) return std::nullopt;
  return std::pair(best, at_most(played(ply), best));
}

std::optional<Analysis::Assessment> Analysis::of(std::size_t ply) const {
  const auto found = judged(ply);
  if (!found) return std::nullopt;
  return Assessment{found->first, found->second, thoughts_[ply - 1]->lines.front().variation};
}

Nag Analysis::nag(std::size_t ply) const {
  const auto found = judged(ply);
  if (!found) return Nag::none;
  const int lost = found->first.share() - found->second.share();
  return lost >= 30   ? Nag::blunder
         : lost >= 20 ? Nag::mistake
         : lost >= 10 ? Nag::dubious
                      : Nag::none;
}

std::vector<std::string> Analysis::better(std::size_t ply) const {
  if (nag(ply) == Nag::none) return {};
  return of(ply)->variation;
}

std::string Analysis::said(std::size_t ply) const {
  if (nag(ply) == Nag::none) return "";
  const auto [best, came, variation] = *of(ply);
  const std::string& move = thoughts_[ply - 1]->lines.front().ply;
  const std::string now =
      "; this " + (came.kind() == Kind::loss      ? "loses" + in_plies(came)
                   : came.kind() == Kind::endless ? std::string(kNobodyWins)
                   : came.kind() == Kind::tie     ? "is a tie"
                                              : "leaves " + std::to_string(came.share()) + " %");
  if (best.kind() == Kind::win)
    return move + (best.plies() == 1 ? " wins at once" : " wins" + in_plies(best)) + now;
  if (even(best) && came.kind() == Kind::loss)
    return move + " " + std::string(best.kind() == Kind::tie ? "holds a tie" : kNobodyWins) + now;
  return move + " is better, with a chance of " + std::to_string(best.share()) + " % for " +
         shown_name(match_.names()[index(match_.plies()[ply - 1].seat)]) + now;
}

std::string Analysis::sentence(std::size_t ply) const {
  if (nag(ply) == Nag::none) return "";
  return match_.plies()[ply - 1].text + " " + std::string(to_string(nag(ply))) + ", a " +
         std::string(name_of(nag(ply))) + ": " + said(ply) + ".";
}

std::optional<int> Analysis::chance(std::size_t ply) const {
  if (ply == 0 || !known(ply)) return std::nullopt;
  return worth(ply, match_.seats() > 2 ? match_.plies()[ply - 1].seat : viewer()).share();
}

std::vector<std::size_t> Analysis::marked() const {
  std::vector<std::size_t> out;
  for (std::size_t ply = 1; ply < positions_.size(); ++ply)
    if (nag(ply) != Nag::none) out.push_back(ply);
  return out;
}

std::string Analysis::curve(Seat seat, std::size_t columns) const {
  constexpr std::string_view kHeights = "_.-'^";
  const std::size_t all = positions_.size(), shown = std::min(all, columns);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t n = shown < 2 ? 0 : i * (all - 1) / (shown - 1);
    if (!known(n)) {
      out += ' ';
      continue;
    }
    const int share = std::clamp(worth(n, seat).share(), 0, 99);
    out += kHeights[static_cast<std::size_t>(share / 20)];
  }
  return out;
}

std::size_t Analysis::place_in_curve(std::size_t ply, std::size_t columns) const {
  const std::size_t last = positions_.size() - 1, end = std::min(last, columns - 1);
  return last == 0 ? 0 : (ply * end + last / 2) / last;
}

// Returns how often the seat has each mark.
std::array<std::size_t, 4> Analysis::counts(Seat seat) const {
  std::array<std::size_t, 4> out{};
  for (std::size_t ply = 1; ply < positions_.size(); ++ply)
    if (match_.plies()[ply - 1].seat == seat) ++out[static_cast<std::size_t>(nag(ply))];
  return out;
}

std::string Analysis::summary() const {
  std::string out;
  for (Seat s = 0; s < match_.seats(); ++s)
    out += (s == 0 ? "" : "; ") + shown_name(match_.names()[index(s)]) + ": " + told(counts(s));
  return out + ".";
}

// Returns "fred (TOOT): 12 moves, 1 mistake, 2 slips; a move gave away 1.3 % of the chance to win."
std::string Analysis::sums(Seat s) const {
  std::size_t plies = 0, judged = 0;
  int lost = 0;
  for (std::size_t ply = 1; ply < positions_.size(); ++ply) {
    if (match_.plies()[ply - 1].seat != s) continue;
    ++plies;
    if (const auto found = of(ply)) {
      ++judged;
      lost += std::max(0, found->best.share() - found->played.share());
    }
  }
  std::string line = match_.player(s) + ": " + count_of(plies, "move", "moves");
  if (judged < plies) line += ", " + std::to_string(judged) + " looked at";
  line += ", " + told(counts(s));
  const auto tenths = judged > 0 ? std::lround(10.0 * lost / static_cast<double>(judged)) : 0;
  if (tenths > 0)
    line += "; a move gave away " + std::to_string(tenths / 10) + "." +
            std::to_string(tenths % 10) + " % of the chance to win";
  return line + ".";
}

std::vector<std::string> Analysis::text(std::size_t columns) const {
  std::vector<std::string> out;
  for (Seat s = 0; s < match_.seats(); ++s) {
    out.push_back(sums(s));
    // With two seats, one curve shows both chances.
    if (columns > 0 && (s == 0 || match_.seats() > 2)) out.push_back("  " + curve(s, columns - 2));
  }
  if (columns > 0)
    out.push_back(std::string("  (_ none, ^ all: ") +
                  (match_.seats() > 2 ? "a player's" : "the first player's") +
                  " chances at the start and after each move)");
  const auto all = marked();
  if (!all.empty()) out.emplace_back();
  for (const std::size_t ply : all) {
    out.push_back(std::to_string(ply) + ". " + sentence(ply));
    const auto line = better(ply);
    if (line.size() > 1) out.push_back("   Better: " + joined(line, 0, 12) + ".");
  }
  return out;
}

std::string Analysis::note(std::size_t ply, const std::string& old) const {
  const std::size_t end = old.ends_with("]") ? old.rfind(kNote) : std::string::npos;
  std::string out(trim(old.substr(0, end)));
  if (nag(ply) == Nag::none) return out;
  std::string words = std::string(kNote) + std::string(to_string(nag(ply))) + " " + said(ply);
  if (const auto line = better(ply); line.size() > 1) words += ": " + joined(line, 0, kNotedPlies);
  words += "]";
  if (out.size() + 1 + words.size() <= Match::kMaxNote) out += (out.empty() ? "" : " ") + words;
  return out;
}

std::vector<MoveRequest> as_notes(const Analysis& analysis, const Match& match) {
  std::vector<MoveRequest> out;
  for (std::size_t ply = 1; ply <= match.plies().size(); ++ply) {
    const std::string old = match.note(ply), text = analysis.note(ply, old);
    if (text != old) out.push_back({std::nullopt, text, ply});
  }
  return out;
}

namespace {

// The number of positions to search for all plies together, and the least for each.
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
