// SPDX-License-Identifier: MIT
// The lobby with a server, and the people there.
#include "boards/fake_network.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("commands of the server can be sent from the lobby and a board, and are read as text",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type(":toot show 101\n");
  CHECK(m.fred.shows("toot 101: fred's turn"));
  m.fred.press(kEsc);
  m.fred.type(":toot move 101 BT\n");
  m.fred.press(kEsc);
  CHECK(m.fred.shows("queue a move>"));
  CHECK(m.fred.shows("1 BT"));
  m.fred.press(kEsc);
  m.fred.type(":nonsense\n");
  CHECK(m.fred.shows("There is no command nonsense. Type help for the list."));
  m.fred.type(":help\n");
  CHECK(m.fred.shows("The commands."));
  m.fred.press(kEsc);
  m.fred.type(":toot set fred *\n");
  CHECK(m.fred.shows("Toot has only one drawing."));
  m.fred.type(":");
  m.fred.press(kEsc);
  CHECK(m.fred.shows("Enter open"));
}

TEST_CASE("the form and line mode say how much time a board has", "[remote][ui][clocks]") {
  TwoScreenUsers m;
  const auto head = [&](const char* save) { return read_bytes(m.server.directory / save); };
  // The rows for the time limits follow the game, the options, the players and -pair.
  const auto days = [&](const std::vector<const char*>& rows) {
    m.fred.type("s");
    for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
    m.fred.type("wilma");
    m.fred.press({Key::Code::down});
    for (const char* const typed : rows) {
      m.fred.press({Key::Code::down});
      m.fred.type(typed);
    }
  };
  days({});
  CHECK(m.fred.shows("Time: late after 7 days, lost after 21 days."));
  m.fred.press(kEsc);
  m.fred.press(kEsc);
  days({"3", "10", "60"});
  CHECK(m.fred.shows("late after 3 days, lost after 10 days"));
  m.fred.type("\n");
  CHECK(m.fred.shows("TOOT you"));
  CHECK(contains(head("toot-101.yaml"), "time: {nag: 3, forfeit: 10, total: 60}\n"));
  m.fred.press(kEsc);
  days({"soon"});
  const std::string why = "'--nagtime=soon' is not valid.";
  CHECK(m.fred.shows(why));
  m.fred.type("\n");
  CHECK(m.fred.shows(why));
  m.fred.press(control_key('U'));
  m.fred.type("none");
  m.fred.press({Key::Code::down});
  m.fred.type("none");
  CHECK(m.fred.shows("There is no time limit"));
  // The limits apply to both boards of a pair, and stay when the game changes.
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.type(" ");
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.type("\n");
  CHECK(m.fred.shows("Boards 102 and 103"));
  CHECK_FALSE(contains(head("toot-102.yaml"), "time:"));
  CHECK_FALSE(contains(head("toot-103.yaml"), "time:"));
  m.fred.type("l");
  for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
  m.fred.type("2\n");
  CHECK(m.fred.shows("Open challenge 1 by fred: Toot, late after 2 days, lost after"));

  std::istringstream in(
      "new toot --nagtime=x fred\nnew toot fred --nagtime=1 --forfeittime=2 -size=5x4\nquit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  run_line_mode(m.wilma.all_boards, View{}, Settings({}), help, in, out);
  INFO(out.str());
  CHECK(contains(out.str(),
                 "'--nagtime=x' is not valid. Write --nagtime=DAYS, a number from 1 to 3650, or "
                 "--nagtime=none."));
  CHECK(contains(out.str(), "You challenge fred."));
  CHECK(contains(out.str(), "Board toot-104, Toot -size=5x4."));
  CHECK(contains(head("toot-104.yaml"), "time: {nag: 1, forfeit: 2}\n"));
}

TEST_CASE("the lobby shows who is here and what is sought, which a key takes",
          "[remote][ui][finding]") {
  TwoScreenUsers m;
  m.wilma.type("l");
  CHECK(m.wilma.shows("New open challenge"));
  m.wilma.press(kEnter);
  CHECK(m.wilma.shows("Open challenge 1 by wilma: Toot."));
  CHECK(m.wilma.shows("seek-1"));
  m.wilma.type("y");
  CHECK(m.wilma.shows("This is your open challenge; x twice takes it back."));
  m.wilma.type("xx");
  CHECK(m.wilma.shows("Open challenge 1 is taken back."));
  m.wilma.type(":toot seek -size=4x3 -pair\n");
  m.fred.type("r");
  CHECK(m.fred.shows("here: wilma"));
  CHECK(m.fred.shows("open challenge by wilma, on two boards"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("y accepts it and starts the game."));
  m.fred.type("y");
  CHECK(m.fred.shows("TOOT you"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("toot-102"));
  CHECK_FALSE(m.fred.shows("seek-2"));
  CHECK(m.wilma.shows("toot-101"));
  CHECK_FALSE(m.wilma.shows("seek-2"));
  // wilma refuses one of the two boards.
  m.wilma.type("gxx");
  m.fred.take_changes();
  m.fred.type("gg");
  CHECK(m.fred.shows("toot-101"));
  CHECK_FALSE(m.fred.shows("toot-102"));
}

TEST_CASE("an offer is answered in the lobby by one key", "[remote][ui][finding]") {
  TwoScreenUsers m;
  User betty(m.server, "betty");
  betty.say("toot challenge betty wilma");
  betty.say("toot move 101 betty * BT");
  m.wilma.type(":toot move 101 CO\n");
  m.wilma.press(kEsc);
  CHECK(contains(betty.first_reply_line("toot move 101 betty * propose"), "+OK"));
  m.wilma.take_changes();
  m.wilma.type("g");
  CHECK(m.wilma.shows("y accept  x decline"));
  m.wilma.type("x");
  CHECK(m.wilma.shows("x again declines the offer on toot-101"));
  m.wilma.type("x");
  CHECK(m.wilma.shows("You decline the draw."));
  CHECK(contains(betty.say("toot show 101"), "betty's turn"));
  CHECK_FALSE(m.wilma.shows("y accept"));
  betty.say("toot move 101 betty * CT");
  CHECK(contains(betty.first_reply_line("toot move 101 betty * propose"), "+OK"));
  m.wilma.take_changes();
  m.wilma.type("g");
  CHECK(m.wilma.shows("y accept"));
  m.wilma.type("y");
  CHECK(m.wilma.shows("You accept the draw."));
  CHECK(contains(betty.say("toot games betty inactive"), "a tie"));
}

TEST_CASE("boards of others are listed and watched, and players shown with their pages",
          "[remote][ui][finding]") {
  TwoScreenUsers m;
  User betty(m.server, "betty"), barney(m.server, "barney");
  betty.say("toot challenge betty barney");
  CHECK_FALSE(m.fred.shows("toot-101"));
  m.fred.type("e");
  CHECK(m.fred.shows("toot-101"));
  CHECK(m.fred.shows("betty, barney"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("TOOT betty"));
  m.fred.type("watch\n");
  m.fred.press(kEsc);
  const std::string listed = m.fred.screen();
  CHECK(listed.find("toot-101") == listed.rfind("toot-101"));
  m.fred.press(kEnter);
  m.fred.type("unwatch\n");
  m.fred.press(kEsc);
  m.fred.type("e");
  CHECK_FALSE(m.fred.shows("toot-101"));
  m.fred.type("p");
  CHECK(m.fred.shows("Players of Toot"));
  CHECK(m.fred.shows("barney"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("barney, here now"));
  CHECK(m.fred.shows("1 game runs."));
  m.fred.press(kEsc);
  m.fred.type("s");
  CHECK(m.fred.shows("New game"));
  CHECK(m.fred.shows("barney"));
  m.fred.press(kEsc);
  m.fred.press(kEsc);
  // Tab completes the beginning of a userid.
  m.fred.type(":message bet");
  m.fred.press(kTab);
  m.fred.type(" : hi\n");
  CHECK(m.fred.shows("Sent to betty."));
}

TEST_CASE("whoever comes without being known signs in or up, and the password is not seen",
          "[remote][ui]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser nobody(cable, home.path(), "dino", false);
  REQUIRE(nobody.remote.connect().ok());
  Settings settings(home / "settings.yaml");
  App app(nobody.all_boards, settings,
          [](const std::string&) -> Result<std::string> { return Refusal{""}; }, {});
  const auto shows = [&](const std::string& text) {
    const std::string out = canvas_text(app.draw({24, 80}));
    UNSCOPED_INFO(out);
    return out.find(text) != std::string::npos;
  };
  const auto type = [&](std::string_view text) {
    for (const char c : text)
      app.press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  };
  CHECK(shows("Sign in"));
  app.press({Key::Code::down});
  type("\n");
  CHECK(shows("Type your userid first."));
  type("dino\nsecret");
  CHECK(shows("******"));
  CHECK_FALSE(shows("secret"));
  type("\n");
  CHECK(shows("There is no userid dino. Sign up to create it."));
  app.press({Key::Code::home});
  app.press({Key::Code::up});
  app.press({Key::Code::up});
  CHECK(shows("> new here     [ ]"));
  type(" ");
  CHECK(shows("New account"));
  app.press({Key::Code::down});
  app.press({Key::Code::down});
  type("secret\nsekret\n");
  CHECK(shows("The two passwords differ"));
  type("secret\nsecret\n");
  CHECK(shows("dino - 0 games"));
  CHECK(shows("Hello, dino. No game needs your move."));
  type("q");
  CHECK(app.is_done());
}

TEST_CASE("who signs in comes back to where he was, and nobody else does", "[remote][ui]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  const fs::path left = home / "left";
  // People who use the same login one after the other.
  struct Comer : TestUser {
    Comer(FakeNetwork& network, const fs::path& place)
        : TestUser(network, place, "login", false), settings(place / "settings.yaml") {
      REQUIRE(remote.connect().ok());
    }
    void begin(const fs::path& file) {
      app.emplace(
          all_boards, settings,
          [](const std::string&) -> Result<std::string> { return Refusal{""}; },
          std::vector<fs::path>{});
      app->restore_state(file, true);
    }
    bool shows(const std::string& text) {
      const std::string out = canvas_text(app->draw({24, 80}));
      UNSCOPED_INFO(out);
      return contains(out, text);
    }
    void type(std::string_view text) {
      for (const char c : text)
        app->press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
    }
    Settings settings;
    std::optional<App> app;
  };
  Comer fred(cable, home.path()), wilma(cable, home.path());
  REQUIRE(fred.remote.sign_up("fred", "secret").ok());
  REQUIRE(wilma.remote.sign_up("wilma", "secret").ok());
  const auto board = create_challenge(fred.remote, *find_game("toot"), {}, {"fred", "wilma"});
  REQUIRE(board.ok());
  fred.begin(left);
  fred.app->show(*board);
  fred.type("BT");
  std::ofstream(left) << fred.app->saved_state();
  for (const std::string user : {"wilma", "fred"}) {
    Comer next(cable, home.path());
    next.begin(left);
    CHECK(next.shows("Sign in"));
    CHECK(next.app->saved_state().empty());
    next.type(user + "\nsecret\n");
    CHECK(next.shows("This is where you were") == (user == "fred"));
    CHECK(next.shows("you (TOOT)> BT") == (user == "fred"));
    CHECK(fs::exists(left) == (user == "wilma"));
  }
}

TEST_CASE("what was said on a board is there when it is opened, and counted until then",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.press(kEsc);
  m.fred.type("chat one\n");
  m.fred.type("chat two, which is long, so that it is to be read, and is said over and over\n");
  m.fred.type("BT\n");
  // The player's own chat lines are there, too.
  CHECK(m.fred.shows("├ Chat "));
  CHECK(m.fred.shows("fred: one"));
  CHECK(m.fred.shows("fred: two"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-101 (2)"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("Enter open: 2 unread lines"));
  CHECK(contains(m.wilma.screen({12, 40}), "toot-101 (2)"));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("2 new lines. Type talk to read all."));
  CHECK(m.wilma.shows("fred: one"));
  CHECK(m.wilma.shows("fred: two"));
  // If there is no room, only the last new line is shown.
  INFO(m.wilma.screen({12, 40}));
  CHECK(contains(m.wilma.screen({12, 40}), "fred: two"));
  m.wilma.type("talk\n");
  CHECK(m.wilma.shows("2026-11-21 12:00  fred: one"));
  CHECK(contains(m.wilma.screen({12, 40}), "said over and over"));
  m.wilma.press(kEsc);
  m.fred.type("chat three\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("fred: three"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("toot-101"));
  CHECK_FALSE(m.wilma.shows("toot-101 ("));
  // Chat that the player has read is shown again, but is not new.
  m.wilma.type("\n");
  CHECK(m.wilma.shows("fred: three"));
  CHECK_FALSE(m.wilma.shows("new line"));
  CHECK_FALSE(contains(m.wilma.screen({12, 40}), "fred: three"));
  // Chat sent while the connection was lost is read after it is back.
  m.network.is_down = true;
  m.wilma.take_changes();
  m.wilma.take_changes();
  User betty(m.server, "betty");
  betty.say("toot subscribe 101");
  betty.say("toot chat 101 : never");
  TestClient(m.server, "fred").say("toot chat 101 : from afar");
  m.network.is_down = false;
  for (int i = 0; i < 100 && !contains(m.wilma.screen(), "fred: from afar"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    m.wilma.take_changes();
  }
  CHECK(m.wilma.shows("fred: from afar"));
  CHECK(m.server.service().chats.unread_count("wilma", "toot-101") == 0);
  // The watchers' own chat becomes visible to the players when the game is over.
  CHECK_FALSE(m.wilma.shows("never"));
  betty.say("toot chat 101 : afterwards");
  for (const auto& [user, ply] : {std::pair("fred", "BT"), {"wilma", "CO"}, {"fred", "resign"}})
    TestClient(m.server, user).say(std::string("toot move 101 ") + ply);
  m.wilma.take_changes();
  CHECK(m.wilma.shows("betty: never"));
  CHECK(m.wilma.shows("betty: afterwards"));
  CHECK(m.wilma.shows("fred: from afar"));
  CHECK(m.server.service().chats.unread_count("wilma", "toot-101", true) == 0);
}

TEST_CASE("line by line unread lines are told when a board is opened, and read by talk",
          "[remote]") {
  TwoUsers two;
  REQUIRE(two.fred.remote.send_chat(two.id, "one").ok());
  REQUIRE(two.fred.remote.send_chat(two.id, "two").ok());
  const auto says = [&](const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    run_line_mode(
        two.wilma.all_boards, View{}, Settings({}),
        [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true);
    return out.str();
  };
  std::string said = says("open 101\ntalk\nboards\n");
  INFO(said);
  // The turn may be late by now.
  CHECK(contains(said, "1. toot-101: Toot, fred and wilma, fred's turn, "));
  CHECK(contains(said, "0 moves, 2 lines unread."));
  CHECK(contains(said, "This board has 2 unread messages. Type talk"));
  CHECK(contains(said, "2026-11-21 12:00  fred: one\n2026-11-21 12:00  fred: two\n"));
  CHECK(contains(said, "0 moves.\nboards> "));
  // The server's own "delete" would end a userid, so it does not run.
  said = says("delete 1\n:delete 1\nopen 101\n:delete 1\n:quit\n");
  CHECK(contains(said, "delete 1\nGames on a server cannot be deleted; resign ends one."));
  CHECK(contains(said, "boards> :delete 1\nGames on a server cannot be deleted; resign ends one."));
  CHECK(contains(said, "turn> :delete 1\nGames on a server cannot be deleted; resign ends one."));
  CHECK(contains(said, ":quit\nTo leave, type quit.\n"));
  said = says("open 101\n:toot chats 101\n");
  CHECK_FALSE(contains(said, "unread"));
  // The typed command also gives people plain text, not a map.
  CHECK(contains(said,
                 "2 lines on toot 101.\n2026-11-21 12:00  fred: one\n2026-11-21 12:00  fred: two"));
}

TEST_CASE("Tab completes a userid in the words that boards are listed by", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.press(kEsc);
  m.fred.type("/wi");
  m.fred.press(kTab);
  CHECK(m.fred.shows("show only: wilma"));
  m.fred.type("\n");
  CHECK(m.fred.shows("showing only 'wilma'"));
  CHECK(m.fred.shows(" > "));
  CHECK(m.fred.shows("toot-101"));
}

TEST_CASE("below the moves stand whole lines of what was said, the last ones", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.press(kEsc);
  for (const std::string text : {"first", "second", "a third one"})
    m.fred.type("chat " + text + " that goes on and on, over more than a single row of it\n");
  m.wilma.take_changes();
  m.wilma.type("\n");
  CHECK(m.wilma.shows("fred: a third one that goes on"));
  const std::string screen = m.wilma.screen();
  const std::string below = screen.substr(screen.find("├ Chat "));
  INFO(screen);
  const std::size_t row = below.find('\n') + 1;
  CHECK(contains(below.substr(row, below.find('\n', row) - row), " fred: "));
  // A chat line longer than its room shows its beginning.
  m.fred.type("chat begins " + std::string(50, 'x') + " " + std::string(400, 'y') + "\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("fred: begins"));
}

TEST_CASE("the same line by line: signing in, a challenge, queue, chat and what has come",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser wilma(cable, home.path(), "wilma");
  const auto says = [&](TestUser& who, const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    run_line_mode(
        who.all_boards, View{}, Settings({}),
        [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true);
    return out.str();
  };
  TestUser fred(cable, home.path(), "fred", false);
  REQUIRE(fred.remote.connect().ok());
  std::string said =
      says(fred,
           "new\nfred\nsecret\nsecrte\nfred\nsecret\nnew\nfred\nsecret\nsecret\nnew toot\nnew toot "
           "wilma\nCO#7\nBT\nCT\nqueue CT\nchat hi\nundo\nboards\n:toot info 101\ntalk\nhelp\n");
  INFO(said);
  CHECK_FALSE(contains(said, "secret"));
  CHECK(contains(said, "The two passwords differ."));
  CHECK(contains(said, "There is no userid fred"));
  CHECK(contains(said, "Hello, fred. No game needs your move."));
  CHECK(contains(said, "Name an opponent. Type new toot and a userid, or computer:3."));
  CHECK(contains(said, "You drop a T down column B."));
  CHECK(contains(said,
                 "not your turn> CT\nIt is wilma's turn (OTTO). Type queue and the move to queue "
                 "it for your turn."));
  CHECK(contains(said, "CT is queued on toot 101"));
  CHECK(contains(said, "You ask to take back BT. Wait for the answer."));
  CHECK(contains(said,
                 "{board: toot-101, seats: [fred, wilma], plies: 1, entries: 2, unplayed: [2]"));
  CHECK(contains(said, "toot-101  fred: hi"));
  said = says(wilma, "open 101\nreject\nCO\nlegal\ncopy\nboards\nboards\nlist own\n");
  INFO(said);
  CHECK(contains(said, "toot-101: fred challenges you to Toot."));
  CHECK(contains(said, "toot-101: fred: hi"));
  CHECK(contains(said, "fred (TOOT) asks to take back BT. Type accept or reject."));
  CHECK(
      contains(said, "CO: You drop an O down column C. CT: fred (TOOT) drops a T down column C."));
  CHECK(contains(said, "own:toot-101 is a copy of toot-101."));
}

TEST_CASE("a password is what was typed, whichever keys move a cursor in a line", "[remote][ui]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser nobody(cable, home.path(), "dino", false);
  REQUIRE(nobody.remote.connect().ok());
  const auto screen = make_sign_in_form(nobody.all_boards);
  screen->press({Key::Code::up});
  screen->press(character_key(' '));
  screen->press(kTab);
  for (const char c : std::string("dino")) screen->press(character_key(static_cast<char32_t>(c)));
  for (const bool moving : {true, false}) {
    screen->press(kTab);
    for (const char c : std::string("secret")) {
      if (moving)
        for (const Key& key :
             {control_key('A'), Key{Key::Code::home}, Key{Key::Code::left}, Key{Key::Code::left},
              Key{Key::Code::right}, control_key('D'), control_key('K')})
          screen->press(key);
      screen->press(character_key(static_cast<char32_t>(c)));
    }
  }
  screen->press(kEnter);
  CHECK(std::get<BackRequest>(screen->take_request()).message ==
        "Hello, dino. No game needs your move.");
}

TEST_CASE(
    "the field that is kept with a userid is the one a client draws, and Ctrl-T keeps another",
    "[remote][ui]") {
  TwoScreenUsers m;
  const Setup soccolot = make_setup("soccolot");
  REQUIRE(
      create_challenge(m.fred.remote, *soccolot.game, soccolot.options, {"fred", "wilma"}).ok());
  REQUIRE(m.wilma.remote.run_command("soccolot set c").ok());
  m.wilma.take_changes();
  m.wilma.type(":open soccolot-101\n");
  CHECK(m.wilma.shows(".. .. .."));
  const auto field_of = [&](ScreenUser& player) {
    const auto board = player.remote.open("soccolot-101");
    REQUIRE(board.ok());
    return board->remote->field;
  };
  CHECK(field_of(m.wilma) == 'c');
  CHECK(field_of(m.fred) == std::nullopt);
  m.wilma.press(control_key('T'));
  CHECK(field_of(m.wilma) == 'a');
  m.wilma.type(":soccolot set b\n");
  CHECK(m.wilma.shows("+--+--+"));
}

TEST_CASE("nobody's boards are listed while there is no connection", "[remote][ui]") {
  TwoScreenUsers m;
  m.network.is_down = true;
  m.network.break_connections();
  m.fred.take_changes();
  m.fred.type("e");
  CHECK(m.fred.shows("There is no connection to the server."));
  CHECK_FALSE(m.fred.remote.lists_others());
}

TEST_CASE("what a server's boards cannot have done to them is said at once", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.press(kEsc);
  m.fred.type("d");
  CHECK(m.fred.shows("Games on a server cannot be deleted"));
  m.fred.type("m");
  CHECK(m.fred.shows("Games on a server keep their names."));
}

TEST_CASE("a challenge typed as a command opens the new board", "[remote][ui]") {
  TwoScreenUsers m;
  m.fred.type(":toot challenge wilma\n");
  CHECK(m.fred.shows("Toot: you against wilma, toot-101"));
  CHECK(m.fred.shows("Board 101 of Toot: fred and wilma."));
  CHECK(m.fred.shows("you (TOOT)>"));
  m.fred.type(":toot challenge wilma -size=5x4 -pair\n");  // on a board
  CHECK(m.fred.shows("you against wilma, toot-102"));
  CHECK(m.fred.shows("Boards 102 and 103"));
  m.fred.type(":toot show 101\n");
  CHECK(m.fred.shows("toot 101: fred's turn"));
  CHECK_FALSE(m.fred.shows("you (TOOT)>"));
}

TEST_CASE("a challenge says from whom it comes, how to get there and how to decline",
          "[remote][ui]") {
  TwoScreenUsers m;
  User betty(m.server, "betty");
  betty.say("toot challenge betty wilma");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-101: betty challenges you to Toot."));
  m.fred.type(":toot challenge wilma -size=5x4 --nagtime=3\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-102: fred challenges you to Toot -size=5x4, late after 3 days"));
  CHECK(m.wilma.shows("Press n to go there, or type :toot refuse 102 to decline."));
  m.wilma.type("n");
  CHECK(m.wilma.shows("you against fred, toot-102"));
  m.wilma.press(kEsc);
  m.wilma.type(":toot refuse 102\n");
  m.fred.take_changes();
  CHECK(m.fred.shows("toot-102: wilma refused the challenge."));
  // The same on a board.
  m.wilma.type(":open toot-101\n");
  m.fred.type(":plotto challenge fred betty wilma\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("plotto-101: fred challenges you to Plotto with betty."));
  CHECK(m.wilma.shows("Press Ctrl-G to"));
  m.wilma.press(control_key('G'));
  CHECK(m.wilma.shows("plotto-101"));
  CHECK(m.wilma.shows("> 1 fred"));
  // The one who takes an open challenge is named, too.
  betty.say("toot seek -size=7x9");
  m.fred.type(":take 1\n");
  CHECK(contains(betty.say("watch"),
                 "fred accepts the open challenge and plays you at Toot -size=7x9."));
}

TEST_CASE("a rematch says so", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("BT\n");
  m.wilma.take_changes();
  m.wilma.reopen_board();
  m.wilma.type("CO\n");
  m.wilma.press(kEsc);
  m.fred.take_changes();
  m.fred.type(":toot resign 101\n");
  m.fred.press(kEsc);
  m.fred.type("rematch\n");
  CHECK(m.fred.shows("toot-102"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-102: fred challenges you to a rematch"));
}

TEST_CASE("a game on the server gets no mark, and d leaves it alone", "[remote][ui][lobby]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.press(kEsc);
  m.fred.type(":new toot fred computer:1\n");
  m.fred.press(kEsc);
  const auto saves = m.fred.all_boards.local().list().size();
  m.fred.press({Key::Code::home});
  while (!m.fred.shows("> wilma")) m.fred.press({Key::Code::down});
  m.fred.type(" ");
  CHECK(m.fred.shows("cannot be deleted"));
  CHECK_FALSE(m.fred.shows("1 marked"));
  m.fred.type("dd");
  CHECK(m.fred.shows("> wilma"));
  CHECK(m.fred.all_boards.local().list().size() == saves);
}

TEST_CASE("a challenge that was opened is not the next game any more", "[remote][ui][lobby]") {
  TwoScreenUsers m;
  User betty(m.server, "betty"), barney(m.server, "barney");
  barney.say("toot challenge barney wilma");
  barney.say("toot move 101 barney * BT");
  m.wilma.take_changes();
  m.wilma.type("n");
  m.wilma.press(kEsc);
  betty.say("toot challenge betty wilma");
  betty.say("toot move 102 betty * BT");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-102: betty challenges you"));
  const auto selected = [&](const std::string& id) {
    const std::string shown = m.wilma.screen();
    const std::size_t at = shown.find("\n > ");
    INFO(shown);
    REQUIRE(at != std::string::npos);
    return contains(shown.substr(at + 1, shown.find('\n', at + 1) - at), id);
  };
  // A filter that hides the challenge does not lose it.
  m.wilma.type("/barney\n");
  m.wilma.type("n");
  CHECK(m.wilma.shows("you against betty, toot-102"));
  m.wilma.press(control_key('G'));
  CHECK(m.wilma.shows("you against barney, toot-101"));
  m.wilma.press(kEsc);
  // The challenge is opened by Enter and answered; then n goes to the other game.
  betty.say("toot challenge betty wilma");
  m.wilma.take_changes();
  m.wilma.type(":open toot-103\n");
  m.wilma.press(kEsc);
  m.wilma.type("n");
  CHECK_FALSE(selected("toot-103"));
}

TEST_CASE("a new member of a server sees the cards of the games", "[remote][ui][lobby]") {
  TwoScreenUsers m;
  CHECK(m.fred.shows("Learn one of these in five minutes."));
  m.fred.type("2");
  CHECK(m.fred.shows("New game"));
  m.fred.press(kEsc);
  m.fred.type("c");
  CHECK(m.fred.shows("Toot: you against computer 1, own:toot-101"));
  m.fred.press(kEsc);
  CHECK_FALSE(m.fred.shows("Welcome"));
}

TEST_CASE("the form lists the people who are here", "[remote][ui][form]") {
  TwoScreenUsers m;
  m.fred.take_changes();
  m.fred.type("2");
  for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
  CHECK(m.fred.shows("> player2"));
  CHECK(m.fred.shows("here now"));
  m.fred.press({Key::Code::right});
  CHECK(m.fred.shows("< wilma >"));
  CHECK(m.fred.shows("Enter challenges wilma."));
}

TEST_CASE("open challenges and watched boards are groups of their own", "[remote][ui][lobby]") {
  TwoScreenUsers m;
  User betty(m.server, "betty"), barney(m.server, "barney");
  betty.say("toot challenge betty barney");
  betty.say("toot seek -size=7x9");
  m.fred.type(":toot watch 101\n");
  m.fred.take_changes();
  m.fred.type(":toot seek\n");
  m.fred.take_changes();
  CHECK(m.fred.shows("Challenges 2"));
  m.fred.type("e");
  CHECK(m.fred.shows("Watching 1"));
}

TEST_CASE("the board in the lobby follows a move made within the same second",
          "[remote][ui][lobby]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.type("BT\n");
  m.wilma.take_changes();
  m.wilma.screen();  // asks for the board
  m.wilma.take_changes();
  CHECK(m.wilma.shows("It is your turn (OTTO)."));
}

namespace {

// The form of the first visit with a key.
struct KeyVisit {
  KeyVisit(FakeNetwork& cable, const fs::path& home, char key, const std::string& mode)
      : remote(make_setup(cable, key, mode)),
        local(home / "saves", source_root() / "saves", LocalBoards::Scope::directory, kLocalPrefix),
        boards(local, &remote) {
    REQUIRE(remote.connect().ok());
    form = make_sign_in_form(boards);
  }
  static RemoteBoards::Setup make_setup(FakeNetwork& cable, char key, const std::string& mode) {
    RemoteBoards::Setup out{cable.connector(), "the hall", {}};
    out.key = "SHA256:" + std::string(43, key) + " from 192.0.2.1";
    out.signup_mode = mode;
    return out;
  }
  void type(std::string_view text) {
    for (const char c : text)
      form->press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  }
  bool shows(std::string_view text, Size size = kScreenSize) {
    Canvas canvas(size);
    form->draw(canvas);
    return find_text(canvas, text).has_value();
  }
  // True if the form has ended.
  bool is_done() { return std::holds_alternative<QuitRequest>(form->take_request()); }
  RemoteBoards remote;
  LocalBoards local;
  Boards boards;
  std::unique_ptr<Screen> form;
};

}  // namespace

TEST_CASE("a new key takes a name by an invitation, or goes to an account", "[remote][ui][keys]") {
  TemporaryDirectory home;
  TestServer hall;
  User fred(hall, "fred");
  FakeNetwork cable(hall);
  std::ofstream(hall.directory / "motd") << "Welcome to the hall.\n";
  {
    KeyVisit stranger(cable, home.path(), 'a', "open");
    CHECK(stranger.shows("Choose a name. Your SSH key is your password from now on."));
    CHECK(stranger.shows("This key is new here: SHA256:aaaa"));
    CHECK(stranger.shows("Welcome to the hall."));
    for (const Size size : {kSmallestSize, Size{24, 80}, Size{60, 200}})
      CHECK(stranger.shows("> name", size));
    stranger.type("\n");
    CHECK(stranger.shows("Type a name first."));
    stranger.type("my pet\n");
    CHECK(stranger.shows("A userid has 1 to 16"));
    stranger.form->press(control_key('U'));
    stranger.type("fred\n");
    CHECK(stranger.shows("fred is taken."));
    CHECK_FALSE(stranger.is_done());
    // The server closes silent connections; the form connects again.
    cable.break_connections();
    stranger.remote.take_changes();
    stranger.type("dy\n");
    CHECK(stranger.is_done());
  }
  CHECK(hall.service().accounts.find("freddy"));
  {
    KeyVisit friend_of(cable, home.path(), 'b', "open");
    friend_of.form->press({Key::Code::up});
    friend_of.type(" ");
    CHECK(friend_of.shows("keys add "));
    friend_of.type("\n");
    CHECK(friend_of.shows("The code was not typed yet."));
    friend_of.form->press(kTab);
    friend_of.type("fred\nwrong\n");
    CHECK(friend_of.shows("That is not the password of fred."));
    friend_of.form->press(control_key('U'));
    friend_of.type("secret\n");
    CHECK(friend_of.is_done());
  }
  CHECK(hall.service().keys.find_all("fred").size() == 1);
  hall.change_options = [](ServiceOptions& o) { o.signup = Signup::invited; };
  hall.restart();
  {
    TestClient owner(hall, PeerInfo{"uid 0", nullptr, 0, true});
    const std::string code = owner.say("invite").substr(22, 8);
    KeyVisit guest(cable, home.path(), 'c', "invited");
    guest.type("dino\nabcdefgh\n");
    CHECK(guest.shows("The invitation is wrong"));
    guest.form->press(control_key('U'));
    guest.type(code + "\n");
    CHECK(guest.is_done());
  }
  KeyVisit late(cable, home.path(), 'd', "closed");
  CHECK(late.shows("keys add "));
  CHECK(late.shows("> known here"));
}
