// SPDX-License-Identifier: MIT
// Finds the mistakes of a game and describes them. It says which position comes next, and takes in
// the result. Leaves the thinking itself, and threads, to its callers.
#pragma once

#include <map>

#include "boards/reasons.hpp"
#include "boards/repository.hpp"

namespace pbm {

// The mark on a bad ply, as chess annotators write it (Informator, 1966).
enum class MoveMark : std::uint8_t { none, slip, mistake, blunder };
// Returns "", "?!", "?" or "??".
std::string_view to_string(MoveMark nag);
// Returns "", "slip", "mistake" or "blunder".
std::string_view name_of(MoveMark nag);

// The verdicts on the plies of one match. A share or chance is in per cent.
class Analysis {
 public:
  // The verdicts on a ply, for the seat that played it.
  struct Assessment {
    Verdict best_verdict, played_verdict;
    std::vector<std::string> variation;  // the best line; it may begin with the played ply
  };

  // `limits` apply to one position; the check of a mistake may take three times as much. `level`
  // is the level at which the computer judges. Skips the positions before the one after `from`
  // plies.
  explicit Analysis(const Match& match, const SearchLimits& limits = kDefaultLimits,
                    int level = kMaxLevel, std::size_t from = 0);
  static constexpr SearchLimits kQuickLimits{.nodes = 100'000},
      kDefaultLimits{.nodes = kQuickLimits.nodes, .solving_nodes = 3'000'000};  // about a second

  const GameType& game() const { return match_.game(); }
  const Match& match() const { return match_; }
  // True if `match` has the same plies and the same position.
  bool is_about(const Match& match) const;

  // Returns after how many plies the position to think about next stands, or nothing at the end.
  // Goes from the last position to the first, because a later result helps with the one before.
  // A ply that looks like a mistake is checked at once, so that its mark seldom changes later.
  std::optional<std::size_t> next_index() const;
  const Position& position(std::size_t n) const { return positions_[n]; }
  SearchRequest question() const;
  void add_result(SearchResult thought);
  // Returns how much is done, in per cent.
  int percent_done() const;

  // Returns what is known about the position after `n` plies, if that is `position`, for a hint.
  std::optional<SearchResult> thought(std::size_t n, const Position& position) const;
  // `ply` counts from 1. Returns nothing while the verdicts are not known.
  std::optional<Assessment> assessment(std::size_t ply) const;
  MoveMark mark(std::size_t ply) const;
  // Returns what was better, without a full stop: "BO wins in 7 moves; this is a tie"; or "".
  std::string explanation(std::size_t ply) const;
  // Returns why the ply is bad, in words of the game; "" if it has no mark.
  const Reason& reason(std::size_t ply) const;
  // Returns both with the ply and its mark: "BO?? is a blunder: AT wins in 3 moves; this
  // leaves 60 %. BO lets wilma win at once with CO (OTTO stands in column C)."; or "".
  std::string sentence(std::size_t ply) const;
  // The texts below call this seat "you". Nothing: they name every seat.
  void set_own_seat(std::optional<Seat> own) {
    if (own != own_seat_) reasons_.clear();
    own_seat_ = own;
  }
  std::string seat_name(Seat seat) const { return pbm::seat_name(match_, seat, own_seat_); }
  // With two seats, returns the seat whose chance is shown: the own seat, or 0.
  Seat shown_seat() const { return match_.seats() == 2 ? own_seat_.value_or(0) : 0; }
  // Returns the chance to win after that ply, for shown_seat(); with more than two seats, for the
  // seat that played it. Returns nothing while it is not known.
  std::optional<int> chance(std::size_t ply) const;
  // Returns the better line, or nothing if the ply has no mark.
  std::vector<std::string> better_line(std::size_t ply) const;
  // Returns the numbers of the marked plies, in ascending order.
  std::vector<std::size_t> marked_plies() const;

  // Returns "You: 1 blunder, 2 mistakes. The computer: no mistakes found." If the analysis has not
  // ended, says so.
  std::string summary() const;
  // Returns the seat's chance to win at the start and after each ply, in per cent, for at most
  // `columns` positions. An unknown chance is an empty optional.
  std::vector<std::optional<int>> chances(Seat seat, std::size_t columns) const;
  // Returns the same as a line of characters. They go from "_" for none over "." "-" "'" to "^" for
  // all; " " means not known.
  std::string curve(Seat seat, std::size_t columns) const;
  // Returns the index in curve() of the position after `ply` plies, or of the nearest one.
  std::size_t curve_index(std::size_t ply, std::size_t columns) const;
  // Returns the analysis as lines: each seat's totals, curves if `columns` > 0, the marked plies.
  std::vector<std::string> report_lines(std::size_t columns) const;
  // Returns the new text for a note that is `old` now: the person's text, then the computer's.
  // Drops the text of an earlier analysis.
  std::string updated_note(std::size_t ply, const std::string& old) const;

 private:
  std::optional<Verdict> inherited_verdict(std::size_t n) const;
  Verdict position_verdict(std::size_t n, Seat seat) const;
  Verdict played_verdict(std::size_t ply) const;
  // Returns the best and the played verdict of a ply, without copying the long variation.
  std::optional<std::pair<Verdict, Verdict>> verdicts(std::size_t ply) const;
  bool is_known(std::size_t ply) const;
  bool hastens_loss(std::size_t ply, const Verdict& best, const Verdict& played) const;
  Position position_after_ply(std::size_t ply) const;
  std::array<std::size_t, 4> mark_counts(Seat seat) const;
  std::string totals_line(Seat seat) const;
  bool is_played_better(std::size_t n) const;
  void queue_checks(std::size_t ply);

  Match match_;
  std::optional<Seat> own_seat_;
  SearchRequest base_question_;                        // without the larger limits of a check
  std::vector<Position> positions_;                    // after 0, 1, ... plies
  std::vector<std::optional<SearchResult>> thoughts_;  // of each position
  std::vector<std::size_t> to_analyse_;                // positions to think about; the last is next
  std::size_t total_;                                  // size of `to_analyse_` at the start
  // Positions to check with more work, before those in `to_analyse_`; the last is next.
  // `was_checked_` has true for each position that was ever added here.
  std::vector<std::size_t> to_check_;
  std::vector<bool> was_checked_;
  mutable std::map<std::size_t, Reason> reasons_;  // those of reason() since the last result
};

// Returns a sentence if `plies` is 0 and `verdict` says that one of two players has the
// better start; else "". The verdict is for the first player.
std::string start_advantage(const Match& match, std::size_t plies, const Verdict& verdict);

// Returns the requests that write an analysis as notes on `match`. Leaves moves alone that it has
// not looked at.
std::vector<MoveRequest> note_requests(const Analysis& analysis, const Match& match);

}  // namespace pbm
