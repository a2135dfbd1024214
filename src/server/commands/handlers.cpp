// SPDX-License-Identifier: MIT
#include "server/commands/handlers.hpp"

#include "base/text.hpp"
#include "game/record.hpp"

namespace pbm {

Result<BoardKey> board_key(const Request& r, std::string_view word) {
  const auto number = read_board_number(word);
  if (!number) return Refusal{"'" + fit(word, 20) + "' is no board: boards have numbers."};
  return BoardKey{r.game, *number};
}

Result<BoardKey> board_named(const Request& r, std::string_view word) {
  const auto key = board_key(r, word);
  if (!key) return key;
  const auto board = r.service->store().open(*key);
  return board ? key : board.refusal();
}

View view_for(const Request& r, const GameType& game) {
  View view;
  if (!game.fields.empty())
    view.field = r.service->field_of(r.user, game).value_or(game.fields.front());
  return view;
}

Lines drawing_of(const Request& r, const Match& match) {
  return position_text(match, view_for(r, match.game()));
}

Lines board_in_reply(const Request& r, const OpenBoard& board, std::size_t before) {
  if (!r.session->is_program()) return drawing_of(r, board.match);
  const auto& log = board.match.log();
  BoardUpdate update{r.service->summary_for(r.user, *r.service->store().info(board.key))};
  update.done.assign(log.begin() + static_cast<std::ptrdiff_t>(before), log.end());
  return {encode(update)};
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
