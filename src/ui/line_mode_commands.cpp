// SPDX-License-Identifier: MIT
// What can be typed line by line, at the list of boards and at one of them.
#include <algorithm>
#include <ostream>

#include "base/markdown.hpp"
#include "game/options.hpp"
#include "game/record.hpp"
#include "ui/line_mode.hpp"

namespace pbm {

const std::vector<LineMode::Command>& LineMode::lobby_commands() {
  static const std::vector<Command> table{
      {"list", "[WORD...]", "the boards, or those with these words", &LineMode::list},
      {"open", "N|BOARD|FILE", "open the Nth board of the list, or that board", &LineMode::open},
      {"next", "", "open the next board that waits for a move", &LineMode::next},
      {"new", "GAME [-options] [NAME...]", "start a board", &LineMode::create},
      {"copy", "N|BOARD", "copy a board", &LineMode::copy},
      {"rename", "N|BOARD NAME", "give a board another name", &LineMode::rename},
      {"delete", "N|BOARD", "put a board away", &LineMode::remove},
      {"undelete", "[BOARD]", "bring a deleted board back, the last one or that",
       &LineMode::restore},
      {"rules", "GAME", "the rules of a game", &LineMode::rules_of},
      {"seek", "GAME [-options] [-pair] [LOW-HIGH]", "look for a player: whoever takes it plays",
       &LineMode::seek, true},
      {"take", "N|SEEK", "take what somebody seeks: the game begins", &LineMode::take, true},
      {"unseek", "N|SEEK", "take back what you seek", &LineMode::unseek, true},
      {"players", "[GAME|USERID]", "who is here, the ratings of a game, or somebody's page",
       &LineMode::players, true},
      {"everybody", "", "list the boards of everybody, or only yours again", &LineMode::everybody,
       true},
      {"talk", "", "what was said, on a server", &LineMode::talk, true},
      {"help", "[TOPIC]", "this list, or more about saves, commands, server, keys, a game",
       &LineMode::help},
      {"quit", "", "leave the program", &LineMode::quit},
  };
  return table;
}

std::string LineMode::id_of(const std::string& word) const {
  const auto number = read_whole_number<std::size_t>(word);
  const std::vector<BoardSummary>& boards = listed_.all();
  return number && *number >= 1 && *number <= boards.size() ? boards[*number - 1].id : word;
}

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

void LineMode::list(const std::vector<std::string>& given) {
  listed_.set(boards_.list());
  const std::vector<BoardSummary>& boards = listed_.all();
  if (boards.empty())
    say("There are no boards yet: type new GAME, where GAME is " + game_names() + ".");
  bool any = false;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const std::string line = std::to_string(i + 1) + ". " + boards[i].in_words(now());
    if (!std::all_of(given.begin(), given.end(), [&](const std::string& w) {
          return lower(line).find(lower(w)) != std::string::npos;
        }))
      continue;
    any = true;
    say(line);
  }
  if (!any && !boards.empty()) say("No board has all of these words.");
}

void LineMode::open(const std::vector<std::string>& given) {
  if (given.size() != 1)
    return say("Which board? Type open and its number in the list, or its name.");
  open_board(id_of(given.front()));
}

void LineMode::open_board(const std::string& id) {
  auto board = boards_.open(id);
  if (!board) return say(board.refusal().why);
  say("Board " + board->id + ", " +
      title_with_options(board->match.game(), board->match.options()) + ".");
  sit_down(std::move(*board));
}

void LineMode::next(const std::vector<std::string>&) {
  LobbyModel now(name_);
  now.set(boards_.list());
  const auto next = now.next_waiting(desk_ ? desk_->id() : "");
  if (next) open_board(*next);
  else say(desk_ ? "No other board waits for a move." : "No board waits for a move.");
}

void LineMode::copy(const std::vector<std::string>& given) {
  if (given.size() != 1)
    return say("Which board? Type copy and its number in the list, or its name.");
  const auto board = boards_.open(id_of(given.front()));
  if (!board) return say(board.refusal().why);
  const auto made = boards_.keep(copied_from(*board, boards_.place(), board->match));
  say(made ? "Board " + made->id + " is a copy of " + board->id + "." : made.refusal().why);
}

void LineMode::rename(const std::vector<std::string>& given) {
  if (given.size() != 2)
    return say("Type rename, the board's number in the list or its name, and the new name.");
  const std::string id = id_of(given[0]);
  const auto name = boards_.rename(id, given[1]);
  if (!name) return say(name.refusal().why);
  listed_.rename(id, *name);
  say("Now it is board " + *name + ".");
}

