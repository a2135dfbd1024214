// SPDX-License-Identifier: MIT
// Helpers for several tests: all games and variants, files, the source tree.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>

#include "catch.hpp"
#include "game/game_type.hpp"
#include "source_root.hpp"

namespace pbm::test {

// One way to start a game: its options and number of seats.
struct Setup {
  const GameType* game;
  Options options;
  int seats;
  std::string name;  // "toot -size=3x3, 2 seats"
  Position start() const { return *game->start(options, seats); }
};

// Returns every game of the table with every variant and number of seats that is possible.
std::vector<Setup> all_setups();

// Returns a setup, for example setup_of("toot", {"-size=7x9"}).
Setup make_setup(std::string_view game, const std::vector<std::string>& option_words = {},
                 int seats = 2);

// Returns the setup from the first line of a golden game: "toot -size=3x3, 2 seats".
Setup setup_by_name(const std::string& name);

// Returns the position after `plies`, separated by blanks. Fails the test at an illegal ply.
Position play_plies(Position start, std::string_view plies);

// Returns the refusal of `typed`. Fails the test if it is legal.
Refusal require_refusal(const Position& position, std::string_view typed);

// Returns the rows of a drawing as one text, each with a line feed.
std::string drawing_text(const Position& position, const View& view = {});

// Returns a random number in [0, n).
std::size_t random_below(std::mt19937& random, std::size_t n);

// True if `text` contains `part`.
inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns the bytes of a file. Fails the test if there is no such file.
std::string read_bytes(const std::filesystem::path& file);

// A new empty directory; the destructor removes it with all files in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Replaces the sync of a server's database in this process: returns 0 or an errno. Tests of syncing
// to disk use the real program.
extern std::function<int(const std::string& file)> sync_database_hook;

// Prints and counts that a test is not possible on this machine.
void skip_test(const std::string& why);

}  // namespace pbm::test
