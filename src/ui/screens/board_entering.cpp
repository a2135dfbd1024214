// SPDX-License-Identifier: MIT
// Enter on a board's screen, the server's answers to it, and the plies of others.
#include "ui/screens/board_screen.hpp"

namespace pbm {

void BoardScreen::enter(const TypedLine& line) {
  const TypedLine typed = line;  // a copy: it changes with the line
  if (typed.kind == TypedLine::Kind::nothing) {
    if (back() && back()->asked(model_)) return show_mistake(true);
    const std::string task = session().task();
    // Show a task that was cut in full, once, before the exercise continues.
    if (notice_.empty() && !task.empty() && page_.is_cut() &&
        (std::exchange(read_task_, task) != task || !session().may_go_on()))
      return request(ReadText{"", [task](int columns) { return wrap(task, columns); }});
    if (session().may_go_on()) return entered(model_.session.go_on(model_.preferences.name), "");
    notice_.clear();  // shows the task or the state again
    if (!back() && session().may_move() && !match().ending()) start_picking();
    return;
  }
  if (typed.word && typed.word->views()) return look(typed);
  if (typed.kind == TypedLine::Kind::command)
    return ask("", typed.text, [this, typed, &boards = model_.boards]() -> Callback {
      return [this, typed, answer = boards.server().command(typed.rest)] {
        answered(answer ? Result(Entered::of(*answer)) : answer.refusal(), typed.text);
      };
    });
  // F3 with a move typed in an earlier position tries that move from there.
  const bool tries = typed.is("try") && back() && model_.line.is_move();
  const std::string move = tries ? model_.line.typed().text : "";
  if (const auto said = check_.stops(typed, page_.seen())) {
    if (!said->empty()) notice_ = *said;
    return refresh();
  }
  do_typed(typed, session().would_queue(typed));
  if (!move.empty()) enter(session().read(move));
}

ScreenRequest BoardScreen::take_request() {
  if (const auto typed = check_.take_approved()) do_typed(*typed, false);
  return Screen::take_request();
}

// Does it at once, or lets the server's task do it on a copy of the session, while the player goes
// on here.
void BoardScreen::do_typed(const TypedLine& typed, bool queue) {
  // "better" is about the mistake of the open question, one ply after the shown position.
  const std::size_t at = model_.shown() + (back() && back()->asked(model_) && typed.is("better"));
  const auto done = [typed, queue, shown = at](BoardSession& session) {
    return queue ? session.queue(typed.text) : session.enter(typed, shown);
  };
  if (const std::string there = session().id(); !session().asks_server(typed)) {
    entered(done(model_.session), typed.text);
    if (session().id() != there) notice_ = told_of_copy(session().id());
    return;
  }
  ask(session().id(), typed.text, [this, done, typed, there = session()]() mutable -> Callback {
    auto answer = done(there);
    return [this, typed, board = there.board(), answer = std::move(answer)] {
      model_.session.take(board);
      answered(answer, typed.text);
    };
  });
}

// Asks the server and empties the line for the next text. `what` is the text that was entered.
void BoardScreen::ask(const std::string& board, const std::string& what, Task task) {
  if (asking_)
    return complain("The server is still asked for " + model_.asked_for + ": Esc gives that up.");
  model_.asked_for = what;
  asking_ = model_.boards.ask(board, std::move(task));
  if (asking_) {
    model_.line.set("");
    go_on(back() ? BoardMode(*back()) : BoardMode(Typing{}));
  }
}

// Keeps the text that the player typed while waiting.
void BoardScreen::answered(const Result<Entered>& answer, const std::string& typed) {
  model_.asked_for.clear();
  const bool late = std::exchange(asking_, nullptr) != nullptr;
  const std::string meanwhile = late ? model_.line.text() : "";
  if (late && !answer && meanwhile.empty()) model_.line.set(typed);
  entered(answer, typed);
  if (meanwhile.empty()) return;
  if (!answer) model_.line.remember(typed);
  model_.line.set(meanwhile);
  refresh();
}

// Shows the result of entering a line.
void BoardScreen::entered(const Result<Entered>& entered, const std::string& typed) {
  const Picking* const picking = model_.doing<Picking>();
  const bool by_hand = picking && picking->used();
  const bool past = back() != nullptr;
  const std::size_t shown = model_.shown();
  if (past && session().trying() && !tried_at_) tried_at_ = *back();
  if (entered) model_.line.set("");
  // After a take-back the player can look at the position: no computer plays at once.
  if (entered && session().read(typed).is("undo") && model_.watches_computers())
    model_.paused = true;
  // A typed or picked move is marked already, so its animation begins with the captures.
  using enum PlyMotion::Frame;
  changed(session().read(typed).kind == TypedLine::Kind::move ? taken : way);
  if (!entered) {
    if (past) show_ply(shown);
    // In an exercise the player can pick another move at once.
    if (by_hand && session().board().exercise) {
      model_.line.set("");
      start_picking();
    }
    model_.line.refuse();
    // If undo or redo by key is refused, a pending ply in the line stays the pending one.
    if (sent_.empty() && model_.boards.server().pending(session().id())) sent_ = typed;
    const bool asked_again = sent_ == typed && model_.line.text() == typed;
    // The beginning of a word, or of another spelling of a move, is incomplete, not wrong.
    const Judgement& said = model_.line.judgement();
    const bool begun = said.kind == Judgement::Kind::partial && entered.refusal().at == 0;
    return complain(
        (begun ? "More is needed: " + first_words(said.next, 12) : entered.refusal().why) +
        (asked_again ? " Change the line to call it off." : ""));
  }
  if (!typed.empty()) model_.line.remember(typed);
  notice_ = entered->told;
  if (!entered->open.empty()) return request(GoToBoard{entered->open, entered->told});
  // After a note the player stays at this ply. The save may have changed to a shorter game.
  if (past && !entered->played && !session().trying()) show_ply(shown);
  if (!entered->text.empty())
    return request(session().read(typed).is("talk") ? read_wrapped(entered->text)
                                                    : ReadText{entered->text});
  // A player who used the cursor gets it again.
  if (by_hand && entered->played) {
    model_.played_by_hand = true;
    if (session().may_move() && !session().may_go_on()) start_picking();
  }
}

// Runs a word that changes neither the board nor the mode.
void BoardScreen::look(const TypedLine& typed) {
  const auto done = model_.session.enter(typed, model_.shown());
  // A word entered by its key keeps the typed text.
  if ((done || typed.word) && model_.line.typed().text == typed.text) {
    model_.line.set("");
    refresh();
  }
  if (!done) return complain(done.refusal().why);
  notice_ = done->told;
  if (done->show) show_ply(*done->show);
  if (done->field) return draw_field(*done->field);
  if (done->turn) return turn();
  if (done->help) {
    if (done->help == Help::hint && back()) go_on(Typing{});
    return model_.help.ask(*done->help, done->about);
  }
  if (std::get_if<GoBack>(&done->go)) return go_back();
  if (std::get_if<ReadRecord>(&done->go))
    return request(ReadText{record_text(match(), page_.view())});
  request(request_of(*done));
}

void BoardScreen::keep_field() {
  model_.session.set_field(page_.view().field);
  if (session().board().shared()) return;
  model_.boards.ask(
      keeping_, session().id(),
      [there = session(), field = page_.view().field] { return there.keep_field(field); },
      [this](const Result<Done>& kept) {
        if (!kept) complain(kept.refusal().why);
      },
      Priority::picture);
}

bool BoardScreen::boards_changed() {
  refresh_again_ = refreshing_ != nullptr;
  if (refresh_again_) return false;
  model_.boards.ask(
      refreshing_, session().id(),
      [id = session().id(), &boards = model_.boards] { return boards.open(id); },
      [this](const Result<Board>& fresh) {
        calls_ = see(fresh) || calls_;
        if (std::exchange(refresh_again_, false)) calls_ = boards_changed() || calls_;
      },
      Priority::picture);
  return take_attention();
}

// Shows what others have done on the board. True if the player's attention is needed.
bool BoardScreen::see(const Result<Board>& fresh) {
  const Board& board = session().board();
  const std::size_t before = board.match.plies().size();
  const bool ran = !board.match.ending();
  const BoardSession::Meanwhile meanwhile = model_.session.see(fresh);
  model_.line.forget();  // the player's seat may be another now
  follow_field();
  // After the game, the chat also has the lines that watchers wrote during it.
  if (ran && board.match.ending()) model_.talk.ask_all();
  else if (board.remote && board.remote->unread > 0) model_.talk.ask();
  just_told_ = false;
  settle_sent(before);
  if (meanwhile.told.empty()) return false;
  if (meanwhile.done) {
    const std::string only = forced(model_);
    say(only.empty() ? meanwhile.told : only + " " + meanwhile.told, Style::good);
  }
  just_told_ = meanwhile.done;
  if (session().trying()) return meanwhile.done;  // the trial goes on
  // An offer changes neither the position nor the mode.
  if (!meanwhile.played) {
    model_.line.follow();
    attend();
    return meanwhile.done;
  }
  const auto past = back() ? std::optional(*back()) : std::nullopt;
  changed();
  if (past && past->ply < match().plies().size()) look_on(*past);
  else if (match().ending()) notice_.clear();  // the line below shows the result
  // The player's own ply was queued, or was sent again: it needs no check.
  if (meanwhile.done) check_.overtake();
  return meanwhile.done;
}

// Keeps an earlier position on the screen after others have played.
void BoardScreen::look_on(const LookingBack& before) {
  const std::size_t plies = match().plies().size(), known = before.known;
  const std::string what =
      plies > known ? count_of(plies - known, "new move", "new moves") : "The board has changed";
  notice_ = what + ", End shows " + (plies > known + 1 ? "them." : "it.") +
            (notice_.empty() ? "" : " " + notice_.text);
  model_.motion.end();
  go_on(before);
}

// Clears a pending ply from the line after the server has played it.
void BoardScreen::settle_sent(std::size_t before) {
  if (sent_.empty() || model_.boards.server().pending(session().id())) return;
  const Board& board = session().board();
  const auto& plies = board.match.plies();
  const bool played = is_match_word(sent_) ||
                      (plies.size() > before && plies[before].seat == board.acting_seat(sent_));
  if (played && trim(model_.line.text()) == sent_) model_.line.set("");
  sent_.clear();
}

// Cancels a pending ply if the player has changed the line in any way.
void BoardScreen::call_off_unless(const std::string& before) {
  if (sent_.empty() || model_.line.text() == before || trim(before) != sent_) return;
  model_.boards.server().forget(session().id());
  sent_.clear();
}

}  // namespace pbm
