// SPDX-License-Identifier: MIT
// The line on which moves are typed: edited, remembered, and read and judged once for all that
// asks. Leaves what Enter does with it to the board's screen.
#pragma once

#include "ui/move_completion.hpp"
#include "ui/board_session.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/lobby_model.hpp"

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
  void draw(Canvas& canvas, int row, int column, int width, bool judged) const {
    const Judgement& j = judgement();
    const bool wrong =
        judged && j.kind == Judgement::Kind::refused && (is_move() || typed().is_match_word());
    line_.draw(canvas, row, column, width, Style::text,
               wrong ? std::optional<std::size_t>(j.at) : std::nullopt);
  }

  // What it is, and what it comes to on the board as it is.
  const TypedLine& typed() const { return read().typed; }
  const Judgement& judgement() const { return read().judgement; }
  bool is_move() const { return typed().kind == TypedLine::Kind::move; }
  // Whether each character is one of it: behind a word that takes a text, or in a line for the
  // server.
  bool takes_text() const {
    using enum TypedWord::Where;
    return typed().kind == TypedLine::Kind::command ||
           ((typed().of(session) || typed().of(server)) && text().find(' ') != std::string::npos);
  }
  // The legal plies that `text` may become, and where they lead; of too many none.
  std::vector<std::string> plies_of(std::string_view text) const {
    return completion_.meant(text, kManyPlies);
  }

  std::vector<std::vector<SpotId>> trails_of(std::string_view text) const {
    std::vector<std::vector<SpotId>> out;
    for (const std::string& ply : plies_of(text))
      out.push_back(desk_.match().position().trail(ply));
    return out;
  }

  // Whether that may become a ply.
  bool names_ply(std::string_view text) const {
    return !completion_.meant(text, std::string::npos).empty();
  }

  // The board has changed, or what can be typed there.
  void follow() {
    std::vector<std::string> words;
    for (const TypedWord* w : desk_.words_now(Front::screen))
      if (w->where != TypedWord::Where::match) words.emplace_back(w->name);
    read_.reset();
    completion_.reset(desk_.match(), words,
                      [this](std::string_view typed) { return desk_.acting_seat(typed); });
  }

  // The same board is read anew, by somebody else maybe.
  void forget() { read_.reset(); }

  // Completes it. False when there is nothing to add.
  bool complete(RemoteBoards& server) {
    const std::string typed = text();
    const bool command = desk_.takes_commands() && trim(typed).starts_with(':');
    const std::string whole = command ? complete_last(typed, server) : completion_.complete(typed);
    if (whole == typed) return command;
    line_.set(whole);
    return true;
  }

  // What stands there was refused by the last key: a letter that cannot go on from it, whatever
  // follows, begins another line.
  void refuse() { refused_ = true; }

  // A move where it cannot become one whatever is added, or as the letter begins one; a legal one
  // that an exercise did not ask for; and any other line, which can be fetched again.
  void begin_anew(const Key& key) {
    if (!std::exchange(refused_, false) || key.code != Key::Code::character || empty()) return;
    const auto refused = [&](const std::string& text) {
      return completion_.judge(desk_.match(), text).kind == Judgement::Kind::refused;
    };
    std::string letter;
    append_utf8(letter, key.c);
    if (is_move() && judgement().kind != Judgement::Kind::refused && desk_.task().empty() &&
        (!refused(text() + letter) || refused(letter)))
      return;
    history_.add(text());
    line_.set("");
  }

  // Lines that were entered: fetches the one before (-1) or behind (1) the one fetched last.
  void recall(int step) {
    if (const std::string* line = history_.step(step)) line_.set(*line);
  }
  bool recalled() const { return history_.recalled(); }
  void remember(const std::string& line) { history_.add(line); }
  // A key that fetches none was pressed; and one that edits the line.
  void settle() { history_.settle(); }
  void restart() { history_.restart(); }

 private:
  static constexpr std::size_t kManyPlies = 64;  // what may become more than that names no square

  struct Read {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };

  const Read& read() const {
    // A picture asks several times, and each answer parses what is typed.
    if (std::string line = line_.text(); !read_ || line != read_->line) {
      TypedLine typed = desk_.read(line);
      Judgement judgement = completion_.judge(desk_.match(), typed.text);
      judgement.at += typed.text_at;
      read_ = Read{std::move(line), std::move(typed), std::move(judgement)};
    }
    return *read_;
  }

  BoardSession& desk_;
  LineEditor line_;
  LineHistory history_;
  MoveCompletion completion_;
  mutable std::optional<Read> read_;
  bool refused_ = false;
};

// The spots with which all these trails begin.
inline std::vector<SpotId> common_beginning(const std::vector<std::vector<SpotId>>& trails) {
  if (trails.empty()) return {};
  std::vector<SpotId> common = trails.front();
  for (const std::vector<SpotId>& trail : trails) {
    std::size_t n = 0;
    while (n < common.size() && n < trail.size() && common[n] == trail[n]) ++n;
    common.resize(n);
  }
  return common;
}

}  // namespace pbm
