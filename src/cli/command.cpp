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

constexpr int kWidth = 78;

std::string written(const Command& command) {
  return "pbmplay" + (command.name.empty() ? "" : " " + command.name) +
         (command.syntax.empty() ? "" : " ") + command.syntax;
}

std::string written(const Command::Option& option) {
  const std::string& value = option.takes.kinds;
  return "--" + std::string(option.name) + (value.empty() ? "" : " ") + value;
}

// Returns the first option that the command does not take, with its dashes, or "".
std::string idle_option(const Command& command, const Arguments& arguments) {
  if (!command.game_options && !arguments.game_options.empty())
    return arguments.game_options.front();
  for (const auto& [option, value] : arguments.options)
    if (!command.takes(option)) return "--" + option;
  return "";
}

// True if the arguments have all words and options that the syntax needs, and not too many.
bool fits(const Command& command, const Arguments& arguments) {
  const std::vector<Command::Word>& words = command.words;
  const std::size_t n = arguments.words.empty() ? 0 : arguments.words.size() - 1;
  const auto needed = std::ranges::count_if(words, [](const auto& word) { return !word.optional; });
  return n >= static_cast<std::size_t>(needed) &&
         (n <= words.size() || (!words.empty() && words.back().many)) &&
         std::ranges::all_of(command.options, [&](const auto& option) {
           return option.takes.optional || arguments.options.contains(option.name);
         });
}

// Names two given options that exclude each other, or returns "".
std::string excluded(const Command& command, const Arguments& arguments) {
  std::map<std::size_t, std::string_view> given;  // by group
  for (const Command::Option& option : command.options) {
    if (!arguments.options.contains(option.name)) continue;
    const auto [one, first] = given.try_emplace(option.group, option.name);
    if (!first)
      return " either --" + std::string(one->second) + " or --" + std::string(option.name);
  }
  return "";
}

// Returns a row of two columns. The right one starts on the next line if the left is too long.
std::string row(const std::string& left, int width, const std::string& about) {
  std::string out = "  " + pad(left, std::max(width, columns(left))) + "  ";
  std::string blanks(static_cast<std::size_t>(width) + 4, ' ');
  if (columns(left) > width) out += "\n" + blanks;
  bool first = true;
  for (const std::string& line : wrap(about, kWidth - width - 4))
    out += (std::exchange(first, false) ? "" : blanks) + line + "\n";
  return out;
}

struct Row {
  std::string left, about;
};
// Returns rows in two columns, the left one as wide as its longest word, up to a limit.
std::string table(const std::string& title, const std::vector<Row>& rows) {
  std::string out = rows.empty() ? "" : "\n" + title + (title.empty() ? "" : "\n");
  int width = 0;
  for (const Row& r : rows) width = std::max(width, std::min(columns(r.left), 28));
  for (const Row& r : rows) out += row(r.left, width, r.about);
  return out;
}

}  // namespace

Command::Command(CommandText text) : CommandText(std::move(text)) {
  const auto add = [this](std::string_view option, bool optional, bool instead) {
    const ProgramOption* const row = find_option(option);
    check(row != nullptr, "a command takes an option that is not there");
    const std::size_t group = instead ? options.back().group : options.size();
    options.push_back({*row, {std::string(row->value), optional}, group});
  };
  std::ptrdiff_t depth = 0;           // of brackets
  bool value = false, other = false;  // next comes an option's value; an alternative option
  for (std::string word : pbm::words(syntax)) {
    const bool optional = depth > 0 || word.front() == '[';
    depth += std::ranges::count(word, '[') - std::ranges::count(word, ']');
    if (word.front() == '[') word.erase(0, 1);
    const std::string bare = word.substr(0, word.find_first_of("[]."));
    if (word.starts_with("--")) {
      add(bare.substr(2), optional, std::exchange(other, false));
      value = !options.back().value.empty();
    } else if (std::exchange(value, false)) {
      std::erase(word, ']');
      options.back().takes.kinds = word;
    } else if (word == "|") {
      other = true;
    } else if (bare == "-options") {
      game_options = true;
    } else if (word != "-") {
      words.push_back({bare, optional, word.find("...") != std::string::npos});
    }
  }
  for (const std::string& option : pbm::words(also + " help version")) add(option, true, false);
}

bool Command::Word::is(std::string_view kind) const {
  return ("|" + kinds + "|").find("|" + std::string(kind) + "|") != std::string::npos;
}

const Command::Option* Command::takes(std::string_view option) const {
  const auto found =
      std::ranges::find_if(options, [&](const Option& taken) { return taken.name == option; });
  return found == options.end() ? nullptr : &*found;
}

