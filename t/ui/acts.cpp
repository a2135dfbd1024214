// SPDX-License-Identifier: MIT
// Every action on a board and in the list of boards, for local boards beside a server and for the
// server's boards. Takes each row of the program's own tables of words and keys in each situation
// that matters. The parts are connected as in the program.
#include <poll.h>

#include <fstream>
#include <map>
#include <sstream>

#include "boards/remote_boards.hpp"
#include "boards/boards.hpp"
#include "listening.hpp"
#include "test_app.hpp"
#include "ui/board_session.hpp"
#include "ui/line_mode.hpp"
#include "ui/screens/board_modes.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// The arguments to test for each word that takes some.
const std::map<std::string_view, std::vector<std::string>>& behind() {
  static const std::map<std::string_view, std::vector<std::string>> table{
      {"note", {"well played", "#1 why", "-"}},
      {"try", {"1"}},
      {"copy", {"1"}},
      {"level", {"3", "3 wilma", "0"}},
      {"better", {"2"}},
      {"chat", {"hello"}},
      {"queue", {"AT", "none", "AO:BT"}},
      {"answers", {"none"}},
      {"show", {"1"}},
      {"words", {"1"}},
      {"analyse", {"notes"}},
      {"openings", {"1"}},
      {"field", {"b"}},
      {"help", {"toot"}},
  };
  return table;
}

// Returns every line that a front end understands, and some that it does not.
std::vector<std::string> lines_of_front(Front front) {
  std::vector<std::string> out{"", "AT", "AO", "ZZ", "#1", "#99"};
  for (const TypedWord& word : typed_words()) {
    if (front == Front::lines && word.where == TypedWord::Where::screen) continue;
    out.emplace_back(word.name);
    const auto more = behind().find(word.name);
    INFO("a word that takes something, and nothing here to put behind it: " << word.name);
    REQUIRE((word.syntax.empty() || more != behind().end()));
    if (!word.syntax.empty())
      for (const std::string& text : more->second)
        out.push_back(std::string(word.name) + " " + text);
  }
  return out;
}

// Commands for the server only.
const std::vector<std::string> kCommands{
    ":help", ":nonsense", ":", ":toot show 101", ":toot chat 101 fred * : hello", ":boards all"};

// Returns every key in the tables of a board's screen.
std::vector<Key> board_keys() {
  std::vector<Key> out{typed('r'), typed('a')};
  for (const auto* table : {&board_bindings(), &picking_bindings()})
    for (const auto& binding : *table)
      out.insert(out.end(), binding.keys.begin(), binding.keys.end());
  for (const TypedWord& word : typed_words())
    out.insert(out.end(), word.keys.begin(), word.keys.end());
  return out;
}

// A board so small that the computer knows all of it at once.
constexpr std::string_view kSmall = "-size=3x3";
const std::vector<std::string> kPlayed{"CT", "AO"},
    kOver{"AT", "AO", "AT", "BT", "BO", "BT", "CO", "CT", "CO"};

// A person at the screens of any boards, which are made anew for each board. The boards outlive it,
// as in the program: whoever has them is a base before this one.
struct AtScreens {
  AtScreens(const fs::path& home, Boards& its_boards)
      : boards(its_boards), settings(home / "settings.yaml") {
    Preferences still = settings.chosen();
    still.motion = false;
    settings.use(still);
  }
  virtual ~AtScreens() = default;
  // Everything that was asked for is there.
  virtual void settle() { app->boards_changed(); }

