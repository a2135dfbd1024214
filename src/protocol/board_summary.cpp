// SPDX-License-Identifier: MIT
#include "protocol/board_summary.hpp"

#include <algorithm>
#include <tuple>

#include "base/text.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

// Appends all of `parts` without temporary strings, since a server does this several times a ply.
template <class... Parts>
void put(std::string& out, const Parts&... parts) {
  (out += ... += parts);
}

// True if a seat has no ply, not even a taken-back one. The first entries usually decide it.
bool never_played(const Match& m, Seat seat) {
  return std::ranges::none_of(m.log(), [&](const Action& e) {
    return e.seat == seat && !e.note_on && !is_match_word(e.text);
  });
}

// Formats seats as numbers from 1: "[1, 3]".
std::string seat_numbers(const std::vector<Seat>& seats) {
  std::string out;
  for (const Seat seat : seats) out += (out.empty() ? "" : ", ") + std::to_string(seat + 1);
  return "[" + out + "]";
}

// Reads the seat number under `key`; the first seat is number 1.
std::optional<Seat> seat_in(const YamlNode& map, std::string_view key) {
  constexpr std::size_t kBeyond = 1000;  // more seats than any board has
  const std::size_t n = std::min(number_in(map, key), kBeyond);
  return n == 0 ? std::nullopt : std::optional(static_cast<Seat>(n - 1));
}

// Reads the seat numbers under `key` and skips invalid ones.
std::vector<Seat> seats_in(const YamlNode& map, std::string_view key, Seat seats) {
  std::vector<Seat> out;
  for (const std::string& text : texts_in(map, key))
    if (const auto seat = read_whole_number<Seat>(text); seat && *seat >= 1 && *seat <= seats)
      out.push_back(*seat - 1);
  return out;
}

// Reads the clock of a board; `away` is a map by seat number.
BoardClock read_clock(const YamlNode& map, Seat seats) {
  BoardClock out;
  out.late = time_in(map, "late");
  out.lost = time_in(map, "lost");
  if (const YamlNode* away = map.find("away"))
    for (const YamlNode::Entry& e : away->entries)
      if (const auto seat = read_whole_number<Seat>(e.key.text);
          seat && *seat >= 1 && *seat <= seats)
        if (const auto until = read_iso_time(e.value.text))
          out.away.emplace_back(*seat - 1, *until);
  return out;
}

// Reads {what: draw, by: 2, waits_for: [1]} and skips invalid values.
std::optional<BoardSummary::Offer> read_offer(const YamlNode& map, Seat seats) {
  const auto by = seat_in(map, "by");
  if (!by || *by >= seats) return std::nullopt;
  return BoardSummary::Offer{text_in(map, "what") == "draw", *by,
                             seats_in(map, "waits_for", seats)};
}

// Reads [{move: BT, seat: 1, at: 2026-11-21T12:00:00Z}, {note: well, ply: 1, at: ...}].
std::vector<Action> read_actions(const YamlNode& list) {
  std::vector<Action> all;
  for (const YamlNode& map : list.items) {
    Action& out = all.emplace_back();
    out.seat = seat_in(map, "seat").value_or(0);
    out.at = time_in(map, "at");
    out.text = text_in(map, map.find("note") ? "note" : "move");
    if (map.find("note")) out.note_on = number_in(map, "ply");
    if (out.text == "resign") out.forfeit = forfeit_named(text_in(map, "why"));
  }
  return all;
}

std::optional<BoardSummary> read_board(const YamlNode& root, const std::string& user) {
  const auto key = read_board_id(text_in(root, "board"));
  if (!key) return std::nullopt;
  BoardSummary out;
  out.id = key->id();
  out.user = user;
  out.gone = root.find("gone") != nullptr;
  if (out.gone) return out;
  if (const YamlNode* done = root.find("done")) out.done = read_actions(*done);
  std::vector<std::string> names = texts_in(root, "seats");
  const Seat seats = static_cast<Seat>(names.size());
  const auto options = read_options(*key->game, texts_in(root, "options"));
  const YamlNode* broken = root.find("broken");
  const auto to_move = seat_in(root, "turn"), winner = seat_in(root, "winner");
  if (broken || !options || seats < 2 || to_move >= seats || winner >= seats) {
    out.broken = broken && !trim(broken->text).empty()
                     ? sanitize(broken->text)
                     : "The server knows more of " + out.id + " than this program.";
    return out;
  }
  out.game = key->game;
  out.options = options->words();
  for (std::string& name : names) name = shown_name(name);
  out.names = std::move(names);
  out.to_move = to_move;
  out.winner = winner;
  if (const YamlNode* offer = root.find("offer")) out.offer = read_offer(*offer, seats);
  out.plies = number_in(root, "plies");
  out.entries = number_in(root, "entries");
  out.seats.unplayed = seats_in(root, "unplayed", seats);
  out.seats.resigned = seats_in(root, "resigned", seats);
  out.changed = time_in(root, "changed");
  out.watching = number_in(root, "watching");
  if (const std::string field = text_in(root, "field");
      field.size() == 1 && out.game->fields.find(field[0]) != std::string_view::npos)
    out.field = field[0];
  out.queued = sanitize(text_in(root, "queued"));
  out.unread = number_in(root, "unread");
  out.clock = read_clock(root, seats);
  out.watched = !out.plays(user);
  return out;
}

}  // namespace

