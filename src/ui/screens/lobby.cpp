// SPDX-License-Identifier: MIT
#include "ui/screens/lobby.hpp"

#include <algorithm>
#include <array>

namespace pbm {

enum class Lobby::Command : std::uint8_t {
  open,
  create,
  waiting,
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
  static const std::vector<Binding<Command>> table{
      {Command::open, {{enter}, typed('o')}, "open the board the > is at"},
      {Command::create, {typed('s')}, "start a new game"},
      {Command::waiting, {typed('n')}, "go to the next board that waits for a move"},
      {Command::command,
       {typed(':')},
       "type a command: settings, mouse, open BOARD; on a server any of its own, help lists them"},
      {Command::talk, {typed('w')}, "what was said on the server"},
      {Command::filter, {typed('/')}, "show only boards with these words; Esc shows all again"},
      {Command::sort, {typed('t')}, "list them by turn, by time, by name or by game"},
      {Command::copy, {typed('c')}, "copy the board, when pressed twice"},
      {Command::rename, {typed('m')}, "give the board another name"},
      {Command::remove,
       {typed('d'), {Key::Code::remove}},
       "delete the board, when pressed twice (u brings it back)"},
      {Command::restore, {typed('u')}, "bring the last deleted board back"},
      {Command::up, {{up}, typed('k')}, "up"},
      {Command::down, {{down}, typed('j')}, "down"},
      {Command::page_up, {{page_up}, ctrl('B')}, "a page up"},
      {Command::page_down, {{page_down}, ctrl('F')}, "a page down"},
      {Command::first, {{home}, typed('g')}, "first board"},
      {Command::last, {{end}, typed('G')}, "last board"},
      {Command::refresh, {typed('r')}, "read the list again"},
      {Command::help, {typed('?')}, "this help"},
      {Command::manual,
       {{function, 1}},
       "the manual: games, keys, saves, servers and their commands"},
      {Command::quit, {typed('q')}, "leave the program"},
  };
  return table;
}

namespace {
std::string gone(const std::string& id) { return "Board " + id + " is no longer in this list."; }
}  // namespace

Lobby::Lobby(Boards& boards, const Preferences& preferences)
    : boards_(boards), preferences_(preferences), list_(preferences.name, Order::turn) {}

// Whether a key means nothing where there is no server.
bool Lobby::idle(Command command) const {
  return !boards_.server().takes_commands() && command == Command::talk;
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
  const bool about_board = *command == Command::open || *command == Command::copy ||
                           *command == Command::rename || *command == Command::remove;
  if (about_board && !seen.empty() && (!selected() || selected()->id != seen)) {
    notice_ = gone(seen);
    return {};
  }
  if ((*command == Command::copy || *command == Command::remove) && asked_about.empty() &&
      selected()) {
    // A letter that was meant for a board one has just left shall do nothing here.
    asked_about_ = selected()->id;
    asked_for_ = *command;
    notice_ = key_name(key) + " again " + (*command == Command::copy ? "copies " : "deletes ") +
              selected()->id + ", any other key goes back.";
    return {};
  }
  return run(*command);
}

void Lobby::paste(char32_t c) {
  if (asked_ != Asked::nothing) press_in_line(typed(c));
}

ScreenRequest Lobby::click(Point place) {
  const auto row = rows_.row_at(place);
  if (row == rows_.selected()) return press({Key::Code::enter});
  if (row) rows_.select(*row);
  return {};
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
  asking_ = boards_.ask("", [this, line](Boards& boards) -> Boards::Then {
    return [this, answer = boards.requests()->command(line)] { answered(answer); };
  });
  return take_request();
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
  if (!text.empty()) return ReadText{text};
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
      if (selected()->broken.empty()) return GoToBoard{selected()->id};
      notice_ = selected()->state();
      return {};
    case Command::create: return CreateBoard{};
    case Command::waiting: go_to_next_waiting(); return {};
    case Command::filter: asked_ = Asked::filter; return {};
    case Command::command: asked_ = Asked::command; return {};
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
    case Command::up: rows_.move(-1); return {};
    case Command::down: rows_.move(1); return {};
    case Command::page_up: rows_.move(-rows_.page()); return {};
    case Command::page_down: rows_.move(rows_.page()); return {};
    case Command::first: rows_.select(0); return {};
    case Command::last: rows_.select_last(); return {};
    case Command::refresh: look_again(); return {};
    case Command::help: return ShowKeys{};
    case Command::manual: return ShowManual{};
    case Command::quit: return Quit{};
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
  const auto copy = board ? boards_.keep(board->match) : Result<Board>(board.refusal());
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