  void begin() {
    app.emplace(boards, settings, topic_of_tree, std::vector<fs::path>{source_root() / "themes"});
    settle();
  }
  void open(const std::string& id, const std::vector<Key>& then = {}) {
    begin();
    type(":open " + id + "\n");
    INFO(screen());
    REQUIRE(has(screen(), ", " + id + " "));
    for (const Key& key : then) app->press(key);
  }
  void press(const Key& key) {
    app->press(key);
    settle();
  }
  void type(std::string_view text) {
    for (const char c : text) app->press(c == '\n' ? kEnter : typed(static_cast<char32_t>(c)));
    settle();
  }
  std::string screen() { return text_of(app->draw(kScreen)); }
  // Waits until the screen shows the text, as the computer needs time.
  bool comes(std::string_view text) {
    for (const Moment until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
         !has(screen(), text) && std::chrono::steady_clock::now() < until;) {
      pollfd wait{app->changes(), POLLIN, 0};
      ::poll(&wait, 1, 1000);
      app->boards_changed();
    }
    INFO(screen());
    CHECK(has(screen(), text));
    return has(screen(), text);
  }

  Boards& boards;
  Settings settings;
  std::optional<App> app;
};

// A directory with fred's local boards.
struct OwnBoards {
  explicit OwnBoards(fs::path where) : directory(std::move(where)) {
    fs::create_directories(directory);
  }
  std::string make(const std::vector<std::string>& plies, const std::string& more = "",
                   std::string_view options = kSmall,
                   const std::string& seats = "fred, wilma") const {
    std::string text = "format: 1\ngame: toot\noptions: [" + std::string(options) + "]\nseats: [" +
                       seats + "]\n" + more + "started: 2026-11-23T09:00:00Z\nplies:\n";
    for (const std::string& ply : plies)
      text += "- {move: " + ply + ", at: 2026-11-23T09:00:00Z}\n";
    const fs::path file = directory / "mine.yaml";
    if (fs::exists(file) && bytes_of(file) == text) return "mine";
    for (const auto& old : fs::directory_iterator(directory)) fs::remove_all(old);
    std::ofstream(file) << text;
    return "mine";
  }
  fs::path directory;
};

// Boards of fred's own, and no server.
struct AloneBoards {
  explicit AloneBoards(const fs::path& home) : own(home / "saves"), cache(home / "cache") {}
  OwnBoards own;
  fs::path cache;
  LocalBoards local{own.directory, source_root() / "saves"};
  Exercises exercises{source_root() / "saves", cache / "exercises"};
  ComputerAttendant computer{local, {"", cache}};
  Boards all{local, nullptr, &exercises, &computer};
};

// fred with boards of his own, and no server.
struct Alone final : AloneBoards, AtScreens {
  explicit Alone(const fs::path& home) : AloneBoards(home), AtScreens(home, all) {}
};

// fred's boards at a server, put together as the program does it.
struct MemberBoards {
  explicit MemberBoards(const fs::path& home)
      : there(setup(home, true)), own(home / "saves"), cache(home / "cache") {
    for (auto [who, name] : {std::pair{&fred, "fred"}, {&wilma, "wilma"}, {&betty, "betty"}})
      REQUIRE(who->ask("as " + std::string(name)).starts_with("+OK"));
    REQUIRE(there.connect_within(std::chrono::seconds(20), "fred").ok());
  }
  RemoteBoards::Setup setup(const fs::path& home, bool screen) const {
    RemoteBoards::Setup out{dial_to(server.socket()), "the server", home / "servers"};
    out.screen = screen;
    return out;
  }

  // Makes a board between these two on the server, or reuses the last one if it did not change.
  std::string make(Raw& first, const std::string& a, Raw& second, const std::string& b,
                   const std::vector<std::string>& plies, std::string_view options = kSmall) {
    const auto file = [&] {
      return server.directory / ("toot-" + std::to_string(number) + ".yaml");
    };
    if (fs::exists(file()) && bytes_of(file()) == made) return "toot-" + std::to_string(number);
    const std::string board = std::to_string(++number);
    REQUIRE(first.ask("toot challenge " + a + " " + b + " " + std::string(options))
                .starts_with("+OK Board " + board));
    for (std::size_t i = 0; i < plies.size(); ++i)
      REQUIRE((i % 2 == 0 ? first : second)
                  .ask("toot move " + board + " " + (i % 2 == 0 ? a : b) + " * " + plies[i])
                  .starts_with("+OK"));
    made = bytes_of(file());
    return "toot-" + board;
  }

