// SPDX-License-Identifier: MIT
// The service every front end uses: boards, and the server they are on. Implemented by a directory
// of saves (local_boards.hpp), by a connection to a server (remote_boards.hpp), by a server and a
// directory together (combined_boards.hpp), and around a directory by what is done there besides
// (computer_boards.hpp). Leaves keys and pictures to its callers and rules to
// the match.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "game/analysis.hpp"
#include "game/openings.hpp"
#include "protocol/board_summary.hpp"
#include "protocol/chat.hpp"
#include "protocol/people.hpp"

namespace pbm {

class ExerciseSession;

// A board as it was last seen.
struct Board {
  std::string id;  // what open() takes: "toot-101", or a file's path
  Match match;
  std::string warning;  // a sentence about what its file needed, or ""

  // Of a board on a server:
  struct Remote {
    std::optional<Seat> mine;        // the seat of whoever is connected; nothing: he only watches
    std::size_t watching = 0;        // how many do, besides the players
    bool watches = false;            // whoever is connected is one of them
    std::string queued = {};         // a sentence about what he has queued, or ""
    std::optional<char> field = {};  // which drawing he has chosen of a game with several
    BoardClock clock = {};           // while it runs
    std::string answers = {};        // of what he has queued, a tree of them, or ""
    std::size_t unread = 0;          // lines said there that he has not read
  };
  std::optional<Remote> remote = {};  // nothing: all seats are at one keyboard

  // A lesson or a puzzle (exercises.hpp), by which plies are judged; or null.
  std::shared_ptr<ExerciseSession> exercise = {};

  // What can be done here; screens ask this, and not where the board is kept. Whether every seat is
  // played from here, so that taking back needs nobody's leave.
  bool shared() const { return !remote; }
  // Whether there are others to talk to, to watch, and to queue a ply behind theirs.
  bool has_others() const { return remote.has_value(); }
  // Which drawing to show where `usual` is the one that is shown in general.
  char field(char usual) const { return remote ? remote->field.value_or(usual) : usual; }

  // Whether others play by themselves, here or elsewhere, so that their plies come unasked.
  bool has_opponents() const { return remote || match.has_computer(); }

  // Who means what is typed here; nothing when nobody here may play. Where it is the computer's
  // turn it is the next person.
  std::optional<Seat> acting_seat(std::string_view typed) const;
};

// What somebody typed on a board.
struct MoveRequest {
  std::optional<Seat> seat;  // who did; nothing: Match::acting_seat() says it
  std::string typed;
  std::optional<std::size_t> note_on = {};  // it is a note on that ply
};

// What came from a server by itself, in words for the person, harmless to any terminal.
struct Notification {
  enum class Kind : std::uint8_t {
    talk,        // somebody said it
    ply,         // something was done on a board, which shows it
    offer,       // something was offered there, or such an offer answered
    turn,        // it is one's turn there now
    board,       // anything else about a board: a challenge, who watches
    connection,  // lost, back, and what became of a ply meanwhile
    gone,        // that board is not there any more
  };
  Kind kind = Kind::talk;
  std::string board;  // the board it is about, or ""
  std::string text;   // "wilma: have fun"
  bool own = false;   // said from here
};

// What a server has beside boards. This class itself is what stands in its place for boards in a
// directory: nobody is there, nothing ever comes, and what is asked is refused.
class Server {
 public:
  virtual ~Server() = default;

  // Whether there is somebody to take lines of the command language; then players are userids.
  virtual bool takes_commands() const { return false; }
  // Who is connected; "" until somebody has signed in.
  virtual std::string user() const { return ""; }
  // What came since the last call, the oldest first.
  virtual std::vector<Notification> take_news() { return {}; }
  // The last lines that were said, at most 200, the latest last.
  virtual std::vector<std::string> talk() { return {}; }
  // How many boards wait for whoever is connected, `but` not counted.
  virtual std::size_t waiting(const std::string& /*but*/) { return 0; }
  // Why whoever was signed in has to sign in again, told once each time; "" for no reason. What he
  // has typed stays, and so does what is pending.
  virtual std::string take_sign_out() { return ""; }
  // Why the server does not let in the person this program was started for; "" while it may.
  virtual std::string turned_away() const { return ""; }
  // A few words while there is no connection, else "".
  virtual std::string trouble() const { return ""; }
  // A ply whose answer was lost with the connection is sent again when that is back. Whether there
  // is one for this board; and how to have it sent no more.
  virtual bool pending(const std::string& /*id*/) const { return false; }
  virtual void forget(const std::string& /*id*/) {}

  // By userid: those who are here, and all others that were asked for
  // (look_around).
  virtual std::vector<Person> people() const { return {}; }
  // Whether the list has boards that only others play on.
  virtual bool shows_others() const { return false; }

  // Whether something that the person wants (Boards::ask) has no answer yet; and how to wait
  // for it no longer: then it is refused.
  virtual bool asking() const { return false; }
  virtual void give_up() {}

  // What it says to a line: lines of it are harmless.
  struct Answer {
    std::string summary;
    std::vector<std::string> lines;
    std::string board = {};  // the one that something was done on, or ""
    // All of it, to read.
    std::string text() const {
      std::string out = summary;
      for (const std::string& line : lines) out += "\n" + line;
      return out;
    }
  };

