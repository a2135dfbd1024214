// SPDX-License-Identifier: MIT
#include "boards/deleted.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "boards/board_id.hpp"

namespace pbm {

namespace fs = std::filesystem;

void keep_last_deleted(const fs::path& deleted, std::size_t most) {
  struct File {
    std::time_t second;  // when it was put there: a rename changes that of the file
    long part;
    fs::path path;
    bool operator<(const File& o) const {
      return std::tie(second, part, path) < std::tie(o.second, o.part, o.path);
    }
  };
  std::vector<File> files;
  std::map<const GameType*, std::pair<int, fs::path>> highest;
  std::error_code error;
  for (fs::directory_iterator it(deleted, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    if (::lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({status.st_ctim.tv_sec, status.st_ctim.tv_nsec, it->path()});
    const std::string name = it->path().filename().string();
    const auto key = read_board_id(std::string_view(name).substr(0, name.find('.')));
    if (!key) continue;
    auto& found = highest[key->game];
    if (key->number > found.first) found = {key->number, it->path()};
  }
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most);
  for (const File& file : files)
    if (std::none_of(highest.begin(), highest.end(),
                     [&](const auto& h) { return h.second.second == file.path; }))
      ::unlink(file.path.c_str());
}

}  // namespace pbm
