// SPDX-License-Identifier: MIT
// The user's own boards and those of a server, on the screen or line by line.
#include <unistd.h>

#include <iostream>

#include "base/files.hpp"
#include "boards/remote_boards.hpp"
#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "ui/line_mode.hpp"
#include "ui/screens/app.hpp"
#include "ui/terminal.hpp"

namespace pbm {
namespace {

constexpr const char* kLeft = ".left";

// The first board: itself, or its name if the program would have to wait for it.
using First = std::variant<std::monostate, Board, std::string>;

// `left` is the file that keeps the board of the screen if the terminal goes away.
int play_on_screen(const Arguments& arguments, Boards& boards, Settings& settings, View view,
                   First first, const std::filesystem::path& left) {
  std::string warning = settings.warning();
  // The command line changes preferences for this run only.
  Preferences preferences = settings.chosen();
  preferences.field = view.field;
  if (arguments.has("theme")) preferences.theme = arguments.text("theme");
  settings.use(preferences);
  auto theme = find_theme(preferences.theme, theme_directories());
  if (!theme) {
    if (warning.empty()) warning = "The usual theme is used. " + theme.refusal().why;
    theme = find_theme(Preferences().theme, theme_directories());
    if (!theme) theme = plain_theme();
  }
  App app(boards, settings, help_text, theme_directories());
  if (Board* board = std::get_if<Board>(&first)) app.show(std::move(*board));
  if (const auto* name = std::get_if<std::string>(&first)) app.open({*name});
  app.come_back(left, std::holds_alternative<std::monostate>(first));
  if (!warning.empty()) app.say(warning, Style::bad);
  const auto terminal = open_terminal(*theme);
  run_app(app, *terminal);
  if (const std::string now = app.left(); terminal->closed() && !now.empty()) {
    make_directory(left.parent_path());
    replace_file(left, now);
  }
  return kDone;
}

int play_on(const Arguments& arguments, AllBoards& all, First first,
            const std::filesystem::path& kept) {
  Settings settings(paths_of(arguments.text("user")).settings);
  all.computer.watch_at(std::chrono::milliseconds(settings.chosen().pace));
  all.computer.think_ahead(settings.chosen().ahead);
  Board* const board = std::get_if<Board>(&first);
  const View view = view_of(arguments, board ? &board->match.game() : nullptr, settings);
  if (!arguments.has("line")) {
    const auto usable = terminal_is_usable();
    if (usable)
      return play_on_screen(arguments, all.boards, settings, view, std::move(first), kept / kLeft);
    // At a terminal the user wants to know the reason; a pipe needs none.
    if (::isatty(STDIN_FILENO)) complain(kDone, usable.refusal().why + " Going on line by line.");
  }
  if (!settings.warning().empty()) complain(kDone, settings.warning());
  line_by_line(all.boards, view, settings, help_text, std::cin, std::cout,
               ::isatty(STDIN_FILENO) == 0,
               board ? std::optional(std::move(*board)) : std::nullopt);
  return kDone;
}

// Plays on the boards of a server, with the user's own below them, or on the board after `open`.
int play_on_server(const Arguments& given) {
  Arguments arguments = given;
  const There meant = there_of(arguments);
  if (arguments.has("user")) arguments.options["user"] = meant.user;
  confine_to_user(arguments, meant, {cache_directory()});
  const std::string address = meant.address.to_string();
  const std::filesystem::path kept = paths_of(meant.user).servers / directory_name(address);
  // Line mode waits for each reply; a screen continues while it waits.
  const bool screen = !arguments.has("line") && terminal_is_usable().ok();
  RemoteBoards::Setup setup{dial_to(meant.address, kept / kKnownLogin), address, kept};
  setup.screen = screen;
  RemoteBoards there(std::move(setup));
  AllBoards all(arguments, &there);
  if (!screen) {
    const auto in = meant.user.empty() ? there.connect() : there.connect_as(meant.user);
    need(in, there.turned_away().empty() ? kFailed : kRefused);
    if (arguments.words.empty()) return play_on(arguments, all, {}, kept);
    return play_on(arguments, all, need(all.boards.open(arguments.words[1]), kRefused), kept);
  }
  constexpr std::chrono::milliseconds kFirstPicture{200};
  const auto in = there.connect_within(kFirstPicture, meant.user);
  need(in, there.turned_away().empty() ? kFailed : kRefused);
  const int status =
      play_on(arguments, all, arguments.words.empty() ? First{} : First{arguments.words[1]}, kept);
  const std::string turned_away = there.turned_away();
  return turned_away.empty() ? status : complain(kRefused, turned_away);
}

// Plays on the user's own boards. Their directory keeps what a lost terminal leaves.
int play_at_home(const Arguments& arguments, AllBoards& all, First first) {
  return play_on(arguments, all, std::move(first),
                 paths_of(arguments.text("user")).saves.parent_path());
}

int open_named(const Arguments& arguments, const std::string& name) {
  AllBoards all(arguments);
  return play_at_home(arguments, all, need(all.boards.open(name), kRefused));
}

}  // namespace

int run_lobby(const Arguments& arguments) {
  if (arguments.names_server()) return play_on_server(arguments);
  AllBoards all(arguments);
  return play_at_home(arguments, all, {});
}

int run_game(const Arguments& arguments) {
  const GameType& game = *find_game(arguments.words.front());
  const Match match = described_match(arguments, game, 1);
  view_of(arguments, &game, Settings(paths_of().settings));  // refuses a bad --field in time
  AllBoards all(arguments);
  return play_at_home(arguments, all, need(all.own.keep(match), kRefused));
}

int run_open(const Arguments& arguments) {
  if (!arguments.names_server()) return open_named(arguments, arguments.words[1]);
  if (!arguments.has("user"))
    return complain(kUsage, "Say whose board it is on that server, with --user NAME.");
  return play_on_server(arguments);
}

int run_lesson(const Arguments& arguments) {
  return open_named(arguments, "lesson:" + arguments.words[1]);
}

int run_puzzle(const Arguments& arguments) {
  const std::vector<std::string> said(arguments.words.begin() + 1, arguments.words.end());
  return open_named(arguments, need(puzzle_named(said)));
}

}  // namespace pbm
