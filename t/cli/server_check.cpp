// SPDX-License-Identifier: MIT
// `serve --check`: a line for each thing that is right, missing or unsafe in a set-up.
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "child.hpp"
#include "run.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

TEST_CASE("serve --check says what is missing or unsafe", "[cli][server][keys]") {
  TemporaryDirectory dir;
  const auto check = [&] {
    RunOptions options;
    options.variables = {"PATH=" + (dir / "bin").string() + ":/usr/bin:/bin"};
    return run_program({"serve", "--check", "--dir", (dir / "boards").string(), "--socket",
                        (dir / "sock").string(), "--backup", (dir / "copy").string()},
                       options);
  };
  const auto write_sshd = [&](const std::string& settings) {
    fs::create_directories(dir / "bin");
    std::ofstream(dir / "bin/sshd") << "#!/bin/sh\ncat <<'END'\n" << settings << "END\n";
    fs::permissions(dir / "bin/sshd", fs::perms(0755));
  };
  const RunResult nothing = check();
  CHECK(nothing.status == 1);
  CHECK(contains(nothing.out, "No server has used"));
  CHECK(contains(nothing.out, "No server answers"));
  CHECK(contains(nothing.out, "There is no backup"));

  BackgroundProcess server({require_program().string(), "serve", "--dir", (dir / "boards").string(),
                            "--socket", (dir / "sock").string()},
                           dir / "log");
  server.wait_for("listening on");
  const fs::path trusted = dir / "boards/.server/trusted";
  std::ofstream(trusted) << "door *\ndaemon keys  # of Debian\n";
  fs::permissions(trusted, fs::perms(0600));
  const std::string good =
      "pubkeyauthentication yes\npasswordauthentication no\nkbdinteractiveauthentication no\n"
      "permituserenvironment no\npermittty yes\nforcecommand none\nacceptenv LANG LC_*\n"
      "authorizedkeyscommanduser nobody\nauthorizedkeyscommand /usr/bin/env pbmplay door --any-key "
      "--socket " +
      (dir / "sock").string() + " %t %k\n";
  write_sshd(good);
  REQUIRE(
      run_program({"backup", "--dir", (dir / "boards").string(), (dir / "copy").string()}).status ==
      0);
  const RunResult set_up = check();
  INFO(set_up.out << set_up.err);
  CHECK(contains(set_up.out, "The shell of daemon runs no command"));
  for (const char* problem : {"server answers", "files", "speak for keys", "ignores", "Every login",
                              "sshd", "Write", "MB free", "backup"})
    CHECK_FALSE(contains(set_up.out, problem));
  // Each of these makes one more problem.
  const auto problem = [&](const std::string& text) {
    const RunResult now = check();
    INFO(now.out);
    CHECK(now.status == 1);
    CHECK(contains(now.out, text));
  };
  write_sshd(good.substr(good.find('\n') + 1) + "pubkeyauthentication no\n");
  problem("Write below Match User daemon: PubkeyAuthentication yes");
  write_sshd("passwordauthentication yes\n");
  problem("Write below Match User daemon: PasswordAuthentication no");
  problem("sshd lets in nobody new");
  // sshd does not run a program that others could replace, also by renaming a directory.
  const std::string command = " door --any-key --socket " + (dir / "sock").string() + " %t %k\n";
  std::ofstream(dir / "bin/door") << "";
  fs::permissions(dir / "bin", fs::perms(0777));
  write_sshd("authorizedkeyscommand " + (dir / "bin/door").string() + command);
  problem("only if " + fs::canonical(dir / "bin").string() + " belongs to root");
  write_sshd("authorizedkeyscommand /usr/bin/no-such-program" + command);
  problem("There is no /usr/bin/no-such-program");
  write_sshd("acceptenv LANG LD_PRELOAD\n");
  problem("sshd accepts the variable LD_PRELOAD");
  std::ofstream(dir / "bin/sshd") << "#!/bin/sh\nexit 1\n";
  problem("sshd -T prints nothing");
  fs::permissions(trusted, fs::perms(0622));
  problem("The server ignores");
  fs::permissions(dir / "sock", fs::perms(0666));
  problem("Every login can reach the socket");
  fs::permissions(dir / "boards/.server", fs::perms(0755));
  problem("Others can read or write");
  fs::last_write_time(dir / "copy/.server/server.db",
                      fs::file_time_type::clock::now() - std::chrono::hours(24 * 5));
  problem("The backup is older than two days");
  std::ofstream(trusted) << "door *\n";
  problem("No login may speak for keys");
  // After a restore as root, some files belong to another login.
  if (::geteuid() == 0) REQUIRE(::chown((dir / "boards/.server").c_str(), 1, 1) == 0);
  else fs::permissions(dir / "boards", fs::perms(0500));
  problem(" cannot write " + (dir / "boards").string());
  fs::permissions(dir / "boards", fs::perms(0700));
}
