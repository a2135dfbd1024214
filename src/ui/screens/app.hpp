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
const std::vector<KeyHelp>& keys_everywhere();

class App {
 public:
  // `rules` returns the text of a help topic; the name of a game is a topic, too. `themes` are the
  // directories with themes.
  App(Boards& boards, Settings& settings,
      std::function<Result<std::string>(const std::string&)> rules,
      std::vector<std::filesystem::path> themes);

  // Cancels the open requests: their answers may use a screen that is gone. `use_` makes sure that
  // the boards still exist.
  ~App() { boards_.server().give_up(); }
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Shows a board that Boards::open() returned. The lobby stays below it.
  void show(Board board);
  // Asks for the board by its id and shows it when it arrives.
  void open(const GoToBoard& asked);

  // Returns the state for a later run: the userid, the place of the boards, the board on the screen
  // and the text typed there. Returns "" in the lobby and during sign-in.
  std::string left() const;
  // Reads that state from the file `left`. If userid and place are still the same, deletes the
  // file, and if `goes`, opens that board. During sign-in it waits for the sign-in.
  void come_back(const std::filesystem::path& left, bool goes);

  // Shows a sentence to the player until the next key.
  void say(std::string sentence, Style style = Style::good) {
    top().say(std::move(sentence), style);
  }

  Canvas draw(Size size);
  // Handles a key. If the window is too small to show anything, only Ctrl-C works: it leaves.
  void press(const Key& key);
  bool done() const { return done_; }
  // True while a paste arrives: then no key but Ctrl-C is a command.
  bool pasting() const { return paste_.has_value(); }
  // Returns when end_paste() is due, or nothing if no paste is open.
  std::optional<Moment> paste_due() const;
  // Ends a paste after a second of silence, or after a typed Ctrl-C, which then counts as a key.
  // Call it when no key is left to read.
  void end_paste();
  // The descriptor to wait for besides keys. When it is readable, call boards_changed().
  int changes() { return boards_.changes(); }
  void boards_changed();
  // Switches the animation of plies off for a slow connection; F4 can switch it on again.
  void hold_still();
  // Returns the title for the window with the number of boards that wait, or "" if none ever did.
  std::string title();
  // Returns when the screen on top needs its next tick, or nothing.
  std::optional<Moment> due() const { return top().due(); }
  void tick() { top().tick(); }

  // True if the terminal should report the mouse: the choice by F2 comes first, then the setting.
  // Without both, true if the terminal can still mark text with Shift.
  bool mouse() const { return mouse_.value_or(settings_.chosen().mouse.value_or(with_shift_)); }
  void marks_with_shift(bool does) { with_shift_ = does; }
  // Returns the newly chosen theme once, or nothing.
  std::optional<Theme> take_theme() { return std::exchange(theme_, std::nullopt); }
  // True, once, if the bell should ring.
  bool take_bell() { return std::exchange(bell_, false); }

 private:
  void run(const ScreenRequest& request) {
    std::visit([this](const auto& asked) { on(asked); }, request);
  }
  void on(std::monostate) {}
  void on(AskName) {}     // only the lobby uses it
  void on(ReadRecord) {}  // only a board uses it
  void on(const GoBack& asked);
  void on(Quit) { done_ = true; }
  void on(const GoToBoard& asked) {
    if (!refused_while_asking()) open(asked);
  }
  void on(const GoToNext& asked);
  void on(const CreateBoard& asked);
  void on(ShowPeople) { push(people_screen(boards_)); }
  void on(ShowKeys);
  void on(ShowManual) { push(help_screen()); }
  void on(const ReadTopic& asked);
  void on(const ReadText& asked);
  void on(const Remember& asked);
  void on(SwitchMouse) {
    mouse_ = !mouse();
    say(mouse() ? "The mouse is on, and Shift marks text; F2 switches it off."
                : "The mouse is off.");
  }
  void on(ShowSettings);
  bool refused_while_asking();
  void follow(const Preferences& before);
  void take_pasted(const Key& key);
  void click(Point place);
  void pass(const Key& key) {
    top().press(key);
    run(top().take_request());
  }
  void close(const std::string& board);
  void tell_news();
  void sign_in_again();
  std::string aside() const;
  std::string here() const;
  void opened(const Result<Board>& board, const GoToBoard& asked);
  bool asking() const { return boards_.server().asking(); }
  Screen& top() const { return *screens_.back(); }
  void push(std::shared_ptr<Screen> screen) { screens_.push_back(std::move(screen)); }
  void pop();

  Boards& boards_;
  const Boards::Use use_{boards_};
  Settings& settings_;
  std::function<Result<std::string>(const std::string&)> rules_;
  std::vector<std::filesystem::path> themes_;
  std::vector<std::shared_ptr<Screen>> screens_;
  Lobby* lobby_;
  Handle opening_;
  std::weak_ptr<Screen> opens_from_;  // on top when opening_ began
  std::weak_ptr<Screen> few_keys_;    // the text with the first keys of a screen
  bool asking_ = false;               // the question "Leave?" is open
  // An open paste.
  struct Paste {
    Moment last;         // when its latest key came
    int interrupts = 0;  // the Ctrl-C typed last, at most two
  };
  std::optional<Paste> paste_;
  std::optional<bool> mouse_;  // the choice by F2
  bool with_shift_ = false;
  bool titled_ = false;  // the window has had a title
  bool bell_ = false;
  std::optional<Theme> theme_;
  std::vector<Link> links_;     // of the last drawing, relative to corner_
  Point corner_;                // the place of the top screen on the terminal
  std::filesystem::path left_;  // the file with the state, to read it after sign-in
  bool done_ = false;
  bool too_small_ = false;
};

// Runs `app` on `terminal` until it is done or the terminal closed.
void run_app(App& app, Terminal& terminal);

}  // namespace pbm
