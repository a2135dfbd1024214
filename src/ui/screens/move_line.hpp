// SPDX-License-Identifier: MIT
// The line on which moves are typed: edited, remembered, and read and judged once for all that
// asks. Leaves what Enter does with it to the board's screen.
#pragma once

#include "ui/move_completion.hpp"
#include "ui/board_session.hpp"
#include "ui/widgets/line_editor.hpp"

namespace pbm {

class MoveLine {
 public:
  // Of that board, which stays where it is.
  explicit MoveLine(BoardSession& desk) : desk_(desk) {}

  std::string text() const { return line_.text(); }
  bool empty() const { return line_.empty(); }
  void set(std::string_view text) {
    refused_ = false;
    line_.set(text);
  }
  // True when the key edits a line.
  bool press(const Key& key) { return line_.press(key); }
  // In at most `width` columns; with `judged` what cannot be a move is seen to be none.
  void draw(Canvas& canvas, int row, int column, int width, bool judged) const;

  // What it is, and what it comes to on the board as it is.
  const TypedLine& typed() const { return read().typed; }
  const Judgement& judgement() const { return read().judgement; }
  bool is_move() const { return typed().kind == TypedLine::Kind::move; }
  // Whether each character is one of it: behind a word that takes a text, or in a line for the
  // server.
  bool takes_text() const;
  // The legal plies that `text` may become, and where they lead; of too many none.
  std::vector<std::string> plies_of(std::string_view text) const;
  std::vector<std::vector<SpotId>> trails_of(std::string_view text) const;
  // Whether that may become a ply.
  bool names_ply(std::string_view text) const;

  // The board has changed, or what can be typed there.
  void follow();
  // The same board is read anew, by somebody else maybe.
  void forget() { read_.reset(); }

  // Completes it. False when there is nothing to add.
  bool complete(RemoteBoards& server);
  // What stands there was refused by the last key: a letter that cannot go on from it, whatever
  // follows, begins another line.
  void refuse() { refused_ = true; }
  void begin_anew(const Key& key);

  // Lines that were entered: fetches the one before (-1) or behind (1) the one fetched last.
  void recall(int step);
  bool recalled() const { return history_.recalled(); }
  void remember(const std::string& line) { history_.add(line); }
  // A key that fetches none was pressed; and one that edits the line.
  void settle() { history_.settle(); }
  void restart() { history_.restart(); }

 private:
  struct Read {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };
  const Read& read() const;

  BoardSession& desk_;
  LineEditor line_;
  LineHistory history_;
  MoveCompletion completion_;
  mutable std::optional<Read> read_;
  bool refused_ = false;
};

// The spots with which all these trails begin.
std::vector<SpotId> common_beginning(const std::vector<std::vector<SpotId>>& trails);

}  // namespace pbm
