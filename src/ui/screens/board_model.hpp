// SPDX-License-Identifier: MIT
// All that a board's screen shows: the session there, the line that is typed, what one is doing,
// what the computer says, what is said there. Leaves what keys do with it to board_screen.hpp and
// what stands where to board_page.hpp.
#pragma once

#include "ui/board_help.hpp"
#include "ui/settings.hpp"
#include "ui/screen.hpp"
#include "ui/screens/board_modes.hpp"
#include "ui/screens/board_talk.hpp"
#include "ui/screens/move_line.hpp"
#include "ui/screen.hpp"
#include "ui/screens/ply_motion.hpp"

namespace pbm {

struct BoardModel {
  // `helped` hears what the computer says, `tell` what else has come.
  BoardModel(Boards& its_boards, Board board, const Preferences& chosen, BoardHelp::Tell helped,
             std::function<void(const std::string&)> tell)
      : boards(its_boards),
        session(its_boards, std::move(board)),
        preferences(chosen),
        line(session),
        help(session, its_boards, chosen.name, std::move(helped)),
        talk(its_boards, session, std::move(tell)),
        motion(match().plies().size()) {}
  BoardModel(const BoardModel&) = delete;  // its parts know each other

  const Match& match() const { return session.match(); }
  char wanted_field() const { return session.board().field(preferences.field); }

  // What one is doing; null when it is something else.
  template <class Mode>
  const Mode* doing() const {
    return std::get_if<Mode>(&mode);
  }
  template <class Mode>
  Mode* doing() {
    return std::get_if<Mode>(&mode);
  }
  // Whether the board is seen as a ply would make it that waits for another Enter.
  bool previews() const { return confirming && confirming->previews; }
  // What is played, against whom, and where it is kept: "Toot: you against computer 3, toot-101".
  std::string title() const;
  // After how many plies the position is that is seen.
  std::size_t shown() const;
  // Whether the computer thinks about its ply, and whether all seats in play are its own.
  bool computer_thinks() const {
    const ComputerAttendant* computers = boards.computer();
    return computers && !session.trying() && computers->thinking(session.id());
  }
  bool watches_computers() const {
    return boards.computer() && session.shared() && !session.trying() && !session.plays() &&
           !match().ending();
  }

  Boards& boards;
  BoardSession session;
  const Preferences& preferences;
  MoveLine line;
  BoardHelp help;
  BoardTalk talk;
  PlyMotion motion;
  BoardMode mode;
  std::optional<Confirming> confirming;  // open above that
  std::string asked_for;                 // what a server has not answered yet, or ""
  bool played_by_hand = false;           // who has done so needs no telling how
  bool paused = false;                   // computers that are watched do not play on
};

// What is said above the line where the position `seen` is shown, the notice before all else.
struct Message {
  std::string text;
  Style style;
};
Message message_of(const BoardModel& model, const Position& seen, const Notice& notice);

// What is the only move, where that can be no other and no square can be picked for it; or "".
std::string forced(const BoardModel& model);
// "fred drops a T down column B.", and the first of many words.
std::string said_of(const Match& match, Seat seat, const std::string& described);
std::string first_words(const std::vector<std::string>& words, std::size_t most);

}  // namespace pbm
