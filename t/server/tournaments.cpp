// SPDX-License-Identifier: MIT
// Tournaments and ladders on a server: every command and refusal, and each form played to its end.
// The standings are computed once more, by other code.
#include <list>
#include <map>
#include <random>

#include "base/text.hpp"
#include "protocol/board_summary.hpp"
#include "protocol/contests.hpp"
#include "shown_tournament.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

using Shown = ShownTournament;

// A server with members p1, p2 and so on, and a program that reads tables.
struct Club {
  TestServer server;
  std::map<std::string, std::unique_ptr<User>> users;
  std::unique_ptr<User> reader;
  std::unique_ptr<TestClient> owner;
  std::map<std::string, GameResult> played;  // by board: the results that this test made

  explicit Club(std::size_t n) {
    server.change_options = [](ServiceOptions& o) {
      o.texts_a_minute = o.challenges_a_minute = 1000;
    };
    server.restart();
    for (std::size_t i = 1; i <= n; ++i) user("p" + std::to_string(i));
    reader = std::make_unique<User>(server, "reader");
    reader->say("hello 2");
    PeerInfo own{"owner"};
    own.is_owner = true;
    owner = std::make_unique<TestClient>(server, own);
  }
  User& user(const std::string& userid) {
    auto& out = users[userid];
    if (!out) out = std::make_unique<User>(server, userid);
    return *out;
  }
  std::string say(const std::string& userid, const std::string& line) {
    return user(userid).first_reply_line(line);
  }
  void need(const std::string& userid, const std::string& line) {
    const std::string said = say(userid, line);
    INFO(userid << ": " << line << " -> " << said);
    REQUIRE(said.substr(0, 4) == "+OK ");
  }
  // Opens a tournament of p1 and lets members join.
  void open(const std::string& name, const std::string& terms, std::size_t n) {
    need("p1", "tournament new " + name + " " + terms);
    for (std::size_t i = 1; i <= n; ++i) need("p" + std::to_string(i), "tournament join " + name);
  }
  Shown show(const std::string& name) {
    const std::string said = reader->say("data tournament show " + name);
    INFO(said);
    Shown out(said);
    REQUIRE(out.info.name == name);
    return out;
  }
  static std::string words_of(const std::string& board) {
    std::string out = board;
    out[out.find('-')] = ' ';
    return out;
  }
  // Ends a game: the loser resigns, or both agree.
  void end_game(const std::string& board, const std::string& first, const std::string& second,
                GameResult result) {
    const std::string key = words_of(board), number = key.substr(key.find(' ') + 1),
                      game = key.substr(0, key.find(' '));
    played[board] = result;
    if (result == GameResult::tie) {
      need(first, game + " propose " + number);
      need(second, game + " accept " + number);
    } else {
      need(result == GameResult::first ? second : first, game + " resign " + number);
    }
  }
  // Plays until nothing runs, with random results; `between` comes before each game.
  void play_out(const std::string& name, std::mt19937& random,
                const std::function<void(const Shown&)>& between = nullptr) {
    for (int i = 0; i < 5000; ++i) {
      Shown now = show(name);
      if (between) {
        between(now);
        now = show(name);
      }
      const std::vector<TournamentGame> running = now.running();
      if (running.empty()) return;
      const auto& game = running[random() % running.size()];
      end_game(game.board, now.entry(game.first).userid, now.entry(game.second).userid,
               std::array{GameResult::first, GameResult::second, GameResult::tie}[random() % 3]);
    }
    FAIL("the tournament does not end");
  }
};

// Computes the standings from this test's own results: score, direct encounter, strength, wins.
struct Figures {
  double score = 0, direct = 0, strength = 0, wins = 0;
  auto operator<=>(const Figures&) const = default;
};

std::map<std::size_t, Figures> compute_figures(const Club& club, const Shown& now) {
  struct Game {
    std::size_t a, b;
    double points;  // of a
  };
  std::vector<Game> games;
  std::map<std::size_t, Figures> out;
  std::map<std::size_t, int> byes;
  for (const auto& e : now.entries) out[e.number];
  for (const auto& g : now.games) {
    if (g.second == 0) {
      out[g.first].score += 1;
      ++byes[g.first];
      continue;
    }
    if (now.entry(g.first).is_struck || now.entry(g.second).is_struck) continue;
    GameResult result = g.result;
    // Games that this test played have the result that it made.
    if (const auto own = club.played.find(g.board); own != club.played.end()) {
      CHECK(own->second == g.result);
      result = own->second;
    }
    if (result == GameResult::pending || result == GameResult::annulled) continue;
    games.push_back({g.first, g.second,
                     result == GameResult::tie     ? 0.5
                     : result == GameResult::first ? 1.0
                                                   : 0.0});
  }
  for (const Game& g : games) {
    out[g.a].score += g.points;
    out[g.b].score += 1 - g.points;
    out[g.a].wins += g.points == 1;
    out[g.b].wins += g.points == 0;
  }
  const bool swiss = now.info.form == Tournament::Form::swiss;
  auto scores = out;
  for (auto& [a, figures] : out) {
    std::set<std::size_t> group, met{a};
    for (const auto& [b, other] : scores)
      if (other.score == scores[a].score && !now.entry(b).is_struck) group.insert(b);
    double direct = 0;
    for (const Game& g : games)
      for (const bool first : {true, false}) {
        const std::size_t own = first ? g.a : g.b, other = first ? g.b : g.a;
        const double points = first ? g.points : 1 - g.points;
        if (own != a) continue;
        figures.strength += (swiss ? 1 : points) * scores[other].score;
        if (!group.count(other)) continue;
        met.insert(other);
        direct += points;
      }
    figures.strength += swiss ? byes[a] * scores[a].score : 0;
    // Everybody of the group must have met everybody.
    bool all = true;
    for (const std::size_t b : group)
      for (const std::size_t c : group)
        all = all && (b == c || std::ranges::any_of(games, [&](const Game& g) {
                        return (g.a == b && g.b == c) || (g.a == c && g.b == b);
                      }));
    figures.direct = all ? direct : 0;
  }
  return out;
}

