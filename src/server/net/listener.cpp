// SPDX-License-Identifier: MIT
#include "server/net/listener.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "server/net/connection.hpp"
#include "server/net/listen_socket.hpp"
#include "server/net/peer_auth.hpp"
#include "server/net/turns.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr int kAcceptedATurn = 32;
constexpr auto kTurn =
    2ms;  // before others come: between two of these sockets, signals and the disk are seen to
constexpr auto kRestBeforeAgain = 20ms;    // before the next look at saves that others were writing
constexpr auto kRestWithoutFiles = 200ms;  // before the next try when the system has no file left
constexpr auto kTimeToSayWho = 200ms;      // for who comes in, even where others wait for the place
constexpr std::size_t kFilesBesides = 512;  // boards being written, journals, this and that

// As many files as may be open, and what that leaves for connections.
std::size_t room_for_connections(std::size_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = 2 * (wanted + kFilesBesides);
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const std::size_t files = limit.rlim_cur;
  return std::min(wanted, std::max(files / 2, files - std::min(files, kFilesBesides)));
}

void prepare_tcp(int fd) {
  const auto set = [fd](int level, int name, int value) {
    ::setsockopt(fd, level, name, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  // A peer that vanished without a word is found out within minutes.
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 120);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 30);
  set(IPPROTO_TCP, TCP_KEEPCNT, 4);
}

// Who is at the other end of a Unix socket.
std::optional<ucred> login_at(int fd) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return std::nullopt;
  return credentials;
}

// The address at the other end of any other; "nobody" when it has gone again.
std::string address_at(int fd) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  std::array<char, NI_MAXHOST> text{};
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&name), &size) != 0 ||
      ::getnameinfo(reinterpret_cast<const sockaddr*>(&name), size, text.data(), text.size(),
                    nullptr, 0, NI_NUMERICHOST) != 0)
    return "nobody";
  return text.data();
}

// Waits on a descriptor that is somebody else's to close.
class Waiter : public asio::posix::stream_descriptor {
 public:
  using basic_stream_descriptor::basic_stream_descriptor;
  ~Waiter() { let_go(); }
  void let_go() {
    if (is_open()) release();
  }
};

}  // namespace

class Listener::Loop final : public ConnectionHost {
 public:
  explicit Loop(ListenOptions options);
  ~Loop() override;
  bool run();
  void stop() {
    asio::post(io_, [this] { begin_ending(); });
  }
  std::vector<ServerAddress> addresses() const;

  Service& service() override { return service_; }
  void soon(Connection& connection) override;
  void wants_turn(Connection& connection) override {
    turns_.ask(connection.number());
    give_turns_soon();
  }
  void held_up(Connection& connection) override;
  void changed_party(Connection& connection) override {
    turns_.belong(connection.number(), connection.party());
  }
  void gone(Connection& connection) override {
    turns_.leave(connection.number());
    connections_.erase(connection.number());
  }
  void log(const std::string& event) override {
    if (options_.log) options_.log(safe_text(event));
  }
  void unread(std::ptrdiff_t change) override { unread_ += change; }

 private:
  // A door, and the wait for somebody to come in.
  struct Entrance {
    Entrance(asio::io_context& io, ListenSocket opened)
        : door(std::move(opened)), waiter(io, door.descriptor()), rest(io) {}
    ListenSocket door;
    Waiter waiter;
    asio::steady_timer rest;
  };

  void await_guest(Entrance& entrance);
  void let_in(Entrance& entrance);
  void admit(Entrance& entrance, UniqueFd guest);
  Result<Done> make_room(std::optional<uid_t> uid, const std::string& peer);
  void await_changes();
  void take_changes();
  void try_again_soon();
  void await_due();
  void answer_late(bool all = false);
  void await_signal();
  void give_turns();
  void give_turns_soon();
  void look_after();
  void look_after_soon();
  void start_work();
  // Has `work` done for a job on another thread, and `out` set meanwhile.
  template <class Job, class Work>
  void do_apart(std::unique_ptr<Job> job, Work work, asio::thread_pool& thread, bool& out);
  void wake_held_up();
  void work_done();
  void begin_ending();
  void end_if_done();

  ListenOptions options_;
  std::size_t most_connections_;
  asio::io_context io_{1};
  Service service_;
  std::vector<std::unique_ptr<Entrance>> entrances_;
  Waiter changes_{io_};
  asio::signal_set signals_{io_};
  asio::steady_timer ending_timer_{io_}, again_timer_{io_}, due_timer_{io_};
  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections_;
  Turns turns_;
  std::vector<std::shared_ptr<Connection>> marked_, held_up_;
  std::uint64_t last_connection_ = 0;
  std::ptrdiff_t unread_ = 0;
  std::optional<Moment> due_;  // what due_timer_ waits for
  bool looking_ = false, giving_turns_ = false, hash_out_ = false, batch_out_ = false,
       checkpoint_out_ = false, ending_ = false, too_late_ = false, crowded_ = false,
       short_of_files_ = false, trying_again_ = false;
  // Destroyed first: nothing may run that uses the rest.
  asio::thread_pool hashing_{1}, syncing_{1}, checkpointing_{1};
};

