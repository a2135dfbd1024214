// SPDX-License-Identifier: MIT
#include "game/game_type.hpp"

#include <algorithm>

namespace pbm {

const GameType* find_game(std::string_view name) {
  for (const GameType& game : all_games())
    if (equals_ignoring_case(game.name, name)) return &game;
  return nullptr;
}

const GameType* find_game(std::string_view name, std::vector<std::string>& options) {
  for (const GameType& game : all_games())
    for (const OptionSpec& spec : game.options) {
      if (!spec.is_game_name || !equals_ignoring_case(spec.name, name)) continue;
      const std::string option = "-" + std::string(spec.name);
      if (std::ranges::none_of(
              options, [&](const std::string& o) { return equals_ignoring_case(o, option); }))
        options.push_back(option);
      return &game;
    }
  return find_game(name);
}

std::string list_game_names() {
  std::vector<std::string> names;
  for (const GameType& game : all_games()) names.emplace_back(game.name);
  return join_with_or(names);
}

const OptionSpec* find_option(const GameType& game, std::string_view name) {
  for (const OptionSpec& spec : game.options)
    if (equals_ignoring_case(spec.name, name) ||
        std::ranges::any_of(spec.aliases, [&](std::string_view alias) {
          return equals_ignoring_case(alias, name);
        }))
      return &spec;
  return nullptr;
}

namespace {

// Returns ", for example -size=7x9" for the game's first option, or "" if the game has none.
std::string option_example(const GameType& game) {
  if (game.options.empty()) return "";
  const OptionSpec& first = game.options.front();
  return ", for example -" + std::string(first.name) +
         (first.value_syntax.empty() ? "" : "=" + std::string(first.example));
}

// Returns "Size=7x9" for "-Size=7x9" or "--Size=7x9".
std::string_view strip_dashes(std::string_view word) {
  return word.substr(word.starts_with("--") ? 2 : 1);
}

// Returns the option's name as typed, in lower case: "size".
std::string typed_option_name(std::string_view word) {
  return lower(strip_dashes(word).substr(0, strip_dashes(word).find('=')));
}

Result<Options::Item> read_option(const GameType& game, std::string_view word) {
  const std::string shown = fit(word, 40);
  if (word.empty() || word.front() != '-')
    return Refusal{"'" + shown + "' is not an option. Options start with a dash.", 0};
  if (word.size() == 1)
    return Refusal{"'-' is not an option. Write a name after the dash" + option_example(game) + ".",
                   0};
  const std::string_view body = strip_dashes(word);
  const std::size_t equals = body.find('=');
  const OptionSpec* spec = find_option(game, typed_option_name(word));
  if (!spec) {
    const std::string syntax = option_syntax(game);
    const std::string title(game.title);
    return Refusal{"There is no option " + shown +
                   (syntax.empty() ? ". " + title + " has no options."
                                   : " for " + title + ". Options: " + syntax + ".")};
  }
  const std::string name(spec->name);
  if (!spec->check_value) {
    if (equals != std::string_view::npos)
      return Refusal{"-" + name + " takes no value. Write just -" + name + "."};
    return Options::Item{name, ""};
  }
  if (equals == std::string_view::npos)
    return Refusal{"-" + name + " needs a value. Write -" + name + "=" +
                   std::string(spec->value_syntax) + ": " + std::string(spec->summary) + "."};
  auto value = spec->check_value(body.substr(equals + 1));
  if (!value) return Refusal{"'" + shown + "' is not valid. " + value.refusal().reason};
  return Options::Item{name, *value};
}

}  // namespace

bool Options::has(std::string_view name) const {
  return std::ranges::any_of(items, [&](const Item& i) { return i.name == name; });
}

std::string Options::value(std::string_view name, std::string_view otherwise) const {
  for (const Item& i : items)
    if (i.name == name) return i.value;
  return std::string(otherwise);
}

std::vector<std::string> Options::to_words() const {
  std::vector<std::string> out;
  for (const Item& i : items) out.push_back("-" + i.name + (i.value.empty() ? "" : "=" + i.value));
  return out;
}

Result<Options> read_options(const GameType& game, const std::vector<std::string>& words) {
  std::vector<Options::Item> read;
  for (const std::string& word : words) {
    auto item = read_option(game, word);
    if (!item) return item.refusal();
    for (std::size_t i = 0; i < read.size(); ++i) {  // read[i] comes from words[i]
      if (read[i].name != item->name) continue;
      const std::string first = typed_option_name(words[i]), again = typed_option_name(word);
      if (first != again)
        return Refusal{"-" + again + " is another name for -" + first + ". Write one of them."};
      return Refusal{"-" + again +
                     " is given twice. Write each option once: " + option_syntax(game) + "."};
    }
    read.push_back(*item);
  }
  Options options;
  for (const OptionSpec& spec : game.options)
    for (const Options::Item& item : read)
      if (item.name == spec.name && (item.value.empty() || item.value != spec.default_value))
        options.items.push_back(item);
  return options;
}

std::string option_syntax(const GameType& game) {
  std::string out;
  for (const OptionSpec& option : game.options)
    out += (out.empty() ? "" : " ") + option_syntax(option);
  return out;
}

std::string option_syntax(const OptionSpec& option) {
  std::string out = "-" + std::string(option.name);
  if (!option.value_syntax.empty()) out += "=" + std::string(option.value_syntax);
  for (std::string_view alias : option.aliases) out += "|-" + std::string(alias);
  return out;
}

std::string title_with_options(const GameType& game, const Options& options) {
  std::string out(game.title);
  for (const std::string& word : options.to_words()) out += " " + word;
  return out;
}

}  // namespace pbm
