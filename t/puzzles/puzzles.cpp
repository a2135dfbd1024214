// SPDX-License-Identifier: MIT
// Makes puzzles from the computer's games against itself: positions in which only one ply wins, or
// only one does not lose. Seeds and node limits decide, never time, so every run makes the same
// files. Usage: puzzles DIRECTORY [GAME]...
#include "puzzle.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "boards/reasons.hpp"
#include "boards/thinker.hpp"
#include "cli/paths.hpp"
#include "save/exercise.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Kind = Verdict::Kind;

namespace {

constexpr int kMinDistance = 6;    // plies between two puzzles of one game
constexpr int kMinLegalPlies = 4;  // least number of legal plies in a puzzle
constexpr int kMinWinPlies = 3;    // length of the shortest win, in plies
constexpr int kHoldPlies = 7;      // plies after the answer in which the opponent must have no win
constexpr int kMaxHoldPlies = 8;
constexpr std::size_t kHoldLinePlies = 6;
constexpr std::uint64_t kGlanceNodes = 10'000, kProofNodes = 1'500'000;  // nodes
constexpr std::uint64_t kLookNodes = 4'000'000, kShortLookNodes = 250'000;

// A game with the limits of its search for puzzles.
struct PuzzleSource {
  std::string_view game, option;
  int wanted_count, max_same_length;  // number of puzzles, and the maximum with the same length
  unsigned max_games;                 // maximum of games to play
  int first_ply, last_ply;  // plies of a game to search; later positions would make large saves
  int max_win_plies;  // maximum length of a win in plies; longer proofs take too long; 0: no wins
  int min_later_losses;  // in a hold, how many other plies must lose, but not at once
  bool proves_all;       // true if the game is small enough to prove the result of every ply
  // For engines with late move reductions: they search longer wins than this ply by ply, and
  // shorter ones kUnreducedDepth plies deep, without reductions; else 0.
  int max_unreduced_plies;
  std::uint64_t reply_nodes;  // nodes to search after each other ply
  unsigned first_seed;        // the first game has the next one
};
constexpr int kUnreducedDepth = 4;

constexpr std::array<PuzzleSource, 11> kSources{{
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
  std::string save_text;  // the save
  Kind kind;
  Seat solver;
  int plies, grade;
  bool is_proved;
  auto sort_key() const { return std::tie(grade, plies, kind, save_text); }
};

class PuzzleFinder {
 public:
  PuzzleFinder(const PuzzleSource& source, std::set<std::string>& images)
      : source_(source),
        game_(*find_game(source.game)),
        options_(*read_options(game_, words_of(source))),
        known_images_(images) {}

  std::vector<Puzzle> find() {
    unsigned games = 0;
    while (games < source_.max_games && static_cast<int>(found_.size()) < source_.wanted_count)
      play_game(source_.first_seed + ++games);
    std::cout << title_with_options(game_, options_) << ": " << found_.size() << " in " << games
              << " games, " << tried_count_ << " tried" << std::endl;
    return std::move(found_);
  }

 private:
  static std::vector<std::string> words_of(const PuzzleSource& source) {
    if (source.option.empty()) return {};
    return {std::string(source.option)};
  }

  SearchResult think(const Position& position, std::uint64_t nodes, std::size_t lines,
                     int depth = 0) {
    SearchRequest q;
    q.limits.nodes = nodes;
    q.limits.depth = depth;
    q.line_count = lines;
    return thinker_.think(Thinker::Rank::study, game_, position, std::move(q));
  }

  void play_game(unsigned seed) {
    std::mt19937 random(seed * 7919U);
    auto match = *Match::start(game_, options_, {"one", "two"}, Time{});
    const std::size_t opening = 2 + random() % 3;
    const std::array<int, 2> level{static_cast<int>(3 + random() % 4),
                                   static_cast<int>(3 + random() % 4)};
    std::optional<int> before;
    for (int ply = 0; !match.ending() && ply < source_.last_ply; ++ply) {
      const Position& position = match.position();
      if (ply >= source_.first_ply && (!before || ply - *before >= kMinDistance))
        if (add_if_puzzle(match)) before = ply;
      std::string next;
      if (ply < static_cast<int>(opening)) {
        const auto legal = position.legal_plies();
        next = legal[random() % legal.size()];
      } else {
        SearchRequest q;
        q.level = level[static_cast<std::size_t>(position.to_move())];
        q.seed = seed;
        next = game_.think(position, q).lines.front().ply;
      }
      match.add(*match.validate(position.to_move(), next, Time{}));
    }
  }

  // Returns true if the position is a puzzle, and then stores it.
  bool add_if_puzzle(const Match& match) {
    const Position& root = match.position();
    const auto legal = root.legal_plies();
    if (legal.size() < kMinLegalPlies) return false;
    const auto glance = think(root, kGlanceNodes, 2).lines;
    if (glance.size() < 2) return false;
    const Verdict first = glance[0].verdict, second = glance[1].verdict;
    const bool wins = first.kind() == Kind::win && first.plies() >= kMinWinPlies &&
                      first.plies() <= source_.max_win_plies && second.kind() != Kind::win;
    const bool holds = first.kind() != Kind::win && first.kind() != Kind::loss &&
                       second.kind() == Kind::loss && second.plies() > 0;
    if (!wins && !holds) return false;
    Puzzle out{};
    out.kind = wins ? Kind::win : Kind::tie;
    out.plies = wins ? first.plies() : second.plies();
    if (!is_wanted(out, root.to_move())) return false;
    is_complete_ = true;
    ++tried_count_;
    const SearchResult thought = think(root, kProofNodes, legal.size());
    const AnalysisLine& answer = thought.lines.front();
    if (answer.ply != glance[0].ply || !is_answer_unique(root, legal, thought)) return false;
    const bool fits = wins ? is_only_win(root, thought, out) : is_only_hold(root, thought, out);
    if (!fits || !is_wanted(out, root.to_move())) return false;
    const auto line = wins ? winning_line(root, answer.ply, out.plies) : holding_line(root, answer);
    if (line.empty() || !is_complete_ || !known_images_.insert(canonical_image(root)).second)
      return false;
    // Beginners' puzzles (grade 1) are wins under the standard rules.
    const bool plain = wins && match.options().to_words().empty();
    out.grade = std::max(plain ? 1 : 2, grade_of(root, answer.ply, out.plies));
    out.solver = root.to_move();
    out.save_text = puzzle_text(match, match.plies().size(),
                                "kind: " + std::string(wins ? "win" : "hold") +
                                    ", plies: " + std::to_string(out.plies) +
                                    ", grade: " + std::to_string(out.grade),
                                line);
    ++length_counts_[{out.kind, out.plies}];
    ++seat_counts_[static_cast<std::size_t>(root.to_move())];
    found_.push_back(std::move(out));
    return true;
  }

  // True if the answer's position is unique, and every other ply has a line, or leads to the same
  // position as one that has.
  static bool is_answer_unique(const Position& root, const std::vector<std::string>& legal,
                               const SearchResult& thought) {
    const auto after = [&](const std::string& ply) {
      Position next = root;
      next.play(ply);
      return next;
    };
    std::set<std::string> told;
    for (const AnalysisLine& line : thought.lines) told.insert(line.ply);
    return std::all_of(legal.begin(), legal.end(), [&](const std::string& ply) {
      if (told.count(ply) > 0) return true;
      const Position same = after(ply);
      return std::any_of(thought.lines.begin() + 1, thought.lines.end(),
                         [&](const AnalysisLine& line) { return after(line.ply) == same; });
    });
  }

  bool is_only_win(const Position& root, const SearchResult& thought, Puzzle& out) {
    const Verdict best = thought.lines.front().verdict;
    if (best.kind() != Kind::win || best.plies() < kMinWinPlies ||
        best.plies() > source_.max_win_plies)
      return false;
    out.plies = best.plies();
    out.is_proved = true;
    for (std::size_t i = 1; i < thought.lines.size() && is_complete_; ++i) {
      Verdict other = thought.lines[i].verdict;
      Position next = root;
      next.play(thought.lines[i].ply);
      // A search that finds a win does not examine the other plies.
      if (!other.is_proved() && source_.reply_nodes > 0) other = opponent_verdict(next);
      if (other.kind() == Kind::win || (source_.proves_all && !other.is_proved())) return false;
      out.is_proved = out.is_proved && other.is_proved();
      if (!other.is_proved() && must_lose_within(next, best.plies() + 1)) return false;
    }
    return is_complete_ && !can_win_within(root, best.plies() - 2);
  }

  bool is_only_hold(const Position& root, const SearchResult& thought, Puzzle& out) {
    const Verdict best = thought.lines.front().verdict;
    out.plies = 0;
    int later = 0;  // plies that do not lose at once
    for (std::size_t i = 1; i < thought.lines.size(); ++i) {
      const Verdict other = thought.lines[i].verdict;
      if (other.kind() != Kind::loss || other.plies() == 0) return false;
      out.plies = std::max(out.plies, other.plies());
      later += other.plies() > 2;
    }
    if (out.plies > kMaxHoldPlies || later < source_.min_later_losses) return false;
    Position next = root;
    next.play(thought.lines.front().ply);
    const Kind held =
        best.is_proved() || !source_.proves_all ? best.kind() : opponent_verdict(next).kind();
    out.is_proved = held == Kind::tie || held == Kind::endless;
    if (out.is_proved) return true;
    if (held != Kind::estimate || source_.proves_all) return false;
    return !next.outcome() && !can_win_within(next, kHoldPlies);
  }

  // Returns the value of a position for the seat that is not to move.
  Verdict opponent_verdict(const Position& position) {
    if (const auto ended = position.outcome())
      return Verdict::for_last_ply(ended->winner, 1 - position.to_move());
    return think(position, source_.reply_nodes, 1).lines.front().verdict.opponent_verdict();
  }

  // True if the seat to move can force a win within `plies` plies, by trying all plies. Sets
  // complete_ to false if the nodes did not suffice.
  bool can_win_within(const Position& position, int plies) {
    if (position.outcome()) return position.outcome()->winner == position.to_move();
    if (source_.max_unreduced_plies > 0 && plies > source_.max_unreduced_plies) {
      const auto legal = position.legal_plies();
      return std::any_of(legal.begin(), legal.end(), [&](const std::string& ply) {
        Position next = position;
        next.play(ply);
        return is_complete_ && must_lose_within(next, plies - 1);
      });
    }
    const int depth = source_.max_unreduced_plies > 0 ? kUnreducedDepth : plies;
    const SearchResult thought =
        think(position, source_.max_unreduced_plies > 0 ? kShortLookNodes : kLookNodes, 1, depth);
    const Verdict best = thought.lines.front().verdict;
    is_complete_ = is_complete_ && (best.is_proved() || thought.depth >= depth);
    return best.kind() == Kind::win && best.plies() > 0 && best.plies() <= plies;
  }

  // True if the seat to move loses within `plies` plies against any defence.
  bool must_lose_within(const Position& position, int plies) {
    const Seat loser = position.to_move();
    if (const auto ended = position.outcome()) return ended->winner && *ended->winner != loser;
    if (plies <= 0) return false;
    // Tries the best defence first, because a single one is enough.
    const auto replies = think(position, kGlanceNodes, position.legal_plies().size(), 2).lines;
    return std::all_of(replies.begin(), replies.end(), [&](const AnalysisLine& reply) {
      if (!is_complete_) return false;
      Position next = position;
      next.play(reply.ply);
      if (const auto ended = next.outcome()) return ended->winner && *ended->winner != loser;
      return can_win_within(next, plies - 1);
    });
  }

  // Returns the reasons of all wins in one.
  static std::multiset<std::string> win_reasons(const Position& position) {
    std::multiset<std::string> out;
    for (const std::string& ply : position.legal_plies())
      if (const auto end = position_after_forced(position, ply).outcome();
          end && end->winner == position.to_move())
        out.insert(end->reason);
    return out;
  }

  // Returns the ply that stops the most of the opponent's threats and leaves the fewest wins, or
  // `usual` if no other does more. Pre: all plies lose at once.
  static std::string toughest_reply(const Position& position, const std::string& usual) {
    const auto passed = position.after_skip();
    const auto threats = passed ? win_reasons(*passed) : std::multiset<std::string>{};
    const auto count_left = [&](const std::string& ply) {
      Position next = position;
      next.play(ply);
      const auto wins = win_reasons(next);
      return std::pair(std::ranges::count_if(
                           threats, [&](const std::string& why) { return wins.contains(why); }),
                       wins.size());
    };
    std::string out = usual;
    auto fewest = count_left(usual);
    for (const std::string& ply : position.legal_plies())
      if (const auto left = count_left(ply); left.second > 0 && left < fewest) {
        fewest = left;
        out = ply;
      }
    return out;
  }

  // Returns best play of both to the end, or nothing if it is not the expected win.
  std::vector<std::string> winning_line(Position position, const std::string& answer, int plies) {
    std::vector<std::string> out{answer};
    const Seat winner = position.to_move();
    position.play(answer);
    while (!position.outcome() && static_cast<int>(out.size()) < plies) {
      const int left = plies - static_cast<int>(out.size());
      AnalysisLine best = think(position, kProofNodes, 1).lines.front();
      const Kind wanted = position.to_move() == winner ? Kind::win : Kind::loss;
      if (best.verdict.kind() != wanted || best.verdict.plies() != left) return {};
      if (left == 2) best.ply = toughest_reply(position, best.ply);
      out.push_back(best.ply);
      position.play(best.ply);
    }
    // The computer does not count the pass that ends a game of Chaos.
    if (const auto left = position.legal_plies(); left.size() == 1) position.play(left.front());
    const bool ends = position.outcome() && position.outcome()->winner == winner;
    return ends && static_cast<int>(out.size()) == plies ? out : std::vector<std::string>{};
  }

  std::vector<std::string> holding_line(Position position, const AnalysisLine& answer) {
    std::vector<std::string> out{answer.ply};
    position.play(answer.ply);
    while (!position.outcome() && out.size() < kHoldLinePlies) {
      out.push_back(think(position, kProofNodes / 10, 1).lines.front().ply);
      position.play(out.back());
    }
    return out;
  }

  // Returns 1 to 5, by the length and by how many other plies look as good at first.
  int grade_of(const Position& root, const std::string& answer, int plies) {
    SearchRequest q;
    q.limits.depth = 2;
    q.line_count = root.legal_plies().size();
    const auto lines = game_.think(root, q).lines;  // without the endgame table
    const auto mine = std::find_if(lines.begin(), lines.end(),
                                   [&](const AnalysisLine& line) { return line.ply == answer; });
    const auto others = static_cast<std::ptrdiff_t>(lines.size()) - 1;
    const auto good = std::count_if(lines.begin(), lines.end(), [&](const AnalysisLine& line) {
      return line.ply != answer && line.verdict.win_percent() >= mine->verdict.win_percent();
    });
    return std::min(
        5, 1 + std::max(0, plies - 3) / 2 + (10 * good >= others) + (10 * good >= 4 * others));
  }

  // True unless there are enough puzzles of this length, or with this seat to move.
  bool is_wanted(const Puzzle& puzzle, Seat mover) {
    const auto same = length_counts_.find({puzzle.kind, puzzle.plies});
    return (same == length_counts_.end() || same->second < source_.max_same_length) &&
           seat_counts_[static_cast<std::size_t>(mover)] < source_.wanted_count * 3 / 5;
  }

  const PuzzleSource& source_;
  const GameType& game_;
  const Options options_;
  std::set<std::string>& known_images_;
  Thinker thinker_{table_directories()};
  std::vector<Puzzle> found_;
  std::map<std::pair<Kind, int>, int> length_counts_;
  std::array<int, 2> seat_counts_{};
  int tried_count_ = 0;
  bool is_complete_ = true;
};

void write_puzzles(const fs::path& file, std::vector<Puzzle> puzzles) {
  std::sort(puzzles.begin(), puzzles.end(),
            [](const Puzzle& a, const Puzzle& b) { return a.sort_key() < b.sort_key(); });
  std::string text;
  std::map<std::string, int> counts;
  for (const Puzzle& p : puzzles) {
    // The sort key is the save as played; only now it gets the names of solver and opponent.
    std::string save = p.save_text;
    save.replace(save.find("[one, two]"), 10,
                 p.solver == 0 ? "[solver, other]" : "[other, solver]");
    text += (text.empty() ? "" : std::string(kSeparatorLine)) + save;
    ++counts["grade " + std::to_string(p.grade)];
    ++counts[(p.kind == Kind::win ? "win in " : "hold in ") + std::to_string(p.plies)];
    ++counts[p.is_proved ? "proved throughout" : "by all moves so far ahead"];
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
      for (const PuzzleSource& source : kSources)
        if (source.game == game.name)
          for (Puzzle& puzzle : PuzzleFinder(source, images).find())
            puzzles.push_back(std::move(puzzle));
      write_puzzles(fs::path(argv[1]) / (std::string(game.name) + ".yaml"), std::move(puzzles));
    }
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
  return 0;
}
