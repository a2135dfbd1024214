// SPDX-License-Identifier: MIT
#include "protocol/events.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"

namespace pbm {
namespace {

constexpr std::string_view kText = " : ", kAutomatic = "(Auto)";

// What stands behind the name, as the syntax has it.
enum class Part : std::uint8_t { number, userid, move, automatic, text, map };

struct Form {
  const EventRow* row;
  std::vector<Part> parts;
  bool has(Part part) const { return std::ranges::find(parts, part) != parts.end(); }
};

std::vector<Form> made_forms() {
  std::vector<Form> out;
  for (const EventRow& row : event_rows()) {
    Form form{&row, {}};
    for (const std::string& word : words(row.syntax))
      if (word != ":")
        form.parts.push_back(word == "number"     ? Part::number
                             : word == "userid"   ? Part::userid
                             : word == "move"     ? Part::move
                             : word == "[(Auto)]" ? Part::automatic
                             : word == "map"      ? Part::map
                                                  : Part::text);
    out.push_back(std::move(form));
  }
  return out;
}

const std::vector<Form>& forms() {
  static const std::vector<Form> made = made_forms();
  return made;
}

// The words of a part when so many are left. A save may have names with blanks, and somebody may
// have queued several words: those parts have what those behind them do not need.
std::size_t words_of(const Form& form, std::size_t part, std::size_t left) {
  if (form.parts[part] == Part::number) return std::min<std::size_t>(left, 1);
  const auto behind = static_cast<std::size_t>(std::count(
      form.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1, form.parts.end(), Part::move));
  return left - std::min(left, behind);
}

// The first word of `rest`, which loses it but for the blank behind.
std::string_view first_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

// "fred : hello (2026-11-21T12:00:00Z)" without its end.
std::optional<Time> take_time(std::string_view& text) {
  constexpr std::string_view kForm = " (2026-11-21T12:00:00Z)";
  if (text.size() < kForm.size() || !text.ends_with(')')) return std::nullopt;
  const std::string_view end = text.substr(text.size() - kForm.size());
  if (!end.starts_with(" (")) return std::nullopt;
  const auto at = read_iso_time(end.substr(2, end.size() - 3));
  if (at) text.remove_suffix(end.size());
  return at;
}

// Takes the words of all parts but the text into `out`. False where they do not fit.
bool read_parts(const Form& form, std::vector<std::string> w, Event& out) {
  if (form.has(Part::automatic) && !w.empty() && w.back() == kAutomatic) {
    out.automatic = true;
    w.pop_back();
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < form.parts.size(); ++i) {
    const Part part = form.parts[i];
    if (part == Part::automatic || part == Part::text) continue;
    const std::size_t n = words_of(form, i, w.size() - at);
    const auto number = read_whole_number<std::size_t>(n == 0 ? "" : w[at]);
    if (n == 0 || (part == Part::number && !number)) return false;
    if (part == Part::number) out.number = *number;
    else (part == Part::userid ? out.userid : out.move) = joined(w, at, n);
    at += n;
  }
  return at == w.size();
}

}  // namespace

std::span<const EventRow> event_rows() {
  using enum Event::Kind;
  static constexpr std::array<EventRow, 22> rows{{
      {challenge, "new", true, ": text", "A new board: %t."},
      {turn, "turn", true, "number", "It is your turn."},
      {ply, "ply", true, "number userid move [(Auto)]", "%u plays %m%a."},
      {propose, "propose", true, "userid : text", "%t"},
      {undo, "undo", true, "userid : text", "%t"},
      {accept, "accept", true, "userid : text", "%t"},
      {reject, "reject", true, "userid : text", "%t"},
      {resign, "resign", true, "userid : text", "%t"},
      {over, "over", true, ": text", "%t"},
      {gone, "gone", true, ": text", "%t"},
      {dropped, "dropped", true, "move : text", "What you had queued, %m, is not played. %t"},
      {changed, "changed", true, ": text", "%t"},
      {nag, "nag", true, "number : text", "%t"},
      {note, "note", true, "number : text", ""},
      {chat, "chat", true, "userid : text", "%u: %t"},
      {message, "message", false, "userid : text", "%u to you: %t"},
      {broadcast, "broadcast", false, "userid : text", "%u to all: %t"},
      {signout, "signout", false, "userid : text", ""},
      {announce, "announce", false, ": text", "The server: %t"},
      {seek, "seek", false, "number userid : text", "%u seeks a player: %t."},
      {unseek, "unseek", false, "number", ""},
      {now, "now", true, "map", ""},
  }};
  return rows;
}

std::string encode_late(std::string_view what, Time since) {
  return std::string(what) + " (" + iso_time(since) + ")";
}

std::string encode(const Event& event) {
  const Form& form = forms()[static_cast<std::size_t>(event.kind)];
  std::string out = form.row->of_board ? event.board->to_string() + " " : "";
  out += form.row->name;
  for (const Part part : form.parts) switch (part) {
      case Part::number: out += " " + std::to_string(event.number); break;
      case Part::userid: out += " " + event.userid; break;
      case Part::move: out += " " + event.move; break;
      case Part::automatic:
        if (event.automatic) out += " " + std::string(kAutomatic);
        break;
      case Part::text: out += std::string(kText) + event.text; break;
      case Part::map: out += " " + event.text; break;
    }
  return event.waited ? encode_late(out, *event.waited) : out;
}

std::optional<Event> decode_event(std::string_view what) {
  Event out;
  std::string_view rest = what;
  std::string_view name = first_word(rest);
  if (const GameType* game = find_game(name)) {
    const auto number = read_board_number(first_word(rest));
    if (!number) return std::nullopt;
    out.board = BoardKey{game, *number};
    name = first_word(rest);
  }
  const auto form = std::ranges::find_if(forms(), [&](const Form& f) {
    return f.row->name == name && f.row->of_board == out.board.has_value();
  });
  if (form == forms().end()) return std::nullopt;
  out.kind = form->row->kind;
  if (form->has(Part::map)) {
    out.text = trim(rest);
    return out;
  }
  const bool has_text = form->has(Part::text);
  const std::size_t colon = has_text ? rest.find(kText) : rest.size();
  if (colon == std::string_view::npos || !read_parts(*form, words(rest.substr(0, colon)), out))
    return std::nullopt;
  if (has_text) {
    std::string_view text = rest.substr(colon + kText.size());
    out.waited = take_time(text);
    out.text = text;
  }
  return out;
}

Event::Kind event_kind_of(std::string_view word) {
  const auto found = std::ranges::find_if(
      event_rows(), [&](const EventRow& row) { return row.of_board && row.name == word; });
  check(found != event_rows().end(), "an event of no known kind");
  return found->kind;
}

std::string in_words(const Event& e) {
  std::string out;
  const std::string_view told = event_rows()[static_cast<std::size_t>(e.kind)].told;
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i] != '%') {
      out += told[i];
      continue;
    }
    const char part = told[++i];
    out += part == 'u'   ? e.userid
           : part == 'm' ? e.move
           : part == 't' ? e.text
                         : std::string(e.automatic ? ", as it was queued" : "");
  }
  return out;
}

}  // namespace pbm
