// SPDX-License-Identifier: MIT
#include "server/state/group_commit.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr int kNameLost = ESTALE;  // of a file that was removed or replaced

[[noreturn]] void fail(const fs::path& file, const char* what, int error) {
  throw Error(safe_text(file.filename().string()) + " " + what + ": " + std::strerror(error) + ".");
}

}  // namespace

class Helpers {
 public:
  ~Helpers() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    wake_.notify_all();
  }

  // Calls `work`, which does not throw, for each number below `count`, on
  // several threads and this one; returns when all is done. Helpers that wake
  // when nothing is left to do are not waited for: on a busy machine that would
  // be most of the time. Throws with nothing done.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) {
    const auto job = std::make_shared<Job>(count, work);
    const std::size_t wanted = std::min(kMax, count / 2);
    grow(wanted);
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      wanted_ = wanted;
    }
    for (std::size_t i = 0; i < wanted; ++i) wake_.notify_one();
    job->take_turns();
    for (std::size_t done; (done = job->done) < count;) job->done.wait(done);
  }

 private:
  static constexpr std::size_t kMax = 15;  // more gain nothing measurable

  // `work` is touched by those only whose number is below `count`, and they are waited for.
  struct Job {
    Job(std::size_t n, const std::function<void(std::size_t)>& what) : count(n), work(what) {}
    void take_turns() {
      for (std::size_t i; (i = next++) < count;) {
        work(i);
        if (++done == count) done.notify_one();
      }
    }
    const std::size_t count;
    const std::function<void(std::size_t)>& work;
    std::atomic<std::size_t> next{0}, done{0};
  };

  // Where the system gives no more threads, those there are have to do; none at all does too.
  void grow(std::size_t wanted) {
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this] { help(); });
    } catch (const std::exception&) {
    }
  }

  void help() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return ends_ || wanted_ > 0; });
      if (ends_) return;
      --wanted_;
      const auto job = job_;
      lock.unlock();
      job->take_turns();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<Job> job_;
  std::size_t wanted_ = 0;  // helpers, for the job
  bool ends_ = false;
  std::vector<std::jthread>
      threads_;  // none in a server that never needs them; ended before the rest
};

// --- on any thread ---------------------------------------------------------

int Batch::give_names(Item& item) {
  if (!item.draft.empty()) {
    if (const int error = rename_to_free(item.draft, item.path)) return error;
    item.named = true;
  }
  if (!leads_to(item.path, item.fd)) return kNameLost;
  if (item.away.empty()) return 0;
  fs::path goal = item.away;
  for (int i = 1;; ++i) {
    const int error = rename_to_free(item.path, goal);
    if (error == 0) break;
    if (error != EEXIST) return error;
    goal = item.away.string() + "." + std::to_string(i);
  }
  item.moved = true;
  item.away.swap(goal);
  return 0;
}

void Batch::sync_item(Item& item) noexcept {
  try {
    item.error = sync_file_(item.fd);
    if (item.error == 0) item.error = give_names(item);
  } catch (const std::exception&) {
    item.error = ENOMEM;
  }
}

void Batch::sync_directories() {
  std::map<fs::path, int> directories;
  for (const Item& item : items_) {
    if (item.named || item.moved) directories[item.path.parent_path()];
    if (item.moved) directories[item.away.parent_path()];
  }
  for (auto& [directory, error] : directories) error = sync_directory(directory);
  for (Item& item : items_) {
    const auto need = [&](const fs::path& path) {
      if (item.error == 0) item.error = directories[path.parent_path()];
    };
    if (item.named || item.moved) need(item.path);
    if (item.moved) need(item.away);
  }
}

void Batch::sync() noexcept {
  const auto sync_number = [this](std::size_t i) { sync_item(items_[i]); };
  try {
    if (helpers_ && items_.size() > 1) helpers_->each(items_.size(), sync_number);
    else
      for (Item& item : items_) sync_item(item);
    sync_directories();
  } catch (const std::exception&) {
    // No memory: what may be unsafe counts as lost.
    for (Item& item : items_)
      if (item.error == 0) item.error = ENOMEM;
  }
}

// --- on the owner's thread -------------------------------------------------

GroupCommit::GroupCommit(SyncFile sync_file) : sync_file_(std::move(sync_file)) {
  if (sync_file_) return;
  sync_file_ = [](int fd) { return ::fdatasync(fd) == 0 ? 0 : errno; };
  helpers_ = std::make_unique<Helpers>();
}

