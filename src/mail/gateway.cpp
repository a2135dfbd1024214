// SPDX-License-Identifier: MIT
#include "mail/gateway.hpp"

#include <algorithm>
#include <map>
#include <regex>

#include "base/text.hpp"
#include "boards/server_connection.hpp"
#include "mail/state.hpp"
#include "protocol/board_summary.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {

namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

constexpr auto kConnectTimeout = 5s, kReplyTimeout = 60s;
// The time for the commands of one mail. Other mails wait meanwhile, and each wrong password takes
// longer than the one before.
constexpr auto kMaxRunTime = 5s;
constexpr std::size_t kMaxCommands = 50, kMaxLinesOut = 2000;

// The server is not available; the mail system has to deliver the mail again.
struct ServerUnavailable {
  std::string reason;
};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> of) {
  return std::ranges::any_of(of,
                             [&](std::string_view one) { return equals_ignoring_case(word, one); });
}

// Returns the words by which the server recognizes a command: those before " : ", without options
// and without the asterisks of old servers.
Strings command_words(const std::string& line) {
  Strings out;
  for (const std::string& word : split_words(line)) {
    if (word == ":") break;
    if (word != "**" && !word.starts_with('-')) out.push_back(word);
  }
  return out;
}

// True if `word` is nearly a command that takes a password. No move of a game looks like that.
bool is_misspelt_command(const std::string& word) {
  constexpr std::size_t kShortest = 5;  // letters
  static const Strings known{"signoff", "signup",   "change",  "confirm",   "delete",
                             "message", "vacation", "unblock", "broadcast", "unseek"};
  return is_one_of(word, {"set"}) ||
         (word.size() >= kShortest && std::ranges::all_of(word, is_letter) &&
          !suggest_word(word, known, "").empty());
}

// True if `word` is an action on the board of the mail. Anything else that is no command is a move.
bool is_board_action(std::string_view word) {
  return is_one_of(word, {"accept", "reject", "propose", "undo", "resign", "refuse", "rematch",
                          "chat", "say", "show", "unsubscribe"});
}

// The senders that may use a command by mail. anybody: the command shows only public facts and
// changes nothing. proved_sender: only a proved author. nobody: it is for connections or the owner.
// unknown: it is no command.
enum class SenderAccess : std::uint8_t { anybody, proved_sender, nobody, unknown };

SenderAccess required_access(const Command& command) {
  const Strings said = command_words(command.line);
  const auto is = [&](std::size_t n, std::initializer_list<std::string_view> of) {
    return n < said.size() && is_one_of(said[n], of);
  };
  const bool has_number =
      said.size() > 1 && read_whole_number<int>(said[1].substr(0, said[1].find('#')));
  if (said.empty() || !(is_digit(command.line[0]) || is_letter(command.line[0])))
    return SenderAccess::unknown;
  if (is(0, {"login", "admin", "watch", "multiple", "quit", "exit", "lobby", "people", "boards"}))
    return SenderAccess::nobody;
  const bool game = find_game(said[0]) != nullptr;
  const bool owners = std::ranges::any_of(
      said, [](const auto& word) { return equals_ignoring_case(word, "admin"); });
  const bool ladder =
      is(0, {"ladder"}) && (said.size() == 1 || find_game_or_variant(said[1]) != nullptr);
  const bool climbs = std::ranges::any_of(said, [](const auto& word) {
    return is_one_of(word, {"join", "leave", "challenge"});
  });
  // Without a userid, these are about the asker.
  const bool others = is(0, {"games", "profile"}) && said.size() > 1 &&
                      !is(1, {"all", "active", "inactive", "next"});
  if (!owners && (game ? is(1, {"games", "show", "showas", "preview", "standings", "ratings",
                                "history", "help", "chats", "info", "save"})
                       : others ||
                             is(0, {"help", "list", "standings", "history", "sought", "all",
                                    "userid", "forgotten", "tournaments", "ladders"}) ||
                             (ladder && !climbs) || (is(0, {"tournament"}) && is(1, {"show"}))))
    return SenderAccess::anybody;
  const bool has_text = !command.text.empty() || command.line.find(" : ") != std::string::npos;
  const bool known =
      game ? has_number ||
                 (said.size() > 1 && (is_board_action(said[1]) || read_board_id(lower(said[1])))) ||
                 is(1, {"move", "mvoe", "board", "queue", "submit", "confirm", "challenge", "chall",
                        "seek", "limit", "set", "subscribe"})
           : read_board_id(lower(said[0])) || (is(0, {"message", "broadcast"}) && has_text) ||
                 (is(0, {"take", "unseek"}) && has_number) ||
                 (is(0, {"set", "change"}) &&
                  is(1, {"notices", "computer", "password", "address"})) ||
                 (is(0, {"confirm"}) && said.size() <= 4) ||
                 is(0, {"tell", "vacation", "block", "unblock", "signoff", "delete", "signup",
                        "add", "games", "profile"}) ||
                 ladder ||
                 (is(0, {"tournament"}) && is(1, {"new", "join", "leave", "start", "withdraw"}));
  return known ? SenderAccess::proved_sender : SenderAccess::unknown;
}

