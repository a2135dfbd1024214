// SPDX-License-Identifier: MIT
// Everything acknowledged survives: the real server killed at random moments, a full disk, files
// that cannot be read.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/files.hpp"
#include "boards/server_connection.hpp"
#include "socket_server.hpp"
#include "run.hpp"
#include "save/save.hpp"
#include "server/tables/schema.hpp"
#include "store/database.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kPlayers = 20;  // connections, two for each board
constexpr std::size_t kMaxGame = 56;  // of the 63 plies of a 7x9 board

// Returns the n-th ply of every game here, from 1: rows of one letter, which never win.
std::string ply_text(std::size_t n) {
  const std::size_t at = n - 1;
  return std::string(1, static_cast<char>('A' + at % 7)) + (at < 28 ? "T" : "O");
}

std::string player(std::size_t i) { return "p" + std::to_string(i); }

Match read_board(const std::filesystem::path& file) {
  const auto text = read_file(file, kMaxSave);
  INFO(file);
  REQUIRE(text.ok());
  auto loaded = load_match(*text, file.filename().string());
  if (!loaded) FAIL(loaded.refusal().reason);
  return loaded->match;
}

// Everything the servers acknowledged, kept across their deaths.
struct Ledger {
  std::map<int, std::size_t> plies;                              // by board
  std::map<std::string, std::vector<std::string>> unread_chats;  // by receiver, unread
  std::map<int, std::vector<std::string>> board_chats;           // by board
  std::vector<std::string> accounts;
};

// Twenty players who play, chat and create userids as fast as the server replies.
class Crowd {
 public:
  Crowd(Ledger& ledger, std::mt19937& random) : ledger_(ledger), random_(random) {}

  // Plays while `more` returns true, then kills the server.
  void play(ServerProcess& server, const std::function<bool()>& more) {
    for (std::size_t i = 0; i < kPlayers; ++i) {
      players_.emplace_back(server.socket_address());
      REQUIRE(contains(players_.back().request("as " + player(i)), "+OK"));
    }
    for (std::size_t i = 0; i < kPlayers; ++i) send_next(i);
    while (more()) take_answers(Clock::now() + 1ms);
    server.send_signal(SIGKILL);
    // Replies sent before the kill count, too.
    take_answers(Clock::now());
    for (std::size_t i = 0; i < kPlayers; ++i)
      take_reply(i, players_[i].read_until("nothing says this", 20ms));
    server.wait_exit();
  }

 private:
  struct Player : RawConnection {
    using RawConnection::RawConnection;
    std::string received;
    std::string command, command_kind;  // the command, and its kind: "ply", "chat", "as", "board"
  };

  void take_answers(Clock::time_point end) {
    std::vector<pollfd> waits;
    for (Player& talk : players_) waits.push_back({talk.fd(), POLLIN, 0});
    const auto left = std::chrono::ceil<WaitTime>(end - Clock::now()).count();
    if (::poll(waits.data(), waits.size(), static_cast<int>(std::max<decltype(left)>(0, left))) <=
        0)
      return;
    for (std::size_t i = 0; i < waits.size(); ++i)
      if (waits[i].revents != 0) take_reply(i, players_[i].read_until("\n.\n", 0ms));
  }

  void take_reply(std::size_t i, const std::string& said) {
    Player& talk = players_[i];
    talk.received += said;
    const std::size_t end = talk.received.find("\n.\n");
    if (end == std::string::npos) return;
    const std::string reply = talk.received.substr(0, end + 3);
    talk.received.erase(0, end + 3);
    record_reply(i, reply);
    send_next(i);
  }

  void record_reply(std::size_t i, const std::string& reply) {
    const Player& talk = players_[i];
    INFO(talk.command << " -> " << reply);
    if (talk.command_kind == "chat" && reply[0] == '-') {
      CHECK(contains(reply, "You are sending too many messages"));
      return;
    }
    if (talk.command_kind == "limit") return;
    REQUIRE(reply.substr(0, 3) == "+OK");
    const std::size_t pair = i / 2;
    if (talk.command_kind == "board")
      board_[pair] = std::atoi(reply.c_str() + 10), ledger_.plies[board_[pair]] = 0;
    if (talk.command_kind == "ply") ++ledger_.plies[board_[pair]];
    if (talk.command_kind == "chat") {
      const std::string text = talk.command.substr(talk.command.find(" : ") + 3);
      ledger_.unread_chats[player(i ^ 1)].push_back(text);
      ledger_.board_chats[std::atoi(talk.command.c_str() + 10)].push_back(text);
    }
    if (talk.command_kind == "as") ledger_.accounts.push_back(talk.command.substr(3));
    if (talk.command_kind == "ply" || talk.command_kind == "board") waiting_[pair] = false;
  }

