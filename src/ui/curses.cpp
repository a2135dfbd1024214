// SPDX-License-Identifier: MIT
// The terminal on ncurses; the only file that uses it.
#include "ui/terminal.hpp"

#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>

#include "ui/fatal_signals.hpp"
#include "ui/output_buffer.hpp"

// ncurses comes last and without its macros, which have the names of ordinary words.
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
#undef columns
#undef lines
#undef tab
#undef back_tab
#undef bell
#undef key_name

namespace pbm {
namespace {

// Beyond the codes that ncurses gives the extended keys of a terminal, from KEY_MAX + 1 on.
constexpr int kPasteBeginCode = 0xF000, kPasteEndCode = 0xF001;
constexpr int kEscapeDelay = 25;  // milliseconds to tell Esc from a sequence that starts with it

constexpr int kEscape = 27, kCtrlC = 3;
// The limits of an answer of the terminal that has no end.
constexpr int kAnswerPause = 100;  // milliseconds
constexpr std::chrono::seconds kAnswerTime{1};
constexpr int kAnswerBytes = 65536;

// Signals that ask the program to end; it does so where it waits for keys.
constexpr std::array kRequests{SIGHUP, SIGTERM, SIGINT};

volatile std::sig_atomic_t should_end = 0;
void handle_end_signal(int) { should_end = 1; }

// The terminal's state before the program, and the bytes that restore it. The handler of a fatal
// signal uses them, so that the shell gets its echo back. It has its own descriptor, because
// OutputBuffer may have redirected standard output.
struct {
  UniqueFd descriptor;
  termios terminal_modes{};
  std::string restore_bytes;
  bool has_title = false;
  std::array<struct sigaction, NSIG> signal_actions{};
} saved_terminal;

int add_restore_byte(int c) {
  saved_terminal.restore_bytes += static_cast<char>(c);
  return c;
}

void write_sequence(const char* sequence, int fd = STDOUT_FILENO) {
  // ncurses 6.4 does not know bracketed paste, so this bypasses it.
  [[maybe_unused]] const ssize_t ignored = ::write(fd, sequence, std::strlen(sequence));
}

constexpr std::string_view kWindowTerminals[] = {"xterm", "rxvt",  "screen", "tmux", "alacritty",
                                                 "foot",  "kitty", "st-",    "vte"};
// XTerm Control Sequences: save the title on a stack, and restore it from there.
constexpr const char *kSaveTitle = "\033[22;2t", *kRestoreTitle = "\033[23;2t";

void on_fatal(int signal, siginfo_t* info, void*) {
  if (saved_terminal.has_title) write_sequence(kRestoreTitle, saved_terminal.descriptor.get());
  write_sequence(saved_terminal.restore_bytes.c_str(), saved_terminal.descriptor.get());
  ::tcsetattr(STDIN_FILENO, TCSANOW, &saved_terminal.terminal_modes);
  ::sigaction(signal, &saved_terminal.signal_actions[static_cast<std::size_t>(signal)], nullptr);
  // A fault occurs again on return; any other signal must be raised again.
  const bool is_fault =
      signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  if (!is_fault || info->si_code <= 0) ::raise(signal);
}

// Returns the terminfo capability of that name, or "".
const char* terminfo_capability(const char* name) {
  const char* out = ::tigetstr(const_cast<char*>(name));
  return out && out != reinterpret_cast<const char*>(-1) ? out : "";
}

// XTerm Control Sequences: ask for the colour of the background.
constexpr const char* kAskBackground = "\033]11;?\033\\";

// Reads a terminal's answer about its background, such as "11;rgb:ffff/ffff/ffff". Returns true if
// it is light, or nothing for any other text.
std::optional<bool> read_background(std::string_view answer) {
  constexpr std::string_view kBegin = "11;rgb:";
  if (!answer.starts_with(kBegin)) return std::nullopt;
  answer.remove_prefix(kBegin.size());
  std::array<double, 3> light{};
  for (double& part : light) {
    const std::string_view digits = answer.substr(0, answer.find('/'));
    unsigned value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.size() > 4)
      return std::nullopt;
    part = value / (std::pow(16.0, static_cast<double>(digits.size())) - 1);
    answer.remove_prefix(std::min(answer.size(), digits.size() + 1));
  }
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > 0.5;
}

// Reads COLORFGBG as rxvt sets it, "0;15". Returns true if the background is light, or nothing for
// any other text.
std::optional<bool> read_colour_variable(std::string_view text) {
  const std::size_t at = text.rfind(';');
  const auto paper =
      at == std::string_view::npos ? std::nullopt : read_whole_number<int>(text.substr(at + 1));
  if (!paper || *paper > 15) return std::nullopt;
  return *paper == 7 || *paper > 8;
}

// True for terminals in windows, and multiplexers. Others might print the title as text.
bool has_window_title() {
  const char* term = std::getenv("TERM");
  return term && std::any_of(std::begin(kWindowTerminals), std::end(kWindowTerminals),
                             [&](std::string_view kind) {
                               return std::string_view(term).starts_with(kind);
                             });
}

// Defines the sequences of today's terminals, whatever TERM says. Otherwise an unknown sequence
// would arrive as Esc, which is a key, and some letters.
void define_keys() {
  struct Sequence {
    const char* bytes;
    int key;
  };
  static constexpr std::array<Sequence, 40> sequences{{
      {"\033[200~", kPasteBeginCode},
      {"\033[201~", kPasteEndCode},
      {"\033[A", KEY_UP},
      {"\033[B", KEY_DOWN},
      {"\033[C", KEY_RIGHT},
      {"\033[D", KEY_LEFT},
      {"\033OA", KEY_UP},
      {"\033OB", KEY_DOWN},
      {"\033OC", KEY_RIGHT},
      {"\033OD", KEY_LEFT},
      {"\033[H", KEY_HOME},
      {"\033[F", KEY_END},
      {"\033OH", KEY_HOME},
      {"\033OF", KEY_END},
      {"\033[1~", KEY_HOME},
      {"\033[7~", KEY_HOME},
      {"\033[4~", KEY_END},
      {"\033[8~", KEY_END},
      {"\033[3~", KEY_DC},
      {"\033[5~", KEY_PPAGE},
      {"\033[6~", KEY_NPAGE},
      {"\033[Z", KEY_BTAB},
      {"\033OP", KEY_F(1)},
      {"\033[11~", KEY_F(1)},
      {"\033[[A", KEY_F(1)},
      {"\033OQ", KEY_F(2)},
      {"\033[12~", KEY_F(2)},
      {"\033OM", KEY_ENTER},
      {"\033OR", KEY_F(3)},
      {"\033OS", KEY_F(4)},
      {"\033[14~", KEY_F(4)},
      {"\033[[D", KEY_F(4)},
      {"\033[13~", KEY_F(3)},
      {"\033[15~", KEY_F(5)},
      {"\033[17~", KEY_F(6)},
      {"\033[18~", KEY_F(7)},
      {"\033[19~", KEY_F(8)},
      {"\033[20~", KEY_F(9)},
      {"\033[21~", KEY_F(10)},
      {"\033[[E", KEY_F(5)},
  }};
  for (const Sequence& s : sequences)
    if (::key_defined(s.bytes) <= 0) ::define_key(s.bytes, s.key);
}

const std::map<int, Key>& ncurses_keys() {
  using enum Key::Code;
  static const std::map<int, Key> table{{KEY_ENTER, {enter}},
                                        {KEY_BTAB, {back_tab}},
                                        {KEY_BACKSPACE, {backspace}},
                                        {KEY_DC, {delete_key}},
                                        {KEY_LEFT, {left}},
                                        {KEY_RIGHT, {right}},
                                        {KEY_UP, {up}},
                                        {KEY_DOWN, {down}},
                                        {KEY_HOME, {home}},
                                        {KEY_END, {end}},
                                        {KEY_PPAGE, {page_up}},
                                        {KEY_NPAGE, {page_down}},
                                        {KEY_FIND, {home}},
                                        {KEY_SELECT, {end}},
                                        {kPasteBeginCode, {paste_mark, 1}},
                                        {kPasteEndCode, {paste_mark, 0}}};
  return table;
}

// Returns the key of a single character other than Esc.
Key make_character_key(char32_t c) {
  switch (c) {
    case '\r':
    case '\n': return {Key::Code::enter};
    case '\t': return {Key::Code::tab};
    case 127:
    case 8: return {Key::Code::backspace};
    default: return c < 32 ? control_key(static_cast<char>('@' + c)) : character_key(c);
  }
}

Cell remove_mark(Cell cell) {
  cell.mark = Mark::none;
  return cell;
}

// True if the rows are equal, which most rows are at each key.
bool is_same_row(const Canvas& a, const Canvas& b, int row) {
  return std::memcmp(&a.cell(row, 0), &b.cell(row, 0),
                     sizeof(Cell) * static_cast<std::size_t>(a.size().columns)) == 0;
}

class CursesTerminal final : public Terminal {
 public:
  explicit CursesTerminal(const Theme& theme) : theme_(theme) {
    // First of all: a signal during the setup would be lost, or would leave the terminal changed.
    catch_signals();
    ::tcgetattr(STDIN_FILENO, &saved_terminal.terminal_modes);
    screen_ = ::newterm(nullptr, stdout, stdin);
    if (!screen_) throw Error("This terminal cannot show the screen.");
    ::raw();  // Ctrl-C, Ctrl-Z and Ctrl-S are keys here
    ::noecho();
    ::nonl();
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE);
    ::intrflush(stdscr, FALSE);
    ::typeahead(-1);  // draw every picture whole: App takes keys in bursts already
    ::set_escdelay(kEscapeDelay);
    define_keys();
    ::define_key(nullptr, KEY_MOUSE);  // read_sequence() reads clicks
    colour_count_ = start_colours();
    set_paper();
    // A terminal with ANSI cursor movement ignores unknown private modes.
    is_ansi_ = std::strncmp(terminfo_capability("cup"), "\033[", 2) == 0;
    if (is_ansi_) write_sequence("\033[?2004h");
    if (const char* colours = std::getenv("COLORFGBG"))
      is_background_light_ = read_colour_variable(colours);
    if (colour_count_ > 0 && !is_background_light_ && has_window_title())
      write_sequence(kAskBackground);
    catch_fatal_signals();
  }

