// SPDX-License-Identifier: MIT
// Settings: the valid content of the file, the treatment of other content, and changes that leave
// the rest of the file alone.
#include "ui/settings.hpp"

#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

// A settings file with a given text.
struct SettingsFile {
  TemporaryDirectory directory;
  explicit SettingsFile(const std::string& text) {
    std::ofstream(path(), std::ios::binary) << text;
  }
  fs::path path() const { return directory / "settings.yaml"; }
  std::string text() const { return read_bytes(path()); }
};

Result<Success> change_settings(Settings& settings,
                                const std::function<void(Preferences&)>& change) {
  return settings.change(change);
}

}  // namespace

TEST_CASE("without a file everything is as usual, and the first change makes it", "[settings]") {
  const TemporaryDirectory dir;
  Settings settings(dir / "new" / "settings.yaml");
  CHECK(settings.warning().empty());
  CHECK(settings.preferences() == Preferences{});
  CHECK((settings.preferences().has_bell && settings.preferences().has_motion &&
         !settings.preferences().mouse_choice && !settings.preferences().should_confirm));
  REQUIRE(change_settings(settings, [](Preferences& p) { p.has_bell = false; }).ok());
  CHECK(read_bytes(dir / "new" / "settings.yaml") == "bell: no\n");
  CHECK_FALSE(Settings(dir / "new" / "settings.yaml").preferences().has_bell);
}

TEST_CASE("every setting is read, in any case and order, and empty ones are as usual",
          "[settings]") {
  const SettingsFile all(
      "name: 'fred b'\ntutor: yes\npace: 0.5\nmotion: False\nconfirm: "
      "YES\nbell: "
      "false\nmouse: "
      "true\nsize: 2\nfield: "
      "C\ntheme: "
      "amber\n");
  CHECK(Settings(all.path()).preferences() == Preferences{.theme = "amber",
                                                          .field = 'c',
                                                          .board_size = 2,
                                                          .mouse_choice = true,
                                                          .has_bell = false,
                                                          .should_confirm = true,
                                                          .has_tutor = true,
                                                          .has_motion = false,
                                                          .pace_ms = 500,
                                                          .player_name = "fred b"});
  CHECK(Settings(all.path()).warning().empty());
  for (const char* text :
       {"", "\n\n", "# nothing\n  # yet", "theme:\nname:\n", "---\nother: [1, {a: b}]\n"}) {
    INFO(text);
    const SettingsFile file(text);
    CHECK(Settings(file.path()).preferences() == Preferences{});
    CHECK(Settings(file.path()).warning().empty());
  }
}

TEST_CASE("a value that is none is told with its line, and the usual one holds", "[settings]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"mouse: maybe", "'mouse:' should be auto, yes or no."},
      {"bell: 1", "'bell:' should be yes or no."},
      {"confirm: [yes]", "'confirm:' should be yes or no."},
      {"bell:", "'bell:' should be yes or no."},
      {"motion: slow", "'motion:' should be yes or no."},
      {"pace: 3", "'pace:' should be 0.1, 0.2, 0.5, 1, 2, 4 or 8."},
      {"field: ab", "'field:' should be one letter or auto."},
      {"field: 7", "'field:' should be one letter or auto."},
      {"size: 5", "'size:' should be auto, 1, 2, 3 or 4."},
      {"name: {fred: 1}", "'name:' should be a player's name."},
      {"name: a name that is too long", "'name:' should be a player's name."},
      {"name: computer:3", "'name:' should be a player's name."},
      {"name: ' fred'", "'name:' should be a player's name."},
      {"name: \"\\e[2J\"", "'name:' should be a player's name."},
  };
  for (const auto& [line, why] : wrong) {
    INFO(line);
    const SettingsFile file("# mine\n" + line + "\nconfirm2: x\n");
    Settings settings(file.path());
    CHECK(settings.warning() == "settings.yaml, line 2: " + why);
    CHECK(settings.preferences() == Preferences{});
    // The rest of the file can be used and changed.
    REQUIRE(change_settings(settings, [](Preferences& p) { p.theme = "mono"; }).ok());
    CHECK(file.text() == "# mine\n" + line + "\nconfirm2: x\ntheme: mono\n");
  }
}

