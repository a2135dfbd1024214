// SPDX-License-Identifier: MIT
#include "protocol/contest_pages.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm {
namespace {

using Kind = ContestRow::Kind;
using Lines = std::vector<std::string>;

constexpr int kUserColumns = static_cast<int>(kMaxUseridLength) + 1, kNameColumns = 17,
              kTitleColumns = 18;

// Returns `text` in exactly `width` columns, the last of them a blank.
std::string cell(const std::string& text, int width) { return pad(fit(text, width - 1), width); }
std::string right_cell(const std::string& text, int width) { return pad_left(text, index(width)); }

std::string date_text(const std::optional<Time>& time) {
  return time ? iso_time(*time).substr(0, 10) : "";
}

// Returns the result as the seats see it, or what else became of the game.
std::string result_text(const TournamentGame& game) {
  switch (game.result) {
    case GameResult::pending: return game.board.empty() ? "later" : "runs";
    case GameResult::first: return "1 - 0";
    case GameResult::second: return "0 - 1";
    case GameResult::tie: return "tie";
    case GameResult::annulled: return "annulled";
    case GameResult::bye: return "bye";
  }
  return "";
}

// Returns the sign of a result in a table: 1, 0, = for a tie, * while it runs, . before that.
char result_sign(const TournamentGame& game, std::size_t own) {
  switch (game.result) {
    case GameResult::pending: return game.board.empty() ? '.' : '*';
    case GameResult::annulled: return '-';
    case GameResult::first:
    case GameResult::second:
    case GameResult::tie:
    case GameResult::bye: break;
  }
  return "0=1"[half_points(game, own)];
}

class TournamentPage {
 public:
  TournamentPage(const Tournament& tournament, const std::vector<TournamentEntry>& entries,
                 const std::vector<TournamentGame>& games, const std::string& reader, int columns)
      : tournament_(tournament),
        entries_(entries),
        games_(games),
        reader_(reader),
        columns_(columns) {
    for (std::size_t i = 0; i < entries.size(); ++i) rows_by_number_[entries[i].number] = i + 1;
  }

  ContestRows make(bool has_all_games) {
    constexpr std::size_t kMostEntries = 128;  // a server has 64
    if (tournament_.started_at && entries_.size() <= kMostEntries) {
      if (tournament_.form == Tournament::Form::swiss) make_swiss_results();
      if (tournament_.form == Tournament::Form::round_robin) make_results();
    }
    add_standings();
    if (tournament_.form == Tournament::Form::knockout) add_bracket();
    add_games(has_all_games);
    return std::move(out_);
  }

 private:
  using Form = Tournament::Form;
  static constexpr int kHead = 5 + kUserColumns, kPoints = 7, kTies[]{8, 9, 6}, kAllTies = 23,
                       kRemark = 24;  // the columns of "withdrawn, not counted"

  // Returns the row of a player in the standings from 1, or 0.
  std::size_t row_of(std::size_t number) const {
    const auto found = rows_by_number_.find(number);
    return found == rows_by_number_.end() ? 0 : found->second;
  }
  std::string name_of(std::size_t number) const {
    return row_of(number) > 0 ? entries_[row_of(number) - 1].userid : "";
  }
  bool is_own(std::string_view userid) const {
    return !userid.empty() && equals_ignoring_case(userid, reader_);
  }

  // Adds a row about a player. A place is followed by = if a neighbour has it, too.
  void add_row(std::size_t i, bool has_name, const std::string& more) {
    const TournamentEntry& e = entries_[i];
    const auto has_place = [&](std::size_t other) {
      return other < entries_.size() && e.place > 0 && e.place == entries_[other].place;
    };
    const bool is_shared = (i > 0 && has_place(i - 1)) || has_place(i + 1);
    out_.push_back({right_cell(e.place > 0 ? std::to_string(i + 1) : "", 3) +
                        (is_shared ? "= " : "  ") + (has_name ? cell(e.userid, kUserColumns) : "") +
                        more,
                    e.has_withdrawn ? Kind::past : Kind::plain, is_own(e.userid), e.userid,
                    "profile " + e.userid});
  }

