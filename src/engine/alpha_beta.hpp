// SPDX-License-Identifier: MIT
// Search for two seats: alpha-beta (Knuth and Moore 1975) by iterative deepening (Slate and Atkin
// 1977) with null windows after the first move (Marsland and Campbell 1982), extensions for a
// single legal move, quiescence search (Harris 1975), and late move reductions if a game allows
// them (Romstad 2006). Leaves the transposition table to score_table.hpp, move order to
// move_order.hpp, repetitions and variations to way.hpp, levels and the answer to think.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "engine/board.hpp"
#include "engine/move_order.hpp"
#include "engine/proved.hpp"
#include "engine/score_table.hpp"
#include "engine/way.hpp"

namespace pbm::engine {

inline constexpr int kStale = 64;  // denominator of Setup::stale

template <Board B>
class AlphaBeta {
 public:
  using Move = typename B::Move;

  // The options of a search.
  struct Setup {
    Ignorance ignorance{};
    int depth = 0;                             // maximum in plies; 0 for no limit
    std::size_t table_entries = 0;             // a power of two
    ZeroedBytes* memory = nullptr;             // keeps the table for the next search; may be null
    std::span<const std::uint64_t> history{};  // keys of the game's earlier positions
    std::span<const std::uint8_t> known{};     // bytes of the endgame table
    // By Board::place(): the share of an evaluation, in units of 1/kStale, that gives way to a
    // score bad for `shuns`. It grows the longer play has stayed in that place.
    std::span<const int> stale{};
    Seat shuns = kNobody;
  };
  // A move of the root with its result.
  struct RootMove {
    Move move{};
    int score = 0;      // for the seat to move at the root, from a search of `depth`
    int depth = 0;      // 0: no exact score, but not better than an earlier move
    bool lost = false;  // true if proved lost, whatever `score` says; the length is unknown
    int no_sooner = 0;  // the proved length in plies, if it agrees with `score`; else 0
    std::vector<Move> line{};
  };

  AlphaBeta(Brake& brake, const Setup& setup) : brake_(brake), setup_(setup) {
    if constexpr (Hashed<B>) {
      table_ = ScoreTable(setup.table_entries, setup.memory);
      if constexpr (kCanRepeat<B>) before_.begin(setup.history);
    }
    stack_.reserve(4096);
  }

  // Returns the moves of `root`, best first; the first `wanted` have exact scores. Calls
  // told(depth) after each completed depth. Pre: there is a move.
  template <class F>
  const std::vector<RootMove>& search(const B& root, std::size_t wanted, F told) {
    if constexpr (requires { root.rules(); }) rules_ = mixed(root.rules());
    if (std::ranges::any_of(setup_.stale, [](int parts) { return parts > 0; }))
      for (const int parts : setup_.stale)
        rules_ = mixed(rules_ + static_cast<std::uint64_t>(parts + setup_.shuns));
    collect(root);
    wanted = std::clamp<std::size_t>(wanted, 1, moves_.size());
    if constexpr (Tabled<B>)
      if (const auto k = root.known(setup_.known); k && k->kind() == Verdict::Kind::endless)
        hold(root, wanted);
    const int last = setup_.depth > 0 ? std::min(setup_.depth, kMaxPly - 8) : kMaxPly - 8;
    for (int depth = 1; depth <= last; ++depth) {
      leaves_ = 0;
      limit_ = std::min(kMaxPly - 2, 2 * depth + 12);
      if (!deepen(root, depth, wanted)) break;
      depth_ = depth;
      for (std::size_t i = 0; i < wanted; ++i) count_plies(root, moves_[i]);
      told(depth);
      if (is_settled(root, depth, wanted)) break;
    }
    return moves_;
  }

