// SPDX-License-Identifier: MIT
// Boards of a server, on a screen and in line mode.
#include "boards/fake_network.hpp"
#include "ui/board_session.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Returns the output of line mode when wilma, challenged by fred, types these lines on the board.
std::string challenged_user_output(const std::string& typed) {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  const Setup toot = make_setup("toot");
  REQUIRE(create_challenge(fred.remote, *toot.game, toot.options, {"fred", "wilma"}).ok());
  std::istringstream in("open toot-101\n" + typed + "quit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  run_line_mode(wilma.all_boards, View{}, Settings({}), help, in, out);
  return out.str();
}

}  // namespace

TEST_CASE("who has agreed to an offer is not asked again, while another is", "[remote][ui]") {
  TwoScreenUsers m;
  User betty(m.server, "betty");
  betty.say("plotto challenge betty wilma fred");
  m.wilma.take_changes();
  m.wilma.type("\n");
  betty.say("plotto propose 101 betty *");
  m.wilma.take_changes();
  m.wilma.press({Key::Code::down});
  CHECK(m.wilma.shows("offers a draw. Type accept or reject."));
  m.wilma.type("accept\n");
  m.wilma.press({Key::Code::down});
  CHECK(m.wilma.shows("offers a draw. Wait for the answer."));
}

TEST_CASE("a board of others stands still until one watches it, and says so", "[remote][ui]") {
  TwoScreenUsers m;
  User betty(m.server, "betty");
  betty.say("toot challenge betty fred");
  m.wilma.type("e");
  m.wilma.take_changes();
  m.wilma.type("\n");
  CHECK(m.wilma.shows("Type watch to follow the game."));
  m.wilma.type("watch\n");
  m.wilma.press({Key::Code::down});
  CHECK_FALSE(m.wilma.shows("Type watch"));
  betty.say("toot move 101 betty * BT");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("1 BT"));
}

TEST_CASE("whom the server ends and knows without a password is told, and not asked for one",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred");
  for (const auto& [number, session] : hall.service().connections.all())
    session->disconnect("enough");
  fred.remote.take_changes();
  CHECK(fred.remote.entry_refusal() == "enough");
}

TEST_CASE("the last chat line covers the list of moves", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  for (const char* ply : {"BT", "CO", "BT", "CO", "DT", "DO"}) {
    ScreenUser& player = std::string_view(ply).ends_with('T') ? m.fred : m.wilma;
    player.reopen_board();
    player.type(std::string(ply) + "\n");
  }
  m.wilma.reopen_board();
  m.wilma.type("chat this is a rather long line of chat\n");
  m.fred.reopen_board();
  m.fred.type("b");
  const std::string small = m.fred.screen({12, 40});
  INFO(small);
  CHECK(contains(small, "this is"));
  for (const std::string_view row : split_lines(small))
    if (contains(std::string(row), "this is")) CHECK(row.find("DO") == std::string_view::npos);
}

