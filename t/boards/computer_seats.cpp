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
#include "engine/proved_verdict.hpp"
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

struct ComputerFixture {
  explicit ComputerFixture(const std::string& engine = "", std::chrono::milliseconds pace = 0ms)
      : computer(local_boards, {engine, {dir / "tables"}, pace, pace, 50ms}) {}
  TemporaryDirectory dir;
  LocalBoards local_boards{dir / "saves", dir / "examples"};
  Exercises exercises{source_root() / "saves", dir / "exercises"};
  ComputerSeats computer;
  Boards all_boards{local_boards, nullptr, &exercises, &computer};

  Board create(const std::string& game, const Words& names) {
    return *pbm::test::create_board(local_boards, *find_game(game), {}, names);
  }
  Match current_match(const Board& board) { return local_boards.open(board.id)->match; }
  // Takes changes as a screen does, until `done`. Returns false after 30 s.
  bool run_until(const std::function<bool()>& done) {
    return run_until(done, [&] { all_boards.take_changes(); });
  }
  bool run_until(const std::function<bool()>& done, const std::function<void()>& take_changes) {
    const auto over = std::chrono::steady_clock::now() + 30s;
    while (!done()) {
      pollfd p{all_boards.change_descriptor(), POLLIN, 0};
      if (std::chrono::steady_clock::now() > over) return false;
      ::poll(&p, 1, 100);
      take_changes();
    }
    return true;
  }
  bool run_until_plies(const Board& board, std::size_t n) {
    return run_until([&] { return current_match(board).plies().size() >= n; });
  }
};

// Writes a shell script that speaks as an engine until `go`, and then runs `on_go`.
std::string script_engine(const ComputerFixture& p, const std::string& on_go,
                          const std::string& on_isready = "echo readyok") {
  const fs::path file = p.dir / "engine.sh";
  std::ofstream(file) << "while read -r word rest; do case $word in\n"
                         "ugi) echo option name level type spin; echo ugiok;;\n"
                         "isready) " +
                             on_isready +
                             ";;\n"
                             "go) " +
                             on_go +
                             ";;\n"
                             "esac; done\n";
  return "sh " + file.string();
}

}  // namespace

TEST_CASE("an engine is told the level of each seat that it plays", "[computer]") {
  ComputerFixture p;
  EngineProcess engine(script_engine(
      p, "[ $level = 3 ] && echo bestmove AT || echo bestmove BT;;\nsetoption) level=${rest##* }"));
  const Match match = *Match::start(*find_game("toot"), {}, {"a", "b"}, Time{});
  for (const int level : {3, 7, 7, 3}) {
    SearchRequest question;
    question.level = level;
    CHECK(engine.think(match, question, {}).lines.front().ply == (level == 3 ? "AT" : "BT"));
  }
}

TEST_CASE("what an engine says too late or twice is no answer to the next question", "[computer]") {
  ComputerFixture p;
  EngineProcess engine(script_engine(
      p, "case $n in '') n=1; echo bestmove AT; echo bestmove BT;; *) echo bestmove CO;; esac"));
  Match match = *Match::start(*find_game("toot"), {}, {"a", "b"}, Time{});
  CHECK(engine.think(match, {}, {}).lines.front().ply == "AT");
  match.add(*match.validate(0, "AT", Time{}));
  CHECK(engine.think(match, {}, {}).lines.front().ply == "CO");
}

TEST_CASE("an engine is told of a new game where the words of its moves begin as those of the old",
          "[computer]") {
  ComputerFixture p;
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
  ComputerFixture p;
  Board board = p.create("chaos", {"fred", "computer:1"});
  CHECK(board.match.names() == Words{"fred", "computer"});
  CHECK(board.match.computer_level(1) == 1);
  // Nothing happens while nobody looks or while it is the person's turn.
  CHECK_FALSE(p.computer.thinking_seat(board.id));
  auto looks = p.computer.play_on(board);
  CHECK_FALSE(p.computer.thinking_seat(board.id));
  REQUIRE(p.local_boards.play(board, {{0, board.match.position().legal_plies().front()}}).ok());
  looks = p.computer.play_on(board);
  CHECK(p.computer.thinking_seat(board.id) == Seat{1});
  REQUIRE(p.run_until_plies(board, 2));
  CHECK_FALSE(p.computer.thinking_seat(board.id));
  CHECK(p.current_match(board).to_move() == Seat{0});
  // It stops when the person leaves the board.
  board = *p.local_boards.open(board.id);
  looks.reset();
  REQUIRE(p.local_boards.play(board, {{0, board.match.position().legal_plies().front()}}).ok());
  CHECK_FALSE(p.computer.thinking_seat(board.id));
  CHECK(p.current_match(board).plies().size() == 3);
}

TEST_CASE("computers play each other to the end, with three seats too", "[computer]") {
  for (const auto& [game, names] :
       {std::pair{"toot", Words{"computer:1", "computer:2"}},
        std::pair{"plotto", Words{"computer:1", "computer:1", "computer:1"}}}) {
    INFO(game);
    ComputerFixture p;
    const Board board = p.create(game, names);
    const auto looks = p.computer.play_on(board);
    CHECK(p.run_until([&] {
      return p.current_match(board).ending() || p.current_match(board).plies().size() > 60;
    }));
  }
}

TEST_CASE("the same board, level and moves give the same move", "[computer]") {
  ComputerFixture p;
  Board board = p.create("flooprail", {"computer:4", "fred"});
  Words played;
  for (int i = 0; i < 2; ++i) {
    const auto looks = p.computer.play_on(board);
    REQUIRE(p.run_until_plies(board, 1));
    Board then = *p.local_boards.open(board.id);
    played.push_back(then.match.plies().back().text);
    if (i == 1) break;
    p.computer.play_now();
    // Takes the ply back while nobody looks, and makes the computer think again.
    REQUIRE(p.local_boards.play(then, {{0, "undo"}, {1, "accept"}}).ok());
    board = then;
  }
  CHECK(played[0] == played[1]);
}

TEST_CASE("another level is kept, and a person can take the seat", "[computer]") {
  ComputerFixture p;
  Board board = p.create("toot", {"fred", "computer:3"});
  REQUIRE(p.local_boards.set_computer(board, 1, 7).ok());
  CHECK(board.match.computer_level(1) == 7);
  CHECK(p.current_match(board).computer_level(1) == 7);
  REQUIRE(p.local_boards.set_computer(board, 1, 0).ok());
  const auto looks = p.computer.play_on(board);
  REQUIRE(p.local_boards.play(board, {{0, "BT"}}).ok());
  CHECK_FALSE(p.computer.thinking_seat(board.id));
}

TEST_CASE("an offer is answered by the computer", "[computer]") {
  ComputerFixture p;
  Board board = p.create("chaos", {"fred", "computer:1"});
  REQUIRE(p.local_boards.play(board, {{0, "propose"}}).ok());
  const auto looks = p.computer.play_on(board);
  CHECK(p.run_until([&] { return !p.current_match(board).offer(); }));
}

TEST_CASE("a draw is taken on a board that was only just opened", "[computer]") {
  // Two men ran out and back three times, so the start position occurs for the fourth time.
  ComputerFixture p;
  const fs::path file = p.dir / "101.yaml";
  std::string plies;
  for (int i = 0; i < 3; ++i) plies += "6rs, 6rn, 6rn, 6rs, ";
  std::ofstream(file) << "format: 1\ngame: soccolot\nseats: [fred, bob]\ncomputer: {2: 3}\nplies: ["
                      << plies.substr(0, plies.size() - 2) << "]\n";
  Board board = *p.local_boards.open(file.string());
  REQUIRE(p.local_boards.play(board, {{0, "propose"}}).ok());
  const auto looks = p.computer.play_on(board);
  CHECK(p.run_until([&] { return p.current_match(board).ending().has_value(); }));
}

TEST_CASE("an engine cannot play on after a player has resigned", "[computer]") {
  ComputerFixture p;
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
  CHECK(contains(why, "cannot play on after a player has resigned."));
}

TEST_CASE("an engine from elsewhere can have the seat", "[computer]") {
  ComputerFixture p;
  const ComputerFixture with(script_engine(p, "echo info depth 1; echo bestmove CT"));
  ComputerFixture& q = const_cast<ComputerFixture&>(with);
  Board board = q.create("toot", {"computer", "fred"});
  const auto looks = q.computer.play_on(board);
  REQUIRE(q.run_until_plies(board, 1));
  CHECK(q.current_match(board).plies().front().text == "CT");
}

