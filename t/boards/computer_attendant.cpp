// SPDX-License-Identifier: MIT
// Tests boards on which the computer has a seat: its plies arrive by themselves, and a wrong or
// hanging engine does no harm.
#include "boards/boards.hpp"

#include <poll.h>

#include <ctime>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "boards/local_boards.hpp"
#include "engine/proved.hpp"
#include "run.hpp"
#include "support.hpp"
#include "test_app.hpp"
#include "ui/board_help.hpp"
#include "ui/line_mode.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

struct Place {
  explicit Place(const std::string& engine = "", std::chrono::milliseconds pace = 0ms)
      : computer(own, {engine, dir / "tables", pace, pace}) {}
  TemporaryDirectory dir;
  LocalBoards own{dir / "saves", dir / "examples"};
  Exercises exercises{source_root() / "saves", dir / "exercises"};
  ComputerAttendant computer;
  Boards all{own, nullptr, &exercises, &computer};

  Board create(const std::string& game, const Words& names) {
    return *pbm::test::create(own, *find_game(game), {}, names);
  }
  Match now(const Board& board) { return own.open(board.id)->match; }
  // Takes changes as a screen does, until `done`. Returns false after 30 s.
  bool until(const std::function<bool()>& done) {
    return until(done, [&] { all.take_changes(); });
  }
  bool until(const std::function<bool()>& done, const std::function<void()>& take_changes) {
    const auto over = std::chrono::steady_clock::now() + 30s;
    while (!done()) {
      pollfd p{all.changes(), POLLIN, 0};
      if (std::chrono::steady_clock::now() > over) return false;
      ::poll(&p, 1, 100);
      take_changes();
    }
    return true;
  }
  bool until_plies(const Board& board, std::size_t n) {
    return until([&] { return now(board).plies().size() >= n; });
  }
};

// Writes a shell script that speaks as an engine until `go`, and then runs `on_go`.
std::string script_engine(const Place& p, const std::string& on_go) {
  const fs::path file = p.dir / "engine.sh";
  std::ofstream(file) << "while read -r word rest; do case $word in\n"
                         "ugi) echo option name level type spin; echo ugiok;;\n"
                         "isready) echo readyok;;\n"
                         "go) " +
                             on_go +
                             ";;\n"
                             "esac; done\n";
  return "sh " + file.string();
}

}  // namespace

TEST_CASE("an engine is told the level of each seat that it plays", "[computer]") {
  Place p;
  EngineProcess engine(script_engine(
      p, "[ $level = 3 ] && echo bestmove AT || echo bestmove BT;;\nsetoption) level=${rest##* }"));
  const Match match = *Match::start(*find_game("toot"), {}, {"a", "b"}, Time{});
  for (const int level : {3, 7, 7, 3}) {
    Question question;
    question.level = level;
    CHECK(engine.think(match, question, {}).lines.front().ply == (level == 3 ? "AT" : "BT"));
  }
}

TEST_CASE("an engine is told of a new game where the words of its moves begin as those of the old",
          "[computer]") {
  Place p;
  EngineProcess engine(script_engine(p,
                                     "[ $games = 2 ] && echo bestmove 1rne || echo bestmove "
                                     "4rn;;\nuginewgame) games=$((games+1))"));
  for (const std::string first : {"5rs", "5rse"}) {
    Match match = *Match::start(*find_game("soccolot"), {}, {"a", "b"}, Time{});
    match.add(*match.validate(0, first, Time{}));
    CHECK(engine.think(match, {}, {}).lines.front().ply == (first == "5rs" ? "4rn" : "1rne"));
  }
}

TEST_CASE("the computer plays its seat of a board that somebody looks at", "[computer]") {
  Place p;
  Board board = p.create("chaos", {"fred", "computer:1"});
  CHECK(board.match.names() == Words{"fred", "computer"});
  CHECK(board.match.computer(1) == 1);
  // Nothing happens while nobody looks or while it is the person's turn.
  CHECK_FALSE(p.computer.thinking(board.id));
  auto looks = p.computer.attend(board);
  CHECK_FALSE(p.computer.thinking(board.id));
  REQUIRE(p.own.play(board, {{0, board.match.position().legal().front()}}).ok());
  looks = p.computer.attend(board);
  CHECK(p.computer.thinking(board.id) == Seat{1});
  REQUIRE(p.until_plies(board, 2));
  CHECK_FALSE(p.computer.thinking(board.id));
  CHECK(p.now(board).to_move() == Seat{0});
  // It stops when the person leaves the board.
  board = *p.own.open(board.id);
  looks.reset();
  REQUIRE(p.own.play(board, {{0, board.match.position().legal().front()}}).ok());
  CHECK_FALSE(p.computer.thinking(board.id));
  CHECK(p.now(board).plies().size() == 3);
}

TEST_CASE("computers play each other to the end, with three seats too", "[computer]") {
  for (const auto& [game, names] :
       {std::pair{"toot", Words{"computer:1", "computer:2"}},
        std::pair{"plotto", Words{"computer:1", "computer:1", "computer:1"}}}) {
    INFO(game);
    Place p;
    const Board board = p.create(game, names);
    const auto looks = p.computer.attend(board);
    CHECK(p.until([&] { return p.now(board).ending() || p.now(board).plies().size() > 60; }));
  }
}

TEST_CASE("level 10 thinks ahead while a person does, as long as somebody looks", "[computer]") {
  if (std::thread::hardware_concurrency() < 2) return skip("one processor");
  const auto spent = [] { return std::clock() * 1000 / CLOCKS_PER_SEC; };  // ms
  Place p;
  Board board = p.create("soccolot", {"computer:10", "fred"});
  const auto begin = [&](bool wanted) {
    p.computer.think_ahead(wanted);
    auto looks = p.computer.attend(board);
    REQUIRE(p.until_plies(board, board.match.plies().size() + 1));
    board = *p.own.open(board.id);
    return looks;
  };
  const auto thinks = [&] {
    const auto from = spent();
    std::this_thread::sleep_for(100ms);
    return spent() - from > 10;
  };
  const auto reply = [&] {
    REQUIRE(p.own.play(board, {{1, board.match.position().legal().front()}}).ok());
  };
  auto looks = begin(false);
  CHECK(p.until([&] { return !thinks(); }));
  reply();
  looks = begin(true);
  CHECK(p.until(thinks));
  // A second attend() without a change begins nothing.
  CHECK_FALSE(p.computer.thinking(board.id));
  CHECK(p.computer.attend(board) == looks);
  CHECK(p.until(thinks));
  looks.reset();
  CHECK(p.until([&] { return !thinks(); }));
  CHECK(p.now(board).plies().size() == 3);
}

TEST_CASE("the same board, level and moves give the same move", "[computer]") {
  Place p;
  Board board = p.create("flooprail", {"computer:4", "fred"});
  Words played;
  for (int i = 0; i < 2; ++i) {
    const auto looks = p.computer.attend(board);
    REQUIRE(p.until_plies(board, 1));
    Board then = *p.own.open(board.id);
    played.push_back(then.match.plies().back().text);
    if (i == 1) break;
    p.computer.hurry();
    // Takes the ply back while nobody looks, and makes the computer think again.
    REQUIRE(p.own.play(then, {{0, "undo"}, {1, "accept"}}).ok());
    board = then;
  }
  CHECK(played[0] == played[1]);
}

