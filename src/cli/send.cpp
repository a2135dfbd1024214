// SPDX-License-Identifier: MIT
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <iostream>
#include <optional>

#include "base/text.hpp"
#include "boards/server_connection.hpp"
#include "cli/paths.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "game/game_type.hpp"

namespace pbm {
namespace {

using namespace std::chrono_literals;

constexpr auto kConnectTimeout = 5s;
constexpr auto kReplyTimeout = 60s;  // the server may have to queue a password
// If a script pauses this long, its command is complete: the program sends it, and no text can
// follow.
constexpr auto kScriptPause = 200ms;

// A save is data, so it is printed as it is, without the summary.
bool is_save_command(const std::string& command) {
  const std::vector<std::string> said = split_words(command);
  return said.size() > 1 && find_game(said[0]) && equals_ignoring_case(said[1], "save");
}

bool equals_word(const std::string& line, std::string_view word) {
  return equals_ignoring_case(trim(line), word);
}

// A conversation: prints answers to standard output, and refusals to standard error.
class Sender {
 public:
  explicit Sender(SocketClient wire) : connection_(std::move(wire)) {}

  int status() const { return status_; }
  // Signs in, and then prints the server's lines. Returns false if the script cannot go on.
  bool sign_in(const ServerTarget& there) {
    const auto hello = connection_.ask(there.login_line(), kReplyTimeout);
    const bool in = hello && hello->ok;
    if (!in) print_reply(hello, false);
    // The greeting of a key ends with the userid, which is known here.
    for (const std::string& line :
         in&& there.key.empty() ? hello->lines : std::vector<std::string>{})
      std::cerr << safe_text(line) << '\n';
    return in;
  }

  bool send_command(const std::string& command, const std::vector<std::string>& text = {}) {
    return print_reply(connection_.ask(command, text, kReplyTimeout), is_save_command(command));
  }

  // Sends the commands of a script, each with the following lines that begin with a blank. Skips
  // `multiple` and its '.', so that a script can be mailed and sent alike.
  bool send_script() {
    std::optional<std::string> command;
    std::vector<std::string> text;
    for (;;) {
      std::string line;
      const InputEvent came = read_line(line, command.has_value());
      if (came == InputEvent::connection_lost) return false;
      if (came == InputEvent::line && !line.empty() && (line[0] == ' ' || line[0] == '\t')) {
        if (command) text.push_back(line);
        else
          report_refusal(
              "'" + fit(trim(line), 40) +
              "' starts with a blank and so continues the command above. There is none, or it "
              "was sent already.");
        continue;
      }
      if (command) {
        const bool quits = equals_word(*command, "quit") || equals_word(*command, "exit");
        if (!send_command(*command, text)) return false;
        if (quits) {
          has_quit_ = true;
          return true;
        }
        command.reset();
        text.clear();
      }
      if (came == InputEvent::end_of_input) return true;
      if (came == InputEvent::pause || line.empty() || equals_word(line, "multiple")) continue;
      if (equals_word(line, ".")) return true;
      command = line;
    }
  }

  // Prints everything that has arrived, including mail, which counts as read only then.
  void quit() {
    if (std::exchange(has_quit_, true)) return;
    // If the server is gone, it needs no "quit".
    static_cast<void>(connection_.ask("quit", kReplyTimeout));
    print_events();
  }

  void report_refusal(const std::string& sentence) {
    status_ = std::max(status_, print_error(kExitRefused, sentence));
  }

 private:
  enum class InputEvent { line, pause, end_of_input, connection_lost };

  // Reads the next line of standard input, and prints events that arrive before it.
  InputEvent read_line(std::string& line, bool pauses) {
    for (;;) {
      const std::size_t end = input_.find('\n');
      if (end != std::string::npos || (has_input_ended_ && !input_.empty())) {
        line = input_.substr(0, end);
        input_.erase(0, end == std::string::npos ? end : end + 1);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return InputEvent::line;
      }
      if (has_input_ended_) return InputEvent::end_of_input;
      std::array<pollfd, 2> waits{
          {{STDIN_FILENO, POLLIN, 0}, {connection_.descriptor(), POLLIN, 0}}};
      const int n =
          ::poll(waits.data(), waits.size(),
                 pauses ? static_cast<int>(std::chrono::milliseconds(kScriptPause).count()) : -1);
      if (n == 0) return InputEvent::pause;
      if (n < 0) continue;
      if (waits[1].revents != 0) {
        const auto came = connection_.receive();
        print_events();
        if (!came) {
          report_loss(came.refusal());
          return InputEvent::connection_lost;
        }
      }
      if (waits[0].revents == 0) continue;
      std::array<char, 65536> bytes;
      const ssize_t got = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (got > 0) input_.append(bytes.data(), static_cast<std::size_t>(got));
      else if (got == 0 || errno != EINTR) has_input_ended_ = true;
    }
  }

  bool report_loss(const Refusal& why) {
    has_quit_ = true;
    status_ = print_error(kExitFailure, why.reason);
    return false;
  }

  bool print_reply(const Result<Reply>& reply, bool bytes) {
    print_events();
    if (!reply) return report_loss(reply.refusal());
    if (!reply->ok) report_refusal(reply->summary);
    std::ostream& out = reply->ok ? std::cout : std::cerr;
    if (reply->ok && !bytes) out << safe_text(reply->summary) << '\n';
    for (const std::string& line : reply->lines) out << safe_text(line) << '\n';
    out.flush();
    return true;
  }

  void print_events() {
    for (const std::string& event : connection_.take_events())
      std::cout << "* " << safe_text(event) << '\n';
    std::cout.flush();
  }

  SocketClient connection_;
  int status_ = kExitSuccess;
  std::string input_;
  bool has_input_ended_ = false, has_quit_ = false;
};

}  // namespace

int run_send(const Arguments& arguments) {
  // The server checks the userid.
  const ServerTarget there{arguments.option_text("user"), server_address(arguments),
                           arguments.key_words};
  confine_to_user(arguments, there);
  SocketClient wire = need(SocketClient::connect(there.address, kConnectTimeout), kExitFailure);
  // A command may have a password in it, which must go only to the server that was there before.
  // With --user there is no password.
  if (there.userid.empty()) {
    const std::string place = there.address.to_string();
    KnownLogin login(place, user_paths().servers / server_directory_name(place) / kLoginFile);
    need(login.check(wire.peer_uid()), kExitFailure);
  }
  Sender sender(std::move(wire));
  // The greeting answers no command of the user, so it is not printed.
  if (!there.userid.empty() && !sender.sign_in(there)) return sender.status();
  if (arguments.words.size() == 2 && arguments.words[1] == "-") {
    sender.send_script();
    sender.quit();
    return sender.status();
  }
  const std::string command = join_words(arguments.words, 1, arguments.words.size());
  if (command.find_first_of("\r\n") != std::string::npos)
    return print_error(kExitUsage, "A command is one line. To send several as a script, write -.");
  sender.send_command(command);
  sender.quit();
  return sender.status();
}

}  // namespace pbm
