// SPDX-License-Identifier: MIT
#include "ui/line_mode.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iostream>

#include "base/markdown.hpp"
#include "protocol/telling.hpp"
#include "ui/board_help.hpp"
#include "ui/fatal_signals.hpp"
#include "ui/lobby_session.hpp"
#include "ui/screen.hpp"

namespace pbm {
namespace {
constexpr std::size_t kMaxTyped = 1024;          // bytes; no command is longer
constexpr std::size_t kNothing = 1'000'000'000;  // a chat line number after any real one

// Turns off the terminal's echo while it exists, and keeps text typed before. If a signal ends or
// stops the program meanwhile, restores the terminal first.
class Unseen {
 public:
  explicit Unseen(bool terminal) : on_(terminal && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
    if (!on_) return;
    unseen_ = before_;
    unseen_.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    struct sigaction action {};
    action.sa_handler = give_back;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &actions_[i]);
      if (actions_[i].sa_handler == SIG_DFL) ::sigaction(kSignals[i], &action, nullptr);
    }
    ::tcsetattr(STDIN_FILENO, TCSANOW, &unseen_);
  }
  ~Unseen() {
    if (!on_) return;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &actions_[i], nullptr);
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  static constexpr auto kSignals = [] {
    constexpr std::array more{SIGINT, SIGTERM, SIGHUP, SIGTSTP};
    std::array<int, kFatalSignals.size() + more.size()> out{};
    std::ranges::copy(more, std::ranges::copy(kFatalSignals, out.begin()).out);
    return out;
  }();

  // Restores the terminal and lets the signal take its default action. After a stop, turns the echo
  // off again.
  static void give_back(int signal) {
    const int error = errno;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    struct sigaction mine {
    }, usual{};
    usual.sa_handler = SIG_DFL;
    ::sigaction(signal, &usual, &mine);
    sigset_t this_one;
    ::sigemptyset(&this_one);
    ::sigaddset(&this_one, signal);
    ::kill(::getpid(), signal);
    ::pthread_sigmask(SIG_UNBLOCK, &this_one, nullptr);  // delivers the signal
    ::pthread_sigmask(SIG_BLOCK, &this_one, nullptr);
    ::sigaction(signal, &mine, nullptr);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &unseen_);
    errno = error;
  }

  static inline termios before_{}, unseen_{};  // static: the process has one standard input
  std::array<struct sigaction, kSignals.size()> actions_{};
  bool on_;
};

class LineMode {
 public:
  LineMode(Boards& boards, View view, Settings settings,
           std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
           std::ostream& out, bool echo)
      : boards_(boards),
        view_(view),
        settings_(std::move(settings)),
        rules_(std::move(rules)),
        in_(in),
        out_(out),
        echo_(echo),
        lobby_(boards, settings_.chosen().name, Front::lines) {}

  void run(std::optional<Board> board) {
    say(std::string("pbmplay, line by line. Type help for what can be typed.") +
        (view_.words ? "" : " On a board, words on has it told instead of drawn."));
    static_cast<void>(boards_.changes());  // starts to watch for changes
    if (!sign_in()) return;
    if (board) {
      sit_down(std::move(*board));
    } else {
      guarded([&] { lobby_line("list"); });
    }
    while (!done_) {
      guarded([&] {
        handle_events();
        wait_for_computer();
        sign_in_again();
      });
      prompt_ = prompt();
      const auto line = ask(prompt_);
      if (!line) return;
      if (line->size() > kMaxTyped) {
        say("That line is too long for a command.");
        continue;
      }
      guarded([&] {
        const auto whole = completed(*line);
        if (!whole) return;
        line_ = trim(*whole) == "?" ? "help" : *whole;
        desk_ ? board_line(line_) : lobby_line(line_);
      });
    }
  }

 private:
  // Asks for a line; returns nothing at the end of the input. Does not echo a hidden one.
  std::optional<std::string> ask(const std::string& prompt, bool hidden = false) {
    out_ << prompt << std::flush;
    std::string line;
    std::optional<char> c;
    // Keeps only enough of a line to see that it is too long.
    while ((c = read_byte(&prompt == &prompt_)) && *c != '\n')
      if (line.size() <= kMaxTyped) line += *c;
    if (!c && line.empty()) {
      out_ << '\n';
      return std::nullopt;
    }
    if (hidden) out_ << '\n';
    else if (echo_) out_ << fit(line, kLineWidth) << '\n';
    return line;
  }

