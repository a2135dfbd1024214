// SPDX-License-Identifier: MIT
// Notifies players who are away through an external program (`serve --notify`), and sends
// confirmation codes and forgotten userids to mail addresses.
// Leaves when to notify to tables/notices.hpp, limits of an address to tables/addresses.hpp, and
// running the program to the event loop.
#pragma once

#include <functional>
#include <memory>

#include "base/wait_set.hpp"
#include "server/tables/accounts.hpp"
#include "server/tables/addresses.hpp"
#include "server/tables/mail.hpp"
#include "server/tables/notices.hpp"
#include "store/board_store.hpp"

namespace pbm {

class Messenger {
 public:
  // The parts of the server that it needs. here() returns true if the userid has a connection.
  struct Sources {
    Accounts& accounts;
    Mail& mail;
    BoardStore& boards;
    std::function<Time()> time;
    std::function<bool(const std::string& userid)> here;
    std::function<BoardSummary(const BoardSummary&)> told;  // adds clock and watchers to a summary
  };
  // `program` is the program with its arguments. If it is "", there are no notifications.
  Messenger(Database& database, std::string program, Sources sources)
      : program_(std::move(program)),
        addresses_(database),
        notices_(database),
        sources_(std::move(sources)) {}

  Addresses& addresses() { return addresses_; }
  // Schedules notifications for events that happened while no server was running.
  void catch_up();

  // Queues the code for the address that a user wants to confirm; send_userids(), the userids of an
  // address. An address without userids, or that got them lately, gets nothing.
  void send_code(const std::string& userid) { codes_.emplace(sources_.time(), Code{userid, ""}); }
  void send_userids(const std::string& address);
  // Schedules a notification about `board`, or about the account if there is none.
  // It goes out while the player has no connection; a challenge goes out at once.
  void stir(const Account& account, const std::optional<BoardKey>& board, bool challenge);
  // Sets the userid whose command is running, or "". The reply informs this player, so the command
  // schedules no notification for them.
  void speaks(const std::string& userid) { speaking_ = userid; }
  // Notes that a player opened or closed a connection. `told` is true if the connection delivered
  // everything, so that nothing is left to send.
  void came(const std::string& userid) { notices_.came(userid); }
  void left(const std::string& userid, bool told);
  // Changes a userid that has no connection.
  void rename(const std::string& userid, const std::string& now);

  // Sets the Unix socket that notifications name for the answer, or "".
  void listens_on(const std::string& socket) { socket_ = socket; }
  // Returns the next job that is due, or nullptr. Pass it to finish() after it ran: that returns an
  // error message for the log, or "" if the program succeeded.
  std::unique_ptr<NoticeJob> take();
  std::string finish(const NoticeJob& job);
  // Returns when take() has its next job, or nothing if no job is pending.
  std::optional<Time> due() const;
  // Ends the running program. Its player is notified after the next start.
  void stop() { stop_.ring(); }

 private:
  struct Code {
    std::string userid, address;  // sends the code of `userid`; if "", the userids of `address`
    std::size_t failures = 0;
  };
  // A board as text: its drawing, last plies, and the command that opens it.
  struct Drawn {
    std::string id, plies = {}, drawing = {}, answer = {};
    std::string next = {};  // the next ply's number and the number of entries: "7-12"
  };
  Drawn draw(const std::string& userid, const BoardKey& key);
  // The content of one notification. `stirred` has the boards with news since the last one.
  struct News {
    std::vector<BoardKey> boards, stirred;
    std::size_t waiting = 0, begun = 0, watched = 0;
    std::string text;
  };
  std::unique_ptr<NoticeJob> job(NoticeKind kind, const std::string& userid, const std::string& to,
                                 std::vector<std::string> variables, const std::string& text) const;
  std::string line_of(const BoardSummary& board);
  News boards_for(const Account& account);
  std::vector<Event> events_in(const std::vector<Mail::Letter>& letters, const Account& account);
  static std::string in_short(const News& news, const std::vector<Event>& events);
  Drawn draw_boards(const std::string& userid, News& news, std::string& about);
  std::unique_ptr<NoticeJob> news_for(const Account& account);
  std::unique_ptr<NoticeJob> code_for(const std::string& userid);
  std::unique_ptr<NoticeJob> userids_at(const std::string& address);

  std::string program_;
  Addresses addresses_;
  Notices notices_;
  Sources sources_;
  std::multimap<Time, Code> codes_;  // by due time
  Code code_;                        // the one that take() returned
  std::string speaking_;
  EventFd stop_;
  std::string socket_;
};

}  // namespace pbm
