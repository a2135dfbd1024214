// SPDX-License-Identifier: MIT
// The content that each screen must have in a usual, the smallest and a large window, with colours
// and without. The scripts in t/scripts test the layout.
#include "terminal_user.hpp"
#include "test_app.hpp"

namespace pbm::test {
namespace {

struct ScreenExample {
  std::string name;
  std::vector<std::string> open_keys, texts;
  std::vector<std::string> small_texts{};  // instead of `texts` at 40x12, if not empty
  std::string back_keys = "\033";          // the keys that lead back to the lobby
};

const std::string kEscapeSequence = "\033", kRightSequence = "\033OC", kF1Sequence = "\033OP",
                  kF4Sequence = "\033OS", kCtrlP = "\020";

std::vector<ScreenExample> all_screens() {
  std::vector<ScreenExample> out{
      {"the lobby",
       {},
       {"pbmplay - 1 game, 1 waits for a move", "? help  q quit", "fred, wilma", "fred's turn",
        "Your turn 1", "Learn and practise", "today's puzzle, 5 lessons, 10 examples", "s start"},
       {"1 game, 1 waits", "? help  q quit", "fred's turn", "Your turn 1", "Learn and practise",
        "s start"},
       ""},
      {"its help",
       {"?"},
       {"Help: Boards", "F1 ", "the manual", "Esc back"},
       {"Help: Boards", "more", "Esc back"}},
      {"a word of the lobby",
       {":", "puzzle"},
       {" :puzzle", "puzzle [GAME|mine] [DAY|N]: solve today's puzzle or another"},
       {" :puzzle", "puzzle [GAME|mine] [DAY|N]: solve"}},
      {"a filter", {"/", "too"}, {"show only: too", "toot-101"}, {}, "\033\033"},
      {"a new board",
       {"s"},
       {"New game", "game         < Toot >", "player2", "Both players drop",
        "Enter starts the game", "drop letters"},
       {"New game", "< Toot >", "player2", "Enter starts the game.", "drop letters"}},
      {"the settings",
       {kF4Sequence},
       {"Settings", "theme        < default >", "colours and styles", "can be chosen",
        "Left and Right change it."},
       {"Settings", "< default >", "colours and styles", "PgDn: more",
        "Left and Right change it."}},
      {"what there is to read",
       {kF1Sequence},
       {"Manual", "soccolot   the rules: kick the ball", "Enter read"},
       {"Manual", "chaos      the rules: jump over", "Enter read"}},
      {"a lesson",
       {":lesson toot\r"},
       {"Toot lesson", "1/8: You are TOOT", "lowest free place", "you (TOOT)>", "6 T 6 O",
        "F6 hint"},
       {"Toot lesson", "1/8: You are TOOT", " ... Enter: more", "you (TOOT)>", "A B C D E F"}},
      {"a wrong move there",
       {":lesson toot\r", "ao\r"},
       {"Toot lesson", "1/8: You are TOOT", "this step", "you (TOOT)> ao"},
       {"Toot lesson", "Drop a T into column A", "That move is legal", "you (TOOT)> ao"},
       "\033\033"},
      {"a puzzle",
       {":puzzle toot 11\r"},
       {"Toot -tootris puzzle 11: you are OTTO, win", "OTTO you", "Find the only move", " tries.",
        "you (OTTO)>", "F6 hint"},
       {"Toot -tootris puzzle 11", "You are OTTO. Find the", "you (OTTO)>"}},
      {"a board of a game that goes on",
       {":open toot-101\r"},
       {"Toot: fred against wilma, toot-101", "> TOOT fred", "wilma drops a T down column A.",
        "1 CT", "fred (TOOT)>", "Tab cursor"},
       {"Toot: fred against wilma", "> TOOT fred", "wilma drops a T down column A.", "1 CT",
        "fred (TOOT)>"}},
      {"a refused move",
       {":open toot-101\r", "zz"},
       {"There is no column Z. The columns are A to F.", "fred (TOOT)> zz"},
       {"There is no column Z.", "fred (TOOT)> zz"},
       "\033\033"},
      {"its first help",
       {":open toot-101\r", "?"},
       {"Help: Toot", "play the typed or picked move", "show all keys and words", "the end"},
       {"Help: Toot", "play the typed or", "more"},
       "\033\033"},
      {"its rules",
       {":open toot-101\r", kF1Sequence},
       {"Rules", "Toot", "l lesson"},
       {"Rules", "Toot"},
       "\033\033"},
      {"what is threatened",
       {":open toot-101\r", "threats\r"},
       {"No threats from wilma.", "fred (TOOT)>"},
       {"No threats from wilma", "fred (TOOT)>"},
       "\033\033"},
      {"the past",
       {":open toot-101\r", kCtrlP},
       {"1 move follows.", "move 1, wilma (OTTO)>"},
       {"follows.", "move 1, wilma (OTTO)>"},
       "\033\033"},
      {"moves tried",
       {":open toot-101\r", "\033OR"},
       {"toot-101 - trying moves", "nothing is saved", "try: fred (TOOT)>"},
       {"Trying moves; nothing is saved", "try: fred (TOOT)>"},
       "\033\033"},
  };
  const std::map<std::string, std::string> boards{{"toot", "A B C D E F"},
                                                  {"flooprail", "O--O--O--.--.--X"},
                                                  {"plotto", " a "},
                                                  {"chaos", "d-   x x x x"},
                                                  {"soccolot", "SB"}};
  for (const GameType& game : all_games()) {
    const std::string title(game.title), name(game.name);
    std::string move(game.move_syntax);
    move = "A move is " + move.substr(0, move.find(' '));
    out.push_back({"a new board of " + title,
                   {":new " + name + " fred wilma\r"},
                   {title + ": ", move, "? help", "F1 rules"},
                   {title, move, "? help"}});
    if (const auto drawn = boards.find(name); drawn != boards.end())
      out.back().small_texts.push_back(drawn->second);
  }
  return out;
}

}  // namespace

TEST_CASE("each screen has what it is for at each size, with and without colours", "[terminal]") {
  for (const char* term : {"xterm-256color", "vt100"})
    for (const auto& [rows, columns] : {std::pair{24, 80}, {12, 40}, {60, 200}}) {
      TerminalUser person;
      person.write_toot_board({}, "ct at");
      LaunchOptions launch = person.make_launch();
      launch.term = term;
      launch.rows = rows;
      launch.columns = columns;
      TerminalRun run(launch);
      for (const ScreenExample& shown : all_screens()) {
        run.wait_idle();
        run.wait_for("? help  q quit");
        for (const std::string& keys : shown.open_keys) run.type(keys);
        const bool small = rows == 12 && !shown.small_texts.empty();
        const std::vector<std::string>& texts = small ? shown.small_texts : shown.texts;
        run.wait_for(texts.front());
        run.wait_idle();
        INFO(shown.name << ", " << term << ", " << columns << "x" << rows << "\n"
                        << run.screen_text());
        for (const std::string& text : texts) {
          CAPTURE(text);
          CHECK(run.has_text(text));
        }
        CHECK(run.has_colour() == (std::string(term) != "vt100"));
        for (const char key : shown.back_keys) {
          run.wait_idle();
          run.type(std::string(1, key));
        }
      }
      CHECK(one_per_line(run.unknown_output()) == "");
    }
}

}  // namespace pbm::test
