// SPDX-License-Identifier: MIT
#include "ui/board_help.hpp"

#include "ui/screen.hpp"

namespace pbm {

// Asks the computer, and reports a failure as a refusal. Pre: there is a computer.
Thinker::Handle BoardHelp::start_thinking(HelpKind about, const Position& position,
                                          SearchRequest question,
                                          std::function<void(const SearchResult&)> then) {
  using Rank = Thinker::Rank;
  const bool long_one = about != HelpKind::hint && about != HelpKind::threats;
  (long_one ? long_task_kind_ : short_task_kind_) = about;
  return boards_.computer()->thinker().ask(
      long_one && about != HelpKind::tutor ? Rank::study : Rank::person, session_.match().game(),
      position, std::move(question),
      [this, about, long_one, then = std::move(then)](const Result<SearchResult>& thought) {
        (long_one ? long_task_ : short_task_).reset();
        if (thought) return then(*thought);
        report_refusal(about, Refusal{"There is no answer. " + thought.refusal().reason});
      });
}

void BoardHelp::request(HelpKind about, std::size_t ply) {
  switch (about) {
    case HelpKind::hint: return request_hint();
    case HelpKind::threats: return request_threats(ply);
    case HelpKind::analysis: return request_analysis();
    case HelpKind::tutor: return;  // check_ply()
  }
}

void BoardHelp::check_ply(const std::string& ply, std::function<void(const std::string&)> then) {
  Match with = session_.match();
  const auto entry = with.validate(*with.to_move(), ply, now());
  if (!entry || !boards_.computer()) return then("");
  with.add(*entry);
  const std::size_t last = with.plies().size();
  const auto about = std::make_shared<Analysis>(with, Analysis::kQuickLimits, kMaxLevel, last - 1);
  analyse(HelpKind::tutor, about, [about, ply, last, then = std::move(then)] {
    const auto found = about->assessment(last);
    const bool proved =
        found && found->best_verdict.is_proved() && about->mark(last) != MoveMark::none;
    if (!proved && about->mark(last) != MoveMark::blunder) return then("");
    const auto worth = [](const Verdict& v) {
      return v.kind() == Verdict::Kind::endless
                 ? verdict_text(v)
                 : (v.is_proved() ? "a " : "a chance of ") + verdict_text(v);
    };
    if (found->best_verdict.kind() == Verdict::Kind::loss)
      return then(ply + " loses at once. Another move holds out longer.");
    then(ply + " is a bad move. It turns " + worth(found->best_verdict) + " into " +
         worth(found->played_verdict) + ".");
  });
}

void BoardHelp::request_hint() {
  const Match& match = session_.match();
  if (const auto may = session_.check_hint_allowed(); !may) {
    const std::size_t now = match.plies().size();
    if (session_.check_threats_allowed(now))
      return request_threats(now, " " + may.refusal().reason);
    return report_refusal(HelpKind::hint, may.refusal());
  }
  drop_outdated();
  if (!hint_ && session_.can_show_solution()) {
    hint_match_ = match;
    hint_.emplace(match, Advice{AnalysisLine{session_.board().exercise->hint(), {}, {}, {}}, {}},
                  false, session_.own_seat());
  }
  if (hint_) return report_hint();
  if (!boards_.computer() || running_help() == HelpKind::hint) return;
  hint_match_ = match;
  const auto tell = [this](const SearchResult& thought) {
    const Match& about = *hint_match_;
    hint_.emplace(about, Advice{thought.lines.front(), line_changes(about, thought)}, true,
                  session_.own_seat());
    report_hint();
  };
  const std::size_t n = match.plies().size();
  if (const auto known = session_.known_thought(n, match.position())) return tell(*known);
  short_task_ =
      start_thinking(HelpKind::hint, match.position(), make_question(match, kMaxLevel),
                     [this, n, tell](const SearchResult& thought) {
                       boards_.computer()->keep_hint({n, hint_match_->position(), thought});
                       tell(thought);
                     });
}

void BoardHelp::report_hint() {
  const Hint::Step step = hint_->next_step();
  hint_text_ = step.text;
  report_({HelpKind::hint, step.text, false, step.ply});
}

void BoardHelp::request_threats(std::size_t ply, const std::string& behind) {
  if (const auto may = session_.check_threats_allowed(ply); !may)
    return report_refusal(HelpKind::threats, may.refusal());
  if (!boards_.computer()) return;
  hint_.reset();
  const Match match = session_.match().prefix_copy(ply);
  const Position position = *position_after_pass(match);
  const auto tell = [this, match, behind](const SearchResult& ahead) {
    threats_ = pbm::find_threats(match, ahead, session_.own_seat());
    report_({HelpKind::threats, threats_->text + behind});
  };
  if (position.legal_plies().empty()) return tell({});
  SearchRequest question;
  question.limits.nodes = 100'000;
  short_task_ = start_thinking(HelpKind::threats, position, question, tell);
}

void BoardHelp::request_analysis() {
  const bool seen = session_.visible_analysis() != nullptr;
  const auto analysis = session_.start_analysis();
  if (!analysis) return report_refusal(HelpKind::analysis, analysis.refusal());
  hint_.reset();
  const auto tell = [this, about = *analysis](const std::string& told) {
    report_({HelpKind::analysis, told, false, "", [found = *about](int columns) {
               return wrap_lines(found.report_lines(static_cast<std::size_t>(columns)), columns);
             }});
  };
  // A finished analysis: the first request shows a hidden one, the second opens the full text.
  if (!(*analysis)->next_index()) return tell(seen ? "" : (*analysis)->summary());
  if (boards_.computer() && running_help() != HelpKind::analysis)
    analyse(HelpKind::analysis, *analysis, [this, tell, about = *analysis] {
      const auto mine = [this](Seat seat) { return session_.is_own_seat(seat); };
      Exercises* const exercises = boards_.exercises();
      const bool kept = exercises && exercises->add_mistakes(*about, mine) > 0;
      tell(about->summary() +
           (kept ? " Your mistakes are puzzles now. Type :puzzle mine in the list of games." : ""));
    });
}

// Thinks about the positions of `into` one after the other, then calls `found`.
void BoardHelp::analyse(HelpKind about, const std::shared_ptr<Analysis>& into,
                        const std::function<void()>& found) {
  long_task_.reset();
  auto n = into->next_index();
  // A hint about the same position stands, so that both say the same.
  for (; n; n = into->next_index()) {
    auto known = session_.known_thought(*n, into->position(*n), into.get());
    if (!known) break;
    into->add_result(std::move(*known));
  }
  if (!n) return found();
  long_task_ = start_thinking(about, into->position(*n), into->question(),
                              [this, about, into, found](const SearchResult& thought) {
                                into->add_result(thought);
                                analyse(about, into, found);
                              });
}

std::string BoardHelp::progress_text() const {
  if (running_help() == HelpKind::hint) return "The computer looks for a hint.";
  const ComputerSeats* const computers = boards_.computer();
  if (const std::string making = computers ? computers->thinker().table_progress() : "";
      !making.empty())
    return making;
  if (long_task_kind_ == HelpKind::tutor) return "The computer looks at this move.";
  const Analysis* const analysis = session_.visible_analysis();
  return "Analysing: " + std::to_string(analysis ? analysis->percent_done() : 0) + " % done.";
}

std::optional<HelpKind> BoardHelp::running_help() const {
  return short_task_  ? std::optional(short_task_kind_)
         : long_task_ ? std::optional(long_task_kind_)
                      : std::nullopt;
}

std::string BoardHelp::stop() {
  const auto about = running_help();
  if (short_task_) {
    short_task_.reset();
    return about == HelpKind::hint ? "You cancelled the hint." : "";
  }
  long_task_.reset();
  return about == HelpKind::analysis ? "The analysis is not finished. Type analyse to continue."
                                     : "";
}

void BoardHelp::drop_outdated() {
  // A resignation and a change of the players keep the position.
  const Match& now = session_.match();
  if (threats_ && (threats_->position != now.position() || now.ending())) threats_.reset();
  if (now.ending() && running_help() == HelpKind::threats) short_task_.reset();
  if (!hint_match_ || (hint_match_->position() == now.position() && session_.check_hint_allowed()))
    return;
  hint_match_.reset();
  hint_.reset();
  if (running_help() == HelpKind::hint) short_task_.reset();
}

}  // namespace pbm
