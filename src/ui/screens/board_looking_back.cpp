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
  static const FootKeys trying{{key_for(BoardCommand::complete), "cursor"},
                               {key_for(BoardCommand::past), "look back"},
                               {key_of_word("undo"), "take back"},
                               {key_for(BoardCommand::leave), "back to the game"},
                               {key_of_word("rules"), "rules"}};
  static const FootKeys over{{key_for(BoardCommand::past), "look back"},
                             {key_of_word("analyse"), "analyse"},
                             {key_of_word("record"), "record"},
                             {key_of_word("next"), "next board"},
                             {key_of_word("rules"), "rules"}};
  static const FootKeys playing{{key_for(BoardCommand::complete), "cursor"},
                                {key_for(BoardCommand::past), "look back"},
                                {key_of_word("undo"), "take back"},
                                {key_of_word("try"), "try moves"},
                                {key_of_word("rules"), "rules"}};
  static const FootKeys alone{{key_for(BoardCommand::complete), "cursor"},
                              {key_of_word("hint"), "hint"},
                              {key_for(BoardCommand::past), "look back"},
                              {key_of_word("undo"), "take back"},
                              {key_of_word("rules"), "rules"}};
  static const FootKeys watching{{key_for(BoardCommand::faster), "faster"},
                                 {key_for(BoardCommand::slower), "slower"},
                                 {key_for(BoardCommand::past), "look back"},
                                 {key_of_word("try"), "try moves"},
                                 {key_of_word("rules"), "rules"}};
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
  static const FootKeys back{{key_for(BoardCommand::past), "earlier"},
                             {key_for(BoardCommand::later), "later"},
                             {key_for(BoardCommand::now), "now"},
                             {key_of_word("try"), "try moves"},
                             {key_of_word("record"), "record"}};
  static const FootKeys analysed{{key_for(BoardCommand::mistake_before), "mistake before"},
                                 {key_for(BoardCommand::mistake_after), "next"},
                                 {key_of_word("better"), "better line"},
                                 {key_for(BoardCommand::now), "now"},
                                 {key_of_word("analyse"), "all"}};
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
