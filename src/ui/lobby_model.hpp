// SPDX-License-Identifier: MIT
// The list of boards for both front ends: its order, its filter, the players of a board, and the
// next board that waits. Leaves fetching and display to the front ends.
#pragma once

#include <algorithm>

#include "boards/boards.hpp"

namespace pbm {

// Returns `begun` extended by the text that all `names` with this beginning share.
std::string complete_name(std::string_view begun, const std::vector<std::string>& names);
// The same for the last word of a line and the userids of a server.
std::string complete_last(std::string_view line, const RemoteBoards& server);

// Returns the players' names as the player `me`, or "" for anybody, sees them: "you", "computer 3",
// or a name. The only person in a game against computers is "you", too.
std::vector<std::string> players_for(std::string_view me, const Seating& seats);

// The ids of two rows of a sorted list: games against the computer last played before today, and
// examples. No board and no save has a name that ends in "/".
inline constexpr const char* kOlder = "older/";
inline constexpr const char* kExamples = "examples/";

// The list of boards, sorted, filtered and folded.
class LobbyModel {
 public:
  enum class Order : std::uint8_t { turn, played, name, game, listed };

  // `name` is the player's name, or ""; it may change. Pre: it outlives this object.
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
  void rename(const std::string& id, const std::string& name);
  const std::string& me() const { return name_; }

  const std::vector<BoardSummary>& all() const { return all_; }
  const std::vector<const BoardSummary*>& shown() const { return shown_; }
  const BoardSummary* find(const std::string& id) const;

  // Returns the boards that the row `id` stands for, or null for the row of one board. After
  // unfold(), each of them has its own row.
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

  // True if the board waits for the player; the games that kOlder stands for do not.
  bool waits(const BoardSummary& board) const {
    return waits_for(board, name_) &&
           std::ranges::find(older_.boards, board.id) == older_.boards.end();
  }
  // Returns the next shown board after `id` that waits for the player. Wraps around, and starts at
  // the first board if `id` is not shown. Returns nothing if no other board waits.
  std::optional<std::string> next_waiting(const std::string& id) const;
  // Returns the people on the boards: `user`, the signed-in userid or "", then those of the latest
  // played board, and so on, each board in seat order.
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
