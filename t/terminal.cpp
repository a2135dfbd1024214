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

int colour_of(const VTermColor& c) {
  if (VTERM_COLOR_IS_DEFAULT_FG(&c) || VTERM_COLOR_IS_DEFAULT_BG(&c)) return -1;
  if (VTERM_COLOR_IS_INDEXED(&c)) return c.indexed.idx;
  return 0x1000000 | c.rgb.red << 16 | c.rgb.green << 8 | c.rgb.blue;
}

Millis left_until(Clock::time_point end) {
  return std::max(Millis(0), std::chrono::duration_cast<Millis>(end - Clock::now()) + Millis(1));
}

// The data for a child process, made before the fork: after it nothing may allocate memory.
struct Prepared {
  std::vector<std::string> words, variables;
  std::vector<char*> argv, envp;
  std::string program, directory;

  explicit Prepared(const Launch& launch)
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

  [[noreturn]] void become() {
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
pid_t quiet_fork() {
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
[[noreturn]] void keep(Prepared& prepared, int says, int told) {
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
    prepared.become();
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
    throw TerminalTrouble("There is no program " + program.string() +
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
  static int on_string(Given... given) {
    void* const user = std::get<sizeof...(Given) - 1>(std::tuple(given...));
    static_cast<TerminalRun*>(user)->oddities_.push_back("osc");
    return 1;
  }

  Emulator(TerminalRun& run, int rows, int columns, bool second_screen)
      : terminal(::vterm_new(rows, columns)), screen(::vterm_obtain_screen(terminal)) {
    ::vterm_set_utf8(terminal, 1);
    ::vterm_output_set_callback(
        terminal,
        [](const char* bytes, std::size_t n, void* user) {
          static_cast<TerminalRun*>(user)->pending_.append(bytes, n);
        },
        &run);
    static const VTermScreenCallbacks seen = [] {
      VTermScreenCallbacks c{};
      c.settermprop = [](VTermProp property, VTermValue* value, void* user) {
        auto& r = *static_cast<TerminalRun*>(user);
        if (property == VTERM_PROP_ALTSCREEN) r.alternate_ = value->boolean;
        if (property == VTERM_PROP_CURSORVISIBLE) r.cursor_visible_ = value->boolean;
        if (property == VTERM_PROP_TITLE || property == VTERM_PROP_ICONNAME)
          r.oddities_.push_back("title");
        return 1;
      };
      c.bell = [](void* user) {
        static_cast<TerminalRun*>(user)->oddities_.push_back("bell");
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
          static_cast<TerminalRun*>(user)->oddities_.push_back("control " +
                                                               std::to_string(control));
        return 1;
      };
      c.csi = [](const char* leader, const long* numbers, int count, const char*, char command,
                 void* user) {
        // Saving and restoring the title belongs to xterm's second screen.
        if (command == 't' && count > 0 && (CSI_ARG(numbers[0]) == 22 || CSI_ARG(numbers[0]) == 23))
          return 1;
        static_cast<TerminalRun*>(user)->oddities_.push_back(std::string("csi ") +
                                                             (leader ? leader : "") + command);
        return 1;
      };
      c.osc = on_string;
      c.dcs = on_string;
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

TerminalRun::TerminalRun(const Launch& launch)
    : rows_(launch.rows),
      columns_(launch.columns),
      emulator_(std::make_unique<Emulator>(*this, launch.rows, launch.columns,
                                           !launch.keep_last_picture)) {
  if (launch.job_control) start_under_keeper(launch);
  else start_directly(launch);
  ::fcntl(master_, F_SETFL, O_NONBLOCK);
}

namespace {
winsize size_of(int rows, int columns) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(rows);
  size.ws_col = static_cast<unsigned short>(columns);
  return size;
}

// Opens a pseudo-terminal. The slave stays open here, close-on-exec like the master.
void open_terminal_pair(int& master, int& slave, int rows, int columns) {
  winsize size = size_of(rows, columns);
  if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0)
    throw TerminalTrouble(std::string("No pseudo-terminal: ") + std::strerror(errno));
  ::fcntl(master, F_SETFD, FD_CLOEXEC);
  ::fcntl(slave, F_SETFD, FD_CLOEXEC);
}
}  // namespace

void TerminalRun::start_directly(const Launch& launch) {
  Prepared prepared(launch);
  open_terminal_pair(master_, slave_, rows_, columns_);
  started_ = last_output_ = Clock::now();
  pid_ = quiet_fork();
  if (pid_ < 0) throw TerminalTrouble(std::string("No process: ") + std::strerror(errno));
  if (pid_ == 0) {
    if (launch.controlling) {
      ::login_tty(slave_);
    } else {
      ::setsid();
      for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(slave_, fd);
    }
    prepared.become();
  }
}

void TerminalRun::start_under_keeper(const Launch& launch) {
  Prepared prepared(launch);
  open_terminal_pair(master_, slave_, rows_, columns_);
  std::array<int, 2> says{}, told{};
  if (::pipe2(says.data(), O_CLOEXEC) != 0 || ::pipe2(told.data(), O_CLOEXEC) != 0)
    throw TerminalTrouble("No pipe.");
  started_ = last_output_ = Clock::now();
  keeper_ = quiet_fork();
  if (keeper_ < 0) throw TerminalTrouble(std::string("No process: ") + std::strerror(errno));
  if (keeper_ == 0) {
    ::close(says[0]);
    ::close(told[1]);
    ::close(master_);
    ::login_tty(slave_);
    keep(prepared, says[1], told[0]);
  }
  ::close(says[1]);
  ::close(told[0]);
  keeper_says_ = says[0];
  tell_keeper_ = told[1];
  int child = -1;
  if (::read(keeper_says_, &child, sizeof child) != sizeof child || child <= 0)
    throw TerminalTrouble("The program's keeper did not start it.");
  pid_ = child;
  ::fcntl(keeper_says_, F_SETFL, O_NONBLOCK);
}

TerminalRun::~TerminalRun() {
  poll_children();
  if (pid_ > 0 && !ended_) ::kill(pid_, SIGKILL);
  // A waiting keeper ends when these are closed.
  for (const int fd : {tell_keeper_, keeper_says_, slave_, master_})
    if (fd >= 0) ::close(fd);
  if (keeper_ > 0) {
    ::kill(keeper_, SIGKILL);
    ::waitpid(keeper_, nullptr, 0);
  } else if (pid_ > 0 && !ended_) {
    ::waitpid(pid_, nullptr, 0);
  }
}

void TerminalRun::note_status(int status) {
  stopped_ = WIFSTOPPED(status);
  if (WIFEXITED(status)) exit_.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) exit_.signal = WTERMSIG(status);
  ended_ = WIFEXITED(status) || WIFSIGNALED(status);
}

void TerminalRun::poll_children() {
  if (ended_ || pid_ <= 0) return;
  int status = 0;
  if (keeper_ > 0) {
    while (::read(keeper_says_, &status, sizeof status) == sizeof status) note_status(status);
  } else if (::waitpid(pid_, &status, WNOHANG | WUNTRACED) == pid_) {
    note_status(status);
  }
}

bool TerminalRun::running() {
  poll_children();
  return !ended_;
}

// --- input ----------------------------------------------------------------

void TerminalRun::type(std::string_view bytes) {
  // A program that sleeps now must wake up to read this.
  if (wakeups_before_typing_ < 0 && asleep_for_input()) wakeups_before_typing_ = wakeups();
  pending_.append(bytes);
  send_pending();
}

void TerminalRun::send_pending() {
  while (!pending_.empty() && !closed_) {
    const ssize_t n = ::write(master_, pending_.data(), pending_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // full: a later call writes the rest
    pending_.erase(0, static_cast<std::size_t>(n));
  }
}

void TerminalRun::resize(int rows, int columns) {
  // Read the output for the old size first.
  take_in();
  rows_ = rows;
  columns_ = columns;
  ::vterm_set_size(emulator_->terminal, rows, columns);
  const winsize size = size_of(rows, columns);
  ::ioctl(master_, TIOCSWINSZ, &size);
}

void TerminalRun::signal(int number) {
  if (pid_ > 0 && !ended_) ::kill(pid_, number);
}

void TerminalRun::hang_up() {
  take_in();
  // Close the slave, too: an open slave keeps the terminal alive.
  for (int* fd : {&slave_, &master_}) {
    if (*fd >= 0) ::close(*fd);
    *fd = -1;
  }
  closed_ = true;
}

void TerminalRun::bring_to_front() {
  if (tell_keeper_ < 0)
    throw TerminalTrouble("Only a program under job control can be brought to the front.");
  stopped_ = false;
  [[maybe_unused]] const ssize_t ignored = ::write(tell_keeper_, "g", 1);
}

// --- waiting --------------------------------------------------------------

void TerminalRun::take_in() {
  std::array<char, 65536> bytes;
  while (!closed_) {
    const ssize_t n = ::read(master_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n <= 0) {
      closed_ = true;
      break;
    }
    last_output_ = Clock::now();
    log_.append(bytes.data(), static_cast<std::size_t>(n));
    ::vterm_input_write(emulator_->terminal, bytes.data(), static_cast<std::size_t>(n));
  }
  send_pending();  // the emulator's answers, too
}

bool TerminalRun::watch(Millis time) {
  const auto end = Clock::now() + time;
  do {
    if (closed_) {
      std::this_thread::sleep_for(std::min(left_until(end), Millis(5)));
      return false;
    }
    pollfd fd{master_, static_cast<short>(POLLIN | (pending_.empty() ? 0 : POLLOUT)), 0};
    ::poll(&fd, 1, static_cast<int>(left_until(end).count()));
    take_in();
  } while (Clock::now() < end);
  return !closed_;
}

void TerminalRun::give_up(const std::string& what) const {
  std::string picture;
  for (const std::string& line : screen()) picture += "  |" + line + "\n";
  throw TerminalTrouble("Waited in vain for " + what + ". The screen, after " +
                        std::to_string(log_.size()) + " bytes:\n" + picture);
}

void TerminalRun::wait_until(const std::string& what, const std::function<bool()>& holds,
                             Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    if (!closed_) take_in();
    if (holds()) return;
    const bool late = Clock::now() >= end;
    if (!late && !closed_) {
      pollfd fd{master_, static_cast<short>(POLLIN | (pending_.empty() ? 0 : POLLOUT)), 0};
      // The condition may depend on more than the terminal.
      ::poll(&fd, 1, static_cast<int>(std::min(left_until(end), Millis(20)).count()));
      continue;
    }
    if (late) give_up(what);
    poll_children();
    if (ended_) give_up(what + " (the program has ended)");
    std::this_thread::sleep_for(Millis(2));
  }
}

void TerminalRun::wait_for(std::string_view text, Millis patience) {
  const auto end = Clock::now() + patience;
  // A picture arrives in pieces: the text may be there before the last piece.
  do {
    wait_until(
        "'" + std::string(text) + "'", [&] { return shows(text); }, left_until(end));
    settle(left_until(end));
  } while (!shows(text));
}

bool TerminalRun::asleep_for_input() const {
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
  return number == SYS_ppoll || (number == SYS_read && first == "0x0");
}

void TerminalRun::settle(Millis patience) {
  const auto end = Clock::now() + patience;
  int still = 0;
  while (still < 2) {
    const std::size_t before = log_.size();
    // The kernel does not tell of bytes on their way: give it a moment.
    watch(Millis(4));
    if (closed_ || !running()) return;
    const bool woke = wakeups_before_typing_ < 0 || wakeups() > wakeups_before_typing_;
    still = pending_.empty() && log_.size() == before && woke && asleep_for_input() ? still + 1 : 0;
    if (Clock::now() > end) give_up("a program that waits for keys");
  }
  wakeups_before_typing_ = -1;
}

void TerminalRun::wait_quiet(Millis quiet, Millis patience) {
  const auto end = Clock::now() + patience;
  auto quiet_since = Clock::now();
  for (;;) {
    const std::size_t before = log_.size();
    if (closed_) return;
    pollfd fd{master_, static_cast<short>(POLLIN | (pending_.empty() ? 0 : POLLOUT)), 0};
    ::poll(&fd, 1, static_cast<int>(left_until(quiet_since + quiet).count()));
    take_in();
    if (log_.size() != before) quiet_since = Clock::now();
    if (Clock::now() - quiet_since >= quiet) return;
    if (Clock::now() > end) give_up("silence");
  }
}

Exit TerminalRun::wait_exit(Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    poll_children();
    if (ended_) break;
    if (Clock::now() > end) give_up("the end of the program");
    watch(Millis(2));
  }
  // The end of the output is visible only after all open copies of the slave are closed.
  if (slave_ >= 0) {
    left_behind_ = line_by_line();
    ::close(slave_);
    slave_ = -1;
  }
  while (!closed_ && watch(Millis(3)))
    if (Clock::now() - last_output_ > Millis(30)) break;  // a child of the program may hold it open
  return exit_;
}

void TerminalRun::wait_stopped(Millis patience) {
  const auto end = Clock::now() + patience;
  for (;;) {
    poll_children();
    if (stopped_) return;
    if (ended_ || Clock::now() > end) give_up("a program that is stopped");
    watch(Millis(2));
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
  out.ink = colour_of(from.fg);
  out.paper = colour_of(from.bg);
  return out;
}

std::string TerminalRun::row(int r) const {
  std::string out;
  for (int c = 0; c < columns_; ++c) out += cell(r, c).glyph;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::vector<std::string> TerminalRun::screen() const {
  std::vector<std::string> out;
  for (int r = 0; r < rows_; ++r) out.push_back(row(r));
  return out;
}

std::string TerminalRun::text() const {
  std::string out;
  for (const std::string& line : screen()) out += line + "\n";
  return out;
}

bool TerminalRun::shows(std::string_view text) const { return find(text).has_value(); }

std::optional<ScreenPoint> TerminalRun::find(std::string_view text) const {
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

bool TerminalRun::any_colour() const {
  for (int r = 0; r < rows_; ++r)
    for (int c = 0; c < columns_; ++c)
      if (cell(r, c).coloured()) return true;
  return false;
}

bool TerminalRun::line_by_line() const {
  termios settings{};
  if (slave_ < 0) return left_behind_;
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

std::vector<std::string> sequences_in(std::string_view output) {
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
