// SPDX-License-Identifier: MIT
// Boards of a server, on a screen and in line mode.
#include "boards/fake_network.hpp"
#include "ui/board_session.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Returns the output of line mode when wilma, challenged by fred, types these lines on the board.
std::string said_to_challenged(const std::string& typed) {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  const Setup toot = setup_of("toot");
  REQUIRE(challenge(fred.there, *toot.game, toot.options, {"fred", "wilma"}).ok());
  std::istringstream in("open toot-101\n" + typed + "quit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  line_by_line(wilma.all, View{}, Settings({}), help, in, out);
  return out.str();
}

}  // namespace

TEST_CASE("who has agreed to an offer is not asked again, while another is", "[remote][ui]") {
  Match2 m;
  User betty(m.hall, "betty");
  betty.say("plotto challenge betty wilma fred");
  m.wilma.hear();
  m.wilma.type("\n");
  betty.say("plotto propose 101 betty *");
  m.wilma.hear();
  m.wilma.press({Key::Code::down});
  CHECK(m.wilma.shows("offers a draw. Type accept or reject."));
  m.wilma.type("accept\n");
  m.wilma.press({Key::Code::down});
  CHECK(m.wilma.shows("offers a draw. It waits for an answer."));
}

TEST_CASE("a board of others stands still until one watches it, and says so", "[remote][ui]") {
  Match2 m;
  User betty(m.hall, "betty");
  betty.say("toot challenge betty fred");
  m.wilma.type("e");
  m.wilma.hear();
  m.wilma.type("\n");
  CHECK(m.wilma.shows("Type watch to see how it goes on."));
  m.wilma.type("watch\n");
  m.wilma.press({Key::Code::down});
  CHECK_FALSE(m.wilma.shows("Type watch"));
  betty.say("toot move 101 betty * BT");
  m.wilma.hear();
  CHECK(m.wilma.shows("1 BT"));
}

TEST_CASE("whom the server ends and knows without a password is told, and not asked for one",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred");
  for (const auto& [number, session] : hall.service().connections.all()) session->end("enough");
  fred.there.take_changes();
  CHECK(fred.there.turned_away() == "enough");
}

TEST_CASE("answers are made by trying, stand beside the board, and are played", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.type("try\n");
  CHECK(m.wilma.shows("Trying moves: the word answers keeps your replies to the other's."));
  m.wilma.type("BT\n");
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("Try a move of the other's and your answer to it"));
  m.wilma.press(ctrl('U'));
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
  CHECK(m.wilma.shows("your next move> queue BT:ZO"));
  m.wilma.press(ctrl('U'));
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("BT: CO"));
  m.wilma.press(kEsc);
  m.fred.type("BT\n");
  CHECK(m.fred.shows("CO"));
  m.wilma.hear();
  CHECK(m.wilma.shows("CO, as it was queued"));
  CHECK_FALSE(m.wilma.shows("your answers"));
  // At the player's own turn there is nothing to answer.
  m.fred.look_again();
  m.fred.type("try\nDT\nAO\nanswers\n");
  CHECK(m.fred.shows("Answers are to what the other plays next"));
}

TEST_CASE("answers are kept to what is played from the board as it stands, and nothing else",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  REQUIRE(m.fred.play("toot-101", "BT").empty());
  REQUIRE(m.wilma.play("toot-101", "ET").empty());
  REQUIRE(m.fred.play("toot-101", "BO").empty());
  m.fred.hear();
  m.fred.type("try\nCO\nDT\nanswers\n");
  REQUIRE(m.fred.shows("CO:DT is queued on toot 101"));
  // Takes back one ply more than was tried: fred's BO on the board.
  for (int i = 0; i < 3; ++i) m.fred.press(ctrl('X'));
  m.fred.type("CT\nDO\nAT\nanswers\n");
  CHECK(m.fred.shows("Answers are to what the other plays next"));
  m.fred.press(ctrl('U'));
  for (int i = 0; i < 3; ++i) m.fred.press(ctrl('X'));
  m.fred.type("BO\nDO\nAT\nanswers\n");
  CHECK(m.fred.shows("CO:DT DO:AT is queued on toot 101"));
}

