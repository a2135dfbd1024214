// SPDX-License-Identifier: MIT
#include "ui/screens/lobby.hpp"

#include <algorithm>
#include <array>

#include "ui/widgets/players_panel.hpp"

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
    : boards_(boards), preferences_(preferences) {}

// Whether a key means nothing where there is no server.
bool Lobby::idle(Command command) const { return !boards_.server() && command == Command::talk; }

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
  all_ = boards_.list();
  apply_order();
  apply_filter();
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (shown_[i]->id == wanted_) selected_ = static_cast<int>(i);
  wanted_.clear();
  // The name goes on being typed: its letters would be commands for other boards.
  if (asked_ == Asked::name &&
      std::none_of(all_.begin(), all_.end(), [&](const BoardLine& l) { return l.id == renamed_; }))
    notice_ = gone(renamed_);
}

const BoardLine* Lobby::selected() const {
  return shown_.empty() ? nullptr : shown_[static_cast<std::size_t>(selected_)];
}

void Lobby::move_to(int row) {
  selected_ = std::clamp(row, 0, std::max(0, static_cast<int>(shown_.size()) - 1));
}

// One's own boards beside those of a server wait for nobody.
// Whatever the order, one's own boards come below a server's, examples and unreadable files last.
void Lobby::apply_order() {
  const auto apart = [&](const BoardLine& l) {
    return l.example ? 3 : l.broken ? 2 : l.aside ? 1 : 0;
  };
  const auto rank = [&](const BoardLine& l) {
    return waits_for(l, preferences_.name) ? 0 : l.to_move ? 1 : 2;
  };
  // list() has the latest played first already.
  std::stable_sort(all_.begin(), all_.end(), [&](const BoardLine& a, const BoardLine& b) {
    if (apart(a) != apart(b)) return apart(a) < apart(b);
    if (apart(a) > 1) return false;
    switch (order_) {
      case Order::turn:
        return std::make_pair(rank(a), b.changed) < std::make_pair(rank(b), a.changed);
      case Order::played: return a.changed > b.changed;
      case Order::name: return a.id < b.id;
      case Order::game: return a.title < b.title;
    }
    return false;
  });
}

void Lobby::apply_filter() {
  const std::vector<std::string> wanted = words(lower(filter_.text()));
  shown_.clear();
  for (const BoardLine& line : all_) {
    std::string text = line.id + " " + line.title + " " + line.state;
    for (const std::string& name : line.names) text += " " + name;
    text = lower(text);
    if (std::all_of(wanted.begin(), wanted.end(),
                    [&](const std::string& w) { return text.find(w) != std::string::npos; }))
      shown_.push_back(&line);
  }
  move_to(selected_);
}

namespace {

constexpr int kIdColumn = 3;
constexpr int kFirstRow = 3;   // of the list on the screen
constexpr int kListWide = 80;  // columns a list needs beside a board
constexpr int kPaneWide = 30;  // and a board beside a list

// Two names that differ at their ends, as those with numbers do, are still told apart.
std::string fit_middle(const std::string& name, int width) {
  constexpr std::size_t kEnd = 4;
  if (columns(name) <= width || static_cast<std::size_t>(columns(name)) != name.size())
    return fit(name, width);
  return name.substr(0, static_cast<std::size_t>(width) - kEnd - 1) + "~" +
         name.substr(name.size() - kEnd);
}

std::string shown_id(const BoardLine& line) {
  return line.id.substr(line.example ? line.id.find(':') + 1 : 0);
}

}  // namespace

// As wide as a list and a board beside it need, as high as the list.
Size Lobby::wanted(Size terminal) const {
  constexpr int kRows = 30, kColumns = 110, kWithBoard = 150;
  const int rows = std::max(kRows, static_cast<int>(all_.size()) + kFirstRow + 2);
  return {std::min(terminal.rows, rows),
          terminal.columns > kColumns ? std::min(terminal.columns, kWithBoard) : terminal.columns};
}

