// SPDX-License-Identifier: MIT
#include "protocol/match_description.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxDescribed = 4;  // actions in one text; the list of plies shows more

// Returns the draw offer in words if the last offer in the log was one, else "". The answer at the
// end of the log belongs to it.
std::string answered_draw(const Match& m, std::optional<Seat> own) {
  for (auto e = m.log().rbegin(); e != m.log().rend(); ++e)
    if (const auto word = e->note_ply ? std::nullopt : find_match_word(e->text);
        word == MatchWord::propose || word == MatchWord::undo)
      return word == MatchWord::undo ? "" : e->seat == own ? "your draw offer" : "the draw";
  return "";
}

// Returns the end of a sentence about an action that made a take-back agreed.
std::string describe_take_back(const Match& m) {
  const std::string last = m.redo_ply();
  return ". " + (last.empty() ? "The last move" : last) + " is taken back.";
}

std::string describe_acceptance(const Match& m, std::optional<Seat> own) {
  if (const std::string draw = answered_draw(m, own); !draw.empty()) return "accepts " + draw + ".";
  // The take-back is still open if other players have not agreed yet.
  return m.offer() ? "agrees to take back " + m.plies().back().text + "."
                   : "accepts" + describe_take_back(m);
}

// A player who leaves may be the last one who had not agreed to an offer. Then it takes effect.
std::string describe_leaving(const Match& m, ForfeitReason why) {
  const std::string how(why == ForfeitReason::none ? "resigns" : forfeit_text(why));
  if (m.last_take_back() == m.log().size()) return how + describe_take_back(m);
  return how + (m.ending() && !m.ending()->winner ? ": " + m.ending()->reason + "." : ".");
}

// Returns the plies, a row for each round and a column for each seat; "" if a seat plays no more.
std::vector<std::vector<std::string>> make_rounds(const Match& match) {
  std::vector<std::vector<std::string>> out;
  Seat last = match.seats();
  for (const Match::Ply& ply : match.plies()) {
    if (ply.seat <= last) out.emplace_back(index(match.seats()));
    out.back()[index(ply.seat)] = ply.text;
    last = ply.seat;
  }
  return out;
}

// Returns who resigned, first to last, each after how many of the plies that stand.
std::vector<std::pair<Seat, std::size_t>> find_resignations(const Match& match) {
  const Match played = match.prefix_copy(match.plies().size());
  std::vector<std::pair<Seat, std::size_t>> out;
  std::size_t plies = 0;
  for (const LogEntry& entry : played.log()) {
    if (entry.note_ply) continue;
    if (is_match_word(entry.text)) out.emplace_back(entry.seat, plies);
    else ++plies;
  }
  // The resignation that ends a game is not in the copy.
  for (Seat s = 0; s < match.seats(); ++s)
    if (played.is_playing(s) && !match.is_playing(s)) out.emplace_back(s, plies);
  return out;
}

std::string make_text_line(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line + "\n";
}

}  // namespace

std::string find_forced_pass(const Position& position) {
  if (position.outcome()) return "";
  const auto legal = position.legal_plies();
  return legal.size() == 1 && position.selected_spots(legal.front()).empty() ? legal.front() : "";
}

std::string describe_last_action(const Match& m, std::optional<Seat> own) {
  if (m.log().empty() || m.log().back().note_ply) return "";
  const LogEntry& entry = m.log().back();
  const auto sentence = [&](const std::string& action) {
    return m.action_sentence(entry.seat, action, own);
  };
  const auto word = find_match_word(entry.text);
  if (!word) return sentence(m.plies().back().description + ".");
  const std::string draw = answered_draw(m, own);
  switch (*word) {
    case MatchWord::propose:
    case MatchWord::undo: return m.offer_text(own);
    case MatchWord::accept: return sentence(describe_acceptance(m, own));
    case MatchWord::reject:
      return sentence(!draw.empty() ? "declines " + draw + "."
                                    : "declines. " + m.plies().back().text + " stays.");
    case MatchWord::resign: break;
  }
  return sentence(describe_leaving(m, entry.forfeit_reason));
}

std::string describe_seat(const Match& match, Seat seat) {
  const int level = match.computer_level(seat);
  return (level > 0 ? "The computer plays " : "A person plays ") +
         match.position().side_name(seat) +
         (level > 0 ? " at level " + std::to_string(level) : "") + ".";
}

std::string describe_variant(const Match& match) {
  std::string out;
  for (const OptionSpec& option : match.game().options)
    if (option.value_syntax.empty() && match.options().has(option.name))
      out += " -" + std::string(option.name) + ": " + std::string(option.summary) + ".";
  return out;
}

std::string example_copy_message(const std::string& id) {
  return "Examples do not change. Your copy is board " + id + ".";
}

std::string describe_offer_end(const Match::Offer& offer, Seat by) {
  if (by == offer.seat)
    return offer.is_draw ? " The draw offer ends." : " The take-back request ends.";
  return offer.is_draw ? " This declines the draw." : " This declines the take-back.";
}

