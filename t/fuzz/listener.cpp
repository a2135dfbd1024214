// SPDX-License-Identifier: MIT
// What people send to a real server, over real sockets. A line is sent by one of three connections,
// without its line end where a - stands behind the number:
//   1 login fred secret   the first one says it
//   2-boa                 the second one says so much of a line
//   !gone 2               that one closes
//   !still 1              that one says nothing more, and reads on
#include "checks.hpp"
#include "listening.hpp"
#include "target.hpp"

namespace pbm::test {

namespace {

constexpr std::size_t kMaxLines = 60;

class Guests {
 public:
  explicit Guests(const ServerAddress& address) : address_(address) {}

  void step(std::string_view line) {
    const bool order = line.starts_with('!');
    const std::size_t at = order ? line.find(' ') + 1 : 0;
    if (at >= line.size() || line[at] < '1' || line[at] > '3') return;
    auto& guest = guests_[static_cast<std::size_t>(line[at] - '1')];
    if (line.starts_with("!gone")) guest.reset();
    if (!guest && !order) guest.emplace(address_);
    if (!guest) return;
    if (line.starts_with("!still")) guest->finish_sending();
    if (order || line.size() < 2) return;
    // Who was closed upon comes again.
    const std::string text = std::string(line.substr(2)) + (line[1] == '-' ? "" : "\n");
    if (!guest->send(text)) guest.reset();
  }

  // Everybody else is served as ever.
  void end() {
    Raw last(address_);
    REQUIRE(whole(last.ask("help")));
  }

 private:
  const ServerAddress& address_;
  std::array<std::optional<Raw>, 3> guests_;
};

}  // namespace

void try_input(std::string_view input) {
  Hosted server;
  Guests guests(server.socket());
  const auto lines = lines_of(input);
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) guests.step(lines[i]);
  guests.end();
}

}  // namespace pbm::test
