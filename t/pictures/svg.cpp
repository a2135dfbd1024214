// SPDX-License-Identifier: MIT
#include "svg.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <utility>

#include "../scratch.hpp"
#include "../source_root.hpp"

namespace pbm::test {
namespace {

namespace fs = std::filesystem;

// The palette of xterm; the first sixteen colours are softer, for dark and light pages.
std::string colour_code(int number) {
  static constexpr std::array<const char*, 16> basic{
      "#3b4048", "#e06c60", "#8cc265", "#d6b656", "#5ba3e0", "#c678c9", "#56b6c2", "#d4d7dc",
      "#6b727c", "#ff8a7a", "#a5e075", "#f0d060", "#7cc0ff", "#e095e3", "#70d8e6", "#ffffff"};
  char out[8];
  if (number < 16) return basic.at(static_cast<std::size_t>(number));
  if (number >= 0x1000000) {
    std::snprintf(out, sizeof out, "#%06x", static_cast<unsigned>(number) & 0xFFFFFFU);
  } else if (number >= 232) {
    const int grey = 8 + 10 * (number - 232);
    std::snprintf(out, sizeof out, "#%02x%02x%02x", grey & 255, grey & 255, grey & 255);
  } else {
    const auto level = [](int n) { return n == 0 ? 0 : (55 + 40 * n) & 255; };
    const int n = number - 16;
    std::snprintf(out, sizeof out, "#%02x%02x%02x", level(n / 36), level(n / 6 % 6), level(n % 6));
  }
  return out;
}

constexpr const char* kTextColour = "#d4d7dc";
constexpr const char* kBackground = "#15191f";
constexpr double kCellWidth = 8.4, kCellHeight = 18;  // of a cell
constexpr double kMargin = 12;

std::string format_number(double value) {
  char out[32];
  std::snprintf(out, sizeof out, "%g", value);
  return out;
}

std::string escape_xml(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

// The style of a run of cells.
struct CellStyle {
  std::string text_colour, background;  // paper "": the background of the window
  bool bold, underline;
  friend bool operator==(const CellStyle&, const CellStyle&) = default;
};

CellStyle cell_style(const ScreenCell& cell, bool cursor) {
  CellStyle look{cell.foreground < 0 ? kTextColour : colour_code(cell.foreground),
                 cell.background < 0 ? "" : colour_code(cell.background), cell.bold,
                 cell.underline};
  // The cursor has colours of its own.
  if (cursor) return {kBackground, kTextColour, false, false};
  if (cell.reverse) {
    const std::string ink = look.text_colour;
    look.text_colour = look.background.empty() ? kBackground : look.background;
    look.background = ink;
  }
  return look;
}

// Draws cells of a row that look alike, from column `from` up to `to`.
std::string draw_run(const CellStyle& look, int row, int from, int to, const std::string& text) {
  const double x = kMargin + from * kCellWidth, y = kMargin + row * kCellHeight,
               width = (to - from) * kCellWidth;
  std::string out;
  if (!look.background.empty())
    out += "<path fill=\"" + look.background + "\" d=\"M" + format_number(x) + " " +
           format_number(y) + "h" + format_number(width) + "v" + format_number(kCellHeight) + "h-" +
           format_number(width) + "\"/>\n";
  const std::size_t end = text.find_last_not_of(' ');
  if (end == std::string::npos && !look.underline) return out;
  out += "<text x=\"" + format_number(x) + "\" y=\"" + format_number(y + 13.5) +
         "\" textLength=\"" + format_number(width) + "\"";
  if (look.text_colour != kTextColour) out += " fill=\"" + look.text_colour + "\"";
  if (look.bold) out += " font-weight=\"700\"";
  if (look.underline) out += " text-decoration=\"underline\"";
  return out + ">" + escape_xml(text) + "</text>\n";
}

// Draws line characters as paths: in a font they may not touch each other.
std::string draw_line(const std::string& glyph, const CellStyle& look, int row, int from, int to) {
  const double x = kMargin + from * kCellWidth, y = kMargin + row * kCellHeight;
  const std::string path = glyph == "\u2500"
                               ? "M" + format_number(x) + " " + format_number(y + kCellHeight / 2) +
                                     "h" + format_number((to - from) * kCellWidth)
                               : "M" + format_number(x + kCellWidth / 2) + " " + format_number(y) +
                                     "v" + format_number(kCellHeight);
  return "<path stroke=\"" + look.text_colour + "\" d=\"" + path + "\"/>\n";
}

bool is_line(const std::string& glyph) { return glyph == "\u2500" || glyph == "\u2502"; }

std::string draw_row(const TerminalRun& run, int row) {
  std::string out;
  const ScreenPoint cursor = run.cursor();
  const auto look_at = [&](int c) {
    return cell_style(run.cell(row, c), run.is_cursor_visible() && cursor == ScreenPoint{row, c});
  };
  for (int c = 0; c < run.columns();) {
    const int from = c;
    const CellStyle look = look_at(c);
    const std::string glyph = run.cell(row, c).glyph;
    if (is_line(glyph)) {
      while (c < run.columns() && run.cell(row, c).glyph == glyph && look_at(c) == look) ++c;
      out += draw_line(glyph, look, row, from, c);
      continue;
    }
    std::string text;
    int blanks = 0;  // a wide gap starts a new run, so that fonts of other widths stay in place
    for (; c < run.columns() && look_at(c) == look && !is_line(run.cell(row, c).glyph); ++c) {
      const std::string& g = run.cell(row, c).glyph;
      if (g.empty() && run.cell(row, c > 0 ? c - 1 : 0).width == 2) continue;
      const bool blank = g.empty() || g == " ";
      if (!blank && blanks > 3 && look.background.empty()) break;
      blanks = blank ? blanks + 1 : 0;
      text += blank ? " " : g;
    }
    if (look.background.empty() && !look.underline) {
      const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
      if (first == std::string::npos) continue;
      const int left = from + static_cast<int>(first),
                right = c - static_cast<int>(text.size() - 1 - last);
      out += draw_run(look, row, left, right, text.substr(first, last - first + 1));
    } else {
      out += draw_run(look, row, from, c, text);
    }
  }
  return out;
}

// Returns the CSS of a class that is visible from one time to another, of `whole` seconds.
std::string animation_css(const std::string& name, double from, double to, double whole) {
  const auto at = [&](double seconds) { return format_number(100 * seconds / whole) + "%"; };
  std::string out = "@keyframes " + name + "{" + (from > 0 ? "0%{visibility:hidden}" : "") +
                    at(from) + "{visibility:visible}";
  if (to < whole) out += at(to) + "{visibility:hidden}";
  return out + "}." + name + "{animation:" + name + " " + format_number(whole) +
         "s step-end infinite}";
}

}  // namespace

Frame capture_frame(const TerminalRun& run) {
  Frame out;
  for (int row = 0; row < run.rows(); ++row) out.push_back(draw_row(run, row));
  return out;
}

std::string make_svg(const std::vector<TimedFrame>& shots, int columns, const std::string& title) {
  const std::size_t rows = shots.front().frame.size();
  std::vector<double> starts{0};
  for (const TimedFrame& shot : shots) starts.push_back(starts.back() + shot.seconds);
  // Separates rows that never change from those that are visible for a range of shots.
  std::string still;
  std::map<std::pair<std::size_t, std::size_t>, std::string> moving;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t from = 0, to; from < shots.size(); from = to) {
      const std::string& drawing = shots[from].frame[row];
      for (to = from + 1; to < shots.size() && shots[to].frame[row] == drawing; ++to) {
      }
      if (to - from == shots.size()) still += drawing;
      else moving[{from, to}] += drawing;
    }
  std::string style = "text{white-space:pre}", parts;
  if (!moving.empty())
    style += ".a{visibility:hidden}@media(prefers-reduced-motion:no-preference){";
  for (const auto& [span, drawing] : moving) {
    if (drawing.empty()) continue;
    const std::string name = "f" + std::to_string(span.first) + "-" + std::to_string(span.second);
    style += animation_css(name, starts[span.first], starts[span.second], starts.back());
    parts += "<g class=\"" + std::string(span.second < shots.size() ? "a " : "") + name + "\">\n" +
             drawing + "</g>\n";
  }
  if (!moving.empty()) style += "}";
  const double across = 2 * kMargin + columns * kCellWidth,
               down = 2 * kMargin + static_cast<double>(rows) * kCellHeight;
  const std::string width = format_number(across), height = format_number(down);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height +
         "\" width=\"" + width + "\" height=\"" + height + "\" role=\"img\">\n<title>" +
         escape_xml(title) + "</title>\n" + "<style>" + style + "</style>\n" +
         "<rect x=\".5\" y=\".5\" width=\"" + format_number(across - 1) + "\" height=\"" +
         format_number(down - 1) + "\" rx=\"8\" fill=\"" + kBackground +
         "\" stroke=\"#6b727c\"/>\n<g xml:space=\"preserve\" font-family=\"ui-monospace,'DejaVu "
         "Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\" fill=\"" +
         kTextColour + "\">\n" + still + parts + "</g>\n</svg>\n";
}

const std::vector<Picture>& pictures() {
  static const std::vector<Picture> all{
      {"game",
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
        {"co", 1.1},
        {"\r", 0.9},
        {"bo", 1.1},
        {"\r", 0.9},
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
  return make_svg(shots, picture.columns, picture.title);
}

}  // namespace pbm::test
