// SPDX-License-Identifier: MIT
// Lines to a real server over real sockets, from three connections. A "-" after the number means
// that the line has no line end:
//   1 login fred secret   connection 1 sends the line
//   2-boa                 connection 2 sends a part of a line
//   !gone 2               connection 2 closes
//   !still 1              connection 1 sends nothing more and reads on
#include "checks.hpp"
#include "socket_server.hpp"
#include "target.hpp"

namespace pbm::test {

namespace {

constexpr std::size_t kMaxLines = 60;

class TestConnections {
 public:
  explicit TestConnections(const ServerAddress& address) : address_(address) {}

  void run_line(std::string_view line) {
    const bool order = line.starts_with('!');
    const std::size_t at = order ? line.find(' ') + 1 : 0;
    if (at >= line.size() || line[at] < '1' || line[at] > '3') return;
    auto& guest = connections_[static_cast<std::size_t>(line[at] - '1')];
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
  void check_service() {
    RawConnection last(address_);
    REQUIRE(is_complete_output(last.request("help")));
  }

 private:
  const ServerAddress& address_;
  std::array<std::optional<RawConnection>, 3> connections_;
};

}  // namespace

void try_input(std::string_view input) {
  ThreadServer server;
  TestConnections guests(server.socket_address());
  const auto lines = split_input(input);
  for (std::size_t i = 0; i < std::min(lines.size(), kMaxLines); ++i) guests.run_line(lines[i]);
  guests.check_service();
}

}  // namespace pbm::test
