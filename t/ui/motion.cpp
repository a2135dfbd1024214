// SPDX-License-Identifier: MIT
// The animation of plies.
#include <fstream>
#include <set>

#include "terminal_user.hpp"
#include "support.hpp"
#include "test_app.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// A player at a board that another program plays on, too.
struct MotionWatcher : TestApp {
  explicit MotionWatcher(const std::string& name, const std::string& plies = "",
                         Size of = kScreenSize)
      : game(name) {
    size = of;
    set_motion(true);
    start_board(game, {}, plies);
    app.change_descriptor();  // as the event loop does
  }
  void play_elsewhere(const std::string& plies) {
    LocalBoards others{directory / "saves", source_root() / "saves"};
    auto board = others.open(game + "-101");
    for (const std::string& ply : split_words(plies))
      REQUIRE(others.play(*board, shared_keyboard_requests(board->match, ply)).ok());
    app.boards_changed();
  }
  int count_marked(Mark mark) {
    const Canvas canvas = picture();
    int out = 0;
    for (int r = 0; r < size.rows; ++r)
      for (int c = 0; c < size.columns; ++c) out += canvas.cell(r, c).mark == mark;
    return out;
  }
  std::string game;
};

}  // namespace

TEST_CASE("what somebody plays is seen being played", "[motion]") {
  for (const Size size : {kScreenSize, Size{12, 40}}) {
    MotionWatcher fred("chaos", "a3-c3", size);
    CHECK_FALSE(fred.app.next_tick());
    fred.play_elsewhere("e4-c2-c4-e4");
    // Everything except the drawing shows the new state.
    CHECK(fred.has_text("fred (o)>"));
    REQUIRE(fred.app.next_tick());
    CHECK(fred.count_marked(Mark::picked) == 1);
    CHECK(fred.count_marked(Mark::wrong) == 0);
    CHECK(fred.count_marked(Mark::last) <= 1);  // in the list of plies
    fred.app.tick();
    REQUIRE(fred.app.next_tick());
    CHECK(fred.count_marked(Mark::picked) == 1);
    CHECK(fred.count_marked(Mark::wrong) == 1);
    fred.app.tick();
    CHECK_FALSE(fred.app.next_tick());
    CHECK(fred.count_marked(Mark::picked) == 0);
    CHECK(fred.count_marked(Mark::last) == 2);
  }
}

TEST_CASE("the line that wins lights up square by square", "[motion]") {
  for (const bool is_stopped : {false, true}) {
    MotionWatcher fred("toot", "AT BO CO FO");
    fred.play_elsewhere("DT");
    CHECK(fred.has_text("won"));
    std::set<int> lit;
    for (; fred.app.next_tick() && !is_stopped; fred.app.tick())
      lit.insert(fred.count_marked(Mark::win));
    // A key shows the whole line at once.
    if (is_stopped) fred.app.press({Key::Code::home});
    CHECK_FALSE(fred.app.next_tick());
    if (is_stopped) fred.app.press({Key::Code::end});
    const int all = fred.count_marked(Mark::win);
    CHECK(all >= 4);
    if (!is_stopped) CHECK(lit == std::set<int>{0, all / 4, all / 2, all / 4 * 3, all});
  }
}

TEST_CASE("any key shows the board at once, and does what it does", "[motion]") {
  for (const bool pasted : {false, true}) {
    MotionWatcher fred("chaos", "a3-c3");
    fred.play_elsewhere("e4-c2-c4-e4");
    fred.app.draw(kScreenSize);
    if (pasted) fred.app.press({Key::Code::paste_mark, 1});
    fred.app.press(character_key('a'));
    CHECK_FALSE(fred.app.next_tick());
    CHECK(fred.has_text("fred (o)> a"));
    CHECK(fred.count_marked(Mark::last) == 2);
  }
  // Enter ends the animation, too; the next ply takes nothing and has none.
  MotionWatcher fred("flooprail", "E2-F2 E5-D5 C4-C5 F5-E5 D2-E2 G3-F3 C2-D2 G5-F5 E2-E3 E5-E4");
  fred.type("E3-E5-G5-G3-E3\n");
  REQUIRE(fred.app.next_tick());
  CHECK(fred.has_text("wilma (X)>"));
  fred.type("D6-C6\n");
  CHECK_FALSE(fred.app.next_tick());
  CHECK(fred.has_text("D6-C6"));
  CHECK(fred.count_marked(Mark::picked) == 0);
}

