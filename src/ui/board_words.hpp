// SPDX-License-Identifier: MIT
// What is typed where a move can be, read once: a word, of one table for the screen and line by
// line, a ply's number, a line for a server, else a move; and what entering it comes to. Leaves
// what the words do to board_session.hpp.
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

// What a key or a word asks of the front end, on a screen of the application.
struct GoBack {           // leave this screen, or from moves that are tried to the board
  std::string told = {};  // a sentence for the one below
};
struct Quit {};  // leave the program
struct GoToBoard {
  std::string id;
  std::string told = {};   // a sentence for its screen
  std::string typed = {};  // what stands in its line
};
struct GoToNext {  // the board that waits after this one
  std::string id;
};
struct AskName {};           // for a board of the list, to be typed
struct ReadRecord {};        // of the board
struct CreateBoard {         // the form for one
  std::string against = {};  // who is offered first
  bool open = false;         // an open challenge, to whoever takes it
};
struct ShowPeople {};  // of a server
struct ShowKeys {};    // of this screen
struct ShowManual {};  // the list of what there is to read
struct ReadTopic {     // the rules of a game, or another topic of help
  std::string topic;
};
struct ReadText {  // lines as they are, or as they are made for a width
  std::string text;
  std::function<std::vector<std::string>(int columns)> lines = {};
};
struct Remember {  // what was chosen by a key, as F4 has it
  std::function<void(Preferences& wanted)> choose;
};
struct SwitchMouse {};
struct ShowSettings {};  // what is chosen, to choose otherwise
using ScreenRequest = std::variant<std::monostate, GoBack, Quit, GoToBoard, GoToNext, AskName,
                                   CreateBoard, ShowPeople, ShowKeys, ShowManual, ReadTopic,
                                   ReadText, ReadRecord, Remember, SwitchMouse, ShowSettings>;

// What the computer is asked (board_help.hpp).
enum class Help : std::uint8_t { hint, threats, analysis, openings, tutor };

// Asked for in place of a drawing: the one that there is room for.
inline constexpr char kFieldByRoom = '*';

// What entering came to.
struct Entered {
  std::string told = {};                 // a sentence, or ""
  bool played = false;                   // plies or words of the match were added
  std::string open = {};                 // a board that was made and wants to be opened
  std::string text = {};                 // something to read
  std::vector<std::string> lines = {};   // the same, a line each that may be too long
  std::optional<std::size_t> show = {};  // the board after that ply is wanted
  std::optional<char> field = {};        // that drawing; 0 for the next one
  std::optional<bool> words = {};  // boards are to be told, or drawn, where there is no screen
  bool turn = false;               // the board is to be seen from its other side
  std::optional<Help> help = {};   // of the position after ply `about`
  std::size_t about = 0;
  ScreenRequest go = {};   // what only the front end has
  std::string board = {};  // of the list, that something was done about
  // What a server answered to a line.
  static Entered of(const CommandAnswer& answer) {
    return answer.lines.empty() ? Entered{answer.summary} : Entered{.text = answer.text()};
  }
};

// A word as help lists it, with what may follow it and its keys: "note [#MOVE] TEXT", "undo
// Ctrl-X".
std::string term_of(std::string_view name, std::string_view syntax,
                    const std::vector<Key>& keys = {});

// What is said of a word behind which something stands that means nothing there.
std::string nothing_follows(std::string_view name);

// Who asks: some words are of use on the screen only.
enum class Front : std::uint8_t { screen, lines };

// A row of the table.
struct TypedWord {
  enum class Where : std::uint8_t {
    match,    // stands alone, as a move does
    session,  // on every board
    server,   // on a board whose players are elsewhere
    view,     // leaves the board as it is, and what is being done there
    screen,   // the same, on the screen only
  };
  Where where;
  std::string_view name, syntax, about;  // without `about` it is not listed
  // Does it while the position after ply `shown` is looked at.
  Result<Entered> (*run)(BoardSession& session, const TypedLine& typed, std::size_t shown);
  std::vector<Key> keys = {};  // of the screen, that do the same

  bool views() const { return where == Where::view || where == Where::screen; }
  // "note [#MOVE] TEXT"; "undo Ctrl-X".
  std::string term() const { return term_of(name, syntax); }
  std::string term_and_keys() const { return term_of(name, syntax, keys); }
};

struct TypedLine {
  enum class Kind : std::uint8_t {
    nothing,
    word,
    number,   // "#12": a ply's
    command,  // ":who": for the server
    move,     // or what is none
  };
  Kind kind = Kind::nothing;
  const TypedWord* word = nullptr;       // of a word; of a number that which shows its ply
  const TypedWord* elsewhere = nullptr;  // of no move the word that means something elsewhere
  std::string text;                      // what counts, without blanks around it: "BT" of "move BT"
  std::string rest;                      // of a word or a command what follows it; a number itself
  std::size_t text_at = 0, rest_at = 0;  // where these begin in the line

  bool is(std::string_view name) const { return word && word->name == name; }
  bool of(TypedWord::Where where) const { return word && word->where == where; }
  bool is_match_word() const { return of(TypedWord::Where::match); }
};

const std::vector<TypedWord>& typed_words();
// The row that has a key; null for none.
const TypedWord* word_of(const Key& key);
// The first key of a word that has one.
Key key_of_word(std::string_view name);

// What means something where it is typed, beside what always does.
struct Understood {
  Front front = Front::screen;
  bool server_words = true;
  bool commands = true;
};
TypedLine read_line(std::string_view line, const Understood& here);

}  // namespace pbm
