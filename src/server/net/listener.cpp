// SPDX-License-Identifier: MIT
#include "server/net/listener.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pbm {

using namespace std::chrono_literals;

namespace {

constexpr auto kTurn = 2ms;  // for lines, before their changes are committed and sent
constexpr std::size_t kReadyATurn = 256;
constexpr std::uint64_t kBell = Reception::kOthers, kSignals = Reception::kOthers + 1;

}  // namespace

Listener::Listener(ListenOptions options)
    : options_(std::move(options)),
      service_(options_.service),
      host_{service_, options_.limits},
      reception_(host_, options_) {
  for (const std::string& warning : service_.warnings()) service_.note(warning);
  reception_.listen();
  std::error_code none;
  for (const ServerAddress& address : addresses())
    if (!address.socket.empty())
      service_.messenger.listens_on(std::filesystem::absolute(address.socket, none).string());
  host_.sockets.add(bell_.get(), kBell, EPOLLIN);
  if (!options_.signals) return;
  signals_.emplace();
  host_.sockets.add(signals_->descriptor(), kSignals, EPOLLIN);
}

bool Listener::run() {
  reception_.open();
  while (!ending_ || !host_.connections.empty()) {
    // After any error the next round still comes.
    guarded([this] { turn(); });
  }
  if (syncing_.out()) {
    syncing_.worker.wait();
    guarded([this] { finish(syncing_); });
  }
  service_.settle(true);
  return service_.must_end().empty();
}

void Listener::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    service_.note(std::string("a fault: ") + error.what());
    // The error concerns one connection at most: all of them go on.
    for (const auto& [number, connection] : host_.connections) connection->soon();
  }
}

void Listener::turn() {
  take_events();
  guarded([this] { do_what_is_due(std::chrono::steady_clock::now()); });
  guarded([this] { give_turns(); });
  service_.end_turn();
  begin_jobs();
  tend();
  for (const std::string& trouble : service_.take_troubles()) service_.note(trouble);
  see_whether_to_end();
}

// Returns the milliseconds until something is due.
int Listener::patience() {
  if (!host_.marked.empty() || !host_.turns.empty()) return 0;
  Moment due = service_.next_look();
  const auto also = [&](std::optional<Moment> at) {
    if (at && *at < due) due = *at;
  };
  also(service_.due(hashing_.out()));
  if (!telling_.out() && !ending_) also(service_.notice_due());
  also(service_.sync_due());
  also(ending_);
  if (!host_.alarms.empty()) also(host_.alarms.begin()->first);
  const auto wait =
      std::chrono::ceil<std::chrono::milliseconds>(due - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::chrono::milliseconds::rep>(wait.count(), 0, 60'000));
}

void Listener::take_events() {
  std::array<epoll_event, kReadyATurn> room;
  for (const epoll_event& event : host_.sockets.take(room, patience())) {
    const std::uint64_t number = event.data.u64;  // epoll_event is packed: no reference to a member
    if (number == kBell) {
      bell_.clear();
    } else if (number == kSignals) {
      if (const int signal = signals_->take(); signal != 0 && !ending_) {
        service_.note(std::string("ends: ") + ::strsignal(signal));
        begin_ending();
      }
    } else {
      reception_.ready(number, event.events);
    }
  }
}

void Listener::do_what_is_due(Moment now) {
  finish(syncing_);
  finish(telling_);
  finish(hashing_);
  while (!host_.alarms.empty() && host_.alarms.begin()->first <= now) {
    const std::uint64_t number = host_.alarms.begin()->second;
    host_.alarms.erase(host_.alarms.begin());
    reception_.time_passed(number, now);
  }
  service_.connections.answer_late(service_.moment(), false);
  service_.look_at_clocks();
}

void Listener::give_turns() {
  Turns& turns = host_.turns;
  if (turns.empty()) return;
  const auto begun = std::chrono::steady_clock::now(), over = begun + kTurn;
  for (auto from = begun; from < over;) {
    const auto next = turns.next();
    if (!next) return;
    const auto connection = host_.connections.at(*next);
    connection->take_turn(over);
    const auto until = std::chrono::steady_clock::now();
    turns.spend(*next, until - from);
    from = until;
  }
}

void Listener::begin_jobs() {
  if (!hashing_.out()) hashing_.begin(service_.take_hash());
  if (!syncing_.out()) syncing_.begin(service_.take_sync());
  if (!telling_.out() && !ending_) telling_.begin(service_.messenger.take());
}

void Listener::tend() {
  for (const auto& connection : std::exchange(host_.marked, {})) {
    connection->marked = false;
    connection->tend();
  }
  while (host_.unread > kMaxUnread && !host_.connections.empty()) {
    const auto most = std::ranges::max_element(host_.connections, [](const auto& a, const auto& b) {
      return a.second->behind() < b.second->behind();
    });
    const auto keep = most->second;
    keep->drop("all readers together are too far behind, and it the furthest");
  }
}

// --- the end -----------------------------------------------------------------------

void Listener::see_whether_to_end() {
  if (ending_) {
    // Waits for passwords and slow readers only until `*ending_`.
    if (*ending_ <= std::chrono::steady_clock::now())
      while (!host_.connections.empty()) {
        const auto connection = host_.connections.begin()->second;
        connection->drop("the server ends");
      }
    return;
  }
  if (const std::string why = service_.must_end(); !why.empty()) {
    service_.note(why);
    begin_ending();
  } else if (service_.drained()) {
    service_.note("ends: everybody has left");
    begin_ending();
  } else if (stop_) {
    begin_ending();
  }
}

void Listener::begin_ending() {
  if (ending_) return;
  ending_ = std::chrono::steady_clock::now() + kMaxEnding;
  reception_.close();
  service_.messenger.stop();
  std::vector<std::shared_ptr<Connection>> all;
  for (const auto& [number, connection] : host_.connections) all.push_back(connection);
  for (const auto& connection : all) connection->finish();
  service_.connections.answer_late(service_.moment(), true);
}

}  // namespace pbm
