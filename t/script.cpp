// SPDX-License-Identifier: MIT
#include "script.hpp"

#include <stdlib.h>
#include <time.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "save/save.hpp"

namespace pbm::test {

namespace fs = std::filesystem;

namespace {

int parse_number(std::string_view text) {
  int n = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  INFO("number '" << text << "'");
  REQUIRE((error == std::errc() && end == text.data() + text.size()));
  return n;
}

Size parse_size(const std::string& text) {
  const std::size_t x = text.find('x');
  INFO("size '" << text << "'");
  REQUIRE(x != std::string::npos);
  return {parse_number(std::string_view(text).substr(x + 1)),
          parse_number(std::string_view(text).substr(0, x))};
}

std::string format_size(Size size) {
  return std::to_string(size.columns) + "x" + std::to_string(size.rows);
}

// Replaces each \n by a line feed.
std::string unescape(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line_feed = text.compare(i, 2, "\\n") == 0;
    out += line_feed ? '\n' : text[i];
    i += line_feed;
  }
  return out;
}

std::vector<std::string> split_text(const std::string& text, char at) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) out.push_back(part);
  return out;
}

std::string head_line(const Canvas& canvas) {
  std::string out = format_size(canvas.size());
  if (canvas.cursor)
    out += ", cursor " + std::to_string(canvas.cursor->row) + " " +
           std::to_string(canvas.cursor->column);
  return out + "\n";
}

std::vector<std::string> marked_rows(const Canvas& canvas) {
  std::vector<std::string> rows;
  for (int r = 0; r < canvas.size().rows; ++r) {
    std::string& out = rows.emplace_back("|" + row_text(canvas, r) + "\n");
    std::string marks;
    for (int c = 0; c < canvas.size().columns; ++c)
      marks += " lwxcp"[static_cast<std::size_t>(canvas.cell(r, c).mark)];
    const std::size_t last = marks.find_last_not_of(' ');
    if (last != std::string::npos) out += "'" + marks.substr(0, last + 1) + "\n";
  }
  return rows;
}

}  // namespace

Key find_key(const std::string& name) {
  static const std::vector<Key> all = [] {
    std::vector<Key> out;
    for (int code = 0; code <= static_cast<int>(Key::Code::page_down); ++code)
      out.push_back({static_cast<Key::Code>(code)});
    for (char32_t n = 1; n <= 12; ++n) out.push_back({Key::Code::function, n});
    for (char c = 'A'; c <= 'Z'; ++c) out.push_back(control_key(c));
    for (char32_t c = ' '; c < 0x7F; ++c) out.push_back(character_key(c));
    return out;
  }();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Key& k) { return key_name(k) == name; });
  INFO("key '" << name << "'");
  REQUIRE(found != all.end());
  return *found;
}

Script::Script(const std::string& text) {
  // The screen shows local times.
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  std::istringstream in(text);
  bool screen = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (screen && !line.empty() && (line[0] == '|' || line[0] == '\'' || is_digit(line[0])))
      continue;
    screen = line == "screen:" || line == "changed:";
    output_ += line + "\n";
    if (line.empty() || line[0] == '#') continue;
    INFO("line " << number << ": " << line);
    const std::size_t colon = line.find(':');
    REQUIRE(colon != std::string::npos);
    const std::string rest = colon + 2 < line.size() ? line.substr(colon + 2) : "";
    run_step(line.substr(0, colon), rest);
  }
}

void Script::write_boards(const std::string& rest) {
  const auto parts = split_text(rest, ',');
  REQUIRE(parts.size() >= 2);
  auto start = split_words(parts[0]);
  REQUIRE(start.size() >= 2);
  const std::string name = start[0];
  const GameType* game = find_game(start[1]);
  REQUIRE(game != nullptr);
  const auto options = read_options(*game, {start.begin() + 2, start.end()});
  REQUIRE(options.ok());
  // Boards start a day apart, plies are a minute apart: long ago, so that lists show the date.
  Time at = Time{} + std::chrono::days(18262 + board_count_++) + std::chrono::hours(9);
  auto match = Match::start(*game, *options, split_words(parts[1]), at);
  REQUIRE(match.ok());
  for (const std::string& typed : split_words(parts.size() > 2 ? parts[2] : "")) {
    const auto entry =
        match->validate(match->acting_seat(typed), typed, at += std::chrono::minutes(1));
    INFO(typed << (entry ? "" : ": " + entry.refusal().reason));
    REQUIRE(entry.ok());
    match->add(*entry);
  }
  for (const auto& desk : apps_) {
    fs::create_directories(desk->directory / "saves");
    std::ofstream(desk->directory / "saves" / (name + ".yaml")) << save_text(*match);
  }
}

