// SPDX-License-Identifier: MIT
// The computer's help at one board: hints, threats, and an analysis. Leaves permission to
// board_session.hpp, thinking to boards/, and display to the front ends.
#pragma once

#include "boards/analysis.hpp"
#include "boards/boards.hpp"
#include "ui/board_session.hpp"
#include "ui/advice.hpp"

namespace pbm {

// The computer's help for one board. Passes each result to a callback.
class BoardHelp {
 public:
  struct HelpResult {
    HelpKind kind;
    std::string message = {};  // a sentence, or ""
    bool is_refused = false;   // `message` is the reason of a refusal
    std::string ply = {};      // the ply of a hint, in its step
    // Returns the lines of a text to read; empty if there is none.
    std::function<std::vector<std::string>(int columns)> make_text = {};
  };
  using ResultHandler = std::function<void(const HelpResult&)>;
  // Calls `tell` with each result, at once or from take_changes(). Pre: all references outlive this
  // object.
  BoardHelp(BoardSession& session, Boards& boards, ResultHandler tell)
      : session_(session), boards_(boards), report_(std::move(tell)) {}

  // Starts to answer `about` for the position after `ply` plies. A hint goes one step on at each
  // call; if hints are refused but threats are allowed, it reports the threats and the reason. The
  // analysis continues where it stopped.
  void request(HelpKind about, std::size_t ply);

  // Calls `then` with a warning before a ply is played: it is a blunder (a loss of 30 % or more),
  // or a mistake from a proved position. Calls it with "" if there is nothing to warn of.
  void check_ply(const std::string& ply, std::function<void(const std::string&)> then);

  // Returns a sentence about the progress of a long request.
  std::string progress_text() const;
  // Returns the request that runs now, or nothing.
  std::optional<HelpKind> running_help() const;
  // Stops it and keeps its results. Returns a sentence about that, or "".
  std::string stop();
  // Drops hint and threats if they are about another position than the current one, or are not
  // allowed any more.
  void drop_outdated();

  // Returns the first square of the hinted ply after the hint's first step, else nothing.
  std::optional<SpotId> hint_spot() const { return hint_ ? hint_->first_spot() : std::nullopt; }
  // Returns the squares of the hint's reason after its last step, else nothing.
  std::vector<SpotId> reason_spots() const {
    return hint_ ? hint_->reason_spots() : std::vector<SpotId>{};
  }
  // Returns the sentence of the last hint step.
  const std::string& hint_text() const { return hint_text_; }
  bool has_hint() const { return hint_.has_value(); }
  bool is_hint_complete() const { return hint_ && hint_->is_complete(); }
  // Returns the last sentence of the help that is shown on `seen`: that of the threats, or the
  // reason of a complete hint; else "".
  std::string last_text(const Position& seen) const {
    const Threats* const threats = threats_for(seen);
    return threats ? threats->text : is_hint_complete() ? hint_text_ : "";
  }
  // Returns the threats if they are about `seen`, else null.
  const Threats* threats_for(const Position& seen) const {
    return threats_ && threats_->position == seen ? &*threats_ : nullptr;
  }
  // Drops hint and threats.
  void clear() {
    hint_.reset();
    threats_.reset();
  }

 private:
  void report_refusal(HelpKind about, const Refusal& why) { report_({about, why.reason, true}); }
  void request_hint();
  void report_hint();
  void request_threats(std::size_t ply, const std::string& behind = "");
  void request_analysis();
  Thinker::Handle start_thinking(HelpKind about, const Position& position, SearchRequest question,
                                 std::function<void(const SearchResult&)> then);
  void analyse(HelpKind about, const std::shared_ptr<Analysis>& into,
               const std::function<void()>& found);

  BoardSession& session_;
  Boards& boards_;
  ResultHandler report_;
  Thinker::Handle short_task_, long_task_;
  HelpKind short_task_kind_ = HelpKind::hint, long_task_kind_ = HelpKind::analysis;
  std::optional<Match> hint_match_;  // the match that the hint is about
  std::optional<Hint> hint_;
  std::string hint_text_;  // the sentence of the last hint step
  std::optional<Threats> threats_;
};

}  // namespace pbm
