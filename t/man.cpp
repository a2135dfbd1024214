// SPDX-License-Identifier: MIT
// Tests the manual: it must be clean mdoc, describe everything that the program offers and nothing
// else, and have true examples. PBM_WRITE_MAN=1 writes its dialogues and its list of games again.
#include <sys/un.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "base/markdown.hpp"
#include "boards/boards.hpp"
#include "boards/local_notes.hpp"
#include "protocol/userid.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "test_app.hpp"
#include "run.hpp"
#include "save/save.hpp"
#include "test_server.hpp"
#include "server/session/commands.hpp"
#include "protocol/events.hpp"
#include "server/commands/helpers.hpp"
#include "server/net/server_loop.hpp"
#include "server/net/peer_auth.hpp"
#include "server/tables/schema.hpp"
#include "ui/screens/board_screen.hpp"
#include "ui/screens/screens.hpp"
#include "ui/help_topics.hpp"
#include "ui/screen.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTyped = "Words to type instead of a move, or their keys";
constexpr const char* kTypedInLobby = "Words to type after a colon, or their keys";

// --- pages ---------------------------------------------------------------------

struct ShellResult {
  int status;
  std::string output;
};

ShellResult run_command(const std::string& command) {
  ShellResult out{-1, ""};
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t n = 0; (n = ::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.output.append(buffer, n);
  out.status = ::pclose(pipe);
  return out;
}

std::string quote(const fs::path& file) { return "'" + file.string() + "'"; }

// A page of the manual: its name, its source, and the command that makes it.
struct Page {
  std::string name, section;
  fs::path source;
  std::string command;  // the command that prints it as mdoc
};

std::vector<Page> manual_pages() {
  const std::string awk =
      "awk -v date='May 1, 2026' -f " + quote(source_root() / "man" / "mdoc.awk") + " ";
  std::vector<Page> out;
  for (const auto& entry : fs::directory_iterator(source_root() / "man")) {
    if (entry.path().extension() != ".md") continue;
    const fs::path page = entry.path().stem();  // "pbmplay.6"
    out.push_back({page.stem().string(), page.extension().string().substr(1), entry.path(),
                   awk + quote(entry.path())});
  }
  for (const GameType& game : all_games()) {
    const fs::path rules = source_root() / "rules" / (std::string(game.name) + ".md");
    out.push_back({"pbmplay-" + std::string(game.name), "6", rules,
                   awk + "-v game=" + std::string(game.name) + " " + quote(rules)});
  }
  std::sort(out.begin(), out.end(), [](const Page& a, const Page& b) { return a.name < b.name; });
  return out;
}

std::string read_page(const std::string& file) { return read_bytes(source_root() / "man" / file); }

std::string render_page(const Page& page, int columns) {
  return run_command(page.command + " | mandoc -T ascii -O width=" + std::to_string(columns) +
                     " 2>/dev/null | sed 's/.\\x08//g'")
      .output;
}

std::vector<std::string> page_lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

// Returns the blocks that are indented by four blanks, without those blanks.
std::vector<std::string> indented_blocks(const std::string& text) {
  std::vector<std::string> out;
  bool inside = false;
  for (const std::string& line : page_lines(text)) {
    const bool verbatim = line.substr(0, 4) == "    ";
    if (verbatim && !inside) out.emplace_back();
    if (verbatim) out.back() += line.substr(4) + "\n";
    inside = verbatim;
  }
  return out;
}

// --- the contents of a page ------------------------------------------------------

// A term and its description.
struct Item {
  std::string term, meaning;
};

std::vector<Item> list_items(const std::string& text) {
  std::vector<Item> out;
  const auto lines = page_lines(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].substr(0, 2) == ": ")
      out.push_back({strip_marks(lines[i - 1]), strip_marks(lines[i].substr(2))});
    else if (!out.empty() && lines[i].substr(0, 2) == "  " && lines[i].substr(0, 4) != "    ")
      out.back().meaning += " " + strip_marks(std::string(trim(lines[i])));
  }
  return out;
}

std::vector<std::string> list_terms(const std::string& text) {
  std::vector<std::string> out;
  for (const Item& item : list_items(text)) out.push_back(item.term);
  return out;
}

// Return the text below "## HEADING", or below "### HEADING".
std::string section(const std::string& page, const std::string& heading) {
  const std::string out = find_markdown_section(page, heading);
  INFO("the section " << heading);
  REQUIRE_FALSE(out.empty());
  return out;
}
std::string subsection(const std::string& page, const std::string& heading) {
  const std::string start = "### " + heading + "\n";
  const std::size_t at = page.find(start);
  INFO("the section " << heading);
  REQUIRE(at != std::string::npos);
  const std::size_t end = std::min(page.find("\n## ", at), page.find("\n### ", at + 1));
  return page.substr(at, end - at);
}

std::string first_word(const std::string& text) { return text.substr(0, text.find(' ')); }

std::set<std::string> make_set(const std::vector<std::string>& items) {
  return {items.begin(), items.end()};
}

// True if `meaning` begins with the sentence `about`; case of the first letter does not matter.
bool has_sentence(std::string meaning, std::string about) {
  meaning[0] = lower(meaning[0]);
  about[0] = lower(about[0]);
  return meaning.substr(0, about.size() + 1) == about + "." ||
         meaning.substr(0, about.size() + 1) == about + ";" ||
         meaning.substr(0, about.size() + 1) == about + ":";
}

// Runs the program line by line with this input.
RunResult run_line_mode(const std::string& input) {
  TemporaryDirectory home;
  RunOptions there;
  there.home = home.path();
  there.input = input;
  return run_program({"--line"}, there);
}

// --- dialogues -------------------------------------------------------------------

// Returns what a client receives in the manual's form. A long line continues after "fred+".
std::string dialogue_lines(const std::string& who, std::string line) {
  constexpr std::size_t kRoom = 66;
  std::string out, sign = "<";
  for (;;) {
    const std::size_t room = kRoom - who.size() - 2;
    const std::size_t end = line.size() <= room ? line.size() : line.rfind(' ', room);
    const std::size_t text = line.find_last_not_of(' ', end == line.size() ? end : end - 1);
    out += "    " + who + sign + (text == std::string::npos ? "" : " " + line.substr(0, text + 1)) +
           "\n";
    if (end == line.size()) return out;
    line.erase(0, end + 1);
    sign = "+";
  }
}