void check_standings(const Club& club, const Shown& now) {
  const auto figures = compute_figures(club, now);
  const auto rank = [&](const TournamentEntry& e) {
    return std::tuple(!e.is_struck, !e.has_withdrawn, figures.at(e.number));
  };
  for (const auto& e : now.entries) {
    INFO(e.userid);
    const Figures& own = figures.at(e.number);
    CHECK(static_cast<double>(e.half_points) / 2 == (e.is_struck ? 0 : own.score));
    if (!e.is_struck) {
      REQUIRE(e.tie_breaks.size() == 3);
      CHECK(std::stod(e.tie_breaks[0]) == own.direct);
      CHECK(std::stod(e.tie_breaks[1]) == own.strength);
      CHECK(std::stod(e.tie_breaks[2]) == own.wins);
    }
    std::size_t better = 0;
    for (const auto& other : now.entries) better += !e.is_struck && rank(other) > rank(e);
    if (!e.is_struck) CHECK(e.place == better + 1);
  }
}

bool all_over(const Shown& now) {
  return std::ranges::none_of(now.games,
                              [](const auto& g) { return g.result == GameResult::pending; });
}

}  // namespace

TEST_CASE("a round robin is played to its end, six games of each player at a time",
          "[tournaments]") {
  std::mt19937 random(1);
  for (const bool is_double : {false, true}) {
    Club club(9);
    club.open("autumn", std::string("toot round-robin") + (is_double ? " double" : ""), 9);
    club.need("p1", "tournament start autumn");
    bool full = false;
    club.play_out("autumn", random, [&](const Shown& now) {
      std::map<std::size_t, int> running;
      for (const auto& g : now.games)
        if (g.result == GameResult::pending && !g.board.empty())
          ++running[g.first], ++running[g.second];
      for (const auto& [entry, games] : running) {
        CHECK(games <= 6);
        full = full || games == 6;
      }
    });
    CHECK(full);
    const Shown over = club.show("autumn");
    CHECK(over.info.state == Tournament::State::over);
    CHECK(over.games.size() == (is_double ? 72 : 36));
    CHECK(all_over(over));
    check_standings(club, over);
    CHECK(contains(club.user("p1").say("tournament show autumn"), "over since"));
  }
}

TEST_CASE("a Swiss tournament survives two who withdraw, a ban and a new name", "[tournaments]") {
  std::mt19937 random(2);
  Club club(13);
  club.open("open-1", "chaos swiss 5", 13);
  club.need("p1", "tournament start open-1");
  int games = 0;
  club.play_out("open-1", random, [&](const Shown& now) {
    ++games;
    if (games == 4) club.need("p3", "tournament withdraw open-1");
    if (games == 12) CHECK(contains(club.owner->say("admin ban p5"), "+OK"));
    if (games == 14) {
      CHECK(contains(club.owner->say("admin rename p7 newname"), "+OK p7 is newname now."));
      club.users.erase("p7");
    }
    if (games == 20) club.need("p8", "tournament withdraw open-1");
    if (games > 14) CHECK(now.entry("newname").number > 0);
    // p5's and p7's connections are gone.
    if (games == 14) {
      TestClient fresh(club.server);
      CHECK(contains(club.owner->first_reply_line("admin password newname secret"), "+OK"));
      club.server.finish_work();
      club.users["newname"] = std::make_unique<User>(club.server, "newname");
    }
  });
  const Shown over = club.show("open-1");
  CHECK(over.info.state == Tournament::State::over);
  CHECK(over.info.round == 5);
  CHECK(all_over(over));
  check_standings(club, over);
  for (const char* gone : {"p3", "p5", "p8"}) CHECK(over.entry(gone).has_withdrawn);
  std::set<std::pair<std::size_t, std::size_t>> met;
  std::set<std::size_t> byes;
  for (const auto& g : over.games)
    CHECK((g.second == 0 ? byes.insert(g.first).second
                         : met.insert(std::minmax(g.first, g.second)).second));
}

TEST_CASE("a knockout of two games a match finds its winner", "[tournaments]") {
  std::mt19937 random(3);
  Club club(11);
  club.open("cup", "flooprail knockout --forfeittime=3", 11);
  club.need("p1", "tournament start cup");
  int games = 0;
  club.play_out("cup", random, [&](const Shown&) {
    if (++games == 5) club.need("p9", "tournament withdraw cup");
    if (games == 9) CHECK(contains(club.owner->say("admin ban p2 : cheats"), "+OK"));
  });
  const Shown over = club.show("cup");
  CHECK(over.info.state == Tournament::State::over);
  CHECK(over.info.rounds == 4);
  CHECK(all_over(over));
  // Computes the winners of each round again.
  std::vector<std::size_t> left;
  for (std::size_t round = 1; round <= 4; ++round) {
    std::vector<std::size_t> winners, players;
    for (std::size_t i = 0; i < over.games.size(); ++i) {
      const auto& g = over.games[i];
      if (g.round != round) continue;
      players.push_back(g.first);
      if (g.second == 0) {
        winners.push_back(g.first);
        continue;
      }
      const auto& back = over.games[++i];
      REQUIRE(back.first == g.second);
      REQUIRE(back.second == g.first);
      players.push_back(g.second);
      double points = 0;
      for (const auto* one : {&g, &back})
        points += one->result == GameResult::tie                                  ? 0
                  : one->result == GameResult::annulled                           ? 0
                  : (one->result == GameResult::first) == (one->first == g.first) ? 1
                                                                                  : -1;
      winners.push_back(points > 0 ? g.first : points < 0 ? g.second : std::min(g.first, g.second));
    }
    if (round > 1) CHECK(players == left);
    left = winners;
  }
  REQUIRE(left.size() == 1);
  CHECK(over.entries.front().number == left.front());
  CHECK(over.entries.front().half_points == 8);
  const std::string text = club.user("p1").say("tournament show cup");
  for (const auto line : split_lines(text)) CHECK(columns(line) <= 80);
}

