// SPDX-License-Identifier: MIT
#include "server/timekeeper.hpp"

#include "base/text.hpp"

namespace pbm {

Spans Timekeeper::stops(const std::string& name, Time since) {
  return both(vacations.of(lower(name)), uptime.downs(), since);
}

BoardClock Timekeeper::clock_of(const BoardSummary& board, Time now) {
  BoardClock out;
  if (!board.to_move) return out;
  if (board.running) {
    const std::string& mover = board.names[static_cast<std::size_t>(*board.to_move)];
    out = told_of(*board.running, stops(mover, board.running->since), uptime.back());
  }
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    if (const auto until = back_at(vacations.of(lower(board.names[seat])), now))
      out.away.emplace_back(static_cast<Seat>(seat), *until);
  return out;
}

void Timekeeper::expect(const BoardSummary& board, Time now) {
  forget(board.key());
  const BoardClock clock = clock_of(board, now);
  // A player who was late before that has been reminded.
  const bool reminds =
      clock.late > uptime.seen() && (clock.lost == Time{} || clock.late < clock.lost);
  const Time next = reminds ? clock.late : clock.lost;
  if (next == Time{}) return;
  queue_.emplace(next, board.key());
  due_[board.key()] = next;
}

void Timekeeper::forget(const BoardKey& key) {
  const auto found = due_.find(key);
  if (found == due_.end()) return;
  queue_.erase({found->second, key});
  due_.erase(found);
}

std::vector<BoardKey> Timekeeper::take_due(Time now) {
  std::vector<BoardKey> out;
  while (!queue_.empty() && queue_.begin()->first <= now) {
    out.push_back(queue_.begin()->second);
    forget(out.back());
  }
  return out;
}

}  // namespace pbm
