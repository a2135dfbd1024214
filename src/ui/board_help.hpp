// SPDX-License-Identifier: MIT
// What the computer says at one board when somebody asks: hints, threats, an analysis, openings and
// what it proves of them. Leaves who may ask to board_session.hpp, thinking to boards/, and what is
// shown of it to the front ends.
#pragma once

#include "boards/analysis.hpp"
#include "boards/boards.hpp"
#include "ui/board_session.hpp"
#include "ui/advice.hpp"

namespace pbm {

class BoardHelp {
 public:
  struct Said {
    Help about;
    std::string told = {};  // a sentence, or ""
    bool refused = false;   // `told` says why
    std::string ply = {};   // of a hint: what it advises, where it has come to that
    // All of it, to read; or nothing.
    std::function<std::vector<std::string>(int columns)> text = {};
  };
  using Tell = std::function<void(const Said&)>;
  // `me` is who sits there or "", and may change. `tell` hears what was found out, at once or out
  // of take_changes().
  BoardHelp(BoardSession& session, Boards& boards, const std::string& me, Tell tell)
      : session_(session), boards_(boards), me_(me), tell_(std::move(tell)) {}

  // Asks the computer about the position after `ply` plies: a hint, a step more at each call, or
  // where none may be given what is threatened, if that may be told, and why no more; what
  // the next to play threatens; what was wrong in the game, from where it was left; what was played
  // there in other games, with what the computer proves of it, if it may.
  void ask(Help about, std::size_t ply);

  // What is wrong with a ply before it is played: a sentence where it gives away 30 of 100, or what
  // is proved; "" where it does not, or cannot be said.
  void weigh(const std::string& ply, std::function<void(const std::string&)> then);

  // How far that is what takes long, a sentence.
  std::string progress() const;
  // What it is asked for; and no more, with what has been found kept: a sentence about that, or "".
  std::optional<Help> busy() const;
  std::string stop();
  // The position is another one now: what was said of the one before is forgotten.
  void follow();

  // Where the hint's ply begins, while no more than that is told, and how that is told; whether all
  // of a hint is.
  std::optional<SpotId> spot() const { return hint_ ? hint_->spot() : std::nullopt; }
  const std::string& told() const { return told_; }
  bool hint_is_told() const { return hint_ && hint_->told(); }
  // Those of that position; null where none are known.
  const Threats* threats_in(const Position& seen) const {
    return threats_ && threats_->about == seen ? &*threats_ : nullptr;
  }
  // Nothing is to be seen of hint and threats.
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
  Handle asking_;                       // a server for openings
  std::optional<Match> advised_about_;  // what stands there
  std::optional<Hint> hint_;
  std::string told_;  // of it, last
  std::optional<Threats> threats_;
  std::shared_ptr<Openings> openings_;
};

}  // namespace pbm