TEST_CASE("of one's own move what it takes is seen: the rest is lit already", "[motion]") {
  MotionWatcher fred("flooprail", "E2-F2 E5-D5 C4-C5 F5-E5 D2-E2 G3-F3 C2-D2 G5-F5 E2-E3");
  fred.type("E5-E4\n");
  CHECK_FALSE(fred.app.next_tick());
  MotionWatcher second("flooprail", "E2-F2 E5-D5 C4-C5 F5-E5 D2-E2 G3-F3 C2-D2 G5-F5 E2-E3 E5-E4");
  second.type("E3-E5-G5-G3-E3");
  const int lit = second.count_marked(Mark::picked);
  CHECK(lit == 4);
  second.type("\n");
  REQUIRE(second.app.next_tick());
  CHECK(second.count_marked(Mark::picked) == lit);
  CHECK(second.count_marked(Mark::wrong) == 4);
  second.app.tick();
  CHECK_FALSE(second.app.next_tick());
  CHECK(second.count_marked(Mark::wrong) == 0);
}

TEST_CASE("moves that come together or at once are no film", "[motion]") {
  MotionWatcher fred("toot");
  fred.play_elsewhere("BT AO");
  CHECK_FALSE(fred.app.next_tick());
  CHECK(fred.count_marked(Mark::picked) == 0);
  MotionWatcher wilma("toot");
  wilma.play_elsewhere("BT");
  CHECK(wilma.app.next_tick());
  wilma.play_elsewhere("AO");
  CHECK_FALSE(wilma.app.next_tick());
  CHECK(wilma.count_marked(Mark::picked) == 0);
  // A ply that was taken back is not animated.
  MotionWatcher barney("toot", "BT AO");
  barney.play_elsewhere("undo");
  CHECK_FALSE(barney.app.next_tick());
}

TEST_CASE("nothing moves where that was chosen, and a game is played through without it",
          "[motion]") {
  MotionWatcher fred("chaos", "a3-c3");
  fred.set_motion(false);
  fred.play_elsewhere("e4-c2-c4-e4");
  CHECK_FALSE(fred.app.next_tick());
  CHECK(fred.count_marked(Mark::last) == 2);
  fred.type("#0\n ");
  REQUIRE(fred.app.next_tick());
  fred.app.tick();
  CHECK(fred.has_text("1 move follows"));
  CHECK(fred.count_marked(Mark::picked) == 0);
  fred.app.tick();
  CHECK_FALSE(fred.app.next_tick());
  CHECK_FALSE(fred.has_text("ahead"));
}

TEST_CASE("a game played through shows what is taken, as moves that come do", "[motion]") {
  MotionWatcher fred("chaos", "a3-c3 e4-c2-c4-e4");
  fred.type("#1\n ");
  REQUIRE(fred.app.next_tick());
  fred.app.tick();
  CHECK(fred.count_marked(Mark::picked) == 1);
  CHECK(fred.count_marked(Mark::wrong) == 0);
  fred.app.tick();
  CHECK(fred.count_marked(Mark::wrong) == 1);
  fred.app.tick();
  CHECK_FALSE(fred.app.next_tick());
  CHECK(fred.count_marked(Mark::last) == 2);
}

