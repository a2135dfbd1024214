// SPDX-License-Identifier: MIT
#include "ui/board_words.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace pbm {

const TypedWord* word_of(const Key& key) {
  for (const TypedWord& word : typed_words())
    if (std::ranges::find(word.keys, key) != word.keys.end()) return &word;
  return nullptr;
}

namespace {

const TypedWord& word_named(std::string_view name) {
  const auto found =
      std::ranges::find_if(typed_words(), [&](const TypedWord& word) { return word.name == name; });
  check(found != typed_words().end(), "a word is asked for that has no row");
  return *found;
}

}  // namespace

Key key_of_word(std::string_view name) {
  const TypedWord& word = word_named(name);
  return word.keys.empty() ? Key{} : word.keys.front();
}

std::string nothing_follows(std::string_view name) {
  return "Nothing follows " + std::string(name) + ".";
}

std::string term_of(std::string_view name, std::string_view syntax, const std::vector<Key>& keys) {
  std::string out(name);
  out += (syntax.empty() ? "" : " ") + std::string(syntax);
  for (const Key& key : keys) out += " " + key_name(key);
  return out;
}

namespace {

// Whether a line of these words may be `word`, its first one.
bool stands_for(const TypedWord& word, const std::vector<std::string>& words,
                const Understood& here) {
  using enum TypedWord::Where;
  if (!same_ignoring_case(word.name, words.front())) return false;
  switch (word.where) {
    case match: return true;
    case server: return here.server_words;
    case screen: return here.front == Front::screen;
    case session:
    case view: break;
  }
  // Of two rows the second is for what stands behind the word.
  const TypedWord* const next = &word + 1;
  return words.size() == 1 || next == &typed_words().back() + 1 || next->name != word.name;
}

}  // namespace

TypedLine read_line(std::string_view line, const Understood& here) {
  const auto offset = [&](std::string_view part) {
    return part.empty() ? line.size() : static_cast<std::size_t>(part.data() - line.data());
  };
  TypedLine out;
  std::string_view text = trim(line);
  // As people write it, "move BT" or "draw".
  constexpr std::string_view kMove = "move ", kDraw = "draw";
  if (starts_ignoring_case(text, kMove)) text = trim(text.substr(kMove.size()));
  if (text.empty()) return out;
  out.text_at = offset(text);
  out.text = text;
  if (starts_ignoring_case(text, kDraw) &&
      (text.size() == kDraw.size() || text[kDraw.size()] == ' '))
    out.text.replace(0, kDraw.size(), "propose");
  const std::vector<std::string> said = words(out.text);
  const auto found = std::ranges::find_if(
      typed_words(), [&](const TypedWord& word) { return stands_for(word, said, here); });
  std::string_view rest;
  if (text.front() == '#') {
    out.kind = TypedLine::Kind::number;
    out.word = &word_named("show");
    rest = text;
  } else if (here.commands && text.front() == ':') {
    out.kind = TypedLine::Kind::command;
    rest = text.substr(1);
  } else if (found != typed_words().end()) {
    out.kind = TypedLine::Kind::word;
    out.word = &*found;
    rest = trim(text.substr(std::min(text.find_first_of(" \t"), text.size())));
  } else {
    out.kind = TypedLine::Kind::move;
    const auto row = std::ranges::find_if(typed_words(), [&](const TypedWord& word) {
      return same_ignoring_case(word.name, said.front());
    });
    if (row != typed_words().end()) out.elsewhere = &*row;
  }
  out.rest = rest;
  out.rest_at = offset(rest);
  return out;
}

}  // namespace pbm
