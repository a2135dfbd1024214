// SPDX-License-Identifier: MIT
// The sentences on a board's screen.
#include "ui/screens/board_model.hpp"

#include "boards/exercises.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

std::string first_words(const std::vector<std::string>& words, std::size_t most) {
  return joined(words, 0, most) + (words.size() > most ? " ..." : "");
}

// The list of players shows the pieces of a seat, so the sentence needs only the name.
std::string said_of(const Match& m, Seat seat, const std::string& described) {
  return shown_name(m.names()[static_cast<std::size_t>(seat)]) + " " + described + ".";
}

std::string forced(const BoardModel& model) {
  const Match& m = model.match();
  const std::string only =
      model.session.may_move() && !model.session.board().exercise ? only_ply(m.position()) : "";
  return only.empty() ? ""
                      : shown_name(m.names()[static_cast<std::size_t>(*m.to_move())]) +
                            " can only " + only + ": Enter types it.";
}

namespace {

std::string idle_message(const BoardModel& model) {
  const Match& m = model.match();
  const BoardSession& session = model.session;
  if (const std::string task = session.task(); !task.empty()) return task;
  if (m.offer())
    return m.offered() + (session.answers() ? " Type accept or reject."
                          : session.plays() ? " It waits for an answer."
                                            : "");
  const std::size_t n = m.plies().size();
  if (session.trying() && n == session.tried_from())
    return session.may_keep_answers() ? "Trying moves: the word answers keeps your replies to the "
                                        "other's. Esc goes back to the game."
                                      : "Trying moves from here: nothing is kept. Esc goes back to "
                                        "the game, copy keeps it.";
  if (m.ending())
    return m.standing() + (session.may_rematch() ? " r: another game, seats swapped." : "");
  std::string queued = session.queued();
  if (const ComputerAttendant* computers = model.boards.computer();
      computers && !session.trying()) {
    if (model.paused && model.watches_computers()) queued = "Paused: Space goes on.";
    else if (model.computer_thinks())
      queued =
          "The computer thinks" + std::string(session.plays() ? ": Esc has it play now." : ".");
    else if (!computers->trouble().empty()) queued = computers->trouble();
  }
  if (session.stands_still()) return m.standing() + " Type watch to see how it goes on.";
  if (n == 0 && !session.may_move()) return m.standing() + (queued.empty() ? "" : " " + queued);
  if (n == 0) return m.how_to_move() + "; or arrows and Enter.";
  std::string out = said_of(m, m.plies().back().seat, m.plies().back().described);
  if (!session.may_move()) out += " " + (queued.empty() ? m.standing() : queued);
  else if (const std::string only = forced(model); !only.empty())
    out = only + " " + out;  // first: the description of the last ply may be long
  else if (const std::string redo = m.redo(); !redo.empty())
    out += " Ctrl-Y plays " + redo + " again.";
  if (!m.note(n).empty()) out += " Note: " + m.note(n);
  return out;
}

Message judgement_message(const BoardModel& model) {
  const Judgement& j = model.line.judgement();
  const Match& m = model.match();
  const auto* picking = model.doing<Picking>();
  const bool word = j.kind == Judgement::Kind::partial && is_match_word(j.next.front());
  if (model.session.would_queue(model.line.typed()) && j.kind != Judgement::Kind::complete && !word)
    return {m.standing() + " Enter twice keeps this for yours.", Style::partial};
  switch (j.kind) {
    case Judgement::Kind::empty: return {"", Style::partial};
    case Judgement::Kind::partial:
      return {
          "Possible: " + first_words(j.next, 12) +
              (picking && !picking->letters_left(model).empty() ? " - arrows and Tab choose" : ""),
          Style::partial};
    case Judgement::Kind::refused: return {j.why, Style::bad};
    case Judgement::Kind::complete: break;
  }
  if (model.line.typed().is_match_word()) return {"Enter: " + j.text, Style::good};
  if (model.previews())
    return {"Not played yet: " + j.text + ". Enter plays it, Esc goes back.", Style::good};
  // An exercise must not give its solution away.
  const bool exercise = model.session.board().exercise && !model.session.trying();
  const std::string caution = exercise ? "" : m.position().caution(j.text);
  if (!caution.empty()) return {"Legal, but: " + caution + " [Enter]", Style::warning};
  // The sentence stays the same after the ply, so that the terminal sends few bytes.
  return {said_of(m, *m.to_move(), m.position().describe(j.text)) + " [Enter]" +
              (j.next.empty() ? "" : " Or: " + first_words(j.next, 8)),
          Style::good};
}

}  // namespace

