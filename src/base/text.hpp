// SPDX-License-Identifier: MIT
// Text as people type it and terminals show it: case, blanks, UTF-8, columns. Leaves the placing of
// text to the canvas and its meaning to the callers.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// These treat ASCII only; other bytes stay as they are.
char lower(char c);
char upper(char c);
std::string lower(std::string_view s);
std::string upper(std::string_view s);
bool is_letter(char c);
bool is_digit(char c);
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool starts_with_ignoring_case(std::string_view text, std::string_view beginning);
// Shortens `text` to its beginning that `other` has, too.
void keep_common_beginning(std::string& text, std::string_view other);

// Returns `s` without blanks (space, tab, CR, LF) at either end.
std::string_view trim(std::string_view s);

// Returns the words of `s`, which blanks separate.
std::vector<std::string> split_words(std::string_view s);

// Returns the lines of `s` without their line feeds.
std::vector<std::string_view> split_lines(std::string_view s);
// Removes the first word from `rest` and returns it; "" at the end. The blank after it stays.
std::string_view take_word(std::string_view& rest);
// Joins at most `n` words, from number `first` on, with a blank between.
std::string join_words(const std::vector<std::string>& words, std::size_t first, std::size_t n);
// Joins `parts` with `between` between them.
std::string join(const std::vector<std::string>& parts, std::string_view between = " ");

// Formats a list: "A", "A or B", "A, B or C".
std::string join_with_or(const std::vector<std::string>& items);

// The same, but shortens long lists: if there are more than `most` items, the last one counts the
// rest, "A, B or 3 others". Pre: most > 1.
std::string join_with_or(std::vector<std::string> items, std::size_t most);

// Formats a list: "A", "A and B", "A, B and C".
std::string join_with_and(const std::vector<std::string>& items);

// Formats a number with its noun: "1 ply", "3 plies".
std::string format_count(std::size_t n, std::string_view one, std::string_view many);

// Returns "Did you mean help?" for the one or two of `known` that are nearly `typed` or begin with
// it, in any case. Returns `otherwise` if there is none.
std::string suggest_word(std::string_view typed, const std::vector<std::string>& known,
                         const std::string& otherwise);

// Parses all of `s` as a number: digits only, no sign, no blanks. Returns nothing if that fails or
// if the number is too large for N.
template <class N>
std::optional<N> read_whole_number(std::string_view s) {
  if (s.empty() || !is_digit(s.front())) return std::nullopt;
  N n = 0;
  const char* const end = s.data() + s.size();
  const auto read = std::from_chars(s.data(), end, n);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return n;
}

// A decoded character and its length in bytes. Each byte of invalid UTF-8 (overlong, surrogate, cut
// off) decodes to U+FFFD with `is_valid` false.
struct DecodedCharacter {
  char32_t code_point;
  std::size_t size;
  bool is_valid;
};
DecodedCharacter decode_utf8(std::string_view s);
void append_utf8(std::string& out, char32_t c);
bool is_valid_utf8(std::string_view s);

// True if `c` is a control character: C0, C1 or DEL.
inline bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Returns the columns of `c` on a terminal of the current locale: 0 for combining marks, 1 or 2.
// Pre: safe_text() keeps `c`.
int columns(char32_t c);
int columns(std::string_view utf8);

// Returns the longest beginning of `s` that has at most `most` bytes and ends after a character.
std::string_view utf8_prefix(std::string_view s, std::size_t most);

// Makes text from other people (names, files, the network) harmless. Replaces by '?': control,
// invisible and direction-changing characters, invalid UTF-8 and stacked accents. The result moves
// no cursor and changes no colour on any terminal.
std::string safe_text(std::string_view s);

// True if `s` is allowed as one line of stored text. The rules are those of safe_text(), but do not
// depend on the locale, so that a file is valid everywhere.
bool is_text_line(std::string_view s);

// Returns the character of `s` at byte `at`, quoted and harmless: "'x'". Pre: there is one.
std::string quote_character_at(std::string_view s, std::size_t at);

// Returns safe_text() in at most `columns`; "~" marks the end of a shortened text.
std::string fit(std::string_view s, int columns);

// As fit(), then adds blanks up to `columns`.
std::string pad(std::string_view s, int columns);

// Adds blanks before `s`, which is ASCII, up to `width`.
std::string pad_left(std::string_view s, std::size_t width);

// Breaks `text` into lines of at most `columns`, at blanks if possible.
std::vector<std::string> wrap(std::string_view text, int columns);

}  // namespace pbm
