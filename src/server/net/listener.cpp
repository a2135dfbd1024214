// SPDX-License-Identifier: MIT
#include "server/net/listener.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <cstring>

#include "base/text.hpp"
#include "server/net/reception.hpp"

namespace pbm {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr auto kTurn =
    2ms;  // before others come: between two of these sockets, signals and the disk are seen to
constexpr auto kRestBeforeAgain = 20ms;  // before the next look at saves that others were writing

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
    asio::post(io_, [this] { begin_ending(); });
  }
  std::vector<ServerAddress> addresses() const { return reception_.addresses(); }

  Service& service() override { return service_; }
  void soon(Connection& connection) override;
  void wants_turn(Connection& connection) override {
    reception_.turns().ask(connection.number());
    work_soon();
  }
  void held_up(Connection& connection) override;
  void changed_party(Connection& connection) override {
    reception_.turns().belong(connection.number(), connection.party());
  }
  void gone(Connection& connection) override {
    reception_.leave(connection);
    if (ending_) work_soon();  // it may have been the last one
  }
  void log(const std::string& event) override {
    if (options_.log) options_.log(safe_text(event));
  }
  void unread(std::ptrdiff_t change) override { unread_ += change; }

 private:
  void await_sockets();
  void await_changes();
  void take_changes();
  void try_again_soon();
  void await_due();
  void answer_late(bool all = false);
  void await_signal();
  void go_round();
  void work_soon();
  bool give_turns();
  void look_after();
  void start_work();
  void start_checkpoint();
  // Has `work` done for a job on another thread, and `out` set meanwhile.
  template <class Job, class Work>
  void do_apart(std::unique_ptr<Job> job, Work work, asio::thread_pool& thread, bool& out);
  template <class Job>
  void finish(std::unique_ptr<Job> job);
  void wake_held_up();
  void work_done();
  void begin_ending();
  void end_if_done();

  ListenOptions options_;
  asio::io_context io_{1};
  Service service_;
  Reception reception_;
  Waiter sockets_{io_}, changes_{io_};
  asio::signal_set signals_{io_};
  asio::steady_timer ending_timer_{io_}, again_timer_{io_}, due_timer_{io_};
  std::vector<std::shared_ptr<Connection>> marked_, held_up_;
  std::ptrdiff_t unread_ = 0;
  std::optional<Moment> due_;  // what due_timer_ waits for
  bool round_comes_ = false, giving_turns_ = false, hash_out_ = false, batch_out_ = false,
       checkpoint_out_ = false, notice_out_ = false, ending_ = false, too_late_ = false,
       trying_again_ = false;
  // Destroyed first: nothing may run that uses the rest.
  asio::thread_pool hashing_{1}, syncing_{1}, checkpointing_{1}, telling_{1};
};

Listener::Loop::Loop(ListenOptions options)
    : options_(std::move(options)), service_(with_log(options_)), reception_(io_, *this, options_) {
  for (const std::string& warning : service_.warnings()) log(warning);
  reception_.listen();
  sockets_.assign(reception_.sockets().get());
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
  telling_.join();
  marked_.clear();
  held_up_.clear();
}

bool Listener::Loop::run() {
  reception_.open();
  await_sockets();
  await_changes();
  await_signal();
  work_soon();
  for (;;) {
    try {
      io_.run();
      break;
    } catch (const std::exception& error) {
      // One turn went wrong; what it left behind is looked after.
      log(std::string("a fault: ") + error.what());
      giving_turns_ = false;
      work_soon();
      if (!sockets_.is_open()) continue;
      sockets_.cancel();
      await_sockets();
    }
  }
  service_.settle();
  return service_.must_end().empty();
}

// --- what is to be done ----------------------------------------------------------

void Listener::Loop::soon(Connection& connection) {
  if (!std::exchange(connection.marked, true)) marked_.push_back(connection.shared_from_this());
  work_soon();
}

void Listener::Loop::work_soon() {
  if (giving_turns_ || std::exchange(round_comes_, true)) return;
  asio::post(io_, [this] {
    round_comes_ = false;
    go_round();
  });
}

// What is asked for in the turns that are due goes into one batch.
void Listener::Loop::go_round() {
  giving_turns_ = true;
  reception_.take_ready();
  const bool more = give_turns();
  giving_turns_ = false;
  look_after();
  if (more) work_soon();
}

// Whether others want one still.
bool Listener::Loop::give_turns() {
  Turns& turns = reception_.turns();
  if (turns.empty()) return false;
  take_changes();  // that came before the lines did
  const auto begun = std::chrono::steady_clock::now(), over = begun + kTurn;
  for (auto from = begun; from < over;) {
    const auto next = turns.next();
    if (!next) return false;
    const auto connection = reception_.connections().at(*next);
    connection->take_turn(over);
    const auto until = std::chrono::steady_clock::now();
    turns.spend(*next, until - from);
    from = until;
  }
  return true;
}

