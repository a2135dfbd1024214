// SPDX-License-Identifier: MIT
// The lower rows of a board's screen: what is typed, and what is said of it.
#include <algorithm>

#include "ui/screens/board_screen.hpp"

namespace pbm {

std::string first_words(const std::vector<std::string>& words, std::size_t most) {
  return joined(words, 0, most) + (words.size() > most ? " ..." : "");
}

// What a seat plays stands beside its name in the list of players.
std::string said_of(const Match& m, Seat seat, const std::string& described) {
  return shown_name(m.names()[static_cast<std::size_t>(seat)]) + " " + described + ".";
}

std::string BoardScreen::idle_message() const {
  const Match& m = match();
  if (const std::string task = desk_.task(); !task.empty()) return task;
  if (m.offer())
    return m.offered() + (desk_.answers() ? " Type accept or reject."
                          : desk_.plays() ? " It waits for an answer."
                                          : "");
  const std::size_t n = m.plies().size();
  if (desk_.trying() && n == desk_.tried_from())
    return desk_.may_keep_answers()
               ? "Trying moves: answers keeps a line to be played when the other does. Esc ends it."
               : "Trying moves from here: nothing is kept. Esc ends it, copy keeps it.";
  if (m.ending())
    return m.standing() + (desk_.may_rematch() ? " r rematch with seats swapped." : "");
  std::string queued = desk_.queued();
  if (const ComputerBoards* computers = boards_.computers(); computers && !desk_.trying()) {
    if (computer_thinks())
      queued = "The computer thinks" + std::string(desk_.plays() ? ": Esc has it play now." : ".");
    else if (!computers->trouble().empty()) queued = computers->trouble();
  }
  if (desk_.stands_still()) return m.standing() + " As it was: watch goes on with it.";
  if (n == 0 && !desk_.may_move()) return m.standing() + (queued.empty() ? "" : " " + queued);
  const std::string only = desk_.may_move() ? only_ply(m.position()) : "";
  if (n == 0) return "A move is " + std::string(m.game().move_syntax) + "; or arrows and Enter.";
  std::string out = said_of(m, m.plies().back().seat, m.plies().back().described);
  if (!desk_.may_move()) out += " " + (queued.empty() ? m.standing() : queued);
  else if (!only.empty())  // first, as what was played may be long
    out = shown_name(m.names()[static_cast<std::size_t>(*m.to_move())]) + " can only " + only +
          ": Tab types it. " + out;
  else if (const std::string redo = m.redo(); !redo.empty())
    out += " redo plays " + redo + " again.";
  if (!m.note(n).empty()) out += " Note: " + m.note(n);
  return out;
}

std::string BoardScreen::judgement_message(const Judgement& j, Style& style) const {
  style = Style::partial;
  const auto* picking = doing<Picking>();
  const bool word = j.kind == Judgement::Kind::partial && is_match_word(j.next.front());
  if (desk_.would_queue(typed_line()) && j.kind != Judgement::Kind::complete && !word)
    return match().standing() + " Enter, and Enter again, queues this for yours.";
  switch (j.kind) {
    case Judgement::Kind::empty: return "";
    case Judgement::Kind::partial:
      return "... " + first_words(j.next, 12) +
             (picking && !picking->letters_left(*this).empty() ? " - arrows and Tab choose" : "");
    case Judgement::Kind::refused: style = Style::bad; return j.why;
    case Judgement::Kind::complete: break;
  }
  style = Style::good;
  const Match& m = match();
  if (typed_line().is_match_word()) return "Enter: " + j.text;
  if (previews()) return "Not played yet: " + j.text + ". Enter plays it, any other key goes back.";
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
    style = notice_.style;
    return notice_.text;
  }
  if (asking_ && line_.empty())
    return "The server is asked for " + asked_for_ + ": Esc gives that up.";
  const auto busy = line_.empty() ? help_.busy() : std::nullopt;
  if (busy && busy != Help::threats && !(busy == Help::analysis && doing<LookingBack>()))
    return help_.progress() + (busy == Help::openings
                                   ? " Esc shows what it knows by now."
                                   : " Esc ends that, every other key works on.");
  const TypedLine& typed = typed_line();
  if (typed.kind == TypedLine::Kind::command)
    return "Enter sends this to the server; :help lists its commands.";
  if (typed.is("redo") && match().redo().empty()) {
    style = Style::bad;
    return "Nothing was taken back here that could be played again.";
  }
  if (typed.word && !typed.is_match_word())
    return typed.word->term() + ": " + std::string(typed.word->about) + ".";
  if (typed.kind == TypedLine::Kind::number) return "Enter shows the board after that ply.";
  // Of old lines that are leafed through each is judged when it is touched.
  if (j.kind != Judgement::Kind::empty && !history_.recalled()) return judgement_message(j, style);
  if (std::string hint = std::visit([&](const auto& mode) { return mode.hint(*this); }, mode_);
      !hint.empty())
    return hint;
  style = match().ending() || match().offer() ? Style::turn
          : !match().plies().empty()          ? Style::text
                                              : Style::dim;
  return idle_message();
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
  if (l.chat.rows > 0) put_lines(canvas, l.chat, chat_, Style::key);
  const auto needed = static_cast<int>(wrap(safe_text(said), l.said.columns).size());
  const bool at_length = needed > l.said.rows && l.said_at_length.rows > 1;
  link_message(canvas, put_lines(canvas, at_length ? l.said_at_length : l.said, said, style), said,
               j);
  std::string who;
  std::optional<Seat> seat;  // in the colour of whose pieces
  if (looking_back()) {
    const std::size_t ply = shown();
    if (!seen_.outcome()) seat = seen_.to_move();
    who = ply > 0 ? "ply " + std::to_string(ply) + ", " : "start, ";
    who += seat ? shown_name(m.names()[static_cast<std::size_t>(*seat)]) + " (" +
                      seen_.sign(*seat) + ")"
                : "over";
  } else if (m.ending()) {
    who = "over";
  } else {
    // Whoever has to answer an offer comes before whoever is to move.
    const bool answers = m.offer() && desk_.answers();
    seat = desk_.acting_seat(m.offer() ? to_string(MatchWord::accept) : "");
    who = answers || desk_.may_move()    ? m.player(*seat)
          : seat && desk_.board().remote ? "queue"
          : seat                         ? "wait"
                                         : "watch";
  }
  const int c = canvas.put(l.line, 1, (desk_.trying() ? "try: " : "") + who + "> ",
                           seat ? style_of_seat(*seat) : Style::text);
  const TypedLine& typed = typed_line();
  const bool judged = j.kind == Judgement::Kind::refused && (desk_.shared() || desk_.may_move()) &&
                      (typed.kind == TypedLine::Kind::move || typed.is_match_word());
  line_.draw(canvas, l.line, c, width - c - 1, Style::text,
             judged ? std::optional<std::size_t>(j.at) : std::nullopt);
}

}  // namespace pbm
