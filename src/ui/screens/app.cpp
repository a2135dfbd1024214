// SPDX-License-Identifier: MIT
#include "ui/screens/app.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "boards/local_boards.hpp"
#include "ui/screens/board_screen.hpp"
#include "ui/terminal.hpp"

namespace pbm {

// Ctrl-Z and Ctrl-L belong to run_app().
const std::vector<KeyHelp>& global_keys() {
  static const std::vector<KeyHelp> keys{
      {"", "On every screen"},
      {"F2", "switch the mouse on or off; while on, Shift marks text"},
      {"F4", "change colours, mouse, bell and your name"},
      {"Ctrl-C", "leave the program; everything is saved"},
      {"Ctrl-Z", "suspend the program"},
      {"Ctrl-L", "redraw the screen"}};
  return keys;
}

namespace {

// A paste without an end marker ends after this pause.
constexpr std::chrono::milliseconds kPastePause{1000};
// A typed Ctrl-C has such a pause before and after it; one in pasted text has text there.
constexpr std::chrono::milliseconds kTypedPause{100};

// Returns the absolute path: the next run may start in another directory.
std::string absolute_path(const std::filesystem::path& file) {
  std::error_code error;  // the current directory may be gone
  const auto out = std::filesystem::absolute(file, error);
  return (error ? file : out).lexically_normal().string();
}

}  // namespace

App::App(Boards& boards, Settings& settings,
         std::function<Result<std::string>(const std::string&)> rules,
         std::vector<std::filesystem::path> themes, PictureWriter pictures)
    : boards_(boards),
      settings_(settings),
      read_topic_(std::move(rules)),
      theme_directories_(std::move(themes)),
      save_picture_(std::move(pictures)) {
  boards.set_player_name(settings.preferences().player_name);
  auto lobby = std::make_unique<Lobby>(boards, settings.preferences());
  lobby_ = lobby.get();
  screens_.push_back(std::move(lobby));
  if (boards.server().has_server() && boards.server().userid().empty())
    screens_.push_back(make_sign_in_form(boards));
}

void App::show(Board board) {
  lobby_->note_opened(board.id);
  push_screen(std::make_unique<BoardScreen>(boards_, std::move(board), settings_.preferences()));
}

void App::pop_screen() {
  if (screens_.size() == 1) return;
  screens_.pop_back();
  top_screen().resume();
}

Canvas App::draw(Size size) {
  if (boards_.server().new_key() == nullptr)
    if (const std::string text = boards_.server().take_welcome(); !text.empty()) say(text);
  is_too_small_ = size.rows < kSmallestSize.rows || size.columns < kSmallestSize.columns;
  if (is_too_small_) {
    Canvas out(size);
    const std::string needs = "pbmplay needs " + std::to_string(kSmallestSize.columns) + "x" +
                              std::to_string(kSmallestSize.rows) + ", this window is " +
                              std::to_string(size.columns) + "x" + std::to_string(size.rows) +
                              ". Make it larger.";
    const auto lines = wrap(needs, size.columns);
    for (int i = 0; i < std::min(size.rows, static_cast<int>(lines.size())); ++i)
      out.put_text(i, 0, lines[static_cast<std::size_t>(i)], Style::warning);
    return out;
  }
  const Size inner = top_screen().wanted_size(size);
  Canvas screen(inner);
  screen.status_text = status_text();
  screen.is_mouse_on = is_mouse_on();
  top_screen().draw(screen);
  if (asks_to_leave_) {
    const std::string question = "Leave? Everything is saved. (y or n)";
    draw_message(screen, inner.rows, 1, question, Style::warning);
    screen.cursor = Point{inner.rows - 1, 2 + columns(question)};
  }
  top_left_ = {(size.rows - inner.rows) / 3, (size.columns - inner.columns) / 2};
  links_ = screen.links();
  if (inner == size) return screen;
  Canvas out(size);
  out.draw_canvas(top_left_.row, top_left_.column, screen);
  return out;
}

void App::press(const Key& key) {
  if (key.code == Key::Code::paste_mark) {
    paste_.reset();
    if (key.value == 1) paste_ = Paste{std::chrono::steady_clock::now()};
    return;
  }
  if (paste_) return take_pasted(key);
  if (asks_to_leave_) {
    asks_to_leave_ = false;
    if (key == character_key('y') || key == character_key('Y') || key == control_key('C'))
      is_done_ = true;
    return;
  }
  if (key == control_key('C')) {
    asks_to_leave_ = !is_too_small_;
    is_done_ = is_too_small_;
    return;
  }
  if (is_too_small_) return;
  const Preferences before = settings_.preferences();
  try {
    if (key.code == Key::Code::escape && has_pending_request()) {
      boards_.server().cancel_tasks();
    } else if (key == function_key(2)) {
      run_request(MouseToggle{});
    } else if (key == function_key(4)) {
      run_request(SettingsRequest{});
    } else if (key.code == Key::Code::mouse_click) {
      click({static_cast<int>(key.value >> 16) - top_left_.row,
             static_cast<int>(key.value & 0xFFFF) - top_left_.column});
    } else {
      send_key(key);
    }
    sign_in_again();
  } catch (const Error& e) {
    // For example a full disk. The boards are unchanged.
    say(e.what(), Style::bad);
  }
  apply_settings(before);
}

// Takes a key as text: a line feed plays nothing, a letter deletes nothing. A Ctrl-C may be text,
// too, so end_paste() presses a typed one, after the pause that follows it.
void App::take_pasted(const Key& key) {
  const SteadyTime now = std::chrono::steady_clock::now();
  const bool alone = paste_->interrupts > 0 || now - paste_->last >= kTypedPause;
  paste_->last = now;
  if (key == control_key('C') && alone) {
    paste_->interrupts = std::min(paste_->interrupts + 1, 2);
    return;
  }
  paste_->interrupts = 0;
  if (key.code == Key::Code::character && !asks_to_leave_ && !is_too_small_)
    top_screen().paste(key.value);
}

std::optional<SteadyTime> App::paste_due() const {
  if (!paste_) return std::nullopt;
  return paste_->last + (paste_->interrupts > 0 ? kTypedPause : kPastePause);
}

void App::end_paste() {
  if (!paste_ || std::chrono::steady_clock::now() < *paste_due()) return;
  const int interrupts = paste_->interrupts;
  paste_.reset();
  for (int i = 0; i < interrupts; ++i) press(control_key('C'));
}

// Applies new settings at once.
void App::apply_settings(const Preferences& before) {
  const Preferences& now = settings_.preferences();
  boards_.set_player_name(now.player_name);
  if (now.mouse_choice != before.mouse_choice) mouse_choice_.reset();
  if (now.theme != before.theme) load_theme();
}

void App::load_theme() {
  const std::string& chosen = settings_.preferences().theme;
  const bool standard = chosen == Preferences().theme && !fitting_theme_.empty();
  auto theme = find_theme(standard ? fitting_theme_ : chosen, theme_directories_);
  if (theme) new_theme_ = std::move(*theme);
  else say(theme.refusal().reason, Style::bad);
}

void App::boards_changed() {
  try {
    const bool changed = boards_.take_changes();
    // Run the requests of answers that arrived late.
    for (std::size_t i = 0; i < screens_.size(); ++i) {
      if (screens_[i]->take_attention() && settings_.preferences().has_bell) needs_bell_ = true;
      run_request(screens_[i]->take_request());
    }
    if (!changed) return;
    if (!boards_.server().entry_refusal().empty()) is_done_ = true;
    // A board below its rules or its help also counts as seen.
    for (const auto& screen : screens_)
      if (screen->boards_changed() && settings_.preferences().has_bell) needs_bell_ = true;
    show_news();
    sign_in_again();
  } catch (const Error& e) {
    say(e.what(), Style::bad);
  }
}

// Closes all screens from that board up: the board no longer exists.
void App::close_board(const std::string& board) {
  for (std::size_t i = 1; i < screens_.size(); ++i)
    while (i < screens_.size() && screens_[i]->board_id() == board) pop_screen();
}

// Shows the news that no screen shows itself on the top screen.
void App::show_news() {
  std::string said;
  for (const Notification& news : boards_.server().notifications().take()) {
    bool shown = false;
    const bool gone = news.kind == Notification::Kind::board_gone;
    if (gone) close_board(news.board);
    for (const auto& screen : screens_) shown = screen->handle_event(news) || shown;
    using enum Notification::Kind;
    const bool asks = news.kind == turn || news.kind == offer || news.kind == challenge;
    const bool calls =
        (asks && !shown) || (news.kind == Notification::Kind::message && !news.is_own);
    if (calls && settings_.preferences().has_bell) needs_bell_ = true;
    // The title row shows how many boards wait.
    const bool quiet = news.kind == Notification::Kind::turn ||
                       news.kind == Notification::Kind::ply || (news.is_own && !gone);
    if (!shown && !quiet)
      said += (said.empty() ? "" : " ") + (news.board.empty() ? "" : news.board + ": ") +
              news.text + lobby_->note_challenge(news, top_screen());
  }
  constexpr int kMax = 300;  // columns
  if (!said.empty()) say(fit(said, kMax));
}

// Asks for the password again if the server has ended the sign-in. The screens below stay.
void App::sign_in_again() {
  const std::string why = boards_.server().take_sign_out_reason();
  if (why.empty()) return;
  if (top_screen().kind() == Screen::Kind::sign_in) say(why, Style::bad);
  else push_screen(make_sign_in_form(boards_, why));
}

std::string App::status_text() const {
  RemoteBoards& server = boards_.server();
  if (server.has_person_task()) return "asking the server";
  if (server.userid().empty()) return "";
  if (const std::string trouble = server.connection_problem(); !trouble.empty()) return trouble;
  if (screens_.size() == 1) return "";  // the lobby shows the number itself
  std::string here;
  for (const auto& screen : screens_)
    if (!screen->board_id().empty()) here = screen->board_id();
  const std::size_t n = server.count_waiting(here);
  return n == 0 ? "" : format_count(n, "game waits", "games wait");
}

std::string App::window_title() {
  const std::size_t n = boards_.server().count_waiting("");
  if (n == 0) return has_title_ ? "pbmplay" : "";
  has_title_ = true;
  return "pbmplay: " + format_count(n, "game waits", "games wait");
}

void App::click(Point place) {
  const auto link = std::find_if(links_.rbegin(), links_.rend(), [&](const Link& l) {
    return l.place.row == place.row && place.column >= l.place.column &&
           place.column < l.place.column + l.width;
  });
  if (link == links_.rend()) {
    top_screen().click(place);
    return run_request(top_screen().take_request());
  }
  const std::vector<Key> keys = link->keys;
  for (const Key& key : keys) send_key(key);
}

// Only one board can be opening at a time.
bool App::refuse_if_pending() {
  if (has_pending_request())
    say("The server has not answered yet. Press Esc to give up.", Style::bad);
  return has_pending_request();
}

void App::open(const OpenBoardRequest& asked) {
  if (asked.settings.change) handle(asked.settings);
  opening_screen_ = screens_.back();
  boards_.start_task(
      pending_open_, asked.id, [id = asked.id, &boards = boards_] { return boards.open(id); },
      [this, asked](const Result<Board>& board) { show_opened(board, asked); });
}

void App::handle(const NextBoardRequest& asked) {
  if (refuse_if_pending()) return;
  if (const std::string id = lobby_->take_challenge(); !id.empty())
    return handle(OpenBoardRequest{id});
  LobbyModel all = lobby_->list();
  all.filter("");  // boards that the filter hides count, too
  if (const auto next = all.next_waiting(asked.id)) handle(OpenBoardRequest{*next});
  else say("No other game needs your move.");
}

void App::handle(const NewBoardRequest& asked) {
  const std::string user = boards_.server().userid();
  const LobbyModel& list = lobby_->list();
  std::vector<std::string> people = list.player_names(user);
  if (!asked.opponent.empty()) {
    std::erase(people, asked.opponent);
    people.insert(people.begin() + std::min<std::ptrdiff_t>(1, std::ssize(people)), asked.opponent);
  }
  // After a game with the computer the form suggests the level that the player chose there, or 0.
  std::optional<int> level;
  if (const auto& latest = list.latest_computer_game()) {
    const auto board = boards_.open(latest->first);
    const bool adaptive =
        board && boards_.exercises() && boards_.exercises()->is_adaptive(board->match);
    level = adaptive ? 0 : latest->second;
  }
  push_screen(make_new_game_form(boards_, boards_.own_name(), std::move(people),
                                 asked.is_open_challenge, lobby_->selected_game(), level));
}

void App::handle(const SettingsChange& asked) {
  if (const auto kept = settings_.change(asked.change); !kept)
    say(kept.refusal().reason, Style::bad);
}

// Shows the first keys of a screen if it has such a list; KeysRequest again shows all keys.
void App::handle(KeysRequest) {
  if (std::exchange(first_keys_screen_, {}).lock() == screens_.back()) {
    pop_screen();
  } else if (const std::vector<KeyHelp> few = top_screen().first_keys(); !few.empty()) {
    push_screen(make_text_screen("Help: " + top_screen().title(),
                                 [few](int width) { return keys_as_markdown(few, width); }));
    first_keys_screen_ = screens_.back();
    return;
  }
  const std::string title =
      "Help: " + (top_screen().kind() == Screen::Kind::text ? "text" : top_screen().title());
  if (top_screen().title() == title) return;  // it is open already
  std::vector<KeyHelp> all = top_screen().keys();
  all.insert(all.end(), global_keys().begin(), global_keys().end());
  push_screen(make_text_screen(
      title, [keys = std::move(all)](int width) { return keys_as_markdown(keys, width); }));
}

void App::handle(const TopicRequest& asked) {
  const std::string& topic = asked.topic;
  const auto text = read_topic_(topic);
  if (!text) return say(text.refusal().reason, Style::bad);
  const GameType* game = find_game(topic);
  push_screen(make_text_screen(
      game ? "Rules of " + std::string(game->title) : "Manual: " + topic,
      [text = *text](int) { return text; }, game ? lesson_id(game->name) : ""));
}

void App::handle(const TextRequest& asked) {
  const auto make_text = [asked](int columns) {
    constexpr int kIndent = 2;  // of a block on the text screen
    const std::string text =
        asked.make_lines ? join(asked.make_lines(columns - kIndent), "\n") : asked.text;
    std::string verbatim = "    ";
    for (const char c : text) verbatim += c == '\n' ? "\n    " : std::string(1, c);
    return verbatim;
  };
  push_screen(make_text_screen(top_screen().title(), make_text, "",
                               save_picture_ ? asked.picture : std::nullopt));
}

// Goes back to an open settings screen instead of opening a second one.
void App::handle(SettingsRequest) {
  const auto there = std::ranges::find_if(
      screens_, [](const auto& s) { return s->kind() == Screen::Kind::settings; });
  if (there == screens_.end()) push_screen(make_settings_screen(settings_, theme_directories_));
  else screens_.erase(there + 1, screens_.end());
}

std::string App::identity_line() const {
  return boards_.server().userid() + "@" + absolute_path(boards_.local().location()) + "\n";
}

std::string App::saved_state() const {
  if (top_screen().kind() == Screen::Kind::sign_in) return "";  // the player is unknown
  std::error_code error;
  for (auto screen = screens_.rbegin(); screen != screens_.rend(); ++screen)
    if (const std::string board = (*screen)->board_id(); !board.empty())
      return identity_line() +
             (is_example_or_path(board) && std::filesystem::is_regular_file(board, error)
                  ? absolute_path(board)
                  : board) +
             "\n" + (*screen)->typed_text();
  return "";
}

void App::restore_state(const std::filesystem::path& left, bool goes) {
  constexpr std::size_t kMost = 8192;  // bytes
  state_file_ = left;
  const auto text = read_file(left, kMost);
  if (!text || !text->starts_with(identity_line()) || top_screen().kind() == Screen::Kind::sign_in)
    return;
  std::error_code error;
  std::filesystem::remove(left, error);
  const std::size_t board = identity_line().size(),
                    feed = std::min(text->find('\n', board), text->size());
  if (goes)
    open({text->substr(board, feed - board), "Your terminal was closed. This is where you were.",
          text->substr(std::min(feed + 1, text->size()))});
}

void App::handle(const BackRequest& asked) {
  const bool signed_in = top_screen().kind() == Screen::Kind::sign_in;
  pop_screen();
  if (!asked.message.empty()) say(asked.message);
  if (signed_in && screens_.size() == 1) restore_state(state_file_, true);
}

void App::show_opened(const Result<Board>& board, const OpenBoardRequest& asked) {
  if (!board) return say(board.refusal().reason, Style::bad);
  // If the player has gone to another screen, they stay there.
  if (opening_screen_.lock() != screens_.back()) return say(board->id + " is ready to open.");
  // Also closes the form that made the board.
  while (screens_.size() > 1) screens_.pop_back();
  lobby_->mark_stale();
  show(*board);
  for (std::string_view rest = asked.typed_text; !rest.empty();) {
    const DecodedCharacter next = decode_utf8(rest);
    top_screen().paste(next.code_point);
    rest.remove_prefix(next.size);
  }
  if (!asked.message.empty()) say(asked.message);
}

void run_app(App& app, Terminal& terminal) {
  app.set_marks_with_shift(terminal.has_shift_selection());
  while (!app.is_done() && !terminal.is_closed()) {
    app.set_fitting_theme(terminal.fitting_theme());
    if (const auto theme = app.take_theme()) terminal.set_theme(*theme);
    if (app.take_bell()) terminal.ring_bell();
    terminal.set_mouse(app.is_mouse_on());
    if (const std::string title = app.window_title(); !title.empty()) terminal.set_title(title);
    terminal.show(app.draw(terminal.size()));
    auto due = app.next_tick();
    if (const auto end = app.paste_due(); end && (!due || *end < *due)) due = end;
    if (terminal.wait_for_input(app.change_descriptor(), due)) app.boards_changed();
    if (const auto moves = app.next_tick(); moves && std::chrono::steady_clock::now() >= *moves)
      app.tick();
    // Take all keys before drawing: a paste or a slow connection costs one drawing.
    while (!app.is_done() && !terminal.is_closed()) {
      const auto key = terminal.next_key();
      if (!key) break;
      if (*key == control_key('Z') && !app.is_pasting()) terminal.suspend();
      else if (*key == control_key('L') && !app.is_pasting()) terminal.repaint_all();
      else app.press(*key);
    }
    app.end_paste();
  }
}

}  // namespace pbm
