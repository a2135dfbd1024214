// SPDX-License-Identifier: MIT
// The ladders of a server: one for each game, and those that the owner opened for other options.
// Leaves the rules to server/tournaments/ladder.hpp, and what follows from a result to
// contest_rounds.hpp.
#pragma once

#include "protocol/contests.hpp"
#include "server/tournaments/ladder.hpp"
#include "store/database.hpp"

namespace pbm {

// A game for a place on a ladder.
struct LadderGame {
  std::string board, ladder, challenger, challenged;
};

class Ladders {
 public:
  static constexpr std::size_t kMaxOpened = 50;     // by the owner
  static constexpr std::size_t kMaxPlayers = 1000;  // of one ladder

  explicit Ladders(Database& database) : database_(database), boards_(database, "ladder_game") {}

  // Returns the names of all ladders: "toot", "toot -size=7x9".
  std::vector<std::string> names();
  bool has(const std::string& name);
  // Returns a ladder as `userid`, or "" for nobody, sees it. Pre: has(name).
  Ladder find(const std::string& name, const std::string& userid);
  // Returns the players from the leader down; and since when each has the place.
  std::vector<LadderPlayer> players(const std::string& name);
  std::vector<Time> since(const std::string& name);
  // Returns the ladders on which `userid` has a place.
  std::vector<std::string> find_ladders(const std::string& userid);
  // Returns the running games of a ladder; and the running game on a board, or nothing.
  std::vector<LadderGame> running_games(const std::string& name);
  std::optional<LadderGame> find_running_game(const std::string& board);
  // Returns when the last game ended that has the ladder and the players of `game`, or nothing.
  std::optional<Time> last_challenge_end(const LadderGame& game);
  std::vector<std::string> find_lost_boards();
  // Returns "Ladder of Toot" for a board of a ladder, else "".
  const std::string& describe_board(const std::string& board);

  // All of these throw Error.
  void open(const std::string& name);
  // Sets the players in their new order. Those whose place has changed have it since `now`.
  void set_players(const std::string& name, const std::vector<LadderPlayer>& players, Time now);
  void add_game(const LadderGame& game);
  // Ends a game, or forgets one that was annulled.
  void end_game(const std::string& board, Time now);
  void forget_game(const std::string& board);

 private:
  Database& database_;
  QueryCache<std::string> boards_;
};

}  // namespace pbm