TEST_CASE("a move that is typed while the game ends does not hide the keys", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("BT\n");
  m.wilma.reopen_board();
  m.wilma.type("CO\n");
  m.wilma.type("b");
  m.fred.reopen_board();
  m.fred.type("resign\n\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("game over>"));
  CHECK_FALSE(m.wilma.shows("game over> b"));
  m.wilma.type("r");
  CHECK(m.wilma.shows("Enter starts a rematch"));
}

TEST_CASE("answers are made by trying, stand beside the board, and are played", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("try\n");
  CHECK(m.wilma.shows("Trying moves. Type answers to queue your replies."));
  m.wilma.type("BT\n");
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("Try an opponent's move and your answer to it"));
  m.wilma.press(control_key('U'));
  m.wilma.type("CO\nanswers\n");
  CHECK(m.wilma.shows("BT:CO is queued on toot 101"));
  CHECK(m.wilma.shows("your answers"));
  CHECK(m.wilma.shows("  BT: CO"));
  // A second line that branches off the first one.
  m.wilma.type("undo\nundo\nAT\nAO\nanswers\n");
  CHECK(m.wilma.shows("BT:CO AT:AO is queued on toot 101"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("  AT: AO"));
  CHECK(m.wilma.shows("Queued on toot 101: BT:CO AT:AO."));
  CHECK_FALSE(m.fred.shows("AT: AO"));
  m.wilma.type("queue BT:ZO\n");
  CHECK(m.wilma.shows("queue a move> queue BT:ZO"));
  m.wilma.press(control_key('U'));
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("BT: CO"));
  m.wilma.press(kEsc);
  m.fred.type("BT\n");
  CHECK(m.fred.shows("CO"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("CO, as queued"));
  CHECK_FALSE(m.wilma.shows("your answers"));
  // At the player's own turn there is nothing to answer.
  m.fred.reopen_board();
  m.fred.type("try\nDT\nAO\nanswers\n");
  CHECK(m.fred.shows("Answers work in games of two"));
}

TEST_CASE("answers are kept to what is played from the board as it stands, and nothing else",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  REQUIRE(m.fred.play("toot-101", "BT").empty());
  REQUIRE(m.wilma.play("toot-101", "ET").empty());
  REQUIRE(m.fred.play("toot-101", "BO").empty());
  m.fred.take_changes();
  m.fred.type("try\nCO\nDT\nanswers\n");
  REQUIRE(m.fred.shows("CO:DT is queued on toot 101"));
  // Takes back one ply more than was tried: fred's BO on the board.
  for (int i = 0; i < 3; ++i) m.fred.press(control_key('X'));
  m.fred.type("CT\nDO\nAT\nanswers\n");
  CHECK(m.fred.shows("Answers work in games of two"));
  m.fred.press(control_key('U'));
  for (int i = 0; i < 3; ++i) m.fred.press(control_key('X'));
  m.fred.type("BO\nDO\nAT\nanswers\n");
  CHECK(m.fred.shows("CO:DT DO:AT is queued on toot 101"));
}

TEST_CASE("no answers are offered where there are more than two", "[remote][ui]") {
  TwoScreenUsers m;
  User betty(m.server, "betty");
  betty.say("plotto challenge fred wilma betty");
  m.fred.take_changes();
  REQUIRE(m.fred.play("plotto-101", "a1").empty());
  m.fred.type("\ntry\n");
  CHECK(m.fred.shows("Trying moves; nothing is saved."));
}

TEST_CASE("answers are kept, told and refused line by line", "[remote]") {
  const std::string out = challenged_user_output(
      "queue BT:CO AT:ZO\nqueue BT:CO AT:AO\nanswers\ntry\nBT\nDO\nanswers\n"
      "boards\nanswers none\nanswers\n");
  INFO(out);
  CHECK(contains(out, "                     ^\n"));  // below the Z
  CHECK(contains(out, "BT:CO AT:AO is queued on toot 101. Each answer is played at once.\n"));
  CHECK(contains(out, "BT: CO\nAT: AO\n"));
  CHECK(contains(out, "BT:DO AT:AO is queued on toot 101"));
  CHECK(contains(out, "No answers are queued. Type try, try some moves, then type answers."));
}

TEST_CASE("two people on one server: a challenge, a game to its end, each at his own keyboard",
          "[remote][ui]") {
  TwoScreenUsers m;
  CHECK(m.fred.shows("fred - 0 games"));
  m.fred.type("s");
  CHECK(m.fred.shows("Type the name of player2: a userid of this server, or computer:3."));
  m.fred.press(kEsc);
  m.start_game();
  CHECK(m.fred.shows("Toot: you against wilma, toot-101"));
  CHECK(m.wilma.shows("Toot: you against fred, toot-101"));
  CHECK(m.fred.shows("you (TOOT)>"));
  CHECK(m.wilma.shows("queue a move>"));
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));

  // At the opponent's turn, the typed text is not played and stays.
  m.wilma.type("CO");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter twice queues CO."));
  m.fred.type("BT\n");
  CHECK(m.fred.shows("You drop a T down column B. It is wilma's turn (OTTO)."));
  m.wilma.take_changes();
  CHECK(m.wilma.app.take_bell());
  CHECK(m.wilma.shows("BT: fred (TOOT) drops a T down column B."));
  CHECK(m.wilma.shows("you (OTTO)> CO"));
  m.wilma.type("\n");
  // The Enter came at the same moment, perhaps for the position before.
  CHECK(m.wilma.shows("Look at the position again"));
  std::this_thread::sleep_for(std::chrono::milliseconds(510));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.take_changes();
  // The second Enter queues the move.
  m.wilma.type("FO\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter again queues FO."));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("FO is queued on toot 101 for your next turn."));
  m.fred.reopen_board();
  m.fred.type("DO\n");
  CHECK(m.fred.shows("you (TOOT)>"));
  m.fred.take_changes();
  m.wilma.take_changes();
  m.fred.reopen_board();
  m.fred.type("ET\n");
  m.wilma.take_changes();
  CHECK(m.fred.shows("You (TOOT) win. "));
  CHECK(m.wilma.shows("fred (TOOT) wins. "));
  CHECK(m.wilma.shows("over>"));
  CHECK(read_bytes(m.server.directory / "toot-101.yaml").find("move: FO") != std::string::npos);
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("fred won"));

  // The rematch is a challenge; the second player begins.
  CHECK(m.fred.shows("Press r for"));
  m.fred.type("r\n");
  CHECK(m.fred.shows("Toot: you against wilma, toot-102"));
  CHECK(m.fred.shows("> TOOT wilma"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("toot-102"));
  CHECK(read_bytes(m.server.directory / "toot-102.yaml").find("seats: [wilma, fred]") !=
        std::string::npos);
}

