// SPDX-License-Identifier: MIT
// Tests what pbmplay-promises(7) promises for every version 1.x, with the files of t/promises,
// t/saves and t/databases. A line of these files may only change with a new major version.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/markdown.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "child.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "protocol/events.hpp"
#include "run.hpp"
#include "save/exercise.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"
#include "server/session/commands.hpp"
#include "server/tables/schema.hpp"
#include "test_server.hpp"
#include "ui/settings.hpp"
#include "ui/theme.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

using Names = std::set<std::string>;

std::string read_page() { return read_bytes(source_root() / "man/pbmplay-promises.7.md"); }

std::string read_section(const std::string& page, const std::string& heading) {
  const std::string out = find_markdown_section(page, heading);
  INFO("the section " << heading);
  REQUIRE_FALSE(out.empty());
  return out;
}

// Returns the first group of every match in `text`.
Names find_all(const std::string& text, const char* pattern) {
  const std::regex form(pattern);
  Names out;
  for (std::sregex_iterator it(text.begin(), text.end(), form), end; it != end; ++it)
    out.insert((*it)[1]);
  return out;
}

// Returns the terms of the list in a section.
Names list_terms(const std::string& section) { return find_all(section, "\n`([^`]+)`\n: "); }

// Returns `all` as a text for a failing test, without `known`.
std::string list_unknown(const Names& all, const Names& known) {
  std::string out;
  for (const std::string& name : all)
    if (!known.contains(name)) out += name + " ";
  return out;
}

// Returns the lines of a file of t/promises without comments and blank lines.
Words read_lines(const std::string& file) {
  Words out;
  std::istringstream in(read_bytes(source_root() / "t/promises" / file));
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line.front() != '#') out.push_back(line);
  REQUIRE(out.size() > 10);
  return out;
}

// --- command lines -----------------------------------------------------------------

// A line of command-lines.txt.
struct CommandLineRow {
  std::string text, status;
  Words words;
  std::string input, output, start;
};

std::vector<CommandLineRow> read_command_lines(const std::string& port) {
  std::vector<CommandLineRow> out;
  for (const std::string& line : read_lines("command-lines.txt")) {
    CommandLineRow row{line, line.substr(0, line.find(' ')), {}, "", "", ""};
    std::string rest = line.substr(row.status.size()) + " ";
    const auto cut = [&](const std::string& sign) {
      const std::size_t at = rest.find(sign);
      if (at == std::string::npos) return std::string();
      const std::string value(trim(std::string_view(rest).substr(at + sign.size())));
      rest.resize(at + 1);
      return value;
    };
    row.start = cut(" => ");
    row.output = cut(" > ");
    row.input = cut(" < ");
    std::ranges::replace(row.input, '|', '\n');
    row.words = split_words(std::regex_replace(rest, std::regex("\\bPORT\\b"), port));
    out.push_back(std::move(row));
  }
  return out;
}

// Returns the row of the table for a command line, also if it is refused.
const Command& find_row(const Words& words) {
  for (const std::string& word : words)
    if (!word.starts_with('-') && find_command(word)) return *find_command(word);
  return *find_command("");
}

}  // namespace

