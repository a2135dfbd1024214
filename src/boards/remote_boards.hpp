// SPDX-License-Identifier: MIT
// Boards on a server, over a connection. The signed-in user has one seat of each; notes stay on
// this computer (local_notes.hpp). After a loss it connects again and sends a ply without a reply
// again. The number of the ply makes sure that the server plays it only once. It trusts nothing
// from the server. For a screen nothing here waits: ask() runs slow tasks, all else returns what is
// known now. Leaves the bytes of the connection to line_client.hpp, its language to protocol/, and
// rules to the match.
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
#include "boards/line_client.hpp"
#include "protocol/people.hpp"

namespace pbm {

// The reply to a typed command; its lines are safe for a terminal.
struct CommandAnswer {
  std::string summary;
  std::vector<std::string> lines;
  std::string board = {};  // the id of the board that the command changed, or ""
  // Returns the summary and the lines.
  std::string text() const { return summary + (lines.empty() ? "" : "\n") + joined_lines(lines); }
};

class RemoteBoards final : public Repository {
 public:
  struct Setup {
    Dial dial;
    std::string place;                // the server's address, for people: "/run/pbmplay.sock"
    std::filesystem::path notebooks;  // has a directory for each userid; empty: nothing is kept
    std::chrono::milliseconds first_wait{
        1000};                   // before the first new try; doubles with each failure
    bool hears = true;           // false: gets no events, and the user's notifications stay unread
    bool screen = false;         // a screen owns this object: ask() runs all that has to wait
    Waiter wait = wait_until();  // used if `screen` is false; after it gives up, nothing is retried
  };
  static constexpr std::size_t kMaxOthers = 2000;  // boards of others in the list
  // Without a `dial` there is no server, and every request is refused.
  explicit RemoteBoards(Setup setup);
  ~RemoteBoards() override;

  // Connects without signing in; refuses if no server answers there.
  Result<Done> connect();
  // Connects as `user` without a password: the server knows which login runs this program. Creates
  // the userid if it does not exist.
  Result<Done> connect_as(const std::string& user);
  // For after such a refusal: adds a notification with the reason and tries again later.
  void connect_later(const std::string& why);

  // For a screen: connects as `user`, or without signing in for "". Returns a refusal that comes
  // within `patience`. Otherwise goes on, and reports a later failure as a notification.
  Result<Done> connect_within(std::chrono::milliseconds patience, const std::string& user);

  // Runs a task that may wait. For a screen, runs the function that `task` returns before ask()
  // returns null, or later in take_changes() if the handle is still held. Otherwise runs both at
  // once.
  [[nodiscard]] Handle ask(Task task, Priority priority = Priority::person);
  // asking() is true if a task of the person has no answer yet. give_up() stops waiting for it: the
  // task is refused.
  bool asking() const { return tasks_ && tasks_->asking(); }
  void give_up() {
    if (tasks_) tasks_->give_up();
  }

  // Ids are "toot-101", or the number alone if one board of the user has it.
  std::vector<BoardSummary> list() override;
  Result<Board> open(const std::string& id) override;
  Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) override;
  int changes() override;
  bool take_changes() override { return tasks_ ? tasks_->take() : look(); }
  std::string place() const override { return setup_.place; }

  // True if there is a server, which takes commands. Players are then userids.
  bool takes_commands() const { return waits_ != nullptr; }
  // Returns the signed-in userid, or "".
  std::string user() const { return user_; }
  NotificationQueue& news() { return news_; }
  // Returns the last chat lines, at most 200, the latest at the end.
  std::vector<std::string> talk() { return notebook().talk(); }
  // Returns how many boards other than `but` wait for the user.
  std::size_t waiting(const std::string& but);
  // Returns why the user has to sign in again, once each time, or "". The user's text and pending
  // plies stay.
  std::string take_sign_out() { return std::exchange(asks_person_, false) ? no_line().why : ""; }
  // Returns why the server refuses the userid given at the start, or "".
  std::string turned_away() const { return turned_away_; }
  // Returns a few words if there is no connection, else "".
  std::string trouble() const {
    return line_ ? "" : locked_out_.empty() ? "no connection" : "signed out";
  }
  // pending() is true if a ply on this board got no answer and is sent again after reconnecting.
  // forget() cancels that.
  bool pending(const std::string& id) const { return pending_.count(id) > 0; }
  void forget(const std::string& id) { pending_.erase(id); }
  // Returns the connected people, sorted by userid, and the others that look_around() asked for.
  std::vector<Person> people() const;
  // True if the list includes boards that only others play on.
  bool shows_others() const { return shows_others_; }

  // All functions below wait for the server's reply, and refuse if there is no connection.

