// SPDX-License-Identifier: MIT
// Boards kept as saves in a directory, one file each. Several programs may use the directory at the
// same time. Leaves the text of a save to save/.
#pragma once

#include <filesystem>
#include <map>
#include <set>

#include "base/files.hpp"
#include "boards/repository.hpp"
#include "store/board_files.hpp"

namespace pbm {

class LocalBoards final : public Repository {
 public:
  // `any_file` also opens saves elsewhere by their paths; `directory` allows only the directory and
  // the examples.
  enum class Scope : std::uint8_t { any_file, directory };
  // The limits for Scope::directory: the disk belongs to another person there.
  static constexpr std::size_t kMaxBoards = 100, kMaxDeleted = 20;

  // `directory` need not exist yet. `examples` has saves that are copied when played on. The ids of
  // boards in the directory begin with `called`, if there are other boards, too.
  LocalBoards(std::filesystem::path directory, std::filesystem::path examples,
              Scope reach = Scope::any_file, std::string_view called = "");

  std::vector<BoardSummary> list() override;
  // An id is the name of a board ("toot-101"), its number if only one game has it ("101"), or the
  // path of a save.
  Result<Board> open(const std::string& id) override;
  Result<Board> save_new(const Match& match) override;
  // A name is portable as a file name: a letter or digit, then letters, digits, and . _ -
  Result<std::string> rename(const std::string& id, const std::string& wanted) override;
  Result<Success> play(Board& board, const std::vector<MoveRequest>& turns) override;
  Result<Success> set_computer(Board& board, Seat seat, int level) override;
  // Moves the save to the directory's .deleted; restore() moves it back.
  Result<Success> remove(const std::string& id) override;
  Result<Success> restore(const std::string& named) override;
  // Watches the directory, and those of saves opened elsewhere, with inotify.
  int change_descriptor() override;
  bool take_changes() override;
  std::string location() const override { return directory_.string(); }

 private:
  // board_name() removes `prefix_` from the front of an id; with_prefix() adds it to a name.
  std::string board_name(const std::string& id) const {
    return id.starts_with(prefix_) ? id.substr(prefix_.size()) : id;
  }
  std::string with_prefix(const std::string& name) const { return prefix_ + name; }
  // Returns the file of an id. Throws the Refusal, as do others below.
  std::filesystem::path find_file(const std::string& named) const;
  bool is_in_scope(const std::string& id) const;
  void require_in_scope(const std::string& id) const;
  std::filesystem::path file_in_directory(const std::string& id, const std::string& done) const;
  std::filesystem::path file_path(const std::string& id) const {
    return directory_ / save_file_name(id);
  }
  std::string board_id(const std::filesystem::path& file) const;
  // Watches a directory from the first call of take_changes(), or as soon as the directory exists.
  void add_watch(const std::filesystem::path& directory) {
    if (watched_directories_.insert(directory).second) renew_watches();
  }
  void renew_watches();
  // Remembers a file written here, so that take_changes() does not report it.
  void note_own_write(const std::filesystem::path& file) {
    std::error_code error;
    own_writes_[file] = {std::filesystem::file_size(file, error),
                         std::filesystem::last_write_time(file, error)};
  }
  // Saves `text` under the game's next free number and returns the id. Throws the Refusal if no
  // number is free.
  std::string create_board(const GameType& game, const std::string& text);
  void copy_example(Board& board);

  std::filesystem::path directory_;
  std::filesystem::path examples_;
  Scope scope_;
  std::string prefix_;
  DirectoryWatch directory_watch_;
  std::set<std::filesystem::path> watched_directories_;  // directories to watch, existing or not
  // Size and time of each save when it was written here.
  std::map<std::filesystem::path, std::pair<std::uintmax_t, std::filesystem::file_time_type>>
      own_writes_;
};

// True if the id is an example's or a path, so it is not the name of a board.
bool is_example_or_path(std::string_view id);

// Opens a save anywhere. Refuses with a sentence that names the file.
Result<Board> open_save(const std::filesystem::path& file);

// Writes a match to a new save `file`; refuses a name that is taken.
Result<Success> write_new_save(const std::filesystem::path& file, const Match& match);

}  // namespace pbm
