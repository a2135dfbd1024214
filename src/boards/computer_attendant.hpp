// SPDX-License-Identifier: MIT
// Plays the computer's seats on the local board that is open. Its plies arrive through
// take_changes(), as another person's do. Leaves the choice of a ply to computer_player.hpp.
#pragma once

#include <map>

#include "boards/computer_player.hpp"
#include "boards/background_tasks.hpp"
#include "boards/repository.hpp"

namespace pbm {

class Analysis;

class ComputerAttendant {
 public:
  struct Setup {
    std::string engine = {};                  // the command of another engine, or ""
    std::filesystem::path tables = {};        // the directory of the endgame tables
    std::chrono::milliseconds pace{400};      // minimum time of a ply, so that a person can follow
    std::chrono::milliseconds watched{1000};  // the same if no person plays
  };
  // Pre: `repository` outlives this object.
  ComputerAttendant(Repository& repository, const Setup& setup);

  // For other questions; take_changes() delivers their answers, too.
  Thinker& thinker() { return thinker_; }
  const Thinker& thinker() const { return thinker_; }
  // Returns the analysis of a board, kept while this object lives. It may be null, or about plies
  // that were taken back since.
  std::shared_ptr<Analysis>& analysis_of(const std::string& id) { return analyses_[id]; }

  // Makes the computer play on this board and answer offers there, in take_changes(), while the
  // handle is held. It plays on one board at a time, the last one attended. Call it again after a
  // change to the board. Returns null for a board on a server.
  Handle attend(const Board& board);
  // Returns the seat for which the computer is thinking on that board, or nothing.
  std::optional<Seat> thinking(const std::string& id) const;
  // Makes it play the best ply that it knows by now.
  void hurry();
  // Sets the minimum time of a ply if no person plays, so that people can watch.
  void watch_at(std::chrono::milliseconds pace) {
    if (std::exchange(watched_, pace) != pace) timer_.set(std::chrono::milliseconds(1));
  }
  // Sets if level 10 also thinks while a person thinks, about the ply it expects, for up to 10 s.
  // Needs two seats and a spare processor. It remembers the results for its own turn.
  void think_ahead(bool wanted) {
    thinks_ahead_ = wanted && std::thread::hardware_concurrency() > 1;
    if (const auto attended = attended_.lock(); attended && !thinks_ahead_) attended->ahead.reset();
  }
  // Returns why the computer does not play there, as a sentence, or "".
  const std::string& trouble() const { return trouble_; }

  // Adds its descriptors to the set, so that the set wakes the caller for take_changes().
  void wait_in(const WaitSet& set) const {
    set.add(timer_.get());
    set.add(thinker_.bell());
  }
  // Continues its work; looks at the board again if others may have `played`. Returns false if
  // nothing is new.
  bool take_changes(bool played);

 private:
  // The board that is open.
  struct Attended {
    std::string id;
    std::map<Seat, ComputerPlayer> players;
    std::optional<Match> left{};  // the match in which a person is to move
    Thinker::Handle ahead{};      // the thought about the ply expected there
  };
  ComputerPlayer& player(Seat seat) {
    return attended_.lock()->players.try_emplace(seat, engine_).first->second;
  }
  // Finds out what the computer has to do in `match`, and begins it.
  void look(const Match& match);
  void begin(const Match& match, Seat seat);
  void foresee(const Match& match, const Thought& thought);
  void rest();
  void give_up(const Match& match, const std::string& why);
  bool play_what_is_due();
  Moment due() const;
  // Returns the match after `turns`, or nothing if they were refused.
  std::optional<Match> do_turns(const Match& meant_for, const std::vector<MoveRequest>& turns);

  Repository& repository_;
  const std::chrono::milliseconds pace_;
  std::chrono::milliseconds watched_;
  TimerFd timer_;
  std::shared_ptr<EngineProcess> engine_;
  Thinker thinker_;
  std::map<std::string, std::shared_ptr<Analysis>> analyses_;
  std::weak_ptr<Attended> attended_;
  std::optional<Match> asked_;  // the match it thinks about or has an answer for
  Thinker::Handle thinks_;
  std::optional<Seat> replies_;    // the seat that answers an offer, without thinking of a ply
  std::optional<Thought> answer_;  // waits until it is due
  Moment begun_{};
  bool hurried_ = false, thinks_ahead_ = false;
  bool gave_up_ = false;  // not reported yet
  std::string trouble_;
  std::optional<Match> troubled_;  // the match in which it did not play
};

}  // namespace pbm
