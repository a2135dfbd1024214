// SPDX-License-Identifier: MIT
#include "boards/remote_boards.hpp"

#include <algorithm>

#include "protocol/contests.hpp"
#include "protocol/answer_tree.hpp"
#include "save/save.hpp"

namespace pbm {
namespace {

constexpr auto kMaxPendingTime =
    std::chrono::minutes(10);  // how long a ply is sent again; afterwards the user has to look

// Returns the start of a command about a board: "toot move 101".
std::string board_command(const BoardKey& board, std::string_view verb) {
  return std::string(board.game->name) + " " + std::string(verb) + " " +
         std::to_string(board.number);
}

}  // namespace

// Reads one part of a list of boards, so that the user's commands can run between the parts. The
// next part is read when there is nothing else to do. Returns nothing if it cannot be read.
std::optional<std::vector<BoardSummary>> RemoteBoards::read_list_part(const std::string& command,
                                                                      ListProgress& pieces) {
  const auto reply =
      request(command + (pieces.rows_read > 0 ? " #" + std::to_string(pieces.rows_read) : ""));
  pieces.has_more = false;
  if (!reply || !reply->ok) return std::nullopt;
  std::vector<BoardSummary> out;
  for (const std::string& text : reply->lines)
    if (auto board = decode_board(text, userid_)) out.push_back(std::move(*board));
  // An empty part with more to come would repeat for ever.
  pieces.has_more = !out.empty() && is_older_count(reply->lines.back());
  pieces.rows_read += out.size();
  if (pieces.has_more) wake();
  return out;
}

void RemoteBoards::refresh_list() {
  // Events that are here already may update the list. Other callers report a lost connection.
  if (connection_ && connection_->receive()) handle_events();
  if (!connection_ || userid_.empty() || !(list_is_old_ || own_progress_.has_more)) return;
  const bool anew = list_is_old_;
  if (anew) own_progress_.rows_read = 0;
  auto boards = read_list_part("boards " + userid_, own_progress_);
  if (!connection_) return;
  list_is_old_ = list_is_old_ && !anew;
  if (!boards) return;
  if (anew) followed_boards_.clear();
  own_progress_.has_more =
      followed_boards_.add(std::move(*boards), userid_) && own_progress_.has_more;
}

// Reads again who is connected, the open challenges and the boards of others.
void RemoteBoards::refresh_lobby() {
  if (!connection_ || userid_.empty()) return;
  if (!lobby_is_old_) return refresh_others();
  lobby_is_old_ = false;
  const auto lobby = request("lobby");
  if (!lobby || !lobby->ok) return;
  open_challenges_.clear();
  next_other_boards_.clear();
  others_progress_ = {0, lists_others_};
  if (!lists_others_) other_boards_.clear();
  for (auto& [userid, person] : people_) person.is_online = false;
  for (const std::string& text : lobby->lines) {
    if (const auto seek = decode_seek(text)) {
      open_challenges_.push_back(seek->make_list_row(userid_));
    } else if (const auto tournament = decode_tournament(text)) {
      open_challenges_.push_back(tournament->make_list_row());
    } else if (const auto person = decode_person(text)) {
      Person& known = people_[person->userid];
      known.userid = person->userid;
      known.is_online = true;
      known.is_computer = person->is_computer;
    }
  }
  refresh_others();
}

// Reads one part of the boards of others. The list shows the old ones until then.
void RemoteBoards::refresh_others() {
  if (!others_progress_.has_more) return;
  for (BoardSummary& board :
       read_list_part("boards all", others_progress_).value_or(std::vector<BoardSummary>{})) {
    board.is_of_others = true;
    if (!followed_boards_.find(board.id) && next_other_boards_.size() < kMaxOthers)
      next_other_boards_.push_back(std::move(board));
  }
  others_progress_.has_more = others_progress_.has_more && next_other_boards_.size() < kMaxOthers;
  if (!others_progress_.has_more || next_other_boards_.size() > other_boards_.size())
    other_boards_ = next_other_boards_;
}

Result<Success> RemoteBoards::request_lobby(bool all, bool others) {
  lobby_is_old_ = true;
  if (connection_) lists_others_ = others;
  refresh_lobby();
  if (!connection_) return no_connection();
  if (all) {
    const auto people = request("people");
    if (!people) return people.refusal();
    people_.clear();
    for (const std::string& text : people->lines)
      if (auto person = decode_person(text)) people_[person->userid] = std::move(*person);
  }
  wake();
  return Success{};
}

std::vector<Person> RemoteBoards::people() const {
  std::vector<Person> out;
  for (const auto& [userid, person] : people_) out.push_back(person);
  return out;
}

std::vector<BoardSummary> RemoteBoards::list() {
  if (!tasks_ || tasks_->is_inside_task()) {
    refresh_list();
    refresh_lobby();
  }
  std::vector<BoardSummary> out = followed_boards_.list();
  out.insert(out.end(), open_challenges_.begin(), open_challenges_.end());
  for (const BoardSummary& other : other_boards_)  // the user may watch one of them since
    if (!followed_boards_.find(other.id)) out.push_back(other);
  return out;
}

std::size_t RemoteBoards::count_waiting(const std::string& but) {
  if (!tasks_ || tasks_->is_inside_task()) refresh_list();
  return static_cast<std::size_t>(std::ranges::count_if(
      followed_boards_.list(),
      [&](const BoardSummary& l) { return l.id != but && is_waiting_for(l, userid_); }));
}

// Returns the match as the server has it: from its reports, or from its save.
Result<Match> RemoteBoards::fetch_match(const BoardKey& place, std::string& warning) {
  const std::string id = place.id();
  if (const Match* known = followed_boards_.find_match(id)) return *known;
  const auto save = require_ok(request(board_command(place, "save")));
  if (!save) return save.refusal();
  std::string text;
  for (const std::string& row : save->lines) text += row + "\n";
  if (text.size() > kMaxSave) return Refusal{id + " is too large for a save."};
  auto loaded = load_match(text, id);
  if (!loaded) return loaded.refusal();
  warning = loaded->warning;
  followed_boards_.forget_match(id);
  // The server reports no changes of boards that are not in the user's list.
  if (followed_boards_.find(id)) followed_boards_.keep_match(id, loaded->match);
  return std::move(loaded->match);
}

Result<Board> RemoteBoards::open(const std::string& id) {
  refresh_list();
  const auto place = followed_boards_.find_key(id);
  if (!place) return place.refusal();
  std::string warning;
  auto match = fetch_match(*place, warning);
  if (!match) return match.refusal();
  Board board{place->id(), local_notes().with_notes(place->id(), std::move(*match), warning),
              warning, Board::Remote{}};
  const auto is_own = [&](const std::string& name) { return equals_ignoring_case(name, userid_); };
  std::optional<BoardSummary> line;
  if (const BoardSummary* known = followed_boards_.find(place->id())) line = *known;
  else if (const auto info = request(board_command(*place, "info"));
           info && info->ok && info->lines.size() == 1)
    line = decode_board(info->lines.front(), userid_);
  // The server knows the userids that players of a finished game have now.
  const bool fits = line && line->names.size() == board.match.names().size();
  const std::vector<std::string>& names = fits ? line->names : board.match.names();
  if (std::ranges::count_if(names, is_own) == 1)
    board.remote->own_seat = static_cast<Seat>(std::ranges::find_if(names, is_own) - names.begin());
  if (line) {
    if (AnswerTree::is_tree(line->queued_ply)) board.remote->queued_answers = line->queued_ply;
    if (!line->queued_ply.empty()) line->queued_ply = describe_queued(*place, line->queued_ply);
    static_cast<BoardSummary&>(*board.remote) = std::move(*line);
    board.remote->is_watcher = !board.remote->own_seat && followed_boards_.find(place->id());
  }
  return board;
}

Result<Reply> RemoteBoards::send_board_command(const std::string& id, std::string_view verb,
                                               const std::string& more) {
  const auto place = followed_boards_.find_key(id);
  return place ? send_command(board_command(*place, verb) + more) : place.refusal();
}

Result<Board> RemoteBoards::rematch(const Board& board) {
  const auto reply = send_board_command(board.id, "rematch");
  if (!reply) return reply.refusal();
  const auto update = decode_reply_update(*reply, userid_);
  note_change(update.has_value());
  if (update) return open(update->id);
  return Refusal{"The server did not name the new board. Look for it in the list."};
}

Result<Success> RemoteBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  const auto place = followed_boards_.find_key(board.id);
  if (!place) return place.refusal();
  if (std::ranges::all_of(turns, [](const auto& turn) { return turn.note_on.has_value(); }))
    return local_notes().add(board.id, board.match, turns);
  if (turns.size() != 1) return Refusal{"On a server, play one move at a time."};
  const MoveRequest& turn = turns.front();
  if (!board.remote || !board.remote->own_seat)
    return Refusal{"You are watching. " + sanitize(join_with_and(board.match.names())) +
                   " play here."};
  // Refuses locally what it can. The server gets the ply in the spelling of the game.
  const auto entry = board.match.validate(*board.remote->own_seat, turn.text, now());
  if (!entry) return entry.refusal();
  connect_if_needed();
  if (!connection_) return no_connection();
  forget_pending(board.id);
  std::string command = board_command(*place, "move") + " " + entry->text + "#" +
                        std::to_string(board.match.plies().size() + 1);
  // The number makes sure that the answer is for the offer that the user sees.
  if (entry->text == "accept" || entry->text == "reject")
    command += "-" + std::to_string(board.remote->entry_count);
  auto reply = request(command, false);
  // The ply has a number, so it is safe to send it again on a new connection.
  if (!reply && !connection_ && sign_out_reason_.empty() && connect())
    reply = request(command, false);
  if (reply) return handle_move_reply(board, *entry, *reply);
  if (is_cancelled(setup_.waiter))
    return Refusal{"Given up. If the server plays " + entry->text +
                   " anyway, the board will show it."};
  pending_[board.id] =
      PendingPly{entry->text, command, std::chrono::steady_clock::now() + kMaxPendingTime, ""};
  return Refusal{"The connection broke before the server answered " + entry->text +
                 ". It is sent again when the connection is back, and played only once."};
}

