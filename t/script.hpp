// SPDX-License-Identifier: MIT
// Key scripts, t/scripts/*.txt: a player's keys and the screens that they lead to. Each line is a
// step. After `screen:` and `changed:` follows the screen, and only that part is compared. Some
// scripts have whole screens and so test the layout. The others have only the rows that their steps
// change, so that other changes do not affect them.
//
//   # a remark                       for the reader
//   sizes: 80x24 40x12               first: the windows; the script runs in each of them
//   board: toot-101 toot -tootris, fred wilma, BT CO
//                                    creates a save: name, game, players, plies
//   file: torn format: 1\ngame: toot  creates a save with this text
//   open: toot-101                   shows the board, like `pbmplay open`
//   keys: Tab Enter F4 Ctrl-P Space  presses keys, named as in help
//   type: BT                         types letters
//   paste: BT                        pastes a text; \n is a line feed
//   click: 5 8 (B1)                  clicks at row and column; the brackets are for the reader
//   click: "Enter plays it"          clicks at the first glyph of a text on the screen
//   resize: 39x11                    changes the size of the window
//   elsewhere: toot-101 CT           plays a ply as another program
//   screen:                          the whole screen, once for each window
//     80x24, cursor 23 15
//     |a row, without trailing blanks
//     '  the marks of the row above: l(ast) w(in) x wrong c(hoice) p(icked)
//   changed:                         the same with only the rows that have changed since the last
//                                    `screen:`, `changed:` or `open:`, or since the start
//
// PBM_WRITE_SCRIPTS=1 build/tests '[scripts]' writes all screens again, and the whole games from
// t/golden. Read the difference before you commit it.
#pragma once

#include "test_app.hpp"

namespace pbm::test {

class Script {
 public:
  // Runs all steps of `text`. Fails the test if a step is not possible.
  explicit Script(const std::string& text);

  // Returns the script with the current screens.
  const std::string& text() const { return output_; }
  // Returns the steps without boards, remarks and screens, for example "type: BT".
  const std::vector<std::string>& steps() const { return steps_; }
  // Returns the program in the first window, after the last step.
  TestApp& first_app() { return *apps_.front(); }

 private:
  void run_step(const std::string& name, const std::string& rest);
  void write_boards(const std::string& rest);
  void add_screens(bool whole);
  // Returns the rows of each window and their marks.
  std::vector<std::vector<std::string>> rows() const;

  std::vector<std::unique_ptr<TestApp>> apps_;
  std::vector<std::vector<std::string>> last_rows_;  // the rows of the last screen
  int board_count_ = 0;
  std::vector<std::string> steps_;
  std::string output_;
};

// Returns the first screen that differs between two versions of a script, in both versions; or "".
std::string first_difference(const std::string& kept, const std::string& now);

// True if the tests write the scripts instead of comparing them.
bool is_writing_scripts();

// Returns the key with the name "Tab", "Ctrl-P" or "?". Fails the test if there is none.
Key find_key(const std::string& name);

}  // namespace pbm::test
