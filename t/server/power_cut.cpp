// SPDX-License-Identifier: MIT
// Power cuts at any moment. power_cut/recorder.cpp records a real server and a
// local client under load; a model disk takes from the record what was synced.
// At random moments the test writes the directory as a disk might have it then:
// everything synced, and any part of the rest, or zeros in its place. A fresh
// server and a fresh client must find everything that was acknowledged until
// then.
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <thread>

#include "base/files.hpp"
#include "boards/local_boards.hpp"
#include "socket_server.hpp"
#include "power_cut/record.hpp"
#include "run.hpp"
#include "save/save.hpp"
#include "shown_tournament.hpp"
#include "test_server.hpp"

using namespace pbm;
using namespace pbm::test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

// --- the record --------------------------------------------------------------

struct Step {
  RecordHead head{};
  std::string name, data;
  std::size_t end = 0;  // bytes of the record up to the end of this step
};

std::vector<Step> read_record(const fs::path& file) {
  const std::string bytes = read_bytes(file);
  std::vector<Step> out;
  for (std::size_t at = 0; at < bytes.size();) {
    Step step;
    REQUIRE(at + sizeof step.head <= bytes.size());
    std::memcpy(&step.head, bytes.data() + at, sizeof step.head);
    at += sizeof step.head;
    step.name = bytes.substr(at, step.head.name_size);
    at += step.head.name_size;
    step.data = bytes.substr(at, step.head.data_size);
    step.end = at += step.head.data_size;
    out.push_back(std::move(step));
  }
  return out;
}

// The state of a disk after some of the steps.
class ModelDisk {
 public:
  void apply_step(const Step& step) {
    const RecordHead& head = step.head;
    switch (head.kind) {
      case Change::make_file:
      case Change::make_directory: return create(step);
      case Change::write:
      case Change::truncate:
        return node(head.inode)
            .changes.push_back(
                {head.kind == Change::write, static_cast<std::size_t>(head.offset), step.data});
      case Change::rename:
      case Change::link: return rename(step);
      case Change::remove: return change_name(step.name, std::nullopt);
      case Change::sync_begins:
        syncs_[head.offset] = {by_inode_.at(head.inode), change_count(node(head.inode))};
        return;
      case Change::sync_ends: {
        const auto [what, upto] = syncs_.at(head.offset);
        nodes_[what].safe_count = std::max(nodes_[what].safe_count, upto);
        return;
      }
    }
  }

  // Writes the files as the program saw them.
  void lay_out_all(const fs::path& directory) const {
    lay_out(
        0, directory, [](const Node& n) { return change_count(n); },
        [](const Node& n) { return content(n, n.changes.size()); });
  }

  // Writes the files as they may be after a power cut now.
  void lay_out_after_cut(const fs::path& directory, std::mt19937& random) const {
    std::vector<std::size_t> upto;
    // A rename between two directories happens in both or in neither.
    std::set<std::size_t> moved;
    for (const Node& n : nodes_) {
      upto.push_back(pick_between(n.safe_count, change_count(n), random));
      for (std::size_t i = 0; n.is_directory && i < upto.back(); ++i)
        moved.insert(n.names[i].move_number);
    }
    const auto reached = [&](const Node& n) {
      return upto[static_cast<std::size_t>(&n - nodes_.data())];
    };
    lay_out(
        0, directory, reached, [&](const Node& n) { return torn_content(n, reached(n), random); },
        moved);
  }

 private:
  struct FileChange {
    bool is_write;
    std::size_t offset;  // or the size, for a truncation
    std::string data;
  };
  struct NameChange {
    std::string name;
    std::optional<std::size_t> node;  // nothing: the name is removed
    std::string old_name;             // a name in the same directory removed with it, or ""
    std::size_t move_number = 0;      // the same number in both directories of a rename, or 0
  };
  struct Node {
    bool is_directory = false;
    std::vector<FileChange> changes;
    std::vector<NameChange> names;
    std::size_t safe_count = 0;                  // how many of these are certainly on disk
    std::map<std::string, std::size_t> entries;  // names as the program sees them
  };

