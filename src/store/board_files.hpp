// SPDX-License-Identifier: MIT
// Directories with the saves of boards, of the local client and of the server. Knows the names of
// saves, free numbers and the directory of deleted boards, and watches for changes by other
// programs. Leaves the content of saves to save/, and writing to board_store.hpp and base/files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <system_error>
#include <vector>

#include "base/unique_fd.hpp"
#include "protocol/board_id.hpp"

namespace pbm {

// The directory of deleted boards, inside that of the others.
inline constexpr const char* kDeletedDirectory = ".deleted";

// Returns the file name of a board's save: "toot-101.yaml" for "toot-101".
std::string save_file_name(std::string_view id);
bool is_save_path(const std::filesystem::path& file);
// Returns the board of a file name without directory, or nothing if it is no name of a save.
std::optional<BoardKey> parse_save_file_name(std::string_view name);

// Returns the saves in a directory, in no order, or none if the directory does not exist. Sets
// `error` if it cannot be read.
std::vector<std::filesystem::path> list_saves(const std::filesystem::path& directory,
                                              std::error_code& error);
// Returns the boards of these saves. Skips files that have no name of a board.
std::vector<BoardKey> list_boards(const std::filesystem::path& directory, std::error_code& error);

// Returns the next free number of each game: one more than the highest in `places`. Numbers of
// deleted boards count too, so that a number is never given twice.
std::map<const GameType*, int> find_next_numbers(
    std::initializer_list<std::filesystem::path> places);

// Deletes the oldest files in `deleted` for good until `most` are left. Keeps the highest number of
// each game, and files that cannot be deleted.
void prune_deleted(const std::filesystem::path& deleted, std::size_t most);

// Notices changes by other programs in directories, by inotify.
class DirectoryWatch {
 public:
  // Returns false if the system cannot watch.
  bool start();
  bool is_started() const { return fd_.is_open(); }
  // Adds a directory: for all changes, or only for new files. Returns false if it does not exist.
  enum class EventFilter : std::uint8_t { all, new_files };
  bool add(const std::filesystem::path& directory, EventFilter what = EventFilter::all);
  // Returns a descriptor that is readable after a change; -1 if there is none.
  int descriptor() const { return fd_.get(); }

  // True if anything changed since the last call. Ignores written files for which `known` returns
  // true.
  bool take_changes(const std::function<bool(const std::filesystem::path&)>& known);

 private:
  UniqueFd fd_;
  std::map<int, std::filesystem::path> directories_;  // by inotify watch descriptor
};

}  // namespace pbm
