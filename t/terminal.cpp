// SPDX-License-Identifier: MIT
#include "terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include "base/text.hpp"
#include "source_root.hpp"

extern char** environ;

namespace pbm::test {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

int palette_number(const VTermColor& c) {
  if (VTERM_COLOR_IS_DEFAULT_FG(&c) || VTERM_COLOR_IS_DEFAULT_BG(&c)) return -1;
  if (VTERM_COLOR_IS_INDEXED(&c)) return c.indexed.idx;
  return 0x1000000 | c.rgb.red << 16 | c.rgb.green << 8 | c.rgb.blue;
}

Millis time_left(Clock::time_point end) {
  return std::max(Millis(0), std::chrono::duration_cast<Millis>(end - Clock::now()) + Millis(1));
}

// The data for a child process, made before the fork: after it nothing may allocate memory.
struct ChildSetup {
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  std::string program, directory;

  explicit ChildSetup(const LaunchOptions& launch)
      : program((launch.program.empty() ? tested_program() : launch.program).string()),
        directory(launch.home.string()) {
    words.push_back(program);
    words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
    std::map<std::string, std::string> all{{"PATH", "/usr/local/bin:/usr/bin:/bin:/usr/games"},
                                           {"HOME", directory},
                                           {"XDG_CONFIG_HOME", directory + "/config"},
                                           {"XDG_DATA_HOME", directory + "/data"},
                                           {"XDG_STATE_HOME", directory + "/state"},
                                           {"XDG_RUNTIME_DIR", directory + "/runtime"},
                                           {"TERM", launch.term},
                                           {"LANG", "C.UTF-8"},
                                           {"LC_ALL", "C.UTF-8"},
                                           // Else the program asks for the background.
                                           {"COLORFGBG", "15;0"},
                                           {"PBMPLAY_DATA", source_root()}};
    for (const auto& [name, value] : launch.environment) {
      all.erase(name);
      if (value) all[name] = *value;
    }
    for (const auto& [name, value] : all) variables.push_back(name + "=" + value);
    for (std::string& w : words) argv.push_back(w.data());
    for (std::string& v : variables) envp.push_back(v.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }

  [[noreturn]] void exec() {
    for (const int s :
         {SIGHUP, SIGTERM, SIGINT, SIGPIPE, SIGTSTP, SIGTTOU, SIGTTIN, SIGCONT, SIGQUIT})
      ::signal(s, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    if (::chdir(directory.c_str()) == 0) ::execve(program.c_str(), argv.data(), envp.data());
    ::_exit(127);
  }
};

// Forks. The child gets no signal before it unblocks them: until then it has the test's handlers.
pid_t fork_without_signals() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

void write_int(int fd, int value) {
  [[maybe_unused]] const ssize_t ignored = ::write(fd, &value, sizeof value);
}

// Does a shell's work: starts the program in its own foreground group, reports its status, and
// continues it when the test asks for it.
[[noreturn]] void run_keeper(ChildSetup& prepared, int says, int told) {
  ::signal(SIGTTOU, SIG_IGN);
  ::signal(SIGTTIN, SIG_IGN);
  ::signal(SIGTSTP, SIG_IGN);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGHUP, SIG_DFL);
  const pid_t own = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(says);
    ::close(told);
    ::setpgid(0, 0);
    ::tcsetpgrp(STDIN_FILENO, ::getpid());
    prepared.exec();
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setpgid(child, child);
  ::tcsetpgrp(STDIN_FILENO, child);
  write_int(says, child);
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WUNTRACED) < 0) {
      if (errno == EINTR) continue;
      ::_exit(0);
    }
    ::tcsetpgrp(STDIN_FILENO, own);
    write_int(says, status);
    if (!WIFSTOPPED(status)) ::_exit(0);
    char go = 0;
    if (::read(told, &go, 1) != 1) ::_exit(0);
    ::tcsetpgrp(STDIN_FILENO, child);
    ::kill(-child, SIGCONT);
  }
}

