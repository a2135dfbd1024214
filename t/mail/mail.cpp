// SPDX-License-Identifier: MIT
// Tests the mail gateway as a program between a server and a sendmail that stores mails in files.
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "base/wait_set.hpp"
#include "boards/server_connection.hpp"
#include "child.hpp"
#include "run.hpp"
#include "store/database.hpp"
#include "support.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

fs::path gateway_path() { return require_program().parent_path() / "pbmplay-mail"; }

// A mail that the gateway sent.
struct SentMail {
  std::string raw, to, text;
  // Returns the value of a header, or "" if it is missing.
  std::string header(const std::string& name) const {
    std::istringstream in(raw);
    std::string out;
    bool inside = false;
    for (std::string line; std::getline(in, line) && !line.empty();) {
      if (line.front() == ' ' || line.front() == '\t') {
        if (inside) out += " " + std::string(trim(line));
        continue;
      }
      inside = starts_with_ignoring_case(line, name + ":");
      if (inside) out = trim(line.substr(name.size() + 1));
    }
    return out;
  }
  // Returns the address for answers.
  std::string answer_address() const {
    const std::string there = header("Reply-To");
    const std::size_t open = there.find('<') + 1;
    return there.substr(open, there.find('>') - open);
  }
  // Returns the token in the Subject, in brackets after a blank, or "".
  std::string token() const {
    const std::string subject = header("Subject");
    const std::size_t open = subject.rfind(" [");
    return open == std::string::npos ? "" : subject.substr(open);
  }
};

// Returns the line of a mail that confirms its address: "confirm fred abcdefgh".
std::string code_line(const std::string& text) {
  const std::size_t at = text.find("    confirm ") + 4;
  return text.substr(at, text.find('\n', at) - at);
}

SentMail read_sent_mail(const std::string& bytes) {
  SentMail out;
  const std::size_t end = bytes.find('\n');
  const std::string arguments = bytes.substr(0, end);
  out.to = arguments.substr(arguments.rfind(' ') + 1);
  CHECK(contains(arguments, "-i -f pbm@games.test -- "));
  out.raw = bytes.substr(end + 1);
  const std::size_t plain = out.raw.find("text/plain");
  const std::size_t body = out.raw.find("\n\n", plain);
  out.text = out.raw.substr(body + 2, out.raw.find("\n--=", body) - body - 1);
  return out;
}

// A proxy to the server. When one side has sent `word`, the client gets nothing more from the
// server and the connection closes, as if it had failed after the request.
class CuttingProxy {
 public:
  CuttingProxy(const fs::path& here, const fs::path& server, std::string word)
      : server_(socket_address(server)), cut_word_(std::move(word)) {
    const sockaddr_un own = socket_address(here);
    ::unlink(own.sun_path);
    listener_ = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    REQUIRE(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
    REQUIRE(::listen(listener_.get(), 8) == 0);
    acceptor_ = std::thread([this] {
      while (wait_readable(listener_))
        forwarders_.emplace_back(
            [this, one = UniqueFd(::accept(listener_.get(), nullptr, nullptr))] { forward(one); });
    });
  }
  ~CuttingProxy() {
    stop_.notify();
    acceptor_.join();
    for (std::thread& one : forwarders_) one.join();
  }

 private:
  static sockaddr_un socket_address(const fs::path& path) {
    sockaddr_un out{};
    out.sun_family = AF_UNIX;
    path.string().copy(out.sun_path, sizeof out.sun_path - 1);
    return out;
  }
  bool wait_readable(const UniqueFd& one) const {
    pollfd both[] = {{one.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    return ::poll(both, 2, -1) > 0 && both[1].revents == 0;
  }
  void forward(const UniqueFd& client) const {
    const UniqueFd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(server.get(), reinterpret_cast<const sockaddr*>(&server_), sizeof server_) != 0)
      return;
    pollfd all[] = {{client.get(), POLLIN, 0}, {server.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
    for (bool cut = false; ::poll(all, 3, -1) > 0 && all[2].revents == 0;)
      for (const std::size_t from : {0U, 1U}) {
        if (all[from].revents == 0) continue;
        std::array<char, 4096> bytes;
        const ssize_t n = ::read(all[from].fd, bytes.data(), bytes.size());
        if (n <= 0 || (cut && from == 1)) return;
        const std::string_view said(bytes.data(), static_cast<std::size_t>(n));
        cut = cut || said.find(cut_word_) != std::string_view::npos;
        if (::write(all[1 - from].fd, said.data(), said.size()) < 0) return;
      }
  }

  sockaddr_un server_;
  std::string cut_word_;
  UniqueFd listener_;
  EventFd stop_;
  std::vector<std::thread> forwarders_;
  std::thread acceptor_;
};

// A server with its gateway and a file-based sendmail.
class MailServer {
 public:
  explicit MailServer(std::vector<std::string> more = {}) : more_arguments_(std::move(more)) {
    fs::create_directory(dir / "out");
    const fs::path sendmail = dir / "sendmail";
    std::ofstream(sendmail) << "#!/bin/sh\nf=$(mktemp '" << dir.path().string()
                            << "/new.XXXXXX')\n{ echo \"$*\"; cat; } >$f\nmv $f '"
                            << (dir / "out").string() << "'/$(date +%s%N)\n";
    ::chmod(sendmail.c_str(), 0755);
    gateway_arguments_ = {"--address",  "pbm@games.test", "--state", (dir / "state").string(),
                          "--sendmail", sendmail.string()};
    start_server();
  }
  void start_server() {
    std::string tell = gateway_path().string() + " tell";
    for (const std::string& word : gateway_arguments_) tell += " " + word;
    server = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{require_program().string(), "serve", "--dir",
                                 (dir / "boards").string(), "--socket", socket(), "--notify", tell,
                                 "--per-user", mails_per_user},
        dir / "log");
    server->wait_for("listening on");
  }
  std::string socket() const { return (dir / "sock").string(); }
  // Passes a mail to the gateway.
  RunResult deliver(const std::string& mail) {
    std::vector<std::string> words = gateway_arguments_;
    words.insert(words.end(), {"--socket", gateway_socket.empty() ? socket() : gateway_socket});
    words.insert(words.end(), more_arguments_.begin(), more_arguments_.end());
    return run_file(
        gateway_path(), words,
        {.home = dir.path(), .input = mail, .directory = {}, .output = "", .variables = {}});
  }
  RunResult send_mail(const std::string& from, const std::string& to, const std::string& subject,
                      const std::string& body = "", const std::string& headers = "") {
    return deliver("From: Somebody <" + from + ">\nTo: " + to + "\nSubject: " + subject +
                   "\nMessage-ID: <" + std::to_string(++mail_count_) + "@there>\n" + headers +
                   "\n" + body);
  }
  // Returns the next mail to `to`, or the answer to the mail `answered`; empty if none comes.
  SentMail next_mail(const std::string& to, std::chrono::milliseconds patience = 10s,
                     const std::string& answered = "") {
    const auto over = std::chrono::steady_clock::now() + patience;
    for (;;) {
      std::set<fs::path> files;
      for (const auto& file : fs::directory_iterator(dir / "out")) files.insert(file.path());
      for (const fs::path& file : files) {
        if (read_files_.count(file)) continue;
        SentMail letter = read_sent_mail(read_bytes(file));
        if (letter.to != to ||
            (!answered.empty() && letter.header("In-Reply-To") != "<" + answered + ">"))
          continue;
        read_files_.insert(file);
        return letter;
      }
      if (std::chrono::steady_clock::now() > over) return {};
      ::usleep(2000);
    }
  }
  // Sends a mail and returns the answer.
  SentMail send_and_wait(const std::string& from, const std::string& to, const std::string& subject,
                         const std::string& body = "", const std::string& headers = "") {
    const RunResult r = send_mail(from, to, subject, body, headers);
    INFO(r.err);
    CHECK(r.status == 0);
    return next_mail(from, 10s, std::to_string(mail_count_) + "@there");
  }
  // Answers a mail as a person does, with a quotation.
  SentMail reply(const std::string& from, const SentMail& mail, const std::string& said) {
    return send_and_wait(from, mail.answer_address(), "Re: " + mail.header("Subject"),
                         said + "\n\nOn Monday, pbmplay\n<pbm@games.test> wrote:\n> " + mail.text);
  }
  // Signs up by mail and confirms the address. Returns the mail with a token.
  SentMail sign_up(const std::string& who) {
    const std::string at = who + "@" + who + ".test";
    CHECK(send_mail(at, "pbm@games.test", "signup " + who).status == 0);
    CHECK(contains(next_mail(at, 10s, std::to_string(mail_count_) + "@there").text,
                   "Welcome, " + who + "."));
    const SentMail first = next_mail(at);
    CHECK(first.token() == "");
    return reply(at, first, code_line(first.text));
  }
  RunResult run_command(const std::string& who, const std::string& command) {
    return run_program({"send", "--socket", socket(), "--user", who, command});
  }
  std::size_t count_mails() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(dir / "out"), fs::directory_iterator()));
  }

  TemporaryDirectory dir;
  std::unique_ptr<BackgroundProcess> server;
  std::string mails_per_user = "50";
  std::string
      gateway_socket;  // another socket by which the gateway reaches the server; "" for none

 private:
  std::vector<std::string> gateway_arguments_, more_arguments_;
  std::set<fs::path> read_files_;
  int mail_count_ = 0;
};

// A Postfix as Debian has it, with its own port and its own directory, which is deleted at the end.
// No mail leaves this machine: it delivers mails for the gateway to it, and the rest to files.
class Postfix {
 public:
  // Returns why it cannot run here, or "".
  static std::string why_unavailable() {
    if (::geteuid() != 0) return "only root can start a Postfix";
    for (const char* file :
         {"/usr/sbin/postfix", "/usr/lib/postfix/sbin/pipe", "/usr/bin/perl", "/usr/bin/setpriv"})
      if (!fs::exists(file)) return std::string("there is no ") + file;
    return "";
  }

