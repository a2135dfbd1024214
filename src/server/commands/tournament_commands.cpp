// SPDX-License-Identifier: MIT
// Commands about tournaments: making one, playing in it, and its table.
#include <algorithm>
#include <climits>

#include "base/text.hpp"
#include "protocol/contest_pages.hpp"
#include "protocol/new_board.hpp"
#include "save/yaml.hpp"
#include "server/commands/helpers.hpp"
#include "server/contest_players.hpp"
#include "server/contest_rounds.hpp"
#include "server/tournaments/pairing.hpp"
#include "server/tournaments/standings.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxNameLength = 16;
constexpr int kTableColumns = 78;  // of 80, beside the mark of one's own row
constexpr std::size_t kMaxUnfinishedPerUser = 5;
constexpr int kMaxDays = 60;  // of a limit of time, so that rounds end
// From the opening to the date of the start: at most, and usually in a member's tournament.
constexpr auto kMaxWait = std::chrono::hours(24 * 366), kUsualWait = std::chrono::hours(24 * 30);

bool is_owner_alone(const Request& r) { return r.session->is_owner() && r.userid.empty(); }

void need_sign_in(const Request& r) {
  if (r.userid.empty() && !is_owner_alone(r))
    throw Refusal{"Sign in first with login userid password."};
}

std::string check_tournament_name(const std::string& typed) {
  const auto fine = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; };
  if (typed.size() > kMaxNameLength || !is_letter(typed.front()) ||
      !std::ranges::all_of(typed, fine))
    throw Refusal{"'" + fit(typed, 24) +
                  "' cannot be the name of a tournament. A name is a letter and up to " +
                  std::to_string(kMaxNameLength - 1) + " letters, digits, '-' and '_'."};
  if (read_board_id(typed) || starts_with_ignoring_case(typed, "seek-"))
    throw Refusal{"'" + typed + "' is the name of a board. Choose another name."};
  return lower(typed);
}

// Removes -NAME=VALUE from the options and returns the value, or nothing.
std::optional<std::string> take_option(Lines& options, std::string_view name) {
  std::optional<std::string> out;
  std::erase_if(options, [&](const std::string& option) {
    const std::string_view word = std::string_view(option).substr(option.starts_with("--") ? 2 : 1);
    const std::size_t equals = word.find('=');
    if (!equals_ignoring_case(word.substr(0, equals), name)) return false;
    if (equals == std::string_view::npos)
      throw Refusal{"Write -" + std::string(name) + "= and the value in one word."};
    if (out) throw Refusal{"-" + std::string(name) + " is given twice. Write it once."};
    out = word.substr(equals + 1);
    return true;
  });
  return out;
}

// Reads the form and the word after it.
void read_form(const Request& r, Tournament& t) {
  const auto form = find_tournament_form(r.words[2]);
  if (!form)
    throw Refusal{"'" + fit(r.words[2], 20) +
                  "' is no form of a tournament. Write round-robin, swiss or knockout."};
  t.form = *form;
  if (r.words.size() < 4) return;
  const std::string& word = r.words[3];
  const auto rounds = read_whole_number<std::size_t>(word);
  t.is_double = equals_ignoring_case(word, "double");
  if (t.is_double && t.form != Tournament::Form::round_robin)
    throw Refusal{"Only a round robin can be double. In a knockout, a match always has two games."};
  if (t.is_double) return;
  if (t.form != Tournament::Form::swiss || !rounds || *rounds == 0 ||
      *rounds > max_swiss_rounds(Tournaments::kMaxEntries))
    throw Refusal{"'" + fit(word, 20) +
                  "' does not belong there. Write swiss and the number of "
                  "rounds, up to " +
                  std::to_string(max_swiss_rounds(Tournaments::kMaxEntries)) +
                  ", or round-robin double. Every game has two seats."};
  t.rounds = *rounds;
}

// Reads the limits that only tournaments have, and removes them from the options.
void read_limits(const Service& service, Lines& options, Tournament& t) {
  const auto entries = take_option(options, "entries"), until = take_option(options, "until"),
             rated = take_option(options, "rated");
  const auto most = entries ? read_whole_number<std::size_t>(*entries) : Tournaments::kMaxEntries;
  if (!most || *most < 4 || *most > Tournaments::kMaxEntries)
    throw Refusal{"A tournament has 4 to " + std::to_string(Tournaments::kMaxEntries) +
                  " entries, not '" + fit(*entries, 20) + "'."};
  t.max_entries = *most;
  if (until) t.start_time = need_start_time(service, *until);
  if (rated && !equals_ignoring_case(*rated, "no") && !equals_ignoring_case(*rated, "yes"))
    throw Refusal{"'" + fit(*rated, 20) + "' is not yes or no."};
  t.is_unrated = rated && equals_ignoring_case(*rated, "no");
}

