// SPDX-License-Identifier: MIT
#include "server/messenger.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "protocol/telling.hpp"
#include "protocol/events.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxListed = 100;  // boards in one notification
constexpr std::size_t kMaxDrawn = 5;     // boards drawn
constexpr std::size_t kMaxPlies = 6;     // the last plies of each
constexpr std::size_t kMaxLetters = 20;  // the latest letters

// True if the user wants to know of more than challenges.
bool wants_all(NoticeWish::Of of) {
  return of == NoticeWish::Of::turns || of == NoticeWish::Of::digest;
}

// Returns what a user's notifications are counted for: the address, or the userid without one.
const std::string& counted_for(const Account& account) {
  return account.address.empty() ? account.userid : account.address;
}

}  // namespace

// Returns a summary like "2 boards wait for you and 1 message", or "" if there is no news.
std::string Messenger::in_short(const News& news, const std::vector<Event>& events) {
  using enum Event::Kind;
  const auto of = [&](std::initializer_list<Event::Kind> kinds) {
    return static_cast<std::size_t>(std::ranges::count_if(
        events, [&](const Event& e) { return std::ranges::find(kinds, e.kind) != kinds.end(); }));
  };
  std::vector<std::string> out;
  const auto say = [&](std::size_t n, const char* one, const char* many) {
    if (n > 0) out.push_back(count_of(n, one, many));
  };
  say(news.waiting, "board waits for you", "boards wait for you");
  say(news.begun, "board was begun", "boards were begun");
  say(news.watched, "board you watch has changed", "boards you watch have changed");
  say(of({over}), "game is over", "games are over");
  say(of({gone}), "board is gone", "boards are gone");
  say(of({message, chat, announce}), "message", "messages");
  if (out.empty() && !events.empty()) return "news of your boards";
  return all_of(out);
}

Messenger::Drawn Messenger::draw(const std::string& userid, const BoardKey& key) {
  Drawn out{key.id()};
  const auto board = sources_.boards.open(key);
  if (!board) return out;
  const Match& match = (*board)->match;
  const auto& plies = match.plies();
  out.next = std::to_string(plies.size() + 1) + "-" + std::to_string(match.log().size());
  for (std::size_t i = plies.size() - std::min(plies.size(), kMaxPlies); i < plies.size(); ++i)
    out.plies += (out.plies.empty() ? "" : ", ") + std::to_string(i + 1) + " " +
                 shown_name(match.names()[static_cast<std::size_t>(plies[i].seat)]) + " " +
                 plies[i].text;
  View view;
  view.field = sources_.accounts.field(userid, *key.game)
                   .value_or(key.game->fields.empty() ? view.field : key.game->fields.front());
  for (const std::string& line : position_text(match, view)) out.drawing += line + "\n";
  if (!socket_.empty() && match.to_move())
    out.answer = "pbmplay --socket " + socket_ + " --user " + userid + " open " + key.id();
  return out;
}

// Makes a job for `userid`, "" for nobody in particular, counted for `to`. Adds the prefix PBMPLAY_
// to the variables.
std::unique_ptr<NoticeJob> Messenger::job(NoticeKind kind, const std::string& userid,
                                          const std::string& to, std::vector<std::string> variables,
                                          const std::string& text) const {
  for (std::string& variable : variables) variable.insert(0, "PBMPLAY_");
  return std::make_unique<NoticeJob>(
      NoticeJob{program_, userid, to, kind, std::move(variables), text, stop_.get()});
}

// Returns the job that sends a confirmation code to its address, or nullptr if it may not be sent.
std::unique_ptr<NoticeJob> Messenger::code_for(const std::string& userid) {
  const auto wanted = addresses_.wanted(userid);
  if (program_.empty() || !wanted || wanted->sent ||
      !addresses_.may_send(NoticeKind::code, wanted->address, sources_.time()))
    return nullptr;
  addresses_.sent(userid, sources_.time());
  return job(NoticeKind::code, userid, wanted->address,
             {"USER=" + userid, "ADDRESS=" + wanted->address, "SOCKET=" + socket_,
              "CODE=" + wanted->code, "TEXT=the code for " + userid + " is " + wanted->code},
             userid +
                 " wants to be written to at this address. Whoever that is confirms it by: confirm "
                 "address " +
                 wanted->code + "\nOthers leave this alone: without that nothing more comes.\n");
}

