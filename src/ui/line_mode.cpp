// SPDX-License-Identifier: MIT
#include "ui/line_mode.hpp"

#include <algorithm>
#include <istream>
#include <ostream>

#include "base/error.hpp"
#include "base/markdown.hpp"
#include "game/options.hpp"

namespace pbm {
namespace {
constexpr std::size_t kLongestLine = 1024;  // bytes; more is no command
constexpr int kWidth = 78;
}  // namespace

LineMode::LineMode(Boards& boards, View view, std::function<Result<std::string>(const std::string&)> rules, std::istream& in, std::ostream& out, bool echo)
    : boards_(boards), view_(view), rules_(std::move(rules)), in_(in), out_(out), echo_(echo) {}

const std::vector<LineMode::Command>& LineMode::lobby_commands() {
  static const std::vector<Command> table{
      {"list", "", "the boards", &LineMode::list},
      {"open", "N|BOARD|FILE", "open the Nth board of the list, or that board", &LineMode::open},
      {"new", "GAME [-options] [NAME...]", "start a board", &LineMode::create},
      {"delete", "N|BOARD", "put a board away", &LineMode::remove},
      {"undelete", "", "bring the last deleted board back", &LineMode::restore},
      {"rules", "GAME", "the rules of a game", &LineMode::rules_of},
      {"help", "", "this list", &LineMode::help},
      {"quit", "", "leave the program", &LineMode::quit},
  };
  return table;
}

const std::vector<LineMode::Command>& LineMode::board_commands() {
  static const std::vector<Command> table{
      {"show", "[PLY]", "draw the board, now or after a ply", &LineMode::show},
      {"words", "", "the position in words", &LineMode::in_words},
      {"legal", "", "every legal move", &LineMode::legal},
      {"plies", "", "what was played", &LineMode::plies},
      {"field", "a|b|c", "how to draw a game that has several drawings", &LineMode::field},
      {"rules", "", "the rules of this game", &LineMode::rules_of},
      {"boards", "", "back to the list of boards", &LineMode::leave},
      {"help", "", "this list", &LineMode::help},
      {"quit", "", "leave the program; everything is kept", &LineMode::quit},
  };
  return table;
}

void LineMode::say(const std::string& sentence) { out_ << safe_text(sentence) << '\n'; }

std::optional<std::string> LineMode::ask(const std::string& prompt) {
  out_ << prompt << std::flush;
  std::string line;
  char c = 0;
  // Of a line that is too long only so much is kept as to see that it is.
  while (in_.get(c) && c != '\n')
    if (line.size() <= kLongestLine) line += c;
  if (!in_ && line.empty()) {
    out_ << '\n';
    return std::nullopt;
  }
  if (echo_) out_ << fit(line, kWidth) << '\n';
  return line;
}

void LineMode::guarded(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    say(e.what());
  }
}

void LineMode::run(std::optional<Board> board) {
  say("pbmplay, line by line. Type help for what can be typed.");
  if (board) {
    board_ = std::move(board);
    show({});
  } else {
    guarded([&] { list({}); });
  }
  while (!done_) {
    const std::string prompt = board_ ? "move> " : "boards> ";
    const auto line = ask(prompt);
    if (!line) return;
    if (line->size() > kLongestLine) {
      say("That line is too long for a command.");
      continue;
    }
    guarded([&] { board_ ? board_line(*line) : lobby_line(*line); });
  }
}

bool LineMode::dispatch(const std::vector<Command>& table, const std::string& line) {
  std::vector<std::string> given = words(line);
  if (given.empty()) return true;
  for (const Command& c : table)
    if (same_ignoring_case(c.name, given.front())) {
      given.erase(given.begin());
      (this->*c.run)(given);
      return true;
    }
  return false;
}

void LineMode::lobby_line(const std::string& line) {
  if (!dispatch(lobby_commands(), line)) say("There is no command '" + fit(words(line).front(), 30) + "' here: type help.");
}

