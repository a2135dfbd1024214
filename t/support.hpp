// SPDX-License-Identifier: MIT
// What several tests need: seeded games of every kind, files, the source tree.
#pragma once

#include <filesystem>
#include <functional>
#include <random>

#include "catch.hpp"
#include "game/game_type.hpp"
#include "source_root.hpp"

namespace pbm::test {

// One way to start a game: its option set and number of seats.
struct Setup {
  const GameType* game;
  Options options;
  int seats;
  std::string name;  // "toot -size=3x3, 2 seats"
  Position start() const { return *game->start(options, seats); }
};

// Every game of the table with every variant and number of seats that can be started.
std::vector<Setup> all_setups();

// A setup from words: setup_of("toot", {"-size=7x9"}).
Setup setup_of(std::string_view game, const std::vector<std::string>& option_words = {},
               int seats = 2);

// The setup of that name, which is how a golden game begins: "toot -size=3x3, 2 seats".
Setup setup_named(const std::string& name);

// `start` after `plies` (separated by blanks), each of which must be legal.
Position after(Position start, std::string_view plies);

// The sentence that refuses `typed`, and its offset; fails the test when it is legal.
Refusal refused(const Position& position, std::string_view typed);

// The rows of a drawing as one text, a line feed after each.
std::string picture(const Position& position, const View& view = {});

// A number in [0, n).
std::size_t below(std::mt19937& random, std::size_t n);

// Whether `part` stands in `text`.
inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// The bytes of a file; fails the test when it is not there.
std::string bytes_of(const std::filesystem::path& file);

// A fresh empty directory, removed with everything in it at the end.
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

// What syncing a server's database does in this process, 0 or an errno: what disks promise is
// tested with the real program.
extern std::function<int(const std::string& file)> sync_database;

// Says visibly, and counts, that something could not be tried here.
void skip(const std::string& why);

}  // namespace pbm::test