  // Sends the next command of connection `i`: a ply on its turn, else chat.
  void send_next(std::size_t i) {
    const std::size_t pair = i / 2;
    const bool first = i % 2 == 0;
    const int board = board_[pair];
    const std::size_t plies = board ? ledger_.plies[board] : kMaxGame;
    if (!waiting_[pair] && plies >= kMaxGame && first)
      return ask(i, "board", "toot challenge -size=7x9 " + player(i) + " " + player(i + 1));
    if (!waiting_[pair] && plies < kMaxGame && (plies % 2 == 0) == first)
      return ask(i, "ply",
                 "toot move " + std::to_string(board) + " " + player(i) + " * " +
                     ply_text(plies + 1) + "#" + std::to_string(plies + 1));
    if (random_below(random_, 4) == 0 && board)
      return ask(i, "chat",
                 "toot chat " + std::to_string(board) + " " + player(i) + " * : said " +
                     std::to_string(++said_));
    ask(i, "limit", "toot limit " + player(i) + " * 500");
  }

  void ask(std::size_t i, const std::string& of, const std::string& line) {
    players_[i].command_kind = of;
    players_[i].command = line;
    if (of == "ply" || of == "board") waiting_[i / 2] = true;
    players_[i].send(line + "\n");
  }

  Ledger& ledger_;
  std::mt19937& random_;
  std::deque<Player> players_;
  std::array<int, kPlayers / 2> board_{};
  std::array<bool, kPlayers / 2> waiting_{};
  static inline std::size_t said_ = 0;
};

// Checks the saves: every ply and account of the ledger, every file readable, no ply twice.
void check_files(const std::filesystem::path& directory, const Ledger& ledger) {
  for (const auto& [number, plies] : ledger.plies) {
    const Match match = read_board(directory / ("toot-" + std::to_string(number) + ".yaml"));
    INFO("board " << number << ", " << plies << " acknowledged");
    CHECK(match.plies().size() >= plies);
    CHECK(match.plies().size() <= plies + 1);
    for (std::size_t n = 1; n <= match.plies().size(); ++n)
      REQUIRE(match.plies()[n - 1].text == ply_text(n));
  }
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == ".yaml") read_board(entry.path());
}

// Checks the replies of a new server against the ledger.
void check_server(const ServerAddress& socket, Ledger& ledger) {
  const std::string list = RawConnection(socket).request("list");
  for (const std::string& account : ledger.accounts) REQUIRE(contains(list, account + " "));
  for (auto& [receiver, chats] : ledger.unread_chats) {
    RawConnection raw(socket);
    REQUIRE(contains(raw.request("as " + receiver), "+OK"));
    REQUIRE(raw.send("watch\nquit\n"));
    const std::string heard = raw.read_until("+OK Good-bye.\n.\n");
    // The server keeps the last hundred for a user who is away.
    const std::size_t from = chats.size() > 80 ? chats.size() - 80 : 0;
    for (std::size_t i = from; i < chats.size(); ++i) {
      INFO(heard);
      REQUIRE(contains(heard, " : " + chats[i] + " ("));
    }
    chats.clear();
  }
  RawConnection raw(socket);
  for (const auto& [board, lines] : ledger.board_chats) {
    const std::string said = raw.request("toot chats " + std::to_string(board));
    for (const std::string& line : lines) {
      INFO(said);
      REQUIRE(contains(said, ": " + line + "\n"));
    }
  }
}

