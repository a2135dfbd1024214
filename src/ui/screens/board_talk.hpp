// SPDX-License-Identifier: MIT
// The chat of one board on a server, in a box below the list of plies. Leaves sending a chat line
// to board_session.hpp.
#pragma once

#include "ui/board_session.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardTalk {
 public:
  // `tell` gets a sentence if several lines are new when the board is opened. Pre: `boards` and
  // `session` outlive this object.
  BoardTalk(Boards& boards, const BoardSession& session,
            std::function<void(const std::string&)> tell)
      : boards_(boards), session_(session), tell_(std::move(tell)) {}

  // Asks the server for new lines. A local board has none.
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

  // Shows a line that has just arrived.
  void hear(std::string line) {
    last_ = std::move(line);
    ask();
  }
  // Asks for all lines again.
  void ask_all() {
    said_.clear();
    asking_.reset();
    ask();
  }

  // Returns the last line if it is new, or "".
  const std::string& last() const { return last_; }
  // Returns how many rows the drawing needs, at most `most`. Returns 0 without a line or with too
  // little room.
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

  // Adds the lines of the answer. Without an answer, the last line stays.
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

  // Returns the last lines that fit, each in full. Cuts a single line that is too long.
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
  bool again_ = false;  // a new line arrived during a request
};

}  // namespace pbm