TEST_CASE("no answers are offered where there are more than two", "[remote][ui]") {
  Match2 m;
  User betty(m.hall, "betty");
  betty.say("plotto challenge fred wilma betty");
  m.fred.hear();
  REQUIRE(m.fred.play("plotto-101", "a1").empty());
  m.fred.type("\ntry\n");
  CHECK(m.fred.shows("Trying moves from here: nothing is kept."));
}

TEST_CASE("answers are kept, told and refused line by line", "[remote]") {
  const std::string out = said_to_challenged(
      "queue BT:CO AT:ZO\nqueue BT:CO AT:AO\nanswers\ntry\nBT\nDO\nanswers\n"
      "boards\nanswers none\nanswers\n");
  INFO(out);
  CHECK(has(out, "                     ^\n"));  // below the Z
  CHECK(has(out, "BT:CO AT:AO is queued on toot 101: each answer is played at once.\n"));
  CHECK(has(out, "BT: CO\nAT: AO\n"));
  CHECK(has(out, "BT:DO AT:AO is queued on toot 101"));
  CHECK(has(out, "No answers are kept here: type try, try some moves, then type answers."));
}

TEST_CASE("two people on one server: a challenge, a game to its end, each at his own keyboard",
          "[remote][ui]") {
  Match2 m;
  CHECK(m.fred.shows("fred - 0 boards"));
  m.fred.type("s");
  CHECK(m.fred.shows("Type who is to be player2: a userid of this server, or computer:3."));
  m.fred.press(kEsc);
  m.challenge();
  CHECK(m.fred.shows("Toot: you against wilma, toot-101"));
  CHECK(m.wilma.shows("Toot: you against fred, toot-101"));
  CHECK(m.fred.shows("fred (TOOT)>"));
  CHECK(m.wilma.shows("your next move>"));
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));

  // At the opponent's turn, the typed text is not played and stays.
  m.wilma.type("CO");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter twice keeps this for yours."));
  m.fred.type("BT\n");
  CHECK(m.fred.shows("fred drops a T down column B. It is wilma's turn (OTTO)."));
  m.wilma.hear();
  CHECK(m.wilma.app.take_bell());
  CHECK(m.wilma.shows("BT: fred (TOOT) drops a T down column B."));
  CHECK(m.wilma.shows("wilma (OTTO)> CO"));
  m.wilma.type("\n");
  // The Enter came at the same moment, perhaps for the position before.
  CHECK(m.wilma.shows("look at the position again"));
  std::this_thread::sleep_for(std::chrono::milliseconds(510));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.hear();
  // The second Enter queues the move.
  m.wilma.type("FO\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter again keeps FO for yours."));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("FO is queued on toot 101, for when it is your turn."));
  m.fred.look_again();
  m.fred.type("DO\n");
  CHECK(m.fred.shows("fred (TOOT)>"));
  m.fred.hear();
  m.wilma.hear();
  m.fred.look_again();
  m.fred.type("ET\n");
  m.wilma.hear();
  CHECK(m.fred.shows("fred (TOOT) won: "));
  CHECK(m.wilma.shows("fred (TOOT) won: "));
  CHECK(m.wilma.shows("over>"));
  CHECK(bytes_of(m.hall.directory / "toot-101.yaml").find("move: FO") != std::string::npos);
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("fred won"));

  // The rematch is a challenge; the second player begins.
  CHECK(m.fred.shows("r: another game"));
  m.fred.type("r\n");
  CHECK(m.fred.shows("Toot: you against wilma, toot-102"));
  CHECK(m.fred.shows("> TOOT wilma"));
  m.wilma.hear();
  CHECK(m.wilma.shows("toot-102"));
  CHECK(bytes_of(m.hall.directory / "toot-102.yaml").find("seats: [wilma, fred]") !=
        std::string::npos);
}

