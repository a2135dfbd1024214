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

struct SessionSetup {
  TemporaryDirectory directory;
  LocalBoards local_boards{directory / "saves", source_root() / "saves"};
  Boards all_boards{local_boards};
  BoardSession session{all_boards,
                       *create_board(local_boards, *find_game("toot"), {}, {"fred", "wilma"})};

  // Returns the sentence after entering a line, or "", or "no: " and the reason of a refusal.
  std::string enter_line(std::string_view typed, std::optional<std::size_t> shown = {}) {
    const auto entered = session.enter(typed, shown.value_or(session.match().plies().size()));
    return entered ? entered->message : "no: " + entered.refusal().reason;
  }
  std::string plies_text() const {
    std::string out;
    for (const Match::Ply& ply : session.match().plies())
      out += (out.empty() ? "" : " ") + ply.text;
    return out;
  }
  std::string read_save(const std::string& id = "toot-101") const {
    return read_bytes(directory / "saves" / (id + ".yaml"));
  }
};

// Returns the output of line mode for these lines.
std::string line_mode_output(Boards& boards, const std::string& lines, const std::string& name = "",
                             const fs::path& kept = {}) {
  std::istringstream in(lines);
  std::ostringstream out;
  Settings settings(kept);
  Preferences chosen = settings.preferences();
  chosen.player_name = name;
  settings.set_for_run(chosen);
  run_line_mode(
      boards, View{.is_text = chosen.words_mode}, settings,
      [](const std::string& game) -> Result<std::string> { return "Rules of " + game + "."; }, in,
      out);
  return out.str();
}

}  // namespace

TEST_CASE("line by line a board that is one's own has no clock", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  CHECK(contains(line_mode_output(boards, "new toot --nagtime=3 fred wilma\nquit\n"),
                 "Clocks run only on a server. A game here has no such option."));
  CHECK_FALSE(std::filesystem::exists(place / "toot-101.yaml"));
}

TEST_CASE("line by line every game can be told in words, and of a move only what changed",
          "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  const fs::path kept = place / "settings.yaml";
  for (const BoardSummary& example : own.list()) {
    if (!example.id.starts_with(kExamplePrefix)) continue;
    INFO(example.id);
    const Match match = boards.open(example.id)->match;
    const std::string ply = match.position().legal_plies().front();
    Position after = match.position();
    after.play(ply);
    const auto one_line = [](const std::vector<std::string>& lines) {
      std::string out;
      for (const std::string& line : lines)
        for (const std::string& part : wrap_lines({line}, kLineWidth)) out += part + "\n";
      return out;
    };
    std::string changed;
    const Words before = match.position().description_lines();
    for (const std::string& line : after.description_lines())
      if (std::ranges::count(before, line) == 0) changed += one_line({line});
    const std::string said = line_mode_output(
        boards, "open " + example.id + "\nwords on\n" + ply + "\nshow\nquit\n", "", kept);
    const std::size_t on = said.find("show now describe boards in words.\n");
    REQUIRE(on != std::string::npos);
    CHECK(contains(said.substr(on), "in words.\n" + one_line(before)));
    CHECK(contains(said.substr(on), match.player_label(*match.to_move()) + " " +
                                        match.position().describe(ply) + ".\n" + changed));
    CHECK(contains(said.substr(on), "> " + one_line(after.description_lines())));
    CHECK_FALSE(contains(said.substr(on), "^"));
    // The setting is saved.
    CHECK(contains(line_mode_output(boards, "open " + example.id + "\nwords off\nquit\n", "", kept),
                   ".\n" + one_line(before)));
    CHECK(contains(read_bytes(kept), "words: no"));
  }
}

TEST_CASE("words on works in the lobby line by line, as the greeting says", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  const fs::path kept = place / "settings.yaml";
  const std::string said =
      line_mode_output(boards, "help words\nWORDS on\nnew toot a b\nquit\n", "", kept);
  CHECK(contains(said, "boards> words on|off - describe boards in words"));
  CHECK(contains(said, "Line mode and pbmplay show now describe boards in words.\n"));
  CHECK(contains(said, Match::start(*find_game("toot"), {}, {"a", "b"}, Time{})
                           ->position()
                           .description_lines()
                           .front()));
  CHECK(contains(read_bytes(kept), "words: yes"));
  CHECK(contains(line_mode_output(boards, "words\nquit\n"), "Type words on, or words off."));
  line_mode_output(boards, "words off\nquit\n", "", kept);
  CHECK(contains(read_bytes(kept), "words: no"));
}

