// SPDX-License-Identifier: MIT
// The server as a program, in one loop: a turn takes lines of each connection that has some,
// commits what they did, and sends what is to be said. Passwords are hashed and saves made safe by
// a thread of its own each. Leaves a connection's bytes to connection.hpp and all that is kept to
// service.hpp.
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
    4000};  // for passwords and slow readers when it ends, in five seconds
inline constexpr std::ptrdiff_t kMaxUnread = std::ptrdiff_t{256}
                                             << 20;  // bytes, of all connections

class Listener {
 public:
  // Ready to be connected to when it returns. Throws Error: the directory cannot be used, another
  // server has it, or an address cannot be had.
  explicit Listener(ListenOptions options);

  // With the real ports.
  std::vector<ServerAddress> addresses() const { return reception_.addresses(); }

  // Serves until it is stopped: then lets nobody in, answers what was asked, and closes everything.
  // False when it ended because its files were gone.
  bool run();
  // From any thread.
  void stop() {
    stop_ = true;
    bell_.ring();
  }

 private:
  // Signals that come by a descriptor during its life, to the thread that made it.
  class Signals {
   public:
    Signals() {
      ::sigemptyset(&taken_);
      ::sigaddset(&taken_, SIGTERM);
      ::sigaddset(&taken_, SIGINT);
      // Started by nohup it is to live on.
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
    // The next one; 0 for none.
    int take() const {
      signalfd_siginfo info{};
      return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                  : 0;
    }

   private:
    sigset_t taken_{}, before_{};
    UniqueFd fd_;
  };

  // A job of the service's, on a thread of its own.
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
  std::optional<Moment> ending_;  // until then, at most
  std::atomic<bool> stop_ = false;
  // Destroyed first: nothing may run that uses the rest.
  Apart<HashJob> hashing_{bell_};
  Apart<SavesSync> syncing_{bell_};
  Apart<NoticeJob> telling_{bell_};
};

}  // namespace pbm
