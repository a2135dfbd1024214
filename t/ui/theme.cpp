// SPDX-License-Identifier: MIT
// Themes: those of the program style everything. A refusal of a broken one names its file, line and
// key.
#include "ui/theme.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

#include "save/yaml.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

std::string theme_refusal(std::string_view text) {
  const auto theme = read_theme(text, "x.yaml");
  return theme ? "accepted" : theme.refusal().reason;
}

}  // namespace

TEST_CASE("the themes that come with the program style every role and mark", "[theme]") {
  std::vector<std::string> found;
  for (const auto& file : fs::directory_iterator(source_root() / "themes")) {
    const std::string text = read_bytes(file.path());
    INFO(file.path());
    const auto theme = read_theme(text, file.path().filename().string());
    INFO((theme ? "" : theme.refusal().reason));
    REQUIRE(theme.ok());
    CHECK(theme->name == file.path().stem().string());
    CHECK_FALSE(theme->description.empty());
    found.push_back(theme->name);
    const auto yaml = read_yaml(text);
    if (theme->name != "mono")
      for (std::size_t i = static_cast<std::size_t>(Style::piece1); i < kStyleCount; ++i)
        for (const char* section : {"tiles", "last-tiles"}) {
          INFO(section << " " << style_keys()[i].name);
          REQUIRE(yaml->find(section) != nullptr);
          CHECK(yaml->find(section)->find(style_keys()[i].name) != nullptr);
        }
    for (const auto& [key, names] : std::map<std::string, std::span<const ThemeKey>>{
             {"styles", style_keys()}, {"marks", mark_keys()}}) {
      REQUIRE(yaml->find(key) != nullptr);
      for (const auto& [name, about] : names) {
        INFO(key << " " << name);
        // Some styles keep the terminal's own colour; in the monochrome theme, all may.
        const bool plain = name == "none" || name == "text" || name == "good" ||
                           name == "partial" || theme->name == "mono";
        CHECK((plain || yaml->find(key)->find(name) != nullptr));
      }
    }
  }
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::string>{"amber", "contrast", "default", "light", "mono", "paper",
                                          "sixteen"});
}

TEST_CASE("a terminal gets the first colour of those wished that it has", "[theme]") {
  CHECK(pick_colour({{214, 3}}, 256) == 214);
  CHECK(pick_colour({{214, 3}}, 16) == 3);
  CHECK(pick_colour({{214, 3}}, 88) == 3);
  CHECK(pick_colour({{75, 12}}, 8) == 4);
  CHECK(pick_colour({{12}}, 16) == 12);
  CHECK(pick_colour({{75}}, 8) == -1);
  CHECK(pick_colour({}, 256) == -1);
  CHECK(pick_colour({{1}}, 0) == -1);
}

// --- whether eyes can tell ---------------------------------------------------

