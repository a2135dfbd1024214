// SPDX-License-Identifier: MIT
#include "mail/gateway.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "boards/line_client.hpp"
#include "mail/state.hpp"
#include "protocol/board_summary.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {

namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

constexpr auto kConnecting = 5s, kAnswering = 60s;
constexpr std::size_t kMaxCommands = 50, kMaxLinesOut = 2000;

// The server is away, or goes: the mail is to come again.
struct Away {
  std::string why;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> of) {
  return std::ranges::any_of(of,
                             [&](std::string_view one) { return same_ignoring_case(word, one); });
}

// The words that say which command it is, as the server reads them: in front of text, without
// options and what old servers put around.
Strings command_words(const std::string& line) {
  Strings out;
  for (const std::string& word : words(line)) {
    if (word == ":") break;
    if (word != "**" && !word.starts_with('-')) out.push_back(word);
  }
  return out;
}

// By whom a command of the server is asked for by mail: by anybody, as it shows nothing that is
// somebody's alone and changes nothing; by who has proved himself; by nobody, as it is for
// connections, or for the owner of the server.
enum class By : std::uint8_t { anybody, somebody, nobody, unknown };

By asked_by(const Strings& said) {
  const auto is = [&](std::size_t n, std::initializer_list<std::string_view> of) {
    return n < said.size() && is_one_of(said[n], of);
  };
  if (said.empty() || is(0, {"as", "login", "admin", "watch", "hello", "multiple", "quit", "lobby",
                             "people", "boards"}))
    return By::nobody;
  const bool board = read_board_id(lower(said[0])).has_value(),
             game = find_game(said[0]) != nullptr;
  const bool owners =
      std::ranges::any_of(said, [](const auto& word) { return same_ignoring_case(word, "admin"); });
  // Without a userid these boards are one's own.
  const bool others =
      is(0, {"games"}) && said.size() > 1 && !is(1, {"all", "active", "inactive", "next"});
  if (!owners && (game ? is(1, {"games", "show", "showas", "preview", "standings", "ratings",
                                "history", "openings", "help", "chats", "info", "save"})
                       : others || is(0, {"help", "list", "who", "standings", "history", "player",
                                          "sought", "all", "userid", "forgotten"})))
    return By::anybody;
  return board || game ||
                 is(0, {"message", "tell", "broadcast", "set", "change", "confirm", "vacation",
                        "block", "unblock", "take", "unseek", "signoff", "delete", "signup", "add",
                        "games"})
             ? By::somebody
             : By::unknown;
}

bool is_command(const std::string& line) {
  const By by = asked_by(command_words(line));
  return by == By::anybody || by == By::somebody;
}

bool begins_board(const Strings& said) {
  return said.size() > 1 &&
         (is_one_of(said[0], {"take"}) || is_one_of(said[1], {"challenge", "rematch", "seek"}));
}

// The login that this runs as may be the owner's, and is told his words by help: two lines each.
Reply without_owners(Reply reply) {
  for (auto line = reply.lines.begin(); line != reply.lines.end();)
    line = line->starts_with("admin ")
               ? reply.lines.erase(line, std::min(line + 2, reply.lines.end()))
               : line + 1;
  return reply;
}

// What one does on the board of a mail by a word of its own. What is no command besides is a move.
bool is_act(std::string_view word) {
  return is_one_of(word, {"accept", "reject", "propose", "undo", "resign", "refuse", "rematch",
                          "chat", "say", "show", "unsubscribe"});
}

// What is left of a line that is an act on the board `key`: "resign" of itself, "BT" of "toot move
// 101 BT" or "toot-101 BT", as one writes it without a mail to answer. Nothing of a command.
std::optional<std::string> act_in(const std::string& line, const std::optional<BoardKey>& key) {
  std::string_view rest = line;
  const std::string first = lower(take_word(rest));
  if (!key) return is_command(line) ? std::nullopt : std::optional(line);
  bool here = read_board_id(first) == key;
  std::string act;
  if (find_game(first) == key->game) {
    std::string number(take_word(rest));
    if (is_one_of(number, {"move", "mvoe", "board"}) || is_act(number)) {
      if (is_act(number)) act = number + " ";
      number = take_word(rest);
    }
    here = number == std::to_string(key->number);
  }
  if (!here) return is_command(line) ? std::nullopt : std::optional(line);
  act += trim(rest);
  return act.empty() ? "show" : act;
}

