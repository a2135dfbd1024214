// SPDX-License-Identifier: MIT
// `serve --check`: looks at a server that strangers reach by ssh, and says what is missing or
// unsafe, in a line each. `serve --check-data`: prints the report of server/data_check.hpp. Both
// change nothing.
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>

#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "boards/server_connection.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "protocol/userid.hpp"
#include "server/backup.hpp"
#include "server/data_check.hpp"
#include "server/net/peer_auth.hpp"

namespace pbm {
namespace {

namespace fs = std::filesystem;

constexpr const char *kServerFiles = ".server", *kServerDatabase = "server.db";

std::optional<struct stat> status_of(const fs::path& file) {
  struct stat out {};
  return ::lstat(file.c_str(), &out) == 0 ? std::optional(out) : std::nullopt;
}

bool is_private(const struct stat& status, uid_t owner, mode_t forbidden) {
  return status.st_uid == owner && (status.st_mode & forbidden) == 0;
}

// Returns the settings that sshd has for `login`, by name, several values joined; none if it does
// not print them. Pre: there is such a login.
std::map<std::string, std::string> read_sshd(const std::string& login) {
  const std::string command =
      "PATH=$PATH:/usr/sbin; exec \"$(command -v sshd)\" -T -C 'user=" + login +
      ",host=any,addr=192.0.2.1' 2>/dev/null";
  std::map<std::string, std::string> out;
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) return out;
  char* line = nullptr;
  std::size_t room = 0;
  for (ssize_t size; (size = ::getline(&line, &room, pipe)) > 0;) {
    std::string_view rest(line, static_cast<std::size_t>(size));
    std::string& value = out[lower(take_word(rest))];
    value += (value.empty() ? "" : " ") + std::string(trim(rest));
  }
  std::free(line);
  if (::pclose(pipe) != 0) out.clear();
  return out;
}

class Checkup {
 public:
  explicit Checkup(const Arguments& arguments)
      : directory_(arguments.option_text("dir")),
        address_(server_address(arguments)),
        backup_(arguments.option_text("backup")) {}

  int run() {
    check_directory();
    const std::string login = check_trusted();
    const passwd* const entry = login.empty() ? nullptr : ::getpwnam(login.c_str());
    need(login.empty() || entry,
         "There is no login " + login + ". Type: useradd -r -m -s /bin/sh -p '*' " + login);
    check_socket(entry);
    if (entry) {
      check_login(*entry);
      check_sshd(login);
    }
    check_space();
    if (!has_problem_) std::cout << "This server is complete and safe.\n";
    return has_problem_ ? kExitRefused : kExitSuccess;
  }

 private:
  // Prints the problem unless `right`.
  void need(bool right, const std::string& problem) {
    has_problem_ = has_problem_ || !right;
    if (!right) std::cout << safe_text(problem) << '\n';
  }

  void check_directory() {
    const fs::path own = directory_ / kServerFiles;
    const auto all = status_of(directory_), files = status_of(own),
               database = status_of(own / kServerDatabase);
    need(files && database, "No server has used " + directory_.string() + ". Start one there.");
    if (files) owner_ = files->st_uid;
    if (!files || !database) return;
    need(is_private(*all, owner_, 022) && is_private(*files, owner_, 077) &&
             is_private(*database, owner_, 077),
         "Others can read or write the server's files. Type: chmod go-w " + directory_.string() +
             "; chmod -R go= " + own.string());
    need(owner_ != 0,
         "The server runs as root. Give it a login of its own, such as pbm. After a restore, type: "
         "chown -R pbm " +
             directory_.string());
    const std::string unwritable = describe_unwritable(directory_, owner_);
    need(unwritable.empty(), unwritable);
  }

  // Returns the login that may speak for keys, or "".
  std::string check_trusted() {
    const fs::path file = directory_ / kServerFiles / "trusted";
    const auto text = read_file(file, std::size_t{1} << 20);
    const auto logins = trusted_logins(text ? *text : "", kSomeFingerprint);
    const std::string login = logins.empty() ? "" : logins.back();
    need(!login.empty(), "No login may speak for keys. Write play keys to " + file.string() + ".");
    const auto status = status_of(file);
    need(!status || (S_ISREG(status->st_mode) && is_private(*status, owner_, 022)),
         "The server ignores " + file.string() + ". It must be its own, with mode 600.");
    return login;
  }

  void check_socket(const passwd* login) {
    const std::string path = address_.socket_path.string();
    need(SocketClient::connect(address_, std::chrono::seconds(2)).ok(),
         "No server answers at " + path + ". Type: systemctl start pbmplay");
    const auto status = status_of(path);
    if (!status) return;
    need((status->st_mode & 07) == 0, "Every login can reach the socket. Type: chmod o= " + path);
    std::array<gid_t, 256> groups{};
    int n = static_cast<int>(groups.size());
    if (login && ::getgrouplist(login->pw_name, login->pw_gid, groups.data(), &n) >= 0)
      need(std::ranges::count(groups, status->st_gid) > 0,
           std::string(login->pw_name) + " is not in the group of the socket. Type: usermod -aG " +
               std::to_string(status->st_gid) + " " + login->pw_name);
    need((status->st_mode & 060) == 060,
         "The group of the socket cannot reach it. Type: chmod g=rw " + path);
  }

