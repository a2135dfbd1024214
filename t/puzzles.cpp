// SPDX-License-Identifier: MIT
// Tests the puzzles in saves/puzzles: every claim of a puzzle must be true.
#include <map>
#include <set>

#include "puzzles/puzzle.hpp"
#include "save/exercise.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

struct Puzzle {
  std::string name;  // "toot 7"
  Match match;
  std::string kind;
  int plies, grade;
  std::vector<std::string> line;
};

// Returns all puzzles by the name of their game.
std::map<std::string, std::vector<Puzzle>> read_puzzles() {
  std::map<std::string, std::vector<Puzzle>> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "saves" / "puzzles")) {
    const std::string game = entry.path().stem().string();
    const std::string file = read_bytes(entry.path());
    for (const std::string_view text : split_documents(file)) {
      const std::string name = game + " " + std::to_string(out[game].size() + 1);
      INFO(name);
      auto loaded = load_match(text, name);
      REQUIRE(loaded.ok());
      CHECK(loaded->warning == "");
      CHECK(loaded->match.game().name == game);
      const auto root = read_yaml(text);
      const YamlNode* puzzle = root->find("puzzle");
      REQUIRE(puzzle);
      out[game].push_back({name, std::move(loaded->match), get_text(*puzzle, "kind"),
                           static_cast<int>(get_number(*puzzle, "plies")),
                           static_cast<int>(get_number(*puzzle, "grade")),
                           get_texts(*puzzle, "line")});
    }
  }
  return out;
}

Position position_after(const Position& position, const std::string& ply) {
  Position next = position;
  next.play(ply);
  return next;
}

// Returns the outcome, if any. A seat that can only pass has lost.
std::optional<Outcome> find_outcome(const Position& position) {
  if (const auto outcome = position.outcome()) return outcome;
  if (position.legal_plies().front() != "pass") return std::nullopt;
  return position_after(position, "pass").outcome();
}

// Tries all plies until it gives up. The computer only chooses the order of plies, because its
// verdicts must not count here.
class PuzzleSolver {
 public:
  explicit PuzzleSolver(const GameType& game) : game_(game) {}

  // True if the seat to move wins in at most `plies`.
  bool is_win(const Position& position, int plies) {
    if (plies <= 0) return false;
    const Seat me = position.to_move();
    const auto each = ordered_plies(position, plies);
    return std::any_of(each.begin(), each.end(), [&](const std::string& ply) {
      return !has_given_up() && is_loss(position_after(position, ply), plies - 1, me);
    });
  }
  // True if `winner` wins after at most `plies` more, whatever the other seat plays.
  bool is_loss(const Position& position, int plies, Seat winner) {
    --nodes_left_;
    if (const auto ended = find_outcome(position)) return ended->winner == winner;
    if (plies <= 0) return false;
    const auto each = ordered_plies(position, plies);
    return std::all_of(each.begin(), each.end(), [&](const std::string& ply) {
      const Position next = position_after(position, ply);
      if (const auto ended = find_outcome(next)) return ended->winner == winner;
      return !has_given_up() && is_win(next, plies - 1);
    });
  }
  bool has_given_up() const { return nodes_left_ <= 0; }

 private:
  std::vector<std::string> ordered_plies(const Position& position, int plies) const {
    auto out = position.legal_plies();
    if (plies < 2) return out;
    SearchRequest q;
    q.limits.depth = 2;
    q.line_count = out.size();
    auto front = out.begin();
    for (const AnalysisLine& line : game_.think(position, q).lines)
      if (const auto at = std::find(front, out.end(), line.ply); at != out.end())
        std::rotate(front, at, at + 1), ++front;
    return out;
  }

  const GameType& game_;
  int nodes_left_ = 30'000;
};

// The numbers of plies that were tried out, judged by the computer, and left open.
struct SolverCounts {
  int tried = 0, judged = 0, undecided = 0;
};

