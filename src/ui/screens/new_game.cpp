// SPDX-License-Identifier: MIT
// The form for a new board: game, options, time limits, players. It takes the games from their
// table. Leaves checking to protocol/new_board.hpp, and creating the board to lobby_session.hpp.
#include "ui/screens/screens.hpp"

#include <algorithm>

#include "protocol/new_board.hpp"
#include "ui/screens/form.hpp"
#include "ui/lobby_session.hpp"
#include "ui/widgets/board_view.hpp"

namespace pbm {

namespace {

constexpr std::string_view kYou = "you", kPair = "pair", kRatings = "ratings";

// Changes numbers like "7 x 9", "7*9" or "007x009" to the form that an option takes.
std::string tidy(std::string_view typed) {
  std::string out;
  for (const char c : typed) {
    if (c == ' ') continue;
    const bool after_digit = !out.empty() && is_digit(out.back());
    // Drop a leading zero before another digit.
    if (is_digit(c) && after_digit && out.back() == '0' &&
        (out.size() == 1 || !is_digit(out[out.size() - 2])))
      out.pop_back();
    out += c == '*' && after_digit ? 'x' : c;
  }
  return out;
}

bool is_seat(const FormRow& row) { return row.label.starts_with("player"); }
bool is_option(const FormRow& row) {
  return row.label != "game" && row.label != kRatings && !is_seat(row);
}

class NewGame final : public Form {
 public:
  NewGame(Boards& boards, std::string me, std::vector<std::string> people, bool open,
          const GameType* game)
      : Form("start the game", "back to the boards without a new one"),
        boards_(boards),
        me_(std::move(me)),
        people_(std::move(people)),
        open_(open),
        game_(game ? static_cast<std::size_t>(game - all_games().data()) : 0) {
    build();
    rows_.front().chosen = game_;
  }

  void press(const Key& key) override {
    // Tab first completes a userid.
    if (key.code == Key::Code::tab && is_seat(row()) && row().typed() && asker().server)
      if (const std::string typed = row().text.text(),
          whole = complete_last(typed, boards_.server());
          whole != typed) {
        row().text.set(whole);
        return;
      }
    if (key.code != Key::Code::escape) leaving_ = false;
    Form::press(key);
  }

  std::string title() const override { return open_ ? "Look for a player" : "New board"; }

 private:
  void enter() override {
    const auto board = described();
    if (!board) {
      look();  // Enter may arrive before a drawing marks the wrong row
      const auto wrong = std::ranges::find_if(rows_, [](const auto& row) { return row.wrong; });
      if (wrong != rows_.end() && !row().wrong)
        go_to(static_cast<std::size_t>(wrong - rows_.begin()));
      return say(board.refusal().why, Style::bad);
    }
    if (asking_) return;
    boards_.ask(
        asking_, std::string(board->there ? "" : kOwnBoards),
        [board = *board, &boards = boards_] { return begin_board(boards, board); },
        [this](const Result<Entered>& made) {
          if (!made) say(made.refusal().why, Style::bad);
          else if (!made->open.empty()) request(GoToBoard{made->open});
          else request(GoBack{made->told});
        });
  }

  void leave() override {
    if (std::exchange(leaving_, true) || !changed_) return request(GoBack{});
    say("Esc again leaves without a board, any other key goes on.", Style::warning);
  }

  void changed(FormRow& row) override {
    changed_ = changed_ || row.label != "game";
    if (row.label == "game") {
      const std::size_t next = row.chosen;
      rows_.erase(rows_.begin() + 1, rows_.begin() + 1 + std::ssize(game().options));
      game_ = next;
      return build();
    }
    // The players decide if the board is on the server.
    if (is_seat(row)) build();
  }