Message message_of(const BoardModel& model, const Position& seen, const Notice& notice) {
  if (!notice.empty()) return {notice.text, notice.style};
  const MoveLine& line = model.line;
  if (!model.asked_for.empty() && line.empty())
    return {"The server is asked for " + model.asked_for + ": Esc gives that up.", Style::dim};
  auto busy = model.help.busy();
  if (!line.empty() && busy != Help::tutor) busy.reset();
  if (busy && busy != Help::threats && !(busy == Help::analysis && model.doing<LookingBack>()))
    return {model.help.progress() + (busy == Help::openings
                                         ? " Esc shows what is known by now."
                                         : " Esc stops that; you can go on meanwhile."),
            Style::dim};
  // The hint's sentence stays as long as its spot is marked.
  const Picking* const picking = model.doing<Picking>();
  if (line.empty() && model.help.spot() && !model.doing<LookingBack>() &&
      !(picking && picking->used()))
    return {model.help.told(), Style::good};
  if (const Threats* const threats = line.empty() ? model.help.threats_in(seen) : nullptr)
    return {threats->told, Style::good};
  const TypedLine& typed = line.typed();
  if (typed.kind == TypedLine::Kind::move && model.doing<LookingBack>() && !line.recalled()) {
    const auto then = seen.parse(typed.text);
    if (!then && line.judgement().kind != Judgement::Kind::complete)
      return {then.refusal().why, Style::partial};
    return {model.doing<LookingBack>()->asks ? "Enter tells whether that was better."
            : model.match().ending()         ? "F3 tries " + typed.text + " from here."
                                             : "Enter asks where " + typed.text +
                                           " is played: on the board as it is now, or tried from "
                                           "here.",
            Style::dim};
  }
  if (typed.kind == TypedLine::Kind::command)
    return {"Enter sends this to the server; :help lists its commands.", Style::dim};
  if (typed.is("redo") && model.match().redo().empty())
    return {"Nothing was taken back here that could be played again.", Style::bad};
  if (typed.kind == TypedLine::Kind::number)
    return {"Enter shows the board after that move.", Style::dim};
  if (typed.is_match_word() && !typed.rest.empty())
    return {nothing_follows(typed.word->name), Style::bad};
  if (typed.word && !typed.is_match_word())
    return {typed.word->term() + ": " + std::string(typed.word->about) + ".", Style::dim};
  // A line from the history is judged only after a change.
  if (line.judgement().kind != Judgement::Kind::empty && !line.recalled())
    return judgement_message(model);
  if (std::string hint = std::visit([&](const auto& mode) { return mode.hint(model); }, model.mode);
      !hint.empty())
    return {hint, Style::dim};
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
  std::vector<std::string> who =
      players_for(session.board().remote ? boards.server().user() : preferences.name, m.seating());
  if (who.size() > 2) return game + all_of(who) + ", " + session.id();
  if (who.back() == "you") std::swap(who.front(), who.back());
  return game + who.front() + " against " + who.back() + ", " + session.id();
}

std::size_t BoardModel::shown() const {
  const LookingBack* const back = doing<LookingBack>();
  return back ? back->ply : match().plies().size();
}

}  // namespace pbm
