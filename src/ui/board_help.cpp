// SPDX-License-Identifier: MIT
#include "ui/board_help.hpp"

#include "base/markdown.hpp"
#include "ui/screen.hpp"

namespace pbm {

// Asks the computer, and reports a failure as a refusal. Pre: there is a computer.
Thinker::Handle BoardHelp::think(Help about, const Position& position, Question question,
                                 std::function<void(const Thought&)> then) {
  using Rank = Thinker::Rank;
  const bool long_one = about != Help::hint && about != Help::threats;
  (long_one ? inquires_into_ : advises_on_) = about;
  return boards_.computer()->thinker().ask(
      long_one && about != Help::tutor ? Rank::study : Rank::person, session_.match().game(),
      position, std::move(question),
      [this, about, long_one, then = std::move(then)](const Result<Thought>& thought) {
        (long_one ? inquiring_ : advising_).reset();
        if (thought) return then(*thought);
        refuse(about, Refusal{"Nothing was found: " + thought.refusal().why});
      });
}

void BoardHelp::ask(Help about, std::size_t ply) {
  switch (about) {
    case Help::hint: return hint();
    case Help::threats: return threats(ply);
    case Help::analysis: return analyse();
    case Help::openings: return openings(ply);
    case Help::tutor: return;  // weigh()
  }
}

void BoardHelp::weigh(const std::string& ply, std::function<void(const std::string&)> then) {
  Match with = session_.match();
  const auto entry = with.validate(*with.to_move(), ply, now());
  if (!entry || !boards_.computer()) return then("");
  with.add(*entry);
  const std::size_t last = with.plies().size();
  const auto about = std::make_shared<Analysis>(with, Analysis::kUsual, kTopLevel, last - 1);
  inquire(Help::tutor, about, [about, ply, last, then = std::move(then)] {
    const auto found = about->of(last);
    const bool proved = found && found->best.proved() && about->nag(last) != Nag::none;
    if (!proved && about->nag(last) != Nag::blunder) return then("");
    const auto worth = [](const Verdict& v) {
      return v.kind() == Verdict::Kind::endless
                 ? in_words(v)
                 : (v.proved() ? "a " : "a chance of ") + in_words(v);
    };
    then(ply + " gives much away: from " + worth(found->best) + " to " + worth(found->played) +
         ".");
  });
}

void BoardHelp::hint() {
  const Match& match = session_.match();
  if (const auto may = session_.may_have_hint(); !may) {
    const std::size_t now = match.plies().size();
    if (session_.may_see_threats(now)) return threats(now, " " + may.refusal().why);
    return refuse(Help::hint, may.refusal());
  }
  follow();
  if (!hint_ && session_.may_be_told()) {
    advised_about_ = match;
    hint_.emplace(match, Advice{Line{session_.board().exercise->hint(), {}, {}, {}}, {}}, false);
  }
  if (hint_) return tell_hint();
  if (!boards_.computer() || busy() == Help::hint) return;
  advised_about_ = match;
  advising_ =
      think(Help::hint, match.position(), question_about(match, kTopLevel),
            [this](const Thought& thought) {
              const Match& about = *advised_about_;
              hint_.emplace(about, Advice{thought.lines.front(), changes_by(about, thought)});
              tell_hint();
            });
}

void BoardHelp::tell_hint() {
  const Hint::Step step = hint_->next();
  told_ = step.told;
  tell_({Help::hint, step.told, false, step.ply});
}

void BoardHelp::threats(std::size_t ply, const std::string& behind) {
  if (const auto may = session_.may_see_threats(ply); !may)
    return refuse(Help::threats, may.refusal());
  if (!boards_.computer()) return;
  hint_.reset();
  const Match match = session_.match().prefix(ply);
  const Position position = *passed_over(match);
  const auto tell = [this, match, behind](const Thought& ahead) {
    threats_ = pbm::threats_in(match, ahead);
    tell_({Help::threats, threats_->told + behind});
  };
  if (position.legal().empty()) return tell({});
  Question question;
  question.limits.nodes = 100'000;
  advising_ = think(Help::threats, position, question, tell);
}

void BoardHelp::analyse() {
  const bool seen = session_.analysed() != nullptr;
  const auto analysis = session_.analysis();
  if (!analysis) return refuse(Help::analysis, analysis.refusal());
  const auto tell = [this, about = *analysis](const std::string& told) {
    tell_({Help::analysis, told, false, "", [found = *about](int columns) {
             return wrapped(found.text(static_cast<std::size_t>(columns)), columns);
           }});
  };
  // A finished analysis: the first request shows a hidden one, the second opens the full text.
  if (!(*analysis)->next()) return tell(seen ? "" : (*analysis)->summary());
  if (boards_.computer() && busy() != Help::analysis)
    inquire(Help::analysis, *analysis, [this, tell, about = *analysis] {
      const auto mine = [this](Seat seat) { return session_.is_mine(seat, me_); };
      Exercises* const exercises = boards_.exercises();
      const bool kept = exercises && exercises->keep_mistakes(*about, mine) > 0;
      tell(about->summary() +
           (kept ? " Yours are puzzles now: :puzzle mine in the list of boards." : ""));
    });
}

// Collects the next plies from the player's own games, and from the server's.
void BoardHelp::openings(std::size_t ply) {
  if (session_.board().exercise)
    return refuse(Help::openings, Refusal{"No openings here: this is for you to find."});
  auto read = Openings::after(session_.match(), ply);
  if (!read) return refuse(Help::openings, read.refusal());
  const auto found = std::make_shared<Openings>(std::move(*read));
  boards_.own().add_own_games(*found);
  if (!session_.board().has_others()) return judge(found);
  inquiring_.reset();
  inquires_into_ = Help::openings;
  boards_.ask(
      asking_, session_.id(),
      [found, &server = boards_.server()] { return server.command(found->command()); },
      [this, found](const Result<CommandAnswer>& answer) {
        if (answer) found->add_answer(answer->lines);
        else found->remark("The server says: " + answer.refusal().why);
        judge(found);
      });
}

void BoardHelp::judge(const std::shared_ptr<Openings>& openings) {
  inquiring_.reset();  // may be about an older request
  openings_ = openings;
  const auto may = session_.may_be_helped();
  if (!may && openings_->games() > 0) openings_->remark(std::string(kNoVerdicts));
  if (!may || !boards_.computer()) return tell_openings();
  inquire(Help::openings, std::make_shared<OpeningProofs>(*openings_), [this] { tell_openings(); });
}

void BoardHelp::tell_openings() {
  const std::string found = openings_->text();
  if (openings_->games() == 0) return tell_({Help::openings, found});
  tell_({Help::openings, "", false, "", [found](int columns) {
           std::vector<std::string> out;
           for (const TextLine& line : layout_markdown(found, columns)) out.push_back(line.text);
           return out;
         }});
}

// Thinks about the positions of `into` one after the other, then calls `found`.
void BoardHelp::inquire(Help about, const std::shared_ptr<Inquiry>& into,
                        const std::function<void()>& found) {
  inquiring_.reset();
  const auto n = into->next();
  if (!n) return found();
  inquiring_ = think(about, into->position(*n), into->question(),
                     [this, about, into, found](const Thought& thought) {
                       into->take(thought);
                       inquire(about, into, found);
                     });
}

std::string BoardHelp::progress() const {
  if (busy() == Help::hint) return "The computer thinks about a hint.";
  if (asking_) return "The server is asked for openings.";
  const ComputerAttendant* const computers = boards_.computer();
  if (const std::string making = computers ? computers->thinker().making() : ""; !making.empty())
    return making;
  if (inquires_into_ == Help::tutor) return "The computer looks at this move.";
  if (inquires_into_ == Help::openings) return "The computer looks at these moves.";
  const Analysis* const analysis = session_.analysed();
  return "Analysing: " + std::to_string(analysis ? analysis->percent() : 0) + " % done.";
}

std::optional<Help> BoardHelp::busy() const {
  return advising_               ? std::optional(advises_on_)
         : inquiring_ || asking_ ? std::optional(inquires_into_)
                                 : std::nullopt;
}

std::string BoardHelp::stop() {
  const auto about = busy();
  if (advising_) {
    advising_.reset();
    return about == Help::hint ? "No hint, then." : "";
  }
  inquiring_.reset();
  if (std::exchange(asking_, nullptr)) return "No openings, then.";
  if (about == Help::openings) tell_openings();
  return about == Help::analysis ? "The analysis is not finished: type analyse to go on." : "";
}

void BoardHelp::follow() {
  if (threats_ && threats_->about != session_.match().position()) threats_.reset();
  if (!advised_about_ || advised_about_->position() == session_.match().position()) return;
  advised_about_.reset();
  hint_.reset();
  if (busy() == Help::hint) advising_.reset();
}

}  // namespace pbm
