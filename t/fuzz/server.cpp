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

class Play {
 public:
  Play() { meet(); }

  void step(const std::string& line) {
    if (line.starts_with('!')) return order(words(line.substr(1)));
    const bool numbered = line.size() > 1 && line[0] >= '1' && line[0] <= '3' && line[1] == ' ';
    auto& talk = talks_[numbered ? static_cast<std::size_t>(line[0] - '1') : 0];
    if (!talk || talk->session().over()) talk = std::make_unique<TestClient>(hall_);
    REQUIRE(whole(talk->say(numbered ? line.substr(2) : line)));
    for (auto& other : talks_)
      if (other) REQUIRE(whole(other->heard()));
  }

  // Checks that a new server can read all that was done.
  void end() {
    hall_.broken.clear();
    hall_.restart();
    for (const std::string& warning : hall_.service().warnings()) FAIL(warning);
    for (const auto& entry : std::filesystem::directory_iterator(hall_.directory)) {
      if (entry.path().extension() != ".yaml") continue;
      const std::string bytes = bytes_of(entry.path());
      if (looks_like_save(bytes))
        if (const auto save = load_match(bytes, "save"); !save || !save->warning.empty())
          FAIL(entry.path() << ": " << (save ? save->warning : save.refusal().why));
    }
  }

 private:
  void meet() {
    for (auto& talk : talks_) talk.reset();
    talks_[0] = std::make_unique<TestClient>(hall_);
    talks_[0]->say("signup fred secret");
    talks_[0]->say("login fred secret");
    talks_[1] = std::make_unique<TestClient>(hall_);
    talks_[1]->say("signup wilma secret");
    talks_[1]->say("login wilma secret");
    talks_[1]->say("watch");
  }

  void order(const std::vector<std::string>& said) {
    if (said.empty()) return;
    const std::string& what = said.front();
    const std::size_t n = said.size() > 1 ? read_whole_number<std::size_t>(said[1]).value_or(1) : 1;
    if (what == "broken" && said.size() > 1) hall_.broken = said[1];
    else if (what == "mended") hall_.broken.clear();
    else if (what == "restart" && hall_.broken.empty()) hall_.restart(), meet();
    else if (what == "later") hall_.time += std::chrono::seconds(n % 10'000'000);
    else if (what == "gone" && n >= 1 && n <= talks_.size()) talks_[n - 1].reset();
  }

  TestServer hall_;
  std::array<std::unique_ptr<TestClient>, 3> talks_;
};

}  // namespace

void try_input(std::string_view input) {
  const auto lines = lines_of(input);
  Play play;
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) play.step(lines[i]);
  play.end();
}

}  // namespace pbm::test
