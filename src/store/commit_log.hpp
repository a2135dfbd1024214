// SPDX-License-Identifier: MIT
// Writing many files at the price of one sync. What is added to a file is written to it at
// once, and to a log beside; the log is synced for all that came meanwhile, and then all of
// that is safe: whoever finds the log after a crash replays it (recovery.hpp). The files
// themselves are synced now and then, and the log ends with that. Leaves what the bytes
// mean to who adds them.
//
// Everything here is for one thread, the one that made it, but for what waits for the disk:
//   Batch::sync()       the log of what came meanwhile; one is out at a time
//   Checkpoint::sync()  the files that are in a log, which is removed then; one at a time
//
// When a sync fails nothing is safe any more: failed() says why, and nothing more is
// acknowledged. Where only room for the log is missing the files themselves are synced.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/unique_fd.hpp"
#include "store/log_format.hpp"

namespace pbm {

using BatchNumber = std::uint64_t;  // counted from 1; 0 is before all

// Makes one descriptor's bytes safe; 0 or an errno. Tests make it fail.
using SyncFile = std::function<int(int fd)>;

// A file that bytes are added to. Whoever else writes on it has the lock first (flock(2)), which is
// held from hold() to release(), at least until the bytes are in the log.
class LoggedFile {
 public:
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  int descriptor() const { return fd_.get(); }
  bool locked() const { return locked_; }
  bool safe() const { return batch_ == 0; }  // what was added

 private:
  friend class CommitLog;
  friend class Batch;
  friend class Checkpoint;
  std::filesystem::path path_;
  std::string name_;  // as it leads from the directory
  UniqueFd fd_;
  std::uint64_t size_ = 0;
  BatchNumber batch_ = 0;         // the newest with bytes of it that is not safe yet; 0: none
  std::uint64_t generation_ = 0;  // the log it is in
  bool locked_ = false;
};
using FilePtr = std::shared_ptr<LoggedFile>;

// A log on disk. Touched by the batch that is out, and by nobody else.
struct LogOnDisk {
  std::filesystem::path path;
  UniqueFd fd;  // not open: it is made with the first batch
  std::size_t used = 0, size = 0;
  std::uint64_t next = 1;  // sequence number
};

class Batch {
 public:
  // Never throws: what failed is kept for CommitLog::finish().
  void sync() noexcept;

 private:
  friend class CommitLog;
  int write_log();

  BatchNumber number_ = 0;
  std::string entries_;
  std::vector<FilePtr> files_;
  std::set<std::filesystem::path> directories_;
  std::shared_ptr<LogOnDisk> log_;
  SyncFile sync_file_;
  std::string failed_;
  std::chrono::steady_clock::duration took_{};
};

class Checkpoint {
 public:
  void sync() noexcept;

 private:
  friend class CommitLog;
  std::vector<FilePtr> files_;
  std::set<std::filesystem::path> directories_;
  std::shared_ptr<LogOnDisk> log_;
  SyncFile sync_file_;
  std::string failed_;
};

class CommitLog {
 public:
  using Then = std::function<void()>;

  // For the files below `directory`. Pre: recovery.hpp's hold_logs() is ours, and what it found was
  // replayed.
  explicit CommitLog(std::filesystem::path directory, SyncFile sync_file = nullptr);
  // Makes all files safe and ends the log, unless something failed.
  ~CommitLog();
  CommitLog(const CommitLog&) = delete;
  CommitLog& operator=(const CommitLog&) = delete;

  const std::filesystem::path& directory() const { return directory_; }

  // --- files, by their names as they lead from the directory; all throw Error ---

  // Takes over a file that is locked already.
  FilePtr hold(const std::string& name, UniqueFd locked);
  // Locks a file again that was held before. False where somebody else has it.
  static bool lock_again(LoggedFile& file);
  // Cuts a locked file to `size` bytes, on disk when it returns. False when that fails.
  static bool truncate(LoggedFile& file, std::uint64_t size);
  // Lets others write on it. Pre: it is safe.
  static void release(LoggedFile& file);
  // A new one with that content, locked; nullptr when the name is taken.
  FilePtr create(const std::string& name, std::string_view bytes);

  // Adds bytes. Throws with the file as it was.
  void append(const FilePtr& file, std::string_view bytes);
  // Gives it another name: this one, or with .1, .2 behind it where that is taken. Nothing is added
  // to it afterwards.
  void move(const FilePtr& file, const std::string& name);
  // Says that a file was replaced, and is on disk: what the log has of it counts no more.
  void settled(const std::string& name);

  // What follows once all that was done to the file so far is safe: handed out by finish(), or run
  // at once if it is.
  void after(const LoggedFile& file, Then then);
  // Notes that the command at hand depends on the file as it is now; append() does so by itself.
  // take_touched() gives the newest batch that the command depends on, 0 for none, and starts anew.
  void touch(const LoggedFile& file) { touched_ = std::max(touched_, file.batch_); }
  BatchNumber take_touched() { return std::exchange(touched_, 0); }

  // --- what waits for the disk ---

  // Everything that came; nullptr when there is nothing, or a batch is out.
  std::unique_ptr<Batch> take();
  // Whether the disk is so quick now that a batch is sooner synced than handed to another thread
  // and back.
  bool quick() const { return quick_ && !checkpoint_out_; }
  // Whether there is something that a batch would make safe.
  bool wants_batch() const { return !entries_.empty(); }
  // All batches up to `number` are safe; what is to follow now, to be run by the caller in this
  // order.
  struct Finished {
    BatchNumber number = 0;
    std::vector<Then> follow;
  };
  Finished finish(std::unique_ptr<Batch> batch);
  // The files of a log that is long or old; nullptr while it is not, or one is out.
  std::unique_ptr<Checkpoint> take_checkpoint(Moment now);
  void finish(std::unique_ptr<Checkpoint> checkpoint);
  // When take_checkpoint() will have one if nothing else happens; nothing for never.
  std::optional<Moment> due() const;

  // Why nothing more is kept, a sentence; "" while all is well.
  const std::string& failed() const { return failed_; }
  // From now on nothing is.
  void fail(const std::string& why);

 private:
  void put(LogEntry::Kind kind, const FilePtr& file, std::uint64_t offset, std::string_view bytes);
  std::unique_ptr<Checkpoint> begin_checkpoint();

  std::filesystem::path directory_;
  SyncFile sync_file_;
  std::string failed_;
  BatchNumber taken_ = 0, safe_ = 0, touched_ = 0;
  // Of the batch to come, and of the one that is out.
  std::string entries_;
  std::vector<FilePtr> open_, out_;
  std::vector<Then> then_, out_then_;
  std::set<std::filesystem::path> directories_;
  bool batch_out_ = false, quick_ = false;
  // The log: what is in it has to be synced before it goes.
  std::shared_ptr<LogOnDisk> log_;
  std::uint64_t generation_ = 1;
  std::vector<FilePtr> logged_;
  std::set<std::filesystem::path> logged_directories_;
  std::optional<Moment> since_;
  bool checkpoint_out_ = false;
};

}  // namespace pbm