  // Gives the first move an exact score, within the brake, if it has none because it replaced a
  // losing move. If it loses too, a move that is not known to lose replaces it.
  void examine_first(const B& root) {
    for (;;) {
      for (int depth = 1; moves_[0].depth < depth && depth <= std::max(depth_, 1); ++depth) {
        B child = root;
        child.play(moves_[0].move);
        limit_ = std::min(kMaxPly - 2, 2 * depth + 12);
        const int score = repeated_at_root(child).value_or(
            -node(child, key_of(child), depth - 1, -kWin, kWin, 1));
        if (brake_.stopped()) return;
        note(moves_[0], score, depth);
      }
      if (!is_proved(root, moves_[0]) || moves_[0].score > -kProved) return;
      moves_[0].lost = true;
      const auto other = std::ranges::find_if(moves_, [](const auto& m) { return !m.lost; });
      if (other == moves_.end()) break;
      std::rotate(moves_.begin(), other, other + 1);
    }
    // All moves lose. The longest defence is unknown, as not all were searched to the end.
    moves_[0].no_sooner = 0;
  }

  // Marks a move as lost. `after` is a proved win for the opponent after the move.
  void lose(std::size_t i, const Verdict& after) {
    check(after.kind() == Verdict::Kind::win, "a move is said to lose without a proof");
    moves_[i].lost = true;
  }
  void put_last(std::size_t i) {
    std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(i),
                moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1, moves_.end());
  }

  int depth() const { return depth_; }
  const std::vector<RootMove>& moves() const { return moves_; }
  // Returns the verdict on a root move for the seat that plays it. Claims no more than is proved.
  Verdict verdict(const B& root, const RootMove& r) const {
    if (r.lost && !is_proved(root, r)) return Proved::loss(0);
    if (!is_proved(root, r)) return Verdict::estimate(share_of(root, told(r)));
    if (r.score == 0) return Proved::tie();
    const int in = kWin - std::abs(r.score), plies = r.no_sooner == in ? in : 0;
    return r.score > 0 ? Proved::win(plies) : Proved::loss(plies);
  }

 private:
  // Returns the score for display: a third repetition counts as even, or as the best move if worse.
  int told(const RootMove& r) const {
    if (r.score != kThirdTime) return r.score;
    return std::min(0, moves_[0].score == kThirdTime ? 0 : moves_[0].score);
  }

  // True if no deeper search can change the score of a root move.
  bool is_proved(const B& root, const RootMove& r) const {
    if (r.depth == 0 || setup_.ignorance.any()) return false;
    if (std::abs(r.score) > kProved) return true;
    if constexpr (requires { root.plies_left(); }) return r.depth >= root.plies_left();
    return no_estimates_ && r.depth == depth_;
  }

  // The score of a move that repeats a position for the third time: better than a proved loss only.
  static constexpr int kThirdTime = -kProved + 1;

  static int share_of(const B& root, int score) {
    double scale = 100;
    if constexpr (requires { root.scale(); }) scale = root.scale();
    const double points = std::clamp(score, -kMostPoints, kMostPoints);
    constexpr double kThreeToOne = 1.0986;  // ln 3: scale() points make the odds 3 to 1
    const double share = 100.0 / (1.0 + std::exp(-kThreeToOne * points / scale));
    return std::clamp(static_cast<int>(std::lround(share)), 1, 99);
  }

  static constexpr bool kReducing = [] {
    if constexpr (requires { B::kReduces; }) return B::kReduces;
    else return false;
  }();
  static constexpr bool kTaking = [] {
    if constexpr (requires { B::kMustTake; }) return B::kMustTake;
    else return false;
  }();
  // The least depth of positions in the table; below it a search is faster than a look-up.
  static constexpr int kLeastInTable = kTaking ? 2 : 0;
  using Order = MoveOrder<B>;
  using Choice = typename Order::Choice;

  static std::uint64_t key_of(const B& board) {
    if constexpr (Hashed<B>) return board.hash();
    else return 0;
  }