void Listener::Loop::look_after() {
  start_work();
  service_.let_go(ending_);
  for (const auto& connection : std::exchange(marked_, {})) {
    connection->marked = false;
    connection->tend();
  }
  while (unread_ > kMaxUnread && !reception_.connections().empty()) {
    const auto most = std::max_element(
        reception_.connections().begin(), reception_.connections().end(),
        [](const auto& a, const auto& b) { return a.second->behind() < b.second->behind(); });
    const auto keep = most->second;
    keep->drop("all readers together are too far behind, and it the furthest");
  }
  if (const std::string why = service_.must_end(); !why.empty() && !ending_) {
    log(why);
    begin_ending();
  }
  if (service_.drained() && !ending_) {
    log("ends: everybody has left");
    begin_ending();
  }
  if (ending_) end_if_done();
  else try_again_soon();
  await_due();
}

// Each kind has its own thread and one job at a time: what gathers meanwhile is the next batch, and
// passwords leave the other processors alone. What a quick disk does is waited for here.
void Listener::Loop::start_work() {
  if (!hash_out_)
    if (auto job = service_.take_hash())
      do_apart(std::move(job), &HashJob::run, hashing_, hash_out_);
  if (!notice_out_ && !ending_)
    if (auto job = service_.take_notice())
      do_apart(std::move(job), &NoticeJob::run, telling_, notice_out_);
  // The log that ends must not be the one of a batch.
  start_checkpoint();
  auto batch = service_.take_batch();
  for (const std::string& trouble : service_.take_troubles()) log(trouble);
  if (!batch) {
    if (service_.wants_batch() && !batch_out_) work_soon();
    return;
  }
  if (!service_.log().quick())
    return do_apart(std::move(batch), &Batch::sync, syncing_, batch_out_);
  batch->sync();
  finish(std::move(batch));
  wake_held_up();
  start_checkpoint();
  if (service_.wants_batch()) work_soon();  // what follows from it is synced when it is answered
}

void Listener::Loop::start_checkpoint() {
  if (checkpoint_out_) return;
  if (auto checkpoint = service_.take_checkpoint())
    do_apart(std::move(checkpoint), &Checkpoint::sync, checkpointing_, checkpoint_out_);
}

template <class Job>
void Listener::Loop::finish(std::unique_ptr<Job> job) {
  try {
    service_.finish(std::move(job));
    for (const std::string& trouble : service_.take_troubles()) log(trouble);
  } catch (const std::exception& error) {
    // Of one conversation; the others go on.
    log(std::string("a fault: ") + error.what());
  }
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
      finish(std::move(job));
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

void Listener::Loop::await_sockets() {
  sockets_.async_wait(Waiter::wait_read, [this](const error_code& error) {
    if (error) return;
    go_round();
    await_sockets();
  });
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
  work_soon();
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
  const auto notice = notice_out_ || ending_ ? std::nullopt : service_.notice_due();
  for (const auto& more :
       {service_.log().due(), service_.store().due(), notice, std::optional(service_.next_look())})
    if (more && (!due || *more < *due)) due = more;
  // A server that ends syncs all there is without being told when.
  if (ending_ && reception_.connections().empty()) due.reset();
  if (due && due == due_) return;
  due_ = due;
  // Even where nothing is waited for as far as is known: the loop ends when no timer is left.
  due_timer_.cancel();
  if (!due) return;
  due_timer_.expires_at(*due);
  due_timer_.async_wait([this, at = *due](const error_code& error) {
    // It may have expired before it was set anew, and come only now.
    if (error || due_ != at) return;
    due_.reset();
    answer_late();
  });
}

void Listener::Loop::answer_late(bool all) {
  try {
    service_.answer_late(all);
    service_.look_at_clocks();
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
  reception_.close();
  signals_.cancel();
  changes_.let_go();
  again_timer_.cancel();
  service_.stop_telling();
  service_.try_saves(true);
  ending_timer_.expires_after(kMaxEnding);
  ending_timer_.async_wait([this](const error_code& error) {
    if (error) return;
    too_late_ = true;
    work_soon();
  });
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [number, connection] : reception_.connections()) all.push_back(connection);
  for (const auto& connection : all) connection->finish();
  answer_late(true);
  work_soon();
}

// What is being written is waited for; passwords and slow readers only for so long.
void Listener::Loop::end_if_done() {
  if (too_late_)
    while (!reception_.connections().empty()) {
      const auto connection = reception_.connections().begin()->second;
      connection->drop("the server ends");
    }
  if (!reception_.connections().empty()) return;
  ending_timer_.cancel();
  sockets_.let_go();
}

// --- outside -------------------------------------------------------------------------

Listener::Listener(ListenOptions options) : loop_(std::make_unique<Loop>(std::move(options))) {}
Listener::~Listener() = default;
std::vector<ServerAddress> Listener::addresses() const { return loop_->addresses(); }
bool Listener::run() { return loop_->run(); }
void Listener::stop() { loop_->stop(); }

}  // namespace pbm
