// SPDX-License-Identifier: MIT
// The events, as they stand behind the "* " of a line: one table, by which they are written and
// read, and which the manual prints. Leaves who hears of what to server/, and how people are told
// of it to boards/.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "protocol/board_id.hpp"

namespace pbm {

struct Event {
  enum class Kind : std::uint8_t {
    challenge,
    turn,
    ply,
    propose,
    undo,
    accept,
    reject,
    resign,
    over,
    gone,
    dropped,
    changed,
    nag,
    note,
    chat,
    message,
    broadcast,
    signout,
    announce,
    seek,
    unseek,
    now,
  };
  // Each kind has of these what its row names.
  Kind kind = Kind::message;
  std::optional<BoardKey> board = {};
  std::string userid = {};
  std::size_t number = 0;
  std::string move = {};
  bool automatic = false;
  std::string text = {};            // of `now` a BoardUpdate
  std::optional<Time> waited = {};  // since when, for somebody who was away

  friend bool operator==(const Event&, const Event&) = default;
};

struct EventRow {
  Event::Kind kind;
  std::string_view name;    // "ply"
  bool of_board;            // a game's name and a board's number stand before it
  std::string_view syntax;  // what follows: "number userid move [(Auto)]"
  // In words, "" for what says nothing to people: %u is the userid, %m the move, %t the text, and
  // %a says of a ply that it was queued.
  std::string_view told;
};
std::span<const EventRow> event_rows();

// "toot 101 ply 2 wilma CO".
std::string encode(const Event& event);
// The same line for an event that has waited until now.
std::string encode_late(std::string_view what, Time since);
// Nothing for what is no event of the table.
std::optional<Event> decode_event(std::string_view what);

// In words for people; "" for what says nothing to them.
std::string in_words(const Event& event);

// The kind of event for a word of a match: "propose". Pre: is_match_word(word).
Event::Kind event_kind_of(std::string_view word);

}  // namespace pbm
