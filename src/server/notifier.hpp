// SPDX-License-Identifier: MIT
// Notifies players who are away through an external program (`serve --notify`), and sends
// confirmation codes and forgotten userids to mail addresses.
// Leaves when to notify to tables/notifications.hpp, limits of an address to tables/addresses.hpp,
// and running the program to the event loop.
#pragma once

#include <functional>
#include <memory>

#include "base/wait_set.hpp"
#include "server/tables/accounts.hpp"
#include "server/tables/addresses.hpp"
#include "server/tables/mail.hpp"
#include "server/tables/notifications.hpp"
#include "store/board_store.hpp"

namespace pbm {

class Notifier {
 public:
  // The parts of the server that it needs. is_connected() returns true if the userid has a
  // connection.
  struct ServerParts {
    Accounts& accounts;
    Mail& mail;
    BoardStore& boards;
    std::function<Time()> time;
    std::function<bool(const std::string& userid)> is_connected;
    std::function<BoardSummary(const BoardSummary&)>
        complete_summary;  // adds clock and watchers to a summary
  };
  // `program` is the program with its arguments. If it is "", there are no notifications.
  Notifier(Database& database, std::string program, ServerParts sources)
      : program_(std::move(program)),
        addresses_(database),
        notifications_(database),
        server_(std::move(sources)) {}

  Addresses& addresses() { return addresses_; }
  // Schedules notifications for events that happened while no server was running.
  void recover();

  // Queues the code for the address that a user wants to confirm; send_userids(), the userids of an
  // address. An address without userids, or that got them lately, gets nothing.
  void send_code(const std::string& userid) {
    pending_mails_.emplace(server_.time(), PendingMail{userid, ""});
  }
  void send_userids(const std::string& address);
  // Queues a text to the owner of the server, who has that userid, in place of an older one. Needs
  // no room in the database.
  void send_owner_notice(const std::string& userid, const std::string& text) {
    std::erase_if(pending_mails_, [](const auto& mail) { return !mail.second.text.empty(); });
    if (!program_.empty()) pending_mails_.emplace(server_.time(), PendingMail{userid, "", text});
  }
  // Schedules a notification about `board`, or about the account if there is none.
  // It goes out while the player has no connection; a challenge goes out at once.
  void schedule(const Account& account, const std::optional<BoardKey>& board, bool challenge);
  // Sets the userid whose command is running, or "". The reply informs this player, so the command
  // schedules no notification for them.
  void set_actor(const std::string& userid) { actor_ = userid; }
  // Records that a command of the player succeeded, at a screen or by mail. It answers all
  // notifications so far, and the next one goes out at once. Throws Error.
  void record_action(const std::string& userid);
  // Notes that a player closed a connection. `informed` is true if the connection delivered
  // everything, so that nothing is left to send.
  void disconnected(const std::string& userid, bool informed);
  // Changes a userid that has no connection.
  void rename(const std::string& userid, const std::string& now);

  // Sets the Unix socket that notifications name for the answer, or "".
  void set_reply_socket(const std::string& socket) { reply_socket_ = socket; }
  // Returns the next job that is due, or nullptr. Pass it to finish() after it ran: that returns an
  // error message for the log, or "" if the program succeeded.
  std::unique_ptr<NotificationJob> take_due();
  std::string finish(const NotificationJob& job);
  // Returns when take_due() has its next job, or nothing if no job is pending.
  std::optional<Time> next_due() const;
  // Ends the running program. Its player is notified after the next start.
  void stop() { stop_event_.notify(); }

 private:
  struct PendingMail {
    // Sends `text` to `userid`, or without a text its code; without a userid, those of `address`.
    std::string userid, address, text = {};
    std::size_t failures = 0;
  };
  // A board as text: its drawing, last plies, and the command that opens it.
  struct BoardText {
    std::string id, plies = {}, drawing = {}, reply_command = {};
    std::string next_ply = {};         // the next ply's number and the number of entries: "7-12"
    std::string info = {}, move = {};  // its line for programs, and an example of a legal move
    std::string headline = {}, story = {};  // what happened: "lenny played BT. Your turn (OTTO)."
  };
  // Returns what a user's notifications are counted for: the address, or the userid without one.
  static const std::string& mail_receiver(const Account& account) {
    return account.address.empty() ? account.userid : account.address;
  }
  BoardText draw_board(const std::string& userid, const BoardKey& key);
  // The content of one notification. `changed_boards` has the boards with news since the last one,
  // `lines` a line for each board in it, by id.
  struct Content {
    std::vector<BoardKey> boards, changed_boards;
    std::map<std::string, std::string> lines;
    std::size_t waiting_count = 0, begun_count = 0, watched_count = 0, unreadable_count = 0;
    bool is_single = false;  // true if all is about one board
    std::string text;
  };
  std::unique_ptr<NotificationJob> make_job(MailKind kind, const std::string& userid,
                                            const std::string& to,
                                            std::vector<std::string> variables,
                                            const std::string& text) const;
  std::string board_line(const BoardSummary& board) {
    return safe_text(server_.complete_summary(board).describe(server_.time())) + "\n";
  }
  Content collect_boards(const Account& account);
  std::string tell_story(const Match& match, const BoardSummary& board, const std::string& userid);
  std::size_t mails_left(const Account& account);
  std::vector<Event> wanted_events(const std::vector<Mail::Letter>& letters,
                                   const Account& account);
  static std::string summarize(const Content& news, const std::vector<Event>& events);
  BoardText draw_boards(const std::string& userid, Content& news, std::string& about);
  std::unique_ptr<NotificationJob> make_notification(const Account& account);
  std::unique_ptr<NotificationJob> make_code_mail(const std::string& userid);
  std::unique_ptr<NotificationJob> make_userids_mail(const std::string& address);
  std::unique_ptr<NotificationJob> make_owner_mail(const PendingMail& notice);

  std::string program_;
  Addresses addresses_;
  Notifications notifications_;
  ServerParts server_;
  std::multimap<Time, PendingMail> pending_mails_;  // by due time
  PendingMail current_mail_;                        // the one that take_due() returned
  std::string actor_;
  EventFd stop_event_;
  std::string reply_socket_;
};

}  // namespace pbm
