// SPDX-License-Identifier: MIT
#include "server/hash_queue.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxWait = 8;  // seconds; clients wait longer than that
constexpr std::chrono::minutes kRemembered{1};
constexpr std::size_t kSlips = 2;             // wrong passwords that count as typing mistakes
constexpr std::size_t kMaxPrograms = 10'000;  // remembered for one source

// Compares waiting jobs by the age of their connections.
constexpr auto older = [](const auto& a, const auto& b) { return a.job->session < b.job->session; };

}  // namespace

std::chrono::seconds wait_after(std::size_t wrong) {
  if (wrong == 0) return std::chrono::seconds(0);
  return std::chrono::seconds(
      std::min<std::size_t>(kMaxWait, std::size_t{1} << std::min<std::size_t>(wrong - 1, 10)));
}

std::uint64_t HashQueue::add(const std::string& guesser, bool fresh, std::unique_ptr<HashJob> job) {
  std::vector<Waiting>& waiting = guessers_[guesser].waiting;
  waiting.push_back({fresh, std::move(job)});
  if (waiting.size() <= kMaxWaiting) return 0;
  // Drops the last job that is not fresh; otherwise one of middle age, as the oldest and the newest
  // get their turns next.
  const auto stale =
      std::find_if(waiting.rbegin(), waiting.rend(), [](const Waiting& w) { return !w.fresh; });
  auto out = waiting.begin() + static_cast<std::ptrdiff_t>(waiting.size() / 2);
  if (stale != waiting.rend()) out = stale.base() - 1;
  else std::nth_element(waiting.begin(), out, waiting.end(), older);
  const std::uint64_t session = out->job->session;
  waiting.erase(out);
  return session;
}

void HashQueue::leave(std::uint64_t session) {
  for (auto& [name, guesser] : guessers_)
    std::erase_if(guesser.waiting, [&](const Waiting& w) { return w.job->session == session; });
}

// Takes in turn the newest connection, which need not wait behind a crowd, and the oldest, so that
// everybody gets a turn. Every fourth turn is for one that guessed wrong. A flood can fill only one
// of these three.
std::unique_ptr<HashJob> HashQueue::pick(Guesser& guesser) {
  std::vector<Waiting>& waiting = guesser.waiting;
  const auto stale = std::stable_partition(waiting.begin(), waiting.end(),
                                           [](const Waiting& w) { return w.fresh; });
  const std::size_t turn = guesser.turns++ % 4;
  auto chosen = stale;
  if (stale != waiting.begin() && (stale == waiting.end() || turn != 2))
    chosen = turn % 2 == 1 ? std::max_element(waiting.begin(), stale, older)
                           : std::min_element(waiting.begin(), stale, older);
  auto job = std::move(chosen->job);
  waiting.erase(chosen);
  if (waiting.empty()) guesser.turns = 0;
  return job;
}

// Takes in turn the next source in order, and the next of those with the fewest wrong passwords.
// An attacker with a thousand addresses then does not get every turn.
std::unique_ptr<HashJob> HashQueue::take(Moment now) {
  const bool in_order = turns_ % 2 == 0;
  auto chosen = guessers_.end(), at = guessers_.upper_bound(last_);
  for (std::size_t i = 0; i < guessers_.size(); ++i, ++at) {
    if (at == guessers_.end()) at = guessers_.begin();
    if (at->second.waiting.empty() || at->second.not_before > now) continue;
    if (chosen == guessers_.end() || at->second.wrong < chosen->second.wrong) chosen = at;
    if (in_order) break;
  }
  if (chosen == guessers_.end()) return nullptr;
  ++turns_;
  last_ = chosen->first;
  auto job = pick(chosen->second);
  if (chosen->second.waiting.empty() && chosen->second.wrong == 0) guessers_.erase(chosen);
  return job;
}

std::optional<Moment> HashQueue::due() const {
  std::optional<Moment> out;
  for (const auto& [name, guesser] : guessers_)
    if (!guesser.waiting.empty() && (!out || guesser.not_before < *out)) out = guesser.not_before;
  return out;
}

void HashQueue::wrong(const std::string& name, Moment now, pid_t program) {
  std::erase_if(guessers_, [&](const auto& g) {
    return g.second.waiting.empty() && g.second.last_wrong + kRemembered < now;
  });
  Guesser& guesser = guessers_[name];
  if (guesser.last_wrong + kRemembered < now) {
    guesser.wrong = 0;
    guesser.programs.clear();
  }
  if (guesser.programs.size() >= kMaxPrograms) guesser.programs.clear();
  if (program > 0) ++guesser.programs[program];
  guesser.last_wrong = now;
  const auto pause =
      std::min<std::chrono::milliseconds>(kMaxPause, ++guesser.wrong * kPauseForEach);
  guesser.not_before = now + pause;
}

bool HashQueue::guesses(const std::string& name, pid_t program) const {
  const auto guesser = guessers_.find(name);
  if (guesser == guessers_.end()) return false;
  const auto wrong = guesser->second.programs.find(program);
  return wrong != guesser->second.programs.end() && wrong->second > kSlips;
}

}  // namespace pbm
