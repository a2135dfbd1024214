// SPDX-License-Identifier: MIT
#include "protocol/chat.hpp"

#include "protocol/framing.hpp"
#include "protocol/userid.hpp"
#include "save/yaml.hpp"

namespace pbm {

std::string ChatLine::in_words() const { return long_time(at) + "  " + userid + ": " + text; }

std::string encode(const ChatLine& line) {
  return "{line: " + std::to_string(line.number) + ", at: " + iso_time(line.at) +
         ", by: " + yaml_scalar(line.userid) + ", text: " + yaml_scalar(line.text) +
         (line.fresh ? ", new: true}" : "}");
}

std::optional<ChatLine> decode_chat(std::string_view line) {
  const auto root = read_yaml(std::string(line) + "\n");
  if (!root) return std::nullopt;
  const auto userid = check_userid(text_in(*root, "by"));
  ChatLine out;
  out.number = number_in(*root, "line");
  if (!userid || out.number == 0) return std::nullopt;
  out.at = time_in(*root, "at");
  out.userid = *userid;
  out.text = sanitize(text_in(*root, "text"));
  out.fresh = text_in(*root, "new") == "true";
  return out;
}

}  // namespace pbm
