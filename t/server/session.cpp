// SPDX-License-Identifier: MIT
// Conversations with the server about playing: command lines and replies.
#include "server/session/session.hpp"

#include <fstream>
#include <set>

#include "save/save.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("a line that is no command is answered with one sentence, and the connection lives on",
          "[session]") {
  TestServer hall;
  TestClient t(hall);
  CHECK(t.say("") == "-ERR There is no command in that line. Type help for the list.\n.\n");
  CHECK(t.first_reply_line("**") ==
        "-ERR There is no command in that line. Type help for the list.");
  CHECK(t.first_reply_line(": hello") ==
        "-ERR There is no command in that line. Type help for the list.");
  CHECK(t.first_reply_line("dance") == "-ERR There is no command dance. Type help for the list.");
  CHECK(t.first_reply_line("toot") ==
        "-ERR Type a command after Toot, for example toot games. For a list of the commands, type "
        "help.");
  CHECK(t.first_reply_line("toot dance") ==
        "-ERR Toot has no command dance. Type help for the list.");
  // The refusal names the nearest command, not a list.
  CHECK(t.first_reply_line("mesage wilma : hi") ==
        "-ERR There is no command mesage. Did you mean message?");
  CHECK(t.first_reply_line("tooot 101 BT") == "-ERR There is no command tooot. Did you mean toot?");
  CHECK(t.first_reply_line("Toot challnge fred") ==
        "-ERR Toot has no command challnge. Did you mean challenge?");
  CHECK(t.first_reply_line("change") ==
        "-ERR There is no command change. Did you mean change password or change address?");
  CHECK(t.first_reply_line("change pasword a b") ==
        "-ERR There is no command change pasword. Did you mean change password?");
  CHECK(t.first_reply_line("chaos quit") == "-ERR That command has no game before it. Write: quit");
  CHECK(t.first_reply_line("resign 101") ==
        "-ERR That command needs a game before it. Write: GAME resign board [userid password] [: "
        "text]");
  CHECK(t.first_reply_line(std::string("li\x01st")) ==
        "-ERR That line has a control character. Remove it.");
  CHECK(t.first_reply_line("li\x1B[2Jst") == "-ERR That line has a control character. Remove it.");
  CHECK(t.first_reply_line("li\xC2\x9Bst") == "-ERR That line has a control character. Remove it.");
  CHECK(t.first_reply_line("li\xFFst") == "-ERR That line is not UTF-8 text.");
  CHECK(t.first_reply_line(std::string(1025, 'x')) ==
        "-ERR That line is too long. A line has at most 1024 bytes.");
  CHECK(contains(t.first_reply_line(std::string(1024, 'x')), "-ERR There is no command xxxx"));
  CHECK(t.first_reply_line("list -fast") ==
        "-ERR This command has no option -fast. Write: list [game...]");
  CHECK(t.first_reply_line("list : me") ==
        "-ERR This command takes no text. Write: list [game...]");
  CHECK(t.first_reply_line("toot save") == "-ERR Write: GAME save board");
  CHECK(t.first_reply_line("toot save 101 102") == "-ERR Write: GAME save board");
  CHECK(t.first_reply_line("login fred") == "-ERR Write: login userid password");
  CHECK(t.first_reply_line("dance \xE2\x80\xAE") ==
        "-ERR There is no command dance. Type help for the list.");
  CHECK(t.first_reply_line("\xE2\x80\xAE") ==
        "-ERR There is no command ?. Type help for the list.");
  CHECK(t.say("LIST") == "+OK There are no accounts yet.\n.\n");
  CHECK(t.say("  list \t**\r") == "+OK There are no accounts yet.\n.\n");
  CHECK(t.say("quit") == "+OK Good-bye.\n.\n");
  CHECK(t.session().is_over());
  CHECK(t.say("list") == "");
}

TEST_CASE("a whole short game by two connections", "[session]") {
  ServerPair p;
  const std::string said = p.fred.say("toot move 101 fred secret BT : your turn");
  CHECK(contains(said, "+OK Move 1: fred (TOOT) drops a T down column B.\n"));
  CHECK(contains(said, "It is wilma's turn (OTTO).\n.\n"));
  CHECK(p.wilma.take_received() ==
        "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n* toot 101 chat fred : your turn\n");
  CHECK(contains(p.wilma.say("toot 101 wilma * CO"), "+OK Move 2: wilma (OTTO)"));
  CHECK(p.fred.take_received() == "* toot 101 ply 2 wilma CO\n* toot 101 turn 3\n");
  CHECK(contains(p.fred.say("toot -fast move 101 fred * DO"), "-ERR This command has no options."));
  CHECK(contains(p.fred.say("toot move 101 fred * DO"), "+OK Move 3"));
  CHECK(contains(p.wilma.say("Toot Board 101 Wilma * fo"), "+OK Move 4"));
  p.wilma.take_received();
  CHECK(contains(p.fred.say("toot move 101 fred * ET"), "fred (TOOT) wins. "));
  CHECK(contains(p.wilma.take_received(),
                 "* toot 101 ply 5 fred ET\n* toot 101 over : fred (TOOT) wins. "));
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * AT"),
                 "-ERR The game is over. fred (TOOT) wins"));
  CHECK(contains(p.wilma.first_reply_line("toot resign 101 wilma *"),
                 "-ERR The game is over. fred (TOOT) wins"));
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * undo"),
                 "-ERR The game is over and recorded. fred (TOOT) wins"));
  CHECK(p.wilma.say("toot history") ==
        "+OK 1 finished game of Toot: number, moves, end, players, result.\n   101     5  "
        "2026-11-21T12:00:00Z  fred, wilma                           fred won (unrated: not every "
        "seat made 3 moves)\n.\n");
  CHECK(p.wilma.say("toot standings") == "+OK There are no ratings for Toot yet.\n.\n");
  CHECK(read_bytes(p.server.directory / "toot-101.yaml")
            .find("- {move: ET, at: 2026-11-21T12:00:00Z}\n") != std::string::npos);
}