TEST_CASE("a rematch has the times of the board", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  REQUIRE(fred.remote.run_command("toot challenge fred wilma -size=5x4 --nagtime=3").ok());
  wilma.remote.take_changes();
  CHECK(fred.play("toot-101", "BT") == "");
  CHECK(wilma.play("toot-101", "CO") == "");
  CHECK(fred.play("toot-101", "resign") == "");
  wilma.remote.take_changes();
  BoardSession desk(wilma.all_boards, *wilma.remote.open("toot-101"));
  const auto made = desk.enter("rematch", 2);
  REQUIRE(made.ok());
  CHECK(made->board_to_open == "toot-102");
  const std::string save = read_bytes(hall.directory / "toot-102.yaml");
  INFO(save);
  CHECK(contains(save, "seats: [wilma, fred]"));
  CHECK(contains(save, "options: [-size=5x4]"));
  CHECK(contains(save, "nag: 3,"));
}

TEST_CASE("the boards of everybody come in pieces, and stay listed meanwhile", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) {
    o.unplayed_between_two = o.unplayed_begun = o.challenges_a_minute = 1000;
  };
  hall.restart();
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    for (int i = 0; i < 250; ++i)
      REQUIRE(contains(fred.first_reply_line("toot challenge fred wilma -size=5x4"), "+OK"));
  }
  FakeNetwork cable(hall);
  TestUser betty(cable, home.path(), "betty");
  const auto count = [&] {
    const auto list = betty.remote.list();
    return std::count_if(list.begin(), list.end(), [](const auto& b) { return b.is_of_others; });
  };
  REQUIRE(betty.remote.request_lobby(false, true).ok());
  CHECK(count() == 200);
  for (int i = 0; i < 10 && betty.remote.take_changes(); ++i) betty.remote.list();
  CHECK(count() == 250);
  REQUIRE(betty.remote.request_lobby(false, true).ok());
  CHECK(count() == 250);
  for (int i = 0; i < 10 && betty.remote.take_changes(); ++i) betty.remote.list();
  CHECK(count() == 250);
  REQUIRE(betty.remote.request_lobby(false, false).ok());
  CHECK(count() == 0);
}

TEST_CASE("line by line a Tab is a blank", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  { User betty(hall, "betty"); }
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred");
  std::istringstream in("new\ttoot betty\t\nboards\nopen\t101\n:list\ttoot\n");
  std::ostringstream out;
  run_line_mode(
      fred.all_boards, View{}, Settings({}),
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out);
  INFO(out.str());
  CHECK(contains(out.str(), "You challenge betty. "));
  CHECK(contains(out.str(), "Board toot-101, Toot.\n"));
  CHECK(contains(out.str(), "2 userids: running games"));
}

