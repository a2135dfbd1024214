// SPDX-License-Identifier: MIT
// Tests the connection to a server: plies, users and tasks when it breaks or hangs.
#include "boards/fake_network.hpp"

using namespace pbm;
using namespace pbm::test;

TEST_CASE("a move is played once, wherever the line breaks", "[remote]") {
  const Fault fault = GENERATE(Fault::before_server, Fault::after_server);
  const bool restarted = GENERATE(false, true);
  TwoUsers two;
  auto board = *two.fred.remote.open(two.id);
  two.network.fault = fault;
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(board.match.plies().size() == 1);
  CHECK(two.count_played("BT") == 1);
  CHECK_FALSE(two.fred.remote.has_pending(two.id));

  // If no connection is possible at once, the ply is sent later.
  REQUIRE(two.wilma.remote.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "BO") == "");
  board = *two.fred.remote.open(two.id);
  two.network.fault = fault;
  two.network.stays_down = true;
  const auto lost = two.fred.remote.play(board, {MoveRequest{std::nullopt, "CT"}});
  REQUIRE_FALSE(lost.ok());
  CHECK(contains(lost.refusal().reason, "The connection broke before the server answered CT."));
  CHECK(two.fred.remote.has_pending(two.id));
  CHECK(two.fred.remote.connection_problem() == "no connection");
  CHECK(board.match.plies().size() == 2);
  two.fred.wait_for_retry();
  CHECK(two.fred.remote.connection_problem() == "no connection");
  if (restarted) {
    two.server.restart();
  }
  two.network.is_down = false;
  for (int i = 0; i < 20 && two.fred.remote.has_pending(two.id); ++i) two.fred.wait_for_retry();
  CHECK_FALSE(two.fred.remote.has_pending(two.id));
  CHECK(two.count_played("CT") == 1);
  CHECK(contains(two.fred.take_notifications(),
                 "toot-101: The connection is back, and CT is played.\n"));
  board = *two.fred.remote.open(two.id);
  CHECK(board.match.plies().size() == 3);
  CHECK(two.fred.remote.connection_problem() == "");
}

TEST_CASE(
    "a move that waits for the line is called off by another one, and refused when the board moved "
    "on",
    "[remote]") {
  TwoUsers two;
  auto board = *two.fred.remote.open(two.id);
  two.network.fault = Fault::before_server;
  two.network.stays_down = true;
  REQUIRE_FALSE(two.fred.remote.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  two.network.is_down = false;
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "CT"}}).ok());
  two.fred.take_notifications();
  CHECK(two.count_played("BT") == 0);
  CHECK(two.count_played("CT") == 1);

  REQUIRE(two.wilma.remote.connect_as("wilma").ok());
  board = *two.wilma.remote.open(two.id);
  two.network.fault = Fault::before_server;
  REQUIRE_FALSE(two.wilma.remote.play(board, {MoveRequest{std::nullopt, "BO"}}).ok());
  // From another connection wilma plays another ply.
  two.network.is_down = false;
  {
    TestClient elsewhere(two.server, "wilma");
    CHECK(contains(elsewhere.first_reply_line("toot move 101 wilma * DO"), "+OK"));
  }
  for (int i = 0; i < 20 && two.wilma.remote.has_pending(two.id); ++i) two.wilma.wait_for_retry();
  CHECK(contains(
      two.wilma.take_notifications(),
      "The connection is back, but BO is not played: The next move of toot 101 is number 3, "
      "not 2. Look at the board again."));
  CHECK(two.count_played("BO") == 0);
}

TEST_CASE("of every board one move waits for the line, and each is played when it is back",
          "[remote]") {
  TwoUsers two;
  const Setup toot = make_setup("toot");
  REQUIRE(create_challenge(two.fred.remote, *toot.game, toot.options, {"fred", "wilma"}).ok());
  std::vector<Board> boards;
  for (const std::string id : {"toot-101", "toot-102"}) boards.push_back(*two.fred.remote.open(id));
  for (Board& board : boards) {
    two.network.is_down = false;
    two.network.fault = Fault::before_server;
    two.network.stays_down = true;
    const auto lost = two.fred.remote.play(board, {MoveRequest{std::nullopt, "BT"}});
    REQUIRE_FALSE(lost.ok());
    CHECK(contains(lost.refusal().reason, "It is sent again when the connection is back"));
  }
  two.network.is_down = false;
  CHECK(two.fred.remote.has_pending("toot-101"));
  CHECK(two.fred.remote.has_pending("toot-102"));
  for (int i = 0; i < 20 && two.fred.remote.has_pending("toot-102"); ++i) two.fred.wait_for_retry();
  CHECK_FALSE(two.fred.remote.has_pending("toot-101"));
  const std::string news = two.fred.take_notifications();
  CHECK(contains(news, "toot-101: The connection is back, and BT is played.\n"));
  CHECK(contains(news, "toot-102: The connection is back, and BT is played.\n"));
  for (const std::string id : {"toot-101", "toot-102"})
    CHECK(two.fred.remote.open(id)->match.plies().size() == 1);
}

