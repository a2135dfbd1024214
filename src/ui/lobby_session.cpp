// SPDX-License-Identifier: MIT
#include "ui/lobby_session.hpp"

#include <algorithm>

#include "boards/boards.hpp"
#include "ui/settings.hpp"

namespace pbm {

namespace {

Refusal unknown_game_refusal(const std::string& typed) {
  return Refusal{"There is no game '" + fit(typed, 30) + "': there is " + list_game_names() + "."};
}

// Returns the number of an open challenge from its id, "seek-7"; else the text itself.
std::string challenge_number(const std::string& id) {
  return id.starts_with("seek-") ? id.substr(5) : id;
}

Refusal several_boards_refusal() {
  return Refusal{"These are several boards: Enter lists them, each in a row."};
}

// Reads the words after the name of a game.
BoardRequest read_board_words(const std::vector<std::string>& given) {
  BoardRequest out;
  for (std::size_t i = 1; i < given.size(); ++i)
    (given[i].front() == '-' ? out.options : out.names).push_back(given[i]);
  return out;
}

}  // namespace

LobbySession::LobbySession(Boards& boards, const std::string& name, FrontEnd front)
    : boards_(boards),
      front_end_(front),
      list_(name,
            front == FrontEnd::line_mode ? LobbyModel::Order::unsorted : LobbyModel::Order::turn) {}

std::span<const LobbySession::Word> LobbySession::word_table() {
  using enum Word::Scope;
  using Session = LobbySession;
  static const std::vector<Word> table{
      {"list", "[WORD...]", "the boards, or those with these words", not_server_screen,
       &Session::print_list},
      {"open", "N|BOARD|FILE", "open the Nth board of the list, or that board", anywhere,
       &Session::open_board, key_list(Key::Code::enter, character_key('o')), true},
      {"next", "", "the next board that waits for a move", anywhere, &Session::go_to_next},
      {"new", "GAME [-options] [NAME...]", "start a board", may_ask_server, &Session::create_board,
       key_list(character_key('s'))},
      {"copy", "N|BOARD", "copy a board", may_ask_server, &Session::copy_board,
       key_list(character_key('c')), true, &Session::copy_confirmation},
      {"rename", "N|BOARD NAME", "give a board another name", anywhere, &Session::rename_board,
       key_list(character_key('m')), true},
      {"delete", "N|BOARD", "put a board away", anywhere, &Session::delete_boards,
       key_list(character_key('d'), Key::Code::delete_key), true, &Session::delete_confirmation},
      {"undelete", "[BOARD]", "bring a deleted board back, the last one or that", anywhere,
       &Session::restore_boards, key_list(character_key('u'))},
      {"rules", "GAME", "the rules of a game", anywhere, &Session::show_rules},
      {"lesson", "GAME", "learn a game by playing: a few small steps", anywhere,
       &Session::open_lesson},
      {"puzzle", "[GAME|mine] [DAY|N]",
       "today's puzzle, or that of a day or a number; mine: out of your own games", anywhere,
       &Session::open_puzzle},
      {"seek", "GAME [-options] [-pair] [LOW-HIGH]", "look for a player: whoever takes it plays",
       server_only, &Session::create_challenge, key_list(character_key('l'))},
      {"take", "N|BOARD|SEEK", "yes: take what is sought, accept what is offered", server_only,
       &Session::accept, key_list(character_key('y')), true},
      {"refuse", "N|BOARD|SEEK", "no: reject an offer, refuse a challenge, take back what you seek",
       server_only, &Session::decline, key_list(character_key('x')), true,
       &Session::decline_confirmation},
      {"players", "[GAME|USERID]", "who is here, the ratings of a game, or somebody's page",
       server_only, &Session::show_players, key_list(character_key('p'))},
      {"everybody", "", "list the boards of everybody, or only yours again", server_only,
       &Session::toggle_others, key_list(character_key('e'))},
      {"talk", "", "what was said on the server", server_offline, &Session::show_chat,
       key_list(character_key('w'))},
      {"settings", "", "colours, mouse, bell, your name, as F4", screen_only,
       &Session::make_request<SettingsRequest>},
      {"mouse", "", "the mouse on or off, as F2", screen_only, &Session::make_request<MouseToggle>},
      {"help", "[TOPIC]", "this list, or more about saves, commands, server, keys, a game",
       not_server_screen, &Session::show_help},
      {"quit", "", "leave the program", anywhere, &Session::make_request<QuitRequest>,
       key_list(character_key('q'))},
  };
  return table;
}

bool LobbySession::is_available(const Word& word) const {
  using enum Word::Scope;
  const bool there = boards_.server().has_server(), typed_only = front_end_ == FrontEnd::line_mode;
  switch (word.scope) {
    case anywhere:
    case may_ask_server: return true;
    case server_only:
    case server_offline: return there;
    case not_server_screen: return typed_only || !there;
    case screen_only: return !typed_only;
  }
  return false;
}

const LobbySession::Word* LobbySession::find(std::string_view line) const {
  const std::vector<std::string> said = pbm::split_words(line);
  for (const Word& word : word_table())
    if (!said.empty() && equals_ignoring_case(word.name, said.front()) && is_available(word))
      return &word;
  return nullptr;
}

const LobbySession::Word* LobbySession::find(const Key& key) const {
  for (const Word& word : word_table())
    if (std::ranges::find(word.keys, key) != word.keys.end() && is_available(word)) return &word;
  return nullptr;
}

std::string LobbySession::describe_line(std::string_view line) const {
  const Words said = pbm::split_words(line);
  if (const Word* const word = find(line))
    return format_usage(word->name, word->syntax) + ": " + std::string(word->description) + ".";
  Words begun;
  for (const Word& word : word_table())
    if (is_available(word) &&
        (said.empty() || (said.size() == 1 && starts_with_ignoring_case(word.name, said.front()))))
      begun.emplace_back(word.name);
  if (!begun.empty()) return "Possible: " + join_words(begun, 0, begun.size());
  return boards_.server().has_server() ? "Enter sends this to the server; help lists its commands."
                                       : "There is no word '" + fit(said.front(), 30) + "' here.";
}

Result<EntryResult> LobbySession::enter(const std::string& line) {
  Words given = pbm::split_words(line);
  if (given.empty()) return EntryResult{};
  const Word* const word = find(line);
  if (!word && front_end_ == FrontEnd::screen && boards_.server().has_server())
    return send_command(line);
  if (!word) {
    Words known;
    for (const Word& w : word_table())
      if (is_available(w)) known.emplace_back(w.name);
    return Refusal{"There is no command '" + fit(given.front(), 30) + "' here: type " +
                   join_with_or(known) + "."};
  }
  given.erase(given.begin());
  if (word->syntax.empty() && !given.empty()) return Refusal{no_argument_message(word->name)};
  if (word->is_about_board && !given.empty()) given.front() = find_board_id(given.front());
  return enter(*word, given);
}

std::string LobbySession::word_usage(std::string_view word) const {
  const auto table = word_table();
  const auto row = std::ranges::find_if(table, [&](const Word& w) { return w.name == word; });
  if (front_end_ == FrontEnd::line_mode) return std::string(word);
  return key_name(row->keys.front()) + (row->confirmation ? " twice" : "");
}

std::string LobbySession::find_board_id(const std::string& word) const {
  const auto number = read_whole_number<std::size_t>(word);
  const std::vector<const BoardSummary*>& boards = list_.shown_rows();
  if (number && *number >= 1 && *number <= boards.size()) return boards[*number - 1]->id;
  // The list shows examples without the prefix of their ids.
  const std::string example = std::string(kExamplePrefix) + word;
  return !list_.find(word) && list_.find(example) ? example : word;
}

Result<EntryResult> LobbySession::print_list(const Words& given) {
  list_.set_boards(boards_.list());
  const std::vector<BoardSummary>& boards = list_.boards();
  if (boards.empty())
    return EntryResult{"There are no boards yet: type new GAME, where GAME is " +
                       list_game_names() + "."};
  EntryResult out;
  const auto is_example = [](const BoardSummary& b) { return b.is_example && b.remark.empty(); };
  const auto examples = std::ranges::count_if(boards, is_example);
  for (std::size_t i = 0; i < boards.size(); ++i) {
    // One row stands for all examples until the player asks for them.
    if (given.empty() && examples > 1 && is_example(boards[i])) continue;
    const std::string line = std::to_string(i + 1) + ". " + safe_text(boards[i].describe(now()));
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

Result<EntryResult> LobbySession::open_board(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type open and its number in the list, or its name."};
  const std::string& id = given.front();
  if (list_.folded_boards(id)) {
    list_.unfold(id);
    return EntryResult{};
  }
  const BoardSummary* const row = list_.find(id);
  if (row && !row->load_error.empty()) return Refusal{row->load_error};
  if (!row || row->seek_number == 0) return EntryResult{.board_to_open = id};
  return EntryResult{row->has_player(boards_.server().userid())
                         ? word_usage("refuse") + " takes it back."
                         : word_usage("take") + " takes it, and the game begins."};
}

// Skips the board that was given, if any. A screen only selects the next one.
Result<EntryResult> LobbySession::go_to_next(const Words& given) {
  LobbyModel now(list_);
  now.set_boards(boards_.list());
  const auto next = now.next_waiting(given.empty() ? "" : given.front());
  if (!next)
    return Refusal{!given.empty() && now.find(given.front()) &&
                           now.is_waiting(*now.find(given.front()))
                       ? "No other board waits for a move."
                       : std::string(kNoBoardWaits)};
  return front_end_ == FrontEnd::screen ? EntryResult{.changed_board = *next}
                                        : EntryResult{.board_to_open = *next};
}

Result<EntryResult> start_board(Boards& boards, const NewBoard& wanted) {
  if (wanted.is_on_server) {
    const auto answer = boards.server().run_command(wanted.request_line());
    if (!answer) return answer.refusal();
    if (wanted.is_open_challenge || wanted.is_pair || answer->board_id.empty())
      return EntryResult{answer->summary};
    return EntryResult{.message = answer->summary, .board_to_open = answer->board_id};
  }
  // A local board is played at this keyboard alone.
  const RemoteBoards& server = boards.server();
  const auto& people = server.people();
  for (Seat s = 0; s < wanted.match.seats() && !server.userid().empty(); ++s) {
    const std::string& name = wanted.match.names()[static_cast<std::size_t>(s)];
    if (wanted.match.computer_level(s) == 0 && !equals_ignoring_case(name, server.userid()) &&
        std::ranges::any_of(people,
                            [&](const Person& p) { return equals_ignoring_case(p.userid, name); }))
      return Refusal{"A board with the computer is played here, and " + name +
                     " would not hear of it: leave the computer out, or choose another name."};
  }
  const auto board = boards.local().save_new(wanted.match);
  if (!board) return board.refusal();
  return EntryResult{.message = "This is board " + board->id + ".", .board_to_open = board->id};
}

Result<EntryResult> LobbySession::create_board(const Words& given) {
  if (given.empty() && front_end_ == FrontEnd::screen)
    return EntryResult{.request = NewBoardRequest{}};
  if (given.empty()) return Refusal{"Which game? Type new and " + list_game_names() + "."};
  BoardRequest wanted = read_board_words(given);
  const GameType* game = find_game(given.front(), wanted.options);
  if (!game) return unknown_game_refusal(given.front());
  // The user takes part, unless the other names fill all seats.
  const std::string user = boards_.server().userid();
  const auto is_user = [&](const std::string& n) { return equals_ignoring_case(n, user); };
  if (!user.empty() && std::ranges::none_of(wanted.names, is_user) &&
      wanted.names.size() < static_cast<std::size_t>(game->max_seats))
    wanted.names.insert(wanted.names.begin(), user);
  if (!user.empty() && wanted.names.size() < static_cast<std::size_t>(game->min_seats))
    return Refusal{"Against whom? Type new " + std::string(game->name) +
                   " and a userid, or computer:3."};
  const auto board =
      read_new_board(*game, wanted, {user, boards_.server().has_server(), list_.player_name()});
  if (!board) return board.refusal();
  auto begun = start_board(boards_, *board);
  if (!begun || begun->board_to_open.empty()) return begun;
  const Match& match = board->match;
  if (std::string remark = game->newcomer_note(match.options(), match.seats()); !remark.empty())
    begun->lines.push_back(std::move(remark));
  begun->lines.push_back(match.move_hint() + ".");
  return begun;
}

Result<EntryResult> LobbySession::copy_board(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type copy and its number in the list, or its name."};
  if (list_.folded_boards(given.front())) return several_boards_refusal();
  const auto board = boards_.open(given.front());
  if (!board) return board.refusal();
  const auto made = boards_.local().save_new(with_origin(*board, boards_.location(), board->match));
  if (!made) return made.refusal();
  return EntryResult{.message = "Board " + made->id + " is a copy of " + board->id + ".",
                     .changed_board = made->id};
}

Result<EntryResult> LobbySession::play_word(const std::string& id, const std::string& word) {
  auto board = boards_.open(id);
  if (!board) return board.refusal();
  if (const auto done = boards_.play(*board, {MoveRequest{std::nullopt, word}}); !done)
    return done.refusal();
  return EntryResult{board->match.status()};
}

Result<EntryResult> LobbySession::rename_board(const Words& given) {
  if (!given.empty() && list_.folded_boards(given[0])) return several_boards_refusal();
  // Refuses before the player types a name.
  if (given.size() == 1 && (is_undeletable(given[0]) || is_on_server(given[0])))
    return Refusal{"Only boards of your own can have another name."};
  if (given.size() == 1 && front_end_ == FrontEnd::screen)
    return EntryResult{.request = RenameRequest{}, .changed_board = given[0]};
  if (given.size() != 2)
    return Refusal{"Type rename, the board's number in the list or its name, and the new name."};
  const std::string& id = given[0];
  const auto renamed = boards_.repository_of(id).rename(id, given[1]);
  if (!renamed) return renamed.refusal();
  list_.set_board_id(id, *renamed);
  return EntryResult{.message = "Now it is board " + *renamed + ".",
                     .request = SettingsChange{[from = turned_prefix(id),
                                                to = turned_prefix(*renamed)](Preferences& p) {
                       for (std::string& name : p.turned_boards)
                         if (name.starts_with(from)) name.replace(0, from.size(), to);
                     }},
                     .changed_board = *renamed};
}

Result<EntryResult> LobbySession::delete_boards(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which board? Type delete and its number in the list, or its name."};
  const std::string& id = given.front();
  if (is_undeletable(id))
    return Refusal{
        "A lesson or puzzle goes when it is done, and the words lesson and puzzle have it again; "
        "examples stay."};
  const Words* const folded = list_.folded_boards(id);
  const Words wanted = folded ? *folded : Words{id};
  Words removed;
  for (const std::string& board : wanted) {
    if (const auto done = boards_.repository_of(board).remove(board); !done) return done.refusal();
    removed.push_back(board);
  }
  const bool one = removed.size() == 1;
  deletion_notice_ = "Deleted " + (one ? id : format_count(removed.size(), "board", "boards")) +
                     "; " + word_usage("undelete") + " brings " + (one ? "it" : "them") + " back.";
  return_count_ = 0;
  deletions_.push_back(std::move(removed));
  return EntryResult{deletion_notice_};
}

bool LobbySession::is_undeletable(const std::string& id) const {
  const BoardSummary* const row = list_.find(id);
  return id == kExamplesRow || (row && row->is_example);
}

std::string LobbySession::delete_confirmation(const std::string& id) const {
  if (is_undeletable(id) || is_on_server(id)) return "";
  const Words* const folded = list_.folded_boards(id);
  return "deletes " + (folded ? format_count(folded->size(), "board", "boards") : id);
}

Result<EntryResult> LobbySession::restore_boards(const Words& given) {
  if (given.size() > 1)
    return Refusal{"Type undelete, and the name of the board if not the last one."};
  if (deletions_.empty() && given.empty())
    return Refusal{"Nothing was deleted since you came here."};
  // If a name is taken, that board stays in the list of deletions.
  const Words wanted = given.empty() ? deletions_.back() : given;
  deletion_notice_.clear();
  for (const std::string& id : wanted) {
    if (const auto restored = boards_.repository_of(id).restore(id); !restored)
      return restored.refusal();
    // If several had this name, the last deleted one is back.
    for (auto group = deletions_.rbegin(); group != deletions_.rend(); ++group)
      if (std::erase(*group, id) > 0) break;
  }
  std::erase_if(deletions_, [](const Words& group) { return group.empty(); });
  return EntryResult{
      .message = wanted.size() == 1
                     ? "Board " + wanted.front() + " is back."
                     : format_count(wanted.size(), "board is", "boards are") + " back.",
      .changed_board = wanted.front()};
}

Result<EntryResult> LobbySession::show_rules(const Words& given) {
  if (given.size() != 1) return Refusal{"Of which game? Type rules and " + list_game_names() + "."};
  const GameType* game = find_game_or_variant(given.front());
  if (!game) return unknown_game_refusal(given.front());
  return EntryResult{.request = TopicRequest{std::string(game->name)}};
}

Result<EntryResult> LobbySession::open_lesson(const Words& given) {
  const GameType* game = given.size() == 1 ? find_game_or_variant(given.front()) : nullptr;
  if (game) return EntryResult{.board_to_open = lesson_id(game->name)};
  if (given.size() == 1) return unknown_game_refusal(given.front());
  return Refusal{"Of which game? Type lesson and " + list_game_names() + "."};
}

Result<EntryResult> LobbySession::open_puzzle(const Words& given) {
  const auto id = puzzle_id(given);
  return id ? Result(EntryResult{.board_to_open = *id}) : id.refusal();
}

Result<EntryResult> LobbySession::create_challenge(const Words& given) {
  if (given.empty() && front_end_ == FrontEnd::screen)
    return EntryResult{.request = NewBoardRequest{"", true}};
  BoardRequest wanted = read_board_words(given);
  const GameType* game = given.empty() ? nullptr : find_game(given.front(), wanted.options);
  if (!game) return Refusal{"Which game? Type seek and " + list_game_names() + "."};
  if (wanted.names.size() > 1)
    return Refusal{"Nobody is named in an open challenge: ratings may be, as 1500-1700."};
  wanted.ratings = wanted.names.empty() ? "" : wanted.names.front();
  const auto board = read_new_board(*game, wanted, {boards_.server().userid(), true});
  return board ? start_board(boards_, *board) : board.refusal();
}

Result<EntryResult> LobbySession::accept(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type take and its number in the list."};
  const std::string &id = given.front(), user = boards_.server().userid();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek_number > 0) {
    if (row && row->has_player(user))
      return Refusal{"That is your own: " + word_usage("refuse") + " takes it back."};
    return send_command("take " + challenge_number(id), true);
  }
  if (row->offer && is_waiting_for(*row, user)) return play_word(id, "accept");
  if (can_refuse(*row)) return EntryResult{.board_to_open = id};
  return Refusal{"Nobody seeks a player or offers anything there."};
}

std::string LobbySession::decline_confirmation(const std::string& id) const {
  const BoardSummary* const row = list_.find(id);
  const std::string user = boards_.server().userid();
  if (!row) return "";
  if (row->seek_number > 0) return row->has_player(user) ? "takes " + id + " back" : "";
  if (row->offer && is_waiting_for(*row, user)) return "rejects what is offered on " + id;
  return can_refuse(*row) ? "refuses " + id : "";
}

Result<EntryResult> LobbySession::decline(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type refuse and its number in the list."};
  const std::string& id = given.front();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek_number > 0) return send_command("unseek " + challenge_number(id));
  if (decline_confirmation(id).empty()) return Refusal{"There is nothing to decline here."};
  const bool offered = row->offer && is_waiting_for(*row, boards_.server().userid());
  return play_word(id, offered ? "reject" : "resign");
}

Result<EntryResult> LobbySession::show_players(const Words& given) {
  if (given.empty() && front_end_ == FrontEnd::screen)
    return EntryResult{.request = PeopleRequest{}};
  if (given.size() > 1) return Refusal{"Type players, and a game or a userid."};
  const GameType* const game = given.empty() ? nullptr : find_game_or_variant(given.front());
  return send_command(given.empty() ? "list"
                      : game        ? std::string(game->name) + " standings"
                                    : "player " + given.front());
}

Result<EntryResult> LobbySession::toggle_others(const Words&) {
  const bool others = !boards_.server().lists_others();
  const auto asked = boards_.server().request_lobby(false, others);
  if (!asked) return asked.refusal();
  return EntryResult{.message = others ? "The boards of everybody are listed."
                                       : "Only your own boards are listed.",
                     // BackRequest writes the list again in line mode.
                     .request = front_end_ == FrontEnd::line_mode ? ScreenRequest(BackRequest{})
                                                                  : ScreenRequest()};
}

Result<EntryResult> LobbySession::show_chat(const Words&) {
  const std::string text = join_lines(boards_.server().chat_lines());
  return text.empty() ? EntryResult{"Nothing was said yet."} : EntryResult{.text = text};
}

Result<EntryResult> LobbySession::send_command(const std::string& line, bool opens) {
  const auto answer = boards_.server().run_command(line);
  if (!answer) return answer.refusal();
  return opens && !answer->board_id.empty()
             ? EntryResult{.message = answer->summary, .board_to_open = answer->board_id}
             : EntryResult::from_answer(*answer);
}

}  // namespace pbm
