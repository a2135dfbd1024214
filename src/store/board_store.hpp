// SPDX-License-Identifier: MIT
// The boards of a server: saves named GAME-NUMBER.yaml in one directory. Only the server writes
// there while it runs. The database has a summary of each board; memory has the matches of recently
// used ones. A transaction first records its changes to boards in the table `tail`. After the
// commit they are written to the saves. Later the saves are synced to disk and the rows deleted.
// After a crash, recovery.hpp restores from the rows what the saves lack. Leaves permissions to its
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
  BoardSummary summary;         // the match as lists show it
  std::size_t valid_bytes = 0;  // valid bytes of its file
  std::uint64_t file_size = 0;  // all bytes of the file when it was read
  bool can_append = false;      // true if an added ply is one more line at the end
};
using BoardPtr = std::shared_ptr<OpenBoard>;

// Syncs one file to disk. Returns 0 or an errno. Tests make it fail.
using SyncFunction = std::function<int(int fd)>;

// A save that was written but not yet synced to disk.
struct UnsyncedSave {
  std::filesystem::path path;
  UniqueFd fd;
  std::uint64_t size = 0;
};

// A job that syncs saves to disk on a thread of its own.
struct SyncJob {
  std::map<BoardKey, UnsyncedSave> saves;
  std::set<std::filesystem::path> directories;
  std::int64_t last_row = 0;  // the last row of `tail` that is no longer needed after the sync
  SyncFunction sync_file;
  std::string error = {};  // why run() failed, for BoardStore::finish(), or ""

  void run() noexcept;
};

class BoardStore {
 public:
  // Pre: the database has the tables `board`, `seat` and `tail`. The directory is locked for this
  // server and was recovered. If `sync_file` is nullptr, fdatasync() is used.
  BoardStore(std::filesystem::path directory, Database& database, SyncFunction sync_file);

  // Sets the function that returns when the clock of a player stood still since a time. Pre: scan()
  // was not called yet.
  using ClockStopLookup = std::function<TimeSpans(const std::string& name, Time since)>;
  void set_clock_stop_lookup(ClockStopLookup stops) { clock_stops_ = std::move(stops); }

  // Finds all boards. Returns those that changed while no server ran. Throws Error.
  std::vector<BoardKey> scan();

  // The summaries of all boards.
  BoardRows& rows() { return rows_; }
  // Returns the summary of a board, or nothing if it does not exist.
  std::optional<BoardSummary> find_summary(const BoardKey& key);
  std::vector<BoardSummary> find_running(std::string_view name);

  // Returns the boards whose clocks may have changed since the last call; at first all that run.
  std::set<BoardKey> take_changed_clocks() { return std::exchange(changed_clocks_, {}); }

  // Opens a board in its current state. Refuses an unknown board and one that cannot be read.
  Result<BoardPtr> open(BoardKey key);
  // Returns the bytes of its save, including changes that are not written yet.
  Result<std::string> read_save(BoardKey key) const;

  // --- changes in a transaction: write() brings them to the saves after the commit ---

  // Adds a valid entry. Refuses if the save has no room or cannot be written now. Throws Error. In
  // both cases nothing changes.
  Result<Success> add(const BoardPtr& board, const LogEntry& entry);
  // Makes a new board of `challenger` with the game's next number. Refuses if no number is left.
  // Throws Error.
  Result<BoardPtr> create(const Match& match, const std::string& challenger);
  // Renames the player `name` to `other`. Refuses a save that other programs have edited.
  Result<Success> rename(const BoardPtr& board, std::string_view name, const std::string& other);
  // Moves a board to .deleted, where the local client finds it. Only the last kMaxDeleted boards
  // stay there.
  static constexpr std::size_t kMaxDeleted = 1000;
  void remove(const BoardPtr& board);

  // Returns the number of changes in this transaction. undo_to() drops the later ones; the database
  // undoes their rows.
  std::size_t change_count() const { return changes_.size(); }
  void undo_to(std::size_t done);

