// SPDX-License-Identifier: MIT
#include "server/net/listener.hpp"

#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/text.hpp"
#include "base/worker.hpp"
#include "server/net/reception.hpp"

namespace pbm {

using namespace std::chrono_literals;

namespace {

constexpr auto kTurn = 2ms;  // of lines, before what they did is committed and sent
constexpr std::size_t kReadyATurn = 256;
constexpr std::uint64_t kBell = Reception::kOthers, kSignals = Reception::kOthers + 1;

// What the owner does goes where all else goes that is told.
ServiceOptions with_log(const ListenOptions& options) {
  ServiceOptions out = options.service;
  if (options.log) out.log = [log = options.log](const std::string& what) { log(safe_text(what)); };
  return out;
}

}  // namespace

class Listener::Loop final : public ConnectionHost {
 public:
  explicit Loop(ListenOptions options);
  ~Loop() override;
  bool run();
  void stop() {
    stop_ = true;
    bell_.ring();
  }
  std::vector<ServerAddress> addresses() const { return reception_.addresses(); }

  Service& service() override { return service_; }
  void soon(Connection& connection) override {
    if (!std::exchange(connection.marked, true)) marked_.push_back(connection.shared_from_this());
  }
  void wants_turn(Connection& connection) override { reception_.turns().ask(connection.number()); }
  void wake_at(const Connection& connection, Moment when) override {
    alarms_.emplace(when, connection.number());
  }
  void changed_party(Connection& connection) override {
    reception_.turns().belong(connection.number(), connection.party());
  }
  void gone(Connection& connection) override { reception_.leave(connection); }
  void log(const std::string& event) override {
    if (options_.log) options_.log(safe_text(event));
  }
  void unread(std::ptrdiff_t change) override { unread_ += change; }

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
  WaitSet sockets_;
  EventFd bell_;
  std::optional<Signals> signals_;
  Reception reception_;
  std::multimap<Moment, std::uint64_t> alarms_;  // of connections
  std::vector<std::shared_ptr<Connection>> marked_;
  std::ptrdiff_t unread_ = 0;
  std::optional<Moment> ending_;  // until then, at most
  std::atomic<bool> stop_ = false;
  // Destroyed first: nothing may run that uses the rest.
  Apart<HashJob> hashing_{bell_};
  Apart<SavesSync> syncing_{bell_};
  Apart<NoticeJob> telling_{bell_};
};

Listener::Loop::Loop(ListenOptions options)
    : options_(std::move(options)),
      service_(with_log(options_)),
      reception_(*this, sockets_, options_) {
  for (const std::string& warning : service_.warnings()) log(warning);
  reception_.listen();
  std::error_code none;
  for (const ServerAddress& address : addresses())
    if (!address.socket.empty())
      service_.messenger().listens_on(std::filesystem::absolute(address.socket, none).string());
  sockets_.add(bell_.get(), kBell, EPOLLIN);
  if (!options_.signals) return;
  signals_.emplace();
  sockets_.add(signals_->descriptor(), kSignals, EPOLLIN);
}

Listener::Loop::~Loop() { marked_.clear(); }

bool Listener::Loop::run() {
  reception_.open();
  while (!ending_ || !reception_.connections().empty()) {
    // Whatever goes wrong, the next turn comes.
    guarded([this] { turn(); });
  }
  if (syncing_.out()) {
    syncing_.worker.wait();
    guarded([this] { finish(syncing_); });
  }
  service_.settle(true);
  return service_.must_end().empty();
}

void Listener::Loop::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    log(std::string("a fault: ") + error.what());
    // Of one conversation; all the others go on, and so does that one.
    for (const auto& [number, connection] : reception_.connections()) soon(*connection);
  }
}

void Listener::Loop::turn() {
  take_events();
  guarded([this] { do_what_is_due(std::chrono::steady_clock::now()); });
  guarded([this] { give_turns(); });
  service_.end_turn();
  begin_jobs();
  tend();
  for (const std::string& trouble : service_.take_troubles()) log(trouble);
  see_whether_to_end();
}

