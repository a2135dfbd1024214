// SPDX-License-Identifier: MIT
#include "protocol/contests.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "game/clocks.hpp"
#include "protocol/board_id.hpp"
#include "protocol/userid.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::array<std::string_view, 3> kForms{"round-robin", "swiss", "knockout"};
constexpr std::array<std::string_view, 4> kStates{"open", "running", "over", "cancelled"};
constexpr std::array<std::string_view, 6> kResults{"", "first", "second", "tie", "annulled", "bye"};

template <class Value, std::size_t kSize>
std::optional<Value> find_value(const std::array<std::string_view, kSize>& words,
                                std::string_view word) {
  const auto found = std::ranges::find_if(
      words, [&](std::string_view each) { return equals_ignoring_case(each, word); });
  if (found == words.end()) return std::nullopt;
  return static_cast<Value>(found - words.begin());
}

// Writes a map on a line: the first key and its value, then those that say something.
class MapWriter {
 public:
  MapWriter(std::string_view key, std::string_view value)
      : out_("{" + std::string(key) + ": " + yaml_scalar(value)) {}
  MapWriter& text(std::string_view key, std::string_view value) {
    return value.empty() ? *this : add(key, yaml_scalar(value));
  }
  MapWriter& number(std::string_view key, std::size_t value, bool always = false) {
    return value == 0 && !always ? *this : add(key, std::to_string(value));
  }
  MapWriter& list(std::string_view key, const std::vector<std::string>& values) {
    return values.empty() ? *this : add(key, yaml_list(values));
  }
  MapWriter& flag(std::string_view key, bool value) { return value ? add(key, "true") : *this; }
  MapWriter& time(std::string_view key, const std::optional<Time>& value) {
    return value && *value != Time{} ? add(key, iso_time(*value)) : *this;
  }
  MapWriter& add(std::string_view key, std::string_view value) {
    ((out_ += ", ") += key) += ": ";
    out_ += value;
    return *this;
  }
  std::string str() { return out_ + "}"; }

 private:
  std::string out_;
};

// Reads such a line if its map has the key `kind`.
std::optional<YamlNode> read_map(std::string_view line, std::string_view kind) {
  if (!line.starts_with("{" + std::string(kind) + ":")) return std::nullopt;
  auto root = read_yaml(std::string(line) + "\n");
  return root ? std::optional(std::move(*root)) : std::nullopt;
}

bool get_flag(const YamlNode& map, std::string_view key) { return get_text(map, key) == "true"; }

std::optional<Time> get_optional_time(const YamlNode& map, std::string_view key) {
  const Time time = get_time(map, key);
  return time == Time{} ? std::nullopt : std::optional(time);
}

std::string get_userid(const YamlNode& map, std::string_view key) {
  const auto userid = check_userid(get_text(map, key));
  return userid ? *userid : "";
}

std::vector<std::string> get_safe_texts(const YamlNode& map, std::string_view key) {
  std::vector<std::string> out = get_texts(map, key);
  for (std::string& text : out) text = safe_text(text);
  return out;
}

// Returns the title of a game with its options, but without the limits of time.
std::string make_title(const GameType& game, std::vector<std::string> options) {
  static_cast<void>(take_time_limits(options));
  return std::string(game.title) + (options.empty() ? "" : " " + join(options));
}

// Formats half points, or reads them.
std::optional<std::size_t> read_points(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto whole = read_whole_number<std::uint32_t>(text.substr(0, dot));
  if (!whole) return std::nullopt;
  return std::size_t{*whole} * 2 + (dot != std::string_view::npos);
}

}  // namespace

std::string_view to_string(Tournament::Form form) { return kForms[index(form)]; }
std::string_view to_string(Tournament::State state) { return kStates[index(state)]; }
std::optional<Tournament::Form> find_tournament_form(std::string_view word) {
  return find_value<Tournament::Form>(kForms, word);
}

