// SPDX-License-Identifier: MIT
// Measures how many plies a second the server acknowledges, each on disk. Compares it with Redis
// under appendfsync always (as many small writes from as many connections on the same disk in the
// same run), and with the least work that could do so. Then measures memory and start with many
// boards, and the waiting times of a club of people. Arguments choose parts: plies, size, club.
// PBM_BENCH_DIR names the working directory; the default is a new one below /var/tmp.
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kMeasureTime = 3s;    // for each measurement
constexpr int kPieceCount = 6;       // the pieces of a measurement
constexpr int kPliesPerBoard = 276;  // a 14x20 board has 280 squares; rows of one letter never win

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}
double ms_since(Clock::time_point from) {
  return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

// --- programs ------------------------------------------------------------------

class ChildProgram {
 public:
  // Forks this program to do `work`.
  explicit ChildProgram(const std::function<void()>& work) {
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ == 0) work();
  }
  ChildProgram(const std::vector<std::string>& words, const fs::path& log) {
    pid_ = ::fork();
    if (pid_ < 0) fail("fork");
    if (pid_ > 0) return;
    std::vector<char*> pointers;
    for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(out, 1);
    ::dup2(out, 2);
    ::execvp(pointers[0], pointers.data());
    ::_exit(127);
  }
  ~ChildProgram() { stop(); }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  void stop() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  }
  long kilobytes(const std::string& field) const {
    return read_proc_number("/proc/" + std::to_string(pid_) + "/status", field);
  }
  double cpu_seconds() const {
    std::ifstream in("/proc/" + std::to_string(pid_) + "/stat");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    long user = 0, system = 0;
    std::sscanf(text.substr(text.rfind(')')).c_str(),
                ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system);
    return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  static long read_proc_number(const std::string& file, const std::string& field) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
      if (line.rfind(field + ":", 0) == 0) return std::atol(line.c_str() + field.size() + 1);
    return 0;
  }
  pid_t pid_ = 0;
};

// --- one connection ---------------------------------------------------------------

class Connection {
 public:
  explicit Connection(const fs::path& socket)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::strncpy(name.sun_path, socket.c_str(), sizeof name.sun_path - 1);
    for (int i = 0; ::connect(fd_, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0; ++i) {
      if (i == 2000) fail("connect to " + socket.string());
      std::this_thread::sleep_for(5ms);
    }
  }
  Connection(Connection&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), input_(std::move(other.input_)) {}
  Connection& operator=(Connection&&) = delete;
  ~Connection() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }
  void send(const std::string& text) {
    if (::send(fd_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      fail("send");
  }
  // Reads what has arrived. Returns it if it ends with `end`, else "" and keeps it.
  std::string read_until(const std::string& end) {
    std::array<char, 65536> bytes;
    const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (n <= 0) fail("the server closed");
    input_.append(bytes.data(), static_cast<std::size_t>(n));
    if (input_.size() < end.size() ||
        input_.compare(input_.size() - end.size(), end.size(), end) != 0)
      return "";
    return std::exchange(input_, "");
  }
  // Reads what has arrived. Returns a complete reply without events, or "".
  std::string read_reply() {
    std::array<char, 65536> bytes;
    const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
    if (n <= 0) fail("the server closed");
    input_.append(bytes.data(), static_cast<std::size_t>(n));
    std::string out;
    for (std::size_t at = 0, end; (end = input_.find('\n', at)) != std::string::npos;
         at = end + 1) {
      const std::string line = input_.substr(at, end - at);
      if (out.empty() && line.rfind("* ", 0) == 0) {
        input_.erase(at, end + 1 - at);
        end = at - 1;
        continue;
      }
      out += line + "\n";
      if (line != ".") continue;
      input_.erase(0, end + 1);
      return out;
    }
    return "";
  }
  std::string ask(const std::string& line) {
    send(line + "\n");
    for (;;)
      if (std::string said = read_reply(); !said.empty()) return said;
  }
  void require_ok(const std::string& line) {
    const std::string said = ask(line);
    if (said.rfind("+OK", 0) != 0) throw std::runtime_error(line + ": " + said);
  }

 private:
  int fd_;
  std::string input_;
};

// --- a load -------------------------------------------------------------------------

struct Load {
  std::vector<Connection>& connections;
  std::string reply_end;  // the end of every reply
  std::function<std::string(std::size_t connection)> next_request;
  std::function<bool(const std::string&)> is_good_reply;
};

struct Measurement {
  double per_second, median, p99;
};

// The result of one piece of a measurement.
struct Piece {
  std::vector<double> times;
  double seconds = 0;
};

// Lets `connections` connections send requests for `time` and wait for each reply: all at the same
// time, or with `in_turn` one after the other, for a single board.
Piece measure(const Load& load, std::size_t connections, bool in_turn, Clock::duration time) {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<Clock::time_point> asked(connections);
  std::vector<double> times;
  const auto ask = [&](std::size_t i) {
    asked[i] = Clock::now();
    load.connections[i].send(load.next_request(i));
  };
  for (std::size_t i = 0; i < connections; ++i) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, load.connections[i].fd(), &event);
  }
  const auto start = Clock::now();
  std::size_t out = in_turn ? 1 : connections;
  for (std::size_t i = 0; i < out; ++i) ask(i);
  while (out > 0) {
    std::array<epoll_event, 256> events;
    const int n = ::epoll_wait(poll, events.data(), events.size(), 30'000);
    if (n == 0) throw std::runtime_error("nothing came for half a minute");
    for (int e = 0; e < n; ++e) {
      const auto i = static_cast<std::size_t>(events[static_cast<std::size_t>(e)].data.u64);
      const std::string said = load.connections[i].read_until(load.reply_end);
      if (said.empty()) continue;
      if (!load.is_good_reply(said))
        throw std::runtime_error("not acknowledged: " + said.substr(0, 200));
      times.push_back(ms_since(asked[i]));
      if (Clock::now() - start < time) ask(in_turn ? (i + 1) % connections : i);
      else --out;
    }
  }
  ::close(poll);
  return {std::move(times), ms_since(start) / 1000};
}

