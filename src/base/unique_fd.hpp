// SPDX-License-Identifier: MIT
// Owns a file descriptor. Leaves opening and reading it to its users.
#pragma once

#include <utility>

namespace pbm {

// An open file descriptor; the destructor closes it.
class UniqueFd {
 public:
  explicit UniqueFd(int fd = -1) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  ~UniqueFd();
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Opens each of standard input, output and error that is closed on /dev/null. Otherwise a file that
// is opened later would get its number, and messages would be written to it. Returns false if
// /dev/null is missing, too.
bool open_missing_descriptors();

}  // namespace pbm
