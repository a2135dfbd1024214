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
struct File {
  TemporaryDirectory dir;
  explicit File(const std::string& text) { std::ofstream(path(), std::ios::binary) << text; }
  fs::path path() const { return dir / "settings.yaml"; }
  std::string text() const { return bytes_of(path()); }
};

Result<Done> set(Settings& settings, const std::function<void(Preferences&)>& change) {
  return settings.set(change);
}

}  // namespace

TEST_CASE("without a file everything is as usual, and the first change makes it", "[settings]") {
  const TemporaryDirectory dir;
  Settings settings(dir / "new" / "settings.yaml");
  CHECK(settings.warning().empty());
  CHECK(settings.chosen() == Preferences{});
  CHECK((settings.chosen().bell && settings.chosen().frames && settings.chosen().motion &&
         !settings.chosen().mouse && !settings.chosen().confirm));
  REQUIRE(set(settings, [](Preferences& p) { p.bell = false; }).ok());
  CHECK(bytes_of(dir / "new" / "settings.yaml") == "bell: no\n");
  CHECK_FALSE(Settings(dir / "new" / "settings.yaml").chosen().bell);
}

TEST_CASE("every setting is read, in any case and order, and empty ones are as usual",
          "[settings]") {
  const File all(
      "ahead: yes\nname: 'fred b'\ntutor: yes\npace: 0.5\nmotion: False\nframes: No\nconfirm: "
      "YES\nbell: "
      "false\nmouse: "
      "true\nsize: 2\nfield: "
      "C\ntheme: "
      "amber\n");
  CHECK(Settings(all.path()).chosen() == Preferences{.theme = "amber",
                                                     .field = 'c',
                                                     .size = 2,
                                                     .mouse = true,
                                                     .bell = false,
                                                     .confirm = true,
                                                     .tutor = true,
                                                     .frames = false,
                                                     .motion = false,
                                                     .pace = 500,
                                                     .ahead = true,
                                                     .name = "fred b"});
  CHECK(Settings(all.path()).warning().empty());
  for (const char* text :
       {"", "\n\n", "# nothing\n  # yet", "theme:\nname:\n", "---\nother: [1, {a: b}]\n"}) {
    INFO(text);
    const File file(text);
    CHECK(Settings(file.path()).chosen() == Preferences{});
    CHECK(Settings(file.path()).warning().empty());
  }
}

TEST_CASE("a value that is none is told with its line, and the usual one holds", "[settings]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"mouse: maybe", "'mouse:' should be auto, yes or no."},
      {"bell: 1", "'bell:' should be yes or no."},
      {"confirm: [yes]", "'confirm:' should be yes or no."},
      {"frames:", "'frames:' should be yes or no."},
      {"motion: slow", "'motion:' should be yes or no."},
      {"pace: 3", "'pace:' should be 0.1, 0.2, 0.5, 1, 2, 4 or 8."},
      {"field: ab", "'field:' should be one letter or auto."},
      {"field: 7", "'field:' should be one letter or auto."},
      {"size: 3", "'size:' should be auto, 1 or 2."},
      {"name: {fred: 1}", "'name:' should be a player's name."},
      {"name: a name that is too long", "'name:' should be a player's name."},
      {"name: computer:3", "'name:' should be a player's name."},
      {"name: ' fred'", "'name:' should be a player's name."},
      {"name: \"\\e[2J\"", "'name:' should be a player's name."},
  };
  for (const auto& [line, why] : wrong) {
    INFO(line);
    const File file("# mine\n" + line + "\nconfirm2: x\n");
    Settings settings(file.path());
    CHECK(settings.warning() == "settings.yaml, line 2: " + why);
    CHECK(settings.chosen() == Preferences{});
    // The rest of the file can be used and changed.
    REQUIRE(set(settings, [](Preferences& p) { p.theme = "mono"; }).ok());
    CHECK(file.text() == "# mine\n" + line + "\nconfirm2: x\ntheme: mono\n");
  }
}

