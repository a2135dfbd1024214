// SPDX-License-Identifier: MIT
// Tests the connection to a server: plies, users and tasks when it breaks or hangs.
#include "boards/fake_network.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("a move is played once, wherever the line breaks", "[remote]") {
  const Fault fault = GENERATE(Fault::before, Fault::after);
  const bool restarted = GENERATE(false, true);
  Two two;
  auto board = *two.fred.there.open(two.id);
  two.cable.fault = fault;
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(board.match.plies().size() == 1);
  CHECK(two.times_played("BT") == 1);
  CHECK_FALSE(two.fred.there.pending(two.id));

  // If no connection is possible at once, the ply is sent later.
  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "BO") == "");
  board = *two.fred.there.open(two.id);
  two.cable.fault = fault;
  two.cable.stays_down = true;
  const auto lost = two.fred.there.play(board, {MoveRequest{std::nullopt, "CT"}});
  REQUIRE_FALSE(lost.ok());
  CHECK(has(lost.refusal().why, "The connection broke before CT was answered."));
  CHECK(two.fred.there.pending(two.id));
  CHECK(two.fred.there.trouble() == "no connection");
  CHECK(board.match.plies().size() == 2);
  two.fred.wait();
  CHECK(two.fred.there.trouble() == "no connection");
  if (restarted) {
    two.hall.restart();
  }
  two.cable.down = false;
  for (int i = 0; i < 20 && two.fred.there.pending(two.id); ++i) two.fred.wait();
  CHECK_FALSE(two.fred.there.pending(two.id));
  CHECK(two.times_played("CT") == 1);
  CHECK(has(two.fred.news(), "toot-101: The connection is back, and CT is played.\n"));
  board = *two.fred.there.open(two.id);
  CHECK(board.match.plies().size() == 3);
  CHECK(two.fred.there.trouble() == "");
}

TEST_CASE(
    "a move that waits for the line is called off by another one, and refused when the board moved "
    "on",
    "[remote]") {
  Two two;
  auto board = *two.fred.there.open(two.id);
  two.cable.fault = Fault::before;
  two.cable.stays_down = true;
  REQUIRE_FALSE(two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  two.cable.down = false;
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "CT"}}).ok());
  two.fred.news();
  CHECK(two.times_played("BT") == 0);
  CHECK(two.times_played("CT") == 1);

  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  board = *two.wilma.there.open(two.id);
  two.cable.fault = Fault::before;
  REQUIRE_FALSE(two.wilma.there.play(board, {MoveRequest{std::nullopt, "BO"}}).ok());
  // From another connection wilma plays another ply.
  two.cable.down = false;
  {
    TestClient elsewhere(two.hall, "wilma");
    CHECK(has(elsewhere.first("toot move 101 wilma * DO"), "+OK"));
  }
  for (int i = 0; i < 20 && two.wilma.there.pending(two.id); ++i) two.wilma.wait();
  CHECK(has(two.wilma.news(),
            "The connection is back, but BO is not played: The next move of toot 101 is number 3, "
            "not 2: look at the board again."));
  CHECK(two.times_played("BO") == 0);
}

TEST_CASE("of every board one move waits for the line, and each is played when it is back",
          "[remote]") {
  Two two;
  const Setup toot = setup_of("toot");
  REQUIRE(challenge(two.fred.there, *toot.game, toot.options, {"fred", "wilma"}).ok());
  std::vector<Board> boards;
  for (const std::string id : {"toot-101", "toot-102"}) boards.push_back(*two.fred.there.open(id));
  for (Board& board : boards) {
    two.cable.down = false;
    two.cable.fault = Fault::before;
    two.cable.stays_down = true;
    const auto lost = two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}});
    REQUIRE_FALSE(lost.ok());
    CHECK(has(lost.refusal().why, "It is asked again when the connection is back"));
  }
  two.cable.down = false;
  CHECK(two.fred.there.pending("toot-101"));
  CHECK(two.fred.there.pending("toot-102"));
  for (int i = 0; i < 20 && two.fred.there.pending("toot-102"); ++i) two.fred.wait();
  CHECK_FALSE(two.fred.there.pending("toot-101"));
  const std::string news = two.fred.news();
  CHECK(has(news, "toot-101: The connection is back, and BT is played.\n"));
  CHECK(has(news, "toot-102: The connection is back, and BT is played.\n"));
  for (const std::string id : {"toot-101", "toot-102"})
    CHECK(two.fred.there.open(id)->match.plies().size() == 1);
}

