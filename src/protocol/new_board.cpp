// SPDX-License-Identifier: MIT
#include "protocol/new_board.hpp"

#include <algorithm>

#include "protocol/userid.hpp"

namespace pbm {
namespace {

// Reads the terms of a board that is not on a server.
Result<BoardTerms> read_local_terms(const GameType& game, std::vector<std::string> words) {
  const std::size_t said = words.size();
  if (const auto limits = take_time_limits(words); !limits) return limits.refusal();
  if (words.size() < said)
    return Refusal{"Clocks run only on a server. A game here has no such option."};
  const auto options = read_options(game, words);
  if (!options) return options.refusal();
  return BoardTerms{*options};
}

// Returns the number of the first word that read_board_terms() refuses after the words before it.
std::size_t find_wrong_word(const GameType& game, const std::vector<std::string>& words) {
  std::size_t n = 1;
  while (n < words.size() &&
         read_board_terms(game, {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n)}))
    ++n;
  return n - 1;
}

// Reads the players. If it refuses, `offset` is the number of the wrong name.
Result<Seating> read_players(const GameType& game, const std::vector<std::string>& names,
                             bool server, const std::string& here) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty())
      return Refusal{"Type the name of player" + std::to_string(i + 1) +
                         (server ? ": a userid of this server, or computer:3." : "."),
                     i};
  const auto seats = complete_seating(game, names, here);
  for (std::size_t n = 1; !seats && n <= names.size(); ++n)
    if (!complete_seating(game, {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n)}))
      return Refusal{seats.refusal().reason, n - 1};
  return seats;
}

}  // namespace

std::vector<std::string> BoardTerms::words() const {
  std::vector<std::string> out = options.to_words();
  for (std::string& word : limits.option_words()) out.push_back(std::move(word));
  return out;
}

Result<BoardTerms> read_board_terms(const GameType& game, std::vector<std::string> words) {
  BoardTerms out;
  out.is_pair =
      std::erase_if(words, [](const std::string& word) {
        return equals_ignoring_case(word, "-pair") || equals_ignoring_case(word, "--pair");
      }) > 0;
  const auto limits = take_time_limits(words);
  if (!limits) return limits.refusal();
  auto options = read_options(game, words);
  if (!options) return options.refusal();
  out.limits = *limits;
  out.options = std::move(*options);
  return out;
}

std::string NewBoard::request_line() const {
  std::string out = std::string(match.game().name) + (is_open_challenge ? " seek" : " challenge");
  if (!is_open_challenge)
    for (const std::string& name : match.names()) out += " " + name;
  for (const std::string& word : BoardTerms{match.options(), match.limits()}.words())
    out += " " + word;
  return out + (is_pair ? " -pair" : "");
}

Result<NewBoard> read_new_board(const GameType& game, const BoardRequest& words,
                                const Requester& asker) {
  const bool open = words.is_open_challenge;
  const auto seats = open ? Result<Seating>(Seating{{asker.userid, "player2"}, {0, 0}})
                          : read_players(game, words.names, asker.uses_server, asker.default_name);
  const bool there =
      asker.uses_server &&
      (!seats || std::ranges::all_of(seats->computer_levels, [](int level) { return level == 0; }));
  const auto terms =
      there ? read_board_terms(game, words.options) : read_local_terms(game, words.options);
  if (!terms) return Refusal{terms.refusal().reason, find_wrong_word(game, words.options)};
  const auto refuse = [&](const std::string& why, std::size_t name) {
    return Refusal{why, words.options.size() + name};
  };
  if (!seats) return refuse(seats.refusal().reason, seats.refusal().offset);
  for (std::size_t i = 0; there && !open && i < seats->names.size(); ++i)
    if (const std::string& name = seats->names[i]; !check_userid(name))
      return refuse("'" + fit(name, 20) + "' is not a userid. On a server, every player has one.",
                    i);
  if (there && !asker.userid.empty() &&
      std::ranges::none_of(seats->names, [&](const std::string& name) {
        return equals_ignoring_case(name, asker.userid);
      }))
    return refuse("One of the players must be you, " + asker.userid + ".", 0);
  if (terms->is_pair && seats->names.size() > 2)
    return refuse("-pair is for two players. They swap seats on the second board.", 2);
  auto match = Match::start(game, terms->options, *seats, now());
  if (!match) return refuse(match.refusal().reason, 0);
  if (there) match->set_limits(terms->limits);
  return NewBoard{std::move(*match), there, terms->is_pair, open, seats->is_adaptive};
}

}  // namespace pbm
