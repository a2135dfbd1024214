// SPDX-License-Identifier: MIT
#include "boards/engine_process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace pbm {
namespace {

using namespace std::chrono;

constexpr milliseconds kStartTimeout{10'000},
    kReadyTimeout{120'000};                    // it may have to make a table
constexpr milliseconds kAnswerTimeout{5'000};  // after its time for the ply, or "stop"
constexpr milliseconds kPollInterval{20};      // how often to check for a stop
constexpr std::size_t kMaxAnswerBytes = std::size_t{1} << 20;  // bytes of one answer

}  // namespace

void EngineProcess::fail(const std::string& what) {
  kill();
  throw Error("The engine " + fit(command_, 40) + " " + what + ".");
}

void EngineProcess::kill() {
  start_time_ = SteadyTime{};
  if (process_ <= 0) return;
  guard_ = GroupGuard();
  ::kill(-process_, SIGKILL);  // its group: also the programs that it started
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  socket_ = UniqueFd();
  input_.clear();
}

// --- send and receive lines ---------------------------------------------------------

void EngineProcess::send_line(const std::string& line) {
  const std::string bytes = line + "\n";
  const auto until = steady_clock::now() + kAnswerTimeout;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) sent += static_cast<std::size_t>(n);
    else if (errno != EAGAIN && errno != EINTR) fail("has ended");
    else if (drop_token_.stop_requested()) fail("is not needed any more");
    else if (steady_clock::now() > until) fail("does not read its input");
    else {
      pollfd room{socket_.get(), POLLOUT, 0};
      ::poll(&room, 1, static_cast<int>(kPollInterval.count()));
    }
  }
}

std::chrono::nanoseconds EngineProcess::time_getting_ready() const {
  const SteadyTime since = start_time_;
  return since == SteadyTime{} ? 0ns : steady_clock::now() - since;
}

std::vector<std::string> EngineProcess::read_until(std::string_view word, milliseconds patience,
                                                   const std::stop_token& stop) {
  std::vector<std::string> out;
  std::size_t said = 0;
  auto until = steady_clock::now() + patience;
  for (bool stopped = false;;) {
    for (std::size_t end; (end = input_.find('\n')) != std::string::npos;) {
      out.emplace_back(trim(std::string_view(input_).substr(0, end)));
      input_.erase(0, end + 1);
      const auto all = split_words(out.back());
      if (!all.empty() && all.front() == word) return out;
    }
    if (said > kMaxAnswerBytes) fail("sends too much");
    if (drop_token_.stop_requested()) fail("is not needed any more");
    if (stop.stop_requested() && !std::exchange(stopped, true)) {
      send_line("stop");
      until = std::min<SteadyTime>(until, steady_clock::now() + kAnswerTimeout);
    }
    if (steady_clock::now() > until) fail("does not answer");
    pollfd input{socket_.get(), POLLIN, 0};
    if (::poll(&input, 1, static_cast<int>(kPollInterval.count())) <= 0) continue;
    std::array<char, 4096> bytes;
    const ssize_t n = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) fail("has ended");
    if (n > 0) {
      input_.append(bytes.data(), static_cast<std::size_t>(n));
      said += static_cast<std::size_t>(n);
    }
  }
}

// --- the protocol --------------------------------------------------------------------

void EngineProcess::await_ready() {
  if (start_time_.load() == SteadyTime{}) start_time_ = steady_clock::now();
  send_line("isready");
  read_until("readyok", kReadyTimeout);
  start_time_ = SteadyTime{};
}

void EngineProcess::start(const Match& match, int level) {
  if (process_ > 0 && game_ == &match.game() && options_ == match.options() &&
      seats_ == match.seats()) {
    set_level(level);
    // Its late answers to an earlier question end here.
    await_ready();
    return;
  }
  kill();
  start_time_ = steady_clock::now();
  std::array<int, 2> pair;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0)
    fail(std::string("cannot be started: ") + std::strerror(errno));
  socket_ = UniqueFd(pair[0]);
  UniqueFd theirs(pair[1]);
  const int error = start_program(process_, split_words(command_), theirs.get(), theirs.get());
  theirs = UniqueFd();  // so that a read sees the end of the program
  if (error != 0) {
    process_ = 0;
    fail(std::string("cannot be started: ") + std::strerror(error));
  }
  guard_ = GroupGuard(process_);
  game_ = nullptr;

  send_line("ugi");
  std::vector<std::string> known;  // names of its options
  for (const std::string& line : read_until("ugiok", kStartTimeout))
    if (const auto said = split_words(line);
        said.size() > 2 && said[0] == "option" && said[1] == "name")
      known.push_back(lower(said[2]));
  const auto set = [&](const std::string& name, const std::string& value) {
    const bool there = std::ranges::find(known, name) != known.end();
    if (there) send_line("setoption name " + name + " value " + value);
    return there;
  };
  for (const Options::Item& item : match.options().items)
    if (!set(item.name, item.value.empty() ? "true" : item.value))
      fail("does not support -" + item.name);
  if (!set("seats", std::to_string(match.seats())) && match.seats() != 2)
    fail("does not support " + std::to_string(match.seats()) + " seats");
  level_ = std::ranges::find(known, "level") == known.end() ? std::nullopt : std::optional(0);
  set_level(level);
  await_ready();
  game_ = &match.game();
  options_ = match.options();
  seats_ = match.seats();
  last_position_.clear();
}

void EngineProcess::set_level(int level) {
  if (level_ && std::exchange(level_, level) != level)
    send_line("setoption name level value " + std::to_string(level));
}

SearchResult EngineProcess::think(const Match& match, const SearchRequest& question,
                                  const std::stop_token& dropped) {
  drop_token_ = dropped;
  for (Seat seat = 0; seat < match.seats(); ++seat)
    if (!match.is_playing(seat)) fail("cannot play on after a player has resigned");
  start(match, question.level);
  std::string position = "position startpos";
  for (std::size_t i = 0; i < match.plies().size(); ++i)
    position += (i == 0 ? " moves " : " ") + match.plies()[i].text;
  const std::string before = std::exchange(last_position_, position + " ");
  if (before.empty() || !last_position_.starts_with(before)) send_line("uginewgame");
  send_line(position);
  const milliseconds time = question.limits.time > 0ms ? question.limits.time : milliseconds(1000);
  send_line("go movetime " + std::to_string(time.count()));
  const auto said =
      split_words(read_until("bestmove", time + kAnswerTimeout, question.stop_token).back());
  const std::string ply = said.size() > 1 ? said[1] : "";
  const auto meant = match.position().parse(ply);
  if (!meant) fail("plays '" + fit(ply, 20) + "', which is not legal here");
  SearchResult out;
  out.lines.push_back({*meant, {}, {*meant}, {}});
  return out;
}

}  // namespace pbm