void LineMode::create(const std::vector<std::string>& given) {
  if (given.empty()) return say("Which game? Type new and " + game_names() + ".");
  const GameType* game = find_game(given.front());
  if (!game)
    return say("There is no game '" + fit(given.front(), 30) + "': there is " + game_names() + ".");
  std::vector<std::string> option_words, names;
  for (std::size_t i = 1; i < given.size(); ++i)
    (given[i].front() == '-' ? option_words : names).push_back(given[i]);
  const std::size_t before = option_words.size();
  const auto limits = take_limits(option_words);
  if (!limits) return say(limits.refusal().why);
  const bool on_server = boards_.server().takes_commands();
  if (!on_server && option_words.size() < before)
    return say("Clocks run on a server: a board here has no such option.");
  const auto options = read_options(*game, option_words);
  if (!options) return say(options.refusal().why);
  // Whoever challenges plays.
  const std::string user = boards_.server().user();
  const auto is_user = [&](const std::string& n) { return same_ignoring_case(n, user); };
  if (!user.empty() && std::none_of(names.begin(), names.end(), is_user))
    names.insert(names.begin(), user);
  if (!user.empty() && names.size() < static_cast<std::size_t>(game->min_seats))
    return say("Against whom? Type new " + std::string(game->name) + " and a userid.");
  const auto players = check_names(*game, names);
  if (!players) return say(players.refusal().why);
  if (on_server && *limits != kUsualLimits) {
    auto wanted = Match::start(*game, *options, *players, now());
    if (!wanted) return say(wanted.refusal().why);
    wanted->set_limits(*limits);
    const auto answer = boards_.server().command(challenge_line(*wanted));
    if (!answer) return say(answer.refusal().why);
    say(answer->summary);
    if (!answer->board.empty()) open_board(answer->board);
    return;
  }
  auto board = boards_.create(*game, *options, players->words());
  if (!board) return say(board.refusal().why);
  say("This is board " + board->id + ".");
  if (const std::string remark = game->remark(*options, static_cast<int>(players->names.size()));
      !remark.empty())
    say(remark);
  say("A move is " + std::string(game->move_syntax) + ".");
  sit_down(std::move(*board));
}

// A line for the server about a game.
void LineMode::seek(const std::vector<std::string>& given) {
  if (given.empty() || !find_game(given.front()))
    return say("Which game? Type seek and " + game_names() + ".");
  std::string line = given.front() + " seek";
  for (std::size_t i = 1; i < given.size(); ++i) line += " " + given[i];
  send(line);
}

// The number of the seek that a word means, one of the list or "seek-7"; or the word itself.
std::string LineMode::seek_of(const std::string& word) const {
  const std::string id = id_of(word);
  return id.starts_with("seek-") ? id.substr(5) : word;
}

void LineMode::take(const std::vector<std::string>& given) {
  if (given.size() != 1) return say("Which one? Type take and its number in the list.");
  const auto answer = boards_.server().command("take " + seek_of(given.front()));
  if (!answer) return say(answer.refusal().why);
  say(answer->summary);
  if (!answer->board.empty()) open_board(answer->board);
}

void LineMode::unseek(const std::vector<std::string>& given) {
  if (given.size() != 1) return say("Which one? Type unseek and its number in the list.");
  send("unseek " + seek_of(given.front()));
}

void LineMode::players(const std::vector<std::string>& given) {
  if (given.size() > 1) return say("Type players, and a game or a userid.");
  send(given.empty()              ? "list"
       : find_game(given.front()) ? given.front() + " standings"
                                  : "player " + given.front());
}

void LineMode::everybody(const std::vector<std::string>&) {
  const bool others = !boards_.server().shows_others();
  if (const auto asked = boards_.server().look_around(false, others); !asked)
    return say(asked.refusal().why);
  list({});
}

void LineMode::remove(const std::vector<std::string>& given) {
  if (given.size() != 1)
    return say("Which board? Type delete and its number in the list, or its name.");
  const std::string id = id_of(given.front());
  const auto removed = boards_.remove(id);
  if (!removed) return say(removed.refusal().why);
  deleted_.push_back(id);
  say("Deleted " + id + ". Type undelete to bring it back.");
}

void LineMode::restore(const std::vector<std::string>& given) {
  if (given.size() > 1) return say("Type undelete, and the name of the board if not the last one.");
  if (deleted_.empty() && given.empty()) return say("Nothing was deleted since you came here.");
  const std::string id = given.empty() ? deleted_.back() : given.front();
  const auto restored = boards_.restore(id);
  say(restored ? "Board " + id + " is back." : restored.refusal().why);
  if (restored) std::erase(deleted_, id);
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
  for (const Command& c : desk_ ? std::vector<Command>{} : lobby_commands())
    if (boards_.server().takes_commands() || !c.on_server)
      say(std::string(c.name) + (c.syntax.empty() ? "" : " " + std::string(c.syntax)) + " - " +
          std::string(c.about) + ".");
}

void LineMode::quit(const std::vector<std::string>&) { done_ = true; }

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
    told_ = std::chrono::steady_clock::now();
    help_->analyse();
  }
  const auto busy = help_->busy();
  if (busy == Word::hint) say("The computer thinks about a hint.");
  if (busy == Word::analyse) say("The computer looks at every ply; what is typed ends that.");
  if (!wait_until([&] { return !help_->busy(); })) {
    help_->stop();
    if (busy == Word::hint) say("No hint, then.");
    if (busy == Word::analyse) say("Not analysed to the end: analyse goes on.");
  }
  if (const Analysis* const analysis = word == Word::analyse ? desk_->analysed() : nullptr)
    for (const std::string& line : analysis->text(kWidth)) say(line);
}

void LineMode::helped(const BoardHelp::Said& said) {
  if (said.refused) return say(said.told);
  if (said.about == Word::openings) return write(said.told);
  if (said.about != Word::analyse) return say(said.told);
  const auto now = std::chrono::steady_clock::now();
  if (!said.told.empty() || now - told_ < std::chrono::seconds(1)) return;
  told_ = now;
  say(std::to_string(desk_->analysed()->percent()) + " of 100 done.");
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

void LineMode::rules_of(const std::vector<std::string>& given) {
  if (!desk_ && given.size() != 1)
    return say("Of which game? Type rules and " + game_names() + ".");
  if (!desk_ && !find_game(given.front()))
    return say("There is no game '" + fit(given.front(), 30) + "': there is " + game_names() + ".");
  read(desk_ ? std::string(match().game().name) : given.front());
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
  if (desk_->trying()) {
    desk_->stop_trying();
    return show_now();
  }
  help_.reset();
  desk_.reset();
  list({});
}

}  // namespace pbm
