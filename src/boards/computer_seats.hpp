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

class ComputerSeats {
 public:
  struct Setup {
    std::string engine_command = {};              // the command of another engine, or ""
    Thinker::Directories table_directories = {};  // of the endgame tables
    std::chrono::milliseconds ply_time{400};  // minimum time of a ply, so that a person can follow
    std::chrono::milliseconds watched_ply_time{1000};  // the same if no person plays
    std::chrono::milliseconds slow_start{10'000};      // then another engine is slow to get ready
  };
  // Pre: `repository` outlives this object.
  ComputerSeats(Repository& repository, const Setup& setup);

  // True if another engine plays.
  bool has_engine() const { return engine_ != nullptr; }
  // For other questions; take_changes() delivers their answers, too.
  Thinker& thinker() { return thinker_; }
  const Thinker& thinker() const { return thinker_; }
  // Returns the analysis of a board, kept while this object lives. It may be null, or about plies
  // that were taken back since.
  std::shared_ptr<Analysis>& analysis_of(const std::string& id) { return analyses_[id]; }
  // The thoughts of the latest hints, and after how many plies: an analysis says the same.
  using KeptHint = std::tuple<std::size_t, Position, SearchResult>;
  const std::vector<KeptHint>& hints() const { return hints_; }
  void keep_hint(KeptHint hint) {
    constexpr std::size_t kMost = 100;
    if (hints_.size() == kMost) hints_.erase(hints_.begin());
    hints_.push_back(std::move(hint));
  }

  // Makes the computer play on this board and answer offers there, in take_changes(), while the
  // handle is held. It plays on one board at a time, the last one attended. Call it again after a
  // change to the board. Returns null for a board on a server.
  TaskHandle play_on(const Board& board);
  // Returns the seat for which the computer is thinking on that board, or nothing.
  std::optional<Seat> thinking_seat(const std::string& id) const;
  // True if another engine plays and has been getting ready for Setup::slow_start.
  bool is_engine_slow() const {
    return is_engine_slow_ && engine_->time_getting_ready().count() > 0;
  }
  // Makes it play the best ply that it knows by now, or give up an engine that is slow to get
  // ready.
  void play_now();
  // Sets the minimum time of a ply if no person plays, so that people can watch.
  void set_watched_ply_time(std::chrono::milliseconds pace) {
    if (std::exchange(watched_ply_time_, pace) != pace) timer_.set(std::chrono::milliseconds(1));
  }
  // Returns why the computer does not play there, as a sentence, or "".
  const std::string& problem() const { return problem_; }

  // Adds its descriptors to the set, so that the set wakes the caller for take_changes().
  void add_to(const WaitSet& set) const {
    set.add(timer_.get());
    set.add(thinker_.bell_descriptor());
  }
  // Continues its work; looks at the board again if others may have `played`. Returns false if
  // nothing is new.
  bool take_changes(bool played);

 private:
  // The board that is open.
  struct OpenBoard {
    std::string id;
    std::map<Seat, ComputerPlayer> players;
  };
  ComputerPlayer& player(Seat seat) {
    return open_board_.lock()->players.try_emplace(seat, engine_).first->second;
  }
  // Finds out what the computer has to do in `match`, and begins it.
  void start_next_task(const Match& match);
  void start_thinking(const Match& match, Seat seat);
  void stop_all();
  void report_failure(const Match& match, const std::string& why);
  bool play_due();
  SteadyTime due_time() const;
  void play_requests(const Match& meant_for, const std::vector<MoveRequest>& turns);

  Repository& repository_;
  const std::chrono::milliseconds ply_time_;
  std::chrono::milliseconds watched_ply_time_;
  const std::chrono::milliseconds slow_start_;
  TimerFd timer_;
  std::shared_ptr<EngineProcess> engine_;
  Thinker thinker_;
  std::map<std::string, std::shared_ptr<Analysis>> analyses_;
  std::vector<KeptHint> hints_;
  std::weak_ptr<OpenBoard> open_board_;
  std::optional<Match> current_match_;  // the match it thinks about or has an answer for
  Thinker::Handle pending_thought_;
  std::optional<Seat> replying_seat_;  // the seat that answers an offer, without thinking of a ply
  std::optional<SearchResult> ready_thought_;  // waits until it is due
  SteadyTime start_time_{};
  bool plays_now_ = false, is_engine_slow_ = false;
  bool has_new_failure_ = false;  // not reported yet
  std::string problem_;
  std::optional<Match> failed_match_;  // the match in which it did not play
};

}  // namespace pbm
