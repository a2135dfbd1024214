// SPDX-License-Identifier: MIT
// Answers a question about a position of any game: chooses the searches, limits their work by the
// level, and writes their results in the game's notation. Leaves searching to alpha_beta.hpp,
// proof_search.hpp and uct.hpp, and knowledge of a game to its board.
#pragma once

#include "engine/alpha_beta.hpp"
#include "engine/levels.hpp"
#include "engine/outcome_search.hpp"
#include "engine/proof_search.hpp"
#include "engine/uct.hpp"

namespace pbm::engine {

// One search for the answer to a question.
template <GameState S, Board B>
class Searcher {
 public:
  using Move = typename B::Move;

  Searcher(const S& state, const B& board, const SearchRequest& question)
      : state_(state),
        board_(board),
        request_(question),
        skill_(choose_skill(board, question)),
        limits_(choose_limits(question, skill_)),
        budget_(limits_, question.stop_token) {
    handicaps_.seed = mix_bits(question.seed + 0x9E3779B97F4A7C15U);
    handicaps_.seen_percent = skill_.seen_percent;
    handicaps_.noise = skill_.noise_percent * kMaxNoiseOf<B> / 100;
    handicaps_.known_terms = skill_.known_terms;
    handicaps_.sees_threats = skill_.sees_threats;
    handicaps_.considers_replies = skill_.considers_replies;
    if constexpr (HasEvaluation<B>)
      board.evaluation_terms([&](std::string_view name, int points) {
        if (points != 0) terms_.push_back({std::string(name), points});
      });
    if constexpr (HasHash<B> && kCanRepeat<B>)
      for (const Position& before : question.history)
        if (const S* s = before.state_as<S>())
          with_board(*s, [&](const auto& b) {
            if constexpr (requires { b.hash(); }) history_.push_back(b.hash());
          });
  }

  SearchResult think() {
    bool any = false;
    board_.each_move([&](Move) { any = true; });
    if (!any) return answer_uncounted_ply();
    if constexpr (HasEvaluation<B> && kIsForTwo<B>) {
      return search_alpha_beta(100);
    } else {
      if (board_.seats() > 2) return search_playouts();
      if (HasEvaluation<B>) return search_alpha_beta(100);
      // The game has no evaluation: alpha-beta finds near ends exactly, playouts do the rest.
      const SearchResult near = search_alpha_beta(25);
      if (near.lines.front().verdict.is_proved() || !budget_.allow_percent(100)) return near;
      return search_playouts();
    }
  }

 private:
  static constexpr std::uint64_t kMaxEntries = 1U << 21;
  static constexpr std::size_t kMaxLinePlies = 32;  // plies
  // Nodes that let the search look at every move even on a busy machine: about 0.5 ms.
  static constexpr std::uint64_t kMinNodes = 512;

  static Skill choose_skill(const B& board, const SearchRequest& question) {
    if (!question.rung && question.level >= kMaxLevel) return kTopSkill;
    std::uint64_t position = question.seed + question.history.size();
    if constexpr (HasHash<B>) position = question.seed ^ board.hash();
    const LevelRungs& rungs = [&]() -> const LevelRungs& {
      if constexpr (requires { board.level_rungs(); }) return board.level_rungs();
      else return kDefaultRungs;
    }();
    const int rung = question.rung
                         ? std::clamp(*question.rung, 0, kMaxRung)
                         : rungs[static_cast<std::size_t>(std::max(question.level, 1) - 1)];
    const Skill& lowest = [&]() -> const Skill& {
      if constexpr (requires { board.lowest_skill(); }) return board.lowest_skill();
      else return kSkillLadder[0];
    }();
    return skill_at_rung(rung, mix_bits(position), lowest);
  }

  static SearchLimits choose_limits(const SearchRequest& question, const Skill& skill) {
    SearchLimits out = question.limits;
    if (out.depth == 0 || (skill.depth > 0 && skill.depth < out.depth)) out.depth = skill.depth;
    if (out.nodes == 0 && out.time.count() == 0 && question.limits.depth == 0) {
      out.nodes = skill.nodes;
      if (skill.nodes == 0) out.time = kTopLevelTime;
    }
    return out;
  }