void kill_at_random(std::size_t moments, unsigned seed) {
  std::mt19937 random(seed);
  std::cout << "killed at " << moments << " random moments, seed " << seed << std::endl;
  std::size_t plies = 0;
  for (std::size_t done = 0; done < moments;) {
    TemporaryDirectory place;
    Ledger ledger;
    // Several kills in the same directory.
    for (std::size_t i = 0; i < 8 && done < moments; ++i, ++done) {
      INFO("moment " << done << " of seed " << seed);
      {
        ServerProcess server(place / "boards", place / "s");
        CHECK(server.log_text().empty());
        check_server(server.socket_address(), ledger);
        for (std::size_t n = 0; n < 2; ++n) {
          RawConnection raw(server.socket_address());
          const std::string userid = "a" + std::to_string(done) + "-" + std::to_string(n);
          if (contains(raw.request("as " + userid), "+OK")) ledger.accounts.push_back(userid);
        }
        const auto end = Clock::now() + std::chrono::microseconds(random_below(random, 60'000));
        Crowd(ledger, random).play(server, [end] { return Clock::now() < end; });
      }
      check_files(place / "boards", ledger);
    }
    for (const auto& [number, n] : ledger.plies) plies += n;
  }
  std::cout << plies << " acknowledged moves were all there" << std::endl;
}

// A second machine that copies the first again and again.
class Standby {
 public:
  Standby(std::filesystem::path from, std::filesystem::path here)
      : from_(std::move(from)), target_(std::move(here)) {}
  // A copy in progress ends with the first machine.
  ~Standby() { kill_copy(); }
  Standby(const Standby&) = delete;
  Standby& operator=(const Standby&) = delete;

  // Begins the next copy if none runs. `now` has everything acknowledged so far.
  void continue_copying(const Ledger& now) {
    if (pid_ > 0) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
      pid_ = 0;
      REQUIRE(status == 0);
      promised = current_ledger_;
      ++copy_count;
    }
    current_ledger_ = now;
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ > 0) return;
    ::setpgid(0, 0);
    ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    const std::string program = test::require_program().string();
    ::execl(program.c_str(), program.c_str(), "backup", "--dir", from_.c_str(), target_.c_str(),
            nullptr);
    ::_exit(127);
  }
  void kill_copy() {
    if (pid_ <= 0) return;
    ::setpgid(pid_, pid_);  // the child may not have called it yet
    ::kill(-pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, 0), nullptr, 0);
  }

  std::size_t copy_count = 0;  // finished copies
  Ledger promised;             // everything acknowledged before the last of these began

 private:
  std::filesystem::path from_, target_;
  pid_t pid_ = 0;
  Ledger current_ledger_;
};

// Kills each first machine after at most `longest`: logs end after 5 seconds.
void test_takeovers(std::size_t times, std::chrono::milliseconds longest, unsigned seed) {
  std::mt19937 random(seed);
  std::cout << "a second machine took over " << times << " times, seed " << seed << std::endl;
  std::size_t copies = 0, plies = 0, lost = 0;
  for (std::size_t done = 0; done < times; ++done) {
    INFO("time " << done << " of seed " << seed);
    TemporaryDirectory place;
    Ledger ledger;
    Standby standby(place / "boards", place / "copy");
    {
      ServerProcess server(place / "boards", place / "s");
      const auto least = Clock::now() + std::chrono::milliseconds(random_below(
                                            random, static_cast<std::uint32_t>(longest.count())));
      const std::size_t least_whole = 1 + random_below(random, 3);
      Crowd(ledger, random).play(server, [&] {
        standby.continue_copying(ledger);
        if (random_below(random, 50) == 0) {
          const std::string userid = "a" + std::to_string(ledger.accounts.size());
          if (contains(RawConnection(server.socket_address()).request("as " + userid), "+OK"))
            ledger.accounts.push_back(userid);
        }
        return Clock::now() < least || standby.copy_count < least_whole;
      });
      standby.kill_copy();
    }
    std::filesystem::remove_all(place / "boards");
    // As in the manual: waits until a copy in progress has ended.
    REQUIRE(run_shell("flock " + (place / "copy").string() + " true").status == 0);
    ServerProcess second(place / "copy", place / "s2");
    INFO(second.log_text());
    CHECK(second.log_text().empty());
    check_server(second.socket_address(), standby.promised);
    for (const auto& [number, acknowledged] : ledger.plies) {
      const std::string save = "toot-" + std::to_string(number) + ".yaml";
      const bool there = std::filesystem::exists(place / "copy" / save);
      INFO(save << ", of " << acknowledged << " moves");
      if (standby.promised.plies.count(number) > 0) REQUIRE(there);
      plies += acknowledged;
      if (!there) {
        lost += acknowledged;
        continue;
      }
      const Match match = read_board(place / "copy" / save);
      const std::size_t has_plies = match.plies().size();
      CHECK(has_plies >= standby.promised.plies[number]);
      CHECK(has_plies <= acknowledged + 1);
      lost += acknowledged - std::min(acknowledged, has_plies);
      for (std::size_t n = 1; n <= has_plies; ++n)
        REQUIRE(match.plies()[n - 1].text == ply_text(n));
      if (has_plies >= kMaxGame) continue;
      const std::string& mover = match.names()[has_plies % 2];
      RawConnection raw(second.socket_address());
      REQUIRE(contains(raw.request("as " + mover), "+OK"));
      const std::string said =
          raw.request("toot move " + std::to_string(number) + " " + mover + " * " +
                      ply_text(has_plies + 1) + "#" + std::to_string(has_plies + 1));
      INFO(said);
      CHECK(contains(said, "+OK Move " + std::to_string(has_plies + 1)));
    }
    second.send_signal(SIGTERM);
    CHECK(second.wait_exit() == 0);
    copies += standby.copy_count;
  }
  std::cout << copies << " whole copies; of " << plies << " acknowledged moves " << lost
            << " came after the last and were lost, no other" << std::endl;
}