// Returns `text` with its dialogues as the server answers today. fred sends a line "fred> ..."; the
// lines that each client receives follow as "fred< ...".
std::string update_dialogues(const std::string& text) {
  static const std::regex form("^    ([a-z]+)([<>+])(?: (.*))?$");
  TestServer hall;
  std::map<std::string, std::unique_ptr<TestClient>> talks;
  std::vector<std::string> order;
  std::string out;
  for (const std::string& line : page_lines(text)) {
    std::smatch parts;
    if (!std::regex_match(line, parts, form)) {
      out += line + "\n";
      continue;
    }
    if (parts[2] != ">") continue;
    const std::string who = parts[1];
    if (!talks.count(who)) {
      talks[who] = std::make_unique<TestClient>(hall);
      order.push_back(who);
    }
    out += line + "\n";
    std::vector<std::string> heard{talks[who]->say(parts[3])};
    std::vector<std::string> by{who};
    for (const std::string& other : order)
      if (other != who) {
        heard.push_back(talks[other]->take_received());
        by.push_back(other);
      }
    for (std::size_t i = 0; i < by.size(); ++i)
      for (const std::string& reply : page_lines(heard[i])) out += dialogue_lines(by[i], reply);
  }
  return out;
}

}  // namespace

// --- the pages' form --------------------------------------------------------------

// mandoc warns of pages of other packages that are not installed here. The test ignores that.
TEST_CASE("every manual page passes mandoc's lint, and refers to pages that are there", "[man]") {
  std::set<std::string> known{"authorized_keys 5", "bash 1",  "cron 8",         "fdatasync 2",
                              "flock 1",           "flock 2", "nohup 1",        "rename 2",
                              "rsync 1",           "ssh 1",   "ssh-keygen 1",   "sshd 8",
                              "systemd 1",         "tmux 1",  "systemd.exec 5", "sendmail 8",
                              "syslog 3",          "pipe 8",  "smtpd.conf 5"};
  for (const Page& page : manual_pages()) known.insert(page.name + " " + page.section);
  static const std::regex reference("(?:^|\n)\\.Xr ([^ ]+ [0-9])");
  for (const Page& page : manual_pages()) {
    INFO(page.name);
    const std::string mdoc = run_command(page.command).output;
    std::size_t references = 0;
    for (std::sregex_iterator at(mdoc.begin(), mdoc.end(), reference), end; at != end; ++at) {
      INFO((*at)[1]);
      CHECK(known.count((*at)[1]) == 1);
      ++references;
    }
    CHECK(references > 0);
    for (const std::string& line :
         page_lines(run_command(page.command + " | mandoc -T lint").output)) {
      INFO(line);
      CHECK((contains(line, "mandoc.db") || contains(line, "referenced manual not found: Xr ")));
    }
    CHECK(page_lines(mdoc).front().find(".md; edit that.") != std::string::npos);
  }
}

TEST_CASE("every manual page can be reached from pbmplay(6), and leads back to it", "[man]") {
  for (const Page& page : manual_pages()) {
    INFO(page.name);
    const std::string mdoc = run_command(page.command).output;
    if (page.name == "pbmplay")
      for (const Page& other : manual_pages())
        if (other.name != page.name)
          CHECK(mdoc.find(".Xr " + other.name + " " + other.section) != std::string::npos);
    if (page.name != "pbmplay") CHECK(mdoc.find(".Xr pbmplay 6") != std::string::npos);
    for (const char* part : {".Sh NAME\n", ".Sh DESCRIPTION\n", ".Sh SEE ALSO\n"})
      CHECK(mdoc.find(part) != std::string::npos);
    if (page.section == "6") CHECK(mdoc.find(".Sh SYNOPSIS\n") != std::string::npos);
  }
}

TEST_CASE("drawings and examples survive in the manual, as wide as a terminal or narrower",
          "[man]") {
  for (const Page& page : manual_pages())
    for (const int width : {78, 60}) {
      const std::string text = render_page(page, width);
      for (const std::string& block : indented_blocks(read_bytes(page.source)))
        for (const std::string& line : page_lines(block)) {
          INFO("the line '" << line << "' of " << page.name);
          CHECK(text.find(line) != std::string::npos);
        }
    }
}

TEST_CASE("nothing in the manual is wider than eighty columns, on paper or on the screen",
          "[man]") {
  for (const Page& page : manual_pages()) {
    for (const std::string& line : page_lines(render_page(page, 78))) {
      INFO(page.name << ": " << line);
      CHECK(line.size() <= 80);
    }
    for (const TextLine& line : format_markdown(read_bytes(page.source), 78)) {
      INFO(page.name << ": " << line.text);
      CHECK(columns(line.text) <= 78);
    }
  }
}

TEST_CASE("every game's page shows its options as the game reads them", "[man]") {
  for (const GameType& game : all_games()) {
    INFO(game.name);
    const std::string mdoc =
        run_command("awk -f " + quote(source_root() / "man" / "mdoc.awk") +
                    " -v game=" + std::string(game.name) + " " +
                    quote(source_root() / "rules" / (std::string(game.name) + ".md")) +
                    " | sed -n '/^.Sh SYNOPSIS/,/^.Sh DESC/p'")
            .output;
    std::string options;
    for (const std::string& line : page_lines(mdoc))
      if (line.substr(0, 4) == ".Op " && line != ".Op Ar NAME ...")
        options += (options.empty() ? "" : " ") +
                   std::regex_replace(std::regex_replace(line.substr(4), std::regex("Fl "), "-"),
                                      std::regex(" \\| "), "|");
    CHECK(options == option_syntax(game));
  }
}

// --- pbmplay(6) --------------------------------------------------------------------

TEST_CASE("pbmplay(6) and pbmplay-server(8) have every option of the program once, and no other",
          "[man]") {
  std::set<std::string> real, told;
  static const std::regex option("--([a-z][a-z-]+)");
  for (const ProgramOption& o : kProgramOptions) real.insert(std::string(o.name));
  CHECK(real.size() > 10);
  static const std::regex with("With ([a-z, ]+):");
  for (const Item& item : list_items(section(read_page("pbmplay.6.md"), "Options") +
                                     section(read_page("pbmplay-server.8.md"), "Options"))) {
    INFO(item.term);
    CHECK(item.term.substr(0, 2) == "--");
    const std::string name = first_word(item.term).substr(2);
    CHECK(told.insert(name).second);
    const ProgramOption* const real_one = find_option(name);
    REQUIRE(real_one != nullptr);
    CHECK(item.term == "--" + name + (real_one->value_syntax.empty() ? "" : " ") +
                           std::string(real_one->value_syntax));
    if (real_one->letter != '\0')
      CHECK(contains(item.meaning, std::string("-") + real_one->letter));
    // If it names the commands that take the option, it names all of them.
    std::set<std::string> with_these, takers;
    for (std::sregex_iterator it(item.meaning.begin(), item.meaning.end(), with), end; it != end;
         ++it)
      for (const std::string& word :
           split_words(std::regex_replace(it->str(1), std::regex(","), " ")))
        if (word != "and") with_these.insert(word);
    for (const Command& command : commands())
      if (command.supported_option(name)) takers.insert(command.name);
    if (!with_these.empty()) CHECK(with_these == takers);
  }
  CHECK(told == real);
  // The options of a challenge are in the manual, too.
  for (const char* name : {"nagtime", "forfeittime", "totaltime"}) {
    std::vector<std::string> words{"--" + std::string(name) + "=1"};
    if (take_time_limits(words) && words.empty()) real.insert(name);
  }
  for (const Page& p : manual_pages()) {
    // The gateway is another program with its own options: see t/mail/mail.cpp.
    if (p.source.parent_path().filename() != "man" || p.name == "pbmplay-mail") continue;
    for (const std::string& line : page_lines(read_bytes(p.source))) {
      if (line.substr(0, 4) == "    " && line.find("pbmplay ") == std::string::npos)
        continue;  // an option of another program
      for (std::sregex_iterator it(line.begin(), line.end(), option), end; it != end; ++it) {
        INFO(p.name << ": --" << (*it)[1]);
        CHECK(real.count((*it)[1]) == 1);
      }
    }
  }
}

