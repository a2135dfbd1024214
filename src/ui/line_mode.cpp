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
#include "protocol/match_description.hpp"
#include "ui/board_help.hpp"
#include "ui/fatal_signals.hpp"
#include "ui/lobby_session.hpp"
#include "ui/screen.hpp"

namespace pbm {
namespace {
constexpr std::size_t kMaxLineBytes = 1024;            // bytes; no command is longer
constexpr std::size_t kAfterAllLines = 1'000'000'000;  // a chat line number after any real one

// Turns off the terminal's echo while it exists, and keeps text typed before. If a signal ends or
// stops the program meanwhile, restores the terminal first.
class HiddenInput {
 public:
  explicit HiddenInput(bool terminal)
      : is_active_(terminal && ::tcgetattr(STDIN_FILENO, &old_modes_) == 0) {
    if (!is_active_) return;
    hidden_modes_ = old_modes_;
    hidden_modes_.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    struct sigaction action {};
    action.sa_handler = restore_terminal;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &old_actions_[i]);
      if (old_actions_[i].sa_handler == SIG_DFL) ::sigaction(kSignals[i], &action, nullptr);
    }
    ::tcsetattr(STDIN_FILENO, TCSANOW, &hidden_modes_);
  }
  ~HiddenInput() {
    if (!is_active_) return;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &old_modes_);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      ::sigaction(kSignals[i], &old_actions_[i], nullptr);
  }
  HiddenInput(const HiddenInput&) = delete;
  HiddenInput& operator=(const HiddenInput&) = delete;

 private:
  static constexpr auto kSignals = [] {
    constexpr std::array more{SIGINT, SIGTERM, SIGHUP, SIGTSTP};
    std::array<int, kFatalSignals.size() + more.size()> out{};
    std::ranges::copy(more, std::ranges::copy(kFatalSignals, out.begin()).out);
    return out;
  }();

  // Restores the terminal and lets the signal take its default action. After a stop, turns the echo
  // off again.
  static void restore_terminal(int signal) {
    const int error = errno;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &old_modes_);
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
    ::tcsetattr(STDIN_FILENO, TCSANOW, &hidden_modes_);
    errno = error;
  }

  static inline termios old_modes_{},
      hidden_modes_{};  // static: the process has one standard input
  std::array<struct sigaction, kSignals.size()> old_actions_{};
  bool is_active_;
};

class LineMode {
 public:
  LineMode(Boards& boards, View view, Settings settings,
           std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
           std::ostream& out, bool echo)
      : boards_(boards),
        view_(view),
        settings_(std::move(settings)),
        read_help_(std::move(rules)),
        in_(in),
        out_(out),
        has_echo_(echo),
        lobby_session_(boards, settings_.preferences().player_name, FrontEnd::line_mode) {
    boards.set_player_name(settings_.preferences().player_name);
  }

  void run(std::optional<Board> board) {
    print_line(std::string("pbmplay, line by line. Type help for a list of commands.") +
               (view_.is_text ? "" : " Type words on to have boards described, not drawn."));
    static_cast<void>(boards_.change_descriptor());  // starts to watch for changes
    if (!sign_in()) return;
    if (board) {
      start_session(std::move(*board));
    } else {
      run_guarded([&] { enter_lobby_line("list"); });
    }
    while (!is_done_) {
      run_guarded([&] {
        handle_events();
        wait_for_computer();
        sign_in_again();
      });
      last_prompt_ = prompt_text();
      auto line = ask_line(last_prompt_);
      if (!line) return;
      std::ranges::replace(*line, '\t', ' ');
      if (line->size() > kMaxLineBytes) {
        print_line("A line has at most " + std::to_string(kMaxLineBytes) + " characters.");
        continue;
      }
      run_guarded([&] {
        last_line_ = trim(*line) == "?" ? "help" : is_quit_letter(trim(*line)) ? "quit" : *line;
        session_ ? enter_board_line(last_line_) : enter_lobby_line(last_line_);
      });
    }
  }

