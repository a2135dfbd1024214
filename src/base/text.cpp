// SPDX-License-Identifier: MIT
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cwchar>

namespace pbm {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = lower(c);
  return out;
}

std::string upper(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = upper(c);
  return out;
}

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && starts_with_ignoring_case(a, b);
}

void keep_common_beginning(std::string& text, std::string_view other) {
  const auto same = [](char x, char y) { return lower(x) == lower(y); };
  text.erase(std::ranges::mismatch(text, other, same).in1, text.end());
}

bool starts_with_ignoring_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

namespace {
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
// Returns the edit distance: letters added, removed, replaced or swapped with the next one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> n(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      n[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      n[i][j] =
          std::min({n[i - 1][j] + 1, n[i][j - 1] + 1, n[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        n[i][j] = std::min(n[i][j], n[i - 2][j - 2] + 1);
    }
  return n[a.size()][b.size()];
}

}  // namespace

std::string_view trim(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

std::vector<std::string> split_words(std::string_view s) {
  std::vector<std::string> out;
  for (s = trim(s); !s.empty(); s = trim(s)) {
    std::size_t n = 0;
    while (n < s.size() && !is_blank(s[n])) ++n;
    out.emplace_back(s.substr(0, n));
    s.remove_prefix(n);
  }
  return out;
}

std::string_view take_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> split_lines(std::string_view s) {
  std::vector<std::string_view> out;
  while (!s.empty()) {
    out.push_back(s.substr(0, s.find('\n')));
    s.remove_prefix(std::min(out.back().size() + 1, s.size()));
  }
  return out;
}

namespace {
std::string join_list(const std::vector<std::string>& items, std::string_view before_last) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? before_last : ", ";
    out += items[i];
  }
  return out;
}
}  // namespace

std::string join_words(const std::vector<std::string>& words, std::size_t first, std::size_t n) {
  std::string out;
  for (std::size_t i = first; i < words.size() && i - first < n; ++i)
    out += (i > first ? " " : "") + words[i];
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const std::string& part : parts)
    out.append(&part == &parts.front() ? "" : between).append(part);
  return out;
}

std::string join_with_or(const std::vector<std::string>& items) { return join_list(items, " or "); }

std::string join_with_or(std::vector<std::string> items, std::size_t most) {
  if (items.size() > most) {
    const std::size_t left = items.size() - (most - 1);
    items.resize(most - 1);
    items.push_back(std::to_string(left) + " others");
  }
  return join_with_or(items);
}

std::string join_with_and(const std::vector<std::string>& items) {
  return join_list(items, " and ");
}

std::string suggest_word(std::string_view typed, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  constexpr std::size_t kBegins = 3, kLongest = 40;  // letters
  std::vector<std::string> meant;                    // at most two equally near names
  std::size_t least = std::string::npos;
  if (typed.size() > kLongest) return otherwise;
  for (const std::string& name : known) {
    const std::size_t away = typed.size() >= kBegins && starts_with_ignoring_case(name, typed)
                                 ? 1
                                 : edit_distance(lower(typed), lower(name));
    if (away > std::max<std::size_t>(1, (name.size() + 2) / 4) || away > least) continue;
    if (away < least) meant.clear();
    least = away;
    if (meant.size() < 2) meant.push_back(name);
  }
  return meant.empty() ? otherwise : "Did you mean " + join_with_or(meant) + "?";
}

std::string format_count(std::size_t n, std::string_view one, std::string_view many) {
  return std::to_string(n) + " " + std::string(n == 1 ? one : many);
}

DecodedCharacter decode_utf8(std::string_view s) {
  constexpr DecodedCharacter bad{0xFFFD, 1, false};
  if (s.empty()) return {0, 0, false};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || s.size() < size) return bad;
  char32_t c = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return bad;
    c = (c << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return bad;
  return {c, size, true};
}

void append_utf8(std::string& out, char32_t c) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) return put(c);
  const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // bytes after the first
  put((0xF80U >> more & 0xFF) | c >> 6 * more);
  for (unsigned i = more; i-- > 0;) put(0x80 | (c >> 6 * i & 0x3F));
}

bool is_valid_utf8(std::string_view s) {
  while (!s.empty()) {
    const DecodedCharacter d = decode_utf8(s);
    if (!d.is_valid) return false;
    s.remove_prefix(d.size);
  }
  return true;
}

std::string_view utf8_prefix(std::string_view s, std::size_t most) {
  if (s.size() <= most) return s;
  std::size_t n = most;
  while (n > 0 && most - n < 3 && (static_cast<unsigned char>(s[n]) & 0xC0U) == 0x80) --n;
  return s.substr(0, n);
}

