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
void append_all(std::string& out, const Parts&... parts) {
  (out += ... += parts);
}

// True if a seat has no ply, not even a taken-back one. The first entries usually decide it.
bool has_never_played(const Match& m, Seat seat) {
  return std::ranges::none_of(m.log(), [&](const LogEntry& e) {
    return e.seat == seat && !e.note_ply && !is_match_word(e.text);
  });
}

// Formats seats as numbers from 1: "[1, 3]".
std::string format_seats(const std::vector<Seat>& seats) {
  std::string out;
  for (const Seat seat : seats) out += (out.empty() ? "" : ", ") + std::to_string(seat + 1);
  return "[" + out + "]";
}

// Reads the seat number under `key`; the first seat is number 1.
std::optional<Seat> read_seat(const YamlNode& map, std::string_view key) {
  constexpr std::size_t kBeyond = 1000;  // more seats than any board has
  const std::size_t n = std::min(get_number(map, key), kBeyond);
  return n == 0 ? std::nullopt : std::optional(static_cast<Seat>(n - 1));
}

// Reads the seat numbers under `key` and skips invalid ones.
std::vector<Seat> read_seats(const YamlNode& map, std::string_view key, Seat seats) {
  std::vector<Seat> out;
  for (const std::string& text : get_texts(map, key))
    if (const auto seat = read_whole_number<Seat>(text); seat && *seat >= 1 && *seat <= seats)
      out.push_back(*seat - 1);
  return out;
}

// Reads the clock of a board; `away` is a map by seat number.
BoardClock read_clock(const YamlNode& map, Seat seats) {
  BoardClock out;
  out.late_time = get_time(map, "late");
  out.loss_time = get_time(map, "lost");
  if (const YamlNode* away = map.find("away"))
    for (const YamlNode::Entry& e : away->entries)
      if (const auto seat = read_whole_number<Seat>(e.key.text);
          seat && *seat >= 1 && *seat <= seats)
        if (const auto until = read_iso_time(e.value.text))
          out.vacation_ends.emplace_back(*seat - 1, *until);
  return out;
}

// Reads {what: draw, by: 2, waits_for: [1]} and skips invalid values.
std::optional<BoardSummary::Offer> read_offer(const YamlNode& map, Seat seats) {
  const auto by = read_seat(map, "by");
  if (!by || *by >= seats) return std::nullopt;
  return BoardSummary::Offer{get_text(map, "what") == "draw", *by,
                             read_seats(map, "waits_for", seats)};
}

// Reads [{move: BT, seat: 1, at: 2026-11-21T12:00:00Z}, {note: well, ply: 1, at: ...}].
std::vector<LogEntry> read_actions(const YamlNode& list) {
  std::vector<LogEntry> all;
  for (const YamlNode& map : list.items) {
    LogEntry& out = all.emplace_back();
    out.seat = read_seat(map, "seat").value_or(0);
    out.time = get_time(map, "at");
    out.text = get_text(map, map.find("note") ? "note" : "move");
    if (map.find("note")) out.note_ply = get_number(map, "ply");
    if (out.text == "resign") out.forfeit_reason = find_forfeit_reason(get_text(map, "why"));
  }
  return all;
}

std::optional<BoardSummary> read_board(const YamlNode& root, const std::string& user) {
  const auto key = read_board_id(get_text(root, "board"));
  if (!key) return std::nullopt;
  BoardSummary out;
  out.id = key->id();
  out.user = user;
  out.is_deleted = root.find("gone") != nullptr;
  if (out.is_deleted) return out;
  if (const YamlNode* done = root.find("done")) out.latest_actions = read_actions(*done);
  std::vector<std::string> names = get_texts(root, "seats");
  const Seat seats = static_cast<Seat>(names.size());
  const auto options = read_options(*key->game, get_texts(root, "options"));
  const YamlNode* broken = root.find("broken");
  const auto to_move = read_seat(root, "turn"), winner = read_seat(root, "winner");
  if (broken || !options || seats < 2 || to_move >= seats || winner >= seats) {
    out.load_error = broken && !trim(broken->text).empty()
                         ? sanitize(broken->text)
                         : "This program is too old to show " + out.id + ".";
    return out;
  }
  out.game = key->game;
  out.options = options->to_words();
  for (std::string& name : names) name = display_name(name);
  out.names = std::move(names);
  out.to_move = to_move;
  out.winner = winner;
  if (const YamlNode* offer = root.find("offer")) out.offer = read_offer(*offer, seats);
  out.ply_count = get_number(root, "plies");
  out.entry_count = get_number(root, "entries");
  out.seats.unplayed = read_seats(root, "unplayed", seats);
  out.seats.resigned = read_seats(root, "resigned", seats);
  out.last_change = get_time(root, "changed");
  out.watcher_count = get_number(root, "watching");
  for (const std::string& name : get_texts(root, "watchers"))
    out.watcher_names.push_back(display_name(name));
  out.contest = safe_text(get_text(root, "contest"));
  if (const std::string field = get_text(root, "field");
      field.size() == 1 && out.game->drawing_styles.find(field[0]) != std::string_view::npos)
    out.field = field[0];
  out.queued_ply = sanitize(get_text(root, "queued"));
  out.unread_count = get_number(root, "unread");
  out.clock = read_clock(root, seats);
  out.is_watched = !out.has_player(user);
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
  if (is_computers_turn()) return "plays when opened";
  const auto name = [&](Seat seat) { return quote_you(display_name(names[index(seat)])); };
  return to_move ? name(*to_move) + "'s turn" : winner ? name(*winner) + " won" : "a tie";
}