// Handles the server's reply to a ply on that board, and makes `board` the newer one.
Result<Success> RemoteBoards::handle_move_reply(Board& board, const LogEntry& entry,
                                                const Reply& reply) {
  const auto update = decode_reply_update(reply, userid_);
  note_change(update.has_value());
  if (update && update->is_deleted)
    notifications_.add(Notification::Kind::board_gone, board.id, sanitize(reply.summary), true);
  // A refusal means that the server has actions that it has not reported yet.
  if (!reply.ok) followed_boards_.forget_match(board.id);
  auto fresh = open(board.id);
  if (!reply.ok && (!fresh || fresh->match.is_same_game(board.match))) return reply.refusal();
  Result<Success> out = Success{};
  if (!reply.ok) out = outdated_refusal(board.match, fresh->match, board.remote->own_seat);
  if (fresh) {
    board = std::move(*fresh);
  } else {
    // The ply is played, but the connection broke after the reply, or the board is gone because a
    // challenge was refused.
    board.match.add(entry);
    board.warning = sanitize(reply.summary);
    board.remote->is_deleted = update && update->is_deleted;
  }
  return out;
}

void RemoteBoards::resend_pending() {
  while (connection_ && !pending_.empty()) {
    const auto [id, sent] = *pending_.begin();
    if (std::chrono::steady_clock::now() > sent.deadline) {
      forget_pending(id);
      notifications_.add_connection("The connection is back. " + sent.ply +
                                        " is too old to be sent again. Check if it was played.",
                                    id);
      continue;
    }
    const auto reply = request(sent.command);
    if (!reply) return;  // retried after the next connection
    forget_pending(id);
    note_change(decode_reply_update(*reply, userid_).has_value());
    notifications_.add_connection(
        "The connection is back, " +
            (reply->ok ? "and " + sent.ply + " is played."
                       : "but " + sent.ply + " is not played: " + sanitize(reply->summary)),
        id);
    if (!reply->ok || sent.chat.empty()) continue;
    if (const auto said = send_chat(id, sent.chat); !said)
      notifications_.add_connection("The chat was not sent: " + sent.chat, id);
  }
}

