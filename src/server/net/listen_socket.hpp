// SPDX-License-Identifier: MIT
// A socket that accepts connections. Creating or removing it never disturbs another server that
// listens there. Leaves the accepted connections to server_loop.cpp.
#pragma once

#include <sys/types.h>

#include "base/files.hpp"
#include "protocol/address.hpp"

namespace pbm {

class ListenSocket {
 public:
  // Listens on a new socket. A Unix socket gets mode 0660 and replaces that of a dead server; port
  // 0 becomes a free port. Refuses an address that a running server has, a path that is not a
  // socket, and errors of the system, with a sentence each.
  static Result<ListenSocket> open(const ServerAddress& address);
  // Takes over a listening socket that the parent process passed; close() does not remove its file.
  // Refuses other descriptors, and addresses that are not local to this machine.
  static Result<ListenSocket> adopt(int descriptor);
  ListenSocket(ListenSocket&& other) noexcept = default;
  ListenSocket& operator=(ListenSocket&&) = delete;
  ~ListenSocket();

  // Returns the address with the real port.
  const ServerAddress& address() const { return address_; }
  // Returns the listening, non-blocking descriptor.
  int descriptor() const { return socket_.get(); }
  // Stops listening, and removes the Unix socket if its file is still the one created here.
  void close();

 private:
  ListenSocket(ServerAddress address, UniqueFd socket)
      : address_(std::move(address)), socket_(std::move(socket)) {}

  ServerAddress address_;
  UniqueFd socket_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace pbm
