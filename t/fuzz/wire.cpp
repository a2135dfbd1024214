// SPDX-License-Identifier: MIT
// A hostile server, from the socket to the screens. The input has keys, a line "===", and the
// server's bytes. The server sends events before each key. For each line of the client it sends the
// bytes up to the next line ".".
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "presses.hpp"

namespace pbm::test {

namespace {

constexpr std::string_view kParted = "\n===\n";

// The server at the other end of each connection.
class Impostor {
 public:
  Impostor() {
    const std::string path = (place_ / "sock").string();
    address_.socket = path;
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    path.copy(name.sun_path, sizeof name.sun_path - 1);
    listening_ = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    REQUIRE(::listen(listening_.get(), 16) == 0);
  }

  void says(std::string_view text) {
    text_ = text;
    dialled_ = 0;
    accepted_ = UniqueFd();
  }

  // Sends up to the end of a reply, or up to the first line that is no event.
  void send(bool events_only) {
    std::array<char, 65536> heard;
    while (::recv(accepted_.get(), heard.data(), heard.size(), MSG_DONTWAIT) > 0) {
    }
    std::size_t end = 0;
    while (end < text_.size() && (!events_only || text_.substr(end, 2) == "* ")) {
      const std::size_t feed = text_.find('\n', end);
      const bool last = text_.substr(end, feed - end) == ".";
      end = feed == std::string_view::npos ? text_.size() : feed + 1;
      if (last) break;
    }
    // Drops bytes that do not fit in the socket's buffer: the client does not read meanwhile.
    static_cast<void>(::send(accepted_.get(), text_.data(), end, MSG_DONTWAIT | MSG_NOSIGNAL));
    text_.remove_prefix(end);
  }

  Result<std::unique_ptr<ServerLine>> dial();

 private:
  TemporaryDirectory place_;
  ServerAddress address_;
  UniqueFd listening_, accepted_;
  std::string_view text_;
  int dialled_ = 0;
};

struct Line final : ServerLine {
  Line(Impostor& impostor, LineClient connected) : other(impostor), wire(std::move(connected)) {}
  Result<Reply> ask(std::string_view line) override {
    // Sends the answer before the client waits, so that no wait is necessary.
    other.send(false);
    return wire.ask(line, LineClient::Patience(0));
  }
  Result<Done> take_in() override { return wire.take_in(); }
  std::vector<std::string> take_events() override { return wire.take_events(); }
  int descriptor() const override { return wire.descriptor(); }
  Impostor& other;
  LineClient wire;
};

Result<std::unique_ptr<ServerLine>> Impostor::dial() {
  if (++dialled_ > 5) return Refusal{"Nobody listens there."};
  auto wire = LineClient::connect(address_, LineClient::Patience(1000));
  if (!wire) return wire.refusal();
  accepted_ = UniqueFd(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  return std::unique_ptr<ServerLine>(std::make_unique<Line>(*this, std::move(*wire)));
}

}  // namespace

void try_input(std::string_view input) {
  static Impostor impostor;
  const std::size_t parted = std::min(input.find(kParted), input.size());
  impostor.says(input.substr(std::min(parted + kParted.size(), input.size())));
  TemporaryDirectory home;
  RemoteBoards boards({[&](const Waiter&) { return impostor.dial(); }, "there", home / "servers",
                       std::chrono::milliseconds(0)});
  if (!boards.connect_as("fred") && !boards.connect()) return;
  Settings settings(home / "settings.yaml");
  LocalBoards own(home / "saves", "");
  Boards all(own, &boards);
  App app(all, settings, topic_of_tree, {source_root() / "themes"});
  Presses presses(app, input.substr(0, std::min<std::size_t>(parted, 200)));
  do {
    impostor.send(true);
    app.boards_changed();
    for (const Notification& news : boards.news().take())
      REQUIRE(safe_text(news.text) == news.text);
  } while (presses.press());
}

}  // namespace pbm::test