TEST_CASE("whoever has said hello is answered and told in lines for programs", "[session]") {
  ServerPair p;
  // Anybody may ask for the server's commands; that changes nothing.
  const std::string said = p.wilma.say("hello");
  CHECK(contains(said, "+OK This server has protocol version 2.\n{protocol: 2, commands: [help, "));
  CHECK(contains(said, "change password"));
  p.wilma.say("hello 1");
  CHECK(p.wilma.first_reply_line("hello two") == "-ERR 'two' is not a version number.");
  CHECK(contains(p.fred.say("toot move 101 fred * BT"), "\nA B C D"));
  CHECK(p.wilma.take_received() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");

  CHECK(contains(p.wilma.say("hello 2"), "+OK "));
  const std::string board = "{board: toot-101, seats: [fred, wilma], ",
                    at = "changed: 2026-11-21T12:00:00Z",
                    clock = ", late: 2026-11-28T12:00:00Z, lost: 2026-12-12T12:00:00Z";
  CHECK(p.wilma.say("toot move 101 wilma * CO") ==
        "+OK Move 2: wilma (OTTO) drops an O down column C.\n" + board +
            "plies: 2, entries: 2, turn: 1, " + at + clock +
            ", done: [{move: CO, seat: 2, at: 2026-11-21T12:00:00Z}]}\n.\n");
  CHECK(p.fred.take_received() == "* toot 101 ply 2 wilma CO\n* toot 101 turn 3\n");
  // Only its owner sees a queued ply. A ply from the queue arrives with the one before it.
  CHECK(p.wilma.say("toot queue 101 wilma * DO#4") ==
        "+OK DO is queued on toot 101 for your next turn.\n" + board +
            "plies: 2, entries: 2, turn: 1, " + at + ", queued: \"DO#4\"" + clock +
            ", done: []}\n.\n");
  CHECK_FALSE(contains(p.fred.say("boards wilma"), "queued"));
  p.fred.say("toot move 101 fred * AT");
  const std::string heard = p.wilma.take_received();
  CHECK(contains(heard,
                 "* toot 101 now " + board + "plies: 3, entries: 3, turn: 2, " + at +
                     ", queued: \"DO#4\"" + clock +
                     ", done: [{move: AT, seat: 1, at: 2026-11-21T12:00:00Z}]}\n* toot 101 ply 3"));
  CHECK(contains(heard,
                 "* toot 101 now " + board + "plies: 4, entries: 4, turn: 1, " + at + clock +
                     ", done: [{move: DO, seat: 2, at: 2026-11-21T12:00:00Z}]}\n* toot 101 ply 4"));
  // A board for people is drawn on request.
  CHECK(contains(p.wilma.say("toot show 101"), "A B C D"));
  p.fred.say("toot challenge wilma fred");
  CHECK(contains(p.wilma.take_received(), "* toot 102 now {board: toot-102, "));
  CHECK(p.wilma.say("toot resign 102 wilma *") ==
        "+OK wilma (TOOT) refused the challenge. The board is closed; no rating "
        "changes.\n{board: toot-102, gone: true}\n.\n");
}

TEST_CASE("a move is refused with its reason, and the board stays as it was", "[session]") {
  ServerPair p;
  User betty(p.server, "betty");
  const std::string before = read_bytes(p.server.directory / "toot-101.yaml");
  CHECK(p.wilma.first_reply_line("toot move 101 wilma * BT") == "-ERR It is fred's turn (TOOT).");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * ZT"), "-ERR There is no column Z"));
  CHECK(p.fred.first_reply_line("toot move 102 fred * BT") ==
        "-ERR There is no board 102 of Toot.");
  CHECK(p.fred.first_reply_line("toot move 0101 fred * BT") ==
        "-ERR '0101' is not a board number.");
  CHECK(p.fred.first_reply_line("toot move x fred * BT") == "-ERR 'x' is not a board number.");
  CHECK(p.fred.first_reply_line("toot move 101#1 fred * BT") ==
        "-ERR '101#1' is not a board number.");
  CHECK(betty.first_reply_line("toot move 101 betty * BT") ==
        "-ERR betty does not play on toot 101. Players: fred and wilma.");
  CHECK(betty.first_reply_line("toot move 101 fred * BT") ==
        "-ERR You are not signed in as fred. Write the password, not '*'.");
  TestClient stranger(p.server);
  CHECK(betty.first_reply_line("toot move 101 fred wrong BT") ==
        "-ERR That is not the password of fred.");
  CHECK(stranger.first_reply_line("toot move 101 nobody x BT") ==
        "-ERR There is no userid nobody. Sign up to create it.");
  CHECK(
      stranger.first_reply_line("toot move 101 f:d x BT") ==
      "-ERR 'f:d' cannot be a userid. A userid has 1 to 16 letters, digits, '_', '.' and '-', but "
      "no '.' or '-' first or last.");
  CHECK(p.fred.first_reply_line("toot move 101 fred *") ==
        "-ERR Write: GAME move board [userid password] move...[#number[-entries]] [: text]");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT#x") ==
        "-ERR 'BT#x' needs a move number after the #, for example #7.");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * " + std::string(300, 'B')),
                 "is longer than any move."));
  CHECK(p.fred.first_reply_line("toot move 101 fred * accept") ==
        "-ERR There is no offer to accept.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * undo") ==
        "-ERR There is no move to take back.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * pass").substr(0, 5) == "-ERR ");
  CHECK(
      p.fred.first_reply_line("toot move 101 fred * BT : " + std::string(990, 'x')).substr(0, 5) ==
      "+OK M");
  CHECK(read_bytes(p.server.directory / "toot-101.yaml") ==
        before + "- {move: BT, at: 2026-11-21T12:00:00Z}\n");
}

TEST_CASE("offers take no room from moves, and who is to move can always play, answer or resign",
          "[session]") {
  ServerPair p;
  p.server.change_options = [](ServiceOptions& o) { o.entries_a_board = 4; };
  p.server.restart();
  User fred(p.server, "fred"), wilma(p.server, "wilma");
  const auto said = [&](User& user, const std::string& move) {
    return user.first_reply_line("toot move 101 " + std::string(&user == &fred ? "fred" : "wilma") +
                                 " * " + move);
  };
  CHECK(contains(said(fred, "BT"), "+OK"));
  CHECK(contains(said(wilma, "CO"), "+OK"));
  for (const char* offer : {"propose", "undo"}) {
    CHECK(contains(said(wilma, offer), "+OK"));
    CHECK(contains(said(fred, "reject"), "+OK fred (TOOT) declines"));
  }
  CHECK(contains(said(fred, "CT"), "+OK Move 3"));
  CHECK(said(fred, "propose") ==
        "-ERR toot 101 has had 4 offers and answers, the limit. Play or resign.");
  CHECK(contains(said(wilma, "DO"), "+OK Move 4"));
  const std::string full =
      "-ERR toot 101 has had 4 moves, the limit. Resign or agree on a draw. No "
      "clock runs.";
  CHECK(said(fred, "AT") == full);
  CHECK(said(fred, "undo") == full);
  CHECK(contains(said(wilma, "propose"), "+OK"));
  CHECK(contains(said(fred, "reject"), "+OK fred (TOOT) declines"));
  p.server.pass_time(std::chrono::hours(24 * 30));
  CHECK(contains(fred.say("toot info 101"), "turn: 1"));
  CHECK(contains(said(fred, "propose"), "+OK"));
  CHECK(contains(said(wilma, "accept"), "+OK"));
}

TEST_CASE("a move with the number of its move is played once, however often it is sent",
          "[session]") {
  ServerPair p;
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT#2") ==
        "-ERR The next move of toot 101 is number 1, not 2. Look at the board again.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT#0") ==
        "-ERR The next move of toot 101 is number 1, not 0. Look at the board again.");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * bt#1"), "+OK Move 1: "));
  const std::string file = read_bytes(p.server.directory / "toot-101.yaml");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT#1 : again") ==
        "+OK You have already played that, as move 1 of toot 101.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * bT#1") ==
        "+OK You have already played that, as move 1 of toot 101.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * CT#1") ==
        "-ERR The next move of toot 101 is number 2, not 1. Look at the board again.");
  CHECK(p.wilma.first_reply_line("toot move 101 wilma * BT#1") ==
        "-ERR The next move of toot 101 is number 2, not 1. Look at the board again.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * BT#2") == "-ERR It is wilma's turn (OTTO).");
  CHECK(read_bytes(p.server.directory / "toot-101.yaml") == file);
  CHECK(p.wilma.take_received() == "* toot 101 ply 1 fred BT\n* toot 101 turn 2\n");
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * propose#2"),
                 "+OK wilma (OTTO) offers a draw."));
  CHECK(p.wilma.first_reply_line("toot move 101 wilma * propose#2") ==
        "+OK You have already done that on toot 101.");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * reject#2"),
                 "+OK fred (TOOT) declines"));
  CHECK(p.fred.first_reply_line("toot move 101 fred * reject#2") ==
        "+OK You have already done that on toot 101.");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * undo#2"), "+OK fred (TOOT) asks"));
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * accept#2"),
                 "+OK wilma (OTTO) accepts. BT is taken back."));
  CHECK(p.wilma.first_reply_line("toot move 101 wilma * accept#2") ==
        "+OK You have already done that on toot 101.");
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * BT#2"),
                 "-ERR The next move of toot 101 is number 1, not 2"));
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * BT#1"), "+OK Move 1: "));
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * CT#2"), "+OK Move 2: "));
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * resign#3"),
                 "+OK fred (TOOT) resigns."));
  CHECK(p.fred.first_reply_line("toot move 101 fred * resign#3") ==
        "+OK You have already done that on toot 101.");
}