std::string BoardSummary::title() const {
  std::string out(game ? game->title : "");
  for (const std::string& word : options) out += " " + word;
  return out;
}

std::string BoardSummary::turn_or_result() const {
  // The computer plays as soon as a player opens the board.
  if (computers_turn()) return "plays when opened";
  const auto name = [&](Seat seat) { return shown_name(names[index(seat)]); };
  return to_move ? name(*to_move) + "'s turn" : winner ? name(*winner) + " won" : "a tie";
}

std::string BoardSummary::offered() const {
  if (!offer) return "";
  return (offer->draw ? "draw offered by " : "undo asked by ") +
         shown_name(names[index(offer->by)]);
}

std::string BoardSummary::state() const {
  if (!remark.empty()) return remark;
  return !broken.empty() ? broken : offer ? offered() : turn_or_result();
}

std::string BoardSummary::state_at(Time now) const {
  const std::string time = clock.in_short(to_move, now);
  return state() + (time.empty() ? "" : ", " + time);
}

std::string BoardSummary::in_words(Time now) const {
  if (!broken.empty()) return id + ": " + state();
  const std::string what = id + ": " + title() + ", ";
  if (!remark.empty()) return what + remark + ".";
  return what + all_of(names) + ", " + state_at(now) + ", " + count_of(plies, "move", "moves") +
         (unread > 0 ? ", " + count_of(unread, "line", "lines") + " unread." : ".");
}

bool BoardSummary::plays(std::string_view name) const {
  return std::ranges::any_of(names,
                             [&](const std::string& n) { return same_ignoring_case(n, name); });
}

bool BoardSummary::engages(std::string_view name) const {
  if (!to_move || !seats.unplayed.empty()) return false;
  for (Seat seat = 0; seat < std::ssize(names); ++seat)
    if (same_ignoring_case(names[index(seat)], name) &&
        std::ranges::count(seats.resigned, seat) == 0)
      return true;
  return false;
}

BoardSummary summary_of(std::string id, const Match& m) {
  BoardSummary out;
  out.id = std::move(id);
  out.game = &m.game();
  out.options = m.options().words();
  out.names = m.names();
  if (m.has_computer()) out.levels = m.seating().levels;
  out.plies = m.plies().size();
  out.entries = m.log().size();
  out.to_move = m.to_move();
  for (Seat seat = 0; out.to_move && seat < m.seats(); ++seat) {
    if (never_played(m, seat)) out.seats.unplayed.push_back(seat);
    if (!m.plays(seat)) out.seats.resigned.push_back(seat);
  }
  if (m.ending()) out.winner = m.ending()->winner;
  if (m.offer()) out.offer = {m.offer()->draw, m.offer()->by, answering(m)};
  out.changed = m.changed();
  return out;
}

Result<Seat> BoardSummary::seat_of(std::string_view name) const {
  std::optional<Seat> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_ignoring_case(names[i], names[j]))
        return Refusal{"Two seats of " + key().to_string() + " are called " + shown_name(names[i]) +
                       ": such a board can be looked at, not played here."};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (same_ignoring_case(names[i], name)) found = static_cast<Seat>(i);
  if (found) return *found;
  std::vector<std::string> players;
  for (const std::string& n : names) players.push_back(shown_name(n));
  return Refusal{std::string(name) + " does not play on " + key().to_string() + ": " +
                 all_of(players) + " do."};
}

