// SPDX-License-Identifier: MIT
#include "protocol/events.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::string_view kTextMark = " : ", kAutomaticMark = "(Auto)";

// Removes the time from "fred : hello (2026-11-21T12:00:00Z)" and returns it.
std::optional<Time> take_time(std::string_view& text) {
  constexpr std::string_view kForm = " (2026-11-21T12:00:00Z)";
  if (text.size() < kForm.size() || !text.ends_with(')')) return std::nullopt;
  const std::string_view end = text.substr(text.size() - kForm.size());
  if (!end.starts_with(" (")) return std::nullopt;
  const auto at = read_iso_time(end.substr(2, end.size() - 3));
  if (at) text.remove_suffix(end.size());
  return at;
}

// Reads the words of all parts except the text into `out`. Returns false if they do not fit. Names
// in saves may contain blanks, and a player may have queued several words. These parts take all
// words that the parts after them do not need.
bool read_parts(const std::vector<std::string>& parts, std::vector<std::string> w, Event& out) {
  if (!parts.empty() && parts.back() == "[(Auto)]" && !w.empty() && w.back() == kAutomaticMark) {
    out.is_automatic = true;
    w.pop_back();
  }
  std::size_t at = 0;
  for (auto part = parts.begin(); part != parts.end() && *part != ":"; ++part) {
    if (*part == "[(Auto)]") continue;
    const bool is_number = *part == "number";
    const std::size_t left = w.size() - at,
                      behind = static_cast<std::size_t>(std::count(part + 1, parts.end(), "move"));
    const std::size_t n =
        is_number ? std::min<std::size_t>(left, 1) : left - std::min(left, behind);
    const auto number = read_whole_number<std::size_t>(n == 0 ? "" : w[at]);
    if (n == 0 || (is_number && !number)) return false;
    if (is_number) out.number = *number;
    else (*part == "userid" ? out.userid : out.move) = join_words(w, at, n);
    at += n;
  }
  return at == w.size();
}

}  // namespace

std::span<const EventRow> event_rows() {
  using enum Event::Kind;
  static constexpr std::array<EventRow, 23> rows{{
      {challenge, "new", true, ": text", "%t"},
      {turn, "turn", true, "number", "It is your turn."},
      {ply, "ply", true, "number userid move [(Auto)]", "%u plays %m%a."},
      {propose, "propose", true, "userid : text", "%t"},
      {undo, "undo", true, "userid : text", "%t"},
      {accept, "accept", true, "userid : text", "%t"},
      {reject, "reject", true, "userid : text", "%t"},
      {resign, "resign", true, "userid : text", "%t"},
      {game_over, "over", true, ": text", "%t"},
      {board_gone, "gone", true, ": text", "%t"},
      {queue_dropped, "dropped", true, "move : text", "Your queued move %m was dropped. %t"},
      {board_changed, "changed", true, ": text", "%t"},
      {nag, "nag", true, "number : text", "%t"},
      {chat, "chat", true, "userid : text", "%u: %t"},
      {message, "message", false, "userid : text", "%u to you: %t"},
      {broadcast, "broadcast", false, "userid : text", "%u to all: %t"},
      {signout, "signout", false, "userid : text", ""},
      {announce, "announce", false, ": text", "The server: %t"},
      {seek, "seek", false, "number userid : text", "%u has an open challenge: %t."},
      {unseek, "unseek", false, "number", ""},
      {tournament, "tournament", false, "name : text", "%t"},
      {ladder, "ladder", false, "name : text", "%t"},
      {board_update, "now", true, "map", ""},
  }};
  return rows;
}

std::string encode_delayed(std::string_view what, Time since) {
  return std::string(what) + " (" + iso_time(since) + ")";
}

std::string encode(const Event& event) {
  const EventRow& row = event_rows()[static_cast<std::size_t>(event.kind)];
  std::string out = row.has_board ? event.board->to_string() + " " : "";
  out += row.name;
  std::string_view rest = row.syntax;
  for (std::string_view part = take_word(rest); !part.empty(); part = take_word(rest)) {
    if (part == "number") out += " " + std::to_string(event.number);
    else if (part == "userid") out += " " + event.userid;
    else if (part == "move" || part == "name") out += " " + event.move;
    else if (part == "text") out += std::string(kTextMark) + event.text;
    else if (part == "map") out += " " + event.text;
    else if (part != ":" && event.is_automatic) out += " " + std::string(kAutomaticMark);
  }
  return event.original_time ? encode_delayed(out, *event.original_time) : out;
}

std::optional<Event> decode_event(std::string_view what) {
  Event out;
  std::string_view rest = what;
  std::string_view name = take_word(rest);
  if (const GameType* game = find_game(name)) {
    const auto number = read_board_number(take_word(rest));
    if (!number) return std::nullopt;
    out.board = BoardKey{game, *number};
    name = take_word(rest);
  }
  const auto row = std::ranges::find_if(event_rows(), [&](const EventRow& r) {
    return r.name == name && r.has_board == out.board.has_value();
  });
  if (row == event_rows().end()) return std::nullopt;
  out.kind = row->kind;
  if (row->syntax == "map") {
    out.text = trim(rest);
    return out;
  }
  const bool has_text = row->syntax.ends_with(": text");
  const std::size_t colon = has_text ? rest.find(kTextMark) : rest.size();
  if (colon == std::string_view::npos ||
      !read_parts(split_words(row->syntax), split_words(rest.substr(0, colon)), out))
    return std::nullopt;
  if (has_text) {
    std::string_view text = rest.substr(colon + kTextMark.size());
    out.original_time = take_time(text);
    out.text = text;
  }
  return out;
}

Event::Kind event_kind(std::string_view word) {
  const auto found = std::ranges::find_if(
      event_rows(), [&](const EventRow& row) { return row.has_board && row.name == word; });
  check(found != event_rows().end(), "an event of no known kind");
  return found->kind;
}

std::string event_sentence(const Event& e) {
  std::string out;
  const std::string_view told = event_rows()[static_cast<std::size_t>(e.kind)].sentence;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i] != '%') {
      out += told[i];
      continue;
    }
    const char part = told[++i];
    out += part == 'u'   ? e.userid
           : part == 'm' ? e.move
           : part == 't' ? e.text
                         : std::string(e.is_automatic ? " (queued)" : "");
  }
  return out;
}

}  // namespace pbm
