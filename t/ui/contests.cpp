// SPDX-License-Identifier: MIT
// Tests the pages of tournaments, ladders and players on the screen of a server.
#include "boards/fake_network.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// Returns the row of the screen with that text, or "".
std::string row_of(ScreenUser& user, const std::string& text, Size size = {24, 80}) {
  const std::string screen = user.screen(size);
  for (const std::string_view row : split_lines(screen))
    if (contains(std::string(row), text)) return std::string(row);
  return "";
}

}  // namespace

TEST_CASE("a tournament is opened, joined, begun and played from its page",
          "[remote][ui][contests]") {
  TwoScreenUsers m;
  ScreenUser betty(m.network, m.home.path(), "betty");
  m.fred.type("T");
  CHECK(m.fred.shows("Tournaments and ladders"));
  CHECK(m.fred.shows("tournament new"));
  m.fred.press(kEsc);
  m.fred.type(":tournament new autumn toot round-robin\n");
  m.fred.type("T");
  CHECK(m.fred.shows("Open tournaments"));
  m.fred.press(kEsc);
  // The others see it in their lists, and join on its page.
  for (ScreenUser* const user : {&m.wilma, &betty}) {
    user->take_changes();
    CHECK(user->shows("fred opens autumn"));
    user->press(Key{Key::Code::down});
    CHECK(user->shows("T tournaments"));
    CHECK(user->shows("Drop letters down"));  // the cards of a newcomer
    user->type(":tournament show autumn\n");
    CHECK(user->shows(" of 64 players"));
    CHECK_FALSE(user->shows("s start"));  // only fred can
    user->type("y");
    CHECK(user->shows("You play in autumn"));
    user->type("g");
    CHECK(user->shows("x leave"));
  }
  m.fred.type(":tournament show autumn\n");
  m.fred.type("y");
  CHECK(contains(row_of(m.fred, " fred"), "1600"));
  m.fred.type("s");
  CHECK(m.fred.shows("s again starts autumn; any other key cancels."));
  m.fred.type("ks");
  CHECK(m.fred.shows("s again starts autumn"));
  m.fred.type("s");
  CHECK(m.fred.shows("Round 1"));
  // Enter on a game opens its board.
  m.fred.press(Key{Key::Code::end});
  CHECK(m.fred.shows("x withdraw"));
  m.fred.type("y");
  CHECK(m.fred.shows("nothing to join"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows(", toot-10"));
  CHECK(m.fred.shows(" of autumn ─"));
  m.wilma.press(kEsc);
  m.wilma.type(":tournament show autumn\n");
  const std::string own = row_of(m.wilma, "toot-");
  CHECK(own != "");
  m.wilma.type("x");
  CHECK(m.wilma.shows("x again withdraws; you lose your games that still run"));
  m.wilma.press(kEsc);
}

TEST_CASE("a page fits into a small window and shows the player's own row",
          "[remote][ui][contests]") {
  TwoScreenUsers m;
  std::vector<std::unique_ptr<ScreenUser>> others;
  REQUIRE(m.fred.remote.run_command("tournament new cup toot swiss").ok());
  for (int i = 1; i <= 20; ++i) {
    others.push_back(
        std::make_unique<ScreenUser>(m.network, m.home.path(), "p" + std::to_string(i)));
    REQUIRE(others.back()->remote.run_command("tournament join cup").ok());
  }
  REQUIRE(m.wilma.remote.run_command("tournament join cup").ok());
  REQUIRE(m.fred.remote.run_command("tournament start cup").ok());
  ScreenUser& viewer = *others[10];
  viewer.type(":tournament show cup\n");
  const std::string small = viewer.screen({12, 40});
  INFO(small);
  CHECK(contains(small, " p11"));
  CHECK(contains(small, "more above"));
  for (const std::string_view row : split_lines(small)) CHECK(columns(row) <= 40);
}

TEST_CASE("a ladder is joined and climbed, and a profile has its place", "[remote][ui][contests]") {
  TwoScreenUsers m;
  m.wilma.type(":ladder toot\n");
  CHECK(m.wilma.shows("Ladder of Toot"));
  m.wilma.type("y");
  CHECK(m.wilma.shows("You have place 1"));
  CHECK(contains(row_of(m.wilma, " wilma"), "1600"));
  m.fred.type(":ladder toot\n");
  m.fred.type("y");
  REQUIRE(m.fred.shows("you may challenge"));
  m.fred.type("gc");  // headings cannot be selected
  CHECK(m.fred.shows("you challenge wilma"));
  CHECK(m.fred.shows("plays fred"));
  m.fred.press(kEsc);
  m.fred.type(":profile\n");
  CHECK(m.fred.shows("Ladders"));
  CHECK(m.fred.shows("place 2 of 2"));
  m.fred.press(kEsc);
  m.fred.type(":profile wilma\n");
  CHECK(m.fred.shows("place 1 of 2"));
  m.fred.press(kEsc);
  m.fred.type(":profile nobody\n");
  CHECK(m.fred.shows("There is no userid nobody"));
  m.fred.press({Key::Code::down});
  CHECK(m.fred.shows("There is no userid nobody"));
  m.fred.press(kEsc);
  // A command that changes something is sent once and opens no page.
  m.fred.type(":ladder chaos -fast join\n");
  CHECK_FALSE(m.fred.shows("Ladder of"));
}

TEST_CASE("tv opens the best game of others, or one that ended in the week",
          "[remote][ui][contests]") {
  TwoScreenUsers m;
  ScreenUser betty(m.network, m.home.path(), "betty");
  betty.type("v");
  CHECK(betty.shows("No game of others runs in which all have moved"));
  m.start_game();
  m.fred.type("BT\n");
  betty.type("v");
  CHECK(betty.shows("No game of others runs"));  // wilma has not accepted yet
  m.wilma.take_changes();
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // an earlier Enter does not count
  m.wilma.type("CO\n");
  betty.type("v");
  CHECK(betty.shows("The best game that runs: fred and wilma, mean rating 1600."));
  CHECK(betty.shows("1 BT"));
  m.fred.take_changes();
  CHECK(m.fred.shows("betty"));  // among the watchers
  betty.press(kEsc);
  // Again while it runs: it is watched already, and not over.
  betty.type("v");
  CHECK(betty.shows("The best game that runs"));
  CHECK_FALSE(betty.shows("Space replays it"));
  betty.press(kEsc);
  REQUIRE(m.fred.remote.run_command("toot resign 101").ok());
  betty.take_changes();
  betty.type("v");
  CHECK(betty.shows("The best game of the week"));
  CHECK(betty.shows("Space replays it."));
}
