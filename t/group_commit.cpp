// SPDX-License-Identifier: MIT
// Batches of writes, tried at random against what should have become of them.
#include "server/state/group_commit.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <set>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

struct Bench {
  TemporaryDirectory dir;
  std::set<std::string> broken;
  Words synced;
  GroupCommit disk{[this](int fd) {
    synced.push_back(fs::read_symlink("/proc/self/fd/" + std::to_string(fd)).filename().string());
    return broken.count(synced.back()) ? EIO : 0;
  }};

  FileId hold(const std::string& name, GroupCommit::Then lost = nullptr) {
    const fs::path file = dir / name;
    UniqueFd fd(::open(file.c_str(), O_RDWR | O_CREAT, 0600));
    REQUIRE(fd.open());
    return disk.hold(file, std::move(fd), fs::file_size(file), std::move(lost));
  }
  GroupCommit::Finished finish(std::unique_ptr<Batch> batch) {
    batch->sync();
    GroupCommit::Finished done = disk.finish(std::move(batch));
    for (const GroupCommit::Then& then : done.follow) then();
    return done;
  }
};

}  // namespace

TEST_CASE("bytes are in the file at once, and what hangs on them follows the sync",
          "[group_commit]") {
  Bench b;
  Words heard;
  const FileId a = b.hold("a");
  b.disk.append(a, "one\n");
  b.disk.after(a, [&] { heard.push_back("one"); });
  CHECK(bytes_of(b.dir / "a") == "one\n");
  const Touched touched = b.disk.take_touched();
  CHECK(touched.last == 1);
  CHECK(touched.files == std::vector<FileId>{a});
  auto batch = b.disk.take();
  REQUIRE(batch);
  CHECK(b.disk.take() == nullptr);
  b.disk.append(a, "two\n");
  b.disk.after(a, [&] { heard.push_back("two"); });
  b.disk.after(a, [&] { heard.push_back("after two"); });
  CHECK(b.disk.take_touched().last == 2);
  CHECK(b.finish(std::move(batch)).number == 1);
  CHECK(heard == Words{"one"});
  CHECK(b.disk.held(b.dir / "a"));
  b.finish(b.disk.take());
  CHECK(heard == Words{"one", "two", "after two"});
  CHECK_FALSE(b.disk.held(b.dir / "a"));
  CHECK(b.disk.idle());
  CHECK(b.disk.take() == nullptr);
}

TEST_CASE("what was added behind lost bytes is lost with them, whichever batch it was for",
          "[group_commit]") {
  Bench b;
  Words heard;
  std::ofstream(b.dir / "a") << "old\n";
  const FileId a = b.hold("a", [&] { heard.push_back("lost " + bytes_of(b.dir / "a")); }),
               c = b.hold("c");
  b.disk.append(a, "one\n");
  b.disk.after(a, [&] { heard.push_back("one"); });
  b.broken = {"a"};
  auto batch = b.disk.take();
  b.disk.append(a, "two\n");
  b.disk.after(a, [&] { heard.push_back("two"); });
  b.disk.append(c, "three\n");
  b.disk.after(c, [&] { heard.push_back("three"); });
  const auto done = b.finish(std::move(batch));
  CHECK(done.lost == std::vector<FileId>{a});
  CHECK(done.why == "Input/output error");
  CHECK(heard == Words{"lost old\n"});
  b.finish(b.disk.take());
  CHECK(heard == Words{"lost old\n", "three"});
  CHECK(b.disk.take() == nullptr);
}

TEST_CASE(
    "a new file has its name when it is on disk, and a file that is moved away keeps its bytes",
    "[group_commit]") {
  Bench b;
  const FileId a = b.disk.begin(b.dir / "a", nullptr);
  b.disk.append(a, "new\n");
  CHECK_FALSE(fs::exists(b.dir / "a"));
  auto batch = b.disk.take();
  b.disk.append(a, "more\n");
  b.finish(std::move(batch));
  CHECK(bytes_of(b.dir / "a") == "new\nmore\n");
  b.finish(b.disk.take());
  std::ofstream(b.dir / "taken") << "there\n";
  const FileId away = b.hold("a");
  b.disk.append(away, "last\n");
  b.disk.move_away(away, b.dir / "taken");
  b.finish(b.disk.take());
  CHECK_FALSE(fs::exists(b.dir / "a"));
  CHECK(bytes_of(b.dir / "taken") == "there\n");
  CHECK(bytes_of(b.dir / "taken.1") == "new\nmore\nlast\n");
  // A name that is taken is left alone.
  const FileId second = b.disk.begin(b.dir / "taken", nullptr);
  b.disk.append(second, "x\n");
  CHECK(b.finish(b.disk.take()).why == "File exists");
  CHECK(bytes_of(b.dir / "taken") == "there\n");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(b.dir.path())) ++files;
  CHECK(files == 2);
}

