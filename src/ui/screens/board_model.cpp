// SPDX-License-Identifier: MIT
// The sentences on a board's screen.
#include "ui/screens/board_model.hpp"

#include "boards/exercises.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

std::string first_words(const std::vector<std::string>& words, std::size_t most) {
  return join_words(words, 0, most) + (words.size() > most ? " ..." : "");
}

// The list of players shows the pieces of a seat, so the sentence needs only the name.
std::string ply_sentence(const BoardModel& model, Seat seat, const std::string& described) {
  return model.match().action_sentence(seat, described + ".", model.session.own_seat(), false);
}

std::string forced_ply_message(const BoardModel& model) {
  const Match& m = model.match();
  const std::string only = model.session.can_move() && !model.session.board().exercise
                               ? find_forced_pass(m.position())
                               : "";
  return only.empty() ? ""
                      : m.action_sentence(*m.to_move(), "can only " + only + ". Enter types it.",
                                          model.session.own_seat(), false);
}

namespace {

std::string idle_message(const BoardModel& model) {
  const Match& m = model.match();
  const BoardSession& session = model.session;
  if (const std::string task = session.exercise_text(); !task.empty()) return task;
  if (m.offer()) return session.offer_text();
  const std::size_t n = m.plies().size();
  if (session.is_trying() && n == session.trial_start())
    return session.can_queue_answers()
               ? "Trying moves. Type answers to queue your replies. Esc returns to "
                 "the game."
               : "Trying moves; nothing is saved. Esc returns to the game, copy "
                 "saves it.";
  if (m.ending())
    return session.status() + (session.can_rematch() ? " Press r for a rematch." : "");
  std::string queued = session.queued_text();
  if (const ComputerSeats* computers = model.boards.computer(); computers && !session.is_trying()) {
    if (model.is_paused && model.is_watching_computers()) queued = "Paused. Space continues.";
    else if (model.is_computer_thinking())
      queued = computers->is_engine_slow()
                   ? "The engine is getting ready. Esc gives up."
                   : "The computer thinks" +
                         std::string(session.has_seat() ? ". Esc makes it play now." : ".");
    else if (!computers->problem().empty()) queued = computers->problem();
  }
  if (session.has_no_updates()) return session.status() + " Type watch to follow the game.";
  if (n == 0 && !session.can_move()) return session.status() + (queued.empty() ? "" : " " + queued);
  if (n == 0) return m.move_hint() + "; or arrows and Enter.";
  std::string out = ply_sentence(model, m.plies().back().seat, m.plies().back().description);
  if (!session.can_move()) out += " " + (queued.empty() ? session.status() : queued);
  else if (const std::string only = forced_ply_message(model); !only.empty())
    out = only + " " + out;  // first: the description of the last ply may be long
  else if (const std::string redo = m.redo_ply(); !redo.empty())
    out += " Ctrl-Y plays " + redo + (session.is_trying() ? "." : " again.");
  if (!m.note(n).empty()) out += " Note: " + m.note(n);
  return out;
}

StatusMessage judgement_message(const BoardModel& model) {
  const Judgement& j = model.line.judgement();
  const Match& m = model.match();
  const auto* picking = model.mode_as<PickingMode>();
  switch (j.kind) {
    case Judgement::Kind::empty: return {"", Style::partial};
    case Judgement::Kind::partial:
      if (j.continuations.empty()) return {j.reason, Style::partial};
      return {"Possible: " + first_words(j.continuations, 12) +
                  (picking && !picking->letter_choices(model).empty() ? " - arrows and Tab choose"
                                                                      : ""),
              Style::partial};
    case Judgement::Kind::queueable:
      return {model.session.status() + " Enter twice queues " + model.line.typed_line().text + ".",
              Style::good};
    case Judgement::Kind::refused: return {j.reason, Style::bad};
    case Judgement::Kind::complete: break;
  }
  if (model.line.typed_line().is_match_word()) return {"Enter: " + j.text, Style::good};
  if (model.is_previewing())
    return {"Not played yet: " + j.text + ". Enter plays it, Esc goes back.", Style::good};
  // An exercise must not give its solution away.
  const bool exercise = model.session.board().exercise && !model.session.is_trying();
  const std::string caution = exercise ? "" : m.position().warning(j.text);
  if (!caution.empty()) return {"Legal, but: " + caution + " Enter plays it.", Style::warning};
  // The sentence stays the same after the ply, so that the terminal sends few bytes.
  return {ply_sentence(model, *m.to_move(), m.position().describe(j.text)) + " Enter plays it." +
              (j.continuations.empty() ? "" : " Or: " + first_words(j.continuations, 8)),
          Style::good};
}

}  // namespace

