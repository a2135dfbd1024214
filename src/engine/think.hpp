// SPDX-License-Identifier: MIT
// Answers a question about a position of any game: chooses the searches, limits their work by the
// level, and writes their results in the game's notation. Leaves searching to alpha_beta.hpp,
// proof.hpp and uct.hpp, and knowledge of a game to its board.
#pragma once

#include "engine/alpha_beta.hpp"
#include "engine/levels.hpp"
#include "engine/proof.hpp"
#include "engine/uct.hpp"

namespace pbm::engine {

// One search for the answer to a question.
template <GameState S, Board B>
class Mind {
 public:
  using Move = typename B::Move;

  Mind(const S& state, const B& board, const Question& question)
      : state_(state),
        board_(board),
        question_(question),
        skill_(skill_of(board, question)),
        limits_(limits_of(question, skill_)),
        brake_(limits_, question.stop) {
    ignorance_.seed = mixed(question.seed + 0x9E3779B97F4A7C15U);
    ignorance_.seen = skill_.seen;
    ignorance_.noise = skill_.noise * kNoiseOf<B> / 100;
    ignorance_.terms = skill_.terms;
    ignorance_.threats = skill_.threats;
    ignorance_.replies = skill_.replies;
    if constexpr (Estimated<B>)
      board.terms([&](std::string_view name, int points) {
        if (points != 0) terms_.push_back({std::string(name), points});
      });
    if constexpr (Hashed<B> && kCanRepeat<B>)
      for (const Position& before : question.history)
        if (const S* s = before.as<S>())
          with_board(*s, [&](const auto& b) {
            if constexpr (requires { b.hash(); }) history_.push_back(b.hash());
            if constexpr (requires { b.place(); }) {
              stale_.resize(b.kPlaces);
              ++stale_[static_cast<std::size_t>(b.place())];
            }
          });
    constexpr int kPatience = 12, kStep = 4;  // plies
    for (int& n : stale_) n = std::clamp((n - kPatience) / kStep * kStep * 2, 0, kStale);
  }

  Thought think() {
    bool any = false;
    board_.each_move([&](Move) { any = true; });
    if (!any) return only_ply();
    if constexpr (Estimated<B> && kIsForTwo<B>) {
      return by_alpha_beta(100);
    } else {
      if (board_.seats() > 2) return by_playouts();
      if (Estimated<B>) return by_alpha_beta(100);
      // The game has no evaluation: alpha-beta finds near ends exactly, playouts do the rest.
      const Thought near = by_alpha_beta(25);
      if (near.lines.front().verdict.proved() || !brake_.allow(100)) return near;
      return by_playouts();
    }
  }

 private:
  static constexpr std::uint64_t kMostEntries = 1U << 21;
  static constexpr std::size_t kLongestLine = 32;  // plies
  // Nodes that let the search look at every move even on a busy machine: about 0.5 ms.
  static constexpr std::uint64_t kToLookOnce = 512;

  static Skill skill_of(const B& board, const Question& question) {
    if (!question.rung && question.level >= kTopLevel) return kAllThereIs;
    std::uint64_t position = question.seed + question.history.size();
    if constexpr (Hashed<B>) position = question.seed ^ board.hash();
    const Rungs& rungs = [&]() -> const Rungs& {
      if constexpr (requires { board.rungs(); }) return board.rungs();
      else return kUsualRungs;
    }();
    const int rung = question.rung
                         ? std::clamp(*question.rung, 0, kTopRung)
                         : rungs[static_cast<std::size_t>(std::max(question.level, 1) - 1)];
    const Skill& lowest = [&]() -> const Skill& {
      if constexpr (requires { board.lowest(); }) return board.lowest();
      else return kLadder[0];
    }();
    return skill_at(rung, mixed(position), lowest);
  }

  static Limits limits_of(const Question& question, const Skill& skill) {
    Limits out = question.limits;
    if (out.depth == 0 || (skill.depth > 0 && skill.depth < out.depth)) out.depth = skill.depth;
    if (out.nodes == 0 && out.time.count() == 0 && question.limits.depth == 0) {
      out.nodes = skill.nodes;
      if (skill.nodes == 0) out.time = kTimeAtTop;
    }
    return out;
  }

  // Returns a verdict on a ply that the State has but the board does not count as a move.
  Thought only_ply() const {
    Thought out;
    out.nodes = 1;
    out.terms = terms_;
    state_.each_move([&](typename S::Move m) {
      Line line;
      line.ply = state_.text(m);
      line.variation = {line.ply};
      const Seat winner = board_.winner();
      line.verdict = Verdict::of_last_ply(winner == kNobody ? std::nullopt : std::optional(winner),
                                          board_.to_move());
      out.lines.push_back(std::move(line));
    });
    return out;
  }

