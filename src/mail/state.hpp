// SPDX-License-Identifier: MIT
// What is remembered between one mail and the next: those that were answered, the tokens that were
// used, and how much went to whom. One process at a time has it. Leaves what a token says to
// tokens.hpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/unique_fd.hpp"
#include "store/database.hpp"

namespace pbm::mail {

class State {
 public:
  static constexpr std::chrono::hours kKept{31 * 24};  // which mails were answered
  static constexpr std::size_t kMaxProved = 200;  // answers a day to an address that proved itself
  static constexpr std::size_t kMaxOthers = 10;   // and to any

  // Waits for its turn. Throws Error.
  State(const std::filesystem::path& directory, Time now);

  // What was to be sent in answer to that mail: "" when it has been. Nothing: it is a new one.
  std::optional<std::string> answered(const std::string& mail);
  bool used(const std::string& token);
  // Whether something more may go there today.
  bool has_room(const std::string& address, bool proved);
  // What came of a mail, or of a step of it, on disk when this returns: whatever happens now it is
  // not done again.
  void keep(const std::string& mail, const std::string& answer, const std::string& token,
            const std::string& address, bool proved);
  void sent(const std::string& mail);

 private:
  void commit();
  UniqueFd lock_;
  Database database_;
  Time now_;
};

}  // namespace pbm::mail
