// SPDX-License-Identifier: MIT
// The games that have ended, in that order, and the ratings that follow from them. Leaves the
// arithmetic to ratings.hpp.
#pragma once

#include <deque>
#include <map>

#include "base/clock.hpp"
#include "base/interned.hpp"
#include "game/match.hpp"
#include "server/state/journal.hpp"
#include "server/state/ratings.hpp"

namespace pbm {

struct FinishedGame {
  Interned<std::string> game;
  int board = 0;
  Time at{};
  Interned<std::vector<std::string>> options;  // as words
  Interned<std::vector<std::string>> seats;
  std::optional<Seat> winner;  // nobody: a tie
  std::size_t plies = 0;
  std::string opening = {};  // the first kOpeningPlies of them, with blanks between
  Interned<std::string>
      unrated;  // why it does not count, "yes" where that is not known; "" when it does

  bool rated() const { return unrated.empty(); }
};

class History {
 public:
  explicit History(CommitLog& log);
  std::string load() { return journal_.load(); }
  void tidy() { journal_.tidy(); }

  // Whether a board's end is known; what happens on it later counts no more.
  bool has(std::string_view game, int board) const;
  // A rated one that is too much for two within a day becomes unrated. Pre: !has(). Throws Error
  // with nothing changed.
  static constexpr std::size_t kMaxRatedADay = 4;
  void add(FinishedGame game);
  // Has a game count for no rating; false where it counts for none. Somebody is called otherwise.
  // Both throw Error with nothing changed.
  bool annul(std::string_view game, int board);
  void rename(const std::string& userid, const std::string& now);

  // Of one game, the oldest first; and those of them that somebody had a seat in, whose name is in
  // any case. Good until the next of those.
  using Games = std::vector<const FinishedGame*>;
  const Games& games(std::string_view game);
  const Games& games(std::string_view game, std::string_view name);
  // By userid, of those with a rated game.
  const std::map<std::string, Rating>& ratings(std::string_view game);

 private:
  void take(const Record& record);
  void count(const FinishedGame& game);
  void count_anew();
  FinishedGame* find(std::string_view game, int board);
  static Record record_of(const FinishedGame& game);
  bool enough_today(const FinishedGame& game) const;

  struct OfGame {
    Games games;
    std::map<std::string, Games, std::less<>> by_player;  // by names in small letters
    std::vector<bool> known;                              // by the number of the board
    std::map<std::string, Rating> ratings;
  };
  OfGame& of(std::string_view game);

  std::deque<FinishedGame> games_;
  std::map<std::string, OfGame, std::less<>> by_game_;
  // When two userids had their last rated games, of all games.
  std::map<std::pair<std::string, std::string>, std::deque<Time>> rated_;
  Journal journal_;
};

}  // namespace pbm
