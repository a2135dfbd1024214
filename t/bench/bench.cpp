// SPDX-License-Identifier: MIT
// Measures speed and size: the program beside nudoku, both in the same run through a
// pseudo-terminal of 80x24 with TERM=xterm-256color, and plies per second of every game. Prints the
// figures beside their goals.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "../create.hpp"
#include "../scratch.hpp"
#include "../source_root.hpp"
#include "../terminal.hpp"
#include "boards/local_boards.hpp"

using namespace pbm;
using namespace pbm::test;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kStartCount = 30;
constexpr int kPlyCount = 96;
constexpr Millis kQuietTime{12};  // the screen is complete after so long without output
constexpr Millis kQuietStartTime{60};

struct Times {
  std::vector<double> ms;
  double quantile(double q) const {
    if (ms.empty()) return 0;
    std::vector<double> sorted = ms;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1,
                           static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
  }
  double median() const { return quantile(0.5); }
  double p99() const { return quantile(0.99); }
};

double ms_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

std::string number(double value, int digits) {
  char out[40];
  std::snprintf(out, sizeof out, "%.*f", digits, value);
  return out;
}

void print_heading(const std::string& text) { std::printf("\n%s\n", text.c_str()); }
void print_line(const std::string& what, const std::string& ours, const std::string& theirs,
                const std::string& goal, std::optional<bool> met = {}) {
  std::printf("  %-44s %18s %18s   %-22s %s\n", what.c_str(), ours.c_str(), theirs.c_str(),
              goal.c_str(),
              !met   ? ""
              : *met ? "ok"
                     : "MISSED");
}

// --- the programs -----------------------------------------------------------

LaunchOptions pbmplay_launch(const ScratchDirectory& scratch,
                             std::vector<std::string> arguments = {}) {
  LaunchOptions l;
  l.home = scratch.path();
  l.arguments = std::move(arguments);
  return l;
}

LaunchOptions nudoku_launch(const ScratchDirectory& scratch) {
  LaunchOptions l;
  l.home = scratch.path();
  l.program = "/usr/games/nudoku";
  return l;
}

// Makes a new board and returns its file.
std::string new_board(const ScratchDirectory& scratch,
                      const std::vector<std::string>& option_words) {
  LocalBoards boards(scratch.path() / "data" / "pbmplay" / "saves", "");
  const GameType* toot = find_game("toot");
  const auto board =
      create_board(boards, *toot, *read_options(*toot, option_words), {"fred", "wilma"});
  return boards.location() + "/" + board->id + ".yaml";
}

struct StartTimes {
  Times wall, cpu;  // until the last byte of the first screen
  void add(const LaunchOptions& launch) {
    TerminalRun run(launch);
    run.wait_until("a first picture", [&] { return run.bytes_written() > 0; });
    run.wait_quiet(kQuietStartTime);
    wall.ms.push_back(ms_between(run.start_time(), run.last_output_time()));
    cpu.ms.push_back(run.cpu_seconds() * 1000);
  }
  std::string text() const {
    return number(wall.median(), 2) + " (" + number(cpu.median(), 2) + ")";
  }
};

struct KeyCost {
  double ms = 0;  // until the last byte of the new screen; 0 if the program wrote nothing
  double cpu_ms = 0;
  std::size_t bytes = 0;
};

KeyCost measure_key(TerminalRun& run, std::string_view keys) {
  const std::size_t before = run.bytes_written();
  const double cpu = run.cpu_seconds();
  const auto at = Clock::now();
  run.type(keys);
  run.wait_quiet(kQuietTime);
  // On a busy machine output may come late. Waits until the program sleeps.
  if (run.bytes_written() == before) run.wait_idle();
  const std::size_t bytes = run.bytes_written() - before;
  return {bytes ? ms_between(at, run.last_output_time()) : 0, (run.cpu_seconds() - cpu) * 1000,
          bytes};
}

