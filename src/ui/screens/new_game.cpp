// SPDX-License-Identifier: MIT
#include "ui/screens/new_game.hpp"

#include <algorithm>
#include <array>

#include "game/options.hpp"
#include "protocol/userid.hpp"
#include "ui/lobby_model.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

namespace {
constexpr int kFieldsRow = 2;  // of the fields on the screen
constexpr const char* kUsualDays = "7 21 none";
constexpr std::array<const char*, 3> kDays{"nagtime", "forfeittime", "totaltime"};

// Numbers as people write them, "7 x 9", "7*9", "007x009", as an option takes them.
std::string tidy(std::string_view typed) {
  std::string out;
  for (const char c : typed) {
    if (c == ' ') continue;
    const bool after_digit = !out.empty() && is_digit(out.back());
    // A nought that begins a number goes when another digit comes.
    if (is_digit(c) && after_digit && out.back() == '0' &&
        (out.size() == 1 || !is_digit(out[out.size() - 2])))
      out.pop_back();
    out += c == '*' && after_digit ? 'x' : c;
  }
  return out;
}
}  // namespace

enum class NewGame::Command : std::uint8_t {
  start,
  back,
  next,
  previous,
  less,
  more,
  toggle,
  help
};

const std::vector<Binding<NewGame::Command>>& NewGame::bindings() {
  using enum Key::Code;
  static const std::vector<Binding<Command>> table{
      {Command::start, {{enter}}, "start the game"},
      {Command::back, {{escape}}, "back to the boards without a new one"},
      {Command::next, {{tab}, {down}}, "next field; on a server Tab completes a userid first"},
      {Command::previous, {{back_tab}, {up}}, "previous field"},
      {Command::more, {{right}}, "next game; switch an option; behind a name: the computer"},
      {Command::less, {{left}}, "previous game; switch an option; a lower level"},
      {Command::toggle, {typed(' ')}, "switch an option on or off"},
      {Command::help, {{function, 1}, ctrl('O')}, "this help"},
  };
  return table;
}

NewGame::NewGame(Boards& boards, std::vector<std::string> people, bool open)
    : boards_(boards), people_(std::move(people)), open_(open) {
  build();
}

std::vector<KeyHelp> NewGame::keys() const {
  std::vector<KeyHelp> out = key_help<Command>(bindings());
  out.push_back({"", "In a line that is typed"});
  for (KeyHelp& k : LineEditor::keys()) out.push_back(std::move(k));
  return out;
}

const GameType& NewGame::game() const { return all_games()[game_]; }

void NewGame::build() {
  std::vector<Field> seats, of_server;
  for (const Field& f : fields_)
    if (f.of == Field::Of::seat) seats.push_back(f);
    else if (f.of == Field::Of::days) of_server.push_back(f);
  fields_.clear();
  add(FormField::Kind::choice, "game", game().about, Field::Of::game, 0).value = game().title;
  for (std::size_t i = 0; i < game().options.size(); ++i) {
    const OptionSpec& spec = game().options[i];
    Field& f = add(spec.check_value ? FormField::Kind::text : FormField::Kind::on_off,
                   "-" + std::string(spec.name), spec.about, Field::Of::option, i);
    f.text.set(spec.standard);
    f.fresh = true;
  }
  for (std::size_t s = 0; s < static_cast<std::size_t>(game().max_seats) && !open_; ++s) {
    Field& f = add(FormField::Kind::text, "player" + std::to_string(s + 1), "", Field::Of::seat, s);
    if (s >= seats.size()) continue;
    f.text = seats[s].text;
    f.edited = seats[s].edited;
    seat_level(f, seats[s].level);
  }
  fields_.insert(fields_.end(), of_server.begin(), of_server.end());
  fit_server();
  if (open_)
    add(FormField::Kind::text, "ratings", "of those who may take it, as 1500-1700; empty: anybody",
        Field::Of::ratings, 0);
  rows_.resize(static_cast<int>(fields_.size()));
}

