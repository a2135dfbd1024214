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

inline constexpr Size kScreen{24, 80};

inline const Key kEnter{Key::Code::enter}, kEsc{Key::Code::escape}, kTab{Key::Code::tab},
    kRubout{Key::Code::backspace}, kF4{Key::Code::function, 4};

// Returns a click at `place`.
inline Key click_at(Point place) {
  return {Key::Code::click,
          static_cast<char32_t>(place.row) << 16 | static_cast<char32_t>(place.column)};
}

// Returns the place of a text's first glyph in the picture, or nothing.
std::optional<Point> find_on(const Canvas& canvas, std::string_view text);

// Returns where a drawing begins in the picture, maybe above its first row. Most rows of the
// drawing must be visible.
std::optional<Point> find_drawing(const Canvas& canvas, const Drawing& drawing);
// Returns the drawing of the position that is in the picture.
Drawing drawing_on(const Canvas& canvas, const Position& position);

// Returns a help text from the source tree.
Result<std::string> topic_of_tree(const std::string& topic);

struct TestApp {
  Size size = kScreen;
  TemporaryDirectory dir;
  LocalBoards boards{dir / "saves", source_root() / "saves"};
  Boards all{boards};
  Settings settings{dir / "settings.yaml"};
  App app{all, settings, topic_of_tree, {source_root() / "themes"}};

  // Plies are not animated, because that depends on the speed of the machine.
  TestApp() { move(false); }
  void move(bool wanted);

  Canvas picture() { return app.draw(size); }
  std::string screen(Size of);
  std::string screen() { return screen(size); }
  bool shows(std::string_view text) { return screen().find(text) != std::string::npos; }
  // Draws the screen before every key, as a terminal does.
  void press(const Key& key);
  void type(std::string_view text);
  void click(Point place) { press(click_at(place)); }
  // Returns the place of a text on the screen. Fails the test if it is not there.
  Point place_of(std::string_view text);
  // Shows a new board of fred, wilma, barney and betty after these plies.
  void start(std::string_view game, const std::vector<std::string>& options = {},
             const std::string& plies = "", int seats = 2);
  void start(const Setup& setup, const std::string& plies = "");
  std::string save(const std::string& id) {
    return bytes_of(dir.path() / "saves" / (id + ".yaml"));
  }
};

// Returns the names of that many players.
std::vector<std::string> players(int seats);

}  // namespace pbm::test
