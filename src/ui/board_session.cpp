// SPDX-License-Identifier: MIT
#include "ui/board_session.hpp"

#include <algorithm>

#include "protocol/answer_tree.hpp"
#include "ui/advice.hpp"
#include "ui/lobby_session.hpp"
#include "ui/move_completion.hpp"
#include "ui/settings.hpp"

namespace pbm {
namespace {

constexpr const char* kNoAnalysis = "There is no analysis yet. Type analyse.";

// Refuses help with a copy of a game that other people still play, because the help would apply
// there, too.
Result<Success> check_copy_help(Boards& boards, const Board& copy) {
  const std::string& origin = copy.match.origin();
  if (origin.empty()) return Success{};
  const std::size_t at = std::min(origin.find('@'), origin.size());
  const std::string id = origin.substr(0, at),
                    place = origin.substr(std::min(at + 1, origin.size()));
  const bool here = place == boards.location();
  for (const BoardSummary& board : here ? boards.list() : std::vector<BoardSummary>{})
    if (board.id == id && board.is_over()) return Success{};
  return Refusal{
      "This is a copy of " + display_name(id) +
      ", which people still play. The computer helps when " +
      (here ? "that game is over."
            : "that game is over and you open this one on its server, " + fit(place, 60) + ".")};
}

}  // namespace

BoardSession::BoardSession(Boards& boards, Board board)
    : boards_(&boards), board_(std::move(board)) {
  if (auto* const computers = boards.computer()) analysis_ = computers->analysis_of(id());
  boards.count_result(board_);  // another program may have ended it
}

std::vector<const TypedWord*> BoardSession::available_words(FrontEnd front) const {
  using Where = TypedWord::Scope;
  std::vector<const TypedWord*> out;
  const auto works_in_exercise = [&](const TypedWord& w) {
    return w.name != "level" && w.name != "rename" && w.name != "threats" && w.name != "analyse" &&
           (trial_match_ || (w.name != "note" && (w.scope != Where::match_word ||
                                                  (w.name == "undo" && can_continue_exercise()))));
  };
  for (const TypedWord& w : typed_words())
    if ((!board_.exercise || works_in_exercise(w)) &&
        (w.scope != Where::server_board || board_.has_others()) &&
        (w.scope != Where::screen_view || front == FrontEnd::screen) &&
        (w.name != "field" || !match().game().drawing_styles.empty()) &&
        (w.name != "flip" || match().game().can_turn) &&
        (w.name != "redo" || !match().redo_ply().empty()) && (w.name != "rematch" || can_rematch()))
      out.push_back(&w);
  return out;
}

bool BoardSession::can_queue() const {
  const auto seat = acting_seat("");
  return !is_shared() && board_.has_others() && seat && match().to_move() &&
         match().is_playing(*seat) && !can_move();
}

bool BoardSession::should_answer() const {
  const auto mine = acting_seat("");
  return std::ranges::any_of(seats_to_answer(match()), [&](Seat seat) {
    return is_shared() ? match().computer_level(seat) == 0 : seat == mine;
  });
}

bool BoardSession::is_own_seat(Seat seat) const {
  const Match& m = board_.match;
  if (m.computer_level(seat) > 0 || id().starts_with(kExamplePrefix)) return false;
  const std::string& who = m.names()[index(seat)];
  if (equals_ignoring_case(who, boards_->own_name())) return true;
  // A copy may come from a game of other people, so only its names count.
  return !board_.remote && m.origin().empty() &&
         (find_own_seat("", m.seating()) || who == "player" + std::to_string(seat + 1));
}

Result<Success> BoardSession::check_help_allowed() const {
  const Match& m = board_.match;
  if (const auto free = check_copy_help(*boards_, board_); !free) return free;
  if (can_continue_exercise())
    return Refusal{"There is nothing to find here. Press Enter to go on."};
  if (board_.exercise)
    return Refusal{"No hint while you try moves. Press Esc or type boards to return to the task."};
  std::vector<std::string> people;  // still in play
  for (Seat s = 0; s < m.seats() && !m.ending(); ++s)
    if (m.computer_level(s) == 0 && m.is_playing(s)) people.push_back(seat_name(m, s, own_seat()));
  if (people.size() > 1)
    return Refusal{"No hint while " + join_with_and(people) + " play against each other." +
                   (board_.has_all_seats() ? " Type level 3 to play against the computer." : "")};
  return Success{};
}

Result<Success> BoardSession::check_chat_allowed() const {
  if (trial_match_ || !board_.has_others()) return Refusal{"There is no chat on this board."};
  return Success{};
}

Result<Success> BoardSession::check_hint_allowed() const {
  if (can_show_solution()) return Success{};
  if (const auto may = check_help_allowed(); !may) return may;
  if (match().ending() || (!trial_match_ && !can_move())) return Refusal{status()};
  return Success{};
}

Result<Success> BoardSession::check_threats_allowed(std::size_t ply) const {
  if (const auto free = check_copy_help(*boards_, board_); !free) return free;
  if (board_.has_others() && !board_.match.ending())
    return Refusal{"Threats are shown only after the end of this game."};
  if (board_.exercise) return Refusal{"Lessons and puzzles show no threats."};
  if (ply == match().plies().size() && match().ending())
    return Refusal{status() + " Look back to see earlier threats."};
  if (!position_after_pass(match().prefix_copy(ply)))
    return Refusal{"The computer finds no threats in " + std::string(match().game().title) + "."};
  return Success{};
}

Result<std::shared_ptr<Analysis>> BoardSession::start_analysis() {
  if (const auto free = check_copy_help(*boards_, board_); !free) return free.refusal();
  if (board_.has_others() && !board_.match.ending())
    return Refusal{"You can analyse this game after its end."};
  if (board_.exercise)
    return Refusal{std::string("Lessons and puzzles have no analysis.") +
                   (can_continue_exercise() ? " Press Enter to go on." : "")};
  if (board_.match.plies().empty()) return Refusal{"There are no moves yet."};
  if (!analysis_ || !analysis_->is_about(board_.match)) {
    analysis_ = std::make_shared<Analysis>(board_.match);
    if (auto* const computers = boards_->computer()) computers->analysis_of(id()) = analysis_;
  }
  is_analysis_hidden_ = false;
  analysis_->set_own_seat(own_seat());
  return analysis_;
}

std::optional<SearchResult> BoardSession::known_thought(std::size_t n, const Position& position,
                                                        const Analysis* except) const {
  if (analysis_ && analysis_.get() != except)
    if (auto found = analysis_->thought(n, position)) return found;
  if (ComputerSeats* const computers = boards_->computer())
    for (const auto& [plies, about, thought] : computers->hints())
      if (plies == n && about == position) return thought;
  return std::nullopt;
}

Result<EntryResult> BoardSession::save_analysis_notes(LineRef typed, std::size_t) {
  if (!equals_ignoring_case(typed.argument, "notes"))
    return Refusal{"Type analyse alone, or analyse notes.", typed.argument_offset};
  if (!analysis_ || !analysis_->is_about(board_.match)) return Refusal{kNoAnalysis};
  const auto notes = note_requests(*analysis_, board_.match);
  if (notes.empty()) return Refusal{"The notes have this analysis already."};
  value_or_throw(boards_->play(board_, notes));
  return EntryResult{"Noted on " + format_count(notes.size(), "move.", "moves.")};
}

std::vector<std::string> BoardSession::time_texts(Time now) const {
  std::vector<std::string> out;
  if (!board_.remote || trial_match_ || board_.match.ending()) return out;
  for (Seat s = 0; s < board_.match.seats(); ++s)
    out.push_back(board_.remote->clock.text(s, board_.match.to_move(), now));
  return out;
}

char BoardSession::next_field(char asked, char now) const {
  const std::string_view fields = match().game().drawing_styles;
  const std::size_t at = now == '\0' ? 0 : fields.find(now);
  if (asked == kAutoField) return '\0';
  return asked != '\0' ? asked : fields[(at + 1) % fields.size()];
}

Result<Success> BoardSession::save_field(char field) const {
  if (!board_.remote) return Success{};
  const auto kept =
      boards_->server().run_command(std::string(match().game().name) + " set " + field);
  return kept ? Result<Success>(Success{}) : kept.refusal();
}

bool BoardSession::needs_server(const TypedLine& typed) const {
  if (board_.has_all_seats() || typed.has_name("try") || typed.has_name("better") ||
      typed.has_name("copy") || (typed.word && typed.word->is_view()))
    return false;
  if (typed.has_name("answers") && !trial_match_ && typed.argument.empty()) return false;
  return typed.has_scope(TypedWord::Scope::server_board) || !trial_match_;
}

void BoardSession::start_trial(std::size_t n) {
  // A new start within a tried line keeps the board's own plies before it.
  Match from = match().rewound_copy(n);
  if (!trial_match_ || n < trial_start_) trial_start_ = std::min(n, board_.match.plies().size());
  trial_match_ = std::move(from);
}

Result<EntryResult> BoardSession::enter(const TypedLine& typed, std::size_t shown, bool queue) {
  auto done = run_line(typed, shown, queue);
  if (done) return done;
  Refusal why = done.refusal();
  const std::string first = typed.text.substr(0, typed.text.find(' '));
  const bool is_of_list =
      std::ranges::any_of(LobbySession::word_table(), [&](const LobbySession::Word& word) {
        using enum LobbySession::Word::Scope;
        return equals_ignoring_case(word.name, first) &&
               (word.scope == anywhere || word.scope == may_ask_server ||
                word.scope == (boards_->server().has_server() ? server_only : not_server_screen));
      });
  if (typed.kind == TypedLine::Kind::move && is_of_list) {
    why.reason = first + " is a word of the list of games. To go there, press Esc or type boards.";
  } else if (typed.kind == TypedLine::Kind::move) {
    std::vector<std::string> words;
    for (const TypedWord* word : available_words(FrontEnd::line_mode))
      words.emplace_back(word->name);
    why.reason = suggest_typed_word(
        {why.reason, why.offset - std::min(why.offset, typed.text_offset)}, typed.text, words);
  }
  return Refusal{address_player(why.reason, match(), own_seat()), why.offset};
}

Result<EntryResult> BoardSession::run_line(LineRef typed, std::size_t shown, bool queue) try {
  check(typed.kind != TypedLine::Kind::command, "a server's line was entered on a board");
  if (typed.word && typed.word->syntax.empty() && !typed.argument.empty())
    return Refusal{no_argument_message(typed.word->name), typed.argument_offset};
  if (const TypedWord* const word = typed.unavailable_word)
    return Refusal{
        "The word " + std::string(word->name) + " works only on " +
            (word->scope == TypedWord::Scope::server_board ? "a server's board." : "the screen."),
        typed.text_offset};
  if (typed.chat) value_or_throw(check_chat_allowed());
  const auto run = [&]() -> Result<EntryResult> {
    try {
      return typed.word ? typed.word->run(*this, typed, shown)
             : queue    ? queue_ply(typed.text)
                        : enter_move(typed, shown);
    } catch (const Refusal& refusal) {
      return refusal;
    }
  };
  auto out = run();
  // The chat follows a ply that is sent again.
  if (!out && typed.chat)
    if (const auto seat = acting_seat(typed.text))
      if (const auto sent = match().validate(*seat, typed.text, now()))
        boards_->server().set_pending_chat(id(), sent->text, *typed.chat);
  if (out && typed.chat && !typed.chat->empty())
    if (const auto sent = boards_->server().send_chat(id(), *typed.chat); !sent) {
      out->message = sent.refusal().reason;
      out->unsent_line = "chat " + *typed.chat;
    }
  return out;
} catch (const Refusal& refusal) {
  return refusal;
}

std::size_t BoardSession::read_ply_number(LineRef typed, std::size_t shown) const {
  if (typed.argument.empty()) return shown;
  const auto ply = match().read_ply_number(typed.argument);
  if (!ply) throw Refusal{ply.refusal().reason, typed.argument_offset};
  return *ply;
}

Result<EntryResult> BoardSession::redo_plies(LineRef, std::size_t) {
  if (match().redo_ply().empty()) return Refusal{"There is no move to redo."};
  if (!is_shared()) return play_on_server(parse_line(match().redo_ply()));
  std::vector<MoveRequest> turns;
  Match then = match();
  // The computer's old answers are played again, too.
  do turns.push_back({then.to_move(), then.redo_ply()});
  while (validate_requests(then, {turns.back()}) && then.to_move() &&
         then.computer_level(*then.to_move()) > 0 && !then.redo_ply().empty());
  return play_locally(turns, {});
}

// Tries the line that is better than `ply`. The player plays it with redo.
Result<EntryResult> BoardSession::try_better(LineRef typed, std::size_t shown) {
  const std::size_t ply = read_ply_number(typed, shown);
  if (board_.exercise) return try_refutation();
  show_analysis();
  const Analysis* known = visible_analysis();
  if (!known) return Refusal{kNoAnalysis};
  const std::vector<std::string> line = known->better_line(ply);
  if (line.empty())
    return Refusal{ply == 0 ? "Look back to a move first, or type better and its number."
                            : "The computer knows nothing better than move " + std::to_string(ply) +
                                  ", " + board_.match.plies()[ply - 1].text + "."};
  try_line(ply - 1, line, 0);
  const Match& m = board_.match;
  return EntryResult{
      "Better for " + seat_name(m, m.plies()[ply - 1].seat, own_seat()) + " was " +
          join_words(line, 0, 6) + (line.size() > 6 ? " ..." : ".") +
          " Press Ctrl-Y or type redo to play it, move by move.",
  };
}

// Tries the wrong ply of a puzzle and the plies that refute it.
Result<EntryResult> BoardSession::try_refutation() {
  const std::vector<std::string> line = board_.exercise->refutation();
  if (line.size() < 2) return Refusal{"There is no wrong move to answer here."};
  try_line(board_.match.plies().size(), line, 2);
  return EntryResult{
      line[1] + " answers " + line[0] + "." +
          (line.size() > 2 ? " Press Ctrl-Y or type redo to play on." : "") +
          " Press Esc or type boards to return to the puzzle.",
  };
}

// Tries `line` after `from` plies: plays the first `played` plies, and leaves the rest for redo.
void BoardSession::try_line(std::size_t from, const std::vector<std::string>& line,
                            std::size_t played) {
  Match with = board_.match.prefix_copy(from);
  for (const std::string& text : line)
    if (const auto entry = with.validate(with.to_move().value_or(0), text, now())) with.add(*entry);
  trial_match_ = with.plies().size() > from + played ? with.rewound_copy(from + played) : with;
  trial_start_ = from;
}

Result<EntryResult> BoardSession::enter_note(LineRef typed, std::size_t shown) {
  std::string_view text = typed.argument;
  if (text.substr(0, 1) == "#") {
    const std::size_t end = std::min(text.find(' '), text.size());
    shown = value_or_throw(match().read_ply_number(text.substr(0, end)));
    text = trim(text.substr(end));
  }
  if (text.empty()) return Refusal{"Type note and your text, or note - to delete a note."};
  if (text == "-") text = "";
  if (trial_match_)
    trial_match_->add(value_or_throw(trial_match_->validate_note(shown, text, now())));
  else value_or_throw(boards_->play(board_, {MoveRequest{std::nullopt, std::string(text), shown}}));
  const std::string where = shown == 0 ? "the start" : "move " + std::to_string(shown);
  return EntryResult{
      text.empty() ? "The note on " + where + " is deleted." : "Noted on " + where + ".",
  };
}

std::vector<std::string> BoardSession::queued_answers() const {
  const auto tree = AnswerTree::read(board_.remote ? board_.remote->queued_answers : "");
  return tree ? tree->format_lines() : std::vector<std::string>{};
}

bool BoardSession::can_queue_answers() const {
  const auto seat = board_.acting_seat("");
  const Match& now = board_.match;
  const auto same = [](const Match::Ply& a, const Match::Ply& b) { return a.text == b.text; };
  // In the tried line, the player may have taken back the board's own plies.
  return trial_match_ && board_.remote && seat && now.seats() == 2 && now.to_move() &&
         now.to_move() != seat && trial_start_ == now.plies().size() &&
         trial_match_->plies().size() >= trial_start_ &&
         std::equal(now.plies().begin(), now.plies().end(), trial_match_->plies().begin(), same);
}

Result<EntryResult> BoardSession::queue_ply(std::string_view ply) {
  const auto told = boards_->server().queue_move(board_, ply);
  if (!told) return told.refusal();
  // On the player's own turn, the server plays it at once.
  const bool played = !refresh().text.empty();
  return EntryResult{*told, played};
}

// Plays a ply or a word for the player's seat on a server.
Result<EntryResult> BoardSession::play_on_server(LineRef typed) {
  board_.warning.clear();
  const Match before = board_.match;
  if (const auto played = boards_->play(board_, {MoveRequest{std::nullopt, typed.text}}); !played)
    return played.refusal();
  // The opponent's queued move may follow at once.
  if (const auto told = describe_new_actions(before, board_.match, own_seat());
      told && told->size() > 1)
    return EntryResult{describe_actions(*told, false), true};
  if (!board_.warning.empty()) return EntryResult{board_.warning, true};
  return EntryResult{describe_entered(before.offer(), typed), true};
}

std::string BoardSession::watchers_text() const {
  if (watcher_count() == 0) return "";
  std::vector<std::string> names = board_.remote->watcher_names;
  std::ranges::replace(names, boards_->server().userid(), "you");
  if (watcher_count() > names.size())
    names.push_back(format_count(watcher_count() - names.size(), "other", "others"));
  return join_with_and(names);
}

std::string BoardSession::offer_prompt() const {
  if (!match().offer()) return "";
  return should_answer() ? " Type accept or reject."
         : !has_seat()   ? ""
         : can_move()    ? " Wait for the answer, or play: a move ends the offer."
                         : " Wait for the answer.";
}

// Describes an entered offer or answer, or a ply that ended the offer `open`. Returns "" for other
// entries.
std::string BoardSession::describe_entered(const std::optional<Match::Offer>& open,
                                           LineRef typed) const {
  const std::string done = describe_last_action(match(), own_seat());
  if (typed.kind == TypedLine::Kind::move)
    return open ? done + describe_offer_end(*open, match().plies().back().seat) : "";
  if (!typed.is_match_word() || typed.has_name("resign")) return "";
  return done + (match().offer() ? offer_prompt() : typed.has_name("accept") ? " " + status() : "");
}

Result<EntryResult> BoardSession::enter_move(LineRef typed, std::size_t) {
  const auto refused = [&](const Refusal& why) {
    return Refusal{why.reason, why.offset + typed.text_offset};
  };
  if (!is_shared()) {
    auto played = play_on_server(typed);
    return played ? played : refused(played.refusal());
  }
  std::vector<MoveRequest> turns = shared_keyboard_requests(match(), typed.text);
  if (!trial_match_ && board_.has_opponents() && !typed.has_name("undo")) {
    turns.front().seat = acting_seat(typed.text);
    if (!turns.front().seat)
      return Refusal{match().ending() ? status()
                                      : "The computer plays every seat. Type try to try moves, or "
                                        "level 0 and a seat's number to play yourself.",
                     typed.text_offset};
  }
  const std::size_t before = match().plies().size();
  auto played = play_locally(turns, typed);
  if (played && typed.has_name("undo"))
    played->message =
        before > match().plies().size() + 1
            ? "The move and the computer's answer are taken back. Press Ctrl-Y or type redo to "
              "play "
              "them again."
            : "The last move is taken back. Press Ctrl-Y or type redo to play it again.";
  return played ? played : refused(played.refusal());
}

Result<EntryResult> BoardSession::play_locally(const std::vector<MoveRequest>& turns,
                                               const TypedLine& typed) {
  const auto open = match().offer();
  std::string changed_level;
  if (trial_match_) {
    Match next = *trial_match_;
    if (const auto entries = validate_requests(next, turns); !entries) return entries.refusal();
    trial_match_ = std::move(next);
  } else {
    const Match seen = match();
    const auto played = boards_->play(board_, turns);
    // A local board does not know which of its players is "you".
    if (!played && !board_.remote && !board_.exercise && !match().is_same_game(seen))
      return outdated_refusal(seen, match(), own_seat());
    if (!played) return played.refusal();
    changed_level = boards_->count_result(board_);
  }
  std::string message = describe_entered(open, typed);
  if (!changed_level.empty())
    message = (message.empty() ? status() : message) + " " + changed_level;
  return EntryResult{message, true};
}

Result<EntryResult> BoardSession::continue_exercise() {
  ExerciseSession& exercise = *board_.exercise;
  if (exercise.next_step()) {
    board_.match = exercise.match();
    return EntryResult{.has_played = true};
  }
  // restart() comes last, so that a failure leaves the exercise as it is.
  const std::string next = exercise.next_id();
  const std::string me = boards_->own_name();
  const auto new_game = [&] {
    const Seating seats{{me.empty() ? "player1" : me, "computer"}, {0, 1}};
    Match first = *Match::start(match().game(), {}, seats, now());
    boards_->adapt_computer(first);
    return boards_->local().save_new(first);
  };
  const auto follows = next.empty() ? new_game() : boards_->open(next);
  if (!follows) return follows.refusal();
  exercise.restart();
  return EntryResult{.has_played = true, .board_to_open = follows->id};
}

// Gives a seat to the computer at a level, or to a person for level 0.
Result<EntryResult> BoardSession::set_level(LineRef typed, std::size_t) {
  if (board_.exercise) return Refusal{"You cannot change the players of a lesson or puzzle."};
  const std::string_view rest = typed.argument;
  const std::size_t end = std::min(rest.find(' '), rest.size());
  const std::string number(rest.substr(0, end)), who(trim(rest.substr(end)));
  const auto level = read_whole_number<int>(number);
  if (!level || *level > kMaxLevel)
    return Refusal{"Type level and a number from 1 to " + std::to_string(kMaxLevel) +
                       ", or 0 for a person. Add a name if several players match.",
                   typed.argument_offset};
  if (*level > 0) value_or_throw(check_copy_help(*boards_, board_));
  const Match& m = board_.match;
  std::vector<Seat> meant;
  for (Seat s = 0; s < m.seats(); ++s) {
    const bool named = equals_ignoring_case(who, m.names()[static_cast<std::size_t>(s)]) ||
                       who == std::to_string(s + 1);
    // Without a name: the computer's seat; if there is none, the opponent's seat.
    const bool likely =
        m.has_computer() ? m.computer_level(s) > 0 : m.seats() == 2 && s != board_.acting_seat("");
    if (who.empty() ? likely : named) meant.push_back(s);
  }
  if (meant.size() != 1)
    return Refusal{"Which player? Type level " + number + " and a name, or a number from 1 to " +
                       std::to_string(m.seats()) + ".",
                   typed.argument_offset};
  if (m.ending()) return Refusal{"The game is over. Type rematch to start another."};
  value_or_throw(boards_->repository_of(id()).set_computer(board_, meant.front(), *level));
  return EntryResult{describe_seat(board_.match, meant.front())};
}

// Returns a sentence for each entry, and how to answer an open offer.
std::string BoardSession::describe_actions(const std::vector<ActionDescription>& told,
                                           bool queued) const {
  std::string out = join_descriptions(told, queued ? board_.acting_seat("") : std::nullopt);
  return out + (out.empty() ? "" : offer_prompt());
}

BoardSession::BoardChanges BoardSession::update(Result<Board> fresh) {
  // If the file is unreadable now, the next ply reports it.
  if (!fresh || &fresh->match.game() != &board_.match.game() ||
      fresh->match.seats() != board_.match.seats())
    return {};
  const bool queued = board_.remote && !board_.remote->queued_ply.empty();
  board_.remote = fresh->remote;
  const std::string seats = describe_seat_changes(board_.match, fresh->match);
  const bool still = fresh->match.log() == board_.match.log();
  if (still && seats.empty()) return {};
  const auto told = describe_new_actions(board_.match, fresh->match, own_seat());
  board_ = std::move(*fresh);
  if (still) return {true, false, seats};
  if (!told) return {true, true, "Another program changed this game. Look at the position again."};
  // The player's own queued move is not news, but a changed position is.
  const auto others = [&](const ActionDescription& t) {
    return board_.has_all_seats() || t.action.seat != board_.acting_seat("");
  };
  const auto moves = [](const ActionDescription& t) {
    const auto word = find_match_word(t.action.text);
    return !word || *word == MatchWord::accept || *word == MatchWord::resign;
  };
  return {std::ranges::any_of(*told, others), std::ranges::any_of(*told, moves),
          describe_actions(*told, queued), boards_->count_result(board_)};
}

}  // namespace pbm
