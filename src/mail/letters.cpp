// SPDX-License-Identifier: MIT
// Composes and sends mails.

#include <algorithm>

#include "base/files.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "mail/gateway.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {

namespace {

constexpr int kWide = 78;  // columns; the mail also attaches a wider drawing

// Returns the address for answers about a board: "pbm+TOKEN@example.org".
std::string answers_to(const Setup& setup, const Tokens& tokens, const std::string& userid,
                       const std::string& to, const Board& board) {
  const std::size_t at = setup.address.rfind('@');
  return setup.address.substr(0, at) + "+" + tokens.made(to, board.id + "." + userid, board.at) +
         setup.address.substr(at);
}

bool is_wide(std::string_view text) {
  return std::ranges::any_of(split_lines(text),
                             [](std::string_view line) { return columns(line) > kWide; });
}

std::vector<Board> read_boards(const std::string& text) {
  std::vector<Board> out;
  for (const std::string& word : words(text)) {
    const std::size_t hash = word.find('#');
    if (hash != std::string::npos) out.push_back({word.substr(0, hash), word.substr(hash + 1)});
  }
  return out;
}

// Returns a notification for a player, with an answer address for each of its boards.
Outgoing news_mail(const Setup& setup, const Tokens& tokens, const std::string& userid,
                   const std::string& text, const Variables& variable) {
  const std::string to = variable("PBMPLAY_ADDRESS"), drawing = variable("PBMPLAY_DRAWING");
  const std::vector<Board> boards = read_boards(variable("PBMPLAY_BOARDS"));
  Outgoing out = mail_to(setup, tokens, userid, to, boards, variable("PBMPLAY_TEXT"), pbm::now());
  out.text = text + "\n";
  for (const Board& board : boards)
    if (boards.size() > 1)
      out.text +=
          "To answer on " + board.id + ": " + answers_to(setup, tokens, userid, to, board) + "\n";
  out.text += how_to_answer(userid, boards.size());
  if (is_wide(drawing)) {
    out.attached = drawing;
    out.attached_name = variable("PBMPLAY_BOARD") + ".txt";
  }
  return out;
}

// Returns a mail that asks to confirm an address. It has no token: the address is still unproved.
Outgoing code_mail(const Setup& setup, const Tokens& tokens, const std::string& userid,
                   const Variables& variable) {
  Outgoing out = mail_to(setup, tokens, "", variable("PBMPLAY_ADDRESS"), {},
                         "is this your address?", pbm::now());
  out.text = "Somebody who plays as " + userid +
             " says that this is his address. If you are that, answer\n"
             "this mail with this line; else leave it alone, and nothing more comes.\n\nconfirm " +
             userid + " " + variable("PBMPLAY_CODE") + "\n";
  return out;
}

}  // namespace

std::string how_to_answer(const std::string& userid, std::size_t boards) {
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

Outgoing mail_to(const Setup& setup, const Tokens& tokens, const std::string& userid,
                 const std::string& to, const std::vector<Board>& boards,
                 const std::string& subject, Time now) {
  Outgoing out;
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
  out.subject = std::string(kOurs) + " " + shown + subject;
  if (userid.empty()) return out;
  out.subject += " [" + tokens.made(to, userid, stamp_of(now)) + "]";
  if (boards.size() == 1) out.reply_to = answers_to(setup, tokens, userid, to, boards[0]);
  out.unsubscribe =
      answers_to(setup, tokens, userid, to, {boards.size() == 1 ? boards[0].id : "all", "0"});
  return out;
}

Result<Done> send(const Setup& setup, const std::string& to, const std::string& bytes) {
  auto sending =
      RunningProgram::start(setup.sendmail + " -i -f " + setup.address + " -- " + to, {}, bytes);
  const std::string failed = sending ? (*sending)->wait(-1) : sending.refusal().why;
  return failed.empty() ? Result<Done>(Done{}) : Result<Done>(Refusal{failed});
}

int tell(const Setup& setup, const std::string& text, const Variables& variable) {
  const std::string who = variable("PBMPLAY_USER"), to = variable("PBMPLAY_ADDRESS");
  if (!is_plain_address(to)) {
    setup.log(who + " has no address that can be written to");
    return kHandled;
  }
  const Tokens tokens(setup.state / "key");
  // Every userid at a shared address gets a mail of its own, because a token is for one userid.
  for (const std::string& userid : words(who)) {
    const Outgoing mail = variable("PBMPLAY_CODE").empty()
                              ? news_mail(setup, tokens, userid, text, variable)
                              : code_mail(setup, tokens, userid, variable);
    if (const auto sent = send(setup, to, to_string(mail)); !sent) {
      setup.log(userid + " was not told: " + sent.refusal().why);
      return kLater;
    }
    setup.log(userid + " was told at " + to);
  }
  return kHandled;
}

}  // namespace pbm::mail
