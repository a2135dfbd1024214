// SPDX-License-Identifier: MIT
// The real program under a pseudo-terminal, its output read by a terminal
// emulator (libvterm): what a person would see, and every byte that made it.
// Knows no test framework: what goes wrong here is thrown. The bench uses it too.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pbm::test {

using Millis = std::chrono::milliseconds;

// Long enough for a loaded machine; nobody waits that long for what comes.
inline constexpr Millis kPatience{10000};

struct TerminalTrouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Keys as xterm sends them once a program has asked for its keypad mode.
inline constexpr std::string_view kUpKey = "\033OA", kDownKey = "\033OB", kRightKey = "\033OC",
                                  kLeftKey = "\033OD";
inline constexpr std::string_view kPageDown = "\033[6~", kPageUp = "\033[5~", kEscapeKey = "\033",
                                  kEnterKey = "\r", kBackspace = "\177";
inline constexpr std::string_view kCtrlC = "\003", kCtrlL = "\014", kCtrlU = "\025",
                                  kCtrlZ = "\032";

// How a program is started.
struct Launch {
  std::filesystem::path program;  // empty: the one that is tested
  std::vector<std::string> arguments;
  std::filesystem::path home;  // HOME and all XDG directories lie below; must exist
  int rows = 24, columns = 80;
  std::string term = "xterm-256color";
  std::map<std::string, std::optional<std::string>>
      environment;  // on top of it all; nothing unsets
  // A process between us and the program that does a shell's part, so that the
  // program can be stopped: the kernel stops nothing in an orphaned group.
  bool job_control = false;
  // Whether the terminal is the program's controlling one; only then does the
  // kernel tell it of a hangup.
  bool controlling = true;
  // The emulator has no second screen: the last picture stays after the end.
  bool keep_last_picture = false;
};

// The program the tests run: $PBM_PROGRAM, else build/pbmplay of the source
// tree. Throws when there is none.
std::filesystem::path tested_program();

// One glyph on the screen and how it looks. Colours are palette numbers, -1
// for the terminal's own.
struct ScreenCell {
  std::string glyph;  // UTF-8; "" for the right half of a wide one
  int width = 1;
  bool bold = false, underline = false, reverse = false;
  int ink = -1, paper = -1;
  bool coloured() const { return ink != -1 || paper != -1; }
  friend bool operator==(const ScreenCell&, const ScreenCell&) = default;
};

struct ScreenPoint {
  int row = 0, column = 0;
  friend bool operator==(const ScreenPoint&, const ScreenPoint&) = default;
};

// How a program ended: its exit status, or the signal that killed it.
struct Exit {
  std::optional<int> status, signal;
};

class TerminalRun {
 public:
  explicit TerminalRun(const Launch& launch);
  ~TerminalRun();  // the program is killed if it still runs
  TerminalRun(const TerminalRun&) = delete;
  TerminalRun& operator=(const TerminalRun&) = delete;

  // --- doing ---
  void type(std::string_view bytes);
  void resize(int rows, int columns);
  void signal(int number);
  void hang_up();         // closes our side of the pseudo-terminal
  void bring_to_front();  // what a shell's fg does; needs job_control

  // --- waiting: each returns as soon as it can, and throws with the screen when time is up ---
  // For a picture with `text` in it, complete and settled.
  void wait_for(std::string_view text, Millis patience = kPatience);
  void wait_until(const std::string& what, const std::function<bool()>& holds,
                  Millis patience = kPatience);
  // Until everything typed is read, the program sleeps waiting for more (or has
  // ended), and its output is in.
  void settle(Millis patience = kPatience);
  // Until nothing has come for that long.
  void wait_quiet(Millis quiet, Millis patience = kPatience);
  // Reads for that long, whatever comes; false once the terminal is closed.
  bool watch(Millis time);
  Exit wait_exit(Millis patience = kPatience);
  void wait_stopped(Millis patience = kPatience);

  // --- seeing ---
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::string row(int r) const;  // without trailing blanks
  std::vector<std::string> screen() const;
  std::string text() const;  // all rows, a line feed after each
  bool shows(std::string_view text) const;
  std::optional<ScreenPoint> find(std::string_view text) const;  // of its first glyph; in one row
  ScreenCell cell(int r, int c) const;
  bool any_colour() const;
  ScreenPoint cursor() const;
  bool alternate_screen() const { return alternate_; }
  bool cursor_visible() const { return cursor_visible_; }
  bool line_by_line() const;  // whether the terminal driver echoes and edits, as a shell wants it
  // What is neither text nor known to the emulator, titles and bells among it.
  const std::vector<std::string>& oddities() const { return oddities_; }

  // --- measuring ---
  std::size_t bytes_written() const { return log_.size(); }
  const std::string& output() const { return log_; }  // raw, since the start
  std::chrono::steady_clock::time_point started() const { return started_; }
  std::chrono::steady_clock::time_point last_output() const { return last_output_; }
  pid_t pid() const { return pid_; }
  bool running();
  double cpu_seconds() const;          // user and system time so far
  long wakeups() const;                // times it gave up the processor of its own accord
  long peak_memory_kilobytes() const;  // VmHWM

 private:
  struct Emulator;
  void start_directly(const Launch& launch);
  void start_under_keeper(const Launch& launch);
  void take_in();  // what is there to read
  void send_pending();
  bool asleep_for_input() const;
  void note_status(int status);
  void poll_children();
  [[noreturn]] void give_up(const std::string& what) const;

  int rows_, columns_;
  int master_ = -1, slave_ = -1;  // slave_ only to ask how much input is unread
  int keeper_says_ = -1, tell_keeper_ = -1;
  pid_t pid_ = -1, keeper_ = -1;
  bool ended_ = false, stopped_ = false, closed_ = false;
  bool left_behind_ = false;  // line_by_line() at the end
  Exit exit_;
  std::string log_, pending_;
  bool alternate_ = false, cursor_visible_ = true;
  std::vector<std::string> oddities_;
  long wakeups_before_typing_ = -1;
  std::chrono::steady_clock::time_point started_, last_output_;
  std::unique_ptr<Emulator> emulator_;
};

// The escape sequences in raw output, each once: numbers as N, "ESC[NmN" and the like.
std::vector<std::string> sequences_in(std::string_view output);

}  // namespace pbm::test
