// SPDX-License-Identifier: MIT
// The layout of a board's screen, and its picture of the board. Leaves the data to board_model.hpp
// and the keys to board_screen.hpp.
#pragma once

#include <map>

#include "ui/screens/board_model.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {

class BoardPage {
 public:
  // Pre: `model` outlives this object.
  explicit BoardPage(const BoardModel& model) : model_(model), seen_(model.match().position()) {
    set_field(model.wanted_field());
  }

  // The drawing of the board: its variant, if the game has several, and its scale. If the player
  // chose neither, they depend on the room that title, sentence, line and keys leave.
  const View& view() const { return view_; }
  void set_field(char field) {
    asked_ = field;
    if (field != '\0' || view_.field == '\0') view_.field = field;
  }
  char field_asked() const { return asked_; }
  // Shows the board from the other side, or from the usual one again.
  void turn() { view_.turned = !view_.turned; }

  // Updates the picture after a change of the model.
  void follow();
  // Returns the position in the picture.
  const Position& seen() const { return seen_; }
  BoardView& picture() { return picture_; }
  // True if the last sentence was cut for lack of room.
  bool is_cut() const { return cut_; }
  PlyList& list() { return list_; }

  // Returns enough room for the drawing and a list beside it, so that the line is near the board.
  // If the drawing grows, the size grows in steps of a few rows.
  Size wanted(Size terminal);
  void draw(Canvas& canvas, const Notice& notice);

 private:
  struct Layout {
    Area pane, board;  // a small drawing is in the middle of its pane
    Area players;
    Area plies;                 // no columns if there is no room
    Area talk;                  // chat below the plies; no rows if there is no room
    Area chat;                  // the last chat line if it is new and `talk` is not shown
    Area said, said_at_length;  // the sentence above the line; the area for a longer one
    bool beside = false;        // everything but the line is beside the board, even the title
    int line = 0;               // the row of the typed line
    bool foot = false;          // there is a row of keys below the line
  };
  void choose_drawing(Size terminal);
  Layout layout(Size size) const;
  Layout layout_above_foot(Size size) const;
  void draw_head(Canvas& canvas, const Layout& layout) const;
  void draw_picked();
  void draw_plies(Canvas& canvas, Area area);
  void draw_first_look(Canvas& canvas, Area area) const;
  // Returns the text before the typed line, and the seat for its colour.
  std::pair<std::string, std::optional<Seat>> prompt() const;
  // Returns the first row of the sentence above the line.
  int draw_line(Canvas& canvas, const Layout& layout, const Notice& notice);

  const BoardModel& model_;
  View view_{.field = 0};
  char asked_ = '\0';  // the chosen field; 0: the first that fits
  Position seen_;
  std::map<std::pair<char, int>, Size> sizes_;  // of seen_, by field and scale, as far as computed
  std::optional<View> drawn_;                   // the view of picture_
  BoardView picture_;
  int reserved_ = 0;  // columns kept for the drawing
  bool cut_ = false;
  PlyList list_;
};

}  // namespace pbm
