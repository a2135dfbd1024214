// SPDX-License-Identifier: MIT
// The program without a terminal: keys in, pictures out, with boards in a temporary directory.
#pragma once

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "create.hpp"
#include "row_text.hpp"
#include "support.hpp"
#include "ui/screens/app.hpp"

namespace pbm::test {

inline constexpr Size kScreenSize{24, 80};

inline const Key kEnter{Key::Code::enter}, kEsc{Key::Code::escape}, kTab{Key::Code::tab},
    kBackspaceKey{Key::Code::backspace}, kF4{Key::Code::function, 4};

// Returns a click at `place`.
inline Key make_click(Point place) {
  return {Key::Code::mouse_click,
          static_cast<char32_t>(place.row) << 16 | static_cast<char32_t>(place.column)};
}

// Returns the place of a text's first glyph in the picture, or nothing.
std::optional<Point> find_text(const Canvas& canvas, std::string_view text);

// Returns where a drawing begins in the picture, maybe above its first row. Most rows of the
// drawing must be visible.
std::optional<Point> find_drawing(const Canvas& canvas, const Drawing& drawing);
// Returns the drawing of the position that is in the picture.
Drawing find_shown_drawing(const Canvas& canvas, const Position& position);

// Returns a help text from the source tree.
Result<std::string> read_help_topic(const std::string& topic);

struct TestApp {
  Size size = kScreenSize;
  TemporaryDirectory directory;
  LocalBoards local_boards{directory / "saves", source_root() / "saves"};
  Boards all_boards{local_boards};
  Settings settings{directory / "settings.yaml"};
  App app{all_boards, settings, read_help_topic, {source_root() / "themes"}};

  // Plies are not animated, because that depends on the speed of the machine. Boards have their
  // usual size, so that tests can read them.
  TestApp() {
    set_motion(false);
    set_board_size(1);
  }
  void set_motion(bool wanted);
  void set_board_size(int size);

  Canvas picture() { return app.draw(size); }
  std::string screen_text(Size of);
  std::string screen_text() { return screen_text(size); }
  bool has_text(std::string_view text) { return screen_text().find(text) != std::string::npos; }
  // Draws the screen before every key, as a terminal does.
  void press(const Key& key);
  void type(std::string_view text);
  void click(Point place) { press(make_click(place)); }
  // Returns the place of a text on the screen. Fails the test if it is not there.
  Point require_text(std::string_view text);
  // Shows a new board of fred, wilma, barney and betty after these plies.
  void start_board(std::string_view game, const std::vector<std::string>& options = {},
                   const std::string& plies = "", int seats = 2);
  void start_board(const Setup& setup, const std::string& plies = "");
  std::string read_save(const std::string& id) {
    return read_bytes(directory.path() / "saves" / (id + ".yaml"));
  }
};

// Returns the names of that many players.
std::vector<std::string> player_names(int seats);

}  // namespace pbm::test