  static std::size_t change_count(const Node& n) {
    return n.is_directory ? n.names.size() : n.changes.size();
  }
  Node& node(std::uint64_t inode) { return nodes_[by_inode_.at(inode)]; }

  // Returns `least`, `most`, or a number between them, with the same probability.
  static std::size_t pick_between(std::size_t least, std::size_t most, std::mt19937& random) {
    const std::size_t how = random_below(random, 3);
    return how == 0 ? least : how == 1 ? most : least + random_below(random, most - least + 1);
  }

  // Returns the directory of a path, and its last part.
  std::pair<std::size_t, std::string> parent(const std::string& path) const {
    std::size_t at = 0, from = 0;
    for (std::size_t slash; (slash = path.find('/', from)) != std::string::npos; from = slash + 1)
      at = nodes_[at].entries.at(path.substr(from, slash - from));
    return {at, path.substr(from)};
  }

  void create(const Step& step) {
    const bool is_directory = step.head.kind == Change::make_directory;
    if (step.name.empty()) {
      // The test takes the directory itself for granted.
      if (nodes_.empty())
        nodes_.push_back(
            {.is_directory = true, .changes = {}, .names = {}, .safe_count = 0, .entries = {}});
      by_inode_[step.head.inode] = 0;
      return;
    }
    const auto [at, last] = parent(step.name);
    const auto found = nodes_[at].entries.find(last);
    const auto known = by_inode_.find(step.head.inode);
    // A program has only opened a file that it did not create.
    if (found != nodes_[at].entries.end() && known != by_inode_.end() &&
        known->second == found->second)
      return;
    nodes_.push_back(
        {.is_directory = is_directory, .changes = {}, .names = {}, .safe_count = 0, .entries = {}});
    by_inode_[step.head.inode] = nodes_.size() - 1;
    change_name(step.name, nodes_.size() - 1);
  }

  void change_name(const std::string& path, std::optional<std::size_t> what,
                   const std::string& old = "", std::size_t move = 0) {
    const auto [at, last] = parent(path);
    nodes_[at].names.push_back({last, what, old, move});
    if (!old.empty()) nodes_[at].entries.erase(old);
    if (what) nodes_[at].entries[last] = *what;
    else nodes_[at].entries.erase(last);
  }

  void rename(const Step& step) {
    const auto [from, was] = parent(step.name);
    const auto [to, is] = parent(step.data);
    const std::size_t what = nodes_[from].entries.at(was);
    if (step.head.kind == Change::link) return change_name(step.data, what);
    if (from == to) return change_name(step.data, what, was);
    ++moves_;
    change_name(step.name, std::nullopt, "", moves_);
    change_name(step.data, what, "", moves_);
  }

  static std::string content(const Node& n, std::size_t upto) {
    std::string out;
    for (std::size_t i = 0; i < upto; ++i) apply(out, n.changes[i], n.changes[i].data);
    return out;
  }
  static void apply(std::string& text, const FileChange& change, const std::string& data) {
    if (!change.is_write) return text.resize(change.offset);
    if (text.size() < change.offset + data.size()) text.resize(change.offset + data.size());
    text.replace(change.offset, data.size(), data);
  }

  // Returns the synced content, with any part of the changes after it.
  static std::string torn_content(const Node& n, std::size_t upto, std::mt19937& random) {
    std::string out = content(n, n.safe_count);
    for (std::size_t i = n.safe_count; i < upto; ++i) {
      const FileChange& change = n.changes[i];
      std::string data = change.data;
      const std::size_t how = random_below(random, 4), half = data.size() / 2;
      if (how == 1) data.assign(data.size(), '\0');
      if (how == 2) data.replace(half, std::string::npos, data.size() - half, '\0');
      if (how == 3 && i + 1 == upto) data.resize(half);
      apply(out, change, data);
    }
    return out;
  }

