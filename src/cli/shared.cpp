// SPDX-License-Identifier: MIT
#include "cli/shared.hpp"

#include <unistd.h>

#include <algorithm>
#include <cwchar>
#include <iostream>

#include "base/confine.hpp"
#include "base/files.hpp"
#include "base/markdown.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "protocol/new_board.hpp"
#include "protocol/telling.hpp"
#include "protocol/userid.hpp"
#include "ui/help_topics.hpp"
#include "ui/settings.hpp"
#include "ui/terminal.hpp"

namespace pbm {

int complain(int status, const std::string& sentence) {
  std::cerr << "pbmplay: " << safe_text(sentence) << '\n';
  return status;
}

int page(const std::string& text) {
  // By default less ends by itself if all fits, and leaves the text on the screen.
  static constexpr const char* kPager =
      "export LESS=\"${LESS-FRX}\"\n"
      "if [ -n \"$PAGER\" ]; then eval \"$PAGER\"; left=$?\n"
      "  case $left in 126|127) exec cat;; *) exit $left;; esac\n"
      "elif command -v less >/dev/null; then exec less\n"
      "elif command -v more >/dev/null; then exec more\n"
      "else exec cat; fi";
  if (terminal_is_usable()) {
    const UniqueFd file = file_with(text);
    if (file.open() && ::dup2(file.get(), STDIN_FILENO) >= 0)
      ::execl("/bin/sh", "sh", "-c", kPager, static_cast<char*>(nullptr));
  }
  std::cout << text;
  return kDone;
}

Result<std::string> help_text(const std::string& name) {
  const HelpTopic* topic = find_help(name);
  if (!topic) {
    std::vector<std::string> known;
    for (const HelpTopic& t : help_topics()) known.push_back(t.name);
    return Refusal{"There is no help on '" + fit(name, 30) +
                   "': " + meant_by(name, known, "there is " + one_of(known) + ".")};
  }
  auto text = read_file(program_data() / topic->file, std::size_t{1} << 20);
  if (text && !topic->section.empty()) return markdown_section(*text, topic->section);
  return text;
}

LocalBoards own_boards(const Arguments& arguments, std::string_view called) {
  // A player who shares a login can reach only their own directory.
  const auto reach =
      arguments.has("user") ? LocalBoards::Scope::directory : LocalBoards::Scope::anywhere;
  return {arguments.has("saves") ? std::filesystem::path(arguments.text("saves"))
                                 : paths_of(arguments.text("user")).saves,
          program_data() / "saves", reach, called};
}

Board opened(LocalBoards& boards, const std::string& name) {
  Board board = need(boards.open(name), kRefused);
  if (!board.warning.empty()) complain(kDone, board.warning);
  return board;
}

void play_told(LocalBoards& boards, Board& board, const std::vector<MoveRequest>& turns) {
  const std::string before = board.id;
  need(boards.play(board, turns), kRefused);
  // cppcheck-suppress knownConditionTrueFalse ; play() makes another board of an example
  if (board.id != before) complain(kDone, told_of_copy(board.id));
}

Exercises exercises_of(const Arguments& arguments) {
  return {program_data() / "saves", paths_of(arguments.text("user")).exercises};
}

AllBoards::AllBoards(const Arguments& arguments, RemoteBoards* there)
    : own(own_boards(arguments, there ? kOwnBoards : "")),
      exercises(exercises_of(arguments)),
      computer(own, {arguments.text("engine"), cache_directory()}),
      boards(own, there, &exercises, &computer) {}

View view_of(const Arguments& arguments, const GameType* game, const Settings& settings) {
  View view;
  view.field = settings.chosen().field;
  view.words = settings.chosen().words;
  const std::string asked = arguments.text("field");
  if (asked.empty()) return view;
  std::string fields;
  for (const GameType& g : all_games())
    if (!game || game == &g) fields += g.fields;
  if (fields.empty())
    throw Ended{kUsage, std::string(game ? game->title : "This") +
                            " has one drawing only: leave --field out."};
  const char letter = asked.size() == 1 ? lower(asked[0]) : '\0';
  if (letter == '\0' || fields.find(letter) == std::string::npos)
    throw Ended{kUsage,
                "'--field=" + fit(asked, 20) + "': a field is one letter of " + fields + "."};
  view.field = letter;
  return view;
}

int refuse_typed(const Refusal& refusal, std::string_view typed) {
  complain(kRefused, refusal.why);
  const std::string shown = safe_text(typed);
  if (columns(shown) > 70) return kRefused;
  std::cerr << "  " << shown << "\n  "
            << std::string(
                   static_cast<std::size_t>(columns(safe_text(typed.substr(0, refusal.at)))), ' ')
            << "^\n";
  return kRefused;
}

Match described_match(const Arguments& arguments, const GameType& game, std::size_t first) {
  const auto names = arguments.words.begin() + static_cast<std::ptrdiff_t>(first);
  return need(read_new_board(game, {arguments.game_options, {names, arguments.words.end()}},
                             {.here = Settings(paths_of().settings).chosen().name}))
      .match;
}

ServerAddress address_of(const Arguments& arguments) {
  if (arguments.has("connect")) return need(read_server_address(arguments.text("connect")));
  std::error_code error;  // the current directory may be gone
  ServerAddress out;
  out.socket = arguments.text("socket");
  if (out.socket.empty()) {
    // Takes the first path with a socket, or else the first path.
    const auto all = own_sockets();
    const auto found = std::ranges::find_if(
        all, [&](const auto& path) { return std::filesystem::exists(path, error); });
    out.socket = found == all.end() ? all.front() : *found;
  }
  if (const auto whole = std::filesystem::absolute(out.socket, error); !error)
    out.socket = whole.lexically_normal();
  out.hidden = arguments.has("user") && std::getenv("SSH_CONNECTION");
  return out;
}

There there_of(const Arguments& arguments) {
  const bool user = arguments.has("user");
  return {user ? need(check_userid(arguments.text("user"))) : "", address_of(arguments)};
}

void confine_to_user(const Arguments& arguments, const There& there,
                     const std::vector<std::filesystem::path>& written) {
  if (there.user.empty()) return;
  Confines confines;
  confines.write = written;
  confines.read = system_texts();
  // The owner of the login wrote the command line, so the program may use the files that it names.
  if (arguments.has("theme")) confines.read.emplace_back(arguments.text("theme"));
  // A command to the server writes nothing here; boards and settings do.
  if (arguments.words.empty() || arguments.words[0] == "open") {
    const PersonPaths paths = paths_of(there.user);
    confines.write.insert(confines.write.end(),
                          {paths.saves.parent_path(), paths.settings.parent_path()});
    if (arguments.has("saves")) confines.write.emplace_back(arguments.text("saves"));
  }
  // The confinement only covers directories that exist.
  for (const auto& directory : confines.write) {
    try {
      make_directory(directory);
    } catch (const Error&) {  // the later write reports the error
    }
  }
  if (there.address.socket.empty()) confines.port = there.address.port;
  // Makes the C library load its character sets before the confinement.
  [[maybe_unused]] const wint_t read = std::btowc(0xE4);
  confine(confines);
}

}  // namespace pbm
