// SPDX-License-Identifier: MIT
#include "game/match.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "base/files.hpp"

namespace pbm {
namespace {

constexpr int kNameColumns = 16;
constexpr std::string_view kComputerName = "computer";

std::string seat_count_text(const GameType& game) {
  return game.min_seats == game.max_seats ? format_count(index(game.max_seats), "player", "players")
                                          : std::to_string(game.min_seats) + " to " +
                                                std::to_string(game.max_seats) + " players";
}

// Seats that resigned before have lost; they are not named.
std::string agreeing_players(const Match& m) {
  std::vector<std::string> names;
  for (Seat s = 0; s < m.seats(); ++s)
    if (m.is_playing(s)) names.push_back(safe_text(m.names()[index(s)]));
  return std::ssize(names) == m.seats() ? "The players" : join_with_and(names);
}

// True if `typed` can be a ply of `seat` when its turn comes. Sets `refused` to the refusal that
// read furthest into `typed`. Looks at about `most` positions, spread evenly if there are more.
bool can_become_legal(const Position& position, Seat seat, const std::string& typed,
                      std::size_t most, std::optional<Refusal>& refused) {
  if (position.outcome()) return false;
  if (position.to_move() == seat) {
    const auto ply = position.parse(typed);
    if (!ply && (!refused || refused->offset < ply.refusal().offset)) refused = ply.refusal();
    return ply.ok();
  }
  const std::vector<std::string> plies = position.legal_plies();
  const std::size_t n = std::min(plies.size(), std::max<std::size_t>(most, 1));
  for (std::size_t i = 0; i < n; ++i) {
    Position next = position;
    next.play(plies[i * plies.size() / n]);
    if (can_become_legal(next, seat, typed, most / n, refused)) return true;
  }
  return false;
}

// Returns the holdings of a seat. If its pieces on the board have names, these are in whole words,
// "6 Floopers and 2 SooperFloopers", because a sentence has more room than a panel.
std::string holdings_in_words(const Position& position, Seat seat) {
  const std::string brief = position.holdings(seat), side = position.side_name(seat) + " ";
  std::map<std::string, std::size_t> counts;
  if (brief.empty()) return brief;
  for (const Spot& spot : position.draw(View{}).spots)
    if (spot.content.starts_with(side)) ++counts[spot.content.substr(side.size())];
  std::vector<std::string> out;
  for (const auto& [name, n] : counts) out.push_back(format_count(n, name, name + "s"));
  return out.empty() ? brief : join_with_and(out);
}

}  // namespace

std::optional<MatchWord> find_match_word(std::string_view text) {
  for (std::size_t i = 0; i < kMatchWords.size(); ++i)
    if (equals_ignoring_case(kMatchWords[i], text)) return static_cast<MatchWord>(i);
  return std::nullopt;
}

std::string display_name(std::string_view name) { return fit(name, kNameColumns); }

bool is_called_you(std::string_view name) { return equals_ignoring_case(name, "you"); }

std::string quote_you(const std::string& name) {
  return is_called_you(name) ? '"' + name + '"' : name;
}

Result<Success> check_player_name(const std::string& name) {
  if (name.empty() || trim(name).size() != name.size())
    return Refusal{"A name cannot be empty. It cannot start or end with a space."};
  if (safe_text(name) != name)
    return Refusal{"The name '" + display_name(name) + "' has characters that cannot be shown."};
  if (columns(name) > kNameColumns)
    return Refusal{"The name '" + display_name(name) + "' is too long. A name has at most " +
                   std::to_string(kNameColumns) + " characters."};
  if (is_called_you(name))
    return Refusal{"'" + name + "' means the player at this keyboard. Choose another name."};
  return Success{};
}

Result<Seating> read_seating(const std::vector<std::string>& typed) {
  Seating out;
  for (const std::string& word : typed) {
    const std::string_view name = std::string_view(word).substr(0, word.find(':'));
    // The computers of one game are numbered: "computer2".
    const std::string_view number = name.substr(std::min(kComputerName.size(), name.size()));
    if (!equals_ignoring_case(name.substr(0, kComputerName.size()), kComputerName) ||
        number.find_first_not_of("0123456789") != std::string_view::npos) {
      out.names.push_back(word);
      out.computer_levels.push_back(0);
      continue;
    }
    const bool has_level = name.size() < word.size();
    const auto level =
        has_level ? read_whole_number<int>(std::string_view(word).substr(name.size() + 1)) : 1;
    if (!level || *level < 1 || *level > kMaxLevel)
      return Refusal{"There is no level '" + fit(word, 20) + "'. Levels are 1 to " +
                     std::to_string(kMaxLevel) + ", for example computer:3."};
    const auto others = std::ranges::count_if(out.computer_levels, [](int l) { return l > 0; });
    out.names.push_back(std::string(kComputerName) +
                        (others > 0 ? std::to_string(others + 1) : ""));
    out.computer_levels.push_back(*level);
    out.is_adaptive = !has_level && (others == 0 || out.is_adaptive);
  }
  return out;
}

std::string local_player_name(const std::string& chosen, const std::string& otherwise) {
  if (!chosen.empty()) return chosen;
  const std::string login = login_name();
  const auto seats = read_seating({login});
  return check_player_name(login) && seats && seats->computer_levels.front() == 0 ? login
                                                                                  : otherwise;
}

Result<Seating> complete_seating(const GameType& game, std::vector<std::string> typed,
                                 const std::string& here) {
  if (typed.size() > index(game.max_seats))
    return Refusal{std::string(game.title) + " is for " + seat_count_text(game) + ". You wrote " +
                   std::to_string(typed.size()) + " names."};
  const std::size_t named = typed.size();
  while (typed.size() < index(game.min_seats))
    typed.push_back("player" + std::to_string(typed.size() + 1));
  auto seats = read_seating(typed);
  if (!seats) return seats.refusal();
  if (named + 1 == typed.size() && std::ranges::count(seats->computer_levels, 0) == 1)
    seats->names.back() = local_player_name(here, typed.back());
  const std::vector<std::string>& names = seats->names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (const auto fine = check_player_name(name); !fine) return fine.refusal();
    for (std::size_t j = 0; j < i; ++j)
      if (equals_ignoring_case(names[j], name))
        return Refusal{"Two players are called " + name + ". Give them different names."};
  }
  return seats;
}

