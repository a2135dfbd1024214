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

struct LooseText {
  std::string key, plain_text;
  bool ends_with_punctuation = false;  // true if the last character, blanks aside, is punctuation
};

// Returns nothing if the text has a character that cannot be part of a ply.
std::optional<LooseText> parse_loose_text(std::string_view typed, bool has_x) {
  LooseText out;
  for (std::size_t at = 0; at < typed.size();) {
    const DecodedCharacter d = decode_utf8(typed.substr(at));
    if (!d.is_valid) return std::nullopt;
    const bool x = is_x(d.code_point) && !(has_x && d.code_point < 0x80);
    const bool sign = x || is_dash(d.code_point) || is_point(d.code_point);
    if (sign && out.key.empty()) return std::nullopt;
    if (sign) {
      out.ends_with_punctuation = true;
    } else if (const char key = key_of(d.code_point)) {
      out.key += key;
      out.plain_text += typed[at];
      out.ends_with_punctuation = false;
    } else if (!is_blank(d.code_point)) {
      return std::nullopt;
    }
    at += d.size;
  }
  return out;
}

bool has_any_x(const std::vector<Spelling>& spellings) {
  return std::ranges::any_of(
      spellings, [](const Spelling& s) { return s.text.find('x') != std::string::npos; });
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
std::size_t offset_after(std::string_view spelling, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0; ++at) n -= key_of(static_cast<unsigned char>(spelling[at])) != 0;
  return at;
}

}  // namespace

std::optional<LooseReading> read_loosely(std::string_view typed,
                                         const std::vector<Spelling>& spellings) {
  auto text = parse_loose_text(typed, has_any_x(spellings));
  if (!text || text->ends_with_punctuation || text->key.empty()) return std::nullopt;
  const auto only = [&](auto matches) {
    const std::string* found = nullptr;
    bool another = false;
    for (const auto& s : spellings)
      if (matches(std::string_view(s.text))) {
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
  LooseReading out{std::move(text->plain_text), std::nullopt};
  if (found && !another) out.ply = *found;
  return out;
}

SpellingIndex::SpellingIndex(const std::vector<Spelling>& spellings) {
  has_x_ = has_any_x(spellings);
  std::vector<Entry> chains;
  for (const auto& [typed, ply] : spellings) {
    entries_.push_back({parse_loose_text(typed, true)->key, typed, ply});
    const std::size_t first = typed.find('-'), last = typed.rfind('-');
    if (first == last) continue;
    const std::string ends = typed.substr(0, first) + typed.substr(last);
    chains.push_back({parse_loose_text(ends, true)->key, ends, ply});
  }
  std::ranges::sort(entries_);
  std::ranges::sort(chains);
  std::vector<Entry> alone;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const auto same = [&](std::size_t j) {
      return j < chains.size() && chains[j].key == chains[i].key && chains[j].ply != chains[i].ply;
    };
    const auto whole =
        std::lower_bound(entries_.begin(), entries_.end(), Entry{chains[i].key, "", ""});
    if (!same(i + 1) && !same(i - 1) && (whole == entries_.end() || whole->key != chains[i].key))
      alone.push_back(chains[i]);
  }
  entries_.insert(entries_.end(), alone.begin(), alone.end());
  std::ranges::sort(entries_);
}

std::vector<SpellingIndex::Completion> SpellingIndex::completions(std::string_view typed) const {
  std::vector<Completion> out;
  const auto text = parse_loose_text(typed, has_x_);
  if (!text || text->key.empty()) return out;
  for (auto row = std::lower_bound(entries_.begin(), entries_.end(), Entry{text->key, "", ""});
       row != entries_.end() && row->key.starts_with(text->key); ++row) {
    const std::size_t at = offset_after(row->spelling, text->key.size());
    if (text->ends_with_punctuation && row->spelling.substr(at, 1) != "-") continue;
    const bool own = lower(row->ply) == row->spelling;
    const auto known =
        std::ranges::find_if(out, [&](const Completion& w) { return w.ply == row->ply; });
    if (known == out.end()) out.push_back({own ? row->ply : row->spelling, row->ply, at});
    else if (own) *known = {row->ply, row->ply, at};
  }
  return out;
}

}  // namespace pbm
