// SPDX-License-Identifier: MIT
// One game between named players: the log of their actions, and everything that follows from it.
// A Match replays the log to derive its state, so it cannot contradict itself.
// Leaves the rules to Position and files to save/.
#pragma once

#include <array>
#include <memory>

#include "base/clock.hpp"
#include "game/clocks.hpp"
#include "game/game_type.hpp"

namespace pbm {

// The words that a player can type instead of a ply.
enum class MatchWord : std::uint8_t { accept, propose, reject, resign, undo };
inline constexpr std::array<std::string_view, 5> kMatchWords{"accept", "propose", "reject",
                                                             "resign", "undo"};
inline std::string_view to_string(MatchWord word) { return kMatchWords[index(word)]; }
// Returns the word that `text` is, in any letter case, or nothing.
std::optional<MatchWord> find_match_word(std::string_view text);
inline bool is_match_word(std::string_view text) { return find_match_word(text).has_value(); }

// Why a seat resigned without its player's word: its time ran out, or the server's owner did it.
enum class ForfeitReason : std::uint8_t { none, time, owner };
inline constexpr std::array<std::string_view, 3> kForfeitReasons{"", "time", "owner"};
inline std::string_view to_string(ForfeitReason why) { return kForfeitReasons[index(why)]; }
// Returns the value called `word`; `none` for any other word.
ForfeitReason find_forfeit_reason(std::string_view word);
// Returns what happened to the player: "resigned", "ran out of time".
std::string_view forfeit_text(ForfeitReason why);

// One entry of a game's log: a ply in canonical spelling, or one of the words resign, propose (a
// draw), undo (asks to take a ply back), accept, reject. Or a note on a ply, which has no effect.
struct LogEntry {
  std::string text;
  Seat seat = 0;
  Time time{};
  // If set, `text` is a note on that ply of those that stood then; 0 for the start position.
  std::optional<std::size_t> note_ply = {};
  ForfeitReason forfeit_reason = ForfeitReason::none;  // anything else only if `text` is resign
  friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

// The players of a game, in turn order.
struct Seating {
  std::vector<std::string> names;
  std::vector<int> computer_levels;  // of the computer at each seat, 1 to kMaxLevel; 0 for a person
  bool is_adaptive = false;          // its computers were typed without a level
};

class Match {
 public:
  // A ply that stands, that is, was not taken back; and its effect.
  struct Ply {
    std::string text;
    Seat seat;
    Time time;
    std::string description;            // "drops a T down column B"
    std::vector<SpotId> changed_spots;  // the squares that it changed
  };
  // An open offer: a draw, or to take back the last ply.
  struct Offer {
    bool is_draw;
    Seat seat;
    std::vector<Seat> accepting_seats;
  };
  // The end of a game, by its rules or otherwise.
  struct Ending {
    std::optional<Seat> winner;  // nothing: a tie
    std::string reason;          // a sentence: "fred resigned"
    std::vector<SpotId> spots;   // the squares that show it; none unless `is_by_rules`
    bool is_by_rules;
  };

  // At most so many log entries, plus those that end the game: any save loads quickly.
  static constexpr std::size_t kMaxEntries = 10'000;
  static constexpr std::size_t kMaxNoteBytes = 400;  // bytes
  // Reaching any position replays fewer than kSnapshotInterval plies, or up to eight times as many
  // if the game has more than 2,000. Taking back n plies one by one replays each about log2(n)
  // times.
  static constexpr std::size_t kSnapshotInterval = 32;

  // Starts a game. Refuses a wrong number of players, and what the game refuses.
  static Result<Match> start(const GameType& game, const Options& options,
                             const std::vector<std::string>& names, Time started);
  static Result<Match> start(const GameType& game, const Options& options, const Seating& seats,
                             Time started);

  const GameType& game() const { return *game_; }
  const Options& options() const { return options_; }
  const std::vector<std::string>& names() const { return names_; }
  Time start_time() const { return start_time_; }
  int seats() const { return static_cast<int>(names_.size()); }
  Seating seating() const { return {names_, computer_levels_}; }

  // Returns the level of the computer at the seat, 1 to kMaxLevel, or 0 for a person.
  int computer_level(Seat seat) const { return computer_levels_[index(seat)]; }
  void set_computer_level(Seat seat, int level);
  bool has_computer() const;
  void set_names(std::vector<std::string> names) { names_ = std::move(names); }

  // The time limits of the game; none until set_limits().
  const TimeLimits& limits() const { return limits_; }
  void set_limits(const TimeLimits& limits) { limits_ = limits; }
  // The server's board that this match was copied from while it ran, for example
  // "toot-101@/run/pbmplay/socket"; else "". A player gets no more computer help here than on that
  // board. Copies of the match keep the origin.
  const std::string& origin() const { return origin_; }
  void set_origin(std::string origin) { origin_ = std::move(origin); }
  // Every change of turn with its time, the start first. Includes plies that were taken back.
  const std::vector<Turn>& turns() const { return turns_; }

