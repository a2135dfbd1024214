// SPDX-License-Identifier: MIT
#include "ui/board_help.hpp"

#include "game/inquiry.hpp"

namespace pbm {

// Pre: there is a computer.
Thinker::Handle BoardHelp::ask(Word about, const Position& position, Question question,
                               std::function<void(const Thought&)> then) {
  using Rank = Thinker::Rank;
  const bool long_one = about == Word::analyse || about == Word::openings;
  (long_one ? inquires_into_ : advises_on_) = about;
  return boards_.computers()->thinker().ask(
      long_one ? Rank::study : Rank::person, session_.match().game(), position, std::move(question),
      [this, about, long_one, then = std::move(then)](const Result<Thought>& thought) {
        (long_one ? inquiring_ : advising_).reset();
        if (thought) return then(*thought);
        refuse(about, Refusal{"Nothing was found: " + thought.refusal().why});
      });
}

void BoardHelp::hint() {
  const Match& match = session_.match();
  if (const auto may = session_.may_have_hint(); !may) return refuse(Word::hint, may.refusal());
  follow();
  if (hint_) return tell_hint();
  if (!boards_.computers() || busy() == Word::hint) return;
  advised_about_ = match;
  advising_ = ask(Word::hint, match.position(), question_about(match, kTopLevel),
                  [this](const Thought& thought) {
                    const Match& about = *advised_about_;
                    hint_.emplace(about, Advice{thought.lines.front(), changes_by(about, thought)});
                    tell_hint();
                  });
}

void BoardHelp::tell_hint() {
  const Hint::Step step = hint_->next();
  tell_({Word::hint, step.told, false, step.ply});
}

void BoardHelp::threats(std::size_t ply) {
  if (const auto may = session_.may_see_threats(ply); !may)
    return refuse(Word::threats, may.refusal());
  if (!boards_.computers()) return;
  hint_.reset();
  const Match match = session_.match().prefix(ply);
  const Position position = *passed_over(match);
  const auto tell = [this, match](const Thought& ahead) {
    threats_ = pbm::threats_in(match, ahead);
    tell_({Word::threats, threats_->told});
  };
  if (position.legal().empty()) return tell({});
  Question question;
  question.limits.nodes = 100'000;
  advising_ = ask(Word::threats, position, question, tell);
}

void BoardHelp::analyse() {
  const auto analysis = session_.analysis();
  if (!analysis) return refuse(Word::analyse, analysis.refusal());
  if (boards_.computers() && busy() != Word::analyse)
    inquire(Word::analyse, *analysis, [about = *analysis] { return about->summary(); });
}

void BoardHelp::judge(std::shared_ptr<Openings> openings) {
  openings_ = std::move(openings);
  const auto may = session_.may_be_helped();
  if (may && boards_.computers()) openings_->ask_verdicts();
  if (!may && openings_->games() > 0) openings_->remark(std::string(kNoVerdicts));
  inquire(Word::openings, openings_, [about = openings_] { return about->text(); });
}

// Thinks about one position after the other, and tells what came of it.
void BoardHelp::inquire(Word about, const std::shared_ptr<Inquiry>& into,
                        const std::function<std::string()>& found) {
  inquiring_.reset();
  const auto n = into->next();
  if (!n) return tell_({about, found()});
  inquiring_ = ask(about, into->position(*n), into->question(),
                   [this, about, into, found](const Thought& thought) {
                     into->take(thought);
                     inquire(about, into, found);
                   });
}

std::string BoardHelp::progress() const {
  if (busy() == Word::hint) return "The computer thinks about a hint.";
  const ComputerBoards* const computers = boards_.computers();
  if (const std::string making = computers ? computers->thinker().making() : ""; !making.empty())
    return making;
  if (inquires_into_ == Word::openings) return "The computer looks at these plies.";
  const Analysis* const analysis = session_.analysed();
  return "Analysing: " + std::to_string(analysis ? analysis->percent() : 0) + " of 100 done.";
}

std::optional<Word> BoardHelp::busy() const {
  return advising_    ? std::optional(advises_on_)
         : inquiring_ ? std::optional(inquires_into_)
                      : std::nullopt;
}

void BoardHelp::stop() {
  if (advising_) return advising_.reset();
  const bool openings = busy() == Word::openings;
  inquiring_.reset();
  if (openings) tell_({Word::openings, openings_->text()});
}

void BoardHelp::follow() {
  if (!advised_about_ || advised_about_->position() == session_.match().position()) return;
  advised_about_.reset();
  hint_.reset();
  if (busy() == Word::hint) advising_.reset();
}

const Threats* BoardHelp::threats_in(const Position& seen) {
  if (threats_ && !(threats_->about == seen)) threats_.reset();
  return threats_ ? &*threats_ : nullptr;
}

}  // namespace pbm
