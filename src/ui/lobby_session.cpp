// SPDX-License-Identifier: MIT
#include "ui/lobby_session.hpp"

#include <algorithm>

#include "boards/boards.hpp"
#include "protocol/match_description.hpp"
#include "ui/settings.hpp"

namespace pbm {
namespace {

Refusal unknown_game_refusal(const std::string& typed) {
  return Refusal{"There is no game '" + fit(typed, 30) + "'. Choose " + list_game_names() + "."};
}

// Returns the number of an open challenge from its id, "seek-7"; else the text itself.
std::string challenge_number(const std::string& id) {
  return id.starts_with("seek-") ? id.substr(5) : id;
}

// Returns what to type for words that begin with a game, or "".
std::string suggest_for_game(const std::vector<std::string>& said) {
  const GameType* const game = find_game_or_variant(said.front());
  if (!game) return "";
  return said.size() > 1 && std::ranges::all_of(said[1], is_digit)
             ? "To open a game, type open " + std::string(game->name) + "-" + fit(said[1], 20) + "."
             : "To start a game, type new " + fit(join(said), 60) + ".";
}

Refusal several_boards_refusal() {
  return Refusal{"This row stands for several games. Press Enter to list them."};
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
            front == FrontEnd::line_mode ? LobbyModel::Order::unsorted : LobbyModel::Order::time) {}

std::span<const LobbySession::Word> LobbySession::word_table() {
  using enum Word::Scope;
  using Session = LobbySession;
  static const std::vector<Word> table{
      {"list", "[WORD...]", "list the games, or only those with these words", not_server_screen,
       &Session::print_list},
      {"open", "N|BOARD|FILE", "open game number N of the list, or the named one", anywhere,
       &Session::open_board, key_list(Key::Code::enter, character_key('o')), true},
      {"next", "", "go to the next game that needs your move", anywhere, &Session::go_to_next},
      {"new", "GAME [-options] [NAME...]", "start a game", may_ask_server, &Session::create_board,
       key_list(character_key('s'))},
      {"copy", "N|BOARD", "copy a game", may_ask_server, &Session::copy_board,
       key_list(character_key('C')), true, &Session::copy_confirmation},
      {"rename", "N|BOARD NAME", "give a game another name", anywhere, &Session::rename_board,
       key_list(character_key('m')), true},
      {"delete", "N|BOARD...", "delete games", anywhere, &Session::delete_boards,
       key_list(character_key('d'), Key::Code::delete_key), true, &Session::delete_confirmation},
      {"undelete", "[BOARD]", "bring back the last deleted game, or the named one", anywhere,
       &Session::restore_boards, key_list(character_key('u'))},
      {"rules", "GAME", "read the rules of a game", anywhere, &Session::show_rules},
      {"lesson", "GAME", "learn a game in a few small steps", anywhere, &Session::open_lesson},
      {"puzzle", "[GAME|mine] [DAY|N]",
       "solve today's puzzle or another; mine: from your own games", anywhere,
       &Session::open_puzzle},
      {"seek", "GAME [-options] [-pair]", "make an open challenge", server_only,
       &Session::create_challenge, key_list(character_key('l'))},
      {"take", "N|BOARD|SEEK", "accept an open challenge or an offer", server_only,
       &Session::accept, key_list(character_key('y')), true},
      {"refuse", "N|BOARD|SEEK", "decline an offer or challenge; take back an open challenge",
       server_only, &Session::decline, key_list(character_key('x')), true,
       &Session::decline_confirmation},
      {"players", "[GAME|USERID]", "list the players, the ratings of a game, or a player's page",
       server_only, &Session::show_players, key_list(character_key('p'))},
      {"tournaments", "", "list tournaments and ladders", server_only, &Session::list_contests,
       key_list(character_key('T'))},
      {"tv", "", "watch the best game that runs, or a good one that just ended", server_only,
       &Session::watch_best_game, key_list(character_key('v'))},
      {"everybody", "", "list everybody's games, or only yours again", server_only,
       &Session::toggle_others, key_list(character_key('e'))},
      {"talk", "", "read the latest messages and chat", server_offline, &Session::show_chat,
       key_list(character_key('w'))},
      {"words", "on|off", "describe boards in words, in line mode and show, or draw them", anywhere,
       &Session::set_words_mode},
      {"settings", "", "change colours, mouse, bell and your name, as F4", screen_only,
       &Session::make_request<SettingsRequest>},
      {"mouse", "", "switch the mouse on or off", screen_only, &Session::make_request<MouseToggle>},
      {"help", "[TOPIC]", "list the words, or read about saves, server, keys or a game",
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
  std::vector<std::string> said = pbm::split_words(line);
  if (said.size() == 1 &&
      (equals_ignoring_case(said[0], "exit") || equals_ignoring_case(said[0], "q")))
    said.front() = "quit";
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
  if (!begun.empty()) return "Possible: " + join(begun);
  if (const std::string hint = suggest_for_game(said);
      !hint.empty() && !boards_.server().has_server())
    return hint;
  return boards_.server().has_server()
             ? "Enter sends this to the server. Type help for its commands."
             : "There is no word '" + fit(said.front(), 30) + "'. Type help for the list.";
}

Result<EntryResult> LobbySession::enter(const std::string& line) {
  Words given = pbm::split_words(line);
  if (given.empty()) return EntryResult{};
  const Word* const word = find(line);
  if (!word && front_end_ == FrontEnd::screen && boards_.server().has_server())
    return send_command(line);
  if (const std::string hint = word ? "" : suggest_for_game(given); !hint.empty())
    return Refusal{hint};
  if (!word) {
    Words known;
    for (const Word& w : word_table())
      if (is_available(w)) known.emplace_back(w.name);
    return Refusal{"There is no command '" + fit(given.front(), 30) + "'. " +
                   suggest_word(given.front(), known, "Type " + join_with_or(known) + ".")};
  }
  given.erase(given.begin());
  if (word->syntax.empty() && !given.empty()) return Refusal{no_argument_message(word->name)};
  const std::size_t boards = word->syntax.ends_with("...") ? given.size() : 1;
  for (std::size_t i = 0; word->is_about_board && i < std::min(boards, given.size()); ++i)
    given[i] = find_board_id(given[i]);
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
    return EntryResult{"There are no games yet. Type new and " + list_game_names() + "."};
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
                " examples. Type list example to see them.";
  if (out.text.empty()) return Refusal{"No game has all of these words."};
  return out;
}

Result<EntryResult> LobbySession::open_board(const Words& given) {
  if (given.size() != 1)
    return Refusal{"Which game? Type open and its number in the list, or its name."};
  const std::string& id = given.front();
  if (const auto* const folded = list_.folded_boards(id)) {
    const std::string first = folded->empty() ? "" : folded->front();
    list_.unfold(id);
    return EntryResult{.changed_board = first};
  }
  const BoardSummary* const row = list_.find(id);
  if (row && !row->load_error.empty()) return Refusal{row->load_error};
  if (row && row->is_tournament) return show_contest("tournament show " + row->id);
  if (!row || row->seek_number == 0) return EntryResult{.board_to_open = id};
  return EntryResult{
      row->has_player(boards_.server().userid())
          ? "This is your open challenge; " + word_usage("refuse") + " takes it back."
          : "An open challenge; " + word_usage("take") + " accepts it and starts the game."};
}

// Skips the board that was given, if any. A screen only selects the next one.
Result<EntryResult> LobbySession::go_to_next(const Words& given) {
  LobbyModel now(list_);
  now.set_boards(boards_.list());
  const auto next = now.next_waiting(given.empty() ? "" : given.front());
  if (!next)
    return Refusal{!given.empty() && now.find(given.front()) &&
                           now.is_waiting(*now.find(given.front()))
                       ? "No other game needs your move."
                       : std::string(kNoBoardWaits)};
  return front_end_ == FrontEnd::screen ? EntryResult{.changed_board = *next}
                                        : EntryResult{.board_to_open = *next};
}

std::string challenged_players(const NewBoard& wanted, const std::string& userid) {
  std::vector<std::string> others = wanted.match.names();
  std::erase_if(others, [&](const std::string& n) { return equals_ignoring_case(n, userid); });
  return join_with_and(others);
}

Result<EntryResult> start_board(Boards& boards, const NewBoard& wanted) {
  if (wanted.is_on_server) {
    const auto answer = boards.server().run_command(wanted.request_line());
    if (!answer) return answer.refusal();
    if (wanted.is_pair) return EntryResult{answer->summary};
    EntryResult out = EntryResult::from_answer(*answer);
    if (!wanted.is_open_challenge)
      out.message = "You challenge " + challenged_players(wanted, boards.server().userid()) + ". " +
                    std::string(kCanDecline);
    return out;
  }
  // A local board is played at this keyboard alone.
  const RemoteBoards& server = boards.server();
  const auto& people = server.people();
  for (Seat s = 0; s < wanted.match.seats() && !server.userid().empty(); ++s) {
    const std::string& name = wanted.match.names()[static_cast<std::size_t>(s)];
    if (wanted.match.computer_level(s) == 0 && !equals_ignoring_case(name, server.userid()) &&
        std::ranges::any_of(people,
                            [&](const Person& p) { return equals_ignoring_case(p.userid, name); }))
      return Refusal{"The computer plays on this machine only, where " + name +
                     " cannot join. Leave the computer out, or choose another name."};
  }
  Match match = wanted.match;
  if (wanted.is_adaptive) boards.adapt_computer(match);
  const auto board = boards.local().save_new(match);
  if (!board) return board.refusal();
  return EntryResult{.message = "The game is saved as " + board->id + ".",
                     .board_to_open = board->id};
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
    return Refusal{"Name an opponent. Type new " + std::string(game->name) +
                   " and a userid, or computer:3."};
  const auto board =
      read_new_board(*game, wanted, {user, boards_.server().has_server(), boards_.own_name()});
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
    return Refusal{"Which game? Type copy and its number in the list, or its name."};
  if (list_.folded_boards(given.front())) return several_boards_refusal();
  const auto board = boards_.open(given.front());
  if (!board) return board.refusal();
  const auto made = boards_.local().save_new(with_origin(
      *board, boards_.location(), name_for_others(*board, board->match, boards_.own_name())));
  if (!made) return made.refusal();
  return EntryResult{.message = made->id + " is a copy of " + board->id + ".",
                     .changed_board = made->id};
}

Result<EntryResult> LobbySession::play_word(const std::string& id, const std::string& word) {
  auto board = boards_.open(id);
  if (!board) return board.refusal();
  if (const auto done = boards_.play(*board, {MoveRequest{std::nullopt, word}}); !done)
    return done.refusal();
  if (board->remote && board->remote->is_deleted) return EntryResult{board->warning};
  const auto own = board->own_seat(boards_.own_name());
  return EntryResult{describe_last_action(board->match, own) + " " + board->match.status(own)};
}

Result<EntryResult> rename_board(Boards& boards, const std::string& id, const std::string& name) {
  const auto renamed = boards.repository_of(id).rename(id, name);
  if (!renamed) return renamed.refusal();
  if (ComputerSeats* const computers = boards.computer(); computers && *renamed != id)
    computers->analysis_of(*renamed) = std::exchange(computers->analysis_of(id), nullptr);
  const auto move_entry = [from = turned_prefix(id), to = turned_prefix(*renamed)](Preferences& p) {
    for (std::string& entry : p.turned_boards)
      if (entry.starts_with(from)) entry.replace(0, from.size(), to);
  };
  return EntryResult{.message = "The new name is " + *renamed + ".",
                     .request = SettingsChange{move_entry},
                     .changed_board = *renamed};
}

Result<EntryResult> LobbySession::rename_board(const Words& given) {
  if (!given.empty() && list_.folded_boards(given[0])) return several_boards_refusal();
  // Refuses before the player types a name.
  if (given.size() == 1 && is_on_server(given[0]))
    return Refusal{"Games on a server keep their names."};
  if (given.size() == 1 && is_listed_example(given[0]))
    return Refusal{"Examples, lessons and puzzles keep their names."};
  if (given.size() == 1 && front_end_ == FrontEnd::screen)
    return EntryResult{.request = RenameRequest{}, .changed_board = given[0]};
  if (given.size() != 2)
    return Refusal{"Type rename, the game's number in the list or its name, and the new name."};
  const std::string& id = given[0];
  auto renamed = pbm::rename_board(boards_, id, given[1]);
  if (renamed) list_.set_board_id(id, renamed->changed_board);
  return renamed;
}

Result<EntryResult> LobbySession::delete_boards(const Words& given) {
  if (given.empty())
    return Refusal{"Which game? Type delete and its number in the list, or its name."};
  const Words boards = unfold_ids(given);
  for (const std::string& board : boards)
    if (const auto fine = check_deletable(board); !fine) return fine.refusal();
  Words removed;
  std::string problem;
  for (const std::string& board : boards) {
    const auto done = boards_.repository_of(board).remove(board);
    if (done) removed.push_back(board);
    else if (removed.empty()) return done.refusal();
    else problem = " " + done.refusal().reason;
  }
  const bool one = removed.size() == 1;
  deletion_notice_ =
      "Deleted " + (one ? removed.front() : format_count(removed.size(), "game", "games")) + "; " +
      word_usage("undelete") + " brings " + (one ? "it" : "them") + " back." + problem;
  return_count_ = 0;
  deletions_.push_back(std::move(removed));
  return EntryResult{deletion_notice_};
}

Result<Success> LobbySession::check_deletable(const std::string& id) const {
  if (is_listed_example(id))
    return Refusal{
        "Examples, lessons and puzzles cannot be deleted. A finished lesson or puzzle leaves the "
        "list."};
  if (is_on_server(id)) return boards_.server().remove(id);  // always refuses
  if (list_.find(id)) return Success{};
  const auto board = boards_.open(id);
  if (board) return Success{};
  // A board that cannot be read can be deleted, too.
  const std::vector<BoardSummary> all = boards_.list();
  return std::ranges::count(all, id, &BoardSummary::id) > 0 ? Result(Success{}) : board.refusal();
}

LobbySession::Words LobbySession::unfold_ids(const Words& ids) const {
  Words out;
  for (const std::string& id : ids) {
    const Words* const folded = list_.folded_boards(id);
    for (const std::string& board : folded ? *folded : Words{id})
      if (std::ranges::count(out, board) == 0) out.push_back(board);
  }
  return out;
}

std::string LobbySession::delete_confirmation(const Words& ids) const {
  const Words boards = unfold_ids(ids);
  for (const std::string& board : boards)
    if (!check_deletable(board)) return "";
  return "deletes " +
         (boards.size() == 1 ? boards[0] : format_count(boards.size(), "game", "games"));
}

Result<EntryResult> LobbySession::restore_boards(const Words& given) {
  if (given.size() > 1)
    return Refusal{"Type undelete, or undelete and the name of a deleted game."};
  if (deletions_.empty() && given.empty()) return Refusal{"There is nothing to bring back."};
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
                     ? wanted.front() + " is back."
                     : format_count(wanted.size(), "game is", "games are") + " back.",
      .changed_board = wanted.front()};
}

Result<EntryResult> LobbySession::show_rules(const Words& given) {
  if (given.size() != 1) return Refusal{"Which game? Type rules and " + list_game_names() + "."};
  const GameType* game = find_game_or_variant(given.front());
  if (!game) return unknown_game_refusal(given.front());
  return EntryResult{.request = TopicRequest{std::string(game->name)}};
}

Result<EntryResult> LobbySession::set_words_mode(const Words& given) {
  const auto chosen = choose_words_mode(given.size() == 1 ? given.front() : "");
  return chosen ? Result(*chosen) : Refusal{"Type words on, or words off."};
}

Result<EntryResult> LobbySession::open_lesson(const Words& given) {
  const GameType* game = given.size() == 1 ? find_game_or_variant(given.front()) : nullptr;
  if (game) return EntryResult{.board_to_open = lesson_id(game->name)};
  if (given.size() == 1) return unknown_game_refusal(given.front());
  return Refusal{"Which game? Type lesson and " + list_game_names() + "."};
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
  if (!wanted.names.empty())
    return Refusal{"An open challenge names no player. To name one, type new."};
  wanted.is_open_challenge = true;
  const auto board = read_new_board(*game, wanted, {boards_.server().userid(), true});
  return board ? start_board(boards_, *board) : board.refusal();
}

Result<EntryResult> LobbySession::accept(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type take and its number in the list."};
  const std::string &id = given.front(), user = boards_.server().userid();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek_number > 0) {
    if (row && row->has_player(user))
      return Refusal{"This is your open challenge; " + word_usage("refuse") + " takes it back."};
    return send_command("take " + challenge_number(id));
  }
  if (row->offer && is_waiting_for(*row, user)) return play_word(id, "accept");
  if (can_refuse(*row)) return EntryResult{.board_to_open = id};
  return Refusal{"There is no challenge or offer to accept."};
}

std::string LobbySession::decline_confirmation(const Words& ids) const {
  const std::string& id = ids.front();
  const BoardSummary* const row = list_.find(id);
  const std::string user = boards_.server().userid();
  if (!row) return "";
  if (row->seek_number > 0) return row->has_player(user) ? "takes " + id + " back" : "";
  if (row->offer && is_waiting_for(*row, user)) return "declines the offer on " + id;
  return can_refuse(*row) ? "refuses " + id : "";
}

Result<EntryResult> LobbySession::decline(const Words& given) {
  if (given.size() != 1) return Refusal{"Which one? Type refuse and its number in the list."};
  const std::string& id = given.front();
  const BoardSummary* const row = list_.find(id);
  if (!row || row->seek_number > 0) return send_command("unseek " + challenge_number(id));
  if (decline_confirmation({id}).empty()) return Refusal{"There is nothing to decline here."};
  const bool offered = row->offer && is_waiting_for(*row, boards_.server().userid());
  return play_word(id, offered ? "reject" : "resign");
}

Result<EntryResult> LobbySession::show_players(const Words& given) {
  if (given.empty() && front_end_ == FrontEnd::screen)
    return EntryResult{.request = PeopleRequest{}};
  if (given.size() > 1) return Refusal{"Type players, or players and a game or a userid."};
  const GameType* const game = given.empty() ? nullptr : find_game_or_variant(given.front());
  return send_command(given.empty() ? "list"
                      : game        ? std::string(game->name) + " standings"
                                    : "profile " + given.front());
}

Result<EntryResult> LobbySession::toggle_others(const Words&) {
  const bool others = !boards_.server().lists_others();
  const auto asked = boards_.server().request_lobby(false, others);
  if (!asked) return asked.refusal();
  return EntryResult{.message = others ? "The list shows everybody's games."
                                       : "The list shows only your own games.",
                     // BackRequest writes the list again in line mode.
                     .request = front_end_ == FrontEnd::line_mode ? ScreenRequest(BackRequest{})
                                                                  : ScreenRequest()};
}

Result<EntryResult> LobbySession::show_chat(const Words&) {
  const std::string text = join(boards_.server().chat_lines(), "\n");
  return text.empty() ? EntryResult{"There are no messages yet."} : EntryResult{.text = text};
}

Result<EntryResult> LobbySession::show_contest(const std::string& command) {
  if (front_end_ == FrontEnd::screen) return EntryResult{.request = ContestRequest{command}};
  return send_command(command.empty() ? "tournaments" : command);
}

Result<EntryResult> LobbySession::watch_best_game(const Words&) {
  const auto answer = boards_.server().run_command("tv");
  if (!answer) return answer.refusal();
  EntryResult out = EntryResult::from_answer(*answer);
  const auto board = boards_.server().open(out.board_to_open);
  if (!board) return board.refusal();
  if (board->match.ending()) {
    out.message += " Space replays it.";
  } else if (const auto watched = boards_.server().set_watching(board->id, true)) {
    out.message += " " + *watched;  // refused if this player watches it already
  }
  return out;
}

Result<EntryResult> LobbySession::send_command(const std::string& line) {
  const Words words = pbm::split_words(line);
  const auto is = [&](std::size_t at, std::string_view word) {
    return words.size() > at && equals_ignoring_case(words[at], word);
  };
  // A page asks again and again, so its command must change nothing.
  const bool changes = std::ranges::any_of(words, [](const std::string& word) {
    return equals_ignoring_case(word, "join") || equals_ignoring_case(word, "leave") ||
           equals_ignoring_case(word, "challenge");
  });
  if (front_end_ == FrontEnd::screen &&
      (is(0, "ladders") || is(0, "profile") || (is(0, "tournament") && is(1, "show")) ||
       (is(0, "ladder") && !changes)))
    return show_contest(is(0, "profile") || words.size() > 1 ? line : "");
  const auto answer = boards_.server().run_command(line);
  return answer ? Result(EntryResult::from_answer(*answer)) : answer.refusal();
}

}  // namespace pbm
