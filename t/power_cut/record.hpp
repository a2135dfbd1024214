// SPDX-License-Identifier: MIT
// What the recorder writes and the power cut test reads: one entry for each
// change of a file or name below a directory, in the order in which the
// changes happened.
//
//   kind   inode  offset  bytes of name, bytes of data   name, data
//   1      8      8       4 + 4                          as many
//
// in the byte order of the machine, which writes and reads it.
#pragma once

#include <cstdint>

namespace pbm::test {

enum class Change : std::uint8_t {
  make_file = 1,   // name: path from the directory; also for one that was there before
  make_directory,  // the same; the directory itself has the empty name
  write,           // data at offset
  truncate,        // to offset bytes
  rename,          // name: from, data: to
  link,            // the same
  remove,          // name
  sync_begins,     // offset: a number for this sync; what was done to the inode before it is safe
  sync_ends,       // once this is there
};

struct RecordHead {
  Change kind;
  std::uint64_t inode, offset;
  std::uint32_t name, data;
} __attribute__((packed));

}  // namespace pbm::test
