// SPDX-License-Identifier: MIT
#include "mail/tokens.hpp"

#include <sodium.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm::mail {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kMac = 24;  // letters of five bits

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return kLetters.find(c) != std::string_view::npos;
  });
}

// The two parts behind the last dots; `text` loses them.
std::optional<std::pair<std::string, std::string>> take_two(std::string& text) {
  const std::size_t last = text.rfind('.');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const std::size_t before = text.rfind('.', last - 1);
  if (before == std::string::npos || before == 0) return std::nullopt;
  std::pair out(text.substr(before + 1, last - before - 1), text.substr(last + 1));
  text.erase(before);
  return out;
}

bool same(const std::string& a, const std::string& b) {
  return a.size() == b.size() && ::sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string stamp_of(Time at) {
  std::string out;
  for (auto n = at.time_since_epoch().count(); n > 0; n /= 32)
    out.insert(out.begin(), kLetters[static_cast<std::size_t>(n % 32)]);
  return out + random_word(2);
}

// Pre: it is a stamp's.
Time time_of(std::string_view stamp) {
  std::int64_t n = 0;
  for (const char c : stamp.substr(0, stamp.size() - 2))
    n = n * 32 + static_cast<std::int64_t>(kLetters.find(c));
  return Time(std::chrono::seconds(n));
}

}  // namespace

std::string random_word(std::size_t letters) {
  std::string out;
  while (out.size() < letters) out += kLetters[::randombytes_uniform(32)];
  return out;
}

std::optional<BoardToken> read_board_token(std::string_view extension) {
  std::string board = lower(extension);
  const auto rest = take_two(board);
  if (!rest) return std::nullopt;
  const auto ply = read_whole_number<std::size_t>(rest->first);
  if (!ply || !is_word(rest->second)) return std::nullopt;
  return BoardToken{board, *ply, rest->second};
}

std::optional<CommandToken> take_command_token(std::string& subject) {
  const std::size_t open = subject.rfind('[');
  if (open == std::string::npos || !subject.ends_with(']')) return std::nullopt;
  std::string userid = lower(subject.substr(open + 1, subject.size() - open - 2));
  const auto rest = take_two(userid);
  if (!rest || rest->second.size() != kMac || rest->first.size() < 4 || rest->first.size() > 12 ||
      !is_word(rest->first) || !is_word(rest->second))
    return std::nullopt;
  subject.erase(open);
  subject = std::string(trim(subject));
  return CommandToken{userid, rest->first, rest->second};
}

Tokens::Tokens(const std::filesystem::path& key) {
  if (::sodium_init() < 0) throw Error("The library for keys cannot start.");
  auto kept = read_file(key, key_.size());
  if (!kept) {
    std::string bytes(key_.size(), '\0');
    ::randombytes_buf(bytes.data(), bytes.size());
    TempFile made(key);
    made.fill(bytes, 0600);
    static_cast<void>(rename_to_free(made.name(), key));  // unless another one was quicker
    kept = read_file(key, key_.size());
  }
  if (!kept) throw Error(kept.refusal().why);
  if (kept->size() != key_.size()) throw Error(safe_text(key.string()) + " is no key.");
  std::copy(kept->begin(), kept->end(), key_.begin());
}

std::string Tokens::mac(const std::string& text) const {
  std::array<unsigned char, 15> bytes{};  // of five bits each three eighths of a letter
  static_assert(sizeof(bytes) * 8 / 5 == kMac);
  std::array<unsigned char, crypto_generichash_BYTES> whole{};
  ::crypto_generichash(whole.data(), whole.size(),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       key_.data(), key_.size());
  std::copy_n(whole.begin(), bytes.size(), bytes.begin());
  std::string out;
  unsigned bits = 0, n = 0;
  for (const unsigned char byte : bytes) {
    bits = bits << 8 | byte;
    for (n += 8; n >= 5; n -= 5) out += kLetters[bits >> (n - 5) & 31];
  }
  return out;
}

std::string Tokens::for_board(const std::string& userid, const std::string& address,
                              const std::string& board, std::size_t ply) const {
  const std::string of = board + "." + std::to_string(ply);
  return of + "." + mac("board\n" + userid + "\n" + lower(address) + "\n" + of);
}

std::string Tokens::for_command(const std::string& userid, const std::string& address,
                                Time now) const {
  const std::string stamp = stamp_of(now);
  return userid + "." + stamp + "." +
         mac("command\n" + userid + "\n" + lower(address) + "\n" + stamp);
}

bool Tokens::proves(const BoardToken& token, const std::string& userid,
                    const std::string& address) const {
  return same(for_board(userid, address, token.board, token.ply),
              token.board + "." + std::to_string(token.ply) + "." + token.mac);
}

bool Tokens::proves(const CommandToken& token, const std::string& address, Time now) const {
  return same(mac("command\n" + token.userid + "\n" + lower(address) + "\n" + token.stamp),
              token.mac) &&
         time_of(token.stamp) + kLasts > now;
}

}  // namespace pbm::mail
