// SPDX-License-Identifier: MIT
#include "server/messenger.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "protocol/telling.hpp"
#include "protocol/events.hpp"

namespace pbm {
namespace {

constexpr std::size_t kMaxListed = 100;  // boards
constexpr std::size_t kMaxDrawn = 5;     // of them
constexpr std::size_t kMaxPlies = 6;     // the last of each
constexpr std::size_t kMaxLetters = 20;  // the latest

// Behind "2 boards wait for you": how much there is of each kind of news.
std::vector<std::string> counted(const std::vector<Event>& news) {
  const auto of = [&](std::initializer_list<Event::Kind> kinds) {
    return static_cast<std::size_t>(std::ranges::count_if(
        news, [&](const Event& e) { return std::ranges::find(kinds, e.kind) != kinds.end(); }));
  };
  using enum Event::Kind;
  std::vector<std::string> out;
  if (const auto n = of({over})) out.push_back(count_of(n, "game is over", "games are over"));
  if (const auto n = of({gone})) out.push_back(count_of(n, "board is gone", "boards are gone"));
  if (const auto n = of({message, chat, announce}))
    out.push_back(count_of(n, "message", "messages"));
  return out;
}

// What notices of somebody are counted for: his address, or where he has none himself.
const std::string& counted_for(const Account& account) {
  return account.address.empty() ? account.userid : account.address;
}

}  // namespace

Messenger::Drawn Messenger::draw(const std::string& userid, const BoardKey& key) {
  Drawn out{key.id(), "", "", ""};
  const auto board = sources_.boards.open(key);
  if (!board) return out;
  const Match& match = (*board)->match;
  const auto& plies = match.plies();
  out.next = plies.size() + 1;
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

// The code that confirms an address, told there and nowhere else; nullptr where it cannot be.
std::unique_ptr<NoticeJob> Messenger::code_for(const std::string& userid) {
  const auto wanted = addresses_.wanted(userid);
  if (program_.empty() || !wanted || wanted->sent ||
      !addresses_.may_send(NoticeKind::code, wanted->address, sources_.time()))
    return nullptr;
  addresses_.sent(userid, sources_.time());
  const std::string said = "the code for " + userid + " is " + wanted->code;
  return std::make_unique<NoticeJob>(
      program_, userid, wanted->address, NoticeKind::code,
      std::vector<std::string>{"PBMPLAY_USER=" + userid, "PBMPLAY_ADDRESS=" + wanted->address,
                               "PBMPLAY_SOCKET=" + socket_, "PBMPLAY_CODE=" + wanted->code,
                               "PBMPLAY_TEXT=" + said},
      userid +
          " wants to be written to at this address. Whoever that is confirms it by: confirm "
          "address " +
          wanted->code +
          "\nOthers leave this alone: without that nothing more "
          "comes.\n",
      stop_.get());
}

// Whoever forgot his userid is told it where he has confirmed that he reads.
std::unique_ptr<NoticeJob> Messenger::userids_at(const std::string& address) {
  const auto userids = sources_.accounts.at(address);
  if (program_.empty() || userids.empty() ||
      !addresses_.may_send(NoticeKind::userids, address, sources_.time()))
    return nullptr;
  const std::string said = "here you are " + all_of(userids);
  return std::make_unique<NoticeJob>(
      program_, "", address, NoticeKind::userids,
      std::vector<std::string>{"PBMPLAY_USER=" + userids.front(), "PBMPLAY_ADDRESS=" + address,
                               "PBMPLAY_SOCKET=" + socket_, "PBMPLAY_TEXT=" + said},
      "Somebody has asked which userid has this address: " + said + ".\n", stop_.get());
}

// All that waits for him, and what has happened since he was told last; nullptr for nothing.
std::unique_ptr<NoticeJob> Messenger::news_for(const Account& account, std::optional<Time> told) {
  const std::string& userid = account.userid;
  const auto all_of_board = [&](const std::string& id) {
    const NoticeWish::Of of = sources_.accounts.notices(account, id).of;
    return of == NoticeWish::Of::turns || of == NoticeWish::Of::digest;
  };
  std::vector<BoardKey> boards, stirred;
  std::size_t waiting = 0, begun = 0;
  std::string body, words;
  for (const BoardSummary& board : sources_.boards.running_of(userid)) {
    const bool all = all_of_board(board.id), waits = waits_for(board, userid),
               fresh = board.unplayed() && !same_ignoring_case(board.challenger, userid);
    if (!fresh && !(all && waits)) continue;
    ++(waits ? waiting : begun);
    boards.push_back(board.key());
    if (boards.size() <= kMaxListed)
      body += safe_text(sources_.told(board).in_words(sources_.time())) + "\n";
  }
  // What is watched waits for nobody.
  std::size_t watched = 0;
  for (const std::string& id : notices_.boards()) {
    const auto key = read_board_id(id);
    const auto board = key ? sources_.boards.info(*key) : std::nullopt;
    if (!board) continue;
    stirred.push_back(board->key());
    if (board->plays(userid)) continue;
    ++watched;
    body += safe_text(sources_.told(*board).in_words(sources_.time())) + "\n";
  }
  std::vector<Event> news;
  for (const Mail::Letter& letter : sources_.mail.letters(userid))
    // A challenge is a board already.
    if (auto event = decode_event(letter.what);
        event && event->kind != Event::Kind::challenge && letter.at >= told.value_or(Time{}) &&
        all_of_board(event->board ? event->board->id() : ""))
      news.push_back(std::move(*event));
  std::vector<std::string> said;
  if (waiting > 0) said.push_back(count_of(waiting, "board waits for you", "boards wait for you"));
  if (begun > 0) said.push_back(count_of(begun, "board was begun", "boards were begun"));
  if (watched > 0)
    said.push_back(count_of(watched, "board you watch", "boards you watch") +
                   (watched == 1 ? " has changed" : " have changed"));
  for (std::string& kind : counted(news)) said.push_back(std::move(kind));
  if (said.empty() && !news.empty()) said.emplace_back("news of your boards");
  if (said.empty()) return nullptr;
  for (std::size_t i = news.size() - std::min(news.size(), kMaxLetters); i < news.size(); ++i) {
    const Event& event = news[i];
    words += safe_text((event.board ? event.board->id() + ": " : "") + in_words(event)) + "\n";
    if (event.kind == Event::Kind::over) boards.push_back(*event.board);
  }
  if (!words.empty()) body += (body.empty() ? "" : "\n") + words;
  // First those of which there is something new.
  const auto is_new = [&](const BoardKey& key) {
    return std::ranges::find(stirred, key) != stirred.end();
  };
  std::erase_if(boards, is_new);
  boards.insert(boards.begin(), stirred.begin(), stirred.end());
  std::string about;
  Drawn first;
  boards.resize(std::min(boards.size(), kMaxDrawn));
  for (const BoardKey& key : boards) {
    const Drawn drawn = draw(userid, key);
    if (drawn.drawing.empty()) continue;
    body +=
        "\n" + drawn.id + (drawn.plies.empty() ? "" : ": " + drawn.plies) + "\n\n" + drawn.drawing;
    if (first.drawing.empty()) first = drawn;
    if (is_new(key))
      about += (about.empty() ? "" : " ") + drawn.id + "#" + std::to_string(drawn.next);
  }
  if (addresses_.left(counted_for(account), sources_.time()) == 1)
    body += "\nThis is the last for a day: " + std::to_string(Addresses::kMaxADay) +
            " a day are sent to one.\n";
  return std::make_unique<NoticeJob>(
      program_, userid, counted_for(account), NoticeKind::news,
      std::vector<std::string>{
          "PBMPLAY_USER=" + userid, "PBMPLAY_ADDRESS=" + account.address,
          "PBMPLAY_SOCKET=" + socket_, "PBMPLAY_WAITING=" + std::to_string(waiting),
          "PBMPLAY_BOARDS=" + about, "PBMPLAY_BOARD=" + first.id, "PBMPLAY_PLIES=" + first.plies,
          "PBMPLAY_DRAWING=" + first.drawing, "PBMPLAY_ANSWER=" + first.answer,
          "PBMPLAY_NEWS=" + words, "PBMPLAY_TEXT=" + all_of(said)},
      body, stop_.get());
}

// Of who was never told, which is everybody where nobody was told before, what is older than a day
// is no news.
void Messenger::catch_up() {
  if (program_.empty()) return;
  for (const std::string& userid : addresses_.unsent()) send_code(userid);
  for (const Account& account : sources_.accounts.all()) {
    const std::string& userid = account.userid;
    const Time since = notices_.told_at(userid).value_or(sources_.time() - std::chrono::hours(24));
    for (const BoardSummary& board : sources_.boards.running_of(userid))
      if (board.changed >= since && waits_for(board, userid))
        stir(account, board.key(), board.unplayed());
  }
}

void Messenger::stir(const Account& account, const std::optional<BoardKey>& board, bool challenge) {
  if (program_.empty() || account.userid == speaking_) return;
  const std::string id = board ? board->id() : "";
  if (sources_.here(account.userid)) missed_[account.userid].insert(id);
  else
    notices_.stir(account.userid, sources_.accounts.notices(account, id), id, challenge,
                  sources_.time());
}

void Messenger::left(const std::string& userid) noexcept {
  const auto found = missed_.find(userid);
  if (found == missed_.end() || sources_.here(userid)) return;
  try {
    const auto account = sources_.accounts.find(userid);
    for (const std::string& id : account ? found->second : std::set<std::string>())
      notices_.stir(userid, sources_.accounts.notices(*account, id), id, false, sources_.time());
  } catch (const std::exception&) {
    // The database cannot be read: the server is about to end, and the next one looks.
  }
  missed_.erase(found);
}

void Messenger::send_userids(const std::string& address) {
  if (addresses_.may_send(NoticeKind::userids, address, sources_.time()) &&
      !sources_.accounts.at(address).empty() &&
      std::ranges::none_of(codes_, [&](const Code& code) { return code.address == address; }))
    codes_.push_back({"", address});
}

std::unique_ptr<NoticeJob> Messenger::take() {
  while (!codes_.empty()) {
    const Code code = codes_.front();
    codes_.pop_front();
    if (auto job = code.userid.empty() ? userids_at(code.address) : code_for(code.userid))
      return job;
  }
  while (notices_.due()) {
    const std::string userid = notices_.take(sources_.time());
    if (userid.empty()) return nullptr;
    const auto account = sources_.accounts.find(userid);
    if (!account || account->banned || sources_.here(userid)) continue;
    if (const auto until = addresses_.full_until(counted_for(*account), sources_.time())) {
      notices_.put_off(userid, *until);
      continue;
    }
    if (auto job = news_for(*account, notices_.told_at(userid))) return job;
  }
  notices_.drop();
  return nullptr;
}

std::string Messenger::finish(const NoticeJob& job) {
  const std::string& userid = job.userid();
  const bool done = job.failed().empty();
  if (done) addresses_.count(job.to(), job.kind(), sources_.time());
  if (job.kind() != NoticeKind::news) {
    // Of one that he asked for meanwhile this says nothing.
    if (done) return "";
    addresses_.sent(userid, std::nullopt);
    return "nothing went to the address of " + (userid.empty() ? "somebody" : userid) + ": " +
           job.failed();
  }
  if (done) {
    notices_.told(userid, sources_.time());
    return "";
  }
  const auto again = notices_.failed(userid, sources_.time());
  return userid + " was not told: " + job.failed() +
         (again ? " It is tried again at " + iso_time(*again) + "." : " It is given up.");
}

std::optional<Time> Messenger::due() const {
  return codes_.empty() ? notices_.due() : std::optional(sources_.time());
}

}  // namespace pbm
