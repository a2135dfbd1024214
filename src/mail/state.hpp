// SPDX-License-Identifier: MIT
// Remembers answered mails, used tokens, the latest mail about each board, and how many answers
// each address got. Only one process at a time has it open. Leaves tokens to tokens.hpp.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/unique_fd.hpp"
#include "store/database.hpp"

namespace pbm::mail {

// The database of the gateway.
class MailState {
 public:
  static constexpr std::chrono::hours kRetention{31 * 24};  // how long it remembers a mail
  static constexpr std::size_t kMaxProvedAnswers =
      200;  // answers a day to proved mails of an address
  static constexpr std::size_t kMaxUnprovedAnswers = 10;  // and to its other mails

  // Waits until no other process has it open, or for at most `patience`. Throws Error.
  MailState(const std::filesystem::path& directory, Time now,
            std::optional<std::chrono::milliseconds> patience = {});

  // Returns the stored answer to a mail, "" if it is sent already, or nothing for a new mail.
  std::optional<std::string> stored_answer(const std::string& mail);
  bool is_token_used(const std::string& token) {
    return database_.query_number("SELECT 1 FROM used WHERE token = ?", token) != 0;
  }
  // True if the address may get another answer today.
  bool can_answer(const std::string& address, bool proved);
  // Stores the answer to a mail, or to a step of it, and the token it used, "" for none. It is on
  // disk when this returns, so the program does not do that mail or step again.
  void store_answer(const std::string& mail, const std::string& answer, const std::string& token,
                    const std::string& address, bool proved);
  // Records that the answer to a mail is sent.
  void mark_sent(const std::string& mail);
  // Records the token of the latest mail to a user about a board. `holder`, `stamp`: as in Token.
  void store_latest(const std::string& holder, const std::string& stamp) {
    store_answer("latest\n" + holder, stamp, "", "", false);
  }
  bool is_latest(const std::string& holder, const std::string& stamp) {
    return stored_answer("latest\n" + holder) == stamp;
  }

 private:
  void commit();
  UniqueFd lock_;
  Database database_;
  Time now_;
};

}  // namespace pbm::mail