TEST_CASE("a line that somebody's command lays again is told to be back", "[remote]") {
  TwoUsers two;
  two.network.break_connections();
  CHECK(contains(two.fred.take_notifications(), "is lost"));
  CHECK(two.fred.remote.run_command("list").ok());
  CHECK(two.fred.take_notifications() == "The connection to the server is back.\n");
  auto board = *two.fred.remote.open(two.id);
  two.network.break_connections();
  CHECK(contains(two.fred.take_notifications(), "is lost"));
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(two.fred.take_notifications() == "The connection to the server is back.\n");
  // A connection that breaks and comes back during one command is not reported.
  two.network.break_connections();
  CHECK(two.fred.remote.play(board, {MoveRequest{std::nullopt, "undo"}}).ok());
  CHECK(two.fred.take_notifications() == "");
}

TEST_CASE("a line that broke is tried again in longer and longer whiles, and hears events again",
          "[remote]") {
  TwoUsers two;
  two.network.is_down = true;
  const auto began = std::chrono::steady_clock::now();
  two.network.break_connections();
  CHECK(two.fred.take_notifications() ==
        "The connection to the server is lost: the server closed it. The program tries "
        "again; your text stays.\n");
  CHECK(two.fred.remote.list().size() == 1);  // the list from before
  CHECK(two.fred.remote.open(two.id).refusal().reason ==
        "There is no connection to the server. The program tries again.");
  CHECK_FALSE(two.fred.remote.send_chat(two.id, "hello").ok());
  const std::size_t before = two.network.connect_count;
  for (int i = 0; i < 4; ++i) two.fred.wait_for_retry();
  CHECK(two.network.connect_count == before + 4);
  CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(1 + 2 + 4 + 8));
  two.server.restart();
  two.network.is_down = false;
  two.fred.wait_for_retry();
  CHECK(two.fred.take_notifications() == "The connection to the server is back.\n");
  REQUIRE(two.wilma.remote.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "resign") == "");
  CHECK(two.fred.take_notifications() == "toot-101: wilma refused the challenge.\n");
  // While the connection is up no timer runs.
  pollfd p{two.fred.remote.change_descriptor(), POLLIN, 0};
  CHECK(::poll(&p, 1, 50) == 0);
}

