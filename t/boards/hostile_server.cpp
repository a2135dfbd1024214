// SPDX-License-Identifier: MIT
// Tests servers that are wrong or malicious.
#include "boards/fake_network.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// A connection to a server whose replies and events the test chooses.
struct HostileConnection final : ServerConnection {
  std::function<Result<Reply>(std::string_view)> reply_to;
  std::vector<std::string> events;
  Result<Reply> ask(std::string_view line) override { return reply_to(line); }
  Result<Success> receive() override { return Success{}; }
  std::vector<std::string> take_events() override { return std::exchange(events, {}); }
  int descriptor() const override { return -1; }
};

struct HostileServer {
  std::function<Result<Reply>(std::string_view)> reply_to;
  HostileConnection* connection = nullptr;
  RemoteBoards boards{{[this](const Waiter&) -> Result<std::unique_ptr<ServerConnection>> {
                         auto made = std::make_unique<HostileConnection>();
                         made->reply_to = [this](std::string_view l) { return reply_to(l); };
                         connection = made.get();
                         return std::unique_ptr<ServerConnection>(std::move(made));
                       },
                       "nowhere",
                       {},
                       std::chrono::milliseconds(1)}};
  explicit HostileServer(std::function<Result<Reply>(std::string_view)> how)
      : reply_to(std::move(how)) {
    REQUIRE(boards.connect_as("fred").ok());
  }
};

bool is_harmless(const std::string& text) { return safe_text(text) == text && text.size() < 2000; }

}  // namespace