  // Returns the next byte of the input, or nothing at its end. While it waits for a command, writes
  // notifications at once and keeps the typed text.
  std::optional<char> read_byte(bool tells) {
    if (&in_ != &std::cin) {
      char c = 0;
      return in_.get(c) ? std::optional(c) : std::nullopt;
    }
    while (unread_.empty()) {
      std::array<pollfd, 2> waits{
          {{STDIN_FILENO, POLLIN, 0}, {tells ? boards_.changes() : -1, POLLIN, 0}}};
      if (::ppoll(waits.data(), waits.size(), nullptr, nullptr) < 0) continue;
      if (waits[1].revents != 0) tell_while_typing();
      if (waits[0].revents == 0) continue;
      std::array<char, 4096> bytes;
      const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (n == 0 || (n < 0 && errno != EINTR)) return std::nullopt;
      if (n > 0) unread_.assign(bytes.rbegin() + (std::ssize(bytes) - n), bytes.rend());
    }
    const char c = unread_.back();  // in reverse order
    unread_.pop_back();
    return c;
  }

  void tell_while_typing() {
    std::stringbuf told;
    std::streambuf* const before = out_.rdbuf(&told);
    guarded([&] { handle_events(); });
    out_.rdbuf(before);
    if (told.view().empty()) return;
    prompt_ = prompt();
    out_ << '\n' << told.view() << prompt_ << std::flush;
  }

  std::string prompt() const {
    return !desk_                                 ? "boards> "
           : desk_->trying()                      ? "try> "
           : match().ending()                     ? "game over> "
           : desk_->may_move() || desk_->shared() ? "move> "
           : desk_->plays()                       ? "not your turn> "
                                                  : "watching> ";
  }

  // Asks until the player has signed in. Returns false if the input ends or the player quits.
  bool sign_in() {
    RemoteBoards& server = boards_.server();
    if (server.takes_commands() && server.user().empty())
      say("Type your userid on the server at " + boards_.place() + ", new to take one, or quit.");
    while (server.takes_commands() && server.user().empty()) {
      auto user = ask("userid> ");
      if (!user || same_ignoring_case(trim(*user), "quit")) return false;
      const bool fresh = same_ignoring_case(trim(*user), "new");
      if (fresh) user = ask("new userid> ");
      std::optional<std::string> password, again;
      if (user) {
        // Covers all questions: a program may type the answer before the question.
        const Unseen unseen(&in_ == &std::cin && ::isatty(STDIN_FILENO));
        password = ask("password> ", true);
        again = fresh && password ? ask("again> ", true) : password;
      }
      if (!again) return false;
      if (*again != *password) {
        say("The two passwords differ.");
        continue;
      }
      const std::string name(trim(*user));
      guarded([&] {
        RemoteBoards& asked = boards_.server();
        const auto said = fresh ? asked.sign_up(name, *password) : asked.sign_in(name, *password);
        say(said ? *said : said.refusal().why);
      });
    }
    return true;
  }

  // Asks for the password again if the server has signed the player out; an empty line skips that.
  void sign_in_again() {
    const std::string why = boards_.server().take_sign_out();
    if (why.empty()) return;
    say(why);
    std::optional<std::string> password;
    {
      const Unseen unseen(&in_ == &std::cin && ::isatty(STDIN_FILENO));
      password = ask("password of " + boards_.server().user() + ", or nothing> ", true);
    }
    if (!password || trim(*password).empty()) return;
    const auto said = boards_.server().sign_in(boards_.server().user(), *password);
    say(said ? *said : said.refusal().why);
  }

  // Writes all news since the last call: a sentence for each change of the open board, else a line
  // each.
  void handle_events() {
    const bool any = boards_.take_changes();
    const bool look = desk_ && (any || boards_.server().takes_commands());
    const auto meanwhile = look ? desk_->refresh() : BoardSession::Meanwhile{};
    for (const Notification& news : boards_.server().news().take()) {
      const bool here = desk_ && news.board == desk_->id();
      const bool told = news.kind == Notification::Kind::ply ||
                        news.kind == Notification::Kind::turn ||
                        news.kind == Notification::Kind::offer;
      if (!news.own && !(here && told))
        say((here || news.board.empty() ? "" : news.board + ": ") + news.text);
      // The line above has just shown this chat, so mark it as read.
      if (here && news.kind == Notification::Kind::talk && !news.own)
        static_cast<void>(boards_.server().said_on(news.board, kNothing));
      if (here && news.kind == Notification::Kind::gone) {
        help_.reset();
        desk_.reset();
      }
    }
    if (!meanwhile.told.empty()) say(meanwhile.told);
    if (desk_ && meanwhile.played && !desk_->trying()) show_now(true);
  }