  template <class Reached, class Content>
  void lay_out(std::size_t at, const fs::path& path, const Reached& reached,
               const Content& content_of, const std::set<std::size_t>& moved = {}) const {
    const Node& n = nodes_[at];
    if (!n.is_directory) {
      std::ofstream(path, std::ios::binary) << content_of(n);
      return;
    }
    fs::create_directories(path);
    std::map<std::string, std::size_t> names;
    for (std::size_t i = 0; i < n.names.size(); ++i) {
      const NameChange& c = n.names[i];
      if (i >= reached(n) && !(c.move_number != 0 && moved.count(c.move_number))) continue;
      if (!c.old_name.empty()) names.erase(c.old_name);
      if (c.node) names[c.name] = *c.node;
      else names.erase(c.name);
    }
    for (const auto& [name, what] : names) lay_out(what, path / name, reached, content_of, moved);
  }

  std::vector<Node> nodes_;  // the first is the directory itself
  std::map<std::uint64_t, std::size_t> by_inode_;
  std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> syncs_;
  std::size_t moves_ = 0;
};

// --- the promises -------------------------------------------------------------

// Something acknowledged that must stay true; `from` is the size of the record at that time.
struct Promise {
  std::size_t record_size;
  std::string kind, subject, value;  // "ply", "toot-101", "AT CT"
};

constexpr std::size_t kPairs = 4;
constexpr std::size_t kMaxGame = 56;

// Returns the n-th ply of every 7x9 board here, from 1: rows of one letter, which never win.
std::string ply_text(std::size_t n) {
  const std::size_t at = n - 1;
  return std::string(1, static_cast<char>('A' + at % 7)) + (at < 28 ? "T" : "O");
}

// Players who play and chat, and one who plays on their own save in the same directory after the
// server has ended.
class Load {
 public:
  explicit Load(const TemporaryDirectory& place) : place_(place) {}

  // Runs the load, with a restart of the server in the middle.
  void run(WaitTime time) {
    for (int half = 0; half < 2; ++half) {
      ServerProcess server(directory(), place_ / "s", {}, environment());
      socket_ = server.socket_address();
      end_ = Clock::now() + time / 2;
      std::vector<std::thread> people;
      for (std::size_t i = 0; i < kPairs; ++i)
        people.emplace_back([this, i] { catch_errors([&] { play(i); }); });
      people.emplace_back([this] { catch_errors([&] { talk(); }); });
      people.emplace_back([this] { catch_errors([&] { play_tournaments(); }); });
      for (std::thread& p : people) p.join();
      server.send_signal(SIGTERM);
      CHECK(server.wait_exit() == 0);
      catch_errors([&] { play_own_save(); });
    }
    REQUIRE(error_.empty());
  }
  fs::path directory() const { return place_ / "boards"; }
  fs::path record() const { return place_ / "record"; }
  const std::vector<Promise>& promises() const { return promises_; }

