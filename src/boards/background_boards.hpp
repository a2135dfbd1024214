// SPDX-License-Identifier: MIT
// Boards on a server for screens that never wait. A thread of its own talks with the server
// (remote_boards.hpp); what is shown meanwhile is what was last known. Used by one thread, the
// screen's. Leaves what is said to whoever it is given.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "boards/remote_boards.hpp"

namespace pbm {

class BackgroundBoards final : public KnownBoards, public Server {
 public:
  // Pre: `boards` outlives this and is nobody else's meanwhile; `give_up` is the bell that ends its
  // waits.
  BackgroundBoards(RemoteBoards& boards, const EventFd& give_up);
  // Waits for nothing: what is still asked is given up.
  ~BackgroundBoards() override;

  // Connects as `user`, or as nobody for "". Refuses if that is refused within `patience`. If it
  // takes longer it goes on, and should it fail then, that is told as news.
  Result<Done> connect(const std::string& user, std::chrono::milliseconds patience);

  // Waits a moment: what has its answer by then is done when this returns.
  Ticket ask(const std::string& board, Work work, Haste haste = Haste::person) override;
  bool takes_commands() const override { return true; }
  bool asking() const override;
  void give_up() override;

  // Boards and Server, as they were last seen.
  std::vector<BoardSummary> list() override { return known_.list; }
  std::size_t waiting(const std::string& but) override;
  std::string user() const override { return known_.user; }
  std::vector<Person> people() const override { return known_.people; }
  bool shows_others() const override { return known_.shows_others; }
  std::string trouble() const override { return known_.trouble; }
  std::string turned_away() const override { return known_.turned_away; }
  bool pending(const std::string& id) const override { return known_.pending.count(id) > 0; }
  void forget(const std::string& id) override;
  std::vector<Notification> take_news() override { return std::exchange(known_.news, {}); }
  std::string take_sign_out() override { return std::exchange(known_.sign_out, ""); }
  std::vector<std::string> talk() override;
  int changes() override { return bell_.get(); }
  bool take_changes() override;
  std::string place() const override { return place_; }
  Server& server() override { return *this; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    Work work;
    Haste haste;
    std::weak_ptr<const void> wanted;  // by whom nobody waits for its end
    Then then;
    bool done = false;
  };
  struct Known {
    std::string user, trouble, turned_away, sign_out;
    std::vector<BoardSummary> list;
    std::set<std::string> pending;
    std::vector<Notification> news;
    std::vector<Person> people;
    bool shows_others = false;
  };

  RemoteBoards& boards_;  // the thread's

  // On the thread:
  void run();
  bool run_job();
  void look_around();
  void publish(bool with_list);

  std::shared_ptr<Job> post(Work work, Haste haste, const Ticket& ticket);
  void take_known();
  void ring();

  const EventFd& give_up_;
  const std::string place_;
  EventFd bell_, wake_;
  const Ticket connecting_ = std::make_shared<char>();
  Known known_;  // the screen's

  mutable std::mutex mutex_;  // of all below
  std::condition_variable finished_;
  std::deque<std::shared_ptr<Job>> jobs_, done_;  // the first of jobs_ is being done
  std::optional<Clock::time_point> busy_since_;
  Known next_;  // what known_ becomes
  bool changed_ = false;
  std::size_t to_give_up_ = 0;  // so many of jobs_, the first ones
  bool ending_ = false, too_late_ = false;

  std::thread thread_;
};

}  // namespace pbm
