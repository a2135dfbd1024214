// SPDX-License-Identifier: MIT
// The server as a program, in one loop: a turn takes lines of each connection that has some,
// commits what they did, and sends what is to be said. Passwords are hashed and saves made safe by
// a thread of its own each. Leaves a connection's bytes to connection.hpp and all that is kept to
// service.hpp.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/net/listen_options.hpp"
#include "server/service.hpp"

namespace pbm {

inline constexpr std::chrono::milliseconds kMaxEnding{
    4000};  // for passwords and slow readers when it ends, in five seconds
inline constexpr std::ptrdiff_t kMaxUnread = std::ptrdiff_t{256}
                                             << 20;  // bytes, of all connections

class Listener {
 public:
  // Ready to be connected to when it returns. Throws Error: the directory cannot be used, another
  // server has it, or an address cannot be had.
  explicit Listener(ListenOptions options);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  // With the real ports.
  std::vector<ServerAddress> addresses() const;

  // Serves until it is stopped: then lets nobody in, answers what was asked, and closes everything.
  // False when it ended because its files were gone.
  bool run();
  // From any thread.
  void stop();

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pbm