  Hosted server;
  RemoteBoards there;
  OwnBoards own;
  fs::path cache;
  LocalBoards local{own.directory, source_root() / "saves", LocalBoards::Scope::anywhere,
                    kOwnBoards};
  Exercises exercises{source_root() / "saves", cache / "exercises"};
  ComputerAttendant computer{local, {"", cache}};
  Boards all{local, &there, &exercises, &computer};
  Raw fred{server.socket()}, wilma{server.socket()}, betty{server.socket()};
  int number = 100;
  std::string made;
};

// fred at a server.
struct Member final : MemberBoards, AtScreens {
  explicit Member(const fs::path& home) : MemberBoards(home), AtScreens(home, all) {}
  // What is asked for later is answered later; twice, as an answer may ask for more.
  void settle() override {
    for (int round = 0; round < 2; ++round) {
      bool done = false;
      const Handle last = all.ask("", [&]() -> Callback { return [&] { done = true; }; });
      while (!done) {
        pollfd wait{app->changes(), POLLIN, 0};
        REQUIRE(::poll(&wait, 1, 10'000) == 1);
        app->boards_changed();
      }
      app->boards_changed();
    }
  }
};

// Returns the text of the screen without its first row, "own:" before ids, and extra blanks.
std::string told(const std::string& screen) {
  std::string out;
  for (const std::string& word : words(screen.substr(screen.find('\n'))))
    out += (out.empty() ? "" : " ") + (word.starts_with("own:") ? word.substr(4) : word);
  return out;
}

// Returns the id of the open board, from the title.
std::string shown_board(Member& member) {
  const std::string title = row_text(member.app->draw({24, 160}), 0);
  return words(title.substr(title.rfind(", ") + 2)).front();
}

// Keys that create a situation on an open board.
using Ways = std::vector<std::pair<std::string, std::vector<Key>>>;
const Ways kForLines{{"as it is", {}}, {"trying moves", {{Key::Code::function, 3}}}};
const Ways kForKeys{{"as it is", {}}, {"looking back", {ctrl('P')}}, {"picking", {kTab}}};

// The kinds of boards that a user of a server can open.
using Kinds = std::vector<std::pair<std::string, std::function<std::string(Member&)>>>;
const Kinds& kinds() {
  static const Kinds table{
      {"own", [](Member& m) { return "own:" + m.own.make(kPlayed); }},
      {"own, with the computer",
       [](Member& m) { return "own:" + m.own.make(kPlayed, "computer: {2: 1}\n"); }},
      {"own, over", [](Member& m) { return "own:" + m.own.make(kOver); }},
      {"his turn", [](Member& m) { return m.make(m.fred, "fred", m.wilma, "wilma", kPlayed); }},
      {"her turn", [](Member& m) { return m.make(m.fred, "fred", m.wilma, "wilma", {"CT"}); }},
      {"over", [](Member& m) { return m.make(m.fred, "fred", m.wilma, "wilma", kOver); }},
      {"of others", [](Member& m) { return m.make(m.wilma, "wilma", m.betty, "betty", kPlayed); }},
  };
  return table;
}

}  // namespace

TEST_CASE("a board of one's own takes each line and key as if no server stood beside it",
          "[acts]") {
  const TemporaryDirectory here, there;
  Alone alone(here.path());
  Member member(there.path());
  // Leaves out words about other boards, and help that the computer gives later.
  const std::vector<std::string> other{"next",    "boards",  "help",     "hint",
                                       "threats", "analyse", "openings", "openings 1"};
  const std::vector<Key> elsewhere{ctrl('G'), typed('?'), kEsc, {Key::Code::function, 6}};
  const auto compare = [&](const auto& plies, const auto& way, const auto& act) {
    alone.open(alone.own.make(plies), way);
    member.open("own:" + member.own.make(plies), way);
    act(alone);
    act(member);
    CHECK(told(member.screen()) == told(alone.screen()));
    CHECK(member.app->done() == alone.app->done());
  };
  for (const auto& plies : {kPlayed, kOver}) {
    INFO("after " << plies.size() << " moves");
    for (const auto& [name, way] : kForLines)
      for (const std::string& line : lines_of_front(Front::screen)) {
        if (std::find(other.begin(), other.end(), line) != other.end()) continue;
        INFO(name << ", '" << line << "'");
        compare(plies, way, [&](AtScreens& who) { who.type(line + "\n"); });
      }
    for (const auto& [name, way] : kForKeys)
      for (const Key& key : board_keys()) {
        if (std::find(elsewhere.begin(), elsewhere.end(), key) != elsewhere.end()) continue;
        INFO(name << ", " << key_name(key));
        compare(plies, way, [&](AtScreens& who) { who.press(key); });
      }
  }
}

TEST_CASE("beside a server no line and no key ends the program, on any kind of board", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  for (const auto& [kind, make] : kinds()) {
    std::vector<std::string> lines = lines_of_front(Front::screen);
    lines.insert(lines.end(), kCommands.begin(), kCommands.end());
    for (const auto& [name, way] : kForLines)
      for (const std::string& line : lines) {
        INFO(kind << ", " << name << ", '" << line << "'");
        member.open(make(member), way);
        member.type(line + "\n");
        const std::string screen = member.screen();
        CHECK(member.app->done() == (line == "quit"));
        if (line == ":help") CHECK(has(screen, "The commands."));
        if (line == ":nonsense") CHECK(has(screen, "There is no command 'nonsense'"));
      }
    for (const auto& [name, way] : {kForKeys.front(), kForKeys.back()})
      for (const Key& key : board_keys()) {
        INFO(kind << ", " << name << ", " << key_name(key));
        member.open(make(member), way);
        for (int times = 0; times < 2; ++times) member.app->press(key);
        member.settle();
        member.screen();
        CHECK_FALSE(member.app->done());
      }
  }
}

TEST_CASE("a copy of a board that people play on is helped with when that is over", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  const std::string id = member.make(member.fred, "fred", member.wilma, "wilma", kPlayed);
  const std::string number = id.substr(id.find('-') + 1);
  const std::string closed = "This is a copy of " + id + ", on which people play";
  member.open(id);
  member.type("copy\n");
  // The same holds for copies of the copy.
  for (const char* act : {"copy 1\n", "copy\n"}) {
    INFO(member.screen());
    for (const std::string line : {"", "hint\n", "threats\n", "analyse\n"}) {
      if (line.empty()) member.press({Key::Code::function, 6});
      else member.type(line);
      CHECK(has(member.screen(), closed));
      member.press(ctrl('U'));
    }
    member.type("level 10\n");
    CHECK(has(member.screen(), closed));
    member.press(kEsc);
    member.type(act);
  }
  const std::string copy = shown_board(member);
  // Without the server, the program cannot know whether the game is over.
  const std::string file = (member.own.directory / (copy.substr(4) + ".yaml")).string();
  CHECK(has(bytes_of(file), id + "@the server"));
  LocalBoards alone(member.own.directory, source_root() / "saves");
  Boards boards(alone);
  BoardSession session(boards, *alone.open(copy.substr(4)));
  CHECK(session.enter("level 3", 0).refusal().why ==
        "This is a copy of " + id +
            ", on which people play: no help until that is over and this is opened beside its "
            "server, the server.");
  REQUIRE(member.wilma.ask("toot resign " + number + " wilma *").starts_with("+OK"));
  member.settle();
  member.open(copy);
  member.type("level 3\n");
  CHECK(has(member.screen(), "The computer plays"));
  // A copy of a finished game has no such limits.
  member.open(id);
  member.type("copy 1\n");
  CHECK_FALSE(has(bytes_of(member.own.directory / (shown_board(member).substr(4) + ".yaml")),
                  "@the server"));
}

TEST_CASE("a game that is over is analysed on a server's board as on one's own", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  const std::vector<std::string> plies{"AT", "CT", "CO", "CO", "CT"};
  const std::string size = "-size=4x4",
                    own = "own:" + member.own.make(plies, "", size, "wilma, fred"),
                    served = member.make(member.fred, "fred", member.wilma, "wilma", plies, size);
  for (const std::string& id : {own, served}) {
    INFO(id);
    member.open(id, {{Key::Code::function, 6}});
    if (!member.comes("{ and }")) continue;
    // Only fred's own mistakes become puzzles. fred has the second seat on the local board only.
    CHECK(has(member.screen(), "Yours are puzzles now") == (id == own));
    // F8 tries the better line, on the screen that shows the ply.
    member.type("{{");
    member.press({Key::Code::function, 8});
    CHECK(has(member.screen(), "Better for "));
    CHECK(has(member.screen(), "try"));
    CHECK(has(told(member.screen()), "type redo to play it"));
    member.press(ctrl('Y'));
    CHECK_FALSE(has(member.screen(), "Nothing was taken back"));
    member.press(kEsc);
    member.type("analyse notes\n");
    CHECK(has(member.screen(), "Noted on "));
    member.type("plies\n");
    const std::string noted = told(member.screen());
    CHECK(has(noted, "Note: [??"));
    member.open(id);
    member.type("plies\n");
    CHECK(told(member.screen()) == noted);
    member.open(id, {ctrl('P')});
    member.type("threats\n");
    member.comes("threat");
  }
}

TEST_CASE("what is typed in a trial is not kept for a board that is come back to", "[acts]") {
  const TemporaryDirectory home;
  Alone alone(home.path());
  alone.open(alone.own.make(kPlayed));
  alone.type("BT");
  CHECK(alone.app->left().ends_with("\nBT"));
  alone.press(ctrl('U'));
  alone.type("try\n");
  alone.type("BT");
  CHECK(alone.app->left().ends_with("\n"));
}

TEST_CASE("words of the list are refused in a sentence, and fetched again", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  member.make(member.fred, "fred", member.wilma, "wilma", {});
  member.begin();
  member.type("::talk now\n");
  CHECK(has(member.screen(), "Nothing follows talk."));
  member.type(":");
  member.press({Key::Code::up});
  CHECK(has(member.screen(), ":talk now"));
  member.press(kEsc);
  // A user of the server would not hear of a local board.
  member.type("e:new plotto wilma computer:3\n");
  CHECK(has(member.screen(), "wilma would not hear of it"));
  member.type(":new toot computer:2 computer:3\n");
  CHECK(has(member.screen(), "computer 2 against computer 3"));
}

TEST_CASE("beside a server no key ends the list of boards but those that leave", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  std::vector<Key> keys{ctrl('L'), kEnter, kEsc, kTab, kRubout, {Key::Code::remove}};
  for (char32_t c = U' '; c < 0x7F; ++c) keys.push_back(typed(c));
  for (char32_t n = 1; n <= 12; ++n) keys.push_back({Key::Code::function, n});
  for (const auto& [kind, make] : kinds()) {
    for (const Key& key : keys) {
      INFO(kind << ", " << key_name(key));
      const std::string id = make(member);
      member.begin();
      if (kind == "of others") member.type("e");
      // Opens that board, and returns to the list with it selected.
      member.type(":open " + id + "\n");
      member.press(kEsc);
      member.press(kEsc);
      for (int times = 0; times < 2; ++times) member.app->press(key);
      member.settle();
      member.screen();
      CHECK(member.app->done() == (key == typed('q')));
    }
  }
}

TEST_CASE("beside a server's boards there are lessons, puzzles and games with the computer",
          "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  const auto lobby = [&] {
    member.app.emplace(member.boards, member.settings, topic_of_tree,
                       std::vector{source_root() / "themes"});
    member.settle();
  };
  const auto shows = [&](std::string_view text) {
    INFO(member.screen());
    CHECK(has(member.screen(), text));
  };
  SECTION("a lesson, by word and from the rules") {
    lobby();
    shows("The computer plays, too");
    member.type(":lesson toot\n");
    shows(" Toot lesson ");
    lobby();
    member.press({Key::Code::function, 1});
    for (int i = 0; i < 3; ++i) member.press({Key::Code::down});
    member.type("l");
    shows(" Toot lesson ");
  }
  SECTION("a puzzle, of today and by its number; what is none is refused") {
    lobby();
    member.type(":puzzle\n");
    shows(" puzzle ");
    lobby();
    member.type(":puzzle toot 11\n");
    shows(" Toot -tootris puzzle 11: you are OTTO, win in 2 moves ");
    lobby();
    member.type(":puzzle toot 1999999\n");
    shows("There is no such puzzle");
    member.type(":puzzle never\n");
    shows("'never' is no day");
  }
  SECTION("a game with the computer, by the form, which has nothing of the server's then") {
    lobby();
    member.type("s");
    shows("   pair");
    for (int i = 0; i < 4; ++i) member.press(kTab);
    member.type("wilma");
    shows("   pair");
    for (int i = 0; i < 5; ++i) member.press(kRubout);
    member.type("computer:3");
    CHECK_FALSE(has(member.screen(), "   pair"));
    shows("Enter starts the game.");
    member.press(kEnter);
    shows("Toot: you against computer 3, own:toot-101");
    member.type("bt\n");
    REQUIRE(member.comes("computer (OTTO) drops"));
    CHECK(fs::exists(member.own.directory / "toot-101.yaml"));
  }
  SECTION("the same by a word, and by an arrow") {
    lobby();
    member.type(":new toot -size=5x4 computer:1\n");
    shows("Toot -size=5x4: you against computer 1, own:toot-101");
    lobby();
    member.type("s");
    for (int i = 0; i < 3; ++i) member.press(kTab);
    shows("< you >");
    member.press({Key::Code::left});
    shows("< computer 10 >");
    CHECK_FALSE(has(member.screen(), "   pair"));
    member.press({Key::Code::right});
    shows("   pair");
  }
}

