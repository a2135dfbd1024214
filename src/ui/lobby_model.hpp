// SPDX-License-Identifier: MIT
// Which boards there are, as a list on a screen and line by line: in what order, which
// of them, who plays on them, and which waits next. Leaves fetching and showing it to
// the front ends.
#pragma once

#include <algorithm>

#include "boards/boards.hpp"

namespace pbm {

// `begun` with what all of `names` that begin so have in common behind it.
std::string complete_name(std::string_view begun, const std::vector<std::string>& names);
// The same of the last word of a line, by the userids of a server.
std::string complete_last(std::string_view line, const RemoteBoards& server);

// What the players are called for the one called `me`, or "": "you", "computer 3", or by name. Who
// plays against computers alone is you, too.
std::vector<std::string> players_for(std::string_view me, const Seating& seats);

// Stand in a sorted list for the games against the computer that were not played on today, and for
// the examples: what ends so is no board's name, and no save's.
inline constexpr const char* kOlder = "older/";
inline constexpr const char* kExamples = "examples/";

class LobbyModel {
 public:
  enum class Order : std::uint8_t { turn, played, name, game, listed };

  // `name` is who sits there, "" for anybody; it may change, and is to live as long as this.
  explicit LobbyModel(const std::string& name, Order order = Order::listed)
      : name_(name), order_(order) {}

  void set(std::vector<BoardSummary> boards) {
    all_ = std::move(boards);
    sort(order_);
  }
  void sort(Order order);
  Order order() const { return order_; }
  // Shows only boards with all these words.
  void filter(std::string_view words) {
    words_ = pbm::words(lower(words));
    show();
  }
  // A board is called otherwise now.
  void rename(const std::string& id, const std::string& name);
  const std::string& me() const { return name_; }

  const std::vector<BoardSummary>& all() const { return all_; }
  const std::vector<const BoardSummary*>& shown() const { return shown_; }
  const BoardSummary* find(const std::string& id) const;

  // The boards that the row `id` stands for, nothing for a board's own; from unfold() on they are
  // listed like others.
  const std::vector<std::string>* folded(std::string_view id) const;
  void unfold(std::string_view id) {
    (id == kOlder ? older_ : examples_).open = true;
    sort(order_);
  }
  void fold_again() {
    older_.open = examples_.open = false;
    sort(order_);
  }
  bool unfolded() const { return older_.open || examples_.open; }

  // Yesterday's games against the computer wait for nobody, listed or not.
  bool waits(const BoardSummary& board) const {
    return waits_for(board, name_) &&
           std::ranges::find(older_.boards, board.id) == older_.boards.end();
  }
  // The board shown after `id`, round and round, that waits for a move, from the first
  // for one that is not shown; nothing when none but it does.
  std::optional<std::string> next_waiting(const std::string& id) const;
  // The people on the boards, those of the one last played on first, in their seats'
  // order; before all `user`, who is connected to a server, or "".
  std::vector<std::string> people(const std::string& user) const;

 private:
  struct Fold {
    BoardSummary row;
    std::vector<std::string> boards;
    bool open = false;
  };

  void fold();
  void show();
  bool is_folded(const BoardSummary& board) const;

  const std::string& name_;
  Order order_;
  std::vector<std::string> words_;
  std::vector<BoardSummary> all_;
  std::vector<const BoardSummary*> shown_;
  Fold older_, examples_;
};

}  // namespace pbm