// Measures three loads for kMeasureTime each, in alternating pieces because the speed of a disk
// varies from second to second.
using Measurements = std::array<Measurement, 3>;
Measurements measure_in_pieces(const std::array<std::function<Piece(Clock::duration)>, 3>& work) {
  std::array<Piece, 3> sums;
  for (int i = 0; i < kPieceCount; ++i)
    for (std::size_t w = 0; w < work.size(); ++w) {
      const Piece piece = work[w](Clock::duration(kMeasureTime) / kPieceCount);
      sums[w].times.insert(sums[w].times.end(), piece.times.begin(), piece.times.end());
      sums[w].seconds += piece.seconds;
    }
  Measurements out;
  for (std::size_t w = 0; w < work.size(); ++w) {
    std::vector<double>& times = sums[w].times;
    std::sort(times.begin(), times.end());
    out[w] = {static_cast<double>(times.size()) / sums[w].seconds, times[times.size() / 2],
              times[times.size() * 99 / 100]};
  }
  return out;
}

// --- the parts of the report ------------------------------------------------------------

std::string program_path() {
  const char* named = std::getenv("PBM_PROGRAM");
  return named && *named ? named : "build/pbmplay";
}

void write_boards(const fs::path& directory, int from, int count, const std::string& options,
                  int plies, const std::array<std::string, 2>& seats = {"fred", "wilma"},
                  bool over = false) {
  fs::create_directories(directory);
  for (int i = 0; i < count; ++i) {
    std::ofstream out(directory / ("toot-" + std::to_string(from + i) + ".yaml"));
    out << "format: 1\ngame: toot\noptions: [" << options << "]\nseats: [" << seats[0] << ", "
        << seats[1] << "]\nstarted: 2026-11-21T12:00:00Z\nplies:\n";
    for (int p = 0; p < plies; ++p)
      out << "- {move: " << static_cast<char>('A' + p / 2) << "T, at: 2026-11-21T12:00:00Z}\n";
    if (over) out << "- {move: resign, seat: 1, at: 2026-11-21T12:00:00Z}\n";
  }
}

// A board on which both players move in turn.
struct Played {
  int board, plies = 0;
  std::string next_command() {
    // Fills row by row; the columns go from A to N.
    const char column = static_cast<char>('A' + plies % 14);
    const char* user = plies % 2 == 0 ? "fred *" : "wilma secretly";
    ++plies;
    // Each letter fills half of the squares: ten rows of T, ten of O.
    return "toot move " + std::to_string(board) + " " + user + " " + column +
           (plies <= 140 ? "T\n" : "O\n");
  }
};

