// SPDX-License-Identifier: MIT
// The commit log: what is safe when, what a fresh program makes of what was left behind, and
// what it refuses.
#include "store/commit_log.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <fstream>
#include <iostream>

#include "base/error.hpp"
#include "base/files.hpp"
#include "boards/local_boards.hpp"
#include "store/recovery.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;
using Kind = LogEntry::Kind;

struct Bench {
  Bench() { fs::create_directory(dir / ".server"); }
  TemporaryDirectory dir;
  std::string broken;  // part of the name of a file that cannot be synced
  Words synced;
  std::unique_ptr<CommitLog> log = begin();

  std::unique_ptr<CommitLog> begin() {
    return std::make_unique<CommitLog>(dir.path(), [this](int fd) {
      const fs::path file = fs::read_symlink("/proc/self/fd/" + std::to_string(fd));
      synced.push_back(file.filename().string());
      return !broken.empty() && has(synced.back(), broken) ? EIO : 0;
    });
  }
  FilePtr hold(const std::string& name) {
    UniqueFd fd(::open((dir / name).c_str(), O_RDWR | O_CREAT, 0600));
    REQUIRE(fd.open());
    REQUIRE(::flock(fd.get(), LOCK_EX | LOCK_NB) == 0);
    return log->hold(name, std::move(fd));
  }
  CommitLog::Finished finish(std::unique_ptr<Batch> batch) {
    batch->sync();
    auto done = log->finish(std::move(batch));
    for (const auto& then : done.follow) then();
    return done;
  }
  void commit() { finish(log->take()); }
  void checkpoint() {
    const Moment start{1h};
    REQUIRE_FALSE(log->take_checkpoint(start));
    REQUIRE(log->due() == start + 5s);
    auto checkpoint = log->take_checkpoint(start + 5s);
    REQUIRE(checkpoint);
    checkpoint->sync();
    log->finish(std::move(checkpoint));
  }
  Words logs() const {
    Words out;
    for (const auto& entry : fs::directory_iterator(dir / ".server"))
      if (has(entry.path().string(), "log-")) out.push_back(entry.path().filename().string());
    return out;
  }
  // Ends without a word, as a program that is killed; its files stay as they are.
  void kill() {
    TemporaryDirectory kept;
    fs::copy(dir.path(), kept.path(), fs::copy_options::recursive);
    log.reset();
    for (const auto& entry : fs::directory_iterator(dir.path())) fs::remove_all(entry.path());
    fs::copy(kept.path(), dir.path(), fs::copy_options::recursive);
  }
  bool locked(const std::string& name) const {
    const UniqueFd fd(::open((dir / name).c_str(), O_RDWR));
    return ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
  }
};

void put(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// Two plies of one save, and one of another, in a batch each.
struct Killed : Bench {
  Killed() {
    put(dir / "a", "old\n");
    const FilePtr a = hold("a"), b = log->create("b", "new\n");
    for (const FilePtr& file : {a, b, a}) {
      REQUIRE(CommitLog::lock_again(*file));
      log->append(file, "one\n");
      commit();
    }
    kill();
  }
  fs::path file() const { return dir / ".server/log-1"; }
};

}  // namespace

TEST_CASE("bytes are in the file at once, and what hangs on them follows the sync", "[log]") {
  Bench b;
  Words heard;
  const FilePtr a = b.hold("a");
  b.log->append(a, "one\n");
  b.log->after(*a, [&] { heard.push_back("one"); });
  CHECK(bytes_of(b.dir / "a") == "one\n");
  CHECK(b.log->take_touched() == 1);
  auto batch = b.log->take();
  REQUIRE(batch);
  CHECK(b.log->take() == nullptr);
  b.log->append(a, "two\n");
  b.log->after(*a, [&] { heard.push_back("two"); });
  CHECK(b.log->take_touched() == 2);
  CHECK(b.finish(std::move(batch)).number == 1);
  CHECK(heard == Words{"one"});
  CHECK(b.locked("a"));
  b.commit();
  CHECK(heard == Words{"one", "two"});
  CHECK(b.locked("a"));
  CommitLog::release(*a);
  CHECK_FALSE(b.locked("a"));
  b.log->after(*a, [&] { heard.push_back("at once"); });
  CHECK(heard.back() == "at once");
  b.log->touch(*a);
  CHECK(b.log->take_touched() == 0);
  CHECK(b.log->take() == nullptr);
}

