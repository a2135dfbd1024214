// SPDX-License-Identifier: MIT
#include "cli/shared.hpp"

#include <unistd.h>

#include <algorithm>
#include <cwchar>
#include <iostream>

#include "base/sandbox.hpp"
#include "base/files.hpp"
#include "base/markdown.hpp"
#include "base/child_process.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "protocol/new_board.hpp"
#include "protocol/match_description.hpp"
#include "protocol/userid.hpp"
#include "ui/help_topics.hpp"
#include "ui/settings.hpp"
#include "ui/terminal.hpp"

namespace pbm {

int print_error(int status, const std::string& sentence) {
  std::cerr << "pbmplay: " << safe_text(sentence) << '\n';
  return status;
}

int show_in_pager(const std::string& text) {
  // less and more end by themselves if all fits, and leave the text on the screen.
  static constexpr const char* kPager =
      "export LESS=\"${LESS-FRX}\"\n"
      "if [ -n \"$PAGER\" ]; then eval \"$PAGER\"; left=$?\n"
      "  case $left in 126|127) exec cat;; *) exit $left;; esac\n"
      "elif command -v less >/dev/null; then exec less\n"
      "elif command -v more >/dev/null; then more -e 2>/dev/null || exec cat\n"
      "else exec cat; fi";
  if (check_terminal()) {
    const UniqueFd file = make_memory_file(text);
    if (file.is_open() && ::dup2(file.get(), STDIN_FILENO) >= 0)
      ::execl("/bin/sh", "sh", "-c", kPager, static_cast<char*>(nullptr));
  }
  std::cout << text;
  return kExitSuccess;
}

Result<std::string> help_text(const std::string& name) {
  const HelpTopic* topic = find_help_topic(name);
  if (!topic) {
    std::vector<std::string> known;
    for (const HelpTopic& t : help_topics()) known.push_back(t.name);
    return Refusal{"There is no help on '" + fit(name, 30) + "'. " +
                   suggest_word(name, known, "Choose " + join_with_or(known) + ".")};
  }
  auto text = read_file(program_directory() / topic->file, std::size_t{1} << 20);
  if (text && !topic->section.empty()) return find_markdown_section(*text, topic->section);
  return text;
}

LocalBoards open_own_boards(const Arguments& arguments, std::string_view called) {
  // A player who shares a login can reach only their own directory.
  const auto reach =
      arguments.has("user") ? LocalBoards::Scope::directory : LocalBoards::Scope::any_file;
  return {arguments.has("saves") ? std::filesystem::path(arguments.option_text("saves"))
                                 : user_paths(arguments.option_text("user")).saves,
          program_directory() / "saves", reach, called};
}

Board open_board(LocalBoards& boards, const std::string& name) {
  Board board = need(boards.open(name), kExitRefused);
  if (!board.warning.empty()) print_error(kExitSuccess, board.warning);
  return board;
}

void play_and_report(LocalBoards& boards, Board& board, const std::vector<MoveRequest>& turns) {
  const std::string before = board.id;
  need(boards.play(board, turns), kExitRefused);
  if (board.id != before) print_error(kExitSuccess, example_copy_message(board.id));
}

Exercises open_exercises(const Arguments& arguments) {
  return {program_directory() / "saves", user_paths(arguments.option_text("user")).exercises};
}

AllBoards::AllBoards(const Arguments& arguments, RemoteBoards* there)
    : own_boards(open_own_boards(arguments, there ? kLocalPrefix : "")),
      exercises(open_exercises(arguments)),
      computer(own_boards, {arguments.option_text("engine"), table_directories()}),
      boards(own_boards, there, &exercises, &computer) {}

View read_view(const Arguments& arguments, const GameType* game, const Settings& settings) {
  View view;
  view.drawing_style = settings.preferences().field;
  view.is_text = settings.preferences().words_mode;
  const std::string asked = arguments.option_text("field");
  if (asked.empty()) return view;
  std::string fields;
  for (const GameType& g : all_games())
    if (!game || game == &g) fields += g.drawing_styles;
  if (fields.empty())
    throw CommandExit{kExitUsage, std::string(game ? game->title : "This") +
                                      " has only one drawing style. Leave --field out."};
  const char letter = asked.size() == 1 ? lower(asked[0]) : '\0';
  if (letter == '\0' || fields.find(letter) == std::string::npos)
    throw CommandExit{kExitUsage,
                      "'--field=" + fit(asked, 20) + "': write one letter of " + fields + "."};
  view.drawing_style = letter;
  return view;
}

Theme theme_or_default(const std::string& name) {
  for (const std::string& wanted : {name, Preferences().theme})
    if (auto theme = find_theme(wanted, theme_directories())) return *std::move(theme);
  return plain_theme();
}

int print_refusal(const Refusal& refusal, std::string_view typed) {
  print_error(kExitRefused, refusal.reason);
  const std::string shown = safe_text(typed);
  if (columns(shown) > 70) return kExitRefused;
  std::cerr << "  " << shown << "\n  "
            << std::string(index(columns(safe_text(typed.substr(0, refusal.offset)))), ' ')
            << "^\n";
  return kExitRefused;
}

Match new_match(const Arguments& arguments, const GameType& game, std::size_t first) {
  const auto names = arguments.words.begin() + static_cast<std::ptrdiff_t>(first);
  NewBoard board = value_or_throw(
      read_new_board(game, {arguments.game_options, {names, arguments.words.end()}},
                     {.default_name = Settings(user_paths().settings).preferences().player_name}));
  if (board.is_adaptive && !arguments.has("engine"))
    open_exercises(arguments).adapt_computer(board.match);
  return std::move(board.match);
}

ServerAddress server_address(const Arguments& arguments) {
  if (arguments.has("connect"))
    return value_or_throw(read_server_address(arguments.option_text("connect")));
  std::error_code error;  // the current directory may be gone
  ServerAddress out;
  out.socket_path = arguments.option_text("socket");
  if (out.socket_path.empty()) {
    // Takes the first path with a socket, or else the first path.
    const auto all = default_sockets();
    const auto found = std::ranges::find_if(
        all, [&](const auto& path) { return std::filesystem::exists(path, error); });
    out.socket_path = found == all.end() ? all.front() : *found;
  }
  if (const auto whole = std::filesystem::absolute(out.socket_path, error); !error)
    out.socket_path = whole.lexically_normal();
  out.hidden = arguments.has_player() && std::getenv("SSH_CONNECTION");
  return out;
}

ServerTarget server_target(const Arguments& arguments) {
  const bool user = arguments.has("user");
  return {user ? value_or_throw(check_userid(arguments.option_text("user"))) : "",
          server_address(arguments), arguments.key_words};
}

void confine_to_user(const Arguments& arguments, const ServerTarget& there,
                     const std::vector<std::filesystem::path>& written) {
  if (there.userid.empty()) return;
  SandboxRules confines;
  confines.writable = written;
  confines.readable = readable_system_paths();
  // The owner of the login wrote the command line, so the program may use the files that it names.
  if (arguments.has("theme")) confines.readable.emplace_back(arguments.option_text("theme"));
  // A command to the server writes nothing here; boards and settings do.
  if (arguments.words.empty() || arguments.words[0] == "open") {
    const UserPaths paths = user_paths(there.userid);
    confines.writable.insert(confines.writable.end(),
                             {paths.saves.parent_path(), paths.settings.parent_path()});
    if (arguments.has("saves")) confines.writable.emplace_back(arguments.option_text("saves"));
  }
  // The confinement only covers directories that exist.
  for (const auto& directory : confines.writable) {
    try {
      make_directory(directory);
    } catch (const Error&) {  // the later write reports the error
    }
  }
  if (there.address.socket_path.empty()) confines.connect_port = there.address.port;
  // Makes the C library load its character sets before the confinement.
  [[maybe_unused]] const wint_t read = std::btowc(0xE4);
  enter_sandbox(confines);
}

}  // namespace pbm
