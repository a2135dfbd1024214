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
enum class Fault { none, before, after };

class HallLine;

// The network between users and the server. It can be down, and it can break during a command.
struct FakeNetwork {
  explicit FakeNetwork(TestServer& served) : hall(served) {}
  TestServer& hall;
  std::set<HallLine*> lines;
  bool down = false;
  Fault fault = Fault::none;
  std::string at = " move ";  // the fault happens once, in a line that contains this
  bool stays_down = false;    // after the fault no connection succeeds
  Words sent;                 // lines that reached the server
  bool tells_who = true;      // the peer's login is known: a Unix socket; false: a port
  std::string stranger;       // refusal of the peer's login, or ""
  std::size_t put_off = 0;    // number of logins to refuse for now
  std::size_t dialled = 0;

  void cut();
  Dial dial();
};

class HallLine final : public ServerLine {
 public:
  explicit HallLine(FakeNetwork& cable) : cable_(cable) {
    PeerAuth trust;
    trust.may_speak_for = [](const std::string&) -> Result<Done> { return Done{}; };
    session_ = std::make_unique<Session>(
        cable.hall.service(), trust,
        [this](std::string_view text) { REQUIRE(came_.feed(text).ok()); });
    cable_.lines.insert(this);
  }
  ~HallLine() override { cable_.lines.erase(this); }
  HallLine(const HallLine&) = delete;
  HallLine& operator=(const HallLine&) = delete;
  void cut() { session_.reset(); }

  Result<Reply> ask(std::string_view line) override {
    const bool here = cable_.fault != Fault::none && line.find(cable_.at) != std::string_view::npos;
    if (here && cable_.fault == Fault::before) return break_now();
    if (!session_) return lost();
    cable_.sent.emplace_back(line);
    // Commands of a signed-in user have no userid and password, unless the user typed them.
    INFO(line);
    if (!line.starts_with("change")) CHECK(line.find(" * ") == std::string_view::npos);
    if (line.substr(0, 6) == "login " && cable_.put_off > 0 && cable_.put_off--)
      return for_now(Refusal{"Many passwords wait to be looked at."});
    session_->line(line);
    cable_.hall.settle();
    if (here) return break_now();
    REQUIRE(came_.has_reply());
    return came_.take_reply();
  }
  Result<Done> take_in() override { return session_ ? Result<Done>(Done{}) : lost(); }
  std::vector<std::string> take_events() override { return came_.take_events(); }
  int descriptor() const override { return -1; }
  Result<Done> known() override {
    return cable_.stranger.empty() ? Result<Done>(Done{}) : Refusal{cable_.stranger};
  }
  bool tells_who() const override { return cable_.tells_who; }

 private:
  Refusal lost() const {
    return Refusal{"The connection to the server is lost: the server has closed it."};
  }
  Refusal break_now() {
    cable_.fault = Fault::none;
    if (cable_.stays_down) cable_.down = true;
    cable_.cut();
    return lost();
  }
  FakeNetwork& cable_;
  Deframer came_;
  std::unique_ptr<Session> session_;
};

inline void FakeNetwork::cut() {
  for (HallLine* line : lines) line->cut();
}

inline Dial FakeNetwork::dial() {
  return [this](const Waiter&) -> Result<std::unique_ptr<ServerLine>> {
    ++dialled;
    if (down) return Refusal{"No server is at the hall."};
    return std::unique_ptr<ServerLine>(std::make_unique<HallLine>(*this));
  };
}

// A user connected to the server, with local boards, too.
struct Somebody {
  Somebody(FakeNetwork& cable, const fs::path& home, const std::string& name, bool connected = true)
      : there({cable.dial(), "the hall", home / name / "servers", std::chrono::milliseconds(1)}),
        own(home / name / "saves", source_root() / "saves", LocalBoards::Scope::anywhere,
            kOwnBoards),
        all(own, &there) {
    if (connected) REQUIRE(there.connect_as(name).ok());
    there.news().take();
  }
  RemoteBoards there;
  LocalBoards own;
  Boards all;

  // Plays on a board. Returns "" or the refusal.
  std::string play(const std::string& id, const std::string& typed) {
    auto board = there.open(id);
    REQUIRE(board.ok());
    const auto played = there.play(*board, {MoveRequest{std::nullopt, typed}});
    return played ? "" : played.refusal().why;
  }
  // Waits until the connection is tried again, as the program does.
  void wait() {
    pollfd p{there.changes(), POLLIN, 0};
    REQUIRE(::poll(&p, 1, 2000) == 1);
    there.take_changes();
  }
  std::string news() {
    there.take_changes();
    std::string out;
    for (const Notification& n : there.news().take())
      out += (n.board.empty() ? "" : n.board + ": ") + n.text + "\n";
    return out;
  }
};

struct Two {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable{hall};
  Somebody fred{cable, home.path(), "fred"}, wilma{cable, home.path(), "wilma"};
  std::string id;

  explicit Two(const std::string& game = "toot", const std::vector<std::string>& options = {}) {
    const Setup setup = setup_of(game, options);
    auto board = challenge(fred.there, *setup.game, setup.options, {"fred", "wilma"});
    INFO((board ? "" : board.refusal().why));
    REQUIRE(board.ok());
    id = board->id;
    fred.news();
    wilma.news();
  }
  std::string save() { return bytes_of(hall.directory / (id + ".yaml")); }
  std::size_t times_played(const std::string& ply) {
    const std::string text = save(), line = "- {move: " + ply + ",";
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(line, at)) != std::string::npos; ++at) ++n;
    return n;
  }
};

inline void keep_talk(LocalNotes& notebook, const std::string& board, const std::string& text,
                      Time at) {
  const LocalNotes::Said said{board, text, at};
  notebook.keep_talk({&said, 1});
}

// A user with a screen.
struct Player : Somebody {
  Player(FakeNetwork& cable, const fs::path& home, const std::string& name, bool connected = true)
      : Somebody(cable, home, name, connected),
        settings(home / name / "settings.yaml"),
        app(all, settings,
            [](const std::string& game) -> Result<std::string> { return "# Rules of " + game; },
            {source_root() / "themes"}) {}
  Settings settings;
  App app;

  std::string screen(Size size = {24, 80}) { return text_of(app.draw(size)); }
  bool shows(const std::string& text) {
    const std::string now = screen();
    UNSCOPED_INFO(now);
    return now.find(text) != std::string::npos;
  }
  void press(const Key& key) {
    app.draw({24, 80});
    app.press(key);
    hear();
  }
  void type(std::string_view text) {
    for (const char c : text) press(c == '\n' ? kEnter : typed(static_cast<char32_t>(c)));
  }
  // Closes the board and opens it again, so that the next Enter is not held back after a change.
  void look_again() {
    press(kEsc);
    press(kEnter);
  }
  // Takes changes as the program does when there is something to read.
  void hear(int milliseconds = 0) {
    pollfd p{app.changes(), POLLIN, 0};
    ::poll(&p, 1, milliseconds);
    app.boards_changed();
  }
};

struct Match2 {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable{hall};
  Player fred{cable, home.path(), "fred"}, wilma{cable, home.path(), "wilma"};
  // Starts a game of fred with wilma; both open it.
  void challenge() {
    fred.type("s");
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.press({Key::Code::down});
    fred.type("wilma\n");
    wilma.hear();
    wilma.type("\n");
  }
  // Repairs the network and waits for the result of fred's pending ply.
  void mend() {
    cable.down = false;
    for (int i = 0; i < 100 && fred.there.pending("toot-101"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      fred.hear();
    }
    fred.hear();
  }
};

}  // namespace pbm::test
