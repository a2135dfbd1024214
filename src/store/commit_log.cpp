// SPDX-License-Identifier: MIT
#include "store/commit_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "store/log_format.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

// The log is made longer by zeros, as a sync is cheaper where no size has to be kept with the
// bytes: by as much as it has, from the first to the second of these.
constexpr std::size_t kMinRoom = std::size_t{64} << 10, kMaxRoom = std::size_t{1} << 20;
// When the files themselves are synced: bytes of the log, files in it (each is open), its age.
constexpr std::size_t kLongLog = std::size_t{8} << 20, kManyFiles = 300;
constexpr auto kOldLog = std::chrono::seconds(5);
constexpr auto kQuick =
    std::chrono::microseconds(500);  // a sync that nobody need be kept apart from

[[noreturn]] void cannot(const fs::path& file, const char* what, int error) {
  throw Error(safe_text(file.filename().string()) + " " + what + ": " + std::strerror(error) + ".");
}

std::string why_failed(const fs::path& file, int error) {
  return safe_text(file.string()) +
         (error == ESTALE ? std::string(" was removed or replaced")
                          : " cannot be synced (" + std::string(std::strerror(error)) + ")");
}

int sync_all(const std::vector<FilePtr>& files, const std::set<fs::path>& directories,
             const SyncFile& sync_file, fs::path& at) {
  for (const FilePtr& file : files)
    if (const int error = sync_file(file->descriptor())) return at = file->path(), error;
  for (const fs::path& directory : directories)
    if (const int error = sync_directory(directory)) return at = directory, error;
  return 0;
}

bool no_room(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

}  // namespace

// --- on any thread ---------------------------------------------------------------

