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
bool plain(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("-_.,:@%+=/#").find(c) != std::string_view::npos;
}
bool plain(const std::string& word) {
  return !word.empty() && word.front() != '#' && word.front() != '=' &&
         std::ranges::all_of(word, [](char c) { return plain(c); }) && word == safe_text(word);
}

class Completion {
 public:
  Completion(Repository& boards, const Exercises& exercises,
             const std::vector<std::filesystem::path>& themes)
      : boards_(boards), exercises_(exercises), themes_(themes) {}

  std::string of(const Words& words) {
    last_ = words.empty() ? "" : words.back();
    for (std::size_t i = 0; i + 1 < words.size(); ++i) take(words[i]);
    form_ = find_command(given_.empty() ? "" : given_[0]);
    if (!form_) return "";
    if (waiting_) {
      // An option may stand before its command.
      if (const Command::Option* taken = form_->takes(waiting_->name)) offer_value(*taken, "");
      else if (given_.empty()) offer_value({*waiting_, {std::string(waiting_->value)}}, "");
    } else if (only_words_ || last_.empty() || last_.front() != '-') {
      offer_word();
    } else if (last_.substr(0, 2) == "--") {
      offer_option();
    } else {
      offer_game_option();
      if (last_ == "-") offer_option();
    }
    return out_ + files_;
  }

 private:
  // Reads a word before the last, and notes what may follow.
  void take(const std::string& word) {
    if (std::exchange(waiting_, nullptr)) return;
    if (only_words_ || word.size() < 2 || word.front() != '-') {
      given_.push_back(word);
      if (!game_) game_ = find_game(word, options_);
      used_.insert(options_.begin(), options_.end());
    } else if (word == "--") {
      only_words_ = true;
    } else {
      const std::size_t dashes = word[1] == '-' ? 2 : 1, equals = word.find('=');
      used_.insert(word.substr(0, equals));
      if (dashes == 1) options_.push_back(word);
      const ProgramOption* option =
          dashes == 2 && equals == std::string::npos ? find_option(word.substr(2)) : nullptr;
      if (option && !option->value.empty()) waiting_ = option;
    }
  }

  // True if `form` does not take an option that is there already.
  bool refuses(const Command& form) const {
    return std::ranges::any_of(used_, [&](const std::string& option) {
      return option.substr(0, 2) == "--" && !form.takes(option.substr(2));
    });
  }

  void offer(const std::string& text, std::string_view about, const std::string& before = "") {
    if (!plain(text) || !starts_ignoring_case(before + text, last_)) return;
    out_ += before + text + (about.empty() ? "" : "\t" + safe_text(about)) + "\n";
  }

  void offer_option() {
    const std::size_t equals = last_.find('=');
    if (equals != std::string::npos) {
      if (const Command::Option* option = form_->takes(last_.substr(2, equals - 2)))
        offer_value(*option, last_.substr(0, equals + 1));
      return;
    }
    for (const Command::Option& option : form_->options) {
      if (option.takes.is("a") && fields().empty()) continue;
      const auto said = [&](const Command::Option& other) {
        return other.group == option.group && used_.count("--" + std::string(other.name));
      };
      if (std::ranges::none_of(form_->options, said))
        offer("--" + std::string(option.name) + (option.value.empty() ? "" : "="), option.about);
    }
  }

  // Returns the drawings of the game, or of all games if there is none yet.
  std::string fields() const {
    std::string out;
    for (const GameType& g : all_games())
      if (!game_ || game_ == &g) out += g.fields;
    return out;
  }

  void offer_value(const Command::Option& option, const std::string& before) {
    constexpr double kFew = 10;
    const Command::Word& value = option.takes;
    if (value.is("a")) {
      for (const char letter : fields()) offer(std::string(1, letter), "", before);
    } else if (value.is("GAME,...")) {
      // Completes the list after its last comma.
      const std::string list = last_.substr(std::min(before.size(), last_.size()));
      const std::size_t comma = list.rfind(',');
      const std::string first = comma == std::string::npos ? "" : list.substr(0, comma + 1);
      for (const GameType& g : all_games())
        if (first.find(std::string(g.name) + ",") == std::string::npos)
          offer(first + std::string(g.name), g.about, before);
    } else if (option.is_number() && option.range.most <= kFew) {
      for (double n = option.range.least; n <= option.range.most; ++n)
        offer(std::to_string(std::lround(n)), "", before);
    } else if (value.is("THEME")) {
      for (const ListedTheme& theme : list_themes(themes_))
        if (theme.theme) offer(theme.name, theme.theme->about, before);
    }
    if (value.is("DIR")) files_ = ":directories\n";
    // Offers files only if no theme fits, because most files are no themes.
    if ((value.is("FILE") || value.is("PATH")) && out_.empty()) files_ = ":files\n";
  }

  void offer_game_option() {
    if (!game_ || !form_->game_options) return;
    const std::size_t equals = last_.find('=');
    for (const OptionSpec& spec : game_->options) {
      const std::string text = "-" + std::string(spec.name);
      if (used_.count(text)) continue;
      if (equals == std::string::npos) {
        offer(text + (spec.check_value ? "=" : ""), spec.about);
      } else if (spec.check_value && same_ignoring_case(last_.substr(0, equals), text)) {
        const std::string before = last_.substr(0, equals + 1);
        offer(std::string(spec.standard), "the standard", before);
        if (spec.example != spec.standard) offer(std::string(spec.example), "for example", before);
      }
    }
  }