TEST_CASE("another level is kept, and a person can take the seat", "[computer]") {
  Place p;
  Board board = p.create("toot", {"fred", "computer:3"});
  REQUIRE(p.own.set_computer(board, 1, 7).ok());
  CHECK(board.match.computer(1) == 7);
  CHECK(p.now(board).computer(1) == 7);
  REQUIRE(p.own.set_computer(board, 1, 0).ok());
  const auto looks = p.computer.attend(board);
  REQUIRE(p.own.play(board, {{0, "BT"}}).ok());
  CHECK_FALSE(p.computer.thinking(board.id));
}

TEST_CASE("an offer is answered by the computer", "[computer]") {
  Place p;
  Board board = p.create("chaos", {"fred", "computer:1"});
  REQUIRE(p.own.play(board, {{0, "propose"}}).ok());
  const auto looks = p.computer.attend(board);
  CHECK(p.until([&] { return !p.now(board).offer(); }));
}

TEST_CASE("a draw is taken on a board that was only just opened", "[computer]") {
  // Two men ran out and back three times, so the start position occurs for the fourth time.
  Place p;
  const fs::path file = p.dir / "101.yaml";
  std::string plies;
  for (int i = 0; i < 3; ++i) plies += "6rs, 6rn, 6rn, 6rs, ";
  std::ofstream(file) << "format: 1\ngame: soccolot\nseats: [fred, bob]\ncomputer: {2: 3}\nplies: ["
                      << plies.substr(0, plies.size() - 2) << "]\n";
  Board board = *p.own.open(file.string());
  REQUIRE(p.own.play(board, {{0, "propose"}}).ok());
  const auto looks = p.computer.attend(board);
  CHECK(p.until([&] { return p.now(board).ending().has_value(); }));
}

TEST_CASE("an engine cannot be told that somebody has given up", "[computer]") {
  Place p;
  EngineProcess engine(script_engine(p, "echo bestmove b1"));
  Match match = *Match::start(*find_game("plotto"), {}, {"a", "b", "c"}, Time{});
  for (const char* ply : {"a1", "a2", "a3", "resign"})
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  std::string why;
  try {
    engine.think(match, {}, {});
  } catch (const Error& error) {
    why = error.what();
  }
  CHECK(has(why, "cannot be told that somebody has given up."));
}

TEST_CASE("an engine from elsewhere can have the seat", "[computer]") {
  Place p;
  const Place with(script_engine(p, "echo info depth 1; echo bestmove CT"));
  Place& q = const_cast<Place&>(with);
  Board board = q.create("toot", {"computer", "fred"});
  const auto looks = q.computer.attend(board);
  REQUIRE(q.until_plies(board, 1));
  CHECK(q.now(board).plies().front().text == "CT");
}

TEST_CASE("an engine that hangs, dies, lies, floods or is not there costs no game", "[computer]") {
  const std::map<std::string, std::string> engines{
      {"exit 0", "has ended"},
      {"echo bestmove ZZ", "plays 'ZZ', which is no legal move here"},
      {"printf 'bestmove \\033[2J\\n'", "plays '?[2J', which is no legal move here"},
      {"echo bestmove", "plays '', which is no legal move here"},
      {"yes", "says too much"},
  };
  for (const auto& [does, said] : engines) {
    INFO(does);
    Place script;
    Place p(script_engine(script, does));
    Board board = p.create("toot", {"computer", "fred"});
    const auto looks = p.computer.attend(board);
    REQUIRE(p.until([&] { return !p.computer.trouble().empty(); }));
    CHECK(has(p.computer.trouble(), said));
    CHECK(p.now(board).plies().empty());
    CHECK_FALSE(p.computer.thinking(board.id));
    // A person takes the seat and plays.
    REQUIRE(p.own.set_computer(board, 0, 0).ok());
    CHECK(p.own.play(board, {{0, "BT"}}).ok());
  }
  Place at_once("false");
  const Board first = at_once.create("toot", {"computer", "fred"});
  const auto watches = at_once.computer.attend(first);
  REQUIRE(at_once.until([&] { return !at_once.computer.trouble().empty(); }));
  CHECK(has(at_once.computer.trouble(), "has ended"));
  Place nowhere("/nowhere/engine");
  const Board board = nowhere.create("toot", {"computer", "fred"});
  const auto looks = nowhere.computer.attend(board);
  REQUIRE(nowhere.until([&] { return !nowhere.computer.trouble().empty(); }));
  CHECK(has(nowhere.computer.trouble(), "cannot be started"));
}

TEST_CASE("who hurries an engine that hangs gets the keys back", "[computer]") {
  Place script;
  Place p(script_engine(script, "exec sleep 600"));
  Board board = p.create("toot", {"computer", "fred"});
  auto looks = p.computer.attend(board);
  const auto began = std::chrono::steady_clock::now();
  p.computer.hurry();
  CHECK(p.until([&] { return has(p.computer.trouble(), "does not answer"); }));
  // Leaving the board does not wait either.
  REQUIRE(p.own.set_computer(board, 0, 5).ok());
  looks.reset();
  p.all.take_changes();
  CHECK(std::chrono::steady_clock::now() - began < 10s);
}

namespace {

// The program's screen, with boards on which the computer may have a seat.
struct OnScreen {
  explicit OnScreen(const std::string& engine = "") : place(engine) {}
  Place place;
  Settings settings{place.dir / "settings.yaml"};
  App app{place.all, settings, topic_of_tree, {source_root() / "themes"}};

  std::string shown() { return text_of(app.draw(kScreen)); }
  void type(std::string_view text) {
    for (const char c : text) app.press(c == '\n' ? kEnter : typed(static_cast<char32_t>(c)));
  }
  bool until_shown(std::string_view text) {
    return place.until([&] { return has(shown(), text); }, [&] { app.boards_changed(); });
  }
  // Shows an analysed game in which wilma's last move was a blunder.
  Board show_analysed() {
    Board board = place.create("toot", {"fred", "wilma"});
    app.show(board);
    type("BT\nAT\nCO\nCT\nDO\nAT\nanalyse\n");
    REQUIRE(until_shown("{ and }"));
    return board;
  }
};

}  // namespace

TEST_CASE("on the screen the computer's move comes by itself, and goes with one's own",
          "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("toot", {"fred", "computer:2"}));
  CHECK(has(s.shown(), "computer 2"));
  s.type("BT\n");
  REQUIRE(s.until_shown("computer (OTTO) drops"));
  CHECK(has(s.shown(), "fred (TOOT)>"));
  const Match played = s.place.own.open("toot-101")->match;
  REQUIRE(played.plies().size() == 2);
  // One undo also takes back the computer's answer.
  s.type("undo\n");
  CHECK(has(s.shown(), "The move and the computer's answer are taken back"));
  CHECK(s.place.own.open("toot-101")->match.plies().empty());
  s.type("redo\n");
  const Match again = s.place.own.open("toot-101")->match;
  REQUIRE(again.plies().size() == 2);
  CHECK(again.plies()[1].text == played.plies()[1].text);
}

TEST_CASE("while the computer thinks Esc has it play, and moves are refused", "[computer][ui]") {
  Place script;
  OnScreen s(script_engine(script, "read -r stop; echo bestmove CO"));
  s.app.show(s.place.create("toot", {"fred", "computer:2"}));
  s.type("BT\n");
  CHECK(has(s.shown(), "The computer thinks: Esc has it play now."));
  CHECK(has(s.shown(), "computer's turn>"));
  s.type("CO\n");
  CHECK(s.place.own.open("toot-101")->match.plies().size() == 1);
  s.app.press(kEsc);  // clears the line
  s.app.press(kEsc);  // stops the computer
  CHECK(has(s.shown(), "toot-101"));
  REQUIRE(s.until_shown("computer (OTTO) drops"));
}

