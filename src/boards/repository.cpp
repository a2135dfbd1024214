// SPDX-License-Identifier: MIT
#include "boards/repository.hpp"

#include <algorithm>

#include "protocol/match_description.hpp"

namespace pbm {

std::string describe_seat(const Match& match, Seat seat) {
  const int level = match.computer_level(seat);
  return (level > 0 ? "The computer plays " : "A person plays ") +
         match.position().side_name(seat) +
         (level > 0 ? " at level " + std::to_string(level) : "") + ".";
}

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

std::string seat_name(const Match& match, Seat seat, std::optional<Seat> own) {
  const auto& levels = match.seating().computer_levels;
  const std::string& name = match.names()[index(seat)];
  const bool only = std::ssize(levels) - std::ranges::count(levels, 0) == 1;
  if (seat == own) return "you";
  return levels[index(seat)] > 0 && only && name == "computer" ? "the computer"
                                                               : display_name(name);
}

std::string possessive(const std::string& name) { return name == "you" ? "your" : name + "'s"; }

std::string capitalize(const std::string& name) {
  return name == "you" ? "You" : name == "the computer" ? "The computer" : name;
}

namespace {

// Returns the reason of an ending with the subject as the reader knows it: "x had no valid move"
// becomes "The computer had no valid move". Keeps names of the board, as in "TOOT stands in ...".
std::string ending_reason(const Match& match, std::optional<Seat> own) {
  const auto& [winner, reason, spots, is_by_rules] = *match.ending();
  std::string who, name;  // a name may begin with another one: the longest counts
  for (Seat s = 0; s < match.seats(); ++s) {
    const std::string label =
        is_by_rules ? match.position().side_name(s) : safe_text(match.names()[index(s)]);
    if (label.size() < who.size() || !reason.starts_with(label + (is_by_rules ? " ha" : " ")))
      continue;
    who = label;
    name = capitalize(seat_name(match, s, own));
  }
  const std::string rest = reason.substr(who.size());
  if (name == "You" && rest.starts_with(" has ")) return "You have" + rest.substr(4);
  if (name == "You" && rest.starts_with(" was ")) return "You were" + rest.substr(4);
  return name + rest;
}

}  // namespace

std::string status_text(const Match& match, std::size_t plies, std::optional<Seat> own) {
  const bool over = match.ending() && plies >= match.plies().size();
  if (!own || (over && !match.ending()->winner)) return match.status_after(plies);
  const Position seen = match.position_after(plies);
  const Seat seat = over ? *match.ending()->winner : seen.to_move();
  const std::string name = seat_name(match, seat, own), side = " (" + seen.side_name(seat) + ")";
  if (!over) return "It is " + possessive(name) + " turn" + side + ".";
  return capitalize(name) + side + (seat == own ? " win. " : " wins. ") +
         ending_reason(match, own) + ".";
}

std::string holdings_text(const Match& match, std::size_t plies, std::optional<Seat> own) {
  if (!own) return match.holdings_after(plies);
  const Position position = match.position_after(plies);
  std::vector<std::string> parts;
  for (Seat s = 0; s < match.seats(); ++s) {
    const std::string left = position.holdings(s), name = seat_name(match, s, own);
    if (!left.empty())
      parts.push_back((parts.empty() ? capitalize(name) : name) + (s == own ? " have " : " has ") +
                      left);
  }
  return parts.empty() ? "" : join_with_and(parts) + ".";
}

Refusal outdated_refusal(const Match& seen, const Match& now) {
  const auto told = describe_new_actions(seen, now);
  const std::string seats = told ? describe_seat_changes(seen, now) : "";
  return Refusal{"Not played. Look at the position again. " + seats +
                 (seats.empty() || told->empty() ? "" : " ") +
                 (told ? join_descriptions(*told) : "Another program changed this game.") + " " +
                 now.status()};
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

Match with_origin(const Board& board, const std::string& place, Match match) {
  if (board.has_others() && !board.match.ending()) match.set_origin(board.id + "@" + place);
  return match;
}

}  // namespace pbm