TEST_CASE("what was meant for a board as it was before is not done on it as it has become",
          "[session]") {
  ServerPair p;
  const auto fred = [&](const std::string& word) {
    return p.fred.first_reply_line("toot 101 " + word);
  };
  const auto wilma = [&](const std::string& word) {
    return p.wilma.first_reply_line("toot 101 " + word);
  };
  const std::string before = "-ERR toot 101 has changed since then. Look at the board again.";
  CHECK(contains(fred("BT#1-0"), "+OK Move 1: "));
  CHECK(contains(fred("BT#1-0"), "+OK You have already played that"));
  CHECK(contains(wilma("propose#2-1"), "+OK"));
  // The draw was rejected, and then wilma asks for a take-back.
  CHECK(contains(fred("reject#2-2"), "+OK"));
  CHECK(contains(wilma("undo#2-3"), "+OK"));
  CHECK(fred("accept#2-2") == before);
  CHECK(fred("reject#2-3") == before);
  CHECK(contains(fred("accept#2-4"), "+OK fred (TOOT) accepts. BT is taken back."));
  CHECK(contains(fred("accept#2-4"), "+OK You have already done that"));
  // A number for an older state of the board stays refused, even after a take-back.
  CHECK(fred("CT#1-0") == before);
  CHECK(contains(fred("propose#1-5"), "+OK"));
  CHECK(contains(fred("CT#1-5"), "+OK Move 1: "));
  CHECK(wilma("CO#2-99") == before);
  CHECK(contains(wilma("CO#2-x"), "-ERR 'CO#2-x' needs a move number after the #"));
  CHECK(contains(wilma("CO#2-"), "-ERR"));
}

TEST_CASE("a challenge begins a board at once, numbered by game from 101", "[session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty");
  wilma.say("watch");
  CHECK(contains(fred.say("toot challenge -size=7x9 Fred WILMA -tootris : have fun"),
                 "+OK Board 101 of Toot -size=7x9 -tootris: fred and wilma.\n"));
  CHECK(wilma.take_received() ==
        "* toot 101 new : fred challenges you to Toot -size=7x9 -tootris.\n* toot 101 chat fred : "
        "have "
        "fun\n");
  CHECK(contains(fred.first_reply_line("toot challenge wilma fred"),
                 "+OK Board 102 of Toot: wilma and fred."));
  CHECK(wilma.take_received() ==
        "* toot 102 new : fred challenges you to Toot.\n* toot 102 turn 1\n");
  CHECK(contains(fred.first_reply_line("plotto challenge fred wilma betty"),
                 "+OK Board 101 of Plotto: fred, wilma and betty."));
  CHECK(read_bytes(hall.directory / "toot-101.yaml") ==
        "format: 1\ngame: toot\noptions: [-size=7x9, -tootris]\nseats: [fred, wilma]\nstarted: "
        "2026-11-21T12:00:00Z\nchallenger: fred\ntime: {nag: 7, forfeit: 21}\nplies:\n");
  TestClient stranger(hall);
  CHECK(stranger.first_reply_line("toot challenge fred wilma") ==
        "-ERR Sign in first with login userid password.");
  CHECK(betty.first_reply_line("toot challenge fred wilma") ==
        "-ERR You are signed in as betty and must be one of the players.");
  CHECK(fred.first_reply_line("toot challenge") ==
        "-ERR Write: GAME challenge userid1 [userid2 [userid3 [userid4]]] [-options] [-pair] [: "
        "text]");
  CHECK(fred.first_reply_line("toot challenge fred") == "-ERR fred cannot have two seats.");
  CHECK(fred.first_reply_line("toot challenge fred fred") == "-ERR fred cannot have two seats.");
  CHECK(fred.first_reply_line("toot challenge fred wilma betty") ==
        "-ERR Toot is for 2 players, not for 3.");
  CHECK(fred.first_reply_line("toot challenge fred barney") ==
        "-ERR There is no userid barney here yet. Its owner must sign in first.");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma -large"),
                 "-ERR There is no option -large for Toot"));
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma -size=0x0"),
                 "-ERR '-size=0x0' is not valid. "));
  CHECK(fred.first_reply_line("plotto challenge fred wilma betty -tournament").substr(0, 5) ==
        "-ERR ");
}

TEST_CASE("a board is begun when all have played, also where that was taken back since",
          "[session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  wilma.say("toot limit 1");
  fred.say("toot challenge wilma");
  CHECK(contains(fred.say("toot info 101"), "entries: 0, unplayed: [1, 2], turn: 1, "));
  fred.say("toot 101 BT");
  CHECK(contains(fred.say("toot info 101"), "entries: 1, unplayed: [2], turn: 2, "));
  CHECK(contains(fred.first_reply_line("toot challenge wilma"), "+OK Board 102"));
  wilma.say("toot refuse 102");
  wilma.say("toot 101 CO");
  wilma.say("toot undo 101");
  CHECK(contains(fred.first_reply_line("toot accept 101"), "CO is taken back."));
  for (int i = 0; i < 2; ++i) {
    CHECK(contains(fred.say("toot info 101"), "plies: 1, entries: 4, turn: 2, "));
    CHECK(wilma.first_reply_line("set computer yes") ==
          "-ERR You have 1 running game. Finish all games before you change this.");
    CHECK(fred.first_reply_line("toot challenge wilma") ==
          "-ERR wilma takes at most 1 board of Toot and would have 2.");
    hall.restart();
    for (User* user : {&fred, &wilma}) user->log_in_again();
  }
}