  // Returns a verdict on a ply that the State has but the board does not count as a move.
  SearchResult answer_uncounted_ply() const {
    SearchResult out;
    out.nodes = 1;
    out.terms = terms_;
    state_.each_move([&](typename S::Move m) {
      AnalysisLine line;
      line.ply = state_.text(m);
      line.variation = {line.ply};
      const Seat winner = board_.winner();
      line.verdict = Verdict::for_last_ply(winner == kNobody ? std::nullopt : std::optional(winner),
                                           board_.to_move());
      out.lines.push_back(std::move(line));
    });
    return out;
  }

  SearchResult search_alpha_beta(int percent) {
    budget_.allow_percent(percent, kMinNodes);
    typename AlphaBeta<B>::SearchOptions setup;
    setup.handicaps = handicaps_;
    setup.depth = limits_.depth;
    setup.history = history_;
    setup.endgame_table = request_.endgame_table;
    if (!handicaps_.has_any() && limits_.nodes == 0 && limits_.depth == 0)
      setup.table_memory = request_.table_memory;
    const std::uint64_t work = limits_.nodes > 0          ? limits_.nodes
                               : limits_.time.count() > 0 ? kMaxEntries
                               : limits_.depth > 0
                                   ? std::uint64_t{1} << std::min(2 * limits_.depth + 6, 40)
                                   : kMaxEntries;
    setup.table_entries = std::bit_ceil(
        static_cast<std::size_t>(std::clamp<std::uint64_t>(work, 1U << 10, kMaxEntries)));
    AlphaBeta<B> search(budget_, setup);
    const auto told = [&](int depth) {
      if (request_.on_progress && depth > 4) request_.on_progress(make_result(search));
    };
    if constexpr (requires { board_.has_forced_lines(); })
      if (board_.has_forced_lines() && percent == 100 && !handicaps_.has_any() &&
          limits_.depth == 0)
        return search_with_proofs(search, told);
    search.search(board_, request_.line_count, told);
    search_first_move(search);
    return make_result(search);
  }

  // If the search has not finished the first move, searches it, slightly over the limit.
  void search_first_move(AlphaBeta<B>& search) {
    constexpr int kALittleMore = 106;
    if (search.moves().front().depth > 0 || !budget_.allow_percent(kALittleMore)) return;
    search.search_first_move(board_);
  }

  // Shares of the work in per cent: proving a win, then a loss, then solving the game. After the
  // search the rest goes into proofs about its best moves.
  static constexpr int kWinProofPercent = 4, kLossProofPercent = 8, kOutcomePercent = 50,
                       kSearchPercent = 92;

