// SPDX-License-Identifier: MIT
#include "cli/shared.hpp"

#include <iostream>

#include "base/files.hpp"
#include "base/markdown.hpp"
#include "base/text.hpp"
#include "cli/paths.hpp"
#include "ui/help_topics.hpp"

namespace pbm {

int complain(int status, const std::string& sentence) {
  std::cerr << "pbmplay: " << safe_text(sentence) << '\n';
  return status;
}

Result<std::string> help_text(const std::string& name) {
  const HelpTopic* topic = find_help(name);
  if (!topic) {
    std::vector<std::string> known;
    for (const HelpTopic& t : help_topics()) known.push_back(t.name);
    return Refusal{"There is no help on '" + fit(name, 30) + "': there is " + one_of(known) + "."};
  }
  auto text = read_file(program_data() / topic->file, std::size_t{1} << 20);
  if (text && !topic->section.empty()) return markdown_section(*text, topic->section);
  return text;
}

Result<ServerAddress> server_named(const Arguments& arguments) {
  if (!arguments.connect.empty()) {
    if (!arguments.socket.empty()) return Refusal{"A server has one address: write --socket or --connect."};
    return read_server_address(arguments.connect);
  }
  ServerAddress out;
  out.socket = arguments.socket.empty() ? own_socket() : std::filesystem::path(arguments.socket);
  if (out.socket.empty()) return Refusal{"XDG_RUNTIME_DIR is not set: say where the server is, with --socket PATH or --connect 127.0.0.1:PORT."};
  return out;
}

}  // namespace pbm
