// SPDX-License-Identifier: MIT
// A file of records (store/records.hpp) that is the server's own and only ever lengthened. What it
// says is its owner's state, which is built from it at the start. Leaves what the keys mean to its
// owners.
#pragma once

#include "store/commit_log.hpp"
#include "store/records.hpp"

namespace pbm {

// Cuts off an unfinished write at the end of a file of records, behind which nothing could be added.
// Returns a sentence about that, if it is news, and about lines that could not be read; or "".
// Throws Error.
std::string mend_records(const std::filesystem::path& file, const RecordsRead& read);

class Journal {
 public:
  // `take` adds a record to the owner's state; `live` hands on the state in as few records as it
  // takes, one after the other: all at once they would be many times what they say.
  using Take = std::function<void(const Record&)>;
  struct Owner {
    Take take;
    std::function<void(const Take&)> live;
  };
  // `name`: of the file among the server's own.
  Journal(CommitLog& log, const std::string& name, std::string about, Owner owner);

  // Reads the file, if it is there; one that says much that no longer counts is written anew, and
  // an unfinished write at its end cut off. Returns a sentence about what could not be read, or "".
  // Throws Error. Pre: called once.
  std::string load();

  // Pre: the owner has not yet changed its state, so that an Error changes nothing.
  void add(const Record& record);
  // Runs `then` once all that was added is on disk.
  void after(CommitLog::Then then) { log_.after(*file_, std::move(then)); }
  // Writes the file anew when it says much that no longer counts: it is as large as what it says
  // asks for, however often that was changed. Pre: all that was added is in the owner's state.
  void tidy();
  // The command at hand depends on what this says.
  void touch() { log_.touch(*file_); }

 private:
  std::filesystem::path path() const;
  std::string live_text() const;
  std::size_t live_records() const;
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