class Scratch {
 public:
  Scratch() {
    const char* named = std::getenv("PBM_BENCH_DIR");
    std::string made =
        (named && *named ? std::string(named) : "/var/tmp") + "/pbmplay-bench-XXXXXX";
    if (!::mkdtemp(made.data())) fail(made);
    path_ = made;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  std::string file_system() const {
    struct statfs status {};
    ::statfs(path_.c_str(), &status);
    const auto type = static_cast<unsigned long>(status.f_type);
    const std::string name = type == 0xEF53       ? "ext4"
                             : type == 0x58465342 ? "xfs"
                             : type == 0x9123683E ? "btrfs"
                             : type == 0x01021994 ? "tmpfs: NO DISK, the numbers mean nothing"
                             : type == 0x794c7630 ? "overlay"
                                                  : "file system " + std::to_string(type);
    return path_.parent_path().string() + " (" + name + ")";
  }

 private:
  fs::path path_;
};

// Returns the time of one small synced write to the end of a file, the disk's own limit.
double measure_sync(const fs::path& directory) {
  const int fd =
      ::open((directory / "probe").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) {
    const auto from = Clock::now();
    if (::write(fd, std::string(45, '\n').data(), 45) != 45 || ::fdatasync(fd) != 0) fail("probe");
    times.push_back(ms_since(from));
  }
  ::close(fd);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void print_row(const std::string& what, const Measurement& m, const Measurement& beside,
               const Measurement& ceiling) {
  std::printf("  %-34s %8.0f %7.2f %7.2f   %8.0f %7.2f %7.2f   %5.2f   %8.0f   %5.2f\n",
              what.c_str(), m.per_second, m.median, m.p99, beside.per_second, beside.median,
              beside.p99, m.per_second / beside.per_second, ceiling.per_second,
              m.per_second / ceiling.per_second);
  std::fflush(stdout);
}

// A server that does the least work for a reply after a disk write, so it is the upper limit. It
// writes all waiting requests to one preallocated file, syncs once, and answers all.
[[noreturn]] void run_echo_server(const fs::path& socket, const fs::path& file) {
  constexpr std::size_t kFile = std::size_t{64} << 20;
  const int log = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const std::string zeros(std::size_t{1} << 20, '\0');
  for (std::size_t at = 0; at < kFile; at += zeros.size())
    if (::write(log, zeros.data(), zeros.size()) < 0) ::_exit(1);
  ::fsync(log);
  const int door = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::strncpy(name.sun_path, socket.c_str(), sizeof name.sun_path - 1);
  ::bind(door, reinterpret_cast<sockaddr*>(&name), sizeof name);
  ::listen(door, 200);
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  const auto await = [poll](int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
  };
  await(door);
  std::size_t at = 0;
  for (;;) {
    std::array<epoll_event, 256> events;
    const int n = ::epoll_wait(poll, events.data(), events.size(), -1);
    std::string batch;
    std::vector<int> asked;
    for (int i = 0; i < n; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == door) {
        await(::accept(door, nullptr, nullptr));
        continue;
      }
      std::array<char, 4096> bytes;
      const ssize_t got = ::recv(fd, bytes.data(), bytes.size(), 0);
      if (got <= 0) ::close(fd);
      if (got <= 0) continue;
      batch.append(bytes.data(), static_cast<std::size_t>(got));
      asked.push_back(fd);
    }
    if (at + batch.size() > kFile) at = 0;
    if (::pwrite(log, batch.data(), batch.size(), static_cast<off_t>(at)) < 0 ||
        ::fdatasync(log) != 0)
      ::_exit(1);
    at += batch.size();
    for (const int fd : asked) ::send(fd, ":1\r\n", 4, MSG_NOSIGNAL);
  }
}

void report_plies(const Scratch& scratch) {
  const fs::path data = scratch.path() / "plies", socket = scratch.path() / "plies.sock";
  constexpr int kBoards = 4000;
  write_boards(data, 101, kBoards, "-size=14x20", 0);
  ChildProgram server(
      {program_path(), "serve", "--dir", data, "--socket", socket, "--per-user", "300"},
      scratch.path() / "server.log");
  const fs::path redis_dir = scratch.path() / "redis";
  fs::create_directories(redis_dir);
  ChildProgram redis(
      {"redis-server", "--port", "0", "--unixsocket", scratch.path() / "redis.sock", "--dir",
       redis_dir, "--appendonly", "yes", "--appendfsync", "always", "--save", ""},
      scratch.path() / "redis.log");
  ChildProgram ceiling(
      [&] { run_echo_server(scratch.path() / "echo.sock", scratch.path() / "echo"); });
  std::vector<Connection> ours, theirs, echoes;
  Connection first(socket);
  first.require_ok("as wilma");
  first.require_ok("change password wilma * secretly");
  std::printf("  connecting...\r");
  std::fflush(stdout);
  for (int i = 0; i < 200; ++i) {
    ours.emplace_back(socket).require_ok("as fred");
    ours.back().ask("hello 2");  // like the client; an older server refuses it
    ours.back().require_ok("change address wilma secretly here");  // authenticates the connection
    theirs.emplace_back(scratch.path() / "redis.sock");
    echoes.emplace_back(scratch.path() / "echo.sock");
  }
  int board = 100;
  const auto fresh = [&] {
    if (board == 100 + kBoards) throw std::runtime_error("no board is left");
    return Played{++board};
  };
  std::vector<Played> played;
  std::size_t at = 0;
  bool rotate = false;  // true: one connection over all boards; false: a board a connection
  Load plies{ours, "\n.\n",
             [&](std::size_t i) {
               Played& p = played[rotate ? at++ % played.size() : std::min(i, played.size() - 1)];
               if (p.plies == kPliesPerBoard) p = fresh();
               return p.next_command();
             },
             [](const std::string& said) { return said.rfind("+OK Move ", 0) == 0; }};
  std::size_t key = 0;
  Load writes{theirs, "\r\n",
              [&](std::size_t) {
                const std::string name = "board:" + std::to_string(++key % 200);
                return "*3\r\n$6\r\nAPPEND\r\n$" + std::to_string(name.size()) + "\r\n" + name +
                       "\r\n$45\r\n- {move: BT, at: 2026-11-21T12:00:00Z, x: 1}\n\r\n";
              },
              [](const std::string& said) { return said.front() == ':'; }};
  Load echoed{echoes, "\r\n", writes.next_request, writes.is_good_reply};
  std::printf(
      "  %-34s %24s   %24s   %5s   %16s\n  %-34s %8s %7s %7s   %8s %7s %7s   %5s   %8s   %5s\n", "",
      "pbmplay", "Redis, appendfsync always", "", "only write, sync", "", "plies/s", "median",
      "p99 ms", "writes/s", "median", "p99 ms", "ratio", "writes/s", "ratio");
  for (const std::size_t connections : {std::size_t{1}, std::size_t{20}, std::size_t{200}}) {
    const std::string who =
        std::to_string(connections) + (connections == 1 ? " connection" : " connections");
    for (const bool own : {false, true}) {
      // One board for all connections in turn; or 200 boards, or a board for each connection.
      played.clear();
      for (int i = 0; i < (own ? 200 : 1); ++i) played.push_back(fresh());
      rotate = own && connections == 1;
      const Measurements all = measure_in_pieces(
          {[&](Clock::duration d) { return measure(plies, connections, !own, d); },
           [&](Clock::duration d) { return measure(writes, connections, !own, d); },
           [&](Clock::duration d) { return measure(echoed, connections, !own, d); }});
      print_row(who + (own                ? connections == 1 ? ", 200 boards" : ", a board each"
                       : connections == 1 ? ", one board"
                                          : " in turn on one board"),
                all[0], all[1], all[2]);
    }
  }
}

// --- a club -------------------------------------------------------------------------

// Pairs of people who all watch. Each pair has boards of its own and moves on them in turn.
class Club {
 public:
  Club(const fs::path& socket, int people, int first_board, int boards_a_pair)
      : first_board_(first_board), boards_a_pair_(boards_a_pair) {
    for (int i = 0; i < people; ++i) {
      connections_.emplace_back(socket).require_ok("as " + userid(i));
      connections_.back().require_ok("hello 2");
      connections_.back().require_ok("watch");
    }
    request_times_.resize(connections_.size());
    is_waiting_.resize(connections_.size());
    ply_counts_.resize(connections_.size() / 2);
  }
  static std::string userid(int i) { return "user" + std::to_string(i); }

