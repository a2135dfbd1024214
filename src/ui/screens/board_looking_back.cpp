// SPDX-License-Identifier: MIT
// A board as it is, and as it was after an earlier ply.
#include "ui/screens/board_screen.hpp"

namespace pbm {

void Typing::mark(const BoardScreen& screen, BoardView& picture) const {
  if (const auto outcome = screen.seen_.outcome()) picture.mark(outcome->spots, Mark::win);
  if (!screen.previews() && !screen.line_.empty()) screen.light_typed(picture);
  if (const auto spot = screen.help_.spot()) {
    picture.mark({*spot}, Mark::choice);
    picture.follow(spot);
  }
}

const FootKeys& Typing::foot(const BoardScreen& screen) const {
  static const FootKeys trying{{BoardCommand::complete, "by hand"},
                               {BoardCommand::past, "look back"},
                               {BoardCommand::undo, "take back"},
                               {BoardCommand::leave, "back to the game"},
                               {BoardCommand::rules, "rules"}};
  static const FootKeys over{{BoardCommand::past, "look back"},
                             {BoardCommand::analyse, "analyse"},
                             {BoardCommand::record, "record"},
                             {BoardCommand::next_board, "next board"},
                             {BoardCommand::rules, "rules"}};
  static const FootKeys playing{{BoardCommand::complete, "by hand"},
                                {BoardCommand::past, "look back"},
                                {BoardCommand::undo, "take back"},
                                {BoardCommand::try_moves, "try moves"},
                                {BoardCommand::rules, "rules"}};
  static const FootKeys alone{{BoardCommand::complete, "by hand"},
                              {BoardCommand::hint, "hint"},
                              {BoardCommand::past, "look back"},
                              {BoardCommand::undo, "take back"},
                              {BoardCommand::rules, "rules"}};
  static const FootKeys watching{{BoardCommand::faster, "faster"},
                                 {BoardCommand::slower, "slower"},
                                 {BoardCommand::past, "look back"},
                                 {BoardCommand::try_moves, "try moves"},
                                 {BoardCommand::rules, "rules"}};
  return screen.watches_computers()     ? watching
         : screen.desk_.trying()        ? trying
         : screen.match().ending()      ? over
         : screen.desk_.may_have_hint() ? alone
                                        : playing;
}

// The end of a line that is being typed is nearer than the end of the game.
std::optional<BoardCommand> LookingBack::command_of(const BoardScreen& screen,
                                                    const Key& key) const {
  return key.code == Key::Code::end && screen.line_.empty() ? std::optional(BoardCommand::now)
                                                            : std::nullopt;
}

void LookingBack::mark(const BoardScreen& screen, BoardView& picture) const {
  if (!screen.looking_back()) return Typing().mark(screen, picture);
  if (const auto outcome = screen.seen_.outcome()) picture.mark(outcome->spots, Mark::win);
}

const FootKeys& LookingBack::foot(const BoardScreen& screen) const {
  static const FootKeys back{{BoardCommand::past, "earlier"},
                             {BoardCommand::later, "later"},
                             {BoardCommand::now, "now"},
                             {BoardCommand::try_moves, "try moves"},
                             {BoardCommand::record, "record"}};
  static const FootKeys analysed{{BoardCommand::mistake_before, "mistake before"},
                                 {BoardCommand::mistake_after, "next"},
                                 {BoardCommand::better, "better line"},
                                 {BoardCommand::now, "now"},
                                 {BoardCommand::analyse, "all"}};
  if (screen.looking_back() && screen.desk_.analysed()) return analysed;
  return screen.looking_back() ? back : Typing().foot(screen);
}

// What was played there, what else was, and what was noted.
std::string LookingBack::hint(const BoardScreen& screen) const {
  if (!screen.line_.empty()) return "";
  const Match& m = screen.match();
  const std::size_t behind = m.plies().size() - ply;
  std::string out = count_of(behind, "ply", "plies") + " behind, End returns. ";
  if (ply == 0) {
    out += "The start.";
  } else {
    const Match::Ply& played = m.plies()[ply - 1];
    const std::string when = long_time(played.at), said = said_of(m, played.seat, played.described);
    out += std::to_string(ply) + ": " + said.substr(0, said.size() - 1) +
           (when.empty() ? "." : ", " + when + ".");
  }
  if (const Analysis* analysis = screen.desk_.analysed())
    if (const Nag nag = analysis->nag(ply); nag != Nag::none)
      out += " " + std::string(to_string(nag)) + " It " + analysis->said(ply) + ".";
  for (const auto& line : m.side_lines(ply))
    out += " Played here and taken back: " + first_words(line, 8) + ".";
  if (!m.note(ply).empty()) out += " Note: " + m.note(ply);
  return out;
}

}  // namespace pbm