// Whoever ends without having synced has answered nobody: a board that got no
// name yet leaves nothing behind.
GroupCommit::~GroupCommit() {
  for (const auto& [id, f] : files_)
    if (!f.draft.empty()) ::unlink(f.draft.c_str());
}

GroupCommit::File& GroupCommit::file(FileId id) {
  const auto found = files_.find(id);
  check(found != files_.end(), "a file was written that is not held");
  return found->second;
}

const FileId* GroupCommit::held(const fs::path& path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : &found->second;
}

FileId GroupCommit::hold(fs::path path, UniqueFd locked, std::uint64_t size, Then lost) {
  check(!held(path), "a file was held twice");
  const FileId id = ++last_id_;
  by_path_[path] = id;
  File& f = files_[id];
  f.path = std::move(path);
  f.fd = std::move(locked);
  f.safe = f.size = size;
  f.lost = std::move(lost);
  return id;
}

FileId GroupCommit::begin(fs::path path, Then lost) {
  TempFile draft(path);
  ::fchmod(draft.descriptor().get(), usual_mode());
  ::flock(draft.descriptor().get(), LOCK_EX | LOCK_NB);  // nobody else knows it yet
  const fs::path name = draft.name();
  const FileId id = hold(std::move(path), draft.keep(), 0, std::move(lost));
  files_[id].draft = name;
  return id;
}

FileId GroupCommit::keep(fs::path path, Then lost) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (fd.open() ? ::fstat(fd.get(), &status) != 0 : errno != ENOENT)
    fail(path, "cannot be opened", errno);
  if (fd.open() && !S_ISREG(status.st_mode)) fail(path, "cannot be used", EINVAL);
  if (const int error = sync_directory(path.parent_path()))
    fail(path.parent_path(), "cannot be synced", error);
  const FileId id = hold(std::move(path), std::move(fd), static_cast<std::uint64_t>(status.st_size),
                         std::move(lost));
  files_[id].journal = true;
  return id;
}

