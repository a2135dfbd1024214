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
inline constexpr Millis kPatience{60'000};

struct TerminalError : std::runtime_error {
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
struct LaunchOptions {
  std::filesystem::path program;  // empty: the program under test
  std::vector<std::string> arguments;
  std::filesystem::path home;  // HOME, with all XDG directories in it; must exist
  int rows = 24, columns = 80;
  std::string term = "xterm-256color";
  std::map<std::string, std::optional<std::string>>
      environment;  // more variables; nothing: unset this one
  // Adds a keeper process between the test and the program, in the role of a shell. Without it the
  // program cannot be stopped: the kernel stops no process of an orphaned group.
  bool has_job_control = false;
  // True if the terminal is the program's controlling one. The kernel signals a hangup only to
  // such a program.
  bool is_controlling = true;
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
  int foreground = -1, background = -1;
  bool has_colour() const { return foreground != -1 || background != -1; }
  friend bool operator==(const ScreenCell&, const ScreenCell&) = default;
};

struct ScreenPoint {
  int row = 0, column = 0;
  friend bool operator==(const ScreenPoint&, const ScreenPoint&) = default;
};

// The end of a program: its exit status, or the signal that killed it.
struct ExitResult {
  std::optional<int> status, signal;
};

class TerminalRun {
 public:
  explicit TerminalRun(const LaunchOptions& launch);
  ~TerminalRun();  // kills the program if it still runs
  TerminalRun(const TerminalRun&) = delete;
  TerminalRun& operator=(const TerminalRun&) = delete;

  // --- input ---
  void type(std::string_view bytes);
  void resize(int rows, int columns);
  void send_signal(int number);
  void hang_up();         // closes the test's side of the pseudo-terminal
  void bring_to_front();  // like fg in a shell; needs has_job_control

  // --- waiting: returns as soon as possible; after the time limit throws with the screen ---
  // Waits for a complete picture that contains `text`.
  void wait_for(std::string_view text, Millis patience = kPatience);
  void wait_until(const std::string& what, const std::function<bool()>& holds,
                  Millis patience = kPatience);
  // Waits until the program has read all input, sleeps until the next input or has ended, and all
  // its output has arrived.
  void wait_idle(Millis patience = kPatience);
  // Waits until no output has arrived for that long.
  void wait_quiet(Millis quiet, Millis patience = kPatience);
  // Reads output for that long. Returns false if the terminal is closed.
  bool read_for(Millis time);
  ExitResult wait_exit(Millis patience = kPatience);
  void wait_stopped(Millis patience = kPatience);

  // --- output ---
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::string row(int r) const;  // without trailing blanks
  std::vector<std::string> screen_rows() const;
  std::string screen_text() const;  // all rows, a line feed after each
  bool has_text(std::string_view text) const;
  std::optional<ScreenPoint> find_text(
      std::string_view text) const;  // its first glyph; within one row
  ScreenCell cell(int r, int c) const;
  bool has_colour() const;
  ScreenPoint cursor() const;
  bool is_alternate_screen() const { return is_alternate_screen_; }
  bool is_cursor_visible() const { return is_cursor_visible_; }
  bool is_line_mode() const;  // true if the terminal driver echoes and edits, as a shell needs it
  // Returns all output that is no text and unknown to the emulator, and titles and bells.
  const std::vector<std::string>& unknown_output() const { return unknown_output_; }

  // --- measuring ---
  std::size_t bytes_written() const { return output_.size(); }
  const std::string& output() const { return output_; }  // raw, since the start
  std::chrono::steady_clock::time_point start_time() const { return start_time_; }
  std::chrono::steady_clock::time_point last_output_time() const { return last_output_time_; }
  pid_t pid() const { return pid_; }
  bool is_running();
  double cpu_seconds() const;          // user and system time so far
  long wakeups() const;                // voluntary context switches
  long peak_memory_kilobytes() const;  // VmHWM

 private:
  struct Emulator;
  void start_directly(const LaunchOptions& launch);
  void start_under_keeper(const LaunchOptions& launch);
  void read_available();  // reads the output that has arrived
  void send_pending();
  bool is_waiting_for_input() const;
  void note_status(int status);
  void poll_children();
  [[noreturn]] void fail_wait(const std::string& what) const;

  int rows_, columns_;
  int master_ = -1, slave_ = -1;  // slave_ tells how much input is unread
  int keeper_output_ = -1, keeper_input_ = -1;
  pid_t pid_ = -1, keeper_ = -1;
  bool has_ended_ = false, is_stopped_ = false, is_closed_ = false;
  bool final_line_mode_ = false;  // the terminal's mode after the program's end
  ExitResult exit_;
  std::string output_, pending_input_;
  bool is_alternate_screen_ = false, is_cursor_visible_ = true;
  std::vector<std::string> unknown_output_;
  long wakeups_before_typing_ = -1;
  std::chrono::steady_clock::time_point start_time_, last_output_time_;
  std::unique_ptr<Emulator> emulator_;
};

// Returns the escape sequences of an output, each once, with N for numbers: "ESC[NmN" and the like.
std::vector<std::string> list_sequences(std::string_view output);

}  // namespace pbm::test