TEST_CASE("a limit says how many challenges one takes, and is told", "[session]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  CHECK(wilma.say("toot limit wilma * 1") == "+OK You accept at most 1 game of Toot.\n.\n");
  CHECK(fred.first_reply_line("toot challenge fred wilma -pair") ==
        "-ERR wilma takes at most 1 board of Toot and would have 2.");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 101"));
  fred.say("toot move 101 fred * BT");
  wilma.say("toot move 101 wilma * BT");
  CHECK(fred.first_reply_line("toot challenge fred wilma") ==
        "-ERR wilma takes at most 1 board of Toot and would have 2.");
  CHECK(contains(fred.first_reply_line("chaos challenge fred wilma"), "+OK Board 101"));
  CHECK(wilma.first_reply_line("toot limit wilma * all") ==
        "+OK You accept any number of games of Toot.");
  CHECK(contains(fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
  CHECK(wilma.first_reply_line("toot limit wilma * none") ==
        "+OK You accept no new games of Toot.");
  CHECK(fred.first_reply_line("toot challenge fred wilma") ==
        "-ERR wilma takes no new boards of Toot.");
  CHECK(wilma.first_reply_line("toot limit") == "+OK You accept no new games of Toot.");
  CHECK(wilma.first_reply_line("chaos limit wilma *") ==
        "+OK You accept any number of games of Chaos.");
  CHECK(wilma.first_reply_line("toot challenge wilma fred") ==
        "-ERR wilma takes no new boards of Toot.");
  hall.restart();
  {
    User again(hall, "fred");
    CHECK(again.first_reply_line("toot challenge fred wilma") ==
          "-ERR wilma takes no new boards of Toot.");
    CHECK(again.first_reply_line("toot limit fred * many") ==
          "-ERR 'many' is not a limit. Write a number up to 1000, all or none.");
    CHECK(again.first_reply_line("toot limit fred * -1") ==
          "-ERR This command has no options. Write: GAME limit [userid password] [n|all|none]");
    CHECK(again.first_reply_line("toot limit fred * 1001") ==
          "-ERR '1001' is not a limit. Write a number up to 1000, all or none.");
  }
}

TEST_CASE(
    "boards on which not everybody has played fill nobody's number of boards, and have their own",
    "[session]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) {
    o.boards_a_user = 3;
    o.unplayed_begun = 15;
  };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma"), betty(hall, "betty"), barney(hall, "barney");
  const std::string full =
      " may have at most 10 boards where a player has not moved yet, and would have 11. Play "
      "or refuse those first.";
  for (int i = 0; i < 10; ++i)
    REQUIRE(contains(fred.first_reply_line(i % 2 == 0 ? "toot challenge fred wilma"
                                                      : "plotto challenge wilma fred betty"),
                     "+OK"));
  CHECK(fred.first_reply_line("chaos challenge wilma fred") == "-ERR fred and wilma" + full);
  CHECK(wilma.first_reply_line("chaos challenge wilma fred") == "-ERR wilma and fred" + full);
  // Boards begun by a third player do not count for these two. Unplayed boards fill no limit.
  hall.restart();
  User fred2(hall, "fred"), wilma2(hall, "wilma"), betty2(hall, "betty"), barney2(hall, "barney");
  CHECK(contains(wilma2.first_reply_line("toot challenge wilma betty"), "+OK"));
  CHECK(contains(betty2.first_reply_line("toot challenge betty barney"), "+OK"));
  for (int i = 0; i < 5; ++i)
    REQUIRE(contains(fred2.first_reply_line("chaos challenge fred barney"), "+OK"));
  CHECK(fred2.first_reply_line("chaos challenge fred barney") ==
        "-ERR fred may have started at most 15 boards where a player has not moved yet, and "
        "would have 16. Wait for an answer.");
  CHECK(contains(barney2.first_reply_line("chaos challenge fred barney"), "+OK"));
  // A board makes room when all have played on it, or when it is refused.
  fred2.say("toot move 101 fred * BT");
  CHECK(wilma2.first_reply_line("chaos challenge wilma fred") == "-ERR wilma and fred" + full);
  wilma2.say("toot move 101 wilma * BT");
  CHECK(contains(wilma2.first_reply_line("chaos challenge wilma fred"), "+OK"));
  wilma2.say("toot resign 102 wilma *");
  CHECK(contains(wilma2.first_reply_line("chaos challenge wilma fred"), "+OK"));
  for (const char* board : {"103", "104"}) {
    fred2.say(std::string("toot move ") + board + " fred * BT");
    wilma2.say(std::string("toot move ") + board + " wilma * BT");
  }
  CHECK(wilma2.first_reply_line("chaos challenge wilma barney") ==
        "-ERR wilma may have at most 3 boards and would have 4.");
  CHECK(contains(read_bytes(hall.directory / "toot-101.yaml"),
                 "seats: [fred, wilma]\nstarted: 2026-11-21T12:00:00Z\nchallenger: fred\n"));
}

TEST_CASE("whoever resigns before all have played refuses the challenge, and the board is gone",
          "[session]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  p.wilma.take_received();
  CHECK(p.wilma.say("toot resign 101 wilma * : not now") ==
        "+OK wilma (OTTO) refused the challenge. The board is closed; no rating "
        "changes.\n.\n");
  CHECK(p.fred.take_received() ==
        "* toot 101 gone : wilma refused the challenge.\n* toot 101 chat wilma : not now\n");
  CHECK(p.fred.first_reply_line("toot show 101") == "-ERR There is no board 101 of Toot.");
  CHECK_FALSE(std::filesystem::exists(p.server.directory / "toot-101.yaml"));
  CHECK(std::filesystem::exists(p.server.directory / ".deleted" / "toot-101.yaml"));
  CHECK(p.fred.first_reply_line("toot history") == "+OK No finished games of Toot yet.");
  CHECK(p.fred.first_reply_line("toot standings") == "+OK There are no ratings for Toot yet.");
  CHECK(contains(p.fred.first_reply_line("toot challenge fred wilma"), "+OK Board 102"));
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * BT");
  CHECK(contains(p.wilma.first_reply_line("toot move 102 wilma * resign"),
                 "+OK wilma (OTTO) resigns."));
  CHECK(contains(
      p.fred.take_received(),
      "* toot 102 resign wilma : wilma (OTTO) resigns.\n* toot 102 over : fred (TOOT) wins. "
      "wilma resigned.\n"));
  CHECK(
      contains(p.fred.say("toot history"),
               "   102     2  2026-11-21T12:00:00Z  fred, wilma                           fred won "
               "(unrated: not every seat made 3 moves)\n"));
}

TEST_CASE("a queued move waits for its turn, is seen by nobody else and is marked", "[session]") {
  ServerPair p;
  CHECK(p.wilma.say("toot queue 101 wilma * CO") ==
        "+OK CO is queued on toot 101 for your next turn.\n.\n");
  CHECK(p.fred.take_received() == "");
  CHECK_FALSE(contains(p.fred.say("toot show 101"), "CO"));
  CHECK(p.fred.first_reply_line("toot queue 101 fred *") == "+OK No move is queued on toot 101.");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK Queued on toot 101: CO.");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma * DO#2") ==
        "+OK DO is queued on toot 101 for your next turn. It replaces CO.");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") ==
        "+OK Queued on toot 101: DO, as move 2.");
  const std::string said = p.fred.say("toot move 101 fred * BT");
  CHECK(contains(said, "+OK Move 1: fred (TOOT) drops a T"));
  CHECK(contains(said, "* toot 101 ply 2 wilma DO (Auto)\n* toot 101 turn 3\n"));
  CHECK(p.wilma.take_received() ==
        "* toot 101 ply 1 fred BT\n* toot 101 ply 2 wilma DO (Auto)\n");  // without a turn event
  CHECK(contains(p.wilma.say("toot show 101"), "Played from the queue: 2 DO.\n"));
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK No move is queued on toot 101.");
  CHECK(contains(p.fred.first_reply_line("toot queue 101 fred * CT"), "+OK Move 3: fred (TOOT)"));
  CHECK(p.fred.first_reply_line("toot queue 101 fred * none") ==
        "-ERR No move is queued on toot 101.");
  p.fred.say("toot queue 101 fred * AO");
  CHECK(p.fred.first_reply_line("toot queue 101 fred * none") ==
        "+OK No move is queued on toot 101 any more.");
  CHECK(p.fred.first_reply_line("toot queue 102 fred * AO") ==
        "-ERR There is no board 102 of Toot.");
  CHECK(p.fred.first_reply_line("toot queue 101 fred * AO#4") == "-ERR It is wilma's turn (OTTO).");
  CHECK(contains(p.wilma.first_reply_line("toot show 101"), "+OK"));
}

TEST_CASE("a queued move that cannot be played when its turn comes is dropped with a notice",
          "[session]") {
  ServerPair p;
  nearly_fill_column_a(p.fred, p.wilma);
  p.wilma.say("toot queue 101 wilma * AT");
  p.fred.say("toot move 101 fred * AT");
  const std::string heard = p.wilma.take_received();
  CHECK(contains(heard, "* toot 101 dropped AT : Column A is full"));
  CHECK(contains(heard, "* toot 101 turn 6\n"));
  // A take-back changes the number of the next ply.
  CHECK(contains(p.fred.first_reply_line("toot queue 101 fred * CT#7"), "+OK CT is queued"));
  p.wilma.say("toot move 101 wilma * undo");
  p.fred.take_received();
  CHECK(contains(p.fred.say("toot move 101 fred * accept"),
                 "* toot 101 dropped CT : You queued it for move 7, but this is move 5.\n"));
}

TEST_CASE("a queued move is not played in place of one that was taken back", "[session]") {
  const std::string dropped = " dropped b3 : The board has changed since you queued it.\n";
  TestServer hall;
  User ann(hall, "ann"), bea(hall, "bea"), cid(hall, "cid");
  ann.say("watch");
  for (const std::string third : {"", " cid"}) {
    const std::string id = third.empty() ? "plotto 101" : "plotto 102", number = id.substr(7) + " ";
    ann.say("plotto challenge ann bea" + third);
    for (auto& [user, move] : std::vector<std::pair<User*, std::string>>{
             {&ann, "a1"}, {&bea, "a2"}, {third.empty() ? nullptr : &cid, "a3"}, {&ann, "b4"}})
      if (user) REQUIRE(contains(user->first_reply_line("plotto " + number + move), "+OK Move "));
    REQUIRE(contains(ann.first_reply_line("plotto queue " + number + "b3"), "+OK b3 is queued"));
    REQUIRE(contains(ann.first_reply_line("plotto undo " + number), "+OK"));
    REQUIRE(contains(bea.first_reply_line("plotto accept " + number), "+OK"));
    // The consent of only one of two opponents changes nothing.
    if (!third.empty()) {
      CHECK(ann.first_reply_line("plotto queue " + number) == "+OK Queued on " + id + ": b3.");
      REQUIRE(contains(cid.first_reply_line("plotto accept " + number), "+OK"));
    }
    CHECK(contains(ann.take_received(), "* " + id + dropped + "* " + id + " turn "));
    CHECK(ann.first_reply_line("plotto queue " + number) == "+OK No move is queued on " + id + ".");
    CHECK(contains(ann.first_reply_line("plotto " + number + "b4"), "+OK Move "));
  }
}

