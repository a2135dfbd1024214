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
#include "server/net/acceptor.hpp"

namespace pbm {

inline constexpr std::chrono::milliseconds kMaxShutdownTime{
    4000};  // for passwords and slow readers, so that the end takes at most five seconds
inline constexpr std::ptrdiff_t kMaxUnsentBytes = std::ptrdiff_t{256}
                                                  << 20;  // unsent bytes of all connections

class ServerLoop {
 public:
  // Accepts connections in the backlog when it returns. Throws Error if the directory cannot be
  // used, another server uses it, or an address cannot be bound.
  explicit ServerLoop(ListenOptions options);

  // Returns the addresses with the real ports.
  std::vector<ServerAddress> addresses() const { return acceptor_.addresses(); }

  // Serves until it is stopped. Then it accepts no connection, answers the lines it has, and closes
  // all. Returns false if it ended because its files were gone.
  bool run();
  // May be called from any thread.
  void stop() {
    stop_requested_ = true;
    bell_.notify();
  }

 private:
  // Receives signals through a descriptor, in the thread that made it.
  class Signals {
   public:
    Signals() {
      ::sigemptyset(&blocked_);
      ::sigaddset(&blocked_, SIGTERM);
      ::sigaddset(&blocked_, SIGINT);
      // After nohup the server survives a hangup.
      struct sigaction hangup {};
      if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        ::sigaddset(&blocked_, SIGHUP);
      ::pthread_sigmask(SIG_BLOCK, &blocked_, &previous_);
      fd_ = UniqueFd(::signalfd(-1, &blocked_, SFD_NONBLOCK | SFD_CLOEXEC));
    }
    ~Signals() { ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr); }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    int descriptor() const { return fd_.get(); }
    // Returns the next signal, or 0.
    int take_next() const {
      signalfd_siginfo info{};
      return ::read(fd_.get(), &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo)
                                                                  : 0;
    }

   private:
    sigset_t blocked_{}, previous_{};
    UniqueFd fd_;
  };

  // A job of the service on a worker thread of its own.
  template <class Job>
  struct WorkerJob {
    explicit WorkerJob(const EventFd& bell) : worker(bell) {}
    void start(std::unique_ptr<Job> wanted) {
      if (!wanted) return;
      job = std::move(wanted);
      worker.start([one = job.get()] { one->run(); });
    }
    bool is_busy() const { return worker.is_busy(); }

    std::unique_ptr<Job> job;
    Worker worker;  // destroyed first
  };

  void run_round();
  int wait_milliseconds();
  void handle_events();
  void run_due_work(SteadyTime now);
  void take_lines();
  template <class Job>
  void finish_job(WorkerJob<Job>& apart) {
    if (apart.worker.collect_if_done()) service_.finish(std::move(apart.job));
  }
  void start_jobs();
  void update_connections();
  void check_shutdown();
  void begin_shutdown();
  void run_guarded(const std::function<void()>& work);

  ListenOptions options_;
  Service service_;
  ConnectionHost host_;
  EventFd bell_;
  std::optional<Signals> signals_;
  Acceptor acceptor_;
  std::optional<SteadyTime> shutdown_deadline_;  // when the end is forced; nothing while it serves
  std::atomic<bool> stop_requested_ = false;
  // Destroyed first, as the workers use the members above.
  WorkerJob<HashJob> hash_job_{bell_};
  WorkerJob<SyncJob> sync_job_{bell_};
  WorkerJob<NotificationJob> notification_job_{bell_};
};

}  // namespace pbm
