// SPDX-License-Identifier: MIT
#include "server/hash_queue.hpp"

#include <algorithm>

namespace pbm {
namespace {

constexpr std::size_t kMaxDelay = 8;  // seconds; clients wait longer than that
constexpr std::chrono::minutes kQuietTime{1};
constexpr std::size_t kMaxTypos = 2;           // wrong passwords that count as typing mistakes
constexpr std::size_t kMaxProcesses = 10'000;  // remembered for one source

// Compares waiting jobs by the age of their connections.
constexpr auto is_older = [](const auto& a, const auto& b) {
  return a.job->session_number < b.job->session_number;
};

}  // namespace

std::chrono::seconds delay_after(std::size_t wrong) {
  if (wrong == 0) return std::chrono::seconds(0);
  return std::chrono::seconds(
      std::min<std::size_t>(kMaxDelay, std::size_t{1} << std::min<std::size_t>(wrong - 1, 10)));
}

std::uint64_t HashQueue::add(const std::string& guesser, bool fresh, std::unique_ptr<HashJob> job) {
  std::vector<QueuedJob>& waiting = sources_[guesser].jobs;
  waiting.push_back({fresh, std::move(job)});
  if (waiting.size() <= kMaxQueued) return 0;
  // Drops the last job that is not fresh; otherwise one of middle age, as the oldest and the newest
  // get their turns next.
  const auto stale = std::find_if(waiting.rbegin(), waiting.rend(),
                                  [](const QueuedJob& w) { return !w.is_fresh; });
  auto out = waiting.begin() + static_cast<std::ptrdiff_t>(waiting.size() / 2);
  if (stale != waiting.rend()) out = stale.base() - 1;
  else std::nth_element(waiting.begin(), out, waiting.end(), is_older);
  const std::uint64_t session = out->job->session_number;
  waiting.erase(out);
  return session;
}

void HashQueue::remove(std::uint64_t session) {
  for (auto& [name, guesser] : sources_)
    std::erase_if(guesser.jobs,
                  [&](const QueuedJob& w) { return w.job->session_number == session; });
}

// Takes in turn the newest connection, which need not wait behind a crowd, and the oldest, so that
// everybody gets a turn. Every fourth turn is for one that guessed wrong. A flood can fill only one
// of these three.
std::unique_ptr<HashJob> HashQueue::take_from(Source& guesser) {
  std::vector<QueuedJob>& waiting = guesser.jobs;
  const auto stale = std::stable_partition(waiting.begin(), waiting.end(),
                                           [](const QueuedJob& w) { return w.is_fresh; });
  const std::size_t turn = guesser.turn_count++ % 4;
  auto chosen = stale;
  if (stale != waiting.begin() && (stale == waiting.end() || turn != 2))
    chosen = turn % 2 == 1 ? std::max_element(waiting.begin(), stale, is_older)
                           : std::min_element(waiting.begin(), stale, is_older);
  auto job = std::move(chosen->job);
  waiting.erase(chosen);
  if (waiting.empty()) guesser.turn_count = 0;
  return job;
}

// Takes in turn the next source in order, and the next of those with the fewest wrong passwords.
// An attacker with a thousand addresses then does not get every turn.
std::unique_ptr<HashJob> HashQueue::take(SteadyTime now) {
  const bool in_order = turn_count_ % 2 == 0;
  auto chosen = sources_.end(), at = sources_.upper_bound(last_source_);
  for (std::size_t i = 0; i < sources_.size(); ++i, ++at) {
    if (at == sources_.end()) at = sources_.begin();
    if (at->second.jobs.empty() || at->second.not_before > now) continue;
    if (chosen == sources_.end() || at->second.wrong_count < chosen->second.wrong_count)
      chosen = at;
    if (in_order) break;
  }
  if (chosen == sources_.end()) return nullptr;
  ++turn_count_;
  last_source_ = chosen->first;
  auto job = take_from(chosen->second);
  if (chosen->second.jobs.empty() && chosen->second.wrong_count == 0) sources_.erase(chosen);
  return job;
}

std::optional<SteadyTime> HashQueue::next_due() const {
  std::optional<SteadyTime> out;
  for (const auto& [name, guesser] : sources_)
    if (!guesser.jobs.empty() && (!out || guesser.not_before < *out)) out = guesser.not_before;
  return out;
}

void HashQueue::add_wrong_guess(const std::string& name, SteadyTime now, pid_t program) {
  std::erase_if(sources_, [&](const auto& g) {
    return g.second.jobs.empty() && g.second.last_wrong + kQuietTime < now;
  });
  Source& guesser = sources_[name];
  if (guesser.last_wrong + kQuietTime < now) {
    guesser.wrong_count = 0;
    guesser.wrong_by_process.clear();
  }
  if (guesser.wrong_by_process.size() >= kMaxProcesses) guesser.wrong_by_process.clear();
  if (program > 0) ++guesser.wrong_by_process[program];
  guesser.last_wrong = now;
  const auto pause =
      std::min<std::chrono::milliseconds>(kMaxPause, ++guesser.wrong_count * kPauseForEach);
  guesser.not_before = now + pause;
}

bool HashQueue::is_guesser(const std::string& name, pid_t program) const {
  const auto guesser = sources_.find(name);
  if (guesser == sources_.end()) return false;
  const auto wrong = guesser->second.wrong_by_process.find(program);
  return wrong != guesser->second.wrong_by_process.end() && wrong->second > kMaxTypos;
}

}  // namespace pbm