  const Position& position() const { return position_; }
  // Returns the position after the first `n` plies that stand, at most all.
  Position position_after(std::size_t n) const {
    return n >= plies_.size() ? position_ : replay(n);
  }
  // Draws that position. The drawing of the last one shows that the game ended off the board.
  Drawing draw(std::size_t n, View view) const;
  // Replaces the words player1, player2, ... in a drawing by the players' names, cut to a few
  // columns. Leaves out names that are not ASCII: a drawing has one byte a column.
  Drawing insert_names(Drawing drawing) const;
  const std::vector<Ply>& plies() const { return plies_; }
  const std::vector<LogEntry>& log() const { return log_; }
  // The number of log entries when a ply was last taken back; 0 if none was.
  std::size_t last_take_back() const { return last_take_back_; }

  const std::optional<Ending>& ending() const { return ending_; }
  const std::optional<Offer>& offer() const { return offer_; }
  bool is_playing(Seat seat) const { return !forfeit_reasons_[index(seat)]; }
  // Returns why a seat no longer plays: "ran out of time". Pre: !plays(seat).
  std::string_view leave_reason(Seat seat) const {
    return forfeit_text(*forfeit_reasons_[index(seat)]);
  }
  // The seat to move, or nothing if the game is over.
  std::optional<Seat> to_move() const;
  // The time of the last entry.
  Time last_change() const { return log_.empty() ? start_time_ : log_.back().time; }

  // Returns the note on ply `n` of those that stand (0: on the start), or "". The note stays with a
  // ply that is taken back and played again.
  std::string note(std::size_t n) const { return n < path_.size() ? nodes_[path_[n]].note : ""; }
  // Returns the lines that were played after the first `n` plies and taken back, latest first.
  std::vector<std::vector<std::string>> side_lines(std::size_t n) const;
  // Returns the last ply that was taken back here and is legal now, or "".
  std::string redo_ply() const;

  // Returns a match with only the first `n` plies and their notes, without offers and without
  // agreed ends.
  Match prefix_copy(std::size_t n) const;
  // The same for trying moves: later plies count as taken back, so redo_ply() leads along them.
  // They are missing in its log; use prefix_copy() for a match to save.
  Match rewound_copy(std::size_t n) const;
  // True if both have equal logs, notes aside, and the same players and computers.
  bool is_same_game(const Match& other) const;

  // Reads the number of a ply that stands: "12" or "#12", 0 for the start.
  Result<std::size_t> read_ply_number(std::string_view typed) const;

  // Returns the action that `seat` does by typing `typed`, or refuses it. Changes nothing.
  Result<LogEntry> validate(Seat seat, std::string_view typed, Time at) const;
  // Returns how many of `words`, from `first` on, form one ply that was typed with blanks; 1 if no
  // words form one.
  std::size_t count_ply_words(const std::vector<std::string>& words, std::size_t first) const;
  // True if `typed` is allowed when the log is full: it ends the game, or answers an offer that
  // blocks that.
  bool is_allowed_when_full(std::string_view typed) const;
  // Returns the action that sets the note on ply `n`; an empty text deletes the note. Refuses any
  // text that is not one short line.
  Result<LogEntry> validate_note(std::size_t n, std::string_view text, Time at) const;
  // Appends an action. Pre: validate() or validate_note() of this very match returned it.
  void add(const LogEntry& entry);

  // Returns the seat that `typed` is for at a shared keyboard. For accept and reject it is the next
  // seat to answer, else the seat to move, after the end the seat that moved last.
  Seat acting_seat(std::string_view typed) const;

  // Returns "fred (TOOT)", safe to print on any terminal.
  std::string player_label(Seat seat) const;
  // Returns "A move is a column and T or O, such as BT", with an example that is legal now.
  std::string move_hint() const;

  // Sentences for a reader. They call the reader's seat `own`, if any, "you".
  using Own = std::optional<Seat>;
  // Returns "fred (TOOT) drops ...", "You drop ..." or "The computer (OTTO) drops ...", given what
  // the player does: "drops ...". Without the side, "fred drops ...".
  std::string action_sentence(Seat seat, std::string_view action, Own own = {},
                              bool has_side = true) const;
  // Returns "fred (TOOT) wins. ..." with the reason, or "It is wilma's turn (OTTO)."
  std::string status(Own own = {}) const { return status_after(plies_.size(), own); }
  // Returns the same for the position after `n` plies.
  std::string status_after(std::size_t n, Own own = {}) const;
  // Returns the holdings after `n` plies: "fred has 6 T 5 O and wilma has 6 T 6 O.", or "".
  std::string holdings_after(std::size_t n, Own own = {}) const;
  // Returns how the game ended, without a stop: "TOOT stands in column A". Pre: ending().
  std::string ending_reason(Own own = {}) const;
  // Returns the open offer as a sentence, or "".
  std::string offer_text(Own own = {}) const;