TEST_CASE("every command line of 1.0 ends as it did, and every command has some", "[promises]") {
  const TestHome home;
  fs::copy(source_root() / "t/promises/files", home.dir.path());
  const std::string port = std::to_string(find_free_port());
  const auto rows = read_command_lines(port);
  std::vector<std::unique_ptr<BackgroundProcess>> running;
  Names statuses;
  std::map<std::string, std::set<std::string>> tried;  // statuses and options by command
  for (const CommandLineRow& row : rows) {
    INFO(row.text);
    Names& of_command = tried[find_row(row.words).name];
    of_command.insert(row.status == "-" ? "0" : row.status);
    if (const auto arguments = read_arguments(row.words); arguments && row.status != "2")
      for (const auto& [option, value] : arguments->options) of_command.insert("--" + option);
    if (row.status == "-") {
      Words words{"/usr/bin/env",
                  "-C",
                  home.dir.path().string(),
                  "-u",
                  "XDG_RUNTIME_DIR",
                  "HOME=" + home.dir.path().string(),
                  require_program().string()};
      words.insert(words.end(), row.words.begin(), row.words.end());
      running.push_back(std::make_unique<BackgroundProcess>(
          words, home.dir / ("log" + std::to_string(running.size()))));
      if (row.words.front() == "serve") running.back()->wait_for("listening on");
      continue;
    }
    statuses.insert(row.status);
    const RunResult ran = home.run_to_output(row.output, row.words, row.input);
    INFO(ran.out << ran.err);
    CHECK(std::to_string(ran.status) == row.status);
    CHECK(ran.out.starts_with(row.start));
    if (ran.status > kExitRefused) CHECK(ran.err != "");
  }
  for (const auto& process : running) CHECK(process->is_running());
  CHECK(statuses == list_terms(read_section(read_page(), "Exit status")));
  for (const Command& command : commands()) {
    INFO("the command " << command.name);
    const Names& of_command = tried[command.name];
    CHECK(of_command.contains("0"));
    CHECK(of_command.contains("2"));
    for (const Command::Option& option : command.options) {
      INFO(option.name);
      CHECK((option.name == "help" || option.name == "version" ||
             of_command.contains("--" + std::string(option.name))));
    }
  }
}

TEST_CASE("pbmplay-promises(7) has every command and exit status, and no other", "[promises]") {
  const std::string page = read_page(), text = read_section(page, "The command line");
  const std::size_t end = text.find("\n\nYour scripts");
  REQUIRE(end != std::string::npos);
  Names real, open;
  for (const Command& command : commands())
    if (!command.name.empty() && !command.game)
      (command.is_hidden ? open : real).insert(command.name);
  CHECK(find_all(text.substr(0, end), "`([a-z]+)`") == real);
  const Names unpromised = find_all(read_section(page, "What is not promised"), "\n- (`duel`.*)\n");
  REQUIRE(unpromised.size() == 1);
  for (const std::string& name : open) CHECK(contains(*unpromised.begin(), "`" + name + "`"));
  CHECK(list_terms(read_section(page, "Exit status")) ==
        Names{std::to_string(kExitSuccess), std::to_string(kExitRefused),
              std::to_string(kExitUsage), std::to_string(kExitFailure)});
  // The statuses of the mail gateway are in its own page.
  const Names mail =
      find_all(read_section(read_bytes(source_root() / "man/pbmplay-mail.8.md"), "Exit status"),
               " is ([0-9]+) ");
  CHECK(find_all(read_section(page, "Exit status") + ",",
                 "(?:ends with| or|,) ([0-9]+)(?=,| or)") == mail);
}

// --- saves, databases and other files ------------------------------------------------

TEST_CASE("the kept saves have every game, option, ending and key of format 1", "[promises]") {
  Names setups, endings, words, reasons, keys;
  for (const auto& file : fs::directory_iterator(source_root() / "t/saves")) {
    INFO(file.path());
    const std::string text = read_bytes(file.path());
    const auto save = load_match(text, "it");
    REQUIRE(save.ok());
    const Match& match = save->match;
    const std::string seats = std::to_string(match.seats());
    setups.insert(std::string(match.game().name) + " " + seats);
    for (const std::string& option : match.options().to_words())
      setups.insert(std::string(match.game().name) + " " + option.substr(0, option.find('=')));
    if (const auto& ending = match.ending())
      endings.insert(std::string(match.game().name) + (ending->is_by_rules ? " rules" : " words") +
                     (ending->winner ? "" : " tie"));
    for (const LogEntry& entry : match.log()) {
      if (is_match_word(entry.text)) words.insert(entry.text);
      reasons.insert(std::string(to_string(entry.forfeit_reason)));
    }
    // The program writes its own saves again with the same bytes.
    if (!text.starts_with("format: 1\ngame: ") || !contains(text, "\nplies:\n") ||
        !contains(text, "\noptions: ") || !save->warning.empty() || contains(text, "- BT\n"))
      continue;
    CHECK(save_text(match, save->challenger) == text);
    for (const std::string& key : find_all(text, "(?:^|\n|\\{|, )([a-z]+): ?")) keys.insert(key);
    // It plays on behind the bytes that are there.
    if (match.ending()) continue;
    const auto entry = match.validate(*match.to_move(), match.position().legal_plies()[0], Time{});
    REQUIRE(entry.ok());
    const auto added = add_to_save(text, "it", {*entry});
    REQUIRE(added.ok());
    CHECK(added->kept_bytes == text.size());
  }
  for (const GameType& game : all_games()) {
    const std::string name(game.name);
    INFO(name);
    for (int seats = game.min_seats; seats <= game.max_seats; ++seats)
      CHECK(setups.contains(name + " " + std::to_string(seats)));
    for (const OptionSpec& option : game.options)
      CHECK(setups.contains(name + " -" + std::string(option.name)));
    CHECK(endings.contains(name + " rules"));
  }
  for (const char* ending : {"toot rules tie", "toot words tie", "chaos words"})
    CHECK(endings.contains(ending));
  CHECK(words == Names(kMatchWords.begin(), kMatchWords.end()));
  CHECK(reasons == Names(kForfeitReasons.begin(), kForfeitReasons.end()));
  // Every key of the manual.
  const std::string manual = read_bytes(source_root() / "man/pbmplay-save.5.md");
  for (const char* heading : {"The head", "The moves", "Clocks"})
    for (const std::string& key : list_terms(read_section(manual, heading))) {
      INFO(key);
      CHECK(keys.contains(key));
    }
}

