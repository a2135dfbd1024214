// SPDX-License-Identifier: MIT
// Completion: the answers of the program to shells are valid, and Tab works in bash, zsh and fish.
#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "run.hpp"
#include "support.hpp"
#include "terminal.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

// A home with some boards and files.
struct CompletionHome : TestHome {
  void write_board(const std::string& file, const std::string& players,
                   const std::string& plies = "") const {
    fs::create_directories(saves_directory());
    std::ofstream(saves_directory() / (file + ".yaml"), std::ios::binary)
        << "format: 1\ngame: toot\noptions: []\nseats: " << players
        << "\nstarted: 2026-11-21T11:35:10Z\nplies:\n"
        << plies;
  }
  // Returns the candidates without their descriptions, including ":saves" and the like.
  Words offered_words(Words words) const {
    words.insert(words.begin(), "complete");
    const RunResult ran = (*this)(words);
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    REQUIRE(ran.err.empty());
    Words out;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
      out.push_back(line.substr(0, line.find('\t')));
    return out;
  }
};

bool contains_word(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// True if the program takes the offered option with that command. Other errors, as of its value, do
// not matter.
bool is_option_accepted(const std::string& command, const std::string& offered) {
  auto arguments = read_arguments({command, offered.back() == '=' ? offered + "2" : offered});
  REQUIRE(arguments.ok());
  const auto meant = resolve_command(*arguments);
  return meant || !pbm::test::contains(meant.refusal().reason, "' cannot be used");
}

}  // namespace

TEST_CASE("completion offers every command and every game first", "[complete]") {
  const CompletionHome home;
  const Words offered = home.offered_words({""});
  Words wanted;
  for (const Command& command : commands())
    if (!command.name.empty() && !command.is_hidden) wanted.push_back(command.name);
  REQUIRE(wanted.size() > all_games().size());
  CHECK(offered == wanted);
  for (const GameType& game : all_games()) CHECK(contains_word(wanted, std::string(game.name)));
  CHECK(home.offered_words({"FLO"}) == Words{"flooprail"});
  CHECK(home.offered_words({"nonsense"}).empty());
  CHECK(home.offered_words({"nonsense", ""}).empty());
  CHECK(home.offered_words({}) == offered);
}

TEST_CASE("an option is offered exactly where the program takes it", "[complete]") {
  const CompletionHome home;
  Words commands = home.offered_words({""});
  const Words all = home.offered_words({"--"});
  for (const std::string& command : commands) {
    const Words offered = home.offered_words({command, "--"});
    for (const ProgramOption& option : kProgramOptions) {
      const std::string text =
          "--" + std::string(option.name) + (option.value_syntax.empty() ? "" : "=");
      INFO(command << " " << text);
      CHECK(contains_word(offered, text) == is_option_accepted(command, text));
    }
  }
  CHECK(contains_word(all, "--theme="));
  CHECK_FALSE(contains_word(home.offered_words({"legal", "--"}), "--theme="));
  CHECK(contains_word(home.offered_words({"perft", "--"}), "--seats="));
  CHECK_FALSE(contains_word(home.offered_words({"--theme=amber", "--"}), "--theme="));  // only once
}

TEST_CASE("the games of a bot are offered one behind the other", "[complete]") {
  const CompletionHome home;
  const Words all = home.offered_words({"bot", "--games="});
  CHECK(all.size() == all_games().size());
  CHECK(contains_word(all, "--games=toot"));
  const Words more = home.offered_words({"bot", "--games=toot,"});
  CHECK(more.size() == all_games().size() - 1);
  CHECK(contains_word(more, "--games=toot,chaos"));
  CHECK(home.offered_words({"duel", "toot", "random", "random", "--games="}).empty());
}

TEST_CASE("lessons are offered by their games, puzzles by days and numbers", "[complete]") {
  const CompletionHome home;
  const std::string today = iso_time(now()).substr(0, 10);
  for (const char* command : {"lesson", "puzzle"})
    for (const GameType& game : all_games())
      CHECK(contains_word(home.offered_words({command, ""}), std::string(game.name)));
  CHECK(home.offered_words({"lesson", "toot", ""}).empty());
  CHECK(contains_word(home.offered_words({"puzzle", ""}), today));
  CHECK_FALSE(contains_word(home.offered_words({"puzzle", ""}), "1"));
  const Words puzzles = home.offered_words({"puzzle", "Toot", ""});
  CHECK(contains_word(puzzles, today));
  CHECK(contains_word(puzzles, "60"));
  CHECK(home.offered_words({"puzzle", "toot", "1", ""}).empty());
  // The last offered puzzle exists, and there is none after it.
  const auto opens = [&](const std::string& number) {
    RunResult ran = home({"puzzle", "toot", number, "--line"}, "quit\n");
    return ran.status == 0;
  };
  CHECK(opens(puzzles.back()));
  CHECK_FALSE(opens(std::to_string(std::stoul(puzzles.back()) + 1)));
  // Each description has the grade, and says if the puzzle is solved.
  fs::create_directories(home.saves_directory().parent_path());
  std::ofstream(home.saves_directory().parent_path() / "exercises") << "puzzle:toot-1\n";
  const std::string said = home({"complete", "puzzle", "toot", "1"}).out;
  CHECK(said.starts_with("1\twins in 2 moves, grade 1, solved\n10\twins in "));
  CHECK(home.offered_words({"analyse", "toot-101", "--level="}).size() == 10);
  CHECK(contains_word(home.offered_words({"hint", "toot-101", "--level", ""}), "10"));
  CHECK(home.offered_words({"perft", "--seats", ""}) == Words{"2", "3", "4", "5", "6", "7", "8"});
}

