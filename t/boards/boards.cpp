// SPDX-License-Identifier: MIT
// Tests boards in a directory: list, open by every name, play from two programs at the same time,
// delete and restore.
#include "boards/local_boards.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "store/board_files.hpp"
#include "save/save.hpp"
#include "support.hpp"
#include "create.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

void write_file(const fs::path& file, std::string_view bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string save_text_of(const std::string& plies, const std::string& game = "toot") {
  return "format: 1\ngame: " + game + "\nseats: [fred, wilma]\nplies:\n" + plies;
}

struct BoardsFolder {
  TemporaryDirectory dir;
  LocalBoards boards{dir / "saves", dir / "examples"};
  fs::path file(const std::string& name) const { return dir / "saves" / (name + ".yaml"); }
};

Words ids(LocalBoards& boards) {
  Words out;
  for (const BoardSummary& line : boards.list()) out.push_back(line.id);
  return out;
}

// True if a change is reported within a second.
bool has_change(LocalBoards& boards) {
  pollfd p{boards.change_descriptor(), POLLIN, 0};
  return ::poll(&p, 1, 1000) == 1 && boards.take_changes();
}

std::string why(const Result<Board>& r) { return r ? "opened " + r->id : r.refusal().reason; }
std::string why(const Result<Success>& r) { return r ? "done" : r.refusal().reason; }

std::string play(LocalBoards& boards, Board& board, const Words& typed) {
  std::vector<MoveRequest> turns;
  for (const std::string& t : typed) turns.push_back({std::nullopt, t});
  return why(boards.play(board, turns));
}

}  // namespace

TEST_CASE(
    "boards are listed in play first, the latest first, then finished, unreadable and examples",
    "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of("- {move: BT, at: 2026-01-01T00:00:00Z}\n"));
  write_file(p.file("toot-102"), save_text_of("- {move: BT, at: 2026-03-01T00:00:00Z}\n"));
  write_file(
      p.file("aaa"),
      save_text_of(
          "- {move: BT, at: 2026-02-01T00:00:00Z}\n- {move: resign, at: 2026-05-01T00:00:00Z}\n"));
  write_file(
      p.file("bbb"),
      save_text_of(
          "- {move: BT, at: 2026-02-01T00:00:00Z}\n- {move: resign, at: 2026-06-01T00:00:00Z}\n"));
  write_file(p.file("broken"), "format: 1\ngame: halma\n");
  write_file(p.dir / "examples" / "lesson.yaml",
             save_text_of("- {move: BT, at: 2026-07-01T00:00:00Z}\n"));
  write_file(p.dir / "saves" / ".hidden.yaml", save_text_of(""));
  write_file(p.dir / "saves" / "notes.txt", "not a save");
  write_file(p.dir / "saves" / ".yaml", save_text_of(""));
  CHECK(ids(p.boards) == Words{"toot-102", "toot-101", "bbb", "aaa", "broken", "example:lesson"});
  const auto list = p.boards.list();
  CHECK(list[0].title() == "Toot");
  CHECK(list[0].names == Words{"fred", "wilma"});
  CHECK(list[0].state() == "wilma's turn");
  CHECK(list[0].to_move == 1);
  CHECK(list[0].ply_count == 1);
  CHECK(list[0].load_error.empty());
  CHECK(list[2].state() == "fred won");
  CHECK(list[2].to_move == std::nullopt);
  CHECK_FALSE(list[4].load_error.empty());
  CHECK(list[4].state() ==
        "broken.yaml, line 2: there is no game 'halma': choose " + list_game_names() + ".");
  CHECK(list[5].is_example);
}

