// SPDX-License-Identifier: MIT
// Saves: they read back as written, format 1 stays readable, and errors name their line.
#include "save/save.hpp"
#include "save/yaml.hpp"

#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <map>

#include "run.hpp"
#include "support.hpp"

// Defined in a sanitized build, in which freed memory stays in quarantine.
extern "C" __attribute__((weak)) void __asan_init();

using namespace pbm;
using namespace pbm::test;

namespace {

using Words = std::vector<std::string>;

// The first five lines of a save; added text begins at line 6.
const std::string kHead =
    "format: 1\n"
    "game: toot\n"
    "options: []\n"
    "seats: [fred, wilma]\n"
    "started: 2026-11-21T11:35:10Z\n";

std::string load_refusal(std::string_view text) {
  const auto loaded = load_match(text, "x.yaml");
  return loaded ? "accepted" : loaded.refusal().reason;
}

Match load_or_fail(std::string_view text) {
  auto result = load_match(text, "x.yaml");
  INFO((result ? "" : result.refusal().reason));
  REQUIRE(result.ok());
  return result->match;
}

// Plays `typed` on a save and returns the new text. If that is refused, returns "" and sets `why`.
std::string add_plies(std::string_view text, const Words& typed, std::string* why = nullptr) {
  Match m = load_or_fail(text);
  std::vector<LogEntry> entries;
  for (const std::string& t : typed) {
    const auto entry = m.validate(m.acting_seat(t), t, *read_iso_time("2026-12-01T00:00:00Z"));
    REQUIRE(entry.ok());
    m.add(*entry);
    entries.push_back(*entry);
  }
  const auto addition = add_to_save(text, "x.yaml", entries);
  if (!addition) {
    if (why) *why = addition.refusal().reason;
    return "";
  }
  const std::string then = std::string(text.substr(0, addition->kept_bytes)) + addition->new_text;
  const auto again = load_match(then, "x.yaml");
  INFO(then << (again ? "" : again.refusal().reason));
  REQUIRE(again.ok());
  CHECK(again->match.log() == m.log());
  CHECK(again->warning.empty());
  return then;
}

// Plays random plies and words on a match and tries illegal ones, by a seeded generator.
void play_randomly(Match& m, std::mt19937& random, int tries) {
  Time at = *read_iso_time("2026-11-21T12:00:00Z");
  for (int i = 0; i < tries; ++i) {
    const auto legal = m.ending() ? Words{} : m.position().legal_plies();
    const std::string typed =
        legal.empty() || random_below(random, 4) == 0
            ? Words{"propose", "undo",   "accept",
                    "reject",  "accept", i + 8 > tries ? "resign" : "undo"}[random_below(random, 6)]
            : legal[random_below(random, legal.size())];
    const Seat seat =
        random_below(random, 3)
            ? m.acting_seat(typed)
            : static_cast<Seat>(random_below(random, static_cast<std::size_t>(m.seats())));
    at += std::chrono::seconds(random_below(random, 100000));
    static const Words notes{"a note", "resign",       "it's \"so\"", "# no", "w\xc3\xads: ~",
                             "null",   "- {move: BT}", "1",           "",     "}, {",
                             "\\n"};
    if (random_below(random, 5) == 0)
      if (const auto note = m.validate_note(random_below(random, m.plies().size() + 1),
                                            notes[random_below(random, notes.size())], at))
        m.add(*note);
    if (const auto entry = m.validate(seat, typed, random_below(random, 20) ? at : Time{}))
      m.add(*entry);
  }
}

// Returns the processor time of ended child processes in seconds.
double child_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

bool is_same_match(const Match& a, const Match& b) {
  return &a.game() == &b.game() && a.options() == b.options() && a.names() == b.names() &&
         a.start_time() == b.start_time() && a.log() == b.log() && a.position() == b.position() &&
         a.redo_ply() == b.redo_ply() && a.note(0) == b.note(0) && a.status() == b.status() &&
         a.offer_text() == b.offer_text();
}

}  // namespace

TEST_CASE("every kind of match comes back from its save as it was", "[save]") {
  constexpr unsigned seed = 1234;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Words wrong;
  for (const Setup& setup : all_setups())
    for (int game = 0; game < 4; ++game) {
      Words names;
      const Words odd{"fred", "null", "1",  "a: b", "# no", "it's \"so\"", "w\xc3\xads", "-",
                      "~",    "[x]",  "\\", "yes",  "0x1F", "a, b",        "{",          "&a",
                      "*a",   "!a",   "@",  "%"};
      for (int s = 0; s < setup.seats; ++s)
        names.push_back(odd[random_below(random, odd.size())] + std::to_string(s));
      Match m = *Match::start(*setup.game, setup.options, names,
                              game ? *read_iso_time("2026-11-21T11:35:10Z") : Time{});
      play_randomly(m, random, 40);
      const std::string text = save_text(m);
      const auto again = load_match(text, "x.yaml");
      if (!again || !is_same_match(again->match, m) || !again->warning.empty() ||
          save_text(again->match) != text)
        wrong.push_back(text + (again ? "" : again.refusal().reason));
      // A comment at the end makes the YAML library read all plies: the result is the same.
      const auto by_library = load_match(text + "# end\n", "x.yaml");
      if (!by_library || !is_same_match(by_library->match, m))
        wrong.push_back("by the library: " + text);
      // Adding the entries one by one gives the same file.
      std::string grown =
          save_text(*Match::start(*setup.game, setup.options, names, m.start_time()));
      for (const LogEntry& e : m.log()) {
        const auto addition = add_to_save(grown, "x.yaml", {e});
        if (!addition || addition->kept_bytes != grown.size()) {
          wrong.push_back(grown + (addition ? "" : addition.refusal().reason));
          break;
        }
        grown += addition->new_text;
      }
      if (grown != text) wrong.push_back(grown);
    }
  CHECK(wrong == Words{});
}

TEST_CASE("a save is written as people read it", "[save]") {
  Match m = *Match::start(*find_game("toot"), make_setup("toot", {"-size=7x9", "-tootris"}).options,
                          {"fred", "Wilma K."}, *read_iso_time("2026-11-21T11:35:10Z"));
  m.add({"BT", 0, *read_iso_time("2026-11-21T11:35:20Z")});
  m.add({"resign", 1, *read_iso_time("2026-11-21T11:36:00Z")});
  CHECK(save_text(m) ==
        "format: 1\ngame: toot\noptions: [-size=7x9, -tootris]\nseats: [fred, \"Wilma "
        "K.\"]\nstarted: 2026-11-21T11:35:10Z\nplies:\n"
        "- {move: BT, at: 2026-11-21T11:35:20Z}\n- {move: resign, seat: 2, at: "
        "2026-11-21T11:36:00Z}\n");
}

