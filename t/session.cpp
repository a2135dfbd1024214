// SPDX-License-Identifier: MIT
// Conversations with the server: lines in, lines out, for every command and
// every refusal.
#include "server/session.hpp"

#include "server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// fred and wilma, logged in and watching, and their board 101 of toot.
struct Pair {
  Hall hall;
  User fred{hall, "fred"}, wilma{hall, "wilma"};
  Pair() {
    fred.say("watch");
    wilma.say("watch");
    fred.say("toot challenge fred wilma");
    wilma.heard();
  }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a line that is no command is answered with one sentence, and the connection lives on", "[session]") {
  Hall hall;
  Talk t(hall);
  CHECK(t.say("") == "-ERR There is no command in that line: help lists them.\n.\n");
  CHECK(t.first("**") == "-ERR There is no command in that line: help lists them.");
  CHECK(t.first("dance") == "-ERR There is no command 'dance': help lists them.");
  CHECK(has(t.first("toot"), "-ERR What about Toot? There is standings, ratings, "));
  CHECK(has(t.first("toot dance"), "-ERR Toot has no command 'dance'. There is standings, "));
  CHECK(t.first(std::string("li\x01st")) == "-ERR That line has a control character, which no command needs.");
  CHECK(t.first("li\xFFst") == "-ERR That line is not UTF-8 text.");
  CHECK(t.first(std::string(1025, 'x')) == "-ERR That line is too long: a line has at most 1024 bytes.");
  CHECK(has(t.first(std::string(1024, 'x')), "-ERR There is no command 'xxxx"));
  CHECK(t.first("list -fast") == "-ERR '-fast' means nothing here. Write: list [game...]");
  CHECK(t.first("list : me") == "-ERR No text belongs to this command. Write: list [game...]");
  CHECK(t.first("toot save") == "-ERR Write: GAME save board");
  CHECK(t.first("login fred") == "-ERR Write: login userid password");
  CHECK(t.say("LIST") == "+OK Nobody has a userid here yet.\n.\n");
  CHECK(t.say("list\r") == "+OK Nobody has a userid here yet.\n.\n");
  CHECK(t.say("quit") == "+OK Good-bye.\n.\n");
  CHECK(t.session().over());
  CHECK(t.say("list") == "");
}

TEST_CASE("a whole short game by two connections", "[session]") {
  Pair p;
  CHECK(p.fred.heard() == "");
  const std::string said = p.fred.say("toot move 101 fred secret BT : your turn");
  CHECK(has(said, "+OK Ply 1: fred (TOOT) drops a T down column B.\n"));
  CHECK(has(said, "It is wilma's turn (OTTO).\n.\n"));
  CHECK(p.wilma.heard() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n* toot 101 chat fred : your turn\n");
  CHECK(has(p.wilma.say("toot 101 wilma * CO"), "+OK Ply 2: wilma (OTTO)"));
  CHECK(has(p.fred.say("toot move 101 fred * DO"), "+OK Ply 3"));
  CHECK(has(p.wilma.say("Toot Board 101 Wilma * fo"), "+OK Ply 4"));
  p.wilma.heard();
  CHECK(has(p.fred.say("toot move 101 fred * ET"), "fred (TOOT) won: "));
  CHECK(has(p.wilma.heard(), "* toot 101 ply 5 fred ET\n* toot 101 over : fred (TOOT) won: "));
  CHECK(has(p.wilma.first("toot move 101 wilma * AT"), "-ERR The game is over: fred (TOOT) won"));
  CHECK(p.wilma.say("toot history") == "+OK 1 finished game of Toot: number, plies, end, seats, result.\n   101     5  2026-11-21T12:00:00Z  fred, wilma                           fred won\n.\n");
  CHECK(p.wilma.say("toot standings") == "+OK 2 ratings at Toot: rating (? under 20 games), games, won, lost, tied.\n"
                                         "  1784?     1     1     0     0  fred\n  1464?     1     0     1     0  wilma\n.\n");
  CHECK(bytes_of(p.hall.directory / "toot-101.yaml").find("- {move: ET, at: 2026-11-21T12:00:00Z}\n") != std::string::npos);
}