  void check_login(const passwd& login) {
    const std::string name = login.pw_name, shell = login.pw_shell, home = login.pw_dir;
    need(!shell.ends_with("/nologin") && !shell.ends_with("/false"),
         "The shell of " + name + " runs no command. Type: usermod -s /bin/sh " + name);
    need(login.pw_uid != 0 && login.pw_uid != owner_, name + " must not be root or the server.");
    const auto status = status_of(home);
    need(status && is_private(*status, login.pw_uid, 022),
         home + " must exist and belong to " + name + " alone. Type: chown -R " + name + ": " +
             home + "; chmod go-w " + home);
  }

  void check_sshd(const std::string& login) {
    auto settings = read_sshd(login);
    if (settings.empty()) return need(false, "sshd -T prints nothing. Run this as root.");
    std::error_code error;
    std::string& command = settings["authorizedkeyscommand"];
    command = join(split_words(command));
    need((command + " ")
                 .find(" door --any-key --socket " + address_.socket_path.string() + " %t %k ") !=
             std::string::npos,
         "sshd lets in nobody new. Write: AuthorizedKeysCommand " +
             fs::read_symlink("/proc/self/exe", error).string() + " door --any-key --socket " +
             address_.socket_path.string() + " %t %k");
    const std::string named = command.substr(0, command.find(' '));
    const fs::path program = fs::canonical(named, error);
    need(named == "none" || !error, "There is no " + named + ". Write the path of pbmplay there.");
    // sshd looks at the program and at all directories above it.
    for (fs::path part = error ? "" : program; !part.empty();
         part = part == part.root_path() ? "" : part.parent_path()) {
      const auto status = status_of(part);
      need(status && is_private(*status, 0, 022),
           "sshd runs " + named + " only if " + part.string() +
               " belongs to root and nobody else can write it. Type: chown root " + part.string() +
               "; chmod go-w " + part.string());
    }
    const std::string& user = settings["authorizedkeyscommanduser"];
    need(user != "none" && user != "root", "Write: AuthorizedKeysCommandUser nobody");
    static constexpr std::array<const char*, 2> kWanted[]{{"PubkeyAuthentication", "yes"},
                                                          {"PasswordAuthentication", "no"},
                                                          {"KbdInteractiveAuthentication", "no"},
                                                          {"PermitUserEnvironment", "no"},
                                                          {"PermitTTY", "yes"},
                                                          {"ForceCommand", "none"}};
    for (const auto& [name, value] : kWanted)
      need(settings[lower(name)] == value,
           "Write below Match User " + login + ": " + name + " " + value);
    for (const std::string& name : split_words(settings["acceptenv"]))
      need(name.starts_with("LC_") || name == "LANG" || name == "COLORTERM" || name == "NO_COLOR",
           "sshd accepts the variable " + name + " from strangers. Remove it from AcceptEnv.");
  }

  void check_space() {
    constexpr std::uintmax_t kLeast = 200'000'000;
    constexpr auto kOldest = std::chrono::hours(48);
    std::error_code error;
    const auto space = fs::space(directory_, error);
    need(error || space.available >= kLeast, "The disk has less than 200 MB free.");
    if (backup_.empty()) return need(false, "Name the copy of pbmplay backup with --backup DIR.");
    const auto copy = status_of(backup_ / kServerFiles / kServerDatabase);
    need(copy && now() - Time(std::chrono::seconds(copy->st_mtime)) < kOldest,
         (copy ? "The backup is older than two days" : "There is no backup") +
             std::string(". Type: pbmplay backup --dir ") + directory_.string() + " " +
             backup_.string());
  }

  fs::path directory_;
  ServerAddress address_;
  fs::path backup_;
  uid_t owner_ = 0;
  bool has_problem_ = false;
};

}  // namespace

int check_server(const Arguments& arguments) { return Checkup(arguments).run(); }

int check_server_data(const Arguments& arguments) {
  const DataReport report = need(check_data(arguments.option_text("check-data")), kExitFailure);
  for (const auto* sentences : {&report.problems, &report.leftovers})
    for (const std::string& sentence : *sentences) std::cout << safe_text(sentence) << '\n';
  std::cout << format_count(report.boards, "board", "boards") << ", "
            << format_count(report.accounts, "account", "accounts") << ", "
            << format_count(report.tournaments, "tournament", "tournaments") << ", "
            << format_count(report.ladder_games, "ladder game", "ladder games") << ": "
            << format_count(report.problems.size(), "problem", "problems") << ", "
            << format_count(report.leftovers.size(), "leftover", "leftovers") << ".\n";
  return report.problems.empty() ? kExitSuccess : kExitRefused;
}

}  // namespace pbm
