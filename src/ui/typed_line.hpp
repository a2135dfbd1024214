// SPDX-License-Identifier: MIT
// What is typed where a move can be, read once: which word it is, of one table for the
// screen and line by line, or a ply's number, a line for a server, else a move. Leaves
// moves to the match, and what the words do to board_session.hpp and the front ends.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

enum class Word : std::uint8_t {
  resign,
  propose,
  undo,
  accept,
  reject,  // the match's
  redo,
  note,
  try_moves,
  rematch,
  copy,
  level,
  better,
  chat,
  queue,
  answers,
  talk,
  watch,
  unwatch,  // the session's
  show,
  words,
  preview,
  legal,
  hint,
  threats,
  analyse,
  openings,
  plies,
  record,
  field,
  rules,
  next,
  boards,
  mouse,
  settings,
  help,
  quit,  // the front ends'
};

// Who asks: some words are keys on the screen, and others are of use there only.
enum class Front : std::uint8_t { screen, lines };

// A row of the table.
struct TypedWord {
  enum class Where : std::uint8_t {
    match,    // stands alone, as a move does
    session,  // on every board
    server,   // on a board whose players are elsewhere
    fronts,   // done by both front ends themselves
    screen,
    lines,  // by one of them
  };
  Word word;
  Where where;
  std::string_view name, syntax, about;  // without `about` it is not listed

  // "note [#PLY] TEXT".
  std::string term() const;
  bool of_front(Front front) const {
    return where == Where::fronts ||
           where == (front == Front::screen ? Where::screen : Where::lines);
  }
};
const std::vector<TypedWord>& typed_words();
std::string_view name_of(Word word);

struct TypedLine {
  enum class Kind : std::uint8_t {
    nothing,
    word,
    number,   // "#12": a ply's
    command,  // ":who": for the server
    move,     // or what is none
  };
  Kind kind = Kind::nothing;
  const TypedWord* word = nullptr;       // of a word
  std::string text;                      // what counts, without blanks around it: "BT" of "move BT"
  std::string rest;                      // of a word or a command: what follows it
  std::size_t text_at = 0, rest_at = 0;  // where these begin in the line

  bool is(Word w) const { return word && word->word == w; }
  bool of(TypedWord::Where where) const { return word && word->where == where; }
  bool is_match_word() const { return of(TypedWord::Where::match); }
};

// What means something where it is typed, beside what always does.
struct Understood {
  Front front = Front::screen;
  bool server_words = true;
  bool commands = true;
};
TypedLine read_line(std::string_view line, const Understood& here);

}  // namespace pbm
