// SPDX-License-Identifier: MIT
// The tournaments of a server with their entries and games. Leaves the rules to server/tournaments,
// and what follows from a result to contest_rounds.hpp.
#pragma once

#include "protocol/contests.hpp"
#include "store/database.hpp"

namespace pbm {

class Tournaments {
 public:
  static constexpr std::size_t kMinEntries = 3, kMaxEntries = 64;
  static constexpr std::size_t kMaxOpenPerUser = 2;   // that one member made
  static constexpr std::size_t kMaxUnfinished = 100;  // open or running, of all
  static constexpr std::size_t kMaxListedOver = 10;   // the latest, in the list
  static constexpr std::size_t kMaxAtOnce = 6;        // games of a player in a round robin

  explicit Tournaments(Database& database) : database_(database), boards_(database, "pairing") {}

  // Returns a tournament by its name in any case, or nothing.
  std::optional<Tournament> find(std::string_view name);
  // Returns those that run, then the open ones, then the kMaxListedOver that ended last.
  std::vector<Tournament> find_listed();
  // Returns the open and running ones; or those of them in which `userid` plays.
  std::vector<Tournament> find_unfinished();
  std::vector<Tournament> find_unfinished(const std::string& userid);
  // Returns entries by number, without places; and games in the order of pairing.
  std::vector<TournamentEntry> entries(const std::string& name);
  std::vector<TournamentGame> games(const std::string& name);
  // Returns "Round 2 of autumn" for the board of a tournament, else "".
  const std::string& describe_board(const std::string& board);
  // Returns the tournament of a board, and the index of its game in games().
  struct GamePlace {
    std::string tournament;
    std::size_t index = 0;
  };
  std::optional<GamePlace> find_game(const std::string& board);
  // Returns running games whose boards do not exist any more.
  std::vector<std::string> find_lost_boards();

  // All of these throw Error. put() adds or changes a tournament, without its entries.
  void put(const Tournament& tournament);
  void erase(const std::string& name);
  // Replaces the entries; their order gives the numbers.
  void set_entries(const std::string& name, const std::vector<TournamentEntry>& entries);
  void set_entry(const std::string& name, const TournamentEntry& entry);
  // Adds games after those that are there.
  void add_games(const std::string& name, const std::vector<TournamentGame>& games);
  void set_game(const GamePlace& place, const TournamentGame& game);

 private:
  Database& database_;
  QueryCache<std::string> boards_;
};

}  // namespace pbm
