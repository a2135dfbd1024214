// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "base/files.hpp"
#include "base/markdown.hpp"
#include "base/version.hpp"
#include "boards/boards.hpp"
#include "boards/local_boards.hpp"
#include "protocol/new_board.hpp"
#include "protocol/userid.hpp"
#include "cli/bot.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/complete.hpp"
#include "cli/computer.hpp"
#include "cli/paths.hpp"
#include "cli/server_commands.hpp"
#include "cli/shared.hpp"
#include "cli/ugi.hpp"
#include "game/options.hpp"
#include "game/record.hpp"
#include "ui/screens/app.hpp"
#include "ui/help_topics.hpp"
#include "ui/line_mode.hpp"
#include "ui/terminal.hpp"

namespace pbm {
namespace {

namespace fs = std::filesystem;

// The refusal, and a caret below the byte of `typed` it is about.
int refuse_typed(const Refusal& refusal, std::string_view typed) {
  complain(kRefused, refusal.why);
  const std::string shown = safe_text(typed);
  if (columns(shown) > 70) return kRefused;
  std::cerr << "  " << shown << "\n  "
            << std::string(
                   static_cast<std::size_t>(columns(safe_text(typed.substr(0, refusal.at)))), ' ')
            << "^\n";
  return kRefused;
}

// Whoever shares a login with others is held to his own directory.
LocalBoards own_boards(const Arguments& arguments, std::string_view called = "") {
  const auto reach =
      arguments.user.empty() ? LocalBoards::Scope::anywhere : LocalBoards::Scope::directory;
  return {arguments.saves.empty() ? paths_of(arguments.user).saves : fs::path(arguments.saves),
          program_data() / "saves", reach, called};
}

Exercises exercises_of(const Arguments& arguments) {
  return {program_data() / "saves", paths_of(arguments.user).exercises};
}

// One's own boards, lessons and puzzles, and the computer; or beside the boards of a server.
struct AllBoards {
  explicit AllBoards(const Arguments& arguments, RemoteBoards* there = nullptr)
      : own(own_boards(arguments, there ? kOwnBoards : "")),
        exercises(exercises_of(arguments)),
        computer(own, {arguments.engine, cache_directory()}),
        boards(own, there, &exercises, &computer) {}
  LocalBoards own;
  Exercises exercises;
  ComputerAttendant computer;
  Boards boards;
};

// The drawing asked for with --field; without it, the one remembered.
Result<View> view_of(const Arguments& arguments, const GameType* game, const Settings& settings) {
  View view;
  view.field = settings.chosen().field;
  if (arguments.field.empty()) return view;
  std::string fields;
  for (const GameType& g : all_games())
    if (!game || game == &g) fields += g.fields;
  if (fields.empty())
    return Refusal{std::string(game ? game->title : "This") +
                   " has one drawing only: leave --field out."};
  const char letter = arguments.field.size() == 1 ? lower(arguments.field[0]) : '\0';
  if (letter == '\0' || fields.find(letter) == std::string::npos)
    return Refusal{"'--field=" + fit(arguments.field, 20) + "': a field is one letter of " +
                   fields + "."};
  view.field = letter;
  return view;
}

// --- the screen or the line front end ------------------------------------

constexpr const char* kLeft = ".left";
constexpr std::size_t kMostLeft = 8192;  // bytes

// The board to begin with: itself, or by a name, where one would have to wait for it.
using First = std::variant<std::monostate, Board, std::string>;

// `left` is the file in which the board stays that was on the screen when the terminal went.
int play_on_screen(const Arguments& arguments, Boards& boards, Settings& settings, View view,
                   First first, const fs::path& left) {
  std::string warning = settings.warning();
  // What the command line says is for this run.
  Preferences preferences = settings.chosen();
  preferences.field = view.field;
  if (!arguments.theme.empty()) preferences.theme = arguments.theme;
  settings.use(preferences);
  auto theme = find_theme(preferences.theme, theme_directories());
  if (!theme) {
    if (warning.empty()) warning = "The usual theme is used. " + theme.refusal().why;
    theme = find_theme(Preferences().theme, theme_directories());
    if (!theme) theme = plain_theme();
  }
  App app(boards, settings, help_text, theme_directories());
  if (Board* board = std::get_if<Board>(&first)) app.show(std::move(*board));
  if (const auto* name = std::get_if<std::string>(&first)) app.open({*name});
  if (std::holds_alternative<std::monostate>(first))
    if (const auto before = read_file(left, kMostLeft); before && !before->empty())
      app.come_back(*before);
  std::error_code error;
  fs::remove(left, error);
  if (!warning.empty()) app.say(warning, Style::bad);
  const auto terminal = open_terminal(*theme);
  run_app(app, *terminal);
  if (const std::string now = app.left(); terminal->closed() && !now.empty()) {
    make_directory(left.parent_path());
    replace_file(left, now);
  }
  return kDone;
}

int play_on(const Arguments& arguments, AllBoards& all, First first, const fs::path& kept) {
  Settings settings(paths_of(arguments.user).settings);
  all.computer.watch_at(std::chrono::milliseconds(settings.chosen().pace));
  Board* const board = std::get_if<Board>(&first);
  const auto view = view_of(arguments, board ? &board->match.game() : nullptr, settings);
  if (!view) return complain(kUsage, view.refusal().why);
  if (!arguments.line) {
    const auto usable = terminal_is_usable();
    if (usable)
      return play_on_screen(arguments, all.boards, settings, *view, std::move(first), kept / kLeft);
    // A pipe knows that it is none; somebody at a terminal wants to know.
    if (::isatty(STDIN_FILENO)) complain(kDone, usable.refusal().why + " Going on line by line.");
  }
  if (!settings.warning().empty()) complain(kDone, settings.warning());
  LineMode(all.boards, *view, settings.chosen().name, help_text, std::cin, std::cout,
           ::isatty(STDIN_FILENO) == 0)
      .run(board ? std::optional(std::move(*board)) : std::nullopt);
  return kDone;
}

// The boards of a server, and one's own below them; or one of them, behind `open`.
int play_on_server(const Arguments& given) {
  Arguments arguments = given;
  if (!arguments.user.empty()) {
    const auto userid = check_userid(arguments.user);
    if (!userid) return complain(kUsage, userid.refusal().why);
    arguments.user = *userid;
  }
  const auto named = server_named(arguments);
  if (!named) return complain(kUsage, named.refusal().why);
  const ServerAddress address = whole_address(*named);
  confine_to_user(arguments, address, {cache_directory()});
  const fs::path kept = paths_of(arguments.user).servers / directory_name(address.to_string());
  // Lines are answered one by one; a screen goes on while it waits.
  const bool screen = !arguments.line && terminal_is_usable().ok();
  RemoteBoards::Setup setup{dial_to(address, kept / kKnownLogin), address.to_string(), kept};
  setup.screen = screen;
  RemoteBoards there(std::move(setup));
  AllBoards all(arguments, &there);
  if (!screen) {
    const auto connected =
        arguments.user.empty() ? there.connect() : there.connect_as(arguments.user);
    if (!connected) return complain(kFailed, connected.refusal().why);
    if (arguments.words.empty()) return play_on(arguments, all, {}, kept);
    auto board = all.boards.open(arguments.words[1]);
    if (!board) return complain(kRefused, board.refusal().why);
    return play_on(arguments, all, std::move(*board), kept);
  }
  constexpr std::chrono::milliseconds kFirstPicture{200};
  if (const auto connected = there.connect_within(kFirstPicture, arguments.user); !connected)
    return complain(kFailed, connected.refusal().why);
  const int status =
      play_on(arguments, all, arguments.words.empty() ? First{} : First{arguments.words[1]}, kept);
  const std::string turned_away = there.turned_away();
  return turned_away.empty() ? status : complain(kFailed, turned_away);
}

// On one's own boards, in which that is put away that a lost terminal leaves.
int play_at_home(const Arguments& arguments, AllBoards& all, First first) {
  return play_on(arguments, all, std::move(first), paths_of(arguments.user).saves.parent_path());
}

int run_lobby(const Arguments& arguments) {
  if (arguments.names_server()) return play_on_server(arguments);
  AllBoards all(arguments);
  return play_at_home(arguments, all, {});
}

// --- one command each ----------------------------------------------------

// The match a command line describes: GAME [-options] [NAME...], the names from words[first] on.
Result<Match> described_match(const Arguments& arguments, const GameType& game, std::size_t first) {
  auto board = read_new_board(
      game,
      {arguments.game_options,
       {arguments.words.begin() + static_cast<std::ptrdiff_t>(first), arguments.words.end()}},
      {});
  if (!board) return board.refusal();
  return std::move(board->match);
}

int run_game(const Arguments& arguments) {
  const GameType& game = *find_game(arguments.words.front());
  const auto match = described_match(arguments, game, 1);
  if (!match) return complain(kUsage, match.refusal().why);
  if (const auto view = view_of(arguments, &game, Settings(paths_of().settings)); !view)
    return complain(kUsage, view.refusal().why);
  AllBoards all(arguments);
  auto board = all.own.keep(*match);
  if (!board) return complain(kRefused, board.refusal().why);
  return play_at_home(arguments, all, std::move(*board));
}

int open_named(const Arguments& arguments, const std::string& name) {
  AllBoards all(arguments);
  auto board = all.boards.open(name);
  if (!board) return complain(kRefused, board.refusal().why);
  return play_at_home(arguments, all, std::move(*board));
}

int run_open(const Arguments& arguments) {
  if (!arguments.names_server()) return open_named(arguments, arguments.words[1]);
  if (arguments.user.empty())
    return complain(kUsage, "Say whose board it is on that server, with --user NAME.");
  return play_on_server(arguments);
}

int run_lesson(const Arguments& arguments) {
  return open_named(arguments, "lesson:" + arguments.words[1]);
}

int run_puzzle(const Arguments& arguments) {
  const std::vector<std::string> said(arguments.words.begin() + 1, arguments.words.end());
  if (said.size() == 2 && !find_game(said[0])) return complain(kUsage, no_such_game(said[0]).why);
  const auto id = puzzle_named(said);
  return id ? open_named(arguments, *id) : complain(kUsage, id.refusal().why);
}

int run_new(const Arguments& arguments) {
  const auto match = described_match(arguments, *find_game(arguments.words[2]), 3);
  if (!match) return complain(kUsage, match.refusal().why);
  const auto written = write_new_save(arguments.words[1], *match);
  return written ? kDone : complain(kRefused, written.refusal().why);
}

// The board to show, read or play on, with what was left out of it said.
Result<Board> opened(LocalBoards& boards, const std::string& name) {
  auto board = boards.open(name);
  if (board && !board->warning.empty()) complain(kDone, board->warning);
  return board;
}

void print_position(const Match& match, std::size_t ply, const View& view) {
  for (const std::string& row : match.draw(ply, view).rows) std::cout << row << '\n';
  for (const std::string& line : terms_text(match)) std::cout << line << '\n';
  if (const std::string left = match.holdings_after(ply); !left.empty()) std::cout << left << '\n';
  std::cout << match.standing_after(ply) << '\n';
}

// "FILE#12" told apart; a file whose own name has a # is meant itself.
struct Reference {
  std::string board;
  std::optional<std::string> ply;
};
Reference split_reference(const std::string& word) {
  std::error_code error;
  const std::size_t hash = word.rfind('#');
  if (hash == std::string::npos || fs::exists(word, error)) return {word, std::nullopt};
  return {word.substr(0, hash), word.substr(hash + 1)};
}

int run_show(const Arguments& arguments) {
  const Reference reference = split_reference(arguments.words[1]);
  LocalBoards boards = own_boards(arguments);
  const auto board = opened(boards, reference.board);
  if (!board) return complain(kRefused, board.refusal().why);
  const auto view = view_of(arguments, &board->match.game(), Settings(paths_of().settings));
  if (!view) return complain(kUsage, view.refusal().why);
  if (!arguments.output.empty() && !arguments.record)
    return complain(kUsage, "--output is where a record goes: write --record too.");
  if (arguments.record) {
    if (reference.ply)
      return complain(kUsage, "A record is of the whole game: write it without #" +
                                  fit(*reference.ply, 12) + ".");
    const std::string text = record_text(board->match, *view);
    if (arguments.output.empty()) std::cout << text;
    else if (!create_file(arguments.output, text))
      return complain(kRefused,
                      safe_text(arguments.output) + " is there already: choose another name.");
    return kDone;
  }
  std::size_t ply = board->match.plies().size();
  if (reference.ply) {
    const auto named = board->match.ply_named(*reference.ply);
    if (!named) return complain(kRefused, named.refusal().why);
    ply = *named;
  }
  print_position(board->match, ply, *view);
  return kDone;
}

int run_move(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  auto board = opened(boards, arguments.words[1]);
  if (!board) return complain(kRefused, board.refusal().why);
  const auto view = view_of(arguments, &board->match.game(), Settings(paths_of().settings));
  if (!view) return complain(kUsage, view.refusal().why);
  std::vector<MoveRequest> turns;
  // Each is judged after those before it, on a copy: all are played or none.
  Match trial = board->match;
  for (std::size_t i = 2, n = 0; i < arguments.words.size(); i += n) {
    n = trial.words_of_a_ply(arguments.words, i);
    const std::string typed = joined(arguments.words, i, n);
    const std::vector<MoveRequest> meant = turns_at_one_keyboard(trial, typed);
    if (const auto entries = judge_turns(trial, meant); !entries)
      return refuse_typed(entries.refusal(), typed);
    turns.insert(turns.end(), meant.begin(), meant.end());
  }
  const std::string before = board->id;
  const auto played = boards.play(*board, turns);
  if (!played) return complain(kRefused, played.refusal().why);
  // cppcheck-suppress knownConditionTrueFalse ; play() makes another board of an example
  if (board->id != before)
    complain(kDone, "An example stays as it is: this is board " + board->id + ".");
  print_position(board->match, board->match.plies().size(), *view);
  return kDone;
}

int run_legal(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  const auto board = opened(boards, arguments.words[1]);
  if (!board) return complain(kRefused, board.refusal().why);
  if (board->match.ending()) return kDone;
  for (const std::string& ply : board->match.position().legal()) std::cout << ply << '\n';
  return kDone;
}

// A board about which the computer may be asked.
Result<Board> opened_for_help(LocalBoards& boards, const std::string& word) {
  auto board = opened(boards, word);
  if (board && !board->match.origin().empty())
    return Refusal{"This is a copy of " + fit(board->match.origin(), 60) +
                   ", made while people played there: no help with it."};
  return board;
}

int run_hint(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  const auto board = opened_for_help(boards, arguments.words[1]);
  if (!board) return complain(kRefused, board.refusal().why);
  return print_hint(board->match, arguments);
}

int run_analyse(const Arguments& arguments) {
  LocalBoards boards = own_boards(arguments);
  auto board = opened_for_help(boards, arguments.words[1]);
  if (!board) return complain(kRefused, board.refusal().why);
  if (board->match.plies().empty()) return complain(kRefused, "Nothing was played yet.");
  const auto analysis = analysed(board->match, arguments);
  if (!analysis) return complain(kUsage, analysis.refusal().why);
  for (const std::string& line : analysis->text(78)) std::cout << safe_text(line) << '\n';
  if (!arguments.notes) return kDone;
  const auto notes = as_notes(*analysis, board->match);
  if (notes.empty()) return kDone;
  const auto kept = boards.play(*board, notes);
  return kept ? kDone : complain(kRefused, kept.refusal().why);
}

// A game to be started behind a command: GAME [-options] --seats N.
struct Described {
  const GameType* game;
  Options options;
  int seats;
};
// Nothing when it was refused, and said so.
std::optional<Described> described_game(const Arguments& arguments) {
  const auto refuse = [](const std::string& why) {
    complain(kUsage, why);
    return std::nullopt;
  };
  const GameType* game = find_game(arguments.words[1]);
  auto options = read_options(*game, arguments.game_options);
  if (!options) return refuse(options.refusal().why);
  const int seats = arguments.seats.value_or(game->min_seats);
  if (seats < game->min_seats || seats > game->max_seats)
    return refuse(std::string(game->title) + " is not for " +
                  count_of(static_cast<std::size_t>(std::max(seats, 0)), "player", "players") +
                  ".");
  if (const auto start = game->start(*options, seats); !start) return refuse(start.refusal().why);
  return Described{game, std::move(*options), seats};
}

int run_openings(const Arguments& arguments) {
  const auto d = described_game(arguments);
  if (!d) return kUsage;
  std::vector<std::string> names;
  for (int s = 1; s <= d->seats; ++s) names.push_back("player" + std::to_string(s));
  Match match = *Match::start(*d->game, d->options, names, now());
  for (std::size_t i = 2, n = 0; i < arguments.words.size(); i += n) {
    n = match.words_of_a_ply(arguments.words, i);
    const std::string typed = joined(arguments.words, i, n);
    if (match.ending()) return complain(kRefused, match.standing());
    const auto ply = match.position().parse(typed);
    if (!ply) return refuse_typed(ply.refusal(), typed);
    match.add(*match.validate(*match.to_move(), *ply, now()));
  }
  auto openings = Openings::after(match, match.plies().size());
  if (!openings) return complain(kRefused, openings.refusal().why);
  LocalBoards boards = own_boards(arguments);
  boards.add_own_games(*openings);
  print_openings(std::move(*openings));
  return kDone;
}

int run_duel(const Arguments& arguments) {
  const auto d = described_game(arguments);
  if (!d) return kUsage;
  return run_matches(*d->game, d->options, d->seats, arguments.words[2], arguments.words[3],
                     arguments);
}

int run_engine(const Arguments& arguments) {
  const auto d = described_game(arguments);
  if (!d) return kUsage;
  run_ugi(*d->game, d->options, d->seats);
  return kDone;
}

int run_perft(const Arguments& arguments) {
  const auto d = described_game(arguments);
  if (!d) return kUsage;
  const std::string& text = arguments.words[2];
  const auto depth = read_whole_number<int>(text);
  if (!depth || *depth < 1 || *depth > 99)
    return complain(kUsage,
                    "'" + fit(text, 20) + "' is no depth: write a number of plies from 1 to 99.");
  for (int n = 1; n <= *depth && std::cout; ++n)
    std::cout << n << ' ' << d->game->perft(d->options, d->seats, n) << std::endl;
  return kDone;
}

int run_help(const Arguments& arguments) {
  if (arguments.words.size() < 2) return page(command_list());
  const std::string& topic = arguments.words[1];
  if (const Command* command = find_command(topic); command && !topic.empty() && !find_help(topic))
    return page(command_help(*command));
  const auto text = help_text(topic);
  if (!text) return complain(find_help(topic) ? kFailed : kUsage, text.refusal().why);
  std::string out;
  for (const TextLine& line : layout_markdown(*text, 78)) out += line.text + "\n";
  return page(out);
}

std::vector<Command> made_table() {
  const std::string game(all_games().front().name);
  const std::string ply = all_games().front().start({}, all_games().front().min_seats)->legal()[0];
  const std::string_view screen = "saves field theme line engine";
  std::vector<Command> out{
      {"", "[--socket PATH | --connect HOST:PORT] [--user NAME]",
       "your boards, and those of a server", screen, "--user fred", run_lobby},
      {"open", "FILE|BOARD", "go on with a board", "saves field theme line engine socket user",
       "open " + game + "-101", run_open},
      {"lesson", "GAME", "learn a game by playing: a few small steps", screen, "lesson " + game,
       run_lesson},
      {"puzzle", "[GAME|mine] [DAY|N]", "today's puzzle, or that of a day or a number", screen,
       "puzzle", run_puzzle},
      {"new", "FILE GAME [-options] [NAME...]", "write a new save, and no more", "",
       "new g.yaml " + game + " fred wilma", run_new},
      {"show", "FILE[#PLY]", "print a position, or with --record the game",
       "record output saves field", "show g.yaml#1", run_show},
      {"move", "FILE MOVE...", "play and print; all moves or none", "saves field",
       "move g.yaml " + ply, run_move},
      {"legal", "FILE", "print the legal moves, one a line", "saves", "legal g.yaml", run_legal},
      {"hint", "FILE [--level N] [--seconds S] [--lines K]",
       "what the computer would play, and what comes of it", "saves", "hint g.yaml --seconds 5",
       run_hint},
      {"analyse", "FILE [--level N | --seconds S] [--notes]",
       "what each ply of a game gave away, and which was better", "saves", "analyse g.yaml --notes",
       run_analyse},
      {"openings", "GAME [-options] [--seats N] [MOVE...]",
       "what was played next in your games that are over", "saves", "openings " + game + " " + ply,
       run_openings},
      {"duel", "GAME [-options] PLAYER PLAYER [--games N] [--seed N]",
       "games of the computer against itself", "seats", "duel " + game + " level:2 level:3",
       run_duel},
      {"engine", "GAME [-options] [--seats N]",
       "play for another program, by the Universal Game Interface", "", "engine " + game,
       run_engine},
      {"perft", "GAME [-options] DEPTH", "count ply sequences of each length", "seats",
       "perft " + game + " 3", run_perft},
      {"serve",
       "--dir DIR [--socket PATH] [--listen 127.0.0.1:PORT] [--login-seconds N] [--per-user N] "
       "[--no-signup] [--rate-computers] [--notify PROGRAM]",
       "a server for friends", "", "serve --dir games", run_serve},
      {"backup", "--dir DIR TO", "copy a server's directory, which may run meanwhile", "",
       "backup --dir games copy", run_backup},
      {"send", "[--socket PATH | --connect HOST:PORT] [--user NAME] COMMAND... | -",
       "a command to a server, or a script on standard input", "", "send --user fred list",
       run_send},
      {"waiting", "[--count] [--user NAME] [--socket PATH | --connect HOST:PORT]",
       "the boards that wait for you; status 1 when none does", "saves", "waiting --count",
       run_waiting},
      {"watch", "--user NAME [--socket PATH | --connect HOST:PORT] [--exec PROGRAM]",
       "what happens on a server, as it happens", "", "watch --user fred", run_watch},
      {"door", "--user NAME [--socket PATH]",
       "a line of authorized_keys for the key on standard input", "", "door --user fred < fred.pub",
       run_door},
      {"bot", "--user NAME [--socket PATH] [--level N] [--games GAME,...] [--boards N]",
       "the computer as a player on a server", "", "bot --user hal --level 5", run_bot},
      {"help", "[TOPIC]", "every command, or with TOPIC a text to read", "", "help", run_help},
  };
  const auto add = [&](const GameType& g, std::string_view name, std::string_view about) {
    std::string example(name);
    for (const OptionSpec& spec : g.options)
      if (spec.check_value)
        example += " -" + std::string(spec.name) + "=" + std::string(spec.example);
    out.push_back({std::string(name), "[-options] [NAME...]", std::string(about),
                   g.fields.empty() ? "saves theme line engine" : screen, example + " fred wilma",
                   run_game, &g});
  };
  for (const GameType& g : all_games()) {
    add(g, g.name, g.about);
    for (const OptionSpec& spec : g.options)
      if (spec.names_a_game) add(g, spec.name, spec.about);
  }
  return out;
}

constexpr const char* kAskedBySsh = "SSH_ORIGINAL_COMMAND";

// Words for the shells' completions: how the last of `words` can go on.
int run_complete(const std::vector<std::string>& words) {
  // Where boards are kept is said by an option that is there already.
  const std::size_t before = words.empty() ? 0 : words.size() - 1;
  const auto arguments =
      read_arguments({words.begin(), words.begin() + static_cast<std::ptrdiff_t>(before)});
  const Arguments given = arguments ? *arguments : Arguments{};
  LocalBoards own = own_boards(given);
  std::cout << candidates_text(complete(words, own, exercises_of(given), theme_directories()));
  return kDone;
}

int dispatch(Arguments arguments) {
  if (arguments.version) {
    std::cout << "pbmplay " << version_text() << '\n';
    return kDone;
  }
  if (const char* wanted = std::getenv(kAskedBySsh);
      wanted && arguments.words.empty() && !arguments.user.empty()) {
    const auto asked = asked_by_ssh(arguments, wanted);
    if (!asked) return complain(kUsage, asked.refusal().why);
    ::unsetenv(kAskedBySsh);
    return dispatch(*asked);
  }
  const auto command = command_of(arguments);
  if (!command) return complain(kUsage, command.refusal().why);
  if (arguments.help && !arguments.words.empty()) return page(command_help(**command));
  if (arguments.help) {
    std::cout << short_help();
    return kDone;
  }
  if (!arguments.theme.empty())
    if (const auto theme = find_theme(arguments.theme, theme_directories()); !theme)
      return complain(kUsage, theme.refusal().why);
  return (*command)->run(arguments);
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table = made_table();
  return table;
}

int run_command_line(const std::vector<std::string>& words) {
  // A file larger than this user may write is a full disk like any other, and told so.
  std::signal(SIGXFSZ, SIG_IGN);
  // What is behind this word is somebody's unfinished command line, and no option of ours.
  const bool completing = !words.empty() && words.front() == "complete";
  const auto arguments = read_arguments(completing ? std::vector<std::string>{} : words);
  if (!arguments) return complain(kUsage, arguments.refusal().why);
  const int status =
      completing ? run_complete({words.begin() + 1, words.end()}) : dispatch(*arguments);
  std::cout.flush();
  if (!std::cout) return complain(kFailed, "The output could not be written.");
  return status;
}

}  // namespace pbm