std::string read_proc(pid_t pid, const char* name) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/" + name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

long status_field(pid_t pid, std::string_view name) {
  const std::string all = read_proc(pid, "status");
  const std::size_t at = all.find("\n" + std::string(name) + ":");
  return at == std::string::npos ? -1 : std::atol(all.c_str() + at + name.size() + 2);
}

}  // namespace

fs::path tested_program() {
  const char* named = std::getenv("PBM_PROGRAM");
  const fs::path program = named && *named ? fs::path(named) : source_root() / "build" / "pbmplay";
  if (::access(program.c_str(), X_OK) != 0)
    throw TerminalError("There is no program " + program.string() +
                        " to test: build it, or set PBM_PROGRAM.");
  return fs::absolute(program);
}

// --- the emulator ---------------------------------------------------------

struct TerminalRun::Emulator {
  VTerm* terminal;
  VTermScreen* screen;

// Version 0.2 changed the callbacks for unknown sequences.
#if VTERM_VERSION_MAJOR == 0 && VTERM_VERSION_MINOR < 2
  using Fallbacks = VTermParserCallbacks;
#else
  using Fallbacks = VTermStateFallbacks;
#endif
  template <typename... Given>
  static int handle_string(Given... given) {
    void* const user = std::get<sizeof...(Given) - 1>(std::tuple(given...));
    static_cast<TerminalRun*>(user)->unknown_output_.push_back("osc");
    return 1;
  }

  Emulator(TerminalRun& run, int rows, int columns, bool second_screen)
      : terminal(::vterm_new(rows, columns)), screen(::vterm_obtain_screen(terminal)) {
    ::vterm_set_utf8(terminal, 1);
    ::vterm_output_set_callback(
        terminal,
        [](const char* bytes, std::size_t n, void* user) {
          static_cast<TerminalRun*>(user)->pending_input_.append(bytes, n);
        },
        &run);
    static const VTermScreenCallbacks seen = [] {
      VTermScreenCallbacks c{};
      c.settermprop = [](VTermProp property, VTermValue* value, void* user) {
        auto& r = *static_cast<TerminalRun*>(user);
        if (property == VTERM_PROP_ALTSCREEN) r.is_alternate_screen_ = value->boolean;
        if (property == VTERM_PROP_CURSORVISIBLE) r.is_cursor_visible_ = value->boolean;
        if (property == VTERM_PROP_TITLE || property == VTERM_PROP_ICONNAME)
          r.unknown_output_.push_back("title");
        return 1;
      };
      c.bell = [](void* user) {
        static_cast<TerminalRun*>(user)->unknown_output_.push_back("bell");
        return 1;
      };
      return c;
    }();
    ::vterm_screen_set_callbacks(screen, &seen, &run);
    static const Fallbacks unknown = [] {
      Fallbacks c{};
      c.control = [](unsigned char control, void* user) {
        // An emulator may ignore shift-in and shift-out.
        if (control != 0x0E && control != 0x0F)
          static_cast<TerminalRun*>(user)->unknown_output_.push_back("control " +
                                                                     std::to_string(control));
        return 1;
      };
      c.csi = [](const char* leader, const long* numbers, int count, const char*, char command,
                 void* user) {
        // Saving and restoring the title belongs to xterm's second screen.
        if (command == 't' && count > 0 && (CSI_ARG(numbers[0]) == 22 || CSI_ARG(numbers[0]) == 23))
          return 1;
        static_cast<TerminalRun*>(user)->unknown_output_.push_back(
            std::string("csi ") + (leader ? leader : "") + command);
        return 1;
      };
      c.osc = handle_string;
      c.dcs = handle_string;
      return c;
    }();
    ::vterm_screen_set_unrecognised_fallbacks(screen, &unknown, &run);
    ::vterm_screen_enable_altscreen(screen, second_screen);
    ::vterm_screen_reset(screen, 1);
  }
  ~Emulator() { ::vterm_free(terminal); }
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;
};

