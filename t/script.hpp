// SPDX-License-Identifier: MIT
// Key scripts: t/scripts/*.txt, what a person does and what is to be seen then. A line is a step;
// `screen:` and `changed:` are followed by what is seen after the step above, and only that may
// differ from run to run. Some scripts hold whole screens, and so where everything stands; the
// others only what their steps change, so that what they are not about may change without them.
//
//   # a remark                       for the reader
//   sizes: 80x24 40x12               first: the windows it is played in, each by itself
//   board: toot-101 toot -tootris, fred wilma, BT CO
//                                    a board that is there: name, game, players, plies
//   file: torn format: 1\ngame: toot  a save with this text
//   open: toot-101                   the board is shown, as by `pbmplay open`
//   keys: Tab Enter F4 Ctrl-P Space  keys by the names help gives them
//   type: BT                         letters
//   paste: BT                        the same, pasted; \n is a line feed
//   click: 5 8 (B1)                  row and column; the words in brackets are for the reader
//   click: "Enter plays it"          the first glyph of a text on the screen
//   resize: 39x11                    the window is of that size from now on
//   elsewhere: toot-101 CT           somebody else plays
//   screen:                          the whole screen, once for each window
//     80x24, cursor 23 15
//     |its rows, without trailing blanks
//     '  under a row: its marks, l(ast) w(in) x wrong c(hoice) p(icked)
//   changed:                         the same, but only the rows that are not as they were when the
//                                    screen was looked at last: there, at `open:` or at the start
//
// PBM_WRITE_SCRIPTS=1 build/tests '[scripts]' writes all screens anew, and the
// whole games out of t/golden; read the difference before keeping it.
#pragma once

#include "test_app.hpp"

namespace pbm::test {

class Script {
 public:
  // Plays `text` from its first line to its last; fails the test where it cannot be done.
  explicit Script(const std::string& text);

  // The script with the screens as they are now.
  const std::string& text() const { return out_; }
  // The steps, without boards, remarks and screens: "type: BT".
  const std::vector<std::string>& steps() const { return steps_; }
  // The desk of the first window, at the end.
  TestApp& desk() { return *desks_.front(); }

 private:
  void step(const std::string& name, const std::string& rest);
  void add_board(const std::string& rest);
  void add_screens(bool whole);
  // The rows of each window, as they are now, with their marks.
  std::vector<std::vector<std::string>> rows() const;

  std::vector<std::unique_ptr<TestApp>> desks_;
  std::vector<std::vector<std::string>> seen_;  // rows() when they were looked at last
  int boards_ = 0;
  std::vector<std::string> steps_;
  std::string out_;
};

// The first screen in which two versions of a script differ, both of them; "" when they are the
// same.
std::string first_difference(const std::string& kept, const std::string& now);

// Whether scripts are to be written and not compared.
bool writing_scripts();

// "Tab", "Ctrl-P", "?": the key of that name; fails the test when there is none.
Key key_named(const std::string& name);

}  // namespace pbm::test
