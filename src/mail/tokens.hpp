// SPDX-License-Identifier: MIT
// What proves who writes: it was sent to one address, is for one userid, and for the acts of one
// ply on a board or for one command within a week. Leaves whether it was used to state.hpp, and
// which ply it is to its callers.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"

namespace pbm::mail {

// The part of an address behind its plus: "BOARD.6.TOKEN". Ply 0: for unsubscribing only.
struct BoardToken {
  std::string board;
  std::size_t ply = 0;
  std::string mac;
};
std::optional<BoardToken> read_board_token(std::string_view extension);

// At the end of a Subject: "[fred.STAMP.TOKEN]".
struct CommandToken {
  std::string userid, stamp, mac;
  std::string whole() const { return userid + "." + stamp + "." + mac; }
};
// `subject` loses it, right or wrong.
std::optional<CommandToken> take_command_token(std::string& subject);

class Tokens {
 public:
  static constexpr std::chrono::hours kLasts{7 * 24};  // one for a command

  // The key is made, for its owner alone, where there is none. Throws Error.
  explicit Tokens(const std::filesystem::path& key);

  // For whoever is written to at that address: the extension of an address, the end of a Subject.
  std::string for_board(const std::string& userid, const std::string& address,
                        const std::string& board, std::size_t ply) const;
  std::string for_command(const std::string& userid, const std::string& address, Time now) const;
  bool proves(const BoardToken& token, const std::string& userid, const std::string& address) const;
  bool proves(const CommandToken& token, const std::string& address, Time now) const;
  // Short, of any text, and nobody else's.
  std::string mac(const std::string& text) const;

 private:
  std::array<unsigned char, 32> key_{};
};

// Letters and digits that nobody can guess.
std::string random_word(std::size_t letters);

}  // namespace pbm::mail
