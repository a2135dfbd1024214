// SPDX-License-Identifier: MIT
// Hashes passwords with Argon2id, and public keys with SHA-256; the only user of libsodium. A hash
// of a password takes long on purpose, so it is a job that any thread can run. Leaves the hash of
// each userid to accounts.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pbm {

// The cost of one hash, for the server and for an attacker.
struct PasswordCost {
  unsigned long long passes = 2;
  std::size_t memory = std::size_t{19} << 20;  // bytes; the server runs one job at a time
  // Returns the lowest cost that the library allows, for tests.
  static PasswordCost minimum();
};

// A text whose memory is overwritten before it is released.
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

// A password to hash, or to compare with a hash.
struct HashJob {
  std::uint64_t session_number = 0;  // the number of its connection
  Secret password;
  std::string hash;  // the hash to compare with; "": run() makes one, or leaves "" without memory
  PasswordCost cost;
  bool is_right = false;  // the result: the password matches, or a hash was made

  // Does the work, on any thread. Never throws.
  void run();
};

// Returns a random code of eight letters and digits, without those that look alike.
std::string new_code();

// Returns the bytes of a text in base64, or nothing if it is not exactly that.
std::optional<std::string> decode_base64(std::string_view text);
// Returns the fingerprint of a public key, from the bytes that its line has in base64.
std::string fingerprint_of_key(std::string_view bytes);

// Returns a keyed digest; the key is random in each process. A connection uses it to recognize a
// password that it has checked before, without keeping the password.
std::string make_digest(std::string_view text);

}  // namespace pbm
