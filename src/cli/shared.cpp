// SPDX-License-Identifier: MIT
#include "cli/shared.hpp"

#include <unistd.h>

#include <algorithm>
#include <cwchar>
#include <iostream>

#include "base/confine.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/markdown.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/paths.hpp"
#include "game/thinker.hpp"
#include "ui/help_topics.hpp"
#include "ui/terminal.hpp"

namespace pbm {

int complain(int status, const std::string& sentence) {
  std::cerr << "pbmplay: " << safe_text(sentence) << '\n';
  return status;
}

int page(const std::string& text) {
  // As others have it: less ends by itself where all fits, and leaves it on the screen.
  static constexpr const char* kPager =
      "export LESS=\"${LESS-FRX}\"\n"
      "if [ -n \"$PAGER\" ]; then eval \"$PAGER\"\n"
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

Result<int> level_of(const Arguments& arguments, int usual) {
  const int level = arguments.level.value_or(usual);
  if (level >= 1 && level <= kTopLevel) return level;
  return Refusal{"'--level=" + std::to_string(level) + "' is no level: they go from 1 to " +
                 std::to_string(kTopLevel) + "."};
}

Result<ServerAddress> server_named(const Arguments& arguments) {
  if (!arguments.connect.empty()) {
    if (!arguments.socket.empty())
      return Refusal{"A server has one address: write --socket or --connect."};
    return read_server_address(arguments.connect);
  }
  ServerAddress out;
  out.socket = arguments.socket;
  if (out.socket.empty()) {
    // The first where a server is, else the first.
    const auto all = own_sockets();
    std::error_code error;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& socket) {
      return std::filesystem::exists(socket, error);
    });
    out.socket = found == all.end() ? all.front() : *found;
  }
  return out;
}

void confine_to_user(const Arguments& arguments, const ServerAddress& address,
                     const std::vector<std::filesystem::path>& written) {
  if (arguments.user.empty()) return;
  Confines confines;
  confines.write = written;
  confines.read = system_texts();
  // The command line is whose the login is: what it names may be read and used.
  if (!arguments.theme.empty()) confines.read.emplace_back(arguments.theme);
  // A command to the server keeps nothing here; boards and settings are kept.
  if (arguments.words.empty() || arguments.words[0] == "open") {
    const PersonPaths paths = paths_of(arguments.user);
    confines.write.insert(confines.write.end(),
                          {paths.saves.parent_path(), paths.settings.parent_path()});
    if (!arguments.saves.empty()) confines.write.emplace_back(arguments.saves);
  }
  // A right is to what is there.
  for (const auto& directory : confines.write) {
    try {
      make_directory(directory);
    } catch (const Error&) {  // said when something is to be kept
    }
  }
  if (address.socket.empty()) confines.port = address.port;
  [[maybe_unused]] const wint_t read =
      std::btowc(0xE4);  // what else the C library needs for other character sets is read now
  confine(confines);
}

ServerAddress whole_address(ServerAddress address) {
  if (address.socket.empty()) return address;
  std::error_code nowhere;  // the current directory may be gone
  const std::filesystem::path whole = std::filesystem::absolute(address.socket, nowhere);
  if (!nowhere) address.socket = whole.lexically_normal();
  return address;
}

}  // namespace pbm
