// SPDX-License-Identifier: MIT
#include "ui/widgets/keys.hpp"

#include "base/text.hpp"

namespace pbm {

std::string key_name(const Key& key) {
  switch (key.code) {
    case Key::Code::character: {
      if (key.value == U' ') return "Space";
      std::string out;
      append_utf8(out, key.value);
      return out;
    }
    case Key::Code::control: return "Ctrl-" + std::string(1, static_cast<char>(key.value));
    case Key::Code::enter: return "Enter";
    case Key::Code::escape: return "Esc";
    case Key::Code::tab: return "Tab";
    case Key::Code::back_tab: return "Shift-Tab";
    case Key::Code::backspace: return "Backspace";
    case Key::Code::delete_key: return "Delete";
    case Key::Code::left: return "Left";
    case Key::Code::right: return "Right";
    case Key::Code::up: return "Up";
    case Key::Code::down: return "Down";
    case Key::Code::home: return "Home";
    case Key::Code::end: return "End";
    case Key::Code::page_up: return "PgUp";
    case Key::Code::page_down: return "PgDn";
    case Key::Code::function: return "F" + std::to_string(static_cast<unsigned>(key.value));
    case Key::Code::mouse_click: return "Click";
    case Key::Code::paste_mark: return "paste";
  }
  return "";
}

}  // namespace pbm
