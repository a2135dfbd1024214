// SPDX-License-Identifier: MIT
// A server in the test's process, a connection to it that breaks on command, and users with their
// screens. Leaves the server itself to TestServer.
#pragma once

#include "boards/remote_boards.hpp"
#include <poll.h>
#include <sys/wait.h>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include "boards/local_boards.hpp"
#include "boards/boards.hpp"
#include "save/save.hpp"
#include "test_app.hpp"
#include "test_server.hpp"
#include "ui/screens/app.hpp"
#include "ui/line_mode.hpp"
#include "ui/screens/screens.hpp"

namespace pbm::test {

namespace fs = std::filesystem;

// Breaks the connection before or after the server handles a line.
enum class Fault { none, before_server, after_server };

class FakeConnection;

// The network between users and the server. It can be down, and it can break during a command.
struct FakeNetwork {
  explicit FakeNetwork(TestServer& served) : server(served) {}
  TestServer& server;
  std::set<FakeConnection*> connections;
  bool is_down = false;
  Fault fault = Fault::none;
  std::string fault_text = " move ";  // the fault happens once, in a line that contains this
  bool stays_down = false;            // after the fault no connection succeeds
  Words sent;                         // lines that reached the server
  bool can_check_login = true;        // the peer's login is known: a Unix socket; false: a port
  std::string login_refusal;          // refusal of the peer's login, or ""
  std::size_t logins_to_refuse = 0;   // number of logins to refuse for now
  std::size_t connect_count = 0;

  void break_connections();
  Connector connector();
};

class FakeConnection final : public ServerConnection {
 public:
  explicit FakeConnection(FakeNetwork& cable) : network_(cable) {
    PeerInfo trust;
    trust.check_trust = [](const std::string&) -> Result<Success> { return Success{}; };
    session_ = std::make_unique<Session>(
        cable.server.service(), trust,
        [this](std::string_view text) { REQUIRE(deframer_.add_bytes(text).ok()); });
    network_.connections.insert(this);
  }
  ~FakeConnection() override { network_.connections.erase(this); }
  FakeConnection(const FakeConnection&) = delete;
  FakeConnection& operator=(const FakeConnection&) = delete;
  void break_connection() { session_.reset(); }

  Result<Reply> ask(std::string_view line) override {
    const bool here =
        network_.fault != Fault::none && line.find(network_.fault_text) != std::string_view::npos;
    if (here && network_.fault == Fault::before_server) return break_network();
    if (!session_) return loss_refusal();
    network_.sent.emplace_back(line);
    // Commands of a signed-in user have no userid and password, unless the user typed them.
    INFO(line);
    if (!line.starts_with("change")) CHECK(line.find(" * ") == std::string_view::npos);
    if (line.substr(0, 6) == "login " && network_.logins_to_refuse > 0 &&
        network_.logins_to_refuse--)
      return make_busy_reply(Refusal{"Many passwords wait to be looked at."});
    session_->take_line(line);
    network_.server.finish_work();
    if (here) return break_network();
    REQUIRE(deframer_.has_reply());
    return deframer_.take_reply();
  }
  Result<Success> receive() override {
    return session_ ? Result<Success>(Success{}) : loss_refusal();
  }
  std::vector<std::string> take_events() override { return deframer_.take_events(); }
  int descriptor() const override { return -1; }
  Result<Success> check_login() override {
    return network_.login_refusal.empty() ? Result<Success>(Success{})
                                          : Refusal{network_.login_refusal};
  }
  bool can_check_login() const override { return network_.can_check_login; }

 private:
  Refusal loss_refusal() const {
    return Refusal{"The connection to the server is lost: the server closed it."};
  }
  Refusal break_network() {
    network_.fault = Fault::none;
    if (network_.stays_down) network_.is_down = true;
    network_.break_connections();
    return loss_refusal();
  }
  FakeNetwork& network_;
  WireReader deframer_;
  std::unique_ptr<Session> session_;
};

inline void FakeNetwork::break_connections() {
  for (FakeConnection* line : connections) line->break_connection();
}

inline Connector FakeNetwork::connector() {
  return [this](const Waiter&) -> Result<std::unique_ptr<ServerConnection>> {
    ++connect_count;
    if (is_down) return Refusal{"No server answers at the hall."};
    return std::unique_ptr<ServerConnection>(std::make_unique<FakeConnection>(*this));
  };
}

// A user connected to the server, with local boards, too.
struct TestUser {
  TestUser(FakeNetwork& cable, const fs::path& home, const std::string& name, bool connected = true)
      : remote(
            {cable.connector(), "the hall", home / name / "servers", std::chrono::milliseconds(1)}),
        local(home / name / "saves", source_root() / "saves", LocalBoards::Scope::any_file,
              kLocalPrefix),
        all_boards(local, &remote) {
    if (connected) REQUIRE(remote.connect_as(name).ok());
    remote.notifications().take();
  }
  RemoteBoards remote;
  LocalBoards local;
  Boards all_boards;