TEST_CASE("an engine that hangs, dies, lies, floods or is not there costs no game", "[computer]") {
  const std::map<std::string, std::string> engines{
      {"exit 0", "has ended"},
      {"echo bestmove ZZ", "plays 'ZZ', which is not legal here"},
      {"printf 'bestmove \\033[2J\\n'", "plays '?[2J', which is not legal here"},
      {"echo bestmove", "plays '', which is not legal here"},
      {"yes", "sends too much"},
  };
  for (const auto& [does, said] : engines) {
    INFO(does);
    ComputerFixture script;
    ComputerFixture p(script_engine(script, does));
    Board board = p.create("toot", {"computer", "fred"});
    const auto looks = p.computer.play_on(board);
    REQUIRE(p.run_until([&] { return !p.computer.problem().empty(); }));
    CHECK(contains(p.computer.problem(), said));
    CHECK(p.current_match(board).plies().empty());
    CHECK_FALSE(p.computer.thinking_seat(board.id));
    // A person takes the seat and plays.
    REQUIRE(p.local_boards.set_computer(board, 0, 0).ok());
    CHECK(p.local_boards.play(board, {{0, "BT"}}).ok());
  }
  ComputerFixture at_once("false");
  const Board first = at_once.create("toot", {"computer", "fred"});
  const auto watches = at_once.computer.play_on(first);
  REQUIRE(at_once.run_until([&] { return !at_once.computer.problem().empty(); }));
  CHECK(contains(at_once.computer.problem(), "has ended"));
  ComputerFixture nowhere("/nowhere/engine");
  const Board board = nowhere.create("toot", {"computer", "fred"});
  const auto looks = nowhere.computer.play_on(board);
  REQUIRE(nowhere.run_until([&] { return !nowhere.computer.problem().empty(); }));
  CHECK(contains(nowhere.computer.problem(), "cannot be started"));
}

TEST_CASE("who hurries an engine that hangs gets the keys back", "[computer]") {
  ComputerFixture script;
  ComputerFixture p(script_engine(script, "exec sleep 600"));
  Board board = p.create("toot", {"computer", "fred"});
  auto looks = p.computer.play_on(board);
  const auto began = std::chrono::steady_clock::now();
  p.computer.play_now();
  CHECK(p.run_until([&] { return contains(p.computer.problem(), "does not answer"); }));
  // Leaving the board does not wait either.
  REQUIRE(p.local_boards.set_computer(board, 0, 5).ok());
  looks.reset();
  p.all_boards.take_changes();
  CHECK(std::chrono::steady_clock::now() - began < 25s);
}

TEST_CASE("an engine that never gets ready can be given up", "[computer]") {
  ComputerFixture script;
  ComputerFixture p(script_engine(script, "echo bestmove AT", "exec sleep 600"));
  Board board = p.create("toot", {"computer", "fred"});
  const auto looks = p.computer.play_on(board);
  CHECK_FALSE(p.computer.is_engine_slow());
  REQUIRE(p.run_until([&] { return p.computer.is_engine_slow(); }));
  CHECK(p.computer.thinking_seat(board.id) == 0);
  p.computer.play_now();
  REQUIRE(p.run_until([&] { return contains(p.computer.problem(), "was not ready yet"); }));
  CHECK_FALSE(p.computer.is_engine_slow());
  // A slow engine that gets ready plays.
  ComputerFixture late(script_engine(script, "echo bestmove AT", "sleep 3; echo readyok"));
  board = late.create("toot", {"computer", "fred"});
  const auto watches = late.computer.play_on(board);
  REQUIRE(late.run_until([&] { return late.computer.is_engine_slow(); }));
  REQUIRE(late.run_until_plies(board, 1));
  CHECK_FALSE(late.computer.is_engine_slow());
}

namespace {

// The program's screen, with boards on which the computer may have a seat.
struct ScreenFixture {
  explicit ScreenFixture(const std::string& engine = "") : place(engine) {
    Preferences chosen = settings.preferences();
    chosen.board_size = 1;  // so that tests can read boards
    settings.set_for_run(chosen);
  }
  ComputerFixture place;
  Settings settings{place.dir / "settings.yaml"};
  App app{place.all_boards, settings, read_help_topic, {source_root() / "themes"}};

  std::string screen_text() { return canvas_text(app.draw(kScreenSize)); }
  void type(std::string_view text) {
    for (const char c : text)
      app.press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  }
  bool run_until_shown(std::string_view text) {
    return place.run_until([&] { return contains(screen_text(), text); },
                           [&] { app.boards_changed(); });
  }
  // Shows an analysed game in which wilma's last move was a blunder.
  Board show_analysed() {
    Board board = place.create("toot", {"fred", "wilma"});
    app.show(board);
    type("BT\nAT\nCO\nCT\nDO\nAT\nanalyse\n");
    REQUIRE(run_until_shown("{ and }"));
    return board;
  }
};

}  // namespace

TEST_CASE("on the screen the computer's move comes by itself, and goes with one's own",
          "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("toot", {"fred", "computer:2"}));
  CHECK(contains(s.screen_text(), "computer 2"));
  s.type("BT\n");
  REQUIRE(s.run_until_shown("computer (OTTO) drops"));
  CHECK(contains(s.screen_text(), "you (TOOT)>"));
  const Match played = s.place.local_boards.open("toot-101")->match;
  REQUIRE(played.plies().size() == 2);
  // One undo also takes back the computer's answer.
  s.type("undo\n");
  CHECK(contains(s.screen_text(), "The move and the computer's answer are taken back"));
  CHECK(s.place.local_boards.open("toot-101")->match.plies().empty());
  s.type("redo\n");
  const Match again = s.place.local_boards.open("toot-101")->match;
  REQUIRE(again.plies().size() == 2);
  CHECK(again.plies()[1].text == played.plies()[1].text);
}

TEST_CASE("while the computer thinks Esc has it play, and moves are refused", "[computer][ui]") {
  ComputerFixture script;
  ScreenFixture s(script_engine(script, "read -r stop; echo bestmove CO"));
  s.app.show(s.place.create("toot", {"fred", "computer:2"}));
  s.type("BT\n");
  CHECK(contains(s.screen_text(), "The computer thinks. Esc makes it play now."));
  CHECK(contains(s.screen_text(), "computer's turn>"));
  s.type("CO\n");
  CHECK(s.place.local_boards.open("toot-101")->match.plies().size() == 1);
  s.app.press(kEsc);  // clears the line
  s.app.press(kEsc);  // stops the computer
  CHECK(contains(s.screen_text(), "toot-101"));
  REQUIRE(s.run_until_shown("computer (OTTO) drops"));
}

TEST_CASE("the form offers the computer at the level of the game before", "[computer][ui]") {
  ScreenFixture s;
  // The list has lessons before a finished game.
  const Time before = now() - std::chrono::hours(72);
  Match latest =
      *Match::start(*find_game("plotto"), {}, Seating{{"fred", "computer"}, {0, 4}}, before);
  latest.add(*latest.validate(0, "resign", now()));
  REQUIRE(s.place.local_boards.save_new(latest).ok());
  s.app.boards_changed();
  s.app.press(character_key('r'));
  s.app.press(character_key('s'));
  for (int i = 0; i < 3; ++i) s.app.press(kTab);
  CHECK(contains(s.screen_text(), "moves first; you are fred"));
  INFO(s.screen_text());
  CHECK(contains(s.screen_text(), "player2      < computer 4 >"));
}

TEST_CASE("in the form Left and Right say whether a person or the computer plays",
          "[computer][ui]") {
  ScreenFixture s;
  const auto press = [&](Key::Code code, int times = 1) {
    for (int i = 0; i < times; ++i) s.app.press({code});
  };
  s.app.press(character_key('s'));
  press(Key::Code::up);
  // A player without earlier opponents is offered the computer.
  REQUIRE(contains(s.screen_text(), "> player2      < computer >"));
  REQUIRE(contains(s.screen_text(), "as strong as you"));
  REQUIRE(contains(s.screen_text(), "type a name, or choose with Left and Right"));
  press(Key::Code::left);
  REQUIRE(contains(s.screen_text(), "> player2      < player2 >"));
  press(Key::Code::left);
  CHECK(contains(s.screen_text(), "> player2      < computer 10 >"));
  press(Key::Code::right);
  CHECK(contains(s.screen_text(), "> player2      < player2 >"));
  // In typed text the arrows move the cursor first; the text comes back after the levels.
  s.type("wilma");
  press(Key::Code::left, 5);
  press(Key::Code::right, 5);
  CHECK(contains(s.screen_text(), "> player2      < wilma >"));
  press(Key::Code::right, 5);
  CHECK(contains(s.screen_text(), "> player2      < computer 4 >"));
  press(Key::Code::left, 5);
  CHECK(contains(s.screen_text(), "> player2      < wilma >"));
  press(Key::Code::right, 2);
  s.app.press(character_key('b'));
  CHECK(contains(s.screen_text(), "> player2      < b >"));
  press(Key::Code::right, 3);
  press(Key::Code::enter);
  CHECK(contains(s.screen_text(), "computer 2"));
  CHECK(s.place.local_boards.open("toot-101")->match.computer_level(1) == 2);
  // The computer is offered at the same level again, but its name not as a person's.
  s.app.press(kEsc);
  s.app.press(character_key('s'));
  CHECK(contains(s.screen_text(), "player2      < computer 2 >"));
}

TEST_CASE("computers are watched at a pace that keys change", "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("plotto", {"computer:1", "computer:1", "computer:1"}));
  CHECK(contains(s.screen_text(), "+ faster  - slower"));
  CHECK(contains(s.screen_text(), "1 computer, level 1"));
  CHECK(contains(s.screen_text(), "3 computer3, level 1"));
  s.app.press(character_key('-'));
  CHECK(contains(s.screen_text(), "Each move takes at least 2 s."));
  CHECK(contains(read_bytes(s.place.dir / "settings.yaml"), "pace: 2\n"));
  for (int i = 0; i < 9; ++i) s.app.press(character_key('+'));
  CHECK(contains(s.screen_text(), "Each move takes at least 0.1 s."));
  CHECK(s.place.run_until([&] {
    s.app.boards_changed();
    return s.place.local_boards.open("plotto-101")->match.plies().size() >= 3;
  }));
  // While a person plays, these keys are ordinary characters.
  s.app.press(kEsc);
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  s.app.press(character_key('-'));
  CHECK(contains(s.screen_text(), "you (TOOT)> -"));
}

