// SPDX-License-Identifier: MIT
#include "ui/screens/app.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "boards/local_boards.hpp"
#include "ui/screens/board_screen.hpp"
#include "ui/terminal.hpp"

namespace pbm {

// Ctrl-Z and Ctrl-L belong to run_app().
const std::vector<KeyHelp>& keys_everywhere() {
  static const std::vector<KeyHelp> keys{
      {"", "On every screen"},
      {"F2", "the mouse on or off (while it is on, text is marked with Shift)"},
      {"F4", "settings: colours, mouse, bell, your name"},
      {"Ctrl-C", "leave the program; everything is kept"},
      {"Ctrl-Z", "suspend the program"},
      {"Ctrl-L", "draw the screen anew"}};
  return keys;
}

namespace {

// A paste without an end marker ends after this pause.
constexpr std::chrono::milliseconds kPastePause{1000};
// A typed Ctrl-C has such a pause before and after it; one in pasted text has text there.
constexpr std::chrono::milliseconds kTypedPause{100};

// Returns the absolute path: the next run may start in another directory.
std::string from_root(const std::filesystem::path& file) {
  std::error_code error;  // the current directory may be gone
  const auto out = std::filesystem::absolute(file, error);
  return (error ? file : out).lexically_normal().string();
}

}  // namespace

App::App(Boards& boards, Settings& settings,
         std::function<Result<std::string>(const std::string&)> rules,
         std::vector<std::filesystem::path> themes)
    : boards_(boards), settings_(settings), rules_(std::move(rules)), themes_(std::move(themes)) {
  auto lobby = std::make_unique<Lobby>(boards, settings.chosen());
  lobby_ = lobby.get();
  screens_.push_back(std::move(lobby));
  if (boards.server().takes_commands() && boards.server().user().empty())
    screens_.push_back(sign_in(boards));
}

void App::show(Board board) {
  lobby_->select(board.id);
  push(std::make_unique<BoardScreen>(boards_, std::move(board), settings_.chosen()));
}

void App::pop() {
  if (screens_.size() == 1) return;
  screens_.pop_back();
  top().wake();
}

Canvas App::draw(Size size) {
  too_small_ = size.rows < kSmallest.rows || size.columns < kSmallest.columns;
  if (too_small_) {
    Canvas out(size);
    const std::string needs = "pbmplay needs " + std::to_string(kSmallest.columns) + "x" +
                              std::to_string(kSmallest.rows) + ", this window is " +
                              std::to_string(size.columns) + "x" + std::to_string(size.rows) +
                              ": make it larger.";
    const auto lines = wrap(needs, size.columns);
    for (int i = 0; i < std::min(size.rows, static_cast<int>(lines.size())); ++i)
      out.put(i, 0, lines[static_cast<std::size_t>(i)], Style::warning);
    return out;
  }
  const Size inner = top().wanted(size);
  Canvas screen(inner);
  screen.frames = settings_.chosen().frames;
  screen.aside = aside();
  screen.mouse = mouse();
  top().draw(screen);
  if (asking_) {
    const std::string question = "Leave? Everything is kept. (y or n)";
    draw_message(screen, inner.rows, 1, question, Style::warning);
    screen.cursor = Point{inner.rows - 1, 2 + columns(question)};
  }
  corner_ = {(size.rows - inner.rows) / 3, (size.columns - inner.columns) / 2};
  links_ = screen.links();
  if (inner == size) return screen;
  Canvas out(size);
  out.paste(corner_.row, corner_.column, screen);
  return out;
}

void App::press(const Key& key) {
  if (key.code == Key::Code::paste) {
    paste_.reset();
    if (key.c == 1) paste_ = Paste{std::chrono::steady_clock::now()};
    return;
  }
  if (paste_) return take_pasted(key);
  if (asking_) {
    asking_ = false;
    if (key == typed('y') || key == typed('Y') || key == ctrl('C')) done_ = true;
    return;
  }
  if (key == ctrl('C')) {
    asking_ = !too_small_;
    done_ = too_small_;
    return;
  }
  if (too_small_) return;
  const Preferences before = settings_.chosen();
  try {
    if (key.code == Key::Code::escape && asking()) {
      boards_.server().give_up();
    } else if (key == fkey(2)) {
      run(SwitchMouse{});
    } else if (key == fkey(4)) {
      run(ShowSettings{});
    } else if (key.code == Key::Code::click) {
      click({static_cast<int>(key.c >> 16) - corner_.row,
             static_cast<int>(key.c & 0xFFFF) - corner_.column});
    } else {
      pass(key);
    }
    sign_in_again();
  } catch (const Error& e) {
    // For example a full disk. The boards are unchanged.
    say(e.what(), Style::bad);
  }
  follow(before);
}

// Takes a key as text: a line feed plays nothing, a letter deletes nothing. A Ctrl-C may be text,
// too, so end_paste() presses a typed one, after the pause that follows it.
void App::take_pasted(const Key& key) {
  const Moment now = std::chrono::steady_clock::now();
  const bool alone = paste_->interrupts > 0 || now - paste_->last >= kTypedPause;
  paste_->last = now;
  if (key == ctrl('C') && alone) {
    paste_->interrupts = std::min(paste_->interrupts + 1, 2);
    return;
  }
  paste_->interrupts = 0;
  if (key.code == Key::Code::character && !asking_ && !too_small_) top().paste(key.c);
}

std::optional<Moment> App::paste_due() const {
  if (!paste_) return std::nullopt;
  return paste_->last + (paste_->interrupts > 0 ? kTypedPause : kPastePause);
}

void App::end_paste() {
  if (!paste_ || std::chrono::steady_clock::now() < *paste_due()) return;
  const int interrupts = paste_->interrupts;
  paste_.reset();
  for (int i = 0; i < interrupts; ++i) press(ctrl('C'));
}

// Applies new settings at once.
void App::follow(const Preferences& before) {
  const Preferences& now = settings_.chosen();
  if (now.mouse != before.mouse) mouse_.reset();
  if (now.theme == before.theme) return;
  auto theme = find_theme(now.theme, themes_);
  if (theme) theme_ = std::move(*theme);
  else say(theme.refusal().why, Style::bad);
}

void App::boards_changed() {
  try {
    const bool changed = boards_.take_changes();
    // Run the requests of answers that arrived late.
    for (std::size_t i = 0; i < screens_.size(); ++i) {
      if (screens_[i]->take_attention() && settings_.chosen().bell) bell_ = true;
      run(screens_[i]->take_request());
    }
    if (!changed) return;
    if (!boards_.server().turned_away().empty()) done_ = true;
    // A board below its rules or its help also counts as seen.
    for (const auto& screen : screens_)
      if (screen->boards_changed() && settings_.chosen().bell) bell_ = true;
    tell_news();
    sign_in_again();
  } catch (const Error& e) {
    say(e.what(), Style::bad);
  }
}

// Closes all screens from that board up: the board no longer exists.
void App::close(const std::string& board) {
  for (std::size_t i = 1; i < screens_.size(); ++i)
    while (i < screens_.size() && screens_[i]->board() == board) pop();
}

// Shows the news that no screen shows itself on the top screen.
void App::tell_news() {
  std::string said;
  for (const Notification& news : boards_.server().news().take()) {
    bool shown = false;
    const bool gone = news.kind == Notification::Kind::gone;
    if (gone) close(news.board);
    for (const auto& screen : screens_) shown = screen->handle_event(news) || shown;
    const bool asks =
        news.kind == Notification::Kind::turn || news.kind == Notification::Kind::offer;
    const bool calls = (asks && !shown) || (news.kind == Notification::Kind::talk && !news.own);
    if (calls && settings_.chosen().bell) bell_ = true;
    // The title row shows how many boards wait.
    const bool quiet = news.kind == Notification::Kind::turn ||
                       news.kind == Notification::Kind::ply || (news.own && !gone);
    if (!shown && !quiet)
      said += (said.empty() ? "" : " ") + (news.board.empty() ? "" : news.board + ": ") + news.text;
  }
  constexpr int kMax = 300;  // columns
  if (!said.empty()) say(fit(said, kMax));
}

// Asks for the password again if the server has ended the sign-in. The screens below stay.
void App::sign_in_again() {
  const std::string why = boards_.server().take_sign_out();
  if (why.empty()) return;
  if (top().kind() == Screen::Kind::sign_in) say(why, Style::bad);
  else push(sign_in(boards_, why));
}

std::string App::aside() const {
  RemoteBoards& server = boards_.server();
  if (server.asking()) return "asking the server";
  if (server.user().empty()) return "";
  if (const std::string trouble = server.trouble(); !trouble.empty()) return trouble;
  if (screens_.size() == 1) return "";  // the lobby shows the number itself
  std::string here;
  for (const auto& screen : screens_)
    if (!screen->board().empty()) here = screen->board();
  const std::size_t n = server.waiting(here);
  return n == 0 ? "" : count_of(n, "board waits", "boards wait");
}

std::string App::title() {
  const std::size_t n = boards_.server().waiting("");
  if (n == 0) return titled_ ? "pbmplay" : "";
  titled_ = true;
  return "pbmplay: " + count_of(n, "board waits", "boards wait");
}

void App::click(Point place) {
  const auto link = std::find_if(links_.rbegin(), links_.rend(), [&](const Link& l) {
    return l.at.row == place.row && place.column >= l.at.column &&
           place.column < l.at.column + l.width;
  });
  if (link == links_.rend()) {
    top().click(place);
    return run(top().take_request());
  }
  const std::vector<Key> keys = link->keys;
  for (const Key& key : keys) pass(key);
}

// Only one board can be opening at a time.
bool App::refused_while_asking() {
  if (asking()) say("The server is still asked: Esc gives that up.", Style::bad);
  return asking();
}

void App::open(const GoToBoard& asked) {
  opens_from_ = screens_.back();
  boards_.ask(
      opening_, asked.id, [id = asked.id, &boards = boards_] { return boards.open(id); },
      [this, asked](const Result<Board>& board) { opened(board, asked); });
}

void App::on(const GoToNext& asked) {
  if (refused_while_asking()) return;
  LobbyModel all = lobby_->list();
  all.filter("");  // boards that the filter hides count, too
  if (const auto next = all.next_waiting(asked.id)) on(GoToBoard{*next});
  else say("No other board waits for a move.");
}

void App::on(const CreateBoard& asked) {
  const std::string user = boards_.server().user(),
                    me = user.empty() ? person_here(settings_.chosen().name, "") : user;
  std::vector<std::string> people = lobby_->list().people(user);
  if (!asked.against.empty()) {
    std::erase(people, asked.against);
    people.insert(people.begin() + std::min<std::ptrdiff_t>(1, std::ssize(people)), asked.against);
  }
  push(new_game(boards_, me, std::move(people), asked.open, lobby_->game()));
}

void App::on(const Remember& asked) {
  if (const auto kept = settings_.set(asked.choose); !kept) say(kept.refusal().why, Style::bad);
}

// Shows the first keys of a screen if it has such a list; ShowKeys again shows all keys.
void App::on(ShowKeys) {
  if (std::exchange(few_keys_, {}).lock() == screens_.back()) {
    pop();
  } else if (const std::vector<KeyHelp> few = top().first_keys(); !few.empty()) {
    push(text_screen("Help: " + top().title(),
                     [few](int width) { return keys_as_text(few, width); }));
    few_keys_ = screens_.back();
    return;
  }
  const std::string title =
      "Help: " + (top().kind() == Screen::Kind::text ? "a text to read" : top().title());
  if (top().title() == title) return;  // it is open already
  std::vector<KeyHelp> all = top().keys();
  all.insert(all.end(), keys_everywhere().begin(), keys_everywhere().end());
  push(
      text_screen(title, [keys = std::move(all)](int width) { return keys_as_text(keys, width); }));
}

void App::on(const ReadTopic& asked) {
  const std::string& topic = asked.topic;
  const auto text = rules_(topic);
  if (!text) return say(text.refusal().why, Style::bad);
  const GameType* game = find_game(topic);
  push(text_screen(
      game ? "Rules of " + std::string(game->title) : "Manual: " + topic,
      [text = *text](int) { return text; }, game ? lesson_of(game->name) : ""));
}

void App::on(const ReadText& asked) {
  push(text_screen(top().title(), [asked](int columns) {
    constexpr int kIndent = 2;  // of a block on the text screen
    const std::string text =
        asked.lines ? joined_lines(asked.lines(columns - kIndent)) : asked.text;
    std::string verbatim = "    ";
    for (const char c : text) verbatim += c == '\n' ? "\n    " : std::string(1, c);
    return verbatim;
  }));
}

// Goes back to an open settings screen instead of opening a second one.
void App::on(ShowSettings) {
  const auto there = std::ranges::find_if(
      screens_, [](const auto& s) { return s->kind() == Screen::Kind::settings; });
  if (there == screens_.end()) push(settings_screen(settings_, themes_));
  else screens_.erase(there + 1, screens_.end());
}

std::string App::here() const {
  return boards_.server().user() + "@" + from_root(boards_.own().place()) + "\n";
}

std::string App::left() const {
  if (top().kind() == Screen::Kind::sign_in) return "";  // the player is unknown
  std::error_code error;
  for (auto screen = screens_.rbegin(); screen != screens_.rend(); ++screen)
    if (const std::string board = (*screen)->board(); !board.empty())
      return here() +
             (is_example_or_path(board) && std::filesystem::is_regular_file(board, error)
                  ? from_root(board)
                  : board) +
             "\n" + (*screen)->line();
  return "";
}

void App::come_back(const std::filesystem::path& left, bool goes) {
  constexpr std::size_t kMost = 8192;  // bytes
  left_ = left;
  const auto text = read_file(left, kMost);
  if (!text || !text->starts_with(here()) || top().kind() == Screen::Kind::sign_in) return;
  std::error_code error;
  std::filesystem::remove(left, error);
  const std::size_t board = here().size(), feed = std::min(text->find('\n', board), text->size());
  if (goes)
    open({text->substr(board, feed - board), "The terminal went away: this is where you were.",
          text->substr(std::min(feed + 1, text->size()))});
}

void App::on(const GoBack& asked) {
  const bool signed_in = top().kind() == Screen::Kind::sign_in;
  pop();
  if (!asked.told.empty()) say(asked.told);
  if (signed_in && screens_.size() == 1) come_back(left_, true);
}

void App::opened(const Result<Board>& board, const GoToBoard& asked) {
  if (!board) return say(board.refusal().why, Style::bad);
  // If the player has gone to another screen, they stay there.
  if (opens_from_.lock() != screens_.back())
    return say("Board " + board->id + " can be opened now.");
  // Also closes the form that made the board.
  while (screens_.size() > 1) screens_.pop_back();
  lobby_->look_again();
  show(*board);
  for (std::string_view rest = asked.typed; !rest.empty();) {
    const Decoded next = decode_utf8(rest);
    top().paste(next.c);
    rest.remove_prefix(next.bytes);
  }
  if (!asked.told.empty()) say(asked.told);
}

void App::hold_still() {
  Preferences wanted = settings_.chosen();
  wanted.motion = false;
  settings_.use(wanted);
}

void run_app(App& app, Terminal& terminal) {
  if (terminal.slow()) app.hold_still();
  app.marks_with_shift(terminal.marks_with_shift());
  while (!app.done() && !terminal.closed()) {
    if (const auto theme = app.take_theme()) terminal.look(*theme);
    if (app.take_bell()) terminal.bell();
    terminal.mouse(app.mouse());
    if (const std::string title = app.title(); !title.empty()) terminal.title(title);
    terminal.show(app.draw(terminal.size()));
    auto due = app.due();
    if (const auto end = app.paste_due(); end && (!due || *end < *due)) due = end;
    if (terminal.wait(app.changes(), due)) app.boards_changed();
    if (const auto moves = app.due(); moves && std::chrono::steady_clock::now() >= *moves)
      app.tick();
    // Take all keys before drawing: a paste or a slow connection costs one drawing.
    while (!app.done() && !terminal.closed()) {
      const auto key = terminal.next();
      if (!key) break;
      if (*key == ctrl('Z') && !app.pasting()) terminal.suspend();
      else if (*key == ctrl('L') && !app.pasting()) terminal.repaint();
      else app.press(*key);
    }
    app.end_paste();
  }
}

}  // namespace pbm