  // Adds proofs before and after alpha-beta, which is too slow for long forced wins and for ties.
  template <class F>
  SearchResult search_with_proofs(AlphaBeta<B>& search, F told) {
    constexpr std::size_t kEntries = 1U << 18;  // 4 MB; 12 % of a second fill less
    ProofSearch<B> proofs(budget_, kEntries, history_);
    OutcomeSearch<B> outcomes(budget_, kEntries, [](const B& board) -> std::optional<int> {
      if constexpr (requires { S::known_outcome(board); }) return S::known_outcome(board);
      return std::nullopt;
    });
    const Seat me = board_.to_move(), you = 1 - me;
    std::optional<AnalysisLine> sure;
    std::optional<Verdict> outcome = outcomes.find_verdict(board_);
    if (!outcome) {
      budget_.allow_percent(kWinProofPercent);
      if ((outcome = proofs.prove_win(board_, me))) {
        if (const auto move = proofs.winning_move(board_)) sure = make_line(*move, *outcome);
      } else {
        budget_.allow_percent(kLossProofPercent);
        outcome = proofs.prove_win(board_, you);
      }
    }
    if (!sure) {
      budget_.allow_percent(kOutcomePercent);
      if (limits_.solving_nodes > 0) budget_.allow_uncounted(limits_.solving_nodes);
      if (!outcome) outcome = outcomes.solve(board_);
    }
    const bool lost = outcome && outcome->kind() == Verdict::Kind::loss;
    const auto keeping =
        outcome && !lost && !sure ? outcomes.keeping_move(board_, *outcome) : std::nullopt;
    budget_.allow_percent(sure || lost ? 100 : kSearchPercent, kMinNodes);
    search.search(board_, request_.line_count, told);
    if (!sure && !lost) {
      budget_.allow_percent(100);
      check_moves(search, proofs, outcomes, outcome);
      const auto& first = search.moves().front();
      if (keeping && outcome != search.verdict(board_, first).without_length()) {
        search.move_to_front(*keeping);
        search.set_outcome(0, outcome->opponent_verdict());
      }
    }
    search_first_move(search);
    SearchResult out = make_result(search);
    // No move is worth more than the position.
    for (AnalysisLine& line : out.lines)
      if (outcome && !line.verdict.is_proved() &&
          line.verdict.win_percent() > outcome->win_percent())
        line.verdict = lost ? *outcome : Verdict::estimate(outcome->win_percent());
    if (sure && (!out.lines.front().verdict.is_proved() ||
                 out.lines.front().verdict.win_percent() < sure->verdict.win_percent())) {
      std::erase_if(out.lines, [&](const AnalysisLine& other) { return other.ply == sure->ply; });
      out.lines.insert(out.lines.begin(), std::move(*sure));
      out.lines.resize(std::min(out.lines.size(), std::max<std::size_t>(request_.line_count, 1)));
    }
    out.nodes = budget_.nodes();
    return out;
  }

  // Proves what the best moves are worth, and puts those behind the others that lose, or that are
  // worth less than the position's `outcome`.
  void check_moves(AlphaBeta<B>& search, ProofSearch<B>& proofs, OutcomeSearch<B>& outcomes,
                   const std::optional<Verdict>& outcome) {
    const std::size_t all = search.moves().size(),
                      wanted = std::clamp<std::size_t>(request_.line_count, 1, all);
    std::size_t sound = 0;
    for (std::size_t tried = 0; tried < all && sound < wanted; ++tried) {
      const auto& r = search.moves()[sound];
      B after = board_;
      after.play(r.move);
      if (!r.is_lost && !search.verdict(board_, r).is_proved()) {
        std::optional<Verdict> proved = outcomes.find_verdict(after);
        if (!proved && outcome) proved = outcomes.solve(after);
        if (!proved && !budget_.is_stopped())
          proved = proofs.prove_win(after, 1 - board_.to_move());
        if (proved) search.set_outcome(sound, *proved);
      }
      const Verdict now = search.verdict(board_, r);
      if (r.is_lost || now.kind() == Verdict::Kind::loss ||
          (outcome && now.is_proved() && now.win_percent() < outcome->win_percent()))
        search.move_to_end(sound);
      else ++sound;
    }
  }

  SearchResult make_result(const AlphaBeta<B>& search) const {
    SearchResult out;
    out.depth = search.depth();
    out.nodes = budget_.nodes();
    out.terms = terms_;
    const auto& moves = search.moves();
    const std::size_t wanted = std::clamp<std::size_t>(request_.line_count, 1, moves.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      const auto& r = moves[i];
      const auto known = table_verdict(r.move);
      // Omits moves that were not searched.
      if (i > 0 && r.depth == 0 && !r.is_lost && !r.outcome && !known) continue;
      std::vector<Move> expected = r.variation;
      if (expected.empty()) expected.push_back(r.move);
      if constexpr (HasEndgameTable<B>) extend_line(expected);
      AnalysisLine line = make_line(expected);
      line.verdict = known ? *known : search.verdict(board_, r);
      out.lines.push_back(std::move(line));
    }
    // An interrupted search has not sorted all moves.
    std::stable_partition(out.lines.begin() + 1, out.lines.end(), [](const AnalysisLine& line) {
      return line.verdict.kind() != Verdict::Kind::loss;
    });
    return out;
  }

