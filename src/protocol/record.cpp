// SPDX-License-Identifier: MIT
#include "protocol/record.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxHeadLines = 16;  // from the title to the players
constexpr std::size_t kMaxJoined = 4;      // lines that a mail makes of one
constexpr std::string_view kStarted = "Started ", kAfterMove = " after move ";

// Removes the signs of a quote and the blanks around. A mail may have blanks that do not break.
std::string unquote_line(std::string_view line) {
  while (trim(line).starts_with('>')) line.remove_prefix(line.find('>') + 1);
  constexpr std::string_view kFirmBlank = "\u00a0";
  std::string out(line);
  for (std::size_t at = 0; (at = out.find(kFirmBlank, at)) != std::string::npos;)
    out.replace(at, kFirmBlank.size(), " ");
  return std::string(trim(out));
}

std::string with_single_blanks(std::string_view text) {
  const auto words = split_words(text);
  return join(words);
}

// Reads the names out of "fred (TOOT)  wilma (OTTO)".
std::optional<std::vector<std::string>> read_names(std::string_view line, const Position& start,
                                                   int seats) {
  std::vector<std::string> out;
  for (Seat s = 0; s < seats; ++s) {
    const std::string side = " (" + start.side_name(s) + ")";
    line = trim(line);
    // A name may contain the sign of its side.
    std::size_t end = line.find(side);
    while (end != std::string_view::npos && end + side.size() < line.size() &&
           line[end + side.size()] != ' ')
      end = line.find(side, end + 1);
    if (end == std::string_view::npos) return std::nullopt;
    out.emplace_back(line.substr(0, end));
    line.remove_prefix(end + side.size());
  }
  return line.empty() ? std::optional(std::move(out)) : std::nullopt;
}

class RecordReader {
 public:
  RecordReader(std::string_view text, const std::string& name) : name_(name) {
    for (const std::string_view line : split_lines(text)) lines_.push_back(unquote_line(line));
  }

  // Throws the Refusal, as the functions below do.
  Match read() {
    for (std::size_t i = 0; i < lines_.size(); ++i)
      for (const GameType& game : all_games())
        if (auto match = start_match(i, game)) {
          read_head(i + 1, *match);
          read_resignations(*match);
          read_table(*match);
          return read_end(*match);
        }
    refuse(
        std::max<std::size_t>(lines_.size(), 1) - 1,
        "The text ends without a record of a game. A record begins with the game's name, such as " +
            std::string(all_games().front().title) + ".");
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& why) const {
    throw Refusal{name_ + ", line " + std::to_string(line + 1) + ": " + why};
  }

  // Returns lines `i` to `i + more` as one, with single blanks, or "" if one of them is blank.
  std::string join(std::size_t i, std::size_t more) const {
    std::string out;
    for (std::size_t j = i; j <= i + more; ++j) {
      if (j >= lines_.size() || lines_[j].empty()) return "";
      out += lines_[j] + " ";
    }
    return with_single_blanks(out);
  }

  // Starts the match if line `title` and the names of the players below begin a record.
  std::optional<Match> start_match(std::size_t title, const GameType& game) {
    const std::string_view line = lines_[title];
    if (!line.starts_with(game.title)) return std::nullopt;
    const std::vector<std::string> words = split_words(line.substr(game.title.size()));
    if (std::ranges::any_of(words, [](const auto& w) { return w[0] != '-'; })) return std::nullopt;
    const auto options = read_options(game, words);
    const std::size_t end = std::min(title + kMaxHeadLines, lines_.size());
    for (std::size_t first = title + 1; first < end; ++first)
      for (std::size_t more = 0; more < kMaxJoined; ++more)
        for (int seats = game.min_seats; seats <= game.max_seats; ++seats) {
          const std::string players = join(first, more);
          if (!players.ends_with(')')) continue;
          const auto start = game.start(options ? *options : Options{}, seats);
          const auto names = start ? read_names(players, *start, seats) : std::nullopt;
          if (!names) continue;
          if (!options) refuse(title, options.refusal().reason);
          if (const auto fine = complete_seating(game, *names); !fine)
            refuse(first, fine.refusal().reason);
          head_end_ = first;
          table_ = first + more + 1;
          return *Match::start(game, *options, *names, find_start_time(title + 1));
        }
    return std::nullopt;
  }

  Time find_start_time(std::size_t i) const {
    for (; i < head_end_; ++i) {
      if (!lines_[i].starts_with(kStarted)) continue;
      const auto out = read_long_time(lines_[i].substr(kStarted.size()));
      if (!out) refuse(i, "A start is a day and a time, such as 2026-11-21 14:05.");
      return *out;
    }
    return Time{};
  }

  // Reads "The computer plays OTTO at level 3."
  void read_head(std::size_t i, Match& match) const {
    for (; i < head_end_; ++i)
      for (Seat s = 0; s < match.seats(); ++s) {
        const std::string beginning =
            "The computer plays " + match.position().side_name(s) + " at level ";
        if (!lines_[i].starts_with(beginning)) continue;
        const std::string_view level = std::string_view(lines_[i]).substr(beginning.size());
        const auto n = read_whole_number<int>(level.substr(0, level.find('.')));
        if (!n || *n < 1 || *n > kMaxLevel)
          refuse(i, "A level is a number from 1 to " + std::to_string(kMaxLevel) + ".");
        match.set_computer_level(s, *n);
      }
  }

  struct Resignation {
    Seat seat;
    ForfeitReason reason;
    std::size_t ply, line;
  };

