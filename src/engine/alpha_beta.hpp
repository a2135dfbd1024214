// SPDX-License-Identifier: MIT
// Search for two seats: alpha-beta (Knuth and Moore 1975) by iterative deepening
// (Slate and Atkin 1977) with a null window behind the first move (Marsland and
// Campbell 1982), a transposition table (Greenblatt 1967), killers (Huberman
// 1968) and history (Schaeffer 1983) to order moves, longer lines where a side
// has one move only or the game calls a position noisy, and shorter ones for
// late moves where a game allows it (Romstad 2006). Leaves levels and words to think.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/zeroed_memory.hpp"
#include "engine/board.hpp"
#include "engine/proved.hpp"

namespace pbm::engine {

// Scores are points for the seat to move. What is proved is counted from the
// top: kWin less the plies until then.
inline constexpr int kWin = 30000;
inline constexpr int kProved = kWin - 2000;  // from here on a win is proved
inline constexpr int kMostPoints = 20000;    // of an estimate
inline constexpr int kStale = 64;

template <Board B>
class AlphaBeta {
 public:
  using Move = typename B::Move;

  struct Setup {
    Ignorance ignorance{};
    int depth = 0;                  // at most; 0 for no limit
    std::size_t table_entries = 0;  // a power of two
    ZeroedBytes* memory = nullptr;  // where the table is kept for the next search, or null
    std::span<const std::uint64_t> history{};  // keys of positions that stood before
    std::span<const std::uint8_t> known{};     // what the game's own table says
    std::span<const int> stale{};  // by Board::place(): so many of kStale parts is play there worth
                                   // less than is estimated,
    Seat shuns = kNobody;          // and who would rather have it elsewhere
  };
  struct RootMove {
    Move move{};
    int score = 0;      // what it is worth, found with `depth`
    int depth = 0;      // 0: only that it is worth less than another is known
    bool lost = false;  // proved, whatever the score says; in how many plies is not known
    int no_sooner = 0;  // plies after which the game ends by the score, and it can not end sooner
    std::vector<Move> line{};
  };

  AlphaBeta(Brake& brake, const Setup& setup) : brake_(brake), setup_(setup) {
    if constexpr (Hashed<B>) {
      size_ = std::max<std::size_t>(setup.table_entries, 1024);
      ZeroedBytes& bytes = setup.memory ? *setup.memory : own_;
      if (bytes.get() == nullptr) bytes = ZeroedBytes(size_ * sizeof(Entry));
      table_ = static_cast<Entry*>(bytes.get());
      if constexpr (kCanRepeat<B>) {
        history_.assign(setup.history.begin(), setup.history.end());
        std::ranges::sort(history_);
        for (const std::uint64_t key : history_) stood_[key % stood_.size()] = true;
      }
    }
    stack_.reserve(4096);
  }

  // The moves of `root`, those found best first; `wanted` of them with a score
  // of their own. told(depth) after each depth. Pre: there is a move.
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

  // Gives the first move a score of its own, as far as the brake allows, where it has none: it
  // took the place of one that loses.
  void examine_first(const B& root) {
    for (int depth = 1; moves_[0].depth < depth && depth <= std::max(depth_, 1); ++depth) {
      B child = root;
      child.play(moves_[0].move);
      limit_ = std::min(kMaxPly - 2, 2 * depth + 12);
      const int score =
          repeated_at_root(child).value_or(-node(child, key_of(child), depth - 1, -kWin, kWin, 1));
      if (brake_.stopped()) return;
      note(moves_[0], score, depth);
    }
  }

  // Something else has proved what comes after the move, a win of the other side.
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
  // What a move of `root` comes to for who plays it, in words that say no more than is proved.
  Verdict verdict(const B& root, const RootMove& r) const {
    if (r.lost && !is_proved(root, r)) return Proved::loss(0);
    if (!is_proved(root, r)) return Verdict::estimate(share_of(r.score));
    if (r.score == 0) return kCanRepeat<B> && Hashed<B> ? Proved::endless() : Proved::tie();
    const int in = kWin - std::abs(r.score), plies = r.no_sooner == in ? in : 0;
    return r.score > 0 ? Proved::win(plies) : Proved::loss(plies);
  }