TEST_CASE("a player who withdraws after a won game of a match does not go on", "[tournaments]") {
  Club club(4);
  club.open("cup", "toot knockout", 4);
  club.need("p1", "tournament start cup");
  const auto shown = club.show("cup");
  // The first game of the best seed's match.
  const auto running = shown.running();
  const TournamentGame game = *std::ranges::find_if(
      running, [](const TournamentGame& g) { return g.first == 1 || g.second == 1; });
  const std::string best = shown.entry(1).userid,
                    other = shown.entry(game.first == 1 ? game.second : game.first).userid;
  club.need(other, Club::words_of(game.board).replace(0, 4, "toot resign"));
  CHECK(club.show("cup").running().size() == running.size() - 1);
  club.need(best, "tournament withdraw cup");
  const auto after = club.show("cup");
  CHECK(after.entry(other).half_points == 0);  // the round still runs
  for (const auto& left : after.running()) {
    const std::string loser = after.entry(left.first).userid;
    static_cast<void>(club.say(loser, Club::words_of(left.board).replace(0, 4, "toot resign")));
  }
  const auto over = club.show("cup");
  CHECK(over.info.round == 2);
  CHECK(std::ranges::none_of(
      over.running(), [](const TournamentGame& g) { return g.first == 1 || g.second == 1; }));
  CHECK(std::ranges::any_of(over.games, [&](const TournamentGame& g) {
    return g.round == 2 &&
           (over.entry(g.first).userid == other || over.entry(g.second).userid == other);
  }));
}

TEST_CASE("a tournament starts when it is full, at its date, or not at all with too few",
          "[tournaments]") {
  Club club(5);
  club.open("full", "toot knockout -entries=4", 3);
  CHECK(contains(club.say("p4", "tournament join full"), "It is full and starts now."));
  CHECK(club.show("full").info.state == Tournament::State::running);
  club.open("dated", "toot round-robin -until=2026-11-25", 3);
  club.need("p1", "tournament new alone toot swiss -until=2026-11-25");
  club.need("p1", "tournament join alone");
  club.server.pass_time(std::chrono::hours(24));
  CHECK(club.show("dated").info.state == Tournament::State::open);
  CHECK(contains(club.owner->say("admin tournament extend dated 2026-11-29"), "+OK"));
  club.server.pass_time(std::chrono::hours(24 * 4));
  CHECK(club.show("dated").info.state == Tournament::State::open);
  CHECK(contains(club.say("p1", "tournament show alone"), "There is no tournament alone"));
  club.server.pass_time(std::chrono::hours(24 * 5));
  CHECK(club.show("dated").info.state == Tournament::State::running);
}

TEST_CASE("players hear of their round and opponents, once", "[tournaments]") {
  Club club(4);
  club.user("p2").say("watch");
  club.user("p4").say("watch");
  club.open("autumn", "toot swiss 2", 4);
  club.user("p2").take_received();
  club.need("p1", "tournament start autumn");
  std::string heard = club.user("p2").take_received();
  CHECK(contains(heard, "* tournament autumn : Round 1 of autumn: you play p4."));
  CHECK_FALSE(contains(heard, " turn 1\n"));  // p4 moves first
  CHECK(contains(club.user("p4").take_received(), " turn 1\n"));
  CHECK(contains(club.user("p3").say("watch"),
                 "* tournament autumn : Round 1 of autumn: you play p1. ("));
  // In a round robin all games of three players begin at once.
  club.open("robin", "toot round-robin", 3);
  club.user("p2").take_received();
  club.need("p1", "tournament start robin");
  heard = club.user("p2").take_received();
  CHECK(contains(heard, "* tournament robin : Rounds 1 and "));
  CHECK(contains(heard, " of robin: you play p"));
}

TEST_CASE("a board says to which round it belongs, and cannot be refused", "[tournaments]") {
  Club club(3);
  club.open("autumn", "toot round-robin", 3);
  club.need("p1", "tournament start autumn");
  CHECK(contains(club.user("p1").say("toot show 101"), "Round 1 of autumn."));
  CHECK(contains(club.user("p1").say("toot games"), "Round 1 of autumn"));
  std::optional<BoardSummary> board;
  const std::string shown = club.reader->say("toot info 101");
  for (const auto line : split_lines(shown))
    if (auto found = decode_board(line, "reader")) board = found;
  REQUIRE(board);
  CHECK(board->contest == "Round 1 of autumn");
  CHECK(board->seats.unplayed.empty());
  const std::string first = lower(board->names[0]);
  CHECK(contains(club.say(first, "toot refuse 101"), "-ERR A game of a tournament or ladder"));
  club.need(first, "toot resign 101");
  const Shown now = club.show("autumn");
  CHECK(now.games.front().result == GameResult::second);
  CHECK(contains(club.user("p1").say("toot history"), "won"));
}

