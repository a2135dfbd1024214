// SPDX-License-Identifier: MIT
// Lines to a real server over real sockets, from three connections. A "-" after the number means
// that the line has no line end:
//   1 login fred secret   connection 1 sends the line
//   2-boa                 connection 2 sends a part of a line
//   !gone 2               connection 2 closes
//   !still 1              connection 1 sends nothing more and reads on
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
    // If the server has closed the connection, the next line opens a new one.
    const std::string text = std::string(line.substr(2)) + (line[1] == '-' ? "" : "\n");
    if (!guest->send(text)) guest.reset();
  }

  // Checks that a new connection is served as usual.
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
