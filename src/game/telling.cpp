// SPDX-License-Identifier: MIT
#include "game/telling.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxTold = 4;  // at once: more is read in the list of plies

// What was last offered, which an answer at the end of the log is to.
bool answers_draw(const Match& m) {
  for (auto e = m.log().rbegin(); e != m.log().rend(); ++e)
    if (const auto word = e->note_on ? std::nullopt : match_word(e->text);
        word == MatchWord::propose || word == MatchWord::undo)
      return word == MatchWord::propose;
  return false;
}

std::string accepted(const Match& m) {
  if (answers_draw(m)) return "accepts the draw.";
  // What the others have yet to allow is still there.
  const std::string last = m.offer() ? m.plies().back().text : m.redo();
  const std::string ply = last.empty() ? "the last ply" : last;
  return m.offer() ? "would take " + ply + " back as well." : "accepts: " + ply + " is taken back.";
}

}  // namespace

std::vector<Seat> answering(const Match& m) {
  std::vector<Seat> out;
  if (!m.offer()) return out;
  const auto& accepted = m.offer()->accepted;
  for (Seat s = 0; s < m.seats(); ++s)
    if (m.plays(s) && s != m.offer()->by &&
        std::find(accepted.begin(), accepted.end(), s) == accepted.end())
      out.push_back(s);
  return out;
}

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
  return who +
         std::string(entry.forfeit == Forfeit::none ? word_done(entry.text)
                                                    : forfeited(entry.forfeit)) +
         ".";
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
    m.add(after.log()[j]);
    out.push_back({after.log()[j], told_of_last(m)});
  }
  return out;
}

std::string as_text(const std::vector<Told>& told, std::optional<Seat> queued) {
  const std::size_t left_out = told.size() > kMaxTold ? told.size() - kMaxTold : 0;
  std::string out = left_out > 0 ? "Behind " + std::to_string(left_out) + " others:" : "";
  for (std::size_t i = left_out; i < told.size(); ++i) {
    const auto& [entry, said] = told[i];
    out += out.empty() ? "" : " ";
    if (!is_match_word(entry.text))
      out += entry.text + (entry.seat == queued ? ", as it was queued" : "") + ": ";
    out += said;
  }
  return out;
}

}  // namespace pbm
