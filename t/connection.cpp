// SPDX-License-Identifier: MIT
// Boards on a server as a client has them: a server in the same process behind
// a line that breaks when it is told to, and servers that are none.
#include "boards/connection.hpp"

#include <poll.h>

#include <set>
#include <sstream>
#include <thread>

#include "boards/directory.hpp"
#include "boards/together.hpp"
#include "save/save.hpp"
#include "server.hpp"
#include "ui/app.hpp"
#include "ui/line_mode.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// What happens to the next lines that begin with a word.
enum class Fault { none, before, after };

class HallLine;

// The way to the server: it can be down, and it can break in the middle of a line.
struct Cable {
  explicit Cable(Hall& served) : hall(served) {}
  Hall& hall;
  std::set<HallLine*> lines;
  bool down = false;
  Fault fault = Fault::none;
  std::string at = " move ";      // in a line that begins with this the fault happens, once
  bool stays_down = false;        // after the fault nothing connects
  Words sent;                     // what arrived at the server
  std::size_t dialled = 0;

  void cut();
  Dial dial();
};

class HallLine final : public ServerLine {
 public:
  explicit HallLine(Cable& cable) : cable_(cable) {
    Trust trust;
    trust.may_speak_for = [](const std::string&) -> Result<Done> { return Done{}; };
    session_ = std::make_unique<Session>(cable.hall.service(), trust, [this](std::string_view text) { heard_ += text; });
    cable_.lines.insert(this);
  }
  ~HallLine() override { cable_.lines.erase(this); }
  HallLine(const HallLine&) = delete;
  HallLine& operator=(const HallLine&) = delete;
  void cut() { session_.reset(); }

  Result<WireReply> ask(std::string_view line) override {
    const bool here = cable_.fault != Fault::none && line.find(cable_.at) != std::string_view::npos;
    if (here && cable_.fault == Fault::before) return break_now();
    if (!session_) return lost();
    cable_.sent.emplace_back(line);
    session_->line(line);
    cable_.hall.service().settle();
    if (here) return break_now();
    return read();
  }
  Result<Done> take_in() override {
    if (!session_) return lost();
    static_cast<void>(read());
    return Done{};
  }
  std::vector<std::string> take_events() override { return std::exchange(events_, {}); }
  int descriptor() const override { return -1; }

 private:
  Refusal lost() const { return Refusal{"The connection to the hall is lost: the server has closed it."}; }
  Refusal break_now() {
    cable_.fault = Fault::none;
    if (cable_.stays_down) cable_.down = true;
    cable_.cut();
    return lost();
  }
  // What was heard, told apart.
  Result<WireReply> read() {
    std::istringstream in(std::exchange(heard_, ""));
    std::optional<WireReply> reply;
    for (std::string text; std::getline(in, text);) {
      if (!reply && text.substr(0, 2) == "* ") events_.push_back(text.substr(2));
      else if (!reply) reply = WireReply{text.substr(0, 3) == "+OK", text.substr(text[0] == '+' ? 4 : 5), {}};
      else if (text == ".") return finish(in, *reply);
      else reply->lines.push_back(text[0] == '.' ? text.substr(1) : text);
    }
    return Refusal{"nothing"};
  }
  // Events behind the reply.
  WireReply finish(std::istringstream& in, WireReply& reply) {
    for (std::string text; std::getline(in, text);) events_.push_back(text.substr(2));
    return std::move(reply);
  }

  Cable& cable_;
  std::string heard_;
  std::unique_ptr<Session> session_;
  std::vector<std::string> events_;
};

void Cable::cut() {
  for (HallLine* line : lines) line->cut();
}

Dial Cable::dial() {
  return [this]() -> Result<std::unique_ptr<ServerLine>> {
    ++dialled;
    if (down) return Refusal{"No server is at the hall."};
    return std::unique_ptr<ServerLine>(std::make_unique<HallLine>(*this));
  };
}

// Somebody connected to the hall, with boards of his own beside.
struct Somebody {
  Somebody(Cable& cable, const fs::path& home, const std::string& name, bool connected = true)
      : there({cable.dial(), "the hall", home / name / "servers", std::chrono::milliseconds(1)}), own(home / name / "saves", source_root() / "saves"), together(there, own) {
    if (connected) REQUIRE(there.connect_as(name).ok());
    there.take_news();
  }
  ConnectionBoards there;
  DirectoryBoards own;
  TogetherBoards together;

