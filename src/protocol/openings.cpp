// SPDX-License-Identifier: MIT
#include "protocol/openings.hpp"

#include <algorithm>
#include <numeric>

#include "base/text.hpp"

namespace pbm {

namespace {

constexpr std::size_t kShown = 8;  // the last plies to name

std::vector<std::string> first(const std::vector<std::string>& plies, std::size_t n) {
  return {plies.begin(), plies.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

std::vector<std::string> opening_of(const Match& match, std::size_t most) {
  const std::size_t n = std::min(match.plies().size(), most);
  std::vector<std::string> out;
  Position position = *match.game().start(match.options(), match.seats());
  while (out.size() < n && (match.seats() == 2 || position == match.position_after(out.size()))) {
    out.push_back(match.plies()[out.size()].text);
    position.play(out.back());
  }
  return out;
}

Result<Openings> Openings::after(const Match& match, std::size_t n) {
  const Position here = match.position_after(n);
  if (here.outcome())
    return Refusal{"The game is over there: look back, and openings tells what else was played."};
  Openings out(match, opening_of(match, n));
  if (!(out.here_ == here))
    return Refusal{"Somebody has given up by then: openings are of games in which all still play."};
  return out;
}

Openings::Openings(const Match& match, std::vector<std::string> plies)
    : game_(&match.game()),
      title_(title_with_options(*game_, match.options())),
      options_(match.options().words()),
      start_(*game_->start(match.options(), match.seats())),
      plies_(std::move(plies)),
      sorted_(plies_),
      here_(*end_of(plies_)) {
  std::ranges::sort(sorted_);
}

std::optional<Position> Openings::end_of(const std::vector<std::string>& plies) const {
  Position out = start_;
  for (const std::string& ply : plies) {
    const auto read = out.parse(ply);
    if (!read) return std::nullopt;
    out.play(*read);
  }
  return out;
}

bool Openings::of(const GameType& game, const std::vector<std::string>& options,
                  std::size_t seats) const {
  return &game == game_ && options == options_ && seats == static_cast<std::size_t>(start_.seats());
}

// Checks each order of the same plies only once.
bool Openings::comes_here(const std::vector<std::string>& plies) {
  const std::vector<std::string> line = first(plies, plies_.size());
  if (line == plies_) return true;
  std::vector<std::string> sorted = line;
  std::ranges::sort(sorted);
  if (sorted != sorted_) return false;
  const auto [known, fresh] = others_.try_emplace(line, false);
  if (fresh) known->second = end_of(line) == here_;
  return known->second;
}

// Returns nullptr if `ply` is not legal here.
Openings::Row* Openings::row(const std::string& ply) {
  if (const auto known = rows_.find(ply); known != rows_.end()) return &known->second;
  if (const auto read = here_.parse(ply); !read || *read != ply) return nullptr;
  Row fresh{ply, 0, std::vector<std::size_t>(static_cast<std::size_t>(start_.seats())), {}};
  width_ = std::max(width_, columns(ply));
  return &rows_.emplace(ply, std::move(fresh)).first->second;
}

void Openings::add(const Match& match) {
  if (match.ending() && of(match.game(), match.options().words(), match.names().size()))
    add(opening_of(match, plies_.size() + 1), match.ending()->winner);
}

void Openings::add(const std::vector<std::string>& plies, std::optional<Seat> winner) {
  if (plies.size() <= plies_.size() || !comes_here(plies)) return;
  Row* const found = row(plies[plies_.size()]);
  if (!found) return;
  ++own_;
  ++found->games;
  if (winner) ++found->won[static_cast<std::size_t>(*winner)];
}

std::string Openings::command() const {
  std::string out = std::string(game().name) + " openings";
  if (start_.seats() != game().min_seats) out += " " + std::to_string(start_.seats());
  for (const auto& more : {options_, plies_})
    for (const std::string& word : more) out += " " + word;
  return out;
}

std::vector<std::string> Openings::answer() const {
  constexpr std::size_t kWidth = 7;
  std::vector<std::string> out;
  for (const Row& row : rows()) {
    std::string line = pad(row.ply, width_) + pad_left(std::to_string(row.games), kWidth);
    for (const std::size_t won : row.won) line += pad_left(std::to_string(won), kWidth);
    out.push_back(line + pad_left(std::to_string(row.tied()), kWidth));
  }
  if (!remarks_.empty()) out.push_back("(" + remarks_ + ")");
  return out;
}

void Openings::add_answer(const std::vector<std::string>& lines) {
  asked_there_ = true;
  for (const std::string& line : lines) {
    if (line.starts_with('(') && line.ends_with(')')) remark(line.substr(1, line.size() - 2));
    else if (!read(line)) return remark("What the server answered beside that cannot be read.");
  }
}

// Reads a line of the table. Returns false if it is invalid.
bool Openings::read(const std::string& line) {
  const std::vector<std::string> parts = words(line);
  std::vector<std::size_t> counts;  // games, won by each seat, tied
  for (std::size_t i = 1; i < parts.size(); ++i)
    counts.push_back(read_whole_number<std::uint32_t>(parts[i]).value_or(0));
  const std::size_t seats = static_cast<std::size_t>(start_.seats());
  if (counts.size() != seats + 2 || counts[0] == 0 ||
      std::accumulate(counts.begin() + 1, counts.end(), std::size_t{0}) != counts[0])
    return false;
  Row* const found = row(parts[0]);
  if (!found) return false;
  there_ += counts[0];
  found->games += counts[0];
  for (std::size_t s = 0; s < seats; ++s) found->won[s] += counts[s + 1];
  return true;
}

std::size_t Openings::Row::tied() const {
  return games - std::accumulate(won.begin(), won.end(), std::size_t{0});
}

std::vector<Openings::Row> Openings::rows() const {
  std::vector<Row> out;
  for (const auto& [ply, row] : rows_) out.push_back(row);
  std::ranges::stable_sort(out, [](const Row& a, const Row& b) { return a.games > b.games; });
  return out;
}

std::string Openings::text() const {
  const std::string behind = remarks_.empty() ? "" : " " + remarks_;
  if (rows_.empty()) return "No finished game has come here." + behind;
  const std::size_t n = plies_.size(), shown = std::min(n, kShown);
  std::string out = "# " + title_;
  if (n == 0) out += ", from the start";
  else out += (n > shown ? " after ... " : " after ") + joined(plies_, n - shown, shown);
  out += "\n\n" + count_of(games(), "finished game", "finished games") + " came here";
  if (asked_there_)
    out += ", " + std::to_string(own_) + " of your own and " + std::to_string(there_) +
           " of the server's";
  out += ". " + here_.sign(here_.to_move()) +
         " is to move. Of 100 games so many were won and tied:\n\n" + table() + "\n";
  if (std::ranges::any_of(rows_, [](const auto& r) { return r.second.verdict.has_value(); }))
    out += "What stands after a move is proved by the computer, for whoever plays it.";
  else if (tried_) out += "The computer has proved nothing of these moves.";
  return out + behind + "\n";
}

// Formats a narrow table for small screens.
std::string Openings::table() const {
  std::string out = "    " + std::string(static_cast<std::size_t>(width_), ' ') + " games";
  std::vector<std::size_t> widths;
  const auto head = [&](const std::string& name) {
    widths.push_back(std::max<std::size_t>(name.size(), 3) + 1);
    out += pad_left(name, widths.back());
  };
  for (Seat s = 0; s < start_.seats(); ++s) head(here_.sign(s));
  head("tie");
  for (const Row& row : rows()) {
    out += "\n    " + pad(row.ply, width_) + pad_left(std::to_string(row.games), 6);
    std::vector<std::size_t> parts = row.won;
    parts.push_back(row.tied());
    for (std::size_t i = 0; i < parts.size(); ++i)
      out += pad_left(std::to_string((200 * parts[i] + row.games) / (2 * row.games)), widths[i]);
    if (row.verdict) out += " " + in_words(*row.verdict);
  }
  return out + "\n";
}

}  // namespace pbm