  ~CursesTerminal() override {
    hold_fatal_signals(SIG_BLOCK);
    if (!window_title_.empty() && !is_gone_) write_sequence(kRestoreTitle);
    if (is_ansi_ && !is_gone_) write_sequence("\033[?2004l");
    if (is_mouse_on_ && !is_gone_) write_mouse_mode(false);
    if (!is_gone_) {
      // The prompt gets the last line. Without a second screen, a terminal keeps the other lines.
      ::move(getmaxy(stdscr) - 1, 0);
      ::clrtoeol();
      ::refresh();
    }
    ::endwin();
    ::delscreen(screen_);
    for (const int s : kFatalSignals)
      ::sigaction(s, &saved_terminal.signal_actions[static_cast<std::size_t>(s)], nullptr);
    ::sigprocmask(SIG_SETMASK, &old_signal_mask_, nullptr);
  }

  CursesTerminal(const CursesTerminal&) = delete;
  CursesTerminal& operator=(const CursesTerminal&) = delete;

  Size size() const override { return {getmaxy(stdscr), getmaxx(stdscr)}; }

  void show(Canvas canvas) override {
    if (shown_canvas_ && !(shown_canvas_->size() == canvas.size())) shown_canvas_.reset();
    if (!shown_canvas_) ::erase();
    for (int r = 0; r < canvas.size().rows; ++r) {
      if (shown_canvas_ && is_same_row(canvas, *shown_canvas_, r)) continue;
      for (int c = 0; c < canvas.size().columns; ++c) {
        const Cell& cell = canvas.cell(r, c);
        if (cell.is_tail || (shown_canvas_ && shown_canvas_->cell(r, c) == cell)) continue;
        if (!shown_canvas_ && cell == Cell{}) continue;
        std::array<wchar_t, 4> text{};
        text[0] = static_cast<wchar_t>(cell.glyph);
        if (cell.glyph >= 0x80 && !is_utf8_)
          text[0] = static_cast<wchar_t>(plain_glyph(cell.glyph));
        else
          for (std::size_t i = 0; i < 2; ++i) text[i + 1] = static_cast<wchar_t>(cell.accents[i]);
        // A blank shows no ink, so the ink of the cell before it saves a colour change.
        const Cell before = c > 0 ? remove_mark(canvas.cell(r, c - 1)) : cell;
        const bool blank = cell.glyph == U' ' && has_only_ink(cell) && has_only_ink(before);
        const Cell& seen = blank ? before : cell;
        const auto [bits, pair] = find_attributes(seen.style, seen.mark, seen.is_tile);
        cchar_t out;
        ::setcchar(&out, text.data(), bits, pair, nullptr);
        ::mvadd_wch(r, c, &out);
      }
    }
    if (canvas.cursor) ::move(canvas.cursor->row, canvas.cursor->column);
    const auto refresh = [&] {
      ::curs_set(canvas.cursor ? 1 : 0);
      ::refresh();
    };
    // After endwin(), refresh() asks the terminal for its size, so its output cannot be held.
    if (::isendwin()) refresh();
    else output_.send_together(refresh);
    shown_canvas_ = std::move(canvas);
  }

