// SPDX-License-Identifier: MIT
// The commit log's form on disk, for its writer (commit_log.hpp) and its reader
// (recovery.hpp). A log is a row of records with nothing or zeros behind the last:
//
//   bytes  what
//   4      length of the entries
//   4      CRC32C of all that follows
//   8      sequence number: one more than that of the record before, in whichever log
//   ...    entries, one behind the other
//
// A record is a batch of changes: it is written and synced as a whole, and the next only
// then, so that a power cut can damage none but the last. An entry is one change of a file:
//
//   1      kind
//   2      length of the file's name
//   8      offset
//   4      length of the bytes
//   ...    the name, as it leads from the directory: "toot-101.yaml"; then the bytes
//
// Numbers have their lowest byte first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pbm {

struct LogEntry {
  enum class Kind : std::uint8_t {
    append = 1,  // the bytes stand at that offset, and did not before
    create,      // a new file, of these bytes
    move,        // its name is now that in `bytes`
    settled,     // it is safe as it is: what was said of it before counts no more
  };
  Kind kind;
  std::string name;
  std::uint64_t offset = 0;
  std::string bytes = {};
};

void put_entry(std::string& entries, const LogEntry& entry);
std::string log_record(std::uint64_t sequence, std::string_view entries);

// What is in a log.
struct LogRead {
  std::vector<LogEntry> entries;
  std::uint64_t next = 0;              // the sequence number that follows; 0: it has no record
  std::optional<std::size_t> damaged;  // where something stands that is no record
  bool more = false;                   // and a whole record behind it
};
// `next`: the sequence number it must begin with; 0: any.
LogRead read_log(std::string_view text, std::uint64_t next);

}  // namespace pbm