std::string Tournament::title() const { return make_title(*game, options); }
std::string Ladder::title() const { return make_title(*game, options); }

std::string format_points(std::size_t half_points) {
  return std::to_string(half_points / 2) + (half_points % 2 == 1 ? ".5" : "");
}

std::string encode(const Tournament& t) {
  MapWriter out("tournament", t.name);
  out.text("game", t.game->name).list("options", t.options).text("form", to_string(t.form));
  out.text("state", to_string(t.state)).number("rounds", t.rounds).number("round", t.round);
  out.number("entries", t.entry_count, true).number("most", t.max_entries).text("by", t.creator);
  out.time("until", t.start_time).time("begun", t.started_at).time("ended", t.ended_at);
  out.flag("double", t.is_double);
  if (!t.is_rated) out.add("rated", "false");
  return out.flag("joined", t.has_joined).str();
}

std::optional<Tournament> decode_tournament(std::string_view line) {
  const auto root = read_map(line, "tournament");
  if (!root) return std::nullopt;
  Tournament out;
  out.name = safe_text(get_text(*root, "tournament"));
  out.game = find_game(get_text(*root, "game"));
  const auto form = find_tournament_form(get_text(*root, "form"));
  const auto state = find_value<Tournament::State>(kStates, get_text(*root, "state"));
  if (out.name.empty() || !out.game || !form || !state) return std::nullopt;
  out.options = get_safe_texts(*root, "options");
  out.form = *form;
  out.state = *state;
  out.rounds = get_number(*root, "rounds");
  out.round = get_number(*root, "round");
  out.entry_count = get_number(*root, "entries");
  out.max_entries = get_number(*root, "most");
  out.creator = get_userid(*root, "by");
  out.start_time = get_optional_time(*root, "until");
  out.started_at = get_optional_time(*root, "begun");
  out.ended_at = get_optional_time(*root, "ended");
  out.is_double = get_flag(*root, "double");
  out.is_rated = get_text(*root, "rated") != "false";
  out.has_joined = get_flag(*root, "joined");
  return out;
}

std::string encode(const TournamentEntry& entry) {
  MapWriter out("entry", std::to_string(entry.number));
  out.text("user", entry.userid).add("rating", std::to_string(entry.rating));
  if (entry.place > 0)
    out.number("place", entry.place).add("score", format_points(entry.half_points));
  return out.list("tiebreaks", entry.tie_breaks)
      .flag("withdrawn", entry.has_withdrawn)
      .flag("struck", entry.is_struck)
      .str();
}

std::optional<TournamentEntry> decode_tournament_entry(std::string_view line) {
  const auto root = read_map(line, "entry");
  if (!root) return std::nullopt;
  TournamentEntry out;
  out.number = get_number(*root, "entry");
  out.userid = get_userid(*root, "user");
  if (out.userid.empty()) return std::nullopt;
  out.rating = static_cast<long>(get_number(*root, "rating"));
  out.place = get_number(*root, "place");
  out.half_points = read_points(get_text(*root, "score")).value_or(0);
  out.tie_breaks = get_safe_texts(*root, "tiebreaks");
  out.has_withdrawn = get_flag(*root, "withdrawn");
  out.is_struck = get_flag(*root, "struck");
  return out;
}

std::string encode(const TournamentGame& game) {
  return MapWriter("round", std::to_string(game.round))
      .number("first", game.first)
      .number("second", game.second, true)
      .text("board", game.board)
      .text("result", kResults[index(game.result)])
      .str();
}

std::optional<TournamentGame> decode_tournament_game(std::string_view line) {
  const auto root = read_map(line, "round");
  if (!root) return std::nullopt;
  TournamentGame out{get_number(*root, "round"), get_number(*root, "first"),
                     get_number(*root, "second"), get_text(*root, "board")};
  const auto result = find_value<GameResult>(kResults, get_text(*root, "result"));
  if (out.round == 0 || out.first == 0 || !result ||
      (!out.board.empty() && !read_board_id(out.board)))
    return std::nullopt;
  out.result = *result;
  return out;
}