// A small file system of its own, if the user may mount one.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& at) : mount_point_(at) {
    std::filesystem::create_directories(at);
    mounted_ = ::mount("tmpfs", at.c_str(), "tmpfs", 0, "size=1m,mode=700") == 0;
  }
  ~SmallDisk() {
    if (mounted_) ::umount2(mount_point_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  bool mounted() const { return mounted_; }

 private:
  std::filesystem::path mount_point_;
  bool mounted_ = false;
};

}  // namespace

TEST_CASE("killed at any moment, the server has lost nothing it acknowledged", "[server][crash]") {
  kill_at_random(40, 20261121);
}

TEST_CASE("killed at 500 moments, the server has lost nothing it acknowledged",
          "[server][crash][long]") {
  kill_at_random(500, std::random_device{}());
}

TEST_CASE("killed while pairs of boards begin, the server has each that it acknowledged, whole",
          "[server][crash]") {
  const unsigned seed = 20261124;
  std::mt19937 random(seed);
  constexpr std::size_t kPeople = 12;
  std::size_t whole = 0, more = 0;
  for (int times = 0; times < 12; ++times) {
    INFO("time " << times << " of seed " << seed);
    TemporaryDirectory place;
    std::map<int, std::pair<std::string, std::string>> acknowledged;  // first and second player
    {
      ServerProcess server(place / "boards", place / "s");
      std::deque<RawConnection> talks;
      for (std::size_t i = 0; i < kPeople; ++i) {
        talks.emplace_back(server.socket_address());
        REQUIRE(contains(talks.back().request("as " + player(i)), "+OK"));
      }
      std::vector<std::size_t> asked(kPeople);
      const auto other = [&](std::size_t i) { return player((i + 1 + asked[i] % 11) % kPeople); };
      const auto ask = [&](std::size_t i) {
        ++asked[i];
        talks[i].send("toot challenge " + player(i) + " " + other(i) + " -pair\n");
      };
      const auto hear = [&](std::size_t i, WaitTime patience) {
        const std::string said = talks[i].read_until("\n.\n", patience);
        int first = 0, second = 0;
        if (!said.ends_with("\n.\n")) return false;
        if (std::sscanf(said.c_str(), "+OK Boards %d and %d", &first, &second) == 2) {
          acknowledged[first] = {player(i), other(i)};
          acknowledged[second] = {other(i), player(i)};
        }
        return true;
      };
      for (std::size_t i = 0; i < kPeople; ++i) ask(i);
      const auto end = Clock::now() + std::chrono::microseconds(random_below(random, 40'000));
      for (std::size_t i = 0; Clock::now() < end; i = (i + 1) % kPeople)
        if (hear(i, WaitTime(5))) ask(i);
      server.send_signal(SIGKILL);
      for (std::size_t i = 0; i < kPeople; ++i)
        while (hear(i, WaitTime(20))) {
        }
      server.wait_exit();
    }
    ServerProcess again(place / "boards", place / "s");
    CHECK(again.log_text().empty());
    for (const auto& [number, seats] : acknowledged) {
      const Match match =
          read_board(place / "boards" / ("toot-" + std::to_string(number) + ".yaml"));
      CHECK(match.names() == std::vector{seats.first, seats.second});
    }
    std::size_t boards = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place / "boards"))
      boards += entry.path().extension() == ".yaml";
    // Each pair without a reply may have begun, or only its first board.
    CHECK(boards <= acknowledged.size() + 2 * kPeople);
    whole += acknowledged.size() / 2;
    more += boards - acknowledged.size();
  }
  CHECK(whole > 0);
  std::cout << whole << " acknowledged pairs were whole, " << more << " other boards" << std::endl;
}

