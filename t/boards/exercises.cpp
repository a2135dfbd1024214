// SPDX-License-Identifier: MIT
// Tests lessons and puzzles: those that come with the program, and how a player solves them.
#include <fstream>

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "base/files.hpp"
#include "exhaustive_solver.hpp"
#include "protocol/new_board.hpp"
#include "run.hpp"
#include "save/save.hpp"
#include "test_app.hpp"
#include "ui/board_session.hpp"
#include "ui/line_mode.hpp"
#include "ui/lobby_session.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

namespace fs = std::filesystem;

struct Classroom {
  explicit Classroom(fs::path files = source_root() / "saves") : exercises(files, progress_file) {}
  TemporaryDirectory dir;
  fs::path progress_file = dir / "data/exercises";
  LocalBoards own{dir / "saves", dir / "examples"};
  Exercises exercises;
  Boards boards{own, nullptr, &exercises};

  Result<Success> play(Board& board, const std::string& ply) {
    return boards.play(board, {MoveRequest{std::nullopt, ply}});
  }
  // Does what Enter does after an exercise is done.
  void continue_from(Board& board) {
    BoardSession session(boards, board);
    const auto on = session.continue_exercise();
    REQUIRE(on.ok());
    board = on->board_to_open.empty() ? session.board() : *boards.open(on->board_to_open);
  }
};

// A directory with a lesson and two puzzles of Toot.
struct SmallExercises {
  TemporaryDirectory dir;
  SmallExercises() {
    fs::create_directories(dir / "lessons");
    fs::create_directories(dir / "puzzles");
    const std::string head = "format: 1\ngame: toot\noptions: []\nseats: [you, teacher]\n",
                      before =
                          "plies:\n- {move: BT}\n- {move: AT}\n- {move: CO}\n- {move: AT}\n"
                          "- {move: DO}\n- {move: AT}\n";
    const std::string puzzle = "puzzle: {kind: win, plies: 1, grade: 1, line: [ET]}\n";
    CHECK(create_file(
        dir / "lessons/toot.yaml",
        head + "lesson: {say: Play a T., find: [CT, BT], right: Good., wrong: A T!}\n" +
            "plies: []\n---\n" + head +
            "lesson: {say: Anything., find: any, right: Well.}\nplies: []\n---\n" + head +
            "lesson: {say: Win., find: [ET], right: Won., wrong: Not yet.}\n" + before));
    CHECK(create_file(dir / "puzzles/toot.yaml",
                      head + puzzle + before + "---\n" + head + puzzle + before));
  }
};

// Returns the words beside the board in a row each, then those below, with single blanks.
std::string screen_text(App& app) {
  std::string out, below;
  const std::string text = canvas_text(app.draw(kScreenSize));
  for (const std::string_view line : split_lines(text)) {
    const std::size_t wall = line.find("│", 1);
    (wall == std::string_view::npos ? below : out) +=
        std::string(wall == std::string_view::npos ? line : line.substr(wall)) + "\n";
  }
  std::string one;
  for (const std::string& word : split_words(out))
    if (word != "│") one += word + " ";
  return text + out + below + one;
}

std::string task_of(const Board& board) { return board.exercise ? board.exercise->task() : ""; }

}  // namespace

TEST_CASE("every lesson can be gone through, and leads to a game with the computer",
          "[exercises]") {
  for (const auto& file : fs::directory_iterator(source_root() / "saves/lessons")) {
    const GameType& game = *find_game(file.path().stem().string());
    const std::string text = *read_file(file.path(), 1U << 20);
    const auto documents = split_documents(text);
    CHECK(documents.size() >= 5);
    Classroom room;
    Board board = *room.boards.open("lesson:" + std::string(game.name));
    for (std::size_t i = 0; i < documents.size(); ++i) {
      INFO(game.name << ", step " << i + 1);
      const Exercise step = *read_exercise(documents[i], "lesson");
      CHECK(board.match.position() == step.start.position());
      CHECK(contains(task_of(board), step.prompt));
      CHECK(step.prompt.size() <= 230);
      CHECK(step.right_reply.size() <= 170);
      for (const std::string& ply : board.match.position().legal_plies()) {
        const bool right =
            step.solutions.empty() ||
            std::find(step.solutions.begin(), step.solutions.end(), ply) != step.solutions.end();
        if (right) continue;
        CHECK(room.play(board, ply).refusal().reason == step.wrong_reply);
      }
      REQUIRE(room.play(board, step.solutions.empty() ? board.match.position().legal_plies().front()
                                                      : step.solutions.front()));
      CHECK(board.exercise->is_done());
      CHECK(contains(task_of(board), step.right_reply));
      room.continue_from(board);
    }
    // An easy puzzle follows the lesson, and a game follows the puzzle.
    REQUIRE(contains(task_of(board), "Grade 1 of 5"));
    while (!board.exercise->is_done()) REQUIRE(room.play(board, board.exercise->hint()));
    CHECK(contains(task_of(board), "Enter for a game with the computer."));
    room.continue_from(board);
    CHECK_FALSE(board.exercise);
    CHECK(board.match.game().name == game.name);
    CHECK(board.match.computer_level(1) == 1);
    CHECK(contains(*read_file(room.progress_file, 1000), "lesson:" + std::string(game.name)));
  }
}

TEST_CASE("in a lesson a wrong move changes nothing, and no word but a move counts",
          "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  Board board = *room.boards.open("lesson:toot");
  CHECK(task_of(board) == "1/3: Play a T.");
  CHECK(room.play(board, "BO").refusal().reason == "A T!");
  CHECK(room.play(board, "ZO").refusal().reason != "A T!");
  CHECK(room.play(board, "resign").refusal().reason ==
        "Find the move. resign does not work here. For the words that do, type help.");
  CHECK(room.boards.play(board, {MoveRequest{std::nullopt, "a note", 0}}).refusal().reason ==
        "Lessons and puzzles keep no notes. Type copy for a game of your own.");
  CHECK_FALSE(BoardSession(room.boards, board).enter("level 3", 0));
  CHECK(board.match.plies().empty());
  REQUIRE(room.play(board, "b t"));
  CHECK(task_of(board) == "Good. Press Enter to go on.");
  // The player may play on, and take that back.
  REQUIRE(room.play(board, "AT"));
  CHECK(board.match.plies().size() == 2);
  room.continue_from(board);
  CHECK(task_of(board) == "2/3: Anything.");
  // Opened again, or with another spelling, it is the same session.
  CHECK(task_of(*room.boards.open("lesson:TOOT")) == "2/3: Anything.");
}