TEST_CASE("pbmplay(6) and pbmplay-server(8) have every command once as it is written, and no other",
          "[man]") {
  const std::string play = read_page("pbmplay.6.md"), serve = read_page("pbmplay-server.8.md");
  const std::vector<std::string> players = list_terms(section(play, "Commands")),
                                 owners = list_terms(section(serve, "Commands"));
  std::vector<std::string> left;  // in the table's order
  for (const Command& c : pbm::commands())
    if (!c.name.empty() && !c.game)
      left.push_back(c.name + (c.syntax.empty() ? "" : " ") + c.syntax);
  for (const std::string& command : owners) CHECK(std::erase(left, command) == 1);
  CHECK(players == left);
  // The synopsis has a few forms as the program takes them. "[options]" is the rest of a form.
  std::set<std::string> forms{"pbmplay COMMAND [ARGUMENT...]"};
  for (const Command& c : pbm::commands()) {
    const std::string name = c.game ? "GAME" : c.name;
    forms.insert("pbmplay" + (name.empty() ? "" : " " + name) +
                 (c.syntax.empty() ? "" : " " + c.syntax));
  }
  const std::string rest = " [options]";
  for (const std::string& page : {play, serve}) {
    std::size_t shown = 0;
    for (const std::string& line : page_lines(section(page, "Synopsis"))) {
      if (!line.starts_with("- ")) continue;
      std::string form = strip_marks(line.substr(2));
      INFO(form);
      ++shown;
      if (form.ends_with(rest)) {
        form.resize(form.size() - rest.size());
        CHECK(std::any_of(forms.begin(), forms.end(),
                          [&](const std::string& f) { return f.starts_with(form + " "); }));
      } else {
        CHECK(forms.count(form) == 1);
      }
    }
    CHECK(shown > 0);
    CHECK(shown <= 6);
  }
}

TEST_CASE("every section that the manual names in quotes is there", "[man]") {
  // A section of another page stands before "in PAGE(N)".
  static const std::regex reference(
      "\"([A-Z][A-Za-z' ]+)\"(?: (?:in|of) (pbmplay[a-z-]*)\\(([0-9])\\))?");
  std::size_t found = 0;
  for (const Page& page : manual_pages()) {
    if (page.source.parent_path().filename() != "man") continue;
    for (const std::string& line : page_lines(read_bytes(page.source))) {
      if (line.substr(0, 4) == "    ") continue;  // an example
      for (std::sregex_iterator it(line.begin(), line.end(), reference), end; it != end; ++it) {
        INFO(page.name << ": " << it->str());
        const std::string there = (*it)[2].matched
                                      ? read_page((*it)[2].str() + "." + (*it)[3].str() + ".md")
                                      : read_bytes(page.source);
        CHECK((contains(there, "\n## " + (*it)[1].str() + "\n") ||
               contains(there, "\n### " + (*it)[1].str() + "\n")));
        ++found;
      }
    }
  }
  CHECK(found > 20);
}

TEST_CASE("pbmplay-keys(7) has every key of every screen with what it does, and no other",
          "[man]") {
  const std::string page = read_page("pbmplay-keys.7.md");
  TestApp desk;
  RemoteBoards server({[](const Waiter&) -> Result<std::unique_ptr<ServerConnection>> {
                         return Refusal{"nobody is there"};
                       },
                       "nowhere",
                       {}});
  Boards there(desk.local_boards, &server);
  auto board = desk.local_boards.open("example:soccolot");
  REQUIRE(board.ok());
  const Preferences preferences;
  // Headings separate the lists of keys; the first list has the heading `name`.
  std::vector<std::pair<std::string, std::vector<KeyHelp>>> screens;
  const auto add = [&](const std::string& name, const std::vector<KeyHelp>& all) {
    std::string heading = name;
    std::vector<KeyHelp> keys;
    const auto take = [&] {
      const bool another_line = heading == "In the line" || heading == "In a text row";
      // The manual has the keys of all forms or lists only once.
      const bool told = contains(heading, "In every ") &&
                        std::any_of(screens.begin(), screens.end(),
                                    [&](const auto& screen) { return screen.first == heading; });
      if (!keys.empty() && !another_line && !told && heading != kTyped && heading != kTypedInLobby)
        screens.emplace_back(heading, keys);
      keys.clear();
    };
    for (const KeyHelp& k : all) {
      if (k.key_names.empty()) {
        take();
        heading = k.description;
      } else {
        keys.push_back(k);
      }
    }
    take();
  };
  add("", global_keys());
  add("In the lobby", Lobby(there, preferences).keys());
  add("On a board", BoardScreen(desk.all_boards, *board, preferences).keys());
  add("In the form for a new board", make_new_game_form(desk.all_boards, "", {})->keys());
  add("In the list of players", make_people_screen(there)->keys());
  add("Tournaments, ladders and players", make_contest_screen(there, "")->keys());
  add("In the settings", make_settings_screen(desk.settings, {})->keys());
  add("When signing in to a server", make_sign_in_form(there)->keys());
  add("In the list of what there is to read", make_help_screen()->keys());
  add("In a text", make_text_screen("", [](int) { return std::string(); })->keys());
  add("In a line of text", LineEditor::keys());
  for (const auto& [heading, keys] : screens) {
    INFO(heading);
    const auto items = list_items(subsection(page, heading));
    std::vector<std::string> real;
    for (const KeyHelp& k : keys) real.push_back(k.key_names);
    CHECK(make_set(list_terms(subsection(page, heading))) == make_set(real));
    for (const KeyHelp& k : keys)
      for (const Item& item : items)
        if (item.term == k.key_names) {
          INFO(k.key_names << ": '" << item.meaning << "' for '" << k.description << "'");
          CHECK(has_sentence(item.meaning, k.description));
        }
  }
  // Every section of keys is in `screens`, or is about typed words.
  const std::string all = section(page, "Keys");
  std::size_t headings = 0;
  for (const std::string& line : page_lines(all)) headings += line.substr(0, 4) == "### ";
  CHECK(headings == screens.size() + 2);
}