void Script::run_step(const std::string& name, const std::string& rest) {
  if (name == "sizes") {
    for (const std::string& size : split_words(rest)) {
      apps_.push_back(std::make_unique<TestApp>());
      apps_.back()->size = parse_size(size);
    }
    return;
  }
  REQUIRE(!apps_.empty());
  if (name == "screen" || name == "changed") return add_screens(name == "screen");
  if (name == "board") return write_boards(rest);
  if (name != "file") steps_.push_back(name + ": " + rest);
  if (name != "file" && last_rows_.empty()) last_rows_ = rows();
  for (const auto& desk : apps_) {
    if (name == "file") {
      fs::create_directories(desk->directory / "saves");
      const std::size_t blank = rest.find(' ');
      std::ofstream(desk->directory / "saves" / (rest.substr(0, blank) + ".yaml"), std::ios::binary)
          << unescape(rest.substr(blank + 1));
    } else if (name == "open") {
      auto board = desk->local_boards.open(rest);
      REQUIRE(board.ok());
      desk->app.show(std::move(*board));
    } else if (name == "keys") {
      for (const std::string& key : split_words(rest)) desk->press(find_key(key));
    } else if (name == "type") {
      desk->type(rest);
    } else if (name == "paste") {
      desk->press({Key::Code::paste_mark, 1});
      for (const char c : unescape(rest))
        desk->press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
      desk->press({Key::Code::paste_mark, 0});
    } else if (name == "click" && rest.starts_with('"')) {
      desk->click(desk->require_text(rest.substr(1, rest.size() - 2)));
    } else if (name == "click") {
      const auto place = split_words(rest);
      REQUIRE(place.size() >= 2);
      desk->click({parse_number(place[0]), parse_number(place[1])});
    } else if (name == "resize") {
      desk->size = parse_size(rest);
    } else if (name == "elsewhere") {
      const auto parts = split_words(rest);
      REQUIRE(parts.size() == 2);
      desk->app.change_descriptor();  // a terminal calls this while it waits
      LocalBoards others{desk->directory / "saves", source_root() / "saves"};
      auto board = others.open(parts[0]);
      REQUIRE(board.ok());
      REQUIRE(others.play(*board, shared_keyboard_requests(board->match, parts[1])).ok());
      desk->app.boards_changed();
    } else {
      FAIL("there is no step '" << name << "'");
    }
  }
  if (name == "open") last_rows_ = rows();
}

std::vector<std::vector<std::string>> Script::rows() const {
  std::vector<std::vector<std::string>> out;
  for (const auto& desk : apps_) out.push_back(marked_rows(desk->picture()));
  return out;
}

void Script::add_screens(bool whole) {
  const auto before = std::exchange(last_rows_, {});
  for (const auto& desk : apps_) {
    while (desk->app.next_tick()) desk->app.tick();  // to the end of the animation, at any speed
    const Canvas canvas = desk->picture();
    REQUIRE(canvas.size() == desk->size);
    if (canvas.cursor)
      REQUIRE((canvas.cursor->row >= 0 && canvas.cursor->row < desk->size.rows &&
               canvas.cursor->column >= 0 && canvas.cursor->column < desk->size.columns));
    output_ += head_line(canvas);
    const std::size_t n = last_rows_.size();
    last_rows_.push_back(marked_rows(canvas));
    for (std::size_t r = 0; r < last_rows_[n].size(); ++r)
      if (whole || n >= before.size() || r >= before[n].size() || last_rows_[n][r] != before[n][r])
        output_ += last_rows_[n][r];
  }
}

std::string first_difference(const std::string& kept, const std::string& now) {
  const auto a = split_text(kept, '\n'), b = split_text(now, '\n');
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
  if (i == a.size() && i == b.size()) return kept == now ? "" : "The last line has no end.";
  // Returns the screen with the difference, from its head line to the next one.
  const auto block = [&](const std::vector<std::string>& lines) {
    const auto in_screen = [&](std::size_t n) {
      return n < lines.size() && !lines[n].empty() && (lines[n][0] == '|' || lines[n][0] == '\'');
    };
    std::size_t from = std::min(i, lines.empty() ? 0 : lines.size() - 1), to = from;
    while (from > 0 && in_screen(from)) --from;
    for (to = from + 1; in_screen(to); ++to) {
    }
    std::string out;
    for (std::size_t n = from; n < std::min(to, lines.size()); ++n)
      out += (n == i ? ">" : " ") + lines[n] + "\n";
    return out;
  };
  std::string step;
  for (std::size_t n = 0; n < i; ++n)
    if (!a[n].empty() && is_letter(a[n][0]) && a[n] != "screen:" && a[n] != "changed:") step = a[n];
  return "line " + std::to_string(i + 1) + ", after '" + step + "'\nkept:\n" + block(a) + "now:\n" +
         block(b);
}

bool is_writing_scripts() {
  const char* value = std::getenv("PBM_WRITE_SCRIPTS");
  return value && *value && *value != '0';
}

}  // namespace pbm::test
