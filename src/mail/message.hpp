// SPDX-License-Identifier: MIT
// Reads and writes mails. Only this part of the program uses GMime. Trusts nothing that it reads.
// Leaves commands to gateway.hpp and proofs of identity to tokens.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pbm::mail {

// The program reads no more bytes of a mail than this.
inline constexpr std::size_t kMaxMail = std::size_t{256} << 10;

// A mail that arrived.
struct IncomingMail {
  std::string refusal;  // why it gets no answer, in a few words ("it is automatic"); else ""
  std::string from;     // the bare address in lower case; "" unless there is exactly one
  std::string subject;  // one line of UTF-8
  std::string id;       // "" if there is none
  std::vector<std::string> to;     // all addresses that it went to
  std::vector<std::string> lines;  // of its first part of plain text
  bool has_plain_text = false;     // true if there is such a part
};
// Parses a mail. `own` is the address of this program.
IncomingMail parse_mail(std::string_view bytes, const std::string& own);

// A mail to send.
struct OutgoingMail {
  std::string from, to, reply_to, subject;
  std::string id, in_reply_to;          // without angle brackets; "" for none
  std::vector<std::string> references;  // message ids without angle brackets
  std::string unsubscribe;              // an address for List-Unsubscribe; "" for none
  bool is_reply = false;                // true if it answers a mail
  std::string text;                     // its line breaks and columns matter
  std::string attachment,
      attachment_name;  // a text file that is too wide for the mail; "" for none
};
// Returns the bytes for sendmail.
std::string to_string(const OutgoingMail& mail);

}  // namespace pbm::mail