Match::Match(const GameType& game, Options options, std::vector<std::string> names, Time started,
             Position position)
    : game_(&game),
      options_(std::move(options)),
      names_(std::move(names)),
      computer_levels_(names_.size(), 0),
      start_time_(started),
      position_(std::move(position)),
      turns_{{position_.to_move(), started}},
      snapshots_{{0, 0, std::make_shared<const Position>(position_)}},
      forfeit_reasons_(names_.size()) {}

Result<Match> Match::start(const GameType& game, const Options& options,
                           const std::vector<std::string>& names, Time started) {
  const int seats = static_cast<int>(names.size());
  if (seats < game.min_seats || seats > game.max_seats)
    return Refusal{std::string(game.title) + " is for " + seat_count_text(game) + ", not for " +
                   std::to_string(seats) + "."};
  auto position = game.start(options, seats);
  if (!position) return position.refusal();
  return Match(game, options, names, started, std::move(*position));
}

Result<Match> Match::start(const GameType& game, const Options& options, const Seating& seats,
                           Time started) {
  auto match = start(game, options, seats.names, started);
  if (match) match->computer_levels_ = seats.computer_levels;
  return match;
}

void Match::set_computer_level(Seat seat, int level) {
  check(level >= 0 && level <= kMaxLevel, "a computer was given a level that there is not");
  // A person's name does not stay with a computer's seat, nor a computer's name with a person's.
  const std::string person = "player" + std::to_string(seat + 1), &name = names_[index(seat)];
  const auto called = read_seating({name});
  const bool computers = called && called->computer_levels.front() > 0;
  if (const std::string now(level > 0 ? kComputerName : person);
      (level > 0 ? name == person : computers) && std::ranges::count(names_, now) == 0)
    names_[index(seat)] = now;
  computer_levels_[index(seat)] = level;
}

bool Match::has_computer() const {
  return std::ranges::any_of(computer_levels_, [](int level) { return level > 0; });
}