TEST_CASE("a game of a tournament is lost on time, and an annulled one counts for nobody",
          "[tournaments]") {
  Club club(3);
  club.open("autumn", "toot round-robin --nagtime=none --forfeittime=2", 3);
  club.need("p1", "tournament start autumn");
  CHECK(contains(club.owner->say("admin annul toot 102"), "+OK"));
  CHECK(club.show("autumn").games[1].result == GameResult::annulled);
  club.server.pass_time(std::chrono::hours(24 * 3));
  const Shown over = club.show("autumn");
  CHECK(over.games[0].result == GameResult::second);
  CHECK(over.games[2].result == GameResult::second);
  CHECK(over.info.state == Tournament::State::over);
  // A finished game can be annulled, too.
  CHECK(contains(club.owner->say("admin annul toot 101"), "is not rated"));
}

TEST_CASE("the owner annuls a rated game of a tournament, and says that it no longer counts",
          "[tournaments]") {
  Club club(3);
  club.open("autumn", "toot round-robin", 3);
  club.need("p1", "tournament start autumn");
  const Shown now = club.show("autumn");
  const std::string first = now.entry(now.games[0].first).userid,
                    second = now.entry(now.games[0].second).userid,
                    board = Club::words_of(now.games[0].board);
  for (const std::string column : {"A", "B", "C"}) {
    club.need(first, board + " " + column + "T");
    club.need(second, board + " " + column + "O");
  }
  club.need(second, board + " resign");
  CHECK(club.show("autumn").entry(first).half_points == 2);
  CHECK(club.owner->first_reply_line("admin annul " + board) ==
        "+OK " + board + " is no longer rated and counts for nobody in autumn.");
  CHECK(club.show("autumn").entry(first).half_points == 0);
}

TEST_CASE("a save that was deleted while no server ran is annulled", "[tournaments]") {
  Club club(3);
  club.open("autumn", "toot round-robin", 3);
  club.need("p1", "tournament start autumn");
  club.users.clear();
  club.reader.reset();
  club.owner.reset();
  club.server.stop();
  std::filesystem::remove(club.server.directory / "toot-101.yaml");
  club.server.start();
  club.server.pass_time(std::chrono::minutes(10));
  club.reader = std::make_unique<User>(club.server, "reader");
  club.reader->say("hello 2");
  CHECK(club.show("autumn").games[0].result == GameResult::annulled);
}

TEST_CASE("who leaves a round robin early is struck, and later only loses", "[tournaments]") {
  Club club(5);
  club.open("autumn", "toot round-robin", 5);
  club.need("p1", "tournament start autumn");
  Shown now = club.show("autumn");
  const auto games_of = [&](const std::string& userid) {
    std::vector<TournamentGame> out;
    for (const auto& g : club.show("autumn").games)
      if (g.first == now.entry(userid).number || g.second == now.entry(userid).number)
        out.push_back(g);
    return out;
  };
  const auto win = [&](const TournamentGame& g, const std::string& userid) {
    const bool first = now.entry(g.first).userid == userid;
    club.end_game(g.board, now.entry(g.first).userid, now.entry(g.second).userid,
                  first ? GameResult::first : GameResult::second);
  };
  win(games_of("p2")[0], "p2");
  club.need("p2", "tournament withdraw autumn");
  CHECK(contains(club.say("p2", "tournament withdraw autumn"), "has already withdrawn"));
  now = club.show("autumn");
  CHECK(now.entry("p2").is_struck);
  check_standings(club, now);
  for (const auto& g : games_of("p2")) CHECK(g.result != GameResult::pending);
  int left = 3;  // p3's games, one of which is over by now
  for (const auto& g : games_of("p3"))
    if (g.result == GameResult::pending && left-- > 1) win(g, "p3");
  club.need("p3", "tournament withdraw autumn");
  now = club.show("autumn");
  CHECK_FALSE(now.entry("p3").is_struck);
  CHECK(now.entry("p3").half_points == 4);
  CHECK(now.entry("p3").place == 4);
  std::mt19937 random(4);
  club.play_out("autumn", random);
  check_standings(club, club.show("autumn"));
}

TEST_CASE("the owner cancels a tournament and replaces a player", "[tournaments]") {
  Club club(5);
  club.open("autumn", "toot round-robin", 3);
  club.need("p1", "tournament start autumn");
  CHECK(contains(club.say("p1", "admin tournament cancel autumn"), "-ERR"));
  CHECK(contains(club.owner->say("admin tournament replace autumn p2 p3"), "already plays"));
  CHECK(contains(club.owner->say("admin tournament replace autumn p5 p4"), "does not play"));
  CHECK(contains(club.owner->say("admin tournament replace autumn p2 nobody"), "-ERR"));
  CHECK(contains(club.owner->say("admin tournament replace autumn p2 p4"), "+OK"));
  Shown now = club.show("autumn");
  CHECK(now.entry("p4").number > 0);
  CHECK(contains(club.user("p4").say("games"), "+OK 2 boards of p4"));
  CHECK(contains(club.user("p2").say("games"), "+OK No boards of p2"));
  CHECK(contains(club.owner->say("admin tournament extend autumn 2026-12-01"), "runs already"));
  CHECK(contains(club.owner->say("admin tournament cancel autumn"), "+OK"));
  CHECK(contains(club.owner->say("admin tournament cancel autumn"), "cancelled already"));
  now = club.show("autumn");
  CHECK(now.info.state == Tournament::State::cancelled);
  CHECK(contains(club.user("p1").say("toot show 101"), "of autumn"));
  CHECK(contains(club.owner->say("tournament new spring toot swiss"), "+OK spring is open"));
  CHECK(contains(club.say("p1", "tournament start spring"), "Only the owner of the server"));
}

TEST_CASE("a cancelled knockout has no winners of its last round", "[tournaments]") {
  Club club(4);
  club.open("cup", "toot knockout", 4);
  CHECK(contains(club.owner->say("admin tournament cancel cup"), "+OK"));
  CHECK(contains(club.say("p1", "tournament show cup"), "There is no tournament cup"));
  club.open("cup", "toot knockout", 4);
  club.need("p1", "tournament start cup");
  CHECK(contains(club.owner->say("admin tournament cancel cup"), "+OK"));
  const Shown now = club.show("cup");
  for (const TournamentEntry& entry : now.entries) {
    CHECK(entry.half_points == 0);
    CHECK(entry.place == 1);
  }
}

