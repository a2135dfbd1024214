// SPDX-License-Identifier: MIT
// Turns bytes into key presses and mouse clicks, for the targets that have screens.
#pragma once

#include "test_app.hpp"
#include "target.hpp"

namespace pbm::test {

class KeyPresses {
 public:
  KeyPresses(App& app, std::string_view bytes) : app_(app), bytes_(bytes) {}

  // Presses the next key. Returns false if there is none or the program has ended.
  bool press_next() {
    if (bytes_.empty() || app_.is_done()) return false;
    const unsigned char b = next_byte();
    if (b == kResize) {
      size_.rows = next_byte() % 60;
      size_.columns = next_byte() % 160;
    } else {
      app_.press(make_key(b));
    }
    // Draws only sometimes, as the program does for a burst of keys.
    if (b % 4 == 0 || bytes_.empty()) check_drawing();
    return true;
  }

 private:
  static constexpr unsigned char kClick = 0x80, kResize = 0x81;

  unsigned char next_byte() {
    if (bytes_.empty()) return 0;
    const auto b = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return b;
  }

  Key make_key(unsigned char b) {
    using enum Key::Code;
    static const std::vector<Key> special{
        {left},    {right},     {up},         {down},     {home},          {end},
        {page_up}, {page_down}, {delete_key}, {back_tab}, {paste_mark, 1}, {paste_mark, 0}};
    static const std::vector<char32_t> odd{U'é',          U'山', U'\u0301', U'\u202E',
                                           U'\U0001F600', U'\0', U'\u00A0', U'\u200B'};
    if (b == '\n' || b == '\r') return kEnter;
    if (b == 0x1B) return kEsc;
    if (b == '\t') return kTab;
    if (b == 0x7F) return kBackspaceKey;
    if (b < 0x20) return control_key(static_cast<char>('@' + b));
    if (b < 0x7F) return character_key(b);
    if (b == kClick) {
      const int row = next_byte(), column = next_byte();
      return make_click({row % 64, column});
    }
    if (b < 0x90) return {function, static_cast<char32_t>(b % 12 + 1)};
    if (b < 0xC0) return special[b % special.size()];
    return character_key(odd[b % odd.size()]);
  }

  void check_drawing() {
    const Canvas canvas = app_.draw(size_);
    REQUIRE(canvas.size() == size_);
    if (canvas.cursor)
      REQUIRE((canvas.cursor->row >= 0 && canvas.cursor->row < size_.rows &&
               canvas.cursor->column >= 0 && canvas.cursor->column < size_.columns));
    for (int row = 0; row < size_.rows; ++row)
      REQUIRE(safe_text(row_text(canvas, row)) == row_text(canvas, row));
  }

  App& app_;
  std::string_view bytes_;
  Size size_ = kScreenSize;
};

}  // namespace pbm::test
