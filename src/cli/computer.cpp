// SPDX-License-Identifier: MIT
#include "cli/computer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <random>

#include "base/cache.hpp"
#include "base/markdown.hpp"
#include "boards/engine_process.hpp"
#include "boards/tables.hpp"
#include "cli/cli.hpp"
#include "cli/paths.hpp"
#include "cli/shared.hpp"
#include "game/courtesy.hpp"
#include "game/options.hpp"

namespace pbm {
namespace {

constexpr int kMostGames = 100'000;
constexpr int kLongest = 300;  // plies after which a game of a duel is nobody's
constexpr double kMostSeconds = 3600;

// One side of a duel, as it is written: "level:3".
struct Player {
  std::string name;
  bool random = false;
  std::unique_ptr<EngineProcess> engine = nullptr;
  Question question{};
};

Result<Player> read_player(const std::string& text) {
  const std::string syntax =
      "a player is level:1 to level:10, rung:0 to rung:80, nodes:N, depth:N, time:MILLISECONDS, "
      "engine:COMMAND or random.";
  Player out;
  out.name = text;
  if (text == "random") {
    out.random = true;
    return out;
  }
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  if (kind == "engine" && colon != std::string::npos && colon + 1 < text.size()) {
    out.engine = std::make_unique<EngineProcess>(text.substr(colon + 1));
    return out;
  }
  const auto n =
      colon == std::string::npos ? std::nullopt : read_whole_number<int>(text.substr(colon + 1));
  if (!n || *n < 0) return Refusal{"'" + fit(text, 30) + "': " + syntax};
  if (kind == "rung" && *n <= kTopRung) {
    out.question.rung = *n;
    return out;
  }
  if (*n < 1) return Refusal{"'" + fit(text, 30) + "': " + syntax};
  if (kind == "level" && *n <= kTopLevel) out.question.level = *n;
  else if (kind == "nodes") out.question.limits.nodes = static_cast<std::uint64_t>(*n);
  else if (kind == "depth" && *n < 100) out.question.limits.depth = *n;
  else if (kind == "time") out.question.limits.time = std::chrono::milliseconds(*n);
  else return Refusal{"'" + fit(text, 30) + "': " + syntax};
  return out;
}

std::string decimal(double value, int digits) {
  char out[40];
  std::snprintf(out, sizeof out, "%.*f", digits, value);
  return out;
}

// The points of chess players between two of whom one scores `score` of 1.
double elo(double score) {
  const double inside = std::clamp(score, 0.001, 0.999);
  return -400 * std::log10(1 / inside - 1);
}

struct Tally {
  int won = 0, tied = 0, lost = 0, longest = 0;
  std::uint64_t plies = 0;
  int games() const { return won + tied + lost; }
};

class Duel {
 public:
  Duel(const GameType& game, Match start, Player a, Player b, unsigned seed)
      : game_(game),
        match_(std::move(start)),
        start_(match_.position()),
        a_(std::move(a)),
        b_(std::move(b)),
        seed_(seed) {}

  // Game `n`: as many in a row have the same opening as there are seats, and A has
  // each seat once.
  void play(int n) {
    const int seats = start_.seats();
    const Seat seat = n % seats;
    std::mt19937 random(seed_ * 7919U + static_cast<unsigned>(n / seats));
    std::vector<Position> before;
    std::vector<std::string> played;
    Position position = opening(random, before, played);
    std::vector<std::vector<Verdict>> said(static_cast<std::size_t>(seats));
    int plies = 0;
    bool agreed = false;
    while (!position.outcome() && !agreed && plies < kLongest) {
      const Seat mover = position.to_move();
      const std::string ply = ply_of(mover == seat ? a_ : b_, position, before, played, random,
                                     said[static_cast<std::size_t>(mover)], n);
      before.push_back(position);
      played.push_back(ply);
      position.play(ply);
      ++plies;
      // Another program says nothing of draws.
      agreed = seats == 2 && !a_.engine && !b_.engine && draw_agreed(said, mover, before.size());
    }
    tally_.plies += static_cast<std::uint64_t>(plies);
    const auto outcome = position.outcome();
    if (outcome && outcome->winner) ++(*outcome->winner == seat ? tally_.won : tally_.lost);
    else ++tally_.tied;
    if (!outcome && !agreed) ++tally_.longest;
  }