struct KeyCosts {
  Times times, cpu;
  std::size_t least_bytes = SIZE_MAX, most_bytes = 0;
  void add(const KeyCost& c) {
    if (c.bytes) times.ms.push_back(c.ms);
    if (c.bytes) cpu.ms.push_back(c.cpu_ms);
    least_bytes = std::min(least_bytes, c.bytes);
    most_bytes = std::max(most_bytes, c.bytes);
  }
  std::string bytes() const {
    return least_bytes == most_bytes
               ? std::to_string(most_bytes)
               : std::to_string(least_bytes) + " to " + std::to_string(most_bytes);
  }
  std::string speed() const {
    return times.ms.empty() ? "-"
                            : number(times.median(), 2) + "/" + number(times.p99(), 2) + " (" +
                                  number(cpu.median(), 3) + ")";
  }
};

// --- the parts of the report ------------------------------------------------

void report_starts(const ScratchDirectory& scratch) {
  print_heading("Exec to first complete screen, ms, median of " + std::to_string(kStartCount) +
                " (of it processor time)");
  print_line("", "pbmplay", "nudoku", "goal");
  const std::string small = new_board(scratch, {}), large = new_board(scratch, {"-size=14x20"});
  StartTimes lobby, open, open_large, nudoku;
  for (int i = 0; i < kStartCount; ++i) {
    lobby.add(pbmplay_launch(scratch));
    nudoku.add(nudoku_launch(scratch));
    open.add(pbmplay_launch(scratch, {"open", small}));
    open_large.add(pbmplay_launch(scratch, {"open", large}));
  }
  const double most = 1.5 * nudoku.wall.median();
  const auto row = [&](const std::string& what, const StartTimes& t) {
    print_line(what, t.text(), nudoku.text(), "at most 1.5x: " + number(most, 2),
               t.wall.median() <= most);
  };
  row("lobby", lobby);
  row("open FILE, 6x4", open);
  row("open FILE, 14x20", open_large);
}

// nudoku in its own terminal. It gets a key after each of ours, so a busy machine slows both.
struct Nudoku {
  TerminalRun run;
  KeyCosts cursor, digit, repaint;
  int steps = 0;

  explicit Nudoku(const ScratchDirectory& scratch) : run(nudoku_launch(scratch)) {
    run.wait_until("nudoku", [&] { return run.bytes_written() > 0; });
    run.wait_quiet(kQuietStartTime);
  }
  void step() {
    cursor.add(measure_key(run, steps % 16 < 8 ? "l" : "h"));
    if (steps % 16 == 7) measure_key(run, "j");
    if (steps % 64 == 60) measure_key(run, "kkkk");
    if (steps % 4 == 0) digit.add(measure_key(run, steps % 8 ? "5" : "x"));
    ++steps;
  }
  void repaints() {
    for (int i = 0; i < 3; ++i) repaint.add(measure_key(run, "r"));
  }
};

struct BoardCosts {
  KeyCosts first_letter, second_letter, enter, whole_ply, left, right, up, down, repaint, key_total;
};

