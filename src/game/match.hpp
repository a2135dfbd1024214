// SPDX-License-Identifier: MIT
// One board between named players: what was done on it, in order, and what
// follows from that. Everything is derived from the log by replaying it, so a
// match cannot contradict itself. Leaves the rules to Position and keeping to save/.
#pragma once

#include <array>
#include <memory>

#include "base/clock.hpp"
#include "game/clocks.hpp"
#include "game/game_type.hpp"

namespace pbm {

// The words that are no plies.
enum class MatchWord : std::uint8_t { accept, propose, reject, resign, undo };
inline constexpr std::array<std::string_view, 5> kMatchWords{"accept", "propose", "reject",
                                                             "resign", "undo"};
inline std::string_view to_string(MatchWord word) {
  return kMatchWords[static_cast<std::size_t>(word)];
}
// The one that `text` is, in any case.
std::optional<MatchWord> match_word(std::string_view text);
inline bool is_match_word(std::string_view text) { return match_word(text).has_value(); }

// Why somebody resigned who did not say so: his time ran out, or the owner of the server said it.
enum class Forfeit : std::uint8_t { none, time, owner };
inline constexpr std::array<std::string_view, 3> kForfeits{"", "time", "owner"};
inline std::string_view to_string(Forfeit why) { return kForfeits[static_cast<std::size_t>(why)]; }
// none for every other word.
Forfeit forfeit_named(std::string_view word);
// What became of him: "resigned", "ran out of time".
std::string_view forfeited(Forfeit why);

// One thing a player did: a ply in canonical spelling, or one of the words
// resign, propose (a draw), undo (asks for it), accept, reject. Or a note on a
// ply, which does nothing.
struct Action {
  std::string text;
  Seat seat = 0;
  Time at{};
  std::optional<std::size_t> note_on =
      {};  // `text` is a note: on that ply, of those that stood then; 0 for the start
  Forfeit forfeit = Forfeit::none;  // other than none only where `text` is resign
  friend bool operator==(const Action&, const Action&) = default;
};

// Who has the seats of a board, in turn order.
struct Seating {
  std::vector<std::string> names;
  std::vector<int> levels;  // of the computer where it has the seat, 1 to kTopLevel; 0: a person
};

class Match {
 public:
  // A ply that stands (was not taken back), with what it did.
  struct Ply {
    std::string text;
    Seat seat;
    Time at;
    std::string described;        // "drops a T down column B"
    std::vector<SpotId> touched;  // spots that show it
  };
  // An open offer: a draw, or taking back the last ply.
  struct Offer {
    bool draw;
    Seat by;
    std::vector<Seat> accepted;
  };
  struct Ending {
    std::optional<Seat> winner;  // nobody: a tie
    std::string why;             // a clause: "fred resigned"
    std::vector<SpotId> spots;   // where it can be seen; none when it ended beside the board
    bool on_board;
  };

  // No more entries than this, but those that end the game; a save stays readable in a blink.
  static constexpr std::size_t kMaxEntries = 10'000;
  static constexpr std::size_t kMaxNote = 400;  // bytes
  // To come to any position at most so many plies are played again, in games of more than
  // two thousand up to four times as many. Of plies that are taken back one after the other
  // each is played again a few times: by the logarithm of that.
  static constexpr std::size_t kStep = 32;

  // A board before its first ply. Refuses a wrong number of names and what the game refuses.
  static Result<Match> start(const GameType& game, const Options& options,
                             const std::vector<std::string>& names, Time started);
  static Result<Match> start(const GameType& game, const Options& options, const Seating& seats,
                             Time started);

  const GameType& game() const { return *game_; }
  const Options& options() const { return options_; }
  const std::vector<std::string>& names() const { return names_; }
  Time started() const { return started_; }
  int seats() const { return static_cast<int>(names_.size()); }
  Seating seating() const { return {names_, computers_}; }

  // The level of the computer that has the seat, 1 to kTopLevel; 0: a person has it.
  int computer(Seat seat) const { return computers_[static_cast<std::size_t>(seat)]; }
  void set_computer(Seat seat, int level);
  bool has_computer() const;