// A connection that speaks for nobody, or for somebody.
class Talk {
 public:
  // By its first line; without one for nobody.
  explicit Talk(const Setup& setup, const std::string& first = "") : wire_(dial(setup)) {
    if (first.empty()) return;
    const Reply hello = ask(first);
    if (hello.busy) throw Away{hello.summary};
    if (!hello.ok) refused_ = hello.summary;
  }
  const std::string& refused() const { return refused_; }
  Reply ask(const std::string& line) { return of(wire_.ask(line, kAnswering)); }
  Reply ask(const Command& command) {
    Strings text;
    for (const std::string& line : command.text) text.push_back(" " + line);
    return of(wire_.ask(command.line, text, kAnswering));
  }

 private:
  static LineClient dial(const Setup& setup) {
    auto wire = LineClient::connect(setup.server, kConnecting);
    if (!wire) throw Away{wire.refusal().why};
    return std::move(*wire);
  }
  static Reply of(Result<Reply> reply) {
    if (!reply) throw Away{reply.refusal().why};
    return std::move(*reply);
  }
  LineClient wire_;
  std::string refused_;
};

// One mail on its way.
class Visit {
 public:
  // `which` mail it is, for the state.
  Visit(const Setup& setup, const Tokens& tokens, State& state, const Incoming& mail,
        const std::string& which, Time now)
      : setup_(setup), tokens_(tokens), state_(state), mail_(mail), which_(which), now_(now) {}

  // Whether something in it proves who writes.
  void take_tokens() {
    subject_ = without_remnants(mail_.subject);
    take_bracket();
    for (const std::string& to : mail_.to)
      if (take_board(to)) break;
  }

  // What comes of it. Pre: take_tokens().
  void run() {
    const bool script = same_ignoring_case(subject_, "multiple");
    const std::size_t ours = lower(subject_).find(kOurs);
    // Whatever a mail program wrote before it.
    const bool answers =
        subject_.empty() || (ours != std::string::npos && !is_command(subject_.substr(0, ours)));
    if ((script || answers) && !mail_.plain)
      return say(
          false,
          "Only plain text is read here, and that mail has none: write it as such, or put the "
          "command into the Subject.");
    std::vector<Command> commands =
        script || answers ? commands_in(mail_.lines, script) : std::vector<Command>{{subject_}};
    if (commands.empty()) commands.emplace_back();
    if (commands.size() > kMaxCommands) {
      commands.resize(kMaxCommands);
      say(false, "At most " + std::to_string(kMaxCommands) + " commands are taken from one mail.");
    }
    for (const Command& command : commands) do_command(command);
    if (answers && commands_in(mail_.lines, true).size() > 1)
      text_ +=
          "\nOnly the first line was read: words for all stand behind it and a colon\nbetween "
          "blanks.\n";
  }

  bool proved() const { return !userid_.empty() || !player_.empty(); }
  const std::string& used() const { return used_; }
  std::size_t commands() const { return commands_; }
  std::size_t refusals() const { return refusals_; }
  // Pre: run().
  Outgoing answer() {
    std::vector<Board> boards;
    const std::string who = bad_ && player_.empty() ? ""
                            : !userid_.empty()      ? userid_
                            : !player_.empty()      ? player_
                                                    : reader_;
    if (about_ && !who.empty())
      if (const auto board = look(*about_); board && (board->plays(who) || who == player_))
        boards.push_back({about_->id(),
                          std::to_string(board->plies + 1) + "-" + std::to_string(board->entries)});
    Outgoing out = mail_to(setup_, tokens_, who, mail_.from, boards,
                           commands_ == 1 && refusals_ == 1 ? "refused" : "answered", now_);
    if (!mail_.id.empty()) {
      out.references.push_back(mail_.id);
      out.in_reply_to = mail_.id;
    }
    out.replied = true;
    out.text = text_ + "\n" + how_to_answer(who, boards.size());
    return out;
  }