Lobby::Columns Lobby::columns_for(int width) const {
  Columns c{};
  c.width = width > kListWide + kPaneWide ? std::max(kListWide, width * 6 / 10) : width;
  // Names get what they need, as far as there is room for the rest.
  int longest = 5;
  for (const BoardLine* line : shown_) longest = std::max(longest, columns(shown_id(*line)));
  c.id_width = c.width >= 60 ? std::min(longest, c.width / 3) : 13;
  int at = kIdColumn + c.id_width + 1;
  const int end = c.width - 1;
  if (c.width >= 60) {
    c.when = end - 10;
    c.title = at;
    c.title_width = std::min(26, (c.when - at) / 3);
    at += c.title_width + 1;
  }
  const int room = (c.when ? c.when : end) - at;
  c.names = at;
  c.names_width = std::min(34, room * 11 / 20 - 1);
  c.state = at + c.names_width + 1;
  c.state_width = (c.when ? c.when : end) - c.state - (c.when ? 1 : 0);
  return c;
}

// The column by which the list is sorted is marked.
void Lobby::draw_heads(Canvas& canvas, const Columns& at) const {
  const auto head = [&](int column, int width, std::string_view long_name,
                        std::string_view short_name, Order order) {
    const bool sorted = order_ == order;
    const std::string mark = sorted ? " v" : "";
    const bool fits = static_cast<int>(long_name.size() + mark.size()) <= width;
    canvas.put(2, column, fit(std::string(fits ? long_name : short_name) + mark, width),
               sorted ? Style::key : Style::dim);
  };
  head(kIdColumn, at.id_width, "board", "board", Order::name);
  if (at.title_width) head(at.title, at.title_width, "game", "game", Order::game);
  canvas.put(2, at.names, fit("players", at.names_width), Style::dim);
  head(at.state, at.state_width, "turn or result", "turn", Order::turn);
  if (at.when) head(at.when, 10, "played", "played", Order::played);
}

void Lobby::draw_row(Canvas& canvas, int row, const Columns& at, const BoardLine& line,
                     bool selected) const {
  if (selected) canvas.put(row, 1, ">", Style::turn);
  canvas.put(row, kIdColumn, fit_middle(shown_id(line), at.id_width),
             line.to_move && !line.example ? Style::text : Style::dim);
  if (line.broken) {
    canvas.put(row, kIdColumn + at.id_width + 1,
               fit("cannot be read: Enter tells why", at.width - kIdColumn - at.id_width - 2),
               Style::bad);
    return;
  }
  std::string names;
  for (const std::string& name : line.names) names += (names.empty() ? "" : ", ") + name;
  if (at.title_width) canvas.put(row, at.title, fit(line.title, at.title_width), Style::text);
  canvas.put(row, at.names, fit(names, at.names_width), Style::text);
  canvas.put(row, at.state, fit(line.example ? "example" : line.state, at.state_width),
             line.to_move && !line.example && !line.watched ? Style::turn : Style::dim);
  if (at.when && !line.example)
    canvas.put(row, at.when, short_time(line.changed, now()), Style::dim);
}

// The selected board beside the list, read again when it has changed.
void Lobby::draw_board(Canvas& canvas, Area area) {
  const BoardLine* line = selected();
  if (!line || line->broken) return;
  if (!seen_ || seen_->id != line->id || seen_at_ != line->changed) look_at(*line);
  if (!seen_ || seen_->id != line->id) return;
  const Match& m = seen_->match;
  canvas.wall(area.row, area.column - 2, area.rows);
  draw_players(canvas, {area.row, area.column, m.seats(), area.columns}, m, m.position(), false);
  const std::vector<std::string> said = wrap(m.standing(), area.columns);
  const int top = area.row + m.seats() + 1, below = static_cast<int>(said.size()) + 1;
  BoardView view;
  view.show(m.draw(m.plies().size(), View{seen_->field(preferences_.field), false}));
  if (!m.plies().empty()) view.mark(m.plies().back().touched, Mark::last);
  const int rows = std::min(view.size().rows, area.rows - (top - area.row) - below);
  if (rows > 0)
    view.draw(canvas, {top, area.column, rows, std::min(view.size().columns, area.columns)});
  for (std::size_t i = 0; i < said.size(); ++i)
    canvas.put(top + std::max(0, rows) + 1 + static_cast<int>(i), area.column, said[i],
               m.ending() ? Style::turn : Style::dim);
}