// --- starting and ending --------------------------------------------------

TerminalRun::TerminalRun(const LaunchOptions& launch)
    : rows_(launch.rows),
      columns_(launch.columns),
      emulator_(std::make_unique<Emulator>(*this, launch.rows, launch.columns,
                                           !launch.keep_last_picture)) {
  if (launch.has_job_control) start_under_keeper(launch);
  else start_directly(launch);
  ::fcntl(master_, F_SETFL, O_NONBLOCK);
}

namespace {
winsize window_size(int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

// Opens a pseudo-terminal. The slave stays open here, close-on-exec like the master.
void open_pseudo_terminal(int& master, int& slave, int rows, int columns) {
  winsize size = window_size(rows, columns);
  if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0)
    throw TerminalError(std::string("No pseudo-terminal: ") + std::strerror(errno));
  ::fcntl(master, F_SETFD, FD_CLOEXEC);
  ::fcntl(slave, F_SETFD, FD_CLOEXEC);
}
}  // namespace

void TerminalRun::start_directly(const LaunchOptions& launch) {
  ChildSetup prepared(launch);
  open_pseudo_terminal(master_, slave_, rows_, columns_);
  start_time_ = last_output_time_ = Clock::now();
  pid_ = fork_without_signals();
  if (pid_ < 0) throw TerminalError(std::string("No process: ") + std::strerror(errno));
  if (pid_ == 0) {
    if (launch.is_controlling) {
      ::login_tty(slave_);
    } else {
      ::setsid();
      for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(slave_, fd);
    }
    prepared.exec();
  }
}

void TerminalRun::start_under_keeper(const LaunchOptions& launch) {
  ChildSetup prepared(launch);
  open_pseudo_terminal(master_, slave_, rows_, columns_);
  std::array<int, 2> says{}, told{};
  if (::pipe2(says.data(), O_CLOEXEC) != 0 || ::pipe2(told.data(), O_CLOEXEC) != 0)
    throw TerminalError("No pipe.");
  start_time_ = last_output_time_ = Clock::now();
  keeper_ = fork_without_signals();
  if (keeper_ < 0) throw TerminalError(std::string("No process: ") + std::strerror(errno));
  if (keeper_ == 0) {
    ::close(says[0]);
    ::close(told[1]);
    ::close(master_);
    ::login_tty(slave_);
    run_keeper(prepared, says[1], told[0]);
  }
  ::close(says[1]);
  ::close(told[0]);
  keeper_output_ = says[0];
  keeper_input_ = told[1];
  int child = -1;
  if (::read(keeper_output_, &child, sizeof child) != sizeof child || child <= 0)
    throw TerminalError("The program's keeper did not start it.");
  pid_ = child;
  ::fcntl(keeper_output_, F_SETFL, O_NONBLOCK);
}

TerminalRun::~TerminalRun() {
  poll_children();
  if (pid_ > 0 && !has_ended_) ::kill(pid_, SIGKILL);
  // A waiting keeper ends when these are closed.
  for (const int fd : {keeper_input_, keeper_output_, slave_, master_})
    if (fd >= 0) ::close(fd);
  if (keeper_ > 0) {
    ::kill(keeper_, SIGKILL);
    ::waitpid(keeper_, nullptr, 0);
  } else if (pid_ > 0 && !has_ended_) {
    ::waitpid(pid_, nullptr, 0);
  }
}

void TerminalRun::note_status(int status) {
  is_stopped_ = WIFSTOPPED(status);
  if (WIFEXITED(status)) exit_.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) exit_.signal = WTERMSIG(status);
  has_ended_ = WIFEXITED(status) || WIFSIGNALED(status);
}

void TerminalRun::poll_children() {
  if (has_ended_ || pid_ <= 0) return;
  int status = 0;
  if (keeper_ > 0) {
    while (::read(keeper_output_, &status, sizeof status) == sizeof status) note_status(status);
  } else if (::waitpid(pid_, &status, WNOHANG | WUNTRACED) == pid_) {
    note_status(status);
  }
}

