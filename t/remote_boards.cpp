// SPDX-License-Identifier: MIT
// Boards on a server as a client has them: a server in the same process behind
// a line that breaks when it is told to, and servers that are none.
#include "boards/remote_boards.hpp"

#include <poll.h>
#include <sys/wait.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "boards/local_boards.hpp"
#include "boards/known_login.hpp"
#include "boards/combined_boards.hpp"
#include "save/save.hpp"
#include "test_app.hpp"
#include "test_server.hpp"
#include "ui/app.hpp"
#include "ui/line_mode.hpp"
#include "ui/screens/sign_in.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// What happens to the next lines that begin with a word.
enum class Fault { none, before, after };

class HallLine;

// The way to the server: it can be down, and it can break in the middle of a line.
struct FakeNetwork {
  explicit FakeNetwork(TestServer& served) : hall(served) {}
  TestServer& hall;
  std::set<HallLine*> lines;
  bool down = false;
  Fault fault = Fault::none;
  std::string at = " move ";  // in a line that begins with this the fault happens, once
  bool stays_down = false;    // after the fault nothing connects
  Words sent;                 // what arrived at the server
  bool tells_who = true;      // as a Unix socket does, and a port does not
  std::string stranger;       // why what answers is not the server, if it is not
  std::size_t put_off = 0;    // so many logins are told to try again
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
    // Whoever is signed in writes neither userid nor password, but where he types it himself.
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
    return Refusal{"The connection to the hall is lost: the server has closed it."};
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

void FakeNetwork::cut() {
  for (HallLine* line : lines) line->cut();
}

Dial FakeNetwork::dial() {
  return [this](const Waiter&) -> Result<std::unique_ptr<ServerLine>> {
    ++dialled;
    if (down) return Refusal{"No server is at the hall."};
    return std::unique_ptr<ServerLine>(std::make_unique<HallLine>(*this));
  };
}

// Somebody connected to the hall, with boards of his own beside.
struct Somebody {
  Somebody(FakeNetwork& cable, const fs::path& home, const std::string& name, bool connected = true)
      : there({cable.dial(), "the hall", home / name / "servers", std::chrono::milliseconds(1)}),
        own(home / name / "saves", source_root() / "saves"),
        combined(there, own) {
    if (connected) REQUIRE(there.connect_as(name).ok());
    there.take_news();
  }
  RemoteBoards there;
  LocalBoards own;
  CombinedBoards combined;

  // Plays on a board; "" or why not.
  std::string play(const std::string& id, const std::string& typed) {
    auto board = there.open(id);
    REQUIRE(board.ok());
    const auto played = there.play(*board, {MoveRequest{std::nullopt, typed}});
    return played ? "" : played.refusal().why;
  }
  // Waits until the line is tried again, as the program does.
  void wait() {
    pollfd p{there.changes(), POLLIN, 0};
    REQUIRE(::poll(&p, 1, 2000) == 1);
    there.take_changes();
  }
  std::string news() {
    there.take_changes();
    std::string out;
    for (const Notification& n : there.take_news())
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
    auto board = fred.there.create(*setup.game, setup.options, {"fred", "wilma"});
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

void keep_talk(LocalNotes& notebook, const std::string& board, const std::string& text, Time at) {
  const LocalNotes::Said said{board, text, at};
  notebook.keep_talk({&said, 1});
}

}  // namespace

TEST_CASE("a server's boards are listed as one's own are, those that wait first", "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  const Setup tootris = setup_of("toot", {"-tootris", "-size=7x9"});
  REQUIRE(two.wilma.there.create(*tootris.game, tootris.options, {"fred", "wilma"}).ok());
  Somebody betty(two.cable, two.home.path(), "betty");
  CHECK(betty.there.list().empty());
  REQUIRE(betty.there.watch("toot-101", true).ok());

  two.fred.news();
  const auto list = two.fred.there.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].id == "toot-102");
  CHECK(list[0].title() == title_with_options(*tootris.game, tootris.options));
  CHECK(list[0].names == Words{"fred", "wilma"});
  CHECK(list[0].state() == "fred's turn");
  CHECK(list[0].user == "fred");
  CHECK(waits_for(list[0], ""));
  CHECK(list[1].id == "toot-101");
  CHECK(list[1].plies == 1);
  CHECK(list[1].changed == two.hall.time);
  CHECK_FALSE(waits_for(list[1], "wilma"));
  CHECK_FALSE(list[1].watched);
  CHECK(two.fred.there.waiting("") == 1);
  CHECK(two.fred.there.waiting("toot-102") == 0);

  const auto watched = betty.there.list();
  REQUIRE(watched.size() == 1);
  CHECK(watched[0].watched);
  CHECK(watched[0].state() == "wilma's turn");

  // A list that nothing has changed is not asked for again.
  const std::size_t sent = two.cable.sent.size();
  two.fred.there.list();
  CHECK(two.cable.sent.size() == sent);
}

TEST_CASE("a long list comes in pieces, between which the person is served", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  for (int n = 101; n <= 470; ++n)
    std::ofstream(hall.directory / ("toot-" + std::to_string(n) + ".yaml"))
        << "format: 1\ngame: toot\noptions: []\nseats: [fred, wilma]\nstarted: "
           "2026-11-01T12:00:00Z\nplies:\n- {move: BT, at: 2026-11-01T12:00:00Z}\n- {move: CO, at: "
           "2026-11-01T12:00:00Z}\n"
        << (n <= 350 ? "- {move: resign, seat: 1, at: 2026-11-02T12:00:00Z}\n" : "");
  hall.restart();
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred");
  CHECK(fred.there.list().size() == 120);
  cable.sent.clear();
  // Each piece is asked for when the last one rang for it, and a ply goes before the next.
  for (const std::size_t size : {220u, 320u}) {
    fred.wait();
    CHECK(fred.there.list().size() == size);
    CHECK(cable.sent.size() == 1);
    cable.sent.clear();
  }
  CHECK(fred.play("toot-470", "DT") == "");
  fred.there.take_changes();
  CHECK(fred.there.list().size() == 370);
  cable.sent.clear();
  fred.there.take_changes();
  CHECK(fred.there.list().size() == 370);
  CHECK(cable.sent.empty());
  std::set<std::string> ids;
  for (const BoardSummary& board : fred.there.list()) ids.insert(board.id);
  CHECK(ids.size() == 370);
}

TEST_CASE("a server's board is opened as its save says, with the seat of whoever is connected",
          "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  const auto fred = two.fred.there.open("toot-101");
  REQUIRE(fred.ok());
  CHECK(save_text(fred->match, "fred") == two.save());
  CHECK(fred->remote->mine == 0);
  CHECK(fred->remote->watching == 0);
  const auto wilma = two.wilma.there.open("101");
  REQUIRE(wilma.ok());
  CHECK(wilma->id == "toot-101");
  CHECK(wilma->remote->mine == 1);
  Somebody betty(two.cable, two.home.path(), "betty");
  REQUIRE(betty.there.watch("toot-101", true).ok());
  auto watched = betty.there.open("toot-101");
  REQUIRE(watched.ok());
  CHECK_FALSE(watched->remote->mine);
  CHECK(watched->remote->watching == 1);
  CHECK(watched->remote->watches);
  const auto played = betty.there.play(*watched, {MoveRequest{std::nullopt, "CO"}});
  REQUIRE_FALSE(played.ok());
  CHECK(played.refusal().why == "You watch this board: fred and wilma play on it.");
  CHECK(two.fred.news() == "");

  CHECK(two.fred.there.open("toot-102").refusal().why == "There is no board 102 of Toot.");
  CHECK(two.fred.there.open("nonsense").refusal().why ==
        "'nonsense' is no board of a server: those are called by game and number.");
  CHECK(two.fred.there.open("toot-0").refusal().why ==
        "'toot-0' is no board of a server: those are called by game and number.");
  CHECK_FALSE(two.fred.there.open("../toot-101").ok());
}

TEST_CASE("plies are sent in the game's own spelling, and what can be refused here is not sent",
          "[remote]") {
  Two two;
  auto board = *two.fred.there.open(two.id);
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, " bt "}}).ok());
  CHECK(two.cable.sent.size() > 0);
  CHECK(std::find(two.cable.sent.begin(), two.cable.sent.end(), "toot move 101 BT#1") !=
        two.cable.sent.end());
  CHECK(board.match.plies().size() == 1);
  CHECK(save_text(board.match, "fred") == two.save());
  const std::size_t sent = two.cable.sent.size();
  const auto again = two.fred.there.play(board, {MoveRequest{std::nullopt, "CO"}});
  CHECK(again.refusal().why == "It is wilma's turn (OTTO).");
  CHECK_FALSE(two.fred.there.play(board, {MoveRequest{std::nullopt, "accept"}}).ok());
  CHECK_FALSE(
      two.fred.there.play(board, {MoveRequest{std::nullopt, "CO#1\ntoot resign 101 fred *"}}).ok());
  CHECK(two.cable.sent.size() == sent);
  CHECK(two.wilma.news() == "toot-101: fred plays BT.\ntoot-101: It is your turn.\n");
  // Told by a connection of the same person, it is a ply of this one too.
  Somebody elsewhere(two.cable, two.home.path(), "fred");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(elsewhere.news() == "toot-101: wilma plays CO.\ntoot-101: It is your turn.\n");
}