TEST_CASE("a copy made while the server runs is taken over by another one", "[server][crash]") {
  test_takeovers(2, 1s, 20261123);
}

TEST_CASE("a copy made while the server runs is taken over 20 times", "[server][crash][long]") {
  test_takeovers(20, 8s, std::random_device{}());
}

TEST_CASE("a copy has no log, a database never newer than the boards, and what is gone no more",
          "[server][crash]") {
  TemporaryDirectory place;
  const auto from = place / "from", here = place / "here";
  std::filesystem::create_directories(from / ".server");
  std::filesystem::create_directories(from / ".deleted");
  const auto append = [](const std::filesystem::path& file, const char* text) {
    std::ofstream(file, std::ios::app) << text;
  };
  // A server has the database open, so new rows are only in its log.
  Database database(from / ".server/server.db", &kSchema);
  const auto add = [&](const char* name) {
    database.run("INSERT INTO setting VALUES (?, 1)", std::string_view(name));
    REQUIRE(database.commit().empty());
  };
  const auto copied = [&] {
    Database there(here / ".server/server.db");
    return there.query_number("SELECT count(*) FROM setting");
  };
  const auto copy = [&] {
    return run_program({"backup", "--dir", from.string(), here.string()}).out;
  };
  add("one");
  append(from / "toot-101.yaml", "old\n");
  append(from / "toot-102.yaml", "here\n");
  append(from / ".deleted/toot-99.yaml", "away\n");
  append(from / ".server/trusted", "door\n");
  append(from / ".draft-1", "half\n");
  CHECK(copy() == "4 files, 4 of them copied, and the database.\n");
  CHECK(read_bytes(here / "toot-101.yaml") == "old\n");
  CHECK(read_bytes(here / ".deleted/toot-99.yaml") == "away\n");
  CHECK(read_bytes(here / ".server/trusted") == "door\n");
  CHECK_FALSE(std::filesystem::exists(here / ".draft-1"));
  CHECK(copied() == 1);
  CHECK_FALSE(std::filesystem::exists(here / ".server/server.db-wal"));
  // Only changed files are copied again, and deleted files are deleted.
  add("two");
  append(from / "toot-101.yaml", "new\n");
  std::filesystem::remove(from / "toot-102.yaml");
  std::filesystem::remove_all(from / ".deleted");
  append(here / ".server/server.db-wal", "of another database\n");
  CHECK(copy() == "2 files, 1 of them copied, and the database.\n");
  CHECK(read_bytes(here / "toot-101.yaml") == "old\nnew\n");
  CHECK(copied() == 2);
  for (const char* gone : {"toot-102.yaml", ".deleted"})
    CHECK_FALSE(std::filesystem::exists(here / gone));
  // If a file cannot be copied, the copy keeps its old database.
  add("three");
  append(from / "toot-101.yaml", "newer\n");
  append(from / "toot-103.yaml", "more\n");
  std::filesystem::create_directories(here / "toot-103.yaml/in the way");
  CHECK(run_program({"backup", "--dir", from.string(), here.string()}).status == 3);
  CHECK(copied() == 2);
  std::filesystem::remove_all(here / "toot-103.yaml");
  CHECK(contains(copy(), "3 files, "));
  CHECK(read_bytes(here / "toot-101.yaml") == "old\nnew\nnewer\n");
  CHECK(copied() == 3);
}