TEST_CASE("computers that are watched pause, and a move of theirs is taken back alone",
          "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("plotto", {"computer:1", "computer:1"}));
  for (int i = 0; i < 9; ++i) s.app.press(character_key('+'));
  const auto plies = [&] { return s.place.local_boards.open("plotto-101")->match.plies().size(); };
  const auto until_plies = [&](std::size_t n) {
    return s.place.run_until([&] {
      s.app.boards_changed();
      return plies() >= n;
    });
  };
  CHECK(until_plies(2));
  s.app.press(character_key(' '));
  CHECK(contains(s.screen_text(), "Paused. Space continues."));
  CHECK(contains(s.screen_text(), "Space continue"));
  CHECK_FALSE(s.place.computer.thinking_seat("plotto-101"));
  const std::size_t before = plies();
  s.app.press(character_key(' '));
  CHECK(until_plies(before + 1));
  s.app.press(character_key(' '));
  const std::size_t then = plies();
  // Waits until that ply is shown.
  CHECK(s.place.run_until([&] {
    s.app.boards_changed();
    s.app.press(control_key('X'));
    return plies() == then - 1;
  }));
  CHECK(contains(s.screen_text(), "Space continue"));
}

TEST_CASE("a slow pace can be left at once", "[computer]") {
  ComputerFixture p;
  p.computer.set_watched_ply_time(1h);
  const Board board = p.create("toot", {"computer:1", "computer:1"});
  const auto looks = p.computer.play_on(board);
  REQUIRE(p.run_until([&] { return p.computer.thinking_seat(board.id).has_value(); }));
  CHECK_FALSE(p.current_match(board).plies().size() > 0);
  p.computer.play_now();
  CHECK(p.run_until_plies(board, 1));
  p.computer.set_watched_ply_time(0ms);
  CHECK(p.run_until_plies(board, 3));
}

TEST_CASE("the word level gives a seat away and takes it back", "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("toot", {"fred", "wilma"}));
  s.type("level 4\n");
  CHECK(contains(s.screen_text(), "The computer plays OTTO at level 4."));
  CHECK(s.place.local_boards.open("toot-101")->match.computer_level(1) == 4);
  s.type("level 11\n");
  CHECK(contains(s.screen_text(), "Type level and a number from 1 to 10"));
  s.app.press({Key::Code::escape});
  s.type("level 0\n");
  CHECK(contains(s.screen_text(), "A person plays OTTO."));
  CHECK(s.place.local_boards.open("toot-101")->match.computer_level(1) == 0);
  // The person in the seat is not called computer, until the computer has the seat again.
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  s.type("level 0\n");
  CHECK(contains(s.screen_text(), "Toot: fred against player2"));
  CHECK(contains(read_bytes(s.place.dir / "saves/toot-102.yaml"),
                 "seats: [fred, player2]\nstarted:"));
  s.type("level 2\n");
  CHECK(contains(s.screen_text(), "OTTO computer 2"));
  CHECK(contains(read_bytes(s.place.dir / "saves/toot-102.yaml"), "seats: [fred, computer]\n"));
}

TEST_CASE("a seat that another program gives to a person is played by the computer no more",
          "[computer][ui]") {
  ScreenFixture s;
  s.place.computer.set_watched_ply_time(1h);
  Board shown = *s.place.local_boards.save_new(
      *Match::start(*find_game("toot"), {}, Seating{{"ann", "bob"}, {1, 2}}, now()));
  s.app.show(shown);
  CHECK(contains(s.screen_text(), "watching>"));
  LocalBoards other(s.place.dir / "saves", s.place.dir / "examples");
  Board theirs = shown;
  REQUIRE(other.set_computer(theirs, 0, 0).ok());
  s.app.boards_changed();
  CHECK(contains(s.screen_text(), "A person plays TOOT."));
  CHECK(contains(s.screen_text(), "you (TOOT)>"));
  // It is also refused for a `shown` board that has not seen the change yet.
  const auto played = s.place.local_boards.play(shown, {{0, "BT"}});
  REQUIRE_FALSE(played.ok());
  CHECK(played.refusal().reason ==
        "Not played. Look at the position again. A person plays TOOT. It is ann's turn (TOOT).");
  CHECK(shown.match.computer_level(0) == 0);
  CHECK(s.place.current_match(shown).plies().empty());
  // The new name is reported, too, and the user's own plies go on.
  REQUIRE(other.set_computer(theirs, 1, 0).ok());
  s.app.boards_changed();
  CHECK(contains(s.screen_text(), "A person plays OTTO."));
  s.type("BT\n");
  CHECK(s.place.current_match(shown).plies().size() == 1);
}

TEST_CASE("who has no name and plays the computer is you in the list of players, too",
          "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("toot", {"player1", "computer:1"}));
  CHECK(contains(s.screen_text(), " Toot: you against computer 1"));
  CHECK(contains(s.screen_text(), "> TOOT you "));
  s.app.show(s.place.create("toot", {"player1", "player2"}));
  CHECK(contains(s.screen_text(), "> TOOT player1 "));
}

TEST_CASE("a closed board does not say that it waits for the computer", "[computer][ui]") {
  ComputerFixture p;
  Board board = p.create("toot", {"fred", "computer:3"});
  REQUIRE(p.local_boards.play(board, {{0, "BT"}}).ok());
  const BoardSummary line = p.local_boards.list().front();
  CHECK(line.state() == "plays when opened");
  CHECK(is_waiting_for(line, "fred"));
  // The only person on the board is the one at this keyboard.
  CHECK(is_waiting_for(line, "wilma"));
  BoardSummary there = line;
  there.user = "wilma";
  CHECK_FALSE(is_waiting_for(there, ""));
}

TEST_CASE("line by line the computer answers before the next line is read", "[computer][ui]") {
  ComputerFixture p("", 1s);  // so that the computer is seen thinking, on any machine
  std::istringstream in("new toot fred computer:1\nBT\n\nquit\n");
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings({}), read_help_topic, in, out, true);
  CHECK(contains(out.str(), "The computer thinks."));
  CHECK(contains(out.str(), "computer (OTTO) drops"));
  CHECK(p.local_boards.open("toot-101")->match.plies().size() == 2);
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
    else if (board) line_ = best_ply(board->match.position());
    line_ += '\n';
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(*gptr());
  }
  static std::string best_ply(const Position& position) {
    SearchRequest question;
    question.limits.nodes = 100'000;
    return find_game("plotto")->think(position, question).lines.front().ply;
  }

  LocalBoards& boards_;
  std::string id_, line_;
};

TEST_CASE("line by line a computer that failed tries again when something is typed",
          "[computer][ui]") {
  ComputerFixture script;
  ComputerFixture p(
      script_engine(script, "mkdir " + (script.dir / "once").string() +
                                " 2>/dev/null && echo bestmove ZZ || echo bestmove CT"),
      0s);
  std::istringstream in("new toot computer fred\nlegal\nquit\n");
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings({}), read_help_topic, in, out, true);
  INFO(out.str());
  CHECK(contains(out.str(), "plays 'ZZ', which is not legal here"));
  CHECK(p.local_boards.open("toot-101")->match.plies().size() == 1);
}

TEST_CASE("line by line the computer gives up as it does on a screen", "[computer]") {
  ComputerFixture p("", 0s);
  Typist typist(p.local_boards, "plotto-101");
  std::istream in(&typist);
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings({}), read_help_topic, in, out, false);
  CHECK(contains(out.str(), "You (2) win. The computer resigned"));
}

