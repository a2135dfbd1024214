// SPDX-License-Identifier: MIT
// A socket that people come in by: made, and removed, so that it never stands in the way of another
// server nor takes another's place. Leaves who comes in to listener.cpp.
#pragma once

#include <sys/types.h>

#include "base/files.hpp"
#include "protocol/address.hpp"

namespace pbm {

class ListenSocket {
 public:
  // A Unix socket gets mode 0660; one that a dead server left is replaced. A port 0 becomes a free
  // one. Refuses what a living server has, what is no socket, and what the system does not give, in
  // a sentence each.
  static Result<ListenSocket> open(const ServerAddress& address);
  // One that whoever started this program listens on already, and keeps: its file is not removed.
  // Refuses any other descriptor, and an address that is not of this machine.
  static Result<ListenSocket> adopt(int descriptor);
  ListenSocket(ListenSocket&& other) noexcept = default;
  ListenSocket& operator=(ListenSocket&&) = delete;
  ~ListenSocket();

  // With the real port.
  const ServerAddress& address() const { return address_; }
  // Listening, not blocking.
  int descriptor() const { return socket_.get(); }
  // Lets nobody in from now on, and removes the Unix socket if it is still ours.
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
