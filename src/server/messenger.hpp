// SPDX-License-Identifier: MIT
// Has another program tell who is away what waits for him, and send codes and userids to addresses.
// Leaves when somebody may be told to tables/notices.hpp, what may go to an address to
// tables/addresses.hpp, and the running of the program to who drives the server.
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
  // What is asked of the server; here(): whether a connection speaks for that userid.
  struct Sources {
    Accounts& accounts;
    Mail& mail;
    BoardStore& boards;
    std::function<Time()> time;
    std::function<bool(const std::string& userid)> here;
    std::function<BoardSummary(const BoardSummary&)> told;  // with what anybody is told of it
  };
  // `program`: with its words; "" for none, and nobody is told.
  Messenger(Database& database, std::string program, Sources sources)
      : program_(std::move(program)),
        addresses_(database),
        notices_(database),
        sources_(std::move(sources)) {}

  Addresses& addresses() { return addresses_; }
  // Looks for what came to wait while no server ran.
  void catch_up();

  // Has the code for the address that somebody wants sent there; and to an address which userids
  // are at it.
  void send_code(const std::string& userid) { codes_.emplace(sources_.time(), Code{userid, ""}); }
  void send_userids(const std::string& address);
  // Something waits for somebody, on a board or none, who is told once he is not here.
  void stir(const Account& account, const std::optional<BoardKey>& board, bool challenge);
  // Whose command is being done: what comes of it the answer tells him. "": nobody's.
  void speaks(const std::string& userid) { speaking_ = userid; }
  // Somebody is here, on one connection more; and on one less, which told him all or nothing.
  void came(const std::string& userid) { notices_.came(userid); }
  void left(const std::string& userid, bool told);
  // Somebody is called otherwise, and no connection speaks for him.
  void rename(const std::string& userid, const std::string& now);

  // Where who is told may answer, a Unix socket; "" for nowhere.
  void listens_on(const std::string& socket) { socket_ = socket; }
  // Somebody who is to be told now; nullptr for nobody. And what came of it: a sentence where he
  // was not, or "".
  std::unique_ptr<NoticeJob> take();
  std::string finish(const NoticeJob& job);
  // When there is more of take(); nothing for never.
  std::optional<Time> due() const;
  // Ends the one that is out, who is told after the next start.
  void stop() { stop_.ring(); }

 private:
  struct Code {
    std::string userid, address;  // whose is to be sent, or where it is asked who one is
    std::size_t failures = 0;
  };
  // How it stands on a board, drawn, and how one goes on there.
  struct Drawn {
    std::string id, plies = {}, drawing = {}, answer = {};
    std::string next = {};  // its next ply, and how much was done there: "7-12"
  };
  Drawn draw(const std::string& userid, const BoardKey& key);
  // Boards that wait for somebody, or on which something has happened, and what he is told of all.
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
  std::multimap<Time, Code> codes_;  // by when they are to go
  Code code_;                        // that is out
  std::string speaking_;
  EventFd stop_;
  std::string socket_;
};

}  // namespace pbm
