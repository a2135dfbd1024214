// SPDX-License-Identifier: MIT
// What somebody is doing at a board, a type each: with its own keys, its marks on the
// picture, its words, and its own end. Whatever of these a mode does not have is
// common to all and in board_screen.hpp. One more thing to do is one more type here.
#pragma once

#include <variant>

#include "ui/screens/board_keys.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/widgets/move_picker.hpp"

namespace pbm {

class BoardScreen;

// A move is typed for the board as it is now.
struct Typing {
  // Its command for a key, before the common ones.
  std::optional<BoardCommand> command_of(const BoardScreen&, const Key&) const { return {}; }
  void mark(const BoardScreen& screen, BoardView& picture) const;
  // What is said while nothing is typed; "" for how the game stands.
  std::string hint(const BoardScreen&) const { return ""; }
  const FootKeys& foot(const BoardScreen& screen) const;
};

// The board after an earlier ply is looked at. A move that is typed is still one for the
// board as it is now, which is seen meanwhile.
struct LookingBack {
  std::size_t ply;
  std::size_t known;  // plies there were when the board was last seen as it is now

  std::optional<BoardCommand> command_of(const BoardScreen& screen, const Key& key) const;
  void mark(const BoardScreen& screen, BoardView& picture) const;
  std::string hint(const BoardScreen& screen) const;
  const FootKeys& foot(const BoardScreen& screen) const;
};

// A move is put together out of squares, with a cursor: while nothing else is typed on one's turn.
class Picking {
 public:
  Picking(const Position& position, const Drawing& drawing) : picker_(position, drawing) {}

  std::optional<BoardCommand> command_of(const BoardScreen& screen, const Key& key) const;
  void mark(const BoardScreen&, BoardView& picture) const;
  std::string hint(const BoardScreen& screen) const;
  const FootKeys& foot(const BoardScreen& screen) const;

  // The squares from which what was typed goes on.
  void begin(const std::vector<SpotId>& trail);
  // Does one of its commands. It may be over then.
  void run(BoardScreen& screen, BoardCommand command);
  // A click there. It may be over then.
  void pick_at(BoardScreen& screen, SpotId spot);
  // The plies of the squares picked, where none can be picked any more and only a letter
  // or a number is open.
  std::vector<std::string> letters_left(const BoardScreen& screen) const;

  MovePicker& picker() { return picker_; }
  const MovePicker& picker() const { return picker_; }
  // Whether the cursor was used; until then the board looks as it does without one.
  bool used() const { return used_; }
  void use() { used_ = true; }

 private:
  bool chose_letter(BoardScreen& screen, BoardCommand command) const;
  void pick(BoardScreen& screen);
  void picked(BoardScreen& screen) const;

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
