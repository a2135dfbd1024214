// SPDX-License-Identifier: MIT
// A mail as it comes and as it goes: the only user of GMime. Believes nothing of what it reads.
// Leaves what is asked for to gateway.hpp and who may to tokens.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pbm::mail {

// More of a mail than that is not read.
inline constexpr std::size_t kMaxMail = std::size_t{256} << 10;

struct Incoming {
  std::string refused;  // why it is not answered, a few words: it is automatic, or of many; or ""
  std::string from;     // the address alone, in small letters; "" where it is no plain one
  std::string subject;  // in UTF-8, of one line
  std::string id;       // "" where it has none
  std::vector<std::string> to;     // each address it went to
  std::vector<std::string> lines;  // of its first part of plain text
  bool plain = false;              // there is such a part
};
// `own`: where mail for this program goes.
Incoming read_message(std::string_view bytes, const std::string& own);

struct Outgoing {
  std::string from, to, reply_to, subject;
  std::string id, in_reply_to;          // without angle brackets; "" for none
  std::vector<std::string> references;  // the same
  std::string unsubscribe;              // an address, for List-Unsubscribe; "" for none
  bool replied = false;                 // to a mail, by a program
  std::string text;                     // its lines; what they are drawn with counts
  std::string attached, attached_name;  // a text, where it is too wide for a mail
};
// As it is handed to sendmail.
std::string to_string(const Outgoing& mail);

}  // namespace pbm::mail
