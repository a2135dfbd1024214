// SPDX-License-Identifier: MIT
#include "cli/arguments.hpp"

#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "base/text.hpp"

namespace pbm {
namespace {

namespace po = boost::program_options;

// The library reads all values as texts; check_value() checks the numbers.
po::options_description library_options() {
  po::options_description out;
  for (const ProgramOption& option : kProgramOptions) {
    const std::string name(option.name);
    if (option.value_syntax.empty()) out.add_options()(name.c_str(), "");
    else out.add_options()(name.c_str(), po::value<std::string>());
  }
  return out;
}

// Makes any other word with one dash an option of a game, as the play-by-mail servers write them.
// Words after -- are no options.
std::vector<po::option> parse_one_dash(std::vector<std::string>& words) {
  std::vector<po::option> out;
  const std::string& word = words.front();
  if (word.size() > 1 && word[0] == '-' && is_letter(word[1])) {
    po::option option;
    const ProgramOption* const own = find_short_option(word);
    option.string_key = own ? std::string(own->name) : "game-option";
    if (!own) option.value = {word};
    option.original_tokens = {word};
    out.push_back(option);
    words.erase(words.begin());
  }
  return out;
}

// Returns how many of `words` are for this program: all, or up to the command of `send`, which goes
// to the server with its dashes.
std::size_t count_own_words(const std::vector<std::string>& words) {
  bool send = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.size() > 2 && word.substr(0, 2) == "--") {
      const ProgramOption* option = find_option(word.substr(2));
      if (option && !option->value_syntax.empty()) ++i;
    } else if (const ProgramOption* option = find_short_option(word)) {
      if (option->takes_value()) ++i;
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

// Words the error without the library's template. The library replaces placeholders in it again and
// again, without end if the player typed a placeholder.
Refusal option_refusal(const po::error_with_option_name& e) {
  const std::string whole = e.get_option_name(), given = whole.substr(0, whole.find('='));
  const std::string name = "'" + fit(given, 40) + "'";
  const std::string see = ". See pbmplay --help.";
  if (dynamic_cast<const po::unknown_option*>(&e)) {
    std::vector<std::string> known;
    for (const ProgramOption& option : kProgramOptions)
      known.push_back("--" + std::string(option.name));
    return Refusal{"There is no option " + name + ". " +
                   suggest_word(given, known, "See pbmplay --help.")};
  }
  if (dynamic_cast<const po::multiple_occurrences*>(&e))
    return Refusal{name + " was given twice" + see};
  if (const auto* syntax = dynamic_cast<const po::invalid_syntax*>(&e)) {
    if (syntax->kind() == po::invalid_syntax::extra_parameter)
      return Refusal{name + " takes no value" + see};
    return Refusal{name + " needs a value. Write one, or leave the option out."};
  }
  return Refusal{name + " is not valid" + see};
}

std::string format_number(double n) {
  std::ostringstream out;
  out << std::setprecision(12) << n;
  return out.str();
}

// Refuses a value that the option does not take.
Result<Success> check_value(const ProgramOption& option, const std::string& text) {
  const std::string name = "'--" + std::string(option.name);
  // An empty text names nothing, and --user '' must not give more rights than --user fred.
  // The library takes the next option for a value.
  if (text.empty() || text.starts_with("--"))
    return Refusal{name + "' needs a value. Write one, or leave the option out."};
  if (!option.takes_number()) return Success{};
  const auto& [least, most, whole] = option.range;
  double n = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size() && n >= least && n <= most &&
      (!whole || n == std::floor(n)))
    return Success{};
  return Refusal{name + "=" + fit(text, 20) + "': write a " + (whole ? "whole " : "") +
                 "number from " + format_number(least) + " to " + format_number(most) + "."};
}

}  // namespace

Result<Arguments> read_arguments(const std::vector<std::string>& all_words) {
  po::options_description all = library_options();
  all.add_options()("game-option", po::value<std::vector<std::string>>()->composing())(
      "word", po::value<std::vector<std::string>>()->composing());
  po::positional_options_description rest;
  rest.add("word", -1);
  const auto behind = all_words.begin() + static_cast<std::ptrdiff_t>(count_own_words(all_words));
  const std::vector<std::string> words(all_words.begin(), behind);
  po::variables_map found;
  namespace style = po::command_line_style;
  try {
    po::store(po::command_line_parser(words)
                  .options(all)
                  .positional(rest)
                  .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                  .extra_style_parser(parse_one_dash)
                  .run(),
              found);
  } catch (const po::error_with_option_name& e) {
    return option_refusal(e);
  }
  Arguments out;
  for (const ProgramOption& option : kProgramOptions) {
    const std::string name(option.name);
    if (!found.count(name)) continue;
    std::string& value = out.options[name];
    if (option.value_syntax.empty()) continue;
    value = found[name].as<std::string>();
    if (const auto ok = check_value(option, value); !ok) return ok.refusal();
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
