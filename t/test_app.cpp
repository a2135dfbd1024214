// SPDX-License-Identifier: MIT
#include "test_app.hpp"

#include "base/markdown.hpp"
#include "ui/help_topics.hpp"

namespace pbm::test {

Result<std::string> read_help_topic(const std::string& name) {
  const HelpTopic* topic = find_help_topic(name);
  if (!topic) return Refusal{"There is no help on " + name + "."};
  const std::string text = read_bytes(source_root() / topic->file);
  return topic->section.empty() ? text : find_markdown_section(text, topic->section);
}

std::optional<Point> find_text(const Canvas& canvas, std::string_view text) {
  for (int r = 0; r < canvas.size().rows; ++r) {
    const std::string row = row_text(canvas, r);
    const std::size_t at = row.find(text);
    if (at != std::string::npos) return Point{r, columns(row.substr(0, at))};
  }
  return std::nullopt;
}

std::optional<Point> find_drawing(const Canvas& canvas, const Drawing& drawing) {
  const int height = static_cast<int>(drawing.rows.size());
  const auto stands = [&](const std::string& wanted, int row, int column) {
    for (int c = 0; c < static_cast<int>(wanted.size()); ++c)
      if (column + c >= canvas.size().columns ||
          canvas.cell(row, column + c).glyph !=
              static_cast<char32_t>(wanted[static_cast<std::size_t>(c)]))
        return false;
    return true;
  };
  std::optional<Point> best;
  // A blank row would match everywhere.
  const auto blank = std::count(drawing.rows.begin(), drawing.rows.end(), "");
  int most = (height - static_cast<int>(blank)) * 2 / 3;
  for (int top = 1 - height; top < canvas.size().rows; ++top)
    for (int column = 0; column < canvas.size().columns; ++column) {
      int seen = 0;
      for (int r = std::max(0, -top); r < height && top + r < canvas.size().rows; ++r)
        if (const std::string& row = drawing.rows[static_cast<std::size_t>(r)]; !row.empty())
          seen += stands(row, top + r, column);
      if (seen <= most) continue;
      most = seen;
      best = Point{top, column};
    }
  return best;
}

Drawing find_shown_drawing(const Canvas& canvas, const Position& position) {
  for (const char field : {'a', 'b', 'c'})
    for (int scale = 1; scale <= kMaxScale; ++scale)
      if (Drawing drawing = position.draw({.drawing_style = field, .scale = scale});
          find_drawing(canvas, drawing))
        return drawing;
  return position.draw({});
}

void TestApp::set_motion(bool wanted) {
  Preferences chosen = settings.preferences();
  chosen.has_motion = wanted;
  settings.set_for_run(chosen);
}

void TestApp::set_board_size(int wanted) {
  Preferences chosen = settings.preferences();
  chosen.board_size = wanted;
  settings.set_for_run(chosen);
}

std::string TestApp::screen_text(Size of) { return canvas_text(app.draw(of)); }

void TestApp::press(const Key& key) {
  app.draw(size);
  app.press(key);
}

void TestApp::type(std::string_view text) {
  while (!text.empty()) {
    const DecodedCharacter d = decode_utf8(text);
    press(d.code_point == U'\n' ? kEnter : character_key(d.code_point));
    text.remove_prefix(d.size);
  }
}

Point TestApp::require_text(std::string_view text) {
  const auto place = find_text(picture(), text);
  if (!place) FAIL("'" << text << "' is not on the screen:\n" << screen_text());
  return *place;
}

std::vector<std::string> player_names(int seats) {
  std::vector<std::string> out{"fred", "wilma", "barney", "betty"};
  out.resize(static_cast<std::size_t>(seats));
  return out;
}

void TestApp::start_board(std::string_view game, const std::vector<std::string>& options,
                          const std::string& plies, int seats) {
  start_board(make_setup(game, options, seats), plies);
}

void TestApp::start_board(const Setup& setup, const std::string& plies) {
  auto board = create_board(local_boards, *setup.game, setup.options, player_names(setup.seats));
  REQUIRE(board.ok());
  for (const std::string& ply : split_words(plies))
    REQUIRE(local_boards.play(*board, shared_keyboard_requests(board->match, ply)).ok());
  app.show(std::move(*board));
}

}  // namespace pbm::test