  // Fills the table of results: for each entry a sign for each game against each other one.
  void make_results() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      headings_.push_back(std::to_string(i + 1));
      results_.emplace_back(entries_.size());
      results_[i][i] = "x";
    }
    for (const TournamentGame& game : games_) {
      const std::size_t a = row_of(game.first), b = row_of(game.second);
      if (a == 0 || b == 0) continue;
      results_[a - 1][b - 1] += result_sign(game, game.first);
      results_[b - 1][a - 1] += result_sign(game, game.second);
    }
  }

  // Fills it for a Swiss tournament: for each round the row of the opponent and the sign.
  void make_swiss_results() {
    results_.resize(entries_.size(), Lines(tournament_.round));
    for (std::size_t round = 1; round <= tournament_.round; ++round)
      headings_.push_back("r" + std::to_string(round));
    for (const TournamentGame& game : games_) {
      if (game.round > tournament_.round) continue;
      for (const std::size_t own : {game.first, game.second})
        if (row_of(own) > 0)
          results_[row_of(own) - 1][game.round - 1] =
              game.second == 0 ? "bye"
                               : std::to_string(row_of(game.first + game.second - own)) +
                                     (result_sign(game, own) == '1'   ? '+'
                                      : result_sign(game, own) == '0' ? '-'
                                      : result_sign(game, own) == '-' ? 'x'
                                                                      : result_sign(game, own));
    }
  }

  int result_width() const {
    std::size_t out = 1;
    for (const Lines& row : results_)
      for (const std::string& text : row) out = std::max(out, text.size());
    return static_cast<int>(out);
  }

  // Returns one row of the table, or its heading, from a column on.
  static std::string join_cells(const Lines& cells, std::size_t from, int width) {
    std::string out;
    for (std::size_t i = from; i < cells.size(); ++i)
      out += right_cell(cells[i].substr(cells[i].size() - std::min(cells[i].size(), index(width))),
                        width);
    return out;
  }

  void add_standings() {
    const bool has_begun = tournament_.started_at.has_value(),
               is_knockout = tournament_.form == Form::knockout,
               has_ties = has_begun && !is_knockout && kHead + kPoints + kAllTies <= columns_;
    const int head = kHead + kPoints + (has_ties ? kAllTies : 0), width = result_width() + 1;
    const bool has_withdrawals = std::ranges::any_of(entries_, &TournamentEntry::has_withdrawn);
    const int remark = has_withdrawals ? kRemark : 0;
    const bool is_beside = !headings_.empty() &&
                           head + remark + width * static_cast<int>(headings_.size()) <= columns_;
    std::string heading = pad("", 5) + cell("player", kUserColumns) +
                          right_cell(!has_begun    ? "rating"
                                     : is_knockout ? "won"
                                                   : "points",
                                     kPoints);
    if (has_ties)
      heading += right_cell("direct", kTies[0]) +
                 right_cell(tournament_.form == Form::swiss ? "Buchholz" : "Sonn.-B.", kTies[1]) +
                 right_cell("wins", kTies[2]);
    out_.push_back({heading + (is_beside ? join_cells(headings_, 0, width) : ""), Kind::past});
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const TournamentEntry& e = entries_[i];
      std::string more = right_cell(!has_begun    ? std::to_string(e.rating)
                                    : is_knockout ? std::to_string(e.half_points / 2)
                                                  : format_points(e.half_points),
                                    kPoints);
      for (std::size_t k = 0; has_ties && k < std::size(kTies); ++k)
        more += right_cell(k < e.tie_breaks.size() ? e.tie_breaks[k] : "", kTies[k]);
      if (is_beside) more += join_cells(results_[i], 0, width);
      more += e.is_struck ? "  withdrawn, not counted" : e.has_withdrawn ? "  withdrawn" : "";
      add_row(i, true, more);
    }
    if (!headings_.empty() && !is_beside) add_results();
  }

  // Adds the table of results below the standings. Leaves out blanks, then names, where columns are
  // short, then the first rounds of a Swiss tournament, or the table.
  void add_results() {
    const int count = static_cast<int>(headings_.size());
    int width = result_width() + 1, head = kHead;
    if (head + count * width > columns_) --width;
    if (head + count * width > columns_) head = 5;
    std::size_t from = 0;
    if (head + count * width > columns_) {
      if (tournament_.form != Form::swiss) return;
      head = kHead;
      from = headings_.size() - index(std::max(0, (columns_ - head) / ++width));
      if (from == headings_.size()) return;
    }
    out_.push_back({"", Kind::past});
    out_.push_back({pad("", head) + join_cells(headings_, from, width), Kind::past});
    for (std::size_t i = 0; i < entries_.size(); ++i)
      add_row(i, head == kHead, join_cells(results_[i], from, width));
  }

  // Draws a column for each round and one for the winner; a match stands between the two before it.
  void add_bracket() {
    constexpr int kLeastColumns = 10;
    constexpr std::size_t kMostRounds = 8;
    const std::size_t rounds = tournament_.rounds;
    const int width = columns_ / static_cast<int>(rounds + 1);
    if (games_.empty() || entries_.empty() || width < kLeastColumns || rounds > kMostRounds) return;
    Lines rows(std::size_t{1} << rounds);
    std::vector<std::size_t> slots(rounds + 1, 0);
    const auto add = [&](std::size_t round, std::size_t entry, const std::string& points) {
      if (round > slots.size()) return;
      const std::size_t step = std::size_t{1} << (round - 1),
                        at = slots[round - 1]++ * step + (step - 1) / 2;
      if (entry == 0 || at >= rows.size()) return;
      rows[at] = pad(rows[at], width * static_cast<int>(round - 1)) +
                 fit(name_of(entry), width - 5) + points;
    };
    for (std::size_t i = 0; i < games_.size(); ++i) {
      const TournamentGame& game = games_[i];
      if (game.second == 0 || i + 1 == games_.size()) {
        add(game.round, game.first, "");
        add(game.round, 0, "");
        continue;
      }
      const TournamentGame& back = games_[++i];
      // The upper line has the better seed.
      for (const std::size_t entry : {game.first, game.second})
        add(game.round, entry,
            " " + format_points(half_points(game, entry) + half_points(back, entry)));
    }
    if (tournament_.state == Tournament::State::over)
      add(rounds + 1, entries_.front().number, " wins");
    out_.push_back({"", Kind::past});
    for (std::string& row : rows) out_.push_back({std::move(row)});
  }

  void add_games(bool has_all_games) {
    constexpr int kNarrow = 60, kNarrowName = 12, kResult = 10;
    const int name = columns_ < kNarrow ? kNarrowName : kUserColumns;
    std::size_t last = 0;
    for (const TournamentGame& game : games_) last = std::max(last, game.round);
    for (std::size_t round = last; round > 0; --round) {
      bool has_heading = false;
      for (const TournamentGame& game : games_) {
        const bool runs = game.result == GameResult::pending && !game.board.empty();
        if (game.round != round || !(runs || has_all_games)) continue;
        if (!std::exchange(has_heading, true))
          out_.push_back({"Round " + std::to_string(round), Kind::heading});
        const std::string first = name_of(game.first), second = name_of(game.second);
        out_.push_back(
            {cell(first, name) + cell(second, name) + cell(result_text(game), kResult) + game.board,
             runs ? Kind::plain : Kind::past, is_own(first) || is_own(second), game.board, "",
             game.board});
      }
    }
  }

  const Tournament& tournament_;
  const std::vector<TournamentEntry>& entries_;
  const std::vector<TournamentGame>& games_;
  const std::string& reader_;
  int columns_;
  std::map<std::size_t, std::size_t> rows_by_number_;  // in the standings, from 1
  Lines headings_;                                     // of the table of results
  std::vector<Lines> results_;                         // its rows
  ContestRows out_;
};