  // Lets every pair play one ply in each `pause`, one pair after the other. With no pause everybody
  // always waits for a reply, the mover to a ply and the opponent to a question about the board.
  // Returns the times of the replies in milliseconds.
  std::vector<double> play(Clock::duration time, Clock::duration pause) {
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      ::epoll_ctl(poll, EPOLL_CTL_ADD, connections_[i].fd(), &event);
    }
    std::vector<double> times;
    const auto start = Clock::now();
    const bool eager = pause == Clock::duration::zero();
    for (std::size_t i = 0; eager && i < connections_.size(); ++i) send_request(i);
    std::size_t started = 0;  // plies of all pairs
    for (;;) {
      const auto passed = Clock::now() - start;
      if (passed > time && waiting_count_ == 0) break;
      while (!eager && passed <= time && pause / ply_counts_.size() * started <= passed) {
        const std::size_t pair = started++ % ply_counts_.size();
        if (!is_waiting_[2 * pair] && !is_waiting_[2 * pair + 1])
          send_request(2 * pair + mover_index(pair));
      }
      if (passed > time + 60s) throw std::runtime_error("nothing came for a minute");
      std::array<epoll_event, 256> events;
      const int n = ::epoll_wait(poll, events.data(), events.size(), eager ? 1000 : 1);
      for (int e = 0; e < n; ++e) {
        const auto i = static_cast<std::size_t>(events[static_cast<std::size_t>(e)].data.u64);
        const std::string said = connections_[i].read_reply();
        if (said.empty()) continue;
        if (said.rfind("+OK", 0) != 0)
          throw std::runtime_error(userid(static_cast<int>(i)) + ": " + said);
        times.push_back(ms_since(request_times_[i]));
        --waiting_count_;
        is_waiting_[i] = false;
        if (said.rfind("+OK Move", 0) == 0) ++ply_counts_[i / 2], ++played_count_;
        if (eager && Clock::now() - start < time) send_request(i);
      }
    }
    seconds_ = ms_since(start) / 1000;
    ::close(poll);
    std::sort(times.begin(), times.end());
    return times;
  }
  double per_second() const { return static_cast<double>(played_count_) / seconds_; }
  double seconds() const { return seconds_; }