TEST_CASE("a directory of a server is kept for every version of the database", "[promises]") {
  const std::string now = std::to_string(kSchema.base_version + std::size(kMigrations));
  Names real, kept;
  for (int version = kSchema.base_version; version <= std::stoi(now); ++version)
    real.insert("version-" + std::to_string(version));
  for (const auto& entry : fs::directory_iterator(source_root() / "t/databases"))
    kept.insert(entry.path().filename().string());
  CHECK(kept == real);
  const std::string text = read_section(read_page(), "The directory of a server");
  CHECK(contains(text, "makes version " + now + " and migrates every version from " +
                           std::to_string(kSchema.base_version) + " on"));
  // The owner types this number to repair a database.
  CHECK(contains(read_bytes(source_root() / "man/pbmplay-server.8.md"),
                 "`PRAGMA user_version = " + now + ";`"));
}

TEST_CASE("settings, themes and exercises of 1.0 load", "[promises]") {
  const fs::path kept = source_root() / "t/promises/files";
  const TemporaryDirectory dir;
  fs::copy(kept / "settings.yaml", dir.path());
  Settings settings(dir / "settings.yaml");
  CHECK(settings.warning() == "");
  const std::string before = read_bytes(dir / "settings.yaml");
  for (const Setting& setting : all_settings()) {
    INFO(setting.key);
    CHECK(contains(before, "\n" + std::string(setting.key) + ": "));
    CHECK(setting.value_text(settings.preferences()) != setting.value_text(Preferences()));
  }
  REQUIRE(settings.change([](Preferences& wanted) { wanted.has_bell = true; }).ok());
  CHECK(read_bytes(dir / "settings.yaml") ==
        std::regex_replace(before, std::regex("bell: no"), "bell: yes"));

  const std::string theme = read_bytes(kept / "theme.yaml");
  const auto read = read_theme(theme, "theme.yaml");
  INFO((read ? "" : read.refusal().reason));
  CHECK(read.ok());
  for (const auto& keys : {style_keys(), mark_keys()})
    for (const ThemeKey& key : keys) {
      INFO(key.name);
      CHECK(contains(theme, "\n  " + std::string(key.name) + ": "));
    }

  std::size_t lessons = 0, puzzles = 0;
  const std::string exercises = read_bytes(kept / "exercises.yaml");
  for (const std::string_view document : split_documents(exercises)) {
    INFO(document);
    const auto exercise = read_exercise(document, "it");
    INFO((exercise ? "" : exercise.refusal().reason));
    REQUIRE(exercise.ok());
    ++(exercise->is_puzzle ? puzzles : lessons);
  }
  CHECK(lessons == 2);
  CHECK(puzzles == 3);
  // Every key and kind of the manual.
  for (const std::string& word : find_all(
           read_section(read_bytes(source_root() / "man/pbmplay-save.5.md"), "Lessons and puzzles"),
           "`([a-z]+)`")) {
    INFO(word);
    CHECK((contains(exercises, word + ":") || contains(exercises, ": " + word) || word == "saves"));
  }
}