const Command* find_command(std::string_view name) {
  const auto found = std::ranges::find_if(commands(), [&](const Command& c) {
    // The names of games ignore case, those of commands do not.
    return c.game ? same_ignoring_case(c.name, name) : c.name == name;
  });
  return found == commands().end() ? nullptr : &*found;
}

Result<const Command*> command_of(Arguments& arguments) {
  const std::string first = arguments.words.empty() ? "" : arguments.words[0];
  const Command* const command = find_command(first);
  if (!command && is_example_or_path(first)) {
    arguments.words.insert(arguments.words.begin(), "open");
    return command_of(arguments);
  }
  if (!command || (first.empty() && !arguments.words.empty())) {
    std::vector<std::string> known;
    for (const Command& c : commands()) known.push_back(c.name);
    return Refusal{"There is no command or game '" + fit(first, 30) +
                   "': " + meant_by(first, known, "see pbmplay --help.")};
  }
  if (arguments.has("help")) return command;
  if (const std::string idle = idle_option(*command, arguments); !idle.empty())
    return Refusal{"'" + fit(idle, 30) + "' means nothing " +
                   (!first.empty()           ? "to " + first
                    : idle.starts_with("--") ? "without a command"
                                             : "without a game") +
                   ": see pbmplay " + first + (first.empty() ? "" : " ") + "--help."};
  const std::string two = excluded(*command, arguments);
  if (!two.empty() || !fits(*command, arguments))
    return Refusal{"Write" + two + ": " + written(*command)};
  for (std::size_t i = 0; i < arguments.words.size(); ++i) {
    if (i == 0 ? !command->game : i > command->words.size() || !command->words[i - 1].is("GAME"))
      continue;
    std::string& word = arguments.words[i];
    if (const GameType* game = find_game(word, arguments.game_options)) word = game->name;
    else if (!command->words[i - 1].optional) return no_such_game(word);
  }
  return command;
}

Refusal no_such_game(const std::string& name) {
  std::vector<std::string> known;
  for (const Command& command : commands())
    if (command.game) known.push_back(command.name);
  return Refusal{"There is no game '" + fit(name, 30) +
                 "': " + meant_by(name, known, "there is " + game_names() + ".")};
}

int wrong_use(const Arguments& arguments) {
  return complain(kUsage, "Write: " + written(*find_command(arguments.words.front())));
}

std::string short_help() {
  const std::string game(all_games().front().name);
  std::vector<Row> rows{
      {"pbmplay", "your boards, and all the rest by keys"},
      {"pbmplay " + game + " fred wilma", "a new game of two at one keyboard"},
      {"pbmplay " + game + " fred computer:3", "the same against the computer, levels 1 to 10"}};
  for (const char* name : {"lesson", "puzzle", "serve", "help"}) {
    const Command& command = *find_command(name);
    rows.push_back({"pbmplay " + command.example, command.about});
  }
  rows.push_back({"pbmplay COMMAND --help", "that command, its options and an example"});
  return "Board games in a terminal: " + game_names() + ".\n" + table("", rows);
}

std::string command_list() {
  std::vector<Row> done, begun, read;
  for (const Command& command : commands())
    if (!command.name.empty() && !command.hidden)
      (command.game ? begun : done).push_back({command.name, command.about});
  for (const HelpTopic& topic : help_topics())
    if (!find_game(topic.name)) read.push_back({topic.name, topic.about});
  read.push_back({"GAME", "its rules"});
  return "pbmplay " + commands().front().syntax + "\n" + table("Commands:", done) +
         table("Games, each a command that begins one:", begun) +
         table("To read, by pbmplay help TOPIC:", read) +
         "\nCOMMAND --help or GAME --help tells its options, with an example.\n";
}

std::string command_help(const Command& command) {
  std::string out;
  for (const std::string& line : wrap(written(command), kWidth - 8))
    out += (out.empty() ? "" : "        ") + line + "\n";
  for (const std::string& line :
       wrap((command.game ? "a new board: " : "") + command.about, kWidth - 4))
    out += "    " + line + "\n";
  std::vector<Row> own, of_game;
  for (const Command::Option& option : command.options)
    if (option.letter == '\0')  // options with a letter are in every command
      own.push_back({written(option), std::string(option.about)});
  if (command.game)
    for (const OptionSpec& spec : command.game->options)
      if (spec.name != command.name)
        of_game.push_back({"-" + std::string(spec.name) + (spec.value.empty() ? "" : "=") +
                               std::string(spec.value),
                           std::string(spec.about)});
  out += table("Options of the game:", of_game) + table("Options:", own);
  out += "\nFor example:\n  pbmplay " + command.example + "\n";
  if (command.game) out += "\nIts rules: pbmplay help " + std::string(command.game->name) + "\n";
  return out;
}

}  // namespace pbm
