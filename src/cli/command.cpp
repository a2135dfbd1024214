// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "boards/local_boards.hpp"
#include "cli/cli.hpp"
#include "cli/shared.hpp"
#include "ui/help_topics.hpp"

namespace pbm {
namespace {

constexpr int kHelpWidth = 78;

std::string syntax_text(const Command& command) {
  return "pbmplay" + (command.name.empty() ? "" : " " + command.name) +
         (command.syntax.empty() ? "" : " ") + command.syntax;
}

std::string syntax_text(const Command::Option& option) {
  const std::string& value = option.value_word.kinds;
  return (option.letter == '\0' ? "" : std::string{'-', option.letter, ',', ' '}) + "--" +
         std::string(option.name) + (value.empty() ? "" : " ") + value;
}

// Returns the part of the option's summary that is about that kind of value, "N" of "N|GAME,...".
std::string_view summary_for(const ProgramOption& option, std::string_view kind) {
  const std::size_t bar = option.summary.find('|');
  if (bar == std::string_view::npos) return option.summary;
  return option.value_syntax.starts_with(kind) ? option.summary.substr(0, bar)
                                               : option.summary.substr(bar + 1);
}

// Returns the first option that the command does not take, with its dashes, or "".
std::string find_unsupported_option(const Command& command, const Arguments& arguments) {
  if (!command.takes_game_options && !arguments.game_options.empty())
    return arguments.game_options.front();
  for (const auto& [option, value] : arguments.options)
    if (!command.supported_option(option)) return "--" + option;
  return "";
}

// True if the arguments have all words and options that the syntax needs, and not too many.
bool matches_syntax(const Command& command, const Arguments& arguments) {
  const std::vector<Command::SyntaxWord>& words = command.words;
  const std::size_t n = arguments.words.empty() ? 0 : arguments.words.size() - 1;
  const auto needed =
      std::ranges::count_if(words, [](const auto& word) { return !word.is_optional; });
  return n >= static_cast<std::size_t>(needed) &&
         (n <= words.size() || (!words.empty() && words.back().is_repeatable)) &&
         std::ranges::all_of(command.options, [&](const auto& option) {
           return option.value_word.is_optional ||
                  std::ranges::any_of(command.options, [&](const auto& other) {
                    return other.exclusive_group == option.exclusive_group &&
                           arguments.options.contains(other.name);
                  });
         });
}

// Names two given options that exclude each other, or returns "".
std::string find_conflict(const Command& command, const Arguments& arguments) {
  std::map<std::size_t, std::string_view> given;  // by group
  for (const Command::Option& option : command.options) {
    if (!arguments.options.contains(option.name)) continue;
    const auto [one, first] = given.try_emplace(option.exclusive_group, option.name);
    if (!first)
      return " either --" + std::string(one->second) + " or --" + std::string(option.name);
  }
  return "";
}

// Returns a row of two columns. The right one starts on the next line if the left is too long.
std::string format_help_row(const std::string& left, int width, const std::string& about) {
  std::string out = "  " + pad(left, std::max(width, columns(left))) + "  ";
  std::string blanks(static_cast<std::size_t>(width) + 4, ' ');
  if (columns(left) > width) out += "\n" + blanks;
  bool first = true;
  for (const std::string& line : wrap(about, kHelpWidth - width - 4))
    out += (std::exchange(first, false) ? "" : blanks) + line + "\n";
  return out;
}

struct HelpRow {
  std::string label, description;
};
// Returns rows in two columns, the left one as wide as its longest word, up to a limit.
std::string format_help_table(const std::string& title, const std::vector<HelpRow>& rows) {
  std::string out = rows.empty() ? "" : "\n" + title + (title.empty() ? "" : "\n");
  int width = 0;
  for (const HelpRow& r : rows) width = std::max(width, std::min(columns(r.label), 28));
  for (const HelpRow& r : rows) out += format_help_row(r.label, width, r.description);
  return out;
}

}  // namespace

Command::Command(CommandSpec text) : CommandSpec(std::move(text)) {
  const auto add = [this](std::string_view option, bool optional, bool instead) {
    const ProgramOption* const row = find_option(option);
    check(row != nullptr, "a command takes an option that is not there");
    const bool joins = instead && !options.empty();
    const std::size_t group = joins ? options.back().exclusive_group : options.size();
    options.push_back({*row, {std::string(row->value_syntax), optional}, group});
  };
  std::ptrdiff_t depth = 0;           // of brackets
  bool value = false, other = false;  // next comes an option's value; an alternative option
  for (std::string word : pbm::split_words(syntax)) {
    const bool optional = depth > 0 || word.front() == '[';
    depth += std::ranges::count(word, '[') - std::ranges::count(word, ']');
    if (word.front() == '[') word.erase(0, 1);
    const std::string bare = word.substr(0, word.find_first_of("[]."));
    if (word.starts_with("--")) {
      add(bare.substr(2), optional, std::exchange(other, false));
      value = !options.back().value_syntax.empty();
    } else if (std::exchange(value, false)) {
      std::erase(word, ']');
      options.back().value_word.kinds = word;
      options.back().summary = summary_for(options.back(), word);
    } else if (word == "|") {
      other = true;
    } else if (bare == "-options") {
      takes_game_options = true;
    } else if (word != "-") {
      words.push_back({bare, optional, word.find("...") != std::string::npos});
    }
  }
  for (const std::string& option : pbm::split_words(extra_options + " help version"))
    add(option, true, false);
}

bool Command::SyntaxWord::has_kind(std::string_view kind) const {
  return ("|" + kinds + "|").find("|" + std::string(kind) + "|") != std::string::npos;
}

const Command::Option* Command::supported_option(std::string_view option) const {
  const auto found = std::ranges::find(options, option, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find_if(commands(), [&](const Command& c) {
    // The names of games ignore case, those of commands do not.
    return c.game ? equals_ignoring_case(c.name, name) : c.name == name;
  });
  return found == commands().end() ? nullptr : &*found;
}

Result<const Command*> resolve_command(Arguments& arguments) {
  const std::string first = arguments.words.empty() ? "" : arguments.words[0];
  const Command* const command = find_command(first);
  if (!command && is_example_or_path(first)) {
    arguments.words.insert(arguments.words.begin(), "open");
    return resolve_command(arguments);
  }
  if (!command || (first.empty() && !arguments.words.empty())) {
    std::vector<std::string> known;
    for (const Command& c : commands()) known.push_back(c.name);
    return Refusal{"There is no command or game '" + fit(first, 30) + "'. " +
                   suggest_word(first, known, "See pbmplay --help.")};
  }
  if (arguments.has("help")) return command;
  if (const std::string idle = find_unsupported_option(*command, arguments); !idle.empty())
    return Refusal{"'" + fit(idle, 30) + "' cannot be used " +
                   (!first.empty()           ? "with " + first
                    : idle.starts_with("--") ? "without a command"
                                             : "without a game") +
                   ". See pbmplay " + first + (first.empty() ? "" : " ") + "--help."};
  const std::string two = find_conflict(*command, arguments);
  if (!two.empty() || !matches_syntax(*command, arguments))
    return Refusal{"Write" + two + ": " + syntax_text(*command)};
  for (std::size_t i = 0; i < arguments.words.size(); ++i) {
    if (i == 0 ? !command->game
               : i > command->words.size() || !command->words[i - 1].has_kind("GAME"))
      continue;
    std::string& word = arguments.words[i];
    if (const GameType* game = find_game(word, arguments.game_options)) word = game->name;
    else if (!command->words[i - 1].is_optional) return refuse_unknown_game(word);
  }
  return command;
}

Refusal refuse_unknown_game(const std::string& name) {
  std::vector<std::string> known;
  for (const Command& command : commands())
    if (command.game) known.push_back(command.name);
  return Refusal{"There is no game '" + fit(name, 30) + "'. " +
                 suggest_word(name, known, "Choose " + list_game_names() + ".")};
}

int report_wrong_use(const Arguments& arguments) {
  return print_error(kExitUsage, "Write: " + syntax_text(*find_command(arguments.words.front())));
}

std::string short_help() {
  const std::string game(all_games().front().name);
  std::vector<HelpRow> rows{
      {"pbmplay", "open the lobby, the list of your games"},
      {"pbmplay " + game + " fred wilma", "start a game for two at one keyboard"},
      {"pbmplay " + game + " fred computer:3", "play against the computer, levels 1 to 10"}};
  for (const char* name : {"lesson", "puzzle", "serve", "help"}) {
    const Command& command = *find_command(name);
    rows.push_back({"pbmplay " + command.example, command.summary});
  }
  rows.push_back({"pbmplay COMMAND --help", "show a command, its options and an example"});
  return "Board games in a terminal: " + list_game_names() + ".\n" + format_help_table("", rows);
}

std::string command_list() {
  std::vector<HelpRow> done, begun, read;
  for (const Command& command : commands())
    if (!command.name.empty() && !command.is_hidden)
      (command.game ? begun : done).push_back({command.name, command.summary});
  for (const HelpTopic& topic : help_topics())
    if (!find_game(topic.name)) read.push_back({topic.name, topic.description});
  read.push_back({"GAME", "rules"});
  return "pbmplay " + commands().front().syntax + "\n" + format_help_table("Commands:", done) +
         format_help_table("Games (each name starts a new game):", begun) +
         format_help_table("Texts (pbmplay help TOPIC):", read) +
         "\nCOMMAND --help or GAME --help shows its options and an example.\n";
}

std::string command_help(const Command& command) {
  std::string out;
  for (const std::string& line : wrap(syntax_text(command), kHelpWidth - 8))
    out += (out.empty() ? "" : "        ") + line + "\n";
  for (const std::string& line :
       wrap((command.game ? "a new game: " : "") + command.summary, kHelpWidth - 4))
    out += "    " + line + "\n";
  std::vector<HelpRow> own, of_game;
  for (const Command::Option& option : command.options)
    if (option.letter == '\0' || option.takes_value())  // the switches -h and -V are everywhere
      own.push_back({syntax_text(option), std::string(option.summary)});
  if (command.game)
    for (const OptionSpec& spec : command.game->options)
      if (spec.name != command.name)
        of_game.push_back({"-" + std::string(spec.name) + (spec.value_syntax.empty() ? "" : "=") +
                               std::string(spec.value_syntax),
                           std::string(spec.summary)});
  out += format_help_table("Game options:", of_game) + format_help_table("Options:", own);
  out += "\nFor example:\n  pbmplay " + command.example + "\n";
  if (command.game) out += "\nRules: pbmplay help " + std::string(command.game->name) + "\n";
  return out;
}

}  // namespace pbm
