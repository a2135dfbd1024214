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

// The words of each enumeration, in its order.
constexpr std::array<std::string_view, 3> kForms{"round-robin", "swiss", "knockout"};
constexpr std::array<std::string_view, 4> kStates{"open", "running", "over", "cancelled"};
constexpr std::array<std::string_view, 6> kResults{"", "first", "second", "tie", "annulled", "bye"};
constexpr const auto& words_of(Tournament::Form) { return kForms; }
constexpr const auto& words_of(Tournament::State) { return kStates; }
constexpr const auto& words_of(GameResult) { return kResults; }

template <class Value>
std::optional<Value> find_value(std::string_view word) {
  const auto& words = words_of(Value{});
  const auto found = std::ranges::find_if(
      words, [&](std::string_view each) { return equals_ignoring_case(each, word); });
  if (found == words.end()) return std::nullopt;
  return static_cast<Value>(found - words.begin());
}

// Writes a map on a line. Leaves out values that say nothing: 0, "", false, no time.
class MapWriter {
 public:
  void add(std::string_view key, const std::string& value) {
    if (!value.empty()) put(key, yaml_scalar(value));
  }
  void add(std::string_view key, const std::vector<std::string>& values) {
    if (!values.empty()) put(key, yaml_list(values));
  }
  void add(std::string_view key, const std::optional<Time>& time) {
    if (time) put(key, iso_time(*time));
  }
  void add(std::string_view key, const GameType* game) { put(key, game->name); }
  template <class Value>
  void add(std::string_view key, Value value) {
    if constexpr (std::is_enum_v<Value>) add(key, std::string(words_of(value)[index(value)]));
    else if (value != 0) put(key, std::is_same_v<Value, bool> ? "true" : std::to_string(value));
  }
  std::string take_line() { return "{" + out_ + "}"; }

 private:
  void put(std::string_view key, std::string_view value) {
    ((out_ += out_.empty() ? "" : ", ") += key) += ": ";
    out_ += value;
  }
  std::string out_;
};

// Reads such a map. Makes texts harmless, and tolerates missing values.
class MapReader {
 public:
  explicit MapReader(const YamlNode& map) : map_(map) {}
  void add(std::string_view key, std::string& value) { value = safe_text(get_text(map_, key)); }
  void add(std::string_view key, std::vector<std::string>& values) {
    values = get_texts(map_, key);
    for (std::string& value : values) value = safe_text(value);
  }
  void add(std::string_view key, std::optional<Time>& time) {
    if (const Time read = get_time(map_, key); read != Time{}) time = read;
  }
  void add(std::string_view key, const GameType*& game) { game = find_game(get_text(map_, key)); }
  template <class Value>
  void add(std::string_view key, Value& value) {
    if constexpr (std::is_same_v<Value, bool>) value = get_text(map_, key) == "true";
    else if constexpr (std::is_enum_v<Value>)
      value = find_value<Value>(get_text(map_, key)).value_or(Value{});
    else value = static_cast<Value>(get_number(map_, key));
  }

 private:
  const YamlNode& map_;
};

// The fields of each kind of line, for both directions. The first one names the kind.
template <class Map>
void add_fields(Map& map, Tournament& t) {
  map.add("tournament", t.name);
  map.add("game", t.game);
  map.add("options", t.options);
  map.add("form", t.form);
  map.add("state", t.state);
  map.add("rounds", t.rounds);
  map.add("round", t.round);
  map.add("entries", t.entry_count);
  map.add("most", t.max_entries);
  map.add("by", t.creator);
  map.add("until", t.start_time);
  map.add("begun", t.started_at);
  map.add("ended", t.ended_at);
  map.add("double", t.is_double);
  map.add("unrated", t.is_unrated);
  map.add("joined", t.has_joined);
}

template <class Map>
void add_fields(Map& map, TournamentEntry& entry) {
  map.add("entry", entry.number);
  map.add("user", entry.userid);
  map.add("rating", entry.rating);
  map.add("place", entry.place);
  map.add("halves", entry.half_points);
  map.add("tiebreaks", entry.tie_breaks);
  map.add("withdrawn", entry.has_withdrawn);
  map.add("struck", entry.is_struck);
}

template <class Map>
void add_fields(Map& map, TournamentGame& game) {
  map.add("round", game.round);
  map.add("first", game.first);
  map.add("second", game.second);
  map.add("board", game.board);
  map.add("result", game.result);
}

template <class Map>
void add_fields(Map& map, Ladder& ladder) {
  map.add("ladder", ladder.name);
  map.add("game", ladder.game);
  map.add("options", ladder.options);
  map.add("players", ladder.player_count);
  map.add("leader", ladder.leader);
  map.add("since", ladder.leads_since);
  map.add("place", ladder.own_place);
}

template <class Map>
void add_fields(Map& map, LadderPlace& place) {
  map.add("place", place.place);
  map.add("user", place.userid);
  map.add("rating", place.rating);
  map.add("since", place.since);
  map.add("board", place.board);
  map.add("challenger", place.challenger);
  map.add("may_challenge", place.may_challenge);
}

template <class Map>
void add_fields(Map& map, ProfileLine& line) {
  map.add(line.kind, line.subject);
  map.add("with", line.opponent);
  map.add("since", line.since);
  map.add("here", line.is_online);
  map.add("computer", line.is_computer);
  map.add("running", line.running);
  map.add("won", line.won);
  map.add("lost", line.lost);
  map.add("tied", line.tied);
  map.add("rating", line.rating);
  map.add("provisional", line.is_provisional);
  map.add("ratings", line.ratings);
  map.add("days", line.days);
  map.add("place", line.place);
  map.add("players", line.players);
}

