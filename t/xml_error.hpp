// SPDX-License-Identifier: MIT
// Checks the form of the SVG files that the program writes.
#pragma once

#include <regex>
#include <set>
#include <string>
#include <vector>

namespace pbm::test {

// Returns an error of a simple XML text, or "".
inline std::string xml_error(const std::string& xml) {
  static const std::regex tag(R"re(<(/?)([a-z]+)((?: [A-Za-z:-]+="[^"<&]*")*)(/?)>)re");
  std::vector<std::string> open;
  std::string text;
  std::size_t from = 0;
  for (auto it = std::sregex_iterator(xml.begin(), xml.end(), tag); it != std::sregex_iterator();
       ++it) {
    text += xml.substr(from, static_cast<std::size_t>(it->position()) - from);
    from = static_cast<std::size_t>(it->position() + it->length());
    if (open.empty() && it->position() > 0) return "something outside of the first element";
    const std::string name = (*it)[2];
    if ((*it)[1].length() == 0) {
      std::set<std::string> names;
      const std::string attributes = (*it)[3];
      static const std::regex attribute(" ([^=]+)=");
      for (auto at = std::sregex_iterator(attributes.begin(), attributes.end(), attribute);
           at != std::sregex_iterator(); ++at)
        if (!names.insert((*at)[1]).second) return "twice in one tag: " + std::string((*at)[1]);
      if ((*it)[4].length() == 0) open.push_back(name);
    } else {
      if (open.empty() || open.back() != name) return "</" + name + "> ends what did not begin";
      open.pop_back();
    }
  }
  if (!open.empty()) return "<" + open.back() + "> has no end";
  if (xml.substr(from) != "\n") return "something behind the last element";
  text = std::regex_replace(text, std::regex("&(amp|lt|gt);"), "");
  if (text.find_first_of("<&") != std::string::npos) return "a < or & that means nothing";
  return is_valid_utf8(text) ? "" : "no UTF-8";
}

}  // namespace pbm::test
