// SPDX-License-Identifier: MIT
// The list of boards for both front ends: its groups, its order, its filter, the players of a
// board, and the next board that waits. Leaves fetching and display to the front ends.
#pragma once

#include <algorithm>
#include <array>

#include "boards/boards.hpp"

namespace pbm {

// Returns `begun` extended by the text that all `names` with this beginning share.
std::string complete_name(std::string_view begun, const std::vector<std::string>& names);
// The same for the last word of a line and the userids of a server.
std::string complete_last_word(std::string_view line, const RemoteBoards& server);

// Returns the players' names as the player `me`, or "" for anybody, sees them: "you", "computer 3",
// or a name. The only person in a game against computers is "you", too.
std::vector<std::string> visible_player_names(std::string_view me, const Seating& seats);

// The groups of a sorted list, in their order.
enum class BoardGroup : std::uint8_t {
  your_turn,
  waiting,
  challenges,
  tournaments,
  watching,
  learn,
  finished,
  unreadable,
};
std::string_view group_title(BoardGroup group);

// The ids of rows that stand for several boards: running and finished games against the computer
// last played before today; lessons, puzzles and examples. No board has a name that ends in "/".
inline constexpr const char* kOlderRow = "older/";
inline constexpr const char* kEarlierRow = "earlier/";
inline constexpr const char* kLearnRow = "learn/";

// A line of a sorted list: the row of a board, for a newcomer the card of a game, or a heading.
struct LobbyLine {
  const BoardSummary* row = nullptr;
  const GameType* card = nullptr;
  BoardGroup group = BoardGroup::your_turn;  // of a heading, with the boards in its group
  std::size_t board_count = 0;
  bool is_heading() const { return !row && !card; }
};

// The list of boards, sorted, filtered and folded.
class LobbyModel {
 public:
  enum class Order : std::uint8_t { time, name, game, unsorted };

  // `name` is the player's name, or ""; it may change. Pre: it outlives this object.
  explicit LobbyModel(const std::string& name, Order order = Order::unsorted)
      : player_name_(name), order_(order) {}

  void set_boards(std::vector<BoardSummary> boards);
  void sort(Order order);
  Order order() const { return order_; }
  // Shows only boards with all these words. Returns false if these words are the same as before.
  bool filter(std::string_view words) {
    const std::vector<std::string> before =
        std::exchange(filter_words_, pbm::split_words(lower(words)));
    update_shown_rows();
    return before != filter_words_;
  }
  void set_board_id(const std::string& id, const std::string& name);
  const std::string& player_name() const { return player_name_; }

  const std::vector<BoardSummary>& boards() const { return boards_; }
  const std::vector<const BoardSummary*>& shown_rows() const { return shown_rows_; }
  // Returns the shown rows with their headings; for a newcomer cards come first.
  const std::vector<LobbyLine>& lines() const { return lines_; }
  // True if the player has no game yet, only examples, lessons and puzzles.
  bool is_newcomer() const {
    return std::ranges::all_of(
        boards_, [](const BoardSummary& b) { return b.is_example || b.is_tournament; });
  }
  bool has_tournaments() const {
    return std::ranges::any_of(boards_, &BoardSummary::is_tournament);
  }
  bool has_cards() const { return !lines_.empty() && lines_.front().card; }
  BoardGroup group_of(const BoardSummary& board) const;
  const BoardSummary* find(const std::string& id) const;

  bool is_shown(const std::string& id) const {
    return std::ranges::count(shown_rows_, id, &BoardSummary::id) > 0;
  }
  // Returns the boards that the folded row `id` stands for, or null if it stands for none.
  const std::vector<std::string>* folded_boards(std::string_view id) const;
  void unfold(std::string_view id) {
    for (FoldedRow& fold : folds_) fold.is_open = fold.is_open || fold.row.id == id;
    update_shown_rows();
  }
  void fold_all() {
    for (FoldedRow& fold : folds_) fold.is_open = false;
    update_shown_rows();
  }
  bool is_unfolded() const { return std::ranges::any_of(folds_, &FoldedRow::is_open); }

  // True if the board waits for the player; the games that kOlderRow stands for do not.
  bool is_waiting(const BoardSummary& board) const {
    return is_waiting_for(board, player_name_) &&
           std::ranges::count(folds_.front().boards, board.id) == 0;
  }
  // Returns the next shown board after `id` that waits for the player. Wraps around.
  std::optional<std::string> next_waiting(const std::string& id) const;
  // Returns the id of the latest game and the computer's level there, if it is one of one person
  // with computers.
  using ComputerGame = std::optional<std::pair<std::string, int>>;
  const ComputerGame& latest_computer_game() const { return latest_computer_game_; }
  // Returns the people on the boards: `user`, then those of the latest board, and so on.
  std::vector<std::string> player_names(const std::string& user) const;

 private:
  struct FoldedRow {
    const char* id;
    BoardGroup group;
    BoardSummary row = {};
    std::vector<std::string> boards = {};
    bool is_open = false;
  };

  void update_folds();
  void update_shown_rows();
  bool has_filter_words(const BoardSummary& board) const;

  const std::string& player_name_;
  Order order_;
  std::vector<std::string> filter_words_;
  std::vector<BoardSummary> boards_;
  std::vector<const BoardSummary*> shown_rows_;
  std::vector<LobbyLine> lines_;
  std::array<FoldedRow, 3> folds_{FoldedRow{kOlderRow, BoardGroup::your_turn},
                                  {kLearnRow, BoardGroup::learn},
                                  {kEarlierRow, BoardGroup::finished}};
  ComputerGame latest_computer_game_;
};

}  // namespace pbm
