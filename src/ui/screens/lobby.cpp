// SPDX-License-Identifier: MIT
#include "ui/screens/lobby.hpp"

#include <algorithm>
#include <array>

namespace pbm {

// The keys that are no words (LobbySession::words).
const std::vector<Binding<KeyAction<Lobby>>>& Lobby::bindings() {
  static const std::vector<Binding<KeyAction<Lobby>>> table{
      {make_action<&Lobby::play_computer>, key_list(character_key('c')),
       "play the computer: from a card at once, else by the form for a game"},
      {make_action<&Lobby::go_to_next_waiting>, key_list(character_key('n')),
       "go to the next game that needs your move"},
      {make_action<&Lobby::open_prompt, Prompt::command>, key_list(character_key(':')),
       "type a word, for example lesson GAME, or a server command"},
      {make_action<&Lobby::open_prompt, Prompt::filter>, key_list(character_key('/')),
       "show only games with these words; Esc shows all again"},
      {make_action<&Lobby::toggle_mark>, key_list(character_key(' ')),
       "mark the game, or unmark it; d deletes all marked games"},
      {make_action<&Lobby::change_order>, key_list(character_key('t')),
       "sort the groups by time, name or game"},
      {make_action<&Lobby::refresh>, key_list(character_key('r')), "read the list again"},
      {request_action<KeysRequest>, key_list(character_key('?')), "show all keys and words"},
      {request_action<ManualRequest>, key_list(function_key(1)),
       "read the manual: games, keys, saves, servers"},
  };
  return table;
}

// The keys of a card.
const std::vector<Binding<KeyAction<Lobby>>>& Lobby::card_bindings() {
  using enum Key::Code;
  static const std::vector<Binding<KeyAction<Lobby>>> table{
      {make_action<&Lobby::open_lesson>, key_list(enter, character_key('o')),
       "learn the game in five minutes"},
      {make_action<&Lobby::start_for_two>, key_list(character_key('2')),
       "start a game for two at this keyboard, or on a server with another player"},
      {make_action<&Lobby::show_rules>, key_list(character_key('r')), "read the rules"},
      {make_action<&Lobby::go_to_card, -1>, key_list(left), "go to the card at the left"},
      {make_action<&Lobby::go_to_card, 1>, key_list(right), "go to the card at the right"},
  };
  return table;
}

Lobby::Lobby(Boards& boards, const Preferences& preferences)
    : boards_(boards),
      preferences_(preferences),
      session_(boards, preferences.player_name, FrontEnd::screen),
      list_(session_.list()),
      cards_(boards) {}

std::vector<KeyHelp> Lobby::keys() const {
  std::vector<KeyHelp> out = key_help<KeyAction<Lobby>>(bindings()) + RowList::keys();
  out.push_back({"", "Words to type after a colon, or their keys"});
  for (const Word& word : LobbySession::word_table())
    if (session_.is_available(word))
      out.push_back(
          {format_usage(word.name, word.syntax, word.keys), std::string(word.description)});
  out.push_back({"", "On the cards of a first visit"});
  return std::move(out) + key_help<KeyAction<Lobby>>(card_bindings());
}

std::vector<KeyHelp> Lobby::first_keys() const {
  using enum Key::Code;
  const bool server = boards_.server().has_server();
  const bool list = !has_selected_card();
  std::vector<Binding<bool>> rows{
      {!list, {{enter}}, "learn the game in five minutes"},
      {!list, {character_key('c')}, "play the computer"},
      {!list && !server, {character_key('2')}, "start a game for two at this keyboard"},
      {!list, {character_key('r')}, "read the rules"},
      {list, {{enter}}, "open the game, lesson, puzzle or group of games"},
      {true, {{up}, {down}}, "go to another row; j and k do the same"},
      {true, {character_key('s')}, "start a game with the computer or another player"},
      {list, {character_key('n')}, "go to the next game that needs your move"},
      {server,
       {character_key('l'), character_key('p')},
       "make an open challenge; list the players"},
      {list,
       {character_key('d'), character_key('u')},
       server ? "delete a game on this machine; bring it back" : "delete the game; bring it back"},
      {list, {character_key('/')}, "show only games with some words"},
      {true, {character_key(':')}, "type a word, for example lesson GAME"},
      {true, {function_key(1)}, "read the manual and the rules of all games"},
      {true, {function_key(4)}, "change colours, mouse, bell and your name"},
      {true, {character_key('q')}, "leave the program; everything is saved"},
      {true, {character_key('?')}, "show all keys and words"},
  };
  std::erase_if(rows, [](const auto& row) { return !row.command; });  // without a server
  return key_help<bool>(rows);
}

void Lobby::mark_stale() {
  if (selected_row() && wanted_id_.empty()) wanted_id_ = selected_row()->id;
  is_stale_ = true;
}

void Lobby::read_list() {
  if (!is_stale_) return;
  is_stale_ = false;
  list_.set_boards(boards_.list());
  rows_.set_row_count(static_cast<int>(list_.lines().size()));
  select_line(rows_.selected_row());
  select_shown(std::exchange(wanted_id_, ""));
  std::erase_if(marked_ids_,
                [&](const std::string& id) { return !list_.find(id) && !list_.folded_boards(id); });
  // If the renamed board is gone, typing continues: the letters would be keys for other boards.
  if (prompt_ == Prompt::name && !list_.find(renamed_id_))
    notice_ = renamed_id_ + " is no longer in this list.";
}

void Lobby::select_shown(const std::string& id) {
  // A folded board has the row of its fold.
  const auto found = std::ranges::find_if(list_.lines(), [&](const LobbyLine& line) {
    const auto* const folded = line.row ? list_.folded_boards(line.row->id) : nullptr;
    return line.row &&
           (line.row->id == id || (folded && std::ranges::find(*folded, id) != folded->end()));
  });
  if (found != list_.lines().end()) rows_.select(static_cast<int>(found - list_.lines().begin()));
}

// Selects a line. Goes on from a heading, which cannot be selected.
void Lobby::select_line(int line) {
  const bool is_up = line < rows_.selected_row() && line > 0;
  rows_.select(line);
  if (selected_line() && selected_line()->is_heading())
    rows_.select(rows_.selected_row() + (is_up ? -1 : 1));
}

void Lobby::click(Point place) {
  const int before = rows_.selected_row();
  const std::optional<int> line = shows_cards_ ? cards_.card_at(place) : rows_.row_at(place);
  if (!line) return;
  select_line(*line);
  if (*line == before) press({Key::Code::enter});
}

void Lobby::apply_filter() {
  const std::string id = selected_row() ? selected_row()->id : "";
  const bool is_new = list_.filter(filter_.text());
  rows_.set_row_count(static_cast<int>(list_.lines().size()));
  select_line(is_new ? 0 : rows_.selected_row());
  if (filter_.empty() || !is_new) select_shown(id);
}

void Lobby::toggle_mark() {
  if (!selected_row()) return;
  const std::string id = selected_row()->id;
  if (session_.confirmation_text(*session_.find("delete"), {id}).empty())
    return set_notice("This row cannot be deleted, so it gets no mark.");
  if (std::erase(marked_ids_, id) == 0) marked_ids_.push_back(id);
  select_line(rows_.selected_row() + 1);
}

LobbySession::Words Lobby::key_targets(const Word& word) const {
  if (LobbySession::Words marks = shown_marks(); word.name == "delete" && !marks.empty())
    return marks;
  return selected_row() ? LobbySession::Words{selected_row()->id} : LobbySession::Words{};
}

std::string Lobby::note_challenge(const Notification& news, const Screen& top) {
  const BoardSummary* const row =
      news.kind == Notification::Kind::challenge ? list().find(news.board) : nullptr;
  if (!row || !session_.can_refuse(*row) || news.text.starts_with(boards_.server().userid() + " "))
    return "";
  challenge_id_ = row->id;
  const auto board = read_board_id(row->id);
  if (!board || (&top != this && top.board_id().empty())) return "";
  return " Press " + (&top == this ? "n" : key_name(first_key_of_word("next"))) +
         " to go there, or type :" + std::string(board->game->name) + " refuse " +
         std::to_string(board->number) + " to decline.";
}

void Lobby::request_preview(const BoardSummary& line) {
  if (pending_preview_ && pending_preview_id_ == line.id) return;
  pending_preview_id_ = line.id;
  boards_.start_task(
      pending_preview_, line.id, [id = line.id, &boards = boards_] { return boards.open(id); },
      [this, id = line.id, at = state_of(line)](const Result<Board>& board) {
        preview_.reset();
        if (!board) return;
        preview_ = *board;
        preview_->id = id;  // the file may contain another id
        preview_state_ = at;
        preview_room_ = {};
      },
      Priority::display);
}

void Lobby::press(const Key& key) {
  const std::string seen = is_stale_ ? wanted_id_ : "";
  read_list();
  if (prompt_ != Prompt::none) return edit_prompt(key);
  notice_.clear();
  const LobbySession::Words asked_about = std::exchange(question_ids_, {});
  const Word* const word = session_.find(key);
  if (!asked_about.empty()) {
    // Any other key, or the same key on another board, only closes the question.
    if (!word || word != question_word_ || key_targets(*word) != asked_about) return;
    return run_word(*word, asked_about);
  }
  if (press_card(key)) return;
  if (word) return press_word(*word, key, seen);
  if (key.code == Key::Code::escape) {
    if (!shown_marks().empty()) return marked_ids_.clear();
    const std::string id = selected_row() ? selected_row()->id : "";
    if (filter_.empty()) list_.fold_all();
    clear_filter();
    select_shown(id);
  }
  const auto act = bound_command<KeyAction<Lobby>>(bindings(), key);
  const int before = rows_.selected_row();
  if (!rows_.press(key)) {
    if (act) (*act)(*this);
    return;
  }
  const int line = rows_.selected_row();
  rows_.select(before);
  select_line(line);
}

// Handles a key of the selected card, or one that goes from card to card.
bool Lobby::press_card(const Key& key) {
  const int cards = static_cast<int>(list_.lines().size()), at = rows_.selected_row();
  const int step = key.code == Key::Code::up     ? -cards_.per_row()
                   : key.code == Key::Code::down ? cards_.per_row()
                                                 : 0;
  if (shows_cards_ && step != 0) {
    if (at + step >= 0 && at + step < cards) rows_.select(at + step);
    else if (step > 0 && at / step < (cards - 1) / step) rows_.select(cards - 1);
    return true;
  }
  const auto act = bound_command<KeyAction<Lobby>>(card_bindings(), key);
  const bool is_left = shows_cards_ && key.code == Key::Code::left;
  if (!act || !(has_selected_card() || is_left)) return false;
  (*act)(*this);
  return true;
}

// Starts a game here: the computer plays on no server. In a list, a letter that was meant for a
// board must not start one.
void Lobby::play_computer() {
  const Word& word = *session_.find("new");
  if (!has_selected_card()) return run_word(word, {});
  const std::string me = boards_.own_name();
  show_result(session_.enter(
      word, {std::string(selected_game()->name), me.empty() ? "player1" : me, "computer"}));
}

void Lobby::start_for_two() {
  const Word& word = *session_.find("new");
  const bool server = boards_.server().has_server();
  run_word(word, server ? LobbySession::Words{}
                        : LobbySession::Words{std::string(selected_game()->name)});
}

// `seen` is the board that was selected in the list on the screen, or "".
void Lobby::press_word(const Word& word, const Key& key, const std::string& seen) {
  if (!word.is_about_board) return run_word(word, {});
  // The list may have changed: the key must not act on a board that took this one's place.
  if (!seen.empty() && (!selected_row() || selected_row()->id != seen))
    notice_ = seen + " is no longer in this list.";
  if (!notice_.empty() || !selected_row()) return;
  const LobbySession::Words ids = key_targets(word);
  if (const std::string what = session_.confirmation_text(word, ids); !what.empty()) {
    question_ids_ = ids;
    question_word_ = &word;
    return set_notice(key_name(key) + " again " + what + "; any other key cancels.");
  }
  run_word(word, ids);
}

// Runs the typed word, or sends the line to the server.
void Lobby::run_typed_command() {
  const std::string line(trim(command_.text()));
  prompt_ = Prompt::none;
  command_.set_text("");
  command_history_.add(line);
  const Word* const word = session_.find(line);
  const bool waits = !word || LobbySession::needs_server(*word, split_words(line).size() - 1);
  run_action(waits, "", [line](LobbySession& session) { return session.enter(line); });
}

void Lobby::run_action(bool waits, const std::string& id, LobbyAction done) {
  if (!waits) return show_result(done(session_));
  boards_.start_task(
      pending_command_, id, [this, done = std::move(done)] { return done(session_); },
      [this](const Result<EntryResult>& came) {
        mark_stale();
        show_result(came);
      });
}

void Lobby::show_result(const Result<EntryResult>& done) {
  if (!done) return set_notice(done.refusal().reason);
  notice_ = done->message;
  mark_stale();
  if (!done->changed_board.empty()) select(done->changed_board);
  read_list();  // without a warning about a board that the player has just removed
  if (std::get_if<RenameRequest>(&done->request)) {
    renamed_id_ = done->changed_board;
    name_.set_text(renamed_id_);
    name_.select();  // a typed name replaces it
    prompt_ = Prompt::name;
  }
  if (!done->board_to_open.empty()) notice_.clear();  // the board shows the sentence
  // The form for a new board suggests the userids of the server.
  if (std::get_if<NewBoardRequest>(&done->request)) request_lobby(true);
  request(result_request(*done));
}

std::optional<SteadyTime> Lobby::next_tick() const {
  constexpr auto kEvery = std::chrono::seconds(20);
  const RemoteBoards& server = boards_.server();
  if (!server.has_server() || server.userid().empty() || !server.connection_problem().empty())
    return std::nullopt;
  return last_request_time_ ? *last_request_time_ + kEvery : std::chrono::steady_clock::now();
}

void Lobby::request_lobby(bool all) {
  if (!boards_.server().has_server()) return;
  last_request_time_ = std::chrono::steady_clock::now();
  boards_.start_task(
      pending_lobby_, "",
      [all, &server = boards_.server()] {
        return server.request_lobby(all, server.lists_others());
      },
      [this](const auto&) { mark_stale(); }, Priority::display);
}

// Returns the others who are connected: "betty, hal (computer)".
std::string Lobby::connected_names() const {
  std::string out;
  for (const Person& person : boards_.server().people())
    if (person.is_online && !equals_ignoring_case(person.userid, boards_.server().userid()))
      out += (out.empty() ? "" : ", ") + person.display_name();
  return out;
}

void Lobby::edit_prompt(const Key& key) {
  const bool filter = prompt_ == Prompt::filter;
  notice_.clear();
  if (key.code == Key::Code::escape) {
    prompt_editor().set_text("");
    prompt_ = Prompt::none;
  } else if (key.code == Key::Code::enter) {
    if (prompt_ == Prompt::command) return run_typed_command();
    if (filter) prompt_ = Prompt::none;
    else finish_rename();
  } else if (filter && (key.code == Key::Code::down || key.code == Key::Code::up)) {
    prompt_ = Prompt::none;
  } else if (prompt_ == Prompt::command &&
             (key.code == Key::Code::up || key.code == Key::Code::down)) {
    if (const std::string* const line = command_history_.fetch(key.code == Key::Code::up ? -1 : 1))
      command_.set_text(*line);
  } else if (key.code == Key::Code::tab && prompt_ != Prompt::name) {
    prompt_editor().set_text(complete_last_word(prompt_editor().text(), boards_.server()));
  } else if (prompt_ != Prompt::command || key != character_key(':') || !command_.empty()) {
    prompt_editor().press(key);  // except a second colon after the first
  }
  if (filter) apply_filter();
}

void Lobby::change_order() {
  static constexpr std::array<std::string_view, 3> names{"time", "name", "game"};
  const std::size_t next = (static_cast<std::size_t>(list_.order()) + 1) % names.size();
  mark_stale();
  list_.sort(static_cast<Order>(next));
  notice_ = "Sorted by " + std::string(names[next]) + ".";
}

// Keeps a name that is refused in the line, so that the player can correct it.
void Lobby::finish_rename() {
  const auto renamed = session_.enter(*session_.find("rename"), {renamed_id_, name_.text()});
  if (renamed) prompt_ = Prompt::none;
  else name_.select();
  show_result(renamed);
}

}  // namespace pbm
