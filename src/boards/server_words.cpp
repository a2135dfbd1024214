// SPDX-License-Identifier: MIT
#include "boards/server_words.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/board_id.hpp"
#include "protocol/framing.hpp"
#include "game/options.hpp"
#include "save/yaml.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxTalk = 1000;  // bytes of a line that was said

// What happened on a board, in words; none for what is nothing to people.
Notification of_board(const std::string& id, const std::vector<std::string>& w,
                      const std::string& free_text) {
  using enum Notification::Kind;
  const std::string &what = w[2], who = w.size() > 3 ? w[3] : "somebody";
  if (what == "chat") return {talk, id, who + ": " + free_text};
  if (what == "turn") return {turn, id, "It is your turn."};
  if (what == "ply" && w.size() > 4)
    return {ply, id,
            w[4] + " plays " + (w.size() > 5 ? w[5] : "on") +
                (w.size() > 6 ? ", as it was queued." : ".")};
  if (what == "over" || what == "changed") return {ply, id, free_text};
  if (what == "new") return {board, id, "A new board: " + free_text + "."};
  if (what == "gone") return {board, id, free_text};
  if (what == "dropped")
    return {board, id, "What you had queued, " + who + ", is not played. " + free_text};
  if (what == "watch") return {board, id, who + " watches."};
  if (what == "unwatch") return {board, id, who + " watches no more."};
  if (is_match_word(what))
    return {offer, id,
            free_text.empty() ? who + " " + std::string(word_done(what)) + "." : free_text};
  return {};
}

// {what: draw, by: 2, waits_for: [1]}; what makes no sense is overlooked.
void read_offer(const YamlNode& offer, BoardLine& line) {
  const std::size_t seats = line.names.size(), by = number_in(offer, "by");
  if (by == 0 || by > seats) return;
  line.state = (text_in(offer, "what") == "draw" ? "draw offered by " : "undo asked by ") +
               line.names[by - 1];
  for (const std::string& text : texts_in(offer, "waits_for"))
    if (const auto seat = read_whole_number<std::size_t>(text);
        seat && *seat >= 1 && *seat <= seats)
      line.answering.push_back(static_cast<Seat>(*seat - 1));
}

}  // namespace

Heard understand_event(const std::string& event) {
  const std::size_t colon = event.find(" : ");
  const std::string free_text = colon == std::string::npos ? "" : event.substr(colon + 3);
  const std::vector<std::string> w =
      words(std::string_view(event).substr(0, std::min(colon, event.size())).substr(0, kMaxTalk));
  if (w.size() > 1 && w[0] == "signout")
    return {std::nullopt, false,
            sanitize(free_text.empty() ? "The server says no more." : free_text)};
  Notification news;
  bool boards_changed = false;
  const GameType* game = w.size() >= 3 ? find_game(w[0]) : nullptr;
  if (const auto number = game ? read_board_number(w[1]) : std::nullopt) {
    news = of_board(BoardKey{game, *number}.id(), w, free_text);
    boards_changed = w[2] != "chat";
  } else if (w.size() >= 2 && (w[0] == "message" || w[0] == "broadcast") &&
             colon != std::string::npos) {
    news = {Notification::Kind::talk, "",
            w[1] + (w[0] == "message" ? " to you: " : " to all: ") + free_text};
  }
  if (news.text.empty()) return {std::nullopt, boards_changed, ""};
  news.text = sanitize(news.text);
  return {news, boards_changed, ""};
}

std::optional<BoardLine> understand_board(const std::string& text, const std::string& user) {
  const auto root = read_yaml(text + "\n");
  const auto place = root ? read_board_id(text_in(*root, "board")) : std::nullopt;
  if (!place) return std::nullopt;
  BoardLine line;
  line.id = place->id();
  line.user = user;
  const YamlNode* broken = root->find("broken");
  const auto options = read_options(*place->game, texts_in(*root, "options"));
  for (const std::string& name : texts_in(*root, "seats")) line.names.push_back(shown_name(name));
  const std::size_t seats = line.names.size(), turn = number_in(*root, "turn"),
                    winner = number_in(*root, "winner");
  line.broken = broken || !options || seats < 2 || turn > seats || winner > seats;
  if (line.broken) {
    line.state = broken && !trim(broken->text).empty()
                     ? sanitize(broken->text)
                     : "The server knows more of " + line.id + " than this program.";
    return line;
  }
  line.title = title_with_options(*place->game, *options);
  if (turn > 0) line.to_move = static_cast<Seat>(turn - 1);
  line.state = turn > 0     ? line.names[turn - 1] + "'s turn"
               : winner > 0 ? line.names[winner - 1] + " won"
                            : "a tie";
  if (const YamlNode* offer = root->find("offer")) read_offer(*offer, line);
  line.plies = number_in(*root, "plies");
  line.changed = read_iso_time(text_in(*root, "changed")).value_or(Time{});
  line.watched = std::none_of(line.names.begin(), line.names.end(),
                              [&](const std::string& n) { return same_ignoring_case(n, user); });
  return line;
}

}  // namespace pbm
