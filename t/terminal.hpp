// SPDX-License-Identifier: MIT
// Runs the real program in a pseudo-terminal. A terminal emulator (libvterm) reads its output, so
// that tests see the screen and every byte. It reports errors by exceptions and knows no test
// framework, because the benchmark uses it, too.
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

// The time limit for waiting: long enough for a loaded machine. A test continues as soon as it can.
inline constexpr Millis kPatience{10000};

struct TerminalTrouble : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Keys as xterm sends them in keypad mode, which the program switches on.
inline constexpr std::string_view kUpKey = "\033OA", kDownKey = "\033OB", kRightKey = "\033OC",
                                  kLeftKey = "\033OD";
inline constexpr std::string_view kPageDown = "\033[6~", kPageUp = "\033[5~", kEscapeKey = "\033",
                                  kEnterKey = "\r", kBackspace = "\177";
inline constexpr std::string_view kCtrlC = "\003", kCtrlL = "\014", kCtrlU = "\025",
                                  kCtrlZ = "\032";

// The way to start a program.
struct Launch {
  std::filesystem::path program;  // empty: the program under test
  std::vector<std::string> arguments;
  std::filesystem::path home;  // HOME, with all XDG directories in it; must exist
  int rows = 24, columns = 80;
  std::string term = "xterm-256color";
  std::map<std::string, std::optional<std::string>>
      environment;  // more variables; nothing: unset this one
  // Adds a keeper process between the test and the program, in the role of a shell. Without it the
  // program cannot be stopped: the kernel stops no process of an orphaned group.
  bool job_control = false;
  // True if the terminal is the program's controlling one. The kernel signals a hangup only to
  // such a program.
  bool controlling = true;
  // The emulator has no second screen, so the last picture stays after the end.
  bool keep_last_picture = false;
};

// Returns the program under test: $PBM_PROGRAM, or build/pbmplay in the source tree. Throws if it
// does not exist.
std::filesystem::path tested_program();

// A glyph on the screen with its attributes. A colour is a palette number, or -1 for the default of
// the terminal.
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

// The end of a program: its exit status, or the signal that killed it.
struct Exit {
  std::optional<int> status, signal;
};

class TerminalRun {
 public:
  explicit TerminalRun(const Launch& launch);
  ~TerminalRun();  // kills the program if it still runs
  TerminalRun(const TerminalRun&) = delete;
  TerminalRun& operator=(const TerminalRun&) = delete;

  // --- input ---
  void type(std::string_view bytes);
  void resize(int rows, int columns);
  void signal(int number);
  void hang_up();         // closes the test's side of the pseudo-terminal
  void bring_to_front();  // like fg in a shell; needs job_control

  // --- waiting: returns as soon as possible; after the time limit throws with the screen ---
  // Waits for a complete picture that contains `text`.
  void wait_for(std::string_view text, Millis patience = kPatience);
  void wait_until(const std::string& what, const std::function<bool()>& holds,
                  Millis patience = kPatience);
  // Waits until the program has read all input, sleeps until the next input or has ended, and all
  // its output has arrived.
  void settle(Millis patience = kPatience);
  // Waits until no output has arrived for that long.
  void wait_quiet(Millis quiet, Millis patience = kPatience);
  // Reads output for that long. Returns false if the terminal is closed.
  bool watch(Millis time);
  Exit wait_exit(Millis patience = kPatience);
  void wait_stopped(Millis patience = kPatience);

  // --- output ---
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::string row(int r) const;  // without trailing blanks
  std::vector<std::string> screen() const;
  std::string text() const;  // all rows, a line feed after each
  bool shows(std::string_view text) const;
  std::optional<ScreenPoint> find(std::string_view text) const;  // its first glyph; within one row
  ScreenCell cell(int r, int c) const;
  bool any_colour() const;
  ScreenPoint cursor() const;
  bool alternate_screen() const { return alternate_; }
  bool cursor_visible() const { return cursor_visible_; }
  bool line_by_line() const;  // true if the terminal driver echoes and edits, as a shell needs it
  // Returns all output that is no text and unknown to the emulator, and titles and bells.
  const std::vector<std::string>& oddities() const { return oddities_; }

  // --- measuring ---
  std::size_t bytes_written() const { return log_.size(); }
  const std::string& output() const { return log_; }  // raw, since the start
  std::chrono::steady_clock::time_point started() const { return started_; }
  std::chrono::steady_clock::time_point last_output() const { return last_output_; }
  pid_t pid() const { return pid_; }
  bool running();
  double cpu_seconds() const;          // user and system time so far
  long wakeups() const;                // voluntary context switches
  long peak_memory_kilobytes() const;  // VmHWM

 private:
  struct Emulator;
  void start_directly(const Launch& launch);
  void start_under_keeper(const Launch& launch);
  void take_in();  // reads the output that has arrived
  void send_pending();
  bool asleep_for_input() const;
  void note_status(int status);
  void poll_children();
  [[noreturn]] void give_up(const std::string& what) const;

  int rows_, columns_;
  int master_ = -1, slave_ = -1;  // slave_ tells how much input is unread
  int keeper_says_ = -1, tell_keeper_ = -1;
  pid_t pid_ = -1, keeper_ = -1;
  bool ended_ = false, stopped_ = false, closed_ = false;
  bool left_behind_ = false;  // the terminal's mode after the program's end
  Exit exit_;
  std::string log_, pending_;
  bool alternate_ = false, cursor_visible_ = true;
  std::vector<std::string> oddities_;
  long wakeups_before_typing_ = -1;
  std::chrono::steady_clock::time_point started_, last_output_;
  std::unique_ptr<Emulator> emulator_;
};

// Returns the escape sequences of an output, each once, with N for numbers: "ESC[NmN" and the like.
std::vector<std::string> sequences_in(std::string_view output);

}  // namespace pbm::test
