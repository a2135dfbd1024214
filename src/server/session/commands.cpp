// SPDX-License-Identifier: MIT
#include "server/session/commands.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "protocol/board_id.hpp"
#include "server/tables/accounts.hpp"

namespace pbm {
namespace {

constexpr std::size_t kUnlimited = 1000;  // words: more than fit in a line

// Removes the next term from a syntax and returns it. A blank outside of brackets ends a term.
std::string_view take_term(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  std::size_t n = 0;
  for (int depth = 0; n < rest.size() && (depth > 0 || rest[n] != ' '); ++n)
    depth += (rest[n] == '[') - (rest[n] == ']');
  const std::string_view term = rest.substr(0, n);
  rest.remove_prefix(n);
  return term;
}

using Words = std::vector<std::string>;

Refusal unknown_command(const GameType* game, const Words& words, bool owner) {
  const std::size_t at = game ? 1 : 0;
  const std::string title(game ? game->title : "");
  if (at == words.size())
    return Refusal{"Type a command after " + title + ", for example " + std::string(game->name) +
                   " games. For a list of the commands, type help."};
  if (equals_ignoring_case(words[at], "hint")) return Refusal{"There are no hints on a server."};
  Words known, longer;
  for (const CommandRow& row : command_rows()) {
    if (!row.is_available(owner)) continue;
    if (row.is_game_command() == (game != nullptr)) {
      known.emplace_back(row.verb());
      if (starts_with_ignoring_case(row.verb(), words[at] + " ")) longer.emplace_back(row.verb());
    } else if (equals_ignoring_case(row.verb(), words[at])) {
      return Refusal{(game ? "That command has no game before it. Write: "
                           : "That command needs a game before it. Write: ") +
                     command_syntax(row)};
    }
  }
  if (owner && !game) known.emplace_back("admin");
  if (!game)
    for (const GameType& each : all_games()) known.emplace_back(each.name);
  const std::string typed = longer.empty() ? words[at] : join_words(words, at, 2);
  std::string advice =
      longer.empty() ? "Type help for the list." : "Did you mean " + join_with_or(longer, 4) + "?";
  if (words.size() > at + 1 || longer.empty()) advice = suggest_word(typed, known, advice);
  return Refusal{(game ? title + " has no command " : "There is no command ") + fit(typed, 30) +
                 ". " + advice};
}

// True for "101" and for "toot-101".
bool is_board_word(std::string_view word) {
  return read_board_number(word) || read_board_id(lower(word));
}

// Replaces words of older servers, and other names, by the current ones.
void replace_old_words(Words& words, bool owner) {
  constexpr std::pair<std::string_view, std::string_view> kOld[] = {
      {"add", "signup"}, {"delete", "signoff"}, {"chall", "challenge"},
      {"mvoe", "move"},  {"exit", "quit"},      {"board", "move"}};
  if (const auto board = read_board_id(lower(words.front()))) {  // as in lists of boards
    words.front() = board->game->name;
    words.insert(words.begin() + 1, std::to_string(board->number));
  }
  const bool of_game = find_game(words.front()) != nullptr;
  const std::size_t at = of_game ? 1 : 0;
  if (owner && words.size() == 1 && equals_ignoring_case(words[0], "admin"))
    words.insert(words.begin(), "help");
  if (at == words.size()) return;
  if (of_game && equals_ignoring_case(words[1], "help")) std::swap(words[0], words[1]);
  else if (of_game && (std::ranges::all_of(words[1], is_digit) || is_board_word(words[1])))
    words.insert(words.begin() + 1, words.size() > 2 ? "move" : "show");  // the board is enough
  for (const auto& [old, now] : kOld)
    if (equals_ignoring_case(words[at], old)) words[at] = now;
  if (of_game && words.size() == 3 && equals_ignoring_case(words[1], "move") &&
      is_board_word(words[2]))
    words[1] = "show";  // a move is missing
}

// Finds the command of a line, and the game before it; removes their words from `words`.
Result<Request> find_command(Words& words, bool owner) {
  if (words.empty()) return Refusal{"There is no command in that line. Type help for the list."};
  replace_old_words(words, owner);
  static const auto known = [] {
    std::map<std::string_view, const CommandRow*> of_game, others;
    for (const CommandRow& row : command_rows())
      (row.is_game_command() ? of_game : others)[row.verb()] = &row;
    return std::pair(of_game, others);
  }();
  Request r;
  r.game = find_game(words.front());
  const std::size_t from = r.game ? 1 : 0;
  const auto& rows = r.game ? known.first : known.second;
  // No name of a command is the start of another.
  for (std::size_t n = 1; n <= 3 && from + n <= words.size(); ++n) {
    const auto found = rows.find(lower(join_words(words, from, n)));
    if (found == rows.end() || !found->second->is_available(owner)) continue;
    r.row = found->second;
    r.proof = r.row->proof;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(from + n));
    return r;
  }
  return unknown_command(r.game, words, owner);
}

// True if `word` is one of the words that may follow an optional password, "board...|all|next".
bool follows_password(std::string_view word, std::string_view choices) {
  while (!choices.empty()) {
    const std::string_view choice = choices.substr(0, choices.find('|'));
    choices.remove_prefix(std::min(choice.size() + 1, choices.size()));
    if (choice.starts_with("board") ? is_board_word(word.substr(0, word.find('#')))
                                    : equals_ignoring_case(word, choice))
      return true;
  }
  return false;
}

// Takes userid and password out of the words; a signed-in user may omit them. If both readings are
// possible, a word is a userid if "*" follows it or it is the user's own. Before a list of moves,
// which has no fixed length, every existing userid counts.
Result<Success> take_userid(Request& r, const std::string& speaker, const Refusal& write,
                            Accounts& accounts) {
  const Syntax& takes = r.row->parsed_syntax;
  const std::size_t at = *takes.userid_index, n = r.words.size();
  if (!takes.after_password.empty() &&
      (n == at + 1 || (n > at && follows_password(r.words[at + 1], takes.after_password)))) {
    r.proof = Proof::none;
    r.userid = r.words[at];
    r.words.erase(r.words.begin() + static_cast<std::ptrdiff_t>(at));
    return Success{};
  }
  const auto somebody = [&](const std::string& word) {
    return speaker.empty() || equals_ignoring_case(word, speaker) ||
           (takes.max_words >= kUnlimited && !takes.has_userid_list && n > at + 2 &&
            accounts.find(word));
  };
  const bool named = takes.omittable_words == 0 ||
                     n > takes.max_words + 2 - takes.omittable_words ||
                     (takes.omittable_words == 2 && n > at + 1 && r.words[at + 1] == "*") ||
                     (n >= takes.min_words + 2 && somebody(r.words[at]));
  const std::size_t written = named ? 2 : 2 - takes.omittable_words;
  if (n < at + written) return write;
  const auto from = r.words.begin() + static_cast<std::ptrdiff_t>(at);
  if (named) r.userid = *from;
  (r.row->proof == Proof::new_account ? r.new_password : r.password) =
      Secret(written == 0 ? "*" : std::string_view(from[static_cast<std::ptrdiff_t>(written) - 1]));
  r.words.erase(from, from + static_cast<std::ptrdiff_t>(written));
  return Success{};
}

}  // namespace