std::string encode(const Ladder& ladder) {
  return MapWriter("ladder", ladder.name)
      .text("game", ladder.game->name)
      .list("options", ladder.options)
      .number("players", ladder.player_count, true)
      .text("leader", ladder.leader)
      .time("since", ladder.leads_since)
      .number("place", ladder.own_place)
      .str();
}

std::optional<Ladder> decode_ladder(std::string_view line) {
  const auto root = read_map(line, "ladder");
  if (!root) return std::nullopt;
  Ladder out{safe_text(get_text(*root, "ladder")), find_game(get_text(*root, "game"))};
  if (!out.game) return std::nullopt;
  out.options = get_safe_texts(*root, "options");
  out.player_count = get_number(*root, "players");
  out.leader = get_userid(*root, "leader");
  out.leads_since = get_optional_time(*root, "since");
  out.own_place = get_number(*root, "place");
  return out;
}

std::string encode(const LadderPlace& place) {
  return MapWriter("place", std::to_string(place.place))
      .text("user", place.userid)
      .add("rating", std::to_string(place.rating))
      .time("since", place.since)
      .text("board", place.board)
      .text("challenger", place.challenger)
      .flag("may_challenge", place.may_challenge)
      .str();
}

std::optional<LadderPlace> decode_ladder_place(std::string_view line) {
  const auto root = read_map(line, "place");
  if (!root) return std::nullopt;
  LadderPlace out{get_number(*root, "place"), get_userid(*root, "user")};
  if (out.place == 0 || out.userid.empty()) return std::nullopt;
  out.rating = static_cast<long>(get_number(*root, "rating"));
  out.since = get_time(*root, "since");
  out.challenger = get_userid(*root, "challenger");
  if (const std::string board = get_text(*root, "board"); read_board_id(board)) out.board = board;
  out.may_challenge = get_flag(*root, "may_challenge");
  return out;
}

std::string encode(const ProfileLine& line) {
  const bool counts = line.kind == "results" || line.kind == "opponent";
  MapWriter out(line.kind, line.subject);
  out.text("game", line.game).time("since", line.since);
  out.flag("here", line.is_online).flag("computer", line.is_computer);
  if (line.kind == "profile") out.number("games", line.games, true);
  out.number("running", line.running, line.kind == "profile");
  if (counts)
    out.number("won", line.won, true).number("lost", line.lost, true).number("tied", line.tied,
                                                                             true);
  if (line.rating != 0) out.add("rating", std::to_string(line.rating));
  return out.flag("provisional", line.is_provisional)
      .list("ratings", line.ratings)
      .list("days", line.days)
      .number("place", line.place)
      .number("players", line.players)
      .str();
}

std::optional<ProfileLine> decode_profile_line(std::string_view line) {
  for (const char* kind : {"profile", "results", "opponent", "curve", "ladder"}) {
    const auto root = read_map(line, kind);
    if (!root) continue;
    ProfileLine out{kind, safe_text(get_text(*root, kind)), safe_text(get_text(*root, "game"))};
    out.won = get_number(*root, "won");
    out.lost = get_number(*root, "lost");
    out.tied = get_number(*root, "tied");
    out.games = get_number(*root, "games");
    out.running = get_number(*root, "running");
    out.is_online = get_flag(*root, "here");
    out.is_computer = get_flag(*root, "computer");
    out.is_provisional = get_flag(*root, "provisional");
    out.since = get_optional_time(*root, "since");
    out.rating = static_cast<long>(get_number(*root, "rating"));
    out.ratings = get_safe_texts(*root, "ratings");
    out.days = get_safe_texts(*root, "days");
    out.place = get_number(*root, "place");
    out.players = get_number(*root, "players");
    return out;
  }
  return std::nullopt;
}

}  // namespace pbm