namespace {

// The same board on two screens; only one of them has animations.
class TwinScreens {
 public:
  TwinScreens(const std::string& game, const std::string& before, Size size,
              const std::string& term)
      : id_(still_user_.write_board(game, before).stem().string()) {
    fs::create_directories(still_user_.home_directory() / "config/pbmplay");
    still_user_.write_settings("motion: no\n");
    for (const TerminalUser* person : {&still_user_, &moving_user_}) {
      LaunchOptions launch =
          person->make_launch({"open", id_, "--saves", still_user_.saves_directory().string()});
      launch.rows = size.rows;
      launch.columns = size.columns;
      launch.term = term;
      runs_.push_back(std::make_unique<TerminalRun>(launch));
    }
  }
  void play_elsewhere(const std::string& ply) {
    record_byte_counts();
    LocalBoards others{still_user_.saves_directory(), still_user_.home_directory() / "none"};
    auto board = others.open(id_);
    REQUIRE(others.play(*board, shared_keyboard_requests(board->match, ply)).ok());
  }
  // Waits until both show the same, and returns the bytes that each has written meanwhile.
  std::pair<std::size_t, std::size_t> measure_bytes() {
    runs_[0]->wait_until("a move", [&] { return runs_[0]->bytes_written() > bytes_before_[0]; });
    runs_[0]->wait_idle();
    wait_until_same();
    return {runs_[0]->bytes_written() - bytes_before_[0],
            runs_[1]->bytes_written() - bytes_before_[1]};
  }

 private:
  void record_byte_counts() {
    bytes_before_.clear();
    for (const auto& run : runs_) {
      run->wait_idle();
      bytes_before_.push_back(run->bytes_written());
    }
  }
  void wait_until_same() {
    runs_[1]->wait_until("the same picture", [&] { return is_same_screen(); });
    runs_[1]->wait_idle();
  }
  // True if the cells look the same; ink and bold of a blank do not matter.
  static bool is_cell_alike(ScreenCell a, const ScreenCell& b) {
    if (a.glyph == " " || a.glyph.empty()) a.foreground = b.foreground, a.bold = b.bold;
    return a == b;
  }
  bool is_same_screen() {
    runs_[0]->read_for(Millis(1));
    for (int r = 0; r < runs_[0]->rows(); ++r)
      for (int c = 0; c < runs_[0]->columns(); ++c)
        if (!is_cell_alike(runs_[0]->cell(r, c), runs_[1]->cell(r, c))) return false;
    return true;
  }

  TerminalUser still_user_, moving_user_;
  std::string id_;
  std::vector<std::unique_ptr<TerminalRun>> runs_;
  std::vector<std::size_t> bytes_before_;
};

}  // namespace

TEST_CASE("a move that is seen being played costs at most twice its bytes", "[motion][screen]") {
  struct Game {
    const char *name, *before;
    std::vector<std::string> plies;
  };
  const std::vector<Game> games{{"toot", "BT AO", {"BO", "FT"}},
                                {"flooprail",
                                 "E2-F2 E5-D5 C4-C5 F5-E5 D2-E2 G3-F3 C2-D2 G5-F5 E2-E3 E5-E4",
                                 {"E3-E5-G5-G3-E3", "D6-C6", "C5-E5", "E6-E4-E2-C2-C4"}},
                                {"chaos", "a3-c3", {"e4-c2-c4-e4", "a2-c4-c2", "d3-a3-c5"}},
                                {"plotto", "a1 f3", {"b2", "c4"}},
                                {"soccolot", "3rs 3rn 3rs", {"3rn", "3rs", "3dw"}}};
  std::vector<std::unique_ptr<TwinScreens>> boards;
  std::vector<std::pair<const Game*, std::string>> of;
  for (const auto& [term, size] :
       {std::pair{"xterm-256color", kScreenSize}, std::pair{"vt100", Size{12, 40}}})
    for (const Game& game : games) {
      boards.push_back(std::make_unique<TwinScreens>(game.name, game.before, size, term));
      of.emplace_back(&game, term);
    }
  std::size_t sum_still = 0, sum_moving = 0;
  for (std::size_t ply = 0; ply < 4; ++ply) {
    for (std::size_t i = 0; i < boards.size(); ++i)
      if (ply < of[i].first->plies.size()) boards[i]->play_elsewhere(of[i].first->plies[ply]);
    for (std::size_t i = 0; i < boards.size(); ++i) {
      if (ply >= of[i].first->plies.size()) continue;
      INFO(of[i].second << ": " << of[i].first->name << " " << of[i].first->plies[ply]);
      const auto [still, moving] = boards[i]->measure_bytes();
      CAPTURE(still, moving);
      CHECK(moving <= 2 * still);
      sum_still += still;
      sum_moving += moving;
    }
  }
  CHECK(sum_moving > sum_still + 100);
}
