// SPDX-License-Identifier: MIT
// A board as it is, and as it was after an earlier ply.
#include "boards/analysis.hpp"
#include "ui/screens/board_model.hpp"

namespace pbm {

namespace {

// What is typed shows on the board: the squares it names, and those that can come next.
void light_typed(const MoveLine& line, BoardView& picture) {
  const auto trails = line.trails_of(line.typed().text);
  const auto common = common_beginning(trails);
  std::vector<SpotId> next;
  for (const std::vector<SpotId>& trail : trails)
    if (trail.size() > common.size()) next.push_back(trail[common.size()]);
  picture.mark(next, Mark::choice);
  picture.mark(common, Mark::picked);
}

}  // namespace

void Typing::mark(const BoardModel& model, const Position& seen, BoardView& picture) const {
  if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
  if (!model.previews() && !model.line.empty()) light_typed(model.line, picture);
  if (const auto spot = model.help.spot()) {
    picture.mark({*spot}, Mark::win, style_of_seat(seen.to_move()));
    picture.follow(spot);
  }
}

const FootKeys& Typing::foot(const BoardModel& model) const {
  static const FootKeys trying{{key_for(BoardCommand::complete), "cursor"},
                               {key_for(BoardCommand::past), "look back"},
                               {key_of_word("undo"), "take back"},
                               {key_for(BoardCommand::leave), "back to the game"},
                               {key_of_word("rules"), "rules"}};
  static const FootKeys over{{key_for(BoardCommand::past), "look back"},
                             {key_for(BoardCommand::computer), "analyse"},
                             {key_of_word("record"), "record"},
                             {key_of_word("next"), "next board"},
                             {key_of_word("rules"), "rules"}};
  static const FootKeys seen{{key_for(BoardCommand::past), "look back"},
                             {key_for(BoardCommand::computer), "no analysis"},
                             {key_of_word("next"), "next board"},
                             {key_of_word("rules"), "rules"}};
  // Before anything was played.
  static const FootKeys begins{{key_for(BoardCommand::complete), "cursor"},
                               {key_of_word("try"), "try"},
                               {key_of_word("rules"), "rules"}};
  static const FootKeys begins_alone{{key_for(BoardCommand::complete), "cursor"},
                                     {key_for(BoardCommand::computer), "hint"},
                                     {key_of_word("try"), "try"},
                                     {key_of_word("rules"), "rules"}};
  static const FootKeys playing{{key_for(BoardCommand::complete), "cursor"},
                                {key_for(BoardCommand::past), "look back"},
                                {key_of_word("undo"), "take back"},
                                {key_of_word("try"), "try"},
                                {key_of_word("rules"), "rules"}};
  static const FootKeys alone{{key_for(BoardCommand::complete), "cursor"},
                              {key_for(BoardCommand::computer), "hint"},
                              {key_for(BoardCommand::past), "look back"},
                              {key_of_word("undo"), "take back"},
                              {key_of_word("rules"), "rules"}};
  static const FootKeys watching{{key_for(BoardCommand::faster), "faster"},
                                 {key_for(BoardCommand::slower), "slower"},
                                 {key_for(BoardCommand::past), "look back"},
                                 {key_of_word("try"), "try moves"},
                                 {key_of_word("rules"), "rules"}};
  static const FootKeys finding{{key_for(BoardCommand::complete), "cursor"},
                                {key_for(BoardCommand::computer), "hint"},
                                {key_of_word("rules"), "rules"}};
  static const FootKeys found{{key_for(BoardCommand::enter), "goes on"},
                              {key_of_word("redo"), "what is expected"},
                              {key_of_word("rules"), "rules"}};
  if (model.session.board().exercise && !model.session.trying())
    return model.session.may_go_on() ? found : finding;
  return model.watches_computers()       ? watching
         : model.session.trying()        ? trying
         : model.match().ending()        ? (model.session.analysed() ? seen : over)
         : model.match().log().empty()   ? (model.session.may_have_hint() ? begins_alone : begins)
         : model.session.may_have_hint() ? alone
                                         : playing;
}

// The end of a line that is being typed is nearer than the end of the game.
std::optional<BoardCommand> LookingBack::command_of(const BoardModel& model, const Key& key) const {
  return key.code == Key::Code::end && model.line.empty() ? std::optional(BoardCommand::now)
                                                          : std::nullopt;
}

void LookingBack::mark(const BoardModel&, const Position& seen, BoardView& picture) const {
  if (const auto outcome = seen.outcome()) picture.mark(outcome->spots, Mark::win);
}

const FootKeys& LookingBack::foot(const BoardModel& model) const {
  static const FootKeys back{{key_for(BoardCommand::past), "earlier"},
                             {key_for(BoardCommand::later), "later"},
                             {key_for(BoardCommand::now), "now"},
                             {key_of_word("try"), "try moves"},
                             {key_for(BoardCommand::computer), "analyse"}};
  static const FootKeys analysed{{key_for(BoardCommand::mistake_before), "mistake before"},
                                 {key_for(BoardCommand::mistake_after), "next"},
                                 {key_of_word("better"), "better line"},
                                 {key_for(BoardCommand::now), "now"},
                                 {key_for(BoardCommand::computer), "no analysis"}};
  return model.session.analysed() ? analysed : back;
}

// What was played there, what else was, and what was noted.
std::string LookingBack::hint(const BoardModel& model) const {
  if (!model.line.empty()) return "";
  const Match& m = model.match();
  std::string out;
  if (const Analysis* analysis = model.session.analysed())
    if (const Nag nag = analysis->nag(ply); nag != Nag::none)
      out = std::string(to_string(nag)) + " " + analysis->said(ply) + ". ";
  out += ply == 0 ? "The start."
                  : std::to_string(ply) + ": " +
                        said_of(m, m.plies()[ply - 1].seat, m.plies()[ply - 1].described);
  out += " " + count_of(m.plies().size() - ply, "move", "moves") + " behind, End returns.";
  for (const auto& line : m.side_lines(ply))
    out += " Played here and taken back: " + first_words(line, 8) + ".";
  if (!m.note(ply).empty()) out += " Note: " + m.note(ply);
  if (ply > 0)
    if (const std::string when = long_time(m.plies()[ply - 1].at); !when.empty())
      out += " " + when + ".";
  return out;
}

}  // namespace pbm