TEST_CASE("what can be no move when its turn comes is not queued", "[session]") {
  ServerPair p;
  const auto queue = [&](const std::string& what) {
    return p.wilma.first_reply_line("toot queue 101 wilma * " + what);
  };
  CHECK(queue("zzzzz") ==
        "-ERR zzzzz cannot be legal on your next turn. There is no "
        "column Z. The columns are A to F.");
  CHECK(queue("AX") ==
        "-ERR AX cannot be legal on your next turn. You cannot drop "
        "'X'. Drop T or O.");
  CHECK(queue("AT#60000") == "-ERR Your next move on toot 101 is number 2, not 60000.");
  CHECK(queue("AT#3") == "-ERR Your next move on toot 101 is number 2, not 3.");
  CHECK(queue("AT#4") == "-ERR Your next move on toot 101 is number 2, not 4.");
  CHECK(queue("AT#2") == "+OK AT is queued on toot 101 for your next turn.");
  CHECK(queue("zzzzz").substr(0, 4) == "-ERR");
  CHECK(queue("") == "+OK Queued on toot 101: AT, as move 2.");
  CHECK(queue("none").substr(0, 4) == "+OK ");
  nearly_fill_column_a(p.fred, p.wilma);
  p.fred.say("toot move 101 fred * AT");
  CHECK(contains(p.fred.first_reply_line("toot queue 101 fred * AO"),
                 "-ERR AO cannot be legal on your next turn. Column A is full"));
  // A move that is legal only after one of many plies is queued.
  p.fred.say("chaos challenge fred wilma");
  CHECK(contains(p.wilma.first_reply_line("chaos queue 101 wilma * e4-c2-c4-e4"), "+OK"));
  CHECK(contains(p.wilma.first_reply_line("chaos queue 101 wilma * pass"),
                 "-ERR pass cannot be legal on your next turn"));
  CHECK(contains(p.wilma.first_reply_line("chaos queue 101 wilma * hello"),
                 "-ERR hello cannot be legal on your next turn"));
  // With three players, through the turns of both others.
  User betty(p.server, "betty");
  p.fred.say("plotto challenge fred wilma betty");
  CHECK(betty.first_reply_line("plotto queue 101 betty * b1#2") ==
        "-ERR Your next move on plotto 101 is number 3, not 2.");
  CHECK(contains(betty.first_reply_line("plotto queue 101 betty * b1#3"), "+OK"));
  CHECK(contains(betty.first_reply_line("plotto queue 101 betty * zzzzz"),
                 "-ERR zzzzz cannot be legal on your next turn"));
  CHECK(contains(betty.first_reply_line("plotto queue 101 betty * b7"),
                 "-ERR b7 cannot be legal on your next turn"));
}

TEST_CASE("what is queued after a dropped move stays, however soon it came", "[session]") {
  ServerPair p;
  nearly_fill_column_a(p.fred, p.wilma);
  p.wilma.say("toot queue 101 wilma * AT");
  p.fred.send("toot move 101 fred * AT");
  p.wilma.send("toot move 101 wilma * CO");
  p.wilma.send("toot queue 101 wilma * DT");
  p.server.service().run_due_work();
  CHECK(contains(p.wilma.take_received(), "* toot 101 dropped AT : "));
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK Queued on toot 101: DT.");
  p.server.restart();
  CHECK(User(p.server, "wilma").first_reply_line("toot queue 101 wilma *") ==
        "+OK Queued on toot 101: DT.");
}

TEST_CASE("what is no move is not queued", "[session]") {
  ServerPair p;
  for (const char* word : {"resign", "propose", "Undo"})
    CHECK(contains(p.fred.first_reply_line("toot queue 101 fred * " + std::string(word)),
                   "-ERR Only moves can be queued. To " + lower(word) +
                       " now write toot move 101 fred "
                       "password " +
                       lower(word) + "."));
  CHECK(contains(p.wilma.first_reply_line("toot queue 101 wilma * resign"),
                 "-ERR Only moves can be queued"));
  CHECK(contains(p.fred.say("toot info 101"), "entries: 0, unplayed: [1, 2], turn: 1"));
}

TEST_CASE("on a board without room for a queued move its owner is told", "[session]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.entries_a_board = 3; };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  wilma.say("watch");
  fred.say("toot challenge fred wilma");
  fred.say("toot move 101 fred * BT");
  wilma.say("toot move 101 wilma * BT");
  wilma.say("toot queue 101 wilma * CO");
  wilma.take_received();
  CHECK(contains(fred.first_reply_line("toot move 101 fred * CT"), "+OK Move 3"));
  CHECK(contains(wilma.take_received(),
                 "* toot 101 dropped CO : toot 101 has had 3 moves, the limit. Resign or "
                 "agree on a draw. No clock runs.\n* toot 101 turn 4\n"));
  CHECK(wilma.first_reply_line("toot queue 101 wilma *") == "+OK No move is queued on toot 101.");
}

TEST_CASE("of three whoever's turn a resignation makes it is told so, even while an offer is open",
          "[session]") {
  TestServer hall;
  User ann(hall, "ann"), bea(hall, "bea"), cid(hall, "cid"), dan(hall, "dan");
  for (User* u : {&ann, &bea, &cid, &dan}) u->say("watch");
  ann.say("plotto challenge ann bea cid dan");
  for (auto& [user, move] : std::vector<std::pair<User*, std::string>>{{&ann, "ann * a1"},
                                                                       {&bea, "bea * a2"},
                                                                       {&cid, "cid * a3"},
                                                                       {&dan, "dan * a4"},
                                                                       {&ann, "ann * b1"}})
    REQUIRE(contains(user->first_reply_line("plotto move 101 " + move), "+OK"));
  REQUIRE(contains(ann.first_reply_line("plotto move 101 ann * propose"), "+OK"));
  cid.take_received();
  REQUIRE(contains(bea.first_reply_line("plotto resign 101 bea *"), "+OK bea"));
  CHECK(cid.take_received() == "* plotto 101 resign bea : bea (2) resigns.\n* plotto 101 turn 6\n");
  // The consent of one opponent and a refusal do not change the turn.
  REQUIRE(contains(dan.first_reply_line("plotto move 101 dan * accept"), "+OK dan"));
  CHECK(cid.take_received() ==
        "* plotto 101 accept dan : dan (4) accepts the draw. Type accept or reject.\n");
  REQUIRE(contains(cid.first_reply_line("plotto move 101 cid * reject"), "+OK cid"));
  CHECK(cid.take_received().empty());
}

TEST_CASE("who has resigned from a board that goes on has nothing queued there, and is free",
          "[session]") {
  TestServer hall;
  User ann(hall, "ann"), bob(hall, "bob"), cid(hall, "cid");
  ann.say("plotto challenge ann bob cid");
  for (auto& [user, move] :
       std::vector<std::pair<User*, std::string>>{{&ann, "a1"}, {&bob, "a2"}, {&cid, "a3"}})
    REQUIRE(contains(user->first_reply_line("plotto 101 " + move), "+OK"));
  CHECK_FALSE(contains(ann.say("plotto info 101"), "resigned"));
  REQUIRE(contains(bob.first_reply_line("plotto queue 101 d2"), "+OK d2 is queued"));
  bob.say("plotto limit 1");
  CHECK(
      contains(ann.first_reply_line("plotto challenge ann bob"), "-ERR bob takes at most 1 board"));
  CHECK(contains(bob.first_reply_line("set computer yes"), "-ERR You have 1 running game"));
  REQUIRE(bob.first_reply_line("plotto resign 101") == "+OK bob (2) resigns.");
  CHECK(bob.first_reply_line("plotto queue 101") == "+OK No move is queued on plotto 101.");
  hall.restart();
  for (User* user : {&ann, &bob}) user->log_in_again();
  CHECK(contains(ann.say("plotto info 101"), "entries: 4, resigned: [2], turn: 1, "));
  CHECK(bob.first_reply_line("set computer yes") == "+OK bob is marked as a computer.");
  CHECK(contains(ann.first_reply_line("plotto challenge ann bob"), "+OK Board 102"));
}

