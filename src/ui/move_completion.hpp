// SPDX-License-Identifier: MIT
// Judges and completes half-typed moves at every key.
// Leaves the rules to Match::validate() and display to the front ends.
#pragma once

#include <functional>

#include "game/match.hpp"
#include "game/notation.hpp"

namespace pbm {

// The verdict on a typed text.
struct Judgement {
  enum class Kind : std::uint8_t {
    empty,      // no text
    complete,   // a legal ply or word; `continuations` may lengthen it
    partial,    // the beginning of some: see `continuations`, or `reason` if there are none
    queueable,  // it can be legal on the player's next turn
    refused,    // an error: `reason`, from byte `at` on
  };
  Kind kind = Kind::empty;
  std::string text;        // if complete: the canonical spelling
  std::string reason;      // if refused: the reason; of a partial ply what is missing
  std::size_t offset = 0;  // if refused: the byte offset in the typed text
  std::vector<std::string>
      continuations;  // continuations without duplicates: the text up to the end of its next part
};

// Returns the reason of `why`, which refuses `typed` as a move. If `typed` is like one of `words`,
// asks if the player meant that word.
std::string suggest_typed_word(const Refusal& why, std::string_view typed,
                               const std::vector<std::string>& words);

// Judges typed text on one match. Keeps the legal plies, so that a key needs a search in a list and
// no move generation.
class MoveCompletion {
 public:
  // Reads `match` again after a change. `words` can be typed as well: judge() calls their
  // beginnings partial, and leaves whole ones to the caller. `speaker` returns the seat that a text
  // is for, or nothing if nobody here may play. Without it, all seats share the keyboard.
  using SeatFinder = std::function<std::optional<Seat>(std::string_view typed)>;
  void reset(const Match& match, const std::vector<std::string>& words = {},
             SeatFinder speaker = nullptr);

  // Judges a text. Pre: `match` is the one of the last reset().
  Judgement judge(const Match& match, std::string_view typed) const;

  // Returns suggest_typed_word() with the words that can be typed here.
  std::string suggest_word_for(const Refusal& why, std::string_view typed) const;

  // Returns the legal plies that begin with `typed`, or none if there are more than `most`.
  std::vector<std::string> possible_plies(std::string_view typed, std::size_t most) const;

  // Returns the longest beginning that all completions of `typed` share, or `typed` if there is
  // none.
  std::string complete(std::string_view typed) const;

 private:
  // Returns the completions of `typed` (lower case): of exact spellings, or else of similar ones.
  std::vector<SpellingIndex::Completion> find_continuations(std::string_view typed) const;

  // Validates `typed` for the seat that `text` is for.
  Result<LogEntry> validate_text(const Match& match, std::string_view text,
                                 std::string_view typed) const;

  SeatFinder find_seat_;
  std::vector<Spelling> spellings_;  // of plies, of words of the match, and of the
                                     // caller's words, whose ply is ""
  SpellingIndex notation_;           // the plies
};

}  // namespace pbm
