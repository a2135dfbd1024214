// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "base/child_process.hpp"
#include "base/text.hpp"
#include "cli/run_functions.hpp"
#include "cli/shared.hpp"

namespace pbm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxKeyBytes = 16384;  // RSA of 16,384 bits has 2,800

// The beginnings of public keys. A certificate gets trust from its signer, and has no place in a
// line for one key.
constexpr std::array<std::string_view, 7> kKeyKinds{"ssh-ed25519",
                                                    "ecdsa-sha2-nistp256",
                                                    "ecdsa-sha2-nistp384",
                                                    "ecdsa-sha2-nistp521",
                                                    "ssh-rsa",
                                                    "sk-ssh-ed25519@openssh.com",
                                                    "sk-ecdsa-sha2-nistp256@openssh.com"};

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
  const std::string kind = split_words(line).front();
  if (kind.find("-cert-") != std::string::npos)
    return Refusal{"This is a certificate. Give the key that it was made for."};
  if (std::ranges::find(kKeyKinds, kind) == kKeyKinds.end())
    return Refusal{"'" + fit(kind, 30) +
                   "' is not a type of public key. The line must begin with a type, such as "
                   "ssh-ed25519."};
  return std::string(line);
}

// Refuses if ssh-keygen does not know the key, or cannot run. The key never passes a shell, because
// it goes in as a file without a name.
Result<Success> check_with_keygen(const std::string& key) {
  if (!check_program("ssh-keygen", ""))
    return Refusal{"ssh-keygen must check the key, but is not installed (Debian: openssh-client)."};
  auto keygen = ChildProcess::start("ssh-keygen -l -f -", {}, key + "\n", true);
  if (!keygen) return keygen.refusal();
  const std::string why = (*keygen)->wait(-1);
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
  const std::string command = need(quote_path(program), kExitRefused) + " --socket " +
                              need(quote_path(there.address.socket_path), kExitRefused) +
                              " --user " + there.userid;
  const std::string key = need(read_public_key(read_standard_input()), kExitRefused);
  need(check_with_keygen(key), kExitRefused);
  std::cout << "restrict,pty,command=\"" << command << "\" " << key << '\n';
  return kExitSuccess;
}

}  // namespace pbm