bool waits_for(const BoardSummary& board, std::string_view anybody) {
  if (board.example || board.aside) return false;
  // A game of one person against computers belongs to the user, whose name may have changed.
  const bool alone = std::ranges::count(board.levels, 0) == 1;
  const std::string_view name = !board.user.empty() ? std::string_view(board.user)
                                : alone             ? std::string_view()
                                                    : anybody;
  const auto is = [&](Seat seat) {
    return name.empty() || same_ignoring_case(name, board.names[static_cast<std::size_t>(seat)]);
  };
  // The computer plays when a player opens the board. Games among computers need no player.
  if (board.computers_turn())
    return name.empty() ? std::ranges::count(board.levels, 0) > 0 : board.plays(name);
  return (board.to_move && is(*board.to_move)) ||
         (board.offer && std::ranges::any_of(board.offer->answering, is));
}

std::string encode(const BoardSummary& board) {
  std::string out = "{board: " + board.id;
  if (board.gone) return out + ", gone: true}";
  out.reserve(250);  // enough for most boards with their latest actions
  if (!board.broken.empty()) return out + ", broken: " + yaml_scalar(board.broken) + "}";
  if (!board.options.empty()) put(out, ", options: ", yaml_list(board.options));
  put(out, ", seats: ", yaml_list(board.names));
  put(out, ", plies: ", std::to_string(board.plies), ", entries: ", std::to_string(board.entries));
  if (!board.seats.unplayed.empty()) put(out, ", unplayed: ", seat_numbers(board.seats.unplayed));
  if (!board.seats.resigned.empty()) put(out, ", resigned: ", seat_numbers(board.seats.resigned));
  if (board.to_move) put(out, ", turn: ", std::to_string(*board.to_move + 1));
  if (board.winner) put(out, ", winner: ", std::to_string(*board.winner + 1));
  if (board.offer)
    put(out, ", offer: {what: ", board.offer->draw ? "draw" : "undo",
        ", by: ", std::to_string(board.offer->by + 1),
        ", waits_for: ", seat_numbers(board.offer->answering), "}");
  if (board.changed != Time{}) put(out, ", changed: ", iso_time(board.changed));
  if (board.watching > 0) put(out, ", watching: ", std::to_string(board.watching));
  if (board.field) put(out, ", field: ", *board.field);
  if (!board.queued.empty()) put(out, ", queued: ", yaml_scalar(board.queued));
  if (board.unread > 0) put(out, ", unread: ", std::to_string(board.unread));
  if (board.clock.late != Time{}) put(out, ", late: ", iso_time(board.clock.late));
  if (board.clock.lost != Time{}) put(out, ", lost: ", iso_time(board.clock.lost));
  if (!board.clock.away.empty()) {
    out += ", away: {";
    for (const auto& [seat, until] : board.clock.away)
      put(out, out.back() == '{' ? "" : ", ", std::to_string(seat + 1), ": ", iso_time(until));
    out += '}';
  }
  if (board.done) {
    out += ", done: [";
    for (const Action& action : *board.done)
      put(out, out.back() == '[' ? "" : ", ", action_text(action, true));
    out += ']';
  }
  return out += '}';
}

std::optional<BoardSummary> decode_board(std::string_view line, const std::string& user) {
  const auto root = read_yaml(std::string(line) + "\n");
  return root ? read_board(*root, user) : std::nullopt;
}

std::optional<BoardSummary> decode_update(std::string_view line, const std::string& user) {
  auto board = decode_board(line, user);
  return board && (board->done || board->gone) ? board : std::nullopt;
}

std::optional<BoardSummary> decode_update_in(const Reply& reply, const std::string& user) {
  if (!reply.ok || reply.lines.empty() || reply.lines.size() > 2) return std::nullopt;
  return decode_update(reply.lines.front(), user);
}

std::string encode_older(std::size_t boards) { return "{older: " + std::to_string(boards) + "}"; }

bool tells_of_older(std::string_view line) { return line.starts_with("{older: "); }

bool listed_before(const BoardSummary& a, const BoardSummary& b, std::string_view user) {
  const auto rank = [&](const BoardSummary& board) {
    const bool his =
        board.to_move &&
        same_ignoring_case(board.names[static_cast<std::size_t>(*board.to_move)], user);
    return his ? 0 : board.to_move ? 1 : 2;
  };
  return std::make_tuple(rank(a), b.changed, a.game, a.id.size(), std::string_view(a.id)) <
         std::make_tuple(rank(b), a.changed, b.game, b.id.size(), std::string_view(b.id));
}

std::string queued_in_words(const BoardKey& board, std::string_view queued) {
  const std::size_t hash = queued.rfind('#');
  return "Queued on " + board.to_string() + ": " + std::string(queued.substr(0, hash)) +
         (hash == std::string_view::npos ? ""
                                         : ", as move " + std::string(queued.substr(hash + 1))) +
         ".";
}

}  // namespace pbm