TEST_CASE("chat, watchers and other boards are told where they belong", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("chat how are you? [fine]\n");
  CHECK(m.fred.shows("fred: how are you? [fine]"));
  m.wilma.app.take_bell();
  m.wilma.take_changes();
  CHECK(m.wilma.app.take_bell());
  CHECK(m.wilma.shows("fred: how are you? [fine]"));
  // The chat stays while the player types.
  m.wilma.type("x");
  CHECK(m.wilma.shows("fred: how are you? [fine]"));
  m.wilma.press(kEsc);
  CHECK(m.fred.app.take_bell() == false);

  ScreenUser betty(m.network, m.home.path(), "betty");
  betty.type(":open toot-101\n");
  CHECK(betty.shows("not watching>"));
  betty.type("BT\n");
  CHECK(betty.shows("You are watching. fred and wilma play here."));
  betty.press(kEsc);
  betty.type("watch\n");
  CHECK(betty.shows("You watch toot 101."));
  m.fred.take_changes();
  CHECK(m.fred.shows("├ Watchers"));
  CHECK(m.fred.shows("│ betty"));
  betty.type("chat a blunder\n");
  CHECK(betty.shows("betty: a blunder"));
  m.fred.take_changes();
  CHECK_FALSE(m.fred.shows("blunder"));
  m.fred.type("BT\n");
  betty.take_changes();
  CHECK(betty.shows("1 BT"));
  betty.type("unwatch\n");
  CHECK(betty.shows("You no longer watch toot 101."));

  // A challenge arrives while the player is at another board.
  const Setup toot = make_setup("toot");
  REQUIRE(create_challenge(betty.remote, *toot.game, toot.options, {"fred", "betty"}).ok());
  m.fred.take_changes();
  CHECK(m.fred.shows("toot-102: betty challenges you to Toot."));
  CHECK(m.fred.shows("1 game waits"));
  m.fred.press(control_key('G'));
  CHECK(m.fred.shows("Toot: you against betty, toot-102"));
  CHECK_FALSE(m.fred.shows("waits"));
  REQUIRE(betty.remote.run_command("message fred : psst \xE2\x80\xAE").ok());
  m.fred.take_changes();
  CHECK(m.fred.shows("betty to you: psst ?"));
  m.fred.type("talk\n");
  CHECK(m.fred.shows("There is no chat on this board yet."));
  m.fred.press(kEsc);
  m.fred.type("w");
  CHECK(m.fred.shows("toot-101  fred: how are you? [fine]"));
  CHECK(m.fred.shows("betty to you: psst ?"));
  CHECK_FALSE(m.fred.shows("blunder"));
}