// Milliseconds until something is due.
int Listener::Loop::patience() {
  if (!marked_.empty() || !reception_.turns().empty()) return 0;
  Moment due = service_.next_look();
  const auto also = [&](std::optional<Moment> at) {
    if (at && *at < due) due = *at;
  };
  also(service_.due(hashing_.out()));
  if (!telling_.out() && !ending_) also(service_.notice_due());
  also(service_.sync_due());
  also(reception_.due());
  also(ending_);
  if (!alarms_.empty()) also(alarms_.begin()->first);
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(due - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(wait.count(), 0, 60'000));
}

void Listener::Loop::take_events() {
  std::array<epoll_event, kReadyATurn> room;
  for (const epoll_event& event : sockets_.take(room, patience())) {
    const std::uint64_t number = event.data.u64;  // the struct is packed: no reference to a member
    if (number == kBell) {
      bell_.clear();
    } else if (number == kSignals) {
      if (const int signal = signals_->take(); signal != 0 && !ending_) {
        log(std::string("ends: ") + ::strsignal(signal));
        begin_ending();
      }
    } else {
      reception_.ready(number, event.events);
    }
  }
}

void Listener::Loop::do_what_is_due(Moment now) {
  finish(syncing_);
  finish(telling_);
  finish(hashing_);
  reception_.try_again(now);
  while (!alarms_.empty() && alarms_.begin()->first <= now) {
    const auto found = reception_.connections().find(alarms_.begin()->second);
    alarms_.erase(alarms_.begin());
    if (found == reception_.connections().end()) continue;
    const auto connection = found->second;
    connection->time_passed(now);
  }
  service_.connections().answer_late(service_.moment(), false);
  service_.look_at_clocks();
}

void Listener::Loop::give_turns() {
  Turns& turns = reception_.turns();
  if (turns.empty()) return;
  const auto begun = std::chrono::steady_clock::now(), over = begun + kTurn;
  for (auto from = begun; from < over;) {
    const auto next = turns.next();
    if (!next) return;
    const auto connection = reception_.connections().at(*next);
    connection->take_turn(over);
    const auto until = std::chrono::steady_clock::now();
    turns.spend(*next, until - from);
    from = until;
  }
}

void Listener::Loop::begin_jobs() {
  if (!hashing_.out()) hashing_.begin(service_.take_hash());
  if (!syncing_.out()) syncing_.begin(service_.take_sync());
  if (!telling_.out() && !ending_) telling_.begin(service_.messenger().take());
}

void Listener::Loop::tend() {
  for (const auto& connection : std::exchange(marked_, {})) {
    connection->marked = false;
    connection->tend();
  }
  while (unread_ > kMaxUnread && !reception_.connections().empty()) {
    const auto most = std::ranges::max_element(
        reception_.connections(),
        [](const auto& a, const auto& b) { return a.second->behind() < b.second->behind(); });
    const auto keep = most->second;
    keep->drop("all readers together are too far behind, and it the furthest");
  }
}

// --- the end -----------------------------------------------------------------------

void Listener::Loop::see_whether_to_end() {
  if (ending_) {
    // Passwords and slow readers are waited for only for so long.
    if (*ending_ <= std::chrono::steady_clock::now())
      while (!reception_.connections().empty()) {
        const auto connection = reception_.connections().begin()->second;
        connection->drop("the server ends");
      }
    return;
  }
  if (const std::string why = service_.must_end(); !why.empty()) {
    log(why);
    begin_ending();
  } else if (service_.drained()) {
    log("ends: everybody has left");
    begin_ending();
  } else if (stop_) {
    begin_ending();
  }
}

void Listener::Loop::begin_ending() {
  if (ending_) return;
  ending_ = std::chrono::steady_clock::now() + kMaxEnding;
  reception_.close();
  service_.messenger().stop();
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [number, connection] : reception_.connections()) all.push_back(connection);
  for (const auto& connection : all) connection->finish();
  service_.connections().answer_late(service_.moment(), true);
}

// --- outside -------------------------------------------------------------------------

Listener::Listener(ListenOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}
Listener::~Listener() = default;
std::vector<ServerAddress> Listener::addresses() const { return loop_->addresses(); }
bool Listener::run() { return loop_->run(); }
void Listener::stop() { loop_->stop(); }

}  // namespace pbm
