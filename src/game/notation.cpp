// SPDX-License-Identifier: MIT
#include "game/notation.hpp"

#include <algorithm>

namespace pbm {
namespace {

bool is_blank(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x2009 || c == 0x202F;
}
// The hyphen, and what phones and word processors make of it.
bool is_dash(char32_t c) { return c == '-' || (c >= 0x2010 && c <= 0x2015) || c == 0x2212; }
bool is_point(char32_t c) { return c == '.' || c == ':' || c == ','; }
bool is_x(char32_t c) { return c == 'x' || c == 'X' || c == 0xD7; }

// What a letter or digit is compared by; 0 for anything else.
char key_of(char32_t c) {
  if (c > 0x7f || !(is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c)))) return 0;
  return c == '0' ? 'o' : lower(static_cast<char>(c));
}

struct Read {
  std::string key, plain;
  bool open = false;  // it ends in something else than a letter, a digit or a blank
};

// Nothing where there is what no ply has and nobody means.
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

// Behind the first `n` letters and digits of a spelling.
std::size_t behind(std::string_view spelling, std::size_t n) {
  std::size_t at = 0;
  for (; n > 0; ++at) n -= key_of(spelling[at]) != 0;
  return at;
}

}  // namespace

Notation::Notation(const std::vector<Position::Spelling>& spellings) {
  for (const auto& s : spellings) has_x_ = has_x_ || s.typed.find('x') != std::string::npos;
  std::vector<Row> chains;
  for (const auto& [typed, ply] : spellings) {
    rows_.push_back({read(typed, true)->key, typed, ply});
    const std::size_t first = typed.find('-'), last = typed.rfind('-');
    if (first == last) continue;
    const std::string ends = typed.substr(0, first) + typed.substr(last);
    chains.push_back({read(ends, true)->key, ends, ply});
  }
  std::sort(rows_.begin(), rows_.end());
  std::sort(chains.begin(), chains.end());
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
  std::sort(rows_.begin(), rows_.end());
}

std::optional<std::string> Notation::plain(std::string_view typed) const {
  auto text = read(typed, has_x_);
  if (!text || text->open || text->key.empty()) return std::nullopt;
  return std::move(text->plain);
}

std::optional<std::string> Notation::only(std::string_view typed) const {
  const auto text = read(typed, has_x_);
  if (!text || text->open || text->key.empty()) return std::nullopt;
  std::optional<std::string> out;
  for (auto row = std::lower_bound(rows_.begin(), rows_.end(), Row{text->key, "", ""});
       row != rows_.end() && row->key == text->key; ++row) {
    if (out && *out != row->ply) return std::nullopt;
    out = row->ply;
  }
  return out;
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
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const Way& w) { return w.ply == row->ply; });
    if (known == out.end()) out.push_back({own ? row->ply : row->spelling, row->ply, at});
    else if (own) *known = {row->ply, row->ply, at};
  }
  return out;
}

}  // namespace pbm
