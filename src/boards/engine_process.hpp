// SPDX-License-Identifier: MIT
// Runs another program that plays, over the Universal Game Interface
// (https://github.com/kz04px/cutegames). The program is not trusted: it may hang, die, or write
// nonsense or too much. Leaves which seat it plays to computer_seats.hpp.
#pragma once

#include <sys/types.h>

#include <atomic>

#include "base/child_process.hpp"
#include "game/match.hpp"

namespace pbm {

class EngineProcess {
 public:
  // `command` is a program and its arguments, separated by blanks. Starts nothing yet.
  explicit EngineProcess(std::string command) : command_(std::move(command)) {}
  // Kills the program.
  ~EngineProcess() { kill(); }
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // Returns the program's ply in `match`, which is legal. It may use the time of the question's
  // limits, or a second; think() starts it if necessary, and waits each time up to two minutes
  // until it is ready. The question's stop, also one from before the start, asks it to play now.
  // If it does not answer within five seconds after that or its time, or wrongly, kills it and
  // throws Error; at once if `dropped` is requested.
  SearchResult think(const Match& match, const SearchRequest& question,
                     const std::stop_token& dropped);
  // Returns for how long the program has been getting ready; 0 if it is, or has not begun to. Safe
  // in other threads.
  std::chrono::nanoseconds time_getting_ready() const;

 private:
  void start(const Match& match, int level);
  void await_ready();
  void set_level(int level);
  void kill();
  void send_line(const std::string& line);
  // Reads lines up to one that begins with `word`, the last. Passes on `stop` to the program.
  std::vector<std::string> read_until(std::string_view word, std::chrono::milliseconds patience,
                                      const std::stop_token& stop = {});
  [[noreturn]] void fail(const std::string& what);

  std::string command_;
  std::atomic<SteadyTime> start_time_ = SteadyTime{};  // the default: it is not getting ready
  std::stop_token drop_token_;
  UniqueFd socket_;
  pid_t process_ = 0;
  GroupGuard guard_;  // of its process group
  std::string input_;
  // The variant for which it was started.
  const GameType* game_ = nullptr;
  Options options_;
  int seats_ = 0;
  std::optional<int> level_;   // the level last sent; nothing if the program has no such option
  std::string last_position_;  // the last position command, and a blank
};

}  // namespace pbm
