// SPDX-License-Identifier: MIT
// Mails from anybody: reading them and writing the answer. The input is the mail.
#include "mail/gateway.hpp"
#include "protocol/userid.hpp"
#include "target.hpp"

namespace pbm::test {

void try_input(std::string_view input) {
  const std::string own = "pbm@games.test";
  const mail::IncomingMail in = mail::parse_mail(input, own);
  REQUIRE((!in.refusal.empty() || is_mail_address(in.from)));
  REQUIRE(in.subject.find('\n') == std::string::npos);
  std::string subject = mail::strip_subject_marks(in.subject);
  REQUIRE(mail::strip_subject_marks(subject) == subject);
  mail::read_token(subject);
  for (const std::string& to : in.to) mail::read_token(to.substr(0, to.find('@')));
  for (const bool script : {false, true})
    for (const mail::Command& command : mail::read_commands(in.lines, script)) {
      REQUIRE(command.line.find('\n') == std::string::npos);
      for (const std::string& line : command.text) REQUIRE(line.find('\n') == std::string::npos);
    }
  // The answer is a mail that another gateway drops.
  mail::OutgoingMail out;
  out.from = own;
  out.to = in.from.empty() ? "fred@fred.test" : in.from;
  out.id = "1@games.test";
  out.subject = "pbmplay: " + safe_text(in.subject);
  out.text = safe_text(in.subject) + "\n";
  for (const std::string& line : in.lines) out.text += safe_text(line) + "\n";
  if (!in.id.empty()) out.references.push_back(safe_text(in.id));
  const mail::IncomingMail back = mail::parse_mail(mail::to_string(out), "pbm@else.test");
  REQUIRE(back.refusal == "it is automatic");
}

}  // namespace pbm::test
