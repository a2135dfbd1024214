// SPDX-License-Identifier: MIT
#include "ui/theme.hpp"

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxThemeBytes = 64U << 10;  // bytes

constexpr std::array<ThemeKey, kStyleCount> kStyleKeys{
    {{"text", "text"},       {"dim", "note"},        {"title", "title"},     {"key", "key"},
     {"cap", "cap"},         {"good", "right"},      {"partial", "begun"},   {"bad", "wrong"},
     {"warning", "beware"},  {"turn", "your turn"},  {"board", "lines"},     {"empty", "free"},
     {"opening", "opening"}, {"piece1", "player 1"}, {"piece2", "player 2"}, {"piece3", "player 3"},
     {"piece4", "player 4"}, {"king1", "king 1"},    {"king2", "king 2"},    {"ball", "ball"}}};
constexpr std::array<ThemeKey, kMarkCount> kMarkKeys{{{"none", "as usual"},
                                                      {"last", "last move"},
                                                      {"win", "winning"},
                                                      {"wrong", "threatened"},
                                                      {"choice", "can be chosen"},
                                                      {"picked", "chosen"}}};
constexpr std::array<std::string_view, 8> kColourNames{"black", "red",     "green", "yellow",
                                                       "blue",  "magenta", "cyan",  "white"};

// Throws the refusal of a node; read_theme() catches it and adds the file.
[[noreturn]] void throw_theme_refusal(const YamlNode& node, const std::string& why) {
  throw yaml_refusal(node, why);
}

std::optional<int> parse_colour(std::string_view text) {
  int base = 0;
  if (text.substr(0, 7) == "bright-") {
    base = 8;
    text.remove_prefix(7);
  }
  const auto* named = std::ranges::find(kColourNames, text);
  if (named != kColourNames.end()) return base + static_cast<int>(named - kColourNames.begin());
  const auto n = read_whole_number<int>(text);
  return !base && n && *n <= 255 ? n : std::nullopt;
}

[[noreturn]] void refuse_look(const YamlNode& node, std::string_view word) {
  throw_theme_refusal(node, "'" + fit(word, 20) +
                                "' should be a colour, as red, bright-red or 208, or bold, dim, "
                                "underline or reverse");
}

Colour read_colour(const YamlNode& node, const std::string& word) {
  Colour out;
  for (std::size_t at = 0; at <= word.size();) {
    const std::size_t end = std::min(word.find('/', at), word.size());
    const auto n = parse_colour(std::string_view(word).substr(at, end - at));
    if (!n) refuse_look(node, word);
    out.choices.push_back(*n);
    at = end + 1;
  }
  return out;
}

// Returns the attribute with that name, or nullptr.
bool* find_attribute(Look& look, std::string_view name) {
  return name == "bold"        ? &look.bold
         : name == "dim"       ? &look.dim
         : name == "underline" ? &look.underline
         : name == "reverse"   ? &look.reverse
                               : nullptr;
}

// Reads a style or a mark, such as "16/black on 208/yellow bold | reverse": ink, paper and
// attributes, then the attributes without colours. Without "|" these are the same.
void read_look(const YamlNode& node, Look& look, Look& mono) {
  if (node.kind != YamlNode::Kind::scalar)
    throw_theme_refusal(node, "a look should be words, as: 16/black on 208/yellow bold");
  look = mono = Look{};
  Look* reading = &look;
  Colour* colour = &look.ink;
  for (const std::string& word : split_words(node.text)) {
    if (bool* const attribute = find_attribute(*reading, word)) *attribute = true;
    else if (word == "on") colour = &look.paper;
    else if (word == "|") reading = &mono;
    else if (reading == &mono)
      throw_theme_refusal(node, "only attributes can stand after |, not '" + fit(word, 20) + "'");
    else if (!colour->choices.empty())
      throw_theme_refusal(node, "'" + fit(word, 20) +
                                    "' is one colour too many; join colours by /, and write on "
                                    "before the colour behind the sign");
    else *colour = read_colour(node, word);
  }
  if (colour == &look.paper && colour->choices.empty())
    throw_theme_refusal(node, "a colour should follow on");
  if (reading == &mono) return;
  mono = look;
  mono.ink = mono.paper = Colour{};
}

template <std::size_t N>
void read_looks(const YamlNode& node, const std::array<ThemeKey, N>& keys,
                std::array<Look, N>& looks, std::array<Look, N>& mono) {
  if (node.kind != YamlNode::Kind::map)
    throw_theme_refusal(node, "there should be a map of names to looks");
  for (const auto& [key, value] : node.entries) {
    const auto* found = std::ranges::find(keys, key.text, &ThemeKey::name);
    if (found == keys.end())
      throw_theme_refusal(key, "there is no '" + fit(key.text, 20) + "' to style");
    const auto i = static_cast<std::size_t>(found - keys.begin());
    read_look(value, looks[i], mono[i]);
  }
}

// Reads the looks of tiles, which need colours.
void read_tiles(const YamlNode& node, std::array<std::optional<Look>, kStyleCount>& tiles) {
  std::array<Look, kStyleCount> looks, unused;
  read_looks(node, kStyleKeys, looks, unused);
  for (std::size_t i = 0; i < kStyleCount; ++i)
    if (node.find(kStyleKeys[i].name)) tiles[i] = looks[i];
}