 private:
  std::vector<std::string> environment() const {
    return {"LD_PRELOAD=" + (require_program().parent_path() / "recorder.so").string(),
            "PBM_RECORD_ROOT=" + directory().string(), "PBM_RECORD=" + record().string()};
  }
  // Catch2 allows assertions in one thread only, so this keeps the error for later.
  void catch_errors(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& error) {
      const std::lock_guard lock(mutex_);
      error_ = error.what();
    }
  }
  bool time_is_up() const { return Clock::now() > end_; }
  void promise(const std::string& kind, const std::string& who, const std::string& what) {
    const std::lock_guard lock(mutex_);
    promises_.push_back({static_cast<std::size_t>(fs::file_size(record())), kind, who, what});
  }
  static bool ok(const std::string& reply) { return reply.starts_with("+OK"); }
  // Returns the number in "+OK Board 101 of ...", or throws.
  static std::string board_number(const std::string& reply) {
    return ok(reply) ? split_words(reply).at(2) : throw std::runtime_error(reply);
  }

  void play(std::size_t pair) {
    const std::string names[] = {"p" + std::to_string(2 * pair),
                                 "p" + std::to_string(2 * pair + 1)};
    RawConnection talks[] = {RawConnection(socket_), RawConnection(socket_)};
    for (int i : {1, 0})
      if (ok(talks[i].request("as " + names[i]))) promise("account", names[i], "");
    while (!time_is_up()) {
      const std::string number =
          board_number(talks[0].request("toot challenge -size=7x9 " + names[0] + " " + names[1]));
      promise("board", number, "");
      if (pair == 0) {  // the opponent refuses at once
        if (ok(talks[1].request("toot resign " + number + " " + names[1] + " *")))
          promise("gone", number, "");
        const std::string kept =
            board_number(talks[0].request("toot challenge -size=7x9 " + names[0] + " " + names[1]));
        queue(talks[1], kept, names[1]);
        if (time_is_up() || ++queued_ > 3) return;
        continue;
      }
      std::string line;
      for (std::size_t n = 1; n <= kMaxGame && !time_is_up(); ++n) {
        const std::size_t mover = (n + 1) % 2;
        const std::string said =
            talks[mover].request("toot move " + number + " " + names[mover] + " * " + ply_text(n));
        if (!ok(said)) throw std::runtime_error(said);
        line += (n > 1 ? " " : "") + ply_text(n);
        promise("ply", number, line);
        if (n % 8 != 0) continue;
        const std::string text = "said " + std::to_string(n);
        if (ok(talks[mover].request("toot chat " + number + " " + names[mover] + " * : " + text)))
          promise("said", number, text);
      }
    }
  }

  // Queues plies, each in the place of the one before.
  void queue(RawConnection& talk, const std::string& number, const std::string& user) {
    for (std::size_t n = 0; n < 7 && !time_is_up(); ++n) {
      const std::string ply = std::string(1, static_cast<char>('A' + n)) + "T";
      if (ok(talk.request("toot queue " + number + " " + user + " * " + ply)))
        promise("queued", number + " " + user, ply);
    }
  }

  void talk() {
    RawConnection raw(socket_);
    raw.request("as talker");
    for (; !time_is_up(); ++said_) {
      const std::string n = std::to_string(said_);
      if (said_ % 8 == 0 && ok(RawConnection(socket_).request("as away" + n)))
        promise("account", "away" + n, "");
      if (ok(raw.request("message talker * away" + std::to_string(said_ / 8 * 8) + " : hello " +
                         n)))
        promise("mail", "away" + std::to_string(said_ / 8 * 8), "hello " + n);
      if (ok(raw.request("change address talker * street " + n)))
        promise("address", "talker", "street " + n);
    }
  }

  // Sixteen players play one tournament after the other by resigning.
  void play_tournaments() {
    std::vector<RawConnection> talks;
    RawConnection reader(socket_);
    reader.request("hello 2");
    for (std::size_t i = 0; i < 16; ++i) {
      talks.emplace_back(socket_);
      talks.back().request("as t" + std::to_string(i));
    }
    while (!time_is_up()) {
      const std::string name = "cup" + std::to_string(tournaments_);
      const ShownTournament t(tournaments_ == 0 ? ""
                                                : reader.request("data tournament show " + name));
      if (tournaments_ == 0 || t.info.state == Tournament::State::over) {
        const std::string next = "cup" + std::to_string(++tournaments_);
        if (ok(talks[0].request("tournament new " + next + " chaos " +
                                (tournaments_ % 2 == 1 ? "swiss" : "knockout") + " -entries=16")))
          promise("tournament", next, "");
      } else if (t.info.state == Tournament::State::open) {
        for (RawConnection& talk : talks) talk.request("tournament join " + name);
      }
      for (const TournamentGame& game : t.running()) {
        const bool first_wins = ++resigned_ % 3 == 0;
        const std::string loser = t.entry(first_wins ? game.second : game.first).userid;
        if (time_is_up()) return;
        if (ok(talks[std::stoul(loser.substr(1))].request("chaos resign " + game.board.substr(6))))
          promise("result", game.board, first_wins ? "first" : "second");
      }
    }
  }

  void play_own_save() {
    const std::string file = (directory() / "own.yaml").string();
    const auto ran = [&](std::vector<std::string> words) {
      const std::vector<std::string> variables = environment();
      words.insert(words.begin(),
                   {"env", variables[0], variables[1], variables[2], require_program().string()});
      std::string line;
      for (const std::string& w : words) line += "'" + w + "' ";
      return std::system((line + "> /dev/null 2>&1").c_str()) == 0;
    };
    if (own_.empty()) {
      if (!ran({"new", file, "toot", "-size=7x9", "fred", "wilma"}))
        throw std::runtime_error("no save of one's own");
      promise("own", "", "");
    }
    for (std::size_t n = split_words(own_).size() + 1, to = n + 10; n < to; ++n) {
      if (!ran({"move", file, ply_text(n)})) throw std::runtime_error("no move on one's own save");
      own_ += (n > 1 ? " " : "") + ply_text(n);
      promise("own", "", own_);
    }
  }

  const TemporaryDirectory& place_;
  ServerAddress socket_;
  Clock::time_point end_;
  std::mutex mutex_;
  std::vector<Promise> promises_;
  std::string error_, own_;
  std::size_t said_ = 0, queued_ = 0, tournaments_ = 0, resigned_ = 0;
};