TEST_CASE("a directory that is not there holds no boards and is made by the first", "[boards]") {
  BoardsFolder p;
  CHECK(p.boards.list().empty());
  CHECK_FALSE(fs::exists(p.dir / "saves"));
  CHECK(create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"})->id == "toot-101");
  CHECK(fs::exists(p.file("toot-101")));
  CHECK(ids(p.boards) == Words{"toot-101"});
}

TEST_CASE("a list survives whatever lies in the directory", "[boards]") {
  BoardsFolder p;
  fs::create_directories(p.dir / "saves" / "directory.yaml");
  REQUIRE(::mkfifo(p.file("fifo").c_str(), 0600) == 0);
  fs::create_symlink("nowhere", p.file("dangling"));
  fs::create_symlink("loop.yaml", p.file("loop"));
  write_file(p.file("binary"), std::string("\x7f"
                                           "ELF\0\0\0",
                                           7));
  write_file(p.file("empty"), "");
  write_file(p.file("huge"), "format: 1\n");
  fs::resize_file(p.file("huge"), 100'000'000);
  write_file(p.file("e\x1b[2J"), "x");
  write_file(p.file("names"), "format: 1\ngame: toot\nseats: [\"\\e[2J\", \"\\n\\n1\"]\nplies:\n");
  const auto list = p.boards.list();
  CHECK(list.size() == 9);
  int broken = 0;
  for (const BoardSummary& line : list) {
    broken += !line.load_error.empty();
    CHECK(safe_text(line.state()) == line.state());
    for (const std::string& name : line.names) CHECK(safe_text(name) == name);
    if (!line.load_error.empty()) CHECK((line.state().back() == '.' && !line.state().empty()));
  }
  CHECK(broken == 8);
}

TEST_CASE("a board is opened by its name, its number, its file and its path", "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of("- BT\n"));
  write_file(p.dir / "elsewhere.yaml", save_text_of("- BT\n"));
  write_file(p.dir / "no-ending", save_text_of("- BT\n"));
  CHECK(why(p.boards.open("toot-101")) == "opened toot-101");
  CHECK(why(p.boards.open("101")) == "opened toot-101");
  CHECK(why(p.boards.open(p.file("toot-101").string())) == "opened toot-101");
  CHECK(why(p.boards.open((p.dir / "elsewhere.yaml").string())) ==
        "opened " + (p.dir / "elsewhere.yaml").string());
  CHECK(why(p.boards.open((p.dir / "no-ending").string())) ==
        "opened " + (p.dir / "no-ending").string());
  CHECK(why(p.boards.open("102")) == "There is no board '102' here and no such file.");
  CHECK(why(p.boards.open("toot")) == "There is no board 'toot' here and no such file.");
  CHECK(why(p.boards.open("")) == "There is no board '' here and no such file.");
  CHECK(why(p.boards.open("\x1b[2J")) == "There is no board '?[2J' here and no such file.");
  CHECK(why(p.boards.open("nothing.yaml")) == "There is no file nothing.yaml.");
  CHECK(why(p.boards.open("/nowhere/at/all")) == "There is no file /nowhere/at/all.");
  CHECK(why(p.boards.open(p.dir.path().string())) ==
        p.dir.path().string() + " is a directory, not a save.");
}

TEST_CASE("a number that several games have is not guessed", "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of(""));
  write_file(p.file("chaos-101"), save_text_of("", "chaos"));
  write_file(p.file("chaos-102"), save_text_of("", "chaos"));
  CHECK(why(p.boards.open("101")) ==
        "Several boards have the number 101. Type toot-101 or chaos-101.");
  CHECK(why(p.boards.open("102")) == "opened chaos-102");
}

TEST_CASE("new boards count on from the highest number there ever was", "[boards]") {
  BoardsFolder p;
  const GameType& toot = *find_game("toot");
  CHECK(create_board(p.boards, toot, {}, {"a", "b"})->id == "toot-101");
  CHECK(create_board(p.boards, toot, {}, {"a", "b"})->id == "toot-102");
  write_file(p.file("toot-205"), save_text_of(""));
  write_file(p.file("toot-0x7"), save_text_of(""));
  write_file(p.file("toot--9"), save_text_of(""));
  write_file(p.file("tootris-900"), save_text_of(""));
  write_file(p.file("toot-2147483647"), save_text_of(""));
  write_file(p.file("toot-99999999999999999999"), save_text_of(""));
  CHECK(create_board(p.boards, toot, {}, {"a", "b"})->id == "toot-206");
  CHECK(why(p.boards.remove("toot-206")) == "done");
  CHECK(create_board(p.boards, toot, {}, {"a", "b"})->id == "toot-207");
  CHECK(create_board(p.boards, *find_game("chaos"), {}, {"a", "b"})->id == "chaos-101");
}

TEST_CASE("a board that the game refuses is not made", "[boards]") {
  BoardsFolder p;
  CHECK(why(create_board(p.boards, *find_game("toot"), {}, {"a"})) ==
        "Toot is for 2 players, not for 1.");
  CHECK_FALSE(fs::exists(p.dir / "saves"));
}

TEST_CASE("moves are on disk when the board shows them, all of them or none", "[boards]") {
  BoardsFolder p;
  auto board = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  CHECK(play(p.boards, board, {"BT"}) == "done");
  CHECK(p.boards.open(board.id)->match.log() == board.match.log());
  CHECK(board.match.plies().size() == 1);
  CHECK(board.match.log().back().time != Time{});
  const std::string before = read_bytes(p.file("toot-101"));
  CHECK(play(p.boards, board, {"CO", "ZZ"}) ==
        "'ZZ': There is no column Z. The columns are A to F.");
  CHECK(play(p.boards, board, {"GO"}) == "There is no column G. The columns are A to F.");
  CHECK(read_bytes(p.file("toot-101")) == before);
  CHECK(board.match.plies().size() == 1);
  CHECK(play(p.boards, board, {"CO", "DO", "undo", "accept"}) == "done");
  CHECK(board.match.plies().size() == 2);
  CHECK(read_bytes(p.file("toot-101")).substr(0, before.size()) == before);
}

TEST_CASE("only the seat that is named may play", "[boards]") {
  BoardsFolder p;
  auto board = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  CHECK(why(p.boards.play(board, {{Seat{1}, "BT"}})) == "It is fred's turn (TOOT).");
  CHECK(why(p.boards.play(board, {{Seat{0}, "BT"}})) == "done");
  CHECK(why(p.boards.play(board, {{Seat{1}, "resign"}})) == "done");
  CHECK(board.match.status() == "fred (TOOT) wins. wilma resigned.");
}

TEST_CASE("at one keyboard taking back needs no leave", "[boards]") {
  BoardsFolder p;
  auto board = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  CHECK(why(p.boards.play(board, shared_keyboard_requests(board.match, "BT"))) == "done");
  CHECK(why(p.boards.play(board, shared_keyboard_requests(board.match, " Undo "))) == "done");
  CHECK(board.match.plies().empty());
  CHECK(why(p.boards.play(board, shared_keyboard_requests(board.match, "undo"))) ==
        "There is no move to take back.");
}

TEST_CASE("a board that somebody else played on becomes the newer one, and nothing is played",
          "[boards]") {
  BoardsFolder p;
  auto mine = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  auto theirs = *p.boards.open(mine.id);
  CHECK(play(p.boards, theirs, {"BT"}) == "done");
  CHECK(play(p.boards, mine, {"AT"}) ==
        "Not played. Look at the position again. BT: fred (TOOT) drops a T down column B. It is "
        "wilma's turn (OTTO).");
  CHECK(mine.match.log() == theirs.match.log());
  CHECK(play(p.boards, mine, {"AT"}) == "done");
  CHECK(p.boards.open(mine.id)->match.plies().size() == 2);
  write_file(p.file("toot-101"), save_text_of(""));
  CHECK(play(p.boards, mine, {"AT"}) ==
        "Not played. Look at the position again. Another program changed this game. It is "
        "fred's turn (TOOT).");
  write_file(p.file("toot-101"), "format: 1\ngame: [");
  const auto before = mine.match.log();
  CHECK(play(p.boards, mine, {"AT"}) ==
        "toot-101.yaml, line 2: this is not YAML (end of sequence flow not found).");
  CHECK(mine.match.log() == before);
  fs::remove(p.file("toot-101"));
  CHECK(play(p.boards, mine, {"AT"}) == "There is no board 'toot-101' here and no such file.");
}

TEST_CASE("playing repairs an unfinished line and says so once", "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of("- BT\n- {move: C"));
  auto board = *p.boards.open("101");
  CHECK(board.warning ==
        "toot-101.yaml ends in an unfinished line, which is ignored: '- {move: C'.");
  CHECK(read_bytes(p.file("toot-101")) == save_text_of("- BT\n- {move: C"));
  CHECK(play(p.boards, board, {"CO"}) == "done");
  CHECK(board.warning.empty());
  CHECK(p.boards.open("101")->warning.empty());
  CHECK(p.boards.open("101")->match.plies().size() == 2);
}

TEST_CASE("two programs play one board and no move is lost or played twice", "[boards]") {
  BoardsFolder p;
  (void)create_board(p.boards, *find_game("toot"),
                     make_setup("toot", {"-size=14x20", "-tootris"}).options, {"fred", "wilma"});
  constexpr int plies = 20;
  std::vector<pid_t> children;
  for (Seat seat : {0, 1}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::alarm(120);
      LocalBoards boards(p.dir / "saves", p.dir / "examples");
      auto board = boards.open("101");
      int done = 0;
      while (board && done < plies) {
        const std::string typed{static_cast<char>('A' + (done * 2 + seat) % 14), seat ? 'O' : 'T'};
        if (boards.play(*board, {{seat, typed}})) ++done;
        else ::usleep(500), board = boards.open("101");
      }
      ::_exit(done == plies ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const auto board = p.boards.open("101");
  REQUIRE(board.ok());
  CHECK(board->match.log().size() == 2 * plies);
  CHECK(board->warning.empty());
}

TEST_CASE("a sentence for a player says you, the computer, or a name", "[boards]") {
  const auto match = [](const std::string& game, const Seating& seats, const std::string& plies) {
    Match out = *Match::start(*find_game(game), {}, seats, Time{});
    for (const std::string& ply : split_words(plies))
      out.add(*out.validate(out.acting_seat(ply), ply, Time{}));
    return out;
  };
  const Seating alone{{"me", "computer"}, {0, 1}}, two{{"fred", "wilma"}, {0, 0}},
      watched{{"computer", "computer2"}, {1, 2}};
  CHECK(find_own_seat("", alone) == Seat{0});
  CHECK(find_own_seat("", {{"computer", "me"}, {1, 0}}) == Seat{1});
  CHECK(find_own_seat("WILMA", two) == Seat{1});
  CHECK_FALSE(find_own_seat("", two));
  CHECK_FALSE(find_own_seat("computer", watched));
  const Match toot = match("toot", alone, "BT CO"), people = match("toot", two, "BT");
  CHECK(seat_name(toot, 1, Seat{0}) == "the computer");
  CHECK(seat_name(match("toot", watched, ""), 1, {}) == "computer2");
  CHECK(toot.status_after(2, Seat{0}) == "It is your turn (TOOT).");
  CHECK(toot.status_after(1, Seat{0}) == "It is the computer's turn (OTTO).");
  CHECK(people.status_after(1, Seat{0}) == "It is wilma's turn (OTTO).");
  CHECK(people.status_after(1, {}) == people.status());
  CHECK(toot.holdings_after(2, Seat{0}) == "You have 5 T 6 O and the computer has 6 T 5 O.");
  // A sign stands for its player, but a name on the board is only that.
  const std::string blocked =
      "a3-c3 e4-c2-c4-e4 a2-c4-c2 d3-a3-c5 c2-a2-c4-c2 e3-c1-c4-a2 a1-c1-c4 c5-a3-a1-c1-c5 pass";
  CHECK(match("chaos", alone, blocked).status_after(9, Seat{0}) ==
        "The computer (x) wins. You had no valid move and passed.");
  CHECK(match("chaos", {{"computer", "me"}, {1, 0}}, blocked).status_after(9, Seat{1}) ==
        "You (x) win. The computer had no valid move and passed.");
  CHECK(contains(match("toot", alone, "BT CO DO FO ET").status_after(5, Seat{0}),
                 "You (TOOT) win. TOOT stands "));
  CHECK(match("toot", two, "BT resign").status_after(1, Seat{0}) ==
        "You (TOOT) win. wilma resigned.");
  // A name may begin with another one, or end with it.
  const Match alike = match("toot", {{"fred", "fred b"}, {0, 0}}, "BT resign");
  CHECK(alike.status_after(1, Seat{0}) == "You (TOOT) win. fred b resigned.");
  CHECK(match("toot", {{"alfred", "fred"}, {0, 0}}, "BT").holdings_after(1, Seat{1}) ==
        "alfred has 5 T 6 O and you have 6 T 6 O.");
}

TEST_CASE("the reason of an ending agrees with you and with a name, in every game", "[boards]") {
  std::mt19937 random(20261128);
  for (const Setup& setup : all_setups())
    for (int game = 0; game < 12; ++game) {
      std::vector<std::string> names;
      for (int s = 0; s < setup.seats; ++s) names.push_back("player" + std::to_string(s + 1));
      Match match = *Match::start(*setup.game, setup.options, names, Time{});
      for (int ply = 0; ply < 300 && !match.ending(); ++ply) {
        const auto legal = match.position().legal_plies();
        match.add(*match.validate(*match.to_move(), legal[random_below(random, legal.size())], {}));
      }
      for (Seat own = 0; match.ending() && own < match.seats(); ++own) {
        const std::string said = match.status(own);
        INFO(setup.name << ": " << said);
        for (const char* wrong : {"You has", "You was", "You is", " their ", " you "})
          CHECK_FALSE(contains(said, wrong));
        const std::string reason = said.substr(said.find(". ") + 2);
        if (reason.starts_with("You ")) CHECK_FALSE(contains(reason, " its "));
      }
    }
}

TEST_CASE("a player whose name is you is not taken for the reader", "[boards]") {
  TemporaryDirectory dir;
  LocalBoards boards(dir.path(), dir / "none");
  for (const std::string name : {"you", "You", "YOU"}) {
    const Seating seats{{name, "fred"}, {0, 0}};
    const auto saved = boards.save_new(*Match::start(*find_game("toot"), {}, seats, now()));
    REQUIRE(saved.ok());
    const auto loaded = boards.open(saved->id);  // a save loads for ever
    REQUIRE(loaded.ok());
    CHECK(loaded->match.names().front() == name);
    Match match = loaded->match;
    const auto said = [&](Seat own) { return match.status(own); };
    CHECK(said(0) == "It is your turn (TOOT).");
    CHECK_FALSE(contains(said(1), "your"));
    CHECK(contains(said(1), name));
    CHECK(match.holdings_after(0, Seat{1}).ends_with(" and you have 6 T 6 O."));
    CHECK_FALSE(match.holdings_after(0, Seat{1}).starts_with("You have"));
    match.add(*match.validate(0, "BT", now()));
    CHECK(contains(said(0), "fred's turn"));
    match.add(*match.validate(0, "resign", now()));
    CHECK(said(0) == "fred (OTTO) wins. You resigned.");
    CHECK(said(1).starts_with("You (OTTO) win. "));
    CHECK_FALSE(contains(said(1), "You resigned"));
    CHECK_FALSE(contains(said(1), " you resigned"));
    Match other = loaded->match;
    other.add(*other.validate(1, "resign", now()));
    CHECK_FALSE(contains(other.status_after(0, Seat{1}), "You (TOOT)"));
    CHECK(contains(other.status_after(0, Seat{1}), "You resigned."));
    CHECK(other.status(Seat{0}) == "You (TOOT) win. fred resigned.");
  }
}

TEST_CASE("an example is copied, never played on", "[boards]") {
  BoardsFolder p;
  const fs::path example = p.dir / "examples" / "lesson.yaml";
  write_file(example, save_text_of("- BT\n"));
  const std::string before = read_bytes(example);
  auto board = p.boards.open("example:lesson");
  REQUIRE(board.ok());
  CHECK(board->id == "example:lesson");
  CHECK(board->match.plies().size() == 1);
  CHECK(play(p.boards, *board, {"CO", "ZZ"}) ==
        "'ZZ': There is no column Z. The columns are A to F.");
  CHECK(board->id == "example:lesson");
  CHECK(ids(p.boards) == Words{"example:lesson"});
  CHECK(play(p.boards, *board, {"CO"}) == "done");
  CHECK(board->id == "toot-101");
  CHECK(read_bytes(example) == before);
  CHECK(p.boards.open("toot-101")->match.plies().size() == 2);
  CHECK(why(p.boards.open("example:none")) == "There is no example 'none'. Choose lesson.");
  CHECK(why(p.boards.remove("example:lesson")) == "Examples cannot be deleted.");
}

TEST_CASE("a deleted board can be brought back", "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of("- BT\n"));
  for (const std::string& id :
       {std::string("toot-101"), std::string("101"), p.file("toot-101").string()}) {
    INFO(id);
    CHECK(why(p.boards.remove(id)) == "done");
    CHECK(ids(p.boards).empty());
    CHECK(why(p.boards.open("toot-101")) == "There is no board 'toot-101' here and no such file.");
    CHECK(why(p.boards.restore(id)) == "done");
    CHECK(ids(p.boards) == Words{"toot-101"});
    CHECK(read_bytes(p.file("toot-101")) == save_text_of("- BT\n"));
  }
  CHECK(why(p.boards.restore("toot-101")) == "There is no deleted board toot-101.");
  CHECK(why(p.boards.remove("toot-999")) == "There is no board 'toot-999' here and no such file.");
}

TEST_CASE("only what was deleted from the directory is brought back to it", "[boards]") {
  BoardsFolder p;
  write_file(p.file("mine"), save_text_of(""));
  CHECK(why(p.boards.remove("mine")) == "done");
  write_file(p.dir / "x.yaml", save_text_of(""));
  write_file(p.dir / "saves" / "y.yaml", save_text_of(""));
  CHECK(why(p.boards.restore("../../x")) == "'../../x' is not the name of a board.");
  CHECK(why(p.boards.restore("../y")) == "'../y' is not the name of a board.");
  CHECK(why(p.boards.restore("")) == "'' is not the name of a board.");
  CHECK(why(p.boards.restore((p.dir / "mine.yaml").string())) ==
        (p.dir / "mine.yaml").string() + " was not among the boards in " +
            (p.dir / "saves").string() + ".");
  CHECK(fs::exists(p.dir / "x.yaml"));
  CHECK(ids(p.boards) == Words{"y"});
  CHECK(why(p.boards.restore("mine")) == "done");
  // This name can only be given as a path.
  fs::rename(p.file("mine"), p.file("mine.yaml"));
  CHECK(why(p.boards.remove(p.file("mine.yaml").string())) == "done");
  CHECK(why(p.boards.restore(p.file("mine.yaml").string())) == "done");
}

TEST_CASE("a board deleted again under the same name replaces none that was deleted before",
          "[boards]") {
  BoardsFolder p;
  for (const char* plies : {"", "- AT\n", "- BT\n"}) {
    write_file(p.file("mine"), save_text_of(plies));
    CHECK(why(p.boards.remove("mine")) == "done");
  }
  std::size_t kept = 0;
  for (const auto& file : fs::directory_iterator(p.dir / "saves" / ".deleted"))
    kept += file.is_regular_file();
  CHECK(kept == 3);
  write_file(p.file("mine"), save_text_of("- CT\n"));
  CHECK(why(p.boards.restore("mine")) == "There is already a board mine.");
  fs::remove(p.file("mine"));
  CHECK(why(p.boards.restore("mine")) == "done");
  CHECK(read_bytes(p.file("mine")) == save_text_of("- BT\n"));
}

TEST_CASE("a save that a power cut left with zeros is mended when it is next locked", "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of("- BT\n") + std::string(30, '\0'));
  auto board = p.boards.open("toot-101");
  REQUIRE(board.ok());
  CHECK(board->warning != "");
  CHECK(play(p.boards, *board, {"ZZ"}).find("There is no column Z") != std::string::npos);
  CHECK(read_bytes(p.file("toot-101")) == save_text_of("- BT\n"));
  CHECK(play(p.boards, *board, {"CO"}) == "done");
  CHECK(p.boards.open("toot-101")->warning == "");
}

TEST_CASE("of what was deleted the last is kept, and the highest number of each game", "[boards]") {
  BoardsFolder p;
  const fs::path deleted = p.dir / "saves" / ".deleted";
  fs::create_directories(deleted);
  const auto changed = [](const fs::path& file) {
    struct stat status {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    return std::pair(status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
  };
  for (const char* name : {"toot-300.yaml", "chaos-120.yaml", "a.yaml", "b.yaml", "chaos-101.yaml",
                           "c.yaml", "toot-102.yaml", "d.yaml"}) {
    write_file(deleted / name, "");
    // The clock of a file system may be coarse.
    do {
      fs::remove(p.dir / "next");
      write_file(p.dir / "next", "");
    } while (changed(p.dir / "next") == changed(deleted / name));
  }
  prune_deleted(deleted, 3);
  Words left;
  for (const auto& file : fs::directory_iterator(deleted))
    left.push_back(file.path().filename().string());
  std::sort(left.begin(), left.end());
  CHECK(left == Words{"c.yaml", "chaos-120.yaml", "d.yaml", "toot-102.yaml", "toot-300.yaml"});
  prune_deleted(p.dir / "nowhere", 3);
}

TEST_CASE("who is held to his directory has room there for so many boards", "[boards]") {
  const TemporaryDirectory dir;
  LocalBoards boards(dir / "saves", dir / "examples", LocalBoards::Scope::directory);
  const GameType& toot = *find_game("toot");
  for (std::size_t i = 0; i < LocalBoards::kMaxBoards; ++i)
    REQUIRE(create_board(boards, toot, {}, {"a", "b"}).ok());
  CHECK(why(create_board(boards, toot, {}, {"a", "b"})) ==
        "You have 100 boards, the most a player may have. Delete one first.");
  for (std::size_t i = 0; i < 30; ++i)
    REQUIRE(boards.remove("toot-" + std::to_string(101 + i)).ok());
  CHECK(create_board(boards, toot, {}, {"a", "b"}).ok());
  std::size_t kept = 0;
  for ([[maybe_unused]] const auto& file : fs::directory_iterator(dir / "saves" / ".deleted"))
    ++kept;
  CHECK(kept == LocalBoards::kMaxDeleted);
  CHECK(why(boards.restore("toot-101")) == "There is no deleted board toot-101.");
  CHECK(why(boards.restore("toot-130")) == "done");
}

TEST_CASE("only boards of the directory are deleted, broken ones too", "[boards]") {
  BoardsFolder p;
  write_file(p.dir / "elsewhere.yaml", save_text_of(""));
  write_file(p.file("broken"), "x");
  CHECK(why(p.boards.remove((p.dir / "elsewhere.yaml").string())) ==
        (p.dir / "elsewhere.yaml").string() + " is not among the boards in " +
            (p.dir / "saves").string() + " and cannot be deleted here.");
  CHECK(fs::exists(p.dir / "elsewhere.yaml"));
  CHECK(why(p.boards.remove("broken")) == "done");
  CHECK(why(p.boards.remove(p.file("none").string())) ==
        "There is no file " + p.file("none").string() + ".");
}

TEST_CASE("a save as large as a save may be can be ended, and not played on", "[boards]") {
  BoardsFolder p;
  const std::string text = save_text_of("- BT\n");
  const auto grown_to = [&](std::size_t bytes) {
    write_file(p.file("large"), text + "#" + std::string(bytes - text.size() - 2, 'x') + "\n");
    auto board = p.boards.open("large");
    REQUIRE(board.ok());
    return *board;
  };
  constexpr const char* full =
      "large.yaml has reached the size limit of a save. Resign or agree on a draw.";
  constexpr std::size_t most = kMaxSave - kEndReserve;
  Board board = grown_to(most);
  CHECK(play(p.boards, board, {"CO"}) == full);
  CHECK(board.match.plies().size() == 1);
  CHECK(why(p.boards.play(board, {{std::nullopt, "resign", 1}})) == full);  // a note
  CHECK(play(p.boards, board, {"propose", "accept"}) == "done");
  CHECK(board.match.ending());
  board = grown_to(most);
  CHECK(play(p.boards, board, {"resign"}) == "done");
  CHECK(fs::file_size(p.file("large")) <= kMaxSave);
  board = grown_to(most - 100);
  CHECK(play(p.boards, board, {"CO"}) == "done");
  board = grown_to(kMaxSave);
  CHECK(play(p.boards, board, {"resign"}) == full);
}

TEST_CASE("a match is kept as a new board with all that was done on it", "[boards]") {
  BoardsFolder p;
  auto board = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  CHECK(play(p.boards, board, {"BT", "CO", "undo", "accept"}) == "done");
  CHECK(why(p.boards.play(board, {{std::nullopt, "a slip", 1}})) == "done");
  const auto copy = p.boards.save_new(board.match);
  REQUIRE(copy.ok());
  CHECK(copy->id == "toot-102");
  CHECK(read_bytes(p.file("toot-102")) == read_bytes(p.file("toot-101")));
  auto shorter = *p.boards.save_new(board.match.prefix_copy(0));
  CHECK(p.boards.open("toot-103")->match.plies().empty());
  CHECK(play(p.boards, shorter, {"AT"}) == "done");
}

TEST_CASE("a note by another program does not stand in the way of a move, a move does",
          "[boards]") {
  BoardsFolder p;
  auto mine = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  auto theirs = *p.boards.open(mine.id);
  CHECK(why(p.boards.play(theirs, {{std::nullopt, "well", 0}})) == "done");
  CHECK(play(p.boards, mine, {"BT"}) == "done");
  CHECK(mine.match.note(0) == "well");
  CHECK(why(p.boards.play(theirs, {{std::nullopt, "too late", 0}})).find("Not played. ") == 0);
  CHECK(why(p.boards.play(theirs, {{std::nullopt, "x", 7}})) == "There is no move 7 for a note.");
}

TEST_CASE("a board gets another name, if that can be one and is free", "[boards]") {
  BoardsFolder p;
  auto board = *create_board(p.boards, *find_game("toot"), {}, {"fred", "wilma"});
  const auto renamed = [&](const std::string& id, const std::string& name) {
    const auto r = p.boards.rename(id, name);
    return r ? "now " + *r : r.refusal().reason;
  };
  CHECK(renamed("toot-101", "final") == "now final");
  CHECK(ids(p.boards) == Words{"final"});
  CHECK(renamed("toot-101", "other") == "There is no board 'toot-101' here and no such file.");
  (void)create_board(p.boards, *find_game("toot"), {}, {"a", "b"});
  CHECK(renamed("final", "toot-101") == "There is already a board toot-101.");
  for (const char* name : {"", ".hidden", "../x", "a/b", "a b", "-x", "x\x1b[2J", "w\xc3\xads"})
    CHECK(renamed("final", name) ==
          "A board's name has letters, digits and . _ - and starts with a letter or digit.");
  for (const char* name : {"101", "x.yaml"})
    CHECK(renamed("final", name) == "A board's name cannot be a number alone or end in .yaml.");
  CHECK(renamed("final", std::string(41, 'x')) == "A board's name has at most 40 characters.");
  write_file(p.dir / "examples" / "lesson.yaml", save_text_of(""));
  CHECK(renamed("example:lesson", "mine") == "Examples cannot be renamed.");
  write_file(p.dir / "elsewhere.yaml", save_text_of(""));
  CHECK(renamed((p.dir / "elsewhere.yaml").string(), "mine").find("cannot be renamed here") !=
        std::string::npos);
  CHECK(play(p.boards, board, {"BT"})
            .find("Not played. Look at the position again. Another program changed this game.") ==
        0);  // another board has that name now
}

TEST_CASE("what others do to an open save is told, wherever it lies and whenever it was opened",
          "[boards]") {
  BoardsFolder p;
  write_file(p.dir / "elsewhere" / "a.yaml", save_text_of(""));
  write_file(p.dir / "there" / "b.yaml", save_text_of(""));
  REQUIRE(p.boards.open((p.dir / "elsewhere" / "a.yaml").string()).ok());
  p.boards.change_descriptor();
  REQUIRE(p.boards.open((p.dir / "there" / "b.yaml").string()).ok());
  p.boards.take_changes();
  LocalBoards others(p.dir / "other", {});
  for (const char* file : {"elsewhere/a.yaml", "there/b.yaml"}) {
    INFO(file);
    auto theirs = *others.open((p.dir / file).string());
    CHECK(play(others, theirs, {"BT"}) == "done");
    CHECK(has_change(p.boards));
  }
}

TEST_CASE("a directory that is made later is watched from then on", "[boards]") {
  const TemporaryDirectory dir;
  const fs::path deep = dir / "not" / "there" / "yet";
  LocalBoards mine(deep, {}), theirs(deep, {});
  CHECK(mine.list().empty());
  mine.change_descriptor();
  REQUIRE(create_board(theirs, *find_game("toot"), {}, {"a", "b"}).ok());
  for (int i = 0; i < 10 && ids(mine).empty(); ++i) CHECK(has_change(mine));
  while (mine.take_changes()) {
  }
  CHECK(ids(mine) == Words{"toot-101"});
  REQUIRE(create_board(theirs, *find_game("toot"), {}, {"a", "b"}).ok());
  CHECK(has_change(mine));
}

TEST_CASE("a directory that is removed or replaced is watched again when it is there again",
          "[boards]") {
  const TemporaryDirectory dir;
  const fs::path saves = dir / "saves";
  LocalBoards mine(saves, {}), theirs(saves, {});
  const auto quiet = [&] {
    while (mine.take_changes()) mine.change_descriptor();
  };
  REQUIRE(create_board(theirs, *find_game("toot"), {}, {"a", "b"}).ok());
  mine.change_descriptor();
  const bool moved = GENERATE(false, true);
  if (moved) fs::rename(saves, dir / "aside");
  else fs::remove_all(saves);
  CHECK(has_change(mine));
  quiet();
  fs::create_directory(saves);
  CHECK(has_change(mine));
  quiet();
  REQUIRE(create_board(theirs, *find_game("toot"), {}, {"a", "b"}).ok());
  CHECK(has_change(mine));
}

TEST_CASE("a slash behind the directory changes nothing", "[boards]") {
  const TemporaryDirectory dir;
  for (const std::string end : {"/", "//"}) {
    LocalBoards boards((dir / "saves").string() + end, {});
    const auto made = create_board(boards, *find_game("toot"), {}, {"a", "b"});
    REQUIRE(made.ok());
    CHECK(why(boards.open(made->id)) == "opened " + made->id);
    CHECK(why(boards.open((dir / "saves" / (made->id + ".yaml")).string())) ==
          "opened " + made->id);
    CHECK(boards.location() == (dir / "saves").string());
  }
}

TEST_CASE("a number above the last is no board's, and behind the last one there is none",
          "[boards]") {
  BoardsFolder p;
  const GameType& toot = *find_game("toot");
  write_file(p.file("toot-1000000"), save_text_of(""));
  CHECK(why(create_board(p.boards, toot, {}, {"a", "b"})) == "opened toot-101");
  write_file(p.file("toot-999999"), save_text_of(""));
  CHECK(why(create_board(p.boards, toot, {}, {"a", "b"})) ==
        "No number is left for a new game of Toot. The last was toot-999999.");
  CHECK(why(create_board(p.boards, *find_game("chaos"), {}, {"a", "b"})) == "opened chaos-101");
  write_file(p.dir / "examples" / "lesson.yaml", save_text_of(""));
  auto example = *p.boards.open("example:lesson");
  CHECK(play(p.boards, example, {"BT"}) ==
        "No number is left for a new game of Toot. The last was toot-999999.");
  CHECK(example.id == "example:lesson");
}

TEST_CASE("every board that is listed can be opened by its id, and has it then", "[boards]") {
  BoardsFolder p;
  for (const char* name : {"b.yaml", "example:c", "own:d", "x.y", "101", " "})
    write_file(p.file(name), save_text_of(""));
  write_file(p.dir / "examples" / "e.yaml.yaml", save_text_of(""));
  const auto reach = GENERATE(LocalBoards::Scope::any_file, LocalBoards::Scope::directory);
  LocalBoards boards(p.dir / "saves", p.dir / "examples", reach);
  CHECK(boards.list().size() == (reach == LocalBoards::Scope::any_file ? 7 : 4));
  for (const std::string& id : ids(boards)) CHECK(why(boards.open(id)) == "opened " + id);
}

TEST_CASE("a directory of deleted boards that cannot be used is told, and nothing is deleted",
          "[boards]") {
  BoardsFolder p;
  write_file(p.file("toot-101"), save_text_of(""));
  fs::create_symlink(".deleted", p.dir / "saves" / ".deleted");
  CHECK_THROWS_AS(p.boards.remove("toot-101"), Error);
  CHECK(fs::exists(p.file("toot-101")));
}

TEST_CASE(
    "a board waits for whoever is to move, but not an example, nor one's own beside a server's",
    "[boards]") {
  BoardSummary line;
  line.names = {"fred", "wilma"};
  line.to_move = 1;
  CHECK(is_waiting_for(line, ""));
  CHECK(is_waiting_for(line, "Wilma"));
  CHECK_FALSE(is_waiting_for(line, "fred"));
  line.user = "fred";
  CHECK_FALSE(is_waiting_for(line, "wilma"));
  line.user = "wilma";
  CHECK(is_waiting_for(line, "fred"));
  line.is_local_extra = true;
  CHECK_FALSE(is_waiting_for(line, ""));
  line.is_local_extra = false;
  line.is_example = true;
  CHECK_FALSE(is_waiting_for(line, ""));
  line.is_example = false;
  line.to_move.reset();
  CHECK_FALSE(is_waiting_for(line, ""));
}

TEST_CASE("who plays otherwise now is told, and who is only called otherwise", "[boards]") {
  const auto with = [](const std::string& name) {
    const GameType& toot = *find_game("toot");
    return *Match::start(toot, *read_options(toot, {}), {name, "wilma"}, Time{});
  };
  CHECK(describe_seat_changes(with("fred"), with("freddy")) == "fred is freddy now.");
  Match computer = with("fred");
  computer.set_computer_level(0, 3);
  CHECK(describe_seat_changes(with("fred"), computer) == "The computer plays TOOT at level 3.");
}