TEST_CASE("a userid and its password let somebody in, and a wrong one does not", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred", false);
  REQUIRE(fred.remote.connect().ok());
  CHECK(fred.remote.userid().empty());
  CHECK(fred.remote.list().empty());
  CHECK(fred.remote.sign_in("fred", "secret").refusal().reason ==
        "There is no userid fred. Sign up to create it.");
  const std::string rule =
      " cannot be a userid. A userid has 1 to 16 letters, digits, '_', '.' and '-', but no '.' or "
      "'-' first or last.";
  for (const std::string wrong : {"f d", ".fred", "..", "-fred", "", "seventeen.letters"}) {
    CHECK(fred.remote.sign_up(wrong, "secret").refusal().reason ==
          "'" + fit(wrong, 24) + "'" + rule);
    CHECK(fred.remote.sign_in(wrong, "secret").refusal().reason ==
          "'" + fit(wrong, 24) + "'" + rule);
  }
  CHECK_FALSE(fred.remote.sign_up("fred", "a:b c").ok());
  // The server would take the second of two words for an address.
  CHECK(fred.remote.sign_up("fred", "two words").refusal().reason ==
        "A password has 1 to 64 bytes, without blanks, quotes or colons, and does not start with "
        "a dash.");
  CHECK_FALSE(fred.remote.sign_in("fred", "secret").ok());
  CHECK(*fred.remote.sign_up("Fred", "secret") == "Hello, fred. No game needs your move.");
  CHECK(fred.remote.userid() == "fred");
  TestUser other(cable, home.path(), "other", false);
  REQUIRE(other.remote.connect().ok());
  CHECK(other.remote.sign_in("fred", "wrong").refusal().reason ==
        "That is not the password of fred.");
  CHECK(other.remote.userid().empty());
  // The client keeps the password for the next connection, also a new one.
  hall.time += std::chrono::minutes(5);
  cable.break_connections();
  CHECK(contains(fred.take_notifications(), "is lost"));
  fred.wait_for_retry();
  CHECK(fred.remote.connection_problem() == "");
  CHECK(fred.remote.run_command("change password fred * other").refusal().reason ==
        "Write the old password itself, not '*'.");
  for (const char* line :
       {"change password secret between", "change password fred between other"}) {
    REQUIRE(fred.remote.run_command(line).ok());
    cable.break_connections();
    fred.take_notifications();
    fred.wait_for_retry();
    CHECK(fred.remote.connection_problem() == "");
  }
  // The password changes elsewhere during a loss: the client does not retry again and again.
  cable.is_down = true;
  cable.break_connections();
  fred.take_notifications();
  {
    TestClient elsewhere(hall, "fred");
    CHECK(contains(elsewhere.first_reply_line("change password fred * third"), "+OK"));
  }
  cable.is_down = false;
  fred.wait_for_retry();
  CHECK(fred.remote.connection_problem() == "signed out");
  CHECK(fred.remote.list().empty());
  CHECK(contains(fred.remote.open("toot-101").refusal().reason,
                 "You are signed out: That is not the password of fred."));
  const std::size_t dialled = cable.connect_count;
  pollfd p{fred.remote.change_descriptor(), POLLIN, 0};
  fred.remote.take_changes();
  CHECK(::poll(&p, 1, 50) == 0);
  CHECK(cable.connect_count == dialled);
  // The user is asked once, and again for each command; only the same user can sign in.
  const std::string why = "You are signed out: That is not the password of fred.";
  CHECK(fred.remote.take_sign_out_reason() == why);
  CHECK(fred.remote.take_sign_out_reason() == "");
  CHECK_FALSE(fred.remote.run_command("list").ok());
  CHECK(fred.remote.take_sign_out_reason() == why);
  CHECK(fred.remote.sign_in("other", "secret").refusal().reason ==
        "You are signed in as fred. Restart pbmplay to change that.");
  CHECK(fred.remote.sign_in("fred", "wrong").refusal().reason ==
        "That is not the password of fred.");
  CHECK(fred.remote.connection_problem() == "signed out");
  CHECK(fred.remote.sign_in("fred", "third").ok());
  CHECK(fred.remote.connection_problem() == "");
  CHECK(fred.remote.take_sign_out_reason() == "");
  // A change during a connection is reported at once.
  {
    TestClient elsewhere(hall, "fred");
    CHECK(contains(elsewhere.first_reply_line("change password fred * fourth"), "+OK"));
  }
  fred.remote.take_changes();
  CHECK(fred.remote.connection_problem() == "signed out");
  CHECK(fred.remote.take_sign_out_reason() ==
        "You are signed out: The password of fred was changed elsewhere.");
  CHECK(fred.remote.sign_in("fred", "fourth").ok());
  REQUIRE(fred.remote.run_command("toot limit all").ok());
}

TEST_CASE("a server that has no time for a password now is asked again", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred", false);
  REQUIRE(fred.remote.connect().ok());
  REQUIRE(fred.remote.sign_up("fred", "secret").ok());
  fred.take_notifications();
  cable.logins_to_refuse = 2;
  cable.break_connections();
  CHECK(contains(fred.take_notifications(), "is lost"));
  for (int i = 0; i < 3; ++i) {
    CHECK(fred.remote.connection_problem() == "no connection");
    fred.wait_for_retry();
  }
  CHECK(fred.remote.connection_problem() == "");
  CHECK(fred.take_notifications() == "The connection to the server is back.\n");
}