  void look() override {
    const BoardWords said = words();
    const auto board = described();
    const std::vector<std::string> typed = named();
    std::size_t option = 0, seat = 0;
    for (FormRow& row : rows_) {
      const auto wrong = [&](std::size_t word) { return !board && board.refusal().at == word; };
      if (is_option(row) && (row.typed() || row.on())) row.wrong = wrong(option++);
      if (!is_seat(row)) continue;
      row.wrong = wrong(said.options.size() + seat);
      row.offered = seat < said.names.size() ? offered_name(seat, typed) : "-";
      row.about = seat == 0 ? "moves first" : seat < said.names.size() ? "" : "nobody";
      row.about +=
          (row.about.empty() ? "" : "; ") +
          std::string(row.typed() ? "a name, or Right: the computer"
                      : row.value() == kYou
                          ? me_ + "; Right: somebody else, the computer"
                          : "its level, of " + std::to_string(kTopLevel) + "; or type a name");
      ++seat;
    }
  }

  Notice foot() const override {
    const auto board = described();
    if (!board) return {board.refusal().why, Style::bad};
    const Match& match = board->match;
    if (std::string remark = game().remark(match.options(), match.seats()); !remark.empty())
      return {std::move(remark), Style::warning};
    if (!board->there) return {"Enter starts the game.", Style::good};
    const TimeLimits& time = match.limits();
    return {(open_ ? "Enter tells everybody; whoever takes it moves first: "
                   : "Enter starts the game: ") +
                (time.any() ? time.in_words() : "nobody is late, whatever it takes") + ".",
            Style::good};
  }

  // Draws the start position, in the first drawing of the game that fits.
  Canvas below(Size room) const override {
    constexpr int kColumn = 3;
    const auto board = described();
    const std::string fields = game().fields.empty() ? "a" : std::string(game().fields);
    for (const char field : board ? fields : "") {
      BoardView view;
      view.show(board->match.draw(0, View{field, false}));
      const Size size = view.size();
      if (size.rows > room.rows || size.columns > room.columns - kColumn - 1) continue;
      Canvas out({size.rows, room.columns});
      view.draw(out, {0, kColumn, size.rows, size.columns});
      out.cursor.reset();
      return out;
    }
    return Canvas({0, 0});
  }

  // Rebuilds the rows. A row that existed before keeps its value.
  void build() {
    using Row = FormRow::Kind;
    const std::vector<FormRow> before = std::exchange(rows_, {});
    const auto add = [&](FormRow row, const std::string& text = "") {
      row.replaced = !text.empty();
      row.text.set(text);
      const auto old = std::ranges::find_if(
          before, [&](const FormRow& b) { return b.label == row.label && b.kind == row.kind; });
      if (old != before.end()) {
        row.chosen = old->chosen;
        row.text = old->text;
        row.edited = old->edited;
      }
      rows_.push_back(std::move(row));
    };
    std::vector<std::string> games;
    for (const GameType& g : all_games()) games.emplace_back(g.title);
    add({Row::choice, "game", game().about, std::move(games)});
    for (const OptionSpec& spec : game().options)
      add({spec.check_value ? Row::text : Row::on_off, spec.name, spec.about},
          std::string(spec.standard));
    for (std::size_t s = 0; s < static_cast<std::size_t>(game().max_seats) && !open_; ++s)
      add(seat_row(s));
    // Only boards on a server have these options.
    const auto seats = read_seats(named());
    const bool computer =
        seats && std::ranges::any_of(seats->levels, [](int level) { return level > 0; });
    if (asker().server && !computer) {
      add({Row::on_off, kPair, "two boards, with the seats swapped"});
      add({Row::text, "nagtime", "days until a move is late, or none"}, "7");
      add({Row::text, "forfeittime", "days until the game is lost, or none"}, "21");
      add({Row::text, "totaltime", "days for all of one's moves, or none"}, "none");
    }
    if (open_) add({Row::text, kRatings, "of those who may take it, as 1500-1700; empty: anybody"});
  }