TEST_CASE("a save says which seats are the computer's, and at which level", "[save]") {
  const std::string text =
      "format: 1\n# ours\ngame: plotto\nseats: [fred, computer, wilma]\ncomputer: {2: 3}\n"
      "colour: red\nplies:\n- a1\n";
  Match m = load_or_fail(text);
  CHECK((m.computer_level(0) == 0 && m.computer_level(1) == 3 && m.computer_level(2) == 0));
  CHECK(m.prefix_copy(0).computer_level(1) == 3);
  CHECK(save_text(m).find("seats: [fred, computer, wilma]\ncomputer: {2: 3}\n") !=
        std::string::npos);
  // Changes a level, adds a computer, removes it: the rest of the file stays the same.
  const auto changed = [&](std::string_view from) { return *replace_computers(from, "it", m); };
  m.set_computer_level(1, 10);
  std::string wanted = text;
  wanted.replace(wanted.find("{2: 3}"), 6, "{2: 10}");
  CHECK(changed(text) == wanted);
  m.set_computer_level(2, 1);
  wanted.replace(wanted.find("{2: 10}"), 7, "{2: 10, 3: 1}");
  CHECK(changed(text) == wanted);
  // A person must not be named computer.
  m.set_computer_level(1, 0);
  m.set_computer_level(2, 0);
  wanted.replace(wanted.find("fred, computer"), 14, "fred, player2");
  const std::size_t line = wanted.find("computer: {");
  wanted.erase(line, wanted.find('\n', line) + 1 - line);
  CHECK(changed(text) == wanted);
  m.set_computer_level(0, 5);
  const std::string none = wanted;
  wanted.insert(wanted.find("plies:"), "computer: {1: 5}\n");
  CHECK(changed(none) == wanted);
  CHECK(load_or_fail(wanted).computer_level(0) == 5);
  // A head over several lines is readable, but cannot be changed.
  const std::string odd = "format: 1\ngame: toot\nseats: [a, b]\ncomputer:\n  1: 2\nplies:\n";
  CHECK(load_or_fail(odd).computer_level(0) == 2);
  CHECK(replace_computers(odd, "odd.yaml",
                          load_or_fail("format: 1\ngame: toot\nseats: [a, b]\nplies:\n"))
            .refusal()
            .reason ==
        "odd.yaml: the players cannot be changed, because 'seats:' and 'computer:' are not on "
        "lines of their own above 'plies:'.");
}

TEST_CASE("names from somebody's file are kept whatever is in them", "[save]") {
  const Match m = load_or_fail(
      "format: 1\ngame: toot\nseats: [\"f\\e[2J\\nred\\x85\\0\", '\xe2\x80\xae']\nplies:\n");
  CHECK(m.names()[0] == std::string("f\x1b[2J\nred\xc2\x85\0", 12));
  CHECK(load_or_fail(save_text(m)).names() == m.names());
  CHECK(m.status() ==
        "It is f?[2J?red?"
        "?'s turn (TOOT).");
}

TEST_CASE("saves of format 1 load for ever", "[save]") {
  struct Fixture {
    std::string standing, warning;
    std::size_t plies, entries;
  };
  const std::map<std::string, Fixture> fixtures{
      {"new", {"It is player1's turn (TOOT).", "", 0, 0}},
      {"playing", {"It is wilma's turn (OTTO).", "", 3, 5}},
      {"won", {"fred (TOOT) wins. TOOT stands in the bottom row, B to E.", "", 5, 5}},
      {"resigned", {"wilma (OTTO) wins. fred resigned.", "", 1, 5}},
      {"agreed", {"The players agreed on a draw.", "", 0, 2}},
      {"by-hand", {"It is wilma \"the lett~'s turn (OTTO).", "", 3, 3}},
      {"crlf", {"It is fred's turn (TOOT).", "", 2, 2}},
      {"torn",
       {"It is wilma's turn (OTTO).",
        "torn.yaml ends in an unfinished line, which is ignored: '- {move: CO, at: 2026-11-2'.", 1,
        1}},
      {"empty-list", {"It is fred's turn (TOOT).", "", 0, 0}},
      {"three", {"It is fred's turn (1).", "", 2, 3}},
      {"by-alias", {"It is fred's turn (O).", "", 0, 2}},
      {"chaos", {"wilma (x) wins. o had no valid move and passed.", "", 9, 9}},
      {"flooprail", {"fred (O) wins. X has no Floopers left.", "", 41, 41}},
      {"forfeited", {"fred (1) wins. betty resigned.", "", 1, 3}},
      {"four", {"fred (1) wins. 1 3 4 1 runs straight down.", "", 15, 15}},
      {"noted", {"It is no's turn (TOOT).", "", 2, 10}},
      {"plotto", {"wilma (2) wins. 2 3 4 2 rises to the right.", "", 9, 9}},
      {"reverse",
       {"fred (O) wins. O has no Floopers left. This wins the reverse game.", "", 42, 42}},
      {"soccolot", {"fred (Black) wins. Black scored in the south goal.", "", 15, 15}},
      {"three-won", {"betty (3) wins. 3 4 2 3 falls to the right.", "", 15, 15}},
      {"tie", {"The game is a tie. The board is full and has no name.", "", 1, 1}},
      {"timed-out", {"fred (o) wins. wilma ran out of time.", "", 1, 2}},
      {"tootris", {"fred (TOOT) wins. TOOT stands in the bottom row, A to D.", "", 13, 13}},
      {"tournament", {"wilma (2-4) wins. 4 1 4 2 runs straight down.", "", 9, 9}},
  };
  std::size_t found = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_root() / "t" / "saves")) {
    const std::string name = file.path().stem().string();
    INFO(name);
    // These files have one fixture: other programs wrote the same game.
    const std::string of = name.starts_with("playing-") ? "playing" : name;
    REQUIRE(fixtures.count(of) == 1);
    const Fixture& f = fixtures.at(of);
    const auto save = load_match(read_bytes(file.path()), name + ".yaml");
    INFO((save ? "" : save.refusal().reason));
    REQUIRE(save.ok());
    CHECK(save->match.status() == f.standing);
    CHECK(save->warning == f.warning);
    CHECK(save->match.plies().size() == f.plies);
    CHECK(save->match.log().size() == f.entries);
    found += of == name;
  }
  CHECK(found == fixtures.size());
}