  // Plays on a board. Returns "" or the refusal.
  std::string play(const std::string& id, const std::string& typed) {
    auto board = remote.open(id);
    REQUIRE(board.ok());
    const auto played = remote.play(*board, {MoveRequest{std::nullopt, typed}});
    return played ? "" : played.refusal().reason;
  }
  // Waits until the connection is tried again, as the program does.
  void wait_for_retry() {
    pollfd p{remote.change_descriptor(), POLLIN, 0};
    REQUIRE(::poll(&p, 1, 2000) == 1);
    remote.take_changes();
  }
  std::string take_notifications() {
    remote.take_changes();
    std::string out;
    for (const Notification& n : remote.notifications().take())
      out += (n.board.empty() ? "" : n.board + ": ") + n.text + "\n";
    return out;
  }
};

struct TwoUsers {
  TemporaryDirectory home;
  TestServer server;
  FakeNetwork network{server};
  TestUser fred{network, home.path(), "fred"}, wilma{network, home.path(), "wilma"};
  std::string id;

  explicit TwoUsers(const std::string& game = "toot",
                    const std::vector<std::string>& options = {}) {
    const Setup setup = make_setup(game, options);
    auto board = create_challenge(fred.remote, *setup.game, setup.options, {"fred", "wilma"});
    INFO((board ? "" : board.refusal().reason));
    REQUIRE(board.ok());
    id = board->id;
    fred.take_notifications();
    wilma.take_notifications();
  }
  std::string save_text() { return read_bytes(server.directory / (id + ".yaml")); }
  std::size_t count_played(const std::string& ply) {
    const std::string text = save_text(), line = "- {move: " + ply + ",";
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(line, at)) != std::string::npos; ++at) ++n;
    return n;
  }
};

inline void add_chat_line(LocalNotes& notebook, const std::string& board, const std::string& text,
                          Time at) {
  const LocalNotes::ChatEntry said{board, text, at};
  notebook.add_chat({&said, 1});
}

// A user with a screen.
struct ScreenUser : TestUser {
  ScreenUser(FakeNetwork& cable, const fs::path& home, const std::string& name,
             bool connected = true)
      : TestUser(cable, home, name, connected),
        settings(home / name / "settings.yaml"),
        app(all_boards, settings,
            [](const std::string& game) -> Result<std::string> { return "# Rules of " + game; },
            {source_root() / "themes"}) {}
  Settings settings;
  App app;

  std::string screen(Size size = {24, 80}) { return canvas_text(app.draw(size)); }
  bool shows(const std::string& text) {
    const std::string now = screen();
    UNSCOPED_INFO(now);
    return now.find(text) != std::string::npos;
  }
  void press(const Key& key) {
    app.draw({24, 80});
    app.press(key);
    take_changes();
  }
  void type(std::string_view text) {
    for (const char c : text) press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  }
  // Closes the board and opens it again, so that the next Enter is not held back after a change.
  void reopen_board() {
    press(kEsc);
    press(kEnter);
  }
  // Takes changes as the program does when there is something to read.
  void take_changes(int milliseconds = 0) {
    pollfd p{app.change_descriptor(), POLLIN, 0};
    ::poll(&p, 1, milliseconds);
    app.boards_changed();
  }
};

struct TwoScreenUsers {
  TemporaryDirectory home;
  TestServer server;
  FakeNetwork network{server};
  ScreenUser fred{network, home.path(), "fred"}, wilma{network, home.path(), "wilma"};
  // Starts a game of fred with wilma; both open it.
  void start_game() {
    fred.type("s");
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.type("wilma\n");
    wilma.take_changes();
    wilma.type("\n");
  }
  // Repairs the network and waits for the result of fred's pending ply.
  void repair_network() {
    network.is_down = false;
    for (int i = 0; i < 100 && fred.remote.has_pending("toot-101"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      fred.take_changes();
    }
    fred.take_changes();
  }
};

}  // namespace pbm::test