TEST_CASE("the owner alone may make tournaments if the server says so", "[tournaments]") {
  Club club(1);
  club.server.change_options = [](ServiceOptions& o) { o.members_make_tournaments = false; };
  club.users.clear(), club.reader.reset(), club.owner.reset();
  club.server.restart();
  PeerInfo own{"owner"};
  own.is_owner = true;
  TestClient owner(club.server, own);
  CHECK(contains(club.say("p1", "tournament new autumn toot swiss"), "Only the owner"));
  CHECK(contains(owner.say("tournament new autumn toot swiss"), "+OK"));
}

TEST_CASE("every command of tournaments refuses with a sentence", "[tournaments]") {
  Club club(5);
  const auto refuses = [&](const std::string& userid, const std::string& line,
                           const std::string& why) {
    const std::string said = club.say(userid, line);
    INFO(line << " -> " << said);
    CHECK(said.substr(0, 5) == "-ERR ");
    CHECK(contains(said, why));
  };
  refuses("p1", "tournament new autumn chess swiss", "There is no game chess");
  refuses("p1", "tournament new autumn toot ladder", "is no form of a tournament");
  refuses("p1", "tournament new au.tumn toot swiss", "cannot be the name");
  refuses("p1", "tournament new averyveryverylong toot swiss", "cannot be the name");
  refuses("p1", "tournament new autumn toot swiss double", "Only a round robin");
  refuses("p1", "tournament new autumn toot swiss 99", "does not belong there");
  refuses("p1", "tournament new autumn toot knockout 3", "does not belong there");
  refuses("p1", "tournament new autumn toot swiss -entries=3", "4 to 64");
  refuses("p1", "tournament new autumn toot swiss -entries=8 -entries=9", "given twice");
  refuses("p1", "tournament new - toot swiss", "cannot be the name");
  refuses("p1", "tournament new 1 toot swiss", "cannot be the name");
  refuses("p1", "tournament new autumn toot swiss -entries", "in one word");
  refuses("p1", "tournament new autumn toot swiss -until=yesterday", "not a date");
  refuses("p1", "tournament new autumn toot swiss -until=2026-01-01", "not a date");
  refuses("p1", "tournament new autumn toot swiss -rated=perhaps", "not yes or no");
  refuses("p1", "tournament new autumn toot swiss -pair", "-pair");
  refuses("p1", "tournament new autumn toot swiss --forfeittime=none", "has a clock");
  refuses("p1", "tournament new autumn toot swiss -size=0x0", "size");
  refuses("p1", "tournament new autumn plotto round-robin 3", "Every game has two seats.");
  club.need("p1", "tournament new autumn toot swiss -size=7x9 -entries=4");
  refuses("p2", "tournament new Autumn toot swiss", "There is a tournament autumn already");
  club.need("p1", "tournament new winter tootris swiss");
  refuses("p1", "tournament new spring toot swiss", "the limit");
  refuses("p1", "tournament show summer", "There is no tournament summer");
  refuses("p1", "tournament start autumn", "at least 3 players");
  refuses("p2", "tournament start autumn", "Only p1 can start autumn");
  refuses("p2", "tournament leave autumn", "You do not play");
  refuses("p2", "tournament withdraw autumn", "Type tournament leave autumn");
  club.need("p2", "tournament join Autumn");
  refuses("p2", "tournament join autumn", "already play");
  club.need("p2", "tournament leave autumn");
  for (const char* player : {"p1", "p2", "p3"}) club.need(player, "tournament join autumn");
  refuses("p3", "tournament start autumn", "Only p1");
  club.need("p1", "tournament start autumn");
  refuses("p1", "tournament start autumn", "is running");
  refuses("p4", "tournament join autumn", "is running");
  refuses("p1", "tournament leave autumn", "Type tournament withdraw autumn");
  refuses("p4", "tournament withdraw autumn", "does not play");
  TestClient stranger(club.server);
  for (const char* line : {"tournament join winter", "tournament new x toot swiss",
                           "tournament start winter", "ladder toot join"})
    CHECK(contains(stranger.first_reply_line(line), "-ERR Sign in first"));
  CHECK(contains(stranger.say("tournaments"), "+OK 2 tournaments"));
  CHECK(contains(stranger.say("tournament show autumn"), "Round 1"));
}

// --- ladders ---

namespace {

std::vector<LadderPlace> ladder_of(Club& club, const std::string& name) {
  std::vector<LadderPlace> out;
  const std::string said = club.reader->say("data ladder " + name);
  for (const auto line : split_lines(said))
    if (auto place = decode_ladder_place(line)) out.push_back(*place);
  return out;
}

std::string order_of(Club& club, const std::string& name) {
  std::string out;
  for (const auto& place : ladder_of(club, name)) out += (out.empty() ? "" : " ") + place.userid;
  return out;
}

}  // namespace

