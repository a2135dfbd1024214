// SPDX-License-Identifier: MIT
// The checks between Enter and a ply: another player's ply that arrived just before, a question
// that another Enter answers, and the tutor's warning. Leaves playing to board_screen.hpp.
#pragma once

#include "ui/screens/board_model.hpp"
#include "boards/exercises.hpp"
#include "protocol/match_description.hpp"

namespace pbm {

class EnterCheck {
 public:
  using WarnHandler = std::function<void(const std::string&)>;
  // `warn` gets the tutor's warning about a ply that was held back for it.
  EnterCheck(BoardModel& model, WarnHandler warn) : model_(model), warn_(std::move(warn)) {}

  // Returns a notice if the screen must not do what the player typed, while it shows the position
  // `seen`. The notice is empty if a preview shows the ply or the tutor checks it. Returns nothing
  // if the screen may do it.
  std::optional<Notice> check(const TypedLine& typed, const Position& seen) {
    if (auto said = check_new_move(typed)) return said;
    // The player answers the last question by this Enter.
    if (!model_.confirmation || model_.confirmation->text != typed.text)
      if (auto said = ask_which_position(typed, seen); said || (said = ask_confirmation(typed)))
        return said;
    return ask_tutor(typed);
  }

  // Shows the board after the typed ply, or returns why it cannot.
  Notice preview() {
    if (model_.mode_as<ReviewMode>()) model_.mode = TypingMode{};
    const MoveLine& line = model_.line;
    if (line.judgement().kind != Judgement::Kind::complete || !line.is_move())
      return Notice{"Type a legal move first. Then this key shows its effect."};
    model_.confirmation = Confirmation{line.typed_line().text, true};
    return {};
  }

  // Returns, once, a ply that the tutor has approved.
  std::optional<TypedLine> take_approved_ply() {
    return std::exchange(approved_ply_, std::nullopt);
  }
  // Notes that another player has just played here.
  void note_new_move() { new_move_ = NewMove{std::chrono::steady_clock::now()}; }
  // Handles another key than Enter. Without opponents, it shows that the player has seen the last
  // ply of another player. It counts half a second after that ply, or at once after a refusal.
  void note_other_key() {
    if (new_move_ && !model_.session.board().has_opponents() &&
        (new_move_->is_reported || is_old_enough(new_move_->time)))
      new_move_.reset();
  }

 private:
  using OptionalNotice = std::optional<Notice>;
  static constexpr std::chrono::milliseconds kReactionTime{500};  // the fastest reaction to a ply

  static bool is_old_enough(SteadyTime at) {
    return std::chrono::steady_clock::now() - at >= kReactionTime;
  }

  // Refuses an Enter pressed just before another ply arrived: it was meant for the earlier
  // position, because no player reacts so fast. If all seats play at this keyboard, the other ply
  // may even be for the same seat, so time alone is not enough.
  OptionalNotice check_new_move(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const bool plays = typed.kind == TypedLine::Kind::move || typed.is_match_word() ||
                       typed.has_name("redo") || typed.has_name("queue");
    if (!plays || !new_move_ || session.is_trying()) return std::nullopt;
    // The computer's reply is taken back together with the ply before it.
    if (session.is_shared() && (typed.has_name("undo") || typed.has_name("redo")))
      return std::nullopt;
    if ((session.board().has_opponents() || new_move_->is_reported) &&
        is_old_enough(new_move_->time))
      return std::nullopt;
    // Without an opponent, the player must wait before the next Enter counts.
    new_move_->is_reported = true;
    if (!session.board().has_opponents()) new_move_->time = std::chrono::steady_clock::now();
    if (!model_.is_previewing()) model_.confirmation.reset();
    return Notice{"Not played. Look at the position again. " +
                      describe_last_action(model_.match(), session.own_seat()) + " " +
                      session.status(),
                  Style::bad};
  }