TEST_CASE("in the form Left and Right say whether a person or the computer plays",
          "[computer][ui]") {
  OnScreen s;
  const auto press = [&](Key::Code code, int times = 1) {
    for (int i = 0; i < times; ++i) s.app.press({code});
  };
  s.app.press(typed('s'));
  press(Key::Code::up);
  // A player without earlier opponents is offered the computer.
  REQUIRE(has(s.shown(), "> player2      < computer 1 >       its level, of 10; or type a name"));
  press(Key::Code::left);
  REQUIRE(has(s.shown(), "> player2      < player2 >          a name, or Right: the computer"));
  press(Key::Code::left);
  CHECK(has(s.shown(), "> player2      < computer 10 >      its level, of 10; or type a name"));
  press(Key::Code::right);
  CHECK(has(s.shown(), "> player2      < player2 >"));
  // In typed text the arrows move the cursor first; the text comes back after the levels.
  s.type("wilma");
  press(Key::Code::left, 5);
  press(Key::Code::right, 5);
  CHECK(has(s.shown(), "> player2      < wilma >"));
  press(Key::Code::right, 4);
  CHECK(has(s.shown(), "> player2      < computer 4 >"));
  press(Key::Code::left, 4);
  CHECK(has(s.shown(), "> player2      < wilma >"));
  press(Key::Code::right, 2);
  s.app.press(typed('b'));
  CHECK(has(s.shown(), "> player2      < b >"));
  press(Key::Code::right, 2);
  press(Key::Code::enter);
  CHECK(has(s.shown(), "computer 2"));
  CHECK(s.place.own.open("toot-101")->match.computer(1) == 2);
  // The computer's name is not offered as a person's.
  s.app.press(kEsc);
  s.app.press(typed('s'));
  CHECK_FALSE(has(s.shown(), "computer 2"));
}

TEST_CASE("computers are watched at a pace that keys change", "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("plotto", {"computer:1", "computer:1", "computer:1"}));
  CHECK(has(s.shown(), "+ faster  - slower"));
  CHECK(has(s.shown(), "1 computer, level 1"));
  CHECK(has(s.shown(), "3 computer3, level 1"));
  s.app.press(typed('-'));
  CHECK(has(s.shown(), "A move takes 2 s at least."));
  CHECK(has(bytes_of(s.place.dir / "settings.yaml"), "pace: 2\n"));
  for (int i = 0; i < 9; ++i) s.app.press(typed('+'));
  CHECK(has(s.shown(), "A move takes 0.1 s at least."));
  CHECK(s.place.until([&] {
    s.app.boards_changed();
    return s.place.own.open("plotto-101")->match.plies().size() >= 3;
  }));
  // While a person plays, these keys are ordinary characters.
  s.app.press(kEsc);
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  s.app.press(typed('-'));
  CHECK(has(s.shown(), "fred (TOOT)> -"));
}

TEST_CASE("computers that are watched pause, and a move of theirs is taken back alone",
          "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("plotto", {"computer:1", "computer:1"}));
  for (int i = 0; i < 9; ++i) s.app.press(typed('+'));
  const auto plies = [&] { return s.place.own.open("plotto-101")->match.plies().size(); };
  const auto until_plies = [&](std::size_t n) {
    return s.place.until([&] {
      s.app.boards_changed();
      return plies() >= n;
    });
  };
  CHECK(until_plies(2));
  s.app.press(typed(' '));
  CHECK(has(s.shown(), "Paused: Space goes on."));
  CHECK(has(s.shown(), "Space go on"));
  CHECK_FALSE(s.place.computer.thinking("plotto-101"));
  const std::size_t before = plies();
  s.app.press(typed(' '));
  CHECK(until_plies(before + 1));
  s.app.press(typed(' '));
  const std::size_t then = plies();
  // Waits until that ply is shown.
  CHECK(s.place.until([&] {
    s.app.boards_changed();
    s.app.press(ctrl('X'));
    return plies() == then - 1;
  }));
  CHECK(has(s.shown(), "Space go on"));
}

TEST_CASE("a slow pace can be left at once", "[computer]") {
  Place p;
  p.computer.watch_at(1h);
  const Board board = p.create("toot", {"computer:1", "computer:1"});
  const auto looks = p.computer.attend(board);
  REQUIRE(p.until([&] { return p.computer.thinking(board.id).has_value(); }));
  CHECK_FALSE(p.now(board).plies().size() > 0);
  p.computer.hurry();
  CHECK(p.until_plies(board, 1));
  p.computer.watch_at(0ms);
  CHECK(p.until_plies(board, 3));
}

TEST_CASE("the word level gives a seat away and takes it back", "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("toot", {"fred", "wilma"}));
  s.type("level 4\n");
  CHECK(has(s.shown(), "The computer plays OTTO, at level 4."));
  CHECK(s.place.own.open("toot-101")->match.computer(1) == 4);
  s.type("level 11\n");
  CHECK(has(s.shown(), "Type level and a number from 1 to 10"));
  s.app.press({Key::Code::escape});
  s.type("level 0\n");
  CHECK(has(s.shown(), "A person plays OTTO."));
  CHECK(s.place.own.open("toot-101")->match.computer(1) == 0);
  // The person in the seat is not called computer, until the computer has the seat again.
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  s.type("level 0\n");
  CHECK(has(s.shown(), "Toot: fred against player2"));
  CHECK(has(bytes_of(s.place.dir / "saves/toot-102.yaml"), "seats: [fred, player2]\nstarted:"));
  s.type("level 2\n");
  CHECK(has(s.shown(), "OTTO computer 2"));
  CHECK(has(bytes_of(s.place.dir / "saves/toot-102.yaml"), "seats: [fred, computer]\n"));
}

TEST_CASE("a seat that another program gives to a person is played by the computer no more",
          "[computer][ui]") {
  OnScreen s;
  s.place.computer.watch_at(1h);
  Board shown = *s.place.own.keep(
      *Match::start(*find_game("toot"), {}, Seating{{"ann", "bob"}, {1, 2}}, now()));
  s.app.show(shown);
  CHECK(has(s.shown(), "watching>"));
  LocalBoards other(s.place.dir / "saves", s.place.dir / "examples");
  Board theirs = shown;
  REQUIRE(other.set_computer(theirs, 0, 0).ok());
  s.app.boards_changed();
  CHECK(has(s.shown(), "A person plays TOOT."));
  CHECK(has(s.shown(), "ann (TOOT)>"));
  // It is also refused for a `shown` board that has not seen the change yet.
  const auto played = s.place.own.play(shown, {{0, "BT"}});
  REQUIRE_FALSE(played.ok());
  CHECK(played.refusal().why ==
        "Not played: look at the position again. A person plays TOOT. It is ann's turn (TOOT).");
  CHECK(shown.match.computer(0) == 0);
  CHECK(s.place.now(shown).plies().empty());
  // The new name is reported, too, and the user's own plies go on.
  REQUIRE(other.set_computer(theirs, 1, 0).ok());
  s.app.boards_changed();
  CHECK(has(s.shown(), "A person plays OTTO."));
  s.type("BT\n");
  CHECK(s.place.now(shown).plies().size() == 1);
}

TEST_CASE("who has no name and plays the computer is you in the list of players, too",
          "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("toot", {"player1", "computer:1"}));
  CHECK(has(s.shown(), " Toot: you against computer 1"));
  CHECK(has(s.shown(), "> TOOT you "));
  s.app.show(s.place.create("toot", {"player1", "player2"}));
  CHECK(has(s.shown(), "> TOOT player1 "));
}

