// SPDX-License-Identifier: MIT
// What is said on one board of a server, beside its plies: asked for, kept while the board is
// looked at, drawn. Leaves saying something to board_session.hpp.
#pragma once

#include "ui/board_session.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

class BoardTalk {
 public:
  // Of the board that is sat at; `tell` hears that there is more new than the last line.
  BoardTalk(Boards& boards, const BoardSession& session,
            std::function<void(const std::string&)> tell)
      : boards_(boards), session_(session), tell_(std::move(tell)) {}

  // Asks for what is not known yet; nothing where there are no others.
  void ask();
  // Somebody has just said that.
  void hear(std::string line);
  // All of it is asked for anew.
  void ask_all();

  // The last of it while that is new, or "".
  const std::string& last() const { return last_; }
  // Draws what was said last, and has so many rows for that: none where nothing was, or in fewer
  // than there is use for.
  int rows(int columns, int most) const;
  void draw(Canvas& canvas, const Area& area) const;

 private:
  void heard(const Result<std::vector<ChatLine>>& said);
  std::vector<std::string> lines(int columns, int most) const;

  Boards& boards_;
  const BoardSession& session_;
  const std::function<void(const std::string&)> tell_;
  std::vector<ChatLine> said_;
  std::string last_;
  Handle asking_;
  bool again_ = false;  // something was said meanwhile
};

}  // namespace pbm