TEST_CASE("a save that another YAML program wrote anew is the same board, and is played on",
          "[save]") {
  const Match ours = load_or_fail(read_bytes(source_root() / "t/saves/playing.yaml"));
  int found = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_root() / "t" / "saves")) {
    const std::string name = file.path().stem().string();
    if (!name.starts_with("playing-")) continue;
    INFO(name);
    const std::string text = read_bytes(file.path());
    CHECK(looks_like_save(text));
    CHECK(save_text(load_or_fail(text)) == save_text(ours));
    const std::string then = add_plies(text, {"EO"});
    REQUIRE_FALSE(then.empty());
    CHECK(load_or_fail(then).log().size() == ours.log().size() + 1);
    ++found;
  }
  CHECK(found == 7);  // PyYAML three times, Ruby, js-yaml, yq, JSON
}

TEST_CASE("moments are read in every spelling that YAML has for them", "[save]") {
  const Time at = *read_iso_time("2026-11-21T11:35:10Z");
  for (const char* text :
       {"2026-11-21T11:35:10Z", "2026-11-21 11:35:10+00:00", "2026-11-21T11:35:10.000Z",
        "2026-11-21 11:35:10.000000000 Z", "2026-11-21  11:35:10 Z", "2026-11-21t11:35:10.5",
        "2026-11-21 11:35:10", "2026-11-21T13:05:10+01:30", "2026-11-21T10:35:10-1",
        "2026-11-21 11:35:10 UTC"}) {
    INFO(text);
    CHECK(read_yaml_time(text) == at);
  }
  CHECK(read_yaml_time("2026-1-2") == read_iso_time("2026-01-02T00:00:00Z"));
  for (const char* text : {"", "2026", "2026-11", "2026-13-21", "2026-11-21T", "2026-11-21 11:35",
                           "26-11-21", "2026-11-21 24:00:00", "2026-11-21 11:35:10 +",
                           "2026-11-21 11:35:10 +1:", "2026-11-21 11:35:10 CET",
                           "2026-11-21 11:35:10Z ", "-026-11-21", "2026-11-2111:35:10"})
    CHECK_FALSE(read_yaml_time(text));
}

TEST_CASE("the examples that come with the program load", "[save]") {
  int found = 0;
  for (const auto& file : std::filesystem::directory_iterator(source_root() / "saves")) {
    if (file.is_directory()) continue;  // files of lessons and puzzles contain several saves
    const auto save = load_match(read_bytes(file.path()), file.path().filename().string());
    INFO(file.path() << (save ? "" : save.refusal().reason));
    CHECK(save.ok());
    if (save) CHECK(save->warning.empty());
    ++found;
  }
  CHECK(found > 0);
}

TEST_CASE("what is no save at all is told at once", "[save]") {
  CHECK(load_refusal("") == "x.yaml is empty.");
  for (const std::string text : {"\n", "# a comment\n", "GIF89a",
                                 "\x7f"
                                 "ELF\x02\x01",
                                 "format", "hello: world\n", "# format: 1\n", "reformat: 1\n"})
    CHECK(load_refusal(text) == "x.yaml is not a save. A save begins with 'format: 1'.");
  CHECK(load_refusal(std::string(4096, '\0')) ==
        "x.yaml is not a save. A save begins with 'format: 1'.");
  CHECK(load_refusal(std::string("\xff\xfe"
                                 "f\0o\0",
                                 6)) == "x.yaml is not a save. A save begins with 'format: 1'.");
  CHECK(load_refusal(kHead + "plies:\n" + std::string(kMaxSave, '#')) ==
        "x.yaml is too large for a save.");
}

TEST_CASE("a file's name is told harmlessly", "[save]") {
  CHECK(load_match("", "\x1b[2J.yaml").refusal().reason == "?[2J.yaml is empty.");
  CHECK(load_match("format: 2\n", "\x1b[2J.yaml").refusal().reason.substr(0, 19) ==
        "?[2J.yaml, line 1: ");
}

