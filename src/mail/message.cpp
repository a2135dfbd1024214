// SPDX-License-Identifier: MIT
#include "mail/message.hpp"

#include <gmime/gmime.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "protocol/userid.hpp"

namespace pbm::mail {

namespace {

struct GObjectUnref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
template <class T>
using GObjectPtr = std::unique_ptr<T, GObjectUnref>;
template <class T>
GObjectPtr<T> own_object(T* object) {
  return GObjectPtr<T>(object);
}

void init_library() {
  static const bool ready = (g_mime_init(), true);
  static_cast<void>(ready);
}

std::string to_text(const char* text) { return text ? text : ""; }

// Returns one line of valid UTF-8. Every blank is a plain one, also one without width or break.
std::string to_clean_line(const char* text) {
  if (!text) return "";
  const std::unique_ptr<char, decltype(&g_free)> valid(g_utf8_make_valid(text, -1), g_free);
  std::string out;
  for (std::string_view rest = valid.get(); !rest.empty();) {
    const DecodedCharacter next = decode_utf8(rest);
    const char32_t c = next.code_point;
    const bool blank = is_control(c) || (c >= 0x2000 && c <= 0x200B) || c == 0xA0 || c == 0x202F ||
                       c == 0x2060 || c == 0x3000 || c == 0xFEFF;
    out += blank ? " " : rest.substr(0, next.size);
    rest.remove_prefix(next.size);
  }
  return std::string(trim(out));
}

std::string header_value(GMimeMessage* message, const char* name) {
  return to_clean_line(g_mime_object_get_header(GMIME_OBJECT(message), name));
}

void add_addresses(InternetAddressList* list, std::vector<std::string>& out) {
  for (int i = 0; list && i < internet_address_list_length(list) && out.size() < 100; ++i) {
    InternetAddress* const address = internet_address_list_get_address(list, i);
    if (INTERNET_ADDRESS_IS_MAILBOX(address))
      out.push_back(to_text(internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(address))));
    else if (INTERNET_ADDRESS_IS_GROUP(address))
      add_addresses(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(address)), out);
  }
}

// Returns why the mail gets no answer, or "". Most programs mark their mails in a header.
std::string find_refusal(GMimeMessage* message, const IncomingMail& mail, const std::string& own) {
  const auto says = [&](const char* name) { return lower(header_value(message, name)); };
  if (const std::string by = says("Auto-Submitted"); !by.empty() && by != "no")
    return "it is automatic";
  const std::string many = says("Precedence");
  if (many == "bulk" || many == "junk" || many == "list" || many == "auto_reply")
    return "it is bulk mail";
  for (const char* name : {"List-Id", "List-Post", "List-Unsubscribe", "Mailing-List",
                           "X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress", "X-Loop"})
    if (!says(name).empty()) return name[0] == 'X' ? "it is automatic" : "it is from a list";
  const char* const path = g_mime_object_get_header(GMIME_OBJECT(message), "Return-Path");
  GMimeObject* const part = g_mime_message_get_mime_part(message);
  GMimeContentType* const type = part ? g_mime_object_get_content_type(part) : nullptr;
  if ((path && trim(path) == "<>") ||
      (type && (g_mime_content_type_is_type(type, "multipart", "report") ||
                g_mime_content_type_is_type(type, "message", "delivery-status"))))
    return "it is a bounce";
  if (mail.from.empty()) return "it has no sender";
  const std::string name = mail.from.substr(0, mail.from.find('@'));
  for (const char* robot : {"mailer-daemon", "postmaster", "noreply", "no-reply"})
    if (name == robot) return "it is automatic";
  if (normalize_mailbox(mail.from) == normalize_mailbox(own)) return "it is our own";
  return "";
}

// Returns the first part of plain text that is not an attachment, or null.
GMimeTextPart* find_text_part(GMimeObject* part) {
  const char* const placed = g_mime_object_get_disposition(part);
  if (placed && equals_ignoring_case(placed, "attachment")) return nullptr;
  if (GMIME_IS_MULTIPART(part)) {
    GMimeMultipart* const parts = GMIME_MULTIPART(part);
    GMimeTextPart* out = nullptr;
    for (int i = 0; !out && i < g_mime_multipart_get_count(parts); ++i)
      out = find_text_part(g_mime_multipart_get_part(parts, i));
    return out;
  }
  GMimeContentType* const type = g_mime_object_get_content_type(part);
  return GMIME_IS_TEXT_PART(part) && g_mime_content_type_is_type(type, "text", "plain")
             ? GMIME_TEXT_PART(part)
             : nullptr;
}

std::string type_parameter(GMimeTextPart* text, const char* name) {
  return lower(to_text(g_mime_object_get_content_type_parameter(GMIME_OBJECT(text), name)));
}

