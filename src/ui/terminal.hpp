// SPDX-License-Identifier: MIT
// The interface to a terminal for the screens. curses.cpp implements it. Leaves the pictures to the
// screens.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.hpp"
#include "ui/theme.hpp"

namespace pbm {

// The terminal that runs the program.
class Terminal {
 public:
  virtual ~Terminal() = default;

  virtual Size size() const = 0;
  // Shows `canvas`; writes only the differences.
  virtual void show(Canvas canvas) = 0;
  // Waits without using the processor for a key, a new size, a signal to end, input on the
  // descriptor `also` (-1 for none), or that time. Returns true if `also` has input.
  virtual bool wait_for_input(int also, std::optional<SteadyTime> until) = 0;
  // Returns the next key that has arrived, or nothing.
  virtual std::optional<Key> next_key() = 0;
  // True if the terminal is gone, or a signal asks the program to end.
  virtual bool is_closed() const = 0;
  // Gives the terminal back to the shell (Ctrl-Z) until the shell continues the program.
  virtual void suspend() = 0;
  // Turns the reporting of clicks on or off.
  virtual void set_mouse(bool on) = 0;
  // True if Shift still selects text while clicks are reported.
  virtual bool has_shift_selection() const = 0;
  // Returns the name of the theme that fits this terminal better than the standard one: "light" for
  // a light background, "sixteen" for few colours; or "". It may change when the terminal answers.
  virtual std::string_view fitting_theme() const = 0;
  // Uses `theme` from the next picture on.
  virtual void set_theme(const Theme& theme) = 0;
  // Sets the title of a window, if there is one; the destructor restores the old title.
  virtual void set_title(const std::string& text) = 0;
  // Rings the terminal's bell.
  virtual void ring_bell() = 0;
  // Writes the whole picture again with the next show() (Ctrl-L).
  virtual void repaint_all() = 0;
};

// Refuses with the reason if screens cannot run on standard input and output.
Result<Success> check_terminal();

// Takes over the terminal for the lifetime of the object. Throws Error.
std::unique_ptr<Terminal> open_terminal(const Theme& theme);

}  // namespace pbm
