// SPDX-License-Identifier: MIT
// What the server does by itself: behind a start, by the boards' clocks, and for who is away.
#include <algorithm>

#include "server/board_actions.hpp"

namespace pbm {

namespace fs = std::filesystem;

// Of boards that are gone for good nothing said on them is left. What is put away may come back.
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
    // The disk is full: the next start tries once more.
  }
}

// What happened to a board without its follow-up having been written: the server was killed in
// between, or another program played when none ran.
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
      // The disk is full: the next start tries once more.
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
      // The disk is full: the next time.
    }
    if (const auto info = store.info(key)) timekeeper.expect(*info, now);
  }
  timekeeper.uptime.keep(now);
}

}  // namespace pbm
