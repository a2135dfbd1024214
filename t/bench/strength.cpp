// SPDX-License-Identifier: MIT
// Measures the computer against a plain engine (plain_engine.hpp): processor time to a fixed depth,
// and games. Prints the results.
//
//   bench-strength [GAME]                          time to depth, for all games or one
//   bench-strength GAME [-OPTION...] MS GAMES      games with MS milliseconds of processor a ply
//   bench-strength even GAME [-OPTION...] MS GAMES
//                                  the same from positions that the computer calls 30 to 70 %
//   bench-strength times GAME [-OPTION...] MS PLIES
//                                  how long a ply takes with MS milliseconds, or when stopped then
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "game/game_type.hpp"

namespace pbm {
GameType plain_toot_row();
GameType plain_flooprail_row();
GameType plain_plotto_row();
GameType plain_chaos_row();
GameType plain_soccolot_row();
}  // namespace pbm

using namespace pbm;

namespace {

constexpr int kPositionCount = 10;
constexpr std::size_t kMaxPlies = 300;  // plies; then the game is a tie

// Returns the processor time of this thread in milliseconds.
double processor_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

const GameType& plain_game(const GameType& game) {
  static const std::vector<GameType> all{plain_toot_row(), plain_flooprail_row(),
                                         plain_plotto_row(), plain_chaos_row(),
                                         plain_soccolot_row()};
  return *std::find_if(all.begin(), all.end(),
                       [&](const GameType& row) { return row.name == game.name; });
}

// One engine in a game. Each engine has its own type of the position.
struct Contestant {
  const GameType* game;
  Position position;
  std::vector<Position> history{};
  std::shared_ptr<ZeroedBytes> memory = std::make_shared<ZeroedBytes>();

