// SPDX-License-Identifier: MIT
// The form for a new board: game, options, time limits, players. It takes the games from their
// table. Leaves checking to protocol/new_board.hpp, and creating the board to lobby_session.hpp.
#include "ui/screens/screens.hpp"

#include <algorithm>

#include "protocol/new_board.hpp"
#include "ui/screens/form.hpp"
#include "ui/screens/lobby_cards.hpp"
#include "ui/lobby_session.hpp"
#include "ui/widgets/players_panel.hpp"

namespace pbm {

namespace {

constexpr std::string_view kPair = "pair";

// How well the computer plays at each level.
constexpr std::string_view kLevelWords[] = {"just learned the rules",
                                            "overlooks much",
                                            "sees simple threats",
                                            "knows some tricks",
                                            "plays well",
                                            "plans ahead",
                                            "seldom errs",
                                            "hard to beat",
                                            "very hard to beat",
                                            "the best it can"};

// Changes numbers like "7 x 9", "7*9" or "007x009" to the form that an option takes.
std::string normalize_numbers(std::string_view typed) {
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
bool is_option(const FormRow& row) { return row.label != "game" && !is_seat(row); }

class NewGameForm final : public Form {
 public:
  NewGameForm(Boards& boards, std::string me, std::vector<std::string> people, bool open,
              const GameType* game, std::optional<int> level)
      : Form("start the game, or send the challenge", "back to the list; no game is started"),
        boards_(boards),
        own_name_(std::move(me)),
        suggested_names_(std::move(people)),
        is_open_challenge_(open),
        first_level_(level),
        game_index_(game ? static_cast<std::size_t>(game - all_games().data()) : 0) {
    for (const Person& p : boards_.server().people())
      if (p.is_online && !equals_ignoring_case(p.userid, own_name_)) here_.push_back(p.userid);
    build_rows();
    rows_.front().chosen_index = game_index_;
  }

  void press(const Key& key) override {
    // Tab first completes a userid.
    if (key.code == Key::Code::tab && is_seat(current_row()) && current_row().is_typed() &&
        requester().uses_server)
      if (const std::string typed = current_row().text.text(),
          whole = complete_last_word(typed, boards_.server());
          whole != typed) {
        current_row().text.set_text(whole);
        return;
      }
    if (key.code != Key::Code::escape) asks_to_leave_ = false;
    Form::press(key);
  }

  // As high as the board allows.
  Size wanted_size(Size terminal) override {
    return {terminal.rows, std::min(terminal.columns, kMaxColumns)};
  }
  std::string title() const override {
    return is_open_challenge_ ? "New open challenge" : "New game";
  }

 private:
  void enter() override {
    const auto board = read_board();
    if (!board) {
      update_rows();  // Enter may arrive before a drawing marks the wrong row
      const auto wrong = std::ranges::find_if(rows_, [](const auto& row) { return row.is_wrong; });
      if (wrong != rows_.end() && !current_row().is_wrong)
        go_to(static_cast<std::size_t>(wrong - rows_.begin()));
      return show_notice(board.refusal().reason, Style::bad);
    }
    if (pending_request_) return;
    boards_.start_task(
        pending_request_, std::string(board->is_on_server ? "" : kLocalPrefix),
        [board = *board, &boards = boards_] { return start_board(boards, board); },
        [this, hint = board->is_on_server ? "" : " " + board->match.move_hint() + "."](
            const Result<EntryResult>& made) {
          if (!made) show_notice(made.refusal().reason, Style::bad);
          else if (!made->board_to_open.empty())
            request(OpenBoardRequest{made->board_to_open, made->message + hint});
          else request(BackRequest{made->message});
        });
  }

  void leave() override {
    if (std::exchange(asks_to_leave_, true) || !has_changes_) return request(BackRequest{});
    show_notice("Esc again leaves without a game; any other key stays.", Style::warning);
  }

  void handle_change(FormRow& row) override {
    has_changes_ = has_changes_ || row.label != "game";
    if (row.label == "game") {
      const std::size_t next = row.chosen_index;
      rows_.erase(rows_.begin() + 1, rows_.begin() + 1 + std::ssize(selected_game().options));
      game_index_ = next;
      return build_rows();
    }
    // The players decide if the board is on the server.
    if (is_seat(row)) build_rows();
  }

  void update_rows() override {
    const BoardRequest said = board_request();
    const auto board = read_board();
    const std::vector<std::string> typed = chosen_names();
    std::size_t option = 0, seat = 0;
    for (FormRow& row : rows_) {
      const auto wrong = [&](std::size_t word) { return !board && board.refusal().offset == word; };
      if (is_option(row) && (row.is_typed() || row.is_on())) row.is_wrong = wrong(option++);
      if (!is_seat(row)) continue;
      row.is_wrong = wrong(said.options.size() + seat);
      row.placeholder = seat < said.names.size() ? suggested_name(seat, typed) : "-";
      const bool is_seated = seat < said.names.size();
      row.help_text =
          std::string(!is_seated  ? "nobody; "
                      : seat == 0 ? "moves first; "
                                  : "") +
          (row.value() == kYou ? "you are " + own_name_ + "; type another name" : "type a name") +
          ", or choose with Left and Right";
      row.value_help[!own_name_.empty()] = !is_seated                ? "nobody"
                                           : requester().uses_server ? "a userid; Tab completes it"
                                                                     : "at this keyboard";
      ++seat;
    }
  }

  Notice foot_notice() const override {
    const auto board = read_board();
    if (!board) return {board.refusal().reason, Style::bad};
    const Match& match = board->match;
    if (std::string remark = selected_game().newcomer_note(match.options(), match.seats());
        !remark.empty())
      return {std::move(remark), Style::warning};
    const std::string change = " Left and Right change a value.";
    if (!board->is_on_server)
      return {"Enter starts the game" + same_in_words(match) + "." + change, Style::good};
    const TimeLimits& time = match.limits();
    return {
        (is_open_challenge_ ? "Enter offers it to everybody. The player who accepts moves first. "
                            : "Enter challenges " + challenged_players(*board, own_name_) + ". " +
                                  std::string(kCanDecline) + " ") +
            (time.has_limit() ? "Time: " + time.text() : "There is no time limit") + "." + change,
        Style::good};
  }

  // Returns the typed line that does the same, if there is room for it.
  std::string same_in_words(const Match& match) const {
    constexpr int kRoom = 65;  // columns
    std::string line = lower(title_with_options(match.game(), match.options()));
    for (const std::string& name : board_request().names) line += " " + name;
    const bool has_blanks =
        std::ranges::any_of(match.names(), [](auto& n) { return n.find(' ') != n.npos; });
    return width_ < kRoom || has_blanks ? "" : ", as does :new " + line + " in the list";
  }

  // Draws the start position as large as possible, and says how the game is played. An option that
  // is not allowed has no board.
  Canvas draw_beside(Size room) override {
    constexpr Size kSmallest{9, 20};
    if (room.rows < kSmallest.rows || room.columns < kSmallest.columns) return Canvas({0, 0});
    const GameType& game = selected_game();
    const std::vector<std::string> options = board_request().options;
    if (picture_.size() == room && drawn_ == std::pair(&game, options)) return picture_;
    drawn_ = {&game, options};
    picture_ = Canvas(room);
    const int most = std::max(3, room.rows / 7);
    const Area told = draw_message(
        picture_, {room.rows - most, 0, most, room.columns},
        fit_sentences(std::string(game.introduction), {most, room.columns}), Style::dim);
    if (const auto terms = read_board_terms(game, options))
      if (const auto match =
              Match::start(game, terms->options, complete_seating(game, {})->names, now()))
        picture_.draw_canvas(
            0, 0, draw_centered(*match, {told.row - 1, room.columns}, game.drawing_styles));
    return picture_;
  }

  // Rebuilds the rows. A row that existed before keeps its value.
  void build_rows() {
    using Row = FormRow::Kind;
    const std::vector<FormRow> before = std::exchange(rows_, {});
    const auto add = [&](FormRow row, const std::string& text = "") {
      row.is_replaceable = !text.empty();
      row.text.set_text(text);
      const auto old = std::ranges::find_if(
          before, [&](const FormRow& b) { return b.label == row.label && b.kind == row.kind; });
      if (old != before.end()) {
        row.chosen_index = old->chosen_index;
        row.text = old->text;
        row.is_edited = old->is_edited;
      }
      rows_.push_back(std::move(row));
    };
    std::vector<std::string> games;
    for (const GameType& g : all_games()) games.emplace_back(g.title);
    add({Row::choice, "game", selected_game().summary, std::move(games)});
    for (const GameType& g : all_games())
      rows_.back().value_help.push_back(
          (g.max_seats > g.min_seats ? std::to_string(g.min_seats) + " to " : "") +
          std::to_string(g.max_seats) + " players");
    for (const OptionSpec& spec : selected_game().options)
      add({spec.check_value ? Row::text : Row::toggle, spec.name, spec.summary},
          std::string(spec.default_value));
    for (std::size_t s = 0;
         s < static_cast<std::size_t>(selected_game().max_seats) && !is_open_challenge_; ++s)
      add(make_seat_row(s));
    // Only boards on a server have these options.
    const auto seats = read_seating(chosen_names());
    const bool computer =
        seats && std::ranges::any_of(seats->computer_levels, [](int level) { return level > 0; });
    if (requester().uses_server && !computer) {
      add({Row::toggle, kPair, "two games, with swapped seats"});
      add({Row::text, "nagtime", "days until a move is late, or none"}, "7");
      add({Row::text, "forfeittime", "days until the game is lost, or none"}, "21");
      add({Row::text, "totaltime", "days for all moves of a player, or none"}, "none");
    }
  }

  // Returns a row to choose the player, a typed name, or a level of the computer.
  FormRow make_seat_row(std::size_t seat) const {
    FormRow row{FormRow::Kind::choice, "player" + std::to_string(seat + 1), ""};
    const auto add = [&](std::string_view value, std::string_view help) {
      row.values.emplace_back(value);
      row.value_help.emplace_back(help);
    };
    if (!own_name_.empty()) add(kYou, own_name_);
    row.chosen_index = seat == 0 ? 0 : row.values.size();
    add("", "");
    for (const std::string& userid : here_) add(userid, "here now");
    // After a game with the computer that one comes first, as without earlier opponents.
    const auto is_me = [&](const std::string& name) {
      return equals_ignoring_case(name, own_name_);
    };
    if (seat == 1 && (first_level_ || std::ranges::all_of(suggested_names_, is_me)) &&
        !requester().uses_server && boards_.computer())
      row.chosen_index = row.values.size() + index(first_level_.value_or(0));
    add("computer", "as strong as you");
    for (int level = 1; level <= kMaxLevel; ++level)
      add("computer " + std::to_string(level), kLevelWords[index(level - 1)]);
    return row;
  }

  const GameType& selected_game() const { return all_games()[game_index_]; }
  Requester requester() const { return {boards_.server().userid(), boards_.server().has_server()}; }

  // Returns the chosen or typed name of each seat, or "".
  std::vector<std::string> chosen_names() const {
    std::vector<std::string> out;
    for (const FormRow& row : rows_) {
      if (!is_seat(row)) continue;
      std::string who(trim(row.value()));
      if (!row.is_typed() && who == kYou) who = own_name_;
      else if (!row.is_typed()) std::ranges::replace(who, ' ', ':');  // "computer:3"
      out.push_back(std::move(who));
    }
    return out;
  }

  // Returns the name suggested for an empty seat: the most recent opponent who has no seat yet.
  // Returns "" if the player has deleted a name there.
  std::string suggested_name(std::size_t seat, const std::vector<std::string>& named) const {
    const auto edited = [&](std::size_t s) {
      return find("player" + std::to_string(s + 1))->is_edited;
    };
    if (edited(seat)) return "";
    std::vector<std::string> left;
    // If there are not enough people, a player without a name gets the first seat.
    if (own_name_.empty() && std::ssize(suggested_names_) < selected_game().min_seats &&
        named[0].empty() && !edited(0))
      left.emplace_back("player1");
    for (const std::string& name : suggested_names_)
      if (!equals_ignoring_case(name, own_name_) &&
          std::ranges::none_of(named,
                               [&](const std::string& n) { return equals_ignoring_case(n, name); }))
        left.push_back(name);
    std::size_t before = 0;  // empty seats before this one
    for (std::size_t i = 0; i < seat; ++i) before += named[i].empty() && !edited(i);
    if (before < left.size()) return left[before];
    return requester().uses_server ? "" : "player" + std::to_string(seat + 1);
  }

  BoardRequest board_request() const {
    BoardRequest out;
    for (const FormRow& row : rows_) {
      if (!is_option(row)) continue;
      if (row.is_typed())
        out.options.push_back("-" + row.label + "=" + normalize_numbers(row.text.text()));
      else if (row.is_on()) out.options.push_back("-" + row.label);
    }
    out.is_open_challenge = is_open_challenge_;
    out.names = chosen_names();
    const std::vector<std::string> said = out.names;
    // Empty names at the end are seats without a player.
    while (out.names.size() > static_cast<std::size_t>(selected_game().min_seats) &&
           out.names.back().empty())
      out.names.pop_back();
    for (std::size_t i = 0; i < out.names.size(); ++i)
      if (out.names[i].empty()) out.names[i] = suggested_name(i, said);
    return out;
  }

  // Returns the new board, or a refusal that says why it is not possible.
  Result<NewBoard> read_board() const {
    return read_new_board(selected_game(), board_request(), requester());
  }

  Boards& boards_;
  std::string own_name_;
  std::vector<std::string> suggested_names_, here_;  // here: the people on the server
  bool is_open_challenge_;
  std::optional<int> first_level_;  // of the computer in the latest game; 0: it adapts
  std::size_t game_index_ = 0;
  bool has_changes_ = false;                                    // something was chosen or typed
  bool asks_to_leave_ = false;                                  // Esc was pressed once
  Canvas picture_{Size{}};                                      // beside the rows
  std::pair<const GameType*, std::vector<std::string>> drawn_;  // the game and options there
};

}  // namespace

std::unique_ptr<Screen> make_new_game_form(Boards& boards, std::string me,
                                           std::vector<std::string> people, bool open,
                                           const GameType* game, std::optional<int> level) {
  return std::make_unique<NewGameForm>(boards, std::move(me), std::move(people), open, game, level);
}

}  // namespace pbm
