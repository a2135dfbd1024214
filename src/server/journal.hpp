// SPDX-License-Identifier: MIT
// A file of the server's own: a YAML list of small flat maps, one a line, only
// ever lengthened. What it says is its owner's state, which is built from it
// at the start and again should an addition be lost. Leaves what the keys mean
// to its owners.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/disk.hpp"

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

// The records of a whole text; those that cannot be read are counted.
struct Records {
  std::vector<Record> records;
  std::size_t damaged = 0;
  std::size_t used = 0;  // bytes: less than all after an unfinished write
};
Records read_records(std::string_view text);

// What a file of records starts with.
std::string records_head(std::string_view about);

class Journal {
 public:
  // `clear` empties the owner's state and `take` adds a record to it; `live`
  // is the state in as few records as it takes.
  struct Owner {
    std::function<void()> clear;
    std::function<void(const Record&)> take;
    std::function<std::vector<Record>()> live;
  };
  Journal(Disk& disk, std::filesystem::path file, std::string about, Owner owner);

  // Reads the file, or begins it; one that says much that no longer counts is
  // written anew. Returns a sentence about what could not be read, or "".
  // Throws Error. Pre: called once.
  std::string load();

  // Pre: the owner has not yet changed its state, so that an Error changes nothing.
  void add(const Record& record);
  // Runs `then` once all that was added is on disk.
  void after(Disk::Then then) { disk_.after(id_, std::move(then)); }
  // The owner's state as the file has it now.
  void reload() { read(); }
  // The command at hand depends on what this says.
  void touch() { disk_.touch(id_); }

 private:
  std::string read();

  Disk& disk_;
  std::filesystem::path file_;
  std::string about_;
  Owner owner_;
  FileId id_ = 0;
};

}  // namespace pbm