  Contestant(const GameType& row, const Options& options)
      : game(&row), position(*row.start(options, 2)) {}
  void play(const std::string& ply) {
    history.push_back(position);
    position.play(ply);
  }
  SearchResult think(const SearchLimits& limits, std::uint64_t seed = 1,
                     std::stop_token stop = {}) const {
    SearchRequest question;
    question.limits = limits;
    question.seed = seed;
    question.stop_token = std::move(stop);
    question.table_memory = memory.get();
    constexpr std::size_t kRemembered = 60;
    question.history.assign(
        history.end() - static_cast<std::ptrdiff_t>(std::min(history.size(), kRemembered)),
        history.end());
    return game->think(position, question);
  }
};

// Both engines at the same position, a few random plies from the start.
struct ContestantPair {
  Contestant ours, theirs;
  ContestantPair(const GameType& row, const Options& options, std::mt19937& random)
      : ours(row, options), theirs(plain_game(row), options) {
    for (auto plies = 2 + random() % 3; plies > 0; --plies) {
      const auto legal = ours.position.legal_plies();
      Position next = ours.position;
      const std::string ply = legal[random() % legal.size()];
      next.play(ply);
      if (next.outcome()) break;
      play(ply);
    }
  }
  void play(const std::string& ply) {
    ours.play(ply);
    theirs.play(ply);
  }
};

// Returns both engines at a position after weak and random plies that the computer, with four times
// the time of the games, neither solves nor finds one-sided. For games where random plies often
// lead to positions that one side always wins, so that each pair of games is one all.
ContestantPair make_even_pair(const GameType& row, const Options& options,
                              const SearchLimits& limits, std::mt19937& random) {
  SearchLimits weak, strong = limits;
  weak.nodes = 3000;
  strong.time *= 4;
  for (;;) {
    ContestantPair pair(row, options, random);
    const Position& position = pair.ours.position;
    for (auto plies = random() % 16; plies > 0 && !position.outcome(); --plies) {
      const auto legal = position.legal_plies();
      pair.play(random() % 4 == 0 ? legal[random() % legal.size()]
                                  : pair.ours.think(weak, random()).lines.front().ply);
    }
    if (position.outcome() || pair.ours.think(weak).lines.front().verdict.is_proved()) continue;
    const Verdict verdict = pair.ours.think(strong).lines.front().verdict;
    if (!verdict.is_proved() && verdict.win_percent() >= 30 && verdict.win_percent() <= 70)
      return pair;
  }
}

struct Variant {
  const char* words;
  int depth;  // to which it measures the time
};
constexpr Variant kVariants[] = {{"toot", 16},
                                 {"toot -tootris", 16},
                                 {"toot -size=7x9", 12},
                                 {"flooprail", 18},
                                 {"flooprail -reverse", 18},
                                 {"plotto", 9},
                                 {"plotto -tournament", 10},
                                 {"chaos", 11},
                                 {"soccolot", 8}};

std::pair<const GameType*, Options> setup_of(std::vector<std::string> words) {
  const GameType* game = find_game(words.front());
  if (!game) throw Error("There is no game " + words.front() + ".");
  words.erase(words.begin());
  auto options = read_options(*game, words);
  if (!options) throw Error(options.refusal().reason);
  return {game, std::move(*options)};
}

// --- time to depth --------------------------------------------------------------------------

// Returns positions from games of the plain engine against itself.
std::vector<ContestantPair> make_positions(const GameType& game, const Options& options) {
  std::vector<ContestantPair> out;
  for (unsigned n = 0; out.size() < kPositionCount; ++n) {
    std::mt19937 random(n);
    ContestantPair pair(game, options, random);
    for (unsigned ply = 0; ply < 3 * (n % kPositionCount); ++ply) {
      ContestantPair next = pair;
      SearchLimits limits;
      limits.depth = 4;
      next.play(next.theirs.think(limits).lines.front().ply);
      if (next.ours.position.outcome()) break;
      pair = next;
    }
    out.push_back(pair);
  }
  return out;
}

void report_depth(const std::string& wanted) {
  std::printf("Processor time to a depth, ms, sum over %d positions; nodes in a second\n",
              kPositionCount);
  std::printf("  %-22s %5s %10s %10s %6s %12s %12s\n", "", "depth", "pbmplay", "plain", "ratio",
              "pbmplay", "plain");
  for (const Variant& variant : kVariants) {
    const auto [game, options] = setup_of(split_words(variant.words));
    if (!wanted.empty() && wanted != game->name) continue;
    double time[2] = {0, 0}, nodes[2] = {0, 0};
    SearchLimits limits;
    limits.depth = variant.depth;
    for (const ContestantPair& pair : make_positions(*game, options))
      for (const Contestant* player : {&pair.ours, &pair.theirs}) {
        const std::size_t i = player == &pair.theirs;
        const double from = processor_ms();
        nodes[i] += static_cast<double>(player->think(limits).nodes);
        time[i] += processor_ms() - from;
      }
    std::printf("  %-22s %5d %10.0f %10.0f %6.2f %12.0f %12.0f\n", variant.words, variant.depth,
                time[0], time[1], time[0] / time[1], nodes[0] / time[0] * 1e3,
                nodes[1] / time[1] * 1e3);
    std::fflush(stdout);
  }
  rusage all{};
  ::getrusage(RUSAGE_SELF, &all);
  std::printf("Most memory at once, both engines: %ld MB\n", all.ru_maxrss / 1024);
}

// --- games ----------------------------------------------------------------------------------

// Plays a game with the computer at `seat`. Returns its score: 1, 0.5 or 0.
double play_game(ContestantPair pair, Seat seat, const SearchLimits& limits, int& plies) {
  for (plies = 0; !pair.ours.position.outcome(); ++plies) {
    if (pair.ours.history.size() >= kMaxPlies) return 0.5;
    const Contestant& mover = pair.ours.position.to_move() == seat ? pair.ours : pair.theirs;
    pair.play(mover.think(limits, static_cast<std::uint64_t>(plies)).lines.front().ply);
  }
  const auto winner = pair.ours.position.outcome()->winner;
  return !winner ? 0.5 : *winner == seat ? 1 : 0;
}

// The results of pairs of games.
struct Score {
  int counts[3] = {0, 0, 0}, plies = 0, unfinished = 0;  // counts: lost, tied, won
  std::vector<double> pairs{};

