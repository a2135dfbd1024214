// SPDX-License-Identifier: MIT
// Work without a command: after a start, and by the clocks of the boards.
#include <algorithm>

#include "server/board_actions.hpp"
#include "server/contest_rounds.hpp"

namespace pbm {

namespace fs = std::filesystem;

// Deletes the chat of boards that are gone for good. A board in .deleted may come back.
void Service::delete_orphans() {
  const auto there = [this](const std::string& id) {
    std::error_code none;
    const auto key = read_board_id(id);
    return key && (store.rows().has(*key) ||
                   fs::exists(options.directory / kDeletedDirectory / save_file_name(id), none));
  };
  try {
    chats.delete_orphans(there);
    accounts.delete_old_choices();
  } catch (const Error&) {
    // The disk is full. The next start tries again.
  }
}

// Completes what a killed server left undone, or what another program did while no server ran:
// records finished games, and plays queued plies.
void Service::recover_boards(const std::vector<BoardKey>& changed) {
  std::vector<std::pair<Time, BoardKey>> ended;
  for (const BoardKey& key : changed)
    if (const auto info = store.find_summary(key); info && info->is_over())
      ended.emplace_back(info->last_change, key);
  std::ranges::sort(ended);
  for (const auto& game : ended) {  // clang 14 captures no structured binding
    try {
      attempt([&] { record_finished_game(*this, game.second); });
    } catch (const Error&) {
      // The disk is full. The next start tries again.
    }
  }
  try {
    attempt([&] { annul_lost_games(*this); });
  } catch (const Error&) {
    // The disk is full. The next start tries again.
  }
  for (const std::string& id : queued_plies.queued_boards())
    if (const auto key = read_board_id(id)) play_queued(*this, *key);
}

void Service::check_clocks() {
  if (moment() < next_clock_check_) return;
  next_clock_check_ = moment() + Timekeeper::kCheckInterval;
  const Time now = time();
  timekeeper.uptime.record_up(now);
  database.check_files();
  for (const BoardKey& key : store.take_changed_clocks()) {
    if (const auto info = store.find_summary(key)) timekeeper.schedule(*info, now);
    else timekeeper.unschedule(key);
  }
  for (const BoardKey& key : timekeeper.take_due(now)) {
    try {
      attempt([&] { enforce_clock(*this, key); });
    } catch (const std::exception&) {
      // The disk is full. The next look tries again.
    }
    if (const auto info = store.find_summary(key)) timekeeper.schedule(*info, now);
  }
  try {
    attempt([&] { run_contest_clocks(*this); });
  } catch (const std::exception&) {
    // The disk is full. The next look tries again.
  }
  timekeeper.uptime.store_last_up(now);
  try {
    keys.store_uses();
  } catch (const Error&) {
    // The disk is full. These uses of keys are not stored.
  }
}

}  // namespace pbm
