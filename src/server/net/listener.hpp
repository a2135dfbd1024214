// SPDX-License-Identifier: MIT
// The event loop of the server. Each round takes lines from the connections that have some, commits
// the changes, and sends replies and events. Passwords are hashed, saves synced and notifications
// sent by one worker thread each. Leaves the bytes of a connection to connection.hpp and all data
// to service.hpp.
#pragma once

#include <signal.h>
#include <sys/signalfd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/worker.hpp"
#include "server/net/reception.hpp"

namespace pbm {

inline constexpr std::chrono::milliseconds kMaxEnding{
    4000};  // for passwords and slow readers, so that the end takes at most five seconds
inline constexpr std::ptrdiff_t kMaxUnread = std::ptrdiff_t{256}
                                             << 20;  // unsent bytes of all connections

class Listener {
 public:
  // Accepts connections in the backlog when it returns. Throws Error if the directory cannot be
  // used, another server uses it, or an address cannot be bound.
  explicit Listener(ListenOptions options);

  // Returns the addresses with the real ports.
  std::vector<ServerAddress> addresses() const { return reception_.addresses(); }

  // Serves until it is stopped. Then it accepts no connection, answers the lines it has, and closes
  // all. Returns false if it ended because its files were gone.
  bool run();
  // May be called from any thread.
  void stop() {
    stop_ = true;
    bell_.ring();
  }

 private:
  // Receives signals through a descriptor, in the thread that made it.
  class Signals {
   public:
    Signals() {
      ::sigemptyset(&taken_);
      ::sigaddset(&taken_, SIGTERM);
      ::sigaddset(&taken_, SIGINT);
      // After nohup the server survives a hangup.
      struct sigaction hangup {};
      if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        ::sigaddset(&taken_, SIGHUP);
      ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
      fd_ = UniqueFd(::signalfd(-1, &taken_, SFD_NONBLOCK | SFD_CLOEXEC));
    }
    ~Signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    int descriptor() const { return fd_.get(); }
    // Returns the next signal, or 0.
    int take() const {
      signalfd_siginfo info{};
      return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                  : 0;
    }

   private:
    sigset_t taken_{}, before_{};
    UniqueFd fd_;
  };

  // A job of the service on a worker thread of its own.
  template <class Job>
  struct Apart {
    explicit Apart(const EventFd& bell) : worker(bell) {}
    void begin(std::unique_ptr<Job> wanted) {
      if (!wanted) return;
      job = std::move(wanted);
      worker.begin([one = job.get()] { one->run(); });
    }
    bool out() const { return worker.out(); }

    std::unique_ptr<Job> job;
    Worker worker;  // destroyed first
  };

  void turn();
  int patience();
  void take_events();
  void do_what_is_due(Moment now);
  void give_turns();
  template <class Job>
  void finish(Apart<Job>& apart) {
    if (apart.worker.take_done()) service_.finish(std::move(apart.job));
  }
  void begin_jobs();
  void tend();
  void see_whether_to_end();
  void begin_ending();
  void guarded(const std::function<void()>& work);

  ListenOptions options_;
  Service service_;
  ConnectionHost host_;
  EventFd bell_;
  std::optional<Signals> signals_;
  Reception reception_;
  std::optional<Moment> ending_;  // when the end is forced; nothing while it serves
  std::atomic<bool> stop_ = false;
  // Destroyed first, as the workers use the members above.
  Apart<HashJob> hashing_{bell_};
  Apart<SavesSync> syncing_{bell_};
  Apart<NoticeJob> telling_{bell_};
};

}  // namespace pbm