// Where nothing has ever to be written, a disk that is full does no harm.
void GroupCommit::make(File& journal) {
  UniqueFd fd(::open(journal.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  const int error = errno;
  if (!fd.open() && (error == EEXIST || error == ENOENT)) lost_journal_ = journal.path;
  if (!fd.open()) fail(journal.path, "cannot be made", error);
  ::fchmod(fd.get(), 0600);
  if (const int unsynced = sync_directory(journal.path.parent_path())) {
    ::unlink(journal.path.c_str());
    fail(journal.path.parent_path(), "cannot be synced", unsynced);
  }
  journal.fd = std::move(fd);
}

void GroupCommit::look_at_journals() {
  for (const auto& [id, f] : files_)
    if (f.journal && f.fd.open() && !leads_to(f.path, f.fd.get())) lost_journal_ = f.path;
}

FileId GroupCommit::replace(FileId id, std::string_view bytes) {
  check(file(id).journal && !file(id).is_out,
        "a file was replaced that is no journal, or is being synced");
  look_at_journals();
  if (!lost_journal_.empty()) fail(lost_journal_, "cannot be written", kNameLost);
  TempFile draft(file(id).path);
  draft.fill(bytes, 0600);
  draft.replace_goal();
  File f = std::move(file(id));
  files_.erase(id);
  const UniqueFd old = std::exchange(f.fd, draft.keep());
  f.safe = f.size = bytes.size();
  const bool unsure = sync_directory(f.path.parent_path()) != 0;
  // Where this fails, whatever is added from now on waits until it does not.
  // Until then the name on disk may lead to the old file, so that its bytes
  // have to be safe too; or even to one before it, which has not all of them.
  if (unsure && (f.name_is_unsure || sync_file_(old.get()) != 0)) f.former.push_back(id);
  f.name_is_unsure = unsure;
  by_path_[f.path] = ++last_id_;
  files_[last_id_] = std::move(f);
  return last_id_;
}

void GroupCommit::release(FileId id) {
  const File& f = file(id);
  if (!f.is_open && !f.is_out) settle(id);
}

void GroupCommit::abandon(FileId id) {
  ::unlink(file(id).draft.c_str());
  settle(id);
}

void GroupCommit::settle(FileId id) {
  by_path_.erase(file(id).path);
  files_.erase(id);
}

void GroupCommit::mark(FileId id) {
  File& f = file(id);
  if (!f.is_open) ++open_count_;
  f.is_open = true;
  touch(id);
}

void GroupCommit::append(FileId id, std::string_view bytes) {
  File& f = file(id);
  check(f.away.empty(), "something was added to a file that is being removed");
  if (!f.fd.open()) make(f);
  const std::uint64_t before = f.size;
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(f.fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(f.size));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      // Half a line on a full disk is nothing: take it away again.
      [[maybe_unused]] const int ignored = ::ftruncate(f.fd.get(), static_cast<off_t>(before));
      f.size = before;
      fail(f.path, "cannot be written", error);
    }
    f.size += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  mark(id);
}

void GroupCommit::after(FileId id, Then then) {
  File& f = file(id);
  if (f.is_open) f.open.push_back(std::move(then));
  else if (f.is_out) f.out.push_back(std::move(then));
  else then();
}

void GroupCommit::move_away(FileId id, fs::path away) {
  make_directory(away.parent_path());
  file(id).away = std::move(away);
  mark(id);
}

std::uint64_t GroupCommit::size(FileId id) const { return files_.at(id).size; }
int GroupCommit::descriptor(FileId id) const { return files_.at(id).fd.get(); }

void GroupCommit::touch(FileId id) {
  const File& f = file(id);
  if (!f.is_open && !f.is_out) return;
  touched_.last = std::max(touched_.last, f.is_open ? last_taken_ + 1 : last_taken_);
  if (std::find(touched_.files.begin(), touched_.files.end(), id) == touched_.files.end())
    touched_.files.push_back(id);
}

Touched GroupCommit::take_touched() { return std::exchange(touched_, {}); }

std::unique_ptr<Batch> GroupCommit::take() {
  if (out_ || open_count_ == 0) return nullptr;
  auto batch = std::make_unique<Batch>();
  batch->number_ = ++last_taken_;
  batch->sync_file_ = sync_file_;
  batch->helpers_ = helpers_.get();
  for (auto& [id, f] : files_) {
    if (!f.is_open) continue;
    f.is_open = false;
    f.is_out = true;
    f.out = std::exchange(f.open, {});
    batch->items_.push_back({id, f.fd.get(), f.size, f.draft, f.path, f.away});
    batch->items_.back().named = f.name_is_unsure;
  }
  open_count_ = 0;
  out_ = true;
  return batch;
}

// Cuts a file back to what is surely on disk, and undoes its names.
void GroupCommit::give_up(FileId id, const Batch::Item& item) {
  File& f = file(id);
  if (f.is_open) --open_count_;
  const Then lost = f.lost;
  if (item.moved) rename_to_free(item.away, item.path);
  if (!item.draft.empty()) {
    ::unlink(item.named ? item.path.c_str() : item.draft.c_str());
    f.draft.clear();
  } else {
    // Should this fail too, the owner sees so when it reads the file again.
    [[maybe_unused]] const int ignored = ::ftruncate(f.fd.get(), static_cast<off_t>(f.safe));
  }
  f.size = f.safe;
  f.is_out = f.is_open = false;
  f.out.clear();
  f.open.clear();
  f.away.clear();
  if (!f.journal) settle(id);
  try {
    if (lost) lost();
  } catch (const Error&) {
    // The owner goes on with what it knows.
  }
}

GroupCommit::Finished GroupCommit::finish(std::unique_ptr<Batch> batch) {
  check(out_ && batch && batch->number_ == last_taken_, "a batch was finished that is not out");
  Finished done;
  done.number = batch->number_;
  out_ = false;
  for (const Batch::Item& item : batch->items_) {
    if (item.error != 0) continue;
    File& f = file(item.file);
    f.safe = item.size;
    f.is_out = false;
    if (item.named) f.draft.clear();
    f.name_is_unsure = false;
    f.former.clear();
    std::move(f.out.begin(), f.out.end(), std::back_inserter(done.follow));
    f.out.clear();
    if (!f.is_open && !f.journal) settle(item.file);
  }
  for (const Batch::Item& item : batch->items_) {
    if (item.error == 0) continue;
    const bool nameless = item.error == kNameLost;
    if (done.lost.empty())
      done.why = nameless ? safe_text(item.path.filename().string()) + " was removed or replaced"
                          : std::strerror(item.error);
    if (nameless && file(item.file).journal) lost_journal_ = item.path;
    done.lost.push_back(item.file);
    const std::vector<FileId> former = std::exchange(file(item.file).former, {});
    done.lost.insert(done.lost.end(), former.begin(), former.end());
    give_up(item.file, item);
  }
  return done;
}

}  // namespace pbm
