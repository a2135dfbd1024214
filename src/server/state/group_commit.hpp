// SPDX-License-Identifier: MIT
// Writing many files at the price of few waits. What is added to a file is
// written at once and made sure to be on disk later, together with what was
// added to others: by a Batch, which any thread may sync while the thread that
// owns the Disk goes on. Leaves what the bytes mean to store.hpp and journal.hpp.
//
// A file here is in one of these states:
//   settled  all of its bytes are on disk; the Disk does not know it
//   open     bytes were added that no batch took yet
//   out      the batch that is being synced has its newest bytes
//   both     out, and bytes were added behind those
// Only one batch is out at a time, and batches are synced in the order in
// which they were taken. When a sync fails, the file is cut back to the bytes
// that are surely on disk - so what was added behind the failed bytes goes too -
// and its owner is told by `lost`. While it is not settled, a save is
// locked against other writers, so that nobody else's bytes are cut.
//
// A file whose name somebody took away meanwhile, or gave to another one, counts
// as failed: nobody would find there what was added.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files.hpp"

namespace pbm {

using FileId = std::uint64_t;       // of one file that is not settled, or of a journal
using BatchNumber = std::uint64_t;  // counted from 1; 0 is before all

// What one command touched that was not settled: its reply waits for that.
struct Touched {
  BatchNumber last = 0;  // the newest batch it waits for; 0: for none
  std::vector<FileId> files;
};

// Threads that wait for the disk side by side. A file system makes all that
// was written before a sync safe at once, but files that are synced one after
// the other each wait for a flush of their own: of 200 files that is the
// difference between 4 ms and 700.
class Helpers;

// What to sync, taken out of a Disk. sync() is the one thing here that waits
// for the disk, and may run on any thread; all else is the owner's thread's.
class Batch {
 public:
  // Never throws: what failed is kept for Disk::finish().
  void sync() noexcept;

 private:
  friend class GroupCommit;
  struct Item {
    FileId file;
    int fd;
    std::uint64_t size;           // the file's bytes when it was taken
    std::filesystem::path draft;  // made under this name, to be given its own; or empty
    std::filesystem::path path;
    std::filesystem::path away;         // to be moved here; or empty
    bool named = false, moved = false;  // how far it came
    int error = 0;                      // errno of what failed
  };
  static int give_names(Item& item);
  void sync_item(Item& item) noexcept;
  void sync_directories();

  BatchNumber number_ = 0;
  std::vector<Item> items_;
  std::function<int(int fd)> sync_file_;
  Helpers* helpers_ = nullptr;
};

class GroupCommit {
 public:
  using Then = std::function<void()>;
  // Makes one descriptor's bytes safe; 0 or an errno. Tests make it fail; it
  // is called for one file at a time.
  using SyncFile = std::function<int(int fd)>;

  explicit GroupCommit(SyncFile sync_file = nullptr);
  ~GroupCommit();
  GroupCommit(const GroupCommit&) = delete;
  GroupCommit& operator=(const GroupCommit&) = delete;

  // The file of that name, which nobody else writes on; nullptr when the Disk does not hold it.
  const FileId* held(const std::filesystem::path& path) const;
  // Takes over a locked descriptor whose file's bytes, `size` of them, are on
  // disk. `lost` is called when added bytes could not be kept and are gone.
  FileId hold(std::filesystem::path path, UniqueFd locked, std::uint64_t size, Then lost);
  // A file that does not exist yet: gets its name once its bytes are on disk,
  // and only if the name is still free. Throws Error when it cannot be begun.
  FileId begin(std::filesystem::path path, Then lost);
  // A journal: stays held when it is settled, and is made when something is added
  // to it first. Throws Error.
  FileId keep(std::filesystem::path path, Then lost);
  // Puts other bytes in the place of a journal's, on disk when it returns: they
  // say all that was added to it, which so is safe. It is another file from now
  // on: should it fail later, nothing that waits for the old one is lost, unless
  // neither the name nor the old file could be made safe.
  // Throws Error with nothing changed. Pre: no batch is out.
  FileId replace(FileId journal, std::string_view bytes);
  // Lets a held file go that nothing was added to.
  void release(FileId file);
  // Forgets a file just begun. Pre: nothing was added to it.
  void abandon(FileId file);

  // Adds bytes. Throws Error with the file as it was.
  void append(FileId file, std::string_view bytes);
  // What follows once all that was done to the file so far is on disk: handed out
  // by finish(), or run at once if it is there; never if it is lost.
  void after(FileId file, Then then);
  // Has the file moved to `away` (with .1, .2 behind it where that is taken)
  // when all its bytes are on disk. Nothing is added to it afterwards.
  void move_away(FileId file, std::filesystem::path away);

  // Bytes of the file, with those not yet on disk.
  std::uint64_t size(FileId file) const;
  int descriptor(FileId file) const;

  // Says that the command at hand depends on the file's present bytes;
  // append() says it by itself. Then what it came to, and a fresh start.
  void touch(FileId file);
  Touched take_touched();

  // Everything to be synced; nullptr when there is nothing, or a batch is out.
  std::unique_ptr<Batch> take();
  // What a synced batch came to: files settled, failed files cut back. Returns
  // what was lost, and what is to follow now.
  struct Finished {
    BatchNumber number = 0;
    std::vector<FileId> lost;
    std::string why;           // of the first: "No space left on device"
    std::vector<Then> follow;  // to be run by the caller, in this order
  };
  Finished finish(std::unique_ptr<Batch> batch);
  bool idle() const { return open_count_ == 0 && !out_; }

  // Sees whether the journals still have their names.
  void look_at_journals();
  // One that was found without; "" while there is none. Nothing that is added
  // to it is kept.
  const std::filesystem::path& lost_journal() const { return lost_journal_; }

 private:
  struct File {
    std::filesystem::path path, draft, away;
    UniqueFd fd;
    std::uint64_t safe = 0;  // bytes that are surely on disk
    std::uint64_t size = 0;
    std::vector<Then> out, open;  // what follows once the bytes are safe
    bool is_out = false, is_open = false, journal = false;
    bool name_is_unsure =
        false;  // of a file that was replaced: its directory is still to be synced
    std::vector<FileId>
        former;  // files it replaced, of which bytes may not be on disk: lost if the name is
    Then lost;
  };
  void make(File& journal);
  File& file(FileId id);
  void mark(FileId id);
  void settle(FileId id);
  void give_up(FileId id, const Batch::Item& item);

  SyncFile sync_file_;
  std::unique_ptr<Helpers> helpers_;  // not there: files are synced one after the other
  std::map<FileId, File> files_;
  std::map<std::filesystem::path, FileId> by_path_;
  FileId last_id_ = 0;
  BatchNumber last_taken_ = 0;
  bool out_ = false;
  std::filesystem::path lost_journal_;
  std::size_t open_count_ = 0;
  Touched touched_;
};

}  // namespace pbm