// If a key had two rows, the second would have no effect.
TEST_CASE("no key has two rows where words have keys, too", "[man]") {
  TestApp desk;
  const auto once = [](const std::vector<KeyHelp>& table, const auto& typed) {
    std::vector<std::string> names;
    for (const auto* rows : {&global_keys(), &table})
      for (const KeyHelp& row : *rows) {
        if (row.description == kTypedInLobby) break;
        for (std::string& name : split_words(row.key_names)) names.push_back(std::move(name));
      }
    for (const auto& word : typed)
      for (const Key& key : word.keys) names.push_back(key_name(key));
    INFO(join_words(names, 0, names.size()));
    CHECK(make_set(names).size() == names.size());
  };
  once(key_help<BoardCommand>(board_bindings()), typed_words());
  once(Lobby(desk.all_boards, desk.settings.preferences()).keys(), LobbySession::word_table());
}

TEST_CASE("pbmplay-keys(7) has every word of the lobby and what it does, and no other", "[man]") {
  const std::string page = subsection(read_page("pbmplay-keys.7.md"), kTypedInLobby);
  std::vector<std::string> real;
  for (const LobbySession::Word& w : LobbySession::word_table()) {
    real.push_back(format_usage(w.name, w.syntax, w.keys));
    for (Item& item : list_items(page)) {
      if (item.term != real.back()) continue;
      const std::string server = "On a server: ";
      if (item.meaning.starts_with(server)) item.meaning = item.meaning.substr(server.size());
      INFO(item.term << ": '" << item.meaning << "' for '" << w.description << "'");
      CHECK(has_sentence(item.meaning, std::string(w.description)));
    }
  }
  CHECK(list_terms(page) == real);
}

TEST_CASE("pbmplay-keys(7) has every word that is typed like a move, and no other", "[man]") {
  std::vector<std::string> real;
  for (const TypedWord& w : typed_words()) real.push_back(w.usage_and_keys());
  CHECK(list_terms(subsection(read_page("pbmplay-keys.7.md"), kTyped)) == real);
}

TEST_CASE("pbmplay-keys(7) has everything that is understood line by line", "[man]") {
  const RunResult ran = run_line_mode("help\nnew toot a b\nhelp\nquit\n");
  REQUIRE(ran.status == 0);
  static const std::regex form("^([a-z]+[^-]*?(?:\\[-options\\][^-]*?)?) - .*\\.$");
  std::set<std::string> at_boards, at_move;
  std::set<std::string>* here = nullptr;
  for (const std::string& line : page_lines(ran.out)) {
    if (line.substr(0, 8) == "boards> ") here = &at_boards;
    if (line.substr(0, 6) == "move> ") here = &at_move;
    std::smatch found;
    if (here && std::regex_match(line, found, form)) here->insert(found[1]);
  }
  std::set<std::string> told;
  using Where = LobbySession::Word::Scope;
  for (const LobbySession::Word& w : LobbySession::word_table())
    if (w.scope == Where::anywhere || w.scope == Where::may_ask_server ||
        w.scope == Where::not_server_screen)
      told.insert(format_usage(w.name, w.syntax));
  CHECK(told == at_boards);
  told.clear();
  for (const TypedWord& w : typed_words())
    if (w.scope != TypedWord::Scope::screen_view && w.scope != TypedWord::Scope::server_board &&
        !w.description.empty() && w.name != "rematch" && w.name != "redo" && w.name != "field")
      told.insert(w.usage());
  CHECK(told == at_move);
}

TEST_CASE("pbmplay(6) has every setting with its usual value, and no other", "[man]") {
  std::vector<std::string> told;
  const std::string page = read_page("pbmplay.6.md");
  TemporaryDirectory dir;
  std::string file;
  for (const std::string& term : list_terms(section(page, "Settings"))) {
    told.push_back(term.substr(0, term.find(':')));
    if (told.back() != "name") file += term + "\n";
  }
  std::vector<std::string> real;
  for (const Setting& setting : all_settings()) real.emplace_back(setting.key);
  CHECK(told == real);
  std::ofstream(dir / "settings.yaml") << file;
  const Settings settings(dir / "settings.yaml");
  CHECK(settings.warning().empty());
  CHECK(settings.preferences() == Preferences());
}

TEST_CASE("pbmplay(6) has every game, as the table has it", "[man]") {
  const std::string page = read_page("pbmplay.6.md");
  std::string games;
  for (const GameType& game : all_games()) {
    std::string about(game.summary);
    about.front() = upper(about.front());
    const std::string for_more = game.max_seats > 2
                                     ? "For " + std::to_string(game.min_seats) + " to " +
                                           std::to_string(game.max_seats) + " players. "
                                     : "";
    games += "`" + std::string(game.name) + "`\n: " + about + ".\n  " + for_more + "See pbmplay-" +
             std::string(game.name) + "(6).\n";
  }
  const std::string head = "## The games\n\n", foot = "\nNames of games, moves";
  const std::size_t from = page.find(head), to = page.find(foot);
  REQUIRE(from < to);
  REQUIRE(to != std::string::npos);
  const std::string today = page.substr(0, from) + head + games + page.substr(to);
  if (std::getenv("PBM_WRITE_MAN"))
    std::ofstream(source_root() / "man/pbmplay.6.md", std::ios::binary) << today;
  else CHECK(page == today);
}

TEST_CASE("pbmplay(6) has every theme and exit status", "[man]") {
  const std::string page = read_page("pbmplay.6.md");
  for (const auto& entry : fs::directory_iterator(source_root() / "themes")) {
    INFO(entry.path());
    CHECK(section(page, "Options").find("`" + entry.path().stem().string() + "`") !=
          std::string::npos);
  }
  CHECK(list_terms(subsection(page, "Exit status")) ==
        std::vector<std::string>{std::to_string(kExitSuccess), std::to_string(kExitRefused),
                                 std::to_string(kExitUsage), std::to_string(kExitFailure)});
}

TEST_CASE("the theme in pbmplay(6) is a theme", "[man]") {
  const auto blocks = indented_blocks(section(read_page("pbmplay.6.md"), "Themes"));
  REQUIRE(blocks.size() == 1);
  const auto theme = read_theme(blocks.front(), "the manual");
  INFO((theme ? "" : theme.refusal().reason));
  CHECK(theme.ok());
}

TEST_CASE("the examples of pbmplay(6) are commands, and without a screen do what they say",
          "[man]") {
  std::size_t tried = 0;
  for (const std::string& block : indented_blocks(section(read_page("pbmplay.6.md"), "Examples"))) {
    for (const std::string& line : page_lines(block)) {
      INFO(line);
      std::vector<std::string> given = split_words(line.substr(0, line.find(" &")));
      REQUIRE(given.front() == "pbmplay");
      given.erase(given.begin());
      CHECK(read_arguments(given).ok());
    }
    if (block.find("pbmplay new ") == std::string::npos) continue;
    TemporaryDirectory home;
    for (const std::string& line : page_lines(block)) {
      INFO(line);
      std::vector<std::string> given = split_words(line);
      REQUIRE(given.front() == "pbmplay");
      given.erase(given.begin());
      RunOptions there;
      there.home = home.path();
      there.directory = home.path();
      const RunResult ran = run_program(given, there);
      INFO(ran.err);
      CHECK(ran.status == 0);
      ++tried;
    }
  }
  CHECK(tried > 4);
}

