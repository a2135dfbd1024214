// SPDX-License-Identifier: MIT
#include "ui/output_buffer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace pbm {

OutputBuffer::OutputBuffer(int fd)
    : fd_(fd),
      target_(::fcntl(fd, F_DUPFD_CLOEXEC, 3)),
      memory_(::memfd_create("screen", MFD_CLOEXEC)),
      bytes_(static_cast<const char*>(
          ::mmap(nullptr, kMaxBytes, PROT_READ, MAP_SHARED, memory_.get(), 0))) {}

OutputBuffer::~OutputBuffer() {
  if (bytes_ != MAP_FAILED) ::munmap(const_cast<char*>(bytes_), kMaxBytes);
}

void OutputBuffer::send_together(const std::function<void()>& write) {
  if (!target_.is_open() || bytes_ == MAP_FAILED || ::dup2(memory_.get(), fd_) < 0) return write();
  try {
    write();
  } catch (...) {
    ::dup2(target_.get(), fd_);
    throw;
  }
  ::dup2(target_.get(), fd_);
  send_buffer();
}

// Keeps sent bytes in memory until they reach kMuch: rewinding would cost a call for each picture.
void OutputBuffer::send_buffer() {
  constexpr off_t kMuch = 1 << 20;
  const off_t held = std::min(::lseek(memory_.get(), 0, SEEK_CUR), kMaxBytes);
  while (sent_count_ < held) {
    const ssize_t n =
        ::write(fd_, bytes_ + sent_count_, static_cast<std::size_t>(held - sent_count_));
    if (n < 0 && errno != EINTR) break;  // the reader is gone; the next read shows it
    sent_count_ += std::max<ssize_t>(n, 0);
  }
  if (held < kMuch) return;
  ::lseek(memory_.get(), 0, SEEK_SET);
  sent_count_ = 0;
}

}  // namespace pbm