// Returns the job that sends an address the userids that confirmed it; nullptr without any.
std::unique_ptr<NoticeJob> Messenger::userids_at(const std::string& address) {
  const auto userids = sources_.accounts.at(address);
  if (program_.empty() || userids.empty() ||
      !addresses_.may_send(NoticeKind::userids, address, sources_.time()))
    return nullptr;
  const std::string said = "here you are " + all_of(userids);
  return job(NoticeKind::userids, "", address,
             {"USER=" + joined(userids, 0, userids.size()), "ADDRESS=" + address,
              "SOCKET=" + socket_, "TEXT=" + said},
             "Somebody has asked which userid has this address: " + said + ".\n");
}

std::string Messenger::line_of(const BoardSummary& board) {
  return safe_text(sources_.told(board).in_words(sources_.time())) + "\n";
}

Messenger::News Messenger::boards_for(const Account& account) {
  const std::string& userid = account.userid;
  News out;
  for (const BoardSummary& board : sources_.boards.running_of(userid)) {
    const NoticeWish::Of wish = sources_.accounts.notices(account, board.id).of;
    const bool waits = waits_for(board, userid),
               fresh =
                   !board.seats.unplayed.empty() && !same_ignoring_case(board.challenger, userid);
    if (wish == NoticeWish::Of::never || !(fresh || (waits && wants_all(wish)))) continue;
    ++(waits ? out.waiting : out.begun);
    out.boards.push_back(board.key());
    if (out.boards.size() <= kMaxListed) out.text += line_of(board);
  }
  // Watched boards do not wait for the player, so they are listed apart.
  for (const std::string& id : notices_.boards()) {
    const auto key = read_board_id(id);
    const auto board = key ? sources_.boards.info(*key) : std::nullopt;
    if (!board) continue;
    out.stirred.push_back(board->key());
    if (board->plays(userid)) continue;
    ++out.watched;
    out.text += line_of(*board);
  }
  return out;
}

std::vector<Event> Messenger::events_in(const std::vector<Mail::Letter>& letters,
                                        const Account& account) {
  std::vector<Event> out;
  for (const Mail::Letter& letter : letters)
    // boards_for() lists the board of a challenge.
    if (auto event = decode_event(letter.what);
        event && event->kind != Event::Kind::challenge &&
        wants_all(sources_.accounts.notices(account, event->board ? event->board->id() : "").of))
      out.push_back(std::move(*event));
  return out;
}

// Adds drawings of some boards to the text, first those with news. Returns the first board drawn,
// and in `about` those with news, each with its next ply.
Messenger::Drawn Messenger::draw_boards(const std::string& userid, News& news, std::string& about) {
  const auto is_new = [&](const BoardKey& key) {
    return std::ranges::find(news.stirred, key) != news.stirred.end();
  };
  std::vector<BoardKey> boards = news.stirred;
  std::ranges::remove_copy_if(news.boards, std::back_inserter(boards), is_new);
  boards.resize(std::min(boards.size(), kMaxDrawn));
  Drawn first;
  for (const BoardKey& key : boards) {
    const Drawn drawn = draw(userid, key);
    if (drawn.drawing.empty()) continue;
    news.text +=
        "\n" + drawn.id + (drawn.plies.empty() ? "" : ": " + drawn.plies) + "\n\n" + drawn.drawing;
    if (first.drawing.empty()) first = drawn;
    if (is_new(key)) about += (about.empty() ? "" : " ") + drawn.id + "#" + drawn.next;
  }
  return first;
}

// Returns a notification with everything since the last one, or nullptr if there is nothing.
std::unique_ptr<NoticeJob> Messenger::news_for(const Account& account) {
  News news = boards_for(account);
  const std::vector<Mail::Letter> letters = sources_.mail.letters(account.userid, true);
  const std::vector<Event> events = events_in(letters, account);
  const std::string said = in_short(news, events);
  if (said.empty()) return nullptr;
  std::string words, about;
  for (std::size_t i = events.size() - std::min(events.size(), kMaxLetters); i < events.size();
       ++i) {
    const Event& event = events[i];
    words += safe_text((event.board ? event.board->id() + ": " : "") + in_words(event)) + "\n";
    if (event.kind == Event::Kind::over) news.boards.push_back(*event.board);
  }
  if (!words.empty()) news.text += (news.text.empty() ? "" : "\n") + words;
  const Drawn first = draw_boards(account.userid, news, about);
  if (addresses_.left(counted_for(account), sources_.time()) == 1)
    news.text += "\nThis is the last for a day: " + std::to_string(Addresses::kMaxADay) +
                 " a day are sent to one.\n";
  auto out = job(NoticeKind::news, account.userid, counted_for(account),
                 {"USER=" + account.userid, "ADDRESS=" + account.address, "SOCKET=" + socket_,
                  "WAITING=" + std::to_string(news.waiting), "BOARDS=" + about, "BOARD=" + first.id,
                  "PLIES=" + first.plies, "DRAWING=" + first.drawing, "ANSWER=" + first.answer,
                  "NEWS=" + words, "TEXT=" + said},
                 news.text);
  if (!letters.empty()) out->letter = letters.back().number;
  return out;
}