TEST_CASE(
    "a journal that is replaced keeps what was added before, whatever becomes of what is added "
    "behind",
    "[group_commit]") {
  Bench b;
  Words heard;
  const FileId old = b.disk.keep(b.dir / "j", [&] { heard.push_back("lost"); });
  b.disk.append(old, "one\n");
  auto batch = b.disk.take();
  b.disk.append(old, "two\n");
  b.disk.after(old, [&] { heard.push_back("two"); });
  CHECK(b.disk.take_touched().files == std::vector<FileId>{old});
  b.finish(std::move(batch));
  const FileId fresh = b.disk.replace(old, "one and two\n");
  CHECK(fresh != old);
  CHECK(bytes_of(b.dir / "j") == "one and two\n");
  CHECK((fs::status(b.dir / "j").permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write));
  // Whoever waits for the next batch hears of it.
  b.finish(b.disk.take());
  CHECK(heard == Words{"two"});
  b.disk.append(fresh, "three\n");
  CHECK(b.disk.take_touched().files == std::vector<FileId>{fresh});
  CHECK(bytes_of(b.dir / "j") == "one and two\nthree\n");
  b.broken = {"j"};
  CHECK(b.finish(b.disk.take()).lost == std::vector<FileId>{fresh});
  CHECK(heard == Words{"two", "lost"});
  CHECK(bytes_of(b.dir / "j") == "one and two\n");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(b.dir.path())) ++files;
  CHECK(files == 1);
}

TEST_CASE(
    "a journal that was replaced where its directory cannot be synced has its old bytes on disk, "
    "or they count as lost",
    "[group_commit]") {
  // With no file left no directory is opened, and so none synced.
  const auto with_files = [](int more, const std::function<void()>& work) {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    rlimit tight = before;
    tight.rlim_cur = static_cast<rlim_t>(UniqueFd(::open("/dev/null", O_RDONLY)).get() + more);
    ::setrlimit(RLIMIT_NOFILE, &tight);
    work();
    ::setrlimit(RLIMIT_NOFILE, &before);
  };
  const std::string old_file = "j (deleted)";
  GroupCommit::Finished done;
  for (const bool broken : {false, true}) {
    Bench b;
    if (broken) b.broken = {old_file};
    const FileId old = b.disk.keep(b.dir / "j", nullptr);
    b.disk.append(old, "one\n");
    FileId fresh = 0;
    with_files(1, [&] { fresh = b.disk.replace(old, "one\n"); });
    CHECK(b.synced == Words{old_file});
    with_files(0, [&] { done = b.finish(b.disk.take()); });
    CHECK(done.why == "Too many open files");
    CHECK(done.lost == (broken ? std::vector<FileId>{fresh, old} : std::vector<FileId>{fresh}));
    // Nobody waits for the old one any more.
    b.disk.append(fresh, "two\n");
    CHECK(b.finish(b.disk.take()).lost.empty());
  }
  // Once the name is sure the old bytes do not count; where two in a row are not, those of the
  // second do.
  Bench b;
  b.broken = {old_file};
  const FileId first = b.disk.keep(b.dir / "j", nullptr);
  b.disk.append(first, "one\n");
  FileId second = 0, third = 0;
  with_files(1, [&] { second = b.disk.replace(first, "one\n"); });
  CHECK(b.finish(b.disk.take()).lost.empty());
  b.broken.clear();
  b.disk.append(second, "two\n");
  with_files(1, [&] { third = b.disk.replace(second, "one\ntwo\n"); });
  b.disk.append(third, "three\n");
  FileId fourth = 0;
  with_files(1, [&] { fourth = b.disk.replace(third, "one\ntwo\nthree\n"); });
  with_files(0, [&] { done = b.finish(b.disk.take()); });
  CHECK(done.lost == std::vector<FileId>{fourth, third});
}