bool is_command(const std::string& line) {
  const SenderAccess by = required_access({line});
  return by == SenderAccess::anybody || by == SenderAccess::proved_sender;
}

bool starts_game(const Strings& said) {
  return said.size() > 1 && (is_one_of(said[0], {"take"}) ||
                             is_one_of(said[1], {"challenge", "chall", "rematch", "seek"}));
}

// The gateway's own login may be the owner's. Removes the owner's commands from the help reply:
// two lines each.
Reply remove_owner_help(Reply reply) {
  for (auto line = reply.lines.begin(); line != reply.lines.end();)
    line = line->starts_with("admin ")
               ? reply.lines.erase(line, std::min(line + 2, reply.lines.end()))
               : line + 1;
  return reply;
}

// Returns the action on the board `key` that `line` means: "BT" from "toot move 101 BT" or from
// "toot-101 BT", as players write without a mail to answer. Returns nothing for other commands.
std::optional<std::string> find_board_action(const std::string& line,
                                             const std::optional<BoardKey>& key) {
  std::string_view rest = line;
  const std::string first = lower(take_word(rest));
  if (!key) return is_command(line) ? std::nullopt : std::optional(line);
  bool here = read_board_id(first) == key;
  std::string act;
  if (find_game(first) == key->game) {
    std::string number(take_word(rest));
    if (is_one_of(number, {"move", "mvoe", "board"}) || is_board_action(number)) {
      if (is_board_action(number)) act = number + " ";
      number = take_word(rest);
    }
    here = number == std::to_string(key->number) || read_board_id(lower(number)) == key;
  }
  if (!here) return is_command(line) ? std::nullopt : std::optional(line);
  act += trim(rest);
  return act.empty() ? "show" : act;
}

// A connection to the server for one userid, or for none.
class UserConnection {
 public:
  // Sends `first`, which names the userid; "" for none.
  explicit UserConnection(const GatewayOptions& setup, const std::string& first = "")
      : client_(connect(setup)) {
    if (first.empty()) return;
    const Reply hello = ask(first);
    if (hello.is_busy) throw ServerUnavailable{hello.summary};
    if (!hello.ok) refusal_ = hello.summary;
  }
  const std::string& refusal() const { return refusal_; }
  Reply ask(const std::string& line) { return require_reply(client_.ask(line, kReplyTimeout)); }
  Reply ask(const Command& command) {
    Strings text;
    for (const std::string& line : command.text) text.push_back(" " + line);
    return require_reply(client_.ask(command.line, text, kReplyTimeout));
  }

