// SPDX-License-Identifier: MIT
// What proves who writes: it was sent to one address, is for one userid, and for what is done on a
// board as it was then or for one command within a week. Leaves whether it was used to state.hpp,
// and how the board is now to its callers.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace pbm::mail {

// "toot-101.fred.7-12.MAC" behind the plus of an address, by the next ply and how much was done
// there, or "0" for unsubscribing only; "fred.STAMP.MAC" in the bracket at the end of a Subject. No
// stamp is spelled like a ply.
struct Token {
  std::string of, at, mac;
  std::string whole() const { return of + "." + at + "." + mac; }
};
std::optional<Token> read_token(std::string_view text);

class Tokens {
 public:
  static constexpr std::chrono::hours kLasts{7 * 24};  // one for a command

  // The key is made, for its owner alone, where there is none. Throws Error.
  explicit Tokens(const std::filesystem::path& key);

  // For whoever is written to at that address: of a userid, on a board or none, and when.
  std::string made(const std::string& address, const std::string& of, const std::string& at) const;
  // Whether it was made for that address.
  bool proves(const Token& token, const std::string& address) const;
  // Short, of any text, and nobody else's.
  std::string mac(const std::string& text) const;

 private:
  std::array<unsigned char, 32> key_{};
};

// Of that time, and never twice the same.
std::string stamp_of(Time at);
bool lasts(const std::string& stamp, Time now);
// Letters and digits that nobody can guess.
std::string random_word(std::size_t letters);

}  // namespace pbm::mail
