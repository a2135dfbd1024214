// SPDX-License-Identifier: MIT
// Search for two seats: alpha-beta (Knuth and Moore 1975) by iterative deepening (Slate and Atkin
// 1977) with null windows after the first move (Marsland and Campbell 1982), extensions for a
// single legal move, quiescence search (Harris 1975), and late move reductions if a game allows
// them (Romstad 2006). Leaves the transposition table to transposition_table.hpp, move order to
// move_order.hpp, repetitions and variations to search_path.hpp, levels and the answer to
// searcher.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "engine/board.hpp"
#include "engine/move_order.hpp"
#include "engine/proved_verdict.hpp"
#include "engine/transposition_table.hpp"
#include "engine/search_path.hpp"

namespace pbm::engine {

template <Board B>
class AlphaBeta {
 public:
  using Move = typename B::Move;

  // The options of a search.
  struct SearchOptions {
    Handicaps handicaps{};
    int depth = 0;                             // maximum in plies; 0 for no limit
    std::size_t table_entries = 0;             // a power of two
    ZeroedBytes* table_memory = nullptr;       // keeps the table for the next search; may be null
    std::span<const std::uint64_t> history{};  // keys of the game's earlier positions
    std::span<const std::uint8_t> endgame_table{};  // bytes of the endgame table
  };
  // A move of the root with its result.
  struct RootMove {
    Move move{};
    int score = 0;         // for the seat to move at the root, from a search of `depth`
    int depth = 0;         // 0: no exact score, but not better than an earlier move
    bool is_lost = false;  // true if proved lost, whatever `score` says; the length is unknown
    std::optional<Verdict> outcome{};  // what another search proved, without a length
    int proved_length = 0;  // the proved length in plies, if it agrees with `score`; else 0
    std::vector<Move> variation{};
  };

  AlphaBeta(SearchBudget& brake, const SearchOptions& setup) : budget_(brake), options_(setup) {
    if constexpr (HasHash<B>) {
      table_ = TranspositionTable(setup.table_entries, setup.table_memory);
      if constexpr (kCanRepeat<B>) repetitions_.set_history(setup.history);
    }
    move_stack_.reserve(4096);
  }

  // Returns the moves of `root`, best first; the first `wanted` have exact scores. Calls
  // told(depth) after each completed depth. Pre: there is a move.
  template <class F>
  const std::vector<RootMove>& search(const B& root, std::size_t wanted, F told) {
    if constexpr (requires { root.rules_key(); }) rules_key_ = mix_bits(root.rules_key());
    if constexpr (kRepetition != 0)  // scores depend on the seat that thinks
      rules_key_ = mix_bits(rules_key_ + static_cast<std::uint64_t>(root.to_move()) + 1);
    collect_root_moves(root);
    wanted = std::clamp<std::size_t>(wanted, 1, root_moves_.size());
    if constexpr (HasEndgameTable<B>)
      if (const auto k = root.table_verdict(options_.endgame_table);
          k && k->kind() == Verdict::Kind::endless)
        keep_holding_moves(root, wanted);
    const int last = options_.depth > 0 ? std::min(options_.depth, kMaxPly - 8) : kMaxPly - 8;
    for (int depth = 1; depth <= last; ++depth) {
      leaf_count_ = 0;
      max_ply_ = std::min(kMaxPly - 2, 2 * depth + 12);
      if (!search_depth(root, depth, wanted)) break;
      depth_ = depth;
      for (std::size_t i = 0; i < wanted; ++i) verify_length(root, root_moves_[i]);
      told(depth);
      if (is_finished(root, depth, wanted)) break;
    }
    return root_moves_;
  }

