// SPDX-License-Identifier: MIT
#include "server/commands/helpers.hpp"

#include "base/text.hpp"
#include "protocol/match_description.hpp"

namespace pbm {

const GameType* need_game(std::string_view word) {
  if (const GameType* game = find_game(word)) return game;
  throw Refusal{"There is no game " + fit(word, 20) + ". Choose " + list_game_names() + "."};
}

NumberedWord read_numbered_word(std::string_view word) {
  const std::size_t hash = word.rfind('#');
  if (hash == std::string_view::npos) return {std::string(word)};
  const std::string_view digits = word.substr(hash + 1);
  const std::size_t dash = digits.find('-');
  const auto n = read_whole_number<std::size_t>(digits.substr(0, dash));
  const auto entries = dash == std::string_view::npos
                           ? std::nullopt
                           : read_whole_number<std::size_t>(digits.substr(dash + 1));
  if (!n || (dash != std::string_view::npos && !entries))
    throw Refusal{"'" + fit(word, 40) + "' needs a move number after the #, for example #7."};
  return {std::string(word.substr(0, hash)), n, entries};
}

std::optional<BoardKey> read_board_word(const Request& r, std::string_view word) {
  const auto number = read_board_number(word);
  return number ? std::optional(BoardKey{r.game, *number}) : read_board_id(lower(word));
}

BoardPtr need_board(const Request& r, std::string_view word) {
  const auto board = read_board_word(r, word);
  if (!board) throw Refusal{"'" + fit(word, 20) + "' is not a board number."};
  if (board->game != r.game)
    throw Refusal{"'" + fit(word, 20) + "' is a board of " + std::string(board->game->title) +
                  ", not of " + std::string(r.game->title) + "."};
  return value_or_throw(r.service->store.open(*board));
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + display_name(name);
  return out;
}

View view_for(const Request& r, const GameType& game) {
  View view;
  if (!game.drawing_styles.empty())
    view.drawing_style =
        r.service->accounts.chosen_field(r.userid, game).value_or(game.drawing_styles.front());
  return view;
}

Lines draw_match(const Request& r, const Match& match) {
  return position_text(match, view_for(r, match.game()));
}

Lines board_reply_lines(const Request& r, const OpenBoard& board, std::size_t before) {
  if (!r.session->is_program()) return draw_match(r, board.match);
  const auto& log = board.match.log();
  BoardSummary update = r.service->summary_for(r.userid, board.summary);
  update.latest_actions.emplace(log.begin() + static_cast<std::ptrdiff_t>(before), log.end());
  return {encode(update)};
}

std::string bracketed_options(const std::vector<std::string>& options) {
  return options.empty() ? "" : "  (" + join(options) + ")";
}

std::optional<std::size_t> read_skip_count(std::string_view word) {
  if (!word.starts_with('#')) return std::nullopt;
  return read_whole_number<std::uint32_t>(word.substr(1));
}

Account need_account(const Request& r, const std::string& word, const std::string& more) {
  const auto account = r.service->accounts.find_any(word);
  if (account && !account->is_closed) return *account;
  throw Refusal{(account ? account->userid + " " + account->closed_reason()
                         : "There is no userid " + fit(word, 20)) +
                "." + more};
}

void need_user(const Request& r, const std::string& word) {
  if (!r.service->accounts.find_any(word) && !r.service->store.rows().has_player(word))
    throw Refusal{"There is no userid " + fit(word, 20) + "."};
}

void need_users(const Request& r, const std::vector<std::string>& words) {
  if (words.size() > kMaxAsked)
    throw Refusal{"You can name at most " + std::to_string(kMaxAsked) + " userids at once."};
  for (const std::string& word : words) need_user(r, word);
}

}  // namespace pbm
