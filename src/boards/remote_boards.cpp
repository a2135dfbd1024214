// SPDX-License-Identifier: MIT
#include "boards/remote_boards.hpp"

#include <algorithm>

#include "protocol/answers.hpp"
#include "save/save.hpp"

namespace pbm {

namespace {

constexpr auto kPendingFor =
    std::chrono::minutes(10);  // how long a ply is sent again; afterwards the user has to look

// Returns the start of a command about a board: "toot move 101".
std::string on(const BoardKey& board, std::string_view verb) {
  return std::string(board.game->name) + " " + std::string(verb) + " " +
         std::to_string(board.number);
}

}  // namespace

// Reads one part of a list of boards, so that the user's commands can run between the parts. The
// next part is read when there is nothing else to do. Returns nothing if it cannot be read.
std::optional<std::vector<BoardSummary>> RemoteBoards::read_piece(const std::string& command,
                                                                  Pieces& pieces) {
  const auto reply = request(command + (pieces.told > 0 ? " #" + std::to_string(pieces.told) : ""));
  pieces.more = false;
  if (!reply || !reply->ok) return std::nullopt;
  std::vector<BoardSummary> out;
  for (const std::string& text : reply->lines)
    if (auto board = decode_board(text, user_)) out.push_back(std::move(*board));
  // An empty part with more to come would repeat for ever.
  pieces.more = !out.empty() && tells_of_older(reply->lines.back());
  pieces.told += out.size();
  if (pieces.more) ring();
  return out;
}

void RemoteBoards::refresh_list() {
  // Events that are here already may update the list. Other callers report a lost connection.
  if (line_ && line_->take_in()) hear_events();
  if (!line_ || user_.empty() || !(list_is_old_ || own_.more)) return;
  const bool anew = list_is_old_;
  if (anew) own_.told = 0;
  auto boards = read_piece("boards " + user_, own_);
  if (!line_) return;
  list_is_old_ = list_is_old_ && !anew;
  if (!boards) return;
  if (anew) followed_.clear();
  own_.more = followed_.add(std::move(*boards), user_) && own_.more;
}

// Reads again who is connected, the open challenges and the boards of others.
void RemoteBoards::refresh_lobby() {
  if (!line_ || user_.empty()) return;
  if (!lobby_is_old_) return refresh_others();
  lobby_is_old_ = false;
  const auto lobby = request("lobby");
  if (!lobby || !lobby->ok) return;
  seeks_.clear();
  next_others_.clear();
  of_others_ = {0, shows_others_};
  if (!shows_others_) others_.clear();
  for (auto& [userid, person] : people_) person.here = false;
  for (const std::string& text : lobby->lines) {
    if (const auto seek = decode_seek(text)) {
      seeks_.push_back(seek->as_row(user_));
    } else if (const auto person = decode_person(text)) {
      Person& known = people_[person->userid];
      known.userid = person->userid;
      known.here = true;
      known.computer = person->computer;
    }
  }
  refresh_others();
}

// Reads one part of the boards of others. The list shows the old ones until then.
void RemoteBoards::refresh_others() {
  if (!of_others_.more) return;
  for (BoardSummary& board :
       read_piece("boards all", of_others_).value_or(std::vector<BoardSummary>{})) {
    board.of_others = true;
    if (!followed_.find(board.id) && next_others_.size() < kMaxOthers)
      next_others_.push_back(std::move(board));
  }
  of_others_.more = of_others_.more && next_others_.size() < kMaxOthers;
  if (!of_others_.more || next_others_.size() > others_.size()) others_ = next_others_;
}

Result<Done> RemoteBoards::look_around(bool all, bool others) {
  lobby_is_old_ = true;
  if (line_) shows_others_ = others;
  refresh_lobby();
  if (!line_) return no_line();
  if (all) {
    const auto people = request("people");
    if (!people) return people.refusal();
    people_.clear();
    for (const std::string& text : people->lines)
      if (auto person = decode_person(text)) people_[person->userid] = std::move(*person);
  }
  ring();
  return Done{};
}

std::vector<Person> RemoteBoards::people() const {
  std::vector<Person> out;
  for (const auto& [userid, person] : people_) out.push_back(person);
  return out;
}

std::vector<BoardSummary> RemoteBoards::list() {
  if (!tasks_ || tasks_->within()) {
    refresh_list();
    refresh_lobby();
  }
  std::vector<BoardSummary> out = followed_.list();
  out.insert(out.end(), seeks_.begin(), seeks_.end());
  for (const BoardSummary& other : others_)  // the user may watch one of them since
    if (!followed_.find(other.id)) out.push_back(other);
  return out;
}

std::size_t RemoteBoards::waiting(const std::string& but) {
  if (!tasks_ || tasks_->within()) refresh_list();
  return static_cast<std::size_t>(std::ranges::count_if(
      followed_.list(), [&](const BoardSummary& l) { return l.id != but && waits_for(l, user_); }));
}

// Returns the match as the server has it: from its reports, or from its save.
Result<Match> RemoteBoards::match_of(const BoardKey& place, std::string& warning) {
  const std::string id = place.id();
  if (const Match* known = followed_.match(id)) return *known;
  const auto save = accepted(request(on(place, "save")));
  if (!save) return save.refusal();
  std::string text;
  for (const std::string& row : save->lines) text += row + "\n";
  if (text.size() > kMaxSave) return Refusal{id + " is larger than a save may be."};
  auto loaded = load_match(text, id);
  if (!loaded) return loaded.refusal();
  warning = loaded->warning;
  followed_.forget_match(id);
  // The server reports no changes of boards that are not in the user's list.
  if (followed_.find(id)) followed_.follow(id, loaded->match);
  return std::move(loaded->match);
}

Result<Board> RemoteBoards::open(const std::string& id) {
  refresh_list();
  const auto place = followed_.key_of(id);
  if (!place) return place.refusal();
  std::string warning;
  auto match = match_of(*place, warning);
  if (!match) return match.refusal();
  Board board{place->id(), notebook().with_notes(place->id(), std::move(*match), warning), warning,
              Board::Remote{}};
  const Match& m = board.match;
  std::vector<Seat> mine;
  for (Seat s = 0; s < m.seats(); ++s)
    if (same_ignoring_case(m.names()[static_cast<std::size_t>(s)], user_)) mine.push_back(s);
  if (mine.size() == 1) board.remote->mine = mine.front();
  std::optional<BoardSummary> line;
  if (const BoardSummary* known = followed_.find(place->id())) line = *known;
  else if (const auto info = request(on(*place, "info"));
           info && info->ok && info->lines.size() == 1)
    line = decode_board(info->lines.front(), user_);
  if (line) {
    if (Answers::is_tree(line->queued)) board.remote->answers = line->queued;
    if (!line->queued.empty()) line->queued = queued_in_words(*place, line->queued);
    static_cast<BoardSummary&>(*board.remote) = std::move(*line);
    board.remote->watches = !board.remote->mine && followed_.find(place->id());
  }
  return board;
}

Result<Reply> RemoteBoards::order_on(const std::string& id, std::string_view verb,
                                     const std::string& more) {
  const auto place = followed_.key_of(id);
  return place ? order(on(*place, verb) + more) : place.refusal();
}

Result<Board> RemoteBoards::rematch(const Board& board) {
  const auto reply = order_on(board.id, "rematch");
  if (!reply) return reply.refusal();
  const auto update = decode_update_in(*reply, user_);
  changed_here(update.has_value());
  if (update) return open(update->id);
  return Refusal{"The server did not say which board it is: look among the boards."};
}

Result<Done> RemoteBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  const auto place = followed_.key_of(board.id);
  if (!place) return place.refusal();
  if (std::ranges::all_of(turns, [](const auto& turn) { return turn.note_on.has_value(); }))
    return notebook().add(board.id, board.match, turns);
  if (turns.size() != 1) return Refusal{"On a server moves are played one by one."};
  const MoveRequest& turn = turns.front();
  if (!board.remote || !board.remote->mine)
    return Refusal{"You watch this board: " + sanitize(all_of(board.match.names())) +
                   " play on it."};
  // Refuses locally what it can. The server gets the ply in the spelling of the game.
  const auto entry = board.match.validate(*board.remote->mine, turn.typed, now());
  if (!entry) return entry.refusal();
  need_line();
  if (!line_) return no_line();
  forget(board.id);
  std::string command =
      on(*place, "move") + " " + entry->text + "#" + std::to_string(board.match.plies().size() + 1);
  // The number makes sure that the answer is for the offer that the user sees.
  if (entry->text == "accept" || entry->text == "reject")
    command += "-" + std::to_string(board.remote->entries);
  auto reply = request(command, false);
  // The ply has a number, so it is safe to send it again on a new connection.
  if (!reply && !line_ && locked_out_.empty() && connect()) reply = request(command, false);
  if (reply) return played(board, *entry, *reply);
  if (gives_up(setup_.wait))
    return Refusal{"Given up. If the server plays " + entry->text +
                   " all the same, that is shown once it answers."};
  pending_[board.id] =
      Pending{entry->text, command, std::chrono::steady_clock::now() + kPendingFor};
  return Refusal{"The connection broke before " + entry->text +
                 " was answered. It is asked again when the connection is back, and played once."};
}

