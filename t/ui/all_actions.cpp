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
#include "socket_server.hpp"
#include "test_app.hpp"
#include "ui/board_session.hpp"
#include "ui/line_mode.hpp"
#include "ui/screens/board_modes.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// The arguments to test for each word that takes some.
const std::map<std::string_view, std::vector<std::string>>& word_arguments() {
  static const std::map<std::string_view, std::vector<std::string>> table{
      {"note", {"well played", "#1 why", "-"}},
      {"try", {"1"}},
      {"copy", {"1"}},
      {"rename", {"mine", "../x"}},
      {"level", {"3", "3 wilma", "0"}},
      {"better", {"2"}},
      {"chat", {"hello"}},
      {"queue", {"AT", "none", "AO:BT"}},
      {"answers", {"none"}},
      {"show", {"1"}},
      {"words", {"1"}},
      {"analyse", {"notes"}},
      {"field", {"b"}},
      {"help", {"toot"}},
  };
  return table;
}

// Returns every line that a front end understands, and some that it does not.
std::vector<std::string> front_end_lines(FrontEnd front) {
  std::vector<std::string> out{"", "AT", "AO", "ZZ", "#1", "#99"};
  for (const TypedWord& word : typed_words()) {
    if (front == FrontEnd::line_mode && word.scope == TypedWord::Scope::screen_view) continue;
    out.emplace_back(word.name);
    const auto more = word_arguments().find(word.name);
    INFO("a word that takes something, and nothing here to put behind it: " << word.name);
    REQUIRE((word.syntax.empty() || more != word_arguments().end()));
    if (!word.syntax.empty())
      for (const std::string& text : more->second)
        out.push_back(std::string(word.name) + " " + text);
  }
  return out;
}

// Commands for the server only.
const std::vector<std::string> kServerCommands{
    ":help", ":nonsense", ":", ":toot show 101", ":toot chat 101 fred * : hello", ":boards all"};

// Returns every key in the tables of a board's screen.
std::vector<Key> board_keys() {
  std::vector<Key> out{character_key('r'), character_key('a')};
  for (const auto* table : {&board_bindings(), &picking_bindings()})
    for (const auto& binding : *table)
      out.insert(out.end(), binding.keys.begin(), binding.keys.end());
  for (const TypedWord& word : typed_words())
    out.insert(out.end(), word.keys.begin(), word.keys.end());
  return out;
}

// A board so small that the computer knows all of it at once.
constexpr std::string_view kSmallOption = "-size=3x3";
const std::vector<std::string> kSomePlies{"CT", "AO"},
    kFinishedPlies{"AT", "AO", "AT", "BT", "BO", "BT", "CO", "CT", "CO"};

// A person at the screens of any boards, which are made anew for each board. The boards outlive it,
// as in the program: whoever has them is a base before this one.
struct ScreenPlayer {
  ScreenPlayer(const fs::path& home, Boards& its_boards)
      : boards(its_boards), settings(home / "settings.yaml") {
    Preferences still = settings.preferences();
    still.has_motion = false;
    settings.set_for_run(still);
  }
  virtual ~ScreenPlayer() = default;
  // Everything that was asked for is there.
  virtual void wait_for_answers() { app->boards_changed(); }

  void restart_app() {
    app.emplace(boards, settings, read_help_topic, std::vector<fs::path>{source_root() / "themes"});
    wait_for_answers();
  }
  void open_board(const std::string& id, const std::vector<Key>& then = {}) {
    restart_app();
    type(":open " + id + "\n");
    INFO(screen_text());
    REQUIRE(contains(screen_text(), ", " + id + " "));
    for (const Key& key : then) app->press(key);
  }
  void press(const Key& key) {
    app->press(key);
    wait_for_answers();
  }
  void type(std::string_view text) {
    for (const char c : text)
      app->press(c == '\n' ? kEnter : character_key(static_cast<char32_t>(c)));
    wait_for_answers();
  }
  std::string screen_text() { return canvas_text(app->draw(kScreenSize)); }
  // Waits until the screen shows the text, as the computer needs time.
  bool wait_for_text(std::string_view text) {
    for (const SteadyTime until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
         !contains(screen_text(), text) && std::chrono::steady_clock::now() < until;) {
      pollfd wait{app->change_descriptor(), POLLIN, 0};
      ::poll(&wait, 1, 1000);
      app->boards_changed();
    }
    INFO(screen_text());
    CHECK(contains(screen_text(), text));
    return contains(screen_text(), text);
  }