TEST_CASE("a closed board does not say that it waits for the computer", "[computer][ui]") {
  Place p;
  Board board = p.create("toot", {"fred", "computer:3"});
  REQUIRE(p.own.play(board, {{0, "BT"}}).ok());
  const BoardSummary line = p.own.list().front();
  CHECK(line.state() == "plays when opened");
  CHECK(waits_for(line, "fred"));
  // The only person on the board is the one at this keyboard.
  CHECK(waits_for(line, "wilma"));
  BoardSummary there = line;
  there.user = "wilma";
  CHECK_FALSE(waits_for(there, ""));
}

TEST_CASE("line by line the computer answers before the next line is read", "[computer][ui]") {
  Place p("", 1s);  // so that the computer is seen thinking, on any machine
  std::istringstream in("new toot fred computer:1\nBT\n\nquit\n");
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, true);
  CHECK(has(out.str(), "The computer thinks."));
  CHECK(has(out.str(), "computer (OTTO) drops"));
  CHECK(p.own.open("toot-101")->match.plies().size() == 2);
}

// Types the best plies of a board until the game is over.
class Typist : public std::streambuf {
 public:
  Typist(LocalBoards& boards, std::string id) : boards_(boards), id_(std::move(id)) {}

 private:
  int_type underflow() override {
    const auto board = boards_.open(id_);
    line_ = "new plotto computer:9 fred";
    if (board && board->match.ending()) line_ = "quit";
    else if (board) line_ = best(board->match.position());
    line_ += '\n';
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(*gptr());
  }
  static std::string best(const Position& position) {
    Question question;
    question.limits.nodes = 100'000;
    return find_game("plotto")->think(position, question).lines.front().ply;
  }

  LocalBoards& boards_;
  std::string id_, line_;
};

TEST_CASE("line by line a computer that failed tries again when something is typed",
          "[computer][ui]") {
  Place script;
  Place p(script_engine(script, "mkdir " + (script.dir / "once").string() +
                                    " 2>/dev/null && echo bestmove ZZ || echo bestmove CT"),
          0s);
  std::istringstream in("new toot computer fred\nlegal\nquit\n");
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, true);
  INFO(out.str());
  CHECK(has(out.str(), "plays 'ZZ', which is no legal move here"));
  CHECK(p.own.open("toot-101")->match.plies().size() == 1);
}

TEST_CASE("line by line the computer gives up as it does on a screen", "[computer]") {
  Place p("", 0s);
  Typist typist(p.own, "plotto-101");
  std::istream in(&typist);
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, false);
  CHECK(has(out.str(), "fred (2) won: computer resigned"));
}

TEST_CASE("a hint is told in two steps, where, then what and why; and gone by the same key",
          "[computer][hint]") {
  OnScreen s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(s.place.own.play(board, {{seat, ply}}).ok());
  s.app.show(board);
  CHECK(has(s.shown(), "F6 hint"));
  const Key f6{Key::Code::function, 6};
  s.app.press(f6);
  CHECK(has(s.shown(), "The computer thinks about a hint. Esc stops that"));
  REQUIRE(s.until_shown("Hint: look at E."));
  // Only that place is marked.
  const Canvas canvas = s.app.draw(kScreen);
  int marked = 0;
  for (int r = 0; r < kScreen.rows; ++r)
    for (int c = 0; c < kScreen.columns; ++c)
      // It has the colour of the seat that would play there.
      marked += canvas.at(r, c).mark == Mark::win && canvas.at(r, c).style == Style::piece1;
  CHECK(marked == 1);
  // The text stays as long as the mark.
  s.app.press(ctrl('U'));
  CHECK(has(s.shown(), "Hint: look at E."));
  CHECK(has(s.shown(), "fred (TOOT)>\n"));
  s.app.press(f6);
  CHECK(has(s.shown(), "Hint: ET drops a T down column E. It wins at once."));
  CHECK(has(s.shown(), "fred (TOOT)> ET"));
  // F6 then shows the threats, then nothing, then the hint again.
  s.app.press(f6);
  REQUIRE(s.until_shown("computer threatens"));
  CHECK(has(s.shown(), "fred (TOOT)>\n"));
  s.app.press(f6);
  CHECK_FALSE(has(s.shown(), "threatens"));
  CHECK_FALSE(has(s.shown(), "Hint"));
  s.app.press(f6);
  REQUIRE(s.until_shown("Hint: look at E."));
  s.app.press(f6);
  CHECK(has(s.shown(), "fred (TOOT)> ET"));
  s.type("ET");  // replaces the suggested ply
  s.app.press(kEnter);
  CHECK(has(s.shown(), "fred (TOOT) won"));
  CHECK_FALSE(has(s.shown(), "Hint"));
  // After the end F6 shows the analysis.
  s.app.press(f6);
  REQUIRE(s.until_shown("computer: "));
  CHECK(has(s.shown(), "fred's chance in %"));
  CHECK(has(s.shown(), "F6 no analysis"));
  // The computer's mistakes make no puzzle for fred.
  CHECK(has(s.shown(), "tells all."));
  s.app.press(f6);
  CHECK_FALSE(has(s.shown(), "fred's chance in %"));
  // F6 shows the hidden analysis again at once.
  s.app.press(f6);
  CHECK(has(s.shown(), "fred's chance in %"));
  CHECK(has(s.shown(), "game over>"));
}

TEST_CASE("what the computer answers to an offer is told, and to nobody else but it",
          "[computer]") {
  OnScreen s;
  s.app.show(s.place.create("plotto", {"fred", "computer:3"}));
  s.type("propose\n");
  CHECK_FALSE(has(s.shown(), "Type accept or reject"));
  REQUIRE(s.until_shown("computer (2) rejects the draw."));
  // The offer and its answer changed no position, so the next Enter plays.
  s.type("a1\n");
  CHECK(has(s.shown(), "1 a1"));
}

TEST_CASE("threats are marked on the board shown, until another one is", "[computer][threats]") {
  OnScreen s;
  Board board = s.place.create("toot", {"fred", "wilma"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "AT"}, {0, "CO"}, {1, "AT"}, {0, "DO"}})
    REQUIRE(s.place.own.play(board, {{seat, ply}}).ok());
  s.app.show(board);
  int whose = 0;
  const auto marked = [&] {
    const Canvas canvas = s.app.draw(kScreen);
    int out = 0;
    for (int r = 0; r < kScreen.rows; ++r)
      for (int c = 0; c < kScreen.columns; ++c)
        // They have the colour of the seat that threatens.
        out += canvas.at(r, c).mark == Mark::wrong &&
               canvas.at(r, c).style == (whose == 0 ? Style::piece1 : Style::piece2);
    return out;
  };
  s.app.press({Key::Code::function, 6});
  REQUIRE(s.until_shown("fred threatens to win at once with ET: "));
  CHECK(marked() == 1);
  s.app.press(ctrl('U'));  // the text stays as long as the marks
  CHECK(has(s.shown(), "fred threatens to win at once with ET: "));
  CHECK(marked() == 1);
  s.app.press({Key::Code::escape});
  CHECK(marked() == 0);
  s.type("threats\n");
  REQUIRE(s.until_shown("fred threatens to win at once with ET: "));
  // Another position is shown, so its threats are others.
  s.app.press(ctrl('P'));
  CHECK(marked() == 0);
  s.type("threats\n");
  REQUIRE(s.until_shown("wilma threatens"));
  s.app.press({Key::Code::end});
  s.type("ET\n");
  CHECK(marked() == 0);
}

