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
  explicit BoardPage(const BoardModel& model)
      : model_(model), shown_position_(model.match().position()) {
    set_field(model.preferred_field());
  }

  // The drawing of the board: its variant, if the game has several, and its scale. If the player
  // chose neither, they depend on the room that title, sentence, line and keys leave.
  const View& view() const { return view_; }
  void set_field(char field) {
    chosen_field_ = field;
    if (field != '\0' || view_.drawing_style == '\0') view_.drawing_style = field;
  }
  char chosen_field() const { return chosen_field_; }
  // Shows the board from the other side, or from the usual one again.
  void turn_board() { view_.is_turned = !view_.is_turned; }

  // Updates the picture after a change of the model.
  void update();
  // Returns the position in the picture.
  const Position& shown_position() const { return shown_position_; }
  BoardView& picture() { return picture_; }
  // True if the last sentence was cut for lack of room.
  bool is_message_cut() const { return is_message_cut_; }
  PlyList& ply_list() { return ply_list_; }

  // Returns enough room for the drawing and a list beside it, so that the line is near the board.
  // If the drawing grows, the size grows in steps of a few rows.
  Size wanted_size(Size terminal);
  void draw(Canvas& canvas, const Notice& notice);

 private:
  struct Layout {
    Area frame;                // around the panes, with its lines; no rows without room
    Area board_pane, drawing;  // a small drawing is in the middle of its pane
    Area players;
    Area banner;                 // for the end of the game; no rows without
    Area plies;                  // no columns if there is no room
    Area watchers, advice;       // below the plies; no rows without their text or room
    Area chat_box;               // chat below the plies; no rows if there is no room
    Area last_chat_line;         // the last chat line if it is new and `talk` is not shown
    Area message, long_message;  // the sentence above the line; the area for a longer one
    bool is_beside = false;      // everything but the line is beside the board, even the title
    int line_row = 0;            // the row of the typed line
    bool has_foot = false;       // there is a row of keys below the line
  };
  void choose_drawing(Size terminal);
  Layout compute_layout(Size size, const std::string& watchers, const std::string& advice) const;
  Layout layout_without_foot(Size size) const;
  void draw_title_row(Canvas& canvas, const Layout& layout) const;
  void draw_frame(Canvas& canvas, const Layout& layout) const;
  void draw_picked_move();
  void draw_plies(Canvas& canvas, Area area);
  void draw_panel_edge(Canvas& canvas, const Layout& layout, int row,
                       const std::string& title) const;
  void draw_introduction(Canvas& canvas, const Layout& layout, Area area) const;
  // True while the side panel explains the game: until the player's first ply.
  bool has_introduction() const;
  // Returns the text before the typed line, and the seat for its colour.
  std::pair<std::string, std::optional<Seat>> prompt() const;
  // Returns the first row of the sentence above the line.
  int draw_move_line(Canvas& canvas, const Layout& layout, const StatusMessage& status);

  const BoardModel& model_;
  View view_{.drawing_style = 0};
  char chosen_field_ = '\0';  // the chosen field; 0: the first that fits
  Position shown_position_;
  std::map<std::pair<char, int>, Size>
      drawing_sizes_;               // of shown_position_, by field and scale, as far as computed
  std::optional<View> drawn_view_;  // the view of picture_
  BoardView picture_;
  int reserved_columns_ = 0;  // columns kept for the drawing
  bool is_message_cut_ = false;
  PlyList ply_list_;
};

}  // namespace pbm
