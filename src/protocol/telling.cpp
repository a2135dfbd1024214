// SPDX-License-Identifier: MIT
#include "protocol/telling.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxTold = 4;  // actions in one text; the list of plies shows more

// True if the last offer in the log was a draw. The answer at the end of the log belongs to it.
bool answers_draw(const Match& m) {
  for (auto e = m.log().rbegin(); e != m.log().rend(); ++e)
    if (const auto word = e->note_on ? std::nullopt : match_word(e->text);
        word == MatchWord::propose || word == MatchWord::undo)
      return word == MatchWord::propose;
  return false;
}

// Returns the end of a sentence about an action that made a take-back agreed.
std::string carried(const Match& m) {
  const std::string last = m.redo();
  return ": " + (last.empty() ? "the last move" : last) + " is taken back.";
}

std::string accepted(const Match& m) {
  if (answers_draw(m)) return "accepts the draw.";
  // The take-back is still open if other players have not agreed yet.
  return m.offer() ? "would take " + m.plies().back().text + " back as well."
                   : "accepts" + carried(m);
}

// A player who leaves may be the last one who had not agreed to an offer. Then it takes effect.
std::string told_of_leaving(const Match& m, Forfeit why) {
  const std::string how(why == Forfeit::none ? "resigns" : forfeited(why));
  if (m.taken_back() == m.log().size()) return how + carried(m);
  return how + (m.ending() && !m.ending()->winner ? ": " + m.ending()->why + "." : ".");
}

// Returns the plies, a row for each round and a column for each seat; "" if a seat plays no more.
std::vector<std::vector<std::string>> rounds(const Match& match) {
  std::vector<std::vector<std::string>> out;
  Seat last = match.seats();
  for (const Match::Ply& ply : match.plies()) {
    if (ply.seat <= last) out.emplace_back(index(match.seats()));
    out.back()[index(ply.seat)] = ply.text;
    last = ply.seat;
  }
  return out;
}

std::string without_trailing_blanks(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

}  // namespace

std::string only_ply(const Position& position) {
  if (position.outcome()) return "";
  const auto legal = position.legal();
  return legal.size() == 1 && position.trail(legal.front()).empty() ? legal.front() : "";
}

std::string told_of_last(const Match& m) {
  if (m.log().empty() || m.log().back().note_on) return "";
  const Action& entry = m.log().back();
  const std::string who = m.player(entry.seat) + " ";
  const auto word = match_word(entry.text);
  if (!word) return who + m.plies().back().described + ".";
  switch (*word) {
    case MatchWord::propose:
    case MatchWord::undo: return m.offered();
    case MatchWord::accept: return who + accepted(m);
    case MatchWord::reject:
      return who + (answers_draw(m) || m.plies().empty()
                        ? "rejects the draw."
                        : "rejects: " + m.plies().back().text + " stays.");
    case MatchWord::resign: break;
  }
  return who + told_of_leaving(m, entry.forfeit);
}

std::string variant_in_words(const Match& match) {
  std::string out;
  for (const OptionSpec& option : match.game().options)
    if (option.value.empty() && match.options().has(option.name))
      out += " -" + std::string(option.name) + ": " + std::string(option.about) + ".";
  return out;
}

std::string told_of_copy(const std::string& id) {
  return "An example stays as it is: this is board " + id + ".";
}

std::string after_offer(const Match::Offer& offer, Seat by) {
  if (by == offer.by)
    return offer.draw ? " The offer of a draw ends with that."
                      : " The wish to take a move back ends with that.";
  return offer.draw ? " That declines the draw." : " That declines to take a move back.";
}

std::optional<std::vector<Told>> told_since(const Match& before, const Match& after) {
  if (&before.game() != &after.game() || before.options() != after.options() ||
      before.names() != after.names())
    return std::nullopt;
  const auto next = [](const Match& m, std::size_t i) {
    while (i < m.log().size() && m.log()[i].note_on) ++i;
    return i;
  };
  std::size_t i = next(before, 0), j = next(after, 0);
  for (; i < before.log().size(); i = next(before, i + 1), j = next(after, j + 1))
    if (j >= after.log().size() || !(before.log()[i] == after.log()[j])) return std::nullopt;
  std::vector<Told> out;
  Match m = before;
  for (; j < after.log().size(); j = next(after, j + 1)) {
    const Action& entry = after.log()[j];
    const auto offer = m.offer();
    m.add(entry);
    std::string said = told_of_last(m);
    if (offer && !is_match_word(entry.text)) said += after_offer(*offer, entry.seat);
    out.push_back({entry, std::move(said)});
  }
  return out;
}