TEST_CASE("nothing is told of threats while others play, nor after the end", "[threats]") {
  Place p;
  Board board = p.create("toot", {"fred", "wilma"});
  const auto told = [&](std::size_t ply) {
    const auto may = BoardSession(p.all, board).may_see_threats(ply);
    return may ? "" : may.refusal().why;
  };
  CHECK(told(0).empty());
  REQUIRE(p.own.play(board, {{0, "BT"}}).ok());
  board.remote = Board::Remote{{}, Seat{0}};
  CHECK(told(1) == "Threats are not told while the game is in play.");
  BoardSession tries(p.all, board);
  tries.try_from(0);
  CHECK_FALSE(tries.may_see_threats(0).ok());
  REQUIRE(p.own.play(board, {{1, "resign"}}).ok());
  CHECK(has(told(1), "won: wilma resigned. Look back to see what was threatened."));
  CHECK(told(0).empty());
  board.remote.reset();
  board.exercise = p.all.open("lesson:toot")->exercise;
  CHECK(has(told(0), "for you to find"));
}

TEST_CASE("an analysis marks the moves, goes from mistake to mistake and tries what was better",
          "[computer][analysis]") {
  OnScreen s;
  const auto said = [&] {
    std::string out;
    for (const std::string& word : words(s.shown())) out += word + " ";
    return out;
  };
  Board board = s.place.create("toot", {"fred", "wilma"});
  s.app.show(board);
  s.type("analyse\n");
  CHECK(has(s.shown(), "Nothing was played yet."));
  s.type("BT\nAT\nCO\nCT\nDO\nAT\n");
  s.app.press(typed('}'));
  CHECK(has(s.shown(), "Nothing is analysed here"));
  s.app.press(ctrl('U'));
  s.type("analyse\n");
  CHECK(has(s.shown(), "Analysing: "));
  REQUIRE(s.until_shown("{ and }"));
  CHECK(has(s.shown(), "6 AT??"));
  // The curve is beside the board and marks the ply that is shown.
  const auto marked_on_curve = [&](Size size) -> std::optional<std::pair<int, char>> {
    const Canvas canvas = s.app.draw(size);
    const auto legend = find_on(canvas, "fred's chance in %, move by move");
    for (int r = 1; legend && r <= 5; ++r)
      for (int c = 0, first = legend->column + 4; first + c < size.columns; ++c)
        if (canvas.at(legend->row + r, first + c).mark == Mark::last &&
            canvas.at(legend->row + r, first + c).glyph != U' ')
          return std::pair(c, static_cast<char>(canvas.at(legend->row + r, first + c).glyph));
    return std::nullopt;
  };
  CHECK(marked_on_curve(kScreen) == std::pair(6, '*'));
  CHECK(has(s.shown(), "6 AT??"));
  s.app.press(ctrl('P'));
  s.app.press(ctrl('P'));
  CHECK(marked_on_curve(kScreen)->first == 4);
  s.app.press(Key{Key::Code::end});
  s.app.press(typed('}'));
  // The program asks first, then tells the answer.
  CHECK(has(s.shown(), "What is better here than BT "));
  CHECK(has(s.shown(), "move 1, by fred"));
  s.app.press(typed('}'));
  CHECK(has(s.shown(), " 1: fred drops"));
  CHECK(has(s.shown(), " holds a tie; this loses."));
  s.app.press(typed('{'));
  CHECK(has(s.shown(), "There is no mistake before this."));
  // The player can type the answer.
  s.type("#0\n");
  s.app.press(Key{Key::Code::end});
  s.app.press(typed('{'));
  CHECK(has(s.shown(), "What is better here than AT ??, move 6, by wilma"));
  CHECK(has(s.shown(), "Enter tell"));
  s.type("AT\n");
  CHECK(has(s.shown(), "AT is not what the computer found."));
  s.app.press(ctrl('U'));
  s.app.press(kEnter);
  CHECK(has(s.shown(), "AT ??, a blunder: "));
  CHECK(has(said(), "this loses in 2 moves"));
  s.app.press(typed('{'));
  CHECK(has(s.shown(), "What is better here than "));
  CHECK(has(s.shown(), "F8 better line"));
  // F8 shows the better line of the ply in question.
  s.app.press({Key::Code::function, 8});
  CHECK(has(s.shown(), "Better for "));
  CHECK(has(s.shown(), "Ctrl-Y next move"));
  s.app.press({Key::Code::escape});
  CHECK(has(s.shown(), "What is better here than "));  // as before F8
  s.type("better 6\n");
  CHECK(has(s.shown(), "Better for "));
  CHECK(has(s.shown(), "trying moves"));
  s.app.press(ctrl('Y'));
  CHECK(has(s.shown(), "wilma drops "));
  s.app.press(kEsc);
  s.type("analyse\n");
  CHECK(has(said(), "this loses in 2"));
  // The text is complete even on a narrow screen.
  for (const Size size : {Size{60, 80}, Size{60, 40}}) {
    const std::string all = text_of(s.app.draw(size));
    INFO(all);
    std::string flat;
    for (const std::string& word : words(all)) flat += word + " ";
    CHECK(has(flat, "this loses in 2 moves"));
    CHECK(has(flat, "chances at the start and after each move)"));
    CHECK_FALSE(has(all, "~"));
  }
  s.app.press(kEsc);
  s.type("analyse note\n");
  CHECK(has(s.shown(), "Type analyse alone, or analyse notes."));
  s.app.press(ctrl('U'));
  s.type("analyse notes\n");
  CHECK(has(s.shown(), "Noted on "));
  CHECK(has(s.place.own.open(board.id)->match.note(6), "this loses in 2 moves"));
  s.type("analyse notes\n");
  CHECK(has(s.shown(), "There is nothing new to note."));
  s.app.press(ctrl('U'));
  // A new ply is not judged yet.
  s.app.press(Key{Key::Code::end});
  s.type("ET\n");
  CHECK_FALSE(has(s.shown(), "AT??"));
  s.type("better 6\n");
  CHECK(has(s.shown(), "Nothing is analysed here"));
}

TEST_CASE("a mistake is asked about no longer when a check has taken its mark away",
          "[computer][analysis]") {
  OnScreen s;
  const Board board = s.show_analysed();
  s.app.press(typed('{'));
  REQUIRE(has(s.shown(), "What is better here than AT ??, move 6, by wilma"));
  *s.place.computer.analysis_of(board.id) = Analysis(s.place.now(board));
  CHECK_FALSE(has(s.shown(), "What is better here"));
  CHECK_FALSE(has(s.shown(), "Enter tell"));
  s.type("BT\n");
  CHECK(has(s.shown(), "Enter again: BT on the board as it is now. F3: try it from here."));
  s.app.press(ctrl('U'));
  s.app.press(kEnter);
  CHECK(has(s.shown(), "5: fred drops"));
  s.app.press(typed('}'));
  CHECK(has(s.shown(), "No mistake is known."));
}

