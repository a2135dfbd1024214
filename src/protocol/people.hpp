// SPDX-License-Identifier: MIT
// Persons on a server, open challenges and chat lines, and their text on the wire: a YAML map on a
// line. Leaves permissions to server/.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "protocol/board_summary.hpp"

namespace pbm {

// An open challenge: the player who takes it is the opponent.
struct Seek {
  std::size_t number = 0;
  std::string userid;  // the challenger
  const GameType* game = nullptr;
  std::vector<std::string> options;  // as words: "-size=7x9"
  bool is_pair = false;              // two boards, with the seats swapped
  Time created_at{};

  // Describes it: "Toot -size=7x9, late after 3 days, on two boards".
  std::string describe() const;
  // Returns a row of a list for `user`, with the id "seek-7".
  BoardSummary make_list_row(const std::string& user) const;
  friend bool operator==(const Seek&, const Seek&) = default;
};
// Formats an open challenge for the wire:
// "{seek: 7, by: fred, game: toot, options: [-tootris], pair: true}".
std::string encode(const Seek& seek);
std::optional<Seek> decode_seek(std::string_view line);

// A person's rating in one game.
struct RatingRecord {
  long rating = 0;
  bool is_provisional = true;
  std::size_t wins = 0, losses = 0, ties = 0;
  std::string rating_text() const { return std::to_string(rating) + (is_provisional ? "?" : ""); }
  friend bool operator==(const RatingRecord&, const RatingRecord&) = default;
};

struct Person {
  std::string userid;
  bool is_online = false, is_computer = false;
  std::size_t board_count = 0;                       // running boards
  std::map<std::string, RatingRecord> ratings = {};  // by name of the game; only with rated games
  // Returns the name for lists: "hal (computer)".
  std::string display_name() const { return userid + (is_computer ? " (computer)" : ""); }
  friend bool operator==(const Person&, const Person&) = default;
};
// Formats a person for the wire: "{user: wilma, here: true, boards: 3, ratings: [toot 1784? 1 0
// 0]}". The numbers are rating, won, lost, tied.
std::string encode(const Person& person);
std::optional<Person> decode_person(std::string_view line);

// A chat line on a server's board.
struct ChatLine {
  std::size_t number = 0;  // counts the lines of the board; the first is 1
  Time time{};
  std::string userid;  // the writer
  std::string text;
  bool is_new = false;           // new for the user who asks
  bool is_for_watchers = false;  // on the server: for watchers only while the game runs
  // Formats the line: "2026-11-21 12:00  fred: good luck".
  std::string format() const { return long_time(time) + "  " + userid + ": " + text; }
  friend bool operator==(const ChatLine&, const ChatLine&) = default;
};
// Formats a chat line for the wire:
// "{line: 3, at: 2026-11-21T12:00:00Z, by: fred, text: good luck, new: true}".
std::string encode(const ChatLine& line);
// Parses a chat line and makes its text harmless.
std::optional<ChatLine> decode_chat(std::string_view line);

}  // namespace pbm
