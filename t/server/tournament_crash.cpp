// SPDX-License-Identifier: MIT
// The real server killed at random moments during rounds of 16 players: no result is lost, nobody
// is paired twice, no round is half paired.
#include <signal.h>

#include <deque>
#include <iostream>
#include <thread>

#include "run.hpp"
#include "shown_tournament.hpp"
#include "socket_server.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kPlayers = 16;

std::string player(std::size_t i) { return "p" + std::to_string(i); }

bool is_ok(const std::string& reply) {
  return reply.starts_with("+OK") && reply.ends_with("\n.\n");
}

// What the servers acknowledged, kept across their deaths.
struct Ledger {
  std::size_t opened = 0;                     // tournaments
  std::map<std::string, GameResult> results;  // by board
};

// Sixteen players who play one tournament after the other by resigning.
class Hall {
 public:
  Hall(const ServerAddress& socket, Ledger& ledger, std::mt19937& random)
      : ledger_(ledger), random_(random), reader_(socket) {
    reader_.request("hello 2");
    for (std::size_t i = 0; i < kPlayers; ++i) {
      players_.emplace_back(socket);
      players_.back().request("as " + player(i));
    }
  }

  ShownTournament show(std::size_t number) {
    return ShownTournament(reader_.request("data tournament show t" + std::to_string(number)));
  }

  // Looks at everything that was acknowledged.
  void check() {
    std::map<std::string, GameResult> there;
    for (std::size_t i = 1; i <= ledger_.opened + 1; ++i) {
      const ShownTournament t = show(i);
      // The last one may have been opened without a reply.
      if (i <= ledger_.opened) REQUIRE(t.info.name == "t" + std::to_string(i));
      if (t.info.name.empty()) continue;
      ledger_.opened = i;
      check_pairings(t);
      for (const auto& game : t.games)
        if (!game.board.empty()) there[game.board] = game.result;
    }
    for (const auto& [board, result] : ledger_.results) {
      INFO(board);
      REQUIRE(there.count(board) == 1);
      CHECK(there[board] == result);
    }
  }

  // Plays until the server is gone.
  void play() {
    for (;;) {
      if (ledger_.opened == 0 && !open()) return;
      ShownTournament t = show(ledger_.opened);
      if (t.info.name.empty()) return;
      if (t.info.state == Tournament::State::over && !open()) return;
      if (t.info.state != Tournament::State::running) {
        join();
        continue;
      }
      if (!play_round(t)) return;
    }
  }

 private:
  bool open() {
    static constexpr const char* kForms[]{"swiss 4", "knockout", "round-robin", "swiss 6"};
    const std::string name = "t" + std::to_string(ledger_.opened + 1);
    if (!is_ok(players_[0].request("tournament new " + name + " toot " +
                                   kForms[ledger_.opened % 4] + " -size=4x3 -entries=16")))
      return false;
    ++ledger_.opened;
    return true;
  }

  // All join at once; the last one starts it.
  void join() {
    for (auto& talk : players_)
      talk.send("tournament join t" + std::to_string(ledger_.opened) + "\n");
    for (auto& talk : players_) talk.read_until("\n.\n");
  }

  // One player of each running game resigns, each on a connection of their own.
  bool play_round(const ShownTournament& t) {
    std::map<std::size_t, std::pair<std::string, GameResult>> asked;  // by player
    for (const auto& game : t.running()) {
      const bool first_wins = random_() % 2 == 0;
      const std::string loser = t.entry(first_wins ? game.second : game.first).userid;
      const std::size_t i = std::stoul(loser.substr(1));
      if (asked.count(i)) continue;
      asked[i] = {game.board, first_wins ? GameResult::first : GameResult::second};
      players_[i].send("toot resign " + game.board.substr(5) + "\n");
    }
    bool alive = !asked.empty();
    for (const auto& [i, what] : asked) {
      const std::string said = players_[i].read_until("\n.\n");
      if (is_ok(said)) ledger_.results.insert(what);
      else alive = false;
    }
    return alive;
  }

  Ledger& ledger_;
  std::mt19937& random_;
  RawConnection reader_;
  std::deque<RawConnection> players_;
};

void kill_during_rounds(std::size_t moments, unsigned seed) {
  std::mt19937 random(seed);
  std::cout << "killed at " << moments << " moments of tournaments, seed " << seed << std::endl;
  std::size_t results = 0, tournaments = 0;
  for (std::size_t done = 0; done < moments;) {
    TemporaryDirectory place;
    Ledger ledger;
    for (std::size_t i = 0; i < 25 && done < moments; ++i, ++done) {
      INFO("moment " << done << " of seed " << seed);
      ServerProcess server(place / "boards", place / "s");
      CHECK(server.log_text().empty());
      Hall hall(server.socket_address(), ledger, random);
      hall.check();
      const auto life = std::chrono::microseconds(random() % 150'000);
      std::thread killer([&server, life] {
        std::this_thread::sleep_for(life);
        ::kill(server.pid(), SIGKILL);
      });
      hall.play();
      killer.join();
      server.wait_exit();
    }
    results += ledger.results.size();
    tournaments += ledger.opened;
  }
  CHECK(results > moments);
  std::cout << results << " results of " << tournaments << " tournaments were all there"
            << std::endl;
}

}  // namespace

TEST_CASE("killed during rounds, the server has lost no result and paired nobody twice",
          "[tournaments][crash]") {
  kill_during_rounds(25, 20261128);
}

TEST_CASE("killed at 500 moments of rounds, the server has lost no result", "[tournaments][long]") {
  kill_during_rounds(500, std::random_device{}());
}
