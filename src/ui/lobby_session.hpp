// SPDX-License-Identifier: MIT
// One player at the list of boards: the words to type there, a row each, with keys that do the
// same. Leaves the list to lobby_model.hpp, and keys and drawings to the front ends.
#pragma once

#include <span>

#include "protocol/new_board.hpp"
#include "ui/board_words.hpp"
#include "ui/lobby_model.hpp"

namespace pbm {

// Starts a checked new board. Opens it, unless it is a pair of boards or an open challenge.
Result<EntryResult> start_board(Boards& boards, const NewBoard& wanted);

// Renames a board, which keeps its analysis. The request of the result keeps it turned, if it is.
Result<EntryResult> rename_board(Boards& boards, const std::string& id, const std::string& name);

// Returns the players of a new board other than `userid`: "wilma and betty".
std::string challenged_players(const NewBoard& wanted, const std::string& userid);
inline constexpr std::string_view kCanDecline =
    "A challenge can be declined before the first move.";

// The refusal of the word "next"; holds until the list changes.
inline constexpr std::string_view kNoBoardWaits = "No game needs your move.";

// The player's input at the list of boards.
class LobbySession {
 public:
  using Words = std::vector<std::string>;
  // `name` is as for LobbyModel.
  LobbySession(Boards& boards, const std::string& name, FrontEnd front);

  // Returns the list. Typed numbers mean its shown rows; in line mode, the rows as last written.
  LobbyModel& list() { return list_; }

  // A word and its action.
  struct Word {
    enum class Scope : std::uint8_t {
      anywhere,
      may_ask_server,     // anywhere; with a server it may wait for a reply (Boards::start_task)
      server_only,        // the same, but only with a server
      server_offline,     // only with a server, but uses what is known of it here
      not_server_screen,  // not on a screen with a server, which has a command of that name
      screen_only,        // on a screen only
    };
    std::string_view name, syntax, description;
    Scope scope;
    Result<EntryResult> (LobbySession::*run)(const Words& given);
    std::vector<Key> keys = {};   // keys of the screen that do the same
    bool is_about_board = false;  // it is about a board; a key means the selected one
    // Says what a second press of the key does: "copies toot-101". Null or "": no question.
    std::string (LobbySession::*confirmation)(const Words& ids) const = nullptr;
  };
  static std::span<const Word> word_table();
  bool is_available(const Word& word) const;
  // Returns the row of the first word of a line or of a key, or null if none applies here.
  const Word* find(std::string_view line) const;
  const Word* find(const Key& key) const;
  // Describes the effect of a line while it is typed, or lists the words that begin like it.
  std::string describe_line(std::string_view line) const;
  // Does what a line says. On a screen with a server, unknown words are commands for the server.
  Result<EntryResult> enter(const std::string& line);
  // Runs a word with its arguments; a board is given by its id. Pre: find() returns the word.
  Result<EntryResult> enter(const Word& word, const Words& given) {
    return (this->*word.run)(given);
  }
  // True if the word may have to wait for a server. Without arguments, it opens a form instead.
  static bool needs_server(const Word& word, std::size_t given) {
    const bool asks =
        word.scope == Word::Scope::may_ask_server || word.scope == Word::Scope::server_only;
    return asks && (given > 0 || word.syntax.empty());
  }
  std::string confirmation_text(const Word& word, const Words& ids) const {
    return word.confirmation ? (this->*word.confirmation)(ids) : "";
  }
  bool has_deleted() const { return !deletions_.empty(); }
  // Says what was deleted last and how to restore it. It stays until the second return to the list.
  const std::string& deletion_notice() const { return deletion_notice_; }
  void note_return() {
    if (return_count_++ > 0) deletion_notice_.clear();
  }
  // True if the board is a challenge that the user can refuse: some players have not played yet.
  bool can_refuse(const BoardSummary& board) const {
    return board.contest.empty() && board.to_move && !board.is_local_extra && !board.is_example &&
           board.seek_number == 0 && board.ply_count < board.names.size() &&
           board.has_player(boards_.server().userid());
  }
  // Sends a command to the server.
  Result<EntryResult> send_command(const std::string& line);

 private:
  Result<EntryResult> print_list(const Words& given);
  Result<EntryResult> open_board(const Words& given);
  Result<EntryResult> go_to_next(const Words& given);
  Result<EntryResult> create_board(const Words& given);
  Result<EntryResult> copy_board(const Words& given);
  Result<EntryResult> rename_board(const Words& given);
  Result<EntryResult> delete_boards(const Words& given);
  Result<EntryResult> restore_boards(const Words& given);
  Result<EntryResult> show_rules(const Words& given);
  Result<EntryResult> set_words_mode(const Words& given);
  Result<EntryResult> open_lesson(const Words& given);
  Result<EntryResult> open_puzzle(const Words& given);
  Result<EntryResult> create_challenge(const Words& given);
  Result<EntryResult> accept(const Words& given);
  Result<EntryResult> decline(const Words& given);
  Result<EntryResult> show_players(const Words& given);
  Result<EntryResult> toggle_others(const Words& given);
  Result<EntryResult> show_chat(const Words& given);
  Result<EntryResult> list_contests(const Words&) { return show_contest(""); }
  Result<EntryResult> watch_best_game(const Words&);
  // Opens the page of a command about tournaments, ladders or players; "" means all of them.
  Result<EntryResult> show_contest(const std::string& command);
  template <class Request>
  Result<EntryResult> make_request(const Words&) {
    return EntryResult{.request = Request{}};
  }
  Result<EntryResult> show_help(const Words& given) {
    return EntryResult{.request = given.empty() ? ScreenRequest(KeysRequest{})
                                                : TopicRequest{given.front()}};
  }
  std::string copy_confirmation(const Words& ids) const {
    return list_.folded_boards(ids.front()) ? "" : "copies " + ids.front();
  }
  // True for an example, a lesson or a puzzle in the list; true if a server keeps the board.
  bool is_listed_example(const std::string& id) const {
    const BoardSummary* const row = list_.find(id);
    return row && row->is_example;
  }
  bool is_on_server(const std::string& id) const {
    return !list_.folded_boards(id) && &boards_.repository_of(id) == &boards_.server();
  }
  // Refuses a board that cannot be deleted, and an unknown one.
  Result<Success> check_deletable(const std::string& id) const;
  std::string delete_confirmation(const Words& ids) const;
  std::string decline_confirmation(const Words& ids) const;

  // Plays a word of the match for the player, and returns the state of the game.
  Result<EntryResult> play_word(const std::string& id, const std::string& word);
  // Returns the boards that the ids stand for, each once; a folded row stands for several.
  Words unfold_ids(const Words& ids) const;
  // Returns the id of a board that was typed as a row's number or a name.
  std::string find_board_id(const std::string& word) const;
  // Returns how to use a word: its key, or in line mode the word.
  std::string word_usage(std::string_view word) const;

  Boards& boards_;
  FrontEnd front_end_;
  LobbyModel list_;
  std::vector<Words> deletions_;  // the boards of each deletion, the latest last
  std::string deletion_notice_;
  int return_count_ = 0;
};

}  // namespace pbm