// Writes the record; 0 or an errno, with the log as it was.
int Batch::write_log() {
  LogOnDisk& log = *log_;
  if (!log.fd.open()) {
    log.fd = UniqueFd(::open(log.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!log.fd.open()) return errno;
    if (const int error = sync_directory(log.path.parent_path())) return error;
  }
  const std::string record = log_record(log.next, entries_);
  const std::size_t end = log.used + record.size();
  if (end > log.size) {
    const std::size_t room = std::clamp(log.size, kMinRoom, kMaxRoom);
    if (write_at(log.fd.get(), std::string(end + room - log.used, '\0'), log.used) == 0)
      log.size = end + room;
  }
  if (const int error = write_at(log.fd.get(), record, log.used)) {
    if (::ftruncate(log.fd.get(), static_cast<off_t>(log.used)) == 0) log.size = log.used;
    return error;
  }
  log.size = std::max(log.size, end);
  if (const int error = sync_file_(log.fd.get())) return error;
  if (!leads_to(log.path, log.fd.get())) return ESTALE;
  log.used = end;
  ++log.next;
  return 0;
}

void Batch::sync() noexcept {
  const auto begun = std::chrono::steady_clock::now();
  try {
    fs::path at = log_->path;
    int error = write_log();
    if (no_room(error)) error = sync_all(files_, directories_, sync_file_, at);
    if (error != 0) failed_ = why_failed(at, error);
  } catch (const std::exception& problem) {
    failed_ = problem.what();
  }
  took_ = std::chrono::steady_clock::now() - begun;
}

void Checkpoint::sync() noexcept {
  try {
    fs::path at = log_->path;
    int error = sync_all(files_, directories_, sync_file_, at);
    if (error == 0 && log_->fd.open()) {
      if (::unlink(log_->path.c_str()) != 0 && errno != ENOENT) error = errno;
      // Before the next one goes, or they would not be whole together.
      if (error == 0) error = sync_directory((at = log_->path).parent_path());
    }
    if (error != 0) failed_ = why_failed(at, error);
  } catch (const std::exception& problem) {
    failed_ = problem.what();
  }
}

// --- on the owner's thread -------------------------------------------------------

CommitLog::CommitLog(fs::path directory, SyncFile sync_file)
    : directory_(std::move(directory)), sync_file_(std::move(sync_file)) {
  if (!sync_file_) sync_file_ = [](int fd) { return ::fdatasync(fd) == 0 ? 0 : errno; };
  log_ = std::make_shared<LogOnDisk>();
  log_->path = log_file(directory_, generation_);
}

CommitLog::~CommitLog() {
  if (!failed_.empty()) return;
  // Whoever ends without having synced has answered nobody.
  logged_.insert(logged_.end(), open_.begin(), open_.end());
  logged_directories_.insert(directories_.begin(), directories_.end());
  begin_checkpoint()->sync();
}

FilePtr CommitLog::hold(const std::string& name, UniqueFd locked) {
  auto file = std::make_shared<LoggedFile>();
  struct stat status {};
  ::fstat(locked.get(), &status);
  file->path_ = directory_ / name;
  file->name_ = name;
  file->fd_ = std::move(locked);
  file->size_ = static_cast<std::uint64_t>(status.st_size);
  file->locked_ = true;
  return file;
}

bool CommitLog::lock_again(LoggedFile& file) {
  if (file.locked_) return true;
  struct stat status {};
  if (try_lock(file.path_, file.fd_.get()) != 0 || ::fstat(file.fd_.get(), &status) != 0)
    return false;
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file.locked_ = true;
}

bool CommitLog::truncate(LoggedFile& file, std::uint64_t size) {
  if (::ftruncate(file.fd_.get(), static_cast<off_t>(size)) != 0) return false;
  file.size_ = size;
  return ::fdatasync(file.fd_.get()) == 0;
}

void CommitLog::release(LoggedFile& file) {
  check(file.safe(), "a file was let go before it was safe");
  if (std::exchange(file.locked_, false)) ::flock(file.fd_.get(), LOCK_UN);
}

FilePtr CommitLog::create(const std::string& name, std::string_view bytes) {
  if (!failed_.empty()) throw Error(failed_ + ".");
  const fs::path path = directory_ / name;
  TempFile draft(path);
  const int fd = draft.descriptor().get();
  ::fchmod(fd, usual_mode());
  ::flock(fd, LOCK_EX | LOCK_NB);  // nobody else knows it yet
  if (const int error = write_at(fd, bytes, 0)) cannot(path, "cannot be written", error);
  const int taken = rename_to_free(draft.name(), path);
  if (taken == EEXIST) return nullptr;
  if (taken != 0) cannot(path, "cannot be written", taken);
  FilePtr file = hold(name, draft.keep());
  directories_.insert(path.parent_path());
  put(LogEntry::Kind::create, file, 0, bytes);
  return file;
}

void CommitLog::append(const FilePtr& file, std::string_view bytes) {
  check(file->locked_, "something was added to a file that others may write on");
  if (!failed_.empty()) throw Error(failed_ + ".");
  if (const int error = write_at(file->fd_.get(), bytes, file->size_)) {
    // Half a line on a full disk is nothing: take it away again.
    [[maybe_unused]] const int ignored =
        ::ftruncate(file->fd_.get(), static_cast<off_t>(file->size_));
    cannot(file->path_, "cannot be written", error);
  }
  put(LogEntry::Kind::append, file, file->size_, bytes);
  file->size_ += bytes.size();
}

void CommitLog::move(const FilePtr& file, const std::string& name) {
  make_directory((directory_ / name).parent_path());
  std::string free = name;
  for (int i = 1;; ++i) {
    const int error = rename_to_free(file->path_, directory_ / free);
    if (error == 0) break;
    if (error != EEXIST) cannot(file->path_, "cannot be moved", error);
    free = name + "." + std::to_string(i);
  }
  put(LogEntry::Kind::move, file, 0, free);
  directories_.insert({file->path_.parent_path(), (directory_ / name).parent_path()});
}

void CommitLog::put(LogEntry::Kind kind, const FilePtr& file, std::uint64_t offset,
                    std::string_view bytes) {
  put_entry(entries_, {kind, file->name_, offset, std::string(bytes)});
  if (file->batch_ != taken_ + 1) open_.push_back(file);
  file->batch_ = taken_ + 1;
  touch(*file);
}

void CommitLog::settled(const std::string& name) {
  put_entry(entries_, {LogEntry::Kind::settled, name, 0, ""});
}

void CommitLog::after(const LoggedFile& file, Then then) {
  if (file.batch_ == 0) then();
  else (file.batch_ > taken_ ? then_ : out_then_).push_back(std::move(then));
}

std::unique_ptr<Batch> CommitLog::take() {
  if (batch_out_ || entries_.empty() || !failed_.empty()) return nullptr;
  auto batch = std::make_unique<Batch>();
  batch->number_ = ++taken_;
  batch->entries_ = std::exchange(entries_, "");
  batch->files_ = out_ = std::exchange(open_, {});
  batch->directories_ = std::exchange(directories_, {});
  batch->log_ = log_;
  batch->sync_file_ = sync_file_;
  out_then_ = std::exchange(then_, {});
  for (const FilePtr& file : out_)
    if (std::exchange(file->generation_, generation_) != generation_) logged_.push_back(file);
  logged_directories_.insert(batch->directories_.begin(), batch->directories_.end());
  batch_out_ = true;
  return batch;
}

CommitLog::Finished CommitLog::finish(std::unique_ptr<Batch> batch) {
  check(batch_out_ && batch && batch->number_ == taken_, "a batch was finished that is not out");
  batch_out_ = false;
  if (!batch->failed_.empty()) fail(batch->failed_);
  if (!failed_.empty()) return {safe_, {}};
  safe_ = batch->number_;
  quick_ = batch->took_ < kQuick;
  for (const FilePtr& file : std::exchange(out_, {}))
    if (file->batch_ <= safe_) file->batch_ = 0;
  return {safe_, std::exchange(out_then_, {})};
}

std::unique_ptr<Checkpoint> CommitLog::begin_checkpoint() {
  auto out = std::make_unique<Checkpoint>();
  out->files_ = std::exchange(logged_, {});
  out->directories_ = std::exchange(logged_directories_, {});
  out->log_ = log_;
  out->sync_file_ = sync_file_;
  auto next = std::make_shared<LogOnDisk>();
  next->path = log_file(directory_, ++generation_);
  next->next = log_->next;
  log_ = std::move(next);
  since_.reset();
  return out;
}

std::unique_ptr<Checkpoint> CommitLog::take_checkpoint(Moment now) {
  if (batch_out_ || checkpoint_out_ || logged_.empty() || !failed_.empty()) return nullptr;
  if (!since_) since_ = now;
  if (now - *since_ < kOldLog && log_->used < kLongLog && logged_.size() < kManyFiles)
    return nullptr;
  checkpoint_out_ = true;
  return begin_checkpoint();
}

std::optional<Moment> CommitLog::due() const {
  if (!since_ || batch_out_ || checkpoint_out_ || !failed_.empty()) return std::nullopt;
  return *since_ + kOldLog;
}

void CommitLog::finish(std::unique_ptr<Checkpoint> checkpoint) {
  checkpoint_out_ = false;
  if (!checkpoint->failed_.empty()) fail(checkpoint->failed_);
}

void CommitLog::fail(const std::string& why) {
  if (failed_.empty()) failed_ = why;
}

}  // namespace pbm
