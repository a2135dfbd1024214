// SPDX-License-Identifier: MIT
// Typed moves in positions of every game. The input has the form of a golden game: a head,
// "toot -size=7x9, 2 seats", then lines. Each line is tried as a move, without a leading "> ", and
// played if it is legal. "~7" plays the seventh legal ply, counted from 0.
#include "game/game_type.hpp"
#include "target.hpp"

namespace pbm::test {

namespace {

constexpr std::size_t kMaxLines = 300, kMaxPlayed = 80;

std::optional<Position> start_position(const std::string& head) {
  const std::size_t comma = head.rfind(", ");
  std::vector<std::string> said = split_words(head.substr(0, comma));
  const int seats =
      comma != std::string::npos && head.size() > comma + 2 ? head[comma + 2] - '0' : 2;
  if (said.empty()) return std::nullopt;
  const GameType* game = find_game(said.front());
  if (!game || seats < game->min_seats || seats > game->max_seats) return std::nullopt;
  said.erase(said.begin());
  const auto options = read_options(*game, said);
  if (!options) {
    REQUIRE(is_sentence(options.refusal().reason));
    return std::nullopt;
  }
  REQUIRE(read_options(*game, options->to_words()).ok());
  auto position = game->start(*options, seats);
  if (!position) {
    REQUIRE(is_sentence(position.refusal().reason));
    return std::nullopt;
  }
  return std::move(*position);
}

void check_ply(const Position& position, const std::string& ply) {
  const auto again = position.parse(ply);
  REQUIRE(again.ok());
  REQUIRE(*again == ply);
  REQUIRE(is_sentence(position.describe(ply)));
  position.selected_spots(ply);
  position.changed_spots(ply);
  position.warning(ply);
}

}  // namespace

void try_input(std::string_view input) {
  const std::vector<std::string> lines = split_input(input);
  if (lines.empty()) return;
  auto position = start_position(lines.front());
  if (!position) return;
  std::size_t played = 0;
  for (std::size_t i = 1; i < std::min(lines.size(), kMaxLines) && played < kMaxPlayed; ++i) {
    const std::string& line = lines[i];
    const std::string_view typed = std::string_view(line).substr(line.starts_with("> ") ? 2 : 0);
    std::optional<std::string> ply;
    if (line.starts_with('~')) {
      const auto legal = position->legal_plies();
      REQUIRE(legal.empty() == position->outcome().has_value());
      if (!legal.empty())
        ply = legal[read_whole_number<std::size_t>(std::string_view(line).substr(1)).value_or(0) %
                    legal.size()];
    } else if (const auto parsed = position->parse(typed)) {
      ply = *parsed;
      const auto legal = position->legal_plies();
      REQUIRE(std::binary_search(legal.begin(), legal.end(), *ply));
    } else {
      REQUIRE(is_sentence(parsed.refusal().reason));
      REQUIRE(parsed.refusal().offset <= typed.size());
    }
    if (!ply) continue;
    check_ply(*position, *ply);
    position->play(*ply);
    ++played;
  }
  position->draw({});
  position->description_lines();
}

}  // namespace pbm::test