NewGame::Field& NewGame::add(FormField::Kind kind, std::string label, std::string_view about,
                             Field::Of of, std::size_t index) {
  Field& f = fields_.emplace_back();
  f.kind = kind;
  f.label = std::move(label);
  f.about = about;
  f.of = of;
  f.index = index;
  return f;
}

// What only a board of a server has, at the end.
void NewGame::fit_server() {
  const Field* const days = field_of(Field::Of::days);
  const std::string typed = days ? days->text.text() : kUsualDays;
  std::erase_if(fields_,
                [](const Field& f) { return f.of == Field::Of::pair || f.of == Field::Of::days; });
  if (on_server()) {
    add(FormField::Kind::on_off, "-pair", "two boards, with the seats swapped", Field::Of::pair, 0);
    add(FormField::Kind::text, "days", "", Field::Of::days, 0).text.set(typed);
  }
  rows_.resize(static_cast<int>(fields_.size()));
}

std::vector<std::string> NewGame::option_words() const {
  std::vector<std::string> out;
  for (const Field& f : fields_) {
    if (f.of != Field::Of::option) continue;
    if (f.typed()) out.push_back(f.label + "=" + tidy(f.text.text()));
    else if (f.on) out.push_back(f.label);
  }
  return out;
}

std::vector<std::string> NewGame::typed_names() const {
  std::vector<std::string> out;
  for (const Field& f : fields_)
    if (f.of == Field::Of::seat)
      out.push_back(f.level > 0 ? "computer:" + std::to_string(f.level)
                                : std::string(trim(f.text.text())));
  return out;
}

bool NewGame::edited(std::size_t seat) const {
  return std::any_of(fields_.begin(), fields_.end(), [&](const Field& f) {
    return f.of == Field::Of::seat && f.index == seat && f.edited;
  });
}

// Who sits down at a seat with nothing typed: of the people last played with
// the first that no other seat has. Nobody where a name was taken away.
std::string NewGame::offered_name(std::size_t seat) const {
  if (edited(seat)) return "";
  const auto typed = typed_names();
  std::vector<std::string> left;
  for (const std::string& name : people_)
    if (std::none_of(typed.begin(), typed.end(),
                     [&](const std::string& t) { return same_ignoring_case(t, name); }))
      left.push_back(name);
  std::size_t before = 0;  // empty seats that come first
  for (std::size_t i = 0; i < seat; ++i) before += typed[i].empty() && !edited(i);
  if (before < left.size()) return left[before];
  return boards_.server().takes_commands() ? "" : "player" + std::to_string(seat + 1);
}

bool NewGame::on_server() const {
  const std::vector<std::string> names = typed_names();
  return boards_.server().takes_commands() &&
         std::none_of(names.begin(), names.end(), [](const std::string& name) {
           const auto seats = read_seats({name});
           return seats && seats->levels.front() > 0;
         });
}

// Whether the board is one of a server follows from who has its seats.
void NewGame::fit_seat() {
  if (boards_.server().takes_commands() && !open_ &&
      on_server() != (field_of(Field::Of::days) != nullptr))
    fit_server();
}

const NewGame::Field* NewGame::field_of(Field::Of of) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.of == of; });
  return found == fields_.end() ? nullptr : &*found;
}

std::vector<std::string> NewGame::names() const {
  // Who else plays is not known yet.
  if (open_) return {boards_.server().user(), "player2"};
  std::vector<std::string> out = typed_names();
  // Empty names behind the last one are seats nobody takes.
  while (out.size() > static_cast<std::size_t>(game().min_seats) && out.back().empty())
    out.pop_back();
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i].empty()) out[i] = offered_name(i);
  return out;
}

