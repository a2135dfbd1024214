// SPDX-License-Identifier: MIT
#include "store/board_files.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kExtension = ".yaml";

bool is_save_file_name(std::string_view name) {
  return name.size() > kExtension.size() && name.front() != '.' && name.ends_with(kExtension);
}

// Returns the file name of a path. filesystem::path is too slow for 100,000 files.
std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string save_file_name(std::string_view id) {
  return std::string(id) + std::string(kExtension);
}

bool is_save_path(const fs::path& file) { return is_save_file_name(file_name_of(file.native())); }

std::optional<BoardKey> parse_save_file_name(std::string_view name) {
  if (!is_save_file_name(name)) return std::nullopt;
  return read_board_id(name.substr(0, name.size() - kExtension.size()));
}

std::vector<fs::path> list_saves(const fs::path& directory, std::error_code& error) {
  std::vector<fs::path> out;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (is_save_path(it->path())) out.push_back(it->path());
  if (error == std::errc::no_such_file_or_directory) error.clear();
  return out;
}

std::vector<BoardKey> list_boards(const fs::path& directory, std::error_code& error) {
  std::vector<BoardKey> out;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (const auto key = parse_save_file_name(file_name_of(it->path().native())))
      out.push_back(*key);
  if (error == std::errc::no_such_file_or_directory) error.clear();
  return out;
}

std::map<const GameType*, int> find_next_numbers(std::initializer_list<fs::path> places) {
  std::map<const GameType*, int> out;
  for (const GameType& game : all_games()) out[&game] = kFirstNumber;
  std::error_code ignored;  // creating the file detects a number that is taken
  for (const fs::path& place : places)
    for (const BoardKey& key : list_boards(place, ignored))
      out[key.game] = std::max(out[key.game], key.number + 1);
  return out;
}

void prune_deleted(const fs::path& deleted, std::size_t most) {
  // Sorts by the change time (ctime), which the rename to this directory set.
  std::vector<std::tuple<std::time_t, long, fs::path>> files;
  std::map<const GameType*, std::pair<int, fs::path>> highest;
  std::error_code error;
  for (fs::directory_iterator it(deleted, error), end; !error && it != end; it.increment(error)) {
    struct stat status {};
    if (::lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.emplace_back(status.st_ctim.tv_sec, status.st_ctim.tv_nsec, it->path());
    const std::string name = it->path().filename().string();
    const auto key = read_board_id(std::string_view(name).substr(0, name.find('.')));
    if (!key) continue;
    auto& found = highest[key->game];
    if (key->number > found.first) found = {key->number, it->path()};
  }
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end());
  files.resize(files.size() - most);
  for (const auto& [second, part, path] : files)
    if (std::ranges::none_of(highest, [&p = path](const auto& h) { return h.second.second == p; }))
      ::unlink(path.c_str());
}

bool DirectoryWatch::start() {
  if (!fd_.is_open()) fd_ = UniqueFd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  return fd_.is_open();
}

bool DirectoryWatch::add(const fs::path& directory, EventFilter what) {
  const std::uint32_t events =
      IN_CREATE | IN_MOVED_TO |
      (what == EventFilter::new_files ? 0 : IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_MODIFY);
  const int watch = ::inotify_add_watch(fd_.get(), directory.c_str(), events | IN_MASK_ADD);
  if (watch >= 0) directories_[watch] = directory;
  return watch >= 0;
}

bool DirectoryWatch::take_changes(const std::function<bool(const fs::path&)>& known) {
  alignas(inotify_event) std::array<char, 16384> events;
  bool any = false;
  for (ssize_t n; fd_.is_open() && (n = ::read(fd_.get(), events.data(), events.size())) > 0;)
    for (const char* at = events.data(); at < events.data() + n;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(at);
      any = any || event->mask != IN_MODIFY || event->len == 0 ||
            !known(directories_[event->wd] / event->name);
      at += sizeof(inotify_event) + event->len;
    }
  return any;
}

}  // namespace pbm