// --- pbmplay-save(5) -----------------------------------------------------------------

TEST_CASE("pbmplay-save(5) has every key that is written or read, and no other", "[man]") {
  const std::string page = read_page("pbmplay-save.5.md");
  std::set<std::string> told = make_set(list_terms(section(page, "The head")));
  for (const char* heading : {"The moves", "Clocks"})
    for (const std::string& term : list_terms(section(page, heading))) told.insert(term);
  // The source of the reader contains the keys that it looks for.
  const std::string source = read_bytes(source_root() / "src" / "save" / "save.cpp");
  std::set<std::string> real;
  static const std::regex looked_for(
      R"re((?:find|scalar|word_list|read_time|get_text)\((?:[\w*]+, )?"([a-z]+)"|\{"([a-z]+)", &TimeLimits)re");
  for (std::sregex_iterator it(source.begin(), source.end(), looked_for), end; it != end; ++it)
    real.insert((*it)[1].matched ? (*it)[1] : (*it)[2]);
  CHECK(real.size() > 8);
  CHECK(told == real);
  // The keys of the writer come from a save that it writes.
  auto example = load_match(indented_blocks(page).front(), "the manual");
  REQUIRE(example.ok());
  example->match.set_origin("toot-101@/s");
  static const std::regex key("(?:^|\n|\\{|, )([a-z]+): ?");
  const std::string text =
      save_text(example->match, "fred") + save_line({"resign", 1, Time{}, {}, ForfeitReason::time});
  std::set<std::string> written;
  for (std::sregex_iterator it(text.begin(), text.end(), key), end; it != end; ++it)
    written.insert((*it)[1]);
  CHECK(written == told);
}

TEST_CASE("the examples of pbmplay-save(5) are saves, the first to the byte", "[man]") {
  const std::string page = read_page("pbmplay-save.5.md");
  const auto examples = indented_blocks(section(page, "A save"));
  REQUIRE(examples.size() == 2);
  for (const std::string& example : examples) {
    const auto loaded = load_match(example, "the manual");
    INFO((loaded ? "" : loaded.refusal().reason));
    REQUIRE(loaded.ok());
    CHECK(loaded->warning.empty());
  }
  CHECK(save_text(load_match(examples.front(), "it")->match) == examples.front());
  CHECK(load_match(examples.front(), "it")->match.side_lines(1).size() == 1);
  for (const std::string& line : indented_blocks(section(page, "The moves"))) {
    INFO(line);
    CHECK(examples.front().find("\n" + line) != std::string::npos);
  }
}

TEST_CASE("a board can be played on behind the examples of pbmplay-save(5)", "[man]") {
  for (const std::string& example :
       indented_blocks(section(read_page("pbmplay-save.5.md"), "A save"))) {
    const auto loaded = load_match(example, "the manual");
    REQUIRE(loaded.ok());
    const Match& m = loaded->match;
    const auto entry = m.validate(*m.to_move(), m.position().legal_plies().front(), Time{});
    REQUIRE(entry.ok());
    const auto added = add_to_save(example, "the manual", {*entry});
    REQUIRE(added.ok());
    CHECK(added->kept_bytes == example.size());
  }
}

// --- pbmplay-commands(7) ---------------------------------------------------------------

TEST_CASE("pbmplay-commands(7) has every command in its exact syntax, and no other", "[man]") {
  const std::string page = read_page("pbmplay-commands.7.md");
  std::vector<std::string> told, real;
  for (const char* heading : {"Looking", "Userids", "Playing", "Tournaments", "Ladders",
                              "Talking and watching", "The owner's commands", "The connection"})
    for (const std::string& term : list_terms(section(page, heading))) told.push_back(term);
  for (const CommandRow& row : command_rows()) real.push_back(command_syntax(row));
  CHECK(told.size() == real.size());
  CHECK(make_set(told) == make_set(real));
}

TEST_CASE("pbmplay-commands(7) has every kind of event, and no other", "[man]") {
  std::vector<std::string> real;
  for (const EventRow& row : event_rows())
    real.push_back((row.has_board ? "GAME board " : "") + std::string(row.name) + " " +
                   std::string(row.syntax));
  CHECK(list_terms(section(read_page("pbmplay-commands.7.md"), "Events")) == real);
}

TEST_CASE("the dialogues of the manual are what a server says", "[man]") {
  for (const Page& page : manual_pages()) {
    if (page.source.parent_path().filename() != "man") continue;
    INFO(page.name);
    const std::string text = read_bytes(page.source);
    const std::string today = update_dialogues(text);
    if (std::getenv("PBM_WRITE_MAN")) std::ofstream(page.source, std::ios::binary) << today;
    else CHECK(text == today);
  }
  CHECK(read_page("pbmplay-commands.7.md").find("\n    wilma< * ") != std::string::npos);
}

TEST_CASE("a dialogue in the manual shows every kind of command line at work", "[man]") {
  // Every command that changes something, or is for programs, must appear.
  const std::string page = read_page("pbmplay-commands.7.md");
  for (const char* said :
       {"> signup ", "> login ", "> watch", "> toot challenge ", "> toot move ", "> toot queue ",
        "> toot submit ", "> toot confirm ", "> toot preview ", "> toot games", "> toot info ",
        "> toot save ", "> message ", "> multiple", "> toot standings", "> toot history"}) {
    INFO(said);
    CHECK(page.find(said) != std::string::npos);
  }
}

// --- pbmplay-server(8) -------------------------------------------------------------------

namespace {
// Returns the words after "pbmplay" in a shell command.
std::vector<std::string> program_arguments(const std::string& line) {
  std::vector<std::string> given = split_words(line);
  REQUIRE(first_word(line).ends_with("pbmplay"));
  given.erase(given.begin());
  return given;
}
}  // namespace

TEST_CASE("the keys of the recipe in pbmplay-server(8) run the client for their owners", "[man]") {
  TemporaryDirectory dir;
  std::string script;
  for (const std::string& block :
       indented_blocks(section(read_page("pbmplay-server.8.md"), "Hosting friends in ten lines"))) {
    const std::size_t from = block.find("for who in "), to = block.find("\ndone");
    if (from == std::string::npos) continue;
    CHECK(page_lines(block).size() <= 10);
    script = block.substr(from, block.find('\n', to + 1) - from);
  }
  if (!fs::exists("/usr/bin/ssh-keygen")) return skip_test("there is no ssh-keygen");
  const std::string goal = "~door/.ssh/authorized_keys";
  const std::size_t keys = script.find(goal);
  REQUIRE(keys != std::string::npos);
  script.replace(keys, goal.size(), "keys");
  for (const char* friend_of : {"fred", "wilma"}) {
    const std::string key = quote(dir / friend_of);
    REQUIRE(
        run_command("ssh-keygen -q -t ed25519 -N '' -C " + std::string(friend_of) + " -f " + key)
            .output.empty());
  }
  std::ofstream(dir / "recipe") << "PATH=" << quote(require_program().parent_path()) << ":$PATH\n"
                                << script << "\n";
  CHECK(run_command("cd " + quote(dir.path()) + " && sh recipe").output.empty());
  const auto made = page_lines(read_bytes(dir / "keys"));
  REQUIRE(made.size() == 2);
  for (const std::string& line : made) {
    static const std::regex form(
        "^restrict,pty,command=\"([^\"]*)\" ssh-ed25519 [A-Za-z0-9+/=]+ (fred|wilma)$");
    std::smatch parts;
    INFO(line);
    REQUIRE(std::regex_match(line, parts, form));
    const auto arguments = read_arguments(program_arguments(parts[1]));
    REQUIRE(arguments.ok());
    CHECK(arguments->words.empty());
    CHECK(arguments->option_text("user") == parts[2]);
    CHECK(arguments->option_text("socket") == "/run/pbmplay/socket");
  }
}