  void collect(const B& root) {
    std::size_t index = 0;
    const std::uint64_t key = key_of(root);
    std::vector<RootMove> unseen;
    root.each_move([&](Move m) {
      RootMove r;
      r.move = m;
      const bool is_seen =
          setup_.ignorance.seen >= 100 || seen(root, m, index, key, setup_.ignorance);
      (is_seen ? moves_ : unseen).push_back(r);
      ++index;
    });
    // A level that sees threats looks on until it finds a move that does not lose at once.
    if (moves_.empty() || (!unseen.empty() && setup_.ignorance.threats &&
                           std::ranges::all_of(moves_, [&](const RootMove& r) {
                             return loses_at_once(root, r.move);
                           })))
      moves_.insert(moves_.end(), unseen.begin(), unseen.end());
    // Shuffles equal moves, the same way each time in this game.
    Dice dice(setup_.ignorance.seed ^ key);
    for (std::size_t i = moves_.size(); i > 1; --i)
      std::swap(moves_[i - 1], moves_[dice.below(static_cast<std::uint32_t>(i))]);
    if constexpr (requires { root.promise(moves_[0].move); })
      std::ranges::stable_sort(moves_, [&](const RootMove& a, const RootMove& b) {
        return root.promise(a.move) > root.promise(b.move);
      });
  }

  // Keeps only the moves that hold a root that no seat can win by the endgame table. Then searches
  // without the table, because an opponent who need not lose may still go wrong.
  void hold(const B& root, std::size_t wanted) {
    std::vector<RootMove> holding;
    for (const RootMove& r : moves_) {
      B child = root;
      child.play(r.move);
      if (child.known(setup_.known)->kind() == Verdict::Kind::endless) holding.push_back(r);
    }
    if (holding.size() < wanted) return;
    moves_ = std::move(holding);
    setup_.known = {};
  }