TEST_CASE("a password is not sent again to whoever cannot be known, but the person is asked",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  TestUser fred(cable, home.path(), "fred", false), wilma(cable, home.path(), "wilma");
  REQUIRE(fred.remote.connect().ok());
  REQUIRE(fred.remote.sign_up("fred", "secret").ok());
  const Setup setup = make_setup("toot", {});
  REQUIRE(create_challenge(fred.remote, *setup.game, setup.options, {"fred", "wilma"}).ok());
  fred.take_notifications();
  auto board = *fred.remote.open("toot-101");
  cable.can_check_login = false;
  cable.fault = Fault::before_server;
  cable.sent.clear();
  // On a port the ply waits until the user signs in.
  CHECK(contains(fred.remote.play(board, {MoveRequest{std::nullopt, "BT"}}).refusal().reason,
                 "The connection broke before the server answered BT."));
  const std::string why =
      "You are signed out: the connection broke, and the program cannot identify the server "
      "now. Type the password only if you trust it.";
  CHECK(fred.remote.take_sign_out_reason() == why);
  CHECK(fred.remote.connection_problem() == "signed out");
  CHECK(fred.remote.has_pending("toot-101"));
  const auto passwords = [&] {
    return std::count_if(cable.sent.begin(), cable.sent.end(),
                         [](const std::string& line) { return contains(line, "secret"); });
  };
  CHECK(passwords() == 0);
  REQUIRE(fred.remote.sign_in("fred", "secret").ok());
  CHECK(passwords() == 1);
  CHECK(contains(fred.take_notifications(), "The connection is back, and BT is played."));
  // If another login answers on a Unix socket, the client sends nothing and reports it once.
  cable.can_check_login = true;
  cable.login_refusal = "Another login answers there.";
  cable.break_connections();
  cable.sent.clear();
  CHECK(contains(fred.take_notifications(), "is lost"));
  for (int i = 0; i < 3; ++i) fred.wait_for_retry();
  CHECK(fred.take_notifications() == "Another login answers there.\n");
  CHECK(cable.sent.empty());
  CHECK_FALSE(fred.remote.run_command("list").ok());
  CHECK(cable.sent.empty());
  cable.login_refusal.clear();
  // The client kept no password from the port, so it has to ask again.
  CHECK(fred.remote.connection_problem() == "no connection");
}

TEST_CASE("the login at the other end of a Unix socket is known again, in another run too",
          "[remote]") {
  TemporaryDirectory home;
  const fs::path file = home / "servers/place/.login";
  CHECK(KnownLogin("/run/x", file).check(std::nullopt).ok());
  CHECK_FALSE(fs::exists(file));
  CHECK(KnownLogin("/run/x", file).check(1000).ok());
  KnownLogin later("/run/x", file);
  CHECK(
      later.check(1001).refusal().reason ==
      "Another login (uid 1001) answers at /run/x than before (uid 1000). Nothing was sent there. "
      "If that is right, remove " +
          file.string() + ".");
  CHECK(later.check(1000).ok());
  fs::remove(file);
  CHECK_FALSE(later.check(1001).ok());
  CHECK(KnownLogin("/run/x", file).check(1001).ok());
  KnownLogin unkept("/run/x", {});
  CHECK(unkept.check(1000).ok());
  CHECK(
      unkept.check(1001).refusal().reason ==
      "Another login (uid 1001) answers at /run/x than before (uid 1000). Nothing was sent there.");
}

TEST_CASE("commands are sent as they are, but for those that would part us from the server",
          "[remote]") {
  TwoUsers two;
  const auto help = two.fred.remote.run_command("help");
  REQUIRE(help.ok());
  CHECK(help->summary == "The commands.");
  CHECK(help->lines.size() > 30);
  CHECK(two.fred.remote.run_command("toot games")->lines.size() == 1);
  CHECK(two.fred.remote.run_command("dance").refusal().reason ==
        "There is no command dance. Type help for the list.");
  for (const std::string line : {"", "multiple", "QUIT", "login wilma x", "as wilma", "list\nquit",
                                 "li\x1Bst", "** multiple", "** ** quit", "** login wilma x"}) {
    INFO(line);
    CHECK_FALSE(two.fred.remote.run_command(line).ok());
  }
  CHECK(two.fred.remote.userid() == "fred");
  CHECK(two.fred.remote.run_command("list").ok());
}

TEST_CASE("a queued move is told on its board, and played when its turn comes", "[remote]") {
  TwoUsers two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.remote.open(two.id);
  CHECK(*two.fred.remote.queue_move(board, "CT") == "CT is queued on toot 101 for your next turn.");
  board = *two.fred.remote.open(two.id);
  CHECK(board.remote->queued_ply == "Queued on toot 101: CT.");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(two.fred.remote.open(two.id)->match.plies().size() == 3);
  CHECK(two.wilma.play(two.id, "FO") == "");
  board = *two.fred.remote.open(two.id);
  CHECK(board.remote->queued_ply == "");
  CHECK(two.fred.remote.queue_move(board, "none").refusal().reason ==
        "No move is queued on toot 101.");
}

// --- wrong servers ----------------------------------------------------------------

namespace {

// A server that answers only after the test lets it go on.
struct PausedServer {
  EventFd resume_event;
  bool is_paused = false;
  Reply reply{"Hello", {}};
  std::size_t request_count = 0;