 private:
  void take_bracket() {
    const std::size_t open = subject_.rfind('[');
    if (open == std::string::npos || !subject_.ends_with(']')) return;
    const auto token =
        read_token(std::string_view(subject_).substr(open + 1, subject_.size() - open - 2));
    if (!token) return;
    subject_ = without_remnants(subject_.substr(0, open));
    bad_ = !tokens_.proves(*token, mail_.from) || !lasts(token->at, now_) ||
           (state_.used(token->whole()) && !comes_again(*token)) || !is_at_home(token->of);
    if (bad_) return;
    userid_ = token->of;
    token_ = token->whole();
  }

  // Whether that address has a token of a board, which `board_token_` is then.
  bool take_board(const std::string& to) {
    const std::size_t plus = to.find('+');
    if (mailbox_of(to) != mailbox_of(setup_.address) || plus == std::string::npos) return false;
    const auto token = read_token(to.substr(plus + 1, to.rfind('@') - plus - 1));
    const auto ply =
        read_whole_number<std::size_t>(token ? token->at.substr(0, token->at.find('-')) : "");
    if (!ply) return false;
    board_token_ = token;
    ply_ = *ply;
    const std::size_t dot = token->of.find('.');
    key_ = read_board_id(token->of.substr(0, dot));
    const std::string userid = dot == std::string::npos ? "" : token->of.substr(dot + 1);
    if (!tokens_.proves(*token, mail_.from) || !is_at_home(userid)) return true;
    const auto is_next = [&] {
      const auto board = key_ ? look(*key_) : std::nullopt;
      return board && ply_ == board->plies + 1;
    };
    // Ply 0 is for unsubscribing, whatever was played since; and what this mail did it has done.
    if (ply_ == 0 || comes_again(*token) || is_next()) player_ = userid;
    return true;
  }

  void do_command(const Command& command) {
    const Strings said = command_words(command.line);
    const char first = command.line.empty() ? ' ' : command.line.front();
    if (do_act(command)) return;
    const By by = asked_by(said);
    if (bad_ && by != By::anybody) {
      return say(false,
                 "What proves who writes did not do so. It was sent to another address, or used "
                 "already, or is for a move that was played or older than a week. The latest mail "
                 "about the board can be answered; whoever has none asks for one by: userid");
    }
    if (said.empty() || !(is_digit(first) || is_letter(first)))
      return say(false, "There is no command in that mail: Subject: help lists them.");
    if (is_one_of(said[0], {"userid", "forgotten"}))
      return say(nobody().ask("forgotten " + mail_.from));
    if (!userid_.empty() && by != By::nobody) return do_proved(command);
    if (is_one_of(said[0], {"signup", "add"})) return sign_up(said);
    if (is_one_of(said[0], {"confirm"})) return confirm(said);
    if (by == By::anybody) return say(without_owners(nobody().ask(command.line)));
    if (by == By::nobody) return say(false, "There is no such command by mail.");
    // What begins a board no password proves: it is asked for on a connection of one's own.
    if (setup_.passwords && !begins_board(said)) return say(once(nobody(), {command.line}));
    say(false,
        "Nobody is known by the address a mail says it is from. Answer a mail of this server, or "
        "write your Subject with the bracket at the end of one; who has none gets one by: userid");
  }