 private:
  // True if a person types the lines; false for a file or a pipe.
  bool is_at_terminal() const { return &in_ == &std::cin && ::isatty(STDIN_FILENO); }

  // Asks for a line; returns nothing at the end of the input. Does not echo a hidden one.
  std::optional<std::string> ask_line(const std::string& prompt, bool hidden = false) {
    out_ << prompt << std::flush;
    std::string line;
    std::optional<char> c;
    // Keeps only enough of a line to see that it is too long.
    while ((c = read_byte(&prompt == &last_prompt_)) && *c != '\n')
      if (line.size() <= kMaxLineBytes) line += *c;
    if (!c && line.empty()) {
      out_ << '\n';
      return std::nullopt;
    }
    if (hidden) out_ << '\n';
    else if (has_echo_) out_ << fit(line, kLineWidth) << '\n';
    return line;
  }

  // Returns the next byte of the input, or nothing at its end. While it waits for a command, writes
  // notifications at once and keeps the typed text.
  std::optional<char> read_byte(bool tells) {
    if (&in_ != &std::cin) {
      char c = 0;
      return in_.get(c) ? std::optional(c) : std::nullopt;
    }
    while (unread_bytes_.empty()) {
      std::array<pollfd, 2> waits{
          {{STDIN_FILENO, POLLIN, 0}, {tells ? boards_.change_descriptor() : -1, POLLIN, 0}}};
      if (::ppoll(waits.data(), waits.size(), nullptr, nullptr) < 0) continue;
      if (waits[1].revents != 0) print_events_while_typing();
      if (waits[0].revents == 0) continue;
      std::array<char, 4096> bytes;
      const ssize_t n = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (n == 0 || (n < 0 && errno != EINTR)) return std::nullopt;
      if (n > 0) unread_bytes_.assign(bytes.rbegin() + (std::ssize(bytes) - n), bytes.rend());
    }
    const char c = unread_bytes_.back();  // in reverse order
    unread_bytes_.pop_back();
    return c;
  }

  void print_events_while_typing() {
    std::stringbuf told;
    std::streambuf* const before = out_.rdbuf(&told);
    run_guarded([&] { handle_events(); });
    out_.rdbuf(before);
    if (told.view().empty()) return;
    last_prompt_ = prompt_text();
    out_ << '\n' << told.view() << last_prompt_ << std::flush;
  }

  std::string prompt_text() const {
    return !session_                                       ? "boards> "
           : session_->is_trying()                         ? "try> "
           : session_->can_continue_exercise()             ? "go on> "
           : match().ending()                              ? "game over> "
           : session_->can_move() || session_->is_shared() ? "move> "
           : session_->has_seat()                          ? "not your turn> "
                                                           : "watching> ";
  }

  // True for q, unless a move on the open board can begin with it.
  bool is_quit_letter(std::string_view typed) const {
    if (!equals_ignoring_case(typed, "q") || !session_) return equals_ignoring_case(typed, "q");
    const auto move = match().position().parse(typed);
    return !move && move.refusal().offset == 0;
  }

  // Asks until the player has signed in. Returns false if the input ends or the player quits.
  bool sign_in() {
    RemoteBoards& server = boards_.server();
    if (server.has_server() && server.userid().empty())
      print_line("Sign in at " + boards_.location() +
                 ". Type your userid, new for a new account, or quit.");
    while (server.has_server() && server.userid().empty()) {
      auto user = ask_line("userid> ");
      if (!user || equals_ignoring_case(trim(*user), "quit") ||
          equals_ignoring_case(trim(*user), "exit"))
        return false;
      const bool fresh = equals_ignoring_case(trim(*user), "new");
      if (fresh) user = ask_line("new userid> ");
      std::optional<std::string> password, again;
      if (user) {
        // Covers all questions: a program may type the answer before the question.
        const HiddenInput unseen(is_at_terminal());
        password = ask_line("password> ", true);
        again = fresh && password ? ask_line("again> ", true) : password;
      }
      if (!again) return false;
      if (*again != *password) {
        print_line("The two passwords differ.");
        continue;
      }
      const std::string name(trim(*user));
      run_guarded([&] {
        RemoteBoards& asked = boards_.server();
        const auto said = fresh ? asked.sign_up(name, *password) : asked.sign_in(name, *password);
        print_line(said ? *said : said.refusal().reason);
      });
    }
    return true;
  }

