// SPDX-License-Identifier: MIT
// The finished games in the order of their ends, and the ratings that follow from them, calculated
// as on the old server's rating page. Leaves to board_actions.hpp which games are rated.
#pragma once

#include <vector>

#include "base/clock.hpp"
#include "game/match.hpp"
#include "store/database.hpp"

namespace pbm {

inline constexpr double kInitialRating = 1600;
inline constexpr std::size_t kProvisionalGames =
    20;  // with fewer rated games a rating is provisional

// The rating of a player at one game.
struct Rating {
  double value = kInitialRating;
  std::size_t won = 0, lost = 0, tied = 0;
  double provisional_sum = 0;  // of the value of each game while the rating is provisional

  std::size_t game_count() const { return won + lost + tied; }
  bool is_provisional() const { return game_count() < kProvisionalGames; }
};

// Games won, lost and tied.
struct Results {
  std::size_t won = 0, lost = 0, tied = 0;
  std::size_t game_count() const { return won + lost + tied; }
};

// The result of a game for one of its two players.
enum class Score { lost, tied, won };

// Returns the rating of `player` after a game. Both parameters are ratings before that game.
Rating updated_rating(const Rating& player, const Rating& opponent, Score score);

struct FinishedGame {
  std::string game;
  int board_number = 0;
  Time ended_at{};
  std::vector<std::string> options;  // as words
  std::vector<std::string> seats;
  std::optional<Seat> winner;  // nothing: a tie
  std::size_t plies = 0;
  std::string unrated_reason;       // why it is not rated, or ""
  std::vector<Seat> resigned = {};  // lost, as they resigned before the others agreed on a tie

  bool is_rated() const { return unrated_reason.empty(); }
};

class History {
 public:
  explicit History(Database& database) : database_(database) {}

  // True if a board's game is recorded. Later plies there change nothing here.
  bool has_game(std::string_view game, int board);
  // Adds a game. It becomes unrated if its two players had kMaxRatedADay rated games within a day.
  // Pre: !has_game(). Throws Error.
  static constexpr std::size_t kMaxRatedADay = 4;
  void add(FinishedGame game);
  // Makes a game unrated; returns false if it was. rename() changes a player's userid. Both throw
  // Error.
  bool make_unrated(std::string_view game, int board);
  void rename(const std::string& userid, const std::string& now);

  // Returns numbers of finished games, the latest first: those of any of `names`; or, if it is
  // empty, the latest `most` of all, without a limit if it is below 0. Names may be in any case.
  std::vector<std::int64_t> find_games(std::string_view game, const std::vector<std::string>& names,
                                       int most = -1);
  FinishedGame read_game(std::int64_t number);
  std::size_t game_count(std::string_view game);
  // Returns the results of a userid at a game.
  Results results(std::string_view game, const std::string& userid);
  // Returns the same for each opponent, the one with most games first; at most `most` of them.
  std::vector<std::pair<std::string, Results>> opponents(std::string_view game,
                                                         const std::string& userid,
                                                         std::size_t most);
  // Returns the ratings by userid; and the rating of one userid, nothing without a rated game.
  std::vector<std::pair<std::string, Rating>> ratings(std::string_view game);
  std::optional<Rating> rating(std::string_view game, std::string_view userid);
  // Returns a rating as people see it; that of a new player without a rated game.
  long rounded_rating(std::string_view game, std::string_view userid);
  // Returns the rating of a userid after each of their last `most` rated games, the latest last.
  std::vector<std::pair<Time, double>> rating_curve(std::string_view game,
                                                    const std::string& userid, std::size_t most);
  // Calculates the curves that an older version of this program did not keep. Throws Error.
  void complete_curves();

 private:
  void update_ratings(std::int64_t number, const FinishedGame& game);
  void recalculate(std::string_view game);
  void put_rating(std::string_view game, const std::string& userid, const Rating& rating);
  bool has_daily_maximum(const FinishedGame& game);

  Database& database_;
};

}  // namespace pbm