  Postfix() {
    ::chmod(dir.path().c_str(), 0755);
    for (const char* name : {"conf", "spool", "data", "box", "home"})
      fs::create_directory(dir / name);
    for (const char* name : {"pbmplay", "pbmplay-mail"})
      fs::copy_file(require_program().parent_path() / name, dir / name);
    fs::create_directories(dir / "home/boards/.server");
    std::ofstream(dir / "home/boards/.server/trusted") << "root *\n";
    REQUIRE(run_shell("cd '" + dir.path().string() + "' && chown postfix data && " +
                      "chown -R nobody box home && chmod 700 home/boards home/boards/.server && " +
                      "chmod 600 home/boards/.server/trusted")
                .status == 0);
    const std::string at = dir.path().string(), port = std::to_string(find_free_port());
    // A sendmail(8) for this Postfix, which is not the machine's own.
    write_script(
        "sendmail",
        "#!/usr/bin/perl\nuse IO::Socket::INET;\n"
        "my ($from) = join(' ', @ARGV) =~ /-f (\\S+)/;\n"
        "my $s = IO::Socket::INET->new('127.0.0.1:" +
            port +
            "') or exit 75;\n"
            "sub said { my $l; while ($l = <$s>) { last if $l =~ /^\\d\\d\\d / }\n"
            "  exit 75 unless $l =~ /^[23]/ }\nsub say1 { print $s shift . \"\\r\\n\"; said() }\n"
            "said(); say1('EHLO here'); say1(\"MAIL FROM:<$from>\"); say1(\"RCPT "
            "TO:<$ARGV[-1]>\");\n"
            "say1('DATA'); while (<STDIN>) { s/\\r?\\n?$//; s/^\\./../; print $s \"$_\\r\\n\" }\n"
            "say1('.'); say1('QUIT');\n");
    gateway_arguments_ = " --address pbm@games.test --state " + at + "/home/state --sendmail " +
                         at + "/sendmail --socket " + at + "/home/sock";
    std::ofstream(dir / "conf/main.cf")
        << "compatibility_level = 3.6\nqueue_directory = " << at
        << "/spool\ndata_directory = " << at
        << "/data\ncommand_directory = /usr/sbin\ndaemon_directory = /usr/lib/postfix/sbin\n"
           "mail_owner = postfix\nsetgid_group = postdrop\nmyhostname = games.test\n"
           "mydestination =\nmynetworks = 127.0.0.0/8\ninet_interfaces = 127.0.0.1\n"
           "inet_protocols = ipv4\nrecipient_delimiter = +\nalias_maps =\n"
           "virtual_mailbox_domains = static:all\nvirtual_mailbox_maps = static:all/\n"
           "virtual_mailbox_base = "
        << at
        << "/box\nvirtual_uid_maps = static:65534\nvirtual_gid_maps = static:65534\n"
           "virtual_minimum_uid = 1\ntransport_maps = inline:{pbm@games.test=pbmplay:, "
           "pbm@other.test=other:, who@gone.test=gone:}\n"
           "default_transport = error:nowhere\nrelay_transport = error:nowhere\n"
           "minimal_backoff_time = 1s\nmaximal_backoff_time = 1s\nqueue_run_delay = 1s\n"
           "message_size_limit = 60000000\nmailbox_size_limit = 0\n"
           "virtual_mailbox_limit = 0\nmaillog_file = "
        << at << "/maillog\nmaillog_file_prefixes = /\n";
    std::ofstream master(dir / "conf/master.cf");
    master << "127.0.0.1:" << port << " inet n - n - - smtpd\n";
    master << "cleanup unix n - n - 0 cleanup\nqmgr unix n - n 300 1 qmgr\n"
              "rewrite unix - - n - - trivial-rewrite\nvirtual unix - n n - - virtual\n"
              "proxymap unix - - n - - proxymap\nerror unix - - n - - error\n"
              "anvil unix - - n - 1 anvil\n";
    for (const char* name : {"bounce", "defer", "trace"})
      master << name << " unix - - n - 0 bounce\n";
    master << "postlog unix-dgram n - n - 1 postlogd\npbmplay unix - n n - 4 pipe flags=Rq "
              "user=nobody argv="
           << at << "/pbmplay-mail" << gateway_arguments_ << "\n";
    // A second gateway, to which the first is like any other sender.
    std::string other = gateway_arguments_;
    other.replace(other.find("games"), 5, "other").replace(other.find("/state"), 6, "/again");
    master << "other unix - n n - 1 pipe flags=Rq user=nobody argv=" << at << "/pbmplay-mail"
           << other << "\ngone unix - n n - 1 pipe user=nobody argv=/bin/false\n";
    master.close();
    postfix = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{"/usr/sbin/postfix", "-c", at + "/conf", "start-fg"}, dir / "log");
    const auto over = std::chrono::steady_clock::now() + 20s;
    while (!contains(mail_log(), "daemon started")) {
      // Some containers do not allow it to start.
      if (std::chrono::steady_clock::now() > over) return;
      ::usleep(2000);
    }
    server = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{"/usr/bin/setpriv", "--reuid=65534", "--clear-groups",
                                 at + "/pbmplay", "serve", "--dir", at + "/home/boards", "--socket",
                                 at + "/home/sock", "--notify",
                                 at + "/pbmplay-mail tell" + gateway_arguments_},
        dir / "server");
    // A killed run of the tests leaves nothing behind. These programs change their uid, so that a
    // signal at the death of their parent would not reach them.
    watchdog = std::make_unique<BackgroundProcess>(
        std::vector<std::string>{"/bin/sh", "-c",
                                 "trap '' TERM; while kill -0 " + std::to_string(::getpid()) +
                                     "; do sleep 1; done; kill " + std::to_string(server->pid()) +
                                     "; exec /usr/sbin/postfix -c " + at + "/conf stop"},
        dir / "watchdog");
    server->wait_for("listening on");
  }

  std::string send_mail(const std::string& from, const std::string& to, const std::string& subject,
                        const std::string& body = "", const std::string& headers = "") {
    const std::string id = std::to_string(++mail_count_) + "@there";
    const RunResult r =
        run_file(dir / "sendmail", {"-f", from, "--", to},
                 {.home = dir.path(),
                  .input = "From: " + from + "\nTo: " + to + "\nSubject: " + subject +
                           "\nMessage-ID: <" + id + ">\n" + headers + "\n" + body,
                  .directory = {},
                  .output = "",
                  .variables = {}});
    CHECK(r.status == 0);
    return id;
  }
  // As in MailServer.
  SentMail next_mail(const std::string& to, const std::string& answered = "",
                     std::chrono::milliseconds patience = 20s) {
    const auto over = std::chrono::steady_clock::now() + patience;
    do {
      std::set<std::pair<fs::file_time_type, fs::path>> files;
      std::error_code none;
      for (const auto& file : fs::directory_iterator(dir / "box/all/new", none))
        if (!read_files_.count(file.path())) files.emplace(file.last_write_time(none), file.path());
      for (const auto& [at, file] : files) {
        SentMail letter;
        letter.raw = read_bytes(file);
        letter.to = letter.header("Delivered-To");
        if (letter.to != to ||
            (!answered.empty() && letter.header("In-Reply-To") != "<" + answered + ">"))
          continue;
        read_files_.insert(file);
        const std::size_t body = letter.raw.find("\n\n", letter.raw.find("text/plain"));
        letter.text = letter.raw.substr(body + 2);
        return letter;
      }
      ::usleep(2000);
    } while (std::chrono::steady_clock::now() < over);
    return {};
  }
  SentMail send_and_wait(const std::string& from, const std::string& to, const std::string& subject,
                         const std::string& body = "") {
    return next_mail(from, send_mail(from, to, subject, body));
  }
  SentMail reply(const std::string& from, const SentMail& mail, const std::string& said) {
    return send_and_wait(from, mail.answer_address(), "Re: " + mail.header("Subject"), said + "\n");
  }
  // Signs up by mail and confirms the address. Returns the mail with a token.
  SentMail sign_up(const std::string& who) {
    const std::string at = who + "@people.test";
    // The mail with the code may arrive before the answer.
    SentMail code = send_and_wait(at, "pbm@games.test", "signup " + who), answer = next_mail(at);
    if (contains(code.text, "Welcome")) std::swap(code, answer);
    CHECK(contains(answer.text, "Welcome, " + who + "."));
    return reply(at, code, code_line(code.text));
  }
  RunResult run_command(const std::string& who, const std::string& command) {
    return run_program({"send", "--socket", (dir / "home/sock").string(), "--user", who, command});
  }
  std::string mail_log() {
    return fs::exists(dir / "maillog") ? read_bytes(dir / "maillog") : std::string();
  }

  TemporaryDirectory dir;
  std::unique_ptr<BackgroundProcess> postfix, server, watchdog;
  // Stops Postfix even if a test fails.
  struct Stopper {
    ~Stopper() { run_file("/usr/sbin/postfix", {"-c", conf, "stop"}); }
    std::string conf;
  } stop{(dir / "conf").string()};

 private:
  void write_script(const std::string& name, const std::string& text) {
    std::ofstream(dir / name) << text;
    ::chmod((dir / name).c_str(), 0755);
  }
  std::string gateway_arguments_;
  std::set<fs::path> read_files_;
  int mail_count_ = 0;
};

const std::string kFred = "fred@fred.test", kWilma = "wilma@wilma.test", kGames = "pbm@games.test";

}  // namespace

