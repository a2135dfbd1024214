// SPDX-License-Identifier: MIT
#include "cli/complete.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "ui/help_topics.hpp"
#include "ui/theme.hpp"

namespace pbm {
namespace {

using Words = std::vector<std::string>;

// True if no shell gives `c` a special meaning after the first character of a word.
bool is_plain(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("-_.,:@%+=/#").find(c) != std::string_view::npos;
}
bool is_plain(const std::string& word) {
  return !word.empty() && word.front() != '#' && word.front() != '=' &&
         std::ranges::all_of(word, [](char c) { return is_plain(c); }) && word == safe_text(word);
}

class Completion {
 public:
  Completion(Repository& boards, const Exercises& exercises,
             const std::vector<std::filesystem::path>& themes)
      : boards_(boards), exercises_(exercises), themes_(themes) {}

  std::string find_candidates(const Words& words) {
    last_word_ = words.empty() ? "" : words.back();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) read_word(words[i]);
    command_ = find_command(words_.empty() ? "" : words_[0]);
    if (!command_) return "";
    if (pending_option_) {
      // An option may stand before its command.
      if (const Command::Option* taken = command_->supported_option(pending_option_->name))
        offer_value(*taken, "");
      else if (words_.empty())
        offer_value({*pending_option_, {std::string(pending_option_->value_syntax)}}, "");
    } else if (is_after_dashes_ || last_word_.empty() || last_word_.front() != '-') {
      offer_word();
    } else if (last_word_.substr(0, 2) == "--") {
      offer_option();
    } else {
      offer_game_option();
      if (last_word_ == "-") offer_option();
    }
    return candidates_ + file_hint_;
  }

 private:
  // Reads a word before the last, and notes what may follow.
  void read_word(const std::string& word) {
    if (std::exchange(pending_option_, nullptr)) return;
    if (is_after_dashes_ || word.size() < 2 || word.front() != '-') {
      words_.push_back(word);
      if (!game_) game_ = find_game(word, game_options_);
      used_options_.insert(game_options_.begin(), game_options_.end());
    } else if (word == "--") {
      is_after_dashes_ = true;
    } else {
      const std::size_t dashes = word[1] == '-' ? 2 : 1, equals = word.find('=');
      used_options_.insert(word.substr(0, equals));
      const ProgramOption* option = dashes == 1                   ? find_short_option(word)
                                    : equals == std::string::npos ? find_option(word.substr(2))
                                                                  : nullptr;
      if (dashes == 1 && option) used_options_.insert("--" + std::string(option->name));
      else if (dashes == 1) game_options_.push_back(word);
      if (option && option->takes_value()) pending_option_ = option;
    }
  }

  // True if `form` does not take an option that is there already.
  bool has_unsupported_option(const Command& form) const {
    return std::ranges::any_of(used_options_, [&](const std::string& option) {
      return option.substr(0, 2) == "--" && !form.supported_option(option.substr(2));
    });
  }

  void offer(const std::string& text, std::string_view about, const std::string& before = "") {
    if (!is_plain(text) || !starts_with_ignoring_case(before + text, last_word_)) return;
    candidates_ += before + text + (about.empty() ? "" : "\t" + safe_text(about)) + "\n";
  }

  void offer_option() {
    const std::size_t equals = last_word_.find('=');
    if (equals != std::string::npos) {
      if (const Command::Option* option =
              command_->supported_option(last_word_.substr(2, equals - 2)))
        offer_value(*option, last_word_.substr(0, equals + 1));
      return;
    }
    for (const Command::Option& option : command_->options) {
      if (option.value_word.has_kind("a") && drawing_styles().empty()) continue;
      const auto said = [&](const Command::Option& other) {
        return other.exclusive_group == option.exclusive_group &&
               used_options_.count("--" + std::string(other.name));
      };
      if (std::ranges::none_of(command_->options, said))
        offer("--" + std::string(option.name) + (option.value_syntax.empty() ? "" : "="),
              option.summary);
    }
  }

  // Returns the drawings of the game, or of all games if there is none yet.
  std::string drawing_styles() const {
    std::string out;
    for (const GameType& g : all_games())
      if (!game_ || game_ == &g) out += g.drawing_styles;
    return out;
  }

  void offer_value(const Command::Option& option, const std::string& before) {
    constexpr double kFew = 10;
    const Command::SyntaxWord& value = option.value_word;
    if (value.has_kind("a")) {
      for (const char letter : drawing_styles()) offer(std::string(1, letter), "", before);
    } else if (value.has_kind("GAME,...")) {
      // Completes the list after its last comma.
      const std::string list = last_word_.substr(std::min(before.size(), last_word_.size()));
      const std::size_t comma = list.rfind(',');
      const std::string first = comma == std::string::npos ? "" : list.substr(0, comma + 1);
      for (const GameType& g : all_games())
        if (first.find(std::string(g.name) + ",") == std::string::npos)
          offer(first + std::string(g.name), g.summary, before);
    } else if (option.takes_number() && option.range.max <= kFew) {
      for (double n = option.range.min; n <= option.range.max; ++n)
        offer(std::to_string(std::lround(n)), "", before);
    } else if (value.has_kind("THEME")) {
      for (const ListedTheme& theme : list_themes(themes_))
        if (theme.theme) offer(theme.name, theme.theme->description, before);
    }
    if (value.has_kind("DIR")) file_hint_ = ":directories\n";
    // Offers files only if no theme fits, because most files are no themes.
    if ((value.has_kind("FILE") || value.has_kind("PATH") || value.has_kind("RECORD")) &&
        candidates_.empty())
      file_hint_ = ":files\n";
  }