std::string BoardSummary::offer_text() const {
  if (!offer) return "";
  return quote_you(display_name(names[index(offer->seat)])) +
         (offer->is_draw ? " offers a draw" : " asks to take a move back");
}

std::string BoardSummary::state() const {
  if (!remark.empty()) return remark;
  return !load_error.empty() ? load_error : offer ? offer_text() : turn_or_result();
}

std::string BoardSummary::state_with_time(Time now) const {
  const std::string time = clock.short_text(to_move, now);
  return state() + (time.empty() ? "" : ", " + time);
}

std::string BoardSummary::headline(std::string_view reader) const {
  const auto is_reader = [&](std::optional<Seat> seat) {
    return seat && equals_ignoring_case(names[index(*seat)], reader);
  };
  std::vector<std::string> others;
  for (const std::string& name : names)
    if (!equals_ignoring_case(name, reader)) others.push_back(quote_you(display_name(name)));
  std::string out = std::string(game->title) + id.substr(id.rfind('-')) + ": ";
  out[game->title.size()] = ' ';
  if (is_over() && is_reader(winner)) return out + "you won";
  if (!challenger.empty() && !equals_ignoring_case(challenger, reader) &&
      std::ranges::any_of(seats.unplayed, is_reader))
    return out + display_name(challenger) + " challenges you" +
           (is_reader(to_move) ? ", your turn" : "");
  if (offer && std::ranges::any_of(offer->pending_seats, is_reader)) return out + offer_text();
  return out +
         (is_reader(to_move) ? "your turn against " + join_with_and(others) : turn_or_result());
}

std::string BoardSummary::describe(Time now) const {
  if (!load_error.empty()) return id + ": " + state();
  const std::string what = id + ": " + title() + ", ";
  if (!remark.empty()) return what + remark + ".";
  return what + join_with_and(names) + ", " + (contest.empty() ? "" : contest + ", ") +
         state_with_time(now) + ", " + format_count(ply_count, "move", "moves") +
         (unread_count > 0 ? ", " + format_count(unread_count, "line", "lines") + " unread." : ".");
}

bool BoardSummary::has_player(std::string_view name) const {
  return std::ranges::any_of(names,
                             [&](const std::string& n) { return equals_ignoring_case(n, name); });
}

bool BoardSummary::is_active_for(std::string_view name) const {
  if (!to_move || !seats.unplayed.empty()) return false;
  for (Seat seat = 0; seat < std::ssize(names); ++seat)
    if (equals_ignoring_case(names[index(seat)], name) &&
        std::ranges::count(seats.resigned, seat) == 0)
      return true;
  return false;
}

BoardSummary summarize_match(std::string id, const Match& m) {
  BoardSummary out;
  out.id = std::move(id);
  out.game = &m.game();
  out.options = m.options().to_words();
  out.names = m.names();
  if (m.has_computer()) out.levels = m.seating().computer_levels;
  out.ply_count = m.plies().size();
  out.entry_count = m.log().size();
  out.to_move = m.to_move();
  for (Seat seat = 0; out.to_move && seat < m.seats(); ++seat) {
    if (has_never_played(m, seat)) out.seats.unplayed.push_back(seat);
    if (!m.is_playing(seat)) out.seats.resigned.push_back(seat);
  }
  if (m.ending()) out.winner = m.ending()->winner;
  if (m.offer()) out.offer = {m.offer()->is_draw, m.offer()->seat, seats_to_answer(m)};
  out.last_change = m.last_change();
  return out;
}

Result<Seat> BoardSummary::find_seat(std::string_view name) const {
  std::optional<Seat> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (equals_ignoring_case(names[i], names[j]))
        return Refusal{"Two seats of " + key().to_string() + " are called " +
                       display_name(names[i]) + ". You can watch this board, but not play on it."};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (equals_ignoring_case(names[i], name)) found = static_cast<Seat>(i);
  if (found) return *found;
  std::vector<std::string> players;
  for (const std::string& n : names) players.push_back(display_name(n));
  return Refusal{std::string(name) + " does not play on " + key().to_string() +
                 ". Players: " + join_with_and(players) + "."};
}

