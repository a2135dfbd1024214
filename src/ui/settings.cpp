// SPDX-License-Identifier: MIT
#include "ui/settings.hpp"

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/text.hpp"
#include "boards/boards.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxSettingsBytes = 64U << 10;  // bytes

using ThemeNames = std::vector<std::string>;

template <bool Preferences::*Switch>
Setting switch_setting(std::string_view key, std::string_view about) {
  return {key,
          about,
          "yes or no",
          [](const ThemeNames&) {
            return std::vector<std::string>{"no", "yes"};
          },
          [](const Preferences& p) -> std::string { return p.*Switch ? "yes" : "no"; },
          [](Preferences& p, const std::string& text) {
            const std::string word = lower(text);
            p.*Switch = word == "yes" || word == "true";
            return p.*Switch || word == "no" || word == "false";
          }};
}

constexpr std::array kSizes{0, 1, 2, 3, 4};
static_assert(kSizes.back() == kMaxScale);

template <int Preferences::*Number, const auto& kValues, std::string (*to_text)(int)>
Setting number_setting(std::string_view key, std::string_view about) {
  return {key,
          about,
          "",
          [](const ThemeNames&) {
            std::vector<std::string> all;
            for (const int value : kValues) all.push_back(to_text(value));
            return all;
          },
          [](const Preferences& p) { return to_text(p.*Number); },
          [](Preferences& p, const std::string& text) {
            const auto value = std::ranges::find(kValues, lower(text), to_text);
            if (value != kValues.end()) p.*Number = *value;
            return value != kValues.end();
          }};
}

// Returns the letters of the drawings of all games.
std::vector<std::string> field_values(const ThemeNames&) {
  std::set<char> letters;
  for (const GameType& game : all_games())
    letters.insert(game.drawing_styles.begin(), game.drawing_styles.end());
  std::vector<std::string> all{field_text('\0')};
  for (const char letter : letters) all.emplace_back(1, letter);
  return all;
}

// Returns a value as the file has it.
std::string yaml_value(const Setting& setting, const Preferences& p) {
  const std::string text = setting.value_text(p);
  return setting.list_values && setting.key != "theme" ? text : yaml_scalar(text);
}

// True if the file has only comments and blank lines.
bool has_no_settings(std::string_view text) {
  for (const std::string_view line : split_lines(text))
    if (!trim(line).empty() && trim(line).front() != '#') return false;
  return true;
}

// Returns the file's settings over the defaults; `wrong` gets the reason for the first wrong value.
// Refuses unreadable text.
Result<Preferences> read_preferences(const std::string& text, std::string& wrong) {
  Preferences out;
  if (has_no_settings(text)) return out;
  const auto root = read_yaml(text);
  if (!root) return root.refusal();
  for (const auto& [key, value] : root->entries)
    for (const Setting& e : all_settings()) {
      if (e.key != key.text) continue;
      Preferences then = out;
      const bool scalar =
          value.kind == YamlNode::Kind::scalar || value.kind == YamlNode::Kind::null;
      if (scalar && e.set_value(then, value.text)) out = then;
      else if (wrong.empty())
        wrong = yaml_refusal(value, "'" + key.text + ":' should be " +
                                        (e.value_form.empty() ? join_with_or(e.list_values({}))
                                                              : std::string(e.value_form)))
                    .reason;
    }
  return out;
}

// Returns the comment at the end of a line of YAML, with the blanks before it.
std::string_view trailing_comment(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool starts = line[i - 1] == ' ' || line[i - 1] == '\t';
    if (quote == '"' && line[i] == '\\') ++i;
    else if (quote) quote = line[i] == quote ? char{0} : quote;
    else if (starts && (line[i] == '"' || line[i] == '\'')) quote = line[i];
    else if (starts && line[i] == '#') return line.substr(line.find_last_not_of(" \t", i - 1) + 1);
  }
  return {};
}

