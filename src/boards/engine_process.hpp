// SPDX-License-Identifier: MIT
// Another program that plays, asked over the Universal Game Interface
// (https://github.com/kz04px/cutegames). It is nobody's friend: it may hang, die, say nonsense or
// too much, and none of that does harm. Leaves whose seat it has to computer_attendant.hpp.
#pragma once

#include <sys/types.h>

#include "base/unique_fd.hpp"
#include "game/match.hpp"

namespace pbm {

class EngineProcess {
 public:
  // `command` is a program and its arguments, parted by blanks. Nothing is started yet.
  explicit EngineProcess(std::string command) : command_(std::move(command)) {}
  // Ends the program.
  ~EngineProcess() { end(); }
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  // What it plays where `match` stands, a legal ply. It gets the time of the question's limits, or
  // a second, and is started if need be. Waits for it; throws Error, with the program ended, when
  // it does not answer within five seconds more, or not as it should; at once on `dropped`.
  Thought think(const Match& match, const Question& question, const std::stop_token& dropped);

 private:
  void begin(const Match& match, int level);
  void play_at(int level);
  void end();
  void say(const std::string& line);
  // Lines up to the one that begins with `word`, which is the last. On `stop` it is told so.
  std::vector<std::string> hear(std::string_view word, std::chrono::milliseconds patience,
                                const std::stop_token& stop = {});
  [[noreturn]] void fail(const std::string& what);

  std::string command_;
  std::stop_token dropped_;
  UniqueFd socket_;
  pid_t process_ = 0;
  std::string in_;
  // What it was started for.
  const GameType* game_ = nullptr;
  Options options_;
  int seats_ = 0;
  std::optional<int> level_;  // that it was told; nothing where it has none
  std::string said_;          // of the position, last, and a blank
};

}  // namespace pbm