TEST_CASE(
    "on a board that somebody else has played on nothing is played, and the newer one is shown",
    "[remote]") {
  Two two;
  auto mine = *two.fred.there.open(two.id);
  auto other = mine;
  CHECK(two.fred.there.play(other, {MoveRequest{std::nullopt, "BT"}}).ok());
  const auto late = two.fred.there.play(mine, {MoveRequest{std::nullopt, "CT"}});
  CHECK(late.refusal().why ==
        "Not played: look at the position again. BT: fred (TOOT) drops a T down column B. It is "
        "wilma's turn (OTTO).");
  CHECK(mine.match.plies().size() == 1);
  CHECK(two.times_played("CT") == 0);
}

TEST_CASE("a ply is one request for who plays it and none for who sees it", "[remote]") {
  Two two;
  auto board = *two.fred.there.open(two.id);
  auto other = *two.wilma.there.open(two.id);
  two.fred.there.list();
  two.wilma.there.list();
  const auto look = [&](Somebody& who) {
    who.there.take_changes();
    who.there.list();
    return *who.there.open(two.id);
  };
  for (const std::string ply : {"BT", "CO", "AT", "propose", "reject", "AO", "undo", "accept"}) {
    INFO(ply);
    Somebody& plays = board.match.acting_seat(ply) == 0 ? two.fred : two.wilma;
    Somebody& sees = &plays == &two.fred ? two.wilma : two.fred;
    two.hall.time += std::chrono::seconds(7);
    two.cable.sent.clear();
    REQUIRE(plays.there.play(board, {MoveRequest{std::nullopt, ply}}).ok());
    // All that the screens look at then.
    CHECK(look(plays).match.log() == board.match.log());
    CHECK(look(sees).match.log() == board.match.log());
    CHECK(plays.there.waiting("") + sees.there.waiting("") >= 1);
    CHECK(two.cable.sent.size() == 1);
    board = look(sees);
    CHECK(save_text(board.match, "fred") == two.save());
    const auto fresh = two.wilma.there.list();
    Somebody again(two.cable, two.home.path(), "wilma");
    CHECK(again.there.list() == fresh);
  }
  // Queued plies come with the one they stand behind.
  two.cable.sent.clear();
  REQUIRE(two.fred.there.queue(look(two.fred), "DT").ok());
  CHECK(look(two.fred).remote->queued == "Queued on toot 101: DT.");
  board = look(two.wilma);
  REQUIRE(two.wilma.there.play(board, {MoveRequest{std::nullopt, "AO"}}).ok());
  CHECK(board.match.plies().back().text == "DT");
  CHECK(look(two.fred).match.log() == board.match.log());
  CHECK(look(two.fred).remote->queued == "");
  CHECK(two.cable.sent.size() == 2);
  // As does who watches, and what another program of the same userid queues.
  Somebody betty(two.cable, two.home.path(), "betty");
  REQUIRE(betty.there.watch(two.id, true).ok());
  Somebody elsewhere(two.cable, two.home.path(), "fred");
  look(elsewhere);
  two.cable.sent.clear();
  CHECK(look(two.wilma).remote->watching == 1);
  REQUIRE(two.fred.there.queue(look(two.fred), "ET").ok());
  CHECK(look(elsewhere).remote->queued == "Queued on toot 101: ET.");
  CHECK(two.cable.sent.size() == 1);
}

TEST_CASE("a challenge is there at once for both, and gone at once when it is refused",
          "[remote]") {
  Two two;
  two.fred.there.list();
  two.wilma.there.list();
  const Setup toot = setup_of("toot");
  two.cable.sent.clear();
  const auto made = two.fred.there.create(*toot.game, toot.options, {"fred", "wilma"});
  REQUIRE(made.ok());
  CHECK(made->id == "toot-102");
  two.wilma.there.take_changes();
  CHECK(two.wilma.there.list().size() == 2);
  CHECK(two.fred.there.list().size() == 2);
  CHECK(two.cable.sent == Words{"toot challenge fred wilma", "toot save 102"});
  auto board = *two.wilma.there.open("toot-102");
  two.cable.sent.clear();
  REQUIRE(two.wilma.there.play(board, {MoveRequest{std::nullopt, "resign"}}).ok());
  two.fred.there.take_changes();
  CHECK(two.fred.there.list().size() == 1);
  CHECK(two.wilma.there.list().size() == 1);
}

TEST_CASE("line by line openings are the same", "[remote][openings]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  const Setup toot = setup_of("toot");
  REQUIRE(fred.there.create(*toot.game, toot.options, {"fred", "wilma"}).ok());
  std::istringstream in("open toot-101\nopenings\nopenings 7\nBT\nquit\n"),
      again("open toot-101\nopenings 1\nresign\nopenings 1\nopenings 0\nquit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  LineMode(fred.combined, View{}, "", help, in, out).run();
  CHECK(has(out.str(), "No game that is over came here."));
  CHECK(has(out.str(), "This board has 0 plies: write #0"));
  CHECK(wilma.play("toot-101", "CO") == "");
  fred.there.take_changes();
  LineMode(fred.combined, View{}, "", help, again, out).run();
  CHECK(has(out.str(), "Toot after BT\n\n1 game that is over came here, 0 of your own and 1 of"));
  CHECK(has(out.str(), "Toot, from the start\n"));
}

TEST_CASE("offers go from seat to seat, and undo is one of them", "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.wilma.there.open(two.id);
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.fred.play(two.id, "accept") == "fred (TOOT) made the offer: the others answer it.");
  CHECK(two.wilma.news() ==
        "toot-101: fred plays BT.\ntoot-101: It is your turn.\ntoot-101: fred (TOOT) asks to take "
        "BT back: accept or reject.\n");
  CHECK(two.wilma.play(two.id, "accept") == "");
  board = *two.wilma.there.open(two.id);
  CHECK(board.match.plies().empty());
  CHECK(two.fred.play(two.id, "CT") == "");
  CHECK(two.wilma.play(two.id, "propose") == "");
  CHECK(two.fred.play(two.id, "reject") == "");
  CHECK(two.wilma.play(two.id, "DO") == "");
  CHECK(two.wilma.play(two.id, "resign") == "");
  board = *two.fred.there.open(two.id);
  CHECK(board.match.standing() == "fred (TOOT) won: wilma resigned.");
}

TEST_CASE("a challenge makes a board, and what cannot be one is refused", "[remote]") {
  Two two;
  const Setup toot = setup_of("toot");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"wilma", "betty"}).refusal().why ==
        "This connection speaks for fred, who must be one of the players.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "nobody"}).refusal().why ==
        "There is no userid nobody here yet: its owner has to come in first.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "a b"}).refusal().why ==
        "'a b' is no userid: on a server they are who plays.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "x : y"}).ok() == false);
  // Whoever resigns before he has played refuses the challenge: the board is gone.
  auto board = *two.wilma.there.open(two.id);
  CHECK(two.wilma.there.play(board, {MoveRequest{std::nullopt, "resign"}}).ok());
  CHECK(board.warning ==
        "wilma (OTTO) refused the challenge: the board is gone, and nobody's rating changes.");
  CHECK(board.match.ending());
  CHECK(two.fred.news() == "toot-101: wilma refused the challenge.\n");
  CHECK(two.fred.there.list().empty());
}

TEST_CASE("what only makes sense for files is refused on a server, and copies are one's own",
          "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  Boards& boards = two.fred.combined;
  CHECK(boards.remove(two.id).refusal().why ==
        "On a server a board ends by resigning, and finished ones are kept.");
  CHECK(boards.rename(two.id, "x").refusal().why == "A server gives its boards their names.");
  const auto copy = boards.keep(boards.open(two.id)->match);
  REQUIRE(copy.ok());
  CHECK(copy->id == "own:toot-101");
  CHECK_FALSE(boards.open("own:toot-101")->remote);
  CHECK(bytes_of(two.home.path() / "fred" / "saves" / "toot-101.yaml") ==
        save_text(load_match(two.save(), "it")->match));
  auto own = *boards.open(copy->id);
  CHECK(boards.play(own, {MoveRequest{std::nullopt, "CO"}}).ok());
  CHECK(own.id == "own:toot-101");
  CHECK(two.times_played("CO") == 0);
  CHECK(*boards.rename(copy->id, "mine") == "own:mine");
  const auto list = boards.list();
  REQUIRE(list.size() == 2);
  CHECK(list[0].id == "toot-101");
  CHECK(list[1].id == "own:mine");
  CHECK(boards.remove("own:mine").ok());
  CHECK(boards.restore("own:mine").ok());
  CHECK(boards.open((two.home.path() / "fred" / "saves" / "mine.yaml").string()).ok());
  fs::copy(two.home.path() / "fred" / "saves" / "mine.yaml",
           two.home.path() / "fred" / "saves" / "own:mine.yaml");
  for (const BoardSummary& line : boards.list()) CHECK(boards.open(line.id)->id == line.id);
}