TEST_CASE("a rematch has the times of the board", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  REQUIRE(fred.there.command("toot challenge fred wilma -size=5x4 --nagtime=3").ok());
  wilma.there.take_changes();
  CHECK(fred.play("toot-101", "BT") == "");
  CHECK(wilma.play("toot-101", "CO") == "");
  CHECK(fred.play("toot-101", "resign") == "");
  wilma.there.take_changes();
  BoardSession desk(wilma.all, *wilma.there.open("toot-101"));
  const auto made = desk.enter("rematch", 2);
  REQUIRE(made.ok());
  CHECK(made->open == "toot-102");
  const std::string save = bytes_of(hall.directory / "toot-102.yaml");
  INFO(save);
  CHECK(has(save, "seats: [wilma, fred]"));
  CHECK(has(save, "options: [-size=5x4]"));
  CHECK(has(save, "nag: 3,"));
}

TEST_CASE("the boards of everybody come in pieces, and stay listed meanwhile", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  hall.bounds = [](ServiceOptions& o) {
    o.unplayed_between_two = o.unplayed_begun = o.challenges_a_minute = 1000;
  };
  hall.restart();
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    for (int i = 0; i < 250; ++i)
      REQUIRE(has(fred.first("toot challenge fred wilma -size=5x4"), "+OK"));
  }
  FakeNetwork cable(hall);
  Somebody betty(cable, home.path(), "betty");
  const auto count = [&] {
    const auto list = betty.there.list();
    return std::count_if(list.begin(), list.end(), [](const auto& b) { return b.of_others; });
  };
  REQUIRE(betty.there.look_around(false, true).ok());
  CHECK(count() == 200);
  for (int i = 0; i < 10 && betty.there.take_changes(); ++i) betty.there.list();
  CHECK(count() == 250);
  REQUIRE(betty.there.look_around(false, true).ok());
  CHECK(count() == 250);
  for (int i = 0; i < 10 && betty.there.take_changes(); ++i) betty.there.list();
  CHECK(count() == 250);
  REQUIRE(betty.there.look_around(false, false).ok());
  CHECK(count() == 0);
}

TEST_CASE("line by line a Tab completes a userid", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  { User wilma(hall, "wilma"), wilbur(hall, "wilbur"), betty(hall, "betty"); }
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred");
  std::istringstream in("new toot b\t\nboards\nnew toot wil\t\nopen\t101\n:list\ttoot\n");
  std::ostringstream out;
  line_by_line(
      fred.all, View{}, Settings({}),
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out);
  INFO(out.str());
  CHECK(has(out.str(), "new toot betty \nBoard 101 of Toot: fred and betty.\n"));
  CHECK(has(out.str(), "'wil' may be wilbur or wilma.\n"));
  CHECK(has(out.str(), "Board toot-101, Toot.\n"));
  CHECK(has(out.str(), "2 userids: boards running"));
}