TEST_CASE("a game is played by mail from the first contact to its end", "[mail]") {
  MailServer post;
  const SentMail fred = post.sign_up("fred");
  CHECK(contains(fred.text, "The address of fred is fred@fred.test."));
  post.sign_up("wilma");
  // The answer to the challenge shows the board; fred moves first.
  SentMail mine =
      post.send_and_wait(kFred, kGames, "toot challenge fred wilma -size=4x3" + fred.token());
  CHECK(contains(mine.text, "Board 101 of Toot -size=4x3: fred and wilma.\n"));
  CHECK(contains(mine.text, "Keep the code in the Subject: it proves that you are fred.\n"));
  CHECK(mine.answer_address().starts_with("pbm+toot-101.fred.1-0."));
  CHECK(mine.header("Subject").starts_with("Toot 101: your turn against wilma [fred."));
  CHECK(mine.header("Auto-Submitted") == "auto-replied");
  SentMail hers = post.next_mail(kWilma);
  CHECK(hers.header("Subject").starts_with("Toot 101: fred challenges you [wilma."));
  CHECK(contains(hers.text, "fred challenges you to Toot -size=4x3. You need not do"));
  CHECK(contains(hers.text, "\n\nA B C D\n. . . .\n. . . .\n. . . .\n"));
  CHECK(contains(hers.text, "To decline, reply: refuse\n"));
  CHECK(hers.header("Auto-Submitted") == "auto-generated");
  CHECK(contains(hers.raw, "format=fixed"));
  CHECK(contains(hers.raw, "<pre>"));
  const auto play = [&](bool first, const std::string& move) {
    SentMail& at = first ? mine : hers;
    at = post.reply(first ? kFred : kWilma, at, move);
    INFO(at.text);
    CHECK(contains(at.text, "Move "));
    SentMail& other = first ? hers : mine;
    other = post.next_mail(first ? kWilma : kFred);
    CHECK(other.header("In-Reply-To") ==
          "<toot-101." + std::string(first ? "wilma" : "fred") + ".thread@games.test>");
  };
  hers = post.reply(kWilma, hers, "show");  // she is active, so the next mail comes at once
  CHECK(contains(hers.text, "fred's turn"));
  play(true, "BT");
  CHECK(hers.header("Subject").starts_with("Toot 101: fred challenges you, your turn [wilma."));
  CHECK(contains(hers.text, "fred played BT. Your turn (OTTO).\n\n"));
  CHECK(contains(hers.text, "\n\nA B C D\n. . . .\n. . . .\n. T . .\n"));
  CHECK(contains(hers.text, "\nReply with your move, for example "));
  CHECK_FALSE(contains(hers.text, "pbmplay --socket"));
  // The answer to a refused move shows the board, and the same mail still allows a move.
  const SentMail refused = post.reply(kWilma, hers, "ZZ : what now?");
  CHECK(contains(refused.text, "Refused: "));
  CHECK(contains(refused.text, "A B C D\n. . . .\n. . . .\n. T . .\n"));
  play(false, "c o : good luck");
  CHECK(contains(mine.text, "toot-101: wilma: good luck\n"));
  CHECK(mine.header("Subject").starts_with("Toot 101: your turn against wilma [fred."));
  play(true, "CT");
  play(false, "DO");
  // A player offers a draw, and the opponent accepts.
  SentMail offered = post.reply(kFred, mine, "propose");
  CHECK(contains(offered.text, "offers a draw"));
  hers = post.next_mail(kWilma);
  CHECK(hers.header("Subject").starts_with("Toot 101: fred offers a draw [wilma."));
  CHECK(contains(hers.text, "Reply with accept or reject."));
  hers = post.reply(kWilma, hers, "accept");
  CHECK(contains(hers.text, "agreed on a draw"));
  mine = post.next_mail(kFred);
  CHECK(mine.header("Subject").starts_with("Toot 101: a tie [fred."));
  CHECK(contains(post.run_command("fred", "toot info 101").out, "plies: 4, entries: 6,"));
}

TEST_CASE("only the code that was mailed to an address proves its owner, and only once", "[mail]") {
  MailServer post;
  const SentMail fred = post.sign_up("fred"), wilma = post.sign_up("wilma");
  const SentMail mine =
      post.send_and_wait(kFred, kGames, "toot challenge fred wilma" + fred.token());
  const SentMail hers = post.next_mail(kWilma);
  const auto plies = [&] {
    const std::string out = post.run_command("fred", "toot info 101").out;
    return out.substr(out.find("plies: ") + 7, 1);
  };
  // A From address proves nothing.
  CHECK(contains(post.send_and_wait(kFred, kGames, "toot move 101 BT").text, "Prove who you are"));
  CHECK(contains(post.send_and_wait(kFred, kGames, "toot move 101 fred secret BT").text,
                 "is no proof"));
  CHECK(contains(post.send_and_wait(kFred, kGames, "admin who").text,
                 "There is no such command by mail."));
  CHECK(contains(post.send_and_wait(kFred, kGames, "** admin who **").text,
                 "There is no such command by mail."));
  const std::string alike = "The code in your mail is not valid.";
  // Stolen, foreign, invented and used tokens all get the same answer and do nothing.
  const auto changed = [](std::string token) {
    char& letter = token[token.size() - 2];
    letter = letter == 'a' ? 'b' : 'a';
    return token;
  };
  std::set<std::string> answers;
  for (const std::string& from : {kFred, kWilma, std::string("thief@else.test")}) {
    if (from != kFred) {
      answers.insert(
          post.send_and_wait(from, mine.answer_address(), "Re: " + mine.header("Subject"), "BT")
              .text);
      answers.insert(post.send_and_wait(from, kGames, "vacation 5" + mine.token()).text);
    }
    answers.insert(post.send_and_wait(from, kGames, "vacation 5" + fred.token()).text);
    answers.insert(post.send_and_wait(from, kGames, "vacation 5" + changed(mine.token())).text);
    std::string made_up = mine.answer_address();
    made_up.replace(made_up.find(".1-0."), 5, ".3-2.");
    answers.insert(post.send_and_wait(from, made_up, "Re: " + mine.header("Subject"), "BT").text);
  }
  REQUIRE(answers.size() == 1);
  CHECK(contains(*answers.begin(), alike));
  CHECK(plies() == "0");
  CHECK(contains(post.run_command("fred", "vacation").out, "30 vacation days left"));
  // A token is good for one ply. The answer says that it ignores the lines below the first.
  const SentMail played = post.reply(kFred, mine, "BT\ngood luck");
  CHECK(contains(played.text, "Move 1: fred"));
  CHECK(contains(played.text, "read only the first line"));
  CHECK(plies() == "1");
  CHECK(post.reply(kFred, mine, "CT").text == *answers.begin());
  CHECK(plies() == "1");
  // A board's token is for that board only. Another command needs the other token, once.
  CHECK(contains(
      post.send_and_wait(kWilma, hers.answer_address(), "chaos challenge wilma fred", "").text,
      "is no proof"));
  CHECK(contains(post.send_and_wait(kWilma, kGames, "Re: vacation 5" + wilma.token()).text,
                 "on vacation until"));
  CHECK(contains(post.send_and_wait(kWilma, kGames, "vacation off" + wilma.token()).text, alike));
  // The same mail delivered twice gets one answer.
  const std::string twice =
      "From: " + kWilma + "\nTo: " + kGames + "\nSubject: list\nMessage-ID: <same@there>\n\n";
  CHECK(post.deliver(twice).status == 0);
  CHECK(contains(post.next_mail(kWilma, 10s, "same@there").text, "2 userids"));
  const RunResult again = post.deliver(twice);
  CHECK(again.status == 0);
  CHECK(contains(again.err, "it was answered already"));
  CHECK(post.next_mail(kWilma, 50ms, "same@there").to == "");
  // Only the owner can read the key.
  CHECK((fs::status(post.dir / "state/key").permissions() & fs::perms::all) == fs::perms(0600));
}

TEST_CASE("each command of the old servers' help is understood as a Subject", "[mail]") {
  MailServer post({"--passwords"});
  std::string bracket;  // the token of fred's latest mail
  for (const std::string who : {"wilma", "barney", "betty", "fred"}) {
    const std::string at = who + "@" + who + ".test";
    CHECK(contains(post.send_and_wait(at, kGames, "signup " + who + " secret-" + who).text,
                   "Welcome, " + who));
    const SentMail first = post.next_mail(at);
    bracket = post.reply(at, first, code_line(first.text)).token();
  }
  // The subjects of the old texts with the expected answers. Old challenges had no password.
  const std::vector<std::pair<std::string, std::string>> subjects{
      {"toot challenge -size=7x9 fred wilma", "is no proof"},
      {"toot challenge -size=7x9 fred wilma []", "Board 101 of Toot -size=7x9"},
      {"Toot challenge -tootris fred wilma []", "Board 102 of Toot"},
      {"toot challenge -tootris wilma fred []", "Board 103 of Toot"},
      {"plotto challenge fred wilma barney betty []", "Board 101 of Plotto"},
      {"plotto challenge fred wilma -tournament []", "Board 102 of Plotto -tournament"},
      {"chaos challenge fred wilma []", "Board 101 of Chaos"},
      {"FloopRail challenge fred wilma -reverse []", "Board 101 of FloopRail -reverse"},
      {"FloopRail challenge fred wilma -misere []", "Board 102 of FloopRail -reverse"},
      {"flooprail challenge fred wilma -losing []", "Board 103 of FloopRail -reverse"},
      {"soccolot challenge fred wilma []", "Board 101 of Soccolot"},
      {"soccolot move 101 fred secret-fred 5rs", "Move 1: fred"},
      {"soccolot move 101 wilma secret-wilma w2dne", "Refused: "},
      {"soccolot set fred secret-fred b", "field b"},
      {"soccolot set wilma wrong-one c", "Refused: "},
      {"chaos move 101 fred secret-fred a2-c2-c5", "Refused: "},
      {"chaos move 101 fred secret-fred a2-c2", "Move 1: fred"},
      {"chaos move 101 wilma secret-wilma pass", "Refused: "},
      {"Re: ** toot move 101 fred secret-fred BT **", "Move 1: fred"},
      {"toot board 101 wilma secret-wilma CO", "Move 2: wilma"},
      {"toot chat 101 fred secret-fred : well played", "Sent to toot 101."},
      {"toot move 101 fred secret-fred resign", "resigned"},
      {"toot show 101", "A B C D E F G"},
      {"help toot challenge", "-size"},
      {"toot help", "challenge"},
      {"toot standings", "rating"},
      {"tournament new autumn toot swiss []", "autumn is open"},
      {"tournament join autumn []", "You play in autumn."},
      {"ladder toot join []", "You have place 1"},
      {"ladder toot", "fred"},
      {"tournaments", "autumn"},
      {"tournament show autumn", "fred                1600"},
      {"tournament in autumn", "not understand"},
      {"ladder for sale", "not understand"},
      {"toot games fred", "102     0  fred, wilma"},
      {"toot history fred", "wilma"},
      {"help", "challenge"},
      {"list", "4 userids"},
      {"forgotten fred@fred.test", "If an account has confirmed that address"},
      {"change password fred secret-fred secret-two", "is changed"},
      {"message fred secret-two wilma : hello", "wilma"},
      {"vacation fred secret-two 3", "on vacation until"},
      {"toot frobnicate 101 wilma secret-wilma", "not understand \"toot frobnicate ...\""},
      {"signoff fred secret-two", "fred"},
  };
  int n = 0;
  for (const auto& [written, comes] : subjects) {
    std::string subject = written;
    const bool proves = subject.ends_with(" []");
    if (proves) subject.replace(subject.size() - 3, 3, bracket);
    // With a password the player may write from any address.
    const SentMail answer = post.send_and_wait(
        proves ? kFred : "f" + std::to_string(++n) + "@old.test", kGames, subject);
    if (proves) bracket = answer.token();
    INFO(subject << ":\n" << answer.text);
    CHECK(contains(answer.text, comes));
    CHECK_FALSE(contains(answer.raw, "secret-"));
  }
}