TEST_CASE("line by line exit and q leave the program everywhere", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  for (const std::string word : {"quit", "exit", " EXIT ", "q"})
    for (const std::string before : {"", "new toot a b\n", "new plotto a b c\n", "new chaos a b\n",
                                     "new soccolot a b\n", "new flooprail a b\n"}) {
      CAPTURE(word, before);
      const std::string next = before.empty() ? "rules toot\n" : "rules\n";
      CHECK(contains(line_mode_output(boards, before + next), "Rules of"));
      CHECK_FALSE(contains(line_mode_output(boards, before + word + "\n" + next), "Rules of"));
    }
}

TEST_CASE("line by line help tells what one word does", "[line]") {
  TemporaryDirectory place;
  LocalBoards own(place.path(), source_root() / "saves");
  Boards boards(own);
  const std::string said =
      line_mode_output(boards, "help COPY\nnew toot a b\nhelp copy\nhelp rules\nhelp toot\nquit\n");
  CHECK(contains(said, "boards> copy N|BOARD - copy a game.\nboards> "));
  CHECK(contains(said,
                 "move> copy [MOVE] - copy the game up to there.\nmove> "
                 "rules - show the rules of this game.\nmove> Rules of toot.\n"));
}

TEST_CASE("a typed line is a word, a move's number, a line for a server, or a move",
          "[board_session]") {
  using Kind = TypedLine::Kind;
  const auto reads = [](std::string_view line, const LineContext& here = {}) {
    const TypedLine typed = parse_typed_line(line, here);
    return std::string(typed.word ? typed.word->name : "") + "|" + typed.text + "|" +
           typed.argument + "|" + std::to_string(typed.text_offset) + " " +
           std::to_string(typed.argument_offset);
  };
  CHECK(parse_typed_line("  ", {}).kind == Kind::empty);
  CHECK(parse_typed_line(" #12", {}).kind == Kind::ply_number);
  CHECK(parse_typed_line(":who", {}).kind == Kind::command);
  CHECK(parse_typed_line(":who", {FrontEnd::screen, true, false}).kind == Kind::move);
  CHECK(reads("  Move  BT ") == "|BT||8 11");
  CHECK(reads("DRAW") == "propose|propose||0 4");
  CHECK(reads("resign now") == "resign|resign now|now|0 7");
  CHECK(reads("draw  it") == "propose|propose  it|it|0 6");
  CHECK(reads(" NOTE  a  b ") == "note|NOTE  a  b|a  b|1 7");
  CHECK(reads("chat hello") == "chat|chat hello|hello|0 5");
  CHECK(reads("chat hello", {FrontEnd::screen, false, false}) == "|chat hello||0 10");
  CHECK(parse_typed_line("show 3", {}).has_name("show"));
  CHECK(parse_typed_line("show 3 4", {}).has_name("show"));
  CHECK(parse_typed_line("mouse", {FrontEnd::line_mode}).kind == Kind::move);
  // No two words have the same name in a front end.
  for (const FrontEnd front : {FrontEnd::screen, FrontEnd::line_mode})
    for (const TypedWord& word : typed_words())
      if (word.scope != TypedWord::Scope::screen_view || front == FrontEnd::screen) {
        // If two rows have the same name, the second has text after the word.
        const TypedLine read = parse_typed_line(
            word.usage() == "analyse notes" ? word.usage() : std::string(word.name), {front});
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
        for (const FrontEnd front : {FrontEnd::screen, FrontEnd::line_mode})
          REQUIRE(parse_typed_line(typed, {front}).kind == TypedLine::Kind::move);
      }
      const auto legal = position.legal_plies();
      position.play(legal[random_below(random, legal.size())]);
    }
  }
}

