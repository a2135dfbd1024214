// SPDX-License-Identifier: MIT
// Fits the weights of a game's evaluation terms by logistic regression (Berkson 1944; for games
// Buro 1995): the results of the computer's games against itself on the terms of their positions.
// Prints a factor for each term, and how the predicted chances came true. Changes nothing.
//
//   fit GAME [-OPTION...] NODES GAMES    GAMES games with NODES nodes a ply
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "game/game_type.hpp"

using namespace pbm;

namespace {

constexpr std::size_t kMaxPlies = 200;      // plies of a game
constexpr std::size_t kSampleInterval = 4;  // plies between two samples

// The evaluation terms of a position for the seat to move; a missing term is 0.
using Terms = std::map<std::string, double>;

// A position with its terms, those one ply before, the estimate for the seat to move in per cent
// (`estimate_percent`), and its result: 1, 0.5 or 0.
struct Sample {
  Terms terms, previous_terms;
  int estimate_percent;
  double result;
};

class TermFit {
 public:
  TermFit(const GameType& game, const Options& options, std::uint64_t nodes)
      : game_(game), options_(options), nodes_(nodes) {}

  // Plays a game. Random first plies make each game different.
  void play_game(unsigned number) {
    std::mt19937 random(number);
    Position p = *game_.start(options_, 2);
    std::vector<std::pair<Sample, Seat>> met;
    Terms before;
    const auto chance = 4 + random() % 5;
    for (std::size_t ply = 0; ply < kMaxPlies && !p.outcome(); ++ply) {
      const auto legal = p.legal_plies();
      if (ply < chance) {
        p.play(legal[random() % legal.size()]);
        continue;
      }
      SearchRequest question;
      question.limits.nodes = nodes_;
      question.seed = number;
      const SearchResult thought = game_.think(p, question);
      Terms terms = read_terms(thought);
      if (ply % kSampleInterval == 0 && !thought.lines.front().verdict.is_proved())
        met.push_back(
            {{terms, before, thought.lines.front().verdict.win_percent(), 0}, p.to_move()});
      before = std::move(terms);
      p.play(thought.lines.front().ply);
    }
    const auto outcome = p.outcome();
    for (auto& [sample, mover] : met) {
      sample.result = !outcome || !outcome->winner ? 0.5 : *outcome->winner == mover ? 1 : 0;
      samples_.push_back(std::move(sample));
    }
  }