TEST_CASE("one sync makes many files safe, and the files follow when the log is old", "[log]") {
  Bench b;
  for (const std::string name : {"a", "b", "c"}) b.log->append(b.hold(name), "x\n");
  b.commit();
  CHECK(b.synced == Words{"log-1"});
  b.checkpoint();
  CHECK(b.synced == Words{"log-1", "a", "b", "c"});
  CHECK(b.logs().empty());
  CHECK_FALSE(b.log->due());
  // What comes next is in another log, and the end makes that safe too.
  b.log->append(b.hold("a"), "y\n");
  b.commit();
  CHECK(b.logs() == Words{"log-2"});
  b.synced.clear();
  b.log.reset();
  CHECK(b.synced == Words{"a"});
  CHECK(b.logs().empty());
}

TEST_CASE("a file that others wrote on between two additions is added to behind them", "[log]") {
  Bench b;
  const FilePtr a = b.hold("a");
  b.log->append(a, "one\n");
  b.commit();
  CommitLog::release(*a);
  std::ofstream(b.dir / "a", std::ios::app) << "theirs\n";
  REQUIRE(CommitLog::lock_again(*a));
  b.log->append(a, "two\n");
  CHECK(bytes_of(b.dir / "a") == "one\ntheirs\ntwo\n");
  b.commit();
  CommitLog::release(*a);
  // Somebody else's file in its place is not ours.
  put(b.dir / "other", "x\n");
  fs::rename(b.dir / "other", b.dir / "a");
  CHECK_FALSE(CommitLog::lock_again(*a));
  fs::remove(b.dir / "a");
  CHECK_FALSE(CommitLog::lock_again(*a));
}

TEST_CASE("a new file has its name at once, and one that is put away makes room for another",
          "[log]") {
  Bench b;
  const FilePtr a = b.log->create("a", "new\n");
  REQUIRE(a);
  CHECK(b.locked("a"));
  CHECK(b.log->create("a", "other\n") == nullptr);
  CHECK(bytes_of(b.dir / "a") == "new\n");
  b.commit();
  CHECK(b.locked("a"));
  fs::create_directory(b.dir / "away");
  put(b.dir / "away/a", "there\n");
  b.log->move(a, "away/a");
  CHECK_FALSE(fs::exists(b.dir / "a"));
  CHECK(bytes_of(b.dir / "away/a") == "there\n");
  CHECK(bytes_of(b.dir / "away/a.1") == "new\n");
}

TEST_CASE("when the log cannot be synced nothing is safe any more", "[log]") {
  Bench b;
  Words heard;
  const FilePtr a = b.hold("a");
  b.broken = "log-";
  b.log->append(a, "one\n");
  b.log->after(*a, [&] { heard.push_back("one"); });
  CHECK(b.finish(b.log->take()).number == 0);
  CHECK(heard.empty());
  CHECK(b.log->failed() ==
        (b.dir / ".server/log-1").string() + " cannot be synced (Input/output error)");
  b.broken.clear();
  CHECK_THROWS_AS(b.log->append(a, "two\n"), Error);
  CHECK_THROWS_AS(b.log->create("b", "two\n"), Error);
  CHECK(b.log->take() == nullptr);
  // It stays for whoever comes next.
  b.log.reset();
  CHECK(b.logs() == Words{"log-1"});
}

TEST_CASE("files that cannot be synced by themselves keep their log", "[log]") {
  Bench b;
  b.log->append(b.hold("a"), "one\n");
  b.commit();
  b.broken = "a";
  b.checkpoint();
  CHECK(b.log->failed() == (b.dir / "a").string() + " cannot be synced (Input/output error)");
  CHECK(b.logs() == Words{"log-1"});
}

