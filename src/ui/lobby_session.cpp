// SPDX-License-Identifier: MIT
#include "ui/lobby_session.hpp"

#include <algorithm>

#include "boards/boards.hpp"

namespace pbm {

namespace {

Refusal no_game(const std::string& typed) {
  return Refusal{"There is no game '" + fit(typed, 30) + "': there is " + game_names() + "."};
}

// What stands behind a game.
BoardWords board_words(const std::vector<std::string>& given) {
  BoardWords out;
  for (std::size_t i = 1; i < given.size(); ++i)
    (given[i].front() == '-' ? out.options : out.names).push_back(given[i]);
  return out;
}

}  // namespace

std::span<const LobbySession::Word> LobbySession::words() {
  using enum Word::Where;
  static const std::vector<Word> table{
      {"list", "[WORD...]", "the boards, or those with these words", lines, &LobbySession::list},
      {"open", "N|BOARD|FILE", "open the Nth board of the list, or that board", anywhere,
       &LobbySession::open},
      {"next", "", "open the next board that waits for a move", anywhere, &LobbySession::next},
      {"new", "GAME [-options] [NAME...]", "start a board", anywhere, &LobbySession::create, true},
      {"copy", "N|BOARD", "copy a board", anywhere, &LobbySession::copy, true},
      {"rename", "N|BOARD NAME", "give a board another name", anywhere, &LobbySession::rename},
      {"delete", "N|BOARD", "put a board away", anywhere, &LobbySession::remove},
      {"undelete", "[BOARD]", "bring a deleted board back, the last one or that", anywhere,
       &LobbySession::undelete},
      {"rules", "GAME", "the rules of a game", anywhere, &LobbySession::rules},
      {"lesson", "GAME", "learn a game by playing: a few small steps", anywhere,
       &LobbySession::lesson},
      {"puzzle", "[GAME|mine] [DAY|N]",
       "today's puzzle, or that of a day or a number; mine: out of your own games", anywhere,
       &LobbySession::puzzle},
      {"seek", "GAME [-options] [-pair] [LOW-HIGH]", "look for a player: whoever takes it plays",
       server, &LobbySession::seek, true},
      {"take", "N|SEEK", "take what somebody seeks: the game begins", server, &LobbySession::take,
       true},
      {"unseek", "N|SEEK", "take back what you seek", server, &LobbySession::unseek, true},
      {"players", "[GAME|USERID]", "who is here, the ratings of a game, or somebody's page", server,
       &LobbySession::players, true},
      {"everybody", "", "list the boards of everybody, or only yours again", server,
       &LobbySession::everybody, true},
      {"talk", "", "what was said, on a server", server, &LobbySession::talk},
      {"settings", "", "colours, mouse, bell, your name", screen,
       &LobbySession::go<Entered::Go::settings>},
      {"mouse", "", "the mouse on or off", screen, &LobbySession::go<Entered::Go::mouse>},
      {"help", "[TOPIC]", "this list, or more about saves, commands, server, keys, a game", lines,
       &LobbySession::go<Entered::Go::help>},
      {"quit", "", "leave the program", anywhere, &LobbySession::go<Entered::Go::quit>},
  };
  return table;
}

bool LobbySession::means_something(const Word& word, Front front) const {
  using enum Word::Where;
  return word.where == anywhere || (word.where == server && boards_.server().takes_commands()) ||
         word.where == (front == Front::lines ? lines : screen);
}

const LobbySession::Word* LobbySession::find(std::string_view name, Front front) const {
  for (const Word& word : words())
    if (same_ignoring_case(word.name, name) && means_something(word, front)) return &word;
  return nullptr;
}

Result<Entered> LobbySession::enter(std::string_view name, const Words& given) {
  const auto table = words();
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const Word& w) { return w.name == name; });
  return enter(*row, given);
}

std::string LobbySession::id_of(const std::string& word) const {
  const auto number = read_whole_number<std::size_t>(word);
  const std::vector<BoardSummary>& boards = listed_.all();
  return number && *number >= 1 && *number <= boards.size() ? boards[*number - 1].id : word;
}