TEST_CASE("a hint is told in two steps, where, then what and why; and gone by the same key",
          "[computer][hint]") {
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
  s.app.show(board);
  CHECK(contains(s.screen_text(), "F6 hint"));
  const Key f6{Key::Code::function, 6};
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "The computer looks for a hint. Esc stops"));
  REQUIRE(s.run_until_shown("Hint: look at E."));
  // Only that place is marked.
  const Canvas canvas = s.app.draw(kScreenSize);
  int marked = 0;
  for (int r = 0; r < kScreenSize.rows; ++r)
    for (int c = 0; c < kScreenSize.columns; ++c)
      // The letters of Toot belong to no seat, so the mark has no colour.
      marked += canvas.cell(r, c).mark == Mark::win && canvas.cell(r, c).style == Style::text;
  CHECK(marked == 1);
  // The text stays as long as the mark.
  s.app.press(control_key('U'));
  CHECK(contains(s.screen_text(), "Hint: look at E."));
  CHECK(contains(s.screen_text(), "you (TOOT)>\n"));
  s.app.press(f6);
  const std::string panel = s.screen_text().substr(s.screen_text().find(" Computer "));
  INFO(panel);
  CHECK(contains(panel, "Hint: ET drops a T down column E. It"));
  CHECK(contains(panel, "at once."));
  CHECK(contains(panel, "\n Enter plays it."));
  CHECK(contains(panel, "you (TOOT)> ET"));
  // F6 then says why, shows the threats, then nothing, then the hint again.
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "Why? ET wins at once"));
  CHECK(contains(s.screen_text(), "you (TOOT)> ET"));
  s.app.press(f6);
  REQUIRE(s.run_until_shown("threats from the computer"));
  CHECK(contains(s.screen_text(), "you (TOOT)> ET"));
  s.app.press(f6);
  CHECK_FALSE(contains(s.screen_text(), "threatens"));
  CHECK_FALSE(contains(s.screen_text(), "Hint"));
  s.app.press(f6);
  REQUIRE(s.run_until_shown("Hint: look at E."));
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "you (TOOT)> ET"));
  s.type("ET");  // replaces the suggested ply
  s.app.press(kEnter);
  CHECK(contains(s.screen_text(), "You (TOOT) win"));
  CHECK_FALSE(contains(s.screen_text(), "Hint"));
  // After the end F6 shows the analysis, whatever the line says about the last text.
  s.type("at\n");
  CHECK(contains(s.screen_text(), "The game is over"));
  s.app.press(f6);
  const std::string low = canvas_text(s.app.draw({12, 40}));
  INFO(low);
  CHECK(contains(low, "Analysing"));
  CHECK_FALSE(contains(low, "The game is over"));
  CHECK_FALSE(contains(s.screen_text(), "You can play on"));
  s.app.press(control_key('U'));
  REQUIRE(s.run_until_shown("computer: "));
  CHECK(contains(s.screen_text(), "your chance in %"));
  CHECK(contains(s.screen_text(), "F6 no analysis"));
  // The computer's mistakes make no puzzle for fred.
  CHECK(contains(s.screen_text(), "lists all."));
  s.app.press(f6);
  CHECK_FALSE(contains(s.screen_text(), "your chance in %"));
  // F6 shows the hidden analysis again at once.
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "your chance in %"));
  CHECK(contains(s.screen_text(), "game over>"));
}

TEST_CASE("a hint keeps its heading where the rules stand above it", "[computer][hint]") {
  ScreenFixture s;
  s.app.show(s.place.create("soccolot", {"fred", "computer:1"}));
  const Key f6{Key::Code::function, 6};
  s.app.press(f6);
  REQUIRE(s.run_until_shown("Hint: look"));
  s.app.press(f6);
  INFO(s.screen_text());
  CHECK(contains(s.screen_text(), "├ Computer"));
  std::string low;
  for (const std::string& word : split_words(canvas_text(s.app.draw({12, 40})))) low += word + " ";
  INFO(low);
  CHECK(contains(low, "Enter plays it."));
}

TEST_CASE("what the computer answers to an offer is told, and to nobody else but it",
          "[computer]") {
  ScreenFixture s;
  s.app.show(s.place.create("plotto", {"fred", "computer:3"}));
  s.type("propose\n");
  CHECK_FALSE(contains(s.screen_text(), "Type accept or reject"));
  REQUIRE(s.run_until_shown("The computer (2) declines your draw offer."));
  // The offer and its answer changed no position, so the next Enter plays.
  s.type("a1\n");
  CHECK(contains(s.screen_text(), "1 a1"));
}

TEST_CASE("threats are marked on the board shown, until another one is", "[computer][threats]") {
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "wilma"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "AT"}, {0, "CO"}, {1, "AT"}, {0, "DO"}})
    REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
  s.app.show(board);
  const auto marked = [&] {
    const Canvas canvas = s.app.draw(kScreenSize);
    int out = 0;
    for (int r = 0; r < kScreenSize.rows; ++r)
      for (int c = 0; c < kScreenSize.columns; ++c) out += canvas.cell(r, c).mark == Mark::wrong;
    return out;
  };
  s.app.press({Key::Code::function, 6});
  REQUIRE(s.run_until_shown("fred threatens to win at once with ET: "));
  CHECK(marked() == 1);
  s.app.press(control_key('U'));  // the text stays as long as the marks
  CHECK(contains(s.screen_text(), "fred threatens to win at once with ET: "));
  CHECK(marked() == 1);
  s.app.press({Key::Code::escape});
  CHECK(marked() == 0);
  s.type("threats\n");
  REQUIRE(s.run_until_shown("fred threatens to win at once with ET: "));
  // Another position is shown, so its threats are others.
  s.app.press(control_key('P'));
  CHECK(marked() == 0);
  s.type("threats\n");
  REQUIRE(s.run_until_shown("threats from wilma"));
  s.app.press({Key::Code::end});
  s.type("ET\n");
  CHECK(marked() == 0);
}

TEST_CASE("nothing is told of threats while others play, nor after the end", "[threats]") {
  ComputerFixture p;
  Board board = p.create("toot", {"fred", "wilma"});
  const auto told = [&](std::size_t ply) {
    const auto may = BoardSession(p.all_boards, board).check_threats_allowed(ply);
    return may ? "" : may.refusal().reason;
  };
  CHECK(told(0).empty());
  REQUIRE(p.local_boards.play(board, {{0, "BT"}}).ok());
  board.remote = Board::Remote{{}, Seat{0}};
  CHECK(told(1) == "Threats are shown only after the end of this game.");
  BoardSession tries(p.all_boards, board);
  tries.start_trial(0);
  CHECK_FALSE(tries.check_threats_allowed(0).ok());
  REQUIRE(p.local_boards.play(board, {{1, "resign"}}).ok());
  CHECK(contains(told(1), "You (TOOT) win. wilma resigned. Look back to see earlier threats."));
  CHECK(told(0).empty());
  board.remote.reset();
  board.exercise = p.all_boards.open("lesson:toot")->exercise;
  CHECK(contains(told(0), "Lessons and puzzles show no threats"));
}

TEST_CASE("an analysis marks the moves, goes from mistake to mistake and tries what was better",
          "[computer][analysis]") {
  ScreenFixture s;
  const auto said = [&] {
    std::string out;
    for (const std::string& word : split_words(s.screen_text())) out += word + " ";
    return out;
  };
  Board board = s.place.create("toot", {"fred", "wilma"});
  s.app.show(board);
  s.type("analyse\n");
  CHECK(contains(s.screen_text(), "There are no moves yet."));
  s.type("BT\nAT\nCO\nCT\nDO\nAT\n");
  s.app.press(character_key('}'));
  CHECK(contains(s.screen_text(), "ype analyse"));
  s.app.press(control_key('U'));
  s.type("analyse\n");
  CHECK(contains(s.screen_text(), "Analysing: "));
  REQUIRE(s.run_until_shown("{ and }"));
  CHECK(contains(s.screen_text(), "6 AT??"));
  // The curve is beside the board and marks the ply that is shown.
  const auto marked_on_curve = [&](Size size) -> std::optional<int> {
    constexpr int kWidth = 4;  // columns of a position
    const Canvas canvas = s.app.draw(size);
    const auto legend = find_text(canvas, "fred's chance in %");
    for (int r = 1; legend && r <= 5; ++r)
      for (int c = 0, first = legend->column + 4; first + c < size.columns; ++c)
        if (canvas.cell(legend->row + r, first + c).mark == Mark::last &&
            canvas.cell(legend->row + r, first + c).glyph != U' ')
          return c / kWidth;
    return std::nullopt;
  };
  CHECK(marked_on_curve(kScreenSize) == 6);
  CHECK(contains(s.screen_text(), "6 AT??"));
  s.app.press(control_key('P'));
  s.app.press(control_key('P'));
  CHECK(marked_on_curve({30, 100}) == 4);  // with room for the curve and the reason
  s.app.press(Key{Key::Code::end});
  s.app.press(character_key('}'));
  // The program asks first, then tells the answer.
  CHECK(contains(s.screen_text(), "Which move is better than BT, move 1 "));
  CHECK(contains(s.screen_text(), "move 1 by fred"));
  s.app.press(character_key('}'));
  CHECK(contains(said(), "move 1, "));
  CHECK(contains(said(), "T holds a tie; this "));
  s.app.press(character_key('{'));
  CHECK(contains(s.screen_text(), "There is no mistake before this."));
  // The player can type the answer.
  s.type("#0\n");
  s.app.press(Key{Key::Code::end});
  s.app.press(character_key('{'));
  CHECK(contains(s.screen_text(), "Which move is better than AT, move 6 by wilma"));
  CHECK(contains(s.screen_text(), "Enter answer"));
  s.type("AT\n");
  CHECK(contains(s.screen_text(), "AT is not the best move."));
  s.app.press(control_key('U'));
  s.app.press(kEnter);
  CHECK(contains(s.screen_text(), "AT?? is a blunder: "));
  CHECK(contains(said(), "this loses in 2 moves"));
  // The reason, and its squares on the board.
  CHECK(contains(said(), "AT lets fred (TOOT) win at once with ET (result: TOOT stands"));
  const Canvas canvas = s.app.draw(kScreenSize);
  int wrong = 0;
  for (int row = 0; row < kScreenSize.rows; ++row)
    for (int column = 0; column < kScreenSize.columns / 2; ++column)
      wrong += canvas.cell(row, column).mark == Mark::wrong;
  CHECK(wrong == 4);
  s.app.press(character_key('{'));
  CHECK(contains(s.screen_text(), "Which move is better than "));
  CHECK(contains(s.screen_text(), "F8 better line"));
  // F8 shows the better line of the ply in question.
  s.app.press({Key::Code::function, 8});
  CHECK(contains(s.screen_text(), "Better for "));
  CHECK(contains(s.screen_text(), "Ctrl-Y next move"));
  // The moves of that line were never played.
  s.app.press(control_key('Y'));
  CHECK_FALSE(contains(s.screen_text(), " again."));
  s.app.press({Key::Code::escape});
  CHECK(contains(s.screen_text(), "Which move is better than "));  // as before F8
  s.type("better 6\n");
  INFO(s.screen_text());
  CHECK(contains(s.screen_text(), "Better for "));
  CHECK(contains(s.screen_text(), "trying moves"));
  s.app.press(control_key('Y'));
  CHECK(contains(s.screen_text(), "wilma drops "));
  s.app.press(kEsc);
  s.type("analyse\n");
  CHECK(contains(said(), "this loses"));
  // The text is complete even on a narrow screen.
  for (const Size size : {Size{60, 80}, Size{60, 40}}) {
    const std::string all = canvas_text(s.app.draw(size));
    INFO(all);
    std::string flat;
    for (const std::string& word : split_words(all)) flat += word + " ";
    CHECK(contains(flat, "this loses in 2 moves"));
    CHECK(contains(flat, "at the start and after each move)"));
    CHECK_FALSE(contains(all, "~"));
  }
  s.app.press(kEsc);
  s.type("analyse note\n");
  CHECK(contains(s.screen_text(), "Type analyse alone, or analyse notes."));
  s.app.press(control_key('U'));
  s.type("analyse notes\n");
  CHECK(contains(s.screen_text(), "Noted on "));
  CHECK(contains(s.place.local_boards.open(board.id)->match.note(6), "this loses in 2 moves"));
  s.type("analyse notes\n");
  CHECK(contains(s.screen_text(), "The notes have this analysis already."));
  s.app.press(control_key('U'));
  // A new ply is not judged yet.
  s.app.press(Key{Key::Code::end});
  s.type("ET\n");
  CHECK_FALSE(contains(s.screen_text(), "AT??"));
  s.type("better 6\n");
  CHECK(contains(s.screen_text(), "There is no analysis yet. Type analyse."));
}

