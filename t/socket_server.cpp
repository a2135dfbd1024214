// SPDX-License-Identifier: MIT
#include "socket_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/files.hpp"
#include "run.hpp"

namespace pbm::test {
namespace {

using Clock = std::chrono::steady_clock;

int poll_timeout(Clock::time_point until) {
  const auto left = std::chrono::ceil<WaitTime>(until - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

}  // namespace

ServerAddress unix_socket_address(const std::filesystem::path& path) {
  ServerAddress out;
  out.socket_path = path;
  return out;
}

// --- a bare connection -----------------------------------------------------------

// Throws instead of using REQUIRE: a test may have connections in several threads, but Catch2
// allows only one.
RawConnection::RawConnection(const ServerAddress& address, const std::string& from) {
  const auto need = [&](bool done, const char* what) {
    if (!done) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
  };
  const auto name = make_socket_address(address);
  if (!name) throw std::runtime_error(name.refusal().reason);
  fd_ = ::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!from.empty()) {
    sockaddr_in source{};
    source.sin_family = AF_INET;
    need(::inet_pton(AF_INET, from.c_str(), &source.sin_addr) == 1, "the address to come from");
    need(::bind(fd_, reinterpret_cast<const sockaddr*>(&source), sizeof source) == 0, "bind");
  }
  need(::connect(fd_, name->get(), name->size) == 0, "connect");
}

RawConnection::RawConnection(RawConnection&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      input_(std::move(other.input_)),
      is_ended_(other.is_ended_) {}

RawConnection::~RawConnection() {
  if (fd_ >= 0) ::close(fd_);
}

bool RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void RawConnection::finish_sending() { ::shutdown(fd_, SHUT_WR); }

bool RawConnection::read_available(Clock::time_point until) {
  pollfd wait{fd_, POLLIN, 0};
  if (is_ended_ || ::poll(&wait, 1, poll_timeout(until)) <= 0) return false;
  std::array<char, 65536> bytes;
  const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
  if (n > 0) input_.append(bytes.data(), static_cast<std::size_t>(n));
  is_ended_ = n <= 0;
  return !is_ended_;
}

std::string RawConnection::read_until(std::string_view end, WaitTime patience) {
  const auto give_up = Clock::now() + patience;
  std::size_t at;
  for (std::size_t from = 0; (at = input_.find(end, from)) == std::string::npos;) {
    from = input_.size() < end.size() ? 0 : input_.size() - end.size();
    if (!read_available(give_up)) return take_rest();
  }
  const std::string out = input_.substr(0, at + end.size());
  input_.erase(0, at + end.size());
  return out;
}

std::string RawConnection::request(std::string_view line) {
  send(std::string(line) + "\n");
  std::string out = read_until("\n.\n");
  while (out.substr(0, 2) == "* ") out.erase(0, out.find('\n') + 1);
  return out;
}

bool RawConnection::wait_for_close(WaitTime patience) {
  const auto give_up = Clock::now() + patience;
  while (read_available(give_up)) {
  }
  return is_ended_;
}

// --- in this process -----------------------------------------------------------------

ThreadServer::ThreadServer(const std::function<void(ListenOptions&)>& change)
    : socket_address_(unix_socket_address(temporary / "server.sock")) {
  ListenOptions options;
  options.addresses = {socket_address_};
  options.service.directory = directory;
  options.service.read_rules = [](const std::string& game) {
    return read_file(source_root() / "rules" / (game + ".md"), 1 << 20);
  };
  options.service.password_cost = PasswordCost::minimum();
  options.service.min_password_bytes = 1;
  // Tests of syncing to disk use the real program.
  options.service.sync_file = [](int) { return 0; };
  options.service.signups_a_minute = options.service.texts_a_minute =
      options.service.challenges_a_minute = 1'000'000;
  options.service.connections_a_user = options.max_connections;
  options.service.log = [this](const std::string& event) {
    const std::lock_guard lock(mutex_);
    log_ += event + "\n";
  };
  if (change) change(options);
  listener_ = std::make_unique<ServerLoop>(std::move(options));
  thread_ = std::thread([this] { listener_->run(); });
}

ThreadServer::~ThreadServer() { stop(); }

void ThreadServer::stop() {
  if (!thread_.joinable()) return;
  listener_->stop();
  thread_.join();
  listener_.reset();
}

std::string ThreadServer::log_text() {
  const std::lock_guard lock(mutex_);
  return log_;
}

// --- as a process of its own -----------------------------------------------------------

ServerProcess::ServerProcess(const std::filesystem::path& directory,
                             const std::filesystem::path& socket, std::vector<std::string> more,
                             std::vector<std::string> variables)
    : socket_address_(unix_socket_address(socket)), log_(socket.string() + ".log") {
  std::vector<std::string> words{"pbmplay",          "serve",    "--dir",
                                 directory.string(), "--socket", socket.string()};
  words.insert(words.end(), more.begin(), more.end());
  const std::filesystem::path file = require_program();
  variables.insert(variables.end(), {"PBMPLAY_DATA=" + source_root().string(), "LC_ALL=C.UTF-8",
                                     "PATH=/usr/bin:/bin"});
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  std::array<int, 2> out{-1, -1};
  REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
  const int log = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  pid_ = ::fork();
  REQUIRE(pid_ >= 0);
  if (pid_ == 0) {
    ::dup2(out[1], 1);
    ::dup2(log, 2);
    ::signal(SIGHUP, SIG_DFL);
    ::execve(file.c_str(), pointers.data(), environment.data());
    ::_exit(126);
  }
  ::close(out[1]);
  ::close(log);
  char c = 0;
  while (::read(out[0], &c, 1) == 1 && c != '\n') first_line_ += c;
  ::close(out[0]);
  INFO(log_text());
  REQUIRE(first_line_.substr(0, 13) == "listening on ");
}

ServerProcess::~ServerProcess() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void ServerProcess::send_signal(int number) { ::kill(pid_, number); }

int ServerProcess::wait_exit(WaitTime patience) {
  const auto give_up = Clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > give_up) FAIL("the server did not end");
    std::this_thread::sleep_for(WaitTime(2));
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

double ServerProcess::cpu_seconds() const {
  const std::string text = read_bytes("/proc/" + std::to_string(pid_) + "/stat");
  long user = 0, system = 0;
  std::sscanf(text.substr(text.rfind(')')).c_str(),
              ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system);
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::string ServerProcess::log_text() const {
  std::error_code error;
  return std::filesystem::exists(log_, error) ? read_bytes(log_) : "";
}

}  // namespace pbm::test