TEST_CASE("a game is played through by itself, until a key", "[ui][replay]") {
  OnScreen s;
  Board board = s.place.create("toot", {"fred", "wilma"});
  s.app.show(board);
  s.type("BT\nAO\nBO\n");
  // In the current position a blank is part of a move.
  s.app.press(typed(' '));
  CHECK_FALSE(s.app.due());
  s.app.press(ctrl('U'));
  s.type("#0\n");
  s.app.press(typed(' '));
  CHECK(has(s.shown(), "3 moves ahead"));
  REQUIRE(s.app.due());
  const auto marks = [&](Mark mark) {
    const Canvas canvas = s.app.draw(kScreen);
    int out = 0;
    for (int r = 0; r < kScreen.rows; ++r)
      for (int c = 0; c < kScreen.columns; ++c) out += canvas.at(r, c).mark == mark;
    return out;
  };
  CHECK(marks(Mark::picked) == 0);
  s.app.tick();
  CHECK(has(s.shown(), "3 moves ahead"));
  CHECK(marks(Mark::picked) > 0);
  s.app.tick();
  CHECK(has(s.shown(), "2 moves ahead"));
  s.app.press(typed(' '));
  CHECK_FALSE(s.app.due());
  CHECK(has(s.shown(), "2 moves ahead"));
  // It replays from there to the end.
  s.app.press(typed(' '));
  for (int i = 0; i < 4; ++i) s.app.tick();
  CHECK_FALSE(s.app.due());
  CHECK(has(s.shown(), "wilma (OTTO)>"));
  CHECK_FALSE(has(s.shown(), "behind"));
  // A letter stops the replay; any other key also has its usual effect.
  for (const Key key : {typed('C'), Key{Key::Code::end}}) {
    s.app.press(ctrl('P'));
    s.app.press(typed(' '));
    REQUIRE(s.app.due());
    s.app.press(key);
    CHECK_FALSE(s.app.due());
    CHECK(has(s.shown(), key == typed('C') ? "Stopped, 1 move ahead" : "wilma (OTTO)>"));
  }
}

TEST_CASE("an analysis is ended by Esc, and gone on with", "[computer][analysis]") {
  OnScreen s;
  Board board = s.place.create("plotto", {"fred", "wilma"});
  s.app.show(board);
  std::mt19937 random(5);
  for (int i = 0; i < 12; ++i) {
    const auto legal = s.place.own.open(board.id)->match.position().legal();
    s.type(legal[below(random, legal.size())] + "\n");
  }
  s.type("analyse\n");
  CHECK(has(s.shown(), "Analysing: "));
  s.app.press(kEsc);
  CHECK(has(s.shown(), "The analysis is not finished: type analyse to go on."));
  s.type("analyse\n");
  CHECK(has(s.shown(), "Analysing: "));
}

TEST_CASE("an analysis is there again when one comes back to the board", "[computer][analysis]") {
  OnScreen s;
  const Board board = s.show_analysed();
  s.app.press(kEsc);
  REQUIRE_FALSE(has(s.shown(), "AT??"));
  s.app.show(*s.place.own.open(board.id));
  CHECK(has(s.shown(), "6 AT??"));
  s.app.press(typed('{'));
  CHECK(has(s.shown(), "What is better here than AT "));
  // The analysis belongs to that board only.
  s.app.press(kEsc);
  s.app.press(kEsc);
  s.app.show(s.place.create("toot", {"fred", "wilma"}));
  s.type("BT\n");
  s.app.press(typed('}'));
  CHECK(has(s.shown(), "Nothing is analysed here"));
}

TEST_CASE("where a table is made first that is told, and left by Esc for a hint",
          "[computer][analysis]") {
  OnScreen s;
  s.app.show(s.place.create("chaos", {"fred", "computer:10"}));
  s.type("a2-c2\n");
  REQUIRE(s.until_shown("computer (x) jumps"));
  s.type("analyse\n");
  REQUIRE(s.until_shown("First a table of endings, made once: "));
  s.app.press(kEsc);
  CHECK(has(s.shown(), "The analysis is not finished: type analyse to go on."));
  s.app.press({Key::Code::function, 6});
  CHECK(s.until_shown("Hint: look at "));
}

TEST_CASE("who has given up against the computer may have another game", "[computer][ui]") {
  OnScreen s;
  s.app.show(s.place.create("toot", {"fred", "computer:3"}));
  s.type("resign\n\n");
  CHECK(has(s.shown(), "computer (OTTO) won"));
  CHECK(has(s.shown(), "r: another game, seats swapped."));
  s.type("BT\n");
  CHECK_FALSE(has(s.shown(), "The computer has all seats"));
  s.app.press(ctrl('U'));
  s.app.press(typed('r'));
  s.app.press(kEnter);
  CHECK(has(s.shown(), "This is board toot-102, with the seats swapped."));
  const Match again = s.place.own.open("toot-102")->match;
  CHECK(again.computer(0) == 3);
  CHECK(again.computer(1) == 0);
  // A player who has resigned among several watches the others to the end.
  s.app.press(kEsc);
  s.app.show(s.place.create("plotto", {"fred", "computer:1", "computer:1"}));
  s.type("resign\n\n");
  CHECK_FALSE(has(s.shown(), "rematch"));
}

TEST_CASE("line by line an analysis is a text", "[computer][analysis]") {
  Place p;
  std::istringstream in(
      "new toot -size=5x3 a b\nanalyse\nbetter\nBT\nAT\nCO\nAT\nDO\nAT\nanalyse\nanalyse x\nbetter "
      "6\n"
      "boards\nanalyse notes\nplies\nquit\n");
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, true);
  CHECK(has(out.str(), "Nothing was played yet."));
  CHECK(has(out.str(), "Nothing is analysed here yet: type analyse."));
  CHECK(has(out.str(), "The computer looks at every move"));
  CHECK(has(out.str(), "6. AT ??, a blunder: EO holds a tie; this loses in 2 moves."));
  CHECK(has(out.str(), "Type analyse alone, or analyse notes."));
  CHECK(has(out.str(), "Better for "));
  CHECK(has(out.str(), "Noted on "));
  CHECK(has(out.str(), "Note: [?? EO holds a tie; this loses in 2 moves: EO "));
}

TEST_CASE("a guess is explained by the line that is expected and what that changes",
          "[computer][hint]") {
  Place p;
  const Board board = p.create("soccolot", {"fred", "computer:1"});
  const Match& match = board.match;
  const Thought thought =
      p.computer.thinker().think(Thinker::Rank::person, match.game(), match.position(), {});
  const Advice found{thought.lines.front(), changes_by(match, thought)};
  REQUIRE_FALSE(found.changes.empty());
  for (std::size_t i = 1; i < found.changes.size(); ++i)
    CHECK(std::abs(found.changes[i].value) <= std::abs(found.changes[i - 1].value));
  Advice advice = found;
  advice.line.verdict = Verdict::estimate(61);
  advice.changes = {{"ball", 40}, {"men", -3}, {"ways", 2}, {"rest", 1}};
  Hint hint(board.match, advice);
  CHECK(hint.next().ply.empty());
  CHECK(hint.spot());
  CHECK(hint.next().ply == advice.line.ply);
  CHECK_FALSE(hint.spot());
  const std::string why = hint.next().told;
  CHECK(has(why, ". Chance to win: fred 61 %. Expected then: "));
  CHECK(why.ends_with(" In its favour: ball, ways; against it: men."));
  const auto told_of = [&](const Verdict& verdict) {
    advice.line.verdict = verdict;
    Hint other(board.match, advice);
    other.next();
    return other.next().told;
  };
  CHECK(has(told_of(engine::Proved::win(9)), "It wins in 9 moves, counting both sides'."));
  CHECK(has(told_of(engine::Proved::loss(8)),
            "It loses in 8 moves, counting both sides'; no move is better."));
  CHECK(has(told_of(engine::Proved::win(0)), "It wins; in how many moves is not known."));
  CHECK(has(told_of(engine::Proved::loss(0)), "Every move loses."));
  CHECK(has(told_of(engine::Proved::tie()), "With best play it is a tie."));
  CHECK(has(told_of(engine::Proved::endless()), "With best play nobody can win."));
}

