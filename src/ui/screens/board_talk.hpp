// SPDX-License-Identifier: MIT
// What is said on one board of a server, beside its plies: asked for, kept while the board is
// looked at, drawn. Leaves saying something to board_session.hpp.
#pragma once

#include "ui/board_session.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardTalk {
 public:
  // Of the board that is sat at; `tell` hears that there is more new than the last line.
  BoardTalk(Boards& boards, const BoardSession& session,
            std::function<void(const std::string&)> tell)
      : boards_(boards), session_(session), tell_(std::move(tell)) {}

  // Asks for what is not known yet; nothing where there are no others.
  void ask() {
    if (!session_.board().has_others()) return;
    again_ = asking_ != nullptr;
    if (again_) return;
    boards_.ask(
        asking_, "",
        [id = session_.id(), behind = said_.empty() ? 0 : said_.back().number,
         &server = boards_.server()] { return server.said_on(id, behind); },
        [this](const Result<std::vector<ChatLine>>& said) { heard(said); }, Priority::picture);
  }

  // Somebody has just said that.
  void hear(std::string line) {
    last_ = std::move(line);
    ask();
  }
  // All of it is asked for anew.
  void ask_all() {
    said_.clear();
    asking_.reset();
    ask();
  }

  // The last of it while that is new, or "".
  const std::string& last() const { return last_; }
  // Draws what was said last, and has so many rows for that: none where nothing was, or in fewer
  // than there is use for.
  int rows(int columns, int most) const {
    return said_.empty() || most <= kAround
               ? 0
               : static_cast<int>(lines(columns, most - kAround).size()) + kAround;
  }

  void draw(Canvas& canvas, const Area& area) const {
    int row = area.row + 1;
    canvas.put(row, area.column, fit("said here", area.columns), Style::dim);
    for (const std::string& line : lines(area.columns, area.rows - kAround))
      canvas.put(++row, area.column, fit(line, area.columns), Style::key);
  }

 private:
  static constexpr int kAround = 2;  // rows: a blank one and a heading

  // Without an answer there is what was heard.
  void heard(const Result<std::vector<ChatLine>>& said) {
    const bool opened = said_.empty() && last_.empty();
    std::size_t fresh = 0;
    for (const ChatLine& line : said ? *said : std::vector<ChatLine>{}) {
      if (!said_.empty() && line.number <= said_.back().number) continue;
      said_.push_back(line);
      fresh += line.fresh;
    }
    if (opened && fresh > 0) last_ = said_.back().userid + ": " + said_.back().text;
    if (opened && fresh > 1) tell_(std::to_string(fresh) + " new lines: talk shows all.");
    if (std::exchange(again_, false)) ask();
  }

  // The latest last, each whole, but for one that is longer than all the room.
  std::vector<std::string> lines(int columns, int most) const {
    std::vector<std::string> out;
    for (auto line = said_.rbegin(); line != said_.rend(); ++line) {
      const std::vector<std::string> rows = wrapped({line->userid + ": " + line->text}, columns);
      if (!out.empty() && std::ssize(out) + std::ssize(rows) > most) break;
      out.insert(out.begin(), rows.begin(), rows.end());
    }
    if (std::ssize(out) > most) {
      out.resize(static_cast<std::size_t>(most));
      out.back() = "... talk reads all";
    }
    return out;
  }

  Boards& boards_;
  const BoardSession& session_;
  const std::function<void(const std::string&)> tell_;
  std::vector<ChatLine> said_;
  std::string last_;
  Handle asking_;
  bool again_ = false;  // something was said meanwhile
};

}  // namespace pbm