TEST_CASE("puzzles out of one's own games are offered by their numbers", "[complete]") {
  const CompletionHome home;
  CHECK_FALSE(contains_word(home.offered_words({"puzzle", ""}), "mine"));
  fs::create_directories(home.saves_directory().parent_path());
  const std::string puzzle =
      "format: 1\ngame: toot\noptions: []\nseats: [a, b]\n"
      "puzzle: {kind: better, grade: 3, plies: 1, instead: AO, line: [BT]}\nplies:\n";
  std::ofstream(home.saves_directory().parent_path() / "exercises-mine.yaml") << puzzle << "---\n"
                                                                              << puzzle << "- CT\n";
  CHECK(contains_word(home.offered_words({"puzzle", ""}), "mine"));
  CHECK(home.offered_words({"puzzle", "mine", ""}) == Words{"1", "2"});
  CHECK(contains(home({"complete", "puzzle", "mine", ""}).out, "1\tToot, better than AO\n"));
  CHECK(contains(home({"puzzle", "mine", "2", "--line"}, "quit\n").out,
                 "you played AO here as OTTO"));
}

TEST_CASE("a game to analyse is offered by its name", "[complete]") {
  const CompletionHome home;
  home.write_board("toot-101", "[fred, wilma]", "- BT\n");
  CHECK(contains_word(home.offered_words({"analyse", "t"}), "toot-101"));
  CHECK(contains_word(home.offered_words({"analyse", ""}), ":saves"));
  CHECK(contains_word(home.offered_words({"analyse", "toot-101", "--"}), "--notes"));
}

TEST_CASE("nothing is offered that an option given before it rules out", "[complete]") {
  const CompletionHome home;
  home.write_board("toot-101", "[fred, wilma]");
  // After an option for a server come only the commands that take it. Its boards are unknown here.
  CHECK(home.offered_words({"--socket", "s", ""}) ==
        Words{"open", "serve", "send", "waiting", "watch", "door", "bot"});
  CHECK(home.offered_words({"--connect=127.0.0.1:4000", ""}) == Words{"send", "waiting", "watch"});
  CHECK(home.offered_words({"--user", "fred", ""}) ==
        Words{"open", "send", "waiting", "watch", "door", "bot"});
  CHECK(home.offered_words({"--socket", "s", "open", ""}).empty());
  CHECK(home.offered_words({"open", "--user=fred", ""}).empty());
  CHECK(home.offered_words({"--socket=s", "toot", ""}).empty());
  CHECK(home.offered_words({"--record", ""}) == Words{"show"});
  for (const std::string& option : home.offered_words({"--"})) {
    if (option.back() != '=') continue;
    for (const std::string& command : home.offered_words({option + "1", ""})) {
      INFO(option << " " << command);
      CHECK(is_option_accepted(command, option));
    }
  }
  CHECK_FALSE(contains_word(home.offered_words({"--socket=s", "--"}), "--connect="));
  CHECK_FALSE(contains_word(home.offered_words({"send", "--connect", "127.0.0.1:4000", "--"}),
                            "--socket="));
  // Commands are in lower case; games in any case.
  CHECK(home.offered_words({"OPEN", ""}).empty());
  CHECK(contains_word(home.offered_words({"TOOT", "-"}), "-tootris"));
  // The value of an option is not a word of the command, even if the command comes later.
  CHECK(home.offered_words({"--dir", "toot", "s"}) == Words{"serve"});
  CHECK(home.offered_words({"--seats", "3", ""}) == Words{"engine"});
}

