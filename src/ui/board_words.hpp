// SPDX-License-Identifier: MIT
// Reads a typed line on a board: a word from one table for both front ends, a ply number, a command
// for a server, or a move. Defines the result of entering it. Leaves most words' actions to
// board_session.hpp.
#pragma once

#include <functional>
#include <variant>

#include "base/result.hpp"
#include "boards/boards.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

class BoardSession;
struct TypedLine;
struct Preferences;

// The requests that a key or a word makes of the application.
struct GoBack {           // leave this screen; while trying moves, return to the board
  std::string told = {};  // a sentence for the screen below
};
struct Quit {};  // leave the program
struct GoToBoard {
  std::string id;
  std::string told = {};   // a sentence for its screen
  std::string typed = {};  // the text of its input line
};
struct GoToNext {  // the next board that waits for a move, after this one
  std::string id;
};
struct AskName {};           // ask for the new name of a listed board
struct ReadRecord {};        // show the record of the board
struct CreateBoard {         // open the form for a new board
  std::string against = {};  // the opponent that the form suggests
  bool open = false;         // for an open challenge
};
struct ShowPeople {};  // the people on the server
struct ShowKeys {};    // the keys of this screen
struct ShowManual {};  // the list of help topics
struct ReadTopic {     // a help topic, or the rules of a game
  std::string topic;
};
struct ReadText {  // a text; `lines`, if set, makes it for a width
  std::string text;
  std::function<std::vector<std::string>(int columns)> lines = {};
};
struct Remember {  // change the saved settings, as the F4 screen does
  std::function<void(Preferences& wanted)> choose;
};
struct SwitchMouse {};
struct ShowSettings {};
using ScreenRequest = std::variant<std::monostate, GoBack, Quit, GoToBoard, GoToNext, AskName,
                                   CreateBoard, ShowPeople, ShowKeys, ShowManual, ReadTopic,
                                   ReadText, ReadRecord, Remember, SwitchMouse, ShowSettings>;

// The kinds of help that the computer gives (board_help.hpp).
enum class Help : std::uint8_t { hint, threats, analysis, openings, tutor };

// A request for the largest drawing that fits.
inline constexpr char kFieldByRoom = '*';

// The result of entering a line.
struct Entered {
  std::string told = {};                 // a sentence, or ""
  bool played = false;                   // the match got plies or words
  std::string open = {};                 // the id of a board to open
  std::string text = {};                 // a text to read
  std::vector<std::string> lines = {};   // a text to read, in lines that may be too long
  std::optional<std::size_t> show = {};  // show the board after that ply
  std::optional<char> field = {};        // switch to that drawing; 0 for the next one
  std::optional<bool> words = {};        // in line mode, describe boards in words, or draw them
  bool turn = false;                     // show the board from its other side
  std::optional<Help> help = {};         // ask the computer about the position after ply `about`
  std::size_t about = 0;
  ScreenRequest go = {};   // a request that only the front end can fulfil
  std::string board = {};  // the listed board that was changed
  // Returns the reply of a server to a command.
  static Entered of(const CommandAnswer& answer) {
    return answer.lines.empty() ? Entered{answer.summary} : Entered{.text = answer.text()};
  }
};

// Returns a word with its syntax and keys, as help lists it: "note [#MOVE] TEXT", "undo Ctrl-X".
std::string term_of(std::string_view name, std::string_view syntax,
                    const std::vector<Key>& keys = {});

// Returns the refusal for text after a word that takes none.
std::string nothing_follows(std::string_view name);

// The front end that reads a line; some words are for one of them only.
enum class Front : std::uint8_t { screen, lines };

// A row of the table of words.
struct TypedWord {
  enum class Where : std::uint8_t {
    match,    // a word of the match, which stands alone
    session,  // on every board
    server,   // on a board of a server
    view,     // changes nothing on the board
    screen,   // the same, on the screen only
  };
  Where where;
  std::string_view name, syntax, about;  // an empty `about` keeps it out of the help
  // Runs the word while the screen shows the position after ply `shown`.
  Result<Entered> (*run)(BoardSession& session, const TypedLine& typed, std::size_t shown);
  std::vector<Key> keys = {};  // keys of the screen that do the same

  bool views() const { return where == Where::view || where == Where::screen; }
  // The term as in term_of(): "note [#MOVE] TEXT", and with keys "undo Ctrl-X".
  std::string term() const { return term_of(name, syntax); }
  std::string term_and_keys() const { return term_of(name, syntax, keys); }
};

// A typed line after reading.
struct TypedLine {
  enum class Kind : std::uint8_t {
    nothing,
    word,
    number,   // the number of a ply: "#12"
    command,  // a command for the server: ":who"
    move,     // a move, or nothing known
  };
  Kind kind = Kind::nothing;
  const TypedWord* word = nullptr;       // of a word; of a number the row of "show"
  const TypedWord* elsewhere = nullptr;  // of a move: a word of that name for other boards
  std::string text;                      // the line without blanks and "move ": "BT"
  std::string rest;                      // the text after a word or ":"; a number itself
  std::size_t text_at = 0, rest_at = 0;  // their byte offsets in the line

  bool is(std::string_view name) const { return word && word->name == name; }
  bool of(TypedWord::Where where) const { return word && word->where == where; }
  bool is_match_word() const { return of(TypedWord::Where::match); }
};

const std::vector<TypedWord>& typed_words();
// Returns the row of a key, or null.
const TypedWord* word_of(const Key& key);
// Returns the first key of a word, or an empty key.
Key key_of_word(std::string_view name);

// The kinds of lines that a place understands, besides words for every board.
struct Understood {
  Front front = Front::screen;
  bool server_words = true;
  bool commands = true;
};
TypedLine read_line(std::string_view line, const Understood& here);

}  // namespace pbm
