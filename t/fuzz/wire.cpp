// SPDX-License-Identifier: MIT
// A hostile server, from the socket to the screens. The input has keys, a line "===", and the
// server's bytes. The server sends events before each key. For each line of the client it sends the
// bytes up to the next line ".".
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "key_presses.hpp"

namespace pbm::test {

namespace {

constexpr std::string_view kSeparator = "\n===\n";

// The server at the other end of each connection.
class HostileServer {
 public:
  HostileServer() {
    const std::string path = (directory_ / "sock").string();
    address_.socket_path = path;
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof name.sun_path - 1);
    listener_ = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    REQUIRE(::listen(listener_.get(), 16) == 0);
  }

  void set_text(std::string_view text) {
    text_ = text;
    connection_count_ = 0;
    connection_ = UniqueFd();
  }

  // Sends up to the end of a reply, or up to the first line that is no event.
  void send(bool events_only) {
    std::array<char, 65536> heard;
    while (::recv(connection_.get(), heard.data(), heard.size(), MSG_DONTWAIT) > 0) {
    }
    std::size_t end = 0;
    while (end < text_.size() && (!events_only || text_.substr(end, 2) == "* ")) {
      const std::size_t feed = text_.find('\n', end);
      const bool last = text_.substr(end, feed - end) == ".";
      end = feed == std::string_view::npos ? text_.size() : feed + 1;
      if (last) break;
    }
    // Drops bytes that do not fit in the socket's buffer: the client does not read meanwhile.
    static_cast<void>(::send(connection_.get(), text_.data(), end, MSG_DONTWAIT | MSG_NOSIGNAL));
    text_.remove_prefix(end);
  }

  Result<std::unique_ptr<ServerConnection>> connect_client();

 private:
  TemporaryDirectory directory_;
  ServerAddress address_;
  UniqueFd listener_, connection_;
  std::string_view text_;
  int connection_count_ = 0;
};

struct HostileLine final : ServerConnection {
  HostileLine(HostileServer& impostor, SocketClient connected)
      : server(impostor), client(std::move(connected)) {}
  Result<Reply> ask(std::string_view line) override {
    // Sends the answer before the client waits, so that no wait is necessary.
    server.send(false);
    return client.ask(line, SocketClient::Timeout(0));
  }
  Result<Success> receive() override { return client.receive(); }
  std::vector<std::string> take_events() override { return client.take_events(); }
  int descriptor() const override { return client.descriptor(); }
  HostileServer& server;
  SocketClient client;
};

Result<std::unique_ptr<ServerConnection>> HostileServer::connect_client() {
  if (++connection_count_ > 5) return Refusal{"Nobody listens there."};
  auto wire = SocketClient::connect(address_, SocketClient::Timeout(1000));
  if (!wire) return wire.refusal();
  connection_ = UniqueFd(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return std::unique_ptr<ServerConnection>(std::make_unique<HostileLine>(*this, std::move(*wire)));
}

}  // namespace

void try_input(std::string_view input) {
  static HostileServer impostor;
  const std::size_t parted = std::min(input.find(kSeparator), input.size());
  impostor.set_text(input.substr(std::min(parted + kSeparator.size(), input.size())));
  TemporaryDirectory home;
  RemoteBoards boards({[&](const Waiter&) { return impostor.connect_client(); }, "there",
                       home / "servers", std::chrono::milliseconds(0)});
  if (!boards.connect_as("fred") && !boards.connect()) return;
  Settings settings(home / "settings.yaml");
  LocalBoards own(home / "saves", "");
  Boards all(own, &boards);
  App app(all, settings, read_help_topic, {source_root() / "themes"});
  KeyPresses presses(app, input.substr(0, std::min<std::size_t>(parted, 200)));
  do {
    impostor.send(true);
    app.boards_changed();
    for (const Notification& news : boards.notifications().take())
      REQUIRE(safe_text(news.text) == news.text);
  } while (presses.press_next());
}

}  // namespace pbm::test