// --- the promises after the cut -------------------------------------------------

std::string plies_of(const Match& match) {
  std::string out;
  for (const Match::Ply& ply : match.plies()) out += (out.empty() ? "" : " ") + ply.text;
  return out;
}

// Returns the save in a reply of `GAME save`, without the lines around it.
std::string save_in(const std::string& reply) {
  return reply.substr(reply.find('\n') + 1, reply.size() - reply.find('\n') - 3);
}

class PromiseChecker {
 public:
  // Reads the directory of `hall`, which is running.
  explicit PromiseChecker(TestServer& hall) : server_(hall), local_boards_(hall.directory, "") {}

  bool is_kept(const Promise& p) {
    if (p.kind == "account") return server_.service().accounts.find(p.subject).has_value();
    if (p.kind == "mail") return mail(p.subject).count(p.value) == 1;
    if (p.kind == "board") return gone_.count(p.subject) == 1 || server_match(p.subject);
    if (p.kind == "ply") return begins_with(server_match(p.subject), p.value);
    if (p.kind == "own") return begins_with(local_match("own"), p.value);
    if (p.kind == "gone") {
      const auto match = server_match(p.subject);
      return !match || match->ending();
    }
    // A later address may have replaced it just before the cut.
    if (p.kind == "address") {
      const auto wanted = server_.service().notifier.addresses().find_pending(p.subject);
      return wanted && std::stoul(split_words(wanted->address).at(1)) >=
                           std::stoul(split_words(p.value).at(1));
    }
    if (p.kind == "said")
      return contains(TestClient(server_).say("toot chats " + p.subject), ": " + p.value + "\n");
    Tournaments& tournaments = server_.service().tournaments;
    if (p.kind == "tournament") return tournaments.find(p.subject).has_value();
    if (p.kind == "result") {
      const auto place = tournaments.find_game(p.subject);
      return place && tournaments.games(place->tournament)[place->index].result ==
                          (p.value == "first" ? GameResult::first : GameResult::second);
    }
    REQUIRE(p.kind == "queued");
    const auto who = split_words(p.subject);
    const auto queued = server_.service().queued_plies.find({"toot-" + who[0], who[1]});
    return queued && queued->move >= p.value;
  }
  void allow_gone(const std::string& number) { gone_.insert(number); }