Result<Match> NewGame::checked() const {
  const auto options = read_options(game(), option_words());
  if (!options) return options.refusal();
  const std::vector<std::string> wanted = names();
  const auto nobody = std::find(wanted.begin(), wanted.end(), "");
  if (nobody != wanted.end())
    return Refusal{
        "Type who is to be player" + std::to_string(nobody - wanted.begin() + 1) +
        (boards_.server().takes_commands() ? ": a userid of this server, or computer:3." : ".")};
  const auto players = check_names(game(), wanted);
  if (!players) return players.refusal();
  for (const std::string& name : wanted)
    if (on_server() && !open_ && !check_userid(name))
      return Refusal{"'" + fit(name, 20) + "' is no userid: on a server they are who plays."};
  if (const Field* pair = field_of(Field::Of::pair); pair && pair->on && wanted.size() > 2)
    return Refusal{"-pair is for two: on the second board they swap their seats."};
  if (const Field* ratings = field_of(Field::Of::ratings);
      ratings && !trim(ratings->text.text()).empty())
    if (const auto range = read_rating_range(trim(ratings->text.text())); !range)
      return range.refusal();
  const auto time = limits();
  if (!time) return time.refusal();
  auto match = Match::start(game(), *options, *players, now());
  if (match && on_server()) match->set_limits(*time);
  return match;
}

// What is left out is as usual.
Result<TimeLimits> NewGame::limits() const {
  const Field* days = field_of(Field::Of::days);
  std::vector<std::string> said;
  for (const std::string& word : words(days ? days->text.text() : "")) {
    if (said.size() == kDays.size())
      return Refusal{
          "Three numbers at most: days until one is late, until one has lost, and for all "
          "of one's plies."};
    if (const auto n = read_whole_number<int>(word);
        !same_ignoring_case(word, "none") && (!n || *n < 1 || *n > TimeLimits::kMost))
      return Refusal{"'" + fit(word, 20) + "': write a number of days from 1 to " +
                     std::to_string(TimeLimits::kMost) + ", or none."};
    said.push_back("--" + std::string(kDays[said.size()]) + "=" + word);
  }
  return take_limits(said);
}

std::string NewGame::about_seat(const Field& f) const {
  if (f.level > 0)
    return "level " + std::to_string(f.level) + " of " + std::to_string(kTopLevel) +
           "; type a name for a person";
  const std::string what = f.index == 0                                            ? "moves first"
                           : f.index >= static_cast<std::size_t>(game().min_seats) ? "or nobody"
                                                                                   : "";
  return what + (what.empty() ? "" : "; ") + "Right: the computer";
}

std::string NewGame::wrong_with(const Field& f) const {
  if (f.of == Field::Of::option && f.typed()) {
    const auto value = game().options[f.index].check_value(tidy(f.text.text()));
    return value ? "" : value.refusal().why;
  }
  if (f.of == Field::Of::days) {
    const auto time = limits();
    return time ? "" : time.refusal().why;
  }
  if (f.of != Field::Of::seat) return "";
  const std::vector<std::string> all = names();
  if (f.index >= all.size()) return "";
  const std::string& name = all[f.index];
  if (name.empty())
    return boards_.server().takes_commands() ? "Type a userid of this server." : "Type who plays.";
  if (const auto seats = read_seats({name}); !seats) return seats.refusal().why;
  else if (seats->levels.front() > 0) return "";
  if (const auto fine = check_name(name); !fine) return fine.refusal().why;
  const auto same = [&](const std::string& other) { return same_ignoring_case(other, name); };
  if (std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(f.index), same))
    return name + " has a seat already.";
  return "";
}

// The start, and how it is won, between the choices and what is said of them.
// False where there is no room for both.
bool NewGame::draw_board(Canvas& canvas, const Match& match, int first, int last) const {
  constexpr int kColumn = 3;
  std::string won(game().about);
  won[0] = upper(won[0]);
  const int room = last - first - 2;  // a blank row, and the line
  const std::string fields = game().fields.empty() ? "a" : std::string(game().fields);
  for (const char field : fields) {
    BoardView view;
    view.show(match.draw(0, View{field, false}));
    if (view.size().rows > room || view.size().columns > canvas.size().columns - kColumn - 1)
      continue;
    canvas.put(first, kColumn, fit(won + ".", canvas.size().columns - kColumn - 1), Style::text);
    view.draw(canvas, {first + 2, kColumn, view.size().rows, view.size().columns});
    return true;
  }
  return false;
}