TEST_CASE("the unit starts a server where the recipe in pbmplay-server(8) looks for it", "[man]") {
  const std::string unit = read_bytes(source_root() / "src/server/pbmplay.service"),
                    page = read_page("pbmplay-server.8.md");
  const std::size_t start = unit.find("ExecStart=");
  REQUIRE(start != std::string::npos);
  std::string command = unit.substr(start + 10, unit.find('\n', start) - start - 10);
  const std::string more = " $OPTIONS";
  REQUIRE(command.ends_with(more));
  command.erase(command.size() - more.size());
  const auto arguments = read_arguments(program_arguments(command));
  REQUIRE(arguments.ok());
  CHECK(arguments->words == std::vector<std::string>{"serve"});
  CHECK(arguments->option_text("dir") == "/var/lib/pbmplay");
  CHECK(arguments->option_text("socket") == "/run/pbmplay/socket");
  CHECK(contains(section(page, "Under systemd"),
                 "    " + command.substr(command.find("pbmplay")) + "\n"));
  for (const char* line : {"\nUser=pbm\n", "\nGroup=pbm\n", "\nStateDirectory=pbmplay\n",
                           "\nRuntimeDirectory=pbmplay\n"})
    CHECK(contains(unit, line));
}

TEST_CASE("the unit of a bot plays where the server's listens, with options that there are",
          "[man]") {
  const std::string unit = read_bytes(source_root() / "src/server/pbmplay-bot@.service"),
                    page =
                        section(read_page("pbmplay-server.8.md"), "A computer among the players");
  const std::string start = "ExecStart=@BINDIR@/pbmplay ", usual = "\nEnvironment=\"OPTIONS=";
  REQUIRE(contains(unit, start));
  REQUIRE(contains(unit, usual));
  const auto behind = [](const std::string& text, const std::string& what, char end) {
    const std::size_t at = text.find(what) + what.size();
    return text.substr(at, text.find(end, at) - at);
  };
  std::string command = behind(unit, start, '\n');
  REQUIRE(command.ends_with("--user %i $OPTIONS"));
  const std::string fixed = command.substr(0, command.find("%i")) + "hal ";
  for (const std::string& options :
       {behind(unit, usual, '"'), behind(page, "Environment=\"OPTIONS=", '"')}) {
    INFO(options);
    const auto arguments = read_arguments(split_words(fixed + options));
    REQUIRE(arguments.ok());
    CHECK(arguments->words == std::vector<std::string>{"bot"});
    CHECK(arguments->option_text("socket") == "/run/pbmplay/socket");
    CHECK(arguments->has("level"));
  }
  CHECK(contains(page, "    pbmplay " + fixed + behind(unit, usual, '"') + "\n"));
}

TEST_CASE("the file of trusted logins in pbmplay-server(8) means what it says", "[man]") {
  std::string file;
  for (const std::string& block :
       indented_blocks(section(read_page("pbmplay-server.8.md"), "Trusted logins")))
    if (block.starts_with("# logins")) file = block;
  CHECK(trusts_login(file, "wilma", "wilma"));
  CHECK_FALSE(trusts_login(file, "wilma", "fred"));
  CHECK(trusts_login(file, "door", "anybody"));
  CHECK(trusts_login(file, "fred", "fr"));
  CHECK(trusts_login(file, "fred", "fred"));
  CHECK_FALSE(trusts_login(file, "fred", "wilma"));
  CHECK_FALSE(trusts_login(file, "betty", "betty"));
}

TEST_CASE("pbmplay-server(8) has every file that a server makes", "[man]") {
  std::set<std::string> told =
      make_set(list_terms(section(read_page("pbmplay-server.8.md"), "Files")));
  CHECK(told.erase(".server/trusted") == 1);  // the owner makes these
  CHECK(told.erase("motd") == 1);
  std::set<std::string> real{"GAME-N.yaml"};
  TestServer hall;
  hall.change_options = [](ServiceOptions& o) { o.notify_program = "/bin/true"; };
  hall.restart();
  const auto look = [&] {
    for (const auto& entry : fs::recursive_directory_iterator(hall.directory)) {
      const std::string name = fs::relative(entry.path(), hall.directory).generic_string();
      if (name == "toot-102.yaml" || name == "toot-103.yaml" || name.starts_with(".deleted/"))
        continue;
      real.insert(name + (entry.is_directory() ? "/" : ""));
    }
  };
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma");
    fred.say("toot resign 101 fred *");  // refuses the challenge
    fred.say("toot challenge fred wilma");
    wilma.say("toot queue 102 wilma * CO");
    wilma.say("toot chat 102 wilma * : hello");
    wilma.say("toot seek wilma *");
    { User betty(hall, "betty"); }
    fred.say("toot challenge betty fred");
    hall.service().finish(hall.service().notifier.take_due());
    fred.say("toot move 102 fred * BT");
    fred.say("toot resign 102 fred *");
    wilma.say("vacation wilma * 1");
    look();
    hall.pass_time(std::chrono::minutes(1));
    hall.stop();  // some files are written only here
    hall.time += std::chrono::hours(1);
    hall.start();
    hall.pass_time(std::chrono::minutes(1));
    hall.stop();
  }
  look();
  CHECK(told == real);
  hall.start();
}

TEST_CASE("pbmplay-server(8) has the tables of the database, and questions that are answered",
          "[man]") {
  const std::string told = section(read_page("pbmplay-server.8.md"), "The database");
  std::string block;
  std::string tables = kTables;
  for (const char* step : kMigrations) tables += step;
  std::istringstream lines(tables);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) block += "    " + line + "\n";
  CHECK(contains(told, "\n" + block));
  if (run_shell("command -v sqlite3").status != 0) return skip_test("there is no sqlite3");
  TestServer hall;
  {
    User fred(hall, "fred"), wilma(hall, "wilma");
    fred.say("toot challenge fred wilma");
    fred.say("toot challenge fred wilma");
    wilma.say("toot resign 102 wilma *");
    fred.say("message fred * wilma : hello");
    hall.pass_time(std::chrono::minutes(1));
  }
  std::string questions;
  for (const std::string& text : indented_blocks(told))
    if (text.starts_with("sqlite3 /")) questions += text.substr(text.find('"') + 1) + ";\n";
    else if (text.starts_with("SELECT ")) questions += text + "\n";
  questions.erase(questions.find('"'), 1);
  std::ofstream(hall.temporary / "questions") << questions;
  const RunResult ran = run_shell("sqlite3 '" + (hall.directory / ".server/server.db").string() +
                                  "' < '" + (hall.temporary / "questions").string() + "'");
  CHECK(ran.err == "");
  CHECK(ran.out == "toot-101|fred|2026-11-21 12:00:00\nwilma|2\nfred|1\n");
}

