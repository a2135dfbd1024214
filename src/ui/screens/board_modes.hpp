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
  complete,
  older,
  newer,
  past,
  later,
  now,
  replay,
  preview,
  computer,
  mistake_before,
  mistake_after,
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
  next,
  pick,
  unpick,
};

const std::vector<Binding<BoardCommand>>& board_bindings();
// While the cursor is on the board, these come before board_bindings().
const std::vector<Binding<BoardCommand>>& picking_bindings();
// Returns the first key of the command.
Key key_for(BoardCommand command);

struct BoardModel;
class Analysis;
class MoveLine;

// The usual mode: the player types a move for the current position.
struct Typing {
  // Returns the command that the key has only in this mode.
  std::optional<BoardCommand> command_of(const BoardModel&, const Key&) const { return {}; }
  // Adds this mode's marks to the picture, which shows the position `seen`.
  void mark(const BoardModel& model, const Position& seen, BoardView& picture) const;
  // Returns the sentence for an empty line, or "" for the state of the game.
  std::string hint(const BoardModel&) const { return ""; }
  FootKeys foot(const BoardModel& model) const;
};

// The player looks at an earlier position. If they type a move, Enter asks if they mean to play it
// on the current board or to try it from the earlier one.
struct LookingBack {
  std::size_t ply;
  std::size_t known;  // the number of plies when the current position was last shown
  bool asks = false;  // the question is open: which ply is better than the next one?

  // Returns the analysis if the question is open. Returns null if not, or if a deeper check has
  // removed the mark of that ply.
  const Analysis* asked(const BoardModel& model) const;
  std::optional<BoardCommand> command_of(const BoardModel& model, const Key& key) const;
  void mark(const BoardModel&, const Position& seen, BoardView& picture) const {
    if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
  }
  std::string hint(const BoardModel& model) const;
  FootKeys foot(const BoardModel& model) const;
};

// The player picks the squares of a move with a cursor, on their turn, instead of typing it.
class Picking {
 public:
  Picking(const Position& position, const Drawing& drawing) : picker_(position, drawing) {}

  std::optional<BoardCommand> command_of(const BoardModel& model, const Key& key) const;
  void mark(const BoardModel& model, const Position& seen, BoardView& picture) const;
  std::string hint(const BoardModel& model) const;
  FootKeys foot(const BoardModel& model) const;

  // Picks the squares of `trail`, which the typed text names.
  void begin(const std::vector<SpotId>& trail);
  // Shows the cursor, on the next square that can be picked.
  void go_on() {
    used_ = true;
    if (!picker_.picked().empty()) picker_.go_to_next();
  }
  // The work for the caller: tell the player why nothing was picked, or enter the line.
  struct Left {
    std::string why = {};
    bool enters = false;
  };
  // Runs one of the cursor's commands. Afterwards the line has the picked part of the move.
  Left run(BoardModel& model, BoardCommand command);
  // Moves the cursor to that spot and picks it.
  Left pick_at(BoardModel& model, SpotId spot);
  // Returns the plies with exactly the picked squares, if they differ only in a letter or a
  // number. Returns none if a square can still be picked.
  std::vector<std::string> letters_left(const BoardModel& model) const;

  const MovePicker& picker() const { return picker_; }
  // True after the first use of the cursor. Before that the board looks as without one.
  bool used() const { return used_; }

 private:
  bool chose_letter(MoveLine& line, const std::vector<std::string>& plies,
                    BoardCommand command) const;
  Left pick(BoardModel& model);

  MovePicker picker_;
  bool used_ = false;
};

using BoardMode = std::variant<Typing, LookingBack, Picking>;

// A question, open in any mode: another Enter does it, any other key closes the question.
struct Confirming {
  std::string about;  // the entered text
  bool previews;      // the picture shows the board after that ply
};

}  // namespace pbm