TEST_CASE("without the name of the log nothing is kept", "[log]") {
  Bench b;
  b.log->append(b.hold("a"), "one\n");
  b.commit();
  fs::remove(b.dir / ".server/log-1");
  b.log->append(b.hold("b"), "one\n");
  b.commit();
  CHECK(b.log->failed() == (b.dir / ".server/log-1").string() + " was removed or replaced");
}

TEST_CASE("what was logged and did not reach the files is there after a replay", "[log]") {
  const std::string a = "old\none\none\n", b = "new\none\n";
  const auto replayed = [&](const std::function<void(const Killed&)>& lose) {
    Killed k;
    CHECK(k.logs() == Words{"log-1"});
    lose(k);
    REQUIRE(recover(k.dir.path()).ok());
    CHECK(bytes_of(k.dir / "a") == a);
    CHECK(bytes_of(k.dir / "b") == b);
    CHECK(k.logs().empty());
    REQUIRE(recover(k.dir.path()).ok());
  };
  replayed([](const Killed&) {});
  replayed([](const Killed& k) { put(k.dir / "a", "old\n"); });
  replayed([](const Killed& k) { put(k.dir / "a", "old\non"); });
  replayed([](const Killed& k) { put(k.dir / "a", "old\n" + std::string(8, '\0')); });
  replayed([](const Killed& k) { put(k.dir / "a", "old\none\n" + std::string(2, '\0') + "e\n"); });
  replayed([](const Killed& k) { fs::remove(k.dir / "b"); });
  replayed([](const Killed& k) { put(k.dir / "b", ""); });
  // Somebody else's line behind, which had reached the disk before ours: it stays.
  Killed k;
  put(k.dir / "a", "old\n" + std::string(8, '\0') + "theirs\n");
  REQUIRE(recover(k.dir.path()).ok());
  CHECK(bytes_of(k.dir / "a") == a + "theirs\n");
}

TEST_CASE("who put a board away, or took it away, finds it so after a replay", "[log]") {
  Killed k;
  fs::remove(k.dir / "a");
  fs::create_directory(k.dir / ".deleted");
  fs::rename(k.dir / "b", k.dir / ".deleted/b");
  REQUIRE(recover(k.dir.path()).ok());
  CHECK_FALSE(fs::exists(k.dir / "a"));
  CHECK_FALSE(fs::exists(k.dir / "b"));
  // What the server itself has put away, and what it wrote there before.
  for (const int state : {0, 1, 2}) {
    Bench b;
    const FilePtr a = b.log->create("a", "new\n");
    b.commit();
    b.log->move(a, ".deleted/a");
    b.commit();
    b.kill();
    if (state == 1) fs::rename(b.dir / ".deleted/a", b.dir / "a");
    if (state == 2) fs::remove_all(b.dir / ".deleted");
    REQUIRE(recover(b.dir.path()).ok());
    CHECK_FALSE(fs::exists(b.dir / "a"));
    CHECK(bytes_of(b.dir / ".deleted/a") == "new\n");
  }
}

TEST_CASE("a save that was changed otherwise stays, and the other version is put beside it",
          "[log]") {
  for (const std::string theirs : {"old\ntwo\n", "ol", "something else, and longer\n"}) {
    Killed k;
    put(k.dir / "a", theirs);
    const UniqueFd held = hold_logs(k.dir.path());
    const auto told = replay_logs(k.dir.path());
    REQUIRE(told.ok());
    CHECK(*told == Words{(k.dir / "a").string() +
                         " is not what the server had written when it was killed: it was left as "
                         "it is, and what the server had is in a.recovered."});
    CHECK(bytes_of(k.dir / "a") == theirs);
    CHECK(bytes_of(k.dir / "a.recovered") == theirs.substr(0, 4) + "one\none\n");
    CHECK(bytes_of(k.dir / "b") == "new\none\n");
    CHECK(k.logs().empty());
  }
}

