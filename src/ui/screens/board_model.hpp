// SPDX-License-Identifier: MIT
// The data that a board's screen shows: the session, the typed line, the mode, the computer's help
// and the chat. Leaves the effect of keys to board_screen.hpp and the layout to board_page.hpp.
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
  // `helped` gets the computer's answers, `tell` other news.
  BoardModel(Boards& its_boards, Board board, const Preferences& chosen, BoardHelp::Tell helped,
             std::function<void(const std::string&)> tell)
      : boards(its_boards),
        session(its_boards, std::move(board)),
        preferences(chosen),
        line(session),
        help(session, its_boards, chosen.name, std::move(helped)),
        talk(its_boards, session, std::move(tell)),
        motion(match().plies().size()) {}
  BoardModel(const BoardModel&) = delete;  // its parts refer to each other

  const Match& match() const { return session.match(); }
  char wanted_field() const { return session.board().field(preferences.field); }

  // Return the current mode if it is a `Mode`, else null.
  template <class Mode>
  const Mode* doing() const {
    return std::get_if<Mode>(&mode);
  }
  template <class Mode>
  Mode* doing() {
    return std::get_if<Mode>(&mode);
  }
  // True if the picture shows the board after a ply that waits for another Enter.
  bool previews() const { return confirming && confirming->previews; }
  // Returns game, opponent and save, for example "Toot: you against computer 3, toot-101".
  std::string title() const;
  // Returns after how many plies the shown position is.
  std::size_t shown() const;
  // True if the computer is thinking about its ply; true if only computers play on.
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
  std::optional<Confirming> confirming;  // the open question, in any mode
  std::string asked_for;                 // the text for which a server's answer is missing, or ""
  bool played_by_hand = false;           // hides the explanation of the cursor's keys
  bool paused = false;                   // computers that play each other wait
};

// A sentence above the line. message_of() chooses it; `notice` comes before all else.
struct Message {
  std::string text;
  Style style;
};
Message message_of(const BoardModel& model, const Position& seen, const Notice& notice);

// Returns a sentence if there is only one legal ply and the cursor cannot pick it; else "".
std::string forced(const BoardModel& model);
// Returns a sentence like "fred drops a T down column B."
std::string said_of(const Match& match, Seat seat, const std::string& described);
// Returns the first `most` words, and " ..." if there are more.
std::string first_words(const std::vector<std::string>& words, std::size_t most);

}  // namespace pbm
