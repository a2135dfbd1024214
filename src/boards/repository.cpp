// SPDX-License-Identifier: MIT
#include "boards/repository.hpp"

#include <algorithm>

#include "protocol/telling.hpp"

namespace pbm {

std::string told_of_seat(const Match& match, Seat seat) {
  const int level = match.computer(seat);
  return (level > 0 ? "The computer plays " : "A person plays ") + match.position().sign(seat) +
         (level > 0 ? ", at level " + std::to_string(level) : "") + ".";
}

std::string told_of_seats(const Match& seen, const Match& now) {
  std::string out;
  for (Seat s = 0; s < now.seats(); ++s) {
    const std::string& before = seen.names()[index(s)];
    const std::string& name = now.names()[index(s)];
    if (seen.computer(s) != now.computer(s)) out += (out.empty() ? "" : " ") + told_of_seat(now, s);
    else if (before != name)
      out += (out.empty() ? "" : " ") + shown_name(before) + " is " + shown_name(name) + " now.";
  }
  return out;
}

Refusal overtaken(const Match& seen, const Match& now) {
  const auto told = told_since(seen, now);
  const std::string seats = told ? told_of_seats(seen, now) : "";
  return Refusal{"Not played: look at the position again. " + seats +
                 (seats.empty() || told->empty() ? "" : " ") +
                 (told ? as_text(*told) : "This board's file was changed meanwhile.") + " " +
                 now.standing()};
}

std::optional<Seat> Board::acting_seat(std::string_view typed) const {
  if (remote) return remote->mine;
  const Seat first = match.acting_seat(typed);
  for (int i = 0; i < match.seats(); ++i)
    if (const Seat seat = (first + i) % match.seats();
        match.computer(seat) == 0 && (match.plays(seat) || match.ending()))
      return seat;
  return match.has_computer() ? std::nullopt : std::optional(first);
}

std::vector<MoveRequest> turns_at_one_keyboard(const Match& match, std::string_view typed) {
  if (!same_ignoring_case(trim(typed), "undo")) return {{std::nullopt, std::string(typed)}};
  std::vector<MoveRequest> turns;
  Match then = match;
  Seat asking = 0;
  const auto computers_turn = [&] { return then.to_move() && then.computer(*then.to_move()) > 0; };
  do {
    asking = then.acting_seat("undo");
    for (Seat s = 0; s < match.seats(); ++s)
      if (match.computer(asking) > 0 && match.computer(s) == 0 && match.plays(s)) asking = s;
    std::vector<MoveRequest> one{{asking, "undo"}};
    for (Seat s = 0; s < match.seats(); ++s)
      if (s != asking && match.plays(s)) one.push_back({s, "accept"});
    turns.insert(turns.end(), one.begin(), one.end());
    if (!judge_turns(then, one)) break;
    // Also takes back the computer's answers, up to the last ply of a person.
  } while (match.computer(asking) == 0 && computers_turn() && !then.plies().empty());
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

Match copied_from(const Board& board, const std::string& place, Match match) {
  if (board.has_others() && !board.match.ending()) match.set_origin(board.id + "@" + place);
  return match;
}

}  // namespace pbm