  void offer_word() {
    if (given_.empty()) {
      for (const Command& f : commands())
        if (!f.name.empty() && !f.hidden && !refuses(f)) offer(f.name, f.about);
      return;
    }
    const std::vector<Command::Word>& arguments = form_->words;
    if (refuses(*form_) || arguments.empty()) return;
    const std::size_t n = given_.size() - 1;
    if (n >= arguments.size() && !arguments.back().many) return;
    const Command::Word& argument = arguments[std::min(n, arguments.size() - 1)];
    const bool takes_boards = form_->takes("saves");
    if (argument.is("GAME"))
      for (const Command& c : commands())
        if (c.game) offer(c.name, c.about);
    if (argument.is("TOPIC"))
      for (const HelpTopic& topic : help_topics()) offer(topic.name, topic.about);
    if (argument.is("FILE") && !takes_boards) files_ = ":files\n";
    // The boards of a server are unknown here.
    if (argument.is("FILE") && takes_boards && !used_.count("--socket") && !used_.count("--user")) {
      files_ = ":saves\n";
      for (const BoardSummary& line : boards_.list())
        offer_name(line.id, line.title() + ", " + line.state());
    }
    // A day may stand without a game before it.
    if (argument.is("DAY") || (n + 1 < arguments.size() && arguments[n + 1].is("DAY")))
      offer_puzzles();
    if (argument.is("NAME")) offer_people();
    if (argument.is("MOVE")) offer_moves();
  }

  // Skips a name that looks like an option: another person chose it.
  void offer_name(const std::string& name, const std::string& about) {
    if (!name.empty() && name.front() != '-') offer(name, about);
  }

  // Offers the puzzles of the last seven days, and those of a game or of the user's own by number.
  void offer_puzzles() {
    constexpr std::int64_t kDays = 7;
    constexpr std::string_view kMine = "mine";
    const bool mine = given_.size() > 1 && same_ignoring_case(given_[1], kMine);
    for (std::int64_t day = today(); !mine && day > today() - kDays; --day)
      if (const auto id = exercises_.puzzle_of(day, game_))
        offer(iso_time(Time(std::chrono::days(day))).substr(0, 10),
              *id + (day == today() ? ", today's" : ""));
    const bool numbers = game_ || mine;
    const Words puzzles = numbers || given_.size() == 1 ? exercises_.puzzles_of(game_) : Words{};
    if (!numbers && !puzzles.empty()) offer(std::string(kMine), "out of your own games");
    for (std::size_t i = 0; numbers && i < puzzles.size(); ++i)
      offer(std::to_string(i + 1), puzzles[i]);
  }

  void offer_people() {
    std::set<std::string> known(given_.begin(), given_.end());
    for (const BoardSummary& line : boards_.list())
      for (const std::string& name : line.names)
        if (!line.example && known.insert(name).second) offer_name(name, line.title());
  }

  // Returns the match for the moves: of a board, or a new one of a game and its options.
  std::optional<Match> board_meant() const {
    if (!game_ || !form_->words.front().is("GAME")) {
      auto board = boards_.open(given_[1]);
      return board ? std::optional(std::move(board->match)) : std::nullopt;
    }
    const auto options = read_options(*game_, options_);
    const auto seats = check_names(*game_, {});
    auto match = options ? Match::start(*game_, *options, *seats, Time{}) : options.refusal();
    return match ? std::optional(std::move(*match)) : std::nullopt;
  }

  // Offers the moves that are legal after those already typed.
  void offer_moves() {
    const auto board = board_meant();
    if (!board) return;
    Match trial = *board;
    for (std::size_t i = 2, n = 0; i < given_.size(); i += n) {
      n = trial.words_of_a_ply(given_, i);
      const std::string typed = joined(given_, i, n);
      const auto entry = trial.validate(trial.acting_seat(typed), typed, trial.changed());
      if (!entry) return;
      trial.add(*entry);
    }
    if (trial.ending()) return;
    for (const std::string& ply : trial.position().legal())
      if (starts_ignoring_case(ply, last_)) offer(ply, trial.position().describe(ply));
  }

  const Command* form_ = nullptr;  // the command, or the lobby
  Repository& boards_;
  const Exercises& exercises_;
  const std::vector<std::filesystem::path>& themes_;
  Words given_;                             // words before the last that are no options
  std::set<std::string> used_;              // options before the last word, with their dashes
  const GameType* game_ = nullptr;          // the command, or a word after it
  Words options_;                           // of the game, whole
  const ProgramOption* waiting_ = nullptr;  // the option whose value is the last word
  bool only_words_ = false;                 // after --
  std::string last_;
  std::string out_, files_;  // candidates; and the kind of files that fit too
};

}  // namespace

std::string complete(const std::vector<std::string>& words, Repository& boards,
                     const Exercises& exercises, const std::vector<std::filesystem::path>& themes) {
  return Completion(boards, exercises, themes).of(words);
}

}  // namespace pbm