  // What belongs to the board of the mail that is answered: "BT", "resign", "toot move 101 BT".
  // False where it is something else.
  bool do_act(const Command& command) {
    if (!board_token_) return false;
    const auto line = act_in(std::string(trim(command.line)), key_);
    if (!line) return false;
    const Strings said = command_words(*line);
    const std::string verb = said.empty() ? "chat" : lower(said[0]);
    if (player_.empty() || (ply_ == 0 && verb != "unsubscribe")) {
      bad_ = true;
      return false;
    }
    Talk& talk = as(player_);
    about_ = key_;
    if (line->empty()) {
      say(false,
          "There is no move in that mail: write it as the first line, above what is quoted.");
      return true;
    }
    const bool shows = verb == "show";
    const Command ask{command_for(verb, *line), shows ? Strings{} : command.text};
    // A move says of which ply it is.
    const bool moves = key_ && ask.line.starts_with(std::string(key_->game->name) + " move ");
    const Reply reply = once(talk, ask, board_token_->whole(), shows || moves);
    say(reply);
    if (!reply.ok && key_)
      if (const Reply shown = talk.ask(command_for("show", "")); shown.ok)
        for (const std::string& each : shown.lines) text_ += safe_text(each) + "\n";
    return true;
  }

  // The server's command for it.
  std::string command_for(const std::string& verb, const std::string& line) {
    if (verb == "unsubscribe") return "set notices " + (key_ ? key_->id() + " " : "") + "never";
    const std::string game(key_->game->name), number = std::to_string(key_->number);
    const std::size_t colon = line.starts_with(":") ? 0 : line.find(" : ");
    const std::string text = colon == std::string::npos
                                 ? ""
                                 : " : " + std::string(trim(line.substr(colon + (colon ? 3 : 1))));
    const std::string before(trim(line.substr(0, colon)));
    if (verb == "chat" || verb == "say") {
      const std::size_t blank = before.find(' ');
      return game + " chat " + number +
             (text.empty() && blank != std::string::npos ? " : " + before.substr(blank + 1) : text);
    }
    if (verb == "show") return game + " showas " + player_ + " " + number;
    if (verb == "refuse" || verb == "rematch") return game + " " + verb + " " + number + text;
    // As the board was, or not at all.
    return game + " move " + number + " " + before +
           (before.find('#') == std::string::npos ? "#" + board_token_->at : "") + text;
  }

  // What somebody asks for who has proved who he is.
  void do_proved(const Command& command) {
    const Strings said = command_words(command.line);
    used_ = token_;
    const Reply reply = once(as(userid_), command, token_, asked_by(said) == By::anybody);
    say(reply);
    // The board that is answered to from now on.
    const GameType* const game = find_game(said[0]);
    if (game && reply.ok)
      for (const std::string& word : words(begins_board(said) ? reply.summary : joined(said, 1, 2)))
        if (const auto number = read_board_number(word); number && !about_)
          about_ = BoardKey{game, *number};
  }

  // Takes a userid. Its address is where the mail came from, until a code confirms it there.
  void sign_up(const Strings& said) {
    if (said.size() < 2) return say(false, "Write: signup userid [password]");
    const std::string password = said.size() > 2 ? said[2] : random_word(32);
    Reply reply = once(nobody(), {"signup " + said[1] + " " + password + " " + mail_.from});
    // He may have been here before, and lost what came.
    if (!reply.ok && nobody().ask("forgotten " + mail_.from).ok)
      reply.summary += " Whoever has signed up from your address is written to there.";
    say(reply);
  }

  // The code proves that it was read where it went: nothing else is done by it.
  void confirm(const Strings& said) {
    const std::size_t at = said.size() > 1 && same_ignoring_case(said[1], "address") ? 2 : 1;
    if (said.size() != at + 2) return say(false, "Write: confirm userid code");
    const std::string userid = lower(said[at]);
    if (!Talk(setup_, "as " + userid + " " + mail_.from + " " + said[at + 1]).refused().empty())
      return say(false,
                 "That confirms no address. Another code comes once an hour at most, by: userid. "
                 "Whoever has confirmed another address before has one sent by: change address");
    reader_ = userid;
    say(true, "The address of " + userid + " is " + mail_.from + ".");
  }

  Talk& as(const std::string& userid) {
    const auto found = talks_.find(userid);
    return found != talks_.end()
               ? found->second
               : talks_.emplace(userid, Talk(setup_, "as " + userid + " " + mail_.from))
                     .first->second;
  }