  // Returns the endgame table's verdict on a move.
  std::optional<Verdict> table_verdict(Move move) const {
    if constexpr (HasEndgameTable<B>) {
      B next = board_;
      next.play(move);
      if (handicaps_.has_any() || next.is_over()) return std::nullopt;
      const std::optional<Verdict> verdict = next.table_verdict(request_.endgame_table);
      if (!verdict || verdict->kind() == Verdict::Kind::endless) return verdict;
      const Seat me = board_.to_move();
      if (verdict->plies() == 0)
        return Verdict::for_last_ply(verdict->kind() == Verdict::Kind::loss ? me : 1 - me, me);
      return verdict->opponent_verdict().earlier_verdict();
    }
    return std::nullopt;
  }

  // Extends a line to the end of the game if the endgame table knows how to win.
  void extend_line(std::vector<Move>& line) const {
    B board = board_;
    for (const Move move : line) board.play(move);
    while (line.size() < kMaxLinePlies) {
      const auto known = board.table_verdict(request_.endgame_table);
      if (!known || known->kind() == Verdict::Kind::endless || known->plies() == 0) return;
      std::optional<Move> best;
      board.each_move([&](Move m) {
        B next = board;
        next.play(m);
        const auto after = next.table_verdict(request_.endgame_table);
        if (after && after->kind() != Verdict::Kind::endless &&
            after->plies() == known->plies() - 1)
          best = m;
      });
      if (!best) return;
      line.push_back(*best);
      board.play(*best);
    }
  }

  SearchResult search_playouts() {
    // Playouts have no depth, so each ply of it allows a number of nodes.
    constexpr std::uint64_t kPerPly = 5000;
    if (limits_.nodes == 0 && limits_.time.count() == 0)
      budget_ = SearchBudget({.nodes = kPerPly * static_cast<std::uint64_t>(limits_.depth)},
                             request_.stop_token);
    Uct<B> search(budget_, handicaps_, skill_.nodes == 0);
    const auto told = [&] {
      if (request_.on_progress) request_.on_progress(make_result(search));
    };
    // A level that sees threats plays no move that loses at once.
    search.search(board_, told,
                  [&](Move m) { return skill_.sees_threats && loses_at_once(board_, m); });
    return make_result(search);
  }

  SearchResult make_result(const Uct<B>& search) const {
    SearchResult out;
    out.depth = search.depth();
    out.nodes = budget_.nodes();
    out.terms = terms_;
    const auto moves = search.moves();
    const std::size_t wanted = std::clamp<std::size_t>(request_.line_count, 1, moves.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      // Omits moves that were not tried.
      if (i > 0 && moves[i].visits == 0 && moves[i].proved_winner == Uct<B>::kUnproved) continue;
      AnalysisLine line = make_line(moves[i].variation);
      line.verdict = search.verdict(moves[i]);
      if (board_.seats() > 2) line.seat_percents = search.seat_percents(moves[i]);
      out.lines.push_back(std::move(line));
    }
    return out;
  }

  // Converts a line to the game's plies.
  AnalysisLine make_line(const std::vector<Move>& moves) const {
    AnalysisLine out;
    S state = state_;
    B board = board_;
    for (const Move move : moves) {
      if (state.is_over()) break;
      const typename S::Move m = state_move(state, board, move);
      out.variation.push_back(state.text(m));
      state.play(m);
      board.play(move);
    }
    out.ply = out.variation.front();
    return out;
  }

  AnalysisLine make_line(Move move, const Verdict& verdict) const {
    AnalysisLine out = make_line({move});
    out.verdict = verdict;
    return out;
  }

  const S& state_;
  const B& board_;
  const SearchRequest& request_;
  const Skill skill_;
  SearchLimits limits_;
  SearchBudget budget_;
  Handicaps handicaps_;
  std::vector<EvaluationTerm> terms_;
  std::vector<std::uint64_t> history_;  // keys of earlier positions
};

// Pre: `position` holds an S.
template <GameState S>
SearchResult think(const Position& position, const SearchRequest& question) {
  const S* state = position.state_as<S>();
  check(state != nullptr, "a game was asked about a position of another");
  if (state->is_over()) return {};
  return with_board(*state, [&](const auto& board) {
    return Searcher<S, std::remove_cvref_t<decltype(board)>>(*state, board, question).think();
  });
}

}  // namespace pbm::engine