bool TerminalRun::is_running() {
  poll_children();
  return !has_ended_;
}

// --- input ----------------------------------------------------------------

void TerminalRun::type(std::string_view bytes) {
  // A program that sleeps now must wake up to read this.
  if (wakeups_before_typing_ < 0 && is_waiting_for_input()) wakeups_before_typing_ = wakeups();
  pending_input_.append(bytes);
  send_pending();
}

void TerminalRun::send_pending() {
  while (!pending_input_.empty() && !is_closed_) {
    const ssize_t n = ::write(master_, pending_input_.data(), pending_input_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // full: a later call writes the rest
    pending_input_.erase(0, static_cast<std::size_t>(n));
  }
}

void TerminalRun::resize(int rows, int columns) {
  // Read the output for the old size first.
  read_available();
  rows_ = rows;
  columns_ = columns;
  ::vterm_set_size(emulator_->terminal, rows, columns);
  const winsize size = window_size(rows, columns);
  ::ioctl(master_, TIOCSWINSZ, &size);
}

void TerminalRun::send_signal(int number) {
  if (pid_ > 0 && !has_ended_) ::kill(pid_, number);
}

void TerminalRun::hang_up() {
  read_available();
  // Close the slave, too: an open slave keeps the terminal alive.
  for (int* fd : {&slave_, &master_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
  is_closed_ = true;
}

void TerminalRun::bring_to_front() {
  if (keeper_input_ < 0)
    throw TerminalError("Only a program under job control can be brought to the front.");
  is_stopped_ = false;
  [[maybe_unused]] const ssize_t ignored = ::write(keeper_input_, "g", 1);
}

// --- waiting --------------------------------------------------------------

void TerminalRun::read_available() {
  std::array<char, 65536> bytes;
  while (!is_closed_) {
    const ssize_t n = ::read(master_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      is_closed_ = true;
      break;
    }
    last_output_time_ = Clock::now();
    output_.append(bytes.data(), static_cast<std::size_t>(n));
    ::vterm_input_write(emulator_->terminal, bytes.data(), static_cast<std::size_t>(n));
  }
  send_pending();  // the emulator's answers, too
}

bool TerminalRun::read_for(Millis time) {
  const auto end = Clock::now() + time;
  do {
    if (is_closed_) {
      std::this_thread::sleep_for(std::min(time_left(end), Millis(5)));
      return false;
    }
    pollfd fd{master_, static_cast<short>(POLLIN | (pending_input_.empty() ? 0 : POLLOUT)), 0};
    ::poll(&fd, 1, static_cast<int>(time_left(end).count()));
    read_available();
  } while (Clock::now() < end);
  return !is_closed_;
}

void TerminalRun::fail_wait(const std::string& what) const {
  std::string picture;
  for (const std::string& line : screen_rows()) picture += "  |" + line + "\n";
  throw TerminalError("Waited in vain for " + what + ". The screen, after " +
                      std::to_string(output_.size()) + " bytes:\n" + picture);
}

void TerminalRun::wait_until(const std::string& what, const std::function<bool()>& holds,
                             Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    if (!is_closed_) read_available();
    if (holds()) return;
    const bool late = Clock::now() >= end;
    if (!late && !is_closed_) {
      pollfd fd{master_, static_cast<short>(POLLIN | (pending_input_.empty() ? 0 : POLLOUT)), 0};
      // The condition may depend on more than the terminal.
      ::poll(&fd, 1, static_cast<int>(std::min(time_left(end), Millis(20)).count()));
      continue;
    }
    if (late) fail_wait(what);
    poll_children();
    if (has_ended_) fail_wait(what + " (the program has ended)");
    std::this_thread::sleep_for(Millis(2));
  }
}

void TerminalRun::wait_for(std::string_view text, Millis patience) {
  const auto end = Clock::now() + patience;
  // A picture arrives in pieces: the text may be there before the last piece.
  do {
    wait_until(
        "'" + std::string(text) + "'", [&] { return has_text(text); }, time_left(end));
    wait_idle(time_left(end));
  } while (!has_text(text));
}

bool TerminalRun::is_waiting_for_input() const {
  int unread = 0;
  if (slave_ >= 0 && ::ioctl(slave_, FIONREAD, &unread) == 0 && unread > 0) return false;
  const std::string call = read_proc(pid_, "syscall");
  if (call.empty())
    return status_field(pid_, "voluntary_ctxt_switches") >= 0 &&
           read_proc(pid_, "stat").find(") S ") != std::string::npos;
  std::istringstream in(call);
  long number = -1;
  std::string first;
  if (!(in >> number >> first)) return false;  // "running"
#ifdef SYS_ppoll_time64                        // processors of 32 bits
  if (number == SYS_ppoll_time64) return true;
#endif
  return number == SYS_ppoll || (number == SYS_read && first == "0x0");
}

void TerminalRun::wait_idle(Millis patience) {
  const auto end = Clock::now() + patience;
  int still = 0;
  while (still < 2) {
    const std::size_t before = output_.size();
    // The kernel does not tell of bytes on their way: give it a moment.
    read_for(Millis(4));
    if (is_closed_ || !is_running()) return;
    const bool woke = wakeups_before_typing_ < 0 || wakeups() > wakeups_before_typing_;
    still = pending_input_.empty() && output_.size() == before && woke && is_waiting_for_input()
                ? still + 1
                : 0;
    if (Clock::now() > end) fail_wait("a program that waits for keys");
  }
  wakeups_before_typing_ = -1;
}

void TerminalRun::wait_quiet(Millis quiet, Millis patience) {
  const auto end = Clock::now() + patience;
  auto quiet_since = Clock::now();
  for (;;) {
    const std::size_t before = output_.size();
    if (is_closed_) return;
    pollfd fd{master_, static_cast<short>(POLLIN | (pending_input_.empty() ? 0 : POLLOUT)), 0};
    ::poll(&fd, 1, static_cast<int>(time_left(quiet_since + quiet).count()));
    read_available();
    if (output_.size() != before) quiet_since = Clock::now();
    if (Clock::now() - quiet_since >= quiet) return;
    if (Clock::now() > end) fail_wait("silence");
  }
}

ExitResult TerminalRun::wait_exit(Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    poll_children();
    if (has_ended_) break;
    if (Clock::now() > end) fail_wait("the end of the program");
    read_for(Millis(2));
  }
  // The end of the output is visible only after all open copies of the slave are closed.
  if (slave_ >= 0) {
    final_line_mode_ = is_line_mode();
    ::close(slave_);
    slave_ = -1;
  }
  while (!is_closed_ && read_for(Millis(3)))
    if (Clock::now() - last_output_time_ > Millis(30))
      break;  // a child of the program may hold it open
  return exit_;
}

void TerminalRun::wait_stopped(Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    poll_children();
    if (is_stopped_) return;
    if (has_ended_ || Clock::now() > end) fail_wait("a program that is stopped");
    read_for(Millis(2));
  }
}