  std::string text() const {
    double mean = 0, squares = 0;
    const auto count = static_cast<double>(pairs.size());
    for (const double p : pairs) mean += p / count;
    for (const double p : pairs) squares += (p - mean) * (p - mean);
    char out[160];
    std::snprintf(
        out, sizeof out, "won %d tied %d lost %d, %.1f %% +-%.1f, moves %.1f, unfinished %d",
        counts[2], counts[1], counts[0], 100 * mean,
        196 * std::sqrt(squares / std::max(count - 1, 1.0) / count), plies / count / 2, unfinished);
    return out;
  }
};

void play_pairs(const std::vector<std::string>& setup, int ms, int games, bool even) {
  const auto [game, options] = setup_of(setup);
  SearchLimits limits;
  limits.time = std::chrono::milliseconds(ms);
  limits.is_processor_time = true;
  Score score;
  for (int n = 0; n < games / 2; ++n) {
    std::mt19937 random(static_cast<unsigned>(n));
    const ContestantPair opening = even ? make_even_pair(*game, options, limits, random)
                                        : ContestantPair(*game, options, random);
    double sum = 0;
    for (const Seat seat : {0, 1}) {
      int plies = 0;
      const double won = play_game(opening, seat, limits, plies);
      ++score.counts[static_cast<int>(2 * won)];
      score.plies += plies;
      score.unfinished += plies + 5 > static_cast<int>(kMaxPlies);
      sum += won / 2;
    }
    score.pairs.push_back(sum);
    std::fprintf(stderr, "\r%s", score.text().c_str());
  }
  std::printf("\r%s, %d ms: %s\n", std::string(game->title).c_str(), ms, score.text().c_str());
}

// --- time of a ply --------------------------------------------------------------------------

struct Times {
  std::vector<double> ms;
  void print(const char* what) {
    std::sort(ms.begin(), ms.end());
    std::printf("  %s: %zu moves, median %.1f ms, 99 of 100 %.1f, most %.1f\n", what, ms.size(),
                ms[ms.size() / 2], ms[ms.size() * 99 / 100], ms.back());
  }
};

// Returns the processor time between a stop request after `ms` and the answer.
double measure_stop(const Contestant& player, int ms) {
  ::clockid_t clock{};
  ::pthread_getcpuclockid(::pthread_self(), &clock);
  const double begun = processor_ms();
  std::atomic<double> told = 0;
  std::stop_source stop;
  std::jthread other([&](const std::stop_token& done) {
    for (timespec now{}; !done.stop_requested();) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      ::clock_gettime(clock, &now);
      const double at =
          static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
      if (at < begun + ms) continue;
      told = at;
      stop.request_stop();
      return;
    }
  });
  SearchLimits limits;
  limits.time = std::chrono::minutes(10);
  player.think(limits, 1, stop.get_token());
  const double answered = processor_ms();
  other.request_stop();
  other.join();
  return told > 0 ? answered - told : 0;  // 0: it answered before the request
}

void report_times(const std::vector<std::string>& setup, int ms, int plies) {
  const auto [game, options] = setup_of(setup);
  SearchLimits limits;
  limits.time = std::chrono::milliseconds(ms);
  limits.is_processor_time = true;
  Times whole, stopped;
  for (unsigned n = 0; static_cast<int>(whole.ms.size()) < plies; ++n) {
    std::mt19937 random(n);
    Contestant player = ContestantPair(*game, options, random).ours;
    while (!player.position.outcome() && player.history.size() < kMaxPlies) {
      stopped.ms.push_back(measure_stop(player, ms));
      const double from = processor_ms();
      const std::string ply = player.think(limits, n).lines.front().ply;
      whole.ms.push_back(processor_ms() - from);
      player.play(ply);
    }
  }
  std::printf("%s, %d ms a move\n", std::string(game->title).c_str(), ms);
  whole.print("all its time");
  stopped.print("told to stop, until it answers");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2) {
      report_depth(words.empty() ? "" : words.front());
      return 0;
    }
    const bool times = words.front() == "times", even = words.front() == "even";
    if (times || even) words.erase(words.begin());
    if (words.size() < 3) throw Error("GAME [-OPTION...] MS GAMES");
    const int count = std::atoi(words.back().c_str()),
              ms = std::atoi(words[words.size() - 2].c_str());
    if (count < 2 || ms < 1) throw Error("MS and GAMES are numbers");
    words.resize(words.size() - 2);
    if (times) report_times(words, ms, count);
    else play_pairs(words, ms, count, even);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench-strength: %s\n", e.what());
    return 1;
  }
  return 0;
}
