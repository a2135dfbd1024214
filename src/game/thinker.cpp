// SPDX-License-Identifier: MIT
#include "game/thinker.hpp"

#include <ctime>

#include <algorithm>

namespace pbm {

Verdict Verdict::turned() const {
  Verdict out = *this;
  if (kind_ == Kind::win) out.kind_ = Kind::loss;
  else if (kind_ == Kind::loss) out.kind_ = Kind::win;
  out.share_ = 100 - share_;
  return out;
}

Verdict Verdict::ply_before() const {
  Verdict out = *this;
  if (plies_ > 0) ++out.plies_;
  return out;
}

Verdict worth(const Line& line, const Position& position, Seat seat) {
  if (seat == position.to_move()) return line.verdict;
  if (position.seats() == 2 || line.verdict.kind() == Verdict::Kind::win)
    return line.verdict.turned();
  // The verdict does not say which of the other seats wins.
  return Verdict::estimate(line.shares.empty() ? 100 / position.seats()
                                               : line.shares[static_cast<std::size_t>(seat)]);
}

std::string in_words(const Verdict& verdict) {
  const std::string when = verdict.plies() > 0 ? " in " + std::to_string(verdict.plies()) : "";
  switch (verdict.kind()) {
    case Verdict::Kind::win: return "win" + when;
    case Verdict::Kind::loss: return "loss" + when;
    case Verdict::Kind::tie: return "tie";
    case Verdict::Kind::endless: return "nobody wins";
    case Verdict::Kind::estimate: break;
  }
  return std::to_string(verdict.share()) + " %";
}

Brake::Brake(const Limits& limits, std::stop_token stop)
    : limits_(limits), stop_(std::move(stop)), started_(now()) {
  allow(100);
}

bool Brake::allow(int percent, std::uint64_t fewest) {
  const auto part = static_cast<std::uint64_t>(percent);
  if (limits_.nodes > 0) most_ = limits_.nodes / 100 * part + limits_.nodes % 100 * part / 100;
  if (limits_.time.count() > 0)
    until_ = started_ + std::chrono::microseconds(limits_.time) * percent / 100;
  fewest_ = nodes_ + fewest;
  stopped_ = false;
  return !check();
}

Moment Brake::now() const {
  if (!limits_.by_processor) return std::chrono::steady_clock::now();
  timespec spent{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return Moment(std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec));
}

bool Brake::check() {
  stopped_ = stopped_ || nodes_ >= most_ ||
             (nodes_ >= fewest_ &&
              (stop_.stop_requested() || (limits_.time.count() > 0 && now() >= until_)));
  check_at_ = stopped_ ? nodes_ : std::min(most_, nodes_ + kEvery);
  return stopped_;
}

}  // namespace pbm