Result<std::string> read_text_line(std::string_view line) {
  if (line.size() > kMaxLine)
    return Refusal{
        "That line is too long. A line has at most " + std::to_string(kMaxLine) + " bytes.",
        kMaxLine};
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] >= ' ' && line[at] < 0x7F) {
      out += line[at++];
      continue;
    }
    const DecodedCharacter d = decode_utf8(line.substr(at));
    if (!d.is_valid) return Refusal{"That line is not UTF-8 text.", at};
    if (is_control(d.code_point) && d.code_point != '\t')
      return Refusal{"That line has a control character. Remove it.", at};
    out += d.code_point == '\t' ? std::string_view(" ") : line.substr(at, d.size);
    at += d.size;
  }
  return out;
}

Result<CommandLine> read_command_line(std::string_view line) {
  auto clean = read_text_line(line);
  if (!clean) return clean.refusal();
  CommandLine out;
  std::string_view rest = *clean;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const bool told = out.words.size() == 2 && equals_ignoring_case(out.words[0], "tell");
    if (word == ":" || told) {
      if (word != ":") rest = {word.data(), word.size() + rest.size()};
      out.text.emplace_back(trim(rest));
      break;
    }
    if (word == "**") continue;                  // mail programs made it from a bold command
    if (word.front() == '-' && word.size() > 1)  // a single dash is part of a move
      out.options.emplace_back(word);
    else out.words.emplace_back(word);
  }
  return out;
}

