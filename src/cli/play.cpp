// SPDX-License-Identifier: MIT
// The user's own boards and those of a server, on the screen or line by line.
#include <unistd.h>

#include <iostream>

#include "base/files.hpp"
#include "boards/remote_boards.hpp"
#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "ui/line_mode.hpp"
#include "ui/match_picture.hpp"
#include "ui/screens/app.hpp"
#include "ui/terminal.hpp"

namespace pbm {
namespace {

constexpr const char* kResumeFile = ".left";

// The first board: itself, or its name if the program would have to wait for it.
using FirstBoard = std::variant<std::monostate, Board, std::string>;

// Returns a function that saves pictures in the user's directory of pictures. Pre: `settings`
// outlives it. A player who comes to a shared login by SSH could not fetch them and gets none.
PictureWriter picture_writer(const Arguments& arguments, const Settings& settings) {
  if (arguments.has("user") && std::getenv("SSH_CONNECTION")) return {};
  const auto place = user_paths(arguments.option_text("user")).pictures;
  return [place, &settings](const PictureRequest& asked) -> Result<std::string> {
    constexpr int kMost = 100;  // pictures of one board
    std::string name = std::filesystem::path(asked.board_id).filename().string();
    if (constexpr std::string_view kEnding = ".yaml"; name.ends_with(kEnding))
      name.resize(name.size() - kEnding.size());
    const std::string picture =
        draw_match_picture(*asked.match, asked.ply, asked.view,
                           theme_or_default(settings.preferences().theme), asked.has_moves);
    for (int n = 1; n <= kMost; ++n) {
      const auto file = place / (name + (n > 1 ? "-" + std::to_string(n) : "") + ".svg");
      if (create_file(file, picture)) return "The picture is " + safe_text(file.string()) + ".";
    }
    return Refusal{"There are " + std::to_string(kMost) + " pictures of this board in " +
                   safe_text(place.string()) + ". Delete some first."};
  };
}

// `left` is the file that keeps the board of the screen if the terminal goes away.
int play_on_screen(const Arguments& arguments, Boards& boards, Settings& settings, View view,
                   FirstBoard first, const std::filesystem::path& left) {
  std::string warning = settings.warning();
  // The command line changes preferences for this run only.
  Preferences preferences = settings.preferences();
  preferences.field = view.drawing_style;
  if (arguments.has("theme")) preferences.theme = arguments.option_text("theme");
  settings.set_for_run(preferences);
  const auto theme = find_theme(preferences.theme, theme_directories());
  if (!theme && warning.empty())
    warning = "This run uses the default theme. " + theme.refusal().reason;
  App app(boards, settings, help_text, theme_directories(), picture_writer(arguments, settings));
  if (Board* board = std::get_if<Board>(&first)) app.show(std::move(*board));
  if (const auto* name = std::get_if<std::string>(&first)) app.open({*name});
  app.restore_state(left, std::holds_alternative<std::monostate>(first));
  if (!warning.empty()) app.say(warning, Style::bad);
  const auto terminal = open_terminal(theme ? *theme : theme_or_default(Preferences().theme));
  run_app(app, *terminal);
  if (const std::string now = app.saved_state(); terminal->is_closed() && !now.empty()) {
    make_directory(left.parent_path());
    replace_file(left, now);
  }
  return kExitSuccess;
}

int play_boards(const Arguments& arguments, AllBoards& all, FirstBoard first,
                const std::filesystem::path& kept) {
  Settings settings(user_paths(arguments.option_text("user")).settings);
  all.computer.set_watched_ply_time(std::chrono::milliseconds(settings.preferences().pace_ms));
  all.computer.set_think_ahead(settings.preferences().thinks_ahead);
  Board* const board = std::get_if<Board>(&first);
  const View view = read_view(arguments, board ? &board->match.game() : nullptr, settings);
  if (!arguments.has("line")) {
    const auto usable = check_terminal();
    if (usable)
      return play_on_screen(arguments, all.boards, settings, view, std::move(first),
                            kept / kResumeFile);
    // At a terminal the user wants to know the reason; a pipe needs none.
    if (::isatty(STDIN_FILENO))
      print_error(kExitSuccess, usable.refusal().reason + " Continuing line by line.");
  }
  if (!settings.warning().empty()) print_error(kExitSuccess, settings.warning());
  run_line_mode(all.boards, view, settings, help_text, std::cin, std::cout,
                ::isatty(STDIN_FILENO) == 0,
                board ? std::optional(std::move(*board)) : std::nullopt);
  return kExitSuccess;
}

// Plays on the boards of a server, with the user's own below them, or on the board after `open`.
int play_on_server(const Arguments& given) {
  Arguments arguments = given;
  const ServerTarget meant = server_target(arguments);
  if (arguments.has("user")) arguments.options["user"] = meant.userid;
  confine_to_user(arguments, meant, {cache_directory()});
  const std::string address = meant.address.to_string();
  const std::filesystem::path kept =
      user_paths(meant.userid).servers / server_directory_name(address);
  // Line mode waits for each reply; a screen continues while it waits.
  const bool screen = !arguments.has("line") && check_terminal().ok();
  RemoteBoards::Setup setup{connector_to(meant.address, kept / kLoginFile), address, kept};
  setup.is_screen = screen;
  RemoteBoards there(std::move(setup));
  AllBoards all(arguments, &there);
  if (!screen) {
    const auto in = meant.userid.empty() ? there.connect() : there.connect_as(meant.userid);
    need(in, there.entry_refusal().empty() ? kExitFailure : kExitRefused);
    if (arguments.words.empty()) return play_boards(arguments, all, {}, kept);
    return play_boards(arguments, all, need(all.boards.open(arguments.words[1]), kExitRefused),
                       kept);
  }
  constexpr std::chrono::milliseconds kFirstPicture{200};
  const auto in = there.connect_within(kFirstPicture, meant.userid);
  need(in, there.entry_refusal().empty() ? kExitFailure : kExitRefused);
  const int status =
      play_boards(arguments, all,
                  arguments.words.empty() ? FirstBoard{} : FirstBoard{arguments.words[1]}, kept);
  const std::string turned_away = there.entry_refusal();
  return turned_away.empty() ? status : print_error(kExitRefused, turned_away);
}

// Plays on the user's own boards. Their directory keeps what a lost terminal leaves.
int play_own_boards(const Arguments& arguments, AllBoards& all, FirstBoard first) {
  return play_boards(arguments, all, std::move(first),
                     user_paths(arguments.option_text("user")).saves.parent_path());
}

int play_own_board(const Arguments& arguments, const std::string& name) {
  AllBoards all(arguments);
  return play_own_boards(arguments, all, need(all.boards.open(name), kExitRefused));
}

}  // namespace

int run_lobby(const Arguments& arguments) {
  if (arguments.has_server()) return play_on_server(arguments);
  AllBoards all(arguments);
  return play_own_boards(arguments, all, {});
}

int run_game(const Arguments& arguments) {
  const GameType& game = *find_game(arguments.words.front());
  const Match match = new_match(arguments, game, 1);
  read_view(arguments, &game, Settings(user_paths().settings));  // refuses a bad --field in time
  AllBoards all(arguments);
  return play_own_boards(arguments, all, need(all.own_boards.save_new(match), kExitRefused));
}

int run_open(const Arguments& arguments) {
  if (!arguments.has_server()) return play_own_board(arguments, arguments.words[1]);
  if (!arguments.has("user"))
    return print_error(kExitUsage, "Give your userid on that server with --user NAME.");
  return play_on_server(arguments);
}

int run_lesson(const Arguments& arguments) {
  return play_own_board(arguments, "lesson:" + arguments.words[1]);
}

int run_puzzle(const Arguments& arguments) {
  const std::vector<std::string> said(arguments.words.begin() + 1, arguments.words.end());
  return play_own_board(arguments, value_or_throw(puzzle_id(said)));
}

}  // namespace pbm
