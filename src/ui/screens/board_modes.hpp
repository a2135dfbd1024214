// SPDX-License-Identifier: MIT
// What keys do on a board's screen that no word does (board_words.hpp): tables that it dispatches
// from and that its help and the row of keys at its foot are made of. And what somebody is doing at
// a board, a type each: with its own keys, its marks on the picture, its words, and its own end.
// Leaves what is common to all to board_screen.hpp. One more thing to do is one more type here.
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
  // Of the cursor; the first four in the order of MovePicker::Direction.
  left,
  right,
  up,
  down,
  next,
  pick,
  unpick,
};

const std::vector<Binding<BoardCommand>>& board_bindings();
// While there is a cursor on the board these come before the others.
const std::vector<Binding<BoardCommand>>& picking_bindings();
// A key that does it.
Key key_for(BoardCommand command);

struct BoardModel;
class Analysis;
class MoveLine;

// A move is typed for the board as it is now.
struct Typing {
  // Its command for a key, before the common ones.
  std::optional<BoardCommand> command_of(const BoardModel&, const Key&) const { return {}; }
  // Marks the picture, which is of the position `seen`.
  void mark(const BoardModel& model, const Position& seen, BoardView& picture) const;
  // What is said while nothing is typed; "" for how the game stands.
  std::string hint(const BoardModel&) const { return ""; }
  FootKeys foot(const BoardModel& model) const;
};

// The board after an earlier ply is looked at. Of a move that is typed Enter asks whether it is one
// for the board as it is now, or is tried from there.
struct LookingBack {
  std::size_t ply;
  std::size_t known;  // plies there were when the board was last seen as it is now
  bool asks = false;  // what would have been better than the next ply

  // What the computer knows of that ply; null where nothing is asked, and where a check has
  // meanwhile taken the mark away.
  const Analysis* asked(const BoardModel& model) const;
  std::optional<BoardCommand> command_of(const BoardModel& model, const Key& key) const;
  void mark(const BoardModel&, const Position& seen, BoardView& picture) const {
    if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
  }
  std::string hint(const BoardModel& model) const;
  FootKeys foot(const BoardModel& model) const;
};

// A move is put together out of squares, with a cursor: while nothing else is typed on one's turn.
class Picking {
 public:
  Picking(const Position& position, const Drawing& drawing) : picker_(position, drawing) {}

  std::optional<BoardCommand> command_of(const BoardModel& model, const Key& key) const;
  void mark(const BoardModel& model, const Position& seen, BoardView& picture) const;
  std::string hint(const BoardModel& model) const;
  FootKeys foot(const BoardModel& model) const;

  // The squares with which what was typed begins; and the cursor where it may go on.
  void begin(const std::vector<SpotId>& trail);
  void go_on() {
    used_ = true;
    if (!picker_.picked().empty()) picker_.go_to_next();
  }
  // What is left to its caller: to say why nothing was picked, or to enter the line.
  struct Left {
    std::string why = {};
    bool enters = false;
  };
  // Does one of its commands. What is picked stands in the line.
  Left run(BoardModel& model, BoardCommand command);
  // Picks that spot.
  Left pick_at(BoardModel& model, SpotId spot);
  // The plies of the squares picked, where none can be picked any more and only a letter
  // or a number is open.
  std::vector<std::string> letters_left(const BoardModel& model) const;

  const MovePicker& picker() const { return picker_; }
  // Whether the cursor was used; until then the board looks as it does without one.
  bool used() const { return used_; }

 private:
  bool chose_letter(MoveLine& line, const std::vector<std::string>& plies,
                    BoardCommand command) const;
  Left pick(BoardModel& model);

  MovePicker picker_;
  bool used_ = false;
};

using BoardMode = std::variant<Typing, LookingBack, Picking>;

// Above any of these: what was entered once is done by another Enter, and any other key
// goes back.
struct Confirming {
  std::string about;  // what was entered
  bool previews;      // the board is seen as the ply would make it
};

}  // namespace pbm
