// SPDX-License-Identifier: MIT
// Reads typed lines; has the table of the words, and the actions that need only the public parts of
// a session.
#include "ui/board_words.hpp"

#include <algorithm>

#include "protocol/answers.hpp"
#include "protocol/telling.hpp"
#include "ui/board_session.hpp"
#include "ui/settings.hpp"

namespace pbm {

namespace {

const TypedWord& word_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(typed_words(), [&](const TypedWord& word) { return word.name == name; });
  check(found != typed_words().end(), "a word is asked for that has no row");
  return *found;
}

// True if a line of these words may begin with `word` here.
bool stands_for(const TypedWord& word, const std::vector<std::string>& words,
                const Understood& here) {
  using enum TypedWord::Where;
  if (!same_ignoring_case(word.name, words.front())) return false;
  switch (word.where) {
    case match: return true;
    case server: return here.server_words;
    case screen: return here.front == Front::screen;
    case session:
    case view: break;
  }
  // If two rows have the same name, the second is for the word with text after it.
  const TypedWord* const next = &word + 1;
  return words.size() == 1 || next == &typed_words().back() + 1 || next->name != word.name;
}

}  // namespace

const TypedWord* word_of(const Key& key) {
  for (const TypedWord& word : typed_words())
    if (std::ranges::find(word.keys, key) != word.keys.end()) return &word;
  return nullptr;
}

Key key_of_word(std::string_view name) {
  const TypedWord& word = word_named(name);
  return word.keys.empty() ? Key{} : word.keys.front();
}

std::string nothing_follows(std::string_view name) {
  return "Nothing follows " + std::string(name) + ".";
}

std::string term_of(std::string_view name, std::string_view syntax, const std::vector<Key>& keys) {
  std::string out(name);
  out += (syntax.empty() ? "" : " ") + std::string(syntax);
  for (const Key& key : keys) out += " " + key_name(key);
  return out;
}

TypedLine read_line(std::string_view line, const Understood& here) {
  const auto offset = [&](std::string_view part) {
    return part.empty() ? line.size() : static_cast<std::size_t>(part.data() - line.data());
  };
  TypedLine out;
  std::string_view text = trim(line);
  // Players also write "move BT" or "draw".
  constexpr std::string_view kMove = "move ", kDraw = "draw";
  if (starts_ignoring_case(text, kMove)) text = trim(text.substr(kMove.size()));
  if (text.empty()) return out;
  out.text_at = offset(text);
  out.text = text;
  if (starts_ignoring_case(text, kDraw) &&
      (text.size() == kDraw.size() || text[kDraw.size()] == ' '))
    out.text.replace(0, kDraw.size(), "propose");
  const std::vector<std::string> said = words(out.text);
  const auto found = std::ranges::find_if(
      typed_words(), [&](const TypedWord& word) { return stands_for(word, said, here); });
  std::string_view rest;
  if (text.front() == '#') {
    out.kind = TypedLine::Kind::number;
    out.word = &word_named("show");
    rest = text;
  } else if (here.commands && text.front() == ':') {
    out.kind = TypedLine::Kind::command;
    rest = text.substr(1);
  } else if (found != typed_words().end()) {
    out.kind = TypedLine::Kind::word;
    out.word = &*found;
    rest = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  } else {
    out.kind = TypedLine::Kind::move;
    const auto row = std::ranges::find_if(typed_words(), [&](const TypedWord& word) {
      return same_ignoring_case(word.name, said.front());
    });
    if (row != typed_words().end()) out.elsewhere = &*row;
  }
  out.rest = rest;
  out.rest_at = offset(rest);
  return out;
}

