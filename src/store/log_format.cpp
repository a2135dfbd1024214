// SPDX-License-Identifier: MIT
#include "store/log_format.hpp"

#include <boost/crc.hpp>
#include <iterator>

namespace pbm {
namespace {

constexpr std::size_t kHead = 16, kEntryHead = 15;

std::uint32_t crc32c(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

void put(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (; bytes > 0; --bytes, number >>= 8) out += static_cast<char>(number & 0xFF);
}

// Takes a number off the front. Pre: it is there.
std::uint64_t take(std::string_view& text, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- > 0;) number = number << 8 | static_cast<std::uint8_t>(text[i]);
  text.remove_prefix(bytes);
  return number;
}

// Takes bytes off the front; nothing where there are fewer.
std::optional<std::string_view> take_bytes(std::string_view& text, std::size_t n) {
  if (text.size() < n) return std::nullopt;
  const std::string_view out = text.substr(0, n);
  text.remove_prefix(n);
  return out;
}

struct Record {
  std::uint64_t sequence;
  std::string_view entries;
};

// The record at the front of `text`, which goes.
std::optional<Record> take_record(std::string_view& text) {
  std::string_view rest = text;
  if (rest.size() < kHead) return std::nullopt;
  const std::size_t length = take(rest, 4);
  const auto crc = static_cast<std::uint32_t>(take(rest, 4));
  if (length == 0 || length > rest.size() - 8 || crc32c(rest.substr(0, 8 + length)) != crc)
    return std::nullopt;
  Record out{take(rest, 8), {}};
  out.entries = *take_bytes(rest, length);
  text = rest;
  return out;
}

// Nothing when they are no entries: not written by this program.
std::optional<std::vector<LogEntry>> read_entries(std::string_view text) {
  std::vector<LogEntry> out;
  while (!text.empty()) {
    if (text.size() < kEntryHead) return std::nullopt;
    const auto kind = static_cast<LogEntry::Kind>(take(text, 1));
    const std::size_t name_length = take(text, 2);
    const std::uint64_t offset = take(text, 8);
    const std::size_t length = take(text, 4);
    const auto name = take_bytes(text, name_length);
    const auto bytes = name ? take_bytes(text, length) : std::nullopt;
    if (!bytes || kind < LogEntry::Kind::append || kind > LogEntry::Kind::settled)
      return std::nullopt;
    out.push_back({kind, std::string(*name), offset, std::string(*bytes)});
  }
  return out;
}

}  // namespace

void put_entry(std::string& entries, const LogEntry& entry) {
  put(entries, static_cast<std::uint8_t>(entry.kind), 1);
  put(entries, entry.name.size(), 2);
  put(entries, entry.offset, 8);
  put(entries, entry.bytes.size(), 4);
  entries += entry.name;
  entries += entry.bytes;
}

std::string log_record(std::uint64_t sequence, std::string_view entries) {
  std::string body;
  body.reserve(8 + entries.size());
  put(body, sequence, 8);
  body += entries;
  std::string out;
  out.reserve(kHead + entries.size());
  put(out, entries.size(), 4);
  put(out, crc32c(body), 4);
  return out += body;
}

LogRead read_log(std::string_view text, std::uint64_t next) {
  LogRead out;
  const std::string_view whole = text;
  for (;;) {
    std::string_view behind = text;
    const auto record = take_record(behind);
    if (!record || (next != 0 && record->sequence != next)) break;
    auto entries = read_entries(record->entries);
    if (!entries) break;
    std::move(entries->begin(), entries->end(), std::back_inserter(out.entries));
    out.next = next = record->sequence + 1;
    text = behind;
  }
  if (text.find_first_not_of('\0') == std::string_view::npos) return out;
  out.damaged = whole.size() - text.size();
  // A whole one that follows was written when this one was safe.
  for (; !out.more && text.size() > kHead; text.remove_prefix(1)) {
    std::string_view behind = text;
    const auto record = take_record(behind);
    out.more = record && record->sequence >= next;
  }
  return out;
}

}  // namespace pbm
