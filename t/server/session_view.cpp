// SPDX-License-Identifier: MIT
// Commands that only show: help, lists, boards, previews, saves.
#include <clocale>
#include <fstream>

#include "save/save.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("help tells every command, every game and nothing that is not there", "[session][view]") {
  TestServer hall;
  TestClient t(hall), owner(hall, PeerInfo{"uid 7", nullptr, 0, true});
  const std::string all = owner.say("help");
  for (const CommandRow& row : command_rows()) {
    INFO(command_syntax(row));
    CHECK(
        contains(all, "\n" + command_syntax(row) + "\n    " + std::string(row.description) + "\n"));
    CHECK(contains(owner.say("help " + std::string(row.verb())), command_syntax(row)));
  }
  for (const GameType& game : all_games()) {
    const std::string help = t.say("help " + std::string(game.name));
    CHECK(contains(help, std::string(game.move_syntax)));
    CHECK(contains(help, "\nObject\n"));
  }
  for (const auto& [game, line] : std::map<std::string, std::string>{
           {"chaos", "chaos challenge userid1 userid2"},
           {"toot", "toot challenge userid1 userid2 [-size=WxH] [-tootris]"},
           {"flooprail", "flooprail challenge userid1 userid2 [-reverse|-misere|-losing]"},
           {"plotto", "plotto challenge userid1 userid2 [userid3 [userid4]] [-tournament]"}})
    CHECK(contains(t.say("help " + game), "\n    " + line + "\n"));
  CHECK(contains(t.say("help toot change password chaos"),
                 "change password [userid] password new-password"));
  CHECK(contains(t.first_reply_line("help dance"),
                 "-ERR There is no help on dance. Type help for the list."));
  CHECK(t.first_reply_line("help chaso") == "-ERR There is no help on chaso. Did you mean chaos?");
  for (const auto& [subject, told] : std::map<std::string, std::string>{
           {"rules", "help and the name of a game"},
           {"draw", "\nGAME propose board [userid password] [: text]\n"},
           {"undo", "\nGAME undo board [userid password] [: text]\n"},
           {"time", "--forfeittime"},
           {"nagtime", "After --nagtime"},
           {"computer", "\nset computer [userid password] [yes|no]\n"},
           {"password", "\nchange password [userid] password new-password\n"},
           {"Set notices", "\nset notices "}}) {
    INFO(subject);
    CHECK(contains(t.say("help " + subject), told));
    CHECK(contains(t.say("help " + subject + " toot"), "Object"));
  }
}

TEST_CASE("list shows who is here and who plays", "[session][view]") {
  TestServer hall;
  TestClient t(hall);
  CHECK(t.first_reply_line("list") == "+OK There are no accounts yet.");
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    User betty(hall, "betty");
    fred.say("toot challenge fred wilma");
    fred.say("chaos challenge fred wilma");
    CHECK(t.say("list") ==
          "+OK 3 userids: running games, signed in or not.\nbetty                0  signed "
          "in\nfred                 2  signed in\nwilma                2  signed in\n.\n");
  }
  CHECK(t.say("list Toot") ==
        "+OK 2 userids: running games, signed in or not.\nfred                 1\nwilma            "
        "    1\n.\n");
  CHECK(t.first_reply_line("list plotto") == "+OK Nobody plays that now.");
  CHECK(contains(t.first_reply_line("list halma"), "-ERR There is no game halma. Choose toot, "));
}