  Boards& boards;
  Settings settings;
  std::optional<App> app;
};

// A directory with fred's local boards.
struct LocalSaves {
  explicit LocalSaves(fs::path where) : directory(std::move(where)) {
    fs::create_directories(directory);
  }
  std::string write_board(const std::vector<std::string>& plies, const std::string& more = "",
                          std::string_view options = kSmallOption,
                          const std::string& seats = "fred, wilma") const {
    std::string text = "format: 1\ngame: toot\noptions: [" + std::string(options) + "]\nseats: [" +
                       seats + "]\n" + more + "started: 2026-11-23T09:00:00Z\nplies:\n";
    for (const std::string& ply : plies)
      text += "- {move: " + ply + ", at: 2026-11-23T09:00:00Z}\n";
    const fs::path file = directory / "mine.yaml";
    if (fs::exists(file) && read_bytes(file) == text) return "mine";
    for (const auto& old : fs::directory_iterator(directory)) fs::remove_all(old);
    std::ofstream(file) << text;
    return "mine";
  }
  fs::path directory;
};

// Boards of fred's own, and no server.
struct AloneBoards {
  explicit AloneBoards(const fs::path& home) : own(home / "saves"), cache(home / "cache") {}
  LocalSaves own;
  fs::path cache;
  LocalBoards local{own.directory, source_root() / "saves"};
  Exercises exercises{source_root() / "saves", cache / "exercises"};
  ComputerSeats computer{local, {"", {cache}}};
  Boards all{local, nullptr, &exercises, &computer};
};

// fred with boards of his own, and no server.
struct LocalPlayer final : AloneBoards, ScreenPlayer {
  explicit LocalPlayer(const fs::path& home) : AloneBoards(home), ScreenPlayer(home, all) {}
};

// fred's boards at a server, put together as the program does it.
struct MemberBoards {
  explicit MemberBoards(const fs::path& home)
      : there(setup(home, true)), own(home / "saves"), cache(home / "cache") {
    for (auto [who, name] : {std::pair{&fred, "fred"}, {&wilma, "wilma"}, {&betty, "betty"}})
      REQUIRE(who->request("as " + std::string(name)).starts_with("+OK"));
    REQUIRE(there.connect_within(std::chrono::seconds(20), "fred").ok());
  }
  RemoteBoards::Setup setup(const fs::path& home, bool screen) const {
    RemoteBoards::Setup out{connector_to(server.socket_address()), "the server", home / "servers"};
    out.is_screen = screen;
    return out;
  }

  // Makes a board between these two on the server, or reuses the last one if it did not change.
  std::string make(RawConnection& first, const std::string& a, RawConnection& second,
                   const std::string& b, const std::vector<std::string>& plies,
                   std::string_view options = kSmallOption) {
    const auto file = [&] {
      return server.directory / ("toot-" + std::to_string(number) + ".yaml");
    };
    if (fs::exists(file()) && read_bytes(file()) == made) return "toot-" + std::to_string(number);
    const std::string board = std::to_string(++number);
    REQUIRE(first.request("toot challenge " + a + " " + b + " " + std::string(options))
                .starts_with("+OK Board " + board));
    for (std::size_t i = 0; i < plies.size(); ++i)
      REQUIRE((i % 2 == 0 ? first : second)
                  .request("toot move " + board + " " + (i % 2 == 0 ? a : b) + " * " + plies[i])
                  .starts_with("+OK"));
    made = read_bytes(file());
    return "toot-" + board;
  }