  void wait_for_computer() {
    ComputerAttendant* computers = boards_.computer();
    const bool plays = computers && desk_ && !desk_->trying();
    // After an error, the computer tries again when the player enters a line.
    if (!plays || !computers->trouble().empty()) attending_.reset();
    if (!plays) return;
    attending_ = computers->attend(desk_->board());  // keeps the handle for the same board
    if (computers->thinking(desk_->id())) say("The computer thinks.");
    if (!wait_until([&] { return !computers->thinking(desk_->id()); })) return;
    if (const std::string why = computers->trouble(); !why.empty()) say(why);
  }

  // Writes notifications until `done`. Returns false if the player types before, as that goes
  // first.
  bool wait_until(const std::function<bool()>& done) {
    // A line from a file or pipe is for the state after the wait, so it does not end the wait.
    const bool typed = &in_ == &std::cin && ::isatty(STDIN_FILENO);
    while (!done()) {
      std::array<pollfd, 2> waits{
          {{typed ? STDIN_FILENO : -1, POLLIN, 0}, {boards_.changes(), POLLIN, 0}}};
      if (typed && !unread_.empty()) return false;
      if (::ppoll(waits.data(), waits.size(), nullptr, nullptr) < 0) continue;
      if (waits[0].revents != 0) return false;
      handle_events();
    }
    return true;
  }

  // Completes the userid before each Tab in `line`. A Tab after other text becomes a blank. If
  // several userids match, lists them and returns nothing.
  std::optional<std::string> completed(const std::string& line) {
    if (line.find('\t') == std::string::npos || !boards_.server().takes_commands()) return line;
    static_cast<void>(boards_.server().look_around(true, boards_.server().shows_others()));
    std::string out;
    bool any = false;
    for (const char c : line) {
      if (c != '\t') {
        out += c;
        continue;
      }
      const std::size_t at = out.rfind(' ') + 1;
      std::vector<std::string> meant;
      for (const Person& person : boards_.server().people())
        if (at < out.size() && starts_ignoring_case(person.userid, out.substr(at)))
          meant.push_back(person.userid);
      if (meant.size() > 1) {
        say("'" + fit(out.substr(at), 20) + "' may be " + one_of(meant) + ".");
        return std::nullopt;
      }
      any = any || !meant.empty();
      out = (meant.empty() ? out : out.substr(0, at) + meant.front()) + " ";
    }
    if (any) say(out);
    return out;
  }

  void lobby_line(const std::string& line) {
    const bool command = boards_.server().takes_commands() && trim(line).starts_with(':');
    entered(command ? lobby_.command(std::string(trim(line).substr(1))) : lobby_.enter(line));
  }

  void board_line(const std::string& line) {
    const TypedLine typed = desk_->read(line, Front::lines);
    if (typed.kind == TypedLine::Kind::nothing) {
      if (desk_->may_go_on()) {
        const auto on = desk_->go_on(settings_.chosen().name);
        if (!on) return say(on.refusal().why);
        return on->open.empty() ? show_now() : open_board(on->open);
      }
      if (auto* computers = boards_.computer(); computers && computers->thinking(desk_->id()))
        computers->hurry();
      if (!desk_->task().empty()) tell(desk_->task());
      return;
    }
    if (typed.kind == TypedLine::Kind::command) return entered(lobby_.command(typed.rest));
    if (desk_->would_queue(typed))
      return say(match().standing() +
                 " Type queue and the move to have it played when your turn comes.");
    const Match before = match();
    const std::string board = desk_->id();
    const bool trying = desk_->trying();
    const auto done = desk_->enter(typed, before.plies().size());
    if (!done) return refuse(done.refusal(), line);
    entered(*done);
    if (!done->open.empty() || done->go.index() > 0 || !desk_) return;
    if (desk_->id() != board) say(told_of_copy(desk_->id()));
    const auto& plies = match().plies();
    if (done->played && done->told.empty())
      for (std::size_t i = before.plies().size(); i < plies.size(); ++i)
        say("Played: " + match().player(plies[i].seat) + " " + plies[i].described + ".");
    if (done->played || desk_->trying() != trying) show_now(true);
  }