TEST_CASE("games lists boards by player and by how they stand", "[session][view]") {
  ServerPair p;
  User betty(p.server, "betty");
  p.fred.say("toot challenge wilma fred");
  p.fred.say("toot challenge betty fred");
  p.fred.say("toot move 101 fred * BT");
  betty.say("toot move 103 betty * BT");
  p.fred.say("toot move 103 fred * BT");
  betty.say("toot resign 103 betty *");
  TestClient t(p.server);
  const std::string one = "   101     1  fred, wilma                           wilma's turn\n",
                    two = "   102     0  wilma, fred                           wilma's turn\n",
                    three = "   103     2  betty, fred                           fred won\n";
  const auto boards = [&](int n) {
    return "+OK " + std::string(n == 1 ? "1 board" : std::to_string(n) + " boards") +
           " of Toot: number, moves, players, turn or result.\n";
  };
  CHECK(t.say("toot games") == boards(2) + one + two + ".\n");
  CHECK(t.say("toot games all") == boards(3) + one + two + three + ".\n");
  CHECK(t.say("toot games INACTIVE") == boards(1) + three + ".\n");
  CHECK(t.say("toot games fred next") == "+OK No boards of Toot.\n.\n");
  CHECK(t.say("toot games wilma next") == boards(2) + one + two + ".\n");
  CHECK(t.say("toot games betty all") == boards(1) + three + ".\n");
  CHECK(t.say("toot games betty fred active") == boards(2) + one + two + ".\n");
  CHECK(t.first_reply_line("toot games nobody") == "-ERR There is no userid nobody.");
  p.fred.say("chaos challenge wilma fred");
  CHECK(t.say("all show wilma next") ==
        "+OK 3 boards of wilma: game, number, moves, players, turn or result.\ntoot      " + one +
            "toot      " + two +
            "chaos        101     0  wilma, fred                           wilma's turn\n.\n");
  CHECK(t.first_reply_line("all show betty") == "+OK No boards of betty.");
  CHECK(contains(t.first_reply_line("all show betty all"), "+OK 1 board of betty: game, number"));
  CHECK(t.first_reply_line("all show") == "-ERR Write: all show userid [all|active|inactive|next]");
  CHECK(t.first_reply_line("all show nobody") == "-ERR There is no userid nobody.");
}

TEST_CASE("so many userids or subjects are looked for at once, and each once", "[session][view]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  p.wilma.say("toot move 101 wilma * BO");
  for (const char* column : {"C", "D"}) {
    p.fred.say(std::string("toot move 101 fred * ") + column + "T");
    p.wilma.say(std::string("toot move 101 wilma * ") + column + "O");
  }
  p.fred.say("toot resign 101 fred *");
  TestClient t(p.server);
  const auto times = [](const std::string& word, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += " " + word;
    return out;
  };
  for (const char* command : {"toot games", "toot ratings", "toot history", "toot show"}) {
    INFO(command);
    CHECK(t.first_reply_line(command + times("wilma", 20)).substr(0, 4) == "+OK ");
    CHECK(t.first_reply_line(command + times("wilma", 21)) ==
          "-ERR You can name at most 20 userids at once.");
  }
  CHECK(t.first_reply_line("help" + times("list", 20)).substr(0, 4) == "+OK ");
  CHECK(t.first_reply_line("help" + times("toot", 21)) ==
        "-ERR You can name at most 20 subjects at once.");
  CHECK(t.say("toot ratings WILMA wilma") ==
        "+OK 1 rating for Toot: rating (? below 20 games), games, won, lost, tied.\n  1784?     1  "
        "   1     0     0  wilma\n.\n");
  CHECK(
      contains(t.say("toot history wilma"),
               "\n   101     6  2026-11-21T12:00:00Z  fred, wilma                           wilma "
               "won\n.\n"));
  User betty(p.server, "betty");
  CHECK(t.first_reply_line("toot history betty") ==
        "+OK No finished games of Toot with these players yet.");
}

TEST_CASE("long tables end with how many lines more there are", "[session][view]") {
  TestServer hall;
  for (int i = 0; i < 203; ++i)
    hall.service().history.add({"toot",
                                1000 + i,
                                *read_iso_time("2026-11-20T12:00:00Z"),
                                {},
                                {"fred", "wilma"},
                                Seat{0},
                                9,
                                i < 4 ? "" : "no"});
  TestClient t(hall);
  const std::string said = t.say("toot history");
  CHECK(contains(said, "+OK 203 finished games of Toot: "));
  CHECK(contains(said, " result.\n  1202     9 "));
  CHECK(contains(said,
                 "\n  1003     9  2026-11-20T12:00:00Z  fred, wilma                           fred "
                 "won\n(3 more: toot history #200)\n.\n"));
}