  // All below waits for the server's answer, and is refused while there is no connection. Boards
  // whose screen does not wait do it by Boards::ask() alone.

  // Both answer with what the server says: "Hello, fred: 2 boards wait for you."
  virtual Result<std::string> sign_in(const std::string& user, const std::string& password);
  virtual Result<std::string> sign_up(const std::string& user, const std::string& password);

  // Sends a line of the command language.
  virtual Result<Answer> command(std::string_view line);

  // Asks anew who is here and who seeks a player. `all`: everybody with a userid, too; `others`:
  // from now on the list has the boards of others that run.
  virtual Result<Done> look_around(bool all, bool others);

  // A challenge to the same once more, with the seats swapped. Refuses what the server refuses.
  virtual Result<Board> rematch(const Board& board);

  // What was said on a board of the server, behind the line of that number; then it counts as read.
  // Refuses where the server keeps nothing of it.
  virtual Result<std::vector<ChatLine>> said_on(const std::string& id, std::size_t behind);

  // On a board of the server. chat() says something to all there; watch() begins to watch it, or
  // ends; queue() has a move played when one's turn comes ("none" forgets it, "" asks for it). All
  // answer with what the server says.
  virtual Result<std::string> chat(const std::string& id, std::string_view text);
  virtual Result<std::string> watch(const std::string& id, bool on);
  virtual Result<std::string> queue(const Board& board, std::string_view move);
};

// Held by whoever waits for an answer. Once it is let go of, nobody is told the answer.
using Ticket = std::shared_ptr<const void>;

// Who waits for an answer: a person, or only a picture that shows an older one meanwhile.
enum class Haste : std::uint8_t { person, picture };

class Boards;
class ComputerBoards;

// Before the names of one's own boards where a server's are, too.
inline constexpr std::string_view kOwnBoards = "own:";

// That match, all of a board or a part of it, as it is copied from there: of a server's board that
// runs it has the origin.
Match copied_from(const Board& board, const std::string& place, Match match);

class Boards {
 public:
  virtual ~Boards() = default;

  // The server the boards are on, or what is in its place.
  virtual Server& server();

  // The computer (computer_boards.hpp), or null where it never plays.
  virtual ComputerBoards* computers() { return nullptr; }

  // Has something done that may take its time and concerns the board `board`, or "" for what is a
  // matter of the server, whichever board is looked at. `work` is given the boards to do it on. The
  // function it returns is called before ask() returns, which returns null then, or else by
  // take_changes(), if the ticket is still held. Here it is done at once.
  using Then = std::function<void()>;
  using Work = std::function<Then(Boards&)>;
  [[nodiscard]] virtual Ticket ask(const std::string& board, Work work, Haste = Haste::person);

  // Every board: those in play first, the latest changed first; then finished, unreadable ones and
  // examples.
  virtual std::vector<BoardSummary> list() = 0;

  // rename() gives a board another name and returns its new id; it refuses a name that is taken or
  // cannot be one. remove() puts a board away, and restore() brings it back. All three are for
  // files: for a server's boards they refuse.
  virtual Result<std::string> rename(const std::string& id, const std::string& name);
  virtual Result<Done> remove(const std::string& id);
  virtual Result<Done> restore(const std::string& id);

  // Counts the games among one's own files that are over and of that game; says so if these are
  // too many to be read.
  virtual void add_own_games(Openings& /*openings*/) {}

  // A descriptor that becomes readable when anybody may have changed a board; -1 where nothing can
  // be watched.
  virtual int changes() = 0;
  // Takes in what has changed. False when nothing has.
  virtual bool take_changes() = 0;

  // Where the boards are kept, for people: a directory, or a server's address.
  virtual std::string place() const = 0;

  // Refuses an unknown id and what the file's loader refuses.
  virtual Result<Board> open(const std::string& id) = 0;

  // A new board, kept before it is returned. Refuses what Match::start() does.
  virtual Result<Board> create(const GameType& game, const Options& options,
                               const std::vector<std::string>& names) = 0;

  // A new board on which the same was done as on `match`.
  virtual Result<Board> keep(const Match& match) = 0;

  // Does what was typed, all of it or nothing, and has it kept before `board` shows it. A refusal's
  // `at` counts from the beginning of the text that was wrong. When somebody else has played on the
  // board meanwhile nothing is done: `board` becomes the newer one, and the refusal says so.
  virtual Result<Done> play(Board& board, const std::vector<MoveRequest>& turns) = 0;

  // Gives a seat to the computer at that level, or with 0 to a person; kept before `board` shows
  // it. Refuses a board that is not one's own.
  virtual Result<Done> set_computer(Board& board, Seat seat, int level);
};

// What `typed` asks for at a keyboard that all seats share, where taking back needs no leave.
std::vector<MoveRequest> turns_at_one_keyboard(const Match& match, std::string_view typed);

// What is to be played on `match` to keep an analysis of it as notes.
std::vector<MoveRequest> as_notes(const Analysis& analysis, const Match& match);

// Why what was typed for the position of `seen` is not done on `now`: it tells what was done there
// meanwhile.
Refusal overtaken(const Match& seen, const Match& now);

// Judges the turns one after the other and does them on `match`; returns them as entries. Refuses
// the first one that may not be, with those before it done.
Result<std::vector<Action>> judge_turns(Match& match, const std::vector<MoveRequest>& turns);

}  // namespace pbm
