// SPDX-License-Identifier: MIT
#include "ui/screens/lobby.hpp"

#include <algorithm>
#include <array>

namespace pbm {

// The keys that are no words (LobbySession::words).
const std::vector<Binding<Act<Lobby>>>& Lobby::bindings() {
  static const std::vector<Binding<Act<Lobby>>> table{
      {act<&Lobby::go_to_next>, by_keys(typed('n')), "go to the next board that waits for a move"},
      {act<&Lobby::ask_for, Asked::command>, by_keys(typed(':')),
       "type a word: lesson GAME, puzzle, new GAME, open BOARD, settings; on a server any of its "
       "commands, help lists them"},
      {act<&Lobby::ask_for, Asked::filter>, by_keys(typed('/')),
       "show only boards with these words; Esc shows all again"},
      {act<&Lobby::sort_by_next>, by_keys(typed('t')),
       "list them by turn, by time, by name or by game"},
      {act<&Lobby::refresh>, by_keys(typed('r')), "read the list again"},
      {asks<ShowKeys>, by_keys(typed('?')), "this help"},
      {asks<ShowManual>, by_keys(fkey(1)),
       "the manual: games, keys, saves, servers and their commands"},
  };
  return table;
}

namespace {
std::string gone(const std::string& id) { return "Board " + id + " is no longer in this list."; }
}  // namespace

Lobby::Lobby(Boards& boards, const Preferences& preferences)
    : boards_(boards),
      preferences_(preferences),
      session_(boards, preferences.name, Front::screen),
      list_(session_.list()) {}

std::vector<KeyHelp> Lobby::keys() const {
  std::vector<KeyHelp> out = key_help<Act<Lobby>>(bindings()) + RowList::keys();
  out.push_back({"", "Typed after a colon, or by its key"});
  for (const Word& word : LobbySession::words())
    if (session_.means_something(word))
      out.push_back({term_of(word.name, word.syntax, word.keys), std::string(word.about)});
  return out;
}

std::vector<KeyHelp> Lobby::first_keys() const {
  using enum Key::Code;
  const bool server = boards_.server().takes_commands();
  std::vector<Binding<bool>> rows{
      {true, {{enter}}, "open the board; a lesson, a puzzle; what is folded"},
      {true, {{up}, {down}}, "go to another row; so does a letter j or k"},
      {true, {typed('s')}, "start a game, with the computer or with somebody"},
      {true, {typed('n')}, "to the next board that waits for your move"},
      {server, {typed('l'), typed('p')}, "look for a player; who is here"},
      {true, {typed('d'), typed('u')}, "delete the board; bring it back"},
      {true, {typed('/')}, "show only boards with some words"},
      {true, {typed(':')}, "type a word, as lesson, puzzle or rules and a game"},
      {true, {fkey(1)}, "the manual, with the rules of all games"},
      {true, {fkey(4)}, "settings: colours, mouse, bell, your name"},
      {true, {typed('q')}, "leave the program; all is kept"},
      {true, {typed('?')}, "all keys, and all words that can be typed"},
  };
  std::erase_if(rows, [](const auto& row) { return !row.command; });  // without a server
  return key_help<bool>(rows);
}

void Lobby::look_again() {
  if (selected() && wanted_.empty()) wanted_ = selected()->id;
  stale_ = true;
}

void Lobby::read() {
  if (!stale_) return;
  stale_ = false;
  list_.set(boards_.list());
  rows_.resize(static_cast<int>(shown().size()));
  for (std::size_t i = 0; i < shown().size(); ++i)
    if (shown()[i]->id == wanted_) rows_.select(static_cast<int>(i));
  wanted_.clear();
  // If the renamed board is gone, typing continues: the letters would be keys for other boards.
  if (asked_ == Asked::name && !list_.find(renamed_)) notice_ = gone(renamed_);
}

void Lobby::look_at(const BoardSummary& line) {
  if (looking_ && looked_for_ == line.id) return;
  looked_for_ = line.id;
  boards_.ask(
      looking_, line.id, [id = line.id, &boards = boards_] { return boards.open(id); },
      [this, id = line.id, at = line.changed](const Result<Board>& board) {
        seen_.reset();
        if (!board) return;
        seen_ = *board;
        seen_->id = id;  // the file may contain another id
        seen_at_ = at;
      },
      Priority::picture);
}

void Lobby::press(const Key& key) {
  const std::string seen = stale_ ? wanted_ : "";
  read();
  if (asked_ != Asked::nothing) return press_in_line(key);
  notice_.clear();
  const std::string asked_about = std::exchange(asked_about_, "");
  const Word* const word = session_.find(key);
  if (!asked_about.empty()) {
    // Any other key, or the same key on another board, only closes the question.
    const bool again = word && word == asked_for_ && selected() && selected()->id == asked_about;
    if (!again) return;
    return have_done(
        LobbySession::waits(*word, 1), asked_about,
        [word, asked_about](LobbySession& session) { return session.enter(*word, {asked_about}); });
  }
  if (word) return press_word(*word, key, seen);
  if (key.code == Key::Code::escape) {
    if (filter_.empty()) list_.fold_again();
    filter_.set("");
    apply_filter();
  }
  const auto act = command_for<Act<Lobby>>(bindings(), key);
  if (!rows_.press(key) && act) (*act)(*this);
}

// `seen` is the board that was selected in the list on the screen, or "".
void Lobby::press_word(const Word& word, const Key& key, const std::string& seen) {
  if (!word.of_board)
    return have_done(LobbySession::waits(word, 0), "",
                     [&word](LobbySession& session) { return session.enter(word, {}); });
  // The list may have changed: the key must not act on a board that took this one's place.
  if (!seen.empty() && (!selected() || selected()->id != seen)) notice_ = gone(seen);
  if (!notice_.empty() || !selected()) return;
  const std::string id = selected()->id;
  if (const std::string what = session_.again(word, id); !what.empty()) {
    asked_about_ = id;
    asked_for_ = &word;
    return tell(key_name(key) + " again " + what + ", any other key goes back.");
  }
  have_done(LobbySession::waits(word, 1), id,
            [&word, id](LobbySession& session) { return session.enter(word, {id}); });
}

// Runs the typed word, or sends the line to the server.
void Lobby::send_command() {
  const std::string line(trim(command_.text()));
  asked_ = Asked::nothing;
  command_.set("");
  history_.add(line);
  const Word* const word = session_.find(line);
  const bool waits = !word || LobbySession::waits(*word, words(line).size() - 1);
  have_done(waits, "", [line](LobbySession& session) { return session.enter(line); });
}

void Lobby::have_done(bool waits, const std::string& id, Done done) {
  if (!waits) return entered(done(session_));
  boards_.ask(
      asking_, id, [this, done = std::move(done)] { return done(session_); },
      [this](const Result<Entered>& came) {
        look_again();
        entered(came);
      });
}

void Lobby::entered(const Result<Entered>& done) {
  if (!done) return tell(done.refusal().why);
  notice_ = done->told;
  look_again();
  if (!done->board.empty()) select(done->board);
  read();  // without a warning about a board that the player has just removed
  if (std::get_if<AskName>(&done->go)) {
    renamed_ = done->board;
    name_.set(renamed_);
    asked_ = Asked::name;
  }
  if (!done->open.empty()) notice_.clear();  // the board shows the sentence
  // The form for a new board suggests the userids of the server.
  if (std::get_if<CreateBoard>(&done->go)) look_around(true);
  request(request_of(*done));
}

std::optional<Moment> Lobby::due() const {
  constexpr auto kEvery = std::chrono::seconds(20);
  const RemoteBoards& server = boards_.server();
  if (!server.takes_commands() || server.user().empty() || !server.trouble().empty())
    return std::nullopt;
  return looked_around_ ? *looked_around_ + kEvery : std::chrono::steady_clock::now();
}

void Lobby::look_around(bool all) {
  if (!boards_.server().takes_commands()) return;
  looked_around_ = std::chrono::steady_clock::now();
  boards_.ask(
      around_, "",
      [all, &server = boards_.server()] { return server.look_around(all, server.shows_others()); },
      [this](const auto&) { look_again(); }, Priority::picture);
}

// Returns the others who are connected: "betty, hal (computer)".
std::string Lobby::here() const {
  std::string out;
  for (const Person& person : boards_.server().people())
    if (person.here && !same_ignoring_case(person.userid, boards_.server().user()))
      out += (out.empty() ? "" : ", ") + person.shown();
  return out;
}

void Lobby::press_in_line(const Key& key) {
  const bool filter = asked_ == Asked::filter;
  notice_.clear();
  if (key.code == Key::Code::escape) {
    asked_line().set("");
    asked_ = Asked::nothing;
  } else if (key.code == Key::Code::enter) {
    if (asked_ == Asked::command) return send_command();
    if (filter) asked_ = Asked::nothing;
    else rename_asked();
  } else if (filter && (key.code == Key::Code::down || key.code == Key::Code::up)) {
    asked_ = Asked::nothing;
  } else if (asked_ == Asked::command &&
             (key.code == Key::Code::up || key.code == Key::Code::down)) {
    if (const std::string* const line = history_.step(key.code == Key::Code::up ? -1 : 1))
      command_.set(*line);
  } else if (key.code == Key::Code::tab && asked_ != Asked::name) {
    asked_line().set(complete_last(asked_line().text(), boards_.server()));
  } else if (asked_ != Asked::command || key != typed(':') || !command_.empty()) {
    asked_line().press(key);  // except a second colon after the first
  }
  if (filter) apply_filter();
}

void Lobby::sort_by_next() {
  static constexpr std::array<std::string_view, 4> names{"whose turn it is",
                                                         "when they were played", "name", "game"};
  const std::size_t next = (static_cast<std::size_t>(list_.order()) + 1) % names.size();
  look_again();
  list_.sort(static_cast<Order>(next));
  notice_ = "Listed by " + std::string(names[next]) + ".";
}

// Keeps a name that is refused in the line, so that the player can correct it.
void Lobby::rename_asked() {
  const auto renamed = session_.enter(*session_.find("rename"), {renamed_, name_.text()});
  if (renamed) asked_ = Asked::nothing;
  entered(renamed);
}

}  // namespace pbm
