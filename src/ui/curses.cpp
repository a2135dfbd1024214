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
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

#include "ui/fatal_signals.hpp"
#include "ui/held_output.hpp"

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

constexpr int kPasteBegin = KEY_MAX + 1, kPasteEnd = KEY_MAX + 2;
constexpr int kEscapeDelay = 25;  // milliseconds to tell Esc from a sequence that starts with it

constexpr int kEscape = 27, kCtrlC = 3;
// The limits of an answer of the terminal that has no end.
constexpr int kAnswerPause = 100;  // milliseconds
constexpr std::chrono::seconds kAnswerTime{1};
constexpr int kAnswerBytes = 65536;

// Signals that ask the program to end; it does so where it waits for keys.
constexpr std::array kRequests{SIGHUP, SIGTERM, SIGINT};

volatile std::sig_atomic_t asked_to_end = 0;
void on_end(int) { asked_to_end = 1; }

// The terminal's state before the program, and the bytes that restore it. The handler of a fatal
// signal uses them, so that the shell gets its echo back. It has its own descriptor, because
// HeldOutput may have redirected standard output.
struct {
  UniqueFd out;
  termios modes{};
  std::string bytes;
  bool titled = false;
  std::array<struct sigaction, NSIG> actions{};
} as_it_was;

int add_byte(int c) {
  as_it_was.bytes += static_cast<char>(c);
  return c;
}

void send(const char* sequence, int fd = STDOUT_FILENO) {
  // ncurses 6.4 does not know bracketed paste, so this bypasses it.
  [[maybe_unused]] const ssize_t ignored = ::write(fd, sequence, std::strlen(sequence));
}

constexpr std::string_view kWindows[] = {"xterm", "rxvt",  "screen", "tmux", "alacritty",
                                         "foot",  "kitty", "st-",    "vte"};
// XTerm Control Sequences: save the title on a stack, and restore it from there.
constexpr const char *kKeepTitle = "\033[22;2t", *kOldTitle = "\033[23;2t";

void on_fatal(int signal, siginfo_t* info, void*) {
  if (as_it_was.titled) send(kOldTitle, as_it_was.out.get());
  send(as_it_was.bytes.c_str(), as_it_was.out.get());
  ::tcsetattr(STDIN_FILENO, TCSANOW, &as_it_was.modes);
  ::sigaction(signal, &as_it_was.actions[static_cast<std::size_t>(signal)], nullptr);
  // A fault occurs again on return; any other signal must be raised again.
  const bool is_fault =
      signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  if (!is_fault || info->si_code <= 0) ::raise(signal);
}

// Returns the terminfo capability of that name, or "".
const char* capability(const char* name) {
  const char* out = ::tigetstr(const_cast<char*>(name));
  return out && out != reinterpret_cast<const char*>(-1) ? out : "";
}

// True for terminals in windows, and multiplexers. Others might print the title as text.
bool has_window() {
  const char* term = std::getenv("TERM");
  return term && std::any_of(std::begin(kWindows), std::end(kWindows), [&](std::string_view kind) {
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
      {"\033[200~", kPasteBegin}, {"\033[201~", kPasteEnd}, {"\033[A", KEY_UP},
      {"\033[B", KEY_DOWN},       {"\033[C", KEY_RIGHT},    {"\033[D", KEY_LEFT},
      {"\033OA", KEY_UP},         {"\033OB", KEY_DOWN},     {"\033OC", KEY_RIGHT},
      {"\033OD", KEY_LEFT},       {"\033[H", KEY_HOME},     {"\033[F", KEY_END},
      {"\033OH", KEY_HOME},       {"\033OF", KEY_END},      {"\033[1~", KEY_HOME},
      {"\033[7~", KEY_HOME},      {"\033[4~", KEY_END},     {"\033[8~", KEY_END},
      {"\033[3~", KEY_DC},        {"\033[5~", KEY_PPAGE},   {"\033[6~", KEY_NPAGE},
      {"\033[Z", KEY_BTAB},       {"\033OP", KEY_F(1)},     {"\033[11~", KEY_F(1)},
      {"\033[[A", KEY_F(1)},      {"\033OQ", KEY_F(2)},     {"\033[12~", KEY_F(2)},
      {"\033OM", KEY_ENTER},      {"\033OR", KEY_F(3)},     {"\033OS", KEY_F(4)},
      {"\033[14~", KEY_F(4)},     {"\033[[D", KEY_F(4)},    {"\033[13~", KEY_F(3)},
      {"\033[15~", KEY_F(5)},     {"\033[17~", KEY_F(6)},   {"\033[18~", KEY_F(7)},
      {"\033[19~", KEY_F(8)},     {"\033[20~", KEY_F(9)},   {"\033[21~", KEY_F(10)},
      {"\033[[E", KEY_F(5)},
  }};
  for (const Sequence& s : sequences)
    if (::key_defined(s.bytes) <= 0) ::define_key(s.bytes, s.key);
}