 private:
  std::optional<Match> server_match(const std::string& number) {
    if (!server_.service().store.rows().has({find_game("toot"), std::stoi(number)}))
      return std::nullopt;
    TestClient talk(server_);
    const std::string said = talk.say("toot save " + number);
    INFO(said);
    REQUIRE(said.starts_with("+OK"));
    const auto loaded = load_match(save_in(said), "sent");
    REQUIRE(loaded.ok());
    const auto here = local_match("toot-" + number);
    REQUIRE(here);
    CHECK(plies_of(*here) == plies_of(loaded->match));
    return loaded->match;
  }
  std::optional<Match> local_match(const std::string& id) {
    const auto opened = local_boards_.open(id);
    if (!opened) FAIL(opened.refusal().reason);
    return opened->match;
  }
  // True if the match begins with the promised plies, and the rest was played too.
  static bool begins_with(const std::optional<Match>& match, const std::string& promised) {
    std::size_t n = 0;
    for (const Match::Ply& ply : match ? match->plies() : std::vector<Match::Ply>{})
      if (ply.text != ply_text(++n)) return false;
    return match && plies_of(*match).starts_with(promised);
  }
  const std::set<std::string>& mail(const std::string& user) {
    auto& out = mail_[user];
    if (out.empty())
      for (const Mail::Letter& letter : server_.service().mail.letters(user))
        out.insert(letter.event_line.substr(letter.event_line.find(" : ") + 3));
    return out;
  }

  TestServer& server_;
  LocalBoards local_boards_;
  std::set<std::string> gone_;
  std::map<std::string, std::set<std::string>> mail_;
};

// Only the last promise of each kind and place must hold; for mail and chat, every one.
void check_promises(PromiseChecker& finder, const std::vector<Promise>& promises,
                    std::size_t upto) {
  std::map<std::pair<std::string, std::string>, const Promise*> last;
  for (const Promise& p : promises) {
    if (p.kind == "gone") finder.allow_gone(p.subject);  // perhaps before the reply
    if (p.record_size <= upto) last[{p.kind, p.subject}] = &p;
  }
  for (const Promise& p : promises) {
    if (p.record_size > upto) continue;
    if (p.kind != "mail" && p.kind != "said" && last[{p.kind, p.subject}] != &p) continue;
    INFO(p.kind << " " << p.subject << " " << p.value);
    CHECK(finder.is_kept(p));
  }
}

std::map<std::string, std::string> files_below(const fs::path& directory) {
  std::map<std::string, std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    out[fs::relative(entry.path(), directory)] =
        entry.is_directory() ? "" : read_bytes(entry.path());
  return out;
}

void cut_at_random(WaitTime load_for, std::size_t cuts, unsigned seed) {
  const TemporaryDirectory place;
  Load load(place);
  load.run(load_for);
  const std::vector<Step> steps = read_record(load.record());
  {
    // The record misses no change.
    ModelDisk disk;
    for (const Step& step : steps) disk.apply_step(step);
    disk.lay_out_all(place / "model");
    REQUIRE(files_below(place / "model") == files_below(load.directory()));
  }
  std::mt19937 random(seed);
  std::cout << cuts << " power cuts in " << steps.size() << " changes of files, with "
            << load.promises().size() << " promises, seed " << seed << std::endl;
  std::vector<std::size_t> moments;
  for (std::size_t i = 0; i < cuts; ++i) moments.push_back(1 + random_below(random, steps.size()));
  std::sort(moments.begin(), moments.end());
  ModelDisk disk;
  std::size_t taken = 0;
  TestServer hall;
  for (const std::size_t moment : moments) {
    while (taken < moment) disk.apply_step(steps[taken++]);
    INFO("cut after " << moment << " changes");
    hall.stop();
    fs::remove_all(hall.directory);
    disk.lay_out_after_cut(hall.directory, random);
    // The server or the local client, whichever opens the directory first, recovers it.
    if (random_below(random, 2) == 0) LocalBoards(hall.directory, "").list();
    hall.start();
    PromiseChecker finder(hall);
    check_promises(finder, load.promises(), steps[moment - 1].end);
    TestClient reader(hall);
    reader.say("hello 2");
    for (const Tournament& t : hall.service().tournaments.find_listed())
      check_pairings(ShownTournament(reader.say("data tournament show " + t.name)));
  }
}

}  // namespace

TEST_CASE("after a power cut everything is there that was acknowledged", "[server][power]") {
  cut_at_random(400ms, 50, 20261122);
}

TEST_CASE("after 1,000 power cuts everything is there that was acknowledged",
          "[server][power][long]") {
  cut_at_random(3000ms, 1000, std::random_device{}());
}