TEST_CASE("whatever a server answers, it is one harmless sentence here", "[remote]") {
  const std::string evil = "\x1B[2J\x1B]0;x\x07 \xE2\x80\xAE \xFF" + std::string(100'000, 'x');
  const std::string save =
      "format: 1\ngame: toot\nseats: [fred, \"\\e[2J\"]\nstarted: 2026-11-21T12:00:00Z\nplies:\n";
  std::vector<Reply> replies{
      {true, evil, {evil, evil}},
      {false, evil, {}},
      {true, "", {}},
      {false, "", {}},
      {true,
       "x",
       {"{board: toot-101, seats: [a, b], plies: 99999999999999999999, turn: 7}",
        "{board: ../x, seats: [a, b]}", "{board: toot-102, seats: [" + evil + ", b], turn: 1}",
        "{board: toot-103, options: [-evil], seats: [fred, b], turn: 1}", "{board: toot-104}",
        "{board: toot-106, broken: {a: b}}", "{{{{", "- x", "",
        "{board: toot-105, seats: [fred, \"\\e[2J\"], turn: 1, changed: never}"}},
      {true, "x", {save}},
      {true, "x", split_words(save)},
      {true, "Board x of", {}},
      {true, "Board 101 of", {}}};
  std::vector<std::string> save_lines;
  std::istringstream in(save);
  for (std::string l; std::getline(in, l);) save_lines.push_back(l);
  replies.push_back({true, "x", save_lines});
  for (std::size_t i = 0; i < replies.size(); ++i) {
    INFO("reply " << i);
    HostileServer lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
    lies.boards.notifications().take();
    lies.reply_to = [&](std::string_view) -> Result<Reply> { return replies[i]; };
    lies.connection->events = {evil,
                               "toot 101",
                               "toot 101 chat",
                               "toot 101 chat " + evil + " : " + evil,
                               "toot 0 turn 1",
                               "toot 101 ply",
                               "toot 101 ply a",
                               "toot 101 over : " + evil,
                               "message " + evil,
                               "message x : " + evil,
                               " : ",
                               ":",
                               ""};
    for (int k = 0; k < 3000; ++k) lies.connection->events.push_back("toot 101 chat wilma : spam");
    lies.boards.take_changes();
    const auto news = lies.boards.notifications().take();
    CHECK(news.size() <= 1000);
    for (const Notification& n : news) CHECK(is_harmless(n.text));
    const auto list = lies.boards.list();
    CHECK(list.size() <= 6);
    for (const BoardSummary& l : list) {
      CHECK(is_harmless(l.id));
      CHECK(is_harmless(l.title()));
      CHECK(is_harmless(l.state()));
      CHECK_FALSE(l.state().empty());
      for (const std::string& n : l.names) CHECK(columns(n) <= 16);
      for (const std::string& n : l.names) CHECK(is_harmless(n));
    }
    const auto told = [](const auto& result) {
      if (!result) CHECK(is_harmless(result.refusal().reason));
    };
    auto board = lies.boards.open("toot-101");
    told(board);
    if (board) {
      told(lies.boards.play(*board, {MoveRequest{std::nullopt, "BT"}}));
      told(lies.boards.queue_move(*board, "BT"));
      CHECK(is_harmless(board->warning));
    }
    const auto answer = lies.boards.run_command("list");
    told(answer);
    if (answer) {
      CHECK(is_harmless(answer->summary));
      for (const std::string& l : answer->lines) CHECK(safe_text(l) == l);
    }
    const Setup toot = make_setup("toot");
    told(create_challenge(lies.boards, *toot.game, toot.options, {"fred", "wilma"}));
    told(lies.boards.send_chat("toot-101", "x"));
    told(lies.boards.set_watching("toot-101", true));
  }
}

TEST_CASE("what a server says was said is harmless, however much it is", "[remote]") {
  HostileServer lies([](std::string_view line) -> Result<Reply> {
    return line.starts_with("hello") ? Reply{true, "x", {"{protocol: 2, commands: [chats]}"}}
                                     : Reply{true, "Hello", {}};
  });
  std::vector<std::string> lines{"",
                                 "{line: 1}",
                                 "{line: x, by: fred, text: y}",
                                 "[}",
                                 "{line: 1, by: \"\\e\", text: x}",
                                 "{line: 2, at: no, by: fred, text: \"\\e[2J\\n\\u202e\"}"};
  for (int i = 0; i < 3000; ++i) lines.emplace_back("{line: 7, by: fred, text: z, new: true}");
  lies.reply_to = [&](std::string_view) -> Result<Reply> { return Reply{true, "x", lines}; };
  const auto said = lies.boards.read_chat("toot-101", 0);
  REQUIRE(said.ok());
  REQUIRE(said->size() == 3001);
  CHECK(said->front().text == "?[2J??");
  for (const ChatLine& line : *said) CHECK(is_harmless(line.format()));
  lies.reply_to = [](std::string_view) -> Result<Reply> { return Reply{false, "\x1b no", {}}; };
  CHECK(is_harmless(lies.boards.read_chat("toot-101", 0).refusal().reason));
  CHECK_FALSE(lies.boards.read_chat("nonsense", 0).ok());
}

TEST_CASE("an event without news is a change all the same", "[remote]") {
  HostileServer lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
  lies.boards.take_changes();
  CHECK_FALSE(lies.boards.take_changes());
  lies.connection->events = {"unseek 1"};
  CHECK(lies.boards.take_changes());
  CHECK_FALSE(lies.boards.take_changes());
}

TEST_CASE("a server that does not tell what happens is no connection", "[remote]") {
  HostileServer lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
  lies.reply_to = [](std::string_view line) -> Result<Reply> {
    return Reply{line != "watch", "Not now.", {}};
  };
  const auto again = lies.boards.connect();
  REQUIRE_FALSE(again.ok());
  CHECK(again.refusal().reason == "Not now.");
  CHECK(lies.boards.connection_problem() == "no connection");
}

TEST_CASE("names that a server's save has are harmless in a refusal", "[remote]") {
  HostileServer lies([](std::string_view) -> Result<Reply> {
    return Reply{true, "x", {"format: 1", "game: toot", "seats: [betty, \"\\e[2J\"]", "plies:"}};
  });
  auto board = lies.boards.open("toot-101");
  REQUIRE(board.ok());
  CHECK(lies.boards.play(*board, {MoveRequest{std::nullopt, "BT"}}).refusal().reason ==
        "You are watching. betty and ?[2J play here.");
}

TEST_CASE(
    "a server that says nonsense, never ends a line or says nothing is lost and told, on a real "
    "socket",
    "[remote]") {
  const std::string nonsense =
      GENERATE(std::string("HTTP/1.1 400 Bad Request\r\n\r\n"), std::string(200'000, 'x'),
               std::string("* ") + std::string(200'000, 'y'), std::string(),
               std::string(1000, '\0'), std::string("+OK\n.\n+OK\n.\n+OK x\n"));
  TemporaryDirectory dir;
  ServerAddress address;
  address.socket_path = dir / "sock";
  const auto name = make_socket_address(address);
  UniqueFd listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  REQUIRE(::bind(listening.get(), name->get(), name->size) == 0);
  REQUIRE(::listen(listening.get(), 5) == 0);
  std::thread liar([&] {
    const UniqueFd fd(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
    for (std::size_t at = 0; at < nonsense.size();) {
      const ssize_t n = ::send(fd.get(), nonsense.data() + at, nonsense.size() - at, MSG_NOSIGNAL);
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    ::shutdown(fd.get(), SHUT_WR);
    char c = 0;
    while (::read(fd.get(), &c, 1) > 0) {
    }
  });
  {
    RemoteBoards boards(
        {connector_to(address), address.to_string(), {}, std::chrono::milliseconds(60'000)});
    auto connected = boards.connect_as("fred");
    // The last reply succeeds, and the connection is lost after it.
    if (connected)
      connected = boards.run_command("list") ? Result<Success>(Success{})
                                             : Result<Success>(Refusal{"lost"});
    CHECK_FALSE(connected.ok());
    if (!connected) CHECK(is_harmless(connected.refusal().reason));
  }
  liar.join();
}

// --- a server that does not answer ---------------------------------------------------