  // Asks for the password again if the server has signed the player out; an empty line skips that.
  void sign_in_again() {
    const std::string why = boards_.server().take_sign_out_reason();
    if (why.empty()) return;
    print_line(why);
    std::optional<std::string> password;
    {
      const HiddenInput unseen(is_at_terminal());
      password =
          ask_line("password of " + boards_.server().userid() + ", or Enter to skip> ", true);
    }
    if (!password || trim(*password).empty()) return;
    const auto said = boards_.server().sign_in(boards_.server().userid(), *password);
    print_line(said ? *said : said.refusal().reason);
  }

  // Writes all news since the last call: a sentence for each change of the open board, else a line
  // each.
  void handle_events() {
    const bool any = boards_.take_changes();
    const bool look = session_ && (any || boards_.server().has_server());
    const auto meanwhile = look ? session_->refresh() : BoardSession::BoardChanges{};
    for (const Notification& news : boards_.server().notifications().take()) {
      const bool here = session_ && news.board == session_->id();
      const bool told = news.kind == Notification::Kind::ply ||
                        news.kind == Notification::Kind::turn ||
                        news.kind == Notification::Kind::offer;
      if (!news.is_own && !(here && told))
        print_line((here || news.board.empty() ? "" : news.board + ": ") + news.text);
      // The line above has just shown this chat, so mark it as read.
      if (here && news.kind == Notification::Kind::message && !news.is_own)
        static_cast<void>(boards_.server().read_chat(news.board, kAfterAllLines));
      if (here && news.kind == Notification::Kind::board_gone) {
        board_help_.reset();
        session_.reset();
      }
    }
    if (!meanwhile.text.empty()) print_line(meanwhile.text);
    if (session_ && meanwhile.has_new_position && !session_->is_trying()) print_current_board(true);
    if (!meanwhile.changed_level.empty()) print_line(meanwhile.changed_level);
  }

  // An engine that was given up is not asked again before the next line.
  void give_up_engine_or_play_now(ComputerSeats& computers) {
    computers.play_now();
    gave_up_ = !computers.problem().empty();
    if (gave_up_) print_line(computers.problem());
  }

  void wait_for_computer() {
    if (std::exchange(gave_up_, false)) return;
    ComputerSeats* computers = boards_.computer();
    const bool plays = computers && session_ && !session_->is_trying();
    // After an error, the computer tries again when the player enters a line.
    if (!plays || !computers->problem().empty()) computer_handle_.reset();
    if (!plays) return;
    computer_handle_ =
        computers->play_on(session_->board());  // keeps the handle for the same board
    if (computers->thinking_seat(session_->id())) print_line("The computer thinks.");
    bool has_said_slow = false;
    const auto is_done = [&] {
      if (is_at_terminal() && computers->is_engine_slow() && !std::exchange(has_said_slow, true))
        print_line("The engine is getting ready. Press Enter to give up.");
      return !computers->thinking_seat(session_->id());
    };
    if (!handle_events_until(is_done)) return;
    if (const std::string why = computers->problem(); !why.empty()) print_line(why);
  }

  // Writes notifications until `done`. Returns false if the player types before, as that goes
  // first.
  bool handle_events_until(const std::function<bool()>& done) {
    // A line from a file or pipe is for the state after the wait, so it does not end the wait.
    const bool typed = is_at_terminal();
    while (!done()) {
      std::array<pollfd, 2> waits{
          {{typed ? STDIN_FILENO : -1, POLLIN, 0}, {boards_.change_descriptor(), POLLIN, 0}}};
      if (typed && !unread_bytes_.empty()) return false;
      if (::ppoll(waits.data(), waits.size(), nullptr, nullptr) < 0) continue;
      if (waits[0].revents != 0) return false;
      handle_events();
    }
    return true;
  }