  // Plays on a board; "" or why not.
  std::string play(const std::string& id, const std::string& typed) {
    auto board = there.open(id);
    REQUIRE(board.ok());
    const auto played = there.play(*board, {Turn{std::nullopt, typed}});
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
    for (const News& n : there.take_news()) out += (n.board.empty() ? "" : n.board + ": ") + n.text + "\n";
    return out;
  }
};

struct Two {
  TemporaryDirectory home;
  Hall hall;
  Cable cable{hall};
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

}  // namespace

TEST_CASE("a server's boards are listed as one's own are, those that wait first", "[connection]") {
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
  CHECK(list[0].title == title_with_options(*tootris.game, tootris.options));
  CHECK(list[0].names == Words{"fred", "wilma"});
  CHECK(list[0].state == "fred's turn");
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
  CHECK(watched[0].state == "wilma's turn");

  // A list that nothing has changed is not asked for again.
  const std::size_t sent = two.cable.sent.size();
  two.fred.there.list();
  CHECK(two.cable.sent.size() == sent);

  CHECK(two.wilma.play("toot-101", "resign") == "The game is over, or gone.");
}

TEST_CASE("a server's board is opened as its save says, with the seat of whoever is connected", "[connection]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  const auto fred = two.fred.there.open("toot-101");
  REQUIRE(fred.ok());
  CHECK(save_text(fred->match) == two.save());
  CHECK(fred->remote->mine == 0);
  CHECK(fred->remote->watching.empty());
  const auto wilma = two.wilma.there.open("101");
  REQUIRE(wilma.ok());
  CHECK(wilma->id == "toot-101");
  CHECK(wilma->remote->mine == 1);
  Somebody betty(two.cable, two.home.path(), "betty");
  REQUIRE(betty.there.watch("toot-101", true).ok());
  auto watched = betty.there.open("toot-101");
  REQUIRE(watched.ok());
  CHECK_FALSE(watched->remote->mine);
  CHECK(watched->remote->watching == Words{"betty"});
  const auto played = betty.there.play(*watched, {Turn{std::nullopt, "CO"}});
  REQUIRE_FALSE(played.ok());
  CHECK(played.refusal().why == "You watch this board: fred and wilma play on it.");
  CHECK(two.fred.news() == "toot-101: betty watches.\n");

  CHECK(two.fred.there.open("toot-102").refusal().why == "There is no board 102 of Toot.");
  CHECK(two.fred.there.open("nonsense").refusal().why == "'nonsense' is no board of a server: those are called by game and number.");
  CHECK(two.fred.there.open("toot-0").refusal().why == "'toot-0' is no board of a server: those are called by game and number.");
  CHECK_FALSE(two.fred.there.open("../toot-101").ok());
}

TEST_CASE("plies are sent in the game's own spelling, and what can be refused here is not sent", "[connection]") {
  Two two;
  auto board = *two.fred.there.open(two.id);
  CHECK(two.fred.there.play(board, {Turn{std::nullopt, " bt "}}).ok());
  CHECK(two.cable.sent.size() > 0);
  CHECK(std::find(two.cable.sent.begin(), two.cable.sent.end(), "toot move 101 fred * BT#1") != two.cable.sent.end());
  CHECK(board.match.plies().size() == 1);
  CHECK(save_text(board.match) == two.save());
  const std::size_t sent = two.cable.sent.size();
  const auto again = two.fred.there.play(board, {Turn{std::nullopt, "CO"}});
  CHECK(again.refusal().why == "It is wilma's turn (OTTO).");
  CHECK_FALSE(two.fred.there.play(board, {Turn{std::nullopt, "accept"}}).ok());
  CHECK_FALSE(two.fred.there.play(board, {Turn{std::nullopt, "CO#1\ntoot resign 101 fred *"}}).ok());
  CHECK(two.cable.sent.size() == sent);
  CHECK(two.wilma.news() == "toot-101: fred plays BT.\ntoot-101: It is your turn.\n");
  // Told by a connection of the same person, it is a ply of this one too.
  Somebody elsewhere(two.cable, two.home.path(), "fred");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(elsewhere.news() == "toot-101: wilma plays CO.\ntoot-101: It is your turn.\n");
}

