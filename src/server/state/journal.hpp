// SPDX-License-Identifier: MIT
// A file of the server's own: a YAML list of small flat maps, one a line, only
// ever lengthened. What it says is its owner's state, which is built from it
// at the start. Leaves what the keys mean
// to its owners.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "store/commit_log.hpp"

namespace pbm {

// One line: keys in the order they were put.
class Record {
 public:
  Record& put(std::string_view key, std::string_view value);
  Record& put(std::string_view key, std::size_t value) { return put(key, std::to_string(value)); }
  // "" when it is not there.
  const std::string& get(std::string_view key) const;
  std::size_t number(std::string_view key) const;
  bool has(std::string_view key) const;
  // A list, under seat1, seat2, ...
  Record& put_list(std::string_view key, const std::vector<std::string>& values);
  std::vector<std::string> list(std::string_view key) const;
  // "- {user: fred, limit: 3}\n".
  std::string line() const;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// The record in a line; nothing when it is none.
std::optional<Record> read_record(std::string_view line);

// What was read of a file of records; lines that cannot be read are counted.
struct RecordsRead {
  std::size_t records = 0, damaged = 0;
  std::uint64_t used = 0;  // bytes: less than all after an unfinished write
  bool zeros = false;      // that left zeros: the size reached the disk and the bytes did not
};
// Hands one record after the other to `take`, however large the file is. Refuses
// one that cannot be read, or does not start with `head`.
Result<RecordsRead> read_records(const std::filesystem::path& file, std::string_view head,
                                 const std::function<void(const Record&)>& take);

// What a file of records starts with.
std::string records_head(std::string_view about);

class Journal {
 public:
  // `take` adds a record to the owner's state; `live` is the state in as few
  // records as it takes.
  struct Owner {
    std::function<void(const Record&)> take;
    std::function<std::vector<Record>()> live;
  };
  // `name`: of the file among the server's own.
  Journal(CommitLog& log, const std::string& name, std::string about, Owner owner);

  // Reads the file, if it is there; one that says much that no longer counts is
  // written anew, and an unfinished write at its end cut off. Returns a sentence
  // about what could not be read, or "".
  // Throws Error. Pre: called once.
  std::string load();

  // Pre: the owner has not yet changed its state, so that an Error changes nothing.
  void add(const Record& record);
  // Runs `then` once all that was added is on disk.
  void after(CommitLog::Then then) { log_.after(*file_, std::move(then)); }
  // Writes the file anew when it says much that no longer counts: it is as
  // large as what it says asks for, however often that was changed. Pre: all
  // that was added is in the owner's state.
  void tidy();
  // The command at hand depends on what this says.
  void touch() { log_.touch(*file_); }

 private:
  std::filesystem::path path() const;
  std::string live_text() const;
  std::string mend(const RecordsRead& read);
  void write_anew();

  CommitLog& log_;
  std::string name_;
  std::string about_;
  Owner owner_;
  FilePtr file_;
  std::uint64_t tidy_size_ = 0;  // the file's, when it was last written anew or found good
  bool damaged_ = false;         // it has lines that somebody may want to mend
};

}  // namespace pbm