TEST_CASE("chat, watchers and other boards are told where they belong", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.fred.type("chat how are you? [fine]\n");
  CHECK(m.fred.shows("fred: how are you? [fine]"));
  m.wilma.app.take_bell();
  m.wilma.hear();
  CHECK(m.wilma.app.take_bell());
  CHECK(m.wilma.shows("fred: how are you? [fine]"));
  // The chat stays while the player types.
  m.wilma.type("x");
  CHECK(m.wilma.shows("fred: how are you? [fine]"));
  m.wilma.press(kEsc);
  CHECK(m.fred.app.take_bell() == false);

  Player betty(m.cable, m.home.path(), "betty");
  betty.type(":open toot-101\n");
  CHECK(betty.shows("looking on>"));
  betty.type("BT\n");
  CHECK(betty.shows("You watch this board: fred and wilma play on it."));
  betty.press(kEsc);
  betty.type("watch\n");
  CHECK(betty.shows("betty watches toot 101."));
  m.fred.hear();
  CHECK(m.fred.shows("Toot: you against wilma, toot-101 - 1 watches"));
  betty.type("chat a blunder\n");
  CHECK(betty.shows("betty: a blunder"));
  m.fred.hear();
  CHECK_FALSE(m.fred.shows("blunder"));
  m.fred.type("BT\n");
  betty.hear();
  CHECK(betty.shows("1 BT"));
  betty.type("unwatch\n");
  CHECK(betty.shows("betty watches no more toot 101."));

  // A challenge arrives while the player is at another board.
  const Setup toot = setup_of("toot");
  REQUIRE(challenge(betty.there, *toot.game, toot.options, {"fred", "betty"}).ok());
  m.fred.hear();
  CHECK(m.fred.shows("toot-102: A new board: fred and betty, Toot."));
  CHECK(m.fred.shows("1 board waits"));
  m.fred.press(ctrl('G'));
  CHECK(m.fred.shows("Toot: you against betty, toot-102"));
  CHECK_FALSE(m.fred.shows("waits"));
  REQUIRE(betty.there.command("message fred : psst \xE2\x80\xAE").ok());
  m.fred.hear();
  CHECK(m.fred.shows("betty to you: psst ?"));
  m.fred.type("talk\n");
  CHECK(m.fred.shows("Nothing was said here yet."));
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
  Match2 m;
  m.challenge();
  m.fred.type("BT\n");
  m.fred.type("undo\n");
  CHECK(m.fred.shows("You ask to take the last move back: that waits for an answer."));
  m.fred.press({Key::Code::down});
  CHECK(m.fred.shows("asks to take BT back. It waits for an answer."));
  m.wilma.hear();
  CHECK(m.wilma.shows("1 BT"));
  CHECK(
      m.wilma.shows("BT: fred (TOOT) drops a T down column B. fred (TOOT) asks to take BT back:\n "
                    "accept or reject."));
  m.wilma.press({Key::Code::end});
  CHECK(m.wilma.shows("fred (TOOT) asks to take BT back. Type accept or reject."));
  m.wilma.look_again();
  m.wilma.type("reject\n");
  m.fred.hear();
  m.fred.press({Key::Code::function, 3});
  CHECK(m.fred.shows("trying moves"));
  m.fred.type("CO\n");
  m.fred.type("DT\n");
  CHECK(m.fred.shows("3 DT"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("your next move>"));
  CHECK_FALSE(m.fred.shows("DT"));
  m.wilma.type("CO\n");
  m.fred.hear();
  m.fred.look_again();
  m.fred.type("resign\n");
  CHECK(m.fred.shows("fred (TOOT) gives the game up: Enter again does it"));
  m.fred.type("\n");
  CHECK(m.fred.shows("wilma (OTTO) won: fred resigned."));
  m.fred.type("copy\n");
  CHECK(m.fred.shows("own:toot-101"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("own:toot-101"));
  m.fred.type("dd");
  CHECK(m.fred.shows("Deleted own:toot-101"));
  m.fred.type("gdd");
  CHECK(m.fred.shows("On a server a board ends by resigning"));
}

TEST_CASE("openings are the server's and one's own together", "[remote][openings]") {
  Match2 m;
  m.challenge();
  const Setup toot = setup_of("toot");
  Match own = *Match::start(*toot.game, toot.options, {"fred", "barney"}, Time{});
  for (const char* done : {"BT", "DO", "CT", "resign"})
    own.add(*own.validate(own.acting_seat(done), done, Time{}));
  REQUIRE(m.fred.own.keep(own).ok());
  REQUIRE(m.fred.play("toot-101", "BT") == "");
  REQUIRE(m.wilma.play("toot-101", "CO") == "");
  m.fred.hear();
  m.fred.type("openings 1\n");
  CHECK(m.fred.shows("1 finished game came here, 1 of your own and 0 of the server's."));
  CHECK(m.fred.shows("DO      1  100    0   0"));
  m.fred.press(kEsc);
  REQUIRE(m.wilma.play("toot-101", "resign") == "");
  m.fred.hear();
  m.fred.type("openings 1\n");
  CHECK(m.fred.shows("2 finished games came here, 1 of your own and 1 of the server's."));
  CHECK(m.fred.shows("CO      1  100    0   0"));
  m.fred.press(kEsc);
  m.cable.down = true;
  m.cable.cut();
  m.fred.type("openings 1\n");
  CHECK(m.fred.shows("The server says: "));
  CHECK(m.fred.shows("DO      1  100    0   0"));
}

TEST_CASE("squares of another's turn are not picked", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.press(kTab);
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.press(kTab);
  CHECK(m.fred.shows("Arrows and Tab move, Enter picks"));
}

TEST_CASE("the screen stays when the connection breaks, and goes on when it is back",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.fred.type("B");
  m.cable.down = true;
  m.cable.cut();
  m.fred.hear();
  CHECK(m.fred.shows("The connection to the server is lost"));
  CHECK(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("fred (TOOT)> B"));
  m.fred.type("T\n");
  CHECK(m.fred.shows("There is no connection to the server now: it is tried again by itself."));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.hall.restart();
  m.cable.down = false;
  for (int i = 0; i < 20 && !m.fred.there.trouble().empty(); ++i) m.fred.hear(100);
  CHECK(m.fred.shows("The connection to the server is back."));
  CHECK_FALSE(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.cable.fault = Fault::after;
  m.cable.stays_down = true;
  m.fred.type("\n");
  CHECK(m.fred.shows("The connection broke before BT was answered."));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.mend();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK(m.fred.shows("your next move>"));
  CHECK_FALSE(m.fred.shows("> BT"));
  CHECK(bytes_of(m.hall.directory / "toot-101.yaml").find("BT") ==
        bytes_of(m.hall.directory / "toot-101.yaml").rfind("BT"));
}

TEST_CASE("whoever is signed out is asked again above what he does, which stays", "[remote][ui]") {
  Match2 m;
  m.challenge();
  REQUIRE(has(TestClient(m.hall, "fred").first("change password fred * secret"), "+OK"));
  Somebody third(m.cable, m.home.path(), "third", false);
  REQUIRE(third.there.connect().ok());
  REQUIRE(third.there.sign_in("fred", "secret").ok());
  Settings settings(m.home / "third.yaml");
  App app(third.all, settings,
          [](const std::string&) -> Result<std::string> { return Refusal{""}; }, {});
  const auto shows = [&](const std::string& text) {
    const std::string out = text_of(app.draw({24, 80}));
    UNSCOPED_INFO(out);
    return out.find(text) != std::string::npos;
  };
  const auto type = [&](std::string_view text) {
    for (const char c : text) app.press(c == '\n' ? kEnter : typed(static_cast<char32_t>(c)));
  };
  type("\nBT");
  CHECK(shows("fred (TOOT)> BT"));
  REQUIRE(has(TestClient(m.hall, "fred").first("change password fred * other"), "+OK"));
  app.boards_changed();
  CHECK(shows("Sign in again"));
  CHECK(shows("You are signed out: The password of fred was changed elsewhere."));
  // After Esc the typed text is there, and the next attempt asks again.
  app.press(kEsc);
  CHECK(shows("fred (TOOT)> BT"));
  CHECK(shows("signed out"));
  type("\n");
  CHECK(shows("Sign in again"));
  // The userid cannot be changed.
  app.press({Key::Code::function, 3});
  app.press(kTab);
  type("secret\n");
  CHECK(shows("That is not the password of fred."));
  type("other\n");
  CHECK(shows("Hello, fred: 1 board waits for you."));
  CHECK(shows("fred (TOOT)> BT"));
  type("\n");
  CHECK(shows("your next move>"));
}

TEST_CASE("line by line whoever is signed out is asked before the next question", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred", false);
  REQUIRE(fred.there.connect().ok());
  REQUIRE(fred.there.sign_up("fred", "secret").ok());
  REQUIRE(has(TestClient(hall, "fred").first("change password fred * other"), "+OK"));
  std::istringstream in("\n:list\nsecret\n:list\nother\n:toot limit all\n");
  std::ostringstream out;
  line_by_line(
      fred.all, View{}, Settings({}),
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true);
  INFO(out.str());
  const std::string said = out.str();
  const std::string asked =
      "You are signed out: The password of fred was changed elsewhere.\npassword of fred, or "
      "nothing> ";
  CHECK(has(said, asked + "\nboards> :list\nYou are signed out"));
  CHECK(has(said, asked + "\nThat is not the password of fred.\n"));
  CHECK(has(said, asked + "\nHello, fred: no board waits for you.\nboards> :toot limit "
                          "all\nfred takes any number"));
  CHECK_FALSE(has(said, "secret"));
}

TEST_CASE("a line that is changed calls a lost move off, whichever way it is", "[remote][ui]") {
  const std::vector<std::pair<std::string, std::vector<Key>>> ways{
      {"typed on", {typed('x')}},
      {"pasted to", {{Key::Code::paste, 1}, typed('x'), {Key::Code::paste, 0}}},
      {"cleared", {kEsc}},
      {"recalled", {{Key::Code::up}}},
      {"picking stopped", {kTab, kEsc}},
      {"unpicked", {kTab, {Key::Code::backspace}}},
      {"another move tried", {{Key::Code::function, 3}}},
  };
  for (const auto& [name, keys] : ways) {
    INFO(name);
    Match2 m;
    m.challenge();
    m.fred.type("note x\n");
    m.cable.fault = Fault::before;
    m.cable.stays_down = true;
    m.fred.type("BT\n");
    CHECK(m.fred.shows("connection is back, and played once. Change the line to call it off."));
    CHECK(m.fred.there.pending("toot-101"));
    for (const Key& key : keys) m.fred.press(key);
    CHECK_FALSE(m.fred.shows("> BT\n"));
    CHECK_FALSE(m.fred.there.pending("toot-101"));
    m.cable.down = false;
  }
}

TEST_CASE("a key that leaves the line as it is leaves a lost move to be asked again",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.cable.fault = Fault::before;
  m.cable.stays_down = true;
  m.fred.type("BT\n");
  for (const Key& key : {Key{Key::Code::left}, Key{Key::Code::end}, Key{Key::Code::up}, ctrl('X'),
                         ctrl('Y'), kEnter}) {
    INFO(key_name(key));
    m.fred.press(key);
    CHECK(m.fred.there.pending("toot-101"));
    CHECK(m.fred.shows("> BT\n"));
  }
  // The text is still in the line; playing the ply clears it.
  m.mend();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK_FALSE(m.fred.shows("> BT"));
}

TEST_CASE("whoever refuses a challenge is back at the boards, and offered no rematch of it",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.type("resign\n\n");
  m.wilma.hear();
  CHECK_FALSE(m.wilma.shows("r: another game"));
  CHECK(m.wilma.shows("wilma - 0 boards"));
  CHECK(m.wilma.shows("toot-101: wilma (OTTO) refused the challenge: the board is gone"));
}

TEST_CASE("whoever refuses a challenge line by line is told once, and at no board any more",
          "[remote]") {
  const std::string text = said_to_challenged("resign\nrematch\n"), told = "refused the challenge";
  INFO(text);
  CHECK(has(text, told));
  CHECK(text.find(told) == text.rfind(told));
  CHECK_FALSE(has(text, "There is no board"));
}