// True if the bytes of a part are UTF-8, as ASCII is.
bool is_utf8(GMimePart* part) {
  const auto bytes = own_object(g_mime_stream_mem_new());
  g_mime_data_wrapper_write_to_stream(g_mime_part_get_content(part), bytes.get());
  const GByteArray* const all = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(bytes.get()));
  return g_utf8_validate_len(reinterpret_cast<const char*>(all->data), all->len, nullptr) != 0;
}

// Returns a part's text in UTF-8. Reads an unknown charset, and bytes that are not what they are
// said to be, as Latin-1, which accepts any byte. Without this GMime would guess the charset of
// "x-unknown", and leave out what it cannot read.
std::string decode_text(GMimeTextPart* text) {
  const std::string charset = type_parameter(text, "charset");
  const iconv_t known = charset.empty() ? nullptr : g_mime_iconv_open("utf-8", charset.c_str());
  const bool unknown = known == reinterpret_cast<iconv_t>(-1);
  if (known && !unknown) g_mime_iconv_close(known);
  const bool claims_utf8 = charset.empty() || charset == "utf-8" || charset == "utf8" ||
                           charset == "us-ascii" || charset == "ascii";
  const bool holds_utf8 = claims_utf8 && is_utf8(GMIME_PART(text));
  if (holds_utf8) g_mime_text_part_set_charset(text, "utf-8");
  else if (unknown || claims_utf8 || charset == "x-unknown")
    g_mime_text_part_set_charset(text, "iso-8859-1");
  const std::unique_ptr<char, decltype(&g_free)> out(g_mime_text_part_get_text(text), g_free);
  return to_text(out.get());
}

// Returns the lines of a text. Joins the lines of format=flowed (RFC 3676): a line that ends with a
// blank continues in the next.
std::vector<std::string> read_lines(GMimeTextPart* text) {
  const std::string whole = decode_text(text);
  const bool flowed = type_parameter(text, "format") == "flowed",
             takes_blank = type_parameter(text, "delsp") == "yes";
  std::vector<std::string> out;
  bool goes_on = false;
  std::size_t quoted = 0;  // quotation depth of the previous line
  for (std::string_view line : split_lines(whole)) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!flowed) {
      out.emplace_back(line);
      continue;
    }
    const std::size_t quotes = std::min(line.find_first_not_of('>'), line.size());
    const bool signature = line == "-- ";
    const bool joins = goes_on && quotes == quoted && !line.empty() && !signature;
    goes_on = line.ends_with(' ') && !signature;
    quoted = quotes;
    std::string_view rest = line.substr(quotes);
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    if (goes_on && takes_blank && !rest.empty()) rest.remove_suffix(1);
    if (joins) out.back() += rest;
    else out.push_back(std::string(quotes, '>') + std::string(rest));
  }
  return out;
}

GObjectPtr<GMimePart> make_text_part(const char* subtype, const std::string& text) {
  auto part = own_object(g_mime_part_new_with_type("text", subtype));
  GMimeObject* const object = GMIME_OBJECT(part.get());
  g_mime_object_set_content_type_parameter(object, "charset", "utf-8");
  if (std::string_view(subtype) == "plain")
    g_mime_object_set_content_type_parameter(object, "format", "fixed");
  const auto stream = own_object(g_mime_stream_mem_new_with_buffer(text.data(), text.size()));
  const auto content =
      own_object(g_mime_data_wrapper_new_with_stream(stream.get(), GMIME_CONTENT_ENCODING_DEFAULT));
  g_mime_part_set_content(part.get(), content.get());
  g_mime_part_set_content_encoding(part.get(), g_mime_part_get_best_content_encoding(
                                                   part.get(), GMIME_ENCODING_CONSTRAINT_7BIT));
  return part;
}

std::string to_html(const std::string& text) {
  const std::unique_ptr<char, decltype(&g_free)> marked(
      g_markup_escape_text(text.data(), static_cast<gssize>(text.size())), g_free);
  return "<html><body><pre>\n" + std::string(marked.get()) + "</pre></body></html>\n";
}

// Returns the text as plain text and as HTML, and the attachment.
GObjectPtr<GMimeMultipart> make_parts(const OutgoingMail& mail) {
  auto both = own_object(g_mime_multipart_new_with_subtype("alternative"));
  for (const auto& [type, text] : {std::pair("plain", mail.text), {"html", to_html(mail.text)}})
    g_mime_multipart_add(both.get(), GMIME_OBJECT(make_text_part(type, text).get()));
  if (mail.attachment.empty()) return both;
  auto all = own_object(g_mime_multipart_new_with_subtype("mixed"));
  const auto part = make_text_part("plain", mail.attachment);
  g_mime_part_set_filename(part.get(), mail.attachment_name.c_str());
  g_mime_object_set_disposition(GMIME_OBJECT(part.get()), "attachment");
  g_mime_multipart_add(all.get(), GMIME_OBJECT(both.get()));
  g_mime_multipart_add(all.get(), GMIME_OBJECT(part.get()));
  return all;
}

}  // namespace

