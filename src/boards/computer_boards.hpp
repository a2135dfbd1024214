// SPDX-License-Identifier: MIT
// Boards on which the computer plays the seats that are its own, around those of a directory. What
// it plays comes as another person's plies do: out of take_changes(). Leaves thinking to
// background_thinker.hpp and when it gives up or agrees to a draw to game/courtesy.hpp.
#pragma once

#include <map>

#include "base/wait_set.hpp"
#include "boards/adviser.hpp"
#include "boards/analyst.hpp"
#include "boards/background_thinker.hpp"
#include "boards/engine_process.hpp"
#include "boards/forwarding_boards.hpp"
#include "boards/tables.hpp"
#include "game/courtesy.hpp"

namespace pbm {

class ComputerBoards final : public ForwardingBoards, public Computers {
 public:
  struct Setup {
    std::string engine = {};                  // a command: that program plays in place of our own
    std::filesystem::path tables = {};        // where these are kept
    std::chrono::milliseconds pace{400};      // a ply takes at least so long, to be followed
    std::chrono::milliseconds watched{1000};  // the same where no person plays
  };
  // Pre: `boards` outlives this.
  ComputerBoards(Boards& boards, const Setup& setup);

  Ticket ask(const std::string& board, Work work, Haste haste = Haste::person) override;
  Computers* computers() override { return this; }
  Ticket attend(const Board& board) override;
  std::optional<Seat> thinking(const std::string& id) const override;
  void hurry() override;
  void watch_at(std::chrono::milliseconds pace) override;
  std::string trouble() const override { return trouble_; }
  Ticket advise(const Match& match, Advised then) override {
    return adviser_.advise(match, std::move(then));
  }
  Ticket warn(const Match& match, Warned then) override {
    return adviser_.warn(match, std::move(then));
  }
  Ticket analyse(std::shared_ptr<Inquiry> inquiry, Analysed then) override {
    return analyst_.analyse(std::move(inquiry), std::move(then));
  }

  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  Result<Done> set_computer(Board& board, Seat seat, int level) override;
  int changes() override;
  bool take_changes() override;

 private:
  // A board that somebody looks at.
  struct Attended {
    std::string id;
    std::map<Seat, Manners> manners;
  };
  // What it is to do next, as the match stands.
  void look(const Match& match);
  void begin(const Match& match, Seat seat);
  void rest();
  void give_up(const Match& match, const std::string& why);
  bool look_again();
  bool play_what_is_due();
  Moment due() const;
  bool do_turns(const Match& meant_for, const std::vector<MoveRequest>& turns);

  const std::chrono::milliseconds pace_;
  std::chrono::milliseconds watched_;
  WaitSet watch_;
  TimerFd timer_;
  // The thinker's, while it thinks:
  std::unique_ptr<EngineProcess> engine_;
  Tables tables_;
  BackgroundThinker thinker_;
  Adviser adviser_;
  Analyst analyst_;
  std::weak_ptr<Attended> attended_;
  std::optional<Match> asked_;     // what it thinks about, or has an answer to
  std::optional<Thought> answer_;  // which waits until it is due
  Moment begun_{};
  bool hurried_ = false;
  std::string trouble_;
  std::optional<Match> troubled_;  // where it did not play
};

}  // namespace pbm
