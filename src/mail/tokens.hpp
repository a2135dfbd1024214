// SPDX-License-Identifier: MIT
// Makes and checks tokens, which prove the author of a mail. A token is valid for one address and
// one userid, and either for a board in its present state or for one command within a week.
// Leaves the memory of used tokens to state.hpp, and the state of boards to its callers.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace pbm::mail {

// A token in an address after the plus, "toot-101.fred.7-12.MAC": board, userid, next ply, log
// entries; instead of the last two "0" for unsubscribing only. Or in brackets at the end of a
// Subject, "fred.STAMP.MAC". No stamp looks like a ply.
struct Token {
  std::string holder, stamp, mac;
  std::string text() const { return holder + "." + stamp + "." + mac; }
};
// Splits a token into its parts without checking it, or returns nothing.
std::optional<Token> read_token(std::string_view text);

// Makes and checks tokens with a secret key.
class TokenMaker {
 public:
  static constexpr std::chrono::hours kCommandLifetime{
      7 * 24};  // how long a token for a command is valid

  // Reads the key file. If it is missing, makes one that only its owner can read. Throws Error.
  explicit TokenMaker(const std::filesystem::path& key);

  // Returns a token for `address`: `of` is the board and userid or the userid, `at` as in Token.
  std::string make_token(const std::string& address, const std::string& of,
                         const std::string& at) const;
  // True if make_token() returned this token for that address.
  bool is_valid(const Token& token, const std::string& address) const;
  // Returns a short keyed hash (MAC) of `text`.
  std::string compute_mac(const std::string& text) const;

 private:
  std::array<unsigned char, 32> key_{};
};

// Returns a stamp with a time and random letters, so that no two are equal.
std::string make_time_stamp(Time at);
// True if the stamp is at most TokenMaker::kCommandLifetime old.
bool is_stamp_valid(const std::string& stamp, Time now);
// Returns random letters and digits that nobody can guess.
std::string random_word(std::size_t letters);

}  // namespace pbm::mail
