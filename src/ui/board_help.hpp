// SPDX-License-Identifier: MIT
// What the computer says at one board when somebody asks: hints, threats, an analysis, what it
// proves of openings. Leaves who may ask to board_session.hpp, thinking to boards/, and what is
// shown of it to the front ends.
#pragma once

#include "boards/computer_boards.hpp"
#include "game/threats.hpp"
#include "ui/board_session.hpp"
#include "ui/hint.hpp"

namespace pbm {

class BoardHelp {
 public:
  struct Said {
    Word about;  // hint, threats, analyse or openings
    std::string told = {};
    bool refused = false;  // `told` says why
    std::string ply = {};  // of a hint: what it advises, where it has come to that
  };
  using Tell = std::function<void(const Said&)>;
  // `tell` hears what was found out, at once or out of take_changes().
  BoardHelp(BoardSession& session, Boards& boards, Tell tell)
      : session_(session), boards_(boards), tell_(std::move(tell)) {}

  // A step more at each call.
  void hint();
  // What the next to play after `ply` plies threatens.
  void threats(std::size_t ply);
  // What was wrong in the game, from where it was left.
  void analyse();
  // What follows openings has to be told with what the computer proves of it, if it may.
  void judge(std::shared_ptr<Openings> openings);

  // How far that is what takes long, a sentence.
  std::string progress() const;
  // What it thinks about; and no more, with what has been found kept.
  std::optional<Word> busy() const;
  void stop();
  // The position is another one now: what was said of the one before is forgotten.
  void follow();

  // Where the hint's ply begins, while no more than that is told.
  std::optional<SpotId> spot() const { return hint_ ? hint_->spot() : std::nullopt; }
  // Those of that position; null where none are known, and of others none any more.
  const Threats* threats_in(const Position& seen);
  void forget_threats() { threats_.reset(); }
  // As asked for last. Pre: judge() was called.
  const Openings& openings() const { return *openings_; }

 private:
  void refuse(Word about, const Refusal& why) { tell_({about, why.why, true}); }
  void tell_hint();
  Thinker::Handle ask(Word about, const Position& position, Question question,
                      std::function<void(const Thought&)> then);
  void inquire(Word about, const std::shared_ptr<Inquiry>& into,
               const std::function<std::string()>& found);

  BoardSession& session_;
  Boards& boards_;
  Tell tell_;
  Thinker::Handle advising_, inquiring_;
  Word advises_on_ = Word::hint, inquires_into_ = Word::analyse;
  std::optional<Match> advised_about_;  // what stands there
  std::optional<Hint> hint_;
  std::optional<Threats> threats_;
  std::shared_ptr<Openings> openings_;
};

}  // namespace pbm
