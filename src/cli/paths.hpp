// SPDX-License-Identifier: MIT
// Where things lie: the program's own texts, and the person's files by the
// XDG base directory rules. Makes nothing. Leaves making them to who writes there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pbm {

// The directory with rules/, themes/ and saves/: $PBMPLAY_DATA, else
// ../share/pbmplay as seen from the program, else the source tree it was built
// in, else where it was meant to be installed.
const std::filesystem::path& program_data();

// Where a person's files lie. Several may share a login and have nothing of it
// but this program: then each has a directory of his own, by his userid.
struct PersonPaths {
  std::filesystem::path saves;  // $XDG_DATA_HOME/pbmplay/saves, or .../pbmplay/users/NAME/saves
  std::filesystem::path
      servers;  // $XDG_DATA_HOME/pbmplay/servers, or .../pbmplay/users/NAME/servers
  std::filesystem::path exercises;  // $XDG_DATA_HOME/pbmplay/exercises: which were done
  std::filesystem::path
      settings;  // $XDG_CONFIG_HOME/pbmplay/settings.yaml, or .../pbmplay/users/NAME/settings.yaml
};
// Pre: `user` is "" or a userid.
PersonPaths paths_of(const std::string& user = "");

// Where is kept what can be made again: $XDG_CACHE_HOME/pbmplay.
std::filesystem::path cache_directory();

// What a server's own directory below `servers` is called: its address, as a file's name.
std::string directory_name(const std::string& address);

// The file in there by which its login is known again; no userid is called so.
inline constexpr const char* kKnownLogin = ".login";

// Where a server of one's own may be when nothing else is said; a new one listens at the first:
// $XDG_RUNTIME_DIR/pbmplay.sock where there is such a directory,
// $XDG_DATA_HOME/pbmplay/pbmplay.sock.
std::vector<std::filesystem::path> own_sockets();

// What the program reads that is nobody's in particular: its own texts, themes,
// what there is to know of terminals, languages and time zones. Some of it may not be there.
std::vector<std::filesystem::path> system_texts();

// The directories themes are looked for in, the person's own first.
std::vector<std::filesystem::path> theme_directories();

}  // namespace pbm
