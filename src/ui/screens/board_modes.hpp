// SPDX-License-Identifier: MIT
// The keys of a board's screen that are no words (board_words.hpp). The dispatch, the help and the
// row of keys at the bottom use these tables. And the modes of that screen, a type each, with its
// own keys, marks and hints. Leaves everything common to all modes to board_screen.hpp.
#pragma once

#include <variant>

#include "ui/widgets/board_view.hpp"
#include "ui/widgets/move_picker.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

enum class BoardCommand : std::uint8_t {
  enter,
  leave,
  complete_line,
  older_line,
  newer_line,
  earlier,
  later,
  current,
  replay,
  preview,
  computer_help,
  toggle_tutor,
  previous_mistake,
  next_mistake,
  faster,
  slower,
  scroll_up,
  scroll_down,
  scroll_left,
  scroll_right,
  plies_up,
  plies_down,
  // These move the cursor; the first four are in the order of MovePicker::Direction.
  left,
  right,
  up,
  down,
  next_square,
  pick,
  unpick,
};

const std::vector<Binding<BoardCommand>>& board_bindings();
// While the cursor is on the board, these come before board_bindings().
const std::vector<Binding<BoardCommand>>& picking_bindings();
// Returns the first key of the command.
Key command_key(BoardCommand command);

struct BoardModel;
class Analysis;
class MoveLine;

// The usual mode: the player types a move for the current position.
struct TypingMode {
  // Returns the command that the key has only in this mode.
  std::optional<BoardCommand> find_command(const BoardModel&, const Key&) const { return {}; }
  // Adds this mode's marks to the picture, which shows the position `seen`.
  void add_marks(const BoardModel& model, const Position& seen, BoardView& picture) const;
  // Returns the sentence for an empty line, or "" for the state of the game.
  std::string hint_text(const BoardModel&) const { return ""; }
  FootKeys foot_keys(const BoardModel& model) const;
};

// The player looks at an earlier position. If they type a move, Enter asks if they mean to play it
// on the current board or to try it from the earlier one.
struct ReviewMode {
  std::size_t shown_ply;
  std::size_t known_plies;    // the number of plies when the current position was last shown
  bool has_question = false;  // the question is open: which ply is better than the next one?

  // Returns the analysis if the question is open. Returns null if not, or if a deeper check has
  // removed the mark of that ply.
  const Analysis* question_analysis(const BoardModel& model) const;
  std::optional<BoardCommand> find_command(const BoardModel& model, const Key& key) const;
  void add_marks(const BoardModel& model, const Position& seen, BoardView& picture) const;
  std::string hint_text(const BoardModel& model) const;
  FootKeys foot_keys(const BoardModel& model) const;
};

// The player picks the squares of a move with a cursor, on their turn, instead of typing it.
class PickingMode {
 public:
  PickingMode(const Position& position, const Drawing& drawing) : picker_(position, drawing) {}

  std::optional<BoardCommand> find_command(const BoardModel& model, const Key& key) const;
  void add_marks(const BoardModel& model, const Position& seen, BoardView& picture) const;
  std::string hint_text(const BoardModel& model) const;
  FootKeys foot_keys(const BoardModel& model) const;

  // Picks the squares of `trail`, which the typed text names.
  void pick_trail(const std::vector<SpotId>& trail);
  // Shows the cursor, on the next square that can be picked.
  void show_cursor() {
    is_used_ = true;
    if (!picker_.picked_spots().empty()) picker_.move_to_next();
  }
  // The work for the caller: tell the player why nothing was picked, or enter the line.
  struct PickResult {
    std::string message = {};
    bool should_enter = false;
  };
  // Runs one of the cursor's commands. Afterwards the line has the picked part of the move.
  PickResult run_command(BoardModel& model, BoardCommand command);
  // Moves the cursor to that spot and picks it.
  PickResult pick_at(BoardModel& model, SpotId spot);
  // Returns the plies with exactly the picked squares, if they differ only in a letter or a
  // number. Returns none if a square can still be picked.
  std::vector<std::string> letter_choices(const BoardModel& model) const;

  const MovePicker& picker() const { return picker_; }
  // True after the first use of the cursor. Before that the board looks as without one.
  bool is_used() const { return is_used_; }

 private:
  bool choose_letter(MoveLine& line, const std::vector<std::string>& plies,
                     BoardCommand command) const;
  PickResult pick(BoardModel& model);

  MovePicker picker_;
  bool is_used_ = false;
};

using BoardMode = std::variant<TypingMode, ReviewMode, PickingMode>;

// A question, open in any mode: another Enter does it, any other key closes the question.
struct Confirmation {
  std::string text;  // the entered text
  bool is_preview;   // the picture shows the board after that ply
};

}  // namespace pbm