Drawing Match::draw(std::size_t n, View view) const {
  view.is_finished = n >= plies_.size() && ending_ && !ending_->is_by_rules;
  return insert_names(position_after(n).draw(view));
}

Drawing Match::insert_names(Drawing drawing) const {
  constexpr std::string_view kSeat = "player";
  constexpr int kMost = 10;  // columns of a name; more would widen the drawing
  for (std::string& row : drawing.rows) {
    const std::size_t at = row.find(kSeat), digit = at + kSeat.size();
    const std::size_t seat = at == std::string::npos ? 0 : index(row[digit] - '0');
    if (seat < 1 || seat > names_.size()) continue;
    const std::string name = fit(names_[seat - 1], kMost);
    if (columns(name) == std::ssize(name)) row.replace(at, kSeat.size() + 1, name);
  }
  return drawing;
}

Result<std::size_t> Match::read_ply_number(std::string_view typed) const {
  const auto n = read_whole_number<std::size_t>(typed.substr(typed.starts_with('#')));
  if (n && *n <= plies_.size()) return *n;
  if (plies_.empty()) return Refusal{"This game has no moves yet. Write #0 for the start."};
  return Refusal{"This game has " + format_count(plies_.size(), "move", "moves") +
                 ". Write #0 to #" + std::to_string(plies_.size()) + "."};
}

Position Match::replay(std::size_t n, std::vector<Snapshot>* passed) const {
  const auto later = std::upper_bound(
      snapshots_.begin(), snapshots_.end(), n,
      [](std::size_t plies, const Snapshot& kept) { return plies < kept.ply_count; });
  const Snapshot& from = *(later - 1);
  Position p = *from.position;
  std::size_t played = from.ply_count;
  // Snapshots lie half way to `n`, half way from there, and so on.
  const auto half = [&](std::size_t at) { return at + (n - at + 1) / 2; };
  std::size_t mark = half(played);
  for (std::size_t i = from.entry_count; i < active_entries_.size(); ++i) {
    const LogEntry& e = log_[active_entries_[i]];
    if (is_match_word(e.text)) {
      if (game_->max_seats > 2) p.eliminate(e.seat);
      continue;
    }
    if (played == n) break;
    if (passed && played == mark) {
      passed->push_back({played, i, std::make_shared<const Position>(p)});
      mark = half(mark);
    }
    p.play(e.text);
    ++played;
  }
  return p;
}

std::optional<Seat> Match::to_move() const {
  if (ending_) return std::nullopt;
  return position_.to_move();
}

std::vector<Seat> Match::playing_seats() const {
  std::vector<Seat> out;
  for (Seat s = 0; s < seats(); ++s)
    if (is_playing(s)) out.push_back(s);
  return out;
}

Result<LogEntry> Match::validate(Seat seat, std::string_view typed, Time at) const {
  check(seat >= 0 && seat < seats(), "a seat that is not on this board");
  const std::string_view text = trim(typed);
  if (log_.size() >= kMaxEntries && !is_allowed_when_full(text))
    return Refusal{"This game has " + std::to_string(kMaxEntries) +
                   " entries, the most a save can hold. Resign or agree on a draw."};
  if (const auto word = find_match_word(text)) return validate_word(seat, *word, at);
  if (ending_) return Refusal{"The game is over. " + status()};
  if (!is_playing(seat)) return Refusal{player_label(seat) + " has resigned."};
  if (position_.to_move() != seat) return Refusal{status()};
  auto ply = position_.parse(typed);
  if (!ply) return ply.refusal();
  return LogEntry{*ply, seat, at};
}

std::size_t Match::count_ply_words(const std::vector<std::string>& words, std::size_t first) const {
  constexpr std::size_t kMax = 6;
  for (std::size_t n = 1; n <= std::min(kMax, words.size() - first); ++n) {
    const std::string typed = join_words(words, first, n);
    if (validate(acting_seat(typed), typed, Time{})) return n;
  }
  return 1;
}

// The log still ends: when it is full, no player can ask to take a ply back.
bool Match::is_allowed_when_full(std::string_view typed) const {
  const auto word = find_match_word(trim(typed));
  if (!word || *word == MatchWord::undo) return false;
  return *word != MatchWord::reject || (offer_ && !offer_->is_draw);
}

