// SPDX-License-Identifier: MIT
#include "ui/board_help.hpp"

namespace pbm {

void BoardHelp::hint() {
  const Match& match = session_.match();
  if (const auto may = session_.may_have_hint(); !may) return refuse(Word::hint, may.refusal());
  follow();
  if (hint_) return tell_hint();
  Computers* const computers = boards_.computers();
  if (!computers || busy() == Word::hint) return;
  advised_about_ = match;
  advises_on_ = Word::hint;
  advising_ = computers->advise(match, [this](const Result<Advice>& advice) {
    advising_.reset();
    if (!advice) return refuse(Word::hint, advice.refusal());
    hint_.emplace(*advised_about_, *advice);
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
  Computers* const computers = boards_.computers();
  if (!computers) return;
  hint_.reset();
  advises_on_ = Word::threats;
  advising_ = computers->warn(session_.match().prefix(ply), [this](const Result<Threats>& threats) {
    advising_.reset();
    if (!threats) return refuse(Word::threats, threats.refusal());
    threats_ = *threats;
    tell_({Word::threats, threats->told});
  });
}

void BoardHelp::analyse() {
  const auto analysis = session_.analysis();
  if (!analysis) return refuse(Word::analyse, analysis.refusal());
  Computers* const computers = boards_.computers();
  if (!computers || busy() == Word::analyse) return;
  const auto over = [this, analysis = *analysis] {
    inquiring_.reset();
    tell_({Word::analyse, analysis->summary()});
  };
  if (!(*analysis)->next()) return over();
  inquires_into_ = Word::analyse;
  inquiring_ =
      computers->analyse(*analysis, [this, over, analysis = *analysis](const Result<Done>& done) {
        if (done && analysis->next()) return tell_({Word::analyse});
        if (done) return over();
        inquiring_.reset();
        refuse(Word::analyse, done.refusal());
      });
}

void BoardHelp::judge(std::shared_ptr<Openings> openings) {
  openings_ = std::move(openings);
  inquiring_.reset();
  Computers* const computers = boards_.computers();
  const auto may = session_.may_be_helped();
  if (may && computers) openings_->ask_verdicts();
  if (!may && openings_->games() > 0) openings_->remark(std::string(kNoVerdicts));
  const auto over = [this] {
    inquiring_.reset();
    tell_({Word::openings, openings_->text()});
  };
  if (!openings_->next()) return over();
  inquires_into_ = Word::openings;
  inquiring_ = computers->analyse(openings_, [this, over](const Result<Done>& done) {
    if (!done || !openings_->next()) over();
  });
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
