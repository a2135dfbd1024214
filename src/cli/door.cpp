// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/child_process.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"
#include "server/password.hpp"

namespace pbm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxKeyBytes = 16384;  // RSA of 16,384 bits has 2,800

// The types of public keys, with which they begin, and how many fields a key of that type has. A
// certificate gets trust from its signer, and has no place in a line for one key.
struct KeyKind {
  std::string_view name;
  std::size_t fields;
};
constexpr KeyKind kKeyKinds[]{{"ssh-ed25519", 2},
                              {"ecdsa-sha2-nistp256", 3},
                              {"ecdsa-sha2-nistp384", 3},
                              {"ecdsa-sha2-nistp521", 3},
                              {"ssh-rsa", 3},
                              {"sk-ssh-ed25519@openssh.com", 3},
                              {"sk-ecdsa-sha2-nistp256@openssh.com", 4}};

Result<KeyKind> find_key_kind(const std::string& name) {
  if (name.find("-cert-") != std::string::npos)
    return Refusal{"This is a certificate. Give the key that it was made for."};
  for (const KeyKind& kind : kKeyKinds)
    if (kind.name == name) return kind;
  return Refusal{"'" + fit(name, 30) +
                 "' is not a type of public key. The line must begin with a type, such as "
                 "ssh-ed25519."};
}

// Returns the fields of a public key; each has four bytes with its length before it. Returns none
// if the last one is not complete.
std::vector<std::string_view> split_key(std::string_view bytes) {
  std::vector<std::string_view> out;
  while (bytes.size() >= 4) {
    std::size_t size = 0;
    for (const char byte : bytes.substr(0, 4)) size = size << 8 | static_cast<unsigned char>(byte);
    bytes.remove_prefix(4);
    if (size > bytes.size()) return {};
    out.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return bytes.empty() ? out : std::vector<std::string_view>{};
}

// Returns the fingerprint of a key, given as its type and its bytes in base64, as sshd has it.
Result<std::string> key_fingerprint(const std::string& type, const std::string& base64) {
  const auto kind = find_key_kind(type);
  if (!kind) return kind.refusal();
  const std::string bytes = decode_base64(base64).value_or("");
  const auto fields = split_key(bytes);
  if (fields.size() != kind->fields || fields[0] != type || base64.size() > kMaxKeyBytes)
    return Refusal{"This is not exactly one public key of the type " + type + "."};
  return fingerprint_of_key(bytes);
}

// Reads all of standard input, but stops if it is too long.
std::string read_standard_input() {
  std::string out(kMaxKeyBytes + 1, '\0');
  out.resize(std::fread(out.data(), 1, out.size(), stdin));
  if (std::ferror(stdin) != 0)
    throw Error("The key could not be read: " + std::string(std::strerror(errno)));
  return out;
}

// Returns the one line of a file with one public key, which has two or three parts.
Result<std::string> read_public_key(std::string_view text) {
  if (text.size() > kMaxKeyBytes)
    return Refusal{"This is too long for a public key. Give one file NAME.pub from ssh-keygen."};
  if (text.find("-----BEGIN") != std::string_view::npos)
    return Refusal{
        "This is a private key, which must stay secret. Give the file that ends in .pub."};
  const std::string_view line = trim(text);
  if (line.empty())
    return Refusal{"There is no key on standard input. Write: pbmplay door --user NAME < key.pub"};
  if (line.find_first_of("\r\n") != std::string_view::npos)
    return Refusal{
        "This has more than one line. Give one key, on one line: each line would let somebody in."};
  if (!is_text_line(line)) return Refusal{"The line has characters that a key cannot have."};
  if (const auto kind = find_key_kind(split_words(line).front()); !kind) return kind.refusal();
  return std::string(line);
}

// Refuses if ssh-keygen does not know the key, or cannot run. The key never passes a shell, because
// it goes in as a file without a name.
Result<Success> check_with_keygen(const std::string& key) {
  if (!check_program("ssh-keygen", ""))
    return Refusal{"ssh-keygen must check the key, but is not installed (Debian: openssh-client)."};
  const std::string why = run_child("ssh-keygen -l -f -", {}, key + "\n", -1, true);
  if (why.empty()) return Success{};
  return Refusal{
      "ssh-keygen does not accept this public key. Part of it may be missing or changed. (" + why +
      ")"};
}

// Writes a path as one word of a command in double quotes in authorized_keys. The login's shell,
// whichever it is, reads the command.
Result<std::string> quote_path(const fs::path& path) {
  const std::string& text = path.native();
  const auto plain = [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("/._-+,:@=").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, plain)) return text;
  if (text.find_first_of("'\"\\!") == std::string::npos && is_text_line(text))
    return "'" + text + "'";
  return Refusal{"'" + fit(text, 60) +
                 "' has characters that are not safe in authorized_keys. Use a path of plain "
                 "characters."};
}

}  // namespace

int run_door(const Arguments& arguments) {
  const bool any_key = arguments.has("any-key");
  if (any_key == arguments.has("user") || any_key != (arguments.words.size() == 3))
    return report_wrong_use(arguments);
  const ServerTarget there = server_target(arguments);
  if (!there.address.socket_path.is_absolute())
    return print_error(
        kExitFailure,
        "The current directory does not exist. Write --socket with an absolute path.");
  value_or_throw(make_socket_address(there.address));
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return print_error(kExitFailure,
                       "This program cannot find its own file: " + error.message() + ".");
  std::string command = need(quote_path(program), kExitRefused) + " --socket " +
                        need(quote_path(there.address.socket_path), kExitRefused);
  std::string key;
  if (any_key) {
    const std::string &type = arguments.words[1], &base64 = arguments.words[2];
    command += " --key " + need(key_fingerprint(type, base64), kExitRefused);
    key = type + " " + base64;
  } else {
    command += " --user " + there.userid;
    key = need(read_public_key(read_standard_input()), kExitRefused);
    need(check_with_keygen(key), kExitRefused);
  }
  std::cout << "restrict,pty,command=\"" << command << "\" " << key << '\n';
  return kExitSuccess;
}

}  // namespace pbm
