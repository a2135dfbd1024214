// SPDX-License-Identifier: MIT
// What stands where on a board's screen, and the picture in it. Leaves what is shown to
// board_model.hpp and what one does there to board_screen.hpp.
#pragma once

#include <map>

#include "ui/screens/board_model.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {

class BoardPage {
 public:
  // Of that model, which stays where it is.
  explicit BoardPage(const BoardModel& model) : model_(model), seen_(model.match().position()) {
    set_field(model.wanted_field());
  }

  // In which drawing the board is seen, where its game has several, and how large: 0 for the
  // largest that leaves room for title, sentence, line and keys.
  const View& view() const { return view_; }
  void set_field(char field) {
    asked_ = field;
    if (field != '\0' || view_.field == '\0') view_.field = field;
  }
  char field_asked() const { return asked_; }
  // Seen from the other side, or from the usual one again.
  void turn() { view_.turned = !view_.turned; }

  // Makes the picture that of the ply looked at, of the move typed, or of now.
  void follow();
  // The position that the picture shows.
  const Position& seen() const { return seen_; }
  BoardView& picture() { return picture_; }
  // Whether there was no room for all of the sentence.
  bool is_cut() const { return cut_; }
  PlyList& list() { return list_; }

  // Enough for the drawing and a list beside it, so that the line for moves is near the board; a
  // drawing that grows takes a few rows at a time.
  Size wanted(Size terminal);
  void draw(Canvas& canvas, const Notice& notice);

 private:
  struct Layout {
    Area pane, board;  // a small drawing is in the middle of its pane
    Area players;
    Area plies;  // has no columns where there is no room for it
    Area talk;   // what was said, below the plies; has no rows where there are too few
    Area chat;   // the last of it, where it is new and there is no talk
    Area said, said_at_length;  // the sentence above the line, and where it stands when it is too
                                // long for that
    bool beside = false;  // the title stands beside the board, which has all rows but the line's
    int line = 0;         // the row of what is typed
    bool foot = false;    // keys stand in the row below it
  };
  void choose_drawing(Size terminal);
  Layout layout(Size size) const;
  Layout layout_above_foot(Size size) const;
  void draw_head(Canvas& canvas, const Layout& layout) const;
  void draw_picked();
  void draw_plies(Canvas& canvas, Area area);
  void draw_first_look(Canvas& canvas, Area area) const;
  // Returns the first row of what is said above it.
  std::pair<std::string, std::optional<Seat>> prompt() const;
  int draw_line(Canvas& canvas, const Layout& layout, const Notice& notice);

  const BoardModel& model_;
  View view_{.field = 0};
  char asked_ = '\0';  // the field that is wanted; 0: what there is room for
  Position seen_;
  std::map<std::pair<char, int>, Size> sizes_;  // of it in a field and scale, once that was asked
  std::optional<View> drawn_;                   // as what it was drawn
  BoardView picture_;
  int reserved_ = 0;  // columns for it
  bool cut_ = false;
  PlyList list_;
};

}  // namespace pbm