  // Reads "barney (3) resigned after move 5."
  void read_resignations(const Match& match) {
    for (std::size_t i = table_; match.seats() > 2 && i < lines_.size(); ++i) {
      const std::size_t after = lines_[i].rfind(kAfterMove);
      if (after == std::string::npos) continue;
      const std::string_view number = std::string_view(lines_[i]).substr(after + kAfterMove.size());
      const auto ply = read_whole_number<std::size_t>(number.substr(0, number.find('.')));
      for (Seat s = 0; s < match.seats(); ++s)
        for (const std::string_view why : kForfeitReasons)
          if (const ForfeitReason reason = find_forfeit_reason(why);
              ply && lines_[i].substr(0, after) ==
                         match.player_label(s) + " " + std::string(forfeit_text(reason)))
            resignations_.push_back({s, reason, *ply, i});
    }
  }

  // Adds an action and returns true, or returns why it is not possible.
  static Result<Success> act(Match& match, Seat seat, std::string_view typed,
                             ForfeitReason reason = ForfeitReason::none) {
    auto entry = match.validate(seat, typed, match.start_time());
    if (!entry) return entry.refusal();
    entry->forfeit_reason = reason;
    match.add(*entry);
    return Success{};
  }

  void resign_here(Match& match) const {
    for (const Resignation& r : resignations_)
      if (r.ply == match.plies().size())
        if (const auto done = act(match, r.seat, to_string(MatchWord::resign), r.reason); !done)
          refuse(r.line, done.refusal().reason);
  }

  void read_table(Match& match) {
    resign_here(match);
    for (; table_ < lines_.size() && !lines_[table_].empty(); ++table_) {
      const std::vector<std::string> words = split_words(lines_[table_]);
      const std::string number = std::to_string(match.plies().size() + 1);
      const bool is_row = read_whole_number<std::size_t>(words.front()).has_value();
      if (is_row ? words.front() != number : match.plies().empty())
        refuse(table_, "This row of moves should begin with " + number + ".");
      for (std::size_t i = is_row; i < words.size(); ++i) {
        const auto done = is_match_word(words[i]) ? Refusal{"A record has only moves here."}
                                                  : act(match, match.acting_seat(""), words[i]);
        if (!done) refuse(table_, fit(words[i], 20) + ": " + done.refusal().reason);
        resign_here(match);
      }
    }
    for (const Resignation& r : resignations_)
      if (r.ply > match.plies().size()) refuse(r.line, "The game has no such move.");
  }

  // Returns the ways in which the game can have gone on after its last move: not at all, a draw, or
  // in a game of two a resignation.
  static std::vector<Match> possible_ends(const Match& match) {
    std::vector<Match> out{match};
    if (Match draw = match; !match.ending() && act(draw, *draw.to_move(), "propose")) {
      for (const Seat seat : seats_to_answer(draw)) static_cast<void>(act(draw, seat, "accept"));
      out.push_back(std::move(draw));
    }
    for (Seat s = 0; s < match.seats() && match.seats() == 2; ++s)
      for (const std::string_view why : kForfeitReasons)
        if (Match end = match; act(end, s, "resign", find_forfeit_reason(why))) out.push_back(end);
    return out;
  }

  // Reads the notes up to the line that says how the game stands.
  Match read_end(const Match& match) const {
    const std::vector<Match> ends = possible_ends(match);
    std::vector<std::string> known{with_single_blanks(match.holdings_after(match.plies().size()))};
    for (const Match& end : ends) known.push_back(with_single_blanks(end.status()));
    std::vector<LogEntry> notes;
    bool is_note_open = false;
    for (std::size_t i = table_; i < lines_.size(); ++i) {
      auto found = known.end();
      for (std::size_t more = 0; more < kMaxJoined && found == known.end(); ++more)
        if (const std::string said = join(i, more); !said.empty())
          if (found = std::ranges::find(known, said); found != known.end()) i += more;
      if (found > known.begin() && found != known.end()) {
        Match out = ends[static_cast<std::size_t>(found - known.begin()) - 1];
        for (const LogEntry& note : notes) {
          const auto entry = out.validate_note(*note.note_ply, note.text, out.start_time());
          if (!entry) refuse(i, entry.refusal().reason);
          out.add(*entry);
        }
        return out;
      }
      const bool ends_note = lines_[i].empty() || found != known.end() ||
                             std::ranges::count(resignations_, i, &Resignation::line) > 0;
      if (auto note = ends_note ? std::nullopt : read_note(lines_[i], match)) {
        notes.push_back(std::move(*note));
        is_note_open = true;
      } else if (is_note_open = is_note_open && !ends_note; is_note_open) {
        notes.back().text += " " + lines_[i];
      }
    }
    refuse(lines_.size() - 1, "The record should end with: " + match.status());
  }

  // Reads "3 BT: a note" or "Start: a note".
  static std::optional<LogEntry> read_note(const std::string& line, const Match& match) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return std::nullopt;
    const std::string head = line.substr(0, colon);
    const auto n = head == "Start" ? std::optional<std::size_t>(0)
                                   : read_whole_number<std::size_t>(head.substr(0, head.find(' ')));
    if (!n || *n > match.plies().size()) return std::nullopt;
    if (*n > 0 && head != std::to_string(*n) + " " + match.plies()[*n - 1].text)
      return std::nullopt;
    return LogEntry{line.substr(colon + 2), 0, match.start_time(), *n};
  }

  std::string name_;
  std::vector<std::string> lines_;
  std::size_t head_end_ = 0, table_ = 0;  // the lines of the players and of the first moves
  std::vector<Resignation> resignations_;
};

}  // namespace

Result<Match> read_record(std::string_view text, const std::string& name) try {
  return RecordReader(text, name).read();
} catch (const Refusal& refusal) {
  return refusal;
}

}  // namespace pbm