  void enter_lobby_line(const std::string& line) {
    // Without a server, the colon before a word does nothing, as on the screen.
    const std::string typed(trim(line));
    const bool colon = typed.starts_with(':');
    print_result(colon && boards_.server().has_server()
                     ? lobby_session_.send_command(typed.substr(1))
                     : lobby_session_.enter(typed.substr(colon ? 1 : 0)));
  }

  void enter_board_line(const std::string& line) {
    const TypedLine typed = session_->parse_line(line, FrontEnd::line_mode);
    const bool asked = std::exchange(asks_to_resign_, false);
    if (typed.kind == TypedLine::Kind::empty) {
      if (session_->can_continue_exercise()) {
        const auto on = session_->continue_exercise();
        if (!on) return print_line(on.refusal().reason);
        return on->board_to_open.empty() ? print_current_board() : open_board(on->board_to_open);
      }
      if (auto* computers = boards_.computer();
          computers && computers->thinking_seat(session_->id()))
        give_up_engine_or_play_now(*computers);
      if (!session_->exercise_text().empty()) print_without_keys(session_->exercise_text());
      return;
    }
    if (typed.kind == TypedLine::Kind::command)
      return print_result(lobby_session_.send_command(typed.argument));
    // undo cannot take back a resignation, so a person has to type it twice.
    asks_to_resign_ = !asked && typed.has_name("resign") && typed.argument.empty() &&
                      is_at_terminal() && session_->has_seat() && !session_->is_trying() &&
                      !match().ending();
    if (asks_to_resign_) return print_line("Type resign again to give up.");
    if (session_->should_queue(typed))
      return print_line(session_->status() + " Type queue and the move to queue it for your turn.");
    const Match before = match();
    const std::string board = session_->id();
    const bool trying = session_->is_trying();
    const auto done = session_->enter(typed, before.plies().size());
    if (!done) return print_refusal(done.refusal(), line);
    print_result(*done);
    if (!done->board_to_open.empty() || done->request.index() > 0 || !session_) return;
    if (session_->board().remote && session_->board().remote->is_deleted) return;
    if (session_->id() != board) print_line(example_copy_message(session_->id()));
    const auto& plies = match().plies();
    if (done->has_played && done->message.empty())
      for (std::size_t i = before.plies().size(); i < plies.size(); ++i)
        print_line(match().action_sentence(plies[i].seat, plies[i].description + ".",
                                           session_->own_seat()));
    if (done->has_played || session_->is_trying() != trying) print_current_board(true);
  }

  // Writes the result of entering a line.
  void print_result(const EntryResult& done) {
    if (!done.message.empty()) print_without_keys(done.message);
    for (const std::string_view line : split_lines(done.text)) print_line(std::string(line));
    for (const std::string& line : wrap_lines(done.lines, kLineWidth)) print_line(line);
    if (const auto* const asked = std::get_if<SettingsChange>(&done.request))
      change_settings(asked->change);
    if (!done.board_to_open.empty()) return open_board(done.board_to_open);
    if (done.ply_to_show) return print_board(*done.ply_to_show);
    if (done.field) return choose_field(*done.field);
    if (done.words_mode) return set_words_mode(*done.words_mode);
    if (done.help_kind) return request_help(*done.help_kind, done.help_ply);
    if (std::get_if<BackRequest>(&done.request)) return leave_board();
    if (const auto* const asked = std::get_if<NextBoardRequest>(&done.request))
      return print_result(lobby_session_.enter(*lobby_session_.find("next"), {asked->id}));
    if (std::get_if<RecordRequest>(&done.request))
      out_ << record_text(session_->match_for_others(match()), view_);
    if (const auto* const asked = std::get_if<TopicRequest>(&done.request))
      print_topic(asked->topic);
    if (std::get_if<KeysRequest>(&done.request)) list_words();
    if (std::get_if<QuitRequest>(&done.request)) is_done_ = true;
  }

  void print_result(const Result<EntryResult>& done) {
    done ? print_result(*done) : print_without_keys(done.refusal().reason);
  }