// The number of the seek that a word means, one of the list or "seek-7"; or the word itself.
std::string LobbySession::seek_of(const std::string& word) const {
  const std::string id = id_of(word);
  return id.starts_with("seek-") ? id.substr(5) : word;
}

Result<Entered> LobbySession::list(const Words& given) {
  listed_.set(boards_.list());
  const std::vector<BoardSummary>& boards = listed_.all();
  if (boards.empty())
    return Entered{"There are no boards yet: type new GAME, where GAME is " + game_names() + "."};
  Entered out;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const std::string line = std::to_string(i + 1) + ". " + boards[i].in_words(now());
    if (std::all_of(given.begin(), given.end(), [&](const std::string& w) {
          return lower(line).find(lower(w)) != std::string::npos;
        }))
      out.text += (out.text.empty() ? "" : "\n") + line;
  }
  if (out.text.empty()) return Refusal{"No board has all of these words."};
  return out;
}

Result<Entered> LobbySession::open(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type open and its number in the list, or its name."};
  return Entered{.open = id_of(given.front())};
}

// But the board `given`, if there is one.
Result<Entered> LobbySession::next(const Words& given) {
  LobbyModel now(listed_);
  now.set(boards_.list());
  if (const auto next = now.next_waiting(given.empty() ? "" : given.front()))
    return Entered{.open = *next};
  return Refusal{given.empty() ? "No board waits for a move." : "No other board waits for a move."};
}

Result<Entered> begin_board(Boards& boards, const NewBoard& wanted) {
  if (wanted.there) {
    const auto answer = boards.server().command(wanted.line());
    if (!answer) return answer.refusal();
    if (wanted.open || wanted.pair || answer->board.empty()) return Entered{answer->summary};
    return Entered{.told = answer->summary, .open = answer->board};
  }
  const auto board = boards.own().keep(wanted.match);
  if (!board) return board.refusal();
  return Entered{.told = "This is board " + board->id + ".", .open = board->id};
}

Result<Entered> LobbySession::create(const Words& given) {
  if (given.empty()) return Refusal{"Which game? Type new and " + game_names() + "."};
  const GameType* game = find_game(given.front());
  if (!game) return no_game(given.front());
  BoardWords wanted = board_words(given);
  // Whoever challenges plays.
  const std::string user = boards_.server().user();
  const auto is_user = [&](const std::string& n) { return same_ignoring_case(n, user); };
  if (!user.empty() && std::none_of(wanted.names.begin(), wanted.names.end(), is_user))
    wanted.names.insert(wanted.names.begin(), user);
  if (!user.empty() && wanted.names.size() < static_cast<std::size_t>(game->min_seats))
    return Refusal{"Against whom? Type new " + std::string(game->name) +
                   " and a userid, or computer:3."};
  const auto board = read_new_board(*game, wanted, {user, boards_.server().takes_commands()});
  if (!board) return board.refusal();
  auto begun = begin_board(boards_, *board);
  if (!begun || begun->open.empty()) return begun;
  const Match& match = board->match;
  if (std::string remark = game->remark(match.options(), match.seats()); !remark.empty())
    begun->lines.push_back(std::move(remark));
  begun->lines.push_back("A move is " + std::string(game->move_syntax) + ".");
  return begun;
}

Result<Entered> LobbySession::copy(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type copy and its number in the list, or its name."};
  const auto board = boards_.open(id_of(given.front()));
  if (!board) return board.refusal();
  const auto made = boards_.own().keep(copied_from(*board, boards_.place(), board->match));
  if (!made) return made.refusal();
  return Entered{.told = "Board " + made->id + " is a copy of " + board->id + ".",
                 .board = made->id};
}

Result<Entered> LobbySession::play(const std::string& id, const std::string& word) {
  auto board = boards_.open(id);
  if (!board) return board.refusal();
  if (const auto done = boards_.play(*board, {MoveRequest{std::nullopt, word}}); !done)
    return done.refusal();
  return Entered{board->match.standing()};
}