Result<LogEntry> Match::validate_word(Seat seat, MatchWord word, Time at) const {
  using enum MatchWord;
  // If all agree, the players can take back the last ply even after it ended the game.
  const bool undoing = word == undo || (offer_ && !offer_->is_draw);
  const bool open_again = undoing && (!ending_ || ending_->is_by_rules);
  if (ending_ && !open_again) return Refusal{"The game is over. " + status()};
  if (!is_playing(seat)) return Refusal{player_label(seat) + " has resigned."};
  if (word == propose || word == undo) {
    if (offer_)
      return Refusal{offer_text() + (offer_->seat == seat ? " Wait for the answer."
                                                          : " Type accept or reject first.")};
    if (word == undo && plies_.empty()) return Refusal{"There is no move to take back."};
  } else if (word != resign) {
    if (!offer_) return Refusal{"There is no offer to " + std::string(to_string(word)) + "."};
    const auto& accepted = offer_->accepting_seats;
    if (offer_->seat == seat) return Refusal{"Only the other players can answer this offer."};
    if (std::ranges::find(accepted, seat) != accepted.end())
      return Refusal{player_label(seat) + " has already accepted."};
  } else if (ending_) {
    return Refusal{"The game is over. " + status()};
  }
  return LogEntry{std::string(to_string(word)), seat, at};
}

Result<LogEntry> Match::validate_note(std::size_t n, std::string_view typed, Time at) const {
  const std::string text(trim(typed));
  if (n >= path_.size()) return Refusal{"There is no move " + std::to_string(n) + " for a note."};
  if (log_.size() >= kMaxEntries)
    return Refusal{"This game has " + std::to_string(kMaxEntries) +
                   " entries, the most a save can hold."};
  if (text.size() > kMaxNoteBytes)
    return Refusal{
        "A note has at most " + std::to_string(kMaxNoteBytes) + " bytes. This one has " +
            std::to_string(text.size()) + ".",
        index(trim(typed).data() - typed.data()) + utf8_prefix(text, kMaxNoteBytes).size()};
  if (!is_text_line(text))
    return Refusal{"A note is one line of text. Remove invisible characters."};
  if (text.empty() && note(n).empty())
    return Refusal{"There is no note on move " + std::to_string(n) + " to delete."};
  return LogEntry{text, 0, at, n};
}

void Match::add(const LogEntry& entry) {
  const std::size_t plies = plies_.size();
  apply_entry(entry);
  // A note or an offer does not restart the clock.
  if (const auto now = to_move(); plies_.size() != plies || now != turns_.back().seat)
    turns_.push_back({now, entry.time});
}

void Match::apply_entry(const LogEntry& entry) {
  log_.push_back(entry);
  const std::string& text = entry.text;
  if (entry.note_ply) {
    nodes_[path_[*entry.note_ply]].note = text;
    return;
  }
  const auto word = find_match_word(text);
  if (!word || *word == MatchWord::resign) active_entries_.push_back(log_.size() - 1);
  if (!word) {
    offer_.reset();
    apply_ply(entry);
  } else {
    switch (*word) {
      case MatchWord::resign: apply_resignation(entry); break;
      case MatchWord::propose:
      case MatchWord::undo: offer_ = Offer{*word == MatchWord::propose, entry.seat, {}}; break;
      case MatchWord::reject: offer_.reset(); break;
      case MatchWord::accept:
        check(offer_.has_value(), "an offer that nobody made was accepted");
        offer_->accepting_seats.push_back(entry.seat);
    }
  }
  if (offer_ && seats_to_answer(*this).empty()) {
    const bool draw = offer_->is_draw;
    offer_.reset();
    if (draw)
      ending_ = Ending{std::nullopt, agreeing_players(*this) + " agreed on a draw", {}, false};
    else take_back();
  }
}

std::size_t max_tried_positions(const Position& position) {
  constexpr std::size_t kWork = 300'000;
  // A field of Plotto may grow to thousands of pieces; a position then costs as much as its plies.
  return std::clamp<std::size_t>(kWork / std::max<std::size_t>(1, position.legal_plies().size()),
                                 20, kMaxTriedPositions);
}