TEST_CASE("a copy is made of a server's directory alone, and over nothing but a copy",
          "[server][crash]") {
  TemporaryDirectory place;
  ServerProcess server(place / "boards", place / "s");
  REQUIRE(contains(RawConnection(server.socket_address()).request("as fred"), "+OK"));
  const auto backup = [&](const char* from, const char* to) {
    return run_program({"backup", "--dir", (place / from).string(), (place / to).string()});
  };
  const RunResult none = backup("nowhere", "copy");
  CHECK(none.status == 1);
  CHECK(none.err ==
        "pbmplay: There are no boards of a server in " + (place / "nowhere").string() + ".\n");
  CHECK_FALSE(std::filesystem::exists(place / "copy"));
  std::filesystem::create_directory(place / "closed");
  std::filesystem::permissions(place / "closed", std::filesystem::perms::none);
  CHECK(contains(backup("closed", "copy").err,
                 ::geteuid() == 0 ? "There are no boards" : "pbmplay: You may not read "));
  std::filesystem::permissions(place / "closed", std::filesystem::perms(0700));
  std::filesystem::create_directories(place / "other");
  std::ofstream(place / "other/letter") << "dear";
  const RunResult other = backup("boards", "other");
  CHECK(other.status == 1);
  CHECK(contains(other.err, "is not a backup, or a server has used it since"));
  CHECK(read_bytes(place / "other/letter") == "dear");
  // A copy cannot lie in what it copies, nor around it.
  std::filesystem::create_directory_symlink(place / "boards", place / "link");
  for (const char* within : {"boards/copy", "boards", "link/copy/deep", "."}) {
    CHECK(backup("boards", within).status == 1);
    CHECK_FALSE(std::filesystem::exists(place / "boards/copy"));
  }
  // A directory that a server has used is no copy any more.
  CHECK(backup("boards", "copy").status == 0);
  {
    ServerProcess second(place / "copy", place / "s2");
    CHECK(backup("boards", "copy").status != 0);
    CHECK(contains(RawConnection(second.socket_address()).request("list"), "fred"));
  }
  CHECK(contains(backup("boards", "copy").err, "a server has used it since"));
  CHECK(contains(RawConnection(server.socket_address()).request("list"), "fred"));
}

