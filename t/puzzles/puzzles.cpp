// SPDX-License-Identifier: MIT
// Makes puzzles from the computer's games against itself: positions in which only one ply wins, or
// only one does not lose. Seeds and node limits decide, never time, so every run makes the same
// files. Usage: puzzles DIRECTORY [GAME]...
#include "puzzle.hpp"

#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "boards/thinker.hpp"
#include "cli/paths.hpp"
#include "save/exercise.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Kind = Verdict::Kind;

namespace {

constexpr int kApart = 6;        // plies between two puzzles of one game
constexpr int kFewestPlies = 4;  // least number of legal plies in a puzzle
constexpr int kShortest = 3;     // length of the shortest win, in plies
constexpr int kHeld = 7;         // plies after the answer in which the opponent must have no win
constexpr int kLongestHold = 8;
constexpr std::size_t kHoldLine = 6;
constexpr std::uint64_t kGlance = 10'000, kProof = 1'500'000;  // nodes
constexpr std::uint64_t kLook = 4'000'000, kShortLook = 250'000;

// A game with the limits of its search for puzzles.
struct Source {
  std::string_view game, option;
  int wanted, same;  // number of puzzles, and the maximum with the same length
  unsigned games;    // maximum of games to play
  int first, last;   // plies of a game to search; later positions would make large saves
  int longest;       // maximum length of a win in plies; longer proofs take too long; 0: no wins
  int later;         // in a hold, how many other plies must lose, but not at once
  bool proves;       // true if the game is small enough to prove the result of every ply
  int reduced;       // for engines with late move reductions: longer wins than this are searched
                     // ply by ply, and shorter ones kBefore plies deep, without reductions; else 0
  std::uint64_t asks;  // nodes to search after each other ply
  unsigned seed;       // the first game has the next one
};
constexpr int kBefore = 4;

constexpr std::array<Source, 11> kSources{{
    {"toot", "", 42, 14, 1500, 8, 24, 9, 2, true, 0, 500'000, 0},
    {"toot", "-tootris", 12, 4, 500, 4, 60, 9, 2, false, 0, 0, 0},
    {"toot", "-size=7x6", 12, 4, 500, 6, 42, 9, 2, false, 0, 0, 0},
    {"flooprail", "", 36, 12, 700, 36, 80, 7, 2, false, 3, 30'000, 0},
    {"flooprail", "-reverse", 30, 10, 400, 30, 80, 8, 2, false, 3, 30'000, 0},
    {"plotto", "", 46, 15, 600, 5, 24, 9, 2, false, 0, 0, 0},
    {"plotto", "", 16, 16, 400, 5, 24, 0, 0, false, 0, 0, 10'000},
    {"plotto", "-tournament", 20, 6, 400, 5, 24, 9, 2, false, 0, 0, 0},
    {"chaos", "", 66, 22, 1000, 4, 60, 9, 2, true, 0, 500'000, 0},
    {"soccolot", "", 66, 22, 360, 12, 60, 5, 2, false, 5, 0, 0},
    {"soccolot", "", 22, 20, 400, 12, 60, 0, 0, false, 5, 0, 10'000},
}};

struct Puzzle {
  std::string text;  // the save
  Kind kind;
  Seat solver;
  int plies, grade;
  bool proved;
  auto order() const { return std::tie(grade, plies, kind, text); }
};

class Finder {
 public:
  Finder(const Source& source, std::set<std::string>& images)
      : source_(source),
        game_(*find_game(source.game)),
        options_(*read_options(game_, words_of(source))),
        images_(images) {}

  std::vector<Puzzle> find() {
    unsigned games = 0;
    while (games < source_.games && static_cast<int>(found_.size()) < source_.wanted)
      play(source_.seed + ++games);
    std::cout << title_with_options(game_, options_) << ": " << found_.size() << " in " << games
              << " games, " << tried_ << " tried" << std::endl;
    return std::move(found_);
  }

 private:
  static std::vector<std::string> words_of(const Source& source) {
    if (source.option.empty()) return {};
    return {std::string(source.option)};
  }

  Thought think(const Position& position, std::uint64_t nodes, std::size_t lines, int depth = 0) {
    Question q;
    q.limits.nodes = nodes;
    q.limits.depth = depth;
    q.lines = lines;
    return thinker_.think(Thinker::Rank::study, game_, position, std::move(q));
  }

  void play(unsigned seed) {
    std::mt19937 random(seed * 7919U);
    auto match = *Match::start(game_, options_, {"one", "two"}, Time{});
    const std::size_t opening = 2 + random() % 3;
    const std::array<int, 2> level{static_cast<int>(3 + random() % 4),
                                   static_cast<int>(3 + random() % 4)};
    std::optional<int> before;
    for (int ply = 0; !match.ending() && ply < source_.last; ++ply) {
      const Position& position = match.position();
      if (ply >= source_.first && (!before || ply - *before >= kApart))
        if (judge(match)) before = ply;
      std::string next;
      if (ply < static_cast<int>(opening)) {
        const auto legal = position.legal();
        next = legal[random() % legal.size()];
      } else {
        Question q;
        q.level = level[static_cast<std::size_t>(position.to_move())];
        q.seed = seed;
        next = game_.think(position, q).lines.front().ply;
      }
      match.add(*match.validate(position.to_move(), next, Time{}));
    }
  }

  // Returns true if the position is a puzzle, and then stores it.
  bool judge(const Match& match) {
    const Position& root = match.position();
    const auto legal = root.legal();
    if (legal.size() < kFewestPlies) return false;
    const auto glance = think(root, kGlance, 2).lines;
    if (glance.size() < 2) return false;
    const Verdict first = glance[0].verdict, second = glance[1].verdict;
    const bool wins = first.kind() == Kind::win && first.plies() >= kShortest &&
                      first.plies() <= source_.longest && second.kind() != Kind::win;
    const bool holds = first.kind() != Kind::win && first.kind() != Kind::loss &&
                       second.kind() == Kind::loss && second.plies() > 0;
    if (!wins && !holds) return false;
    Puzzle out{};
    out.kind = wins ? Kind::win : Kind::tie;
    out.plies = wins ? first.plies() : second.plies();
    if (!is_wanted(out, root.to_move())) return false;
    complete_ = true;
    ++tried_;
    const Thought thought = think(root, kProof, legal.size());
    const Line& answer = thought.lines.front();
    if (answer.ply != glance[0].ply || !is_alone(root, legal, thought)) return false;
    const bool fits = wins ? alone_wins(root, thought, out) : alone_holds(root, thought, out);
    if (!fits || !is_wanted(out, root.to_move())) return false;
    const auto line = wins ? winning_line(root, answer.ply, out.plies) : holding_line(root, answer);
    if (line.empty() || !complete_ || !images_.insert(image_of(root)).second) return false;
    // Beginners' puzzles (grade 1) are wins under the standard rules.
    const bool plain = wins && match.options().words().empty();
    out.grade = std::max(plain ? 1 : 2, grade_of(root, answer.ply, out.plies));
    out.solver = root.to_move();
    out.text = puzzle_text(match, match.plies().size(),
                           "kind: " + std::string(wins ? "win" : "hold") + ", plies: " +
                               std::to_string(out.plies) + ", grade: " + std::to_string(out.grade),
                           line);
    ++counted_[{out.kind, out.plies}];
    ++movers_[static_cast<std::size_t>(root.to_move())];
    found_.push_back(std::move(out));
    return true;
  }

  // True if the answer's position is unique, and every other ply has a line, or leads to the same
  // position as one that has.
  static bool is_alone(const Position& root, const std::vector<std::string>& legal,
                       const Thought& thought) {
    const auto after = [&](const std::string& ply) {
      Position next = root;
      next.play(ply);
      return next;
    };
    std::set<std::string> told;
    for (const Line& line : thought.lines) told.insert(line.ply);
    return std::all_of(legal.begin(), legal.end(), [&](const std::string& ply) {
      if (told.count(ply) > 0) return true;
      const Position same = after(ply);
      return std::any_of(thought.lines.begin() + 1, thought.lines.end(),
                         [&](const Line& line) { return after(line.ply) == same; });
    });
  }

  bool alone_wins(const Position& root, const Thought& thought, Puzzle& out) {
    const Verdict best = thought.lines.front().verdict;
    if (best.kind() != Kind::win || best.plies() < kShortest || best.plies() > source_.longest)
      return false;
    out.plies = best.plies();
    out.proved = true;
    for (std::size_t i = 1; i < thought.lines.size() && complete_; ++i) {
      Verdict other = thought.lines[i].verdict;
      Position next = root;
      next.play(thought.lines[i].ply);
      // A search that finds a win does not examine the other plies.
      if (!other.proved() && source_.asks > 0) other = of_other_side(next);
      if (other.kind() == Kind::win || (source_.proves && !other.proved())) return false;
      out.proved = out.proved && other.proved();
      if (!other.proved() && loses_within(next, best.plies() + 1)) return false;
    }
    return complete_ && !wins_within(root, best.plies() - 2);
  }

  bool alone_holds(const Position& root, const Thought& thought, Puzzle& out) {
    const Verdict best = thought.lines.front().verdict;
    out.plies = 0;
    int later = 0;  // plies that do not lose at once
    for (std::size_t i = 1; i < thought.lines.size(); ++i) {
      const Verdict other = thought.lines[i].verdict;
      if (other.kind() != Kind::loss || other.plies() == 0) return false;
      out.plies = std::max(out.plies, other.plies());
      later += other.plies() > 2;
    }
    if (out.plies > kLongestHold || later < source_.later) return false;
    Position next = root;
    next.play(thought.lines.front().ply);
    const Kind held = best.proved() || !source_.proves ? best.kind() : of_other_side(next).kind();
    out.proved = held == Kind::tie || held == Kind::endless;
    if (out.proved) return true;
    if (held != Kind::estimate || source_.proves) return false;
    return !next.outcome() && !wins_within(next, kHeld);
  }

  // Returns the value of a position for the seat that is not to move.
  Verdict of_other_side(const Position& position) {
    if (const auto ended = position.outcome())
      return Verdict::of_last_ply(ended->winner, 1 - position.to_move());
    return think(position, source_.asks, 1).lines.front().verdict.turned();
  }

  // True if the seat to move can force a win within `plies` plies, by trying all plies. Sets
  // complete_ to false if the nodes did not suffice.
  bool wins_within(const Position& position, int plies) {
    if (position.outcome()) return position.outcome()->winner == position.to_move();
    if (source_.reduced > 0 && plies > source_.reduced) {
      const auto legal = position.legal();
      return std::any_of(legal.begin(), legal.end(), [&](const std::string& ply) {
        Position next = position;
        next.play(ply);
        return complete_ && loses_within(next, plies - 1);
      });
    }
    const int depth = source_.reduced > 0 ? kBefore : plies;
    const Thought thought = think(position, source_.reduced > 0 ? kShortLook : kLook, 1, depth);
    const Verdict best = thought.lines.front().verdict;
    complete_ = complete_ && (best.proved() || thought.depth >= depth);
    return best.kind() == Kind::win && best.plies() > 0 && best.plies() <= plies;
  }

  // True if the seat to move loses within `plies` plies against any defence.
  bool loses_within(const Position& position, int plies) {
    const Seat loser = position.to_move();
    if (const auto ended = position.outcome()) return ended->winner && *ended->winner != loser;
    if (plies <= 0) return false;
    // Tries the best defence first, because a single one is enough.
    const auto replies = think(position, kGlance, position.legal().size(), 2).lines;
    return std::all_of(replies.begin(), replies.end(), [&](const Line& reply) {
      if (!complete_) return false;
      Position next = position;
      next.play(reply.ply);
      if (const auto ended = next.outcome()) return ended->winner && *ended->winner != loser;
      return wins_within(next, plies - 1);
    });
  }

  // Returns best play of both to the end, or nothing if it is not the expected win.
  std::vector<std::string> winning_line(Position position, const std::string& answer, int plies) {
    std::vector<std::string> out{answer};
    const Seat winner = position.to_move();
    position.play(answer);
    while (!position.outcome() && static_cast<int>(out.size()) < plies) {
      const int left = plies - static_cast<int>(out.size());
      const Line best = think(position, kProof, 1).lines.front();
      const Kind wanted = position.to_move() == winner ? Kind::win : Kind::loss;
      if (best.verdict.kind() != wanted || best.verdict.plies() != left) return {};
      out.push_back(best.ply);
      position.play(best.ply);
    }
    // The computer does not count the pass that ends a game of Chaos.
    if (const auto left = position.legal(); left.size() == 1) position.play(left.front());
    const bool ends = position.outcome() && position.outcome()->winner == winner;
    return ends && static_cast<int>(out.size()) == plies ? out : std::vector<std::string>{};
  }

  std::vector<std::string> holding_line(Position position, const Line& answer) {
    std::vector<std::string> out{answer.ply};
    position.play(answer.ply);
    while (!position.outcome() && out.size() < kHoldLine) {
      out.push_back(think(position, kProof / 10, 1).lines.front().ply);
      position.play(out.back());
    }
    return out;
  }

  // Returns 1 to 5, by the length and by how many other plies look as good at first.
  int grade_of(const Position& root, const std::string& answer, int plies) {
    Question q;
    q.limits.depth = 2;
    q.lines = root.legal().size();
    const auto lines = game_.think(root, q).lines;  // without the endgame table
    const auto mine = std::find_if(lines.begin(), lines.end(),
                                   [&](const Line& line) { return line.ply == answer; });
    const auto others = static_cast<std::ptrdiff_t>(lines.size()) - 1;
    const auto good = std::count_if(lines.begin(), lines.end(), [&](const Line& line) {
      return line.ply != answer && line.verdict.share() >= mine->verdict.share();
    });
    return std::min(
        5, 1 + std::max(0, plies - 3) / 2 + (10 * good >= others) + (10 * good >= 4 * others));
  }

  // True unless there are enough puzzles of this length, or with this seat to move.
  bool is_wanted(const Puzzle& puzzle, Seat mover) {
    const auto same = counted_.find({puzzle.kind, puzzle.plies});
    return (same == counted_.end() || same->second < source_.same) &&
           movers_[static_cast<std::size_t>(mover)] < source_.wanted * 3 / 5;
  }

  const Source& source_;
  const GameType& game_;
  const Options options_;
  std::set<std::string>& images_;
  Thinker thinker_{cache_directory()};
  std::vector<Puzzle> found_;
  std::map<std::pair<Kind, int>, int> counted_;
  std::array<int, 2> movers_{};
  int tried_ = 0;
  bool complete_ = true;
};

void write(const fs::path& file, std::vector<Puzzle> puzzles) {
  std::sort(puzzles.begin(), puzzles.end(),
            [](const Puzzle& a, const Puzzle& b) { return a.order() < b.order(); });
  std::string text;
  std::map<std::string, int> counts;
  for (const Puzzle& p : puzzles) {
    // The sort key is the save as played; only now it gets the names of solver and opponent.
    std::string save = p.text;
    save.replace(save.find("[one, two]"), 10,
                 p.solver == 0 ? "[solver, other]" : "[other, solver]");
    text += (text.empty() ? "" : std::string(kPartingLine)) + save;
    ++counts["grade " + std::to_string(p.grade)];
    ++counts[(p.kind == Kind::win ? "win in " : "hold in ") + std::to_string(p.plies)];
    ++counts[p.proved ? "proved throughout" : "by all moves so far ahead"];
  }
  std::ofstream(file, std::ios::binary) << text;
  std::cout << file.string() << ": " << puzzles.size() << " puzzles, " << text.size() << " bytes\n";
  for (const auto& [what, count] : counts) std::cout << "  " << what << ": " << count << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "Usage: puzzles DIRECTORY [GAME]...\n";
    return 2;
  }
  const std::set<std::string_view> asked(argv + 2, argv + argc);
  try {
    fs::create_directories(argv[1]);
    for (const GameType& game : all_games()) {
      if (!asked.empty() && asked.count(game.name) == 0) continue;
      std::vector<Puzzle> puzzles;
      std::set<std::string> images;
      for (const Source& source : kSources)
        if (source.game == game.name)
          for (Puzzle& puzzle : Finder(source, images).find()) puzzles.push_back(std::move(puzzle));
      write(fs::path(argv[1]) / (std::string(game.name) + ".yaml"), std::move(puzzles));
    }
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