 private:
  static SocketClient connect(const GatewayOptions& setup) {
    auto wire = SocketClient::connect(setup.server, kConnectTimeout);
    if (!wire) throw ServerUnavailable{wire.refusal().reason};
    return std::move(*wire);
  }
  static Reply require_reply(Result<Reply> reply) {
    if (!reply) throw ServerUnavailable{reply.refusal().reason};
    return std::move(*reply);
  }
  SocketClient client_;
  std::string refusal_;
};

// Handles one mail.
class MailHandler {
 public:
  // `which` identifies the mail in the state.
  MailHandler(const GatewayOptions& setup, const TokenMaker& tokens, MailState& state,
              const IncomingMail& mail, const std::string& which, Time now)
      : setup_(setup), tokens_(tokens), state_(state), mail_(mail), mail_key_(which), now_(now) {}

  // Reads and checks the tokens in the Subject and the addresses.
  void take_tokens() {
    subject_ = strip_subject_marks(mail_.subject);
    take_subject_token();
    for (const std::string& to : mail_.to)
      if (take_board_token(to)) break;
  }

  // Runs the commands of the mail and collects the replies. Pre: take_tokens().
  void run() {
    const bool script = equals_ignoring_case(subject_, "multiple");
    const bool own = subject_.empty() || is_own_subject(subject_);
    // A Subject that is no command belongs to a reply, or to a mail whose text has the command.
    const bool reads_text =
        !script && required_access({subject_}) == SenderAccess::unknown && (own || !board_token_);
    if ((script || (reads_text && own)) && !mail_.has_plain_text)
      return refuse(
          "Your mail has no plain text. Send it as plain text, or write the command in the "
          "Subject.");
    if (!own && reads_text) unknown_subject_ = subject_;
    std::vector<Command> commands = script || reads_text ? read_commands(mail_.lines, script)
                                                         : std::vector<Command>{{subject_}};
    if (commands.empty()) commands.emplace_back();
    if (commands.size() > kMaxCommands) {
      commands.resize(kMaxCommands);
      refuse("We run at most " + std::to_string(kMaxCommands) + " commands of one mail.");
    }
    const auto give_up = std::chrono::steady_clock::now() + kMaxRunTime;
    for (const Command& command : commands) {
      if (std::chrono::steady_clock::now() > give_up) {
        refuse("Your mail took too long, so we left out its other commands. Write them again.");
        break;
      }
      run_command(command);
    }
    if (reads_text && not_understood_.empty() && read_commands(mail_.lines, true).size() > 1)
      reply_text_ +=
          "\nWe read only the first line. To add words to a move, write: MOVE : your words\n";
  }

  bool is_proved() const { return !subject_userid_.empty() || !board_userid_.empty(); }
  const std::string& used_token() const { return used_token_; }
  std::size_t command_count() const { return command_count_; }
  std::size_t refusal_count() const { return refusal_count_; }
  // Returns the mail with the replies. Pre: run().
  OutgoingMail make_answer() {
    std::vector<MailBoard> boards;
    const std::string who = has_bad_token_ && board_userid_.empty() ? ""
                            : !subject_userid_.empty()              ? subject_userid_
                            : !board_userid_.empty()                ? board_userid_
                                                                    : confirmed_userid_;
    const bool refused = command_count_ == 1 && refusal_count_ == 1;
    const std::string sorry = "we could not do that";
    std::string subject = !not_understood_.empty() && command_count_ == 1
                              ? "Re: " + not_understood_
                              : kSubjectPrefix + (refused ? sorry : "the answer to your mail");
    auto board = reply_board_ && !who.empty() ? find_board(*reply_board_) : std::nullopt;
    if (board && !board->has_player(who) && who != board_userid_) board.reset();
    if (board) {
      boards.push_back({board->id, std::to_string(board->ply_count + 1) + "-" +
                                       std::to_string(board->entry_count)});
      state_.store_latest(board->id + "." + who, boards[0].stamp);
      subject = board->headline(who);
      if (refused) subject.replace(subject.find(": ") + 2, std::string::npos, sorry);
    }
    OutgoingMail out = make_mail(setup_, tokens_, who, mail_.from, boards, subject, now_);
    if (!mail_.id.empty()) {
      out.references.push_back(mail_.id);
      out.in_reply_to = mail_.id;
    }
    out.is_reply = true;
    out.text = reply_text_ + "\n" + reply_instructions(who, board);
    return out;
  }

