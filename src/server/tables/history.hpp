// SPDX-License-Identifier: MIT
// The games that have ended, in that order, and the ratings that follow from them, by the
// arithmetic that the old server's rating page has. Leaves which games count to board_actions.hpp.
#pragma once

#include <vector>

#include "base/clock.hpp"
#include "game/match.hpp"
#include "store/database.hpp"

namespace pbm {

inline constexpr double kFirstRating = 1600;
inline constexpr std::size_t kProvisional = 20;  // rated games under which a rating is provisional

// A player at one game.
struct Rating {
  double value = kFirstRating;
  std::size_t won = 0, lost = 0, tied = 0;
  double sum = 0;  // of what the games so far were worth while provisional

  std::size_t games() const { return won + lost + tied; }
  bool provisional() const { return games() < kProvisional; }
};

// One game's result for one of its two players.
enum class Score { lost, tied, won };

// What `player` has after a game against `opponent`; both as they were before it.
Rating after_game(const Rating& player, const Rating& opponent, Score score);

struct FinishedGame {
  std::string game;
  int board = 0;
  Time at{};
  std::vector<std::string> options;  // as words
  std::vector<std::string> seats;
  std::optional<Seat> winner;  // nobody: a tie
  std::size_t plies = 0;
  std::string opening = {};         // the first kOpeningPlies of them, with blanks between
  std::string unrated;              // why it does not count; "" when it does
  std::vector<Seat> resigned = {};  // before the others agreed on a tie: they have lost

  bool rated() const { return unrated.empty(); }
};

class History {
 public:
  explicit History(Database& database) : database_(database) {}

  // Whether a board's end is known; what happens on it later counts no more.
  bool has(std::string_view game, int board);
  // A rated one that is too much for two within a day becomes unrated. Pre: !has(). Throws Error.
  static constexpr std::size_t kMaxRatedADay = 4;
  void add(FinishedGame game);
  // Has a game count for no rating; false where it counts for none. Somebody is called otherwise.
  // Both throw Error.
  bool annul(std::string_view game, int board);
  void rename(const std::string& userid, const std::string& now);

  // By their numbers, the latest first: those of a game, of anybody or of whoever is among `names`;
  // names are in any case.
  std::vector<std::int64_t> games(std::string_view game, const std::vector<std::string>& names);
  FinishedGame game(std::int64_t number);
  std::size_t count(std::string_view game);
  // The latest with the same options and seats and more than so many plies, at most `most`, and how
  // many there are in all.
  struct Like {
    std::size_t all = 0;
    std::vector<std::pair<std::string, std::optional<Seat>>> games;  // the opening, and who won
  };
  Like like(const Match& match, std::size_t plies, std::size_t most);
  // By userid, of those with a rated game; and of one of them.
  std::vector<std::pair<std::string, Rating>> ratings(std::string_view game);
  std::optional<Rating> rating(std::string_view game, std::string_view userid);

 private:
  void rate(const FinishedGame& game);
  void put(std::string_view game, const std::string& userid, const Rating& rating);
  bool enough_today(const FinishedGame& game);

  Database& database_;
};

}  // namespace pbm