void Lobby::look_at(const BoardLine& line) {
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

void Lobby::draw(Canvas& canvas) {
  read();
  const int rows = canvas.size().rows, width = canvas.size().columns;
  std::size_t own = 0, waiting = 0;
  for (const BoardLine& line : all_) {
    own += !line.example;
    waiting += waits_for(line, preferences_.name);
  }
  Server* server = boards_.server();
  const std::string whose = server                      ? "you"
                            : preferences_.name.empty() ? "a move"
                                                        : preferences_.name;
  draw_title(canvas,
             (server ? server->user() : "pbmplay") + " - " + count_of(own, "board", "boards") +
                 (waiting ? ", " + count_of(waiting, "waits", "wait") + " for " + whose : "") +
                 (server ? " at " + boards_.place() : ""),
             "? help  q quit", {{"? help", typed('?')}, {"q quit", typed('q')}});
  const Columns at = columns_for(width);
  draw_heads(canvas, at);

  page_ = std::max(1, rows - kFirstRow - 2);
  top_ = page_start(static_cast<int>(shown_.size()), page_, selected_, top_);
  for (int i = 0; i < page_ && top_ + i < static_cast<int>(shown_.size()); ++i)
    draw_row(canvas, kFirstRow + i, at, *shown_[static_cast<std::size_t>(top_ + i)],
             top_ + i == selected_);
  if (top_ + page_ < static_cast<int>(shown_.size()))
    canvas.put(rows - 2, 1, "v more below", Style::dim);
  if (shown_.empty())
    draw_message(canvas, 6, 3,
                 all_.empty() && server && server->asking() ? "Asking the server for them."
                 : all_.empty()                             ? "No boards yet: press s to start one."
                                : "No board has all of these words. Esc shows all boards.",
                 Style::text);

  if (at.width < width) draw_board(canvas, {2, at.width + 2, rows - 4, width - at.width - 3});
  canvas.cursor = Point{kFirstRow + selected_ - top_, 1};
  draw_bottom(canvas);
}

void Lobby::draw_bottom(Canvas& canvas) {
  const int rows = canvas.size().rows, width = canvas.size().columns;
  if (asked_ != Asked::nothing) {
    const int c = canvas.put(rows - 1, 1,
                             asked_ == Asked::filter    ? "show only: "
                             : asked_ == Asked::command ? ":"
                                                        : "new name: ",
                             Style::key);
    asked_line().draw(canvas, rows - 1, c, width - c - 1, Style::text);
    if (!notice_.empty()) draw_message(canvas, rows - 1, 3, notice_, Style::warning);
    return;
  }
  if (!notice_.empty()) {
    draw_message(canvas, rows, 4, notice_, Style::warning);
    return;
  }
  std::string hint = !deleted_notice_.empty() ? deleted_notice_
                     : deleted_.empty()       ? "Enter open"
                                              : "Enter open  u undelete";
  // As many as there is room for.
  for (const std::string_view more : {"  s start", "  n next turn", "  / filter", "  d delete"})
    if (columns(hint) + columns(more) <= width - 2) hint += more;
  const bool newcomer =
      std::all_of(all_.begin(), all_.end(), [](const BoardLine& l) { return l.example; });
  if (newcomer && !all_.empty() && deleted_notice_.empty() && deleted_.empty())
    hint = width < 70 ? "s starts a game, Enter looks at one."
                      : "No boards of your own yet: s starts one, Enter looks at an example.";
  if (!deleted_notice_.empty() && columns(deleted_notice_) > width - 2) {
    draw_message(canvas, rows, 3, deleted_notice_, Style::warning);
    return;
  }
  if (!filter_.empty() && deleted_notice_.empty())
    hint = "showing only '" + filter_.text() + "'  Esc all";
  canvas.put(rows - 1, 1, fit(hint, width - 2),
             deleted_notice_.empty() ? Style::dim : Style::warning);
  link_words(canvas, rows - 1, 1, hint,
             {{"Enter open", {Key::Code::enter}},
              {"s start", typed('s')},
              {"n next turn", typed('n')},
              {"d delete", typed('d')},
              {"u undelete", typed('u')},
              {"u brings it back", typed('u')},
              {"Esc all", {Key::Code::escape}}});
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
  const int row = place.row - kFirstRow + top_;
  if (place.row < kFirstRow || place.row >= kFirstRow + page_ ||
      row >= static_cast<int>(shown_.size()))
    return {};
  if (row == selected_) return press({Key::Code::enter});
  move_to(row);
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
  if (!boards_.server()) {
    if (given.size() == 1 && same_ignoring_case(given[0], "help")) return ShowKeys{};
    if (given.size() == 1 && same_ignoring_case(given[0], "quit")) return Quit{};
    notice_ = "There is no command '" + fit(given[0], 30) +
              "' here: write settings, mouse, open BOARD, help or quit.";
    return {};
  }
  asking_ = boards_.ask("", [this, line](Boards& boards) -> Boards::Then {
    return [this, answer = boards.server()->command(line)] { answered(answer); };
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
  const std::string text = joined_lines(boards_.server()->talk());
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
      if (!selected()->broken) return GoToBoard{selected()->id};
      notice_ = selected()->state;
      return {};
    case Command::create: return CreateBoard{};
    case Command::waiting: go_to_next_waiting(); return {};
    case Command::filter: asked_ = Asked::filter; return {};
    case Command::command: asked_ = Asked::command; return {};
    case Command::talk: return read_talk();
    case Command::sort: {
      static constexpr std::array<std::string_view, 4> names{
          "whose turn it is", "when they were played", "name", "game"};
      order_ = static_cast<Order>((static_cast<std::size_t>(order_) + 1) % names.size());
      look_again();
      notice_ = "Listed by " + std::string(names[static_cast<std::size_t>(order_)]) + ".";
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
    case Command::up: move_to(selected_ - 1); return {};
    case Command::down: move_to(selected_ + 1); return {};
    case Command::page_up: move_to(selected_ - page_); return {};
    case Command::page_down: move_to(selected_ + page_); return {};
    case Command::first: move_to(0); return {};
    case Command::last: move_to(static_cast<int>(shown_.size())); return {};
    case Command::refresh: look_again(); return {};
    case Command::help: return ShowKeys{};
    case Command::manual: return ShowManual{};
    case Command::quit: return Quit{};
  }
  return {};
}

std::optional<std::string> Lobby::next_waiting(const std::string& id) {
  read();
  const auto found =
      std::find_if(shown_.begin(), shown_.end(), [&](const BoardLine* l) { return l->id == id; });
  const std::ptrdiff_t here = found == shown_.end() ? -1 : found - shown_.begin();
  for (std::ptrdiff_t i = 1; i <= std::ssize(shown_); ++i) {
    const BoardLine* line = shown_[static_cast<std::size_t>((here + i) % std::ssize(shown_))];
    if (waits_for(*line, preferences_.name) && line->id != id) return line->id;
  }
  return std::nullopt;
}

std::vector<std::string> Lobby::people() {
  read();
  std::vector<const BoardLine*> own;
  for (const BoardLine& line : all_)
    if (!line.example && !line.broken && (!boards_.server() || !line.user.empty()))
      own.push_back(&line);
  std::stable_sort(own.begin(), own.end(),
                   [](const BoardLine* a, const BoardLine* b) { return a->changed > b->changed; });
  std::vector<std::string> out;
  if (const Server* server = boards_.server()) out.push_back(server->user());
  const auto known = [&](const std::string& name) {
    return std::any_of(out.begin(), out.end(),
                       [&](const std::string& n) { return same_ignoring_case(n, name); });
  };
  // Somebody's file may have names that a new board refuses; player1 is a seat, nobody's name.
  for (const BoardLine* line : own)
    for (const std::string& name : line->names)
      if (!known(name) && !starts_ignoring_case(name, "player") &&
          check_names(all_games().front(), {name}))
        out.push_back(name);
  return out;
}

void Lobby::go_to_next_waiting() {
  const auto next = next_waiting(selected() ? selected()->id : "");
  if (next) select(*next);
  else
    notice_ = selected() && waits_for(*selected(), preferences_.name)
                  ? "Only this board waits for a move."
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