TEST_CASE("on a board that somebody else has played on nothing is played, and the newer one is shown", "[connection]") {
  Two two;
  auto mine = *two.fred.there.open(two.id);
  auto other = mine;
  CHECK(two.fred.there.play(other, {Turn{std::nullopt, "BT"}}).ok());
  const auto late = two.fred.there.play(mine, {Turn{std::nullopt, "CT"}});
  CHECK(late.refusal().why == "Somebody else played on this board meanwhile: look at the position again. It is wilma's turn (OTTO).");
  CHECK(mine.match.plies().size() == 1);
  CHECK(two.times_played("CT") == 0);
}

TEST_CASE("offers go from seat to seat, and undo is one of them", "[connection]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.wilma.there.open(two.id);
  CHECK(two.fred.play(two.id, "undo") == "");
  CHECK(two.fred.play(two.id, "accept") == "fred (TOOT) made the offer: the others answer it.");
  CHECK(two.wilma.news() == "toot-101: fred plays BT.\ntoot-101: It is your turn.\ntoot-101: fred asks to take back the last ply.\n");
  CHECK(two.wilma.play(two.id, "accept") == "");
  board = *two.wilma.there.open(two.id);
  CHECK(board.match.plies().empty());
  CHECK(two.fred.play(two.id, "CT") == "");
  CHECK(two.wilma.play(two.id, "propose") == "");
  CHECK(two.fred.play(two.id, "reject") == "");
  CHECK(two.wilma.play(two.id, "resign") == "");
  board = *two.fred.there.open(two.id);
  CHECK(board.match.standing() == "fred (TOOT) won: wilma resigned.");
}

TEST_CASE("a challenge makes a board, and what cannot be one is refused", "[connection]") {
  Two two;
  const Setup toot = setup_of("toot");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"wilma", "betty"}).refusal().why == "This connection speaks for fred, who must be one of the players.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "nobody"}).refusal().why == "There is no userid nobody here.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "a b"}).refusal().why == "'a b' is no userid: on a server they are who plays.");
  CHECK(two.fred.there.create(*toot.game, toot.options, {"fred", "x : y"}).ok() == false);
  // Whoever resigns before he has played refuses the challenge: the board is gone.
  auto board = *two.wilma.there.open(two.id);
  CHECK(two.wilma.there.play(board, {Turn{std::nullopt, "resign"}}).ok());
  CHECK(board.warning == "wilma (OTTO) refused the challenge: the board is gone, and nobody's rating changes.");
  CHECK(board.match.ending());
  CHECK(two.fred.news() == "toot-101: wilma refused the challenge.\n");
  CHECK(two.fred.there.list().empty());
}

TEST_CASE("what only makes sense for files is refused on a server, and copies are one's own", "[connection]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  Boards& boards = two.fred.together;
  CHECK(boards.remove(two.id).refusal().why == "On a server a board ends by resigning, and finished ones are kept.");
  CHECK(boards.rename(two.id, "x").refusal().why == "A server gives its boards their names.");
  const auto copy = boards.keep(boards.open(two.id)->match);
  REQUIRE(copy.ok());
  CHECK(copy->id == "own:toot-101");
  CHECK_FALSE(boards.open("own:toot-101")->remote);
  CHECK(bytes_of(two.home.path() / "fred" / "saves" / "toot-101.yaml") == two.save());
  auto own = *boards.open(copy->id);
  CHECK(boards.play(own, {Turn{std::nullopt, "CO"}}).ok());
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
}

TEST_CASE("who shares a login is held to his own directory", "[connection][boards]") {
  TemporaryDirectory dir;
  DirectoryBoards theirs(dir / "theirs", source_root() / "saves");
  const Setup toot = setup_of("toot");
  REQUIRE(theirs.create(*toot.game, toot.options, {"a", "b"}).ok());
  REQUIRE(theirs.remove("toot-101").ok());
  REQUIRE(theirs.restore("toot-101").ok());
  DirectoryBoards mine(dir / "mine", source_root() / "saves", DirectoryBoards::Reach::directory);
  REQUIRE(mine.create(*toot.game, toot.options, {"c", "d"}).ok());
  fs::current_path(dir / "theirs");
  for (const std::string id : {"../theirs/toot-101", "../theirs/toot-101.yaml", "toot-101.yaml", "example:../../theirs/toot-101", "example:/etc/passwd", "/etc/passwd", ".deleted/x", "", ".", "example:", "example:.."}) {
    INFO(id);
    CHECK_FALSE(mine.open(id).ok());
    CHECK_FALSE(mine.remove(id).ok());
    CHECK_FALSE(mine.restore(id).ok());
    CHECK_FALSE(mine.rename(id, "stolen").ok());
  }
  fs::current_path("/");
  CHECK(mine.open("toot-101")->match.names() == Words{"c", "d"});
  CHECK(mine.open("101").ok());
  CHECK(mine.open("example:toot").ok());
}

