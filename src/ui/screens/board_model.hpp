// SPDX-License-Identifier: MIT
// The data that a board's screen shows: the session, the typed line, the mode, the computer's help
// and the chat. Leaves the effect of keys to board_screen.hpp and the layout to board_page.hpp.
#pragma once

#include "ui/board_help.hpp"
#include "ui/settings.hpp"
#include "ui/screen.hpp"
#include "ui/screens/board_modes.hpp"
#include "ui/screens/board_chat.hpp"
#include "ui/screens/move_line.hpp"
#include "ui/screen.hpp"
#include "ui/screens/ply_motion.hpp"

namespace pbm {

struct BoardModel {
  // `helped` gets the computer's answers, `tell` other news.
  BoardModel(Boards& its_boards, Board board, const Preferences& chosen,
             BoardHelp::ResultHandler helped, std::function<void(const std::string&)> tell)
      : boards(its_boards),
        session(its_boards, std::move(board)),
        preferences(chosen),
        line(session),
        help(session, its_boards, std::move(helped)),
        chat(its_boards, session, std::move(tell)),
        ply_motion(match().plies().size()) {}
  BoardModel(const BoardModel&) = delete;  // its parts refer to each other

  const Match& match() const { return session.match(); }
  char preferred_field() const { return session.board().drawing_or(preferences.field); }

  // Return the current mode if it is a `Mode`, else null.
  template <class Mode>
  const Mode* mode_as() const {
    return std::get_if<Mode>(&mode);
  }
  template <class Mode>
  Mode* mode_as() {
    return std::get_if<Mode>(&mode);
  }
  // True if the picture shows the board after a ply that waits for another Enter.
  bool is_previewing() const { return confirmation && confirmation->is_preview; }
  // Returns game, opponent and save, for example "Toot: you against computer 3, toot-101".
  std::string title() const;
  // Returns after how many plies the shown position is.
  std::size_t shown_ply() const;
  // True if the computer is thinking about its ply; true if only computers play on.
  bool is_computer_thinking() const {
    const ComputerSeats* computers = boards.computer();
    return computers && !session.is_trying() && computers->thinking_seat(session.id());
  }
  bool is_watching_computers() const {
    return boards.computer() && session.is_shared() && !session.is_trying() &&
           !session.has_seat() && !match().ending();
  }

  Boards& boards;
  BoardSession session;
  const Preferences& preferences;
  MoveLine line;
  BoardHelp help;
  BoardChat chat;
  PlyMotion ply_motion;
  BoardMode mode;
  std::optional<Confirmation> confirmation;  // the open question, in any mode
  std::string pending_text;      // the text for which a server's answer is missing, or ""
  bool has_used_cursor = false;  // hides the explanation of the cursor's keys
  bool is_paused = false;        // computers that play each other wait
};

// A sentence above the line. status_message() chooses it; `notice` comes before all else. If a
// panel shows the `advice`, the sentence does not repeat it.
struct StatusMessage {
  std::string text;
  Style style;
};
StatusMessage status_message(const BoardModel& model, const Position& seen, const Notice& notice,
                             const std::string& advice = "");

// Returns the computer's advice about the shown position `seen`: a hint, threats, an analysis, or
// the progress of a search for them; else "".
std::string computer_advice(const BoardModel& model, const Position& seen);

// Returns a sentence if there is only one legal ply and the cursor cannot pick it; else "".
std::string forced_ply_message(const BoardModel& model);
// Returns a sentence like "fred drops a T down column B." or "You drop ..."
std::string ply_sentence(const BoardModel& model, Seat seat, const std::string& described);
// Returns the first `most` words, and " ..." if there are more.
std::string first_words(const std::vector<std::string>& words, std::size_t most);

}  // namespace pbm
