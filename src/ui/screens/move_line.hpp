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
  explicit MoveLine(BoardSession& desk) : session_(desk) {}

  std::string text() const { return line_.text(); }
  bool empty() const { return line_.empty(); }
  void set(std::string_view text) { line_.set_text(text); }
  // True if the key edits the line.
  bool press(const Key& key) { return line_.press(key); }

  // Draws it in at most `width` columns. If `judged`, marks the errors of an illegal text.
  void draw(Canvas& canvas, int row, int column, int width, bool judged) const {
    const Judgement& j = judgement();
    const bool wrong =
        judged && j.kind == Judgement::Kind::refused && (is_move() || typed_line().is_match_word());
    line_.draw(canvas, row, column, width, Style::text,
               wrong ? std::optional<std::size_t>(j.offset) : std::nullopt);
  }

  // Return what the text is, and how far it is a legal ply on the current board.
  const TypedLine& typed_line() const { return parsed().typed; }
  const Judgement& judgement() const { return parsed().judgement; }
  bool is_move() const { return typed_line().kind == TypedLine::Kind::move; }
  // Returns the chat line after a move, as in "BT : well done", or "".
  std::string chat_text() const { return typed_line().chat.value_or(""); }
  // True if every character is text: after a word with a text, in a command, in a chat line.
  bool accepts_text() const {
    using enum TypedWord::Scope;
    return typed_line().kind == TypedLine::Kind::command || typed_line().chat ||
           ((typed_line().has_scope(any_board) || typed_line().has_scope(server_board)) &&
            text().find(' ') != std::string::npos);
  }
  // Return the legal plies that `text` can become, and their squares. Empty if there are too many.
  std::vector<std::string> possible_plies(std::string_view text) const {
    return completion_.possible_plies(text, kMaxPlies);
  }

  std::vector<std::vector<SpotId>> possible_trails(std::string_view text) const {
    std::vector<std::vector<SpotId>> out;
    for (const std::string& ply : possible_plies(text))
      out.push_back(session_.match().position().selected_spots(ply));
    return out;
  }

  // True if `text` can become a legal ply.
  bool can_become_ply(std::string_view text) const {
    return !completion_.possible_plies(text, std::string::npos).empty();
  }

  // Reads the board and its words again after a change.
  void update() {
    std::vector<std::string> words;
    for (const TypedWord* w : session_.available_words(FrontEnd::screen))
      if (w->scope != TypedWord::Scope::match_word) words.emplace_back(w->name);
    parsed_.reset();
    completion_.reset(session_.match(), words,
                      [this](std::string_view typed) { return session_.acting_seat(typed); });
  }

  // Drops the reading of the text: the player's seat may be another now.
  void clear_cache() { parsed_.reset(); }

  // Completes the text. Returns false if there is nothing to add.
  bool complete(RemoteBoards& server) {
    const std::string typed = text();
    const bool command = session_.has_server() && trim(typed).starts_with(':');
    if (!command && accepts_text()) return false;
    const std::string whole =
        command ? complete_last_word(typed, server) : completion_.complete(typed);
    if (whole == typed) return command;
    line_.set_text(whole);
    return true;
  }

  // Marks the text as refused. The next letter starts a new line if it cannot continue the text,
  // unless an editing key comes first.
  void mark_refused() { line_.select(); }
  // True for a refused text and a hint's ply.
  bool is_replaceable() const { return line_.is_selected(); }

  // In a refused line, a character starts a new line; the history keeps the old text. Outside of
  // exercises a legal text stays if the character continues it, or cannot begin a move.
  void restart_if_refused(const Key& key) {
    if (!line_.is_selected() || key.code != Key::Code::character || empty()) return;
    const auto refused = [&](const std::string& text) {
      return completion_.judge(session_.match(), text).kind == Judgement::Kind::refused;
    };
    std::string letter;
    append_utf8(letter, key.value);
    if (is_move() && judgement().kind != Judgement::Kind::refused &&
        session_.exercise_text().empty() && (!refused(text() + letter) || refused(letter)))
      return set(text());
    history_.add(text());
    line_.set_text("");
  }

  // Fetches an entered line: the one before (-1) or after (1) the last fetched one.
  void recall(int step) {
    if (const std::string* line = history_.fetch(step)) line_.set_text(*line);
  }
  bool is_recalled() const { return history_.is_recalled(); }
  void add_to_history(const std::string& line) { history_.add(line); }
  void end_recall() { history_.end_recall(); }  // after a key that fetches no line
  void restart_history() { history_.reset(); }  // after a key that edits the line

 private:
  static constexpr std::size_t kMaxPlies = 64;  // with more plies no square is marked

  struct ParsedLine {
    std::string line;
    TypedLine typed;
    Judgement judgement;
  };

  const ParsedLine& parsed() const {
    // The cache saves work: one drawing asks several times.
    if (std::string line = line_.text(); !parsed_ || line != parsed_->line) {
      TypedLine typed = session_.parse_line(line);
      Judgement judgement = completion_.judge(session_.match(), typed.text);
      judgement.offset += typed.text_offset;
      if (judgement.kind == Judgement::Kind::refused)
        judgement.reason = address_player(judgement.reason, session_.match(), session_.own_seat());
      if (const auto may = session_.check_chat_allowed(); typed.chat && !may) {
        judgement.kind = Judgement::Kind::refused;
        judgement.reason = may.refusal().reason;
      } else if (session_.should_queue(typed)) {
        if (typed.chat && !typed.chat->empty()) {
          judgement.kind = Judgement::Kind::refused;
          judgement.reason = "A queued move takes no chat. To chat, type chat and your text.";
        } else {
          judge_queued(typed, judgement);
        }
      }
      parsed_ = ParsedLine{std::move(line), std::move(typed), std::move(judgement)};
    }
    return *parsed_;
  }

  // Judges a move for the player's next turn.
  void judge_queued(const TypedLine& typed, Judgement& judgement) const {
    const auto fine = session_.check_queueable(typed);
    if (fine) judgement.kind = Judgement::Kind::queueable;
    // The beginning of a word stays partial.
    if (fine || judgement.kind != Judgement::Kind::refused) return;
    judgement.reason = completion_.suggest_word_for(fine.refusal(), typed.text);
    judgement.offset = typed.text_offset + fine.refusal().offset;
    if (fine.refusal().offset >= typed.text.size()) judgement.kind = Judgement::Kind::partial;
  }

  BoardSession& session_;
  LineEditor line_;
  LineHistory history_;
  MoveCompletion completion_;
  mutable std::optional<ParsedLine> parsed_;
};

// Returns the spots with which all trails begin.
inline std::vector<SpotId> common_prefix(const std::vector<std::vector<SpotId>>& trails) {
  if (trails.empty()) return {};
  std::vector<SpotId> common = trails.front();
  for (const std::vector<SpotId>& trail : trails)
    common.erase(std::ranges::mismatch(common, trail).in1, common.end());
  return common;
}

}  // namespace pbm
