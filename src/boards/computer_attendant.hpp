// SPDX-License-Identifier: MIT
// The computer's seats on the board that is looked at, of those in a directory. What it plays comes
// as another person's plies do: out of take_changes(). Leaves what it does to computer_player.hpp.
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
    std::string engine = {};                  // a command: that program plays in place of our own
    std::filesystem::path tables = {};        // where these are kept
    std::chrono::milliseconds pace{400};      // a ply takes at least so long, to be followed
    std::chrono::milliseconds watched{1000};  // the same where no person plays
  };
  // Pre: `repository` outlives this.
  ComputerAttendant(Repository& repository, const Setup& setup);

  // For what else is asked: its answers come out of take_changes(), too.
  Thinker& thinker() { return thinker_; }
  const Thinker& thinker() const { return thinker_; }
  // What is known of a board's plies, as long as this runs; maybe null, and maybe of plies that no
  // longer stand.
  std::shared_ptr<Analysis>& analysis_of(const std::string& id) { return analyses_[id]; }

  // As long as the handle is held the computer plays on this board when it is its turn there, and
  // answers what is offered; take_changes() does that. It plays on one board at a time, the last
  // one that was attended; to be called anew when something was done there. Null for a board on a
  // server.
  Handle attend(const Board& board);
  // The seat for which it thinks at this moment on that board; nothing while it does not.
  std::optional<Seat> thinking(const std::string& id) const;
  // It plays the best it knows by now.
  void hurry();
  // Where no person plays a ply takes at least so long, to be watched.
  void watch_at(std::chrono::milliseconds pace) {
    if (std::exchange(watched_, pace) != pace) timer_.set(std::chrono::milliseconds(1));
  }
  // Whether level 10, of two seats, goes on for up to 10 s while a person thinks, about what it
  // expects, where there is a processor to spare. What it finds is known when it has to play.
  void think_ahead(bool wanted) {
    thinks_ahead_ = wanted && std::thread::hardware_concurrency() > 1;
    if (const auto attended = attended_.lock(); attended && !thinks_ahead_) attended->ahead.reset();
  }
  // Why it does not play there, a sentence; "" while all is well.
  const std::string& trouble() const { return trouble_; }

  // Has the set tell when there is something for take_changes().
  void wait_in(const WaitSet& set) const {
    set.add(timer_.get());
    set.add(thinker_.bell());
  }
  // Goes on with what it does; looks at the board anew where others may have `played`. False when
  // nothing is new.
  bool take_changes(bool played);

 private:
  // A board that somebody looks at.
  struct Attended {
    std::string id;
    std::map<Seat, ComputerPlayer> players;
    std::optional<Match> left{};  // a person's turn, for which it
    Thinker::Handle ahead{};      // thinks ahead
  };
  ComputerPlayer& player(Seat seat) {
    return attended_.lock()->players.try_emplace(seat, engine_).first->second;
  }
  // What it is to do next, as the match stands.
  void look(const Match& match);
  void begin(const Match& match, Seat seat);
  void foresee(const Match& match, const Thought& thought);
  void rest();
  void give_up(const Match& match, const std::string& why);
  bool play_what_is_due();
  Moment due() const;
  // The match as it stands then, if it is done.
  std::optional<Match> do_turns(const Match& meant_for, const std::vector<MoveRequest>& turns);

  Repository& repository_;
  const std::chrono::milliseconds pace_;
  std::chrono::milliseconds watched_;
  TimerFd timer_;
  std::shared_ptr<EngineProcess> engine_;
  Thinker thinker_;
  std::map<std::string, std::shared_ptr<Analysis>> analyses_;
  std::weak_ptr<Attended> attended_;
  std::optional<Match> asked_;  // what it thinks about, or has an answer to
  Thinker::Handle thinks_;
  std::optional<Seat> replies_;    // to what is offered there, in place of thinking
  std::optional<Thought> answer_;  // which waits until it is due
  Moment begun_{};
  bool hurried_ = false, thinks_ahead_ = false;
  bool gave_up_ = false;  // and nobody was told yet
  std::string trouble_;
  std::optional<Match> troubled_;  // where it did not play
};

}  // namespace pbm