 private:
  // Whether no deeper search would find another score for a move of `root`.
  bool is_proved(const B& root, const RootMove& r) const {
    if (r.depth == 0 || setup_.ignorance.any()) return false;
    if (std::abs(r.score) > kProved) return true;
    if constexpr (requires { root.plies_left(); }) return r.depth >= root.plies_left();
    return no_estimates_ && r.depth == depth_;
  }

  static int share_of(int score) {
    const double points = std::clamp(score, -kMostPoints, kMostPoints);
    const double share = 100.0 / (1.0 + std::exp(-1.0986 * points / kScaleOf<B>));
    return std::clamp(static_cast<int>(std::lround(share)), 1, 99);
  }

  static constexpr int kMaxPly = 128;
  static constexpr bool kReducing = [] {
    if constexpr (requires { B::kReduces; }) return B::kReduces;
    else return false;
  }();
  static constexpr bool kTaking = [] {
    if constexpr (requires { B::kMustTake; }) return B::kMustTake;
    else return false;
  }();
  static constexpr int kLeastInTable = kTaking ? 2 : 0;  // the depth; what is less is soon told
  enum Bound : std::uint8_t { kNone, kAtLeast, kAtMost, kExact };
  struct Entry {        // all zero: nothing is known
    std::uint64_t key;  // of the board and its rules
    std::int16_t score;
    std::int8_t depth;
    Bound bound;
    std::uint16_t move;  // which of each_move()'s
  };
  struct Choice {
    Move move;
    std::uint16_t index;
    std::int32_t order;
  };

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
    // Who sees what the other side would win by looks until there is something against it.
    if (moves_.empty() || (!unseen.empty() && setup_.ignorance.threats &&
                           std::ranges::all_of(moves_, [&](const RootMove& r) {
                             return loses_at_once(root, r.move);
                           })))
      moves_.insert(moves_.end(), unseen.begin(), unseen.end());
    // Equal moves are tried in an order of this game's own.
    Dice dice(setup_.ignorance.seed ^ key);
    for (std::size_t i = moves_.size(); i > 1; --i)
      std::swap(moves_[i - 1], moves_[dice.below(static_cast<std::uint32_t>(i))]);
    if constexpr (requires { root.promise(moves_[0].move); })
      std::ranges::stable_sort(moves_, [&](const RootMove& a, const RootMove& b) {
        return root.promise(a.move) > root.promise(b.move);
      });
  }

  // Of a position that is nobody's by the table: what keeps it so is played as if nothing were
  // known, for whoever cannot be beaten may still go wrong.
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