TEST_CASE("the list of changes begins with the version of the program", "[promises]") {
  const std::string changes = read_bytes(source_root() / "CHANGELOG.md");
  const std::string heading = "\n## " + std::string(kVersion) + " - ";
  CHECK(changes.find("\n## ") == changes.find(heading));
  CHECK(contains(read_page(), "1.x"));
  CHECK(std::string(kVersion).starts_with("1."));
}

// --- the server ---------------------------------------------------------------------

namespace {

const PeerInfo kOwner{"uid 7", nullptr, 0, true};

PeerInfo trusted_peer() {
  return {"uid 1", [](const std::string&) -> Result<Success> { return Success{}; }};
}

// The keys and values of maps, also of those inside.
struct MapWords {
  Names keys, values;
  void add(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::scalar) values.insert(node.text);
    for (const YamlNode& item : node.items) add(item);
    for (const YamlNode::Entry& entry : node.entries) {
      if (!is_digit(entry.key.text[0])) keys.insert(entry.key.text);
      add(entry.value);
    }
  }
};

// Splits the text that a client received into the first word of its reply, or ".", and the maps.
std::string read_reply(const std::string& received, MapWords& words) {
  std::string first = ".";
  std::istringstream in(received);
  for (std::string line; std::getline(in, line);) {
    if (first == "." && !line.starts_with("* ")) first = line.substr(0, line.find(' '));
    if (const auto map = line.starts_with('{') ? read_yaml(line + "\n") : Refusal{""})
      words.add(*map);
  }
  return first;
}

}  // namespace

TEST_CASE("a conversation of 1.0 with a server goes as it did, and has every command",
          "[promises]") {
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/true"; };
  hall.restart();
  std::map<std::string, std::unique_ptr<TestClient>> clients;
  Names done, firsts;
  MapWords all;
  Names sent;
  const Words lines = read_lines("server.txt");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    INFO(lines[i]);
    const std::size_t sign = lines[i].find("> ");
    REQUIRE(sign != std::string::npos);
    REQUIRE(i + 1 < lines.size());
    const std::string who = lines[i].substr(0, sign), said = lines[i].substr(sign + 2);
    auto& client = clients[who];
    if (!client)
      client = std::make_unique<TestClient>(hall, who == "owner"               ? kOwner
                                                  : who.starts_with("trusted") ? trusted_peer()
                                                                               : PeerInfo{"other"});
    auto line = read_command_line(said);
    REQUIRE(line.ok());
    const auto request = read_request(std::move(*line), client->session().userid(), who == "owner",
                                      hall.service().accounts);
    client->take_received();
    MapWords words;
    const std::string received = client->say(said), first = read_reply(received, words);
    const Words expected = split_words(lines[++i]);
    INFO(received);
    CHECK(first == expected[0]);
    for (std::size_t k = 1; k < expected.size(); ++k) {
      INFO(expected[k]);
      CHECK(words.keys.contains(expected[k]));
    }
    if (request) done.insert(std::string(request->row->name));
    firsts.insert(first);
    for (const std::string& word : split_words(said)) sent.insert(word);
    all.keys.merge(words.keys);
    all.values.merge(words.values);
  }
  CHECK(firsts == Names{"+OK", "-ERR", "."});
  // A save that becomes unreadable while somebody watches its board.
  BoardSummary unreadable;
  unreadable.id = "plotto-101";
  unreadable.load_error = "plotto-101.yaml is not a save.";
  read_reply(encode(unreadable) + "\n", all);
  for (const CommandRow& row : command_rows()) {
    INFO("the command " << row.name);
    CHECK(done.contains(std::string(row.name)));
  }
  // Every key is documented, and every documented word was there.
  const std::string manual = read_bytes(source_root() / "man/pbmplay-commands.7.md");
  std::string told = read_section(manual, "For programs");
  const std::size_t lists = manual.find("### Lists for programs"),
                    end = manual.find("\n## ", lists);
  REQUIRE(lists != std::string::npos);
  told += manual.substr(lists, end - lists);
  const Names bare = find_all(told, "`([a-z_]+)`");
  told += find_markdown_section(manual, "Looking");
  Names documented;
  for (const std::string& code : find_all(told, "`([^`]+)`"))
    for (const std::string& word : find_all(code, "([a-z_]+)")) documented.insert(word);
  CHECK(list_unknown(all.keys, documented) == "");
  Names present = all.keys;
  present.merge(sent);
  // A note reaches clients only from a save that somebody wrote into.
  for (const std::string& key : find_all(action_text({"well", 0, Time{}, 1}, true), "([a-z]+):"))
    present.insert(key);
  present.insert(all.values.begin(), all.values.end());
  CHECK(list_unknown(bare, present) == "");
}

