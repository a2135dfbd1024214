// SPDX-License-Identifier: MIT
// Files of records: a YAML list of small flat maps, one a line. Leaves what the keys mean to its
// callers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace pbm {

// One line: keys in the order they were put.
class Record {
 public:
  Record& put(std::string_view key, std::string_view value);
  Record& put(std::string_view key, std::size_t value) { return put(key, std::to_string(value)); }
  // "" when it is not there.
  const std::string& get(std::string_view key) const;
  std::size_t number(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  // A list, under seat1, seat2, ...
  Record& put_list(std::string_view key, const std::vector<std::string>& values);
  std::vector<std::string> list(std::string_view key) const;
  void reserve(std::size_t keys) { fields_.reserve(keys); }
  // "- {user: fred, limit: 3}\n".
  std::string line() const;

 private:
  const std::string* find(std::string_view key) const;

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
// Hands one record after the other to `take`, however large the file is. Refuses one that cannot be
// read, or does not start with `head`.
Result<RecordsRead> read_records(const std::filesystem::path& file, std::string_view head,
                                 const std::function<void(const Record&)>& take);

// What a file of records starts with.
std::string records_head(std::string_view about);

}  // namespace pbm