bool is_waiting_for(const BoardSummary& board, std::string_view anybody) {
  if (board.is_example || board.is_local_extra) return false;
  // A game of one person against computers belongs to the user, whose name may have changed.
  const bool alone = std::ranges::count(board.levels, 0) == 1;
  const std::string_view name = !board.user.empty() ? std::string_view(board.user)
                                : alone             ? std::string_view()
                                                    : anybody;
  const auto is = [&](Seat seat) {
    return name.empty() || equals_ignoring_case(name, board.names[index(seat)]);
  };
  // The computer plays when a player opens the board. Games among computers need no player.
  if (board.is_computers_turn())
    return name.empty() ? std::ranges::count(board.levels, 0) > 0 : board.has_player(name);
  return (board.to_move && is(*board.to_move)) ||
         (board.offer && std::ranges::any_of(board.offer->pending_seats, is));
}

std::string encode(const BoardSummary& board) {
  std::string out = "{board: " + board.id;
  if (board.is_deleted) return out + ", gone: true}";
  out.reserve(250);  // enough for most boards with their latest actions
  if (!board.load_error.empty()) return out + ", broken: " + yaml_scalar(board.load_error) + "}";
  if (!board.options.empty()) append_all(out, ", options: ", yaml_list(board.options));
  append_all(out, ", seats: ", yaml_list(board.names));
  append_all(out, ", plies: ", std::to_string(board.ply_count),
             ", entries: ", std::to_string(board.entry_count));
  if (!board.seats.unplayed.empty())
    append_all(out, ", unplayed: ", format_seats(board.seats.unplayed));
  if (!board.seats.resigned.empty())
    append_all(out, ", resigned: ", format_seats(board.seats.resigned));
  if (board.to_move) append_all(out, ", turn: ", std::to_string(*board.to_move + 1));
  if (board.winner) append_all(out, ", winner: ", std::to_string(*board.winner + 1));
  if (board.offer)
    append_all(out, ", offer: {what: ", board.offer->is_draw ? "draw" : "undo",
               ", by: ", std::to_string(board.offer->seat + 1),
               ", waits_for: ", format_seats(board.offer->pending_seats), "}");
  if (board.last_change != Time{}) append_all(out, ", changed: ", iso_time(board.last_change));
  if (board.watcher_count > 0)
    append_all(out, ", watching: ", std::to_string(board.watcher_count),
               ", watchers: ", yaml_list(board.watcher_names));
  if (!board.contest.empty()) append_all(out, ", contest: ", yaml_scalar(board.contest));
  if (board.field) append_all(out, ", field: ", *board.field);
  if (!board.queued_ply.empty()) append_all(out, ", queued: ", yaml_scalar(board.queued_ply));
  if (board.unread_count > 0) append_all(out, ", unread: ", std::to_string(board.unread_count));
  if (board.clock.late_time != Time{}) append_all(out, ", late: ", iso_time(board.clock.late_time));
  if (board.clock.loss_time != Time{}) append_all(out, ", lost: ", iso_time(board.clock.loss_time));
  if (!board.clock.vacation_ends.empty()) {
    out += ", away: {";
    for (const auto& [seat, until] : board.clock.vacation_ends)
      append_all(out, out.back() == '{' ? "" : ", ", std::to_string(seat + 1), ": ",
                 iso_time(until));
    out += '}';
  }
  if (board.latest_actions) {
    out += ", done: [";
    for (const LogEntry& action : *board.latest_actions)
      append_all(out, out.back() == '[' ? "" : ", ", action_text(action, true));
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
  return board && (board->latest_actions || board->is_deleted) ? board : std::nullopt;
}

std::optional<BoardSummary> decode_reply_update(const Reply& reply, const std::string& user) {
  if (!reply.ok || reply.lines.empty() || reply.lines.size() > 2) return std::nullopt;
  return decode_update(reply.lines.front(), user);
}

std::string encode_older_count(std::size_t boards) {
  return "{older: " + std::to_string(boards) + "}";
}

bool is_older_count(std::string_view line) { return line.starts_with("{older: "); }

bool is_listed_before(const BoardSummary& a, const BoardSummary& b, std::string_view user) {
  const auto rank = [&](const BoardSummary& board) {
    const bool his =
        board.to_move && equals_ignoring_case(board.names[index(*board.to_move)], user);
    return his ? 0 : board.to_move ? 1 : 2;
  };
  return std::make_tuple(rank(a), b.last_change, a.game, a.id.size(), std::string_view(a.id)) <
         std::make_tuple(rank(b), a.last_change, b.game, b.id.size(), std::string_view(b.id));
}

std::string describe_queued(const BoardKey& board, std::string_view queued) {
  const std::size_t hash = queued.rfind('#');
  return "Queued on " + board.to_string() + ": " + std::string(queued.substr(0, hash)) +
         (hash == std::string_view::npos ? ""
                                         : ", as move " + std::string(queued.substr(hash + 1))) +
         ".";
}

}  // namespace pbm