Result<Success> check_next_ply(const Position& position, Seat seat, const std::string& typed) {
  std::optional<Refusal> refused;
  if (!can_become_legal(position, seat, typed, max_tried_positions(position), refused) && refused)
    return *refused;
  return Success{};
}

std::vector<Seat> seats_to_answer(const Match& match) {
  std::vector<Seat> out;
  const auto& offer = match.offer();
  for (Seat s = 0; offer && s < match.seats(); ++s)
    if (match.is_playing(s) && s != offer->seat &&
        std::ranges::find(offer->accepting_seats, s) == offer->accepting_seats.end())
      out.push_back(s);
  return out;
}

void Match::apply_ply(const LogEntry& entry) {
  const std::size_t here = path_.back();
  std::size_t child = nodes_[here].last_added_child;
  while (child != 0 && nodes_[child].text != entry.text) child = nodes_[child].older_sibling;
  if (child == 0) {
    child = nodes_.size();
    nodes_.push_back({entry.text, 0, 0, nodes_[here].last_added_child, ""});
    nodes_[here].last_added_child = child;
  }
  nodes_[here].last_played_child = child;
  path_.push_back(child);
  if (plies_.size() % snapshot_interval() == 0 && snapshots_.back().ply_count < plies_.size())
    add_snapshots(
        {{plies_.size(), active_entries_.size() - 1, std::make_shared<const Position>(position_)}});
  Position::PlayedPly played = position_.play_and_describe(entry.text);
  plies_.push_back({entry.text, entry.seat, entry.time, std::move(played.description),
                    std::move(played.changed_spots)});
  if (auto outcome = position_.outcome())
    ending_ = Ending{outcome->winner, outcome->reason, outcome->spots, true};
}

ForfeitReason find_forfeit_reason(std::string_view word) {
  const auto found = std::ranges::find(kForfeitReasons, word);
  return found == kForfeitReasons.end()
             ? ForfeitReason::none
             : static_cast<ForfeitReason>(found - kForfeitReasons.begin());
}

std::string_view forfeit_text(ForfeitReason why) {
  switch (why) {
    case ForfeitReason::time: return "ran out of time";
    case ForfeitReason::owner: return "was resigned by the server's owner";
    case ForfeitReason::none: break;
  }
  return "resigned";
}

void Match::apply_resignation(const LogEntry& entry) {
  const Seat seat = entry.seat;
  forfeit_reasons_[index(seat)] = entry.forfeit_reason;
  if (offer_ && offer_->seat == seat) offer_.reset();
  const auto left = playing_seats();
  if (left.size() == 1) {
    offer_.reset();  // no seat is left to answer it, and silence is no consent
    ending_ = Ending{
        left.front(),
        safe_text(names_[index(seat)]) + " " + std::string(forfeit_text(entry.forfeit_reason)),
        {},
        false};
  } else {
    position_.eliminate(seat);
  }
}