TEST_CASE("beside a server no line ends what goes on line by line", "[acts]") {
  const TemporaryDirectory home;
  Member member(home.path());
  RemoteBoards there(member.setup(home.path(), false));
  REQUIRE(there.connect_as("fred").ok());
  ComputerAttendant computer(member.local, {"", home / "cache"});
  Boards boards(member.local, &there, &member.exercises, &computer);
  std::vector<std::string> lines = lines_of_front(Front::lines);
  lines.insert(lines.end(), kCommands.begin(), kCommands.end());
  for (const auto& [kind, make] : kinds())
    for (const std::string way : {"", "try\n"})
      for (const std::string& line : lines) {
        INFO(kind << ", " << way << "'" << line << "'");
        const std::string id = make(member);
        std::istringstream in("open " + id + "\n" + way + line + "\nquit\n");
        std::ostringstream out;
        line_by_line(boards, {}, Settings({}), topic_of_tree, in, out);
        CHECK(has(out.str(), "Board " + id + ", "));
        if (line == ":help") CHECK(has(out.str(), "The commands."));
      }
}

TEST_CASE("a file that was open is come back to from any directory", "[acts]") {
  const TemporaryDirectory home;
  Alone alone(home.path());
  const fs::path here = fs::current_path(), file = home / "rel.yaml";
  REQUIRE(write_new_save(file, *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, {})));
  fs::current_path(home.path());
  alone.open("rel.yaml");
  const std::string left = alone.app->left();
  fs::current_path(here);
  CHECK(has(left, "\n" + fs::canonical(file).string() + "\n"));
}

TEST_CASE("a board is come back to by its name, whatever lies in the current directory", "[acts]") {
  const TemporaryDirectory home;
  Alone alone(home.path());
  const std::string id = alone.own.make(kPlayed);
  const fs::path here = fs::current_path();
  std::ofstream(home / id) << "something else\n";
  fs::current_path(home.path());
  alone.open(id);
  const std::string left = alone.app->left();
  fs::current_path(here);
  CHECK(has(left, "\n" + id + "\n"));
}
