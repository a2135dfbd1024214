// SPDX-License-Identifier: MIT
// One player at one board: the words beside plies, tried lines that leave the game alone, and the
// same requests in line mode.
#include "ui/board_session.hpp"

#include <sstream>

#include "boards/local_boards.hpp"
#include "create.hpp"
#include "support.hpp"
#include "ui/line_mode.hpp"
#include "ui/lobby_session.hpp"
#include "ui/screen.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct Place {
  TemporaryDirectory dir;
  LocalBoards boards{dir / "saves", source_root() / "saves"};
  Boards all{boards};
  BoardSession desk{all, *create(boards, *find_game("toot"), {}, {"fred", "wilma"})};

  // Returns the sentence after entering a line, or "", or "no: " and the reason of a refusal.
  std::string enter(std::string_view typed, std::optional<std::size_t> shown = {}) {
    const auto entered = desk.enter(typed, shown.value_or(desk.match().plies().size()));
    return entered ? entered->told : "no: " + entered.refusal().why;
  }
  std::string plies() const {
    std::string out;
    for (const Match::Ply& ply : desk.match().plies()) out += (out.empty() ? "" : " ") + ply.text;
    return out;
  }
  std::string save(const std::string& id = "toot-101") const {
    return bytes_of(dir / "saves" / (id + ".yaml"));
  }
};

// Returns the output of line mode for these lines.
std::string says(Boards& boards, const std::string& lines, const std::string& name = "",
                 const fs::path& kept = {}) {
  std::istringstream in(lines);
  std::ostringstream out;
  Settings settings(kept);
  Preferences chosen = settings.chosen();
  chosen.name = name;
  settings.use(chosen);
  line_by_line(
      boards, View{.words = chosen.words}, settings,
      [](const std::string& game) -> Result<std::string> { return "Rules of " + game + "."; }, in,
      out);
  return out.str();
}

}  // namespace

TEST_CASE("line by line a board that is one's own has no clock", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  CHECK(has(says(boards, "new toot --nagtime=3 fred wilma\nquit\n"),
            "Clocks run on a server: a board here has no such option."));
  CHECK_FALSE(std::filesystem::exists(place / "toot-101.yaml"));
}

TEST_CASE("line by line every game can be told in words, and of a move only what changed",
          "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  const fs::path kept = place / "settings.yaml";
  for (const BoardSummary& example : own.list()) {
    if (!example.id.starts_with(kExample)) continue;
    INFO(example.id);
    const Match match = boards.open(example.id)->match;
    const std::string ply = match.position().legal().front();
    Position after = match.position();
    after.play(ply);
    const auto one_line = [](const std::vector<std::string>& lines) {
      std::string out;
      for (const std::string& line : lines)
        for (const std::string& part : wrapped({line}, kLineWidth)) out += part + "\n";
      return out;
    };
    std::string changed;
    const Words before = match.position().in_words();
    for (const std::string& line : after.in_words())
      if (std::ranges::count(before, line) == 0) changed += one_line({line});
    const std::string said =
        says(boards, "open " + example.id + "\nwords on\n" + ply + "\nshow\nquit\n", "", kept);
    const std::size_t on = said.find("are told in words from now on.\n");
    REQUIRE(on != std::string::npos);
    CHECK(has(said.substr(on), "now on.\n" + one_line(before)));
    CHECK(has(said.substr(on), match.player(*match.to_move()) + " " +
                                   match.position().describe(ply) + ".\n" + changed));
    CHECK(has(said.substr(on), "> " + one_line(after.in_words())));
    CHECK_FALSE(has(said.substr(on), "^"));
    // The setting is saved.
    CHECK(has(says(boards, "open " + example.id + "\nwords off\nquit\n", "", kept),
              ".\n" + one_line(before)));
    CHECK(has(bytes_of(kept), "words: no"));
  }
}

TEST_CASE("line by line help tells what one word does", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  const std::string said =
      says(boards, "help COPY\nnew toot a b\nhelp copy\nhelp rules\nhelp toot\nquit\n");
  CHECK(has(said, "boards> copy N|BOARD - copy a board.\nboards> "));
  CHECK(has(said,
            "move> copy [MOVE] - a new board that goes on from there.\nmove> "
            "rules - the rules of this game.\nmove> Rules of toot.\n"));
}

