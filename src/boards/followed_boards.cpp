// SPDX-License-Identifier: MIT
#include "boards/followed_boards.hpp"

#include <algorithm>
#include <set>

namespace pbm {
namespace {

constexpr std::size_t kMaxListed = 2000, kMaxFollowed = 20, kMaxEarlyActions = 100;

}  // namespace

bool FollowedBoards::add(std::vector<BoardSummary> boards, const std::string& user) {
  std::set<std::string> known;
  for (const BoardSummary& board : list_) known.insert(board.id);
  for (BoardSummary& board : boards)
    if (list_.size() < kMaxListed && known.insert(board.id).second)
      list_.push_back(std::move(board));
  sort(user);
  return list_.size() < kMaxListed;
}

void FollowedBoards::sort(const std::string& user) {
  std::ranges::sort(list_, [&](const BoardSummary& a, const BoardSummary& b) {
    return is_listed_before(a, b, user);
  });
}

const BoardSummary* FollowedBoards::find(const std::string& id) const {
  const auto found = std::ranges::find(list_, id, &BoardSummary::id);
  return found == list_.end() ? nullptr : &*found;
}

Result<BoardKey> FollowedBoards::find_key(const std::string& id) const {
  if (const auto key = read_board_id(lower(id))) return *key;
  std::vector<std::string> found;
  if (const auto number = read_board_number(id))
    for (const BoardSummary& line : list_)
      if (read_board_id(line.id)->number == *number) found.push_back(line.id);
  if (found.size() == 1) return *read_board_id(found.front());
  if (found.size() > 1)
    return Refusal{"There are several boards " + id + ". Type " + join_with_or(found) + "."};
  if (id.starts_with("seek-"))
    return Refusal{id + " is an open challenge. Type take " + id.substr(5) + " to accept it."};
  return Refusal{"'" + fit(id, 40) +
                 "' is not a board of a server. Their names are a game and a number: GAME-101."};
}

bool FollowedBoards::mark_read(const std::string& id) {
  const auto found = std::ranges::find(list_, id, &BoardSummary::id);
  return found != list_.end() && std::exchange(found->unread_count, 0) > 0;
}

void FollowedBoards::keep_match(const std::string& id, Match match) {
  if (matches_.size() == kMaxFollowed) matches_.erase(matches_.begin());
  matches_.push_back({id, std::move(match)});
}

const Match* FollowedBoards::find_match(const std::string& id) const {
  const auto found = std::ranges::find(matches_, id, &FollowedMatch::id);
  const BoardSummary* line = find(id);
  const bool whole =
      found != matches_.end() && line && found->match.log().size() == line->entry_count;
  return whole ? &found->match : nullptr;
}

// Collects actions, because a reply and an event can come in another order than their actions.
// Returns false for an action that cannot have happened in this match.
bool FollowedBoards::FollowedMatch::apply(const BoardSummary& update) {
  const std::size_t n = std::min(update.entry_count, update.latest_actions->size()),
                    first = update.entry_count - n;
  for (std::size_t i = 0; i < n; ++i)
    if (first + i >= match.log().size()) early_actions[first + i] = (*update.latest_actions)[i];
  for (auto next = early_actions.extract(match.log().size()); next;
       next = early_actions.extract(match.log().size())) {
    const LogEntry& action = next.mapped();
    auto done = action.note_ply ? match.validate_note(*action.note_ply, action.text, action.time)
                                : match.validate(action.seat, action.text, action.time);
    if (done) done->forfeit_reason = action.forfeit_reason;
    if (!done || !(*done == action)) return false;
    match.add(action);
  }
  return early_actions.size() <= kMaxEarlyActions;
}

void FollowedBoards::apply(BoardSummary update, const std::string& user) {
  if (update.is_deleted) {
    forget_match(update.id);
    std::erase_if(list_, [&](const BoardSummary& l) { return l.id == update.id; });
    return;
  }
  if (const auto board = std::ranges::find(matches_, update.id, &FollowedMatch::id);
      board != matches_.end() && update.latest_actions && !board->apply(update))
    forget_match(update.id);
  update.latest_actions.reset();
  if (const auto before = std::ranges::find(list_, update.id, &BoardSummary::id);
      before == list_.end()) {
    if (list_.size() < kMaxListed) list_.push_back(std::move(update));
  } else if (update.entry_count >= before->entry_count) {
    *before = std::move(update);
  }
  sort(user);
}

}  // namespace pbm