void NewGame::draw(Canvas& canvas) {
  const int rows = canvas.size().rows, width = canvas.size().columns;
  draw_title(canvas, title(), "F1 help  Esc back",
             {{"F1 help", {Key::Code::function, 1}}, {"Esc back", {Key::Code::escape}}});
  constexpr FormColumns kColumns{16, 18, 60};
  rows_.lay_out(kFieldsRow, rows - kFieldsRow - 3);
  const std::size_t players = names().size();
  for (int i = rows_.begin(); i < rows_.end(); ++i) {
    Field& f = fields_[static_cast<std::size_t>(i)];
    f.wrong = wrong_with(f);
    if (f.of == Field::Of::seat) {
      f.offered = f.index < players ? offered_name(f.index) : "-";
      f.about = about_seat(f);
    }
    if (const auto time = limits(); f.of == Field::Of::days)
      f.about = !time         ? "until one is late, has lost, and for all plies; or none"
                : time->any() ? time->in_words()
                              : "nobody is late, whatever it takes";
    draw_field(canvas, rows_.place_of(i), f, i == rows_.selected(), kColumns);
  }
  const auto match = checked();
  std::string message =
      match ? game().remark(match->options(), match->seats()) : match.refusal().why;
  Style style = match ? Style::warning : Style::bad;
  if (!notice_.empty()) {
    message = notice_.text;
    style = notice_.style;
  }
  if (message.empty()) {
    message =
        open_ ? "Enter tells everybody; whoever takes it moves first." : "Enter starts the game.";
    style = Style::good;
  }
  int first = draw_message(canvas, rows, 3, message, style);
  // In full where the row had no room for it; what the game is about stands over its board.
  const std::string& about = fields_[at()].about;
  const bool cut = width < kColumns.wide || columns(about) > kColumns.about_width(width),
             of_game = fields_[at()].of == Field::Of::game;
  if (cut && !of_game) first = draw_message(canvas, first, 2, about, Style::dim);
  const bool drawn =
      match && draw_board(canvas, *match, kFieldsRow + static_cast<int>(fields_.size()) + 1, first);
  if (cut && of_game && !drawn) draw_message(canvas, first, 2, about, Style::dim);
  if (match) canvas.link(rows - 1, 0, width, {{Key::Code::enter}});
}

void NewGame::seat_level(Field& f, int level) {
  f.level = (level + kTopLevel + 1) % (kTopLevel + 1);
  f.kind = f.level > 0 ? FormField::Kind::choice : FormField::Kind::text;
  f.value = "computer " + std::to_string(f.level);
}

// Left and Right are the text's as long as they go anywhere in it.
bool NewGame::changes_seat(const Field& f, const Key& key) const {
  if (f.of != Field::Of::seat) return false;
  if (key.code == Key::Code::left) return f.level > 0 || f.text.at_start();
  return key.code == Key::Code::right && (f.level > 0 || f.text.at_end());
}

ScreenRequest NewGame::press(const Key& key) {
  notice_.clear();
  const bool leaving = std::exchange(leaving_, false);
  Field& f = fields_[at()];
  if (changes_seat(f, key)) {
    change(key.code == Key::Code::right ? 1 : -1);
    return {};
  }
  // Whoever begins to type in the computer's place is a person.
  if (f.level > 0 && ((key.code == Key::Code::character && key.c > ' ') ||
                      key.code == Key::Code::backspace || key.code == Key::Code::remove)) {
    seat_level(f, 0);
    f.text.set("");
    f.edited = false;
    fit_seat();
    if (key.code != Key::Code::character) return {};
  }
  if (f.types(key)) {
    edit(key);
    return {};
  }
  // A userid that is begun is completed first.
  if (key.code == Key::Code::tab && f.of == Field::Of::seat && on_server())
    if (const std::string typed = f.text.text(), whole = complete_last(typed, boards_.server());
        whole != typed) {
      f.text.set(whole);
      return {};
    }
  const auto command = command_for<Command>(bindings(), key);
  if (!command) {
    if (f.typed()) edit(key);
    return {};
  }
  switch (*command) {
    case Command::start: return start();
    case Command::back:
      if (leaving || !changed_) return GoBack{};
      leaving_ = true;
      say("Esc again leaves without a board, any other key goes on.", Style::warning);
      return {};
    case Command::next: go_to(step_round(at(), fields_.size(), 1)); break;
    case Command::previous: go_to(step_round(at(), fields_.size(), -1)); break;
    case Command::more:
    case Command::toggle: change(1); break;
    case Command::less: change(-1); break;
    case Command::help: return ShowKeys{};
  }
  return {};
}