TEST_CASE("a typed line is a word, a move's number, a line for a server, or a move",
          "[board_session]") {
  using Kind = TypedLine::Kind;
  const auto reads = [](std::string_view line, const Understood& here = {}) {
    const TypedLine typed = read_line(line, here);
    return std::string(typed.word ? typed.word->name : "") + "|" + typed.text + "|" + typed.rest +
           "|" + std::to_string(typed.text_at) + " " + std::to_string(typed.rest_at);
  };
  CHECK(read_line("  ", {}).kind == Kind::nothing);
  CHECK(read_line(" #12", {}).kind == Kind::number);
  CHECK(read_line(":who", {}).kind == Kind::command);
  CHECK(read_line(":who", {Front::screen, true, false}).kind == Kind::move);
  CHECK(reads("  Move  BT ") == "|BT||8 11");
  CHECK(reads("DRAW") == "propose|propose||0 4");
  CHECK(reads("resign now") == "resign|resign now|now|0 7");
  CHECK(reads("draw  it") == "propose|propose  it|it|0 6");
  CHECK(reads(" NOTE  a  b ") == "note|NOTE  a  b|a  b|1 7");
  CHECK(reads("chat hello") == "chat|chat hello|hello|0 5");
  CHECK(reads("chat hello", {Front::screen, false, false}) == "|chat hello||0 10");
  CHECK(read_line("show 3", {}).is("show"));
  CHECK(read_line("show 3 4", {}).is("show"));
  CHECK(read_line("mouse", {Front::lines}).kind == Kind::move);
  // No two words have the same name in a front end.
  for (const Front front : {Front::screen, Front::lines})
    for (const TypedWord& word : typed_words())
      if (word.where != TypedWord::Where::screen || front == Front::screen) {
        // If two rows have the same name, the second has text after the word.
        const TypedLine read = read_line(
            word.term() == "analyse notes" ? word.term() : std::string(word.name), {front});
        CHECK(read.word == &word);
      }
}

TEST_CASE("no move of any game is spelled like a word", "[board_session]") {
  for (const Setup& setup : all_setups()) {
    std::mt19937 random(5);
    Position position = setup.start();
    for (int n = 0; n < 40 && !position.outcome(); ++n) {
      for (const auto& [typed, ply] : position.spellings()) {
        INFO(setup.name << " " << typed);
        for (const Front front : {Front::screen, Front::lines})
          REQUIRE(read_line(typed, {front}).kind == TypedLine::Kind::move);
      }
      const auto legal = position.legal();
      position.play(legal[below(random, legal.size())]);
    }
  }
}

TEST_CASE("undo and redo at one keyboard go back and forth and lose nothing", "[board_session]") {
  Place p;
  for (const char* ply : {"BT", "CO", "DO"}) CHECK(p.enter(ply).empty());
  CHECK(p.enter("redo") == "no: Nothing was taken back here that could be played again.");
  for (int i = 0; i < 3; ++i)
    CHECK(p.enter("undo") == "The last move is taken back; redo plays it again.");
  CHECK(p.enter("undo") == "no: There is no move to take back.");
  CHECK(p.plies().empty());
  for (int i = 0; i < 3; ++i) CHECK(p.enter(" REDO ").empty());
  CHECK(p.plies() == "BT CO DO");
  CHECK(p.enter("redo now") == "no: Nothing follows redo.");
  CHECK(p.enter("undo") != "");
  CHECK(p.enter("AT").empty());
  // Another session on the same save sees all of it.
  BoardSession other(p.all, *p.boards.open("toot-101"));
  CHECK(other.match().side_lines(2) == std::vector<Words>{{"DO"}});
}