TEST_CASE("what is wrong with a save's head is told with its line", "[save]") {
  const std::map<std::string, std::string> heads{
      {"format: 2\nwhatever: [1\n", "line 3: this is not YAML (end of sequence flow not found)."},
      {"format: 2\ngame: chess\n",
       "line 1: format 2 is newer than this program, which reads format 1; use a newer pbmplay."},
      {"format: 1.0\n", "line 1: 'format:' should be a number, such as 1."},
      {"format: 1\ngame: toot\nseats: [a, b]\ncomputer: 3\nplies:\n",
       "line 4: 'computer:' should be seats and their levels, such as {2: 3}."},
      {"format: 1\ngame: toot\nseats: [a, b]\ncomputer: {3: 3}\nplies:\n",
       "line 4: a seat should be a number from 1 to 2."},
      {"format: 1\ngame: toot\nseats: [a, b]\ncomputer: {2: 11}\nplies:\n",
       "line 4: the computer's level should be a number from 1 to 10."},
      {"format: one\n", "line 1: 'format:' should be a number, such as 1."},
      {"format: 0\n", "line 1: 'format:' should be a number, such as 1."},
      {"format: -1\n", "line 1: 'format:' should be a number, such as 1."},
      {"format: 1x\n", "line 1: 'format:' should be a number, such as 1."},
      {"format:\n", "line 1: 'format:' should be followed by one word."},
      {"format: [1]\n", "line 1: 'format:' should be followed by one word."},
      {"format: {a: b}\n", "line 1: 'format:' should be followed by one word."},
      {"format:1\n", "line 1: there should be lines of the form 'key: value'."},
      {"format: 1\nformat: 1\n", "line 2: the key 'format' appears twice."},
      {"format: 1\n", "line 1: the key 'game:' is missing."},
      {"format: 1\ngame:\n", "line 2: 'game:' should be followed by one word."},
      {"format: 1\ngame: [toot]\n", "line 2: 'game:' should be followed by one word."},
      {"format: 1\ngame: halma\n",
       "line 2: there is no game 'halma': choose " + list_game_names() + "."},
      {"format: 1\ngame: \"\\e[2J\"\n",
       "line 2: there is no game '?[2J': choose " + list_game_names() + "."},
      {"format: 1\ngame: toot\n", "line 1: the key 'seats:' is missing."},
      {"format: 1\ngame: toot\nseats: fred\n",
       "line 3: 'seats:' should be a list, such as [one, two]."},
      {"format: 1\ngame: toot\nseats:\nplies:\n",
       "line 3: 'seats:' should be a list, such as [one, two]."},
      {"format: 1\ngame: toot\nseats: []\n", "line 3: Toot is for 2 players, not for 0."},
      {"format: 1\ngame: toot\nseats: [fred]\n", "line 3: Toot is for 2 players, not for 1."},
      {"format: 1\ngame: toot\nseats: [a, b, c]\n", "line 3: Toot is for 2 players, not for 3."},
      {"format: 1\ngame: plotto\nseats: [a, b, c, d, e]\n",
       "line 3: Plotto is for 2 to 4 players, not for 5."},
      {"format: 1\ngame: toot\nseats: [[a], b]\n",
       "line 3: each of 'seats:' should be one short word."},
      {"format: 1\ngame: toot\nseats: [a, {b: c}]\n",
       "line 3: each of 'seats:' should be one short word."},
      {"format: 1\ngame: toot\nseats: [a, ~]\n",
       "line 3: each of 'seats:' should be one short word."},
      {"format: 1\ngame: toot\nseats: [a, " + std::string(201, 'b') + "]\n",
       "line 3: each of 'seats:' should be one short word."},
      {"format: 1\ngame: toot\nseats:\n- a\n- ''\n", "line 5: a player should have a name."},
      {"format: 1\ngame: toot\nseats: [a, ' ']\n", "line 3: a player should have a name."},
      {"format: 1\ngame: toot\noptions: -tootris\nseats: [a, b]\n",
       "line 3: 'options:' should be a list, such as [one, two]."},
      {"format: 1\ngame: toot\noptions: {size: 7x9}\nseats: [a, b]\n",
       "line 3: 'options:' should be a list, such as [one, two]."},
      {"format: 1\ngame: toot\noptions: [[-tootris]]\nseats: [a, b]\n",
       "line 3: each of 'options:' should be one short word."},
      {"format: 1\ngame: toot\noptions: [-reverse]\nseats: [a, b]\n",
       "line 3: There is no option -reverse for Toot. Options: -size=WxH -tootris."},
      {"format: 1\ngame: toot\noptions: [-size=99x1]\nseats: [a, b]\n",
       "line 3: '-size=99x1' is not valid. Write -size=WxH with W from 1 to 14 and H from 1 to 20, "
       "for example "
       "-size=7x9."},
      {"format: 1\ngame: toot\noptions: [-tootris, -tootris]\nseats: [a, b]\n",
       "line 3: -tootris is given twice. Write each option once: -size=WxH -tootris."},
      {"format: 1\ngame: toot\nseats: [a, b]\nstarted: yesterday\n",
       "line 4: 'started:' should be a time, such as 2026-11-21T11:35:10Z."},
      {"format: 1\ngame: toot\nseats: [a, b]\nstarted: 2026-02-30T00:00:00Z\n",
       "line 4: 'started:' should be a time, such as 2026-11-21T11:35:10Z."},
      {"format: 1\ngame: toot\nseats: [a, b]\nstarted: 2026-11-21T24:00:00Z\n",
       "line 4: 'started:' should be a time, such as 2026-11-21T11:35:10Z."},
      {"format: 1\ngame: toot\nseats: [a, b]\nstarted: 2026-11-21 11:35\n",
       "line 4: 'started:' should be a time, such as 2026-11-21T11:35:10Z."},
      {"format: 1\ngame: toot\nseats: [a, b]\nstarted: [2026]\n",
       "line 4: 'started:' should be a time, such as 2026-11-21T11:35:10Z."},
      {"format: 1\ngame: toot\nseats: [a, b]\n", "line 1: the key 'plies:' is missing."},
      {"format: 1\ngame: toot\nseats: [a, b]\nplies: BT\n",
       "line 4: 'plies:' should be a list, one '- move' a line."},
      {"format: 1\ngame: toot\nseats: [a, b]\nplies: {1: BT}\n",
       "line 4: 'plies:' should be a list, one '- move' a line."},
      {"format: 1\ngame: toot\nseats: [a, b]\nplies: []\nplies: []\n",
       "line 5: the key 'plies' appears twice."},
      {"format: 1\nnote: 1\nnote: 2\n", "line 3: the key 'note' appears twice."},
      {"format: 1\nnote: {a: 1, a: 2}\n", "line 2: the key 'a' appears twice."},
  };
  for (const auto& [text, why] : heads) CHECK(load_refusal(text) == "x.yaml, " + why);
}

TEST_CASE("what is wrong with a move is told with its line, number and the game's own reason",
          "[save]") {
  const std::string moment = "'at:' should be a time, such as 2026-11-21T11:35:10Z.";
  const std::map<std::string, std::string> plies{
      {"- ZT\n",
       "line 7: move 1, 'ZT', is not possible: There is no column Z. The columns are A to "
       "F."},
      {"- BT\n# c\n\n- {move: BX}\n",
       "line 10: move 2, 'BX', is not possible: You cannot drop 'X'. Drop T or O."},
      {"- BT\n- {move: CO, seat: 1}\n",
       "line 8: move 2, 'CO', is not possible: It is wilma's turn (OTTO)."},
      {"- BT\n- CO\n- DO\n- FO\n- ET\n- AT\n",
       "line 12: move 6, 'AT', is not possible: The game is over. fred (TOOT) wins. TOOT stands in "
       "the "
       "bottom row, B to E."},
      {"- resign\n- BT\n",
       "line 8: move 1, 'BT', is not possible: The game is over. wilma (OTTO) wins. fred "
       "resigned."},
      {"- propose\n- {move: accept, seat: 1}\n",
       "line 8: move 1, 'accept', is not possible: Only the other players can answer this "
       "offer."},
      {"- accept\n", "line 7: move 1, 'accept', is not possible: There is no offer to accept."},
      {"- undo\n", "line 7: move 1, 'undo', is not possible: There is no move to take back."},
      {"- ''\n",
       "line 7: move 1, '', is not possible: Type a column and a letter. BT drops a T down column "
       "B."},
      {"- \"\\e[2J\"\n",
       "line 7: move 1, '?[2J', is not possible: '?' is not a column. The columns are A to F."},
      {"- " + std::string(500, 'B') + "\n",
       "line 7: move 1, '" + std::string(39, 'B') +
           "~', is not possible: You cannot drop 'B'. Drop T or O."},
      {"- {move: CO, seat: 0}\n", "line 7: 'seat:' should be a number from 1 to 2."},
      {"- {move: CO, seat: 3}\n", "line 7: 'seat:' should be a number from 1 to 2."},
      {"- {move: CO, seat: 10}\n", "line 7: 'seat:' should be a number from 1 to 2."},
      {"- {move: CO, seat: [1]}\n", "line 7: 'seat:' should be a number from 1 to 2."},
      {"- {move: CO, seat: }\n", "line 7: 'seat:' should be a number from 1 to 2."},
      {"- {seat: 1}\n", "line 7: the key 'move:' is missing."},
      {"- {move: [BT]}\n", "line 7: 'move:' should be followed by one word."},
      {"- {move: BT, move: CO}\n", "line 7: the key 'move' appears twice."},
      {"- {move: BT, at: noon}\n", "line 7: " + moment},
      {"- move: BT\n  at: 2026-13-01T00:00:00Z\n", "line 8: " + moment},
      {"- [BT]\n", "line 7: a move should be its text, or {move: ..., at: ...}."},
      {"- ~\n", "line 7: a move should be its text, or {move: ..., at: ...}."},
      {"\t- BT\n", "line 7: this is not YAML (illegal block entry)."},
      {"  - BT\n - CO\n", "line 8: this is not YAML (end of map not found)."},
      {"- {move: BT\n", "line 8: this is not YAML (end of map flow not found)."},
  };
  for (const auto& [text, why] : plies)
    CHECK(load_refusal(kHead + "plies:\n" + text) == "x.yaml, " + why);
}