// A user who was never notified gets no news older than a day. Without this, the first run with
// --notify would notify everybody of old news.
void Messenger::catch_up() {
  if (program_.empty()) return;
  for (const std::string& userid : addresses_.unsent()) send_code(userid);
  for (const Account& account : sources_.accounts.all()) {
    const std::string& userid = account.userid;
    const auto told = notices_.told_at(userid);
    const Time since = told.value_or(sources_.time() - std::chrono::hours(24));
    for (const BoardSummary& board : sources_.boards.running_of(userid))
      // With >=: a notification in that same second may not have had it.
      if (board.changed >= since && waits_for(board, userid))
        stir(account, board.key(), !board.seats.unplayed.empty());
    for (const Mail::Letter& letter : sources_.mail.letters(userid, true))
      if (const auto event = decode_event(letter.what); event && (told || letter.at > since))
        stir(account, event->board, event->kind == Event::Kind::challenge);
  }
}

void Messenger::stir(const Account& account, const std::optional<BoardKey>& board, bool challenge) {
  if (program_.empty() || account.userid == speaking_) return;
  const std::string id = board ? board->id() : "";
  notices_.stir(account.userid, sources_.accounts.notices(account, id), id, challenge,
                sources_.here(account.userid), sources_.time());
}

void Messenger::left(const std::string& userid, bool told) {
  if (told || !sources_.here(userid)) notices_.left(userid, told);
}

void Messenger::rename(const std::string& userid, const std::string& now) {
  notices_.rename(userid, now);
  notices_.left(now, false);
  for (auto& [at, code] : codes_)
    if (code.userid == userid) code.userid = now;
  if (code_.userid == userid) code_.userid = now;
}

void Messenger::send_userids(const std::string& address) {
  if (addresses_.may_send(NoticeKind::userids, address, sources_.time()) &&
      !sources_.accounts.at(address).empty() && std::ranges::none_of(codes_, [&](const auto& code) {
        return code.second.address == address;
      }))
    codes_.emplace(sources_.time(), Code{"", address});
}

std::unique_ptr<NoticeJob> Messenger::take() {
  if (!due()) return nullptr;
  const Time now = sources_.time();
  while (!codes_.empty() && codes_.begin()->first <= now) {
    code_ = std::move(codes_.extract(codes_.begin()).mapped());
    if (auto job = code_.userid.empty() ? userids_at(code_.address) : code_for(code_.userid))
      return job;
  }
  for (std::string userid; !(userid = notices_.take(now, sources_.here)).empty();) {
    const auto account = sources_.accounts.find(userid);
    if (!account || (account->banned && *account->banned > now)) continue;
    if (const auto until = addresses_.full_until(counted_for(*account), now))
      notices_.put_off(*until);
    else if (auto job = news_for(*account)) return job;
  }
  return nullptr;
}

std::string Messenger::finish(const NoticeJob& job) {
  const Time now = sources_.time();
  const bool done = job.failed.empty(), news = job.kind == NoticeKind::news;
  if (done) {
    addresses_.count(job.to, job.kind, now);
    if (news) notices_.told(job.letter);
    return "";
  }
  const std::string who = job.userid.empty() ? "somebody" : job.userid;
  const auto again = news ? notices_.failed(now) : tried_again(code_.failures, now);
  if (!news) {
    addresses_.sent(code_.userid, std::nullopt);
    if (again) codes_.emplace(*again, code_);
  }
  return (news ? who + " was not told: " : "nothing went to the address of " + who + ": ") +
         job.failed +
         (again ? " It is tried again at " + iso_time(*again) + "." : " It is given up.");
}

std::optional<Time> Messenger::due() const {
  const auto news = notices_.due();
  if (codes_.empty()) return news;
  return news ? std::min(*news, codes_.begin()->first) : codes_.begin()->first;
}

}  // namespace pbm