TEST_CASE("a mistake is asked about no longer when a check has taken its mark away",
          "[computer][analysis]") {
  ScreenFixture s;
  const Board board = s.show_analysed();
  s.app.press(character_key('{'));
  REQUIRE(contains(s.screen_text(), "Which move is better than AT, move 6 by wilma"));
  *s.place.computer.analysis_of(board.id) = Analysis(s.place.current_match(board));
  CHECK_FALSE(contains(s.screen_text(), "Which move is better"));
  CHECK_FALSE(contains(s.screen_text(), "Enter answer"));
  s.type("BT\n");
  CHECK(contains(s.screen_text(), "Enter again plays BT now. F3 tries it from here."));
  s.app.press(control_key('U'));
  s.app.press(kEnter);
  CHECK(contains(s.screen_text(), "5: fred drops"));
  s.app.press(character_key('}'));
  CHECK(contains(s.screen_text(), "No mistake is known yet."));
}

TEST_CASE("a game is played through by itself, until a key", "[ui][replay]") {
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "wilma"});
  s.app.show(board);
  s.type("BT\nAO\nBO\n");
  // In the current position a blank is part of a move.
  s.app.press(character_key(' '));
  CHECK_FALSE(s.app.next_tick());
  s.app.press(control_key('U'));
  s.type("#0\n");
  s.app.press(character_key(' '));
  CHECK(contains(s.screen_text(), "3 moves follow"));
  REQUIRE(s.app.next_tick());
  const auto marks = [&](Mark mark) {
    const Canvas canvas = s.app.draw(kScreenSize);
    int out = 0;
    for (int r = 0; r < kScreenSize.rows; ++r)
      for (int c = 0; c < kScreenSize.columns; ++c) out += canvas.cell(r, c).mark == mark;
    return out;
  };
  CHECK(marks(Mark::picked) == 0);
  s.app.tick();
  CHECK(contains(s.screen_text(), "3 moves follow"));
  CHECK(marks(Mark::picked) > 0);
  s.app.tick();
  CHECK(contains(s.screen_text(), "2 moves follow"));
  s.app.press(character_key(' '));
  CHECK_FALSE(s.app.next_tick());
  CHECK(contains(s.screen_text(), "2 moves follow"));
  // It replays from there to the end.
  s.app.press(character_key(' '));
  for (int i = 0; i < 4; ++i) s.app.tick();
  CHECK_FALSE(s.app.next_tick());
  CHECK(contains(s.screen_text(), "wilma (OTTO)>"));
  CHECK_FALSE(contains(s.screen_text(), "behind"));
  // A letter stops the replay; any other key also has its usual effect.
  for (const Key key : {character_key('C'), Key{Key::Code::end}}) {
    s.app.press(control_key('P'));
    s.app.press(character_key(' '));
    REQUIRE(s.app.next_tick());
    s.app.press(key);
    CHECK_FALSE(s.app.next_tick());
    CHECK(contains(s.screen_text(),
                   key == character_key('C') ? "Stopped. 1 move follows" : "wilma (OTTO)>"));
  }
}

TEST_CASE("an analysis is ended by Esc, and gone on with", "[computer][analysis]") {
  ScreenFixture s;
  Board board = s.place.create("plotto", {"fred", "wilma"});
  s.app.show(board);
  std::mt19937 random(5);
  for (int i = 0; i < 12; ++i) {
    const auto legal = s.place.local_boards.open(board.id)->match.position().legal_plies();
    s.type(legal[random_below(random, legal.size())] + "\n");
  }
  s.type("analyse\n");
  CHECK(contains(s.screen_text(), "Analysing: "));
  s.app.press(kEsc);
  CHECK(contains(s.screen_text(), "The analysis is not finished. Type analyse to continue."));
  s.type("analyse\n");
  CHECK(contains(s.screen_text(), "Analysing: "));
}

TEST_CASE("an analysis is there again when one comes back to the board", "[computer][analysis]") {
  ScreenFixture s;
  const Board board = s.show_analysed();
  s.app.press(kEsc);
  REQUIRE_FALSE(contains(s.screen_text(), "AT??"));
  s.app.show(*s.place.local_boards.open(board.id));
  CHECK(contains(s.screen_text(), "6 AT??"));
  s.app.press(character_key('{'));
  CHECK(contains(s.screen_text(), "Which move is better than AT, "));
  // The analysis belongs to that board only.
  s.app.press(kEsc);
  s.app.press(kEsc);
  s.app.show(s.place.create("toot", {"fred", "wilma"}));
  s.type("BT\n");
  s.app.press(character_key('}'));
  CHECK(contains(s.screen_text(), "ype analyse"));
}

TEST_CASE("where a table is made first that is told, and left by Esc for a hint",
          "[computer][analysis]") {
  ScreenFixture s;
  s.app.show(s.place.create("chaos", {"fred", "computer:10"}));
  s.type("a2-c2\n");
  REQUIRE(s.run_until_shown("computer (x) jumps"));
  s.type("analyse\n");
  REQUIRE(s.run_until_shown("Making a table of endings, only once: "));
  s.app.press(kEsc);
  CHECK(contains(s.screen_text(), "The analysis is not finished. Type analyse to continue."));
  s.app.press({Key::Code::function, 6});
  CHECK(s.run_until_shown("ook at "));  // every move may lose there
}

TEST_CASE("who has given up against the computer may have another game", "[computer][ui]") {
  ScreenFixture s;
  s.app.show(s.place.create("toot", {"fred", "computer:3"}));
  s.type("resign\n\n");
  CHECK(contains(s.screen_text(), "The computer (OTTO) wins"));
  CHECK(contains(s.screen_text(), "Press r for a rematch."));
  s.type("BT\n");
  CHECK_FALSE(contains(s.screen_text(), "The computer has all seats"));
  s.app.press(control_key('U'));
  s.app.press(character_key('r'));
  s.app.press(kEnter);
  CHECK(contains(s.screen_text(), "The new game is toot-102. The seats are swapped."));
  const Match again = s.place.local_boards.open("toot-102")->match;
  CHECK(again.computer_level(0) == 3);
  CHECK(again.computer_level(1) == 0);
  // A player who has resigned among several watches the others to the end.
  s.app.press(kEsc);
  s.app.show(s.place.create("plotto", {"fred", "computer:1", "computer:1"}));
  s.type("resign\n\n");
  CHECK_FALSE(contains(s.screen_text(), "rematch"));
}

