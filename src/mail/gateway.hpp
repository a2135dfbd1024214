// SPDX-License-Identifier: MIT
// From a mail to what a server is asked, and to the mail that answers it. Leaves reading and
// writing mails to message.hpp, proofs to tokens.hpp and what was done already to state.hpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "mail/message.hpp"
#include "mail/tokens.hpp"
#include "protocol/address.hpp"

namespace pbm::mail {

inline constexpr int kHandled = 0, kWrong = 64, kLater = 75;  // exit statuses, for a mail system

struct Setup {
  std::string address;          // where mail for this program goes: "pbm@example.org"
  std::filesystem::path state;  // a directory
  ServerAddress server;
  std::string sendmail = "/usr/sbin/sendmail";
  bool passwords = false;                       // whether a Subject may prove by one
  std::function<void(const std::string&)> log;  // takes a line for each mail
};

// A command, and the lines of text below it.
struct Command {
  std::string line;
  std::vector<std::string> text = {};
};
// What is left of a Subject when what answering and old servers put around it is gone.
std::string without_remnants(std::string_view subject);
// What somebody wrote, without what he quotes and who wrote that: the first command, or with
// `script` all up to a blank, quoted or signature line.
std::vector<Command> commands_in(const std::vector<std::string>& lines, bool script);

// Every Subject of our own begins so, and no command does.
inline constexpr std::string_view kOurs = "pbmplay:";

// Of somebody on a board, for mails about it.
struct Board {
  std::string id;  // "toot-101"
  std::string at;  // its next ply, and how much was done there: "7-12"
};
// What is the same in all mails to `userid` at `to`: who answers to what, and which thread it is
// of.
// `boards`: what it is about; one makes it a thread's. `userid`: "" where nobody is known there.
Outgoing mail_to(const Setup& setup, const Tokens& tokens, const std::string& userid,
                 const std::string& to, const std::vector<Board>& boards,
                 const std::string& subject, Time now);
// How one answers a mail about so many boards.
std::string how_to_answer(const std::string& userid, std::size_t boards);
// Refuses in a sentence what sendmail did not take.
Result<Done> send(const Setup& setup, const std::string& to, const std::string& bytes);

// Answers a mail. Returns an exit status.
int answer(const Setup& setup, std::string_view bytes);
// Writes what the server has to tell, as --notify has it: `text`, and variables by name.
using Variables = std::function<std::string(const char*)>;
int tell(const Setup& setup, const std::string& text, const Variables& variable);

}  // namespace pbm::mail