// Returns the ratings as a curve between the lowest and the highest.
std::string rating_curve(const Lines& texts, int columns) {
  constexpr char32_t kLowestBlock = U'\u2581';
  std::vector<int> ratings;
  for (const std::string& text : texts)
    if (const auto n = read_whole_number<int>(text)) ratings.push_back(std::clamp(*n, 0, 9999));
  if (ratings.empty()) return "";
  if (std::ssize(ratings) > columns)
    ratings.erase(ratings.begin(), ratings.end() - std::max(1, columns));
  const int low = *std::ranges::min_element(ratings), high = *std::ranges::max_element(ratings);
  std::string out = std::to_string(low) + " ";
  for (const int n : ratings)
    append_utf8(
        out, kLowestBlock + static_cast<char32_t>(high == low ? 3 : (n - low) * 7 / (high - low)));
  return out + " " + std::to_string(high);
}

std::string game_title(const std::string& name) {
  const GameType* const game = find_game(name);
  return game ? std::string(game->title) : name;
}

std::string results_text(const ProfileLine& line) {
  return std::to_string(line.won) + " won, " + std::to_string(line.lost) + " lost, " +
         std::to_string(line.tied) + " tied";
}

}  // namespace

ContestRows make_tournament_list(const std::vector<Tournament>& all) {
  using State = Tournament::State;
  constexpr int kStateColumns = 27;
  ContestRows out;
  const char* last_heading = nullptr;
  for (const Tournament& t : all) {
    const char* const heading = t.state == State::open      ? "Open tournaments"
                                : t.state == State::running ? "Tournaments that run"
                                                            : "Tournaments that are over";
    if (std::exchange(last_heading, heading) != heading) out.push_back({heading, Kind::heading});
    out.push_back({cell(t.name, kNameColumns) + cell(t.title(), kTitleColumns) +
                       cell(t.state_text(), kStateColumns) + t.form_text() + t.start_text(),
                   t.state > State::running ? Kind::past : Kind::plain, t.has_joined, t.name,
                   "tournament show " + t.name});
  }
  return out;
}