TEST_CASE("moves are tried from any move, and the save does not change by a byte",
          "[board_session]") {
  Place p;
  for (const char* ply : {"BT", "CO", "DO"}) CHECK(p.enter(ply).empty());
  const std::string before = p.save();
  CHECK(p.enter("try 1").empty());
  CHECK(p.desk.trying());
  CHECK(p.desk.tried_from() == 1);
  CHECK(p.plies() == "BT");
  CHECK(p.enter("ET").empty());
  CHECK(p.enter("et").empty());
  CHECK(p.enter("ZT").substr(0, 4) == "no: ");
  CHECK(p.enter("note well", 3) == "Noted on move 3.");
  CHECK(p.plies() == "BT ET ET");
  CHECK(p.enter("undo") != "");
  CHECK(p.enter("undo") != "");
  CHECK(p.plies() == "BT");
  // redo plays the line tried last; the game's own ply is still there.
  CHECK(p.enter("redo").empty());
  CHECK(p.plies() == "BT ET");
  CHECK(p.enter("try 0").empty());
  CHECK(p.desk.tried_from() == 0);
  CHECK(p.enter("resign").empty());
  CHECK(p.desk.match().ending());
  CHECK(p.save() == before);
  p.desk.stop_trying();
  CHECK(p.plies() == "BT CO DO");
  CHECK_FALSE(p.desk.match().ending());
  CHECK(p.enter("try 4") == "no: This board has 3 moves: write #0 to #3.");
  CHECK(p.enter("try x") == "no: This board has 3 moves: write #0 to #3.");
  CHECK(p.enter("try", 2).empty());  // from the shown position
  CHECK(p.plies() == "BT CO");
  CHECK(p.enter("redo").empty());
  CHECK(p.plies() == "BT CO DO");
}

TEST_CASE("a finished game can be tried on from before its end", "[board_session]") {
  Place p;
  for (const char* ply : {"BT", "CO", "DO", "FO", "ET"}) CHECK(p.enter(ply).empty());
  REQUIRE(p.desk.match().ending());
  CHECK(p.enter("try 4").empty());
  CHECK_FALSE(p.desk.match().ending());
  CHECK(p.enter("AT").empty());
  CHECK(p.plies() == "BT CO DO FO AT");
}

TEST_CASE("a copy goes on from any move, or from what was tried", "[board_session]") {
  Place p;
  for (const char* ply : {"BT", "CO", "undo", "DO"}) (void)p.enter(ply);
  CHECK(p.enter("note a slip", 1) == "Noted on move 1.");
  CHECK(p.enter("copy") == "This is board toot-102, a copy of toot-101.");
  CHECK(p.save("toot-102") == p.save());
  CHECK(p.enter("copy 1") == "This is board toot-103, made of toot-101.");
  const auto third = p.boards.open("toot-103");
  REQUIRE(third.ok());
  CHECK(third->match.plies().size() == 1);
  CHECK(third->match.note(1) == "a slip");
  CHECK(p.enter("try").empty());
  CHECK(p.enter("ET").empty());
  CHECK(p.enter("copy") == "This is board toot-104, made of toot-101.");
  CHECK(p.boards.open("toot-104")->match.plies().size() == 3);
  CHECK(p.boards.open("toot-101")->match.plies().size() == 2);
}

TEST_CASE("a note is kept, shown, and taken away", "[board_session]") {
  Place p;
  CHECK(p.enter("BT").empty());
  CHECK(p.enter("note") == "no: Type note and what is to be kept, or note - to take a note away.");
  CHECK(p.enter("note  fork in D ") == "Noted on move 1.");
  CHECK(p.enter("note #0 blitz") == "Noted on the start.");
  CHECK(p.enter("note #7 x") == "no: This board has 1 move: write #0 to #1.");
  CHECK(p.desk.match().note(1) == "fork in D");
  CHECK(p.desk.match().note(0) == "blitz");
  CHECK(p.enter("note -") == "The note on move 1 is gone.");
  CHECK(p.enter("note -") == "no: There is no note on move 1 to take away.");
  CHECK(p.enter("note \x1b[2J") ==
        "no: A note is one line of text, without characters that cannot be shown.");
  CHECK(p.boards.open("toot-101")->match.note(0) == "blitz");
}

TEST_CASE("what somebody else plays comes, but does not disturb what is tried", "[board_session]") {
  Place p;
  CHECK(p.enter("BT").empty());
  BoardSession other(p.all, *p.boards.open("toot-101"));
  CHECK(p.desk.refresh().told.empty());
  REQUIRE(other.enter("note theirs", 1).ok());
  CHECK(p.desk.refresh().told.empty());
  CHECK(p.desk.match().note(1) == "theirs");
  CHECK(p.enter("try").empty());
  CHECK(p.enter("AT").empty());
  REQUIRE(other.enter("CO", 1).ok());
  CHECK(p.desk.refresh().told == "CO: wilma (OTTO) drops an O down column C.");
  CHECK(p.plies() == "BT AT");
  p.desk.stop_trying();
  CHECK(p.plies() == "BT CO");
}