void check_may_make(const Request& r) {
  Service& service = *r.service;
  need_sign_in(r);
  value_or_throw(check_mute(r));
  if (!r.userid.empty() && !service.options.members_make_tournaments)
    throw Refusal{"Only the owner of this server makes tournaments."};
  std::size_t open = 0, unfinished = 0;
  const auto all = service.tournaments.find_unfinished();
  for (const Tournament& t : all) {
    unfinished += t.creator == r.userid;
    open += t.state == Tournament::State::open && t.creator == r.userid;
  }
  if (!r.userid.empty() && open >= Tournaments::kMaxOpenPerUser)
    throw Refusal{r.userid + " has " + std::to_string(open) +
                  " open tournaments, the limit. Start one of them first."};
  if (!r.userid.empty() && unfinished >= kMaxUnfinishedPerUser)
    throw Refusal{r.userid + " has " + std::to_string(unfinished) +
                  " tournaments that are open or run, the limit. Wait for the end of one."};
  if (!r.userid.empty() && all.size() >= Tournaments::kMaxUnfinished)
    throw Refusal{"The server has room for no more tournaments. Join one of those."};
}

// Describes the terms: "Toot -size=7x9, double round-robin, lost after 7 days". Says nothing of the
// usual clocks.
std::string describe_terms(const Tournament& t) {
  std::vector<std::string> words = t.options;
  const auto limits = take_time_limits(words);
  const std::string time = limits ? limits->non_default_text() : "";
  return t.title() + ", " + t.form_text() + (time.empty() ? "" : ", " + time);
}

Reply run_tournament_new(Request& r) {
  Service& service = *r.service;
  check_may_make(r);
  Tournament t;
  t.name = check_tournament_name(r.words[0]);
  if (service.tournaments.find(t.name))
    return Refusal{"There is a tournament " + t.name + " already. Choose another name."};
  Lines options = r.options;
  t.game = find_game(r.words[1], options);
  if (!t.game) t.game = need_game(r.words[1]);
  read_form(r, t);
  read_limits(service, options, t);
  const auto terms = value_or_throw(read_board_terms(*t.game, options));
  if (terms.is_pair)
    return Refusal{"-pair is not for tournaments. Write double for swapped seats."};
  if (!terms.limits.forfeit_days && !terms.limits.total_days)
    return Refusal{"Every game of a tournament has a clock. Leave out --forfeittime=none."};
  if (std::min(terms.limits.forfeit_days.value_or(INT_MAX),
               terms.limits.total_days.value_or(INT_MAX)) > kMaxDays)
    return Refusal{"A move in a tournament takes at most " + std::to_string(kMaxDays) +
                   " days. Write --forfeittime=" + std::to_string(kMaxDays) + " or less."};
  // Two players play each game, also of a game for up to four.
  value_or_throw(Match::start(*t.game, terms.options, {"player1", "player2"}, service.time()));
  t.options = terms.words();
  t.creator = r.userid;
  if (!r.userid.empty()) {
    // Everybody is informed, so it counts as a message to all.
    value_or_throw(service.minute_limits.texts.check_and_add(r.userid, service.moment()));
    if (!t.start_time) t.start_time = service.time() + kUsualWait;
  }
  service.tournaments.put(t);
  Event event{Event::Kind::tournament};
  event.move = t.name;
  event.text = (r.userid.empty() ? "The owner of the server" : r.userid) + " opens " + t.name +
               ": " + describe_terms(t) + ". Type tournament join " + t.name +
               ", or press T on a screen.";
  auto users = service.connections.watching_userids();
  service.accounts.remove_blockers(users, r.userid);
  service.send_event(users, event, false, r.session->number());
  return Reply(t.name + " is open: " + describe_terms(t) + ". Players type tournament join " +
               t.name + ".");
}

Reply run_tournament_join(Request& r) {
  Service& service = *r.service;
  const Tournament t = need_tournament(r, r.words[0]);
  if (t.state != Tournament::State::open)
    return Refusal{t.name + " is " + std::string(to_string(t.state)) +
                   ". Type tournaments for those that are open."};
  auto entries = service.tournaments.entries(t.name);
  if (std::ranges::find(entries, r.userid, &TournamentEntry::userid) != entries.end())
    return Refusal{"You already play in " + t.name + "."};
  entries.push_back({0, r.userid, service.history.rounded_rating(t.game->name, r.userid)});
  service.tournaments.set_entries(t.name, entries);
  if (entries.size() < t.max_entries)
    return Reply("You play in " + t.name + ". It has " + std::to_string(entries.size()) + " of " +
                 std::to_string(t.max_entries) + " players.");
  value_or_throw(start_tournament(service, t));
  return Reply("You play in " + t.name + ". It is full and starts now.");
}

