// SPDX-License-Identifier: MIT
#include "cli/paths.hpp"

#include <cstdlib>
#include <sstream>

#include "base/files.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// As XDG says, a variable without an absolute path counts as unset.
fs::path xdg_directory(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return (value && *value == '/' ? fs::path(value) : home_directory() / otherwise) / "pbmplay";
}

bool has_texts(const fs::path& directory) {
  std::error_code error;
  return fs::is_directory(directory / "rules", error) &&
         fs::is_directory(directory / "themes", error);
}

fs::path find_program_data() {
  if (const char* data = std::getenv("PBMPLAY_DATA"); data && *data) return data;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = program.parent_path().parent_path();
  // The program is installed, perhaps moved; or it lies in its source tree; or elsewhere, where
  // make leaves a link to the tree.
  for (const fs::path& place : {above / "share" / "pbmplay", above, program.parent_path() / "tree"})
    if (!error && has_texts(place)) return place;
  return PBM_DATA;
}

}  // namespace

const fs::path& program_directory() {
  static const fs::path found = find_program_data();
  return found;
}

fs::path cache_directory() { return xdg_directory("XDG_CACHE_HOME", ".cache"); }

std::vector<fs::path> table_directories() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const bool is_build = fs::exists(program.parent_path() / ".commit", error);  // made by make
  return {(is_build ? program.parent_path() : program_directory()) / "tables", cache_directory()};
}

UserPaths user_paths(const std::string& user) {
  fs::path data = xdg_directory("XDG_DATA_HOME", ".local/share"),
           config = xdg_directory("XDG_CONFIG_HOME", ".config");
  if (!user.empty()) {
    data = data / "users" / user;
    config = config / "users" / user;
  }
  return {data / "saves", data / "servers", data / "exercises", config / "settings.yaml",
          data / "pictures"};
}

std::string server_directory_name(const std::string& address) {
  static constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out;
  for (const char c : address) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    if (plain) out += c;
    else if (c == '/') out += '+';
    else out += {'%', hex[byte >> 4], hex[byte & 15]};
  }
  return out;
}

std::vector<fs::path> default_sockets() {
  std::vector<fs::path> out{xdg_directory("XDG_DATA_HOME", ".local/share") / "pbmplay.sock"};
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  std::error_code error;
  if (runtime && *runtime == '/' && fs::is_directory(runtime, error))
    out.insert(out.begin(), fs::path(runtime) / "pbmplay.sock");
  return out;
}

std::vector<fs::path> readable_system_paths() {
  std::vector<fs::path> out{program_directory(),   "/etc/terminfo",
                            "/lib/terminfo",       "/usr/lib/terminfo",
                            "/usr/share/terminfo", home_directory() / ".terminfo",
                            "/usr/lib/locale",     "/usr/share/locale",
                            "/etc/localtime",      "/usr/share/zoneinfo"};
  if (const char* terminfo = std::getenv("TERMINFO"); terminfo && *terminfo)
    out.emplace_back(terminfo);
  std::istringstream more(std::getenv("TERMINFO_DIRS") ? std::getenv("TERMINFO_DIRS") : "");
  for (std::string directory; std::getline(more, directory, ':');)
    if (!directory.empty()) out.emplace_back(directory);
  for (const fs::path& themes : theme_directories()) out.push_back(themes);
  return out;
}

std::vector<fs::path> theme_directories() {
  return {xdg_directory("XDG_CONFIG_HOME", ".config") / "themes", program_directory() / "themes"};
}

}  // namespace pbm