 private:
  void take_subject_token() {
    const std::size_t open = subject_.rfind('[');
    if (open == std::string::npos || !subject_.ends_with(']')) return;
    const auto token =
        read_token(std::string_view(subject_).substr(open + 1, subject_.size() - open - 2));
    if (!token) return;
    subject_ = strip_subject_marks(subject_.substr(0, open));
    has_bad_token_ = !tokens_.is_valid(*token, mail_.from) || !is_stamp_valid(token->stamp, now_) ||
                     (state_.is_token_used(token->text()) && !is_redelivery(*token)) ||
                     !is_present_address(token->holder);
    if (has_bad_token_) return;
    subject_userid_ = token->holder;
    subject_token_ = token->text();
  }

  // Reads a token of a board from an address into board_token_. Returns false if there is none.
  bool take_board_token(const std::string& to) {
    const std::size_t plus = to.find('+');
    if (normalize_mailbox(to) != normalize_mailbox(setup_.address) || plus == std::string::npos)
      return false;
    const auto token = read_token(to.substr(plus + 1, to.rfind('@') - plus - 1));
    const auto ply =
        read_whole_number<std::size_t>(token ? token->stamp.substr(0, token->stamp.find('-')) : "");
    if (!ply) return false;
    board_token_ = token;
    board_ply_ = *ply;
    const std::size_t dot = token->holder.find('.');
    board_key_ = read_board_id(token->holder.substr(0, dot));
    const std::string userid = dot == std::string::npos ? "" : token->holder.substr(dot + 1);
    if (!tokens_.is_valid(*token, mail_.from) || !is_present_address(userid)) return true;
    const auto is_next = [&] {
      const auto board = board_key_ ? find_board(*board_key_) : std::nullopt;
      return board && board_ply_ == board->ply_count + 1;
    };
    // Ply 0 allows only unsubscribing, whatever was played since. A mail that is delivered again
    // keeps the rights that it had. The latest mail about a board keeps a few.
    const bool whole = board_ply_ == 0 || is_redelivery(*token) || is_next();
    is_past_turn_ = !whole && state_.is_latest(token->holder, token->stamp);
    if (whole || is_past_turn_) board_userid_ = userid;
    return true;
  }

  void run_command(const Command& command) {
    if (run_board_action(command)) return;
    const SenderAccess by = required_access(command);
    if (by == SenderAccess::unknown && !board_token_) return refuse_unknown(command.line);
    if (has_bad_token_ && by != SenderAccess::anybody)
      return refuse(
          "The code in your mail is not valid. It went to another address, was used, is older than "
          "a week, or the game has moved on. Reply to our latest mail about the game. "
          "If you have none, write userid in the Subject: we mail you a new code.");
    const Strings said = command_words(command.line);
    if (is_one_of(said[0], {"userid", "forgotten"}))
      return add_reply(anonymous_connection().ask("forgotten " + mail_.from));
    if (!subject_userid_.empty() && by != SenderAccess::nobody) return run_proved_command(command);
    if (is_one_of(said[0], {"signup", "add"})) return sign_up(said);
    if (is_one_of(said[0], {"confirm"})) return confirm_address(said);
    if (by == SenderAccess::anybody)
      return add_reply(remove_owner_help(anonymous_connection().ask(command.line)));
    if (by == SenderAccess::nobody) return refuse("There is no such command by mail.");
    // A password cannot start games: that needs a connection for the userid.
    if (setup_.accepts_passwords && !starts_game(said))
      return add_reply(run_once(anonymous_connection(), {command.line}));
    refuse(
        "Prove who you are. A From address is no proof. Reply to a "
        "mail of ours and keep the code in its Subject. If you have none, write userid in the "
        "Subject: we mail you a code.");
  }

