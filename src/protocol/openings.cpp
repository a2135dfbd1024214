// SPDX-License-Identifier: MIT
#include "protocol/openings.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::size_t kMaxNamedPlies = 8;  // the last plies to name

std::vector<std::string> first_plies(const std::vector<std::string>& plies, std::size_t n) {
  return {plies.begin(), plies.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

std::vector<std::string> opening_plies(const Match& match, std::size_t most) {
  const std::size_t n = std::min(match.plies().size(), most);
  std::vector<std::string> out;
  Position position = *match.game().start(match.options(), match.seats());
  while (out.size() < n && (match.seats() == 2 || position == match.position_after(out.size()))) {
    out.push_back(match.plies()[out.size()].text);
    position.play(out.back());
  }
  return out;
}

Result<Openings> Openings::make_table(const Match& match, std::size_t n) {
  const Position here = match.position_after(n);
  if (here.outcome())
    return Refusal{"The game is over here. Go back a move to see what else was played."};
  Openings out(match, opening_plies(match, n));
  if (!(out.position_ == here))
    return Refusal{"A player has resigned here. Ask for openings at an earlier position."};
  return out;
}

Openings::Openings(const Match& match, std::vector<std::string> plies)
    : game_(&match.game()),
      title_(title_with_options(*game_, match.options())),
      options_(match.options().to_words()),
      start_(*game_->start(match.options(), match.seats())),
      plies_(std::move(plies)),
      sorted_plies_(plies_),
      position_(*position_after(plies_)) {
  std::ranges::sort(sorted_plies_);
}

std::optional<Position> Openings::position_after(const std::vector<std::string>& plies) const {
  Position out = start_;
  for (const std::string& ply : plies) {
    const auto read = out.parse(ply);
    if (!read) return std::nullopt;
    out.play(*read);
  }
  return out;
}

bool Openings::counts_game(const GameType& game, const std::vector<std::string>& options,
                           std::size_t seats) const {
  return &game == game_ && options == options_ && seats == static_cast<std::size_t>(start_.seats());
}

// Checks each order of the same plies only once.
bool Openings::reaches_position(const std::vector<std::string>& plies) {
  const std::vector<std::string> line = first_plies(plies, plies_.size());
  if (line == plies_) return true;
  std::vector<std::string> sorted = line;
  std::ranges::sort(sorted);
  if (sorted != sorted_plies_) return false;
  const auto [known, fresh] = transpositions_.try_emplace(line, false);
  if (fresh) known->second = position_after(line) == position_;
  return known->second;
}

// Returns nullptr if `ply` is not legal here.
Openings::Row* Openings::find_or_add_row(const std::string& ply) {
  if (const auto known = rows_.find(ply); known != rows_.end()) return &known->second;
  if (const auto read = position_.parse(ply); !read || *read != ply) return nullptr;
  Row fresh{ply, 0, std::vector<std::size_t>(static_cast<std::size_t>(start_.seats())), {}};
  ply_width_ = std::max(ply_width_, columns(ply));
  return &rows_.emplace(ply, std::move(fresh)).first->second;
}

void Openings::add(const Match& match) {
  if (match.ending() && counts_game(match.game(), match.options().to_words(), match.names().size()))
    add(opening_plies(match, plies_.size() + 1), match.ending()->winner);
}

void Openings::add(const std::vector<std::string>& plies, std::optional<Seat> winner) {
  if (plies.size() <= plies_.size() || !reaches_position(plies)) return;
  Row* const found = find_or_add_row(plies[plies_.size()]);
  if (!found) return;
  ++local_games_;
  ++found->games;
  if (winner) ++found->wins[static_cast<std::size_t>(*winner)];
}

std::string Openings::request_line() const {
  std::string out = std::string(game().name) + " openings";
  if (start_.seats() != game().min_seats) out += " " + std::to_string(start_.seats());
  for (const auto& more : {options_, plies_})
    for (const std::string& word : more) out += " " + word;
  return out;
}

std::vector<std::string> Openings::format_answer() const {
  constexpr std::size_t kWidth = 7;
  std::vector<std::string> out;
  for (const Row& row : rows()) {
    std::string line = pad(row.ply, ply_width_) + pad_left(std::to_string(row.games), kWidth);
    for (const std::size_t won : row.wins) line += pad_left(std::to_string(won), kWidth);
    out.push_back(line + pad_left(std::to_string(row.ties()), kWidth));
  }
  if (!remarks_.empty()) out.push_back("(" + remarks_ + ")");
  return out;
}

void Openings::add_answer(const std::vector<std::string>& lines) {
  has_server_answer_ = true;
  for (const std::string& line : lines) {
    if (line.starts_with('(') && line.ends_with(')')) add_remark(line.substr(1, line.size() - 2));
    else if (!read_row(line)) return add_remark("The rest of the server's answer cannot be read.");
  }
}

// Reads a line of the table. Returns false if it is invalid.
bool Openings::read_row(const std::string& line) {
  const std::vector<std::string> parts = split_words(line);
  std::vector<std::size_t> counts;  // games, won by each seat, tied
  for (std::size_t i = 1; i < parts.size(); ++i)
    counts.push_back(read_whole_number<std::uint32_t>(parts[i]).value_or(0));
  const std::size_t seats = static_cast<std::size_t>(start_.seats());
  if (counts.size() != seats + 2 || counts[0] == 0 ||
      std::accumulate(counts.begin() + 1, counts.end(), std::size_t{0}) != counts[0])
    return false;
  Row* const found = find_or_add_row(parts[0]);
  if (!found) return false;
  server_games_ += counts[0];
  found->games += counts[0];
  for (std::size_t s = 0; s < seats; ++s) found->wins[s] += counts[s + 1];
  return true;
}

std::size_t Openings::Row::ties() const {
  return games - std::accumulate(wins.begin(), wins.end(), std::size_t{0});
}

std::vector<Openings::Row> Openings::rows() const {
  std::vector<Row> out;
  for (const auto& [ply, row] : rows_) out.push_back(row);
  std::ranges::stable_sort(out, [](const Row& a, const Row& b) { return a.games > b.games; });
  return out;
}

std::string Openings::format_text() const {
  const std::string behind = remarks_.empty() ? "" : " " + remarks_;
  if (rows_.empty()) return "No finished game reached this position." + behind;
  const std::size_t n = plies_.size(), shown = std::min(n, kMaxNamedPlies);
  std::string out = "# " + title_;
  if (n == 0) out += ", from the start";
  else out += (n > shown ? " after ... " : " after ") + join_words(plies_, n - shown, shown);
  out +=
      "\n\n" + format_count(games(), "finished game", "finished games") + " reached this position";
  if (has_server_answer_)
    out += ", " + std::to_string(local_games_) + " of your own and " +
           std::to_string(server_games_) + " of the server's";
  out += ". " + position_.side_name(position_.to_move()) +
         " is to move. Games won and tied, in percent:\n\n" + format_table() + "\n";
  if (std::ranges::any_of(rows_, [](const auto& r) { return r.second.verdict.has_value(); }))
    out += "Results after moves are proved by the computer, for the player who moves.";
  else if (has_tried_proofs_) out += "The computer has proved no result for these moves.";
  return out + behind + "\n";
}

// Formats a narrow table for small screens.
std::string Openings::format_table() const {
  std::string out = "    " + std::string(static_cast<std::size_t>(ply_width_), ' ') + " games";
  std::vector<std::size_t> widths;
  const auto head = [&](const std::string& name) {
    widths.push_back(std::max<std::size_t>(name.size(), 3) + 1);
    out += pad_left(name, widths.back());
  };
  for (Seat s = 0; s < start_.seats(); ++s) head(position_.side_name(s));
  head("tie");
  for (const Row& row : rows()) {
    out += "\n    " + pad(row.ply, ply_width_) + pad_left(std::to_string(row.games), 6);
    std::vector<std::size_t> parts = row.wins;
    parts.push_back(row.ties());
    for (std::size_t i = 0; i < parts.size(); ++i)
      out += pad_left(std::to_string((200 * parts[i] + row.games) / (2 * row.games)), widths[i]);
    if (row.verdict) out += " " + verdict_text(*row.verdict);
  }
  return out + "\n";
}

}  // namespace pbm