TEST_CASE("a change leaves comments, blanks and other keys as they are", "[settings]") {
  const File file(
      "# mine\ntheme: \"a # b\"  # was amber\n\nfield: b\t# the second\nother: 1\nbell: no # 'tis "
      "late");
  Settings settings(file.path());
  CHECK(settings.chosen().theme == "a # b");
  REQUIRE(set(settings, [](Preferences& p) {
            p.theme = "it's \"x\" # no: y", p.field = 'c', p.name = "no";
          }).ok());
  CHECK(file.text() ==
        "# mine\ntheme: \"it's \\\"x\\\" # no: y\"  # was amber\n\nfield: c\t# the second\nother: "
        "1\nbell: no # 'tis late\nname: \"no\"\n");
  REQUIRE(set(settings, [](Preferences& p) { p.bell = true; }).ok());
  CHECK(file.text().find("\nbell: yes # 'tis late\n") != std::string::npos);
  const Settings again(file.path());
  CHECK(again.warning().empty());
  CHECK(again.chosen() == settings.chosen());
}

TEST_CASE("what another program changed meanwhile stays, and nothing is written for nothing",
          "[settings]") {
  const File file("theme: amber\n");
  Settings settings(file.path());
  std::ofstream(file.path()) << "theme: mono\nbell: no\n";
  REQUIRE(set(settings, [](Preferences& p) { p.field = 'b'; }).ok());
  CHECK(file.text() == "theme: mono\nbell: no\nfield: b\n");
  const auto written = fs::last_write_time(file.path());
  REQUIRE(set(settings, [](Preferences&) {}).ok());
  CHECK(fs::last_write_time(file.path()) == written);
}

TEST_CASE("what two programs turn is turned", "[settings]") {
  const File file("");
  Settings one(file.path()), other(file.path());
  REQUIRE(set(one, [](Preferences& p) { p.turned.emplace_back("a"); }).ok());
  REQUIRE(set(other, [](Preferences& p) { p.turned.emplace_back("b"); }).ok());
  CHECK(file.text() == "turned: \"a b\"\n");
}

TEST_CASE("a file that cannot be read, or changed by a line, is left alone and that is said",
          "[settings]") {
  for (const char* text : {"field: [\n", "- a\n", "field: a\nfield: b\n", "a: \x01\n"}) {
    INFO(text);
    const File file(text);
    Settings settings(file.path());
    CHECK(settings.warning().find("settings.yaml, line ") == 0);
    const auto done = set(settings, [](Preferences& p) { p.field = 'c'; });
    REQUIRE_FALSE(done.ok());
    CHECK(done.refusal().why == "This is not remembered: " + settings.warning());
    CHECK(settings.chosen().field == 'c');
    CHECK(file.text() == text);
  }
  for (const char* text :
       {"{theme: amber}\n", "theme: >\n  amber\n", "\"theme\": amber\n", "field: a\n...\n"}) {
    INFO(text);
    const File file(text);
    Settings settings(file.path());
    CHECK(settings.warning().empty());
    const auto done = set(settings, [](Preferences& p) { p.theme = "mono"; });
    REQUIRE_FALSE(done.ok());
    CHECK(done.refusal().why ==
          "This is not remembered: settings.yaml does not have one plain 'key: value' a line.");
    CHECK(settings.chosen().theme == "mono");
    CHECK(file.text() == text);
  }
}

TEST_CASE("what the command line says is used and not remembered", "[settings]") {
  const File file("theme: amber\n");
  Settings settings(file.path());
  Preferences given = settings.chosen();
  given.theme = "mono";
  settings.use(given);
  REQUIRE(set(settings, [](Preferences& p) { p.mouse = true; }).ok());
  CHECK(file.text() == "theme: amber\nmouse: yes\n");
  REQUIRE(set(settings, [](Preferences& p) { p.theme = "contrast"; }).ok());
  CHECK(file.text() == "theme: contrast\nmouse: yes\n");
}

TEST_CASE("a full disk is told and changes nothing", "[settings]") {
  const File file("theme: amber\n");
  Settings settings(file.path());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit none = before;
  none.rlim_cur = 0;
  ::setrlimit(RLIMIT_FSIZE, &none);
  std::string why;
  try {
    (void)set(settings, [](Preferences& p) { p.theme = "mono"; });
  } catch (const Error& e) {
    why = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  CHECK(why.find("settings.yaml") != std::string::npos);
  CHECK(settings.chosen().theme == "amber");
  CHECK(file.text() == "theme: amber\n");
}