  // One depth; false when it was broken off. What is found until then is kept.
  bool deepen(const B& root, int depth, std::size_t wanted) {
    path_[0] = key_of(root);
    for (std::size_t first = 0; first < wanted; ++first) {
      int best = -kWin;
      for (std::size_t i = first; i < moves_.size(); ++i) {
        RootMove& r = moves_[i];
        B child = root;
        child.play(r.move);
        int score = 0;
        if (const auto fixed = repeated_at_root(child)) score = *fixed;
        else if (i == first) score = -node(child, key_of(child), depth - 1, -kWin, kWin, 1);
        else {
          score = -node(child, key_of(child), depth - 1, -best - 1, -best, 1);
          if (score > best && !brake_.stopped())
            score = -node(child, key_of(child), depth - 1, -kWin, -best, 1);
        }
        if (brake_.stopped()) {
          // All that was tried loses: then rather what was not, and is not known to.
          const auto from = moves_.begin() + static_cast<std::ptrdiff_t>(i);
          const auto other =
              std::find_if(from, moves_.end(), [](const RootMove& m) { return !m.lost; });
          if (i > first && best <= -kProved && other != moves_.end())
            std::rotate(moves_.begin() + static_cast<std::ptrdiff_t>(first), other, other + 1);
          return false;
        }
        if (i > first && score <= best) {
          // It is worth that at most.
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

  // Keeps what a move is worth, with the line that was just found.
  void note(RootMove& r, int score, int depth) {
    r.score = score;
    r.depth = depth;
    // What wins at once wins no sooner, and where nothing is left out there is nothing to look for.
    const int plies = kWin - std::abs(score);
    if (plies == 1 || (!kReducing && !kCanRepeat<B> && plies <= depth)) r.no_sooner = plies;
    r.line.assign(1, r.move);
    r.line.insert(r.line.end(), lines_[1].begin(), lines_[1].begin() + lengths_[1]);
  }

  // Finds out whether a game that is decided may end sooner than by the score. That is not known
  // where its end lies deeper than was searched everywhere, where moves were searched less deep,
  // and where positions were not gone into because they stood before. Once more, then, with nothing
  // left out.
  void count_plies(const B& root, RootMove& r) {
    const int plies = kWin - std::abs(r.score);
    if (std::abs(r.score) <= kProved || plies > r.depth || r.no_sooner == plies) return;
    B child = root;
    child.play(r.move);
    counts_plies_ = true;
    const int alpha = r.score > 0 ? r.score : r.score - 1;
    const int score = -node(child, key_of(child), plies - 2, -alpha - 1, -alpha, 1);
    counts_plies_ = false;
    const bool sooner = r.score > 0 ? score > alpha : score <= alpha;
    if (!brake_.stopped() && !sooner) r.no_sooner = plies;
  }

  // What has stood twice is not played a third time while anything else is not
  // lost: nobody is kept shuffling for ever.
  std::optional<int> repeated_at_root(const B& child) const {
    if constexpr (kCanRepeat<B> && Hashed<B>) {
      const auto [from, to] = std::equal_range(history_.begin(), history_.end(), child.hash());
      if (to - from >= 2) return -kProved + 1;
    }
    return std::nullopt;
  }

  bool is_settled(const B& root, int depth, std::size_t wanted) {
    if constexpr (Tabled<B>)
      if (root.known(setup_.known)) return true;
    no_estimates_ = !Hashed<B> && leaves_ == 0;
    for (std::size_t i = 0; i < wanted; ++i) {
      // A win or loss may come sooner than was seen, as long as that lies deeper.
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
        constexpr int kShunned = kScaleOf<B> * 2 / 5;  // points, at most
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

  static int to_table(int score, int ply) {
    return score >= kProved ? score + ply : score <= -kProved ? score - ply : score;
  }
  static int from_table(int score, int ply) {
    return score >= kProved ? score - ply : score <= -kProved ? score + ply : score;
  }

  bool has_stood(std::uint64_t key, int ply) const {
    for (int i = ply - 2; i >= 0; i -= 2)
      if (path_[static_cast<std::size_t>(i)] == key) return true;
    return stood_[key % stood_.size()] && std::binary_search(history_.begin(), history_.end(), key);
  }

  // For who does not think of what comes next.
  int as_it_stands(const B& board, int ply) {
    lengths_[static_cast<std::size_t>(ply)] = 0;
    if (brake_.tick()) return 0;
    bool any = false;
    if (!board.over()) board.each_move([&](Move) { any = true; });
    return any ? leaf(board) : ended(board, ply);
  }

  // Where something must be taken, until that is done: without table or order, as it is soon told.
  int quiet(const B& board, int alpha, int beta, int ply) {
    lengths_[static_cast<std::size_t>(ply)] = 0;
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
      if (best > alpha) set_line(ply, m);
    });
    return any ? best : ended(board, ply);
  }

  // The key of a board of which its place in the table will be wanted soon, if that is so.
  std::uint64_t announce(const B& board, int depth) const {
    if (kTaking && depth <= 0) return 0;
    const std::uint64_t key = key_of(board);
    if (Hashed<B> && depth >= kLeastInTable) __builtin_prefetch(&table_[key & (size_ - 1)]);
    return key;
  }

  // What a position is worth where that is seen without a search; `depth` plies are left.
  std::optional<int> at_once(const B& board, std::uint64_t key, int depth, int ply) {
    if constexpr (requires { board.win_in_one(); })
      if (setup_.ignorance.threats || depth > 0)
        if (const auto win = board.win_in_one()) {
          set_line(ply, *win);
          return kWin - ply - 1;
        }
    if constexpr (requires { board.blind(); })
      if (board.blind()) return leaf(board);
    path_[static_cast<std::size_t>(ply)] = key;
    if constexpr (Tabled<B>)
      if (const auto k = board.known(setup_.known)) return score_of(*k, ply);
    if constexpr (kCanRepeat<B> && Hashed<B>)
      if (!counts_plies_ && has_stood(key, ply)) return 0;
    if (ply >= limit_) return leaf(board);
    if (depth > 0) return std::nullopt;
    if constexpr (requires { board.noisy(); })
      if (board.noisy()) return std::nullopt;
    return leaf(board);
  }

  // Whether what the table has is as good as a search, and not on the main line, where the rest of
  // the line is wanted as well.
  static bool settles(const Entry& entry, int score, int depth, int alpha, int beta) {
    if (entry.depth < depth) return false;
    if (entry.bound == kExact) return beta - alpha == 1 || std::abs(score) >= kProved;
    return entry.bound == kAtLeast ? score >= beta : score <= alpha;
  }

  // By how many plies less deep the move that is tried after `before` others is searched at first.
  int reduction(const Choice& choice, int depth, int before) const {
    if (!kReducing || counts_plies_ || depth < 3 || before < 3 || choice.order >= kLate) return 0;
    return 1 + (before >= 10) + (depth >= 8 && before >= 6);
  }

  // Pre: `key` is what announce() says of them.
  int node(const B& board, std::uint64_t key, int depth, int alpha, int beta, int ply) {
    if (depth <= 0 && !setup_.ignorance.replies) return as_it_stands(board, ply);
    if constexpr (kTaking)
      if (depth <= 0) return quiet(board, alpha, beta, ply);
    lengths_[static_cast<std::size_t>(ply)] = 0;
    if (brake_.tick()) return 0;
    if (board.over()) return ended(board, ply);
    // No win from here on is sooner than the next ply.
    alpha = std::max(alpha, ply - kWin);
    beta = std::min(beta, kWin - ply - 1);
    if (alpha >= beta) return alpha;
    if (const auto score = at_once(board, key, depth, ply)) return *score;
    depth = std::max(depth, 0);

    Entry* entry = nullptr;
    int table_move = -1;
    const std::uint64_t key_in_table = (counts_plies_ ? ~key : key) ^ rules_;
    if (Hashed<B> && depth >= kLeastInTable) {
      entry = &table_[key & (size_ - 1)];
      if (entry->key == key_in_table && entry->bound != kNone) {
        table_move = entry->move;
        const int score = from_table(entry->score, ply);
        if (settles(*entry, score, depth, alpha, beta)) return score;
      }
    }

    const std::size_t base = stack_.size();
    int lost_in = 0;
    const int count = generate(board, key, ply, table_move, lost_in);
    if (count == 0) return lost_in > 0 ? ply + lost_in - kWin : ended(board, ply);
    const auto [best, move] = best_of(board, base, depth, alpha, beta, ply);
    stack_.resize(base);
    if (brake_.stopped()) return 0;
    if (entry && (entry->key != key_in_table || depth >= entry->depth || best >= kProved)) {
      entry->key = key_in_table;
      entry->score = static_cast<std::int16_t>(to_table(best, ply));
      entry->depth = static_cast<std::int8_t>(depth);
      entry->move = move;
      entry->bound = best >= beta ? kAtLeast : best > alpha ? kExact : kAtMost;
    }
    return best;
  }

  // The score of the best of the moves that are on the stack from `base` on, and which it is.
  std::pair<int, std::uint16_t> best_of(const B& board, std::size_t base, int depth, int alpha,
                                        int beta, int ply) {
    const int count = static_cast<int>(stack_.size() - base);
    const int longer = !kTaking && count == 1 && ply < limit_ / 2 ? 1 : 0,
              next = depth - 1 + longer;
    std::pair<int, std::uint16_t> best{-kWin, std::uint16_t{0}};
    for (int i = 0; i < count; ++i) {
      // Of many the order of those behind the first hardly counts, and to find it takes long.
      if (!kReducing || i < 8 || count < 24)
        pick(base + static_cast<std::size_t>(i), base + static_cast<std::size_t>(count));
      const Choice choice = stack_[base + static_cast<std::size_t>(i)];
      B child = board;
      child.play(choice.move);
      const std::uint64_t key = announce(child, next);
      int score = 0;
      if (i == 0) {
        score = -node(child, key, next, -beta, -alpha, ply + 1);
      } else {
        const int less = reduction(choice, depth, i);
        score = -node(child, key, next - less, -alpha - 1, -alpha, ply + 1);
        if (less > 0 && score > alpha && !brake_.stopped())
          score = -node(child, key, next, -alpha - 1, -alpha, ply + 1);
        if (score > alpha && score < beta && !brake_.stopped())
          score = -node(child, key, next, -beta, -alpha, ply + 1);
      }
      if (brake_.stopped()) break;
      if (score <= best.first && i > 0) continue;
      best = {score, choice.index};
      if (score <= alpha) continue;
      alpha = score;
      set_line(ply, choice.move);
      if (alpha < beta) continue;
      remember(board, choice.move, depth, ply);
      break;
    }
    return best;
  }

  // Puts the moves on the stack; how many. Of those that are left out, all of
  // which lose, the best does so in `lost_in`.
  int generate(const B& board, std::uint64_t key, int ply, int table_move, int& lost_in) {
    const std::size_t base = stack_.size();
    const auto here = static_cast<std::size_t>(ply);
    std::uint16_t index = 0;
    const auto give = [&](Move m) {
      int order = 0;
      if (index == table_move) order = kFirst;
      else {
        if constexpr (requires { board.promise(m); }) order = board.promise(m) * kPromise;
        if (m == killers_[here][0]) order += kKiller;
        else if (m == killers_[here][1]) order += kKiller / 2;
        if constexpr (requires { board.slot(m); })
          order += counted_[static_cast<std::size_t>(board.slot(m))];
      }
      stack_.push_back({m, index++, order});
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

  void pick(std::size_t at, std::size_t end) {
    std::size_t best = at;
    for (std::size_t i = at + 1; i < end; ++i)
      if (stack_[i].order > stack_[best].order) best = i;
    if (best != at) std::swap(stack_[at], stack_[best]);
  }

  void set_line(int ply, Move move) {
    const auto here = static_cast<std::size_t>(ply);
    lines_[here][0] = move;
    int length = 1;
    if (here + 1 < lines_.size()) {
      length += std::min(lengths_[here + 1], kMaxLine - 1);
      std::copy_n(lines_[here + 1].begin(), length - 1, lines_[here].begin() + 1);
    }
    lengths_[here] = length;
  }

  void remember(const B& board, Move move, int depth, int ply) {
    auto& killers = killers_[static_cast<std::size_t>(ply)];
    if (!(killers[0] == move)) {
      killers[1] = killers[0];
      killers[0] = move;
    }
    if constexpr (requires { board.slot(move); }) {
      auto& n = counted_[static_cast<std::size_t>(board.slot(move))];
      n += depth * depth;
      if (n > kKiller / 4)
        for (auto& each : counted_) each /= 2;
    }
  }

  static constexpr std::int32_t kFirst = 1 << 30, kPromise = 1 << 18, kKiller = 1 << 17,
                                kLate = kKiller / 2;
  static constexpr int kMaxLine = 32;
  static constexpr std::size_t kSlotsOf = [] {
    if constexpr (requires { B::kSlots; }) return static_cast<std::size_t>(B::kSlots);
    else return std::size_t{1};
  }();

  Brake& brake_;
  Setup setup_;
  std::vector<RootMove> moves_;
  ZeroedBytes own_;
  Entry* table_ = nullptr;
  std::size_t size_ = 0;
  std::uint64_t rules_ = 0;    // and all else by which scores differ
  std::vector<Choice> stack_;  // the moves of all positions on the way, one after the other
  std::vector<std::uint64_t> history_;         // sorted
  std::array<bool, 1024> stood_{};             // by key: false for what is not in history_
  std::array<std::uint64_t, kMaxPly> path_{};  // keys of the positions on the way
  std::array<std::array<Move, 2>, kMaxPly> killers_{};
  std::array<std::int32_t, kSlotsOf> counted_{};
  std::array<std::array<Move, kMaxLine>, kMaxPly> lines_{};  // the best line from each ply on
  std::array<int, kMaxPly> lengths_{};
  std::uint64_t leaves_ = 0;  // estimates in this depth
  int depth_ = 0, limit_ = 0;
  bool counts_plies_ = false;  // in count_plies(): nothing is left out
  bool no_estimates_ = false;  // the last depth reached the end of the game everywhere
};

}  // namespace pbm::engine