TEST_CASE("a hint is dropped by Esc, by a move, and with its board", "[computer][hint]") {
  OnScreen s;
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  const Key f6{Key::Code::function, 6};
  s.app.press(f6);
  s.app.press(kEsc);
  CHECK(has(s.shown(), "No hint, then."));
  s.type("hint\n");
  CHECK(has(s.shown(), "thinks about a hint"));
  s.type("BO\n");  // does not lead to a solved position
  CHECK_FALSE(has(s.shown(), "thinks about a hint"));
  REQUIRE(s.until_shown("computer (OTTO) drops"));
  s.app.press(f6);
  REQUIRE(s.until_shown("Hint: look at "));
  s.app.press(f6);
  CHECK(has(s.shown(), " %. Expected then: "));
  s.app.press(ctrl('U'));
  s.app.press(kEsc);  // back to the list of boards
  CHECK_FALSE(has(s.shown(), "F6 hint"));
}

TEST_CASE("nobody is helped against people that are still in play", "[computer][hint]") {
  Place p;
  const auto told = [&](const Board& board) {
    const auto may = BoardSession(p.all, board).may_have_hint();
    return may ? "" : may.refusal().why;
  };
  Board two = p.create("toot", {"fred", "wilma"});
  CHECK(told(two) ==
        "No hint while fred and wilma play against each other. Type level 3 to play against "
        "the computer.");
  // A trial of moves belongs to the same game.
  BoardSession tries(p.all, two);
  tries.try_from(0);
  CHECK_FALSE(tries.may_have_hint().ok());
  REQUIRE(p.own.set_computer(two, 1, 3).ok());
  CHECK(told(two).empty());
  Board server = p.create("toot", {"fred", "wilma"});
  server.remote = Board::Remote{{}, Seat{0}};
  CHECK(told(server) == "No hint while fred and wilma play against each other.");
  server.remote->mine.reset();
  CHECK_FALSE(told(server).empty());
  // Resigning gives no right to hints while others play; a person alone may have them.
  Board three = p.create("plotto", {"fred", "wilma", "computer:1"});
  CHECK(has(told(three), "No hint while fred and wilma play"));
  REQUIRE(p.own.play(three, {{0, "resign"}}).ok());
  CHECK(told(three).empty());
  // After the end no opponent can lose by a hint.
  REQUIRE(p.own.play(server, {{0, "resign"}}).ok());
  BoardSession over(p.all, server);
  CHECK_FALSE(over.may_have_hint().ok());
  over.try_from(0);
  CHECK(over.may_have_hint().ok());
  // It is the computer's turn.
  CHECK(told(p.create("toot", {"computer:1", "fred"})) == "It is computer's turn (TOOT).");
}

TEST_CASE("line by line a hint goes on by being asked for again", "[computer][hint]") {
  Place p;
  std::istringstream in(
      "new plotto fred computer:1 computer:2\nhint\nhint\nhint\nhint x\nnew\nboards\n"
      "new toot a b\nhint\nquit\n");
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, true);
  CHECK(has(out.str(), "The computer thinks about a hint.\nHint: look at "));
  CHECK(has(out.str(), ". Ask again for the move.\n"));
  CHECK(has(out.str(), ". Chance to win: fred "));
  CHECK(has(out.str(), " %, computer "));
  CHECK(has(out.str(), ", computer2 "));
  CHECK(has(out.str(), "Nothing follows hint."));
  CHECK(has(out.str(), "No hint while a and b play against each other."));
}

TEST_CASE("openings say what is proved of each move, but to nobody against people",
          "[computer][openings]") {
  OnScreen s;
  Board over = s.place.create("plotto", {"fred", "wilma"});
  REQUIRE(s.place.own.play(over, {{0, "a1"}, {1, "a2"}, {0, "resign"}}).ok());
  s.app.show(s.place.create("plotto", {"fred", "wilma"}));
  s.type("openings\n");
  CHECK(has(s.shown(), "a1      1   0 100   0\n"));
  CHECK(has(s.shown(), "The computer says nothing of these moves while people play"));
  CHECK_FALSE(has(s.shown(), "proved"));
  s.app.press(kEsc);
  s.type("level 2\nopenings\n");
  CHECK(has(s.shown(), "The computer looks at these moves. Esc shows what is known by now."));
  REQUIRE(s.until_shown("a1      1   0 100   0 loss in 14"));
  CHECK(has(s.shown(), "What stands after a move is proved by the computer"));
  s.app.press(kEsc);
  s.app.press(kEsc);
  s.app.show(over);
  s.type("openings 0\n");
  s.app.press(kEsc);
  CHECK(has(s.shown(), "a1      1   0 100   0\n"));
  CHECK(has(s.shown(), "The computer has proved nothing of these moves."));
  s.app.press(kEsc);
  s.type("openings 0\n");
  REQUIRE(s.until_shown("loss in 14"));
}

TEST_CASE("line by line openings say what is proved, and in exercises there are none",
          "[computer][openings]") {
  Place p;
  std::istringstream in(
      "new plotto fred wilma\na1\na2\nresign\nopenings 0\nopenings 0 1\nopenings\nquit\n");
  std::ostringstream out;
  line_by_line(p.all, View{}, Settings({}), topic_of_tree, in, out, true);
  CHECK(has(out.str(), "Plotto, from the start\n\n1 finished game came here. 1 is to move. Of"));
  CHECK(has(out.str(), "a1      1   0 100   0 loss in 14\n"));
  CHECK(has(out.str(), "No finished game has come here.\n"));
  Board board = p.create("plotto", {"fred", "wilma"});
  board.exercise = p.all.open("lesson:plotto")->exercise;
  BoardSession session(p.all, board);
  std::string told;
  BoardHelp(session, p.all, "", [&](const BoardHelp::Said& said) {
    told = said.told;
  }).ask(Help::openings, 0);
  CHECK(told == "No openings here: this is for you to find.");
}

TEST_CASE("a game among computers waits for nobody, one with a person for him", "[computer]") {
  Place p;
  p.create("toot", {"computer:1", "computer:2"});
  REQUIRE(p.own.list().size() == 1);
  CHECK(p.own.list().front().computers_turn());
  CHECK_FALSE(waits_for(p.own.list().front(), ""));
  p.create("toot", {"computer:1", "fred"});
  std::size_t waiting = 0;
  for (const BoardSummary& board : p.own.list()) waiting += waits_for(board, "");
  CHECK(waiting == 1);
}

TEST_CASE("words for the computer as a player are read in one place", "[computer]") {
  const auto seats = *read_seats({"fred", "computer:3", "Computer", "computer:10"});
  CHECK(seats.names == Words{"fred", "computer", "computer2", "computer3"});
  CHECK(seats.levels == std::vector<int>{0, 3, 3, 10});
  // The shown name also means the computer; a longer name is a person's.
  const auto named = *read_seats({"computer2:2", "Computer7", "computerfan"});
  CHECK(named.names == Words{"computer", "computer2", "computerfan"});
  CHECK(named.levels == std::vector<int>{2, 3, 0});
  for (const char* wrong : {"computer:0", "computer:11", "computer:", "computer:x", "computer:3 "})
    CHECK(has(read_seats({wrong}).refusal().why, "the computer plays at levels 1 to 10"));
}