TEST_CASE("a line that somebody's command lays again is told to be back", "[remote]") {
  Two two;
  two.cable.cut();
  CHECK(has(two.fred.news(), "is lost"));
  CHECK(two.fred.there.command("list").ok());
  CHECK(two.fred.news() == "The connection to the server is back.\n");
  auto board = *two.fred.there.open(two.id);
  two.cable.cut();
  CHECK(has(two.fred.news(), "is lost"));
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(two.fred.news() == "The connection to the server is back.\n");
  // A connection that breaks and comes back during one command is not reported.
  two.cable.cut();
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "undo"}}).ok());
  CHECK(two.fred.news() == "");
}

TEST_CASE("a line that broke is tried again in longer and longer whiles, and hears events again",
          "[remote]") {
  Two two;
  two.cable.down = true;
  const auto began = std::chrono::steady_clock::now();
  two.cable.cut();
  CHECK(two.fred.news() ==
        "The connection to the server is lost: the server has closed it. It is tried again by "
        "itself; what is typed stays.\n");
  CHECK(two.fred.there.list().size() == 1);  // the list from before
  CHECK(two.fred.there.open(two.id).refusal().why ==
        "There is no connection to the server now: it is tried again by itself.");
  CHECK_FALSE(two.fred.there.chat(two.id, "hello").ok());
  const std::size_t before = two.cable.dialled;
  for (int i = 0; i < 4; ++i) two.fred.wait();
  CHECK(two.cable.dialled == before + 4);
  CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(1 + 2 + 4 + 8));
  two.hall.restart();
  two.cable.down = false;
  two.fred.wait();
  CHECK(two.fred.news() == "The connection to the server is back.\n");
  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "resign") == "");
  CHECK(two.fred.news() == "toot-101: wilma refused the challenge.\n");
  // While the connection is up no timer runs.
  pollfd p{two.fred.there.changes(), POLLIN, 0};
  CHECK(::poll(&p, 1, 50) == 0);
}

