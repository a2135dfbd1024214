// SPDX-License-Identifier: MIT
// Text as people type and terminals show it: case, blanks, UTF-8, columns. Leaves where text is put
// to the canvas and what it means to everyone else.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

// ASCII only: other bytes stay as they are.
char lower(char c);
char upper(char c);
std::string lower(std::string_view s);
std::string upper(std::string_view s);
bool is_letter(char c);
bool is_digit(char c);
bool same_ignoring_case(std::string_view a, std::string_view b);
bool starts_ignoring_case(std::string_view text, std::string_view beginning);

// `s` without blanks (space, tab, CR, LF) at either end.
std::string_view trim(std::string_view s);

// The words of `s`, parted by blanks.
std::vector<std::string> words(std::string_view s);

// The lines of `s`, without the line feeds that end them.
std::vector<std::string_view> split_lines(std::string_view s);
// The first word of `rest`, which loses it but for the blank behind; "" at the end.
std::string_view take_word(std::string_view& rest);
// At most `n` of `words` from `first` on, with a blank between.
std::string joined(const std::vector<std::string>& words, std::size_t first, std::size_t n);
// `lines` with a line feed between.
std::string joined_lines(const std::vector<std::string>& lines);

// "A", "A or B", "A, B or C".
std::string one_of(const std::vector<std::string>& items);

// The same for what may be a long list: with more than `most` items the last of `most` counts the
// rest, "A, B or 3 others". Pre: most > 1.
std::string one_of(std::vector<std::string> items, std::size_t most);

// "A", "A and B", "A, B and C".
std::string all_of(const std::vector<std::string>& items);

// "1 ply", "3 plies".
std::string count_of(std::size_t n, std::string_view one, std::string_view many);

// "did you mean help?" where `typed` is nearly one of `known`, or two, in any case, or begins it;
// else `otherwise`.
std::string meant_by(std::string_view typed, const std::vector<std::string>& known,
                     const std::string& otherwise);

// All of `s` as a number: digits only, without sign or blanks. Nothing where it is none, or too
// large for N.
template <class N>
std::optional<N> read_whole_number(std::string_view s) {
  if (s.empty() || !is_digit(s.front())) return std::nullopt;
  N n = 0;
  const char* const end = s.data() + s.size();
  const auto read = std::from_chars(s.data(), end, n);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return n;
}

// One decoded character of UTF-8 and how many bytes it took. Bytes that are no UTF-8 (overlong,
// surrogate, cut off) decode one by one to U+FFFD.
struct Decoded {
  char32_t c;
  std::size_t bytes;
  bool valid;
};
Decoded decode_utf8(std::string_view s);
void append_utf8(std::string& out, char32_t c);
bool valid_utf8(std::string_view s);

// Whether it is one of the controls C0, C1 and DEL.
inline bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// Columns a terminal of the current locale gives `c`: 0 for combining marks, 1 or 2. Never asked of
// what safe_text() takes out.
int columns(char32_t c);
int columns(std::string_view utf8);

// The longest beginning of `s` of at most `most` bytes that cuts no character.
std::string_view whole_characters(std::string_view s, std::size_t most);

// Text from other people (names, files, the network) made harmless: control characters, invisible
// and direction-changing characters, broken UTF-8 and stacked accents become '?'. What comes back
// moves no cursor and changes no colour, whatever terminal it goes to.
std::string safe_text(std::string_view s);

// Whether `s` may be kept as one line of text from a person: what safe_text() would take out, but
// the same in every locale, as what is in a file must be.
bool is_text_line(std::string_view s);

// The character of `s` at `at`, quoted and harmless: "'x'". Pre: there is one.
std::string quoted_at(std::string_view s, std::size_t at);

// safe_text() in at most `columns`; what does not fit ends in "~".
std::string fit(std::string_view s, int columns);

// fit(), then blanks up to `columns`.
std::string pad(std::string_view s, int columns);

// `s`, which is ASCII, behind blanks that make it so wide, if it is not.
std::string pad_left(std::string_view s, std::size_t width);

// `text` in lines of at most `columns`, broken at blanks where there are any.
std::vector<std::string> wrap(std::string_view text, int columns);

}  // namespace pbm