TEST_CASE("game options are offered with values that the game takes", "[complete]") {
  const CompletionHome home;
  for (const GameType& game : all_games()) {
    const std::string name(game.name);
    const Words options = home.offered_words({name, "-"});
    for (const OptionSpec& spec : game.options) {
      const std::string option = "-" + std::string(spec.name);
      INFO(name << " " << option);
      CHECK(contains_word(options, option + (spec.check_value ? "=" : "")));
      CHECK(contains_word(home.offered_words({"new", "x.yaml", name, "-"}),
                          option + (spec.check_value ? "=" : "")));
      if (!spec.check_value) continue;
      const Words values = home.offered_words({name, option + "="});
      CHECK_FALSE(values.empty());
      for (const std::string& value : values) CHECK(read_options(game, {value}).ok());
    }
    CHECK(contains_word(home.offered_words({name, "--"}), "--field=") ==
          !game.drawing_styles.empty());
  }
  CHECK(home.offered_words({"soccolot", "--field="}) ==
        Words{"--field=a", "--field=b", "--field=c"});
  CHECK(home.offered_words({"show", "x.yaml", "-"}) ==
        home.offered_words({"show", "x.yaml", "--"}));  // no game, no game options
}

TEST_CASE("boards, people, moves, themes and files are offered where they belong", "[complete]") {
  const CompletionHome home;
  home.write_board("toot-101", "[fred, wilma]", "- {move: BT, at: 2026-11-21T11:36:02Z}\n");
  for (const char* command : {"open", "show", "legal", "move"}) {
    INFO(command);
    CHECK(home.offered_words({command, "toot"}) == Words{"toot-101", ":saves"});
    CHECK(contains_word(home.offered_words({command, ""}), "example:toot"));
    CHECK(home.offered_words({command, "x", "toot"}).empty());
  }
  CHECK(home.offered_words({"new", ""}) == Words{":files"});
  CHECK(home.offered_words({"new", "x.yaml", "to"}) == Words{"toot", "tootris"});
  CHECK(home.offered_words({"tootris", "-s"}) == Words{"-size="});
  CHECK(home.offered_words({"tootris", "-t"}).empty());
  CHECK(home.offered_words({"toot", ""}) == Words{"fred", "wilma"});
  CHECK(home.offered_words({"toot", "fred", ""}) == Words{"wilma"});
  CHECK(home.offered_words({"new", "x.yaml", "toot", "-size=7x9", "w"}) == Words{"wilma"});
  // Offers the legal moves after those already typed, in any case.
  CHECK(home.offered_words({"move", "toot-101", ""}) ==
        split_words(home({"legal", "toot-101"}).out));
  CHECK(home.offered_words({"move", "toot-101", "bo", "b"}) == Words{"BO", "BT"});
  CHECK(home.offered_words({"move", "toot-101", "bo", "bo", "bt", "b"}).empty());  // full
  CHECK(home.offered_words({"move", "toot-101", "??", ""}).empty());
  CHECK(home.offered_words({"move", "no-board", ""}).empty());
  CHECK(home.offered_words({"--theme", "am"}) == Words{"amber"});
  // Offers files only if no theme fits.
  Words themes;
  for (const auto& theme : fs::directory_iterator(source_root() / "themes"))
    themes.push_back("--theme=" + theme.path().stem().string());
  std::sort(themes.begin(), themes.end());
  CHECK(home.offered_words({"--theme="}) == themes);
  CHECK(home.offered_words({"--theme=./am"}) == Words{":files"});
  CHECK(home.offered_words({"--saves", "x"}) == Words{":directories"});
  CHECK(home.offered_words({"help", "tootr"}).empty());
  CHECK(home.offered_words({"--saves=/nonexistent", "open", "toot"}) == Words{":saves"});
  CHECK(home.offered_words({"open", "--saves", home.saves_directory().string(), "toot"}) ==
        Words{"toot-101", ":saves"});
}

TEST_CASE(
    "completion never offers what a shell would take for more than a word, and changes nothing",
    "[complete]") {
  const CompletionHome home;
  home.write_board("toot-101", "[\"$(id)\", \"a;b\"]");
  home.write_board("two words", "[\"back`tick\", \"x'y\"]");
  home.write_board("$HOME", "[\"-rf\", \"#1\"]");
  home.write_board("-x", "[\"a&b\", \"\\e[2J\"]");
  home.write_board("new\nline", "[\"gl*b\", \"~root\"]");
  home.write_board("kept", "[\"jos\xc3\xa9\", fred]");
  CHECK(home.offered_words({"open", ""}).size() ==
        2 + 1 + home.offered_words({"open", "example:"}).size() - 1);
  CHECK(contains_word(home.offered_words({"open", ""}), "kept"));
  CHECK(home.offered_words({"toot", ""}) == Words{"jos\xc3\xa9", "fred"});
  const CompletionHome empty;
  for (const Words& line : {Words{""},
                            {"open", ""},
                            {"toot", ""},
                            {"--theme="},
                            {"move", "example:toot", ""},
                            {"new", ""},
                            {"move", "example:toot", "BT", "\x1b[2J"}})
    (void)empty.offered_words(line);
  CHECK(fs::is_empty(empty.dir.path()));
  // A wrong line gives no candidates and no messages.
  for (const Words& line : {Words{"--nonsense", ""},
                            {"--theme", "--theme=", ""},
                            {"toot", "-nonsense=", "-x="},
                            {"--", "--"},
                            {"open", "\xff"},
                            {"perft", "--seats=x", "to"}})
    (void)home.offered_words(line);
}

