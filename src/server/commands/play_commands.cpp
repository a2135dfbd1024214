// SPDX-License-Identifier: MIT
// Commands that play on boards.
#include <algorithm>

#include "base/text.hpp"
#include "protocol/answer_tree.hpp"
#include "server/commands/helpers.hpp"
#include "server/board_actions.hpp"

namespace pbm {
namespace {

// A board that the user plays on, and their seat.
struct OwnBoard {
  BoardPtr board;
  Seat seat;
};
OwnBoard need_own_board(const Request& r) {
  const BoardPtr board = need_board(r, r.words[0]);
  return {board, value_or_throw(board->summary.find_seat(r.userid))};
}

constexpr std::size_t kMaxMove = 200;  // bytes: the longest FloopRail and Chaos plies are shorter

// Reads the move after the board, with its number as in "BT#7". Joins its words, as players may
// type blanks in it. Refuses a wrong number, and a text longer than any move.
NumberedWord read_move(const Request& r) {
  const std::string word = join_words(r.words, 1, r.words.size());
  if (word.size() > kMaxMove) throw Refusal{"'" + fit(word, 20) + "' is longer than any move."};
  return read_numbered_word(word);
}

Reply play_move(Request& r, const OwnBoard& own, const NumberedWord& typed) {
  value_or_throw(check_text(r));
  // The board is gone after a refused challenge, so its summary is copied before.
  std::optional<BoardSummary> info;
  if (!r.text.empty()) info = own.board->summary;
  const std::size_t before = own.board->match.log().size();
  const auto deed =
      value_or_throw(play(*r.service, own.board, own.seat, typed, r.session->number()));
  if (info && !deed.already_done) send_chat(r, *info);
  if (!deed.board_removed) return Reply(deed.summary, board_reply_lines(r, *own.board, before));
  BoardSummary gone;
  gone.id = own.board->key.id();
  gone.is_deleted = true;
  return Reply(deed.summary, r.session->is_program() ? Lines{encode(gone)} : Lines{});
}

// Returns the number that the next ply of `seat` will have.
std::size_t next_ply_number(const Match& match, Seat seat) {
  std::size_t number = match.plies().size() + 1;
  for (Seat at = *match.to_move(); at != seat; at = (at + 1) % match.seats())
    number += match.is_playing(at);
  return number;
}

// Refuses a move that cannot be legal on the seat's next turn, whatever the others play.
void check_queueable(const Match& match, Seat seat, const NumberedWord& typed,
                     const std::string& board) {
  if (typed.number && *typed.number != next_ply_number(match, seat))
    throw Refusal{"Your next move on " + board + " is number " +
                  std::to_string(next_ply_number(match, seat)) + ", not " +
                  std::to_string(*typed.number) + "."};
  if (const auto fine = check_next_ply(match.position(), seat, typed.word); !fine)
    throw Refusal{fit(typed.word, 30) + " cannot be legal on your next turn. " +
                  fine.refusal().reason};
}

Reply run_move(Request& r) {
  const NumberedWord typed = read_move(r);
  return play_move(r, need_own_board(r), typed);
}

// Runs a command whose name is the action, such as `propose`.
Reply run_match_word(Request& r) {
  return play_move(r, need_own_board(r), {std::string(r.row->verb())});
}

Reply run_refuse(Request& r) {
  const OwnBoard own = need_own_board(r);
  if (const std::string& contest = r.service->describe_contest(own.board->key.id());
      !contest.empty())
    return Refusal{"A game of a tournament or ladder cannot be refused. Type resign to lose it."};
  if (std::ranges::count(own.board->summary.seats.unplayed, own.seat) == 0)
    return Refusal{r.userid + " has already played on " + own.board->key.to_string() +
                   ". Type resign to give up."};
  return play_move(r, own, {"resign"});
}

// Replies about the queue. The board has not changed, so people get no drawing.
Reply queue_reply(const Request& r, const OwnBoard& own, const std::string& sentence) {
  if (!r.session->is_program()) return Reply(sentence);
  return Reply(sentence, board_reply_lines(r, *own.board, own.board->match.log().size()));
}

// The same, and informs the player's other connections.
Reply changed_queue_reply(const Request& r, const OwnBoard& own, const std::string& sentence) {
  r.service->send_board_state({r.userid}, own.board->summary, {}, r.session->number());
  return queue_reply(r, own, sentence);
}

// Queues a ply or a tree. Returns a blank and a sentence about the one that it replaces, or "".
std::string replace_queued(const Request& r, const QueueKey& place, const QueuedPly& queued) {
  const auto before = r.service->queued_plies.find(place);
  r.service->queued_plies.put(place, queued);
  return before && before->move != queued.move ? " It replaces " + fit(before->move, 30) + "." : "";
}

// Queues a tree of answers, "BT.CO:DT". On the player's own turn it begins with a ply to play now.
Reply queue_tree(Request& r, const OwnBoard& own, const std::string& tree) {
  const Match& match = own.board->match;
  const QueueKey place{own.board->key.id(), r.userid};
  const auto read = [&](auto result) {
    if (!result)
      throw Refusal{"At character " + std::to_string(result.refusal().offset + 1) + " of " +
                    fit(tree, 40) + ": " + result.refusal().reason};
    return *std::move(result);
  };
  if (match.to_move() == own.seat && !match.ending()) {
    const AnswerTree::PlyWithAnswers begun =
        read(AnswerTree::read_after_ply(tree, match, own.seat));
    // Queued before the ply is played, since the opponent's queued answer may come at once.
    r.service->queued_plies.put(
        place, {begun.answers.to_string(), std::nullopt, match.log().size() + 1, true});
    return play_move(r, own, {begun.ply});
  }
  const std::string answers = read(AnswerTree::read(tree, match, own.seat)).to_string();
  const std::string also =
      replace_queued(r, place, {answers, std::nullopt, match.log().size(), true});
  return changed_queue_reply(r, own,
                             answers + " is queued on " + own.board->key.to_string() +
                                 ". Each answer is played at once." + also);
}

Reply queue_ply(Request& r, const OwnBoard& own, const NumberedWord& typed) {
  const Match& match = own.board->match;
  const BoardKey& key = own.board->key;
  const QueueKey place{key.id(), r.userid};
  const std::string said = key.to_string();
  if (equals_ignoring_case(typed.word, "none")) {
    if (!r.service->queued_plies.find(place)) return Refusal{"No move is queued on " + said + "."};
    r.service->queued_plies.drop(place);
    return changed_queue_reply(r, own, "No move is queued on " + said + " any more.");
  }
  if (is_match_word(typed.word))
    return Refusal{"Only moves can be queued. To " + lower(typed.word) + " now write " +
                   std::string(r.game->name) + " move " + std::to_string(key.number) + " " +
                   r.userid + " password " + lower(typed.word) + "."};
  if (match.ending() || !match.is_playing(own.seat) || match.to_move() == own.seat)
    return play_move(r, own, typed);
  if (typed.word.empty()) return Refusal{"Write: " + command_syntax(*r.row)};
  // The opponent plays that number, or it was sent before. play_move() tells which.
  if (typed.number && *typed.number <= match.plies().size() + 1) return play_move(r, own, typed);
  check_queueable(match, own.seat, typed, said);
  const std::string also = replace_queued(r, place, {typed.word, typed.number, match.log().size()});
  return changed_queue_reply(r, own,
                             typed.word + " is queued on " + said + " for your next turn." + also);
}

Reply run_queue(Request& r) {
  const OwnBoard own = need_own_board(r);
  if (r.words.size() == 1) {
    const auto queued = r.service->queued_plies.find({own.board->key.id(), r.userid});
    return queue_reply(r, own,
                       queued ? describe_queued(own.board->key, queued->to_string())
                              : "No move is queued on " + own.board->key.to_string() + ".");
  }
  const std::string text = join_words(r.words, 1, r.words.size());
  return AnswerTree::is_tree(text) ? queue_tree(r, own, text) : queue_ply(r, own, read_move(r));
}

Reply run_submit(Request& r) {
  const NumberedWord typed = read_move(r);
  if (typed.number)
    return Refusal{
        "Leave out the #. A confirmed move is played only on the position that was shown."};
  const OwnBoard own = need_own_board(r);
  Match next = own.board->match;
  const auto entry = value_or_throw(next.validate(own.seat, typed.word, r.service->time()));
  next.add(entry);
  r.service->queued_plies.submit({own.board->key.id(), r.userid},
                                 {entry.text, std::nullopt, own.board->match.log().size()});
  const std::string number = std::to_string(own.board->key.number);
  return Reply(entry.text + " would do this. To play it: " + std::string(r.game->name) +
                   " confirm " + number +
                   (r.session->userid() == r.userid ? "." : " " + r.userid + " and the password."),
               draw_match(r, next));
}

Reply run_confirm(Request& r) {
  const OwnBoard own = need_own_board(r);
  const QueueKey place{own.board->key.id(), r.userid};
  const QueuedPly* submitted = r.service->queued_plies.find_submitted(place);
  if (!submitted)
    return Refusal{"You have submitted no move on " + own.board->key.to_string() +
                   ". Submit one first."};
  if (submitted->entry_count != own.board->match.log().size())
    return Refusal{own.board->key.to_string() +
                   " has changed since then. Look at it and submit again."};
  return play_move(r, own, {submitted->move});
}

}  // namespace

std::span<const CommandRow> play_rows() {
  static const CommandRow rows[] = {
      {"GAME move", "board [userid password] move...[#number[-entries]] [: text]",
       "play a move, or propose, undo, accept, reject, resign", run_move},
      {"GAME queue",
       "board [userid password] [move...[#number] | move:answer[.move:answer...]... | none]",
       "queue a move or answers; none clears the queue", run_queue},
      {"GAME submit", "board [userid password] move...",
       "show what a move would do; confirm plays it", run_submit},
      {"GAME confirm", "board [userid password] [: text]", "play the submitted move", run_confirm},
      {"GAME refuse", "board [userid password] [: text]",
       "decline a challenge before your first move", run_refuse},
      {"GAME propose", "board [userid password] [: text]", "offer a draw", run_match_word},
      {"GAME undo", "board [userid password] [: text]", "ask to take back the last move",
       run_match_word},
      {"GAME accept", "board [userid password] [: text]", "accept an offer", run_match_word},
      {"GAME reject", "board [userid password] [: text]", "decline an offer", run_match_word},
      {"GAME resign", "board [userid password] [: text]", "give up", run_match_word},
  };
  return rows;
}

}  // namespace pbm
