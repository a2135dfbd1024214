// SPDX-License-Identifier: MIT
// Openings: counting games, formatting, asking a server, and proofs.
#include "protocol/openings.hpp"

#include <fstream>
#include <random>

#include "boards/analysis.hpp"
#include "boards/local_boards.hpp"
#include "save/save.hpp"
#include "retrograde_solver.hpp"
#include "test_app.hpp"
#include "test_server.hpp"
#include "ui/line_mode.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

Match play_match(const Setup& setup, const std::string& done) {
  Match out = *Match::start(*setup.game, setup.options, player_names(setup.seats), Time{});
  for (const std::string& word : split_words(done)) {
    const auto entry = out.validate(out.acting_seat(word), word, Time{});
    INFO(done << ": " << word);
    REQUIRE(entry.ok());
    out.add(*entry);
  }
  return out;
}

Openings make_openings(const Setup& setup, const std::string& plies) {
  const Match match = play_match(setup, plies);
  auto out = Openings::make_table(match, match.plies().size());
  REQUIRE(out.ok());
  return std::move(*out);
}

// Formats the rows: "CO 2:1-0" means two games, one win of the first seat, none of the second.
std::string format_rows(const Openings& openings) {
  std::string out;
  for (const Openings::Row& row : openings.rows()) {
    out += (out.empty() ? "" : ", ") + row.ply + " " + std::to_string(row.games);
    for (std::size_t s = 0; s < row.wins.size(); ++s)
      out += (s == 0 ? ":" : "-") + std::to_string(row.wins[s]);
  }
  return out;
}

}  // namespace

TEST_CASE("a move counts in each game that is over and came there, in whatever order",
          "[openings]") {
  const Setup toot = make_setup("toot");
  Openings here = make_openings(toot, "AT BO CT");
  const auto add = [&](const std::string& done) { here.add(play_match(toot, done)); };
  add("AT BO CT DO resign");          // the first seat resigns
  add("CT BO AT DO CT resign");       // the same position; the second seat resigns
  add("AT BO CT BT propose accept");  // a draw
  add("AT BO CT BT");                 // still in play
  add("AT BO CT resign");             // no ply in this position
  add("AT BO ET CO resign");          // another position
  add("AT CO BT DO resign");          // the same columns, but another position
  here.add(play_match(make_setup("toot", {"-tootris"}), "AT BO CT DO resign"));
  here.add(play_match(make_setup("chaos"), "resign"));
  CHECK(format_rows(here) == "DO 2:1-1, BT 1:0-0");
  CHECK(here.games() == 3);
  CHECK(here.format_text() ==
        "# Toot after AT BO CT\n\n3 finished games reached this position. OTTO is to move. "
        "Games won and tied, in percent:\n\n        games TOOT OTTO tie\n    DO      2   50   50   "
        "0\n  "
        "  BT   "
        "   1    0    0 100\n\n\n");
  here.add_remark("So it is.");
  CHECK(here.format_text().ends_with("\n\n So it is.\n"));

  // The same plies in another order may lead to another position.
  Openings stacked = make_openings(toot, "AT AO");
  stacked.add(play_match(toot, "AO AT CT resign"));
  CHECK(stacked.games() == 0);
  stacked.add(play_match(toot, "AT AO CT resign"));
  CHECK(format_rows(stacked) == "CT 1:1-0");

  Openings start = make_openings(toot, "");
  CHECK(start.format_text() == "No finished game reached this position.");
  start.add(play_match(toot, "AT BO CT DO resign"));
  CHECK(contains(start.format_text(), "# Toot, from the start\n"));
  Openings late = make_openings(make_setup("toot", {"-size=7x9"}), "AT BO CT DO ET FO GT AO BT CO");
  late.add(
      play_match(make_setup("toot", {"-size=7x9"}), "AT BO CT DO ET FO GT AO BT CO DT resign"));
  CHECK(contains(late.format_text(), "# Toot -size=7x9 after ... CT DO ET FO GT AO BT CO\n"));
}