  // Gives the first move an exact score, within the brake, if it has none because it replaced a
  // losing move. If it loses too, a move that is not known to lose replaces it.
  void search_first_move(const B& root) {
    for (;;) {
      for (int depth = 1; root_moves_[0].depth < depth && depth <= std::max(depth_, 1); ++depth) {
        B child = root;
        child.play(root_moves_[0].move);
        max_ply_ = std::min(kMaxPly - 2, 2 * depth + 12);
        const int score = repetition_score(child).value_or(
            -search_node(child, key_of(child), depth - 1, -kWinScore, kWinScore, 1));
        if (budget_.is_stopped()) return;
        store_result(root_moves_[0], score, depth);
      }
      if (!is_proved(root, root_moves_[0]) || root_moves_[0].score > -kProvedScore) return;
      root_moves_[0].is_lost = true;
      const auto other =
          std::ranges::find_if(root_moves_, [](const auto& m) { return !m.is_lost; });
      if (other == root_moves_.end()) break;
      std::rotate(root_moves_.begin(), other, other + 1);
    }
    // All moves lose. The longest defence is unknown, as not all were searched to the end.
    root_moves_[0].proved_length = 0;
  }

  // Adds what another search proved: `after` is the opponent's verdict after the move.
  void set_outcome(std::size_t i, const Verdict& after) {
    check(after.is_proved(), "a move has an outcome without a proof");
    root_moves_[i].outcome = after.opponent_verdict().without_length();
    root_moves_[i].is_lost = after.kind() == Verdict::Kind::win;
  }
  void move_to_front(Move move) {
    const auto at = std::ranges::find(root_moves_, move, &RootMove::move);
    std::rotate(root_moves_.begin(), at, at + 1);
  }
  void move_to_end(std::size_t i) {
    std::rotate(root_moves_.begin() + static_cast<std::ptrdiff_t>(i),
                root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1, root_moves_.end());
  }

  int depth() const { return depth_; }
  const std::vector<RootMove>& moves() const { return root_moves_; }
  // Returns the verdict on a root move for the seat that plays it. Claims no more than is proved.
  Verdict verdict(const B& root, const RootMove& r) const {
    if (r.outcome && (!is_proved(root, r) || r.score == 0)) return *r.outcome;
    if (r.is_lost && !is_proved(root, r)) return ProvedVerdict::loss(0);
    if (!is_proved(root, r)) return Verdict::estimate(win_percent(root, displayed_score(r)));
    // After an interrupted depth, a move that was not searched may still win.
    if (r.score == 0) return r.depth > depth_ ? Verdict::estimate(50) : ProvedVerdict::tie();
    const int in = kWinScore - std::abs(r.score), plies = r.proved_length == in ? in : 0;
    return r.score > 0 ? ProvedVerdict::win(plies) : ProvedVerdict::loss(plies);
  }

 private:
  // Returns the score for display: a third repetition counts as even, or as the best move if worse.
  int displayed_score(const RootMove& r) const {
    if (kRepetition != 0 && r.score == -kRepetition) return 0;
    if (r.score != kThirdRepetition) return r.score;
    return std::min(0, root_moves_[0].score == kThirdRepetition ? 0 : root_moves_[0].score);
  }

  // True if no deeper search can change the score of a root move.
  bool is_proved(const B& root, const RootMove& r) const {
    if (r.depth == 0 || options_.handicaps.has_any()) return false;
    if (std::abs(r.score) > kProvedScore) return true;
    if constexpr (requires { root.plies_left(); }) return r.depth >= root.plies_left();
    return has_no_estimates_ && r.depth == depth_;
  }

  // The score of a move that repeats a position for the third time: better than a proved loss only.
  static constexpr int kThirdRepetition = -kProvedScore + 1;

  static int win_percent(const B& root, int score) {
    double scale = 100;
    if constexpr (requires { root.odds_scale(); }) scale = root.odds_scale();
    const double points = std::clamp(score, -kMaxPoints, kMaxPoints);
    constexpr double kThreeToOne = 1.0986;  // ln 3: `scale` points make the odds 3 to 1
    const double share = 100.0 / (1.0 + std::exp(-kThreeToOne * points / scale));
    return std::clamp(static_cast<int>(std::lround(share)), 1, 99);
  }

