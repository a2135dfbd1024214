// SPDX-License-Identifier: MIT
#include "server/state/chats.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "protocol/userid.hpp"
#include "server/state/journal.hpp"
#include "store/board_files.hpp"
#include "store/recovery.hpp"

namespace pbm {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxOpen = 100;                        // boards; each has a descriptor
constexpr std::size_t kWorthWriting = 2 * Chats::kMaxLines;  // records of a file

fs::path directory_in(const fs::path& saves) { return saves / kServerFiles / "chat"; }

std::string text_of(const ChatLine& line) {
  return Record()
      .put("line", line.number)
      .put("at", iso_time(line.at))
      .put("by", line.userid)
      .put("text", line.text)
      .line();
}

std::string head_of(const BoardKey& key) {
  return records_head("What was said on " + key.to_string() + ".");
}

}  // namespace

std::string Chats::name(const BoardKey& key) {
  return (directory_in("") / save_name(key.id())).string();
}

fs::path Chats::path(const BoardKey& key) const { return log_.directory() / name(key); }

void Chats::sweep(const std::function<bool(const BoardKey&)>& there) {
  const auto is_gone = [](const fs::path& file) {
    return ::access(file.c_str(), F_OK) != 0 && errno == ENOENT;
  };
  std::error_code none;
  for (const BoardKey& key : boards_in(directory_in(log_.directory()), none)) {
    if (there(key)) continue;
    const std::string save = save_name(key.id());
    if (is_gone(log_.directory() / save) && is_gone(log_.directory() / kDeleted / save))
      ::unlink(path(key).c_str());
  }
}

bool Chats::has(const BoardKey& key) const { return ::access(path(key).c_str(), F_OK) == 0; }

void Chats::begin(const BoardKey& key) {
  open_.erase(key);
  if (::unlink(path(key).c_str()) == 0) log_.settled(name(key));
}

// Null where there is none.
FilePtr Chats::open_file(const BoardKey& key) const {
  UniqueFd fd(::open(path(key).c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (fd.open()) return log_.hold(name(key), std::move(fd));
  if (errno == ENOENT) return nullptr;
  throw Error("What was said on " + key.to_string() + " cannot be read: " + std::strerror(errno) +
              ".");
}

Chats::Chat& Chats::open(const BoardKey& key) {
  const auto found = open_.find(key);
  // The owner may have removed it, or put another in its place.
  if (found != open_.end() && found->second.file &&
      leads_to(path(key), found->second.file->descriptor()))
    return found->second;
  Chat chat;
  chat.file = open_file(key);
  if (chat.file) read(key, chat);
  // What is not on disk yet is to be waited for by who reads it.
  if (open_.size() >= kMaxOpen)
    std::erase_if(open_,
                  [](const auto& old) { return !old.second.file || old.second.file->safe(); });
  return open_[key] = std::move(chat);
}

void Chats::read(const BoardKey& key, Chat& chat) {
  std::size_t strange = 0;
  const auto done = read_records(path(key), "", [&](const Record& r) {
    const auto userid = check_userid(r.get("by"));
    const std::size_t number = r.number("line");
    if (!userid || number <= chat.last) {
      ++strange;
      return;
    }
    chat.last = number;
    chat.lines.push_back(
        {number, read_iso_time(r.get("at")).value_or(Time{}), *userid, safe_text(r.get("text"))});
    if (chat.lines.size() > kMaxLines) chat.lines.erase(chat.lines.begin());
  });
  if (!done) throw Error(done.refusal().why);
  RecordsRead read = *done;
  read.damaged += strange;
  chat.records = read.records;
  if (const std::string told = mend_records(path(key), read); !told.empty()) tell_(told);
  if (read.used < chat.file->size()) chat.file = open_file(key);
}

const std::vector<ChatLine>& Chats::lines(const BoardKey& key) {
  const Chat& chat = open(key);
  if (chat.file) log_.touch(*chat.file);
  return chat.lines;
}

void Chats::keep(const BoardKey& key, const std::string& userid,
                 const std::vector<std::string>& said, Time at) {
  Chat& chat = open(key);
  std::vector<ChatLine> more;
  std::string text;
  for (const std::string& line : said) {
    more.push_back({chat.last + more.size() + 1, at, userid, line});
    text += text_of(more.back());
  }
  if (chat.file) {
    log_.append(chat.file, (chat.file->size() == 0 ? head_of(key) : "") + text);
  } else {
    const fs::path directory = path(key).parent_path();
    std::error_code none;
    if (!fs::exists(directory, none)) {
      make_directory(directory);
      if (const int error = sync_directory(directory.parent_path()))
        throw Error(safe_text(directory.string()) + " cannot be synced: " + std::strerror(error) +
                    ".");
    }
    chat.file = log_.create(name(key), head_of(key) + text);
    if (!chat.file) throw Error("Another program writes on " + safe_text(path(key).string()) + ".");
  }
  chat.last += more.size();
  chat.records += more.size();
  chat.lines.insert(chat.lines.end(), more.begin(), more.end());
  if (chat.lines.size() > kMaxLines)
    chat.lines.erase(chat.lines.begin(), chat.lines.end() - kMaxLines);
  if (chat.records >= kWorthWriting) write_anew(key, chat);
}

// Without what nobody reads any more. Where there is no room for it, another time.
void Chats::write_anew(const BoardKey& key, Chat& chat) {
  std::string text = head_of(key);
  for (const ChatLine& line : chat.lines) text += text_of(line);
  try {
    replace_file(path(key), text);
  } catch (const Error&) {
    return;
  }
  log_.settled(name(key));
  chat.records = chat.lines.size();
  chat.file = open_file(key);
}

}  // namespace pbm