  bool wait_for_input(int also, std::optional<SteadyTime> until) override {
    // poll() skips a negative descriptor.
    std::array<pollfd, 2> inputs{{{STDIN_FILENO, POLLIN, 0}, {also, POLLIN, 0}}};
    timespec left{};
    if (until) {
      const auto ns =
          std::max(std::chrono::nanoseconds(0), *until - std::chrono::steady_clock::now());
      left = {static_cast<std::time_t>(ns.count() / 1'000'000'000),
              static_cast<long>(ns.count() % 1'000'000'000)};
    }
    const int n =
        ::ppoll(inputs.data(), inputs.size(), until ? &left : nullptr, &wait_signal_mask_);
    const pollfd& input = inputs[0];
    should_read_ = true;
    if (n < 0 && errno != EINTR) is_gone_ = true;
    if (n < 0 && errno == EINTR) handle_resize();  // probably SIGWINCH
    // If there is always input, ppoll() delivers no signal, so deliver them here.
    if (n > 0 && inputs[1].revents != 0) {
      sigset_t blocked;
      ::sigprocmask(SIG_SETMASK, &wait_signal_mask_, &blocked);
      ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
    }
    if (n > 0 && !(input.revents & POLLIN) && (input.revents & (POLLHUP | POLLERR | POLLNVAL)))
      is_gone_ = true;
    return n > 0 && inputs[1].revents != 0;
  }

  std::optional<Key> next_key() override {
    for (;;) {
      // This call is cheaper than asking ncurses, which buffers keys only after an Esc or a new
      // size.
      int waiting = 0;
      if (!should_read_ && !has_buffered_keys_ && ::ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 &&
          waiting == 0)
        return std::nullopt;
      should_read_ = false;
      wint_t c = 0;
      errno = 0;
      // Every read without a key returns from here. A dead terminal looks readable in
      // wait_for_input() but gives no key.
      const int kind = ::get_wch(&c);
      if (kind == ERR) {
        has_buffered_keys_ = false;
        count_dead_read();
        return std::nullopt;
      }
      dead_read_count_ = 0;
      if (kind == KEY_CODE_YES) {
        if (c == KEY_RESIZE) {
          handle_resize();
          continue;
        }
        const auto found = ncurses_keys().find(static_cast<int>(c));
        if (found != ncurses_keys().end()) return found->second;
        if (c >= KEY_F(1) && c <= KEY_F(12)) return Key{Key::Code::function, c - KEY_F(0)};
        continue;
      }
      if (c != kEscape) return make_character_key(static_cast<char32_t>(c));
      has_buffered_keys_ = true;
      if (!drop_escaped()) return Key{Key::Code::escape};
      if (click_) return std::exchange(click_, std::nullopt);
    }
  }

  bool is_closed() const override { return is_gone_ || should_end; }

  void suspend() override {
    if (is_ansi_) write_sequence("\033[?2004l");
    if (is_mouse_on_) write_mouse_mode(false);
    if (!window_title_.empty()) write_sequence(kRestoreTitle);
    window_title_.clear();
    saved_terminal.has_title = false;
    ::raise(SIGTSTP);  // ncurses leaves the screen, stops, and returns here
    if (is_ansi_) write_sequence("\033[?2004h");
    if (is_mouse_on_) write_mouse_mode(true);
    repaint_all();
    has_buffered_keys_ = true;  // ncurses may have queued a new size
  }

  void set_mouse(bool on) override {
    if (on == is_mouse_on_) return;
    is_mouse_on_ = on;
    write_mouse_mode(on);
  }

  bool has_shift_selection() const override { return has_window_title(); }
  // All cells refer to colour pairs by number. New colours for the numbers make all cells wrong, so
  // everything is drawn again.
  void set_theme(const Theme& theme) override {
    theme_ = theme;
    colour_pairs_.clear();
    known_attributes_ = {};
    set_paper();
    shown_canvas_.reset();
    repaint_all();
  }

  std::string_view fitting_theme() const override {
    if (colour_count_ == 0) return "";
    return is_background_light_.value_or(false) ? "light" : colour_count_ <= 16 ? "sixteen" : "";
  }

  void set_title(const std::string& text) override {
    if (text == window_title_ || !has_window_title()) return;
    if (window_title_.empty()) write_sequence(kSaveTitle);
    window_title_ = text;
    saved_terminal.has_title = true;
    write_sequence(("\033]2;" + safe_text(text) + "\a").c_str());
  }

  void ring_bell() override { ::beep(); }
  void repaint_all() override { ::clearok(curscr, TRUE); }

 private:
  int start_colours() {
    const char* no_colour = std::getenv("NO_COLOR");
    if ((no_colour && *no_colour) || !::has_colors() || ::start_color() == ERR) return 0;
    ::use_default_colors();
    // With millions of colours, only the first eight numbers are still palette colours.
    return COLORS > 256 ? 8 : COLORS;
  }

  // Makes empty places show the paper of the theme's plain text.
  void set_paper() {
    const auto [bits, pair] = find_attributes(Style::text, Mark::none, false);
    cchar_t blank;
    ::setcchar(&blank, L" ", pair ? bits : A_NORMAL, pair, nullptr);
    ::bkgrnd(&blank);
  }

  // Terminals move their text when they change size. The screen is then unknown, even if the old
  // size is back.
  void handle_resize() {
    has_buffered_keys_ = true;
    shown_canvas_.reset();
    // Otherwise the next get_wch() would first show the old picture, cut to the new size.
    ::untouchwin(stdscr);
    // The terminal may have got margins for the old size after its change.
    if (const char* margins = terminfo_capability("csr"); *margins)
      write_sequence(::tiparm(margins, 0, getmaxy(stdscr) - 1));
    repaint_all();
  }

  // Returns the next byte or key code, or ERR if none comes within `patience` milliseconds.
  static int read_within(int patience) {
    ::timeout(patience);
    const int c = ::getch();
    ::nodelay(stdscr, TRUE);
    return c;
  }

  // Drops the bytes that came together with an Esc: Alt with a character, an unknown key, an
  // answer of the terminal. Returns false if the Esc counts: a typed Esc comes alone, or before
  // another Esc or a named key.
  bool drop_escaped() {
    const int c = read_within(0);
    if (c == ERR) return false;
    if (c == kEscape || (c > 0xFF && c != KEY_BACKSPACE)) {  // also a new size
      ::ungetch(c);
      return false;
    }
    switch (c) {
      case '[':
      case 'O': read_sequence(); break;
      case ']':
        if (const auto light = read_background(read_string())) is_background_light_ = light;
        break;
      case 'P':
      case '_':
      case '^':
      case 'X': read_string(); break;
      case kCtrlC: ::ungetch(c); break;  // it leaves from everywhere
      default:
        if (is_utf8_ && c >= 0xC0 && c <= 0xFF) drop_continuation();
    }
    return true;
  }

  // Drops the rest of a character in UTF-8.
  static void drop_continuation() {
    for (int i = 0; i < 3; ++i) {
      const int c = read_within(0);
      if (c >= 0x80 && c < 0xC0) continue;
      if (c != ERR) ::ungetch(c);
      return;
    }
  }

  // Reads the rest of ESC [ or ESC O: parameters and a last byte. Drops all but clicks and the
  // marks of pasted text. Alt-[ has no rest, so the first byte must come as fast as in a key.
  void read_sequence() {
    constexpr std::size_t kLongest = 100;
    std::string bytes;
    while (bytes.size() < kLongest) {
      const int c = read_within(bytes.empty() ? kEscapeDelay : kAnswerPause);
      if (c == ERR) return;
      if (c < ' ' || c > 0xFF) {
        ::ungetch(c);
        return;
      }
      bytes += static_cast<char>(c);
      if (c < 0x40 || c > 0x7E || c == '[') continue;
      // A slow connection delivered these in pieces. Pasted text must not count as typed.
      if (bytes == "200~") ::ungetch(kPasteBeginCode);
      if (bytes == "201~") ::ungetch(kPasteEndCode);
      std::array<int, 3> click{};  // button, column, row
      if (std::sscanf(bytes.c_str(), "<%4d;%4d;%4dM", &click[0], &click[1], &click[2]) == 3 &&
          c == 'M')
        add_click(click[0], click[1], click[2]);
      if (bytes != "M") return;
      // In the old form, three bytes follow.
      for (int& part : click) {
        const int byte = read_within(kAnswerPause);
        if (byte > 0xFF && byte != KEY_BACKSPACE) ::ungetch(byte);
        if (byte == ERR || (byte > 0xFF && byte != KEY_BACKSPACE)) return;
        part = (byte == KEY_BACKSPACE ? 127 : byte) - ' ';
      }
      add_click(click[0], click[1], click[2]);
      return;
    }
  }

  // Returns the rest of a string that began with ESC ] or the like, to BEL or ST; of a long one,
  // only the beginning. A pause ends it, too; Alt-] is such a string without a byte.
  std::string read_string() const {
    constexpr std::size_t kKept = 40;  // bytes
    std::string out;
    const SteadyTime until = std::chrono::steady_clock::now() + kAnswerTime;
    int patience = kEscapeDelay, before = 0, more = 0;  // `more` bytes belong to the character
    for (int i = 0; i < kAnswerBytes && std::chrono::steady_clock::now() < until; ++i) {
      const int c = read_within(patience);
      patience = kAnswerPause;
      if (c == ERR || c == '\a') return out;
      if (c == kCtrlC || c > 0xFF) {
        ::ungetch(c);
        return out;
      }
      if (c == kEscape) {
        const int after = read_within(patience);
        if (after == '\\') return out;
        if (after != ERR) ::ungetch(after);
        ::ungetch(c);
        return out;
      }
      if (c == 0x9C && (!is_utf8_ || more == 0 || before == 0xC2)) return out;
      if (out.size() < kKept) out += static_cast<char>(c);
      if (c >= 0xC0) more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
      else more = c >= 0x80 ? std::max(0, more - 1) : 0;
      before = c;
    }
    return out;
  }

  // Counts reads without a key although there was input. After several, the terminal is dead.
  void count_dead_read() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (errno == EINTR || ::poll(&input, 1, 0) <= 0) return;
    char byte = 0;
    if (input.revents & (POLLHUP | POLLERR | POLLNVAL) || ::read(STDIN_FILENO, &byte, 0) < 0)
      is_gone_ = true;
    if (++dead_read_count_ > 3) is_gone_ = true;
  }

  // Turns reports on or off, in the form of mode 1006. Terminals without it use the older form,
  // which ends at column 223. ncurses knows mode 1006 of xterm only, so this bypasses it.
  void write_mouse_mode(bool on) const {
    if (is_ansi_ && *terminfo_capability("kmous"))
      write_sequence(on ? "\033[?1000h\033[?1006h" : "\033[?1006l\033[?1000l");
  }

  // Notes a pressed button; the row and the column begin with 1.
  void add_click(int button, int column, int row) {
    constexpr int kModifiers = 4 + 8 + 16, kWheelUp = 64, kWheelDown = 65;
    button &= ~kModifiers;
    if (!is_mouse_on_ || column < 1 || row < 1) return;
    if (button == kWheelUp) click_ = Key{Key::Code::page_up};
    if (button == kWheelDown) click_ = Key{Key::Code::page_down};
    if (button == 0)
      click_ = Key{Key::Code::mouse_click,
                   static_cast<char32_t>(row - 1) << 16 | static_cast<char32_t>(column - 1)};
  }

  // Blocks the signals except in wait_for_input(), so that none can arrive between the check of its
  // flag and the sleep.
  void catch_signals() {
    struct sigaction end {};
    end.sa_handler = handle_end_signal;
    ::sigemptyset(&end.sa_mask);
    for (const int s : kRequests) ::sigaction(s, &end, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t block;
    ::sigemptyset(&block);
    for (const int s : kRequests) ::sigaddset(&block, s);
    ::sigaddset(&block, SIGWINCH);
    ::sigprocmask(SIG_BLOCK, &block, &old_signal_mask_);
    hold_fatal_signals(SIG_BLOCK);
    wait_signal_mask_ = old_signal_mask_;
    for (const int s : kRequests) ::sigdelset(&wait_signal_mask_, s);
    ::sigdelset(&wait_signal_mask_, SIGWINCH);
  }

  // Keeps fatal signals waiting while the terminal is taken over or given back.
  static void hold_fatal_signals(int how) {
    sigset_t fatal;
    ::sigemptyset(&fatal);
    for (const int s : kFatalSignals) ::sigaddset(&fatal, s);
    ::sigprocmask(how, &fatal, nullptr);
  }

  void catch_fatal_signals() const {
    saved_terminal.descriptor = UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    saved_terminal.restore_bytes.clear();
    for (const char* name : {"sgr0", "op", "cnorm", "rmkx", "rmcup"})
      ::tputs(terminfo_capability(name), 1, add_restore_byte);
    if (is_ansi_) saved_terminal.restore_bytes += "\033[?2004l\033[?1000l\033[?1006l";
    saved_terminal.restore_bytes += "\r\n";
    struct sigaction fatal {};
    fatal.sa_sigaction = on_fatal;
    fatal.sa_flags = SA_SIGINFO;
    ::sigemptyset(&fatal.sa_mask);
    for (const int s : kFatalSignals) {
      struct sigaction& before = saved_terminal.signal_actions[static_cast<std::size_t>(s)];
      ::sigaction(s, nullptr, &before);
      if (before.sa_handler != SIG_IGN) ::sigaction(s, &fatal, nullptr);
    }
    hold_fatal_signals(SIG_UNBLOCK);
  }

  struct Attributes {
    attr_t bits;
    short pair;
  };

  Attributes find_attributes(Style style, Mark mark, bool is_tile) {
    const auto s = static_cast<std::size_t>(style), m = static_cast<std::size_t>(mark);
    auto& known = known_attributes_[is_tile][s][m];
    if (known) return *known;
    const Look look = theme_.find_look(style, mark, is_tile, colour_count_ > 0);
    attr_t out = A_NORMAL;
    if (look.bold) out |= A_BOLD;
    if (look.dim) out |= A_DIM;
    if (look.underline) out |= A_UNDERLINE;
    if (look.reverse) out |= A_REVERSE;
    const int ink = pick_colour(look.ink, colour_count_),
              paper = pick_colour(look.paper, colour_count_);
    known = {out, colour_count_ ? static_cast<short>(find_colour_pair(ink, paper)) : short{0}};
    return *known;
  }

  // True if only ink, bold and dim change how the cell looks; a blank shows none of them.
  bool has_only_ink(const Cell& cell) const {
    const auto style = static_cast<std::size_t>(cell.style);
    const Look& look = colour_count_ ? theme_.styles[style] : theme_.mono_styles[style];
    return cell.mark == Mark::none && !cell.is_tile && look.paper.choices.empty() &&
           !look.underline && !look.reverse;
  }

  int find_colour_pair(int ink, int paper) {
    if (ink < 0 && paper < 0) return 0;
    const auto [it, fresh] =
        colour_pairs_.try_emplace({ink, paper}, static_cast<int>(colour_pairs_.size()) + 1);
    if (it->second >= COLOR_PAIRS) return 0;
    if (fresh) ::init_extended_pair(it->second, ink, paper);
    return it->second;
  }

  SCREEN* screen_ = nullptr;
  OutputBuffer output_{STDOUT_FILENO};
  Theme theme_;
  int colour_count_ = 0;
  std::optional<bool> is_background_light_;  // nothing while the terminal has not told
  bool is_ansi_ = false;
  std::string window_title_;  // the window title that this program set, or ""
  bool is_gone_ = false;
  bool is_mouse_on_ = false;
  std::optional<Key> click_;        // a click that was read
  bool should_read_ = true;         // no read from ncurses since the last wait_for_input()
  bool has_buffered_keys_ = false;  // ncurses may have buffered keys
  int dead_read_count_ = 0;
  bool is_utf8_ = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::map<std::pair<int, int>, int> colour_pairs_;
  // By is_tile, style and mark.
  std::array<std::array<std::array<std::optional<Attributes>, kMarkCount>, kStyleCount>, 2>
      known_attributes_;
  std::optional<Canvas> shown_canvas_;
  sigset_t old_signal_mask_{}, wait_signal_mask_{};
};

}  // namespace

Result<Success> check_terminal() {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO))
    return Refusal{"This is not a terminal."};
  const char* name = std::getenv("TERM");
  int error = 0;
  if (!name || !*name || ::setupterm(nullptr, STDOUT_FILENO, &error) != OK)
    return Refusal{"The terminal type '" + fit(name ? name : "", 30) + "' is unknown."};
  const bool moves = *terminfo_capability("cup") != '\0';
  ::del_curterm(cur_term);
  if (!moves) return Refusal{"The terminal type '" + fit(name, 30) + "' cannot move its cursor."};
  return Success{};
}

std::unique_ptr<Terminal> open_terminal(const Theme& theme) {
  return std::make_unique<CursesTerminal>(theme);
}

}  // namespace pbm