TEST_CASE("line by line: a game played, noted, tried, taken back and recorded", "[board_session]") {
  Place p;
  const std::string out = says(p.all,
                               "open toot-101\nBT\nZZ\nlegal now\nnote #1 "
                               "strong\nCO\nundo\nplies\nredo\ntry 0\nAT\nboards\nwords "
                               "1\nplies\nrecord\nlegal\nshow 9\nboards\nquit\n");
  CHECK(has(out, "Board toot-101, Toot."));
  CHECK(has(out, "Played: fred (TOOT) drops a T down column B."));
  CHECK(has(out, "There is no column Z on this board"));
  CHECK(has(out, "Nothing follows legal."));
  CHECK(has(out, "Noted on move 1."));
  CHECK(has(out,
            "1. BT: fred (TOOT) drops a T down column B.\n   Note: strong\n   Played next and "
            "taken back: CO.\n"));
  CHECK(has(out, "try> "));
  CHECK(has(out, "It is wilma's turn (OTTO)."));
  CHECK(has(out, "1 BT: strong\n"));
  CHECK(has(out, "This board has 2 moves: write #0 to #2."));
  CHECK(p.boards.open("toot-101")->match.plies().size() == 2);
  CHECK(out.find('\x1b') == std::string::npos);
}

TEST_CASE("line by line: boards are copied, renamed, filtered, and the next that waits opened",
          "[board_session]") {
  Place p;
  const std::string out = says(p.all,
                               "list toot fred\nlist nobody\ncopy 1\nrename toot-102 again\nrename "
                               "1 ../x\nnext\nboards\nnext\nnext\nquit\n");
  CHECK(has(out, "1. toot-101: Toot, fred and wilma, fred's turn, 0 moves."));
  CHECK(has(out, "No board has all of these words."));
  CHECK(has(out, "Board toot-102 is a copy of toot-101."));
  CHECK(has(out, "Now it is board again."));
  CHECK(has(out, "A board's name is made of letters"));
  CHECK(has(out, "Board again, Toot."));
  CHECK(has(out, "Board toot-101, Toot."));
  CHECK(has(says(p.all, "next\n", "wilma"), "No board waits for a move."));
  CHECK(has(says(p.all, "next\n", "FRED"), "Board "));
}

TEST_CASE("line by line: tootris is named wherever a game is", "[board_session]") {
  Place p;
  const std::string out = says(p.all, "new tootris a b\nboards\nrules Tootris\n");
  CHECK(has(out, "Toot -tootris"));
  CHECK(has(out, "Rules of toot."));
  CHECK(has(p.save("toot-102"), "options: [-tootris]"));
  LobbySession lobby(p.all, "", Front::screen);
  CHECK(lobby.enter("lesson tootris")->open == "lesson:toot");
  CHECK(lobby.enter("puzzle tootris 3")->open == "puzzle:toot-3");
}

TEST_CASE("line by line: the name of a file is one line of the list", "[board_session]") {
  Place p;
  fs::rename(p.dir / "saves/toot-101.yaml", p.dir / "saves/two\nlines.yaml");
  CHECK(has(says(p.all, "list toot\n"), "1. two?lines: Toot, fred and wilma"));
}

TEST_CASE("a seat is given to who has a name of two words", "[board_session]") {
  Place p;
  BoardSession desk(
      p.all, *p.boards.keep(*Match::start(*find_game("toot"), {}, {"fred flint", "wilma"}, now())));
  CHECK(desk.enter("level 3  Fred Flint", 0)->told == "The computer plays TOOT, at level 3.");
  CHECK(desk.enter("level 3 fred", 0).refusal().why ==
        "Which player? Type level 3 and a name, or a number from 1 to 2.");
}

TEST_CASE("where computers have played to the end nothing more is offered", "[board_session]") {
  Place p;
  Match match = *Match::start(*find_game("toot"), {}, Seating{{"a", "b"}, {1, 1}}, now());
  for (const char* ply : {"BT", "CO", "DO", "FO", "ET"})
    match.add(*match.validate(*match.to_move(), ply, now()));
  BoardSession desk(p.all, *p.boards.keep(match));
  CHECK(desk.enter("resign", 5).refusal().why == match.standing());
}

