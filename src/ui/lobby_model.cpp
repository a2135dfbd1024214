// SPDX-License-Identifier: MIT
#include "ui/lobby_model.hpp"

#include <algorithm>

namespace pbm {

namespace {

// Returns the rank of a board's group: the user's games first, unreadable files and examples last.
int apart(const BoardSummary& l) {
  return l.seek > 0          ? 0
         : !l.remark.empty() ? 4
         : l.example         ? 5
         : !l.broken.empty() ? 3
         : l.aside           ? 2
         : l.of_others       ? 1
                             : 0;
}

}  // namespace

void LobbyModel::sort(Order order) {
  order_ = order;
  fold();
  // An open challenge of another player is next after boards that wait for the player.
  const auto rank = [&](const BoardSummary& l) {
    return waits(l) ? 0 : l.seek > 0 ? 1 : l.to_move ? 2 : 3;
  };
  const auto before = [&](const BoardSummary& a, const BoardSummary& b) {
    if (apart(a) != apart(b)) return apart(a) < apart(b);
    if (apart(a) > 2) return false;
    switch (order) {
      case Order::turn:
        return std::make_pair(rank(a), b.changed) < std::make_pair(rank(b), a.changed);
      case Order::played: return a.changed > b.changed;
      case Order::name: return a.id < b.id;
      case Order::game:
        return std::tie(a.game->title, a.options) < std::tie(b.game->title, b.options);
      case Order::listed: break;
    }
    return false;
  };
  // Boards arrive with the latest played first.
  if (order != Order::listed) std::ranges::stable_sort(all_, before);
  show();
}

const std::vector<std::string>* LobbyModel::folded(std::string_view id) const {
  for (const Fold* fold : {&older_, &examples_})
    if (fold->row.id == id) return &fold->boards;
  return nullptr;
}

bool LobbyModel::is_folded(const BoardSummary& board) const {
  const auto in = [&](const Fold& fold) {
    return !fold.open && std::ranges::find(fold.boards, board.id) != fold.boards.end();
  };
  return in(older_) || in(examples_);
}

// A game against the computer keeps no person waiting, and players seldom continue older ones.
void LobbyModel::fold() {
  constexpr std::size_t kFewest = 3;
  const Time today = now();
  older_.boards.clear();
  examples_.boards.clear();
  for (const BoardSummary& line : all_) {
    if (order_ == Order::listed || !line.remark.empty()) continue;
    if (line.example) examples_.boards.push_back(line.id);
    if (!line.example && !line.levels.empty() && line.broken.empty() &&
        local_day(line.changed) < local_day(today))
      older_.boards.push_back(line.id);
  }
  for (const auto& [fold, id, what] : {std::tuple(&older_, kOlder, " games with the computer"),
                                       std::tuple(&examples_, kExamples, " games to look at")}) {
    if (fold->boards.size() < kFewest) fold->boards.clear();
    fold->row = {};
    fold->row.id = id;
    fold->row.remark = std::to_string(fold->boards.size()) + what;
  }
}

void LobbyModel::show() {
  shown_.clear();
  const auto row = [&](const Fold& fold) {
    if (!fold.open && !fold.boards.empty() && words_.empty()) shown_.push_back(&fold.row);
  };
  bool own = true;  // kOlder comes after the player's own boards
  for (const BoardSummary& line : all_) {
    if (own && apart(line) > 2) row(older_);
    own = own && apart(line) <= 2;
    // A search finds folded boards, too.
    if (words_.empty() && is_folded(line)) continue;
    std::string text = line.id + " " + line.title() + " " + line.state();
    for (const std::string& name : line.names) text += " " + name;
    text = lower(text);
    if (std::ranges::all_of(
            words_, [&](const std::string& w) { return text.find(w) != std::string::npos; }))
      shown_.push_back(&line);
  }
  if (own) row(older_);
  row(examples_);
}

void LobbyModel::rename(const std::string& id, const std::string& name) {
  for (BoardSummary& line : all_)
    if (line.id == id) line.id = name;
}

const BoardSummary* LobbyModel::find(const std::string& id) const {
  const auto found = std::ranges::find_if(all_, [&](const BoardSummary& l) { return l.id == id; });
  return found == all_.end() ? nullptr : &*found;
}

std::optional<std::string> LobbyModel::next_waiting(const std::string& id) const {
  const auto found =
      std::ranges::find_if(shown_, [&](const BoardSummary* l) { return l->id == id; });
  const std::ptrdiff_t here = found == shown_.end() ? -1 : found - shown_.begin();
  for (std::ptrdiff_t i = 1; i <= std::ssize(shown_); ++i) {
    const BoardSummary* line = shown_[static_cast<std::size_t>((here + i) % std::ssize(shown_))];
    if (waits(*line) && line->id != id) return line->id;
  }
  return std::nullopt;
}

std::vector<std::string> players_for(std::string_view me, const Seating& seats) {
  std::vector<std::string> out;
  const auto level = [&](std::size_t s) { return s < seats.levels.size() ? seats.levels[s] : 0; };
  const bool alone = seats.levels.size() > 1 && std::ranges::count(seats.levels, 0) == 1;
  for (std::size_t s = 0; s < seats.names.size(); ++s) {
    const std::string& name = seats.names[s];
    const bool mine = alone || (!me.empty() && same_ignoring_case(name, me));
    out.push_back(level(s) > 0 ? "computer " + std::to_string(level(s)) : mine ? "you" : name);
  }
  return out;
}

std::string complete_name(std::string_view begun, const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    if (begun.empty() || !starts_ignoring_case(name, begun)) continue;
    if (out.empty()) out = name;
    std::size_t same = 0;
    while (same < std::min(out.size(), name.size()) && lower(out)[same] == lower(name)[same])
      ++same;
    out.resize(same);
  }
  return out.size() > begun.size() ? out : std::string(begun);
}

std::string complete_last(std::string_view line, const RemoteBoards& server) {
  std::vector<std::string> names;
  for (const Person& person : server.people()) names.push_back(person.userid);
  const std::size_t at = line.rfind(' ') + 1;
  return std::string(line.substr(0, at)) + complete_name(line.substr(at), names);
}

std::vector<std::string> LobbyModel::people(const std::string& user) const {
  std::vector<const BoardSummary*> own;
  for (const BoardSummary& line : all_)
    if (!line.example && line.broken.empty() && (user.empty() || !line.user.empty()))
      own.push_back(&line);
  std::ranges::stable_sort(
      own, [](const BoardSummary* a, const BoardSummary* b) { return a->changed > b->changed; });
  std::vector<std::string> out;
  if (!user.empty()) out.push_back(user);
  const auto known = [&](const std::string& name) {
    return std::ranges::any_of(out,
                               [&](const std::string& n) { return same_ignoring_case(n, name); });
  };
  // A save may have names that a new board refuses; names such as player1 are only seats.
  for (const BoardSummary* line : own)
    for (std::size_t s = 0; s < line->names.size(); ++s) {
      const std::string& name = line->names[s];
      const bool computer = !line->levels.empty() && line->levels[s] > 0;
      if (!computer && !known(name) && !starts_ignoring_case(name, "player") &&
          check_names(all_games().front(), {name}))
        out.push_back(name);
    }
  return out;
}

}  // namespace pbm