TEST_CASE("automatic mail, bulk mail and our own mail are dropped unread", "[mail]") {
  MailServer post;
  const auto dropped = [&](const std::string& headers, const std::string& from = kFred) {
    const std::size_t before = post.count_mails();
    const RunResult r = post.send_mail(from, kGames, "help", "", headers);
    INFO(headers << r.err);
    return r.status == 0 && contains(r.err, "dropped a mail") && post.count_mails() == before;
  };
  CHECK_FALSE(dropped("Auto-Submitted: no\n"));
  for (const char* header :
       {"Auto-Submitted: auto-replied\n", "Auto-Submitted: auto-generated (rejected)\n",
        "Precedence: bulk\n", "Precedence: list\n", "List-Id: <a.b>\n",
        "List-Unsubscribe: <mailto:a@b>\n", "Return-Path: <>\n", "X-Loop: fred\n",
        "Content-Type: multipart/report; boundary=x\n", "X-Auto-Response-Suppress: All\n"})
    CHECK(dropped(header));
  for (const char* from :
       {"MAILER-DAEMON@fred.test", "pbm@games.test", "PBM+toot-101.1.abc@games.test",
        "postmaster@x.test", "two words@x.test", "fred", "-f@x.test"})
    CHECK(dropped("", from));
  // A gateway ignores the mails of another gateway.
  const SentMail answer = post.send_and_wait(kFred, kGames, "help");
  CHECK(contains(answer.text, "GAME show board"));
  CHECK_FALSE(contains(answer.text, "admin"));  // only the owner sees these commands
  std::string back = answer.raw;
  back.replace(back.find("pbm@games.test"), 14, "pbm@other.test");
  CHECK(contains(post.deliver(back).err, "it is automatic"));
  CHECK(post.deliver("").status == 0);
  CHECK(post.deliver(std::string(1000, '\0')).status == 0);
  // An unproved address gets ten answers a day.
  int answers = 0;
  for (int i = 0; i < 15; ++i) {
    post.send_mail("who@ever.test", kGames, "help");
    answers += post.next_mail("who@ever.test", 20ms).to.empty() ? 0 : 1;
  }
  CHECK(answers == 10);
}

TEST_CASE("headers and texts are read in the forms of common mail programs", "[mail]") {
  MailServer post;
  SentMail fred = post.sign_up("fred");
  post.sign_up("wilma");
  const auto ask = [&](const std::string& subject, const std::string& body = "",
                       const std::string& headers = "") {
    fred = post.send_and_wait(kFred, kGames, subject, body, headers);
    return fred.text;
  };
  CHECK(contains(ask("Re: AW: > ** list **"), "2 userids"));
  CHECK(contains(ask("=?utf-8?Q?toot_games?="), "No boards of Toot."));
  CHECK(contains(ask("=?iso-8859-1?B?dG9vdCBnYW1lcw==?="), "No boards of Toot."));
  CHECK(contains(ask("toot\n games\n\tfred"), "No boards of Toot."));
  CHECK(contains(ask("=?utf-16?Q?=FF?= \x80\xFF"), "We did not understand"));
  // One token serves a whole script, which gets one answer.
  fred = post.send_and_wait(kFred, kGames, "userid");
  const SentMail known = post.next_mail(kFred);
  CHECK(contains(known.text, "your userid is fred"));
  CHECK(contains(ask("multiple" + known.token(),
                     "toot challenge fred wilma -size=4x3\n"
                     "message wilma : one\n  two\nnonsense\n\nlist\n"),
                 "Board 101"));
  CHECK(contains(fred.text, "Sent to wilma."));
  CHECK(contains(fred.text, "We did not understand \"nonsense\""));
  CHECK_FALSE(contains(fred.text, "userids"));
  // Latin-1, quoted-printable, after a quotation, with a signature.
  const SentMail board = post.send_and_wait(kFred, kGames, "toot show 101");
  CHECK(contains(board.text, "fred's turn"));
  SentMail hers = post.next_mail(kWilma);
  CHECK(contains(hers.header("Subject"), "Toot 101: fred challenges you"));
  CHECK(contains(ask("[x] nothing"), "We did not understand \"nothing\""));
  CHECK(
      contains(post.send_and_wait(
                       kWilma, hers.answer_address(), "Re: " + hers.header("Subject"),
                       "On 3 Jan 2010, pbmplay wrote:\n> how?\n\nchat : sch=F6n=\n e Gr=FC=DFe\n-- "
                       "\nwilma\n",
                       "MIME-Version: 1.0\nContent-Type: text/plain; charset=iso-8859-1\n"
                       "Content-Transfer-Encoding: quoted-printable\n")
                   .text,
               "Sent to toot 101."));
  CHECK(contains(post.run_command("wilma", "toot chats 101").out,
                 "wilma: sch\xC3\xB6n e Gr\xC3\xBC\xC3\x9F"
                 "e\n"));
  // Latin-1 that says it is UTF-8, or says nothing.
  for (const std::string claim : {"; charset=utf-8", ""}) {
    const std::string word = claim.empty() ? "sch\xF6ner"
                                           : "gr\xFC\xDF"
                                             "e";
    CHECK(contains(post.send_and_wait(kWilma, hers.answer_address(),
                                      "Re: " + hers.header("Subject"), "chat : " + word + "\n",
                                      "MIME-Version: 1.0\nContent-Type: text/plain" + claim +
                                          "\nContent-Transfer-Encoding: 8bit\n")
                       .text,
                   "Sent to toot 101."));
  }
  CHECK(contains(post.run_command("wilma", "toot chats 101").out,
                 "wilma: gr\xC3\xBC\xC3\x9F"
                 "e\n"));
  CHECK(contains(post.run_command("wilma", "toot chats 101").out, "wilma: sch\xC3\xB6ner\n"));
  // Only HTML; and plain text before a huge attachment.
  CHECK(contains(post.send_and_wait(kWilma, hers.answer_address(), "Re: " + hers.header("Subject"),
                                    "<p>resign</p>", "Content-Type: text/html\n")
                     .text,
                 "no plain text"));
  const std::string parts = "Content-Type: multipart/mixed; boundary=b\n";
  CHECK(contains(post.send_and_wait(kWilma, hers.answer_address(), "Re: " + hers.header("Subject"),
                                    "--b\nContent-Type: text/plain\n\nshow\n\n--b\nContent-Type: "
                                    "application/x\nContent-Transfer-Encoding: base64\n\n" +
                                        std::string(std::size_t{30} << 20, 'A') + "\n--b--\n",
                                    parts)
                     .text,
                 "It is fred's turn"));
  // An answer never shows a password.
  CHECK_FALSE(contains(ask("signup barney hush-hush-hush"), "hush"));
  // Passwords work only with the option --passwords.
  MailServer open({"--passwords"});
  open.run_command("fred", "change password fred * top.secret");
  CHECK(contains(open.send_and_wait(kFred, kGames, "vacation fred top.secret 3").text,
                 "on vacation until"));
  CHECK(contains(open.send_and_wait(kFred, kGames, "vacation fred wrong 3").text,
                 "not the password"));
  CHECK(
      contains(open.send_and_wait(kFred, kGames, "multiple", "-x admin who\n.\n admin who\n").text,
               "We did not understand"));
}

TEST_CASE("a reply answers no later offer and plays on no board that was taken back", "[mail]") {
  MailServer post;
  const std::string ann = "ann@ann.test";
  post.sign_up("ann");
  for (const char* other : {"bob", "cid"}) post.run_command(other, "list");
  post.run_command("bob", "plotto challenge ann bob cid");
  CHECK(contains(post.next_mail(ann).answer_address(), ".ann.1-0."));
  for (const char* move : {"ann plotto 101 a1", "bob plotto 101 a2", "cid plotto 101 a3"})
    post.run_command(std::string(move).substr(0, 3), std::string(move).substr(4));
  SentMail told = post.next_mail(ann);
  CHECK(contains(told.answer_address(), ".ann.4-3."));
  post.reply(ann, told, "show");  // she is active, so the next mail comes at once
  post.run_command("cid", "plotto undo 101");
  told = post.next_mail(ann);
  REQUIRE(contains(told.text, "asks to take back a3. Type accept or reject."));
  for (const char* act :
       {"bob plotto reject 101", "cid plotto propose 101", "bob plotto accept 101"})
    post.run_command(std::string(act).substr(0, 3), std::string(act).substr(4));
  const SentMail refused = post.reply(ann, told, "accept");
  CHECK(contains(refused.text, "Refused: plotto 101 has changed since then"));
  CHECK(contains(post.run_command("bob", "plotto info 101").out, "offer: {what: draw"));
  // The answer shows the draw offer.
  CHECK(contains(post.reply(ann, refused, "reject").text, "declines the draw"));
  // A mail cannot be used again after its ply was taken back.
  told = post.reply(ann, refused, "a4");
  CHECK(contains(told.text, "Move 4: "));
  post.run_command("ann", "plotto undo 101");
  for (const char* who : {"bob", "cid"}) post.run_command(who, "plotto accept 101");
  REQUIRE(contains(post.run_command("bob", "plotto info 101").out, "plies: 3"));
  CHECK(contains(post.reply(ann, refused, "b1").text, "has changed since then"));
  CHECK(contains(post.run_command("bob", "plotto info 101").out, "plies: 3"));
}

