// SPDX-License-Identifier: MIT
#include "ui/board_session.hpp"

#include <algorithm>

#include "protocol/answers.hpp"
#include "ui/advice.hpp"

namespace pbm {

namespace {

constexpr const char* kNotAnalysed = "Nothing is analysed here yet: type analyse.";

// Refuses help with a copy of a game that other people still play, because the help would apply
// there, too.
Result<Done> may_help_with_copy(Boards& boards, const Board& copy) {
  const std::string& origin = copy.match.origin();
  if (origin.empty()) return Done{};
  const std::size_t at = std::min(origin.find('@'), origin.size());
  const std::string id = origin.substr(0, at),
                    place = origin.substr(std::min(at + 1, origin.size()));
  const bool here = place == boards.place();
  for (const BoardSummary& board : here ? boards.list() : std::vector<BoardSummary>{})
    if (board.id == id && board.over()) return Done{};
  return Refusal{
      "This is a copy of " + shown_name(id) + ", on which people play: no help until " +
      (here ? "that is over."
            : "that is over and this is opened beside its server, " + fit(place, 60) + ".")};
}

// Returns a sentence if a ply ends the open offer, else "".
std::string ends_offer(const Match& match, const TypedLine& typed) {
  const auto& offer = match.offer();
  if (!offer || typed.kind != TypedLine::Kind::move || !match.to_move()) return "";
  return after_offer(*offer, *match.to_move());
}

}  // namespace

BoardSession::BoardSession(Boards& boards, Board board)
    : boards_(&boards), board_(std::move(board)) {
  if (auto* const computers = boards.computer()) analysis_ = computers->analysis_of(id());
}

std::vector<const TypedWord*> BoardSession::words_now(Front front) const {
  using Where = TypedWord::Where;
  std::vector<const TypedWord*> out;
  for (const TypedWord& w : typed_words())
    if ((w.where != Where::server || board_.has_others()) &&
        (w.where != Where::screen || front == Front::screen) &&
        (w.name != "field" || !match().game().fields.empty()) &&
        (w.name != "flip" || match().game().turns) &&
        (w.name != "redo" || !match().redo().empty()) && (w.name != "rematch" || may_rematch()))
      out.push_back(&w);
  return out;
}

bool BoardSession::may_queue() const {
  const auto seat = acting_seat("");
  return !shared() && board_.has_others() && seat && match().to_move() && match().plays(*seat) &&
         !may_move();
}

bool BoardSession::answers() const {
  const auto mine = acting_seat("");
  return std::ranges::any_of(answering(match()), [&](Seat seat) {
    return shared() ? match().computer(seat) == 0 : seat == mine;
  });
}

bool BoardSession::is_mine(Seat seat, const std::string& name) const {
  const Match& m = board_.match;
  if (m.computer(seat) > 0 || id().starts_with(kExample)) return false;
  const std::string user = boards_->server().user(),
                    &who = m.names()[static_cast<std::size_t>(seat)];
  if (same_ignoring_case(who, user.empty() ? person_here(name, "") : user)) return true;
  // A copy may come from a game of other people, so only its names count.
  return !board_.remote && m.origin().empty() &&
         (std::ranges::count(m.seating().levels, 0) == 1 ||
          who == "player" + std::to_string(seat + 1));
}

Result<Done> BoardSession::may_be_helped() const {
  const Match& m = board_.match;
  if (const auto free = may_help_with_copy(*boards_, board_); !free) return free;
  if (board_.exercise) return Refusal{"No hint: this is for you to find."};
  std::vector<std::string> people;  // still in play
  for (Seat s = 0; s < m.seats() && !m.ending(); ++s)
    if (m.computer(s) == 0 && m.plays(s))
      people.push_back(shown_name(m.names()[static_cast<std::size_t>(s)]));
  if (people.size() > 1)
    return Refusal{"No hint while " + all_of(people) + " play against each other." +
                   (board_.shared() ? " Type level 3 to play against the computer." : "")};
  return Done{};
}

Result<Done> BoardSession::may_have_hint() const {
  if (may_be_told()) return Done{};
  if (const auto may = may_be_helped(); !may) return may;
  if (match().ending() || (!trial_ && !may_move())) return Refusal{match().standing()};
  return Done{};
}

Result<Done> BoardSession::may_see_threats(std::size_t ply) const {
  if (const auto free = may_help_with_copy(*boards_, board_); !free) return free;
  if (board_.has_others() && !board_.match.ending())
    return Refusal{"Threats are not told while the game is in play."};
  if (board_.exercise) return Refusal{"Threats are not told here: this is for you to find."};
  if (ply == match().plies().size() && match().ending())
    return Refusal{match().standing() + " Look back to see what was threatened."};
  if (!passed_over(match().prefix(ply)))
    return Refusal{"Threats are not known in " + std::string(match().game().title) + "."};
  return Done{};
}

Result<std::shared_ptr<Analysis>> BoardSession::analysis() {
  if (const auto free = may_help_with_copy(*boards_, board_); !free) return free.refusal();
  if (board_.has_others() && !board_.match.ending())
    return Refusal{"No analysis while the game is in play."};
  if (board_.exercise) return Refusal{"There is nothing to analyse in an exercise."};
  if (board_.match.plies().empty()) return Refusal{"Nothing was played yet."};
  if (!analysis_ || !analysis_->fits(board_.match)) {
    analysis_ = std::make_shared<Analysis>(board_.match);
    if (auto* const computers = boards_->computer()) computers->analysis_of(id()) = analysis_;
  }
  hides_analysis_ = false;
  return analysis_;
}

Result<Entered> BoardSession::keep_analysis(Typed typed, std::size_t) {
  if (!same_ignoring_case(typed.rest, "notes"))
    return Refusal{"Type analyse alone, or analyse notes.", typed.rest_at};
  if (!analysis_ || !analysis_->fits(board_.match)) return Refusal{kNotAnalysed};
  const auto notes = as_notes(*analysis_, board_.match);
  if (notes.empty()) return Refusal{"There is nothing new to note."};
  need(boards_->play(board_, notes));
  return Entered{"Noted on " + count_of(notes.size(), "move.", "moves.")};
}

std::vector<std::string> BoardSession::times(Time now) const {
  std::vector<std::string> out;
  if (!board_.remote || trial_ || board_.match.ending()) return out;
  for (Seat s = 0; s < board_.match.seats(); ++s)
    out.push_back(board_.remote->clock.in_words(s, board_.match.to_move(), now));
  return out;
}

char BoardSession::drawing(char asked, char now) const {
  const std::string_view fields = match().game().fields;
  const std::size_t at = now == '\0' ? 0 : fields.find(now);
  if (asked == kFieldByRoom) return '\0';
  return asked != '\0' ? asked : fields[(at + 1) % fields.size()];
}

Result<Done> BoardSession::keep_field(char field) const {
  if (!board_.remote) return Done{};
  const auto kept = boards_->server().command(std::string(match().game().name) + " set " + field);
  return kept ? Result<Done>(Done{}) : kept.refusal();
}

bool BoardSession::asks_server(const TypedLine& typed) const {
  if (board_.shared() || typed.is("try") || typed.is("better") || typed.is("copy") ||
      (typed.word && typed.word->views()))
    return false;
  if (typed.is("answers") && !trial_ && typed.rest.empty()) return false;
  return typed.of(TypedWord::Where::server) || !trial_;
}

void BoardSession::try_from(std::size_t n) {
  // A new start within a tried line keeps the board's own plies before it.
  Match from = match().back_to(n);
  if (!trial_ || n < tried_from_) tried_from_ = std::min(n, board_.match.plies().size());
  trial_ = std::move(from);
}

Result<Entered> BoardSession::enter(const TypedLine& typed, std::size_t shown) try {
  check(typed.kind != TypedLine::Kind::command, "a server's line was entered on a board");
  if (typed.word && typed.word->syntax.empty() && !typed.rest.empty())
    return Refusal{nothing_follows(typed.word->name), typed.rest_at};
  if (const TypedWord* const word = typed.elsewhere)
    return Refusal{
        std::string(word->name) + " is for " +
            (word->where == TypedWord::Where::server ? "a board on a server." : "the screen."),
        typed.text_at};
  return typed.word ? typed.word->run(*this, typed, shown) : play(typed, shown);
} catch (const Refusal& refusal) {
  return refusal;
}

std::size_t BoardSession::ply_in(Typed typed, std::size_t shown) const {
  if (typed.rest.empty()) return shown;
  const auto ply = match().ply_named(typed.rest);
  if (!ply) throw Refusal{ply.refusal().why, typed.rest_at};
  return *ply;
}

Result<Entered> BoardSession::redo(Typed, std::size_t) {
  if (match().redo().empty())
    return Refusal{"Nothing was taken back here that could be played again."};
  if (!shared()) return play_there(read(match().redo()));
  std::vector<MoveRequest> turns;
  Match then = match();
  // The computer's old answers are played again, too.
  do turns.push_back({then.to_move(), then.redo()});
  while (judge_turns(then, {turns.back()}) && then.to_move() &&
         then.computer(*then.to_move()) > 0 && !then.redo().empty());
  return play_here(turns, "");
}

// Tries the line that is better than `ply`. The player plays it with redo.
Result<Entered> BoardSession::try_better(Typed typed, std::size_t shown) {
  const std::size_t ply = ply_in(typed, shown);
  if (board_.exercise) return try_refuted();
  const Analysis* known = analysed();
  if (!known) return Refusal{kNotAnalysed};
  const std::vector<std::string> line = known->better(ply);
  if (line.empty())
    return Refusal{ply == 0 ? "Look back to a move first, or type better and its number."
                            : "Nothing better is known than move " + std::to_string(ply) + ", " +
                                  board_.match.plies()[ply - 1].text + "."};
  try_line(ply - 1, line, 0);
  const Match& m = board_.match;
  return Entered{
      "Better for " + shown_name(m.names()[static_cast<std::size_t>(m.plies()[ply - 1].seat)]) +
          " was " + joined(line, 0, 6) + (line.size() > 6 ? " ..." : ".") +
          " Press Ctrl-Y or type redo to play it, move by move.",
  };
}

// Tries the wrong ply of a puzzle and the plies that refute it.
Result<Entered> BoardSession::try_refuted() {
  const std::vector<std::string> line = board_.exercise->refuted();
  if (line.size() < 2) return Refusal{"No wrong move was tried here that has an answer."};
  try_line(board_.match.plies().size(), line, 2);
  return Entered{
      line[1] + " answers " + line[0] + "." +
          (line.size() > 2 ? " Press Ctrl-Y or type redo to play on." : "") +
          " Press Esc or type boards to go back to the puzzle.",
  };
}

// Tries `line` after `from` plies: plays the first `played` plies, and leaves the rest for redo.
void BoardSession::try_line(std::size_t from, const std::vector<std::string>& line,
                            std::size_t played) {
  Match with = board_.match.prefix(from);
  for (const std::string& text : line)
    if (const auto entry = with.validate(with.to_move().value_or(0), text, now())) with.add(*entry);
  trial_ = with.plies().size() > from + played ? with.back_to(from + played) : with;
  tried_from_ = from;
}

Result<Entered> BoardSession::note(Typed typed, std::size_t shown) {
  std::string_view text = typed.rest;
  if (text.substr(0, 1) == "#") {
    const std::size_t end = std::min(text.find(' '), text.size());
    shown = need(match().ply_named(text.substr(0, end)));
    text = trim(text.substr(end));
  }
  if (text.empty())
    return Refusal{"Type note and what is to be kept, or note - to take a note away."};
  if (text == "-") text = "";
  if (trial_) trial_->add(need(trial_->validate_note(shown, text, now())));
  else need(boards_->play(board_, {MoveRequest{std::nullopt, std::string(text), shown}}));
  const std::string where = shown == 0 ? "the start" : "move " + std::to_string(shown);
  return Entered{
      text.empty() ? "The note on " + where + " is gone." : "Noted on " + where + ".",
  };
}

std::vector<std::string> BoardSession::kept_answers() const {
  const auto tree = Answers::read(board_.remote ? board_.remote->answers : "");
  return tree ? tree->in_lines() : std::vector<std::string>{};
}

bool BoardSession::may_keep_answers() const {
  const auto seat = board_.acting_seat("");
  const Match& now = board_.match;
  const auto same = [](const Match::Ply& a, const Match::Ply& b) { return a.text == b.text; };
  // In the tried line, the player may have taken back the board's own plies.
  return trial_ && board_.remote && seat && now.seats() == 2 && now.to_move() &&
         now.to_move() != seat && tried_from_ == now.plies().size() &&
         trial_->plies().size() >= tried_from_ &&
         std::equal(now.plies().begin(), now.plies().end(), trial_->plies().begin(), same);
}

Result<Entered> BoardSession::queue(std::string_view ply) {
  const auto told = boards_->server().queue(board_, ply);
  if (!told) return told.refusal();
  // On the player's own turn, the server plays it at once.
  const bool played = !refresh().told.empty();
  return Entered{*told, played};
}

// Plays a ply or a word for the player's seat on a server.
Result<Entered> BoardSession::play_there(Typed typed) {
  board_.warning.clear();
  const std::string ended = ends_offer(match(), typed);
  const Match before = board_.match;
  if (const auto played = boards_->play(board_, {MoveRequest{std::nullopt, typed.text}}); !played)
    return played.refusal();
  // The opponent's queued move may follow at once.
  if (const auto told = told_since(before, board_.match); told && told->size() > 1)
    return Entered{in_words(*told, false), true};
  if (!board_.warning.empty()) return Entered{board_.warning, true};
  return Entered{typed.is("undo") ? "You ask to take the last move back: that waits for an answer."
                 : typed.is("propose") ? "You offer a draw: that waits for an answer."
                 : ended.empty()       ? ""
                                       : told_of_last(match()) + ended,
                 true};
}

Result<Entered> BoardSession::play(Typed typed, std::size_t) {
  const auto refused = [&](const Refusal& why) { return Refusal{why.why, why.at + typed.text_at}; };
  if (!shared()) {
    auto played = play_there(typed);
    return played ? played : refused(played.refusal());
  }
  std::vector<MoveRequest> turns = turns_at_one_keyboard(match(), typed.text);
  if (!trial_ && board_.has_opponents() && !typed.is("undo")) {
    turns.front().seat = acting_seat(typed.text);
    if (!turns.front().seat)
      return Refusal{match().ending()
                         ? match().standing()
                         : "The computer has all seats here: type try to try moves, or level 0 "
                           "and a seat's number to play there yourself.",
                     typed.text_at};
  }
  const std::size_t before = match().plies().size();
  auto played = play_here(turns, ends_offer(match(), typed));
  if (played && typed.is("reject")) played->told = told_of_last(match());
  if (played && typed.is("undo"))
    played->told = before > match().plies().size() + 1
                       ? "The move and the computer's answer are taken back; redo plays them again."
                       : "The last move is taken back; redo plays it again.";
  return played ? played : refused(played.refusal());
}

Result<Entered> BoardSession::play_here(const std::vector<MoveRequest>& turns,
                                        const std::string& told) {
  if (trial_) {
    Match next = *trial_;
    if (const auto entries = judge_turns(next, turns); !entries) return entries.refusal();
    trial_ = std::move(next);
  } else if (const auto played = boards_->play(board_, turns); !played) {
    return played.refusal();
  }
  return Entered{told.empty() ? "" : told_of_last(match()) + told, true};
}

Result<Entered> BoardSession::go_on(const std::string& me) {
  ExerciseSession& exercise = *board_.exercise;
  if (exercise.go_on()) {
    board_.match = exercise.match();
    return Entered{.played = true};
  }
  // restart() comes last, so that a failure leaves the exercise as it is.
  const std::string next = exercise.next();
  const Seating seats{{person_here(me, "player1"), "computer"}, {0, 1}};
  const auto follows = next.empty()
                           ? boards_->own().keep(*Match::start(match().game(), {}, seats, now()))
                           : boards_->open(next);
  if (!follows) return follows.refusal();
  exercise.restart();
  return Entered{.played = true, .open = follows->id};
}

// Gives a seat to the computer at a level, or to a person for level 0.
Result<Entered> BoardSession::set_level(Typed typed, std::size_t) {
  const std::string_view rest = typed.rest;
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string number(rest.substr(0, end)), who(trim(rest.substr(end)));
  const auto level = read_whole_number<int>(number);
  if (!level || *level > kTopLevel)
    return Refusal{"Type level and a number from 1 to " + std::to_string(kTopLevel) +
                       ", or 0 for a person; then the player, where several can be meant.",
                   typed.rest_at};
  if (*level > 0) need(may_help_with_copy(*boards_, board_));
  const Match& m = board_.match;
  std::vector<Seat> meant;
  for (Seat s = 0; s < m.seats(); ++s) {
    const bool named = same_ignoring_case(who, m.names()[static_cast<std::size_t>(s)]) ||
                       who == std::to_string(s + 1);
    // Without a name: the computer's seat; if there is none, the opponent's seat.
    const bool likely =
        m.has_computer() ? m.computer(s) > 0 : m.seats() == 2 && s != board_.acting_seat("");
    if (who.empty() ? likely : named) meant.push_back(s);
  }
  if (meant.size() != 1)
    return Refusal{"Which player? Type level " + number + " and a name, or a number from 1 to " +
                       std::to_string(m.seats()) + ".",
                   typed.rest_at};
  if (board_.exercise) return Refusal{"Nobody else plays here: find the move."};
  if (m.ending()) return Refusal{"The game is over: rematch begins another."};
  need(boards_->of(id()).set_computer(board_, meant.front(), *level));
  return Entered{told_of_seat(board_.match, meant.front())};
}

// Returns a sentence for each entry, and how to answer an open offer.
std::string BoardSession::in_words(const std::vector<Told>& told, bool queued) const {
  std::string out = as_text(told, queued ? board_.acting_seat("") : std::nullopt);
  if (answers() && !out.empty()) out.replace(out.size() - 1, 1, ": accept or reject.");
  return out;
}

BoardSession::Meanwhile BoardSession::see(Result<Board> fresh) {
  // If the file is unreadable now, the next ply reports it.
  if (!fresh || &fresh->match.game() != &board_.match.game() ||
      fresh->match.seats() != board_.match.seats())
    return {};
  const bool queued = board_.remote && !board_.remote->queued.empty();
  board_.remote = fresh->remote;
  const std::string seats = told_of_seats(board_.match, fresh->match);
  const bool still = fresh->match.log() == board_.match.log();
  if (still && seats.empty()) return {};
  const auto told = told_since(board_.match, fresh->match);
  board_ = std::move(*fresh);
  if (still) return {true, false, seats};
  if (!told)
    return {true, true,
            "This board's file was changed by something else: look at the position again."};
  // The player's own queued move is not news, but a changed position is.
  const auto others = [&](const Told& t) {
    return board_.shared() || t.entry.seat != board_.acting_seat("");
  };
  const auto moves = [](const Told& t) {
    const auto word = match_word(t.entry.text);
    return !word || *word == MatchWord::accept || *word == MatchWord::resign;
  };
  return {std::ranges::any_of(*told, others), std::ranges::any_of(*told, moves),
          in_words(*told, queued)};
}

}  // namespace pbm