TEST_CASE("undo and redo at one keyboard go back and forth and lose nothing", "[board_session]") {
  SessionSetup p;
  for (const char* ply : {"BT", "CO", "DO"}) CHECK(p.enter_line(ply).empty());
  CHECK(p.enter_line("redo") == "no: There is no move to redo.");
  for (int i = 0; i < 3; ++i)
    CHECK(p.enter_line("undo") ==
          "The last move is taken back. Press Ctrl-Y or type redo to play it again.");
  CHECK(p.enter_line("undo") == "no: There is no move to take back.");
  CHECK(p.plies_text().empty());
  for (int i = 0; i < 3; ++i) CHECK(p.enter_line(" REDO ").empty());
  CHECK(p.plies_text() == "BT CO DO");
  CHECK(p.enter_line("redo now") == "no: Type redo alone.");
  CHECK(p.enter_line("undo") != "");
  CHECK(p.enter_line("AT").empty());
  // Another session on the same save sees all of it.
  BoardSession other(p.all_boards, *p.local_boards.open("toot-101"));
  CHECK(other.match().side_lines(2) == std::vector<Words>{{"DO"}});
}

TEST_CASE("moves are tried from any move, and the save does not change by a byte",
          "[board_session]") {
  SessionSetup p;
  for (const char* ply : {"BT", "CO", "DO"}) CHECK(p.enter_line(ply).empty());
  const std::string before = p.read_save();
  CHECK(p.enter_line("try 1").empty());
  CHECK(p.session.is_trying());
  CHECK(p.session.trial_start() == 1);
  CHECK(p.plies_text() == "BT");
  CHECK(p.enter_line("ET").empty());
  CHECK(p.enter_line("et").empty());
  CHECK(p.enter_line("ZT").substr(0, 4) == "no: ");
  CHECK(p.enter_line("note well", 3) == "Noted on move 3.");
  CHECK(p.plies_text() == "BT ET ET");
  CHECK(p.enter_line("undo") != "");
  CHECK(p.enter_line("undo") != "");
  CHECK(p.plies_text() == "BT");
  // redo plays the line tried last; the game's own ply is still there.
  CHECK(p.enter_line("redo").empty());
  CHECK(p.plies_text() == "BT ET");
  CHECK(p.enter_line("try 0").empty());
  CHECK(p.session.trial_start() == 0);
  CHECK(p.enter_line("resign").empty());
  CHECK(p.session.match().ending());
  CHECK(p.read_save() == before);
  p.session.stop_trial();
  CHECK(p.plies_text() == "BT CO DO");
  CHECK_FALSE(p.session.match().ending());
  CHECK(p.enter_line("try 4") == "no: This game has 3 moves. Write #0 to #3.");
  CHECK(p.enter_line("try x") == "no: This game has 3 moves. Write #0 to #3.");
  CHECK(p.enter_line("try", 2).empty());  // from the shown position
  CHECK(p.plies_text() == "BT CO");
  CHECK(p.enter_line("redo").empty());
  CHECK(p.plies_text() == "BT CO DO");
}

TEST_CASE("a finished game can be tried on from before its end", "[board_session]") {
  SessionSetup p;
  for (const char* ply : {"BT", "CO", "DO", "FO", "ET"}) CHECK(p.enter_line(ply).empty());
  REQUIRE(p.session.match().ending());
  CHECK(p.enter_line("try 4").empty());
  CHECK_FALSE(p.session.match().ending());
  CHECK(p.enter_line("AT").empty());
  CHECK(p.plies_text() == "BT CO DO FO AT");
}

TEST_CASE("a copy goes on from any move, or from what was tried", "[board_session]") {
  SessionSetup p;
  for (const char* ply : {"BT", "CO", "undo", "DO"}) (void)p.enter_line(ply);
  CHECK(p.enter_line("note a slip", 1) == "Noted on move 1.");
  CHECK(p.enter_line("copy") == "toot-102 is a copy of toot-101.");
  CHECK(p.read_save("toot-102") == p.read_save());
  CHECK(p.enter_line("copy 1") == "toot-103 is made from toot-101.");
  const auto third = p.local_boards.open("toot-103");
  REQUIRE(third.ok());
  CHECK(third->match.plies().size() == 1);
  CHECK(third->match.note(1) == "a slip");
  CHECK(p.enter_line("try").empty());
  CHECK(p.enter_line("ET").empty());
  CHECK(p.enter_line("copy") == "toot-104 is made from toot-101.");
  CHECK(p.local_boards.open("toot-104")->match.plies().size() == 3);
  CHECK(p.local_boards.open("toot-101")->match.plies().size() == 2);
}

