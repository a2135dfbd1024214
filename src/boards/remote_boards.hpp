// SPDX-License-Identifier: MIT
// Boards on a server, over a connection. The signed-in user has one seat of each; notes stay on
// this computer (local_notes.hpp). After a loss it connects again and sends a ply without a reply
// again. The number of the ply makes sure that the server plays it only once. It trusts nothing
// from the server. For a screen nothing here waits: start_task() runs slow tasks, all else returns
// what is known now. Leaves the bytes of the connection to server_connection.hpp, its language to
// protocol/, and rules to the match.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>

#include "base/wait_set.hpp"
#include "base/files.hpp"
#include "boards/background_tasks.hpp"
#include "boards/followed_boards.hpp"
#include "boards/repository.hpp"
#include "boards/local_notes.hpp"
#include "boards/notifications.hpp"
#include "boards/server_connection.hpp"
#include "protocol/people.hpp"

namespace pbm {

// The reply to a typed command; its lines are safe for a terminal.
struct CommandAnswer {
  std::string summary;
  std::vector<std::string> lines;
  std::string board_id = {};  // the id of the board that the command began, or ""
  // Returns the summary and the lines.
  std::string text() const { return summary + (lines.empty() ? "" : "\n") + join(lines, "\n"); }
};

class RemoteBoards final : public Repository {
 public:
  struct Setup {
    Connector connector;
    std::string location;  // the server's address, for people: "/run/pbmplay.sock"
    std::filesystem::path
        notes_directory;  // has a directory for each userid; empty: nothing is kept
    std::chrono::milliseconds first_retry_delay{
        1000};             // before the first new try; doubles with each failure
    std::string key = {};  // the words after `key`, which signs in instead of `as`; "": none
    std::string signup_mode = {};  // for a key that is new: "open", "invited" or "closed"
    bool receives_events = true;  // false: gets no events, and the user's notifications stay unread
    bool is_screen = false;  // a screen owns this object: start_task() runs all that has to wait
    Waiter waiter =
        make_waiter();  // used if `is_screen` is false; after it gives up, nothing is retried
  };
  static constexpr std::size_t kMaxOthers = 2000;  // boards of others in the list
  // Without a `connector` there is no server, and every request is refused.
  explicit RemoteBoards(Setup setup);
  ~RemoteBoards() override;

  // Connects without signing in; refuses if no server answers there.
  Result<Success> connect();
  // Connects as `user` without a password; the server knows the login. Creates the userid.
  Result<Success> connect_as(const std::string& user);
  // For after such a refusal: adds a notification with the reason and tries again later.
  void connect_later(const std::string& why);

  // For a screen: connects as `user`, or without signing in for "". Returns a refusal that comes
  // within `patience`. Otherwise goes on, and reports a later failure as a notification.
  Result<Success> connect_within(std::chrono::milliseconds patience, const std::string& user);

  // Runs a task that may wait. For a screen, runs the function that `task` returns before
  // start_task() returns null, or later in take_changes() if the handle is still held. Otherwise
  // runs both at once.
  [[nodiscard]] TaskHandle start_task(Task task, Priority priority = Priority::person);
  // True if a task of the person has no answer yet. cancel_tasks() refuses that task.
  bool has_person_task() const { return tasks_ && tasks_->has_person_task(); }
  void cancel_tasks() {
    if (tasks_) tasks_->cancel_tasks();
  }

  // Ids are "toot-101", or the number alone if one board of the user has it.
  std::vector<BoardSummary> list() override;
  Result<Board> open(const std::string& id) override;
  Result<Success> play(Board& board, const std::vector<MoveRequest>& turns) override;
  int change_descriptor() override;
  bool take_changes() override { return tasks_ ? tasks_->take_changes() : handle_changes(); }
  std::string location() const override { return setup_.location; }

  // True if there is a server, which takes commands. Players are then userids.
  bool has_server() const { return wait_sources_ != nullptr; }
  // Returns the signed-in userid, or "".
  std::string userid() const { return userid_; }
  NotificationQueue& notifications() { return notifications_; }
  // Returns the last chat lines, at most 200, the latest at the end.
  std::vector<std::string> chat_lines() { return local_notes().chat_lines(); }
  // Returns how many boards other than `but` wait for the user.
  std::size_t count_waiting(const std::string& but);
  // Returns why the user has to sign in again, once each time, or "". The user's text and pending
  // plies stay.
  std::string take_sign_out_reason() {
    return std::exchange(sign_out_is_new_, false) ? no_connection().reason : "";
  }
  // Returns the owner's welcome, a text of a few lines, once for each server.
  std::string take_welcome() { return welcome_ ? std::exchange(*welcome_, "") : ""; }
  std::string welcome() const { return welcome_.value_or(""); }
  // Returns why the server refuses the userid given at the start, or "".
  std::string entry_refusal() const { return entry_refusal_; }
  // Returns a few words if there is no connection, else "".
  std::string connection_problem() const {
    return connection_ ? "" : sign_out_reason_.empty() ? "no connection" : "signed out";
  }
  // has_pending() is true if a ply on this board got no answer and is sent again after
  // reconnecting. forget_pending() cancels that.
  bool has_pending(const std::string& id) const { return pending_.count(id) > 0; }
  void forget_pending(const std::string& id) { pending_.erase(id); }
  // Sends `text` as chat after the pending ply, if that is `ply` and the server plays it.
  void set_pending_chat(const std::string& id, const std::string& ply, const std::string& text) {
    if (const auto found = pending_.find(id); found != pending_.end() && found->second.ply == ply)
      found->second.chat = text;
  }
  // Returns the connected people, sorted by userid, and the others that request_lobby() asked for.
  std::vector<Person> people() const;
  // True if the list includes boards that only others play on.
  bool lists_others() const { return lists_others_; }