TEST_CASE("where nothing can follow, or somebody gave up before, there are no openings",
          "[openings]") {
  const Match over = play_match(make_setup("toot", {"-size=1x1"}), "AT");
  CHECK(Openings::make_table(over, 1).refusal().reason ==
        "The game is over here. Go back a move to see what else was played.");
  CHECK(Openings::make_table(over, 0).ok());

  const Setup plotto = make_setup("plotto", {}, 3);
  const Match less = play_match(plotto, "a1 resign a2 b3");
  CHECK(opening_plies(less, 10) == std::vector<std::string>{"a1"});
  CHECK(opening_plies(less, 0).empty());
  CHECK(Openings::make_table(less, 0).ok());
  for (const std::size_t n : {1U, 2U, 3U})
    CHECK(contains(Openings::make_table(less, n).refusal().reason, "A player has resigned here"));
  Openings three = make_openings(plotto, "");
  three.add(play_match(plotto, "a1 resign a2 resign"));
  three.add(play_match(plotto, "resign a1 resign"));
  CHECK(format_rows(three) == "a1 1:0-0-1");
  CHECK(three.request_line() == "plotto openings 3");
  // The computer proves nothing with three players.
  CHECK_FALSE(OpeningProofs(three).next_index());
  CHECK_FALSE(contains(three.format_text(), "proved"));
}

TEST_CASE("a server's answer is the same table again, and of another one nothing is believed",
          "[openings]") {
  const Setup toot = make_setup("toot", {"-size=7x9"});
  Openings there = make_openings(toot, "AT BO"), here = make_openings(toot, "AT BO");
  CHECK(here.request_line() == "toot openings -size=7x9 AT BO");
  there.add(play_match(toot, "AT BO CT DO resign"));
  there.add(play_match(toot, "AT BO CT resign"));
  there.add(play_match(toot, "AT BO DT propose accept"));
  there.add_remark("Older ones are not counted.");
  CHECK(there.format_answer() == std::vector<std::string>{"CT       2      1      1      0",
                                                          "DT       1      0      0      1",
                                                          "(Older ones are not counted.)"});
  here.add(play_match(toot, "AT BO CT resign"));
  here.add_answer(there.format_answer());
  CHECK(format_rows(here) == "CT 3:2-1, DT 1:0-0");
  CHECK(contains(here.format_text(),
                 "4 finished games reached this position, 1 of your own and 3 of the server's."));
  CHECK(contains(here.format_text(), " Older ones are not counted."));
  for (const char* line :
       {"CT 2 1 1", "CT 2 1 1 0 0", "CT 2 1 1 1", "ZZ 2 1 1 0", "ct 2 1 1 0", "CT 0 0 0 0", "CT",
        "CT 99999999999999999999 1 1 0", "CT -1 0 0 -1", "CT 4294967295 4294967295 4294967295 1",
        "Read what was written on the wall"}) {
    INFO(line);
    Openings other = make_openings(toot, "AT BO");
    other.add_answer({line, "DT 1 1 0 0"});
    CHECK(other.games() == 0);
    CHECK(
        other.format_text() ==
        "No finished game reached this position. The rest of the server's answer cannot be read.");
  }
}

TEST_CASE("what is said to be proved of a move is true", "[openings]") {
  const Setup setup = make_setup("toot", {"-size=4x2"});
  RetrogradeSolver truth(setup.start());
  std::mt19937 random(20261122);
  std::size_t exact = 0, decided = 0;
  for (int game = 0; game < 30; ++game) {
    std::string line;
    Position p = setup.start();
    for (unsigned i = 0; i < random() % 6 && !p.outcome(); ++i) {
      const auto legal = p.legal_plies();
      const std::string& ply = legal[random_below(random, legal.size())];
      line += ply + " ";
      p.play(ply);
    }
    if (p.outcome()) continue;
    Openings here = make_openings(setup, line);
    for (const std::string& ply : p.legal_plies()) {
      Match match = play_match(setup, line + ply);
      if (!match.ending()) match.add(*match.validate(0, "resign", Time{}));
      here.add(match);
    }
    OpeningProofs proofs(here);
    while (const auto n = proofs.next_index())
      proofs.add_result(setup.game->think(proofs.position(*n), proofs.question()));
    CHECK(here.rows().size() == p.legal_plies().size());
    for (const Openings::Row& row : here.rows()) {
      INFO(line << row.ply);
      REQUIRE(row.verdict);
      Position then = p;
      then.play(row.ply);
      const auto end = then.outcome();
      const int worth = -truth.value_of(then);
      const Verdict& said = *row.verdict;
      using Kind = Verdict::Kind;
      if (end || worth == 0) {
        const bool won = end && end->winner;
        CHECK(said.kind() == (!won                          ? Kind::tie
                              : *end->winner == p.to_move() ? Kind::win
                                                            : Kind::loss));
        CHECK(said.plies() == (won ? 1 : 0));
      } else {
        ++decided;
        CHECK(said.kind() == (worth > 0 ? Kind::win : Kind::loss));
        CHECK(said.plies() == std::abs(worth) + 1);
      }
      ++exact;
    }
    CHECK(contains(here.format_text(), "are proved by the computer"));
  }
  CHECK(exact > 100);
  CHECK(decided > 10);
}

