// SPDX-License-Identifier: MIT
// File errors: other kinds of file, missing permissions, a full disk, two writers at a time.
#include "base/files.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <functional>

#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMax = 1000;

void write_file(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string describe_result(const Result<std::string>& r) {
  return r ? "read: " + *r : r.refusal().reason;
}
std::string describe_result(const Result<LockedFile>& r) {
  return r ? "opened: " + r->text() : r.refusal().reason;
}

// Returns the text of the thrown Error, or "".
std::string error_text(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// Runs `what` in a child process and returns its result. Ends the child after ten seconds.
std::string run_in_child(const std::function<std::string()>& what) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(120);
    std::string said;
    try {
      said = what();
    } catch (const std::exception& e) {
      said = std::string("threw: ") + e.what();
    }
    [[maybe_unused]] const ssize_t n = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string out;
  std::array<char, 4096> bytes{};
  for (ssize_t n = 0; (n = ::read(ends[0], bytes.data(), bytes.size())) > 0;)
    out.append(bytes.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return out;
}

// As run_in_child(), but gives up the rights of root first.
std::string run_as_nobody(const std::function<std::string()>& what) {
  return run_in_child([&]() -> std::string {
    constexpr unsigned nobody = 65534;
    if (::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0))
      return "cannot become another user";
    return what();
  });
}

std::size_t count_files(const fs::path& directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("a file is read whole", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one\ntwo");
  CHECK(describe_result(read_file(dir / "a", kMax)) == "read: one\ntwo");
  write_file(dir / "empty", "");
  CHECK(describe_result(read_file(dir / "empty", kMax)) == "read: ");
  write_file(dir / "most", std::string(kMax, 'x'));
  CHECK(read_file(dir / "most", kMax).ok());
  fs::create_symlink("a", dir / "link");
  CHECK(describe_result(read_file(dir / "link", kMax)) == "read: one\ntwo");
}

TEST_CASE("what is no readable file is refused with its name", "[files]") {
  const TemporaryDirectory dir;
  const std::string base = dir.path().string();
  CHECK(describe_result(read_file(dir / "none", kMax)) == "There is no file " + base + "/none.");
  CHECK(describe_result(LockedFile::open(dir / "none", kMax)) ==
        "There is no file " + base + "/none.");
  CHECK(describe_result(read_file(dir.path(), kMax)) == base + " is a directory, not a save.");
  CHECK(describe_result(LockedFile::open(dir.path(), kMax)) ==
        base + " is a directory, not a save.");
  fs::create_symlink("nowhere", dir / "dangling");
  CHECK(describe_result(read_file(dir / "dangling", kMax)) ==
        "There is no file " + base + "/dangling.");
  fs::create_symlink("loop", dir / "loop");
  CHECK(describe_result(read_file(dir / "loop", kMax)) ==
        base + "/loop cannot be opened (Too many levels of symbolic links).");
  write_file(dir / "a", "x");
  CHECK(describe_result(read_file(dir / "a" / "b", kMax)) ==
        base + "/a/b cannot be opened (Not a directory).");
  CHECK(describe_result(read_file(dir / std::string(300, 'n'), kMax)) ==
        base + "/" + std::string(300, 'n') + " cannot be opened (File name too long).");
  CHECK(describe_result(read_file(dir / "\x1b[2J", kMax)) == "There is no file " + base + "/?[2J.");
}

TEST_CASE("fifos and devices are refused at once", "[files]") {
  const TemporaryDirectory dir;
  const std::string base = dir.path().string();
  REQUIRE(::mkfifo((dir / "fifo").c_str(), 0600) == 0);
  CHECK(run_in_child([&] { return describe_result(read_file(dir / "fifo", kMax)); }) ==
        base + "/fifo is not a regular file.");
  CHECK(run_in_child([&] { return describe_result(LockedFile::open(dir / "fifo", kMax)); }) ==
        base + "/fifo is not a regular file.");
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full", "/dev/tty"}) {
    const std::string read = run_in_child([&] { return describe_result(read_file(device, kMax)); }),
                      opened = run_in_child(
                          [&] { return describe_result(LockedFile::open(device, kMax)); });
    CHECK((read == std::string(device) + " is not a regular file." ||
           read.find(" cannot be opened (") != std::string::npos));
    CHECK((opened == std::string(device) + " is not a regular file." ||
           opened.find(" cannot be opened (") != std::string::npos));
  }
}

TEST_CASE("a file that may not be opened is refused", "[files]") {
  const TemporaryDirectory dir;
  REQUIRE(::chmod(dir.path().c_str(), 0755) == 0);
  write_file(dir / "secret", "x");
  write_file(dir / "shown", "x");
  REQUIRE(::chmod((dir / "secret").c_str(), 0) == 0);
  REQUIRE(::chmod((dir / "shown").c_str(), 0444) == 0);
  const std::string said =
      run_as_nobody([&] { return describe_result(read_file(dir / "secret", kMax)); });
  if (said == "cannot become another user") return skip_test(said);
  CHECK(said == "You may not open " + (dir / "secret").string() + " (permission denied).");
  CHECK(run_as_nobody([&] { return describe_result(read_file(dir / "shown", kMax)); }) ==
        "read: x");
  CHECK(run_as_nobody([&] { return describe_result(LockedFile::open(dir / "shown", kMax)); }) ==
        "You may not open " + (dir / "shown").string() + " (permission denied).");
}

TEST_CASE("a directory that takes no files is told", "[files]") {
  const TemporaryDirectory dir;
  REQUIRE(::chmod(dir.path().c_str(), 0555) == 0);
  const std::string said =
      run_as_nobody([&] { return error_text([&] { create_file(dir / "new", "x"); }); });
  if (said == "cannot become another user") return skip_test(said);
  CHECK(said == dir.path().string() + " cannot hold a new file: Permission denied.");
  CHECK(run_as_nobody([&] { return error_text([&] { make_directory(dir / "below"); }); }) ==
        (dir / "below").string() + " cannot be created: Permission denied.");
  CHECK(count_files(dir.path()) == 0);
}

TEST_CASE("a directory can be made where one may write and not read", "[files]") {
  const TemporaryDirectory dir;
  REQUIRE(::chmod(dir.path().c_str(), 0733) == 0);
  const std::string said =
      run_as_nobody([&] { return error_text([&] { make_directory(dir / "box" / "in"); }); });
  if (said == "cannot become another user") return skip_test(said);
  CHECK(said == "");
  CHECK(fs::is_directory(dir / "box" / "in"));
}

TEST_CASE("a file that is too large is refused before it is read", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "large", std::string(kMax + 1, 'x'));
  CHECK(describe_result(read_file(dir / "large", kMax)) ==
        (dir / "large").string() + " is too large: 1001 bytes. The limit is 1000 bytes.");
  write_file(dir / "huge", "format: 1\n");
  fs::resize_file(dir / "huge", 100'000'000);
  const auto begun = std::chrono::steady_clock::now();
  CHECK(describe_result(read_file(dir / "huge", kMax)) ==
        (dir / "huge").string() + " is too large: 100000000 bytes. The limit is 1000 bytes.");
  CHECK(describe_result(LockedFile::open(dir / "huge", kMax)) ==
        (dir / "huge").string() + " is too large: 100000000 bytes. The limit is 1000 bytes.");
  // read_file() returns the first 4096 bytes of an implausible file; the caller judges them.
  const auto foreign = read_file(dir / "huge", kMax, [](std::string_view) { return false; });
  REQUIRE(foreign.ok());
  CHECK(foreign->size() == 4096);
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(10));
}

