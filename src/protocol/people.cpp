// SPDX-License-Identifier: MIT
#include "protocol/people.hpp"

#include "base/text.hpp"
#include "game/clocks.hpp"
#include "protocol/framing.hpp"
#include "protocol/userid.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

std::optional<RatingRecord> read_standing(const std::vector<std::string>& said) {
  if (said.size() != 5) return std::nullopt;
  std::string_view rating = said[1];
  const bool provisional = rating.ends_with('?');
  if (provisional) rating.remove_suffix(1);
  const auto value = read_whole_number<long>(rating);
  const auto won = read_whole_number<std::size_t>(said[2]),
             lost = read_whole_number<std::size_t>(said[3]),
             tied = read_whole_number<std::size_t>(said[4]);
  if (!value || !won || !lost || !tied) return std::nullopt;
  return RatingRecord{*value, provisional, *won, *lost, *tied};
}

// Describes the conditions of an open challenge. Leaves only the game's own options in `of_game`.
std::string describe_conditions(const Seek& seek, std::vector<std::string>& of_game) {
  std::string out;
  if (const auto limits = take_time_limits(of_game))
    if (const std::string time = limits->non_default_text(); !time.empty()) out += ", " + time;
  if (seek.is_pair) out += ", on two boards";
  return out;
}

}  // namespace

std::string Seek::describe() const {
  std::vector<std::string> of_game = options;
  const std::string asked = describe_conditions(*this, of_game);
  std::string out(game->title);
  for (const std::string& option : of_game) out += " " + option;
  return out + asked;
}

BoardSummary Seek::make_list_row(const std::string& user) const {
  BoardSummary out;
  out.id = "seek-" + std::to_string(number);
  out.seek_number = number;
  out.game = game;
  out.options = options;
  out.names = {userid};
  out.user = user;
  out.last_change = created_at;
  out.remark = "open challenge by " + userid + describe_conditions(*this, out.options);
  return out;
}

std::string encode(const Seek& seek) {
  std::string out = "{seek: " + std::to_string(seek.number) + ", by: " + yaml_scalar(seek.userid) +
                    ", game: " + std::string(seek.game->name);
  if (!seek.options.empty()) out += ", options: " + yaml_list(seek.options);
  if (seek.is_pair) out += ", pair: true";
  return out + ", since: " + iso_time(seek.created_at) + "}";
}

std::optional<Seek> decode_seek(std::string_view line) {
  const auto root = read_yaml(std::string(line) + "\n");
  if (!root) return std::nullopt;
  Seek out;
  out.number = get_number(*root, "seek");
  const auto userid = check_userid(get_text(*root, "by"));
  out.game = find_game(get_text(*root, "game"));
  // A player can still take a challenge that this program does not understand, by typing.
  if (out.number == 0 || !userid || !out.game) return std::nullopt;
  std::vector<std::string> words = get_texts(*root, "options");
  const auto limits = take_time_limits(words);
  const auto options = read_options(*out.game, words);
  if (!limits || !options) return std::nullopt;
  out.userid = *userid;
  out.options = options->to_words();
  for (std::string& word : limits->option_words()) out.options.push_back(std::move(word));
  out.is_pair = get_text(*root, "pair") == "true";
  out.created_at = get_time(*root, "since");
  return out;
}

std::string encode(const Person& person) {
  std::string out = "{user: " + yaml_scalar(person.userid);
  if (person.is_online) out += ", here: true";
  if (person.is_computer) out += ", computer: true";
  if (person.board_count > 0) out += ", boards: " + std::to_string(person.board_count);
  std::vector<std::string> ratings;
  for (const auto& [game, x] : person.ratings)
    ratings.push_back(game + " " + x.rating_text() + " " + std::to_string(x.wins) + " " +
                      std::to_string(x.losses) + " " + std::to_string(x.ties));
  if (!ratings.empty()) out += ", ratings: " + yaml_list(ratings);
  return out + "}";
}

std::optional<Person> decode_person(std::string_view line) {
  const auto root = read_yaml(std::string(line) + "\n");
  const auto userid = root ? check_userid(get_text(*root, "user")) : Refusal{""};
  if (!userid) return std::nullopt;
  Person out{*userid};
  out.is_online = get_text(*root, "here") == "true";
  out.is_computer = get_text(*root, "computer") == "true";
  out.board_count = get_number(*root, "boards");
  for (const std::string& text : get_texts(*root, "ratings")) {
    const std::vector<std::string> said = split_words(text);
    if (const auto standing = read_standing(said)) out.ratings[said.front()] = *standing;
  }
  return out;
}

std::string encode(const ChatLine& line) {
  return "{line: " + std::to_string(line.number) + ", at: " + iso_time(line.time) +
         ", by: " + yaml_scalar(line.userid) + ", text: " + yaml_scalar(line.text) +
         (line.is_new ? ", new: true}" : "}");
}

std::optional<ChatLine> decode_chat(std::string_view line) {
  const auto root = read_yaml(std::string(line) + "\n");
  if (!root) return std::nullopt;
  const auto userid = check_userid(get_text(*root, "by"));
  ChatLine out;
  out.number = get_number(*root, "line");
  if (!userid || out.number == 0) return std::nullopt;
  out.time = get_time(*root, "at");
  out.userid = *userid;
  out.text = sanitize(get_text(*root, "text"));
  out.is_new = get_text(*root, "new") == "true";
  return out;
}

}  // namespace pbm