// True if `winner` wins after at most `plies` more; the other seat is to move. If there are too
// many plies to try, asks the computer, with a higher limit if that result is `expected`.
bool is_forced_loss(const Puzzle& puzzle, const Position& position, int plies, Seat winner,
                    bool expected, SolverCounts& tally) {
  const GameType& game = puzzle.match.game();
  PuzzleSolver trial(game);
  const bool out = trial.is_loss(position, plies, winner);
  if (!trial.has_given_up()) {
    ++tally.tried;
    return out;
  }
  // Uses other limits than the search that found the puzzle, and no table.
  SearchRequest q;
  q.limits.depth = plies + 3;
  q.limits.nodes = expected ? 3'000'000 : 200'000;
  q.seed = 99;
  const SearchResult thought = game.think(position, q);
  const Verdict verdict = thought.lines.front().verdict;
  ++(verdict.is_proved() || thought.depth >= plies ? tally.judged : tally.undecided);
  return verdict.kind() == Verdict::Kind::loss && verdict.plies() <= plies;
}

}  // namespace

TEST_CASE("puzzles are saves with a line that comes to what it says", "[puzzles]") {
  const auto all = read_puzzles();
  CHECK(all.size() == 5);
  for (const auto& [game, puzzles] : all) {
    INFO(game);
    CHECK(puzzles.size() >= 60);
    std::set<std::string> images;
    std::map<std::pair<std::string, int>, std::size_t> same;
    std::map<Seat, std::size_t> movers;
    int grade = 1;
    for (const Puzzle& puzzle : puzzles) {
      INFO(puzzle.name);
      Position position = puzzle.match.position();
      const Seat solver = position.to_move();
      CHECK(puzzle.match.names()[static_cast<std::size_t>(solver)] == "solver");
      CHECK(position.legal_plies().size() >= 4);
      CHECK(images.insert(canonical_image(position)).second);
      ++same[{puzzle.kind, puzzle.plies}];
      ++movers[solver];
      CHECK(puzzle.grade >= grade);  // easy puzzles come first
      CHECK(puzzle.grade <= 5);
      grade = puzzle.grade;
      REQUIRE_FALSE(puzzle.line.empty());
      for (const std::string& ply : puzzle.line) {
        const auto read = position.parse(ply);
        REQUIRE(read.ok());
        CHECK(*read == ply);  // canonical
        REQUIRE_FALSE(position.outcome());
        position.play(ply);
      }
      const auto end = find_outcome(position);
      if (puzzle.kind == "win") {
        CHECK(puzzle.plies >= 3);
        CHECK(static_cast<int>(puzzle.line.size()) == puzzle.plies);
        REQUIRE(end);
        CHECK(end->winner == solver);
      } else {
        CHECK(puzzle.kind == "hold");
        CHECK(puzzle.line.size() <= 6);
        CHECK(!(end && end->winner == 1 - solver));
      }
    }
    for (const auto& [what, count] : same) {
      INFO(what.first << " in " << what.second << ": " << count);
      CHECK(3 * count <= puzzles.size() + 2);
    }
    for (const auto& [seat, count] : movers) CHECK(3 * count >= puzzles.size());
  }
}

TEST_CASE("of a puzzle one move alone is the answer", "[puzzles][long]") {
  for (const auto& [game, puzzles] : read_puzzles()) {
    SolverCounts tally;
    for (const Puzzle& puzzle : puzzles) {
      INFO(puzzle.name);
      const Position& root = puzzle.match.position();
      const Seat solver = root.to_move(), other = 1 - solver;
      for (const std::string& ply : root.legal_plies()) {
        INFO(ply);
        const Position next = position_after(root, ply);
        const bool is_answer = ply == puzzle.line.front();
        if (puzzle.kind == "win") {
          CHECK(is_forced_loss(puzzle, next, puzzle.plies - 1, solver, is_answer, tally) ==
                is_answer);
          continue;
        }
        // One refuting reply is enough; the answer must have none.
        const auto replies = next.legal_plies();
        const bool falls =
            find_outcome(next)
                ? find_outcome(next)->winner == other
                : std::any_of(replies.begin(), replies.end(), [&](const auto& reply) {
                    return is_forced_loss(puzzle, position_after(next, reply), puzzle.plies - 2,
                                          other, !is_answer, tally);
                  });
        CHECK(falls != is_answer);
      }
    }
    WARN(game << ": tried out " << tally.tried << ", looked at by the computer " << tally.judged
              << ", not to the end " << tally.undecided);
  }
}