TEST_CASE(
    "a full disk refuses with a sentence, loses nothing, and is used again when there is room",
    "[server][crash]") {
  TemporaryDirectory place;
  const SmallDisk disk(place / "disk");
  if (!disk.mounted()) return skip_test("nobody here may mount a small file system");
  const auto directory = place / "disk/boards", filler = place / "disk/filler";
  ServerProcess server(directory, place / "s");
  RawConnection fred(server.socket_address()), wilma(server.socket_address());
  REQUIRE(contains(fred.request("as fred"), "+OK"));
  REQUIRE(contains(wilma.request("as wilma"), "+OK"));
  REQUIRE(contains(fred.request("toot challenge -size=14x20 fred wilma"), "+OK"));
  {
    const int fd = ::open(filler.c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string block(4096, 'x');
    while (::write(fd, block.data(), block.size()) > 0) {
    }
    ::close(fd);
  }
  std::size_t plies = 0;
  std::string refused;
  const auto play = [&] {
    RawConnection& mover = plies % 2 == 0 ? fred : wilma;
    const std::string text = std::string(1, static_cast<char>('A' + plies % 14)) + "T";
    return mover.request("toot move 101 " + std::string(plies % 2 == 0 ? "fred" : "wilma") + " * " +
                         text);
  };
  for (; plies < 130 && refused.empty(); ++plies)
    if (const std::string said = play(); said.substr(0, 3) != "+OK") {
      refused = said;
      break;
    }
  INFO(plies << " moves");
  CHECK(contains(refused, kCannotSave));
  CHECK_FALSE(contains(refused, "/"));
  CHECK(contains(fred.request("toot challenge fred wilma"), "-ERR"));
  RawConnection more(server.socket_address());
  std::string account;
  for (int i = 0; i < 200 && account.substr(0, 4) != "-ERR"; ++i)
    account = RawConnection(server.socket_address()).request("as user" + std::to_string(i));
  INFO(account);
  CHECK(contains(account, kCannotSave));
  CHECK_FALSE(contains(account, "/"));
  CHECK(contains(server.log_text(), "/server.db cannot be written: database or disk is full.\n"));
  CHECK(read_board(directory / "toot-101.yaml").plies().size() == plies);
  CHECK(contains(fred.request("toot show 101"), "+OK"));
  std::filesystem::remove(filler);
  CHECK(contains(play(), "+OK"));
  ++plies;
  CHECK(contains(fred.request("toot challenge fred wilma"), "+OK Board 102"));
  server.send_signal(SIGKILL);
  server.wait_exit();
  CHECK(read_board(directory / "toot-101.yaml").plies().size() == plies);
  ServerProcess again(directory, place / "s");
  CHECK(again.log_text().empty());
  CHECK(contains(RawConnection(again.socket_address()).request("toot games"), "2 boards"));
}

TEST_CASE("on a full disk the server starts, and shows what it has", "[server][crash]") {
  TemporaryDirectory place;
  const SmallDisk disk(place / "disk");
  if (!disk.mounted()) return skip_test("nobody here may mount a small file system");
  const auto directory = place / "disk/boards";
  {
    ServerProcess server(directory, place / "s");
    RawConnection fred(server.socket_address());
    REQUIRE(contains(RawConnection(server.socket_address()).request("as wilma"), "+OK"));
    REQUIRE(contains(fred.request("as fred"), "+OK"));
    REQUIRE(contains(fred.request("toot challenge fred wilma"), "+OK"));
    server.send_signal(SIGKILL);
    server.wait_exit();
  }
  // Another program ended a game, and a line is incomplete: the server must write for both.
  {
    std::ofstream save(directory / "toot-101.yaml", std::ios::app);
    save << "- BT\n- CO\n- {move: resign, seat: 1}\n";
    save.flush();
    std::ofstream filler(place / "disk/filler");
    while (filler.write(std::string(4096, 'x').data(), 4096).flush()) {
    }
  }
  ServerProcess server(directory, place / "s");
  RawConnection fred(server.socket_address());
  CHECK(contains(fred.request("as fred"), "+OK Hello, fred"));
  CHECK(contains(fred.request("toot show 101"), "wilma (OTTO) wins"));
  std::filesystem::remove(place / "disk/filler");
  CHECK(contains(fred.request("toot challenge fred wilma"), "+OK Board 102"));
  server.send_signal(SIGTERM);
  CHECK(server.wait_exit() == 0);
}

TEST_CASE("a server whose directory is removed keeps nothing more, says so and ends",
          "[server][crash]") {
  TemporaryDirectory place;
  const auto directory = place / "boards";
  for (const bool moved : {false, true}) {
    ServerProcess server(directory, place / "s");
    {
      RawConnection fred(server.socket_address());
      REQUIRE(contains(RawConnection(server.socket_address()).request("as wilma"), "+OK"));
      REQUIRE(contains(fred.request("as fred"), "+OK"));
      REQUIRE(contains(fred.request("toot challenge fred wilma"), "+OK"));
      if (moved) std::filesystem::rename(directory, place / "elsewhere");
      else std::filesystem::remove_all(directory);
      CHECK(!contains(fred.request("toot move 101 fred * BT"), "+OK"));
    }
    CHECK(server.wait_exit() == 3);
    CHECK(contains(
        server.log_text(),
        " was removed or replaced. The server stops, because it can save nothing more.\n"));
    CHECK_FALSE(std::filesystem::exists(directory));
  }
}

TEST_CASE("boards whose files cannot be read stand in nobody's way", "[server][crash]") {
  TemporaryDirectory place;
  const auto directory = place / "boards";
  {
    ServerProcess server(directory, place / "s");
    RawConnection fred(server.socket_address());
    RawConnection(server.socket_address()).request("as wilma");
    fred.request("as fred");
    for (int i = 0; i < 5; ++i) REQUIRE(contains(fred.request("toot challenge fred wilma"), "+OK"));
    server.send_signal(SIGTERM);
    CHECK(server.wait_exit() == 0);
  }
  const auto board = [&](int n) { return directory / ("toot-" + std::to_string(n) + ".yaml"); };
  const auto write = [](const std::filesystem::path& file, const std::string& text) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    ::close(fd);
  };
  write(board(101), std::string("\0\xFF\x1B[2J", 6));
  write(board(102), "");
  std::filesystem::remove(board(103));
  std::filesystem::create_directory(board(103));
  std::filesystem::remove(board(104));
  std::filesystem::create_symlink(board(104), board(104));
  REQUIRE(::mkfifo(board(106).c_str(), 0600) == 0);
  ServerProcess server(directory, place / "s");
  RawConnection fred(server.socket_address());
  CHECK(contains(fred.request("as fred"), "+OK"));
  for (const int n : {101, 102, 103, 104, 106}) {
    const std::string said = fred.request("toot move " + std::to_string(n) + " fred * AT");
    INFO(said);
    CHECK(said.substr(0, 5) == "-ERR ");
    CHECK(!contains(said, "\x1B"));
  }
  CHECK(contains(fred.request("toot move 105 fred * AT"), "+OK Move 1"));
  const std::string fresh = fred.request("toot challenge fred wilma");
  INFO(fresh);
  CHECK(contains(fresh, "+OK Board 107"));
  CHECK(!contains(server.log_text(), "\x1B"));
  CHECK(read_bytes(board(102)).empty());
}
