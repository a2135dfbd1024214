// SPDX-License-Identifier: MIT
// The format of the record, which the recorder writes and the power cut test reads: one entry for
// each change of a file or name below a directory, in the order of the changes.
//
//   kind   inode  offset  bytes of name, bytes of data   name, data
//   1      8      8       4 + 4                          as many
//
// in the byte order of the machine, which writes and reads it.
#pragma once

#include <cstdint>

namespace pbm::test {

enum class Change : std::uint8_t {
  make_file = 1,   // name: its path below the directory; also for an existing file
  make_directory,  // the same; the name of the directory itself is empty
  write,           // data: the bytes at offset
  truncate,        // offset: the new size
  rename,          // name: the old path, data: the new path
  link,            // as for rename
  remove,          // name: its path
  sync_begins,     // offset: a number for this sync; earlier changes of the inode are on disk
  sync_ends,       // when the entry with this number is recorded
};

struct RecordHead {
  Change kind;
  std::uint64_t inode, offset;
  std::uint32_t name_size, data_size;
} __attribute__((packed));

}  // namespace pbm::test
