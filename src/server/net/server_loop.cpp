// SPDX-License-Identifier: MIT
#include "server/net/server_loop.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pbm {

using namespace std::chrono_literals;

namespace {

constexpr auto kRoundTime = 2ms;  // for lines, before their changes are committed and sent
constexpr std::size_t kMaxEventsARound = 256;
constexpr std::uint64_t kBellNumber = Acceptor::kFirstOther,
                        kSignalsNumber = Acceptor::kFirstOther + 1;

}  // namespace

ServerLoop::ServerLoop(ListenOptions options)
    : options_(std::move(options)),
      service_(options_.service),
      host_{service_, options_.limits},
      acceptor_(host_, options_) {
  for (const std::string& warning : service_.warnings()) service_.log_event(warning);
  acceptor_.listen();
  std::error_code none;
  for (const ServerAddress& address : addresses())
    if (!address.socket_path.empty())
      service_.notifier.set_reply_socket(
          std::filesystem::absolute(address.socket_path, none).string());
  host_.sockets.add(bell_.get(), kBellNumber, EPOLLIN);
  if (!options_.handles_signals) return;
  signals_.emplace();
  host_.sockets.add(signals_->descriptor(), kSignalsNumber, EPOLLIN);
}

bool ServerLoop::run() {
  acceptor_.start();
  while (!shutdown_deadline_ || !host_.connections.empty()) {
    // After any error the next round still comes.
    run_guarded([this] { run_round(); });
  }
  if (sync_job_.is_busy()) {
    sync_job_.worker.wait();
    run_guarded([this] { finish_job(sync_job_); });
  }
  service_.run_due_work(true);
  return service_.fatal_error().empty();
}

void ServerLoop::run_guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    service_.log_event(std::string("error: ") + error.what());
    // The error concerns one connection at most: all of them go on.
    for (const auto& [number, connection] : host_.connections) connection->schedule_update();
  }
}

void ServerLoop::run_round() {
  handle_events();
  run_guarded([this] { run_due_work(std::chrono::steady_clock::now()); });
  run_guarded([this] { take_lines(); });
  service_.commit();
  start_jobs();
  update_connections();
  for (const std::string& trouble : service_.take_errors()) service_.log_event(trouble);
  check_shutdown();
}

// Returns the milliseconds until something is due.
int ServerLoop::wait_milliseconds() {
  if (!host_.to_update.empty() || !host_.scheduler.empty()) return 0;
  SteadyTime due = service_.next_clock_check();
  const auto also = [&](std::optional<SteadyTime> at) {
    if (at && *at < due) due = *at;
  };
  also(service_.next_due(hash_job_.is_busy()));
  if (!notification_job_.is_busy() && !shutdown_deadline_) also(service_.next_notification_due());
  also(service_.sync_due());
  also(shutdown_deadline_);
  if (!host_.alarms.empty()) also(host_.alarms.begin()->first);
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(due - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(wait.count(), 0, 60'000));
}

void ServerLoop::handle_events() {
  std::array<epoll_event, kMaxEventsARound> room;
  for (const epoll_event& event : host_.sockets.wait_for_events(room, wait_milliseconds())) {
    const std::uint64_t number = event.data.u64;  // epoll_event is packed: no reference to a member
    if (number == kBellNumber) {
      bell_.clear();
    } else if (number == kSignalsNumber) {
      if (const int signal = signals_->take_next(); signal != 0 && !shutdown_deadline_) {
        service_.log_event(std::string("stopping: ") + ::strsignal(signal));
        begin_shutdown();
      }
    } else {
      acceptor_.handle_events(number, event.events);
    }
  }
}

void ServerLoop::run_due_work(SteadyTime now) {
  finish_job(sync_job_);
  finish_job(notification_job_);
  finish_job(hash_job_);
  while (!host_.alarms.empty() && host_.alarms.begin()->first <= now) {
    const std::uint64_t number = host_.alarms.begin()->second;
    host_.alarms.erase(host_.alarms.begin());
    acceptor_.handle_alarm(number, now);
  }
  service_.connections.send_late_replies(service_.moment(), false);
  service_.check_clocks();
}

void ServerLoop::take_lines() {
  FairScheduler& turns = host_.scheduler;
  if (turns.empty()) return;
  const auto begun = std::chrono::steady_clock::now(), over = begun + kRoundTime;
  for (auto from = begun; from < over;) {
    const auto next = turns.next();
    if (!next) return;
    const auto connection = host_.connections.at(*next);
    connection->take_lines(over);
    const auto until = std::chrono::steady_clock::now();
    turns.add_time(*next, until - from);
    from = until;
  }
}

void ServerLoop::start_jobs() {
  if (!hash_job_.is_busy()) hash_job_.start(service_.take_hash());
  if (!sync_job_.is_busy()) sync_job_.start(service_.take_sync());
  if (!notification_job_.is_busy() && !shutdown_deadline_)
    notification_job_.start(service_.notifier.take_due());
}

void ServerLoop::update_connections() {
  for (const auto& connection : std::exchange(host_.to_update, {})) {
    connection->is_scheduled = false;
    connection->update();
  }
  while (host_.unsent_bytes > kMaxUnsentBytes && !host_.connections.empty()) {
    const auto most = std::ranges::max_element(host_.connections, [](const auto& a, const auto& b) {
      return a.second->unsent_bytes() < b.second->unsent_bytes();
    });
    const auto keep = most->second;
    keep->drop("unread data fills the memory, and this connection has the most");
  }
}

// --- the end -----------------------------------------------------------------------

void ServerLoop::check_shutdown() {
  if (shutdown_deadline_) {
    // Waits for passwords and slow readers only until `*shutdown_deadline_`.
    if (*shutdown_deadline_ <= std::chrono::steady_clock::now())
      while (!host_.connections.empty()) {
        const auto connection = host_.connections.begin()->second;
        connection->drop("the server stops");
      }
    return;
  }
  if (const std::string why = service_.fatal_error(); !why.empty()) {
    service_.log_event(why);
    begin_shutdown();
  } else if (stop_requested_) {
    begin_shutdown();
  }
}

void ServerLoop::begin_shutdown() {
  if (shutdown_deadline_) return;
  shutdown_deadline_ = std::chrono::steady_clock::now() + kMaxShutdownTime;
  acceptor_.close();
  service_.notifier.stop();
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [number, connection] : host_.connections) all.push_back(connection);
  for (const auto& connection : all) connection->stop_reading();
  service_.connections.send_late_replies(service_.moment(), true);
}

}  // namespace pbm