// Plays plies of two keys and Enter: key by key and in one write, in turn.
BoardCosts play_costs(const ScratchDirectory& scratch, Nudoku& nudoku,
                      const std::vector<std::string>& options, int plies) {
  BoardCosts out;
  int done = 0;
  while (done < plies) {
    TerminalRun run(pbmplay_launch(scratch, {"open", new_board(scratch, options)}));
    run.wait_for("fred (TOOT)>");
    run.wait_idle();
    // These plies complete no name, so the game does not end.
    static constexpr std::array<std::string_view, 8> game{"at", "bt", "ct", "dt",
                                                          "ao", "bo", "co", "do"};
    for (std::size_t i = 0; i < game.size() && done < plies; ++i, ++done) {
      if (done % 2 == 0) {
        const KeyCost a = measure_key(run, game[i].substr(0, 1));
        nudoku.step();
        const KeyCost b = measure_key(run, game[i].substr(1));
        nudoku.step();
        const KeyCost c = measure_key(run, "\r");
        out.first_letter.add(a);
        out.second_letter.add(b);
        out.enter.add(c);
        out.key_total.add({0, 0, a.bytes + b.bytes + c.bytes});
      } else {
        out.whole_ply.add(measure_key(run, std::string(game[i]) + "\r"));
      }
    }
    for (int i = 0; i < 3; ++i) {
      measure_key(run, "et");
      nudoku.step();
      out.left.add(measure_key(run, kLeftKey));
      nudoku.step();
      out.right.add(measure_key(run, kRightKey));
      measure_key(run, "\025");
      out.up.add(measure_key(run, kUpKey));
      out.down.add(measure_key(run, kDownKey));
      out.repaint.add(measure_key(run, "\014"));
    }
  }
  return out;
}

void report_keys(const ScratchDirectory& scratch) {
  Nudoku nudoku(scratch);
  const BoardCosts small = play_costs(scratch, nudoku, {}, kPlyCount),
                   large = play_costs(scratch, nudoku, {"-size=14x20"}, kPlyCount);
  KeyCosts lobby_cursor, lobby_repaint;
  {
    TerminalRun run(pbmplay_launch(scratch));
    run.wait_for("? help");
    run.wait_idle();
    for (int i = 0; i < 20; ++i) {
      lobby_cursor.add(measure_key(run, kDownKey));
      nudoku.step();
      lobby_cursor.add(measure_key(run, kUpKey));
      nudoku.step();
    }
    for (int i = 0; i < 3; ++i) lobby_repaint.add(measure_key(run, "\014"));
  }
  nudoku.repaints();
  print_heading("Key to finished screen, ms, median/p99 (of it processor time, median)");
  print_line("", "pbmplay", "nudoku", "goal");
  const double base = nudoku.cursor.times.median();
  const auto speed = [&](const std::string& what, const KeyCosts& c, bool judged) {
    print_line(what, c.speed(), nudoku.cursor.speed(),
               judged ? "at most 1.2x: " + number(1.2 * base, 2) : "(with its disk sync)",
               judged ? std::optional<bool>(c.times.median() <= 1.2 * base) : std::nullopt);
  };
  speed("6x4: letter of the column", small.first_letter, true);
  speed("6x4: T or O", small.second_letter, true);
  speed("6x4: cursor left", small.left, true);
  speed("6x4: Enter plays it", small.enter, false);
  speed("6x4: whole move, three keys in one write", small.whole_ply, false);
  speed("14x20: letter of the column", large.first_letter, true);
  speed("14x20: T or O", large.second_letter, true);
  speed("14x20: Enter plays it", large.enter, false);
  speed("14x20: whole move, three keys in one write", large.whole_ply, false);
  speed("lobby: Down, Up", lobby_cursor, true);
  print_line("nudoku: a digit", "", nudoku.digit.speed(), "");

  print_heading("Bytes written");
  print_line("", "pbmplay", "nudoku", "goal");
  const auto bytes = [&](const std::string& what, const KeyCosts& c, const std::string& beside,
                         std::optional<std::size_t> goal) {
    print_line(what, c.bytes(), beside, goal ? "at most " + std::to_string(*goal) : "",
               goal ? std::optional<bool>(c.most_bytes <= *goal) : std::nullopt);
  };
  bytes("board: Left in the typed line", small.left, nudoku.cursor.bytes(), 40);
  bytes("board: Right in the typed line", small.right, nudoku.cursor.bytes(), 40);
  bytes("board: Up on an empty line", small.up, nudoku.cursor.bytes(), 40);
  bytes("board: Down after it", small.down, nudoku.cursor.bytes(), 40);
  bytes("lobby: Down, Up", lobby_cursor, nudoku.cursor.bytes(), 40);
  bytes("6x4: letter of the column", small.first_letter, nudoku.digit.bytes(), {});
  bytes("6x4: T or O", small.second_letter, nudoku.digit.bytes(), {});
  bytes("6x4: Enter plays it", small.enter, "", 250);
  bytes("6x4: move, its three keys together", small.key_total, "", 250);
  bytes("6x4: move, three keys in one write", small.whole_ply, "", 250);
  bytes("14x20: letter of the column", large.first_letter, "", {});
  bytes("14x20: Enter plays it", large.enter, "", {});
  bytes("14x20: move, its three keys together", large.key_total, "", {});
  bytes("full repaint: board 6x4", small.repaint, nudoku.repaint.bytes(), {});
  bytes("full repaint: board 14x20", large.repaint, nudoku.repaint.bytes(), {});
  bytes("full repaint: lobby", lobby_repaint, nudoku.repaint.bytes(), {});
}

