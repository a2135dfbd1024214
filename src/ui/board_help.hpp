// SPDX-License-Identifier: MIT
// The computer's help at one board: hints, threats, an analysis, and openings with proofs. Leaves
// permission to board_session.hpp, thinking to boards/, and display to the front ends.
#pragma once

#include "boards/analysis.hpp"
#include "boards/boards.hpp"
#include "ui/board_session.hpp"
#include "ui/advice.hpp"

namespace pbm {

// The computer's help for one board. Passes each result to a callback.
class BoardHelp {
 public:
  struct Said {
    Help about;
    std::string told = {};  // a sentence, or ""
    bool refused = false;   // `told` is the reason of a refusal
    std::string ply = {};   // the ply of a hint, in its last step
    // Returns the lines of a text to read; empty if there is none.
    std::function<std::vector<std::string>(int columns)> text = {};
  };
  using Tell = std::function<void(const Said&)>;
  // `me` is the name of the player here, or ""; it may change. Calls `tell` with each result, at
  // once or from take_changes(). Pre: all references outlive this object.
  BoardHelp(BoardSession& session, Boards& boards, const std::string& me, Tell tell)
      : session_(session), boards_(boards), me_(me), tell_(std::move(tell)) {}

  // Starts to answer `about` for the position after `ply` plies. A hint goes one step on at each
  // call; if hints are refused but threats are allowed, it reports the threats and the reason. The
  // analysis continues where it stopped. Openings come with proofs if the computer may help.
  void ask(Help about, std::size_t ply);

  // Calls `then` with a warning before a ply is played: it is a blunder (a loss of 30 % or more),
  // or a mistake from a proved position. Calls it with "" if there is nothing to warn of.
  void weigh(const std::string& ply, std::function<void(const std::string&)> then);

  // Returns a sentence about the progress of a long request.
  std::string progress() const;
  // Returns the request that runs now, or nothing.
  std::optional<Help> busy() const;
  // Stops it and keeps its results. Returns a sentence about that, or "".
  std::string stop();
  // Drops hint and threats if they are about another position than the current one.
  void follow();

  // Returns the first square of the hinted ply after the hint's first step, else nothing.
  std::optional<SpotId> spot() const { return hint_ ? hint_->spot() : std::nullopt; }
  // Returns the sentence of the last hint step.
  const std::string& told() const { return told_; }
  bool hint_is_told() const { return hint_ && hint_->told(); }
  // Returns the threats if they are about `seen`, else null.
  const Threats* threats_in(const Position& seen) const {
    return threats_ && threats_->about == seen ? &*threats_ : nullptr;
  }
  // Drops hint and threats.
  void forget() {
    hint_.reset();
    threats_.reset();
  }

 private:
  void refuse(Help about, const Refusal& why) { tell_({about, why.why, true}); }
  void hint();
  void tell_hint();
  void threats(std::size_t ply, const std::string& behind = "");
  void analyse();
  void openings(std::size_t ply);
  void judge(const std::shared_ptr<Openings>& openings);
  Thinker::Handle think(Help about, const Position& position, Question question,
                        std::function<void(const Thought&)> then);
  void inquire(Help about, const std::shared_ptr<Inquiry>& into,
               const std::function<void()>& found);
  void tell_openings();

  BoardSession& session_;
  Boards& boards_;
  const std::string& me_;
  Tell tell_;
  Thinker::Handle advising_, inquiring_;
  Help advises_on_ = Help::hint, inquires_into_ = Help::analysis;
  Handle asking_;                       // the request to a server for openings
  std::optional<Match> advised_about_;  // the match that the hint is about
  std::optional<Hint> hint_;
  std::string told_;  // the sentence of the last hint step
  std::optional<Threats> threats_;
  std::shared_ptr<Openings> openings_;
};

}  // namespace pbm