TEST_CASE("what is agreed to when the last who had not done so leaves is told, and he has lost",
          "[session]") {
  TestServer hall;
  User ann(hall, "ann"), bob(hall, "bob"), cid(hall, "cid");
  for (User* user : {&ann, &bob, &cid}) user->say("watch");
  const auto begin = [&](const std::string& board) {
    ann.say("plotto challenge ann bob cid");
    for (auto& [user, move] :
         std::vector<std::pair<User*, std::string>>{{&ann, " a1"}, {&bob, " a2"}, {&cid, " a3"}})
      REQUIRE(contains(user->first_reply_line("plotto " + board + move), "+OK"));
  };
  begin("101");
  cid.say("plotto undo 101");
  ann.say("plotto accept 101");
  CHECK(bob.first_reply_line("plotto resign 101") == "+OK bob (2) resigns. a3 is taken back.");
  CHECK(contains(ann.take_received(),
                 "* plotto 101 resign bob : bob (2) resigns. a3 is taken back.\n"));
  begin("102");
  cid.say("plotto propose 102");
  ann.say("plotto accept 102");
  ann.take_received();
  CHECK(bob.first_reply_line("plotto resign 102") ==
        "+OK bob (2) resigns: ann and cid agreed on a draw.");
  CHECK(contains(ann.take_received(), "* plotto 102 over : ann and cid agreed on a draw.\n"));
  CHECK(contains(ann.say("plotto history"), "a tie of ann and cid (unrated"));
  const auto results = [&](const std::string& who) {
    const std::string all = ann.say("profile " + who);
    return all.substr(all.find("Plotto"), all.find(" tied") - all.find("Plotto"));
  };
  CHECK(contains(results("bob"), "0 won, 1 lost, 0"));
  CHECK(contains(results("cid"), "0 won, 0 lost, 1"));
}

TEST_CASE("whoever has queued a move that was overtaken is told when it is his turn", "[session]") {
  ServerPair p;
  p.wilma.say("toot queue 101 wilma * CO");
  p.do_while_stopped([&] {
    // Another program plays both plies.
    std::ofstream file(p.server.directory / "toot-101.yaml", std::ios::app);
    file << "- {move: BT, at: 2026-11-21T12:00:00Z}\n- {move: DO, at: 2026-11-21T12:00:00Z}\n";
  });
  REQUIRE(contains(p.fred.first_reply_line("toot move 101 fred * AT"), "+OK Move 3"));
  CHECK(p.wilma.take_received() == "* toot 101 ply 3 fred AT\n* toot 101 turn 4\n");
  CHECK(p.wilma.first_reply_line("toot queue 101 wilma *") == "+OK No move is queued on toot 101.");
}

TEST_CASE(
    "a queued move outlives the server, and the notice of one that was dropped waits for its owner",
    "[session]") {
  TestServer hall;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma");
    nearly_fill_column_a(fred, wilma);
    wilma.say("toot queue 101 wilma * AT");
    fred.say("toot challenge fred wilma");
    wilma.say("toot queue 102 wilma * CO");
  }
  hall.restart();
  User fred(hall, "fred");
  CHECK(contains(fred.say("toot move 101 fred * AT"), "It is wilma's turn"));
  CHECK(contains(fred.say("toot move 102 fred * BT"), "It is fred's turn"));
  User wilma(hall, "wilma");
  CHECK(wilma.first_reply_line("login wilma secret") ==
        "+OK Hello, wilma. 1 game needs your move. 3 messages wait for you. Type watch.");
  const std::string heard = wilma.say("watch");
  CHECK(
      contains(heard,
               "+OK You see events from now on.\n.\n* toot 101 new : fred challenges you to Toot. "
               "(2026-11-21T12:00:00Z)\n* toot 102 new : "));
  CHECK(contains(heard, "* toot 101 dropped AT : "));
  CHECK(contains(heard, "(2026-11-21T12:00:00Z)\n"));
  CHECK(wilma.first_reply_line("login wilma secret") ==
        "+OK Hello, wilma. 1 game needs your move.");
}

TEST_CASE("a submitted move is shown first and played when it is confirmed", "[session]") {
  ServerPair p;
  CHECK(p.fred.first_reply_line("toot confirm 101 fred *") ==
        "-ERR You have submitted no move on toot 101. Submit one first.");
  const std::string said = p.fred.say("toot submit 101 fred * BT");
  CHECK(contains(said, "+OK BT would do this. To play it: toot confirm 101.\n"));
  CHECK(contains(said, ". T . . . .\n"));
  CHECK(p.wilma.take_received() == "");
  CHECK_FALSE(contains(p.wilma.say("toot show 101"), "T ."));
  CHECK(p.wilma.first_reply_line("toot confirm 101 wilma *") ==
        "-ERR You have submitted no move on toot 101. Submit one first.");
  CHECK(p.wilma.first_reply_line("toot submit 101 wilma * BT") == "-ERR It is fred's turn (TOOT).");
  CHECK(p.fred.first_reply_line("toot submit 101 fred * BT#1") ==
        "-ERR Leave out the #. A confirmed move is played only on the position that "
        "was shown.");
  CHECK(
      contains(p.fred.first_reply_line("toot submit 101 fred * ZT"), "-ERR There is no column Z"));
  CHECK(contains(p.fred.first_reply_line("toot confirm 101 fred * : there"),
                 "+OK Move 1: fred (TOOT)"));
  CHECK(contains(p.wilma.take_received(), "* toot 101 chat fred : there\n"));
  p.wilma.say("toot submit 101 wilma * CO");
  p.fred.say("toot move 101 fred * propose");
  CHECK(p.wilma.first_reply_line("toot confirm 101 wilma *") ==
        "-ERR toot 101 has changed since then. Look at it and submit again.");
}

TEST_CASE("what was submitted is there still when its confirmation was refused", "[session]") {
  ServerPair p;
  for (int i = 0; i < 30; ++i) p.fred.say("message wilma : hi");
  REQUIRE(contains(p.fred.first_reply_line("toot submit 101 BT"), "+OK BT would do this."));
  CHECK(contains(p.fred.first_reply_line("toot confirm 101 : hi"),
                 "-ERR You are sending too many messages"));
  CHECK(contains(p.fred.first_reply_line("toot confirm 101"), "+OK Move 1"));
}

TEST_CASE("of many submitted moves the oldest is forgotten", "[session]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.unplayed_between_two = 100; };
  hall.restart();
  User fred(hall, "fred"), wilma(hall, "wilma");
  for (int i = 0; i < 21; ++i) fred.say("toot challenge fred wilma");
  const auto submit = [&](int board) {
    REQUIRE(contains(fred.first_reply_line("toot submit " + std::to_string(board) + " fred * BT"),
                     "+OK"));
  };
  // The second submission makes it the younger one.
  for (const int board : {121, 120, 121}) submit(board);
  for (int board = 101; board <= 119; ++board) submit(board);
  CHECK(contains(fred.first_reply_line("toot confirm 120 fred *"),
                 "-ERR You have submitted no move on toot 120"));
  for (int board = 101; board <= 121; ++board)
    if (board != 120)
      CHECK(contains(fred.first_reply_line("toot confirm " + std::to_string(board) + " fred *"),
                     "+OK Move 1"));
}

TEST_CASE("offers are made, answered and told", "[session]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  p.wilma.say("toot move 101 wilma * CT");
  p.fred.take_received();
  CHECK(contains(p.wilma.say("toot move 101 wilma * undo"),
                 "+OK wilma (OTTO) asks to take back CT.\n"));
  CHECK(p.fred.take_received() ==
        "* toot 101 undo wilma : wilma (OTTO) asks to take back CT. Type accept or reject.\n");
  CHECK(contains(p.fred.say("toot show 101"), "wilma (OTTO) asks to take back CT.\n"));
  CHECK(contains(p.fred.first_reply_line("toot move 101 fred * accept"),
                 "+OK fred (TOOT) accepts. CT is taken back."));
  CHECK(contains(
      p.wilma.take_received(),
      "* toot 101 accept fred : fred (TOOT) accepts. CT is taken back.\n* toot 101 turn 2\n"));
  p.wilma.say("toot move 101 wilma * propose");
  CHECK(p.fred.take_received() ==
        "* toot 101 propose wilma : wilma (OTTO) offers a draw. Type accept or reject.\n");
  CHECK(contains(p.wilma.first_reply_line("toot move 101 wilma * accept"),
                 "-ERR Only the other players can answer"));
  CHECK(
      contains(p.fred.first_reply_line("toot move 101 fred * reject"), "+OK fred (TOOT) declines"));
}