namespace {

// A shell at a terminal, with this program's completion.
class ShellRun {
 public:
  ShellRun(const std::string& name, const fs::path& file) {
    fs::create_directories(home_.dir / "bin");
    fs::create_symlink(require_program(), home_.dir / "bin/pbmplay");
    const std::string completions = (source_root() / "src/cli/completions").string();
    std::ofstream(home_.dir / "bashrc")
        << "PS1='$ '\nsource '" << completions << "/pbmplay.bash'\n";
    std::ofstream(home_.dir / ".zshrc") << "PS1='$ '\nfpath=('" << completions
                                        << "' $fpath)\nautoload -U compinit\ncompinit -u -D\n";
    std::ofstream(home_.dir / "my game.yaml") << "format: 1\n";
    std::ofstream(home_.dir / "my notes.txt") << "no save\n";
    LaunchOptions launch;
    launch.program = file;
    launch.home = home_.dir.path();
    launch.columns = 100;
    launch.environment = {{"PATH", (home_.dir / "bin").string() + ":/usr/bin:/bin"},
                          {"ZDOTDIR", home_.dir.path().string()},
                          {"XDG_DATA_HOME", std::nullopt}};
    if (name == "bash")
      launch.arguments = {"--noprofile", "--rcfile", (home_.dir / "bashrc").string(), "-i"};
    if (name == "zsh") launch.arguments = {"-d", "-i"};
    if (name == "fish")
      launch.arguments = {"--no-config", "-C",
                          "set fish_greeting; function fish_prompt; echo -n '$ '; end; source '" +
                              completions + "/pbmplay.fish'"};
    run_ = std::make_unique<TerminalRun>(launch);
    run_->wait_until("a prompt", [&] { return run_->has_text("$"); });
  }

  // Types the text with its Tabs on an empty line, and waits for the wanted line.
  void check_completion(std::string_view typed, const std::string& wanted) {
    run_->type("\x15");  // Ctrl-U
    INFO("typed: " << typed);
    for (std::size_t i = 0; i < typed.size(); ++i) {
      run_->type(typed.substr(i, 1));
      if (typed[i] == '\t') run_->wait_quiet(Millis(150));
    }
    // The place of the cursor shows if a blank follows.
    run_->wait_until("the line '$ " + wanted + "'", [&] {
      const ScreenPoint cursor = run_->cursor();
      std::string line = run_->row(cursor.row);
      line.resize(static_cast<std::size_t>(cursor.column), ' ');
      return line == "$ " + wanted;
    });
  }

 private:
  CompletionHome home_;
  std::unique_ptr<TerminalRun> run_;
};

}  // namespace

TEST_CASE("Tab completes at a real bash, zsh and fish", "[complete]") {
  for (const std::string name : {"bash", "zsh", "fish"}) {
    fs::path file = "/usr/bin/" + name;
    if (!fs::exists(file)) file = "/bin/" + name;
    if (!fs::exists(file)) {
      skip_test("there is no " + name);
      continue;
    }
    INFO(name);
    ShellRun shell(name, file);
    shell.check_completion("pbmplay flo\t", "pbmplay flooprail ");
    shell.check_completion("pbmplay toot -s\t", "pbmplay toot -size=");
    shell.check_completion("pbmplay toot -size=7\t", "pbmplay toot -size=7x9 ");
    shell.check_completion("pbmplay --theme=am\t", "pbmplay --theme=amber ");
    // Only the theme, not "my game.yaml".
    shell.check_completion("pbmplay --theme=m\t", "pbmplay --theme=mono ");
    shell.check_completion("pbmplay --theme=my\t", "pbmplay --theme=my\\ ");
    shell.check_completion("pbmplay --theme am\t", "pbmplay --theme amber ");
    shell.check_completion("pbmplay show example:flooprail-\t",
                           "pbmplay show example:flooprail-reverse ");
    shell.check_completion("pbmplay move example:tootris bo\tc",
                           "pbmplay move example:tootris BO c");
    shell.check_completion("pbmplay show ex\ttootr\t", "pbmplay show example:tootris ");
    shell.check_completion("pbmplay show my\t", "pbmplay show my\\ game.yaml ");
  }
}
