// SPDX-License-Identifier: MIT
// The checks between Enter and a ply: another player's ply that arrived just before, a question
// that another Enter answers, and the tutor's warning. Leaves playing to board_screen.hpp.
#pragma once

#include "ui/screens/board_model.hpp"
#include "boards/exercises.hpp"
#include "protocol/telling.hpp"

namespace pbm {

class EnterCheck {
 public:
  using Warn = std::function<void(const std::string&)>;
  // `warn` gets the tutor's warning about a ply that was held back for it.
  EnterCheck(BoardModel& model, Warn warn) : model_(model), warn_(std::move(warn)) {}

  // Returns a notice if the screen must not do what the player typed, while it shows the position
  // `seen`. The notice is empty if a preview shows the ply or the tutor checks it. Returns nothing
  // if the screen may do it.
  std::optional<Notice> stops(const TypedLine& typed, const Position& seen) {
    if (auto said = holds_back(typed)) return said;
    // The player answers the last question by this Enter.
    if (!model_.confirming || model_.confirming->about != typed.text)
      if (auto said = asks_where(typed, seen); said || (said = asks_first(typed))) return said;
    return tutors(typed);
  }

  // Shows the board after the typed ply, or returns why it cannot.
  Notice preview() {
    if (model_.doing<LookingBack>()) model_.mode = Typing{};
    const MoveLine& line = model_.line;
    if (line.judgement().kind != Judgement::Kind::complete || !line.is_move())
      return Notice{"Type a legal move first: then this shows what it would do."};
    model_.confirming = Confirming{line.typed().text, true};
    return {};
  }

  // Returns, once, a ply that the tutor has approved.
  std::optional<TypedLine> take_approved() { return std::exchange(approved_, std::nullopt); }
  // Notes that another player has just played here.
  void overtake() { overtaken_ = Overtaken{std::chrono::steady_clock::now()}; }
  // Handles another key than Enter. Without opponents, it shows that the player has seen the last
  // ply of another player. It counts half a second after that ply, or at once after a refusal.
  void answer() {
    if (overtaken_ && !model_.session.board().has_opponents() &&
        (overtaken_->told || is_seen(overtaken_->at)))
      overtaken_.reset();
  }

 private:
  using Said = std::optional<Notice>;
  static constexpr std::chrono::milliseconds kSight{500};  // the fastest reaction to a ply

  static bool is_seen(Moment at) { return std::chrono::steady_clock::now() - at >= kSight; }

  // Refuses an Enter pressed just before another ply arrived: it was meant for the earlier
  // position, because no player reacts so fast. If all seats play at this keyboard, the other ply
  // may even be for the same seat, so time alone is not enough.
  Said holds_back(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const bool plays = typed.kind == TypedLine::Kind::move || typed.is_match_word() ||
                       typed.is("redo") || typed.is("queue");
    if (!plays || !overtaken_ || session.trying()) return std::nullopt;
    // The computer's reply is taken back together with the ply before it.
    if (session.shared() && (typed.is("undo") || typed.is("redo"))) return std::nullopt;
    if ((session.board().has_opponents() || overtaken_->told) && is_seen(overtaken_->at))
      return std::nullopt;
    // Without an opponent, the player must wait before the next Enter counts.
    overtaken_->told = true;
    if (!session.board().has_opponents()) overtaken_->at = std::chrono::steady_clock::now();
    if (!model_.previews()) model_.confirming.reset();
    return Notice{"Not played: look at the position again. " + told_of_last(model_.match()) + " " +
                      model_.match().standing(),
                  Style::bad};
  }

  // Asks about a move typed in an earlier position: is it for the current board?
  Said asks_where(const TypedLine& typed, const Position& seen) {
    const bool word = typed.is_match_word();
    if (!model_.doing<LookingBack>() || (typed.kind != TypedLine::Kind::move && !word))
      return std::nullopt;
    const bool now = word || model_.line.judgement().kind == Judgement::Kind::complete;
    const auto then = word ? Result<std::string>(Refusal{""}) : seen.parse(typed.text);
    model_.confirming.reset();
    if (!now && !then) return Notice{then.refusal().why, Style::bad};
    const LookingBack* const back = model_.doing<LookingBack>();
    if (const Analysis* known = back->asked(model_); known && then) {
      const std::string& played = model_.match().plies()[back->ply].text;
      const bool right = *then == known->better(back->ply + 1).front() ||
                         (*then != played && is_about_best(seen, model_.match().game(), *then));
      if (right) model_.line.set("");
      else model_.line.refuse();
      return right ? Notice{"Right. " + known->sentence(back->ply + 1), Style::good}
                   : Notice{*then +
                            " is not what the computer found. F3 tries it; clear the line, and "
                            "Enter tells."};
    }
    if (now) model_.confirming = Confirming{typed.text, false};
    return Notice{(now ? "Enter again: " + typed.text + " on the board as it is now." : "") +
                  (now && then ? " " : "") + (then ? "F3: try it from here." : "")};
  }

  // Asks before a resignation, which undo cannot take back, and before a move is queued. Shows a
  // preview of a ply if the player chose that in the settings.
  Said asks_first(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const Match& match = model_.match();
    if (session.would_queue(typed)) {
      model_.confirming = Confirming{typed.text, false};
      return Notice{match.standing() + " Enter again keeps " + typed.text + " for yours."};
    }
    const bool giving_up = typed.is("resign"),
               ply = model_.preferences.confirm && typed.kind == TypedLine::Kind::move;
    if (session.trying() || !(giving_up || ply) ||
        model_.line.judgement().kind != Judgement::Kind::complete)
      return std::nullopt;
    if (ply) return preview();
    model_.confirming = Confirming{typed.text, false};
    return Notice{match.player(session.acting_seat(typed.text).value_or(0)) +
                  " gives the game up: Enter again does it, Esc does not."};
  }

  // Lets the tutor check a ply against the computer. It warns if the ply gives much away.
  Said tutors(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const Judgement judgement = model_.line.judgement();
    const auto now = [this] { return model_.match().plies().size(); };
    const std::pair at(now(), judgement.text);
    if (!model_.preferences.tutor || typed.kind != TypedLine::Kind::move || session.trying() ||
        session.board().exercise || !model_.match().has_computer() || !session.may_have_hint() ||
        looked_at_ == at || judgement.kind != Judgement::Kind::complete)
      return std::nullopt;
    model_.help.weigh(judgement.text, [this, typed, at, now](const std::string& warning) {
      if (model_.line.typed().text != typed.text || at.first != now()) return;
      looked_at_ = at;
      if (warning.empty()) approved_ = typed;
      else warn_(warning + " Enter again plays it all the same.");
    });
    return Notice{};
  }

  BoardModel& model_;
  Warn warn_;
  // The last ply of another player: its time, and true if it has caused a refusal.
  struct Overtaken {
    Moment at;
    bool told = false;
  };
  std::optional<Overtaken> overtaken_;
  // The number of plies and the ply that the tutor has checked.
  std::pair<std::size_t, std::string> looked_at_;
  std::optional<TypedLine> approved_;
};

}  // namespace pbm