TEST_CASE("a whole game of each kind is played through connections, as by one program",
          "[session]") {
  for (const Setup& setup : all_setups()) {
    INFO(setup.name);
    TestServer hall;
    const Words ids{"fred", "wilma", "betty", "barney"};
    std::vector<std::unique_ptr<User>> users;
    std::string challenge = std::string(setup.game->name) + " challenge";
    for (int i = 0; i < setup.seats; ++i) {
      users.push_back(std::make_unique<User>(hall, ids[static_cast<std::size_t>(i)]));
      users.back()->say("watch");
      challenge += " " + ids[static_cast<std::size_t>(i)];
    }
    for (const std::string& option : setup.options.to_words()) challenge += " " + option;
    REQUIRE(contains(users[0]->first_reply_line(challenge), "+OK Board 101 of "));
    std::mt19937 random(7);
    Match match = *Match::start(*setup.game, setup.options,
                                {ids.begin(), ids.begin() + setup.seats}, hall.time);
    match.set_limits(kDefaultLimits);
    while (!match.ending() && match.plies().size() < 60) {
      const auto legal = match.position().legal_plies();
      const Seat seat = *match.to_move();
      const std::string ply = legal[random_below(random, legal.size())];
      User& user = *users[static_cast<std::size_t>(seat)];
      const std::string said =
          user.first_reply_line(std::string(setup.game->name) + " move 101 " +
                                ids[static_cast<std::size_t>(seat)] + " * " + ply);
      REQUIRE(said.substr(0, 9) == "+OK Move ");
      match.add(*match.validate(seat, ply, hall.time));
    }
    if (!match.ending()) {
      const Seat seat = *match.to_move();
      REQUIRE(contains(users[static_cast<std::size_t>(seat)]->first_reply_line(
                           std::string(setup.game->name) + " resign 101 " +
                           ids[static_cast<std::size_t>(seat)] + " *"),
                       "+OK"));
      match.add(*match.validate(seat, "resign", hall.time));
    }
    hall.service().run_due_work();
    CHECK(read_bytes(hall.directory / (std::string(setup.game->name) + "-101.yaml")) ==
          save_text(match, ids[0]));
    if (match.ending())
      CHECK(contains(users[0]->say(std::string(setup.game->name) + " show 101"), match.status()));
  }
}

TEST_CASE("boards played at the same time by many do not mix", "[session]") {
  TestServer hall;
  std::vector<std::unique_ptr<User>> users;
  for (int i = 0; i < 10; ++i)
    users.push_back(std::make_unique<User>(hall, "user" + std::to_string(i)));
  for (int i = 0; i < 10; i += 2)
    REQUIRE(contains(
        users[static_cast<std::size_t>(i)]->first_reply_line(
            "toot challenge -tootris user" + std::to_string(i) + " user" + std::to_string(i + 1)),
        "+OK"));
  for (int ply = 0; ply < 20; ++ply) {
    for (int b = 0; b < 5; ++b) {
      const int user = 2 * b + ply % 2;
      users[static_cast<std::size_t>(user)]->send(
          "toot move " + std::to_string(101 + b) + " user" + std::to_string(user) + " * " +
          std::string(1, static_cast<char>('A' + (ply + b) % 6)) + "T");
    }
    hall.service().run_due_work();
  }
  for (int b = 0; b < 5; ++b)
    CHECK(contains(users[0]->say("toot games all"), std::to_string(101 + b) + "    20  user" +
                                                        std::to_string(2 * b) + ", user" +
                                                        std::to_string(2 * b + 1)));
}

TEST_CASE("boards for programs: a YAML map a line, those that wait for somebody first",
          "[session]") {
  ServerPair p;
  CHECK(contains(p.fred.say("toot challenge -size=7x9 -tootris wilma fred"), "+OK Board 102"));
  User betty(p.server, "betty");
  CHECK(betty.say("toot info 102") ==
        "+OK toot 102.\n{board: toot-102, options: [-size=7x9, -tootris], seats: [wilma, fred], "
        "plies: 0, entries: 0, unplayed: [1, 2], turn: 1, changed: 2026-11-21T12:00:00Z, late: "
        "2026-11-28T12:00:00Z, lost: 2026-12-12T12:00:00Z}\n.\n");
  CHECK(betty.say("boards betty") == "+OK 0 boards of betty.\n.\n");
  betty.say("toot subscribe 101 betty *");
  CHECK(betty.say("boards BETTY") ==
        "+OK 1 board of betty.\n{board: toot-101, seats: [fred, wilma], plies: 0, entries: 0, "
        "unplayed: [1, 2], turn: 1, "
        "changed: 2026-11-21T12:00:00Z, watching: 1, watchers: [betty], late: "
        "2026-11-28T12:00:00Z, lost: "
        "2026-12-12T12:00:00Z}\n.\n");
  p.server.time += std::chrono::seconds(5);
  p.fred.say("toot move 101 fred * BT");
  CHECK(betty.say("boards fred") ==
        "+OK 2 boards of fred.\n{board: toot-101, seats: [fred, wilma], plies: 1, entries: 1, "
        "unplayed: [2], turn: 2, "
        "changed: 2026-11-21T12:00:05Z, watching: 1, watchers: [betty], late: "
        "2026-11-28T12:00:05Z, lost: "
        "2026-12-12T12:00:05Z}\n"
        "{board: toot-102, options: [-size=7x9, -tootris], seats: [wilma, fred], plies: 0, "
        "entries: 0, unplayed: [1, 2], turn: "
        "1, changed: 2026-11-21T12:00:00Z, late: 2026-11-28T12:00:00Z, lost: "
        "2026-12-12T12:00:00Z}\n.\n");
  p.wilma.say("toot move 102 wilma * BT");
  CHECK(contains(betty.say("boards fred"), "+OK 2 boards of fred.\n{board: toot-102"));
  p.wilma.say("toot move 101 wilma * BT");
  p.fred.say("toot resign 101 fred *");
  CHECK(contains(
      betty.say("boards fred"),
      "{board: toot-101, seats: [fred, wilma], plies: 2, entries: 3, winner: 2, changed: "));
  CHECK(betty.first_reply_line("boards nobody") == "-ERR There is no userid nobody.");
  // The server's database has the options, too.
  p.server.restart();
  TestClient later(p.server);
  CHECK(contains(later.say("toot info 102"), "options: [-size=7x9, -tootris]"));
}

TEST_CASE("what runs is listed whole, and what is over in pieces that say how much is left",
          "[session]") {
  TestServer hall;
  const auto write = [&](int from, int to, const std::string& end) {
    for (int n = from; n <= to; ++n)
      std::ofstream(hall.directory / ("toot-" + std::to_string(n) + ".yaml"))
          << "format: 1\ngame: toot\noptions: []\nseats: [fred, wilma]\nstarted: "
             "2026-11-01T12:00:00Z\nplies:\n- {move: BT, at: 2026-11-01T12:00:00Z}\n- {move: CO, "
             "at: 2026-11-01T12:00:00Z}\n"
          << end;
  };
  write(101, 350, "- {move: resign, seat: 1, at: 2026-11-02T12:00:00Z}\n");
  write(351, 470, "");
  hall.restart();
  User fred(hall, "fred");
  const auto ids = [](const std::string& said) {
    std::vector<std::string> out;
    for (std::size_t at = 0; (at = said.find("{board: ", at)) != std::string::npos; ++at)
      out.push_back(said.substr(at + 8, said.find(',', at) - at - 8));
    return out;
  };
  std::set<std::string> all;
  const auto take = [&](const std::string& said, std::size_t n) {
    const auto some = ids(said);
    CHECK(some.size() == n);
    all.insert(some.begin(), some.end());
  };
  const std::string first = fred.say("boards fred");
  CHECK(contains(first, "+OK 120 boards of fred. For 250 more boards type boards fred #120.\n"));
  CHECK_FALSE(contains(first, "older:"));
  take(first, 120);
  fred.say("hello 2");
  CHECK(contains(fred.say("boards fred"), "\n{older: 250}\n.\n"));
  const std::string second = fred.say("boards fred #120");
  CHECK(contains(second, "+OK 100 boards of fred. For 150 more boards type boards fred #220.\n"));
  CHECK(contains(second, "\n{older: 150}\n.\n"));
  take(second, 100);
  take(fred.say("boards fred #220"), 100);
  const std::string last = fred.say("boards fred #320");
  CHECK(contains(last, "+OK 50 boards of fred.\n"));
  take(last, 50);
  CHECK(all.size() == 370);
  CHECK(fred.say("boards fred #9999") == "+OK 0 boards of fred.\n.\n");
  for (const char* line : {"boards fred #x", "boards fred 3", "boards fred #"})
    CHECK(fred.first_reply_line(line) == "-ERR Write: boards userid|all [#number]");
}