TEST_CASE("a file that is shorter than it was said to be is read as far as it goes", "[files]") {
  // Another program shortens it between the size check and the read.
  static TemporaryDirectory* place;
  const TemporaryDirectory dir;
  place = const_cast<TemporaryDirectory*>(&dir);
  CHECK(run_in_child([&] {
          write_file(dir / "cut", std::string(9000, 'x'));
          const auto read = read_file(dir / "cut", 10'000, [](std::string_view) {
            fs::resize_file(*place / "cut", 5000);
            return true;
          });
          return read ? std::to_string(read->size()) : read.refusal().reason;
        }) == "5000");
  const fs::path page = "/sys/kernel/uevent_seqnum";  // reports 4096 bytes, contains a number
  if (!fs::exists(page)) return skip_test("no /sys here");
  CHECK(run_in_child([&] { return describe_result(read_file(page, 10'000)).substr(0, 6); }) ==
        "read: ");
}

TEST_CASE("a new file is written whole under its name, which must be free", "[files]") {
  const TemporaryDirectory dir;
  const fs::path file = dir / "below" / "deeper" / "a";
  CHECK(create_file(file, "one"));
  CHECK(read_bytes(file) == "one");
  CHECK_FALSE(create_file(file, "two"));
  CHECK(read_bytes(file) == "one");
  CHECK(count_files(file.parent_path()) == 1);
  CHECK((fs::status(dir / "below").permissions() & fs::perms::all) == fs::perms::owner_all);
  const mode_t mask = ::umask(027);
  CHECK(create_file(dir / "masked", "x"));
  ::umask(mask);
  CHECK((fs::status(dir / "masked").permissions() & fs::perms::all) == fs::perms(0640));
  ::umask(0);
  CHECK(create_file(dir / "unmasked", "x"));
  replace_file(dir / "unmasked too", "x");
  ::umask(mask);
  for (const char* name : {"unmasked", "unmasked too"})
    CHECK((fs::status(dir / name).permissions() & fs::perms::all) == fs::perms(0664));
  fs::create_symlink("nowhere", dir / "dangling");
  CHECK_FALSE(create_file(dir / "dangling", "x"));
  write_file(dir / "file", "x");
  CHECK(error_text([&] { create_file(dir / "file" / "a", "x"); }) ==
        (dir / "file").string() + " cannot be used: Not a directory.");
}

TEST_CASE("a file is replaced with its permissions, and a link stays a link", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one");
  REQUIRE(::chmod((dir / "a").c_str(), 0604) == 0);
  fs::create_symlink("a", dir / "link");
  replace_file(dir / "link", "two");
  CHECK(fs::is_symlink(dir / "link"));
  CHECK(read_bytes(dir / "a") == "two");
  CHECK((fs::status(dir / "a").permissions() & fs::perms::all) == fs::perms(0604));
  replace_file(dir / "new", "three");
  CHECK(read_bytes(dir / "new") == "three");
  CHECK(count_files(dir.path()) == 3);
}

TEST_CASE("a file gets another name only where that is free", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one");
  write_file(dir / "b", "two");
  CHECK_FALSE(rename_file(dir / "a", dir / "b"));
  CHECK(read_bytes(dir / "b") == "two");
  CHECK(rename_file(dir / "a", dir / "below" / "c"));
  CHECK(read_bytes(dir / "below" / "c") == "one");
  CHECK_FALSE(fs::exists(dir / "a"));
  CHECK(error_text([&] { rename_file(dir / "none", dir / "d"); }) != "");
}

TEST_CASE("lines are added in place, and everything else is written beside and renamed",
          "[files]") {
  const TemporaryDirectory dir;
  const auto written = [&](std::string_view before, std::size_t kept, std::string_view added,
                           bool in_place) {
    const fs::path file = dir / "a";
    write_file(file, before);
    struct stat old {
    }, then{};
    REQUIRE(::stat(file.c_str(), &old) == 0);
    auto locked = LockedFile::open(file, kMax);
    REQUIRE(locked.ok());
    locked->write(kept, added);
    CHECK(read_bytes(file) == std::string(before.substr(0, kept)) + std::string(added));
    CHECK(locked->text() == read_bytes(file));
    REQUIRE(::stat(file.c_str(), &then) == 0);
    CHECK((old.st_ino == then.st_ino) == in_place);
  };
  written("one\n", 4, "two\n", true);
  written("one\nhalf", 4, "two\n", true);
  written("one\n", 4, "two\nthree\n", false);  // a crash could keep one of two lines
  written("", 0, "one\n", true);
  written("one", 3, "\ntwo\n", false);
  written("one\nnote\n", 4, "two\nnote\n", false);
  written("one\ntwo\n", 0, "three\n", false);
  CHECK(count_files(dir.path()) == 1);
}

TEST_CASE("a file whose disk is full keeps its old bytes", "[files]") {
  // A limit on the size of files acts like a full disk: a write fails in the middle, too.
  const TemporaryDirectory dir;
  write_file(dir / "a", "one\n");
  write_file(dir / "b", "one\nnote\n");
  const std::string said = run_in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{12, 12};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    auto a = LockedFile::open(dir / "a", kMax), b = LockedFile::open(dir / "b", kMax);
    return error_text([&] { a->write(4, "two, and a long way on\n"); }) + "|" +
           error_text([&] { b->write(4, "two, and a long way on\nnote\n"); }) + "|" +
           error_text([&] { create_file(dir / "c", "far too much for this disk\n"); }) + "|" +
           error_text([&] { replace_file(dir / "a", "far too much for this disk\n"); });
  });
  CHECK(read_bytes(dir / "a") == "one\n");
  CHECK(read_bytes(dir / "b") == "one\nnote\n");
  CHECK(count_files(dir.path()) == 2);
  CHECK(std::count(said.begin(), said.end(), '|') == 3);
  CHECK(said.find((dir / "a").string() + " cannot be written: File too large.") == 0);
  CHECK(said.find("threw") == std::string::npos);
}

TEST_CASE("a disk that really is full is told, and nothing is lost", "[files]") {
  const TemporaryDirectory dir;
  const std::string said = run_in_child([&]() -> std::string {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", dir.path().c_str(), "tmpfs", 0, "size=16k,mode=0700") != 0)
      return "no small disk can be mounted here";
    write_file(dir / "a", "one\n");
    write_file(dir / "b", "one\nnote\n");
    write_file(dir / "filler", std::string(1 << 16, 'x'));
    auto a = LockedFile::open(dir / "a", kMax), b = LockedFile::open(dir / "b", kMax);
    const std::string many = std::string(8192, 'y') + "\n";
    std::string out = error_text([&] { a->write(4, many); }) + "|" +
                      error_text([&] { b->write(4, "two\nnote\n"); }) + "|" +
                      error_text([&] { create_file(dir / "c", "x"); });
    std::ifstream in_a(dir / "a"), in_b(dir / "b");
    return out + "|" + std::string(std::istreambuf_iterator<char>(in_a), {}) + "|" +
           std::string(std::istreambuf_iterator<char>(in_b), {}) + "|" +
           std::to_string(count_files(dir.path()));
  });
  if (said == "no small disk can be mounted here") return skip_test(said);
  const std::string full = ": No space left on device.|";
  CHECK(said.find((dir / "a").string() + " cannot be written" + full) == 0);
  CHECK(std::count(said.begin(), said.end(), '|') == 5);
  CHECK(said.find("|one\n|one\nnote\n|3") != std::string::npos);
}

TEST_CASE("a writer waits for another and then says so", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one\n");
  const auto held = LockedFile::open(dir / "a", kMax);
  REQUIRE(held.ok());
  const auto begun = std::chrono::steady_clock::now();
  CHECK(run_in_child([&] { return describe_result(LockedFile::open(dir / "a", kMax)); }) ==
        (dir / "a").string() + " is being written by another program. Try again.");
  const auto waited = std::chrono::steady_clock::now() - begun;
  CHECK(waited > std::chrono::milliseconds(1900));
  CHECK(waited < std::chrono::seconds(20));
  // A reader waits for a short time or not at all.
  CHECK(run_in_child([&] { return describe_result(read_idle_file(dir / "a", kMax)); }) ==
        "read: one\n");
  CHECK(run_in_child([&] { return describe_result(read_file(dir / "a", kMax)); }) == "read: one\n");
}

TEST_CASE("a writer that waited for a replaced file gets the new one", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one\nnote\n");
  std::optional<LockedFile> held(*LockedFile::open(dir / "a", kMax));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto second = LockedFile::open(dir / "a", kMax);
    if (second) second->write(second->text().size(), "three\n");
    ::_exit(second ? 0 : 1);
  }
  ::usleep(50'000);
  held->write(4, "two\nnote\n");
  held.reset();
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(read_bytes(dir / "a") == "one\ntwo\nnote\nthree\n");
}

TEST_CASE("writers at the same time never lose a line", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "format\n");
  constexpr int writers = 4, lines = 40;
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      int wrong = 0;
      for (int i = 0; i < lines; ++i) {
        auto file = LockedFile::open(dir / "a", 1 << 20);
        if (!file) {
          ++wrong;
          continue;
        }
        const std::string line = std::to_string(w) + " " + std::to_string(i) + "\n";
        // Every fourth write replaces the file, as a save with a note after its plies does.
        if (i % 4 == 3) file->write(0, file->text() + line);
        else file->write(file->text().size(), line);
      }
      ::_exit(wrong);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const std::string text = read_bytes(dir / "a");
  CHECK(std::count(text.begin(), text.end(), '\n') == 1 + writers * lines);
  for (int w = 0; w < writers; ++w)
    for (int i = 0; i < lines; ++i)
      if (text.find("\n" + std::to_string(w) + " " + std::to_string(i) + "\n") == std::string::npos)
        FAIL_CHECK("writer " << w << " lost line " << i);
}

TEST_CASE("a locked file is not handed to a child process", "[files]") {
  const TemporaryDirectory dir;
  write_file(dir / "a", "one\n");
  const auto held = LockedFile::open(dir / "a", kMax);
  REQUIRE(held.ok());
  int found = 0;
  for (const auto& open : fs::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    if (fs::read_symlink(open.path(), error) != dir / "a") continue;
    ++found;
    CHECK((::fcntl(std::stoi(open.path().filename().string()), F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(found == 1);
}
