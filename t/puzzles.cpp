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
std::map<std::string, std::vector<Puzzle>> all_puzzles() {
  std::map<std::string, std::vector<Puzzle>> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "saves" / "puzzles")) {
    const std::string game = entry.path().stem().string();
    const std::string file = bytes_of(entry.path());
    for (const std::string_view text : documents_of(file)) {
      const std::string name = game + " " + std::to_string(out[game].size() + 1);
      INFO(name);
      auto loaded = load_match(text, name);
      REQUIRE(loaded.ok());
      CHECK(loaded->warning == "");
      CHECK(loaded->match.game().name == game);
      const auto root = read_yaml(text);
      const YamlNode* puzzle = root->find("puzzle");
      REQUIRE(puzzle);
      out[game].push_back({name, std::move(loaded->match), text_in(*puzzle, "kind"),
                           static_cast<int>(number_in(*puzzle, "plies")),
                           static_cast<int>(number_in(*puzzle, "grade")),
                           texts_in(*puzzle, "line")});
    }
  }
  return out;
}

Position after_one(const Position& position, const std::string& ply) {
  Position next = position;
  next.play(ply);
  return next;
}

// Returns the outcome, if any. A seat that can only pass has lost.
std::optional<Outcome> result(const Position& position) {
  if (const auto outcome = position.outcome()) return outcome;
  if (position.legal().front() != "pass") return std::nullopt;
  return after_one(position, "pass").outcome();
}

// Tries all plies until it gives up. The computer only chooses the order of plies, because its
// verdicts must not count here.
class Trial {
 public:
  explicit Trial(const GameType& game) : game_(game) {}

  // True if the seat to move wins in at most `plies`.
  bool wins(const Position& position, int plies) {
    if (plies <= 0) return false;
    const Seat me = position.to_move();
    const auto each = plies_of(position, plies);
    return std::any_of(each.begin(), each.end(), [&](const std::string& ply) {
      return !gave_up() && loses(after_one(position, ply), plies - 1, me);
    });
  }
  // True if `winner` wins after at most `plies` more, whatever the other seat plays.
  bool loses(const Position& position, int plies, Seat winner) {
    --patience_;
    if (const auto ended = result(position)) return ended->winner == winner;
    if (plies <= 0) return false;
    const auto each = plies_of(position, plies);
    return std::all_of(each.begin(), each.end(), [&](const std::string& ply) {
      const Position next = after_one(position, ply);
      if (const auto ended = result(next)) return ended->winner == winner;
      return !gave_up() && wins(next, plies - 1);
    });
  }
  bool gave_up() const { return patience_ <= 0; }

 private:
  std::vector<std::string> plies_of(const Position& position, int plies) const {
    auto out = position.legal();
    if (plies < 2) return out;
    Question q;
    q.limits.depth = 2;
    q.lines = out.size();
    auto front = out.begin();
    for (const Line& line : game_.think(position, q).lines)
      if (const auto at = std::find(front, out.end(), line.ply); at != out.end())
        std::rotate(front, at, at + 1), ++front;
    return out;
  }

  const GameType& game_;
  int patience_ = 30'000;
};

// The numbers of plies that were tried out, judged by the computer, and left open.
struct Tally {
  int tried = 0, thought = 0, open = 0;
};

// True if `winner` wins after at most `plies` more; the other seat is to move. If there are too
// many plies to try, asks the computer, with a higher limit if that result is `expected`.
bool is_lost(const Puzzle& puzzle, const Position& position, int plies, Seat winner, bool expected,
             Tally& tally) {
  const GameType& game = puzzle.match.game();
  Trial trial(game);
  const bool out = trial.loses(position, plies, winner);
  if (!trial.gave_up()) {
    ++tally.tried;
    return out;
  }
  // Uses other limits than the search that found the puzzle, and no table.
  Question q;
  q.limits.depth = plies + 3;
  q.limits.nodes = expected ? 3'000'000 : 200'000;
  q.seed = 99;
  const Thought thought = game.think(position, q);
  const Verdict verdict = thought.lines.front().verdict;
  ++(verdict.proved() || thought.depth >= plies ? tally.thought : tally.open);
  return verdict.kind() == Verdict::Kind::loss && verdict.plies() <= plies;
}

}  // namespace

TEST_CASE("puzzles are saves with a line that comes to what it says", "[puzzles]") {
  const auto all = all_puzzles();
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
      CHECK(position.legal().size() >= 4);
      CHECK(images.insert(image_of(position)).second);
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
      const auto end = result(position);
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
  for (const auto& [game, puzzles] : all_puzzles()) {
    Tally tally;
    for (const Puzzle& puzzle : puzzles) {
      INFO(puzzle.name);
      const Position& root = puzzle.match.position();
      const Seat solver = root.to_move(), other = 1 - solver;
      for (const std::string& ply : root.legal()) {
        INFO(ply);
        const Position next = after_one(root, ply);
        const bool is_answer = ply == puzzle.line.front();
        if (puzzle.kind == "win") {
          CHECK(is_lost(puzzle, next, puzzle.plies - 1, solver, is_answer, tally) == is_answer);
          continue;
        }
        // One refuting reply is enough; the answer must have none.
        const auto replies = next.legal();
        const bool falls =
            result(next) ? result(next)->winner == other
                         : std::any_of(replies.begin(), replies.end(), [&](const auto& reply) {
                             return is_lost(puzzle, after_one(next, reply), puzzle.plies - 2, other,
                                            !is_answer, tally);
                           });
        CHECK(falls != is_answer);
      }
    }
    WARN(game << ": tried out " << tally.tried << ", looked at by the computer " << tally.thought
              << ", not to the end " << tally.open);
  }
}
