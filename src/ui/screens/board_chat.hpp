// SPDX-License-Identifier: MIT
// The chat of one board on a server, in a box below the list of plies. Leaves sending a chat line
// to board_session.hpp.
#pragma once

#include "ui/board_session.hpp"
#include "ui/widgets/board_view.hpp"
#include "ui/screen.hpp"

namespace pbm {

class BoardChat {
 public:
  // `tell` gets a sentence if several lines are new when the board is opened. Pre: `boards` and
  // `session` outlive this object.
  BoardChat(Boards& boards, const BoardSession& session,
            std::function<void(const std::string&)> tell)
      : boards_(boards), session_(session), report_(std::move(tell)) {}

  // Asks the server for new lines. A local board has none.
  void request_new_lines() {
    if (!session_.board().has_others()) return;
    should_ask_again_ = pending_request_ != nullptr;
    if (should_ask_again_) return;
    boards_.start_task(
        pending_request_, "",
        [id = session_.id(), behind = lines_.empty() ? 0 : lines_.back().number,
         &server = boards_.server()] { return server.read_chat(id, behind); },
        [this](const Result<std::vector<ChatLine>>& said) { add_answer(said); }, Priority::display);
  }

  // Shows a line that has just arrived.
  void add_line(std::string line) {
    last_line_ = std::move(line);
    request_new_lines();
  }
  // Asks for all lines again.
  void request_all_lines() {
    lines_.clear();
    pending_request_.reset();
    request_new_lines();
  }

  // Returns the last line if it is new, or "".
  const std::string& last_line() const { return last_line_; }
  // Returns the rows that the drawing needs, at most `most`; 0 without a line or without room.
  int needed_rows(int columns, int most) const {
    return lines_.empty() || most <= kExtraRows
               ? 0
               : static_cast<int>(visible_lines(columns, most - kExtraRows).size()) + kExtraRows;
  }

  // Leaves the first row for a heading.
  void draw(Canvas& canvas, const Area& area) const {
    int row = area.row;
    for (const std::string& line : visible_lines(area.columns, area.rows - kExtraRows))
      canvas.put_text(++row, area.column, fit(line, area.columns), Style::key);
  }

 private:
  static constexpr int kExtraRows = 1;  // rows: the heading

  // Adds the lines of the answer. Without an answer, the last line stays.
  void add_answer(const Result<std::vector<ChatLine>>& said) {
    const bool opened = lines_.empty() && last_line_.empty();
    std::size_t fresh = 0;
    for (const ChatLine& line : said ? *said : std::vector<ChatLine>{}) {
      if (!lines_.empty() && line.number <= lines_.back().number) continue;
      lines_.push_back(line);
      fresh += line.is_new;
    }
    if (opened && fresh > 0) last_line_ = lines_.back().userid + ": " + lines_.back().text;
    if (opened && fresh > 1) report_(std::to_string(fresh) + " new lines. Type talk to read all.");
    if (std::exchange(should_ask_again_, false)) request_new_lines();
  }

  // Returns the last lines that fit, each in full. Cuts a single line that is too long.
  std::vector<std::string> visible_lines(int columns, int most) const {
    std::vector<std::string> out;
    for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
      const std::vector<std::string> rows = wrap_lines({line->userid + ": " + line->text}, columns);
      if (!out.empty() && std::ssize(out) + std::ssize(rows) > most) break;
      out.insert(out.begin(), rows.begin(), rows.end());
    }
    if (std::ssize(out) > most) {
      out.resize(static_cast<std::size_t>(most));
      out.back() = "... talk shows all";
    }
    return out;
  }

  Boards& boards_;
  const BoardSession& session_;
  const std::function<void(const std::string&)> report_;
  std::vector<ChatLine> lines_;
  std::string last_line_;
  TaskHandle pending_request_;
  bool should_ask_again_ = false;  // a new line arrived during a request
};

}  // namespace pbm