TEST_CASE("notes on a server's board stay on this side, with the ply they were made on", "[connection]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.there.open(two.id);
  const std::string before = two.save();
  const std::size_t sent = two.cable.sent.size();
  CHECK(two.fred.there.play(board, {Turn{std::nullopt, "why: \"so\"", 1}}).ok());
  CHECK(board.match.note(1) == "why: \"so\"");
  CHECK_FALSE(two.fred.there.play(board, {Turn{std::nullopt, "x", 2}}).ok());
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
  CHECK(two.fred.there.play(board, {Turn{std::nullopt, "", 1}}).ok());
  CHECK(two.fred.there.open(two.id)->match.note(1).empty());
  // A note makes no difference to what the server is asked.
  CHECK(two.wilma.play(two.id, "CO") == "");

  const fs::path file = two.home.path() / "fred" / "servers" / "fred" / "toot-101.notes.yaml";
  REQUIRE(fs::exists(file));
  replace_file(file, "format: 1\nnotes:\n- {after: 1, ply: 1, note: half");
  CHECK(two.fred.there.open(two.id)->warning == "");
  replace_file(file, "nonsense: [\n");
  CHECK(has(two.fred.there.open(two.id)->warning, "Your notes cannot be read: toot-101.notes.yaml, "));
  CHECK(bytes_of(file) == "nonsense: [\n");
}

