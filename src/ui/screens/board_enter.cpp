// SPDX-License-Identifier: MIT
// Enter on a board's screen, the server's answers to it, and the plies of others.
#include "ui/screens/board_screen.hpp"

namespace pbm {

void BoardScreen::enter_line(const TypedLine& line) {
  const TypedLine typed = line;  // a copy: it changes with the line
  if (typed.kind == TypedLine::Kind::empty) {
    if (review_mode() && review_mode()->question_analysis(model_)) return show_mistake(true);
    const std::string task = session().exercise_text();
    // Show a task that was cut in full, once, before the exercise continues.
    if (notice_.empty() && !task.empty() && page_.is_message_cut() &&
        (std::exchange(last_read_text_, task) != task || !session().can_continue_exercise()))
      return request(TextRequest{"", [task](int columns) { return wrap(task, columns); }});
    if (session().can_continue_exercise())
      return show_result(model_.session.continue_exercise(), "");
    notice_.clear();  // shows the task or the state again
    if (!review_mode() && session().can_move() && !match().ending()) start_picking();
    return;
  }
  if (typed.word && typed.word->is_view()) return enter_view_word(typed);
  if (typed.kind == TypedLine::Kind::command)
    return ask_server("", typed.text, [this, typed, &boards = model_.boards]() -> Callback {
      return [this, typed, answer = boards.server().run_command(typed.argument)] {
        handle_answer(answer ? Result(EntryResult::from_answer(*answer)) : answer.refusal(),
                      typed.text);
      };
    });
  if (const Judgement& judged = model_.line.judgement();
      !model_.line.chat_text().empty() && judged.kind == Judgement::Kind::refused) {
    const std::string reason = judged.reason;  // a copy: it changes with the line
    model_.line.mark_refused();
    return show_error(reason);
  }
  // F3 with a move typed in an earlier position tries that move from there.
  const bool tries = typed.has_name("try") && review_mode() && model_.line.is_move();
  const std::string move = tries ? model_.line.typed_line().text : "";
  if (const auto said = enter_check_.check(typed, page_.shown_position())) {
    if (!said->empty()) notice_ = *said;
    return refresh();
  }
  run_typed(typed, session().should_queue(typed));
  if (!move.empty()) enter_line(session().parse_line(move));
}

ScreenRequest BoardScreen::take_request() {
  if (const auto typed = enter_check_.take_approved_ply()) run_typed(*typed, false);
  return Screen::take_request();
}

// Does it at once, or lets the server's task do it on a copy of the session, while the player goes
// on here.
void BoardScreen::run_typed(const TypedLine& typed, bool queue) {
  // "better" is about the mistake of the open question, one ply after the shown position.
  const std::size_t at =
      model_.shown_ply() +
      (review_mode() && review_mode()->question_analysis(model_) && typed.has_name("better"));
  // The line with its chat text, to keep it for another try and in the history.
  const std::string line =
      typed.text + (typed.chat && !typed.chat->empty() ? " : " + *typed.chat : "");
  const auto done = [typed, queue, shown = at](BoardSession& session) {
    return session.enter(typed, shown, queue);
  };
  if (const std::string there = session().id(); !session().needs_server(typed)) {
    show_result(done(model_.session), line);
    if (session().id() != there) notice_ = example_copy_message(session().id());
    return;
  }
  ask_server(session().id(), typed.text,
             [this, done, line, there = session()]() mutable -> Callback {
               auto answer = done(there);
               return [this, line, board = there.board(), answer = std::move(answer)] {
                 model_.session.replace_board(board);
                 handle_answer(answer, line);
                 if (!answer || answer->unsent_line.empty() || !model_.line.empty()) return;
                 model_.line.set(answer->unsent_line);
                 refresh();
               };
             });
}

// Asks the server and empties the line for the next text. `what` is the text that was entered.
void BoardScreen::ask_server(const std::string& board, const std::string& what, Task task) {
  if (pending_request_)
    return show_error("The server has not answered " + model_.pending_text +
                      " yet. Press Esc to give up.");
  model_.pending_text = what;
  pending_request_ = model_.boards.start_task(board, std::move(task));
  if (pending_request_) {
    model_.line.set("");
    set_mode(review_mode() ? BoardMode(*review_mode()) : BoardMode(TypingMode{}));
  }
}

// Keeps the text that the player typed while waiting.
void BoardScreen::handle_answer(const Result<EntryResult>& answer, const std::string& line) {
  model_.pending_text.clear();
  const bool late = std::exchange(pending_request_, nullptr) != nullptr;
  const std::string meanwhile = late ? model_.line.text() : "";
  if (late && !answer && meanwhile.empty()) model_.line.set(line);
  show_result(answer, line);
  if (meanwhile.empty()) return;
  if (!answer) model_.line.add_to_history(line);
  model_.line.set(meanwhile);
  drop_late_move();
  refresh();
}

// After the end the keys are letters, which a move that was not entered would hide.
void BoardScreen::drop_late_move() {
  const TypedLine typed = model_.line.typed_line();
  // While the player tries moves or looks back, a typed move is for a tried line.
  if (review_mode() || session().is_trying() || !match().ending() ||
      typed.kind != TypedLine::Kind::move || typed.is_match_word() || typed.chat ||
      model_.line.empty())
    return;
  model_.line.add_to_history(model_.line.text());
  model_.line.set("");
}

// Shows the result of entering a line, which may end with a chat text.
void BoardScreen::show_result(const Result<EntryResult>& entered, const std::string& line) {
  const std::string typed = session().parse_line(line).text;
  const PickingMode* const picking = model_.mode_as<PickingMode>();
  const bool by_hand = picking && picking->is_used();
  const bool past = review_mode() != nullptr;
  const std::size_t shown = model_.shown_ply();
  if (past && session().is_trying() && !review_before_trial_) review_before_trial_ = *review_mode();
  if (entered) model_.line.set("");
  // After a take-back the player can look at the position: no computer plays at once.
  if (entered && session().parse_line(typed).has_name("undo") && model_.is_watching_computers())
    model_.is_paused = true;
  // A typed or picked move is marked already, so its animation begins with the captures.
  using enum PlyMotion::Frame;
  handle_match_change(session().parse_line(typed).kind == TypedLine::Kind::move ? captures : path);
  if (!entered) {
    if (past) show_ply(shown);
    // In an exercise the player can pick another move at once.
    if (by_hand && session().board().exercise) {
      model_.line.set("");
      start_picking();
    }
    model_.line.mark_refused();
    // If undo or redo by key is refused, a pending ply in the line stays the pending one.
    if (pending_ply_.empty() && model_.boards.server().has_pending(session().id()))
      pending_ply_ = line;
    const bool asked_again = pending_ply_ == line && model_.line.text() == line;
    // The beginning of a word, or of another spelling of a move, is incomplete, not wrong. A text
    // as long as a move can be both: "BO", if column B is full, and the beginning of "boards".
    const Judgement& said = model_.line.judgement();
    const bool begun = !said.continuations.empty() && said.kind == Judgement::Kind::partial &&
                       entered.refusal().offset == 0;
    const Position& position = model_.match().position();
    const auto move = position.parse(typed);
    const bool may_be_move =
        begun && !move && std::ranges::any_of(position.legal_plies(), [&](const std::string& ply) {
          return ply.size() == typed.size();
        });
    const std::string more = begun ? first_words(said.continuations, 12) : "";
    return show_error((!begun        ? entered.refusal().reason
                       : may_be_move ? move.refusal().reason + " Or type " + more + "."
                                     : "More is needed: " + more) +
                      (asked_again ? " Change the line to cancel it." : ""));
  }
  if (!line.empty()) model_.line.add_to_history(line);
  notice_ = entered->message;
  // A queued answer to a move may have ended the game.
  if (!notice_.empty() && entered->has_played && match().ending() &&
      !session().parse_line(line).is_match_word() &&
      notice_.text.find(session().status()) == std::string::npos)
    notice_.text += " " + session().status();
  if (!notice_.empty() && entered->has_played && session().can_rematch())
    notice_.text += " Press r for a rematch.";
  if (entered->has_played) offer_tutor();
  if (!entered->board_to_open.empty()) return request(result_request(*entered));
  // After a note the player stays at this ply. The save may have changed to a shorter game.
  if (past && !entered->has_played && !session().is_trying()) show_ply(shown);
  if (!entered->text.empty()) return request(wrapped_text_request(entered->text));
  // A player who used the cursor gets it again.
  if (by_hand && entered->has_played) {
    model_.has_used_cursor = true;
    if (session().can_move() && !session().can_continue_exercise()) start_picking();
  }
}

// Runs a word that changes neither the board nor the mode.
void BoardScreen::enter_view_word(const TypedLine& typed) {
  const auto done = model_.session.enter(typed, model_.shown_ply());
  // A word entered by its key keeps the typed text.
  if ((done || typed.word) && model_.line.typed_line().text == typed.text) {
    model_.line.set("");
    refresh();
  }
  if (!done) return show_error(done.refusal().reason);
  notice_ = done->message;
  if (done->ply_to_show) show_ply(*done->ply_to_show);
  if (done->field) return choose_field(*done->field);
  if (done->should_flip) return turn_board();
  if (done->help_kind) {
    if (done->help_kind == HelpKind::hint && review_mode()) set_mode(TypingMode{});
    return model_.help.request(*done->help_kind, done->help_ply);
  }
  if (std::get_if<BackRequest>(&done->request)) return go_back();
  if (std::get_if<RecordRequest>(&done->request)) {
    const auto named = std::make_shared<const Match>(session().match_for_others(match()));
    return request(TextRequest{
        .text = record_text(*named, page_.view()),
        .picture = PictureRequest{named, model_.shown_ply(), page_.view(), session().id()}});
  }
  request(result_request(*done));
}

void BoardScreen::save_field() {
  model_.session.set_field(page_.view().drawing_style);
  if (session().board().has_all_seats()) return;
  model_.boards.start_task(
      pending_field_save_, session().id(),
      [there = session(), field = page_.view().drawing_style] { return there.save_field(field); },
      [this](const Result<Success>& kept) {
        if (!kept) show_error(kept.refusal().reason);
      },
      Priority::display);
}

bool BoardScreen::boards_changed() {
  should_refresh_again_ = pending_refresh_ != nullptr;
  if (should_refresh_again_) return false;
  model_.boards.start_task(
      pending_refresh_, session().id(),
      [id = session().id(), &boards = model_.boards] { return boards.open(id); },
      [this](const Result<Board>& fresh) {
        needs_attention_ = update_board(fresh) || needs_attention_;
        if (std::exchange(should_refresh_again_, false))
          needs_attention_ = boards_changed() || needs_attention_;
      },
      Priority::display);
  return take_attention();
}

// Shows what others have done on the board. True if the player's attention is needed.
bool BoardScreen::update_board(const Result<Board>& fresh) {
  const Board& board = session().board();
  const std::size_t before = board.match.plies().size();
  const bool ran = !board.match.ending();
  const BoardSession::BoardChanges meanwhile = model_.session.update(fresh);
  model_.line.clear_cache();  // the player's seat may be another now
  update_field();
  // After the game, the chat also has the lines that watchers wrote during it.
  if (ran && board.match.ending()) model_.chat.request_all_lines();
  else if (board.remote && board.remote->unread_count > 0) model_.chat.request_new_lines();
  has_news_notice_ = false;
  clear_played_ply(before);
  if (meanwhile.text.empty()) return false;
  if (meanwhile.has_other_changes) {
    const std::string only = forced_ply_message(model_);
    show_notice(only.empty() ? meanwhile.text : only + " " + meanwhile.text, Style::good);
  }
  has_news_notice_ = meanwhile.has_other_changes;
  if (session().is_trying()) return meanwhile.has_other_changes;  // the trial goes on
  // An offer changes neither the position nor the mode.
  if (!meanwhile.has_new_position) {
    model_.line.update();
    update_computer_seats();
    return meanwhile.has_other_changes;
  }
  const auto past = review_mode() ? std::optional(*review_mode()) : std::nullopt;
  handle_match_change();
  if (past && past->shown_ply < match().plies().size()) continue_review(*past);
  else if (match().ending() && !meanwhile.changed_level.empty())
    show_notice(session().status() + " " + meanwhile.changed_level, Style::turn);
  else if (match().ending()) notice_.clear();  // the line below shows the result
  if (ran) drop_late_move();
  if (ran) offer_tutor();
  // The player's own ply was queued, or was sent again: it needs no check.
  if (meanwhile.has_other_changes) enter_check_.note_new_move();
  return meanwhile.has_other_changes;
}

// Keeps an earlier position on the screen after others have played.
void BoardScreen::continue_review(const ReviewMode& before) {
  const std::size_t plies = match().plies().size(), known = before.known_plies;
  const std::string what = plies > known ? format_count(plies - known, "new move", "new moves")
                                         : "The board has changed";
  notice_ = what + ", End shows " + (plies > known + 1 ? "them." : "it.") +
            (notice_.empty() ? "" : " " + notice_.text);
  model_.ply_motion.stop();
  set_mode(before);
}

// Clears a pending ply from the line after the server has played it.
void BoardScreen::clear_played_ply(std::size_t before) {
  if (pending_ply_.empty() || model_.boards.server().has_pending(session().id())) return;
  const Board& board = session().board();
  const auto& plies = board.match.plies();
  const std::string ply = session().parse_line(pending_ply_).text;
  const bool played =
      is_match_word(ply) || (plies.size() > before && plies[before].seat == board.acting_seat(ply));
  if (played && trim(model_.line.text()) == pending_ply_) model_.line.set("");
  pending_ply_.clear();
}

// Cancels a pending ply if the player has changed the line in any way.
void BoardScreen::cancel_pending_unless(const std::string& before) {
  if (pending_ply_.empty() || model_.line.text() == before || trim(before) != pending_ply_) return;
  model_.boards.server().forget_pending(session().id());
  pending_ply_.clear();
}

}  // namespace pbm