  // Records the changes of this transaction in the table `tail`, just before the commit. An undone
  // command has then nothing to undo there. Throws Error.
  void record_changes();
  // Writes the committed changes to the saves. If a save cannot be written, no change is lost: each
  // call tries again, and until then add() refuses entries for it.
  void write();
  // True if write() could not write all of them.
  bool has_unwritten() const { return !unwritten_.empty(); }
  // Returns the system's reason why write() last failed.
  const std::string& write_error() const { return write_error_; }
  // Returns the errors of write() since the last call, a sentence each.
  std::vector<std::string> take_errors() { return std::exchange(errors_, {}); }

  // --- syncing saves to disk ---

  // The longest time between a write and its sync.
  static constexpr std::chrono::seconds kSyncDelay{5};
  // Returns a job if saves wait longer than kSyncDelay or are many; with `all`, if any save waits.
  // Returns nullptr otherwise, while another job is out, and after the database failed.
  std::unique_ptr<SyncJob> take_sync_job(SteadyTime now, bool all = false);
  // Deletes the rows that the job makes unnecessary. If the job failed, stops the database, since
  // nothing can be saved reliably any more.
  void finish_sync(std::unique_ptr<SyncJob> sync);
  // Returns when take_sync_job() has its next job if nothing else happens, or nothing.
  std::optional<SteadyTime> next_sync_due() const;

 private:
  // One row of `tail`.
  struct Change {
    enum class Kind : std::uint8_t { add, create, replace, remove } kind;
    BoardKey key;
    std::size_t offset = 0;
    std::string bytes = {};
    std::int64_t row = 0;
  };
  struct CacheEntry {
    BoardPtr board;
    std::list<BoardKey>::iterator position;
  };
  BoardSummary make_summary(const OpenBoard& board);
  std::filesystem::path save_path(const BoardKey& key) const;
  Result<BoardPtr> load(BoardKey key);
  BoardPtr find_cached(const BoardKey& key);
  void add_to_cache(BoardPtr board);
  void remove_from_cache(const BoardKey& key);
  // Returns the change that adds `entry`. Refuses as add() does.
  Result<Change> make_addition(const OpenBoard& board, const LogEntry& entry,
                               const std::string& line);
  void add_change(Change change);
  // Refuses while a change of the save is committed but not written.
  Result<Success> check_writable(const BoardKey& key) const;
  void write(const Change& change);
  void append(const Change& change);
  UnsyncedSave* open_save(const BoardKey& key, std::uint64_t size);
  void recreate_save(const BoardKey& key);
  void recreate_later(const BoardKey& key);
  void put_aside(const std::filesystem::path& file);

  std::filesystem::path directory_;
  Database& database_;
  SyncFunction sync_file_;
  BoardRows rows_;
  std::map<const GameType*, int> next_numbers_;
  std::map<BoardKey, CacheEntry> cache_;
  std::list<BoardKey> recent_keys_;  // keys of cache_, the most recently used first
  std::size_t cache_cost_ = 0;
  ClockStopLookup clock_stops_;
  std::set<BoardKey> changed_clocks_;
  std::vector<Change> changes_, unwritten_;  // of this transaction; committed but not written
  // Boards whose rows lack plies that are on disk in `tail`: the next sync writes them, and after a
  // kill scan() reads their saves. A board that left the cache meanwhile has its summary there.
  std::map<BoardKey, std::optional<BoardSummary>> stale_rows_;
  std::set<BoardKey> fresh_rows_;  // of `stale_rows_`, those that this transaction has written
  std::vector<std::string> errors_;
  std::string write_error_;
  std::map<BoardKey, UnsyncedSave> unsynced_;  // written but not synced
  std::set<std::filesystem::path> unsynced_directories_;
  std::int64_t last_row_ = 0;                 // the last row of `tail`
  std::optional<SteadyTime> unsynced_since_;  // when take_sync_job() first saw the unsynced saves
  bool is_syncing_ = false;
};

}  // namespace pbm
