// SPDX-License-Identifier: MIT
// The program without a terminal: a stack of screens that takes keys and draws pictures.
// Leaves the terminal to terminal.hpp.
#pragma once

#include <functional>

#include "boards/boards.hpp"
#include "ui/screens/lobby.hpp"
#include "ui/screens/screens.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm {

class Terminal;

// Returns the keys that do the same on every screen, for help.
const std::vector<KeyHelp>& global_keys();

class App {
 public:
  // `rules` returns the text of a help topic; the name of a game is a topic, too. `themes` are the
  // directories with themes. `pictures` saves pictures; without it there are none.
  App(Boards& boards, Settings& settings,
      std::function<Result<std::string>(const std::string&)> rules,
      std::vector<std::filesystem::path> themes, PictureWriter pictures = {});

  // Cancels the open requests: their answers may use a screen that is gone. `use_` makes sure that
  // the boards still exist.
  ~App() { boards_.server().cancel_tasks(); }
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Shows a board that Boards::open() returned. The lobby stays below it.
  void show(Board board);
  // Asks for the board by its id and shows it when it arrives.
  void open(const OpenBoardRequest& asked);

  // Returns the state for a later run: the userid, the place of the boards, the board on the screen
  // and the text typed there. Returns "" in the lobby and during sign-in.
  std::string saved_state() const;
  // Reads that state from the file `left`. If userid and place are still the same, deletes the
  // file, and if `goes`, opens that board. During sign-in it waits for the sign-in.
  void restore_state(const std::filesystem::path& left, bool goes);

  // Shows a sentence to the player until the next key.
  void say(std::string sentence, Style style = Style::good) {
    top_screen().show_notice(std::move(sentence), style);
  }

  Canvas draw(Size size);
  // Handles a key. If the window is too small to show anything, only Ctrl-C works: it leaves.
  void press(const Key& key);
  bool is_done() const { return is_done_; }
  // True while a paste arrives: then no key but Ctrl-C is a command.
  bool is_pasting() const { return paste_.has_value(); }
  // Returns when end_paste() is due, or nothing if no paste is open.
  std::optional<SteadyTime> paste_due() const;
  // Ends a paste after a second of silence, or after a typed Ctrl-C, which then counts as a key.
  // Call it when no key is left to read.
  void end_paste();
  // The descriptor to wait for besides keys. When it is readable, call boards_changed().
  int change_descriptor() { return boards_.change_descriptor(); }
  void boards_changed();
  // Returns the title for the window with the number of boards that wait, or "" if none ever did.
  std::string window_title();
  // Returns when the screen on top needs its next tick, or nothing.
  std::optional<SteadyTime> next_tick() const { return top_screen().next_tick(); }
  void tick() { top_screen().tick(); }

  // True if the terminal should report the mouse: the choice by F2 comes first, then the setting.
  // Without both, true if the terminal can still mark text with Shift.
  bool is_mouse_on() const {
    return mouse_choice_.value_or(settings_.preferences().mouse_choice.value_or(marks_with_shift_));
  }
  void set_marks_with_shift(bool does) { marks_with_shift_ = does; }
  // Uses this theme, or the standard one for "", if the settings name the standard theme.
  void set_fitting_theme(std::string_view name) {
    if (std::exchange(fitting_theme_, name) != name &&
        settings_.preferences().theme == Preferences().theme)
      load_theme();
  }
  // Returns the newly chosen theme once, or nothing.
  std::optional<Theme> take_theme() { return std::exchange(new_theme_, std::nullopt); }
  // True, once, if the bell should ring.
  bool take_bell() { return std::exchange(needs_bell_, false); }

 private:
  void run_request(const ScreenRequest& request) {
    std::visit([this](const auto& asked) { handle(asked); }, request);
  }
  void handle(std::monostate) {}
  void handle(RenameRequest) {}  // only the lobby uses it
  void handle(RecordRequest) {}  // only a board uses it
  void handle(const PictureRequest& asked) {
    const auto said = save_picture_(asked);
    said ? say(*said) : say(said.refusal().reason, Style::bad);
  }
  void handle(const BackRequest& asked);
  void handle(QuitRequest) { is_done_ = true; }
  void handle(const OpenBoardRequest& asked) {
    if (!refuse_if_pending()) open(asked);
  }
  void handle(const NextBoardRequest& asked);
  void handle(const NewBoardRequest& asked);
  void handle(PeopleRequest) { push_screen(make_people_screen(boards_)); }
  void handle(const ContestRequest& asked) {
    push_screen(make_contest_screen(boards_, asked.command));
  }
  void handle(KeysRequest);
  void handle(ManualRequest) { push_screen(make_help_screen()); }
  void handle(const TopicRequest& asked);
  void handle(const TextRequest& asked);
  void handle(const SettingsChange& asked);
  void handle(MouseToggle) {
    mouse_choice_ = !is_mouse_on();
    say(is_mouse_on() ? "The mouse is on, and Shift marks text; F2 switches it off."
                      : "The mouse is off.");
  }
  void handle(SettingsRequest);
  bool refuse_if_pending();
  void load_theme();
  void apply_settings(const Preferences& before);
  void take_pasted(const Key& key);
  void click(Point place);
  void send_key(const Key& key) {
    top_screen().press(key);
    run_request(top_screen().take_request());
  }
  void close_board(const std::string& board);
  void show_news();
  void sign_in_again();
  std::string status_text() const;
  std::string identity_line() const;
  void show_opened(const Result<Board>& board, const OpenBoardRequest& asked);
  bool has_pending_request() const { return boards_.server().has_person_task(); }
  Screen& top_screen() const { return *screens_.back(); }
  void push_screen(std::shared_ptr<Screen> screen) { screens_.push_back(std::move(screen)); }
  void pop_screen();

  Boards& boards_;
  const Boards::Use use_{boards_};
  Settings& settings_;
  std::function<Result<std::string>(const std::string&)> read_topic_;
  std::vector<std::filesystem::path> theme_directories_;
  PictureWriter save_picture_;
  std::vector<std::shared_ptr<Screen>> screens_;
  Lobby* lobby_;
  TaskHandle pending_open_;
  std::weak_ptr<Screen> opening_screen_;     // on top when opening_ began
  std::weak_ptr<Screen> first_keys_screen_;  // the text with the first keys of a screen
  bool asks_to_leave_ = false;               // the question "Leave?" is open
  // An open paste.
  struct Paste {
    SteadyTime last;     // when its latest key came
    int interrupts = 0;  // the Ctrl-C typed last, at most two
  };
  std::optional<Paste> paste_;
  std::optional<bool> mouse_choice_;  // the choice by F2
  bool marks_with_shift_ = false;
  bool has_title_ = false;  // the window has had a title
  bool needs_bell_ = false;
  std::optional<Theme> new_theme_;
  std::string fitting_theme_;         // that of the terminal, or ""
  std::vector<Link> links_;           // of the last drawing, relative to corner_
  Point top_left_;                    // the place of the top screen on the terminal
  std::filesystem::path state_file_;  // the file with the state, to read it after sign-in
  bool is_done_ = false;
  bool is_too_small_ = false;
};

// Runs `app` on `terminal` until it is done or the terminal closed.
void run_app(App& app, Terminal& terminal);

}  // namespace pbm