std::string computer_advice(const BoardModel& model, const Position& seen) {
  const BoardHelp& help = model.help;
  const bool is_past = model.mode_as<ReviewMode>() != nullptr;
  const Analysis* const analysis = model.session.visible_analysis();
  const auto busy = help.running_help();
  if (busy == HelpKind::hint) return help.progress_text() + " Esc stops it.";
  if (const Threats* const threats = help.threats_for(seen)) return threats->text;
  if (help.has_hint() && !is_past) return help.hint_text();
  if (busy == HelpKind::analysis) return help.progress_text() + " Esc stops it.";
  if (!analysis) return "";
  return is_past ? analysis->sentence(model.shown_ply()) : analysis->summary();
}

StatusMessage status_message(const BoardModel& model, const Position& seen, const Notice& notice,
                             const std::string& advice) {
  if (const std::string_view told = notice.text; !told.empty()) {
    const std::string_view rest =
        advice.empty() || !told.starts_with(advice) ? told : trim(told.substr(advice.size()));
    if (!rest.empty()) return {std::string(rest), notice.style};
  }
  const MoveLine& line = model.line;
  if (!model.pending_text.empty() && line.empty())
    return {"Asking the server for " + model.pending_text + ". Esc gives up.", Style::dim};
  auto busy = model.help.running_help();
  if (!line.empty() && !line.is_replaceable() && busy != HelpKind::tutor) busy.reset();
  if ((advice.empty() || busy == HelpKind::tutor) && busy && busy != HelpKind::threats &&
      !(busy == HelpKind::analysis && model.mode_as<ReviewMode>()))
    return {model.help.progress_text() + " Esc stops it." +
                (model.match().ending() ? "" : " You can play on meanwhile."),
            Style::dim};
  // The hint's sentence stays as long as its spot is marked.
  if (advice.empty() && !model.mode_as<ReviewMode>() &&
      ((line.empty() && model.help.hint_spot()) ||
       (line.is_replaceable() && !model.help.reason_spots().empty())))
    return {model.help.hint_text(), Style::good};
  if (const Threats* const threats = model.help.threats_for(seen);
      advice.empty() && threats && (line.empty() || line.is_replaceable()))
    return {threats->text, Style::good};
  const TypedLine& typed = line.typed_line();
  if (typed.kind == TypedLine::Kind::move && model.mode_as<ReviewMode>() && !line.is_recalled()) {
    const auto then = seen.parse(typed.text);
    if (!then && line.judgement().kind != Judgement::Kind::complete)
      return {then.refusal().reason, Style::partial};
    return {model.mode_as<ReviewMode>()->has_question ? "Enter checks your answer."
            : model.match().ending()
                ? "F3 tries " + typed.text + " from here."
                : "Enter asks if you want to play " + typed.text + " now or try it from here.",
            Style::dim};
  }
  if (typed.kind == TypedLine::Kind::command)
    return {"Enter sends this to the server. Type :help for its commands.", Style::dim};
  if (typed.has_name("redo") && model.match().redo_ply().empty())
    return {"There is no move to redo.", Style::bad};
  if (typed.kind == TypedLine::Kind::ply_number)
    return {"Enter shows the board after that move.", Style::dim};
  if (typed.is_match_word() && !typed.argument.empty())
    return {no_argument_message(typed.word->name), Style::bad};
  if (typed.word && !typed.is_match_word())
    return {typed.word->usage() + ": " + std::string(typed.word->description) + ".", Style::dim};
  // A line from the history is judged only after a change.
  if (line.judgement().kind != Judgement::Kind::empty && !line.is_recalled())
    return judgement_message(model);
  if (std::string hint =
          std::visit([&](const auto& mode) { return mode.hint_text(model); }, model.mode);
      !hint.empty()) {
    const ReviewMode* const back = model.mode_as<ReviewMode>();
    if (advice.empty() && back && !back->question_analysis(model))
      hint.insert(0, computer_advice(model, seen) + " ");
    return {std::string(trim(hint)), Style::dim};
  }
  const Match& m = model.match();
  return {idle_message(model), m.ending() || m.offer() ? Style::turn
                               : !m.plies().empty()    ? Style::text
                                                       : Style::dim};
}

std::string BoardModel::title() const {
  const Match& m = match();
  if (const auto& exercise = session.board().exercise)
    return title_with_options(m.game(), m.options()) + " " + exercise->title();
  const std::string game = title_with_options(m.game(), m.options()) + ": ";
  std::vector<std::string> who = visible_player_names(boards.own_name(), m.seating());
  if (boards.exercises() && boards.exercises()->is_adaptive(m))
    for (std::string& name : who)
      if (name.starts_with("computer ")) name = "computer (level " + name.substr(9) + ")";
  if (who.size() > 2) return game + join_with_and(who) + ", " + session.id();
  if (who.back() == "you") std::swap(who.front(), who.back());
  return game + who.front() + " against " + who.back() + ", " + session.id();
}

std::size_t BoardModel::shown_ply() const {
  const ReviewMode* const back = mode_as<ReviewMode>();
  return back ? back->shown_ply : match().plies().size();
}

}  // namespace pbm
