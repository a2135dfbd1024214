// SPDX-License-Identifier: MIT
#include "server/tables/ratings.hpp"

#include <cmath>

namespace pbm {
namespace {

constexpr double kFactor = 32;

double sign_of(Score score) { return score == Score::won ? 1 : score == Score::lost ? -1 : 0; }

// Provisional: an average of what the games were worth, drawn towards 1720.
double provisional_value(double sum, std::size_t games) {
  const double average = sum / static_cast<double>(games);
  return average + (1720 - average) / 5;
}

// Against a provisional opponent less is at stake, the fewer games he has.
double established_value(const Rating& player, const Rating& opponent, Score score) {
  const double k = opponent.provisional() ? kFactor * static_cast<double>(opponent.games()) /
                                                static_cast<double>(kProvisional)
                                          : kFactor;
  const double expected = 1 / (1 + std::pow(10, (opponent.value - player.value) / 400));
  return player.value + k * ((sign_of(score) + 1) / 2 - expected);
}

}  // namespace

Rating after_game(const Rating& player, const Rating& opponent, Score score) {
  Rating next = player;
  ++(score == Score::won ? next.won : score == Score::lost ? next.lost : next.tied);
  if (!player.provisional()) {
    next.value = established_value(player, opponent, score);
    return next;
  }
  next.sum += opponent.provisional() ? (player.value + opponent.value) / 2 + 200 * sign_of(score)
                                     : opponent.value + 400 * sign_of(score);
  next.value = provisional_value(next.sum, next.games());
  return next;
}

}  // namespace pbm