  struct Connection final : ServerConnection {
    Connection(PausedServer& s, Waiter waits) : server(s), wait(std::move(waits)) {}
    Result<Reply> ask(std::string_view) override {
      ++server.request_count;
      if (server.is_paused && !wait(server.resume_event.get(), POLLIN, 20'000))
        return Refusal{"The request was cancelled."};
      return server.reply;
    }
    Result<Success> receive() override { return Success{}; }
    std::vector<std::string> take_events() override { return {}; }
    int descriptor() const override { return -1; }
    PausedServer& server;
    Waiter wait;
  };
  void resume() {
    is_paused = false;
    resume_event.notify();
  }
  RemoteBoards::Setup setup() {
    RemoteBoards::Setup out{
        [this](const Waiter& wait) -> Result<std::unique_ptr<ServerConnection>> {
          return std::unique_ptr<ServerConnection>(std::make_unique<Connection>(*this, wait));
        },
        "nowhere",
        {},
        std::chrono::milliseconds(1)};
    out.is_screen = true;
    return out;
  }
};

// Waits for changes and takes them, as a screen does.
template <class Some>
void wait_and_take(Some& boards, int milliseconds = 200) {
  pollfd p{boards.change_descriptor(), POLLIN, 0};
  ::poll(&p, 1, milliseconds);
  boards.take_changes();
}

}  // namespace

TEST_CASE("what is known at once waits for no server", "[remote]") {
  TemporaryDirectory home;
  PausedServer server;
  RemoteBoards there(server.setup());
  REQUIRE(there.connect_within(std::chrono::seconds(20), "fred").ok());
  LocalBoards own(home / "saves", source_root() / "saves", LocalBoards::Scope::any_file,
                  kLocalPrefix);
  Boards boards(own, &there);
  server.is_paused = true;
  bool answered = false;
  const TaskHandle handle = boards.start_task("toot-101", [&]() -> Callback {
    return [&, board = boards.open("toot-101")] { answered = true; };
  });
  REQUIRE(handle);
  CHECK(there.remove("toot-101").refusal().reason ==
        "Games on a server cannot be deleted. Resign to end one that runs.");
  CHECK(there.restore("toot-101").refusal().reason == "A board on a server is never deleted.");
  CHECK(there.rename("toot-101", "x").refusal().reason == "Games on a server keep their names.");
  CHECK(boards.list().empty());
  CHECK(boards.server().count_waiting("") == 0);
  CHECK(boards.server().has_person_task());
  CHECK_FALSE(answered);
  SECTION("it is answered when the server answers") { server.resume(); }
  SECTION("it is refused when it is waited for no longer") { boards.server().cancel_tasks(); }
  for (int i = 0; i < 100 && !answered; ++i) wait_and_take(boards);
  CHECK(answered);
  CHECK_FALSE(boards.server().has_person_task());
}

TEST_CASE("tasks end in their order, and of those that nobody waits for nothing is told",
          "[remote]") {
  PausedServer server;
  RemoteBoards boards(server.setup());
  REQUIRE(boards.connect_within(std::chrono::seconds(20), "fred").ok());
  server.is_paused = true;
  std::string told, done;
  const auto ask = [&](const std::string& name, Priority priority = Priority::person) {
    return boards.start_task(
        [&, name]() -> Callback {
          done += name;
          const auto answer = boards.run_command("help");
          return [&, name, ok = answer.ok()] { told += name + (ok ? "+" : "-"); };
        },
        priority);
  };
  const TaskHandle first = ask("1");
  TaskHandle second = ask("2");
  TaskHandle third = ask("3", Priority::display);
  const TaskHandle fourth = ask("4");
  second.reset();
  third.reset();
  server.resume();
  for (int i = 0; i < 100 && told.size() < 4; ++i) wait_and_take(boards);
  CHECK(told == "1+4+");
  CHECK(done == "124");  // a picture's task without a caller does not run
  // ask() throws what a task throws, if it runs the callback.
  CHECK_THROWS_AS(boards.start_task([]() -> Callback { throw Error("full"); }), Error);
}

TEST_CASE("a userid that the server refuses late is refused all the same, and not tried again",
          "[remote]") {
  const bool for_now = GENERATE(false, true);
  PausedServer server;
  server.reply = Refusal{"fred has closed the account."};
  server.reply.is_busy = for_now;
  server.is_paused = true;
  RemoteBoards there(server.setup());
  REQUIRE(there.connect_within(std::chrono::milliseconds(1), "fred").ok());
  CHECK(there.entry_refusal().empty());
  server.resume();
  for (int i = 0; i < 100 && there.entry_refusal().empty() && server.request_count < 10; ++i)
    wait_and_take(there, 20);
  if (for_now) {
    CHECK(there.entry_refusal().empty());
    CHECK(server.request_count >= 10);
  } else {
    CHECK(there.entry_refusal() == "fred has closed the account.");
    CHECK(server.request_count == 3);  // as, hello and watch, once
  }
}

// --- at the keyboard -----------------------------------------------------------------
