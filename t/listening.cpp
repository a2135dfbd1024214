// SPDX-License-Identifier: MIT
#include "listening.hpp"

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

int left_until(Clock::time_point until) {
  const auto left = std::chrono::ceil<Wait>(until - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

}  // namespace

ServerAddress at_socket(const std::filesystem::path& path) {
  ServerAddress out;
  out.socket = path;
  return out;
}

// --- a bare connection -----------------------------------------------------------

// Throws instead of using REQUIRE: a test may have connections in several threads, but Catch2
// allows only one.
Raw::Raw(const ServerAddress& address, const std::string& from) {
  const auto need = [&](bool done, const char* what) {
    if (!done) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
  };
  const auto name = socket_name(address);
  if (!name) throw std::runtime_error(name.refusal().why);
  fd_ = ::socket(name->bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!from.empty()) {
    sockaddr_in source{};
    source.sin_family = AF_INET;
    need(::inet_pton(AF_INET, from.c_str(), &source.sin_addr) == 1, "the address to come from");
    need(::bind(fd_, reinterpret_cast<const sockaddr*>(&source), sizeof source) == 0, "bind");
  }
  need(::connect(fd_, name->get(), name->size) == 0, "connect");
}

Raw::Raw(Raw&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), in_(std::move(other.in_)), ended_(other.ended_) {}

Raw::~Raw() {
  if (fd_ >= 0) ::close(fd_);
}

bool Raw::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void Raw::finish_sending() { ::shutdown(fd_, SHUT_WR); }

bool Raw::take_in(Clock::time_point until) {
  pollfd wait{fd_, POLLIN, 0};
  if (ended_ || ::poll(&wait, 1, left_until(until)) <= 0) return false;
  std::array<char, 65536> bytes;
  const ssize_t n = ::recv(fd_, bytes.data(), bytes.size(), 0);
  if (n > 0) in_.append(bytes.data(), static_cast<std::size_t>(n));
  ended_ = n <= 0;
  return !ended_;
}

std::string Raw::until(std::string_view end, Wait patience) {
  const auto give_up = Clock::now() + patience;
  std::size_t at;
  for (std::size_t from = 0; (at = in_.find(end, from)) == std::string::npos;) {
    from = in_.size() < end.size() ? 0 : in_.size() - end.size();
    if (!take_in(give_up)) return rest();
  }
  const std::string out = in_.substr(0, at + end.size());
  in_.erase(0, at + end.size());
  return out;
}

std::string Raw::ask(std::string_view line) {
  send(std::string(line) + "\n");
  std::string out = until("\n.\n");
  while (out.substr(0, 2) == "* ") out.erase(0, out.find('\n') + 1);
  return out;
}

bool Raw::closed(Wait patience) {
  const auto give_up = Clock::now() + patience;
  while (take_in(give_up)) {
  }
  return ended_;
}

// --- in this process -----------------------------------------------------------------

Hosted::Hosted(const std::function<void(ListenOptions&)>& change)
    : socket_(at_socket(place / "server.sock")) {
  ListenOptions options;
  options.addresses = {socket_};
  options.service.directory = directory;
  options.service.rules = [](const std::string& game) {
    return read_file(source_root() / "rules" / (game + ".md"), 1 << 20);
  };
  options.service.cost = PasswordCost::least();
  options.service.shortest_password = 1;
  // Tests of syncing to disk use the real program.
  options.service.sync_file = [](int) { return 0; };
  options.service.signups_a_minute = options.service.texts_a_minute =
      options.service.challenges_a_minute = 1'000'000;
  options.service.connections_a_user = options.connections;
  options.service.log = [this](const std::string& event) {
    const std::lock_guard lock(mutex_);
    log_ += event + "\n";
  };
  if (change) change(options);
  listener_ = std::make_unique<Listener>(std::move(options));
  thread_ = std::thread([this] { listener_->run(); });
}

Hosted::~Hosted() { stop(); }

void Hosted::stop() {
  if (!thread_.joinable()) return;
  listener_->stop();
  thread_.join();
  listener_.reset();
}

std::string Hosted::logged() {
  const std::lock_guard lock(mutex_);
  return log_;
}

// --- as a process of its own -----------------------------------------------------------

Process::Process(const std::filesystem::path& directory, const std::filesystem::path& socket,
                 std::vector<std::string> more, std::vector<std::string> variables)
    : socket_(at_socket(socket)), log_(socket.string() + ".log") {
  std::vector<std::string> words{"pbmplay",          "serve",    "--dir",
                                 directory.string(), "--socket", socket.string()};
  words.insert(words.end(), more.begin(), more.end());
  const std::filesystem::path file = program();
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
  while (::read(out[0], &c, 1) == 1 && c != '\n') said_ += c;
  ::close(out[0]);
  INFO(logged());
  REQUIRE(said_.substr(0, 13) == "listening on ");
}

Process::~Process() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Process::signal(int number) { ::kill(pid_, number); }

int Process::wait(Wait patience) {
  const auto give_up = Clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (Clock::now() > give_up) FAIL("the server did not end");
    std::this_thread::sleep_for(Wait(2));
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

double Process::cpu_seconds() const {
  const std::string text = bytes_of("/proc/" + std::to_string(pid_) + "/stat");
  long user = 0, system = 0;
  std::sscanf(text.substr(text.rfind(')')).c_str(),
              ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system);
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::string Process::logged() const {
  std::error_code error;
  return std::filesystem::exists(log_, error) ? bytes_of(log_) : "";
}

}  // namespace pbm::test
