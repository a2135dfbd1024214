// SPDX-License-Identifier: MIT
// A directory of boards as files, whoever uses it, the local client or the server: what a save is
// called, which numbers are taken, where boards lie that were put away, and how one hears of what
// others do there. Leaves what is in a save to save/, and writing on it to board_store.hpp and
// base/files.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <system_error>
#include <vector>

#include "base/unique_fd.hpp"
#include "protocol/board_id.hpp"

namespace pbm {

// Where boards lie that were put away, in the directory of the others.
inline constexpr const char* kDeleted = ".deleted";

// "toot-101" is kept in "toot-101.yaml".
std::string save_name(std::string_view id);
bool is_save_name(const std::filesystem::path& file);
// Which board is kept in a file of that name, without its directory; nothing where none is.
std::optional<BoardKey> board_in(std::string_view name);

// The saves in a directory, in no order; a directory that is not there has none. `error` says when
// it cannot be read.
std::vector<std::filesystem::path> saves_in(const std::filesystem::path& directory,
                                            std::error_code& error);
// The boards that they are, each as often as that; not what has another name.
std::vector<BoardKey> boards_in(const std::filesystem::path& directory, std::error_code& error);

// Of each game one more than any number that a board there has or, put away, had: a number is never
// given to a second board.
std::map<const GameType*, int> next_numbers(std::initializer_list<std::filesystem::path> places);

// Removes the oldest files in `deleted` for good until `most` are left. The highest number of each
// game stays, too, and what cannot be removed.
void keep_last_deleted(const std::filesystem::path& deleted, std::size_t most);

// Hears of what others do in directories, by inotify.
class DirectoryWatch {
 public:
  // False where nothing can be watched.
  bool begin();
  bool runs() const { return fd_.open(); }
  // Watches this directory, too: for everything, or only for what comes into it. False when it is
  // not there.
  enum class For : std::uint8_t { all, coming };
  bool add(const std::filesystem::path& directory, For what = For::all);
  // Becomes readable when something has happened; -1 for none.
  int descriptor() const { return fd_.get(); }

  // Whether anything has happened since the last call, but that files were written which `known`
  // knows as they are.
  bool take(const std::function<bool(const std::filesystem::path&)>& known);

 private:
  UniqueFd fd_;
  std::map<int, std::filesystem::path> watched_;  // by what inotify calls them
};

}  // namespace pbm