TEST_CASE("a change leaves comments, blanks and other keys as they are", "[settings]") {
  const SettingsFile file(
      "# mine\ntheme: \"a # b\"  # was amber\n\nfield: b\t# the second\nother: 1\nbell: no # 'tis "
      "late");
  Settings settings(file.path());
  CHECK(settings.preferences().theme == "a # b");
  REQUIRE(change_settings(settings, [](Preferences& p) {
            p.theme = "it's \"x\" # no: y", p.field = 'c', p.player_name = "no";
          }).ok());
  CHECK(file.text() ==
        "# mine\ntheme: \"it's \\\"x\\\" # no: y\"  # was amber\n\nfield: c\t# the second\nother: "
        "1\nbell: no # 'tis late\nname: \"no\"\n");
  REQUIRE(change_settings(settings, [](Preferences& p) { p.has_bell = true; }).ok());
  CHECK(file.text().find("\nbell: yes # 'tis late\n") != std::string::npos);
  const Settings again(file.path());
  CHECK(again.warning().empty());
  CHECK(again.preferences() == settings.preferences());
}

TEST_CASE("what another program changed meanwhile stays, and nothing is written for nothing",
          "[settings]") {
  const SettingsFile file("theme: amber\n");
  Settings settings(file.path());
  std::ofstream(file.path()) << "theme: mono\nbell: no\n";
  REQUIRE(change_settings(settings, [](Preferences& p) { p.field = 'b'; }).ok());
  CHECK(file.text() == "theme: mono\nbell: no\nfield: b\n");
  const auto written = fs::last_write_time(file.path());
  REQUIRE(change_settings(settings, [](Preferences&) {}).ok());
  CHECK(fs::last_write_time(file.path()) == written);
}

TEST_CASE("what two programs turn is turned", "[settings]") {
  const SettingsFile file("");
  Settings one(file.path()), other(file.path());
  REQUIRE(change_settings(one, [](Preferences& p) { p.turned_boards.emplace_back("a"); }).ok());
  REQUIRE(change_settings(other, [](Preferences& p) { p.turned_boards.emplace_back("b"); }).ok());
  CHECK(file.text() == "turned: \"a b\"\n");
}

TEST_CASE("a file that cannot be read, or changed by a line, is left alone and that is said",
          "[settings]") {
  for (const char* text : {"field: [\n", "- a\n", "field: a\nfield: b\n", "a: \x01\n"}) {
    INFO(text);
    const SettingsFile file(text);
    Settings settings(file.path());
    CHECK(settings.warning().find("settings.yaml, line ") == 0);
    const auto done = change_settings(settings, [](Preferences& p) { p.field = 'c'; });
    REQUIRE_FALSE(done.ok());
    CHECK(done.refusal().reason == "This change is not saved. " + settings.warning());
    CHECK(settings.preferences().field == 'c');
    CHECK(file.text() == text);
  }
  for (const char* text :
       {"{theme: amber}\n", "theme: >\n  amber\n", "\"theme\": amber\n", "field: a\n...\n"}) {
    INFO(text);
    const SettingsFile file(text);
    Settings settings(file.path());
    CHECK(settings.warning().empty());
    const auto done = change_settings(settings, [](Preferences& p) { p.theme = "mono"; });
    REQUIRE_FALSE(done.ok());
    CHECK(done.refusal().reason ==
          "This change is not saved. settings.yaml does not have one plain 'key: value' a line.");
    CHECK(settings.preferences().theme == "mono");
    CHECK(file.text() == text);
  }
}

TEST_CASE("what the command line says is used and not remembered", "[settings]") {
  const SettingsFile file("theme: amber\n");
  Settings settings(file.path());
  Preferences given = settings.preferences();
  given.theme = "mono";
  settings.set_for_run(given);
  REQUIRE(change_settings(settings, [](Preferences& p) { p.mouse_choice = true; }).ok());
  CHECK(file.text() == "theme: amber\nmouse: yes\n");
  REQUIRE(change_settings(settings, [](Preferences& p) { p.theme = "contrast"; }).ok());
  CHECK(file.text() == "theme: contrast\nmouse: yes\n");
}

TEST_CASE("a full disk is told and changes nothing", "[settings]") {
  const SettingsFile file("theme: amber\n");
  Settings settings(file.path());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit none = before;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_FSIZE, &none);
  std::string why;
  try {
    (void)change_settings(settings, [](Preferences& p) { p.theme = "mono"; });
  } catch (const Error& e) {
    why = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(why.find("settings.yaml") != std::string::npos);
  CHECK(settings.preferences().theme == "amber");
  CHECK(file.text() == "theme: amber\n");
}

TEST_CASE("the settings refuse the name you, and read without it", "[settings]") {
  CHECK_FALSE(check_local_name("you").ok());
  CHECK_FALSE(check_local_name("You").ok());
  CHECK(check_local_name("young").ok());
  TemporaryDirectory dir;
  std::ofstream(dir / "settings.yaml") << "name: you\nfield: b\n";
  CHECK(Settings(dir / "settings.yaml").preferences().player_name.empty());
}
