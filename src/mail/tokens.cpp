// SPDX-License-Identifier: MIT
#include "mail/tokens.hpp"

#include <sodium.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/text.hpp"

namespace pbm::mail {

namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
// Length in letters of five bits: nobody can try 80 bits by mail, and an address has at most 64
// characters before the @.
constexpr std::size_t kMacLength = 16;

bool has_only_alphabet(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return kAlphabet.find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string random_word(std::size_t letters) {
  std::string out;
  while (out.size() < letters) out += kAlphabet[::randombytes_uniform(32)];
  return out;
}

std::optional<Token> read_token(std::string_view text) {
  const std::string all = lower(text);
  const std::size_t last = all.rfind('.');
  const std::size_t before = last == std::string::npos ? last : all.rfind('.', last - 1);
  if (before == std::string::npos || before == 0 || last - before > 20 ||
      !has_only_alphabet(all.substr(last + 1)))
    return std::nullopt;
  return Token{all.substr(0, before), all.substr(before + 1, last - before - 1),
               all.substr(last + 1)};
}

// Random letters at the end of a stamp. They tell stamps of the same second apart.
constexpr std::size_t kRandomLetters = 6;

std::string make_time_stamp(Time at) {
  std::string out;
  for (auto n = at.time_since_epoch().count(); n > 0; n /= 32)
    out.insert(out.begin(), kAlphabet[static_cast<std::size_t>(n % 32)]);
  return out + random_word(kRandomLetters);
}

bool is_stamp_valid(const std::string& stamp, Time now) {
  if (!has_only_alphabet(stamp) || stamp.size() <= kRandomLetters || stamp.size() > 14)
    return false;
  std::int64_t n = 0;
  for (const char c : stamp.substr(0, stamp.size() - kRandomLetters))
    n = n * 32 + static_cast<std::int64_t>(kAlphabet.find(c));
  return Time(std::chrono::seconds(n)) + TokenMaker::kCommandLifetime > now;
}

TokenMaker::TokenMaker(const std::filesystem::path& key) {
  if (::sodium_init() < 0) throw Error("The library for keys cannot start.");
  auto kept = read_file(key, key_.size());
  if (!kept) {
    std::string bytes(key_.size(), '\0');
    ::randombytes_buf(bytes.data(), bytes.size());
    TempFile made(key);
    made.write(bytes, 0600);
    static_cast<void>(
        rename_no_replace(made.name(), key));  // fails if another process made one first
    kept = read_file(key, key_.size());
  }
  if (!kept) throw Error(kept.refusal().reason);
  if (kept->size() != key_.size()) throw Error(safe_text(key.string()) + " is no key.");
  std::copy(kept->begin(), kept->end(), key_.begin());
}

std::string TokenMaker::compute_mac(const std::string& text) const {
  std::array<unsigned char, kMacLength * 5 / 8> bytes{};
  std::array<unsigned char, crypto_generichash_BYTES> whole{};
  ::crypto_generichash(whole.data(), whole.size(),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       key_.data(), key_.size());
  std::copy_n(whole.begin(), bytes.size(), bytes.begin());
  std::string out;
  unsigned bits = 0, n = 0;
  for (const unsigned char byte : bytes) {
    bits = bits << 8 | byte;
    for (n += 8; n >= 5; n -= 5) out += kAlphabet[bits >> (n - 5) & 31];
  }
  return out;
}

std::string TokenMaker::make_token(const std::string& address, const std::string& of,
                                   const std::string& at) const {
  return of + "." + at + "." + compute_mac(lower(address) + "\n" + of + "\n" + at);
}

bool TokenMaker::is_valid(const Token& token, const std::string& address) const {
  const std::string true_one = make_token(address, token.holder, token.stamp), it = token.text();
  return it.size() == true_one.size() &&
         ::sodium_memcmp(it.data(), true_one.data(), it.size()) == 0;
}

}  // namespace pbm::mail
