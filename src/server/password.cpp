// SPDX-License-Identifier: MIT
#include "server/password.hpp"

#include <sodium.h>

#include <array>

#include "base/result.hpp"

namespace pbm {
namespace {

void init_sodium() {
  static const bool ready = ::sodium_init() >= 0;
  if (!ready) throw Error("The library for passwords cannot start.");
}

}  // namespace

PasswordCost PasswordCost::minimum() {
  return {crypto_pwhash_OPSLIMIT_MIN, crypto_pwhash_MEMLIMIT_MIN};
}

// Copies, never moves: the bytes of a short string would stay in its old place.
Secret& Secret::operator=(const Secret& other) {
  if (this != &other) {
    wipe();
    text_ = other.text_;
  }
  return *this;
}

void Secret::wipe() {
  if (!text_.empty()) ::sodium_memzero(text_.data(), text_.size());
  text_.clear();
}

void HashJob::run() {
  const std::string& typed = password.text();
  if (::sodium_init() < 0) return;
  if (!hash.empty()) {
    is_right = ::crypto_pwhash_str_verify(hash.c_str(), typed.data(), typed.size()) == 0;
    return;
  }
  std::array<char, crypto_pwhash_STRBYTES> out{};
  is_right = ::crypto_pwhash_str_alg(out.data(), typed.data(), typed.size(), cost.passes,
                                     cost.memory, crypto_pwhash_ALG_ARGON2ID13) == 0;
  if (is_right) hash = out.data();
}

std::string new_code() {
  constexpr std::string_view kPlain = "abcdefghjkmnpqrstuvwxyz23456789";
  init_sodium();
  std::string out;
  while (out.size() < 8) out += kPlain[::randombytes_uniform(kPlain.size())];
  return out;
}

std::optional<std::string> decode_base64(std::string_view text) {
  init_sodium();
  std::string out(text.size(), '\0');
  std::size_t size = 0;
  if (::sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(),
                          text.size(), nullptr, &size, nullptr,
                          sodium_base64_VARIANT_ORIGINAL) != 0)
    return std::nullopt;
  out.resize(size);
  return out;
}

std::string fingerprint_of_key(std::string_view bytes) {
  init_sodium();
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  ::crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                       bytes.size());
  std::array<char, 64> text{};
  ::sodium_bin2base64(text.data(), text.size(), hash.data(), hash.size(),
                      sodium_base64_VARIANT_ORIGINAL_NO_PADDING);
  return std::string("SHA256:") + text.data();
}

std::string make_digest(std::string_view text) {
  init_sodium();
  static const auto key = [] {
    std::array<unsigned char, crypto_generichash_KEYBYTES> bytes{};
    ::randombytes_buf(bytes.data(), bytes.size());
    return bytes;
  }();
  std::array<unsigned char, crypto_generichash_BYTES> out{};
  const std::string bytes(text);
  ::crypto_generichash(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                       bytes.size(), key.data(), key.size());
  return std::string(out.begin(), out.end());
}

}  // namespace pbm
