// SPDX-License-Identifier: MIT
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <optional>

#include "base/text.hpp"
#include "boards/line_client.hpp"
#include "cli/paths.hpp"
#include "cli/runs.hpp"
#include "cli/shared.hpp"
#include "game/game_type.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;

constexpr auto kConnecting = 5s;
constexpr auto kAnswering = 60s;  // the server may have to queue a password
// If a script pauses this long, its command is complete: the program sends it, and no text can
// follow.
constexpr auto kPause = 200ms;

// A save is data, so it is printed as it is, without the summary.
bool wants_bytes(const std::string& command) {
  const std::vector<std::string> said = words(command);
  return said.size() > 1 && find_game(said[0]) && same_ignoring_case(said[1], "save");
}

bool is_word(const std::string& line, std::string_view word) {
  return same_ignoring_case(trim(line), word);
}

// A conversation: prints answers to standard output, and refusals to standard error.
class Sender {
 public:
  explicit Sender(LineClient wire) : wire_(std::move(wire)) {}

  int status() const { return status_; }
  // Signs in, and then prints the server's lines. Returns false if the script cannot go on.
  bool introduce(const std::string& userid) {
    const auto hello = wire_.ask("as " + userid, kAnswering);
    const bool in = hello && hello->ok;
    if (!in) show(hello, false);
    for (const std::string& line : in ? hello->lines : std::vector<std::string>{})
      std::cerr << safe_text(line) << '\n';
    return in;
  }

  bool send(const std::string& command, const std::vector<std::string>& text = {}) {
    return show(wire_.ask(command, text, kAnswering), wants_bytes(command));
  }

  // Sends the commands of a script, each with the following lines that begin with a blank. Skips
  // `multiple` and its '.', so that a script can be mailed and sent alike.
  bool send_script() {
    std::optional<std::string> command;
    std::vector<std::string> text;
    for (;;) {
      std::string line;
      const Came came = next_line(line, command.has_value());
      if (came == Came::lost) return false;
      if (came == Came::line && !line.empty() && (line[0] == ' ' || line[0] == '\t')) {
        if (command) text.push_back(line);
        else
          refuse("'" + fit(trim(line), 40) +
                 "': a line that starts with a blank is text of the command above it, and there is "
                 "none, or it was sent already.");
        continue;
      }
      if (command) {
        const bool quits = is_word(*command, "quit");
        if (!send(*command, text)) return false;
        if (quits) {
          left_ = true;
          return true;
        }
        command.reset();
        text.clear();
      }
      if (came == Came::end) return true;
      if (came == Came::pause || line.empty() || is_word(line, "multiple")) continue;
      if (is_word(line, ".")) return true;
      command = line;
    }
  }

  // Prints everything that has arrived, including mail, which counts as read only then.
  void leave() {
    if (std::exchange(left_, true)) return;
    // If the server is gone, it needs no "quit".
    static_cast<void>(wire_.ask("quit", kAnswering));
    show_events();
  }

  void refuse(const std::string& sentence) {
    status_ = std::max(status_, complain(kRefused, sentence));
  }

 private:
  enum class Came { line, pause, end, lost };

  // Reads the next line of standard input, and prints events that arrive before it.
  Came next_line(std::string& line, bool pauses) {
    for (;;) {
      const std::size_t end = in_.find('\n');
      if (end != std::string::npos || (in_ended_ && !in_.empty())) {
        line = in_.substr(0, end);
        in_.erase(0, end == std::string::npos ? end : end + 1);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return Came::line;
      }
      if (in_ended_) return Came::end;
      std::array<pollfd, 2> waits{{{STDIN_FILENO, POLLIN, 0}, {wire_.descriptor(), POLLIN, 0}}};
      const int n =
          ::poll(waits.data(), waits.size(),
                 pauses ? static_cast<int>(std::chrono::milliseconds(kPause).count()) : -1);
      if (n == 0) return Came::pause;
      if (n < 0) continue;
      if (waits[1].revents != 0) {
        const auto came = wire_.take_in();
        show_events();
        if (!came) {
          lost(came.refusal());
          return Came::lost;
        }
      }
      if (waits[0].revents == 0) continue;
      std::array<char, 65536> bytes;
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got > 0) in_.append(bytes.data(), static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR) in_ended_ = true;
    }
  }

  bool lost(const Refusal& why) {
    left_ = true;
    status_ = complain(kFailed, why.why);
    return false;
  }

  bool show(const Result<Reply>& reply, bool bytes) {
    show_events();
    if (!reply) return lost(reply.refusal());
    if (!reply->ok) refuse(reply->summary);
    std::ostream& out = reply->ok ? std::cout : std::cerr;
    if (reply->ok && !bytes) out << safe_text(reply->summary) << '\n';
    for (const std::string& line : reply->lines) out << safe_text(line) << '\n';
    out.flush();
    return true;
  }

  void show_events() {
    for (const std::string& event : wire_.take_events())
      std::cout << "* " << safe_text(event) << '\n';
    std::cout.flush();
  }

  LineClient wire_;
  int status_ = kDone;
  std::string in_;
  bool in_ended_ = false, left_ = false;
};

}  // namespace

int run_send(const Arguments& arguments) {
  // The server checks the userid.
  const There there{arguments.text("user"), address_of(arguments)};
  confine_to_user(arguments, there);
  LineClient wire = need(LineClient::connect(there.address, kConnecting), kFailed);
  // A command may have a password in it, which must go only to the server that was there before.
  // With --user there is no password.
  if (there.user.empty()) {
    const std::string place = there.address.to_string();
    KnownLogin login(place, paths_of().servers / directory_name(place) / kKnownLogin);
    need(login.check(wire.peer()), kFailed);
  }
  Sender sender(std::move(wire));
  // The greeting answers no command of the user, so it is not printed.
  if (!there.user.empty() && !sender.introduce(there.user)) return sender.status();
  if (arguments.words.size() == 2 && arguments.words[1] == "-") {
    sender.send_script();
    sender.leave();
    return sender.status();
  }
  const std::string command = joined(arguments.words, 1, arguments.words.size());
  if (command.find_first_of("\r\n") != std::string::npos)
    return complain(kUsage, "A command is one line: send several as a script, with -.");
  sender.send(command);
  sender.leave();
  return sender.status();
}

}  // namespace pbm
