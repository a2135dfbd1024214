// SPDX-License-Identifier: MIT
#include "ui/typed_line.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

const std::vector<TypedWord>& typed_words() {
  using enum TypedWord::Where;
  static const std::vector<TypedWord> table{
      {Word::resign, match, "resign", "", "give the game up"},
      {Word::propose, match, "propose", "", "offer a draw (answer: accept or reject)"},
      {Word::undo, match, "undo", "", "take the last ply back"},
      {Word::accept, match, "accept", "", ""},
      {Word::reject, match, "reject", "", ""},
      {Word::redo, session, "redo", "", "play again what was taken back"},
      {Word::note, session, "note", "[#PLY] TEXT",
       "keep a note on the ply shown, or on that one; - for the text takes it away"},
      {Word::try_moves, session, "try", "[PLY]", "try moves from there; nothing of it is kept"},
      {Word::rematch, session, "rematch", "",
       "after the end: a new board with the seats swapped; r alone does it"},
      {Word::copy, session, "copy", "[PLY]", "a new board that goes on from there"},
      {Word::level, session, "level", "N [PLAYER]",
       "the computer plays at that level, 1 to 10; 0 gives its seat to a person"},
      {Word::better, session, "better", "[PLY]",
       "after analyse: try the line that was better than that ply; in a puzzle: see what answers "
       "a wrong one"},
      {Word::chat, server, "chat", "TEXT", "say something to all on this board"},
      {Word::queue, server, "queue", "[MOVE|none]", "what is to be played when your turn comes"},
      {Word::answers, server, "answers", "[none]",
       "while moves are tried: keep them as answers, to be played at once; else: read them"},
      {Word::talk, server, "talk", "", "read what was said here"},
      {Word::watch, server, "watch", "", "watch this board"},
      {Word::unwatch, server, "unwatch", "", "watch it no more"},
      {Word::show, screen, "show", "[PLY]", "the board as it is now, or after a ply"},
      {Word::show, lines, "show", "[PLY]", "draw the board, now or after a ply"},
      {Word::words, lines, "words", "[PLY]", "the position in words"},
      {Word::preview, lines, "preview", "MOVE", "what a move would do, without playing it"},
      {Word::legal, fronts, "legal", "", "every legal move"},
      {Word::hint, fronts, "hint", "",
       "where the computer would play; again: what; again: why (alone with it only)"},
      {Word::threats, fronts, "threats", "",
       "what the next to play would win or take; on a server after the end"},
      {Word::analyse, fronts, "analyse", "[notes]",
       "what each ply gave away; again: all of it to read; notes: keep it on the plies"},
      {Word::openings, fronts, "openings", "[PLY]",
       "what was played next in games that are over, now or after a ply"},
      {Word::plies, fronts, "plies", "", "what was played, noted and taken back"},
      {Word::record, fronts, "record", "", "the whole game as a text"},
      {Word::rules, screen, "rules", "", "the rules of this game"},
      {Word::next, screen, "next", "", "the next board that waits for a move"},
      {Word::next, lines, "next", "", "open the next board that waits for a move"},
      {Word::field, lines, "field", "a|b|c", "how to draw a game that has several drawings"},
      {Word::rules, lines, "rules", "", "the rules of this game"},
      {Word::boards, screen, "boards", "", "back to the boards"},
      {Word::boards, lines, "boards", "",
       "from moves that are tried back to the board, from there to the list of boards"},
      {Word::mouse, screen, "mouse", "", "the mouse on or off, as F2"},
      {Word::settings, screen, "settings", "", "colours, mouse, bell, your name, as F4"},
      {Word::help, screen, "help", "", "this help"},
      {Word::help, lines, "help", "[TOPIC]", "this list, or more"},
      {Word::quit, fronts, "quit", "", "leave the program; everything is kept"},
  };
  return table;
}

std::string_view name_of(Word word) {
  return std::find_if(typed_words().begin(), typed_words().end(),
                      [&](const TypedWord& w) { return w.word == word; })
      ->name;
}

std::string TypedWord::term() const {
  return std::string(name) + (syntax.empty() ? "" : " ") + std::string(syntax);
}

namespace {

// Whether a line of these words may be `word`, its first one. A word of the screen with
// more behind it than belongs there is a slip of somebody who types a move.
bool stands_for(const TypedWord& word, const std::vector<std::string>& words,
                const Understood& here) {
  if (!same_ignoring_case(word.name, words.front())) return false;
  switch (word.where) {
    case TypedWord::Where::match: return words.size() == 1;
    case TypedWord::Where::session: return true;
    case TypedWord::Where::server: return here.server_words;
    default:
      return word.of_front(here.front) &&
             (here.front == Front::lines || words.size() <= (word.syntax.empty() ? 1U : 2U));
  }
}

}  // namespace

TypedLine read_line(std::string_view line, const Understood& here) {
  const auto offset = [&](std::string_view part) {
    return part.empty() ? line.size() : static_cast<std::size_t>(part.data() - line.data());
  };
  TypedLine out;
  std::string_view text = trim(line);
  // As people write it, "move BT" or "draw".
  constexpr std::string_view kMove = "move ", kDraw = "draw";
  if (starts_ignoring_case(text, kMove)) text = trim(text.substr(kMove.size()));
  if (text.empty()) return out;
  out.text_at = offset(text);
  out.text = same_ignoring_case(text, kDraw) ? "propose" : text;
  const std::vector<std::string> said = words(out.text);
  const auto found =
      std::find_if(typed_words().begin(), typed_words().end(),
                   [&](const TypedWord& word) { return stands_for(word, said, here); });
  std::string_view rest;
  if (text.front() == '#') {
    out.kind = TypedLine::Kind::number;
  } else if (here.commands && text.front() == ':') {
    out.kind = TypedLine::Kind::command;
    rest = text.substr(1);
  } else if (found != typed_words().end()) {
    out.kind = TypedLine::Kind::word;
    out.word = &*found;
    rest = trim(text.substr(std::min(found->name.size(), text.size())));
  } else {
    out.kind = TypedLine::Kind::move;
  }
  out.rest = rest;
  out.rest_at = offset(rest);
  return out;
}

}  // namespace pbm