TEST_CASE("line by line an analysis is a text", "[computer][analysis]") {
  ComputerFixture p;
  std::istringstream in(
      "new toot -size=5x3 a b\nanalyse\nbetter\nBT\nAT\nCO\nAT\nDO\nAT\nanalyse\nanalyse x\nbetter "
      "6\n"
      "boards\nanalyse notes\nplies\nquit\n");
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings({}), read_help_topic, in, out, true);
  CHECK(contains(out.str(), "There are no moves yet."));
  CHECK(contains(out.str(), "There is no analysis yet. Type analyse."));
  CHECK(contains(out.str(), "The computer looks at every move"));
  CHECK(contains(out.str(), "6. AT?? is a blunder: EO holds a tie; this loses in 2 moves. "));
  CHECK(contains(out.str(), "Type analyse alone, or analyse notes."));
  CHECK(contains(out.str(), "Better for "));
  CHECK(contains(out.str(), "Noted on "));
  CHECK(contains(out.str(), "Note: [?? EO holds a tie; this loses in 2 moves: EO "));
}

TEST_CASE("a guess is explained by the line that is expected and what that changes",
          "[computer][hint]") {
  ComputerFixture p;
  const Board board = p.create("soccolot", {"fred", "computer:1"});
  const Match& match = board.match;
  const SearchResult thought =
      p.computer.thinker().think(Thinker::Rank::person, match.game(), match.position(), {});
  const Advice found{thought.lines.front(), line_changes(match, thought)};
  REQUIRE_FALSE(found.changes.empty());
  for (std::size_t i = 1; i < found.changes.size(); ++i)
    CHECK(std::abs(found.changes[i].points) <= std::abs(found.changes[i - 1].points));
  Advice advice = found;
  advice.line.verdict = Verdict::estimate(61);
  advice.changes = {{"gains men", 40}, {"gains balls", -3}, {"gains ways", 2}, {"gains rest", 1}};
  Hint hint(board.match, advice);
  CHECK(hint.next_step().ply.empty());
  CHECK(hint.first_spot());
  const Hint::Step step = hint.next_step();
  CHECK(step.ply == advice.line.ply);
  CHECK_FALSE(hint.first_spot());
  const std::string& why = step.text;
  CHECK(contains(why, ". Chance to win: fred 61 % against best play. Expected then: "));
  CHECK_FALSE(hint.is_complete());
  const std::string reason = hint.next_step().text;
  CHECK(reason.starts_with("Why? " + advice.line.ply));
  CHECK(reason.ends_with(" fred gains men and gains ways, but the computer gains balls."));
  CHECK(hint.is_complete());
  const auto told_of = [&](const Verdict& verdict, std::optional<Seat> own = {}) {
    advice.line.verdict = verdict;
    Hint other(board.match, advice, true, own);
    other.next_step();
    return other.next_step().text;
  };
  // At the start, a bad chance is the fault of the seat.
  CHECK(contains(told_of(Verdict::estimate(1), Seat{0}),
                 ". The second player has the better start in Soccolot. Chance to win: you 1 % "
                 "against best play."));
  CHECK(contains(told_of(Verdict::estimate(99)), "The first player has the better start in "));
  CHECK_FALSE(contains(told_of(Verdict::estimate(45)), "better start"));
  CHECK(contains(told_of(engine::ProvedVerdict::win(9)),
                 "It wins in 9 moves, counting both players'."));
  CHECK(contains(told_of(engine::ProvedVerdict::loss(8)),
                 "The game can last 8 moves, counting both players'. No move holds out longer."));
  CHECK(contains(told_of(engine::ProvedVerdict::win(0)),
                 "This move wins, but the number of moves is not known."));
  CHECK(contains(told_of(engine::ProvedVerdict::loss(0)), "Every move loses"));
  CHECK(contains(told_of(engine::ProvedVerdict::tie()), "With best play the game is a tie."));
  CHECK(contains(told_of(engine::ProvedVerdict::endless()), "With best play nobody can win."));
}

TEST_CASE("a hint is dropped by Esc, by a move, and with its board", "[computer][hint]") {
  ScreenFixture s;
  s.app.show(s.place.create("toot", {"fred", "computer:1"}));
  const Key f6{Key::Code::function, 6};
  s.app.press(f6);
  s.app.press(kEsc);
  CHECK(contains(s.screen_text(), "You cancelled the hint."));
  s.type("hint\n");
  CHECK(contains(s.screen_text(), "looks for a hint"));
  s.type("AT\n");  // holds a tie, so there is something to look at
  CHECK_FALSE(contains(s.screen_text(), "looks for a hint"));
  REQUIRE(s.run_until_shown("computer (OTTO) drops"));
  s.app.press(f6);
  REQUIRE(s.run_until_shown("Hint: look at "));
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "Hint: "));
  CHECK_FALSE(contains(s.screen_text(), "Hint: look at "));
  s.app.press(control_key('U'));
  s.app.press(kEsc);  // back to the list of boards
  CHECK_FALSE(contains(s.screen_text(), "F6 hint"));
}

TEST_CASE("nobody is helped against people that are still in play", "[computer][hint]") {
  ComputerFixture p;
  const auto told = [&](const Board& board) {
    const auto may = BoardSession(p.all_boards, board).check_hint_allowed();
    return may ? "" : may.refusal().reason;
  };
  Board two = p.create("toot", {"fred", "wilma"});
  CHECK(told(two) ==
        "No hint while fred and wilma play against each other. Type level 3 to play against "
        "the computer.");
  // A trial of moves belongs to the same game.
  BoardSession tries(p.all_boards, two);
  tries.start_trial(0);
  CHECK_FALSE(tries.check_hint_allowed().ok());
  REQUIRE(p.local_boards.set_computer(two, 1, 3).ok());
  CHECK(told(two).empty());
  Board server = p.create("toot", {"fred", "wilma"});
  server.remote = Board::Remote{{}, Seat{0}};
  CHECK(told(server) == "No hint while you and wilma play against each other.");
  server.remote->own_seat.reset();
  CHECK_FALSE(told(server).empty());
  // Resigning gives no right to hints while others play; a person alone may have them.
  Board three = p.create("plotto", {"fred", "wilma", "computer:1"});
  CHECK(contains(told(three), "No hint while fred and wilma play"));
  REQUIRE(p.local_boards.play(three, {{0, "resign"}}).ok());
  CHECK(told(three).empty());
  // After the end no opponent can lose by a hint.
  REQUIRE(p.local_boards.play(server, {{0, "resign"}}).ok());
  BoardSession over(p.all_boards, server);
  CHECK_FALSE(over.check_hint_allowed().ok());
  over.start_trial(0);
  CHECK(over.check_hint_allowed().ok());
  // It is the computer's turn.
  CHECK(told(p.create("toot", {"computer:1", "fred"})) == "It is the computer's turn (TOOT).");
}

TEST_CASE("line by line a hint goes on by being asked for again", "[computer][hint]") {
  ComputerFixture p;
  std::istringstream in(
      "new plotto fred computer:1 computer:2\nhint\nhint\nhint\nhint x\nnew\nboards\n"
      "new toot a b\nhint\nquit\n");
  std::ostringstream out;
  run_line_mode(p.all_boards, View{}, Settings({}), read_help_topic, in, out, true);
  CHECK(contains(out.str(), "The computer looks for a hint.\nHint: look at "));
  CHECK(contains(out.str(), ". Type hint again for the move.\n"));
  CHECK(contains(out.str(), "Chance to win: you "));
  CHECK(contains(out.str(), " %, computer "));
  CHECK(contains(out.str(), ", computer2 "));
  CHECK(contains(out.str(), ". Type hint again to see why.\n"));
  CHECK(contains(out.str(), "\nWhy? "));
  CHECK(out.str().find("\nWhy? ") > out.str().find("Chance to win: you "));
  CHECK(contains(out.str(), "Type hint alone."));
  CHECK(contains(out.str(), "No hint while a and b play against each other."));
}

TEST_CASE("a game among computers waits for nobody, one with a person for him", "[computer]") {
  ComputerFixture p;
  p.create("toot", {"computer:1", "computer:2"});
  REQUIRE(p.local_boards.list().size() == 1);
  CHECK(p.local_boards.list().front().is_computers_turn());
  CHECK_FALSE(is_waiting_for(p.local_boards.list().front(), ""));
  p.create("toot", {"computer:1", "fred"});
  std::size_t waiting = 0;
  for (const BoardSummary& board : p.local_boards.list()) waiting += is_waiting_for(board, "");
  CHECK(waiting == 1);
}

TEST_CASE("words for the computer as a player are read in one place", "[computer]") {
  const auto seats = *read_seating({"fred", "computer:3", "Computer", "computer:10"});
  CHECK(seats.names == Words{"fred", "computer", "computer2", "computer3"});
  CHECK(seats.computer_levels == std::vector<int>{0, 3, 1, 10});
  // The shown name also means the computer; a longer name is a person's.
  const auto named = *read_seating({"computer2:2", "Computer7", "computerfan"});
  CHECK(named.names == Words{"computer", "computer2", "computerfan"});
  CHECK(named.computer_levels == std::vector<int>{2, 1, 0});
  // It adapts to the player if no level is typed.
  CHECK(read_seating({"fred", "computer"})->is_adaptive);
  CHECK(read_seating({"Computer", "fred", "computer"})->is_adaptive);
  CHECK_FALSE(read_seating({"fred", "computer:1"})->is_adaptive);
  CHECK_FALSE(seats.is_adaptive);
  CHECK_FALSE(read_seating({"fred", "wilma"})->is_adaptive);
  for (const char* wrong : {"computer:0", "computer:11", "computer:", "computer:x", "computer:3 "})
    CHECK(contains(read_seating({wrong}).refusal().reason, "Levels are 1 to 10"));
}