  Talk& nobody() { return talks_.try_emplace("", setup_).first->second; }

  // Asks for what is not to be done a second time when the mail comes again: what was answered then
  // is the answer now. `harmless`: what was not answered may be asked for anew. `proof`: by which
  // token, or "".
  Reply once(Talk& talk, const Command& command, const std::string& proof = "",
             bool harmless = false) {
    const std::string step = step_of(proof, ++steps_[proof]),
                      known = state_.answered(step).value_or(""),
                      unknown =
                          framed(Refusal{"The server went away before it answered command " +
                                         std::to_string(commands_ + 1) +
                                         " of this mail: whether that was done is "
                                         "not known. Look, and write it again if it was not."});
    if (!known.empty() && !(harmless && known == unknown)) {
      Deframer kept;
      static_cast<void>(kept.feed(known));
      return kept.take_reply();
    }
    state_.keep(step, unknown, used_, "", false);
    Reply reply = talk.ask(command);
    state_.keep(step, reply.busy ? "" : framed(reply), used_, "", false);
    // Of a crowd whoever comes by mail waits in its queue.
    if (reply.busy) throw Away{reply.summary};
    return reply;
  }
  std::string step_of(const std::string& proof, std::size_t step) const {
    return which_ + "\n" + proof + "\n" + std::to_string(step);
  }
  // Whether the same mail has come before, and proved then what it did.
  bool comes_again(const Token& token) {
    return state_.answered(step_of(token.whole(), 1)).has_value();
  }
  // Whether the mail came from the address that counts for him: a token that was sent to an
  // earlier one is good for nothing.
  bool is_at_home(const std::string& userid) { return as(userid).refused().empty(); }

  std::optional<BoardSummary> look(const BoardKey& key) {
    const Reply reply =
        nobody().ask(std::string(key.game->name) + " info " + std::to_string(key.number));
    return reply.ok && !reply.lines.empty() ? decode_board(reply.lines[0], "") : std::nullopt;
  }

  void say(const Reply& reply) {
    ++commands_;
    refusals_ += !reply.ok;
    if (!text_.empty()) text_ += "\n";
    for (const std::string& line :
         wrap((reply.ok ? "" : "Refused: ") + safe_text(reply.summary), 72))
      text_ += line + "\n";
    if (!reply.lines.empty()) text_ += "\n";
    for (std::size_t i = 0; i < std::min(reply.lines.size(), kMaxLinesOut); ++i)
      text_ += safe_text(reply.lines[i]) + "\n";
  }

  void say(bool ok, const std::string& sentence) { say(Reply(ok, sentence, {})); }

  const Setup& setup_;
  const Tokens& tokens_;
  State& state_;
  const Incoming& mail_;
  const std::string& which_;
  std::map<std::string, std::size_t> steps_;  // that were done, by proof
  Time now_;
  std::map<std::string, Talk> talks_;
  std::optional<Token> board_token_;
  std::optional<BoardKey> key_;  // its; nothing: of all boards
  std::size_t ply_ = 0;          // its
  std::string userid_, player_;  // proved for a command; for the board of the token
  std::string reader_;           // whose address was confirmed
  bool bad_ = false;             // there was a token, and it proves nothing
  std::string subject_, token_, used_, text_;
  std::optional<BoardKey> about_;
  std::size_t commands_ = 0, refusals_ = 0;
};

// Lines of somebody's own: blank ones part them, and quoted ones are not his.
bool is_quoted(const std::string& line) { return trim(line).starts_with('>'); }

// Who wrote what is quoted below: a line that ends with a colon, and where it has no date the
// longer one above, of which it is the rest. Words for all that stand behind a colon are one's own.
std::size_t attribution(const Strings& lines, std::size_t from) {
  std::size_t end = from;
  while (end < lines.size() && !trim(lines[end]).empty() && !is_quoted(lines[end])) ++end;
  std::size_t below = end;
  while (below < lines.size() && trim(lines[below]).empty()) ++below;
  const auto own = [&](std::size_t i) { return lines[i].find(" : ") != std::string::npos; };
  if (end == from || below == lines.size() || !is_quoted(lines[below]) ||
      !trim(lines[end - 1]).ends_with(':') || own(end - 1))
    return 0;
  const bool whole = end - from == 1 || std::ranges::any_of(lines[end - 1], is_digit) ||
                     words(lines[end - 2]).size() < 3 || own(end - 2);
  return whole ? 1 : 2;
}