TEST_CASE("a code counts from its own address only, and is mailed again on request", "[mail]") {
  MailServer post;
  const std::string at = "zed@zed.test";
  CHECK(contains(post.send_and_wait(at, kGames, "signup zed").text, "Welcome, zed."));
  const SentMail code = post.next_mail(at);
  CHECK(code.header("Subject") == "Confirm your address for pbmplay");
  CHECK(contains(code.text, "the account zed on\npbm@games.test.\n"));
  const std::string right = code_line(code.text);
  for (int i = 0; i < 6; ++i)
    CHECK(contains(
        post.send_and_wait("evil@x.test", kGames, "confirm zed aaaaaa2" + std::to_string(i)).text,
        "does not confirm your address"));
  CHECK(contains(post.send_and_wait(at, kGames, "signup zed").text,
                 "That address got a code within the last hour"));
  CHECK(contains(post.reply(at, code, right).text, "The address of zed is zed@zed.test."));
  // A repeated confirmation succeeds, but proves nothing for the next commands.
  const SentMail again = post.send_and_wait(at, kGames, "multiple", right + "\nvacation 3\n");
  CHECK(contains(again.text, "The address of zed is zed@zed.test."));
  CHECK(contains(again.text, "is no proof"));
  CHECK(contains(post.run_command("zed", "vacation").out, "You are not on vacation"));
  // A userid in use is refused, and its owner gets a mail.
  CHECK(contains(post.send_and_wait(at, kGames, "signup zed").text, "we mail your userid to your"));
  CHECK(contains(post.next_mail(at).text, "your userid is zed"));
}

TEST_CASE("each userid at a shared address gets a mail with its own code", "[mail]") {
  MailServer post;
  const RunResult r =
      run_file(gateway_path(),
               {"tell", "--address", "pbm@games.test", "--state", (post.dir / "state").string(),
                "--sendmail", (post.dir / "sendmail").string()},
               {.home = post.dir.path(),
                .input = "your userids\n",
                .directory = {},
                .output = "",
                .variables = {"PBMPLAY_ADDRESS=" + kFred, "PBMPLAY_USER=fred wilma",
                              "PBMPLAY_TEXT=your userids are fred and wilma"}});
  CHECK(r.status == 0);
  CHECK(post.next_mail(kFred).token().starts_with(" [fred."));
  CHECK(post.next_mail(kFred).token().starts_with(" [wilma."));
}

TEST_CASE("deeply nested mails are read", "[mail]") {
  MailServer post;
  const auto times = [](std::size_t n, const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += text;
    return out;
  };
  const std::string head = "From: " + kFred + "\nSubject: list\n", groups = times(125'000, "a:");
  std::string nested = "Content-Type: multipart/mixed; boundary=0\n\n";
  for (int i = 0; i < 5000; ++i)
    nested += "--" + std::to_string(i) +
              "\nContent-Type: multipart/mixed; boundary=" + std::to_string(i + 1) + "\n\n";
  int n = 0;
  for (const std::string& mail :
       {"To: " + groups + "\n\n", "Cc: " + groups + "\n\n", "Reply-To: " + groups + "\n\n",
        "Content-Type: message/rfc822\n\nTo: " + groups + "\n\n", nested,
        "Content-Type: text/plain" + times(60'000, ";a=b") + "\n\n",
        "To: " + times(200'000, "(") + "\n\n"}) {
    INFO(mail.substr(0, 40));
    CHECK(post.deliver(head + "Message-ID: <deep" + std::to_string(++n) + "@x>\n" + mail).status ==
          0);
    CHECK(contains(post.next_mail(kFred).text, "There are no accounts"));
  }
  CHECK(contains(post.deliver("From: " + groups + "\n\n").err, "it has no sender"));
}

TEST_CASE("a command in the reply to a mail about a board is a command, no move", "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge wilma");
  post.reply(kWilma, post.next_mail(kWilma), "show");
  post.run_command("wilma", "toot challenge fred wilma");
  post.run_command("fred", "toot 101 BT");
  SentMail mail = post.next_mail(kWilma);
  const auto say = [&](const std::string& line) {
    mail = post.reply(kWilma, mail, line);
    return mail.text;
  };
  CHECK(contains(say("toot 101 CO"), "Move 2: "));
  CHECK(contains(say("toot queue 101 DO"), "DO is queued on toot 101"));
  CHECK(contains(say("toot preview 101 DT"), "The board after 3 moves"));
  CHECK(contains(say("toot info 101"), "{board: toot-101,"));
  CHECK(contains(say("toot save 101"), "toot-101.yaml"));
  CHECK(contains(say("toot chats 101"), "toot 101"));
  CHECK(contains(say("games"), "2 boards of wilma"));
  CHECK(contains(say("toot queue 101 none"), "No move is queued on toot 101 any more."));
  CHECK(contains(post.send_and_wait(kFred, kGames, "games wilma").text, "2 boards of wilma"));
  CHECK(contains(post.send_and_wait(kFred, kGames, "games").text, "is no proof"));
  // The name of another board shows that board.
  CHECK(contains(say("toot-102"), "toot 102: fred's turn"));
  post.run_command("fred", "toot 101 DT");
  mail = post.next_mail(kWilma);
  REQUIRE(mail.answer_address().starts_with("pbm+toot-101.wilma.4-3."));
  CHECK(contains(say("toot-101 EO"), "Move 4: "));
  // A player who asks for a token keeps the present one.
  CHECK(contains(post.send_and_wait(kWilma, kGames, "userid" + mail.token()).text,
                 "sends its userid"));
  CHECK(contains(post.send_and_wait(kWilma, kGames, "vacation 2" + mail.token()).text,
                 "on vacation until"));
  // A board's token allows nothing that is no action on the board.
  CHECK(contains(post.send_and_wait(kWilma, mail.answer_address(), "toot queue 101 DO").text,
                 "is no proof"));
}

TEST_CASE("the author's text is read in its charset and format, a forwarded mail is not",
          "[mail]") {
  MailServer post;
  post.sign_up("fred");
  post.sign_up("wilma");
  post.run_command("wilma", "toot challenge fred wilma");
  const SentMail mail = post.next_mail(kFred);
  const auto answer = [&](const std::string& body, const std::string& headers) {
    return post
        .send_and_wait(kFred, mail.answer_address(), "Re: " + mail.header("Subject"), body, headers)
        .text;
  };
  const auto said = [&](const std::string& text) {
    return contains(post.run_command("wilma", "toot chats 101").out, "fred: " + text + "\n");
  };
  // Lines broken by format=flowed.
  const std::string flowed = "Content-Type: text/plain; format=flowed";
  answer("> what was \nchat : a text that is broken by the \nmail program of \nfred\nbut here\n",
         flowed + "\n");
  CHECK(said("a text that is broken by the mail program of fred"));
  answer("chat : one w \nord, \n > two\n-- \nfred\n", flowed + "; delsp=yes\n");
  CHECK(said("one word,> two"));
  // Unknown charsets; and other people's text in the mail.
  for (const std::string charset : {"x-unknown", "nobodys-9"}) {
    answer("chat : " + charset + " Gr\xFC\xDF\n",
           "Content-Type: text/plain; charset=" + charset + "\n");
    CHECK(said(charset + " Gr\xC3\xBC\xC3\x9F"));
  }
  CHECK(contains(
      answer("--b\nContent-Type: text/html\n\n<p>hi</p>\n--b\nContent-Type: message/rfc822\n\n"
             "From: evil@x.test\nContent-Type: text/plain\n\nresign\n\n--b--\n",
             "Content-Type: multipart/mixed; boundary=b\n"),
      "no plain text"));
}

TEST_CASE("a reply is read whatever the mail program adds to it", "[mail]") {
  MailServer post;
  post.sign_up("fred");
  post.sign_up("wilma");
  post.run_command("wilma", "toot challenge fred wilma");
  SentMail mail = post.next_mail(kFred);
  const std::string subject = mail.header("Subject");
  const auto answer = [&](const std::string& body, const std::string& mark = "Re: ") {
    return post.send_and_wait(kFred, mail.answer_address(), mark + subject, body).text;
  };
  for (const std::string mark :
       {"R: ", "RES: ", "RE : ", "Re[2]: ", "[EXTERN] Re: ", "=?utf-8?b?5Zue5aSNOiA=?= "}) {
    INFO(mark);
    CHECK(contains(answer("chat : " + mark, mark), "Sent to toot 101."));
  }
  // The line above a quotation, with and without a colon at its end.
  CHECK(contains(answer("On Monday, pbmplay\n<pbm@games.test> wrote:\n> x\n"),
                 "Your mail has no move"));
  CHECK(contains(answer("BT : what do you say:\n> x\n"), "Move 1: "));
  CHECK(contains(post.run_command("wilma", "toot chats 101").out, "fred: what do you say:\n"));
  post.run_command("wilma", "toot 101 CO");
  mail = post.next_mail(kFred);
  CHECK(contains(answer("DT\npbmplay wrote:\n> x\n"), "Move 3: "));
}

TEST_CASE("the marks of replies, forwards and filters are no part of a Subject", "[mail]") {
  MailServer post;
  int n = 0;
  for (const std::string mark : {"Re:",
                                 "Re :",
                                 "RE[2]:",
                                 "RE(3):",
                                 "Re^2:",
                                 "AW:",
                                 "aw : ",
                                 "Antw:",
                                 "SV:",
                                 "VS:",
                                 "TR:",
                                 "RIF:",
                                 "R:",
                                 "RES:",
                                 "Odp:",
                                 "Ynt:",
                                 "WG:",
                                 "FW:",
                                 "Fwd:",
                                 "[EXT]",
                                 "[SPAM] Re:",
                                 "AW: AW: RE[2]:",
                                 "=?utf-8?b?5Zue5aSN77ya?=",
                                 "=?utf-8?b?6L2s5Y+ROiBSZTo=?=",
                                 "=?utf-8?q?Re=C2=A0:=E2=80=8B?=",
                                 "=?utf-8?q?=EF=BB=BFRE=C2=A0=3A=C2=A0?="}) {
    const SentMail answer =
        post.send_and_wait("f" + std::to_string(++n) + "@x.test", kGames, mark + " help toot");
    INFO(mark << ": " << answer.text);
    CHECK(contains(answer.text, "A move is "));
  }
}

TEST_CASE("a Subject that is no command is answered as such, whoever wrote it", "[mail]") {
  MailServer post;
  const SentMail wilma = post.sign_up("wilma");
  for (const std::string subject :
       {"Broadcast from lenny", "Hello", "Toot tomorrow?", "Take a look", "Set phasers to stun",
        "change adress fred secret-1 a@b"})
    for (const bool known : {false, true}) {
      const SentMail answer =
          post.send_and_wait(known ? kWilma : kFred, kGames, subject + (known ? wilma.token() : ""),
                             "Hi there,\nnothing of interest\n");
      // The words after the first may be a password, except in a Subject of the old servers.
      const bool whole = subject.starts_with("Broadcast") || subject.starts_with("Toot") ||
                         subject.find(' ') == std::string::npos;
      const std::string quoted = whole ? subject : subject.substr(0, subject.find(' ')) + " ...";
      CHECK_FALSE(contains(answer.raw, "secret-1"));
      INFO(answer.raw);
      CHECK(contains(answer.text, "We did not understand \"" + quoted + "\"."));
      CHECK(contains(answer.text, "games, help toot"));
      CHECK(answer.header("Subject").starts_with("Re: " + quoted + (known ? " [wilma." : "")));
    }
  // The text may have the command.
  CHECK(contains(post.send_and_wait(kFred, kGames, "A question", "help toot\n").text, "A move is"));
  const SentMail answer = post.send_and_wait(kFred, kGames, "Hello");
  CHECK(contains(post.reply(kFred, answer, "list").text, "1 userid"));
}

TEST_CASE("a greeting in the first line is shown as the line that was read", "[mail]") {
  MailServer post;
  for (const char* who : {"dz", "lenny"}) post.sign_up(who);
  post.run_command("dz", "toot challenge lenny dz -size=4x3");
  const std::string at = "lenny@lenny.test";
  const SentMail answer = post.reply(at, post.next_mail(at), "Hi Dz, here is my move\n\nBT");
  INFO(answer.text);
  const std::size_t line = answer.text.find("Hi Dz, here is my move\n");
  REQUIRE(line != std::string::npos);
  CHECK(answer.text.find("A B C D") > line);
  CHECK(contains(answer.text, "alone in the first line"));
  CHECK(answer.header("Subject").starts_with("Toot 101: we could not do that [lenny."));
  CHECK(contains(post.reply(at, answer, "BT").text, "Move 1: "));
}

TEST_CASE("people who answer each other's mails wait for no move", "[mail]") {
  MailServer post;
  for (const char* who : {"fred", "wilma"}) post.sign_up(who);
  post.run_command("fred", "toot challenge fred wilma");
  SentMail hers = post.next_mail(kWilma);
  post.run_command("fred", "toot 101 AT");
  // The challenge was mailed just now. She answers that mail, so the turn comes at once.
  post.reply(kWilma, hers, "show");
  const auto move = [](const SentMail& mail) {
    const std::size_t at = mail.text.find("for example ") + 12;
    return mail.text.substr(at, mail.text.find('.', at) - at);
  };
  for (int i = 0; i < 4; ++i) {
    INFO(i);
    hers = post.next_mail(kWilma, 20s);
    REQUIRE(contains(hers.header("Subject"), "your turn"));
    REQUIRE(contains(post.reply(kWilma, hers, move(hers)).text, "Move "));
    const SentMail mine = post.next_mail(kFred, 20s);
    REQUIRE(contains(mine.header("Subject"), "your turn"));
    REQUIRE(contains(post.reply(kFred, mine, move(mine)).text, "Move "));
  }
}

TEST_CASE("an automatic reply without marks does not count as acting", "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge fred wilma");
  const SentMail mail = post.next_mail(kWilma);
  // The answer to the refused move shows the board.
  const SentMail refused = post.reply(kWilma, mail, "I am on vacation.");
  CHECK(contains(refused.text, "Refused: "));
  CHECK(contains(refused.text, "fred's turn"));
  post.run_command("fred", "toot 101 AT");
  CHECK(post.next_mail(kWilma, 1s).to == "");
  // A command counts.
  post.reply(kWilma, refused, "show");
  CHECK(contains(post.next_mail(kWilma, 20s).header("Subject"), "your turn"));
}

TEST_CASE("a notification does not wait for a slow mail", "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  const BackgroundProcess slow(
      {"/usr/bin/flock", (post.dir / "state/lock").string(), "/bin/sleep", "60"},
      post.dir / "slow");
  while (
      run_file("/usr/bin/flock", {"-n", (post.dir / "state/lock").string(), "/bin/true"}).status ==
      0)
    ::usleep(2000);
  post.run_command("fred", "toot challenge fred wilma");
  CHECK(post.next_mail(kWilma, 15s).to == kWilma);
  post.run_command("fred", "message wilma : hello");
  post.run_command("wilma", "list");
  CHECK(contains(post.next_mail(kWilma, 15s).text, "hello"));
}

TEST_CASE("a mail that was not sent is not the latest about its game", "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge fred wilma");
  const SentMail latest = post.next_mail(kWilma);
  post.run_command("wilma", "set notices never");
  post.run_command("fred", "toot 101 AT");
  const RunResult r =
      run_file(gateway_path(),
               {"tell", "--address", "pbm@games.test", "--state", (post.dir / "state").string(),
                "--sendmail", "/bin/false"},
               {.home = post.dir.path(),
                .input = "your turn\n",
                .directory = {},
                .output = "",
                .variables = {"PBMPLAY_ADDRESS=" + kWilma, "PBMPLAY_USER=wilma",
                              "PBMPLAY_BOARDS=toot-101#2-1", "PBMPLAY_TEXT=Toot 101: your turn"}});
  CHECK(r.status == 75);
  CHECK(contains(post.reply(kWilma, latest, "chat : hello").text, "Sent to toot 101."));
}