  // Writes the result of entering a line.
  void entered(const Entered& done) {
    if (!done.told.empty()) tell(done.told);
    for (const std::string_view line : split_lines(done.text)) say(std::string(line));
    for (const std::string& line : wrapped(done.lines, kLineWidth)) say(line);
    if (!done.open.empty()) return open_board(done.open);
    if (done.show) return show(*done.show);
    if (done.field) return draw_field(*done.field);
    if (done.words) return tell_in_words(*done.words);
    if (done.help) return ask_help(*done.help, done.about);
    if (std::get_if<GoBack>(&done.go)) return leave();
    if (const auto* const asked = std::get_if<GoToNext>(&done.go))
      return entered(lobby_.enter(*lobby_.find("next"), {asked->id}));
    if (std::get_if<ReadRecord>(&done.go)) out_ << record_text(match(), view_);
    if (const auto* const asked = std::get_if<ReadTopic>(&done.go)) read(asked->topic);
    if (std::get_if<ShowKeys>(&done.go)) help();
    if (const auto* const asked = std::get_if<Remember>(&done.go)) remember(asked->choose);
    if (std::get_if<Quit>(&done.go)) done_ = true;
  }

  void entered(const Result<Entered>& done) { done ? entered(*done) : tell(done.refusal().why); }

  // Asks the computer for help, and waits for the result.
  void ask_help(Help about, std::size_t ply) {
    help_->ask(about, ply);
    if (help_->busy() == Help::analysis)
      say("The computer looks at every move. Type anything to end that.");
    else if (help_->busy() == Help::hint) say(help_->progress());
    const auto done = [&, told = std::chrono::steady_clock::now()]() mutable {
      const auto now = std::chrono::steady_clock::now(), due = told + std::chrono::seconds(1);
      if (now >= due && (help_->busy() == Help::analysis || help_->busy() == Help::openings)) {
        say(help_->progress());
        told = now;
      }
      return !help_->busy();
    };
    if (wait_until(done)) return;
    if (const std::string left = help_->stop(); !left.empty()) tell(left);
    if (about == Help::analysis) tell_analysis();
  }

  void helped(const BoardHelp::Said& said) {
    if (said.about == Help::analysis && said.text) return tell_analysis();
    if (!said.text) return tell(said.told);
    for (const std::string& line : said.text(kLineWidth)) say(line);
  }
  // In words, without the curve.
  void tell_analysis() {
    if (const Analysis* const known = desk_->analysed())
      for (const std::string& line : wrapped(known->text(view_.words ? 0 : kLineWidth), kLineWidth))
        say(line);
  }
  void say(const std::string& sentence) { out_ << safe_text(sentence) << '\n'; }

  // Removes key names from a sentence: "press F8 or type better" becomes "type better".
  static std::string without_keys(std::string text) {
    for (std::size_t at = 0; (at = text.find("ress ", at + 1)) != std::string::npos;) {
      const std::size_t way = text.find("or type ", at);
      if (way == std::string::npos || lower(text[at - 1]) != 'p' ||
          text.substr(at, way - at).find_first_of(".:;") != std::string::npos)
        continue;
      const bool begins = text[at - 1] == 'P';
      text.erase(at - 1, way + 3 - (at - 1));
      if (begins) text[at - 1] = 'T';
    }
    return text;
  }

  void tell(const std::string& sentence) { say(without_keys(sentence)); }

  // Writes the reason, below a caret at the wrong place of `typed`, the end of the line.
  void refuse(const Refusal& refusal, const std::string& typed) {
    const std::string before = safe_text(
        std::string_view(line_).substr(0, line_.rfind(typed) + std::min(refusal.at, typed.size())));
    if (columns(before) < kLineWidth - 10 && !view_.words)
      out_ << std::string(prompt_.size() + static_cast<std::size_t>(columns(before)), ' ') << "^\n";
    tell(refusal.why);
  }