TEST_CASE("an engine that is to think for ever answers when it is stopped", "[computer][cli]") {
  // The game can be won at once, so the search ends soon.
  TemporaryDirectory dir;
  const RunResult ran = run_shell(
      "{ echo position startpos moves BT CO DO FO; echo go infinite;"
      " for i in $(seq 200); do grep -q 'score mate 1 pv ET' said && break; sleep .1; done;"
      " cp said before; echo isready; echo stop; } | '" +
          require_program().string() + "' engine toot >said; cat before; echo ---; cat said",
      {.home = dir.path(), .input = "", .directory = dir.path(), .output = "", .variables = {}});
  const std::size_t parts = ran.out.find("---");
  REQUIRE(parts != std::string::npos);
  CHECK(contains(ran.out.substr(0, parts), "score mate 1 pv ET"));
  CHECK_FALSE(contains(ran.out.substr(0, parts), "bestmove"));
  CHECK(contains(ran.out.substr(parts), "readyok\nbestmove ET\n"));
}

TEST_CASE("an engine is ready when there is the table that it needs", "[computer][cli][long]") {
  const TemporaryDirectory dir;
  // A program that make has not left there keeps its tables with its texts.
  std::filesystem::copy_file(require_program(), dir / "pbmplay");
  const std::string d = dir.path().string();
  const RunResult ran =
      run_shell("echo isready | PBMPLAY_DATA='" + d + "' '" + d + "/pbmplay' engine chaos");
  CHECK(ran.out == "readyok\n");
  CHECK(std::filesystem::exists(dir / "tables/chaos.table"));
}

TEST_CASE("pbmplay engine answers another program", "[computer][cli]") {
  const TestHome pbmplay;
  const auto said = [&](const std::string& input) {
    const RunResult ran = pbmplay({"engine", "toot"}, input);
    CHECK(ran.status == 0);
    return ran.out;
  };
  const std::string hello = said("ugi\nisready\nquit\n");
  CHECK(contains(hello, "option name size type string default 6x4\n"));
  CHECK(contains(hello, "ugiok\nreadyok\n"));
  // Lines that come during a search are answered after it; the end of the input waits for it.
  const std::string thought =
      said("position startpos moves BT\ngo nodes 2000\nquery p1turn\nquery result\n");
  CHECK(contains(thought, "\nbestmove "));
  CHECK(contains(thought, "response false\nresponse none\n"));
  CHECK(contains(said("go infinite\nstop\n"), "bestmove "));
  CHECK(contains(said("go nodes 100"), "bestmove "));  // the last line needs no line end
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
  CHECK(contains(said("go infinite\nquit\n"), "bestmove "));
  // Lines after a search are answered, too, and quit waits for no search.
  const std::string quit =
      said("go infinite\nposition startpos moves BT\ngo infinite\nquit\nquery p1turn\n");
  CHECK(quit.find("bestmove ") < quit.rfind("bestmove "));
  CHECK_FALSE(contains(quit, "response"));
  // The time of a move overrides a clock.
  const auto begun = std::chrono::steady_clock::now();
  CHECK(contains(said("setoption name size value 7x9\ngo movetime 20 p1time 1000000\n"),
                 "bestmove "));
  CHECK(std::chrono::steady_clock::now() - begun < 20s);
  // Toot has won, so there is no move.
  const std::string won =
      said("position startpos moves BT CO DO FO ET\nquery gameover\nquery result\ngo depth 2\n");
  CHECK(won.find("response true\nresponse ") == 0);
  CHECK(contains(won, "bestmove (none)\n"));
  CHECK(contains(said("position startpos moves BT CO DO FO ET\ngo infinite\nisready\nstop\n"),
                 "readyok\nbestmove (none)\n"));
  // Only a limited number of lines can wait during a search.
  std::string much = "go infinite\n";
  for (int i = 0; i < 101; ++i) much += "query p1turn\n";
  CHECK(contains(said(much + "stop\n"),
                 "info string too many commands are waiting: query was ignored\n"));
  // A wrong line changes nothing.
  for (const auto& [line, why] : std::map<std::string, std::string>{
           {"position fen x", "a position is startpos"},
           {"position startpos moves BT ZZ", "move 2, ZZ: "},
           {"position startpos moves resign", "move 1, resign: it is not a move"},
           {"position startpos moves BT CO DO FO ET AT", "move 6, AT: the game is already over"},
           {"setoption name size value 99x99", "W from 1 to 14"},
           {"setoption name level value 11", "level is a number from 1 to 10"},
           {"setoption name seed value -1", "seed is a number from 0 to 1000000"},
           {"setoption name seed value 1000001", "seed is a number from 0 to 1000000"},
           {"setoption name seats value 3", "Toot is not for 3 players"},
           {"setoption name colour value red", "no option"},
           {"setoption level 3", "write setoption name NAME value VALUE"},
           {"setoption name level value 3 4", "write setoption name NAME value VALUE"},
           {"position", "a position is startpos"},
           {"position startpos BT", "after startpos comes moves"},
           {"go fast", "go takes infinite alone, or"},
           {"go p3time 100", "go takes infinite alone, or"},
           {"go infinite depth 3", "go takes infinite alone, or"},
           {"go movetime", "after movetime comes a number from 1 to"},
           {"go movetime soon", "after movetime comes a number from 1 to"},
           {"go nodes -5", "after nodes comes a number from 1 to"},
           {"go depth 0", "after depth comes a number from 1 to"},
           {"go p1time 1e3", "after p1time comes a number from 0 to"},
           {"query score", "queries are"},
           {"fly", "no such command: fly"},
           {"\033[2J", "no such command: ?[2J"}}) {
    CAPTURE(line);
    const std::string out = said(line + "\nquery p1turn\n");
    CHECK(out.find("info string ") == 0);
    CHECK(contains(out, why));
    CHECK_FALSE(contains(out, "bestmove"));
    CHECK(contains(out, "response true\n"));
  }
  // Another name means the same option.
  CHECK(contains(pbmplay({"engine", "flooprail"},
                         "setoption name losing value true\nsetoption name misere value true\n"
                         "setoption name reverse value false\nugi\n")
                     .out,
                 "option name reverse type check default false\n"));
  CHECK(contains(said("setoption name size value 3x3\nsetoption name tootris value true\n"
                      "position startpos\nquery gameover\n"),
                 "response false\n"));
}

TEST_CASE("in a lost game the tutor warns of a move that loses at once", "[computer][tutor]") {
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "CO"}, {1, "AO"}, {0, "CO"}, {1, "FO"}})
    REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
  Preferences wanted = s.settings.preferences();
  wanted.has_tutor = true;
  s.settings.set_for_run(wanted);
  s.app.show(board);
  s.type("DT\n");
  REQUIRE(s.run_until_shown("DT loses at once. Another move holds out longer."));
}

TEST_CASE("who wants a tutor is asked before a move that gives much away", "[computer][tutor]") {
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
  Preferences wanted = s.settings.preferences();
  wanted.has_tutor = true;
  s.settings.set_for_run(wanted);
  s.app.show(board);
  // The panel with a hint does not hide what the tutor does.
  s.app.press(Key{Key::Code::function, 6});
  REQUIRE(s.run_until_shown("Hint: look at E."));
  // ET wins at once. The program asks once before a move that misses the win.
  s.type("FT\n");
  CHECK(contains(s.screen_text(), "The computer looks at this move."));
  REQUIRE(s.run_until_shown("FT is a bad move. It turns a win in 1 into "));
  CHECK(contains(s.screen_text(), "Enter again"));
  CHECK(s.place.local_boards.open(board.id)->match.plies().size() == 4);
  // With move confirmation, the warning disappears together with the confirmed move.
  s.app.press(control_key('U'));
  wanted.should_confirm = true;
  s.settings.set_for_run(wanted);
  s.type("DT\n\n");
  REQUIRE(s.run_until_shown("DT is a bad move"));
  s.app.press(kEsc);
  CHECK_FALSE(contains(s.screen_text(), "is a bad move"));
  wanted.should_confirm = false;
  s.settings.set_for_run(wanted);
  s.app.press(control_key('U'));
  s.type("ET\n");
  REQUIRE(s.run_until_shown("You (TOOT) win"));
}

