// SPDX-License-Identifier: MIT
#include "mail/state.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <thread>

#include "base/files.hpp"

namespace pbm::mail {

namespace {

constexpr const char* kTables = R"sql(
CREATE TABLE answered (
  mail TEXT PRIMARY KEY,           -- its sender and Message-ID; below, a step; or "latest", a board
  at INTEGER NOT NULL,
  address TEXT NOT NULL,           -- that got the answer
  proved INTEGER NOT NULL,         -- the sender was proved: 0 or 1
  answer TEXT NOT NULL             -- to send; '' if sent; of a step the server's reply; or a stamp
) STRICT, WITHOUT ROWID;
CREATE INDEX answered_to ON answered (address, proved, at);
CREATE INDEX answered_at ON answered (at);
CREATE TABLE used (                -- tokens for a command
  token TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";
constexpr Schema kStateSchema{kTables, 1, {}};

// Waits for the lock: for at most `patience`, without it for ever.
UniqueFd lock_file(const std::filesystem::path& file,
                   std::optional<std::chrono::milliseconds> patience) {
  constexpr std::chrono::milliseconds kBetweenTries{20};
  UniqueFd out(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!out.is_open()) throw_file_error(file, "be locked", errno);
  const auto give_up =
      std::chrono::steady_clock::now() + patience.value_or(std::chrono::milliseconds(0));
  while (::flock(out.get(), patience ? LOCK_EX | LOCK_NB : LOCK_EX) != 0) {
    if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() > give_up)
      throw_file_error(file, "be locked", errno);
    std::this_thread::sleep_for(kBetweenTries);
  }
  return out;
}

}  // namespace

MailState::MailState(const std::filesystem::path& directory, Time now,
                     std::optional<std::chrono::milliseconds> patience)
    : lock_(lock_file(directory / "lock", patience)),
      database_(directory / "mail.db", &kStateSchema),
      now_(now) {
  database_.run("DELETE FROM answered WHERE at < ?", now - kRetention);
  database_.run("DELETE FROM used WHERE at < ?", now - kRetention);
}

void MailState::commit() {
  if (const std::string why = database_.commit(); !why.empty()) throw Error(why + ".");
}

std::optional<std::string> MailState::stored_answer(const std::string& mail) {
  const auto before = database_.query_texts("SELECT answer FROM answered WHERE mail = ?", mail);
  return before.empty() ? std::nullopt : std::optional(before.front());
}

bool MailState::can_answer(const std::string& address, bool proved) {
  return database_.query_count(
             "SELECT count(*) FROM answered WHERE address = ? AND proved = ? AND at > ?", address,
             proved,
             now_ - std::chrono::hours(24)) < (proved ? kMaxProvedAnswers : kMaxUnprovedAnswers);
}

void MailState::store_answer(const std::string& mail, const std::string& answer,
                             const std::string& token, const std::string& address, bool proved) {
  database_.run("REPLACE INTO answered VALUES (?, ?, ?, ?, ?)", mail, now_, address, proved,
                answer);
  if (!token.empty()) database_.run("REPLACE INTO used VALUES (?, ?)", token, now_);
  commit();
}

void MailState::mark_sent(const std::string& mail) {
  database_.run("UPDATE answered SET answer = '' WHERE mail = ?", mail);
  commit();
}

}  // namespace pbm::mail
