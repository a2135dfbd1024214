// SPDX-License-Identifier: MIT
// The lower rows of a board's screen: what is typed, and what is said of it.
#include <algorithm>

#include "ui/screens/board_screen.hpp"

namespace pbm {

namespace {

std::string first_words(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, words.size()); ++i) out += (i ? " " : "") + words[i];
  return words.size() > most ? out + " ..." : out;
}

// "fred drops a T down column B." What a seat plays stands beside its name in the list of players.
std::string said_of(const Match& m, Seat seat, const std::string& described) {
  return shown_name(m.names()[static_cast<std::size_t>(seat)]) + " " + described + ".";
}

}  // namespace

std::string BoardScreen::idle_message() const {
  const Match& m = match();
  if (picker_ && !played_by_hand_)
    return "Arrows and Tab move, Enter picks, Backspace takes back, Esc ends.";
  const auto& remote = desk_.board().remote;
  const bool there = remote && !desk_.trying();
  if (m.offer() && there && (!remote->mine || m.offer()->by == remote->mine))
    return m.offered() + (remote->mine ? " It waits for an answer." : "");
  if (m.offer()) return m.offered() + " Type accept or reject.";
  const std::size_t n = m.plies().size();
  if (desk_.trying() && n == desk_.tried_from())
    return "Trying moves from here: nothing is kept. Esc ends it, copy keeps it.";
  if (m.ending())
    return m.standing() + (desk_.may_rematch() ? " r rematch with seats swapped." : "");
  if (n == 0 && there && !desk_.may_move())
    return m.standing() + (remote->queued.empty() ? "" : " " + remote->queued);
  const std::string only = desk_.may_move() ? only_ply(m.position()) : "";
  if (n == 0) return "A move is " + std::string(m.game().move_syntax) + ". Tab makes one by hand.";
  std::string out = said_of(m, m.plies().back().seat, m.plies().back().described);
  if (there && !desk_.may_move())
    out += " " + (remote->queued.empty() ? m.standing() : remote->queued);
  else if (!only.empty())
    out += " " + shown_name(m.names()[static_cast<std::size_t>(*m.to_move())]) + " can only " +
           only + ": Tab types it.";
  else if (const std::string redo = m.redo(); !redo.empty())
    out += " redo plays " + redo + " again.";
  if (!m.note(n).empty()) out += " Note: " + m.note(n);
  return out;
}

// Where one looks back to, what was played there, what else was, and what was noted.
std::string BoardScreen::past_message() const {
  const Match& m = match();
  const std::size_t n = *past_, behind = m.plies().size() - n;
  std::string out = count_of(behind, "ply", "plies") + " behind, End returns. ";
  if (n == 0) {
    out += "The start.";
  } else {
    const Match::Ply& ply = m.plies()[n - 1];
    const std::string when = long_time(ply.at), said = said_of(m, ply.seat, ply.described);
    out += std::to_string(n) + ": " + said.substr(0, said.size() - 1) +
           (when.empty() ? "." : ", " + when + ".");
  }
  for (const auto& line : m.side_lines(n))
    out += " Played here and taken back: " + first_words(line, 8) + ".";
  if (!m.note(n).empty()) out += " Note: " + m.note(n);
  return out;
}

std::string BoardScreen::judgement_message(const Judgement& j, Style& style) const {
  style = Style::partial;
  const bool word = j.kind == Judgement::Kind::partial && is_match_word(j.next.front());
  if (desk_.would_queue(typed_line()) && j.kind != Judgement::Kind::complete && !word)
    return match().standing() + " Enter, and Enter again, queues this for yours.";
  switch (j.kind) {
    case Judgement::Kind::empty: return "";
    case Judgement::Kind::partial:
      return "... " + first_words(j.next, 12) +
             (picker_ && !letters_left().empty() ? " - arrows and Tab choose" : "");
    case Judgement::Kind::refused: style = Style::bad; return j.why;
    case Judgement::Kind::complete: break;
  }
  style = Style::good;
  const Match& m = match();
  if (typed_line().is_match_word()) return "Enter: " + j.text;
  if (preview_) return "Not played yet: " + j.text + ". Enter plays it, any other key goes back.";
  const std::string caution = m.position().caution(j.text);
  if (!caution.empty()) {
    style = Style::warning;
    return "Legal, but: " + caution + " [Enter]";
  }
  // Once it is played the same words stand there, so that little is written anew.
  return said_of(m, *m.to_move(), m.position().describe(j.text)) + " [Enter]" +
         (j.next.empty() ? "" : " or on: " + first_words(j.next, 8));
}