// Returns the theme files by name; an earlier directory takes precedence.
std::map<std::string, std::filesystem::path> find_theme_files(
    const std::vector<std::filesystem::path>& directories) {
  std::map<std::string, std::filesystem::path> out;
  for (const auto& directory : directories) {
    std::error_code error;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end;
         it.increment(error))
      if (it->path().extension() == ".yaml")
        out.try_emplace(it->path().stem().string(), it->path());
  }
  return out;
}

Result<Theme> read_theme_file(const std::filesystem::path& file) {
  const auto text = read_file(file, kMaxThemeBytes);
  if (!text) return text.refusal();
  return read_theme(*text, file.filename().string());
}

}  // namespace

std::span<const ThemeKey> style_keys() { return kStyleKeys; }
std::span<const ThemeKey> mark_keys() { return kMarkKeys; }

int pick_colour(const Colour& colour, int colours) {
  for (const int wish : colour.choices) {
    // Only with 256 colours do the numbers from 16 on mean this palette. A terminal with millions
    // reads them as red, green and blue.
    if (wish < 16 ? wish < colours : colours == 256) return wish;
    // With only eight colours, a bright colour becomes the plain one.
    if (wish < 16 && wish - 8 < colours && colours > 0) return wish - 8;
  }
  return -1;
}

Look Theme::find_look(Style style, Mark mark, bool is_tile, bool has_colours) const {
  const auto s = static_cast<std::size_t>(style), m = static_cast<std::size_t>(mark);
  const bool has_tile = is_tile && tiles[s] && has_colours;
  if (has_tile && is_piece(style)) {
    Look out = *tiles[s];
    if (mark == Mark::last && last_tiles[s]) out = *last_tiles[s];
    else if (mark == Mark::last) out.bold = out.underline = true;
    if (mark == Mark::choice) out.underline = true;
    if (mark == Mark::picked) out.reverse = !out.reverse;
    if (mark == Mark::picked || mark == Mark::win) out.bold = true;
    return out;
  }
  Look out = has_tile ? *tiles[s] : has_colours ? styles[s] : mono_styles[s];
  const Look& over = has_colours ? marks[m] : mono_marks[m];
  if (!over.ink.choices.empty()) out.ink = over.ink;
  if (!over.paper.choices.empty()) out.paper = over.paper;
  out.bold |= over.bold;
  out.dim |= over.dim;
  out.underline |= over.underline;
  out.reverse = out.reverse != over.reverse;
  return out;
}

Theme plain_theme() {
  Theme theme;
  theme.name = "plain";
  const auto both = [&](Style s) -> Look& { return theme.styles[static_cast<std::size_t>(s)]; };
  both(Style::title).bold = true;
  both(Style::bad).bold = true;
  both(Style::warning).bold = true;
  both(Style::turn).bold = true;
  both(Style::piece1).bold = both(Style::king1).bold = both(Style::ball).bold = true;
  // These must differ on every style, and a style may already be bold.
  Look& last = theme.marks[static_cast<std::size_t>(Mark::last)];
  last.underline = last.reverse = true;
  theme.marks[static_cast<std::size_t>(Mark::win)].reverse = true;
  theme.marks[static_cast<std::size_t>(Mark::wrong)].reverse = true;
  theme.marks[static_cast<std::size_t>(Mark::choice)].underline = true;
  theme.marks[static_cast<std::size_t>(Mark::picked)].reverse = true;
  theme.mono_styles = theme.styles;
  theme.mono_marks = theme.marks;
  return theme;
}

Result<Theme> read_theme(std::string_view text, const std::string& file) try {
  const auto root = value_or_throw(read_yaml(text));
  Theme theme = plain_theme();
  for (const auto& [key, value] : root.entries) {
    if (key.text == "name") theme.name = safe_text(value.text);
    else if (key.text == "about") theme.description = safe_text(value.text);
    else if (key.text == "styles") read_looks(value, kStyleKeys, theme.styles, theme.mono_styles);
    else if (key.text == "marks") read_looks(value, kMarkKeys, theme.marks, theme.mono_marks);
    else if (key.text == "tiles") read_tiles(value, theme.tiles);
    else if (key.text == "last-tiles") read_tiles(value, theme.last_tiles);
    else
      throw_theme_refusal(key, "a theme has no key '" + fit(key.text, 20) +
                                   "'; use name, about, styles, tiles, last-tiles or marks");
  }
  return theme;
} catch (const Refusal& refusal) {
  return Refusal{safe_text(file) + ", " + refusal.reason, refusal.offset};
}

Result<Theme> find_theme(const std::string& name,
                         const std::vector<std::filesystem::path>& directories) {
  if (name.find('/') != std::string::npos || name.ends_with(".yaml")) return read_theme_file(name);
  const auto files = find_theme_files(directories);
  if (const auto found = files.find(name); found != files.end())
    return read_theme_file(found->second);
  std::vector<std::string> known;
  for (const auto& [stem, file] : files) known.push_back(safe_text(stem));
  if (known.empty())
    return Refusal{"There are no themes" +
                   (directories.empty() ? "" : " in " + safe_text(directories.back().string())) +
                   ". Install pbmplay with all its files, or name their place in PBMPLAY_DATA."};
  return Refusal{"There is no theme '" + fit(name, 30) + "'. Choose " + join_with_or(known) + "."};
}

std::vector<ListedTheme> list_themes(const std::vector<std::filesystem::path>& directories) {
  std::vector<ListedTheme> out;
  for (const auto& [stem, file] : find_theme_files(directories))
    out.push_back({stem, read_theme_file(file)});
  return out;
}

}  // namespace pbm