TEST_CASE("a note is kept, shown, and taken away", "[board_session]") {
  SessionSetup p;
  CHECK(p.enter_line("BT").empty());
  CHECK(p.enter_line("note") == "no: Type note and your text, or note - to delete a note.");
  CHECK(p.enter_line("note  fork in D ") == "Noted on move 1.");
  CHECK(p.enter_line("note #0 blitz") == "Noted on the start.");
  CHECK(p.enter_line("note #7 x") == "no: This game has 1 move. Write #0 to #1.");
  CHECK(p.session.match().note(1) == "fork in D");
  CHECK(p.session.match().note(0) == "blitz");
  CHECK(p.enter_line("note -") == "The note on move 1 is deleted.");
  CHECK(p.enter_line("note -") == "no: There is no note on move 1 to delete.");
  CHECK(p.enter_line("note \x1b[2J") ==
        "no: A note is one line of text. Remove invisible characters.");
  CHECK(p.local_boards.open("toot-101")->match.note(0) == "blitz");
}

TEST_CASE("what somebody else plays comes, but does not disturb what is tried", "[board_session]") {
  SessionSetup p;
  CHECK(p.enter_line("BT").empty());
  BoardSession other(p.all_boards, *p.local_boards.open("toot-101"));
  CHECK(p.session.refresh().text.empty());
  REQUIRE(other.enter("note theirs", 1).ok());
  CHECK(p.session.refresh().text.empty());
  CHECK(p.session.match().note(1) == "theirs");
  CHECK(p.enter_line("try").empty());
  CHECK(p.enter_line("AT").empty());
  REQUIRE(other.enter("CO", 1).ok());
  CHECK(p.session.refresh().text == "CO: wilma (OTTO) drops an O down column C.");
  CHECK(p.plies_text() == "BT AT");
  p.session.stop_trial();
  CHECK(p.plies_text() == "BT CO");
}

TEST_CASE("line by line: a game played, noted, tried, taken back and recorded", "[board_session]") {
  SessionSetup p;
  const std::string out =
      line_mode_output(p.all_boards,
                       "open toot-101\nBT\nZZ\nlegal now\nnote #1 "
                       "strong\nCO\nundo\nplies\nredo\ntry 0\nAT\nboards\nwords "
                       "1\nplies\nrecord\nlegal\nshow 9\nboards\nquit\n");
  CHECK(contains(out, "Board toot-101, Toot."));
  CHECK(contains(out, "fred (TOOT) drops a T down column B."));
  CHECK(contains(out, "There is no column Z."));
  CHECK(contains(out, "Type legal alone."));
  CHECK(contains(out, "Noted on move 1."));
  CHECK(contains(out,
                 "1. BT: fred (TOOT) drops a T down column B.\n   Note: strong\n   Played next and "
                 "taken back: CO.\n"));
  CHECK(contains(out, "try> "));
  CHECK(contains(out, "It is wilma's turn (OTTO)."));
  CHECK(contains(out, "1 BT: strong\n"));
  CHECK(contains(out, "This game has 2 moves. Write #0 to #2."));
  CHECK(p.local_boards.open("toot-101")->match.plies().size() == 2);
  CHECK(out.find('\x1b') == std::string::npos);
}

TEST_CASE("line by line: boards are copied, renamed, filtered, and the next that waits opened",
          "[board_session]") {
  SessionSetup p;
  const std::string out =
      line_mode_output(p.all_boards,
                       "list toot fred\nlist nobody\ncopy 1\nrename toot-102 again\nrename "
                       "1 ../x\nnext\nboards\nnext\nnext\nquit\n");
  CHECK(contains(out, "1. toot-101: Toot, fred and wilma, fred's turn, 0 moves."));
  CHECK(contains(out, "No game has all of these words."));
  CHECK(contains(out, "toot-102 is a copy of toot-101."));
  CHECK(contains(out, "The new name is again."));
  CHECK(contains(out, "A board's name has letters"));
  CHECK(contains(out, "Board again, Toot."));
  CHECK(contains(out, "Board toot-101, Toot."));
  CHECK(contains(line_mode_output(p.all_boards, "next\n", "wilma"), "No game needs your move."));
  CHECK(contains(line_mode_output(p.all_boards, "next\n", "FRED"), "Board "));
}

