// SPDX-License-Identifier: MIT
#include "ui/held_output.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace pbm {

HeldOutput::HeldOutput(int fd)
    : fd_(fd),
      real_(::fcntl(fd, F_DUPFD_CLOEXEC, 3)),
      memory_(::memfd_create("screen", MFD_CLOEXEC)) {}

void HeldOutput::together(const std::function<void()>& write) {
  if (!real_.open() || !memory_.open() || ::dup2(memory_.get(), fd_) < 0) return write();
  try {
    write();
  } catch (...) {
    ::dup2(real_.get(), fd_);
    throw;
  }
  ::dup2(real_.get(), fd_);
  send_held();
}

// What was sent stays before what comes next, until there is much of it: going back would be a call
// at each picture.
void HeldOutput::send_held() {
  constexpr off_t kMuch = 1 << 20;
  const off_t held = ::lseek(memory_.get(), 0, SEEK_CUR);
  std::array<char, 16384> piece;
  while (sent_ < held) {
    const ssize_t n =
        ::pread(memory_.get(), piece.data(),
                std::min(piece.size(), static_cast<std::size_t>(held - sent_)), sent_);
    if (n <= 0) break;
    for (ssize_t sent = 0; sent < n;) {
      const ssize_t w = ::write(fd_, piece.data() + sent, static_cast<std::size_t>(n - sent));
      if (w < 0 && errno != EINTR) break;  // who reads has gone: it shows at the next key
      sent += std::max<ssize_t>(w, 0);
    }
    sent_ += n;
  }
  if (held < kMuch) return;
  ::lseek(memory_.get(), 0, SEEK_SET);
  sent_ = 0;
}

}  // namespace pbm
