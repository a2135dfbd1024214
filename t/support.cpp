// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iostream>
#include <sstream>

namespace pbm::test {

std::vector<Setup> all_setups() {
  std::vector<Setup> out;
  const char* const one = std::getenv("PBM_GAME");  // instead of all games
  for (const GameType& game : all_games())
    for (const std::string_view variant :
         !one || game.name == one ? game.variants : std::vector<std::string_view>{})
      for (int seats = game.min_seats; seats <= game.max_seats; ++seats) {
        const auto options = read_options(game, split_words(variant));
        REQUIRE(options.ok());
        if (!game.start(*options, seats)) continue;
        std::string name(game.name);
        for (const std::string& w : options->to_words()) name += " " + w;
        out.push_back({&game, *options, seats, name + ", " + std::to_string(seats) + " seats"});
      }
  return out;
}

Setup make_setup(std::string_view game, const std::vector<std::string>& option_words, int seats) {
  const GameType* type = find_game(game);
  REQUIRE(type != nullptr);
  const auto options = read_options(*type, option_words);
  REQUIRE(options.ok());
  return {type, *options, seats, std::string(game)};
}

Setup setup_by_name(const std::string& name) {
  const std::size_t comma = name.find(", ");
  REQUIRE(comma != std::string::npos);
  std::vector<std::string> start = split_words(name.substr(0, comma));
  REQUIRE_FALSE(start.empty());
  const std::string game = start.front();
  start.erase(start.begin());
  return make_setup(game, start, std::stoi(name.substr(comma + 2)));
}

Position play_plies(Position position, std::string_view plies) {
  for (const std::string& typed : split_words(plies)) {
    const auto ply = position.parse(typed);
    INFO("move " << typed << (ply ? "" : ": " + ply.refusal().reason));
    REQUIRE(ply.ok());
    position.play(*ply);
  }
  return position;
}

Refusal require_refusal(const Position& position, std::string_view typed) {
  const auto ply = position.parse(typed);
  INFO("'" << typed << "' should be refused");
  REQUIRE_FALSE(ply.ok());
  return ply.refusal();
}

std::string drawing_text(const Position& position, const View& view) {
  std::string out;
  for (const std::string& row : position.draw(view).rows) out += row + "\n";
  return out;
}

std::size_t random_below(std::mt19937& random, std::size_t n) { return random() % n; }

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  INFO("file " << file);
  REQUIRE(in.good());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "pbmplay-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

namespace {
int skipped_tests = 0;
}

int skipped_count() { return skipped_tests; }

void skip_test(const std::string& why) {
  ++skipped_tests;
  std::cout << "skipped: " << Catch::getResultCapture().getCurrentTestName() << ": " << why
            << std::endl;
}

std::function<int(const std::string& file)> sync_database_hook;

}  // namespace pbm::test

// Replaces the function of the C library, also for SQLite.
extern "C" int fdatasync(int fd) {
  std::array<char, 4096> path{};
  const std::string link = "/proc/self/fd/" + std::to_string(fd);
  const ssize_t n = ::readlink(link.c_str(), path.data(), path.size());
  const std::string name =
      std::filesystem::path(
          std::string(path.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0))))
          .filename()
          .string();
  if (!name.starts_with("server.db")) return static_cast<int>(::syscall(SYS_fdatasync, fd));
  const int error = pbm::test::sync_database_hook ? pbm::test::sync_database_hook(name) : 0;
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}
