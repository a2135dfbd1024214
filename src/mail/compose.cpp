// SPDX-License-Identifier: MIT
// Composes and sends mails.

#include <algorithm>

#include "base/files.hpp"
#include "base/child_process.hpp"
#include "base/text.hpp"
#include "mail/gateway.hpp"
#include "mail/state.hpp"
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
  const auto board = boards.size() == 1 ? decode_board(variable("PBMPLAY_INFO"), "") : std::nullopt;
  std::string subject = variable("PBMPLAY_TEXT");
  if (!is_own_subject(subject)) subject.insert(0, kSubjectPrefix);
  OutgoingMail out = make_mail(setup, tokens, userid, to, boards, subject, pbm::now());
  out.text = text + "\n";
  for (const MailBoard& each : boards)
    if (boards.size() > 1)
      out.text += "To play " + each.id + ", send your move to " +
                  answer_address(setup, tokens, userid, to, each) + "\n";
  if (subject.find(" challenges you") != std::string::npos)
    out.text += "To decline, reply: refuse\n";
  out.text += reply_instructions(userid, board, variable("PBMPLAY_MOVE"));
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
                               "Confirm your address for pbmplay", pbm::now());
  out.text = join(wrap("Somebody, probably you, gave this address for the account " + userid +
                           " on " + setup.address + ".",
                       kMaxColumns),
                  "\n") +
             "\nTo confirm it, reply to this mail with this line at the top:\n\n    confirm " +
             userid + " " + variable("PBMPLAY_CODE") +
             "\n\nIf it was not you, ignore this mail. We will not write again.\n";
  return out;
}

// Records the mails about boards as the latest ones. The server waits for this program, so it gives
// up if another mail takes longer than that: then the mails before allow what they did.
void store_latest(const GatewayOptions& setup, const std::string& userid,
                  const std::vector<MailBoard>& boards) {
  if (boards.empty()) return;
  try {
    MailState state(setup.state_directory, pbm::now(), std::chrono::seconds(5));
    for (const MailBoard& board : boards) state.store_latest(board.id + "." + userid, board.stamp);
  } catch (const Error& error) {
    setup.log("the mail to " + userid + " cannot count as the latest: " + error.what());
  }
}

}  // namespace

std::string reply_instructions(const std::string& userid, const std::optional<BoardSummary>& board,
                               const std::string& move) {
  std::string out;
  if (board) {
    const auto seat = board->find_seat(userid);
    if (seat && board->offer && std::ranges::count(board->offer->pending_seats, *seat) > 0)
      out += "Reply with accept or reject. ";
    if (seat && board->to_move == *seat)
      out += "Reply with your move" + (move.empty() ? "" : ", for example " + move) + ". ";
    const bool is_free = board->contest.empty();  // not of a tournament or ladder
    out += std::string(out.empty() ? "You can reply: " : "You can also reply: ") +
           (!seat              ? ""
            : board->is_over() ? is_free ? "rematch, " : ""
            : is_free          ? "propose (a draw), undo, resign, "
                               : "propose (a draw), resign, ") +
           "chat : your words, show, unsubscribe (no more mails about this game).";
    out = join(wrap(out, kMaxColumns), "\n") + "\n";
  }
  if (userid.empty())
    return out +
           "-- \nFor the list of commands, write a mail with the Subject help. For an account,\n"
           "write signup and the name you want. If you have one, write userid: we mail it\n"
           "to the address that you have confirmed.\n";
  return out + "-- \nKeep the code in the Subject: it proves that you are " + userid +
         ".\nFor the list of commands, reply: help\n";
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
  out.subject = subject;
  if (userid.empty()) return out;
  out.subject += " [" + tokens.make_token(to, userid, make_time_stamp(now)) + "]";
  if (boards.size() == 1) out.reply_to = answer_address(setup, tokens, userid, to, boards[0]);
  out.unsubscribe =
      answer_address(setup, tokens, userid, to, {boards.size() == 1 ? boards[0].id : "all", "0"});
  return out;
}

Result<Success> send_mail(const GatewayOptions& setup, const std::string& to,
                          const std::string& bytes) {
  const std::string failed =
      run_child(setup.sendmail + " -i -f " + setup.address + " -- " + to, {}, bytes);
  return failed.empty() ? Result<Success>(Success{}) : Result<Success>(Refusal{failed});
}

int send_notification(const GatewayOptions& setup, const std::string& text,
                      const VariableReader& variable) {
  const std::string who = variable("PBMPLAY_USER"), to = variable("PBMPLAY_ADDRESS");
  if (!is_mail_address(to)) {
    setup.log(who + " has no mail address");
    return kDone;
  }
  const TokenMaker tokens(setup.state_directory / "key");
  // Every userid at a shared address gets a mail of its own, because a token is for one userid.
  for (const std::string& userid : split_words(who)) {
    const OutgoingMail mail = variable("PBMPLAY_CODE").empty()
                                  ? notification_mail(setup, tokens, userid, text, variable)
                                  : confirmation_mail(setup, tokens, userid, variable);
    if (const auto sent = send_mail(setup, to, to_string(mail)); !sent) {
      setup.log(userid + " was not notified: " + sent.refusal().reason);
      return kTryAgain;
    }
    setup.log(userid + " was notified at " + to);
  }
  store_latest(setup, who, read_boards(variable("PBMPLAY_BOARDS")));
  return kDone;
}

}  // namespace pbm::mail