  // Searches one depth. Returns false if interrupted; better moves found until then are kept.
  bool deepen(const B& root, int depth, std::size_t wanted) {
    before_.enter(key_of(root), 0);
    for (std::size_t first = 0; first < wanted; ++first) {
      int best = -kWin;
      for (std::size_t i = first; i < moves_.size(); ++i) {
        RootMove& r = moves_[i];
        B child = root;
        child.play(r.move);
        const auto fixed = repeated_at_root(child);
        const int score = fixed ? *fixed : after(child, i == first, 0, depth - 1, best, kWin, 1);
        if (brake_.stopped()) {
          // If all searched moves lose, prefers one that is not known to lose.
          const auto from = moves_.begin() + static_cast<std::ptrdiff_t>(i);
          const auto other =
              std::find_if(from, moves_.end(), [](const RootMove& m) { return !m.lost; });
          if (i > first && best <= -kProved && other != moves_.end())
            std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(first), other, other + 1);
          return false;
        }
        if (i > first && score <= best) {
          // The score is only an upper bound.
          r.lost = r.lost || (score <= -kProved && !setup_.ignorance.any());
          continue;
        }
        best = score;
        note(r, score, depth);
        std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(first),
                    moves_.begin() + static_cast<std::ptrdiff_t>(i),
                    moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
    std::stable_sort(moves_.begin(), moves_.begin() + static_cast<std::ptrdiff_t>(wanted),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    return true;
  }

  // Stores an exact score with its variation.
  void note(RootMove& r, int score, int depth) {
    r.score = score;
    r.depth = depth;
    // A win at once is the shortest. A complete search of that depth has found the shortest, too.
    const int plies = kWin - std::abs(score);
    if (plies == 1 || (!kReducing && !kCanRepeat<B> && plies <= depth)) r.no_sooner = plies;
    r.line.assign(1, r.move);
    const auto rest = lines_.from(1);
    r.line.insert(r.line.end(), rest.begin(), rest.end());
  }

  // Checks whether a decided game can end sooner than `score` says, by a search without reductions
  // and without repetition scores. Does nothing if the end lies deeper than the completed depth.
  void count_plies(const B& root, RootMove& r) {
    const int plies = kWin - std::abs(r.score);
    if (std::abs(r.score) <= kProved || plies > r.depth || r.no_sooner == plies) return;
    B child = root;
    child.play(r.move);
    counts_plies_ = true;
    const int alpha = r.score > 0 ? r.score : r.score - 1;
    const int score = -node(child, key_of(child), plies - 2, -alpha - 1, -alpha, 1);
    const bool sooner = (r.score > 0 ? score > alpha : score <= alpha) || others_win(root, r);
    counts_plies_ = false;
    if (!brake_.stopped() && !sooner) r.no_sooner = plies;
  }

  // True if `best` wins and another move, overlooked because of reductions, wins sooner.
  bool others_win(const B& root, const RootMove& best) {
    constexpr int kSeenAll = 4;  // plies; a win this short has no shorter one that was overlooked
    const int plies = kWin - best.score;
    if (!kReducing || best.score < 0 || plies <= kSeenAll || &best != &moves_[0]) return false;
    return std::any_of(moves_.begin() + 1, moves_.end(), [&](const RootMove& other) {
      B child = root;
      child.play(other.move);
      return !brake_.stopped() &&
             -node(child, key_of(child), plies - 3, -best.score - 1, -best.score, 1) > best.score;
    });
  }

  // Returns kThirdTime if the position occurred twice in the game. A third time is better only than
  // a loss, so no game goes on for ever.
  std::optional<int> repeated_at_root(const B& child) const {
    if constexpr (kCanRepeat<B> && Hashed<B>)
      if (before_.times(child.hash()) >= 2) return kThirdTime;
    return std::nullopt;
  }

  bool is_settled(const B& root, int depth, std::size_t wanted) {
    if constexpr (Tabled<B>)
      if (root.known(setup_.known)) return true;
    no_estimates_ = !Hashed<B> && leaves_ == 0;
    for (std::size_t i = 0; i < wanted; ++i) {
      // A shorter win or loss is possible until the depth reaches the length of this one.
      const int score = std::abs(moves_[i].score);
      if (score > kProved ? depth < kWin - score : !is_proved(root, moves_[i])) return false;
    }
    return true;
  }

  static int ended(const B& board, int ply) {
    const Seat winner = board.winner();
    if (winner == kNobody) return 0;
    return winner == board.to_move() ? kWin - ply : ply - kWin;
  }

  int leaf(const B& board) {
    ++leaves_;
    int points = estimate(board, setup_.ignorance);
    if constexpr (requires { board.place(); })
      if (!setup_.stale.empty()) {
        constexpr int kShunned = kNoiseOf<B> * 2 / 5;  // points, at most
        const int away = board.to_move() == setup_.shuns ? kShunned : -kShunned;
        points -= (points + away) * setup_.stale[static_cast<std::size_t>(board.place())] / kStale;
      }
    return std::clamp(points, -kMostPoints, kMostPoints);
  }

  static int score_of(const Verdict& known, int ply) {
    return known.kind() == Verdict::Kind::win    ? kWin - ply - known.plies()
           : known.kind() == Verdict::Kind::loss ? ply + known.plies() - kWin
                                                 : 0;
  }

  // Evaluates without quiescence, for levels that ignore replies.
  int as_it_stands(const B& board, int ply) {
    lines_.clear(ply);
    if (brake_.tick()) return 0;
    bool any = false;
    if (!board.over()) board.each_move([&](Move) { any = true; });
    return any ? leaf(board) : ended(board, ply);
  }

  // Searches forced captures. Needs no table or move order, because the lines are short.
  int quiet(const B& board, int alpha, int beta, int ply) {
    lines_.clear(ply);
    if (brake_.tick()) return 0;
    if constexpr (Tabled<B>)
      if (const auto k = board.known(setup_.known)) return score_of(*k, ply);
    if (ply >= limit_ || !board.noisy()) return leaf(board);
    int best = -kWin;
    bool any = false;
    board.each_move([&](Move m) {
      if (any && (best >= beta || brake_.stopped())) return;
      any = true;
      B child = board;
      child.play(m);
      const int score = -quiet(child, -beta, -std::max(alpha, best), ply + 1);
      if (score <= best || brake_.stopped()) return;
      best = score;
      if (best > alpha) lines_.set(ply, m);
    });
    return any ? best : ended(board, ply);
  }

  // Returns the key of a board, or 0 if its search needs none, and prefetches its table entry.
  std::uint64_t prefetched(const B& board, int depth) const {
    if (kTaking && depth <= 0) return 0;
    const std::uint64_t key = key_of(board);
    if (Hashed<B> && depth >= kLeastInTable) table_.prefetch(key);
    return key;
  }

  // Returns the score of a position if it needs no search; `depth` plies remain.
  std::optional<int> at_once(const B& board, std::uint64_t key, int depth, int ply) {
    if constexpr (requires { board.win_in_one(); })
      if (setup_.ignorance.threats || depth > 0)
        if (const auto win = board.win_in_one()) {
          lines_.set(ply, *win);
          return kWin - ply - 1;
        }
    if (is_blind(board)) return leaf(board);
    before_.enter(key, ply);
    if constexpr (Tabled<B>)
      if (const auto k = board.known(setup_.known)) return score_of(*k, ply);
    // A repetition scores 0, so no win rests on it. The 0 gets into the table and can mislead
    // other paths (graph history interaction, Campbell 1985): estimates may err, proofs do not.
    if constexpr (kCanRepeat<B> && Hashed<B>)
      if (!counts_plies_ && before_.stood(key, ply)) return 0;
    if (ply >= limit_) return leaf(board);
    if (depth > 0) return std::nullopt;
    if constexpr (requires { board.noisy(); })
      if (board.noisy()) return std::nullopt;
    return leaf(board);
  }

  // Returns the depth reduction, in plies, of a move searched after `before` others.
  int reduction(const B& board, const Choice& choice, int depth, int before) const {
    if (!kReducing || counts_plies_ || depth < 3 || before < 3 || !choice.is_late()) return 0;
    // A search to the end of the game proves its score only without reductions. Lower levels were
    // calibrated without them.
    if constexpr (requires { board.plies_left(); })
      if (depth >= board.plies_left() || setup_.ignorance.any()) return 0;
    return 1 + (before >= 10) + (depth >= 8 && before >= 6);
  }

  // Searches a node. Pre: `key` comes from prefetched().
  int node(const B& board, std::uint64_t key, int depth, int alpha, int beta, int ply) {
    if (depth <= 0 && !setup_.ignorance.replies) return as_it_stands(board, ply);
    if constexpr (kTaking)
      if (depth <= 0) return quiet(board, alpha, beta, ply);
    lines_.clear(ply);
    if (brake_.tick()) return 0;
    if (board.over()) return ended(board, ply);
    // No win from here is sooner than the next ply (mate distance pruning).
    alpha = std::max(alpha, ply - kWin);
    beta = std::min(beta, kWin - ply - 1);
    if (alpha >= beta) return alpha;
    if (const auto score = at_once(board, key, depth, ply)) return *score;
    depth = std::max(depth, 0);

    ScoreTable::Entry* entry = nullptr;
    int table_move = -1;
    const std::uint64_t key_in_table = (counts_plies_ ? ~key : key) ^ rules_;
    if (Hashed<B> && depth >= kLeastInTable) {
      entry = &table_.at(key);
      if (entry->holds(key_in_table)) {
        table_move = entry->move;
        if (entry->settles(depth, ply, alpha, beta)) return entry->score_at(ply);
      }
    }

    const std::size_t base = stack_.size();
    int lost_in = 0;
    const int count = generate(board, key, ply, table_move, lost_in);
    if (count == 0) return lost_in > 0 ? ply + lost_in - kWin : ended(board, ply);
    const auto [best, move] = best_of(board, base, depth, alpha, beta, ply);
    stack_.resize(base);
    if (brake_.stopped()) return 0;
    if (entry)
      entry->keep({key_in_table, static_cast<std::int16_t>(best), static_cast<std::int8_t>(depth),
                   best >= beta   ? ScoreTable::kAtLeast
                   : best > alpha ? ScoreTable::kExact
                                  : ScoreTable::kAtMost,
                   move},
                  ply);
    return best;
  }

  // Returns the score of the move to `child`. All but the `first` get a null window and `less`
  // plies less depth, and a full search only if that fails high.
  int after(const B& child, bool first, int less, int depth, int alpha, int beta, int ply) {
    const std::uint64_t key = prefetched(child, depth);
    if (!first) {
      int score = -node(child, key, depth - less, -alpha - 1, -alpha, ply);
      if (less > 0 && score > alpha && !brake_.stopped())
        score = -node(child, key, depth, -alpha - 1, -alpha, ply);
      if (score <= alpha || score >= beta || brake_.stopped()) return score;
    }
    return -node(child, key, depth, -beta, -alpha, ply);
  }

  // Returns the best score of the moves on the stack from `base` on, and the index of that move.
  std::pair<int, std::uint16_t> best_of(const B& board, std::size_t base, int depth, int alpha,
                                        int beta, int ply) {
    const int count = static_cast<int>(stack_.size() - base);
    bool longer = count == 1 && ply < limit_ / 2;
    if constexpr (requires { board.forces(); }) longer = longer && board.forces();
    const int next = depth - (longer ? 0 : 1);
    std::pair<int, std::uint16_t> best{-kWin, std::uint16_t{0}};
    for (int i = 0; i < count; ++i) {
      // In a long move list the order of late moves hardly matters, and sorting takes long.
      if (!kReducing || i < 8 || count < 24)
        Order::pick(std::span(stack_).subspan(base + static_cast<std::size_t>(i)));
      const Choice choice = stack_[base + static_cast<std::size_t>(i)];
      B child = board;
      child.play(choice.move);
      const int score = after(child, i == 0, i == 0 ? 0 : reduction(board, choice, depth, i), next,
                              alpha, beta, ply + 1);
      if (brake_.stopped()) break;
      if (score <= best.first && i > 0) continue;
      best = {score, choice.index};
      if (score <= alpha) continue;
      alpha = score;
      lines_.set(ply, choice.move);
      if (alpha < beta) continue;
      order_.remember(board, choice.move, depth, ply);
      break;
    }
    return best;
  }

  // Puts the moves on the stack and returns their number. If the board leaves out all moves because
  // they lose, `lost_in` is the number of plies of the best defence.
  int generate(const B& board, std::uint64_t key, int ply, int table_move, int& lost_in) {
    const std::size_t base = stack_.size();
    std::uint16_t index = 0;
    const auto give = [&](Move m) {
      stack_.push_back(order_.choice(board, m, index, table_move, ply));
      ++index;
    };
    if constexpr (requires { board.each_sound_move(give); }) {
      if (setup_.ignorance.threats) lost_in = board.each_sound_move(give);
      else board.each_move(give);
      if (index > 0) lost_in = 0;
    } else {
      board.each_move(give);
    }
    if (setup_.ignorance.seen < 100 && index > 1) {
      std::size_t kept = base;
      for (std::size_t i = base; i < base + index; ++i)
        if (seen(board, stack_[i].move, stack_[i].index, key, setup_.ignorance))
          stack_[kept++] = stack_[i];
      if (kept == base) ++kept;
      stack_.resize(kept);
    }
    return static_cast<int>(stack_.size() - base);
  }

  Brake& brake_;
  Setup setup_;
  std::vector<RootMove> moves_;
  ScoreTable table_;
  Order order_;
  std::uint64_t rules_ = 0;    // a hash of the rules and all else that scores depend on
  std::vector<Choice> stack_;  // the moves of all positions on the path, one after the other
  Repetitions before_;
  Lines<Move> lines_;
  std::uint64_t leaves_ = 0;  // evaluations at this depth
  int depth_ = 0;
  int limit_ = 0;              // the ply at which every line ends
  bool counts_plies_ = false;  // true in count_plies(): no reductions, no repetition scores
  bool no_estimates_ = false;  // true if every line of the last depth reached the end of the game
};

}  // namespace pbm::engine