TEST_CASE("a hint and an analysis say the same about a position, in either order",
          "[computer][hint][analysis]") {
  const std::map<std::string, Words> games{
      {"toot", {"BT", "CO", "DO", "FO"}},
      {"flooprail", {"C4-C5", "F4-F3"}},
      {"plotto", {"a1", "a2", "a3", "a1"}},
      {"soccolot", {}},  // Chaos would first make its table
  };
  for (const auto& [name, plies] : games)
    for (const bool hint_first : {true, false}) {
      INFO(name << (hint_first ? ", the hint first" : ", the analysis first"));
      ComputerFixture p;
      Board board = p.create(name, {"fred", "computer:1"});
      for (std::size_t i = 0; i < (plies.empty() ? 4 : plies.size()); ++i) {
        const Position& now = board.match.position();
        REQUIRE(
            p.local_boards
                .play(board, {{now.to_move(), plies.empty() ? now.legal_plies().at(i) : plies[i]}})
                .ok());
      }
      BoardSession session(p.all_boards, board);
      std::string hint, analysis;
      BoardHelp help(session, p.all_boards, [&](const BoardHelp::HelpResult& said) {
        (said.kind == HelpKind::hint ? hint : analysis) = said.message;
      });
      const std::size_t now = board.match.plies().size();
      for (const HelpKind kind : {HelpKind::hint, HelpKind::analysis}) {
        const bool is_hint = (kind == HelpKind::hint) == hint_first;
        help.request(is_hint ? HelpKind::hint : HelpKind::analysis, now);
        REQUIRE(p.run_until([&] { return !(is_hint ? hint : analysis).empty(); }));
      }
      // The analysis has dropped the hint before it.
      for (int step = hint_first ? 0 : 1; step < 2; ++step) help.request(HelpKind::hint, now);
      const auto found = session.visible_analysis()->thought(now, board.match.position());
      REQUIRE(found);
      const AnalysisLine& best = found->lines.front();
      CHECK(contains(hint, best.ply + " "));
      // The chances in the analysis are the first player's, who moves now.
      CHECK(session.visible_analysis()->chance(now) == best.verdict.win_percent());
      if (best.verdict.is_proved()) CHECK_FALSE(contains(hint, "Chance to win"));
      else CHECK(contains(hint, " " + std::to_string(best.verdict.win_percent()) + " %"));
    }
}

TEST_CASE("an analysis takes over a hint, and a hint what earlier moves prove",
          "[computer][hint][analysis]") {
  ComputerFixture p;
  Board board = p.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(p.local_boards.play(board, {{seat, ply}}).ok());
  const auto is_shown = [&](const SearchResult& kept) {
    p.computer.keep_hint({4, board.match.position(), kept});
    BoardSession session(p.all_boards, board);
    std::string hint, analysis;
    BoardHelp help(session, p.all_boards, [&](const BoardHelp::HelpResult& said) {
      (said.kind == HelpKind::hint ? hint : analysis) = said.message;
    });
    help.request(HelpKind::hint, 4);
    help.request(HelpKind::hint, 4);
    help.request(HelpKind::analysis, 4);
    REQUIRE(p.run_until([&] { return !analysis.empty(); }));
    const auto found = session.visible_analysis()->thought(4, board.match.position());
    return contains(hint, "Hint: AT ") && found->lines.front().ply == "AT" &&
           session.visible_analysis()->chance(4) == 37;
  };
  SearchResult kept;
  kept.lines.push_back({"AT", Verdict::estimate(37), {"AT"}, {}});
  CHECK(is_shown(kept));
}

TEST_CASE("a hint without hope says so at once, and F6 keeps the suggested move",
          "[computer][hint][ui]") {
  const Match match = *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, Time{});
  Hint lost(match, {{"BT", engine::ProvedVerdict::loss(6), {"BT"}, {}}, {{"gains threats", -3}}});
  CHECK(contains(
      lost.next_step().text,
      "Hint: Every move loses against best play. The second player has the better start in Toot. "
      "Look at B."));
  const std::string why = lost.next_step().text;
  CHECK(why.starts_with("Hint: BT "));
  CHECK(contains(why, "The game can last 6 moves"));
  CHECK_FALSE(contains(why, "threats"));
  CHECK_FALSE(contains(lost.next_step().text, "gains threats"));
  Hint weak(match, {{"BT", Verdict::estimate(40), {"BT"}, {}}, {{"gains threats", -3}}});
  weak.next_step();
  weak.next_step();
  CHECK(contains(weak.next_step().text, "wilma gains threats, but all other moves look worse"));
  ScreenFixture s;
  Board board = s.place.create("toot", {"fred", "computer:1"});
  for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
    REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
  s.app.show(board);
  const Key f6{Key::Code::function, 6};
  const auto marks = [&] {
    const Canvas canvas = s.app.draw(kScreenSize);
    int out = 0;
    for (int row = 0; row < kScreenSize.rows; ++row)
      for (int column = 0; column < kScreenSize.columns / 2; ++column)
        out += canvas.cell(row, column).mark == Mark::win;
    return out;
  };
  s.app.press(kTab);  // the cursor is on the board
  s.app.press({Key::Code::left});
  CHECK(marks() == 0);
  s.app.press(f6);
  REQUIRE(s.run_until_shown("Hint: look at E"));
  CHECK(marks() > 0);
  s.app.press({Key::Code::left});
  CHECK(marks() > 0);
  CHECK(contains(s.screen_text(), "Hint: look at E"));
  s.app.press(f6);
  REQUIRE(contains(s.screen_text(), "(TOOT)> ET"));
  CHECK(marks() == 0);
  s.app.press(f6);
  CHECK(contains(s.screen_text(), "Why? ET wins at once (result: TOOT"));
  CHECK(marks() == 4);
  CHECK(contains(s.screen_text(), "(TOOT)> ET"));
  s.app.press(f6);
  REQUIRE(s.run_until_shown("hreat"));
  CHECK(marks() == 0);
  CHECK(contains(s.screen_text(), "(TOOT)> ET"));
  s.app.press(kEsc);
  CHECK_FALSE(contains(s.screen_text(), "(TOOT)> ET"));
}

TEST_CASE("the tutor is offered once, after the first lost game against the computer",
          "[computer][tutor]") {
  ScreenFixture s;
  const auto lose = [&](const std::string& opponent) {
    Board board = s.place.create("toot", {"fred", opponent});
    s.app.show(board);
    s.type("resign\n\n");
    REQUIRE(contains(s.screen_text(), "esigned"));
    return contains(s.screen_text(), "Press F7 for");
  };
  CHECK_FALSE(lose("wilma"));
  CHECK_FALSE(s.settings.preferences().was_tutor_offered);
  CHECK(lose("computer:1"));
  CHECK_FALSE(s.settings.preferences().has_tutor);
  s.app.press({Key::Code::function, 7});
  CHECK(s.settings.preferences().has_tutor);
  CHECK(contains(s.screen_text(), "The tutor is on."));
  s.app.press({Key::Code::function, 7});
  CHECK_FALSE(s.settings.preferences().has_tutor);
  CHECK_FALSE(lose("computer:1"));
  CHECK(Settings(s.place.dir / "settings.yaml").preferences().was_tutor_offered);
}

TEST_CASE("a hint is gone with the game, the move and the position that it was about",
          "[computer][hint]") {
  ScreenFixture s;
  const Key f6{Key::Code::function, 6};
  const auto show_hint = [&] {
    s.app.press(f6);
    REQUIRE(s.run_until_shown("Hint: "));
    s.app.press(control_key('U'));  // only the hint's own sentence is left
    REQUIRE(contains(s.screen_text(), "Hint: "));
  };
  const auto start = [&] {
    Board board = s.place.create("toot", {"fred", "computer:1"});
    for (const auto& [seat, ply] : {std::pair{0, "BT"}, {1, "CO"}, {0, "DO"}, {1, "FO"}})
      REQUIRE(s.place.local_boards.play(board, {{seat, ply}}).ok());
    s.app.show(board);
  };
  SECTION("a resignation changes no position") {
    start();
    show_hint();
    s.type("resign\n\n");
    CHECK(contains(s.screen_text(), "You resigned."));
    s.app.press(control_key('U'));
    CHECK(contains(s.screen_text(), "You resigned."));
    CHECK_FALSE(contains(s.screen_text(), "Hint"));
  }
  SECTION("a resignation during the search for it") {
    start();
    s.app.press(f6);
    s.type("resign\n\n");
    REQUIRE(s.run_until_shown("You resigned."));
    for (int i = 0; i < 5; ++i) {  // a hint takes less
      std::this_thread::sleep_for(100ms);
      s.app.boards_changed();
      CHECK_FALSE(contains(s.screen_text(), "Hint"));
    }
    CHECK_FALSE(contains(s.screen_text(), "looks for"));
  }
  SECTION("a move taken back") {
    start();
    show_hint();
    s.type("undo\n");
    CHECK(contains(s.screen_text(), "taken back"));
    s.app.press(control_key('U'));
    CHECK_FALSE(contains(s.screen_text(), "Hint"));
    s.app.press(f6);
    REQUIRE(s.run_until_shown("Hint: "));
    CHECK_FALSE(contains(s.screen_text(), "Hint: look at E"));
  }
  SECTION("moves that are tried") {
    start();
    s.type("try\n");
    s.type("AO\n");
    show_hint();
    s.app.press(kEsc);
    s.app.press(kEsc);
    CHECK_FALSE(contains(s.screen_text(), "try"));
    CHECK_FALSE(contains(s.screen_text(), "Hint"));
  }
  SECTION("the last person against the computer") {
    start();
    show_hint();
    s.type("level 0\n");  // two people play now
    s.app.press(control_key('U'));
    CHECK_FALSE(contains(s.screen_text(), "Hint"));
  }
}

TEST_CASE("a game that is renamed on its own board keeps its analysis", "[computer]") {
  ScreenFixture s;
  s.show_analysed();
  s.type("rename mine\n");
  CHECK(contains(s.screen_text(), "mine"));
  CHECK(contains(s.screen_text(), "chance in %"));
}