// --- limits ------------------------------------------------------------------------------

namespace {
// Returns 2000 as "2,000".
std::string format_thousands(std::size_t n) {
  std::string out = std::to_string(n);
  for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
  return out;
}
bool has_limit(const std::string& page, const std::string& term, std::size_t n) {
  for (const Item& item : list_items(section(page, "Limits")))
    if (item.term == term)
      return item.meaning.substr(0, item.meaning.find(' ')) == format_thousands(n) ||
             item.meaning.find(format_thousands(n) + ";") == 0 ||
             item.meaning == format_thousands(n) + ".";
  return false;
}
}  // namespace

TEST_CASE("the limits in the manual are those of the program", "[man]") {
  const ServiceOptions service;
  const std::string commands = read_page("pbmplay-commands.7.md");
  CHECK(has_limit(commands, "A line", kMaxLine));
  CHECK(has_limit(commands, "A text with its lines", kMaxTextBytes));
  CHECK(has_limit(commands, "Lines of a text", kMaxTextLines));
  CHECK(has_limit(commands, "Lines of chat on a board", Chats::kMaxLines));
  CHECK(contains(
      read_page("pbmplay-server.8.md"),
      "`chat` has the last " + std::to_string(Chats::kMaxLines) + " lines that were said on"));
  CHECK(has_limit(commands, "Boards with unread chat", Chats::kMaxUnreadBoards));
  CHECK(has_limit(commands, "Waiting events", Mail::kMaxKept));
  CHECK(has_limit(commands, "Boards running", service.boards_a_user));
  CHECK(has_limit(commands, "Entries on a board", service.entries_a_board));
  CHECK(has_limit(commands, "Signups", service.signups_a_minute));
  CHECK(contains(commands, "; " + std::to_string(service.signups_a_minute / 4) +
                               " of them from one login or address"));
  CHECK(contains(commands,
                 " " + std::to_string(Seeks::kMaxPerSource) + " from one login or address, "));
  CHECK(has_limit(commands, "Lines of texts", service.texts_a_minute));
  CHECK(has_limit(commands, "Challenges", service.challenges_a_minute));
  CHECK(has_limit(commands, "Userids", service.max_accounts));
  CHECK(has_limit(commands, "Open challenges", Seeks::kMaxPerUser));
  CHECK(contains(commands,
                 " " + std::to_string(Seeks::kLifetime / std::chrono::hours(24)) + " days"));
  CHECK(has_limit(commands, "Blocked userids", kMaxBlocked));
  CHECK(contains(commands, ": " + std::to_string(Tournaments::kMaxUnfinished) +
                               " open or running, " + std::to_string(Tournaments::kMaxOpenPerUser) +
                               " open ones of a member; " +
                               std::to_string(Tournaments::kMaxEntries) + " players each."));
  CHECK(has_limit(commands, "Players on a ladder", Ladders::kMaxPlayers));
  CHECK(has_limit(commands, "Notifications and codes", Addresses::kMaxMailsPerDay));
  CHECK(has_limit(commands, "Lines of a table or of help", kMaxLines));
  const std::string save = read_page("pbmplay-save.5.md");
  CHECK(has_limit(save, "A file", kMaxSave));
  CHECK(has_limit(save, "Entries under plies", Match::kMaxEntries));
  CHECK(has_limit(save, "A note", Match::kMaxNoteBytes));
  const std::string server = read_page("pbmplay-server.8.md");
  const ConnectionLimits connection;
  CHECK(has_limit(server, "Connections", ListenOptions().max_connections));
  CHECK(has_limit(server, "Connections of one", service.connections_a_user));
  CHECK(has_limit(server, "Connections for the owner", kOwnerConnections));
  CHECK(has_limit(server, "Seconds without a userid",
                  static_cast<std::size_t>(connection.max_silence.count()) / 1000));
  CHECK(has_limit(server, "Events not read", connection.event_bytes));
  CHECK(has_limit(server, "Replies not read", connection.reply_bytes));
}