void Match::take_back() {
  last_take_back_ = log_.size();
  for (std::size_t i = active_entries_.size(); i-- > 0;)
    if (!is_match_word(log_[active_entries_[i]].text)) {
      active_entries_.erase(active_entries_.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  plies_.pop_back();
  path_.pop_back();
  ending_.reset();
  while (snapshots_.back().ply_count > plies_.size()) snapshots_.pop_back();
  // A player who takes back one ply may take back many, so this keeps snapshots.
  std::vector<Snapshot> passed;
  position_ = replay(plies_.size(), &passed);
  add_snapshots(std::move(passed));
}

std::size_t Match::snapshot_interval() const {
  return std::max(kSnapshotInterval, std::bit_ceil(2 * plies_.size() / kMaxSnapshots));
}

void Match::add_snapshots(std::vector<Snapshot> more) {
  snapshots_.insert(snapshots_.end(), more.begin(), more.end());
  if (snapshots_.size() > kMaxSnapshots)
    std::erase_if(snapshots_,
                  [&](const Snapshot& kept) { return kept.ply_count % snapshot_interval() != 0; });
}

std::vector<std::vector<std::string>> Match::side_lines(std::size_t n) const {
  std::vector<std::vector<std::string>> out;
  if (n >= path_.size()) return out;
  const std::size_t here = path_[n], played = n + 1 < path_.size() ? path_[n + 1] : 0;
  for (std::size_t child = nodes_[here].last_added_child; child != 0;
       child = nodes_[child].older_sibling) {
    if (child == played) continue;
    std::vector<std::string> line;
    for (std::size_t node = child; node != 0; node = nodes_[node].last_played_child)
      line.push_back(nodes_[node].text);
    out.push_back(std::move(line));
  }
  return out;
}

std::string Match::redo_ply() const {
  const std::size_t latest = nodes_[path_.back()].last_played_child;
  // After a resignation the ply may belong to another seat's turn and be illegal.
  return latest != 0 && !ending_ && position_.parse(nodes_[latest].text).ok() ? nodes_[latest].text
                                                                              : "";
}

Match Match::prefix_copy(std::size_t n) const {
  Match out = *start(*game_, options_, names_, start_time_);
  out.computer_levels_ = computer_levels_;
  out.origin_ = origin_;
  const auto take_note = [&] {
    const std::size_t at = out.plies_.size();
    if (!note(at).empty()) out.add({note(at), 0, out.last_change(), at});
  };
  take_note();
  for (const std::size_t i : active_entries_) {
    const LogEntry& e = log_[i];
    if (!is_match_word(e.text)) {
      if (out.plies_.size() == n) break;
      out.add(e);
      take_note();
    } else if (out.playing_seats().size() > 2) {
      out.add(e);
    }
  }
  return out;
}

Match Match::rewound_copy(std::size_t n) const {
  Match out = prefix_copy(n);
  out.nodes_ = nodes_;
  out.path_.assign(path_.begin(),
                   path_.begin() + static_cast<std::ptrdiff_t>(out.plies_.size() + 1));
  for (std::size_t i = 0; i + 1 < path_.size(); ++i)
    out.nodes_[path_[i]].last_played_child = path_[i + 1];
  return out;
}

bool Match::is_same_game(const Match& other) const {
  const auto done = [](const Match& m) {
    std::vector<const LogEntry*> out;
    for (const LogEntry& e : m.log_)
      if (!e.note_ply) out.push_back(&e);
    return out;
  };
  const auto mine = done(*this), theirs = done(other);
  return game_ == other.game_ && options_ == other.options_ && names_ == other.names_ &&
         computer_levels_ == other.computer_levels_ &&
         std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                    [](const LogEntry* a, const LogEntry* b) { return *a == *b; });
}

Seat Match::acting_seat(std::string_view typed) const {
  const auto word = find_match_word(trim(typed));
  if (word == MatchWord::accept || word == MatchWord::reject)
    if (const auto seats = seats_to_answer(*this); !seats.empty()) return seats.front();
  if (!ending_) return position_.to_move();
  return plies_.empty() ? 0 : plies_.back().seat;
}

std::string Match::player_label(Seat seat) const {
  return display_name(names_[index(seat)]) + " (" + position_.side_name(seat) + ")";
}

std::string Match::move_hint() const {
  constexpr std::string_view kAs = ", such as ";
  std::string out = "A move is " + std::string(game_->move_syntax);
  check(out.find(kAs) != std::string::npos, "the notation of a game has no example");
  const std::size_t example = out.find(kAs) + kAs.size();
  if (position_.parse(out.substr(example, out.find(' ', example) - example))) return out;
  if (const auto legal = position_.legal_plies(); !legal.empty())
    out.replace(example, std::string::npos, legal.front());
  return out;
}

std::string seat_name(const Match& match, Seat seat, std::optional<Seat> own) {
  const auto& levels = match.seating().computer_levels;
  const std::string& name = match.names()[index(seat)];
  const bool only = std::ssize(levels) - std::ranges::count(levels, 0) == 1;
  if (seat == own) return std::string(kYou);
  return (levels[index(seat)] > 0 && only && name == kComputerName) || name == kOpponent
             ? "the " + name
             : quote_you(display_name(name));
}

std::string possessive(const std::string& name) { return name == kYou ? "your" : name + "'s"; }

std::string capitalize(const std::string& name) {
  if (name != kYou && !name.starts_with("the ")) return name;
  return std::string(1, upper(name[0])) + name.substr(1);
}

std::string address_player(std::string text, const Match& match, std::optional<Seat> own) {
  for (const auto& [said, addressed] : {std::pair(match.status(), match.status(own)),
                                        std::pair(match.offer_text(), match.offer_text(own))})
    if (const std::size_t at = text.find(said); own && at != std::string::npos)
      text.replace(at, said.size(), addressed);
  return text;
}

// The verbs are the first word and, in the first clause, a word with an s at its end after "and".
std::string second_person(std::string_view action) {
  const std::size_t clause = std::min(action.find_first_of(".:"), action.size());
  const std::string_view rest = action.substr(clause);
  action = action.substr(0, clause);
  std::string out;
  for (std::string_view before = "and", word = take_word(action); !word.empty();
       before = word, word = take_word(action)) {
    const bool is_verb = before == "and" && word.ends_with('s');
    out += out.empty() ? "" : " ";
    if (is_verb && word == "has") out += "have";
    else if (is_verb && word == "was") out += "were";
    else out += word.substr(0, word.size() - (!is_verb ? 0 : word.ends_with("sses") ? 2 : 1));
  }
  return out.append(rest);
}

std::string Match::action_sentence(Seat seat, std::string_view action, Own own,
                                   bool has_side) const {
  return capitalize(seat_name(*this, seat, own)) +
         (has_side && seat != own ? " (" + position_.side_name(seat) + ") " : " ") +
         (seat == own ? second_person(action) : std::string(action));
}

// Returns the reason of the ending with the subject as the reader knows it: "x had no valid move"
// becomes "The computer had no valid move". Keeps names of the board, as in "TOOT stands in ...".
std::string Match::ending_reason(Own own) const {
  const auto& [winner, reason, spots, is_by_rules] = *ending_;
  std::string who;  // a name may begin with another one: the longest counts
  Seat seat = 0;
  for (Seat s = 0; s < seats(); ++s)
    if (const std::string label =
            is_by_rules ? position_.side_name(s) : safe_text(names_[index(s)]);
        label.size() >= who.size() && reason.starts_with(label + (is_by_rules ? " ha" : " "))) {
      who = label;
      seat = s;
    }
  if (who.empty() || (is_by_rules && !own)) return reason;
  return action_sentence(seat, reason.substr(who.size() + 1), own, false);
}

std::string Match::status_after(std::size_t n, Own own) const {
  const bool over = ending_ && n >= plies_.size();
  if (over && !ending_->winner)
    return (ending_->is_by_rules ? "The game is a tie. " : "") + ending_->reason + ".";
  const Seat seat = over ? *ending_->winner : position_after(n).to_move();
  const std::string name = seat_name(*this, seat, own),
                    side = " (" + position_.side_name(seat) + ")";
  if (!over) return "It is " + possessive(name) + " turn" + side + ".";
  return capitalize(name) + side + (seat == own ? " win. " : " wins. ") + ending_reason(own) + ".";
}

std::string Match::holdings_after(std::size_t n, Own own) const {
  const Position p = position_after(n);
  std::vector<std::string> has;
  for (Seat s = 0; s < seats(); ++s)
    if (const std::string left = holdings_in_words(p, s); !left.empty())
      has.push_back(
          (has.empty() ? capitalize(seat_name(*this, s, own)) : seat_name(*this, s, own)) +
          (s == own ? " have " : " has ") + left);
  return has.empty() ? "" : join_with_and(has) + ".";
}

std::string Match::offer_text(Own own) const {
  if (!offer_) return "";
  const Ply* const last = plies_.empty() ? nullptr : &plies_.back();
  return action_sentence(
      offer_->seat,
      offer_->is_draw ? "offers a draw."
                      : "asks to take back " +
                            (last->seat == offer_->seat
                                 ? ""
                                 : possessive(seat_name(*this, last->seat, own)) + " move ") +
                            last->text + ".",
      own);
}

}  // namespace pbm