TEST_CASE(
    "undo on a server is an offer, resigning wants two Enters, and trying moves is nobody's "
    "business",
    "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("BT\n");
  m.fred.type("undo\n");
  CHECK(m.fred.shows("You ask to take back BT. Wait for the answer."));
  m.fred.press({Key::Code::down});
  CHECK(m.fred.shows("You ask to take back BT. Wait for the answer."));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("1 BT"));
  CHECK(
      m.wilma.shows("BT: fred (TOOT) drops a T down column B. fred (TOOT) asks to take back BT."));
  CHECK(m.wilma.shows("accept or reject."));
  m.wilma.press({Key::Code::end});
  CHECK(m.wilma.shows("fred (TOOT) asks to take back BT. Type accept or reject."));
  m.wilma.reopen_board();
  m.wilma.type("reject\n");
  m.fred.take_changes();
  m.fred.press({Key::Code::function, 3});
  CHECK(m.fred.shows("trying moves"));
  m.fred.type("CO\n");
  m.fred.type("DT\n");
  CHECK(m.fred.shows("3 DT"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("queue a move>"));
  CHECK_FALSE(m.fred.shows("DT"));
  m.wilma.type("CO\n");
  m.fred.take_changes();
  m.fred.reopen_board();
  m.fred.type("resign\n");
  CHECK(m.fred.shows("You resign if you press Enter again"));
  m.fred.type("\n");
  CHECK(m.fred.shows("wilma (OTTO) wins. You resigned."));
  m.fred.type("copy\n");
  CHECK(m.fred.shows("own:toot-101"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("own:toot-101"));
  m.fred.type("dd");
  CHECK(m.fred.shows("Deleted own:toot-101"));
  m.fred.type("gdd");
  CHECK(m.fred.shows("Games on a server cannot be deleted"));
}

TEST_CASE("squares of another's turn are not picked", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.press(kTab);
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.press(kTab);
  CHECK(m.fred.shows("Arrows and Tab move, Enter picks"));
}

TEST_CASE("the screen stays when the connection breaks, and goes on when it is back",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("B");
  m.network.is_down = true;
  m.network.break_connections();
  m.fred.take_changes();
  CHECK(m.fred.shows("The connection to the server is lost"));
  CHECK(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("you (TOOT)> B"));
  m.fred.type("T\n");
  CHECK(m.fred.shows("There is no connection to the server. The program tries again."));
  CHECK(m.fred.shows("you (TOOT)> BT"));
  m.server.restart();
  m.network.is_down = false;
  for (int i = 0; i < 20 && !m.fred.remote.connection_problem().empty(); ++i)
    m.fred.take_changes(100);
  CHECK(m.fred.shows("The connection to the server is back."));
  CHECK_FALSE(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("you (TOOT)> BT"));
  m.network.fault = Fault::after_server;
  m.network.stays_down = true;
  m.fred.type("\n");
  CHECK(m.fred.shows("The connection broke before the server answered BT."));
  CHECK(m.fred.shows("you (TOOT)> BT"));
  m.repair_network();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK(m.fred.shows("queue a move>"));
  CHECK_FALSE(m.fred.shows("> BT"));
  CHECK(read_bytes(m.server.directory / "toot-101.yaml").find("BT") ==
        read_bytes(m.server.directory / "toot-101.yaml").rfind("BT"));
}

TEST_CASE("whoever is signed out is asked again above what he does, which stays", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  REQUIRE(contains(TestClient(m.server, "fred").first_reply_line("change password fred * secret"),
                   "+OK"));
  TestUser third(m.network, m.home.path(), "third", false);
  REQUIRE(third.remote.connect().ok());
  REQUIRE(third.remote.sign_in("fred", "secret").ok());
  Settings settings(m.home / "third.yaml");
  App app(third.all_boards, settings,
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
  type("\nBT");
  CHECK(shows("you (TOOT)> BT"));
  REQUIRE(contains(TestClient(m.server, "fred").first_reply_line("change password fred * other"),
                   "+OK"));
  app.boards_changed();
  CHECK(shows("Sign in again"));
  CHECK(shows("You are signed out: The password of fred was changed elsewhere."));
  // After Esc the typed text is there, and the next attempt asks again.
  app.press(kEsc);
  CHECK(shows("you (TOOT)> BT"));
  CHECK(shows("signed out"));
  type("\n");
  CHECK(shows("Sign in again"));
  // The userid cannot be changed.
  app.press({Key::Code::function, 3});
  app.press(kTab);
  type("secret\n");
  CHECK(shows("That is not the password of fred."));
  type("other\n");
  CHECK(shows("Hello, fred. 1 game needs your move."));
  CHECK(shows("you (TOOT)> BT"));
  type("\n");
  CHECK(shows("queue a move>"));
}

TEST_CASE("line by line whoever is signed out is asked before the next question", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred", false);
  REQUIRE(fred.remote.connect().ok());
  REQUIRE(fred.remote.sign_up("fred", "secret").ok());
  REQUIRE(
      contains(TestClient(hall, "fred").first_reply_line("change password fred * other"), "+OK"));
  std::istringstream in("\n:list\nsecret\n:list\nother\n:toot limit all\n");
  std::ostringstream out;
  run_line_mode(
      fred.all_boards, View{}, Settings({}),
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true);
  INFO(out.str());
  const std::string said = out.str();
  const std::string asked =
      "You are signed out: The password of fred was changed elsewhere.\npassword of fred, or Enter "
      "to skip> ";
  CHECK(contains(said, asked + "\nboards> :list\nYou are signed out"));
  CHECK(contains(said, asked + "\nThat is not the password of fred.\n"));
  CHECK(contains(said, asked + "\nHello, fred. No game needs your move.\nboards> :toot limit "
                               "all\nYou accept any number"));
  CHECK_FALSE(contains(said, "secret"));
}

TEST_CASE("a line that is changed calls a lost move off, whichever way it is", "[remote][ui]") {
  const std::vector<std::pair<std::string, std::vector<Key>>> ways{
      {"typed on", {character_key('x')}},
      {"pasted to", {{Key::Code::paste_mark, 1}, character_key('x'), {Key::Code::paste_mark, 0}}},
      {"cleared", {kEsc}},
      {"recalled", {{Key::Code::up}}},
      {"picking stopped", {kTab, kEsc}},
      {"unpicked", {kTab, {Key::Code::backspace}}},
      {"another move tried", {{Key::Code::function, 3}}},
  };
  for (const auto& [name, keys] : ways) {
    INFO(name);
    TwoScreenUsers m;
    m.start_game();
    m.fred.type("note x\n");
    m.network.fault = Fault::before_server;
    m.network.stays_down = true;
    m.fred.type("BT\n");
    CHECK(m.fred.shows("connection is back, and played only once. Change the line to cancel it."));
    CHECK(m.fred.remote.has_pending("toot-101"));
    for (const Key& key : keys) m.fred.press(key);
    CHECK_FALSE(m.fred.shows("> BT\n"));
    CHECK_FALSE(m.fred.remote.has_pending("toot-101"));
    m.network.is_down = false;
  }
}

TEST_CASE("a key that leaves the line as it is leaves a lost move to be asked again",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.network.fault = Fault::before_server;
  m.network.stays_down = true;
  m.fred.type("BT\n");
  for (const Key& key : {Key{Key::Code::left}, Key{Key::Code::end}, Key{Key::Code::up},
                         control_key('X'), control_key('Y'), kEnter}) {
    INFO(key_name(key));
    m.fred.press(key);
    CHECK(m.fred.remote.has_pending("toot-101"));
    CHECK(m.fred.shows("> BT\n"));
  }
  // The text is still in the line; playing the ply clears it.
  m.repair_network();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK_FALSE(m.fred.shows("> BT"));
}

TEST_CASE("whoever refuses a challenge is back at the boards, and offered no rematch of it",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("resign\n\n");
  m.wilma.take_changes();
  CHECK_FALSE(m.wilma.shows("Press r for"));
  CHECK(m.wilma.shows("wilma - 0 games"));
  CHECK(m.wilma.shows("toot-101: wilma (OTTO) refused the challenge. The board is closed"));
}

TEST_CASE("whoever refuses a challenge line by line is told once, and at no board any more",
          "[remote]") {
  const std::string text = challenged_user_output("resign\nrematch\n"),
                    told = "refused the challenge";
  INFO(text);
  CHECK(contains(text, told));
  CHECK(text.find(told) == text.rfind(told));
  CHECK_FALSE(contains(text, "There is no board"));
}

TEST_CASE("a move and a chat line are typed in one line", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.take_changes();
  m.fred.type("bt : nice to meet you");
  CHECK(m.fred.shows("drop a T down column B"));
  m.fred.type("\n");
  CHECK(m.fred.shows("1 BT"));
  CHECK(m.fred.shows("fred: nice to meet you"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("fred: nice to meet you"));
  m.wilma.reopen_board();
  // A refused move sends no chat.
  m.wilma.type("zz : oh");
  CHECK(m.wilma.shows("Z"));
  m.wilma.type("\n");
  m.fred.take_changes();
  CHECK_FALSE(m.fred.shows("wilma: oh"));
  m.wilma.press(kEsc);
  m.wilma.type("chat now : then\n");
  m.fred.take_changes();
  CHECK(m.fred.shows("wilma: now : then"));
  m.wilma.type("propose : enough?\n");
  m.fred.take_changes();
  CHECK(m.fred.shows("offers a draw"));
  CHECK(m.fred.shows("wilma: enough?"));
}

TEST_CASE("on a board of this computer a chat after a move is refused", "[ui]") {
  TestApp desk;
  desk.start_board("toot");
  desk.type("bt : nice\n");
  CHECK(desk.has_text("There is no chat on this board."));
  CHECK(desk.local_boards.open("toot-101")->match.plies().empty());
}

TEST_CASE("a message of two rows leaves the chat readable", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("chat nice weather today\n");
  m.fred.take_changes();
  m.fred.type("try\nBT\nCO\nanswers\n");
  REQUIRE(m.fred.shows("Answers work in games of two"));
  CHECK(m.fred.shows("Chat"));
  CHECK(m.fred.shows("wilma: nice weather"));
}

TEST_CASE("undo on a server names the move and whose it is", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  REQUIRE(m.fred.play("toot-101", "BT").empty());
  REQUIRE(m.wilma.play("toot-101", "CO").empty());
  m.fred.take_changes();
  m.fred.reopen_board();
  m.fred.type("undo\n");
  CHECK(m.fred.shows("You ask to take back wilma's move CO."));
  m.wilma.take_changes();
  m.wilma.reopen_board();
  CHECK(m.wilma.shows("fred (TOOT) asks to take back your move CO."));
  m.wilma.type("accept\n");
  CHECK(m.wilma.shows("You accept. CO is taken back. It is your turn"));
  m.fred.take_changes();
  CHECK(m.fred.shows("wilma (OTTO) accepts. CO is taken back."));
}

TEST_CASE("a player reads the effect of their own offer and answer", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("propose\n");
  CHECK(m.fred.shows("You offer a draw."));
  // It is still fred's turn.
  CHECK(m.fred.shows("a move ends the offer"));
  m.wilma.take_changes();
  m.wilma.type("reject\n");
  CHECK(m.wilma.shows("You decline the draw."));
  m.fred.take_changes();
  CHECK(m.fred.shows("wilma (OTTO) declines your draw offer."));
  m.wilma.type("propose\n");
  CHECK(m.wilma.shows("You offer a draw. Wait for the answer."));
  m.fred.take_changes();
  m.fred.reopen_board();
  m.fred.type("accept\n");
  CHECK(m.fred.shows("You accept the draw. The players agreed on a draw."));
}

TEST_CASE("a colon and a blank begin a chat line, a colon and a word a command",
          "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type(": how are you : well\n");
  m.wilma.take_changes();
  CHECK(m.wilma.shows("fred: how are you : well"));
  m.fred.type(":who\n");
  CHECK(m.fred.shows("wilma"));
  m.fred.press(kEsc);
  m.wilma.take_changes();
  CHECK_FALSE(m.wilma.shows("fred: who"));
}

TEST_CASE("line by line a move and a chat line, or only a chat line, are typed in one line",
          "[remote][stranger]") {
  const std::string text = challenged_user_output("propose : tired\n: hello there\ntalk\n");
  INFO(text);
  CHECK(contains(text, "You offer a draw."));
  CHECK(contains(text, "wilma: tired"));
  CHECK(contains(text, "wilma: hello there"));
}

TEST_CASE("line by line a refused challenge offers no rematch", "[remote][stranger]") {
  const std::string text = challenged_user_output("resign\n");
  INFO(text);
  CHECK(contains(text, "refused the challenge"));
  CHECK_FALSE(contains(text, "rematch"));
}

TEST_CASE("the next letter replaces a line whose chat was refused", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("CO : hello\n");
  REQUIRE(m.wilma.shows("takes no chat"));
  m.wilma.type("b");
  CHECK(m.wilma.shows("> b\n"));
}

TEST_CASE("n goes to the board of a new challenge", "[remote][ui][lobby]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.press(kEsc);
  m.fred.press(kEsc);
  m.fred.type(":toot challenge fred wilma\n");
  m.wilma.take_changes();
  REQUIRE(m.wilma.shows("fred challenges you"));
  m.wilma.type("n");
  CHECK(m.wilma.shows("you against fred, toot-102"));
}

TEST_CASE("a move to queue is checked while it is typed", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("eoeo");
  CHECK(m.wilma.shows("Too long."));
  m.wilma.type("\n");
  CHECK_FALSE(m.wilma.shows("queues"));
  m.wilma.type("resin");
  CHECK(m.wilma.shows("resign"));
  m.wilma.type("\n");
  // The next letter replaces the refused text.
  m.wilma.type("b");
  m.wilma.type("o");
  CHECK(m.wilma.shows("Enter twice queues bo."));
  m.wilma.type("\n\n");
  CHECK(m.wilma.shows("is queued on toot 101 for your next turn."));
  m.wilma.type("d");
  CHECK(m.wilma.shows("Which letter goes down column D?"));
  // A preview needs a move that is legal now.
  m.wilma.type("o");
  m.wilma.press(control_key('O'));
  CHECK(m.wilma.shows("Type a legal move first."));
}

TEST_CASE("the form of a challenge says that the opponent can decline", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.fred.type("s");
  for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
  m.fred.type("wilma");
  CHECK(m.fred.shows("Enter challenges wilma."));
  CHECK(m.fred.shows("declined"));
  CHECK_FALSE(m.fred.shows("starts the game"));
  m.fred.type("\n");
  CHECK(m.fred.shows("You challenge wilma."));
  CHECK(m.fred.shows("declined"));
}

TEST_CASE("sentences on a server's board call the player you", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  CHECK(m.fred.shows("you (TOOT)>"));
  m.fred.type("bt");
  CHECK(m.fred.shows("You drop a T down column B."));
  m.fred.press(kEsc);
  m.fred.type("resign\n");
  CHECK(m.fred.shows("You resign if you press Enter again."));
}

TEST_CASE("the first help on a server's board is true there", "[remote][ui][stranger]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.type("?");
  CHECK(m.wilma.shows("ask to take back the last move"));
  CHECK(m.wilma.shows(": TEXT"));
  CHECK_FALSE(m.wilma.shows("tutor"));
  CHECK_FALSE(m.wilma.shows("hint"));
  CHECK_FALSE(m.wilma.shows("? help"));
}

TEST_CASE("the chat after a move is kept if the server refuses the move late", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("BT : good luck");
  TestUser other(m.network, m.home / "other", "fred");  // fred plays in another program, too
  REQUIRE(other.play("toot-101", "AT").empty());
  m.fred.app.press(kEnter);  // before the screen knows
  m.fred.take_changes();
  REQUIRE(m.fred.shows("Not played."));
  CHECK(m.fred.shows("> BT : good luck\n"));
  m.wilma.take_changes();
  CHECK_FALSE(m.wilma.shows("fred: good luck"));
  // The history has the whole line after a success.
  m.wilma.reopen_board();
  m.wilma.type("CO : thanks\n");
  REQUIRE(m.wilma.shows("2 CO"));
  m.wilma.press({Key::Code::up});
  CHECK(m.wilma.shows("> CO : thanks\n"));
}

TEST_CASE("the chat after a move is sent with the move when the connection is back",
          "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.network.fault = Fault::before_server;
  m.network.stays_down = true;
  m.fred.type("BT : good luck\n");
  REQUIRE(m.fred.shows("It is sent again when"));
  CHECK(m.fred.shows("> BT : good luck\n"));
  CHECK(m.fred.remote.has_pending("toot-101"));
  for (const Key& key : {kEnter, control_key('X')}) m.fred.press(key);  // these change nothing
  CHECK(m.fred.remote.has_pending("toot-101"));
  CHECK(m.fred.shows("> BT : good luck\n"));
  m.repair_network();
  m.fred.take_changes();
  CHECK(m.fred.shows("1 BT"));
  CHECK_FALSE(m.fred.shows("> BT"));
  CHECK(m.fred.shows("fred: good luck"));
  for (int i = 0; i < 100 && contains(m.wilma.screen(), "no connection"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    m.wilma.take_changes();
  }
  m.wilma.reopen_board();
  CHECK(m.wilma.shows("fred: good luck"));
}

TEST_CASE("the chat of another line does not go out with a pending move", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.network.fault = Fault::before_server;
  m.network.stays_down = true;
  m.fred.type("BT : good luck\n");
  REQUIRE(m.fred.remote.has_pending("toot-101"));
  m.fred.press(control_key('U'));
  m.fred.type("CO : oops\n");
  m.repair_network();
  m.fred.take_changes();
  m.wilma.take_changes();
  m.wilma.reopen_board();
  CHECK_FALSE(m.wilma.shows("oops"));
}

TEST_CASE("a chat that was not sent after its move stays in the line", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.network.fault = Fault::before_server;
  m.network.fault_text = " chat ";
  m.network.stays_down = true;
  m.fred.type("BT : good luck\n");
  CHECK(m.fred.shows("1 BT"));
  CHECK(m.fred.shows("> chat good luck\n"));
}

TEST_CASE("a move to be queued takes no chat", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.wilma.take_changes();
  m.wilma.reopen_board();
  for (const char* line : {"CO : hello", "CO : DT"}) {  // the second is meant as a tree
    INFO(line);
    m.wilma.type(line);
    CHECK_FALSE(m.wilma.shows("Enter twice queues"));
    m.wilma.type("\n\n");
    CHECK(m.wilma.shows("chat"));
    CHECK(m.wilma.shows("> " + std::string(line) + "\n"));
    CHECK_FALSE(m.wilma.shows("wilma: "));
    m.fred.take_changes();
    CHECK_FALSE(m.fred.shows("wilma: "));
    m.wilma.press(kEsc);
  }
  m.fred.reopen_board();
  m.fred.type("BT\n");
  m.wilma.take_changes();
  CHECK_FALSE(m.wilma.shows("2 CO"));
}

TEST_CASE("Tab and clicks leave a chat text alone", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  for (const char* line : {"BT : he", "BT : ", "chat he", "note he"}) {
    INFO(line);
    m.fred.type(line);
    m.fred.press(kTab);
    CHECK(m.fred.shows("> " + std::string(trim(line))));
    CHECK_FALSE(m.fred.shows("No move begins"));
    m.fred.press(make_click({6, 40}));
    CHECK(m.fred.shows("> " + std::string(trim(line))));
    CHECK_FALSE(m.fred.shows("No move begins"));
    m.fred.press(control_key('U'));
  }
}

TEST_CASE("the panel explains the game until the player's own first move", "[remote][ui]") {
  TwoScreenUsers m;
  m.start_game();
  m.fred.type("BT\n");
  CHECK(m.fred.shows("├ Moves"));
  m.wilma.take_changes();
  CHECK(m.wilma.shows("├ How to play"));
  const std::string seen = m.wilma.screen();
  CHECK(seen.find("├ Moves") < seen.find("1 BT"));
  CHECK(seen.find("1 BT") < seen.find("├ How to play"));
  CHECK(m.wilma.shows("Both players drop"));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // an earlier Enter does not count
  m.wilma.type("CO\n");
  CHECK(m.wilma.shows("├ Moves"));
  CHECK_FALSE(m.wilma.shows("Both players drop"));
}