TEST_CASE("a puzzle has three tries, and its answer is shown", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  Board board = *room.boards.open("puzzle:toot-1");
  CHECK(contains(task_of(board),
                 "You are TOOT. Find the move that wins at once. Grade 1 of 5, 3 tries."));
  // A slower win costs no try.
  const auto play = [&](const std::string& ply) { return room.play(board, ply).refusal().reason; };
  std::vector<std::string> wrong = board.match.position().legal_plies();
  std::erase(wrong, "ET");
  std::erase_if(wrong, [&](const std::string& ply) {
    return find_game("toot")
               ->think(
                   [&] {
                     Position then = board.match.position();
                     then.play(ply);
                     return then;
                   }(),
                   {.limits = {.nodes = 30'000}})
               .lines.front()
               .verdict.kind() == Verdict::Kind::loss;
  });
  REQUIRE(wrong.size() > 2);
  CHECK(contains(play("BO"), "BO also wins, but takes longer."));
  CHECK(contains(task_of(board), "3 tries."));
  const std::string first = play(wrong[0]);
  CHECK(contains(first, "Your opponent plays "));
  CHECK(contains(first, ". Press F8 or type better to see it. 2 tries left."));
  CHECK(contains(task_of(board), "2 tries."));
  CHECK(contains(play(wrong[1]), "1 try left."));
  REQUIRE(room.play(board, wrong[2]));
  CHECK(contains(task_of(board), "It was ET."));
  CHECK(board.match.ending());
  const std::string morning = "day:toot=" + std::to_string(today()) + "\nmorning:toot=700\n";
  CHECK(*read_file(room.progress_file, 1000) == morning + "skill:toot=678\n");
  room.continue_from(board);
  CHECK(board.id == "puzzle:toot-2");
  REQUIRE(room.play(board, "ET"));
  CHECK(
      task_of(board) ==
      "Right, ET. Your puzzle rating in Toot: 718 (+40), grade 1 of 5. Press Enter for a game with "
      "the computer.");
  CHECK(*read_file(room.progress_file, 1000) ==
        "puzzle:toot-2\n" + morning + "skill:toot=718\nsolved=" + std::to_string(today()) +
            "\nstreak=1\n");
  room.continue_from(board);
  CHECK(board.match.computer_level(1) == 1);
  board = *room.boards.open("puzzle:toot-1");
  CHECK(contains(task_of(board), "3 tries."));
  // The next run of the program knows it.
  const Exercises later(files.dir.path(), room.progress_file);
  CHECK(contains(later.puzzle_descriptions(find_game("toot"))[1], ", solved"));
}

TEST_CASE("a puzzle that is won is played to its end, against what answers", "[exercises]") {
  Classroom room;
  Board board = *room.boards.open("puzzle:toot-1");
  const std::string text = *read_file(source_root() / "saves/puzzles/toot.yaml", 1U << 20);
  const Exercise puzzle = *read_exercise(split_documents(text).front(), "puzzle");
  REQUIRE(puzzle.solution_line.size() == 3);
  REQUIRE(room.play(board, puzzle.solution_line[0]));
  CHECK_FALSE(board.exercise->is_done());
  CHECK(board.match.plies().size() == puzzle.start.plies().size() + 2);
  CHECK(task_of(board) == "Right, " + puzzle.solution_line[0] + ". Your opponent plays " +
                              puzzle.solution_line[1] + ". Go on. You have 3 tries.");
  CHECK(*read_file(room.progress_file, 1000) == "puzzle:toot=1\n");
  REQUIRE(room.play(board, puzzle.solution_line[2]));
  CHECK(board.exercise->is_done());
  CHECK(board.match.ending());
  CHECK(contains(task_of(board),
                 "Right, " + puzzle.solution_line[2] + ". Your puzzle rating in Toot: "));
  // A later ply that does not win is refused, too, and counts as a try.
  bool refused = false;
  const auto all = split_documents(text);
  for (std::size_t n = 2; n < 12 && !refused; ++n) {
    const Exercise other = *read_exercise(all[n - 1], "puzzle");
    if (other.solution_line.size() < 3) continue;
    board = *room.boards.open("puzzle:toot-" + std::to_string(n));
    REQUIRE(room.play(board, other.solution_line[0]));
    for (const std::string& ply : board.match.position().legal_plies()) {
      if (ply == other.solution_line[2] || refused) continue;
      const auto played = room.play(board, ply);
      if (played) break;
      if (contains(played.refusal().reason, "also wins")) continue;
      refused = true;
      CHECK(contains(played.refusal().reason, "2 tries left."));
      CHECK(contains(task_of(board), "Go on. You have 2 tries."));
    }
  }
  CHECK(refused);
}

TEST_CASE("a win that takes longer than the puzzle says is refused, but costs no try",
          "[exercises]") {
  int slow = 0;
  for (const char* const game : {"toot", "chaos", "flooprail", "soccolot"}) {
    const std::string text =
        *read_file(source_root() / "saves/puzzles" / (std::string(game) + ".yaml"), 1U << 20);
    const auto all = split_documents(text);
    for (std::size_t n = 1; n <= all.size() && n <= 12; ++n) {
      const Exercise puzzle = *read_exercise(all[n - 1], "puzzle");
      if (puzzle.is_defence || puzzle.ply_count < 3 || puzzle.start.seats() > 2) continue;
      INFO(game << " " << n);
      Classroom room;
      Board board = *room.boards.open("puzzle:" + std::string(game) + "-" + std::to_string(n));
      REQUIRE(room.play(board, puzzle.solution_line[0]));
      ExhaustiveSolver solver(200'000);
      const int left = puzzle.ply_count - 2;
      const Position now = board.match.position();
      for (const std::string& ply : now.legal_plies()) {
        if (ply == puzzle.solution_line[2]) continue;
        const auto value = solver.value_of_ply(now, ply, left);
        if (solver.has_given_up()) continue;
        INFO(ply << " is worth " << value.value_or(0));
        const std::string before = task_of(board);
        const auto played = room.play(board, ply);
        CHECK(played.ok() == (value.value_or(0) > 0));
        if (played) break;
        const bool wins = contains(played.refusal().reason, ply + " also wins, but takes longer");
        slow += wins;
        if (wins) CHECK(task_of(board) == before);
        else if (contains(played.refusal().reason, "1 try")) break;
      }
    }
  }
  CHECK(slow > 0);
}

TEST_CASE("who solves puzzles gets harder ones, and who does not easier ones", "[exercises]") {
  Classroom room;
  const GameType& toot = *find_game("toot");
  CHECK(room.exercises.skill(toot) == 700);
  int before = 700;
  for (int i = 0; i < 12; ++i) {
    const int now = room.exercises.rate(toot, 3, 100);
    CHECK(now > before);
    before = now;
  }
  CHECK(before > 1100);
  const std::string hard = room.exercises.next_id({true, &toot, 1});
  CHECK(room.exercises.rate(toot, 1, 0) < before);
  for (int i = 0; i < 40; ++i) room.exercises.rate(toot, 1, 0);
  const std::string easy = room.exercises.next_id({true, &toot, 1});
  const auto grade = [&](const std::string& id) {
    const std::string text = *read_file(source_root() / "saves/puzzles/toot.yaml", 1U << 20);
    const auto n = *read_whole_number<std::size_t>(id.substr(id.find('-') + 1));
    return read_exercise(split_documents(text)[n - 1], "puzzle")->grade;
  };
  CHECK(grade(hard) >= 3);
  CHECK(grade(easy) == 1);
  // The skill is saved.
  CHECK(Exercises(source_root() / "saves", room.progress_file).skill(toot) ==
        room.exercises.skill(toot));
  // A hint or another try lowers the score.
  const int half = room.exercises.rate(toot, 5, 50);
  CHECK(room.exercises.rate(toot, 5, 100) - half > 0);
}

TEST_CASE("a puzzle whose end cannot be saved is still open", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  Board board = *room.boards.open("puzzle:toot-1");
  CHECK_FALSE(room.play(board, "AO"));
  const std::string kept = *read_file(room.progress_file, 1000);
  fs::remove(room.progress_file);
  fs::create_directory(room.progress_file);
  CHECK_THROWS_AS(room.play(board, "ET"), Error);
  CHECK_FALSE(board.exercise->is_done());
  CHECK(board.exercise->match().plies().size() == board.match.plies().size());
  CHECK(board.exercise->hint() == "ET");
  fs::remove(room.progress_file);
  REQUIRE(create_file(room.progress_file, kept));
  const std::vector<std::string> plies = board.match.position().legal_plies();
  for (const std::string& ply : plies)
    if (ply != "ET" && !contains(task_of(board), "1 try.")) CHECK_FALSE(room.play(board, ply));
  // A wrong try that would be the last one does not count, either.
  fs::remove(room.progress_file);
  fs::create_directory(room.progress_file);
  int failed = 0;
  for (const std::string& ply : plies) {
    INFO(ply);
    try {
      const bool is_played = ply != "ET" && room.play(board, ply).ok();
      CHECK_FALSE(is_played);
    } catch (const Error&) {
      ++failed;
    }
    CHECK(contains(task_of(board), "1 try."));
  }
  CHECK(failed > 1);
  fs::remove(room.progress_file);
  REQUIRE(create_file(room.progress_file, kept));
  REQUIRE(room.play(board, "ET"));
  CHECK(contains(task_of(board), "Right, ET."));
  // The file of the puzzles may go meanwhile.
  fs::remove(files.dir / "puzzles/toot.yaml");
  CHECK(board.exercise->next_id().empty());
}

TEST_CASE("a puzzle with an illegal move or a wrong number is refused", "[exercises]") {
  const auto refusal = [](const std::string& puzzle) {
    return read_exercise("format: 1\ngame: toot\noptions: []\nseats: [you, teacher]\npuzzle: {" +
                             puzzle + "}\nplies: []\n",
                         "a.yaml")
        .refusal()
        .reason;
  };
  CHECK(contains(refusal("kind: win, plies: 3, grade: 1, line: [BT, ZZ, FO]"), "'ZZ'"));
  CHECK(contains(refusal("kind: win, plies: 0, grade: 1, line: [BT]"), "'plies'"));
  CHECK(contains(refusal("kind: win, plies: 100, grade: 1, line: [BT]"), "'plies'"));
}

TEST_CASE("one's own mistakes become puzzles when a game was analysed", "[exercises]") {
  Classroom room;
  CHECK(contains(room.boards.open("puzzle:mine").refusal().reason, "type analyse"));
  // fred misses a win in one, and wilma does not prevent it.
  auto match = *Match::start(*find_game("toot"), {},
                             *complete_seating(*find_game("toot"), {"fred", "wilma"}), Time{});
  for (const char* ply : {"BT", "AT", "CO", "AT", "DO", "AT", "AO"})
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  Analysis analysis(match, SearchLimits{20'000});
  while (const auto n = analysis.next_index()) {
    SearchRequest question = analysis.question();
    analysis.add_result(match.game().think(analysis.position(*n), question));
  }
  const auto mine = [](Seat seat) { return seat == 0; };
  CHECK(room.exercises.add_mistakes(analysis, [](Seat) { return false; }) == 0);
  const std::size_t kept = room.exercises.add_mistakes(analysis, mine);
  CHECK(kept >= 1);
  CHECK(room.exercises.add_mistakes(analysis, mine) == 0);
  Board board = *room.boards.open("puzzle:mine-" + std::to_string(kept));
  CHECK(task_of(board) ==
        "In one of your games you played AO here as TOOT. What was better? 3 tries.");
  CHECK(contains(room.play(board, "AO").refusal().reason, "2 tries left."));
  // The list names the game of the puzzle.
  CHECK(std::ranges::any_of(room.boards.list(), [&](const BoardSummary& row) {
    return row.id == board.id && row.describe(now()) == board.id + ": Toot, an unfinished puzzle.";
  }));
  REQUIRE(room.play(board, "ET"));
  CHECK(contains(task_of(board), "Right, ET."));
  CHECK(contains(*read_file(room.progress_file, 1000), "puzzle:mine-" + std::to_string(kept)));
  // A file that cannot be read is left alone.
  const fs::path own = room.progress_file.string() + "-mine.yaml";
  const std::string large(kMaxSave + 1, 'x');
  fs::remove(own);
  REQUIRE(create_file(own, large));
  CHECK(room.exercises.add_mistakes(analysis, mine) == 0);
  CHECK(read_bytes(own) == large);
  // "mine" means the puzzles from the user's own games.
  CHECK(*puzzle_id({"mine"}) == "puzzle:mine");
}

TEST_CASE("in a puzzle out of a game against the computer the computer does not play",
          "[exercises][computer]") {
  Classroom room;
  auto match = *Match::start(*find_game("toot"), {}, Seating{{"fred", "computer"}, {0, 3}}, Time{});
  for (const char* ply : {"BT", "AT", "CO", "AT", "DO", "AT", "AO"})
    match.add(*match.validate(*match.to_move(), ply, Time{}));
  Analysis analysis(match, SearchLimits{20'000});
  while (const auto n = analysis.next_index())
    analysis.add_result(match.game().think(analysis.position(*n), analysis.question()));
  REQUIRE(room.exercises.add_mistakes(analysis, [](Seat seat) { return seat == 0; }) >= 1);
  const Board board = *room.boards.open("puzzle:mine");
  CHECK_FALSE(board.match.has_computer());
  ComputerSeats computer(room.own, {"", {room.dir / "tables"}});
  Boards all(room.own, nullptr, &room.exercises, &computer);
  const std::string found = board.exercise->hint();
  std::istringstream in("puzzle mine\n" + found + "\nboards\nquit\n");
  std::ostringstream out;
  run_line_mode(all, View{}, Settings({}), read_help_topic, in, out, true);
  CHECK(contains(out.str(), "Right, " + found));
  CHECK_FALSE(contains(out.str(), "The computer"));
}

TEST_CASE("the mistakes of an example are nobody's who looks at it", "[exercises]") {
  const TemporaryDirectory home;
  LocalBoards own(home / "saves", source_root() / "saves");
  Boards boards(own);
  CHECK_FALSE(BoardSession(boards, *boards.open("example:soccolot")).is_own_seat(0));
}

TEST_CASE("the mistakes of two others at this keyboard are not one's own", "[exercises]") {
  const TemporaryDirectory home;
  LocalBoards own(home / "saves", home / "examples");
  Boards boards(own);
  const auto mine = [&](const std::vector<std::string>& names, const std::string& me) {
    std::string out;
    const Board board = *create_board(own, *find_game("toot"), {}, names);
    boards.set_player_name(me);
    for (Seat s = 0; s < 2; ++s) out += BoardSession(boards, board).is_own_seat(s) ? "yes " : "no ";
    return out;
  };
  CHECK(mine({"fred", "wilma"}, "") == "no no ");
  CHECK(mine({"fred", "wilma"}, "Wilma") == "no yes ");
  CHECK(mine({"fred", "computer:1"}, "") == "yes no ");
  CHECK(mine({"player1", "player2"}, "") == "yes yes ");
}

TEST_CASE("what was said of a solved puzzle gives way to what is looked at, and comes back",
          "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app(room.boards, settings, read_help_topic, {source_root() / "themes"});
  app.show(*room.boards.open("puzzle:toot-1"));
  const auto type = [&](std::string_view text) {
    for (const char c : text)
      app.press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  };
  type("BT\n");
  // In the position before, the task stays.
  app.press(control_key('P'));
  CHECK(contains(screen_text(app), "Go on. You have 3 tries."));
  app.press({Key::Code::end});
  type("FO\n");
  REQUIRE(contains(screen_text(app), "Your puzzle rating"));
  app.press(control_key('P'));
  CHECK(contains(screen_text(app), "1 move follows."));
  CHECK_FALSE(contains(screen_text(app), "Your puzzle rating"));
  app.press({Key::Code::end});
  CHECK(contains(screen_text(app), "Your puzzle rating"));
}

TEST_CASE("what answers a wrong move of a puzzle is seen on the board, by better", "[exercises]") {
  Classroom room;
  BoardSession desk(room.boards, *room.boards.open("puzzle:flooprail-1"));
  const auto better = [&] { return desk.enter(desk.parse_line("better"), 0); };
  CHECK(contains(better().refusal().reason, "There is no wrong move"));
  const Position start = desk.match().position();
  const Exercise puzzle = *read_exercise(
      split_documents(*read_file(source_root() / "saves/puzzles/flooprail.yaml", 1U << 20)).front(),
      "");
  std::string wrong;
  for (const std::string& ply : start.legal_plies())
    if (ply != puzzle.solutions.front()) wrong = ply;
  const auto told = desk.enter(desk.parse_line(wrong), 0);
  REQUIRE_FALSE(told.ok());
  REQUIRE(contains(told.refusal().reason, ". Press F8 or type better to see it. 2 tries left."));
  const auto seen = better();
  REQUIRE(seen.ok());
  REQUIRE(contains(seen->message, " answers " + wrong));
  // The refutation is only shown as a trial.
  CHECK(desk.is_trying());
  const std::size_t plies = desk.board().match.plies().size();
  REQUIRE(desk.match().plies().size() == plies + 2);
  CHECK(desk.match().plies()[plies].text == wrong);
  CHECK(contains(told.refusal().reason,
                 ". Your opponent plays " + desk.match().plies()[plies + 1].text));
  desk.stop_trial();
  CHECK(desk.match().position() == start);
  CHECK(contains(desk.exercise_text(), "2 tries"));
  REQUIRE(desk.enter(desk.parse_line(puzzle.solutions.front()), 0).ok());
  CHECK(contains(desk.exercise_text(), "Right, "));
}

TEST_CASE("a wrong move that even loses is said to lose", "[exercises]") {
  Classroom room;
  Board board = *room.boards.open("puzzle:toot-11");
  CHECK(contains(room.play(board, "FT").refusal().reason, "FT loses. Your opponent plays FT"));
  // The refutation goes on to the end of the game.
  Position then = board.match.position();
  for (const std::string& ply : board.exercise->refutation()) then.play(ply);
  CHECK(then.outcome());
}

TEST_CASE("the puzzle of the day goes through all games and all their puzzles", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  const GameType* toot = find_game("toot");
  CHECK(*room.exercises.daily_puzzle(20'000, toot) != *room.exercises.daily_puzzle(20'001, toot));
  CHECK(room.exercises.daily_puzzle(-1, toot).ok());
  CHECK(room.exercises.daily_puzzle(0).ok());
  // It comes from the games that have puzzles.
  CHECK(room.exercises.daily_puzzle(1).ok());
  const GameType* flooprail = find_game("flooprail");
  CHECK(room.exercises.daily_puzzle(1, flooprail).refusal().reason ==
        "There are no puzzles for FloopRail here.");
  CHECK(room.boards.open("lesson:flooprail").refusal().reason ==
        "There is no lesson for FloopRail here.");
}

TEST_CASE("the days in a row with a solved puzzle are counted", "[exercises]") {
  const TemporaryDirectory directory;
  const fs::path file = directory.path() / "progress";
  const auto streak_after = [&](std::int64_t last, int before, bool solves) {
    std::ofstream(file) << "solved=" + std::to_string(last) + "\nstreak=" + std::to_string(before) +
                               "\n";
    Exercises exercises(source_root() / "saves", file);
    if (solves) CHECK(exercises.count_solved() == (last != today()));
    return exercises.streak();
  };
  CHECK(streak_after(today() - 1, 3, false) == 3);
  CHECK(streak_after(today() - 1, 3, true) == 4);
  CHECK(streak_after(today(), 3, true) == 3);
  CHECK(streak_after(today() - 2, 3, false) == 0);
  CHECK(streak_after(today() - 2, 3, true) == 1);
}

TEST_CASE("the puzzle of the day is as hard as suits one's skill, or a grade easier",
          "[exercises]") {
  const Classroom room;
  for (const GameType& game : all_games()) {
    std::vector<int> grades;
    for (const std::string& about : room.exercises.puzzle_descriptions(&game))
      grades.push_back(about[about.find("grade ") + 6] - '0');
    if (grades.empty()) continue;  // it has no puzzles
    // The easiest puzzles come first.
    CHECK(std::is_sorted(grades.begin(), grades.end()));
    const std::string before = "puzzle:" + std::string(game.name) + "-";
    for (const auto& [skill, grade] :
         {std::pair{"", 1}, {"600", 1}, {"1000", 2}, {"1250", 3}, {"1300", 4}, {"2000", 5}}) {
      INFO(game.name << ", skill " << skill);
      fs::remove(room.progress_file);
      if (*skill)
        CHECK(create_file(room.progress_file, "skill:" + std::string(game.name) + "=" + skill));
      const Exercises exercises(source_root() / "saves", room.progress_file);
      const std::ptrdiff_t suit = std::count_if(
          grades.begin(), grades.end(), [g0 = grade](int g) { return g == g0 || g == g0 - 1; });
      std::set<std::string> seen;
      int hardest = 0;
      for (std::int64_t day = 20'000; day < 20'000 + suit; ++day) {
        const std::string id = *exercises.daily_puzzle(day, &game);
        REQUIRE(id.starts_with(before));
        const int now = grades[std::stoul(id.substr(before.size())) - 1];
        CHECK(now <= grade);
        CHECK(now >= grade - 1);
        hardest = std::max(hardest, now);
        seen.insert(id);
      }
      // Every suitable puzzle comes once before any comes again.
      CHECK(std::ssize(seen) == suit);
      CHECK(hardest == std::min(grade, grades.back()));
    }
  }
}

TEST_CASE("what is solved in a day leaves the day's puzzle alone, and the next is harder",
          "[exercises]") {
  const Classroom room;
  const GameType* toot = find_game("toot");
  fs::create_directories(room.progress_file.parent_path());
  REQUIRE(create_file(room.progress_file, "skill:toot=890\n"));
  Exercises exercises(source_root() / "saves", room.progress_file);
  const std::string id = *exercises.daily_puzzle(today(), toot);
  const auto day_after = [&] { return *exercises.daily_puzzle(today() + 1, toot); };
  const std::string easy = day_after();
  for (int n = 0; n < 9; ++n) exercises.rate(*toot, 5, 100);
  CHECK(exercises.skill(*toot) > 1100);
  CHECK(*exercises.daily_puzzle(today(), toot) == id);
  CHECK(*Exercises(source_root() / "saves", room.progress_file).daily_puzzle(today(), toot) == id);
  CHECK(day_after() != easy);
}

TEST_CASE("a newcomer's puzzle of the day is of grade 1", "[exercises]") {
  TestHome home;
  const std::string task = home({"puzzle"}, "quit\n").out;
  CHECK(contains(task, "Grade 1"));
  CHECK(contains(task, " Find the only move that wins in "));
}

TEST_CASE("where no game can be kept behind a lesson it is still there", "[exercises]") {
  const SmallExercises files;
  fs::remove(files.dir / "puzzles/toot.yaml");
  Classroom room(files.dir.path());
  Board board = *room.boards.open("lesson:toot");
  for (const std::string ply : {"CT", "", "CT", "", "ET"})
    if (ply.empty()) room.continue_from(board);
    else REQUIRE(room.play(board, ply));
  REQUIRE(create_file(room.dir / "saves", "in the way"));
  CHECK_THROWS_AS(room.continue_from(board), Error);
  CHECK_THROWS_AS(room.continue_from(board), Error);
  CHECK(board.exercise->is_done());
  fs::remove(room.dir / "saves");
  room.continue_from(board);
  CHECK(board.match.computer_level(1) == 1);
}

TEST_CASE("what is no exercise is refused", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  CHECK(contains(room.boards.open("lesson:chess").refusal().reason, "There is no such lesson"));
  CHECK(contains(room.boards.open("lesson:chaos").refusal().reason,
                 "There is no lesson for Chaos here."));
  CHECK(contains(room.boards.open("puzzle:toot-3").refusal().reason, "There is no such puzzle"));
  CHECK(contains(room.boards.open("puzzle:toot-0").refusal().reason, "There is no such puzzle"));
  CHECK(contains(room.boards.open("puzzle:never").refusal().reason, "There is no such puzzle"));
  const std::string head = "format: 1\ngame: toot\noptions: []\nseats: [a, b]\n",
                    lesson = "lesson: {say: s, find: [CT], right: r, wrong: w}\n";
  CHECK(read_exercise(head + lesson + "plies: []\n", "f"));
  for (const char* wrong : {"", "lesson: {say: s, find: [CT], right: r}\n",
                            "lesson: {say: s, find: [XX], right: r, wrong: w}\n",
                            "lesson: {find: [CT], right: r, wrong: w}\n",
                            "lesson: {say: s, find: [], right: r, wrong: w}\n", "lesson: 3\n",
                            "puzzle: {kind: win, plies: 3}\n", "puzzle: {line: [XX]}\n"})
    CHECK_FALSE(read_exercise(head + wrong + "plies: []\n", "f"));
}

TEST_CASE("a newcomer's lobby begins with lessons, another's with boards", "[exercises]") {
  Classroom room;
  std::vector<BoardSummary> list = room.boards.list();
  REQUIRE(list.size() == 6);
  CHECK(list[0].id == "lesson:toot");
  CHECK(list[0].state() == "a lesson, five minutes");
  CHECK(list[5].id.starts_with("puzzle:"));
  CHECK(list[5].state() == "today's puzzle");
  REQUIRE(create_file(room.progress_file, "lesson:toot\n"));
  Exercises knows(source_root() / "saves", room.progress_file);
  Boards later(room.own, nullptr, &knows);
  CHECK(later.list()[0].state() == "a finished lesson");
  REQUIRE(create_board(room.own, *find_game("toot"), {}, {"a", "b"}));
  list = later.list();
  CHECK(list[0].id == "toot-101");
  CHECK(list[1].id == "lesson:flooprail");
}

TEST_CASE("line by line a lesson asks, refuses and goes on", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  std::istringstream in(
      "list\nopen lesson:toot\nBO\nhint\nanalyse\nlevel 3\nBT\n\nAT\n\nET\n\nquit\n");
  std::ostringstream out;
  run_line_mode(room.boards, View{}, Settings({}), read_help_topic, in, out, true);
  for (const char* said : {"1. lesson:toot: Toot, a lesson, five minutes.", "1/3: Play a T.",
                           "A T!", "Hint: look at C", "Lessons and puzzles have no analysis.",
                           "You cannot change the players of a lesson or puzzle.",
                           "Good. Press Enter to go on.", "2/3: Anything.", "3/3: Win.",
                           "Won. That was the last step. Press Enter for your first puzzle."})
    CHECK(contains(out.str(), said));
}

TEST_CASE("a lesson lists only words that work there", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  BoardSession session(room.boards, *room.boards.open("lesson:toot"));
  const auto listed = [&] {
    std::set<std::string_view> out;
    for (const TypedWord* w : session.available_words(FrontEnd::screen)) out.insert(w->name);
    return out;
  };
  const auto names = listed();
  for (const std::string_view name : {"resign", "propose", "undo", "accept", "reject", "note",
                                      "rename", "level", "threats", "analyse", "rematch"}) {
    INFO(name);
    CHECK(names.count(name) == 0);
  }
  for (const std::string_view name : {"hint", "copy", "try", "help", "boards", "quit", "legal"}) {
    INFO(name);
    CHECK(names.count(name) == 1);
  }
  // After the move, the player may play on and take that back.
  REQUIRE(session.enter("BT", 0));
  CHECK(listed().count("undo") == 1);
}

TEST_CASE("a puzzle that is not there is refused by what was typed", "[exercises]") {
  const auto reason = [](const std::vector<std::string>& words) {
    return puzzle_id(words).refusal().reason;
  };
  CHECK(contains(reason({"chess"}), "There is no game 'chess'. "));
  CHECK(reason({"tot"}) == "There is no game 'tot'. Did you mean toot?");
  CHECK(reason({"2026-13-44"}) ==
        "'2026-13-44' is not a day of the calendar. Write a day like 2026-11-22.");
  CHECK(contains(reason({"toot", "2026-13-44"}), "not a day of the calendar"));
  CHECK(reason({"7"}) == "Name a game before the number, for example puzzle toot 7.");
  CHECK(contains(reason({"mine", "x"}), "'x' is not a number."));
  CHECK(*puzzle_id({"2026-11-22"}) == "puzzle:2026-11-22");
  CHECK(*puzzle_id({"toot", "7"}) == "puzzle:toot-7");
}

TEST_CASE("between two steps of a lesson the prompt and a hint say how to go on", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  std::istringstream in("open lesson:toot\nBT\nhint\n\nquit\n");
  std::ostringstream out;
  run_line_mode(room.boards, View{}, Settings({}), read_help_topic, in, out, true);
  CHECK(contains(out.str(), "go on> hint\nThere is nothing to find here. Press Enter to go on.\n"));
  CHECK(contains(out.str(), "go on> \n"));
  CHECK(contains(out.str(), "move> quit"));
  CHECK(BoardSession(room.boards, *room.boards.open("lesson:toot")).status() ==
        "It is your turn (TOOT).");
}

TEST_CASE("line by line no lesson and no puzzle names a key that is not there", "[exercises]") {
  for (const GameType& game : all_games()) {
    INFO(game.name);
    Classroom room;
    const std::string lesson = lesson_id(game.name), puzzle = "puzzle:" + std::string(game.name);
    std::string lines = "open " + lesson + "\nhint\nhint\n";
    Board board = *room.boards.open(lesson);
    for (bool on = true; on;) {
      const std::string ply = board.exercise->hint();
      REQUIRE(room.play(board, ply).ok());
      lines += ply + "\n\n";
      room.continue_from(board);
      on = board.id == lesson && board.exercise && !board.exercise->is_done();
    }
    Classroom other;
    board = *other.boards.open(puzzle + "-1");
    const std::string open = "open " + puzzle + "-1\n";
    lines += "boards\n" + open + "hint\nhint\n";
    int wrong = 0;
    for (const std::string& ply : board.match.position().legal_plies())
      if (ply != board.exercise->hint() && ++wrong <= 5)
        lines += ply + "\nbetter\nredo\nboards\n" + open;
    Classroom third;
    std::istringstream in(lines + "redo\nquit\n");
    std::ostringstream out;
    run_line_mode(third.boards, View{}, Settings({}), read_help_topic, in, out);
    INFO(out.str());
    CHECK((contains(out.str(), "type ") || contains(out.str(), "Type ")));
    for (const char* key : {"Tab", "arrows", "cursor", "Ctrl-", "Esc", "F8", "press F"})
      CHECK_FALSE(contains(out.str(), key));
    CHECK(contains(out.str(), ". Type better to see it.") ==
          contains(out.str(), ". Your opponent plays "));
  }
}

TEST_CASE("lesson and puzzle are opened by command", "[exercises][cli]") {
  const TestHome home;
  CHECK(home({"lesson"}).status == 2);
  CHECK(contains(home({"lesson", "chess"}).err, "There is no game 'chess'"));
  CHECK(contains(home({"lesson", "toot"}, "quit\n").out, "1/"));
  CHECK(contains(home({"puzzle"}, "quit\n").out, "You are "));
  const std::string day = home({"puzzle", "chaos", "2026-11-22"}, "quit\n").out;
  CHECK(contains(day, "You are "));
  CHECK(home({"puzzle", "chaos", "2026-11-22"}, "quit\n").out == day);
  CHECK(home({"puzzle", "chaos", "2026-11-23"}, "quit\n").out != day);
  CHECK(contains(home({"puzzle", "toot", "3"}, "quit\n").out, "You are "));
  CHECK(contains(home({"puzzle", "toot", "99999"}).err, "There is no such puzzle"));
  CHECK(home({"puzzle", "never"}).status == 2);
  CHECK(home({"puzzle", "toot", "2026-13-01"}).status == 2);
}

TEST_CASE("F1 leads to the lessons, from the boards and from a board", "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  const Key f1{Key::Code::function, 1};
  app.press(f1);
  app.press(character_key('l'));
  CHECK(contains(screen_text(app), "Only games have lessons"));
  for (int i = 0; i < 3; ++i) app.press({Key::Code::down});
  CHECK(contains(screen_text(app), "l lesson"));
  app.press(character_key('l'));
  CHECK(contains(screen_text(app), "1/8: "));
  Board board = *create_board(room.own, *find_game("chaos"), {}, {"fred", "wilma"});
  app.show(board);
  app.press(f1);
  CHECK(contains(screen_text(app), "l lesson"));
  app.press(character_key('l'));
  CHECK(contains(screen_text(app), "1/8: "));
  CHECK(contains(screen_text(app), " Chaos lesson "));
}

TEST_CASE("in a small window what is too long is read by Enter, before the next goes on",
          "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  const auto shown = [&] { return canvas_text(app.draw({12, 40})); };
  app.show(*room.boards.open("lesson:soccolot"));
  for (const char c : std::string("3rs\n")) {
    shown();
    app.press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  }
  CHECK(contains(shown(), "... Enter: more"));
  app.press(kEnter);
  CHECK(contains(shown(), "free."));
  app.press(kEsc);
  shown();
  app.press(kEnter);
  CHECK(contains(shown(), "2/"));
}

namespace {

// The lesson of Toot on a screen.
struct LessonScreen {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  LessonScreen() { app.show(*room.boards.open("lesson:toot")); }
  bool shows(std::string_view text) { return contains(screen_text(app), text); }
  void press(const Key& key) {
    screen_text(app);
    app.press(key);
  }
  // Chooses the column and the letter with the cursor on the board.
  void play(const std::string& ply) {
    press(kEnter);
    while (!shows("> " + ply)) press({Key::Code::right});
    press(kEnter);
  }
};

}  // namespace

TEST_CASE("the record of an exercise has a name for the player, and can be read",
          "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  room.boards.set_player_name("ann");
  app.show(*room.boards.open("lesson:toot"));
  screen_text(app);
  app.press({Key::Code::function, 5});
  const std::string shown = canvas_text(app.draw({60, 120}));
  CHECK(contains(shown, "ann (TOOT)"));
  CHECK_FALSE(contains(shown, "you (TOOT)"));
}

TEST_CASE("who plays with the cursor goes on from a step by Enter", "[exercises][ui]") {
  LessonScreen on;
  on.press(kTab);
  on.press(kEnter);
  on.play("AT");
  CHECK(on.shows("Enter continue  "));
  CHECK(on.shows("go on>"));
  CHECK(on.shows("> TOOT you") == false);
  on.press({Key::Code::function, 6});
  CHECK(on.shows("There is nothing to find here. Press Enter to go on."));
  on.press(kEnter);
  CHECK(on.shows("2/8"));
}

TEST_CASE("after a wrong move by the cursor another is picked at once", "[exercises][ui]") {
  LessonScreen on;
  // Enter puts the cursor on the board, as in a game.
  for (int i = 0; i < 2; ++i) on.press(kEnter);
  on.play("AO");
  CHECK(on.shows("this step asks for"));
  CHECK(on.shows("(TOOT)>\n"));
  on.play("AT");
  CHECK(on.shows("go on>"));
}

TEST_CASE("a lesson goes on at its step the next time, until it was gone through", "[exercises]") {
  SmallExercises small;
  const fs::path memory = small.dir / "memory";
  LocalBoards own{small.dir / "saves", small.dir / "none"};
  const auto step_of = [&](int steps) {
    Exercises exercises{small.dir.path(), memory};
    const Board board = *exercises.open("lesson:toot");
    for (int i = 0; i < steps; ++i) board.exercise->next_step();
    return board.exercise->task().substr(0, 3);
  };
  CHECK(step_of(0) == "1/3");
  CHECK(step_of(1) == "2/3");
  CHECK(step_of(1) == "3/3");
  {
    Exercises exercises{small.dir.path(), memory};
    CHECK(exercises.list(false).front().remark == "an unfinished lesson");
    exercises.open("lesson:toot")->exercise->restart();
  }
  CHECK(step_of(0) == "1/3");
}

TEST_CASE("a puzzle that was tried and left stands in the list until it is done", "[exercises]") {
  const SmallExercises small;
  const auto begun = [](const Exercises& exercises) {
    std::string out;
    for (const BoardSummary& row : exercises.list(false))
      if (row.remark == "an unfinished puzzle") out += row.id;
    return out;
  };
  const fs::path memory = small.dir / "memory";
  std::string other = "puzzle:toot-1";  // not the puzzle of today
  {
    Exercises exercises{small.dir.path(), memory};
    if (*exercises.daily_puzzle(today()) == other) other.back() = '2';
    const Board board = *exercises.open(other);
    CHECK(begun(exercises).empty());
    CHECK_FALSE(board.exercise->play({{std::nullopt, "BO"}}).ok());
  }
  Exercises exercises{small.dir.path(), memory};
  CHECK(begun(exercises) == other);
  CHECK(exercises.open(other)->exercise->play({{std::nullopt, "ET"}}).ok());
  CHECK(begun(exercises).empty());
}

TEST_CASE("who had a hint is not rated for the answer", "[exercises]") {
  Classroom room;
  Board board = *room.boards.open("puzzle:toot-1");
  const int before = room.exercises.skill(*find_game("toot"));
  for (int i = 0; i < 20 && !board.exercise->is_done(); ++i)
    REQUIRE(room.play(board, board.exercise->hint()).ok());
  CHECK(contains(task_of(board), "your rating stays at 700."));
  CHECK(room.exercises.skill(*find_game("toot")) == before);
}

TEST_CASE("a puzzle of a variant says so, and a wrong move costs one try", "[exercises]") {
  Classroom room;
  Board board = *room.boards.open("puzzle:flooprail-7");
  CHECK(contains(task_of(board), " 3 tries. -reverse: the first player without a move wins."));
  const auto legal = board.match.position().legal_plies();
  const std::string wrong = legal.front() == "D5-D6" ? legal.back() : legal.front();
  CHECK(contains(room.play(board, wrong).refusal().reason, "2 tries left."));
  CHECK(room.play(board, wrong).refusal().reason ==
        "You tried " + wrong + " here already. It is wrong.");
}

TEST_CASE("a long task takes the rows that are free below the board, not those above",
          "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  app.show(*room.boards.open("lesson:soccolot"));
  const Canvas canvas = app.draw({20, 60});
  CHECK(find_text(canvas, "Soccolot lesson"));
  CHECK(find_text(canvas, "> Black you"));
}

TEST_CASE("on the screen a lesson asks, and Enter goes on when it was answered",
          "[exercises][ui]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  Settings settings{room.dir / "settings.yaml"};
  App app{room.boards, settings, read_help_topic, {source_root() / "themes"}};
  const auto shown = [&] { return screen_text(app); };
  const auto type = [&](std::string_view text) {
    for (const char c : text)
      app.press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
  };
  CHECK(contains(shown(), "Enter learn it"));
  app.press(kEnter);
  CHECK(contains(shown(), " Toot lesson "));
  CHECK(contains(shown(), " 1/3: Play a T."));
  app.press(kEnter);  // the whole text is shown already
  CHECK(contains(shown(), " 1/3: Play a T."));
  // The task stays in sight.
  type("B");
  CHECK(contains(shown(), " 1/3: Play a T."));
  type("O\n");
  CHECK(contains(shown(), " A T!"));
  CHECK(contains(shown(), " 1/3: Play a T."));
  CHECK(contains(shown(), "you (TOOT)> BO"));
  type("BT\n");
  CHECK(contains(shown(), " Good. Press Enter to go on."));
  type("\nAT\n\n");
  CHECK(contains(shown(), " 3/3: Win."));
  type("ET\n");
  CHECK(contains(shown(), "Won. That was the last step. Press Enter for your first puzzle."));
  CHECK_FALSE(contains(shown(), "rematch"));
  type("\n");
  CHECK(contains(shown(), " Toot puzzle 1: you are TOOT, win in 1 move "));
  CHECK(contains(shown(), "F6 hint"));
}

TEST_CASE("of a wrong move of a puzzle nothing is shown once the right one is played",
          "[exercises]") {
  Classroom room;
  BoardSession desk(room.boards, *room.boards.open("puzzle:toot-17"));
  REQUIRE(contains(desk.enter("BO", 0).refusal().reason, "type better to see it"));
  REQUIRE(desk.enter("AO", 0).ok());
  REQUIRE_FALSE(desk.can_continue_exercise());
  CHECK(contains(desk.enter("better", 0).refusal().reason, "There is no wrong move"));
}

TEST_CASE("a move of a puzzle that completes the other's word is said to lose", "[exercises]") {
  Classroom room;
  Board board = *room.boards.open("puzzle:toot-17");
  CHECK(room.play(board, "AT").refusal().reason == "AT loses. 2 tries left.");
}

TEST_CASE("what two programs solve is solved", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  const GameType& toot = *find_game("toot");
  Exercises other(files.dir.path(), room.progress_file);
  room.exercises.mark_done({true, &toot, 1});
  const int once = room.exercises.rate(toot, 1, 100);
  other.mark_done({true, &toot, 2});
  CHECK(other.rate(toot, 1, 100) > once);
  const auto puzzles = Exercises(files.dir.path(), room.progress_file).puzzle_descriptions(&toot);
  CHECK(contains(puzzles[0], ", solved"));
  CHECK(contains(puzzles[1], ", solved"));
}

TEST_CASE("a lesson stays at its step where the next cannot be kept", "[exercises]") {
  const SmallExercises files;
  Classroom room(files.dir.path());
  BoardSession desk(room.boards, *room.boards.open("lesson:toot"));
  REQUIRE(desk.enter("CT", 0).ok());
  REQUIRE(create_file(room.dir / "data", "in the way"));
  CHECK_THROWS_AS(desk.continue_exercise(), Error);
  CHECK(desk.exercise_text() == "Good. Press Enter to go on.");
  fs::remove(room.dir / "data");
  REQUIRE(desk.continue_exercise().ok());
  CHECK(desk.exercise_text() == "2/3: Anything.");
  CHECK(desk.match().plies().empty());
}

TEST_CASE("what is typed in a puzzle is not kept for one that begins anew", "[exercises][ui]") {
  Classroom room;
  Settings settings{room.dir / "settings.yaml"};
  App app(room.boards, settings, read_help_topic, {source_root() / "themes"});
  app.show(*room.boards.open("puzzle:toot-1"));
  app.press(character_key('B'));
  CHECK(contains(screen_text(app), "> B"));
  CHECK(app.saved_state().ends_with("puzzle:toot-1\n"));
}

namespace {

// Returns a game of Plotto between a, b and c; a resigns after that many plies.
Match make_plotto_match(const std::vector<std::string>& plies, std::size_t gives_up) {
  Match out = *Match::start(*find_game("plotto"), {}, {"a", "b", "c"}, Time{});
  for (const std::string& ply : plies) {
    if (out.plies().size() == gives_up) out.add(*out.validate(0, "resign", now()));
    out.add(*out.validate(*out.to_move(), ply, now()));
  }
  return out;
}

}  // namespace

TEST_CASE("a puzzle out of a game that somebody left is for whose turn it was", "[exercises]") {
  const Match match = make_plotto_match({"a1", "a2", "a3", "c2", "c3", "c4"}, 2);
  for (std::size_t plies = 0; plies < match.plies().size(); ++plies) {
    const Position then = match.position_after(plies);
    const std::string text = puzzle_text(
        match, plies, "kind: better, grade: 3, plies: 1, instead: " + match.plies()[plies].text,
        {then.legal_plies().front()});
    INFO(text);
    const auto puzzle = read_exercise(text, "mine");
    REQUIRE(puzzle.ok());
    CHECK(puzzle->start.position() == then);
    CHECK(puzzle->start.to_move() == match.plies()[plies].seat);
  }
}

TEST_CASE("of three, too, a move that wins at once is as good as the best", "[exercises]") {
  const Match match = make_plotto_match(
      {"a2", "f3", "a4", "b4", "a1", "d2", "d3", "e1", "d4", "e2", "f4", "a3"}, 99);
  int wins = 0;
  for (std::size_t n = 0; n <= match.plies().size(); ++n) {
    const Position position = match.position_after(n);
    for (const std::string& ply : position.legal_plies()) {
      Position then = position;
      then.play(ply);
      const auto end = then.outcome();
      wins += end && end->winner == position.to_move();
      CHECK(is_near_best(position, match.game(), ply) ==
            (end && end->winner == position.to_move()));
    }
  }
  CHECK(wins > 0);
}

TEST_CASE("sentences in exercises say you and the opponent", "[exercises][stranger]") {
  Classroom room;
  std::istringstream in(
      "open lesson:toot\nAT\n\nplies\nhint\nhint\nET\nplies\ncopy\nplies\nquit\n");
  std::ostringstream out;
  run_line_mode(room.boards, View{}, Settings({}), read_help_topic, in, out, true);
  INFO(out.str());
  for (const char* name : {"pupil", "teacher", "you drop"}) CHECK_FALSE(contains(out.str(), name));
  CHECK(contains(out.str(), "You drop a T down column A."));
  CHECK(contains(out.str(), "The opponent (OTTO) drops an O down column C."));
  // A copy is a game of its own: its players have names that fit it.
  const Board copy = *room.boards.open("toot-101");
  CHECK(std::ranges::count(copy.match.names(), "you") == 0);
}

TEST_CASE("a small window shows the men of a Soccolot lesson and the ball",
          "[exercises][stranger]") {
  Classroom room;
  Settings settings(room.dir / "settings.yaml");
  App app(room.boards, settings, read_help_topic, {source_root() / "themes"});
  app.show(*room.boards.open("lesson:soccolot"));
  const std::string small = canvas_text(app.draw({12, 40}));
  INFO(small);
  CHECK(contains(small, "SB"));
  CHECK(contains(small, "B6 B5 B4 B3"));
}

TEST_CASE("a computer without a level plays as well as the player", "[exercises][computer]") {
  Classroom room;
  const GameType& toot = *find_game("toot");
  int second = 0;  // each match begins at another time
  const auto play = [&](const char* options, const std::vector<std::string>& plies) {
    Match match = *Match::start(toot, *read_options(toot, split_words(options)),
                                *read_seating({"fred", "computer"}),
                                Time(std::chrono::seconds(1'764'000'000 + ++second)));
    room.exercises.adapt_computer(match);
    CHECK(room.exercises.is_adaptive(match));
    CHECK(match.computer_level(0) == 0);
    const int level = match.computer_level(1);
    CHECK(room.exercises.count_result(match) == "");  // it is not over
    for (const std::string& ply : plies)
      match.add(*match.validate(ply == "loses" ? 0 : *match.to_move(),
                                ply == "loses" ? "resign" : ply, Time{}));
    const std::string told = room.exercises.count_result(match);
    CHECK(room.exercises.count_result(match) == "");  // counted once
    CHECK(room.exercises.is_adaptive(match));
    return std::pair(level, told);
  };
  const std::vector<std::string> win{"BT", "AT", "CO", "AT", "DO", "AT", "ET"}, loss{"BT", "loses"};
  const auto next_level = [&] { return room.exercises.suitable_level(toot, {}); };
  CHECK(play("", win) == std::pair(1, std::string("The computer plays the next game at level 2.")));
  CHECK(play("", win).first == 2);
  CHECK(next_level() == 3);
  CHECK(play("", loss) == std::pair(3, std::string()));
  CHECK(play("", win).first == 3);  // the losses are not in a row
  CHECK(play("", loss) == std::pair(4, std::string()));
  CHECK(contains(play("", loss).second, "at level 3."));
  CHECK(play("", loss).second == "");
  CHECK(next_level() == 3);
  // Each variant has its own level, a size of the board has none; the next program knows them.
  CHECK(play("-tootris", {}).first == 1);
  CHECK(play("-size=7x9", {}).first == 3);
  const Exercises again(room.dir / "none", room.progress_file);
  CHECK(again.suitable_level(toot, {}) == 3);
  for (int i = 0; i < 12; ++i) play("", win);
  CHECK(next_level() == 10);
  for (int i = 0; i < 30; ++i) play("", loss);
  CHECK(next_level() == 1);
  // If its level is changed during the game, or if two people play, the result does not count.
  Match changed = *Match::start(toot, {}, *read_seating({"fred", "computer"}), Time{});
  room.exercises.adapt_computer(changed);
  changed.set_computer_level(1, 9);
  changed.add(*changed.validate(0, "resign", Time{}));
  CHECK_FALSE(room.exercises.is_adaptive(changed));
  CHECK(room.exercises.count_result(changed) == "");
  // Only the latest matches are remembered, so the file stays small.
  CHECK(read_bytes(room.progress_file).size() < 4000);
  for (int i = 0; i < 150; ++i) play("", {});
  CHECK(read_bytes(room.progress_file).size() < 4000);
}

TEST_CASE("the level goes up with a game won on the board, and a rematch has the new one",
          "[exercises][computer]") {
  Classroom room;
  const auto board =
      start_board(room.boards, *read_new_board(*find_game("toot"), {{}, {"fred", "computer"}}, {}));
  BoardSession session(room.boards, *room.own.open(board->board_to_open));
  CHECK(session.enter("resign", 0)->message == "");
  const auto second = session.enter("rematch", 0);
  BoardSession next(room.boards, *room.own.open(second->board_to_open));
  CHECK(next.match().computer_level(0) == 1);
  CHECK(room.exercises.is_adaptive(next.match()));
  CHECK(contains(read_bytes(room.dir / "saves/toot-102.yaml"), "computer: {1: 1}"));
  // The computer resigns: another program writes the save.
  Board there = *room.own.open(second->board_to_open);
  REQUIRE(room.own.play(there, {{0, "BT"}, {1, "AT"}, {0, "resign"}}).ok());
  CHECK(contains(next.refresh().changed_level, "The computer plays the next game at level 2."));
  const auto third = next.enter("rematch", 0);
  CHECK(room.own.open(third->board_to_open)->match.computer_level(1) == 2);
  // What another program ends counts when the game is opened, and what is tried does not.
  Board later = *room.own.open(third->board_to_open);
  BoardSession trial(room.boards, later);
  CHECK(trial.enter("try", 0).ok());
  CHECK(trial.enter("resign", 0).ok());
  CHECK(room.exercises.suitable_level(*find_game("toot"), {}) == 2);
  REQUIRE(room.own.play(later, {{0, "BT"}, {1, "resign"}}).ok());
  CHECK(room.exercises.suitable_level(*find_game("toot"), {}) == 2);
  BoardSession again(room.boards, *room.own.open(later.id));
  CHECK(room.exercises.suitable_level(*find_game("toot"), {}) == 3);
}
