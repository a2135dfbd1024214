// SPDX-License-Identifier: MIT
// One player at the list of boards: the words to type there, a row each, with keys that do the
// same. Leaves the list to lobby_model.hpp, and keys and drawings to the front ends.
#pragma once

#include <span>

#include "protocol/new_board.hpp"
#include "ui/board_words.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

// Starts a checked new board. Opens it, unless it is a pair of boards or an open challenge.
Result<Entered> begin_board(Boards& boards, const NewBoard& wanted);

// The refusal of the word "next"; holds until the list changes.
inline constexpr std::string_view kNothingWaits = "No board waits for a move.";

// The player's input at the list of boards.
class LobbySession {
 public:
  using Words = std::vector<std::string>;
  // `name` is as for LobbyModel.
  LobbySession(Boards& boards, const std::string& name, Front front);

  // Returns the list. Typed numbers mean its shown rows; in line mode, the rows as last written.
  LobbyModel& list() { return list_; }

  // A word and its action.
  struct Word {
    enum class Where : std::uint8_t {
      anywhere,
      asking,  // anywhere; with a server it may wait for a reply (Boards::ask)
      server,  // the same, but only with a server
      known,   // only with a server, but uses what is known of it here
      lines,   // not on a screen with a server, which has a command of that name
      screen,  // on a screen only
    };
    std::string_view name, syntax, about;
    Where where;
    Result<Entered> (LobbySession::*run)(const Words& given);
    std::vector<Key> keys = {};  // keys of the screen that do the same
    bool of_board = false;       // it is about a board; a key means the selected one
    // Says what a second press of the key does to that board, as "copies toot-101". If it is null
    // or returns "", the first press does it.
    std::string (LobbySession::*again)(const std::string& id) const = nullptr;
  };
  static std::span<const Word> words();
  bool means_something(const Word& word) const;
  // Returns the row of the first word of a line, in any case, or of a key. Returns null if there is
  // none, or if it does not apply here.
  const Word* find(std::string_view line) const;
  const Word* find(const Key& key) const;
  // Describes the effect of a line while it is typed, or lists the words that begin like it.
  std::string about(std::string_view line) const;
  // Does what a line says. On a screen with a server, unknown words are commands for the server.
  Result<Entered> enter(const std::string& line);
  // Runs a word with its arguments; a board is given by its id. Pre: find() returns the word.
  Result<Entered> enter(const Word& word, const Words& given) { return (this->*word.run)(given); }
  // True if the word may have to wait for a server. Without arguments, it opens a form instead.
  static bool waits(const Word& word, std::size_t given) {
    const bool asks = word.where == Word::Where::asking || word.where == Word::Where::server;
    return asks && (given > 0 || word.syntax.empty());
  }
  std::string again(const Word& word, const std::string& id) const {
    return word.again ? (this->*word.again)(id) : "";
  }
  bool removed_any() const { return !removed_.empty(); }
  // Says what was deleted last and how to restore it. It stays until the second return to the list.
  const std::string& just_removed() const { return just_removed_; }
  void come_back() {
    if (seen_again_++ > 0) just_removed_.clear();
  }
  // True if the board is a challenge that the user can refuse: some players have not played yet.
  bool may_refuse(const BoardSummary& board) const {
    return board.to_move && !board.aside && !board.example && board.seek == 0 &&
           board.plies < board.names.size() && board.plays(boards_.server().user());
  }
  // Sends a command to the server. With `opens`, opens the board that the reply is about.
  Result<Entered> command(const std::string& line, bool opens = false);

 private:
  Result<Entered> write_list(const Words& given);
  Result<Entered> open(const Words& given);
  Result<Entered> next(const Words& given);
  Result<Entered> create(const Words& given);
  Result<Entered> copy(const Words& given);
  Result<Entered> rename(const Words& given);
  Result<Entered> remove(const Words& given);
  Result<Entered> undelete(const Words& given);
  Result<Entered> rules(const Words& given);
  Result<Entered> lesson(const Words& given);
  Result<Entered> puzzle(const Words& given);
  Result<Entered> seek(const Words& given);
  Result<Entered> take(const Words& given);
  Result<Entered> refuse(const Words& given);
  Result<Entered> players(const Words& given);
  Result<Entered> everybody(const Words& given);
  Result<Entered> talk(const Words& given);
  template <class Request>
  Result<Entered> go(const Words&) {
    return Entered{.go = Request{}};
  }
  Result<Entered> help(const Words& given) {
    return Entered{.go = given.empty() ? ScreenRequest(ShowKeys{}) : ReadTopic{given.front()}};
  }
  std::string copies(const std::string& id) const { return list_.folded(id) ? "" : "copies " + id; }
  // stays() is true if the board cannot be deleted; is_there() if a server keeps it.
  bool stays(const std::string& id) const;
  bool is_there(const std::string& id) const {
    return !list_.folded(id) && &boards_.of(id) == &boards_.server();
  }
  std::string deletes(const std::string& id) const;
  std::string refuses(const std::string& id) const;

  // Plays a word of the match for the player, and returns the state of the game.
  Result<Entered> play(const std::string& id, const std::string& word);
  // Returns the id of a board that was typed as a row's number or a name.
  std::string id_of(const std::string& word) const;
  // Returns how to use a word: its key, or in line mode the word.
  std::string way_to(std::string_view word) const;

  Boards& boards_;
  Front front_;
  LobbyModel list_;
  std::vector<Words> removed_;  // the boards of each deletion, the latest last
  std::string just_removed_;
  int seen_again_ = 0;
};

}  // namespace pbm