namespace {

using Typed = const TypedLine&;

// Calls a function of the session.
template <Result<Entered> (BoardSession::*act)(Typed, std::size_t)>
Result<Entered> by(BoardSession& session, Typed typed, std::size_t shown) {
  return (session.*act)(typed, shown);
}

// Asks the computer for help with the position of the typed ply.
template <Help help>
Result<Entered> ask(BoardSession& session, Typed typed, std::size_t shown) {
  return Entered{.help = help, .about = session.ply_in(typed, shown)};
}

template <class Request>
Result<Entered> go(BoardSession&, Typed, std::size_t) {
  return Entered{.go = Request{}};
}

Result<Entered> next(BoardSession& session, Typed, std::size_t) {
  return Entered{.go = GoToNext{session.id()}};
}

Result<Entered> show_help(BoardSession&, Typed typed, std::size_t) {
  return Entered{.go = typed.rest.empty() ? ScreenRequest(ShowKeys{}) : ReadTopic{typed.rest}};
}

Result<Entered> show(BoardSession& session, Typed typed, std::size_t) {
  return Entered{.show = session.ply_in(typed, session.match().plies().size())};
}

Result<Entered> in_words(BoardSession& session, Typed typed, std::size_t shown) {
  if (const bool on = same_ignoring_case(typed.rest, "on");
      on || same_ignoring_case(typed.rest, "off"))
    return Entered{.told = on ? "Line by line boards are told in words from now on."
                              : "Line by line boards are drawn from now on.",
                   .words = on};
  const std::size_t ply = session.ply_in(typed, shown);
  Entered out;
  out.lines = session.match().position_after(ply).in_words();
  if (const std::string left = session.match().holdings_after(ply); !left.empty())
    out.lines.push_back(left);
  out.lines.push_back(ply == session.match().plies().size() ? session.match().standing()
                                                            : session.match().standing_after(ply));
  return out;
}

Result<Entered> legal(BoardSession& session, Typed, std::size_t) {
  const auto legal =
      session.match().ending() ? std::vector<std::string>{} : session.match().position().legal();
  if (legal.empty()) return Entered{session.match().standing()};
  return Entered{.lines = {joined(legal, 0, legal.size())}};
}

Result<Entered> plies(BoardSession& session, Typed, std::size_t) {
  return Entered{.lines = plies_in_words(session.match())};
}

Result<Entered> rules(BoardSession& session, Typed, std::size_t) {
  return Entered{.go = ReadTopic{std::string(session.match().game().name)}};
}

Result<Entered> field(BoardSession& session, Typed typed, std::size_t) {
  const std::string_view fields = session.match().game().fields;
  if (fields.empty())
    return Refusal{std::string(session.match().game().title) + " has one drawing only."};
  if (same_ignoring_case(typed.rest, field_text('\0')) && !session.board().remote)
    return Entered{.field = kFieldByRoom};
  const char field = typed.rest.empty() ? '\0' : lower(typed.rest)[0];
  if (field != '\0' && (typed.rest.size() != 1 || fields.find(field) == std::string_view::npos))
    return Refusal{"Which drawing? Type field and a letter of " + std::string(fields) + ".",
                   typed.rest_at};
  return Entered{.field = field};
}

Result<Entered> flip(BoardSession& session, Typed, std::size_t) {
  if (!session.match().game().turns)
    return Refusal{std::string(session.match().game().title) + " is seen from one side only."};
  return Entered{.turn = true};
}

Result<Entered> try_moves(BoardSession& session, Typed typed, std::size_t shown) {
  session.try_from(session.ply_in(typed, shown));
  return Entered{};
}

Result<Entered> copy(BoardSession& session, Typed typed, std::size_t shown) {
  const std::size_t from = session.ply_in(typed, shown);
  // A copy of the whole board keeps its notes and the plies taken back.
  const bool all =
      !session.trying() && typed.rest.empty() && from == session.match().plies().size();
  const Board made = need(session.boards().own().keep(
      copied_from(session.board(), session.boards().place(),
                  all ? session.match() : session.match().prefix(from))));
  return Entered{.told = "This is board " + made.id + ", " + (all ? "a copy of " : "made of ") +
                         session.id() + ".",
                 .open = made.id};
}

// Starts the game again with the seats in rotation; on a server, challenges the same players.
Result<Entered> rematch(BoardSession& session, Typed, std::size_t) {
  if (!session.may_rematch())
    return Refusal{session.match().ending() ? "Only those who played here can have a rematch."
                                            : "The game is not over: a rematch comes after it."};
  const Match& m = session.match();
  Seating seats = m.seating();
  std::rotate(seats.names.begin(), seats.names.begin() + 1, seats.names.end());
  std::rotate(seats.levels.begin(), seats.levels.begin() + 1, seats.levels.end());
  Boards& boards = session.boards();
  const Board made =
      need(session.board().has_others()
               ? boards.server().rematch(session.board())
               : boards.own().keep(*Match::start(m.game(), m.options(), seats, now())));
  return Entered{.told = "This is board " + made.id + ", with the seats swapped.", .open = made.id};
}

// The chat log shows the sent line, so there is nothing to report.
Result<Entered> chat(BoardSession& session, Typed typed, std::size_t) {
  need(session.boards().server().chat(session.id(), typed.rest));
  return Entered{};
}

Result<Entered> watch(BoardSession& session, Typed typed, std::size_t) {
  const std::string told = need(session.boards().server().watch(session.id(), typed.is("watch")));
  session.refresh();
  return Entered{told};
}

// Shows the board's chat. If the server has none or is away, shows the chat heard here.
Result<Entered> talk(BoardSession& session, Typed, std::size_t) {
  std::string text;
  if (const auto said = session.boards().server().said_on(session.id(), 0))
    for (const ChatLine& line : *said) text += (text.empty() ? "" : "\n") + line.in_words();
  else text = joined_lines(session.boards().server().talk());
  return text.empty() ? Entered{"Nothing was said here yet."} : Entered{.text = text};
}

Result<Entered> queue_typed(BoardSession& session, Typed typed, std::size_t) {
  const std::string& rest = typed.rest;
  const auto seat = session.board().acting_seat("");
  if (!Answers::is_tree(rest) || !seat) return session.queue(session.read(rest).text);
  std::optional<Refusal> refused;
  if (session.board().match.to_move() == seat) {
    if (const auto fine = Answers::read_begun(rest, session.board().match, *seat); !fine)
      refused = fine.refusal();
  } else if (const auto fine = Answers::read(rest, session.board().match, *seat); !fine) {
    refused = fine.refusal();
  }
  if (refused) return Refusal{refused->why, typed.rest_at + refused->at};
  return session.queue(rest);
}

Result<Entered> keep_answers(BoardSession& session, Typed typed, std::size_t) {
  if (same_ignoring_case(typed.rest, "none")) return session.queue("none");
  if (!typed.rest.empty()) return Refusal{"Nothing follows answers but none.", typed.rest_at};
  if (!session.trying()) {
    const std::string text = joined_lines(session.kept_answers());
    return text.empty()
               ? Entered{"No answers are kept here: type try, try some moves, then type answers."}
               : Entered{.text = text};
  }
  if (!session.may_keep_answers())
    return Refusal{
        "Answers are to what the other plays next, where there are two: try moves from the board "
        "as it is, while it is not your turn."};
  std::vector<std::string> line;
  for (std::size_t i = session.tried_from(); i < session.match().plies().size(); ++i)
    line.push_back(session.match().plies()[i].text);
  if (line.size() % 2 != 0) line.pop_back();  // its last move has no answer
  if (line.empty())
    return Refusal{"Try a move of the other's and your answer to it, and keep them then."};
  auto tree = Answers::read(session.board().remote->answers);
  Answers all = tree ? std::move(*tree) : Answers();
  all.put(line);
  return session.queue(all.to_string());
}

}  // namespace

