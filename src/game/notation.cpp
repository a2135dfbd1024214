// SPDX-License-Identifier: MIT
#include "game/notation.hpp"

#include <algorithm>
#include <tuple>

#include "base/text.hpp"

namespace pbm {
namespace {

bool is_blank(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x2009 || c == 0x202F;
}
// Hyphen, the dashes that phones and word processors write, and the minus sign.
bool is_dash(char32_t c) { return c == '-' || (c >= 0x2010 && c <= 0x2015) || c == 0x2212; }
bool is_point(char32_t c) { return c == '.' || c == ':' || c == ','; }
bool is_x(char32_t c) { return c == 'x' || c == 'X' || c == 0xD7; }

// Returns the comparison key of a letter or digit, or 0 for another character.
char key_of(char32_t c) {
  if (c > 0x7f || !(is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)))) return 0;
  return c == '0' ? 'o' : lower(static_cast<char>(c));
}

struct Read {
  std::string key, plain;
  bool open = false;  // true if the last character, blanks aside, is punctuation
};

// Returns nothing if the text has a character that cannot be part of a ply.
std::optional<Read> read(std::string_view typed, bool has_x) {
  Read out;
  for (std::size_t at = 0; at < typed.size();) {
    const Decoded d = decode_utf8(typed.substr(at));
    if (!d.valid) return std::nullopt;
    const bool x = is_x(d.c) && !(has_x && d.c < 0x80);
    const bool sign = x || is_dash(d.c) || is_point(d.c);
    if (sign && out.key.empty()) return std::nullopt;
    if (sign) {
      out.open = true;
    } else if (const char key = key_of(d.c)) {
      out.key += key;
      out.plain += typed[at];
      out.open = false;
    } else if (!is_blank(d.c)) {
      return std::nullopt;
    }
    at += d.bytes;
  }
  return out;
}

bool any_x(const std::vector<Spelling>& spellings) {
  return std::ranges::any_of(
      spellings, [](const Spelling& s) { return s.typed.find('x') != std::string::npos; });
}

// True if `key` equals the keys of `spelling` followed by those of `rest`.
bool has_key(std::string_view key, std::string_view spelling, std::string_view rest = {}) {
  for (const std::string_view part : {spelling, rest})
    for (const char c : part) {
      const char k = key_of(static_cast<unsigned char>(c));
      if (k == 0) continue;
      if (key.empty() || key.front() != k) return false;
      key.remove_prefix(1);
    }
  return key.empty();
}

// Returns the offset after the first `n` letters and digits of a spelling.
std::size_t behind(std::string_view spelling, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0; ++at) n -= key_of(static_cast<unsigned char>(spelling[at])) != 0;
  return at;
}

}  // namespace

std::optional<Meant> meant_by(std::string_view typed, const std::vector<Spelling>& spellings) {
  auto text = read(typed, any_x(spellings));
  if (!text || text->open || text->key.empty()) return std::nullopt;
  const auto only = [&](auto matches) {
    const std::string* found = nullptr;
    bool another = false;
    for (const auto& s : spellings)
      if (matches(std::string_view(s.typed))) {
        another = another || (found && *found != s.ply);
        found = &s.ply;
      }
    return std::pair(found, another);
  };
  auto [found, another] = only([&](std::string_view s) { return has_key(text->key, s); });
  if (!found)
    std::tie(found, another) = only([&](std::string_view s) {
      const std::size_t first = s.find('-'), last = s.rfind('-');
      return first != last && has_key(text->key, s.substr(0, first), s.substr(last));
    });
  Meant out{std::move(text->plain), std::nullopt};
  if (found && !another) out.ply = *found;
  return out;
}

Notation::Notation(const std::vector<Spelling>& spellings) {
  has_x_ = any_x(spellings);
  std::vector<Row> chains;
  for (const auto& [typed, ply] : spellings) {
    rows_.push_back({read(typed, true)->key, typed, ply});
    const std::size_t first = typed.find('-'), last = typed.rfind('-');
    if (first == last) continue;
    const std::string ends = typed.substr(0, first) + typed.substr(last);
    chains.push_back({read(ends, true)->key, ends, ply});
  }
  std::ranges::sort(rows_);
  std::ranges::sort(chains);
  std::vector<Row> alone;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const auto same = [&](std::size_t j) {
      return j < chains.size() && chains[j].key == chains[i].key && chains[j].ply != chains[i].ply;
    };
    const auto whole = std::lower_bound(rows_.begin(), rows_.end(), Row{chains[i].key, "", ""});
    if (!same(i + 1) && !same(i - 1) && (whole == rows_.end() || whole->key != chains[i].key))
      alone.push_back(chains[i]);
  }
  rows_.insert(rows_.end(), alone.begin(), alone.end());
  std::ranges::sort(rows_);
}

std::vector<Notation::Way> Notation::ways_on(std::string_view typed) const {
  std::vector<Way> out;
  const auto text = read(typed, has_x_);
  if (!text || text->key.empty()) return out;
  for (auto row = std::lower_bound(rows_.begin(), rows_.end(), Row{text->key, "", ""});
       row != rows_.end() && row->key.starts_with(text->key); ++row) {
    const std::size_t at = behind(row->spelling, text->key.size());
    if (text->open && row->spelling.substr(at, 1) != "-") continue;
    const bool own = lower(row->ply) == row->spelling;
    const auto known = std::ranges::find_if(out, [&](const Way& w) { return w.ply == row->ply; });
    if (known == out.end()) out.push_back({own ? row->ply : row->spelling, row->ply, at});
    else if (own) *known = {row->ply, row->ply, at};
  }
  return out;
}

}  // namespace pbm
