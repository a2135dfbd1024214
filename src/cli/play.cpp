// SPDX-License-Identifier: MIT
// The user's own boards and those of a server, on the screen or line by line.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "base/files.hpp"
#include "boards/remote_boards.hpp"
#include "cli/command.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "protocol/userid.hpp"
#include "ui/line_mode.hpp"
#include "ui/match_picture.hpp"
#include "ui/screens/app.hpp"
#include "ui/terminal.hpp"

namespace pbm {
namespace {

constexpr const char* kResumeFile = ".left";
constexpr std::chrono::milliseconds kFirstPicture{200};

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
  if (!warning.empty()) app.say(boards.server().take_welcome() + warning, Style::bad);
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
  setup.key = meant.key;
  RemoteBoards there(std::move(setup));
  AllBoards all(arguments, &there);
  if (!screen) {
    const auto in = meant.userid.empty() ? there.connect() : there.connect_as(meant.userid);
    need(in, there.entry_refusal().empty() ? kExitFailure : kExitRefused);
    std::cout << there.take_welcome();
    if (arguments.words.empty()) return play_boards(arguments, all, {}, kept);
    return play_boards(arguments, all, need(all.boards.open(arguments.words[1]), kExitRefused),
                       kept);
  }
  const auto in = there.connect_within(kFirstPicture, meant.userid);
  need(in, there.entry_refusal().empty() ? kExitFailure : kExitRefused);
  const int status =
      play_boards(arguments, all,
                  arguments.words.empty() ? FirstBoard{} : FirstBoard{arguments.words[1]}, kept);
  const std::string turned_away = there.entry_refusal();
  return turned_away.empty() ? status : print_error(kExitRefused, turned_away);
}

// The first visit without a screen: a line is a name, or a command after a colon.
int run_first_visit_lines(RemoteBoards& server) {
  const std::string& mode = server.new_key()->signup_mode;
  std::cout
      << server.take_welcome() << "This key is new here: "
      << server.new_key()->key.substr(0, server.new_key()->key.find(' '))
      << (mode == "closed"    ? "\nThis server takes no new players now."
          : mode == "invited" ? "\nType a name and the code of your invitation."
                              : "\nChoose a name.")
      << " Your SSH key is your password from now on.\nIf you have a name already, type :code, "
         ":login NAME PASSWORD or :mail NAME.\n";
  for (std::string line; std::cout << "name> " << std::flush && std::getline(std::cin, line);) {
    const std::string typed(trim(line));
    if (typed.empty()) continue;
    if (const auto may = check_new_userid(typed); !may && mode == "open" && typed[0] != ':') {
      std::cout << may.refusal().reason << '\n';
      continue;
    }
    const auto said = server.ask_about_key(!typed.starts_with(':')        ? "key name " + typed
                                           : typed.starts_with(":login ") ? typed.substr(1)
                                           : typed == ":"                 ? ""
                                                          : "key " + typed.substr(1));
    if (said && said->empty()) return kExitSuccess;
    std::cout << (said ? *said : said.refusal().reason) << '\n';
    if (said && typed == ":code")
      std::cout << "On a machine where you play already, type keys add and this code. Then type : "
                   "here.\n";
    if (said && typed.starts_with(":mail ")) std::cout << "Then type :confirm NAME CODE.\n";
  }
  return kExitRefused;
}

// Lets the owner of a new key take a name, in a form or line by line. The name is not known yet, so
// this process may write nothing.
int run_first_visit(const Arguments& given, const std::string& mode) {
  Arguments arguments = given;
  arguments.options["user"] = "new";  // which no userid is
  arguments.options.erase("key");
  ServerTarget there{"new", server_address(arguments), arguments.key_words};
  const bool screen = !arguments.has("line") && check_terminal().ok();
  RemoteBoards::Setup setup{connector_to(there.address), there.address.to_string(), {}};
  setup.is_screen = screen;
  setup.key = there.key;
  setup.signup_mode = mode;
  arguments.words = {"send"};  // a command that writes nothing
  confine_to_user(arguments, there);
  arguments.words.clear();
  RemoteBoards server(std::move(setup));
  if (!screen) {
    need(server.connect(), kExitFailure);
    return run_first_visit_lines(server);
  }
  AllBoards all(arguments, &server);
  need(server.connect_within(kFirstPicture, ""), kExitFailure);
  return play_boards(arguments, all, {}, "");
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

// Gives the files of an earlier userid to the new one, unless that one has files.
void move_user_files(const std::string& before, const std::string& userid) {
  const UserPaths from = user_paths(before), to = user_paths(userid);
  std::error_code ignored;
  std::filesystem::rename(from.saves.parent_path(), to.saves.parent_path(), ignored);
  std::filesystem::rename(from.settings.parent_path(), to.settings.parent_path(), ignored);
}

}  // namespace

std::optional<int> sign_in_with_key(Arguments& arguments) {
  const std::string key = arguments.option_text("key");
  if (!is_fingerprint(key) || arguments.has("user"))
    return print_error(kExitUsage, "Write --key SHA256:... with the fingerprint, without --user.");
  const char* const ssh = std::getenv("SSH_CONNECTION");
  const auto from = split_words(ssh ? ssh : "");
  arguments.key_words = key + (from.empty() || from[0] == "UNKNOWN" ? "" : " from " + from[0]);
  constexpr std::chrono::seconds kPatience{15};
  const ServerAddress address = server_address(arguments);
  const auto ask = [&] {
    SocketClient wire = need(SocketClient::connect(address, kPatience), kExitFailure);
    return need(require_ok(wire.ask("key " + arguments.key_words, kPatience)), kExitRefused);
  };
  for (bool is_first = true;; is_first = false) {
    const Reply said = ask();
    const auto words = split_words(said.lines.empty() ? "" : said.lines.front());
    if (words.size() == 2 && words[0] == "userid") {
      arguments.options["user"] = value_or_throw(check_userid(words[1]));
      for (const std::string& line : said.lines)
        if (line.starts_with("was "))
          move_user_files(value_or_throw(check_userid(line.substr(4))), words[1]);
      arguments.options.erase("key");
      return std::nullopt;
    }
    if (words.size() != 2 || !is_first) return kExitSuccess;  // the visitor left without a name
    if (!arguments.words.empty())
      return print_error(kExitRefused, "This key is new here. Connect without a command first.");
    // The form runs in a process of its own, without any right that the player gets later.
    std::cout.flush();
    const pid_t child = ::fork();
    if (child < 0) throw Error("This system cannot start another process.");
    if (child == 0) return run_first_visit(arguments, words[1]);
    const auto before = std::signal(SIGINT, SIG_IGN);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::signal(SIGINT, before);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != kExitSuccess)
      return WIFEXITED(status) ? WEXITSTATUS(status) : kExitFailure;
  }
}

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
