// SPDX-License-Identifier: MIT
// Reads a typed line on a board: a word from one table for both front ends, a ply number, a command
// for a server, or a move. Defines the result of entering it. Leaves most words' actions to
// board_session.hpp.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "base/result.hpp"
#include "boards/boards.hpp"
#include "ui/widgets/keys.hpp"

namespace pbm {

class BoardSession;
struct TypedLine;
struct Preferences;

// The requests that a key or a word makes of the application.
struct BackRequest {         // leave this screen; while trying moves, return to the board
  std::string message = {};  // a sentence for the screen below
};
struct QuitRequest {};   // leave the program
struct SettingsChange {  // change the saved settings, as the F4 screen does
  std::function<void(Preferences& wanted)> change = {};
};
struct OpenBoardRequest {
  std::string id;
  std::string message = {};      // a sentence for its screen
  std::string typed_text = {};   // the text of its input line
  SettingsChange settings = {};  // made before it opens, or empty
};
struct NextBoardRequest {  // the next board that waits for a move, after this one
  std::string id;
};
struct RenameRequest {};  // ask for the new name of a listed board
struct RecordRequest {};  // show the record of the board
struct PictureRequest {   // save a picture of a board for people elsewhere
  std::shared_ptr<const Match> match = {};
  std::size_t ply = 0;  // the position after so many plies
  View view = {};
  std::string board_id = {};
  bool has_moves = false;  // all moves up to there, as a moving picture
};
// Saves that picture and says where it is.
using PictureWriter = std::function<Result<std::string>(const PictureRequest&)>;
struct NewBoardRequest {           // open the form for a new board
  std::string opponent = {};       // the opponent that the form suggests
  bool is_open_challenge = false;  // for an open challenge
};
struct PeopleRequest {};  // the people on the server
struct ContestRequest {   // a page of a server about tournaments, ladders or a player
  std::string command;    // of the server; "" for the list of all
};
struct KeysRequest {};    // the keys of this screen
struct ManualRequest {};  // the list of help topics
struct TopicRequest {     // a help topic, or the rules of a game
  std::string topic;
};
struct TextRequest {  // a text; `make_lines`, if set, makes it for a width
  std::string text;
  std::function<std::vector<std::string>(int columns)> make_lines = {};
  std::optional<PictureRequest> picture = {};  // the picture that the reader can save
};
struct MouseToggle {};
struct SettingsRequest {};
using ScreenRequest =
    std::variant<std::monostate, BackRequest, QuitRequest, OpenBoardRequest, NextBoardRequest,
                 RenameRequest, NewBoardRequest, PeopleRequest, ContestRequest, KeysRequest,
                 ManualRequest, TopicRequest, TextRequest, RecordRequest, PictureRequest,
                 SettingsChange, MouseToggle, SettingsRequest>;

// The kinds of help that the computer gives (board_help.hpp).
enum class HelpKind : std::uint8_t { hint, threats, analysis, tutor };

// A request for the largest drawing that fits.
inline constexpr char kAutoField = '*';

// The result of entering a line.
struct EntryResult {
  std::string message = {};                     // a sentence, or ""
  bool has_played = false;                      // the match got plies or words
  std::string board_to_open = {};               // the id of a board to open
  std::string unsent_line = {};                 // the chat line that the server did not take
  std::string text = {};                        // a text to read
  std::vector<std::string> lines = {};          // a text to read, in lines that may be too long
  std::optional<std::size_t> ply_to_show = {};  // show the board after that ply
  std::optional<char> field = {};               // switch to that drawing; 0 for the next one
  std::optional<bool> words_mode = {};  // in line mode, describe boards in words, or draw them
  bool should_flip = false;             // show the board from its other side
  std::optional<HelpKind> help_kind =
      {};  // ask the computer about the position after ply `description`
  std::size_t help_ply = 0;
  ScreenRequest request = {};      // a request that only the front end can fulfil
  std::string changed_board = {};  // the listed board that was changed
  // Returns the reply of a server to a command. Opens a new board.
  static EntryResult from_answer(const CommandAnswer& answer) {
    if (!answer.board_id.empty())
      return {.message = answer.summary, .board_to_open = answer.board_id};
    return answer.lines.empty() ? EntryResult{answer.summary} : EntryResult{.text = answer.text()};
  }
};

// Returns the result of "words on" or "words off", or nothing for another argument.
std::optional<EntryResult> choose_words_mode(std::string_view argument);

// Returns a word with its syntax and keys, as help lists it: "note [#MOVE] TEXT", "undo Ctrl-X".
std::string format_usage(std::string_view name, std::string_view syntax,
                         const std::vector<Key>& keys = {});

// Returns the refusal for text after a word that takes none.
std::string no_argument_message(std::string_view name);

// The front end that reads a line; some words are for one of them only.
enum class FrontEnd : std::uint8_t { screen, line_mode };

// A row of the table of words.
struct TypedWord {
  enum class Scope : std::uint8_t {
    match_word,    // a word of the match, which stands alone
    any_board,     // on every board
    server_board,  // on a board of a server
    view_only,     // changes nothing on the board
    screen_view,   // the same, on the screen only
  };
  Scope scope;
  std::string_view name, syntax, description;  // an empty `description` keeps it out of the help
  // Runs the word while the screen shows the position after ply `shown`.
  Result<EntryResult> (*run)(BoardSession& session, const TypedLine& typed, std::size_t shown);
  std::vector<Key> keys = {};  // keys of the screen that do the same

  bool is_view() const { return scope == Scope::view_only || scope == Scope::screen_view; }
  // The term as in format_usage(): "note [#MOVE] TEXT", and with keys "undo Ctrl-X".
  std::string usage() const { return format_usage(name, syntax); }
  std::string usage_and_keys() const { return format_usage(name, syntax, keys); }
};

// A typed line after reading.
struct TypedLine {
  enum class Kind : std::uint8_t {
    empty,
    word,
    ply_number,  // the number of a ply: "#12"
    command,     // a command for the server: ":who"
    move,        // a move, or nothing known
  };
  Kind kind = Kind::empty;
  const TypedWord* word = nullptr;              // of a word; of a number the row of "show"
  const TypedWord* unavailable_word = nullptr;  // of a move: a word of that name for other boards
  std::string text;                             // the line without blanks and "move ": "BT"
  std::string argument;                         // the text after a word or ":"; a number itself
  std::optional<std::string> chat = {};         // of a move or match word: the text after " : "
  std::size_t text_offset = 0, argument_offset = 0;  // their byte offsets in the line

  bool has_name(std::string_view name) const { return word && word->name == name; }
  bool has_scope(TypedWord::Scope where) const { return word && word->scope == where; }
  bool is_match_word() const { return has_scope(TypedWord::Scope::match_word); }
};

const std::vector<TypedWord>& typed_words();
// Returns the row of a key, or null.
const TypedWord* find_typed_word(const Key& key);
// Returns the first key of a word, or an empty key.
Key first_key_of_word(std::string_view name);

// The kinds of lines that a place understands, besides words for every board.
struct LineContext {
  FrontEnd front_end = FrontEnd::screen;
  bool has_server_words = true;
  bool has_commands = true;
};
TypedLine parse_typed_line(std::string_view line, const LineContext& here);

}  // namespace pbm
