// SPDX-License-Identifier: MIT
// A board's screen: what Enter does with the line, at once or when a server has
// answered, and what others have done meanwhile.
#include "game/record.hpp"
#include "ui/screens/board_screen.hpp"

namespace pbm {

namespace {
constexpr std::chrono::milliseconds kSight{500};  // nobody has seen and answered a ply sooner
}  // namespace

ScreenRequest BoardScreen::enter(const TypedLine& line) {
  const TypedLine typed = line;  // which is read anew when the line changes
  if (typed.kind == TypedLine::Kind::nothing) {
    if (desk_.may_go_on()) return entered(desk_.go_on(), "");
    // What is asked for may be longer than there is room for.
    if (!desk_.task().empty())
      return ReadText{"", [task = desk_.task()](int columns) { return wrap(task, columns); }};
    return {};
  }
  if (typed.kind == TypedLine::Kind::number || (typed.word && typed.word->views()))
    return look(typed);
  if (typed.kind == TypedLine::Kind::command) return send_command(typed);
  if (is_held_back(typed) || asks_first(typed)) return {};
  return do_typed(typed, desk_.would_queue(typed));
}

// An Enter that was on its way when another ply came was meant for the position
// before it: nobody has seen and answered this one so soon. Where all seats are at
// this keyboard that ply may have been for the very seat that was typed for.
bool BoardScreen::is_held_back(const TypedLine& typed) {
  const bool plays = typed.kind == TypedLine::Kind::move || typed.is_match_word() ||
                     typed.is("redo") || typed.is("queue");
  if (!plays || !overtaken_ || desk_.trying()) return false;
  // The computer's answer is taken back together with what it was an answer to.
  if (desk_.shared() && (typed.is("undo") || typed.is("redo"))) return false;
  if (desk_.board().has_opponents() && std::chrono::steady_clock::now() - overtaken_->at >= kSight)
    return false;
  overtaken_->told = true;
  complain("Not played: look at the position again. " + told_of_last(match()) + " " +
           match().standing());
  return true;
}

// A key shows that the ply somebody else made was seen: one that was pressed a
// while after it came, or after the refusal that speaks of it.
void BoardScreen::answer_overtaking() {
  if (overtaken_ && !desk_.board().has_opponents() &&
      (overtaken_->told || std::chrono::steady_clock::now() - overtaken_->at >= kSight))
    overtaken_.reset();
}

// Whether Enter only shows what it would do, and a second one does it: always for giving
// up, which no undo brings back, and for what waits for one's turn, as the line is kept
// until it is meant for that; for plies where that was chosen.
bool BoardScreen::asks_first(const TypedLine& typed) {
  if (confirming_ && confirming_->about == typed.text) return false;
  if (desk_.would_queue(typed)) {
    confirming_ = Confirming{typed.text, false};
    notice_ = match().standing() + " Enter again queues " + typed.text + " for yours.";
    return true;
  }
  const bool giving_up = typed.is("resign"),
             ply = preferences_.confirm && typed.kind == TypedLine::Kind::move;
  if (desk_.trying() || !(giving_up || ply) || judgement().kind != Judgement::Kind::complete)
    return false;
  confirming_ = Confirming{typed.text, ply};
  if (ply) {
    if (doing<LookingBack>()) mode_ = Typing{};
    refresh_view();
  } else {
    notice_ = match().player(desk_.acting_seat(typed.text).value_or(0)) +
              " gives the game up: Enter again does it, any other key goes back.";
  }
  return true;
}

ScreenRequest BoardScreen::do_typed(const TypedLine& typed, bool queue) {
  const auto done = [typed, queue, shown = shown()](BoardSession& desk) {
    return queue ? desk.queue(typed.text) : desk.enter(typed, shown);
  };
  return desk_.asks_server(typed) ? have_done(typed.text, done) : entered(done(desk_), typed.text);
}

// Whether another answer is waited for, which is told then.
bool BoardScreen::still_asks() {
  if (asking_) complain("The server is still asked for " + asked_for_ + ": Esc gives that up.");
  return asking_ != nullptr;
}

// Has it done by another one at the same board, who can wait while this one goes on.
ScreenRequest BoardScreen::have_done(const std::string& what,
                                     const std::function<Result<Entered>(BoardSession&)>& done) {
  if (still_asks()) return {};
  asked_for_ = what;
  asking_ = boards_.ask(desk_.id(),
                        [this, done, what, desk = desk_](Boards& boards) mutable -> Boards::Then {
                          desk.sit_at(boards);
                          auto answer = done(desk);
                          return [this, what, board = desk.board(), answer = std::move(answer)] {
                            desk_.take(board);
                            later_ = answered(answer, what);
                          };
                        });
  return asked();
}

// What it does on this board is seen as what others do there is.
ScreenRequest BoardScreen::send_command(const TypedLine& typed) {
  if (still_asks()) return {};
  asked_for_ = typed.text;
  asking_ = boards_.ask(
      "", [this, text = typed.text, command = typed.rest](Boards& boards) -> Boards::Then {
        return [this, text, answer = boards.server().command(command)] {
          later_ = answered(answer ? Result(Entered::of(*answer)) : answer.refusal(), text);
        };
      });
  return asked();
}

// While the answer is waited for, the line is for what comes next.
ScreenRequest BoardScreen::asked() {
  if (asking_) {
    line_.set("");
    const LookingBack* const back = doing<LookingBack>();
    go_on(back ? BoardMode(*back) : BoardMode(Typing{}));
  }
  return take_request();
}

// What was typed while the server was asked stays.
ScreenRequest BoardScreen::answered(const Result<Entered>& answer, const std::string& typed) {
  const bool late = std::exchange(asking_, nullptr) != nullptr;
  const std::string meanwhile = late ? line_.text() : "";
  if (late && !answer && meanwhile.empty()) line_.set(typed);
  const ScreenRequest request = entered(answer, typed);
  if (!meanwhile.empty()) {
    line_.set(meanwhile);
    refresh_view();
  }
  return request;
}

// What entering came to, and how it looks now.
ScreenRequest BoardScreen::entered(const Result<Entered>& entered, const std::string& typed) {
  const Picking* const picking = doing<Picking>();
  const bool by_hand = picking && picking->used();
  const LookingBack* const back = doing<LookingBack>();
  const bool looks_back = back != nullptr;
  const std::size_t past = back ? back->ply : 0;
  if (entered) line_.set("");
  // What was typed or picked is lit already.
  changed(desk_.read(typed).kind == TypedLine::Kind::move ? Motion::Frame::taken
                                                          : Motion::Frame::way);
  const auto look_back = [&] {
    // Another save may have come, of a shorter game.
    if (looks_back) show_ply(past);
  };
  if (!entered) {
    look_back();
    // Undo or redo by its key may be refused while the ply in the line is still to be asked again.
    refused_ = true;
    if (sent_.empty() && desk_.pending()) sent_ = typed;
    complain(entered.refusal().why + (sent_ == typed ? " Change the line to call it off." : ""));
    return {};
  }
  if (!typed.empty()) history_.add(typed);
  notice_ = entered->told;
  if (!entered->open.empty()) return GoToBoard{entered->open, entered->told};
  if (!entered->played && !desk_.trying()) look_back();  // a note leaves one where one is
  if (!entered->text.empty())
    return desk_.read(typed).is("talk") ? read_wrapped(entered->text) : ReadText{entered->text};
  // Whoever plays with the cursor goes on so.
  played_by_hand_ = played_by_hand_ || (by_hand && entered->played);
  if (by_hand && entered->played && desk_.may_move()) start_picking();
  return {};
}

// What leaves the board as it is, and what is being done there.
ScreenRequest BoardScreen::look(const TypedLine& typed) {
  const auto done = desk_.enter(typed, shown());
  // By its key it leaves what is typed, too.
  if ((done || typed.word) && typed_line().text == typed.text) {
    line_.set("");
    refresh_view();
  }
  if (!done) {
    complain(done.refusal().why);
    return {};
  }
  notice_ = done->told;
  if (done->show) show_ply(*done->show);
  if (done->field) return draw_field(*done->field);
  if (done->help) {
    if (done->help == Help::hint && doing<LookingBack>()) go_on(Typing{});
    help_.ask(*done->help, done->about);
    return take_request();
  }
  if (!done->lines.empty())
    return ReadText{"", [lines = done->lines](int columns) { return wrapped(lines, columns); }};
  switch (done->go) {
    case Entered::Go::nowhere: break;
    case Entered::Go::boards: return GoBack{};
    case Entered::Go::next: return GoToNext{desk_.id()};
    case Entered::Go::record: return ReadText{record_text(match(), view_)};
    case Entered::Go::topic: return ReadTopic{done->topic};
    case Entered::Go::help: return ShowKeys{};
    case Entered::Go::settings: return ShowSettings{};
    case Entered::Go::mouse: return SwitchMouse{};
    case Entered::Go::quit: return Quit{};
  }
  return {};
}

void BoardScreen::keep_field() {
  desk_.set_field(view_.field);
  if (desk_.board().shared()) return;
  keeping_ = boards_.ask(
      desk_.id(),
      [this, desk = desk_, field = view_.field](Boards& boards) mutable -> Boards::Then {
        desk.sit_at(boards);
        return [this, kept = desk.keep_field(field)] {
          keeping_.reset();
          if (!kept) complain(kept.refusal().why);
        };
      },
      Haste::picture);
}

void BoardScreen::ask_talk() {
  if (!desk_.board().has_others()) return;
  hear_again_ = hearing_ != nullptr;
  if (hear_again_) return;
  hearing_ = boards_.ask(
      "",
      [this, id = desk_.id(),
       behind = talk_.empty() ? 0 : talk_.back().number](Boards& boards) -> Boards::Then {
        return [this, said = boards.server().said_on(id, behind)] { heard(said); };
      },
      Haste::picture);
}

// Without an answer there is what was heard.
void BoardScreen::heard(const Result<std::vector<ChatLine>>& said) {
  hearing_.reset();
  const bool opened = talk_.empty() && chat_.empty();
  std::size_t fresh = 0;
  for (const ChatLine& line : said ? *said : std::vector<ChatLine>{}) {
    if (!talk_.empty() && line.number <= talk_.back().number) continue;
    talk_.push_back(line);
    fresh += line.fresh;
  }
  if (opened && fresh > 0) chat_ = talk_.back().userid + ": " + talk_.back().text;
  if (opened && fresh > 1 && notice_.empty())
    say(std::to_string(fresh) + " new lines: talk shows all.", Style::good);
  if (std::exchange(hear_again_, false)) ask_talk();
}

bool BoardScreen::boards_changed() {
  refresh_again_ = refreshing_ != nullptr;
  if (refresh_again_) return false;
  refreshing_ = boards_.ask(
      desk_.id(),
      [this, id = desk_.id()](Boards& boards) -> Boards::Then {
        return [this, fresh = boards.open(id)] { refreshed(fresh); };
      },
      Haste::picture);
  return take_attention();
}

void BoardScreen::refreshed(const Result<Board>& fresh) {
  refreshing_.reset();
  calls_ = see(fresh) || calls_;
  if (std::exchange(refresh_again_, false)) calls_ = boards_changed() || calls_;
}

// What was done on the board meanwhile; whether that calls for attention.
bool BoardScreen::see(const Result<Board>& fresh) {
  const std::size_t before = desk_.board().match.plies().size();
  const bool ran = !desk_.board().match.ending();
  const BoardSession::Meanwhile meanwhile = desk_.see(fresh);
  read_.reset();  // who one is there may have changed
  follow_field();
  // What was said aside stands among the rest once the game is over.
  const bool ended = ran && desk_.board().match.ending();
  if (ended) {
    talk_.clear();
    hearing_.reset();
  }
  if (ended || (desk_.board().remote && desk_.board().remote->unread > 0)) ask_talk();
  just_told_ = false;
  settle_sent(before);
  if (meanwhile.told.empty()) return false;
  if (meanwhile.done) say(meanwhile.told, Style::good);
  just_told_ = meanwhile.done;
  if (desk_.trying()) return meanwhile.done;  // what is tried goes on undisturbed
  // An offer leaves the position as it is, and what is done with it.
  if (!meanwhile.played) {
    judge();
    return meanwhile.done;
  }
  const LookingBack* const back = doing<LookingBack>();
  const auto past = back ? std::optional(*back) : std::nullopt;
  changed();
  if (past && past->ply < match().plies().size()) look_on(*past);
  else if (match().ending()) notice_.clear();  // the result says enough
  // One's own was queued or asked again.
  if (meanwhile.done) overtaken_ = Overtaken{std::chrono::steady_clock::now()};
  return meanwhile.done;
}

// A ply that was asked again by itself leaves the line when it is played.
void BoardScreen::settle_sent(std::size_t before) {
  if (sent_.empty() || desk_.pending()) return;
  const Board& board = desk_.board();
  const auto& plies = board.match.plies();
  const bool played = is_match_word(sent_) ||
                      (plies.size() > before && plies[before].seat == board.acting_seat(sent_));
  if (played && trim(line_.text()) == sent_) line_.set("");
  sent_.clear();
}

// A ply whose answer was lost is not asked again once the line is another one,
// whichever way it became so.
void BoardScreen::call_off_unless(const std::string& line) {
  if (sent_.empty() || line_.text() == line) return;
  desk_.forget_pending();
  sent_.clear();
}

}  // namespace pbm