TEST_CASE("what YAML can do and a save never needs is refused with its line", "[save]") {
  const std::map<std::string, std::string> tricks{
      {"a: &x [1]\nb: *x\n", "line 6: an anchor (&name) is not allowed in this file."},
      {"a: &x\n", "line 6: an anchor (&name) is not allowed in this file."},
      {"&x a: b\n", "line 6: an anchor (&name) is not allowed in this file."},
      {"a: *x\n", "line 6: this is not YAML (the referenced anchor is not defined)."},
      {"a: !!binary aGk=\n", "line 6: a tag (!name) is not allowed in this file."},
      {"a: !mine [1]\n", "line 6: a tag (!name) is not allowed in this file."},
      {"[a]: b\n", "line 6: a key should be a word."},
      {"{a: b}: c\n", "line 6: a key should be a word."},
      {"~: b\n", "line 6: a key should be a word."},
      {"a: [[[[[[[[1]]]]]]]]\n", "line 6: this is nested too deeply."},
      {"a:\n b:\n  c:\n   d:\n    e:\n     f:\n      g:\n       h:\n        i: 1\n",
       "line 14: this is nested too deeply."},
      {"plies:\n---\nformat: 1\n", "line 8: a second document (---) is not allowed in this file."},
      {"plies:\n- BT\n...\nrubbish\n",
       "line 9: a second document (---) is not allowed in this file."},
      {"a: [1\n", "line 7: this is not YAML (end of sequence flow not found)."},
      {"@: x\n", "line 6: this is not YAML (unknown token)."},
      {std::string("a: \0b\n", 6), "line 6: a control character is not allowed in this file."},
      {"a: b\nc: \x1b[2J\n", "line 7: a control character is not allowed in this file."},
      {"a: \x7f\n", "line 6: a control character is not allowed in this file."},
      {"a: \xc2\x9b"
       "2J\n",
       "line 6: a control character is not allowed in this file."},
      {"a: \xff\n", "line 6: this is not UTF-8 text."},
      {"# \xc0\xaf\n", "line 6: this is not UTF-8 text."},
      {"# \xed\xa0\x80\n", "line 6: this is not UTF-8 text."},
      {"# cut off \xe2\x82", "line 6: this is not UTF-8 text."},
  };
  for (const auto& [text, why] : tricks) CHECK(load_refusal(kHead + text) == "x.yaml, " + why);
}

