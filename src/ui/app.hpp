// SPDX-License-Identifier: MIT
// The program on a screen, without the screen: a stack of screens, keys in,
// pictures out. Leaves the terminal to curses.cpp.
#pragma once

#include <functional>

#include "boards/boards.hpp"
#include "ui/lobby.hpp"
#include "ui/settings.hpp"

namespace pbm {

class App {
 public:
  // `rules` gives the text of rules/ for a game's name.
  App(Boards& boards, Settings& settings, View view, std::function<Result<std::string>(const std::string&)> rules);

  // Straight into a board (one that open() gave), with the lobby behind it.
  void show(Board board);

  // A sentence for the person, shown until the next key.
  void say(std::string sentence);

  Canvas draw(Size size);
  // A key; while the window is too small to show anything only those that leave.
  void press(const Key& key);
  bool done() const { return done_; }
  // Where to wait for changes of the boards beside keys, and what to do then.
  int changes() { return boards_.changes(); }
  void boards_changed();

  // Whether the terminal should report the mouse: off until F2 switches it
  // on, since a reported mouse can no longer mark text to copy.
  bool mouse() const { return mouse_; }

 private:
  void run(const Request& request);
  void click(Point place);
  void open(const std::string& id);
  Screen& top() const { return *screens_.back(); }
  void push(std::unique_ptr<Screen> screen);
  void pop();

  Boards& boards_;
  Settings& settings_;
  View view_;
  std::function<Result<std::string>(const std::string&)> rules_;
  std::vector<std::unique_ptr<Screen>> screens_;
  Lobby* lobby_;
  bool asking_ = false;   // whether to leave
  bool pasting_ = false;
  bool mouse_ = false;
  std::vector<Link> links_;  // of the screen on top as it was last drawn
  Point corner_;             // where that screen stands on the terminal
  bool done_ = false;
  bool too_small_ = false;
};

}  // namespace pbm