  // Returns a row to choose the player, a typed name, or a level of the computer.
  FormRow seat_row(std::size_t seat) const {
    FormRow row{FormRow::Kind::choice, "player" + std::to_string(seat + 1), ""};
    if (!me_.empty()) row.values.emplace_back(kYou);
    row.chosen = seat == 0 ? 0 : row.values.size();
    row.values.emplace_back();
    // A player without earlier opponents gets the weakest computer as the first choice.
    const auto is_me = [&](const std::string& name) { return same_ignoring_case(name, me_); };
    if (seat == 1 && std::ranges::all_of(people_, is_me) && !asker().server && boards_.computer())
      row.chosen = row.values.size();
    for (int level = 1; level <= kTopLevel; ++level)
      row.values.push_back("computer " + std::to_string(level));
    return row;
  }

  const GameType& game() const { return all_games()[game_]; }
  Asker asker() const { return {boards_.server().user(), boards_.server().takes_commands()}; }

  // Returns the chosen or typed name of each seat, or "".
  std::vector<std::string> named() const {
    std::vector<std::string> out;
    for (const FormRow& row : rows_) {
      if (!is_seat(row)) continue;
      std::string who(trim(row.value()));
      if (!row.typed() && who == kYou) who = me_;
      else if (!row.typed()) who[who.find(' ')] = ':';  // "computer 3" becomes "computer:3"
      out.push_back(std::move(who));
    }
    return out;
  }

  // Returns the name suggested for an empty seat: the most recent opponent who has no seat yet.
  // Returns "" if the player has deleted a name there.
  std::string offered_name(std::size_t seat, const std::vector<std::string>& named) const {
    const auto edited = [&](std::size_t s) {
      return find("player" + std::to_string(s + 1))->edited;
    };
    if (edited(seat)) return "";
    std::vector<std::string> left;
    // If there are not enough people, a player without a name gets the first seat.
    if (me_.empty() && std::ssize(people_) < game().min_seats && named[0].empty() && !edited(0))
      left.emplace_back("player1");
    for (const std::string& name : people_)
      if (!same_ignoring_case(name, me_) && std::ranges::none_of(named, [&](const std::string& n) {
            return same_ignoring_case(n, name);
          }))
        left.push_back(name);
    std::size_t before = 0;  // empty seats before this one
    for (std::size_t i = 0; i < seat; ++i) before += named[i].empty() && !edited(i);
    if (before < left.size()) return left[before];
    return asker().server ? "" : "player" + std::to_string(seat + 1);
  }

  BoardWords words() const {
    BoardWords out;
    for (const FormRow& row : rows_) {
      if (!is_option(row)) continue;
      if (row.typed()) out.options.push_back("-" + row.label + "=" + tidy(row.text.text()));
      else if (row.on()) out.options.push_back("-" + row.label);
    }
    if (open_) out.ratings = trim(find(kRatings)->text.text());
    out.names = named();
    const std::vector<std::string> said = out.names;
    // Empty names at the end are seats without a player.
    while (out.names.size() > static_cast<std::size_t>(game().min_seats) &&
           out.names.back().empty())
      out.names.pop_back();
    for (std::size_t i = 0; i < out.names.size(); ++i)
      if (out.names[i].empty()) out.names[i] = offered_name(i, said);
    return out;
  }

  // Returns the new board, or a refusal that says why it is not possible.
  Result<NewBoard> described() const { return read_new_board(game(), words(), asker()); }

  Boards& boards_;
  std::string me_;
  std::vector<std::string> people_;
  bool open_;
  std::size_t game_ = 0;
  bool changed_ = false;  // something was chosen or typed
  bool leaving_ = false;  // Esc was pressed once
};

}  // namespace

std::unique_ptr<Screen> new_game(Boards& boards, std::string me, std::vector<std::string> people,
                                 bool open, const GameType* game) {
  return std::make_unique<NewGame>(boards, std::move(me), std::move(people), open, game);
}

}  // namespace pbm