TEST_CASE("what the YAML library would need much memory for is refused before it does", "[save]") {
  const TestHome home;
  const std::size_t usual = [&] {
    std::ofstream(home.dir / "a.yaml") << kHead << "plies:\n";
    return home({"show", "a.yaml"}).peak_memory;
  }();
  for (const std::string unit :
       {"[", "{", "[[],", "a, ", "&a ", "{a: b}, ", "? ", "a: ", "'a', ", "\"a\\\n", "# c\n"}) {
    std::string text = kHead + "plies:\nx: " + (unit[0] == '\"' ? "" : "[");
    while (text.size() < kMaxSave - 10) text += unit;
    std::ofstream(home.dir / "b.yaml", std::ios::binary) << text;
    const RunResult r = home({"show", "b.yaml"});
    INFO(unit << r.err);
    CHECK(r.status == 1);
    CHECK(r.peak_memory < usual + (std::size_t{&__asan_init ? 150U : 50U} << 20));
  }
  // A list that a person might write is accepted.
  std::string list = kHead + "x: [";
  while (list.size() < 50'000) list += "BT, ";
  CHECK(load_match(list + "]\nplies:\n- BT\n", "x").ok());
}

TEST_CASE("what YAML writes for a Unicode character is that character", "[save]") {
  const auto names = [](const std::string& name) {
    const auto loaded =
        load_match("format: 1\ngame: toot\nseats: [\"" + name + "\", wilma]\nplies:\n", "x");
    REQUIRE(loaded.ok());
    const auto again = load_match(save_text(loaded->match), "again");
    REQUIRE(again.ok());
    CHECK(again->match.names() == loaded->match.names());
    return loaded->match.names().front();
  };
  CHECK(names("a\\Nb") ==
        "a\xc2\x85"
        "b");
  CHECK(names("a\\_b") ==
        "a\xc2\xa0"
        "b");
  CHECK(names("\xc3\xa9\\_\\_\xe5\xb1\xb1\\N") == "\xc3\xa9\xc2\xa0\xc2\xa0\xe5\xb1\xb1\xc2\x85");
  CHECK(names("\\L\\P\\x85\\u00A0") == "\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\xc2\xa0");
}

TEST_CASE("a line read without the library says what the library says", "[save]") {
  const auto told = [](const YamlNode& map) {
    std::string out;
    for (const auto& e : map.entries)
      out += e.key.text + (e.value.kind == YamlNode::Kind::scalar ? "=" : "?") + e.value.text + ";";
    return out;
  };
  for (const std::string line :
       {"{move: BT, seat: 1, at: 2026-03-01T10:00:00Z}", "{move: \"e2-f2\"}", "{move: \"\"}",
        "{note: \"so, {it} goes: on\", ply: 3}", "{user: fred, name: x.y_z-1, n: 007}",
        "{a: \"null\", b: 1e3, c: true}", "{a: \"\xC3\xA4 \xE5\xB1\xB1\"}",
        "{note: \"a \\\"good\\\" one, \\\\ or not\", ply: 3}",
        "{option1: -size=7x9, option2: -tootris, n: -5, e: a=}"}) {
    CAPTURE(line);
    const auto ours = read_flow_line("- " + line), theirs = [&]() -> std::optional<YamlNode> {
      auto tree = read_yaml(line);
      return tree ? std::optional(std::move(*tree)) : std::nullopt;
    }();
    REQUIRE((ours && theirs));
    CHECK(told(*ours) == told(*theirs));
  }
  // read_flow_line() leaves special values to the library.
  for (const std::string line :
       {"{move: null}", "{move: Null}",  "{move: -}", "{move: --}",   "{move: =}",
        "{move: a:}",   "{move: }",      "{}",        "{a: b, a: c}", "{a: b} # c",
        "{a: \"\\t\"}", "{a: \"\xC3\"}", "{a: [b]}",  "{a: 'b'}",     "{a: &b c}",
        "{a: b,}",      "{a:b}",         "{null: b}", " {a: b}",      "{a: b",
        "a: b"}) {
    CAPTURE(line);
    CHECK_FALSE(read_flow_line("- " + line));
  }
  const auto placed = read_flow_line("- {move: BT, seat: 1}", 7, 100);
  REQUIRE(placed);
  CHECK(placed->line == 7);
  CHECK(placed->entries[1].value.offset == 119);
  CHECK_FALSE(read_flow_line("- {a: " + std::string(std::size_t{1} << 16, 'b') + "}"));
}

TEST_CASE("comments, unknown keys and odd layouts are read", "[save]") {
  const std::map<std::string, std::size_t> layouts{
      {"plies:\n", 0},
      {"plies:", 0},
      {"plies: ~\n", 0},
      {"plies: []\n", 0},
      {"plies: # none yet\n", 0},
      {"plies: [BT, CO]\n", 2},
      {"plies:\n- BT\n", 1},
      {"plies:\n    - BT\n    - CO\n", 2},
      {"plies:\n-\n  BT\n", 1},
      {"plies:\n- 'BT'\n- \"CO\" # a comment\n", 2},
      {"plies:\n- |\n  BT\n- >-\n  CO\n", 2},
      {"plies:\n- BT\nnote: {x: [1, 2]}\n", 1},
      {"note: |\n  plies:\n  - ZZ\nplies:\n- BT\n", 1},
      {"\"plies\":\n- BT\n", 1},
      {"? plies\n: - BT\n", 1},
      {"plies:\n- {move: BT, at: 2026-11-21T11:35:10Z, mood: [x], y: {z: 1}}\n", 1},
      {"plies:\n- BT\r\n- CO\r\n", 2},
  };
  for (const auto& [text, n] : layouts) {
    INFO(text);
    const auto save = load_match(kHead + text, "x.yaml");
    INFO((save ? "" : save.refusal().reason));
    REQUIRE(save.ok());
    CHECK(save->match.plies().size() == n);
    CHECK(save->warning.empty());
    CHECK(save->valid_bytes == kHead.size() + text.size());
  }
}

TEST_CASE("an unfinished last line is left out with a warning, wherever it was torn", "[save]") {
  const std::string whole = kHead + "plies:\n- {move: BT, at: 2026-11-21T11:35:20Z}\n",
                    line = "- {move: CO, at: 2026-11-21T11:36:00Z}";
  Words wrong;
  for (std::size_t n = 1; n < line.size(); ++n) {
    const std::string torn = line.substr(0, n);
    const auto save = load_match(whole + torn, "x.yaml");
    if (!save || save->match.plies().size() != 1 || save->valid_bytes != whole.size() ||
        save->warning != "x.yaml ends in an unfinished line, which is ignored: '" +
                             std::string(trim(torn)) + "'.")
      wrong.push_back(torn);
    const auto addition = add_to_save(whole + torn, "x.yaml", {{"DO", 1, Time{}}});
    if (!addition || addition->kept_bytes != whole.size() || addition->new_text != "- {move: DO}\n")
      wrong.push_back("adding behind " + torn);
  }
  CHECK(wrong == Words{});
  CHECK(load_match(kHead + "plies:\n  - BT\n  - C", "x.yaml")->match.plies().size() == 1);
  CHECK(load_match(kHead + "plies:\n- " + std::string(100, 'x'), "x.yaml")->warning ==
        "x.yaml ends in an unfinished line, which is ignored: '- " + std::string(37, 'x') + "~'.");
}

TEST_CASE("a whole move counts although its line feed is missing", "[save]") {
  const std::string head = kHead + "plies:\n- BT\n";
  for (const std::string line : {"- CO", "  - CO", "- {move: CO, at: 2026-11-21T11:36:00Z}"}) {
    INFO(line);
    const std::string text = (line[0] == ' ' ? kHead + "plies:\n  - BT\n" : head) + line;
    const auto save = load_match(text, "x.yaml");
    REQUIRE(save.ok());
    CHECK(save->warning.empty());
    CHECK(save->valid_bytes == text.size());
    CHECK(save->match.plies().size() == 2);
    CHECK(complete_size(text) == text.size());
    CHECK(load_or_fail(add_plies(text, {"DO"})).plies().size() == 3);
    CHECK(add_plies(text, {"DO"}).starts_with(text + "\n"));
  }
  // A move that the rules refuse may be the beginning of another one.
  CHECK(load_match(head + "- ZT", "x.yaml")->valid_bytes == head.size());
  CHECK(load_match(head + "- CO" + std::string(3, '\0'), "x.yaml")->valid_bytes == head.size());
}

TEST_CASE("a save with a byte order mark is read, and written without the mark", "[save]") {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string plies :
       {"plies:\n- BT\n", "plies:\n- BT", "plies: []\n", "plies: [BT]\n", "plies:\n- BT\n- C"}) {
    INFO(plies);
    const std::string text = kHead + plies;
    const auto save = load_match(mark + text, "x.yaml"), same = load_match(text, "x.yaml");
    REQUIRE((save.ok() && same.ok()));
    CHECK(save->match.log() == same->match.log());
    CHECK(save->valid_bytes == same->valid_bytes + mark.size());
    CHECK(save->warning == same->warning);
    CHECK(complete_size(mark + text) == complete_size(text) + mark.size());
    CHECK(add_plies(mark + text, {"resign"}) == add_plies(text, {"resign"}));
    Match against = same->match;
    against.set_computer_level(1, 3);
    CHECK(*replace_computers(mark + text, "x.yaml", against) ==
          *replace_computers(text, "x.yaml", against));
  }
  const auto wrong = load_match(mark + kHead + "plies:\n- BT\n- ZT\n", "x.yaml");
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.refusal().offset == mark.size() + kHead.size() + 14);
  CHECK(contains(wrong.refusal().reason,
                 "line " + std::to_string(std::count(kHead.begin(), kHead.end(), '\n') + 3)));
}