TEST_CASE("the numbers in the sentences of the player's manual are those of the program", "[man]") {
  const auto running = [](const std::string& file) {
    return std::regex_replace(read_page(file), std::regex("\\s+"), " ");
  };
  const std::string program = running("pbmplay.6.md"), save = running("pbmplay-save.5.md");
  CHECK(contains(program, " " + std::to_string(kSmallestSize.columns) + " columns and " +
                              std::to_string(kSmallestSize.rows) + " rows will do;"));
  CHECK(contains(program, " the last " + std::to_string(LocalNotes::kMaxChatLines) +
                              " lines that were said."));
  CHECK(contains(program,
                 ", the latest " + format_thousands(RemoteBoards::kMaxOthers) + ": `Enter` shows"));
  CHECK(contains(program, " A name has at most 16 columns,"));
  CHECK(contains(save, " the program itself takes 16 columns."));
  CHECK(check_player_name(std::string(16, 'x')).ok());
  CHECK_FALSE(check_player_name(std::string(17, 'x')).ok());
  CHECK(contains(save, " the last " + std::to_string(kEndReserve) + " are for resigning"));
  // Limits of the YAML reader, found by reading.
  const auto reads = [](const std::string& seats, const std::string& more) {
    return load_match("format: 1\ngame: toot\nseats: [" + seats + "]\n" + more + "plies:\n", "x")
        .ok();
  };
  CHECK(contains(save, " 200 bytes when read;"));
  CHECK(reads("fred, " + std::string(200, 'x'), ""));
  CHECK_FALSE(reads("fred, " + std::string(201, 'x'), ""));
  CHECK(contains(save, " at most eight levels and 200,000 keys and values."));
  const auto nested = [](std::size_t levels) {
    return "x: " + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "\n";
  };
  CHECK(reads("fred, wilma", nested(8)));
  CHECK_FALSE(reads("fred, wilma", nested(9)));
  const auto many = [](std::size_t n) {
    std::string out = "x: [1";
    for (std::size_t i = 1; i < n; ++i) out += ",1";
    return out + "]\n";
  };
  CHECK(reads("fred, wilma", many(199'900)));
  CHECK_FALSE(reads("fred, wilma", many(200'000)));
}

TEST_CASE("the numbers in the sentences of the server's manual are those of the program", "[man]") {
  // Returns a page without its line breaks.
  const auto flowing = [](const std::string& page) {
    std::string out;
    for (const std::string& word : split_words(strip_marks(read_page(page)))) out += word + " ";
    return out;
  };
  const auto n = format_thousands;
  const ServiceOptions service;
  const std::string commands = flowing("pbmplay-commands.7.md"),
                    server = flowing("pbmplay-server.8.md");
  for (const std::string& sentence : {
           "Userids have 1 to " + n(kMaxUseridLength) + " letters",
           "counted in each game from " + n(kFirstNumber) + ".",
           "at most the last " + n(Mail::kMaxKept) + " of these",
           "At most " + n(kMaxShown) + " at once",
           "At most " + n(kMaxPreviewed) + " moves.",
           "the latest first, at most " + n(kMaxHistory) + ".",
           "then the finished ones, at most " + n(kMaxListed) + " at once.",
           "more than " + n(service.signups_a_minute) + " signups a minute by all",
           "In a day these are " + n(service.signups_a_day) + ",",
           "another password, of " + n(service.min_password_bytes) + " to " +
               n(kMaxPasswordLength) + " bytes",
           "If " + n(HashQueue::kMaxQueued) + " of one source wait",
           "another address, of at most " + n(kMaxAddress) + " bytes",
           "you take, up to " + n(kMaxLimit) + ".",
           "with " + n(service.boards_a_user) + " boards running, and more than " +
               n(service.challenges_a_minute) + " challenges a minute",
           "on the last " + n(QueuedPlies::kMaxSubmitted) + " boards",
           "Send a message to players, at most " + n(kMaxReceivers) + ".",
           "future ones too. At most " + n(kMaxSubscriptions) + " of",
           "may send " + n(service.texts_a_minute) + " lines a minute, in texts of up to " +
               n(kMaxTextLines) + " lines and " + n(kMaxTextBytes) + " bytes",
           "starts at " + std::to_string(static_cast<int>(kInitialRating)) + ".",
           "until " + n(kProvisionalGames) + " rated games",
       }) {
    INFO(sentence);
    CHECK(contains(commands, sentence));
  }
  for (const std::string& sentence : {
           "the path has at most " + n(sizeof(sockaddr_un{}.sun_path) - 1) + " bytes",
           "At most " + n(service.signups_a_day) + " accounts in a day are new.",
           "A password takes " + n(PasswordCost().memory >> 20) + " MiB",
           "are " + n(static_cast<std::size_t>(kMaxUnsentBytes) >> 20) + " MiB at most",
       }) {
    INFO(sentence);
    CHECK(contains(server, sentence));
  }
  // These numbers are words in the manual.
  CHECK(contains(server, "at most five seconds"));
  CHECK(kMaxShutdownTime == std::chrono::seconds(4));  // one more second for the rest
  CHECK(contains(
      commands,
      "by one second. On the same connection the next wrong ones take two seconds, then four, and "
      "eight at most"));
  CHECK(contains(commands, "checks about four a second"));
  CHECK(HashQueue::kMaxPause == std::chrono::milliseconds(250));
  for (const auto& [wrong, seconds] :
       std::map<std::size_t, int>{{1, 1}, {2, 2}, {3, 4}, {4, 8}, {100, 8}})
    CHECK(delay_after(wrong) == std::chrono::seconds(seconds));
  CHECK(
      contains(commands,
               "cannot be all, active, inactive, next, none or new, and a new one cannot be you."));
  CHECK_FALSE(check_new_userid("you").ok());
  for (const char* word : {"all", "active", "inactive", "next", "none", "new"})
    CHECK_FALSE(check_userid(word).ok());
}

// --- the same texts as help ----------------------------------------------------------------

TEST_CASE("pbmplay help shows each topic, and every page is a topic", "[man]") {
  std::set<std::string> files;
  for (const HelpTopic& topic : help_topics()) {
    INFO(topic.name);
    files.insert(topic.file);
    const RunResult ran = run_program({"help", topic.name});
    CHECK(ran.status == 0);
    CHECK(ran.err.empty());
    const std::string text = read_bytes(source_root() / topic.file);
    std::string expected;
    for (const TextLine& line :
         format_markdown(topic.section.empty() ? text : section(text, topic.section), 78))
      expected += line.text + "\n";
    CHECK(ran.out == expected);
    CHECK(ran.out.size() > 300);
    CHECK(ran.out.find('`') == std::string::npos);
  }
  for (const Page& page : manual_pages())
    CHECK(files.count(fs::relative(page.source, source_root()).generic_string()) == 1);
  CHECK(run_program({"help", "SAVES"}).out == run_program({"help", "saves"}).out);
}

TEST_CASE("the topics of help can be read on the screen, from the lobby with F1", "[man]") {
  TestApp desk;
  desk.press({Key::Code::function, 1});
  for (const HelpTopic& topic : help_topics()) CHECK(desk.has_text(" " + topic.name + " "));
  for (const HelpTopic& topic : help_topics()) {
    INFO(topic.name);
    desk.press(kEnter);
    CHECK(desk.has_text(topic.file.starts_with("rules/") ? " Rules " : " Manual: " + topic.name));
    desk.press(kEsc);
    desk.press({Key::Code::down});
  }
  desk.press(kEsc);
  CHECK(desk.has_text("q quit"));
}

TEST_CASE("help can be read line by line", "[man]") {
  const RunResult ran = run_line_mode(
      "help commands\nhelp nothing\nrules saves\nnew toot a b\nhelp saves\nhelp toot\n");
  CHECK(ran.status == 0);
  CHECK(contains(ran.out, "pbmplay-commands(7) - "));
  CHECK(contains(ran.out, "There is no help on 'nothing'"));
  CHECK(contains(ran.out, "There is no game 'saves'"));
  CHECK(contains(ran.out, "pbmplay-save(5) - "));
  CHECK(contains(ran.out, "Toot and Tootris"));
}

TEST_CASE("lists of terms are laid out beside what they mean, or above it where they are long",
          "[man]") {
  const auto text = [](std::string_view markdown, int columns) {
    std::string out;
    for (const TextLine& line : format_markdown(markdown, columns)) out += line.text + "\n";
    return out;
  };
  const std::string list =
      "Before.\n\n`Up` `k`\n: A line *back*, and so on\n  until the start.\n`q`\n: "
      "Leave.\n\nAfter.\n";
  CHECK(
      text(list, 30) ==
      "Before.\n\nUp k  A line back, and so on\n      until the start.\nq     Leave.\n\nAfter.\n");
  CHECK(text("`a long term that stands alone`\n: What it is.\n\n  And more.\n\n`b`\n: Short.\n",
             40) ==
        "a long term that stands alone\n    What it is.\n\n    And more.\n\nb   Short.\n");
  CHECK(text("a `*` stays\n", 40) == "a * stays\n");
  CHECK(find_markdown_section("# t\n\n## One\n\na\n\n## Two\n\nb\n", "two") == "## Two\n\nb\n");
  CHECK(find_markdown_section("# t\n", "two").empty());
}