// The bytes that a program writes for single keys.
struct ByteCounts {
  std::size_t keys = 0, sum = 0, max = 0;
  void add(std::size_t bytes) {
    ++keys;
    sum += bytes;
    max = std::max(max, bytes);
  }
  std::string text() const {
    return keys == 0 ? "-"
                     : number(static_cast<double>(sum) / static_cast<double>(keys), 1) + ", most " +
                           std::to_string(max);
  }
};

std::size_t bytes_of_key(TerminalRun& run, std::string_view keys) {
  const std::size_t before = run.bytes_written();
  run.type(keys);
  run.wait_idle();
  return run.bytes_written() - before;
}

// A board for the longest golden game, and the plies of that game.
struct GoldenGame {
  std::string file;
  std::vector<std::string> plies;
};
GoldenGame longest_golden_game(const ScratchDirectory& scratch, const GameType& game) {
  GoldenGame best;
  std::string head;
  for (const auto& entry : fs::directory_iterator(source_root() / "t" / "golden")) {
    std::ifstream in(entry.path());
    std::string first;
    std::getline(in, first);
    if (split_words(first).front() != std::string(game.name) &&
        split_words(first).front() != std::string(game.name) + ",")
      continue;
    std::vector<std::string> plies;
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("> ")) plies.push_back(line.substr(2));
    if (plies.size() <= best.plies.size()) continue;
    best.plies = std::move(plies);
    head = first;
  }
  const std::size_t comma = head.find(", ");
  if (comma == std::string::npos)
    throw TerminalError("There is no golden game of " + std::string(game.name) + ".");
  std::vector<std::string> option_words = split_words(head.substr(0, comma));
  option_words.erase(option_words.begin());
  std::vector<std::string> names{"fred", "wilma", "barney", "betty"};
  names.resize(static_cast<std::size_t>(std::stoi(head.substr(comma + 2))));
  LocalBoards boards(scratch.path() / "data" / "pbmplay" / "saves", "");
  best.file = boards.location() + "/" +
              create_board(boards, game, *read_options(game, option_words), names)->id + ".yaml";
  return best;
}

