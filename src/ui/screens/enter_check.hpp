// SPDX-License-Identifier: MIT
// What stands between Enter and the game: a ply that came meanwhile, a question that another Enter
// answers, the computer's warning. Leaves doing what is typed to board_screen.hpp.
#pragma once

#include "ui/screens/board_model.hpp"
#include "boards/exercises.hpp"
#include "protocol/telling.hpp"

namespace pbm {

class EnterCheck {
 public:
  using Warn = std::function<void(const std::string&)>;
  // `warn` hears what the tutor says of a ply that Enter has not played for it.
  EnterCheck(BoardModel& model, Warn warn) : model_(model), warn_(std::move(warn)) {}

  // What is said in place of doing what is typed, while the position `seen` is shown; nothing where
  // it is to be done. An empty one: the board shows what it would do, or the tutor looks at it.
  std::optional<Notice> stops(const TypedLine& typed, const Position& seen) {
    if (auto said = holds_back(typed)) return said;
    // What Enter has asked of it is answered by this one.
    if (!model_.confirming || model_.confirming->about != typed.text)
      if (auto said = asks_where(typed, seen); said || (said = asks_first(typed))) return said;
    return tutors(typed);
  }

  // Has the board show what a ply would do; else says why it cannot.
  Notice preview() {
    if (model_.doing<LookingBack>()) model_.mode = Typing{};
    const MoveLine& line = model_.line;
    if (line.judgement().kind != Judgement::Kind::complete || !line.is_move())
      return Notice{"Type a legal move first: then this shows what it would do."};
    model_.confirming = Confirming{line.typed().text, true};
    return {};
  }

  // What the tutor has nothing against, once.
  std::optional<TypedLine> take_approved() { return std::exchange(approved_, std::nullopt); }
  // Somebody else has just played here.
  void overtake() { overtaken_ = Overtaken{std::chrono::steady_clock::now()}; }
  // Another key than Enter: it shows that the ply somebody else made was seen, when it is pressed a
  // while after that came, or after the refusal that speaks of it.
  void answer() {
    if (overtaken_ && !model_.session.board().has_opponents() &&
        (overtaken_->told || is_seen(overtaken_->at)))
      overtaken_.reset();
  }

 private:
  using Said = std::optional<Notice>;
  static constexpr std::chrono::milliseconds kSight{500};  // nobody has answered a ply sooner

  static bool is_seen(Moment at) { return std::chrono::steady_clock::now() - at >= kSight; }

  // An Enter that was on its way when another ply came was meant for the position
  // before it: nobody has seen and answered this one so soon. Where all seats are at
  // this keyboard that ply may have been for the very seat that was typed for.
  Said holds_back(const TypedLine& typed) {
    const BoardSession& session = model_.session;
    const bool plays = typed.kind == TypedLine::Kind::move || typed.is_match_word() ||
                       typed.is("redo") || typed.is("queue");
    if (!plays || !overtaken_ || session.trying()) return std::nullopt;
    // The computer's answer is taken back together with what it was an answer to.
    if (session.shared() && (typed.is("undo") || typed.is("redo"))) return std::nullopt;
    if ((session.board().has_opponents() || overtaken_->told) && is_seen(overtaken_->at))
      return std::nullopt;
    // Without an opponent the next Enter, if it comes a while later, shows that this was read.
    overtaken_->told = true;
    if (!session.board().has_opponents()) overtaken_->at = std::chrono::steady_clock::now();
    if (!model_.previews()) model_.confirming.reset();
    return Notice{"Not played: look at the position again. " + told_of_last(model_.match()) + " " +
                      model_.match().standing(),
                  Style::bad};
  }

  // Where an earlier ply is looked at: is a move for the board as it is now?
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

  // Always for giving up, which no undo brings back, and for what waits for one's turn, as the line
  // is kept until it is meant for that; for plies where that was chosen.
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

  // The computer first looks at a ply against itself, and asks where that gives much away.
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
  // When somebody else last played here, and whether a ply was held back for that.
  struct Overtaken {
    Moment at;
    bool told = false;
  };
  std::optional<Overtaken> overtaken_;
  // The ply that the tutor has looked at, with how many came before it.
  std::pair<std::size_t, std::string> looked_at_;
  std::optional<TypedLine> approved_;
};

}  // namespace pbm