TEST_CASE("who shares a login is held to his own directory", "[remote][boards]") {
  TemporaryDirectory dir;
  LocalBoards theirs(dir / "theirs", source_root() / "saves");
  const Setup toot = setup_of("toot");
  REQUIRE(theirs.create(*toot.game, toot.options, {"a", "b"}).ok());
  REQUIRE(theirs.remove("toot-101").ok());
  REQUIRE(theirs.restore("toot-101").ok());
  LocalBoards mine(dir / "mine", source_root() / "saves", LocalBoards::Scope::directory);
  REQUIRE(mine.create(*toot.game, toot.options, {"c", "d"}).ok());
  const fs::path before = fs::current_path();
  fs::current_path(dir / "theirs");
  for (const std::string id : {"../theirs/toot-101", "../theirs/toot-101.yaml", "toot-101.yaml",
                               "example:../../theirs/toot-101", "example:/etc/passwd",
                               "/etc/passwd", ".deleted/x", "", ".", "example:", "example:.."}) {
    INFO(id);
    CHECK_FALSE(mine.open(id).ok());
    CHECK_FALSE(mine.remove(id).ok());
    CHECK_FALSE(mine.restore(id).ok());
    CHECK_FALSE(mine.rename(id, "stolen").ok());
  }
  fs::current_path(before);
  CHECK(mine.open("toot-101")->match.names() == Words{"c", "d"});
  CHECK(mine.open("101").ok());
  CHECK(mine.open("example:toot").ok());
}

TEST_CASE("notes on a server's board stay on this side, with the ply they were made on",
          "[remote]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.there.open(two.id);
  const std::string before = two.save();
  const std::size_t sent = two.cable.sent.size();
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "why: \"so\"", 1}}).ok());
  CHECK(board.match.note(1) == "why: \"so\"");
  CHECK_FALSE(two.fred.there.play(board, {MoveRequest{std::nullopt, "x", 2}}).ok());
  CHECK(two.cable.sent.size() == sent);
  CHECK(two.save() == before);
  CHECK(two.wilma.there.open(two.id)->match.note(1).empty());

  CHECK(two.fred.there.open(two.id)->match.note(1) == "why: \"so\"");
  // The ply is taken back and another played: the note is not that one's.
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.wilma.play(two.id, "accept") == "");
  CHECK(two.fred.play(two.id, "CT") == "");
  CHECK(two.fred.there.open(two.id)->match.note(1).empty());
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.wilma.play(two.id, "accept") == "");
  CHECK(two.fred.play(two.id, "BT") == "");
  board = *two.fred.there.open(two.id);
  CHECK(board.match.note(1) == "why: \"so\"");
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "", 1}}).ok());
  CHECK(two.fred.there.open(two.id)->match.note(1).empty());
  // A note makes no difference to what the server is asked.
  CHECK(two.wilma.play(two.id, "CO") == "");

  const fs::path file = two.home.path() / "fred" / "servers" / "fred" / "toot-101.notes.yaml";
  REQUIRE(fs::exists(file));
  replace_file(file, "format: 1\nnotes:\n- {after: 1, ply: 1, note: half");
  CHECK(two.fred.there.open(two.id)->warning == "");
  replace_file(file, "nonsense: [\n");
  CHECK(has(two.fred.there.open(two.id)->warning,
            "Your notes cannot be read: toot-101.notes.yaml, "));
  CHECK(bytes_of(file) == "nonsense: [\n");
}

TEST_CASE("chat and messages are told, and the last of them can be read again", "[remote]") {
  Two two;
  const auto said = two.fred.there.chat(two.id, "have fun : really");
  REQUIRE(said.ok());
  CHECK(two.wilma.news() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.news() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.there.command("message wilma : hello")->summary == "Sent to wilma.");
  CHECK(two.wilma.news() == "fred to you: hello\n");
  CHECK_FALSE(two.fred.there.chat(two.id, " ").ok());
  CHECK_FALSE(two.fred.there.chat(two.id, "a\nb").ok());
  CHECK_FALSE(two.fred.there.chat(two.id, std::string(2000, 'x')).ok());
  auto lines = two.wilma.there.talk();
  REQUIRE(lines.size() == 2);
  CHECK(has(lines[0], "  toot-101  fred: have fun : really"));
  CHECK(has(lines[1], "  fred to you: hello"));

  // Another program of wilma's hears the same, and it is kept once.
  Somebody elsewhere(two.cable, two.home.path(), "wilma");
  REQUIRE(two.fred.there.chat(two.id, "again").ok());
  elsewhere.news();
  two.wilma.news();
  CHECK(two.wilma.there.talk().size() == 3);
  LocalNotes notebook(two.home.path() / "wilma" / "servers" / "wilma");
  std::string much = "format: 1\ntalk:\n";
  for (int i = 0; i < 395; ++i)
    much +=
        "- {at: 2026-11-21T12:00:00Z, board: toot-101, said: \"line " + std::to_string(i) + "\"}\n";
  replace_file(two.home.path() / "wilma" / "servers" / "wilma" / "talk.yaml", much);
  for (int i = 395; i < 500; i += 8)
    keep_talk(notebook, "toot-101", "line " + std::to_string(i), two.hall.time);
  lines = notebook.talk();
  CHECK(lines.size() == LocalNotes::kMaxTalk);
  CHECK(has(lines.back(), "line 499"));
  CHECK(fs::file_size(two.home.path() / "wilma" / "servers" / "wilma" / "talk.yaml") < 100'000);
}

TEST_CASE("what was said is said, whether it can be kept or not", "[remote]") {
  Two two;
  fs::create_directories(two.home.path() / "fred" / "servers" / "fred" / "talk.yaml");
  const auto said = two.fred.there.chat(two.id, "hello");
  REQUIRE(said.ok());
  CHECK(two.wilma.news() == "toot-101: fred: hello\n");
  const auto news = two.fred.there.take_news();
  REQUIRE(news.size() == 2);
  CHECK(news[0].own);
  CHECK(news[0].text == "fred: hello");
  CHECK(news[1].text == (two.home.path() / "fred" / "servers" / "fred" / "talk.yaml").string() +
                            " is a directory, not a save.");
  CHECK(has(two.fred.there.talk().at(0), "What was said cannot be read: "));
}

TEST_CASE("a line that cannot be read takes no other line of the talk along", "[remote]") {
  const TemporaryDirectory dir;
  LocalNotes notebook(dir.path());
  const Time at = *read_iso_time("2026-11-21T12:00:00Z");
  keep_talk(notebook, "toot-101", "one", at);
  keep_talk(notebook, "toot-101", "two", at);
  const std::string before = bytes_of(dir / "talk.yaml");
  replace_file(dir / "talk.yaml", before + "- {at: [\n- \"\n");
  keep_talk(notebook, "toot-101", "three", at);
  keep_talk(notebook, "toot-101", "two", at);  // heard already, by another program
  CHECK(bytes_of(dir / "talk.yaml").substr(0, before.size()) == before);
  const auto lines = notebook.talk();
  REQUIRE(lines.size() == 3);
  CHECK(has(lines[0], "one"));
  CHECK(has(lines[2], "three"));
  // A last line without its end was never finished.
  replace_file(dir / "talk.yaml", before + "- {at: 2026");
  keep_talk(notebook, "", "four", at);
  CHECK(notebook.talk().size() == 3);
}

TEST_CASE("two programs that hear different things at once lose none of them", "[remote]") {
  const TemporaryDirectory dir;
  const Time at = *read_iso_time("2026-11-21T12:00:00Z");
  std::string much = "format: 1\ntalk:\n";
  for (std::size_t i = 0; i < 2 * LocalNotes::kMaxTalk - 20; ++i)
    much += "- {at: 2026-11-20T12:00:00Z, said: before}\n";
  replace_file(dir / "talk.yaml", much);
  constexpr int kEach = 60;
  std::vector<pid_t> children;
  for (const std::string who : {"a", "b", "c"}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::alarm(20);
      LocalNotes notebook(dir.path());
      for (int i = 0; i < kEach; ++i) keep_talk(notebook, "", who + std::to_string(i), at);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const std::string text = bytes_of(dir / "talk.yaml");
  for (const std::string who : {"a", "b", "c"})
    for (int i = 0; i < kEach; ++i)
      if (!has(text, "said: " + who + std::to_string(i) + "}\n"))
        FAIL_CHECK(who << i << " is lost");
}

TEST_CASE("what was said and done while one was away is told on coming back", "[remote]") {
  Two two;
  two.wilma.there.take_news();
  TemporaryDirectory other;
  {
    Somebody dino(two.cable, other.path(), "dino");
    const Setup toot = setup_of("toot");
    REQUIRE(dino.there.create(*toot.game, toot.options, {"dino", "wilma"}).ok());
  }
  REQUIRE(two.wilma.play("toot-102", "resign") == "");
  Somebody dino(two.cable, other.path(), "dino", false);
  REQUIRE(dino.there.connect_as("dino").ok());
  CHECK(dino.news() == "toot-102: wilma refused the challenge. (2026-11-21 12:00)\n");
}

TEST_CASE("a ply is played once, wherever the line breaks", "[remote]") {
  const Fault fault = GENERATE(Fault::before, Fault::after);
  const bool restarted = GENERATE(false, true);
  Two two;
  auto board = *two.fred.there.open(two.id);
  two.cable.fault = fault;
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(board.match.plies().size() == 1);
  CHECK(two.times_played("BT") == 1);
  CHECK_FALSE(two.fred.there.pending(two.id));

  // And when there is no way back at once: later, by itself.
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
    "a ply that waits for the line is called off by another one, and refused when the board moved "
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
  // From somewhere else wilma plays another.
  two.cable.down = false;
  {
    TestClient elsewhere(two.hall, "wilma");
    CHECK(has(elsewhere.first("toot move 101 wilma * DO"), "+OK"));
  }
  for (int i = 0; i < 20 && two.wilma.there.pending(two.id); ++i) two.wilma.wait();
  CHECK(has(two.wilma.news(),
            "The connection is back, but BO is not played: The next ply of toot 101 is number 3, "
            "not 2: look at the board again."));
  CHECK(two.times_played("BO") == 0);
}

TEST_CASE("of every board one ply waits for the line, and each is played when it is back",
          "[remote]") {
  Two two;
  const Setup toot = setup_of("toot");
  REQUIRE(two.fred.there.create(*toot.game, toot.options, {"fred", "wilma"}).ok());
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
  CHECK(two.fred.news() == "The connection to the hall is back.\n");
  auto board = *two.fred.there.open(two.id);
  two.cable.cut();
  CHECK(has(two.fred.news(), "is lost"));
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).ok());
  CHECK(two.fred.news() == "The connection to the hall is back.\n");
  // One that breaks and is laid again within a command is nobody's business.
  two.cable.cut();
  CHECK(two.fred.there.play(board, {MoveRequest{std::nullopt, "undo"}}).ok());
  CHECK(two.fred.news() == "");
}

