// SPDX-License-Identifier: MIT
#include "ui/held_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace pbm {

HeldOutput::HeldOutput(int fd)
    : fd_(fd),
      real_(::fcntl(fd, F_DUPFD_CLOEXEC, 3)),
      memory_(::memfd_create("screen", MFD_CLOEXEC)),
      bytes_(static_cast<const char*>(
          ::mmap(nullptr, kMost, PROT_READ, MAP_SHARED, memory_.get(), 0))) {}

HeldOutput::~HeldOutput() {
  if (bytes_ != MAP_FAILED) ::munmap(const_cast<char*>(bytes_), kMost);
}

void HeldOutput::together(const std::function<void()>& write) {
  if (!real_.open() || bytes_ == MAP_FAILED || ::dup2(memory_.get(), fd_) < 0) return write();
  try {
    write();
  } catch (...) {
    ::dup2(real_.get(), fd_);
    throw;
  }
  ::dup2(real_.get(), fd_);
  send_held();
}

// Keeps sent bytes in memory until they reach kMuch: rewinding would cost a call for each picture.
void HeldOutput::send_held() {
  constexpr off_t kMuch = 1 << 20;
  const off_t held = std::min(::lseek(memory_.get(), 0, SEEK_CUR), kMost);
  while (sent_ < held) {
    const ssize_t n = ::write(fd_, bytes_ + sent_, static_cast<std::size_t>(held - sent_));
    if (n < 0 && errno != EINTR) break;  // the reader is gone; the next read shows it
    sent_ += std::max<ssize_t>(n, 0);
  }
  if (held < kMuch) return;
  ::lseek(memory_.get(), 0, SEEK_SET);
  sent_ = 0;
}

}  // namespace pbm