TEST_CASE("random appends, batches and failures leave just what was kept", "[group_commit]") {
  const unsigned seed = 42;
  std::cout << "seed " << seed << '\n';
  std::mt19937 random(seed);
  Bench b;
  constexpr std::size_t kFiles = 4;
  struct Model {
    std::string kept, out, open;  // bytes: on disk for good, in the batch that is out, behind that
    std::size_t told = 0;         // bytes whose `then` has run
    bool is_out = false;
  };
  std::vector<Model> model(kFiles);
  std::unique_ptr<Batch> out;
  int next = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::size_t n = below(random, kFiles);
    const std::string name = std::to_string(n);
    switch (below(random, 6)) {
      case 0:
        if (!out) {
          out = b.disk.take();
          CHECK((out != nullptr) == std::any_of(model.begin(), model.end(),
                                                [](const Model& m) { return !m.open.empty(); }));
          if (out)
            for (Model& m : model) {
              m.is_out = !m.open.empty();
              m.out = std::exchange(m.open, "");
            }
        }
        break;
      case 1:
        if (out) {
          b.broken.clear();
          for (std::size_t f = 0; f < kFiles; ++f)
            if (below(random, 5) == 0) b.broken.insert(std::to_string(f));
          b.finish(std::move(out));
          for (std::size_t f = 0; f < kFiles; ++f) {
            Model& m = model[f];
            if (m.is_out && b.broken.count(std::to_string(f))) m.open.clear();
            else m.kept += m.out;
            m.out.clear();
            m.is_out = false;
          }
        }
        break;
      default: {
        const FileId* held = b.disk.held(b.dir / name);
        const std::string line = std::to_string(next++) + "\n";
        const FileId file = held ? *held : b.hold(name);
        b.disk.append(file, line);
        b.disk.after(file, [&model, n, size = line.size()] { model[n].told += size; });
        model[n].open += line;
      }
    }
    if (fs::exists(b.dir / name))
      REQUIRE(bytes_of(b.dir / name) == model[n].kept + model[n].out + model[n].open);
    REQUIRE(model[n].told == model[n].kept.size());
  }
}

TEST_CASE("with the real disk beneath it a new file and an old one are kept", "[group_commit]") {
  TemporaryDirectory dir;
  GroupCommit disk;
  std::ofstream(dir / "old") << "one\n";
  const FileId made = disk.begin(dir / "new", nullptr),
               old = disk.hold(dir / "old", UniqueFd(::open((dir / "old").c_str(), O_RDWR)), 4,
                               nullptr);
  disk.append(made, "hello\n");
  disk.append(old, "two\n");
  auto batch = disk.take();
  batch->sync();
  CHECK(disk.finish(std::move(batch)).lost.empty());
  CHECK(bytes_of(dir / "new") == "hello\n");
  CHECK(bytes_of(dir / "old") == "one\ntwo\n");
  CHECK(disk.idle());
  // What was begun and never synced leaves nothing behind.
  {
    GroupCommit other;
    other.append(other.begin(dir / "third", nullptr), "x\n");
  }
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(dir.path())) ++files;
  CHECK(files == 2);
}

TEST_CASE("where the system gives few threads or none all files are synced still",
          "[group_commit]") {
  for (const rlim_t allowed : {0U, 3U}) {
    TemporaryDirectory dir;
    GroupCommit disk;
    std::vector<fs::path> files;
    for (int i = 0; i < 40; ++i) {
      files.push_back(dir / std::to_string(i));
      const FileId file = disk.hold(
          files.back(), UniqueFd(::open(files.back().c_str(), O_RDWR | O_CREAT, 0600)), 0, nullptr);
      disk.append(file, "x\n");
    }
    auto batch = disk.take();
    const pid_t child = ::fork();
    if (child == 0) {
      // The limit means nobody who is root: what is open already is synced by anybody.
      const rlimit limit{allowed, allowed};
      ::setrlimit(RLIMIT_NPROC, &limit);
      if (::geteuid() == 0 && ::setresuid(65'123, 65'123, 65'123) != 0) ::_exit(2);
      ::alarm(10);
      batch->sync();
      ::_exit(disk.finish(std::move(batch)).lost.empty() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    for (const fs::path& file : files) CHECK(bytes_of(file) == "x\n");
  }
}