TEST_CASE("a game is renamed on its own board, while it runs and after its end",
          "[board_session]") {
  SessionSetup p;
  CHECK(p.enter_line("rename ../x").starts_with("no: A board's name has letters"));
  CHECK(p.enter_line("rename") == "no: Type rename and the new name of this game.");
  CHECK(p.session.enter("rename first", 0)->board_to_open == "first");
  const std::string out = line_mode_output(
      p.all_boards, "open first\nBT\nCO\nresign\nrename last\nrename example:toot\nquit\n");
  INFO(out);
  CHECK(contains(out, "game over> The new name is last.\nBoard last, Toot."));
  CHECK(p.local_boards.open("last")->match.plies().size() == 2);
  CHECK(contains(line_mode_output(p.all_boards, "open example:toot\nrename mine\nquit\n"),
                 "Examples cannot be renamed."));
}

TEST_CASE("line by line: the only person in a game is called you", "[board_session]") {
  SessionSetup p;
  REQUIRE(p.local_boards
              .save_new(*Match::start(*find_game("chaos"), {}, Seating{{"me", "computer"}, {0, 1}},
                                      now()))
              .ok());
  const std::string out = line_mode_output(p.all_boards, "open chaos-101\na2-c2\nresign\nquit\n");
  INFO(out);
  CHECK(contains(out, "You have 7 pieces and the computer has 7 pieces."));
  CHECK(contains(out, "It is your turn (o)."));
  CHECK(contains(out, "You jump from a2 to c2"));
  CHECK(contains(out, "It is the computer's turn (x)."));
  CHECK(contains(out, "The computer (x) wins. You resigned."));
  CHECK_FALSE(contains(out.substr(out.find("Board chaos")), "\nme "));
}

TEST_CASE("line by line: a word of the list may have a colon before it, as on the screen",
          "[board_session]") {
  SessionSetup p;
  CHECK(contains(line_mode_output(p.all_boards, ":open toot-101\nboards\n:quit\n"),
                 "Board toot-101, Toot."));
}

TEST_CASE("line by line: tootris is named wherever a game is", "[board_session]") {
  SessionSetup p;
  const std::string out =
      line_mode_output(p.all_boards, "new tootris a b\nboards\nrules Tootris\n");
  CHECK(contains(out, "Toot -tootris"));
  CHECK(contains(out, "Rules of toot."));
  CHECK(contains(p.read_save("toot-102"), "options: [-tootris]"));
  LobbySession lobby(p.all_boards, "", FrontEnd::screen);
  CHECK(lobby.enter("lesson tootris")->board_to_open == "lesson:toot");
  CHECK(lobby.enter("puzzle tootris 3")->board_to_open == "puzzle:toot-3");
}

TEST_CASE("line by line: the name of a file is one line of the list", "[board_session]") {
  SessionSetup p;
  fs::rename(p.directory / "saves/toot-101.yaml", p.directory / "saves/two\nlines.yaml");
  CHECK(contains(line_mode_output(p.all_boards, "list toot\n"),
                 "1. two?lines: Toot, fred and wilma"));
}

TEST_CASE("a seat is given to who has a name of two words", "[board_session]") {
  SessionSetup p;
  BoardSession desk(p.all_boards, *p.local_boards.save_new(*Match::start(
                                      *find_game("toot"), {}, {"fred flint", "wilma"}, now())));
  CHECK(desk.enter("level 3  Fred Flint", 0)->message == "The computer plays TOOT at level 3.");
  CHECK(desk.enter("level 3 fred", 0).refusal().reason ==
        "Which player? Type level 3 and a name, or a number from 1 to 2.");
}

TEST_CASE("where computers have played to the end nothing more is offered", "[board_session]") {
  SessionSetup p;
  Match match = *Match::start(*find_game("toot"), {}, Seating{{"a", "b"}, {1, 1}}, now());
  for (const char* ply : {"BT", "CO", "DO", "FO", "ET"})
    match.add(*match.validate(*match.to_move(), ply, now()));
  BoardSession desk(p.all_boards, *p.local_boards.save_new(match));
  CHECK(desk.enter("resign", 5).refusal().reason == match.status());
}

TEST_CASE(
    "line by line: a board whose name is a number is opened by its name where that is what is "
    "meant",
    "[board_session]") {
  SessionSetup p;
  REQUIRE(create_board(p.local_boards, *find_game("chaos"), {}, {"fred", "wilma"}).ok());
  fs::rename(p.directory / "saves/toot-101.yaml", p.directory / "saves/2.yaml");
  REQUIRE(create_board(p.local_boards, *find_game("plotto"), {}, {"fred", "wilma"}).ok());
  const std::string out = line_mode_output(p.all_boards, "next\nboards\nnext\nnext\nnext\nquit\n");
  for (const char* board : {"Board 2, Toot.", "Board chaos-101, ", "Board plotto-101, "})
    CHECK(contains(out, board));
}