 private:
  // A pair plays one ply on each of its boards, then the next ply on each.
  std::size_t mover_index(std::size_t pair) const {
    return ply_counts_[pair] / static_cast<std::size_t>(boards_a_pair_) % 2;
  }
  void send_request(std::size_t i) {
    const std::size_t pair = i / 2, boards = static_cast<std::size_t>(boards_a_pair_);
    const std::size_t n = ply_counts_[pair] / boards;
    const std::string board = std::to_string(static_cast<std::size_t>(first_board_) +
                                             pair * boards + ply_counts_[pair] % boards);
    // The same plies as in Played.
    if (mover_index(pair) == i % 2)
      connections_[i].send("toot move " + board + " " + userid(static_cast<int>(i)) + " * " +
                           static_cast<char>('A' + n % 14) + (n < 140 ? "T\n" : "O\n"));
    else connections_[i].send("toot info " + board + "\n");
    request_times_[i] = Clock::now();
    is_waiting_[i] = true;
    ++waiting_count_;
  }

  std::vector<Connection> connections_;
  std::vector<Clock::time_point> request_times_;
  std::vector<bool> is_waiting_;
  std::vector<std::size_t> ply_counts_;  // by pair, on all its boards
  std::size_t waiting_count_ = 0, played_count_ = 0;
  int first_board_, boards_a_pair_;
  double seconds_ = 0;
};

