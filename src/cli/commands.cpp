// SPDX-License-Identifier: MIT
#include <csignal>
#include <iostream>

#include "base/markdown.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/complete.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "ui/help_topics.hpp"
#include "ui/theme.hpp"

namespace pbm {
namespace {

int run_help(const Arguments& arguments) {
  if (arguments.words.size() < 2) return show_in_pager(command_list());
  const std::string& topic = arguments.words[1];
  if (const Command* command = find_command(topic);
      command && !topic.empty() && !find_help_topic(topic))
    return show_in_pager(command_help(*command));
  const std::string text =
      need(help_text(topic), find_help_topic(topic) ? kExitFailure : kExitUsage);
  std::string out;
  for (const TextLine& line : format_markdown(text, 78)) out += line.text + "\n";
  return show_in_pager(out);
}

constexpr const char* kScreenOptions = "saves field theme line engine";
// GAME and PLY in an example stand for those of the first game.
const CommandSpec kCommands[] = {
    {"", "[--socket PATH | --connect HOST:PORT] [--user NAME | --key FINGERPRINT]",
     "list your games, and those of a server", kScreenOptions, "--user fred", run_lobby},
    {"open", "FILE|BOARD", "continue a game", "saves field theme line engine socket user",
     "open GAME-101", run_open},
    {"lesson", "GAME", "learn a game in a few small steps", kScreenOptions, "lesson GAME",
     run_lesson},
    {"puzzle", "[GAME|mine] [DAY|N]", "solve today's puzzle, or one by day or number",
     kScreenOptions, "puzzle", run_puzzle},
    {"new", "FILE [GAME [-options] [NAME...] | --from RECORD]",
     "write a new save without opening it", "", "new g.yaml GAME fred wilma", run_new},
    {"show", "FILE[#MOVE]", "print a position, or with --record the game",
     "record output saves field", "show g.yaml#1", run_show},
    {"picture", "FILE[#MOVE] [--moves] [--output FILE]",
     "draw a position, or with --moves the game, as an SVG file", "saves field theme",
     "picture --moves -o g.svg g.yaml", run_picture},
    {"move", "FILE MOVE...", "play all moves or none, and print the position", "saves field",
     "move g.yaml PLY", run_move},
    {"legal", "FILE", "print the legal moves, one per line", "saves", "legal g.yaml", run_legal},
    {"hint", "FILE [--level N] [--seconds S] [--lines K]",
     "print the computer's best moves, and what follows", "saves", "hint g.yaml --seconds 5",
     run_hint},
    {"analyse", "FILE [--level N] [--seconds S] [--notes]",
     "find the mistakes of a game, and the better moves", "saves", "analyse g.yaml --notes",
     run_analyse},
    {"duel", "GAME [-options] PLAYER PLAYER [--games N] [--seed N]",
     "let the computer play against itself", "seats", "duel GAME level:2 level:3", run_duel, true},
    {"engine", "GAME [-options] [--seats N]", "play for another program (Universal Game Interface)",
     "", "engine GAME", run_engine},
    {"perft", "GAME [-options] DEPTH", "count move sequences of each length", "seats",
     "perft GAME 3", run_perft, true},
    {"serve",
     "--dir DIR | --check-data DIR [--socket PATH] [--listen 127.0.0.1:PORT] [--per-user N] "
     "[--signup open|invited|closed] [--tournaments members|owner] [--host NAME] "
     "[--rate-computers] "
     "[--notify PROGRAM] [--check] [--backup DIR]",
     "run a server for friends", "", "serve --dir games", run_serve},
    {"backup", "--dir DIR TO", "copy a server's directory, even while it runs", "",
     "backup --dir games copy", run_backup},
    {"send", "[--socket PATH | --connect HOST:PORT] [--user NAME] COMMAND... | -",
     "send a command, or a script from standard input", "", "send --user fred list", run_send},
    {"waiting", "[--count] [--user NAME] [--socket PATH | --connect HOST:PORT]",
     "list the games that wait for you; status 1 if none", "saves", "waiting --count", run_waiting},
    {"watch", "--user NAME [--socket PATH | --connect HOST:PORT]",
     "print what happens on a server, as it happens", "", "watch --user fred", run_watch},
    {"door", "[--user NAME | --any-key] [--socket PATH] [TYPE KEY]",
     "turn a key into a line of authorized_keys", "", "door --user fred < fred.pub", run_door},
    {"bot", "--user NAME [--socket PATH] [--level N] [--games GAME,...] [--boards N]",
     "let the computer play on a server", "", "bot --user hal --level 5", run_bot},
    {"help", "[TOPIC]", "list all commands, or show the text on TOPIC", "", "help", run_help},
};

std::string fill_example(std::string text) {
  const GameType& game = all_games().front();
  const std::pair<std::string_view, std::string> meant[] = {
      {"GAME", std::string(game.name)}, {"PLY", game.start({}, game.min_seats)->legal_plies()[0]}};
  for (const auto& [word, name] : meant)
    if (const std::size_t at = text.find(word); at != std::string::npos)
      text.replace(at, word.size(), name);
  return text;
}

std::vector<Command> make_commands() {
  std::vector<Command> out;
  for (CommandSpec row : kCommands) {
    row.example = fill_example(row.example);
    out.emplace_back(std::move(row));
  }
  const auto add = [&](const GameType& g, std::string_view name, std::string_view about) {
    std::string example(name);
    for (const OptionSpec& spec : g.options)
      if (spec.check_value)
        example += " -" + std::string(spec.name) + "=" + std::string(spec.example);
    out.emplace_back(
        CommandSpec{std::string(name), "[-options] [NAME...]", std::string(about),
                    g.drawing_styles.empty() ? "saves theme line engine" : kScreenOptions,
                    example + " fred wilma", run_game, false, &g});
  };
  for (const GameType& g : all_games()) {
    add(g, g.name, g.summary);
    for (const OptionSpec& spec : g.options)
      if (spec.is_game_name) add(g, spec.name, spec.summary);
  }
  return out;
}

constexpr const char* kSshCommandVariable = "SSH_ORIGINAL_COMMAND";

// Prints completions for the shells: how the last of `words` can go on.
int run_complete(const std::vector<std::string>& words) {
  // An option before it may say where boards are.
  const std::size_t before = words.empty() ? 0 : words.size() - 1;
  const auto arguments =
      read_arguments({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(before)});
  const Arguments given = arguments ? *arguments : Arguments{};
  LocalBoards own = open_own_boards(given);
  std::cout << complete_words(words, own, open_exercises(given), theme_directories());
  return kExitSuccess;
}

int dispatch(Arguments arguments) {
  if (arguments.has("version")) {
    std::cout << "pbmplay " << version_text() << '\n';
    return kExitSuccess;
  }
  if (const char* wanted = std::getenv(kSshCommandVariable);
      wanted && arguments.words.empty() && arguments.has_player()) {
    arguments = value_or_throw(parse_ssh_command(arguments, wanted));
    ::unsetenv(kSshCommandVariable);
    return dispatch(std::move(arguments));
  }
  if (arguments.has("key") && !arguments.has("help")) {
    // Checks the command before the server hears of the key, which stands for a userid.
    Arguments meant = arguments;
    const Command* const named = find_command(meant.words.empty() ? "" : meant.words[0]);
    if (named && named->supported_option("user") && meant.options.erase("key") > 0)
      meant.options.emplace("user", "");
    value_or_throw(resolve_command(meant));
    if (const auto status = sign_in_with_key(arguments)) return *status;
  }
  const Command& command = *value_or_throw(resolve_command(arguments));
  if (arguments.has("help") && !arguments.words.empty())
    return show_in_pager(command_help(command));
  if (arguments.has("help")) {
    std::cout << short_help();
    return kExitSuccess;
  }
  if (arguments.has("theme"))
    value_or_throw(find_theme(arguments.option_text("theme"), theme_directories()));
  return command.run(arguments);
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = make_commands();
  return table;
}

int run_command_line(const std::vector<std::string>& words) {
  // Treats a file that is larger than the user's limit like a full disk, with an error message.
  std::signal(SIGXFSZ, SIG_IGN);
  // After this word comes an unfinished command line, which has no options for this program.
  const bool completing = !words.empty() && words.front() == "complete";
  int status = kExitSuccess;
  try {
    status = completing ? run_complete({words.begin() + 1, words.end()})
                        : dispatch(value_or_throw(read_arguments(words)));
  } catch (const CommandExit& ended) {
    status = print_error(ended.status, ended.message);
  } catch (const Refusal& refusal) {
    status = print_error(kExitUsage, refusal.reason);
  }
  std::cout.flush();
  if (!std::cout) return print_error(kExitFailure, "The program could not write its output.");
  return status;
}

}  // namespace pbm