namespace {

struct CodePointRange {
  char32_t first, last;
};

template <std::size_t n>
bool in_ranges(const std::array<CodePointRange, n>& ranges, char32_t c) {
  return std::ranges::any_of(ranges,
                             [&](const CodePointRange& r) { return c >= r.first && c <= r.last; });
}

// True for characters that are invisible or change the reading direction. They could make a name
// look like another, or reorder its line.
bool is_invisible(char32_t c) {
  static constexpr std::array<CodePointRange, 17> ranges{{{0x00AD, 0x00AD},
                                                          {0x034F, 0x034F},
                                                          {0x0600, 0x0605},
                                                          {0x061C, 0x061C},
                                                          {0x06DD, 0x06DD},
                                                          {0x070F, 0x070F},
                                                          {0x115F, 0x1160},
                                                          {0x17B4, 0x17B5},
                                                          {0x180B, 0x180F},
                                                          {0x200B, 0x200F},
                                                          {0x2028, 0x202E},
                                                          {0x2060, 0x206F},
                                                          {0xFE00, 0xFE0F},
                                                          {0xFEFF, 0xFEFF},
                                                          {0xFFF0, 0xFFFB},
                                                          {0x1BCA0, 0x1BCA3},
                                                          {0xE0000, 0xE0FFF}}};
  return in_ranges(ranges, c);
}

// True for combining marks of the scripts that use them often.
bool is_combining_mark(char32_t c) {
  static constexpr std::array<CodePointRange, 19> ranges{{{0x0300, 0x036F},
                                                          {0x0483, 0x0489},
                                                          {0x0591, 0x05BD},
                                                          {0x0610, 0x061A},
                                                          {0x064B, 0x065F},
                                                          {0x06D6, 0x06DC},
                                                          {0x06DF, 0x06E4},
                                                          {0x0E34, 0x0E3A},
                                                          {0x0E47, 0x0E4E},
                                                          {0x0EB4, 0x0EBC},
                                                          {0x0EC8, 0x0ECE},
                                                          {0x0F71, 0x0F7E},
                                                          {0x1AB0, 0x1AFF},
                                                          {0x1DC0, 0x1DFF},
                                                          {0x20D0, 0x20FF},
                                                          {0x302A, 0x302D},
                                                          {0x3099, 0x309A},
                                                          {0xA66F, 0xA672},
                                                          {0xFE20, 0xFE2F}}};
  return in_ranges(ranges, c);
}

// Some languages put two accents on a letter; more are abuse.
constexpr int kMaxMarks = 2;

// A fast check: nearly all text is ASCII and needs no check character by character.
bool is_plain_ascii(std::string_view s) {
  bool other = false;  // no branch in the loop, so that the compiler can vectorize it
  for (const char c : s) other |= c < ' ' || c == 0x7F;
  return !other;
}
}  // namespace

int columns(char32_t c) {
  if (c < 0x7F) return c < 0x20 ? 0 : 1;
  return std::max(0, ::wcwidth(static_cast<wchar_t>(c)));
}

int columns(std::string_view utf8) {
  if (is_plain_ascii(utf8)) return static_cast<int>(utf8.size());
  int n = 0;
  while (!utf8.empty()) {
    const DecodedCharacter d = decode_utf8(utf8);
    n += columns(d.code_point);
    utf8.remove_prefix(d.size);
  }
  return n;
}

std::string safe_text(std::string_view s) {
  if (is_plain_ascii(s)) return std::string(s);
  std::string out;
  out.reserve(s.size());
  int marks = kMaxMarks;  // refuses an accent before the first letter
  while (!s.empty()) {
    const DecodedCharacter d = decode_utf8(s);
    s.remove_prefix(d.size);
    const int width = d.code_point < 0x80 ? (d.code_point < 0x20 || d.code_point == 0x7F ? -1 : 1)
                                          : ::wcwidth(static_cast<wchar_t>(d.code_point));
    const bool shown =
        d.is_valid && width >= 0 && !is_invisible(d.code_point) && (width > 0 || marks < kMaxMarks);
    if (shown) append_utf8(out, d.code_point);
    else out.push_back('?');
    marks = shown && width == 0 ? marks + 1 : 0;
  }
  return out;
}

std::string quote_character_at(std::string_view s, std::size_t at) {
  const std::string_view rest = s.substr(at);
  return "'" + safe_text(rest.substr(0, decode_utf8(rest).size)) + "'";
}

bool is_text_line(std::string_view s) {
  if (is_plain_ascii(s)) return true;
  int marks = kMaxMarks;
  while (!s.empty()) {
    const DecodedCharacter d = decode_utf8(s);
    marks = is_combining_mark(d.code_point) ? marks + 1 : 0;
    if (!d.is_valid || is_control(d.code_point) || is_invisible(d.code_point) || marks > kMaxMarks)
      return false;
    s.remove_prefix(d.size);
  }
  return true;
}

std::string fit(std::string_view s, int max) {
  const std::string safe = safe_text(s);
  if (max <= 0) return "";
  if (columns(safe) <= max) return safe;
  std::string out;
  int used = 0;
  for (std::string_view rest = safe; !rest.empty();) {
    const DecodedCharacter d = decode_utf8(rest);
    const int w = columns(d.code_point);
    if (used + w > max - 1) break;
    out.append(rest.substr(0, d.size));
    used += w;
    rest.remove_prefix(d.size);
  }
  return out + "~";
}

std::string pad(std::string_view s, int max) {
  std::string out = fit(s, max);
  out.append(static_cast<std::size_t>(std::max(0, max - columns(out))), ' ');
  return out;
}

std::string pad_left(std::string_view s, std::size_t width) {
  return std::string(width - std::min(width, s.size()), ' ').append(s);
}

std::vector<std::string> wrap(std::string_view text, int max) {
  std::vector<std::string> out;
  int used = 0;  // columns of the last line
  for (text = trim(text); !text.empty() && max > 0; text = trim(text)) {
    std::string_view word = text.substr(0, std::min(text.find_first_of(" \t\r\n"), text.size()));
    text.remove_prefix(word.size());
    int width = columns(word);
    if (!out.empty() && used + 1 + width <= max) {
      out.back().append(1, ' ').append(word);
      used += 1 + width;
      continue;
    }
    while (width > max) {  // breaks a word that is wider than the line
      std::size_t n = 0;
      for (int room = max; n < word.size();) {
        const DecodedCharacter d = decode_utf8(word.substr(n));
        if ((room -= columns(d.code_point)) < 0 && n > 0)
          break;  // one character may exceed the line
        n += d.size;
      }
      out.emplace_back(word.substr(0, n));
      word.remove_prefix(n);
      width = columns(word);
    }
    if (!word.empty()) out.emplace_back(word);
    used = word.empty() ? max : width;
  }
  return out;
}

}  // namespace pbm
