// SPDX-License-Identifier: MIT
// Reads typed lines; has the table of the words, and the actions that need only the public parts of
// a session.
#include "ui/board_words.hpp"

#include <algorithm>

#include "protocol/answer_tree.hpp"
#include "protocol/match_description.hpp"
#include "ui/board_session.hpp"
#include "ui/lobby_session.hpp"
#include "ui/settings.hpp"

namespace pbm {
namespace {

const TypedWord& require_word(std::string_view name) {
  const auto found = std::ranges::find(typed_words(), name, &TypedWord::name);
  check(found != typed_words().end(), "a word is asked for that has no row");
  return *found;
}

// True if a line of these words may begin with `word` here.
bool matches_word(const TypedWord& word, const std::vector<std::string>& words,
                  const LineContext& here) {
  using enum TypedWord::Scope;
  if (!equals_ignoring_case(word.name, words.front())) return false;
  switch (word.scope) {
    case match_word: return true;
    case server_board: return here.has_server_words;
    case screen_view: return here.front_end == FrontEnd::screen;
    case any_board:
    case view_only: break;
  }
  // If two rows have the same name, the second is for the word with text after it.
  const TypedWord* const next = &word + 1;
  return words.size() == 1 || next == &typed_words().back() + 1 || next->name != word.name;
}

}  // namespace

const TypedWord* find_typed_word(const Key& key) {
  for (const TypedWord& word : typed_words())
    if (std::ranges::find(word.keys, key) != word.keys.end()) return &word;
  return nullptr;
}

Key first_key_of_word(std::string_view name) {
  const TypedWord& word = require_word(name);
  return word.keys.empty() ? Key{} : word.keys.front();
}

std::string no_argument_message(std::string_view name) {
  return "Type " + std::string(name) + " alone.";
}

std::string format_usage(std::string_view name, std::string_view syntax,
                         const std::vector<Key>& keys) {
  std::string out(name);
  out += (syntax.empty() ? "" : " ") + std::string(syntax);
  for (const Key& key : keys) out += " " + key_name(key);
  return out;
}

std::optional<EntryResult> choose_words_mode(std::string_view argument) {
  const bool on = equals_ignoring_case(argument, "on");
  if (!on && !equals_ignoring_case(argument, "off")) return std::nullopt;
  return EntryResult{
      .message = std::string("Line mode and pbmplay show now ") +
                 (on ? "describe boards in words." : "draw boards."),
      .words_mode = on,
      .request = SettingsChange{[on](Preferences& wanted) { wanted.words_mode = on; }}};
}

TypedLine parse_typed_line(std::string_view line, const LineContext& here) {
  const auto offset = [&](std::string_view part) {
    return part.empty() ? line.size() : static_cast<std::size_t>(part.data() - line.data());
  };
  // "BT : well done" is a move and a chat line.
  constexpr std::string_view kChat = " : ";
  if (const std::size_t colon = (std::string(line) + " ").find(kChat); colon < line.size())
    if (TypedLine out = parse_typed_line(line.substr(0, colon), here);
        out.kind == TypedLine::Kind::move || out.is_match_word()) {
      out.chat = trim(line.substr(colon + kChat.size() - 1));
      return out;
    }
  TypedLine out;
  std::string_view text = trim(line);
  // Players also write "move BT", "draw" or "exit".
  constexpr std::string_view kMove = "move ", kDraw = "draw";
  if (starts_with_ignoring_case(text, kMove)) text = trim(text.substr(kMove.size()));
  if (text.empty()) return out;
  out.text_offset = offset(text);
  out.text = text;
  if (starts_with_ignoring_case(text, kDraw) &&
      (text.size() == kDraw.size() || text[kDraw.size()] == ' '))
    out.text.replace(0, kDraw.size(), "propose");
  if (equals_ignoring_case(text, "exit")) out.text = "quit";
  const std::vector<std::string> said = split_words(out.text);
  const auto found = std::ranges::find_if(
      typed_words(), [&](const TypedWord& word) { return matches_word(word, said, here); });
  std::string_view rest;
  if (text.starts_with(": ")) {
    const TypedWord& chat = require_word("chat");
    out.kind = here.has_server_words ? TypedLine::Kind::word : TypedLine::Kind::move;
    (here.has_server_words ? out.word : out.unavailable_word) = &chat;
    rest = trim(text.substr(1));
  } else if (text.front() == '#') {
    out.kind = TypedLine::Kind::ply_number;
    out.word = &require_word("show");
    rest = text;
  } else if (here.has_commands && text.front() == ':') {
    out.kind = TypedLine::Kind::command;
    rest = text.substr(1);
  } else if (found != typed_words().end()) {
    out.kind = TypedLine::Kind::word;
    out.word = &*found;
    rest = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  } else {
    out.kind = TypedLine::Kind::move;
    const auto row = std::ranges::find_if(typed_words(), [&](const TypedWord& word) {
      return equals_ignoring_case(word.name, said.front());
    });
    if (row != typed_words().end()) out.unavailable_word = &*row;
  }
  out.argument = rest;
  out.argument_offset = offset(rest);
  return out;
}

namespace {

using TypedLineRef = const TypedLine&;

// Calls a function of the session.
template <Result<EntryResult> (BoardSession::*act)(TypedLineRef, std::size_t)>
Result<EntryResult> call_session(BoardSession& session, TypedLineRef typed, std::size_t shown) {
  return (session.*act)(typed, shown);
}

// Asks the computer for help with the shown position.
template <HelpKind help>
Result<EntryResult> ask_computer(BoardSession&, TypedLineRef, std::size_t shown) {
  return EntryResult{.help_kind = help, .help_ply = shown};
}

template <class Request>
Result<EntryResult> request_handler(BoardSession&, TypedLineRef, std::size_t) {
  return EntryResult{.request = Request{}};
}

Result<EntryResult> enter_next(BoardSession& session, TypedLineRef, std::size_t) {
  return EntryResult{.request = NextBoardRequest{session.id()}};
}

Result<EntryResult> enter_help(BoardSession&, TypedLineRef typed, std::size_t) {
  return EntryResult{.request = typed.argument.empty() ? ScreenRequest(KeysRequest{})
                                                       : TopicRequest{typed.argument}};
}

Result<EntryResult> enter_show(BoardSession& session, TypedLineRef typed, std::size_t) {
  return EntryResult{.ply_to_show = session.read_ply_number(typed, session.match().plies().size())};
}

Result<EntryResult> enter_words(BoardSession& session, TypedLineRef typed, std::size_t shown) {
  if (auto chosen = choose_words_mode(typed.argument)) return *chosen;
  const std::size_t ply = session.read_ply_number(typed, shown);
  EntryResult out;
  out.lines = session.match().position_after(ply).description_lines();
  if (std::string left = session.match().holdings_after(ply, session.own_seat()); !left.empty())
    out.lines.push_back(std::move(left));
  out.lines.push_back(session.status_after(ply));
  return out;
}

Result<EntryResult> enter_legal(BoardSession& session, TypedLineRef, std::size_t) {
  const auto legal = session.match().ending() ? std::vector<std::string>{}
                                              : session.match().position().legal_plies();
  if (legal.empty()) return EntryResult{session.status()};
  return EntryResult{.lines = {join(legal)}};
}

Result<EntryResult> enter_plies(BoardSession& session, TypedLineRef, std::size_t) {
  return EntryResult{.lines = describe_plies(session.match(), session.own_seat())};
}

Result<EntryResult> enter_rules(BoardSession& session, TypedLineRef, std::size_t) {
  return EntryResult{.request = TopicRequest{std::string(session.match().game().name)}};
}

Result<EntryResult> enter_field(BoardSession& session, TypedLineRef typed, std::size_t) {
  const std::string_view fields = session.match().game().drawing_styles;
  if (fields.empty())
    return Refusal{std::string(session.match().game().title) + " has only one drawing."};
  if (equals_ignoring_case(typed.argument, field_text('\0')) && !session.board().remote)
    return EntryResult{.field = kAutoField};
  const char field = typed.argument.empty() ? '\0' : lower(typed.argument)[0];
  if (field != '\0' && (typed.argument.size() != 1 || fields.find(field) == std::string_view::npos))
    return Refusal{
        "There is no such drawing. Type field and a letter of " + std::string(fields) + ".",
        typed.argument_offset};
  return EntryResult{.field = field};
}

Result<EntryResult> enter_flip(BoardSession& session, TypedLineRef, std::size_t) {
  if (!session.match().game().can_turn)
    return Refusal{"A board of " + std::string(session.match().game().title) +
                   " cannot be turned."};
  return EntryResult{.should_flip = true};
}

Result<EntryResult> enter_try(BoardSession& session, TypedLineRef typed, std::size_t shown) {
  session.start_trial(session.read_ply_number(typed, shown));
  return EntryResult{};
}

Result<EntryResult> enter_copy(BoardSession& session, TypedLineRef typed, std::size_t shown) {
  const std::size_t from = session.read_ply_number(typed, shown);
  // A copy of the whole board keeps its notes and the plies taken back.
  const bool all =
      !session.is_trying() && typed.argument.empty() && from == session.match().plies().size();
  const Board made = value_or_throw(session.boards().local().save_new(with_origin(
      session.board(), session.boards().location(),
      session.match_for_others(all ? session.match() : session.match().prefix_copy(from)))));
  return EntryResult{
      .message = made.id + (all ? " is a copy of " : " is made from ") + session.id() + ".",
      .board_to_open = made.id};
}

Result<EntryResult> enter_rename(BoardSession& session, TypedLineRef typed, std::size_t) {
  if (typed.argument.empty()) return Refusal{"Type rename and the new name of this game."};
  if (session.board().exercise) return Refusal{"Lessons and puzzles cannot be renamed."};
  // The screen of the new name would not have the tried moves.
  if (session.is_trying())
    return Refusal{"You are trying moves. Press Esc or type boards to return to the game first."};
  auto renamed = rename_board(session.boards(), session.id(), typed.argument);
  if (renamed) renamed->board_to_open = renamed->changed_board;
  return renamed;
}

// Starts the game again with the seats in rotation; on a server, challenges the same players.
Result<EntryResult> enter_rematch(BoardSession& session, TypedLineRef, std::size_t) {
  if (!session.can_rematch())
    return Refusal{session.match().ending()
                       ? "Only the players of this game can start a rematch."
                       : "The game is not over yet. Type rematch after its end."};
  const Match& m = session.match();
  Seating seats = m.seating();
  std::rotate(seats.names.begin(), seats.names.begin() + 1, seats.names.end());
  std::rotate(seats.computer_levels.begin(), seats.computer_levels.begin() + 1,
              seats.computer_levels.end());
  Boards& boards = session.boards();
  const auto new_game = [&] {
    Match next = *Match::start(m.game(), m.options(), seats, now());
    if (boards.exercises() && boards.exercises()->is_adaptive(m)) boards.adapt_computer(next);
    return boards.local().save_new(next);
  };
  const Board made = value_or_throw(
      session.board().has_others() ? boards.server().rematch(session.board()) : new_game());
  return EntryResult{.message = "The new game is " + made.id + ". The seats are swapped.",
                     .board_to_open = made.id};
}

// The chat log shows the sent line, so there is nothing to report.
Result<EntryResult> enter_chat(BoardSession& session, TypedLineRef typed, std::size_t) {
  value_or_throw(session.boards().server().send_chat(session.id(), typed.argument));
  return EntryResult{};
}

Result<EntryResult> enter_watch(BoardSession& session, TypedLineRef typed, std::size_t) {
  const std::string told =
      value_or_throw(session.boards().server().set_watching(session.id(), typed.has_name("watch")));
  session.refresh();
  return EntryResult{told};
}

// Shows the board's chat. If the server has none or is away, shows the chat heard here.
Result<EntryResult> enter_talk(BoardSession& session, TypedLineRef, std::size_t) {
  std::string text;
  if (const auto said = session.boards().server().read_chat(session.id(), 0))
    for (const ChatLine& line : *said) text += (text.empty() ? "" : "\n") + line.format();
  else text = join(session.boards().server().chat_lines(), "\n");
  return text.empty() ? EntryResult{"There is no chat on this board yet."}
                      : EntryResult{.text = text};
}

Result<EntryResult> enter_queue(BoardSession& session, TypedLineRef typed, std::size_t) {
  const std::string& rest = typed.argument;
  const auto seat = session.board().acting_seat("");
  if (!AnswerTree::is_tree(rest) || !seat) return session.queue_ply(session.parse_line(rest).text);
  std::optional<Refusal> refused;
  if (session.board().match.to_move() == seat) {
    if (const auto fine = AnswerTree::read_after_ply(rest, session.board().match, *seat); !fine)
      refused = fine.refusal();
  } else if (const auto fine = AnswerTree::read(rest, session.board().match, *seat); !fine) {
    refused = fine.refusal();
  }
  if (refused) return Refusal{refused->reason, typed.argument_offset + refused->offset};
  return session.queue_ply(rest);
}

Result<EntryResult> enter_answers(BoardSession& session, TypedLineRef typed, std::size_t) {
  if (equals_ignoring_case(typed.argument, "none")) return session.queue_ply("none");
  if (!typed.argument.empty())
    return Refusal{"Type answers alone, or answers none.", typed.argument_offset};
  if (!session.is_trying()) {
    const std::string text = join(session.queued_answers(), "\n");
    if (text.empty())
      return EntryResult{"No answers are queued. Type try, try some moves, then type answers."};
    return EntryResult{.text = text};
  }
  if (!session.can_queue_answers())
    return Refusal{
        "Answers work in games of two, during your opponent's turn. Try moves from the board as it "
        "is now."};
  std::vector<std::string> line;
  for (std::size_t i = session.trial_start(); i < session.match().plies().size(); ++i)
    line.push_back(session.match().plies()[i].text);
  if (line.size() % 2 != 0) line.pop_back();  // its last move has no answer
  if (line.empty())
    return Refusal{"Try an opponent's move and your answer to it first. Then type answers."};
  auto tree = AnswerTree::read(session.board().remote->queued_answers);
  AnswerTree all = tree ? std::move(*tree) : AnswerTree();
  all.add_line(line);
  return session.queue_ply(all.to_string());
}

}  // namespace

const std::vector<TypedWord>& typed_words() {
  using enum TypedWord::Scope;
  using Session = BoardSession;
  static const std::vector<TypedWord> table{
      {match_word, "resign", "", "give up the game", call_session<&Session::enter_move>},
      {match_word, "propose", "", "offer a draw; the answer is accept or reject",
       call_session<&Session::enter_move>},
      {match_word, "undo", "", "take back the last move", call_session<&Session::enter_move>,
       key_list(control_key('X'))},
      {match_word, "accept", "", "", call_session<&Session::enter_move>},
      {match_word, "reject", "", "", call_session<&Session::enter_move>},
      {any_board, "redo", "", "play the move again that was taken back",
       call_session<&Session::redo_plies>, key_list(control_key('Y'))},
      {any_board, "note", "[#MOVE] TEXT",
       "add a note to the shown move or to move #MOVE; - deletes it",
       call_session<&Session::enter_note>},
      {any_board, "try", "[MOVE]", "try moves from there without playing them", enter_try,
       key_list(function_key(3))},
      {any_board, "rematch", "", "start a new game with the seats swapped", enter_rematch},
      {any_board, "copy", "[MOVE]", "copy the game up to there", enter_copy},
      {any_board, "rename", "NAME", "give this game another name", enter_rename},
      {any_board, "level", "N [PLAYER]", "set the computer's level, 1 to 10; 0: a person plays",
       call_session<&Session::set_level>},
      {any_board, "better", "[MOVE]", "try the better line, after analyse or a wrong puzzle move",
       call_session<&Session::try_better>, key_list(function_key(8))},
      {server_board, "chat", "TEXT", "send a chat message to this board", enter_chat},
      {server_board, "queue", "[MOVE|none]", "queue a move for your next turn; none: drop it",
       enter_queue},
      {server_board, "answers", "[none]",
       "show your answers; after try: queue them; none: drop them", enter_answers},
      {server_board, "talk", "", "read the chat of this board", enter_talk},
      {server_board, "watch", "", "watch this game", enter_watch},
      {server_board, "unwatch", "", "stop watching this game", enter_watch},
      {view_only, "show", "[MOVE]", "show the board as it is now, or after a move", enter_show},
      {view_only, "words", "[MOVE|on|off]",
       "describe the board in words; on, off: always, in line mode and show", enter_words},
      {view_only, "legal", "", "list every legal move", enter_legal},
      {view_only, "hint", "", "get the computer's hint; again: the move; once more: why",
       ask_computer<HelpKind::hint>},
      {view_only, "threats", "", "show what the next player threatens to win or take",
       ask_computer<HelpKind::threats>},
      {view_only, "analyse", "", "find the mistakes of the game; again: the full report",
       ask_computer<HelpKind::analysis>},
      {any_board, "analyse", "notes", "save the analysis as notes on the moves",
       call_session<&Session::save_analysis_notes>},
      {view_only, "plies", "", "list the moves, the notes and the moves taken back", enter_plies},
      {view_only, "record", "", "show the whole game as a text, with its notes",
       request_handler<RecordRequest>, key_list(function_key(5), control_key('V'))},
      {view_only, "rules", "", "show the rules of this game", enter_rules,
       key_list(function_key(1), control_key('R'))},
      {view_only, "next", "", "open the next game that needs your move", enter_next,
       key_list(control_key('G'))},
      {view_only, "field", "[a|b|c]",
       "change the drawing of the field; auto: the largest that fits", enter_field,
       key_list(control_key('T'))},
      {screen_view, "flip", "", "turn the board around, or back", enter_flip,
       key_list(function_key(9))},
      {view_only, "boards", "", "return to the list of games, or from try to the game",
       request_handler<BackRequest>},
      {screen_view, "mouse", "", "switch the mouse on or off, as F2 does",
       request_handler<MouseToggle>},
      {screen_view, "settings", "", "change colours, mouse, bell and your name, as F4 does",
       request_handler<SettingsRequest>},
      {view_only, "help", "[TOPIC]", "show this help, or the help on a topic", enter_help,
       key_list(character_key('?'))},
      {view_only, "quit", "", "leave the program; every move is saved",
       request_handler<QuitRequest>},
  };
  return table;
}

}  // namespace pbm
