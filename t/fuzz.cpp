// SPDX-License-Identifier: MIT
// Feeds mutated commands and saves for half a minute each. The program must not throw, and every
// answer must be complete.
#include <chrono>
#include <filesystem>
#include <iostream>

#include "save/save.hpp"
#include "base/text.hpp"
#include "fuzz/checks.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kFuzzTime = std::chrono::seconds(30);

// Makes one to four small changes, some with a piece of `other`.
std::string mutate_text(std::string text, const std::string& other, std::mt19937& random) {
  static const std::vector<std::string> pieces{"\n",
                                               "\r",
                                               "\t",
                                               " ",
                                               " : ",
                                               "**",
                                               "*",
                                               "#",
                                               "#0",
                                               "-",
                                               "--",
                                               "-size=",
                                               "-size=99999x1",
                                               "\"",
                                               "'",
                                               "{",
                                               "}",
                                               "[",
                                               "]",
                                               "&a",
                                               "*a",
                                               "!!int",
                                               "- ",
                                               ": ",
                                               "|",
                                               ">",
                                               "%",
                                               "@",
                                               "\xFF",
                                               "\xC2\x9B",
                                               "\xE2\x80\xAE",
                                               std::string(1, '\0'),
                                               "\x1B[2J",
                                               "999999999999999999999",
                                               "-1",
                                               "101",
                                               "fred",
                                               "wilma",
                                               "secret",
                                               "multiple",
                                               ".",
                                               "..",
                                               "* ",
                                               "+OK",
                                               "move",
                                               "queue",
                                               "undo",
                                               "accept",
                                               "resign",
                                               "none"};
  for (std::size_t n = 1 + random_below(random, 4); n > 0; --n) {
    const std::size_t at = random_below(random, text.size() + 1);
    switch (random_below(random, 7)) {
      case 0: text.insert(at, pieces[random_below(random, pieces.size())]); break;
      case 1: text.erase(at, 1 + random_below(random, 8)); break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random_below(random, 256));
        break;
      case 3:
        text.insert(at,
                    text.substr(random_below(random, text.size() + 1), random_below(random, 40)));
        break;
      case 4:
        text.insert(at,
                    other.substr(random_below(random, other.size() + 1), random_below(random, 40)));
        break;
      case 5: text.resize(at); break;
      default:
        text.insert(at, std::string(random_below(random, 2000),
                                    static_cast<char>(random_below(random, 256))));
    }
  }
  return text;
}

}  // namespace

