// SPDX-License-Identifier: MIT
#include "boards/analysis.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "boards/computer_player.hpp"
#include "protocol/match_description.hpp"

namespace pbm {

namespace {

constexpr std::uint64_t kCheckFactor = 3;     // multiplies the work to check a likely mistake
constexpr std::size_t kMaxNotePlies = 6;      // plies of the better line in a note
constexpr std::string_view kNoteStart = "[";  // begins the computer's part of a note
constexpr std::string_view kNobodyWins = "leaves a game that nobody can win";

using Kind = Verdict::Kind;

bool is_tie(const Verdict& v) { return v.kind() == Kind::tie || v.kind() == Kind::endless; }

// No ply is better than a proved best ply, so an estimate above that is lowered.
Verdict limit_by_proof(const Verdict& played, const Verdict& best) {
  if (!best.is_proved() || played.win_percent() < best.win_percent() || played.is_proved())
    return played;
  return best.kind() == Kind::loss ? best.without_length() : Verdict::estimate(best.win_percent());
}

std::string plies_phrase(const Verdict& v) {
  const auto n = static_cast<std::size_t>(v.plies());
  return n > 0 ? " in " + format_count(n, "move", "moves") : "";
}

// Returns how often a seat has each mark: "1 blunder, 2 slips".
std::string describe_marks(const std::array<std::size_t, 4>& marks) {
  std::string out;
  for (const MoveMark nag : {MoveMark::blunder, MoveMark::mistake, MoveMark::slip}) {
    const std::string name(name_of(nag));
    if (const std::size_t n = marks[static_cast<std::size_t>(nag)]; n > 0)
      out += (out.empty() ? "" : ", ") + format_count(n, name, name + "s");
  }
  return out.empty() ? "no mistakes found" : out;
}

}  // namespace

std::string start_advantage(const Match& match, std::size_t plies, const Verdict& verdict) {
  constexpr int kLow = 30, kHigh = 70;  // per cent
  const int chance = verdict.win_percent();
  if (plies > 0 || match.seats() > 2 || (chance > kLow && chance < kHigh)) return "";
  return std::string("The ") + (chance <= kLow ? "second" : "first") +
         " player has the better start in " + std::string(match.game().title) + ".";
}

std::string_view to_string(MoveMark nag) {
  constexpr std::array<std::string_view, 4> kSigns{"", "?!", "?", "??"};
  return kSigns[static_cast<std::size_t>(nag)];
}

std::string_view name_of(MoveMark nag) {
  constexpr std::array<std::string_view, 4> kNames{"", "slip", "mistake", "blunder"};
  return kNames[static_cast<std::size_t>(nag)];
}

// The question has no history: by the rules a repeated position is as good as before.
Analysis::Analysis(const Match& match, const SearchLimits& limits, int level, std::size_t from)
    : match_(match),
      base_question_(make_question(match.prefix_copy(0), level)),
      positions_(positions_before(match, match.plies().size())) {
  base_question_.limits = limits;
  // A resignation after the last ply does not change what that ply was worth.
  positions_.push_back(match.plies().empty() ? match.position()
                                             : position_after_ply(match.plies().size()));
  for (std::size_t n = from; n < positions_.size(); ++n)
    if (!positions_[n].outcome()) to_analyse_.push_back(n);
  total_ = to_analyse_.size();
  thoughts_.resize(positions_.size());
  was_checked_.resize(positions_.size());
}

// Returns the position directly after a ply, before any resignation.
Position Analysis::position_after_ply(std::size_t ply) const {
  Position out = positions_[ply - 1];
  out.play(match_.plies()[ply - 1].text);
  return out;
}

// False if a seat resigned directly after the ply: the position then does not show its value.
bool Analysis::is_known(std::size_t ply) const {
  return (thoughts_[ply] || positions_[ply].outcome()) &&
         (ply == 0 || match_.seats() == 2 || position_after_ply(ply) == positions_[ply]);
}

bool Analysis::is_about(const Match& match) const {
  const auto& mine = match_.plies();
  const auto& theirs = match.plies();
  return mine.size() == theirs.size() && match_.position() == match.position() &&
         std::equal(mine.begin(), mine.end(), theirs.begin(),
                    [](const Match::Ply& a, const Match::Ply& b) { return a.text == b.text; });
}

std::optional<std::size_t> Analysis::next_index() const {
  const auto& all = to_check_.empty() ? to_analyse_ : to_check_;
  return all.empty() ? std::nullopt : std::optional(all.back());
}

SearchRequest Analysis::question() const {
  SearchRequest out = base_question_;
  if (!to_check_.empty()) {
    out.limits.nodes *= kCheckFactor;
    out.limits.time *= kCheckFactor;
  }
  return out;
}

void Analysis::add_result(SearchResult thought) {
  auto& all = to_check_.empty() ? to_analyse_ : to_check_;
  const std::size_t n = all.back();
  all.pop_back();
  reasons_.clear();
  thoughts_[n] = std::move(thought);
  if (is_played_better(n)) {
    // The played ply is better than all that the search found without looking behind it.
    AnalysisLine& line = thoughts_[n]->lines.front();
    line.verdict = played_verdict(n + 1);
    // Another ply may still be better than a tie, or win sooner.
    if (line.verdict.kind() != Kind::win)
      line.verdict = Verdict::estimate(line.verdict.win_percent());
    else if (line.verdict.plies() > 1) line.verdict = line.verdict.without_length();
    line.ply = match_.plies()[n].text;
    line.variation = {line.ply};
    if (is_known(n + 1) && thoughts_[n + 1]) {
      const auto& then = thoughts_[n + 1]->lines.front().variation;
      line.variation.insert(line.variation.end(), then.begin(), then.end());
    }
  }
  queue_checks(n);
  queue_checks(n + 1);
}

// True if the ply played after `n` plies is better than the best that the search found there.
bool Analysis::is_played_better(std::size_t n) const {
  if (n == match_.plies().size() || !is_known(n + 1)) return false;
  const Verdict best = thoughts_[n]->lines.front().verdict, other = played_verdict(n + 1);
  if (best.is_proved())
    return best.kind() == Kind::win && other.kind() == Kind::win && other.plies() > 0 &&
           other.plies() < best.plies();
  return other.win_percent() > best.win_percent();
}

// Checks both positions of a marked ply again, unless they are proved.
void Analysis::queue_checks(std::size_t ply) {
  const auto found = assessment(ply);
  if (mark(ply) == MoveMark::none ||
      (found->best_verdict.is_proved() && found->played_verdict.is_proved()))
    return;
  for (const std::size_t n : {ply - 1, ply})
    if (!was_checked_[n] && thoughts_[n] && !thoughts_[n]->lines.front().verdict.is_proved()) {
      to_check_.push_back(n);
      was_checked_[n] = true;
    }
}

int Analysis::percent_done() const {
  const std::size_t left = to_analyse_.size() + (to_check_.empty() ? 0 : 1);
  return total_ == 0 ? 100 : static_cast<int>((total_ - left) * 100 / total_);
}

// Returns what earlier positions prove about the position after `n` plies, for its seat to move. A
// proved loss holds after any ply, other results only if the best ply was played.
std::optional<Verdict> Analysis::inherited_verdict(std::size_t n) const {
  if (n == 0 || !thoughts_[n - 1] || positions_[n].seats() > 2) return std::nullopt;
  const AnalysisLine& line = thoughts_[n - 1]->lines.front();
  const bool own = line.verdict.is_proved();
  const auto before = own ? std::optional(line.verdict) : inherited_verdict(n - 1);
  if (!before || (before->kind() != Kind::loss && !(own && line.ply == match_.plies()[n - 1].text)))
    return std::nullopt;
  const bool same = positions_[n].to_move() == positions_[n - 1].to_move();
  return (same ? *before : before->opponent_verdict()).without_length();
}

std::optional<SearchResult> Analysis::thought(std::size_t n, const Position& position) const {
  if (n >= positions_.size() || !thoughts_[n] || !(positions_[n] == position)) return std::nullopt;
  SearchResult out = *thoughts_[n];
  Verdict& verdict = out.lines.front().verdict;
  const auto before = verdict.is_proved() ? std::nullopt : inherited_verdict(n);
  // An earlier position may prove a win or a tie, but not by which ply.
  if (before && before->kind() != Kind::loss) return std::nullopt;
  verdict = before.value_or(verdict);
  return out;
}

// Returns the verdict on the position after `n` plies, for `seat`. Pre: it is known.
Verdict Analysis::position_verdict(std::size_t n, Seat seat) const {
  if (const auto end = positions_[n].outcome()) return Verdict::for_last_ply(end->winner, seat);
  AnalysisLine line = thoughts_[n]->lines.front();
  if (!line.verdict.is_proved()) line.verdict = inherited_verdict(n).value_or(line.verdict);
  return pbm::verdict_for(line, positions_[n], seat);
}

// Returns the verdict on a ply for the seat that played it. Pre: known(ply).
Verdict Analysis::played_verdict(std::size_t ply) const {
  const Verdict out = position_verdict(ply, match_.plies()[ply - 1].seat);
  // If only passes are left, the game is over: a pass counts as no ply.
  return positions_[ply].outcome() || !find_forced_pass(positions_[ply]).empty()
             ? out
             : out.earlier_verdict();
}

std::optional<std::pair<Verdict, Verdict>> Analysis::verdicts(std::size_t ply) const {
  if (ply == 0 || ply >= positions_.size() || !thoughts_[ply - 1]) return std::nullopt;
  const AnalysisLine& line = thoughts_[ply - 1]->lines.front();
  // A player cannot give away a game that is lost already.
  const auto before = line.verdict.is_proved() ? std::nullopt : inherited_verdict(ply - 1);
  const Verdict best = before && before->kind() == Kind::loss ? *before : line.verdict;
  if (line.ply == match_.plies()[ply - 1].text) return std::pair(best, best);
  if (!is_known(ply)) return std::nullopt;
  return std::pair(best, limit_by_proof(played_verdict(ply), best));
}

std::optional<Analysis::Assessment> Analysis::assessment(std::size_t ply) const {
  const auto found = verdicts(ply);
  if (!found) return std::nullopt;
  return Assessment{found->first, found->second, thoughts_[ply - 1]->lines.front().variation};
}

MoveMark Analysis::mark(std::size_t ply) const {
  const auto found = verdicts(ply);
  if (!found) return MoveMark::none;
  const int lost = found->first.win_percent() - found->second.win_percent();
  return lost >= 30                                                     ? MoveMark::blunder
         : lost >= 20                                                   ? MoveMark::mistake
         : lost >= 10 || hastens_loss(ply, found->first, found->second) ? MoveMark::slip
                                                                        : MoveMark::none;
}

// True if the ply lets the opponent win at once, in a lost game that could have lasted longer.
bool Analysis::hastens_loss(std::size_t ply, const Verdict& best, const Verdict& played) const {
  if (best.kind() != Kind::loss || played.kind() != Kind::loss || played.plies() != 2) return false;
  if (best.plies() != 0) return best.plies() > 2;
  // The length of the loss is not known.
  const std::string& better = thoughts_[ply - 1]->lines.front().ply;
  return !can_win_at_once(position_after_forced(positions_[ply - 1], better));
}

std::vector<std::string> Analysis::better_line(std::size_t ply) const {
  if (mark(ply) == MoveMark::none) return {};
  return assessment(ply)->variation;
}

std::string Analysis::explanation(std::size_t ply) const {
  if (mark(ply) == MoveMark::none) return "";
  const auto [best, came, variation] = *assessment(ply);
  const std::string& move = thoughts_[ply - 1]->lines.front().ply;
  const std::string now = "; this " + (came.kind() == Kind::loss      ? "loses" + plies_phrase(came)
                                       : came.kind() == Kind::endless ? std::string(kNobodyWins)
                                       : came.kind() == Kind::tie
                                           ? "is a tie"
                                           : "leaves " + std::to_string(came.win_percent()) + " %");
  if (best.kind() == Kind::loss) return move + " holds out longer" + now;
  if (best.kind() == Kind::win)
    return move + (best.plies() == 1 ? " wins at once" : " wins" + plies_phrase(best)) + now;
  if (is_tie(best) && came.kind() == Kind::loss)
    return move + " " + std::string(best.kind() == Kind::tie ? "holds a tie" : kNobodyWins) + now;
  return move + " is better, with a chance of " + std::to_string(best.win_percent()) + " % for " +
         seat_name(match_.plies()[ply - 1].seat) + now;
}

const Reason& Analysis::reason(std::size_t ply) const {
  static const Reason kNone;
  if (mark(ply) == MoveMark::none) return kNone;
  const auto [at, is_new] = reasons_.try_emplace(ply);
  if (is_new)
    at->second = explain_mistake({match_, own_seat_}, positions_[ply - 1],
                                 match_.plies()[ply - 1].text, thoughts_[ply - 1]->lines.front(),
                                 thoughts_[ply] ? &thoughts_[ply]->lines.front() : nullptr);
  return at->second;
}

std::string Analysis::sentence(std::size_t ply) const {
  if (mark(ply) == MoveMark::none) return "";
  return match_.plies()[ply - 1].text + std::string(to_string(mark(ply))) + " is a " +
         std::string(name_of(mark(ply))) + ": " + explanation(ply) + ". " + reason(ply).text;
}

std::optional<int> Analysis::chance(std::size_t ply) const {
  if (ply == 0 || !is_known(ply)) return std::nullopt;
  return position_verdict(ply, match_.seats() > 2 ? match_.plies()[ply - 1].seat : shown_seat())
      .win_percent();
}

std::vector<std::size_t> Analysis::marked_plies() const {
  std::vector<std::size_t> out;
  for (std::size_t ply = 1; ply < positions_.size(); ++ply)
    if (mark(ply) != MoveMark::none) out.push_back(ply);
  return out;
}

std::vector<std::optional<int>> Analysis::chances(Seat seat, std::size_t columns) const {
  const std::size_t all = positions_.size(), shown = std::min(all, columns);
  std::vector<std::optional<int>> out(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t n = shown < 2 ? 0 : i * (all - 1) / (shown - 1);
    if (is_known(n)) out[i] = position_verdict(n, seat).win_percent();
  }
  return out;
}

std::string Analysis::curve(Seat seat, std::size_t columns) const {
  constexpr std::string_view kHeights = "_.-'^";
  std::string out;
  for (const std::optional<int> chance : chances(seat, columns))
    out += chance ? kHeights[static_cast<std::size_t>(std::min(*chance, 99) / 20)] : ' ';
  return out;
}

std::size_t Analysis::curve_index(std::size_t ply, std::size_t columns) const {
  const std::size_t last = positions_.size() - 1, end = std::min(last, columns - 1);
  return last == 0 ? 0 : (ply * end + last / 2) / last;
}

// Returns how often the seat has each mark.
std::array<std::size_t, 4> Analysis::mark_counts(Seat seat) const {
  std::array<std::size_t, 4> out{};
  for (std::size_t ply = 1; ply < positions_.size(); ++ply)
    if (match_.plies()[ply - 1].seat == seat) ++out[static_cast<std::size_t>(mark(ply))];
  return out;
}

std::string Analysis::summary() const {
  std::string out;
  for (Seat s = 0; s < match_.seats(); ++s)
    out += capitalize(seat_name(s)) + ": " + describe_marks(mark_counts(s)) + ". ";
  if (next_index())
    out += std::to_string(percent_done()) + " % of the game is analysed; to go on, type analyse. ";
  if (is_known(0)) out += start_advantage(match_, 0, position_verdict(0, 0));
  return std::string(trim(out));
}

// Returns "fred (TOOT): 12 moves, 1 mistake, 2 slips; a move gave away 1.3 % of the chance to win."
std::string Analysis::totals_line(Seat s) const {
  std::size_t plies = 0, judged = 0;
  int lost = 0;
  for (std::size_t ply = 1; ply < positions_.size(); ++ply) {
    if (match_.plies()[ply - 1].seat != s) continue;
    ++plies;
    if (const auto found = assessment(ply)) {
      ++judged;
      lost += std::max(0, found->best_verdict.win_percent() - found->played_verdict.win_percent());
    }
  }
  std::string line = capitalize(seat_name(s)) + " (" + match_.position().side_name(s) +
                     "): " + format_count(plies, "move", "moves");
  if (judged < plies) line += ", " + std::to_string(judged) + " looked at";
  line += ", " + describe_marks(mark_counts(s));
  const auto tenths = judged > 0 ? std::lround(10.0 * lost / static_cast<double>(judged)) : 0;
  if (tenths > 0)
    line += "; an average move lost " + std::to_string(tenths / 10) + "." +
            std::to_string(tenths % 10) + " % of the chance to win";
  return line + ".";
}

std::vector<std::string> Analysis::report_lines(std::size_t columns) const {
  std::vector<std::string> out;
  for (Seat s = 0; s < match_.seats(); ++s) {
    out.push_back(totals_line(s));
    // With two seats, one curve shows both chances.
    if (columns > 0 && (s == shown_seat() || match_.seats() > 2))
      out.push_back("  " + curve(s, columns - 2));
  }
  if (columns > 0)
    out.push_back("  (_ none, ^ all: " +
                  (match_.seats() > 2 ? "the player's" : possessive(seat_name(shown_seat()))) +
                  " chances against best play, at the start and after each move)");
  if (is_known(0)) out.push_back(start_advantage(match_, 0, position_verdict(0, 0)));
  if (out.back().empty()) out.pop_back();
  const auto all = marked_plies();
  if (!all.empty()) out.emplace_back();
  for (const std::size_t ply : all) {
    out.push_back(std::to_string(ply) + ". " + sentence(ply));
    const auto line = better_line(ply);
    if (line.size() > 1) out.push_back("   Best line: " + join_words(line, 0, 12) + ".");
  }
  return out;
}

std::string Analysis::updated_note(std::size_t ply, const std::string& old) const {
  std::size_t end = std::string::npos;
  for (const MoveMark kind : {MoveMark::slip, MoveMark::mistake, MoveMark::blunder})
    if (const std::size_t at =
            old.rfind(std::string(kNoteStart) + std::string(to_string(kind)) + " ");
        at != std::string::npos && old.find(']', at) == old.size() - 1)
      end = at;
  std::string out(trim(old.substr(0, end)));
  if (mark(ply) == MoveMark::none) return out;
  std::string words =
      std::string(kNoteStart) + std::string(to_string(mark(ply))) + " " + explanation(ply);
  if (const auto line = better_line(ply); line.size() > 1)
    words += ": " + join_words(line, 0, kMaxNotePlies);
  words += "]";
  if (out.size() + 1 + words.size() <= Match::kMaxNoteBytes)
    out += (out.empty() ? "" : " ") + words;
  return out;
}

std::vector<MoveRequest> note_requests(const Analysis& analysis, const Match& match) {
  std::vector<MoveRequest> out;
  for (std::size_t ply = 1; ply <= match.plies().size(); ++ply) {
    if (!analysis.assessment(ply)) continue;
    const std::string old = match.note(ply), text = analysis.updated_note(ply, old);
    if (text != old) out.push_back({std::nullopt, text, ply});
  }
  return out;
}

}  // namespace pbm