// --- output ---------------------------------------------------------------

ScreenCell TerminalRun::cell(int r, int c) const {
  VTermScreenCell from{};
  ScreenCell out;
  if (!::vterm_screen_get_cell(emulator_->screen, VTermPos{r, c}, &from)) return out;
  out.width = from.width;
  if (from.chars[0] == UINT32_MAX) {
    out.width = 0;
  } else {
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i]; ++i)
      append_utf8(out.glyph, from.chars[i]);
    if (out.glyph.empty()) out.glyph = " ";
  }
  out.bold = from.attrs.bold;
  out.underline = from.attrs.underline != 0;
  out.reverse = from.attrs.reverse;
  out.foreground = palette_number(from.fg);
  out.background = palette_number(from.bg);
  return out;
}

std::string TerminalRun::row(int r) const {
  std::string out;
  for (int c = 0; c < columns_; ++c) out += cell(r, c).glyph;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::vector<std::string> TerminalRun::screen_rows() const {
  std::vector<std::string> out;
  for (int r = 0; r < rows_; ++r) out.push_back(row(r));
  return out;
}

std::string TerminalRun::screen_text() const {
  std::string out;
  for (const std::string& line : screen_rows()) out += line + "\n";
  return out;
}

bool TerminalRun::has_text(std::string_view text) const { return find_text(text).has_value(); }

std::optional<ScreenPoint> TerminalRun::find_text(std::string_view text) const {
  for (int r = 0; r < rows_; ++r) {
    const std::string line = row(r);
    const std::size_t at = line.find(text);
    if (at == std::string::npos) continue;
    std::size_t bytes = 0;
    for (int c = 0; c < columns_; ++c) {
      if (bytes >= at) return ScreenPoint{r, c};
      bytes += cell(r, c).glyph.size();
    }
  }
  return std::nullopt;
}

bool TerminalRun::has_colour() const {
  for (int r = 0; r < rows_; ++r)
    for (int c = 0; c < columns_; ++c)
      if (cell(r, c).has_colour()) return true;
  return false;
}

bool TerminalRun::is_line_mode() const {
  termios settings{};
  if (slave_ < 0) return final_line_mode_;
  return ::tcgetattr(slave_, &settings) == 0 && (settings.c_lflag & ICANON) &&
         (settings.c_lflag & ECHO) && (settings.c_lflag & ISIG) && (settings.c_oflag & ONLCR) &&
         (settings.c_iflag & ICRNL);
}

ScreenPoint TerminalRun::cursor() const {
  VTermPos at{};
  ::vterm_state_get_cursorpos(::vterm_obtain_state(emulator_->terminal), &at);
  return {at.row, at.col};
}

// --- measuring ------------------------------------------------------------

double TerminalRun::cpu_seconds() const {
  // In nanoseconds if the kernel counts them, else in clock ticks.
  const std::string exact = read_proc(pid_, "schedstat");
  if (!exact.empty()) return std::atof(exact.c_str()) / 1e9;
  const std::string all = read_proc(pid_, "stat");
  const std::size_t after_name = all.rfind(')');
  if (after_name == std::string::npos) return 0;
  std::istringstream in(all.substr(after_name + 2));
  std::string word;
  for (int i = 0; i < 11; ++i) in >> word;
  double user = 0, system = 0;
  in >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

long TerminalRun::wakeups() const { return status_field(pid_, "voluntary_ctxt_switches"); }
long TerminalRun::peak_memory_kilobytes() const { return status_field(pid_, "VmHWM"); }

std::vector<std::string> list_sequences(std::string_view output) {
  std::set<std::string> found;
  for (std::size_t i = 0; i < output.size(); ++i) {
    if (output[i] != '\033') continue;
    std::string s = "ESC";
    std::size_t at = i + 1;
    if (at < output.size() && output[at] == '[') {
      s += '[';
      bool digits = false;
      for (++at; at < output.size(); ++at) {
        const char c = output[at];
        if (c >= '0' && c <= '9') {
          if (!digits) s += 'N';
          digits = true;
          continue;
        }
        digits = false;
        if (c == ';' && s.find(';') != std::string::npos) {
          s.erase(s.find(';'));  // replaces a list of numbers of any length
          s += ";";
          continue;
        }
        s += c;
        if (c >= '@' && c <= '~') break;
      }
    } else {
      // ESC, intermediates, a final byte.
      while (at < output.size() && output[at] >= ' ' && output[at] <= '/') s += output[at++];
      if (at < output.size()) s += output[at];
    }
    found.insert(s);
  }
  return {found.begin(), found.end()};
}

}  // namespace pbm::test
