// SPDX-License-Identifier: MIT
#include "boards/remote_boards.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "boards/known_login.hpp"
#include "boards/notifications.hpp"
#include "game/record.hpp"
#include "protocol/hello.hpp"
#include "protocol/userid.hpp"
#include "save/save.hpp"
#include "save/yaml.hpp"

namespace pbm {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kConnectPatience{5'000};
constexpr milliseconds kReplyPatience{15'000};  // a hash takes a moment, a full disk more
constexpr auto kMaxWait = milliseconds(30'000);
constexpr auto kPendingFor =
    std::chrono::minutes(10);  // a ply is asked again; later the person is to look first
constexpr std::size_t kMaxNews = 1000;
constexpr std::size_t kMaxListed = 2000;
constexpr std::size_t kMaxFollowed = 20;
constexpr std::size_t kMaxAhead = 100;
constexpr std::string_view kAgain = " It is tried again by itself; what is typed stays.";

class SocketLine final : public ServerLine {
 public:
  SocketLine(LineClient wire, std::shared_ptr<KnownLogin> login)
      : wire_(std::move(wire)), login_(std::move(login)) {}
  Result<Reply> ask(std::string_view line) override { return wire_.ask(line, kReplyPatience); }
  Result<std::vector<Reply>> ask_all(const std::vector<std::string>& lines) override {
    for (const std::string& line : lines)
      if (const auto sent = wire_.send(line, kReplyPatience); !sent) return sent.refusal();
    std::vector<Reply> out;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      auto reply = wire_.wait_reply(kReplyPatience);
      if (!reply) return reply.refusal();
      out.push_back(std::move(*reply));
    }
    return out;
  }
  Result<Done> take_in() override { return wire_.take_in(); }
  std::vector<std::string> take_events() override { return wire_.take_events(); }
  int descriptor() const override { return wire_.descriptor(); }
  Result<Done> known() override { return login_->check(wire_.peer()); }
  bool tells_who() const override { return wire_.peer().has_value(); }

 private:
  LineClient wire_;
  std::shared_ptr<KnownLogin> login_;
};

Refusal refused(const Reply& reply) {
  return Refusal{reply.summary.empty() ? "The server says no." : sanitize(reply.summary)};
}

// A line of the command language must not become two.
Result<Done> check_line(std::string_view line) {
  if (line.size() > kMaxLine) return Refusal{"That is too long for one line."};
  if (std::any_of(line.begin(), line.end(),
                  [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }))
    return Refusal{"That has a character which cannot be sent."};
  return Done{};
}

// The beginning of a command about a board: "toot move 101".
std::string on(const BoardKey& board, std::string_view verb) {
  return std::string(board.game->name) + " " + std::string(verb) + " " +
         std::to_string(board.number);
}

}  // namespace

Result<std::vector<Reply>> ServerLine::ask_all(const std::vector<std::string>& lines) {
  std::vector<Reply> out;
  for (const std::string& line : lines) {
    auto reply = ask(line);
    if (!reply) return reply.refusal();
    out.push_back(std::move(*reply));
  }
  return out;
}

Dial dial_to(ServerAddress address, std::filesystem::path known, int give_up) {
  auto login = std::make_shared<KnownLogin>(address.to_string(), std::move(known));
  return [address = std::move(address), login = std::move(login),
          give_up]() -> Result<std::unique_ptr<ServerLine>> {
    auto wire = LineClient::connect(address, kConnectPatience, give_up);
    if (!wire) return wire.refusal();
    return std::unique_ptr<ServerLine>(std::make_unique<SocketLine>(std::move(*wire), login));
  };
}

RemoteBoards::RemoteBoards(Setup setup) : setup_(std::move(setup)) {
  for (const int fd : {timer_.get(), bell_.get()}) watch_.add(fd);
}

RemoteBoards::~RemoteBoards() { ::explicit_bzero(password_.data(), password_.size()); }

LocalNotes RemoteBoards::notes_of(const std::string& user) const {
  return LocalNotes(setup_.notebooks.empty() || user.empty() ? std::filesystem::path()
                                                             : setup_.notebooks / user);
}

// --- the line ------------------------------------------------------------------

Result<Done> RemoteBoards::connect_as(const std::string& user) {
  user_ = lower(user);
  trusted_ = true;
  return connect();
}

void RemoteBoards::connect_later(const std::string& why) {
  if (!user_.empty() && locked_out_.empty() && turned_away_.empty()) return disconnect(why);
  add_news(Notification::Kind::connection, "", why);
  bell_.ring();
}

bool RemoteBoards::given_up() const {
  pollfd wanted{setup_.give_up, POLLIN, 0};
  return ::poll(&wanted, 1, 0) > 0;
}

Refusal RemoteBoards::no_line() const {
  if (!locked_out_.empty()) return Refusal{"You are signed out: " + locked_out_};
  return Refusal{"There is no connection to " + setup_.place +
                 " now: it is tried again by itself."};
}

// A line to the server there was before, with nobody on it.
Result<Done> RemoteBoards::dial() {
  auto line = setup_.dial();
  if (!line) return line.refusal();
  if (const auto known = (*line)->known(); !known) {
    if (!user_.empty() && stranger_ != known.refusal().why)
      add_news(Notification::Kind::connection, "", known.refusal().why);
    stranger_ = known.refusal().why;
    return known.refusal();
  }
  stranger_.clear();
  line_ = std::move(*line);
  watch_.add(line_->descriptor());
  return Done{};
}

// The same with whoever was on the one before.
Result<Done> RemoteBoards::connect() {
  if (const auto dialled = dial(); !dialled || user_.empty()) return dialled;
  if (!trusted_ && (password_.empty() || !line_->tells_who())) {
    sign_out("the connection broke, and who answers at " + setup_.place +
             " now cannot be seen. Type the password only if that is the server.");
    return no_line();
  }
  const auto entered = enter();
  if (!entered) line_.reset();
  return entered;
}

Result<Reply> RemoteBoards::introduce(const std::string& line) {
  auto said = line_->ask_all({line, "hello " + std::to_string(kProtocol), "watch"});
  if (!said) return said.refusal();
  if (!said->front().ok) return said->front();
  if (const auto hears = begin_to_hear((*said)[1], (*said)[2]); !hears) return hears.refusal();
  return said->front();
}

Result<Done> RemoteBoards::enter() {
  const auto in = introduce(trusted_ ? "as " + user_ : "login " + user_ + " " + password_);
  if (!in) return in.refusal();
  if (in->ok) return Done{};
  const bool for_good = !is_for_now(in->summary);
  if (for_good && !trusted_) sign_out(sanitize(in->summary));
  if (for_good && trusted_ && !was_in_) turned_away_ = refused(*in).why;
  return refused(*in);
}

Result<Done> RemoteBoards::begin_to_hear(const Reply& hello, const Reply& watch) {
  if (!watch.ok) return refused(watch);
  // One from before there was `hello` refuses it, and goes on as it did.
  const auto said =
      hello.ok && hello.lines.size() == 1 ? decode_hello(hello.lines.front()) : std::nullopt;
  version_ = said ? said->version : 1;
  failures_ = 0;
  list_is_old_ = was_in_ = true;
  followed_.clear();
  hear_events();
  bell_.ring();
  return Done{};
}

// Only the person can go on from here.
void RemoteBoards::sign_out(const std::string& why) {
  locked_out_ = why;
  asks_person_ = true;
  ::explicit_bzero(password_.data(), password_.size());
  password_.clear();
  line_.reset();
  followed_.clear();
  list_is_old_ = true;
  bell_.ring();
}

std::string RemoteBoards::take_sign_out() {
  return std::exchange(asks_person_, false) ? no_line().why : "";
}

void RemoteBoards::disconnect(const std::string& why, bool tell) {
  hear_events();
  line_.reset();
  followed_.clear();
  list_is_old_ = true;
  if (!locked_out_.empty()) return bell_.ring();
  if (tell) add_news(Notification::Kind::connection, "", why + std::string(kAgain));
  retry_later();
  bell_.ring();
}

void RemoteBoards::retry_later() {
  if (user_.empty() || !locked_out_.empty() || !turned_away_.empty()) return;
  const milliseconds wait = std::min(setup_.first_wait * (1U << std::min(failures_, 5U)), kMaxWait);
  ++failures_;
  timer_.set(wait);
}

void RemoteBoards::reconnect() {
  const auto laid = connect();
  if (!laid) {
    retry_later();
    return;
  }
  // What became of a ply tells it as well.
  if (pending_.empty())
    add_news(Notification::Kind::connection, "", "The connection to " + setup_.place + " is back.");
}

void RemoteBoards::need_line() {
  asks_person_ = asks_person_ || !locked_out_.empty();
  if (line_ || !locked_out_.empty() || !connect() || user_.empty()) return;
  add_news(Notification::Kind::connection, "", "The connection to " + setup_.place + " is back.");
  bell_.ring();
}

Result<Reply> RemoteBoards::request(const std::string& line, bool tell) {
  if (!line_) return no_line();
  auto reply = line_->ask(line);
  if (!reply) {
    const bool given = given_up();
    disconnect(reply.refusal().why, tell && !given);
    if (given) return Refusal{"Given up: " + setup_.place + " has not answered."};
    return Refusal{sanitize(reply.refusal().why) + std::string(kAgain)};
  }
  if (auto update = update_in(*reply)) absorb(std::move(*update));
  hear_events();
  return reply;
}

Result<Reply> RemoteBoards::ask_surely(const std::string& line) {
  auto reply = request(line, false);
  if (reply || line_ || !locked_out_.empty() || !connect()) return reply;
  return request(line, false);
}

Result<Reply> RemoteBoards::order(const std::string& line) {
  if (const auto fine = check_line(line); !fine) return fine.refusal();
  need_line();
  auto reply = request(line, false);
  if (reply && !reply->ok) return refused(*reply);
  return reply;
}

bool RemoteBoards::take_changes() {
  bool any = bell_.clear();
  const bool due = timer_.clear();
  if (line_) {
    const auto taken = line_->take_in();
    any = hear_events() || any;
    if (!taken && line_) {
      // A server waits for nobody: who signs in late gets another line for that.
      disconnect(taken.refusal().why, !user_.empty());
      any = true;
    }
  } else if (due) {
    reconnect();
    any = true;
  }
  if (line_ && !pending_.empty()) {
    send_pending();
    any = true;
  }
  // What it rang for is taken now.
  bell_.clear();
  return any;
}

// --- what comes by itself ----------------------------------------------------------

void RemoteBoards::add_news(Notification::Kind kind, const std::string& board,
                            const std::string& text) {
  if (news_.size() == kMaxNews) news_.pop_front();
  news_.push_back({kind, board, sanitize(text)});
}

std::vector<Notification> RemoteBoards::take_news() {
  std::vector<Notification> out(std::make_move_iterator(news_.begin()),
                                std::make_move_iterator(news_.end()));
  news_.clear();
  return out;
}

bool RemoteBoards::hear_events() {
  if (!line_) return false;
  const auto events = line_->take_events();
  for (const std::string& what : events) handle_event(what);
  if (!events.empty()) bell_.ring();
  return !events.empty();
}

void RemoteBoards::handle_event(const std::string& what) {
  const auto event = decode_event(what);
  if (!event) {
    list_is_old_ = true;  // a newer server tells of something that changes who knows what
    return;
  }
  if (event->kind == Event::Kind::signout)
    return sign_out(event->text.empty() ? "The server says no more." : sanitize(event->text));
  const std::string id = event->board ? event->board->id() : "";
  if (event->kind == Event::Kind::now) {
    if (auto update = decode_update(event->text, user_)) absorb(std::move(*update));
    else list_is_old_ = true;
  }
  if (event->kind == Event::Kind::gone) {
    BoardUpdate update;
    update.board.id = id;
    update.gone = true;
    absorb(std::move(update));
  }
  if (event->kind == Event::Kind::changed) unfollow(id);
  // Of the others `now` has told already.
  if ((version_ < 2 && event->board && event->kind != Event::Kind::chat) ||
      event->kind == Event::Kind::changed)
    list_is_old_ = true;
  const auto news = notification_of(*event);
  if (!news) return;
  add_news(news->kind, news->board, news->text);
  if (news->kind == Notification::Kind::talk) keep_talk(news->board, news->text);
}

std::optional<BoardUpdate> RemoteBoards::update_in(const Reply& reply) const {
  if (version_ < 2 || !reply.ok || reply.lines.size() != 1) return std::nullopt;
  return decode_update(reply.lines.front(), user_);
}

// A reply and an event may come in another order than what they tell of. False for what cannot have
// been done there.
bool RemoteBoards::Followed::go_on(const BoardUpdate& update) {
  const std::size_t all = update.board.entries, n = std::min(all, update.done.size());
  for (std::size_t i = 0; i < n; ++i)
    if (all - n + i >= match.log().size()) ahead[all - n + i] = update.done[i];
  for (auto next = ahead.extract(match.log().size()); next;
       next = ahead.extract(match.log().size())) {
    const Action& action = next.mapped();
    const auto done = action.note_on ? match.validate_note(*action.note_on, action.text, action.at)
                                     : match.validate(action.seat, action.text, action.at);
    if (!done || !(*done == action)) return false;
    match.add(action);
  }
  return ahead.size() <= kMaxAhead;
}

void RemoteBoards::unfollow(const std::string& id) {
  std::erase_if(followed_, [&](const Followed& f) { return f.id == id; });
}

void RemoteBoards::absorb(BoardUpdate update) {
  BoardSummary& now = update.board;
  bell_.ring();
  if (update.gone) {
    unfollow(now.id);
    std::erase_if(listed_, [&](const BoardSummary& l) { return l.id == now.id; });
    return;
  }
  if (Followed* board = followed(now.id); board && !board->go_on(update)) unfollow(now.id);
  if (BoardSummary* before = listed(now.id)) {
    if (now.entries >= before->entries) *before = std::move(now);
  } else if (listed_.size() < kMaxListed) {
    listed_.push_back(std::move(now));
  }
  std::sort(listed_.begin(), listed_.end(), [&](const BoardSummary& a, const BoardSummary& b) {
    return listed_before(a, b, user_);
  });
}

void RemoteBoards::changed_here(bool told) {
  list_is_old_ = list_is_old_ || !told;
  bell_.ring();
}

// It was said, whether it can be kept here or not.
void RemoteBoards::keep_talk(const std::string& board, const std::string& said) {
  try {
    notebook().keep_talk(board, said, now());
  } catch (const Error& e) {
    add_news(Notification::Kind::connection, "", e.what());
  }
}

std::vector<std::string> RemoteBoards::talk() { return talk_of(user_); }

std::vector<std::string> RemoteBoards::talk_of(const std::string& user) const {
  return notes_of(user).talk();
}

// --- who is here ---------------------------------------------------------------------

Result<std::string> RemoteBoards::sign_in(const std::string& user, const std::string& password) {
  const auto userid = check_userid(user);
  if (!userid) return userid.refusal();
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  if (!user_.empty() && user_ != *userid)
    return Refusal{"You are " + user_ + " here: start pbmplay anew to be somebody else."};
  if (!line_)
    if (const auto dialled = dial(); !dialled) return dialled.refusal();
  const std::string login = "login " + *userid + " " + password;
  if (const auto fine = check_line(login); !fine) return fine.refusal();
  const auto reply = request(login, false);
  if (!reply) return reply.refusal();
  if (!reply->ok) {
    if (!user_.empty()) line_.reset();  // nobody is on it
    return refused(*reply);
  }
  user_ = *userid;
  if (line_->tells_who()) password_ = password;
  locked_out_.clear();
  asks_person_ = false;
  const auto said = line_->ask_all({"hello " + std::to_string(kProtocol), "watch"});
  const auto hears =
      said ? begin_to_hear(said->front(), said->back()) : Result<Done>(said.refusal());
  if (!hears) disconnect(hears.refusal().why);
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::sign_up(const std::string& user, const std::string& password) {
  const auto userid = check_new_userid(user);
  if (!userid) return userid.refusal();
  // Of two words the second would be taken for an address.
  if (const auto fine = check_password(password); !fine) return fine.refusal();
  const auto reply = order("signup " + *userid + " " + password);
  if (!reply) return reply.refusal();
  return sign_in(user, password);
}

Result<Server::Answer> RemoteBoards::command(std::string_view typed) {
  std::vector<std::string> w = words(typed);
  std::erase(w, "**");  // the server overlooks it, too
  if (w.empty()) return Refusal{"Type a command: help lists them."};
  const auto is = [&](std::string_view word) { return same_ignoring_case(w[0], word); };
  if (is("multiple")) return Refusal{"Scripts are for pbmplay send: type the commands one by one."};
  if (is("quit")) return Refusal{"Leave with q, or Ctrl-C."};
  if (is("login") || is("as"))
    return Refusal{"You are " + user_ + " here: start pbmplay anew to be somebody else."};
  const auto reply = order(std::string(trim(typed)));
  changed_here(false);
  if (!reply) return reply.refusal();
  if (is("change") && w.size() == 5 && same_ignoring_case(w[1], "password") &&
      same_ignoring_case(w[2], user_))
    password_ = w[4];
  Answer out{sanitize(reply->summary), {}};
  if (const auto update = update_in(*reply)) {
    // What is for this program is drawn for the person, but where he only queued something.
    if (update->gone || (update->done.empty() && update->board.entries > 0)) return out;
    const auto board = open(update->board.id);
    if (!board) return out;
    View view;
    view.field = board->remote->field.value_or(view.field);
    out.lines = position_text(board->match, view);
    return out;
  }
  for (const std::string& line : reply->lines) out.lines.push_back(safe_text(line));
  return out;
}

// --- boards ----------------------------------------------------------------------------

Result<BoardKey> RemoteBoards::place_of(const std::string& id) const {
  if (const auto key = read_board_id(lower(id))) return *key;
  std::vector<std::string> found;
  if (const auto number = read_board_number(id))
    for (const BoardSummary& line : listed_)
      if (read_board_id(line.id)->number == *number) found.push_back(line.id);
  if (found.size() == 1) return *read_board_id(found.front());
  if (found.size() > 1)
    return Refusal{"There are several boards " + id + ": say " + one_of(found) + "."};
  return Refusal{"'" + fit(id, 40) +
                 "' is no board of a server: those are called by game and number."};
}

void RemoteBoards::refresh_list() {
  // What is here already may tell all of it. A line that is lost is told by who needs it.
  if (line_ && line_->take_in()) hear_events();
  if (!list_is_old_ || !line_ || user_.empty()) return;
  const auto reply = request("boards " + user_);
  if (!reply) return;
  list_is_old_ = false;  // a server that does not know how is not asked over and over
  if (!reply->ok) return;
  listed_.clear();
  for (const std::string& text : reply->lines)
    if (auto line = decode_board(text, user_); line && listed_.size() < kMaxListed)
      listed_.push_back(std::move(*line));
}

BoardSummary* RemoteBoards::listed(const std::string& id) {
  const auto found = std::find_if(listed_.begin(), listed_.end(),
                                  [&](const BoardSummary& l) { return l.id == id; });
  return found == listed_.end() ? nullptr : &*found;
}

RemoteBoards::Followed* RemoteBoards::followed(const std::string& id) {
  const auto found = std::find_if(followed_.begin(), followed_.end(),
                                  [&](const Followed& f) { return f.id == id; });
  return found == followed_.end() ? nullptr : &*found;
}

std::vector<BoardSummary> RemoteBoards::list() {
  refresh_list();
  return listed_;
}

std::size_t RemoteBoards::waiting(const std::string& but) {
  refresh_list();
  return static_cast<std::size_t>(
      std::count_if(listed_.begin(), listed_.end(),
                    [&](const BoardSummary& l) { return l.id != but && waits_for(l, user_); }));
}

std::string RemoteBoards::trouble() const {
  return line_ ? "" : locked_out_.empty() ? "no connection" : "signed out";
}

// As the server has it: what it told of it already, or its save.
Result<Match> RemoteBoards::match_of(const BoardKey& place, std::string& warning) {
  const std::string id = place.id();
  const BoardSummary* line = listed(id);
  if (const Followed* known = followed(id);
      known && line && known->match.log().size() == line->entries)
    return known->match;
  const auto save = request(on(place, "save"));
  if (!save) return save.refusal();
  if (!save->ok) return refused(*save);
  std::string text;
  for (const std::string& row : save->lines) text += row + "\n";
  if (text.size() > kMaxSave) return Refusal{id + " is larger than a save may be."};
  auto loaded = load_match(text, id);
  if (!loaded) return loaded.refusal();
  warning = loaded->warning;
  unfollow(id);
  // Of others nothing is told.
  if (version_ >= 2 && listed(id)) {
    if (followed_.size() == kMaxFollowed) followed_.erase(followed_.begin());
    followed_.push_back({id, loaded->match, {}});
  }
  return std::move(loaded->match);
}

Result<Board> RemoteBoards::open(const std::string& id) {
  refresh_list();
  const auto place = place_of(id);
  if (!place) return place.refusal();
  std::string warning;
  auto match = match_of(*place, warning);
  if (!match) return match.refusal();
  Board board{place->id(), notebook().with_notes(place->id(), std::move(*match), warning), warning,
              Board::Remote{}};
  const Match& m = board.match;
  std::vector<Seat> mine;
  for (Seat s = 0; s < m.seats(); ++s)
    if (same_ignoring_case(m.names()[static_cast<std::size_t>(s)], user_)) mine.push_back(s);
  if (mine.size() == 1) board.remote->mine = mine.front();
  std::optional<BoardSummary> line;
  if (const BoardSummary* known = listed(place->id()); known && version_ >= 2) line = *known;
  else if (const auto info = request(on(*place, "info"));
           info && info->ok && info->lines.size() == 1)
    line = decode_board(info->lines.front(), user_);
  if (line) {
    board.remote->watching = line->watching;
    board.remote->field = line->field;
    if (!line->queued.empty()) board.remote->queued = queued_in_words(*place, line->queued);
  }
  return board;
}

Result<Board> RemoteBoards::create(const GameType& game, const Options& options,
                                   const std::vector<std::string>& names) {
  std::string line = std::string(game.name) + " challenge";
  for (const std::string& name : names) {
    const auto userid = check_userid(name);
    if (!userid)
      return Refusal{"'" + fit(name, 20) + "' is no userid: on a server they are who plays."};
    line += " " + *userid;
  }
  for (const std::string& word : options.words()) line += " " + word;
  refresh_list();
  const std::vector<BoardSummary> before = listed_;
  const auto reply = order(line);
  if (!reply) return reply.refusal();
  const auto id = new_board(*reply, game, before);
  return id ? open(*id) : Result<Board>(id.refusal());
}

// An older server tells no program which board it is: then it is the one that was not there before.
Result<std::string> RemoteBoards::new_board(const Reply& challenged, const GameType& game,
                                            const std::vector<BoardSummary>& before) {
  const auto update = update_in(challenged);
  changed_here(update.has_value());
  if (update) return update->board.id;
  refresh_list();
  for (const BoardSummary& board : listed_)
    if (board.game == &game && board.plies == 0 &&
        std::none_of(before.begin(), before.end(),
                     [&](const BoardSummary& b) { return b.id == board.id; }))
      return board.id;
  return Refusal{"The server did not say which board it is: look among the boards."};
}

Result<Board> RemoteBoards::keep(const Match&) {
  return Refusal{"A board on a server begins with a challenge."};
}
Result<Done> RemoteBoards::play(Board& board, const std::vector<MoveRequest>& turns) {
  const auto place = place_of(board.id);
  if (!place) return place.refusal();
  if (turns.size() != 1) return Refusal{"On a server plies are played one by one."};
  const MoveRequest& turn = turns.front();
  if (turn.note_on) {
    const auto note = board.match.validate_note(*turn.note_on, turn.typed, now());
    if (!note) return note.refusal();
    if (const auto kept = notebook().note(board.id, board.match, *note); !kept)
      return kept.refusal();
    board.match.add(*note);
    return Done{};
  }
  if (!board.remote || !board.remote->mine)
    return Refusal{"You watch this board: " + sanitize(all_of(board.match.names())) +
                   " play on it."};
  // What can be refused here is not sent; what is sent has the spelling of the game.
  const auto entry = board.match.validate(*board.remote->mine, turn.typed, now());
  if (!entry) return entry.refusal();
  need_line();
  if (!line_) return no_line();
  forget(board.id);
  const std::string command = on(*place, "move") + " " + user_ + " * " + entry->text + "#" +
                              std::to_string(board.match.plies().size() + 1);
  const auto reply = ask_surely(command);
  if (!reply && given_up())
    return Refusal{"Given up. If the server plays " + entry->text +
                   " all the same, that is shown once it answers."};
  if (!reply) {
    pending_[board.id] =
        Pending{entry->text, command, std::chrono::steady_clock::now() + kPendingFor};
    return Refusal{
        "The connection broke before " + entry->text +
        " was answered. It is asked again when the connection is back, and played once."};
  }
  changed_here(update_in(*reply).has_value());
  // A refusal says that more was done there than was told yet.
  if (!reply->ok) unfollow(board.id);
  auto fresh = open(board.id);
  if (!reply->ok) {
    if (!fresh || fresh->match.same_game(board.match)) return refused(*reply);
    Refusal why = overtaken(board.match, fresh->match);
    board = std::move(*fresh);
    return why;
  }
  if (fresh) {
    board = std::move(*fresh);
  } else {
    // Done all the same: the line broke behind the answer, or a challenge that was refused is gone.
    board.match.add(*entry);
    board.warning = sanitize(reply->summary);
  }
  return Done{};
}

void RemoteBoards::send_pending() {
  while (line_ && !pending_.empty()) {
    const auto [id, sent] = *pending_.begin();
    if (std::chrono::steady_clock::now() > sent.until) {
      forget(id);
      add_news(Notification::Kind::connection, id,
               "The connection is back; " + sent.text +
                   " was too long ago to be asked again: look whether it was played.");
      continue;
    }
    const auto reply = request(sent.command);
    if (!reply) return;  // it is tried again with the line
    forget(id);
    changed_here(update_in(*reply).has_value());
    add_news(Notification::Kind::connection, id,
             "The connection is back, " +
                 (reply->ok ? "and " + sent.text + " is played."
                            : "but " + sent.text + " is not played: " + sanitize(reply->summary)));
  }
}

void RemoteBoards::forget(const std::string& id) { pending_.erase(id); }

std::set<std::string> RemoteBoards::all_pending() const {
  std::set<std::string> out;
  for (const auto& [id, sent] : pending_) out.insert(id);
  return out;
}

Result<std::string> RemoteBoards::chat(const std::string& id, std::string_view text) {
  const auto place = place_of(id);
  if (!place) return place.refusal();
  if (trim(text).empty()) return Refusal{"Type chat and what is to be said."};
  const auto reply = order(on(*place, "chat") + " " + user_ + " * : " + std::string(trim(text)));
  if (!reply) return reply.refusal();
  const std::string said = sanitize(user_ + ": " + std::string(trim(text)));
  add_news(Notification::Kind::talk, id, said);
  news_.back().own = true;
  keep_talk(id, said);
  bell_.ring();
  return said;
}

Result<std::string> RemoteBoards::watch(const std::string& id, bool wanted) {
  const auto place = place_of(id);
  if (!place) return place.refusal();
  const auto reply = order(on(*place, wanted ? "subscribe" : "unsubscribe") + " " + user_ + " *");
  if (!reply) return reply.refusal();
  changed_here(false);
  return sanitize(reply->summary);
}

Result<std::string> RemoteBoards::queue(const Board& board, std::string_view move) {
  const auto place = place_of(board.id);
  if (!place) return place.refusal();
  if (!board.remote || !board.remote->mine)
    return Refusal{"You watch this board, and have nothing to play."};
  const auto reply = order(on(*place, "queue") + " " + user_ + " * " + std::string(trim(move)));
  if (!reply) return reply.refusal();
  if (!trim(move).empty()) changed_here(update_in(*reply).has_value());
  return sanitize(reply->summary);
}

}  // namespace pbm
