// SPDX-License-Identifier: MIT
#include "boards/server_line.hpp"

#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::chrono::milliseconds kConnectPatience{5'000};
// A hash takes a moment, a full disk more.
constexpr std::chrono::milliseconds kReplyPatience{15'000};

class SocketLine final : public ServerLine {
 public:
  SocketLine(LineClient wire, std::shared_ptr<KnownLogin> login)
      : wire_(std::move(wire)), login_(std::move(login)) {}
  Result<Reply> ask(std::string_view line) override { return wire_.ask(line, kReplyPatience); }
  Result<Done> take_in() override { return wire_.take_in(); }
  std::vector<std::string> take_events() override { return wire_.take_events(); }
  int descriptor() const override { return wire_.descriptor(); }
  Result<Done> known() override { return login_->check(wire_.peer()); }
  bool tells_who() const override { return wire_.peer().has_value(); }

 private:
  LineClient wire_;
  std::shared_ptr<KnownLogin> login_;
};

}  // namespace

Result<std::vector<Reply>> ServerLine::ask_all(const std::vector<std::string>& lines) {
  std::vector<Reply> out;
  for (const std::string& line : lines) {
    auto reply = ask(line);
    if (!reply) return reply.refusal();
    out.push_back(std::move(*reply));
  }
  return out;
}

Result<Done> KnownLogin::check(std::optional<uid_t> peer) {
  if (!peer) return Done{};
  if (!known_ && !file_.empty())
    if (const auto text = read_file(file_, 100)) known_ = read_whole_number<uid_t>(trim(*text));
  if (known_ && *known_ != *peer)
    return Refusal{
        "Another login (uid " + std::to_string(*peer) + ") answers at " + place_ +
        " than before (uid " + std::to_string(*known_) + "): nothing is sent there." +
        (file_.empty() ? "" : " If that is right, remove " + safe_text(file_.string()) + ".")};
  if (known_) return Done{};
  known_ = *peer;
  if (file_.empty()) return Done{};
  try {
    make_directory(file_.parent_path());
    replace_file(file_, std::to_string(*peer) + "\n");
  } catch (const Error&) {
    // Without it the next run knows no more than this one did.
  }
  return Done{};
}

Dial dial_to(ServerAddress address, std::filesystem::path known) {
  auto login = std::make_shared<KnownLogin>(address.to_string(), std::move(known));
  return [address = std::move(address),
          login = std::move(login)](const Waiter& wait) -> Result<std::unique_ptr<ServerLine>> {
    auto wire = LineClient::connect(address, kConnectPatience, wait);
    if (!wire) return wire.refusal();
    return std::unique_ptr<ServerLine>(std::make_unique<SocketLine>(std::move(*wire), login));
  };
}

}  // namespace pbm