  // Answers a line that is no command. Quotes the Subject if that is no command either, but no word
  // that may be a password: only the first word, and the next one after a game.
  void refuse_unknown(const std::string& line) {
    const Strings words = split_words(unknown_subject_.empty() ? line : unknown_subject_);
    const bool is_old_subject =
        words.size() == 3 && is_one_of(words[0], {"broadcast"}) && is_one_of(words[1], {"from"});
    const std::size_t quoted = is_old_subject ? 3 : !words.empty() && find_game(words[0]) ? 2 : 1;
    not_understood_ = fit(join_words(words, 0, quoted), 60);
    if (words.size() > quoted) not_understood_ += " ...";
    const std::string game(all_games().front().name);
    refuse((words.empty() ? "Your mail has no command."
                          : "We did not understand \"" + not_understood_ + "\".") +
           " A command stands in the Subject or in the first line, for example: games, help " +
           game + ", " + game + " challenge wilma.");
    reply_text_ += "Reply with help for the list.\n";
  }

  // Runs an action on the board of the answered mail: "BT", "resign", "toot move 101 BT".
  // Returns false if the command is something else.
  bool run_board_action(const Command& command) {
    if (!board_token_) return false;
    const auto line = find_board_action(std::string(trim(command.line)), board_key_);
    if (!line) return false;
    const Strings said = command_words(*line);
    const std::string verb = said.empty() ? "chat" : lower(said[0]);
    if (board_userid_.empty() || (board_ply_ == 0 && verb != "unsubscribe") ||
        (is_past_turn_ && !is_one_of(verb, {"show", "chat", "say", "unsubscribe"}))) {
      has_bad_token_ = true;
      if (is_past_turn_) board_userid_.clear();
      return false;
    }
    UserConnection& talk = connection_for(board_userid_);
    reply_board_ = board_key_;
    if (line->empty()) {
      refuse("Your mail has no move. Write the move in the first line, above the quotation.");
      return true;
    }
    if (!is_board_action(verb) && is_misspelt_command(verb)) {
      refuse_unknown(*line);
      return true;
    }
    const bool shows = verb == "show";
    const Command ask{server_command(verb, *line), shows ? Strings{} : command.text};
    // A move names its ply.
    const bool moves =
        board_key_ && ask.line.starts_with(std::string(board_key_->game->name) + " move ");
    const Reply reply = run_once(talk, ask, board_token_->text(), shows || moves);
    const bool misread = !reply.ok && moves && !is_board_action(verb);
    if (misread)
      reply_text_ += "We looked for your move in this line: " + fit(*line, 60) +
                     "\nWrite the move alone in the first line of your reply.\n\n";
    add_reply(reply);
    // Not on the player's connection: the server would take that for an action of the player.
    if (!reply.ok && board_key_)
      if (const Reply shown = anonymous_connection().ask(server_command("show", "")); shown.ok)
        for (const std::string& each : shown.lines) reply_text_ += safe_text(each) + "\n";
    return true;
  }

  // Returns the server's command for an action.
  std::string server_command(const std::string& verb, const std::string& line) {
    if (verb == "unsubscribe")
      return "set notices " + (board_key_ ? board_key_->id() + " " : "") + "never";
    const std::string game(board_key_->game->name), number = std::to_string(board_key_->number);
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
    if (verb == "show") return game + " showas " + board_userid_ + " " + number;
    if (verb == "refuse" || verb == "rematch") return game + " " + verb + " " + number + text;
    // Names the state of the board, so that the server refuses the move if that has changed.
    return game + " move " + number + " " + before +
           (before.find('#') == std::string::npos ? "#" + board_token_->stamp : "") + text;
  }

