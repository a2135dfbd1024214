// SPDX-License-Identifier: MIT
// A script for a server: lines of clients, on a disk that fails on request.
//   1 login fred secret   connection 1 sends the line; without a number also connection 1
//   !broken accounts      files whose name contains "accounts" cannot be synced from now on
//   !mended               all files can be synced again
//   !restart              the server restarts
//   !later 3600           3600 seconds pass
//   !gone 2               connection 2 closes
#include "checks.hpp"
#include "save/save.hpp"
#include "test_server.hpp"
#include "target.hpp"

namespace pbm::test {

namespace {

constexpr std::size_t kMaxLines = 60;

class ServerScript {
 public:
  ServerScript() { connect_players(); }

  void run_line(const std::string& line) {
    if (line.starts_with('!')) return run_order(split_words(line.substr(1)));
    const bool numbered = line.size() > 1 && line[0] >= '1' && line[0] <= '3' && line[1] == ' ';
    auto& talk = clients_[numbered ? static_cast<std::size_t>(line[0] - '1') : 0];
    if (!talk || talk->session().is_over()) talk = std::make_unique<TestClient>(server_);
    REQUIRE(is_complete_output(talk->say(numbered ? line.substr(2) : line)));
    for (auto& other : clients_)
      if (other) REQUIRE(is_complete_output(other->take_received()));
  }

  // Checks that a new server can read all that was done.
  void check_saves() {
    server_.failing_file.clear();
    server_.restart();
    for (const std::string& warning : server_.service().warnings()) FAIL(warning);
    for (const auto& entry : std::filesystem::directory_iterator(server_.directory)) {
      if (entry.path().extension() != ".yaml") continue;
      const std::string bytes = read_bytes(entry.path());
      if (looks_like_save(bytes))
        if (const auto save = load_match(bytes, "save"); !save || !save->warning.empty())
          FAIL(entry.path() << ": " << (save ? save->warning : save.refusal().reason));
    }
  }

 private:
  void connect_players() {
    for (auto& talk : clients_) talk.reset();
    clients_[0] = std::make_unique<TestClient>(server_);
    clients_[0]->say("signup fred secret");
    clients_[0]->say("login fred secret");
    clients_[1] = std::make_unique<TestClient>(server_);
    clients_[1]->say("signup wilma secret");
    clients_[1]->say("login wilma secret");
    clients_[1]->say("watch");
  }

  void run_order(const std::vector<std::string>& said) {
    if (said.empty()) return;
    const std::string& what = said.front();
    const std::size_t n = said.size() > 1 ? read_whole_number<std::size_t>(said[1]).value_or(1) : 1;
    if (what == "broken" && said.size() > 1) server_.failing_file = said[1];
    else if (what == "mended") server_.failing_file.clear();
    else if (what == "restart" && server_.failing_file.empty())
      server_.restart(), connect_players();
    else if (what == "later") server_.time += std::chrono::seconds(n % 10'000'000);
    else if (what == "gone" && n >= 1 && n <= clients_.size()) clients_[n - 1].reset();
  }

  TestServer server_;
  std::array<std::unique_ptr<TestClient>, 3> clients_;
};

}  // namespace

void try_input(std::string_view input) {
  const auto lines = split_input(input);
  ServerScript play;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) play.run_line(lines[i]);
  play.check_saves();
}

}  // namespace pbm::test
