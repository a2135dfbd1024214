// SPDX-License-Identifier: MIT
#include "server/state/unread.hpp"

#include <algorithm>

#include "server/state/chats.hpp"

namespace pbm {

namespace {
Record record_of(const std::string& userid, const std::string& board, std::size_t lines) {
  return Record().put("user", userid).put("board", board).put("lines", lines);
}
}  // namespace

Unread::Unread(CommitLog& log)
    : journal_(log, "unread.yaml", "How many lines on boards were not read.",
               {[this](const Record& r) { take(r); },
                [this](const Journal::Take& keep) {
                  for (const auto& [userid, boards] : lines_)
                    for (const auto& [board, lines] : boards) keep(record_of(userid, board, lines));
                }}) {}

void Unread::take(const Record& r) {
  const std::size_t lines = std::min(r.number("lines"), Chats::kMaxLines);
  if (lines > 0) {
    lines_[r.get("user")][r.get("board")] = lines;
    return;
  }
  const auto boards = lines_.find(r.get("user"));
  if (boards == lines_.end()) return;
  boards->second.erase(r.get("board"));
  if (boards->second.empty()) lines_.erase(boards);
}

void Unread::put(const std::string& userid, const std::string& board, std::size_t lines) {
  const Record record = record_of(userid, board, lines);
  journal_.add(record);
  take(record);
}

void Unread::sweep(const std::function<bool(const std::string& board)>& there) {
  for (auto& [userid, boards] : lines_)
    std::erase_if(boards, [&](const auto& board) { return !there(board.first); });
  std::erase_if(lines_, [](const auto& user) { return user.second.empty(); });
}

std::size_t Unread::of(const std::string& userid, const std::string& board) const {
  const auto boards = lines_.find(userid);
  if (boards == lines_.end()) return 0;
  const auto found = boards->second.find(board);
  return found == boards->second.end() ? 0 : found->second;
}

void Unread::add(const std::string& userid, const std::string& board, std::size_t lines) {
  const std::size_t before = of(userid, board), now = std::min(before + lines, Chats::kMaxLines);
  const auto boards = lines_.find(userid);
  const bool full = boards != lines_.end() && boards->second.size() >= kMaxBoards;
  if (now != before && (before > 0 || !full)) put(userid, board, now);
}

void Unread::forget(const std::string& userid, const std::string& board) {
  if (of(userid, board) > 0) put(userid, board, 0);
}

}  // namespace pbm