template <class Line>
std::string write_line(Line line) {
  MapWriter out;
  add_fields(out, line);
  return out.take_line();
}

// Reads a line that begins with the key `kind`.
template <class Line>
std::optional<Line> read_line(std::string_view text, std::string_view kind, Line out = {}) {
  if (!text.starts_with("{" + std::string(kind) + ":")) return std::nullopt;
  const auto root = read_yaml(std::string(text) + "\n");
  if (!root) return std::nullopt;
  MapReader map(*root);
  add_fields(map, out);
  return out;
}

template <class Line>
std::optional<Line> require(std::optional<Line> line, bool (*makes_sense)(const Line&)) {
  return line && makes_sense(*line) ? std::move(line) : std::nullopt;
}

// Returns the title of a game with its options, but without the limits of time.
std::string make_title(const GameType& game, std::vector<std::string> options) {
  static_cast<void>(take_time_limits(options));
  return std::string(game.title) + (options.empty() ? "" : " " + join(options));
}

constexpr std::size_t kMostRounds = 128;  // a double round robin of 64 has 126

bool is_no_board(const std::string& board) { return board.empty() || read_board_id(board); }

}  // namespace

std::string_view to_string(Tournament::Form form) { return kForms[index(form)]; }
std::string_view to_string(Tournament::State state) { return kStates[index(state)]; }
std::optional<Tournament::Form> find_tournament_form(std::string_view word) {
  return find_value<Tournament::Form>(word);
}

std::string Tournament::title() const { return make_title(*game, options); }
std::string Tournament::form_text() const {
  return (is_double ? "double " : "") + std::string(to_string(form)) +
         (is_unrated ? ", unrated" : "");
}
std::string Tournament::state_text() const {
  if (state == State::open)
    return std::to_string(entry_count) + " of " + std::to_string(max_entries) + " players";
  if (state == State::running)
    return "round " + std::to_string(round) + " of " + std::to_string(rounds);
  return std::string(to_string(state)) +
         (ended_at ? " since " + iso_time(*ended_at).substr(0, 10) : "");
}
std::string Tournament::start_text() const {
  return state == State::open && start_time ? ", starts " + iso_time(*start_time).substr(0, 10)
                                            : "";
}
BoardSummary Tournament::make_list_row() const {
  BoardSummary out;
  out.id = name;
  out.is_tournament = true;
  out.game = game;
  out.options = options;
  out.last_change = started_at.value_or(Time{});
  out.remark = form_text() + ", " + state_text() + (has_joined ? ", you play" : "");
  return out;
}
std::string Ladder::title() const { return make_title(*game, options); }

std::size_t half_points(const TournamentGame& game, std::size_t entry) {
  switch (game.result) {
    case GameResult::first: return entry == game.first ? 2 : 0;
    case GameResult::second: return entry == game.second ? 2 : 0;
    case GameResult::tie: return 1;
    case GameResult::bye: return 2;
    case GameResult::pending:
    case GameResult::annulled: break;
  }
  return 0;
}

std::string format_points(std::size_t half_points) {
  return std::to_string(half_points / 2) + (half_points % 2 == 1 ? ".5" : "");
}

std::string encode(const Tournament& tournament) { return write_line(tournament); }
std::string encode(const TournamentEntry& entry) { return write_line(entry); }
std::string encode(const TournamentGame& game) { return write_line(game); }
std::string encode(const Ladder& ladder) { return write_line(ladder); }
std::string encode(const LadderPlace& place) { return write_line(place); }
std::string encode(const ProfileLine& line) { return write_line(line); }

std::optional<Tournament> decode_tournament(std::string_view line) {
  return require<Tournament>(read_line<Tournament>(line, "tournament"), [](const Tournament& t) {
    return !t.name.empty() && t.game != nullptr && std::max(t.round, t.rounds) <= kMostRounds;
  });
}

std::optional<TournamentEntry> decode_tournament_entry(std::string_view line) {
  return require<TournamentEntry>(
      read_line<TournamentEntry>(line, "entry"),
      [](const TournamentEntry& entry) { return check_userid(entry.userid).ok(); });
}

std::optional<TournamentGame> decode_tournament_game(std::string_view line) {
  return require<TournamentGame>(read_line<TournamentGame>(line, "round"),
                                 [](const TournamentGame& game) {
                                   return game.round > 0 && game.round <= kMostRounds &&
                                          game.first > 0 && is_no_board(game.board);
                                 });
}

std::optional<Ladder> decode_ladder(std::string_view line) {
  return require<Ladder>(read_line<Ladder>(line, "ladder"),
                         [](const Ladder& ladder) { return ladder.game != nullptr; });
}

std::optional<LadderPlace> decode_ladder_place(std::string_view line) {
  return require<LadderPlace>(read_line<LadderPlace>(line, "place"), [](const LadderPlace& place) {
    return place.place > 0 && check_userid(place.userid).ok() && is_no_board(place.board);
  });
}

std::optional<ProfileLine> decode_profile_line(std::string_view line) {
  for (const char* kind : {"profile", "results", "curve", "standing"})
    if (auto out = read_line(line, kind, ProfileLine{kind})) return out;
  return std::nullopt;
}

}  // namespace pbm
