// SPDX-License-Identifier: MIT
// The boards of a server: saves named GAME-NUMBER.yaml in one directory, which local clients may
// use at the same time. A summary of every board is in memory, and so are the matches of those
// lately used. What others do to a save is noticed before it is used. Leaves the disk to
// commit_log.hpp and who may do what to its callers.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>

#include "base/check.hpp"
#include "game/match.hpp"
#include "store/board_files.hpp"
#include "store/board_table.hpp"
#include "store/commit_log.hpp"
#include "store/database.hpp"

namespace pbm {

struct OpenBoard {
  BoardKey key;
  Match match;
  std::string challenger;  // who began it here, if that is known
  std::string warning;     // what its file needed, or ""
  std::uint64_t used = 0;  // bytes of its file that counted when it was read
  bool plain = false;      // a ply is added by a line at the end
};

class BoardStore {
 public:
  // Pre: the database has the tables `board` and `seat`.
  BoardStore(CommitLog& log, Database& database);
  ~BoardStore();

  // Has `stops` say when time stood still for a seat of that name, from a moment on. Pre: scan()
  // comes later.
  using StopsOf = std::function<Spans(const std::string& name, Time since)>;
  void count_time_by(StopsOf stops) { stops_ = std::move(stops); }

  // Finds out which boards there are. Throws Error.
  void scan();

  // Pre for freshness: take_changes() was called.
  const BoardTable& table() const { return table_; }
  const StoredBoard* info(const BoardKey& key) const { return table_.find(key); }
  // The command at hand tells what the board is like.
  void touch(const BoardKey& key);
  // How many boards `name` has running on which everybody has played, of `game` or of all
  // (nullptr).
  std::size_t running(std::string_view name, const GameType* game) const;
  // How many boards not everybody has played on that `name` has begun; and of those how many there
  // are between two, begun by either. With more than two seats it has to be known who began it: a
  // third one is not to fill theirs.
  std::size_t begun(std::string_view name) const;
  std::size_t unplayed(std::string_view name, std::string_view other) const;

  // Boards with a clock of which anything may be another since the last call; at first all that
  // run.
  std::set<BoardKey> take_clocks() { return std::exchange(clocks_, {}); }

  // A board as its file has it now. Refuses an unknown one and what the loader refuses.
  Result<std::shared_ptr<OpenBoard>> open(BoardKey key);
  // The bytes of its file.
  Result<std::string> text(BoardKey key);

  // A board nobody else writes on until let_go(). As fresh as open(). Refuses one that another
  // program holds at this moment, and never waits: everybody would wait with it.
  class Locked {
   public:
    Locked(std::shared_ptr<OpenBoard> board, FilePtr file)
        : board_(std::move(board)), file_(std::move(file)) {}
    OpenBoard& operator*() const { return *board_; }
    OpenBoard* operator->() const { return board_.get(); }

   private:
    friend class BoardStore;
    std::shared_ptr<OpenBoard> board_;
    FilePtr file_;
  };
  Result<Locked> lock(BoardKey key);
  // What lock() refused because another program holds it, since the last call: that may do a moment
  // later.
  std::optional<BoardKey> take_held_elsewhere() {
    return std::exchange(held_elsewhere_, std::nullopt);
  }

  // Lets others write on boards that were locked and are on disk: once kKept has passed, as the
  // next ply may follow at once; or with `all` now. To be called whenever something was done.
  static constexpr auto kKept = std::chrono::milliseconds(50);
  void let_go(Moment now, bool all = false);
  // When let_go() will; nothing for never.
  std::optional<Moment> due() const;

  // Writes an entry that the match judged, and adds it to the match. Refuses a file no ply can be
  // added to; throws Error; both change nothing.
  Result<Done> add(Locked& board, const Action& entry);
  // Whether add() would refuse it.
  Result<Done> may_add(Locked& board, const Action& entry);
  // A new board under the game's next number, begun by `challenger`. Refuses when none is left;
  // throws Error.
  Result<std::shared_ptr<OpenBoard>> create(const Match& match, const std::string& challenger);
  // Runs `then` once all that was done to a board is on disk: at once if it is.
  void after(const BoardKey& key, CommitLog::Then then);
  // Puts a board away to .deleted, where the local client finds it, as one of the last kMaxDeleted.
  static constexpr std::size_t kMaxDeleted = 1000;
  void remove(Locked& board);

  // Puts summaries into the database that have changed since, at most so many.
  void save_rows(std::size_t most);

  // A descriptor that becomes readable when somebody changes a save; -1 for none.
  int changes() const { return watched_ ? watch_.descriptor() : -1; }
  // Looks again at what others have changed; whether any name may have come or gone.
  bool take_changes();
  // Boards that others have changed since the last call, with the entries they had before.
  std::vector<std::pair<BoardKey, std::size_t>> take_outside() {
    return std::exchange(outside_, {});
  }

 private:
  StoredBoard info_of(const OpenBoard& board, const FileVersion& stamp);
  struct Cached {
    std::shared_ptr<OpenBoard> board;
    std::list<BoardKey>::iterator used;
  };
  static std::string name(const BoardKey& key);
  std::filesystem::path path(const BoardKey& key) const;
  // Keys and stamps by value: those of a summary change when it does. Reads a board's file again;
  // its summary becomes what that says.
  Result<std::shared_ptr<OpenBoard>> load(BoardKey key, FileVersion stamp);
  // The board as a file of that version has it, out of memory if that is the one that was read.
  Result<std::shared_ptr<OpenBoard>> open_file(BoardKey key, FileVersion stamp);
  std::shared_ptr<OpenBoard> cached(const BoardKey& key);
  void cache(std::shared_ptr<OpenBoard> board);
  void uncache(const BoardKey& key);
  void look(BoardKey key);
  void look_at_all();
  // Its file, while the log has it; and while nobody else writes on that.
  FilePtr file(const BoardKey& key) const;
  FilePtr held(const BoardKey& key) const;
  void remember(const BoardKey& key, const FilePtr& file);
  // False while what was added is not on disk.
  bool let_go(const BoardKey& key, LoggedFile& file);
  void mend(OpenBoard& board, LoggedFile& file);
  // Whole, where a line at the end does not do; else "". Refuses as add() does.
  Result<std::string> text_with(Locked& board, const Action& entry, const std::string& line);
  void replace(Locked& board, std::string_view then);
  void read_rows();
  void save_row(const StoredBoard& info);

  CommitLog& log_;
  Database& database_;
  std::filesystem::path directory_;
  DirectoryWatch watch_;
  bool watched_ = false;
  BoardTable table_;
  std::map<const GameType*, int> next_;
  std::map<BoardKey, std::weak_ptr<LoggedFile>> files_;
  std::vector<std::pair<BoardKey, FilePtr>> kept_;  // locked ones
  std::optional<Moment> kept_since_;
  std::map<BoardKey, Cached> cache_;
  std::list<BoardKey> used_;  // the latest first
  std::size_t cost_ = 0;
  std::vector<std::pair<BoardKey, std::size_t>> outside_;
  StopsOf stops_;
  std::set<BoardKey> clocks_;
  std::optional<BoardKey> held_elsewhere_;
  std::set<BoardKey> stale_;  // whose summary in the database is an old one
  bool started_ = false;
  std::chrono::steady_clock::time_point looked_{};  // at all of them, where nothing can be watched
};

}  // namespace pbm