void LineMode::board_line(const std::string& line) {
  if (dispatch(board_commands(), line)) return;
  const std::string said = !board_->match.ending() ? board_->match.player(board_->match.position().to_move()) : "";
  const Position before = board_->match.position();
  const auto played = boards_.play(*board_, turns_at_one_keyboard(board_->match, line));
  if (!played) {
    refuse(played.refusal(), line, 6);
    return;
  }
  const std::string typed(trim(line));
  if (!is_match_word(typed)) say("Played: " + said + " " + board_->match.plies().back().described + ".");
  show({});
}

void LineMode::refuse(const Refusal& refusal, const std::string& typed, std::size_t prompt) {
  const std::string before = safe_text(std::string_view(typed).substr(0, std::min(refusal.at, typed.size())));
  if (columns(before) < kWidth - 10) out_ << std::string(prompt + static_cast<std::size_t>(columns(before)), ' ') << "^\n";
  say(refusal.why);
}

void LineMode::tell_turn() {
  if (board_->match.offer()) say(board_->match.offered() + " Type accept or reject.");
  say(board_->match.standing());
}

void LineMode::list(const std::vector<std::string>&) {
  listed_ = boards_.list();
  if (listed_.empty()) say("There are no boards yet: type new GAME, where GAME is " + game_names() + ".");
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    const BoardLine& l = listed_[i];
    std::string names;
    for (const std::string& name : l.names) names += (names.empty() ? "" : " and ") + name;
    say(std::to_string(i + 1) + ". " + l.id + (l.broken ? ": " + l.state : ": " + l.title + ", " + names + ", " + l.state + ", " + count_of(l.plies, "ply", "plies") + "."));
  }
}

void LineMode::open(const std::vector<std::string>& given) {
  if (given.size() != 1) return say("Which board? Type open and its number in the list, or its name.");
  std::string id = given.front();
  if (std::all_of(id.begin(), id.end(), is_digit) && id.size() < 4 && std::stoul(id) >= 1 && std::stoul(id) <= listed_.size())
    id = listed_[std::stoul(id) - 1].id;
  auto board = boards_.open(id);
  if (!board) return say(board.refusal().why);
  board_ = std::move(*board);
  if (!board_->warning.empty()) say(board_->warning);
  show({});
}

void LineMode::create(const std::vector<std::string>& given) {
  if (given.empty()) return say("Which game? Type new and " + game_names() + ".");
  const GameType* game = find_game(given.front());
  if (!game) return say("There is no game '" + fit(given.front(), 30) + "': there is " + game_names() + ".");
  std::vector<std::string> option_words, names;
  for (std::size_t i = 1; i < given.size(); ++i) (given[i].front() == '-' ? option_words : names).push_back(given[i]);
  const auto options = read_options(*game, option_words);
  if (!options) return say(options.refusal().why);
  const auto players = check_names(*game, names);
  if (!players) return say(players.refusal().why);
  auto board = boards_.create(*game, *options, *players);
  if (!board) return say(board.refusal().why);
  board_ = std::move(*board);
  say("This is board " + board_->id + ".");
  if (const std::string remark = game->remark(*options, static_cast<int>(players->size())); !remark.empty()) say(remark);
  say("A move is " + std::string(game->move_syntax) + ".");
  show({});
}

void LineMode::remove(const std::vector<std::string>& given) {
  if (given.size() != 1) return say("Which board? Type delete and its number in the list, or its name.");
  std::string id = given.front();
  if (std::all_of(id.begin(), id.end(), is_digit) && id.size() < 4 && std::stoul(id) >= 1 && std::stoul(id) <= listed_.size())
    id = listed_[std::stoul(id) - 1].id;
  const auto removed = boards_.remove(id);
  if (!removed) return say(removed.refusal().why);
  deleted_ = id;
  say("Deleted " + id + ". Type undelete to bring it back.");
  listed_ = boards_.list();
}