TEST_CASE("a line that broke is tried again in longer and longer whiles, and hears events again",
          "[remote]") {
  Two two;
  two.cable.down = true;
  two.cable.cut();
  CHECK(two.fred.news() ==
        "The connection to the hall is lost: the server has closed it. It is tried again by "
        "itself; what is typed stays.\n");
  CHECK(two.fred.there.list().size() == 1);  // as it was
  CHECK(two.fred.there.open(two.id).refusal().why ==
        "There is no connection to the hall now: it is tried again by itself.");
  CHECK_FALSE(two.fred.there.chat(two.id, "hello").ok());
  const std::size_t before = two.cable.dialled;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 4; ++i) two.fred.wait();
  CHECK(two.cable.dialled == before + 4);
  CHECK(std::chrono::steady_clock::now() - began >= std::chrono::milliseconds(1 + 2 + 4 + 8));
  two.hall.restart();
  two.cable.down = false;
  two.fred.wait();
  CHECK(two.fred.news() == "The connection to the hall is back.\n");
  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "resign") == "");
  CHECK(two.fred.news() == "toot-101: wilma refused the challenge.\n");
  // With the line up nothing is waited for: no timer runs.
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
  // Of two words the second would be the address.
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
  // The password is known for the next line, and a new one too.
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
  // Changed elsewhere while one was away: it is not tried over and over.
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
  // The person is asked, once, and again for what he tries; only he himself gets in.
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
  // While one is there it is told at once.
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
  CHECK(fred.news() == "The connection to the hall is back.\n");
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
  REQUIRE(fred.there.create(*setup.game, setup.options, {"fred", "wilma"}).ok());
  fred.news();
  auto board = *fred.there.open("toot-101");
  cable.tells_who = false;
  cable.fault = Fault::before;
  cable.sent.clear();
  // On a port: the ply waits for the person.
  CHECK(has(fred.there.play(board, {MoveRequest{std::nullopt, "BT"}}).refusal().why,
            "The connection broke before BT was answered."));
  const std::string why =
      "You are signed out: the connection broke, and who answers at the hall now cannot be seen. "
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
  // A Unix socket at which another login answers gets nothing, and is told of once.
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
  // What was kept for a port is gone: it is asked for once more.
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