// Handles the server's reply to a ply on that board, and makes `board` the newer one.
Result<Done> RemoteBoards::played(Board& board, const Action& entry, const Reply& reply) {
  const auto update = decode_update_in(reply, user_);
  changed_here(update.has_value());
  if (update && update->gone)
    news_.add(Notification::Kind::gone, board.id, sanitize(reply.summary), true);
  // A refusal means that the server has actions that it has not reported yet.
  if (!reply.ok) followed_.forget_match(board.id);
  auto fresh = open(board.id);
  if (!reply.ok && (!fresh || fresh->match.same_game(board.match))) return reply.refusal();
  Result<Done> out = Done{};
  if (!reply.ok) out = overtaken(board.match, fresh->match);
  if (fresh) {
    board = std::move(*fresh);
  } else {
    // The ply is played, but the connection broke after the reply, or the board is gone because a
    // challenge was refused.
    board.match.add(entry);
    board.warning = sanitize(reply.summary);
  }
  return out;
}

void RemoteBoards::send_pending() {
  while (line_ && !pending_.empty()) {
    const auto [id, sent] = *pending_.begin();
    if (std::chrono::steady_clock::now() > sent.until) {
      forget(id);
      news_.add_of_line("The connection is back; " + sent.text +
                            " was too long ago to be asked again: look whether it was played.",
                        id);
      continue;
    }
    const auto reply = request(sent.command);
    if (!reply) return;  // retried after the next connection
    forget(id);
    changed_here(decode_update_in(*reply, user_).has_value());
    news_.add_of_line(
        "The connection is back, " +
            (reply->ok ? "and " + sent.text + " is played."
                       : "but " + sent.text + " is not played: " + sanitize(reply->summary)),
        id);
  }
}