  void offer_game_option() {
    if (!game_ || !command_->takes_game_options) return;
    const std::size_t equals = last_word_.find('=');
    for (const OptionSpec& spec : game_->options) {
      const std::string text = "-" + std::string(spec.name);
      if (used_options_.count(text)) continue;
      if (equals == std::string::npos) {
        offer(text + (spec.check_value ? "=" : ""), spec.summary);
      } else if (spec.check_value && equals_ignoring_case(last_word_.substr(0, equals), text)) {
        const std::string before = last_word_.substr(0, equals + 1);
        offer(std::string(spec.default_value), "the standard", before);
        if (spec.example != spec.default_value)
          offer(std::string(spec.example), "for example", before);
      }
    }
  }

  void offer_word() {
    if (words_.empty()) {
      for (const Command& f : commands())
        if (!f.name.empty() && !f.is_hidden && !has_unsupported_option(f)) offer(f.name, f.summary);
      return;
    }
    const std::vector<Command::SyntaxWord>& arguments = command_->words;
    if (has_unsupported_option(*command_) || arguments.empty()) return;
    const std::size_t n = words_.size() - 1;
    if (n >= arguments.size() && !arguments.back().is_repeatable) return;
    const Command::SyntaxWord& argument = arguments[std::min(n, arguments.size() - 1)];
    const bool takes_boards = command_->supported_option("saves");
    if (argument.has_kind("GAME"))
      for (const Command& c : commands())
        if (c.game) offer(c.name, c.summary);
    if (argument.has_kind("TOPIC"))
      for (const HelpTopic& topic : help_topics()) offer(topic.name, topic.description);
    if (argument.has_kind("FILE") && !takes_boards) file_hint_ = ":files\n";
    // The boards of a server are unknown here.
    if (argument.has_kind("FILE") && takes_boards && !used_options_.count("--socket") &&
        !used_options_.count("--user")) {
      file_hint_ = ":saves\n";
      for (const BoardSummary& line : boards_.list())
        offer_name(line.id, line.title() + ", " + line.state());
    }
    // A day may stand without a game before it.
    if (argument.has_kind("DAY") || (n + 1 < arguments.size() && arguments[n + 1].has_kind("DAY")))
      offer_puzzles();
    if (argument.has_kind("NAME")) offer_players();
    if (argument.has_kind("MOVE")) offer_moves();
  }

  // Skips a name that looks like an option: another person chose it.
  void offer_name(const std::string& name, const std::string& about) {
    if (!name.empty() && name.front() != '-') offer(name, about);
  }

  // Offers the puzzles of the last seven days, and those of a game or of the user's own by number.
  void offer_puzzles() {
    constexpr std::int64_t kDays = 7;
    constexpr std::string_view kMine = "mine";
    const bool mine = words_.size() > 1 && equals_ignoring_case(words_[1], kMine);
    for (std::int64_t day = today(); !mine && day > today() - kDays; --day)
      if (const auto id = exercises_.daily_puzzle(day, game_))
        offer(iso_time(Time(std::chrono::days(day))).substr(0, 10),
              *id + (day == today() ? ", today's" : ""));
    const bool numbers = game_ || mine;
    const Words puzzles =
        numbers || words_.size() == 1 ? exercises_.puzzle_descriptions(game_) : Words{};
    if (!numbers && !puzzles.empty()) offer(std::string(kMine), "out of your own games");
    for (std::size_t i = 0; numbers && i < puzzles.size(); ++i)
      offer(std::to_string(i + 1), puzzles[i]);
  }

  void offer_players() {
    std::set<std::string> known(words_.begin(), words_.end());
    for (const BoardSummary& line : boards_.list())
      for (const std::string& name : line.names)
        if (!line.is_example && known.insert(name).second) offer_name(name, line.title());
  }

  // Offers the moves that are legal after those already typed.
  void offer_moves() {
    const auto board = boards_.open(words_[1]);
    if (!board) return;
    Match trial = board->match;
    for (std::size_t i = 2, n = 0; i < words_.size(); i += n) {
      n = trial.count_ply_words(words_, i);
      const std::string typed = join_words(words_, i, n);
      const auto entry = trial.validate(trial.acting_seat(typed), typed, trial.last_change());
      if (!entry) return;
      trial.add(*entry);
    }
    if (trial.ending()) return;
    for (const std::string& ply : trial.position().legal_plies())
      if (starts_with_ignoring_case(ply, last_word_)) offer(ply, trial.position().describe(ply));
  }

  const Command* command_ = nullptr;  // the command, or the lobby
  Repository& boards_;
  const Exercises& exercises_;
  const std::vector<std::filesystem::path>& themes_;
  Words words_;                         // words before the last that are no options
  std::set<std::string> used_options_;  // options before the last word, with their dashes
  const GameType* game_ = nullptr;      // the command, or a word after it
  Words game_options_;                  // of the game, whole
  const ProgramOption* pending_option_ = nullptr;  // the option whose value is the last word
  bool is_after_dashes_ = false;                   // after --
  std::string last_word_;
  std::string candidates_, file_hint_;  // candidates; and the kind of files that fit too
};

}  // namespace

std::string complete_words(const std::vector<std::string>& words, Repository& boards,
                           const Exercises& exercises,
                           const std::vector<std::filesystem::path>& themes) {
  return Completion(boards, exercises, themes).find_candidates(words);
}

}  // namespace pbm
