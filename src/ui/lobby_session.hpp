// SPDX-License-Identifier: MIT
// One person at the list of boards, on a screen or line by line: the words that are typed there, a
// row each, and what keys do in their place. Leaves the list itself to lobby_model.hpp, keys and
// pictures to the front ends.
#pragma once

#include <span>

#include "protocol/new_board.hpp"
#include "ui/board_words.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

// Begins a board that was checked. It is gone to, but not where several are, or nobody plays yet.
Result<Entered> begin_board(Boards& boards, const NewBoard& wanted);

// Until the list is another one.
inline constexpr std::string_view kNothingWaits = "No board waits for a move.";

class LobbySession {
 public:
  using Words = std::vector<std::string>;
  // `name` is who sits there, as LobbyModel has it.
  LobbySession(Boards& boards, const std::string& name, Front front);

  // The list. Its numbers mean the rows that are shown; line by line until it is written again.
  LobbyModel& list() { return list_; }

  // A word and what it does.
  struct Word {
    enum class Where : std::uint8_t {
      anywhere,
      asking,  // anywhere, and beside a server it may have to wait for that (Boards::ask)
      server,  // beside one only, and the same
      known,   // beside one only: what is known of it here
      lines,   // not on a screen beside a server, which has such a command
      screen,  // on a screen only
    };
    std::string_view name, syntax, about;
    Where where;
    Result<Entered> (LobbySession::*run)(const Words& given);
    std::vector<Key> keys = {};  // of the screen, that do the same
    bool of_board = false;       // a key does it to the board that is selected
    // What a key does to that board when it is pressed again, as "copies toot-101"; where it is
    // null, or says nothing, the first time does it.
    std::string (LobbySession::*again)(const std::string& id) const = nullptr;
  };
  static std::span<const Word> words();
  bool means_something(const Word& word) const;
  // The row of the word that a line begins with, in any case, or of a key; null where it means
  // nothing.
  const Word* find(std::string_view line) const;
  const Word* find(const Key& key) const;
  // What a line would do that is typed so far, or which words begin so.
  std::string about(std::string_view line) const;
  // Does what a line says; on a screen what is no word here is a command for a server.
  Result<Entered> enter(const std::string& line);
  // Does what a word says, behind it `given`: a board by its id. Pre: find() has it.
  Result<Entered> enter(const Word& word, const Words& given) { return (this->*word.run)(given); }
  // Whether that may have to wait for a server; alone a word that wants more opens a form.
  static bool waits(const Word& word, std::size_t given) {
    const bool asks = word.where == Word::Where::asking || word.where == Word::Where::server;
    return asks && (given > 0 || word.syntax.empty());
  }
  std::string again(const Word& word, const std::string& id) const {
    return word.again ? (this->*word.again)(id) : "";
  }
  bool removed_any() const { return !removed_.empty(); }
  // What was deleted last, and how it is had back, until the list was left and come back to twice.
  const std::string& just_removed() const { return just_removed_; }
  void come_back() {
    if (seen_again_++ > 0) just_removed_.clear();
  }
  // Whether the board is a challenge, on which not everybody has played.
  bool may_refuse(const BoardSummary& board) const {
    return board.to_move && !board.aside && !board.example && board.seek == 0 &&
           board.plies < board.names.size() && board.plays(boards_.server().user());
  }
  // A line of the server's command language; `opens`: the board it is about is gone to.
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
  // Whether it is no board to be deleted, and whether it is a server's.
  bool stays(const std::string& id) const;
  bool is_there(const std::string& id) const {
    return !list_.folded(id) && &boards_.of(id) == &boards_.server();
  }
  std::string deletes(const std::string& id) const;
  std::string refuses(const std::string& id) const;

  // A word of the match, for whoever is here; then how it stands is told.
  Result<Entered> play(const std::string& id, const std::string& word);
  // The board that a word means where it is typed, a row's number or a name; its id.
  std::string id_of(const std::string& word) const;
  // How a word is had: by its key, or by typing it.
  std::string way_to(std::string_view word) const;

  Boards& boards_;
  Front front_;
  LobbyModel list_;
  std::vector<Words> removed_;  // what was deleted at once; the latest last
  std::string just_removed_;
  int seen_again_ = 0;
};

}  // namespace pbm
