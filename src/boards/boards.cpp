// SPDX-License-Identifier: MIT
#include "boards/boards.hpp"

#include <algorithm>

#include "game/telling.hpp"

namespace pbm {

Result<std::string> KnownBoards::rename(const std::string&, const std::string&) {
  return Refusal{"A server gives its boards their names."};
}
Result<Done> KnownBoards::remove(const std::string&) {
  return Refusal{"On a server a board ends by resigning, and finished ones are kept."};
}
Result<Done> KnownBoards::restore(const std::string&) {
  return Refusal{"A server's boards are not deleted."};
}

Refusal overtaken(const Match& seen, const Match& now) {
  const auto told = told_since(seen, now);
  return Refusal{"Not played: look at the position again. " +
                 (told ? as_text(*told) : "This board's file was changed meanwhile.") + " " +
                 now.standing()};
}

std::vector<MoveRequest> turns_at_one_keyboard(const Match& match, std::string_view typed) {
  std::vector<MoveRequest> turns{{std::nullopt, std::string(typed)}};
  if (same_ignoring_case(trim(typed), "undo")) {
    const Seat asking = match.acting_seat("undo");
    for (Seat s = 0; s < match.seats(); ++s)
      if (s != asking && match.plays(s)) turns.push_back({s, "accept"});
  }
  return turns;
}

Result<std::vector<Action>> judge_turns(Match& match, const std::vector<MoveRequest>& turns) {
  std::vector<Action> out;
  for (const MoveRequest& turn : turns) {
    auto entry = turn.note_on ? match.validate_note(*turn.note_on, turn.typed, now())
                              : match.validate(turn.seat.value_or(match.acting_seat(turn.typed)),
                                               turn.typed, now());
    if (!entry) {
      const std::string which = out.empty() ? "" : "'" + fit(turn.typed, 40) + "': ";
      return Refusal{which + entry.refusal().why, entry.refusal().at};
    }
    match.add(*entry);
    out.push_back(std::move(*entry));
  }
  return out;
}

}  // namespace pbm