TEST_CASE("a ladder is climbed by challenges", "[tournaments][ladders]") {
  Club club(6);
  for (int i = 1; i <= 6; ++i) club.need("p" + std::to_string(i), "ladder toot join");
  const auto refuses = [&](const std::string& userid, const std::string& line,
                           const std::string& why) {
    const std::string said = club.say(userid, line);
    INFO(line << " -> " << said);
    CHECK(said.substr(0, 5) == "-ERR ");
    CHECK(contains(said, why));
  };
  refuses("p1", "ladder toot join", "already have a place");
  refuses("p6", "ladder toot challenge p1", "at most 3 places above");
  refuses("p6", "ladder toot challenge p6", "at most 3 places above");
  refuses("p2", "ladder toot challenge p3", "at most 3 places above");
  refuses("p2", "ladder toot challenge nobody", "nobody has no place");
  refuses("p2", "ladder toot -size=7x9 join", "There is no ladder toot -size=7x9");
  refuses("p2", "ladder chess", "There is no game chess");
  refuses("p2", "ladder toot climb", "Write: ladder");
  refuses("reader", "ladder toot leave", "You have no place");
  club.user("p3").say("watch");
  club.need("p6", "ladder toot challenge p3");
  CHECK(contains(club.user("p3").take_received(),
                 "* ladder toot : p6 challenges you on the ladder of Toot"));
  CHECK(contains(club.user("p3").say("toot show 101"), "Ladder of Toot."));
  refuses("p6", "ladder toot challenge p4", "already challenged p3");
  refuses("p5", "ladder toot challenge p3", "p6 has already challenged p3");
  refuses("p3", "toot refuse 101", "cannot be refused");
  // p3 may challenge while being challenged.
  club.need("p3", "ladder toot challenge p1");
  auto places = ladder_of(club, "toot");
  CHECK(places[2].board == "toot-101");
  CHECK(places[2].challenger == "p6");
  club.need("p3", "toot resign 101");
  CHECK(order_of(club, "toot") == "p1 p2 p6 p3 p4 p5");
  club.need("p3", "toot resign 102");
  CHECK(order_of(club, "toot") == "p1 p2 p6 p3 p4 p5");
  club.need("p4", "ladder toot challenge p2");
  club.need("p2", "toot propose 103");
  club.need("p4", "toot accept 103");
  CHECK(order_of(club, "toot") == "p1 p2 p6 p3 p4 p5");
  // Not accepted in seven days: the place is lost.
  club.need("p4", "ladder toot challenge p6");
  club.server.pass_time(std::chrono::hours(24 * 8));
  CHECK(order_of(club, "toot") == "p1 p2 p4 p6 p3 p5");
  // Whoever leaves loses their game.
  club.need("p5", "ladder toot challenge p3");
  club.need("p3", "ladder toot leave");
  CHECK(order_of(club, "toot") == "p1 p2 p4 p6 p5");
  const std::string ladders = club.user("p1").say("ladders");
  CHECK(contains(ladders, "+OK " + std::to_string(all_games().size()) + " ladders"));
  CHECK(contains(ladders, "p1 leads since 2026-11-21"));
  CHECK(contains(club.owner->say("admin open ladder toot -size=7x9"), "+OK"));
  CHECK(contains(club.owner->say("admin open ladder tootris"), "+OK The ladder toot -tootris"));
  CHECK(contains(club.owner->say("admin open ladder toot -size=7x9"), "already"));
  club.need("p1", "ladder toot -size=7x9 join");
  CHECK(order_of(club, "toot -size=7x9") == "p1");
  // An annulled game changes nothing.
  club.need("p2", "ladder toot challenge p1");
  CHECK(contains(club.owner->say("admin annul toot 106"), "+OK"));
  CHECK(order_of(club, "toot") == "p1 p2 p4 p6 p5");
  club.need("p2", "ladder toot challenge p1");
  CHECK(contains(club.owner->say("admin ban p1"), "+OK"));
  CHECK(order_of(club, "toot") == "p2 p4 p6 p5");
  CHECK(contains(club.owner->say("admin rename p4 other"), "+OK"));
  CHECK(order_of(club, "toot") == "p2 other p6 p5");
}

TEST_CASE("a month without a ladder game costs places", "[tournaments][ladders]") {
  Club club(4);
  for (int i = 1; i <= 4; ++i) club.need("p" + std::to_string(i), "ladder toot join");
  club.server.pass_time(std::chrono::hours(24 * 20));
  club.need("p4", "ladder toot challenge p3");
  club.need("p3", "toot move 101 BT");
  club.need("p4", "toot move 101 CO");
  club.need("p4", "toot resign 101");
  club.server.pass_time(std::chrono::hours(24 * 11));
  CHECK(order_of(club, "toot") == "p3 p1 p2 p4");
  club.server.pass_time(std::chrono::hours(24 * 7));
  CHECK(order_of(club, "toot") == "p3 p4 p1 p2");
  CHECK(contains(club.user("p1").say("watch"), "* ladder toot : You have played no ladder game"));
}

namespace {

// A second opinion on a ladder, hour by hour.
struct LadderModel {
  struct Player {
    std::string userid;
    Time last_game;
    int drops = 0;
  };
  struct Game {
    std::string challenger, challenged;
    Time begun;
    int ending;  // 0: the challenged resigns, 1: the challenger; 2: a tie; 3: the time runs out
    int moves;   // the challenged moves first
    Time ends;
    bool is_won() const { return ending == 0 || (ending == 3 && moves != 1); }
  };
  std::vector<Player> players;
  std::map<std::string, Game> games;                           // by board
  std::map<std::pair<std::string, std::string>, Time> ended_;  // by challenger and challenged

