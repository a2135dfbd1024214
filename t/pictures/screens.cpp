// SPDX-License-Identifier: MIT
#include "screens.hpp"

#include <fstream>

#include "../scratch.hpp"
#include "../source_root.hpp"
#include "game/match.hpp"
#include "ui/match_picture.hpp"

namespace pbm::test {
namespace {

namespace fs = std::filesystem;

SvgFrame capture_frame(const TerminalRun& run) {
  const SvgWriter writer;
  SvgFrame out;
  for (int row = 0; row < run.rows(); ++row) {
    std::vector<SvgCell> cells;
    for (int column = 0; column < run.columns(); ++column) {
      const ScreenCell cell = run.cell(row, column);
      const bool is_cursor = run.is_cursor_visible() && run.cursor() == ScreenPoint{row, column};
      cells.push_back(is_cursor ? SvgCell{.glyph = cell.glyph, .reverse = true}
                                : SvgCell{.glyph = cell.glyph,
                                          .ink = cell.foreground,
                                          .paper = cell.background,
                                          .bold = cell.bold,
                                          .underline = cell.underline,
                                          .reverse = cell.reverse});
    }
    out.push_back(writer.draw_row(cells, row));
  }
  return out;
}

// Draws a game of Toot for two, move by move.
std::string draw_game(const std::string& plies) {
  Match match = *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, Time{});
  for (const std::string& ply : split_words(plies))
    match.add(*match.validate(match.acting_seat(ply), ply, Time{}));
  return draw_match_picture(match, match.plies().size(), {},
                            *find_theme("default", {source_root() / "themes"}), true);
}

}  // namespace

const std::vector<Picture>& pictures() {
  static const std::vector<Picture> all{
      {.name = "game", .title = "A game of Toot for two", .plies = "CO BO FT CT CO BO AT BT DT"},
      {"typing",
       "A game of Toot for two: each move is judged while it is typed, one is refused with the "
       "reason, and a name is spelled",
       {"toot", "fred", "wilma"},
       {{"c", 0.8},
        {"o", 1.4},
        {"\r", 1},
        {"bo", 1.2},
        {"\r", 0.9},
        {"ft\r", 1.5},
        {"gt", 2.4},
        {"\177\177ct\r", 1.5},
        {"co\r", 1.5},
        {"bo\r", 1.5},
        {"at\r", 1.5},
        {"bt", 1.1},
        {"\r", 0.9},
        {"dt", 2},
        {"\r", 5}},
       15,
       66,
       true},
      {"analysis",
       "A game looked back on, with the computer's chances: what was better is asked, then told",
       {"toot", "fred", "wilma"},
       {{"co\rbo\rft\rct\rco\rbo\rat\rbt\rdt\r", 1, "won"},
        {"analyse\r", 1, "{ and }"},
        {"{", 1},
        {"\r", 1}},
       24,
       76},
      {"settings", "The settings, and what a theme looks like", {}, {{"\033OS"}}, 25, 80},
      {"lobby", "The lobby: boards, whose turn it is, the latest first", {}, {}, 19, 76},
      {"form",
       "The form for a new board, against the computer",
       {},
       {{"s \t\t\t\t\033OC"}},
       16,
       76},
      {"lesson",
       "A lesson, and a move picked with the cursor",
       {"lesson", "toot"},
       {{" t"}},
       16,
       76},
      {"puzzle",
       "A puzzle: a wrong move, and what the other side plays then",
       {"puzzle", "toot", "4"},
       {{"at\r", 1, "left."}},
       18,
       76},
      {"help", "The keys of a board, the most wanted first", {"open", "toot-101"}, {{"?"}}, 20, 76},
      {"toot", "A board of Toot while a move is typed", {"open", "toot-101"}, {{"bt"}}, 13, 66},
      {"flooprail",
       "A board of FloopRail, and what can follow what is typed",
       {"open", "flooprail-101"},
       {{"d2"}},
       24,
       66},
      {"plotto", "A board of Plotto for two", {"open", "plotto-101"}, {{"e4"}}, 21, 66},
      {"chaos",
       "A board of Chaos, and how a chain of jumps can go on",
       {"open", "chaos-101"},
       {{"e5-a1-c"}},
       16,
       66},
      {"soccolot",
       "A match of Soccolot, and the kicks of the man whose number is typed",
       {"open", "soccolot-101"},
       {{"2k"}},
       29,
       66},
  };
  return all;
}

std::string draw_picture(const Picture& picture) {
  if (!picture.plies.empty()) return draw_game(picture.plies);
  const ScratchDirectory home;
  fs::create_directories(home.path() / "data/pbmplay/saves");
  for (const auto& entry : fs::directory_iterator(source_root() / "saves"))
    if (entry.is_regular_file() && entry.path().stem().string().find('-') == std::string::npos)
      fs::copy(entry.path(),
               home.path() / "data/pbmplay/saves" / (entry.path().stem().string() + "-101.yaml"));
  fs::create_directories(home.path() / "config/pbmplay");
  std::ofstream(home.path() / "config/pbmplay/settings.yaml") << "name: alice\n";
  fs::create_directories(home.path() / "no-examples/saves");
  for (const char* name : {"rules", "themes", "saves/lessons"})
    fs::create_directory_symlink(source_root() / name, home.path() / "no-examples" / name);
  // Leaves puzzles out of the list of boards, because they change every day.
  if (picture.name == "puzzle")
    fs::create_directory_symlink(source_root() / "saves/puzzles",
                                 home.path() / "no-examples/saves/puzzles");
  LaunchOptions launch;
  launch.arguments = picture.arguments;
  launch.home = home.path();
  launch.rows = picture.rows;
  launch.columns = picture.columns;
  launch.environment = {{"PBMPLAY_DATA", (home.path() / "no-examples").string()},
                        {"NO_COLOR", std::nullopt}};
  TerminalRun run(launch);
  run.wait_idle();
  std::vector<TimedFrame> shots{{capture_frame(run), 1}};
  for (const KeyStep& key : picture.keys) {
    run.type(key.text);
    if (!key.wait_for_text.empty()) run.wait_for(key.wait_for_text);
    run.wait_idle();
    shots.push_back({capture_frame(run), key.seconds});
  }
  if (!picture.is_animated) shots.erase(shots.begin(), shots.end() - 1);
  return SvgWriter().draw_window(shots, picture.columns, picture.title);
}

}  // namespace pbm::test