TEST_CASE("chat and messages are told, and the last of them can be read again", "[connection]") {
  Two two;
  const auto said = two.fred.there.chat(two.id, "have fun : really");
  REQUIRE(said.ok());
  CHECK(two.wilma.news() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.news() == "toot-101: fred: have fun : really\n");
  CHECK(two.fred.there.command("message fred * wilma : hello")->summary == "Sent to wilma.");
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
  Papers papers(two.home.path() / "wilma" / "servers" / "wilma");
  for (int i = 0; i < 500; ++i) papers.keep_talk("toot-101", "line " + std::to_string(i), two.hall.time);
  lines = papers.talk();
  CHECK(lines.size() == Papers::kMostTalk);
  CHECK(has(lines.back(), "line 499"));
  CHECK(fs::file_size(two.home.path() / "wilma" / "servers" / "wilma" / "talk.yaml") < 100'000);
}

TEST_CASE("what was said and done while one was away is told on coming back", "[connection]") {
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
  CHECK(dino.news() == "toot-102: wilma refused the challenge. (2026-11-21T12:00:00Z)\n");
}

TEST_CASE("a ply is played once, wherever the line breaks", "[connection]") {
  const Fault fault = GENERATE(Fault::before, Fault::after);
  const bool restarted = GENERATE(false, true);
  Two two;
  auto board = *two.fred.there.open(two.id);
  two.cable.fault = fault;
  CHECK(two.fred.there.play(board, {Turn{std::nullopt, "BT"}}).ok());
  CHECK(board.match.plies().size() == 1);
  CHECK(two.times_played("BT") == 1);
  CHECK_FALSE(two.fred.there.pending(two.id));

  // And when there is no way back at once: later, by itself.
  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  CHECK(two.wilma.play(two.id, "BO") == "");
  board = *two.fred.there.open(two.id);
  two.cable.fault = fault;
  two.cable.stays_down = true;
  const auto lost = two.fred.there.play(board, {Turn{std::nullopt, "CT"}});
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

TEST_CASE("a ply that waits for the line is called off by another one, and refused when the board moved on", "[connection]") {
  Two two;
  auto board = *two.fred.there.open(two.id);
  two.cable.fault = Fault::before;
  two.cable.stays_down = true;
  REQUIRE_FALSE(two.fred.there.play(board, {Turn{std::nullopt, "BT"}}).ok());
  two.cable.down = false;
  CHECK(two.fred.there.play(board, {Turn{std::nullopt, "CT"}}).ok());
  two.fred.news();
  CHECK(two.times_played("BT") == 0);
  CHECK(two.times_played("CT") == 1);

  REQUIRE(two.wilma.there.connect_as("wilma").ok());
  board = *two.wilma.there.open(two.id);
  two.cable.fault = Fault::before;
  REQUIRE_FALSE(two.wilma.there.play(board, {Turn{std::nullopt, "BO"}}).ok());
  // From somewhere else wilma plays another.
  two.cable.down = false;
  {
    Talk elsewhere(two.hall, "wilma");
    CHECK(has(elsewhere.first("toot move 101 wilma * DO"), "+OK"));
  }
  for (int i = 0; i < 20 && two.wilma.there.pending(two.id); ++i) two.wilma.wait();
  CHECK(has(two.wilma.news(), "The connection is back, but BO is not played: The next ply of toot 101 is number 3, not 2: look at the board again."));
  CHECK(two.times_played("BO") == 0);
}

TEST_CASE("a line that broke is tried again in longer and longer whiles, and hears events again", "[connection]") {
  Two two;
  two.cable.down = true;
  two.cable.cut();
  CHECK(two.fred.news() == "The connection to the hall is lost: the server has closed it. It is tried again by itself; what is typed stays.\n");
  CHECK(two.fred.there.list().size() == 1);  // as it was
  CHECK(two.fred.there.open(two.id).refusal().why == "There is no connection to the hall now: it is tried again by itself.");
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

TEST_CASE("a userid and its password let somebody in, and a wrong one does not", "[connection]") {
  TemporaryDirectory home;
  Hall hall;
  Cable cable(hall);
  Somebody fred(cable, home.path(), "fred", false);
  REQUIRE(fred.there.connect().ok());
  CHECK(fred.there.user().empty());
  CHECK(fred.there.list().empty());
  CHECK(fred.there.sign_in("fred", "secret").refusal().why == "There is no userid fred here: signup makes one.");
  CHECK(fred.there.sign_up("f d", "secret").refusal().why == "A userid has 1 to 16 letters, digits, '_', '.' and '-'.");
  CHECK_FALSE(fred.there.sign_up("fred", "a:b c").ok());
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
  REQUIRE(fred.there.command("change password fred * other").ok());
  cable.cut();
  fred.news();
  fred.wait();
  CHECK(fred.there.trouble() == "");
  // Changed elsewhere: it is not tried over and over, as that would lock the userid.
  {
    Talk elsewhere(hall, "fred");
    CHECK(has(elsewhere.first("change password fred * third"), "+OK"));
  }
  cable.cut();
  fred.news();
  fred.wait();
  CHECK(fred.there.trouble() == "signed out");
  CHECK(fred.there.list().empty());
  CHECK(has(fred.there.open("toot-101").refusal().why, "You are signed out: That is not the password of fred."));
  const std::size_t dialled = cable.dialled;
  pollfd p{fred.there.changes(), POLLIN, 0};
  fred.there.take_changes();
  CHECK(::poll(&p, 1, 50) == 0);
  CHECK(cable.dialled == dialled);
}

TEST_CASE("commands are sent as they are, but for those that would part us from the server", "[connection]") {
  Two two;
  const auto help = two.fred.there.command("help");
  REQUIRE(help.ok());
  CHECK(help->summary == "The commands.");
  CHECK(help->lines.size() > 30);
  CHECK(two.fred.there.command("toot games")->lines.size() == 1);
  CHECK(two.fred.there.command("dance").refusal().why == "There is no command 'dance': help lists them.");
  for (const std::string line : {"", "multiple", "QUIT", "login wilma x", "as wilma", "list\nquit", "li\x1Bst"}) {
    INFO(line);
    CHECK_FALSE(two.fred.there.command(line).ok());
  }
  CHECK(two.fred.there.user() == "fred");
  CHECK(two.fred.there.command("list").ok());
}

TEST_CASE("a queued ply is told on its board, and played when its turn comes", "[connection]") {
  Two two;
  CHECK(two.fred.play(two.id, "BT") == "");
  auto board = *two.fred.there.open(two.id);
  CHECK(*two.fred.there.queue(board, "CT") == "CT is queued on toot 101, for when it is your turn.");
  board = *two.fred.there.open(two.id);
  CHECK(board.remote->queued == "Queued on toot 101: CT.");
  CHECK(two.wilma.play(two.id, "CO") == "");
  CHECK(two.fred.there.open(two.id)->match.plies().size() == 3);
  CHECK(two.wilma.play(two.id, "FO") == "");
  board = *two.fred.there.open(two.id);
  CHECK(board.remote->queued == "");
  CHECK(*two.fred.there.queue(board, "none") == "x");
}