  std::size_t place_of(const std::string& userid) const {
    std::size_t out = 1;
    for (const Player& player : players) {
      if (player.userid == userid) break;
      ++out;
    }
    return out;
  }
  std::string order() const {
    std::string out;
    for (const Player& player : players) out += (out.empty() ? "" : " ") + player.userid;
    return out;
  }
  bool may_challenge(const std::string& a, const std::string& b, Time now) const {
    const auto last = ended_.find({a, b});
    if (last != ended_.end() && now < last->second + std::chrono::hours(24)) return false;
    const std::size_t low = place_of(a), high = place_of(b);
    for (const auto& [board, game] : games)
      if (game.challenger == a || game.challenged == b) return false;
    return high < low && low <= high + 3;
  }
  void end(const std::string& board, Time now) {
    const Game game = games.at(board);
    games.erase(board);
    ended_[{game.challenger, game.challenged}] = now;
    for (Player& player : players)
      if ((player.userid == game.challenger &&
           (game.moves == 2 || (game.moves == 0 && game.is_won()))) ||
          (player.userid == game.challenged && game.moves > 0))
        player.last_game = now, player.drops = 0;
    const std::size_t low = place_of(game.challenger), high = place_of(game.challenged);
    if (!game.is_won() || low < high) return;
    const Player winner = players[low - 1];
    players.erase(players.begin() + static_cast<std::ptrdiff_t>(low - 1));
    players.insert(players.begin() + static_cast<std::ptrdiff_t>(high - 1), winner);
  }
  bool is_idle(const Player& player, Time now) const {
    for (const auto& [board, game] : games)
      if (game.challenger == player.userid || game.challenged == player.userid) return false;
    return now >= player.last_game + std::chrono::hours(24 * 30);
  }
  // The lowest goes first. A player with an active one further below lets that one pass.
  void drop_idle(Time now) {
    std::list<Player> left(players.begin(), players.end());
    for (auto at = left.end(); at != left.begin();) {
      const auto player = --at;
      if (!is_idle(*player, now) || now < player->last_game + std::chrono::hours(24 * 30) +
                                              std::chrono::hours(24 * 7) * player->drops)
        continue;
      ++player->drops;
      auto place = std::next(player);
      while (place != left.end() && is_idle(*place, now)) ++place;
      if (place == left.end()) continue;
      ++at;
      left.splice(std::next(place), left, player);
    }
    players.assign(left.begin(), left.end());
  }
};

}  // namespace

TEST_CASE("for two months a ladder has the order that another program computes",
          "[tournaments][ladders]") {
  constexpr unsigned kSeed = 20261128;
  std::mt19937 random(kSeed);
  constexpr int kPlayers = 12;
  Club club(kPlayers);
  LadderModel model;
  for (int i = 1; i <= kPlayers; ++i) {
    const std::string userid = "p" + std::to_string(i);
    club.server.pass_time(std::chrono::hours(random() % 60));
    club.need(userid, "ladder toot join");
    model.players.push_back({userid, club.server.time});
  }
  std::size_t challenges = 0, refusals = 0, timeouts = 0, drops = 0;
  for (int hour = 0; hour < 24 * 60; ++hour) {
    INFO("hour " << hour << ", seed " << kSeed);
    const Time now = club.server.time;
    // Only some of them play much.
    if (random() % 3 == 0) {
      const std::string a = "p" + std::to_string(1 + random() % 7),
                        b = "p" + std::to_string(1 + random() % (hour % 2 == 0 ? 7 : kPlayers));
      const std::string said = club.user(a).say("ladder toot challenge " + b);
      INFO(a << " challenges " << b << ": " << said);
      REQUIRE(said.starts_with("+OK") == model.may_challenge(a, b, now));
      if (said.starts_with("+OK")) {
        const int ending = static_cast<int>(random() % 4), moves = static_cast<int>(random() % 3);
        const auto hours = std::chrono::hours(ending == 3 ? 24 * 7 : 1 + random() % 100);
        const std::string number = split_words(said)[2].substr(0, 3);
        if (moves > 0) club.need(b, "toot move " + number + " BT");
        if (moves > 1) club.need(a, "toot move " + number + " CO");
        model.games["toot-" + number] = {a, b, now, ending, moves, now + hours};
        ++challenges;
      } else {
        ++refusals;
      }
    }
    for (const auto& [board, game] : std::map(model.games)) {
      if (game.ending == 3 || game.ends > now) continue;
      model.end(board, now);
      club.end_game(board, game.challenged, game.challenger,
                    game.ending == 2   ? GameResult::tie
                    : game.ending == 0 ? GameResult::second
                                       : GameResult::first);
    }
    REQUIRE(order_of(club, "toot") == model.order());
    club.server.pass_time(std::chrono::hours(1));
    for (const auto& [board, game] : std::map(model.games))
      if (game.ending == 3 && game.ends <= club.server.time) {
        model.end(board, game.ends);
        ++timeouts;
      }
    const std::string before = model.order();
    model.drop_idle(club.server.time);
    drops += model.order() != before;
    REQUIRE(order_of(club, "toot") == model.order());
  }
  CHECK(challenges > 30);
  CHECK(refusals > 30);
  CHECK(timeouts > 5);
  CHECK(drops > 3);
}

TEST_CASE("lines of tournaments and ladders are read as they were written", "[tournaments]") {
  const Time now = *read_iso_time("2026-11-21T12:00:00Z");
  Tournament t{"autumn", find_game("toot"), {"-size=7x9", "--nagtime=3"}};
  t.form = Tournament::Form::swiss;
  CHECK(decode_tournament(encode(t)) == t);
  t.state = Tournament::State::over;
  t.rounds = t.round = 4, t.entry_count = 9, t.max_entries = 16, t.creator = "fred";
  t.start_time = t.started_at = t.ended_at = now;
  t.is_double = t.has_joined = t.is_unrated = true;
  CHECK(decode_tournament(encode(t)) == t);
  TournamentEntry e{3, "wilma", 1650};
  CHECK(decode_tournament_entry(encode(e)) == e);
  e = {3, "wilma", 1650, true, true, 1, 9, {"1", "12.25", "3"}};
  CHECK(decode_tournament_entry(encode(e)) == e);
  for (const GameResult result : {GameResult::pending, GameResult::tie, GameResult::bye}) {
    const TournamentGame g{2, 3, 1, "toot-104", result};
    CHECK(decode_tournament_game(encode(g)) == g);
  }
  const Ladder ladder{"toot -size=7x9", find_game("toot"), {"-size=7x9"}, 12, "fred", now, 4};
  CHECK(decode_ladder(encode(ladder)) == ladder);
  const LadderPlace place{1, "fred", 1700, now, "toot-101", "wilma", true};
  CHECK(decode_ladder_place(encode(place)) == place);
  for (const char* line : {"{tournament: x}", "{entry: 1}", "{round: 0}", "{ladder: chess}",
                           "{place: 1, user: \"a b\"}", "{tournament: [", "garbage"}) {
    CHECK_FALSE(decode_tournament(line));
    CHECK_FALSE(decode_tournament_entry(line));
    CHECK_FALSE(decode_tournament_game(line));
    CHECK_FALSE(decode_ladder(line));
    CHECK_FALSE(decode_ladder_place(line));
  }
}

