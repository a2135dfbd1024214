// SPDX-License-Identifier: MIT
#include "server/commands/handlers.hpp"

#include "base/text.hpp"

namespace pbm {

Result<BoardKey> board_named(const Request& r, std::string_view word) {
  const auto number = read_board_number(word);
  if (!number) return Refusal{"'" + fit(word, 20) + "' is no board: boards have numbers."};
  const BoardKey key{r.game, *number};
  const auto board = r.service->store().open(key);
  if (!board) return board.refusal();
  return key;
}

std::optional<char> chosen_field(const Request& r, const GameType& game) {
  if (const Account* account = r.service->accounts().find(r.user))
    if (const auto found = account->fields.find(std::string(game.name));
        found != account->fields.end() && game.fields.find(found->second) != std::string_view::npos)
      return found->second;
  return std::nullopt;
}

View view_for(const Request& r, const GameType& game) {
  View view;
  if (!game.fields.empty()) view.field = chosen_field(r, game).value_or(game.fields.front());
  return view;
}

std::vector<std::string> drawing_of(const Request& r, const Match& match) {
  Lines out = match.draw(match.plies().size(), view_for(r, match.game())).rows;
  out.emplace_back();
  if (const std::string left = match.holdings_after(match.plies().size()); !left.empty())
    out.push_back(left);
  out.push_back(match.standing());
  if (match.offer()) out.push_back(match.offered());
  return out;
}

std::string in_brackets(const std::vector<std::string>& options) {
  return options.empty() ? "" : "  (" + joined(options, 0, options.size()) + ")";
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

Result<Done> need_user(const Request& r, const std::string& word) {
  if (r.service->accounts().ever(word)) return Done{};
  for (const GameType& game : all_games())
    for (const auto& [number, info] : r.service->store().boards(game))
      if (info.plays(word)) return Done{};
  return Refusal{"There is no userid " + fit(word, 20) + " here."};
}

Result<Done> need_users(const Request& r, const std::vector<std::string>& words) {
  if (words.size() > kMaxAsked)
    return Refusal{"At most " + std::to_string(kMaxAsked) + " userids are looked for at once."};
  for (const std::string& word : words)
    if (const auto ok = need_user(r, word); !ok) return ok.refusal();
  return Done{};
}

}  // namespace pbm