TEST_CASE("a torn end of the log is its end, and damage before that is refused", "[log]") {
  const std::size_t size = [] {
    const Killed k;
    const std::string text = bytes_of(k.file());
    return text.find_last_not_of('\0') + 1;
  }();
  const std::size_t last = size - 16 - 15 - 1 - 4;  // where the third record begins
  const auto with = [&](const Killed& k, const std::function<void(std::string&)>& change) {
    std::string text = bytes_of(k.file());
    change(text);
    put(k.file(), text);
    put(k.dir / "a", "old\n");
    return recover(k.dir.path());
  };
  using Change = std::function<void(std::string&)>;
  const Change torn[] = {[&](std::string& t) { t.resize(last); },
                         [&](std::string& t) { t.resize(size - 1); },
                         [&](std::string& t) { t.resize(last + 3); },
                         [&](std::string& t) { t[size - 2] ^= 1; },
                         [&](std::string& t) { t.replace(last, 10, 10, '\0'); },
                         [&](std::string& t) { t.replace(last, size - last, size - last, '\0'); }};
  for (const Change& change : torn) {
    Killed k;
    REQUIRE(with(k, change).ok());
    CHECK(bytes_of(k.dir / "a") == "old\none\n");
    CHECK(bytes_of(k.dir / "b") == "new\none\n");
  }
  const Change none[] = {[](std::string& t) { t.clear(); },
                         [](std::string& t) { t.assign(t.size(), '\0'); }};
  for (const Change& change : none) {
    Killed k;
    REQUIRE(with(k, change).ok());
    CHECK(bytes_of(k.dir / "a") == "old\n");
    CHECK(k.logs().empty());
  }
  for (const std::size_t at : {0, 4, 9, 20, 40}) {
    Killed k;
    const auto refused = with(k, [&](std::string& t) { t[at] ^= 1; });
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.refusal().why ==
          k.file().string() +
              " is damaged at byte 0, with good records behind: what it keeps for "
              "the boards cannot be told. Move it away to go on without it.");
    CHECK(bytes_of(k.dir / "a") == "old\n");
    CHECK(k.logs() == Words{"log-1"});
  }
}

TEST_CASE("two logs are one story", "[log]") {
  Bench b;
  const FilePtr a = b.hold("a");
  b.log->append(a, "one\n");
  b.commit();
  REQUIRE_FALSE(b.log->take_checkpoint(Moment(1h)));
  auto checkpoint = b.log->take_checkpoint(Moment(2h));
  REQUIRE(checkpoint);
  REQUIRE(CommitLog::lock_again(*a));
  b.log->append(a, "two\n");
  b.commit();
  b.kill();
  CHECK(b.logs().size() == 2);
  put(b.dir / "a", "");
  const std::string first = bytes_of(b.dir / ".server/log-1");
  SECTION("both are replayed") {
    REQUIRE(recover(b.dir.path()).ok());
    CHECK(bytes_of(b.dir / "a") == "one\ntwo\n");
  }
  SECTION("the second follows the end of the first, or nothing is sure") {
    put(b.dir / ".server/log-1", first.substr(0, 10));
    CHECK_FALSE(recover(b.dir.path()).ok());
  }
  SECTION("the first is gone when its files are safe") {
    fs::remove(b.dir / ".server/log-1");
    put(b.dir / "a", "one\n");
    REQUIRE(recover(b.dir.path()).ok());
    CHECK(bytes_of(b.dir / "a") == "one\ntwo\n");
  }
}

TEST_CASE("what somebody has replaced and made safe is not undone", "[log]") {
  Bench b;
  const FilePtr a = b.hold("a");
  b.log->append(a, "one\n");
  b.commit();
  replace_file(b.dir / "a", "quite other\n");
  b.log->settled("a");
  b.commit();
  b.log->append(b.hold("a"), "two\n");
  b.commit();
  b.kill();
  put(b.dir / "a", "quite other\n");
  const UniqueFd held = hold_logs(b.dir.path());
  const auto told = replay_logs(b.dir.path());
  REQUIRE(told.ok());
  CHECK(told->empty());
  CHECK(bytes_of(b.dir / "a") == "quite other\ntwo\n");
}