void report_game_bytes(const ScratchDirectory& scratch) {
  print_heading("Bytes written, average and most, over a whole example game");
  std::printf("  %-12s %7s  %-18s %-18s %-18s %-18s %s\n", "", "plies", "a typed key", "Enter",
              "a move, all keys", "by hand, a key", "full repaint");
  for (const GameType& game : all_games()) {
    const GoldenGame example = longest_golden_game(scratch, game);
    TerminalRun run(pbmplay_launch(scratch, {"open", example.file}));
    run.wait_for("? help");
    ByteCounts key, enter, ply, cursor, repaint;
    const auto by_hand = [&] {
      bytes_of_key(run, "\t");
      for (const std::string_view k :
           {kRightKey, kDownKey, kLeftKey, kUpKey, std::string_view("\t"), kDownKey, kRightKey,
            std::string_view("\t")})
        cursor.add(bytes_of_key(run, k));
      bytes_of_key(run, kEscapeKey);
      repaint.add(bytes_of_key(run, kCtrlL));
    };
    for (std::size_t n = 0; n < example.plies.size(); ++n) {
      if (n % 8 == 2) by_hand();
      std::size_t all = 0;
      for (const char c : example.plies[n]) {
        const std::size_t bytes = bytes_of_key(run, std::string_view(&c, 1));
        key.add(bytes);
        all += bytes;
      }
      const std::size_t last = bytes_of_key(run, "\r");
      enter.add(last);
      ply.add(all + last);
    }
    repaint.add(bytes_of_key(run, kCtrlL));
    std::printf("  %-12s %7zu  %-18s %-18s %-18s %-18s %s\n", std::string(game.name).c_str(),
                example.plies.size(), key.text().c_str(), enter.text().c_str(), ply.text().c_str(),
                cursor.text().c_str(), repaint.text().c_str());
  }
}

// Another screen: the keys that open it, texts that it shows, and keys to measure there.
struct ScreenKeys {
  const char* name;
  std::vector<std::string> opening_keys, shown_texts, keys;
};
const std::vector<ScreenKeys>& screens() {
  static const std::string down(kDownKey), up(kUpKey), page(kPageDown), back(kPageUp);
  static const std::vector<ScreenKeys> all{
      {"lobby: Down, Up", {}, {}, {down, down, up, up}},
      {"filter: a letter",
       {"/"},
       {"show only"},
       {"p", "l", "o", "t", "\177", "\177", "\177", "\177"}},
      {"form: Down, Up", {"s"}, {"New game"}, {down, down, up, up}},
      {"form: next game", {"s"}, {"New game"}, {"\033OC", "\033OC", "\033OC", "\033OC", "\033OC"}},
      {"form: a letter of a name",
       {"s", up},
       {"New game", "> player2"},
       {"f", "r", "e", "d", "\177", "\177", "\177", "\177"}},
      {"settings: Down, Up", {"\033OS"}, {"> theme"}, {down, down, up, up}},
      {"settings: a switch", {"\033OS", down + down + down}, {"> theme", "> mouse"}, {" ", " "}},
      {"help: a line", {"?"}, {"Help: Boards"}, {down, up}},
      {"help: a page", {"?"}, {"Help: Boards"}, {page, back}},
      {"search: a letter",
       {"?", "/"},
       {"Help: Boards", "search:"},
       {"b", "o", "a", "r", "d", "\177", "\177", "\177", "\177", "\177"}},
      {"search: n",
       {"?", "/", "board\r"},
       {"Help: Boards", "search:", "'board'"},
       {"n", "n", "n", "N", "N"}},
  };
  return all;
}

void open_screen(TerminalRun& run, const ScreenKeys& screen) {
  run.wait_for("pbmplay - ");
  for (std::size_t i = 0; i < screen.opening_keys.size(); ++i) {
    run.type(screen.opening_keys[i]);
    run.wait_for(screen.shown_texts[i]);
  }
}

void report_screen_bytes(const ScratchDirectory& scratch) {
  print_heading(
      "Bytes written on the other screens: a key, average and most, beside a full repaint; without "
      "a key, in 2 s");
  std::printf("  %-28s %-18s %-14s %-10s %s\n", "", "a key", "full repaint", "idle bytes",
              "wakeups");
  std::vector<std::unique_ptr<TerminalRun>> runs;
  std::vector<std::pair<ByteCounts, std::size_t>> costs;
  for (const ScreenKeys& screen : screens()) {
    runs.push_back(std::make_unique<TerminalRun>(pbmplay_launch(scratch)));
    TerminalRun& run = *runs.back();
    open_screen(run, screen);
    ByteCounts key;
    for (int round = 0; round < 3; ++round)
      for (const std::string& k : screen.keys) key.add(bytes_of_key(run, k));
    costs.emplace_back(key, bytes_of_key(run, kCtrlL));
  }
  // Measures all of them asleep at the same time.
  std::vector<std::pair<std::size_t, long>> before;
  for (const auto& run : runs) {
    run->wait_idle();
    before.emplace_back(run->bytes_written(), run->wakeups());
  }
  runs.front()->read_for(Millis(2000));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i]->read_for(Millis(1));
    std::printf("  %-28s %-18s %-14zu %-10zu %ld\n", screens()[i].name,
                costs[i].first.text().c_str(), costs[i].second,
                runs[i]->bytes_written() - before[i].first, runs[i]->wakeups() - before[i].second);
  }
}