Result<std::vector<ChatLine>> RemoteBoards::said_on(const std::string& id, std::size_t behind) {
  const auto place = followed_.key_of(id);
  if (!place) return place.refusal();
  const auto reply =
      accepted(request(on(*place, "chats") + (behind > 0 ? " #" + std::to_string(behind) : "")));
  if (!reply) return reply.refusal();
  std::vector<ChatLine> out;
  for (const std::string& text : reply->lines)
    if (auto line = decode_chat(text)) out.push_back(std::move(*line));
  if (followed_.read(place->id())) ring();
  return out;
}

Result<std::string> RemoteBoards::chat(const std::string& id, std::string_view text) {
  if (trim(text).empty()) return Refusal{"Type chat and what is to be said."};
  const auto reply = order_on(id, "chat", " : " + std::string(trim(text)));
  if (!reply) return reply.refusal();
  const std::string said = sanitize(user_ + ": " + std::string(trim(text)));
  news_.add(Notification::Kind::talk, id, said, true);
  said_.push_back({id, said, now()});
  keep_talk();
  ring();
  return said;
}

Result<std::string> RemoteBoards::watch(const std::string& id, bool wanted) {
  const auto reply = order_on(id, wanted ? "subscribe" : "unsubscribe");
  if (!reply) return reply.refusal();
  changed_here(false);
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::queue(const Board& board, std::string_view move) {
  if (!board.remote || !board.remote->mine)
    return Refusal{"You watch this board, and have nothing to play."};
  const auto reply = order_on(board.id, "queue", " " + std::string(trim(move)));
  if (!reply) return reply.refusal();
  if (!trim(move).empty()) changed_here(decode_update_in(*reply, user_).has_value());
  return sanitize(reply->summary);
}

}  // namespace pbm