namespace {

using Vector3 = std::array<double, 3>;

// Returns the colour that xterm shows for a number, as red, green and blue from 0 to 1, linear in
// light.
Vector3 linear_light(int colour) {
  static constexpr std::array<std::array<int, 3>, 16> basic{{{0, 0, 0},
                                                             {205, 0, 0},
                                                             {0, 205, 0},
                                                             {205, 205, 0},
                                                             {0, 0, 238},
                                                             {205, 0, 205},
                                                             {0, 205, 205},
                                                             {229, 229, 229},
                                                             {127, 127, 127},
                                                             {255, 0, 0},
                                                             {0, 255, 0},
                                                             {255, 255, 0},
                                                             {92, 92, 255},
                                                             {255, 0, 255},
                                                             {0, 255, 255},
                                                             {255, 255, 255}}};
  const auto step = [](int n) { return n == 0 ? 0 : 55 + 40 * n; };
  const int n = colour - 16, grey = 8 + 10 * (colour - 232);
  const std::array<int, 3> rgb =
      colour < 16    ? basic[static_cast<std::size_t>(colour)]
      : colour < 232 ? std::array<int, 3>{step(n / 36), step(n / 6 % 6), step(n % 6)}
                     : std::array<int, 3>{grey, grey, grey};
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double v = rgb[i] / 255.0;
    out[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return out;
}

Vector3 multiply(const std::array<Vector3, 3>& matrix, const Vector3& v) {
  Vector3 out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
  return out;
}

// The matrices for normal sight, and for the two kinds of red-green blindness at their strongest
// (Machado, Oliveira and Fernandes 2009).
const std::vector<std::pair<std::string, std::array<Vector3, 3>>>& sight_matrices() {
  static const std::vector<std::pair<std::string, std::array<Vector3, 3>>> all{
      {"usual sight", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"protanopia",
       {{{0.152286, 1.052583, -0.204868},
         {0.114503, 0.786281, 0.099216},
         {-0.003882, -0.048116, 1.051998}}}},
      {"deuteranopia",
       {{{0.367322, 0.860646, -0.227968},
         {0.280085, 0.672501, 0.047413},
         {-0.011820, 0.042940, 0.968881}}}},
  };
  return all;
}

// Returns CIELAB values under daylight.
Vector3 to_lab(const Vector3& light) {
  static constexpr std::array<Vector3, 3> to_xyz{
      {{0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505},
       {0.2126, 0.7152, 0.0722},
       {0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089}}};
  Vector3 f = multiply(to_xyz, {std::clamp(light[0], 0.0, 1.0), std::clamp(light[1], 0.0, 1.0),
                                std::clamp(light[2], 0.0, 1.0)});
  for (double& v : f) v = v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116.0;
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

double lab_distance(const Vector3& a, const Vector3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

// Returns the contrast as the accessibility guidelines (WCAG) define it, from 1 to 21.
double contrast_ratio(int a, int b) {
  const auto luminance = [](int colour) {
    const Vector3 l = linear_light(colour);
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2] + 0.05;
  };
  return std::max(luminance(a), luminance(b)) / std::min(luminance(a), luminance(b));
}

// A terminal: its number of colours, and its own ink and paper.
struct TerminalColours {
  int colour_count, ink, paper;
  std::string name() const {
    return std::to_string(colour_count) + " colours on " + std::to_string(paper);
  }
};

// A cell as the player sees it: colours after reverse, and attributes.
struct CellAppearance {
  int ink, paper;
  bool is_bold, is_underlined, is_dim;
};

// True if the board shows a piece of this style with this mark as a tile.
bool is_tile(Style style, Mark mark, const TerminalColours& eyes) {
  return style >= Style::piece1 && mark != Mark::wrong && eyes.colour_count > 0;
}

// True if a large board shows an empty square of this style as a tile.
bool is_square_tile(Style style, const TerminalColours& eyes) {
  return (style == Style::empty || style == Style::opening) && eyes.colour_count > 0;
}

CellAppearance cell_appearance(const Theme& theme, Style style, Mark mark,
                               const TerminalColours& eyes, bool tile) {
  const Look look = theme.find_look(style, mark, tile, eyes.colour_count > 0);
  int ink = pick_colour(look.ink, eyes.colour_count),
      paper = pick_colour(look.paper, eyes.colour_count);
  if (ink < 0) ink = eyes.ink;
  if (paper < 0) paper = eyes.paper;
  if (look.reverse) std::swap(ink, paper);
  return {ink, paper, look.bold, look.underline, look.dim};
}
CellAppearance cell_appearance(const Theme& theme, Style style, Mark mark,
                               const TerminalColours& eyes) {
  return cell_appearance(theme, style, mark, eyes, is_tile(style, mark, eyes));
}

// Returns the looks of two cells on one board. Beside a winning line, pieces have no tiles.
std::pair<CellAppearance, CellAppearance> pair_appearance(const Theme& theme, Style style, Mark a,
                                                          Mark b, const TerminalColours& eyes) {
  const bool first = is_tile(style, a, eyes) && b != Mark::win;
  return {cell_appearance(theme, style, a, eyes, first), cell_appearance(theme, style, b, eyes)};
}

// Returns the difference of two looks for the kind of sight that sees it least.
double visible_difference(const CellAppearance& a, const CellAppearance& b) {
  if (a.is_bold != b.is_bold || a.is_underlined != b.is_underlined || a.is_dim != b.is_dim)
    return 100;
  double least = 1000;
  for (const auto& sight : sight_matrices()) {
    const auto lab = [&](int colour) {
      return to_lab(multiply(sight.second, linear_light(colour)));
    };
    least = std::min(least, std::max(lab_distance(lab(a.ink), lab(b.ink)),
                                     lab_distance(lab(a.paper), lab(b.paper))));
  }
  return least;
}

constexpr double kMinDifference =
    20;  // in CIELAB: two letters with this difference are clearly not the same

std::vector<Theme> shipped_themes() {
  std::vector<Theme> out;
  for (const ListedTheme& t : list_themes({source_root() / "themes"})) {
    INFO(t.name);
    REQUIRE(t.theme.ok());
    out.push_back(*t.theme);
  }
  REQUIRE(out.size() >= 4);
  out.push_back(plain_theme());
  return out;
}

// Returns the terminals for which a theme is: of all kinds, or those of its background. A theme
// with its own paper looks the same on black and white.
std::vector<TerminalColours> terminal_kinds(const Theme& theme) {
  const bool dark_only = theme.name == "default" || theme.name == "sixteen",
             light_only = theme.name == "light";
  std::vector<TerminalColours> out;
  for (const TerminalColours& eyes : {TerminalColours{256, 231, 16},
                                      {256, 252, 234},
                                      {256, 16, 231},
                                      {256, 235, 255},
                                      {16, 7, 16},
                                      {8, 7, 16},
                                      {8, 16, 231},
                                      {0, 231, 16},
                                      {0, 16, 231}}) {
    const bool is_dark = eyes.paper == 16 || eyes.paper == 234;
    if ((is_dark && light_only) || (!is_dark && dark_only)) continue;
    if (theme.name == "sixteen" && eyes.colour_count == 256) continue;
    out.push_back(eyes);
  }
  return out;
}

const std::vector<Style> kBoardStyles{Style::board,  Style::empty,  Style::opening, Style::piece1,
                                      Style::piece2, Style::piece3, Style::piece4,  Style::king1,
                                      Style::king2,  Style::ball};
std::string theme_key_name(Style style) {
  return std::string(style_keys()[static_cast<std::size_t>(style)].name);
}
std::string theme_key_name(Mark mark) {
  return std::string(mark_keys()[static_cast<std::size_t>(mark)].name);
}

}  // namespace

TEST_CASE("light and distance of colours are what colour science says", "[theme]") {
  CHECK(contrast_ratio(16, 231) == Approx(21));
  CHECK(to_lab(linear_light(231))[0] == Approx(100).margin(0.1));
  CHECK(to_lab(linear_light(9))[0] == Approx(53.2).margin(0.2));
  CHECK(to_lab(linear_light(9))[1] == Approx(80.1).margin(0.3));
  CHECK(to_lab(linear_light(9))[2] == Approx(67.2).margin(0.3));
  // Greys stay grey for all; red and green come close in red-green blindness.
  for (const auto& [name, sight] : sight_matrices())
    CHECK(lab_distance(to_lab(multiply(sight, linear_light(244))), to_lab(linear_light(244))) < 1);
  const auto& deutan = sight_matrices()[2].second;
  CHECK(lab_distance(to_lab(multiply(deutan, linear_light(131))),
                     to_lab(multiply(deutan, linear_light(65)))) <
        lab_distance(to_lab(linear_light(131)), to_lab(linear_light(65))) / 2);
}

TEST_CASE(
    "marks that stand on one board together can be told on every style of it, without colours too",
    "[theme]") {
  const std::vector<std::pair<Mark, Mark>> together{
      {Mark::none, Mark::last},   {Mark::none, Mark::win},    {Mark::none, Mark::wrong},
      {Mark::none, Mark::choice}, {Mark::none, Mark::picked}, {Mark::last, Mark::win},
      {Mark::last, Mark::choice}, {Mark::last, Mark::picked}, {Mark::choice, Mark::picked}};
  for (const Theme& theme : shipped_themes())
    for (const TerminalColours& eyes : terminal_kinds(theme))
      for (const Style style : kBoardStyles)
        for (const auto& [a, b] : together) {
          INFO(theme.name << ", " << eyes.name() << ", " << theme_key_name(style) << ": "
                          << theme_key_name(a) << " and " << theme_key_name(b));
          const auto [x, y] = pair_appearance(theme, style, a, b, eyes);
          CHECK(visible_difference(x, y) >= kMinDifference);
          if (is_square_tile(style, eyes) && b != Mark::win)
            CHECK(visible_difference(cell_appearance(theme, style, a, eyes, true),
                                     cell_appearance(theme, style, b, eyes, true)) >=
                  kMinDifference);
        }
}

TEST_CASE("where there are colours the marks on a board are told by them, and can be read",
          "[theme]") {
  const std::vector<std::pair<Mark, Mark>> together{
      {Mark::none, Mark::last},   {Mark::none, Mark::choice}, {Mark::none, Mark::picked},
      {Mark::last, Mark::choice}, {Mark::last, Mark::picked}, {Mark::choice, Mark::picked}};
  const auto& usual = sight_matrices()[0].second;
  const auto lab = [&](int colour) { return to_lab(multiply(usual, linear_light(colour))); };
  for (const Theme& theme : shipped_themes()) {
    if (theme.name == "mono" || theme.name == "plain") continue;
    CHECK(theme.marks[static_cast<std::size_t>(Mark::win)].bold);
    for (const TerminalColours& eyes : terminal_kinds(theme)) {
      if (eyes.colour_count != 256) continue;
      for (const Style style : kBoardStyles) {
        for (const auto& [a, b] : together) {
          // The style of an opening is green even without a mark.
          if (style == Style::opening && (a == Mark::choice || b == Mark::choice)) continue;
          // A line shows on a tile that can be chosen, and on the last move's origin.
          if (style >= Style::piece1 && a == Mark::none && b == Mark::choice) continue;
          if (style < Style::piece1 && (a == Mark::last || b == Mark::last)) continue;
          INFO(theme.name << ", " << eyes.name() << ", " << theme_key_name(style) << ": "
                          << theme_key_name(a) << " and " << theme_key_name(b));
          const CellAppearance x = cell_appearance(theme, style, a, eyes),
                               y = cell_appearance(theme, style, b, eyes);
          CHECK(std::max(lab_distance(lab(x.ink), lab(y.ink)),
                         lab_distance(lab(x.paper), lab(y.paper))) >= kMinDifference);
        }
        for (const Mark mark : {Mark::last, Mark::win, Mark::choice, Mark::picked}) {
          const CellAppearance s = cell_appearance(theme, style, mark, eyes);
          INFO(theme.name << ", " << eyes.name() << ", " << theme_key_name(style) << ": "
                          << theme_key_name(mark));
          CHECK(contrast_ratio(s.ink, s.paper) >= (is_tile(style, mark, eyes) ? 4.5 : 3));
          const CellAppearance square = cell_appearance(theme, style, mark, eyes, true);
          if (is_square_tile(style, eyes)) CHECK(contrast_ratio(square.ink, square.paper) >= 3);
        }
      }
    }
  }
}

TEST_CASE("what is typed wrongly, and what a sentence is about, shows without colours", "[theme]") {
  const std::vector<std::pair<Style, Style>> told{
      {Style::good, Style::bad},   {Style::partial, Style::bad}, {Style::good, Style::warning},
      {Style::text, Style::title}, {Style::text, Style::turn},   {Style::dim, Style::turn}};
  for (const Theme& theme : shipped_themes())
    for (const TerminalColours& eyes : terminal_kinds(theme)) {
      for (const auto& [a, b] : told) {
        INFO(theme.name << ", " << eyes.name() << ": " << theme_key_name(a) << " and "
                        << theme_key_name(b));
        CHECK(visible_difference(cell_appearance(theme, a, Mark::none, eyes),
                                 cell_appearance(theme, b, Mark::none, eyes)) >= kMinDifference);
      }
      INFO(theme.name << ", " << eyes.name());
      CHECK(visible_difference(cell_appearance(theme, Style::text, Mark::none, eyes),
                               cell_appearance(theme, Style::bad, Mark::wrong, eyes)) >=
            kMinDifference);
    }
}

TEST_CASE(
    "the sides, their kings and the ball can be told by everybody who is shown colours, as the "
    "last move too",
    "[theme]") {
  using enum Style;
  const std::vector<std::pair<Style, Style>> told{
      {piece1, piece2}, {piece1, piece3}, {piece1, piece4}, {piece2, piece3}, {piece2, piece4},
      {piece3, piece4}, {king1, king2},   {king1, piece1},  {king2, piece2},  {king1, piece2},
      {king2, piece1},  {ball, piece1},   {ball, piece2}};
  for (const Theme& theme : shipped_themes()) {
    if (theme.name == "mono" || theme.name == "plain") continue;
    for (const TerminalColours& eyes : terminal_kinds(theme)) {
      if (eyes.colour_count == 0) continue;
      for (const auto& [a, b] : told)
        for (const Mark mark : {Mark::none, Mark::last}) {
          INFO(theme.name << ", " << eyes.name() << ", " << theme_key_name(mark) << ": "
                          << theme_key_name(a) << " and " << theme_key_name(b));
          CHECK(visible_difference(cell_appearance(theme, a, mark, eyes),
                                   cell_appearance(theme, b, mark, eyes)) >= kMinDifference);
        }
    }
  }
}

TEST_CASE("every ink can be read on its paper, and every sign on its tile", "[theme]") {
  for (const Theme& theme : shipped_themes())
    for (const TerminalColours& eyes : terminal_kinds(theme))
      for (std::size_t i = 0; i < kStyleCount; ++i)
        for (const bool tile : {false, true}) {
          const auto style = static_cast<Style>(i);
          const bool own_paper = !theme.styles[0].paper.choices.empty();
          // No eight colours are readable on both black and white, so only black counts, unless
          // the theme has its own paper.
          if (eyes.colour_count == 8 && eyes.paper != 16 && !own_paper) continue;
          if (tile && !is_tile(style, Mark::none, eyes) && !is_square_tile(style, eyes)) continue;
          const CellAppearance s = cell_appearance(theme, style, Mark::none, eyes, tile);
          INFO(theme.name << ", " << eyes.name() << ": " << theme_key_name(style)
                          << (tile ? ", tile, " : ", ") << s.ink << " on " << s.paper);
          // Lines are no text; the few colours differ from terminal to terminal.
          const bool strict = eyes.colour_count == 256 && style != Style::board;
          CHECK(contrast_ratio(s.ink, s.paper) >= (strict ? 4.5 : 3));
          // With eight colours, terminals often show bold in the bright colour.
          if (eyes.colour_count == 8 && s.is_bold && s.ink < 8)
            CHECK(contrast_ratio(s.ink + 8, s.paper) >= (tile ? 1.5 : 3));
        }
}

TEST_CASE("the monochrome theme has no colours", "[theme]") {
  const Theme theme = *read_theme(read_bytes(source_root() / "themes" / "mono.yaml"), "mono.yaml");
  for (const Look& look : theme.styles)
    CHECK((look.ink.choices.empty() && look.paper.choices.empty()));
  for (const Look& look : theme.marks)
    CHECK((look.ink.choices.empty() && look.paper.choices.empty()));
}

TEST_CASE("a theme says what looks how", "[theme]") {
  const auto theme = read_theme(
      "name: mine\nabout: 'a ''try'''\nstyles:\n  piece1: 208/bright-red on black bold underline | "
      "reverse\n  piece2: 255\nmarks: {win: reverse}\n",
      "x.yaml");
  REQUIRE(theme.ok());
  CHECK(theme->name == "mine");
  CHECK(theme->description == "a 'try'");
  const Look& one = theme->styles[static_cast<std::size_t>(Style::piece1)];
  CHECK(one.ink.choices == std::vector<int>{208, 9});
  CHECK(one.paper.choices == std::vector<int>{0});
  CHECK(one.bold);
  CHECK(one.underline);
  CHECK_FALSE(one.reverse);
  const Look& mono = theme->mono_styles[static_cast<std::size_t>(Style::piece1)];
  CHECK(mono.reverse);
  CHECK_FALSE(mono.bold);
  CHECK(theme->styles[static_cast<std::size_t>(Style::piece2)].ink.choices ==
        std::vector<int>{255});
  CHECK(theme->styles[static_cast<std::size_t>(Style::title)].bold);
}

TEST_CASE("a theme without some tiles draws them as the style with the mark", "[theme]") {
  const auto theme = read_theme(
      "styles:\n  piece1: 220\n  piece2: 33\ntiles:\n  piece1: 16 on 220\nlast-tiles:\n"
      "  piece2: on 40\nmarks: {last: reverse}\n",
      "x.yaml");
  REQUIRE(theme.ok());
  const Look one = theme->find_look(Style::piece1, Mark::none, true, true),
             last_one = theme->find_look(Style::piece1, Mark::last, true, true),
             two = theme->find_look(Style::piece2, Mark::none, true, true),
             last_two = theme->find_look(Style::piece2, Mark::last, true, true);
  CHECK(one.paper.choices == std::vector<int>{220});
  CHECK(last_one.paper.choices == std::vector<int>{220});
  CHECK((last_one.bold && last_one.underline));
  CHECK(two.ink.choices == std::vector<int>{33});
  CHECK(last_two.ink.choices == std::vector<int>{33});
  CHECK(last_two.reverse);
}

TEST_CASE("a broken theme names file, line and key", "[theme]") {
  const std::map<std::string, std::string> broken{
      {"", "line 1: there should be lines of the form 'key: value'."},
      {"- a\n", "line 1: there should be lines of the form 'key: value'."},
      {"name: x\ncolours: {}\n",
       "line 2: a theme has no key 'colours'; use name, about, styles, tiles, last-tiles or "
       "marks."},
      {"name: x\nname: y\n", "line 2: the key 'name' appears twice."},
      {"styles:\n  piece9: red\n", "line 2: there is no 'piece9' to style."},
      {"marks:\n  first: red\n", "line 2: there is no 'first' to style."},
      {"styles: [a]\n", "line 1: there should be a map of names to looks."},
      {"styles:\n  title: {ink: red}\n",
       "line 2: a look should be words, as: 16/black on 208/yellow bold."},
      {"styles:\n  title: [bold]\n",
       "line 2: a look should be words, as: 16/black on 208/yellow bold."},
      {"name: &a x\nabout: *a\n", "line 1: an anchor (&name) is not allowed in this file."},
      {"name: \x1b[2J\n", "line 1: a control character is not allowed in this file."},
  };
  for (const auto& [text, why] : broken) CHECK(theme_refusal(text) == "x.yaml, " + why);
  for (const char* word :
       {"red blue", "red on blue green", "bold | red", "red on", "on", "on bold"}) {
    const std::string why =
        theme_refusal("styles:\n  dim: 245\n  title: " + std::string(word) + "\n");
    INFO(word << ": " << why);
    CHECK(contains(why, "x.yaml, line 3: "));
    CHECK(contains(why, "colour") != contains(why, "attributes"));
    CHECK_FALSE(contains(why, "should be a colour"));
  }
  for (const char* word :
       {"reddish", "256", "-1", "bright-9", "208/", "/208", "208//red", "blink", "\"\\e[5m\""}) {
    INFO(word);
    const std::string why =
        theme_refusal("styles:\n  dim: 245\n  title: " + std::string(word) + "\n");
    CHECK(contains(why, "x.yaml, line 3: '"));
    CHECK(contains(why, "should be a colour"));
    CHECK(why == safe_text(why));
  }
}

TEST_CASE("a theme's words are harmless", "[theme]") {
  const auto theme = read_theme("name: \"\\e[2J\"\nabout: \"\\n\"\n", "x.yaml");
  REQUIRE(theme.ok());
  CHECK(theme->name == "?[2J");
  CHECK(theme->description == "?");
}

TEST_CASE("themes are found by name in the first directory that has it, or by file", "[theme]") {
  const TemporaryDirectory dir;
  fs::create_directories(dir / "own");
  fs::create_directories(dir / "all");
  std::ofstream(dir / "own" / "mine.yaml") << "about: my own\n";
  std::ofstream(dir / "all" / "mine.yaml") << "about: not this\n";
  std::ofstream(dir / "all" / "other.yaml") << "about: other\n";
  std::ofstream(dir / "all" / "bad.yaml") << "about: other\nstyles: 1\n";
  const std::vector<fs::path> both{dir / "own", dir / "all"};
  CHECK(find_theme("mine", both)->description == "my own");
  CHECK(find_theme("other", both)->description == "other");
  CHECK(find_theme((dir / "all" / "mine.yaml").string(), both)->description == "not this");
  CHECK(find_theme("none", both).refusal().reason ==
        "There is no theme 'none'. Choose bad, mine or other.");
  CHECK(contains(find_theme("none", {dir / "nowhere"}).refusal().reason, "There are no themes in"));
  CHECK(find_theme("bad", both).refusal().reason ==
        "bad.yaml, line 2: there should be a map of names to looks.");
  CHECK(find_theme("./none.yaml", both).refusal().reason == "There is no file ./none.yaml.");
  CHECK_FALSE(find_theme("..", both).ok());
  CHECK_FALSE(find_theme("", both).ok());
  std::vector<std::string> listed;
  for (const ListedTheme& t : list_themes(both))
    listed.push_back(t.name + ": " + (t.theme ? t.theme->description : t.theme.refusal().reason));
  CHECK(listed ==
        std::vector<std::string>{"bad: bad.yaml, line 2: there should be a map of names to looks.",
                                 "mine: my own", "other: other"});
}

TEST_CASE("without any file there is still a theme", "[theme]") {
  const Theme theme = plain_theme();
  CHECK(theme.styles[static_cast<std::size_t>(Style::title)].bold);
  for (const Look& look : theme.styles) CHECK(look.ink.choices.empty());
}
