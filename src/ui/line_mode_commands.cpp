// SPDX-License-Identifier: MIT
// What can be typed line by line, at the list of boards and at one of them.
#include <algorithm>
#include <ostream>

#include "base/markdown.hpp"
#include "protocol/telling.hpp"
#include "ui/line_mode.hpp"

namespace pbm {

void LineMode::tell_turn() {
  if (const std::string task = desk_->task(); !task.empty()) {
    for (const std::string& line : wrap(without_keys(task), kWidth)) say(line);
    return;
  }
  if (match().offer()) say(match().offered() + (desk_->answers() ? " Type accept or reject." : ""));
  const std::string only = match().ending() ? "" : only_ply(match().position());
  say(match().standing() + (only.empty() ? "" : " The only move is " + only + "."));
  if (desk_->may_rematch()) say("Type rematch for another with the seats swapped.");
}

void LineMode::open_board(const std::string& id) {
  auto board = boards_.open(id);
  if (!board) return say(board.refusal().why);
  say("Board " + board->id + ", " +
      title_with_options(board->match.game(), board->match.options()) + ".");
  sit_down(std::move(*board));
}

bool LineMode::help(const std::string& only) {
  bool any = false;
  const auto tell = [&](std::string_view name, const std::string& term, const std::string& about) {
    if (about.empty() || (!only.empty() && !same_ignoring_case(only, name))) return;
    say(term + " - " + about + ".");
    any = true;
  };
  if (desk_ && only.empty()) say(match().how_to_move() + ". Also:");
  if (boards_.server().takes_commands())
    tell(":", ":COMMAND", "send a command to the server; :help lists them");
  if (desk_)
    for (const TypedWord* w : desk_->words_now(Front::lines))
      tell(w->name, w->term(), w->about.empty() ? "" : desk_->about(*w));
  else
    for (const LobbySession::Word& w : LobbySession::words())
      if (lobby_.means_something(w)) tell(w.name, term_of(w.name, w.syntax), std::string(w.about));
  return any;
}

void LineMode::show(std::size_t ply, bool what_changed) {
  const Match& m = match();
  std::vector<std::string> rows = m.draw(ply, view_).rows;
  const std::vector<std::string> before = std::exchange(told_, rows);
  if (view_.words) {
    if (what_changed)
      std::erase_if(rows, [&](const auto& row) { return std::ranges::count(before, row) > 0; });
    rows = wrapped(rows, kWidth);
  }
  for (const std::string& row : rows) out_ << row << '\n';
  if (const std::string left = m.holdings_after(ply); !left.empty()) say(left);
  if (ply == m.plies().size()) tell_turn();
  else say(m.standing_after(ply));
}

// Has the computer asked, and waits for what it says.
void LineMode::ask_help(Help about, std::size_t ply) {
  help_->ask(about, ply);
  if (help_->busy() == Help::analysis)
    say("The computer looks at every move. Type anything to end that.");
  else if (help_->busy() == Help::hint) say(help_->progress());
  const auto done = [&, told = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now(), due = told + std::chrono::seconds(1);
    if (now >= due && (help_->busy() == Help::analysis || help_->busy() == Help::openings)) {
      say(help_->progress());
      told = now;
    }
    return !help_->busy();
  };
  if (wait_until(done)) return;
  if (const std::string left = help_->stop(); !left.empty()) tell(left);
  if (about == Help::analysis) tell_analysis();
}

// In words there is no picture of it.
void LineMode::tell_analysis() {
  if (const Analysis* const known = desk_->analysed())
    for (const std::string& line : wrapped(known->text(view_.words ? 0 : kWidth), kWidth))
      say(line);
}

void LineMode::helped(const BoardHelp::Said& said) {
  if (said.about == Help::analysis && said.text) return tell_analysis();
  if (!said.text) return tell(said.told);
  for (const std::string& line : said.text(kWidth)) say(line);
}

void LineMode::draw_field(char field) {
  view_.field = desk_->drawing(field, view_.field);
  if (const auto kept = desk_->keep_field(view_.field); !kept) say(kept.refusal().why);
  show_now();
}

void LineMode::tell_in_words(bool words) {
  view_.words = words;
  Preferences wanted = settings_.chosen();
  wanted.words = words;
  if (const auto kept = settings_.set(wanted); !kept) say(kept.refusal().why);
  show_now();
}

void LineMode::read(const std::string& topic) {
  if (help(topic)) return;
  const auto text = rules_(topic);
  if (!text) return say(text.refusal().why);
  write(*text);
}

void LineMode::write(std::string_view markdown) {
  for (const TextLine& line : layout_markdown(markdown, kWidth)) say(line.text);
}

void LineMode::leave() {
  if (desk_ && desk_->trying()) {
    desk_->stop_trying();
    return show_now();
  }
  help_.reset();
  desk_.reset();
  lobby_line("list");
}

}  // namespace pbm
