// SPDX-License-Identifier: MIT
#include "server/board_actions.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "protocol/answer_tree.hpp"
#include "protocol/match_description.hpp"
#include "server/contest_rounds.hpp"

namespace pbm {
namespace {

std::string player_name(const Match& match, Seat seat) {
  return display_name(match.names()[index(seat)]);
}

bool is_ply(const LogEntry& entry) { return !entry.note_ply && !is_match_word(entry.text); }

Event make_event(const BoardKey& key, const Match& after, const LogEntry& entry, bool automatic) {
  const bool word = is_match_word(entry.text);
  Event out{word ? event_kind(entry.text) : Event::Kind::ply, key, player_name(after, entry.seat)};
  if (word) {
    out.text = describe_last_action(after);
    return out;
  }
  out.number = after.plies().size();
  out.move = entry.text;
  out.is_automatic = automatic;
  return out;
}

Event make_text_event(Event::Kind kind, const BoardKey& key, std::string text) {
  Event out{kind, key};
  out.text = std::move(text);
  return out;
}

// Returns the sentence of a reply about a player's action.
std::string action_summary(const Match& after, const LogEntry& entry) {
  const std::string number = std::to_string(after.plies().size());
  return (is_ply(entry) ? "Move " + number + ": " : "") + describe_last_action(after);
}

// Returns the userid whose turn it is.
std::string userid_to_move(const Match& m) { return lower(m.names()[index(*m.to_move())]); }

Event make_turn_event(const BoardKey& key, const Match& m) {
  return {Event::Kind::turn, key, "", m.plies().size() + 1};
}

// Sends the events of an action. Except for plies, players who are away get them in their mail,
// unless they did it themselves; watchers do not. An offer tells its opponents how to answer.
void send_action_events(Service& service, const BoardKey& key,
                        const std::vector<std::string>& everybody, const Match& after,
                        const LogEntry& entry, std::uint64_t from, bool automatic) {
  const Event what = make_event(key, after, entry, automatic);
  const bool word = is_match_word(entry.text), resigns = entry.text == "resign";
  if (!word) service.send_event(everybody, what, false, from);
  const std::vector<Seat> asked = word && !resigns ? seats_to_answer(after) : std::vector<Seat>{};
  // A queued ply or a forfeit is news to its own player, too.
  const bool own = !automatic && entry.forfeit_reason == ForfeitReason::none;
  std::vector<std::string> answer;               // users who have to answer
  std::array<std::vector<std::string>, 2> hear;  // users to inform, by whether it is news
  std::array<std::vector<std::string>, 2> over;  // the same at the end of the game
  for (const std::string& user : everybody) {
    const auto has = [&](Seat seat) {
      return equals_ignoring_case(after.names()[index(seat)], user);
    };
    bool news = false;
    for (Seat s = 0; s < after.seats(); ++s) news = news || (has(s) && !(own && s == entry.seat));
    if (std::ranges::any_of(asked, has)) answer.push_back(user);
    else if (word) hear[news].push_back(user);
    if (after.ending()) over[news].push_back(user);
  }
  if (!answer.empty()) {
    Event how = what;
    how.text.replace(how.text.size() - 1, 1, ". Type accept or reject.");
    service.send_event(answer, how, true, from);
  }
  for (const bool news : {false, true}) {
    service.send_event(hear[news], what, news, from);
    if (after.ending())
      service.send_event(over[news], make_text_event(Event::Kind::game_over, key, after.status()),
                         news, from);
  }
  // An open offer does not stop the player to move. If only some players accept it, the turn stays
  // the same.
  const bool moved = !word || resigns || (entry.text == "accept" && !after.offer());
  if (moved && !after.ending() && !service.queued_plies.find({key.id(), userid_to_move(after)}))
    service.send_event({userid_to_move(after)}, make_turn_event(key, after), false, from);
}

constexpr std::ptrdiff_t kMinRatedPlies = 3;  // plies of each seat

// Returns why a game is not rated, or "".
std::string why_unrated(Service& service, const BoardKey& key, const Match& m) {
  if (m.seats() != 2) return "more than two played";
  if (const auto place = service.tournaments.find_game(key.id());
      place && service.tournaments.find(place->tournament)->is_unrated)
    return place->tournament + " is not rated";
  const auto known = [&](const std::string& name) {
    return service.accounts.find_any(name).has_value();
  };
  if (!known(m.names()[0]) || !known(m.names()[1]) ||
      equals_ignoring_case(m.names()[0], m.names()[1]))
    return "a seat has no userid";
  if (!service.options.rate_computers)
    for (const std::string& name : m.names())
      if (service.accounts.find_any(name)->is_computer)
        return display_name(name) + " is a computer";
  for (Seat seat = 0; seat < m.seats(); ++seat)
    if (std::ranges::count_if(m.plies(), [&](const auto& ply) { return ply.seat == seat; }) <
        kMinRatedPlies)
      return "not every seat made " + std::to_string(kMinRatedPlies) + " moves";
  return "";
}

FinishedGame make_finished_game(Service& service, const BoardKey& key, const Match& m) {
  FinishedGame game;
  game.game = key.game->name;
  game.board_number = key.number;
  game.ended_at = m.last_change();
  game.options = m.options().to_words();
  game.seats = m.names();
  game.winner = m.ending()->winner;
  game.plies = m.plies().size();
  game.unrated_reason = why_unrated(service, key, m);
  for (Seat seat = 0; !game.winner && seat < m.seats(); ++seat)
    if (!m.is_playing(seat)) game.resigned.push_back(seat);
  return game;
}

// Adds an entry to a board, with all its consequences.
Result<Success> add_entry(Service& service, const BoardPtr& board, const LogEntry& entry,
                          std::uint64_t from, bool automatic) {
  const BoardKey key = board->key;
  if (const auto done = service.store.add(board, entry); !done) return done.refusal();
  ++service.counts.entries;
  const Match& after = board->match;
  if (automatic) service.queued_plies.mark_automatic(key.id(), after.plies().size(), entry.time);
  if (automatic || entry.text == "resign")
    service.queued_plies.drop({key.id(), lower(after.names()[index(entry.seat)])});
  const bool ends = after.ending() && !service.history.has_game(key.game->name, key.number);
  if (ends) service.history.add(make_finished_game(service, key, after));
  const std::vector<std::string> everybody = service.audience(board->summary);
  service.send_board_state(everybody, board->summary, {entry}, from);
  send_action_events(service, key, everybody, after, entry, from, automatic);
  // A watcher who is away is notified of each ply, too.
  if (!service.options.notify_program.empty() && (is_ply(entry) || after.ending()))
    for (const std::string& user : everybody)
      if (!board->summary.has_player(user))
        if (const auto account = service.accounts.find(user))
          service.notifier.schedule(*account, key, false);
  if (ends) record_contest_result(service, key, &after);
  return Success{};
}

// True if the seat has played since `queued` was queued.
bool has_played_since(const Match& match, Seat seat, const QueuedPly& queued) {
  return std::any_of(match.log().begin() + static_cast<std::ptrdiff_t>(queued.entry_count),
                     match.log().end(),
                     [&](const LogEntry& e) { return e.seat == seat && is_ply(e); });
}

// Deletes a queued ply whose turn has come, and tells its player why. With "" the player only hears
// that it is their turn, as nobody told them while the ply was queued.
void drop_queued_ply(Service& service, const BoardPtr& board, const std::string& user,
                     const QueuedPly& queued, const std::string& why) {
  const BoardKey key = board->key;
  service.queued_plies.drop({key.id(), user});
  service.send_board_state({user}, board->summary, {});
  Event dropped = make_text_event(Event::Kind::queue_dropped, key, why);
  dropped.move = fit(queued.move, 60);
  if (!why.empty()) service.send_event({user}, dropped, true);
  service.send_event({user}, make_turn_event(key, board->match), false);
}

// Returns the answer of a queued tree to the plies played since it was queued.
Result<AnswerTree::PlyWithAnswers> find_answer(const Match& match, const QueuedPly& queued) {
  const auto answers = AnswerTree::read(queued.move);
  if (!answers) return answers.refusal();
  std::vector<std::string> plies;
  for (std::size_t i = queued.entry_count; i < match.log().size(); ++i)
    if (is_ply(match.log()[i])) plies.push_back(match.log()[i].text);
  return answers->find_answer(plies);
}

// Refuses an entry if the board is full. Plies (with those taken back) have one limit, offers and
// answers another of the same size. Answers are always allowed. When the plies are full, a draw
// offer is allowed too, as the game could not end otherwise.
Result<Success> check_room(const Service& service, const OpenBoard& board,
                           const std::string& text) {
  const auto& log = board.match.log();
  const std::size_t most = service.options.entries_a_board;
  const auto word = find_match_word(text);
  if (log.size() < most || (word && *word != MatchWord::propose && *word != MatchWord::undo))
    return Success{};
  const auto plies = index(std::ranges::count_if(log, is_ply));
  if (plies >= most && word != MatchWord::propose)
    return Refusal{board.key.to_string() + " has had " + std::to_string(most) +
                   " moves, the limit. Resign or agree on a draw. No clock runs."};
  if (plies < most && word && log.size() - plies >= most)
    return Refusal{board.key.to_string() + " has had " + std::to_string(most) +
                   " offers and answers, the limit. Play or resign."};
  return Success{};
}

// Plays the queued plies of the seats to move, one after the other.
void play_queue(Service& service, const BoardPtr& board) {
  const BoardKey key = board->key;
  while (const auto seat = board->match.to_move()) {
    const std::string user = userid_to_move(board->match);
    const auto found = service.queued_plies.find({key.id(), user});
    if (!found) return;
    const QueuedPly& queued = *found;
    const std::size_t number = board->match.plies().size() + 1;
    if (queued.ply && *queued.ply != number)
      return drop_queued_ply(service, board, user, queued,
                             "You queued it for move " + std::to_string(*queued.ply) +
                                 ", but this is move " + std::to_string(number) + ".");
    // A ply was taken back, or the save is an older one.
    if (queued.entry_count < board->match.last_take_back() ||
        queued.entry_count > board->match.log().size())
      return drop_queued_ply(service, board, user, queued,
                             "The board has changed since you queued it.");
    std::string typed = queued.move;
    AnswerTree rest;
    if (queued.is_tree) {
      auto next = find_answer(board->match, queued);
      if (!next) return drop_queued_ply(service, board, user, queued, next.refusal().reason);
      typed = std::move(next->ply);
      rest = std::move(next->answers);
    } else if (has_played_since(board->match, *seat, queued)) {
      return drop_queued_ply(service, board, user, queued, "");
    }
    const auto entry = board->match.validate(*seat, typed, service.time());
    if (!entry) return drop_queued_ply(service, board, user, queued, entry.refusal().reason);
    if (const auto room = check_room(service, *board, entry->text); !room)
      return drop_queued_ply(service, board, user, queued, room.refusal().reason);
    if (const auto done = add_entry(service, board, *entry, 0, true); !done)
      return drop_queued_ply(service, board, user, queued, done.refusal().reason);
    if (!rest.empty())
      service.queued_plies.put({key.id(), user},
                               {rest.to_string(), std::nullopt, board->match.log().size(), true});
  }
  for (const std::string& name : board->match.names())
    service.queued_plies.drop({key.id(), lower(name)});
}

// True if this seat already did what is asked for. A client that lost its connection may repeat a
// command to find out.
bool is_already_done(const Match& match, Seat seat, const NumberedWord& typed) {
  const std::size_t n = *typed.number, plies = match.plies().size();
  const std::string text = lower(trim(typed.word));
  if (!is_match_word(text)) {
    if (n == 0 || n > plies || match.plies()[n - 1].seat != seat) return false;
    const auto ply = match.position_after(n - 1).parse(typed.word);
    return ply && *ply == match.plies()[n - 1].text;
  }
  // The last action, which a note is not.
  const auto last = std::find_if(match.log().rbegin(), match.log().rend(),
                                 [](const LogEntry& e) { return !e.note_ply; });
  if (last == match.log().rend()) return false;
  const bool here = n == plies + 1 || (text == "accept" && n == plies + 2);
  return here && last->seat == seat && last->text == text;
}

// True if the player saw an older state of the board, which had `entries` entries. Since then a ply
// was played, or an offer was made that `text` would answer.
bool is_outdated(const Match& match, std::size_t entries, std::string_view text) {
  const bool answers = text == "accept" || text == "reject";
  const auto& log = match.log();
  return entries > log.size() ||
         std::any_of(log.begin() + static_cast<std::ptrdiff_t>(entries), log.end(),
                     [&](const LogEntry& e) {
                       return is_ply(e) ||
                              (answers && !e.note_ply && (e.text == "propose" || e.text == "undo"));
                     });
}

// True if to resign means to refuse the challenge.
bool is_challenge(Service& service, const OpenBoard& board) {
  return !board.summary.seats.unplayed.empty() && service.describe_contest(board.key.id()).empty();
}

// Removes a board and informs everybody. `by` is the player who caused it, if any.
void remove_board(Service& service, const BoardPtr& board, const std::string& why,
                  std::optional<Seat> by, std::uint64_t from) {
  const BoardKey key = board->key;
  const auto users = service.audience(board->summary);
  service.store.remove(board);
  for (const std::string& user : users) service.chats.mark_read(user, key.id(), true);
  // Players who never read of the challenge need no mail about its end.
  std::set<std::string> unaware = service.mail.withdraw_challenge(key.id());
  if (by) unaware.insert(lower(board->match.names()[index(*by)]));
  for (const std::string& user : users)
    service.send_event({user}, make_text_event(Event::Kind::board_gone, key, why),
                       unaware.count(user) == 0, from);
}

// Without a seat it is the owner of the server who refuses.
PlayResult refuse_challenge(Service& service, const BoardPtr& board, std::optional<Seat> seat,
                            std::uint64_t from) {
  const std::string owner = "The owner of the server";
  const std::string who = seat ? board->match.player_label(*seat) : owner;
  remove_board(service, board,
               (seat ? player_name(board->match, *seat) : owner) + " refused the challenge.", seat,
               from);
  return {who + " refused the challenge. The board is closed; no rating changes.", false, true};
}

// True if the seat made this offer since its last ply and since the last take-back.
bool has_offered(const Match& match, Seat seat, const std::string& word) {
  for (std::size_t i = match.log().size(); i-- > match.last_take_back();) {
    const LogEntry& entry = match.log()[i];
    if (entry.note_ply || entry.seat != seat) continue;
    if (is_ply(entry)) return false;
    if (entry.text == word) return true;
  }
  return false;
}

void send_reminder(Service& service, const BoardSummary& info, const BoardClock& clock, Time now) {
  const auto in_days = [](std::chrono::seconds time) {
    return format_count(index(std::chrono::round<std::chrono::days>(time).count()), "day", "days");
  };
  Event event{Event::Kind::nag, info.key()};
  event.number = info.ply_count + 1;
  event.text =
      "Your move has been due for " + in_days(now - info.running_clock->turn_start) +
      (clock.loss_time != Time{} ? ". You lose the game in " + in_days(clock.loss_time - now) + "."
                                 : ".");
  service.send_event({lower(info.names[index(*info.to_move)])}, event, true);
}

}  // namespace

void annul_game(Service& service, const BoardPtr& board) {
  remove_board(service, board, "The owner of this server annulled the game.", std::nullopt, 0);
  record_contest_result(service, board->key, nullptr);
}

Result<Success> rename_on_board(Service& service, const BoardKey& key, const std::string& userid,
                                const std::string& other) {
  const auto board = service.store.open(key);
  if (!board) return board.refusal();
  if (const auto done = service.store.rename(*board, userid, other); !done) return done;
  const BoardSummary& info = (*board)->summary;
  const auto users = service.audience(info);
  service.send_event(
      users, make_text_event(Event::Kind::board_changed, key, (*board)->match.status()), false);
  service.send_board_state(users, info, {});
  return Success{};
}

Result<Success> rename_on_boards(Service& service, const std::string& userid,
                                 const std::string& other) {
  for (const BoardKey& key : service.store.rows().find_boards(userid))
    if (const auto done = rename_on_board(service, key, userid, other); !done) return done;
  return Success{};
}

std::size_t drop_challenges(Service& service, const std::string& userid, const std::string& why) {
  std::size_t n = 0;
  for (const BoardKey& key : service.store.rows().find_boards(userid))
    if (const auto board = service.store.open(key); board && is_challenge(service, **board)) {
      remove_board(service, *board, why, std::nullopt, 0);
      ++n;
    }
  return n;
}

Result<PlayResult> play(Service& service, const BoardPtr& board, Seat seat,
                        const NumberedWord& typed, std::uint64_t from) {
  const Match& match = board->match;
  const std::string text = lower(trim(typed.word));
  const std::size_t next = match.plies().size() + 1;
  const bool word = is_match_word(text);
  if (typed.number && (word || *typed.number != next) && is_already_done(match, seat, typed))
    return PlayResult{
        (word ? "You have already done that on "
              : "You have already played that, as move " + std::to_string(*typed.number) + " of ") +
            board->key.to_string() + ".",
        true};
  if (typed.number && *typed.number != next)
    return Refusal{"The next move of " + board->key.to_string() + " is number " +
                   std::to_string(next) + ", not " + std::to_string(*typed.number) +
                   ". Look at the board again."};
  if (typed.entry_count && is_outdated(match, *typed.entry_count, text))
    return Refusal{board->key.to_string() + " has changed since then. Look at the board again."};
  if (match.ending() && (text == "undo" || match.offer()))
    return Refusal{"The game is over and recorded. " + match.status()};
  const auto entry = match.validate(seat, typed.word, service.time());
  if (!entry) return entry.refusal();
  if (entry->text == "undo" && !service.describe_contest(board->key.id()).empty())
    return Refusal{"Moves in games of tournaments and ladders cannot be taken back."};
  if ((entry->text == "propose" || entry->text == "undo") && has_offered(match, seat, entry->text))
    return Refusal{match.player_label(seat) +
                   (entry->text == "undo" ? " has already asked to take back."
                                          : " has already offered a draw.") +
                   " Play a move before you ask again."};
  if (const auto room = check_room(service, *board, entry->text); !room) return room.refusal();
  if (entry->text == "resign" && is_challenge(service, *board))
    return refuse_challenge(service, board, seat, from);
  if (const auto done = add_entry(service, board, *entry, from, false); !done)
    return done.refusal();
  PlayResult deed{action_summary(board->match, *entry)};
  play_queue(service, board);
  return deed;
}

Result<PlayResult> forfeit(Service& service, const BoardPtr& board, Seat seat, ForfeitReason why) {
  auto entry = board->match.validate(seat, "resign", service.time());
  if (!entry) return entry.refusal();
  if (why == ForfeitReason::owner && is_challenge(service, *board))
    return refuse_challenge(service, board, std::nullopt, 0);
  entry->forfeit_reason = why;
  if (const auto done = add_entry(service, board, *entry, 0, false); !done) return done.refusal();
  PlayResult deed{action_summary(board->match, *entry)};
  play_queue(service, board);
  return deed;
}

void play_queued(Service& service, const BoardKey& key) {
  const auto info = service.store.find_summary(key);
  if (!info || info->names.empty() || !info->find_seat(info->names[0])) return;
  if (const auto board = service.store.open(key)) play_queue(service, *board);
}

void enforce_clock(Service& service, const BoardKey& key) {
  const Time now = service.time();
  const auto info = service.store.find_summary(key);
  if (!info || !info->running_clock) return;
  if (const BoardClock clock = service.board_clock(*info); !clock.is_lost(now)) {
    if (clock.is_late(now) && clock.late_time > service.timekeeper.uptime.last_up())
      send_reminder(service, *info, clock, now);
    return;
  }
  const auto board = service.store.open(key);
  if (!board) return;
  const Match& match = (*board)->match;
  if (!match.to_move()) return;
  const Seat late = *match.to_move();
  if (is_challenge(service, **board))
    return remove_board(service, *board,
                        player_name(match, late) + " did not play in time. The challenge is over.",
                        std::nullopt, 0);
  // No player loses on time if the board is full and they could not play. But the games of a
  // tournament or ladder end.
  if (check_room(service, **board, "") || !service.describe_contest(key.id()).empty())
    static_cast<void>(forfeit(service, *board, late, ForfeitReason::time));
}

void record_finished_game(Service& service, const BoardKey& key) {
  const auto board = service.store.open(key);
  if (!board || !(*board)->match.ending() || service.history.has_game(key.game->name, key.number))
    return;
  service.history.add(make_finished_game(service, key, (*board)->match));
  record_contest_result(service, key, &(*board)->match);
}

}  // namespace pbm
