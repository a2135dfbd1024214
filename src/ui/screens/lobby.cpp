// SPDX-License-Identifier: MIT
#include "ui/screens/lobby.hpp"

#include <algorithm>
#include <array>

namespace pbm {

enum class Lobby::Command : std::uint8_t {
  open,
  create,
  waiting,
  consent,
  decline,
  seek,
  players,
  everybody,
  command,
  talk,
  filter,
  sort,
  copy,
  rename,
  remove,
  restore,
  up,
  down,
  page_up,
  page_down,
  first,
  last,
  refresh,
  help,
  manual,
  quit,
};

const std::vector<Binding<Lobby::Command>>& Lobby::bindings() {
  using enum Key::Code;
  static const auto table = with_list_keys<Command>(
      {
          {Command::open, {{enter}, typed('o')}, "open the board the > is at"},
          {Command::create, {typed('s')}, "start a new game"},
          {Command::waiting, {typed('n')}, "go to the next board that waits for a move"},
          {Command::consent, {typed('y')}, "yes: take what is sought, accept what is offered"},
          {Command::decline,
           {typed('x')},
           "no, when pressed twice: reject an offer, refuse a challenge, take back what one seeks"},
          {Command::seek, {typed('l')}, "look for a player: an open challenge to whoever takes it"},
          {Command::players, {typed('p')}, "the players: who is here, ratings, results"},
          {Command::everybody, {typed('e')}, "list the boards of everybody, or only yours again"},
          {Command::command,
           {typed(':')},
           "type a word: lesson GAME, puzzle, new GAME, open BOARD, settings; on a server any of "
           "its "
           "commands, help lists them"},
          {Command::talk, {typed('w')}, "what was said on the server"},
          {Command::filter, {typed('/')}, "show only boards with these words; Esc shows all again"},
          {Command::sort, {typed('t')}, "list them by turn, by time, by name or by game"},
          {Command::copy, {typed('c')}, "copy the board, when pressed twice"},
          {Command::rename, {typed('m')}, "give the board another name"},
          {Command::remove,
           {typed('d'), {Key::Code::remove}},
           "delete the board, when pressed twice (u brings it back)"},
          {Command::restore, {typed('u')}, "bring the last deleted board back"},
      },
      "first board", "last board",
      {
          {Command::refresh, {typed('r')}, "read the list again"},
          {Command::help, {typed('?')}, "this help"},
          {Command::manual,
           {{function, 1}},
           "the manual: games, keys, saves, servers and their commands"},
          {Command::quit, {typed('q')}, "leave the program"},
      });
  return table;
}

namespace {
std::string gone(const std::string& id) { return "Board " + id + " is no longer in this list."; }
}  // namespace

Lobby::Lobby(Boards& boards, const Preferences& preferences)
    : boards_(boards),
      preferences_(preferences),
      session_(boards, preferences.name),
      list_(preferences.name, Order::turn) {}

// Whether a key means nothing where there is no server.
bool Lobby::idle(Command command) const {
  return !boards_.server().takes_commands() &&
         (command == Command::talk ||
          (command >= Command::consent && command <= Command::everybody));
}

std::vector<KeyHelp> Lobby::keys() const {
  std::vector<Binding<Command>> here = bindings();
  std::erase_if(here, [&](const Binding<Command>& b) { return idle(b.command); });
  return key_help<Command>(here);
}

void Lobby::wake() {
  // Whoever left at once finds it when he is back.
  if (std::exchange(deleted_was_told_, true)) deleted_notice_.clear();
  look_again();
}

void Lobby::look_again() {
  if (selected() && wanted_.empty()) wanted_ = selected()->id;
  stale_ = true;
}

void Lobby::select(const std::string& id) {
  wanted_ = id;
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
  // The name goes on being typed: its letters would be commands for other boards.
  if (asked_ == Asked::name && !list_.find(renamed_)) notice_ = gone(renamed_);
}

const BoardSummary* Lobby::selected() const {
  return shown().empty() ? nullptr : shown()[static_cast<std::size_t>(rows_.selected())];
}

void Lobby::apply_filter() {
  list_.filter(filter_.text());
  rows_.resize(static_cast<int>(shown().size()));
}

void Lobby::look_at(const BoardSummary& line) {
  if (looking_ && looked_for_ == line.id) return;
  looked_for_ = line.id;
  looking_ = boards_.ask(
      line.id,
      [this, id = line.id, at = line.changed, &boards = boards_]() -> Callback {
        return [this, id, at, board = boards.open(id)] {
          looking_.reset();
          seen_.reset();
          if (!board) return;
          seen_ = *board;
          seen_->id = id;  // a file may be called otherwise where it lies
          seen_at_ = at;
        };
      },
      Priority::picture);
}

ScreenRequest Lobby::press(const Key& key) {
  const std::string seen = stale_ ? wanted_ : "";
  read();
  if (asked_ != Asked::nothing) return press_in_line(key);
  notice_.clear();
  const std::string asked_about = std::exchange(asked_about_, "");
  const auto command = command_for<Command>(bindings(), key);
  if (!asked_about.empty() &&
      !(command == asked_for_ && selected() && selected()->id == asked_about))
    return {};
  if (key.code == Key::Code::escape) {
    filter_.set("");
    apply_filter();
    return {};
  }
  if (!command) return {};
  // What was pressed for one board must not happen to the one that took its place.
  const bool about_board = *command == Command::consent || *command == Command::decline ||
                           *command == Command::open || *command == Command::copy ||
                           *command == Command::rename || *command == Command::remove;
  if (about_board && !seen.empty() && (!selected() || selected()->id != seen)) {
    notice_ = gone(seen);
    return {};
  }
  const bool declines = *command == Command::decline && selected() && !to_decline().empty();
  if ((*command == Command::copy || *command == Command::remove || declines) &&
      asked_about.empty() && selected()) {
    // A letter that was meant for a board one has just left shall do nothing here.
    asked_about_ = selected()->id;
    asked_for_ = *command;
    notice_ = key_name(key) + " again " +
              (declines                    ? to_decline()
               : *command == Command::copy ? "copies " + selected()->id
                                           : "deletes " + selected()->id) +
              ", any other key goes back.";
    return {};
  }
  return rows_.obey(*command) ? ScreenRequest{} : run(*command);
}

void Lobby::paste(char32_t c) {
  if (asked_ != Asked::nothing) press_in_line(typed(c));
}

ScreenRequest Lobby::click(Point place) {
  return rows_.click(place) ? press({Key::Code::enter}) : ScreenRequest{};
}

LineEditor& Lobby::asked_line() {
  return asked_ == Asked::filter ? filter_ : asked_ == Asked::command ? command_ : name_;
}

// A word, or else a line for the server.
ScreenRequest Lobby::send_command() {
  const std::string line(trim(command_.text()));
  asked_ = Asked::nothing;
  command_.set("");
  if (line.empty()) return {};
  std::vector<std::string> given = words(line);
  const LobbySession::Word* const word = session_.find(given.front(), Front::screen);
  if (!word && boards_.server().takes_commands())
    return have_done("", [line](LobbySession& session) { return session.command(line); });
  if (same_ignoring_case(given.front(), "help")) return ShowKeys{};
  if (!word) {
    std::vector<std::string> known{"help"};
    for (const LobbySession::Word& w : LobbySession::words())
      if (session_.means_something(w, Front::screen)) known.emplace_back(w.name);
    notice_ = "There is no command '" + fit(given[0], 30) + "' here: write " + one_of(known) + ".";
    return {};
  }
  given.erase(given.begin());
  if (!word->asks) return entered(session_.enter(*word, given));
  return have_done("",
                   [word, given](LobbySession& session) { return session.enter(*word, given); });
}

ScreenRequest Lobby::have_done(const std::string& id, Done done) {
  asking_ = boards_.ask(id, [this, done = std::move(done)]() -> Callback {
    return [this, came = done(session_)] {
      asking_.reset();
      look_again();
      later_ = entered(came);
    };
  });
  return take_request();
}

ScreenRequest Lobby::entered(const Result<Entered>& done) {
  if (!done) {
    notice_ = done.refusal().why;
    return {};
  }
  notice_ = done->told;
  if (!done->board.empty()) select(done->board);
  return request_of(*done);
}

std::optional<Moment> Lobby::due() const {
  constexpr auto kEvery = std::chrono::seconds(20);
  const RemoteBoards& server = boards_.server();
  if (!server.takes_commands() || server.user().empty() || !server.trouble().empty())
    return std::nullopt;
  return looked_around_ ? *looked_around_ + kEvery : std::chrono::steady_clock::now();
}

void Lobby::look_around(bool all) {
  looked_around_ = std::chrono::steady_clock::now();
  around_ = boards_.ask(
      "",
      [this, all, &boards = boards_]() -> Callback {
        static_cast<void>(boards.server().look_around(all, boards.server().shows_others()));
        return [this] {
          around_.reset();
          look_again();
        };
      },
      Priority::picture);
}

// "betty, hal (computer)", without whoever looks.
std::string Lobby::here() const {
  std::string out;
  for (const Person& person : boards_.server().people())
    if (person.here && !same_ignoring_case(person.userid, boards_.server().user()))
      out += (out.empty() ? "" : ", ") + person.shown();
  return out;
}

ScreenRequest Lobby::consent() {
  if (!selected()) return {};
  const BoardSummary& board = *selected();
  const std::string user = boards_.server().user();
  if (board.seek > 0) {
    if (board.plays(user)) {
      notice_ = "That is your own: x twice takes it back.";
      return {};
    }
    return have_done("", [n = board.seek](LobbySession& session) {
      return session.enter("take", {std::to_string(n)});
    });
  }
  if (board.offer && waits_for(board, user)) return answer("accept");
  if (may_refuse()) return GoToBoard{board.id};
  notice_ = "There is nothing to consent to: what somebody seeks or offers is.";
  return {};
}

// Whether the selected board is a challenge, on which not everybody has played.
bool Lobby::may_refuse() const {
  const BoardSummary& board = *selected();
  return board.to_move && !board.aside && !board.example && board.seek == 0 &&
         board.plies < board.names.size() && board.plays(boards_.server().user());
}

// What x does: "rejects the offer on toot-101", or "".
std::string Lobby::to_decline() const {
  const BoardSummary& board = *selected();
  const std::string user = boards_.server().user();
  if (board.seek > 0) return board.plays(user) ? "takes " + board.id + " back" : "";
  if (board.offer && waits_for(board, user)) return "rejects what is offered on " + board.id;
  return may_refuse() ? "refuses " + board.id : "";
}

ScreenRequest Lobby::decline() {
  if (!selected()) return {};
  const BoardSummary& board = *selected();
  if (to_decline().empty()) {
    notice_ = "There is nothing to decline here.";
    return {};
  }
  if (board.seek == 0)
    return answer(board.offer && waits_for(board, boards_.server().user()) ? "reject" : "resign");
  return have_done("", [n = board.seek](LobbySession& session) {
    return session.enter("unseek", {std::to_string(n)});
  });
}

ScreenRequest Lobby::answer(const std::string& word) {
  const std::string id = selected()->id;
  return have_done(id, [id, word](LobbySession& session) { return session.play(id, word); });
}

ScreenRequest Lobby::press_in_line(const Key& key) {
  const bool filter = asked_ == Asked::filter;
  notice_.clear();
  if (key.code == Key::Code::escape) {
    asked_ = Asked::nothing;
    if (filter) filter_.set("");
  } else if (key.code == Key::Code::enter) {
    if (asked_ == Asked::command) return send_command();
    if (filter) asked_ = Asked::nothing;
    else rename_asked();
  } else if (filter && (key.code == Key::Code::down || key.code == Key::Code::up)) {
    asked_ = Asked::nothing;
  } else if (key.code == Key::Code::tab && asked_ != Asked::name) {
    asked_line().set(complete_last(asked_line().text(), boards_.server()));
  } else {
    asked_line().press(key);
  }
  if (filter) apply_filter();
  return {};
}

ScreenRequest Lobby::run(Command command) {
  if (idle(command)) return {};
  switch (command) {
    case Command::open:
      if (!selected()) return {};
      if (selected()->seek > 0) {
        notice_ = selected()->plays(boards_.server().user()) ? "x twice takes it back."
                                                             : "y takes it, and the game begins.";
        return {};
      }
      if (selected()->broken.empty()) return GoToBoard{selected()->id};
      notice_ = selected()->state();
      return {};
    case Command::create:
      if (boards_.server().takes_commands()) look_around(true);
      return CreateBoard{};
    case Command::waiting: go_to_next_waiting(); return {};
    case Command::filter:
      asked_ = Asked::filter;
      if (boards_.server().takes_commands()) look_around(true);
      return {};
    case Command::command:
      asked_ = Asked::command;
      if (boards_.server().takes_commands()) look_around(true);
      return {};
    case Command::consent: return consent();
    case Command::decline: return decline();
    case Command::seek: look_around(true); return CreateBoard{"", true};
    case Command::players: return ShowPeople{};
    case Command::everybody:
      return have_done("", [](LobbySession& session) { return session.enter("everybody", {}); });
    case Command::talk: return entered(session_.enter("talk", {}));
    case Command::sort: {
      static constexpr std::array<std::string_view, 4> names{
          "whose turn it is", "when they were played", "name", "game"};
      const std::size_t next = (static_cast<std::size_t>(list_.order()) + 1) % names.size();
      look_again();
      list_.sort(static_cast<Order>(next));
      notice_ = "Listed by " + std::string(names[next]) + ".";
      return {};
    }
    case Command::copy:
      if (!selected()) return {};
      return have_done(selected()->id, [id = selected()->id](LobbySession& session) {
        return session.enter("copy", {id});
      });
    case Command::rename:
      if (!selected()) return {};
      renamed_ = selected()->id;
      name_.set(selected()->example ? "" : renamed_);
      asked_ = Asked::name;
      return {};
    case Command::remove: remove_selected(); return {};
    case Command::restore: deleted_notice_.clear(); return entered(session_.enter("undelete", {}));
    case Command::refresh:
      look_again();
      if (boards_.server().takes_commands()) look_around(false);
      return {};
    case Command::help: return ShowKeys{};
    case Command::manual: return ShowManual{};
    case Command::quit: return Quit{};
    default: break;  // moved in the list
  }
  return {};
}

void Lobby::go_to_next_waiting() {
  const auto next = next_waiting(selected() ? selected()->id : "");
  if (next) select(*next);
  else
    notice_ = selected() && list_.waits(*selected()) ? "Only this board waits for a move."
                                                     : "No board waits for a move.";
}

// A name that cannot be stays to be mended.
void Lobby::rename_asked() {
  const auto renamed = session_.enter("rename", {renamed_, name_.text()});
  if (renamed) asked_ = Asked::nothing;
  entered(renamed);
}

void Lobby::remove_selected() {
  if (!selected()) return;
  const std::string id = selected()->id;
  if (const auto removed = session_.enter("delete", {id}); !removed) {
    notice_ = removed.refusal().why;
    return;
  }
  stale_ = true;
  deleted_notice_ = "Deleted " + id + "; u brings it back.";
  deleted_was_told_ = false;
}

}  // namespace pbm
