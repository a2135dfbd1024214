// SPDX-License-Identifier: MIT
#include "mail/tokens.hpp"

#include <sodium.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm::mail {

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
// Length in letters of five bits: nobody can try 80 bits by mail, and an address has at most 64
// characters before the @.
constexpr std::size_t kMac = 16;

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return kLetters.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string random_word(std::size_t letters) {
  std::string out;
  while (out.size() < letters) out += kLetters[::randombytes_uniform(32)];
  return out;
}

std::optional<Token> read_token(std::string_view text) {
  const std::string all = lower(text);
  const std::size_t last = all.rfind('.');
  const std::size_t before = last == std::string::npos ? last : all.rfind('.', last - 1);
  if (before == std::string::npos || before == 0 || last - before > 20 ||
      !is_word(all.substr(last + 1)))
    return std::nullopt;
  return Token{all.substr(0, before), all.substr(before + 1, last - before - 1),
               all.substr(last + 1)};
}

// Random letters at the end of a stamp. They tell stamps of the same second apart.
constexpr std::size_t kChance = 6;

std::string stamp_of(Time at) {
  std::string out;
  for (auto n = at.time_since_epoch().count(); n > 0; n /= 32)
    out.insert(out.begin(), kLetters[static_cast<std::size_t>(n % 32)]);
  return out + random_word(kChance);
}

bool lasts(const std::string& stamp, Time now) {
  if (!is_word(stamp) || stamp.size() <= kChance || stamp.size() > 14) return false;
  std::int64_t n = 0;
  for (const char c : stamp.substr(0, stamp.size() - kChance))
    n = n * 32 + static_cast<std::int64_t>(kLetters.find(c));
  return Time(std::chrono::seconds(n)) + Tokens::kLasts > now;
}

Tokens::Tokens(const std::filesystem::path& key) {
  if (::sodium_init() < 0) throw Error("The library for keys cannot start.");
  auto kept = read_file(key, key_.size());
  if (!kept) {
    std::string bytes(key_.size(), '\0');
    ::randombytes_buf(bytes.data(), bytes.size());
    TempFile made(key);
    made.fill(bytes, 0600);
    static_cast<void>(rename_to_free(made.name(), key));  // fails if another process made one first
    kept = read_file(key, key_.size());
  }
  if (!kept) throw Error(kept.refusal().why);
  if (kept->size() != key_.size()) throw Error(safe_text(key.string()) + " is no key.");
  std::copy(kept->begin(), kept->end(), key_.begin());
}

std::string Tokens::mac(const std::string& text) const {
  std::array<unsigned char, kMac * 5 / 8> bytes{};
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

std::string Tokens::made(const std::string& address, const std::string& of,
                         const std::string& at) const {
  return of + "." + at + "." + mac(lower(address) + "\n" + of + "\n" + at);
}

bool Tokens::proves(const Token& token, const std::string& address) const {
  const std::string true_one = made(address, token.of, token.at), it = token.whole();
  return it.size() == true_one.size() &&
         ::sodium_memcmp(it.data(), true_one.data(), it.size()) == 0;
}

}  // namespace pbm::mail