TEST_CASE("line by line: a number is that of the list as it was last written", "[board_session]") {
  SessionSetup p;
  for (const char* game : {"chaos", "plotto", "flooprail"})
    REQUIRE(create_board(p.local_boards, *find_game(game), {}, {"fred", "wilma"}).ok());
  const auto list = p.local_boards.list();
  const auto id = [&](std::size_t n) { return list[n - 1].id; };
  std::string out = line_mode_output(
      p.all_boards, "delete 2\ndelete 3\ndelete 3\nundelete\nopen 3\nboards\nquit\n");
  INFO(out);
  CHECK(contains(out, "Deleted " + id(2) + ";"));
  CHECK(contains(out, "Deleted " + id(3) + ";"));
  CHECK(contains(out, "There is no board '" + id(3) + "' here"));
  CHECK(contains(out, id(3) + " is back."));
  CHECK(contains(out, "Board " + id(3) + ", "));
  // The numbers stay, whatever the commands between do.
  const auto now = p.local_boards.list();
  out = line_mode_output(
      p.all_boards,
      "copy 2\ndelete 2\nundelete\nrename 1 zz\ncopy 1\nopen 1\nnext\nboards\nquit\n");
  INFO(out);
  CHECK(contains(out, " is a copy of " + now[1].id + "."));
  CHECK(contains(out, "Deleted " + now[1].id + ";"));
  CHECK(contains(out, " is a copy of zz."));
  CHECK(contains(out, "Board zz, "));
}

TEST_CASE("line by line: the examples are a row of the list until they are asked for",
          "[board_session]") {
  SessionSetup p;
  const std::string out =
      line_mode_output(p.all_boards, "list\nlist example\nopen 2\nboards\nquit\n");
  INFO(out);
  CHECK(contains(out, "1. toot-101: "));
  CHECK(contains(out, "0 moves.\n10 examples. Type list example to see them.\nboards> "));
  CHECK(contains(out, "boards> 2. example:"));
  CHECK(contains(out, "Board example:"));
  CHECK(contains(line_mode_output(p.all_boards, "list example:toot\nquit\n"),
                 ". example:toot: Toot, alice and bob"));
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
    Result<Success> play(Board&, const std::vector<MoveRequest>&) override { return Refusal{"no"}; }
    int change_descriptor() override { return -1; }
    bool take_changes() override { return false; }
    std::string location() const override { return ""; }
  };
  SessionSetup p;
  Many many(p.local_boards);
  Boards all(many);
  (void)line_mode_output(all, "open 1000\nquit\n");
  CHECK(many.opened == "b1000");
  (void)line_mode_output(all, "open 1001\nquit\n");
  CHECK(many.opened == "1001");
  (void)line_mode_output(all, "open 99999999999999999999\nquit\n");
  CHECK(many.opened == "99999999999999999999");
}

TEST_CASE("line by line: the caret stands below what is wrong, whatever the prompt",
          "[board_session]") {
  SessionSetup p;
  const auto caret_of = [&](const std::string& lines) {
    std::istringstream in(lines), read;
    std::ostringstream out;
    run_line_mode(
        p.all_boards, View{}, Settings({}),
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

TEST_CASE("a game is not renamed while its player tries moves", "[board_session]") {
  SessionSetup p;
  CHECK(p.enter_line("try").empty());
  CHECK(p.enter_line("BT").empty());
  CHECK(p.enter_line("rename mine").starts_with("no: "));
  CHECK(p.plies_text() == "BT");
  CHECK(p.session.is_trying());
  CHECK(p.local_boards.open("toot-101").ok());
  p.session.stop_trial();
  CHECK(p.session.enter("rename mine", 0)->board_to_open == "mine");
}

TEST_CASE("line by line undo after a resignation names the players as before", "[board_session]") {
  SessionSetup p;
  const std::string out =
      line_mode_output(p.all_boards, "new toot ann computer\nBT\nresign\nundo\nCO\nquit\n", "ann");
  INFO(out);
  REQUIRE(contains(out, "The computer (OTTO) wins. You resigned."));
  CHECK_FALSE(contains(out, "ann resigned"));
  CHECK_FALSE(contains(out, ". computer (OTTO) wins"));
  CHECK(contains(out, "The game is over. The computer (OTTO) wins. You resigned."));
}