Listener::Loop::Loop(ListenOptions options)
    : options_(std::move(options)),
      most_connections_(room_for_connections(options_.connections)),
      service_(options_.service) {
  for (const std::string& warning : service_.warnings()) log(warning);
  for (const ServerAddress& address : options_.addresses) {
    auto door = ListenSocket::open(address);
    if (!door) throw Error(door.refusal().why);
    entrances_.push_back(std::make_unique<Entrance>(io_, std::move(*door)));
  }
  if (service_.changes() >= 0) changes_.assign(service_.changes());
  if (options_.signals) {
    signals_.add(SIGTERM);
    signals_.add(SIGINT);
    // Started by nohup it is to live on.
    struct sigaction hangup {};
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
      signals_.add(SIGHUP);
  }
}

Listener::Loop::~Loop() {
  hashing_.join();
  syncing_.join();
  checkpointing_.join();
  marked_.clear();
  held_up_.clear();
  // Whoever is left must not be told of by its own end.
  for (auto connections = std::move(connections_); auto& [number, connection] : connections)
    connection.reset();
}

std::vector<ServerAddress> Listener::Loop::addresses() const {
  std::vector<ServerAddress> out;
  for (const auto& entrance : entrances_) out.push_back(entrance->door.address());
  return out;
}

bool Listener::Loop::run() {
  for (const auto& entrance : entrances_) await_guest(*entrance);
  await_changes();
  await_signal();
  look_after_soon();
  for (;;) {
    try {
      io_.run();
      break;
    } catch (const std::exception& error) {
      // One turn went wrong; what it left behind is looked after.
      log(std::string("a fault: ") + error.what());
      looking_ = false;
      look_after_soon();
    }
  }
  service_.settle();
  return service_.must_end().empty();
}

// --- who comes in --------------------------------------------------------------

void Listener::Loop::await_guest(Entrance& entrance) {
  if (ending_) return;
  entrance.waiter.async_wait(Waiter::wait_read, [this, &entrance](const error_code& error) {
    if (!error && !ending_) let_in(entrance);
  });
}

