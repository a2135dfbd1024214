// SPDX-License-Identifier: MIT
#include "cli/paths.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace pbm {

namespace fs = std::filesystem;

namespace {

fs::path home() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  if (const passwd* user = ::getpwuid(::getuid()); user && user->pw_dir) return user->pw_dir;
  return ".";
}

// A variable that does not hold an absolute path counts as unset, as XDG says.
fs::path xdg(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  return (value && *value == '/' ? fs::path(value) : home() / otherwise) / "pbmplay";
}

bool has_texts(const fs::path& directory) {
  std::error_code error;
  return fs::is_directory(directory / "rules", error) && fs::is_directory(directory / "themes", error);
}

}  // namespace

fs::path program_data() {
  if (const char* data = std::getenv("PBMPLAY_DATA"); data && *data) return data;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path above = program.parent_path().parent_path();
  // Installed, wherever the whole may have been moved to; or built in its source tree.
  if (!error && has_texts(above / "share" / "pbmplay")) return above / "share" / "pbmplay";
  if (!error && has_texts(above)) return above;
  return PBM_DATA;
}

fs::path own_saves() { return xdg("XDG_DATA_HOME", ".local/share") / "saves"; }

fs::path settings_file() { return xdg("XDG_CONFIG_HOME", ".config") / "settings.yaml"; }

std::vector<fs::path> theme_directories() { return {xdg("XDG_CONFIG_HOME", ".config") / "themes", program_data() / "themes"}; }

}  // namespace pbm