  // What time it gives its players; none unless somebody has said so.
  const TimeLimits& limits() const { return limits_; }
  void set_limits(const TimeLimits& limits) { limits_ = limits; }
  // The board of a server, "toot-101@/run/pbmplay/socket", of which this was made while it ran: it
  // is helped with as little as that one. "" for none; kept by what is made of this.
  const std::string& origin() const { return origin_; }
  void set_origin(std::string origin) { origin_ = std::move(origin); }
  // Whose turn it was since when, the start first, also on plies that were taken back.
  const std::vector<Turn>& turns() const { return turns_; }

  const Position& position() const { return position_; }
  // The position after the first `n` plies that stand; all of them when there are fewer.
  Position position_after(std::size_t n) const;
  // Its drawing; that of the end says when the game ended beside the board.
  Drawing draw(std::size_t n, View view) const;
  // A drawing of a position of this match, with the players' names where it says player1: the
  // beginning of a long one, and none with letters of several bytes, as a drawing has a byte a
  // column.
  Drawing named(Drawing drawing) const;
  const std::vector<Ply>& plies() const { return plies_; }
  const std::vector<Action>& log() const { return log_; }
  // How many entries the log had when a ply was taken back last; 0: none was.
  std::size_t taken_back() const { return taken_back_; }

  const std::optional<Ending>& ending() const { return ending_; }
  const std::optional<Offer>& offer() const { return offer_; }
  bool plays(Seat seat) const { return !gone_[index(seat)]; }
  // What became of a seat that no longer plays: "resigned", "ran out of time". Pre: !plays(seat).
  std::string_view gone(Seat seat) const { return forfeited(*gone_[index(seat)]); }
  // Whose turn it is; nothing once the game is over.
  std::optional<Seat> to_move() const;
  // When something last happened.
  Time changed() const { return log_.empty() ? started_ : log_.back().at; }

  // The note on ply `n` of those that stand (0: on the start), or "". A ply taken back keeps its
  // note.
  std::string note(std::size_t n) const { return n < path_.size() ? nodes_[path_[n]].note : ""; }
  // Lines of plies that were played after the first `n` and taken back, the latest first.
  std::vector<std::vector<std::string>> side_lines(std::size_t n) const;
  // The ply that was taken back here last and can be played again, or "".
  std::string redo() const;

  // This board as it was after the first `n` plies, with their notes, as a
  // match of its own: without what came later and what was offered or agreed.
  Match prefix(std::size_t n) const;
  // The same to try things on: what came later counts as taken back, so that
  // redo leads along it. Only its log is without: prefix() it to keep it.
  Match back_to(std::size_t n) const;
  // Whether the same was done on both, and the same seats are a computer's; notes do not count.
  bool same_game(const Match& other) const;

  // The ply of those that stand that was typed as "12" or "#12", 0 for the start.
  Result<std::size_t> ply_named(std::string_view typed) const;

  // What `seat` would do by typing `typed` now, or why it may not. Never changes anything.
  Result<Action> validate(Seat seat, std::string_view typed, Time at) const;
  // How many of `words` from `first` on are one ply, in which somebody left
  // blanks: 1 where the first is one, or none is.
  std::size_t words_of_a_ply(const std::vector<std::string>& words, std::size_t first) const;
  // Whether `typed` may be done on a board that has no room for more: what ends
  // the game, and what must be answered first.
  bool fits_when_full(std::string_view typed) const;
  // A note on ply `n`; an empty one takes the note there away. Refuses what is no short line of
  // text.
  Result<Action> validate_note(std::size_t n, std::string_view text, Time at) const;
  // Does it. Pre: validate() or validate_note() gave it for this very match.
  void add(const Action& entry);

  // Who at one shared keyboard means what is typed: the next to answer for
  // accept and reject, else the seat to move (after the end: the last mover).
  Seat acting_seat(std::string_view typed) const;

