// SPDX-License-Identifier: MIT
#include "ui/lobby_session.hpp"

#include <algorithm>

#include "boards/boards.hpp"
#include "ui/settings.hpp"

namespace pbm {

namespace {

Refusal no_game(const std::string& typed) {
  return Refusal{"There is no game '" + fit(typed, 30) + "': there is " + game_names() + "."};
}

// Returns the number of an open challenge from its id, "seek-7"; else the text itself.
std::string seek_number(const std::string& id) {
  return id.starts_with("seek-") ? id.substr(5) : id;
}

Refusal several() { return Refusal{"These are several boards: Enter lists them, each in a row."}; }

// Reads the words after the name of a game.
BoardWords board_words(const std::vector<std::string>& given) {
  BoardWords out;
  for (std::size_t i = 1; i < given.size(); ++i)
    (given[i].front() == '-' ? out.options : out.names).push_back(given[i]);
  return out;
}

}  // namespace

LobbySession::LobbySession(Boards& boards, const std::string& name, Front front)
    : boards_(boards),
      front_(front),
      list_(name, front == Front::lines ? LobbyModel::Order::listed : LobbyModel::Order::turn) {}

std::span<const LobbySession::Word> LobbySession::words() {
  using enum Word::Where;
  using Session = LobbySession;
  static const std::vector<Word> table{
      {"list", "[WORD...]", "the boards, or those with these words", lines, &Session::write_list},
      {"open", "N|BOARD|FILE", "open the Nth board of the list, or that board", anywhere,
       &Session::open, by_keys(Key::Code::enter, typed('o')), true},
      {"next", "", "the next board that waits for a move", anywhere, &Session::next},
      {"new", "GAME [-options] [NAME...]", "start a board", asking, &Session::create,
       by_keys(typed('s'))},
      {"copy", "N|BOARD", "copy a board", asking, &Session::copy, by_keys(typed('c')), true,
       &Session::copies},
      {"rename", "N|BOARD NAME", "give a board another name", anywhere, &Session::rename,
       by_keys(typed('m')), true},
      {"delete", "N|BOARD", "put a board away", anywhere, &Session::remove,
       by_keys(typed('d'), Key::Code::remove), true, &Session::deletes},
      {"undelete", "[BOARD]", "bring a deleted board back, the last one or that", anywhere,
       &Session::undelete, by_keys(typed('u'))},
      {"rules", "GAME", "the rules of a game", anywhere, &Session::rules},
      {"lesson", "GAME", "learn a game by playing: a few small steps", anywhere, &Session::lesson},
      {"puzzle", "[GAME|mine] [DAY|N]",
       "today's puzzle, or that of a day or a number; mine: out of your own games", anywhere,
       &Session::puzzle},
      {"seek", "GAME [-options] [-pair] [LOW-HIGH]", "look for a player: whoever takes it plays",
       server, &Session::seek, by_keys(typed('l'))},
      {"take", "N|BOARD|SEEK", "yes: take what is sought, accept what is offered", server,
       &Session::take, by_keys(typed('y')), true},
      {"refuse", "N|BOARD|SEEK", "no: reject an offer, refuse a challenge, take back what you seek",
       server, &Session::refuse, by_keys(typed('x')), true, &Session::refuses},
      {"players", "[GAME|USERID]", "who is here, the ratings of a game, or somebody's page", server,
       &Session::players, by_keys(typed('p'))},
      {"everybody", "", "list the boards of everybody, or only yours again", server,
       &Session::everybody, by_keys(typed('e'))},
      {"talk", "", "what was said on the server", known, &Session::talk, by_keys(typed('w'))},
      {"settings", "", "colours, mouse, bell, your name, as F4", screen,
       &Session::go<ShowSettings>},
      {"mouse", "", "the mouse on or off, as F2", screen, &Session::go<SwitchMouse>},
      {"help", "[TOPIC]", "this list, or more about saves, commands, server, keys, a game", lines,
       &Session::help},
      {"quit", "", "leave the program", anywhere, &Session::go<Quit>, by_keys(typed('q'))},
  };
  return table;
}

bool LobbySession::means_something(const Word& word) const {
  using enum Word::Where;
  const bool there = boards_.server().takes_commands(), typed_only = front_ == Front::lines;
  switch (word.where) {
    case anywhere:
    case asking: return true;
    case server:
    case known: return there;
    case lines: return typed_only || !there;
    case screen: return !typed_only;
  }
  return false;
}

const LobbySession::Word* LobbySession::find(std::string_view line) const {
  const std::vector<std::string> said = pbm::words(line);
  for (const Word& word : words())
    if (!said.empty() && same_ignoring_case(word.name, said.front()) && means_something(word))
      return &word;
  return nullptr;
}

const LobbySession::Word* LobbySession::find(const Key& key) const {
  for (const Word& word : words())
    if (std::ranges::find(word.keys, key) != word.keys.end() && means_something(word)) return &word;
  return nullptr;
}

std::string LobbySession::about(std::string_view line) const {
  const Words said = pbm::words(line);
  if (const Word* const word = find(line))
    return term_of(word->name, word->syntax) + ": " + std::string(word->about) + ".";
  Words begun;
  for (const Word& word : words())
    if (means_something(word) &&
        (said.empty() || (said.size() == 1 && starts_ignoring_case(word.name, said.front()))))
      begun.emplace_back(word.name);
  if (!begun.empty()) return "Possible: " + joined(begun, 0, begun.size());
  return boards_.server().takes_commands()
             ? "Enter sends this to the server; help lists its commands."
             : "There is no word '" + fit(said.front(), 30) + "' here.";
}

Result<Entered> LobbySession::enter(const std::string& line) {
  Words given = pbm::words(line);
  if (given.empty()) return Entered{};
  const Word* const word = find(line);
  if (!word && front_ == Front::screen && boards_.server().takes_commands()) return command(line);
  if (!word) {
    Words known;
    for (const Word& w : words())
      if (means_something(w)) known.emplace_back(w.name);
    return Refusal{"There is no command '" + fit(given.front(), 30) + "' here: type " +
                   one_of(known) + "."};
  }
  given.erase(given.begin());
  if (word->syntax.empty() && !given.empty()) return Refusal{nothing_follows(word->name)};
  if (word->of_board && !given.empty()) given.front() = id_of(given.front());
  return enter(*word, given);
}

std::string LobbySession::way_to(std::string_view word) const {
  const auto table = words();
  const auto row = std::ranges::find_if(table, [&](const Word& w) { return w.name == word; });
  if (front_ == Front::lines) return std::string(word);
  return key_name(row->keys.front()) + (row->again ? " twice" : "");
}

std::string LobbySession::id_of(const std::string& word) const {
  const auto number = read_whole_number<std::size_t>(word);
  const std::vector<const BoardSummary*>& boards = list_.shown();
  if (number && *number >= 1 && *number <= boards.size()) return boards[*number - 1]->id;
  // The list shows examples without the prefix of their ids.
  const std::string example = std::string(kExample) + word;
  return !list_.find(word) && list_.find(example) ? example : word;
}

Result<Entered> LobbySession::write_list(const Words& given) {
  list_.set(boards_.list());
  const std::vector<BoardSummary>& boards = list_.all();
  if (boards.empty())
    return Entered{"There are no boards yet: type new GAME, where GAME is " + game_names() + "."};
  Entered out;
  const auto is_example = [](const BoardSummary& b) { return b.example && b.remark.empty(); };
  const auto examples = std::ranges::count_if(boards, is_example);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    // One row stands for all examples until the player asks for them.
    if (given.empty() && examples > 1 && is_example(boards[i])) continue;
    const std::string line = std::to_string(i + 1) + ". " + safe_text(boards[i].in_words(now()));
    if (std::ranges::all_of(given, [&](const std::string& w) {
          return lower(line).find(lower(w)) != std::string::npos;
        }))
      out.text += (out.text.empty() ? "" : "\n") + line;
  }
  if (given.empty() && examples > 1)
    out.text += (out.text.empty() ? "" : "\n") + std::to_string(examples) +
                " games to look at: type list example.";
  if (out.text.empty()) return Refusal{"No board has all of these words."};
  return out;
}

