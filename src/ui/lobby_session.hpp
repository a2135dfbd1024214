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

class LobbySession {
 public:
  using Words = std::vector<std::string>;
  // `name` is who sits there, as LobbyModel has it.
  LobbySession(Boards& boards, const std::string& name) : boards_(boards), listed_(name) {}

  // A word and what it does.
  struct Word {
    enum class Where : std::uint8_t {
      anywhere,
      server,  // beside one only
      lines,   // line by line only; on a screen a server may have such a command
      screen,  // on a screen only
    };
    std::string_view name, syntax, about;
    Where where;
    Result<Entered> (LobbySession::*run)(const Words& given);
    bool asks = false;  // it may have to wait for a server (Boards::ask)
  };
  static std::span<const Word> words();
  bool means_something(const Word& word, Front front) const;
  // The row of a word in any case; null where it means nothing.
  const Word* find(std::string_view name, Front front) const;
  // Does what a word says; of a board that is known a key gives the id. Pre: find() has it.
  Result<Entered> enter(const Word& word, const Words& given) { return (this->*word.run)(given); }
  // The same by its name. Pre: it is one of words().
  Result<Entered> enter(std::string_view name, const Words& given);
  // A word of the match, for whoever is here; then how it stands is told.
  Result<Entered> play(const std::string& id, const std::string& word);
  bool removed_any() const { return !removed_.empty(); }
  // A line of the server's command language; `opens`: the board it is about is gone to.
  Result<Entered> command(const std::string& line, bool opens = false);

 private:
  Result<Entered> list(const Words& given);
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
  Result<Entered> unseek(const Words& given);
  Result<Entered> players(const Words& given);
  Result<Entered> everybody(const Words& given);
  Result<Entered> talk(const Words& given);
  template <Entered::Go where>
  Result<Entered> go(const Words&) {
    return Entered{.go = where};
  }

  // The board a word means, a number of the list or a name; its id.
  std::string id_of(const std::string& word) const;
  std::string seek_of(const std::string& word) const;

  Boards& boards_;
  LobbyModel listed_;  // as last written: its numbers mean these boards until it is written again
  std::vector<std::string> removed_;  // the latest last
};

}  // namespace pbm
