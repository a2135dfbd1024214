// SPDX-License-Identifier: MIT
// What the system gives for an open file, a socket or something to wait for. Leaves opening and
// reading to its users.
#pragma once

#include <utility>

namespace pbm {

// An open file descriptor, closed at the end.
class UniqueFd {
 public:
  explicit UniqueFd(int fd = -1) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  ~UniqueFd();
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_;
};

// Opens what is missing of standard input, output and error on /dev/null, so that no file or socket
// opened later takes its number and with it whatever is meant for a person. False when there is no
// /dev/null either.
bool open_missing_descriptors();

}  // namespace pbm
