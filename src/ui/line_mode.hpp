// SPDX-License-Identifier: MIT
// The program as questions and answers, for dumb terminals, screen readers
// and pipes: not one control character is written. Leaves rules and files to
// the same services as the screens.
#pragma once

#include <functional>
#include <iosfwd>

#include "ui/board_help.hpp"
#include "ui/lobby_session.hpp"
#include "ui/settings.hpp"

namespace pbm {

class LineMode {
 public:
  static constexpr int kWidth = 78;  // columns of what is written

  // With `echo`, what is read is written too: for pipes, where no terminal shows it.
  LineMode(Boards& boards, View view, Settings settings,
           std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
           std::ostream& out, bool echo = false);

  // The lobby until it is left or the input ends; with `board`, that board first.
  void run(std::optional<Board> board = {});

 private:
  // A line, or nothing at the end of the input. Of a hidden one nothing is written.
  std::optional<std::string> ask(const std::string& prompt, bool hidden = false);
  // The next byte of the input, if there is one. What happens while a command is
  // waited for is told at once, and what was typed so far is kept.
  std::optional<char> read_byte(bool tells);
  void tell_while_typing();
  std::string prompt() const;
  // Until somebody has signed in on the server; false when the input ends before.
  bool sign_in();
  void sign_in_again();
  // Tells what has come since it was last looked.
  void handle_events();
  void wait_for_computer();
  // Tells what happens until `done`, or somebody types; then that comes first. False then.
  bool wait_until(const std::function<bool()>& done);
  // A line in which a Tab stands behind the beginning of a userid: with the whole of it. Nothing
  // after saying which there are.
  std::optional<std::string> completed(const std::string& line);
  void lobby_line(const std::string& line);
  void board_line(const std::string& line);
  // Shows what entering came to, or why not.
  void entered(const Entered& done);
  void entered(const Result<Entered>& done) { done ? entered(*done) : tell(done.refusal().why); }
  void ask_help(Help about, std::size_t ply);
  void helped(const BoardHelp::Said& said);
  void tell_analysis();
  void say(const std::string& sentence);
  // A sentence without its keys: of "press F8 or type better" the second half.
  static std::string without_keys(std::string sentence);
  void tell(const std::string& sentence) { say(without_keys(sentence)); }
  // Why not, below a caret at what is wrong in `typed`, the end of the line.
  void refuse(const Refusal& refusal, const std::string& typed);
  void guarded(const std::function<void()>& action);
  void tell_turn();

  void open_board(const std::string& id);
  void sit_down(Board board);
  const Match& match() const { return desk_->match(); }

  // Tells what can be typed here, or of one such word only what it does; false if it is none.
  bool help(const std::string& only = "");
  // Writes a topic of help.
  void read(const std::string& topic);
  void write(std::string_view markdown);
  // With `what_changed`, of a board that is told only what was not told before.
  void show(std::size_t ply, bool what_changed = false);
  void show_now(bool what_changed = false) { show(match().plies().size(), what_changed); }
  void draw_field(char field);
  void tell_in_words(bool words);
  void leave();

  Boards& boards_;
  View view_;
  Settings settings_;
  std::function<Result<std::string>(const std::string&)> rules_;
  std::istream& in_;
  std::ostream& out_;
  bool echo_;
  std::string prompt_, line_;      // the last question, and what was typed
  std::string unread_;             // of standard input
  std::vector<std::string> told_;  // the board, as it was last told
  std::optional<BoardSession> desk_;
  Handle attending_;               // the computer plays there
  std::optional<BoardHelp> help_;  // there
  LobbySession lobby_;
  bool done_ = false;
};

}  // namespace pbm