  void guarded(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& e) {
      say(e.what());
    }
  }

  void tell_turn() {
    if (const std::string task = desk_->task(); !task.empty()) {
      for (const std::string& line : wrap(without_keys(task), kLineWidth)) say(line);
      return;
    }
    if (match().offer())
      say(match().offered() + (desk_->answers() ? " Type accept or reject." : ""));
    const std::string only = match().ending() ? "" : only_ply(match().position());
    say(match().standing() + (only.empty() ? "" : " The only move is " + only + "."));
    if (desk_->may_rematch()) say("Type rematch for another with the seats swapped.");
  }

  void open_board(const std::string& id) {
    auto board = boards_.open(id);
    if (!board) return say(board.refusal().why);
    say("Board " + board->id + ", " +
        title_with_options(board->match.game(), board->match.options()) + ".");
    sit_down(std::move(*board));
  }

  void sit_down(Board board) {
    help_.reset();
    desk_.emplace(boards_, std::move(board));
    help_.emplace(*desk_, boards_, settings_.chosen().name,
                  [this](const BoardHelp::Said& said) { helped(said); });
    if (!desk_->board().warning.empty()) say(desk_->board().warning);
    view_.field = desk_->board().field(view_.field);
    show_now();
    if (const std::size_t n = desk_->board().remote ? desk_->board().remote->unread : 0; n > 0)
      say(count_of(n, "unread line was", "unread lines were") + " said here: type talk.");
  }

  const Match& match() const { return desk_->match(); }

  // Lists the words to type, or describes only the word `only`. Returns false if there is no such
  // word.
  bool help(const std::string& only = "") {
    bool any = false;
    const auto tell = [&](std::string_view name, const std::string& term,
                          const std::string& about) {
      if (about.empty() || (!only.empty() && !same_ignoring_case(only, name))) return;
      say(term + " - " + about + ".");
      any = true;
    };
    if (desk_ && only.empty()) say(match().how_to_move() + ". Also:");
    if (boards_.server().takes_commands())
      tell(":", ":COMMAND", "send a command to the server; :help lists them");
    if (desk_)
      for (const TypedWord* w : desk_->words_now(Front::lines))
        tell(w->name, w->term(), w->about.empty() ? "" : desk_->about(*w));
    else
      for (const LobbySession::Word& w : LobbySession::words())
        if (lobby_.means_something(w))
          tell(w.name, term_of(w.name, w.syntax), std::string(w.about));
    return any;
  }

  // Writes the help for a word, or a help topic.
  void read(const std::string& topic) {
    if (help(topic)) return;
    const auto text = rules_(topic);
    if (!text) return say(text.refusal().why);
    for (const TextLine& line : layout_markdown(*text, kLineWidth)) say(line.text);
  }

  // Writes the board after a ply. With `what_changed`, a board in words shows only new lines.
  void show(std::size_t ply, bool what_changed = false) {
    const Match& m = match();
    std::vector<std::string> rows = m.draw(ply, view_).rows;
    const std::vector<std::string> before = std::exchange(told_, rows);
    if (view_.words) {
      if (what_changed)
        std::erase_if(rows, [&](const auto& row) { return std::ranges::count(before, row) > 0; });
      rows = wrapped(rows, kLineWidth);
    }
    for (const std::string& row : rows) out_ << row << '\n';
    if (const std::string left = m.holdings_after(ply); !left.empty()) say(left);
    if (ply == m.plies().size()) tell_turn();
    else say(m.standing_after(ply));
  }

  void show_now(bool what_changed = false) { show(match().plies().size(), what_changed); }
  void draw_field(char field) {
    view_.field = desk_->drawing(field, view_.field);
    if (const auto kept = desk_->keep_field(view_.field)) desk_->set_field(view_.field);
    else say(kept.refusal().why);
    show_now();
  }

  void tell_in_words(bool words) {
    view_.words = words;
    remember([words](Preferences& wanted) { wanted.words = words; });
    show_now();
  }

  void remember(const std::function<void(Preferences& wanted)>& choose) {
    if (const auto kept = settings_.set(choose); !kept) say(kept.refusal().why);
  }

  void leave() {
    if (desk_ && desk_->trying()) {
      desk_->stop_trying();
      return show_now();
    }
    help_.reset();
    desk_.reset();
    lobby_line("list");
  }

  Boards& boards_;
  View view_;
  Settings settings_;
  std::function<Result<std::string>(const std::string&)> rules_;
  std::istream& in_;
  std::ostream& out_;
  bool echo_;
  std::string prompt_, line_;      // the last prompt and the last line
  std::string unread_;             // bytes of standard input, in reverse order
  std::vector<std::string> told_;  // the rows of the board as last written
  std::optional<BoardSession> desk_;
  Handle attending_;               // keeps the computer playing on the board
  std::optional<BoardHelp> help_;  // for desk_
  LobbySession lobby_;
  bool done_ = false;
};

}  // namespace

void line_by_line(Boards& boards, View view, Settings settings,
                  std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
                  std::ostream& out, bool echo, std::optional<Board> board) {
  LineMode(boards, view, std::move(settings), std::move(rules), in, out, echo)
      .run(std::move(board));
}

}  // namespace pbm
