// SPDX-License-Identifier: MIT
#include "boards/followed_boards.hpp"

#include <algorithm>
#include <set>

namespace pbm {

namespace {

constexpr std::size_t kMaxListed = 2000, kMaxFollowed = 20, kMaxAhead = 100;

// Returns an iterator to the board with that id, or the end.
template <class Boards>
auto with_id(Boards& boards, const std::string& id) {
  return std::ranges::find_if(boards, [&](const auto& b) { return b.id == id; });
}

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
    return listed_before(a, b, user);
  });
}

const BoardSummary* FollowedBoards::find(const std::string& id) const {
  const auto found = with_id(list_, id);
  return found == list_.end() ? nullptr : &*found;
}

Result<BoardKey> FollowedBoards::key_of(const std::string& id) const {
  if (const auto key = read_board_id(lower(id))) return *key;
  std::vector<std::string> found;
  if (const auto number = read_board_number(id))
    for (const BoardSummary& line : list_)
      if (read_board_id(line.id)->number == *number) found.push_back(line.id);
  if (found.size() == 1) return *read_board_id(found.front());
  if (found.size() > 1)
    return Refusal{"There are several boards " + id + ": say " + one_of(found) + "."};
  if (id.starts_with("seek-"))
    return Refusal{id + " is no board yet: take " + id.substr(5) + " begins it."};
  return Refusal{"'" + fit(id, 40) +
                 "' is no board of a server: those are called by game and number."};
}

bool FollowedBoards::read(const std::string& id) {
  const auto found = with_id(list_, id);
  return found != list_.end() && std::exchange(found->unread, 0) > 0;
}

void FollowedBoards::follow(const std::string& id, Match match) {
  if (matches_.size() == kMaxFollowed) matches_.erase(matches_.begin());
  matches_.push_back({id, std::move(match)});
}

const Match* FollowedBoards::match(const std::string& id) const {
  const auto found = with_id(matches_, id);
  const BoardSummary* line = find(id);
  const bool whole = found != matches_.end() && line && found->match.log().size() == line->entries;
  return whole ? &found->match : nullptr;
}

// Collects actions, because a reply and an event can come in another order than their actions.
// Returns false for an action that cannot have happened in this match.
bool FollowedBoards::Followed::go_on(const BoardSummary& update) {
  const std::size_t n = std::min(update.entries, update.done->size()), first = update.entries - n;
  for (std::size_t i = 0; i < n; ++i)
    if (first + i >= match.log().size()) ahead[first + i] = (*update.done)[i];
  for (auto next = ahead.extract(match.log().size()); next;
       next = ahead.extract(match.log().size())) {
    const Action& action = next.mapped();
    auto done = action.note_on ? match.validate_note(*action.note_on, action.text, action.at)
                               : match.validate(action.seat, action.text, action.at);
    if (done) done->forfeit = action.forfeit;
    if (!done || !(*done == action)) return false;
    match.add(action);
  }
  return ahead.size() <= kMaxAhead;
}

void FollowedBoards::take(BoardSummary update, const std::string& user) {
  if (update.gone) {
    forget_match(update.id);
    std::erase_if(list_, [&](const BoardSummary& l) { return l.id == update.id; });
    return;
  }
  if (const auto board = with_id(matches_, update.id);
      board != matches_.end() && update.done && !board->go_on(update))
    forget_match(update.id);
  update.done.reset();
  if (const auto before = with_id(list_, update.id); before == list_.end()) {
    if (list_.size() < kMaxListed) list_.push_back(std::move(update));
  } else if (update.entries >= before->entries) {
    *before = std::move(update);
  }
  sort(user);
}

}  // namespace pbm