TEST_CASE("pbmplay-promises(7) has the first words of all replies, and no other", "[promises]") {
  const auto first = [](const Reply& reply) {
    const std::string text = frame_reply(reply);
    CHECK(text.ends_with("\n.\n"));
    return text.substr(0, text.find(' '));
  };
  CHECK(list_terms(read_section(read_page(), "The server")) ==
        Names{first(Reply("Yes.")), first(Refusal{"No."}), first(make_busy_reply({"Later."}))});
  CHECK(frame_reply(Reply("Yes.", {".dot"})) == "+OK Yes.\n..dot\n.\n");
  // A program of 1.0 says "hello 2".
  CHECK(kProtocolVersion == 2);
  CHECK(contains(read_page(), "`hello 2`"));
}

TEST_CASE("events of 1.0 are read and written as they were, and unknown ones are none",
          "[promises]") {
  std::set<Event::Kind> kinds;
  for (const std::string& line : read_lines("events.txt")) {
    INFO(line);
    const auto event = decode_event(line);
    REQUIRE(event.has_value());
    kinds.insert(event->kind);
    CHECK(encode(*event) == line);
  }
  CHECK(kinds.size() == event_rows().size());
  for (const char* unknown : {"toot 101 applause wilma : bravo", "weather : fair", "", "toot 101"})
    CHECK_FALSE(decode_event(unknown));
}

// --- engines ------------------------------------------------------------------------

TEST_CASE("an engine answers a program of 1.0, in the words of pbmplay-promises(7)", "[promises]") {
  std::string input;
  Words answers;
  Names said;
  for (const std::string& line : read_lines("ugi.txt")) {
    const bool is_asked = line.starts_with("> ");
    if (is_asked) input += line.substr(2) + "\n";
    else answers.push_back(line);
    const Words words = split_words(is_asked ? line.substr(2) : line);
    said.insert(words.begin(), words.end());
  }
  const TestHome home;
  const RunResult ran = home({"engine", "toot"}, input);
  CHECK(ran.status == 0);
  CHECK(ran.err == "");
  // The answers come in this order, with lines of `info` between them.
  std::istringstream in(ran.out);
  std::size_t next = 0;
  for (std::string line; std::getline(in, line);) {
    if (next < answers.size() && line.starts_with(answers[next])) ++next;
    else {
      INFO(line);
      CHECK(line.starts_with("info "));
    }
  }
  INFO(ran.out);
  CHECK(next == answers.size());
  // The page has every word that the program compares with, and the conversation every word of it.
  const Names promised = find_all(read_section(read_page(), "Engines"), "`([a-z0-9]+)`");
  const std::string source = read_bytes(source_root() / "src/cli/ugi.cpp");
  Names real = find_all(source, "(?:word|what|name) [!=]= \"([a-z0-9]+)\"");
  for (const std::string& word : find_all(source, "write_line\\(\\s*\"([a-z]+)[ \"]"))
    real.insert(word);
  CHECK(real.size() > 20);
  CHECK(list_unknown(real, promised) == "");
  said.insert({"engine", "seats"});  // the command, and an option of other games
  CHECK(list_unknown(promised, said) == "");
}