  // Asks about a move typed in an earlier position: is it for the current board?
  OptionalNotice ask_which_position(const TypedLine& typed, const Position& seen) {
    const bool word = typed.is_match_word();
    if (!model_.mode_as<ReviewMode>() || (typed.kind != TypedLine::Kind::move && !word))
      return std::nullopt;
    if (word) return ask_about_word(typed);
    const bool now = model_.line.judgement().kind == Judgement::Kind::complete;
    const auto then = seen.parse(typed.text);
    model_.confirmation.reset();
    if (!now && !then) return Notice{then.refusal().reason, Style::bad};
    const ReviewMode* const back = model_.mode_as<ReviewMode>();
    if (const Analysis* known = back->question_analysis(model_); known && then) {
      const std::string& played = model_.match().plies()[back->shown_ply].text;
      const bool right = *then == known->better_line(back->shown_ply + 1).front() ||
                         (*then != played && is_near_best(seen, model_.match().game(), *then));
      if (right) model_.line.set("");
      else model_.line.mark_refused();
      return right
                 ? Notice{"Right. " + known->sentence(back->shown_ply + 1), Style::good}
                 : Notice{*then +
                          " is not the best move. F3 tries it. For the answer, clear the line and "
                          "press Enter."};
    }
    if (now) model_.confirmation = Confirmation{typed.text, false};
    return Notice{(now ? "Enter again plays " + typed.text + " now." : "") +
                  (now && then ? " " : "") + (then ? "F3 tries it from here." : "")};
  }

  // Asks about a word of the match, which is for the current board, or refuses it.
  OptionalNotice ask_about_word(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    model_.confirmation.reset();
    if (const auto seat = session.acting_seat(typed.text))
      if (const auto may = model_.match().validate(*seat, typed.text, now()); !may)
        return Notice{may.refusal().reason, Style::bad};
    // A key leaves the word in the line, so that Enter can answer.
    if (model_.line.typed_line().text != typed.text) {
      if (!model_.line.empty()) model_.line.add_to_history(model_.line.text());
      model_.line.set(typed.text);
    }
    model_.confirmation = Confirmation{typed.text, false};
    const std::string about = session.describe_word(*typed.word);
    return Notice{"Enter again uses " + typed.text + " on the game as it is now" +
                  (about.empty() ? "" : ": " + about) + "."};
  }

  // Asks before a resignation, which undo cannot take back, and before a move is queued. Shows a
  // preview of a ply if the player chose that in the settings.
  OptionalNotice ask_confirmation(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const Match& match = model_.match();
    if (session.should_queue(typed)) {
      if (const auto fine = session.check_queueable(typed); !fine) {
        model_.line.mark_refused();
        return Notice{fine.refusal().reason, Style::bad};
      }
      model_.confirmation = Confirmation{typed.text, false};
      return Notice{session.status() + " Enter again queues " + typed.text + "."};
    }
    const bool giving_up = typed.has_name("resign"),
               ply = model_.preferences.should_confirm && typed.kind == TypedLine::Kind::move;
    if (session.is_trying() || !(giving_up || ply) ||
        model_.line.judgement().kind != Judgement::Kind::complete)
      return std::nullopt;
    if (ply) return preview();
    model_.confirmation = Confirmation{typed.text, false};
    return Notice{match.action_sentence(session.acting_seat(typed.text).value_or(0),
                                        "resigns if you press Enter again. Esc cancels.",
                                        session.own_seat())};
  }

  // Lets the tutor check a ply against the computer. It warns if the ply gives much away.
  OptionalNotice ask_tutor(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const Judgement judgement = model_.line.judgement();
    const std::pair at(model_.match().position(), judgement.text);
    if (!model_.preferences.has_tutor || typed.kind != TypedLine::Kind::move ||
        session.is_trying() || session.board().exercise || !model_.match().has_computer() ||
        !session.check_hint_allowed() || tutored_ply_ == at ||
        judgement.kind != Judgement::Kind::complete)
      return std::nullopt;
    model_.help.check_ply(judgement.text, [this, typed, at](const std::string& warning) {
      if (model_.line.typed_line().text != typed.text || at.first != model_.match().position())
        return;
      tutored_ply_ = at;
      if (warning.empty()) approved_ply_ = typed;
      else warn_(warning + " Enter again plays it anyway.");
    });
    return Notice{};
  }

  BoardModel& model_;
  WarnHandler warn_;
  // The last ply of another player: its time, and true if it has caused a refusal.
  struct NewMove {
    SteadyTime time;
    bool is_reported = false;
  };
  std::optional<NewMove> new_move_;
  // The position and the ply that the tutor has checked.
  std::optional<std::pair<Position, std::string>> tutored_ply_;
  std::optional<TypedLine> approved_ply_;
};

}  // namespace pbm