const std::map<int, Key>& coded_keys() {
  using enum Key::Code;
  static const std::map<int, Key> table{
      {KEY_ENTER, {enter}},   {KEY_BTAB, {back_tab}}, {KEY_BACKSPACE, {backspace}},
      {KEY_DC, {remove}},     {KEY_LEFT, {left}},     {KEY_RIGHT, {right}},
      {KEY_UP, {up}},         {KEY_DOWN, {down}},     {KEY_HOME, {home}},
      {KEY_END, {end}},       {KEY_PPAGE, {page_up}}, {KEY_NPAGE, {page_down}},
      {KEY_FIND, {home}},     {KEY_SELECT, {end}},    {kPasteBegin, {paste, 1}},
      {kPasteEnd, {paste, 0}}};
  return table;
}

// Returns the key of a single character other than Esc.
Key key_of(char32_t c) {
  switch (c) {
    case '\r':
    case '\n': return {Key::Code::enter};
    case '\t': return {Key::Code::tab};
    case 127:
    case 8: return {Key::Code::backspace};
    default: return c < 32 ? ctrl(static_cast<char>('@' + c)) : typed(c);
  }
}

Cell unmarked(Cell cell) {
  cell.mark = Mark::none;
  return cell;
}

// True if the rows are equal, which most rows are at each key.
bool same_row(const Canvas& a, const Canvas& b, int row) {
  return std::memcmp(&a.at(row, 0), &b.at(row, 0),
                     sizeof(Cell) * static_cast<std::size_t>(a.size().columns)) == 0;
}

class Curses final : public Terminal {
 public:
  explicit Curses(const Theme& theme) : theme_(theme) {
    // First of all: a signal during the setup would be lost, or would leave the terminal changed.
    catch_signals();
    ::tcgetattr(STDIN_FILENO, &as_it_was.modes);
    screen_ = ::newterm(nullptr, stdout, stdin);
    if (!screen_) throw Error("The terminal cannot be used for a screen.");
    ::raw();  // Ctrl-C, Ctrl-Z and Ctrl-S are keys here
    ::noecho();
    ::nonl();
    ::keypad(stdscr, TRUE);
    ::nodelay(stdscr, TRUE);
    ::intrflush(stdscr, FALSE);
    ::typeahead(-1);  // draw every picture whole: App takes keys in bursts already
    ::set_escdelay(kEscapeDelay);
    define_keys();
    colours_ = start_colours();
    set_paper();
    // A terminal with ANSI cursor movement ignores unknown private modes.
    ansi_ = std::strncmp(capability("cup"), "\033[", 2) == 0;
    if (ansi_) send("\033[?2004h");
    catch_fatal_signals();
  }

  ~Curses() override {
    hold_fatal_signals(SIG_BLOCK);
    if (!title_.empty() && !gone_) send(kOldTitle);
    if (ansi_ && !gone_) send("\033[?2004l");
    if (!gone_) {
      // The prompt gets the last line. Without a second screen, a terminal keeps the other lines.
      ::move(getmaxy(stdscr) - 1, 0);
      ::clrtoeol();
      ::refresh();
    }
    ::endwin();
    ::delscreen(screen_);
    for (const int s : kFatalSignals)
      ::sigaction(s, &as_it_was.actions[static_cast<std::size_t>(s)], nullptr);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }

