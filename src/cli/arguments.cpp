// SPDX-License-Identifier: MIT
#include "cli/arguments.hpp"

#include <boost/program_options.hpp>
#include <sstream>

#include "base/text.hpp"

namespace pbm {
namespace {

namespace po = boost::program_options;

po::options_description described() {
  po::options_description out("Options");
  out.add_options()("theme", po::value<std::string>()->value_name("NAME|FILE"), "how things look")(
      "saves", po::value<std::string>()->value_name("DIR"), "where boards are kept")(
      "field", po::value<std::string>()->value_name("a|b|c"),
      "how a game with several drawings is drawn")(
      "seats", po::value<int>()->value_name("N"),
      "players, for perft and duel of a game for two to four")(
      "games", po::value<std::string>()->value_name("N|GAME,..."),
      "with duel: how many, 20 without it; with bot: which it plays")(
      "boards", po::value<int>()->value_name("N"), "with bot: on how many it plays at once")(
      "seed", po::value<int>()->value_name("N"), "with duel: for other games of the same two")(
      "level", po::value<int>()->value_name("N"),
      "with hint, analyse and bot: how strong, from 1 to 10")(
      "seconds", po::value<double>()->value_name("S"),
      "with hint and analyse: how long to think of a ply")(
      "lines", po::value<int>()->value_name("K"), "with hint: how many plies, 3 without it")(
      "notes", "with analyse: keep what it finds as notes in the save")(
      "record", "with show: the whole game as a text, plies in columns")(
      "output", po::value<std::string>()->value_name("FILE"), "with --record: into a new file")(
      "dir", po::value<std::string>()->value_name("DIR"),
      "with serve: where the server keeps everything")(
      "socket", po::value<std::string>()->value_name("PATH"), "the Unix socket of a server")(
      "listen", po::value<std::string>()->value_name("HOST:PORT"),
      "with serve: a port of this machine, 127.0.0.1:4000")(
      "login-seconds", po::value<int>()->value_name("N"),
      "with serve: how long a connection may be silent before it says who it is")(
      "per-user", po::value<int>()->value_name("N"), "with serve: connections one may have")(
      "no-signup", "with serve: nobody takes a userid")(
      "rate-computers", "with serve: games against computers count for ratings")(
      "notify", po::value<std::string>()->value_name("PROGRAM"),
      "with serve: a program that tells who is not here what waits")(
      "connect", po::value<std::string>()->value_name("HOST:PORT"),
      "the port of a server on this machine")("user", po::value<std::string>()->value_name("NAME"),
                                              "speak for a userid you are trusted with")(
      "engine", po::value<std::string>()->value_name("COMMAND"),
      "a program that plays for the computer, by the Universal Game Interface")(
      "exec", po::value<std::string>()->value_name("PROGRAM"),
      "with watch: a program that is run for each event")("count",
                                                          "with waiting: only how many boards do")(
      "line", "no screen control: questions and answers, line by line")("help", "this help")(
      "version", "the version");
  return out;
}

// A word with one dash is an option of a game, as the play-by-mail servers
// write them; everything behind -- is no option.
std::vector<po::option> game_option(std::vector<std::string>& words) {
  std::vector<po::option> out;
  const std::string& word = words.front();
  if (word.size() > 1 && word[0] == '-' && is_letter(word[1])) {
    po::option option;
    option.string_key = "game-option";
    option.value = {word};
    option.original_tokens = {word};
    out.push_back(option);
    words.erase(words.begin());
  }
  return out;
}

// How many of `words` are this program's own when they ask for `send`: what is
// behind is for the server, dashes and all. Otherwise all of them.
std::size_t own_words(const std::vector<std::string>& words,
                      const po::options_description& options) {
  bool send = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 2 && word.substr(0, 2) == "--") {
      const po::option_description* option = word.find('=') == std::string::npos
                                                 ? options.find_nothrow(word.substr(2), false)
                                                 : nullptr;
      if (option && option->semantic()->max_tokens() > 0) ++i;
    } else if (send) {
      return i;
    } else if (word != "send") {
      break;
    } else {
      send = true;
    }
  }
  return words.size();
}