  // Asks the computer for help, and waits for the result.
  void request_help(HelpKind about, std::size_t ply) {
    board_help_->request(about, ply);
    if (board_help_->running_help() == HelpKind::analysis)
      print_line("The computer looks at every move. Press Enter to stop.");
    else if (board_help_->running_help() == HelpKind::hint)
      print_line(board_help_->progress_text());
    const auto done = [&, told = std::chrono::steady_clock::now()]() mutable {
      const auto now = std::chrono::steady_clock::now(), due = told + std::chrono::seconds(1);
      if (now >= due && board_help_->running_help() == HelpKind::analysis) {
        print_line(board_help_->progress_text());
        told = now;
      }
      return !board_help_->running_help();
    };
    if (handle_events_until(done)) return;
    if (const std::string left = board_help_->stop(); !left.empty()) print_without_keys(left);
    if (about == HelpKind::analysis) print_analysis();
  }

  void print_help(const BoardHelp::HelpResult& said) {
    if (said.kind == HelpKind::analysis && said.make_text) return print_analysis();
    if (!said.make_text) return print_without_keys(said.message);
    for (const std::string& line : said.make_text(kLineWidth)) print_line(line);
  }
  // In words, without the curve.
  void print_analysis() {
    if (const Analysis* const known = session_->visible_analysis())
      for (const std::string& line :
           wrap_lines(known->report_lines(view_.is_text ? 0 : kLineWidth), kLineWidth))
        print_line(line);
  }
  void print_line(const std::string& sentence) { out_ << safe_text(sentence) << '\n'; }

  // Removes key names from a sentence: "press F8 or type better" becomes "type better".
  static std::string remove_key_names(std::string text) {
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

  void print_without_keys(const std::string& sentence) { print_line(remove_key_names(sentence)); }

  // Writes the reason, below a caret at the wrong place of `typed`, the end of the line.
  void print_refusal(const Refusal& refusal, const std::string& typed) {
    const std::string before =
        safe_text(std::string_view(last_line_)
                      .substr(0, last_line_.rfind(typed) + std::min(refusal.offset, typed.size())));
    if (columns(before) < kLineWidth - 10 && !view_.is_text)
      out_ << std::string(last_prompt_.size() + index(columns(before)), ' ') << "^\n";
    print_without_keys(refusal.reason);
  }

  void run_guarded(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& e) {
      print_line(e.what());
    }
  }

  void print_turn() {
    if (const std::string task = session_->exercise_text(); !task.empty()) {
      for (const std::string& line : wrap(remove_key_names(task), kLineWidth)) print_line(line);
      return;
    }
    if (match().offer()) print_line(session_->offer_text());
    const std::string only = match().ending() ? "" : find_forced_pass(match().position());
    print_line(session_->status() + (only.empty() ? "" : " The only move is " + only + "."));
    if (session_->can_rematch()) print_line("Type rematch to play again with the seats swapped.");
  }

  void open_board(const std::string& id) {
    auto board = boards_.open(id);
    if (!board) return print_line(board.refusal().reason);
    print_line("Board " + board->id + ", " +
               title_with_options(board->match.game(), board->match.options()) + ".");
    start_session(std::move(*board));
  }

  void start_session(Board board) {
    asks_to_resign_ = false;  // the server may have closed the board that was asked about
    board_help_.reset();
    session_.emplace(boards_, std::move(board));
    board_help_.emplace(*session_, boards_,
                        [this](const BoardHelp::HelpResult& said) { print_help(said); });
    if (!session_->board().warning.empty()) print_line(session_->board().warning);
    view_.drawing_style = session_->board().drawing_or(view_.drawing_style);
    print_current_board();
    if (const std::size_t n = session_->board().remote ? session_->board().remote->unread_count : 0;
        n > 0)
      print_line("This board has " + format_count(n, "unread message", "unread messages") +
                 ". Type talk to read the chat.");
  }

  const Match& match() const { return session_->match(); }

