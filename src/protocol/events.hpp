// SPDX-License-Identifier: MIT
// Reads and writes events, the lines that begin with "* ", by one table. The manual prints the
// table too. Leaves the choice of receivers to server/, and showing events to boards/.
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
    game_over,
    board_gone,
    queue_dropped,
    board_changed,
    nag,
    chat,
    message,
    broadcast,
    signout,
    announce,
    seek,
    unseek,
    tournament,
    ladder,
    board_update,
  };
  // The table row of a kind says which of these members it has.
  Kind kind = Kind::message;
  std::optional<BoardKey> board = {};
  std::string userid = {};
  std::size_t number = 0;
  std::string move = {};
  bool is_automatic = false;
  std::string text = {};                   // for `now` a board as encode() writes it
  std::optional<Time> original_time = {};  // the time of an event that is delivered late

  friend bool operator==(const Event&, const Event&) = default;
};

struct EventRow {
  Event::Kind kind;
  std::string_view name;    // "ply"
  bool has_board;           // a game's name and a board's number precede the name
  std::string_view syntax;  // the words after it: "number userid move [(Auto)]"
  // The sentence for players, or "" if there is none. %u is the userid, %m the move, %t the text,
  // and %a says that a ply was queued.
  std::string_view sentence;
};
std::span<const EventRow> event_rows();

// Formats an event for the wire: "toot 101 ply 2 wilma CO".
std::string encode(const Event& event);
// Adds its time to the line of an event that is delivered late.
std::string encode_delayed(std::string_view what, Time since);
// Parses an event. Returns nothing for an unknown one.
std::optional<Event> decode_event(std::string_view what);

// Returns the sentence for players, or "" if there is none.
std::string event_sentence(const Event& event);

// Returns the event kind of a match word: "propose". Pre: is_match_word(word).
Event::Kind event_kind(std::string_view word);

}  // namespace pbm
