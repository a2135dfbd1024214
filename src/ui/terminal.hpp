// SPDX-License-Identifier: MIT
// The terminal seam: all the screen client needs of a terminal. curses.cpp
// implements it and is the only file that knows ncurses. Leaves what is drawn to the screens.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "ui/theme.hpp"

namespace pbm {

class Terminal {
 public:
  virtual ~Terminal() = default;

  virtual Size size() const = 0;
  // Whether its line is known to be slow: 4800 bits a second or fewer.
  virtual bool slow() const = 0;
  // Makes the terminal show `canvas`, writing only what differs.
  virtual void show(Canvas canvas) = 0;
  // Waits until there is a key, a new size, a reason to end or something to
  // read from `also` (-1 for nothing), or that moment has come. Uses no CPU meanwhile. Whether
  // there is something to read from `also`.
  virtual bool wait(int also, std::optional<Moment> until) = 0;
  // The next key that is already there.
  virtual std::optional<Key> next() = 0;
  // The terminal has gone, or somebody asks the program to end.
  virtual bool closed() const = 0;
  // Ctrl-Z: gives the terminal back to the shell until the program is continued.
  virtual void suspend() = 0;
  // Whether clicks come as keys.
  virtual void mouse(bool on) = 0;
  // Whether text can be marked with Shift meanwhile.
  virtual bool marks_with_shift() const = 0;
  // Everything looks as `theme` has it from the next picture on.
  virtual void look(const Theme& theme) = 0;
  // Says so in the window's title, where there is one; what stood there comes back at the end.
  virtual void title(const std::string& text) = 0;
  // Calls for attention, as the terminal does that.
  virtual void bell() = 0;
  // Writes everything anew (Ctrl-L).
  virtual void repaint() = 0;
};

// Whether the screen client can run on this standard input and output; else a
// sentence why not.
Result<Done> terminal_is_usable();

// Takes the terminal over until the end of the object's life. Throws Error.
std::unique_ptr<Terminal> open_terminal(const Theme& theme);

}  // namespace pbm