 private:
  // A ply in the tree of all plies ever played. The plies that stand are one path in it.
  struct Node {
    std::string text;
    std::size_t last_played_child = 0;  // the child played last, 0 for none
    std::size_t last_added_child = 0;   // the child added last, 0 for none
    std::size_t older_sibling = 0;      // the sibling added before this node, 0 for none
    std::string note;
  };

  Match(const GameType& game, Options options, std::vector<std::string> names, Time started,
        Position position);

  Result<LogEntry> validate_word(Seat seat, MatchWord word, Time at) const;
  void apply_entry(const LogEntry& entry);
  void apply_ply(const LogEntry& entry);
  void apply_resignation(const LogEntry& entry);
  void take_back();
  // A snapshot of an earlier position, as a start for replaying.
  struct Snapshot {
    std::size_t ply_count,
        entry_count;  // how many plies, and entries of active_entries_, come before it
    std::shared_ptr<const Position> position;
  };
  // Returns the position after `n` plies of active_entries_, including the resignations before the
  // next ply. Adds some snapshots on the way to `passed`, if it is not null.
  Position replay(std::size_t n, std::vector<Snapshot>* passed = nullptr) const;
  // Adds snapshots. If there are too many, keeps only those at multiples of snapshot_interval()
  // plies. In some games positions grow with every ply, and a server holds many games in memory.
  void add_snapshots(std::vector<Snapshot> more);
  std::size_t snapshot_interval() const;
  static constexpr std::size_t kMaxSnapshots = 128;
  std::vector<Seat> playing_seats() const;

  const GameType* game_;
  Options options_;
  std::vector<std::string> names_;
  std::vector<int> computer_levels_;  // levels by seat, 0 for a person
  Time start_time_;
  TimeLimits limits_;
  std::string origin_;
  std::vector<LogEntry> log_;
  std::size_t last_take_back_ = 0;
  // Log entries that make the position: plies that stand, and resignations.
  std::vector<std::size_t> active_entries_;
  std::vector<Node> nodes_{1};        // the start position is first
  std::vector<std::size_t> path_{0};  // nodes of the start and of the plies that stand
  // Derived:
  Position position_;
  std::vector<Ply> plies_;
  std::vector<Turn> turns_;
  std::vector<Snapshot> snapshots_;  // in order of plies, the start first
  std::vector<std::optional<ForfeitReason>>
      forfeit_reasons_;  // by seat: why it resigned, if it did
  std::optional<Offer> offer_;
  std::optional<Ending> ending_;
};

// Returns how many positions after `position` a check may try: kMaxTriedPositions, but fewer from
// 300 legal plies on, as in a very large field of Plotto.
inline constexpr std::size_t kMaxTriedPositions = 1000;
std::size_t max_tried_positions(const Position& position);
// Refuses a ply that cannot be legal on the seat's next turn, whatever the others play, or after
// none of an even sample of max_tried_positions().
Result<Success> check_next_ply(const Position& position, Seat seat, const std::string& typed);

// Returns the seats that still have to answer the open offer; none if nothing is offered.
std::vector<Seat> seats_to_answer(const Match& match);

// seat_name() returns "you" for the seat `own`, "the computer", "the opponent", or a name; a name
// that is "you" stands in quotes.
// possessive() makes "your" of that, capitalize() "You", and second_person() makes "drop a T" of
// "drops a T".
std::string seat_name(const Match& match, Seat seat, std::optional<Seat> own);
std::string possessive(const std::string& name);
std::string capitalize(const std::string& name);
std::string second_person(std::string_view action);
// Returns `text` with Match::status() and offer_text(), if it has them, in the words for `own`.
std::string address_player(std::string text, const Match& match, std::optional<Seat> own);

// The names of the players of a lesson or puzzle.
inline constexpr std::string_view kYou = "you", kOpponent = "opponent";

// Returns a name, possibly invalid, made safe to print and cut to a name's greatest width.
std::string display_name(std::string_view name);

// True for "you" in any case, which means the reader. Only old saves and accounts have such a name.
// quote_you() returns that name in quotes, for a sentence about another player.
bool is_called_you(std::string_view name);
std::string quote_you(const std::string& name);

// Refuses a player's name that is empty, begins or ends with a blank, has unprintable characters,
// is wider than 16 columns, or is "you".
Result<Success> check_player_name(const std::string& name);

// Returns the name of the person at this keyboard: `chosen` if it is not empty, else the Unix login
// if a player may have that name, else `otherwise`.
std::string local_player_name(const std::string& chosen, const std::string& otherwise);

// Reads players as typed. "computer:3" is the computer at level 3 and gets the name "computer", or
// "computer2" if it is the second; "computer2:3" means the same. Without a number the level is 1.
// Refuses unknown levels.
Result<Seating> read_seating(const std::vector<std::string>& typed);

// Reads the players of a new game. Refuses invalid or equal names, and too many. Missing ones get
// the names player1, player2; but if only the last is missing and is the only person, its name is
// local_player_name() with the chosen name `here`.
Result<Seating> complete_seating(const GameType& game, std::vector<std::string> typed,
                                 const std::string& here = "");

}  // namespace pbm