TEST_CASE("a refused move with the code of an earlier turn counts as an answer to its player",
          "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge fred wilma");
  const SentMail latest = post.next_mail(kWilma);
  post.run_command("wilma", "set notices never");
  post.run_command("fred", "toot 101 AT");
  const auto answers = [&](bool proved) {
    Database database(post.dir / "state/mail.db");
    return database.query_count("SELECT count(*) FROM answered WHERE address = ? AND proved = ?",
                                kWilma, proved);
  };
  const std::size_t proved = answers(true), others = answers(false);
  // Without the code in the Subject only the address proves who wrote the mail.
  CHECK(contains(
      post.send_and_wait(kWilma, latest.answer_address(), "Re: Toot 101: your turn", "DO\n").text,
      "The code in your mail is not valid"));
  CHECK(answers(true) == proved + 1);
  CHECK(answers(false) == others);
}

TEST_CASE("a move in the answer to an old mail is not played later, however the board is named",
          "[mail]") {
  MailServer post;
  const SentMail fred = post.sign_up("fred");
  post.sign_up("wilma");
  const SentMail mine =
      post.send_and_wait(kFred, kGames, "toot challenge fred wilma" + fred.token());
  post.run_command("fred", "toot 101 BT");
  post.run_command("wilma", "toot 101 CO");
  for (const std::string line :
       {"CT", "toot 101 CT", "toot-101 CT", "toot move 101 CT", "toot toot-101 CT",
        "toot move toot-101 CT", "Toot move TOOT-101 CT"}) {
    INFO(line);
    CHECK_FALSE(contains(post.reply(kFred, mine, line).text, "Move 3"));
    CHECK(contains(post.run_command("fred", "toot info 101").out, "plies: 2,"));
  }
}

TEST_CASE("the old words of commands are commands by mail, too", "[mail]") {
  MailServer post({"--passwords"});
  const SentMail wilma = post.sign_up("wilma");
  post.run_command("fred", "list");
  // A password starts no game.
  CHECK(contains(post.send_and_wait("w@old.test", kGames, "toot chall fred wilma").text,
                 "is no proof"));
  const SentMail board =
      post.send_and_wait(kWilma, kGames, "Toot Chall wilma fred" + wilma.token());
  CHECK(contains(board.text, "Board 101 of Toot"));
  CHECK(board.answer_address().starts_with("pbm+toot-101.wilma.1-0."));
  CHECK(contains(post.reply(kWilma, board, "toot board 101 AT").text, "Move 1: "));
  CHECK(contains(post.send_and_wait("w@old.test", kGames, "add betty secret-betty").text,
                 "Welcome, betty."));
  CHECK(contains(post.send_and_wait("w@old.test", kGames, "delete betty secret-betty").text,
                 "Good-bye, betty."));
}

TEST_CASE("a misspelt command with a password is quoted without it", "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge fred wilma");
  SentMail mail = post.next_mail(kWilma);
  for (const std::string line :
       {"singoff wilma secret-word", "mesage wilma secret-word fred : hello",
        "vaccation wilma secret-word 3", "wilma secret-word", "chnage password secret-word"}) {
    INFO(line);
    const SentMail answer = post.send_and_wait(kFred, kGames, line);
    const std::string quoted = line.substr(0, line.find(' ')) + " ...";
    CHECK(contains(answer.text, "We did not understand \"" + quoted + "\"."));
    CHECK(answer.header("Subject") == "Re: " + quoted);
    CHECK_FALSE(contains(answer.raw, "secret-word"));
    // The same as a reply to a mail about a board.
    if (line.starts_with("wilma")) continue;
    mail = post.reply(kWilma, mail, line);
    CHECK(contains(mail.text, "We did not understand \"" + quoted + "\"."));
    CHECK_FALSE(contains(mail.raw, "secret-word"));
  }
  CHECK(contains(post.reply(kWilma, mail, "chat : still here").text, "Sent to toot 101."));
}

TEST_CASE("a mail with many wrong passwords ends after some seconds", "[mail]") {
  MailServer post({"--passwords"});
  post.run_command("fred", "change password fred * top.secret");
  std::string text;
  for (int i = 0; i < 20; ++i) text += "vacation fred wrong" + std::to_string(i) + " 3\n";
  const auto start = std::chrono::steady_clock::now();
  const SentMail answer = post.send_and_wait("evil@x.test", kGames, "multiple", text);
  CHECK(std::chrono::steady_clock::now() - start < 12s);
  CHECK(contains(answer.text, "not the password of fred"));
  CHECK(contains(answer.text, "took too long"));
}