TEST_CASE("of one's own saves the latest are read, and those of other games are no matter",
          "[openings]") {
  TestApp home;
  const auto directory = home.directory / "saves";
  std::filesystem::create_directories(directory);
  const auto save = [&](const std::string& name, const Match& match) {
    std::ofstream(directory / (name + ".yaml")) << save_text(match);
  };
  const Setup toot = make_setup("toot");
  const Match old = play_match(toot, "AT resign"), match = play_match(toot, "BT resign");
  save("oldest", old);
  std::filesystem::last_write_time(
      directory / "oldest.yaml",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  for (std::size_t i = 1; i < LocalBoards::kMaxRead; ++i) save("b" + std::to_string(i), match);
  save("chaos-101", play_match(make_setup("chaos"), "resign"));
  std::ofstream(directory / "broken.yaml") << "format: 1\ngame: toot\nplies: {\n";
  std::filesystem::last_write_time(
      directory / "broken.yaml",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  Openings all = make_openings(toot, "");
  home.local_boards.add_own_games(all);
  CHECK(format_rows(all) == "BT 499:499-0, AT 1:1-0");
  CHECK(contains(all.format_text(), "Only your latest 500 games of Toot were read."));
  std::filesystem::remove(directory / "broken.yaml");
  Openings whole = make_openings(toot, "");
  home.local_boards.add_own_games(whole);
  CHECK(whole.games() == 500);
  CHECK_FALSE(contains(whole.format_text(), "only the latest"));
  save("one-more", match);
  Openings latest = make_openings(toot, "");
  home.local_boards.add_own_games(latest);
  CHECK(format_rows(latest) == "BT 500:500-0");
}

TEST_CASE("a board's screen shows the openings from the position that is seen", "[openings][ui]") {
  TestApp home;
  home.start_board("toot", {}, "BT CO");
  home.type("openings\n");
  CHECK(home.has_text("No finished game reached this position."));
  home.type("resign\n\n");
  home.type("openings\n");
  CHECK(home.has_text("No finished game reached this position."));
  home.press(control_key('P'));
  home.type("openings\n");
  CHECK(home.has_text("Toot after BT"));
  CHECK(home.has_text("1 finished game reached this position."));
  CHECK(home.has_text("CO      1"));
  home.press(kEsc);
  home.type("openings 0\n");
  CHECK(home.has_text("Toot, from the start"));
  home.press(kEsc);
  home.type("openings 9\n");
  CHECK(home.has_text("2 moves"));
  // Tried plies have their own openings.
  home.type("try 0\n");
  home.type("BT\nopenings\n");
  CHECK(home.has_text("CO      1"));
  home.size = {12, 40};
  CHECK(home.has_text("CO      1"));
  home.press(kEsc);
  home.size = kScreenSize;
  home.type("openings no such\n");
  CHECK_FALSE(home.has_text("from the start"));
}

TEST_CASE("a server counts the games that have ended by the moves it has kept of them",
          "[openings][session]") {
  ServerPair p;
  const auto play = [&](const std::string& board, const std::string& plies) {
    bool first = true;
    for (const std::string& ply : split_words(plies)) {
      const std::string user = first ? "fred" : "wilma";
      INFO(board << " " << ply);
      REQUIRE((first ? p.fred : p.wilma)
                  .first_reply_line("toot move " + board + " " + user + " * " + ply)
                  .starts_with("+OK "));
      first = !first;
    }
  };
  p.fred.say("toot challenge fred wilma");
  p.fred.say("toot challenge fred wilma -size=7x9");
  play("101", "BT CO DT AO resign");
  play("102", "DT CO BT AO CT resign");
  play("103", "BT CO resign");
  TestClient t(p.server);
  const std::string one =
      "+OK 1 finished game of Toot reached this position: next move, games, won by each player, "
      "tied.\n";
  CHECK(t.say("toot openings") ==
        "+OK 2 finished games of Toot reached this position: next move, games, won by each player, "
        "tied.\nBT       1      0      1      0\nDT       1      1      0      0\n.\n");
  CHECK(t.say("toot openings bt co dt") ==
        "+OK 2 finished games of Toot reached this position: next move, games, won by each player, "
        "tied.\nAO       2      1      1      0\n.\n");
  CHECK(t.say("toot openings -size=7x9 BT") == one + "CO       1      0      1      0\n.\n");
  CHECK(t.say("chaos openings") ==
        "+OK 0 finished games of Chaos reached this position: next move, games, won by each "
        "player, tied.\n.\n");
  p.server.restart();
  TestClient u(p.server);
  CHECK(u.say("toot openings BT") == one + "CO       1      0      1      0\n.\n");
  CHECK(u.first_reply_line("toot openings ZZ").starts_with("-ERR 'ZZ' is not legal. "));
  CHECK(u.first_reply_line("toot openings BT resign") == "-ERR An opening can contain only moves.");
  CHECK(u.first_reply_line("toot openings -size=1x1 AT").starts_with("-ERR "));
  CHECK(u.first_reply_line("plotto openings 7") == "-ERR Plotto is for 2 to 4 players, not for 7.");
  CHECK(u.first_reply_line("toot openings -size=what").starts_with("-ERR "));
  CHECK(u.first_reply_line("plotto openings 3").starts_with("+OK 0 finished games of Plotto"));
  std::string many = "toot openings -size=7x9";
  for (std::size_t i = 0; i < kOpeningPlies; ++i) {
    many += std::string(" ") + static_cast<char>('A' + i % 7) + (i % 2 == 0 ? "T" : "O");
    if (i + 2 == kOpeningPlies) CHECK(u.first_reply_line(many).starts_with("+OK 0 "));
  }
  CHECK(u.first_reply_line(many) ==
        "-ERR The server knows the first 20 moves of each game. Write fewer moves.");
}

TEST_CASE("the latest games of a server are counted, and of none more than is legal",
          "[openings][session]") {
  TestServer hall;
  const auto add = [&](const std::string& game, int board, std::vector<std::string> seats,
                       const std::string& opening) {
    hall.service().history.add(
        {game, board, hall.time, {}, std::move(seats), Seat{0}, 9, opening, "a test"});
  };
  add("toot", 101, {"fred", "wilma"}, "");
  add("toot", 102, {"fred", "wilma"}, "AT BO");
  add("toot", 103, {"fred", "wilma"}, "ZZ what AT");
  add("toot", 104, {"fred", "wilma"}, "A-T BO");
  add("toot", 105, {"fred", "wilma", "betty"}, "AT BO");
  for (std::size_t i = 0; i < kOpeningGames + 3; ++i)
    add("chaos", static_cast<int>(101 + i), {"fred", "wilma"}, i < 5 ? "a2-c2" : "a1-c3");
  TestClient t(hall);
  CHECK(t.say("toot openings") ==
        "+OK 1 finished game of Toot reached this position: next move, games, won by each player, "
        "tied.\nAT       1      1      0      0\n.\n");
  CHECK(contains(t.say("toot openings BO"), "+OK 0 finished games"));
  CHECK(contains(
      t.say("chaos openings"),
      "\na1-c3   9998   9998      0      0\na2-c2      2      2      0      0\n(The server "
      "counts the latest 10000 of 10003 games.)\n.\n"));
}