TEST_CASE("a userid and its password let somebody in, and a wrong one does not", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred", false);
  REQUIRE(fred.there.connect().ok());
  CHECK(fred.there.user().empty());
  CHECK(fred.there.list().empty());
  CHECK(fred.there.sign_in("fred", "secret").refusal().why ==
        "There is no userid fred here: signup makes one.");
  const std::string rule =
      " cannot be a userid: it has 1 to 16 letters, digits, '_', '.' and '-', and neither '.' nor "
      "'-' first or last.";
  for (const std::string wrong : {"f d", ".fred", "..", "-fred", "", "seventeen.letters"}) {
    CHECK(fred.there.sign_up(wrong, "secret").refusal().why == "'" + fit(wrong, 24) + "'" + rule);
    CHECK(fred.there.sign_in(wrong, "secret").refusal().why == "'" + fit(wrong, 24) + "'" + rule);
  }
  CHECK_FALSE(fred.there.sign_up("fred", "a:b c").ok());
  // The server would take the second of two words for an address.
  CHECK(fred.there.sign_up("fred", "two words").refusal().why ==
        "A password has 1 to 64 bytes, without blanks, quotes and colons, and does not start with "
        "a dash.");
  CHECK_FALSE(fred.there.sign_in("fred", "secret").ok());
  CHECK(*fred.there.sign_up("Fred", "secret") == "Hello, fred: no board waits for you.");
  CHECK(fred.there.user() == "fred");
  Somebody other(cable, home.path(), "other", false);
  REQUIRE(other.there.connect().ok());
  CHECK(other.there.sign_in("fred", "wrong").refusal().why == "That is not the password of fred.");
  CHECK(other.there.user().empty());
  // The client keeps the password for the next connection, also a new one.
  hall.time += std::chrono::minutes(5);
  cable.cut();
  CHECK(has(fred.news(), "is lost"));
  fred.wait();
  CHECK(fred.there.trouble() == "");
  CHECK(fred.there.command("change password fred * other").refusal().why ==
        "The old password itself is wanted here, in place of '*'.");
  for (const char* line :
       {"change password secret between", "change password fred between other"}) {
    REQUIRE(fred.there.command(line).ok());
    cable.cut();
    fred.news();
    fred.wait();
    CHECK(fred.there.trouble() == "");
  }
  // The password changes elsewhere during a loss: the client does not retry again and again.
  cable.down = true;
  cable.cut();
  fred.news();
  {
    TestClient elsewhere(hall, "fred");
    CHECK(has(elsewhere.first("change password fred * third"), "+OK"));
  }
  cable.down = false;
  fred.wait();
  CHECK(fred.there.trouble() == "signed out");
  CHECK(fred.there.list().empty());
  CHECK(has(fred.there.open("toot-101").refusal().why,
            "You are signed out: That is not the password of fred."));
  const std::size_t dialled = cable.dialled;
  pollfd p{fred.there.changes(), POLLIN, 0};
  fred.there.take_changes();
  CHECK(::poll(&p, 1, 50) == 0);
  CHECK(cable.dialled == dialled);
  // The user is asked once, and again for each command; only the same user can sign in.
  const std::string why = "You are signed out: That is not the password of fred.";
  CHECK(fred.there.take_sign_out() == why);
  CHECK(fred.there.take_sign_out() == "");
  CHECK_FALSE(fred.there.command("list").ok());
  CHECK(fred.there.take_sign_out() == why);
  CHECK(fred.there.sign_in("other", "secret").refusal().why ==
        "You are fred here: start pbmplay anew to be somebody else.");
  CHECK(fred.there.sign_in("fred", "wrong").refusal().why == "That is not the password of fred.");
  CHECK(fred.there.trouble() == "signed out");
  CHECK(fred.there.sign_in("fred", "third").ok());
  CHECK(fred.there.trouble() == "");
  CHECK(fred.there.take_sign_out() == "");
  // A change during a connection is reported at once.
  {
    TestClient elsewhere(hall, "fred");
    CHECK(has(elsewhere.first("change password fred * fourth"), "+OK"));
  }
  fred.there.take_changes();
  CHECK(fred.there.trouble() == "signed out");
  CHECK(fred.there.take_sign_out() ==
        "You are signed out: The password of fred was changed elsewhere.");
  CHECK(fred.there.sign_in("fred", "fourth").ok());
  REQUIRE(fred.there.command("toot limit all").ok());
}

TEST_CASE("a server that has no time for a password now is asked again", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred", false);
  REQUIRE(fred.there.connect().ok());
  REQUIRE(fred.there.sign_up("fred", "secret").ok());
  fred.news();
  cable.put_off = 2;
  cable.cut();
  CHECK(has(fred.news(), "is lost"));
  for (int i = 0; i < 3; ++i) {
    CHECK(fred.there.trouble() == "no connection");
    fred.wait();
  }
  CHECK(fred.there.trouble() == "");
  CHECK(fred.news() == "The connection to the server is back.\n");
}

TEST_CASE("a password is not sent again to whoever cannot be known, but the person is asked",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred", false), wilma(cable, home.path(), "wilma");
  REQUIRE(fred.there.connect().ok());
  REQUIRE(fred.there.sign_up("fred", "secret").ok());
  const Setup setup = setup_of("toot", {});
  REQUIRE(challenge(fred.there, *setup.game, setup.options, {"fred", "wilma"}).ok());
  fred.news();
  auto board = *fred.there.open("toot-101");
  cable.tells_who = false;
  cable.fault = Fault::before;
  cable.sent.clear();
  // On a port the ply waits until the user signs in.
  CHECK(has(fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).refusal().why,
            "The connection broke before BT was answered."));
  const std::string why =
      "You are signed out: the connection broke, and who answers there now cannot be seen. "
      "Type the password only if that is the server.";
  CHECK(fred.there.take_sign_out() == why);
  CHECK(fred.there.trouble() == "signed out");
  CHECK(fred.there.pending("toot-101"));
  const auto passwords = [&] {
    return std::count_if(cable.sent.begin(), cable.sent.end(),
                         [](const std::string& line) { return has(line, "secret"); });
  };
  CHECK(passwords() == 0);
  REQUIRE(fred.there.sign_in("fred", "secret").ok());
  CHECK(passwords() == 1);
  CHECK(has(fred.news(), "The connection is back, and BT is played."));
  // If another login answers on a Unix socket, the client sends nothing and reports it once.
  cable.tells_who = true;
  cable.stranger = "Another login answers there.";
  cable.cut();
  cable.sent.clear();
  CHECK(has(fred.news(), "is lost"));
  for (int i = 0; i < 3; ++i) fred.wait();
  CHECK(fred.news() == "Another login answers there.\n");
  CHECK(cable.sent.empty());
  CHECK_FALSE(fred.there.command("list").ok());
  CHECK(cable.sent.empty());
  cable.stranger.clear();
  // The client kept no password from the port, so it has to ask again.
  CHECK(fred.there.trouble() == "no connection");
}