TEST_CASE("show draws boards now and as they were", "[session][view]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  p.wilma.say("toot move 101 wilma * BO");
  TestClient t(p.server);
  CHECK(t.say("toot show 101") ==
        "+OK 1 board of Toot.\ntoot 101: fred's turn\nToot\nStarted 2026-11-21 12:00\n"
        "A move is late after 7 days, lost after 21 days.\n\n     fred (TOOT)  wilma (OTTO)\n  1  "
        "BT           BO\n\n"
        "A B C D E F\n.. . . . . .\n.. . . . . .\n.. O . . . .\n.. T . . . .\n\nfred has 5 T 6 O "
        "and wilma has 6 T 5 O.\nIt is fred's turn (TOOT).\n"
        "fred (TOOT): 21 days left.\n.\n");
  // A board alone means `show`, also with the name that lists of boards use.
  for (const char* line : {"toot 101", "toot-101", "Toot-101"})
    CHECK(t.say(line) == t.say("toot show 101"));
  CHECK(t.first_reply_line("toot-101 fred * zz") == t.first_reply_line("toot 101 fred * zz"));
  CHECK(t.first_reply_line("toot-9") == "-ERR There is no board 9 of Toot.");
  const std::string old = t.say("toot show 101#1 101#0");
  CHECK(contains(old, "toot 101, after move 1: wilma's turn\n"));
  CHECK(contains(old,
                 "  1  BT\n\nA B C D E F\n.. . . . . .\n.. . . . . .\n.. . . . . .\n.. T . . . "
                 ".\n\nfred has 5 T 6 O and wilma has 6 T 6 O.\nIt is wilma's turn (OTTO).\n"));
  CHECK(contains(old, "toot 101, after move 0: fred's turn\n"));
  CHECK(t.first_reply_line("toot show 101#3") == "-ERR toot 101 has 2 moves. Write #0 to #2.");
  CHECK(t.first_reply_line("toot show 101#") ==
        "-ERR '101#' needs a move number after the #, for example #7.");
  CHECK(t.first_reply_line("toot show 101 wilma") == "-ERR 'wilma' is not a board number.");
  CHECK(t.first_reply_line("toot show 9") == "-ERR There is no board 9 of Toot.");
  CHECK(t.first_reply_line("toot show") ==
        "-ERR Write: GAME show board[#number]... | userid... [all|active|inactive|next]");
  CHECK(t.first_reply_line("toot show all") ==
        "-ERR Write: GAME show board[#number]... | userid... [all|active|inactive|next]");
  CHECK(t.first_reply_line("toot show wilma") == "+OK 1 board of Toot.");
  CHECK(t.first_reply_line("toot show wilma next") == "+OK No boards of Toot.");
  CHECK(t.first_reply_line("toot show nobody") == "-ERR There is no userid nobody.");
  std::string many = "toot show";
  for (int i = 0; i < 51; ++i) many += " 101";
  CHECK(t.first_reply_line(many) == "-ERR You can show at most 50 boards at once.");
}

TEST_CASE("moves taken back are not shown, and what stood before them is", "[session][view]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  p.wilma.say("toot move 101 wilma * CO");
  p.wilma.say("toot move 101 wilma * undo");
  p.fred.say("toot move 101 fred * accept");
  p.wilma.say("toot move 101 wilma * DO");
  CHECK_FALSE(contains(p.fred.say("toot show 101"), "CO"));
  CHECK(contains(p.fred.say("toot show 101#1"), "It is wilma's turn"));
  CHECK(contains(p.fred.say("toot show 101#2"), "  1  BT           DO\n"));
}

TEST_CASE("everybody sees the field of his choice", "[session][view]") {
  TestServer hall;
  User fred(hall, "fred"), wilma(hall, "wilma");
  const GameType* game = nullptr;
  for (const GameType& g : all_games())
    if (!g.drawing_styles.empty()) game = &g;
  REQUIRE(game != nullptr);
  const std::string name(game->name);
  fred.say(name + " challenge fred wilma");
  const std::string a = fred.say(name + " show 101");
  CHECK(fred.first_reply_line(name + " set fred * B") ==
        "+OK You see field b of " + std::string(game->title) + " from now on.");
  CHECK(fred.say(name + " show 101") != a);
  CHECK(wilma.say(name + " show 101") == a);
  CHECK(fred.first_reply_line(name + " set fred *") == "+OK You see field b. Fields: a, b and c.");
  CHECK(fred.first_reply_line(name + " set fred * d") ==
        "-ERR There is no field d. Fields: a, b and c.");
  CHECK(fred.first_reply_line("toot set fred * b") == "-ERR Toot has only one drawing.");
}

