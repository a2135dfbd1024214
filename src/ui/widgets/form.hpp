// SPDX-License-Identifier: MIT
// A field of a form: its name, what stands in it, and what it is for. Leaves what
// follows from it to its screen.
#pragma once

#include "ui/widgets/line_editor.hpp"

namespace pbm {

struct FormField {
  enum class Kind : std::uint8_t { choice, on_off, text, secret };
  Kind kind = Kind::text;
  std::string label, about;
  std::string value = {};    // of a choice
  bool on = false;           // of a switch
  LineEditor text = {};      // of what is typed; a secret is shown as stars
  std::string offered = {};  // stands for a text that is empty
  std::string wrong = {};    // why it cannot be as it is, or ""

  bool typed() const { return kind == Kind::text || kind == Kind::secret; }
  // Whether a key is one of the text, whatever else it does elsewhere.
  bool types(const Key& key) const {
    return typed() && (key.code == Key::Code::character || key.code == Key::Code::left ||
                       key.code == Key::Code::right);
  }
};

// Where the parts of a form's fields stand.
struct FormColumns {
  int value, width;  // of what stands in them
  int wide;          // a form at least so wide says beside each what it is for

  // The columns that has; none where there is no room.
  int about_width(int form) const { return form >= wide ? form - value - width - 2 : 0; }
};

// Draws a field into a row, with the cursor where one is `here`.
void draw_field(Canvas& canvas, int row, const FormField& field, bool here, const FormColumns& at);

// The one of so many a step on, round and round.
inline std::size_t step_round(std::size_t at, std::size_t of, int step) {
  return (at + of + static_cast<std::size_t>(step + static_cast<int>(of))) % of;
}

}  // namespace pbm
