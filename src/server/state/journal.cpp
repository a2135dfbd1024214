// SPDX-License-Identifier: MIT
#include "server/state/journal.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "store/recovery.hpp"

namespace pbm {
namespace {

constexpr std::size_t kDeadRecords = 1000;  // records that no longer count, at the start
// While it runs: bytes, and how many times those of the last time.
constexpr std::uint64_t kWorthTidying = std::uint64_t{4} << 20;
constexpr std::uint64_t kTidyRatio = 4;

}  // namespace

// A line without its end is no news; zeros are.
std::string mend_records(const std::filesystem::path& file, const RecordsRead& read) {
  const std::string name = safe_text(file.string());
  std::string said;
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error || read.used < size) {
    if (!error) std::filesystem::resize_file(file, read.used, error);
    if (error) throw Error(name + " cannot be mended: " + error.message() + ".");
    if (read.zeros)
      said = " It ended in zeros, as after a power cut: " +
             count_of(size - read.used, "byte was", "bytes were") + " cut off.";
  }
  if (read.damaged > 0)
    said += " " + count_of(read.damaged, "line", "lines") + " could not be read and " +
            (read.damaged == 1 ? "was" : "were") + " left out.";
  return said.empty() ? "" : name + ":" + said;
}

Journal::Journal(CommitLog& log, const std::string& name, std::string about, Owner owner)
    : log_(log),
      name_(std::string(kServerFiles) + "/" + name),
      about_(std::move(about)),
      owner_(std::move(owner)) {}

std::string Journal::live_text() const {
  std::string out = records_head(about_);
  owner_.live([&](const Record& record) { out += record.line(); });
  return out;
}

std::size_t Journal::live_records() const {
  std::size_t n = 0;
  owner_.live([&](const Record&) { ++n; });
  return n;
}

std::filesystem::path Journal::path() const { return log_.directory() / name_; }

std::string Journal::load() {
  std::string said;
  std::error_code error;
  if (std::filesystem::exists(path(), error)) {
    const auto done = read_records(path(), "", owner_.take);
    // To go on without what it says would be to forget it: whose userid is whose, say.
    if (!done) throw Error(done.refusal().why);
    const RecordsRead& read = *done;
    damaged_ = read.damaged > 0;
    said = mend_records(path(), read);
    if (!damaged_ && read.records > 2 * live_records() + kDeadRecords) write_anew();
  }
  file_ = log_.own(name_);
  tidy_size_ = file_->size();
  return said;
}

// On a disk that is full it is as good as it was.
void Journal::write_anew() {
  try {
    replace_file(path(), live_text());
  } catch (const Error&) {
  }
}

void Journal::tidy() {
  const std::uint64_t size = file_->size();
  if (damaged_ || size <= kWorthTidying || size / kTidyRatio <= tidy_size_) return;
  try {
    file_ = log_.replace(file_, live_text());
    tidy_size_ = file_->size();
  } catch (const Error&) {
    tidy_size_ = size;  // no room for both on the disk, say: not tried again at once
  }
}

void Journal::add(const Record& record) {
  log_.append(file_, (file_->size() == 0 ? records_head(about_) : "") + record.line());
}

}  // namespace pbm