  // Runs a command for the userid that the Subject's token proves.
  void run_proved_command(const Command& command) {
    const Strings said = command_words(command.line);
    used_token_ = subject_token_;
    const Reply reply = run_once(connection_for(subject_userid_), command, subject_token_,
                                 required_access(command) == SenderAccess::anybody);
    add_reply(reply);
    // From now on answers to the mail are about this board.
    const GameType* const game = find_game(said[0]);
    if (game && reply.ok)
      for (const std::string& word :
           split_words(starts_game(said) ? reply.summary : join_words(said, 1, 2)))
        if (const auto number = read_board_number(word); !reply_board_)
          reply_board_ = number ? BoardKey{game, *number} : read_board_id(lower(word));
  }

  // Registers a userid with the address of this mail, which stays unconfirmed until its code
  // arrives.
  void sign_up(const Strings& said) {
    if (said.size() < 2) return refuse("Write: signup userid [password]");
    const std::string password = said.size() > 2 ? said[2] : random_word(32);
    Reply reply =
        run_once(anonymous_connection(), {"signup " + said[1] + " " + password + " " + mail_.from});
    // The player may have signed up before and lost the mails.
    if (!reply.ok && anonymous_connection().ask("forgotten " + mail_.from).ok)
      reply.summary += " If you signed up before, we mail your userid to your address.";
    add_reply(reply);
  }

  // Confirms an address. A code proves only that its reader has the address; it allows nothing
  // else.
  void confirm_address(const Strings& said) {
    const std::size_t at = said.size() > 1 && equals_ignoring_case(said[1], "address") ? 2 : 1;
    if (said.size() != at + 2) return refuse("Write: confirm userid code");
    const std::string userid = lower(said[at]);
    if (!UserConnection(setup_, "as " + userid + " " + mail_.from + " " + said[at + 1])
             .refusal()
             .empty())
      return refuse(
          "This does not confirm your address. For another code, write userid in the Subject, at "
          "most once an hour. If you have confirmed another address before, write from there: "
          "change address");
    confirmed_userid_ = userid;
    add_reply(Reply("The address of " + userid + " is " + mail_.from + "."));
  }

  UserConnection& connection_for(const std::string& userid) {
    const auto found = connections_.find(userid);
    return found != connections_.end()
               ? found->second
               : connections_
                     .emplace(userid, UserConnection(setup_, "as " + userid + " " + mail_.from))
                     .first->second;
  }

  UserConnection& anonymous_connection() {
    return connections_.try_emplace("", setup_).first->second;
  }

  // Runs a command only once even if the mail is delivered again: then returns the stored reply.
  // `proof`: the token, or "". `harmless`: the command may run again if its reply was lost.
  Reply run_once(UserConnection& talk, const Command& command, const std::string& proof = "",
                 bool harmless = false) {
    const std::string step = step_key(proof, ++step_counts_[proof]),
                      known = state_.stored_answer(step).value_or(""),
                      unknown = frame_reply(
                          Refusal{"The server stopped before it answered command " +
                                  std::to_string(command_count_ + 1) +
                                  " of your mail. We do not know if it was done. Check, and write "
                                  "it again if it was not."});
    if (!known.empty() && !(harmless && known == unknown)) {
      WireReader kept;
      static_cast<void>(kept.add_bytes(known));
      return kept.take_reply();
    }
    state_.store_answer(step, unknown, used_token_, "", false);
    Reply reply = talk.ask(command);
    state_.store_answer(step, reply.is_busy ? "" : frame_reply(reply), used_token_, "", false);
    // An overloaded server refuses connections; the mail waits in the mail system's queue.
    if (reply.is_busy) throw ServerUnavailable{reply.summary};
    return reply;
  }
  std::string step_key(const std::string& proof, std::size_t step) const {
    return mail_key_ + "\n" + proof + "\n" + std::to_string(step);
  }
  // True if this mail was delivered before and its first step for the token is stored.
  bool is_redelivery(const Token& token) {
    return state_.stored_answer(step_key(token.text(), 1)).has_value();
  }
  // True if the mail comes from the userid's present address. Tokens for an earlier address are
  // worthless.
  bool is_present_address(const std::string& userid) {
    return connection_for(userid).refusal().empty();
  }