ContestRows make_ladder_list(const std::vector<Ladder>& all) {
  constexpr int kCountColumns = 12;
  ContestRows out;
  if (!all.empty()) out.push_back({"Ladders", Kind::heading});
  for (const Ladder& ladder : all)
    out.push_back(
        {cell(ladder.title(), kTitleColumns) +
             cell(format_count(ladder.player_count, "player", "players"), kCountColumns) +
             (ladder.own_place > 0 ? "you have place " + std::to_string(ladder.own_place) + "  "
                                   : "") +
             (ladder.leader.empty()
                  ? ""
                  : ladder.leader + " leads since " + date_text(ladder.leads_since)),
         Kind::plain, ladder.own_place > 0, ladder.name, "ladder " + ladder.name});
  return out;
}

ContestRows make_tournament_page(const Tournament& tournament,
                                 const std::vector<TournamentEntry>& entries,
                                 const std::vector<TournamentGame>& games,
                                 const std::string& reader, int columns, bool has_all_games) {
  return TournamentPage(tournament, entries, games, reader, columns).make(has_all_games);
}

ContestRows make_ladder_page(const std::vector<LadderPlace>& places, const std::string& reader) {
  constexpr int kPlace = 4, kRating = 8, kSince = 12;
  ContestRows out{{pad("", kPlace + 1) + cell("player", kUserColumns) + cell("rating", kRating) +
                       cell("since", kSince),
                   Kind::past}};
  for (const LadderPlace& p : places)
    out.push_back({right_cell(std::to_string(p.place), kPlace) + " " +
                       cell(p.userid, kUserColumns) + cell(std::to_string(p.rating), kRating) +
                       cell(date_text(p.since), kSince) +
                       (!p.board.empty()  ? "plays " + p.challenger + " on " + p.board
                        : p.may_challenge ? "you may challenge"
                                          : ""),
                   Kind::plain, equals_ignoring_case(p.userid, reader), p.userid,
                   "profile " + p.userid, p.board, p.may_challenge ? p.userid : ""});
  return out;
}

ContestRows make_profile_page(const std::vector<ProfileLine>& lines, int columns, bool has_blocks) {
  constexpr int kGame = 12, kRating = 7, kBesideCurve = 14;
  constexpr std::ptrdiff_t kNumbers = 8;
  ContestRows out;
  for (const auto& [kind, has_opponent, heading] : {std::tuple("results", false, "Games"),
                                                    {"curve", false, "Ratings"},
                                                    {"standing", false, "Ladders"},
                                                    {"results", true, "Opponents"}}) {
    bool has_heading = false;
    for (const ProfileLine& l : lines) {
      if (l.kind != kind || l.opponent.empty() == has_opponent) continue;
      if (!std::exchange(has_heading, true)) out.push_back({heading, Kind::heading});
      const std::string game = cell(game_title(l.subject), kGame);
      if (has_opponent)
        out.push_back({cell(l.opponent, kUserColumns) + game + results_text(l), Kind::plain, false,
                       l.opponent, "profile " + l.opponent});
      else if (l.kind == "results")
        out.push_back(
            {game +
             cell(l.rating > 0 ? std::to_string(l.rating) + (l.is_provisional ? "?" : "") : "",
                  kRating) +
             results_text(l)});
      else if (l.kind == "standing")
        out.push_back({cell(l.subject, kTitleColumns) + "place " + std::to_string(l.place) +
                           " of " + std::to_string(l.players),
                       Kind::plain, false, l.subject, "ladder " + l.subject});
      else if (has_blocks)
        out.push_back({game + rating_curve(l.ratings, columns - kGame - kBesideCurve)});
      else
        out.push_back(
            {game + join(Lines(l.ratings.end() - std::min(kNumbers, std::ssize(l.ratings)),
                               l.ratings.end()))});
    }
  }
  return out;
}

std::vector<std::string> to_lines(const ContestRows& rows) {
  Lines out;
  for (const ContestRow& row : rows) {
    out.push_back(row.kind == Kind::heading ? row.text : (row.is_own ? "> " : "  ") + row.text);
    out.back().erase(out.back().find_last_not_of(' ') + 1);
  }
  return out;
}

}  // namespace pbm