struct IdleCost {
  std::size_t bytes;
  double cpu_ms;
  long wakeups, memory;
};
IdleCost measure_idle(TerminalRun& run) {
  run.wait_quiet(kQuietStartTime);
  const std::size_t bytes = run.bytes_written();
  const double cpu = run.cpu_seconds();
  const long wakeups = run.wakeups();
  run.read_for(Millis(3000));
  return {run.bytes_written() - bytes, (run.cpu_seconds() - cpu) * 1000, run.wakeups() - wakeups,
          run.peak_memory_kilobytes()};
}

void report_rest(const ScratchDirectory& scratch) {
  TerminalRun mine(pbmplay_launch(scratch, {"open", new_board(scratch, {"-size=14x20"})})),
      their(nudoku_launch(scratch)), lobby(pbmplay_launch(scratch));
  mine.wait_for("fred (TOOT)>");
  for (const char* keys : {"at\r", "bo\r", "ct\r", "?"}) measure_key(mine, keys);
  measure_key(mine, "\033");
  their.wait_until("nudoku", [&] { return their.bytes_written() > 0; });
  for (const char* keys : {"l", "j", "5"}) measure_key(their, keys);
  lobby.wait_for("? help");
  const IdleCost m = measure_idle(mine), t = measure_idle(their), l = measure_idle(lobby);
  print_heading("Memory and rest");
  print_line("", "pbmplay", "nudoku", "goal");
  print_line("peak memory (VmHWM), MB, board 14x20 and help",
             number(static_cast<double>(m.memory) / 1024, 2),
             number(static_cast<double>(t.memory) / 1024, 2), "under 8", m.memory < 8 * 1024);
  print_line("peak memory (VmHWM), MB, lobby", number(static_cast<double>(l.memory) / 1024, 2),
             number(static_cast<double>(t.memory) / 1024, 2), "under 8", l.memory < 8 * 1024);
  print_line("bytes written in 3 s without a key", std::to_string(m.bytes + l.bytes),
             std::to_string(t.bytes), "0", m.bytes + l.bytes == 0);
  print_line("processor time in these 3 s, ms", number(m.cpu_ms + l.cpu_ms, 3), number(t.cpu_ms, 3),
             "0", m.cpu_ms + l.cpu_ms == 0);
  print_line("times awake in these 3 s", std::to_string(m.wakeups + l.wakeups),
             std::to_string(t.wakeups), "0", m.wakeups + l.wakeups == 0);
}

// Measures a letter and its deletion on one board, in turn while the computer thinks about a hint
// and while it does not.
void report_keys_while_thinking(const ScratchDirectory& scratch) {
  constexpr int kRounds = 30, kLetters = 8;
  constexpr std::string_view kF6 = "\033[17~";
  TerminalRun run(pbmplay_launch(scratch, {"toot", "fred", "computer:1"}));
  run.wait_for("fred (TOOT)>");
  run.wait_quiet(kQuietStartTime);
  Times alone, beside;
  for (int round = 0; round < kRounds; ++round)
    for (Times* times : {&alone, &beside}) {
      if (times == &beside) {
        measure_key(run, kF6);
        run.wait_for("looks for a hint");
      }
      for (int i = 0; i < kLetters; ++i)
        for (const std::string_view key : {std::string_view("a"), kBackspace})
          times->ms.push_back(measure_key(run, key).ms);
      if (times == &alone) continue;
      run.wait_for("looks for a hint");  // it was still thinking
      measure_key(run, kEscapeKey);
    }
  print_heading("A typed key while the computer thinks: wall ms, median/p99");
  print_line("", "it thinks", "it does not", "goal");
  const auto text = [](const Times& t) { return number(t.median(), 2) + "/" + number(t.p99(), 2); };
  print_line("6x4: a letter, and its deletion", text(beside), text(alone), "no difference",
             beside.median() < alone.median() * 1.2 + 0.1);
}

