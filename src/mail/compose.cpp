// SPDX-License-Identifier: MIT
// Composes and sends mails.

#include <algorithm>

#include "base/files.hpp"
#include "base/child_process.hpp"
#include "base/text.hpp"
#include "mail/gateway.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {

namespace {

constexpr int kMaxColumns = 78;  // columns; the mail also attaches a wider drawing

// Returns the address for answers about a board: "pbm+TOKEN@example.org".
std::string answer_address(const GatewayOptions& setup, const TokenMaker& tokens,
                           const std::string& userid, const std::string& to,
                           const MailBoard& board) {
  const std::size_t at = setup.address.rfind('@');
  return setup.address.substr(0, at) + "+" +
         tokens.make_token(to, board.id + "." + userid, board.stamp) + setup.address.substr(at);
}

bool is_wide(std::string_view text) {
  return std::ranges::any_of(split_lines(text),
                             [](std::string_view line) { return columns(line) > kMaxColumns; });
}

std::vector<MailBoard> read_boards(const std::string& text) {
  std::vector<MailBoard> out;
  for (const std::string& word : split_words(text)) {
    const std::size_t hash = word.find('#');
    if (hash != std::string::npos) out.push_back({word.substr(0, hash), word.substr(hash + 1)});
  }
  return out;
}

// Returns a notification for a player, with an answer address for each of its boards.
OutgoingMail notification_mail(const GatewayOptions& setup, const TokenMaker& tokens,
                               const std::string& userid, const std::string& text,
                               const VariableReader& variable) {
  const std::string to = variable("PBMPLAY_ADDRESS"), drawing = variable("PBMPLAY_DRAWING");
  const std::vector<MailBoard> boards = read_boards(variable("PBMPLAY_BOARDS"));
  OutgoingMail out =
      make_mail(setup, tokens, userid, to, boards, variable("PBMPLAY_TEXT"), pbm::now());
  out.text = text + "\n";
  for (const MailBoard& board : boards)
    if (boards.size() > 1)
      out.text += "To answer on " + board.id + ": " +
                  answer_address(setup, tokens, userid, to, board) + "\n";
  out.text += answer_instructions(userid, boards.size());
  if (is_wide(drawing)) {
    out.attachment = drawing;
    out.attachment_name = variable("PBMPLAY_BOARD") + ".txt";
  }
  return out;
}

// Returns a mail that asks to confirm an address. It has no token: the address is still unproved.
OutgoingMail confirmation_mail(const GatewayOptions& setup, const TokenMaker& tokens,
                               const std::string& userid, const VariableReader& variable) {
  OutgoingMail out = make_mail(setup, tokens, "", variable("PBMPLAY_ADDRESS"), {},
                               "is this your address?", pbm::now());
  out.text = "Somebody who plays as " + userid +
             " says that this is his address. If you are that, answer\n"
             "this mail with this line; else leave it alone, and nothing more comes.\n\nconfirm " +
             userid + " " + variable("PBMPLAY_CODE") + "\n";
  return out;
}

}  // namespace

std::string answer_instructions(const std::string& userid, std::size_t boards) {
  std::string out = "-- \n";
  if (boards > 0)
    out += std::string("To play, ") + (boards == 1 ? "answer this mail" : "write to that address") +
           " with your move as the first line. Words\n"
           "for all on the board stand behind it and a colon between blanks. Or say\n"
           "accept, reject, propose, undo, resign, refuse, chat : text, show or\n"
           "unsubscribe.\n";
  if (userid.empty())
    return out +
           "With the Subject help the commands come, signup USERID takes a userid,\n"
           "and userid has yours sent to the address that you have confirmed.\n";
  return out +
         "Other commands are the first line of an answer, or a Subject with the\n"
         "bracket of this one at its end; that is good for one mail, and a week. With\n"
         "the Subject help they come.\n";
}

OutgoingMail make_mail(const GatewayOptions& setup, const TokenMaker& tokens,
                       const std::string& userid, const std::string& to,
                       const std::vector<MailBoard>& boards, const std::string& subject, Time now) {
  OutgoingMail out;
  out.from = setup.address;
  out.to = to;
  out.reply_to = setup.address;
  const std::string host = setup.address.substr(setup.address.rfind('@'));
  const std::string about = boards.size() == 1 ? boards[0].id : "news";
  out.id = about + "." + random_word(16) + host;
  out.references = {about + "." + (userid.empty() ? "nobody" : userid) + ".thread" + host};
  out.in_reply_to = out.references[0];
  std::string shown = boards.size() == 1 ? boards[0].id + ": " : "";
  if (const std::size_t dash = shown.rfind('-'); dash != std::string::npos) shown[dash] = ' ';
  out.subject = std::string(kSubjectPrefix) + " " + shown + subject;
  if (userid.empty()) return out;
  out.subject += " [" + tokens.make_token(to, userid, make_time_stamp(now)) + "]";
  if (boards.size() == 1) out.reply_to = answer_address(setup, tokens, userid, to, boards[0]);
  out.unsubscribe =
      answer_address(setup, tokens, userid, to, {boards.size() == 1 ? boards[0].id : "all", "0"});
  return out;
}

Result<Success> send_mail(const GatewayOptions& setup, const std::string& to,
                          const std::string& bytes) {
  auto sending =
      ChildProcess::start(setup.sendmail + " -i -f " + setup.address + " -- " + to, {}, bytes);
  const std::string failed = sending ? (*sending)->wait(-1) : sending.refusal().reason;
  return failed.empty() ? Result<Success>(Success{}) : Result<Success>(Refusal{failed});
}

int send_notification(const GatewayOptions& setup, const std::string& text,
                      const VariableReader& variable) {
  const std::string who = variable("PBMPLAY_USER"), to = variable("PBMPLAY_ADDRESS");
  if (!is_mail_address(to)) {
    setup.log(who + " has no address that can be written to");
    return kDone;
  }
  const TokenMaker tokens(setup.state_directory / "key");
  // Every userid at a shared address gets a mail of its own, because a token is for one userid.
  for (const std::string& userid : split_words(who)) {
    const OutgoingMail mail = variable("PBMPLAY_CODE").empty()
                                  ? notification_mail(setup, tokens, userid, text, variable)
                                  : confirmation_mail(setup, tokens, userid, variable);
    if (const auto sent = send_mail(setup, to, to_string(mail)); !sent) {
      setup.log(userid + " was not told: " + sent.refusal().reason);
      return kTryAgain;
    }
    setup.log(userid + " was told at " + to);
  }
  return kDone;
}

}  // namespace pbm::mail