std::string BoardScreen::message(const Judgement& j, Style& style) const {
  style = Style::dim;
  if (!notice_.empty()) {
    style = notice_style_;
    return notice_;
  }
  if (asking_ && line_.empty())
    return "The server is asked for " + asked_for_ + ": Esc gives that up.";
  const TypedLine& typed = typed_line();
  if (typed.kind == TypedLine::Kind::command)
    return "Enter sends this to the server; :help lists its commands.";
  if (typed.is(Word::redo) && match().redo().empty()) {
    style = Style::bad;
    return "Nothing was taken back here that could be played again.";
  }
  if (typed.word && !typed.is_match_word())
    return typed.word->term() + ": " + std::string(typed.word->about) + ".";
  if (past_ && line_.empty()) return past_message();
  if (typed.kind == TypedLine::Kind::number) return "Enter shows the board after that ply.";
  // Of old lines that are leafed through each is judged when it is touched.
  if (j.kind == Judgement::Kind::empty || recalling_) {
    style = match().ending() || match().offer()                         ? Style::turn
            : !match().plies().empty() && (!picker_ || played_by_hand_) ? Style::text
                                                                        : Style::dim;
    return idle_message();
  }
  return judgement_message(j, style);
}

// What can follow is typed by a click on it; a whole move is played by one.
void BoardScreen::link_message(Canvas& canvas, const Area& lines, const std::string& message,
                               const Judgement& j) const {
  if (j.kind == Judgement::Kind::complete)
    for (int r = lines.row; r < lines.row + lines.rows; ++r)
      canvas.link(r, lines.column - 1, lines.columns + 2, {{Key::Code::enter}});
  const std::vector<std::string> rows = wrap(safe_text(message), lines.columns);
  for (int r = 0; r < lines.rows; ++r) {
    const std::string words = " " + rows[static_cast<std::size_t>(r)] + " ";
    for (const std::string& next : j.next) {
      const std::size_t at = words.find(" " + next + " ");
      // Of a move that is typed otherwise more letters would not do.
      if (at == std::string::npos || !starts_ignoring_case(next, line_.text())) continue;
      std::vector<Key> keys;
      for (std::size_t i = std::min(next.size(), line_.text().size()); i < next.size(); ++i)
        keys.push_back(typed(static_cast<char32_t>(next[i])));
      canvas.link(lines.row + r, lines.column + static_cast<int>(at), static_cast<int>(next.size()),
                  std::move(keys));
    }
  }
}

namespace {

// `text` in the last rows of `area`, or as much of it as there is room for; which rows these are.
Area put_lines(Canvas& canvas, const Area& area, const std::string& text, Style style) {
  std::vector<std::string> lines = wrap(safe_text(text), area.columns);
  if (static_cast<int>(lines.size()) > area.rows) {
    lines.resize(static_cast<std::size_t>(std::max(0, area.rows)));
    if (!lines.empty()) lines.back() = fit(lines.back() + " ...", area.columns);
  }
  const int n = static_cast<int>(lines.size()), first = area.row + area.rows - n;
  for (int i = 0; i < n; ++i)
    canvas.put(first + i, area.column, pad(lines[static_cast<std::size_t>(i)], area.columns),
               style);
  return {first, area.column, n, area.columns};
}

}  // namespace

void BoardScreen::draw_line(Canvas& canvas, const Layout& l) const {
  const int width = canvas.size().columns;
  const Match& m = match();
  const Judgement& j = judgement();
  Style style = Style::dim;
  const std::string said = message(j, style);
  if (!chat_.empty()) put_lines(canvas, l.chat, chat_, Style::key);
  const auto needed = static_cast<int>(wrap(safe_text(said), l.said.columns).size());
  const bool at_length = needed > l.said.rows && l.said_at_length.rows > 1;
  link_message(canvas, put_lines(canvas, at_length ? l.said_at_length : l.said, said, style), said,
               j);
  // Whoever has to answer an offer comes before whoever is to move.
  const std::string_view asked = m.offer() ? to_string(MatchWord::accept) : "";
  const auto& remote = desk_.board().remote;
  const bool there = remote && !desk_.trying(), others = there && !desk_.may_move();
  const bool answers = there && m.offer() && remote->mine && m.offer()->by != remote->mine;
  std::string who;
  std::optional<Seat> seat;  // in the colour of whose pieces
  if (looking_back()) {
    if (!seen_.outcome()) seat = seen_.to_move();
    who = *past_ > 0 ? "ply " + std::to_string(*past_) + ", " : "start, ";
    who += seat ? shown_name(m.names()[static_cast<std::size_t>(*seat)]) + " (" +
                      seen_.sign(*seat) + ")"
                : "over";
  } else if (m.ending()) {
    who = "over";
  } else {
    seat = there ? remote->mine : std::optional(m.acting_seat(asked));
    who = !others || answers ? m.player(*seat) : seat ? "queue" : "watch";
  }
  const int c = canvas.put(l.line, 1,
                           (desk_.trying() ? "try: " : "") + who + (picker_ ? ", by hand> " : "> "),
                           seat ? style_of_seat(*seat) : Style::text);
  const TypedLine& typed = typed_line();
  const bool judged = j.kind == Judgement::Kind::refused && !others &&
                      (typed.kind == TypedLine::Kind::move || typed.is_match_word());
  line_.draw(canvas, l.line, c, width - c - 1, Style::text,
             judged ? std::optional<std::size_t>(j.at) : std::nullopt);
}

}  // namespace pbm
