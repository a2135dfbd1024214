// SPDX-License-Identifier: MIT
#include "base/thread.hpp"

#include <csignal>

namespace pbm {

std::thread quiet_thread(std::function<void()> work) {
  // A thread begins with the mask of the one that starts it.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& mask;
    ~Restore() { ::pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
  } restore{before};
  return std::thread(std::move(work));
}

}  // namespace pbm