Result<Entered> LobbySession::open(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type open and its number in the list, or its name."};
  const std::string& id = given.front();
  if (list_.folded(id)) {
    list_.unfold(id);
    return Entered{};
  }
  const BoardSummary* const row = list_.find(id);
  if (row && !row->broken.empty()) return Refusal{row->broken};
  if (!row || row->seek == 0) return Entered{.open = id};
  return Entered{row->plays(boards_.server().user())
                     ? way_to("refuse") + " takes it back."
                     : way_to("take") + " takes it, and the game begins."};
}

// Skips the board that was given, if any. A screen only selects the next one.
Result<Entered> LobbySession::next(const Words& given) {
  LobbyModel now(list_);
  now.set(boards_.list());
  const auto next = now.next_waiting(given.empty() ? "" : given.front());
  if (!next)
    return Refusal{!given.empty() && now.find(given.front()) && now.waits(*now.find(given.front()))
                       ? "No other board waits for a move."
                       : std::string(kNothingWaits)};
  return front_ == Front::screen ? Entered{.board = *next} : Entered{.open = *next};
}

Result<Entered> begin_board(Boards& boards, const NewBoard& wanted) {
  if (wanted.there) {
    const auto answer = boards.server().command(wanted.line());
    if (!answer) return answer.refusal();
    if (wanted.open || wanted.pair || answer->board.empty()) return Entered{answer->summary};
    return Entered{.told = answer->summary, .open = answer->board};
  }
  // A local board is played at this keyboard alone.
  const RemoteBoards& server = boards.server();
  const auto& people = server.people();
  for (Seat s = 0; s < wanted.match.seats() && !server.user().empty(); ++s) {
    const std::string& name = wanted.match.names()[static_cast<std::size_t>(s)];
    if (wanted.match.computer(s) == 0 && !same_ignoring_case(name, server.user()) &&
        std::ranges::any_of(people,
                            [&](const Person& p) { return same_ignoring_case(p.userid, name); }))
      return Refusal{"A board with the computer is played here, and " + name +
                     " would not hear of it: leave the computer out, or choose another name."};
  }
  const auto board = boards.own().keep(wanted.match);
  if (!board) return board.refusal();
  return Entered{.told = "This is board " + board->id + ".", .open = board->id};
}

