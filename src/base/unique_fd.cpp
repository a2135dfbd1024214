// SPDX-License-Identifier: MIT
#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace pbm {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) ::close(fd_);
}

bool open_missing_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // open() returns the lowest free number: `fd`, since those below it are in use.
    // Writing to a closed standard output must fail, so /dev/null is opened for reading.
    if (::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd) return false;
  }
  return true;
}

}  // namespace pbm