  std::optional<BoardSummary> find_board(const BoardKey& key) {
    const Reply reply = anonymous_connection().ask(std::string(key.game->name) + " info " +
                                                   std::to_string(key.number));
    return reply.ok && !reply.lines.empty() ? decode_board(reply.lines[0], "") : std::nullopt;
  }

  void add_reply(const Reply& reply) {
    ++command_count_;
    refusal_count_ += !reply.ok;
    if (!reply_text_.empty()) reply_text_ += "\n";
    for (const std::string& line :
         wrap((reply.ok ? "" : "Refused: ") + safe_text(reply.summary), 72))
      reply_text_ += line + "\n";
    if (!reply.lines.empty()) reply_text_ += "\n";
    for (std::size_t i = 0; i < std::min(reply.lines.size(), kMaxLinesOut); ++i)
      reply_text_ += safe_text(reply.lines[i]) + "\n";
  }

  // Answers a command that did not reach the server.
  void refuse(const std::string& why) {
    add_reply(Reply(why));
    ++refusal_count_;
  }

  const GatewayOptions& setup_;
  const TokenMaker& tokens_;
  MailState& state_;
  const IncomingMail& mail_;
  const std::string& mail_key_;
  std::map<std::string, std::size_t> step_counts_;  // number of commands so far, by token
  Time now_;
  std::map<std::string, UserConnection> connections_;
  std::optional<Token> board_token_;
  std::optional<BoardKey> board_key_;          // of board_token_; nothing if it is for all boards
  std::size_t board_ply_ = 0;                  // of board_token_
  std::string subject_userid_, board_userid_;  // proved by the Subject's token; by board_token_
  std::string confirmed_userid_;               // the userid whose address the mail confirmed
  bool has_bad_token_ = false;                 // true if a token is invalid
  bool is_past_turn_ = false;  // board_token_ is of an earlier turn, but the mail is the latest
  std::string subject_, subject_token_, used_token_, reply_text_;
  std::string unknown_subject_, not_understood_;  // a Subject that is no command; what is quoted
  std::optional<BoardKey> reply_board_;
  std::size_t command_count_ = 0, refusal_count_ = 0;
};

// True for a quoted line.
bool is_quoted(const std::string& line) { return trim(line).starts_with('>'); }

// Returns how many lines at the end of the paragraph at `from` attribute the quotation below it, as
// "On Monday fred wrote:". There are two if the last line has no digits and continues a longer one.
// A line with " : " is the author's own.
std::size_t count_attribution_lines(const Strings& lines, std::size_t from) {
  std::size_t end = from;
  while (end < lines.size() && !trim(lines[end]).empty() && !is_quoted(lines[end])) ++end;
  std::size_t below = end;
  while (below < lines.size() && trim(lines[below]).empty()) ++below;
  const auto own = [&](std::size_t i) { return lines[i].find(" : ") != std::string::npos; };
  if (end == from || below == lines.size() || !is_quoted(lines[below]) ||
      !trim(lines[end - 1]).ends_with(':') || own(end - 1))
    return 0;
  const bool whole = end - from == 1 || std::ranges::any_of(lines[end - 1], is_digit) ||
                     split_words(lines[end - 2]).size() < 3 || own(end - 2);
  return whole ? 1 : 2;
}

