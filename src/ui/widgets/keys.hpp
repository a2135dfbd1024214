// SPDX-License-Identifier: MIT
// Keys, and the tables of their actions on a screen. A screen acts and prints its help from the
// same table, so that they agree. Leaves reading keys to terminal.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pbm {

// A key, a click, or the begin or end of a paste.
struct Key {
  enum class Code : std::uint8_t {
    character,  // `c`, printable
    control,    // `c` with Ctrl, upper case
    enter,
    escape,
    tab,
    back_tab,
    backspace,
    delete_key,
    left,
    right,
    up,
    down,
    home,
    end,
    page_up,
    page_down,
    function,     // F1 is c == 1
    mouse_click,  // at row c / 65536 and column c % 65536
    paste_mark,   // the begin (c == 1) or end (c == 0) of pasted text
  };
  Code code;
  char32_t value;
  constexpr Key(Code its_code = Code::character, char32_t its_c = 0)
      : code(its_code), value(its_c) {}
  friend bool operator==(const Key&, const Key&) = default;
};

inline Key character_key(char32_t c) { return {Key::Code::character, c}; }
inline Key control_key(char c) { return {Key::Code::control, static_cast<char32_t>(c)}; }
// Returns a function key; 1 is F1.
inline Key function_key(char32_t number) { return {Key::Code::function, number}; }
// Returns the keys of a row of a table.
template <class... K>
std::vector<Key> key_list(K... each) {
  return {each...};
}

// Returns the name of a key: "Enter", "Ctrl-L", "?".
std::string key_name(const Key& key);

// A row of a screen's table.
template <class Command>
struct Binding {
  Command command;
  std::vector<Key> keys;
  std::string_view description;  // for help: "open the board"
};

// The action of a key on a T; act<> makes one of a member function and its arguments.
template <class T>
using KeyAction = void (*)(T&);
template <auto function, auto... given>
inline constexpr auto make_action = [](auto& thing) { (thing.*function)(given...); };

template <class Command>
std::optional<Command> bound_command(std::span<const Binding<Command>> table, const Key& key) {
  for (const auto& binding : table)
    for (const Key& k : binding.keys)
      if (k == key) return binding.command;
  return std::nullopt;
}

// The keys that are useful now, with a word or two for each.
using FootKeys = std::vector<std::pair<Key, std::string_view>>;

// A line of help: the names of keys and their action. Without keys, a heading.
struct KeyHelp {
  std::string key_names, description;
};
inline std::vector<KeyHelp> operator+(std::vector<KeyHelp> all, std::vector<KeyHelp> more) {
  for (KeyHelp& help : more) all.push_back(std::move(help));
  return all;
}

template <class Command>
std::vector<KeyHelp> key_help(std::span<const Binding<Command>> table) {
  std::vector<KeyHelp> out;
  for (const auto& binding : table) {
    std::string names;
    for (const Key& k : binding.keys) names += (names.empty() ? "" : " ") + key_name(k);
    out.push_back({names, std::string(binding.description)});
  }
  return out;
}

}  // namespace pbm
