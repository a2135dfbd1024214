// SPDX-License-Identifier: MIT
// The program on a screen, without the screen: a stack of screens, keys in,
// pictures out. Leaves the terminal to terminal.hpp.
#pragma once

#include <functional>

#include "boards/boards.hpp"
#include "ui/screens/lobby.hpp"
#include "ui/screens/screens.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

namespace pbm {

class Terminal;

// Keys that mean the same on every screen.
const std::vector<KeyHelp>& keys_everywhere();

class App {
 public:
  // `rules` gives the text of a topic of help, a game's name among them; themes are looked for in
  // `themes`.
  App(Boards& boards, Settings& settings,
      std::function<Result<std::string>(const std::string&)> rules,
      std::vector<std::filesystem::path> themes);

  // Gives up what the server is still asked: it may be about a screen. The boards are there still,
  // as `use_` makes sure.
  ~App() { boards_.server().give_up(); }
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Straight into a board (one that open() gave), with the lobby behind it.
  void show(Board board);
  // The same by its name, once the boards can tell what is on it.
  void open(const GoToBoard& asked);

  // Who is here and where his own boards are, the board that is on the screen and what is typed
  // there, for come_back() of another run; "" in the lobby.
  std::string left() const;
  // What the file `left` has of that is for the same person at the same boards alone, as soon as he
  // has signed in: he goes back there, or with `goes` false it is forgotten.
  void come_back(const std::filesystem::path& left, bool goes);

  // A sentence for the person, shown until the next key.
  void say(std::string sentence, Style style = Style::good) {
    top().say(std::move(sentence), style);
  }

  Canvas draw(Size size);
  // A key; while the window is too small to show anything only those that leave.
  void press(const Key& key);
  bool done() const { return done_; }
  // True while what comes is pasted text: then no key means anything but Ctrl-C.
  bool pasting() const { return paste_.has_value(); }
  // Returns when end_paste() has something to do; nothing while no text is pasted.
  std::optional<Moment> paste_due() const;
  // Ends a paste after a second of silence, or after a typed Ctrl-C, which then counts as a key.
  // Call it after all keys that have come.
  void end_paste();
  // Where to wait for changes of the boards beside keys, and what to do then.
  int changes() { return boards_.changes(); }
  void boards_changed();
  // On a slow line: no ply is seen being played, unless F4 says otherwise.
  void hold_still();
  // What is to stand in the window's title: how many boards of a server wait; "" before any did.
  std::string title();
  // When something on the screen is to move by itself, and how it does.
  std::optional<Moment> due() const { return top().due(); }
  void tick() { top().tick(); }

  // Whether the terminal should report the mouse: as it was chosen, or where text can be marked
  // with Shift then, until F2 switches it.
  bool mouse() const { return mouse_.value_or(settings_.chosen().mouse.value_or(with_shift_)); }
  void marks_with_shift(bool does) { with_shift_ = does; }
  // The theme to go on with, if another one was chosen since this was last asked.
  std::optional<Theme> take_theme() { return std::exchange(theme_, std::nullopt); }
  // Whether to ring, and no longer.
  bool take_bell() { return std::exchange(bell_, false); }

 private:
  void run(const ScreenRequest& request) {
    std::visit([this](const auto& asked) { on(asked); }, request);
  }
  void on(std::monostate) {}
  void on(AskName) {}     // of the list of boards itself,
  void on(ReadRecord) {}  // and of a board
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
  std::weak_ptr<Screen> opens_from_;  // on top when opening_ was asked
  std::weak_ptr<Screen> few_keys_;    // the text that has a screen's first keys
  bool asking_ = false;               // whether to leave
  // A paste whose end has yet to come.
  struct Paste {
    Moment last;         // when its latest key came
    int interrupts = 0;  // the typed Ctrl-C that came last, at most two
  };
  std::optional<Paste> paste_;
  std::optional<bool> mouse_;  // what F2 made it
  bool with_shift_ = false;
  bool titled_ = false;  // title() has said something
  bool bell_ = false;
  std::optional<Theme> theme_;
  std::vector<Link> links_;     // of the screen on top as it was last drawn
  Point corner_;                // where that screen stands on the terminal
  std::filesystem::path left_;  // come_back()'s, for who has yet to sign in
  bool done_ = false;
  bool too_small_ = false;
};

// Runs `app` on `terminal` until it is done or the terminal closed.
void run_app(App& app, Terminal& terminal);

}  // namespace pbm