  // Lists the words to type, or describes only the word `only`. Returns false if there is no such
  // word.
  bool list_words(const std::string& only = "") {
    bool any = false;
    const auto tell = [&](std::string_view name, const std::string& term,
                          const std::string& about) {
      if (about.empty() || (!only.empty() && !equals_ignoring_case(only, name))) return;
      print_line(term + " - " + about + ".");
      any = true;
    };
    if (session_ && only.empty()) print_line(match().move_hint() + ". Also:");
    if (boards_.server().has_server())
      tell(":", ":COMMAND", "send a command to the server; :help lists them");
    if (session_ && session_->board().has_others())
      tell(":", ": TEXT", "send a chat message to this board");
    if (session_)
      for (const TypedWord* w : session_->available_words(FrontEnd::line_mode))
        tell(w->name, w->usage(), w->description.empty() ? "" : session_->describe_word(*w));
    else
      for (const LobbySession::Word& w : LobbySession::word_table())
        if (lobby_session_.is_available(w))
          tell(w.name, format_usage(w.name, w.syntax), std::string(w.description));
    return any;
  }

  // Writes the help for a word, or a help topic.
  void print_topic(const std::string& topic) {
    if (list_words(topic)) return;
    const auto text = read_help_(topic);
    if (!text) return print_line(text.refusal().reason);
    for (const TextLine& line : format_markdown(*text, kLineWidth)) print_line(line.text);
  }

  // Writes the board after a ply. With `what_changed`, a board in words shows only new lines.
  void print_board(std::size_t ply, bool what_changed = false) {
    const Match& m = match();
    std::vector<std::string> rows = m.draw(ply, view_).rows;
    const std::vector<std::string> before = std::exchange(last_rows_, rows);
    if (view_.is_text) {
      if (what_changed)
        std::erase_if(rows, [&](const auto& row) { return std::ranges::count(before, row) > 0; });
      rows = wrap_lines(rows, kLineWidth);
    }
    for (const std::string& row : rows) out_ << row << '\n';
    if (const std::string left = m.holdings_after(ply, session_->own_seat()); !left.empty())
      print_line(left);
    if (ply == m.plies().size()) print_turn();
    else print_line(session_->status_after(ply));
  }

  void print_current_board(bool what_changed = false) {
    print_board(match().plies().size(), what_changed);
  }
  void choose_field(char field) {
    view_.drawing_style = session_->next_field(field, view_.drawing_style);
    if (const auto kept = session_->save_field(view_.drawing_style))
      session_->set_field(view_.drawing_style);
    else print_line(kept.refusal().reason);
    print_current_board();
  }

  void set_words_mode(bool words) {
    view_.is_text = words;
    if (session_) print_current_board();
  }

  void change_settings(const std::function<void(Preferences& wanted)>& choose) {
    if (const auto kept = settings_.change(choose); !kept) print_line(kept.refusal().reason);
  }

  void leave_board() {
    if (session_ && session_->is_trying()) {
      session_->stop_trial();
      return print_current_board();
    }
    board_help_.reset();
    session_.reset();
    enter_lobby_line("list");
  }

  Boards& boards_;
  View view_;
  Settings settings_;
  std::function<Result<std::string>(const std::string&)> read_help_;
  std::istream& in_;
  std::ostream& out_;
  bool has_echo_;
  std::string last_prompt_, last_line_;  // the last prompt and the last line
  std::string unread_bytes_;             // bytes of standard input, in reverse order
  std::vector<std::string> last_rows_;   // the rows of the board as last written
  std::optional<BoardSession> session_;
  TaskHandle computer_handle_;           // keeps the computer playing on the board
  std::optional<BoardHelp> board_help_;  // for desk_
  LobbySession lobby_session_;
  bool is_done_ = false;
  bool gave_up_ = false;         // the last line gave up an engine
  bool asks_to_resign_ = false;  // the last line was resign, which waits for another
};

}  // namespace

void run_line_mode(Boards& boards, View view, Settings settings,
                   std::function<Result<std::string>(const std::string&)> rules, std::istream& in,
                   std::ostream& out, bool echo, std::optional<Board> board) {
  LineMode(boards, view, std::move(settings), std::move(rules), in, out, echo)
      .run(std::move(board));
}

}  // namespace pbm