  Thought by_alpha_beta(int percent) {
    brake_.allow(percent, kToLookOnce);
    typename AlphaBeta<B>::Setup setup;
    setup.ignorance = ignorance_;
    setup.depth = limits_.depth;
    setup.history = history_;
    setup.known = question_.table;
    if (!ignorance_.any()) setup.stale = stale_;
    setup.shuns = board_.to_move();
    if (!ignorance_.any() && limits_.nodes == 0 && limits_.depth == 0)
      setup.memory = question_.memory;
    const std::uint64_t work = limits_.nodes > 0          ? limits_.nodes
                               : limits_.time.count() > 0 ? kMostEntries
                               : limits_.depth > 0
                                   ? std::uint64_t{1} << std::min(2 * limits_.depth + 6, 40)
                                   : kMostEntries;
    setup.table_entries = std::bit_ceil(std::clamp<std::uint64_t>(work, 1U << 10, kMostEntries));
    AlphaBeta<B> search(brake_, setup);
    const auto told = [&](int depth) {
      if (question_.progress && depth > 4) question_.progress(thought_of(search));
    };
    if constexpr (requires { board_.forces(); })
      if (board_.forces() && percent == 100 && !ignorance_.any() && limits_.depth == 0)
        return proved(search, told);
    search.search(board_, question_.lines, told);
    examine_first(search);
    return thought_of(search);
  }

  // Searches the best move, slightly over the limit, if the search did not reach it.
  void examine_first(AlphaBeta<B>& search) {
    constexpr int kALittleMore = 106;
    if (search.moves().front().depth > 0 || !brake_.allow(kALittleMore)) return;
    search.examine_first(board_);
  }

  // Shares of the work in per cent: proving a win, then a loss. After the search the rest goes into
  // proofs that its best moves lose.
  static constexpr int kToWin = 4, kToLose = 8, kToSearch = 92;

  // Adds proof search before and after alpha-beta, which is too slow for long forced wins.
  template <class F>
  Thought proved(AlphaBeta<B>& search, F told) {
    std::optional<Line> sure = solved();
    if (sure && question_.lines <= 1) return {{*sure}, 0, 1, terms_};
    constexpr std::size_t kEntries = 1U << 20;
    ProofSearch<B> proofs(brake_, kEntries, history_);
    const Seat me = board_.to_move(), you = 1 - me;
    std::optional<Verdict> lost;
    brake_.allow(kToWin);
    if (const auto won = sure ? std::nullopt : proofs.wins(board_, me)) {
      if (const auto move = proofs.winning_move(board_)) sure = line_of(*move, *won);
    } else if (!sure) {
      brake_.allow(kToLose);
      lost = proofs.wins(board_, you);
    }
    brake_.allow(sure || lost ? 100 : kToSearch, kToLookOnce);
    search.search(board_, question_.lines, told);
    if (!sure && !lost && brake_.allow(100)) refute(search, proofs);
    examine_first(search);
    Thought out = thought_of(search);
    if (lost) {
      for (Line& line : out.lines)
        if (!line.verdict.proved()) line.verdict = *lost;
    } else if (sure && (!out.lines.front().verdict.proved() ||
                        out.lines.front().verdict.share() < sure->verdict.share())) {
      std::erase_if(out.lines, [&](const Line& other) { return other.ply == sure->ply; });
      out.lines.insert(out.lines.begin(), std::move(*sure));
      out.lines.resize(std::min(out.lines.size(), std::max<std::size_t>(question_.lines, 1)));
    }
    out.nodes = brake_.nodes();
    return out;
  }

  // Returns the game's own solution of the opening, if it has one.
  std::optional<Line> solved() const {
    if constexpr (requires { state_.solved(board_); })
      if (const auto known = state_.solved(board_)) return line_of(known->move, known->verdict);
    return std::nullopt;
  }

  // Puts the best moves behind the others if proof search shows that they lose.
  void refute(AlphaBeta<B>& search, ProofSearch<B>& proofs) {
    const std::size_t all = search.moves().size(),
                      wanted = std::clamp<std::size_t>(question_.lines, 1, all);
    std::size_t sound = 0;
    for (std::size_t tried = 0; tried < all && sound < wanted && !brake_.stopped(); ++tried) {
      const auto& r = search.moves()[sound];
      B after = board_;
      after.play(r.move);
      if (!r.lost && !search.verdict(board_, r).proved())
        if (const auto refuted = proofs.wins(after, 1 - board_.to_move()))
          search.lose(sound, *refuted);
      if (r.lost || search.verdict(board_, r).kind() == Verdict::Kind::loss) search.put_last(sound);
      else ++sound;
    }
  }

