// SPDX-License-Identifier: MIT
// What every screen is: keys go in, a picture comes out, and what a screen
// wants beyond itself it asks of the application. No screen knows a terminal. Leaves what is asked
// for to screens/app.hpp.
#pragma once

#include <algorithm>

#include "base/clock.hpp"
#include "boards/boards.hpp"
#include "ui/board_words.hpp"
#include "ui/widgets/canvas.hpp"

namespace pbm {

// What entering something asks of the application, where that is no matter of a board's own.
ScreenRequest request_of(const Entered& done);

// A sentence on a screen, until the next key.
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

class Screen {
 public:
  virtual ~Screen() = default;

  // The part of a terminal of that size that it wants to draw on; a large
  // terminal shows a screen in its middle, not lost in a corner.
  virtual Size wanted(Size terminal) {
    return {std::min(terminal.rows, 30), std::min(terminal.columns, kWidest)};
  }
  static constexpr int kWidest = 150;  // columns, of all screens: none begins elsewhere
  // Draws all of it, in any size from kSmallest up, and sets the cursor.
  virtual void draw(Canvas& canvas) = 0;
  virtual void press(const Key& key) = 0;
  // A character of pasted text: it is no key, so a screen with nothing to type in leaves it alone.
  virtual void paste(char32_t) {}
  // A click at a place of its canvas that is no link.
  virtual void click(Point) {}
  // It is on top again: what it shows may have changed meanwhile.
  virtual void wake() {}
  // Boards may have been played on by somebody else. True when that calls for attention.
  virtual bool boards_changed() { return false; }
  // When it is to be called by tick(), as something moves on it; nothing while nothing does.
  virtual std::optional<Moment> due() const { return std::nullopt; }
  virtual void tick() {}
  // Has the application do that after the key or the answer of a server, the last of it.
  void request(ScreenRequest wanted) { request_ = std::move(wanted); }
  virtual ScreenRequest take_request() { return std::exchange(request_, {}); }
  // Whether a server's answer that came late calls for attention.
  virtual bool take_attention() { return false; }
  // The board it shows, and what is typed there, or "".
  virtual std::string board() const { return ""; }
  virtual std::string line() const { return ""; }
  // Something came from a server. True when this screen has shown it.
  virtual bool handle_event(const Notification&) { return false; }
  // Something the application has to say on it, until the next key: in
  // Style::good news, in Style::bad what went wrong.
  virtual void say(std::string sentence, Style style) { notice_ = {std::move(sentence), style}; }

  // Of which kind it is, where the application does something of its own with those.
  enum class Kind : std::uint8_t { other, text, settings, sign_in };
  virtual Kind kind() const { return Kind::other; }
  virtual std::string title() const = 0;
  // What its keys do, from the table that press() dispatches from.
  virtual std::vector<KeyHelp> keys() const = 0;
  // The few of them that are told first, where there are many; or none.
  virtual std::vector<KeyHelp> first_keys() const { return {}; }

 protected:
  // A sentence of its own, until the next key.
  void tell(std::string sentence) { notice_ = std::move(sentence); }

  Notice notice_;

 private:
  ScreenRequest request_;
};

// In a screen's table, what is only asked of the application.
template <class Request>
inline constexpr auto asks = [](auto& screen) { screen.request(Request{}); };

// Every screen can be used from here on.
inline constexpr Size kSmallest{12, 40};

// The first row of every screen: what it is, and at the right the way to help.
// A word of `right` that stands in `links` is a link. The second row, a line
// or blank, parts it from the rest.
void draw_title(Canvas& canvas, const std::string& left, const std::string& right,
                const std::vector<std::pair<std::string, Key>>& links = {});

// Makes each of `words` that stands in `text`, drawn from there on, a link.
void link_words(Canvas& canvas, int row, int column, const std::string& text,
                const std::vector<std::pair<std::string, Key>>& words);

// The beginning of a sentence that stands in full elsewhere: as many of its parts as there is room
// for, or else of its words.
std::string beginning(const std::string& text, int room);

// `text` in the last rows of `area`, or as many of its words as there is room for and `more`.
// Returns which rows these are.
Area draw_message(Canvas& canvas, const Area& area, const std::string& text, Style style,
                  std::string_view more = " ...");
// The same in the `most` rows above `bottom`, all across. Returns the first row it took.
int draw_message(Canvas& canvas, int bottom, int most, const std::string& text, Style style);

// Keys that are of use now, each a link, as many as there is room for.
void draw_keys(Canvas& canvas, int row, int column, const FootKeys& keys);

// The notice, in the last rows, or else what is `said` there and keys behind it.
void draw_foot(Canvas& canvas, const Notice& notice, const std::string& said, const FootKeys& keys);

// Lines of which those that are too long go on below, behind what they begin with; and a text of
// such lines.
std::vector<std::string> wrapped(const std::vector<std::string>& lines, int columns);
ReadText read_wrapped(const std::string& text);

}  // namespace pbm
