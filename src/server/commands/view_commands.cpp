// SPDX-License-Identifier: MIT
// Commands that only show userids and boards, and change nothing.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "protocol/match_description.hpp"
#include "save/save.hpp"
#include "server/commands/helpers.hpp"

namespace pbm {
namespace {

// The most entries and plies of all boards in one reply, as showing a board may replay them.
constexpr std::size_t kMaxReplayed = 10'000;

void append_lines(Lines& out, const std::string& text) {
  for (const std::string_view line : split_lines(text)) out.emplace_back(line);
}

// --- which boards ------------------------------------------------------------

struct BoardFilter {
  BoardRows::BoardState state;
  bool only_own_turn = false;  // only boards where it is the user's turn
};

// Removes the last of `words` if it says which boards are wanted, and returns what it says.
BoardFilter take_filter(std::vector<std::string>& words) {
  using Of = BoardRows::BoardState;
  for (const auto& [word, which] : {std::pair<std::string_view, BoardFilter>("all", {Of::all}),
                                    {"active", {Of::running}},
                                    {"inactive", {Of::finished}},
                                    {"next", {Of::running, true}}})
    if (!words.empty() && equals_ignoring_case(words.back(), word)) {
      words.pop_back();
      return which;
    }
  return {Of::running};
}

// Returns the boards of a game, or those of some users, by number.
std::vector<BoardKey> find_boards(const Request& r, const GameType& game,
                                  const std::vector<std::string>& users, BoardFilter which) {
  BoardStore& store = r.service->store;
  if (users.empty()) return store.rows().find_boards(game, which.state);
  std::set<BoardKey> out;
  for (const std::string& user : users)
    for (const BoardKey& key : store.rows().find_boards(user, which.state)) {
      if (key.game != &game) continue;
      const auto board = which.only_own_turn ? store.find_summary(key) : std::nullopt;
      if (!board || equals_ignoring_case(board->names[index(*board->to_move)], user))
        out.insert(key);
    }
  return {out.begin(), out.end()};
}

std::string board_line(const Request& r, BoardSummary info) {
  r.service->update_names(info);
  if (!info.load_error.empty())
    return pad_left(std::to_string(info.number), 6) + "     -  " + info.load_error;
  const std::string& contest = r.service->describe_contest(info.id);
  const std::string time = r.service->board_clock(info).short_text(info.to_move, r.service->time());
  return pad_left(std::to_string(info.number), 6) + pad_left(std::to_string(info.ply_count), 6) +
         "  " + pad(joined_names(info.names), 36) + "  " + info.turn_or_result() +
         (time.empty() ? "" : ", " + time) + (info.offer ? ", " + info.offer_text() : "") +
         (contest.empty() ? "" : ", " + contest) + bracketed_options(info.options);
}

constexpr std::size_t kMaxTable = 1000;  // boards

Reply board_table(const Request& r, const std::vector<BoardKey>& boards, const std::string& of,
                  bool with_game) {
  if (boards.empty()) return Reply("No boards" + of + ".");
  const std::string columns = with_game ? ": game, number, moves, players, turn or result."
                                        : ": number, moves, players, turn or result.";
  return Reply(format_count(boards.size(), "board", "boards") + of + columns,
               make_lines(boards, kMaxTable, [&](const BoardKey& key) {
                 return (with_game ? pad(std::string(key.game->name), 10) : "") +
                        board_line(r, *r.service->store.find_summary(key));
               }));
}

// --- one board in full ---------------------------------------------------------

// Returns the plies that were played from the queue, "3 BT, 5 CO".
std::string automatic_plies(const Request& r, const BoardKey& key, const Match& match) {
  std::string out;
  for (std::size_t i = 0; i < match.plies().size(); ++i)
    if (r.service->queued_plies.is_automatic(key.id(), i + 1, match.plies()[i].time))
      out += (out.empty() ? "" : ", ") + std::to_string(i + 1) + " " + match.plies()[i].text;
  return out;
}

void need_ply(const OpenBoard& board, std::optional<std::size_t> ply) {
  const std::size_t plies = board.match.plies().size();
  if (ply && *ply > plies)
    throw Refusal{board.key.to_string() + " has " + format_count(plies, "move", "moves") +
                  ". Write #0 to #" + std::to_string(plies) + "."};
}

void show_board(const Request& r, const OpenBoard& board, std::optional<std::size_t> ply,
                Lines& out) {
  const Match& match = board.match;
  need_ply(board, ply);
  const Match then = ply && *ply < match.plies().size() ? match.prefix_copy(*ply) : match;
  if (!out.empty()) out.emplace_back();
  out.push_back(board.key.to_string() + (ply ? ", after move " + std::to_string(*ply) : "") + ": " +
                summarize_match("", then).state());
  append_lines(out, record_text(then, view_for(r, match.game())));
  if (then.offer()) out.push_back(then.offer_text());
  if (const std::string& contest = r.service->describe_contest(board.key.id()); !contest.empty())
    out.push_back(contest + ".");
  if (const std::string queued = automatic_plies(r, board.key, then); !queued.empty())
    out.push_back("Played from the queue: " + queued + ".");
  const BoardSummary now = r.service->summary_for("", board.summary);
  if (now.watcher_count > 0)
    out.push_back(format_count(now.watcher_count, "watcher", "watchers") + ".");
  for (Seat s = 0; s < match.seats(); ++s)
    if (const auto time = now.clock.text(s, now.to_move, r.service->time()); !time.empty())
      out.push_back(match.player_label(s) + ": " + time + ".");
}

// Returns "  on vacation until 2026-12-01", or "".
std::string vacation_text(const Request& r, const std::string& userid) {
  const auto until = vacation_end(r.service->timekeeper.vacations.find(userid), r.service->time());
  return until ? "  on vacation until " + iso_time(*until).substr(0, 10) : "";
}

// --- the commands -----------------------------------------------------------------

// Shows all userids, or the players of some games now.
Reply run_list(Request& r) {
  Service& service = *r.service;
  std::vector<const GameType*> games;
  for (const std::string& word : r.words) games.push_back(need_game(word));
  // Counts the running boards of a userid.
  const auto running = [&](const std::string& userid) {
    const auto boards = service.store.rows().find_boards(userid);
    return std::ranges::count_if(boards, [&](const BoardKey& key) {
      return games.empty() || std::ranges::find(games, key.game) != games.end();
    });
  };
  const std::set<std::string> connected = service.connections.userids();
  std::vector<Account> users = service.accounts.all();
  std::erase_if(users,
                [&](const Account& user) { return !games.empty() && running(user.userid) == 0; });
  if (users.empty())
    return Reply(games.empty() ? "There are no accounts yet." : "Nobody plays that now.");
  return Reply(
      format_count(users.size(), "userid", "userids") + ": running games, signed in or not.",
      make_lines(users, kMaxLines, [&](const Account& user) {
        return pad(user.userid, 16) + pad_left(std::to_string(running(user.userid)), 6) +
               (connected.count(user.userid) ? "  signed in" : "") + vacation_text(r, user.userid) +
               (user.is_computer ? "  (computer)" : "");
      }));
}

Reply run_games(Request& r) {
  const BoardFilter which = take_filter(r.words);
  need_users(r, r.words);
  return board_table(r, find_boards(r, *r.game, r.words, which),
                     " of " + std::string(r.game->title), false);
}

Reply run_user_games(Request& r) {
  const BoardFilter which = take_filter(r.words);
  if (r.words.size() > 1) return Refusal{"Write: " + command_syntax(*r.row)};
  const std::string user = r.words.empty() ? r.userid : lower(r.words[0]);
  if (user.empty()) return Refusal{"Sign in first, or write: " + command_syntax(*r.row)};
  need_user(r, user);
  std::vector<BoardKey> boards;
  for (const GameType& game : all_games())
    for (const BoardKey& key : find_boards(r, game, {user}, which)) boards.push_back(key);
  return board_table(r, boards, " of " + user, true);
}

// Returns the running boards that the user plays or watches, in the order of lists: their turn
// first, then the latest.
std::vector<BoardSummary> running_boards(const Request& r, const std::string& user) {
  BoardStore& store = r.service->store;
  const auto of_his = store.rows().find_boards(user);
  std::set<BoardKey> keys(of_his.begin(), of_his.end());
  const auto subscriptions = r.service->accounts.subscriptions(user);
  for (const GameType& game : all_games())
    if (subscriptions.count(std::string(game.name) + "-all"))
      for (const BoardKey& key : store.rows().find_boards(game)) keys.insert(key);
  for (const std::string& id : subscriptions)
    if (const auto key = read_board_id(id)) keys.insert(*key);
  std::vector<BoardSummary> out;
  for (const BoardKey& key : keys)
    if (auto board = store.find_summary(key); board && board->to_move)
      out.push_back(std::move(*board));
  std::ranges::sort(out, [&](const BoardSummary& a, const BoardSummary& b) {
    return is_listed_before(a, b, user);
  });
  return out;
}

// Shows all running boards of a user, and their finished boards in portions of kMaxListed.
Reply run_boards(Request& r) {
  const std::string user = lower(r.words[0]);
  const bool everybody = user == "all";
  if (!everybody) need_user(r, user);
  const auto skipped = r.words.size() > 1 ? read_skip_count(r.words[1]) : std::size_t{0};
  if (!skipped) return Refusal{"Write: " + command_syntax(*r.row)};
  // For "all", even the running boards come in portions.
  BoardStore& store = r.service->store;
  const std::vector<BoardSummary> running =
      everybody ? std::vector<BoardSummary>() : running_boards(r, user);
  const std::size_t more = everybody ? store.rows().count(BoardRows::BoardState::running)
                                     : store.rows().count_finished(user);
  const std::size_t all = running.size() + more, begin = std::min(*skipped, all);
  const std::size_t end = std::max(running.size(), std::min(begin + kMaxListed, all));
  Lines lines;
  const auto add = [&](const BoardSummary& board) {
    lines.push_back(encode(r.service->summary_for(user == r.userid ? user : "", board)));
  };
  for (std::size_t i = begin; i < running.size(); ++i) add(running[i]);
  if (const std::size_t first = std::max(begin, running.size()); first < end) {
    const std::size_t skip = first - running.size(), most = end - first;
    for (const BoardKey& key : everybody ? store.rows().find_running(skip, most)
                                         : store.rows().find_finished(user, skip, most))
      if (const auto board = store.find_summary(key)) add(*board);
  }
  std::string said =
      format_count(lines.size(), "board", "boards") + " of " + (everybody ? "all players" : user);
  if (end < all) {
    said += ". For " + format_count(all - end, "more board", "more boards") + " type boards " +
            user + " #" + std::to_string(end);
    if (r.session->is_program()) lines.push_back(encode_older_count(all - end));
  }
  return Reply(said + ".", std::move(lines));
}

Reply run_info(Request& r) {
  const BoardPtr board = need_board(r, r.words[0]);
  return Reply(board->key.to_string() + ".",
               {encode(r.service->summary_for(r.userid, board->summary))});
}

Reply run_show(Request& r) {
  Lines lines;
  std::size_t shown = 0, left_out = 0, replayed = 0;
  if (read_board_word(r, std::string_view(r.words[0]).substr(0, r.words[0].find('#')))) {
    for (const std::string& word : r.words) {
      const auto numbered = read_numbered_word(word);
      const BoardPtr board = need_board(r, numbered.word);
      if (++shown > kMaxShown)
        return Refusal{"You can show at most " + std::to_string(kMaxShown) + " boards at once."};
      // An earlier position is replayed from the start, in addition to reading the board.
      replayed += board->summary.entry_count + numbered.number.value_or(0);
      if (shown > 1 && replayed > kMaxReplayed)
        return Refusal{"Those games are too long to show together. Show fewer at once."};
      show_board(r, *board, numbered.number, lines);
    }
  } else {
    const BoardFilter which = take_filter(r.words);
    if (r.words.empty()) return Refusal{"Write: " + command_syntax(*r.row)};
    need_users(r, r.words);
    for (const BoardKey& key : find_boards(r, *r.game, r.words, which)) {
      const auto info = shown < kMaxShown ? r.service->store.find_summary(key) : std::nullopt;
      if (info && !info->load_error.empty()) continue;
      replayed += info ? info->entry_count : 0;
      if (!info || (shown > 0 && replayed > kMaxReplayed)) {
        ++left_out;
        continue;
      }
      const auto board = r.service->store.open(key);
      if (!board) continue;
      show_board(r, **board, std::nullopt, lines);
      ++shown;
    }
    if (left_out > 0)
      lines.push_back("(" + format_count(left_out, "more board", "more boards") + "; type " +
                      std::string(r.game->name) + " games for the list)");
  }
  if (shown == 0) return Reply("No boards of " + std::string(r.game->title) + ".");
  return Reply(format_count(shown, "board", "boards") + " of " + std::string(r.game->title) + ".",
               std::move(lines));
}

Reply run_showas(Request& r) {
  need_user(r, r.userid);
  if (r.words.empty() || !read_board_word(r, r.words[0].substr(0, r.words[0].find('#')))) {
    auto rest = r.words;
    take_filter(rest);
    if (!rest.empty()) return Refusal{"Write: " + command_syntax(*r.row)};
    r.words.insert(r.words.begin(), r.userid);
  }
  return run_show(r);
}

// Returns a new match for "preview new [seats]", and removes the number of seats.
Match make_new_match(Request& r) {
  std::size_t seats = index(r.game->min_seats);
  if (r.words.size() > 1 && r.words[1].size() == 1 && is_digit(r.words[1][0])) {
    seats = index(r.words[1][0] - '0');
    r.words.erase(r.words.begin() + 1);
  }
  const auto options = value_or_throw(read_options(*r.game, r.options));
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= seats; ++i) names.push_back("player" + std::to_string(i));
  return value_or_throw(Match::start(*r.game, options, names, r.service->time()));
}

Reply run_preview(Request& r) {
  std::optional<Match> match;
  if (equals_ignoring_case(r.words[0], "new")) {
    match = make_new_match(r);
  } else {
    if (!r.options.empty())
      return Refusal{"'" + fit(r.options.front(), 30) +
                     "' is only for a new board. Write: " + command_syntax(*r.row)};
    const auto numbered = read_numbered_word(r.words[0]);
    const BoardPtr board = need_board(r, numbered.word);
    need_ply(*board, numbered.number);
    match = numbered.number ? board->match.prefix_copy(*numbered.number) : board->match;
  }
  if (r.words.size() > kMaxPreviewed + 1)
    return Refusal{"You can try at most " + std::to_string(kMaxPreviewed) + " moves at once."};
  for (std::size_t i = 1, n = 0; i < r.words.size(); i += n) {
    n = match->count_ply_words(r.words, i);
    const std::string typed = join_words(r.words, i, n);
    const auto entry = match->validate(match->acting_seat(typed), typed, r.service->time());
    if (!entry) return Refusal{"'" + fit(typed, 40) + "' is not legal. " + entry.refusal().reason};
    match->add(*entry);
  }
  return Reply("The board after " + format_count(match->plies().size(), "move", "moves") +
                   ". Nothing was saved.",
               draw_match(r, *match));
}

Reply run_save(Request& r) {
  const BoardKey key = need_board(r, r.words[0])->key;
  auto text = value_or_throw(r.service->store.read_save(key));
  // Cut off an unfinished write at the end, as the loader does.
  text.resize(complete_size(text));
  Lines lines;
  append_lines(lines, text);
  for (const std::string& line : lines)
    if (!is_text_line(line))
      return Refusal{"The save of " + key.to_string() +
                     " has characters that cannot be sent as text."};
  return Reply(key.id() + ".yaml, " + format_count(text.size(), "byte", "bytes") + ".",
               std::move(lines));
}

}  // namespace

std::span<const CommandRow> view_rows() {
  static const CommandRow rows[] = {
      {"list", "[game...]", "list all userids, or the players of a game", run_list},
      {"games", "[userid] [all|active|inactive|next]",
       "list your boards of all games, or a player's", run_user_games},
      {"all show", "userid [all|active|inactive|next]", "list the boards of a player",
       run_user_games},
      {"GAME games", "[userid...] [all|active|inactive|next]", "list boards of a game", run_games},
      {"GAME show", "board[#number]... | userid... [all|active|inactive|next]",
       "draw boards, with their moves", run_show},
      {"GAME showas", "userid [password] [board[#number]...|all|active|inactive|next]",
       "draw boards as that player sees them", run_showas},
      {"GAME preview", "board[#number] [move...] | new [seats] [-options] [move...]",
       "show a board after some moves, without saving them", run_preview},
      {"boards", "userid|all [#number]", "for programs: boards of a player, or all running ones",
       run_boards},
      {"GAME info", "board", "for programs: one board as a YAML map", run_info},
      {"GAME save", "board", "show the save file of a board", run_save},
  };
  return rows;
}

}  // namespace pbm
