// SPDX-License-Identifier: MIT
// Words typed on a board's screen for what its keys do, as line mode has them.
#include "game/record.hpp"
#include "ui/screens/board_screen.hpp"

namespace pbm {

const std::vector<BoardScreen::Word>& BoardScreen::words() {
  static const std::vector<Word> table{
      {"show", "[PLY]", "the board as it is now, or after a ply", &BoardScreen::type_show},
      {"legal", "", "every legal move", &BoardScreen::type_legal},
      {"plies", "", "what was played, noted and taken back", &BoardScreen::type_plies},
      {"record", "", "the whole game as a text", &BoardScreen::type_record},
      {"rules", "", "the rules of this game", &BoardScreen::type_rules},
      {"next", "", "the next board that waits for a move", &BoardScreen::type_next},
      {"boards", "", "back to the boards", &BoardScreen::type_boards},
      {"mouse", "", "the mouse on or off, as F2", &BoardScreen::type_mouse},
      {"settings", "", "colours, mouse, bell, your name, as F4", &BoardScreen::type_settings},
      {"help", "", "this help", &BoardScreen::type_help},
      {"quit", "", "leave the program; everything is kept", &BoardScreen::type_quit},
  };
  return table;
}

const BoardScreen::Word* BoardScreen::word_in(std::string_view typed) {
  const std::vector<std::string> said = pbm::words(typed);
  for (const Word& w : words())
    if (!said.empty() && same_ignoring_case(said[0], w.name) &&
        said.size() <= (w.syntax.empty() ? 1U : 2U))
      return &w;
  return nullptr;
}

ScreenRequest BoardScreen::type_show(std::string_view rest) {
  if (rest.empty()) show_ply(match().plies().size());
  else go_to_typed_ply(rest);
  return {};
}

ScreenRequest BoardScreen::type_legal(std::string_view) {
  const auto legal = match().ending() ? std::vector<std::string>{} : match().position().legal();
  if (legal.empty()) {
    notice_ = match().standing();
    return {};
  }
  std::string text;
  constexpr int kWidth = 72;
  for (const std::string& line : wrap(joined(legal, 0, legal.size()), kWidth))
    text += (text.empty() ? "" : "\n") + line;
  return {ScreenRequest::Kind::text, text};
}

ScreenRequest BoardScreen::type_plies(std::string_view) {
  std::string text;
  for (const std::string& line : plies_in_words(match())) text += (text.empty() ? "" : "\n") + line;
  return {ScreenRequest::Kind::text, text};
}

ScreenRequest BoardScreen::type_record(std::string_view) {
  return {ScreenRequest::Kind::text, record_text(match(), view_)};
}
ScreenRequest BoardScreen::type_rules(std::string_view) {
  return {ScreenRequest::Kind::rules, std::string(match().game().name)};
}
ScreenRequest BoardScreen::type_next(std::string_view) {
  return {ScreenRequest::Kind::next, desk_.id()};
}
ScreenRequest BoardScreen::type_boards(std::string_view) { return {ScreenRequest::Kind::back, ""}; }
ScreenRequest BoardScreen::type_mouse(std::string_view) { return {ScreenRequest::Kind::mouse, ""}; }
ScreenRequest BoardScreen::type_settings(std::string_view) {
  return {ScreenRequest::Kind::settings, ""};
}
ScreenRequest BoardScreen::type_help(std::string_view) { return {ScreenRequest::Kind::help, ""}; }
ScreenRequest BoardScreen::type_quit(std::string_view) { return {ScreenRequest::Kind::quit, ""}; }

}  // namespace pbm