  // All functions below wait for the server's reply, and refuse if there is no connection.

  // Both return the server's summary: "Hello, fred: 2 boards wait for you."
  Result<std::string> sign_in(const std::string& user, const std::string& password);
  Result<std::string> sign_up(const std::string& user, const std::string& password);

  // Returns the setup if the visitor has a new key and no account yet, else null.
  const Setup* new_key() const { return setup_.signup_mode.empty() ? nullptr : &setup_; }
  // Sends a command about the new key, or for "" asks again whose key it is. Returns the server's
  // sentence, or "" when the key belongs to an account by now.
  Result<std::string> ask_about_key(const std::string& line);

  // Sends a typed command.
  Result<CommandAnswer> run_command(std::string_view line);

  // Asks again who is connected and which open challenges exist; with `all`, also for all other
  // userids. With `others`, the list includes running boards of others from now on.
  Result<Success> request_lobby(bool all, bool others);

  // Challenges the same players again, with swapped seats. Refuses what the server refuses.
  Result<Board> rematch(const Board& board);

  // Returns the chat after line number `behind` and marks it as read. Refuses if there is none.
  Result<std::vector<ChatLine>> read_chat(const std::string& id, std::size_t behind);

  // send_chat() writes to all on a board. set_watching() starts or stops watching it. queue_move()
  // sets the move to play when the user's turn comes; "none" removes it, "" asks for it. All return
  // the server's summary.
  Result<std::string> send_chat(const std::string& id, std::string_view text);
  Result<std::string> set_watching(const std::string& id, bool wanted);
  Result<std::string> queue_move(const Board& board, std::string_view move);

 private:
  // A ply that was sent and got no answer.
  struct PendingPly {
    std::string ply, command;
    std::chrono::steady_clock::time_point deadline;
    std::string chat;  // to send after it, or ""
  };

  Result<Success> handle_move_reply(Board& board, const LogEntry& entry, const Reply& reply);
  Result<Match> fetch_match(const BoardKey& place, std::string& warning);

  // Sends a line and waits for its reply. With `tell`, a lost connection is also a notification.
  Result<Reply> request(const std::string& line, bool tell = true);
  // request() for a command of the person: connects if necessary, and returns no -ERR reply.
  Result<Reply> send_command(const std::string& line);
  // The same for a command about a board: "toot chat 101 : hello".
  Result<Reply> send_board_command(const std::string& id, std::string_view verb,
                                   const std::string& more = "");
  // Makes a new connection to the server, without signing in.
  Result<Success> open_connection();
  // Closes the connection; only the person can sign in again.
  void sign_out(const std::string& why);
  // Signs in on a new connection and sends the first commands.
  Result<Success> log_in();
  // Checks who the key belongs to.
  Result<Success> check_key(const Reply& reply);
  // Keeps the welcome in the reply to the first `hello`.
  void note_welcome(const Reply& hello);
  void begin_session();
  void disconnect(const std::string& why, bool tell = true);
  void schedule_retry();
  // Connects if necessary, because the person wants it now.
  void connect_if_needed();
  void resend_pending();
  Refusal no_connection() const;
  bool handle_events();  // returns false if there were none
  // Handles what has arrived and what is due. Returns false if there was nothing.
  bool handle_changes();
  void handle_event(const std::string& what);
  // Notes a change made by a command; `told` is true if its reply had the new state of the board.
  void note_change(bool told) {
    list_is_old_ = list_is_old_ || !told;
    wake();
  }
  // Writes the chat lines since the last call to the file.
  void save_chat();
  // The progress in reading a list of boards.
  struct ListProgress {
    std::size_t rows_read = 0;
    bool has_more = false;
  };
  std::optional<std::vector<BoardSummary>> read_list_part(const std::string& command,
                                                          ListProgress& pieces);
  void refresh_list();
  void refresh_lobby();
  void refresh_others();
  LocalNotes local_notes() const {
    return LocalNotes(setup_.notes_directory.empty() || userid_.empty()
                          ? std::filesystem::path()
                          : setup_.notes_directory / userid_);
  }

  Setup setup_;
  std::unique_ptr<ServerConnection> connection_;
  std::string userid_, password_;
  bool is_trusted_ = false;             // signs in without a password
  std::string sign_out_reason_;         // why the user has to sign in again; nothing is retried
  bool sign_out_is_new_ = false;        // the user does not know that yet
  std::string reported_login_refusal_;  // the last reported refusal of the login at the other end
  // The descriptors to wait for; null if there is no server.
  struct WaitSources;
  const std::unique_ptr<WaitSources> wait_sources_;
  // Wakes the caller for take_changes().
  void wake() const;
  unsigned failure_count_ = 0;  // in a row
  FollowedBoards followed_boards_;
  bool list_is_old_ = true, lobby_is_old_ = true, lists_others_ = false;
  ListProgress own_progress_, others_progress_;
  std::vector<BoardSummary> open_challenges_,
      other_boards_;                             // as rows of the list, and tournaments
  std::vector<BoardSummary> next_other_boards_;  // the new `other_boards_`, as far as it was read
  std::map<std::string, Person> people_;
  std::string entry_refusal_;  // why the server does not let the user sign in
  bool was_signed_in_ = false;
  bool is_key_known_ = false;           // the new key belongs to an account by now
  std::optional<std::string> welcome_;  // nothing: the server has not greeted yet
  NotificationQueue notifications_;
  std::vector<LocalNotes::ChatEntry> unsaved_chat_;  // chat lines to write to the file
  std::map<std::string, PendingPly> pending_;        // by board: the newest on each
  TaskHandle connect_task_;
  std::unique_ptr<BackgroundTasks> tasks_;  // only for a screen
};

}  // namespace pbm
