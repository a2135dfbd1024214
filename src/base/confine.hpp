// SPDX-License-Identifier: MIT
// The rights to files that this process gives up, for good: somebody who finds a fault in it gets
// no further than it would ever have gone. The only user of Landlock. Leaves which files those are
// to whoever runs the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace pbm {

// What is still allowed below each path; one that is not there is left out.
struct Confines {
  std::vector<std::filesystem::path> read;   // files and directories
  std::vector<std::filesystem::path> write;  // directories: everything below them
  std::optional<std::uint16_t>
      port;  // the one TCP port to connect to, where the kernel knows ports
};

// From now on nothing else can be opened, made, removed or run, and no program outside can be
// looked into or sent a signal. What is open stays open, and sockets with a path can be connected
// to. False, with nothing changed, where the kernel cannot do that (Linux before 5.19, or switched
// off).
bool confine(const Confines& confines);

}  // namespace pbm
