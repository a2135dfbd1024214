// SPDX-License-Identifier: MIT
// Tests the strength of the levels. t/levels.txt has measured results, which the manual shows in a
// table; a part of them is played again here. A simulated beginner plays against level 1.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "run.hpp"
#include "source_root.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;

namespace {

// The result of a level against the level below, or of the lowest against random plies.
struct LevelResult {
  std::vector<std::string> setup;  // arguments of duel: "toot", "-tootris"
  int level = 0, games = 0;
  double percent = 0, error = 0;  // score, and half of its 95 % interval, in per cent
};

std::vector<LevelResult> read_level_results() {
  std::vector<LevelResult> out;
  std::ifstream file(source_root() / "t/levels.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream parts(line);
    LevelResult step;
    std::string game;
    std::getline(parts, game, ':');
    step.setup = split_words(game);
    parts >> step.level >> step.games >> step.percent >> step.error;
    REQUIRE(parts);
    out.push_back(std::move(step));
  }
  return out;
}

// True if the seat has won, or wins after the only legal ply that is left.
bool has_won(const Position& p, Seat seat) {
  if (const auto end = p.outcome()) return end->winner == seat;
  const auto legal = p.legal_plies();
  if (legal.size() > 1) return false;
  Position next = p;
  next.play(legal.front());
  return next.outcome() && next.outcome()->winner == seat;
}

std::ptrdiff_t count_pieces(const Position& p, Seat seat) {
  const auto spots = p.draw({}).spots;
  return std::count_if(spots.begin(), spots.end(), [&](const Spot& spot) {
    return spot.role == (seat == 0 ? SpotRole::piece1 : SpotRole::piece2) ||
           spot.role == (seat == 0 ? SpotRole::king1 : SpotRole::king2);
  });
}

// Returns a beginner's ply: a win, else the largest capture, at random among equals. A careful
// beginner avoids plies that let the opponent win at once.
std::string choose_beginner_ply(const Position& p, bool careful, std::mt19937& random) {
  const Seat me = p.to_move(), you = (me + 1) % p.seats();
  auto legal = p.legal_plies();
  std::shuffle(legal.begin(), legal.end(), random);
  const auto theirs = count_pieces(p, you);
  std::vector<std::pair<std::ptrdiff_t, std::string>> left;  // with the opponent's pieces after it
  for (const std::string& ply : legal) {
    Position next = p;
    next.play(ply);
    if (has_won(next, me)) return ply;
    left.emplace_back(next.outcome() ? 1000 : std::min(theirs, count_pieces(next, you)), ply);
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto is_safe = [&](const auto& choice) {
    Position next = p;
    next.play(choice.second);
    const auto replies = next.legal_plies();
    return std::none_of(replies.begin(), replies.end(), [&](const std::string& reply) {
      Position then = next;
      then.play(reply);
      return has_won(then, you);
    });
  };
  const auto safe = careful ? std::find_if(left.begin(), left.end(), is_safe) : left.begin();
  return (safe == left.end() ? left.front() : *safe).second;
}

// Returns the beginner's score in `games` games against level 1, with alternating seats.
double play_beginner_games(const Setup& setup, bool careful, unsigned games) {
  constexpr int kLongest = 200;  // plies; then the game is a tie
  double score = 0;
  for (unsigned n = 0; n < games; ++n) {
    std::mt19937 random(n);
    const auto beginner = static_cast<Seat>(n) % setup.seats;
    Position p = setup.start();
    SearchRequest question;
    question.level = 1;
    question.seed = n;
    for (int i = 0; i < kLongest && !p.outcome(); ++i) {
      const std::string ply = p.to_move() == beginner
                                  ? choose_beginner_ply(p, careful, random)
                                  : setup.game->think(p, question).lines.front().ply;
      question.history.push_back(p);
      p.play(ply);
    }
    const auto end = p.outcome();
    score += !end || !end->winner ? 0.5 : *end->winner == beginner ? 1 : 0;
  }
  return score;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

}  // namespace

TEST_CASE("pbmplay(6) says how strong the levels are", "[levels][man]") {
  std::string table = "    level               1   2   3   4   5   6   7   8   9\n";
  std::string row, game;
  const auto end_row = [&] {
    if (!row.empty()) table += "    " + row + "\n";
  };
  for (const LevelResult& step : read_level_results()) {
    if (joined(step.setup) != game) {
      end_row();
      game = joined(step.setup);
      row = game + std::string(18 - game.size(), ' ');
    }
    char text[16];
    std::snprintf(text, sizeof text, " %3.0f", step.percent);
    row += text;
  }
  end_row();
  CHECK(contains(read_bytes(source_root() / "man/pbmplay.6.md"), table));
}

TEST_CASE("no level is worse than random moves", "[levels]") {
  for (const LevelResult& step : read_level_results()) {
    INFO(joined(step.setup));
    if (step.level == 1) CHECK(step.percent + step.error > 50);
  }
}

TEST_CASE("levels are as strong as it is said", "[levels][long]") {
  const TestHome home;
  for (const LevelResult& step : read_level_results()) {
    if (step.level != 2 && step.level != 4) continue;
    std::vector<std::string> command{"duel"};
    command.insert(command.end(), step.setup.begin(), step.setup.end());
    for (const std::string& word :
         {"level:" + std::to_string(step.level), "level:" + std::to_string(step.level - 1),
          std::string("--games=60"), std::string("--seed=77")})
      command.push_back(word);
    INFO(joined(command));
    const std::string said = home(command).out;
    const std::size_t percent = said.find(" %");
    REQUIRE(percent != std::string::npos);
    const double score = std::stod(said.substr(said.rfind("  ", percent)));
    // The error of sixty games is 13 per cent.
    CHECK(std::abs(score - step.percent) < step.error + 13);
  }
}

TEST_CASE("who has just read the rules has half of the games against level 1", "[levels]") {
  constexpr unsigned kGames = 60;
  for (const LevelResult& step : read_level_results()) {
    if (step.level != 1) continue;
    std::vector<std::string> options(step.setup.begin() + 1, step.setup.end());
    int seats = 2;
    if (const auto at = std::find(options.begin(), options.end(), "--seats"); at != options.end()) {
      seats = std::stoi(at[1]);
      options.erase(at, at + 2);
    }
    const Setup setup = make_setup(step.setup[0], options, seats);
    INFO(setup.name);
    // The error of sixty games is 13 per cent.
    const double least = kGames * (1.0 / seats - 0.13);
    CHECK(play_beginner_games(setup, false, kGames) > least);
    CHECK(play_beginner_games(setup, true, kGames) > least);
  }
}
