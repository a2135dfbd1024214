// SPDX-License-Identifier: MIT
// Where things lie: the program's own texts, and the person's files by the
// XDG base directory rules. Makes nothing.
#pragma once

#include <filesystem>
#include <vector>

namespace pbm {

// The directory with rules/, themes/ and saves/: $PBMPLAY_DATA, else
// ../share/pbmplay as seen from the program, else the source tree it was built
// in, else where it was meant to be installed.
std::filesystem::path program_data();

// $XDG_DATA_HOME/pbmplay/saves.
std::filesystem::path own_saves();

// $XDG_CONFIG_HOME/pbmplay/settings.yaml.
std::filesystem::path settings_file();

// The directories themes are looked for in, the person's own first.
std::vector<std::filesystem::path> theme_directories();

}  // namespace pbm