TEST_CASE(
    "an offer stands in info and boards, is among what waits, and reaches who is away by mail",
    "[session]") {
  TestServer hall;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma");
    fred.say("toot move 101 fred * BT");
    wilma.say("toot move 101 wilma * CO");
    wilma.say("toot move 101 wilma * undo");
  }
  TestClient anybody(hall);
  const std::string info = anybody.say("toot info 101");
  CHECK(contains(info, "turn: 1, offer: {what: undo, by: 2, waits_for: [1]}, changed:"));
  CHECK(contains(anybody.say("boards wilma"), "offer: {what: undo, by: 2, waits_for: [1]}"));
  CHECK(contains(anybody.say("toot games"), "fred's turn, wilma asks to take a move back"));
  hall.restart();
  TestClient fred(hall), wilma(hall);
  CHECK(fred.say("toot info 101") == info);
  CHECK(contains(fred.say("login fred secret"), "1 game needs your move"));
  CHECK(contains(
      fred.say("watch"),
      "* toot 101 undo wilma : wilma (OTTO) asks to take back CO. Type accept or reject. ("));
  fred.say("toot move 101 fred * accept");
  CHECK_FALSE(contains(fred.say("toot info 101"), "offer:"));
  wilma.say("login wilma secret");
  const std::string mail = wilma.say("watch");
  CHECK(contains(mail, "* toot 101 accept fred : fred (TOOT) accepts. CO is taken back. ("));
  CHECK_FALSE(contains(mail, "asks"));
}

TEST_CASE("words of older servers are understood, or answered with what to write", "[session]") {
  ServerPair p;
  CHECK(p.fred.first_reply_line("add betty secret") == "+OK Welcome, betty.");
  CHECK(p.fred.first_reply_line("delete betty secret") == "+OK Good-bye, betty.");
  CHECK(p.fred.first_reply_line("toot help") == "+OK Help on toot.");
  CHECK(contains(p.fred.say("help commands"), "\nlist [game...]\n"));
  CHECK(contains(p.fred.say("help tutorial"),
                 "\n    signup fred top.secret            create an account\n"));
  CHECK(p.fred.first_reply_line("toot chall fred wilma") ==
        "+OK Board 102 of Toot: fred and wilma.");
  CHECK(p.fred.first_reply_line("toot mvoe 101 fred * BT") ==
        "+OK Move 1: fred (TOOT) drops a T down column B.");
  CHECK(contains(p.fred.first_reply_line("toot undo 101 fred *"), "+OK fred (TOOT) asks to take "));
  CHECK(contains(p.wilma.first_reply_line("TOOT Accept 101 wilma *"), "+OK wilma (OTTO) accepts"));
  CHECK(contains(p.fred.say("toot show 101"),
                 "A B C D E F\n.. . . . . .\n.. . . . . .\n.. . . . . .\n.. . . . . .\n"));
  CHECK(contains(p.fred.first_reply_line("toot propose 101 fred * : friends?"),
                 "+OK fred (TOOT) offers a draw"));
  CHECK(contains(p.wilma.first_reply_line("toot reject 101 wilma *"), "+OK wilma (OTTO) "));
  // The old server's `reject` with a number of boards is `limit` here.
  CHECK(p.wilma.first_reply_line("toot reject wilma *") ==
        "-ERR Write: GAME reject board [userid password] [: text]");
  CHECK(p.wilma.first_reply_line("toot limit") == "+OK You accept any number of games of Toot.");
  CHECK(p.fred.first_reply_line("toot undo 101 fred") ==
        "-ERR Write: GAME undo board [userid password] [: text]");
  CHECK(p.fred.first_reply_line("soccolot showas wilma 101") ==
        "-ERR There is no board 101 of Soccolot.");
}

TEST_CASE("a move may be written in several words and otherwise loosely", "[session]") {
  ServerPair p;
  CHECK(p.fred.first_reply_line("toot move 101 fred * b t") ==
        "+OK Move 1: fred (TOOT) drops a T down column B.");
  CHECK(p.fred.first_reply_line("toot move 101 fred * T - B#1") ==
        "+OK You have already played that, as move 1 of toot 101.");
  CHECK(p.wilma.first_reply_line("toot submit 101 wilma * c,o") ==
        "+OK CO would do this. To play it: toot confirm 101.");
  CHECK(p.fred.first_reply_line("toot queue 101 fred * d t") ==
        "+OK d t is queued on toot 101 for your next turn.");
  CHECK(p.wilma.first_reply_line("toot confirm 101 wilma *") ==
        "+OK Move 2: wilma (OTTO) drops an O down column C.");
  CHECK(contains(read_bytes(p.server.directory / "toot-101.yaml"), "- {move: DT,"));
  CHECK(p.fred.first_reply_line("toot preview 101 e o F-T") ==
        "+OK The board after 5 moves. Nothing was saved.");
  CHECK(p.fred.first_reply_line("toot preview 101 x BO") ==
        "-ERR 'x' is not legal. There is no column X. The columns are A to F.");
  CHECK(p.fred.first_reply_line("flooprail preview new d3 e3 f4xe4") ==
        "+OK The board after 2 moves. Nothing was saved.");
}

TEST_CASE("between two moves of a seat it offers a draw once, and asks to take back once",
          "[session]") {
  ServerPair p;
  const auto fred = [&](const std::string& what) {
    return p.fred.first_reply_line("toot move 101 fred * " + what);
  };
  const auto wilma = [&](const std::string& what) {
    return p.wilma.first_reply_line("toot move 101 wilma * " + what);
  };
  CHECK(contains(fred("propose"), "+OK"));
  CHECK(contains(wilma("reject"), "+OK"));
  CHECK(fred("propose") ==
        "-ERR fred (TOOT) has already offered a draw. Play a move before "
        "you ask again.");
  CHECK(contains(wilma("propose"), "+OK"));
  CHECK(contains(fred("reject"), "+OK"));
  CHECK(contains(fred("BT"), "+OK Move 1"));
  CHECK(contains(fred("propose"), "+OK"));
  CHECK(contains(wilma("reject"), "+OK"));
  CHECK(contains(fred("undo"), "+OK"));
  CHECK(contains(wilma("reject"), "+OK"));
  CHECK(fred("undo") ==
        "-ERR fred (TOOT) has already asked to take back. "
        "Play a move before you ask again.");
  CHECK(contains(wilma("CO"), "+OK Move 2"));
  CHECK(contains(fred("DT"), "+OK Move 3"));
  CHECK(contains(fred("undo"), "+OK"));
  CHECK(contains(wilma("accept"), "+OK"));
  // That request is settled, so the next one is allowed.
  CHECK(contains(wilma("undo"), "+OK"));
}

TEST_CASE("of three one's consent alone lets nobody offer or ask a second time", "[session]") {
  TestServer hall;
  User ann(hall, "ann"), bea(hall, "bea"), cid(hall, "cid");
  ann.say("plotto challenge ann bea cid");
  REQUIRE(contains(ann.first_reply_line("plotto 101 a1"), "+OK Move 1"));
  for (const auto& [word, said] : std::map<std::string, std::string>{
           {"propose", "offered a draw"}, {"undo", "asked to take back"}}) {
    REQUIRE(contains(ann.first_reply_line("plotto " + word + " 101"), "+OK"));
    REQUIRE(contains(bea.first_reply_line("plotto accept 101"), "+OK"));
    REQUIRE(contains(cid.first_reply_line("plotto reject 101"), "+OK"));
    CHECK(ann.first_reply_line("plotto " + word + " 101") ==
          "-ERR ann (1) has already " + said + ". Play a move before you ask again.");
  }
}
