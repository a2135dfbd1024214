// SPDX-License-Identifier: MIT
// The boards of a server: saves named GAME-NUMBER.yaml in one directory, which is the server's
// alone while it runs; others only read there. A summary of every board is in the database, and in
// memory are the matches of those lately used. What a turn of the server does to
// boards is put down in the table `tail` first; when that is committed it is written to the saves,
// and some time later these are made safe and the rows go. Whoever opens the directory after a
// crash finds in the rows what the saves lack (recovery.hpp). Leaves who may do what to its
// callers.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>

#include "base/clock.hpp"
#include "base/unique_fd.hpp"
#include "game/match.hpp"
#include "store/board_files.hpp"
#include "store/board_rows.hpp"

namespace pbm {

struct OpenBoard {
  BoardKey key;
  Match match;
  BoardSummary summary;    // the same as lists have it
  std::uint64_t used = 0;  // bytes of its file that count
  std::uint64_t size = 0;  // and all it had when it was read
  bool plain = false;      // a ply is added by a line at the end
};
using BoardPtr = std::shared_ptr<OpenBoard>;

// Makes one descriptor's bytes safe; 0 or an errno. Tests make it fail.
using SyncFile = std::function<int(int fd)>;

// A save that was written and is not safe yet.
struct WrittenSave {
  std::filesystem::path path;
  UniqueFd fd;
  std::uint64_t size = 0;
};

// Makes saves safe, on a thread of its own.
struct SavesSync {
  std::map<BoardKey, WrittenSave> saves;
  std::set<std::filesystem::path> directories;
  std::int64_t last = 0;  // row of the table that is no longer needed then
  SyncFile sync_file;
  std::string failed = {};  // then: why, for BoardStore::finish()

  void run() noexcept;
};

class BoardStore {
 public:
  // Pre: the database has the tables `board`, `seat` and `tail`, and the directory is ours and was
  // recovered. `sync_file`: nullptr is fdatasync.
  BoardStore(std::filesystem::path directory, Database& database, SyncFile sync_file);

  // Has `stops` say when time stood still for a seat of that name, from a moment on. Pre: scan()
  // comes later.
  using StopsOf = std::function<Spans(const std::string& name, Time since)>;
  void count_time_by(StopsOf stops) { stops_ = std::move(stops); }

  // Finds out which boards there are. Returns those to which anything was done while no server ran.
  // Throws Error.
  std::vector<BoardKey> scan();

  // What is known of all boards.
  BoardRows& rows() { return rows_; }
  // How a board stands; nothing where there is none.
  std::optional<BoardSummary> info(const BoardKey& key);
  std::vector<BoardSummary> running_of(std::string_view name);

  // Boards with a clock of which anything may be another since the last call; at first all that
  // run.
  std::set<BoardKey> take_clocks() { return std::exchange(clocks_, {}); }

  // A board as it is now. Refuses an unknown one and what the loader refuses.
  Result<BoardPtr> open(BoardKey key);
  // The bytes of its save.
  Result<std::string> text(BoardKey key) const;

  // --- in a turn: nothing of it is in a save before write() ---

  // Adds an entry that the match judged. Refuses where its save has no room for it or cannot be
  // written now; throws Error; both change nothing.
  Result<Done> add(const BoardPtr& board, const Action& entry);
  // A new board under the game's next number, begun by `challenger`. Refuses when none is left;
  // throws Error.
  Result<BoardPtr> create(const Match& match, const std::string& challenger);
  // Has seats called otherwise. Refuses a save in which others have written something of their own.
  Result<Done> rename(const BoardPtr& board, std::string_view name, const std::string& other);
  // Puts a board away to .deleted, where the local client finds it, as one of the last kMaxDeleted.
  static constexpr std::size_t kMaxDeleted = 1000;
  void remove(const BoardPtr& board);

  // How much was done in this turn so far; and undoes what was done since. The rows are undone by
  // the database.
  std::size_t done() const { return turn_.size(); }
  void undo_to(std::size_t done);

  // Writes what was committed. Where a save cannot be written nothing is lost: it is tried again
  // each time, and until then nothing is added to it.
  void write();
  // What went wrong with that since the last call, a sentence each.
  std::vector<std::string> take_troubles() { return std::exchange(troubles_, {}); }

  // --- making saves safe ---

  // So long the first that was written waits for it.
  static constexpr std::chrono::seconds kOldest{5};
  // Those that were written so long ago, or are many; `all`: any. nullptr for none, while one is
  // out, and once the database failed.
  std::unique_ptr<SavesSync> take_sync(Moment now, bool all = false);
  // Deletes the rows that are no longer needed; or stops the database, where nothing is safe any
  // more.
  void finish(std::unique_ptr<SavesSync> sync);
  // When take_sync() will have some if nothing else happens; nothing for never.
  std::optional<Moment> sync_due() const;

 private:
  // One row of `tail`.
  struct Change {
    enum class What : std::uint8_t { add, create, replace, put_away } what;
    BoardKey key;
    std::uint64_t offset = 0;
    std::string bytes = {};
    std::int64_t row = 0;
  };
  struct Cached {
    BoardPtr board;
    std::list<BoardKey>::iterator used;
  };
  BoardSummary summary(const OpenBoard& board);
  std::filesystem::path path(const BoardKey& key) const;
  Result<BoardPtr> load(BoardKey key);
  BoardPtr cached(const BoardKey& key);
  void cache(BoardPtr board);
  void uncache(const BoardKey& key);
  // The change that adds `entry`; refuses as add() does.
  Result<Change> addition(const OpenBoard& board, const Action& entry, const std::string& line);
  void put_down(Change change);
  bool is_late(const BoardKey& key) const;
  void write(const Change& change);
  void append(const Change& change);
  WrittenSave* written(const BoardKey& key, std::uint64_t size);
  void make_anew(const BoardKey& key);

  std::filesystem::path directory_;
  Database& database_;
  SyncFile sync_file_;
  BoardRows rows_;
  std::map<const GameType*, int> next_;
  std::map<BoardKey, Cached> cache_;
  std::list<BoardKey> used_;  // the latest first
  std::size_t cost_ = 0;
  StopsOf stops_;
  std::set<BoardKey> clocks_;
  std::vector<Change> turn_, late_;  // of this turn; committed, and not in their saves
  std::vector<std::string> troubles_;
  std::map<BoardKey, WrittenSave> written_;  // since the last sync
  std::set<std::filesystem::path> directories_;
  std::int64_t last_row_ = 0;    // of `tail`
  std::optional<Moment> since_;  // take_sync() was first asked for them
  bool sync_out_ = false;
};

}  // namespace pbm