Result<std::vector<ChatLine>> RemoteBoards::read_chat(const std::string& id, std::size_t behind) {
  const auto place = followed_boards_.find_key(id);
  if (!place) return place.refusal();
  const auto reply = require_ok(
      request(board_command(*place, "chats") + (behind > 0 ? " #" + std::to_string(behind) : "")));
  if (!reply) return reply.refusal();
  std::vector<ChatLine> out;
  for (const std::string& text : reply->lines)
    if (auto line = decode_chat(text)) out.push_back(std::move(*line));
  if (followed_boards_.mark_read(place->id())) wake();
  return out;
}

Result<std::string> RemoteBoards::send_chat(const std::string& id, std::string_view text) {
  if (trim(text).empty()) return Refusal{"Type chat and your text."};
  const auto reply = send_board_command(id, "chat", " : " + std::string(trim(text)));
  if (!reply) return reply.refusal();
  const std::string said = sanitize(userid_ + ": " + std::string(trim(text)));
  notifications_.add(Notification::Kind::message, id, said, true);
  unsaved_chat_.push_back({id, said, now()});
  save_chat();
  wake();
  return said;
}

Result<std::string> RemoteBoards::set_watching(const std::string& id, bool wanted) {
  const auto reply = send_board_command(id, wanted ? "subscribe" : "unsubscribe");
  if (!reply) return reply.refusal();
  note_change(false);
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::queue_move(const Board& board, std::string_view move) {
  if (!board.remote || !board.remote->own_seat)
    return Refusal{"You are watching and have no move to queue."};
  const auto reply = send_board_command(board.id, "queue", " " + std::string(trim(move)));
  if (!reply) return reply.refusal();
  if (!trim(move).empty()) note_change(decode_reply_update(*reply, userid_).has_value());
  return sanitize(reply->summary);
}

}  // namespace pbm