TEST_CASE("no line makes a session stumble", "[fuzz][long]") {
  const unsigned seed = std::random_device{}();
  std::cout << "lines mutated, seed " << seed << std::endl;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const Words corpus{"help",
                     "help toot move",
                     "list toot",
                     "toot standings",
                     "toot games fred all",
                     "all show fred next",
                     "toot show 101#2 102",
                     "toot preview 101 AT BO",
                     "toot preview new -size=7x9 AT",
                     "toot save 101",
                     "signup betty secret me@here",
                     "change password fred secret secret",
                     "change address fred secret x",
                     "confirm address fred secret abcdefgh",
                     "login fred secret",
                     "login wilma secret",
                     "as fred",
                     "toot challenge fred wilma -size=5x5 : hello",
                     "chaos challenge fred wilma",
                     "plotto challenge fred wilma betty",
                     "soccolot challenge fred wilma",
                     "flooprail challenge fred wilma",
                     "toot move 101 fred secret BT#1 : hi",
                     "toot 101 wilma secret CO",
                     "toot queue 101 fred secret CT",
                     "toot queue 101 fred secret none",
                     "toot submit 101 fred secret CT",
                     "toot confirm 101 fred secret",
                     "toot resign 101 fred secret",
                     "toot move 101 wilma secret propose",
                     "toot chat 101 fred secret : hello",
                     "message fred secret wilma : psst",
                     "broadcast fred secret : all",
                     "toot subscribe all fred secret",
                     "toot unsubscribe 101 fred secret",
                     "toot limit fred secret 5",
                     "toot accept 101 fred secret",
                     "toot accept 101",
                     "toot 101 CO",
                     "toot refuse 101",
                     "tell wilma : psst",
                     "games next",
                     "signoff secret",
                     "toot seek [ -size=5x5 ]",
                     "soccolot set fred secret b",
                     "toot seek fred secret -pair --nagtime=3",
                     "sought",
                     "take 1 wilma secret",
                     "unseek 1 fred secret",
                     "toot challenge fred wilma -pair --forfeittime=none --totaltime=60",
                     "toot rematch 101 fred secret",
                     "block fred secret betty",
                     "unblock fred secret betty",
                     "profile fred",
                     "people",
                     "lobby",
                     "boards all #100",
                     "vacation fred secret 3",
                     "vacation fred secret off",
                     "set notices fred secret digest 18:30",
                     "set computer fred secret yes",
                     "toot queue 101 wilma secret AT:BO CT:DO.ET:AO *:FO",
                     "toot queue 101 fred secret BT.CO:DT BT.AO:ET",
                     "hello 2",
                     "admin who",
                     "admin ban fred 3 : enough",
                     "admin forfeit toot 101 fred",
                     "admin annul toot 101",
                     "admin rename wilma betty",
                     "admin password fred other-one",
                     "admin announce : soon",
                     "admin stats",
                     "watch",
                     "multiple",
                     ".",
                     " text below",
                     "quit"};
  const auto until = Clock::now() + kFuzzTime;
  std::size_t lines = 0;
  while (Clock::now() < until) {
    TestServer hall;
    User wilma(hall, "wilma");
    wilma.say("watch");
    for (int talks = 0; talks < 20 && Clock::now() < until; ++talks) {
      // Every tenth conversation is the owner's.
      const bool owner = talks % 10 == 9;
      TestClient talk(hall, owner ? PeerInfo{"uid 7", nullptr, 0, true} : PeerInfo{"somebody"});
      if (!owner) talk.say(talks % 2 == 0 ? "signup fred secret" : "login fred secret");
      for (int i = 0; i < 50 && !talk.session().is_over(); ++i, ++lines) {
        const std::string line =
            random_below(random, 4) == 0
                ? corpus[random_below(random, corpus.size())]
                : mutate_text(corpus[random_below(random, corpus.size())],
                              corpus[random_below(random, corpus.size())], random);
        const std::string said = talk.say(line);
        INFO("'" << line << "' is answered '" << said << "'");
        REQUIRE(is_complete_output(said));
      }
      REQUIRE(is_complete_output(wilma.take_received()));
      hall.time += std::chrono::seconds(61);
    }
    // After a restart the server can read everything again.
    hall.restart();
    REQUIRE(hall.service().warnings().empty());
  }
  std::cout << lines << " lines" << std::endl;
}

TEST_CASE("no text makes the loader of saves stumble", "[fuzz][long]") {
  const unsigned seed = std::random_device{}();
  std::cout << "saves mutated, seed " << seed << std::endl;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  Words corpus;
  for (const auto& directory : {source_root() / "t/saves", source_root() / "saves"})
    for (const auto& file : std::filesystem::directory_iterator(directory))
      corpus.push_back(read_bytes(file.path()));
  const auto until = Clock::now() + kFuzzTime;
  std::size_t texts = 0, loaded = 0;
  for (; Clock::now() < until; ++texts) {
    const std::string text = mutate_text(corpus[random_below(random, corpus.size())],
                                         corpus[random_below(random, corpus.size())], random);
    CAPTURE(text);
    const auto match = load_match(text, "fuzz.yaml");
    if (!match) {
      REQUIRE(match.refusal().reason.substr(0, 9) == "fuzz.yaml");
      REQUIRE(match.refusal().reason.find('\n') == std::string::npos);
      continue;
    }
    ++loaded;
    // A save that loads can be written and loaded again.
    const auto again = load_match(save_text(match->match), "again.yaml");
    REQUIRE(again.ok());
    REQUIRE(again->match.plies().size() == match->match.plies().size());
  }
  std::cout << texts << " texts, " << loaded << " of them saves" << std::endl;
}