// What is wrong, said by us: the library puts what was typed into a template, and
// goes on replacing what it finds there, without end if what was typed is such a place.
Refusal wrong_option(const po::error_with_option_name& e) {
  const std::string given = e.get_option_name();
  const std::string name = "'" + fit(given.substr(0, given.find('=')), 40) + "'";
  const std::string see = ": see pbmplay --help.";
  if (dynamic_cast<const po::unknown_option*>(&e))
    return Refusal{"There is no option " + name + see};
  if (dynamic_cast<const po::multiple_occurrences*>(&e))
    return Refusal{name + " is there twice" + see};
  if (dynamic_cast<const po::validation_error*>(&e))
    return Refusal{name + " is followed by what is no number that it takes" + see};
  if (const auto* syntax = dynamic_cast<const po::invalid_syntax*>(&e)) {
    if (syntax->kind() == po::invalid_syntax::extra_parameter)
      return Refusal{name + " takes no value" + see};
    return Refusal{name + " is followed by nothing: leave it out, or write what it is to be."};
  }
  return Refusal{name + " cannot be so" + see};
}

}  // namespace

Result<Arguments> read_arguments(const std::vector<std::string>& all_words) {
  po::options_description all = described();
  all.add_options()("game-option", po::value<std::vector<std::string>>()->composing())(
      "word", po::value<std::vector<std::string>>()->composing());
  po::positional_options_description rest;
  rest.add("word", -1);
  const auto behind = all_words.begin() + static_cast<std::ptrdiff_t>(own_words(all_words, all));
  const std::vector<std::string> words(all_words.begin(), behind);
  po::variables_map found;
  namespace style = po::command_line_style;
  try {
    po::store(po::command_line_parser(words)
                  .options(all)
                  .positional(rest)
                  .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                  .extra_style_parser(game_option)
                  .run(),
              found);
    po::notify(found);
  } catch (const po::error_with_option_name& e) {
    return wrong_option(e);
  }
  // Nothing at all is no name of anything; and --user '' must not open more than --user fred.
  for (const ProgramOption& option : program_options())
    if (const auto* given = option.value.empty()
                                ? nullptr
                                : boost::any_cast<std::string>(&found[option.name].value());
        given && given->empty())
      return Refusal{"'--" + option.name +
                     "' is followed by nothing: leave it out, or write what it is to be."};
  Arguments out;
  const auto text = [&](const char* name) {
    return found.count(name) ? found[name].as<std::string>() : std::string();
  };
  out.theme = text("theme");
  out.saves = text("saves");
  out.field = text("field");
  out.output = text("output");
  out.dir = text("dir");
  out.socket = text("socket");
  out.listen = text("listen");
  out.connect = text("connect");
  out.user = text("user");
  out.engine = text("engine");
  out.exec = text("exec");
  out.notify = text("notify");
  out.count = found.count("count") > 0;
  const auto number = [&](const char* name) {
    return found.count(name) ? std::optional<int>(found[name].as<int>()) : std::nullopt;
  };
  out.login_seconds = number("login-seconds");
  out.per_user = number("per-user");
  out.seats = number("seats");
  out.games = text("games");
  out.boards = number("boards");
  out.seed = number("seed");
  out.level = number("level");
  out.lines = number("lines");
  if (found.count("seconds")) out.seconds = found["seconds"].as<double>();
  out.line = found.count("line") > 0;
  out.no_signup = found.count("no-signup") > 0;
  out.notes = found.count("notes") > 0;
  out.rate_computers = found.count("rate-computers") > 0;
  out.record = found.count("record") > 0;
  out.help = found.count("help") > 0;
  out.version = found.count("version") > 0;
  if (found.count("word")) out.words = found["word"].as<std::vector<std::string>>();
  out.words.insert(out.words.end(),
                   behind != all_words.end() && *behind == "--" ? behind + 1 : behind,
                   all_words.end());
  if (found.count("game-option"))
    out.game_options = found["game-option"].as<std::vector<std::string>>();
  return out;
}

std::string options_help() {
  std::ostringstream out;
  out << described();
  std::string text = out.str();
  return text.substr(text.find('\n') + 1);
}

std::vector<ProgramOption> program_options() {
  std::vector<ProgramOption> out;
  const po::options_description all = described();
  for (const auto& option : all.options()) {
    const bool takes_value = option->semantic()->max_tokens() > 0;
    out.push_back({option->long_name(), takes_value ? option->semantic()->name() : "",
                   option->description()});
  }
  return out;
}

}  // namespace pbm