IncomingMail parse_mail(std::string_view bytes, const std::string& own) {
  init_library();
  IncomingMail out;
  const auto stream = own_object(g_mime_stream_mem_new_with_buffer(bytes.data(), bytes.size()));
  const auto parser = own_object(g_mime_parser_new_with_stream(stream.get()));
  // A line of the mbox format may come first.
  g_mime_parser_set_format(parser.get(),
                           bytes.starts_with("From ") ? GMIME_FORMAT_MBOX : GMIME_FORMAT_MESSAGE);
  const auto message = own_object(g_mime_parser_construct_message(parser.get(), nullptr));
  if (!message) {
    out.refusal = "it is no mail";
    return out;
  }
  std::vector<std::string> from;
  add_addresses(g_mime_message_get_from(message.get()), from);
  if (from.size() == 1 && is_mail_address(from[0])) out.from = lower(from[0]);
  out.refusal = find_refusal(message.get(), out, own);
  if (!out.refusal.empty()) return out;
  out.subject = to_clean_line(g_mime_message_get_subject(message.get()));
  out.id = to_clean_line(g_mime_message_get_message_id(message.get()));
  add_addresses(g_mime_message_get_to(message.get()), out.to);
  add_addresses(g_mime_message_get_cc(message.get()), out.to);
  for (const char* name : {"Delivered-To", "X-Original-To"})
    out.to.push_back(header_value(message.get(), name));
  GMimeObject* const part = g_mime_message_get_mime_part(message.get());
  GMimeTextPart* const text = part ? find_text_part(part) : nullptr;
  out.has_plain_text = text != nullptr;
  if (!text) return out;
  for (const std::string& line : read_lines(text)) {
    if (out.lines.size() == 1000) break;
    // A leading blank marks the text below a command.
    const bool set_in = line.starts_with(' ') || line.starts_with('\t');
    out.lines.push_back((set_in ? " " : "") + to_clean_line(line.c_str()));
  }
  return out;
}

std::string to_string(const OutgoingMail& mail) {
  init_library();
  const auto message = own_object(g_mime_message_new(TRUE));
  GMimeObject* const object = GMIME_OBJECT(message.get());
  const auto set = [&](const char* name, const std::string& value) {
    // Sets the raw value: GMime would encode values as words, but these have none.
    if (value.empty()) return;
    g_mime_object_set_header(object, name, "", nullptr);
    GMimeHeaderList* const headers = g_mime_object_get_header_list(object);
    g_mime_header_set_raw_value(g_mime_header_list_get_header(headers, name),
                                (" " + value + "\n").c_str());
  };
  const auto in_brackets = [](const std::string& id) { return "<" + id + ">"; };
  g_mime_message_add_mailbox(message.get(), GMIME_ADDRESS_TYPE_FROM, "pbmplay", mail.from.c_str());
  g_mime_message_add_mailbox(message.get(), GMIME_ADDRESS_TYPE_TO, nullptr, mail.to.c_str());
  if (!mail.reply_to.empty())
    g_mime_message_add_mailbox(message.get(), GMIME_ADDRESS_TYPE_REPLY_TO, "pbmplay",
                               mail.reply_to.c_str());
  g_mime_message_set_subject(message.get(), mail.subject.c_str(), "utf-8");
  const auto now = std::unique_ptr<GDateTime, decltype(&g_date_time_unref)>(
      g_date_time_new_now_utc(), g_date_time_unref);
  g_mime_message_set_date(message.get(), now.get());
  g_mime_message_set_message_id(message.get(), mail.id.c_str());
  std::string references;
  for (const std::string& id : mail.references)
    references += (references.empty() ? "" : " ") + in_brackets(id);
  set("References", references);
  if (!mail.in_reply_to.empty()) set("In-Reply-To", in_brackets(mail.in_reply_to));
  set("Auto-Submitted", mail.is_reply ? "auto-replied" : "auto-generated");
  if (!mail.unsubscribe.empty())
    set("List-Unsubscribe", "<mailto:" + mail.unsubscribe + "?subject=unsubscribe>");
  g_mime_message_set_mime_part(message.get(), GMIME_OBJECT(make_parts(mail).get()));
  const std::unique_ptr<char, decltype(&g_free)> bytes(g_mime_object_to_string(object, nullptr),
                                                       g_free);
  return to_text(bytes.get());
}

}  // namespace pbm::mail
