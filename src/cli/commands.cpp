// SPDX-License-Identifier: MIT
#include <csignal>
#include <iostream>

#include "base/markdown.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/complete.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "ui/help_topics.hpp"
#include "ui/theme.hpp"

namespace pbm {
namespace {

int run_help(const Arguments& arguments) {
  if (arguments.words.size() < 2) return page(command_list());
  const std::string& topic = arguments.words[1];
  if (const Command* command = find_command(topic); command && !topic.empty() && !find_help(topic))
    return page(command_help(*command));
  const std::string text = need(help_text(topic), find_help(topic) ? kFailed : kUsage);
  std::string out;
  for (const TextLine& line : layout_markdown(text, 78)) out += line.text + "\n";
  return page(out);
}

constexpr const char* kScreen = "saves field theme line engine";
// GAME and PLY in an example stand for those of the first game.
const CommandText kCommands[] = {
    {"", "[--socket PATH | --connect HOST:PORT] [--user NAME]",
     "your boards, and those of a server", kScreen, "--user fred", run_lobby},
    {"open", "FILE|BOARD", "go on with a board", "saves field theme line engine socket user",
     "open GAME-101", run_open},
    {"lesson", "GAME", "learn a game by playing: a few small steps", kScreen, "lesson GAME",
     run_lesson},
    {"puzzle", "[GAME|mine] [DAY|N]", "today's puzzle, or that of a day or a number", kScreen,
     "puzzle", run_puzzle},
    {"new", "FILE GAME [-options] [NAME...]", "write a new save, and no more", "",
     "new g.yaml GAME fred wilma", run_new},
    {"show", "FILE[#MOVE]", "print a position, or with --record the game",
     "record output saves field", "show g.yaml#1", run_show},
    {"move", "FILE MOVE...", "play and print; all moves or none", "saves field", "move g.yaml PLY",
     run_move},
    {"legal", "FILE", "print the legal moves, one a line", "saves", "legal g.yaml", run_legal},
    {"hint", "FILE [--level N] [--seconds S] [--lines K]",
     "what the computer would play, and what comes of it", "saves", "hint g.yaml --seconds 5",
     run_hint},
    {"analyse", "FILE [--level N] [--seconds S] [--notes]",
     "what each move of a game gave away, and which was better", "saves", "analyse g.yaml --notes",
     run_analyse},
    {"openings", "GAME [-options] [--seats N] [MOVE...]",
     "what was played next in your games that are over", "saves", "openings GAME PLY",
     run_openings},
    {"duel", "GAME [-options] PLAYER PLAYER [--games N] [--seed N]",
     "games of the computer against itself", "seats", "duel GAME level:2 level:3", run_duel, true},
    {"engine", "GAME [-options] [--seats N]",
     "play for another program, by the Universal Game Interface", "", "engine GAME", run_engine},
    {"perft", "GAME [-options] DEPTH", "count move sequences of each length", "seats",
     "perft GAME 3", run_perft, true},
    {"serve",
     "--dir DIR [--socket PATH] [--listen 127.0.0.1:PORT] [--login-seconds N] [--per-user N] "
     "[--no-signup] [--rate-computers] [--notify PROGRAM]",
     "a server for friends", "", "serve --dir games", run_serve},
    {"backup", "--dir DIR TO", "copy a server's directory, which may run meanwhile", "",
     "backup --dir games copy", run_backup},
    {"send", "[--socket PATH | --connect HOST:PORT] [--user NAME] COMMAND... | -",
     "a command to a server, or a script on standard input", "", "send --user fred list", run_send},
    {"waiting", "[--count] [--user NAME] [--socket PATH | --connect HOST:PORT]",
     "the boards that wait for you; status 1 when none does", "saves", "waiting --count",
     run_waiting},
    {"watch", "--user NAME [--socket PATH | --connect HOST:PORT] [--exec PROGRAM]",
     "what happens on a server, as it happens", "", "watch --user fred", run_watch},
    {"door", "--user NAME [--socket PATH]",
     "a line of authorized_keys for the key on standard input", "", "door --user fred < fred.pub",
     run_door},
    {"bot", "--user NAME [--socket PATH] [--level N] [--games GAME,...] [--boards N]",
     "the computer as a player on a server", "", "bot --user hal --level 5", run_bot},
    {"help", "[TOPIC]", "every command, or with TOPIC a text to read", "", "help", run_help},
};

std::string example_of(std::string text) {
  const GameType& game = all_games().front();
  const std::pair<std::string_view, std::string> meant[] = {
      {"GAME", std::string(game.name)}, {"PLY", game.start({}, game.min_seats)->legal()[0]}};
  for (const auto& [word, name] : meant)
    if (const std::size_t at = text.find(word); at != std::string::npos)
      text.replace(at, word.size(), name);
  return text;
}

std::vector<Command> made_table() {
  std::vector<Command> out;
  for (CommandText row : kCommands) {
    row.example = example_of(row.example);
    out.emplace_back(std::move(row));
  }
  const auto add = [&](const GameType& g, std::string_view name, std::string_view about) {
    std::string example(name);
    for (const OptionSpec& spec : g.options)
      if (spec.check_value)
        example += " -" + std::string(spec.name) + "=" + std::string(spec.example);
    out.emplace_back(CommandText{std::string(name), "[-options] [NAME...]", std::string(about),
                                 g.fields.empty() ? "saves theme line engine" : kScreen,
                                 example + " fred wilma", run_game, false, &g});
  };
  for (const GameType& g : all_games()) {
    add(g, g.name, g.about);
    for (const OptionSpec& spec : g.options)
      if (spec.names_a_game) add(g, spec.name, spec.about);
  }
  return out;
}

constexpr const char* kAskedBySsh = "SSH_ORIGINAL_COMMAND";

// Prints completions for the shells: how the last of `words` can go on.
int run_complete(const std::vector<std::string>& words) {
  // An option before it may say where boards are.
  const std::size_t before = words.empty() ? 0 : words.size() - 1;
  const auto arguments =
      read_arguments({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(before)});
  const Arguments given = arguments ? *arguments : Arguments{};
  LocalBoards own = own_boards(given);
  std::cout << complete(words, own, exercises_of(given), theme_directories());
  return kDone;
}

int dispatch(Arguments arguments) {
  if (arguments.has("version")) {
    std::cout << "pbmplay " << version_text() << '\n';
    return kDone;
  }
  if (const char* wanted = std::getenv(kAskedBySsh);
      wanted && arguments.words.empty() && arguments.has("user")) {
    arguments = need(asked_by_ssh(arguments, wanted));
    ::unsetenv(kAskedBySsh);
    return dispatch(std::move(arguments));
  }
  const Command& command = *need(command_of(arguments));
  if (arguments.has("help") && !arguments.words.empty()) return page(command_help(command));
  if (arguments.has("help")) {
    std::cout << short_help();
    return kDone;
  }
  if (arguments.has("theme")) need(find_theme(arguments.text("theme"), theme_directories()));
  return command.run(arguments);
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = made_table();
  return table;
}

int run_command_line(const std::vector<std::string>& words) {
  // Treats a file that is larger than the user's limit like a full disk, with an error message.
  std::signal(SIGXFSZ, SIG_IGN);
  // After this word comes an unfinished command line, which has no options for this program.
  const bool completing = !words.empty() && words.front() == "complete";
  int status = kDone;
  try {
    status = completing ? run_complete({words.begin() + 1, words.end()})
                        : dispatch(need(read_arguments(words)));
  } catch (const Ended& ended) {
    status = complain(ended.status, ended.why);
  } catch (const Refusal& refusal) {
    status = complain(kUsage, refusal.why);
  }
  std::cout.flush();
  if (!std::cout) return complain(kFailed, "The output could not be written.");
  return status;
}

}  // namespace pbm