  // Both return the server's summary: "Hello, fred: 2 boards wait for you."
  Result<std::string> sign_in(const std::string& user, const std::string& password);
  Result<std::string> sign_up(const std::string& user, const std::string& password);

  // Sends a typed command.
  Result<CommandAnswer> command(std::string_view line);

  // Asks again who is connected and which open challenges exist; with `all`, also for all other
  // userids. With `others`, the list includes running boards of others from now on.
  Result<Done> look_around(bool all, bool others);

  // Challenges the same players again, with swapped seats. Refuses what the server refuses.
  Result<Board> rematch(const Board& board);

  // Returns the chat of a board after line number `behind`, and marks the chat as read. Refuses if
  // the server keeps no chat.
  Result<std::vector<ChatLine>> said_on(const std::string& id, std::size_t behind);

  // chat() writes to all on a board. watch() starts or stops watching it. queue() sets the move to
  // play when the user's turn comes; "none" removes it, "" asks for it. All return the server's
  // summary.
  Result<std::string> chat(const std::string& id, std::string_view text);
  Result<std::string> watch(const std::string& id, bool wanted);
  Result<std::string> queue(const Board& board, std::string_view move);

 private:
  // A ply that was sent and got no answer.
  struct Pending {
    std::string text, command;
    std::chrono::steady_clock::time_point until;
  };

  Result<Done> played(Board& board, const Action& entry, const Reply& reply);
  Result<Match> match_of(const BoardKey& place, std::string& warning);

  // Sends a line and waits for its reply. With `tell`, a loss of the connection is also a
  // notification, for callers that show no refusal.
  Result<Reply> request(const std::string& line, bool tell = true);
  // request() for a command of the person: connects first if necessary, and refuses what the server
  // refuses.
  Result<Reply> order(const std::string& line);
  // The same for a command about a board: "toot chat 101 : hello".
  Result<Reply> order_on(const std::string& id, std::string_view verb,
                         const std::string& more = "");
  // Makes a new connection to the server, without signing in.
  Result<Done> dial();
  // Closes the connection; only the person can sign in again.
  void sign_out(const std::string& why);
  // Signs in on a new connection and sends the first commands.
  Result<Done> enter();
  void begin();
  void disconnect(const std::string& why, bool tell = true);
  void retry_later();
  // Connects if necessary, because the person wants it now.
  void need_line();
  void send_pending();
  Refusal no_line() const;
  bool hear_events();  // returns false if there were none
  // Handles what has arrived and what is due. Returns false if there was nothing.
  bool look();
  void handle_event(const std::string& what);
  // Notes a change made by a command; `told` is true if its reply had the new state of the board.
  void changed_here(bool told) {
    list_is_old_ = list_is_old_ || !told;
    ring();
  }
  // Writes the chat lines since the last call to the file.
  void keep_talk();
  // The progress in reading a list of boards.
  struct Pieces {
    std::size_t told = 0;
    bool more = false;
  };
  std::optional<std::vector<BoardSummary>> read_piece(const std::string& command, Pieces& pieces);
  void refresh_list();
  void refresh_lobby();
  void refresh_others();
  LocalNotes notebook() const {
    return LocalNotes(setup_.notebooks.empty() || user_.empty() ? std::filesystem::path()
                                                                : setup_.notebooks / user_);
  }

  Setup setup_;
  std::unique_ptr<ServerLine> line_;
  std::string user_, password_;
  bool trusted_ = false;      // signs in without a password
  std::string locked_out_;    // why the user has to sign in again; nothing is retried
  bool asks_person_ = false;  // the user does not know that yet
  std::string stranger_;      // the last reported refusal of the login at the other end
  // The descriptors to wait for; null if there is no server.
  struct Waits;
  const std::unique_ptr<Waits> waits_;
  // Wakes the caller for take_changes().
  void ring() const;
  unsigned failures_ = 0;  // in a row
  FollowedBoards followed_;
  bool list_is_old_ = true, lobby_is_old_ = true, shows_others_ = false;
  Pieces own_, of_others_;
  std::vector<BoardSummary> seeks_, others_;  // as rows of the list
  std::vector<BoardSummary> next_others_;     // the new `others_`, as far as it was read
  std::map<std::string, Person> people_;
  std::string turned_away_;  // why the server does not let the user sign in
  bool was_in_ = false;
  NotificationQueue news_;
  std::vector<LocalNotes::Said> said_;      // chat lines to write to the file
  std::map<std::string, Pending> pending_;  // by board: the newest on each
  Handle connecting_;
  std::unique_ptr<BackgroundTasks> tasks_;  // only for a screen
};

}  // namespace pbm
