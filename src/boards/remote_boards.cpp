// SPDX-License-Identifier: MIT
#include "boards/remote_boards.hpp"

#include <algorithm>

#include "protocol/answers.hpp"
#include "save/save.hpp"

namespace pbm {

namespace {

constexpr auto kPendingFor =
    std::chrono::minutes(10);  // a ply is sent again; later the person is to look first

// The beginning of a command about a board: "toot move 101".
std::string on(const BoardKey& board, std::string_view verb) {
  return std::string(board.game->name) + " " + std::string(verb) + " " +
         std::to_string(board.number);
}

}  // namespace

// One piece of a list of boards, so that what the person does is between the pieces; the next one
// is asked for when nothing else is to be done. Nothing where it is not to be had.
std::optional<std::vector<BoardSummary>> RemoteBoards::read_piece(const std::string& command,
                                                                  Pieces& pieces) {
  const auto reply = request(command + (pieces.told > 0 ? " #" + std::to_string(pieces.told) : ""));
  pieces.more = false;
  if (!reply || !reply->ok) return std::nullopt;
  std::vector<BoardSummary> out;
  for (const std::string& text : reply->lines)
    if (auto board = decode_board(text, user_)) out.push_back(std::move(*board));
  // Of an empty one there would be more for ever.
  pieces.more = !out.empty() && tells_of_older(reply->lines.back());
  pieces.told += out.size();
  if (pieces.more) ring();
  return out;
}

void RemoteBoards::refresh_list() {
  // What is here already may tell all of it. A line that is lost is told by who needs it.
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

// Who is here, who seeks a player and what others play: what is asked for anew now and then.
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

// One piece of what others play. Meanwhile the list has what it had.
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
  for (const BoardSummary& other : others_)  // one of them may be watched since
    if (!followed_.find(other.id)) out.push_back(other);
  return out;
}

std::size_t RemoteBoards::waiting(const std::string& but) {
  if (!tasks_ || tasks_->within()) refresh_list();
  return static_cast<std::size_t>(std::ranges::count_if(
      followed_.list(), [&](const BoardSummary& l) { return l.id != but && waits_for(l, user_); }));
}

// As the server has it: what it told of it already, or its save.
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
  // Of others nothing is told.
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
  // What can be refused here is not sent; what is sent has the spelling of the game.
  const auto entry = board.match.validate(*board.remote->mine, turn.typed, now());
  if (!entry) return entry.refusal();
  need_line();
  if (!line_) return no_line();
  forget(board.id);
  std::string command =
      on(*place, "move") + " " + entry->text + "#" + std::to_string(board.match.plies().size() + 1);
  // What is answered is the offer that is seen here.
  if (entry->text == "accept" || entry->text == "reject")
    command += "-" + std::to_string(board.remote->entries);
  auto reply = request(command, false);
  // It does no harm to send it twice: if the connection breaks it is sent once more on a new one.
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

// What the server answers to a ply on that board, which becomes the newer one.
Result<Done> RemoteBoards::played(Board& board, const Action& entry, const Reply& reply) {
  const auto update = decode_update_in(reply, user_);
  changed_here(update.has_value());
  if (update && update->gone)
    news_.add(Notification::Kind::gone, board.id, sanitize(reply.summary), true);
  // A refusal says that more was done there than was told yet.
  if (!reply.ok) followed_.forget_match(board.id);
  auto fresh = open(board.id);
  if (!reply.ok && (!fresh || fresh->match.same_game(board.match))) return reply.refusal();
  Result<Done> out = Done{};
  if (!reply.ok) out = overtaken(board.match, fresh->match);
  if (fresh) {
    board = std::move(*fresh);
  } else {
    // Done all the same: the line broke behind the answer, or a challenge that was refused is gone.
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
    if (!reply) return;  // it is tried again with the line
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
