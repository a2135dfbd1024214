// SPDX-License-Identifier: MIT
#include "game/thinker.hpp"

#include <ctime>

#include <algorithm>

namespace pbm {

Verdict Verdict::opponent_verdict() const {
  Verdict out = *this;
  if (kind_ == Kind::win) out.kind_ = Kind::loss;
  else if (kind_ == Kind::loss) out.kind_ = Kind::win;
  out.win_percent_ = 100 - win_percent_;
  return out;
}

Verdict Verdict::earlier_verdict() const {
  Verdict out = *this;
  if (plies_ > 0) ++out.plies_;
  return out;
}

Verdict verdict_for(const AnalysisLine& line, const Position& position, Seat seat) {
  if (seat == position.to_move()) return line.verdict;
  if (position.seats() == 2 || line.verdict.kind() == Verdict::Kind::win)
    return line.verdict.opponent_verdict();
  // The verdict does not say which of the other seats wins.
  return Verdict::estimate(line.seat_percents.empty() ? 100 / position.seats()
                                                      : line.seat_percents[index(seat)]);
}

std::string verdict_text(const Verdict& verdict) {
  const std::string when = verdict.plies() > 0 ? " in " + std::to_string(verdict.plies()) : "";
  switch (verdict.kind()) {
    case Verdict::Kind::win: return "win" + when;
    case Verdict::Kind::loss: return "loss" + when;
    case Verdict::Kind::tie: return "tie";
    case Verdict::Kind::endless: return "nobody wins";
    case Verdict::Kind::estimate: break;
  }
  return std::to_string(verdict.win_percent()) + " %";
}

SearchBudget::SearchBudget(const SearchLimits& limits, std::stop_token stop)
    : limits_(limits), stop_token_(std::move(stop)), start_(now()) {
  allow_percent(100);
}

bool SearchBudget::allow_percent(int percent, std::uint64_t fewest) {
  const auto part = static_cast<std::uint64_t>(percent);
  if (uncounted_from_) uncounted_nodes_ += node_count_ - *uncounted_from_;
  uncounted_from_.reset();
  max_nodes_ = limits_.nodes == 0 ? UINT64_MAX
                                  : uncounted_nodes_ + limits_.nodes / 100 * part +
                                        limits_.nodes % 100 * part / 100;
  if (limits_.time.count() > 0)
    deadline_ = start_ + std::chrono::microseconds(limits_.time) * percent / 100;
  min_nodes_ = node_count_ + fewest;
  is_stopped_ = false;
  return !check_limits();
}

void SearchBudget::allow_uncounted(std::uint64_t count) {
  uncounted_from_ = node_count_;
  max_nodes_ = node_count_ + count;
  is_stopped_ = false;
  check_limits();
}

SteadyTime SearchBudget::now() const {
  if (!limits_.is_processor_time) return std::chrono::steady_clock::now();
  timespec spent{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return SteadyTime(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
}

bool SearchBudget::check_limits() {
  is_stopped_ = is_stopped_ || node_count_ >= max_nodes_ ||
                (node_count_ >= min_nodes_ && (stop_token_.stop_requested() ||
                                               (limits_.time.count() > 0 && now() >= deadline_)));
  next_check_ = is_stopped_ ? node_count_ : std::min(max_nodes_, node_count_ + kCheckInterval);
  return is_stopped_;
}

}  // namespace pbm
