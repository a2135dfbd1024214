// SPDX-License-Identifier: MIT
// The locations of files: the program's own texts, and the user's files by the XDG base directory
// rules. It creates none. Leaves that to the code that writes there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pbm {

// Returns the directory with rules/, themes/ and saves/: $PBMPLAY_DATA, or ../share/pbmplay
// relative to the program, or the source tree of the build, or else the place of the installation.
const std::filesystem::path& program_directory();

// The locations of a player's files. Several players may share a login that runs only this program:
// then each has a directory of their own, by userid.
struct UserPaths {
  std::filesystem::path saves;  // $XDG_DATA_HOME/pbmplay/saves, or .../pbmplay/users/NAME/saves
  std::filesystem::path
      servers;  // $XDG_DATA_HOME/pbmplay/servers, or .../pbmplay/users/NAME/servers
  std::filesystem::path exercises;  // $XDG_DATA_HOME/pbmplay/exercises: those solved
  std::filesystem::path
      settings;  // $XDG_CONFIG_HOME/pbmplay/settings.yaml, or .../pbmplay/users/NAME/settings.yaml
  std::filesystem::path pictures;  // $XDG_DATA_HOME/pbmplay/pictures
};
// Pre: `user` is "" or a userid.
UserPaths user_paths(const std::string& user = "");

// Returns the directory for files that the program can compute again: $XDG_CACHE_HOME/pbmplay.
std::filesystem::path cache_directory();

// Returns the directories of the tables of endings: that of the installation, or of the build if
// make left the program there; then the user's cache, which gets a table that neither has.
std::vector<std::filesystem::path> table_directories();

// Returns the name of a server's directory below `servers`: its address, as a file name.
std::string server_directory_name(const std::string& address);

// The file in it that identifies the server's login. No userid has this name.
inline constexpr const char* kLoginFile = ".login";

// Returns the default sockets of the user's own server. A new server listens on the first:
// $XDG_RUNTIME_DIR/pbmplay.sock if that directory exists, then $XDG_DATA_HOME/pbmplay/pbmplay.sock.
std::vector<std::filesystem::path> default_sockets();

// Returns files of the system that the program reads: its texts, themes, terminals, languages and
// time zones. Some may not exist.
std::vector<std::filesystem::path> readable_system_paths();

// Returns the directories of themes, the user's own first.
std::vector<std::filesystem::path> theme_directories();

}  // namespace pbm
