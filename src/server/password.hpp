// SPDX-License-Identifier: MIT
// Passwords as Argon2id hashes: the only user of libsodium. Hashing takes as long as its cost says
// and so is a job apart, which any thread may run. Leaves who has which hash to accounts.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pbm {

// What one hash costs whoever guesses, and this server.
struct PasswordCost {
  unsigned long long passes = 2;
  std::size_t memory = std::size_t{19} << 20;  // bytes; a job at a time is what the server holds
  // As little as the library allows: for tests only.
  static PasswordCost least();
};

// Text that is overwritten before its memory is given back.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string_view text) : text_(text) {}
  Secret(const Secret& other) = default;
  Secret& operator=(const Secret& other);
  ~Secret() { wipe(); }
  const std::string& text() const { return text_; }

 private:
  void wipe();
  std::string text_;
};

// One password to be hashed, or to be compared with a hash.
struct HashJob {
  std::uint64_t session = 0;  // whose it is
  Secret password;
  std::string hash;  // "": one is wanted, which is here then; still "" where there was no memory
  PasswordCost cost;
  bool right = false;  // then: the password is the one of the hash, or one was made

  // The work; on any thread. Never throws.
  void run();
};

// Eight letters and digits that nobody can guess, and nobody takes one for another.
std::string new_code();

// A short keyed digest, other in every process: by it a connection knows a password again that it
// has proved already, without keeping it.
std::string digest_of(std::string_view text);

}  // namespace pbm
