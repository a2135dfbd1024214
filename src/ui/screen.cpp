// SPDX-License-Identifier: MIT
#include "ui/screen.hpp"

namespace pbm {

void link_words(Canvas& canvas, int row, int column, const std::string& text,
                const std::vector<std::pair<std::string, Key>>& words) {
  for (const auto& [word, key] : words) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos)
      canvas.add_link(row, column + columns(text.substr(0, at)), columns(word), {key});
  }
}

ScreenRequest result_request(const EntryResult& done) {
  if (!done.board_to_open.empty()) {
    const auto* const settings = std::get_if<SettingsChange>(&done.request);
    return OpenBoardRequest{done.board_to_open,
                            done.lines.empty() ? done.message : join(done.lines, "\n"), "",
                            settings ? *settings : SettingsChange{}};
  }
  if (!done.text.empty()) return wrapped_text_request(done.text);
  if (!done.lines.empty())
    return TextRequest{"",
                       [lines = done.lines](int columns) { return wrap_lines(lines, columns); }};
  return done.request;
}

void draw_title(Canvas& canvas, const std::string& left, const std::string& right,
                const std::vector<std::pair<std::string, Key>>& links) {
  const int width = canvas.size().columns;
  const int left_at_least = width < 60 ? 10 : 20;
  int room = width - 1 - columns(right) - 2;
  const int aside = canvas.status_text.empty() ? 0 : columns(canvas.status_text) + 2;
  const bool told = aside > 0 && room - aside >= left_at_least;
  if (told) room -= aside;
  canvas.put_text(0, 1, fit(left, std::max(room, 0)), Style::title);
  if (told) canvas.put_text(0, room + 2, canvas.status_text, Style::turn);
  canvas.draw_rule(1);
  if (room <= 0) return;
  canvas.put_text(0, width - columns(right) - 1, right, Style::key);
  link_words(canvas, 0, width - columns(right) - 1, right, links);
}

Area draw_message(Canvas& canvas, const Area& area, const std::string& text, Style style,
                  std::string_view more) {
  std::vector<std::string> lines;
  if (text.empty()) lines = wrap(text, area.columns);
  for (const std::string_view part : split_lines(text))
    for (std::string& line : wrap(safe_text(part), area.columns)) lines.push_back(std::move(line));
  if (std::ssize(lines) > area.rows) {
    lines.resize(index(std::max(0, area.rows)));
    // Drops whole words only.
    if (!lines.empty()) {
      const int room = area.columns - static_cast<int>(more.size());
      std::string& last = lines.back();
      std::string kept = wrap(last, std::max(1, room)).front();
      if (kept.size() < last.size() && last[kept.size()] != ' ') kept.clear();
      last = std::string(kept.empty() ? trim(more) : kept.append(more));
    }
  }
  const int n = static_cast<int>(lines.size()), first = area.row + area.rows - n;
  for (int i = 0; i < n; ++i)
    canvas.put_text(first + i, area.column, pad(lines[index(i)], area.columns), style);
  return {first, area.column, n, area.columns};
}

int draw_message(Canvas& canvas, int bottom, int most, const std::string& text, Style style) {
  return draw_message(canvas, {bottom - most, 1, most, canvas.size().columns - 2}, text, style).row;
}

void draw_keys(Canvas& canvas, int row, int column, const FootKeys& keys) {
  for (const auto& [key, words] : keys) {
    const std::string text = key_name(key) + " " + std::string(words);
    if (column + columns(text) > canvas.size().columns - 1) return;
    canvas.put_text(row, column, text, Style::dim);
    canvas.put_text(row, column, key_name(key), Style::cap);
    canvas.add_link(row, column, columns(text), {key});
    column += columns(text) + 2;
  }
}

void draw_foot(Canvas& canvas, const Notice& notice, const std::string& said,
               const FootKeys& keys) {
  const int rows = canvas.size().rows;
  if (!notice.empty()) {
    const auto lines = static_cast<int>(split_lines(notice.text).size());
    draw_message(canvas, rows, std::clamp(lines, 4, std::max(4, rows - 2)), notice.text,
                 Style::warning);
    return;
  }
  const int behind = canvas.put_text(rows - 1, 1, fit(said, canvas.size().columns - 2), Style::dim);
  draw_keys(canvas, rows - 1, said.empty() ? 1 : behind + 2, keys);
}

std::string fit_beginning(const std::string& text, int room) {
  if (columns(text) <= room) return text;
  const std::string cut = wrap(text, std::max(1, room - 4)).front();
  const std::size_t at = cut.rfind(';');
  return at == std::string::npos ? cut + " ..." : cut.substr(0, at);
}

std::vector<std::string> wrap_lines(const std::vector<std::string>& lines, int columns) {
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    if (pbm::columns(line) <= columns) {
      out.push_back(line);
      continue;
    }
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
    std::string before = indent;
    for (const std::string& part : wrap(line, columns - static_cast<int>(indent.size()) - 3)) {
      out.push_back(before + part);
      before = indent + "   ";
    }
  }
  return out;
}

TextRequest wrapped_text_request(const std::string& text) {
  const auto all = split_lines(text);
  const std::vector<std::string> lines(all.begin(), all.end());
  return {"", [lines](int columns) { return wrap_lines(lines, columns); }};
}

}  // namespace pbm