  Curses(const Curses&) = delete;
  Curses& operator=(const Curses&) = delete;

  Size size() const override { return {getmaxy(stdscr), getmaxx(stdscr)}; }
  // Pseudo-terminals report 38400, on some systems 9600, whatever the real line is; 0 or less means
  // that the speed is unknown.
  bool slow() const override { return ::baudrate() > 0 && ::baudrate() < 9600; }

  void show(Canvas canvas) override {
    if (shown_ && !(shown_->size() == canvas.size())) shown_.reset();
    if (!shown_) ::erase();
    for (int r = 0; r < canvas.size().rows; ++r) {
      if (shown_ && same_row(canvas, *shown_, r)) continue;
      for (int c = 0; c < canvas.size().columns; ++c) {
        const Cell& cell = canvas.at(r, c);
        if (cell.tail || (shown_ && shown_->at(r, c) == cell)) continue;
        if (!shown_ && cell == Cell{}) continue;
        std::array<wchar_t, 4> text{};
        text[0] = static_cast<wchar_t>(cell.glyph);
        if (cell.glyph >= 0x80 && !utf8_)
          text[0] = cell.glyph == kRule ? L'-' : cell.glyph == kWall ? L'|' : L'?';
        else
          for (std::size_t i = 0; i < 2; ++i) text[i + 1] = static_cast<wchar_t>(cell.accents[i]);
        // A blank shows no ink, so the ink of the cell before it saves a colour change.
        const Cell before = c > 0 ? unmarked(canvas.at(r, c - 1)) : cell;
        const bool blank = cell.glyph == U' ' && ink_only(cell) && ink_only(before);
        const Cell& seen = blank ? before : cell;
        const auto [bits, pair] = attributes(seen.style, seen.mark);
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
    else out_.together(refresh);
    shown_ = std::move(canvas);
  }

  bool wait(int also, std::optional<Moment> until) override {
    // poll() skips a negative descriptor.
    std::array<pollfd, 2> inputs{{{STDIN_FILENO, POLLIN, 0}, {also, POLLIN, 0}}};
    timespec left{};
    if (until) {
      const auto ns =
          std::max(std::chrono::nanoseconds(0), *until - std::chrono::steady_clock::now());
      left = {static_cast<time_t>(ns.count() / 1'000'000'000), ns.count() % 1'000'000'000};
    }
    const int n = ::ppoll(inputs.data(), inputs.size(), until ? &left : nullptr, &waiting_);
    const pollfd& input = inputs[0];
    look_ = true;
    if (n < 0 && errno != EINTR) gone_ = true;
    if (n < 0 && errno == EINTR) resized();  // probably SIGWINCH
    // If there is always input, ppoll() delivers no signal, so deliver them here.
    if (n > 0 && inputs[1].revents != 0) {
      sigset_t blocked;
      ::sigprocmask(SIG_SETMASK, &waiting_, &blocked);
      ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
    }
    if (n > 0 && !(input.revents & POLLIN) && (input.revents & (POLLHUP | POLLERR | POLLNVAL)))
      gone_ = true;
    return n > 0 && inputs[1].revents != 0;
  }

  std::optional<Key> next() override {
    for (;;) {
      if (!clicks_.empty()) {
        const Key first = clicks_.back();
        clicks_.pop_back();
        return first;
      }
      // This call is cheaper than asking ncurses, which buffers keys only after an Esc or a new
      // size.
      int waiting = 0;
      if (!look_ && !held_back_ && ::ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0)
        return std::nullopt;
      look_ = false;
      wint_t c = 0;
      errno = 0;
      // Every read without a key returns from here. A dead terminal looks readable in wait() but
      // gives no key.
      const int kind = ::get_wch(&c);
      if (kind == ERR) {
        held_back_ = false;
        count_dead_read();
        return std::nullopt;
      }
      dead_reads_ = 0;
      if (kind == KEY_CODE_YES) {
        if (c == KEY_RESIZE) {
          resized();
          continue;
        }
        if (c == KEY_MOUSE) {
          if (mouse_) take_clicks();
          else skip_report();
          continue;
        }
        const auto found = coded_keys().find(static_cast<int>(c));
        if (found != coded_keys().end()) return found->second;
        if (c >= KEY_F(1) && c <= KEY_F(12)) return Key{Key::Code::function, c - KEY_F(0)};
        continue;
      }
      if (c != kEscape) return key_of(static_cast<char32_t>(c));
      held_back_ = true;
      if (!drop_escaped()) return Key{Key::Code::escape};
    }
  }

  bool closed() const override { return gone_ || asked_to_end; }

  void suspend() override {
    if (ansi_) send("\033[?2004l");
    if (!title_.empty()) send(kOldTitle);
    title_.clear();
    as_it_was.titled = false;
    ::raise(SIGTSTP);  // ncurses leaves the screen, stops, and returns here
    if (ansi_) send("\033[?2004h");
    repaint();
    held_back_ = true;  // ncurses may have queued a new size
  }

  void mouse(bool on) override {
    if (on == mouse_) return;
    mouse_ = on;
    ::mouseinterval(0);  // a press is a click; waiting for a double click would delay it
    // Includes releases and other buttons: after a report outside the mask, ncurses blocks in its
    // next read despite nodelay().
    constexpr mmask_t all = BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED |
                            BUTTON2_RELEASED | BUTTON3_PRESSED | BUTTON3_RELEASED |
                            BUTTON4_PRESSED | BUTTON4_RELEASED | BUTTON5_PRESSED | BUTTON5_RELEASED;
    ::mousemask(on ? all : 0, nullptr);
  }

  bool marks_with_shift() const override { return has_window(); }
  // All cells refer to colour pairs by number. New colours for the numbers make all cells wrong, so
  // everything is drawn again.
  // others behind them nothing that stands there is right.
  void look(const Theme& theme) override {
    theme_ = theme;
    pairs_.clear();
    attributes_ = {};
    set_paper();
    shown_.reset();
    repaint();
  }

  void title(const std::string& text) override {
    if (text == title_ || !has_window()) return;
    if (title_.empty()) send(kKeepTitle);
    title_ = text;
    as_it_was.titled = true;
    send(("\033]2;" + safe_text(text) + "\a").c_str());
  }

  void bell() override { ::beep(); }
  void repaint() override { ::clearok(curscr, TRUE); }

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
    const auto [bits, pair] = attributes(Style::text, Mark::none);
    cchar_t blank;
    ::setcchar(&blank, L" ", pair ? bits : A_NORMAL, pair, nullptr);
    ::bkgrnd(&blank);
  }

  // Terminals move their text when they change size. The screen is then unknown, even if the old
  // size is back.
  void resized() {
    held_back_ = true;
    shown_.reset();
    // Otherwise the next get_wch() would first show the old picture, cut to the new size.
    ::untouchwin(stdscr);
    // The terminal may have got margins for the old size after its change.
    if (const char* margins = capability("csr"); *margins)
      send(::tiparm(margins, 0, getmaxy(stdscr) - 1));
    repaint();
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
      case 'O': drop_key(); break;
      case ']':
      case 'P':
      case '_':
      case '^':
      case 'X': drop_string(); break;
      case kCtrlC: ::ungetch(c); break;  // it leaves from everywhere
      default:
        if (utf8_ && c >= 0xC0 && c <= 0xFF) drop_continuation();
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

  // Drops the rest of ESC [ or ESC O: parameters and a last byte. Alt-[ has neither, so the first
  // byte must come as fast as in a key.
  static void drop_key() {
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
      if (bytes == "200~") ::ungetch(kPasteBegin);
      if (bytes == "201~") ::ungetch(kPasteEnd);
      // A click in the old form has three more bytes.
      for (int n = 0; bytes == "M" && n < 3; ++n) read_within(kAnswerPause);
      return;
    }
  }

  // Drops the rest of a string that began with ESC ] or the like, to BEL or ST. A pause ends it,
  // too; Alt-] is such a string without a byte.
  void drop_string() const {
    const Moment until = std::chrono::steady_clock::now() + kAnswerTime;
    int patience = kEscapeDelay, before = 0, more = 0;  // `more` bytes belong to the character
    for (int i = 0; i < kAnswerBytes && std::chrono::steady_clock::now() < until; ++i) {
      const int c = read_within(patience);
      patience = kAnswerPause;
      if (c == ERR || c == '\a') return;
      if (c == kCtrlC || c > 0xFF) {
        ::ungetch(c);
        return;
      }
      if (c == kEscape) {
        const int after = read_within(patience);
        if (after == '\\') return;
        if (after != ERR) ::ungetch(after);
        ::ungetch(c);
        return;
      }
      if (c == 0x9C && (!utf8_ || more == 0 || before == 0xC2)) return;
      if (c >= 0xC0) more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
      else more = c >= 0x80 ? std::max(0, more - 1) : 0;
      before = c;
    }
  }

  // Counts reads without a key although there was input. After several, the terminal is dead.
  void count_dead_read() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (errno == EINTR || ::poll(&input, 1, 0) <= 0) return;
    char byte = 0;
    if (input.revents & (POLLHUP | POLLERR | POLLNVAL) || ::read(STDIN_FILENO, &byte, 0) < 0)
      gone_ = true;
    if (++dead_reads_ > 3) gone_ = true;
  }

  // Reads the clicks of one burst; ncurses returns the latest first.
  void take_clicks() {
    MEVENT event{};
    while (::getmouse(&event) == OK) {
      if (event.bstate & BUTTON4_PRESSED) clicks_.push_back({Key::Code::page_up});
      else if (event.bstate & BUTTON5_PRESSED) clicks_.push_back({Key::Code::page_down});
      else if (event.bstate & BUTTON1_PRESSED)
        clicks_.push_back({Key::Code::click,
                           static_cast<char32_t>(event.y) << 16 | static_cast<char32_t>(event.x)});
    }
  }

  // Removes the rest of a click that came while the mouse is off. Another program may have left
  // mouse mode on; ncurses reads only the start, and the rest would look typed.
  void skip_report() {
    const bool three_bytes = std::strcmp(capability("kmous"), "\033[M") == 0;
    for (int i = 0; i < (three_bytes ? 3 : 20); ++i) {
      const int c = read_within(kEscapeDelay);
      if (c == ERR || (!three_bytes && (c == 'M' || c == 'm'))) break;
    }
  }

  // Blocks the signals except in wait(), so that none can arrive between the check of its flag and
  // the sleep.
  void catch_signals() {
    struct sigaction end {};
    end.sa_handler = on_end;
    ::sigemptyset(&end.sa_mask);
    for (const int s : kRequests) ::sigaction(s, &end, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t block;
    ::sigemptyset(&block);
    for (const int s : kRequests) ::sigaddset(&block, s);
    ::sigaddset(&block, SIGWINCH);
    ::sigprocmask(SIG_BLOCK, &block, &before_);
    hold_fatal_signals(SIG_BLOCK);
    waiting_ = before_;
    for (const int s : kRequests) ::sigdelset(&waiting_, s);
    ::sigdelset(&waiting_, SIGWINCH);
  }

  // Keeps fatal signals waiting while the terminal is taken over or given back.
  static void hold_fatal_signals(int how) {
    sigset_t fatal;
    ::sigemptyset(&fatal);
    for (const int s : kFatalSignals) ::sigaddset(&fatal, s);
    ::sigprocmask(how, &fatal, nullptr);
  }

  void catch_fatal_signals() const {
    as_it_was.out = UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    as_it_was.bytes.clear();
    for (const char* name : {"sgr0", "op", "cnorm", "rmkx", "rmcup"})
      ::tputs(capability(name), 1, add_byte);
    if (ansi_) as_it_was.bytes += "\033[?2004l\033[?1000l\033[?1006l";
    as_it_was.bytes += "\r\n";
    struct sigaction fatal {};
    fatal.sa_sigaction = on_fatal;
    fatal.sa_flags = SA_SIGINFO;
    ::sigemptyset(&fatal.sa_mask);
    for (const int s : kFatalSignals) {
      struct sigaction& before = as_it_was.actions[static_cast<std::size_t>(s)];
      ::sigaction(s, nullptr, &before);
      if (before.sa_handler != SIG_IGN) ::sigaction(s, &fatal, nullptr);
    }
    hold_fatal_signals(SIG_UNBLOCK);
  }

  struct Attributes {
    attr_t bits;
    short pair;
  };

  Attributes attributes(Style style, Mark mark) {
    const auto s = static_cast<std::size_t>(style), m = static_cast<std::size_t>(mark);
    auto& known = attributes_[s][m];
    if (known) return *known;
    const Look& under = colours_ ? theme_.styles[s] : theme_.mono_styles[s];
    const Look& over = colours_ ? theme_.marks[m] : theme_.mono_marks[m];
    attr_t out = A_NORMAL;
    if (under.bold || over.bold) out |= A_BOLD;
    if (under.dim || over.dim) out |= A_DIM;
    if (under.underline || over.underline) out |= A_UNDERLINE;
    if (under.reverse != over.reverse) out |= A_REVERSE;
    const int ink = colour_of(over.ink.wishes.empty() ? under.ink : over.ink, colours_);
    const int paper = colour_of(over.paper.wishes.empty() ? under.paper : over.paper, colours_);
    known = {out, colours_ ? static_cast<short>(pair_for(ink, paper)) : short{0}};
    return *known;
  }

  // True if only ink, bold and dim change how the cell looks; a blank shows none of them.
  bool ink_only(const Cell& cell) const {
    const auto style = static_cast<std::size_t>(cell.style);
    const Look& look = colours_ ? theme_.styles[style] : theme_.mono_styles[style];
    return cell.mark == Mark::none && look.paper.wishes.empty() && !look.underline && !look.reverse;
  }

  int pair_for(int ink, int paper) {
    if (ink < 0 && paper < 0) return 0;
    const auto [it, fresh] = pairs_.try_emplace({ink, paper}, static_cast<int>(pairs_.size()) + 1);
    if (it->second >= COLOR_PAIRS) return 0;
    if (fresh) ::init_extended_pair(it->second, ink, paper);
    return it->second;
  }

  SCREEN* screen_ = nullptr;
  HeldOutput out_{STDOUT_FILENO};
  Theme theme_;
  int colours_ = 0;
  bool ansi_ = false;
  std::string title_;  // the window title that this program set, or ""
  bool gone_ = false;
  bool mouse_ = false;
  std::vector<Key> clicks_;  // of one burst, the latest first
  bool look_ = true;         // no read from ncurses since the last wait()
  bool held_back_ = false;   // ncurses may have buffered keys
  int dead_reads_ = 0;
  bool utf8_ = std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
  std::map<std::pair<int, int>, int> pairs_;
  std::array<std::array<std::optional<Attributes>, kMarks>, kStyles> attributes_;
  std::optional<Canvas> shown_;
  sigset_t before_{}, waiting_{};
};

}  // namespace

Result<Done> terminal_is_usable() {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO)) return Refusal{"This is no terminal."};
  const char* name = std::getenv("TERM");
  int error = 0;
  if (!name || !*name || ::setupterm(nullptr, STDOUT_FILENO, &error) != OK)
    return Refusal{"The terminal type '" + fit(name ? name : "", 30) + "' is not known here."};
  const bool moves = *capability("cup") != '\0';
  ::del_curterm(cur_term);
  if (!moves) return Refusal{"The terminal type '" + fit(name, 30) + "' cannot place its cursor."};
  return Done{};
}

std::unique_ptr<Terminal> open_terminal(const Theme& theme) {
  return std::make_unique<Curses>(theme);
}

}  // namespace pbm