  static constexpr bool kHasReductions = [] {
    if constexpr (requires { B::kAllowsReductions; }) return B::kAllowsReductions;
    else return false;
  }();
  static constexpr bool kHasForcedCaptures = [] {
    if constexpr (requires { B::kHasForcedCaptures; }) return B::kHasForcedCaptures;
    else return false;
  }();
  // The least depth of positions in the table; below it a search is faster than a look-up.
  static constexpr int kMinTableDepth = kHasForcedCaptures ? 2 : 0;
  static constexpr int kRepetition = [] {
    if constexpr (requires { B::kRepetitionPoints; }) return B::kRepetitionPoints;
    else return 0;
  }();
  using Ordering = MoveOrder<B>;
  using Choice = typename Ordering::OrderedMove;

  static std::uint64_t key_of(const B& board) {
    if constexpr (HasHash<B>) return board.hash();
    else return 0;
  }

  void collect_root_moves(const B& root) {
    std::size_t index = 0;
    const std::uint64_t key = key_of(root);
    std::vector<RootMove> unseen;
    root.each_move([&](Move m) {
      RootMove r;
      r.move = m;
      const bool can_see = options_.handicaps.seen_percent >= 100 ||
                           is_seen(root, m, index, key, options_.handicaps);
      (can_see ? root_moves_ : unseen).push_back(r);
      ++index;
    });
    // A level that sees threats looks on until it finds a move that does not lose at once.
    if (root_moves_.empty() || (!unseen.empty() && options_.handicaps.sees_threats &&
                                std::ranges::all_of(root_moves_, [&](const RootMove& r) {
                                  return loses_at_once(root, r.move);
                                })))
      root_moves_.insert(root_moves_.end(), unseen.begin(), unseen.end());
    // Shuffles equal moves, the same way each time in this game.
    Dice dice(options_.handicaps.seed ^ key);
    for (std::size_t i = root_moves_.size(); i > 1; --i)
      std::swap(root_moves_[i - 1], root_moves_[dice.random_below(static_cast<std::uint32_t>(i))]);
    if constexpr (requires { root.ordering_score(root_moves_[0].move); })
      std::ranges::stable_sort(root_moves_, [&](const RootMove& a, const RootMove& b) {
        return root.ordering_score(a.move) > root.ordering_score(b.move);
      });
  }

  // Keeps only the moves that hold a root that no seat can win by the endgame table. Then searches
  // without the table, because an opponent who need not lose may still go wrong.
  void keep_holding_moves(const B& root, std::size_t wanted) {
    std::vector<RootMove> holding;
    for (const RootMove& r : root_moves_) {
      B child = root;
      child.play(r.move);
      if (child.table_verdict(options_.endgame_table)->kind() == Verdict::Kind::endless)
        holding.push_back(r);
    }
    if (holding.size() < wanted) return;
    root_moves_ = std::move(holding);
    options_.endgame_table = {};
  }