TEST_CASE("a preview shows what would be and keeps nothing", "[session][view]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  TestClient t(p.server);
  CHECK(contains(t.say("toot preview 101 CO DO"),
                 "+OK The board after 3 moves. Nothing was saved.\nA B C D E F\n.. . . . . .\n.. . "
                 ". . . .\n.. . . . . .\n.. T O O . .\n\nfred has 5 T 5 O and wilma has 6 T 5 "
                 "O.\nIt is wilma's turn"));
  CHECK(
      contains(t.say("toot preview 101#0 AO"), "+OK The board after 1 move. Nothing was saved.\n"));
  CHECK(contains(t.say("toot preview new -size=3x3 AO"),
                 "+OK The board after 1 move. Nothing was saved.\nA B C\n"));
  CHECK(contains(t.say("plotto preview new 3 a1 a2 b3"),
                 "+OK The board after 3 moves. Nothing was saved.\n"));
  CHECK(contains(t.first_reply_line("plotto preview new 7 a1"),
                 "-ERR Plotto is for 2 to 4 players, not for 7."));
  CHECK(contains(t.first_reply_line("toot preview new 2 resign AT"),
                 "-ERR 'AT' is not legal. The game is over"));
  CHECK(contains(t.first_reply_line("toot preview 101 ZZ"), "-ERR 'ZZ' is not legal. "));
  CHECK(t.first_reply_line("toot preview 101#4 AT") == "-ERR toot 101 has 1 move. Write #0 to #1.");
  CHECK(t.first_reply_line("toot preview 101 -size=3x3 AT") ==
        "-ERR '-size=3x3' is only for a new board. Write: GAME preview board[#number] [move...] | "
        "new [seats] [-options] [move...]");
  CHECK(t.first_reply_line("toot preview 105 AT") == "-ERR There is no board 105 of Toot.");
  std::string many = "toot preview new";
  for (int i = 0; i < 101; ++i) many += " AT";
  CHECK(t.first_reply_line(many) == "-ERR You can try at most 100 moves at once.");
  CHECK(contains(t.say("toot show 101"), "It is wilma's turn"));
}

TEST_CASE("a save is handed out in no other letters than its own, whatever the server's locale",
          "[session][view]") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  REQUIRE(std::setlocale(LC_ALL, "C"));
  TestServer hall;
  const std::string text =
      "format: 1\ngame: toot\nseats: [Jos\u00E9, wilma]\nplies:\n- {move: BT}\n- {note: "
      "\"Gr\u00FC\u00DFe\", ply: 1}\n";
  std::filesystem::create_directories(hall.directory);
  hall.stop();
  std::ofstream(hall.directory / "toot-101.yaml") << text;
  hall.start();
  const std::string said = TestClient(hall).say("toot save 101");
  std::setlocale(LC_ALL, before.c_str());
  CHECK(contains(said, "+OK toot-101.yaml"));
  CHECK(contains(said, text));
}

TEST_CASE("save hands out the very bytes of the file", "[session][view]") {
  ServerPair p;
  p.fred.say("toot move 101 fred * BT");
  TestClient t(p.server);
  const std::string bytes = read_bytes(p.server.directory / "toot-101.yaml");
  CHECK(t.say("toot save 101") ==
        "+OK toot-101.yaml, " + std::to_string(bytes.size()) + " bytes.\n" + bytes + ".\n");
  CHECK(t.first_reply_line("toot save 102") == "-ERR There is no board 102 of Toot.");
  CHECK(t.first_reply_line("toot save 101#1") == "-ERR '101#1' is not a board number.");
  p.do_while_stopped([&] {
    create_file(p.server.directory / "toot-120.yaml",
                "format: 1 # \xE2\x80\xAE\ngame: toot\nseats: [fred, wilma]\nplies:\n");
  });
  CHECK(p.fred.first_reply_line("toot save 120") ==
        "-ERR The save of toot 120 has characters that cannot be sent as text.");
}

TEST_CASE("a line of text that begins with a dot gets another", "[session][view]") {
  ServerPair p;
  p.do_while_stopped([&] {
    create_file(p.server.directory / "toot-120.yaml",
                "format: 1\ngame: toot\nseats: [.fred, wilma]\nplies:\n...\n");
  });
  TestClient t(p.server);
  CHECK(contains(t.say("toot save 120"), "\nplies:\n....\n.\n"));
}

TEST_CASE("what a seat has left stands below every board, and options behind every line of one",
          "[session][view]") {
  ServerPair p;
  const std::string left = "fred has 5 T 6 O and wilma has 6 T 6 O.\n";
  CHECK(contains(p.fred.say("toot move 101 fred * BT"), "\n" + left));
  CHECK(contains(p.fred.say("toot show 101"), "\n" + left));
  CHECK(contains(p.fred.say("toot preview 101 CO"), "\nfred has 5 T 6 O and wilma has 6 T 5 O.\n"));
  CHECK(contains(p.wilma.say("toot submit 101 wilma * CO"),
                 "\nfred has 5 T 6 O and wilma has 6 T 5 O.\n"));
  p.fred.say("toot challenge fred wilma -tootris -size=7x9");
  CHECK_FALSE(contains(p.fred.say("toot show 102"), " has "));
  CHECK(contains(
      p.fred.say("toot games"),
      "   102     0  fred, wilma                           fred's turn  (-size=7x9 -tootris)\n"));
  CHECK(contains(p.fred.say("all show fred"), "fred's turn  (-size=7x9 -tootris)\n"));
  p.fred.say("toot move 102 fred * BT");
  p.wilma.say("toot move 102 wilma * BT");
  p.wilma.say("toot resign 102 wilma *");
  p.fred.take_received();
  const std::string line = p.fred.say("toot history");
  CHECK(contains(line, "fred won (unrated: "));
  CHECK(contains(line, ")  (-size=7x9 -tootris)\n"));
  p.server.restart();
  TestClient t(p.server);
  CHECK(t.say("toot history") == line);
}