Result<Entered> LobbySession::create(const Words& given) {
  if (given.empty() && front_ == Front::screen) return Entered{.go = CreateBoard{}};
  if (given.empty()) return Refusal{"Which game? Type new and " + game_names() + "."};
  BoardWords wanted = board_words(given);
  const GameType* game = find_game(given.front(), wanted.options);
  if (!game) return no_game(given.front());
  // The user takes part, unless the other names fill all seats.
  const std::string user = boards_.server().user();
  const auto is_user = [&](const std::string& n) { return same_ignoring_case(n, user); };
  if (!user.empty() && std::ranges::none_of(wanted.names, is_user) &&
      wanted.names.size() < static_cast<std::size_t>(game->max_seats))
    wanted.names.insert(wanted.names.begin(), user);
  if (!user.empty() && wanted.names.size() < static_cast<std::size_t>(game->min_seats))
    return Refusal{"Against whom? Type new " + std::string(game->name) +
                   " and a userid, or computer:3."};
  const auto board =
      read_new_board(*game, wanted, {user, boards_.server().takes_commands(), list_.me()});
  if (!board) return board.refusal();
  auto begun = begin_board(boards_, *board);
  if (!begun || begun->open.empty()) return begun;
  const Match& match = board->match;
  if (std::string remark = game->remark(match.options(), match.seats()); !remark.empty())
    begun->lines.push_back(std::move(remark));
  begun->lines.push_back(match.how_to_move() + ".");
  return begun;
}

Result<Entered> LobbySession::copy(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type copy and its number in the list, or its name."};
  if (list_.folded(given.front())) return several();
  const auto board = boards_.open(given.front());
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
  if (!given.empty() && list_.folded(given[0])) return several();
  // Refuses before the player types a name.
  if (given.size() == 1 && (stays(given[0]) || is_there(given[0])))
    return Refusal{"Only boards of your own can have another name."};
  if (given.size() == 1 && front_ == Front::screen)
    return Entered{.go = AskName{}, .board = given[0]};
  if (given.size() != 2)
    return Refusal{"Type rename, the board's number in the list or its name, and the new name."};
  const std::string& id = given[0];
  const auto renamed = boards_.of(id).rename(id, given[1]);
  if (!renamed) return renamed.refusal();
  list_.rename(id, *renamed);
  return Entered{.told = "Now it is board " + *renamed + ".",
                 .go = Remember{[from = turned_as(id), to = turned_as(*renamed)](Preferences& p) {
                   for (std::string& name : p.turned)
                     if (name.starts_with(from)) name.replace(0, from.size(), to);
                 }},
                 .board = *renamed};
}

Result<Entered> LobbySession::remove(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type delete and its number in the list, or its name."};
  const std::string& id = given.front();
  if (stays(id))
    return Refusal{
        "A lesson or puzzle goes when it is done, and the words lesson and puzzle have it again; "
        "examples stay."};
  const Words* const folded = list_.folded(id);
  const Words wanted = folded ? *folded : Words{id};
  Words removed;
  for (const std::string& board : wanted) {
    if (const auto done = boards_.of(board).remove(board); !done) return done.refusal();
    removed.push_back(board);
  }
  const bool one = removed.size() == 1;
  just_removed_ = "Deleted " + (one ? id : count_of(removed.size(), "board", "boards")) + "; " +
                  way_to("undelete") + " brings " + (one ? "it" : "them") + " back.";
  seen_again_ = 0;
  removed_.push_back(std::move(removed));
  return Entered{just_removed_};
}

bool LobbySession::stays(const std::string& id) const {
  const BoardSummary* const row = list_.find(id);
  return id == kExamples || (row && row->example);
}

std::string LobbySession::deletes(const std::string& id) const {
  if (stays(id) || is_there(id)) return "";
  const Words* const folded = list_.folded(id);
  return "deletes " + (folded ? count_of(folded->size(), "board", "boards") : id);
}