TEST_CASE("one member cannot fill the list of tournaments, and leaving the server empties it",
          "[tournaments]") {
  Club club(3);
  const auto refuses = [&](const std::string& line, const std::string& why) {
    const std::string said = club.say("p1", line);
    INFO(line << " -> " << said);
    CHECK(contains(said, "-ERR"));
    CHECK(contains(said, why));
  };
  for (int i = 1; i <= 3; ++i) {
    club.open("t" + std::to_string(i), "toot swiss", 3);
    club.need("p1", "tournament start t" + std::to_string(i));
  }
  club.need("p1", "tournament new t4 toot swiss");
  club.need("p1", "tournament new t5 toot swiss");
  refuses("tournament new t6 toot swiss", "2 open tournaments");
  club.need("p1", "tournament join t5");
  for (const char* other : {"p2", "p3"}) club.need(other, "tournament join t5");
  club.need("p1", "tournament start t5");
  refuses("tournament new t6 toot swiss", "5 tournaments");
  for (const char* name : {"toot-101", "seek-5"})
    CHECK(contains(club.say("p2", "tournament new " + std::string(name) + " toot swiss"),
                   "is the name of a board"));
  CHECK(contains(club.say("p2", "tournament new long toot swiss --forfeittime=3650"),
                 "at most 60 days"));
  CHECK(contains(club.owner->say("admin ban p1"), "+OK"));
  CHECK(contains(club.say("p2", "tournament join t4"), "There is no tournament t4"));
}

TEST_CASE("who has left the server does nothing there any more", "[tournaments][ladders]") {
  Club club(3);
  TestClient second(club.server);
  CHECK(contains(second.say("login p1 secret"), "+OK"));
  for (const char* line : {"tournament new open toot swiss", "tournament join open"})
    club.need("p1", line);
  CHECK(contains(club.say("p1", "signoff p1 secret"), "+OK"));
  for (const char* line : {"ladder toot join", "tournament new ghost toot swiss", "invite",
                           "tournament start open", "ladder toot challenge p2"}) {
    INFO(line);
    CHECK(contains(club.say("p1", line), "-ERR"));
    CHECK(contains(second.say(line), "-ERR"));
  }
  CHECK(contains(club.say("p2", "tournament show open"), "There is no tournament open"));
}

TEST_CASE("a game of a tournament stays what it was", "[tournaments]") {
  Club club(4);
  club.open("cup", "toot knockout -rated=no", 4);
  club.need("p1", "tournament start cup");
  const auto running = club.show("cup").running();
  const TournamentGame game = running.front();
  const std::string number = game.board.substr(5),
                    first = club.show("cup").entry(game.first).userid,
                    second = club.show("cup").entry(game.second).userid;
  // No move is taken back, nobody becomes a computer meanwhile, and no other game is a rematch.
  club.need(first, "toot move " + number + " BT");
  CHECK(contains(club.say(first, "toot undo " + number), "cannot be taken back"));
  CHECK(contains(club.say(second, "set computer yes"), "-ERR You have"));
  club.need(second, "toot move " + number + " CO");
  club.need(first, "toot resign " + number);
  const std::string rematch = club.say(second, "toot rematch " + number);
  for (const auto& other : running)
    CHECK_FALSE(contains(rematch, "Board " + other.board.substr(5) + " "));
  // It stays unrated if the tournament is cancelled.
  const TournamentGame last = running.back();
  CHECK(contains(club.owner->say("admin tournament cancel cup"), "+OK"));
  const std::string loser = club.show("cup").entry(last.first).userid;
  for (int ply = 0; ply < 6; ++ply)
    club.need(club.show("cup").entry(ply % 2 == 0 ? last.first : last.second).userid,
              "toot move " + last.board.substr(5) + " " +
                  std::array{"AT", "BO", "CT", "DO", "ET", "FO"}[static_cast<std::size_t>(ply)]);
  club.need(loser, "toot resign " + last.board.substr(5));
  CHECK(contains(club.user("p1").say("toot history " + loser), "cup is not rated"));
}

TEST_CASE("a block keeps news of a tournament away, and protects no place on a ladder",
          "[tournaments][ladders]") {
  Club club(3);
  for (const char* userid : {"p1", "p2", "p3"}) club.need(userid, "ladder toot join");
  club.need("p1", "block p2");
  club.user("p1").say("watch");
  club.user("p3").say("watch");
  club.need("p2", "tournament new look-here toot swiss");
  CHECK_FALSE(contains(club.user("p1").take_received(), "look-here"));
  CHECK(contains(club.user("p3").take_received(), "look-here"));
  club.need("p2", "ladder toot challenge p1");
  // The same challenge waits for a day.
  club.need("p2", "toot resign 101");
  CHECK(contains(club.say("p2", "ladder toot challenge p1"), "less than a day ago"));
  club.need("p3", "ladder toot challenge p1");
}