  Thought thought_of(const AlphaBeta<B>& search) const {
    Thought out;
    out.depth = search.depth();
    out.nodes = brake_.nodes();
    out.terms = terms_;
    const auto& moves = search.moves();
    const std::size_t wanted = std::clamp<std::size_t>(question_.lines, 1, moves.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      const auto& r = moves[i];
      const auto known = known_after(r.move);
      // Omits moves that were not searched.
      if (i > 0 && r.depth == 0 && !r.lost && !known) continue;
      std::vector<Move> expected = r.line;
      if (expected.empty()) expected.push_back(r.move);
      if constexpr (Tabled<B>) play_on(expected);
      Line line = line_of(expected);
      line.verdict = known ? *known : search.verdict(board_, r);
      out.lines.push_back(std::move(line));
    }
    // An interrupted search has not sorted all moves.
    std::stable_partition(out.lines.begin() + 1, out.lines.end(), [](const Line& line) {
      return line.verdict.kind() != Verdict::Kind::loss;
    });
    return out;
  }

  // Returns the endgame table's verdict on a move.
  std::optional<Verdict> known_after(Move move) const {
    if constexpr (Tabled<B>) {
      B next = board_;
      next.play(move);
      if (ignorance_.any() || next.over()) return std::nullopt;
      const std::optional<Verdict> verdict = next.known(question_.table);
      if (!verdict || verdict->kind() == Verdict::Kind::endless) return verdict;
      const Seat me = board_.to_move();
      if (verdict->plies() == 0)
        return Verdict::of_last_ply(verdict->kind() == Verdict::Kind::loss ? me : 1 - me, me);
      return verdict->turned().ply_before();
    }
    return std::nullopt;
  }

  // Extends a line to the end of the game if the endgame table knows how to win.
  void play_on(std::vector<Move>& line) const {
    B board = board_;
    for (const Move move : line) board.play(move);
    while (line.size() < kLongestLine) {
      const auto known = board.known(question_.table);
      if (!known || known->kind() == Verdict::Kind::endless || known->plies() == 0) return;
      std::optional<Move> best;
      board.each_move([&](Move m) {
        B next = board;
        next.play(m);
        const auto after = next.known(question_.table);
        if (after && after->kind() != Verdict::Kind::endless &&
            after->plies() == known->plies() - 1)
          best = m;
      });
      if (!best) return;
      line.push_back(*best);
      board.play(*best);
    }
  }

  Thought by_playouts() {
    // Playouts have no depth, so each ply of it allows a number of nodes.
    constexpr std::uint64_t kPerPly = 5000;
    if (limits_.nodes == 0 && limits_.time.count() == 0)
      brake_ =
          Brake({.nodes = kPerPly * static_cast<std::uint64_t>(limits_.depth)}, question_.stop);
    Uct<B> search(brake_, ignorance_, skill_.nodes == 0);
    const auto told = [&] {
      if (question_.progress) question_.progress(thought_of(search));
    };
    // A level that sees threats plays no move that loses at once.
    search.search(board_, told, [&](Move m) { return skill_.threats && loses_at_once(board_, m); });
    return thought_of(search);
  }

  Thought thought_of(const Uct<B>& search) const {
    Thought out;
    out.depth = search.depth();
    out.nodes = brake_.nodes();
    out.terms = terms_;
    const auto moves = search.moves();
    const std::size_t wanted = std::clamp<std::size_t>(question_.lines, 1, moves.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      // Omits moves that were not tried.
      if (i > 0 && moves[i].visits == 0 && moves[i].proved == Uct<B>::kOpen) continue;
      Line line = line_of(moves[i].line);
      line.verdict = search.verdict(moves[i]);
      if (board_.seats() > 2) line.shares = search.shares(moves[i]);
      out.lines.push_back(std::move(line));
    }
    return out;
  }

  // Converts a line to the game's plies.
  Line line_of(const std::vector<Move>& moves) const {
    Line out;
    S state = state_;
    B board = board_;
    for (const Move move : moves) {
      if (state.over()) break;
      const typename S::Move m = meant(state, board, move);
      out.variation.push_back(state.text(m));
      state.play(m);
      board.play(move);
    }
    out.ply = out.variation.front();
    return out;
  }

  Line line_of(Move move, const Verdict& verdict) const {
    Line out = line_of({move});
    out.verdict = verdict;
    return out;
  }

  const S& state_;
  const B& board_;
  const Question& question_;
  const Skill skill_;
  Limits limits_;
  Brake brake_;
  Ignorance ignorance_;
  std::vector<Term> terms_;
  std::vector<std::uint64_t> history_;  // keys of earlier positions
  std::vector<int> stale_;              // by place: AlphaBeta::Setup::stale
};

// Pre: `position` holds an S.
template <GameState S>
Thought think(const Position& position, const Question& question) {
  const S* state = position.as<S>();
  check(state != nullptr, "a game was asked about a position of another");
  if (state->over()) return {};
  return with_board(*state, [&](const auto& board) {
    return Mind<S, std::remove_cvref_t<decltype(board)>>(*state, board, question).think();
  });
}

}  // namespace pbm::engine
