// SPDX-License-Identifier: MIT
// The mail gateway: turns a mail into commands to a server and makes the reply mail. Leaves the
// format of mails to message.hpp, proofs of identity to tokens.hpp, and memory to state.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mail/message.hpp"
#include "mail/tokens.hpp"
#include "protocol/address.hpp"
#include "protocol/board_summary.hpp"

namespace pbm::mail {

// Exit statuses for the mail system. After kTryAgain it delivers the mail again.
inline constexpr int kDone = 0, kUsageError = 64, kTryAgain = 75;

// The options of the program.
struct GatewayOptions {
  std::string address;                    // of this program: "pbm@example.org"
  std::filesystem::path state_directory;  // the directory of the key and the database
  ServerAddress server;
  std::string sendmail = "/usr/sbin/sendmail";
  bool accepts_passwords = false;               // true if a Subject may contain a password
  std::function<void(const std::string&)> log;  // receives a line for each mail
};

// A command with the lines of text below it.
struct Command {
  std::string line;
  std::vector<std::string> text = {};
};
// Returns a Subject without the marks of replies, filters and old servers, such as "Re[2] :",
// "[EXT]" and "**".
std::string strip_subject_marks(std::string_view subject);
// Returns the commands in a mail's own text, without quotations and their attribution lines: only
// the first. With `script` it returns all up to a blank, quoted or signature line.
std::vector<Command> read_commands(const std::vector<std::string>& lines, bool script);

// The beginning of a Subject of this program that names no board. No command begins like that.
inline const std::string kSubjectPrefix = "pbmplay: ";
// True for a Subject of this program, for example "Toot 101: your turn against fred".
bool is_own_subject(std::string_view subject);

// A board in a mail about it.
struct MailBoard {
  std::string id;     // "toot-101"
  std::string stamp;  // the next ply, a dash, and the number of log entries: "7-12"
};
// Returns a mail to `userid` at `to` with addresses, tokens and thread, but without text. `boards`:
// the boards it is about; a single one selects the thread. `userid`: "" for a mail without tokens.
OutgoingMail make_mail(const GatewayOptions& setup, const TokenMaker& tokens,
                       const std::string& userid, const std::string& to,
                       const std::vector<MailBoard>& boards, const std::string& subject, Time now);
// Returns what the reader of a mail can do on the board and by commands. `move`: an example of a
// legal move, or "". `userid`: "" for a mail without tokens.
std::string reply_instructions(const std::string& userid, const std::optional<BoardSummary>& board,
                               const std::string& move = "");
// Sends a mail through the sendmail program. Refuses with its error.
Result<Success> send_mail(const GatewayOptions& setup, const std::string& to,
                          const std::string& bytes);

// Answers a mail. Returns an exit status. Throws Error.
int answer_mail(const GatewayOptions& setup, std::string_view bytes);
// Returns the value of an environment variable, or "".
using VariableReader = std::function<std::string(const char*)>;
// Mails a server's notification, `text` and the PBMPLAY_ variables of --notify. Returns an exit
// status. Throws Error.
int send_notification(const GatewayOptions& setup, const std::string& text,
                      const VariableReader& variable);

}  // namespace pbm::mail