TEST_CASE("the login at the other end of a Unix socket is known again, in another run too",
          "[remote]") {
  TemporaryDirectory home;
  const fs::path file = home / "servers/place/.login";
  CHECK(KnownLogin("/run/x", file).check(std::nullopt).ok());
  CHECK_FALSE(fs::exists(file));
  CHECK(KnownLogin("/run/x", file).check(1000).ok());
  KnownLogin later("/run/x", file);
  CHECK(later.check(1001).refusal().why ==
        "Another login (uid 1001) answers at /run/x than before (uid 1000): nothing is sent there. "
        "If that is right, remove " +
            file.string() + ".");
  CHECK(later.check(1000).ok());
  fs::remove(file);
  CHECK_FALSE(later.check(1001).ok());
  CHECK(KnownLogin("/run/x", file).check(1001).ok());
  KnownLogin unkept("/run/x", {});
  CHECK(unkept.check(1000).ok());
  CHECK(
      unkept.check(1001).refusal().why ==
      "Another login (uid 1001) answers at /run/x than before (uid 1000): nothing is sent there.");
}

TEST_CASE("commands are sent as they are, but for those that would part us from the server",
          "[remote]") {
  Two two;
  const auto help = two.fred.there.command("help");
  REQUIRE(help.ok());
  CHECK(help->summary == "The commands.");
  CHECK(help->lines.size() > 30);
  CHECK(two.fred.there.command("toot games")->lines.size() == 1);
  CHECK(two.fred.there.command("dance").refusal().why ==
        "There is no command 'dance': help lists them.");
  for (const std::string line : {"", "multiple", "QUIT", "login wilma x", "as wilma", "list\nquit",
                                 "li\x1Bst", "** multiple", "** ** quit", "** login wilma x"}) {
    INFO(line);
    CHECK_FALSE(two.fred.there.command(line).ok());
  }
  CHECK(two.fred.there.user() == "fred");
  CHECK(two.fred.there.command("list").ok());
}

TEST_CASE("a queued move is told on its board, and played when its turn comes", "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.there.open(two.id);
  CHECK(*two.fred.there.queue(board, "CT") ==
        "CT is queued on toot 101, for when it is your turn.");
  board = *two.fred.there.open(two.id);
  CHECK(board.remote->queued == "Queued on toot 101: CT.");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(two.fred.there.open(two.id)->match.plies().size() == 3);
  CHECK(two.wilma.play(two.id, "FO") == "");
  board = *two.fred.there.open(two.id);
  CHECK(board.remote->queued == "");
  CHECK(two.fred.there.queue(board, "none").refusal().why == "Nothing is queued on toot 101.");
}

// --- wrong servers ----------------------------------------------------------------

namespace {

// A server that answers only after the test lets it go on.
struct Stopped {
  EventFd goes_on;
  bool stopped = false;
  Reply answer{"Hello", {}};
  std::size_t asked = 0;