TEST_CASE(
    "the latest mail about a game answers show, chat and unsubscribe until the next one comes",
    "[mail]") {
  MailServer post;
  post.sign_up("wilma");
  post.run_command("fred", "toot challenge fred wilma");
  SentMail latest = post.next_mail(kWilma);
  post.run_command("wilma", "set notices never");
  const std::vector<std::string> moves{"fred toot 101 AT", "wilma toot 101 BT", "fred toot 101 CT"};
  const std::vector<std::string> acts{"show", "chat : hello", "unsubscribe"};
  const std::vector<std::string> answers{"wilma's turn", "Sent to toot 101.", "toot 101"};
  const std::string not_valid = "The code in your mail is not valid";
  for (std::size_t i = 0; i < acts.size(); ++i) {
    INFO(acts[i]);
    // The board changes, but no mail comes.
    const std::size_t blank = moves[i].find(' ');
    REQUIRE(post.run_command(moves[i].substr(0, blank), moves[i].substr(blank + 1)).status == 0);
    CHECK(contains(post.reply(kWilma, latest, "DO").text, not_valid));
    CHECK(contains(post.send_and_wait("thief@else.test", latest.answer_address(),
                                      "Re: " + latest.header("Subject"), acts[i])
                       .text,
                   not_valid));
    const SentMail next = post.reply(kWilma, latest, acts[i]);
    CHECK(contains(next.text, answers[i]));
    CHECK_FALSE(contains(next.text, not_valid));
    CHECK(contains(post.reply(kWilma, latest, acts[i]).text, not_valid));
    latest = next;
  }
}

TEST_CASE("a notification goes to one plain address only", "[mail]") {
  MailServer post;
  const auto tell = [&](const std::string& address) {
    const RunResult r =
        run_file(gateway_path(),
                 {"tell", "--address", "pbm@games.test", "--state", (post.dir / "state").string(),
                  "--sendmail", (post.dir / "sendmail").string()},
                 {.home = post.dir.path(),
                  .input = "toot-101: it waits \xE2\x80\x94 <for you>\n",
                  .directory = {},
                  .output = "",
                  .variables = {"PBMPLAY_ADDRESS=" + address, "PBMPLAY_USER=fred",
                                "PBMPLAY_TEXT=1 board waits for you",
                                "PBMPLAY_BOARDS=toot-101#7-12", "PBMPLAY_BOARD=toot-101",
                                "PBMPLAY_DRAWING=" + std::string(79, '.') + "\n"}});
    INFO(r.err);
    CHECK(r.status == 0);
  };
  for (const char* address :
       {"", "fred", "-oQ/tmp@x", "a@b,c@d", "Fred <a@b>", "@b", "a@", "a@b@c", "a\nb@c"})
    tell(address);
  CHECK(post.count_mails() == 0);
  tell("f.o'neil+x@example.org");
  const SentMail told = post.next_mail("f.o'neil+x@example.org");
  CHECK(contains(told.text, "toot-101: it waits =E2=80=94 <for you>\n"));
  CHECK(contains(told.raw, "<pre>\ntoot-101: it waits =E2=80=94 &lt;for you&gt;\n"));
  CHECK(told.header("Subject").starts_with("pbmplay: 1 board waits for you [fred."));
  CHECK(told.answer_address().starts_with("pbm+toot-101.fred.7-12."));
  // At most 64 characters stand before the @.
  const auto longest = [&](const SentMail& letter) { return letter.answer_address().find('@'); };
  CHECK(longest(told) <= 64);
  // The mail attaches a drawing that is too wide for it.
  CHECK(contains(told.raw, "filename=toot-101.txt"));
}

TEST_CASE("pbmplay-mail(8) has every option of the program, and no other", "[mail]") {
  const auto options = [](const std::string& text) {
    std::set<std::string> out;
    static const std::regex option("--[a-z]+");
    for (std::sregex_iterator at(text.begin(), text.end(), option), end; at != end; ++at)
      out.insert(at->str());
    return out;
  };
  const std::string page = read_bytes(source_root() / "man/pbmplay-mail.8.md");
  const std::size_t from = page.find("## Options");
  CHECK(options(page.substr(from, page.find("## Setting", from) - from)) ==
        options(run_file(gateway_path(), {"--help"}).out));
  for (const char* wrong : {"--nonsense", "--address", "nonsense"})
    CHECK(run_file(gateway_path(), {wrong}).status == 64);
  CHECK(run_file(gateway_path(), {"--address", "two words@x"}).status == 64);
}

TEST_CASE("a mail waits while the server is away, and an unsent answer is sent again", "[mail]") {
  MailServer post;
  post.server->stop(SIGTERM);
  const std::string mail =
      "From: " + kFred + "\nTo: " + kGames + "\nSubject: list\nMessage-ID: <1@x>\n\n";
  CHECK(post.deliver(mail).status == 75);
  CHECK(post.count_mails() == 0);
  post.start_server();
  CHECK(::rename((post.dir / "sendmail").c_str(), (post.dir / "gone").c_str()) == 0);
  CHECK(post.deliver(mail).status == 75);
  CHECK(::rename((post.dir / "gone").c_str(), (post.dir / "sendmail").c_str()) == 0);
  CHECK(post.deliver(mail).status == 0);
  CHECK(contains(post.next_mail(kFred).text, "There are no accounts yet."));
  CHECK(contains(post.deliver(mail).err, "it was answered already"));
}

TEST_CASE("a mail that is delivered again runs no command twice", "[mail]") {
  MailServer post;
  const SentMail fred = post.sign_up("fred"), wilma = post.sign_up("wilma");
  const std::string cut = (post.dir / "cut").string();
  const auto twice = [&](const std::string& mail, const std::string& word) {
    {
      const CuttingProxy wire(cut, post.socket(), word);
      post.gateway_socket = cut;
      CHECK(post.deliver(mail).status == 75);
      post.gateway_socket.clear();
    }
    CHECK(post.deliver(mail).status == 0);
  };
  const std::string head = "From: " + kWilma + "\nTo: ";
  twice(head + kGames + "\nSubject: multiple" + wilma.token() +
            "\nMessage-ID: <cut1@there>\n\nmessage fred : hello there\ntoot challenge wilma fred\n"
            "set computer no\nmessage fred : once more\ntoot games all\n",
        "once more");
  const SentMail answer = post.next_mail(kWilma, 10s, "cut1@there");
  CHECK(contains(answer.text, "Sent to fred.\n"));
  CHECK(contains(answer.text, "\nBoard 101 of Toot: wilma and fred.\n"));
  CHECK(contains(answer.text,
                 "\nRefused: The server stopped before it answered command 4 of your mail."));
  CHECK(contains(answer.text, "We do not know"));
  CHECK(contains(answer.text, "1 board of Toot"));
  CHECK(answer.header("Subject").starts_with("Toot 101: your turn against fred"));
  CHECK(contains(post.run_command("fred", "toot games all").out, "1 board of Toot"));
  auto hello = SocketClient::connect({post.socket(), "", 0}, 10s);
  REQUIRE(hello.ok());
  CHECK(contains(hello->ask("as fred", 10s)->summary, " 3 messages wait for you. Type watch."));
  // The gateway repeats a move, because the move names its ply.
  CHECK(contains(answer.answer_address(), "+toot-101.wilma.1-0."));
  twice(head + answer.answer_address() +
            "\nSubject: Re: pbmplay: x\nMessage-ID: <cut2@there>\n\nBT\n",
        " BT#1-0");
  CHECK(contains(post.next_mail(kWilma, 10s, "cut2@there").text,
                 "You have already played that, as move 1 of"));
  // The token in the Subject is used up.
  CHECK(contains(post.send_and_wait(kWilma, kGames, "vacation 2" + wilma.token()).text,
                 "is not valid"));
  // A mail still proves its author when its first delivery removed the board or used the code.
  post.run_command("fred", "toot challenge wilma");
  twice(head + post.next_mail(kWilma, 20s).answer_address() +
            "\nSubject: Re: pbmplay: x\nMessage-ID: <cut3@there>\n\nrefuse\n",
        " refuse ");
  CHECK(contains(post.next_mail(kWilma, 10s, "cut3@there").text, "We do not know"));
  CHECK(contains(post.send_and_wait("zed@zed.test", kGames, "signup zed").text, "Welcome"));
  const std::string code = post.next_mail("zed@zed.test").text;
  twice("From: zed@zed.test\nTo: " + kGames + "\nSubject: " + code_line(code) +
            "\nMessage-ID: <cut4@there>\n\n",
        "as zed");
  CHECK(contains(post.next_mail("zed@zed.test", 10s, "cut4@there").text,
                 "The address of zed is zed@zed.test."));
}

TEST_CASE("a mail waits while its author has no connection left", "[mail]") {
  MailServer post;
  const SentMail wilma = post.sign_up("wilma");
  post.server->stop(SIGTERM);
  post.mails_per_user = "1";
  post.start_server();
  {
    auto screen = SocketClient::connect({post.socket(), "", 0}, 10s);
    REQUIRE(screen.ok());
    REQUIRE(screen->ask("as wilma", 10s)->ok);
    CHECK(post.send_mail(kWilma, kGames, "vacation 2" + wilma.token()).status == 75);
  }
  CHECK(contains(post.send_and_wait(kWilma, kGames, "vacation 2" + wilma.token()).text,
                 "on vacation until"));
}

TEST_CASE("no mail makes an account for a name on a board", "[mail]") {
  MailServer post;
  post.server->stop(SIGTERM);
  std::ofstream(post.dir / "boards" / "toot-101.yaml")
      << "format: 1\ngame: toot\nseats: [bobby, wilma]\nplies:\n";
  post.start_server();
  CHECK(contains(post.send_and_wait(kFred, kGames, "confirm bobby 12345").text,
                 "does not confirm your address"));
  CHECK(contains(run_program({"send", "--socket", post.socket(), "list"}).out,
                 "There are no accounts yet."));
}

