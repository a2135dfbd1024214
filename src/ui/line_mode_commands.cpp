// SPDX-License-Identifier: MIT
// What can be typed line by line, at the list of boards and at one of them.
#include <algorithm>
#include <ostream>

#include "base/markdown.hpp"
#include "game/options.hpp"
#include "game/record.hpp"
#include "ui/line_mode.hpp"

namespace pbm {

std::optional<std::size_t> LineMode::ply_in(const std::vector<std::string>& given) {
  if (given.empty()) return match().plies().size();
  const auto ply = match().ply_named(given.size() == 1 ? given.front() : "");
  if (ply) return *ply;
  say(ply.refusal().why);
  return std::nullopt;
}

void LineMode::tell_turn() {
  if (const std::string task = desk_->task(); !task.empty()) {
    for (const std::string& line : wrap(task, kWidth)) say(line);
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

void LineMode::help(const std::vector<std::string>& given) {
  if (!given.empty()) return read(given.front());
  const auto tell = [&](const TypedWord& w) { say(w.term() + " - " + std::string(w.about) + "."); };
  if (desk_) {
    say("A move is " + std::string(match().game().move_syntax) + ". Also:");
    say("resign - give up; propose - offer a draw; undo - " +
        std::string(desk_->board().shared() ? "" : "ask for leave to ") +
        "take the last ply back; accept, reject - answer an offer.");
    for (const TypedWord* w : desk_->words_here(Front::lines))
      if (w->where == TypedWord::Where::session || w->where == TypedWord::Where::server) tell(*w);
  }
  if (boards_.server().takes_commands())
    say(":COMMAND - send a command to the server; :help lists them.");
  if (desk_)
    for (const TypedWord& w : typed_words())
      if (w.of_front(Front::lines)) tell(w);
  if (desk_) return;
  for (const LobbySession::Word& w : LobbySession::words())
    if (lobby_.means_something(w, Front::lines))
      say(std::string(w.name) + (w.syntax.empty() ? "" : " " + std::string(w.syntax)) + " - " +
          std::string(w.about) + ".");
}

void LineMode::show(std::size_t ply) {
  const Match& m = match();
  for (const std::string& row : m.draw(ply, view_).rows) out_ << row << '\n';
  if (const std::string left = m.holdings_after(ply); !left.empty()) say(left);
  if (ply == m.plies().size()) tell_turn();
  else say(m.standing_after(ply));
}

void LineMode::in_words(const std::vector<std::string>& given) {
  const auto ply = ply_in(given);
  if (!ply) return;
  const Match& m = match();
  for (const std::string& line : m.position_after(*ply).in_words()) say(line);
  if (const std::string left = m.holdings_after(*ply); !left.empty()) say(left);
  if (*ply == m.plies().size()) tell_turn();
  else say(m.standing_after(*ply));
}

void LineMode::preview(const std::vector<std::string>& given) {
  if (given.empty()) return say("Which move? Type preview and the move.");
  const Match& m = match();
  const std::string typed = joined(given, 0, given.size());
  const Seat seat = m.acting_seat(typed);
  const auto entry = m.validate(seat, typed, Time{});
  if (!entry) return refuse(entry.refusal(), typed);
  if (is_match_word(entry->text)) return say(entry->text + " is no move on the board.");
  const Position& position = m.position();
  say("Not played: " + m.player(seat) + " " + position.describe(entry->text) + ".");
  if (const std::string caution = position.caution(entry->text); !caution.empty())
    say("But " + caution);
  Match next = m;
  next.add(*entry);
  for (const std::string& row : next.draw(next.plies().size(), view_).rows) out_ << row << '\n';
  if (const std::string left = next.holdings_after(next.plies().size()); !left.empty()) say(left);
}

void LineMode::ask_help(const TypedLine& typed) {
  const std::vector<std::string> given = words(typed.rest);
  const Word word = typed.word->word;
  if (word == Word::openings) {
    const auto ply = ply_in(given);
    if (!ply) return;
    const auto openings = desk_->openings(*ply);
    if (!openings) return say(openings.refusal().why);
    if (desk_->board().has_others()) desk_->ask_openings(**openings);
    help_->judge(*openings);
  } else if (!given.empty()) {
    return say("Nothing follows " + std::string(typed.word->name) + ".");
  } else if (word == Word::hint) {
    help_->hint();
  } else if (word == Word::threats) {
    help_->threats(match().plies().size());
  } else {
    help_->analyse();
  }
  const auto busy = help_->busy();
  if (busy == Word::hint) say(help_->progress());
  if (busy == Word::analyse) say("The computer looks at every ply; what is typed ends that.");
  const auto done = [&, told = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now(), due = told + std::chrono::seconds(1);
    if (now >= due && (help_->busy() == Word::analyse || help_->busy() == Word::openings)) {
      say(help_->progress());
      told = now;
    }
    return !help_->busy();
  };
  if (!wait_until(done)) {
    help_->stop();
    if (busy == Word::hint) say("No hint, then.");
    if (busy == Word::analyse) say("Not analysed to the end: analyse goes on.");
  }
  if (const Analysis* const analysis = word == Word::analyse ? desk_->analysed() : nullptr)
    for (const std::string& line : analysis->text(kWidth)) say(line);
}

void LineMode::helped(const BoardHelp::Said& said) {
  if (said.about == Word::openings) return write(said.told);
  if (said.refused || said.about != Word::analyse) say(said.told);
}

void LineMode::field(const std::vector<std::string>& given) {
  const std::string_view fields = match().game().fields;
  if (fields.empty()) return say(std::string(match().game().title) + " has one drawing only.");
  if (given.size() != 1 || given.front().size() != 1 ||
      fields.find(lower(given.front())[0]) == std::string_view::npos)
    return say("Which drawing? Type field and a letter of " + std::string(fields) + ".");
  view_.field = lower(given.front())[0];
  if (const auto kept = desk_->keep_field(view_.field); !kept) say(kept.refusal().why);
  show_now();
}

void LineMode::read(const std::string& topic) {
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
  enter_word("list");
}

}  // namespace pbm