const std::vector<TypedWord>& typed_words() {
  using enum TypedWord::Where;
  using Session = BoardSession;
  static const std::vector<TypedWord> table{
      {match, "resign", "", "give the game up", by<&Session::play>},
      {match, "propose", "", "offer a draw (answer: accept or reject)", by<&Session::play>},
      {match, "undo", "", "take the last move back", by<&Session::play>, by_keys(ctrl('X'))},
      {match, "accept", "", "", by<&Session::play>},
      {match, "reject", "", "", by<&Session::play>},
      {session, "redo", "", "play again what was taken back", by<&Session::redo>,
       by_keys(ctrl('Y'))},
      {session, "note", "[#MOVE] TEXT",
       "keep a note on the move shown, or on that one; - for the text takes it away",
       by<&Session::note>},
      {session, "try", "[MOVE]", "try moves from there; nothing of it is kept", try_moves,
       by_keys(fkey(3))},
      {session, "rematch", "", "after the end: a new board with the seats swapped", rematch},
      {session, "copy", "[MOVE]", "a new board that goes on from there", copy},
      {session, "level", "N [PLAYER]",
       "the computer plays at that level, 1 to 10; 0 gives its seat to a person",
       by<&Session::set_level>},
      {session, "better", "[MOVE]",
       "after analyse: try the line that was better than that move; in a puzzle: see what answers "
       "a wrong one",
       by<&Session::try_better>, by_keys(fkey(8))},
      {server, "chat", "TEXT", "say something to all on this board", chat},
      {server, "queue", "[MOVE|none]", "what is to be played when your turn comes", queue_typed},
      {server, "answers", "[none]",
       "while moves are tried: keep them as answers, to be played at once; else: read them",
       keep_answers},
      {server, "talk", "", "read what was said here", talk},
      {server, "watch", "", "watch this board", watch},
      {server, "unwatch", "", "watch it no more", watch},
      {view, "show", "[MOVE]", "the board as it is now, or after a move", show},
      {view, "words", "[MOVE|on|off]",
       "the position in words; on: line by line always so, and only what changes", in_words},
      {view, "legal", "", "every legal move", legal},
      {view, "hint", "",
       "where the computer would play; again: what and why (only alone with the computer)",
       ask<Help::hint>},
      {view, "threats", "",
       "what the next player threatens to win or take; on a server after the end",
       ask<Help::threats>},
      {view, "analyse", "", "what each move gave away; again: all of it to read",
       ask<Help::analysis>},
      {session, "analyse", "notes", "keep that on the moves, as notes",
       by<&Session::keep_analysis>},
      {view, "openings", "[MOVE]", "what was played next in finished games, now or after a move",
       ask<Help::openings>},
      {view, "plies", "", "what was played, noted and taken back", plies},
      {view, "record", "", "the whole game as a text: moves in columns, notes", go<ReadRecord>,
       by_keys(fkey(5), ctrl('V'))},
      {view, "rules", "", "the rules of this game", rules, by_keys(fkey(1), ctrl('R'))},
      {view, "next", "", "the next board that waits for a move", next, by_keys(ctrl('G'))},
      {view, "field", "[a|b|c]",
       "draw the field in its next style, or in that one (where a game has several); auto: as "
       "there is "
       "room",
       field, by_keys(ctrl('T'))},
      {screen, "flip", "", "turn the board round, or back (where a game allows it)", flip,
       by_keys(fkey(9))},
      {view, "boards", "", "back to the boards, or from moves that are tried to the board",
       go<GoBack>},
      {screen, "mouse", "", "the mouse on or off, as F2", go<SwitchMouse>},
      {screen, "settings", "", "colours, mouse, bell, your name, as F4", go<ShowSettings>},
      {view, "help", "[TOPIC]", "this help, or more", show_help, by_keys(typed('?'))},
      {view, "quit", "", "leave the program; everything is kept", go<Quit>},
  };
  return table;
}

}  // namespace pbm