TEST_CASE(
    "line by line: a board whose name is a number is opened by its name where that is what is "
    "meant",
    "[board_session]") {
  Place p;
  REQUIRE(create(p.boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
  fs::rename(p.dir / "saves/toot-101.yaml", p.dir / "saves/2.yaml");
  REQUIRE(create(p.boards, *find_game("plotto"), {}, {"fred", "wilma"}).ok());
  const std::string out = says(p.all, "next\nboards\nnext\nnext\nnext\nquit\n");
  for (const char* board : {"Board 2, Toot.", "Board chaos-101, ", "Board plotto-101, "})
    CHECK(has(out, board));
}

TEST_CASE("line by line: a number is that of the list as it was last written", "[board_session]") {
  Place p;
  for (const char* game : {"chaos", "plotto", "flooprail"})
    REQUIRE(create(p.boards, *find_game(game), {}, {"fred", "wilma"}).ok());
  const auto list = p.boards.list();
  const auto id = [&](std::size_t n) { return list[n - 1].id; };
  std::string out = says(p.all, "delete 2\ndelete 3\ndelete 3\nundelete\nopen 3\nboards\nquit\n");
  INFO(out);
  CHECK(has(out, "Deleted " + id(2) + ";"));
  CHECK(has(out, "Deleted " + id(3) + ";"));
  CHECK(has(out, "There is no board '" + id(3) + "' here"));
  CHECK(has(out, "Board " + id(3) + " is back."));
  CHECK(has(out, "Board " + id(3) + ", "));
  // The numbers stay, whatever the commands between do.
  const auto now = p.boards.list();
  out =
      says(p.all, "copy 2\ndelete 2\nundelete\nrename 1 zz\ncopy 1\nopen 1\nnext\nboards\nquit\n");
  INFO(out);
  CHECK(has(out, " is a copy of " + now[1].id + "."));
  CHECK(has(out, "Deleted " + now[1].id + ";"));
  CHECK(has(out, " is a copy of zz."));
  CHECK(has(out, "Board zz, "));
}

TEST_CASE("line by line: the examples are a row of the list until they are asked for",
          "[board_session]") {
  Place p;
  const std::string out = says(p.all, "list\nlist example\nopen 2\nboards\nquit\n");
  INFO(out);
  CHECK(has(out, "1. toot-101: "));
  CHECK(has(out, "0 moves.\n10 games to look at: type list example.\nboards> "));
  CHECK(has(out, "boards> 2. example:"));
  CHECK(has(out, "Board example:"));
  CHECK(has(says(p.all, "list example:toot\nquit\n"), ". example:toot: Toot, alice and bob"));
}

TEST_CASE("line by line: the thousandth board of a list is opened by its number",
          "[board_session]") {
  // A repository with a long list and nothing else.
  struct Many final : Repository {
    explicit Many(Repository& of) : one(of) {}
    Repository& one;
    std::string opened;
    std::vector<BoardSummary> list() override {
      std::vector<BoardSummary> out;
      for (int i = 1; i <= 1000; ++i) out.emplace_back().id = "b" + std::to_string(i);
      return out;
    }
    Result<Board> open(const std::string& id) override {
      opened = id;
      return one.open("toot-101");
    }
    Result<Done> play(Board&, const std::vector<MoveRequest>&) override { return Refusal{"no"}; }
    int changes() override { return -1; }
    bool take_changes() override { return false; }
    std::string place() const override { return ""; }
  };
  Place p;
  Many many(p.boards);
  Boards all(many);
  (void)says(all, "open 1000\nquit\n");
  CHECK(many.opened == "b1000");
  (void)says(all, "open 1001\nquit\n");
  CHECK(many.opened == "1001");
  (void)says(all, "open 99999999999999999999\nquit\n");
  CHECK(many.opened == "99999999999999999999");
}

TEST_CASE("line by line: the caret stands below what is wrong, whatever the prompt",
          "[board_session]") {
  Place p;
  const auto caret_of = [&](const std::string& lines) {
    std::istringstream in(lines), read;
    std::ostringstream out;
    line_by_line(
        p.all, View{}, Settings({}),
        [](const std::string&) -> Result<std::string> { return Refusal{"no"}; }, in, out, true);
    read.str(out.str());
    std::string before, line;
    while (std::getline(read, line) && line.find_first_not_of(" ") == line.find('^') ? line.empty()
                                                                                     : true)
      before = line;
    INFO(out.str());
    REQUIRE(line.find('^') < before.size());
    return before.substr(line.find('^'));
  };
  for (const char* tried : {"", "try\n"})
    for (const char* typed : {"BX", "move BX", "  move   BX"}) {
      INFO(tried << typed);
      CHECK(caret_of("open toot-101\n" + std::string(tried) + typed + "\nquit\n") == "X");
    }
}