void LineMode::restore(const std::vector<std::string>&) {
  if (deleted_.empty()) return say("Nothing was deleted since you came here.");
  const auto restored = boards_.restore(deleted_);
  say(restored ? "Board " + deleted_ + " is back." : restored.refusal().why);
  if (restored) deleted_.clear();
}

void LineMode::help(const std::vector<std::string>&) {
  if (board_) {
    say("A move is " + std::string(board_->match.game().move_syntax) + ". Also:");
    say("resign - give up; propose - offer a draw; undo - take the last ply back; accept, reject - answer an offer.");
  }
  for (const Command& c : board_ ? board_commands() : lobby_commands())
    say(std::string(c.name) + (c.syntax.empty() ? "" : " " + std::string(c.syntax)) + " - " + std::string(c.about) + ".");
}

void LineMode::quit(const std::vector<std::string>&) { done_ = true; }

void LineMode::show(const std::vector<std::string>& given) {
  const Match& m = board_->match;
  std::size_t n = m.plies().size();
  if (!given.empty()) {
    const std::string& number = given.front();
    if (given.size() > 1 || number.size() > 5 || !std::all_of(number.begin(), number.end(), is_digit) || std::stoul(number) > n)
      return say("This board has " + count_of(n, "ply", "plies") + ": show takes a number from 0 to " + std::to_string(n) + ".");
    n = std::stoul(number);
  }
  View view = view_;
  view.finished = n == m.plies().size() && m.ending() && !m.ending()->on_board;
  for (const std::string& row : m.position_after(n).draw(view).rows) out_ << row << '\n';
  if (n == m.plies().size())
    tell_turn();
  else
    say(m.standing_after(n));
}

void LineMode::in_words(const std::vector<std::string>&) {
  for (const std::string& line : board_->match.position().in_words()) say(line);
  for (Seat s = 0; s < board_->match.seats(); ++s)
    if (const std::string has = board_->match.position().holdings(s); !has.empty()) say(board_->match.player(s) + " has " + has + ".");
  tell_turn();
}

void LineMode::legal(const std::vector<std::string>&) {
  std::string all;
  const auto legal = board_->match.ending() ? std::vector<std::string>{} : board_->match.position().legal();
  for (const std::string& ply : legal) all += (all.empty() ? "" : " ") + ply;
  if (all.empty()) return tell_turn();
  for (const std::string& line : wrap(all, kWidth)) say(line);
}

void LineMode::plies(const std::vector<std::string>&) {
  const Match& m = board_->match;
  if (m.plies().empty()) say("Nothing was played yet.");
  for (std::size_t i = 0; i < m.plies().size(); ++i) {
    const Match::Ply& ply = m.plies()[i];
    say(std::to_string(i + 1) + ". " + ply.text + ": " + m.player(ply.seat) + " " + ply.described + ".");
  }
}

void LineMode::field(const std::vector<std::string>& given) {
  const std::string_view fields = board_->match.game().fields;
  if (fields.empty()) return say(std::string(board_->match.game().title) + " has one drawing only.");
  if (given.size() != 1 || given.front().size() != 1 || fields.find(lower(given.front())[0]) == std::string_view::npos)
    return say("Which drawing? Type field and a letter of " + std::string(fields) + ".");
  view_.field = lower(given.front())[0];
  show({});
}

void LineMode::rules_of(const std::vector<std::string>& given) {
  if (!board_ && given.size() != 1) return say("Of which game? Type rules and " + game_names() + ".");
  const auto text = rules_(board_ ? std::string(board_->match.game().name) : given.front());
  if (!text) return say(text.refusal().why);
  for (const TextLine& line : layout_markdown(*text, kWidth)) say(line.text);
}

void LineMode::leave(const std::vector<std::string>&) {
  board_.reset();
  list({});
}

}  // namespace pbm