TEST_CASE("a watcher gets mails until they unsubscribe", "[mail]") {
  MailServer post;
  post.sign_up("fred");
  SentMail betty = post.sign_up("betty");
  post.run_command("barney", "list");
  post.run_command("wilma", "toot challenge wilma barney");
  betty = post.send_and_wait("betty@betty.test", kGames, "toot subscribe 101" + betty.token());
  CHECK(contains(betty.text, "watch"));
  post.run_command("wilma", "toot 101 BT");
  SentMail told = post.next_mail("betty@betty.test");
  CHECK(told.header("Subject").starts_with("Toot 101: wilma played BT [betty."));
  CHECK(contains(told.text, "wilma played BT.\n\n"));
  CHECK(contains(post.reply("betty@betty.test", told, "chat : hello").text,
                 "Sent to the watchers of toot 101"));
  // The List-Unsubscribe link is a mail of its own, and works at any time.
  const auto unsubscribe = [&](const SentMail& letter) {
    const std::string link = letter.header("List-Unsubscribe");
    REQUIRE(link.starts_with("<mailto:"));
    return link.substr(8, link.find('?') - 8);
  };
  post.run_command("barney", "toot 101 CO");
  CHECK(contains(told.raw, "\nList-Unsubscribe: <mailto:pbm+toot-101.betty.0."));
  CHECK(contains(post.send_and_wait("betty@betty.test", unsubscribe(told), "unsubscribe").text,
                 "While you are away, you get no notifications about toot 101."));
  CHECK(contains(post.send_and_wait("thief@else.test", unsubscribe(told), "unsubscribe").text,
                 "The code in your mail is not valid"));
  post.run_command("wilma", "toot challenge wilma fred");
  const SentMail mine = post.next_mail(kFred);
  CHECK(contains(post.send_and_wait(kFred, unsubscribe(mine), "unsubscribe").text,
                 "While you are away, you get no notifications about toot 102."));
  post.run_command("wilma", "toot 102 BT");
  CHECK(post.next_mail(kFred, 100ms).to == "");
  // A player who watches all games of a kind can unsubscribe, too.
  const std::string xen = "xen@xen.test";
  CHECK(contains(
      post.send_and_wait(xen, kGames, "toot subscribe all" + post.sign_up("xen").token()).text,
      "xen"));
  post.run_command("wilma", "toot 101 DT");
  told = post.next_mail(xen);
  CHECK(contains(post.send_and_wait(xen, unsubscribe(told), "unsubscribe").text,
                 "While you are away, you get no notifications about toot 101."));
}

TEST_CASE("with a real Postfix each game is played by mail, and against a player at a screen",
          "[mail][postfix]") {
  if (const std::string why = Postfix::why_unavailable(); !why.empty()) return skip_test(why);
  Postfix post;
  if (!post.server) return skip_test("no Postfix starts here");
  // Players of each game. No address gets more than twenty mails.
  const std::map<std::string, std::vector<std::string>> seated{
      {"toot", {"a0", "a1"}},
      {"chaos", {"a0", "a1"}},
      {"soccolot", {"a0", "screen"}},
      {"flooprail-blocked", {"b0", "screen"}},
      {"plotto-three", {"c0", "c1", "screen"}}};
  std::map<std::string, SentMail> latest_of;
  post.run_command("screen", "list");
  for (const std::string name :
       {"toot", "flooprail-blocked", "plotto-three", "chaos", "soccolot"}) {
    INFO(name);
    std::istringstream golden(read_bytes(source_root() / "t/golden" / (name + ".txt")));
    std::string line, game, options;
    std::getline(golden, line);
    const std::vector<std::string> head = split_words(line.substr(0, line.find(',')));
    game = head[0];
    std::vector<std::string> plies;
    for (std::string ply; std::getline(golden, ply);)
      if (ply.starts_with("> ")) plies.push_back(ply.substr(2));
    const std::vector<std::string>& players = seated.at(name);
    const std::size_t seats = players.size();
    std::vector<SentMail> latest(seats);
    for (std::size_t i = 0; i < seats; ++i) {
      if (players[i] == "screen") continue;
      if (!latest_of.count(players[i])) latest_of[players[i]] = post.sign_up(players[i]);
      latest[i] = latest_of[players[i]];
    }
    const auto at = [&](std::size_t i) { return players[i] + "@people.test"; };
    std::string challenge = game + " challenge";
    for (const std::string& player : players) challenge += " " + player;
    for (std::size_t i = 1; i < head.size(); ++i) challenge += " " + head[i];
    latest[0] = post.send_and_wait(at(0), "pbm@games.test", challenge + latest[0].token());
    INFO(latest[0].text << post.mail_log());
    REQUIRE(contains(latest[0].text, "Board 101 of"));
    // After an answer a player gets a mail for every turn at once.
    for (std::size_t i = 1; i < seats; ++i)
      if (!latest[i].to.empty()) latest[i] = post.reply(at(i), post.next_mail(at(i)), "show");
    for (std::size_t n = 0; n < plies.size(); ++n) {
      const std::string info = post.run_command(players[0], game + " info 101").out;
      const std::size_t i = static_cast<std::size_t>(info[info.find("turn: ") + 6] - '1');
      INFO(info);
      REQUIRE(i < seats);
      if (latest[i].to.empty()) {
        REQUIRE(post.run_command(players[i], game + " 101 " + plies[n]).status == 0);
      } else {
        // Skips mails until the one that says it is this player's turn.
        const std::string ply =
            "+" + game + "-101." + players[i] + "." + std::to_string(n + 1) + "-";
        while (!contains(latest[i].answer_address(), ply)) {
          latest[i] = post.next_mail(at(i));
          INFO(post.mail_log());
          REQUIRE_FALSE(latest[i].to.empty());
        }
        // Earlier mails may arrive before the answer.
        latest[i] = post.reply(at(i), latest[i], plies[n]);
        while (!contains(latest[i].text, "Move " + std::to_string(n + 1) + ": ")) {
          INFO(latest[i].text);
          latest[i] = post.next_mail(at(i));
          REQUIRE_FALSE(latest[i].to.empty());
        }
      }
    }
    for (std::size_t i = 0; i < seats; ++i) latest_of[players[i]] = latest[i];
    CHECK(contains(post.run_command(players[0], game + " games all").out, players[0]));
    CHECK_FALSE(contains(post.run_command(players[0], game + " info 101").out, "turn: "));
  }
}

TEST_CASE("with a real Postfix each move reaches the opponent within five seconds",
          "[mail][postfix]") {
  if (const std::string why = Postfix::why_unavailable(); !why.empty()) return skip_test(why);
  Postfix post;
  if (!post.server) return skip_test("no Postfix starts here");
  const std::vector<std::string> players{"fred", "wilma"};
  std::vector<SentMail> latest;
  for (const std::string& who : players) latest.push_back(post.sign_up(who));
  latest[0] = post.send_and_wait("fred@people.test", "pbm@games.test",
                                 "flooprail challenge fred wilma" + latest[0].token());
  REQUIRE(contains(latest[0].text, "Board 101 of"));
  // She acts, so her next mail comes at once.
  post.reply("wilma@people.test", post.next_mail("wilma@people.test"), "show");
  std::istringstream golden(read_bytes(source_root() / "t/golden/flooprail.txt"));
  std::vector<std::chrono::milliseconds> spans;
  for (std::string line; std::getline(golden, line);) {
    if (!line.starts_with("> ")) continue;
    const std::size_t mover = spans.size() % 2, other = 1 - mover;
    const std::string from = players[mover] + "@people.test", to = players[other] + "@people.test";
    const auto start = std::chrono::steady_clock::now();
    const std::string id =
        post.send_mail(from, latest[mover].answer_address(),
                       "Re: " + latest[mover].header("Subject"), line.substr(2) + "\n");
    latest[other] = post.next_mail(to);
    spans.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start));
    INFO(line << "\n" << post.mail_log());
    REQUIRE(contains(latest[other].raw, "played " + line.substr(2)));
    CHECK(contains(post.next_mail(from, id).text, "Move "));
  }
  std::ranges::sort(spans);
  const auto median = spans[spans.size() / 2], longest = spans.back();
  INFO("median " << median.count() << " ms, longest " << longest.count() << " ms");
  CHECK(spans.size() == 41);
  CHECK(median < 5s);
  CHECK(longest < 20s);
}

TEST_CASE("with a real Postfix a mail may be large, and many come at once", "[mail][postfix]") {
  if (const std::string why = Postfix::why_unavailable(); !why.empty()) return skip_test(why);
  Postfix post;
  if (!post.server) return skip_test("no Postfix starts here");
  const std::string at = "fred@people.test";
  const std::string large =
      post.send_mail(at, "pbm@games.test", "list", std::string(std::size_t{30} << 20, 'x') + "\n");
  CHECK(contains(post.next_mail(at, large, 60s).text, "There are no accounts"));
  std::vector<std::string> wrote;
  for (int i = 0; i < 30; ++i)
    wrote.push_back(
        post.send_mail("many" + std::to_string(i) + "@people.test", "pbm@games.test", "list"));
  for (int i = 0; i < 30; ++i)
    CHECK(contains(post.next_mail("many" + std::to_string(i) + "@people.test",
                                  wrote[static_cast<std::size_t>(i)])
                       .text,
                   "There are no accounts"));
}

TEST_CASE("with a real Postfix a thousand mails come at once, and bounces get no answer",
          "[mail][postfix][long]") {
  if (const std::string why = Postfix::why_unavailable(); !why.empty()) return skip_test(why);
  Postfix post;
  if (!post.server) return skip_test("no Postfix starts here");
  const auto delivered = [&](const std::string& to) {
    std::size_t n = 0;
    const std::string log = post.mail_log();
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
      n += contains(line, "to=<" + to + ">") && contains(line, "status=sent");
    return n;
  };
  const auto until = [](const std::function<bool()>& done) {
    for (int i = 0; i < 30'000 && !done(); ++i) ::usleep(2000);
    return done();
  };
  // A gateway answers neither another gateway nor a mail that bounces.
  post.send_mail("pbm@other.test", "pbm@games.test", "help");
  CHECK(until([&] { return delivered("pbm@other.test") == 1; }));
  post.send_mail("who@gone.test", "pbm@games.test", "help");
  // These two mails and the bounce.
  CHECK(until([&] { return delivered("pbm@games.test") == 3; }));
  const std::size_t many = 1000;
  std::map<std::string, std::string> wrote;
  for (std::size_t i = 0; i < many; ++i) {
    const std::string at = "many" + std::to_string(i) + "@people.test";
    wrote[at] = post.send_mail(at, "pbm@games.test", "list");
  }
  CHECK(until([&] { return delivered("pbm@games.test") == 3 + many; }));
  const fs::path box = post.dir / "box/all/new";
  const auto mails = [&] {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(box), fs::directory_iterator()));
  };
  CHECK(until([&] { return mails() == many; }));
  std::set<std::string> answered;
  for (const auto& file : fs::directory_iterator(box)) {
    SentMail letter;
    letter.raw = read_bytes(file.path());
    const std::string to = letter.header("Delivered-To");
    CHECK(letter.header("In-Reply-To") == "<" + wrote[to] + ">");
    CHECK(contains(letter.raw, "There are no accounts yet."));
    answered.insert(to);
  }
  CHECK(answered.size() == many);
  CHECK(delivered("pbm@other.test") == 1);
  CHECK(delivered("pbm@games.test") == 3 + many);
}