  void report(const std::string& title) const {
    const Tally& t = tally_;
    const double games = t.games(), seats = start_.seats();
    const double score = (t.won + t.tied / seats) / games;
    // Of games the score is an average: its 95 % interval.
    const double squares = (t.won + t.tied / (seats * seats)) / games - score * score;
    const double error = 1.96 * std::sqrt(std::max(squares, 0.0) / games);
    std::cout << title << "  " << a_.name << " against " << b_.name << "  won " << t.won << " tied "
              << t.tied << " lost " << t.lost << "  " << decimal(100 * score, 1) << " % +-"
              << decimal(100 * error, 1);
    if (start_.seats() == 2)
      std::cout << "  Elo " << (elo(score) < 0 ? "" : "+") << decimal(elo(score), 0) << " ("
                << decimal(elo(score - error), 0) << " to " << decimal(elo(score + error), 0)
                << ")";
    else std::cout << "  (as good as the others: " << decimal(100 / seats, 1) << " %)";
    std::cout << "  plies " << decimal(static_cast<double>(t.plies) / games, 1);
    if (t.longest > 0) std::cout << "  broken off " << t.longest;
    std::cout << std::endl;
  }

 private:
  // A few random plies, other ones for every round; never to the end of the game.
  Position opening(std::mt19937& random, std::vector<Position>& before,
                   std::vector<std::string>& played) const {
    const auto plies = 2 + random() % 3;
    Position position = start_;
    for (unsigned i = 0; i < plies; ++i) {
      const auto legal = position.legal();
      Position next = position;
      const std::string& ply = legal[random() % legal.size()];
      next.play(ply);
      if (next.outcome()) break;
      played.push_back(ply);
      before.push_back(std::exchange(position, std::move(next)));
    }
    return position;
  }

  std::string ply_of(const Player& player, const Position& position,
                     const std::vector<Position>& before, const std::vector<std::string>& played,
                     std::mt19937& random, std::vector<Verdict>& said, int game) {
    if (player.random) {
      const auto legal = position.legal();
      return legal[random() % legal.size()];
    }
    Question question = player.question;
    question.seed = seed_ * 104729ULL + static_cast<std::uint64_t>(game);
    const auto kept = static_cast<std::ptrdiff_t>(std::min(kRemembered, before.size()));
    question.history.assign(before.end() - kept, before.end());
    const Thought thought = player.engine ? player.engine->think(match_with(played), question, {})
                                          : tables_.think(game_, position, std::move(question));
    said.push_back(thought.lines.front().verdict);
    return thought.lines.front().ply;
  }

  static bool draw_agreed(const std::vector<std::vector<Verdict>>& said, Seat by,
                          std::size_t plies) {
    const auto& mine = said[static_cast<std::size_t>(by)];
    const auto& theirs = said[static_cast<std::size_t>(1 - by)];
    return offers_draw(mine, plies) && accepts_draw(theirs, plies);
  }

  // What an engine is told: all plies from the start.
  Match match_with(const std::vector<std::string>& plies) const {
    Match out = match_;
    for (const std::string& ply : plies) out.add(*out.validate(*out.to_move(), ply, out.started()));
    return out;
  }