TEST_CASE("a last line without its end that is no move counts", "[save]") {
  for (const std::string text :
       {"plies:\n- BT\n# the end", "plies:\n- BT\n  # the end", "plies:\n- BT\n  ",
        "plies:\n- BT\nnote:\n- a\n- b", "plies:\n- BT\nnote: x"}) {
    INFO(text);
    const auto save = load_match(kHead + text, "x.yaml");
    REQUIRE(save.ok());
    CHECK(save->warning.empty());
    CHECK(save->match.plies().size() == 1);
    CHECK_FALSE(add_plies(kHead + text, {"CO"}).empty());
  }
  CHECK(load_or_fail("format: 1\ngame: toot\nplies:\n- BT\nseats:\n- fred\n- wilma").names() ==
        Words{"fred", "wilma"});
}

TEST_CASE("playing on keeps every old byte", "[save]") {
  const std::string ply = "- {move: CT, at: 2026-12-01T00:00:00Z}\n";
  CHECK(add_plies(kHead + "plies:\n", {"CT"}) == kHead + "plies:\n" + ply);
  CHECK(add_plies(kHead + "plies:", {"CT"}) == kHead + "plies:\n" + ply);
  CHECK(add_plies(kHead + "plies: []\n", {"CT"}) == kHead + "plies: \n" + ply);
  CHECK(add_plies(kHead + "plies: [] # none\nnote: x\n", {"CT"}) ==
        kHead + "plies:  # none\n" + ply + "note: x\n");
  CHECK(add_plies(kHead + "plies: # none\n", {"CT"}) == kHead + "plies: # none\n" + ply);
  CHECK(add_plies(kHead + "plies:\n# a\n\n# b\n", {"CT"}) == kHead + "plies:\n# a\n\n# b\n" + ply);
  CHECK(add_plies(kHead + "plies:\n- BT\n# the end", {"CT"}) ==
        kHead + "plies:\n- BT\n# the end\n" + ply);
  CHECK(add_plies(kHead + "plies:\n  - BT # first\n  # and\nnote: x\n# end\n", {"CT"}) ==
        kHead + "plies:\n  - BT # first\n  " + ply + "  # and\nnote: x\n# end\n");
  CHECK(add_plies(kHead + "plies:\n- move: BT\n  why: >\n    so\n\nnote: x\n", {"CT"}) ==
        kHead + "plies:\n- move: BT\n  why: >\n    so\n" + ply + "\nnote: x\n");
  CHECK(add_plies(kHead + "plies:\r\n- BT\r\n", {"CT"}) == kHead + "plies:\r\n- BT\r\n" + ply);
  CHECK(add_plies(kHead + "plies:\n- BT\n...\n", {"CT"}) ==
        kHead + "plies:\n- BT\n" + ply + "...\n");
  CHECK(add_plies(kHead + "plies:\n- BT\n- |\n  CO\n", {"CT"}) ==
        kHead + "plies:\n- BT\n- |\n  CO\n" + ply);
  CHECK(add_plies(kHead + "plies:\n- BT\n- C", {"CT", "resign"}) ==
        kHead + "plies:\n- BT\n" + ply + "- {move: resign, seat: 1, at: 2026-12-01T00:00:00Z}\n");
  for (const auto& file : std::filesystem::directory_iterator(source_root() / "t" / "saves")) {
    const std::string text = read_bytes(file.path());
    if (load_or_fail(text).ending()) continue;
    INFO(file.path());
    const Match match = load_or_fail(text);
    const std::string then = add_plies(text, match.offer()           ? Words{"reject"}
                                             : match.plies().empty() ? Words{"propose"}
                                                                     : Words{"undo", "accept"});
    CHECK_FALSE(then.empty());
  }
}

TEST_CASE("a board whose moves do not stand one a line is written anew when it is played on",
          "[save]") {
  for (const std::string text :
       {"plies: [BT]\n", "plies: ~\n", "plies: null\n", "plies: [\n]\n", "? plies\n",
        "? plies\n: - BT\n", "plies:\n-\n  BT\n", "plies:\n- BT\n-\n  CO\n", "\"plies\":\n",
        "plies:\n- \"BT\n", "plies:\n- 'BT\n", "plies:\n- {move: BT\n}\n",
        "plies:\n- {move: BT,\nat: 2026-11-21T11:35:10Z}\n"}) {
    INFO(text);
    const Match before = load_or_fail(kHead + text);
    const std::string then = add_plies(kHead + text, {"CT"});
    CHECK(then.starts_with(save_text(before)));
    CHECK(load_or_fail(then).plies().size() == before.plies().size() + 1);
    // Refuses if that would lose comments or keys of another program.
    for (const std::string more : {"# mine\n", "mine: 1\n"}) {
      std::string why;
      CHECK(add_plies(more + kHead + text, {"CT"}, &why) == "");
      CHECK(contains(why,
                     "this game cannot be continued, because its moves are not one per line below "
                     "'plies:', and it has comments or unknown keys."));
      CHECK(why.substr(0, 13) == "x.yaml, line ");
    }
  }
}

