// SPDX-License-Identifier: MIT
// What one keeps of one's own about boards on a server, on this side and never sent: notes on
// plies, and what was said there. Leaves the boards themselves to the server.
#pragma once

#include <filesystem>
#include <span>

#include "boards/repository.hpp"

namespace pbm {

class LocalNotes {
 public:
  static constexpr std::size_t kMaxTalk = 200;  // lines that can be read again

  // `directory` need not exist yet; an empty path keeps nothing.
  explicit LocalNotes(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // `match` with the notes kept for the board `id`, each where it was made. What cannot be read
  // adds nothing, and `warning` says why.
  Match with_notes(const std::string& id, Match match, std::string& warning) const;
  // Notes on plies of `match`, which has those before them: it has these, too, and they are kept,
  // all or none. Refuses what the match does, and where those kept already cannot be read; throws
  // Error.
  Result<Done> add(const std::string& id, Match& match, const std::vector<MoveRequest>& turns);

  // Something said on a board, or "" for none; harmless text.
  struct Said {
    std::string board, text;
    Time at;
  };
  // Keeps all of it at once, or of very much the last. What another program of the same person has
  // just kept is not kept twice. Throws Error.
  void keep_talk(std::span<const Said> said);
  // The last of it, a line each, the latest last.
  std::vector<std::string> talk() const;

 private:
  std::filesystem::path notes_file(const std::string& id) const {
    return directory_ / (id + ".notes.yaml");
  }
  std::filesystem::path talk_file() const { return directory_ / "talk.yaml"; }

  std::filesystem::path directory_;
};

}  // namespace pbm