// Leaves an open tournament, or withdraws from a running one.
Reply run_tournament_leave(Request& r) {
  Service& service = *r.service;
  const Tournament t = need_tournament(r, r.words[0]);
  const bool withdraws = r.row->verb() == "tournament withdraw";
  const auto wanted = withdraws ? Tournament::State::running : Tournament::State::open;
  if (t.state == wanted && withdraws) {
    value_or_throw(withdraw_from_tournament(service, t, r.userid));
    return Reply("You have withdrawn from " + t.name + ".");
  }
  if (t.state == wanted) {
    auto entries = service.tournaments.entries(t.name);
    if (std::erase_if(entries, [&](const auto& entry) { return entry.userid == r.userid; }) == 0)
      return Refusal{"You do not play in " + t.name + "."};
    service.tournaments.set_entries(t.name, entries);
    return Reply("You no longer play in " + t.name + ".");
  }
  const std::string other = withdraws ? "leave " : "withdraw ";
  return Refusal{
      t.name + " is " + std::string(to_string(t.state)) + "." +
      (t.state <= Tournament::State::running ? " Type tournament " + other + t.name + "." : "")};
}

Reply run_tournament_start(Request& r) {
  need_sign_in(r);
  const Tournament t = need_tournament(r, r.words[0]);
  if (!is_owner_alone(r) && (t.creator.empty() || t.creator != r.userid))
    return Refusal{"Only " + (t.creator.empty() ? "the owner of the server" : t.creator) +
                   " can start " + t.name + "."};
  if (t.state != Tournament::State::open)
    return Refusal{t.name + " is " + std::string(to_string(t.state)) + "."};
  value_or_throw(start_tournament(*r.service, t));
  return Reply(t.name + " starts with " + std::to_string(t.entry_count) + " players.");
}

Reply run_tournament_show(Request& r) {
  Service& service = *r.service;
  Tournament t = need_tournament(r, r.words[0]);
  auto entries = service.tournaments.entries(t.name);
  const auto games = service.tournaments.games(t.name);
  auto ranked = games;
  // The round in which a knockout was cancelled has no winner.
  if (t.state == Tournament::State::cancelled && t.form == Tournament::Form::knockout)
    std::erase_if(ranked, [&](const TournamentGame& game) { return game.round == t.round; });
  t.has_joined = std::ranges::any_of(entries, [&](const TournamentEntry& entry) {
    return entry.userid == r.userid && !entry.has_withdrawn;
  });
  if (t.started_at) rank_entries(entries, t.form, ranked);
  Lines lines;
  if (r.wants_data) {
    lines.push_back(encode(t));
    for (const TournamentEntry& entry : entries) lines.push_back(encode(entry));
    for (const TournamentGame& game : games) lines.push_back(encode(game));
  } else {
    lines = to_lines(make_tournament_page(t, entries, games, r.userid, kTableColumns, false));
    lines.insert(lines.begin(), describe_terms(t) + ".");
  }
  const std::string players = format_count(t.entry_count, "player", "players") + ", ";
  return Reply(t.name + ": " + (t.state == Tournament::State::open ? "" : players) +
                   t.state_text() + t.start_text() + ".",
               std::move(lines));
}

Reply run_tournaments(Request& r) {
  auto all = r.service->tournaments.find_listed();
  const auto own = r.service->tournaments.find_unfinished(r.userid);
  for (Tournament& t : all)
    t.has_joined = std::ranges::find(own, t.name, &Tournament::name) != own.end();
  if (all.empty()) return Reply("There are no tournaments. Type help tournament to make one.");
  return Reply(format_count(all.size(), "tournament", "tournaments") + ": name, terms, state.",
               r.wants_data
                   ? make_lines(all, kMaxLines, [](const Tournament& t) { return encode(t); })
                   : to_lines(make_tournament_list(all)));
}

}  // namespace

Tournament need_tournament(const Request& r, const std::string& word) {
  if (auto found = r.service->tournaments.find(word)) return std::move(*found);
  throw Refusal{"There is no tournament " + fit(word, 20) + ". Type tournaments for the list."};
}

Time need_start_time(const Service& service, const std::string& word) {
  const auto time = read_yaml_time(word);
  if (!time || *time <= service.time() || *time > service.time() + kMaxWait)
    throw Refusal{"'" + fit(word, 30) + "' is not a date in the coming year. Write it as " +
                  iso_time(service.time() + std::chrono::hours(24 * 7)).substr(0, 10) + "."};
  return *time;
}

std::span<const CommandRow> tournament_rows() {
  constexpr Proof connection = Proof::connection;
  static const CommandRow rows[] = {
      {"tournaments", "", "list the tournaments that are open, run or ended lately",
       run_tournaments},
      {"tournament new", "name game round-robin|swiss|knockout [rounds|double] [-options]",
       "open a tournament; also -entries=N, -until=DATE, -rated=no", run_tournament_new},
      {"tournament join", "name", "take part in an open tournament", run_tournament_join,
       connection},
      {"tournament leave", "name", "leave an open tournament", run_tournament_leave, connection},
      {"tournament start", "name", "start your tournament", run_tournament_start},
      {"tournament show", "name", "show players, standings and games", run_tournament_show},
      {"tournament withdraw", "name", "give up your games in a running tournament",
       run_tournament_leave, connection},
  };
  return rows;
}

}  // namespace pbm