void report_perft() {
  print_heading("Move sequences counted per second, deepest count under a second");
  std::printf("  %-46s %6s %16s %9s %14s\n", "", "depth", "sequences", "seconds", "million/s");
  for (const GameType& game : all_games())
    for (const std::string_view variant : game.variants) {
      const auto options = read_options(game, split_words(variant));
      if (!options || !game.start(*options, game.min_seats)) continue;
      int best = 0;
      std::uint64_t count = 1;
      double seconds = 0, growth = 1;
      for (int depth = 1; depth < 40; ++depth) {
        if (seconds * growth > 1) break;
        const auto from = Clock::now();
        const std::uint64_t found = game.perft(*options, game.min_seats, depth);
        const double took = ms_between(from, Clock::now()) / 1000;
        if (took > 1 || found == 0) break;
        growth = static_cast<double>(found) / static_cast<double>(count);
        best = depth;
        count = found;
        seconds = took;
      }
      const std::string name =
          std::string(game.name) + (variant.empty() ? "" : " " + std::string(variant));
      std::printf("  %-46s %6d %16llu %9.3f %14.1f\n", name.c_str(), best,
                  static_cast<unsigned long long>(count), seconds,
                  seconds > 0 ? static_cast<double>(count) / seconds / 1e6 : 0.0);
    }
}

// Measures nodes per second, by alpha-beta or for more than two seats by playouts, beside the speed
// of perft().
void report_thinking() {
  print_heading("Thinking, from the start: positions a second");
  std::printf("  %-46s %6s %16s %16s\n", "", "seats", "counted, million", "looked at, million");
  for (const GameType& game : all_games())
    for (const std::string_view variant : game.variants)
      for (int seats = game.min_seats; seats <= game.max_seats; ++seats) {
        const auto options = read_options(game, split_words(variant));
        if (!options) continue;
        const auto start = game.start(*options, seats);
        if (!start) continue;
        std::uint64_t counted = 0;
        auto from = Clock::now();
        double took = 0;
        for (int depth = 1; depth < 40 && took < 100; ++depth) {
          from = Clock::now();
          counted = game.perft(*options, seats, depth);
          took = ms_between(from, Clock::now());
          if (counted == 0) break;
        }
        const double counting = static_cast<double>(counted) / std::max(took, 1e-3);
        SearchRequest question;
        question.limits.nodes = 1'000'000;
        from = Clock::now();
        const SearchResult thought = game.think(*start, question);
        const double thinking = static_cast<double>(thought.nodes) / ms_between(from, Clock::now());
        const std::string name =
            std::string(game.name) + (variant.empty() ? "" : " " + std::string(variant));
        std::printf("  %-46s %6d %16.1f %16.2f\n", name.c_str(), seats, counting / 1000,
                    thinking / 1000);
      }
}

}  // namespace

int main() {
  try {
    ScratchDirectory scratch;
    std::printf("pbmplay beside nudoku, pseudo-terminal 80x24, TERM=xterm-256color\n");
    report_starts(scratch);
    report_keys(scratch);
    report_game_bytes(scratch);
    report_screen_bytes(scratch);
    report_rest(scratch);
    report_keys_while_thinking(scratch);
    report_perft();
    report_thinking();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
  }
  return 0;
}
