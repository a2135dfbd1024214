// SPDX-License-Identifier: MIT
#include "ui/svg.hpp"

#include <array>
#include <cstdio>
#include <map>

namespace pbm {
namespace {

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

constexpr double kCellWidth = 8.4, kCellHeight = 18;  // of a cell
constexpr double kMargin = 12;

std::string format_length(double value) {
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

double left_of(std::size_t column) { return kMargin + static_cast<double>(column) * kCellWidth; }
double top_of(int row) { return kMargin + row * kCellHeight; }

// A cell with its colours, after `reverse`.
struct PaintedCell {
  std::string glyph, ink, paper;
  bool bold, dim, underline;
};

// The arms of a line character: right, down, left, up.
std::string_view line_arms(std::string_view glyph) {
  static constexpr std::pair<std::string_view, std::string_view> all[]{
      {"\u2500", "rl"},  {"\u2502", "du"},  {"\u250c", "rd"},  {"\u2510", "dl"},
      {"\u2514", "ru"},  {"\u2518", "lu"},  {"\u251c", "rdu"}, {"\u2524", "dlu"},
      {"\u252c", "rdl"}, {"\u2534", "rlu"}, {"\u253c", "rdlu"}};
  for (const auto& [known, arms] : all)
    if (known == glyph) return arms;
  return "";
}

// Returns the path of a line character, or "". In a font they may not touch each other.
std::string shape_path(std::string_view glyph, std::size_t column, int row) {
  const std::string_view arms = line_arms(glyph);
  std::string out;
  const double x = left_of(column) + kCellWidth / 2, y = top_of(row) + kCellHeight / 2;
  for (const char arm : arms) {
    const double length = arm == 'r' || arm == 'l' ? kCellWidth / 2 : kCellHeight / 2;
    out += "M" + format_length(x) + " " + format_length(y) +
           (arm == 'r' || arm == 'l' ? "h" : "v") +
           format_length(arm == 'l' || arm == 'u' ? -length : length);
  }
  return out;
}

bool is_blank(const PaintedCell& cell) { return cell.glyph.empty() || cell.glyph == " "; }

// Returns the end of the run of text that begins at `from`. Two blanks end it, and a character
// outside ASCII is a run of its own, so that no font moves the characters behind it.
std::size_t end_of_text(const std::vector<PaintedCell>& cells, std::size_t from) {
  const auto plain = [&](std::size_t i) { return cells[i].glyph.size() == 1; };
  std::size_t end = from + 1;
  const PaintedCell& first = cells[from];
  for (std::size_t i = from + 1; plain(from) && i < cells.size() && i < end + 2; ++i) {
    if (is_blank(cells[i])) continue;
    const PaintedCell& cell = cells[i];
    if (!plain(i) || cell.ink != first.ink || cell.bold != first.bold || cell.dim != first.dim)
      break;
    end = i + 1;
  }
  return end;
}

std::string draw_text(const std::vector<PaintedCell>& cells, std::size_t from, std::size_t to,
                      int row, const std::string& window_ink) {
  const PaintedCell& look = cells[from];
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += is_blank(cells[i]) ? " " : cells[i].glyph;
  std::string out = "<text x=\"" + format_length(left_of(from)) + "\" y=\"" +
                    format_length(top_of(row) + 13.5) + "\"";
  if (to - from > 1)
    out += " textLength=\"" + format_length(static_cast<double>(to - from) * kCellWidth) + "\"";
  if (look.ink != window_ink) out += " fill=\"" + look.ink + "\"";
  if (look.bold) out += " font-weight=\"700\"";
  if (look.dim) out += " fill-opacity=\".65\"";
  return out + ">" + escape_xml(text) + "</text>\n";
}

// Returns the CSS of a class that is visible from one time to another, of `whole` seconds.
std::string animation_css(const std::string& name, double from, double to, double whole) {
  const auto at = [&](double seconds) { return format_length(100 * seconds / whole) + "%"; };
  std::string out = "@keyframes " + name + "{" + (from > 0 ? "0%{visibility:hidden}" : "") +
                    at(from) + "{visibility:visible}";
  if (to < whole) out += at(to) + "{visibility:hidden}";
  return out + "}." + name + "{animation:" + name + " " + format_length(whole) +
         "s step-end infinite}";
}

// Returns the look of a cell, as on a terminal with 256 colours.
SvgCell themed_cell(const Theme& theme, const Cell& cell) {
  constexpr int kColours = 256;
  const Look look = theme.find_look(cell.style, cell.mark, cell.is_tile, true);
  SvgCell out{.ink = pick_colour(look.ink, kColours),
              .paper = pick_colour(look.paper, kColours),
              .bold = look.bold,
              .dim = look.dim,
              .underline = look.underline,
              .reverse = look.reverse};
  if (cell.is_tail) return out;
  append_utf8(out.glyph, cell.glyph);
  for (const char32_t accent : cell.accents)
    if (accent) append_utf8(out.glyph, accent);
  return out;
}

}  // namespace

SvgWriter::SvgWriter(const Theme& theme) {
  const SvgCell text = themed_cell(theme, Cell{});
  if (text.ink >= 0) ink_ = colour_code(text.ink);
  if (text.paper >= 0) paper_ = colour_code(text.paper);
}

// Draws what is behind the text first, and everything alike in one path.
std::string SvgWriter::draw_row(const std::vector<SvgCell>& cells, int row) const {
  std::vector<PaintedCell> painted;
  for (const SvgCell& cell : cells) {
    const std::string ink = cell.ink < 0 ? ink_ : colour_code(cell.ink),
                      paper = cell.paper < 0 ? paper_ : colour_code(cell.paper);
    painted.push_back({cell.glyph, cell.reverse ? paper : ink, cell.reverse ? ink : paper,
                       cell.bold, cell.dim, cell.underline});
  }
  std::map<std::string, std::string> papers, lines;  // paths by colour
  std::string text;
  for (std::size_t i = 0, end = 0; i < painted.size(); i = end) {
    const std::string& paper = painted[i].paper;
    for (end = i + 1; end < painted.size() && painted[end].paper == paper;) ++end;
    if (paper != paper_) {
      const std::string width = format_length(static_cast<double>(end - i) * kCellWidth);
      papers[paper] += "M" + format_length(left_of(i)) + " " + format_length(top_of(row)) + "h" +
                       width + "v" + format_length(kCellHeight) + "h-" + width + "z";
    }
  }
  for (std::size_t i = 0; i < painted.size(); ++i) {
    const PaintedCell& cell = painted[i];
    if (cell.underline)
      lines[cell.ink] += "M" + format_length(left_of(i)) + " " + format_length(top_of(row) + 16.5) +
                         "h" + format_length(kCellWidth);
    lines[cell.ink] += shape_path(cell.glyph, i, row);
  }
  for (std::size_t i = 0; i < painted.size();) {
    const bool skipped = is_blank(painted[i]) || !line_arms(painted[i].glyph).empty();
    const std::size_t end = skipped ? i + 1 : end_of_text(painted, i);
    if (!skipped) text += draw_text(painted, i, end, row, ink_);
    i = end;
  }
  std::string out;
  for (const auto& [colour, path] : papers)
    out += "<path fill=\"" + colour + "\" d=\"" + path + "\"/>\n";
  for (const auto& [colour, path] : lines)
    if (!path.empty()) out += "<path stroke=\"" + colour + "\" d=\"" + path + "\"/>\n";
  return out + text;
}

SvgFrame SvgWriter::draw_canvas(const Canvas& canvas, const Theme& theme) const {
  SvgFrame out;
  for (int row = 0; row < canvas.size().rows; ++row) {
    std::vector<SvgCell> cells;
    for (int column = 0; column < canvas.size().columns; ++column)
      cells.push_back(themed_cell(theme, canvas.cell(row, column)));
    out.push_back(draw_row(cells, row));
  }
  return out;
}

std::string SvgWriter::draw_window(const std::vector<TimedFrame>& shots, int columns,
                                   const std::string& title) const {
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
  std::string style = "path{shape-rendering:crispEdges}", parts;
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
  const std::string width = format_length(across), height = format_length(down);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height +
         "\" width=\"" + width + "\" height=\"" + height + "\" role=\"img\">\n<title>" +
         escape_xml(title) + "</title>\n" + "<style>" + style + "</style>\n" +
         "<rect x=\".5\" y=\".5\" width=\"" + format_length(across - 1) + "\" height=\"" +
         format_length(down - 1) + "\" rx=\"8\" fill=\"" + paper_ +
         "\" stroke=\"#6b727c\"/>\n<g font-family=\"ui-monospace,'DejaVu "
         "Sans Mono',Menlo,Consolas,monospace\" font-size=\"14\" fill=\"" +
         ink_ + "\">\n" + still + parts + "</g>\n</svg>\n";
}

}  // namespace pbm
