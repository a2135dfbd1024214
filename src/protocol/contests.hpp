// SPDX-License-Identifier: MIT
// Tournaments, ladders and profiles of players as a server lists them, and their text on the wire:
// a YAML map on a line. Leaves pairing and ranking to server/tournaments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "protocol/board_summary.hpp"

namespace pbm {

struct Tournament {
  enum class Form : std::uint8_t { round_robin, swiss, knockout };
  enum class State : std::uint8_t { open, running, over, cancelled };
  std::string name;
  const GameType* game = nullptr;
  std::vector<std::string> options;  // as words, with the limits of time
  Form form = Form::round_robin;
  State state = State::open;
  std::size_t rounds = 0;  // 0: not known yet
  std::size_t round = 0;   // the earliest that is not over, or the last; 0: none has begun
  std::size_t entry_count = 0, max_entries = 0;
  std::string creator = {};             // a userid, or "" for the owner of the server
  std::optional<Time> start_time = {};  // it starts by itself then
  std::optional<Time> started_at = {}, ended_at = {};
  bool is_double = false, is_unrated = false;
  bool has_joined = false;  // the reader takes part

  // Returns "Toot -size=7x9".
  std::string title() const;
  // Return "double round-robin, unrated", and "round 2 of 6", "5 of 16 players" or "over since
  // 2026-12-20"; and if it starts by itself then, ", starts 2026-12-01".
  std::string form_text() const;
  std::string state_text() const;
  std::string start_text() const;
  // Returns the row of a client's list; its id is the name.
  BoardSummary make_list_row() const;
  friend bool operator==(const Tournament&, const Tournament&) = default;
};
std::string_view to_string(Tournament::Form form);
std::optional<Tournament::Form> find_tournament_form(std::string_view word);
std::string_view to_string(Tournament::State state);

// A player of a tournament with the place in the standings.
struct TournamentEntry {
  std::size_t number = 0;  // in pairings, from 1; at the start in the order of ratings
  std::string userid;
  long rating = 0;  // at the start
  bool has_withdrawn = false;
  bool is_struck = false;       // the games do not count
  std::size_t place = 0;        // 0: no standings yet
  std::size_t half_points = 0;  // two for a game won; in a knockout, for a round won
  // Points in the direct encounter, Sonneborn-Berger or Buchholz, wins: as text.
  std::vector<std::string> tie_breaks = {};
  friend bool operator==(const TournamentEntry&, const TournamentEntry&) = default;
};

// The result of a game of a tournament. A bye is worth a win; an annulled game, nothing.
enum class GameResult : std::uint8_t { pending, first, second, tie, annulled, bye };

struct TournamentGame {
  std::size_t round = 0;              // from 1
  std::size_t first = 0, second = 0;  // numbers of entries by seat; second is 0 for a bye
  std::string board = {};             // "toot-101", or "" without a board
  GameResult result = GameResult::pending;
  friend bool operator==(const TournamentGame&, const TournamentGame&) = default;
};

struct Ladder {
  std::string name;  // "toot -size=7x9"
  const GameType* game = nullptr;
  std::vector<std::string> options = {};
  std::size_t player_count = 0;
  std::string leader = {};
  std::optional<Time> leads_since = {};
  std::size_t own_place = 0;  // of the reader, or 0
  // Returns "Toot -size=7x9".
  std::string title() const;
  friend bool operator==(const Ladder&, const Ladder&) = default;
};

struct LadderPlace {
  std::size_t place = 0;  // from 1
  std::string userid;
  long rating = 0;
  std::optional<Time> since = {};           // has this place since then
  std::string board = {}, challenger = {};  // the game for this place that runs, or ""
  bool may_challenge = false;               // the reader may challenge this place
  friend bool operator==(const LadderPlace&, const LadderPlace&) = default;
};

// A line of a profile: the player, results by game or by game and opponent, the curve of a rating,
// or a place on a ladder.
struct ProfileLine {
  std::string kind;          // "profile", "results", "curve" or "standing"
  std::string subject = {};  // the userid; a game; a ladder
  std::string opponent = {};
  std::size_t won = 0, lost = 0, tied = 0;  // of finished games
  std::size_t running = 0;
  bool is_online = false, is_computer = false, is_provisional = false;
  std::optional<Time> since = {};
  long rating = 0;                                   // 0: none
  std::vector<std::string> ratings = {}, days = {};  // after each rated game
  std::size_t place = 0, players = 0;
  friend bool operator==(const ProfileLine&, const ProfileLine&) = default;
};

// Format each of them for the wire; pbmplay-commands(7) describes the fields.
std::string encode(const Tournament& tournament);
std::string encode(const TournamentEntry& entry);
std::string encode(const TournamentGame& game);
std::string encode(const Ladder& ladder);
std::string encode(const LadderPlace& place);
std::string encode(const ProfileLine& line);

// Read a line of a server. Return nothing for a line of another kind, or for one that makes no
// sense to this program.
std::optional<Tournament> decode_tournament(std::string_view line);
std::optional<TournamentEntry> decode_tournament_entry(std::string_view line);
std::optional<TournamentGame> decode_tournament_game(std::string_view line);
std::optional<Ladder> decode_ladder(std::string_view line);
std::optional<LadderPlace> decode_ladder_place(std::string_view line);
std::optional<ProfileLine> decode_profile_line(std::string_view line);

// Returns the half points of an entry in a game: two for a win or a bye, one for a tie.
std::size_t half_points(const TournamentGame& game, std::size_t entry);

// Formats half points: "4.5".
std::string format_points(std::size_t half_points);

}  // namespace pbm
