// SPDX-License-Identifier: MIT
// The line in which the player types moves: editing, history, and one reading of its text for
// every user. Leaves the effect of Enter to the board's screen.
#pragma once

#include "ui/move_completion.hpp"
#include "ui/board_session.hpp"
#include "ui/widgets/line_editor.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

class MoveLine {
 public:
  // Pre: `desk` outlives this object.
  explicit MoveLine(BoardSession& desk) : desk_(desk) {}

  std::string text() const { return line_.text(); }
  bool empty() const { return line_.empty(); }
  void set(std::string_view text) {
    refused_ = false;
    line_.set(text);
  }
  // True if the key edits the line.
  bool press(const Key& key) { return line_.press(key); }

  // Draws it in at most `width` columns. If `judged`, marks the errors of an illegal text.
  void draw(Canvas& canvas, int row, int column, int width, bool judged) const {
    const Judgement& j = judgement();
    const bool wrong =
        judged && j.kind == Judgement::Kind::refused && (is_move() || typed().is_match_word());
    line_.draw(canvas, row, column, width, Style::text,
               wrong ? std::optional<std::size_t>(j.at) : std::nullopt);
  }

  // Return what the text is, and how far it is a legal ply on the current board.
  const TypedLine& typed() const { return read().typed; }
  const Judgement& judgement() const { return read().judgement; }
  bool is_move() const { return typed().kind == TypedLine::Kind::move; }
  // True if every character is text: after a word that takes a text, or in a command for the
  // server.
  bool takes_text() const {
    using enum TypedWord::Where;
    return typed().kind == TypedLine::Kind::command ||
           ((typed().of(session) || typed().of(server)) && text().find(' ') != std::string::npos);
  }
  // Return the legal plies that `text` can become, and their squares. Empty if there are too many.
  std::vector<std::string> plies_of(std::string_view text) const {
    return completion_.meant(text, kManyPlies);
  }

  std::vector<std::vector<SpotId>> trails_of(std::string_view text) const {
    std::vector<std::vector<SpotId>> out;
    for (const std::string& ply : plies_of(text))
      out.push_back(desk_.match().position().trail(ply));
    return out;
  }

  // True if `text` can become a legal ply.
  bool names_ply(std::string_view text) const {
    return !completion_.meant(text, std::string::npos).empty();
  }

  // Reads the board and its words again after a change.
  void follow() {
    std::vector<std::string> words;
    for (const TypedWord* w : desk_.words_now(Front::screen))
      if (w->where != TypedWord::Where::match) words.emplace_back(w->name);
    read_.reset();
    completion_.reset(desk_.match(), words,
                      [this](std::string_view typed) { return desk_.acting_seat(typed); });
  }

  // Drops the reading of the text: the player's seat may be another now.
  void forget() { read_.reset(); }

  // Completes the text. Returns false if there is nothing to add.
  bool complete(RemoteBoards& server) {
    const std::string typed = text();
    const bool command = desk_.takes_commands() && trim(typed).starts_with(':');
    const std::string whole = command ? complete_last(typed, server) : completion_.complete(typed);
    if (whole == typed) return command;
    line_.set(whole);
    return true;
  }

  // Marks the text as refused by the last key. The next letter starts a new line if it cannot
  // continue the text.
  void refuse() { refused_ = true; }

  // In a refused line, a character starts a new line; the history keeps the old text. Outside of
  // exercises a legal text stays if the character continues it, or cannot begin a move.
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

  // Fetches an entered line: the one before (-1) or after (1) the last fetched one.
  void recall(int step) {
    if (const std::string* line = history_.step(step)) line_.set(*line);
  }
  bool recalled() const { return history_.recalled(); }
  void remember(const std::string& line) { history_.add(line); }
  void settle() { history_.settle(); }    // after a key that fetches no line
  void restart() { history_.restart(); }  // after a key that edits the line

 private:
  static constexpr std::size_t kManyPlies = 64;  // with more plies no square is marked

  struct Read {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };

  const Read& read() const {
    // The cache saves work: one drawing asks several times.
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

// Returns the spots with which all trails begin.
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