Result<Entered> LobbySession::undelete(const Words& given) {
  if (given.size() > 1)
    return Refusal{"Type undelete, and the name of the board if not the last one."};
  if (removed_.empty() && given.empty()) return Refusal{"Nothing was deleted since you came here."};
  // If a name is taken, that board stays in the list of deletions.
  const Words wanted = given.empty() ? removed_.back() : given;
  just_removed_.clear();
  for (const std::string& id : wanted) {
    if (const auto restored = boards_.of(id).restore(id); !restored) return restored.refusal();
    // If several had this name, the last deleted one is back.
    for (auto group = removed_.rbegin(); group != removed_.rend(); ++group)
      if (std::erase(*group, id) > 0) break;
  }
  std::erase_if(removed_, [](const Words& group) { return group.empty(); });
  return Entered{.told = wanted.size() == 1
                             ? "Board " + wanted.front() + " is back."
                             : count_of(wanted.size(), "board is", "boards are") + " back.",
                 .board = wanted.front()};
}

Result<Entered> LobbySession::rules(const Words& given) {
  if (given.size() != 1) return Refusal{"Of which game? Type rules and " + game_names() + "."};
  const GameType* game = game_meant(given.front());
  if (!game) return no_game(given.front());
  return Entered{.go = ReadTopic{std::string(game->name)}};
}

Result<Entered> LobbySession::lesson(const Words& given) {
  const GameType* game = given.size() == 1 ? game_meant(given.front()) : nullptr;
  if (game) return Entered{.open = lesson_of(game->name)};
  if (given.size() == 1) return no_game(given.front());
  return Refusal{"Of which game? Type lesson and " + game_names() + "."};
}

Result<Entered> LobbySession::puzzle(const Words& given) {
  const auto id = puzzle_named(given);
  return id ? Result(Entered{.open = *id}) : id.refusal();
}

Result<Entered> LobbySession::seek(const Words& given) {
  if (given.empty() && front_ == Front::screen) return Entered{.go = CreateBoard{"", true}};
  BoardWords wanted = board_words(given);
  const GameType* game = given.empty() ? nullptr : find_game(given.front(), wanted.options);
  if (!game) return Refusal{"Which game? Type seek and " + game_names() + "."};
  if (wanted.names.size() > 1)
    return Refusal{"Nobody is named in an open challenge: ratings may be, as 1500-1700."};
  wanted.ratings = wanted.names.empty() ? "" : wanted.names.front();
  const auto board = read_new_board(*game, wanted, {boards_.server().user(), true});
  return board ? begin_board(boards_, *board) : board.refusal();
}

Result<Entered> LobbySession::take(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type take and its number in the list."};
  const std::string &id = given.front(), user = boards_.server().user();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek > 0) {
    if (row && row->plays(user))
      return Refusal{"That is your own: " + way_to("refuse") + " takes it back."};
    return command("take " + seek_number(id), true);
  }
  if (row->offer && waits_for(*row, user)) return play(id, "accept");
  if (may_refuse(*row)) return Entered{.open = id};
  return Refusal{"Nobody seeks a player or offers anything there."};
}

std::string LobbySession::refuses(const std::string& id) const {
  const BoardSummary* const row = list_.find(id);
  const std::string user = boards_.server().user();
  if (!row) return "";
  if (row->seek > 0) return row->plays(user) ? "takes " + id + " back" : "";
  if (row->offer && waits_for(*row, user)) return "rejects what is offered on " + id;
  return may_refuse(*row) ? "refuses " + id : "";
}

Result<Entered> LobbySession::refuse(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type refuse and its number in the list."};
  const std::string& id = given.front();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek > 0) return command("unseek " + seek_number(id));
  if (refuses(id).empty()) return Refusal{"There is nothing to decline here."};
  const bool offered = row->offer && waits_for(*row, boards_.server().user());
  return play(id, offered ? "reject" : "resign");
}

Result<Entered> LobbySession::players(const Words& given) {
  if (given.empty() && front_ == Front::screen) return Entered{.go = ShowPeople{}};
  if (given.size() > 1) return Refusal{"Type players, and a game or a userid."};
  const GameType* const game = given.empty() ? nullptr : game_meant(given.front());
  return command(given.empty() ? "list"
                 : game        ? std::string(game->name) + " standings"
                               : "player " + given.front());
}

Result<Entered> LobbySession::everybody(const Words&) {
  const bool others = !boards_.server().shows_others();
  const auto asked = boards_.server().look_around(false, others);
  if (!asked) return asked.refusal();
  return Entered{
      .told = others ? "The boards of everybody are listed." : "Only your own boards are listed.",
      // GoBack writes the list again in line mode.
      .go = front_ == Front::lines ? ScreenRequest(GoBack{}) : ScreenRequest()};
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
