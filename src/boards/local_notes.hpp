// SPDX-License-Identifier: MIT
// The user's private records about boards on a server: notes on plies, and chat. They stay on this
// computer. Leaves the boards themselves to the server.
#pragma once

#include <filesystem>
#include <span>

#include "boards/repository.hpp"

namespace pbm {

class LocalNotes {
 public:
  static constexpr std::size_t kMaxChatLines = 200;  // chat lines that chat_lines() returns

  // `directory` need not exist yet; if it is empty, nothing is kept.
  explicit LocalNotes(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Returns `match` with the notes kept for the board `id`, each at its place. If they cannot be
  // read, adds none and sets `warning` to the reason.
  Match with_notes(const std::string& id, Match match, std::string& warning) const;
  // Adds notes on plies to `match`, which has the earlier notes already, and keeps them; all or
  // none. Refuses what the match refuses, and if the kept notes cannot be read. Throws Error.
  Result<Success> add(const std::string& id, Match& match, const std::vector<MoveRequest>& turns);

  // A chat line on a board, or elsewhere if `board` is ""; the text is safe for a terminal.
  struct ChatEntry {
    std::string board, text;
    Time time;
  };
  // Adds chat lines to the file, of very many only the last. Skips those that another program of
  // the same person has just added. Throws Error.
  void add_chat(std::span<const ChatEntry> said);
  // Returns the last chat lines, the latest at the end.
  std::vector<std::string> chat_lines() const;

 private:
  std::filesystem::path notes_file(const std::string& id) const {
    return directory_ / (id + ".notes.yaml");
  }
  std::filesystem::path chat_file() const { return directory_ / "talk.yaml"; }

  std::filesystem::path directory_;
};

}  // namespace pbm
