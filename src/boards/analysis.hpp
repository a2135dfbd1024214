// SPDX-License-Identifier: MIT
// What the computer is asked about several positions, one after the other, and what becomes of the
// answers: what is proved of an opening; and what it finds in the plies of a game, what each gave
// away, which was better, and how that is told. A value that says which position is to be thought
// about next. Leaves the thinking itself, and threads, to its callers.
#pragma once

#include "boards/repository.hpp"
#include "protocol/openings.hpp"

namespace pbm {

// Several positions that are thought about one after the other.
class Inquiry {
 public:
  virtual ~Inquiry() = default;

  virtual const GameType& game() const = 0;
  // Which position is to be thought about next; nothing at the end.
  virtual std::optional<std::size_t> next() const = 0;
  virtual const Position& position(std::size_t n) const = 0;
  // What is asked about it.
  virtual Question question() const = 0;
  // What came of it. Pre: next().
  virtual void take(Thought thought) = 0;
};

// What is proved of the plies of an opening. Of games for more than two nothing is.
class OpeningProofs final : public Inquiry {
 public:
  // Pre: `openings` outlives this, and no game is added to it any more.
  explicit OpeningProofs(Openings& openings);

  const GameType& game() const override { return openings_.game(); }
  std::optional<std::size_t> next() const override {
    return waiting_ == 0 ? std::nullopt : std::optional(waiting_ - 1);
  }
  const Position& position(std::size_t n) const override { return judged_[n].position; }
  Question question() const override;
  void take(Thought thought) override;

 private:
  struct Judged {
    std::string ply;
    Position position;  // after it
  };
  Openings& openings_;
  std::vector<Judged> judged_;  // the first to be judged last
  std::size_t waiting_ = 0;     // of them, the first ones
};

// What a ply is marked with, as annotators of chess do (Informator, 1966).
enum class Nag : std::uint8_t { none, dubious, mistake, blunder };
// "", "?!", "?", "??".
std::string_view to_string(Nag nag);
// "", "slip", "mistake", "blunder".
std::string_view name_of(Nag nag);

class Analysis final : public Inquiry {
 public:
  // What is found out about a ply, for the seat that played it.
  struct Assessment {
    Verdict best, played;
    std::vector<std::string> variation;  // the best line, which may begin with the ply itself
  };

  // For a position the computer may spend so much; three times that where a mistake is checked.
  // The level is that of the computer that judges; nothing is said of positions before that after
  // `from` plies.
  explicit Analysis(const Match& match, const Limits& limits = kUsual, int level = kTopLevel,
                    std::size_t from = 0);
  static constexpr Limits kUsual{100'000};

  const GameType& game() const override { return match_.game(); }
  const Match& match() const { return match_; }
  // Whether this is about the plies that stand there.
  bool fits(const Match& match) const;

  // The position after how many plies is to be thought about next; nothing at the end. From the
  // last one to the first, as what is known of a position helps with the one before; what looks
  // like a mistake is checked at once, so that a mark that stands for long stays.
  std::optional<std::size_t> next() const override;
  const Position& position(std::size_t n) const override { return positions_[n]; }
  Question question() const override;
  void take(Thought thought) override;
  // Of 100 how much is done.
  int percent() const;

  // `ply` is 1 for the first. Nothing while that is not known.
  std::optional<Assessment> of(std::size_t ply) const;
  Nag nag(std::size_t ply) const;
  // What was better, without a full stop: "BO wins in 7 moves; this is a tie"; or "".
  std::string said(std::size_t ply) const;
  // The same with the ply and its mark: "BO ??, a blunder: AT wins in 3 moves; this
  // leaves 60 %."; or "".
  std::string sentence(std::size_t ply) const;
  // Of two seats the one whose chances are told: the first, but a person's before the computer's.
  Seat viewer() const {
    return match_.seats() == 2 && match_.computer(0) > 0 && match_.computer(1) == 0 ? 1 : 0;
  }
  // Of 100, after that ply: the chance to win of viewer(), of more than two of who played it.
  // Nothing while that is not known.
  std::optional<int> chance(std::size_t ply) const;
  // The plies by which the better line begins. Empty where the ply was as good.
  std::vector<std::string> better(std::size_t ply) const;
  // The plies that are marked, in their order.
  std::vector<std::size_t> marked() const;

  // "fred: 1 blunder, 2 mistakes; wilma: no mistakes found."
  std::string summary() const;
  // The seat's chance of winning after each ply, the first character for the start:
  // from "_" for none over "." "-" "'" to "^" for all of it; " " where it is not known.
  std::string curve(Seat seat, std::size_t columns) const;
  // Which character of it stands for the position after `ply` plies, or next to that.
  std::size_t place_in_curve(std::size_t ply, std::size_t columns) const;
  // All of it in lines: a curve and the sums of each seat, and what is marked.
  std::vector<std::string> text(std::size_t columns) const;
  // The note to keep on a ply that has `old` now: what a person wrote there, then what is said
  // here; of an earlier analysis nothing stays.
  std::string note(std::size_t ply, const std::string& old) const;

 private:
  std::optional<Verdict> handed_down(std::size_t n) const;
  Verdict worth(std::size_t n, Seat seat) const;
  Verdict played(std::size_t ply) const;
  // The best and the played verdict of a ply, without the line, which is long.
  std::optional<std::pair<Verdict, Verdict>> judged(std::size_t ply) const;
  bool known(std::size_t ply) const;
  Position behind(std::size_t ply) const;
  std::array<std::size_t, 4> counts(Seat seat) const;
  std::string sums(Seat seat) const;
  bool proves_more(std::size_t n) const;
  void look_for_doubts(std::size_t ply);

  Match match_;
  Question question_;                             // but for the work
  std::vector<Position> positions_;               // after 0, 1, ... plies
  std::vector<std::optional<Thought>> thoughts_;  // of each
  std::vector<std::size_t> waiting_;              // the last is the next
  std::size_t all_;                               // of them in the beginning
  // To be thought about before those, again and with more work, the last first; and those for which
  // that was done.
  std::vector<std::size_t> doubts_;
  std::vector<bool> checked_;
};

// What is to be played on `match` to keep an analysis of it as notes.
std::vector<MoveRequest> as_notes(const Analysis& analysis, const Match& match);

}  // namespace pbm