TEST_CASE("a log that somebody has is left to him", "[log]") {
  Killed k;
  UniqueFd server(::open(k.dir.path().c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(::flock(server.get(), LOCK_EX | LOCK_NB) == 0);
  UniqueFd held = hold_logs(k.dir.path());
  REQUIRE(held.open());
  CHECK_FALSE(hold_logs(k.dir.path()).open());
  put(k.dir / "a", "old\n");
  REQUIRE(recover(k.dir.path()).ok());
  CHECK(bytes_of(k.dir / "a") == "old\n");
  held = UniqueFd();
  server = UniqueFd();
  REQUIRE(recover(k.dir.path()).ok());
  CHECK(bytes_of(k.dir / "a") == "old\none\none\n");
}

TEST_CASE("whatever is in a log, reading it ends, and gives what was written before the damage",
          "[log]") {
  std::mt19937 random(20261122);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    std::vector<std::size_t> ends{0};
    const std::size_t records = 1 + below(random, 6);
    for (std::size_t i = 0; i < records; ++i) {
      std::string entries;
      for (std::size_t n = 1 + below(random, 3); n > 0; --n)
        put_entry(entries, {Kind::append, "a" + std::to_string(below(random, 9)),
                            below(random, 1000), std::string(below(random, 60), 'x')});
      text += log_record(7 + i, entries);
      ends.push_back(text.size());
    }
    CHECK(read_log(text, 7).next == 7 + records);
    CHECK_FALSE(read_log(text, 7).damaged);
    const std::size_t at = below(random, text.size());
    text[at] ^= static_cast<char>(1 + below(random, 255));
    const LogRead read = read_log(text, 7);
    const auto hit =
        static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), at) - ends.begin() - 1);
    CHECK(read.next == (hit == 0 ? 0 : 7 + hit));
    CHECK(read.damaged == ends[hit]);
    CHECK(read.more == (hit + 1 < records));
  }
}

TEST_CASE("the lobby and its commands find what a killed server had promised", "[log]") {
  const std::string head = "format: 1\ngame: toot\nseats: [fred, wilma]\nplies:\n";
  struct Left : Bench {
    explicit Left(const std::string& text) {
      put(dir / "toot-101.yaml", text);
      log->append(hold("toot-101.yaml"), "- BT\n");
      log->create("toot-102.yaml", text);
      commit();
      kill();
      put(dir / "toot-101.yaml", text);
      fs::remove(dir / "toot-102.yaml");
    }
  };
  const auto plies = [](const Result<Board>& board) {
    return board.ok() ? board->match.plies().size() : 99;
  };
  CHECK(LocalBoards(Left(head).dir.path(), "").list().size() == 2);
  CHECK(plies(open_save(Left(head).dir / "toot-101.yaml")) == 1);
  {
    const Left left(head);
    LocalBoards boards(left.dir.path(), "");
    CHECK(plies(boards.open("101")) == 1);
    CHECK(plies(boards.open("102")) == 0);
  }
  {
    const Left left(head);
    LocalBoards boards(left.dir.path(), "");
    CHECK(boards.create(*find_game("toot"), {}, {"fred", "wilma"})->id == "toot-103");
  }
  // Where it cannot be told what was promised nothing is opened, and it is said why.
  const Left left(head);
  std::string log = bytes_of(left.dir / ".server/log-1");
  const std::string record = log.substr(0, log.find_last_not_of('\0') + 1);
  log.replace(0, 4, 4, '\1');
  log.replace(record.size(), record.size(), log_record(2, record.substr(16)));
  put(left.dir / ".server/log-1", log);
  LocalBoards boards(left.dir.path(), "");
  const auto lines = boards.list();
  CHECK(std::any_of(lines.begin(), lines.end(), [](const BoardSummary& line) {
    return has(line.state(), " is damaged at byte 0");
  }));
  CHECK(has(boards.open("101").refusal().why, "log-1 is damaged at byte 0"));
  CHECK(bytes_of(left.dir / "toot-101.yaml") == head);
}