std::string as_text(const std::vector<Told>& told, std::optional<Seat> queued) {
  const std::size_t left_out = told.size() > kMaxTold ? told.size() - kMaxTold : 0;
  std::string out = left_out > 0 ? "After " + std::to_string(left_out) + " others:" : "";
  for (std::size_t i = left_out; i < told.size(); ++i) {
    const auto& [entry, said] = told[i];
    out += out.empty() ? "" : " ";
    if (!is_match_word(entry.text))
      out += entry.text + (entry.seat == queued ? ", as it was queued" : "") + ": ";
    out += said;
  }
  return out;
}

std::string record_text(const Match& match, const View& view) {
  std::string out = title_with_options(match.game(), match.options()) + "\n";
  if (const std::string when = long_time(match.started()); !when.empty())
    out += "Started " + when + "\n";
  for (const std::string& line : terms_text(match)) out += line + "\n";
  out += "\n";
  const auto table = rounds(match);
  std::vector<std::string> heads;
  std::vector<int> widths;
  for (Seat s = 0; s < match.seats(); ++s) {
    heads.push_back(match.player(s));
    int width = columns(heads.back());
    for (const auto& row : table) width = std::max(width, static_cast<int>(row[index(s)].size()));
    widths.push_back(width);
  }
  std::string line(5, ' ');
  for (std::size_t s = 0; s < heads.size(); ++s) line += pad(heads[s], widths[s] + 2);
  out += without_trailing_blanks(line);
  std::size_t first = 1;  // the number of the row's first ply
  for (const auto& row : table) {
    line = pad_left(std::to_string(first), 3) + "  ";
    for (std::size_t s = 0; s < row.size(); ++s) line += pad(row[s], widths[s] + 2);
    first += row.size() - static_cast<std::size_t>(std::ranges::count(row, ""));
    out += without_trailing_blanks(line);
  }
  out += "\n";
  for (const std::string& row : match.draw(match.plies().size(), view).rows) out += row + "\n";
  out += "\n";
  for (std::size_t n = 0; n <= match.plies().size(); ++n)
    if (!match.note(n).empty())
      out += (n == 0 ? "Start" : std::to_string(n) + " " + match.plies()[n - 1].text) + ": " +
             safe_text(match.note(n)) + "\n";
  // With two players the last line says it.
  for (Seat s = 0; s < match.seats() && match.seats() > 2; ++s)
    if (!match.plays(s)) out += match.player(s) + " " + std::string(match.gone(s)) + ".\n";
  if (const std::string left = match.holdings_after(match.plies().size()); !left.empty())
    out += left + "\n";
  return out + match.standing() + "\n";
}

std::vector<std::string> plies_in_words(const Match& m) {
  std::vector<std::string> out;
  if (m.plies().empty()) out.emplace_back("Nothing was played yet.");
  for (std::size_t n = 0; n <= m.plies().size(); ++n) {
    if (n > 0) {
      const Match::Ply& ply = m.plies()[n - 1];
      out.push_back(std::to_string(n) + ". " + ply.text + ": " + m.player(ply.seat) + " " +
                    ply.described + ".");
    }
    if (!m.note(n).empty()) out.push_back("   Note: " + safe_text(m.note(n)));
    for (const auto& line : m.side_lines(n))
      out.push_back("   Played next and taken back: " + joined(line, 0, line.size()) + ".");
  }
  return out;
}

std::vector<std::string> terms_text(const Match& match) {
  std::vector<std::string> out;
  for (Seat s = 0; s < match.seats(); ++s)
    if (match.computer(s) > 0)
      out.push_back(match.player(s) + " is the computer, level " +
                    std::to_string(match.computer(s)) + ".");
  if (const std::string limits = match.limits().in_words(); !limits.empty())
    out.push_back("A move is " + limits + ".");
  return out;
}

std::vector<std::string> position_text(const Match& match, const View& view) {
  const std::size_t plies = match.plies().size();
  std::vector<std::string> out = match.draw(plies, view).rows;
  out.emplace_back();
  if (const std::string left = match.holdings_after(plies); !left.empty()) out.push_back(left);
  out.push_back(match.standing());
  if (match.offer()) out.push_back(match.offered());
  return out;
}

}  // namespace pbm
