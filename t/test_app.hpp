// SPDX-License-Identifier: MIT
// The program at a keyboard without a terminal: keys in, pictures out, its
// boards in a directory of their own.
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

// A click there.
inline Key click_at(Point place) {
  return {Key::Code::click,
          static_cast<char32_t>(place.row) << 16 | static_cast<char32_t>(place.column)};
}

// Where a text stands on a picture: the column of its first glyph, nothing where it is not.
std::optional<Point> find_on(const Canvas& canvas, std::string_view text);

// Where on the picture a drawing begins, maybe above it: most of its rows, one
// below the other, are to be seen.
std::optional<Point> find_drawing(const Canvas& canvas, const Drawing& drawing);
// Of those a position has the one that stands there.
Drawing drawing_on(const Canvas& canvas, const Position& position);

// The text of a topic of help, out of the source tree.
Result<std::string> topic_of_tree(const std::string& topic);

struct TestApp {
  Size size = kScreen;
  TemporaryDirectory dir;
  LocalBoards boards{dir / "saves", source_root() / "saves"};
  Boards all{boards};
  Settings settings{dir / "settings.yaml"};
  App app{all, settings, topic_of_tree, {source_root() / "themes"}};

  // Plies are not seen being played, as that depends on how quickly they come.
  TestApp() { move(false); }
  void move(bool wanted);

  Canvas picture() { return app.draw(size); }
  std::string screen(Size of);
  std::string screen() { return screen(size); }
  bool shows(std::string_view text) { return screen().find(text) != std::string::npos; }
  // As a terminal does: the screen is drawn before every key.
  void press(const Key& key);
  void type(std::string_view text);
  void click(Point place) { press(click_at(place)); }
  // Where a text stands on the screen; fails the test when it does not.
  Point place_of(std::string_view text);
  // A new board between fred, wilma, barney and betty with these plies played, shown.
  void start(std::string_view game, const std::vector<std::string>& options = {},
             const std::string& plies = "", int seats = 2);
  void start(const Setup& setup, const std::string& plies = "");
  std::string save(const std::string& id) {
    return bytes_of(dir.path() / "saves" / (id + ".yaml"));
  }
};

// The names at a board of so many seats.
std::vector<std::string> players(int seats);

}  // namespace pbm::test