void NewGame::go_to(std::size_t field) {
  rows_.select(static_cast<int>(field));
  Field& f = fields_[field];
  f.fresh = (f.of == Field::Of::option || f.of == Field::Of::days) && f.typed();
}

// The first character in a value replaces it; whoever moves in it first mends it.
// What takes letters away takes a name away that is only offered.
void NewGame::edit(const Key& key) {
  Field& f = fields_[at()];
  const std::string before = f.text.text();
  if (f.fresh && key.code == Key::Code::character) f.text.set("");
  if (f.text.press(key)) f.fresh = false;
  const bool takes_away = key.code == Key::Code::backspace || key.code == Key::Code::remove ||
                          key == ctrl('U') || key == ctrl('W');
  const bool offer_gone = f.of == Field::Of::seat && before.empty() && takes_away;
  if (f.text.text() == before && !offer_gone) return;
  f.edited = true;
  changed_ = true;
  fit_seat();
}

void NewGame::paste(char32_t c) {
  if (fields_[at()].typed()) edit(typed(c));
}

ScreenRequest NewGame::click(Point place) {
  const auto row = rows_.row_at(place);
  if (!row) return {};
  // A click goes to a field; where there is nothing to type, it changes it too.
  go_to(static_cast<std::size_t>(*row));
  if (!fields_[at()].typed()) change(1);
  return {};
}

void NewGame::change(int step) {
  Field& f = fields_[at()];
  if (f.kind == FormField::Kind::on_off) {
    f.on = !f.on;
    changed_ = true;
  }
  if (f.of == Field::Of::seat) {
    seat_level(f, f.level + step);
    changed_ = true;
    fit_seat();
  }
  if (f.of == Field::Of::game) {
    game_ = step_round(game_, all_games().size(), step);
    build();
  }
}

ScreenRequest NewGame::start() {
  const auto match = checked();
  if (!match) {
    say(match.refusal().why, Style::bad);
    return {};
  }
  if (asking_) return {};
  if (const Field* pair = field_of(Field::Of::pair);
      open_ || (pair && pair->on) || (on_server() && match->limits() != kUsualLimits))
    return order(*match);
  asking_ = boards_.ask(std::string(on_server() ? "" : kOwnBoards),
                        [this, match = *match](Boards& boards) -> Boards::Then {
                          auto board =
                              boards.create(match.game(), match.options(), match.seating().words());
                          return [this, board = std::move(board)] {
                            asking_.reset();
                            if (board) later_ = GoToBoard{board->id};
                            else say(board.refusal().why, Style::bad);
                          };
                        });
  return take_request();
}

// What is more than a board comes of a line for the server, whose answer is told in the lobby.
ScreenRequest NewGame::order(const Match& match) {
  std::string line = challenge_line(match);
  if (open_) {
    line = std::string(match.game().name) + " seek " +
           std::string(trim(field_of(Field::Of::ratings)->text.text()));
    for (const std::string& option : match.options().words()) line += " " + option;
    for (const std::string& limit : match.limits().words()) line += " " + limit;
  }
  const bool pair = field_of(Field::Of::pair)->on;
  if (pair) line += " -pair";
  const bool one = !open_ && !pair;
  asking_ = boards_.ask("", [this, line, one](Boards& boards) -> Boards::Then {
    return [this, one, answer = boards.server().command(line)] {
      asking_.reset();
      if (!answer) say(answer.refusal().why, Style::bad);
      else if (one && !answer->board.empty()) later_ = GoToBoard{answer->board};
      else later_ = GoBack{answer->summary};
    };
  });
  return take_request();
}

}  // namespace pbm