  // Fits the weights by Newton's method and prints them.
  void report_weights() {
    const std::size_t n = names_.size();
    if (n == 0) throw Error("nothing is known of this game");
    for (const Sample& sample : samples_) {
      // Omits positions in the middle of an exchange: the first term has just changed.
      if (term_value(sample.terms, 0) != -term_value(sample.previous_terms, 0)) continue;
      Row row{{}, sample.result};
      for (std::size_t i = 0; i < n; ++i) row.terms.push_back(term_value(sample.terms, i));
      rows_.push_back(std::move(row));
    }
    std::vector<double> weights(n, 0), errors(n, 0);
    for (int round = 0; round < 20; ++round) {
      std::vector<std::vector<double>> curved(n, std::vector<double>(n, 0));
      std::vector<double> slope(n, 0);
      for (const Row& s : rows_) {
        const double chance = win_chance(s, weights);
        for (std::size_t i = 0; i < n; ++i) {
          slope[i] += (s.result - chance) * s.terms[i];
          for (std::size_t k = 0; k < n; ++k)
            curved[i][k] += chance * (1 - chance) * s.terms[i] * s.terms[k];
        }
      }
      for (std::size_t i = 0; i < n; ++i) curved[i][i] += 1e-6;
      const auto inverse = invert(curved);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) weights[i] += inverse[i][k] * slope[k];
        errors[i] = std::sqrt(std::max(0.0, inverse[i][i]));
      }
    }
    std::printf("%s: %zu positions; multiply the first term by 1 and the others by\n",
                std::string(game_.title).c_str(), rows_.size());
    for (std::size_t i = 0; i < n; ++i)
      std::printf("  %-24s %6.2f +-%.2f\n", names_[i].c_str(), weights[i] / weights[0],
                  1.96 * errors[i] / std::abs(weights[0]));
    std::printf("three chances of four: %.0f points of the first\n", std::log(3.0) / weights[0]);
  }

  // Prints how much too cautious the estimates are (Platt 1999), and the results by tenths.
  void report_chances() const {
    std::array<std::pair<int, double>, 10> tens{};
    double times = 1;
    for (int round = 0; round < 20; ++round) {
      double slope = 0, curved = 1e-6;
      for (const Sample& s : samples_) {
        const double odds = std::log(s.estimate_percent / (100.0 - s.estimate_percent));
        const double chance = 1 / (1 + std::exp(-times * odds));
        slope += (s.result - chance) * odds;
        curved += chance * (1 - chance) * odds * odds;
      }
      times += slope / curved;
    }
    for (const Sample& s : samples_) {
      auto& [count, sum] = tens[static_cast<std::size_t>(s.estimate_percent / 10)];
      ++count;
      sum += s.result;
    }
    std::printf("chances told: three chances of four are 1/%.2f of the points they are\n", times);
    for (std::size_t i = 0; i < tens.size(); ++i)
      if (const auto& [count, sum] = tens[i]; count > 0)
        std::printf("  %zu to %zu of 100: %.0f in %d positions\n", 10 * i, 10 * i + 9,
                    100 * sum / count, count);
  }

 private:
  struct Row {
    std::vector<double> terms;
    double result;
  };

  // Terms keep their order; terms of 0 may be missing.
  Terms read_terms(const SearchResult& thought) {
    Terms out;
    for (const EvaluationTerm& term : thought.terms) out[term.name] = term.points;
    if (thought.terms.size() > names_.size()) {
      names_.clear();
      for (const EvaluationTerm& term : thought.terms) names_.push_back(term.name);
    }
    return out;
  }
  double term_value(const Terms& terms, std::size_t i) const {
    const auto found = terms.find(names_[i]);
    return found == terms.end() ? 0 : found->second;
  }
  static double win_chance(const Row& s, const std::vector<double>& weights) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * s.terms[i];
    return 1 / (1 + std::exp(-sum));
  }
  // Inverts a matrix by Gauss-Jordan elimination.
  static std::vector<std::vector<double>> invert(std::vector<std::vector<double>> m) {
    const std::size_t n = m.size();
    std::vector<std::vector<double>> out(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i) out[i][i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t best = i;
      for (std::size_t k = i; k < n; ++k)
        if (std::abs(m[k][i]) > std::abs(m[best][i])) best = k;
      std::swap(m[i], m[best]);
      std::swap(out[i], out[best]);
      const double by = m[i][i];
      for (std::size_t c = 0; c < n; ++c) {
        m[i][c] /= by;
        out[i][c] /= by;
      }
      for (std::size_t r = 0; r < n; ++r) {
        const double times = r == i ? 0 : m[r][i];
        for (std::size_t c = 0; c < n; ++c) {
          m[r][c] -= times * m[i][c];
          out[r][c] -= times * out[i][c];
        }
      }
    }
    return out;
  }

  const GameType& game_;
  const Options options_;
  const std::uint64_t nodes_;
  std::vector<std::string> names_;
  std::vector<Sample> samples_;
  std::vector<Row> rows_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 3) throw Error("GAME [-OPTION...] NODES GAMES");
    const int games = std::atoi(words.back().c_str());
    const int nodes = std::atoi(words[words.size() - 2].c_str());
    const GameType* game = find_game(words.front());
    if (!game || games < 1 || nodes < 1) throw Error("GAME [-OPTION...] NODES GAMES");
    const auto options = read_options(*game, {words.begin() + 1, words.end() - 2});
    if (!options) throw Error(options.refusal().reason);
    TermFit fit(*game, *options, static_cast<std::uint64_t>(nodes));
    for (int n = 0; n < games; ++n) fit.play_game(static_cast<unsigned>(n));
    fit.report_weights();
    fit.report_chances();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fit: %s\n", e.what());
    return 1;
  }
  return 0;
}