  // "fred (TOOT)", harmless to any terminal.
  std::string player(Seat seat) const;
  // "A move is a column and T or O, as BT", with an example that is legal now.
  std::string how_to_move() const;
  // "fred (TOOT) won: TOOT is spelled in the bottom row, A to D.", or "It is wilma's turn (OTTO)."
  std::string standing() const;
  // The same for the position after `n` plies.
  std::string standing_after(std::size_t n) const;
  // What the seats have left after `n` plies: "fred has 6 T 5 O and wilma has 6 T 6 O.", or "".
  std::string holdings_after(std::size_t n) const;
  // The open offer in words, or "".
  std::string offered() const;

 private:
  // All plies ever played make a tree, in which those that stand are one path.
  struct Node {
    std::string text;
    std::size_t latest = 0;  // the child last played, 0 for none
    std::size_t newest = 0;  // the child first played last, 0 for none
    std::size_t older = 0;   // the parent's child that was new before this one
    std::string note;
  };

  Match(const GameType& game, Options options, std::vector<std::string> names, Time started,
        Position position);

  Result<Action> judge_word(Seat seat, MatchWord word, Time at) const;
  void take(const Action& entry);
  void play(const Action& entry);
  void resign(const Action& entry);
  void take_back();
  // A position on the way to the present one, from which others are replayed.
  struct Kept {
    std::size_t plies, standing;  // how many plies, and how much of standing_, came before it
    std::shared_ptr<const Position> position;
  };
  // The position after `n` of the plies in standing_, and the resignations up to
  // the next. Hands out too some that it comes by, if asked to.
  Position replayed(std::size_t n, std::vector<Kept>* passed = nullptr) const;
  // Positions that come behind those kept. Of too many those at every step() plies stay:
  // in some games a position grows with every ply, and a server has many boards in memory.
  void keep(std::vector<Kept> more);
  std::size_t step() const;
  static constexpr std::size_t kMaxKept = 128;
  std::vector<Seat> still_playing() const;

  const GameType* game_;
  Options options_;
  std::vector<std::string> names_;
  std::vector<int> computers_;  // of each seat
  Time started_;
  TimeLimits limits_;
  std::string origin_;
  std::vector<Action> log_;
  std::size_t taken_back_ = 0;
  std::vector<std::size_t>
      standing_;  // log entries that make the position: plies not taken back, resignations
  std::vector<Node> nodes_{1};        // the start first
  std::vector<std::size_t> path_{0};  // nodes of the start and of the plies that stand
  // Derived:
  Position position_;
  std::vector<Ply> plies_;
  std::vector<Turn> turns_;
  std::vector<Kept> kept_;                    // by plies, the start first
  std::vector<std::optional<Forfeit>> gone_;  // why each seat that resigned did
  std::optional<Offer> offer_;
  std::optional<Ending> ending_;
};

// The seats that have yet to answer the open offer; none where nothing is offered.
std::vector<Seat> answering(const Match& match);

// A name as it is shown, whoever gave it: harmless, and in no more columns than a name may have.
std::string shown_name(std::string_view name);

// A player's name: not empty, at most 16 columns of visible text without
// blanks around.
Result<Done> check_name(const std::string& name);

// The level of a computer that is only called by that word.
inline constexpr int kUsualLevel = 3;

// Who is at this keyboard: the name that was chosen, or else the login's, where that can be a
// player's name; else `otherwise`.
std::string person_here(const std::string& chosen, const std::string& otherwise);

// Names as they are typed: "computer:3" is the computer at level 3, and becomes "computer", or
// "computer2" where there is one already; so does "computer2:3". Refuses a level that there is not.
Result<Seating> read_seats(const std::vector<std::string>& typed);

// The same for a new board: one a seat, none twice; missing ones become player1, player2, but the
// only person's that of person_here() with the name `here` chosen.
// Refuses what no player can be called, and too many with the number of seats.
Result<Seating> check_names(const GameType& game, std::vector<std::string> typed,
                            const std::string& here = "");

}  // namespace pbm
