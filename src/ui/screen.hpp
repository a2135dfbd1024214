// SPDX-License-Identifier: MIT
// The base of all screens: keys go in, a picture comes out, and requests go to the application. No
// screen knows the terminal. Leaves the requests to screens/app.hpp.
#pragma once

#include <algorithm>

#include "base/clock.hpp"
#include "boards/boards.hpp"
#include "ui/board_words.hpp"
#include "ui/widgets/canvas.hpp"

namespace pbm {

// Returns the request to the application that the result of entering a line implies.
ScreenRequest result_request(const EntryResult& done);

// A sentence on a screen, shown until the next key.
struct Notice {
  std::string text;
  Style style = Style::good;

  Notice& operator=(std::string sentence) {
    text = std::move(sentence);
    style = Style::good;
    return *this;
  }
  bool empty() const { return text.empty(); }
  void clear() { *this = ""; }
};

// A screen of the application.
class Screen {
 public:
  virtual ~Screen() = default;

  // Returns the size that the screen wants in a terminal of that size. The application puts it in
  // the middle of a larger terminal.
  virtual Size wanted_size(Size terminal) {
    return {std::min(terminal.rows, 30), std::min(terminal.columns, kMaxColumns)};
  }
  static constexpr int kMaxColumns = 150;  // columns; the same for all, so that they align
  // Draws the whole screen in any size from kSmallestSize on, and sets the cursor.
  virtual void draw(Canvas& canvas) = 0;
  virtual void press(const Key& key) = 0;
  // Takes a character of pasted text, which is no key. Screens without text input ignore it.
  virtual void paste(char32_t) {}
  // Takes a click that hit no link.
  virtual void click(Point) {}
  // Called when the screen is on top again: its data may have changed.
  virtual void resume() {}
  // Called when boards may have changed elsewhere. Returns true if the terminal should ring.
  virtual bool boards_changed() { return false; }
  // Returns when to call tick() for an animation, or nothing if nothing moves.
  virtual std::optional<SteadyTime> next_tick() const { return std::nullopt; }
  virtual void tick() {}
  // Makes a request to the application, for after this key or reply; it replaces an earlier one.
  void request(ScreenRequest wanted) { request_ = std::move(wanted); }
  virtual ScreenRequest take_request() { return std::exchange(request_, {}); }
  // Returns true once if a late reply of the server should ring the terminal.
  virtual bool take_attention() { return false; }
  // board_id() is the id of the shown board, and typed_text() the text typed there, or "".
  virtual std::string board_id() const { return ""; }
  virtual std::string typed_text() const { return ""; }
  // Takes a notification from the server. Returns true if this screen has shown it.
  virtual bool handle_event(const Notification&) { return false; }
  // Shows a sentence of the application until the next key, as Style::good or Style::bad.
  virtual void show_notice(std::string sentence, Style style) {
    notice_ = {std::move(sentence), style};
  }

  // The kinds that the application treats in a special way.
  enum class Kind : std::uint8_t { other, text, settings, sign_in };
  virtual Kind kind() const { return Kind::other; }
  virtual std::string title() const = 0;
  // Returns the help for its keys, from the table that press() uses.
  virtual std::vector<KeyHelp> keys() const = 0;
  // Returns the most important keys to list first, or none.
  virtual std::vector<KeyHelp> first_keys() const { return {}; }

 protected:
  // Shows a sentence until the next key.
  void set_notice(std::string sentence) { notice_ = std::move(sentence); }

  Notice notice_;

 private:
  ScreenRequest request_;
};

// A table's function that makes a request to the application.
template <class Request>
inline constexpr auto request_action = [](auto& screen) { screen.request(Request{}); };

// The smallest size in which every screen works.
inline constexpr Size kSmallestSize{12, 40};

// Draws the first row of a screen: the title, and at the right the way to help. Words of `right`
// that are in `links` become links. The second row is a line or blank.
void draw_title(Canvas& canvas, const std::string& left,
                const std::string& right = "? help  Esc back",
                const std::vector<std::pair<std::string, Key>>& links = {
                    {"? help", character_key('?')}, {"Esc back", {Key::Code::escape}}});

// Makes a link of the first place of each word in `text`, which is drawn at row and column.
void link_words(Canvas& canvas, int row, int column, const std::string& text,
                const std::vector<std::pair<std::string, Key>>& words);

// Returns the beginning of a long sentence: as many of its parts as fit, or else of its words.
std::string fit_beginning(const std::string& text, int room);

// Draws `text` in the last rows of `area`, cut at a word and followed by `more` if it is too long.
// Returns the rows that it used.
Area draw_message(Canvas& canvas, const Area& area, const std::string& text, Style style,
                  std::string_view more = " ...");
// The same in at most `most` rows above `bottom`, in full width. Returns the first row used.
int draw_message(Canvas& canvas, int bottom, int most, const std::string& text, Style style);

// Draws the keys that are useful now, each a link, as many as fit.
void draw_keys(Canvas& canvas, int row, int column, const FootKeys& keys);

// Draws the notice in the last rows; without one, `said` and the keys in the last row.
void draw_foot(Canvas& canvas, const Notice& notice, const std::string& said, const FootKeys& keys);

// wrap_lines() wraps long lines, and indents their continuations; wrapped_text_request() makes a
// text of them.
std::vector<std::string> wrap_lines(const std::vector<std::string>& lines, int columns);
TextRequest wrapped_text_request(const std::string& text);

}  // namespace pbm