TEST_CASE("mutated saves are refused or read, and what is read can be played on or says why not",
          "[save][long]") {
  const auto begun = std::chrono::steady_clock::now();
  const unsigned seed = std::random_device{}();
  std::cout << "seed " << seed << std::endl;
  std::mt19937 random(seed);
  std::vector<std::string> seeds;
  for (const auto& file : std::filesystem::directory_iterator(source_root() / "t" / "saves"))
    seeds.push_back(read_bytes(file.path()));
  const Words pieces{
      "\n",    "- ",     "  ",     "plies:",  "plies: []", "~",    "\"",           "'",     "[",
      "]",     "{",      "}",      ": ",      "# ",        "|\n",  ">-\n",         "---\n", "...\n",
      "&a ",   "*a",     "!t ",    "? ",      "\t",        "\r\n", "\r",           "BT",    "CO",
      "undo",  "accept", "move: ", "seat: 1", ",",         "\\",   "\xef\xbb\xbf", "%",     "null",
      "resign"};
  std::size_t read = 0, played = 0, tried = 0;
  while (std::chrono::steady_clock::now() - begun < std::chrono::seconds(60)) {
    std::string text = seeds[random_below(random, seeds.size())];
    for (std::size_t i = 0, n = 1 + random_below(random, 5); i < n; ++i) {
      const std::size_t at = random_below(random, text.size() + 1);
      switch (random_below(random, 5)) {
        case 0: text.insert(at, pieces[random_below(random, pieces.size())]); break;
        case 1: text.erase(at, random_below(random, 12)); break;
        case 2:
          if (at < text.size()) text[at] = static_cast<char>(random());
          break;
        case 3:
          text.insert(at,
                      text.substr(random_below(random, text.size() + 1), random_below(random, 40)));
          break;
        default:
          text.replace(at, std::min<std::size_t>(text.size() - at, 1),
                       pieces[random_below(random, pieces.size())]);
          break;
      }
    }
    ++tried;
    const auto save = load_match(text, "x.yaml");
    if (!save) {
      if (save.refusal().reason.empty() ||
          safe_text(save.refusal().reason) != save.refusal().reason)
        FAIL("refused with '" << save.refusal().reason << "': " << text);
      continue;
    }
    ++read;
    Match m = save->match;
    std::vector<LogEntry> entries;
    for (const char* word : {"AT", "BO", "propose", "resign", "undo"}) {
      const auto entry = m.validate(m.acting_seat(word), word, now());
      if (!entry) continue;
      m.add(*entry);
      entries.push_back(*entry);
    }
    if (entries.empty()) continue;
    const auto addition = add_to_save(text, "x.yaml", entries);
    if (!addition) continue;
    ++played;
    const std::string then = text.substr(0, addition->kept_bytes) + addition->new_text;
    const auto again = load_match(then, "x.yaml");
    if (!again || again->match.log() != m.log())
      FAIL("playing on broke\n"
           << text << "\nas\n"
           << then << "\n"
           << (again ? "" : again.refusal().reason));
  }
  std::cout << tried << " files, " << read << " read, " << played << " played on" << std::endl;
  CHECK(read > 1000);
  CHECK(played > 1000);
}

TEST_CASE("no file up to the largest takes long to read or to refuse", "[save][long]") {
  const std::size_t most = kMaxSave - 1000;
  const auto repeated = [](std::string_view unit, std::size_t bytes) {
    std::string out;
    while (out.size() + unit.size() <= bytes) out += unit;
    return out;
  };
  Words slow;
  const TemporaryDirectory dir;
  const auto timed = [&](const std::string& what, const std::string& text) {
    std::ofstream(dir / "x.yaml", std::ios::binary) << text;
    // Measures processor time, because other users share the machine.
    const double begun = child_seconds();
    const RunResult r = run_program(
        {"move", (dir / "x.yaml").string(), "propose"},
        {.home = dir.path(), .input = "", .directory = {}, .output = "", .variables = {}});
    const double took = child_seconds() - begun;
    if (took > 2 || r.status > 1)
      slow.push_back(what + ": status " + std::to_string(r.status) + " after " +
                     std::to_string(took) + " s");
  };
  for (const std::string unit :
       {"[",  "{",   "{a: ", "? ",  "- - - ", "[[],",     "a: ", "- ? ",   "&a ",  "*a ",    "!a ",
        "'",  "\"",  "| ",   "a ",  "a\n",    "# c\n",    "\n",  "\t",     "--- ", "\"a\":", "{},",
        "\\", "?\n", "[\n",  "-\n", "\r\n",   "\xc3\xa9", "{? ", "\"a\",", "a,"}) {
    timed("alone " + unit, kHead + repeated(unit, most));
    timed("a value " + unit, kHead + "x: " + repeated(unit, most) + "\nplies:\n");
    timed("a list " + unit, kHead + "x: [" + repeated(unit, most) + "]\nplies:\n");
    timed("moves " + unit, kHead + "plies:\n" + repeated(unit, most));
  }
  std::string keys = kHead, flow = kHead + "x: {", deep = kHead;
  for (int i = 0; keys.size() < most; ++i) keys += "k" + std::to_string(i) + ":\n";
  for (int i = 0; flow.size() < most; ++i) flow += "k" + std::to_string(i) + ": 1, ";
  for (std::size_t i = 0; i < 1900; ++i) deep += std::string(i, ' ') + "a:\n";
  timed("keys", keys + "plies:\n");
  timed("keys in braces", flow + "}\nplies:\n");
  timed("indentation", deep);
  std::string back =
      "format: 1\ngame: toot\noptions: [-tootris, -size=14x20]\nseats: [a, b]\nplies:\n";
  for (int i = 0; i < 5000; ++i)
    back += std::string("- ") + static_cast<char>('A' + i % 14) + "T\n";
  for (int i = 0; i < 2500; ++i) back += "- undo\n- accept\n";
  timed("taking back", back);
  CHECK(slow == Words{});
}

TEST_CASE(
    "a note stands in a save as a line of its own, and wrong ones are refused with their line",
    "[save]") {
  Match m = *Match::start(*find_game("toot"), {}, {"fred", "wilma"}, Time{});
  m.add({"BT", 0, Time{}});
  m.add({"daring: \"why\"", 0, *read_iso_time("2026-11-21T11:35:20Z"), 1});
  m.add({"CO", 1, Time{}});
  m.add({"", 0, Time{}, 1});
  const std::string text = save_text(m);
  CHECK(text.find("plies:\n- {move: BT}\n- {note: \"daring: \\\"why\\\"\", ply: 1, at: "
                  "2026-11-21T11:35:20Z}\n- {move: CO}\n- {note: \"\", ply: 1}\n") !=
        std::string::npos);
  CHECK(load_or_fail(text).log() == m.log());
  CHECK(load_or_fail(text + "# by the library\n").log() == m.log());
  // A move may have unknown keys of another program.
  CHECK(load_or_fail("format: 1\ngame: toot\nseats: [a, b]\nplies:\n- {move: BT, note: mine}\n")
            .plies()
            .size() == 1);
  const std::string head = "format: 1\ngame: toot\nseats: [a, b]\nplies:\n- {move: BT}\n";
  const auto why = [&](const std::string& line) {
    const auto save = load_match(head + line + "\n", "x.yaml");
    return save ? "accepted" : save.refusal().reason;
  };
  CHECK(why("- {note: x}") == "x.yaml, line 6: the key 'ply:' is missing.");
  CHECK(why("- {note: x, ply: 2}") ==
        "x.yaml, line 6: this note is not possible: There is no move 2 for a note.");
  CHECK(why("- {note: x, ply: -1}") == "x.yaml, line 6: 'ply:' should be a number.");
  CHECK(why("- {note: [x], ply: 1}") == "x.yaml, line 6: 'note:' should be a line of text.");
  CHECK(why("- {note: \"\\e[2J\", ply: 1}") ==
        "x.yaml, line 6: this note is not possible: A note is one line of text. Remove "
        "invisible characters.");
}