// Runs the commands of a mail and stores the reply mail. Returns nothing if the address has had too
// many answers today.
std::optional<std::string> handle_mail(const GatewayOptions& setup, const TokenMaker& tokens,
                                       MailState& state, const IncomingMail& mail,
                                       const std::string& which, Time now) {
  MailHandler visit(setup, tokens, state, mail, which, now);
  visit.take_tokens();
  // The commands may use up what proves the author.
  const bool proved = visit.is_proved();
  if (!state.can_answer(mail.from, proved)) {
    setup.log("dropped a mail from " + mail.from + ": it got too many answers today");
    return std::nullopt;
  }
  visit.run();
  std::string out = to_string(visit.make_answer());
  state.store_answer(which, out, visit.used_token(), mail.from, proved);
  setup.log("a mail from " + mail.from + " has " +
            format_count(visit.command_count(), "command", "commands") + ", " +
            std::to_string(visit.refusal_count()) + " refused");
  return out;
}

}  // namespace

bool is_own_subject(std::string_view subject) {
  static const std::regex form("pbmplay|(^| )[a-z]+ [0-9]+: ", std::regex::icase);
  return std::regex_search(std::string(subject.substr(0, 200)), form);
}

std::string strip_subject_marks(std::string_view subject) {
  // The last words are Chinese, as is the last colon. A token has dots.
  static const std::regex mark(
      "(?:>|\\*\\*|\\[[^\\].]*\\]|(?:re|aw|antw|sv|vs|tr|rif|r|res|odp|ynt|wg|fwd?|"
      "\xE5\x9B\x9E\xE5\xA4\x8D|\xE5\x9B\x9E\xE8\xA6\x86|\xE7\xAD\x94\xE5\xA4\x8D|"
      "\xE8\xBD\xAC\xE5\x8F\x91|\xE8\xBD\x89\xE5\xAF\x84) *(?:[[(^]\\d+[\\])]?)? *"
      "(?::|\xEF\xBC\x9A)) *",
      std::regex::icase);
  std::string_view rest = trim(subject);
  for (std::cmatch found;
       std::regex_search(rest.data(), rest.data() + std::min<std::size_t>(rest.size(), 100), found,
                         mark, std::regex_constants::match_continuous);)
    rest.remove_prefix(static_cast<std::size_t>(found.length()));
  while (rest.ends_with("**")) rest = trim(rest.substr(0, rest.size() - 2));
  return std::string(rest);
}

std::vector<Command> read_commands(const Strings& lines, bool script) {
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
    if (const std::size_t n = count_attribution_lines(lines, paragraph); n > 0 && i + n >= end) {
      if (!out.empty()) break;
      i = end - 1;
      continue;
    }
    if (lines[i].starts_with(' ') && !out.empty()) out.back().text.push_back(line);
    else if (out.empty() || script) out.push_back({strip_subject_marks(line)});
    else break;
  }
  return out;
}

int answer_mail(const GatewayOptions& setup, std::string_view bytes) {
  const Time now = pbm::now();
  const IncomingMail mail = parse_mail(bytes, setup.address);
  const std::string from = mail.from.empty() ? "nobody" : mail.from;
  if (!mail.refusal.empty()) {
    setup.log("dropped a mail from " + from + ": " + mail.refusal);
    return kDone;
  }
  const TokenMaker tokens(setup.state_directory / "key");
  MailState state(setup.state_directory, now);
  const std::string which =
      mail.from + " " + (mail.id.empty() ? tokens.compute_mac(std::string(bytes)) : mail.id);
  auto out = state.stored_answer(which);
  if (out && out->empty()) {
    setup.log("dropped a mail from " + from + ": it was answered already");
    return kDone;
  }
  try {
    if (!out) out = handle_mail(setup, tokens, state, mail, which, now);
  } catch (const ServerUnavailable& away) {
    setup.log("could not answer a mail from " + from + " yet: " + away.reason);
    return kTryAgain;
  }
  if (!out) return kDone;
  if (const auto sent = send_mail(setup, mail.from, *out); !sent) {
    setup.log("could not send the answer to " + from + " yet: " + sent.refusal().reason);
    return kTryAgain;
  }
  try {
    state.mark_sent(which);
  } catch (const Error& error) {
    // The disk is full. To try again would send the answer again.
    setup.log("answered " + from + ", but could not note that: " + error.what());
  }
  return kDone;
}

}  // namespace pbm::mail
