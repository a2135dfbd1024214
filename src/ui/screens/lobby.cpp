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
           "type a command: settings, mouse, open BOARD; on a server any of its own, help lists "
           "them"},
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
    : boards_(boards), preferences_(preferences), list_(preferences.name, Order::turn) {}

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
      [this, id = line.id, at = line.changed](Boards& boards) -> Boards::Then {
        return [this, id, at, board = boards.open(id)] {
          looking_.reset();
          seen_.reset();
          if (!board) return;
          seen_ = *board;
          seen_->id = id;  // a file may be called otherwise where it lies
          seen_at_ = at;
        };
      },
      Haste::picture);
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

// A line for the server, but for the words that are ours.
ScreenRequest Lobby::send_command() {
  const std::string line(trim(command_.text()));
  asked_ = Asked::nothing;
  command_.set("");
  if (line.empty()) return {};
  const std::vector<std::string> given = words(line);
  if (same_ignoring_case(given[0], "open") && given.size() == 2) return GoToBoard{given[1]};
  if (given.size() == 1 && same_ignoring_case(given[0], "settings")) return ShowSettings{};
  if (given.size() == 1 && same_ignoring_case(given[0], "mouse")) return SwitchMouse{};
  if (!boards_.server().takes_commands()) {
    if (given.size() == 1 && same_ignoring_case(given[0], "help")) return ShowKeys{};
    if (given.size() == 1 && same_ignoring_case(given[0], "quit")) return Quit{};
    notice_ = "There is no command '" + fit(given[0], 30) +
              "' here: write settings, mouse, open BOARD, help or quit.";
    return {};
  }
  send(line);
  return take_request();
}

void Lobby::send(const std::string& line) {
  asking_ = boards_.ask("", [this, line](Boards& boards) -> Boards::Then {
    return [this, answer = boards.server().command(line)] { answered(answer); };
  });
}

std::optional<Moment> Lobby::due() const {
  constexpr auto kEvery = std::chrono::seconds(20);
  const Server& server = boards_.server();
  if (!server.takes_commands() || server.user().empty() || !server.trouble().empty())
    return std::nullopt;
  return looked_around_ ? *looked_around_ + kEvery : std::chrono::steady_clock::now();
}

void Lobby::look_around(bool all) {
  looked_around_ = std::chrono::steady_clock::now();
  around_ = boards_.ask(
      "",
      [this, all, others = shows_others_](Boards& boards) -> Boards::Then {
        static_cast<void>(boards.server().look_around(all, others));
        return [this] {
          around_.reset();
          look_again();
        };
      },
      Haste::picture);
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
    const std::string line = "take " + std::to_string(board.seek);
    asking_ = boards_.ask("", [this, line](Boards& boards) -> Boards::Then {
      return [this, answer = boards.server().command(line)] {
        if (!answer || answer->board.empty()) return answered(answer);
        asking_.reset();
        look_again();
        later_ = GoToBoard{answer->board, answer->summary};
      };
    });
    return take_request();
  }
  if (board.offer && waits_for(board, user)) {
    answer_offer("accept");
    return take_request();
  }
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

void Lobby::decline() {
  if (!selected()) return;
  const BoardSummary& board = *selected();
  if (to_decline().empty()) notice_ = "There is nothing to decline here.";
  else if (board.seek > 0) send("unseek " + std::to_string(board.seek));
  else answer_offer(board.offer && waits_for(board, boards_.server().user()) ? "reject" : "resign");
}

void Lobby::answer_offer(const std::string& word) {
  const BoardSummary& board = *selected();
  const std::string id = board.id;
  asking_ = boards_.ask(id, [this, id, word](Boards& boards) -> Boards::Then {
    auto opened = boards.open(id);
    const auto done = opened ? boards.play(*opened, {MoveRequest{std::nullopt, word}})
                             : Result<Done>(opened.refusal());
    return [this, done, told = done ? opened->match.standing() : ""] {
      asking_.reset();
      look_again();
      notice_ = done ? told : done.refusal().why;
    };
  });
}

void Lobby::answered(const Result<Server::Answer>& answer) {
  asking_.reset();
  look_again();
  if (!answer) notice_ = answer.refusal().why;
  else if (answer->lines.empty()) notice_ = answer->summary;
  else later_ = ReadText{answer->text()};
}

ScreenRequest Lobby::read_talk() {
  const std::string text = joined_lines(boards_.server().talk());
  if (!text.empty()) return read_wrapped(text);
  notice_ = "Nothing was said yet.";
  return {};
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
    case Command::decline: decline(); return take_request();
    case Command::seek: look_around(true); return CreateBoard{"", true};
    case Command::players: return ShowPeople{};
    case Command::everybody:
      shows_others_ = !shows_others_;
      look_around(false);
      notice_ = shows_others_ ? "The boards of everybody: Enter shows one, e hides them."
                              : "Only your own boards.";
      return {};
    case Command::talk: return read_talk();
    case Command::sort: {
      static constexpr std::array<std::string_view, 4> names{
          "whose turn it is", "when they were played", "name", "game"};
      const std::size_t next = (static_cast<std::size_t>(list_.order()) + 1) % names.size();
      look_again();
      list_.sort(static_cast<Order>(next));
      notice_ = "Listed by " + std::string(names[next]) + ".";
      return {};
    }
    case Command::copy: copy_selected(); return {};
    case Command::rename:
      if (!selected()) return {};
      renamed_ = selected()->id;
      name_.set(selected()->example ? "" : renamed_);
      asked_ = Asked::name;
      return {};
    case Command::remove: remove_selected(); return {};
    case Command::restore: restore_last(); return {};
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

void Lobby::copy_selected() {
  if (!selected()) return;
  const std::string id = selected()->id;
  asking_ = boards_.ask(id, [this, id](Boards& boards) -> Boards::Then {
    return [this, id, board = boards.open(id)] { copied(board, id); };
  });
}

void Lobby::copied(const Result<Board>& board, const std::string& id) {
  asking_.reset();
  const auto copy =
      board ? boards_.keep(copied_from(*board, boards_.place(), board->match)) : board.refusal();
  if (!copy) {
    notice_ = copy.refusal().why;
    return;
  }
  notice_ = "Board " + copy->id + " is a copy of " + id + ".";
  select(copy->id);
}

// A name that cannot be stays to be mended.
void Lobby::rename_asked() {
  const auto name = boards_.rename(renamed_, name_.text());
  if (!name) {
    notice_ = name.refusal().why;
    return;
  }
  asked_ = Asked::nothing;
  notice_ = "Now it is board " + *name + ".";
  select(*name);
}

void Lobby::remove_selected() {
  if (!selected()) return;
  const std::string id = selected()->id;
  if (const auto removed = boards_.remove(id); !removed) {
    notice_ = removed.refusal().why;
    return;
  }
  deleted_.push_back(id);
  stale_ = true;
  deleted_notice_ = "Deleted " + id + "; u brings it back.";
  deleted_was_told_ = false;
}

void Lobby::restore_last() {
  if (deleted_.empty()) {
    notice_ = "Nothing was deleted since you came here.";
    return;
  }
  const std::string id = deleted_.back();
  // Where it cannot be, its name taken, it can be asked for again.
  const auto restored = boards_.restore(id);
  if (restored) deleted_.pop_back();
  deleted_notice_.clear();
  select(id);
  notice_ = restored ? "Board " + id + " is back." : restored.refusal().why;
}

}  // namespace pbm
