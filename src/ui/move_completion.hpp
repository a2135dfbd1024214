// SPDX-License-Identifier: MIT
// Half-typed moves: what a player has typed so far, judged at every key.
// Leaves the rules to Match::validate() and the showing to the front ends.
#pragma once

#include <functional>

#include "game/match.hpp"
#include "game/notation.hpp"

namespace pbm {

struct Judgement {
  enum class Kind : std::uint8_t {
    empty,     // nothing typed
    complete,  // a legal ply or word; `next` may still lengthen it
    partial,   // the beginning of one: `next` says how it goes on
    refused,   // neither: `why`, from byte `at` on
  };
  Kind kind = Kind::empty;
  std::string text;    // complete: the canonical spelling
  std::string why;     // refused: the sentence
  std::size_t at = 0;  // refused: offset into what was typed
  std::vector<std::string>
      next;  // what can follow: the text up to the end of its next part, each once
};

// Judges typed text on one match. Keeps the legal plies of a position, so that
// a key costs a look-up and not a move generation.
class MoveCompletion {
 public:
  // Looks at `match` again after it has changed. `words` are what else can be
  // typed there; judge() calls them partial and leaves a whole one to the caller.
  // Only `speaker` (asked with what is typed) may do anything; without it,
  // whoever would at one shared keyboard.
  using Speaker = std::function<std::optional<Seat>(std::string_view typed)>;
  void reset(const Match& match, const std::vector<std::string>& words = {},
             Speaker speaker = nullptr);

  // `match` is the one of the last reset().
  Judgement judge(const Match& match, std::string_view typed) const;

  // The legal plies that what is typed may become, at most `most`; none when there are more.
  std::vector<std::string> meant(std::string_view typed, std::size_t most) const;

  // The longest text every way of going on from `typed` starts with; `typed` itself when there is
  // none.
  std::string complete(std::string_view typed) const;

 private:
  // What begins with `typed` (lower case), in order: as it stands, else as it may be meant.
  std::vector<Notation::Way> continuations(std::string_view typed) const;

  // Who means `typed`, and what he would do by it.
  Result<Action> entry_of(const Match& match, std::string_view text, std::string_view typed) const;

  Speaker speaker_;
  std::vector<Spelling> spellings_;  // of plies and of what a match knows; a word that
                                     // only the caller knows stands for ""
  Notation notation_;                // of the plies
};

}  // namespace pbm