TEST_CASE("a board is shown as somebody else sees it, and programs learn one's own field",
          "[session][view]") {
  ServerPair p;
  p.fred.say("soccolot challenge fred wilma");
  const std::string a = p.fred.say("soccolot show 101");
  CHECK_FALSE(contains(p.fred.say("soccolot info 101"), "field"));
  p.wilma.say("soccolot set wilma * c");
  const std::string c = p.wilma.say("soccolot show 101");
  CHECK(a != c);
  CHECK(p.fred.say("soccolot showas wilma 101") == c);
  CHECK(p.fred.first_reply_line("soccolot showas nobody 101") == "-ERR There is no userid nobody.");
  CHECK(p.fred.first_reply_line("soccolot showas wilma 101 fred").starts_with("-ERR "));
  CHECK(contains(p.wilma.say("soccolot info 101"), ", field: c, late: "));
}

TEST_CASE("showas takes the password and the words of the old server", "[session][view]") {
  ServerPair p;
  p.fred.say("soccolot challenge fred wilma");
  p.fred.say("soccolot challenge fred wilma");
  REQUIRE(contains(p.fred.say("soccolot move 102 1rs"), "+OK"));
  REQUIRE(contains(p.wilma.say("soccolot move 102 propose"), "+OK"));
  REQUIRE(contains(p.fred.say("soccolot move 102 accept"), "+OK"));
  p.wilma.say("soccolot set c");
  const std::string one = p.wilma.say("soccolot show 101"),
                    running = p.wilma.say("soccolot show wilma"),
                    all = p.wilma.say("soccolot show wilma all");
  REQUIRE(running != all);
  TestClient stranger(p.server);
  for (const std::string account : {"wilma", "wilma secret"}) {
    INFO(account);
    CHECK(stranger.say("soccolot showas " + account + " 101") == one);
    CHECK(stranger.say("soccolot showas " + account + " 101 101#0") ==
          p.wilma.say("soccolot show 101 101#0"));
    CHECK(stranger.say("soccolot showas " + account) == running);
    CHECK(stranger.say("soccolot showas " + account + " all") == all);
    for (const std::string word : {"Active", "inactive", "next"})
      CHECK(stranger.say("soccolot showas " + account + " " + word) ==
            p.wilma.say("soccolot show wilma " + word));
  }
  CHECK(p.wilma.say("soccolot showas wilma * all") == all);
  CHECK(p.fred.first_reply_line("soccolot showas wilma * all")
            .starts_with("-ERR You are not signed in as wilma."));
  CHECK(stranger.first_reply_line("soccolot showas wilma secret all 101").starts_with("-ERR "));
  CHECK(stranger.first_reply_line("soccolot showas wilma secret fred") ==
        "-ERR Write: GAME showas userid [password] [board[#number]...|all|active|inactive|next]");
  CHECK(stranger.first_reply_line("soccolot showas").starts_with("-ERR Write: "));
  CHECK(stranger.first_reply_line("soccolot showas nobody secret")
            .starts_with("-ERR There is no userid"));
  CHECK(stranger.first_reply_line("soccolot showas wilma wrong 101") ==
        "-ERR That is not the password of wilma.");
}

TEST_CASE("of a board whose save knows no moments none are told", "[session][view]") {
  TestServer hall;
  std::ofstream(hall.directory / "toot-101.yaml")
      << "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n- {move: BT}\n";
  hall.restart();
  User fred(hall, "fred");
  CHECK(fred.say("toot info 101") ==
        "+OK toot 101.\n{board: toot-101, seats: [fred, wilma], plies: 1, entries: 1, unplayed: "
        "[2], turn: 2}\n.\n");
  CHECK_FALSE(contains(fred.say("toot show 101"), "1970"));
}
