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

// The server is not available; the mail system has to deliver the mail again.
struct Away {
  std::string why;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> of) {
  return std::ranges::any_of(of,
                             [&](std::string_view one) { return same_ignoring_case(word, one); });
}

// Returns the words by which the server recognizes a command: those before " : ", without options
// and without the asterisks of old servers.
Strings command_words(const std::string& line) {
  Strings out;
  for (const std::string& word : words(line)) {
    if (word == ":") break;
    if (word != "**" && !word.starts_with('-')) out.push_back(word);
  }
  return out;
}

// The senders that may use a command by mail. anybody: the command shows only public facts and
// changes nothing. somebody: only a proved author. nobody: it is for connections or the owner.
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
  // Without a userid, "games" lists the asker's own games.
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

// The gateway's own login may be the owner's. Removes the owner's commands from the help reply:
// two lines each.
Reply without_owners(Reply reply) {
  for (auto line = reply.lines.begin(); line != reply.lines.end();)
    line = line->starts_with("admin ")
               ? reply.lines.erase(line, std::min(line + 2, reply.lines.end()))
               : line + 1;
  return reply;
}

// True if `word` is an action on the board of the mail. Anything else that is no command is a move.
bool is_act(std::string_view word) {
  return is_one_of(word, {"accept", "reject", "propose", "undo", "resign", "refuse", "rematch",
                          "chat", "say", "show", "unsubscribe"});
}

// Returns the action on the board `key` that `line` means: "BT" from "toot move 101 BT" or from
// "toot-101 BT", as players write without a mail to answer. Returns nothing for other commands.
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

// A connection to the server for one userid, or for none.
class Talk {
 public:
  // Sends `first`, which names the userid; "" for none.
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

// Handles one mail.
class Visit {
 public:
  // `which` identifies the mail in the state.
  Visit(const Setup& setup, const Tokens& tokens, State& state, const Incoming& mail,
        const std::string& which, Time now)
      : setup_(setup), tokens_(tokens), state_(state), mail_(mail), which_(which), now_(now) {}

  // Reads and checks the tokens in the Subject and the addresses.
  void take_tokens() {
    subject_ = without_remnants(mail_.subject);
    take_bracket();
    for (const std::string& to : mail_.to)
      if (take_board(to)) break;
  }

  // Runs the commands of the mail and collects the replies. Pre: take_tokens().
  void run() {
    const bool script = same_ignoring_case(subject_, "multiple");
    const std::size_t ours = lower(subject_).find(kOurs);
    // Mail programs put words such as "Re:" before the Subject of a mail that they answer.
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
  // Returns the mail with the replies. Pre: run().
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

  // Reads a token of a board from an address into board_token_. Returns false if there is none.
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
    // Ply 0 allows only unsubscribing, whatever was played since. A mail that is delivered again
    // keeps the rights that it had.
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
    // A password cannot start games: that needs a connection for the userid.
    if (setup_.passwords && !begins_board(said)) return say(once(nobody(), {command.line}));
    say(false,
        "Nobody is known by the address a mail says it is from. Answer a mail of this server, or "
        "write your Subject with the bracket at the end of one; who has none gets one by: userid");
  }

  // Runs an action on the board of the answered mail: "BT", "resign", "toot move 101 BT".
  // Returns false if the command is something else.
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
    // A move names its ply.
    const bool moves = key_ && ask.line.starts_with(std::string(key_->game->name) + " move ");
    const Reply reply = once(talk, ask, board_token_->whole(), shows || moves);
    say(reply);
    if (!reply.ok && key_)
      if (const Reply shown = talk.ask(command_for("show", "")); shown.ok)
        for (const std::string& each : shown.lines) text_ += safe_text(each) + "\n";
    return true;
  }

  // Returns the server's command for an action.
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
    // Names the state of the board, so that the server refuses the move if that has changed.
    return game + " move " + number + " " + before +
           (before.find('#') == std::string::npos ? "#" + board_token_->at : "") + text;
  }

  // Runs a command for the userid that the Subject's token proves.
  void do_proved(const Command& command) {
    const Strings said = command_words(command.line);
    used_ = token_;
    const Reply reply = once(as(userid_), command, token_, asked_by(said) == By::anybody);
    say(reply);
    // From now on answers to the mail are about this board.
    const GameType* const game = find_game(said[0]);
    if (game && reply.ok)
      for (const std::string& word : words(begins_board(said) ? reply.summary : joined(said, 1, 2)))
        if (const auto number = read_board_number(word); number && !about_)
          about_ = BoardKey{game, *number};
  }

  // Registers a userid with the address of this mail, which stays unconfirmed until its code
  // arrives.
  void sign_up(const Strings& said) {
    if (said.size() < 2) return say(false, "Write: signup userid [password]");
    const std::string password = said.size() > 2 ? said[2] : random_word(32);
    Reply reply = once(nobody(), {"signup " + said[1] + " " + password + " " + mail_.from});
    // The player may have signed up before and lost the mails.
    if (!reply.ok && nobody().ask("forgotten " + mail_.from).ok)
      reply.summary += " Whoever has signed up from your address is written to there.";
    say(reply);
  }

  // Confirms an address. A code proves only that its reader has the address; it allows nothing
  // else.
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

  // Runs a command only once even if the mail is delivered again: then returns the stored reply.
  // `proof`: the token, or "". `harmless`: the command may run again if its reply was lost.
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
    // An overloaded server refuses connections; the mail waits in the mail system's queue.
    if (reply.busy) throw Away{reply.summary};
    return reply;
  }
  std::string step_of(const std::string& proof, std::size_t step) const {
    return which_ + "\n" + proof + "\n" + std::to_string(step);
  }
  // True if this mail was delivered before and its first step for the token is stored.
  bool comes_again(const Token& token) {
    return state_.answered(step_of(token.whole(), 1)).has_value();
  }
  // True if the mail comes from the userid's present address. Tokens for an earlier address are
  // worthless.
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
  std::map<std::string, std::size_t> steps_;  // number of commands so far, by token
  Time now_;
  std::map<std::string, Talk> talks_;
  std::optional<Token> board_token_;
  std::optional<BoardKey> key_;  // of board_token_; nothing if it is for all boards
  std::size_t ply_ = 0;          // of board_token_
  std::string userid_, player_;  // proved by the Subject's token; by board_token_
  std::string reader_;           // the userid whose address the mail confirmed
  bool bad_ = false;             // true if a token is invalid
  std::string subject_, token_, used_, text_;
  std::optional<BoardKey> about_;
  std::size_t commands_ = 0, refusals_ = 0;
};

// True for a quoted line.
bool is_quoted(const std::string& line) { return trim(line).starts_with('>'); }

// Returns how many lines at the end of the paragraph at `from` attribute the quotation below it, as
// "On Monday fred wrote:". There are two if the last line has no digits and continues a longer one.
// A line with " : " is the author's own.
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

// Runs the commands of a mail and stores the reply mail. Returns nothing if the address has had too
// many answers today.
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