TEST_CASE("a queued ply is told on its board, and played when its turn comes", "[remote]") {
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

// --- servers that are none --------------------------------------------------------

namespace {

// A line whose other end says what it likes.
struct Liar final : ServerLine {
  std::function<Result<Reply>(std::string_view)> answers;
  std::vector<std::string> says;
  Result<Reply> ask(std::string_view line) override { return answers(line); }
  Result<Done> take_in() override { return Done{}; }
  std::vector<std::string> take_events() override { return std::exchange(says, {}); }
  int descriptor() const override { return -1; }
};

struct Lies {
  std::function<Result<Reply>(std::string_view)> answers;
  Liar* line = nullptr;
  RemoteBoards boards{{[this](const Waiter&) -> Result<std::unique_ptr<ServerLine>> {
                         auto made = std::make_unique<Liar>();
                         made->answers = [this](std::string_view l) { return answers(l); };
                         line = made.get();
                         return std::unique_ptr<ServerLine>(std::move(made));
                       },
                       "nowhere",
                       {},
                       std::chrono::milliseconds(1)}};
  explicit Lies(std::function<Result<Reply>(std::string_view)> how) : answers(std::move(how)) {
    REQUIRE(boards.connect_as("fred").ok());
  }
};

bool harmless(const std::string& text) { return safe_text(text) == text && text.size() < 2000; }

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
      {true, "x", words(save)},
      {true, "Board x of", {}},
      {true, "Board 101 of", {}}};
  std::vector<std::string> save_lines;
  std::istringstream in(save);
  for (std::string l; std::getline(in, l);) save_lines.push_back(l);
  replies.push_back({true, "x", save_lines});
  for (std::size_t i = 0; i < replies.size(); ++i) {
    INFO("reply " << i);
    Lies lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
    lies.boards.take_news();
    lies.answers = [&](std::string_view) -> Result<Reply> { return replies[i]; };
    lies.line->says = {evil,
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
    for (int k = 0; k < 3000; ++k) lies.line->says.push_back("toot 101 chat wilma : spam");
    lies.boards.take_changes();
    const auto news = lies.boards.take_news();
    CHECK(news.size() <= 1000);
    for (const Notification& n : news) CHECK(harmless(n.text));
    const auto list = lies.boards.list();
    CHECK(list.size() <= 6);
    for (const BoardSummary& l : list) {
      CHECK(harmless(l.id));
      CHECK(harmless(l.title()));
      CHECK(harmless(l.state()));
      CHECK_FALSE(l.state().empty());
      for (const std::string& n : l.names) CHECK(columns(n) <= 16);
      for (const std::string& n : l.names) CHECK(harmless(n));
    }
    const auto told = [](const auto& result) {
      if (!result) CHECK(harmless(result.refusal().why));
    };
    auto board = lies.boards.open("toot-101");
    told(board);
    if (board) {
      told(lies.boards.play(*board, {MoveRequest{std::nullopt, "BT"}}));
      told(lies.boards.queue(*board, "BT"));
      CHECK(harmless(board->warning));
    }
    const auto answer = lies.boards.command("list");
    told(answer);
    if (answer) {
      CHECK(harmless(answer->summary));
      for (const std::string& l : answer->lines) CHECK(safe_text(l) == l);
    }
    const Setup toot = setup_of("toot");
    told(lies.boards.create(*toot.game, toot.options, {"fred", "wilma"}));
    told(lies.boards.chat("toot-101", "x"));
    told(lies.boards.watch("toot-101", true));
  }
}

TEST_CASE("what a server says was said is harmless, however much it is", "[remote]") {
  Lies lies([](std::string_view line) -> Result<Reply> {
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
  lies.answers = [&](std::string_view) -> Result<Reply> { return Reply{true, "x", lines}; };
  const auto said = lies.boards.said_on("toot-101", 0);
  REQUIRE(said.ok());
  REQUIRE(said->size() == 3001);
  CHECK(said->front().text == "?[2J??");
  for (const ChatLine& line : *said) CHECK(harmless(line.in_words()));
  lies.answers = [](std::string_view) -> Result<Reply> { return Reply{false, "\x1b no", {}}; };
  CHECK(harmless(lies.boards.said_on("toot-101", 0).refusal().why));
  CHECK_FALSE(lies.boards.said_on("nonsense", 0).ok());
}

TEST_CASE("an event without news is a change all the same", "[remote]") {
  Lies lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
  lies.boards.take_changes();
  CHECK_FALSE(lies.boards.take_changes());
  lies.line->says = {"toot 101 note 1 : well"};
  CHECK(lies.boards.take_changes());
  CHECK_FALSE(lies.boards.take_changes());
}

TEST_CASE("a server that does not tell what happens is no connection", "[remote]") {
  Lies lies([](std::string_view) -> Result<Reply> { return Reply{true, "Hello", {}}; });
  lies.answers = [](std::string_view line) -> Result<Reply> {
    return Reply{line != "watch", "Not now.", {}};
  };
  const auto again = lies.boards.connect();
  REQUIRE_FALSE(again.ok());
  CHECK(again.refusal().why == "Not now.");
  CHECK(lies.boards.trouble() == "no connection");
}

TEST_CASE("names that a server's save has are harmless in a refusal", "[remote]") {
  Lies lies([](std::string_view) -> Result<Reply> {
    return Reply{true, "x", {"format: 1", "game: toot", "seats: [betty, \"\\e[2J\"]", "plies:"}};
  });
  auto board = lies.boards.open("toot-101");
  REQUIRE(board.ok());
  CHECK(lies.boards.play(*board, {MoveRequest{std::nullopt, "BT"}}).refusal().why ==
        "You watch this board: betty and ?[2J play on it.");
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
  address.socket = dir / "sock";
  const auto name = socket_name(address);
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
        {dial_to(address), address.to_string(), {}, std::chrono::milliseconds(60'000)});
    auto connected = boards.connect_as("fred");
    // The last of them answers at first, and is lost behind that.
    if (connected)
      connected = boards.command("list") ? Result<Done>(Done{}) : Result<Done>(Refusal{"lost"});
    CHECK_FALSE(connected.ok());
    if (!connected) CHECK(harmless(connected.refusal().why));
  }
  liar.join();
}

// --- a server that does not answer ---------------------------------------------------

namespace {

// What is asked waits until it is let go on.
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

// What a screen does when there is something to take.
void take_some(Boards& boards, int milliseconds = 200) {
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
  LocalBoards own(home / "saves", source_root() / "saves");
  CombinedBoards boards(there, own);
  server.stopped = true;
  bool answered = false;
  const Ticket ticket = boards.ask("toot-101", [&](Boards& b) -> Boards::Then {
    return [&, board = b.open("toot-101")] { answered = true; };
  });
  REQUIRE(ticket);
  CHECK(boards.remove("toot-101").refusal().why ==
        "On a server a board ends by resigning, and finished ones are kept.");
  CHECK(boards.restore("toot-101").refusal().why == "A server's boards are not deleted.");
  CHECK(boards.rename("toot-101", "x").refusal().why == "A server gives its boards their names.");
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
  const auto ask = [&](const std::string& name, Haste haste = Haste::person) {
    return boards.ask(
        "",
        [&, name](Boards& b) -> Boards::Then {
          done += name;
          const auto answer = b.server().command("help");
          return [&, name, ok = answer.ok()] { told += name + (ok ? "+" : "-"); };
        },
        haste);
  };
  const Ticket first = ask("1");
  Ticket second = ask("2");
  Ticket third = ask("3", Haste::picture);
  const Ticket fourth = ask("4");
  second.reset();
  third.reset();
  server.go_on();
  for (int i = 0; i < 100 && told.size() < 4; ++i) take_some(boards);
  CHECK(told == "1+4+");
  CHECK(done == "124");  // what only a picture wanted that is gone is not even asked for
  // What a task throws is thrown where it is told.
  CHECK_THROWS_AS(boards.ask("", [](Boards&) -> Boards::Then { throw Error("full"); }), Error);
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

namespace {

// Somebody at the program, its boards in the hall.
struct Player : Somebody {
  Player(FakeNetwork& cable, const fs::path& home, const std::string& name, bool connected = true)
      : Somebody(cable, home, name, connected),
        settings(home / name / "settings.yaml"),
        app(combined, settings,
            [](const std::string& game) -> Result<std::string> { return "# Rules of " + game; },
            {source_root() / "themes"}) {}
  Settings settings;
  App app;

  std::string screen(Size size = {24, 80}) {
    const Canvas canvas = app.draw(size);
    std::string out;
    for (int r = 0; r < size.rows; ++r) out += canvas.row_text(r) + "\n";
    return out;
  }
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
  // What came in the same moment is no reason to look twice any more.
  void look_again() {
    press(kEsc);
    press(kEnter);
  }
  // As the program does whenever there is something to read.
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
  // fred's board with wilma, opened by both.
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
  // The cable is whole again, and what fred's lost ply came to is heard.
  void mend() {
    cable.down = false;
    for (int i = 0; i < 100 && fred.there.pending("toot-101"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      fred.hear();
    }
    fred.hear();
  }
};

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
  CHECK(m.wilma.shows("As it was: watch goes on with it."));
  m.wilma.type("watch\n");
  m.wilma.press({Key::Code::down});
  CHECK_FALSE(m.wilma.shows("As it was"));
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
  for (const auto& [number, session] : hall.service().sessions()) session->end("enough");
  fred.there.take_changes();
  CHECK(fred.there.turned_away() == "enough");
}

TEST_CASE("answers are made by trying, stand beside the board, and are played", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.type("try\n");
  CHECK(m.wilma.shows("Trying moves: answers keeps a line to be played when the other does."));
  m.wilma.type("BT\n");
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("Try a ply of the other's and your answer to it"));
  m.wilma.press(ctrl('U'));
  m.wilma.type("CO\nanswers\n");
  CHECK(m.wilma.shows("BT:CO is queued on toot 101"));
  CHECK(m.wilma.shows("your answers"));
  CHECK(m.wilma.shows("  BT: CO"));
  // Another line, from where it parts.
  m.wilma.type("undo\nundo\nAT\nAO\nanswers\n");
  CHECK(m.wilma.shows("BT:CO AT:AO is queued on toot 101"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("  AT: AO"));
  CHECK(m.wilma.shows("Queued on toot 101: BT:CO AT:AO."));
  CHECK_FALSE(m.fred.shows("AT: AO"));
  m.wilma.type("queue BT:ZO\n");
  CHECK(m.wilma.shows("queue> queue BT:ZO"));
  m.wilma.press(ctrl('U'));
  m.wilma.type("answers\n");
  CHECK(m.wilma.shows("BT: CO"));
  m.wilma.press(kEsc);
  m.fred.type("BT\n");
  CHECK(m.fred.shows("CO"));
  m.wilma.hear();
  CHECK(m.wilma.shows("CO, as it was queued"));
  CHECK_FALSE(m.wilma.shows("your answers"));
  // On one's own turn there is nothing to be answered.
  m.fred.look_again();
  m.fred.type("try\nDT\nAO\nanswers\n");
  CHECK(m.fred.shows("Answers are to what the other plays next"));
}

TEST_CASE("answers are kept, told and refused line by line", "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody fred(cable, home.path(), "fred"), wilma(cable, home.path(), "wilma");
  const Setup toot = setup_of("toot");
  REQUIRE(fred.there.create(*toot.game, toot.options, {"fred", "wilma"}).ok());
  std::istringstream in(
      "open toot-101\nqueue BT:CO AT:ZO\nqueue BT:CO AT:AO\nanswers\ntry\nBT\nDO\nanswers\n"
      "boards\nanswers none\nanswers\nquit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  LineMode(wilma.combined, View{}, "", help, in, out).run();
  INFO(out.str());
  CHECK(has(out.str(), "                     ^\n"));  // below the Z
  CHECK(has(out.str(), "BT:CO AT:AO is queued on toot 101: each answer is played at once.\n"));
  CHECK(has(out.str(), "BT: CO\nAT: AO\n"));
  CHECK(has(out.str(), "BT:DO AT:AO is queued on toot 101"));
  CHECK(has(out.str(), "No answers are kept here: try moves, and answers keeps them."));
}

TEST_CASE("two people on one server: a challenge, a game to its end, each at his own keyboard",
          "[remote][ui]") {
  Match2 m;
  CHECK(m.fred.shows("fred - 0 boards at the hall"));
  m.fred.type("s");
  CHECK(m.fred.shows("Type who is to be player2: a userid of this server, or computer:3."));
  m.fred.press(kEsc);
  m.challenge();
  CHECK(m.fred.shows("toot-101  Toot"));
  CHECK(m.wilma.shows("toot-101  Toot"));
  CHECK(m.fred.shows("fred (TOOT)>"));
  CHECK(m.wilma.shows("queue>"));
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));

  // On another's turn what is typed is no ply, and stays.
  m.wilma.type("CO");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter, and Enter again, queues this for yours."));
  m.fred.type("BT\n");
  CHECK(m.fred.shows("fred drops a T down column B. It is wilma's turn (OTTO)."));
  m.wilma.hear();
  CHECK(m.wilma.app.take_bell());
  CHECK(m.wilma.shows("BT: fred (TOOT) drops a T down column B."));
  CHECK(m.wilma.shows("wilma (OTTO)> CO"));
  m.wilma.type("\n");
  // The Enter came in the same moment: it may have been meant for the position before.
  CHECK(m.wilma.shows("look at the position again"));
  std::this_thread::sleep_for(std::chrono::milliseconds(510));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT)."));
  m.fred.hear();
  // A second Enter queues.
  m.wilma.type("FO\n");
  CHECK(m.wilma.shows("It is fred's turn (TOOT). Enter again queues FO for yours."));
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

  // The rematch is a challenge, and who was second begins.
  CHECK(m.fred.shows("r rematch with"));
  m.fred.type("r");
  CHECK(m.fred.shows("toot-102  Toot"));
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
  BoardSession desk(wilma.there, *wilma.there.open("toot-101"));
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
    const auto list = betty.there.listed();
    return std::count_if(list.begin(), list.end(), [](const auto& b) { return b.of_others; });
  };
  REQUIRE(betty.there.look_around(false, true).ok());
  CHECK(count() == 100);
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
  LineMode(
      fred.combined, View{}, "",
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out)
      .run();
  INFO(out.str());
  CHECK(has(out.str(), "new toot betty \nThis is board toot-101.\n"));
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
  // It stays while moves are typed.
  m.wilma.type("x");
  CHECK(m.wilma.shows("fred: how are you? [fine]"));
  m.wilma.press(kEsc);
  CHECK(m.fred.app.take_bell() == false);

  Player betty(m.cable, m.home.path(), "betty");
  betty.type(":open toot-101\n");
  CHECK(betty.shows("watch>"));
  betty.type("BT\n");
  CHECK(betty.shows("You watch this board: fred and wilma play on it."));
  betty.press(kEsc);
  betty.type("watch\n");
  CHECK(betty.shows("betty watches toot 101."));
  m.fred.hear();
  CHECK(m.fred.shows("toot-101  Toot - 1 watches"));
  betty.type("chat a blunder\n");
  CHECK(betty.shows("betty: a blunder"));
  m.fred.hear();
  CHECK_FALSE(m.fred.shows("blunder"));
  m.fred.type("BT\n");
  betty.hear();
  CHECK(betty.shows("1 BT"));
  betty.type("unwatch\n");
  CHECK(betty.shows("betty watches no more toot 101."));

  // A challenge while one is at another board.
  const Setup toot = setup_of("toot");
  REQUIRE(betty.there.create(*toot.game, toot.options, {"fred", "betty"}).ok());
  m.fred.hear();
  CHECK(m.fred.shows("toot-102: A new board: fred and betty, Toot."));
  CHECK(m.fred.shows("1 board waits"));
  m.fred.press(ctrl('G'));
  CHECK(m.fred.shows("toot-102  Toot"));
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
  CHECK(m.fred.shows("The others are asked for leave to take the last ply back."));
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
  CHECK(m.fred.shows("queue>"));
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
  CHECK(m.fred.shows("1 game that is over came here, 1 of your own and 0 of the server's."));
  CHECK(m.fred.shows("DO      1  100    0   0"));
  m.fred.press(kEsc);
  REQUIRE(m.wilma.play("toot-101", "resign") == "");
  m.fred.hear();
  m.fred.type("openings 1\n");
  CHECK(m.fred.shows("2 games that are over came here, 1 of your own and 1 of the server's."));
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
  CHECK(m.fred.shows("The connection to the hall is lost"));
  CHECK(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("fred (TOOT)> B"));
  m.fred.type("T\n");
  CHECK(m.fred.shows("There is no connection to the hall now: it is tried again by itself."));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.hall.restart();
  m.cable.down = false;
  for (int i = 0; i < 20 && !m.fred.there.trouble().empty(); ++i) m.fred.hear(100);
  CHECK(m.fred.shows("The connection to the hall is back."));
  CHECK_FALSE(m.fred.shows("no connection  ?"));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.cable.fault = Fault::after;
  m.cable.stays_down = true;
  m.fred.type("\n");
  CHECK(m.fred.shows("The connection broke before BT was answered."));
  CHECK(m.fred.shows("fred (TOOT)> BT"));
  m.mend();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK(m.fred.shows("queue>"));
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
  App app(third.combined, settings,
          [](const std::string&) -> Result<std::string> { return Refusal{""}; }, {});
  const auto shows = [&](const std::string& text) {
    std::string out;
    const Canvas canvas = app.draw({24, 80});
    for (int r = 0; r < 24; ++r) out += canvas.row_text(r) + "\n";
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
  // Back without: what was written is there, and the next try asks again.
  app.press(kEsc);
  CHECK(shows("fred (TOOT)> BT"));
  CHECK(shows("signed out"));
  type("\n");
  CHECK(shows("Sign in again"));
  // Who it is stands fast.
  app.press({Key::Code::function, 3});
  app.press(kTab);
  type("secret\n");
  CHECK(shows("That is not the password of fred."));
  type("other\n");
  CHECK(shows("Hello, fred: 1 board waits for you."));
  CHECK(shows("fred (TOOT)> BT"));
  type("\n");
  CHECK(shows("queue>"));
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
  LineMode(
      fred.combined, View{}, "",
      [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true)
      .run();
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

TEST_CASE("a line that is changed calls a lost ply off, whichever way it is", "[remote][ui]") {
  const std::vector<std::pair<std::string, std::vector<Key>>> ways{
      {"typed on", {typed('x')}},
      {"pasted to", {{Key::Code::paste, 1}, typed('x'), {Key::Code::paste, 0}}},
      {"cleared", {kEsc}},
      {"recalled", {{Key::Code::up}}},
      {"picking stopped", {kTab, kEsc}},
      {"unpicked", {kTab, {Key::Code::backspace}}},
      {"another ply tried", {{Key::Code::function, 3}}},
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

TEST_CASE("a key that leaves the line as it is leaves a lost ply to be asked again",
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
  // It is still the one in the line, which its being played clears.
  m.mend();
  CHECK(m.fred.shows("The connection is back, and BT is played."));
  CHECK_FALSE(m.fred.shows("> BT"));
}

TEST_CASE("commands of the server can be sent from the lobby and a board, and are read as text",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.fred.type(":toot show 101\n");
  CHECK(m.fred.shows("toot 101: fred's turn"));
  m.fred.press(kEsc);
  m.fred.type(":toot move 101 BT\n");
  m.fred.press(kEsc);
  CHECK(m.fred.shows("queue>"));
  CHECK(m.fred.shows("1 BT"));
  m.fred.press(kEsc);
  m.fred.type(":nonsense\n");
  CHECK(m.fred.shows("There is no command 'nonsense': help lists them."));
  m.fred.type(":help\n");
  CHECK(m.fred.shows("The commands."));
  m.fred.press(kEsc);
  m.fred.type(":toot set fred *\n");
  CHECK(m.fred.shows("Toot has one drawing only."));
  m.fred.type(":");
  m.fred.press(kEsc);
  CHECK(m.fred.shows("Enter open"));
}

TEST_CASE("the form and line mode say how much time a board has", "[remote][ui][clocks]") {
  Match2 m;
  const auto head = [&](const char* save) { return bytes_of(m.hall.directory / save); };
  // Behind the game, its options, the players and -pair.
  const auto days = [&](const char* typed) {
    m.fred.type("s");
    for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
    m.fred.type("wilma");
    for (int i = 0; i < 2; ++i) m.fred.press({Key::Code::down});
    m.fred.type(typed);
  };
  days("");
  CHECK(m.fred.shows("late after 7 days, lost after 21 days"));
  m.fred.type("3 10 60");
  CHECK(m.fred.shows("late after 3 days, lost after 10 days, lost after 60 days of all"));
  m.fred.type("\n");
  CHECK(m.fred.shows("TOOT fred"));
  CHECK(has(head("toot-101.yaml"), "time: {nag: 3, forfeit: 10, total: 60}\n"));
  m.fred.press(kEsc);
  days("soon");
  CHECK(m.fred.shows("'soon': write a number of days from 1 to 3650, or none."));
  m.fred.type("\n");
  CHECK(m.fred.shows("'soon': write a number of days from 1 to 3650, or none."));
  m.fred.press(ctrl('U'));
  m.fred.type("1 2 3 4");
  CHECK(m.fred.shows("Three numbers at most"));
  m.fred.press(ctrl('U'));
  m.fred.type("none none");
  CHECK(m.fred.shows("nobody is late, whatever it takes"));
  // For both boards of a pair, and with another game the same.
  m.fred.press({Key::Code::up});
  m.fred.type(" ");
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.press({Key::Code::up});
  m.fred.type("\n");
  CHECK(m.fred.shows("Boards 102 and 103"));
  CHECK_FALSE(has(head("toot-102.yaml"), "time:"));
  CHECK_FALSE(has(head("toot-103.yaml"), "time:"));
  m.fred.type("l");
  for (int i = 0; i < 4; ++i) m.fred.press({Key::Code::down});
  m.fred.type("2\n");
  CHECK(m.fred.shows("Seek 1: fred seeks a player of Toot --nagtime=2"));

  std::istringstream in(
      "new toot --nagtime=x fred\nnew toot fred --nagtime=1 --forfeittime=2 -size=5x4\nquit\n");
  std::ostringstream out;
  const auto help = [](const std::string&) -> Result<std::string> { return Refusal{"None."}; };
  LineMode(m.wilma.combined, View{}, "", help, in, out).run();
  INFO(out.str());
  CHECK(has(out.str(),
            "'--nagtime=x': write --nagtime=DAYS, a number from 1 to 3650, or --nagtime=none."));
  CHECK(has(out.str(), "Board 104 of Toot -size=5x4: wilma and fred."));
  CHECK(has(out.str(), "Board toot-104, Toot -size=5x4."));
  CHECK(has(head("toot-104.yaml"), "time: {nag: 1, forfeit: 2}\n"));
}

TEST_CASE("the lobby shows who is here and what is sought, which a key takes",
          "[remote][ui][finding]") {
  Match2 m;
  m.wilma.type("l");
  CHECK(m.wilma.shows("Open challenge"));
  m.wilma.press(kEnter);
  CHECK(m.wilma.shows("Seek 1: wilma seeks a player of Toot."));
  CHECK(m.wilma.shows("seek-1"));
  m.wilma.type("y");
  CHECK(m.wilma.shows("That is your own: x twice takes it back."));
  m.wilma.type("xx");
  CHECK(m.wilma.shows("Seek 1 is taken back."));
  m.wilma.type(":toot seek -size=4x3 -pair\n");
  m.fred.type("r");
  CHECK(m.fred.shows("here: wilma"));
  CHECK(m.fred.shows("wilma seeks a player, on two boards"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("y takes it, and the game begins."));
  m.fred.type("y");
  CHECK(m.fred.shows("TOOT fred"));
  m.fred.press(kEsc);
  CHECK(m.fred.shows("toot-102"));
  CHECK_FALSE(m.fred.shows("seek-2"));
  CHECK(m.wilma.shows("toot-101"));
  CHECK_FALSE(m.wilma.shows("seek-2"));
  // One of the two is refused by her.
  m.wilma.type("gxx");
  m.fred.hear();
  m.fred.type("gg");
  CHECK(m.fred.shows("toot-101"));
  CHECK_FALSE(m.fred.shows("toot-102"));
}

TEST_CASE("an offer is answered in the lobby by one key", "[remote][ui][finding]") {
  Match2 m;
  User betty(m.hall, "betty");
  betty.say("toot challenge betty wilma");
  betty.say("toot move 101 betty * BT");
  m.wilma.type(":toot move 101 CO\n");
  m.wilma.press(kEsc);
  CHECK(has(betty.first("toot move 101 betty * propose"), "+OK"));
  m.wilma.hear();
  m.wilma.type("g");
  CHECK(m.wilma.shows("y accept  x reject"));
  m.wilma.type("x");
  CHECK(m.wilma.shows("x again rejects what is offered on toot-101"));
  m.wilma.type("x");
  CHECK(has(betty.say("toot show 101"), "betty's turn"));
  CHECK_FALSE(m.wilma.shows("y accept"));
  betty.say("toot move 101 betty * CT");
  CHECK(has(betty.first("toot move 101 betty * propose"), "+OK"));
  m.wilma.hear();
  m.wilma.type("g");
  CHECK(m.wilma.shows("y accept"));
  m.wilma.type("y");
  CHECK(has(betty.say("toot games betty inactive"), "a tie"));
}

TEST_CASE("boards of others are listed and watched, and players shown with their pages",
          "[remote][ui][finding]") {
  Match2 m;
  User betty(m.hall, "betty"), barney(m.hall, "barney");
  betty.say("toot challenge betty barney");
  CHECK_FALSE(m.fred.shows("toot-101"));
  m.fred.type("e");
  CHECK(m.fred.shows("toot-101"));
  CHECK(m.fred.shows("betty, barney"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("TOOT betty"));
  m.fred.press(kEsc);
  m.fred.type("e");
  CHECK_FALSE(m.fred.shows("toot-101"));
  m.fred.type("p");
  CHECK(m.fred.shows("Players of Toot"));
  CHECK(m.fred.shows("barney"));
  m.fred.press(kEnter);
  CHECK(m.fred.shows("barney, since 2026-11-21, here now: 0 finished games, 1 board running."));
  m.fred.press(kEsc);
  m.fred.type("s");
  CHECK(m.fred.shows("New board"));
  CHECK(m.fred.shows("barney"));
  m.fred.press(kEsc);
  m.fred.press(kEsc);
  // A userid that is begun is completed.
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
  Somebody nobody(cable, home.path(), "dino", false);
  REQUIRE(nobody.there.connect().ok());
  Settings settings(home / "settings.yaml");
  App app(nobody.combined, settings,
          [](const std::string&) -> Result<std::string> { return Refusal{""}; }, {});
  const auto shows = [&](const std::string& text) {
    std::string out;
    const Canvas canvas = app.draw({24, 80});
    for (int r = 0; r < 24; ++r) out += canvas.row_text(r) + "\n";
    UNSCOPED_INFO(out);
    return out.find(text) != std::string::npos;
  };
  const auto type = [&](std::string_view text) {
    for (const char c : text) app.press(c == '\n' ? kEnter : typed(static_cast<char32_t>(c)));
  };
  CHECK(shows("Sign in"));
  type("dino\nsecret");
  CHECK(shows("******"));
  CHECK_FALSE(shows("secret"));
  type("\n");
  CHECK(shows("There is no userid dino here: signup makes one."));
  app.press({Key::Code::function, 3});
  CHECK(shows("A new userid"));
  type("secret\nsekret\n");
  CHECK(shows("The two passwords differ"));
  type("secret\nsecret\n");
  CHECK(shows("dino - 0 boards at the hall"));
  CHECK(shows("Hello, dino: no board waits for you."));
  type("q");
  CHECK(app.done());
}

TEST_CASE("what was said on a board is there when it is opened, and counted until then",
          "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.press(kEsc);
  m.fred.type("chat one\n");
  m.fred.type("chat two, which is long, so that it is to be read, and is said over and over\n");
  m.fred.type("BT\n");
  // One's own stand there too.
  CHECK(m.fred.shows("said here"));
  CHECK(m.fred.shows("fred: one"));
  CHECK(m.fred.shows("fred: two"));
  m.wilma.hear();
  CHECK(m.wilma.shows("toot-101 (2)"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("Enter open: 2 unread lines"));
  CHECK(has(m.wilma.screen({12, 40}), "toot-101 (2)"));
  m.wilma.type("\n");
  CHECK(m.wilma.shows("2 new lines: talk shows all."));
  CHECK(m.wilma.shows("fred: one"));
  CHECK(m.wilma.shows("fred: two"));
  // Where there is no room the last of what is new stands alone.
  INFO(m.wilma.screen({12, 40}));
  CHECK(has(m.wilma.screen({12, 40}), "fred: two"));
  m.wilma.type("talk\n");
  CHECK(m.wilma.shows("2026-11-21 12:00  fred: one"));
  CHECK(has(m.wilma.screen({12, 40}), "said over and over"));
  m.wilma.press(kEsc);
  m.fred.type("chat three\n");
  m.wilma.hear();
  CHECK(m.wilma.shows("fred: three"));
  m.wilma.press(kEsc);
  CHECK(m.wilma.shows("toot-101 "));
  CHECK_FALSE(m.wilma.shows("toot-101 ("));
  // What was read before is there again, and is not told as new.
  m.wilma.type("\n");
  CHECK(m.wilma.shows("fred: three"));
  CHECK_FALSE(m.wilma.shows("new line"));
  CHECK_FALSE(has(m.wilma.screen({12, 40}), "fred: three"));
  // What is said while there is no connection is read when it is back.
  m.cable.down = true;
  m.wilma.hear();
  m.wilma.hear();
  User betty(m.hall, "betty");
  betty.say("toot subscribe 101");
  betty.say("toot chat 101 : never");
  TestClient(m.hall, "fred").say("toot chat 101 : from afar");
  m.cable.down = false;
  for (int i = 0; i < 100 && !has(m.wilma.screen(), "fred: from afar"); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    m.wilma.hear();
  }
  CHECK(m.wilma.shows("fred: from afar"));
  CHECK(m.hall.service().unread().of("wilma", "toot-101") == 0);
  // What was said aside is there when the game is over.
  CHECK_FALSE(m.wilma.shows("never"));
  betty.say("toot chat 101 : afterwards");
  for (const auto& [user, ply] : {std::pair("fred", "BT"), {"wilma", "CO"}, {"fred", "resign"}})
    TestClient(m.hall, user).say(std::string("toot move 101 ") + ply);
  m.wilma.hear();
  CHECK(m.wilma.shows("betty: never"));
  CHECK(m.wilma.shows("betty: afterwards"));
  CHECK(m.wilma.shows("fred: from afar"));
  CHECK(m.hall.service().unread().of("wilma", "toot-101", true) == 0);
}

TEST_CASE("line by line unread lines are told when a board is opened, and read by talk",
          "[remote]") {
  Two two;
  REQUIRE(two.fred.there.chat(two.id, "one").ok());
  REQUIRE(two.fred.there.chat(two.id, "two").ok());
  const auto says = [&](const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    LineMode(
        two.wilma.combined, View{}, "",
        [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true)
        .run();
    return out.str();
  };
  std::string said = says("open 101\ntalk\nboards\n");
  INFO(said);
  CHECK(has(said, "1. toot-101: Toot, fred and wilma, fred's turn, 0 plies, 2 lines unread."));
  CHECK(has(said, "2 unread lines were said here: type talk."));
  CHECK(has(said, "2026-11-21 12:00  fred: one\n2026-11-21 12:00  fred: two\n"));
  CHECK(has(said, "1. toot-101: Toot, fred and wilma, fred's turn, 0 plies.\n"));
  said = says("open 101\n:toot chats 101\n");
  CHECK_FALSE(has(said, "unread"));
  // By the command it is no map either for a person.
  CHECK(
      has(said, "2 lines on toot 101.\n2026-11-21 12:00  fred: one\n2026-11-21 12:00  fred: two"));
}

TEST_CASE("Tab completes a userid in the words that boards are listed by", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.fred.press(kEsc);
  m.fred.type("/wi");
  m.fred.press(kTab);
  CHECK(m.fred.shows("show only: wilma"));
  m.fred.type("\n");
  CHECK(m.fred.shows("showing only 'wilma'"));
  CHECK(m.fred.shows("> toot-101"));
}

TEST_CASE("below the plies stand whole lines of what was said, the last ones", "[remote][ui]") {
  Match2 m;
  m.challenge();
  m.wilma.press(kEsc);
  for (const std::string text : {"first", "second", "a third one"})
    m.fred.type("chat " + text + " that goes on and on, over more than a single row of it\n");
  m.wilma.hear();
  m.wilma.type("\n");
  CHECK(m.wilma.shows("fred: a third one that goes on"));
  const std::string screen = m.wilma.screen();
  const std::string below = screen.substr(screen.find("said here"));
  INFO(screen);
  const std::size_t row = below.find('\n') + 1;
  CHECK(has(below.substr(row, below.find('\n', row) - row), " fred: "));
  // Of one that is longer than the room there is its beginning is seen.
  m.fred.type("chat begins " + std::string(50, 'x') + " " + std::string(400, 'y') + "\n");
  m.wilma.hear();
  CHECK(m.wilma.shows("fred: begins"));
}

TEST_CASE("the same line by line: signing in, a challenge, queue, chat and what has come",
          "[remote]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody wilma(cable, home.path(), "wilma");
  const auto says = [&](Somebody& who, const std::string& lines) {
    std::istringstream in(lines);
    std::ostringstream out;
    LineMode(
        who.combined, View{}, "",
        [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true)
        .run();
    return out.str();
  };
  Somebody fred(cable, home.path(), "fred", false);
  REQUIRE(fred.there.connect().ok());
  std::string said =
      says(fred,
           "new\nfred\nsecret\nsecrte\nfred\nsecret\nnew\nfred\nsecret\nsecret\nnew toot\nnew toot "
           "wilma\nCO#7\nBT\nCT\nqueue CT\nchat hi\nundo\nboards\n:toot info 101\ntalk\nhelp\n");
  INFO(said);
  CHECK_FALSE(has(said, "secret"));
  CHECK(has(said, "The two passwords differ."));
  CHECK(has(said, "There is no userid fred here: signup makes one."));
  CHECK(has(said, "Hello, fred: no board waits for you."));
  CHECK(has(said, "Against whom? Type new toot and a userid, or computer:3."));
  CHECK(has(said, "Played: fred (TOOT) drops a T down column B."));
  CHECK(has(said,
            "wait> CT\nIt is wilma's turn (OTTO). Type queue and the move to have it played when "
            "your turn comes."));
  CHECK(has(said, "CT is queued on toot 101"));
  CHECK(has(said, "The others are asked for leave to take the last ply back."));
  CHECK(has(said, "{board: toot-101, seats: [fred, wilma], plies: 1, entries: 2, turn: 2"));
  CHECK(has(said, "toot-101  fred: hi"));
  said = says(wilma, "open 101\nreject\nCO\nlegal\ncopy\nboards\nboards\nlist own\n");
  INFO(said);
  CHECK(has(said, "toot-101: A new board: fred and wilma, Toot."));
  CHECK(has(said, "toot-101: fred: hi"));
  CHECK(has(said, "fred (TOOT) asks to take BT back. Type accept or reject."));
  CHECK(has(said,
            "CO: wilma (OTTO) drops an O down column C. CT: fred (TOOT) drops a T down column C."));
  CHECK(has(said, "This is board own:toot-101, a copy of toot-101."));
}

TEST_CASE("a password is what was typed, whichever keys move a cursor in a line", "[remote][ui]") {
  TemporaryDirectory home;
  TestServer hall;
  FakeNetwork cable(hall);
  Somebody nobody(cable, home.path(), "dino", false);
  REQUIRE(nobody.there.connect().ok());
  SignIn screen(nobody.combined);
  screen.press({Key::Code::function, 3});
  for (const char c : std::string("dino")) screen.press(typed(static_cast<char32_t>(c)));
  for (const bool moving : {true, false}) {
    screen.press(kTab);
    for (const char c : std::string("secret")) {
      if (moving)
        for (const Key& key : {ctrl('A'), Key{Key::Code::home}, Key{Key::Code::left},
                               Key{Key::Code::left}, Key{Key::Code::right}, ctrl('D'), ctrl('K')})
          screen.press(key);
      screen.press(typed(static_cast<char32_t>(c)));
    }
  }
  CHECK(std::get<GoBack>(screen.press(kEnter)).told == "Hello, dino: no board waits for you.");
}

TEST_CASE(
    "the field that is kept with a userid is the one a client draws, and Ctrl-T keeps another",
    "[remote][ui]") {
  Match2 m;
  const Setup soccolot = setup_of("soccolot");
  REQUIRE(m.fred.there.create(*soccolot.game, soccolot.options, {"fred", "wilma"}).ok());
  REQUIRE(m.wilma.there.command("soccolot set c").ok());
  m.wilma.hear();
  m.wilma.type(":open soccolot-101\n");
  CHECK(m.wilma.shows(".. .. .."));
  const auto field_of = [&](Player& player) {
    const auto board = player.there.open("soccolot-101");
    REQUIRE(board.ok());
    return board->remote->field;
  };
  CHECK(field_of(m.wilma) == 'c');
  CHECK(field_of(m.fred) == std::nullopt);
  m.wilma.press(ctrl('T'));
  CHECK(field_of(m.wilma) == 'a');
  m.wilma.type(":soccolot set b\n");
  CHECK(m.wilma.shows("+--+--+"));
}