  // Searches one depth. Returns false if interrupted; better moves found until then are kept.
  bool search_depth(const B& root, int depth, std::size_t wanted) {
    repetitions_.set_path_key(key_of(root), 0);
    for (std::size_t first = 0; first < wanted; ++first) {
      int best = -kWinScore;
      for (std::size_t i = first; i < root_moves_.size(); ++i) {
        RootMove& r = root_moves_[i];
        B child = root;
        child.play(r.move);
        const auto fixed = repetition_score(child);
        const int score =
            fixed ? *fixed : search_child(child, i == first, 0, depth - 1, best, kWinScore, 1);
        if (budget_.is_stopped()) {
          // If all searched moves lose, prefers one that is not known to lose.
          const auto from = root_moves_.begin() + static_cast<std::ptrdiff_t>(i);
          const auto other =
              std::find_if(from, root_moves_.end(), [](const RootMove& m) { return !m.is_lost; });
          if (i > first && best <= -kProvedScore && other != root_moves_.end())
            std::rotate(root_moves_.begin() + static_cast<std::ptrdiff_t>(first), other, other + 1);
          return false;
        }
        if (i > first && score <= best) {
          // The score is only an upper bound.
          r.is_lost = r.is_lost || (score <= -kProvedScore && !options_.handicaps.has_any());
          continue;
        }
        best = score;
        store_result(r, score, depth);
        std::rotate(root_moves_.begin() + static_cast<std::ptrdiff_t>(first),
                    root_moves_.begin() + static_cast<std::ptrdiff_t>(i),
                    root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      }
    }
    std::stable_sort(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(wanted),
                     [](const RootMove& a, const RootMove& b) { return a.score > b.score; });
    return true;
  }

  // Stores an exact score with its variation.
  void store_result(RootMove& r, int score, int depth) {
    r.score = score;
    r.depth = depth;
    // A win at once is the shortest. A complete search of that depth has found the shortest, too.
    const int plies = kWinScore - std::abs(score);
    if (plies == 1 || (!kHasReductions && !kCanRepeat<B> && plies <= depth))
      r.proved_length = plies;
    r.variation.assign(1, r.move);
    const auto rest = variations_.variation(1);
    r.variation.insert(r.variation.end(), rest.begin(), rest.end());
  }

  // Checks whether a decided game can end sooner than `score` says, by a search without reductions
  // and without repetition scores. Does nothing if the end lies deeper than the completed depth.
  void verify_length(const B& root, RootMove& r) {
    const int plies = kWinScore - std::abs(r.score);
    if (std::abs(r.score) <= kProvedScore || plies > r.depth || r.proved_length == plies) return;
    B child = root;
    child.play(r.move);
    is_verifying_length_ = true;
    const int alpha = r.score > 0 ? r.score : r.score - 1;
    const int score = -search_node(child, key_of(child), plies - 2, -alpha - 1, -alpha, 1);
    const bool sooner = (r.score > 0 ? score > alpha : score <= alpha) || has_shorter_win(root, r);
    is_verifying_length_ = false;
    if (!budget_.is_stopped() && !sooner) r.proved_length = plies;
  }

  // True if `best` wins and another move, overlooked because of reductions, wins sooner.
  bool has_shorter_win(const B& root, const RootMove& best) {
    constexpr int kSeenAll = 4;  // plies; a win this short has no shorter one that was overlooked
    const int plies = kWinScore - best.score;
    if (!kHasReductions || best.score < 0 || plies <= kSeenAll || &best != &root_moves_[0])
      return false;
    return std::any_of(root_moves_.begin() + 1, root_moves_.end(), [&](const RootMove& other) {
      B child = root;
      child.play(other.move);
      return !budget_.is_stopped() && -search_node(child, key_of(child), plies - 3, -best.score - 1,
                                                   -best.score, 1) > best.score;
    });
  }

  // Returns kThirdRepetition if the position occurred twice in the game. A third time is better
  // only than a loss, so no game goes on for ever.
  std::optional<int> repetition_score(const B& child) const {
    if constexpr (kCanRepeat<B> && HasHash<B>)
      if (repetitions_.count_in_history(child.hash()) >= 2) return kThirdRepetition;
    return std::nullopt;
  }

  bool is_finished(const B& root, int depth, std::size_t wanted) {
    if constexpr (HasEndgameTable<B>)
      if (root.table_verdict(options_.endgame_table)) return true;
    has_no_estimates_ = !HasHash<B> && leaf_count_ == 0;
    for (std::size_t i = 0; i < wanted; ++i) {
      // A shorter win or loss is possible until the depth reaches the length of this one.
      const int score = std::abs(root_moves_[i].score);
      if (score > kProvedScore ? depth < kWinScore - score : !is_proved(root, root_moves_[i]))
        return false;
    }
    return true;
  }

  static int end_score(const B& board, int ply) {
    const Seat winner = board.winner();
    if (winner == kNobody) return 0;
    return winner == board.to_move() ? kWinScore - ply : ply - kWinScore;
  }

  int evaluate_leaf(const B& board) {
    ++leaf_count_;
    int points = evaluate(board, options_.handicaps);
    // Only a repetition has its score.
    if (kRepetition != 0 && std::abs(points) == kRepetition) points -= points > 0 ? 1 : -1;
    return std::clamp(points, -kMaxPoints, kMaxPoints);
  }

  static int verdict_score(const Verdict& known, int ply) {
    return known.kind() == Verdict::Kind::win    ? kWinScore - ply - known.plies()
           : known.kind() == Verdict::Kind::loss ? ply + known.plies() - kWinScore
                                                 : 0;
  }

  // Evaluates without quiescence, for levels that ignore replies.
  int search_without_replies(const B& board, int ply) {
    variations_.clear(ply);
    if (budget_.count_node()) return 0;
    bool any = false;
    if (!board.is_over()) board.each_move([&](Move) { any = true; });
    return any ? evaluate_leaf(board) : end_score(board, ply);
  }

  // Searches forced captures. Needs no table or move order, because the lines are short.
  int search_quiescence(const B& board, int alpha, int beta, int ply) {
    variations_.clear(ply);
    if (budget_.count_node()) return 0;
    if constexpr (HasEndgameTable<B>)
      if (const auto k = board.table_verdict(options_.endgame_table)) return verdict_score(*k, ply);
    if (ply >= max_ply_ || !board.is_noisy()) return evaluate_leaf(board);
    int best = -kWinScore;
    bool any = false;
    board.each_move([&](Move m) {
      if (any && (best >= beta || budget_.is_stopped())) return;
      any = true;
      B child = board;
      child.play(m);
      const int score = -search_quiescence(child, -beta, -std::max(alpha, best), ply + 1);
      if (score <= best || budget_.is_stopped()) return;
      best = score;
      if (best > alpha) variations_.set(ply, m);
    });
    return any ? best : end_score(board, ply);
  }

  // Returns the key of a board, or 0 if its search needs none, and prefetches its table entry.
  std::uint64_t prefetch_key(const B& board, int depth) const {
    if (kHasForcedCaptures && depth <= 0) return 0;
    const std::uint64_t key = key_of(board);
    if (HasHash<B> && depth >= kMinTableDepth) table_.prefetch(key);
    return key;
  }

  // Returns the score of a position if it needs no search; `depth` plies remain.
  std::optional<int> static_score(const B& board, std::uint64_t key, int depth, int ply) {
    if constexpr (requires { board.win_in_one(); })
      if (options_.handicaps.sees_threats || depth > 0)
        if (const auto win = board.win_in_one()) {
          variations_.set(ply, *win);
          return kWinScore - ply - 1;
        }
    if (is_blind(board)) return evaluate_leaf(board);
    repetitions_.set_path_key(key, ply);
    if constexpr (HasEndgameTable<B>)
      if (const auto k = board.table_verdict(options_.endgame_table)) return verdict_score(*k, ply);
    // A repetition scores 0, or somewhat less for the seat that thinks, so no win rests on it. The
    // score gets into the table and can mislead other paths (graph history interaction, Campbell
    // 1985): estimates may err, proofs do not.
    if constexpr (kCanRepeat<B> && HasHash<B>)
      if (!is_verifying_length_ && repetitions_.has_occurred(key, ply))
        return ply % 2 == 0 ? -kRepetition : kRepetition;
    if (ply >= max_ply_) return evaluate_leaf(board);
    if (depth > 0) return std::nullopt;
    if constexpr (requires { board.is_noisy(); })
      if (board.is_noisy()) return std::nullopt;
    return evaluate_leaf(board);
  }

  // Returns the depth reduction, in plies, of a move searched after `before` others.
  int reduction(const B& board, const Choice& choice, int depth, int before) const {
    if (!kHasReductions || is_verifying_length_ || depth < 3 || before < 3 || !choice.is_late())
      return 0;
    // A search to the end of the game proves its score only without reductions. Lower levels were
    // calibrated without them.
    if constexpr (requires { board.plies_left(); })
      if (depth >= board.plies_left() || options_.handicaps.has_any()) return 0;
    return 1 + (before >= 10) + (depth >= 8 && before >= 6);
  }

  // True if the seat to move reaches `beta` even if it passes, so a move of its own will do, too
  // (null move pruning: Beal 1989, Donninger 1993). No proof rests on it: `beta` is an estimate,
  // and no two passes follow each other.
  bool holds_after_pass(const B& board, int depth, int alpha, int beta, int ply) {
    if constexpr (requires(B b) { b.pass(); }) {
      if (std::exchange(has_passed_, false) || depth < 3 || beta - alpha != 1 ||
          std::abs(beta) >= kProvedScore || is_verifying_length_ || options_.handicaps.has_any() ||
          board.is_noisy() || evaluate_leaf(board) < beta)
        return false;
      B child = board;
      child.pass();
      const std::uint64_t key = prefetch_key(child, depth);
      has_passed_ = true;
      const int score = -search_node(child, key, depth - 3 - depth / 6, -beta, 1 - beta, ply + 1);
      has_passed_ = false;
      return score >= beta && !budget_.is_stopped();
    }
    return false;
  }

  // Searches a node. Pre: `key` comes from prefetch_key().
  int search_node(const B& board, std::uint64_t key, int depth, int alpha, int beta, int ply) {
    if (depth <= 0 && !options_.handicaps.considers_replies)
      return search_without_replies(board, ply);
    if constexpr (kHasForcedCaptures)
      if (depth <= 0) return search_quiescence(board, alpha, beta, ply);
    variations_.clear(ply);
    if (budget_.count_node()) return 0;
    if (board.is_over()) return end_score(board, ply);
    // No win from here is sooner than the next ply (mate distance pruning).
    alpha = std::max(alpha, ply - kWinScore);
    beta = std::min(beta, kWinScore - ply - 1);
    if (alpha >= beta) return alpha;
    if (const auto score = static_score(board, key, depth, ply)) return *score;
    depth = std::max(depth, 0);

    TranspositionTable::Entry* entry = nullptr;
    int table_move = -1;
    const std::uint64_t key_in_table = (is_verifying_length_ ? ~key : key) ^ rules_key_;
    if (HasHash<B> && depth >= kMinTableDepth) {
      entry = &table_.entry_for(key);
      if (entry->has_key(key_in_table)) {
        table_move = entry->move_index;
        if (entry->causes_cutoff(depth, ply, alpha, beta)) return entry->score_at(ply);
      }
    }

    if (holds_after_pass(board, depth, alpha, beta, ply)) return beta;
    if (budget_.is_stopped()) return 0;
    const std::size_t base = move_stack_.size();
    int lost_in = 0;
    const int count = generate_moves(board, key, ply, table_move, lost_in);
    if (count == 0) return lost_in > 0 ? ply + lost_in - kWinScore : end_score(board, ply);
    const auto [best, move] = search_moves(board, base, depth, alpha, beta, ply);
    move_stack_.resize(base);
    if (budget_.is_stopped()) return 0;
    if (entry)
      entry->store({key_in_table, static_cast<std::int16_t>(best), static_cast<std::int8_t>(depth),
                    best >= beta   ? TranspositionTable::kAtLeast
                    : best > alpha ? TranspositionTable::kExact
                                   : TranspositionTable::kAtMost,
                    move},
                   ply);
    return best;
  }

  // Returns the score of the move to `child`. All but the `first` get a null window and `less`
  // plies less depth, and a full search only if that fails high.
  int search_child(const B& child, bool first, int less, int depth, int alpha, int beta, int ply) {
    const std::uint64_t key = prefetch_key(child, depth);
    if (!first) {
      int score = -search_node(child, key, depth - less, -alpha - 1, -alpha, ply);
      if (less > 0 && score > alpha && !budget_.is_stopped())
        score = -search_node(child, key, depth, -alpha - 1, -alpha, ply);
      if (score <= alpha || score >= beta || budget_.is_stopped()) return score;
    }
    return -search_node(child, key, depth, -beta, -alpha, ply);
  }

  // Returns the best score of the moves on the stack from `base` on, and the index of that move.
  std::pair<int, std::uint16_t> search_moves(const B& board, std::size_t base, int depth, int alpha,
                                             int beta, int ply) {
    const int count = static_cast<int>(move_stack_.size() - base);
    bool longer = count == 1 && ply < max_ply_ / 2;
    if constexpr (requires { board.has_forced_lines(); })
      longer = longer && board.has_forced_lines();
    const int next = depth - (longer ? 0 : 1);
    std::pair<int, std::uint16_t> best{-kWinScore, std::uint16_t{0}};
    for (int i = 0; i < count; ++i) {
      // In a long move list the order of late moves hardly matters, and sorting takes long.
      if (!kHasReductions || i < 8 || count < 24)
        Ordering::bring_best_first(
            std::span(move_stack_).subspan(base + static_cast<std::size_t>(i)));
      const Choice choice = move_stack_[base + static_cast<std::size_t>(i)];
      B child = board;
      child.play(choice.move);
      const int score = search_child(child, i == 0, i == 0 ? 0 : reduction(board, choice, depth, i),
                                     next, alpha, beta, ply + 1);
      if (budget_.is_stopped()) break;
      if (score <= best.first && i > 0) continue;
      best = {score, choice.index};
      if (score <= alpha) continue;
      alpha = score;
      variations_.set(ply, choice.move);
      if (alpha < beta) continue;
      ordering_.record_cutoff(board, choice.move, depth, ply);
      break;
    }
    return best;
  }

  // Puts the moves on the stack and returns their number. If the board leaves out all moves because
  // they lose, `lost_in` is the number of plies of the best defence.
  int generate_moves(const B& board, std::uint64_t key, int ply, int table_move, int& lost_in) {
    const std::size_t base = move_stack_.size();
    std::uint16_t index = 0;
    const auto give = [&](Move m) {
      move_stack_.push_back(ordering_.rank_move(board, m, index, table_move, ply));
      ++index;
    };
    if constexpr (requires { board.each_sound_move(give); }) {
      if (options_.handicaps.sees_threats) lost_in = board.each_sound_move(give);
      else board.each_move(give);
      if (index > 0) lost_in = 0;
    } else {
      board.each_move(give);
    }
    if (options_.handicaps.seen_percent < 100 && index > 1) {
      std::size_t kept = base;
      for (std::size_t i = base; i < base + index; ++i)
        if (is_seen(board, move_stack_[i].move, move_stack_[i].index, key, options_.handicaps))
          move_stack_[kept++] = move_stack_[i];
      if (kept == base) ++kept;
      move_stack_.resize(kept);
    }
    return static_cast<int>(move_stack_.size() - base);
  }

  SearchBudget& budget_;
  SearchOptions options_;
  std::vector<RootMove> root_moves_;
  TranspositionTable table_;
  Ordering ordering_;
  std::uint64_t rules_key_ = 0;  // a hash of the rules and all else that scores depend on
  std::vector<typename MoveOrder<B>::OrderedMove>
      move_stack_;  // the moves of all positions on the path, one after the other
  Repetitions repetitions_;
  VariationTable<Move> variations_;
  std::uint64_t leaf_count_ = 0;  // evaluations at this depth
  int depth_ = 0;
  int max_ply_ = 0;          // the ply at which every line ends
  bool has_passed_ = false;  // true if the last ply of the path was a pass
  bool is_verifying_length_ =
      false;  // true in verify_length(): no reductions, no repetition scores
  bool has_no_estimates_ =
      false;  // true if every line of the last depth reached the end of the game
};

}  // namespace pbm::engine