Result<Entered> LobbySession::rename(const Words& given) {
  if (given.size() != 2)
    return Refusal{"Type rename, the board's number in the list or its name, and the new name."};
  const std::string id = id_of(given[0]);
  const auto renamed = boards_.of(id).rename(id, given[1]);
  if (!renamed) return renamed.refusal();
  listed_.rename(id, *renamed);
  return Entered{.told = "Now it is board " + *renamed + ".", .board = *renamed};
}

Result<Entered> LobbySession::remove(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type delete and its number in the list, or its name."};
  const std::string id = id_of(given.front());
  if (const auto removed = boards_.of(id).remove(id); !removed) return removed.refusal();
  removed_.push_back(id);
  return Entered{"Deleted " + id + ". Type undelete to bring it back."};
}

Result<Entered> LobbySession::undelete(const Words& given) {
  if (given.size() > 1)
    return Refusal{"Type undelete, and the name of the board if not the last one."};
  if (removed_.empty() && given.empty()) return Refusal{"Nothing was deleted since you came here."};
  const std::string id = given.empty() ? removed_.back() : given.front();
  // Where it cannot be, its name taken, it can be asked for again.
  if (const auto restored = boards_.of(id).restore(id); !restored) return restored.refusal();
  std::erase(removed_, id);
  return Entered{.told = "Board " + id + " is back.", .board = id};
}

Result<Entered> LobbySession::rules(const Words& given) {
  if (given.size() != 1) return Refusal{"Of which game? Type rules and " + game_names() + "."};
  const GameType* game = find_game(given.front());
  if (!game) return no_game(given.front());
  return Entered{.go = Entered::Go::topic, .topic = std::string(game->name)};
}

Result<Entered> LobbySession::lesson(const Words& given) {
  const GameType* game = given.size() == 1 ? find_game(given.front()) : nullptr;
  if (game) return Entered{.open = lesson_of(game->name)};
  if (given.size() == 1) return no_game(given.front());
  return Refusal{"Of which game? Type lesson and " + game_names() + "."};
}

Result<Entered> LobbySession::puzzle(const Words& given) {
  const auto id = puzzle_named(given);
  return id ? Result(Entered{.open = *id}) : id.refusal();
}

Result<Entered> LobbySession::seek(const Words& given) {
  const GameType* game = given.empty() ? nullptr : find_game(given.front());
  if (!game) return Refusal{"Which game? Type seek and " + game_names() + "."};
  BoardWords wanted = board_words(given);
  if (wanted.names.size() > 1)
    return Refusal{"Nobody is named in an open challenge: ratings may be, as 1500-1700."};
  wanted.ratings = wanted.names.empty() ? "" : wanted.names.front();
  const auto board = read_new_board(*game, wanted, {boards_.server().user(), true});
  return board ? begin_board(boards_, *board) : board.refusal();
}

Result<Entered> LobbySession::take(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type take and its number in the list."};
  return command("take " + seek_of(given.front()), true);
}

Result<Entered> LobbySession::unseek(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type unseek and its number in the list."};
  return command("unseek " + seek_of(given.front()));
}

Result<Entered> LobbySession::players(const Words& given) {
  if (given.size() > 1) return Refusal{"Type players, and a game or a userid."};
  return command(given.empty()              ? "list"
                 : find_game(given.front()) ? given.front() + " standings"
                                            : "player " + given.front());
}

Result<Entered> LobbySession::everybody(const Words&) {
  const bool others = !boards_.server().shows_others();
  const auto asked = boards_.server().look_around(false, others);
  if (!asked) return asked.refusal();
  return Entered{
      .told = others ? "The boards of everybody are listed." : "Only your own boards are listed.",
      .go = Entered::Go::boards};
}

Result<Entered> LobbySession::talk(const Words&) {
  const std::string text = joined_lines(boards_.server().talk());
  return text.empty() ? Entered{"Nothing was said yet."} : Entered{.text = text};
}

Result<Entered> LobbySession::command(const std::string& line, bool opens) {
  const auto answer = boards_.server().command(line);
  if (!answer) return answer.refusal();
  return opens && !answer->board.empty() ? Entered{.told = answer->summary, .open = answer->board}
                                         : Entered::of(*answer);
}

}  // namespace pbm