void report_size(const Scratch& scratch) {
  const fs::path data = scratch.path() / "many", socket = scratch.path() / "many.sock",
                 log = scratch.path() / "many.log";
  constexpr int kPairs = 250, kBoards = 400;  // boards of a pair; one of a hundred still runs
  for (int pair = 0; pair < kPairs; ++pair)
    for (int i = 0; i < kBoards; i += 100) {
      const int from = 101 + pair * kBoards + i;
      const std::array<std::string, 2> names{Club::userid(2 * pair), Club::userid(2 * pair + 1)};
      write_boards(data, from, 1, "", 12, names);
      write_boards(data, from + 1, 99, "", 12, names, true);
    }
  const auto start = [&](const char* what) {
    const auto from = Clock::now();
    auto server = std::make_unique<ChildProgram>(
        std::vector<std::string>{program_path(), "serve", "--dir", data, "--socket", socket}, log);
    Connection(socket).ask("quit");
    std::printf("  %-46s %8.0f ms\n", what, ms_since(from));
    return server;
  };
  const auto size = [](const char* what, const ChildProgram& server) {
    std::printf("  %-46s %8.1f MB\n", what, static_cast<double>(server.kilobytes("VmRSS")) / 1024);
  };
  start("start-up with 100,000 boards, the first time")->stop();
  const auto server = start("start-up with 100,000 boards, later");
  size("memory then", *server);
  {
    Connection line(socket);
    line.ask("as " + Club::userid(0));
    for (const char* command :
         {"as user0", "boards user0", "list", "toot games", "toot games user0 all",
          "toot history user0", "toot challenge user0 user7"}) {
      std::vector<double> times;
      for (int i = 0; i < 20; ++i) {
        const auto from = Clock::now();
        line.ask(command);
        times.push_back(ms_since(from));
      }
      std::sort(times.begin(), times.end());
      std::printf("    %-44s %8.2f ms\n", command, times[times.size() / 2]);
    }
  }
  std::vector<Connection> lines;
  for (int i = 0; i < 1000; ++i) {
    lines.emplace_back(socket).ask("as user" + std::to_string(i));
    lines.back().ask("watch");
  }
  size("memory, with 1,000 connections that watch", *server);
  for (int i = 0; i < 10'000; ++i)
    lines[static_cast<std::size_t>(i % 1000)].ask("toot show " + std::to_string(101 + i));
  size("memory, after 10,000 boards were shown", *server);
}

void report_club(const Scratch& scratch) {
  struct Row {
    int people, boards_a_pair;
    Clock::duration pause;
    double goal;  // milliseconds
    const char* what;
  };
  for (const Row& row :
       {Row{1000, 20, 500ms, 20, "1,000 connections, 10,000 boards, 1,000 moves/s"},
        Row{1900, 8, 0ms, 1000, "1,900 connections that have always asked"}}) {
    const fs::path data = scratch.path() / ("club" + std::to_string(row.people)),
                   socket = scratch.path() / "club.sock";
    for (int i = 0; i < row.people / 2; ++i)
      write_boards(data, 101 + i * row.boards_a_pair, row.boards_a_pair, "-size=14x20", 0,
                   {Club::userid(2 * i), Club::userid(2 * i + 1)});
    ChildProgram server({program_path(), "serve", "--dir", data, "--socket", socket},
                        scratch.path() / "club.log");
    Club club(socket, row.people, 101, row.boards_a_pair);
    const double before = server.cpu_seconds();
    const auto begun = Clock::now();
    const std::vector<double> times = club.play(kMeasureTime * 3, row.pause);
    const double busy = (server.cpu_seconds() - before) / (ms_since(begun) / 1000);
    const double p99 = times[times.size() * 99 / 100];
    std::printf(
        "  %-50s %6.0f moves/s, median %.1f ms, p99 %.1f ms (goal: under %.0f: %s)\n"
        "  %-50s %6.0f answers/s, %.0f%% of a processor, %.1f MB\n",
        row.what, club.per_second(), times[times.size() / 2], p99, row.goal,
        p99 < row.goal ? "met" : "MISSED", "", static_cast<double>(times.size()) / club.seconds(),
        busy * 100, static_cast<double>(server.kilobytes("VmRSS")) / 1024);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    const Scratch scratch;
    std::printf("\nThe server, in %s; one small write synced there takes %.2f ms\n",
                scratch.file_system().c_str(), measure_sync(scratch.path()));
    const auto wanted = [&](const char* part) {
      return argc < 2 || std::find(argv + 1, argv + argc, std::string(part)) != argv + argc;
    };
    if (wanted("plies")) report_plies(scratch);
    if (wanted("size")) report_size(scratch);
    if (wanted("club")) report_club(scratch);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
