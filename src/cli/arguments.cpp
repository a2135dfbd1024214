// SPDX-License-Identifier: MIT
#include "cli/arguments.hpp"

#include <algorithm>
#include <boost/program_options.hpp>

#include "base/text.hpp"

namespace pbm {
namespace {

namespace po = boost::program_options;

po::options_description described() {
  po::options_description out;
  for (const ProgramOption& option : program_options())
    std::visit(
        [&]<class T>(T Arguments::*) {
          if constexpr (std::is_same_v<T, bool>) out.add_options()(option.name.c_str(), "");
          else if constexpr (std::is_same_v<T, std::string>)
            out.add_options()(option.name.c_str(), po::value<T>());
          else out.add_options()(option.name.c_str(), po::value<typename T::value_type>());
        },
        option.field);
  return out;
}

// The option that one letter stands for, -h for --help; or null.
const ProgramOption* short_option(const std::string& word) {
  for (const ProgramOption& option : program_options())
    if (option.letter != '\0' && word == std::string("-") + option.letter) return &option;
  return nullptr;
}

// Any other word with one dash is an option of a game, as the play-by-mail servers
// write them; everything behind -- is no option.
std::vector<po::option> one_dash(std::vector<std::string>& words) {
  std::vector<po::option> out;
  const std::string& word = words.front();
  if (word.size() > 1 && word[0] == '-' && is_letter(word[1])) {
    po::option option;
    const ProgramOption* const own = short_option(word);
    option.string_key = own ? own->name : "game-option";
    if (!own) option.value = {word};
    option.original_tokens = {word};
    out.push_back(option);
    words.erase(words.begin());
  }
  return out;
}

// How many of `words` are this program's own when they ask for `send`: what is
// behind is for the server, dashes and all. Otherwise all of them.
std::size_t own_words(const std::vector<std::string>& words) {
  bool send = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 2 && word.substr(0, 2) == "--") {
      const ProgramOption* option = find_option(word.substr(2));
      if (option && !option->value.empty()) ++i;
    } else if (short_option(word)) {
      continue;
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
  const std::string whole = e.get_option_name(), given = whole.substr(0, whole.find('='));
  const std::string name = "'" + fit(given, 40) + "'";
  const std::string see = ": see pbmplay --help.";
  if (dynamic_cast<const po::unknown_option*>(&e)) {
    std::vector<std::string> known;
    for (const ProgramOption& option : program_options()) known.push_back("--" + option.name);
    return Refusal{"There is no option " + name + ": " +
                   meant_by(given, known, "see pbmplay --help.")};
  }
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

const std::vector<ProgramOption>& program_options() {
  using A = Arguments;
  static const std::vector<ProgramOption> table{
      {"theme", "NAME|FILE", "how things look", &A::theme},
      {"saves", "DIR", "where boards are kept", &A::saves},
      {"field", "a|b|c", "how a game with several drawings is drawn", &A::field},
      {"seats", "N", "players of a game for two to four, two without it", &A::seats},
      {"games", "N|GAME,...", "of a duel how many, 20 without it; of a bot which, all without it",
       &A::games},
      {"boards", "N", "on how many it plays at once, 20 without it", &A::boards},
      {"seed", "N", "for other games of the same two", &A::seed},
      {"level", "N", "how strong, from 1 to 10", &A::level},
      {"seconds", "S", "how long to think of a ply", &A::seconds},
      {"lines", "K", "how many plies, 3 without it", &A::lines},
      {"notes", "", "keep what it finds as notes in the save", &A::notes},
      {"record", "", "the whole game as a text, plies in columns", &A::record},
      {"output", "FILE", "with --record: into a new file", &A::output},
      {"dir", "DIR", "where the server keeps everything", &A::dir},
      {"socket", "PATH", "the Unix socket of a server", &A::socket},
      {"listen", "HOST:PORT", "a port of this machine, 127.0.0.1:4000", &A::listen},
      {"login-seconds", "N", "how long a connection may be silent before it says who it is",
       &A::login_seconds},
      {"per-user", "N", "connections one may have", &A::per_user},
      {"no-signup", "", "nobody takes a userid", &A::no_signup},
      {"rate-computers", "", "games against computers count for ratings", &A::rate_computers},
      {"notify", "PROGRAM", "a program that tells who is not here what waits", &A::notify},
      {"connect", "HOST:PORT", "the port of a server on this machine", &A::connect},
      {"user", "NAME", "speak for a userid you are trusted with", &A::user},
      {"engine", "COMMAND",
       "a program that plays for the computer, by the Universal Game Interface", &A::engine},
      {"exec", "PROGRAM", "a program that is run for each event", &A::exec},
      {"count", "", "only how many boards do", &A::count},
      {"line", "", "no screen control: questions and answers, line by line", &A::line},
      {"help", "", "this help", &A::help, 'h'},
      {"version", "", "the version", &A::version, 'V'},
  };
  return table;
}

const ProgramOption* find_option(std::string_view name) {
  const std::vector<ProgramOption>& all = program_options();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const ProgramOption& option) { return option.name == name; });
  return found == all.end() ? nullptr : &*found;
}

Result<Arguments> read_arguments(const std::vector<std::string>& all_words) {
  po::options_description all = described();
  all.add_options()("game-option", po::value<std::vector<std::string>>()->composing())(
      "word", po::value<std::vector<std::string>>()->composing());
  po::positional_options_description rest;
  rest.add("word", -1);
  const auto behind = all_words.begin() + static_cast<std::ptrdiff_t>(own_words(all_words));
  const std::vector<std::string> words(all_words.begin(), behind);
  po::variables_map found;
  namespace style = po::command_line_style;
  try {
    po::store(po::command_line_parser(words)
                  .options(all)
                  .positional(rest)
                  .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                  .extra_style_parser(one_dash)
                  .run(),
              found);
  } catch (const po::error_with_option_name& e) {
    return wrong_option(e);
  }
  Arguments out;
  for (const ProgramOption& option : program_options()) {
    if (!found.count(option.name)) continue;
    const po::variable_value& value = found[option.name];
    // Nothing at all is no name of anything; and --user '' must not open more than --user fred.
    if (const auto* text = boost::any_cast<std::string>(&value.value());
        text && text->empty() && !option.value.empty())
      return Refusal{"'--" + option.name +
                     "' is followed by nothing: leave it out, or write what it is to be."};
    out.given.push_back(option.name);
    std::visit(
        [&]<class T>(T Arguments::*field) {
          if constexpr (std::is_same_v<T, bool>) out.*field = true;
          else if constexpr (std::is_same_v<T, std::string>) out.*field = value.as<T>();
          else out.*field = value.as<typename T::value_type>();
        },
        option.field);
  }
  if (found.count("word")) out.words = found["word"].as<std::vector<std::string>>();
  out.words.insert(out.words.end(),
                   behind != all_words.end() && *behind == "--" ? behind + 1 : behind,
                   all_words.end());
  if (found.count("game-option"))
    out.game_options = found["game-option"].as<std::vector<std::string>>();
  return out;
}

}  // namespace pbm