  const GameType& game_;
  const Match match_;  // before the first ply
  const Position start_;
  Player a_, b_;
  unsigned seed_;
  Tables tables_{cache_directory()};
  Tally tally_;
};

// What --level and --seconds ask for; nothing after saying what is wrong with them.
std::optional<Question> question_by(const Arguments& arguments) {
  Question question;
  question.level = arguments.level.value_or(kTopLevel);
  if (question.level < 1 || question.level > kTopLevel) {
    complain(kUsage, "'--level=" + std::to_string(question.level) +
                         "' is no level: they go from 1 to " + std::to_string(kTopLevel) + ".");
    return std::nullopt;
  }
  if (arguments.seconds) {
    if (!(*arguments.seconds > 0 && *arguments.seconds <= kMostSeconds)) {
      complain(kUsage, "'--seconds' takes what is more than 0 and at most " +
                           decimal(kMostSeconds, 0) + ".");
      return std::nullopt;
    }
    question.limits.time =
        std::chrono::milliseconds(std::max(1L, std::lround(*arguments.seconds * 1000)));
  }
  return question;
}

}  // namespace

std::optional<Analysis> analysed(const Match& match, const Arguments& arguments) {
  const auto question = question_by(arguments);
  if (!question) return std::nullopt;
  const bool usual = question->level == kTopLevel && !arguments.seconds;
  Analysis out(match, usual ? Analysis::kUsual : question->limits, question->level);
  Tables tables(cache_directory());
  const bool shows = ::isatty(STDERR_FILENO) != 0;
  while (const auto n = out.next()) {
    if (shows) std::cerr << "\r" << out.percent() << " of 100 " << std::flush;
    out.take(tables.think(match.game(), out.position(*n), out.question()));
  }
  if (shows) std::cerr << "\r           \r";
  return out;
}

int print_hint(const Match& match, const Arguments& arguments) {
  auto asked = question_by(arguments);
  if (!asked) return kUsage;
  Question& question = *asked;
  if (arguments.lines && *arguments.lines < 1)
    return complain(kUsage, "'--lines' takes a number from 1 on.");
  question.lines = static_cast<std::size_t>(arguments.lines.value_or(3));
  if (match.ending()) return complain(kRefused, "There is no hint: " + match.standing());
  question.history = question_about(match, question.level).history;
  Tables tables(cache_directory());
  const Thought thought = tables.think(match.game(), match.position(), question);
  std::size_t width = 0;
  for (const Line& line : thought.lines) width = std::max(width, line.ply.size());
  for (const Line& line : thought.lines) {
    std::string text = line.ply;
    text.resize(width, ' ');
    text += "  " + in_words(line.verdict);
    for (std::size_t i = 0; i < line.shares.size(); ++i)
      text += (i == 0 ? " (" : " ") + std::to_string(line.shares[i]) +
              (i + 1 == line.shares.size() ? ")" : "");
    text += " ";
    for (const std::string& ply : line.variation) text += " " + ply;
    std::cout << text << '\n';
  }
  return kDone;
}

void print_openings(Openings openings) {
  openings.ask_verdicts();
  Tables tables(cache_directory());
  while (const auto n = openings.next())
    openings.take(tables.think(openings.game(), openings.position(*n), openings.question()));
  for (const TextLine& line : layout_markdown(openings.text(), 78))
    std::cout << safe_text(line.text) << '\n';
}

int run_matches(const GameType& game, const Options& options, int seats, const std::string& a,
                const std::string& b, const Arguments& arguments) {
  auto first = read_player(a), second = read_player(b);
  if (!first) return complain(kUsage, first.refusal().why);
  if (!second) return complain(kUsage, second.refusal().why);
  const int games =
      arguments.games.empty() ? 20 : read_whole_number<int>(arguments.games).value_or(0);
  if (games < 1 || games > kMostGames)
    return complain(kUsage,
                    "'--games' takes a number from 1 to " + std::to_string(kMostGames) + ".");
  std::vector<std::string> names;
  for (int s = 1; s <= seats; ++s) names.push_back("player" + std::to_string(s));
  auto start = Match::start(game, options, names, Time{});
  if (!start) return complain(kUsage, start.refusal().why);
  // An engine has as much time as the other.
  if (first->engine) first->question.limits.time = second->question.limits.time;
  if (second->engine) second->question.limits.time = first->question.limits.time;
  Duel duel(game, std::move(*start), std::move(*first), std::move(*second),
            static_cast<unsigned>(arguments.seed.value_or(1)));
  for (int i = 0; i < games && std::cout; ++i) duel.play(i);
  duel.report(title_with_options(game, options) +
              (seats > 2 ? ", " + std::to_string(seats) + " seats" : ""));
  return kDone;
}

}  // namespace pbm
