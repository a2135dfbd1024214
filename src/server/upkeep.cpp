// SPDX-License-Identifier: MIT
// Work without a command: after a start, and by the clocks of the boards.
#include <algorithm>

#include "server/board_actions.hpp"

namespace pbm {

namespace fs = std::filesystem;

// Deletes the chat of boards that are gone for good. A board in .deleted may come back.
void Service::sweep() {
  const auto there = [this](const std::string& id) {
    std::error_code none;
    const auto key = read_board_id(id);
    return key && (store.rows().has(*key) ||
                   fs::exists(options.directory / kDeleted / save_name(id), none));
  };
  try {
    chats.sweep(there);
    accounts.sweep_notices();
  } catch (const Error&) {
    // The disk is full. The next start tries again.
  }
}

// Completes what a killed server left undone, or what another program did while no server ran:
// records finished games, and plays queued plies.
void Service::catch_up(const std::vector<BoardKey>& changed) {
  std::vector<std::pair<Time, BoardKey>> ended;
  for (const BoardKey& key : changed)
    if (const auto info = store.info(key); info && info->over())
      ended.emplace_back(info->changed, key);
  std::ranges::sort(ended);
  for (const auto& [at, key] : ended) {
    try {
      record_end(*this, key);
    } catch (const Error&) {
      // The disk is full. The next start tries again.
    }
  }
  for (const std::string& id : queue.boards())
    if (const auto key = read_board_id(id)) play_queued(*this, *key);
}

void Service::look_at_clocks() {
  if (moment() < next_look_) return;
  next_look_ = moment() + Timekeeper::kLook;
  const Time now = time();
  timekeeper.uptime.see(now);
  database.look_at_names();
  for (const BoardKey& key : store.take_clocks()) {
    if (const auto info = store.info(key)) timekeeper.expect(*info, now);
    else timekeeper.forget(key);
  }
  for (const BoardKey& key : timekeeper.take_due(now)) {
    try {
      run_out(*this, key);
    } catch (const std::exception&) {
      // The disk is full. The next look tries again.
    }
    if (const auto info = store.info(key)) timekeeper.expect(*info, now);
  }
  timekeeper.uptime.keep(now);
}

}  // namespace pbm