std::optional<std::vector<ActionDescription>> describe_new_actions(const Match& before,
                                                                   const Match& after,
                                                                   std::optional<Seat> own) {
  if (&before.game() != &after.game() || before.options() != after.options() ||
      before.names() != after.names())
    return std::nullopt;
  const auto next = [](const Match& m, std::size_t i) {
    while (i < m.log().size() && m.log()[i].note_ply) ++i;
    return i;
  };
  std::size_t i = next(before, 0), j = next(after, 0);
  for (; i < before.log().size(); i = next(before, i + 1), j = next(after, j + 1))
    if (j >= after.log().size() || !(before.log()[i] == after.log()[j])) return std::nullopt;
  std::vector<ActionDescription> out;
  Match m = before;
  for (; j < after.log().size(); j = next(after, j + 1)) {
    const LogEntry& entry = after.log()[j];
    const auto offer = m.offer();
    m.add(entry);
    std::string said = describe_last_action(m, own);
    if (offer && !is_match_word(entry.text)) said += describe_offer_end(*offer, entry.seat);
    out.push_back({entry, std::move(said)});
  }
  return out;
}

std::string join_descriptions(const std::vector<ActionDescription>& told,
                              std::optional<Seat> queued) {
  const std::size_t left_out = told.size() > kMaxDescribed ? told.size() - kMaxDescribed : 0;
  std::string out = left_out > 0 ? "After " + std::to_string(left_out) + " others:" : "";
  for (std::size_t i = left_out; i < told.size(); ++i) {
    const auto& [entry, said] = told[i];
    out += out.empty() ? "" : " ";
    if (!is_match_word(entry.text))
      out += entry.text + (entry.seat == queued ? ", as queued" : "") + ": ";
    out += said;
  }
  return out;
}

std::string record_text(const Match& match, const View& view) {
  std::string out = title_with_options(match.game(), match.options()) + "\n";
  if (const std::string when = long_time(match.start_time()); !when.empty())
    out += "Started " + when + "\n";
  for (const std::string& line : terms_text(match)) out += line + "\n";
  out += "\n";
  const auto table = make_rounds(match);
  std::vector<std::string> heads;
  std::vector<int> widths;
  for (Seat s = 0; s < match.seats(); ++s) {
    heads.push_back(match.player_label(s));
    int width = columns(heads.back());
    for (const auto& row : table) width = std::max(width, static_cast<int>(row[index(s)].size()));
    widths.push_back(width);
  }
  std::string line(5, ' ');
  for (std::size_t s = 0; s < heads.size(); ++s) line += pad(heads[s], widths[s] + 2);
  out += make_text_line(line);
  std::size_t first = 1;  // the number of the row's first ply
  for (const auto& row : table) {
    line = pad_left(std::to_string(first), 3) + "  ";
    for (std::size_t s = 0; s < row.size(); ++s) line += pad(row[s], widths[s] + 2);
    first += row.size() - static_cast<std::size_t>(std::ranges::count(row, ""));
    out += make_text_line(line);
  }
  out += "\n";
  for (const std::string& row : match.draw(match.plies().size(), view).rows) out += row + "\n";
  out += "\n";
  for (std::size_t n = 0; n <= match.plies().size(); ++n)
    if (!match.note(n).empty())
      out += (n == 0 ? "Start" : std::to_string(n) + " " + match.plies()[n - 1].text) + ": " +
             safe_text(match.note(n)) + "\n";
  // With two players the last line says it.
  for (const auto& [seat, ply] : find_resignations(match))
    if (match.seats() > 2)
      out += match.player_label(seat) + " " + std::string(match.leave_reason(seat)) +
             " after move " + std::to_string(ply) + ".\n";
  if (const std::string left = match.holdings_after(match.plies().size()); !left.empty())
    out += left + "\n";
  return out + match.status() + "\n";
}

std::vector<std::string> describe_plies(const Match& m, std::optional<Seat> own) {
  std::vector<std::string> out;
  if (m.plies().empty()) out.emplace_back("No moves yet.");
  for (std::size_t n = 0; n <= m.plies().size(); ++n) {
    if (n > 0) {
      const Match::Ply& ply = m.plies()[n - 1];
      out.push_back(std::to_string(n) + ". " + ply.text + ": " +
                    m.action_sentence(ply.seat, ply.description + ".", own));
    }
    if (!m.note(n).empty()) out.push_back("   Note: " + safe_text(m.note(n)));
    for (const auto& line : m.side_lines(n))
      out.push_back("   Played next and taken back: " + join(line) + ".");
  }
  return out;
}

std::vector<std::string> terms_text(const Match& match) {
  std::vector<std::string> out;
  for (Seat s = 0; s < match.seats(); ++s)
    if (match.computer_level(s) > 0) out.push_back(describe_seat(match, s));
  if (const std::string limits = match.limits().text(); !limits.empty())
    out.push_back("A move is " + limits + ".");
  return out;
}

std::vector<std::string> position_text(const Match& match, const View& view) {
  const std::size_t plies = match.plies().size();
  std::vector<std::string> out = match.draw(plies, view).rows;
  out.emplace_back();
  if (const std::string left = match.holdings_after(plies); !left.empty()) out.push_back(left);
  out.push_back(match.status());
  if (match.offer()) out.push_back(match.offer_text());
  return out;
}

}  // namespace pbm