// Does what a mail asks for, and keeps what is sent back; nothing where there were too many.
std::optional<std::string> handle(const Setup& setup, const Tokens& tokens, State& state,
                                  const Incoming& mail, const std::string& which, Time now) {
  Visit visit(setup, tokens, state, mail, which, now);
  visit.take_tokens();
  if (!state.has_room(mail.from, visit.proved())) {
    setup.log("dropped a mail from " + mail.from + ": too many were answered today");
    return std::nullopt;
  }
  visit.run();
  std::string out = to_string(visit.answer());
  state.keep(which, out, visit.used(), mail.from, visit.proved());
  setup.log("a mail from " + mail.from + " has " +
            count_of(visit.commands(), "command", "commands") + ", " +
            std::to_string(visit.refusals()) + " refused");
  return out;
}

}  // namespace

std::string without_remnants(std::string_view subject) {
  std::string_view rest = trim(subject);
  const auto strip = [&](std::string_view what) {
    const bool there = starts_ignoring_case(rest, what);
    if (there) rest = trim(rest.substr(what.size()));
    return there;
  };
  bool any = true;
  while (any) {
    any = false;
    for (const std::string_view what :
         {"re:", "aw:", "sv:", "vs:", "antw:", "odp:", "fwd:", "fw:", "wg:", ">", "**"})
      any = strip(what) || any;
  }
  while (rest.ends_with("**")) rest = trim(rest.substr(0, rest.size() - 2));
  return std::string(rest);
}

std::vector<Command> commands_in(const Strings& lines, bool script) {
  std::vector<Command> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line(trim(lines[i]));
    if (line == "--") break;
    if (line.empty() || is_quoted(line)) {
      if (!out.empty()) break;
      continue;
    }
    std::size_t paragraph = i;
    while (paragraph > 0 && !trim(lines[paragraph - 1]).empty() && !is_quoted(lines[paragraph - 1]))
      --paragraph;
    std::size_t end = i;
    while (end < lines.size() && !trim(lines[end]).empty() && !is_quoted(lines[end])) ++end;
    if (const std::size_t n = attribution(lines, paragraph); n > 0 && i + n >= end) {
      if (!out.empty()) break;
      i = end - 1;
      continue;
    }
    if (lines[i].starts_with(' ') && !out.empty()) out.back().text.push_back(line);
    else if (out.empty() || script) out.push_back({without_remnants(line)});
    else break;
  }
  return out;
}

int answer(const Setup& setup, std::string_view bytes) {
  const Time now = pbm::now();
  const Incoming mail = read_message(bytes, setup.address);
  const std::string from = mail.from.empty() ? "nobody" : mail.from;
  if (!mail.refused.empty()) {
    setup.log("dropped a mail from " + from + ": " + mail.refused);
    return kHandled;
  }
  const Tokens tokens(setup.state / "key");
  State state(setup.state, now);
  const std::string which =
      mail.from + " " + (mail.id.empty() ? tokens.mac(std::string(bytes)) : mail.id);
  auto out = state.answered(which);
  if (out && out->empty()) {
    setup.log("dropped a mail from " + from + ": it was answered already");
    return kHandled;
  }
  try {
    if (!out) out = handle(setup, tokens, state, mail, which, now);
  } catch (const Away& away) {
    setup.log("a mail from " + from + " is to come again: " + away.why);
    return kLater;
  }
  if (!out) return kHandled;
  if (const auto sent = send(setup, mail.from, *out); !sent) {
    setup.log("the answer to " + from + " is to be sent again: " + sent.refusal().why);
    return kLater;
  }
  state.sent(which);
  return kHandled;
}

}  // namespace pbm::mail