void Listener::Loop::let_in(Entrance& entrance) {
  for (int i = 0; i < kAcceptedATurn; ++i) {
    UniqueFd guest(
        ::accept4(entrance.door.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (guest.open()) {
      try {
        admit(entrance, std::move(guest));
      } catch (const std::exception& error) {
        // Whatever it was, the next one gets in.
        log(std::string("somebody was not let in: ") + error.what());
      }
      continue;
    }
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // Whoever waits stays in the queue; trying at once would only burn time.
      if (!std::exchange(short_of_files_, true))
        log(std::string("nobody can be let in: ") + std::strerror(errno));
      entrance.rest.expires_after(kRestWithoutFiles);
      entrance.rest.async_wait([this, &entrance](const error_code& error) {
        if (!error) await_guest(entrance);
      });
      return;
    }
    if (errno == EAGAIN) break;
  }
  await_guest(entrance);
}

void Listener::Loop::admit(Entrance& entrance, UniqueFd guest) {
  short_of_files_ = false;
  const bool local = !entrance.door.address().socket.empty();
  if (!local) prepare_tcp(guest.get());
  const auto login = local ? login_at(guest.get()) : std::nullopt;
  const auto uid = login ? std::optional(login->uid) : std::nullopt;
  const std::string peer = uid ? "uid " + std::to_string(*uid) : address_at(guest.get());
  if (const auto room = make_room(uid, peer); !room) {
    const std::string said = "-ERR " + room.refusal().why + "\n.\n";
    // Of a socket that is closed before all is read the system takes back the last words.
    std::array<char, 4096> unread;
    while (::recv(guest.get(), unread.data(), unread.size(), MSG_DONTWAIT) ==
           static_cast<ssize_t>(unread.size())) {
    }
    [[maybe_unused]] const ssize_t ignored =
        ::send(guest.get(), said.data(), said.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    return;
  }
  const std::uint64_t number = ++last_connection_;
  // A program may come from any of a million addresses of its own machine: but for
  // the usual ones they count as one, or it would have as many turns as it likes.
  const bool usual = uid || peer == "127.0.0.1" || peer == "::1";
  PeerAuth trust{usual ? peer : "another address"};
  if (uid) {
    trust.program = login->pid;
    trust.may_speak_for = [this, number, uid = *uid,
                           file = options_.service.directory / kServerFiles /
                                  "trusted"](const std::string& userid) {
      auto may = may_speak_for(file, uid, userid);
      log("connection " + std::to_string(number) + " (uid " + std::to_string(uid) +
          (may ? ") speaks for " : ") may not speak for ") + userid);
      return may;
    };
  }
  Connection::Socket socket(io_, asio::generic::stream_protocol(local ? AF_UNIX : AF_INET, 0),
                            guest.get());
  static_cast<void>(guest.release());
  const auto connection =
      std::make_shared<Connection>(*this, options_.limits, std::move(socket), number, peer, trust);
  connections_.emplace(number, connection);
  turns_.enter(number, connection->party());
  try {
    connection->start();
  } catch (...) {
    gone(*connection);
    throw;
  }
}

// For one more. Of those at the same peer who have not said who they are, or
// guessed wrong, the first to come is the first to go; and where there is no
// place at all, one of whoever has most of them: so nobody closes the door to others.
Result<Done> Listener::Loop::make_room(std::optional<uid_t> uid, const std::string& peer) {
  const std::size_t most = options_.service.connections_a_user;
  const auto latest = std::chrono::steady_clock::now() - kTimeToSayWho;
  std::shared_ptr<Connection> goes;
  if (turns_.count(peer) >= most) {
    for (const auto& [number, connection] : connections_)
      if (connection->is_nobody(peer) && (!goes || connection->since() < goes->since()) &&
          (connection->since() <= latest || !connection->has_unread()))
        goes = connection;
    if (!goes)
      return Refusal{"There are " + count_of(most, "connection", "connections") +
                     " from here that have not said who they are: try again in a moment."};
    goes->dismiss(
        "Others come from where you are, and you have not said who you are: try again, and say "
        "login.");
    return Done{};
  }
  const std::size_t kept = uid == ::geteuid() ? 0 : std::min(kKeptForOwner, most_connections_ / 10);
  if (connections_.size() + kept < most_connections_) {
    // At the edge it is not told over and over.
    if (connections_.size() < most_connections_ / 10 * 9) crowded_ = false;
    return Done{};
  }
  const auto [largest, count] = turns_.largest();
  if (count > turns_.count(peer) + 1)
    for (const auto& [number, connection] : connections_)
      if (connection->party() == largest && (!goes || connection->active() < goes->active()))
        goes = connection;
  if (!std::exchange(crowded_, true))
    log("there are " + count_of(connections_.size(), "connection", "connections") +
        (goes ? ": those with most of them lose some" : ": more are sent away"));
  if (!goes) return Refusal{"There are as many connections as this server takes: try again later."};
  goes->dismiss("There are as many connections as this server takes, and " + std::to_string(count) +
                " of them are yours: end others before you try again.");
  return Done{};
}

// --- what is to be done ----------------------------------------------------------

void Listener::Loop::soon(Connection& connection) {
  if (!std::exchange(connection.marked, true)) marked_.push_back(connection.shared_from_this());
  look_after_soon();
}

void Listener::Loop::give_turns_soon() {
  if (std::exchange(giving_turns_, true)) return;
  asio::post(io_, [this] {
    giving_turns_ = false;
    give_turns();
  });
}

void Listener::Loop::give_turns() {
  const auto begun = std::chrono::steady_clock::now(), over = begun + kTurn;
  for (auto from = begun; from < over;) {
    const auto next = turns_.next();
    if (!next) return;
    const auto connection = connections_.at(*next);
    connection->take_turn(over);
    const auto until = std::chrono::steady_clock::now();
    turns_.spend(*next, until - from);
    from = until;
  }
  give_turns_soon();
}

// Behind the turns that are due already: what they ask for goes into one batch.
void Listener::Loop::look_after_soon() {
  if (std::exchange(looking_, true)) return;
  asio::post(io_, [this] {
    looking_ = false;
    look_after();
  });
}

void Listener::Loop::look_after() {
  start_work();
  for (const auto& connection : std::exchange(marked_, {})) {
    connection->marked = false;
    connection->tend();
  }
  while (unread_ > kMaxUnread && !connections_.empty()) {
    const auto most = std::max_element(
        connections_.begin(), connections_.end(),
        [](const auto& a, const auto& b) { return a.second->behind() < b.second->behind(); });
    const auto keep = most->second;
    keep->drop("all readers together are too far behind, and it the furthest");
  }
  if (const std::string why = service_.must_end(); !why.empty() && !ending_) {
    log(why);
    begin_ending();
  }
  if (ending_) end_if_done();
  else try_again_soon();
  await_due();
}

// Each kind has its own thread and one job at a time: what gathers meanwhile
// is the next batch, and passwords leave the other processors alone.
void Listener::Loop::start_work() {
  if (!hash_out_)
    if (auto job = service_.take_hash())
      do_apart(std::move(job), &HashJob::run, hashing_, hash_out_);
  // The log that ends must not be the one of a batch.
  if (!checkpoint_out_)
    if (auto checkpoint = service_.take_checkpoint())
      do_apart(std::move(checkpoint), &Checkpoint::sync, checkpointing_, checkpoint_out_);
  if (!batch_out_)
    if (auto batch = service_.take_batch())
      do_apart(std::move(batch), &Batch::sync, syncing_, batch_out_);
}

template <class Job, class Work>
void Listener::Loop::do_apart(std::unique_ptr<Job> job, Work work, asio::thread_pool& thread,
                              bool& out) {
  out = true;
  // The loop does not end before this is finished.
  asio::post(thread, [this, job = std::move(job), work, &out,
                      waits = asio::make_work_guard(io_)]() mutable {
    ((*job).*work)();
    asio::post(io_, [this, job = std::move(job), &out]() mutable {
      out = false;
      try {
        service_.finish(std::move(job));
      } catch (const std::exception& error) {
        // Of one conversation; the others go on.
        log(std::string("a fault: ") + error.what());
      }
      work_done();
    });
  });
}

void Listener::Loop::wake_held_up() {
  for (const auto& connection : std::exchange(held_up_, {})) {
    connection->listed = false;
    soon(*connection);
  }
}

void Listener::Loop::work_done() {
  wake_held_up();
  // What gathered is on its way before the answers are.
  look_after();
}

void Listener::Loop::held_up(Connection& connection) {
  if (!std::exchange(connection.listed, true)) held_up_.push_back(connection.shared_from_this());
}

void Listener::Loop::await_changes() {
  if (!changes_.is_open() || ending_) return;
  changes_.async_wait(Waiter::wait_read, [this](const error_code& error) {
    if (error || ending_) return;
    take_changes();
    await_changes();
  });
}

void Listener::Loop::take_changes() {
  try {
    service_.take_changes();
  } catch (const std::exception& problem) {
    log(std::string("what others changed could not be read: ") + problem.what());
  }
  look_after_soon();
}

void Listener::Loop::try_again_soon() {
  if (!service_.tries_again() || std::exchange(trying_again_, true)) return;
  again_timer_.expires_after(kRestBeforeAgain);
  again_timer_.async_wait([this](const error_code& error) {
    trying_again_ = false;
    if (error || ending_) return;
    take_changes();
    service_.try_saves();
    wake_held_up();
  });
}

// Answers that are kept back, and passwords whose turn comes later.
void Listener::Loop::await_due() {
  auto due = service_.due(hash_out_);
  if (const auto checkpoint = service_.log().due(); checkpoint && (!due || *checkpoint < *due))
    due = checkpoint;
  if (due == due_) return;
  due_ = due;
  due_timer_.cancel();
  if (!due) return;
  due_timer_.expires_at(*due);
  due_timer_.async_wait([this](const error_code& error) {
    if (error) return;
    due_.reset();
    answer_late();
  });
}

void Listener::Loop::answer_late(bool all) {
  try {
    service_.answer_late(all);
  } catch (const std::exception& problem) {
    log(std::string("a fault: ") + problem.what());
  }
  work_done();
}

// --- the end -----------------------------------------------------------------------

void Listener::Loop::await_signal() {
  if (!options_.signals) return;
  signals_.async_wait([this](const error_code& error, int number) {
    if (error) return;
    log(std::string("ends: ") + ::strsignal(number));
    begin_ending();
  });
}

void Listener::Loop::begin_ending() {
  if (std::exchange(ending_, true)) return;
  for (const auto& entrance : entrances_) {
    entrance->waiter.let_go();
    entrance->door.close();
    entrance->rest.cancel();
  }
  signals_.cancel();
  changes_.let_go();
  again_timer_.cancel();
  service_.try_saves(true);
  ending_timer_.expires_after(kMaxEnding);
  ending_timer_.async_wait([this](const error_code& error) {
    if (error) return;
    too_late_ = true;
    end_if_done();
  });
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [number, connection] : connections_) all.push_back(connection);
  for (const auto& connection : all) connection->finish();
  answer_late(true);
  look_after_soon();
}

// What is being written is waited for; passwords and slow readers only for so long.
void Listener::Loop::end_if_done() {
  if (too_late_)
    while (!connections_.empty()) {
      const auto connection = connections_.begin()->second;
      connection->drop("the server ends");
    }
  if (connections_.empty()) ending_timer_.cancel();
}

// --- outside -------------------------------------------------------------------------

Listener::Listener(ListenOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}
Listener::~Listener() = default;
std::vector<ServerAddress> Listener::addresses() const { return loop_->addresses(); }
bool Listener::run() { return loop_->run(); }
void Listener::stop() { loop_->stop(); }

}  // namespace pbm
