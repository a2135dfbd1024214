// SPDX-License-Identifier: MIT
// Boards kept as saves in a directory, one file a board. Several programs may use the directory at
// once. Leaves the text of a save to save/.
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
  // Whether saves elsewhere can be opened by their paths, or one is held to the directory and the
  // examples.
  enum class Scope : std::uint8_t { anywhere, directory };
  // Where one is held to it the disk is somebody else's.
  static constexpr std::size_t kMaxOwn = 100, kMaxDeleted = 20;

  // `directory` need not exist yet; `examples` holds saves that are copied when played on. `called`
  // stands before the names of the boards in the directory, where there are others beside.
  LocalBoards(std::filesystem::path directory, std::filesystem::path examples,
              Scope reach = Scope::anywhere, std::string_view called = "");

  std::vector<BoardSummary> list() override;
  // An id is a board's name ("toot-101"), its number where only one game has it ("101"), or the
  // path of a save anywhere.
  Result<Board> open(const std::string& id) override;
  Result<Board> keep(const Match& match) override;
  // A name is what a file can be called everywhere: letters, digits, and . _ - behind the first.
  Result<std::string> rename(const std::string& id, const std::string& wanted) override;
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  Result<Done> set_computer(Board& board, Seat seat, int level) override;
  // Deleted saves lie in the directory's .deleted until they are restored.
  Result<Done> remove(const std::string& id) override;
  Result<Done> restore(const std::string& named) override;
  // Of at most kMaxRead saves of the game, those last written.
  static constexpr std::size_t kMaxRead = 500;
  void add_own_games(Openings& openings) override;
  // By inotify, on the directory and on those of saves opened elsewhere.
  int changes() override;
  bool take_changes() override;
  std::string place() const override { return directory_.string(); }

 private:
  // An id without what stands before it here, and a name with it.
  std::string name_in(const std::string& id) const {
    return id.starts_with(called_) ? id.substr(called_.size()) : id;
  }
  std::string called(const std::string& name) const { return called_ + name; }
  // The file an id means. Throws the Refusal, as others below.
  std::filesystem::path file_of(const std::string& named) const;
  bool is_within_reach(const std::string& id) const;
  void need_within_reach(const std::string& id) const;
  std::filesystem::path own_file(const std::string& id, const std::string& done) const;
  std::filesystem::path file_named(const std::string& id) const {
    return directory_ / save_name(id);
  }
  std::string id_of(const std::filesystem::path& file) const;
  // Has a directory watched once somebody asks for changes and the directory is there.
  void watch(const std::filesystem::path& directory) {
    if (watched_.insert(directory).second) watch_all();
  }
  void watch_all();
  // What these boards have written there is no news.
  void remember(const std::filesystem::path& file) {
    std::error_code error;
    written_[file] = {std::filesystem::file_size(file, error),
                      std::filesystem::last_write_time(file, error)};
  }
  // Keeps `text` under the game's next free number; the board's id. Throws the Refusal when there
  // is none.
  std::string keep_new(const GameType& game, const std::string& text);
  void make_own(Board& board);

  std::filesystem::path directory_;
  std::filesystem::path examples_;
  Scope reach_;
  std::string called_;
  DirectoryWatch watch_;
  std::set<std::filesystem::path> watched_;  // what is to be watched, there or not
  // The saves that were written here, as they were then.
  std::map<std::filesystem::path, std::pair<std::uintmax_t, std::filesystem::file_time_type>>
      written_;
};

// Whether an id is an example's or a path, and so no name of a board.
bool is_example_or_path(std::string_view id);

// One save, wherever it lies. Refuses with a sentence that names the file.
Result<Board> open_save(const std::filesystem::path& file);

// Writes a new save of a match to `file`; refuses a name that is taken.
Result<Done> write_new_save(const std::filesystem::path& file, const Match& match);

}  // namespace pbm