TEST_CASE("an engine that is to think for ever answers when it is stopped", "[computer][cli]") {
  // The game can be won at once, so the search ends soon.
  TemporaryDirectory dir;
  const Ran ran = run_shell(
      "{ echo position startpos moves BT CO DO FO; echo go infinite; sleep 1;"
      " cp said before; echo isready; echo stop; } | '" +
          program().string() + "' engine toot >said; cat before; echo ---; cat said",
      {.home = dir.path(), .input = "", .directory = dir.path(), .output = "", .variables = {}});
  const std::size_t parts = ran.out.find("---");
  REQUIRE(parts != std::string::npos);
  CHECK(has(ran.out.substr(0, parts), "score mate 1 pv ET"));
  CHECK_FALSE(has(ran.out.substr(0, parts), "bestmove"));
  CHECK(has(ran.out.substr(parts), "readyok\nbestmove ET\n"));
}

TEST_CASE("an engine is ready when there is the table that it needs", "[computer][cli][long]") {
  const Home pbmplay;
  CHECK(pbmplay({"engine", "chaos"}, "isready\n").out == "readyok\n");
  CHECK(std::filesystem::exists(pbmplay.dir / ".cache/pbmplay/chaos.table"));
}

TEST_CASE("pbmplay engine answers another program", "[computer][cli]") {
  const Home pbmplay;
  const auto said = [&](const std::string& input) {
    const Ran ran = pbmplay({"engine", "toot"}, input);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string hello = said("ugi\nisready\nquit\n");
  CHECK(has(hello, "option name size type string default 6x4\n"));
  CHECK(has(hello, "ugiok\nreadyok\n"));
  // Lines that come during a search are answered after it; the end of the input waits for it.
  const std::string thought =
      said("position startpos moves BT\ngo nodes 2000\nquery p1turn\nquery result\n");
  CHECK(has(thought, "\nbestmove "));
  CHECK(has(thought, "response false\nresponse none\n"));
  CHECK(has(said("go infinite\nstop\n"), "bestmove "));
  CHECK(has(said("go nodes 100"), "bestmove "));  // the last line needs no line end
  // The same seed plays the same ply, and different seeds play different ones.
  const auto best = [](const std::string& out) { return out.substr(out.find("bestmove ")); };
  std::set<std::string> plies;
  for (const char* seed : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
    const std::string asked = "setoption name level value 1\nsetoption name seed value " +
                              std::string(seed) + "\nposition startpos\ngo\n";
    const std::string played = best(said(asked));
    CHECK(best(said(asked)) == played);
    plies.insert(played);
  }
  CHECK(plies.size() > 1);
  // During a search it reports its progress now and then.
  const std::string told = said("setoption name size value 7x9\ngo movetime 500\n");
  std::size_t infos = 0;
  for (std::size_t at = told.find("info depth "); at != std::string::npos;
       at = told.find("info depth ", at + 1))
    ++infos;
  CHECK(infos >= 2);
  CHECK(infos <= 8);
  CHECK(has(said("go infinite\nquit\n"), "bestmove "));
  // Lines after a search are answered, too, and quit waits for no search.
  const std::string quit =
      said("go infinite\nposition startpos moves BT\ngo infinite\nquit\nquery p1turn\n");
  CHECK(quit.find("bestmove ") < quit.rfind("bestmove "));
  CHECK_FALSE(has(quit, "response"));
  // The time of a move overrides a clock.
  const auto begun = std::chrono::steady_clock::now();
  CHECK(has(said("setoption name size value 7x9\ngo movetime 20 p1time 1000000\n"), "bestmove "));
  CHECK(std::chrono::steady_clock::now() - begun < 20s);
  // Toot has won, so there is no move.
  const std::string won =
      said("position startpos moves BT CO DO FO ET\nquery gameover\nquery result\ngo depth 2\n");
  CHECK(won.find("response true\nresponse ") == 0);
  CHECK(has(won, "bestmove (none)\n"));
  CHECK(has(said("position startpos moves BT CO DO FO ET\ngo infinite\nisready\nstop\n"),
            "readyok\nbestmove (none)\n"));
  // Only a limited number of lines can wait during a search.
  std::string much = "go infinite\n";
  for (int i = 0; i < 101; ++i) much += "query p1turn\n";
  CHECK(
      has(said(much + "stop\n"), "info string too much waits for an answer: query is left out\n"));
  // A wrong line changes nothing.
  for (const auto& [line, why] : std::map<std::string, std::string>{
           {"position fen x", "positions are startpos"},
           {"position startpos moves BT ZZ", "move 2, ZZ: "},
           {"position startpos moves resign", "move 1, resign: it is no move"},
           {"position startpos moves BT CO DO FO ET AT", "move 6, AT: the game is over"},
           {"setoption name size value 99x99", "W from 1 to 14"},
           {"setoption name level value 11", "level is a number from 1 to 10"},
           {"setoption name seed value -1", "seed is a number from 0 to 1000000"},
           {"setoption name seed value 1000001", "seed is a number from 0 to 1000000"},
           {"setoption name seats value 3", "Toot is not for 3 players"},
           {"setoption name colour value red", "no option"},
           {"setoption level 3", "it is setoption name NAME value VALUE"},
           {"setoption name level value 3 4", "it is setoption name NAME value VALUE"},
           {"position", "positions are startpos"},
           {"position startpos BT", "behind startpos comes moves"},
           {"go fast", "go takes infinite alone, or"},
           {"go p3time 100", "go takes infinite alone, or"},
           {"go infinite depth 3", "go takes infinite alone, or"},
           {"go movetime", "behind movetime comes a number from 1 to"},
           {"go movetime soon", "behind movetime comes a number from 1 to"},
           {"go nodes -5", "behind nodes comes a number from 1 to"},
           {"go depth 0", "behind depth comes a number from 1 to"},
           {"go p1time 1e3", "behind p1time comes a number from 0 to"},
           {"query score", "queries are"},
           {"fly", "no such command: fly"},
           {"\033[2J", "no such command: ?[2J"}}) {
    CAPTURE(line);
    const std::string out = said(line + "\nquery p1turn\n");
    CHECK(out.find("info string ") == 0);
    CHECK(has(out, why));
    CHECK_FALSE(has(out, "bestmove"));
    CHECK(has(out, "response true\n"));
  }
  // Another name means the same option.
  CHECK(has(pbmplay({"engine", "flooprail"},
                    "setoption name losing value true\nsetoption name misere value true\n"
                    "setoption name reverse value false\nugi\n")
                .out,
            "option name reverse type check default false\n"));
  CHECK(has(said("setoption name size value 3x3\nsetoption name tootris value true\n"
                 "position startpos\nquery gameover\n"),
            "response false\n"));
}

TEST_CASE("who wants a tutor is asked before a move that gives much away", "[computer][tutor]") {
  OnScreen s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(s.place.own.play(board, {{seat, ply}}).ok());
  Preferences wanted = s.settings.chosen();
  wanted.tutor = true;
  s.settings.use(wanted);
  s.app.show(board);
  // ET wins at once. The program asks once before a move that misses the win.
  s.type("FT\n");
  REQUIRE(s.until_shown("FT gives much away: from a win in 1 to "));
  CHECK(has(s.shown(), "Enter again"));
  CHECK(s.place.own.open(board.id)->match.plies().size() == 4);
  // With move confirmation, the warning disappears together with the confirmed move.
  s.app.press(ctrl('U'));
  wanted.confirm = true;
  s.settings.use(wanted);
  s.type("DT\n\n");
  REQUIRE(s.until_shown("DT gives much away"));
  s.app.press(kEsc);
  CHECK_FALSE(has(s.shown(), "gives much away"));
  wanted.confirm = false;
  s.settings.use(wanted);
  s.app.press(ctrl('U'));
  s.type("ET\n");
  REQUIRE(s.until_shown("fred (TOOT) won"));
}
