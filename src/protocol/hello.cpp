// SPDX-License-Identifier: MIT
#include "protocol/hello.hpp"

#include "save/yaml.hpp"

namespace pbm {

std::string encode(const Hello& hello) {
  std::string commands;
  for (const std::string& name : hello.commands)
    commands += (commands.empty() ? "" : ", ") + yaml_scalar(name);
  return "{protocol: " + std::to_string(hello.version) + ", commands: [" + commands + "]}";
}

std::optional<Hello> decode_hello(std::string_view line) {
  const auto root = read_yaml(std::string(line) + "\n");
  const std::size_t version = root ? number_in(*root, "protocol") : 0;
  if (version == 0) return std::nullopt;
  return Hello{static_cast<unsigned>(version), texts_in(*root, "commands")};
}

}  // namespace pbm
