// SPDX-License-Identifier: MIT
#include "boards/repository.hpp"

#include <algorithm>

#include "protocol/match_description.hpp"

namespace pbm {

std::string describe_seat_changes(const Match& seen, const Match& now) {
  std::string out;
  for (Seat s = 0; s < now.seats(); ++s) {
    const std::string& before = seen.names()[index(s)];
    const std::string& name = now.names()[index(s)];
    if (seen.computer_level(s) != now.computer_level(s))
      out += (out.empty() ? "" : " ") + describe_seat(now, s);
    else if (before != name)
      out +=
          (out.empty() ? "" : " ") + display_name(before) + " is " + display_name(name) + " now.";
  }
  return out;
}

std::optional<Seat> find_own_seat(std::string_view me, const Seating& seats) {
  const auto& levels = seats.computer_levels;
  const bool alone = levels.size() > 1 && std::ranges::count(levels, 0) == 1;
  for (std::size_t s = 0; s < seats.names.size(); ++s)
    if ((s >= levels.size() || levels[s] == 0) &&
        (alone || (!me.empty() && equals_ignoring_case(seats.names[s], me))))
      return static_cast<Seat>(s);
  return std::nullopt;
}

Refusal outdated_refusal(const Match& seen, const Match& now, std::optional<Seat> own) {
  const auto told = describe_new_actions(seen, now, own);
  const std::string seats = told ? describe_seat_changes(seen, now) : "";
  return Refusal{"Not played. Look at the position again. " + seats +
                 (seats.empty() || told->empty() ? "" : " ") +
                 (told ? join_descriptions(*told) : "Another program changed this game.") + " " +
                 now.status(own)};
}

std::optional<Seat> Board::acting_seat(std::string_view typed) const {
  if (remote) return remote->own_seat;
  const Seat first = match.acting_seat(typed);
  for (int i = 0; i < match.seats(); ++i)
    if (const Seat seat = (first + i) % match.seats();
        match.computer_level(seat) == 0 && (match.is_playing(seat) || match.ending()))
      return seat;
  return match.has_computer() ? std::nullopt : std::optional(first);
}

std::vector<MoveRequest> shared_keyboard_requests(const Match& match, std::string_view typed) {
  if (!equals_ignoring_case(trim(typed), "undo")) return {{std::nullopt, std::string(typed)}};
  std::vector<MoveRequest> turns;
  Match then = match;
  Seat asking = 0;
  const auto computers_turn = [&] {
    return then.to_move() && then.computer_level(*then.to_move()) > 0;
  };
  do {
    asking = then.acting_seat("undo");
    for (Seat s = 0; s < match.seats(); ++s)
      if (match.computer_level(asking) > 0 && match.computer_level(s) == 0 && match.is_playing(s))
        asking = s;
    std::vector<MoveRequest> one{{asking, "undo"}};
    for (Seat s = 0; s < match.seats(); ++s)
      if (s != asking && match.is_playing(s)) one.push_back({s, "accept"});
    turns.insert(turns.end(), one.begin(), one.end());
    if (!validate_requests(then, one)) break;
    // Also takes back the computer's answers, up to the last ply of a person.
  } while (match.computer_level(asking) == 0 && computers_turn() && !then.plies().empty());
  return turns;
}

Result<std::vector<LogEntry>> validate_requests(Match& match,
                                                const std::vector<MoveRequest>& turns) {
  std::vector<LogEntry> out;
  for (const MoveRequest& turn : turns) {
    auto entry = turn.note_on ? match.validate_note(*turn.note_on, turn.text, now())
                              : match.validate(turn.seat.value_or(match.acting_seat(turn.text)),
                                               turn.text, now());
    if (!entry) {
      const std::string which = out.empty() ? "" : "'" + fit(turn.text, 40) + "': ";
      return Refusal{which + entry.refusal().reason, entry.refusal().offset};
    }
    match.add(*entry);
    out.push_back(std::move(*entry));
  }
  return out;
}

Match name_for_others(const Board& board, Match match, const std::string& me) {
  if (!board.exercise) return match;
  std::vector<std::string> names = match.names();
  std::ranges::replace(names, std::string(kYou), me.empty() ? "player1" : me);
  match.set_names(std::move(names));
  return match;
}

Match with_origin(const Board& board, const std::string& place, Match match) {
  if (board.has_others() && !board.match.ending()) match.set_origin(board.id + "@" + place);
  return match;
}

}  // namespace pbm
