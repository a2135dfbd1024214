// SPDX-License-Identifier: MIT
#include "server/timekeeper.hpp"

#include "base/text.hpp"

namespace pbm {

BoardClock Timekeeper::board_clock(const BoardSummary& board, Time now) {
  BoardClock out;
  if (!board.to_move) return out;
  if (board.running_clock) {
    const std::string& mover = board.names[static_cast<std::size_t>(*board.to_move)];
    out =
        pbm::board_clock(*board.running_clock, clock_stops(mover, board.running_clock->turn_start),
                         uptime.last_restart());
  }
  for (std::size_t seat = 0; seat < board.names.size(); ++seat)
    if (const auto until = vacation_end(vacations.find(lower(board.names[seat])), now))
      out.vacation_ends.emplace_back(static_cast<Seat>(seat), *until);
  return out;
}

void Timekeeper::schedule(const BoardSummary& board, Time now) {
  unschedule(board.key());
  const BoardClock clock = board_clock(board, now);
  // A player who was late before that has been reminded.
  const bool reminds = clock.late_time > uptime.last_up() &&
                       (clock.loss_time == Time{} || clock.late_time < clock.loss_time);
  const Time next = reminds ? clock.late_time : clock.loss_time;
  if (next == Time{}) return;
  queue_.emplace(next, board.key());
  due_by_board_[board.key()] = next;
}

void Timekeeper::unschedule(const BoardKey& key) {
  const auto found = due_by_board_.find(key);
  if (found == due_by_board_.end()) return;
  queue_.erase({found->second, key});
  due_by_board_.erase(found);
}

std::vector<BoardKey> Timekeeper::take_due(Time now) {
  std::vector<BoardKey> out;
  while (!queue_.empty() && queue_.begin()->first <= now) {
    out.push_back(queue_.begin()->second);
    unschedule(out.back());
  }
  return out;
}

}  // namespace pbm
