// SPDX-License-Identifier: MIT
#include "ui/lobby_model.hpp"

#include <algorithm>

namespace pbm {
namespace {

// Compares names. Numbers in them count as numbers: toot-2 comes before toot-010.
bool is_name_before(std::string_view a, std::string_view b) {
  const auto take_number = [](std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
    const auto end = std::ranges::find_if_not(text, is_digit);
    const std::string_view number = text.substr(0, index(end - text.begin()));
    text.remove_prefix(number.size());
    return number;
  };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
    } else {
      if (a.front() != b.front()) return a < b;
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

}  // namespace

void LobbyModel::set_boards(std::vector<BoardSummary> boards) {
  boards_ = std::move(boards);
  latest_computer_game_.reset();
  // Boards arrive with the latest played first.
  const auto lone = std::ranges::find_if(boards_, &BoardSummary::has_lone_person);
  if (lone != boards_.end() &&
      std::all_of(boards_.begin(), lone, [](const auto& l) { return l.is_example; }))
    latest_computer_game_ = {lone->id, *std::ranges::max_element(lone->levels)};
  sort(order_);
}

std::string_view group_title(BoardGroup group) {
  static constexpr std::array<std::string_view, 8> titles{
      "Your turn", "Waiting for others", "Challenges", "Tournaments",
      "Watching",  "Learn and practise", "Finished",   "Unreadable"};
  return titles[index(group)];
}

BoardGroup LobbyModel::group_of(const BoardSummary& board) const {
  if (board.seek_number > 0) return BoardGroup::challenges;
  if (board.is_tournament) return BoardGroup::tournaments;
  if (board.is_example) return BoardGroup::learn;
  if (!board.load_error.empty()) return BoardGroup::unreadable;
  if (!board.to_move) return BoardGroup::finished;
  if (is_waiting_for(board, player_name_) || board.is_local_extra) return BoardGroup::your_turn;
  return board.is_watched || board.is_of_others ? BoardGroup::watching : BoardGroup::waiting;
}

void LobbyModel::sort(Order order) {
  order_ = order;
  const auto before = [&](const BoardSummary& a, const BoardSummary& b) {
    const BoardGroup group = group_of(a);
    if (group != group_of(b)) return group < group_of(b);
    if (group == BoardGroup::learn || group == BoardGroup::unreadable) return false;
    if (a.is_local_extra != b.is_local_extra) return b.is_local_extra;
    switch (order) {
      case Order::time: return a.last_change > b.last_change;
      case Order::name: return is_name_before(lower(a.id), lower(b.id));
      case Order::game:
        return std::tie(a.game->title, a.options) < std::tie(b.game->title, b.options);
      case Order::unsorted: break;
    }
    return false;
  };
  if (order != Order::unsorted) std::ranges::stable_sort(boards_, before);
  update_folds();
  update_shown_rows();
}

const std::vector<std::string>* LobbyModel::folded_boards(std::string_view id) const {
  const auto fold = std::ranges::find(folds_, id, [](const FoldedRow& f) { return f.row.id; });
  return fold == folds_.end() || fold->boards.empty() ? nullptr : &fold->boards;
}

// A game against the computer keeps no person waiting, and players seldom continue older ones.
void LobbyModel::update_folds() {
  constexpr std::size_t kFewest = 3;
  const auto today = local_day(now());
  std::size_t lessons = 0, examples = 0;
  std::vector<std::string> parts;
  for (FoldedRow& fold : folds_) fold.boards.clear();
  for (const BoardSummary& line : boards_) {
    if (order_ == Order::unsorted) break;
    const auto fold = std::ranges::find(folds_, group_of(line), &FoldedRow::group);
    if (fold == folds_.end()) continue;
    if (line.is_example || (!line.levels.empty() && local_day(line.last_change) < today))
      fold->boards.push_back(line.id);
    lessons += line.id.starts_with(lesson_id(""));
    examples += line.id.starts_with(kExamplePrefix);
    if (is_exercise(line.id) && line.remark.find("puzzle") != std::string::npos)
      parts = {line.remark};  // the puzzle of today is the last
  }
  if (lessons > 0) parts.push_back(format_count(lessons, "lesson", "lessons"));
  if (examples > 0) parts.push_back(format_count(examples, "example", "examples"));
  for (FoldedRow& fold : folds_) {
    const std::size_t boards = fold.boards.size();
    if (boards < kFewest) fold.boards.clear();
    fold.row = {};
    fold.row.id = fold.id;
    fold.row.remark = std::to_string(boards) + " games with the computer";
    if (fold.group == BoardGroup::learn) fold.row.remark = join(parts, ", ");
  }
}

bool LobbyModel::has_filter_words(const BoardSummary& board) const {
  std::string text = board.id + " " + board.title() + " " + board.state();
  for (const std::string& name : board.names) text += " " + name;
  text = lower(text);
  return std::ranges::all_of(
      filter_words_, [&](const auto& word) { return text.find(word) != std::string::npos; });
}

void LobbyModel::update_shown_rows() {
  shown_rows_.clear();
  lines_.clear();
  const bool is_unfiltered = filter_words_.empty();
  if (is_newcomer() && is_unfiltered && !is_unfolded() && order_ != Order::unsorted)
    for (const GameType& game : all_games()) lines_.push_back({.card = &game});
  const bool has_cards = !lines_.empty();
  for (auto line = boards_.begin(); line != boards_.end();) {
    const BoardGroup group = group_of(*line);
    const std::size_t first = shown_rows_.size();
    std::size_t count = 0;
    const auto fold = std::ranges::find(folds_, group, &FoldedRow::group);
    const bool is_folded = fold != folds_.end() && !fold->is_open && is_unfiltered;
    for (; line != boards_.end() && group_of(*line) == group; ++line) {
      if (!is_unfiltered && !has_filter_words(*line))
        continue;  // a search finds folded boards, too
      if (has_cards && line->is_tournament) continue;
      ++count;
      if (!is_folded || std::ranges::count(fold->boards, line->id) == 0)
        shown_rows_.push_back(&*line);
    }
    if (is_folded && !fold->boards.empty()) shown_rows_.push_back(&fold->row);
    if (shown_rows_.size() == first) continue;
    // The row of a folded group says what its heading would say.
    if (!has_cards && shown_rows_[first]->id != kLearnRow)
      lines_.push_back({.group = group, .board_count = count});
    for (std::size_t i = first; i < shown_rows_.size(); ++i)
      lines_.push_back({.row = shown_rows_[i]});
  }
}

void LobbyModel::set_board_id(const std::string& id, const std::string& name) {
  for (BoardSummary& line : boards_)
    if (line.id == id) line.id = name;
}

const BoardSummary* LobbyModel::find(const std::string& id) const {
  const auto found = std::ranges::find(boards_, id, &BoardSummary::id);
  return found == boards_.end() ? nullptr : &*found;
}

std::optional<std::string> LobbyModel::next_waiting(const std::string& id) const {
  const auto found = std::ranges::find(shown_rows_, id, &BoardSummary::id);
  const std::ptrdiff_t here = found == shown_rows_.end() ? -1 : found - shown_rows_.begin();
  for (std::ptrdiff_t i = 1; i <= std::ssize(shown_rows_); ++i) {
    const BoardSummary* line = shown_rows_[index((here + i) % std::ssize(shown_rows_))];
    if (is_waiting(*line) && line->id != id) return line->id;
  }
  return std::nullopt;
}

std::vector<std::string> visible_player_names(std::string_view me, const Seating& seats) {
  std::vector<std::string> out = seats.names;
  std::ranges::transform(out, out.begin(), quote_you);
  for (std::size_t s = 0; s < std::min(out.size(), seats.computer_levels.size()); ++s)
    if (const int level = seats.computer_levels[s]; level > 0)
      out[s] = "computer " + std::to_string(level);
  if (const auto own = find_own_seat(me, seats)) out[index(*own)] = "you";
  return out;
}

std::string complete_name(std::string_view begun, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (begun.empty() || !starts_with_ignoring_case(name, begun)) continue;
    if (out.empty()) out = name;
    keep_common_beginning(out, name);
  }
  return out.size() > begun.size() ? out : std::string(begun);
}

std::string complete_last_word(std::string_view line, const RemoteBoards& server) {
  std::vector<std::string> names;
  for (const Person& person : server.people()) names.push_back(person.userid);
  const std::size_t at = line.rfind(' ') + 1;
  return std::string(line.substr(0, at)) + complete_name(line.substr(at), names);
}

std::vector<std::string> LobbyModel::player_names(const std::string& user) const {
  std::vector<const BoardSummary*> own;
  for (const BoardSummary& line : boards_)
    if (!line.is_example && line.load_error.empty() &&
        (user.empty() ? !line.has_lone_person() : !line.user.empty()))
      own.push_back(&line);
  std::ranges::stable_sort(own, [](const BoardSummary* a, const BoardSummary* b) {
    return a->last_change > b->last_change;
  });
  std::vector<std::string> out;
  if (!user.empty()) out.push_back(user);
  const auto known = [&](const std::string& name) {
    return std::ranges::any_of(out,
                               [&](const std::string& n) { return equals_ignoring_case(n, name); });
  };
  // A save may have names that a new board refuses; names such as player1 are only seats.
  for (const BoardSummary* line : own)
    for (std::size_t s = 0; s < line->names.size(); ++s) {
      const std::string& name = line->names[s];
      const bool computer = !line->levels.empty() && line->levels[s] > 0;
      if (!computer && !known(name) && !starts_with_ignoring_case(name, "player") &&
          complete_seating(all_games().front(), {name}))
        out.push_back(name);
    }
  return out;
}

}  // namespace pbm