// Returns `text` with `key: value` in place of the line of that key, or added at the end.
std::string replace_setting_line(const std::string& text, std::string_view key,
                                 const std::string& value) {
  const std::string start = std::string(key) + ":";
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.starts_with(start))
      return text.substr(0, at) + start + " " + value + std::string(trailing_comment(line)) +
             text.substr(end);
    if (end == text.size()) break;
  }
  return text + (text.empty() || text.back() == '\n' ? "" : "\n") + start + " " + value + "\n";
}

}  // namespace

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> table{
      {"theme", "colours and styles, shown below", "a theme's name or file",
       [](const ThemeNames& themes) { return themes; },
       [](const Preferences& p) { return p.theme; },
       [](Preferences& p, const std::string& text) {
         if (!text.empty()) p.theme = text;
         return is_valid_utf8(text);
       }},
      {"field", "drawing, for games with several", "one letter or auto", field_values,
       [](const Preferences& p) { return field_text(p.field); },
       [](Preferences& p, const std::string& text) {
         const bool by_room = equals_ignoring_case(text, field_text('\0'));
         if (!by_room && (text.size() != 1 || !is_letter(text[0]))) return false;
         p.field = by_room ? '\0' : lower(text[0]);
         return true;
       }},
      number_setting<&Preferences::board_size, kSizes, size_text>(
          "size", "board size; auto: the largest that fits"),
      {"mouse", "clicks count; auto: if Shift selects text", "",
       [](const ThemeNames&) {
         return std::vector<std::string>{"auto", "yes", "no"};
       },
       [](const Preferences& p) -> std::string {
         return !p.mouse_choice ? "auto" : *p.mouse_choice ? "yes" : "no";
       },
       [](Preferences& p, const std::string& text) {
         const std::string word = lower(text);
         const bool by_terminal = word == "auto", on = word == "yes" || word == "true";
         if (!by_terminal && !on && word != "no" && word != "false") return false;
         p.mouse_choice = by_terminal ? std::nullopt : std::optional(on);
         return true;
       }},
      switch_setting<&Preferences::has_bell>("bell", "rings when another player has moved"),
      switch_setting<&Preferences::should_confirm>("confirm",
                                                   "first Enter shows the move, second plays it"),
      switch_setting<&Preferences::has_tutor>("tutor", "the computer warns you before a bad move"),
      switch_setting<&Preferences::has_motion>("motion", "moves are animated"),
      number_setting<&Preferences::pace_ms, kPaces, pace_text>(
          "pace", "seconds per move when computers play"),
      {"name", "your name; your boards come first", "a player's name", nullptr,
       [](const Preferences& p) { return p.player_name; },
       [](Preferences& p, const std::string& text) {
         const bool fine = text.empty() || check_local_name(text);
         if (fine) p.player_name = text;
         return fine;
       }},
      switch_setting<&Preferences::words_mode>("words", ""),
      switch_setting<&Preferences::was_tutor_offered>("offered", ""),
      {"turned", "", "boards and when they began", nullptr,
       [](const Preferences& p) { return join(p.turned_boards); },
       [](Preferences& p, const std::string& text) {
         p.turned_boards = split_words(text);
         return is_valid_utf8(text);
       }},
  };
  return table;
}

std::string turned_prefix(const std::string& board) {
  const std::filesystem::path file(
      board.substr(board.starts_with(kLocalPrefix) ? kLocalPrefix.size() : 0));
  std::string name = (file.extension() == ".yaml" ? file.stem() : file.filename()).string();
  std::ranges::replace(name, ' ', '_');  // blanks separate the entries
  return name + "@";
}

Result<Success> check_local_name(const std::string& name) {
  const auto seat = read_seating({name});
  if (!seat) return seat.refusal();
  if (seat->computer_levels.front() > 0)
    return Refusal{"'" + fit(name, 20) + "' means the computer. Choose another name."};
  return check_player_name(name);
}

std::string field_text(char field) { return field == '\0' ? "auto" : std::string(1, field); }

std::string size_text(int size) { return size == 0 ? "auto" : std::to_string(size); }

std::string pace_text(int pace) {
  return std::to_string(pace / 1000) + (pace % 1000 ? "." + std::to_string(pace % 1000 / 100) : "");
}

int next_pace(int pace, int step) {
  const auto at = std::ranges::find(kPaces, pace) - kPaces.begin();
  return kPaces[index(std::clamp<std::ptrdiff_t>(at + step, 0, std::ssize(kPaces) - 1))];
}

Settings::Settings(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  if (!std::filesystem::exists(file_, error)) return;
  const auto text = read_file(file_, kMaxSettingsBytes);
  std::string wrong;
  const auto read = text ? read_preferences(*text, wrong) : Result<Preferences>(text.refusal());
  is_readable_ = read.ok();
  if (is_readable_) preferences_ = *read;
  const std::string name = safe_text(file_.filename().string());
  if (!text) warning_ = text.refusal().reason;
  else if (!read) warning_ = name + ", " + read.refusal().reason;
  else if (!wrong.empty()) warning_ = name + ", " + wrong;
}

Result<Success> Settings::change(const std::function<void(Preferences& wanted)>& choose) {
  const auto for_now = [&](const std::string& why) {
    choose(preferences_);
    return Refusal{"This change is not saved. " + why};
  };
  if (!is_readable_) return for_now(warning_);
  std::error_code error;
  const bool there = std::filesystem::exists(file_, error);
  const auto text =
      there ? read_file(file_, kMaxSettingsBytes) : Result<std::string>(std::string());
  if (!text) return for_now(text.refusal().reason);
  std::string then = *text, wrong;
  const auto now = read_preferences(*text, wrong);
  Preferences wanted = now ? *now : preferences_;
  choose(wanted);
  for (const Setting& e : all_settings())
    if (now && e.value_text(wanted) != e.value_text(*now))
      then = replace_setting_line(then, e.key, yaml_value(e, wanted));
  // In some forms of YAML, a change of one line breaks other values.
  if (const auto read = read_preferences(then, wrong); !read || !(*read == wanted))
    return for_now(safe_text(file_.filename().string()) +
                   " does not have one plain 'key: value' a line.");
  if (then != *text && (there || !create_file(file_, then))) replace_file(file_, then);
  choose(preferences_);
  return Success{};
}

}  // namespace pbm