Syntax::Syntax(std::string_view rest) {
  std::size_t fewest = kUnlimited, greatest = 0;  // over the alternatives so far
  for (std::string_view term = take_term(rest); !term.empty(); term = take_term(rest)) {
    const bool omitted = term.starts_with('[') && term.ends_with(']');
    const std::string_view inner = omitted ? term.substr(1, term.size() - 2) : term;
    if (term == "|") {
      fewest = std::min(fewest, min_words);
      greatest = std::max(greatest, max_words);
      min_words = max_words = 0;
    } else if (inner.starts_with(':') || inner == "text...") {
      has_text = true;
      rest = {};
    } else if (inner.starts_with('-')) {
      has_options = true;
    } else if (inner == "userid password") {
      userid_index = min_words;
      omittable_words = 2;
      has_userid_list = rest.starts_with(" userid") || rest.starts_with(" [userid");
    } else if (inner == "userid" && rest.starts_with(" [password] [")) {
      userid_index = min_words;
      take_term(rest);
      after_password = rest.substr(2, rest.size() - 3);
    } else if (inner == "userid" && rest.starts_with(" password")) {
      userid_index = min_words;
      omittable_words = omitted ? 1 : 0;
      take_term(rest);
    } else if (omitted) {
      max_words += Syntax(inner).max_words;
    } else {
      if (term == "new-password") new_password_index = min_words;
      ++min_words;
      max_words += term.find("...") == std::string_view::npos ? 1 : kUnlimited;
    }
  }
  min_words = std::min(fewest, min_words);
  max_words = std::max(greatest, max_words);
}

std::span<const CommandRow> command_rows() {
  static const std::vector<CommandRow> rows = [] {
    std::vector<CommandRow> all;
    for (const auto family :
         {help_rows, view_rows, ratings_rows, accounts_rows, key_rows, challenge_rows,
          tournament_rows, ladder_rows, play_rows, chat_rows, admin_rows})
      for (CommandRow row : family()) {
        if (row.proof == Proof::none && row.parsed_syntax.userid_index)
          row.proof =
              row.parsed_syntax.omittable_words == 1 ? Proof::repeated_password : Proof::password;
        all.push_back(row);
      }
    return all;
  }();
  return rows;
}

std::string command_syntax(const CommandRow& row) {
  return std::string(row.name) + (row.syntax.empty() ? "" : " ") + std::string(row.syntax);
}

Result<Request> read_request(CommandLine line, const std::string& speaker, bool owner,
                             Accounts& accounts) {
  const bool wants_data = line.words.size() > 1 && equals_ignoring_case(line.words[0], "data");
  if (wants_data) line.words.erase(line.words.begin());
  auto found = find_command(line.words, owner);
  if (!found) return found.refusal();
  Request& r = *found;
  r.wants_data = wants_data;
  const Syntax& takes = r.row->parsed_syntax;
  const Refusal write{"Write: " + command_syntax(*r.row)};
  if (takes.has_options) {
    // Also accepts options as help writes them: "[-size=WxH]".
    std::erase_if(line.words, [&](std::string& word) {
      if (word.starts_with("[-")) line.options.push_back(word.substr(1));
      return word == "[" || word == "]" || word.starts_with("[-");
    });
    for (std::string& option : line.options)
      if (option.ends_with(']')) option.pop_back();
  } else if (!line.options.empty()) {
    // A word with a dash may be a mistyped password, so the refusal does not quote it.
    return Refusal{(takes.userid_index
                        ? "This command has no options."
                        : "This command has no option " + fit(line.options.front(), 30) + ".") +
                   " " + write.reason};
  }
  if (!takes.has_text && !line.text.empty())
    return Refusal{"This command takes no text. " + write.reason};
  r.words = std::move(line.words);
  r.options = std::move(line.options);
  r.text = std::move(line.text);
  r.userid = speaker;
  if (takes.userid_index)
    if (const auto taken = take_userid(r, speaker, write, accounts); !taken) return taken.refusal();
  if (r.words.size() < takes.min_words || r.words.size() > takes.max_words) return write;
  if (takes.new_password_index) {
    r.new_password = Secret(r.words[*takes.new_password_index]);
    r.words[*takes.new_password_index].clear();
  }
  return found;
}

}  // namespace pbm