  struct Line final : ServerLine {
    Line(Stopped& s, Waiter waits) : server(s), wait(std::move(waits)) {}
    Result<Reply> ask(std::string_view) override {
      ++server.asked;
      if (server.stopped && !wait(server.goes_on.get(), POLLIN, 20'000))
        return Refusal{"It was waited for no longer."};
      return server.answer;
    }
    Result<Done> take_in() override { return Done{}; }
    std::vector<std::string> take_events() override { return {}; }
    int descriptor() const override { return -1; }
    Stopped& server;
    Waiter wait;
  };
  void go_on() {
    stopped = false;
    goes_on.ring();
  }
  RemoteBoards::Setup setup() {
    RemoteBoards::Setup out{
        [this](const Waiter& wait) -> Result<std::unique_ptr<ServerLine>> {
          return std::unique_ptr<ServerLine>(std::make_unique<Line>(*this, wait));
        },
        "nowhere",
        {},
        std::chrono::milliseconds(1)};
    out.screen = true;
    return out;
  }
};

// Waits for changes and takes them, as a screen does.
template <class Some>
void take_some(Some& boards, int milliseconds = 200) {
  pollfd p{boards.changes(), POLLIN, 0};
  ::poll(&p, 1, milliseconds);
  boards.take_changes();
}

}  // namespace

TEST_CASE("what is known at once waits for no server", "[remote]") {
  TemporaryDirectory home;
  Stopped server;
  RemoteBoards there(server.setup());
  REQUIRE(there.connect_within(std::chrono::seconds(20), "fred").ok());
  LocalBoards own(home / "saves", source_root() / "saves", LocalBoards::Scope::anywhere,
                  kOwnBoards);
  Boards boards(own, &there);
  server.stopped = true;
  bool answered = false;
  const Handle handle = boards.ask("toot-101", [&]() -> Callback {
    return [&, board = boards.open("toot-101")] { answered = true; };
  });
  REQUIRE(handle);
  CHECK(there.remove("toot-101").refusal().why ==
        "On a server a board ends by resigning, and finished ones are kept.");
  CHECK(there.restore("toot-101").refusal().why == "A server's boards are not deleted.");
  CHECK(there.rename("toot-101", "x").refusal().why == "A server gives its boards their names.");
  CHECK(boards.list().empty());
  CHECK(boards.server().waiting("") == 0);
  CHECK(boards.server().asking());
  CHECK_FALSE(answered);
  SECTION("it is answered when the server answers") { server.go_on(); }
  SECTION("it is refused when it is waited for no longer") { boards.server().give_up(); }
  for (int i = 0; i < 100 && !answered; ++i) take_some(boards);
  CHECK(answered);
  CHECK_FALSE(boards.server().asking());
}

TEST_CASE("tasks end in their order, and of those that nobody waits for nothing is told",
          "[remote]") {
  Stopped server;
  RemoteBoards boards(server.setup());
  REQUIRE(boards.connect_within(std::chrono::seconds(20), "fred").ok());
  server.stopped = true;
  std::string told, done;
  const auto ask = [&](const std::string& name, Priority priority = Priority::person) {
    return boards.ask(
        [&, name]() -> Callback {
          done += name;
          const auto answer = boards.command("help");
          return [&, name, ok = answer.ok()] { told += name + (ok ? "+" : "-"); };
        },
        priority);
  };
  const Handle first = ask("1");
  Handle second = ask("2");
  Handle third = ask("3", Priority::picture);
  const Handle fourth = ask("4");
  second.reset();
  third.reset();
  server.go_on();
  for (int i = 0; i < 100 && told.size() < 4; ++i) take_some(boards);
  CHECK(told == "1+4+");
  CHECK(done == "124");  // a picture's task without a caller does not run
  // ask() throws what a task throws, if it runs the callback.
  CHECK_THROWS_AS(boards.ask([]() -> Callback { throw Error("full"); }), Error);
}

TEST_CASE("a userid that the server refuses late is refused all the same, and not tried again",
          "[remote]") {
  const bool for_now = GENERATE(false, true);
  Stopped server;
  server.answer = Refusal{"fred has signed off."};
  server.answer.busy = for_now;
  server.stopped = true;
  RemoteBoards there(server.setup());
  REQUIRE(there.connect_within(std::chrono::milliseconds(1), "fred").ok());
  CHECK(there.turned_away().empty());
  server.go_on();
  for (int i = 0; i < 100 && there.turned_away().empty() && server.asked < 10; ++i)
    take_some(there, 20);
  if (for_now) {
    CHECK(there.turned_away().empty());
    CHECK(server.asked >= 10);
  } else {
    CHECK(there.turned_away() == "fred has signed off.");
    CHECK(server.asked == 3);  // as, hello and watch, once
  }
}

// --- at the keyboard -----------------------------------------------------------------