  ThreadServer server;
  RemoteBoards there;
  LocalSaves own;
  fs::path cache;
  LocalBoards local{own.directory, source_root() / "saves", LocalBoards::Scope::any_file,
                    kLocalPrefix};
  Exercises exercises{source_root() / "saves", cache / "exercises"};
  ComputerSeats computer{local, {"", {cache}}};
  Boards all{local, &there, &exercises, &computer};
  RawConnection fred{server.socket_address()}, wilma{server.socket_address()},
      betty{server.socket_address()};
  int number = 100;
  std::string made;
};

// fred at a server.
struct ServerPlayer final : MemberBoards, ScreenPlayer {
  explicit ServerPlayer(const fs::path& home) : MemberBoards(home), ScreenPlayer(home, all) {}
  // What is asked for later is answered later; twice, as an answer may ask for more.
  void wait_for_answers() override {
    for (int round = 0; round < 2; ++round) {
      bool done = false;
      const TaskHandle last =
          all.start_task("", [&]() -> Callback { return [&] { done = true; }; });
      while (!done) {
        pollfd wait{app->change_descriptor(), POLLIN, 0};
        REQUIRE(::poll(&wait, 1, 10'000) == 1);
        app->boards_changed();
      }
      app->boards_changed();
    }
  }
};

// Returns the text of the screen without its first row, "own:" before ids, and extra blanks.
std::string comparable_text(const std::string& screen) {
  std::string out;
  // The frame of the board is shorter behind a longer id.
  const std::size_t begin = screen.find("┬", screen.find('\n'));
  for (const std::string& word :
       split_words(screen.substr(begin == std::string::npos ? screen.find('\n') : begin)))
    out += (out.empty() ? "" : " ") + (word.starts_with("own:") ? word.substr(4) : word);
  return out;
}

// Returns the id of the open board, from the title.
std::string open_board_id(ServerPlayer& member) {
  const std::string title = row_text(member.app->draw({24, 160}), 0);
  return split_words(title.substr(title.rfind(", ") + 2)).front();
}

// Keys that create a situation on an open board.
using Situations = std::vector<std::pair<std::string, std::vector<Key>>>;
const Situations kLineSituations{{"as it is", {}}, {"trying moves", {{Key::Code::function, 3}}}};
const Situations kKeySituations{
    {"as it is", {}}, {"looking back", {control_key('P')}}, {"picking", {kTab}}};

// The kinds of boards that a user of a server can open.
using BoardKinds = std::vector<std::pair<std::string, std::function<std::string(ServerPlayer&)>>>;
const BoardKinds& board_kinds() {
  static const BoardKinds table{
      {"own", [](ServerPlayer& m) { return "own:" + m.own.write_board(kSomePlies); }},
      {"own, with the computer",
       [](ServerPlayer& m) {
         return "own:" + m.own.write_board(kSomePlies, "computer: {2: 1}\n");
       }},
      {"own, over", [](ServerPlayer& m) { return "own:" + m.own.write_board(kFinishedPlies); }},
      {"his turn",
       [](ServerPlayer& m) { return m.make(m.fred, "fred", m.wilma, "wilma", kSomePlies); }},
      {"her turn",
       [](ServerPlayer& m) { return m.make(m.fred, "fred", m.wilma, "wilma", {"CT"}); }},
      {"over",
       [](ServerPlayer& m) { return m.make(m.fred, "fred", m.wilma, "wilma", kFinishedPlies); }},
      {"of others",
       [](ServerPlayer& m) { return m.make(m.wilma, "wilma", m.betty, "betty", kSomePlies); }},
  };
  return table;
}

}  // namespace

TEST_CASE("a board of one's own takes each line and key as if no server stood beside it",
          "[acts]") {
  const TemporaryDirectory here, there;
  ::setenv("LOGNAME", "fred", 1);  // the userid of the other one: both are "you"
  LocalPlayer alone(here.path());
  ServerPlayer member(there.path());
  // Leaves out words about other boards, and help that the computer gives later.
  const std::vector<std::string> other{"next", "boards", "help", "hint", "threats", "analyse"};
  const std::vector<Key> elsewhere{
      control_key('G'), character_key('?'), kEsc, {Key::Code::function, 6}};
  const auto compare = [&](const auto& plies, const auto& way, const auto& act) {
    alone.open_board(alone.own.write_board(plies), way);
    member.open_board("own:" + member.own.write_board(plies), way);
    act(alone);
    act(member);
    CHECK(comparable_text(member.screen_text()) == comparable_text(alone.screen_text()));
    CHECK(member.app->is_done() == alone.app->is_done());
  };
  for (const auto& plies : {kSomePlies, kFinishedPlies}) {
    INFO("after " << plies.size() << " moves");
    for (const auto& [name, way] : kLineSituations)
      for (const std::string& line : front_end_lines(FrontEnd::screen)) {
        if (std::find(other.begin(), other.end(), line) != other.end()) continue;
        INFO(name << ", '" << line << "'");
        compare(plies, way, [&](ScreenPlayer& who) { who.type(line + "\n"); });
      }
    for (const auto& [name, way] : kKeySituations)
      for (const Key& key : board_keys()) {
        if (std::find(elsewhere.begin(), elsewhere.end(), key) != elsewhere.end()) continue;
        INFO(name << ", " << key_name(key));
        compare(plies, way, [&](ScreenPlayer& who) { who.press(key); });
      }
  }
  ::unsetenv("LOGNAME");
}

TEST_CASE("beside a server no line and no key ends the program, on any kind of board", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  for (const auto& [kind, make] : board_kinds()) {
    std::vector<std::string> lines = front_end_lines(FrontEnd::screen);
    lines.insert(lines.end(), kServerCommands.begin(), kServerCommands.end());
    for (const auto& [name, way] : kLineSituations)
      for (const std::string& line : lines) {
        INFO(kind << ", " << name << ", '" << line << "'");
        member.open_board(make(member), way);
        member.type(line + "\n");
        const std::string screen = member.screen_text();
        CHECK(member.app->is_done() == (line == "quit"));
        if (line == ":help") CHECK(contains(screen, "The commands."));
        if (line == ":nonsense") CHECK(contains(screen, "There is no command nonsense"));
      }
    for (const auto& [name, way] : {kKeySituations.front(), kKeySituations.back()})
      for (const Key& key : board_keys()) {
        INFO(kind << ", " << name << ", " << key_name(key));
        member.open_board(make(member), way);
        for (int times = 0; times < 2; ++times) member.app->press(key);
        member.wait_for_answers();
        member.screen_text();
        CHECK_FALSE(member.app->is_done());
      }
  }
}

TEST_CASE("a copy of a board that people play on is helped with when that is over", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  const std::string id = member.make(member.fred, "fred", member.wilma, "wilma", kSomePlies);
  const std::string number = id.substr(id.find('-') + 1);
  const std::string closed = "This is a copy of " + id + ", which people still play";
  member.open_board(id);
  member.type("copy\n");
  // The same holds for copies of the copy.
  for (const char* act : {"copy 1\n", "copy\n"}) {
    INFO(member.screen_text());
    for (const std::string line : {"", "hint\n", "threats\n", "analyse\n"}) {
      if (line.empty()) member.press({Key::Code::function, 6});
      else member.type(line);
      CHECK(contains(member.screen_text(), closed));
      member.press(control_key('U'));
    }
    member.type("level 10\n");
    CHECK(contains(member.screen_text(), closed));
    member.press(kEsc);
    member.type(act);
  }
  const std::string copy = open_board_id(member);
  // Without the server, the program cannot know whether the game is over.
  const std::string file = (member.own.directory / (copy.substr(4) + ".yaml")).string();
  CHECK(contains(read_bytes(file), id + "@the server"));
  LocalBoards alone(member.own.directory, source_root() / "saves");
  Boards boards(alone);
  BoardSession session(boards, *alone.open(copy.substr(4)));
  CHECK(session.enter("level 3", 0).refusal().reason ==
        "This is a copy of " + id +
            ", which people still play. The computer helps when that game is over and you open "
            "this one on its "
            "server, the server.");
  REQUIRE(member.wilma.request("toot resign " + number + " wilma *").starts_with("+OK"));
  member.wait_for_answers();
  member.open_board(copy);
  member.type("level 3\n");
  CHECK(contains(member.screen_text(), "The computer plays"));
  // A copy of a finished game has no such limits.
  member.open_board(id);
  member.type("copy 1\n");
  CHECK_FALSE(
      contains(read_bytes(member.own.directory / (open_board_id(member).substr(4) + ".yaml")),
               "@the server"));
}

TEST_CASE("a game that is over is analysed on a server's board as on one's own", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  const std::vector<std::string> plies{"AT", "CT", "CO", "CO", "CT"};
  const std::string size = "-size=4x4",
                    own = "own:" + member.own.write_board(plies, "", size, "wilma, fred"),
                    served = member.make(member.fred, "fred", member.wilma, "wilma", plies, size);
  for (const std::string& id : {own, served}) {
    INFO(id);
    member.open_board(id, {{Key::Code::function, 6}});
    if (!member.wait_for_text("{ and }")) continue;
    // Only fred's own mistakes become puzzles. fred has the second seat on the local board only.
    CHECK(contains(member.screen_text(), "Your mistakes are puzzles now") == (id == own));
    // F8 tries the better line, on the screen that shows the ply.
    member.type("{{");
    member.press({Key::Code::function, 8});
    CHECK(contains(member.screen_text(), "Better for "));
    CHECK(contains(member.screen_text(), "try"));
    CHECK(contains(comparable_text(member.screen_text()), "type redo to play it"));
    member.press(control_key('Y'));
    CHECK_FALSE(contains(member.screen_text(), "Nothing was taken back"));
    member.press(kEsc);
    member.type("analyse notes\n");
    CHECK(contains(member.screen_text(), "Noted on "));
    member.type("plies\n");
    const std::string noted = comparable_text(member.screen_text());
    CHECK(contains(noted, "Note: [??"));
    member.open_board(id);
    member.type("plies\n");
    CHECK(comparable_text(member.screen_text()) == noted);
    member.open_board(id, {control_key('P')});
    member.type("threats\n");
    member.wait_for_text("threat");
  }
}

TEST_CASE("what is typed in a trial is not kept for a board that is come back to", "[acts]") {
  const TemporaryDirectory home;
  LocalPlayer alone(home.path());
  alone.open_board(alone.own.write_board(kSomePlies));
  alone.type("BT");
  CHECK(alone.app->saved_state().ends_with("\nBT"));
  alone.press(control_key('U'));
  alone.type("try\n");
  alone.type("BT");
  CHECK(alone.app->saved_state().ends_with("\n"));
}

TEST_CASE("words of the list are refused in a sentence, and fetched again", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  member.make(member.fred, "fred", member.wilma, "wilma", {});
  member.restart_app();
  member.type("::talk now\n");
  CHECK(contains(member.screen_text(), "Type talk alone."));
  member.type(":");
  member.press({Key::Code::up});
  CHECK(contains(member.screen_text(), ":talk now"));
  member.press(kEsc);
  // A user of the server would not hear of a local board.
  member.type("e:new plotto wilma computer:3\n");
  CHECK(contains(member.screen_text(), "where wilma cannot join"));
  member.type(":new toot computer:2 computer:3\n");
  CHECK(contains(member.screen_text(), "computer 2 against computer 3"));
}

TEST_CASE("beside a server no key ends the list of boards but those that leave", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  std::vector<Key> keys{control_key('L'),       kEnter, kEsc, kTab, kBackspaceKey,
                        {Key::Code::delete_key}};
  for (char32_t c = U' '; c < 0x7F; ++c) keys.push_back(character_key(c));
  for (char32_t n = 1; n <= 12; ++n) keys.push_back({Key::Code::function, n});
  for (const auto& [kind, make] : board_kinds()) {
    for (const Key& key : keys) {
      INFO(kind << ", " << key_name(key));
      const std::string id = make(member);
      member.restart_app();
      if (kind == "of others") member.type("e");
      // Opens that board, and returns to the list with it selected.
      member.type(":open " + id + "\n");
      member.press(kEsc);
      member.press(kEsc);
      for (int times = 0; times < 2; ++times) member.app->press(key);
      member.wait_for_answers();
      member.screen_text();
      CHECK(member.app->is_done() == (key == character_key('q')));
    }
  }
}

TEST_CASE("beside a server's boards there are lessons, puzzles and games with the computer",
          "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  const auto lobby = [&] {
    member.app.emplace(member.boards, member.settings, read_help_topic,
                       std::vector{source_root() / "themes"});
    member.wait_for_answers();
  };
  const auto shows = [&](std::string_view text) {
    INFO(member.screen_text());
    CHECK(contains(member.screen_text(), text));
  };
  SECTION("a lesson, by word and from the rules") {
    lobby();
    shows("Welcome.");
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
    shows("There is no game 'never'.");
  }
  SECTION("a game with the computer, by the form, which has nothing of the server's then") {
    lobby();
    member.type("s");
    shows("   pair");
    for (int i = 0; i < 4; ++i) member.press(kTab);
    member.type("wilma");
    shows("   pair");
    for (int i = 0; i < 5; ++i) member.press(kBackspaceKey);
    member.type("computer:3");
    CHECK_FALSE(contains(member.screen_text(), "   pair"));
    shows("Enter starts the game");
    member.press(kEnter);
    shows("Toot: you against computer 3, own:toot-101");
    member.type("bt\n");
    REQUIRE(member.wait_for_text("computer (OTTO) drops"));
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
    CHECK_FALSE(contains(member.screen_text(), "   pair"));
    member.press({Key::Code::right});
    shows("   pair");
  }
}

