// SPDX-License-Identifier: MIT
// Who has a userid on a server, who looks for a game there, and what is said on boards; all on the
// wire, where each is a YAML map on a line. Leaves who may take or read which to server/.
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

// Ratings from one to another, both included.
struct RatingRange {
  int low = 0, high = 0;
  std::string to_string() const { return std::to_string(low) + "-" + std::to_string(high); }
  friend bool operator==(const RatingRange&, const RatingRange&) = default;
};
// "1500-1700". Refuses anything else, in a sentence.
Result<RatingRange> read_rating_range(std::string_view word);

// An open challenge: whoever takes it plays.
struct Seek {
  std::size_t number = 0;
  std::string userid;  // whose it is
  const GameType* game = nullptr;
  std::vector<std::string> options;  // as words: "-size=7x9"
  std::optional<RatingRange> range;  // of those who may take it
  bool pair = false;                 // two boards, with the seats swapped
  Time since{};

  // "Toot -size=7x9, rated 1500-1700, late after 3 days, lost after 21 days, on two boards".
  std::string in_words() const;
  // As a row of a list, for `user`: "seek-7".
  BoardSummary as_row(const std::string& user) const;
  friend bool operator==(const Seek&, const Seek&) = default;
};
// "{seek: 7, by: fred, game: toot, options: [-tootris], ratings: 1500-1700, pair: true}".
std::string encode(const Seek& seek);
std::optional<Seek> decode_seek(std::string_view line);

// Somebody's rating at one game.
struct Standing {
  long rating = 0;
  bool provisional = true;
  std::size_t won = 0, lost = 0, tied = 0;
  std::string rating_text() const { return std::to_string(rating) + (provisional ? "?" : ""); }
  friend bool operator==(const Standing&, const Standing&) = default;
};

struct Person {
  std::string userid;
  bool here = false, computer = false;
  std::size_t boards = 0;                          // running
  std::map<std::string, Standing> standings = {};  // by game, of those with a rated game
  // "hal (computer)".
  std::string shown() const { return userid + (computer ? " (computer)" : ""); }
  friend bool operator==(const Person&, const Person&) = default;
};
// "{user: wilma, here: true, boards: 3, ratings: [toot 1784? 1 0 0]}": rating, won, lost, tied.
std::string encode(const Person& person);
std::optional<Person> decode_person(std::string_view line);

// What was said on a server's board.
struct ChatLine {
  std::size_t number = 0;  // on that board: 1 for the first that was ever said
  Time at{};
  std::string userid;  // who said it
  std::string text;
  bool fresh = false;  // whoever asks had not read it
  bool aside = false;  // in the server: said among those who watched while the game ran
  // "2026-11-21 12:00  fred: good luck".
  std::string in_words() const;
  friend bool operator==(const ChatLine&, const ChatLine&) = default;
};
// "{line: 3, at: 2026-11-21T12:00:00Z, by: fred, text: good luck, new: true}".
std::string encode(const ChatLine& line);
// With a harmless text.
std::optional<ChatLine> decode_chat(std::string_view line);

}  // namespace pbm