TEST_CASE("beside a server no line ends what goes on line by line", "[acts]") {
  const TemporaryDirectory home;
  ServerPlayer member(home.path());
  RemoteBoards there(member.setup(home.path(), false));
  REQUIRE(there.connect_as("fred").ok());
  ComputerSeats computer(member.local, {"", {home / "cache"}});
  Boards boards(member.local, &there, &member.exercises, &computer);
  std::vector<std::string> lines = front_end_lines(FrontEnd::line_mode);
  lines.insert(lines.end(), kServerCommands.begin(), kServerCommands.end());
  for (const auto& [kind, make] : board_kinds())
    for (const std::string way : {"", "try\n"})
      for (const std::string& line : lines) {
        INFO(kind << ", " << way << "'" << line << "'");
        const std::string id = make(member);
        std::istringstream in("open " + id + "\n" + way + line + "\nquit\n");
        std::ostringstream out;
        run_line_mode(boards, {}, Settings({}), read_help_topic, in, out);
        CHECK(contains(out.str(), "Board " + id + ", "));
        if (line == ":help") CHECK(contains(out.str(), "The commands."));
      }
}

TEST_CASE("a file that was open is come back to from any directory", "[acts]") {
  const TemporaryDirectory home;
  LocalPlayer alone(home.path());
  const fs::path here = fs::current_path(), file = home / "rel.yaml";
  REQUIRE(write_new_save(file, *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, {})));
  fs::current_path(home.path());
  alone.open_board("rel.yaml");
  const std::string left = alone.app->saved_state();
  fs::current_path(here);
  CHECK(contains(left, "\n" + fs::canonical(file).string() + "\n"));
}

TEST_CASE("a board is come back to by its name, whatever lies in the current directory", "[acts]") {
  const TemporaryDirectory home;
  LocalPlayer alone(home.path());
  const std::string id = alone.own.write_board(kSomePlies);
  const fs::path here = fs::current_path();
  std::ofstream(home / id) << "something else\n";
  fs::current_path(home.path());
  alone.open_board(id);
  const std::string left = alone.app->saved_state();
  fs::current_path(here);
  CHECK(contains(left, "\n" + id + "\n"));
}
